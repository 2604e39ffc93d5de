//! Every game of the registry goes through the same tests.

use proptest::prelude::*;
use spinney_core::{Notation, Outcome, Random, Seed, Stream, Turn, Workspace, conformance, continuations, perft};
use spinney_games::{Visitor, entries, open};
use std::fs;
use std::path::Path;

/// Every game that comes with the program has a notation of its own.
struct Check;

impl Visitor for Check {
    type Output = ();
    fn visit<G: Notation>(self, _: &str, game: G) {
        assert!(game.reads_positions());
        conformance::check(&game, 40);
    }
}

#[test]
fn every_game_conforms() {
    for entry in entries() {
        open(entry.name, None, Check).unwrap();
    }
}

#[test]
fn other_sizes_conform() {
    for game in [
        "amazons(size=4)",
        "amazons(size=5, variant=engine2014)",
        "amazons(size=7)",
        "breakthrough(rows=5, columns=5)",
        "breakthrough(rows=6, columns=7)",
        "breakthrough(rows=8, columns=5)",
        "cannon(corners, strict_shots)",
        "cannon(variant=engine2014)",
        "cant-stop(turns=2, length=3)",
        "checkers(king_slide_limit=80, repetition=on)",
        "checkers(variant=engine2014)",
        "chinese-checkers(forward=off)",
        "dominion(turns=4)",
        "havannah(size=10)",
        "havannah(size=3)",
        "havannah(size=5)",
        "pentalath(variant=engine2014)",
        "pig(turns=3)",
        "pig-race(goal=20)",
    ] {
        open(game, None, Check).unwrap();
    }
}

struct Perft<'a> {
    position: Option<&'a str>,
    depth: u32,
}

impl Visitor for Perft<'_> {
    type Output = u64;
    fn visit<G: Notation>(self, _: &str, game: G) -> u64 {
        let state = self.position.map_or_else(|| game.initial(), |text| game.read_position(text).unwrap());
        perft(&game, &state, self.depth)
    }
}

/// The tables in `data/perft`: game, position, and the numbers of move sequences of length 1, 2, …
#[test]
fn perft_tables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/perft");
    let mut games: Vec<String> = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let [game, position, counts] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let position = (position != "-").then_some(position);
            for (depth, count) in (1..).zip(counts.split(' ')) {
                let found = open(game, position, Perft { position, depth }).unwrap();
                assert_eq!(found, count.parse::<u64>().unwrap(), "perft({depth}) of {game} {position:?}");
            }
            games.push(game.split('(').next().unwrap().to_string());
        }
    }
    for entry in entries() {
        assert!(games.iter().any(|game| game == entry.name), "there is no perft table for {}", entry.name);
    }
}

struct Playthrough;

impl Visitor for Playthrough {
    type Output = String;
    fn visit<G: Notation>(self, _: &str, game: G) -> String {
        let mut random = Random::new(Seed::new(1));
        let mut state = game.initial();
        let mut text = game.draw(&state);
        let (mut stream, mut work) = (Stream::new(Seed::new(2)), Workspace::new());
        let outcome = loop {
            let (who, mv) = match game.turn(&state) {
                Turn::Over(outcome) => break outcome,
                Turn::Player(player) => {
                    let mv = game.random_move(&state, &mut random, &mut work).unwrap();
                    (player.number().to_string(), mv)
                }
                Turn::Chance => {
                    ("*".to_string(), G::LUCK.unwrap().draw_outcome(&game, &mut state.clone(), &mut stream))
                }
            };
            text += &format!("{who} {}", game.write_move(&state, mv));
            game.apply(&mut state, mv);
            text += &format!("  {}\n", game.write_position(&state));
        };
        text += &game.draw(&state);
        text += &format!("{outcome:?}");
        if let Outcome::Win(winner) = outcome {
            text += &format!(", quality {}", game.quality(&state, winner));
        }
        if let Some(score) = G::SCORE {
            text += &format!(" {}", score.of_state(&game, &state));
        }
        text
    }
}

/// One random game as text; a difference shows a change of behaviour.
#[test]
fn playthroughs() {
    for entry in entries() {
        insta::assert_snapshot!(entry.name, open(entry.name, None, Playthrough).unwrap());
    }
}

struct ReadAnything<'a> {
    position: &'a str,
    mv: &'a str,
}

impl Visitor for ReadAnything<'_> {
    type Output = ();
    fn visit<G: Notation>(self, _: &str, game: G) {
        if let Ok(state) = game.read_position(self.position) {
            assert_eq!(game.read_position(&game.write_position(&state)).unwrap(), state);
            for mv in continuations(&game, &state) {
                game.apply(&mut state.clone(), mv);
            }
        }
        let _ = game.read_move(&game.initial(), self.mv);
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(position in "\\PC{0,80}", mv in "\\PC{0,12}") {
        for entry in entries() {
            open(entry.name, Some(&position), ReadAnything { position: &position, mv: &mv }).unwrap();
        }
    }

    #[test]
    fn any_small_board_is_read_or_refused(rows in prop::collection::vec("[wb.]{5}", 5), side in "[123]") {
        let position = format!("{} {side}", rows.join("/"));
        open("breakthrough", Some(&position), ReadAnything { position: &position, mv: "a2-a3" }).unwrap();
    }

    #[test]
    fn any_checkers_board_is_read_or_refused(
        squares in prop::collection::vec("[wbWB.....]{4}", 8),
        rest in "[12]( [0-9]{1,2}(:[1-9]-[1-9])?)?",
    ) {
        let row = |(index, four): (usize, &String)| -> String {
            four.chars().map(|one| if index % 2 == 0 { format!("{one}.") } else { format!(".{one}") }).collect()
        };
        let rows: Vec<String> = squares.iter().enumerate().map(row).collect();
        let position = format!("{} {rest}", rows.join("/"));
        for game in ["checkers", "checkers(repetition=on)", "checkers(variant=engine2014)"] {
            open(game, Some(&position), ReadAnything { position: &position, mv: "9-14" }).unwrap();
        }
    }

    #[test]
    fn any_hexagon_is_read_or_refused(cells in "[12.]{19}", side in "[123]") {
        let rows = [&cells[..3], &cells[3..7], &cells[7..12], &cells[12..16], &cells[16..]];
        let position = format!("{} {side}", rows.join("/"));
        open("havannah", Some(&position), ReadAnything { position: &position, mv: "a1" }).unwrap();
    }

    #[test]
    fn any_star_is_read_or_refused(cells in Just((0..73).collect::<Vec<usize>>()).prop_shuffle(), side in "[12]") {
        let widths = [1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2, 1];
        let mut letters = vec!['.'; 73];
        cells[..6].iter().for_each(|&cell| letters[cell] = '1');
        cells[6..12].iter().for_each(|&cell| letters[cell] = '2');
        let mut letters = letters.into_iter();
        let rows = widths.map(|width| letters.by_ref().take(width).collect::<String>());
        let position = format!("{} {side} 7", rows.join("/"));
        open("chinese-checkers", None, ReadAnything { position: &position, mv: "a1-d5" }).unwrap();
    }

    #[test]
    fn any_game_name_is_found_or_refused(name in "\\PC{0,30}") {
        let _ = open(&name, None, Perft { position: None, depth: 1 });
    }
}
