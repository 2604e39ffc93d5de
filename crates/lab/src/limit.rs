//! How long the agents of a match think, before the game is known.

use serde::Deserialize;
use spinney_core::{InputError, Published};
use spinney_search::{Budget, Clock};
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
    /// A time for the whole game of each player, in place of all limits on moves.
    Clock(Clock),
}

impl Limit {
    /// In words; those of the budget it becomes where nothing was published.
    pub fn words(&self, budget: &str) -> String {
        match self {
            Limit::PublishedSeconds(seconds) => format!("{seconds} s"),
            Limit::Own | Limit::Fixed(_) | Limit::Clock(_) => budget.to_string(),
        }
    }

    /// The clock of each player, if they have one.
    pub fn clock(&self) -> Option<Clock> {
        match self {
            Limit::Clock(clock) => Some(*clock),
            Limit::Own | Limit::Fixed(_) | Limit::PublishedSeconds(_) => None,
        }
    }

    /// The budget of a move in a game that was published so; endless where the agents' own limits or clocks count.
    pub fn resolved(&self, published: &Published) -> Budget {
        match self {
            Limit::Own | Limit::Clock(_) => Budget::default(),
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
    clock: Option<Clocks>,
}

/// A number, or a list of them for a budget each.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a number or a list of numbers belongs here")]
enum Several<T> {
    One(T),
    List(Vec<T>),
}

/// A clock as `spinney match --clock` takes it, or a list of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a text such as \"10+0.1\", or a list of them, belongs here")]
enum Clocks {
    One(String),
    List(Vec<String>),
}

impl Clocks {
    fn each(clocks: Option<&Self>) -> Vec<Option<&str>> {
        match clocks {
            None => vec![None],
            Some(Clocks::One(one)) => vec![Some(one)],
            Some(Clocks::List(list)) => list.iter().map(|one| Some(one.as_str())).collect(),
        }
    }
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
struct OneBudget<'a> {
    simulations: Option<u64>,
    time: Option<f64>,
    cpu_time: Option<f64>,
    published_seconds: Option<f64>,
    clock: Option<&'a str>,
}

impl BudgetFile {
    /// Every number of every list with every other.
    fn each(&self) -> Vec<OneBudget<'_>> {
        let mut budgets = Vec::new();
        for simulations in Several::each(self.simulations.as_ref()) {
            for time in Several::each(self.time.as_ref()) {
                for cpu_time in Several::each(self.cpu_time.as_ref()) {
                    for published_seconds in Several::each(self.published_seconds.as_ref()) {
                        for clock in Clocks::each(self.clock.as_ref()) {
                            budgets.push(OneBudget { simulations, time, cpu_time, published_seconds, clock });
                        }
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
    if let Some(clock) = file.clock {
        if !budget.is_endless() || file.published_seconds.is_some() {
            return Err(InputError::new(place, "`clock` stands beside another limit", "write one of the two"));
        }
        return clock.parse().map(Limit::Clock).map_err(|error: InputError| error.within(place));
    }
    match seconds(file.published_seconds)? {
        Some(published) if budget.is_endless() => Ok(Limit::PublishedSeconds(published)),
        Some(_) => {
            let problem = "`published_seconds` stands beside another limit";
            Err(InputError::new(place, problem, "write one of the two"))
        }
        None if budget.is_endless() || file.simulations == Some(0) => {
            let remedy = "write { simulations = N }, { time = S }, { cpu_time = S }, { published_seconds = S } or \
                          { clock = \"BASE+INCREMENT\" }";
            Err(InputError::new(place, "a budget limits nothing", remedy))
        }
        None => Ok(Limit::Fixed(budget)),
    }
}
