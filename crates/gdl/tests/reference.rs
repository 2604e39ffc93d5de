//! Machines against reference counts and reference games of public rule sheets.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use common::perft::{Hashes, Perft, Row, mix};
use common::{public, read, table};
use spinney_core::{Random, Seed};
use spinney_gdl::{Cursor, Limits, Machine, Method, Rules};

/// Sheets that take seconds a state, or for ever, if everything is worked out from below.
const SLOW: [&str; 5] = ["chess", "crisscross", "merrills", "mummymaze1p", "sudoku"];

/// The machine of a public sheet; several tests share it.
fn machine(folder: &Path, game: &str, limits: &Limits) -> Machine {
    type Built = Mutex<BTreeMap<(String, Option<Method>), Arc<OnceLock<Machine>>>>;
    static BUILT: Built = Mutex::new(BTreeMap::new());
    let slot = BUILT.lock().unwrap().entry((game.to_string(), limits.method)).or_default().clone();
    let build = || Machine::build(&Rules::parse(&read(&folder.join(format!("{game}.kif")))).unwrap(), limits).unwrap();
    slot.get_or_init(build).clone()
}

/// The rows of each game with at most so many paths, with their depths.
fn rows(path: &Path, skip: usize, most: u64) -> BTreeMap<String, Vec<(usize, Row)>> {
    let mut games: BTreeMap<String, Vec<(usize, Row)>> = BTreeMap::new();
    for columns in table(path) {
        let row = Row::read(&columns[skip + 1..]);
        if row.paths <= most {
            games.entry(columns[0].clone()).or_default().push((columns[skip].parse().unwrap(), row));
        }
    }
    games
}

fn compare(machine: &Machine, game: &str, rows: &[(usize, Row)]) {
    let mut perft = Perft::new(machine);
    let mut at = 0;
    for (depth, expected) in rows {
        while at < *depth {
            perft.deepen();
            at += 1;
        }
        let mut found = perft.row();
        if expected.states_hash == "-" {
            found.states_hash = "-".to_string();
            found.facts = expected.facts;
        }
        if expected.legals_hash == "-" {
            found.legals_hash = "-".to_string();
        }
        assert_eq!(found, *expected, "{game} at depth {depth}");
    }
}

fn perft_of_sheets(most: u64) {
    let (Some(folder), Some(file)) = (public("sheets"), public("perft.tsv")) else { return };
    for (game, rows) in rows(&file, 2, most) {
        let machine = machine(&folder, &game, &Limits::default());
        compare(&machine, &game, &rows);
    }
}

#[test]
fn shallow_perft_of_public_sheets() {
    perft_of_sheets(3_000);
}

#[test]
#[ignore = "minutes"]
fn full_perft_of_public_sheets() {
    perft_of_sheets(u64::MAX);
}

#[test]
fn perft_of_sheets_that_have_broken_reasoners() {
    let (Some(folder), Some(file)) = (public("cases"), public("cases/perft.tsv")) else { return };
    for (game, rows) in rows(&file, 3, u64::MAX) {
        let path = folder.join(format!("{game}.kif"));
        // The reference tells `(open2)` from `open2`; here they are one.
        if !path.exists() || game == "test_case_3a" {
            continue;
        }
        let rules = Rules::parse(&read(&path)).unwrap();
        for method in [None, Some(Method::Proof), Some(Method::Relational)] {
            // What the checker rejects is not played.
            match Machine::build(&rules, &Limits { method, ..Limits::default() }) {
                Ok(machine) => compare(&machine, &game, &rows),
                Err(error) => assert!(rules.check().first_grave().is_some(), "{game}: {error}"),
            }
        }
    }
}

/// Counts without circuits.
fn perft_with(method: Method, most: u64) {
    let (Some(folder), Some(file)) = (public("sheets"), public("perft.tsv")) else { return };
    for (game, rows) in rows(&file, 2, most) {
        if method == Method::Relational && SLOW.contains(&game.as_str()) {
            continue;
        }
        let machine = machine(&folder, &game, &Limits::only(method));
        assert_eq!(machine.method(), method);
        compare(&machine, &game, &rows);
    }
}

#[test]
fn relational_machines_have_the_same_perft() {
    perft_with(Method::Relational, 30);
}

#[test]
fn proofs_have_the_same_perft() {
    perft_with(Method::Proof, 300);
}

/// Reference games: every state with its hash, legal moves and goals, and the moves drawn by a given generator.
fn follow_traces(limits: &Limits, most: usize) {
    let (Some(folder), Some(file)) = (public("sheets"), public("traces.tsv")) else { return };
    let mut games: BTreeMap<(String, String), Vec<Vec<String>>> = BTreeMap::new();
    for columns in table(&file) {
        games.entry((columns[0].clone(), columns[1].clone())).or_default().push(columns);
    }
    let mut last: Option<(String, Machine)> = None;
    for ((game, _), rows) in games {
        if limits.method == Some(Method::Relational) && SLOW.contains(&game.as_str()) {
            continue;
        }
        if last.as_ref().is_none_or(|(name, _)| *name != game) {
            last = Some((game.clone(), machine(&folder, &game, limits)));
        }
        let machine = &last.as_ref().unwrap().1;
        let mut cursor = machine.cursor();
        let mut hashes = Hashes::new(machine);
        for columns in rows.iter().take(most) {
            let step = format!("{game}, game {}, step {}", columns[1], columns[2]);
            let hash = hashes.state(cursor.state());
            assert_eq!(cursor.state().len().to_string(), columns[3], "{step}: facts");
            // The table keeps the finished sum of a state.
            assert_eq!(format!("{:016x}", hash), columns[4], "{step}: state");
            assert_eq!(u8::from(cursor.is_terminal()).to_string(), columns[5], "{step}: end");
            if cursor.is_terminal() {
                let goals: Vec<String> = (0..machine.roles().len())
                    .map(|role| cursor.goal(role).map_or("-".to_string(), |goal| goal.to_string()))
                    .collect();
                assert_eq!(goals.join(","), columns[6], "{step}: goals");
                break;
            }
            let counts: Vec<String> =
                (0..machine.roles().len()).map(|role| cursor.legal_count(role).to_string()).collect();
            assert_eq!(counts.join(","), columns[7], "{step}: legal moves");
            assert_eq!(format!("{:016x}", hashes.legals(&cursor, hash)), columns[8], "{step}: legal moves");
            if columns[9] == "-" {
                break;
            }
            let joint: Vec<u32> = columns[9]
                .split(" ; ")
                .enumerate()
                .map(|(role, text)| machine.read_move(role, text).unwrap())
                .collect();
            for (role, &action) in joint.iter().enumerate() {
                assert!(cursor.is_legal(role, action), "{step}");
            }
            cursor.step(&joint);
        }
    }
}

#[test]
fn games_of_the_reference() {
    assert_ne!(mix(1), 1);
    follow_traces(&Limits::default(), usize::MAX);
}

#[test]
fn games_of_the_reference_by_proofs() {
    follow_traces(&Limits::only(Method::Proof), usize::MAX);
}

#[test]
fn beginnings_of_the_reference_games_with_relational_machines() {
    follow_traces(&Limits::only(Method::Relational), 4);
}

/// Plays to the end or for so many steps; says how many it made.
fn random_game(cursor: &mut Cursor, random: &mut Random, most: usize) -> usize {
    let machine = cursor.machine().clone();
    cursor.set(machine.initial());
    for step in 0..most {
        if cursor.is_terminal() {
            return step;
        }
        let joint: Vec<u32> = (0..machine.roles().len())
            .map(|role| cursor.draw(role, random).expect("a legal move for every role"))
            .collect();
        cursor.step(&joint);
    }
    most
}

#[test]
fn random_games_of_all_public_sheets_end() {
    let Some(folder) = public("sheets") else { return };
    for (name, _) in common::sheets(&folder) {
        let machine = machine(&folder, &name, &Limits::default());
        let mut cursor = machine.cursor();
        let mut random = Random::new(Seed::new(3).named(&name));
        let games = if machine.method() == Method::Network { 20 } else { 3 };
        for _ in 0..games {
            assert!(random_game(&mut cursor, &mut random, 1000) < 1000, "{name}");
        }
    }
}

#[test]
fn all_methods_agree_along_random_games() {
    let Some(folder) = public("sheets") else { return };
    for (name, text) in common::sheets(&folder) {
        let first = machine(&folder, &name, &Limits::default());
        let mut others = vec![Machine::at_once(&Rules::parse(&text).unwrap()).unwrap()];
        if !SLOW.contains(&name.as_str()) {
            others.push(machine(&folder, &name, &Limits::only(Method::Relational)));
        }
        let machine = first;
        let mut cursor = machine.cursor();
        let mut hashes = Hashes::new(&machine);
        for other in &others {
            let (mut beside, mut their_hashes) = (other.cursor(), Hashes::new(other));
            let mut random = Random::new(Seed::new(5).named(&name));
            // Far into the game one goes alone, then both compare some states.
            for leap in [0, 7, 25] {
                random_game(&mut cursor, &mut random, leap);
                for _ in 0..2 {
                    let state = other.translate(&machine, cursor.state()).unwrap();
                    beside.set(&state);
                    assert_eq!(machine.translate(other, &state).as_ref(), Some(cursor.state()), "{name}");
                    let hash = hashes.state(cursor.state());
                    assert_eq!(hash, their_hashes.state(beside.state()), "{name}");
                    assert_eq!(cursor.is_terminal(), beside.is_terminal(), "{name}");
                    for role in 0..machine.roles().len() {
                        assert_eq!(cursor.goal(role), beside.goal(role), "{name}");
                    }
                    assert_eq!(hashes.legals(&cursor, hash), their_hashes.legals(&beside, hash), "{name}");
                    if cursor.is_terminal() {
                        break;
                    }
                    let joint: Vec<u32> =
                        (0..machine.roles().len()).map(|role| cursor.draw(role, &mut random).unwrap()).collect();
                    let translate =
                        |(role, &action): (usize, &u32)| other.translate_move(&machine, role, action).unwrap();
                    beside.step(&joint.iter().enumerate().map(translate).collect::<Vec<_>>());
                    cursor.step(&joint);
                    assert_eq!(machine.state_text(cursor.state()), other.state_text(beside.state()), "{name}");
                }
            }
        }
    }
}
