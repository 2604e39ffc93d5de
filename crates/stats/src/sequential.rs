//! Testing while the match goes on: the sequential probability ratio test (Wald, 1945) on pairs.

use crate::elo::NORMALISED_SCALE;
use crate::{Interval, Pentanomial, Trinomial, elo_to_score};
use std::f64::consts::SQRT_2;

/// What an outcome that never happened counts, as in fishtest and fastchess: its probability is not 0.
const UNSEEN: f64 = 1e-3;

/// Rounds in which the most likely distribution of a normalised difference is found; three or four are usual.
const MOST_ROUNDS: usize = 20;

/// What the test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Play on.
    Continue,
    /// The score is the null one or less.
    AcceptNull,
    /// The score is the alternative one or more.
    AcceptAlternative,
}

/// A sequential test of two scores against each other.
///
/// The distribution of pairs is unknown, so the likelihood of a score is that of the most likely distribution with it
/// (the generalised test as fishtest and fastchess use it: Van den Bergh, "Comments on Normalized Elo", undated,
/// proposition 1.1). Ask it after every pair; it errs with about the probabilities wanted, whenever it stops.
///
/// ```
/// use spinney_stats::{Decision, Pentanomial, SequentialTest};
/// let test = SequentialTest::from_elo(0.0, 20.0, 0.05, 0.05).unwrap();
/// assert!((test.bounds().high - 2.944).abs() < 1e-3);
/// let mut pairs = Pentanomial { counts: [10, 0, 50, 0, 14] };
/// assert_eq!(test.decide(&pairs), Decision::Continue);
/// pairs.merge(&Pentanomial { counts: [60, 0, 300, 0, 140] });
/// assert_eq!(test.decide(&pairs), Decision::AcceptAlternative);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SequentialTest {
    scale: Scale,
    null: f64,
    alternative: f64,
    bounds: Interval,
}

/// What the hypotheses are numbers of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// Mean score.
    Score,
    /// Distance of the mean score from ½ in standard deviations of a game.
    Deviations,
}

impl SequentialTest {
    /// A test of the score `alternative` against a smaller one, `null`.
    ///
    /// `alpha` is the wanted probability of accepting the alternative under the null score, `beta` that of accepting
    /// the null under the alternative. `None` unless 0 < null < alternative < 1, both are above 0 and alpha + beta < 1.
    pub fn from_scores(null: f64, alternative: f64, alpha: f64, beta: f64) -> Option<Self> {
        let scores = 0.0 < null && null < alternative && alternative < 1.0;
        let errors = alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0;
        (scores && errors).then(|| Self { scale: Scale::Score, null, alternative, bounds: wald_bounds(alpha, beta) })
    }

    /// A test of two differences in normalised Elo (Van den Bergh, "Comments on Normalized Elo", undated): the number
    /// of games that it takes does not depend on how many games are drawn. Differences are from −1000 to 1000.
    ///
    /// ```
    /// use spinney_stats::{Pentanomial, SequentialTest};
    /// let test = SequentialTest::from_normalised_elo(0.0, 2.0, 0.05, 0.05).unwrap();
    /// let pairs = Pentanomial { counts: [365, 16_618, 36_229, 16_974, 390] };
    /// assert!((test.log_likelihood_ratio(&pairs) - 2.25).abs() < 0.01);
    /// ```
    pub fn from_normalised_elo(null: f64, alternative: f64, alpha: f64, beta: f64) -> Option<Self> {
        let differences = -1000.0 <= null && null < alternative && alternative <= 1000.0;
        let errors = alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0;
        let [null, alternative] = [null, alternative].map(|elo| elo / NORMALISED_SCALE);
        let bounds = wald_bounds(alpha, beta);
        (differences && errors).then_some(Self { scale: Scale::Deviations, null, alternative, bounds })
    }

    /// A test of two differences in (logistic) Elo; see [`from_scores`](Self::from_scores).
    pub fn from_elo(null: f64, alternative: f64, alpha: f64, beta: f64) -> Option<Self> {
        Self::from_scores(elo_to_score(null), elo_to_score(alternative), alpha, beta)
    }

    /// The log-likelihood ratios at which the test ends.
    pub fn bounds(&self) -> Interval {
        self.bounds
    }

    /// The logarithm of the likelihood of the alternative over that of the null; 0 without pairs.
    pub fn log_likelihood_ratio(&self, pairs: &Pentanomial) -> f64 {
        // A pair's mean deviates 1/√2 as much as a game.
        self.generalised(Outcomes::new(&pairs.counts, &Pentanomial::SCORES), SQRT_2)
    }

    /// The same from games taken as independent.
    pub fn log_likelihood_ratio_of_games(&self, games: &Trinomial) -> f64 {
        self.generalised(Outcomes::new(&games.counts(), &Trinomial::SCORES), 1.0)
    }

    /// The normal approximation with the empirical variance: n·(s₁ − s₀)·(2m − s₀ − s₁)/(2σ²) (Van den Bergh,
    /// "A Practical Introduction to the GSPRT", undated, equation 2.1).
    ///
    /// Close for many pairs and hypotheses near each other. It is far too sure when all of a few pairs ended alike;
    /// decide by [`log_likelihood_ratio`](Self::log_likelihood_ratio).
    pub fn approximate_log_likelihood_ratio(&self, pairs: &Pentanomial) -> f64 {
        let Some(outcomes) = Outcomes::new(&pairs.counts, &Pentanomial::SCORES) else { return 0.0 };
        let (mean, variance) = outcomes.moments();
        let [null, alternative] = match self.scale {
            Scale::Score => [self.null, self.alternative],
            Scale::Deviations => [self.null, self.alternative].map(|t| 0.5 + t * (2.0 * variance).sqrt()),
        };
        outcomes.total * (alternative - null) * (2.0 * mean - null - alternative) / (2.0 * variance)
    }

    /// Where the test stands.
    pub fn decide(&self, pairs: &Pentanomial) -> Decision {
        let ratio = self.log_likelihood_ratio(pairs);
        if ratio >= self.bounds.high {
            Decision::AcceptAlternative
        } else if ratio <= self.bounds.low {
            Decision::AcceptNull
        } else {
            Decision::Continue
        }
    }

    /// `per_game` outcomes' deviations make one of a game.
    fn generalised<const N: usize>(&self, outcomes: Option<Outcomes<N>>, per_game: f64) -> f64 {
        outcomes.map_or(0.0, |outcomes| {
            let cost = |hypothesis: f64| match self.scale {
                Scale::Score => outcomes.cost_of_mean(hypothesis),
                Scale::Deviations => outcomes.cost_of_distance(per_game * hypothesis),
            };
            outcomes.total * (cost(self.null) - cost(self.alternative))
        })
    }
}

/// ln(β/(1 − α)) and ln((1 − β)/α) (Wald, 1945).
fn wald_bounds(alpha: f64, beta: f64) -> Interval {
    Interval { low: (beta / (1.0 - alpha)).ln(), high: ((1.0 - beta) / alpha).ln() }
}

/// An empirical distribution in which every outcome has a probability above 0.
struct Outcomes<const N: usize> {
    total: f64,
    shares: [f64; N],
    scores: [f64; N],
}

impl<const N: usize> Outcomes<N> {
    /// `None` if nothing was counted.
    fn new(counts: &[u64; N], scores: &[f64; N]) -> Option<Self> {
        if counts.iter().all(|&count| count == 0) {
            return None;
        }
        let counts = counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = counts.iter().sum();
        Some(Self { total, shares: counts.map(|count| count / total), scores: *scores })
    }

    fn moments(&self) -> (f64, f64) {
        moments(&self.shares, &self.scores)
    }

    /// How much log-likelihood per observation the most likely distribution with the given mean lacks.
    ///
    /// Its probabilities are pᵢ/(1 + θ(xᵢ − mean)), where θ solves Σ pᵢ(xᵢ − mean)/(1 + θ(xᵢ − mean)) = 0 (Owen, 1988).
    fn cost_of_mean(&self, mean: f64) -> f64 {
        let offsets = self.scores.map(|score| score - mean);
        self.cost(&offsets, self.multiplier(&offsets))
    }

    /// The same for the most likely distribution whose mean is `distance` of its own standard deviations above ½.
    ///
    /// Its probabilities are as above with offsets that depend on its own mean and deviation, so they are found in
    /// rounds (Van den Bergh, proposition 4.1). Where no such offsets lie on both sides of 0, the deviation is taken as
    /// known.
    fn cost_of_distance(&self, distance: f64) -> f64 {
        let mut shares = [1.0 / N as f64; N];
        let mut cost = None;
        for _ in 0..MOST_ROUNDS {
            let (mean, variance) = moments(&shares, &self.scores);
            let deviation = variance.sqrt();
            let offsets = self.scores.map(|score| {
                let standard = (score - mean) / deviation;
                score - 0.5 - 0.5 * distance * deviation * (1.0 + standard * standard)
            });
            if !(offsets.iter().any(|offset| *offset < 0.0) && offsets.iter().any(|offset| *offset > 0.0)) {
                cost = None;
                break;
            }
            let multiplier = self.multiplier(&offsets);
            cost = Some(self.cost(&offsets, multiplier));
            let mut next = self.shares;
            for (share, offset) in next.iter_mut().zip(offsets) {
                *share /= positive(1.0 + multiplier * offset);
            }
            let change = shares.iter().zip(next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
            shares = next;
            if change < 1e-9 {
                break;
            }
        }
        cost.filter(|cost| cost.is_finite()).unwrap_or_else(|| {
            let (_, variance) = self.moments();
            self.cost_of_mean((0.5 + distance * variance.sqrt()).clamp(0.001, 0.999))
        })
    }

    fn cost(&self, offsets: &[f64; N], multiplier: f64) -> f64 {
        self.shares.iter().zip(offsets).map(|(share, offset)| share * positive(1.0 + multiplier * offset).ln()).sum()
    }

    /// θ by bisection: the sum falls from +∞ to −∞ between the values at which a probability would be infinite.
    /// Some of the offsets must be below 0 and some above.
    fn multiplier(&self, offsets: &[f64; N]) -> f64 {
        let least = offsets.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = offsets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (mut low, mut high) = (-1.0 / largest, -1.0 / least);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            let terms = self.shares.iter().zip(offsets);
            let slope: f64 = terms.map(|(share, offset)| share * offset / positive(1.0 + middle * offset)).sum();
            if slope > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }
}

/// Mean and variance of scores with these probabilities.
fn moments<const N: usize>(shares: &[f64; N], scores: &[f64; N]) -> (f64, f64) {
    let mean: f64 = shares.iter().zip(scores).map(|(share, score)| share * score).sum();
    let variance = shares.iter().zip(scores).map(|(share, score)| share * (score - mean).powi(2)).sum();
    (mean, variance)
}

/// Keeps what rounding made 0 or less above it.
fn positive(value: f64) -> f64 {
    value.max(1e-300)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::Simulation;
    use proptest::prelude::*;

    #[test]
    fn pentanomial_ratio_as_in_fastchess() {
        // fastchess, app/tests/sprt_test.cpp, "logistic pentanomial 1" and "2", printed to two digits.
        let test = SequentialTest::from_elo(0.5, 2.5, 0.05, 0.05).unwrap();
        let one = Pentanomial { counts: [223, 9863, 21_279, 10_037, 246] };
        assert!((test.log_likelihood_ratio(&one) + 3.07).abs() < 0.01, "{}", test.log_likelihood_ratio(&one));
        assert!((test.approximate_log_likelihood_ratio(&one) + 3.07).abs() < 0.01);
        let test = SequentialTest::from_elo(0.0, 2.0, 0.05, 0.05).unwrap();
        let two = Pentanomial { counts: [871, 26_175, 55_983, 26_678, 821] };
        assert!((test.log_likelihood_ratio(&two) + 4.98).abs() < 0.01, "{}", test.log_likelihood_ratio(&two));
        assert!((test.approximate_log_likelihood_ratio(&two) + 4.98).abs() < 0.01);
    }

    #[test]
    fn normalised_ratio_as_in_fastchess() {
        // fastchess, app/tests/sprt_test.cpp, "normalized pentanomial 1" and "2", "normalized trinomial 1" and "2".
        for (elo, counts, theirs) in [
            ([0.0, 2.0], [365, 16_618, 36_229, 16_974, 390], 2.25),
            ([-1.75, 0.25], [127, 4_883, 10_712, 5_150, 104], 3.01),
        ] {
            let test = SequentialTest::from_normalised_elo(elo[0], elo[1], 0.05, 0.05).unwrap();
            let ours = test.log_likelihood_ratio(&Pentanomial { counts });
            assert!((ours / theirs - 1.0).abs() < 0.01, "{counts:?}: {ours}");
        }
        for (elo, [wins, losses, draws], theirs) in
            [([0.0, 2.0], [36_433, 36_027, 68_692], 0.92), ([-1.75, 0.25], [10_871, 10_650, 20_431], 2.30)]
        {
            let test = SequentialTest::from_normalised_elo(elo[0], elo[1], 0.05, 0.05).unwrap();
            let ours = test.log_likelihood_ratio_of_games(&Trinomial { losses, draws, wins });
            assert!((ours / theirs - 1.0).abs() < 0.01, "{ours}");
        }
    }

    #[test]
    fn a_clean_sweep_is_most_likely_with_wins_and_losses_alone() {
        // Of n won pairs, the most likely share p of won ones with p − ½ = t·√(p(1 − p)) is ½ + ½·t/√(1 + t²).
        let t = 5.0 / NORMALISED_SCALE * SQRT_2;
        let by_hand = 104.0 * (1.0 + t / (1.0 + t * t).sqrt()).ln();
        let test = SequentialTest::from_normalised_elo(0.0, 5.0, 0.05, 0.05).unwrap();
        let ours = test.log_likelihood_ratio(&Pentanomial { counts: [0, 0, 0, 0, 104] });
        assert!((ours - by_hand).abs() < 1e-3, "{ours} {by_hand}");
    }

    #[test]
    fn trinomial_ratio_as_in_fastchess() {
        // fastchess, app/tests/sprt_test.cpp, "logistic trinomial 1" and "2".
        let test = SequentialTest::from_elo(0.5, 2.5, 0.05, 0.05).unwrap();
        let one = Trinomial { wins: 21_404, losses: 21_184, draws: 40_708 };
        assert!((test.log_likelihood_ratio_of_games(&one) + 1.57).abs() < 0.01);
        let test = SequentialTest::from_elo(0.0, 2.0, 0.05, 0.05).unwrap();
        let two = Trinomial { wins: 57_433, losses: 57_030, draws: 106_593 };
        assert!((test.log_likelihood_ratio_of_games(&two) + 2.59).abs() < 0.01);
    }

    #[test]
    fn ratio_as_by_direct_maximisation() {
        // SciPy 1.17.1: log-likelihoods maximised under the constraint on the mean by minimize(method="SLSQP").
        let test = SequentialTest::from_scores(0.5, 0.6, 0.05, 0.05).unwrap();
        for (counts, theirs) in [
            ([3, 5, 20, 9, 4], -0.8837364348182888),
            ([1, 0, 6, 0, 9], 2.1765581796261824),
            ([30, 20, 10, 20, 30], -3.52364549516156),
            ([0, 0, 0, 0, 12], 2.188182322098502),
        ] {
            let ours = test.log_likelihood_ratio(&Pentanomial { counts });
            assert!((ours - theirs).abs() < 1e-4, "{counts:?}: {ours} {theirs}");
        }
    }

    #[test]
    fn impossible_tests() {
        assert_eq!(SequentialTest::from_elo(5.0, 0.0, 0.05, 0.05), None);
        assert_eq!(SequentialTest::from_elo(0.0, f64::INFINITY, 0.05, 0.05), None);
        assert_eq!(SequentialTest::from_elo(0.0, 5.0, 0.5, 0.5), None);
        assert_eq!(SequentialTest::from_scores(0.5, f64::NAN, 0.05, 0.05), None);
        assert_eq!(SequentialTest::from_normalised_elo(0.0, 1001.0, 0.05, 0.05), None);
        assert_eq!(SequentialTest::from_normalised_elo(0.0, f64::NAN, 0.05, 0.05), None);
    }

    #[test]
    fn errors_are_as_rare_as_wanted() {
        let test = SequentialTest::from_scores(0.5, 0.55, 0.05, 0.05).unwrap();
        for (shares, wrong) in [
            ([0.25, 0.0, 0.5, 0.0, 0.25], Decision::AcceptAlternative),
            ([0.20, 0.0, 0.5, 0.0, 0.30], Decision::AcceptNull),
        ] {
            let mut simulation = Simulation::new(7);
            let errors = (0..1_000).filter(|_| {
                let mut pairs = Pentanomial::default();
                loop {
                    pairs.counts[simulation.draw(&shares)] += 1;
                    match test.decide(&pairs) {
                        Decision::Continue => {}
                        decision => break decision == wrong,
                    }
                }
            });
            let errors = errors.count();
            // 5 % and three standard errors.
            assert!(errors <= 71, "{errors}");
        }
    }

    proptest! {
        #[test]
        fn any_counts_have_a_finite_ratio(
            counts: [u64; 5],
            small in proptest::array::uniform5(0u64..3),
            null in 0.001f64..0.998,
            step in 0.001f64..1.0,
        ) {
            let alternative = (null + step).min(0.999);
            let scores = SequentialTest::from_scores(null, alternative, 0.05, 0.05).unwrap();
            let elo = |score: f64| 2000.0 * (score - 0.5);
            let normalised = SequentialTest::from_normalised_elo(elo(null), elo(alternative), 0.05, 0.05).unwrap();
            for (test, counts) in [(scores, counts), (scores, small), (normalised, counts), (normalised, small)] {
                let pairs = Pentanomial { counts };
                let [losses, draws, wins, ..] = counts;
                let games = Trinomial { losses, draws, wins };
                prop_assert!(test.log_likelihood_ratio(&pairs).is_finite());
                prop_assert!(test.approximate_log_likelihood_ratio(&pairs).is_finite());
                prop_assert!(test.log_likelihood_ratio_of_games(&games).is_finite());
            }
        }

        #[test]
        fn turning_board_and_hypotheses_turns_the_sign(counts in proptest::array::uniform5(0u64..100)) {
            let pairs = Pentanomial { counts };
            let mut turned = pairs;
            turned.counts.reverse();
            let test = SequentialTest::from_scores(0.5, 0.53, 0.05, 0.05).unwrap();
            let mirror = SequentialTest::from_scores(0.47, 0.5, 0.05, 0.05).unwrap();
            prop_assert!((test.log_likelihood_ratio(&pairs) + mirror.log_likelihood_ratio(&turned)).abs() < 1e-6);
        }
    }
}
