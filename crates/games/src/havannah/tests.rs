//! Unit tests of Havannah.

use super::*;
use spinney_core::{Game, Notation, Outcome, Random, Seed, Turn, Workspace};

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
    let mut work = Workspace::new();
    let mut draws = 0;
    let mut random = Random::new(Seed::new(3));
    for _ in 0..2_000 {
        let mut state = game.initial();
        while let Turn::Player(_) = game.turn(&state) {
            let mv = game.random_move(&state, &mut random, &mut work).unwrap();
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

/// Compared with groups that are found by walking from stone to stone.
#[test]
fn names_say_which_stones_are_connected() {
    for size in [3, 5, 8, 10] {
        let game = Havannah::new(Options { size });
        let mut random = Random::new(Seed::new(u64::from(size)));
        for _ in 0..20 {
            let mut state = game.initial();
            let mut owners = vec![None; game.board.cells.len()];
            while let Turn::Player(player) = game.turn(&state) {
                let mv = game.random_move(&state, &mut random, &mut Workspace::new()).unwrap();
                game.apply(&mut state, mv);
                owners[usize::from(mv.0)] = Some(player);
            }
            let mut found = vec![None; owners.len()];
            let mut names = Vec::new();
            for start in 0..owners.len() {
                let Some(player) = owners[start].filter(|_| found[start].is_none()) else { continue };
                let name = |cell: usize| state.groups[player.index()].name(state.numbers[cell]);
                let mut rest = vec![start];
                while let Some(cell) = rest.pop() {
                    assert_eq!(name(cell), name(start));
                    found[cell] = Some(start);
                    let around = CIRCLE.map(|(bit, _, _)| game.board.cells[cell].neighbour(bit));
                    let own = |next: &usize| owners.get(*next) == Some(&Some(player)) && found[*next].is_none();
                    rest.extend(around.into_iter().filter(own));
                }
                names.push((player.index(), name(start)));
            }
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "two groups of a name");
        }
    }
}

/// Every third cell, each a group of its own: as many as there can be.
#[test]
fn there_is_room_for_all_groups() {
    let game = Havannah::new(Options { size: 10 });
    let mut state = game.initial();
    let third = |cell: &Cell| (u32::from(cell.column) + u32::from(cell.row)).is_multiple_of(3);
    for (number, _) in game.board.cells.iter().enumerate().filter(|(_, cell)| third(cell)) {
        assert!(!game.place(&mut state, number as u16, Player::First));
    }
    assert_eq!(271 - state.empty_cells, 91);
}

/// No stone wins before the number of stones from which on searches look.
#[test]
fn nobody_wins_with_fewer_stones_than_it_takes() {
    for (size, least) in [(3, 3), (4, 4), (6, 6), (8, 6)] {
        let game = Havannah::new(Options { size });
        assert_eq!(game.board.least_stones, least);
        let mut random = Random::new(Seed::new(u64::from(size)));
        for _ in 0..2_000 {
            let mut state = game.initial();
            while let Turn::Player(_) = game.turn(&state) {
                let mv = game.random_move(&state, &mut random, &mut Workspace::new()).unwrap();
                game.apply(&mut state, mv);
            }
            let stones = (game.board.cells.len() as u16 - state.empty_cells).div_ceil(2);
            assert!(state.winner.is_none() || stones >= least, "{stones} stones on {size}");
        }
    }
}
