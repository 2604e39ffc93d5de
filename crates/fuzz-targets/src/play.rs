//! Positions, moves and agents.

use spinney_core::Seed;
use spinney_core::game::Turn;
use spinney_search::{AgentSettings, Budget};
use spinney_table::table::Question;
use spinney_table::{Laboratory, Table, open_table};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Games by the letter that an input begins with, from `a`. New ones go to the end, else the corpora name others.
const GAMES: [&str; 20] = [
    "amazons",
    "breakthrough",
    "cannon",
    "cant-stop",
    "checkers",
    "chinese-checkers",
    "dominion",
    "havannah",
    "pentalath",
    "pig",
    "pig-race",
    "tic-tac-toe",
    "gdl:nim",
    "gdl:tic-tac-toe",
    "gdl:eight-puzzle",
    "amazons(size=5)",
    "cannon(variant=engine2014)",
    "checkers(variant=engine2014)",
    "havannah(size=3)",
    "pentalath(variant=engine2014)",
];

/// The game that a byte stands for.
fn game(letter: u8) -> &'static str {
    GAMES[usize::from(letter.wrapping_sub(b'a')) % GAMES.len()]
}

/// Games in which agents are seated: two players, one player with chance, two players with chance, roles.
const TINY: [&str; 4] = ["tic-tac-toe", "pig(turns=2)", "pig-race(goal=20)", "gdl:nim"];
/// Plies that are tried after a position.
const PLIES: u64 = 24;

/// The first byte names a game, the rest is a position.
pub fn positions(data: &[u8]) {
    let Some((&letter, text)) = data.split_first() else { return };
    let (game, Ok(text)) = (game(letter), std::str::from_utf8(text)) else { return };
    let Ok(mut table) = open_table(game, Some(text)) else { return };
    let written = table.position();
    let again = open_table(game, Some(&written)).expect("what is written is read");
    assert_eq!(again.position(), written, "{game}: {text}");
    assert_eq!(again.turn(), table.turn(), "{game}: {text}");
    assert_eq!(again.moves(), table.moves(), "{game}: {text}");
    table.board();
    let scene = table.scene();
    for mv in table.moves() {
        table.steps(&scene, &mv);
    }
    walk(table.as_mut(), PLIES, data);
}

/// Makes so many moves, which the bytes decide; every legal move must be read and every position written and read back.
fn walk(table: &mut dyn Table, plies: u64, data: &[u8]) {
    let seed = data.iter().fold(Seed::new(1), |seed, byte| seed.child(u64::from(*byte)));
    for ply in 0..plies {
        match table.turn() {
            Turn::Over(_) => return,
            Turn::Chance => drop(table.draw_outcome(seed.child(ply))),
            Turn::Player(_) => {
                let moves = table.moves();
                assert!(!moves.is_empty(), "{} {}: no move and no end", table.game(), table.position());
                let mv = &moves[(seed.child(ply).value() % moves.len() as u64) as usize];
                table.play(mv).expect("a legal move");
                assert_eq!(table.history().last(), Some(mv), "{}", table.position());
            }
        }
        let position = table.position();
        let again = open_table(&table.game(), Some(&position)).expect("a position that was reached is read");
        assert_eq!(again.position(), position, "{}", table.game());
    }
}

/// The first byte names a game and the second how many moves are made before those that follow, one on a line, are read.
pub fn moves(data: &[u8]) {
    let [letter, plies, text @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let mut table = open_table(game(*letter), None).expect("a game of the registry");
    walk(table.as_mut(), u64::from(plies.wrapping_sub(b'0') % 32), &[*letter, *plies]);
    for line in text.lines().take(32) {
        let (before, known) = (table.position(), table.moves());
        if table.play(line).is_err() {
            assert_eq!(table.position(), before);
            continue;
        }
        let made = table.history().pop().expect("a move was made");
        assert!(known.contains(&made), "{} {before}: `{line}` was read as `{made}`", table.game());
        let after = table.position();
        assert!(table.undo());
        assert_eq!(table.position(), before);
        table.play(&made).expect("what is written is read");
        assert_eq!(table.position(), after, "{} {before}: {made}", table.game());
    }
}

/// An agent, which is seated and thinks a little.
pub fn agents(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let laboratory = Laboratory::standard();
    let Ok(agent) = laboratory.agent(text) else { return };
    let written = agent.to_string();
    let again: AgentSettings = laboratory.agent(&written).expect("what is written is read");
    assert_eq!(again, agent, "{text}");
    let mut agent = agent;
    agent.limit_memory(1);
    for game in TINY {
        let mut table = laboratory.open(game, None).expect("a game of the registry");
        // Not every agent plays every game.
        let Ok(seat) = table.seat(&agent) else { continue };
        let described = table.agent(seat);
        laboratory.agent(&described).unwrap_or_else(|error| panic!("{game}: {described}: {error}"));
        while table.turn() == Turn::Chance {
            table.draw_outcome(Seed::new(1));
        }
        let limits = Budget { nodes: Some(100), time: Some(Duration::from_millis(5)), ..Budget::simulations(12) };
        let stop = AtomicBool::new(false);
        let mut question = Question { seed: Seed::new(1), budget: Some(limits), stop: &stop, observer: None };
        let thought = table.think(seat, &mut question);
        assert!(table.moves().contains(&thought.chosen), "{game}: {described} plays {}", thought.chosen);
    }
}
