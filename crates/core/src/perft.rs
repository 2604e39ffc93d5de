//! Counting move sequences, the standard test of a move generator.

use crate::game::{Game, Turn, continuations};
use crate::workspace::Workspace;

/// The number of sequences of `depth` legal moves and chance outcomes from `state`; a finished game has none.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    count(game, state, depth, &mut Workspace::new())
}

fn count<G: Game>(game: &G, state: &G::State, depth: u32, work: &mut Workspace<G>) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = continuations(game, state);
    if depth == 1 {
        return moves.len() as u64;
    }
    let is_chance = game.turn(state) == Turn::Chance;
    moves
        .into_iter()
        .map(|mv| {
            let mut next = state.clone();
            if is_chance {
                game.apply(&mut next, mv);
            } else {
                game.advance(&mut next, mv, work);
            }
            count(game, &next, depth - 1, work)
        })
        .sum()
}
