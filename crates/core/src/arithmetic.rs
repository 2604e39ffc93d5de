//! Functions that the platform's library would round differently from machine to machine.
//!
//! What decides a move uses only exactly rounded operations (+ − × ÷ √), so that the same search gives the same
//! game everywhere.

#[cfg(any(test, not(feature = "std")))]
mod bare;

#[cfg(not(feature = "std"))]
pub use bare::Rounded;

/// The natural logarithm of a positive whole number, to about one part in 10^8.
///
/// Splits off the power of two and sums the series of 2 artanh((m − 1) / (m + 1)) for 1/√2 ≤ m < √2.
#[inline]
pub fn ln(number: u32) -> f32 {
    debug_assert!(number > 0);
    let value = f64::from(number);
    let bits = value.to_bits();
    let mut exponent = ((bits >> 52) as i32) - 1023;
    let mut mantissa = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    if mantissa > core::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let u = t * t;
    let series = 1.0 + u * (1.0 / 3.0 + u * (1.0 / 5.0 + u * (1.0 / 7.0 + u * (1.0 / 9.0))));
    (f64::from(exponent) * core::f64::consts::LN_2 + 2.0 * t * series) as f32
}

/// e to the power of x, to about one part in 10^11; what is beyond ±700 counts as ±700.
#[inline]
pub fn exp(x: f64) -> f64 {
    exp_of_all([x])[0]
}

/// [`exp`] of several numbers, which takes no longer than of one where vectors hold them.
///
/// Splits off the power of two and sums the series for |r| ≤ ln 2 / 2.
#[inline]
pub fn exp_of_all<const N: usize>(x: [f64; N]) -> [f64; N] {
    // The two parts of ln 2: products of the first with small whole numbers are exact.
    const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
    const LN_2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
    // Added to a small whole number, this leaves it in the low bits.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    let x = x.map(|x| x.clamp(-700.0, 700.0));
    let power = x.map(|x| (x * core::f64::consts::LOG2_E).round_ties_even());
    let r: [f64; N] = core::array::from_fn(|i| (x[i] - power[i] * LN_2_HIGH) - power[i] * LN_2_LOW);
    let mut series = [1.0; N];
    for reciprocal in [1.0 / 10.0, 1.0 / 9.0, 0.125, 1.0 / 7.0, 1.0 / 6.0, 0.2, 0.25, 1.0 / 3.0, 0.5, 1.0] {
        series = core::array::from_fn(|i| 1.0 + r[i] * reciprocal * series[i]);
    }
    core::array::from_fn(|i| series[i] * f64::from_bits((power[i] + WHOLE).to_bits().wrapping_add(1023) << 52))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Of every number, with and without the standard library.
    fn are_rounded_alike(double: f64, single: f32) {
        let (bits, of) = (f64::to_bits, f32::to_bits);
        let alike = |ours: f64, theirs: f64| bits(ours) == bits(theirs) || ours.is_nan() && theirs.is_nan();
        assert!(alike(bare::Rounded::sqrt(double), double.sqrt()), "√{double:e}");
        assert!(alike(bare::Rounded::round_ties_even(double), double.round_ties_even()), "{double:e}");
        let alike = |ours: f32, theirs: f32| of(ours) == of(theirs) || ours.is_nan() && theirs.is_nan();
        assert!(alike(bare::Rounded::sqrt(single), single.sqrt()), "√{single:e}");
        assert!(alike(bare::Rounded::round_ties_even(single), single.round_ties_even()), "{single:e}");
    }

    proptest! {
        #[test]
        fn what_is_rounded_in_whole_numbers_is_rounded_alike(bits: u64, quarters in -10_000i32..10_000) {
            are_rounded_alike(f64::from_bits(bits), f32::from_bits(bits as u32));
            let small = f64::from(quarters) / 4.0;
            are_rounded_alike(small, small as f32);
            are_rounded_alike(small * small, (small * small) as f32);
            are_rounded_alike(f64::from_bits(bits >> 12), f32::from_bits(bits as u32 >> 9));
        }
    }

    #[test]
    fn special_numbers_are_rounded_alike() {
        for x in [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 1.5, 2.5, -0.5, 1e300, f64::MIN_POSITIVE, f64::MAX, f64::EPSILON] {
            are_rounded_alike(x, x as f32);
        }
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 4_503_599_627_370_495.5, 4_503_599_627_370_497.0] {
            are_rounded_alike(x, x as f32);
        }
        are_rounded_alike(f64::from_bits(1), f32::from_bits(1));
    }

    #[test]
    fn exp_is_close_to_the_library() {
        for step in -7000..=7000 {
            let x = f64::from(step) * 0.1;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-11, "exp({x}) is {}", exp(x));
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp_of_all([-3.5, 700.0, 0.25]), [-3.5, 700.0, 0.25].map(exp));
        assert_eq!(exp(-1e9), exp(-700.0));
        assert!(exp(f64::NAN).is_nan());
    }

    #[test]
    fn ln_is_close_to_the_library() {
        for number in (1..10_000).chain([u32::MAX, 1 << 31, 123_456_789]) {
            let exact = f64::from(number).ln();
            let error = (f64::from(ln(number)) - exact).abs();
            assert!(error <= 1e-7 * exact.max(1.0), "ln({number}) is off by {error}");
        }
        assert_eq!(ln(1), 0.0);
    }
}
