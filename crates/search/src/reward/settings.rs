//! The options of rewards: `rb(k=…, a=…)`, `qb(k=…, a=…)` and what replaces the reward.

use spinney_core::expression::{Expression, write_sum};
use spinney_core::options::{OptionKind, OptionValue, OptionWord, read_brackets, write_brackets};
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

const STEEPEST: f32 = 100.0;
const HEAVIEST: f32 = 10.0;

fn number(parts: &[Expression], most: f32) -> Option<f32> {
    f32::read(parts).ok().filter(|number| (0.0..=most).contains(number))
}

impl OptionValue for Steepness {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        match write_sum(parts).as_str() {
            "online" => Ok(Steepness::Online),
            _ => number(parts, STEEPEST).map(Steepness::Fixed).ok_or_else(|| Self::kind().to_string()),
        }
    }
    fn write(&self) -> Option<String> {
        match self {
            Steepness::Fixed(k) => k.write(),
            Steepness::Online => Some("online".to_string()),
        }
    }
    fn kind() -> OptionKind {
        let online = OptionWord::new("online", "the k that spreads the bonuses evenly");
        OptionKind::Either(vec![f32::kind().within(0.0, f64::from(STEEPEST)), OptionKind::Words(vec![online])])
    }
}

impl OptionValue for Weight {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        match write_sum(parts).as_str() {
            "online" => Ok(Weight::Online),
            "joint" => Ok(Weight::Joint),
            _ => number(parts, HEAVIEST).map(Weight::Fixed).ok_or_else(|| Self::kind().to_string()),
        }
    }
    fn write(&self) -> Option<String> {
        match self {
            Weight::Fixed(a) => a.write(),
            Weight::Online => Some("online".to_string()),
            Weight::Joint => Some("joint".to_string()),
        }
    }
    fn kind() -> OptionKind {
        let words = vec![
            OptionWord::new("online", "a′ of this bonus alone"),
            OptionWord::new("joint", "a′ of both bonuses from their joint covariance"),
        ];
        OptionKind::Either(vec![f32::kind().within(0.0, f64::from(HEAVIEST)), OptionKind::Words(words)])
    }
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

impl OptionValue for BonusSettings {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        read_brackets(parts, &["rb", "qb"])
    }

    fn write(&self) -> Option<String> {
        Some(write_brackets(self))
    }

    fn kind() -> OptionKind {
        OptionKind::Brackets(Self::options())
    }
}
