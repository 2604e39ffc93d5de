//! Counting move sequences, the standard test of a move generator.

use crate::game::{Game, Turn};

/// The number of sequences of `depth` legal moves from `state`; a finished game has none.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if let Turn::Over(_) = game.turn(state) {
        return 0;
    }
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
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
