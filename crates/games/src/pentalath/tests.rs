//! Unit tests of Pentalath.

use super::*;
use spinney_core::{Game, List, Notation, Outcome, Turn, bits, random};

const EMPTY_BOARD: &str = "...../....../......./......../........./......../......./....../.....";

fn engine() -> Pentalath {
    Pentalath::new(Options { variant: Variant::Engine2014 })
}

/// Plays moves by name from a position.
fn play(game: &Pentalath, position: &str, moves: &str) -> State {
    let mut state = game.read_position(position).unwrap();
    for name in moves.split_whitespace() {
        let mv = game.read_move(&state, name).unwrap();
        game.apply(&mut state, mv);
    }
    state
}

fn names(game: &Pentalath, state: &State) -> Vec<String> {
    let mut moves = List::new();
    game.moves(state, &mut moves);
    let mut names: Vec<String> = moves.iter().map(|&mv| game.write_move(state, mv)).collect();
    names.sort();
    names
}

#[test]
fn the_second_player_may_swap() {
    let game = Pentalath::default();
    let state = play(&game, &format!("{EMPTY_BOARD} 1"), "c3 swap");
    let text = "...../....../..2..../......../........./......../......./....../..... 1 2";
    assert_eq!(game.write_position(&state), text);
    assert_eq!(names(&game, &state).len(), 60);
}

/// A stone on a2 takes a1 in the west and b3 in the south-east; the published engine takes only b3.
#[test]
fn all_dead_groups_are_captured() {
    let position = "2.1../1121../..11.../......../........./......../......./....../..... 1 30";
    let state = play(&Pentalath::default(), position, "a2");
    let text = ".11../11.1../..11.../......../........./......../......./....../..... 2 31";
    assert_eq!(Pentalath::default().write_position(&state), text);
    let state = play(&engine(), position, "a2");
    let text = "211../11.1../..11.../......../........./......../......./....../..... 2 31";
    assert_eq!(engine().write_position(&state), text);
}

#[test]
fn suicide_is_illegal_unless_it_captures() {
    let game = Pentalath::default();
    let suicide = game.read_position(".2.../22..../1....../......../........./......../......./....../..... 1 6");
    assert!(!names(&game, &suicide.unwrap()).contains(&"a1".to_string()));
    let capture = ".21../221.../111..../......../........./......../......./....../..... 1 20";
    let state = play(&game, capture, "a1");
    let text = "1.1../..1.../111..../......../........./......../......./....../..... 2 21";
    assert_eq!(game.write_position(&state), text);
}

/// After captures five can stand in a row among seven stones; the engine does not look yet.
#[test]
fn five_wins_with_few_stones_too() {
    let position = "1111./....../......./......../........./......../......./....../22... 1 8";
    let won = play(&Pentalath::default(), position, "a5");
    assert_eq!(Pentalath::default().turn(&won), Turn::Over(Outcome::Win(Player::First)));
    let overlooked = play(&engine(), position, "a5");
    assert_eq!(engine().turn(&overlooked), Turn::Player(Player::Second));
}

/// Runs that the winner has shut in do not count: of four in a row only three are left on the other axis.
#[test]
fn quality_is_the_losers_longest_live_run() {
    let game = Pentalath::default();
    let won = |position: &str| game.quality(&game.read_position(position).unwrap(), Player::First);
    let few = "2222./....../......./......../11111..../......../......./....../..... 2 21";
    assert!((won(few) - 0.2).abs() < 1e-6);
    let shut_in = "22221/....../......./......../11111..../......../......./....../..... 2 21";
    assert!((won(shut_in) - 0.8).abs() < 1e-6);
    let none = "...../....../......./......../11111..../......../......./....../..... 2 9";
    assert!((won(none) - 1.0).abs() < 1e-6);
    let none = engine().read_position("...../....../......./......../1111111../....1.../......./....../..... 2 41");
    assert!((engine().quality(&none.unwrap(), Player::First) - 3.0).abs() < 1e-6);
}

/// The engine does not count a stone beyond a gap: `22.2.` between the winner's stones has room for five, but
/// not for it. Beyond a second empty cell it counts again.
#[test]
fn the_engine_overlooks_stones_beyond_a_gap() {
    let longest = |letters: &str| {
        let position = format!("...../....../{letters}/......../........./......../......./....../..... 2 31");
        let stones = engine().read_position(&position).unwrap().stones();
        let [winner, loser] = stones;
        let standard = live_runs::<EAST, 5>(loser, winner).iter().filter(|&&set| set != 0).count();
        // Only the row itself counts here: the other axes are closed by the border of the row.
        (standard, Pentalath::engine_longest_run(loser, winner | BOARD & !row(2)))
    };
    assert_eq!(longest("122.2.1"), (2, 0));
    assert_eq!(longest("122..21"), (2, 2));
    assert_eq!(longest("122..11"), (0, 0));
    assert_eq!(longest("122...1"), (2, 2));
}

/// The engine's measure, stone by stone.
fn longest_run_by_stones(loser: u64, winner: u64) -> i32 {
    let mut longest = if loser == 0 { -10 } else { 0 };
    for stone in bits::squares(loser) {
        for axis in [[2, 5], [3, 0], [4, 1]] {
            let (mut run, mut open) = (1, 0);
            for direction in axis {
                let mut cell = usize::from(stone);
                let mut empty = 0;
                while continues(cell, direction) {
                    cell = (cell + STEPS[direction] as usize) % CELLS;
                    if winner >> cell & 1 == 1 {
                        break;
                    }
                    let is_stone = loser >> cell & 1 == 1;
                    empty += i32::from(!is_stone);
                    run += i32::from(empty == 0);
                    open += i32::from(!is_stone || empty >= 2);
                }
            }
            if run + open >= 5 {
                longest = longest.max(run);
            }
        }
    }
    longest
}

/// On every row of up to nine cells, and on boards with few and with many stones.
#[test]
fn all_stones_at_once_have_the_longest_run_that_each_alone_has() {
    let agree = |loser: u64, winner: u64| {
        let found = Pentalath::engine_longest_run(loser, winner);
        assert_eq!(found, longest_run_by_stones(loser, winner), "{loser:x} {winner:x}");
    };
    let middle = row(4);
    for index in 0..1 << 9 {
        let loser = bits::deposit(index, middle);
        for index in 0..1 << (9 - loser.count_ones()) {
            let winner = bits::deposit(index, middle & !loser);
            agree(loser, winner);
            agree(loser, winner | BOARD & !middle);
        }
    }
    let mut word = 1;
    let mut drawn = || {
        word = random::mix(word);
        word & BOARD
    };
    for _ in 0..20_000 {
        let [one, two, three, four] = [drawn(), drawn(), drawn(), drawn()];
        for loser in [one, one & two, one | two, one & two & three] {
            agree(loser, three & !loser);
            agree(loser, three & four & !loser);
            agree(loser, 0);
        }
    }
}

fn row(row: usize) -> u64 {
    (0..row_length(row)).fold(0, |set, place| set | 1 << cell_at(row, place))
}

#[test]
fn the_game_is_drawn_after_500_plies_or_without_a_placement() {
    let game = Pentalath::default();
    let state = play(&game, &format!("1{} 2 499", &EMPTY_BOARD[1..]), "a2");
    assert_eq!(game.turn(&state), Turn::Over(Outcome::Draw));
    // On every empty cell a stone of the first player would be without liberty.
    let stuck = "2221./221211/1111222/11122.21/111122221/2221222./2.2.112/221122/2112. 1 66";
    let state = game.read_position(stuck).unwrap();
    assert_eq!(game.quick_turn(&state), Turn::Player(Player::First));
    assert_eq!(game.turn(&state), Turn::Over(Outcome::Draw));
}

#[test]
fn impossible_positions_are_refused_with_a_remedy() {
    let game = Pentalath::default();
    let with = |begin: &str, end: &str| {
        let text = format!("{begin}{} {end}", &EMPTY_BOARD[begin.len()..]);
        game.read_position(&text).map_err(|error| error.to_string())
    };
    for (begin, end, part) in [
        ("", "1 1", "does not fit the number of plies"),
        ("1", "1 2", "no stone"),
        ("11", "2 1", "too few"),
        ("", "1 502", "from 0 to 500"),
        ("", "2", "no stone"),
        ("21.../11", "2", "the group at a1"),
        ("11111", "1 10", "no stone"),
        ("11111/2", "1 10", "has won already"),
        ("1./", "1", "cells"),
    ] {
        let error = with(begin, end).unwrap_err();
        assert!(error.contains(part), "{begin} {end}: {error}");
    }
    assert_eq!(with("1", "2").unwrap().plies, 1);
    assert_eq!(with("2", "1").unwrap().plies, 2);
}
