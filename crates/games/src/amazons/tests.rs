//! Unit tests of Amazons.

use super::*;
use spinney_core::{Game, Notation, Outcome, Turn};

fn read(variant: Variant, position: &str) -> (Amazons, State) {
    let game = Amazons::new(Options { size: 4, variant }).fitted(position);
    let state = game.read_position(position).unwrap();
    (game, state)
}

fn texts(game: &Amazons, state: &State) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves.into_iter().map(|mv| game.write_move(state, mv)).collect()
}

#[test]
fn the_square_left_is_open_to_the_arrow() {
    // Only the amazon at a1 can move, to b1 alone; it shoots back at a1.
    let (game, mut state) = read(Variant::Standard, "BBxW/BBxx/xxxW/W.xW 1");
    assert_eq!(texts(&game, &state), ["a1-b1/a1"]);
    let mv = game.read_move(&state, "a1-b1/a1").unwrap();
    game.apply(&mut state, mv);
    assert_eq!(game.write_position(&state), "BBxW/BBxx/xxxW/xWxW 2");
    // Beyond the square it left as well.
    let (game, state) = read(Variant::Standard, "BBxWW/BBxxW/xxxxx/xxxxx/.W.xx 1");
    let mut moves = texts(&game, &state);
    moves.sort_unstable();
    assert_eq!(moves, ["b1-a1/b1", "b1-a1/c1", "b1-c1/a1", "b1-c1/b1"]);
}

#[test]
fn who_cannot_move_on_his_turn_loses() {
    let (game, state) = read(Variant::Standard, "BBxW/BBxx/xxxW/W.xW 2");
    assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(Player::First)));
    assert_eq!(game.quality(&state, Player::First), 1.0 / 16.0);
    let (game, state) = read(Variant::Standard, "BBxW/BBxx/xxxW/W.xW 1");
    assert_eq!(game.turn(&state), Turn::Player(Player::First));
    let mv = game.read_move(&state, "a1-b1/a1").unwrap();
    assert_eq!(game.outcome_after(&state, mv), Some(Outcome::Win(Player::First)));
}

#[test]
fn the_engine_looks_at_both_sides_the_first_player_first() {
    // Black is stuck though it is white's turn.
    let (game, state) = read(Variant::Engine2014, "BBxW/BBxx/xxxW/W.xW 1");
    assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(Player::First)));
    // Both are stuck on black's turn: by the rules black loses, in the engine white does.
    for (variant, winner) in [(Variant::Standard, Player::First), (Variant::Engine2014, Player::Second)] {
        let (game, state) = read(variant, "BBxW/BBxx/xxxW/WxxW 2");
        assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(winner)));
        assert_eq!(game.quality(&state, winner), 0.0);
    }
}

#[test]
fn set_ups_of_all_sizes() {
    for size in 4..=10 {
        let game = Amazons::new(Options { size, ..Options::default() });
        assert!(game.move_ids() < 1 << PATH_BITS);
        let text = game.write_position(&game.initial());
        assert_eq!(game.clone().fitted(&text).read_position(&text).unwrap(), game.initial());
    }
    let game = Amazons::new(Options { size: 8, ..Options::default() });
    let expected = "..B..B../......../B......B/......../......../W......W/......../..W..W.. 1";
    assert_eq!(game.write_position(&game.initial()), expected);
}

#[test]
fn faulty_positions_are_refused_with_a_remedy() {
    let refusal = |text: &str| Amazons::default().fitted(text).read_position(text).unwrap_err().to_string();
    assert_eq!(refusal("BBBB/..../WWW./.... 1"), "position: there are 3 `W`; each side has 4 amazons");
    let uneven = "position, row 2 from the top: it has 3 squares; make it 4 squares: the board is square";
    assert_eq!(refusal("BBBB/.../WWWW/.... 1"), uneven);
    assert!(refusal("WWWW/BBBB 1").starts_with("position: the board has 2 rows;"));
}
