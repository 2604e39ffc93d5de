//! The formulas of the bonuses, each on its own (Pepels, Tak, Lanctot and Winands, ECAI 2014, section 4).

use spinney_core::Moments;
#[cfg(not(feature = "std"))]
use spinney_core::arithmetic::Rounded as _;
use spinney_core::arithmetic::exp_of_all;

/// λ of the Relative Bonus: how many deviations a simulation of length d is shorter than the mean of its winner's
/// simulations. `None` while these do not vary.
///
/// ```
/// use spinney_search::reward::bonus::shorter;
/// let lengths = [10.0, 14.0].into_iter().collect();
/// assert_eq!(shorter(8.0, &lengths), Some(2.0));
/// ```
#[inline]
pub fn shorter(length: f64, lengths: &Moments) -> Option<f64> {
    better(length, lengths).map(|lambda| -lambda)
}

/// λ of the Qualitative Bonus: how many deviations the quality q of a final position is above the mean of its
/// winner's. `None` while these do not vary.
#[inline]
pub fn better(quality: f64, qualities: &Moments) -> Option<f64> {
    let variance = qualities.variance();
    (variance > 0.0).then(|| (quality - qualities.mean()) / variance.sqrt())
}

/// b = −1 + 2 / (1 + e^−x), from −1 to 1.
///
/// ```
/// use spinney_search::reward::bonus::sigmoid;
/// assert_eq!(sigmoid(0.0), 0.0);
/// assert!((sigmoid(2.0) - 1f64.tanh()).abs() < 1e-10);
/// ```
#[inline]
pub fn sigmoid(x: f64) -> f64 {
    sigmoid_of_all([x])[0]
}

/// [`sigmoid`] of several numbers at once.
#[inline]
pub fn sigmoid_of_all<const N: usize>(x: [f64; N]) -> [f64; N] {
    exp_of_all(x.map(|x| -x)).map(|power| 2.0 / (1.0 + power) - 1.0)
}

/// The published engine's value for a sigmoid of x: beyond ±10 its look-up table answered with the wrong sign.
#[inline]
pub fn sigmoid_of_2014(x: f64, sigmoid: f64) -> f64 {
    if x.abs() > 10.0 { -x.signum() } else { sigmoid }
}

/// r + sgn(r) a b.
///
/// ```
/// use spinney_search::reward::bonus::altered;
/// assert_eq!(altered(-1.0, 0.25, 0.5), -1.125);
/// assert_eq!(altered(0.0, 0.25, 0.5), 0.0);
/// ```
#[inline]
pub fn altered(reward: f64, a: f64, b: f64) -> f64 {
    reward + sign(reward) * (a * b)
}

/// −1, 0 or 1.
#[inline]
pub fn sign(reward: f64) -> f64 {
    f64::from(i8::from(reward > 0.0) - i8::from(reward < 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_short_win_and_a_good_win_are_above_the_mean() {
        let moments: Moments = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().collect();
        assert_eq!(shorter(3.0, &moments), Some(1.0));
        assert_eq!(better(9.0, &moments), Some(2.0));
        assert_eq!(better(9.0, &[3.0, 3.0].into_iter().collect()), None);
        assert_eq!(better(9.0, &Moments::default()), None);
    }

    #[test]
    fn the_engine_of_2014_turned_large_bonuses_round() {
        let of_2014 = |x| sigmoid_of_2014(x, sigmoid(x));
        assert_eq!(of_2014(9.9), sigmoid(9.9));
        assert_eq!((of_2014(10.1), of_2014(-10.1)), (-1.0, 1.0));
        assert!(sigmoid(10.1) > 0.99 && sigmoid(-10.1) < -0.99);
    }

    proptest! {
        #[test]
        fn the_sigmoid_is_odd_and_bounded(x in -1e3f64..1e3) {
            prop_assert!((sigmoid(x) + sigmoid(-x)).abs() < 1e-9);
            prop_assert!(sigmoid(x).abs() <= 1.0);
        }

        /// A sample that is symmetric about its mean has bonuses of mean zero.
        #[test]
        fn bonuses_of_a_symmetric_sample_cancel(half in prop::collection::vec(0.1f64..50.0, 2..40), k in 0.1f64..10.0) {
            let sample: Vec<f64> = half.iter().flat_map(|x| [100.0 + x, 100.0 - x]).collect();
            let moments: Moments = sample.iter().copied().collect();
            let sum: f64 = sample.iter().filter_map(|&x| shorter(x, &moments)).map(|lambda| sigmoid(k * lambda)).sum();
            prop_assert!((sum / sample.len() as f64).abs() < 1e-6);
        }

        /// λ does not see the unit in which quality is measured.
        #[test]
        fn a_positive_factor_changes_nothing(
            sample in prop::collection::vec(-5.0f64..5.0, 3..40), q in -5.0f64..5.0, power in -8i32..8,
        ) {
            // Powers of two scale exactly, so that the results are equal to the last bit.
            let factor = 2f64.powi(power);
            let plain: Moments = sample.iter().copied().collect();
            let scaled: Moments = sample.iter().map(|x| x * factor).collect();
            prop_assert_eq!(better(q, &plain), better(q * factor, &scaled));
        }

        #[test]
        fn without_a_nothing_is_altered(reward in -1.0f32..1.0, b in -1.0f64..1.0) {
            prop_assert_eq!(altered(f64::from(reward), 0.0, b) as f32, reward);
        }
    }
}
