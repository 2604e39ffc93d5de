//! Numbers as people read them: fixed precision, never "NaN", never "-0.0".

use crate::data::{Comparison, Literature};

/// What stands where there is no value.
pub(crate) const MISSING: &str = "–";

/// Beyond this, arithmetic on axes would lose its meaning; such values count as missing.
const LARGEST: f64 = 1e15;

/// The value, if it can be drawn and written.
pub(crate) fn usable(value: f64) -> Option<f64> {
    (value.is_finite() && value.abs() < LARGEST).then_some(value)
}

/// Both ends in rising order, if both can be drawn.
pub(crate) fn usable_interval(interval: Option<(f64, f64)>) -> Option<(f64, f64)> {
    let (low, high) = interval?;
    let (low, high) = (usable(low)?, usable(high)?);
    Some((low.min(high), low.max(high)))
}

/// A fraction in percent, if it is one.
pub(crate) fn percentage(fraction: f64) -> Option<f64> {
    usable(fraction).map(|fraction| 100.0 * fraction.clamp(0.0, 1.0))
}

/// Both ends of an interval of fractions in percent.
pub(crate) fn percentages(interval: Option<(f64, f64)>) -> Option<(f64, f64)> {
    let (low, high) = usable_interval(interval)?;
    Some((percentage(low)?, percentage(high)?))
}

/// A number with so many decimals and a true minus sign.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    let Some(value) = usable(value) else { return MISSING.to_owned() };
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        None => text,
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.to_owned(),
        Some(digits) => format!("−{digits}"),
    }
}

/// A number with its sign; infinities have a meaning here (nobody lost a game).
pub(crate) fn signed(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "+∞" } else { "−∞" }.to_owned();
    }
    let text = fixed(value, 0);
    if value > 0.0 && text != "0" && text != MISSING { format!("+{text}") } else { text }
}

/// A count in groups of three digits with `gap` between them.
///
/// ```
/// assert_eq!(spinney_report::grouped(1_234_567, ' '), "1 234 567");
/// ```
pub fn grouped(value: u64, gap: char) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        // Four digits read well without a gap, but columns of counts then do not line up.
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(gap);
        }
        text.push(digit);
    }
    text
}

/// The same as reports write it.
pub(crate) fn count(value: u64) -> String {
    grouped(value, '\u{202f}')
}

/// A mean with as many decimals as its size deserves.
pub(crate) fn mean(value: f64) -> String {
    match usable(value) {
        None => MISSING.to_owned(),
        Some(value) if value.abs() >= 999.5 && value > 0.0 => count(value.round() as u64),
        Some(value) if value.abs() >= 99.95 => fixed(value, 0),
        Some(value) if value.abs() >= 9.995 => fixed(value, 1),
        Some(value) => fixed(value, 2),
    }
}

/// Any number with four significant digits, for values whose size nobody knows.
pub(crate) fn significant(value: f64) -> String {
    match usable(value) {
        Some(value) if value != 0.0 && value.abs() < 1e-6 => format!("{value:.3e}").replace('-', "−"),
        Some(value) if value >= 1000.0 => count(value.round() as u64),
        Some(value) if value != 0.0 => {
            let text = fixed(value, (3.0 - value.abs().log10().floor()).clamp(0.0, 9.0) as usize);
            if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
        }
        other => fixed(other.unwrap_or(f64::NAN), 0),
    }
}

/// A fraction in percent without the sign.
pub(crate) fn percent(fraction: f64) -> String {
    percentage(fraction).map_or_else(|| MISSING.to_owned(), |value| fixed(value, 1))
}

/// An interval of fractions in percent.
pub(crate) fn interval(interval: Option<(f64, f64)>) -> String {
    percentages(interval)
        .map_or_else(|| MISSING.to_owned(), |(low, high)| format!("[{}, {}]", fixed(low, 1), fixed(high, 1)))
}

/// Our score with its paired interval.
pub(crate) fn score(cell: &Comparison) -> String {
    if cell.games == 0 {
        return MISSING.to_owned();
    }
    match percentages(cell.interval) {
        Some(_) => format!("{} {}", percent(cell.score), interval(cell.interval)),
        None => percent(cell.score),
    }
}

/// A published score with its margin.
pub(crate) fn published(published: &Literature) -> String {
    match published.margin.and_then(percentage) {
        Some(margin) => format!("{} ± {}", percent(published.score), fixed(margin, 1)),
        None => percent(published.score),
    }
}

/// The published interval in percent, if the paper gives one.
pub(crate) fn published_interval(published: &Literature) -> Option<(f64, f64)> {
    let (score, margin) = (usable(published.score)?, usable(published.margin?)?.abs());
    percentages(Some((score - margin, score + margin)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(fixed(-0.04, 1), "0.0");
        assert_eq!(fixed(-1.25, 1), "−1.2");
        assert_eq!(fixed(f64::NAN, 1), MISSING);
        assert_eq!(signed(41.3), "+41");
        assert_eq!(signed(-0.2), "0");
        assert_eq!(signed(f64::NEG_INFINITY), "−∞");
        assert_eq!(signed(f64::NAN), MISSING);
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(mean(25_000.4), "25\u{202f}000");
        assert_eq!(mean(61.27), "61.3");
        assert_eq!(significant(0.312), "0.312");
        assert_eq!(significant(50.0), "50");
        assert_eq!(significant(-0.000_02), "−0.00002");
        assert_eq!(significant(1e-9), "1.000e−9");
        assert_eq!(interval(Some((0.6, 0.5))), "[50.0, 60.0]");
    }
}
