//! Lists of numbers as short texts, such as `0-7,9`.

/// Ascending numbers as ranges.
pub fn write(numbers: &[u64]) -> String {
    let mut parts: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let words = parts.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    words.collect::<Vec<_>>().join(",")
}

/// No list is longer than this.
const MOST: u64 = 1 << 32;

/// Reads them back; `None` if the text is none of this module.
pub fn read(text: &str) -> Option<Vec<u64>> {
    let mut numbers = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        if last < first || last >= MOST || numbers.last().is_some_and(|known| *known >= first) {
            return None;
        }
        numbers.extend(first..=last);
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_back() {
        assert_eq!(write(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
        for numbers in [vec![], vec![3], vec![0, 1, 2, 5, 7, 8], (0..1000).collect()] {
            assert_eq!(read(&write(&numbers)), Some(numbers));
        }
        for wrong in ["a", "3-1", "1,1", "2,1", "1-", "0-99999999999"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
