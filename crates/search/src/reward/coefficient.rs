//! a, the weight of a bonus: given, or a′ measured while the search runs.
//!
//! a′ = |Cov(Y^ρ, Y) / Var(Y)| where Y is the length or quality of a simulation and Y^ρ is Y if the searching
//! player ρ won and 0 otherwise (Pepels, Tak, Lanctot and Winands, ECAI 2014, section 3).

use spinney_stats::Covariance;

/// The pair (Y^ρ, Y) of one simulation goes into `covariance`.
#[inline]
pub fn observe(covariance: &mut Covariance, y: f64, searcher_won: bool) {
    covariance.add(if searcher_won { y } else { 0.0 }, y);
}

/// Cov(Y^ρ, Y) / Var(Y), or `None` while Y does not vary.
#[inline]
pub fn signed(covariance: &Covariance) -> Option<f64> {
    covariance.slope()
}

/// a′.
///
/// ```
/// use spinney_search::reward::coefficient::{magnitude, observe};
/// let mut covariance = Default::default();
/// for (y, won) in [(4.0, true), (6.0, true), (4.0, false), (6.0, false)] {
///     observe(&mut covariance, y, won);
/// }
/// // Winning does not depend on Y: a′ is the chance of a win.
/// assert!((magnitude(&covariance).unwrap() - 0.5).abs() < 1e-12);
/// ```
#[inline]
pub fn magnitude(covariance: &Covariance) -> Option<f64> {
    signed(covariance).map(f64::abs)
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

    /// Y = 1, 2, 3, 4; ρ won the last two: Y^ρ = 0, 0, 3, 4. By hand: Cov = 23/4 − 7/4 · 10/4 + … = 1.875, Var = 1.25.
    #[test]
    fn the_coefficient_of_four_simulations_by_hand() {
        let mut covariance = Covariance::default();
        for (y, won) in [(1.0, false), (2.0, false), (3.0, true), (4.0, true)] {
            observe(&mut covariance, y, won);
        }
        assert!((covariance.covariance() - 1.875).abs() < 1e-12);
        assert!((magnitude(&covariance).unwrap() - 1.5).abs() < 1e-12);
    }

    #[test]
    fn the_magnitude_has_no_sign() {
        let mut covariance = Covariance::default();
        for (y, won) in [(1.0, true), (2.0, true), (30.0, false), (40.0, false)] {
            observe(&mut covariance, y, won);
        }
        let slope = signed(&covariance).unwrap();
        assert!(slope < 0.0);
        assert_eq!(magnitude(&covariance), Some(-slope));
        assert_eq!(magnitude(&Covariance::default()), None);
    }

    #[test]
    fn equal_variates_share_one_weight() {
        assert_eq!(joint([0.5, 0.5], 1.0), [0.25, 0.25]);
        let [a, b] = joint([0.5, 0.5], -0.5);
        assert_eq!((a, b), (1.0, 1.0));
    }
}
