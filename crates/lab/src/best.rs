//! The best of many settings, with statements that hold although it was chosen for being the best.
//!
//! The interval of the best is one of intervals that hold for all settings at once (Bonferroni), so that it also holds
//! for the one that was picked. A setting cannot be the best if it is below the best by more than the comparison with
//! each of the others allows (Hsu, "Constrained simultaneous confidence intervals for multiple comparisons with the
//! best", 1984, with Bonferroni's bound for the critical value); differences have the interval of Zou and Donner
//! (2008), which is made of those of the two scores and therefore never surer than they are.

use spinney_stats::{Confidence, Interval, Pentanomial, pentanomial_interval};

/// The best of several settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// Which one.
    pub index: usize,
    /// How many were tried.
    pub tried: usize,
    /// Its score.
    pub score: f64,
    /// An interval of the score that is one of `tried` which hold together with 95 %.
    pub interval: Interval,
    /// The others that cannot be the best.
    pub ruled_out: Vec<usize>,
}

/// One value of a parameter, averaged over the settings that have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The mean of their scores.
    pub score: f64,
    /// An interval that holds for all values of the parameter at once with 95 %.
    pub interval: Interval,
    /// Whether no other value is clearly better.
    pub may_be_best: bool,
}

/// How often a statement about all settings may be wrong.
const ERROR: f64 = 0.05;

/// The level of two-sided intervals of which `count` hold together.
fn for_all(count: usize) -> Confidence {
    Confidence::new(1.0 - ERROR / count.max(1) as f64).unwrap_or(Confidence::NINETY_FIVE)
}

/// The level of two-sided intervals whose upper ends, or lower ones, hold together for the others of `count`.
fn one_sided(count: usize) -> Confidence {
    Confidence::new(1.0 - 2.0 * ERROR / count.saturating_sub(1).max(1) as f64).unwrap_or(Confidence::NINETY_FIVE)
}

/// Whether a score is above another for sure.
fn is_above((high, of_high): (f64, Interval), (low, of_low): (f64, Interval)) -> bool {
    high - low > (high - of_high.low).hypot(of_low.high - low)
}

/// The setting with the highest score; `None` if no pair was played. Settings without pairs were not tried.
///
/// ```
/// use spinney_lab::best::best;
/// use spinney_stats::Pentanomial;
/// let [weak, strong] = [[60, 0, 40, 0, 0], [0, 0, 40, 0, 60]].map(|counts| Pentanomial { counts });
/// let found = best(&[weak, strong, Pentanomial::default()]).unwrap();
/// assert_eq!((found.index, found.tried, found.ruled_out), (1, 2, vec![0]));
/// ```
pub fn best(settings: &[Pentanomial]) -> Option<Best> {
    let tried: Vec<(usize, f64)> =
        settings.iter().enumerate().filter_map(|(index, pairs)| Some((index, pairs.score()?))).collect();
    let count = tried.len();
    let first = |best: (usize, f64), one: &(usize, f64)| if one.1 > best.1 { *one } else { best };
    let (index, score) = tried.iter().fold(*tried.first()?, first);
    let interval = |index: usize, confidence| pentanomial_interval(&settings[index], confidence);
    let level = one_sided(count);
    let own = (score, interval(index, level)?);
    let is_ruled_out = |&(other, score): &(usize, f64)| {
        other != index && interval(other, level).is_some_and(|interval| is_above(own, (score, interval)))
    };
    let ruled_out = tried.iter().copied().filter(is_ruled_out).map(|(other, _)| other).collect();
    Some(Best { index, tried: count, score, interval: interval(index, for_all(count))?, ruled_out })
}

/// Each value of a parameter over the settings that have it; `None` for one without pairs.
pub fn values(groups: &[Vec<Pentanomial>]) -> Vec<Option<Value>> {
    let means: Vec<Option<(f64, f64)>> = groups.iter().map(|group| mean(group)).collect();
    let known: Vec<(f64, f64)> = means.iter().flatten().copied().collect();
    let around = |(score, error): (f64, f64), confidence: Confidence| {
        let Interval { low, high } = Interval::around(score, confidence.quantile() * error);
        Interval { low: low.max(0.0), high: high.min(1.0) }
    };
    let level = one_sided(known.len());
    let bounded = |mean: (f64, f64)| (mean.0, around(mean, level));
    let value = |mean: (f64, f64)| Value {
        score: mean.0,
        interval: around(mean, for_all(known.len())),
        may_be_best: !known.iter().any(|other| is_above(bounded(*other), bounded(mean))),
    };
    means.into_iter().map(|mean| mean.map(value)).collect()
}

/// The mean of the scores of settings, each counting the same, and its standard error.
fn mean(group: &[Pentanomial]) -> Option<(f64, f64)> {
    // The smoothed interval keeps settings whose pairs all ended alike from being sure.
    let one = |pairs: &Pentanomial| {
        let level = Confidence::NINETY_FIVE;
        Some((pairs.score()?, pentanomial_interval(pairs, level)?.half_width() / level.quantile()))
    };
    let known: Vec<(f64, f64)> = group.iter().filter_map(one).collect();
    let count = known.len() as f64;
    let score = known.iter().map(|(score, _)| score).sum::<f64>() / count;
    let error = known.iter().map(|(_, error)| error * error).sum::<f64>().sqrt() / count;
    (count > 0.0).then_some((score, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_core::{Random, Seed};

    /// Standard error 0.0354 for 100 pairs of which half are shared: 1.96 of it is the usual 95 % interval.
    #[test]
    fn the_interval_of_the_best_is_wider_the_more_were_tried() {
        let even = Pentanomial { counts: [25, 0, 50, 0, 25] };
        let width = |count: usize| best(&vec![even; count]).unwrap().interval.half_width();
        assert!((width(1) - 0.0693).abs() < 0.001, "{}", width(1));
        // The quantile of 1 − 0.05 / 27 is 3.114.
        assert!((width(27) / width(1) - 3.114 / 1.960).abs() < 0.001);
        assert!(best(&vec![even; 27]).unwrap().ruled_out.is_empty());
        assert_eq!(best(&[Pentanomial::default()]), None);
    }

    #[test]
    fn what_is_clearly_worse_is_ruled_out() {
        let settings = [[25, 0, 50, 0, 25], [10, 0, 50, 0, 40], [12, 0, 50, 0, 38]];
        let settings = settings.map(|counts| Pentanomial { counts });
        // 65 against 63 % and 50 %; errors of about 3.2 to 3.5 points and a one-sided quantile of 1.960: 9.3 points.
        let found = best(&settings).unwrap();
        assert_eq!((found.index, found.ruled_out), (1, vec![0]));
        assert!((found.score - 0.65).abs() < 1e-9);
    }

    #[test]
    fn values_are_averaged_over_the_other_axes() {
        let [low, middle, high] =
            [[40, 0, 50, 0, 10], [25, 0, 50, 0, 25], [10, 0, 50, 0, 40]].map(|counts| Pentanomial { counts });
        let found = values(&[vec![low, middle], vec![middle, high], vec![], vec![high, high]]);
        assert!(found[2].is_none());
        let scores: Vec<f64> = found.iter().flatten().map(|value| value.score).collect();
        assert_eq!(scores.iter().map(|score| (1000.0 * score).round()).collect::<Vec<_>>(), [425.0, 575.0, 650.0]);
        // Errors of 2.3 to 2.5 points and a one-sided quantile of 1.960: 6.6 points are enough, and 7.5 are between
        // them.
        assert_eq!(found.iter().flatten().map(|value| value.may_be_best).collect::<Vec<_>>(), [false, false, true]);
        // Two settings of 100 pairs are as sure as one of 200.
        let (one, two) = (values(&[vec![middle]])[0].unwrap(), values(&[vec![middle; 2]])[0].unwrap());
        let ratio = one.interval.half_width() / two.interval.half_width();
        assert!((ratio - 2f64.sqrt()).abs() < 0.01, "{ratio}");
    }

    /// Of twenty settings that are all worth 50 %, the best looks better than that; the interval knows.
    #[test]
    fn a_lucky_setting_is_not_taken_for_a_good_one() {
        let mut random = Random::new(Seed::new(17));
        let (mut alarms, mut plain_alarms, mut lost) = (0, 0, 0);
        const EXPERIMENTS: usize = 500;
        for _ in 0..EXPERIMENTS {
            let mut settings = [Pentanomial::default(); 20];
            for pairs in &mut settings {
                (0..100).for_each(|_| pairs.counts[[0, 2, 2, 4][random.below(4) as usize]] += 1);
            }
            let found = best(&settings).unwrap();
            let plain = pentanomial_interval(&settings[found.index], Confidence::NINETY_FIVE).unwrap();
            alarms += usize::from(!found.interval.contains(0.5));
            plain_alarms += usize::from(!plain.contains(0.5));
            // Setting 0 is as good as any: it is a mistake to rule it out.
            lost += usize::from(found.ruled_out.contains(&0));
        }
        assert!(alarms < EXPERIMENTS * 8 / 100, "{alarms} of {EXPERIMENTS}");
        assert!(plain_alarms > EXPERIMENTS / 4, "{plain_alarms} of {EXPERIMENTS}");
        assert!(lost < EXPERIMENTS * 8 / 100, "{lost} of {EXPERIMENTS}");
    }
}
