//! Experiments as a researcher keeps and reads them: runs that are whole wherever they lie, grids, numbers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// An empty folder for each test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("experiments-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn lab(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spinney"));
    command.current_dir(folder).arg("lab").args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn done(output: &Output) -> String {
    assert!(output.status.success(), "{}", told(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn refused(output: &Output) -> String {
    let error = told(output);
    assert_eq!(output.status.code(), Some(2), "{error}");
    error
}

const SHEETS: &str = r#"title = "Of one's own"
pairs = 2
[agents.m]
sims = 10
[agents.r]
kind = "random"
[[match]]
games = ["gdl:rules/mine.kif", "gdl:nim"]
a = ["m"]
b = ["r"]
"#;

fn sheet(name: &str) -> &'static str {
    spinney_games::gdl::BUILT_IN.iter().find(|(known, _)| *known == name).unwrap().1
}

#[test]
fn a_run_with_rule_sheets_is_whole_wherever_it_lies() {
    let folder = folder("sheets");
    fs::create_dir_all(folder.join("study/rules")).unwrap();
    fs::write(folder.join("study/rules/mine.kif"), sheet("tic-tac-toe")).unwrap();
    fs::write(folder.join("study/own.toml"), SHEETS).unwrap();
    // The path is seen from the file, wherever the command is given.
    done(&lab(&folder, &["run", "study/own.toml", "--out", "run"]));
    let first = done(&lab(&folder, &["status", "run"]));
    // Another text under the same name is another experiment.
    fs::write(folder.join("study/rules/mine.kif"), sheet("connect-four")).unwrap();
    let error = refused(&lab(&folder, &["run", "study/own.toml", "--out", "run"]));
    assert!(error.contains("another folder with --out"), "{error}");
    done(&lab(&folder, &["run", "study/own.toml", "--out", "other"]));
    let error = refused(&lab(&folder, &["merge", "run", "other"]));
    assert!(error.contains("merge runs of one experiment"), "{error}");
    // Without the files the run is what it was, here and elsewhere.
    fs::remove_dir_all(folder.join("study")).unwrap();
    fs::create_dir(folder.join("elsewhere")).unwrap();
    fs::rename(folder.join("run"), folder.join("elsewhere/moved")).unwrap();
    let elsewhere = folder.join("elsewhere");
    let lines = |text: &str| text.lines().skip(1).map(str::to_string).collect::<Vec<_>>();
    assert_eq!(lines(&done(&lab(&elsewhere, &["status", "moved"]))), lines(&first));
    assert!(done(&lab(&elsewhere, &["verify", "moved", "--sample", "100"])).contains("8 identical, 0 different"));
    assert!(done(&lab(&elsewhere, &["report", "moved"])).contains("gdl:rules/mine.kif"));
    done(&lab(&elsewhere, &["merge", "joined", "moved"]));
    assert_eq!(lines(&done(&lab(&elsewhere, &["status", "joined"]))), lines(&first));
    // And it can be gone on with as the report says.
    done(&lab(&elsewhere, &["run", "joined/experiment.toml", "--out", "joined"]));
    let error = refused(&lab(&folder, &["plan", "elsewhere/joined/sheets/none.toml"]));
    assert!(error.contains("none.toml"), "{error}");
}

const SMALL: &str = r#"title = "Small"
pairs = 4
[agents.m]
sims = 10
[agents.r]
kind = "random"
[[match]]
games = ["tic-tac-toe"]
a = ["m"]
b = ["r"]
"#;

#[test]
fn games_that_are_added_must_be_verified_anew_and_fewer_are_not_taken_away() {
    let folder = folder("verified");
    let run = |pairs: &str| {
        fs::write(folder.join("small.toml"), SMALL.replace("pairs = 4", pairs)).unwrap();
        let output = lab(&folder, &["run", "small.toml", "--out", "run"]);
        done(&output);
        told(&output)
    };
    assert!(!run("pairs = 4").contains("note:"));
    done(&lab(&folder, &["verify", "run", "--sample", "100"]));
    assert!(folder.join("run/verified.json").exists());
    assert!(!run("pairs = 4").contains("note:"));
    assert!(folder.join("run/verified.json").exists(), "nothing was added");
    run("pairs = 5");
    assert!(!folder.join("run/verified.json").exists());
    let note = run("pairs = 3");
    assert!(note.contains("note: the file asks for fewer games than this run has (6 of 10, 1 cells)"), "{note}");
    assert!(done(&lab(&folder, &["status", "run"])).contains("10 of       10"));
}

#[test]
fn programs_that_play_differently_do_not_mix() {
    let folder = folder("versions");
    fs::write(folder.join("small.toml"), SMALL.replace("pairs = 4", "pairs = 64")).unwrap();
    for (part, shard) in [("one", "0/2"), ("two", "1/2")] {
        done(&lab(&folder, &["run", "small.toml", "--out", part, "--shard", shard]));
    }
    // As if an older version, whose searches found something else, had begun the first.
    let file = folder.join("one/program.json");
    let text = fs::read_to_string(&file).unwrap();
    let mut program: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rows = program["signature"]["tic-tac-toe"].as_object_mut().unwrap();
    assert!(rows.keys().all(|agent| agent.starts_with("mcts") || agent == "random"), "{rows:?}");
    rows["random"] = "0123456789abcdef".into();
    program["versions"] = serde_json::json!(["0.0.1"]);
    fs::write(&file, program.to_string()).unwrap();
    let more = ["run", "small.toml", "--out", "one"];
    let error = refused(&lab(&folder, &more));
    assert!(error.contains("0.0.1") && error.contains("random plays otherwise"), "{error}");
    assert!(error.contains("--out") && error.contains("--mix-versions"), "{error}");
    let error = refused(&lab(&folder, &["merge", "whole", "one", "two"]));
    assert!(error.contains("plays otherwise"), "{error}");
    done(&lab(&folder, &["merge", "mixed", "one", "two", "--mix-versions"]));
    done(&lab(&folder, &["report", "mixed"]));
    let page = fs::read_to_string(folder.join("mixed/report.html")).unwrap();
    assert!(page.contains("0.0.1, ") && page.contains("mixed on request"), "the page says so");
    // A run that is older than the file is gone on with, and says what it does not know.
    fs::remove_file(folder.join("two/program.json")).unwrap();
    let output = lab(&folder, &["run", "small.toml", "--out", "two"]);
    done(&output);
    assert!(told(&output).contains("does not say how its agents behaved"), "{}", told(&output));
    assert!(folder.join("two/program.json").exists());
}

const GRID: &str = r#"title = "Grid"
pairs = 2
[agents.plain]
playout = "uniform"
[agents.base]
like = "plain"
c = [0.5, 1]
qb = { k = [1, 2, 4] }
[[match]]
games = ["tic-tac-toe"]
a = ["base"]
b = ["plain"]
budgets = [{ simulations = [10, 20] }]
"#;

/// A line of comma-separated values; quotes stand around what holds commas.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            other => fields.last_mut().unwrap().push(other),
        }
    }
    fields
}

#[test]
fn a_grid_is_played_drawn_and_read_by_programs() {
    let folder = folder("grid");
    fs::write(folder.join("grid.toml"), GRID).unwrap();
    let report = done(&lab(&folder, &["run", "grid.toml", "--out", "run"]));
    assert!(report.contains("Best of what was tried") && report.contains("base[c="), "{report}");
    assert!(report.contains("Each value, over all settings that have it"), "{report}");
    // Two budgets make two heat maps, and each figure is a file beside the page.
    let mut pictures: Vec<String> = fs::read_dir(folder.join("run"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".svg"))
        .collect();
    pictures.sort();
    assert_eq!(pictures, ["report-1-forest.svg", "report-1-heat-1.svg", "report-1-heat-2.svg"]);
    let picture = fs::read_to_string(folder.join("run/report-1-heat-1.svg")).unwrap();
    assert!(picture.contains("<style>") && picture.contains("class=\"best\""));
    let lines = done(&lab(&folder, &["report", "run", "--json"]));
    let cells: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(cells.len(), 12);
    let last = &cells[11];
    assert_eq!((&last["point.c"], &last["point.k"], &last["simulations"]), (&1.0.into(), &4.into(), &20.into()));
    assert_eq!((&last["a"], &last["a.qb.k"], &last["games"]), (&"base[c=1, k=4]".into(), &4.into(), &4.into()));
    assert!(last["score"].is_f64() && last["low"].as_f64() < last["high"].as_f64());
    assert_eq!(&cells[0]["point.c"], &0.5);
    let csv = done(&lab(&folder, &["report", "run", "--csv", "-"]));
    let (head, first) = (fields(csv.lines().next().unwrap()), fields(csv.lines().nth(1).unwrap()));
    assert_eq!((csv.lines().count(), head.len()), (13, first.len()));
    let column = |name: &str| first[head.iter().position(|known| known == name).unwrap()].as_str();
    assert_eq!((column("a"), column("point.c"), column("b.playout")), ("base[c=0.5, k=1]", "0.5", "uniform"));
    assert!(!head.iter().any(|name| name == "b.qb.k"), "nobody has it");
    done(&lab(&folder, &["report", "run", "--csv", "cells.csv"]));
    assert_eq!(fs::read_to_string(folder.join("cells.csv")).unwrap(), csv);
    let status = done(&lab(&folder, &["status", "run", "--json"]));
    assert!(status.lines().all(|line| line.starts_with("{\"kind\":\"match\",\"cell\":")), "{status}");
    // Games carry the same columns.
    let games = done(&lab(&folder, &["export", "run", "--csv", "-"]));
    assert_eq!(games.lines().count(), 1 + 48);
    let (head, first) = (fields(games.lines().next().unwrap()), fields(games.lines().nth(1).unwrap()));
    assert_eq!(head.len(), first.len());
    for name in ["simulations", "opening", "point.c", "point.k", "a.qb.k", "b.playout", "a.kind"] {
        assert!(head.iter().any(|known| known == name), "{name} in {head:?}");
    }
    let error = refused(&lab(&folder, &["export", "run"]));
    assert!(error.contains("--csv FILE") && error.contains("--parquet FILE"), "{error}");
    // Written by hand, a point is the same cell: its games are known.
    let hand = GRID
        .replace("c = [0.5, 1]", "c = 1")
        .replace("qb = { k = [1, 2, 4] }", "qb = \"qb(k=4)\"")
        .replace("[10, 20]", "20");
    fs::write(folder.join("hand.toml"), hand).unwrap();
    done(&lab(&folder, &["run", "hand.toml", "--out", "hand"]));
    let hand = done(&lab(&folder, &["report", "hand", "--json"]));
    let hand: serde_json::Value = serde_json::from_str(hand.trim()).unwrap();
    for key in ["cell", "score", "wins", "plies"] {
        assert_eq!(hand[key], last[key], "{key}");
    }
}
