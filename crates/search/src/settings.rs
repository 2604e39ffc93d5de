//! Every option of every agent, declared once: the reader, the writer and the help text come from here.

#[cfg(feature = "std")]
mod text;

use crate::amaf::{GraveSettings, RaveSettings};
use crate::budget::Budget;
use crate::playout::PlayoutSettings;
use crate::reward::{BonusSettings, RewardKind, Steepness, Weight};
use crate::variance::CommonNumbers;
#[cfg(feature = "std")]
use spinney_core::expression::Expression;
use spinney_core::{choices, options};

/// [`options!`] of a search, with the limits that every search has before its own: simulations, seconds, and with
/// `memory` also nodes and megabytes.
macro_rules! limited_options {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident {
            simulations $simulations:literal
            memory $memory:literal
            $($rest:tt)*
        }
    ) => {
        spinney_core::options! {
            $(#[doc = $about])+
            pub struct $name {
                #[doc = $simulations]
                sims: Option<u64> = None, in 1 to 2000000000;
                /// seconds per move
                time: Option<f64> = None, in 0.0 to 1000000.0;
                /// seconds of processor time per move
                cpu: Option<f64> = None, in 0.0 to 1000000.0;
                /// stop when the tree has this many nodes
                nodes: Option<u32> = None, in 1 to 2000000000;
                /// megabytes for the tree; a full tree grows no more and the search goes on with it
                memory: u32 = $memory, in 1 to 1000000;
                $($rest)*
            }
        }

        impl $name {
            /// The limits that are set.
            pub fn limits(&self) -> $crate::budget::Budget {
                $crate::budget::Budget::of_seconds(self.sims, self.time, self.cpu, self.nodes.map(u64::from))
            }
        }
    };
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident {
            simulations $simulations:literal
            $($rest:tt)*
        }
    ) => {
        spinney_core::options! {
            $(#[doc = $about])+
            pub struct $name {
                #[doc = $simulations]
                sims: Option<u64> = None, in 1 to 2000000000;
                /// seconds per move
                time: Option<f64> = None, in 0.0 to 1000000.0;
                /// seconds of processor time per move
                cpu: Option<f64> = None, in 0.0 to 1000000.0;
                $($rest)*
            }
        }

        impl $name {
            /// The limits that are set.
            pub fn limits(&self) -> $crate::budget::Budget {
                $crate::budget::Budget::of_seconds(self.sims, self.time, self.cpu, None)
            }
        }
    };
}
#[cfg(feature = "std")]
pub(crate) use limited_options;

choices! {
    /// The rule that picks a child while the search walks down the tree.
    pub enum Select {
        /// mean + C √(ln n / nᵢ) (Kocsis and Szepesvári, 2006)
        Ucb1 = "ucb1",
        /// UCB1 with the measured variance (Auer, Cesa-Bianchi and Fischer, 2002)
        Tuned = "tuned" for Certain,
        /// mean + C P √n / (1 + nᵢ) with priors P (Rosin, 2011; Silver et al., 2017)
        Puct = "puct" for Certain,
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
        RobustMax = "robust_max" for Certain,
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
#[non_exhaustive]
pub enum FirstPlayUrgency {
    /// Every child is visited once before any is visited twice.
    Infinite,
    /// Unvisited children compete with this value (Wang and Gelly, 2007).
    Value(f32),
}

macro_rules! quirks {
    ($($(#[doc = $help:literal])+ $name:ident,)+) => {
        /// Deviations of the published engine of 2014, each on its own; `variant=engine2014` is all of them.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Quirks {
            $($(#[doc = $help])+ pub $name: bool,)+
        }

        impl Quirks {
            #[cfg(feature = "std")]
            const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];
            #[cfg(feature = "std")]
            const HELP: &'static [&'static str] = &[$(concat!($($help),+)),+];

            #[cfg(feature = "std")]
            fn flags(&mut self) -> Vec<&mut bool> {
                vec![$(&mut self.$name),+]
            }

            fn all() -> Self {
                Self { $($name: true),+ }
            }

            /// Those whose bits are set, in the order of their declaration.
            pub fn of_bits(bits: u32) -> Self {
                let mut bit = 0;
                let mut next = || {
                    bit += 1;
                    bits >> (bit - 1) & 1 == 1
                };
                Self { $($name: next()),+ }
            }

            /// The bits of those that are set.
            pub fn bits(&self) -> u32 {
                [$(self.$name),+].iter().rev().fold(0, |bits, &set| bits << 1 | u32::from(set))
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

/// A word of the standard choices, or the name and options of an idea of one's own.
#[derive(Clone, Debug, PartialEq)]
pub enum OrOwn<T> {
    /// One of the standard choices.
    Standard(T),
    /// One's own.
    #[cfg(feature = "std")]
    Own(Expression),
}

impl<T: Copy + Default> OrOwn<T> {
    /// The standard choice; the default one under one's own.
    pub fn standard(&self) -> T {
        match self {
            OrOwn::Standard(choice) => *choice,
            #[cfg(feature = "std")]
            OrOwn::Own(_) => T::default(),
        }
    }

    /// One's own.
    #[cfg(feature = "std")]
    pub fn own(&self) -> Option<&Expression> {
        match self {
            OrOwn::Standard(_) => None,
            OrOwn::Own(own) => Some(own),
        }
    }
}

impl<T: Default> Default for OrOwn<T> {
    fn default() -> Self {
        OrOwn::Standard(T::default())
    }
}

options! {
    /// Terms of selection beside mean and exploration.
    pub struct TermSettings for Certain {
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
    }
}

options! {
    /// How the tree grows, and what is proven of it.
    pub struct ExpansionSettings for Certain {
        /// what an expansion looks at
        expand: Expand = Expand::default();
        /// what the solver proves
        solver: Solver = Solver::default();
    }
}

options! {
    /// What a simulation is worth.
    pub struct RewardSettings for Certain {
        /// Relative Bonus: short simulations count for more (Pepels et al., 2014)
        rb: Option<BonusSettings> = None;
        /// Qualitative Bonus: simulations with a good final position count for more (Pepels et al., 2014)
        qb: Option<BonusSettings> = None;
        /// share of the expected simulations before bonuses; 0.05, or 0 with engine2014, when left out
        warmup: Option<f32> = None, in 0.0 to 1.0;
        /// simulations won by a player before bonuses on its wins; 2, or 50 with engine2014, when left out
        samples: Option<u32> = None, in 2 to 1000000000;
        /// what a simulation is worth before the bonuses
        reward: OrOwn<RewardKind> = OrOwn::default();
    }
}

options! {
    /// What is done about luck.
    pub struct LuckSettings for Chance {
        /// control variates (Veness, Lanctot and Bowling, 2011)
        cv: bool = false;
        /// coefficient of the control variate before it is measured; as published for the game when left out
        cv_constant: Option<f64> = None, in -1000000.0 to 1000000.0;
        /// visits of a move from which on its own coefficient is measured
        cv_visits: u32 = 50, in 2 to 2000000000;
        /// common random numbers; `on` shares luck where it was published for the game
        crn: CommonNumbers = CommonNumbers::Off;
        /// antithetic variates at the root
        av: bool = false;
        /// the first move from a new node belongs to the play-out and is not counted in the tree
        loose: bool = false, for ChanceOrSolitaire;
    }
}

choices! {
    /// What threads share.
    pub enum Parallel {
        /// one tree, without locks (Enzenberger and Müller, 2009)
        Tree = "tree",
        /// nothing: each has a tree of its own, and the roots are added up (Chaslot, Winands and Van den Herik, 2008)
        Root = "root",
    }
}

choices! {
    /// How threads see simulations of others that are under way, so that not all take the same way.
    pub enum VirtualLoss {
        /// as losses, until they are over (Chaslot, Winands and Van den Herik, 2008)
        Loss = "loss",
        /// as visits that leave the mean alone (Liu et al., 2020)
        Visits = "visits",
        /// not at all
        Off = "off",
    }
}

choices! {
    /// What is done when the tree is full.
    pub enum Full {
        /// it grows no more, and the search goes on with it
        Stand = "stand",
        /// what was visited least is given up; the tree gets half of the memory, and a copy of it the other half
        Reclaim = "reclaim",
    }
}

options! {
    /// How many think, and what they share.
    pub struct CrewSettings {
        /// threads that search together; with more than one no two searches are alike
        threads: u32 = 1, in 1 to 1024;
        /// what threads share; games with chance or one player have a tree for each
        parallel: Parallel = Parallel::default(), for Certain;
        /// how simulations that are under way are seen
        virtual_loss: VirtualLoss = VirtualLoss::default(), for Certain;
        /// threads on one tree share what MAST and progressive history learn
        pooled: bool = true, for Certain;
    }
}

options! {
    /// Deviations of published engines.
    pub struct DeviationSettings for Certain {
        /// deviations under one name
        variant: Variant = Variant::default();
        /// deviations of the published engine one by one
        quirks: Option<Quirks> = None;
    }
}

limited_options! {
    /// Monte-Carlo tree search.
    pub struct MctsSettings {
        simulations " simulations per move; without any limit, the simulations that stood for one second when published"
        memory 1024
        /// C of the selection rule; as published for the game, or 0 with rave and grave, when left out
        c: Option<f32> = None, in 0.0 to 1000000.0;
        /// the selection rule
        select: OrOwn<Select> = OrOwn::default();
        /// what is added to a child's value
        terms: TermSettings;
        /// value of an unvisited child; 0 for PUCT and infinite otherwise when left out
        fpu: Option<FirstPlayUrgency> = None;
        /// how the tree grows and what is proven
        expansion: ExpansionSettings;
        /// how equal children are told apart
        ties: Option<Ties> = None;
        /// which child of the root is played; the most visited, or the one with the highest mean in games with chance or
        /// one player, when left out
        final_move: Option<FinalMove> = None;
        /// keep the part of the tree below the moves that were played
        reuse: bool = false, for Certain;
        /// the play-out; the game's policy, with MAST where it was published, when left out
        playout: Option<PlayoutSettings> = None;
        /// what a simulation is worth
        rewards: RewardSettings;
        /// what is done about luck
        luck: LuckSettings;
        /// what was wrong in published engines
        deviations: DeviationSettings;
        /// positions that are reached in several ways share their mean: UCT2 (Childs, Brodeur and Kocsis, 2008)
        transpositions: bool = false, for Certain;
        /// what is done when the tree is full
        full: Full = Full::default(), for Certain;
        /// how many think
        crew: CrewSettings;
    }
}

limited_options! {
    /// Flat Monte Carlo: the same number of play-outs for every move, the best mean is played.
    pub struct FlatSettings {
        simulations " play-outs per move; those that stood for one second when published when left out"
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

impl MctsSettings {
    /// The limits; without any, the simulations that stood for one second when published.
    pub fn budget(&self, simulations_per_second: u32) -> Budget {
        self.limits().or(Budget::simulations(u64::from(simulations_per_second)))
    }

    /// The same settings with nothing left to the game: what was left out is what was published.
    #[must_use]
    pub fn resolved(&self, published: &Self, has_policy: bool) -> Self {
        let mut settings = self.clone();
        // RAVE was published without a term of exploration.
        let is_blended = self.terms.rave.is_some() || self.terms.grave.is_some();
        settings.c.get_or_insert(if is_blended { 0.0 } else { published.c.unwrap_or(1.0) });
        let published_mast = published.playout.as_ref().and_then(|playout| playout.mast.clone());
        settings.playout = Some(self.playout.clone().unwrap_or_default().resolved(published_mast.as_ref(), has_policy));
        settings.fpu.get_or_insert(match self.select.standard() {
            Select::Puct => FirstPlayUrgency::Value(0.0),
            _ => FirstPlayUrgency::Infinite,
        });
        settings.ties.get_or_insert(match self.deviations.variant {
            Variant::Engine2014 => Ties::First,
            Variant::Corrected => Ties::Random,
        });
        let (warmup, samples) = match self.deviations.variant {
            Variant::Engine2014 => (0.0, 50),
            Variant::Corrected => (0.05, 2),
        };
        settings.rewards.warmup.get_or_insert(warmup);
        settings.rewards.samples.get_or_insert(samples);
        settings.rewards.resolve(&published.rewards);
        settings.luck.cv_constant.get_or_insert(published.luck.cv_constant.unwrap_or(0.0));
        if settings.luck.crn == CommonNumbers::On {
            settings.luck.crn = match published.luck.crn {
                CommonNumbers::Off | CommonNumbers::On => CommonNumbers::Root,
                shared => shared,
            };
        }
        settings.deviations.quirks = Some(self.deviations.in_force());
        settings
    }
}

impl RewardSettings {
    /// k of a bonus as it was published; 2 where it was not.
    pub fn steepness(published: &Option<BonusSettings>) -> Steepness {
        published.as_ref().and_then(|bonus| bonus.k).unwrap_or(Steepness::Fixed(2.0))
    }

    /// Leaves no k open: what was left out is what was published.
    pub(crate) fn resolve(&mut self, published: &Self) {
        for (bonus, published) in [(&mut self.rb, &published.rb), (&mut self.qb, &published.qb)] {
            if let Some(bonus) = bonus {
                bonus.k.get_or_insert(Self::steepness(published));
            }
        }
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

impl DeviationSettings {
    /// The deviations in force.
    pub fn in_force(&self) -> Quirks {
        match (self.quirks, self.variant) {
            (Some(quirks), _) => quirks,
            (None, Variant::Engine2014) => Quirks::all(),
            (None, Variant::Corrected) => Quirks::default(),
        }
    }
}
