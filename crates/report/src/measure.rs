//! How wide text will be, without knowing the font: estimates a little above those of common sans-serif fonts.

use unicode_width::UnicodeWidthChar;

/// Width of a text in the unit of its font size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

fn em(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' | '\u{202f}' => 0.30,
        ' ' | 'f' | 't' | 'r' | 'I' | '(' | ')' | '[' | ']' | '{' | '}' | '/' | '-' => 0.40,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' => 0.93,
        '+' | '=' | '<' | '>' | '±' | '−' | '≠' | '≈' | '~' => 0.68,
        'A'..='Z' => 0.72,
        'a'..='z' => 0.61,
        '0'..='9' => 0.635,
        _ => match character.width().unwrap_or(0) {
            0 => 0.0,
            1 => 0.68,
            _ => 1.05,
        },
    }
}

/// The text, or as much of it as fits before an ellipsis.
pub(crate) fn fit(text: &str, size: f64, available: f64) -> String {
    if width(text, size) <= available {
        return text.to_owned();
    }
    let mut room = available - width("…", size);
    let mut out = String::new();
    for character in text.chars() {
        room -= em(character) * size;
        if room < 0.0 {
            break;
        }
        out.push(character);
    }
    out.truncate(out.trim_end().len());
    out.push('…');
    out
}

/// The text in at most so many lines, broken at spaces, each shortened if it still does not fit.
pub(crate) fn wrap(text: &str, size: f64, available: f64, most_lines: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let full = lines.len() >= most_lines;
        match lines.last_mut() {
            // What does not fit any more goes to the last line and is cut there.
            Some(line) if full || width(line, size) + width(" ", size) + width(word, size) <= available => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| fit(line, size, available)).collect()
}

/// Places boxes of these widths in lines from left to right; returns their corners and the number of lines.
pub(crate) fn flow(widths: &[f64], available: f64, gap: f64, line_height: f64) -> (Vec<(f64, f64)>, usize) {
    let (mut x, mut line) = (0.0, 0_usize);
    let mut places = Vec::with_capacity(widths.len());
    for &width in widths {
        if x > 0.0 && x + width > available {
            (x, line) = (0.0, line + 1);
        }
        places.push((x, line as f64 * line_height));
        x += width + gap;
    }
    (places, line + usize::from(!widths.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_only_when_it_must_be() {
        assert_eq!(fit("breakthrough", 10.0, 200.0), "breakthrough");
        let cut = fit("breakthrough", 10.0, 40.0);
        assert!(cut.ends_with('…') && width(&cut, 10.0) <= 40.0, "{cut}");
        assert_eq!(wrap("one two three", 10.0, 45.0, 3), ["one two", "three"]);
        let lines = wrap("one two three four five six", 10.0, 45.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].ends_with('…'));
    }

    #[test]
    fn boxes_flow_into_lines() {
        let (places, lines) = flow(&[40.0, 40.0, 40.0], 100.0, 10.0, 20.0);
        assert_eq!(places, [(0.0, 0.0), (50.0, 0.0), (0.0, 20.0)]);
        assert_eq!(lines, 2);
    }
}
