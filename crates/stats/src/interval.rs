//! Confidence intervals.

use crate::Moments;

/// The 97.5 % point of the normal distribution: half the width of a 95 % interval in standard errors.
pub const Z95: f64 = 1.959_963_984_540_054;

/// An interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The 95 % interval of a match score in [0, 1] played in pairs with seats swapped.
///
/// `scores` are the mean scores of the pairs. Games of a pair share their seed and seats cancel, so the pair, not
/// the game, is the independent observation. One pair more than there are, won and lost in equal parts, keeps the
/// interval from shrinking to a point when all pairs ended alike (Agresti and Coull's idea).
///
/// ```
/// let interval = spinney_stats::paired_interval(&[0.5, 1.0, 0.5, 0.0]).unwrap();
/// assert!(interval.low < 0.5 && interval.high > 0.5);
/// assert_eq!(spinney_stats::paired_interval(&[]), None);
/// ```
pub fn paired_interval(scores: &[f64]) -> Option<Interval> {
    if scores.is_empty() {
        return None;
    }
    let moments: Moments = scores.iter().copied().collect();
    let count = scores.len() as f64;
    // One imagined win and one imagined loss, each with half the weight of a pair.
    let mean = (moments.mean() * count + 0.5) / (count + 1.0);
    let imagined = 0.5 * ((1.0 - mean).powi(2) + mean.powi(2));
    let spread = moments.variance() + (moments.mean() - mean).powi(2);
    let variance = (spread * count + imagined) / count;
    let margin = Z95 * (variance / (count + 1.0)).sqrt();
    let low = (mean - margin).min(moments.mean()).max(0.0);
    let high = (mean + margin).max(moments.mean()).min(1.0);
    Some(Interval { low, high })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_samples_give_the_normal_interval() {
        let scores: Vec<f64> = (0..10_000).map(|pair| [0.0, 0.5, 0.5, 1.0][pair % 4]).collect();
        let interval = paired_interval(&scores).unwrap();
        // Mean 0.5, standard deviation √(1/8).
        let margin = Z95 * (0.125f64 / 10_000.0).sqrt();
        assert!((interval.high - 0.5 - margin).abs() < 1e-5);
        assert!((0.5 - interval.low - margin).abs() < 1e-5);
    }

    #[test]
    fn a_clean_sweep_still_has_a_width() {
        let interval = paired_interval(&[1.0; 10]).unwrap();
        assert!(interval.low > 0.6 && interval.low < 0.95, "{interval:?}");
        assert_eq!(interval.high, 1.0);
    }
}
