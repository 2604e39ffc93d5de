//! Whole numbers as people write them: `1000000`, `1_000_000` or `1e6`.

use std::ops::RangeInclusive;

/// Reads a whole number in a range, for an argument of the command line.
pub fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = read(text).filter(|number| range.contains(number)).and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("write a whole number from {} to {}", range.start(), range.end()))
    }
}

/// The whole number that is written, if it is one.
fn read(text: &str) -> Option<u64> {
    /// Up to here every whole number is exact as a floating-point number.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let digits = text.replace('_', "");
    if !text.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().or_else(|| {
        let number: f64 = digits.parse().ok()?;
        (number.fract() == 0.0 && number <= EXACT).then_some(number as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_in_several_ways() {
        let sims = whole::<u32>(1..=2_000_000);
        for text in ["1000000", "1_000_000", "1e6", "1.0e6"] {
            assert_eq!(sims(text), Ok(1_000_000), "{text}");
        }
        for text in ["0", "3e6", "1.5", "1e-3", "-1", "+1", "NaN", "inf", "", "one", "e6", "_1"] {
            assert_eq!(sims(text), Err("write a whole number from 1 to 2000000".to_string()), "{text}");
        }
        assert_eq!(read("18446744073709551615"), Some(u64::MAX));
        assert_eq!(read("1e17"), None);
    }
}
