//! How long the agents of a match think, before the game is known.

use spinney_core::Published;
use spinney_search::Budget;

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
