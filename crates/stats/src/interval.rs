//! Confidence intervals of a score in [0, 1] for a number of games fixed beforehand.

use crate::distribution::beta_quantile;
use crate::pairs::smooth;
use crate::{Confidence, Moments, Pentanomial, Trinomial};

/// The 97.5 % point of the normal distribution: half the width of a 95 % interval in standard errors.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Up to so many trials the beta distribution is evaluated; above, its normal approximation is as good.
const MOST_EXACT_TRIALS: u64 = 20_000;

/// An interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// From `centre` − `margin` to `centre` + `margin`.
    pub fn around(centre: f64, margin: f64) -> Self {
        Self { low: centre - margin, high: centre + margin }
    }

    /// Whether `value` lies in the interval, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Half the distance of the ends: what papers write behind ±.
    pub fn half_width(&self) -> f64 {
        0.5 * (self.high - self.low)
    }

    /// The part in [0, 1].
    fn within_scores(self) -> Self {
        Self { low: self.low.clamp(0.0, 1.0), high: self.high.clamp(0.0, 1.0) }
    }
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
    Some(smoothed_interval(moments.mean(), moments.variance(), scores.len() as f64, Z95))
}

/// The interval of a match score from its counted pairs: [`paired_interval`] at any level.
///
/// ```
/// use spinney_stats::{Confidence, Pentanomial, paired_interval, pentanomial_interval};
/// let scores = [0.5, 1.0, 0.75, 0.0];
/// let pairs = Pentanomial::from_scores(&scores).unwrap();
/// let interval = pentanomial_interval(&pairs, Confidence::NINETY_FIVE).unwrap();
/// assert!((interval.low - paired_interval(&scores).unwrap().low).abs() < 1e-12);
/// ```
pub fn pentanomial_interval(pairs: &Pentanomial, confidence: Confidence) -> Option<Interval> {
    Some(smoothed_interval(pairs.score()?, pairs.variance()?, pairs.pairs() as f64, confidence.quantile()))
}

/// The normal interval around the mean smoothed by an imagined pair, stretched to contain the mean itself.
fn smoothed_interval(mean: f64, variance: f64, count: f64, quantile: f64) -> Interval {
    let (centre, error) = smooth(mean, variance, count);
    let margin = quantile * error;
    let low = (centre - margin).min(mean).max(0.0);
    let high = (centre + margin).max(mean).min(1.0);
    Interval { low, high }
}

/// Half the width of the papers' interval: z·s/√n, with s the population standard deviation of the scores of games.
///
/// It takes games as independent, and is 0 when all ended alike.
///
/// ```
/// use spinney_stats::{Confidence, Trinomial, independent_margin};
/// // 500 of 1000 games: ±3.1 %.
/// let games = Trinomial { losses: 500, draws: 0, wins: 500 };
/// let margin = independent_margin(&games, Confidence::NINETY_FIVE).unwrap();
/// assert!((margin - 0.031).abs() < 1e-4);
/// ```
pub fn independent_margin(games: &Trinomial, confidence: Confidence) -> Option<f64> {
    let error = (games.variance()? / games.games() as f64).sqrt();
    Some(confidence.quantile() * error)
}

/// The papers' interval (Wald): the score ± [`independent_margin`], cut off at 0 and 1.
pub fn independent_interval(games: &Trinomial, confidence: Confidence) -> Option<Interval> {
    Some(Interval::around(games.score()?, independent_margin(games, confidence)?).within_scores())
}

/// The interval of a proportion by Wilson (1927): all values that the score test does not reject.
///
/// `points` may hold halves for draws, which makes the interval wider than it need be. `None` without trials or with
/// points outside [0, trials].
///
/// ```
/// use spinney_stats::{Confidence, wilson_interval};
/// let interval = wilson_interval(81.0, 263, Confidence::NINETY_FIVE).unwrap();
/// assert!((interval.low - 0.2553).abs() < 1e-4 && (interval.high - 0.3662).abs() < 1e-4);
/// ```
pub fn wilson_interval(points: f64, trials: u64, confidence: Confidence) -> Option<Interval> {
    let count = trials as f64;
    if trials == 0 || !(0.0..=count).contains(&points) {
        return None;
    }
    let share = points / count;
    let square = confidence.quantile().powi(2);
    let centre = (share + square / (2.0 * count)) / (1.0 + square / count);
    let spread = share * (1.0 - share) / count + square / (4.0 * count * count);
    let margin = (square * spread).sqrt() / (1.0 + square / count);
    let Interval { low, high } = Interval::around(centre, margin).within_scores();
    // Exact at the ends, where rounding would leave a trace.
    Some(Interval { low: low.min(share), high: high.max(share) })
}

/// The exact interval of a proportion by Clopper and Pearson (1934): it never covers less than it promises.
///
/// `None` without trials or with more successes than trials. Above 20 000 trials the ends come from Wilson's interval
/// with continuity correction (Newcombe, 1998), which then agrees to about 10⁻⁵.
///
/// ```
/// use spinney_stats::{Confidence, exact_interval};
/// let interval = exact_interval(10, 10, Confidence::NINETY_FIVE).unwrap();
/// assert!((interval.low - 0.6915).abs() < 1e-4);
/// assert_eq!(interval.high, 1.0);
/// ```
pub fn exact_interval(successes: u64, trials: u64, confidence: Confidence) -> Option<Interval> {
    if trials == 0 || successes > trials {
        return None;
    }
    let tail = 0.5 * confidence.error();
    let bounded = if trials > MOST_EXACT_TRIALS { corrected_lower } else { exact_lower };
    let low = bounded(successes, trials, tail, confidence);
    let high = 1.0 - bounded(trials - successes, trials, tail, confidence);
    Some(Interval { low, high })
}

/// The proportion under which `successes` or more have the probability `tail`.
fn exact_lower(successes: u64, trials: u64, tail: f64, _: Confidence) -> f64 {
    if successes == 0 {
        return 0.0;
    }
    if successes == trials {
        return tail.powf(1.0 / trials as f64);
    }
    beta_quantile(tail, successes as f64, (trials - successes) as f64 + 1.0)
}

/// Lower end of Wilson's interval for half a success less.
fn corrected_lower(successes: u64, trials: u64, tail: f64, confidence: Confidence) -> f64 {
    if successes == 0 || successes == trials {
        return exact_lower(successes, trials, tail, confidence);
    }
    wilson_interval(successes as f64 - 0.5, trials, confidence).map_or(0.0, |interval| interval.low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(interval: Option<Interval>, low: f64, high: f64, tolerance: f64) {
        let interval = interval.unwrap();
        assert!((interval.low - low).abs() < tolerance && (interval.high - high).abs() < tolerance, "{interval:?}");
    }

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

    #[test]
    fn wilson_as_in_newcombe() {
        // Newcombe (1998), Statistics in Medicine 17, table I, method 3.
        close(wilson_interval(81.0, 263, Confidence::NINETY_FIVE), 0.2553, 0.3662, 5e-5);
        close(wilson_interval(15.0, 148, Confidence::NINETY_FIVE), 0.0624, 0.1605, 5e-5);
        close(wilson_interval(0.0, 20, Confidence::NINETY_FIVE), 0.0, 0.1611, 5e-5);
        close(wilson_interval(1.0, 29, Confidence::NINETY_FIVE), 0.0061, 0.1718, 5e-5);
    }

    #[test]
    fn exact_as_in_newcombe_and_statsmodels() {
        // Newcombe (1998), table I, method 5.
        close(exact_interval(81, 263, Confidence::NINETY_FIVE), 0.2527, 0.3676, 5e-5);
        close(exact_interval(15, 148, Confidence::NINETY_FIVE), 0.0578, 0.1617, 5e-5);
        close(exact_interval(0, 20, Confidence::NINETY_FIVE), 0.0, 0.1684, 5e-5);
        close(exact_interval(1, 29, Confidence::NINETY_FIVE), 0.0009, 0.1776, 5e-5);
        // statsmodels 0.15.0: proportion_confint(method="beta").
        close(exact_interval(550, 1000, Confidence::NINETY_FIVE), 0.5185565333765934, 0.5811482903200492, 1e-9);
        close(exact_interval(19000, 20000, Confidence::NINETY_FIVE), 0.9468884320586088, 0.9529799095357588, 1e-9);
        close(exact_interval(10000, 20000, Confidence::NINETY_FIVE), 0.4930459038418244, 0.5069540961581755, 1e-9);
        close(exact_interval(50000, 100000, Confidence::NINETY_FIVE), 0.4968960624918004, 0.5031039375081996, 1e-7);
        close(exact_interval(3, 100000, Confidence::NINETY_FIVE), 6.186763958922033e-06, 8.7670202566362e-05, 1e-5);
    }

    #[test]
    fn the_papers_interval() {
        // 574 wins, 26 draws, 400 losses: NumPy 2.4.6: 1.96 · std / √n.
        let games = Trinomial { losses: 400, draws: 26, wins: 574 };
        close(independent_interval(&games, Confidence::NINETY_FIVE), 0.587 - 0.030_105_7, 0.587 + 0.030_105_7, 1e-6);
        let swept = Trinomial { losses: 0, draws: 0, wins: 9 };
        assert_eq!(independent_margin(&swept, Confidence::NINETY_FIVE), Some(0.0));
    }

    #[test]
    fn the_paired_interval_covers() {
        // Exact coverage over all outcomes of 30 pairs of two games without draws, each won with probability p.
        for p in [0.5, 0.6, 0.75, 0.9, 0.97f64] {
            let (two, one, none) = (p * p, 2.0 * p * (1.0 - p), (1.0 - p) * (1.0 - p));
            let mut covered = 0.0;
            for wins in 0..=30u64 {
                for splits in 0..=30 - wins {
                    let counts = [30 - wins - splits, 0, splits, 0, wins];
                    let interval = pentanomial_interval(&Pentanomial { counts }, Confidence::NINETY_FIVE).unwrap();
                    if interval.contains(p) {
                        let ways = logarithm_of_factorial(30)
                            - counts.iter().map(|&count| logarithm_of_factorial(count)).sum::<f64>();
                        let chance =
                            ways + wins as f64 * two.ln() + splits as f64 * one.ln() + counts[0] as f64 * none.ln();
                        covered += chance.exp();
                    }
                }
            }
            assert!(covered > 0.94, "{p}: {covered}");
        }
    }

    fn logarithm_of_factorial(number: u64) -> f64 {
        (1..=number).map(|factor| (factor as f64).ln()).sum()
    }

    proptest! {
        #[test]
        fn any_counts_have_an_ordered_interval(counts: [u64; 5], level in 0.001f64..0.9999) {
            let confidence = Confidence::new(level).unwrap();
            let [losses, draws, wins, ..] = counts;
            let games = Trinomial { losses, draws, wins };
            let trials = losses.saturating_add(wins);
            for interval in [
                pentanomial_interval(&Pentanomial { counts }, confidence),
                independent_interval(&games, confidence),
                wilson_interval(wins as f64, trials, confidence),
                exact_interval(wins, trials, confidence),
            ].into_iter().flatten() {
                prop_assert!(0.0 <= interval.low && interval.low <= interval.high && interval.high <= 1.0);
            }
        }

        #[test]
        fn small_counts_have_an_interval_with_the_score_inside(
            counts in proptest::array::uniform5(0u64..4),
            level in 0.5f64..0.9999,
        ) {
            let confidence = Confidence::new(level).unwrap();
            let pairs = Pentanomial { counts };
            prop_assert_eq!(pentanomial_interval(&pairs, confidence).is_some(), pairs.pairs() > 0);
            if let Some(score) = pairs.score() {
                prop_assert!(pentanomial_interval(&pairs, confidence).unwrap().contains(score));
            }
            let (wins, trials) = (counts[0], counts[0] + counts[1]);
            if trials > 0 {
                let share = wins as f64 / trials as f64;
                prop_assert!(wilson_interval(wins as f64, trials, confidence).unwrap().contains(share));
                prop_assert!(exact_interval(wins, trials, confidence).unwrap().contains(share));
            }
        }
    }
}
