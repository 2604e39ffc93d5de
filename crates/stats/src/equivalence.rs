//! Whether a match agrees with a published score.

use crate::distribution::normal_cdf;
use crate::{Confidence, FAIR_PAIR_DEVIATION, Interval, Pentanomial, Z95};

/// More games than this are never asked for; it also stands for "no number of games will do".
pub const MOST_MORE_GAMES: u64 = 1_000_000;

/// A score as a paper prints it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference {
    /// Score in [0, 1].
    pub score: f64,
    /// Number of games behind it; 0 if the paper does not say.
    pub games: u64,
    /// Half the width of its 95 % interval, if printed.
    pub half_width: Option<f64>,
}

impl Reference {
    /// Standard error of the published score: its half-width over 1.96.
    ///
    /// Where none is printed, or one of 0 (a clean sweep), the games give it, as wins and losses with two imagined
    /// ones of each (Agresti and Coull, 1998). `None` if there are no games either or the score is no score.
    pub fn standard_error(&self) -> Option<f64> {
        if !(0.0..=1.0).contains(&self.score) {
            return None;
        }
        match self.half_width {
            Some(half_width) if half_width > 0.0 && half_width.is_finite() => Some(half_width / Z95),
            _ if self.games == 0 => None,
            _ => {
                let count = self.games as f64 + 4.0;
                let share = (self.score * self.games as f64 + 2.0) / count;
                Some((share * (1.0 - share) / count).sqrt())
            }
        }
    }
}

/// What a comparison says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Ours is within the margin of the published interval, shown at 5 % by two one-sided tests.
    Agrees,
    /// There is a difference: its 95 % interval excludes 0, and ours is not shown to be within the margin.
    Differs,
    /// The games do not tell.
    Undecided {
        /// About so many more of our games would, if the difference stays what it is now: at least 2, at most
        /// [`MOST_MORE_GAMES`].
        more_games: u64,
    },
}

/// Our score less the published one, and what follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Ours less the published score.
    pub difference: f64,
    /// Standard error of the difference.
    pub standard_error: f64,
    /// 95 % interval of the difference.
    pub interval: Interval,
    /// Two-sided p-value of no difference.
    pub p_value: f64,
    /// P-value of the two one-sided tests: that ours is as far from the published interval as the margin or farther.
    pub equivalence_p_value: f64,
    /// The verdict.
    pub verdict: Verdict,
}

/// Compares our match with a published score.
///
/// - [`Verdict::Agrees`] if the two one-sided tests (Schuirmann, 1987) show at 5 % that our score lies less than `margin`
///   outside of the published 95 % interval, that is, if our 90 % interval lies inside of that one with the margin added
///   to both ends. What was printed is taken as it was: its error cannot be played away, and were it counted as ours is,
///   a margin of 2 points could not be shown beside a score of ± 1.4. A difference that is significant and yet surely
///   smaller than this agrees: the margin says what matters.
/// - [`Verdict::Differs`] if the 95 % interval of the difference excludes 0 and the tests above fail. The difference
///   is then real; it may still turn out smaller than the margin with more games, which its interval shows.
/// - [`Verdict::Undecided`] otherwise.
///
/// The error of our score comes from its pairs with one imagined pair more, as in
/// [`pentanomial_interval`](crate::pentanomial_interval), that of the published one from [`Reference`]. Both are
/// taken as normal. `None` without pairs of ours, or if nothing is known about the published score.
///
/// ```
/// use spinney_stats::{Pentanomial, Reference, Verdict, compare};
/// let published = Reference { score: 0.75, games: 1000, half_width: Some(0.027) };
/// let ours = Pentanomial { counts: [60, 0, 380, 0, 560] };
/// assert_eq!(compare(&ours, &published, 0.05).unwrap().verdict, Verdict::Agrees);
/// let weaker = Pentanomial { counts: [100, 0, 500, 0, 400] };
/// assert_eq!(compare(&weaker, &published, 0.05).unwrap().verdict, Verdict::Differs);
/// ```
pub fn compare(ours: &Pentanomial, published: &Reference, margin: f64) -> Option<Comparison> {
    let published_error = published.standard_error()?;
    let (_, our_error) = ours.smoothed()?;
    let difference = ours.score()? - published.score;
    let standard_error = our_error.hypot(published_error);
    let interval = Interval::around(difference, Z95 * standard_error);
    let equivalence_p_value = equivalence_p_value(difference, our_error, room(margin, published_error));
    let verdict = if equivalence_p_value < 0.05 {
        Verdict::Agrees
    } else if !interval.contains(0.0) {
        Verdict::Differs
    } else {
        let pairs = ours.pairs() as f64;
        let variance = our_error * our_error * pairs;
        Verdict::Undecided { more_games: more_games(difference, published_error, variance, pairs, margin) }
    };
    let p_value = 2.0 * normal_cdf(-difference.abs() / standard_error);
    Some(Comparison { difference, standard_error, interval, p_value, equivalence_p_value, verdict })
}

/// The verdict of [`compare`], also for a match that has not begun: undecided, with the games it takes if nothing
/// differs and games are fair.
pub fn verdict(ours: &Pentanomial, published: &Reference, margin: f64) -> Verdict {
    if let Some(comparison) = compare(ours, published, margin) {
        return comparison.verdict;
    }
    let published_error = published.standard_error().unwrap_or(f64::INFINITY);
    Verdict::Undecided { more_games: more_games(0.0, published_error, FAIR_PAIR_DEVIATION.powi(2), 0.0, margin) }
}

/// How far ours may be from a published score at most if it agrees: the margin beyond the published interval.
pub(crate) fn room(margin: f64, published_error: f64) -> f64 {
    if margin > 0.0 { margin + Z95 * published_error } else { 0.0 }
}

/// P-value of the two one-sided tests that a normal estimate is nearer to 0 than `margin` (Schuirmann, 1987).
///
/// 1 where the margin or the error allows no test.
pub fn equivalence_p_value(difference: f64, standard_error: f64, margin: f64) -> f64 {
    if !(margin > 0.0 && standard_error > 0.0 && difference.is_finite()) {
        return 1.0;
    }
    normal_cdf((difference.abs() - margin) / standard_error)
}

/// Games until ours are enough to decide, if the difference stays what it is.
///
/// The larger of two errors of our score will do: the one at which 0 drops out of the 95 % interval of the difference, of
/// which the published error takes its share, and the one at which our 90 % interval fits beside the published one.
fn more_games(difference: f64, published_error: f64, variance: f64, pairs: f64, margin: f64) -> u64 {
    let to_differ = (difference / Z95).powi(2) - published_error * published_error;
    let to_agree = (room(margin, published_error) - difference.abs()).max(0.0) / Confidence::NINETY.quantile();
    let wanted = to_differ.max(to_agree * to_agree);
    if !(wanted > 0.0 && wanted.is_finite()) {
        return MOST_MORE_GAMES;
    }
    let more_pairs = (variance / wanted - pairs).floor() + 1.0;
    // The cast saturates.
    (more_pairs.max(1.0) as u64).saturating_mul(2).min(MOST_MORE_GAMES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PUBLISHED: Reference = Reference { score: 0.6, games: 1000, half_width: Some(0.03) };

    #[test]
    fn statsmodels_two_one_sided_tests() {
        // statsmodels 0.15.0: DescrStatsW(x).ztost_mean(-margin, margin)[0]; mean and standard error of x from NumPy.
        assert!(
            (equivalence_p_value(0.029310344827586158, 0.0197831165065305, 0.05) - 0.14782118258949234).abs() < 1e-9
        );
        assert!(
            (equivalence_p_value(0.029310344827586158, 0.0197831165065305, 0.1) - 0.00017630138286774238).abs() < 1e-9
        );
    }

    #[test]
    fn errors_of_published_scores() {
        assert!((PUBLISHED.standard_error().unwrap() - 0.03 / Z95).abs() < 1e-15);
        let bare = Reference { half_width: None, ..PUBLISHED };
        // Nearly √(0.6·0.4/1000).
        assert!((bare.standard_error().unwrap() - 0.015_492).abs() < 1e-4);
        let swept = Reference { score: 1.0, games: 100, half_width: Some(0.0) };
        assert!(swept.standard_error().unwrap() > 0.01);
        assert_eq!(Reference { score: 0.5, games: 0, half_width: None }.standard_error(), None);
        assert_eq!(Reference { score: f64::NAN, games: 9, half_width: None }.standard_error(), None);
    }

    #[test]
    fn a_small_but_significant_difference_agrees() {
        let exact = Reference { score: 0.5, games: 0, half_width: Some(1e-6) };
        let ours = Pentanomial { counts: [24_000, 0, 50_000, 0, 26_000] };
        let comparison = compare(&ours, &exact, 0.05).unwrap();
        assert!(!comparison.interval.contains(0.0) && comparison.p_value < 0.001);
        assert_eq!(comparison.verdict, Verdict::Agrees);
    }

    #[test]
    fn few_games_leave_it_open_and_the_asked_for_games_decide() {
        let ours = Pentanomial { counts: [8, 0, 22, 0, 20] };
        let Verdict::Undecided { more_games } = verdict(&ours, &PUBLISHED, 0.05) else { panic!("decided") };
        // 0.62 against 0.6 ± 0.03: our 90 % interval must fit into 0.06, so that our error must be 0.0365; it is 0.05.
        assert!(more_games > 80 && more_games < 110, "{more_games}");
        let factor = 1 + more_games.div_ceil(100);
        let more = Pentanomial { counts: ours.counts.map(|count| count * factor) };
        assert_eq!(verdict(&more, &PUBLISHED, 0.05), Verdict::Agrees);
    }

    #[test]
    fn a_wide_published_interval_cannot_be_played_away() {
        let vague = Reference { score: 0.6, games: 20, half_width: Some(0.2) };
        let ours = Pentanomial { counts: [250, 0, 500, 0, 250] };
        // Without a margin only a difference could be shown, and 0.1 is none beside ± 0.2.
        assert_eq!(verdict(&ours, &vague, 0.0), Verdict::Undecided { more_games: MOST_MORE_GAMES });
        // With one it agrees with what was printed, and with no more than that.
        assert_eq!(verdict(&ours, &vague, 0.05), Verdict::Agrees);
        assert_eq!(verdict(&ours, &Reference { score: 0.8, ..vague }, 0.05), Verdict::Differs);
    }

    #[test]
    fn two_points_can_be_shown_beside_the_published_five_thousand_games() {
        let published = Reference { score: 0.568, games: 5000, half_width: Some(0.014) };
        // 56.8 % of 5,000 games with independent pairs: an error of 0.7 points, so 1.15 of the 3.4 points are taken.
        let ours = Pentanomial { counts: [467, 0, 1226, 0, 807] };
        assert_eq!(verdict(&ours, &published, 0.02), Verdict::Agrees);
        for (off, expected) in [(0.022, true), (0.024, false)] {
            let moved = Reference { score: published.score + off, ..published };
            assert_eq!(verdict(&ours, &moved, 0.02) == Verdict::Agrees, expected, "{off}");
        }
    }

    #[test]
    fn before_the_first_game() {
        let Verdict::Undecided { more_games } = verdict(&Pentanomial::default(), &PUBLISHED, 0.05) else {
            panic!("decided")
        };
        // (1.645 · 0.3536/0.08)² = 53 pairs.
        assert!((100..=112).contains(&more_games), "{more_games}");
        assert_eq!(compare(&Pentanomial::default(), &PUBLISHED, 0.05), None);
        let unknown = Reference { score: 0.5, games: 0, half_width: None };
        assert_eq!(
            verdict(&Pentanomial::default(), &unknown, 0.05),
            Verdict::Undecided { more_games: MOST_MORE_GAMES }
        );
    }

    proptest! {
        #[test]
        fn any_counts_have_a_verdict(
            counts: [u64; 5],
            small in proptest::array::uniform5(0u64..3),
            score: f64,
            games: u64,
            half_width: Option<f64>,
            margin: f64,
        ) {
            for score in [score, 0.0, 0.5, 1.0] {
                for counts in [counts, small] {
                    let published = Reference { score, games, half_width };
                    let pairs = Pentanomial { counts };
                    if let Some(comparison) = compare(&pairs, &published, margin) {
                        prop_assert!((0.0..=1.0).contains(&comparison.p_value));
                        prop_assert!((0.0..=1.0).contains(&comparison.equivalence_p_value));
                    }
                    if let Verdict::Undecided { more_games } = verdict(&pairs, &published, margin) {
                        prop_assert!((2..=MOST_MORE_GAMES).contains(&more_games));
                    }
                }
            }
        }

        #[test]
        fn the_asked_for_games_decide(
            difference in -0.2f64..0.2,
            published_error in 0.0f64..0.02,
            pairs in 1.0f64..1e4,
            deviation in 0.1f64..0.5,
        ) {
            let variance = deviation * deviation;
            let more = more_games(difference, published_error, variance, pairs, 0.05);
            prop_assume!(more < MOST_MORE_GAMES);
            let our_error = (variance / (pairs + more as f64 / 2.0)).sqrt();
            let agrees = equivalence_p_value(difference, our_error, room(0.05, published_error)) < 0.05 + 1e-9;
            prop_assert!(agrees || difference.abs() > Z95 * our_error.hypot(published_error) - 1e-9);
        }
    }
}
