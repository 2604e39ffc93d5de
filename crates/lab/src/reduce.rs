//! Smaller or joined experiments made from an experiment: fewer games, fewer cells, other budgets.

use crate::experiment::{Experiment, Match};
use crate::limit::Limit;
use spinney_core::InputError;
use spinney_core::expression::{Expression, write_sum};
use spinney_search::Budget;
use std::collections::BTreeSet;
use std::time::Duration;

impl Experiment {
    /// All matches of several experiments as one of this title, with the seed and margin of the first.
    /// An agent of the same name must be the same everywhere.
    pub fn joined(title: &str, parts: Vec<Experiment>) -> Result<Self, InputError> {
        let mut parts = parts.into_iter();
        let Some(mut whole) = parts.next() else {
            return Err(InputError::new(title, "there is nothing to play", "name at least one experiment"));
        };
        for part in parts {
            whole.title = title.to_string();
            if !whole.about.contains(&part.about) {
                whole.about = format!("{} {}", whole.about, part.about).trim().to_string();
            }
            for (name, settings) in part.agents {
                if whole.agents.get(&name).is_some_and(|known| *known != settings) {
                    let problem = format!("the agent `{name}` is not the same in all parts");
                    return Err(InputError::new(title, problem, "run the parts one by one"));
                }
                whole.agents.insert(name, settings);
            }
            for note in part.notes {
                if !whole.notes.contains(&note) {
                    whole.notes.push(note);
                }
            }
            whole.matches.extend(part.matches);
        }
        Ok(whole)
    }

    /// Keeps the games of these names, whatever their options.
    pub fn keep_games(&mut self, names: &[String]) -> Result<(), InputError> {
        let known: BTreeSet<&str> = self.matches.iter().flat_map(|one| &one.games).map(|game| name_of(game)).collect();
        if let Some(unknown) = names.iter().find(|name| !known.contains(name.as_str())) {
            return Err(InputError::unknown("game", "game", unknown, known));
        }
        for one in &mut self.matches {
            one.games.retain(|game| names.iter().any(|name| name == name_of(game)));
        }
        self.keep_matches("game", |one| !one.games.is_empty())
    }

    /// Keeps the boards of these sides, that is, games with the option `size`.
    pub fn keep_sides(&mut self, sides: &[u8]) -> Result<(), InputError> {
        let side_of = |game: &str| -> Option<u8> {
            let expression = Expression::read("game", game).ok()?;
            let size = expression.arguments.into_iter().find(|argument| argument.key == "size")?;
            write_sum(&size.value).parse().ok()
        };
        let known: BTreeSet<u8> =
            self.matches.iter().flat_map(|one| &one.games).filter_map(|game| side_of(game)).collect();
        if let Some(unknown) = sides.iter().find(|side| !known.contains(side)) {
            let problem = format!("no board has side {unknown}");
            let known: Vec<String> = known.iter().map(u8::to_string).collect();
            return Err(InputError::new("side", problem, format!("write {}", known.join(" or "))));
        }
        for one in &mut self.matches {
            one.games.retain(|game| side_of(game).is_some_and(|side| sides.contains(&side)));
        }
        self.keep_matches("side", |one| !one.games.is_empty())
    }

    /// Keeps the matches whose published numbers stand in a row with this value in this column.
    pub fn keep_published(&mut self, column: &str, value: &str) -> Result<(), InputError> {
        let columns: Vec<_> = self.matches.iter().filter_map(|one| one.published.as_ref()).collect();
        let known: BTreeSet<&str> = columns.iter().flat_map(|row| row.keys()).map(String::as_str).collect();
        if !known.contains(column) {
            return Err(InputError::unknown("only", "column", column, known));
        }
        let values: BTreeSet<&str> = columns.iter().filter_map(|row| row.get(column)).map(String::as_str).collect();
        if !values.contains(value) {
            return Err(InputError::unknown(format!("only, column {column}"), "value", value, values));
        }
        let wanted = Some(value);
        self.keep_matches("only", |one| {
            one.published.as_ref().and_then(|row| row.get(column)).map(String::as_str) == wanted
        })
    }

    fn keep_matches(&mut self, place: &str, keep: impl Fn(&Match) -> bool) -> Result<(), InputError> {
        self.matches.retain(keep);
        let used: BTreeSet<&String> = self.matches.iter().flat_map(|one| one.a.iter().chain(&one.b)).collect();
        self.agents.retain(|name, _| used.contains(name));
        if self.matches.is_empty() {
            return Err(InputError::new(place, "no cell is left", "ask for fewer conditions"));
        }
        Ok(())
    }

    /// So many pairs in every cell.
    pub fn set_pairs(&mut self, pairs: u64) {
        self.matches.iter_mut().for_each(|one| one.pairs = pairs);
    }

    /// So many simulations for every move; false if it was so before.
    pub fn set_simulations(&mut self, simulations: u64) -> bool {
        let limits = vec![Limit::Fixed(Budget::simulations(simulations))];
        let changes = self.matches.iter().any(|one| one.budgets != limits);
        self.matches.iter_mut().for_each(|one| one.budgets = limits.clone());
        changes
    }

    /// Real seconds instead of the simulations that stood for them.
    pub fn set_wall_clock(&mut self) -> Result<(), InputError> {
        let mut changed = false;
        for limit in self.matches.iter_mut().flat_map(|one| &mut one.budgets) {
            if let Limit::PublishedSeconds(seconds) = *limit {
                *limit = Limit::Fixed(Budget::time(Duration::from_secs_f64(seconds)));
                changed = true;
            }
        }
        if changed {
            return Ok(());
        }
        Err(InputError::new("wall-clock", "no budget of this experiment is in seconds", "leave it out"))
    }
}

/// A game without its options.
pub(crate) fn name_of(game: &str) -> &str {
    game.split('(').next().unwrap_or(game).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"title = "Two games"
[agents.a]
playout = "uniform"
[agents.b]
[agents.c]
c = 2
[[match]]
games = ["breakthrough(rows=6, columns=6)", "cannon"]
a = ["a"]
b = ["b"]
budgets = [{ published_seconds = 1 }]
published = { paper = "quality-rewards", table = "table1-relative-bonus", a = "online", seconds = "1" }
[[match]]
games = ["cannon"]
a = ["c"]
b = ["b"]
budgets = [{ published_seconds = 5 }]
published = { paper = "quality-rewards", table = "table1-relative-bonus", a = "online", seconds = "5" }
"#;

    fn experiment() -> Experiment {
        Experiment::read("test", TEXT).unwrap()
    }

    #[test]
    fn games_and_rows_are_kept_by_name() {
        let mut one = experiment();
        one.keep_games(&["breakthrough".to_string()]).unwrap();
        assert_eq!((one.matches.len(), one.agents.len()), (1, 2));
        assert_eq!(one.matches[0].games, ["breakthrough(rows=6, columns=6)"]);
        let mut five = experiment();
        five.keep_published("seconds", "5").unwrap();
        assert_eq!(five.matches[0].a, ["c"]);
        assert!(five.keep_games(&["breakthrough".to_string()]).unwrap_err().to_string().contains("cannon"));
        assert!(experiment().keep_published("second", "5").unwrap_err().to_string().contains("`seconds`"));
        assert!(experiment().keep_published("seconds", "2").unwrap_err().to_string().contains("known: 1, 5"));
    }

    #[test]
    fn budgets_and_lengths_are_replaced() {
        let mut clock = experiment();
        clock.set_wall_clock().unwrap();
        assert_eq!(clock.matches[1].budgets, [Limit::Fixed(Budget::time(Duration::from_secs(5)))]);
        assert!(clock.set_wall_clock().is_err());
        let mut small = experiment();
        small.set_pairs(3);
        small.set_simulations(10);
        assert!(small.matches.iter().all(|one| one.pairs == 3));
        assert_eq!(small.matches[0].budgets, [Limit::Fixed(Budget::simulations(10))]);
    }

    #[test]
    fn experiments_are_joined_unless_an_agent_has_two_meanings() {
        let other = Experiment::read("other", &TEXT.replace("published_seconds = ", "simulations = ")).unwrap();
        let both = Experiment::joined("Both", vec![experiment(), other]).unwrap();
        assert_eq!((both.title.as_str(), both.matches.len(), both.agents.len()), ("Both", 4, 3));
        let other = Experiment::read("other", &TEXT.replace("c = 2", "c = 3")).unwrap();
        assert!(Experiment::joined("Both", vec![experiment(), other]).unwrap_err().to_string().contains("`c`"));
    }
}
