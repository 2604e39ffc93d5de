//! Working memory that outlives a simulation, so that the hot path allocates nothing.

use crate::game::Game;
use crate::list::List;
use crate::policy::Weighted;
use core::fmt;

/// What the functions of the hot path work with: lists, and whatever a game keeps for itself.
///
/// A search owns one and hands it to the game; nothing in it decides a result.
pub struct Workspace<G: Game> {
    /// Moves.
    pub moves: List<G::Move>,
    /// Candidates of a play-out policy.
    pub candidates: List<Weighted<G::Move>>,
    /// The game's own.
    pub scratch: G::Scratch,
}

impl<G: Game> Workspace<G> {
    /// Lists with room for most positions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Fills `moves` with what searches consider in `state`.
    #[inline(always)]
    pub fn list_moves(&mut self, game: &G, state: &G::State) {
        self.moves.clear();
        game.search_moves(state, self);
    }
}

impl<G: Game> Default for Workspace<G> {
    fn default() -> Self {
        Self { moves: List::with_capacity(256), candidates: List::with_capacity(256), scratch: G::Scratch::default() }
    }
}

impl<G: Game> fmt::Debug for Workspace<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace").field("moves", &self.moves).finish_non_exhaustive()
    }
}
