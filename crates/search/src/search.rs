//! What simulates: a search makes one simulation at a time, and knows no clock, thread, file or text beyond its settings.

use crate::analysis::{Analysis, Position};
use crate::budget::Budget;
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
