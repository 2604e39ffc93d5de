//! What simulates: a search makes one simulation at a time, and knows no clock, thread, file or text beyond its settings.

use crate::analysis::{Analysis, Position};
use crate::budget::{Budget, StopReason};
use crate::insight::Insight;
use crate::mcts::Totals;
use spinney_core::Seed;
use spinney_core::game::Game;

/// How long a search thinks when it is not told, and how fast it is likely to be.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The limits when a task names none.
    pub budget: Budget,
    /// Simulations that a second takes, as far as is known before the first search.
    pub simulations_per_second: u32,
    /// Simulations beyond those of any budget.
    pub extra: u64,
}

/// Something that makes simulations from a position and knows what it has found.
pub trait Search<G: Game> {
    /// Its pace.
    fn pace(&self) -> Pace;

    /// The agent with all its settings, as it is written.
    #[cfg(feature = "std")]
    fn describe(&self) -> String;

    /// Forgets what it knows of the game played so far.
    fn new_game(&mut self) {}

    /// Prepares a search of `position`, which must not be over, of about `expected` simulations (0 if nobody knows).
    fn begin(&mut self, game: &G, position: &Position<'_, G>, expected: u64, seed: Seed);

    /// One simulation. Long ones ask `late` now and then and return false if they gave up; nothing has come of them then.
    fn simulate(&mut self, game: &G, late: &dyn Fn() -> bool) -> bool;

    /// Totals of the simulations so far.
    fn totals(&self) -> Totals;

    /// Nodes in the tree.
    fn nodes(&self) -> u64 {
        0
    }

    /// Whether more simulations cannot change the decision.
    fn is_settled(&self) -> bool {
        false
    }

    /// Whether no further simulation can be counted.
    fn is_exhausted(&self) -> bool {
        false
    }

    /// Whether the search shall go on for up to a quarter of its simulations, as its decision is not clear yet.
    fn is_undecided(&self) -> bool {
        false
    }

    /// The move that need not be thought about, if nobody wants to see more.
    fn lone_move(&self) -> Option<G::Move> {
        None
    }

    /// What it has found so far; the driver adds times and the reason for stopping.
    fn analysis(&mut self) -> Analysis<G::Move>;

    /// The move to play.
    fn decide(&mut self) -> G::Move;

    /// What is known of the node after these moves.
    fn look(&self, _path: &[G::Move]) -> Option<Insight<G::Move>> {
        None
    }
}

/// A search of any kind, for those to whom a call more is nothing.
#[cfg(feature = "std")]
impl<G: Game> Search<G> for Box<dyn Search<G> + Send> {
    fn pace(&self) -> Pace {
        (**self).pace()
    }

    fn describe(&self) -> String {
        (**self).describe()
    }

    fn new_game(&mut self) {
        (**self).new_game();
    }

    fn begin(&mut self, game: &G, position: &Position<'_, G>, expected: u64, seed: Seed) {
        (**self).begin(game, position, expected, seed);
    }

    fn simulate(&mut self, game: &G, late: &dyn Fn() -> bool) -> bool {
        (**self).simulate(game, late)
    }

    fn totals(&self) -> Totals {
        (**self).totals()
    }

    fn nodes(&self) -> u64 {
        (**self).nodes()
    }

    fn is_settled(&self) -> bool {
        (**self).is_settled()
    }

    fn is_exhausted(&self) -> bool {
        (**self).is_exhausted()
    }

    fn is_undecided(&self) -> bool {
        (**self).is_undecided()
    }

    fn lone_move(&self) -> Option<G::Move> {
        (**self).lone_move()
    }

    fn analysis(&mut self) -> Analysis<G::Move> {
        (**self).analysis()
    }

    fn decide(&mut self) -> G::Move {
        (**self).decide()
    }

    fn look(&self, path: &[G::Move]) -> Option<Insight<G::Move>> {
        (**self).look(path)
    }
}

/// What tells a search to stop, with a clock ([`Watch`](crate::budget::Watch)) or without ([`Counts`]).
pub trait Stop {
    /// The first limit that has been reached.
    fn reached(&self, simulations: u64, nodes: u64, is_proven: bool) -> Option<StopReason>;

    /// Whether the time is up, for searches whose simulations take long.
    fn is_late(&self) -> bool {
        false
    }

    /// Whether somebody wants to hear of the search now.
    fn is_asked(&mut self, _simulations: u64) -> bool {
        false
    }

    /// The simulations asked for, if they are limited.
    fn simulations(&self) -> Option<u64>;

    /// Allows more simulations.
    fn extend(&mut self, simulations: u64);
}

/// Limits that need no clock.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    simulations: Option<u64>,
    nodes: Option<u64>,
}

impl Counts {
    /// Those of a budget.
    pub fn new(budget: &Budget) -> Self {
        Self { simulations: budget.simulations, nodes: budget.nodes }
    }
}

impl Stop for Counts {
    #[inline(always)]
    fn reached(&self, simulations: u64, nodes: u64, is_proven: bool) -> Option<StopReason> {
        if is_proven {
            return Some(StopReason::Proven);
        }
        if self.simulations.is_some_and(|most| simulations >= most) {
            return Some(StopReason::Simulations);
        }
        self.nodes.is_some_and(|most| nodes >= most).then_some(StopReason::Nodes)
    }

    fn simulations(&self) -> Option<u64> {
        self.simulations
    }

    fn extend(&mut self, simulations: u64) {
        self.simulations = self.simulations.map(|most| most.saturating_add(simulations));
    }
}

/// Makes simulations until something says stop; a search whose decision is not clear goes on for up to a quarter more.
#[inline(always)]
pub fn think<G: Game, S: Search<G>, W: Stop>(
    search: &mut S,
    game: &G,
    stop: &mut W,
    mut report: impl FnMut(&mut S, &W),
) -> StopReason {
    let asked = stop.simulations().unwrap_or(0);
    let mut is_extended = false;
    loop {
        let simulations = search.totals().simulations;
        let reached = stop.reached(simulations, search.nodes(), search.is_settled());
        let reached = reached.or_else(|| search.is_exhausted().then_some(StopReason::Simulations));
        match reached {
            Some(StopReason::Simulations) if !is_extended && search.is_undecided() => {
                // In small steps, so that the search ends as soon as the decision is clear.
                stop.extend(asked.div_ceil(32));
                is_extended = stop.simulations().is_none_or(|most| most >= asked + asked / 4);
                continue;
            }
            Some(reason) => return reason,
            None => {}
        }
        let is_asked = stop.is_asked(simulations);
        if !search.simulate(game, &|| stop.is_late()) {
            return StopReason::Time;
        }
        if is_asked {
            report(search, stop);
        }
    }
}
