//! a, the weight of a bonus: given, or a′ measured while the search runs.
//!
//! a′ = |Cov(Y^ρ, Y) / Var(Y)| where Y is the length or quality of a simulation and Y^ρ is Y if the searching
//! player ρ won and 0 otherwise (Pepels, Tak, Lanctot and Winands, ECAI 2014, section 3).

use spinney_core::{Covariance, Moments};

/// The pair (Y^ρ, Y) of one simulation goes into `covariance`.
#[inline]
pub fn observe(covariance: &mut Covariance, y: f64, searcher_won: bool) {
    covariance.add(if searcher_won { y } else { 0.0 }, y);
}

/// Cov(Y^ρ, Y) / Var(Y) from the moments of Y over the simulations that the searcher and that the opponent won; `None`
/// while Y does not vary. As Y^ρ is Y or 0, nothing else has to be kept.
///
/// ```
/// use spinney_search::reward::coefficient::slope;
/// let [won, lost] = [[4.0, 6.0].into_iter().collect(), [4.0, 6.0].into_iter().collect()];
/// // Winning does not depend on Y: a′ is the chance of a win.
/// assert_eq!(slope(&won, &lost), Some(0.5));
/// ```
#[inline]
pub fn slope(won: &Moments, lost: &Moments) -> Option<f64> {
    let (wins, losses) = (won.count() as f64, lost.count() as f64);
    let apart = won.mean() - lost.mean();
    let between = wins * losses / (wins + losses).max(1.0) * apart;
    let variation = won.squares() + lost.squares() + between * apart;
    (variation > 0.0).then(|| (won.squares() + between * won.mean()) / variation)
}

/// a′ of both bonuses together: the two slopes, each freed of what the other explains already.
///
/// The single a′ are slopes of standardised variables; with the correlation ρ of the two λ they become R⁻¹ a′ with
/// R = (1 ρ; ρ 1), the usual coefficients of two control variates (Lavenberg and Welch, 1981). Where the two say
/// nearly the same, R has no useful inverse and the two share the weight.
///
/// ```
/// use spinney_search::reward::coefficient::joint;
/// assert_eq!(joint([0.5, 0.4], 0.0), [0.5, 0.4]);
/// assert_eq!(joint([0.6, 0.6], 0.5).map(|a| (a * 100.0).round()), [40.0, 40.0]);
/// ```
#[inline]
pub fn joint(single: [f64; 2], correlation: f64) -> [f64; 2] {
    let [relative, qualitative] = single;
    let determinant = 1.0 - correlation * correlation;
    if determinant < 0.05 {
        return single.map(|a| 0.5 * a);
    }
    let share = |own: f64, other: f64| ((own - correlation * other) / determinant).abs();
    [share(relative, qualitative), share(qualitative, relative)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn both(simulations: &[(f64, bool)]) -> [Option<f64>; 2] {
        let mut covariance = Covariance::default();
        let mut moments: [Moments; 2] = Default::default();
        for &(y, won) in simulations {
            observe(&mut covariance, y, won);
            moments[usize::from(won)].add(y);
        }
        [slope(&moments[1], &moments[0]), covariance.slope()]
    }

    /// Y = 1, 2, 3, 4; ρ won the last two: Y^ρ = 0, 0, 3, 4, Cov = 25/4 − 7/4 · 10/4 = 1.875, Var = 1.25.
    #[test]
    fn the_coefficient_of_four_simulations_by_hand() {
        for found in both(&[(1.0, false), (2.0, false), (3.0, true), (4.0, true)]) {
            assert!((found.unwrap() - 1.5).abs() < 1e-12);
        }
    }

    #[test]
    fn long_losses_turn_the_slope_round() {
        for found in both(&[(1.0, true), (2.0, true), (30.0, false), (40.0, false)]) {
            assert!(found.unwrap() < 0.0);
        }
        assert_eq!(both(&[]), [None, None]);
        assert_eq!(both(&[(3.0, true), (3.0, false)]), [None, None]);
    }

    proptest! {
        #[test]
        fn moments_are_enough(simulations in prop::collection::vec((-50.0f64..50.0, any::<bool>()), 3..60)) {
            let [moments, covariance] = both(&simulations).map(Option::unwrap);
            prop_assert!((moments - covariance).abs() < 1e-6 * (1.0 + covariance.abs()));
        }
    }

    #[test]
    fn equal_variates_share_one_weight() {
        assert_eq!(joint([0.5, 0.5], 1.0), [0.25, 0.25]);
        let [a, b] = joint([0.5, 0.5], -0.5);
        assert_eq!((a, b), (1.0, 1.0));
    }
}
