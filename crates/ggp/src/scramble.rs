//! Names made unrecognisable, as hosts of competitions do: the same substitution for a whole match, so that nobody can
//! play by what names mean. Words of the language and numbers stay.

use spinney_core::{Random, Seed};
use spinney_gdl::expression::Expression;
use std::collections::HashMap;

/// Words that stay as they are: those of the language, and the role that is chance.
const KEPT: &[&str] = &[
    "role", "init", "true", "does", "next", "legal", "goal", "terminal", "base", "input", "distinct", "not", "or",
    "<=", "random", "sees",
];
const CONSONANTS: &[u8] = b"bdfgklmnprstvz";
const VOWELS: &[u8] = b"aeiou";

/// A substitution of names.
///
/// ```
/// use spinney_core::Seed;
/// let mut names = spinney_ggp::scramble::Scrambler::new(Seed::new(1));
/// let rule = names.scramble("(<= (legal white (mark ?x 1)) (true (cell ?x 1 b)))");
/// assert!(rule.starts_with("(<= (legal ") && !rule.contains("mark") && rule.contains(" 1)"));
/// let mv = names.scramble("(mark 3 1)");
/// assert_eq!(names.unscramble(&mv), "(mark 3 1)");
/// ```
#[derive(Debug)]
pub struct Scrambler {
    random: Random,
    words: HashMap<String, String>,
    names: HashMap<String, String>,
}

impl Scrambler {
    /// A substitution that the seed decides.
    pub fn new(seed: Seed) -> Self {
        Self { random: Random::new(seed.named("scramble")), words: HashMap::new(), names: HashMap::new() }
    }

    /// A text with other names; a text that is not made of expressions stays.
    pub fn scramble(&mut self, text: &str) -> String {
        match Expression::read_all(text) {
            Ok(expressions) => {
                let words: Vec<String> = expressions.iter().map(|each| self.rewrite(each, &mut Self::word)).collect();
                words.join(" ")
            }
            Err(_) => text.to_string(),
        }
    }

    /// The text behind a scrambled one; words that stand for nothing stay.
    pub fn unscramble(&mut self, text: &str) -> String {
        match Expression::read_all(text) {
            Ok(expressions) => {
                let words: Vec<String> = expressions.iter().map(|each| self.rewrite(each, &mut Self::name)).collect();
                words.join(" ")
            }
            Err(_) => text.to_string(),
        }
    }

    fn rewrite(&mut self, expression: &Expression, change: &mut impl FnMut(&mut Self, &str) -> String) -> String {
        match expression {
            Expression::Name(_, name) => change(self, name),
            Expression::List(_, members) => {
                let members: Vec<String> = members.iter().map(|each| self.rewrite(each, change)).collect();
                format!("({})", members.join(" "))
            }
        }
    }

    fn word(&mut self, name: &str) -> String {
        let lower = name.to_lowercase();
        if KEPT.contains(&lower.as_str()) || name.parse::<i64>().is_ok() {
            return name.to_string();
        }
        if let Some(word) = self.words.get(&lower) {
            return word.clone();
        }
        let mut word = self.invent();
        // Two names never become one.
        while self.names.contains_key(&word) {
            word = self.invent();
        }
        if name.starts_with('?') {
            word.insert(0, '?');
        }
        self.names.insert(word.clone(), name.to_string());
        self.words.insert(lower, word.clone());
        word
    }

    fn name(&mut self, word: &str) -> String {
        self.names.get(&word.to_lowercase()).map_or_else(|| word.to_string(), Clone::clone)
    }

    /// A word of three or four syllables.
    fn invent(&mut self) -> String {
        let syllables = 3 + self.random.below(2);
        let mut pick = |letters: &[u8]| char::from(letters[self.random.below(letters.len() as u32) as usize]);
        (0..syllables).flat_map(|_| [pick(CONSONANTS), pick(VOWELS)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_gdl::{Limits, Machine, Rules};

    const SHEET: &str =
        "(role White) (role random) (init (count 0)) (succ 0 1) (legal white go) (legal random (draw 1))
        (<= (next (count ?y)) (does White go) (true (count ?x)) (succ ?x ?y))
        (<= terminal (true (count 1))) (goal white 100) (goal random 0)";

    #[test]
    fn a_scrambled_sheet_is_the_same_game() {
        let mut names = Scrambler::new(Seed::new(7));
        let scrambled = names.scramble(SHEET);
        for word in ["white", "count", "succ", "draw", "?x"] {
            assert!(!scrambled.to_lowercase().contains(word), "{word}: {scrambled}");
        }
        let machine = Machine::build(&Rules::parse(&scrambled).expect("rules"), &Limits::default()).expect("a machine");
        assert_eq!(machine.roles().iter().map(|role| names.unscramble(role)).collect::<Vec<_>>(), ["White", "random"]);
        let cursor = machine.cursor();
        let moves = [0, 1].map(|role| names.unscramble(&machine.move_text(role, cursor.nth_legal(role, 0))));
        assert_eq!(moves, ["go", "(draw 1)"]);
        // Case does not matter, and what means nothing stays.
        assert_eq!(names.scramble("GO"), names.scramble("go"));
        assert_eq!(names.unscramble("(nonsense 3 busy)"), "(nonsense 3 busy)");
    }
}
