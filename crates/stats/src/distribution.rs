//! Distribution functions and quantiles, defined for every argument.

use statrs::function::{beta::checked_beta_reg, erf};
use std::f64::consts::SQRT_2;

/// Above so many degrees of freedom Student's t is taken as normal: they differ by less than 1/(4·freedom).
const NORMAL_FREEDOM: f64 = 20_000.0;

/// P(Z ≤ x) of the standard normal distribution.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    0.5 * erf::erfc(-x / SQRT_2)
}

/// The x with P(Z ≤ x) = `probability`; ±∞ at 0 and 1.
pub(crate) fn normal_quantile(probability: f64) -> f64 {
    -SQRT_2 * erf::erfc_inv(2.0 * probability.clamp(0.0, 1.0))
}

/// P(|T| ≥ |t|) of Student's t distribution.
pub(crate) fn student_two_sided(t: f64, freedom: f64) -> f64 {
    let t = t.abs();
    if freedom > NORMAL_FREEDOM {
        return 2.0 * normal_cdf(-t);
    }
    let share = freedom / (freedom + t * t);
    checked_beta_reg(0.5 * freedom, 0.5, share).unwrap_or(1.0).clamp(0.0, 1.0)
}

/// The x with P(X ≤ x) = `probability` of the beta distribution, by bisection: it ends whatever the shape.
pub(crate) fn beta_quantile(probability: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        match checked_beta_reg(a, b, middle) {
            Ok(below) if below < probability => low = middle,
            _ => high = middle,
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn scipy_has_the_same_values() {
        // SciPy 1.17.1: norm.cdf, norm.ppf, 2·t.sf, beta.ppf.
        for (x, cdf) in NORMAL {
            assert!((normal_cdf(x) / cdf - 1.0).abs() < 1e-10, "{x}");
            assert!((normal_quantile(cdf) - x).abs() < 1e-9, "{x}");
        }
        for (t, freedom, p) in STUDENT {
            let ours = student_two_sided(t, freedom);
            assert!((ours / p - 1.0).abs() < 1e-7, "{t} {freedom}: {ours}");
        }
        for (probability, a, b, x) in BETA {
            let ours = beta_quantile(probability, a, b);
            assert!((ours / x - 1.0).abs() < 1e-9, "{a} {b}: {ours}");
        }
    }

    proptest! {
        #[test]
        fn probabilities_are_probabilities(t in any::<f64>(), freedom in 1.0f64..1e9) {
            prop_assume!(!t.is_nan());
            let p = student_two_sided(t, freedom);
            prop_assert!((0.0..=1.0).contains(&p), "{}", p);
            prop_assert!((0.0..=1.0).contains(&normal_cdf(t)));
        }
    }

    const NORMAL: [(f64, f64); 6] = [
        (-6.0, 9.865876450376946e-10),
        (-1.959963984540054, 0.025),
        (-0.5, 0.3085375387259869),
        (0.0, 0.5),
        (1.0, 0.8413447460685429),
        (2.5, 0.9937903346742238),
    ];
    const STUDENT: [(f64, f64, f64); 7] = [
        (1.0, 1.0, 0.5000000000000001),
        (2.262157162740992, 9.0, 0.0500000000046757),
        (-0.3, 4.0, 0.7791214282774598),
        (5.0, 30.0, 2.32966854670078e-05),
        (3.5, 499.0, 0.000506941305300823),
        (1.97, 9999.0, 0.04886592429835738),
        (2.1, 19999.0, 0.035741334653473567),
    ];
    const BETA: [(f64, f64, f64, f64); 7] = [
        (0.025, 1.0, 10.0, 0.0025285785444617848),
        (0.025, 81.0, 20.0, 0.7193020420263876),
        (0.975, 500.0, 501.0, 0.5304537166614578),
        (0.025, 5001.0, 5000.0, 0.4902513516515986),
        (0.975, 10000.0, 9001.0, 0.5333847202135551),
        (0.025, 3.0, 19998.0, 3.093467444528525e-05),
        (0.975, 9999.0, 2.0, 0.9999757781543596),
    ];
}
