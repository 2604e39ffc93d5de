//! What peers send, made safe for a log or a terminal.

/// Texts are cut here; a log is not the place for a rule sheet.
const LONGEST: usize = 400;

/// One line without control characters, and not too long.
///
/// ```
/// assert_eq!(spinney_ggp::printable::printable("a\n\u{1b}[2Jb"), "a\\n\\u{1b}[2Jb");
/// ```
pub fn printable(text: &str) -> String {
    let mut line = String::new();
    for (number, character) in text.chars().enumerate() {
        if number == LONGEST {
            line.push('…');
            break;
        }
        if is_plain(character) {
            line.push(character);
        } else {
            line.extend(character.escape_default());
        }
    }
    line
}

/// Whether a terminal shows the character and nothing else happens: no control, no line end, no change of direction.
fn is_plain(character: char) -> bool {
    let is_turn = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !character.is_control() && !is_turn && !matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_dangerous_is_escaped() {
        assert_eq!(printable("(mark 1 1) – größer"), "(mark 1 1) – größer");
        assert_eq!(printable("a\r\nb\0\u{7f}\u{9b}\u{202e}"), "a\\r\\nb\\u{0}\\u{7f}\\u{9b}\\u{202e}");
        assert_eq!(printable(&"x".repeat(1000)).chars().count(), LONGEST + 1);
    }
}
