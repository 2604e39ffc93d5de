//! Positions and moves of rule sheets as text. A term `(cell 1 1 b)` is written `cell(1,1,b)`, so that it is one word.

use super::board::{self, Board};
use super::{Gdl, OPEN, State};
use spinney_core::error::shorten;
use spinney_core::scene::{Item, Scene, Tray};
use spinney_core::{Game, InputError, Notation, Player, RoleText};
use spinney_gdl::Method;
use std::borrow::Cow;
use std::collections::BTreeMap;

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

impl<const SOLITAIRE: bool, const CHANCE: bool> Gdl<SOLITAIRE, CHANCE> {
    /// The facts that hold, as words.
    fn facts(&self, state: &State) -> Vec<String> {
        words(&self.machine.state_text(&state.facts))
    }

    /// The board of the sheet. A machine that does not know its facts beforehand shows as much of it as these `facts`
    /// tell, and those of the beginning.
    fn board(&self, facts: &[String]) -> Option<Cow<'_, Board>> {
        let find = |possible: &[String]| {
            Board::find(possible, &words(&self.machine.state_text(self.machine.initial())), self.machine.roles())
        };
        match self.machine.method() {
            Method::Relational | Method::Proof => find(facts).map(Cow::Owned),
            Method::Network => {
                let all = || (0..self.machine.size().facts as u32).map(|bit| to_word(&self.machine.fact_text(bit)));
                self.board.get_or_init(|| find(&all().collect::<Vec<_>>())).as_ref().map(Cow::Borrowed)
            }
        }
    }
}

fn words(terms: &[String]) -> Vec<String> {
    terms.iter().map(|term| to_word(term)).collect()
}

impl<const SOLITAIRE: bool, const CHANCE: bool> Notation for Gdl<SOLITAIRE, CHANCE> {
    fn write_roles(&self, state: &State) -> Vec<RoleText> {
        let mut cursor = self.cursor_at(state);
        let mut moves = Vec::new();
        let names = self.machine.roles().iter().enumerate();
        names
            .map(|(role, name)| {
                moves.clear();
                if !state.is_over {
                    cursor.legal(role, &mut moves);
                }
                RoleText {
                    name: name.clone(),
                    is_chance: self.chance == Some(role),
                    moves: moves.iter().map(|&mv| to_word(&self.machine.move_text(role, mv))).collect(),
                    goal: cursor.goal(role),
                }
            })
            .collect()
    }

    /// The facts that hold; then, within a step, `+` and the moves of the roles that have answered.
    fn write_position(&self, state: &State) -> String {
        let mut words = self.facts(state);
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
            return Err(InputError::position(
                "position",
                problem,
                "write facts such as cell(1,1,b), separated by spaces",
            ));
        }
        let terms: Vec<String> = facts.iter().filter(|word| **word != "nothing").map(|word| to_term(word)).collect();
        let facts = self.machine.read_state(terms.iter().map(String::as_str))?;
        let mut state = self.state_of(facts);
        for answer in answers {
            let word = &answer[1..];
            if state.is_over || state.answers[..self.roles].iter().filter(|&&answer| answer == OPEN).count() < 2 {
                let problem = format!("`{}` is one answer too many", shorten(answer));
                return Err(InputError::position("position", problem, "leave it out"));
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
        let facts = self.facts(state);
        let mut text = String::new();
        let rest = match self.board(&facts).as_deref() {
            Some(board) => {
                let (held, rest) = board.sort(&facts);
                text += &board.draw(&held);
                rest
            }
            None => facts.iter().map(String::as_str).collect(),
        };
        let mut groups: BTreeMap<(String, usize), Vec<String>> = BTreeMap::new();
        for (name, arguments) in rest.into_iter().map(split) {
            groups.entry((name, arguments.len())).or_default().push(arguments.join(","));
        }
        for ((name, arity), members) in &groups {
            match arity {
                0 => text += &format!("{name}\n"),
                _ => text += &format!("{name}: {}\n", members.join("  ")),
            }
        }
        for (role, name) in self.machine.roles().iter().enumerate() {
            if state.is_over {
                text += &format!("{name}: goal {}\n", state.goals[role]);
            } else if state.answers[role] != OPEN {
                text += &format!("{name} has answered\n");
            }
        }
        text
    }

    /// The board, and beside it all other facts; at the end the goals.
    fn scene(&self, state: &State) -> Scene {
        let facts = self.facts(state);
        let (mut scene, rest) = match self.board(&facts).as_deref() {
            Some(board) => {
                let (held, rest) = board.sort(&facts);
                (board.scene(&held), rest)
            }
            None => (Scene::default(), facts.iter().map(String::as_str).collect()),
        };
        scene.trays.push(Tray::new("facts", rest.into_iter().map(|fact| Item::Fact(fact.to_string()))));
        let roles = self.machine.roles().iter().enumerate();
        if state.is_over {
            let goals = roles.map(|(role, name)| Item::counter(name, state.goals[role]));
            scene.trays.push(Tray::new("goals", goals));
        } else if state.answers[..self.roles].iter().any(|&answer| answer != OPEN) {
            let answered = roles.filter(|(role, _)| state.answers[*role] != OPEN);
            scene.trays.push(Tray::new("has answered", answered.map(|(_, name)| Item::Fact(name.clone()))));
        }
        scene
    }

    fn steps(&self, scene: &Scene, text: &str) -> Vec<String> {
        board::steps(scene, text)
    }

    fn player_name(&self, player: Player) -> &str {
        let names = self.machine.roles();
        let mut others = (self.first + 1..self.roles).filter(|&role| self.chance != Some(role));
        match (player, others.next(), others.next()) {
            (Player::First, ..) => &names[self.first],
            (Player::Second, Some(other), None) => &names[other],
            (Player::Second, ..) => "the others",
        }
    }
}

/// `f(a,g(b))` as `f` and its arguments.
pub(super) fn split(word: &str) -> (String, Vec<String>) {
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
