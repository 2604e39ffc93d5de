//! Games of searches that are made without text: `bench/bare` plays the same ones without the standard library.

#[path = "../../../../bench/bare/src/play.rs"]
mod play;

#[test]
fn the_same_games_are_played_with_the_standard_library() {
    assert_eq!(play::all(), play::KNOWN);
}
