//! `spinney tune` as a user meets it: threads, killed and resumed, drivers, Optuna.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use spinney_core::{Random, Seed};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

const TUNING: &str = r#"title = "Small and fast"
seed = 5
game = "breakthrough(rows=5, columns=5)"
agent = "mcts(c=$c, sims=$n, playout=$p)"
baseline = "mcts(sims=20)"
games = 240
batch = 12
[parameters]
c = { from = 0.1, to = 4, scale = "logarithmic" }
n = { from = 2, to = 40, whole = true }
p = { words = ["uniform", "policy"] }
"#;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("small.toml"), TUNING).unwrap();
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spinney"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command
}

fn done(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn spinney(folder: &Path, arguments: &[&str]) -> String {
    done(&command(folder, arguments).output().unwrap())
}

/// All records of a run and of its check, sorted.
fn records(run: &Path) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for entry in fs::read_dir(run).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            lines.extend(records(&path));
        } else if path.file_name().unwrap().to_string_lossy().starts_with("games-") {
            lines.extend(fs::read_to_string(path).unwrap().lines().map(str::to_string));
        }
    }
    lines.sort();
    lines
}

#[test]
fn the_same_bytes_on_any_number_of_threads_killed_or_not_and_longer() {
    let folder = folder("tune-killed");
    let started = Instant::now();
    let whole = spinney(&folder, &["tune", "small.toml", "--out", "whole", "--threads", "1", "--json"]);
    let time = started.elapsed();
    let expected = records(&folder.join("whole"));
    assert_eq!(expected.len(), 240);
    let line: serde_json::Value = serde_json::from_str(&whole).unwrap();
    assert_eq!((line["games"].as_u64(), line["check_games"].as_u64()), (Some(180), Some(60)));
    assert!(line["agent"].as_str().unwrap().starts_with("mcts("), "{line}");
    // Killed at random moments, on two threads, until it ends by itself.
    let mut random = Random::new(Seed::new(1));
    let mut kills = 0;
    let mut last = String::new();
    for _ in 0..40 {
        let mut process = command(&folder, &["tune", "small.toml", "--out", "killed", "--threads", "2", "--json"]);
        let mut process = process.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        // On two threads a tenth of the time is at most a fifth of the games.
        std::thread::sleep(time * (3 + random.below(7)) / 100);
        if process.try_wait().unwrap().is_none() && kills < 12 {
            process.kill().unwrap();
            kills += 1;
        }
        let output = process.wait_with_output().unwrap();
        last = String::from_utf8(output.stdout).unwrap();
        if output.status.success() {
            break;
        }
    }
    assert!(kills > 2, "{kills}");
    assert_eq!(records(&folder.join("killed")), expected);
    assert_eq!(last.replace("killed", "whole"), whole);
    // The games are a run of the laboratory.
    let verified = spinney(&folder, &["lab", "verify", "whole", "--sample", "20"]);
    assert!(verified.contains("36 identical, 0 different"), "{verified}");
    // What is shown again is the same, and so it is when the run is packed.
    spinney(&folder, &["lab", "pack", "whole"]);
    assert_eq!(spinney(&folder, &["tune", "small.toml", "--out", "whole", "--show", "--json"]), whole);
    // A longer tuning goes on with the games that are known.
    let longer = spinney(&folder, &["tune", "small.toml", "--out", "killed", "--games", "320", "--json"]);
    assert!(longer.contains("\"games\":240"), "{longer}");
    let tuned = |run: &Path| records(run).iter().filter(|line| !line.contains("\"tuned\"")).count();
    assert_eq!(tuned(&folder.join("killed")), 240);
    for picture in ["c.svg", "n.svg", "p.svg", "report.html"] {
        let text = fs::read_to_string(folder.join("whole").join(picture)).unwrap();
        assert!(text.contains("<svg"), "{picture}");
    }
}

#[test]
fn another_tuning_is_refused_and_so_are_mistakes() {
    let folder = folder("tune-refused");
    spinney(&folder, &["tune", "small.toml", "--out", "run", "--games", "16"]);
    fs::write(folder.join("other.toml"), TUNING.replace("seed = 5", "seed = 6")).unwrap();
    fs::write(folder.join("wrong.toml"), TUNING.replace("c=$c", "c=$d")).unwrap();
    for (file, words) in [("other.toml", "--out"), ("wrong.toml", "line 4"), ("none.toml", "spinney tune --help")] {
        let output = command(&folder, &["tune", file, "--out", "run"]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(words) && error.lines().count() == 1, "{error}");
    }
}

fn talk(folder: &Path, arguments: &[&str], lines: &str) -> Vec<serde_json::Value> {
    let mut process = command(folder, arguments);
    let mut process = process.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let answers = done(&process.wait_with_output().unwrap());
    answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn ask_and_tell_and_play_know_of_each_other() {
    let folder = folder("tune-driven");
    let ask = |count: &str| talk(&folder, &["tune", "ask", "small.toml", "--count", count], "");
    let first = ask("3");
    assert_eq!(first, ask("3"));
    assert!(first[0]["agent"].as_str().unwrap().starts_with("mcts(c="), "{first:?}");
    let results: String = first
        .iter()
        .map(|line| {
            serde_json::json!({"setting": line["setting"], "wins": 3, "draws": 1, "losses": 2}).to_string() + "\n"
        })
        .collect();
    let told =
        talk(&folder, &["tune", "tell", "small.toml"], &(results + "{\"setting\": {\"c\": 99}, \"wins\": 1}\n{\n"));
    assert_eq!(told.iter().filter_map(|line| line["known"].as_u64()).collect::<Vec<_>>(), [6, 12, 18]);
    assert!(told[3]["error"].as_str().unwrap().contains("from 0.1 to 4") && told[4]["error"].is_string());
    assert_ne!(first, ask("3"), "what was told changes what is proposed");
    let line = "{\"setting\": {\"c\": 1, \"n\": 40, \"p\": \"policy\"}, \"games\": 4}\n";
    let played = |lines: &str| talk(&folder, &["tune", "play", "small.toml", "--threads", "2"], lines);
    let answers = played(&line.repeat(2));
    assert_eq!(answers[0]["parameters"][1]["whole"], true);
    assert_eq!((answers[1]["games"].as_u64(), answers[2]["games"].as_u64()), (Some(4), Some(4)));
    // Begun again it answers the same from what is known, and plays nothing.
    let run = fs::read_dir(folder.join("runs")).unwrap().next().unwrap().unwrap().path();
    let known = records(&run);
    assert_eq!(known.len(), 8);
    assert_eq!(played(&line.repeat(2))[1..], answers[1..]);
    assert_eq!(records(&run), known);
    let verified = spinney(&folder, &["lab", "verify", run.to_str().unwrap(), "--sample", "100"]);
    assert!(verified.contains("8 identical, 0 different"), "{verified}");
}

/// A driver keeps one process and waits for each answer.
#[test]
fn answers_come_one_by_one() {
    let folder = folder("tune-interactive");
    let mut process = command(&folder, &["tune", "play", "small.toml"]);
    let mut process = process.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut to = process.stdin.take().unwrap();
    let mut from = BufReader::new(process.stdout.take().unwrap()).lines();
    assert!(from.next().unwrap().unwrap().contains("\"parameters\""));
    for n in [2, 40] {
        writeln!(to, "{{\"setting\": {{\"c\": 1, \"n\": {n}, \"p\": \"uniform\"}}}}").unwrap();
        let answer: serde_json::Value = serde_json::from_str(&from.next().unwrap().unwrap()).unwrap();
        assert_eq!(answer["games"], 2, "{answer}");
    }
    drop(to);
    assert!(process.wait().unwrap().success());
}

/// `OPTUNA_PYTHON` names a Python with Optuna; without one the Python of the path is tried.
#[test]
fn optuna_drives() {
    let python = std::env::var("OPTUNA_PYTHON").unwrap_or_else(|_| "python3".to_string());
    let has_optuna = Command::new(&python).args(["-c", "import optuna"]).output().is_ok_and(|out| out.status.success());
    if !has_optuna {
        eprintln!("skipped: {python} has no Optuna; `pip install optuna`, or name another Python in OPTUNA_PYTHON");
        return;
    }
    let folder = folder("tune-optuna");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/optuna/drive.py");
    let output = Command::new(&python)
        .current_dir(&folder)
        .args([example.to_str().unwrap(), env!("CARGO_BIN_EXE_spinney"), "small.toml", "8", "4"])
        .output()
        .unwrap();
    let text = done(&output);
    assert!(text.contains("best") && text.contains("mcts("), "{text}");
}
