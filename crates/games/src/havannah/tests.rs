//! Unit tests of Havannah.

use super::*;
use spinney_core::{Game, Notation, Outcome, Random, Turn};

/// Whether the last of these stones of one player wins, on a board of side 4 with some of the other's stones.
fn wins(stones: &str, others: &str) -> bool {
    let game = Havannah::new(Options { size: 4 });
    let mut state = game.initial();
    for other in others.split_whitespace() {
        let mv = game.read_move(&state, other).unwrap();
        assert!(!game.place(&mut state, mv.0, Player::Second));
    }
    let mut won = false;
    for stone in stones.split_whitespace() {
        assert!(!won, "won before {stone}");
        let mv = game.read_move(&state, stone).unwrap();
        let foreseen = game.would_win(&state, mv.0, Player::First);
        won = game.place(&mut state, mv.0, Player::First);
        assert_eq!(foreseen, won);
    }
    won
}

#[test]
fn bridges_join_two_corners() {
    assert!(wins("a1 d1 b1 c1", ""));
    assert!(!wins("a1 d1 b1 d2 e2", ""));
    assert!(wins("a1 b1 c1 c2 d1", ""));
}

#[test]
fn forks_touch_three_sides() {
    // From the middle of the board to the top, the left and the bottom.
    assert!(wins("b1 b2 b3 c4 d5 a3 f7 e6", ""));
    // A corner lies on no side.
    assert!(!wins("b1 b2 b3 a3 b4 c5 d6 d7", ""));
    // The same side counts once.
    assert!(!wins("b1 b2 b3 a3 a2 c1", ""));
}

#[test]
fn rings_enclose_whatever_the_cell_holds() {
    assert!(wins("c3 d3 e4 e5 d5 c4", ""));
    assert!(wins("c3 d3 e4 e5 d5 c4", "d4"));
    assert!(wins("c3 d3 e4 d4 e5 d5 c4", ""));
    assert!(wins("d4 c3 e4 c4 e5 d3 d5", ""));
    // A larger ring, closed in the middle of an edge.
    assert!(wins("c2 d2 e3 f4 f5 e5 d5 c4 b3 b2", "c3 d4"));
}

#[test]
fn blobs_are_no_rings() {
    assert!(!wins("c3 d3 d4", ""));
    assert!(!wins("c3 d3 e4 e5 d5 d4", ""));
    assert!(!wins("c3 d3 e4 e3 d2 e2 c2", ""));
}

#[test]
fn a_full_board_is_a_draw() {
    let game = Havannah::new(Options { size: 3 });
    let mut draws = 0;
    let mut random = Random::new(spinney_core::Seed::new(3));
    for _ in 0..2_000 {
        let mut state = game.initial();
        while let Turn::Player(_) = game.turn(&state) {
            let mv = game.random_move(&state, &mut random, &mut Vec::new()).unwrap();
            game.apply(&mut state, mv);
        }
        draws += u32::from(game.turn(&state) == Turn::Over(Outcome::Draw) && state.empty_cells == 0);
    }
    assert!(draws > 0);
}

#[test]
fn impossible_positions_are_refused() {
    let game = Havannah::new(Options { size: 3 });
    let problem = |text: &str| game.read_position(text).unwrap_err().to_string();
    assert!(problem("111/..../...../..../... 2").contains("stones do not fit"));
    assert!(problem("111/222./...../..../... 1").contains("won already"));
    assert!(problem(".../..../..../..../... 1").contains("row 3"));
    assert!(problem("... 1").contains("1 rows"));
    let over = game.read_position("111/2.2./...../..../... 2").unwrap();
    assert_eq!(game.turn(&over), Turn::Over(Outcome::Win(Player::First)));
}

#[test]
fn the_drawing_shows_rows_and_columns() {
    let game = Havannah::new(Options { size: 3 });
    let state = game.read_position("1../..../..2../..../... 1").unwrap();
    let expected = "       a b c\n    1 1 . . d\n   2 . . . . e\n  3 . . 2 . .\n   4 . . . .\n    5 . . .\n";
    assert_eq!(game.draw(&state), expected);
}
