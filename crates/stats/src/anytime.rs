//! Looking at a running mean as often as one likes: a confidence sequence.

use crate::{Confidence, Interval};

/// The interval's ends lie on a grid of this many steps.
const STEPS: usize = 1_000;

/// A bet may lose this part of the capital at most.
const LARGEST_STAKE: f64 = 0.5;

/// Intervals of the mean of observations in [0, 1] that all hold at once, at every moment.
///
/// An ordinary interval holds at one number of games chosen beforehand; looking at it after every pair and stopping
/// when it excludes ½ finds differences where there are none. These intervals may be looked at and acted upon at any
/// time: with the probability of the confidence level the mean is in all of them. They are 1.5 to 2 times as wide.
///
/// It is the hedged capital process of Waudby-Smith and Ramdas (2024, "Estimating means of bounded random variables by
/// betting", with their predictable plug-in bets): against each candidate mean one gambler bets on larger and one on
/// smaller observations. Bets on the true mean are fair, so the chance that a capital ever grows to 2/α is
/// at most α/2 (Ville, 1939); candidates at which one did are excluded. The capital of either gambler is monotone in
/// the candidate, so that ends taken from a grid of 0.001 err on the wide side.
///
/// ```
/// use spinney_stats::{Confidence, ConfidenceSequence};
/// let mut sequence = ConfidenceSequence::new(Confidence::NINETY_FIVE);
/// assert_eq!((sequence.interval().low, sequence.interval().high), (0.0, 1.0));
/// (0..12).for_each(|_| sequence.add(1.0));
/// assert!(sequence.interval().low > 0.5);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ConfidenceSequence {
    stakes: Stakes,
    /// Capital of who bets on larger and on smaller observations, per candidate.
    on_larger: Vec<f64>,
    on_smaller: Vec<f64>,
    /// The candidates that are left lie between these.
    low: usize,
    high: usize,
    /// Capitals at ½, which are followed also after it has been excluded, and the largest of them so far.
    at_half: [f64; 2],
    richest_at_half: f64,
}

impl ConfidenceSequence {
    /// A sequence that has seen nothing: [0, 1].
    pub fn new(confidence: Confidence) -> Self {
        Self {
            stakes: Stakes::new(confidence),
            on_larger: vec![1.0; STEPS + 1],
            on_smaller: vec![1.0; STEPS + 1],
            low: 0,
            high: STEPS,
            at_half: [1.0; 2],
            richest_at_half: 1.0,
        }
    }

    /// Adds an observation; one outside [0, 1] counts as the nearest end, NaN is left out.
    pub fn add(&mut self, value: f64) {
        if value.is_nan() {
            return;
        }
        let value = value.clamp(0.0, 1.0);
        self.bet(value);
        self.stakes.add(value);
    }

    /// How many observations there were.
    pub fn count(&self) -> u64 {
        self.stakes.count
    }

    /// The interval: within all former ones.
    ///
    /// Should the observations exclude every mean (as those of a drifting quantity may), it shrinks to a point.
    pub fn interval(&self) -> Interval {
        Interval { low: candidate(self.low), high: candidate(self.high) }
    }

    /// The p-value of the mean ½, valid whenever one stops: 2 over the largest capital that anybody had who bet
    /// against it (Ville, 1939). It never grows, and is at most α once the interval excludes ½.
    pub fn p_value(&self) -> f64 {
        (2.0 / self.richest_at_half).min(1.0)
    }

    /// Pays out the bets on an observation and excludes the candidates at which a gambler became rich.
    fn bet(&mut self, value: f64) {
        let stake = self.stakes.next();
        let rich = self.stakes.rich();
        let (first, last) = (self.low, self.high);
        let on_larger = &mut self.on_larger[first..=last];
        let on_smaller = &mut self.on_smaller[first..=last];
        for ((place, larger), smaller) in (first..).zip(on_larger.iter_mut()).zip(on_smaller.iter_mut()) {
            let mean = candidate(place);
            let gain = value - mean;
            *larger *= 1.0 + on_larger_stake(stake, mean) * gain;
            *smaller *= 1.0 - on_smaller_stake(stake, mean) * gain;
        }
        self.at_half[0] *= 1.0 + on_larger_stake(stake, 0.5) * (value - 0.5);
        self.at_half[1] *= 1.0 - on_smaller_stake(stake, 0.5) * (value - 0.5);
        self.richest_at_half = self.at_half.iter().copied().fold(self.richest_at_half, f64::max);
        // Capital falls from candidate to candidate for the one, and grows for the other.
        let too_low = on_larger.iter().take_while(|&&capital| capital >= rich).count();
        let too_high = on_smaller.iter().rev().take_while(|&&capital| capital >= rich).count();
        self.low = (first + too_low.saturating_sub(1)).min(last);
        self.high = (last - too_high.saturating_sub(1)).max(self.low);
    }
}

/// How much is bet, from what was seen before.
#[derive(Clone, Debug, PartialEq)]
struct Stakes {
    /// ln(2/α): the capital that excludes a candidate, as a logarithm.
    threshold: f64,
    count: u64,
    /// Sum of observations and of their squared deviations, begun with one of ½ and ¼.
    sum: f64,
    squares: f64,
}

impl Stakes {
    fn new(confidence: Confidence) -> Self {
        Self { threshold: (2.0 / confidence.error()).ln(), count: 0, sum: 0.5, squares: 0.25 }
    }

    fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        let mean = self.sum / (self.count as f64 + 1.0);
        self.squares += (value - mean).powi(2);
    }

    fn next(&self) -> f64 {
        let seen = self.count as f64 + 1.0;
        let variance = self.squares / seen;
        (2.0 * self.threshold / (variance * seen * (seen + 1.0).ln())).sqrt()
    }

    /// The capital that excludes a candidate.
    fn rich(&self) -> f64 {
        self.threshold.exp()
    }
}

fn on_larger_stake(stake: f64, mean: f64) -> f64 {
    stake.min(LARGEST_STAKE / mean)
}

fn on_smaller_stake(stake: f64, mean: f64) -> f64 {
    stake.min(LARGEST_STAKE / (1.0 - mean))
}

/// Whether a [`ConfidenceSequence`] excludes ½, without its other candidates: a thousand times as fast.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Half {
    stakes: Stakes,
    /// Capitals at the candidates next to ½, so that the interval's end lies beyond ½ and not at it.
    on_larger: f64,
    on_smaller: f64,
    side: Option<Side>,
}

/// The side of ½ on which a mean lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Above,
    Below,
}

impl Half {
    pub(crate) fn new(confidence: Confidence) -> Self {
        Self { stakes: Stakes::new(confidence), on_larger: 1.0, on_smaller: 1.0, side: None }
    }

    /// Adds an observation in [0, 1].
    pub(crate) fn add(&mut self, value: f64) {
        let stake = self.stakes.next();
        let [below, above] = [candidate(STEPS / 2 - 1), candidate(STEPS / 2 + 1)];
        self.on_larger *= 1.0 + on_larger_stake(stake, above) * (value - above);
        self.on_smaller *= 1.0 - on_smaller_stake(stake, below) * (value - below);
        self.stakes.add(value);
        if self.side.is_none() {
            let above = (self.on_larger >= self.stakes.rich()).then_some(Side::Above);
            self.side = above.or((self.on_smaller >= self.stakes.rich()).then_some(Side::Below));
        }
    }

    /// Where the mean lies, as soon as ½ has been excluded.
    pub(crate) fn side(&self) -> Option<Side> {
        self.side
    }
}

/// The mean at a place of the grid.
fn candidate(place: usize) -> f64 {
    place as f64 / STEPS as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Z95;
    use crate::simulation::Simulation;
    use proptest::prelude::*;

    const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    #[test]
    fn it_covers_at_all_times() {
        for (seed, shares) in [
            [0.25, 0.0, 0.5, 0.0, 0.25],
            [0.05, 0.2, 0.5, 0.2, 0.05],
            [0.5, 0.0, 0.0, 0.0, 0.5],
            [0.01, 0.0, 0.08, 0.0, 0.91],
        ]
        .into_iter()
        .enumerate()
        {
            let mean: f64 = shares.iter().zip(SCORES).map(|(share, score)| share * score).sum();
            let mut simulation = Simulation::new(seed as u64);
            let covered = (0..2_000).filter(|_| {
                let mut sequence = ConfidenceSequence::new(Confidence::NINETY_FIVE);
                (0..500).for_each(|_| sequence.add(SCORES[simulation.draw(&shares)]));
                // Intervals only shrink, so the last one tells about all.
                sequence.interval().contains(mean)
            });
            let covered = covered.count();
            assert!(covered >= 1_900, "{shares:?}: {covered}");
        }
    }

    #[test]
    fn repeated_looks_at_an_ordinary_interval_do_not_cover() {
        let mut simulation = Simulation::new(1);
        let excluded = (0..500).filter(|_| {
            let mut sum = 0.0;
            (1..=500).any(|count| {
                sum += SCORES[simulation.draw(&[0.25, 0.0, 0.5, 0.0, 0.25])];
                let margin = Z95 * (0.125 / f64::from(count)).sqrt();
                count >= 10 && (sum / f64::from(count) - 0.5).abs() > margin
            })
        });
        assert!(excluded.count() > 100);
    }

    #[test]
    fn it_narrows() {
        let mut sequence = ConfidenceSequence::new(Confidence::NINETY_FIVE);
        let mut simulation = Simulation::new(3);
        for _ in 0..500 {
            sequence.add(SCORES[simulation.draw(&[0.05, 0.0, 0.3, 0.0, 0.65])]);
        }
        let interval = sequence.interval();
        // The fixed interval would be ±0.025.
        assert!(interval.contains(0.8) && interval.half_width() < 0.05, "{interval:?}");
    }

    #[test]
    fn equal_observations() {
        for value in SCORES {
            let mut sequence = ConfidenceSequence::new(Confidence::NINETY_FIVE);
            (0..100_000).for_each(|_| sequence.add(value));
            let interval = sequence.interval();
            assert!(interval.contains(value) && interval.half_width() < 0.01, "{value}: {interval:?}");
        }
    }

    #[test]
    fn the_paper_by_an_independent_computation() {
        // The authors' formulas in NumPy 2.4.6 on the same grid: scores 1, ½, ¾, 1, 0 twenty times over.
        let mut sequence = ConfidenceSequence::new(Confidence::NINETY_FIVE);
        [1.0, 0.5, 0.75, 1.0, 0.0].repeat(20).into_iter().for_each(|value| sequence.add(value));
        assert_eq!(sequence.interval(), Interval { low: 0.54, high: 0.764 });
    }

    #[test]
    fn half_is_excluded_when_the_interval_excludes_it() {
        for seed in 0..200 {
            let mut simulation = Simulation::new(seed);
            let mut sequence = ConfidenceSequence::new(Confidence::NINETY_FIVE);
            let mut half = Half::new(Confidence::NINETY_FIVE);
            for _ in 0..200 {
                let value = SCORES[simulation.draw(&[0.15, 0.05, 0.4, 0.05, 0.35])];
                sequence.add(value);
                half.add(value);
                let interval = sequence.interval();
                let side = (interval.low > 0.5).then_some(Side::Above);
                assert_eq!(half.side(), side.or((interval.high < 0.5).then_some(Side::Below)), "{interval:?}");
            }
        }
    }

    #[test]
    fn the_p_value_goes_with_the_interval() {
        let mut sequence = ConfidenceSequence::new(Confidence::NINETY_FIVE);
        assert_eq!(sequence.p_value(), 1.0);
        let mut simulation = Simulation::new(5);
        for _ in 0..300 {
            sequence.add(SCORES[simulation.draw(&[0.1, 0.0, 0.5, 0.0, 0.4])]);
            // The interval's end is one step wide of the last candidate that is excluded.
            assert!(sequence.interval().contains(0.5) || sequence.p_value() <= 0.05);
            assert!(sequence.p_value() > 0.05 || sequence.interval().low >= 0.499);
        }
        assert!(sequence.p_value() < 0.001);
        // Twenty lost pairs: each takes half of the one's capital and gives it to the other.
        let mut lost = ConfidenceSequence::new(Confidence::NINETY_FIVE);
        (0..20).for_each(|_| lost.add(0.0));
        assert!((lost.p_value() / (2.0 / 1.5f64.powi(20)) - 1.0).abs() < 1e-9, "{}", lost.p_value());
    }

    proptest! {
        #[test]
        fn intervals_are_nested_and_ordered(values in prop::collection::vec(any::<f64>(), 0..200)) {
            let mut sequence = ConfidenceSequence::new(Confidence::NINETY);
            for value in values {
                let before = sequence.interval();
                sequence.add(value);
                let after = sequence.interval();
                prop_assert!(before.low <= after.low && after.low <= after.high && after.high <= before.high);
            }
        }
    }
}
