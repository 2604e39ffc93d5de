//! What values an option takes, as data: for forms, for help texts, and for programs that write options themselves.

use super::{Games, OptionSet};
use std::fmt;

/// What is known of one option.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OptionInfo {
    /// The key.
    pub key: &'static str,
    /// What values it takes.
    pub kind: OptionKind,
    /// Its value when left out; empty where that is decided elsewhere.
    pub default: String,
    /// What it does.
    pub help: String,
    /// Which games it is for.
    pub games: Games,
}

impl OptionInfo {
    /// An option from its parts, for all games.
    pub fn new(key: &'static str, kind: OptionKind, default: String, help: &str) -> Self {
        Self { key, kind, default, help: tidy(help), games: Games::All }
    }

    /// The same option for these games.
    #[must_use]
    pub fn only_for(self, games: Games) -> Self {
        Self { games, ..self }
    }
}

/// What values an option takes. [`Display`](fmt::Display) says it in words, as errors and help texts do.
///
/// ```
/// use spinney_core::options::{OptionKind, OptionValue};
/// assert_eq!(u8::kind().within(5.0, 8.0).to_string(), "a whole number from 5 to 8");
/// assert_eq!(bool::kind(), OptionKind::Flag);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum OptionKind {
    /// On or off; a lone key is on.
    Flag,
    /// A whole number.
    Whole(Option<OptionRange>),
    /// A number.
    Number(Option<OptionRange>),
    /// One of these words.
    Words(Vec<OptionWord>),
    /// Named parts joined by `+`, such as `policy+mast(eps=0.7)+cap(plies=200)`.
    Parts {
        /// At most one of these, and exactly one where there is nothing else.
        one_of: Vec<OptionPart>,
        /// Any number of these.
        any_of: Vec<OptionPart>,
    },
    /// A lone key, or options of its own in brackets: `rb(k=2, a=online)`.
    Brackets(Vec<OptionInfo>),
    /// A value of any of these kinds.
    Either(Vec<OptionKind>),
    /// Any text that the grammar can hold.
    Text,
}

/// The ends of a range, both of which belong to it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct OptionRange {
    /// The least value.
    pub low: f64,
    /// The greatest value.
    pub high: f64,
}

/// A word that an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionWord {
    /// The word.
    pub word: &'static str,
    /// What it means.
    pub help: String,
    /// Which games it is for.
    pub games: Games,
}

impl OptionWord {
    /// A word and what it means, for all games.
    pub fn new(word: &'static str, help: &str) -> Self {
        Self { word, help: tidy(help), games: Games::All }
    }

    /// The same word for these games.
    #[must_use]
    pub fn only_for(self, games: Games) -> Self {
        Self { games, ..self }
    }
}

/// A part of a value, such as `mast(eps=0.7)`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OptionPart {
    /// The name before the brackets.
    pub name: &'static str,
    /// What it does.
    pub help: String,
    /// What stands in the brackets.
    pub options: Vec<OptionInfo>,
    /// Which games it is for.
    pub games: Games,
}

impl OptionPart {
    /// A part without options, for all games.
    pub fn plain(name: &'static str, help: &str) -> Self {
        Self { name, help: tidy(help), options: Vec::new(), games: Games::All }
    }

    /// A part whose brackets hold this set of options.
    pub fn of<S: OptionSet>(name: &'static str) -> Self {
        Self { name, help: S::about(), options: S::options(), games: S::GAMES }
    }
}

impl OptionKind {
    /// The same kind with a range, for numbers.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Self {
        let range = Some(OptionRange { low, high });
        match self {
            OptionKind::Whole(_) => OptionKind::Whole(range),
            OptionKind::Number(_) => OptionKind::Number(range),
            other => other,
        }
    }

    /// The kind as one word that stays the same from version to version.
    pub fn word(&self) -> &'static str {
        match self {
            OptionKind::Flag => "flag",
            OptionKind::Whole(_) => "whole",
            OptionKind::Number(_) => "number",
            OptionKind::Words(_) => "words",
            OptionKind::Parts { .. } => "parts",
            OptionKind::Brackets(_) => "brackets",
            OptionKind::Either(_) => "either",
            OptionKind::Text => "text",
        }
    }

    /// What can be written, one phrase each.
    fn phrases(&self) -> Vec<String> {
        match self {
            OptionKind::Words(words) => words.iter().map(|word| word.word.to_string()).collect(),
            OptionKind::Either(kinds) => kinds.iter().flat_map(OptionKind::phrases).collect(),
            other => vec![other.to_string()],
        }
    }
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Flag => f.write_str("on or off"),
            OptionKind::Whole(None) => f.write_str("a whole number"),
            OptionKind::Whole(Some(range)) => write!(f, "a whole number {range}"),
            OptionKind::Number(None) => f.write_str("a number"),
            OptionKind::Number(Some(range)) => write!(f, "a number {range}"),
            OptionKind::Words(_) => f.write_str(&self.phrases().join(", ")),
            OptionKind::Parts { one_of, any_of } => write_parts(f, one_of, any_of),
            OptionKind::Brackets(options) => write!(f, "nothing, or options in brackets: {}", brackets(options)),
            OptionKind::Either(_) => match self.phrases().as_slice() {
                [phrases @ .., last] if !phrases.is_empty() => write!(f, "{}, or {last}", phrases.join(", ")),
                phrases => f.write_str(&phrases.concat()),
            },
            OptionKind::Text => f.write_str("a text"),
        }
    }
}

impl fmt::Display for OptionRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from {} to {}", self.low, self.high)
    }
}

fn write_parts(f: &mut fmt::Formatter<'_>, one_of: &[OptionPart], any_of: &[OptionPart]) -> fmt::Result {
    let any: Vec<String> = any_of.iter().map(|part| format!("{}{}", part.name, brackets(&part.options))).collect();
    let any = any.join(", ");
    if one_of.is_empty() {
        return write!(f, "some of {any} joined by `+`");
    }
    let one = one_of.iter().map(|part| match (any_of.is_empty(), part.options.is_empty()) {
        (false, _) => format!("`{}`", part.name),
        (true, true) => part.name.to_string(),
        (true, false) => format!("{}(…)", part.name),
    });
    let one: Vec<String> = one.collect();
    match one.as_slice() {
        [names @ .., last] if !names.is_empty() => write!(f, "{} or {last}", names.join(", "))?,
        names => f.write_str(&names.concat())?,
    }
    if any_of.is_empty() { Ok(()) } else { write!(f, ", joined by `+` with any of {any}") }
}

/// `(k=…, a=…)`, or nothing without options.
fn brackets(options: &[OptionInfo]) -> String {
    let keys: Vec<String> = options.iter().map(|option| format!("{}=…", option.key)).collect();
    if keys.is_empty() { String::new() } else { format!("({})", keys.join(", ")) }
}

/// A doc comment as a phrase of one line.
pub(super) fn tidy(help: &str) -> String {
    let help = help.trim();
    help.strip_suffix('.').unwrap_or(help).to_string()
}
