//! How many pairs show how small a difference.

use crate::Confidence;
use crate::distribution::{normal_cdf, normal_quantile};

/// Per-pair standard deviation of fair games without draws whose seats do not matter: √(½·½/2).
///
/// A guess for planning; games that the first player usually wins have less, correlated ones more, at most ½.
pub const FAIR_PAIR_DEVIATION: f64 = 0.353_553_390_593_273_8;

/// What a match is to achieve: a two-sided test that finds a true difference with the given power.
///
/// All formulas are the normal ones (Cohen, 1988); they leave out the chance to err on the wrong side.
///
/// ```
/// use spinney_stats::{Design, FAIR_PAIR_DEVIATION};
/// let design = Design::default(); // 80 % power, two-sided 5 %
/// assert_eq!(design.pairs_for(0.025, FAIR_PAIR_DEVIATION), Some(1570));
/// let effect = design.detectable_effect(1570, FAIR_PAIR_DEVIATION).unwrap();
/// assert!(effect <= 0.025 && effect > 0.02498);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Design {
    confidence: Confidence,
    power: f64,
}

impl Default for Design {
    fn default() -> Self {
        Self { confidence: Confidence::NINETY_FIVE, power: 0.8 }
    }
}

impl Design {
    /// A design; `None` unless the power is below 1 and at least the chance of a false alarm.
    pub fn new(confidence: Confidence, power: f64) -> Option<Self> {
        (power >= confidence.error() && power < 1.0).then_some(Self { confidence, power })
    }

    /// The distance in standard errors that is found with the wanted power.
    fn distance(&self) -> f64 {
        self.confidence.quantile() + normal_quantile(self.power)
    }

    /// The smallest true difference of scores that `pairs` pairs detect.
    ///
    /// `deviation` is the standard deviation of the score of a pair. `None` without pairs or a valid deviation.
    pub fn detectable_effect(&self, pairs: u64, deviation: f64) -> Option<f64> {
        (pairs > 0 && valid(deviation)).then(|| self.distance() * deviation / (pairs as f64).sqrt())
    }

    /// The smallest number of pairs, at least 2, that detects a true difference of `effect`.
    ///
    /// `None` if the effect is 0 or no number. A number too large for the type becomes the largest of it.
    pub fn pairs_for(&self, effect: f64, deviation: f64) -> Option<u64> {
        if !valid(deviation) || !effect.is_finite() || effect == 0.0 {
            return None;
        }
        // A millionth of a pair is rounding, not a reason to play one more.
        let pairs = (self.distance() * deviation / effect.abs()).powi(2) - 1e-6;
        Some((pairs.ceil() as u64).max(2))
    }

    /// The power with which `pairs` pairs detect a true difference of `effect`.
    pub fn power_for(&self, effect: f64, pairs: u64, deviation: f64) -> Option<f64> {
        if pairs == 0 || !valid(deviation) || !effect.is_finite() {
            return None;
        }
        let error = deviation / (pairs as f64).sqrt();
        let distance = if effect == 0.0 { 0.0 } else { effect.abs() / error };
        Some(normal_cdf(distance - self.confidence.quantile()))
    }
}

fn valid(deviation: f64) -> bool {
    deviation.is_finite() && deviation >= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn statsmodels_has_the_same_sizes() {
        // statsmodels 0.15.0: NormalIndPower().solve_power(effect/deviation, alpha=0.05, power=…, ratio=0).
        let cases = [
            (0.025, 0.8, 1569.7721019023286),
            (0.05, 0.8, 392.44302325778847),
            (0.05, 0.9, 525.3709705479278),
            (0.01, 0.95, 16243.386368362808),
            (0.2, 0.5, 12.003198343709771),
        ];
        for (effect, power, pairs) in cases {
            let design = Design::new(Confidence::NINETY_FIVE, power).unwrap();
            let ours = design.pairs_for(effect, FAIR_PAIR_DEVIATION).unwrap();
            assert_eq!(ours, f64::ceil(pairs) as u64, "{effect} {power}");
        }
    }

    #[test]
    fn impossible_designs() {
        assert_eq!(Design::new(Confidence::NINETY_FIVE, 1.0), None);
        assert_eq!(Design::new(Confidence::NINETY_FIVE, 0.01), None);
        let design = Design::default();
        assert_eq!(design.pairs_for(0.0, 0.3), None);
        assert_eq!(design.pairs_for(0.1, 0.0), Some(2));
        assert_eq!(design.pairs_for(1e-300, 0.3), Some(u64::MAX));
        assert_eq!(design.detectable_effect(0, 0.3), None);
        assert_eq!(design.power_for(0.1, 10, 0.0), Some(1.0));
    }

    proptest! {
        #[test]
        fn size_and_effect_are_inverse(pairs in 2u64..10_000_000, deviation in 0.01f64..0.5, power in 0.1f64..0.99) {
            let design = Design::new(Confidence::NINETY_FIVE, power).unwrap();
            let effect = design.detectable_effect(pairs, deviation).unwrap();
            prop_assert_eq!(design.pairs_for(effect, deviation), Some(pairs));
            prop_assert!((design.power_for(effect, pairs, deviation).unwrap() - power).abs() < 1e-9);
        }

        #[test]
        fn any_arguments_have_an_answer(effect: f64, pairs: u64, deviation: f64) {
            let design = Design::default();
            prop_assert!(design.power_for(effect, pairs, deviation).is_none_or(|power| (0.0..=1.0).contains(&power)));
            prop_assert!(design.detectable_effect(pairs, deviation).is_none_or(|effect| effect >= 0.0));
            prop_assert!(design.pairs_for(effect, deviation).is_none_or(|pairs| pairs >= 2));
        }
    }
}
