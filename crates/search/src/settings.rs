//! Every option of every agent, declared once: the reader, the writer and the help text come from here.

use crate::amaf::{GraveSettings, RaveSettings};
use crate::budget::Budget;
use crate::decoupled::DecoupledSettings;
use crate::playout::PlayoutSettings;
use crate::reward::{BonusSettings, RewardKind, Steepness, Weight};
use crate::variance::CommonNumbers;
use spinney_core::expression::{Expression, write_sum};
use spinney_core::options::{OptionInfo, OptionKind, OptionPart, OptionSet, OptionValue, OptionWord};
use spinney_core::{InputError, Parameters, choices, options};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

choices! {
    /// The rule that picks a child while the search walks down the tree.
    pub enum Select {
        /// mean + C √(ln n / nᵢ) (Kocsis and Szepesvári, 2006)
        Ucb1 = "ucb1",
        /// UCB1 with the measured variance (Auer, Cesa-Bianchi and Fischer, 2002)
        Tuned = "tuned",
        /// mean + C P √n / (1 + nᵢ) with priors P (Rosin, 2011; Silver et al., 2017)
        Puct = "puct",
    }
}

choices! {
    /// Where the priors of PUCT come from.
    pub enum Prior {
        /// the weights of the game's play-out policy
        Policy = "policy",
        /// all moves alike
        Uniform = "uniform",
    }
}

choices! {
    /// What an expansion looks at.
    pub enum Expand {
        /// all children at once; the solver sees moves that end the game
        All = "all",
        /// one child per simulation; its siblings are not looked at before their turn
        One = "one",
    }
}

choices! {
    /// What MCTS-Solver (Winands, Björnsson and Saito, 2008) proves.
    pub enum Solver {
        /// wins and losses
        On = "on",
        /// nothing
        Off = "off",
        /// wins, losses and draws
        Draws = "draws",
    }
}

choices! {
    /// Which child of the root is played.
    pub enum FinalMove {
        /// the most visited
        Visits = "visits",
        /// the one with the highest mean
        Mean = "mean",
        /// the one that is both; the search goes on for up to a quarter of its simulations to find one
        RobustMax = "robust_max",
    }
}

choices! {
    /// How equal children are told apart.
    pub enum Ties {
        /// by the random order in which they were opened
        Random = "random",
        /// by the order in which the game lists moves
        First = "first",
    }
}

choices! {
    /// A set of deviations under one name.
    pub enum Variant {
        /// the algorithms as they should be
        Corrected = "corrected",
        /// all quirks of the engine behind the tables of the ECAI 2014 paper
        Engine2014 = "engine2014",
    }
}

/// The value of a child that has not been visited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FirstPlayUrgency {
    /// Every child is visited once before any is visited twice.
    Infinite,
    /// Unvisited children compete with this value (Wang and Gelly, 2007).
    Value(f32),
}

impl OptionValue for FirstPlayUrgency {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        if write_sum(parts) == "infinite" {
            return Ok(FirstPlayUrgency::Infinite);
        }
        match f32::read(parts) {
            Ok(value) if value.is_finite() => Ok(FirstPlayUrgency::Value(value)),
            _ => Err(Self::kind().to_string()),
        }
    }
    fn write(&self) -> Option<String> {
        match self {
            FirstPlayUrgency::Infinite => Some("infinite".to_string()),
            FirstPlayUrgency::Value(value) => value.write(),
        }
    }
    fn kind() -> OptionKind {
        let infinite = OptionWord::new("infinite", "every child is visited once before any is visited twice");
        OptionKind::Either(vec![OptionKind::Words(vec![infinite]), f32::kind()])
    }
}

macro_rules! quirks {
    ($($(#[doc = $help:literal])+ $name:ident,)+) => {
        /// Deviations of the published engine of 2014, each on its own; `variant=engine2014` is all of them.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Quirks {
            $($(#[doc = $help])+ pub $name: bool,)+
        }

        impl Quirks {
            const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];
            const HELP: &'static [&'static str] = &[$(concat!($($help),+)),+];

            fn flags(&mut self) -> Vec<&mut bool> {
                vec![$(&mut self.$name),+]
            }

            fn all() -> Self {
                Self { $($name: true),+ }
            }
        }
    };
}

quirks! {
    /// a single loss found by the solver reaches all ancestors but the nearest with the wrong sign
    solver_sign,
    /// a child that is lost when created stays "unvisited" and is selected for ever
    loss_trap,
    /// MAST prefers later moves among equal ones
    late_ties,
    /// one simulation more than asked for
    extra_simulation,
    /// the search runs on after every move has been proven lost
    runs_on,
    /// the sigmoid of a bonus has the wrong sign beyond ±10
    saturation,
    /// no bonuses in a player's first search of a game
    first_move,
    /// a′ of the Relative Bonus is taken of the plies since the start of the game instead of d
    game_plies,
    /// the covariances behind a′ are kept from move to move
    kept_covariance,
    /// a′ keeps its sign, and there is no Qualitative Bonus while quality does not go with winning
    signed,
}

impl OptionValue for Quirks {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        let mut quirks = Self::default();
        for part in parts {
            match Self::NAMES.iter().position(|name| *name == part.name && part.arguments.is_empty()) {
                Some(index) => *quirks.flags()[index] = true,
                None if part.name == "none" && parts.len() == 1 => {}
                None => return Err(Self::kind().to_string()),
            }
        }
        if parts.is_empty() { Err(Self::kind().to_string()) } else { Ok(quirks) }
    }
    fn write(&self) -> Option<String> {
        let mut copy = *self;
        let set: Vec<&str> =
            Self::NAMES.iter().zip(copy.flags()).filter_map(|(name, flag)| flag.then_some(*name)).collect();
        Some(if set.is_empty() { "none".to_string() } else { set.join("+") })
    }
    fn kind() -> OptionKind {
        let none = OptionWord::new("none", "no deviation");
        let any_of = Self::NAMES.iter().zip(Self::HELP).map(|(name, help)| OptionPart::plain(name, help)).collect();
        OptionKind::Either(vec![OptionKind::Words(vec![none]), OptionKind::Parts { one_of: Vec::new(), any_of }])
    }
}

options! {
    /// Monte-Carlo tree search.
    pub struct MctsSettings {
        /// simulations per move; without any limit, the simulations that stood for one second when published
        sims: Option<u64> = None, in 1 to 2000000000;
        /// seconds per move
        time: Option<f64> = None, in 0.0 to 1000000.0;
        /// seconds of processor time per move
        cpu: Option<f64> = None, in 0.0 to 1000000.0;
        /// stop when the tree has this many nodes
        nodes: Option<u32> = None, in 1 to 2000000000;
        /// megabytes for the tree; a full tree grows no more and the search goes on with it
        memory: u32 = 1024, in 1 to 1000000;
        /// C of the selection rule; as published for the game, or 0 with rave and grave, when left out
        c: Option<f32> = None, in 0.0 to 1000000.0;
        /// the selection rule
        select: Select = Select::default();
        /// where the priors of PUCT come from
        prior: Prior = Prior::default();
        /// weight W of progressive bias, W × evaluation / (visits + 1) (Chaslot et al., 2008)
        bias: f32 = 0.0, in 0.0 to 1000000.0;
        /// weight W of progressive history, W × MAST value / (losses + 1) (Nijssen and Winands, 2011)
        history: f32 = 0.0, in 0.0 to 1000000.0;
        /// RAVE: children share the values that their moves had anywhere below (Gelly and Silver, 2007)
        rave: Option<RaveSettings> = None;
        /// GRAVE: the same, with the values of an ancestor that has been visited often (Cazenave, 2015)
        grave: Option<GraveSettings> = None;
        /// value of an unvisited child; 0 for PUCT and infinite otherwise when left out
        fpu: Option<FirstPlayUrgency> = None;
        /// what an expansion looks at
        expand: Expand = Expand::default();
        /// what the solver proves
        solver: Solver = Solver::default();
        /// how equal children are told apart
        ties: Option<Ties> = None;
        /// which child of the root is played; the most visited, or the one with the highest mean in games with chance or
        /// one player, when left out
        final_move: Option<FinalMove> = None;
        /// keep the part of the tree below the moves that were played
        reuse: bool = false;
        /// the play-out; the game's policy, with MAST where it was published, when left out
        playout: Option<PlayoutSettings> = None;
        /// Relative Bonus: short simulations count for more (Pepels et al., 2014)
        rb: Option<BonusSettings> = None;
        /// Qualitative Bonus: simulations with a good final position count for more (Pepels et al., 2014)
        qb: Option<BonusSettings> = None;
        /// share of the expected simulations before bonuses; 0.05, or 0 with engine2014, when left out
        warmup: Option<f32> = None, in 0.0 to 1.0;
        /// simulations won by a player before bonuses on its wins; 2, or 50 with engine2014, when left out
        samples: Option<u32> = None, in 2 to 1000000000;
        /// what a simulation is worth before the bonuses
        reward: RewardKind = RewardKind::default();
        /// control variates, in games with chance (Veness, Lanctot and Bowling, 2011)
        cv: bool = false;
        /// coefficient of the control variate before it is measured; as published for the game when left out
        cv_constant: Option<f64> = None, in -1000000.0 to 1000000.0;
        /// visits of a move from which on its own coefficient is measured
        cv_visits: u32 = 50, in 2 to 2000000000;
        /// common random numbers, in games with chance; `on` shares luck where it was published for the game
        crn: CommonNumbers = CommonNumbers::Off;
        /// antithetic variates at the root, in games with chance
        av: bool = false;
        /// the first move from a new node belongs to the play-out and is not counted in the tree, in games with chance
        loose: bool = false;
        /// deviations under one name
        variant: Variant = Variant::default();
        /// deviations of the published engine one by one
        quirks: Option<Quirks> = None;
    }
}

options! {
    /// Flat Monte Carlo: the same number of play-outs for every move, the best mean is played.
    pub struct FlatSettings {
        /// play-outs per move; those that stood for one second when published when left out
        sims: Option<u64> = None, in 1 to 2000000000;
        /// seconds per move
        time: Option<f64> = None, in 0.0 to 1000000.0;
        /// seconds of processor time per move
        cpu: Option<f64> = None, in 0.0 to 1000000.0;
        /// the play-out; the game's policy when left out
        playout: Option<PlayoutSettings> = None;
    }
}

options! {
    /// Alpha-beta with iterative deepening and a transposition table.
    pub struct AlphaBetaSettings {
        /// deepest search in plies
        depth: u32 = 64, in 1 to 1000;
        /// seconds per move
        time: Option<f64> = None, in 0.0 to 1000000.0;
        /// seconds of processor time per move
        cpu: Option<f64> = None, in 0.0 to 1000000.0;
        /// positions per move; 200000 without any limit
        nodes: Option<u64> = None, in 1 to 2000000000;
        /// megabytes for the transposition table
        memory: u32 = 64, in 1 to 100000;
    }
}

options! {
    /// A uniformly random legal move.
    pub struct RandomSettings {}
}

/// An agent and its options, as written `mcts(c=1, playout=policy)`.
///
/// ```
/// use spinney_search::AgentSettings;
/// let agent: AgentSettings = "mcts(sims=1000, playout=policy+mast(eps=0.7), solver=off)".parse().unwrap();
/// assert_eq!(agent.to_string().parse::<AgentSettings>().unwrap(), agent);
/// let error = "mcts(simms=1000)".parse::<AgentSettings>().unwrap_err();
/// assert_eq!(error.to_string(), "mcts: unknown option `simms`; did you mean `sims`?");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum AgentSettings {
    /// Random moves.
    Random(RandomSettings),
    /// Flat Monte Carlo.
    Flat(FlatSettings),
    /// Monte-Carlo tree search.
    Mcts(Box<MctsSettings>),
    /// Alpha-beta.
    AlphaBeta(AlphaBetaSettings),
    /// Monte-Carlo tree search for games of roles.
    Decoupled(Box<DecoupledSettings>),
}

/// What a list of agents says of one.
#[derive(Clone, Debug)]
pub struct AgentInfo {
    /// The name in the grammar.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Its options.
    pub options: Vec<OptionInfo>,
}

impl AgentSettings {
    /// All agents.
    pub fn list() -> Vec<AgentInfo> {
        let agent = |name, summary, options| AgentInfo { name, summary, options };
        let mut cadiaplayer = DecoupledSettings::options();
        for option in cadiaplayer.iter_mut().filter(|option| option.key == "playout") {
            option.default = DecoupledSettings::cadiaplayer().playout.write().unwrap_or_default();
        }
        vec![
            agent("mcts", "Monte-Carlo tree search", MctsSettings::options()),
            agent("flat", "flat Monte Carlo: play-outs without a tree", FlatSettings::options()),
            agent("alphabeta", "alpha-beta with iterative deepening", AlphaBetaSettings::options()),
            agent("decoupled", "Monte-Carlo tree search for games of roles", DecoupledSettings::options()),
            agent("cadiaplayer", "decoupled as CADIAPLAYER, with N-grams", cadiaplayer),
            agent("random", "a uniformly random move", RandomSettings::options()),
        ]
    }

    /// Reads an agent that is already parsed, from a file perhaps.
    pub fn read(expression: &Expression) -> Result<Self, InputError> {
        match expression.name.as_str() {
            "mcts" => Ok(AgentSettings::Mcts(Box::new(MctsSettings::read(expression)?))),
            "flat" => FlatSettings::read(expression).map(AgentSettings::Flat),
            "alphabeta" => AlphaBetaSettings::read(expression).map(AgentSettings::AlphaBeta),
            "decoupled" => Ok(AgentSettings::Decoupled(Box::new(DecoupledSettings::read(expression)?))),
            "cadiaplayer" => {
                let mut own = DecoupledSettings::read(expression)?;
                if !expression.arguments.iter().any(|argument| argument.key == "playout") {
                    own.playout = DecoupledSettings::cadiaplayer().playout;
                }
                Ok(AgentSettings::Decoupled(Box::new(own)))
            }
            "random" => RandomSettings::read(expression).map(AgentSettings::Random),
            other => {
                let known = Self::list();
                Err(InputError::unknown("agent", "agent", other, known.iter().map(|agent| agent.name)))
            }
        }
    }
}

impl AgentSettings {
    /// Whether the agent says itself how long it thinks; otherwise it takes what was published for the game.
    pub fn has_limits(&self) -> bool {
        match self {
            AgentSettings::Mcts(own) => {
                own.sims.is_some() || own.time.is_some() || own.cpu.is_some() || own.nodes.is_some()
            }
            AgentSettings::Decoupled(own) => {
                own.sims.is_some() || own.time.is_some() || own.cpu.is_some() || own.nodes.is_some()
            }
            AgentSettings::Flat(own) => own.sims.is_some() || own.time.is_some() || own.cpu.is_some(),
            AgentSettings::AlphaBeta(own) => own.time.is_some() || own.cpu.is_some() || own.nodes.is_some(),
            AgentSettings::Random(_) => true,
        }
    }

    /// Takes care that the agent's tree takes no more than so many megabytes.
    pub fn limit_memory(&mut self, megabytes: u32) {
        let memory = match self {
            AgentSettings::Mcts(own) => &mut own.memory,
            AgentSettings::Decoupled(own) => &mut own.memory,
            AgentSettings::AlphaBeta(own) => &mut own.memory,
            AgentSettings::Flat(_) | AgentSettings::Random(_) => return,
        };
        *memory = megabytes.min(*memory);
    }

    /// The same agent with these limits instead of its own.
    #[must_use]
    pub fn with_budget(mut self, budget: &Budget) -> Self {
        let time = budget.time.map(|time| time.as_secs_f64());
        let cpu = budget.cpu_time.map(|time| time.as_secs_f64());
        match &mut self {
            AgentSettings::Mcts(own) => {
                (own.sims, own.time, own.cpu) = (budget.simulations, time, cpu);
                own.nodes = budget.nodes.and_then(|nodes| u32::try_from(nodes).ok());
            }
            AgentSettings::Decoupled(own) => {
                (own.sims, own.time, own.cpu) = (budget.simulations, time, cpu);
                own.nodes = budget.nodes.and_then(|nodes| u32::try_from(nodes).ok());
            }
            AgentSettings::Flat(own) => (own.sims, own.time, own.cpu) = (budget.simulations, time, cpu),
            AgentSettings::AlphaBeta(own) => {
                (own.nodes, own.time, own.cpu) = (budget.simulations.or(budget.nodes), time, cpu);
            }
            AgentSettings::Random(_) => {}
        }
        self
    }
}

impl Default for AgentSettings {
    fn default() -> Self {
        AgentSettings::Mcts(Box::default())
    }
}

impl FromStr for AgentSettings {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        Self::read(&Expression::read("agent", text)?)
    }
}

impl fmt::Display for AgentSettings {
    /// Only what differs from the defaults.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = match self {
            AgentSettings::Random(own) => own.changed("random"),
            AgentSettings::Flat(own) => own.changed("flat"),
            AgentSettings::Mcts(own) => own.changed("mcts"),
            AgentSettings::AlphaBeta(own) => own.changed("alphabeta"),
            AgentSettings::Decoupled(own) => own.changed("decoupled"),
        };
        write!(f, "{written}")
    }
}

impl MctsSettings {
    /// The deviations in force.
    pub fn quirks_in_force(&self) -> Quirks {
        match (self.quirks, self.variant) {
            (Some(quirks), _) => quirks,
            (None, Variant::Engine2014) => Quirks::all(),
            (None, Variant::Corrected) => Quirks::default(),
        }
    }

    /// The limits; without any, the simulations that stood for one second when published.
    pub fn budget(&self, parameters: &Parameters) -> Budget {
        let own = Budget {
            simulations: self.sims,
            time: self.time.map(Duration::from_secs_f64),
            cpu_time: self.cpu.map(Duration::from_secs_f64),
            nodes: self.nodes.map(u64::from),
        };
        let published = Budget::simulations(u64::from(parameters.simulations_per_second));
        if own.is_endless() { published } else { own }
    }

    /// The same settings with nothing left to the game: what was left out is what was published.
    #[must_use]
    pub fn resolved(&self, parameters: &Parameters, has_policy: bool) -> Self {
        let mut settings = self.clone();
        // RAVE was published without a term of exploration.
        let is_blended = self.rave.is_some() || self.grave.is_some();
        settings.c.get_or_insert(if is_blended { 0.0 } else { parameters.exploration });
        settings.playout = Some(self.playout.clone().unwrap_or_default().resolved(parameters, has_policy));
        settings.fpu.get_or_insert(match self.select {
            Select::Puct => FirstPlayUrgency::Value(0.0),
            Select::Ucb1 | Select::Tuned => FirstPlayUrgency::Infinite,
        });
        settings.ties.get_or_insert(match self.variant {
            Variant::Engine2014 => Ties::First,
            Variant::Corrected => Ties::Random,
        });
        let (warmup, samples) = match self.variant {
            Variant::Engine2014 => (0.0, 50),
            Variant::Corrected => (0.05, 2),
        };
        settings.warmup.get_or_insert(warmup);
        settings.samples.get_or_insert(samples);
        for (bonus, k) in
            [(&mut settings.rb, parameters.relative_steepness), (&mut settings.qb, parameters.qualitative_steepness)]
        {
            if let Some(bonus) = bonus {
                bonus.k.get_or_insert(Steepness::Fixed(k));
            }
        }
        settings.quirks = Some(self.quirks_in_force());
        settings
    }

    /// Whether a bonus asks for a weight that depends on the other one, which is not there.
    pub fn misses_joint_bonus(&self) -> bool {
        let is_joint = |bonus: &Option<BonusSettings>| bonus.as_ref().map(|bonus| bonus.a == Weight::Joint);
        !matches!(
            (is_joint(&self.rb), is_joint(&self.qb)),
            (Some(true), Some(true)) | (None | Some(false), None | Some(false))
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_agent_is_written_as_it_is_read() {
        for text in [
            "mcts",
            "random",
            "alphabeta(depth=4)",
            "flat(sims=100, playout=uniform)",
            "decoupled(sims=100, discount=1, untried=urgency, playout=ngram(n=2), rb(k=1.4, a=0.25))",
            "mcts(sims=17000, c=1, playout=uniform)",
            "mcts(cv=on, cv_constant=-0.7, crn=root, av=on)",
            "mcts(select=puct, fpu=-0.5, solver=draws, reuse=on)",
            "mcts(playout=policy+mast(eps=0.7)+cap(plies=200), quirks=solver_sign+loss_trap)",
            "mcts(rb(k=2.2, a=0.25), qb=on, reward=quality)",
            "mcts(rave(k=200, count=move), playout=uniform+cmc(prob=75, b=60, pairs=simulation, table=shared)+lgr)",
            "mcts(grave(reference=100, bias=0.001), playout=policy+mast(eps=0.5)+cmc+ngram(n=2, count=3)+lgr(order=1))",
            "mcts(rb(k=online, a=joint), qb(a=joint, mean=depth), warmup=0.1, samples=50)",
        ] {
            assert_eq!(text.parse::<AgentSettings>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn wrong_options_are_named_with_their_remedy() {
        let error = |text: &str| text.parse::<AgentSettings>().unwrap_err().to_string();
        assert_eq!(error("mtcs"), "agent: unknown agent `mtcs`; did you mean `mcts`?");
        assert_eq!(error("mcts(c=-1)"), "mcts, option c: `-1` does not fit; write a value from 0.0 to 1000000.0");
        assert_eq!(error("mcts(c=NaN)"), "mcts, option c: `NaN` does not fit; write a value from 0.0 to 1000000.0");
        assert!(error("mcts(select=uct1)").contains("did you mean `ucb1`?"));
        assert!(error("mcts(c=1, c=2)").contains("given twice"));
        assert!(error("mcts(playout=policy+mast(epsilon=0.7))").contains("did you mean `eps`?"));
        assert!(error("mcts(playout=uniform+cmc(porb=35))").contains("did you mean `prob`?"));
        assert!(error("mcts(playout=uniform+cmc(prob=101))").contains("from 0.0 to 100.0"));
        assert!(error("mcts(rave(kk=2))").contains("did you mean `k`?"));
        assert!(error("mcts(rb(kk=2))").contains("did you mean `k`?"));
        assert!(error("mcts(qb(a=onlin))").contains("a number from 0 to 10, online, or joint"));
    }

    #[test]
    fn every_option_is_described_as_data() {
        // A kind that stays empty, a word or part without help, would be a gap in the page and in the help.
        fn check(path: &str, options: &[OptionInfo]) {
            for option in options {
                assert!(!option.help.is_empty(), "{path}.{}", option.key);
                check_kind(&format!("{path}.{}", option.key), &option.kind);
            }
        }
        fn check_kind(path: &str, kind: &OptionKind) {
            match kind {
                OptionKind::Flag | OptionKind::Whole(Some(_)) | OptionKind::Number(Some(_)) => {}
                OptionKind::Words(words) => assert!(words.iter().all(|word| !word.help.is_empty()), "{path}"),
                OptionKind::Parts { one_of, any_of } => {
                    for part in one_of.iter().chain(any_of) {
                        assert!(!part.help.is_empty(), "{path}.{}", part.name);
                        check(&format!("{path}.{}", part.name), &part.options);
                    }
                }
                OptionKind::Brackets(options) => check(path, options),
                OptionKind::Either(kinds) => {
                    kinds.iter().filter(|kind| **kind != f32::kind()).for_each(|kind| check_kind(path, kind));
                }
                other => panic!("{path}: {other}"),
            }
        }
        AgentSettings::list().iter().for_each(|agent| check(agent.name, &agent.options));
    }

    #[test]
    fn errors_have_kinds() {
        use spinney_core::InputErrorKind;
        let kind = |text: &str| text.parse::<AgentSettings>().unwrap_err().kind;
        assert_eq!(kind("mtcs"), InputErrorKind::Unknown);
        assert_eq!(kind("mcts(simms=1)"), InputErrorKind::Unknown);
        assert_eq!(kind("mcts(c=x)"), InputErrorKind::Misfit);
        assert_eq!(kind("mcts(c"), InputErrorKind::Syntax);
        assert_eq!(kind("mcts(c=1, c=1)"), InputErrorKind::Twice);
        let refused = |game: &str, agent: &str| {
            crate::open_table(game, None).unwrap().seat(&agent.parse().unwrap()).map(|_| ()).unwrap_err().kind
        };
        assert_eq!(refused("breakthrough", "mcts(cv)"), InputErrorKind::Unsupported);
        assert_eq!(refused("breakthrough", "mcts(rave, grave)"), InputErrorKind::Conflict);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "(mcts|flat|random|alphabeta)?[(]?[a-z_]{0,8}=?[a-z0-9.+()=,-]{0,20}[)]?") {
            if let Ok(agent) = text.parse::<AgentSettings>() {
                prop_assert_eq!(agent.to_string().parse::<AgentSettings>().unwrap(), agent);
            }
        }
    }
}
