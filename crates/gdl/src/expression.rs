//! Reading the brackets: text to nested lists of names, each with its place.

use spinney_core::InputError;
use spinney_core::error::shorten;

/// Where something stands in a text: line and column, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "line {}, column {}", self.line, self.column)
    }
}

/// A name, or a list in brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A run of characters other than blanks, brackets and `;`.
    Name(Place, String),
    /// What stands between a pair of brackets.
    List(Place, Vec<Expression>),
}

/// Brackets nested deeper than this are refused: no rule sheet needs them, and readers recurse.
const DEEPEST: usize = 200;

impl Expression {
    /// Reads all expressions of a text; `;` begins a comment that runs to the end of the line.
    ///
    /// # Errors
    /// A bracket without its partner, or brackets nested absurdly deep.
    pub fn read_all(text: &str) -> Result<Vec<Self>, InputError> {
        let mut open: Vec<(Place, Vec<Self>)> = Vec::new();
        let mut done = Vec::new();
        for (place, token) in tokens(text) {
            let finished = match token {
                "(" => {
                    if open.len() == DEEPEST {
                        return Err(InputError::new(
                            place,
                            format!("brackets nested deeper than {DEEPEST}"),
                            "close some of them",
                        ));
                    }
                    open.push((place, Vec::new()));
                    continue;
                }
                ")" => match open.pop() {
                    Some((start, members)) => Self::List(start, members),
                    None => {
                        return Err(InputError::new(
                            place,
                            "surplus `)`",
                            "remove it, or look for a `(` that is missing before it",
                        ));
                    }
                },
                name => Self::Name(place, name.to_string()),
            };
            match open.last_mut() {
                Some((_, members)) => members.push(finished),
                None => done.push(finished),
            }
        }
        match open.first() {
            Some((place, _)) => Err(InputError::new(place, "`(` is never closed", "add the `)` that belongs to it")),
            None => Ok(done),
        }
    }

    /// Where it begins.
    pub fn place(&self) -> Place {
        match self {
            Self::Name(place, _) | Self::List(place, _) => *place,
        }
    }
}

impl std::fmt::Display for Expression {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Name(_, name) => formatter.write_str(name),
            Self::List(_, members) => {
                formatter.write_str("(")?;
                for (number, member) in members.iter().enumerate() {
                    let blank = if number == 0 { "" } else { " " };
                    write!(formatter, "{blank}{member}")?;
                }
                formatter.write_str(")")
            }
        }
    }
}

/// A short quotation of an expression for an error message.
pub(crate) fn quote(expression: &Expression) -> String {
    format!("`{}`", shorten(&expression.to_string()))
}

fn tokens(text: &str) -> Vec<(Place, &str)> {
    let mut tokens = Vec::new();
    let mut place = Place { line: 1, column: 1 };
    let mut name: Option<(Place, usize)> = None;
    let mut comment = false;
    let mut carriage_return = false;
    for (at, character) in text.char_indices() {
        let ends_line = character == '\n' || character == '\r';
        let ends_name = comment || character.is_whitespace() || matches!(character, '(' | ')' | ';');
        if ends_name {
            if let Some((start, from)) = name.take() {
                tokens.push((start, &text[from..at]));
            }
        } else if name.is_none() {
            name = Some((place, at));
        }
        if ends_line {
            comment = false;
        } else if character == ';' {
            comment = true;
        } else if !comment && matches!(character, '(' | ')') {
            tokens.push((place, &text[at..at + 1]));
        }
        if ends_line {
            // CR LF is one line end.
            if !(character == '\n' && carriage_return) {
                place.line += 1;
            }
            place.column = 1;
        } else {
            place.column += 1;
        }
        carriage_return = character == '\r';
    }
    if let Some((start, from)) = name {
        tokens.push((start, &text[from..]));
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_line_ends_of_all_kinds() {
        let read = Expression::read_all("(a b;c (\r\n d)\re ; f\n(g)").unwrap();
        assert_eq!(read.iter().map(ToString::to_string).collect::<Vec<_>>(), ["(a b d)", "e", "(g)"]);
        assert_eq!(read.iter().map(|each| each.place().line).collect::<Vec<_>>(), [1, 3, 4]);
    }

    #[test]
    fn brackets_without_partner_are_placed() {
        assert!(Expression::read_all("(a\n (b)").unwrap_err().to_string().starts_with("line 1, column 1"));
        assert!(Expression::read_all("(a)\n (b))").unwrap_err().to_string().starts_with("line 2, column 5"));
    }
}
