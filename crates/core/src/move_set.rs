//! Games whose positions hold their moves as a set of ids, as games do in which stones are placed on empty cells.

use crate::game::Game;

/// A game with sets of moves; it says so with `const MOVE_SETS: Option<SetsOf<Self>> = Some(SetsOf::of())`. What learns
/// compares such moves without listing them.
pub trait MoveSets: Game {
    /// The ids of the search moves as bits. `search_moves` lists these moves by rising id.
    fn move_set<'a>(&self, state: &'a Self::State) -> &'a [u64];

    /// The move of this id in `move_set`.
    fn move_with_id(&self, state: &Self::State, id: usize) -> Self::Move;
}

/// The functions of [`MoveSets`] as a constant of its game: known when a search is compiled, absent where moves are
/// listed.
pub struct SetsOf<G: Game> {
    move_set: for<'a> fn(&G, &'a G::State) -> &'a [u64],
    move_with_id: fn(&G, &G::State, usize) -> G::Move,
}

impl<G: MoveSets> SetsOf<G> {
    /// The sets of `G`.
    pub const fn of() -> Self {
        Self { move_set: G::move_set, move_with_id: G::move_with_id }
    }
}

impl<G: Game> SetsOf<G> {
    /// See [`MoveSets::move_set`].
    #[inline(always)]
    pub fn move_set<'a>(&self, game: &G, state: &'a G::State) -> &'a [u64] {
        (self.move_set)(game, state)
    }

    /// See [`MoveSets::move_with_id`].
    #[inline(always)]
    pub fn move_with_id(&self, game: &G, state: &G::State, id: usize) -> G::Move {
        (self.move_with_id)(game, state, id)
    }
}
