//! What a plan says of stopping rules beforehand.

use serde_json::{Value, json};
use spinney_lab::Cell;
use spinney_stats::expected_pairs;

/// The rules of a plan, each once, with the games it is expected to take.
#[derive(Default)]
pub struct Rules(Vec<Told>);

/// A rule as it is told.
struct Told {
    words: String,
    expected: Vec<Expected>,
    cells: u64,
}

/// What a rule takes on average.
struct Expected {
    /// If this is the true score of A.
    score: f64,
    words: String,
    games: f64,
}

impl Rules {
    /// Takes in the rule of a cell, if it has one.
    pub fn add(&mut self, cell: &Cell) {
        let Some(stop) = &cell.stop else { return };
        let words = format!("{}, looked at every {} pairs, at most {} games", stop.words(), stop.block, 2 * cell.pairs);
        let scores = stop.told_scores(cell).into_iter().map(|(score, _)| score);
        let is_known = |told: &&mut Told| {
            told.words == words && told.expected.iter().map(|expected| expected.score).eq(scores.clone())
        };
        match self.0.iter_mut().find(is_known) {
            Some(told) => told.cells += 1,
            None => self.0.push(Told { words, expected: expected(cell), cells: 1 }),
        }
    }

    /// Whether no cell has a rule.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A line for each.
    pub fn lines(&self) -> Vec<String> {
        let line = |Told { words, expected, cells }: &Told| {
            let expected: Vec<String> =
                expected.iter().map(|one| format!("about {:.0} {}", one.games, one.words)).collect();
            let cells = if *cells == 1 { "1 cell".to_string() } else { format!("{cells} cells") };
            format!("stop: {words}; {} ({cells})", expected.join(", "))
        };
        self.0.iter().map(line).collect()
    }
}

fn expected(cell: &Cell) -> Vec<Expected> {
    let Some((stop, rule)) = cell.stop.as_ref().and_then(|stop| Some((stop, stop.rule(cell)?))) else {
        return Vec::new();
    };
    let games = |score: f64| 2.0 * expected_pairs(rule, stop.block, cell.pairs, score);
    stop.told_scores(cell).into_iter().map(|(score, words)| Expected { score, words, games: games(score) }).collect()
}

/// Adds the rule of a cell and its expected games to a line of a plan.
pub fn add_expectation(line: &mut Value, cell: &Cell) {
    if let Some(stop) = &cell.stop {
        let games = |one: &Expected| json!({"score": one.score, "games": one.games});
        line["stop"] = json!(stop.to_string());
        line["expected_games"] = expected(cell).iter().map(games).collect();
    }
}
