//! Options and what is nested in them, as `spinney agents` and `spinney games` explain them.

use crate::text::{line_width, wrapped};
use spinney_core::options::{Games, OptionInfo, OptionKind, OptionPart, OptionWord};
use std::fmt::Write;

/// How much further in a line stands than what it belongs to.
const STEP: usize = 4;

/// The fewest columns in which a text can be read.
const NARROWEST: usize = 20;

/// Options for a person, one line each.
pub fn short(options: &[OptionInfo]) -> String {
    let mut text = String::new();
    let width = width(options.iter().map(|option| option.key));
    for option in options {
        let about = format!("{}{}: {}{}", option.help, audience(option.games), option.kind, default(option));
        line(&mut text, STEP, width, option.key, &about);
    }
    text
}

/// Options with all that is nested in them below each.
pub fn whole(options: &[OptionInfo]) -> String {
    let mut text = String::new();
    add_options(&mut text, STEP, options);
    text
}

/// What an agent's text can hold.
#[derive(Clone, Copy)]
pub enum Thing<'a> {
    /// `key=…`
    Option(&'a OptionInfo),
    /// `name(…)`
    Part(&'a OptionPart),
    /// A word.
    Word(&'a OptionWord),
}

impl Thing<'_> {
    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Thing::Option(option) => option.key,
            Thing::Part(part) => part.name,
            Thing::Word(word) => word.word,
        }
    }

    /// What it does.
    pub fn help(&self) -> &str {
        match self {
            Thing::Option(option) => &option.help,
            Thing::Part(part) => &part.help,
            Thing::Word(word) => &word.help,
        }
    }

    /// Which games it is for.
    pub fn games(&self) -> Games {
        match self {
            Thing::Option(option) => option.games,
            Thing::Part(part) => part.games,
            Thing::Word(word) => word.games,
        }
    }

    /// All about it, below its name.
    pub fn text(&self) -> String {
        let mut text = String::new();
        match self {
            Thing::Option(option) => {
                let _ = writeln!(text, "{:STEP$}{}{}", "", brief(&option.kind), default(option));
                add_kind(&mut text, STEP, &option.kind);
            }
            Thing::Part(part) => add_options(&mut text, STEP, &part.options),
            Thing::Word(_) => {}
        }
        text
    }
}

/// Tells of everything in these options, from the outside in, and how each is written; `name` is that of the agent.
pub fn walk<'a>(name: &str, options: &'a [OptionInfo], tell: &mut impl FnMut(Thing<'a>, String)) {
    walk_options(&format!("{name}("), ")", options, tell);
}

fn walk_options<'a>(before: &str, after: &str, options: &'a [OptionInfo], tell: &mut impl FnMut(Thing<'a>, String)) {
    for option in options {
        let value = match option.kind {
            OptionKind::Flag => "",
            OptionKind::Brackets(_) => "(…)",
            _ => "=…",
        };
        tell(Thing::Option(option), format!("{before}{}{value}{after}", option.key));
        walk_kind(&format!("{before}{}", option.key), after, &option.kind, tell);
    }
}

fn walk_kind<'a>(before: &str, after: &str, kind: &'a OptionKind, tell: &mut impl FnMut(Thing<'a>, String)) {
    match kind {
        OptionKind::Words(words) => {
            words.iter().for_each(|word| tell(Thing::Word(word), format!("{before}={}{after}", word.word)));
        }
        OptionKind::Parts { one_of, any_of } => {
            for part in one_of.iter().chain(any_of) {
                let brackets = if part.options.is_empty() { "" } else { "(…)" };
                tell(Thing::Part(part), format!("{before}={}{brackets}{after}", part.name));
                walk_options(&format!("{before}={}(", part.name), &format!("){after}"), &part.options, tell);
            }
        }
        OptionKind::Brackets(options) => {
            walk_options(&format!("{before}("), &format!("){after}"), options, tell);
        }
        OptionKind::Either(kinds) => kinds.iter().for_each(|kind| walk_kind(before, after, kind, tell)),
        _ => {}
    }
}

fn line(text: &mut String, indent: usize, width: usize, name: &str, about: &str) {
    let (head, column) = (format!("{:indent$}{name:<width$}", ""), indent + width + 1);
    // Where there is a screen, what does not fit goes on below, not at its edge.
    match line_width().filter(|screen| column + NARROWEST < *screen) {
        Some(screen) => {
            let rest = wrapped(about.split(' '), " ", column, screen);
            let _ = writeln!(text, "{head} {}", rest.trim());
        }
        None => {
            let _ = writeln!(text, "{head} {about}");
        }
    }
}

/// The width of a column of names.
fn width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.map(str::len).max().unwrap_or(0).max(12)
}

/// What help texts add to that which is not for all games.
pub fn audience(games: Games) -> String {
    if games == Games::All { String::new() } else { format!(", in {games}") }
}

fn default(option: &OptionInfo) -> String {
    if option.default.is_empty() { String::new() } else { format!(" [{}]", option.default) }
}

fn add_options(text: &mut String, indent: usize, options: &[OptionInfo]) {
    let width = width(options.iter().map(|option| option.key));
    for option in options {
        let about = format!("{}{}: {}{}", option.help, audience(option.games), brief(&option.kind), default(option));
        line(text, indent, width, option.key, &about);
        add_kind(text, indent + STEP, &option.kind);
    }
}

fn add_kind(text: &mut String, indent: usize, kind: &OptionKind) {
    match kind {
        OptionKind::Words(words) => {
            let width = width(words.iter().map(|word| word.word));
            let help = |word: &OptionWord| format!("{}{}", word.help, audience(word.games));
            words.iter().for_each(|word| line(text, indent, width, word.word, &help(word)));
        }
        OptionKind::Parts { one_of, any_of } => {
            let width = width(one_of.iter().chain(any_of).map(|part| part.name));
            for part in one_of.iter().chain(any_of) {
                line(text, indent, width, part.name, &format!("{}{}", part.help, audience(part.games)));
                add_options(text, indent + STEP, &part.options);
            }
        }
        OptionKind::Brackets(options) => add_options(text, indent, options),
        OptionKind::Either(kinds) => kinds.iter().for_each(|kind| add_kind(text, indent, kind)),
        _ => {}
    }
}

/// What values there are, where their parts follow below.
fn brief(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Words(_) => "one of these".to_string(),
        OptionKind::Parts { any_of, .. } if any_of.is_empty() => "one of these".to_string(),
        OptionKind::Parts { one_of, .. } if one_of.is_empty() => "some of these joined by `+`".to_string(),
        OptionKind::Parts { one_of, .. } => {
            let names: Vec<&str> = one_of.iter().map(|part| part.name).collect();
            format!("{}, with any of the others joined by `+`", names.join(" or "))
        }
        OptionKind::Brackets(_) => "alone, or with these in brackets".to_string(),
        OptionKind::Either(kinds) => {
            let phrases = kinds.iter().flat_map(|kind| match kind {
                OptionKind::Words(words) => words.iter().map(|word| word.word.to_string()).collect(),
                other => vec![brief(other)],
            });
            let phrases: Vec<String> = phrases.collect();
            match phrases.split_last() {
                Some((last, others)) if !others.is_empty() => format!("{}, or {last}", others.join(", ")),
                _ => phrases.concat(),
            }
        }
        other => other.to_string(),
    }
}
