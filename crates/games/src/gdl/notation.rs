//! Positions and moves of rule sheets as text. A term `(cell 1 1 b)` is written `cell(1,1,b)`, so that it is one word.

use super::{Gdl, MOST_ROLES, OPEN, State};
use spinney_core::error::shorten;
use spinney_core::{Game, InputError, Notation, Player};
use std::collections::{BTreeMap, BTreeSet};

/// `(f a (g b))` as `f(a,g(b))`.
pub fn to_word(term: &str) -> String {
    let mut word = String::new();
    // A name after a bracket stands before it, one after a name is parted from it.
    let (mut after_open, mut after_term) = (false, false);
    let mut tokens = term.replace('(', " ( ").replace(')', " ) ");
    tokens.make_ascii_lowercase();
    for token in tokens.split_whitespace() {
        match token {
            "(" => {
                if after_term {
                    word.push(',');
                }
                (after_open, after_term) = (true, false);
            }
            ")" => {
                word.push(')');
                (after_open, after_term) = (false, true);
            }
            name if after_open => {
                word += name;
                word.push('(');
                (after_open, after_term) = (false, false);
            }
            name => {
                if after_term {
                    word.push(',');
                }
                word += name;
                after_term = true;
            }
        }
    }
    word
}

/// `f(a,g(b))` as `(f a (g b))`.
pub fn to_term(word: &str) -> String {
    let mut term = String::new();
    let mut start = 0;
    for (place, letter) in word.char_indices() {
        match letter {
            '(' => {
                term.push('(');
                term += &word[start..place];
                term.push(' ');
            }
            ',' => {
                term += &word[start..place];
                term.push(' ');
            }
            ')' => {
                term += &word[start..place];
                term.push(')');
            }
            _ => continue,
        }
        start = place + letter.len_utf8();
    }
    term += &word[start..];
    term
}

impl<const SOLITAIRE: bool> Notation for Gdl<SOLITAIRE> {
    /// The facts that hold; then, within a step, `+` and the moves of the roles that have answered.
    fn write_position(&self, state: &State) -> String {
        let facts = self.machine.state_text(&state.facts);
        let mut words: Vec<String> = facts.iter().map(|fact| to_word(fact)).collect();
        if words.is_empty() {
            words.push("nothing".to_string());
        }
        for (role, &answer) in state.answers[..self.roles].iter().enumerate().filter(|(_, answer)| **answer != OPEN) {
            words.push(format!("+{}", to_word(&self.machine.move_text(role, answer))));
        }
        words.join(" ")
    }

    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let (answers, facts): (Vec<&str>, Vec<&str>) = text.split_whitespace().partition(|word| word.starts_with('+'));
        if facts.is_empty() {
            let problem = "there are no facts";
            return Err(InputError::new("position", problem, "write facts such as cell(1,1,b), separated by spaces"));
        }
        let terms: Vec<String> = facts.iter().filter(|word| **word != "nothing").map(|word| to_term(word)).collect();
        let facts = self.machine.read_state(terms.iter().map(String::as_str))?;
        let mut state = self.state_of(facts);
        for answer in answers {
            let word = &answer[1..];
            if state.is_over || state.answers[..self.roles].iter().filter(|&&answer| answer == OPEN).count() < 2 {
                let problem = format!("`{}` is one answer too many", shorten(answer));
                return Err(InputError::new("position", problem, "leave it out"));
            }
            let mv = self.read_move(&state, word)?;
            self.apply(&mut state, mv);
        }
        Ok(state)
    }

    fn write_move(&self, state: &State, mv: u32) -> String {
        to_word(&self.machine.move_text(usize::from(state.role), mv))
    }

    /// Facts with two coordinates as a board, the others as lists.
    fn draw(&self, state: &State) -> String {
        let facts: Vec<String> = self.machine.state_text(&state.facts).iter().map(|fact| to_word(fact)).collect();
        let mut text = String::new();
        let mut groups: BTreeMap<(String, usize), Vec<Vec<String>>> = BTreeMap::new();
        for fact in &facts {
            let (name, arguments) = split(fact);
            groups.entry((name, arguments.len())).or_default().push(arguments);
        }
        for ((name, arity), members) in &groups {
            match board(members).filter(|_| *arity == 3) {
                Some(board) => text += &format!("{name}\n{board}"),
                None if *arity == 0 => text += &format!("{name}\n"),
                None => {
                    let members: Vec<String> = members.iter().map(|arguments| arguments.join(",")).collect();
                    text += &format!("{name}: {}\n", members.join("  "));
                }
            }
        }
        for (role, name) in self.machine.roles().iter().enumerate() {
            if state.is_over {
                text += &format!("{name}: goal {}\n", state.goals[role]);
            } else if state.answers[role.min(MOST_ROLES - 1)] != OPEN {
                text += &format!("{name} has answered\n");
            }
        }
        text
    }

    fn player_name(&self, player: Player) -> &str {
        match (player, self.machine.roles()) {
            (Player::First, [first, ..]) => first,
            (Player::Second, [_, second]) => second,
            (Player::Second, _) => "the others",
            (Player::First, []) => "nobody",
        }
    }
}

/// `f(a,g(b))` as `f` and its arguments.
fn split(word: &str) -> (String, Vec<String>) {
    let Some((name, rest)) = word.split_once('(') else { return (word.to_string(), Vec::new()) };
    let rest = rest.strip_suffix(')').unwrap_or(rest);
    let (mut arguments, mut depth, mut start) = (Vec::new(), 0, 0);
    for (place, letter) in rest.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                arguments.push(rest[start..place].to_string());
                start = place + 1;
            }
            _ => {}
        }
    }
    arguments.push(rest[start..].to_string());
    (name.to_string(), arguments)
}

/// The most columns or rows that are drawn.
const WIDEST: usize = 30;

/// Facts (x, y, content) as a board: x to the right, y up, both in the order of their names. `None` unless every place
/// has at most one content.
fn board(facts: &[Vec<String>]) -> Option<String> {
    let order = |coordinate: &String| (coordinate.parse::<i64>().unwrap_or(i64::MAX), coordinate.clone());
    let columns: BTreeSet<_> = facts.iter().filter_map(|fact| fact.first().map(order)).collect();
    let rows: BTreeSet<_> = facts.iter().filter_map(|fact| fact.get(1).map(order)).collect();
    if facts.len() < 4 || columns.len() > WIDEST || rows.len() > WIDEST {
        return None;
    }
    let mut contents = BTreeMap::new();
    for fact in facts {
        let [x, y, content] = &fact[..] else { return None };
        if contents.insert((order(x), order(y)), content).is_some() {
            return None;
        }
    }
    let width = contents.values().map(|content| content.chars().count()).max()?.min(8);
    let mut text = String::new();
    for row in rows.iter().rev() {
        text += &format!("{:>4} ", row.1);
        for column in &columns {
            let content = contents.get(&(column.clone(), row.clone())).map_or("", |content| content.as_str());
            // An empty square is called b or blank almost everywhere.
            let shown: String =
                if matches!(content, "b" | "blank" | "empty") { "." } else { content }.chars().take(width).collect();
            text += &format!(" {shown:<width$}");
        }
        text = text.trim_end().to_string() + "\n";
    }
    text += "     ";
    for column in &columns {
        let name: String = column.1.chars().take(width).collect();
        text += &format!(" {name:<width$}");
    }
    Some(text.trim_end().to_string() + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_words() {
        for (term, word) in [
            ("noop", "noop"),
            ("(mark 1 1)", "mark(1,1)"),
            ("(move (cell a 2) (cell b 3) left)", "move(cell(a,2),cell(b,3),left)"),
        ] {
            assert_eq!(to_word(term), word);
            assert_eq!(to_term(word), term);
        }
        assert_eq!(to_word("( mark  1 1 )"), "mark(1,1)");
        assert_eq!(
            split("move(cell(a,2),left)"),
            ("move".to_string(), vec!["cell(a,2)".to_string(), "left".to_string()])
        );
    }
}
