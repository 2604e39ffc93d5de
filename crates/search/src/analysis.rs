//! What a search is asked about, and what it finds.

use crate::budget::StopReason;
use crate::mcts::Totals;
use crate::tree::Proof;
use alloc::vec::Vec;
use core::time::Duration;
#[cfg(not(feature = "std"))]
use spinney_core::arithmetic::Rounded as _;
use spinney_core::game::Game;

/// A position and how it came about.
#[derive(Debug)]
pub struct Position<'a, G: Game> {
    /// The position itself; it must not be over.
    pub state: &'a G::State,
    /// The moves since the start of the game.
    pub history: &'a [G::Move],
}

impl<'a, G: Game> Position<'a, G> {
    /// A position without a past.
    pub fn new(state: &'a G::State) -> Self {
        Self { state, history: &[] }
    }
}

/// What a search knows of a position.
#[derive(Clone, Debug)]
pub struct Analysis<M> {
    /// The moves, best first.
    pub candidates: Vec<Candidate<M>>,
    /// What is proven for the player to move.
    pub proof: Proof,
    /// Totals over all simulations.
    pub totals: Totals,
    /// Nodes in the tree.
    pub nodes: u64,
    /// Bytes in use.
    pub bytes: u64,
    /// Time since the start of the search.
    pub elapsed: Duration,
    /// Why it stopped, or `None` while it runs.
    pub stopped: Option<StopReason>,
}

impl<M> Analysis<M> {
    /// Nothing is known.
    pub const fn nothing() -> Self {
        Self {
            candidates: Vec::new(),
            proof: Proof::Unknown,
            totals: Totals::NONE,
            nodes: 0,
            bytes: 0,
            elapsed: Duration::ZERO,
            stopped: None,
        }
    }
}

/// What a search knows of one move, in the view of the player to move.
#[derive(Clone, Debug)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// Simulations through it.
    pub visits: u32,
    /// Their mean reward, in [−1, 1]; the mean score in a game of one player.
    pub mean: f32,
    /// Standard deviation of a single reward.
    pub deviation: f32,
    /// What is proven of it.
    pub proof: Proof,
    /// The line expected after it, beginning with the move itself.
    pub variation: Vec<M>,
}

impl<M> Candidate<M> {
    /// Half the width of the 95 % interval of the mean.
    pub fn margin(&self) -> f32 {
        if self.visits == 0 { f32::NAN } else { 1.96 * self.deviation / (self.visits as f32).sqrt() }
    }
}
