//! Unit tests of Can't Stop.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use super::*;
use spinney_core::{Game, Notation, Outcome, Random, Seed, Stream, Turn};

fn moves(position: &str) -> Vec<String> {
    let game = CantStop::default();
    let state = game.read_position(position).unwrap();
    let mut moves = Vec::new();
    game.moves(&state, &mut moves);
    moves.into_iter().map(|mv| game.write_move(&state, mv)).collect()
}

#[test]
fn pairings() {
    assert_eq!(moves("10 0/0/0/0/0/0/0/0/0/0/0 - 1-2-3-4"), ["3+7", "4+6", "5+5"]);
    // One runner is free: where both columns would need it, one of them is chosen.
    assert_eq!(moves("10 0/0/0/0/0/0/0/0/0/0/0 2:1,12:1 1-2-3-4"), ["3", "7", "4", "6", "5+5"]);
    // No runner is free.
    assert_eq!(moves("10 0/0/0/0/0/0/0/0/0/0/0 2:1,6:3,12:1 1-2-3-4"), ["6"]);
    // A finished column is closed.
    assert_eq!(moves("10 0/5/0/0/0/0/0/0/0/0/0 - 1-2-3-4"), ["7", "4+6", "5+5"]);
    assert_eq!(moves("10 0/0/0/0/0/0/0/0/0/0/0 6:1 decide"), ["roll", "stop"]);
}

#[test]
fn a_double_has_one_step_where_one_is_left() {
    let game = CantStop::default();
    let mut state = game.read_position("1 2/0/0/0/0/0/0/0/0/0/0 - 1-1-1-1").unwrap();
    let mv = game.read_move(&state, "2+2").unwrap();
    game.apply(&mut state, mv);
    assert_eq!(game.write_position(&state), "1 2/0/0/0/0/0/0/0/0/0/0 2:3 finished");
    game.apply(&mut state, STOP);
    assert_eq!((game.turn(&state), game.score(&state)), (Turn::Over(Outcome::Scored), 500.0));
}

/// 724.2 ± 1.9 points over 400 000 games of an independent program.
#[test]
fn the_policy_scores_as_elsewhere() {
    let game = CantStop::default();
    let mut random = Random::new(Seed::new(1));
    let mut stream = Stream::new(Seed::new(2));
    let (mut sum, mut squares, games) = (0.0, 0.0, 100_000);
    for _ in 0..games {
        let mut state = game.initial();
        loop {
            match game.turn(&state) {
                Turn::Over(_) => break,
                Turn::Chance => drop(game.draw_outcome(&mut state, &mut stream)),
                Turn::Player(_) => {
                    let mv = game.policy_move(&state, &mut random, &mut Vec::new(), &mut Vec::new()).unwrap();
                    game.apply(&mut state, mv);
                }
            }
        }
        sum += game.score(&state);
        squares += game.score(&state).powi(2);
    }
    let mean = sum / f64::from(games);
    let error = ((squares / f64::from(games) - mean * mean) / f64::from(games)).sqrt();
    assert!((mean - 724.2).abs() < 4.0 * error.hypot(0.97), "{mean} ± {error}");
}
