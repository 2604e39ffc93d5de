//! Unit tests of Checkers.

use super::*;
use spinney_core::{Game, Notation, Outcome, Turn};

fn read(options: Options, position: &str) -> (Checkers, State) {
    let game = Checkers::new(options);
    let state = game.read_position(position).unwrap();
    (game, state)
}

fn standard(position: &str) -> (Checkers, State) {
    read(Options::default(), position)
}

fn texts(game: &Checkers, state: &State) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves.into_iter().map(|mv| game.write_move(state, mv)).collect()
}

fn play(game: &Checkers, state: &mut State, mv: &str) {
    let mv = game.read_move(state, mv).unwrap();
    game.apply(state, mv);
}

#[test]
fn jumps_are_compulsory_and_complete_but_the_choice_is_free() {
    // Without the duty to jump, 4 could slide; 10 must jump twice on one side, and may jump once on the other.
    let position = "b......./......../..b...../......../..b.b.../.w.w..../......../.......w 1";
    let (game, mut state) = standard(position);
    let mut moves = texts(&game, &state);
    moves.sort_unstable();
    assert_eq!(moves, ["10x17x26", "10x19", "9x18x25"]);
    play(&game, &mut state, "10x17x26");
    assert_eq!(
        game.write_position(&state),
        "b......./...w..../......../......../....b.../.w....../......../.......w 2"
    );
}

#[test]
fn a_man_that_is_crowned_stops() {
    let (game, mut state) = standard("......../...b.b../..w...../......../......../......../......../........ 1");
    assert_eq!(texts(&game, &state), ["22x31"]);
    play(&game, &mut state, "22x31");
    assert_eq!(
        game.write_position(&state),
        "....W.../.....b../......../......../......../......../......../........ 2"
    );
    // A king goes on.
    let (game, state) = standard("......../...b.b../..W...../......../......../......../......../........ 1");
    assert_eq!(texts(&game, &state), ["22x31x24"]);
}

const RING: &str = "......../......../..b.b.../......../..b.b.../...W..../......../........ 1";

#[test]
fn a_king_may_return_to_its_start_either_way_round() {
    let (game, mut state) = standard(RING);
    assert_eq!(texts(&game, &state), ["10x17x26x19x10", "10x19x26x17x10"]);
    let mv = game.read_move(&state, "10x17x26x19x10").unwrap();
    assert_eq!(game.outcome_after(&state, mv), Some(Outcome::Win(Player::First)));
    game.apply(&mut state, mv);
    assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(Player::First)));
    assert_eq!(game.quality(&state, Player::First), 1.0 / 12.0);
}

/// The start is occupied, and what the first way round has jumped is gone for the second.
#[test]
fn the_engine_misses_some_sequences() {
    let (game, state) = read(Options { variant: Variant::Engine2014, ..Options::default() }, RING);
    assert_eq!(texts(&game, &state), ["10x17x26x19", "10x19"]);
}

#[test]
fn king_against_king_is_a_draw() {
    let (game, state) = standard("W......./......../......../......../......../......../......../.......B 1");
    assert_eq!(game.turn(&state), Turn::Over(Outcome::Draw));
    let (game, state) = standard("W......./......../......../......../......../......../w......./.......B 1");
    assert_eq!(game.turn(&state), Turn::Player(Player::First));
}

#[test]
fn king_slides_are_counted_until_a_man_moves_or_a_piece_is_captured() {
    let (game, mut state) = standard("W......./......../......../......../......../......../w......./.......B 1 23");
    play(&game, &mut state, "29-25");
    assert!(game.write_position(&state).ends_with(" 2 24"));
    let mv = game.read_move(&state, "4-8").unwrap();
    assert_eq!(game.outcome_after(&state, mv), Some(Outcome::Draw));
    let mut drawn = state;
    game.apply(&mut drawn, mv);
    assert_eq!(game.turn(&drawn), Turn::Over(Outcome::Draw));

    let (game, mut state) = standard("W......./......../......../......../......../......../w......./.......B 1 24");
    play(&game, &mut state, "5-9");
    assert_eq!(state.slides, 0);

    let (game, mut state) = standard("......../......../......../......../....b.../...W..../......../.......B 1 24");
    play(&game, &mut state, "10x19");
    assert_eq!(state.slides, 0);
}

#[test]
fn who_cannot_move_has_lost_even_when_the_slides_are_up() {
    let (game, state) = standard("......../......../......../......../......../.....B../......b./.......W 1 25");
    assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(Player::Second)));
    assert_eq!(game.quick_turn(&state), game.turn(&state));
    assert_eq!(game.quality(&state, Player::Second), 2.0 / 12.0);
}

#[test]
fn a_third_occurrence_is_a_draw_if_repetition_is_on() {
    let start = "W.W...../......../......../......../......../......../......../...B.... 1";
    for repetition in [false, true] {
        let (game, mut state) = read(Options { repetition, king_slide_limit: 80, ..Options::default() }, start);
        for mv in ["29-25", "2-6", "25-29", "6-2", "29-25", "2-6", "25-29"] {
            play(&game, &mut state, mv);
            assert_eq!(game.turn(&state), Turn::Player(state.board.mover));
        }
        let expected = repetition.then_some(Outcome::Draw);
        let mv = game.read_move(&state, "6-2").unwrap();
        assert_eq!(game.outcome_after(&state, mv), expected);
        game.apply(&mut state, mv);
        assert_eq!(game.quick_turn(&state) == Turn::Over(Outcome::Draw), repetition);
        let rest = if repetition { "8:29-25,2-6,25-29,6-2,29-25,2-6,25-29,6-2" } else { "8" };
        assert_eq!(game.write_position(&state), format!("{start} {rest}"));
    }
}

#[test]
fn the_list_of_slides_may_be_short_but_must_be_possible() {
    let board = "W.W...../......../......../......../......../......../......../...B.... 1";
    let game = Checkers::new(Options { repetition: true, ..Options::default() });
    for (rest, readable) in [
        ("4:25-29,6-2", true),
        ("4", true),
        ("0", true),
        ("1:25-29,6-2", false),
        ("4:6-2,25-29", false),
        ("4:", false),
        ("4:33-2", false),
        ("26", false),
        ("x", false),
    ] {
        let text = format!("{board} {rest}");
        assert_eq!(game.read_position(&text).is_ok(), readable, "{rest}");
    }
    let refusal = Checkers::default().read_position(&format!("{board} 4:25-29")).unwrap_err().to_string();
    let expected =
        "position, king slides: the list of slides has no meaning here; leave it out, or play with repetition=on";
    assert_eq!(refusal, expected);
}

#[test]
fn faulty_positions_are_refused_with_a_remedy() {
    let empty = "........";
    let refusal = |rows: [&str; 8], rest: &str| {
        Checkers::default().read_position(&format!("{} {rest}", rows.join("/"))).unwrap_err().to_string()
    };
    let mut rows = [empty; 8];
    assert_eq!(
        refusal(rows, "1"),
        "position: the side to move has won already; give the other side a piece, or the move"
    );
    rows[0] = "b.b.w...";
    let man = "position, row 1 from the top: a man on the far row is a king; write it as a capital letter";
    assert_eq!(refusal(rows, "2"), man);
    rows[0] = ".b......";
    assert!(refusal(rows, "1").contains("the `b` in column 2 is not on a playing square"));
    rows[0] = "b.....";
    assert!(refusal(rows, "1").contains("it has 6 squares"));
    rows[0] = "b.......";
    assert!(refusal(rows, "1 3").contains("a side has no king"));
    let crowd = ["b.b.b.b.", ".b.b.b.b", "b.b.b.b.", ".b......", empty, empty, empty, ".W......"];
    assert_eq!(refusal(crowd, "1"), "position: there are 13 `b`; a side has at most 12 pieces");
}
