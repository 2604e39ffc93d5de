//! The rule sheets of the project: valid, with the counts of their table, and the same games as public sheets.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::path::PathBuf;

use common::perft::{Perft, Row};
use common::{data, games, public, read, table};
use spinney_core::{Random, Seed};
use spinney_gdl::{Cursor, Limits, Machine, Method, Rules};

fn machine(path: PathBuf) -> Machine {
    Machine::build(&Rules::parse(&read(&path)).unwrap(), &Limits::default()).unwrap()
}

/// What must agree between two sheets of one game, whatever facts they use.
fn essence(row: &Row) -> String {
    let list = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    format!(
        "{}\t{}\t{}\t{}\t{}\t{}",
        row.paths,
        row.distinct,
        row.terminal_paths,
        list(&row.goal_sums),
        row.goal_errors,
        list(&row.legal_sums)
    )
}

#[test]
fn sheets_are_valid_without_warnings() {
    for (name, text) in common::sheets(&games()) {
        let report = Rules::parse(&text).unwrap().check();
        assert!(report.is_valid() && report.warnings.is_empty(), "{name}: {report:?}");
    }
}

#[test]
fn sheets_have_the_counts_of_the_table() {
    let rows = table(&data("perft.tsv"));
    for (name, _) in common::sheets(&games()) {
        let machine = machine(games().join(format!("{name}.kif")));
        assert_eq!(machine.method(), Method::Network);
        let mut perft = Perft::new(&machine);
        let mut seen = 0;
        for columns in rows.iter().filter(|columns| columns[0] == name) {
            assert_eq!(columns[1], seen.to_string());
            assert_eq!(essence(&perft.row()), columns[2..].join("\t"), "{name} at depth {seen}");
            seen += 1;
            if rows.iter().any(|columns| columns[0] == name && columns[1] == seen.to_string()) {
                perft.deepen();
            }
        }
        assert!(seen > 1, "{name} has no counts");
    }
}

#[test]
#[ignore = "writes the table anew"]
fn write_the_table() {
    let mut text = "game\tdepth\tpaths\tdistinct\tterminal_paths\tgoal_sums\tgoal_errors\tlegal_sums\n".to_string();
    for (name, _) in common::sheets(&games()) {
        let mut perft = Perft::new(&machine(games().join(format!("{name}.kif"))));
        for depth in 0..10 {
            let row = perft.row();
            if row.paths == 0 || row.paths > 5_000 {
                break;
            }
            text += &format!("{name}\t{depth}\t{}\n", essence(&row));
            if row.legal_sums.iter().product::<u64>() > 1_000_000_000 {
                break;
            }
            perft.deepen();
        }
    }
    std::fs::write(data("perft.tsv"), text).unwrap();
}

/// Our sheet and the public sheet of the same game.
const PAIRS: &[(&str, &str)] = &[
    ("tic-tac-toe", "ticTacToe"),
    ("breakthrough", "breakthrough"),
    ("knightthrough", "knightThrough"),
    ("connect5", "connect5"),
    ("tic-tac-toe-3d", "tictactoe_3d_2player"),
    ("sheep-and-wolf", "sheepAndWolf"),
    ("merrills", "merrills"),
    ("zhadu", "zhadu"),
    ("checkers", "checkers"),
    ("quad", "quad"),
    ("battle", "battle"),
    ("skirmish", "skirmish"),
    ("chinese-checkers", "chineseCheckers2"),
    ("ttcc4", "ttcc4_2player"),
    ("chinook", "chinook"),
];

#[test]
fn sheets_agree_with_public_ones() {
    let Some(folder) = public("sheets") else { return };
    for (ours, theirs) in PAIRS {
        let (left, right) =
            (machine(games().join(format!("{ours}.kif"))), machine(folder.join(format!("{theirs}.kif"))));
        assert_eq!(left.roles(), right.roles(), "{ours}");
        let (mut one, mut other) = (Perft::new(&left), Perft::new(&right));
        for depth in 0..3 {
            let row = one.row();
            assert_eq!(essence(&row), essence(&other.row()), "{ours} at depth {depth}");
            if row.paths > 200 {
                break;
            }
            one.deepen();
            other.deepen();
        }
        // The same random games to the end.
        let (mut one, mut other) = (left.cursor(), right.cursor());
        let mut random = Random::new(Seed::new(9).named(ours));
        let roles = left.roles().len();
        for _ in 0..30 {
            one.set(left.initial());
            other.set(right.initial());
            while !one.is_terminal() {
                assert!(!other.is_terminal(), "{ours}");
                let mut joint = Vec::new();
                let mut translated = Vec::new();
                for role in 0..roles {
                    assert_eq!(one.legal_count(role), other.legal_count(role), "{ours}");
                    let action = one.draw(role, &mut random).unwrap();
                    let same = right.read_move(role, &left.move_text(role, action)).unwrap();
                    assert!(other.is_legal(role, same), "{ours}");
                    joint.push(action);
                    translated.push(same);
                }
                one.step(&joint);
                other.step(&translated);
            }
            assert!(other.is_terminal(), "{ours}");
            for role in 0..roles {
                assert_eq!(one.goal(role), other.goal(role), "{ours}");
            }
        }
    }
}

#[test]
fn all_methods_play_the_same_games() {
    for (name, text) in common::sheets(&games()) {
        let rules = Rules::parse(&text).unwrap();
        let machines = [Method::Network, Method::Proof, Method::Relational]
            .map(|method| Machine::build(&rules, &Limits::only(method)).unwrap());
        let mut cursors = machines.each_ref().map(Machine::cursor);
        let mut random = Random::new(Seed::new(4).named(&name));
        let roles = machines[0].roles().len();
        for _ in 0..25 {
            let texts = |machine: &Machine, cursor: &Cursor, role: usize| {
                let mut actions = Vec::new();
                cursor.legal(role, &mut actions);
                let nth: Vec<u32> =
                    (0..cursor.legal_count(role)).map(|number| cursor.nth_legal(role, number)).collect();
                assert_eq!(nth, actions, "{name}");
                let mut texts: Vec<String> = actions.iter().map(|&each| machine.move_text(role, each)).collect();
                texts.sort_unstable();
                texts
            };
            let [first, others @ ..] = &mut cursors;
            for (other, machine) in others.iter_mut().zip(&machines[1..]) {
                assert_eq!(machines[0].state_text(first.state()), machine.state_text(other.state()), "{name}");
                assert_eq!(first.is_terminal(), other.is_terminal(), "{name}");
                for role in 0..roles {
                    assert_eq!(first.goal(role), other.goal(role), "{name}");
                    assert_eq!(texts(&machines[0], first, role), texts(machine, other, role), "{name}");
                }
            }
            if first.is_terminal() {
                break;
            }
            let joint: Vec<u32> = (0..roles).map(|role| first.draw(role, &mut random).unwrap()).collect();
            for (other, machine) in others.iter_mut().zip(&machines[1..]) {
                let translate =
                    |(role, &action): (usize, &u32)| machine.translate_move(&machines[0], role, action).unwrap();
                other.step(&joint.iter().enumerate().map(translate).collect::<Vec<_>>());
            }
            first.step(&joint);
        }
    }
}
