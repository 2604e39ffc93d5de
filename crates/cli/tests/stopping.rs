//! Stopping rules as a user meets them: in matches and in the laboratory.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("stopping-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn spinney(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spinney"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn done(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn refused(output: &Output) -> String {
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    error
}

const MATCH: [&str; 6] = ["match", "tic-tac-toe", "--a", "mcts(sims=30)", "--b", "random"];

fn json(folder: &Path, more: &[&str]) -> Value {
    let text = done(&spinney(folder, &[&MATCH, more, &["--json"]].concat()));
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_match_says_elo_p_value_and_pairs() {
    let folder = folder("json");
    let line = json(&folder, &["--games", "40"]);
    let pairs: Vec<u64> = line["pairs"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).collect();
    assert_eq!((pairs.len(), pairs.iter().sum::<u64>()), (5, 20));
    let points: u64 = (0..5).map(|place| place as u64 * pairs[place]).sum();
    assert!((line["score"].as_f64().unwrap() - points as f64 / 80.0).abs() < 1e-9);
    assert!(line["elo"].as_f64().unwrap() > 100.0 && line["normalised_elo"].as_f64().unwrap() > 100.0);
    assert!(line["p_value"].as_f64().unwrap() < 0.001);
    assert!(line["elo_ci95"].as_array().unwrap()[0].as_f64().unwrap() > 0.0);
    assert_eq!((line["interval"].as_str(), line.get("stop")), (Some("paired"), None));
}

#[test]
fn a_match_ends_when_its_rule_says_so() {
    let folder = folder("match");
    let rule = ["--games", "400", "--stop", "sprt=[0, 50]"];
    let line = json(&folder, &[&rule[..], &["--threads", "1"]].concat());
    assert_eq!(line, json(&folder, &[&rule[..], &["--threads", "2"]].concat()));
    assert_eq!((line["games"].as_u64(), line["most_games"].as_u64()), (Some(40), Some(400)));
    assert_eq!(line["decision"], "≥ 50 normalised Elo");
    assert_eq!((line["stop"].as_str(), line["interval"].as_str()), (Some("{ sprt = [0, 50] }"), Some("anytime")));
    assert!(line["log_likelihood_ratio"].as_f64().unwrap() >= line["bounds"][1].as_f64().unwrap());
    let text = done(&spinney(&folder, &[&MATCH, &rule[..]].concat()));
    assert!(
        text.contains("stopped after 40 of at most 400 games: ≥ 50 normalised Elo (wrong in at most 5 %)"),
        "{text}"
    );
    assert!(text.contains("95 % (anytime)") && text.contains("against 50 %"), "{text}");
    assert!(text.contains("--games 400 --seed 1 --stop 'sprt=[0, 50]'"), "{text}");
    let error = refused(&spinney(&folder, &[&MATCH, &["--stop", "sptr=[0, 50]"][..]].concat()));
    assert!(error.contains("did you mean `sprt`?"), "{error}");
}

#[test]
fn a_kept_match_is_a_run() {
    let folder = folder("kept");
    let rule = ["--games", "100", "--stop", "precision=9"];
    let line = json(&folder, &rule);
    assert!(line["games"].as_u64().unwrap() < 100 && line["interval"] == "fixed width", "{line}");
    // The same games as without a folder, and nothing is played twice.
    let kept = [&rule[..], &["--out", "run"]].concat();
    assert_eq!(json(&folder, &kept), line);
    let records = fs::read(folder.join("run/games-0-of-1.jsonl")).unwrap();
    assert_eq!(json(&folder, &kept), line);
    assert_eq!(fs::read(folder.join("run/games-0-of-1.jsonl")).unwrap(), records);
    let status = done(&spinney(&folder, &["lab", "status", "run"]));
    assert!(status.contains("A – B") && status.contains("(early: within ±9 points)"), "{status}");
    assert!(done(&spinney(&folder, &["lab", "verify", "run", "--sample", "20"])).contains("0 different"));
    let report = done(&spinney(&folder, &["lab", "report", "run"]));
    assert!(report.contains("95 % fixed width"), "{report}");
    let other = refused(&spinney(&folder, &[&MATCH, &["--out", "run", "--seed", "2"][..]].concat()));
    assert!(other.contains("--out"), "{other}");
}

const EXPERIMENT: &str = r#"title = "Rules"
pairs = 60
stop = { anytime = true }
[agents.strong]
sims = 30
[agents.twin]
like = "strong"
c = 0.9
[agents.random]
kind = "random"
[[match]]
games = ["tic-tac-toe"]
a = ["strong"]
b = ["random", "twin"]
[[match]]
title = "Fixed"
games = ["tic-tac-toe"]
a = ["twin"]
b = ["strong"]
pairs = 10
stop = false
"#;

#[test]
fn an_experiment_ends_its_cells_by_their_rule() {
    let folder = folder("lab");
    fs::write(folder.join("rules.toml"), EXPERIMENT).unwrap();
    let plan = done(&spinney(&folder, &["lab", "plan", "rules.toml"]));
    let told = "stop: 95 % anytime interval without 50 %, looked at every 20 pairs, at most 120 games; about ";
    assert!(plan.contains(told) && plan.contains(" at 60 % (2 cells)"), "{plan}");
    assert!(plan.contains("3 cells, at most 260 games in 130 units"), "{plan}");
    let text = done(&spinney(&folder, &["lab", "run", "rules.toml", "--out", "run", "--threads", "2"]));
    assert!(text.contains("95 % anytime") && text.contains("early: > 50 %"), "{text}");
    let status = done(&spinney(&folder, &["lab", "status", "run"]));
    assert!(status.contains("      40 of      120"), "{status}");
    assert!(status.contains("(early: > 50 %)") && status.contains("(undecided)"), "{status}");
    // Decided cells need no more, and resuming plays nothing.
    let again = spinney(&folder, &["lab", "run", "rules.toml", "--out", "run"]);
    assert!(String::from_utf8_lossy(&again.stderr).contains("at most 0 games to play"), "{again:?}");
    let export = |more: &[&str]| {
        done(&spinney(&folder, &[&["lab", "export", "run", "--csv", "games.csv"], more].concat()));
        fs::read_to_string(folder.join("games.csv")).unwrap().lines().count() - 1
    };
    assert_eq!(export(&[]), 40 + 120 + 20);
    assert!(export(&["--beyond"]) >= 180);

    let more = done(&spinney(&folder, &["lab", "more", "run", "--pairs", "20"]));
    assert!(more.contains("anytime interval") && !more.contains("strong – random"), "{more}");
    let text = done(&spinney(&folder, &["lab", "run", "run"]));
    assert!(
        text.contains("more after 20") && text.contains("repeat with: spinney lab run run --out run-again"),
        "{text}"
    );
    let page = fs::read_to_string(folder.join("run/report.html")).unwrap();
    assert!(page.contains("games were added after looking at 20"));
    // The repetition plays as many games as the report has.
    done(&spinney(&folder, &["lab", "run", "run", "--out", "run-again"]));
    let status = |run: &str| done(&spinney(&folder, &["lab", "status", run])).replace(run, "RUN");
    assert_eq!(status("run-again"), status("run"));

    fs::write(folder.join("other.toml"), EXPERIMENT.replace("anytime = true", "precision = 3")).unwrap();
    let error = refused(&spinney(&folder, &["lab", "run", "other.toml", "--out", "run"]));
    assert!(error.contains("was begun with stop = { anytime = true }"), "{error}");
}
