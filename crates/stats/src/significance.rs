//! How surprising a score would be.

use crate::Pentanomial;
use crate::distribution::{normal_cdf, student_two_sided};

/// The two-sided p-value of a match against the score `null`, usually ½: Student's t test on the scores of pairs.
///
/// When all n pairs had the same score x (or there is only one), no spread can be estimated. Then Markov's inequality
/// gives a bound that holds for every distribution on [0, 1]: P(all ≥ x) ≤ (null/x)ⁿ for x > null and likewise from
/// above, doubled for two sides. For a clean sweep against ½ that is the sign test. `None` without pairs or with
/// `null` outside [0, 1].
///
/// ```
/// use spinney_stats::{Pentanomial, p_value};
/// assert_eq!(p_value(&Pentanomial { counts: [0, 0, 0, 0, 10] }, 0.5), Some(2.0 / 1024.0));
/// assert_eq!(p_value(&Pentanomial { counts: [0, 0, 10, 0, 0] }, 0.5), Some(1.0));
/// ```
pub fn p_value(pairs: &Pentanomial, null: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&null) {
        return None;
    }
    let score = pairs.score()?;
    let count = pairs.pairs() as f64;
    match pairs.sample_variance() {
        Some(variance) if variance > 0.0 => {
            Some(student_two_sided((score - null) / (variance / count).sqrt(), count - 1.0))
        }
        _ => Some(equal_pairs_p_value(score, null, count)),
    }
}

/// Markov's bound on the chance that all of `count` pairs are at least as far from `null` as `score`.
fn equal_pairs_p_value(score: f64, null: f64, count: f64) -> f64 {
    let ratio = if score > null {
        null / score
    } else if score < null {
        (1.0 - null) / (1.0 - score)
    } else {
        1.0
    };
    (2.0 * ratio.powf(count)).min(1.0)
}

/// The probability that A is the stronger one, as fastchess and others report it: Φ((score − ½)/error).
///
/// It is a one-sided p-value from the other side. Without spread it is 0, ½ or 1; `None` without pairs.
pub fn likelihood_of_superiority(pairs: &Pentanomial) -> Option<f64> {
    let (lead, error) = (pairs.score()? - 0.5, pairs.standard_error()?);
    Some(if lead == 0.0 { 0.5 } else { normal_cdf(lead / error) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn scipys_t_test() {
        // SciPy 1.17.1: ttest_1samp(scores, null).pvalue.
        for (counts, null, theirs) in [
            ([34, 54, 63, 64, 75], 0.5, 7.76731454620657e-05),
            ([1, 0, 2, 1, 3], 0.5, 0.25337396440229254),
            ([0, 0, 0, 1, 2], 0.5, 0.03774955135062374),
            ([332, 433, 498, 333, 334], 0.52, 1.9835811818628928e-05),
        ] {
            let ours = p_value(&Pentanomial { counts }, null).unwrap();
            assert!((ours / theirs - 1.0).abs() < 1e-9, "{ours}");
        }
    }

    #[test]
    fn superiority_as_in_fastchess() {
        // fastchess, app/tests/elo_test.cpp, "EloPentanomial 1" and "2".
        let one = likelihood_of_superiority(&Pentanomial { counts: [34, 54, 63, 64, 75] }).unwrap();
        assert!((one - 1.0).abs() < 5e-5);
        let two = likelihood_of_superiority(&Pentanomial { counts: [332, 433, 498, 333, 334] }).unwrap();
        assert!((two - 0.0505).abs() < 5e-5);
        assert_eq!(likelihood_of_superiority(&Pentanomial { counts: [0, 0, 0, 1, 0] }), Some(1.0));
        assert_eq!(likelihood_of_superiority(&Pentanomial { counts: [0, 0, 3, 0, 0] }), Some(0.5));
    }

    #[test]
    fn one_pair_decides_nothing() {
        for place in 0..5 {
            let mut pairs = Pentanomial::default();
            pairs.counts[place] = 1;
            assert_eq!(p_value(&pairs, 0.5), Some(1.0));
        }
        assert_eq!(p_value(&Pentanomial::default(), 0.5), None);
    }

    proptest! {
        #[test]
        fn any_counts_have_a_probability(
            counts: [u64; 5],
            small in proptest::array::uniform5(0u64..3),
            null in 0.0f64..=1.0,
        ) {
            for pairs in [Pentanomial { counts }, Pentanomial { counts: small }] {
                prop_assert_eq!(p_value(&pairs, null).is_some(), pairs.pairs() > 0);
                prop_assert!(p_value(&pairs, null).is_none_or(|p| (0.0..=1.0).contains(&p)));
                prop_assert!(likelihood_of_superiority(&pairs).is_none_or(|p| (0.0..=1.0).contains(&p)));
            }
        }

        #[test]
        fn turning_the_board_changes_nothing(counts in proptest::array::uniform5(0u64..50)) {
            let pairs = Pentanomial { counts };
            let mut turned = pairs;
            turned.counts.reverse();
            if let (Some(one), Some(other)) = (p_value(&pairs, 0.5), p_value(&turned, 0.5)) {
                prop_assert!((one - other).abs() < 1e-9);
            }
        }
    }
}
