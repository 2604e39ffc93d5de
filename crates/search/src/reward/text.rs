//! The options of rewards as text.

use super::{BonusSettings, Steepness, Weight};
use spinney_core::expression::{Expression, write_sum};
use spinney_core::options::{OptionKind, OptionValue, OptionWord, read_brackets, write_brackets};

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
