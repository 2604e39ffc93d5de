//! The rules of the games for those who play them: the texts of `data/rules`, which also stand in this documentation.

/// How a game is played, as a text for people.
///
/// ```
/// let manual = spinney_games::manual::of("breakthrough").unwrap();
/// assert_eq!(manual.title(), "Breakthrough");
/// assert!(manual.text().contains("Whoever brings a pawn"));
/// assert_eq!(manual.pictures()[0].moves.len(), 5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manual {
    source: &'static str,
}

/// A position that shows something of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Where the moves begin; the initial position when `None`.
    pub position: Option<&'static str>,
    /// What was moved since.
    pub moves: Vec<&'static str>,
    /// What is to be seen.
    pub caption: &'static str,
}

const TEXTS: &[(&str, &str)] = &[
    ("amazons", include_str!("../rules/amazons.md")),
    ("breakthrough", include_str!("../rules/breakthrough.md")),
    ("cannon", include_str!("../rules/cannon.md")),
    ("cant-stop", include_str!("../rules/cant-stop.md")),
    ("checkers", include_str!("../rules/checkers.md")),
    ("chinese-checkers", include_str!("../rules/chinese-checkers.md")),
    ("dominion", include_str!("../rules/dominion.md")),
    ("havannah", include_str!("../rules/havannah.md")),
    ("pentalath", include_str!("../rules/pentalath.md")),
    ("pig", include_str!("../rules/pig.md")),
    ("pig-race", include_str!("../rules/pig-race.md")),
    ("tic-tac-toe", include_str!("../rules/tic-tac-toe.md")),
];

/// The rules of the game of this name; rule sheets have none but themselves.
pub fn of(name: &str) -> Option<Manual> {
    TEXTS.iter().find(|(known, _)| *known == name).map(|(_, source)| Manual { source })
}

/// How a picture is noted in a text: where Markdown shows nothing.
const PICTURE: &str = "<!-- picture: ";

impl Manual {
    /// The name of the game as people write it.
    pub fn title(&self) -> &'static str {
        self.source.lines().next().unwrap_or_default().trim_start_matches("# ")
    }

    /// The rules as Markdown, without title and pictures: paragraphs, lists, `**strong**`, `*stressed*` and code.
    pub fn text(&self) -> &'static str {
        let end = self.source.find(PICTURE).unwrap_or(self.source.len());
        let begin = self.source.find('\n').unwrap_or(0);
        self.source[begin..end].trim()
    }

    /// Positions that belong to the text.
    pub fn pictures(&self) -> Vec<Picture> {
        let notes = self.source.lines().filter_map(|line| line.strip_prefix(PICTURE)?.strip_suffix(" -->"));
        let picture = |note: &'static str| {
            let (what, caption) = note.split_once(" | ")?;
            let (kind, rest) = what.split_once(' ')?;
            let moves = if kind == "moves" { rest.split(' ').collect() } else { Vec::new() };
            Some(Picture { position: (kind == "position").then_some(rest), moves, caption })
        };
        notes.filter_map(picture).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_its_rules_in_few_words() {
        for entry in crate::entries().iter().filter(|entry| entry.name != "gdl") {
            let manual = of(entry.name).unwrap_or_else(|| panic!("{} has no rules", entry.name));
            let words = manual.text().split_whitespace().count();
            assert!((60..=250).contains(&words), "{}: {words} words", entry.name);
            assert!(manual.pictures().len() <= 2 && !manual.title().is_empty(), "{}", entry.name);
            assert_eq!(manual.source.matches(PICTURE).count(), manual.pictures().len(), "{}", entry.name);
        }
    }
}
