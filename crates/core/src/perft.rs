//! Counting move sequences, the standard test of a move generator.

use crate::game::{Game, Turn, continuations};
use crate::roles::RolesOf;
use crate::workspace::Workspace;
use alloc::{vec, vec::Vec};

/// The number of sequences of `depth` legal moves and chance outcomes from `state`; a finished game has none. In games of
/// roles these are joint moves, one of each role at the same time.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    let mut work = Workspace::new();
    // The constant condition stands first, so that joint moves are compiled only for games that have them.
    if const { G::ROLES.is_some() }
        && let Some(roles) = G::ROLES
    {
        let mut state = state.clone();
        roles.begin_step(game, &mut state, &mut work);
        return count_joint(game, &roles, &state, depth, &mut work);
    }
    count(game, state, depth, &mut work)
}

fn count_joint<G: Game>(game: &G, roles: &RolesOf<G>, state: &G::State, depth: u32, work: &mut Workspace<G>) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.turn(state).outcome().is_some() {
        return 0;
    }
    let moves: Vec<Vec<G::Move>> = (0..roles.count(game))
        .map(|role| {
            work.moves.clear();
            roles.role_moves(game, state, role, work);
            work.moves.to_vec()
        })
        .collect();
    // Joint moves may be many, so they are counted before they are made.
    let joint_moves = moves.iter().fold(1_u64, |product, own| product.saturating_mul(own.len() as u64));
    if depth == 1 || joint_moves == 0 {
        return joint_moves;
    }
    let mut places = vec![0; moves.len()];
    let mut joint: Vec<G::Move> = moves.iter().map(|own| own[0]).collect();
    let mut sum = 0_u64;
    loop {
        let mut next = state.clone();
        roles.apply_joint(game, &mut next, &joint, work);
        sum = sum.saturating_add(count_joint(game, roles, &next, depth - 1, work));
        // The next one, as a counter with a wheel for each role.
        let Some(role) = (0..moves.len()).rev().find(|&role| places[role] + 1 < moves[role].len()) else { return sum };
        places[role] += 1;
        places[role + 1..].fill(0);
        for role in role..moves.len() {
            joint[role] = moves[role][places[role]];
        }
    }
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
