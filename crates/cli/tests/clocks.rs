//! Games by the clock, and thinking in the other's time, as a person or another program asks for them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn spinney(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_spinney"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The command may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn printed(arguments: &[&str], input: &str) -> String {
    let output = spinney(arguments, input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const MATCH: [&str; 8] =
    ["match", "tic-tac-toe", "--a", "mcts(solver=draws)", "--b", "mcts(sims=1)", "--clock", "5+0.01"];

#[test]
fn a_match_by_the_clock() {
    let line: Value = serde_json::from_str(&printed(&[&MATCH[..], &["--games", "4", "--json"]].concat(), "")).unwrap();
    assert_eq!((line["games"].as_u64(), line["clock"].as_str()), (Some(4), Some("5+0.01")), "{line}");
    assert_eq!((line["lost_on_time_a"].as_u64(), line["lost_on_time_b"].as_u64()), (Some(0), Some(0)), "{line}");
    // The clock takes the place of the one simulation of B, which does not lose then.
    assert_eq!(line["draws"].as_u64(), Some(4), "{line}");
    let text = printed(&[&MATCH[..], &["--games", "2"]].concat(), "");
    assert!(text.contains("clock 5+0.01: lost on time A 0, B 0; ") && text.contains("not replayable"), "{text}");
    for wrong in [&["--clock", "soon"][..], &["--clock", "0+1"], &["--clock", "1+1", "--out", "never"]] {
        let output = spinney(&[&MATCH[..6], wrong].concat(), "");
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
}

const EXPERIMENT: &str = r#"title = "By the clock"
seed = 5
pairs = 2
[agents.a]
solver = "draws"
[agents.b]
sims = 1
[[match]]
games = ["tic-tac-toe"]
a = ["a"]
b = ["b"]
budgets = [{ clock = "2+0.01" }, { simulations = 20 }]
"#;

fn lab(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_spinney")).current_dir(folder).arg("lab").args(arguments).output().unwrap()
}

#[test]
fn an_experiment_by_the_clock() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("by-the-clock");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("clock.toml"), EXPERIMENT).unwrap();
    fs::write(folder.join("wrong.toml"), EXPERIMENT.replace("2+0.01", "soon")).unwrap();
    let text = |arguments: &[&str]| {
        let output = lab(&folder, arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
    };
    // Four games in which both clocks have 2 s, and 5 to 9 plies 0.01 s each.
    let [planned, _] = text(&["plan", "clock.toml", "--json", "--gpu"]);
    let cell: Value = serde_json::from_str(planned.lines().next().unwrap()).unwrap();
    assert!((16.2..=16.4).contains(&cell["seconds"].as_f64().unwrap()), "{cell}");
    assert_eq!(cell["budget"], "2+0.01 s on the clock");
    assert_eq!((&cell["where"], &cell["why"]), (&Value::from("processor"), &Value::from("players have clocks")));
    let crowd = "1000 games at once on";
    let [report, notes] = text(&["run", "clock.toml", "--out", "run", "--threads", "1000"]);
    assert!(
        notes.contains(crowd) && notes.contains("the games of 1 cells") && report.contains("on the clock"),
        "{notes}"
    );
    assert!(!text(&["run", "clock.toml", "--out", "run", "--threads", "1"])[1].contains(crowd));
    let [verified, _] = text(&["verify", "run", "--sample", "100"]);
    let words = "left out 4 games limited by time or on many threads: they cannot be played again";
    assert!(verified.contains(words) && verified.contains("4 identical, 0 different"), "{verified}");
    let [rows, _] = text(&["report", "run", "--json"]);
    let row: Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&row["clock"], &row["lost_on_time_b"], &row["draws"]),
        (&"2+0.01".into(), &0.into(), &4.into()),
        "{row}"
    );
    let wrong = lab(&folder, &["plan", "wrong.toml"]);
    let error = String::from_utf8(wrong.stderr).unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        error.contains("wrong.toml, line 8, clock: `soon` is no time and increment in seconds; write such as 300+2"),
        "{error}"
    );
}

#[test]
fn a_person_has_a_clock() {
    let arguments = ["play", "tic-tac-toe", "--second", "mcts(solver=draws)", "--clock", "100+1"];
    let text = printed(&arguments, "b2\nquit\n");
    assert!(text.contains(" s): ") && text.contains("plays"), "{text}");
}

/// The person thinks, once asked, for longer than the clock has.
#[test]
fn a_person_loses_on_time() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_spinney"))
        .args(["play", "tic-tac-toe", "--clock", "0.001"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut text = Vec::new();
    while !text.ends_with(b" s): ") {
        let mut byte = [0];
        out.read_exact(&mut byte).unwrap();
        text.extend(byte);
    }
    std::thread::sleep(Duration::from_millis(20));
    child.stdin.take().unwrap().write_all(b"b2\n").unwrap();
    out.read_to_end(&mut text).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(String::from_utf8_lossy(&text).contains("wins on time"), "{}", String::from_utf8_lossy(&text));
}

/// Lines that begin with this word.
fn lines<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    text.lines().filter(|line| line.starts_with(word)).collect()
}

#[test]
fn a_program_tells_clocks_and_lets_think_in_its_time() {
    let arguments = ["ugi", "tic-tac-toe", "--agent", "mcts(solver=off, sims=500)"];
    let text = printed(&arguments, "position startpos\ngo p1time 500 p2time 1 p1inc 5\n");
    assert_eq!(lines(&text, "bestmove ").len(), 1, "{text}");
    let text = printed(&arguments, "go ponder\nponderhit\nsetoption name Ponder value perhaps\n");
    assert_eq!((lines(&text, "info string error").len(), lines(&text, "bestmove").len()), (3, 0), "{text}");

    let session = "ugi\nsetoption name Ponder value true\nposition startpos moves b2 a1\n\
        go ponder p1time 500 p2time 500 p1inc 5 p2inc 5\nponderhit\n";
    let text = printed(&arguments, session);
    assert!(text.contains("option name Ponder type check default false"), "{text}");
    let answers = lines(&text, "bestmove ");
    assert!(answers.len() == 1 && answers[0].contains(" ponder "), "{text}");

    // Another reply came; the one who thinks answers at once, and goes on from there.
    let session = "setoption name Ponder value true\nposition startpos moves b2 a1\ngo ponder nodes 50\nstop\n\
        position startpos moves b2 c1\ngo nodes 50\n";
    let text = printed(&arguments, session);
    assert_eq!(lines(&text, "bestmove ").len(), 2, "{text}");
    assert_eq!(lines(&text, "info string error").len(), 0, "{text}");
}
