//! The options of rewards: `rb(k=…, a=…)`, `qb(k=…, a=…)` and what replaces the reward.

use spinney_core::{choices, options};

choices! {
    /// What a simulation is worth before the bonuses.
    pub enum RewardKind {
        /// 1, 0 or −1
        Outcome = "outcome",
        /// the winner's quality q instead of 1
        Quality = "quality",
        /// the sigmoid of k q instead of 1, with k of the Qualitative Bonus
        Sigmoid = "sigmoid",
    }
}

choices! {
    /// Which simulations a bonus is held against.
    pub enum MeanOf {
        /// all with the same winner
        All = "all",
        /// those with the same winner whose leaf is as deep in the tree
        Depth = "depth",
        /// those with the same winner that began with the same move
        Subtree = "subtree",
    }
}

/// k of a bonus.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Steepness {
    /// This k.
    Fixed(f32),
    /// The k that spreads the bonuses evenly.
    Online,
}

/// a of a bonus.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Weight {
    /// This a.
    Fixed(f32),
    /// a′ of this bonus alone.
    Online,
    /// a′ of both bonuses from their joint covariance.
    Joint,
}

options! {
    /// A bonus on the reward of a simulation.
    pub struct BonusSettings {
        /// steepness of the sigmoid; as published for the game when left out
        k: Option<Steepness> = None;
        /// weight; a′ from the covariance when online, of both bonuses together when joint
        a: Weight = Weight::Online;
        /// which simulations it is held against
        mean: MeanOf = MeanOf::default();
    }
}
