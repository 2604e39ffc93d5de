//! The one error of everything that reads what a person wrote.

use std::fmt::Display;

/// What is wrong with what a person wrote, for programs; [`InputErrorKind::word`] is the same in messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InputErrorKind {
    /// A name that nothing has: of a game, an agent, an option, a part.
    Unknown,
    /// A value that does not fit.
    Misfit,
    /// Something that has to be there is not.
    Missing,
    /// Something is given twice.
    Twice,
    /// Things that are right by themselves do not go together.
    Conflict,
    /// The text cannot be taken apart: brackets, commas, signs.
    Syntax,
    /// The text is no position of the game.
    Position,
    /// The move is unknown or not legal in the position.
    Move,
    /// The rules of a rule sheet.
    Rules,
    /// It does not go with this game.
    Unsupported,
    /// A file that cannot be read, or not as what it should be.
    File,
    /// Anything else.
    #[default]
    Other,
}

impl InputErrorKind {
    /// The kind as one word that stays the same from version to version.
    pub fn word(self) -> &'static str {
        match self {
            InputErrorKind::Unknown => "unknown",
            InputErrorKind::Misfit => "misfit",
            InputErrorKind::Missing => "missing",
            InputErrorKind::Twice => "twice",
            InputErrorKind::Conflict => "conflict",
            InputErrorKind::Syntax => "syntax",
            InputErrorKind::Position => "position",
            InputErrorKind::Move => "move",
            InputErrorKind::Rules => "rules",
            InputErrorKind::Unsupported => "unsupported",
            InputErrorKind::File => "file",
            InputErrorKind::Other => "other",
        }
    }
}

/// Something a person wrote cannot be read: where, what is wrong, and what to do about it, in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputError {
    /// What sort of fault it is.
    pub kind: InputErrorKind,
    /// Where the fault is: "position, row 3", "agent mcts, option c".
    pub place: String,
    /// What is wrong there.
    pub problem: String,
    /// What would be right.
    pub remedy: String,
}

impl Display for InputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { place, problem, remedy, .. } = self;
        write!(f, "{place}: {problem}; {remedy}")
    }
}

impl std::error::Error for InputError {}

impl InputError {
    /// An error from its three parts, of no special kind.
    pub fn new(place: impl Display, problem: impl Display, remedy: impl Display) -> Self {
        let line = |part: &dyn Display| part.to_string().replace(['\n', '\r'], " ");
        let kind = InputErrorKind::default();
        Self { kind, place: line(&place), problem: line(&problem), remedy: line(&remedy) }
    }

    /// The same error of this kind.
    #[must_use]
    pub fn of(mut self, kind: InputErrorKind) -> Self {
        self.kind = kind;
        self
    }

    /// The same error of this kind if it had none yet.
    #[must_use]
    pub fn or(self, kind: InputErrorKind) -> Self {
        if self.kind == InputErrorKind::Other { self.of(kind) } else { self }
    }

    /// An unknown name, with the nearest known one as the remedy.
    pub fn unknown<'a>(place: impl Display, kind: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<&str> = known.into_iter().collect();
        let remedy = match nearest(name, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => format!("there is no {kind} here"),
            None => format!("known: {}", known.join(", ")),
        };
        Self::new(place, format!("unknown {kind} `{}`", shorten(name)), remedy).of(InputErrorKind::Unknown)
    }

    /// A position that cannot be read, or cannot be one of the game.
    pub fn position(place: impl Display, problem: impl Display, remedy: impl Display) -> Self {
        Self::new(place, problem, remedy).of(InputErrorKind::Position)
    }

    /// Things that do not go together.
    pub fn conflict(place: impl Display, problem: impl Display, remedy: impl Display) -> Self {
        Self::new(place, problem, remedy).of(InputErrorKind::Conflict)
    }

    /// Something that does not go with the game.
    pub fn unsupported(place: impl Display, problem: impl Display, remedy: impl Display) -> Self {
        Self::new(place, problem, remedy).of(InputErrorKind::Unsupported)
    }

    /// The same error found further out: `outer` is put before its place.
    #[must_use]
    pub fn within(mut self, outer: impl Display) -> Self {
        self.place = format!("{outer}, {}", self.place);
        self
    }
}

/// The known word most like `word`, if one is like it at all.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase();
    let likeness = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        let edits = strsim::normalized_damerau_levenshtein(&word, &candidate);
        let begins = !word.is_empty() && (candidate.starts_with(&word) || word.starts_with(&candidate));
        if begins { edits.max(0.7) } else { edits }
    };
    known
        .iter()
        .map(|&candidate| (likeness(candidate), candidate))
        .filter(|(score, _)| *score >= 0.5)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// Keeps what is quoted from the input short enough for one line.
pub fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.chars().count() <= LONGEST {
        return text.to_string();
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_finds_typing_errors_and_beginnings() {
        let known = ["breakthrough", "tic-tac-toe", "amazons"];
        assert_eq!(nearest("braekthrough", &known), Some("breakthrough"));
        assert_eq!(nearest("break", &known), Some("breakthrough"));
        assert_eq!(nearest("chess", &known), None);
    }

    #[test]
    fn an_error_is_one_line() {
        let error = InputError::unknown("games", "game", "a\nb", ["x"]);
        assert!(!error.to_string().contains('\n'));
    }

    #[test]
    fn a_kind_is_kept_on_the_way_out() {
        let error = InputError::unknown("games", "game", "x", ["y"]);
        assert_eq!(error.clone().within("file").kind, InputErrorKind::Unknown);
        assert_eq!(error.or(InputErrorKind::File).kind, InputErrorKind::Unknown);
        assert_eq!(InputError::new("a", "b", "c").or(InputErrorKind::File).kind, InputErrorKind::File);
    }
}
