//! The exact value of small games, with chance or without, by looking at every position once.

use crate::decide::ordered;
use spinney_core::game::{Player, Turn, no_luck};
use spinney_core::unhurried::{apply, moves, turn};
use spinney_core::{List, Notation};
use std::collections::HashMap;

/// A solved position.
#[derive(Clone, Debug)]
pub struct Solved<M> {
    /// Its value: the expected score of one player, or the expected reward of the first of two.
    pub value: f64,
    /// The values after each move, best first for the player to move; nothing at a chance turn.
    pub moves: Vec<(M, f64)>,
    /// Positions looked at.
    pub positions: usize,
}

/// Solves `state`, or gives up when there are more than `most` positions. A game must not come back to a position.
///
/// ```
/// use spinney_core::Game;
/// let game = spinney_games::TicTacToe;
/// let solved = spinney_search::expectimax::solve(&game, &game.initial(), 10_000).unwrap();
/// assert_eq!((solved.value, solved.positions), (0.0, 5478));
/// ```
pub fn solve<G: Notation>(game: &G, state: &G::State, most: usize) -> Option<Solved<G::Move>> {
    let mut known = HashMap::new();
    let value = value(game, state, &mut known, most)?;
    if let Turn::Player(player) = turn(game, state) {
        let after = |mv: G::Move| {
            let mut next = state.clone();
            apply(game, &mut next, mv);
            Some((mv, self::value(game, &next, &mut known, most)?))
        };
        let valued = moves(game, state).into_iter().map(after).collect::<Option<Vec<_>>>()?;
        let valued = ordered(&valued, &|a, b| better(player, b.1, a.1));
        return Some(Solved { value, moves: valued, positions: known.len() });
    }
    Some(Solved { value, moves: Vec::new(), positions: known.len() })
}

/// Which of two values this player prefers: greater is better.
fn better(player: Player, a: f64, b: f64) -> std::cmp::Ordering {
    if player == Player::First { a.total_cmp(&b) } else { b.total_cmp(&a) }
}

fn value<G: Notation>(game: &G, state: &G::State, known: &mut HashMap<String, f64>, most: usize) -> Option<f64> {
    let key = game.write_position(state);
    if let Some(&value) = known.get(&key) {
        return Some(value);
    }
    if known.len() >= most {
        return None;
    }
    let mut after = |mv: G::Move| {
        let mut next = state.clone();
        apply(game, &mut next, mv);
        value(game, &next, known, most)
    };
    let found = match turn(game, state) {
        Turn::Over(outcome) => match G::SCORE {
            Some(score) => score.of_state(game, state),
            None => f64::from(outcome.reward(Player::First)),
        },
        Turn::Chance => {
            let Some(luck) = G::LUCK else { no_luck() };
            let mut outcomes = List::new();
            luck.outcomes(game, state, &mut outcomes);
            let mut sum = 0.0;
            for outcome in outcomes {
                sum += outcome.probability * after(outcome.mv)?;
            }
            sum
        }
        Turn::Player(player) => {
            let values = moves(game, state).into_iter().map(after).collect::<Option<Vec<f64>>>()?;
            values.into_iter().max_by(|a, b| better(player, *a, *b))?
        }
    };
    known.insert(key, found);
    Some(found)
}
