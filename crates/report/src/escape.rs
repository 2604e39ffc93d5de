//! Foreign text made harmless for each of the three outputs.

/// Text for SVG and HTML, in content and in quoted attributes.
pub(crate) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(character),
            // XML has no way to write these at all.
            _ if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
    out
}

/// One line of Markdown text, also inside a table.
pub(crate) fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in plain(text).chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '$' => {
                out.push('\\');
                out.push(character);
            }
            _ => out.push(character),
        }
    }
    out
}

/// One line of Markdown code, fenced by more backticks than it contains.
pub(crate) fn markdown_code(text: &str) -> String {
    let text = plain(text);
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    match text.trim() {
        "" => String::new(),
        trimmed if longest == 0 => format!("{fence}{trimmed}{fence}"),
        trimmed => format!("{fence} {trimmed} {fence}"),
    }
}

/// One line of text for a terminal: control characters could move the cursor or change its colours.
pub(crate) fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().map(|character| if character.is_control() { '\u{fffd}' } else { character }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(xml("a<b & \"c\"\u{1}"), "a&lt;b &amp; &quot;c&quot;\u{fffd}");
        assert_eq!(markdown("a|b\n*c* <i>"), "a\\|b \\*c\\* &lt;i&gt;");
        assert_eq!(markdown_code("a`b"), "`` a`b ``");
        assert_eq!(markdown_code("a|b"), "`a|b`");
        assert_eq!(plain("a\u{1b}[31m\r\nb"), "a\u{fffd}[31m b");
    }
}
