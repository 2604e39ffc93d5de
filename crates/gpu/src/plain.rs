//! What is played and what came of it as plain data, laid out alike on both machines.

use spinney_search::playout::{CapSettings, CutoffSettings, Guess, MastReward, MastSettings, PlayoutSettings};
use spinney_search::reward::{BonusSettings, MeanOf, RewardKind, Steepness, Weight};
use spinney_search::settings::{
    DeviationSettings, Expand, ExpansionSettings, FinalMove, FirstPlayUrgency, MctsSettings, OrOwn, Quirks,
    RewardSettings, Select, Solver, Ties,
};

/// A bonus: `k`, `a` and what it is held against.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlainBonus {
    /// 0 for none.
    pub present: u32,
    /// NaN for the k that spreads the bonuses evenly.
    pub k: f32,
    /// 0 fixed, 1 online, 2 joint.
    pub weight: u32,
    /// a where it is fixed.
    pub a: f32,
    /// Number of [`MeanOf`].
    pub mean: u32,
}

/// Settings of `mcts` that leave nothing open.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlainAgent {
    /// Simulations per move.
    pub simulations: u64,
    /// Quirks as bits in their order.
    pub quirks: u32,
    /// C of UCB1.
    pub c: f32,
    /// 1 for the game's own policy.
    pub policy: u32,
    /// 1 for MAST.
    pub mast: u32,
    /// ε of MAST.
    pub epsilon: f32,
    /// 1 if MAST learns altered rewards.
    pub learns_altered: u32,
    /// Plies after which a play-out is a draw; 0 for the usual number.
    pub cap: u32,
    /// Plies after which a play-out is cut off, plus one; 0 for never.
    pub cutoff: u32,
    /// 1 if what is cut off has a winner.
    pub guess: u32,
    /// Numbers of choices: solver, expansion, ties, final move, reward.
    pub solver: u32,
    /// See above.
    pub expand: u32,
    /// See above.
    pub ties: u32,
    /// See above.
    pub final_move: u32,
    /// See above.
    pub reward: u32,
    /// Share of simulations before bonuses.
    pub warmup: f32,
    /// Won simulations before bonuses.
    pub samples: u32,
    /// k of a sigmoid that replaces the reward; NaN for the one that spreads evenly.
    pub replacing: f32,
    /// Relative Bonus.
    pub rb: PlainBonus,
    /// Qualitative Bonus.
    pub qb: PlainBonus,
}

/// A match between two agents.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlainMatch {
    /// The agents.
    pub agents: [PlainAgent; 2],
    /// Places of the tree that both agents use in turn.
    pub places: u32,
    /// Moves of children without a place.
    pub moves: u32,
    /// Random plies at the start.
    pub opening: u32,
    /// Moves kept of each game.
    pub kept: u32,
}

/// One game of a match.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlainSeat {
    /// The seed of the game.
    pub seed: u64,
    /// Which agent moves first.
    pub first: u32,
    /// The match it belongs to.
    pub task: u32,
}

/// What became of a game: values of [`PlainResult::state`].
pub mod state {
    /// It was not begun.
    pub const WAITING: u32 = 0;
    /// It was played to its end.
    pub const PLAYED: u32 = 1;
    /// A tree was full, or there were more moves than are kept: it must be played with more room.
    pub const NO_ROOM: u32 = 2;
    /// Somebody asked to stop.
    pub const STOPPED: u32 = 3;
}

/// What came of a game.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlainResult {
    /// Simulations of the first and the second player.
    pub simulations: [u64; 2],
    /// 0 for a draw, else the player who won.
    pub winner: u32,
    /// Plies.
    pub plies: u32,
    /// Most places of a tree that were used.
    pub places: u32,
    /// Most moves without a place that were listed.
    pub moves: u32,
    /// Bytes that the thread used of its slice.
    pub bytes: u64,
    /// What became of it; written after everything else.
    pub state: u32,
    /// Keeps results apart by whole words.
    pub padding: u32,
}

const SOLVERS: [Solver; 3] = [Solver::On, Solver::Off, Solver::Draws];
const EXPANDS: [Expand; 2] = [Expand::All, Expand::One];
const TIES: [Ties; 2] = [Ties::Random, Ties::First];
const FINALS: [FinalMove; 3] = [FinalMove::Visits, FinalMove::Mean, FinalMove::RobustMax];
const REWARDS: [RewardKind; 3] = [RewardKind::Outcome, RewardKind::Quality, RewardKind::Sigmoid];
const MEANS: [MeanOf; 3] = [MeanOf::All, MeanOf::Depth, MeanOf::Subtree];

fn steepness(k: f32) -> Steepness {
    if k.is_nan() { Steepness::Online } else { Steepness::Fixed(k) }
}

impl PlainBonus {
    fn settings(&self) -> Option<BonusSettings> {
        let a = match self.weight {
            0 => Weight::Fixed(self.a),
            1 => Weight::Online,
            _ => Weight::Joint,
        };
        let mut settings = BonusSettings::default();
        settings.k = Some(steepness(self.k));
        settings.a = a;
        settings.mean = MEANS[self.mean as usize % 3];
        (self.present != 0).then_some(settings)
    }
}

impl PlainAgent {
    /// The settings that it stands for.
    pub fn settings(&self) -> MctsSettings {
        let mut playout = PlayoutSettings::default();
        playout.policy = Some(self.policy != 0);
        if self.mast != 0 {
            let learn = if self.learns_altered != 0 { MastReward::Altered } else { MastReward::Outcome };
            let mut mast = MastSettings::default();
            (mast.eps, mast.learn) = (Some(self.epsilon), Some(learn));
            playout.mast = Some(mast);
        }
        if self.cap != 0 {
            let mut cap = CapSettings::default();
            cap.plies = self.cap;
            playout.cap = Some(cap);
        }
        if self.cutoff != 0 {
            let mut cutoff = CutoffSettings::default();
            cutoff.plies = self.cutoff - 1;
            cutoff.reward = Some(if self.guess != 0 { Guess::Winner } else { Guess::Evaluation });
            playout.cutoff = Some(cutoff);
        }
        let mut settings = MctsSettings::default();
        settings.sims = Some(self.simulations);
        settings.c = Some(self.c);
        settings.select = OrOwn::Standard(Select::Ucb1);
        settings.fpu = Some(FirstPlayUrgency::Infinite);
        settings.expansion = ExpansionSettings::default();
        settings.expansion.solver = SOLVERS[self.solver as usize % 3];
        settings.expansion.expand = EXPANDS[self.expand as usize % 2];
        settings.ties = Some(TIES[self.ties as usize % 2]);
        settings.final_move = Some(FINALS[self.final_move as usize % 3]);
        settings.playout = Some(playout);
        settings.rewards = RewardSettings::default();
        settings.rewards.rb = self.rb.settings();
        settings.rewards.qb = self.qb.settings();
        settings.rewards.warmup = Some(self.warmup);
        settings.rewards.samples = Some(self.samples);
        settings.rewards.reward = OrOwn::Standard(REWARDS[self.reward as usize % 3]);
        settings.deviations = DeviationSettings::default();
        settings.deviations.quirks = Some(Quirks::of_bits(self.quirks));
        settings
    }

    /// k of a sigmoid that replaces the reward.
    pub fn replacing(&self) -> Steepness {
        steepness(self.replacing)
    }
}

#[cfg(feature = "host")]
mod pack {
    use super::*;
    use crate::compiled::kinds;

    fn number<T: PartialEq>(list: &[T], value: &T) -> u32 {
        list.iter().position(|other| other == value).unwrap_or_default() as u32
    }

    fn k(steepness: Steepness) -> f32 {
        match steepness {
            Steepness::Fixed(k) => k,
            Steepness::Online => f32::NAN,
        }
    }

    impl PlainBonus {
        fn of(settings: &Option<BonusSettings>) -> Self {
            let Some(settings) = settings else { return Self::default() };
            let (weight, a) = match settings.a {
                Weight::Fixed(a) => (0, a),
                Weight::Online => (1, 0.0),
                _ => (2, 0.0),
            };
            let k = k(settings.k.unwrap_or(Steepness::Fixed(2.0)));
            Self { present: 1, k, weight, a, mean: number(&MEANS, &settings.mean) }
        }
    }

    impl PlainAgent {
        /// Resolved settings as plain data; `None` if they ask for anything that a kernel does not play.
        pub fn of(settings: &MctsSettings, replacing: Steepness, simulations: u64) -> Option<Self> {
            let playout = settings.playout.clone().unwrap_or_default();
            let mast = playout.mast.as_ref();
            let cutoff = playout.cutoff.as_ref();
            let plain = Self {
                simulations,
                quirks: settings.deviations.in_force().bits(),
                c: settings.c?,
                policy: u32::from(playout.policy.unwrap_or(false)),
                mast: u32::from(mast.is_some()),
                epsilon: mast.and_then(|mast| mast.eps).unwrap_or_default(),
                learns_altered: u32::from(mast.and_then(|mast| mast.learn) == Some(MastReward::Altered)),
                cap: playout.cap.as_ref().map_or(0, |cap| cap.plies),
                cutoff: cutoff.map_or(0, |cutoff| cutoff.plies + 1),
                guess: u32::from(cutoff.and_then(|cutoff| cutoff.reward) == Some(Guess::Winner)),
                solver: number(&SOLVERS, &settings.expansion.solver),
                expand: number(&EXPANDS, &settings.expansion.expand),
                ties: number(&TIES, &settings.ties?),
                final_move: number(&FINALS, &settings.final_move.unwrap_or_default()),
                reward: number(&REWARDS, &settings.rewards.reward.standard()),
                warmup: settings.rewards.warmup?,
                samples: settings.rewards.samples?,
                replacing: k(replacing),
                rb: PlainBonus::of(&settings.rewards.rb),
                qb: PlainBonus::of(&settings.rewards.qb),
            };
            // What has been lost on the way is what a kernel does not know.
            let mut expected = settings.clone();
            let own = plain.settings();
            expected.sims = Some(simulations);
            expected.final_move.get_or_insert_default();
            (expected.luck, expected.deviations.variant) = (own.luck.clone(), own.deviations.variant);
            if let Some(mast) = expected.playout.as_mut().and_then(|playout| playout.mast.as_mut()) {
                mast.learn.get_or_insert_default();
            }
            if let Some(cutoff) = expected.playout.as_mut().and_then(|playout| playout.cutoff.as_mut()) {
                cutoff.reward.get_or_insert_default();
            }
            (expected == own).then_some(plain)
        }

        /// Whether all children of a node need a place in its tree.
        pub fn needs_whole_nodes(&self) -> bool {
            Quirks::of_bits(self.quirks).loss_trap && TIES[self.ties as usize % 2] == Ties::Random
        }

        /// The kinds of play-out that it needs.
        pub fn kinds(&self) -> u8 {
            let base = if self.policy != 0 { kinds::POLICY } else { kinds::UNIFORM };
            base | if self.mast != 0 { kinds::LEARNING } else { kinds::STILL }
        }
    }
}
