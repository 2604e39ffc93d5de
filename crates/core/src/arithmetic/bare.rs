//! What the standard library does by an instruction of the machine, in whole numbers: exactly rounded, so the same.

/// Operations that IEEE 754 rounds exactly and that `core` does not have.
///
/// Without the standard library it is to be in scope where such a method is called: `use Rounded as _`.
pub trait Rounded {
    /// The square root.
    #[must_use]
    fn sqrt(self) -> Self;
    /// The nearest whole number, the even one of two that are equally near.
    #[must_use]
    fn round_ties_even(self) -> Self;
}

/// Kernels have instructions for both.
#[cfg(target_arch = "nvptx64")]
impl Rounded for f64 {
    #[inline(always)]
    fn sqrt(self) -> f64 {
        core::f64::math::sqrt(self)
    }

    #[inline(always)]
    fn round_ties_even(self) -> f64 {
        core::f64::math::round_ties_even(self)
    }
}

/// Kernels have instructions for both.
#[cfg(target_arch = "nvptx64")]
impl Rounded for f32 {
    #[inline(always)]
    fn sqrt(self) -> f32 {
        core::f32::math::sqrt(self)
    }

    #[inline(always)]
    fn round_ties_even(self) -> f32 {
        core::f32::math::round_ties_even(self)
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl Rounded for f64 {
    fn sqrt(self) -> f64 {
        if self.is_nan() || self == 0.0 || self == f64::INFINITY {
            return self;
        }
        if self < 0.0 {
            return f64::NAN;
        }
        // x = m 2^e with 2^52 <= m and an even e, so that √x = √(m 2^60) 2^(e / 2 - 30).
        let (bits, scale) =
            if self < f64::MIN_POSITIVE { ((self * TWO_TO_54).to_bits(), 54) } else { (self.to_bits(), 0) };
        let exponent = (bits >> 52) as i32 - 1075 - scale;
        let mantissa = u128::from(bits & ((1 << 52) - 1) | 1 << 52) << (exponent & 1);
        let square = mantissa << 60;
        let root = square.isqrt();
        // The last bit says whether anything is left: enough to round as if all digits were known.
        let rounded = (root << 1 | u128::from(root * root != square)) as f64;
        rounded * f64::from_bits(((1023 + (exponent >> 1) - 31) as u64) << 52)
    }

    fn round_ties_even(self) -> f64 {
        // From here on numbers have no fractions, and what is added and taken away again rounds them off.
        const WHOLE: f64 = 4_503_599_627_370_496.0;
        if self.is_nan() || self.abs() >= WHOLE { self } else { ((self.abs() + WHOLE) - WHOLE).copysign(self) }
    }
}

#[cfg(not(target_arch = "nvptx64"))]
const TWO_TO_54: f64 = (1u64 << 54) as f64;

#[cfg(not(target_arch = "nvptx64"))]
impl Rounded for f32 {
    fn sqrt(self) -> f32 {
        // f64 has more than twice the digits, so rounding twice is rounding once.
        Rounded::sqrt(f64::from(self)) as f32
    }

    fn round_ties_even(self) -> f32 {
        Rounded::round_ties_even(f64::from(self)) as f32
    }
}
