//! Smaller or joined experiments made from an experiment: fewer games, fewer cells, other budgets.

use crate::experiment::Experiment;
use crate::limit::Limit;
use crate::measure::{Measure, PORTION};
use spinney_core::InputError;
use spinney_core::expression::{Expression, write_sum};
use spinney_search::Budget;
use std::collections::{BTreeMap, BTreeSet};
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
            whole.measures.extend(part.measures);
        }
        Ok(whole)
    }

    /// Keeps the games of these names, whatever their options.
    pub fn keep_games(&mut self, names: &[String]) -> Result<(), InputError> {
        let known: BTreeSet<&str> = self.named_games().map(|game| name_of(game)).collect();
        if let Some(unknown) = names.iter().find(|name| !known.contains(name.as_str())) {
            return Err(InputError::unknown("game", "game", unknown, known));
        }
        self.retain_games(|game| names.iter().any(|name| name == name_of(game)));
        self.tidy("game")
    }

    /// Keeps the games whose option `key` has one of these values; `place` is what the choice is called.
    pub fn keep_game_option(&mut self, place: &str, key: &str, values: &[&str]) -> Result<(), InputError> {
        let value_of = |game: &str| -> Option<String> {
            let expression = Expression::read("game", game).ok()?;
            let argument = expression.arguments.into_iter().find(|argument| argument.key == key)?;
            Some(write_sum(&argument.value))
        };
        let known: BTreeSet<String> = self.named_games().filter_map(|game| value_of(game)).collect();
        if let Some(unknown) = values.iter().find(|value| !known.contains(**value)) {
            let problem = format!("no game has {key}={unknown}");
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(InputError::new(place, problem, format!("write {}", known.join(" or "))));
        }
        self.retain_games(|game| value_of(game).is_some_and(|value| values.contains(&value.as_str())));
        self.tidy(place)
    }

    /// Keeps the cells with these numbers of simulations; the baseline of a measure also with twice as many.
    pub fn keep_simulations(&mut self, wanted: &[u64]) -> Result<(), InputError> {
        let simulations = |limit: &Limit| match limit {
            Limit::Fixed(budget) => budget.simulations,
            Limit::Own | Limit::PublishedSeconds(_) | Limit::Clock(_) => None,
        };
        let doubled: Vec<u64> = wanted.iter().flat_map(|number| [*number, 2 * number]).collect();
        let keep = |budgets: &mut Vec<Limit>, kept: &[u64]| {
            budgets.retain(|limit| simulations(limit).is_some_and(|number| kept.contains(&number)));
        };
        self.matches.iter_mut().for_each(|one| keep(&mut one.budgets, wanted));
        self.measures = std::mem::take(&mut self.measures)
            .into_iter()
            .flat_map(|one| {
                let is_baseline = |name: &String| one.view.baseline.as_ref() == Some(name);
                let (baseline, others) = one.agents.iter().cloned().partition(is_baseline);
                [(baseline, doubled.as_slice()), (others, wanted)].map(|(agents, kept)| {
                    let mut part = Measure { agents, ..one.clone() };
                    keep(&mut part.budgets, kept);
                    part
                })
            })
            .collect();
        self.tidy("sims")
    }

    /// Keeps the matches whose published numbers stand in a row with this value in this column.
    pub fn keep_published(&mut self, column: &str, value: &str) -> Result<(), InputError> {
        let measured = self.measures.iter().filter_map(|one| one.view.published.as_ref());
        let columns: Vec<_> = self.matches.iter().filter_map(|one| one.published.as_ref()).chain(measured).collect();
        let known: BTreeSet<&str> = columns.iter().flat_map(|row| row.keys()).map(String::as_str).collect();
        if !known.contains(column) {
            return Err(InputError::unknown("only", "column", column, known));
        }
        let values: BTreeSet<&str> = columns.iter().filter_map(|row| row.get(column)).map(String::as_str).collect();
        if !values.contains(value) {
            return Err(InputError::unknown(format!("only, column {column}"), "value", value, values));
        }
        let wanted = Some(value);
        let is_kept = |row: &Option<BTreeMap<String, String>>| {
            row.as_ref().and_then(|row| row.get(column)).map(String::as_str) == wanted
        };
        self.matches.retain(|one| is_kept(&one.published));
        self.measures.retain(|one| is_kept(&one.view.published));
        self.tidy("only")
    }

    fn retain_games(&mut self, keep: impl Fn(&String) -> bool) {
        self.matches.iter_mut().for_each(|one| one.games.retain(&keep));
        self.measures.iter_mut().for_each(|one| one.games.retain(&keep));
    }

    /// Takes away what plays nothing any more, and agents that nobody names.
    fn tidy(&mut self, place: &str) -> Result<(), InputError> {
        self.matches.retain(|one| !one.games.is_empty() && !one.budgets.is_empty());
        self.measures.retain(|one| !one.games.is_empty() && !one.budgets.is_empty() && !one.agents.is_empty());
        let played = self.matches.iter().flat_map(|one| one.a.iter().chain(&one.b));
        let used: BTreeSet<&String> = played.chain(self.measures.iter().flat_map(Measure::names)).collect();
        self.agents.retain(|name, _| used.contains(name));
        if self.matches.is_empty() && self.measures.is_empty() {
            return Err(InputError::new(place, "no cell is left", "ask for fewer conditions"));
        }
        Ok(())
    }

    /// So many pairs in every cell of a match.
    pub fn set_pairs(&mut self, pairs: u64) {
        self.matches.iter_mut().for_each(|one| one.pairs = pairs);
    }

    /// So many games in every cell: pairs of a match, and of measures the most that any of them has. Others keep their
    /// share, because what an experiment repeats less often is dearer or matters less.
    pub fn set_games(&mut self, games: u64) {
        self.set_pairs(games.div_ceil(2));
        let most = self.measures.iter().map(|one| one.repetitions).max().unwrap_or(1).max(1);
        for one in &mut self.measures {
            let share = u128::from(one.repetitions) * u128::from(games);
            one.repetitions = (share.div_ceil(u128::from(most)) as u64).next_multiple_of(PORTION);
        }
    }

    /// So many times the games and repetitions.
    pub fn multiply(&mut self, times: u64) {
        self.matches.iter_mut().for_each(|one| one.pairs = one.pairs.saturating_mul(times));
        self.measures.iter_mut().for_each(|one| one.repetitions = one.repetitions.saturating_mul(times));
    }

    /// So many simulations for every move of a match; false if it was so before.
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
