//! The driver of every search: it reads the clock, keeps the budget, reports, and stops. What simulates knows none of
//! these.

pub use crate::search::{Pace, Search};

use crate::agent::{Agent, Analysis, Decision, Position, Task};
use crate::budget::{Budget, StopReason, Watch};
use crate::insight::Insight;
use crate::search::think;
use spinney_core::game::Game;

/// A search with its driver: an agent.
#[derive(Clone, Debug)]
pub struct Driven<S> {
    /// The search.
    pub search: S,
    /// Simulations that a second of thinking takes, as far as is known.
    simulations_per_second: Option<f64>,
}

impl<S> Driven<S> {
    /// The agent of a search.
    pub const fn new(search: S) -> Self {
        Self { search, simulations_per_second: None }
    }
}

impl<S> Driven<S> {
    /// How many simulations a budget allows: as many as it says, or as fit into its time.
    fn expected(&self, budget: &Budget, pace: &Pace) -> u64 {
        let speed = self.simulations_per_second.unwrap_or(f64::from(pace.simulations_per_second));
        expected_at(budget, speed)
    }
}

/// How many simulations a budget allows at this speed.
pub(crate) fn expected_at(budget: &Budget, speed: f64) -> u64 {
    let seconds = [budget.time, budget.cpu_time].into_iter().flatten().min();
    let fitting = seconds.map(|time| (time.as_secs_f64() * speed) as u64);
    [budget.simulations, fitting].into_iter().flatten().min().unwrap_or(0)
}

impl<G: Game, S: Search<G> + Send> Agent<G> for Driven<S> {
    // Never inlined: those who know the type, as a diagnosis does, would compile the whole search once more.
    #[inline(never)]
    fn choose(&mut self, game: &G, position: &Position<'_, G>, task: &mut Task<'_, G>) -> Decision<G::Move> {
        let pace = self.search.pace();
        let mut budget = task.budget.unwrap_or(pace.budget);
        budget.simulations = budget.simulations.map(|most| most + pace.extra);
        let mut watch = Watch::start(budget, task.stop, task.interval());
        let expected = self.expected(&budget, &pace);
        let search = &mut self.search;
        search.begin(game, position, expected, task.seed);
        if let (false, Some(mv)) = (task.explain, search.lone_move()) {
            return Decision { mv, simulations: 0, explanation: None };
        }
        let stopped = think(search, game, &mut watch, |search, watch| {
            let analysis = found(search, watch, None);
            task.report(|| analysis, &|path| search.look(path));
        });
        let (simulations, seconds) = (search.totals().simulations, watch.elapsed().as_secs_f64());
        let mv = search.decide();
        let explanation = task.explain.then(|| found(search, &watch, Some(stopped)));
        if stopped == StopReason::Time && simulations > 0 {
            self.simulations_per_second = Some(simulations as f64 / seconds.max(1e-6));
        }
        Decision { mv, simulations, explanation }
    }

    fn new_game(&mut self) {
        self.search.new_game();
    }

    fn look(&self, path: &[G::Move]) -> Option<Insight<G::Move>> {
        self.search.look(path)
    }

    fn budget(&self) -> Budget {
        self.search.pace().budget
    }

    fn describe(&self) -> String {
        self.search.describe()
    }
}

#[inline(never)]
fn found<G: Game, S: Search<G>>(search: &mut S, watch: &Watch<'_>, stopped: Option<StopReason>) -> Analysis<G::Move> {
    Analysis { elapsed: watch.elapsed(), stopped, ..search.analysis() }
}
