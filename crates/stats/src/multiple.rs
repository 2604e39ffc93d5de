//! Many tests at once.

/// P-values corrected by Holm's (1979) step-down method, in the order given.
///
/// Rejecting where a corrected value is at most α keeps the chance of even one false alarm among all tests below α,
/// whatever their dependence. What is no probability (NaN among it) counts as 1.
///
/// ```
/// let corrected = spinney_stats::holm(&[0.01, 0.04, 0.03]);
/// assert!((corrected[0] - 0.03).abs() < 1e-12);
/// assert!((corrected[1] - 0.06).abs() < 1e-12 && (corrected[2] - 0.06).abs() < 1e-12);
/// ```
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let valid = |p: f64| if (0.0..=1.0).contains(&p) { p } else { 1.0 };
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&one, &other| valid(p_values[one]).total_cmp(&valid(p_values[other])));
    let mut corrected = vec![1.0; p_values.len()];
    let mut largest = 0.0f64;
    for (rank, &place) in order.iter().enumerate() {
        let tests_left = (p_values.len() - rank) as f64;
        largest = largest.max((valid(p_values[place]) * tests_left).min(1.0));
        corrected[place] = largest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn statsmodels_has_the_same_values() {
        // statsmodels 0.15.0: multipletests(p, method="holm").
        let p_values = [0.01, 0.02, 0.03, 0.04, 0.05, 0.001, 0.9, 0.03];
        let corrected = [0.07, 0.12, 0.15, 0.15, 0.15, 0.008, 0.9, 0.15];
        for (ours, theirs) in holm(&p_values).iter().zip(corrected) {
            assert!((ours - theirs).abs() < 1e-12, "{ours} {theirs}");
        }
        assert_eq!(holm(&[]), Vec::<f64>::new());
    }

    proptest! {
        #[test]
        fn correction_only_raises(p_values in prop::collection::vec(0.0f64..=1.0, 0..30)) {
            let corrected = holm(&p_values);
            prop_assert_eq!(corrected.len(), p_values.len());
            for (before, after) in p_values.iter().zip(&corrected) {
                prop_assert!(before <= after && *after <= (before * p_values.len() as f64).max(1.0));
            }
        }

        #[test]
        fn anything_gives_probabilities(p_values in prop::collection::vec(any::<f64>(), 0..30)) {
            prop_assert!(holm(&p_values).iter().all(|p| (0.0..=1.0).contains(p)));
        }
    }
}
