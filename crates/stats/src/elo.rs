//! Elo: scores on a scale without ends.

use crate::{Confidence, Interval, Pentanomial};
use std::f64::consts::LN_10;

/// Normalised Elo of a mean one standard deviation of a game above ½.
pub(crate) const NORMALISED_SCALE: f64 = 800.0 / LN_10;

/// The Elo difference that makes `score` the expected one (Elo, 1978): 400·log₁₀(s/(1 − s)).
///
/// −∞ for a score of 0 or below, +∞ for 1 or above; half a point is 0.
///
/// ```
/// use spinney_stats::{elo_to_score, score_to_elo};
/// assert!((score_to_elo(0.75) - 190.85).abs() < 0.01);
/// assert!((elo_to_score(190.85) - 0.75).abs() < 1e-5);
/// assert_eq!(score_to_elo(1.0), f64::INFINITY);
/// ```
pub fn score_to_elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected score for an Elo difference; 0 and 1 for −∞ and +∞.
pub fn elo_to_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// An interval of scores on the Elo scale; its ends may be infinite.
///
/// Intervals may be transformed end by end because Elo grows with the score.
///
/// ```
/// use spinney_stats::{Confidence, Pentanomial, elo_interval, pentanomial_interval};
/// let pairs = Pentanomial { counts: [10, 0, 60, 0, 30] };
/// let elo = elo_interval(pentanomial_interval(&pairs, Confidence::NINETY_FIVE).unwrap());
/// assert!(elo.low > 15.0 && elo.high < 130.0);
/// ```
pub fn elo_interval(scores: Interval) -> Interval {
    Interval { low: score_to_elo(scores.low), high: score_to_elo(scores.high) }
}

/// Normalised Elo from a score and the variance of a single game (Van den Bergh, "Comments on Normalized Elo",
/// undated): the distance from ½ in standard deviations of a game, times 800/ln 10.
///
/// It says how many games are needed to see the difference, whatever the share of draws. `None` without variance.
pub fn score_to_normalised_elo(score: f64, variance: f64) -> Option<f64> {
    (variance > 0.0).then(|| NORMALISED_SCALE * (score - 0.5) / variance.sqrt())
}

/// Normalised Elo of a match: a game counts with twice the variance of a pair's mean. `None` if all pairs ended alike.
///
/// ```
/// let pairs = spinney_stats::Pentanomial { counts: [34, 54, 63, 64, 75] };
/// assert!((spinney_stats::normalised_elo(&pairs).unwrap() - 57.94).abs() < 0.01);
/// ```
pub fn normalised_elo(pairs: &Pentanomial) -> Option<f64> {
    score_to_normalised_elo(pairs.score()?, 2.0 * pairs.variance()?)
}

/// The interval of [`normalised_elo`], the variance taken as known. `None` if all pairs ended alike.
pub fn normalised_elo_interval(pairs: &Pentanomial, confidence: Confidence) -> Option<Interval> {
    let margin = NORMALISED_SCALE * confidence.quantile() / (2.0 * pairs.pairs() as f64).sqrt();
    Some(Interval::around(normalised_elo(pairs)?, margin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Trinomial;
    use proptest::prelude::*;

    #[test]
    fn elo_as_in_fastchess() {
        // fastchess, app/tests/elo_test.cpp, "EloPentanomial 1" to "3": normalised Elo ±, Elo ±.
        let cases = [
            ([34, 54, 63, 64, 75], [57.94, 28.28, 55.58, 27.65]),
            ([332, 433, 498, 333, 334], [-9.17, 10.96, -8.64, 10.33]),
            ([7895, 8757, 5685, 568, 9999], [-19.01, 2.65, -21.04, 2.95]),
        ];
        for (counts, [normalised, normalised_margin, elo, margin]) in cases {
            let pairs = Pentanomial { counts };
            let score = pairs.score().unwrap();
            let confidence = Confidence::NINETY_FIVE;
            let scores = Interval::around(score, confidence.quantile() * pairs.standard_error().unwrap());
            assert!((normalised_elo(&pairs).unwrap() - normalised).abs() < 0.006);
            let interval = normalised_elo_interval(&pairs, confidence).unwrap();
            assert!((interval.half_width() - normalised_margin).abs() < 0.006, "{interval:?}");
            assert!((score_to_elo(score) - elo).abs() < 0.006);
            assert!((elo_interval(scores).half_width() - margin).abs() < 0.006);
        }
    }

    #[test]
    fn normalised_elo_of_games_as_in_fastchess() {
        // fastchess, app/tests/elo_test.cpp, "EloWDL 1" to "3"; its order is wins, losses, draws.
        for (wins, losses, draws, normalised) in
            [(76, 89, 123, -20.76), (136, 96, 111, 49.77), (34, 356, 0, -508.44f64)]
        {
            let games = Trinomial { losses, draws, wins };
            let ours = score_to_normalised_elo(games.score().unwrap(), games.variance().unwrap()).unwrap();
            assert!((ours - normalised).abs() < 0.006, "{ours}");
        }
    }

    #[test]
    fn the_ends() {
        assert_eq!((score_to_elo(0.0), score_to_elo(0.5), score_to_elo(1.0)), (f64::NEG_INFINITY, 0.0, f64::INFINITY));
        assert_eq!((elo_to_score(f64::NEG_INFINITY), elo_to_score(f64::INFINITY)), (0.0, 1.0));
        assert_eq!(normalised_elo(&Pentanomial { counts: [0, 0, 9, 0, 0] }), None);
        assert_eq!(normalised_elo_interval(&Pentanomial::default(), Confidence::NINETY_FIVE), None);
    }

    proptest! {
        #[test]
        fn there_and_back(elo in -2000.0f64..2000.0) {
            prop_assert!((score_to_elo(elo_to_score(elo)) - elo).abs() < 1e-6);
        }

        #[test]
        fn any_counts_have_numbers(counts: [u64; 5]) {
            let pairs = Pentanomial { counts };
            prop_assert!(pairs.score().is_none_or(|score| !score_to_elo(score).is_nan()));
            prop_assert!(normalised_elo(&pairs).is_none_or(f64::is_finite));
        }
    }
}
