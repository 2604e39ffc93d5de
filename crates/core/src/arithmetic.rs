//! Functions that the platform's library would round differently from machine to machine.
//!
//! What decides a move uses only exactly rounded operations (+ − × ÷ √), so that the same search gives the same
//! game everywhere.

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
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let u = t * t;
    let series = 1.0 + u * (1.0 / 3.0 + u * (1.0 / 5.0 + u * (1.0 / 7.0 + u * (1.0 / 9.0))));
    (f64::from(exponent) * std::f64::consts::LN_2 + 2.0 * t * series) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

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
