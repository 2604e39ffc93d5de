//! Machines against reference counts and reference games of public rule sheets.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use common::perft::{Hashes, Perft, Row, mix};
use common::{is_played, public, read, table};
use spinney_core::{Random, Seed};
use spinney_gdl::{Cursor, Limits, Machine, Method, Rules};

/// Sheets that take seconds a state without a circuit.
const SLOW: [&str; 1] = ["merrills"];

fn machine(folder: &Path, game: &str, limits: &Limits) -> Machine {
    let rules = Rules::parse(&read(&folder.join(format!("{game}.kif")))).unwrap();
    Machine::build(&rules, limits).unwrap()
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
        for limits in [&Limits::default(), &Limits::only(Method::Relational)] {
            // What the checker rejects is not played.
            match Machine::build(&rules, limits) {
                Ok(machine) => compare(&machine, &game, &rows),
                Err(error) => assert!(rules.check().first_grave().is_some(), "{game}: {error}"),
            }
        }
    }
}

#[test]
fn relational_machines_have_the_same_perft() {
    let (Some(folder), Some(file)) = (public("sheets"), public("perft.tsv")) else { return };
    for (game, rows) in rows(&file, 2, 30) {
        if SLOW.contains(&game.as_str()) {
            continue;
        }
        let machine = machine(&folder, &game, &Limits::only(Method::Relational));
        assert_eq!(machine.method(), Method::Relational);
        compare(&machine, &game, &rows);
    }
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
        if !is_played(&game) {
            continue;
        }
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
    for (name, text) in common::sheets(&folder).into_iter().filter(|(name, _)| is_played(name)) {
        let machine = Machine::build(&Rules::parse(&text).unwrap(), &Limits::default()).unwrap();
        let mut cursor = machine.cursor();
        let mut random = Random::new(Seed::new(3).named(&name));
        for _ in 0..20 {
            assert!(random_game(&mut cursor, &mut random, 1000) < 1000, "{name}");
        }
    }
}

#[test]
fn both_methods_agree_along_random_games() {
    let Some(folder) = public("sheets") else { return };
    for (name, text) in common::sheets(&folder).into_iter().filter(|(name, _)| is_played(name)) {
        if SLOW.contains(&name.as_str()) {
            continue;
        }
        let rules = Rules::parse(&text).unwrap();
        let network = Machine::build(&rules, &Limits::default()).unwrap();
        let relational = Machine::build(&rules, &Limits::only(Method::Relational)).unwrap();
        let (mut left, mut right) = (network.cursor(), relational.cursor());
        let (mut left_hashes, mut right_hashes) = (Hashes::new(&network), Hashes::new(&relational));
        let mut random = Random::new(Seed::new(5).named(&name));
        // Far into the game the network goes alone, then both compare some states.
        for leap in [0, 7, 25] {
            random_game(&mut left, &mut random, leap);
            for _ in 0..2 {
                let facts = network.state_text(left.state());
                right.set(&relational.read_state(facts.iter().map(String::as_str)).unwrap());
                let hash = left_hashes.state(left.state());
                assert_eq!(hash, right_hashes.state(right.state()), "{name}");
                assert_eq!(left.is_terminal(), right.is_terminal(), "{name}");
                for role in 0..network.roles().len() {
                    assert_eq!(left.goal(role), right.goal(role), "{name}");
                }
                assert_eq!(left_hashes.legals(&left, hash), right_hashes.legals(&right, hash), "{name}");
                if left.is_terminal() {
                    break;
                }
                let joint: Vec<u32> =
                    (0..network.roles().len()).map(|role| left.draw(role, &mut random).unwrap()).collect();
                let translate = |(role, &action): (usize, &u32)| {
                    relational.read_move(role, &network.move_text(role, action)).unwrap()
                };
                right.step(&joint.iter().enumerate().map(translate).collect::<Vec<_>>());
                left.step(&joint);
                assert_eq!(network.state_text(left.state()), relational.state_text(right.state()), "{name}");
            }
        }
    }
}
