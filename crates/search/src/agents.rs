//! Agents by name: what they are called, which options they have, and how they are made for a game.
//!
//! An agent's text is read once, by its kind, into [`AgentSettings`]; everything that treats all agents alike (limits,
//! memory, help, files) works on these. To add an agent, implement [`AgentKind`] and add its line to `agents!` below, or,
//! in a crate of your own, register it with a laboratory.

use crate::agent::{Agent, RandomAgent};
use crate::alpha_beta::AlphaBeta;
use crate::budget::Budget;
use crate::chance_mcts::ChanceMcts;
use crate::decoupled::{Decoupled, DecoupledSettings};
use crate::drive::Driven;
use crate::flat::FlatMonteCarlo;
use crate::ideas::{AboutIdeas, Ideas};
use crate::mcts::Mcts;
use crate::search::Search;
use crate::settings::{AlphaBetaSettings, FinalMove, FlatSettings, Full, MctsSettings, Parallel, Ties};
use crate::shared::{Crew, Roots};
use crate::transpositions::Transposed;
use spinney_core::expression::{Argument, Expression};
use spinney_core::game::Game;
use spinney_core::options::{GameKind, Games, OptionInfo, OptionKind, OptionPart, OptionSet, OptionValue};
use spinney_core::{InputError, options};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A kind of agent: its options, and how one is made for any game.
pub trait AgentKind: 'static {
    /// Which games it plays; in others nobody is made.
    const GAMES: Games = Games::All;

    /// Its options.
    type Settings: OptionSet;

    /// Reads its options. The name in the expression is that of the kind.
    fn read(expression: &Expression) -> Result<Self::Settings, InputError> {
        Self::Settings::read(expression)
    }

    /// What is known of its options.
    fn options() -> Vec<OptionInfo> {
        Self::Settings::options()
    }

    /// An agent for this game, which is one of [`AgentKind::GAMES`].
    fn build<G: Game>(settings: &Self::Settings, game: &G) -> Result<Box<dyn Agent<G>>, InputError>;
}

/// Reads the options of an agent of this kind and makes it for this game, if it plays such games.
pub fn build_kind<K: AgentKind, G: Game>(agent: &Expression, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
    let settings = K::read(agent)?;
    if const { K::GAMES.include(GameKind::of::<G>()) } {
        return K::build(&settings, game);
    }
    let problem = format!("it is for {}", K::GAMES);
    Err(InputError::unsupported(format!("agent {}", agent.name), problem, "use mcts or random"))
}

/// What a list of agents says of one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AgentInfo {
    /// The name in the grammar.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Its options.
    pub options: Arc<[OptionInfo]>,
    /// Which games it plays.
    pub games: Games,
}

impl AgentInfo {
    /// What is said of a kind of agent under this name.
    pub fn of<K: AgentKind>(name: &'static str, summary: &'static str) -> Self {
        Self { name, summary, options: K::options().into(), games: K::GAMES }
    }

    /// The settings of an agent whose options have been read, as they are written.
    pub fn settings(&self, written: Expression) -> AgentSettings {
        AgentSettings { written, options: self.options.clone() }
    }
}

/// An agent and its options, as written `mcts(c=1, playout=policy)`: its kind has read them, and only what differs from
/// the defaults is kept.
///
/// ```
/// use spinney_search::AgentSettings;
/// let agent: AgentSettings = "mcts(sims=1000, playout=policy+mast(eps=0.7), solver=off)".parse().unwrap();
/// assert_eq!(agent.to_string().parse::<AgentSettings>().unwrap(), agent);
/// let error = "mcts(simms=1000)".parse::<AgentSettings>().unwrap_err();
/// assert_eq!(error.to_string(), "mcts: unknown option `simms`; did you mean `sims`?");
/// ```
#[derive(Clone, Debug)]
pub struct AgentSettings {
    written: Expression,
    options: Arc<[OptionInfo]>,
}

impl PartialEq for AgentSettings {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written
    }
}

/// Options by which searches are limited.
const LIMITS: [&str; 4] = ["sims", "time", "cpu", "nodes"];

impl AgentSettings {
    /// The name of the agent's kind.
    pub fn name(&self) -> &str {
        &self.written.name
    }

    /// The agent as an expression.
    pub fn expression(&self) -> &Expression {
        &self.written
    }

    /// Its options as those of the kind of this name; `None` for an agent of another kind.
    pub fn options_of<S: OptionSet>(&self, name: &str) -> Option<S> {
        (self.written.name == name).then(|| S::read(&self.written).ok()).flatten()
    }

    /// Its options as those of `mcts`.
    pub fn mcts(&self) -> Option<MctsSettings> {
        self.options_of("mcts")
    }

    fn info(&self, key: &str) -> Option<&OptionInfo> {
        self.options.iter().find(|option| option.key == key)
    }

    fn value(&self, key: &str) -> Option<&Argument> {
        self.written.arguments.iter().find(|argument| argument.key == key)
    }

    /// Sets or removes an option that the agent's kind has.
    fn set(&mut self, key: &str, value: Option<String>) {
        let Some(default) = self.info(key).map(|info| info.default.clone()) else { return };
        self.written.arguments.retain(|argument| argument.key != key);
        if let Some(value) = value.filter(|value| *value != default) {
            let value = vec![Expression { name: value, arguments: Vec::new() }];
            self.written.arguments.push(Argument { key: key.to_string(), value });
            let place = |argument: &Argument| self.options.iter().position(|option| option.key == argument.key);
            self.written.arguments.sort_by_key(place);
        }
    }

    /// Whether the agent says itself how long it thinks; otherwise it takes what was published for the game.
    pub fn has_limits(&self) -> bool {
        LIMITS.iter().any(|key| self.value(key).is_some()) || !LIMITS.iter().any(|key| self.info(key).is_some())
    }

    /// Takes care that the agent's tree takes no more than so many megabytes.
    pub fn limit_memory(&mut self, megabytes: u32) {
        let written = self.value("memory").and_then(|argument| argument.value.first()).map(|value| value.name.clone());
        let Some(memory) = written.or_else(|| self.info("memory").map(|info| info.default.clone())) else { return };
        if memory.parse::<u32>().is_ok_and(|memory| memory > megabytes) {
            self.set("memory", Some(megabytes.to_string()));
        }
    }

    /// The same agent with these limits instead of its own. What counts no simulations counts nodes instead.
    #[must_use]
    pub fn with_budget(mut self, budget: &Budget) -> Self {
        let nodes = if self.info("sims").is_some() { budget.nodes } else { budget.simulations.or(budget.nodes) };
        self.set_limit("sims", budget.simulations.map(|simulations| simulations as f64));
        self.set_limit("time", budget.time.map(|time| time.as_secs_f64()));
        self.set_limit("cpu", budget.cpu_time.map(|time| time.as_secs_f64()));
        self.set_limit("nodes", nodes.map(|nodes| nodes as f64));
        self
    }

    /// The same agent on so many threads, if it can search on many.
    #[must_use]
    pub fn with_threads(mut self, threads: u32) -> Self {
        self.set("threads", Some(threads.to_string()));
        self
    }

    /// The same agent on so many threads, unless it says itself on how many it searches or what it does is to be repeated: a
    /// number of simulations, or a published engine, gives the same result every time on one thread only.
    #[must_use]
    pub fn with_threads_by_default(self, threads: u32) -> Self {
        let decides = ["threads", "sims", "variant", "quirks", "ties", "transpositions"]
            .iter()
            .any(|key| self.value(key).is_some());
        if decides { self } else { self.with_threads(threads) }
    }

    /// The same agent, keeping what its tree holds below the moves that were played, if it can.
    #[must_use]
    pub fn with_reuse(mut self) -> Self {
        self.set("reuse", Some("on".to_string()));
        self
    }

    /// Threads on which it searches.
    pub fn threads(&self) -> u32 {
        let written = self.value("threads").and_then(|argument| argument.value.first());
        written.and_then(|value| value.name.parse().ok()).unwrap_or(1)
    }

    /// Sets a limit to a number, or to the end of the option's range where that is passed: no search comes so far.
    fn set_limit(&mut self, key: &str, limit: Option<f64>) {
        let range = match self.info(key).map(|info| &info.kind) {
            Some(OptionKind::Whole(range) | OptionKind::Number(range)) => *range,
            _ => None,
        };
        let within = |limit: f64| range.map_or(limit, |range| limit.clamp(range.low, range.high));
        self.set(key, limit.map(|limit| within(limit).to_string()));
    }
}

impl fmt::Display for AgentSettings {
    /// Only what differs from the defaults.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.written)
    }
}

impl Default for AgentSettings {
    fn default() -> Self {
        let mcts = AgentInfo::of::<MctsKind>("mcts", "");
        mcts.settings(Expression { name: "mcts".to_string(), arguments: Vec::new() })
    }
}

impl FromStr for AgentSettings {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        read(&Expression::read("agent", text)?)
    }
}

/// Declares the standard agents: name, kind, name under which it is written, summary.
macro_rules! agents {
    ($($name:literal: $kind:ty, $written:literal, $summary:literal;)+) => {
        /// The standard agents.
        pub fn list() -> Vec<AgentInfo> {
            vec![$(AgentInfo::of::<$kind>($name, $summary)),+]
        }

        /// Reads one of the standard agents.
        pub fn read(expression: &Expression) -> Result<AgentSettings, InputError> {
            match expression.name.as_str() {
                $($name => {
                    let settings = <$kind as AgentKind>::read(expression)?;
                    Ok(AgentInfo::of::<$kind>($name, $summary).settings(settings.changed($written)))
                })+
                other => Err(InputError::unknown("agent", "agent", other, [$($name),+])),
            }
        }

        /// One of the standard agents, for this game.
        pub fn build<G: Game>(game: &G, agent: &AgentSettings) -> Result<Box<dyn Agent<G>>, InputError> {
            match agent.name() {
                $($name => build_kind::<$kind, G>(agent.expression(), game),)+
                other => Err(InputError::unknown("agent", "agent", other, [$($name),+])),
            }
        }
    };
}

agents! {
    "mcts": MctsKind, "mcts", "Monte-Carlo tree search";
    "flat": FlatKind, "flat", "flat Monte Carlo: play-outs without a tree";
    "alphabeta": AlphaBetaKind, "alphabeta", "alpha-beta with iterative deepening";
    "decoupled": DecoupledKind, "decoupled", "Monte-Carlo tree search for games of roles";
    "cadiaplayer": CadiaplayerKind, "decoupled", "decoupled as CADIAPLAYER, with N-grams";
    "random": RandomKind, "random", "a uniformly random move";
}

/// `mcts` without ideas of one's own.
#[derive(Debug)]
pub struct MctsKind;

impl AgentKind for MctsKind {
    type Settings = MctsSettings;

    fn read(expression: &Expression) -> Result<MctsSettings, InputError> {
        let settings = MctsSettings::read(expression)?;
        settings.check_ideas(&())?;
        Ok(settings)
    }

    fn build<G: Game>(settings: &MctsSettings, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        build_mcts(settings, game, &())
    }
}

/// `mcts` with ideas of one's own, by whichever search the game needs.
pub fn build_mcts<G: Game, I: Ideas>(
    settings: &MctsSettings,
    game: &G,
    ideas: &I,
) -> Result<Box<dyn Agent<G>>, InputError> {
    let threads = settings.crew.threads;
    if const { Games::ChanceOrSolitaire.include(GameKind::of::<G>()) } {
        let search = |own: &MctsSettings| ChanceMcts::with_ideas(game, own, ideas);
        return Ok(if threads == 1 {
            Box::new(Driven::new(search(settings)?))
        } else {
            Box::new(roots(settings, FinalMove::Mean, search)?)
        });
    }
    // With ideas of one's own only the tree of one thread is compiled: a crate that adds one compiles all games with it.
    if settings.transpositions && !I::IS_EMPTY {
        let problem = "it does not go with ideas of one's own";
        return Err(InputError::unsupported("mcts, option transpositions", problem, "leave one of the two out"));
    }
    if const { I::IS_EMPTY } && settings.transpositions {
        let search = |own: &MctsSettings| Mcts::<G, I, Transposed<G::Move>>::with_nodes(game, own, ideas);
        check_transpositions(settings, game)?;
        return Ok(if threads == 1 {
            Box::new(Driven::new(search(settings)?))
        } else {
            Box::new(roots(settings, FinalMove::Visits, search)?)
        });
    }
    Ok(match settings.crew.parallel {
        _ if threads == 1 => Box::new(Driven::new(<Mcts<G, I>>::with_ideas(game, settings, ideas)?)),
        Parallel::Tree if const { I::IS_EMPTY } => Box::new(Crew::new(game, settings, ideas)?),
        Parallel::Tree | Parallel::Root => {
            Box::new(roots(settings, FinalMove::Visits, |own| <Mcts<G, I>>::with_ideas(game, own, ideas))?)
        }
    })
}

/// Transpositions need a game that knows positions again, and a tree whose nodes stay where they are.
fn check_transpositions<G: Game>(settings: &MctsSettings, game: &G) -> Result<(), InputError> {
    let place = "mcts, option transpositions";
    if game.key(&game.initial()).is_none() {
        return Err(InputError::unsupported(place, "the game has no keys of positions", "leave it out for this game"));
    }
    if settings.reuse || settings.full != Full::Stand || settings.ties == Some(Ties::First) {
        return Err(InputError::conflict(place, "it does not go with reuse, full and ties", "leave them out"));
    }
    if settings.crew.threads > 1 && settings.crew.parallel == Parallel::Tree {
        let problem = "threads that share a tree know no transpositions";
        return Err(InputError::conflict(place, problem, "write parallel=root, or leave one of the two out"));
    }
    Ok(())
}

/// Searches with a tree each, which share the memory. They forget what they are: compiled once for each game, not for each
/// search.
fn roots<G: Game, S: Search<G> + Send + 'static>(
    settings: &MctsSettings,
    final_move: FinalMove,
    search: impl Fn(&MctsSettings) -> Result<S, InputError>,
) -> Result<Roots<Box<dyn Search<G> + Send>>, InputError> {
    let share = (settings.memory / settings.crew.threads).max(1);
    let first = search(settings)?;
    let written = first.describe();
    drop(first);
    let own = MctsSettings { memory: share, ..settings.clone() };
    let member = |_| search(&own).map(|member| Box::new(member) as Box<dyn Search<G> + Send>);
    let members = (0..settings.crew.threads).map(member).collect::<Result<_, _>>()?;
    Ok(Roots::new(members, settings.final_move.unwrap_or(final_move), written))
}

/// What the help says of `mcts` with ideas of one's own.
pub fn about_mcts<I: Ideas>(ideas: &I) -> AgentInfo {
    let mut about = AboutIdeas::default();
    ideas.about(&mut about);
    let words = |parts: &[OptionPart]| parts.to_vec();
    let mut options = MctsSettings::options();
    for option in &mut options {
        match (option.key, &mut option.kind) {
            ("playout", OptionKind::Parts { any_of, .. }) => any_of.extend(about.learners.iter().cloned()),
            ("select", kind) if !about.selections.is_empty() => {
                let own = OptionKind::Parts { one_of: words(&about.selections), any_of: Vec::new() };
                *kind = OptionKind::Either(vec![kind.clone(), own]);
            }
            ("reward", kind) if !about.rewards.is_empty() => {
                let own = OptionKind::Parts { one_of: words(&about.rewards), any_of: Vec::new() };
                *kind = OptionKind::Either(vec![kind.clone(), own]);
            }
            _ => {}
        }
    }
    AgentInfo { name: "mcts", summary: "Monte-Carlo tree search", options: options.into(), games: Games::All }
}

struct FlatKind;

impl AgentKind for FlatKind {
    const GAMES: Games = Games::Certain;
    type Settings = FlatSettings;

    fn build<G: Game>(settings: &FlatSettings, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        Ok(Box::new(Driven::new(FlatMonteCarlo::new(game, settings)?)))
    }
}

struct AlphaBetaKind;

impl AgentKind for AlphaBetaKind {
    const GAMES: Games = Games::Certain;
    type Settings = AlphaBetaSettings;

    fn build<G: Game>(settings: &AlphaBetaSettings, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        Ok(Box::new(AlphaBeta::new(settings)))
    }
}

struct DecoupledKind;

impl AgentKind for DecoupledKind {
    const GAMES: Games = Games::Roles;
    type Settings = DecoupledSettings;

    fn build<G: Game>(settings: &DecoupledSettings, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        if settings.threads == 1 {
            return Ok(Box::new(Driven::new(Decoupled::new(game, settings)?)));
        }
        let own = DecoupledSettings { memory: (settings.memory / settings.threads).max(1), ..settings.clone() };
        let member = |_| Decoupled::new(game, &own).map(|member| Box::new(member) as Box<dyn Search<G> + Send>);
        let members = (0..settings.threads).map(member).collect::<Result<_, _>>()?;
        Ok(Box::new(Roots::new(members, FinalMove::Mean, settings.changed("decoupled").to_string())))
    }
}

struct CadiaplayerKind;

impl AgentKind for CadiaplayerKind {
    const GAMES: Games = Games::Roles;
    type Settings = DecoupledSettings;

    fn read(expression: &Expression) -> Result<DecoupledSettings, InputError> {
        let mut settings = DecoupledSettings::read(expression)?;
        if !expression.arguments.iter().any(|argument| argument.key == "playout") {
            settings.playout = DecoupledSettings::cadiaplayer().playout;
        }
        Ok(settings)
    }

    fn options() -> Vec<OptionInfo> {
        let mut options = DecoupledSettings::options();
        for option in options.iter_mut().filter(|option| option.key == "playout") {
            option.default = DecoupledSettings::cadiaplayer().playout.write().unwrap_or_default();
        }
        options
    }

    fn build<G: Game>(settings: &DecoupledSettings, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        DecoupledKind::build(settings, game)
    }
}

options! {
    /// A uniformly random legal move.
    pub struct RandomSettings {}
}

struct RandomKind;

impl AgentKind for RandomKind {
    type Settings = RandomSettings;

    fn build<G: Game>(_: &RandomSettings, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        Ok(Box::new(RandomAgent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use spinney_core::options::OptionValue;

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
        list().iter().for_each(|agent| check(agent.name, &agent.options));
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
