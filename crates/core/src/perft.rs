//! Counting move sequences, the standard test of a move generator.

use crate::game::{Game, continuations};

/// The number of sequences of `depth` legal moves and chance outcomes from `state`; a finished game has none.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = continuations(game, state);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|mv| {
            let mut next = state.clone();
            game.apply(&mut next, mv);
            perft(game, &next, depth - 1)
        })
        .sum()
}
