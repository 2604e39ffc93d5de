//! How sure an interval or a test is to be.

use crate::distribution::normal_quantile;

/// A confidence level strictly between 0 and 1, 95 % by default.
///
/// ```
/// use spinney_stats::Confidence;
/// assert_eq!(Confidence::default(), Confidence::NINETY_FIVE);
/// assert!((Confidence::NINETY_FIVE.quantile() - 1.959_963_984_540_054).abs() < 1e-12);
/// assert_eq!(Confidence::new(1.0), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Confidence(f64);

impl Confidence {
    /// 90 %: the interval of a test of equivalence at 5 %.
    pub const NINETY: Self = Self(0.90);
    /// 95 %: what the papers report.
    pub const NINETY_FIVE: Self = Self(0.95);
    /// 99 %.
    pub const NINETY_NINE: Self = Self(0.99);

    /// A level; `None` unless 0 < level < 1.
    pub fn new(level: f64) -> Option<Self> {
        (level > 0.0 && level < 1.0).then_some(Self(level))
    }

    /// The level.
    pub fn level(self) -> f64 {
        self.0
    }

    /// The probability of error, α = 1 − level.
    pub fn error(self) -> f64 {
        1.0 - self.0
    }

    /// Half the width of the two-sided normal interval, in standard errors.
    pub fn quantile(self) -> f64 {
        -normal_quantile(0.5 * self.error())
    }
}

impl Default for Confidence {
    fn default() -> Self {
        Self::NINETY_FIVE
    }
}
