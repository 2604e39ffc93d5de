//! Testing while the match goes on: the sequential probability ratio test (Wald, 1945) on pairs.

use crate::{Interval, Pentanomial, Trinomial, elo_to_score};

/// What an outcome that never happened counts, as in fishtest and fastchess: its probability is not 0.
const UNSEEN: f64 = 1e-3;

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
    null: f64,
    alternative: f64,
    bounds: Interval,
}

impl SequentialTest {
    /// A test of the score `alternative` against a smaller one, `null`.
    ///
    /// `alpha` is the wanted probability of accepting the alternative under the null score, `beta` that of accepting
    /// the null under the alternative. `None` unless 0 < null < alternative < 1, both are above 0 and alpha + beta < 1.
    pub fn from_scores(null: f64, alternative: f64, alpha: f64, beta: f64) -> Option<Self> {
        let scores = 0.0 < null && null < alternative && alternative < 1.0;
        let errors = alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0;
        (scores && errors).then(|| Self { null, alternative, bounds: wald_bounds(alpha, beta) })
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
        self.generalised(Outcomes::new(&pairs.counts, &Pentanomial::SCORES))
    }

    /// The same from games taken as independent.
    pub fn log_likelihood_ratio_of_games(&self, games: &Trinomial) -> f64 {
        self.generalised(Outcomes::new(&games.counts(), &Trinomial::SCORES))
    }

    /// The normal approximation with the empirical variance: n·(s₁ − s₀)·(2m − s₀ − s₁)/(2σ²) (Van den Bergh,
    /// "A Practical Introduction to the GSPRT", undated, equation 2.1).
    ///
    /// Close for many pairs and hypotheses near each other. It is far too sure when all of a few pairs ended alike;
    /// decide by [`log_likelihood_ratio`](Self::log_likelihood_ratio).
    pub fn approximate_log_likelihood_ratio(&self, pairs: &Pentanomial) -> f64 {
        let Some(outcomes) = Outcomes::new(&pairs.counts, &Pentanomial::SCORES) else { return 0.0 };
        let (mean, variance) = outcomes.moments();
        let apart = self.alternative - self.null;
        outcomes.total * apart * (2.0 * mean - self.null - self.alternative) / (2.0 * variance)
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

    fn generalised<const N: usize>(&self, outcomes: Option<Outcomes<N>>) -> f64 {
        outcomes.map_or(0.0, |outcomes| {
            outcomes.total * (outcomes.cost_of_mean(self.null) - outcomes.cost_of_mean(self.alternative))
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
        let mean: f64 = self.shares.iter().zip(self.scores).map(|(share, score)| share * score).sum();
        let variance = self.shares.iter().zip(self.scores).map(|(share, score)| share * (score - mean).powi(2)).sum();
        (mean, variance)
    }

    /// How much log-likelihood per observation the most likely distribution with the given mean lacks.
    ///
    /// Its probabilities are pᵢ/(1 + θ(xᵢ − mean)), where θ solves Σ pᵢ(xᵢ − mean)/(1 + θ(xᵢ − mean)) = 0 (Owen, 1988).
    fn cost_of_mean(&self, mean: f64) -> f64 {
        let multiplier = self.multiplier(mean);
        self.terms(mean).map(|(share, offset)| share * positive(1.0 + multiplier * offset).ln()).sum()
    }

    /// θ by bisection: the sum falls from +∞ to −∞ between the values at which a probability would be infinite.
    fn multiplier(&self, mean: f64) -> f64 {
        let (mut low, mut high) = (-1.0 / (self.scores[N - 1] - mean), 1.0 / (mean - self.scores[0]));
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            let slope: f64 =
                self.terms(mean).map(|(share, offset)| share * offset / positive(1.0 + middle * offset)).sum();
            if slope > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }

    /// Probabilities and distances of outcomes from `mean`.
    fn terms(&self, mean: f64) -> impl Iterator<Item = (f64, f64)> {
        self.shares.iter().zip(&self.scores).map(move |(&share, &score)| (share, score - mean))
    }
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
            let test = SequentialTest::from_scores(null, alternative, 0.05, 0.05).unwrap();
            for counts in [counts, small] {
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
