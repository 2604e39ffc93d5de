//! A mirrored position has as many moves, and the same value, as the position itself.

use spinney_core::{Notation, Random, Seed, Turn, Workspace, perft};
use spinney_games::{Visitor, open};

/// Left and right change places: every row is written backwards.
fn mirrored(position: &str) -> String {
    let (board, rest) = position.split_once(' ').unwrap();
    let rows: Vec<String> = board.split('/').map(|row| row.chars().rev().collect()).collect();
    format!("{} {rest}", rows.join("/"))
}

/// The board is turned by half and the players change places; it is the same game for the other side.
fn turned(position: &str) -> String {
    let (board, rest) = position.split_once(' ').unwrap();
    let swapped = |letter: char| match letter {
        'w' => 'b',
        'b' => 'w',
        'W' => 'B',
        'B' => 'W',
        other => other,
    };
    let board: String = board.chars().rev().map(swapped).collect();
    let (side, counters) = rest.split_at(1);
    format!("{board} {}{counters}", if side == "1" { "2" } else { "1" })
}

struct Symmetric {
    image: fn(&str) -> String,
    games: u64,
    depth: u32,
    changes_sides: bool,
}

impl Visitor for Symmetric {
    type Output = ();
    fn visit<G: Notation>(self, name: &str, game: G) {
        for number in 0..self.games {
            let mut random = Random::new(Seed::new(7).named(name).child(number));
            let (mut state, mut work) = (game.initial(), Workspace::new());
            // Cannon's soldiers do not stand symmetrically at the start; later a mirror image could have come about.
            let skipped = if name == "cannon" { 40 } else { 0 };
            for _ in 0..skipped {
                if let Turn::Over(_) = game.turn(&state) {
                    break;
                }
                let mv = game.random_move(&state, &mut random, &mut work).unwrap();
                game.apply(&mut state, mv);
            }
            while let Turn::Player(player) = game.turn(&state) {
                let text = game.write_position(&state);
                let image = game.read_position(&(self.image)(&text)).unwrap_or_else(|error| panic!("{text}: {error}"));
                let image_player = if self.changes_sides { player.other() } else { player };
                assert_eq!(game.turn(&image), Turn::Player(image_player), "{text}");
                assert_eq!(game.evaluate(&state, player), game.evaluate(&image, image_player), "{text}");
                let counts = [&state, &image].map(|state| perft(&game, state, self.depth));
                assert_eq!(counts[0], counts[1], "{text}");
                let mv = game.random_move(&state, &mut random, &mut work).unwrap();
                game.apply(&mut state, mv);
            }
        }
    }
}

fn check(game: &str, image: fn(&str) -> String, games: u64, depth: u32, changes_sides: bool) {
    open(game, None, Symmetric { image, games, depth, changes_sides }).unwrap();
}

#[test]
fn boards_are_symmetric_from_left_to_right() {
    for game in ["tic-tac-toe", "breakthrough", "breakthrough(rows=6, columns=7)", "havannah(size=4)"] {
        check(game, mirrored, 10, 2, false);
    }
    for game in ["amazons(size=6)", "pentalath", "chinese-checkers", "havannah"] {
        check(game, mirrored, 3, 1, false);
    }
    check("cannon", mirrored, 5, 1, false);
}

#[test]
fn boards_are_symmetric_between_the_players() {
    check("breakthrough", turned, 10, 2, true);
    check("checkers", turned, 20, 3, true);
    check("amazons(size=8)", turned, 3, 1, true);
}
