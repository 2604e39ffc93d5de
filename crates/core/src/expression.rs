//! The one grammar for games and agents: `name(key=value, flag, key=part+part(key=value), key(key=value))`.

use crate::error::{InputError, InputErrorKind, shorten};
use std::fmt;

/// A name with arguments, such as `mcts(c=1, playout=policy+mast(eps=0.7), reuse)`.
///
/// ```
/// use spinney_core::expression::Expression;
/// let agent = Expression::read("agent", "mcts( c = 1 , reuse )").unwrap();
/// assert_eq!(agent.name, "mcts");
/// assert_eq!(agent.to_string(), "mcts(c=1, reuse)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// A word or a number; empty in `key(…)`, where the key names all.
    pub name: String,
    /// What stands in the brackets.
    pub arguments: Vec<Argument>,
}

/// One `key=value`, `key(…)` or a lone `flag`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The option's name.
    pub key: String,
    /// The parts of its value joined by `+`; none for a lone flag.
    pub value: Vec<Expression>,
}

/// Brackets deeper than this are a mistake, not an agent.
const DEEPEST: usize = 8;

impl Expression {
    /// Reads a whole expression; `kind` ("agent", "game") names the place in errors.
    pub fn read(kind: &str, text: &str) -> Result<Self, InputError> {
        let mut reader = Reader { kind, text, at: 0 };
        let expression = reader.expression(0)?;
        reader.end()?;
        Ok(expression)
    }

    /// Reads parts joined by `+`, such as `policy+mast(eps=0.7)`.
    pub fn read_sum(kind: &str, text: &str) -> Result<Vec<Self>, InputError> {
        let mut reader = Reader { kind, text, at: 0 };
        let parts = reader.sum(0)?;
        reader.end()?;
        Ok(parts)
    }
}

/// Parts joined by `+`, written out.
pub fn write_sum(parts: &[Expression]) -> String {
    let parts: Vec<String> = parts.iter().map(Expression::to_string).collect();
    parts.join("+")
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if !self.arguments.is_empty() {
            let arguments: Vec<String> = self.arguments.iter().map(Argument::to_string).collect();
            write!(f, "({})", arguments.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value.as_slice() {
            [] => f.write_str(&self.key),
            [nameless] if nameless.name.is_empty() => write!(f, "{}{nameless}", self.key),
            parts => write!(f, "{}={}", self.key, write_sum(parts)),
        }
    }
}

struct Reader<'a> {
    kind: &'a str,
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn takes(&mut self, symbol: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(symbol);
        if found {
            self.at += symbol.len_utf8();
        }
        found
    }

    fn wrong(&self, remedy: &str) -> InputError {
        let column = self.text[..self.at].chars().count() + 1;
        let place = format!("{} `{}`, column {column}", self.kind, shorten(self.text.trim()));
        let problem = match self.rest().chars().next() {
            Some(letter) => format!("`{letter}` is out of place"),
            None => "it ends too early".to_string(),
        };
        InputError::new(place, problem, remedy).of(InputErrorKind::Syntax)
    }

    fn word(&mut self) -> Result<String, InputError> {
        self.skip_space();
        let is_word = |c: char| c.is_alphanumeric() || "_-.:/".contains(c);
        let length = self.rest().find(|c| !is_word(c)).unwrap_or(self.rest().len());
        if length == 0 {
            return Err(self.wrong("a name or a number belongs here"));
        }
        let word = self.rest()[..length].to_string();
        self.at += length;
        Ok(word)
    }

    fn expression(&mut self, depth: usize) -> Result<Expression, InputError> {
        let name = self.word()?;
        let arguments = self.brackets(depth)?;
        Ok(Expression { name, arguments })
    }

    /// The value of an option: parts joined by `+`, or its own options in brackets.
    fn value(&mut self, depth: usize) -> Result<Vec<Expression>, InputError> {
        if self.takes('=') {
            return self.sum(depth);
        }
        let arguments = self.brackets(depth)?;
        let nameless = Expression { name: String::new(), arguments };
        Ok(if nameless.arguments.is_empty() { Vec::new() } else { vec![nameless] })
    }

    fn brackets(&mut self, depth: usize) -> Result<Vec<Argument>, InputError> {
        let mut arguments = Vec::new();
        if self.takes('(') {
            if depth == DEEPEST {
                return Err(self.wrong("there are too many brackets inside each other"));
            }
            while !self.takes(')') {
                let key = self.word()?;
                let value = self.value(depth + 1)?;
                arguments.push(Argument { key, value });
                if !self.takes(',') {
                    if self.takes(')') {
                        break;
                    }
                    return Err(self.wrong("write `,` between options and `)` after the last"));
                }
            }
        }
        Ok(arguments)
    }

    /// Parts joined by `+`; a lone pair of brackets is what `key(…)` holds, written as a value.
    fn sum(&mut self, depth: usize) -> Result<Vec<Expression>, InputError> {
        self.skip_space();
        if self.rest().starts_with('(') {
            return match self.brackets(depth)? {
                empty if empty.is_empty() => Err(self.wrong("write at least one option between the brackets")),
                arguments => Ok(vec![Expression { name: String::new(), arguments }]),
            };
        }
        let mut parts = vec![self.expression(depth)?];
        while self.takes('+') {
            parts.push(self.expression(depth)?);
        }
        Ok(parts)
    }

    fn end(&mut self) -> Result<(), InputError> {
        self.skip_space();
        if self.rest().is_empty() { Ok(()) } else { Err(self.wrong("remove what follows")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_written_is_read_back() {
        for text in [
            "random",
            "mcts(c=1)",
            "mcts(sims=17000, playout=policy+mast(eps=0.7), reuse)",
            "f(a=g(b=h(c)))",
            "f(g(a=1), h)",
        ] {
            assert_eq!(Expression::read("agent", text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn errors_name_the_column() {
        let error = Expression::read("agent", "mcts(c=1").unwrap_err().to_string();
        assert_eq!(
            error,
            "agent `mcts(c=1`, column 9: it ends too early; write `,` between options and `)` after the last"
        );
        assert!(Expression::read("agent", "mcts(c==1)").is_err());
        assert!(Expression::read("agent", "mcts(c=1) x").is_err());
        assert!(Expression::read("agent", &"f(a=".repeat(100_000)).is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,60}") {
            if let Ok(expression) = Expression::read("agent", &text) {
                let written = expression.to_string();
                prop_assert_eq!(Expression::read("agent", &written).unwrap(), expression);
            }
        }

        #[test]
        fn any_text_like_an_agent_is_read_or_refused(text in "[a-c(),=+ 0-9.]{0,40}") {
            if let Ok(expression) = Expression::read("agent", &text) {
                let written = expression.to_string();
                prop_assert_eq!(Expression::read("agent", &written).unwrap(), expression);
            }
        }
    }
}
