//! The options of rewards: `rb(k=…, a=…)`, `qb(k=…, a=…)` and what replaces the reward.

use spinney_core::expression::{Argument, Expression, write_sum};
use spinney_core::options::OptionValue;
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
pub enum Weight {
    /// This a.
    Fixed(f32),
    /// a′ of this bonus alone.
    Online,
    /// a′ of both bonuses from their joint covariance.
    Joint,
}

fn number(parts: &[Expression], most: f32) -> Option<f32> {
    f32::read(parts).ok().filter(|number| (0.0..=most).contains(number))
}

impl OptionValue for Steepness {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        match write_sum(parts).as_str() {
            "online" => Ok(Steepness::Online),
            _ => number(parts, 100.0).map(Steepness::Fixed).ok_or_else(Self::kind),
        }
    }
    fn write(&self) -> Option<String> {
        match self {
            Steepness::Fixed(k) => k.write(),
            Steepness::Online => Some("online".to_string()),
        }
    }
    fn kind() -> String {
        "a number from 0 to 100, or online".to_string()
    }
}

impl OptionValue for Weight {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        match write_sum(parts).as_str() {
            "online" => Ok(Weight::Online),
            "joint" => Ok(Weight::Joint),
            _ => number(parts, 10.0).map(Weight::Fixed).ok_or_else(Self::kind),
        }
    }
    fn write(&self) -> Option<String> {
        match self {
            Weight::Fixed(a) => a.write(),
            Weight::Online => Some("online".to_string()),
            Weight::Joint => Some("joint".to_string()),
        }
    }
    fn kind() -> String {
        "a number from 0 to 10, online, or joint".to_string()
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
        match parts {
            [] => Ok(Self::default()),
            [one] if ["", "on", "rb", "qb"].contains(&one.name.as_str()) => {
                Self::read(one).map_err(|error| format!("{} ({error})", Self::kind()))
            }
            _ => Err(Self::kind()),
        }
    }

    fn write(&self) -> Option<String> {
        let defaults = Self::write(&Self::default());
        let arguments: Vec<String> = Self::write(self)
            .into_iter()
            .filter(|option| !defaults.contains(option))
            .map(|(key, value)| Argument {
                key: key.to_string(),
                value: vec![Expression { name: value, arguments: Vec::new() }],
            })
            .map(|argument| argument.to_string())
            .collect();
        Some(if arguments.is_empty() { "on".to_string() } else { format!("({})", arguments.join(", ")) })
    }

    fn kind() -> String {
        "nothing, or options in brackets: (k=…, a=…, mean=…)".to_string()
    }
}
