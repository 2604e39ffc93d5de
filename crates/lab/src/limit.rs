//! How long the agents of a match think, before the game is known.

use serde::Deserialize;
use spinney_core::{InputError, Published};
use spinney_search::Budget;
use std::time::Duration;

/// A budget as an experiment writes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// What each agent says itself.
    Own,
    /// The same for both agents in every game.
    Fixed(Budget),
    /// The simulations that stood for so many seconds when the game's results were published.
    PublishedSeconds(f64),
}

impl Limit {
    /// In words; those of the budget it becomes where nothing was published.
    pub fn words(&self, budget: &str) -> String {
        match self {
            Limit::PublishedSeconds(seconds) => format!("{seconds} s"),
            Limit::Own | Limit::Fixed(_) => budget.to_string(),
        }
    }

    /// The budget in a game that was published so; endless where the agents' own limits count.
    pub fn resolved(&self, published: &Published) -> Budget {
        match self {
            Limit::Own => Budget::default(),
            Limit::Fixed(budget) => *budget,
            Limit::PublishedSeconds(seconds) => {
                let simulations = f64::from(published.simulations_per_second) * seconds;
                Budget::simulations(simulations.round().max(1.0) as u64)
            }
        }
    }
}

/// A budget as it is written: `{ simulations = 1000 }`, or lists for a grid.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetFile {
    simulations: Option<Several<u64>>,
    time: Option<Several<f64>>,
    cpu_time: Option<Several<f64>>,
    published_seconds: Option<Several<f64>>,
}

/// A number, or a list of them for a budget each.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a number or a list of numbers belongs here")]
enum Several<T> {
    One(T),
    List(Vec<T>),
}

impl<T: Copy> Several<T> {
    /// Each number; nothing once where there is none.
    fn each(several: Option<&Self>) -> Vec<Option<T>> {
        match several {
            None => vec![None],
            Some(Several::One(one)) => vec![Some(*one)],
            Some(Several::List(list)) => list.iter().copied().map(Some).collect(),
        }
    }
}

/// One budget of a file.
struct OneBudget {
    simulations: Option<u64>,
    time: Option<f64>,
    cpu_time: Option<f64>,
    published_seconds: Option<f64>,
}

impl BudgetFile {
    /// Every number of every list with every other.
    fn each(&self) -> Vec<OneBudget> {
        let mut budgets = Vec::new();
        for simulations in Several::each(self.simulations.as_ref()) {
            for time in Several::each(self.time.as_ref()) {
                for cpu_time in Several::each(self.cpu_time.as_ref()) {
                    for published_seconds in Several::each(self.published_seconds.as_ref()) {
                        budgets.push(OneBudget { simulations, time, cpu_time, published_seconds });
                    }
                }
            }
        }
        budgets
    }
}

/// The budgets; the agents' own limits where none is written.
pub fn read_budgets(files: &[BudgetFile], place: &str) -> Result<Vec<Limit>, InputError> {
    let mut budgets = Vec::new();
    for file in files {
        for one in file.each() {
            budgets.push(read_budget(&one, place)?);
        }
    }
    Ok(if budgets.is_empty() { vec![Limit::Own] } else { budgets })
}

fn read_budget(file: &OneBudget, place: &str) -> Result<Limit, InputError> {
    let seconds = |value: Option<f64>| match value {
        Some(seconds) if !(0.0001..=1e6).contains(&seconds) => {
            Err(InputError::new(place, format!("a budget of {seconds} seconds"), "write from 0.0001 to 1000000"))
        }
        other => Ok(other),
    };
    let budget = Budget {
        simulations: file.simulations,
        time: seconds(file.time)?.map(Duration::from_secs_f64),
        cpu_time: seconds(file.cpu_time)?.map(Duration::from_secs_f64),
        nodes: None,
    };
    match seconds(file.published_seconds)? {
        Some(published) if budget.is_endless() => Ok(Limit::PublishedSeconds(published)),
        Some(_) => {
            let problem = "`published_seconds` stands beside another limit";
            Err(InputError::new(place, problem, "write one of the two"))
        }
        None if budget.is_endless() || file.simulations == Some(0) => {
            let remedy = "write { simulations = N }, { time = S }, { cpu_time = S } or { published_seconds = S }";
            Err(InputError::new(place, "a budget limits nothing", remedy))
        }
        None => Ok(Limit::Fixed(budget)),
    }
}
