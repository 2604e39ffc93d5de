//! The laboratory as a user meets it: killed, resumed, sharded, merged, damaged, verified.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use spinney_core::{Random, Seed};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const EXPERIMENT: &str = r#"title = "Small and fast"
seed = 5
pairs = 12
[agents.strong]
sims = 60
[agents.weak]
like = "strong"
sims = 20
playout = "uniform"
[agents.random]
kind = "random"
[[match]]
title = "Everybody"
games = ["tic-tac-toe", "breakthrough(rows=5, columns=5)"]
a = ["strong"]
b = ["weak", "random"]
opening = 1
"#;

/// A folder of its own for each test, with the experiment in it.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("small.toml"), EXPERIMENT).unwrap();
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spinney"));
    command.current_dir(folder).arg("lab").args(arguments).stdin(Stdio::null());
    command
}

fn lab(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

fn done(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn refused(output: &Output) -> String {
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    error
}

/// All records of games of a run, sorted.
fn records(run: &Path) -> Vec<String> {
    lines_of(run, "games-")
}

/// All lines of one kind of a run, sorted.
fn lines_of(run: &Path, kind: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for entry in fs::read_dir(run).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_string_lossy().starts_with(kind) {
            lines.extend(String::from_utf8_lossy(&fs::read(path).unwrap()).lines().map(str::to_string));
        }
    }
    lines.sort();
    lines
}

fn undisturbed(folder: &Path) -> Vec<String> {
    done(&lab(folder, &["run", "small.toml", "--out", "whole", "--threads", "1"]));
    let lines = records(&folder.join("whole"));
    assert_eq!(lines.len(), 4 * 24);
    lines
}

#[test]
fn a_run_that_is_killed_fifty_times_gives_the_same_records() {
    let folder = folder("killed");
    let expected = undisturbed(&folder);
    let mut random = Random::new(Seed::new(50));
    let run = ["run", "small.toml", "--out", "killed", "--threads", "2"];
    for _ in 0..50 {
        let mut child = command(&folder, &run).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(u64::from(random.below(12_000))));
        // SIGKILL: nothing can be tidied up.
        let _ = child.kill();
        child.wait().unwrap();
    }
    done(&lab(&folder, &run));
    assert_eq!(records(&folder.join("killed")), expected);
}

#[test]
fn shards_merged_in_any_order_give_the_same_records() {
    let folder = folder("shards");
    let expected = undisturbed(&folder);
    for count in [2, 7] {
        let parts: Vec<String> = (0..count).map(|index| format!("part-{index}-of-{count}")).collect();
        for (index, part) in parts.iter().enumerate() {
            let shard = format!("{index}/{count}");
            done(&lab(&folder, &["run", "small.toml", "--out", part, "--shard", &shard]));
        }
        let mut order: Vec<&str> = parts.iter().map(String::as_str).collect();
        for turn in 0..2 {
            order.reverse();
            let into = format!("merged-{count}-{turn}");
            done(&lab(&folder, &[&["merge", &into], order.as_slice()].concat()));
            assert_eq!(records(&folder.join(into)), expected);
        }
    }
    // Merging what is there already adds nothing.
    assert!(done(&lab(&folder, &["merge", "merged-2-0", "part-0-of-2"])).contains(": 0 games added"));
    let other = EXPERIMENT.replace("seed = 5", "seed = 6");
    fs::write(folder.join("other.toml"), other).unwrap();
    done(&lab(&folder, &["run", "other.toml", "--out", "other"]));
    assert!(refused(&lab(&folder, &["merge", "merged-2-0", "other"])).contains("merge runs of one experiment"));
    assert!(refused(&lab(&folder, &["run", "other.toml", "--out", "whole"])).contains("--out"));
}

#[test]
fn damage_is_reported_with_its_place_and_mended_by_the_next_run() {
    let folder = folder("damaged");
    let expected = undisturbed(&folder);
    let file = folder.join("whole/games-0-of-1.jsonl");
    let sound = fs::read(&file).unwrap();
    let line_start = |number: usize| {
        let newlines = sound.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        newlines.map(|(at, _)| at + 1).nth(number - 2).unwrap()
    };
    let mended = |damage: Vec<u8>, expected_place: &str| {
        fs::write(&file, damage).unwrap();
        let output = lab(&folder, &["status", "whole"]);
        done(&output);
        let warning = String::from_utf8(output.stderr).unwrap();
        assert!(warning.contains(expected_place), "{warning}");
        done(&lab(&folder, &["run", "small.toml", "--out", "whole"]));
        let lines = records(&folder.join("whole"));
        assert!(expected.iter().all(|line| lines.contains(line)), "{expected_place}");
    };
    let mut flipped = sound.clone();
    flipped[line_start(5) + 20] ^= 4;
    mended(flipped, "line 5: its checksum does not fit");
    mended(sound[..sound.len() - 17].to_vec(), "last line: it was torn");
    mended(sound[..line_start(40)].to_vec(), "");
    let foreign = "{\"v\":1,\"x\":2,\"sum\":\"0\"}\n";
    mended([sound.as_slice(), foreign.as_bytes()].concat(), "checksum");
    mended([sound.as_slice(), b"\xff\xfe\n"].concat(), "it is not text");
}

#[test]
fn a_run_is_verified_reported_exported_and_extended() {
    let folder = folder("whole");
    undisturbed(&folder);
    let run = ["whole"];
    assert!(done(&lab(&folder, &["verify", run[0], "--sample", "20"])).contains("0 different"));
    let text = done(&lab(&folder, &["report", run[0]]));
    assert!(text.contains("Small and fast") && text.contains("strong – weak"), "{text}");
    assert!(text.contains("repeat with: spinney lab run whole/experiment.toml --out whole"), "{text}");
    let page = fs::read_to_string(folder.join("whole/report.html")).unwrap();
    assert!(
        page.contains("<svg")
            && !page.contains("src=\"http")
            && !page.contains("href=\"http")
            && page.len() < 1_000_000
    );
    assert!(done(&lab(&folder, &["report", run[0], "--markdown"])).contains("| 20 of 96 games, 20 identical |"));
    done(&lab(&folder, &["export", run[0], "--csv", "games.csv"]));
    let parquet = lab(&folder, &["export", run[0], "--parquet", "games.parquet"]);
    let csv = fs::read_to_string(folder.join("games.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 4 * 24);
    assert!(csv.starts_with("cell,game,a,b,budget,pair,"));
    if cfg!(feature = "parquet") {
        done(&parquet);
        let parquet = fs::read(folder.join("games.parquet")).unwrap();
        assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    } else {
        assert!(refused(&parquet).contains("--features parquet"));
    }
    assert!(done(&lab(&folder, &["status", run[0]])).contains("24 of       24"));
    let text = done(&lab(&folder, &["more", run[0], "--pairs", "3"]));
    if text.contains("3 pairs more") {
        done(&lab(&folder, &["run", "whole/experiment.toml", "--out", "whole"]));
        assert!(records(&folder.join("whole")).len() > 4 * 24);
    }
    // A game that was tampered with, checksum and all, is found by playing it again.
    let file = folder.join("whole/games-0-of-1.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let line = text.lines().next().unwrap();
    let mut record: spinney_lab::Record = spinney_lab::record::read_line(line, &mut String::new()).unwrap();
    let moves = record.moves.text().unwrap().replacen("b1", "c1", 1).replacen("a1", "b1", 1) + " x9";
    record.moves = moves.into();
    fs::write(&file, text.replacen(&format!("{line}\n"), &spinney_lab::record::write_line(&record), 1)).unwrap();
    let output = lab(&folder, &["verify", run[0], "--sample", "100"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains(" was "));
}

/// Whenever it is killed, the run is whole; a packed one is exported with all its moves.
#[test]
fn a_pack_that_is_killed_loses_nothing() {
    let folder = folder("packed");
    undisturbed(&folder);
    let said = |run: &str| {
        let output = lab(&folder, &["status", run]);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        done(&output).replace(run, "RUN")
    };
    let export = |run: &str| {
        let output = lab(&folder, &["export", run, "--csv", "games.csv"]);
        done(&output);
        (String::from_utf8(output.stderr).unwrap(), fs::read_to_string(folder.join("games.csv")).unwrap())
    };
    let (status, games) = (said("whole"), export("whole").1);
    let mut random = Random::new(Seed::new(51));
    for _ in 0..30 {
        let _ = fs::remove_dir_all(folder.join("killed"));
        fs::create_dir(folder.join("killed")).unwrap();
        for entry in fs::read_dir(folder.join("whole")).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, folder.join("killed").join(path.file_name().unwrap())).unwrap();
        }
        let mut pack =
            command(&folder, &["pack", "killed"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(u64::from(random.below(12_000))));
        let _ = pack.kill();
        pack.wait().unwrap();
        assert_eq!(said("killed"), status);
    }
    let text = done(&lab(&folder, &["pack", "killed", "--moves", "10"]));
    assert!(text.contains("killed: 96 games, ") && text.contains(" bytes of records before, "), "{text}");
    assert!(!folder.join("killed/games-0-of-1.jsonl").exists());
    assert_eq!(said("killed"), status);
    let (told, exported) = export("killed");
    assert!(told.contains(" games are played again for their moves"), "{told}");
    assert_eq!(exported, games);
    done(&lab(&folder, &["export", "killed", "--csv", "kept.csv", "--kept-moves"]));
    let kept = fs::read_to_string(folder.join("kept.csv")).unwrap();
    assert!(kept != games && kept.lines().count() == games.lines().count());
    assert!(done(&lab(&folder, &["verify", "killed", "--sample", "20"])).contains("0 different"));
}

#[test]
fn a_plan_is_shown_before_anything_is_played() {
    let folder = folder("plan");
    let text = done(&lab(&folder, &["plan", "small.toml"]));
    assert!(text.contains("4 cells, 96 games") && text.contains("±"), "{text}");
    assert!(!folder.join("runs").exists());
    assert_eq!(done(&lab(&folder, &["plan", "small.toml", "--json"])).lines().count(), 4);
    fs::write(folder.join("wrong.toml"), EXPERIMENT.replace("pairs", "pair")).unwrap();
    assert!(
        refused(&lab(&folder, &["plan", "wrong.toml"]))
            .contains("wrong.toml, line 3: unknown key `pair`; did you mean `pairs`?")
    );
    assert!(refused(&lab(&folder, &["plan", "none.toml"])).contains("none.toml"));
    assert!(refused(&lab(&folder, &["status", "small.toml"])).contains("it has not been run"));
    assert!(refused(&lab(&folder, &["run", "small.toml", "--shard", "2/2"])).contains("shard"));
}

/// What a clock decides cannot be played again; the rest of the run still can.
#[test]
fn games_limited_by_time_are_left_out_of_the_verification() {
    let folder = folder("timed");
    let timed = "[[match]]\ntitle = \"Timed\"\ngames = [\"tic-tac-toe\"]\na = [\"strong\"]\nb = [\"weak\"]\n\
        budgets = [{ time = 0.001 }]\npairs = 2\n";
    fs::write(folder.join("small.toml"), format!("{EXPERIMENT}{timed}")).unwrap();
    done(&lab(&folder, &["run", "small.toml", "--out", "run"]));
    let text = done(&lab(&folder, &["verify", "run", "--sample", "100"]));
    assert!(text.contains("left out 4 games limited by time"), "{text}");
    assert!(text.contains("replayed 96 of 100 games: 96 identical, 0 different"), "{text}");
}

/// The folder of a reduced experiment says all that was played: every other command takes it alone.
#[test]
fn a_reduced_reproduction_can_be_repeated_from_its_folder() {
    let folder = folder("reproduce");
    let reproduce = |out: &str, pairs: &str| {
        let arguments = ["reproduce", "playouts", "--quick", "--game", "breakthrough", "--pairs", pairs, "--out", out];
        let mut command = Command::new(env!("CARGO_BIN_EXE_spinney"));
        command.current_dir(&folder).args(arguments).stdin(Stdio::null()).output().unwrap()
    };
    assert!(done(&reproduce("run", "2")).contains("breakthrough"));
    let lines = records(&folder.join("run"));
    assert_eq!(lines.len(), 4);
    assert!(done(&lab(&folder, &["verify", "run", "--sample", "100"])).contains("4 identical"));
    done(&lab(&folder, &["run", "run/experiment.toml", "--out", "again"]));
    assert_eq!(records(&folder.join("again")), lines);
    // The same with more games goes on where it stood.
    done(&reproduce("run", "3"));
    assert!(lines.iter().all(|line| records(&folder.join("run")).contains(line)));
    assert_eq!(records(&folder.join("run")).len(), 6);
}

const MEASURED: &str = r#"title = "One player"
seed = 5
[agents.plain]
[agents.cv]
cv = true
[[measure]]
title = "Scores"
games = ["pig(turns=3)"]
agents = ["plain", "cv"]
budgets = [{ simulations = 8 }, { simulations = 16 }]
repetitions = 300
baseline = "plain"
[[measure]]
title = "First move"
games = ["pig(turns=3)"]
agents = ["plain"]
budgets = [{ simulations = 32 }]
repetitions = 200
what = "root"
moves = ["roll", "stop"]
exact = [20, 18]
"#;

/// Measurements go through the same runner and store as games.
#[test]
fn a_measured_experiment_is_killed_resumed_sharded_and_verified() {
    let folder = folder("measured");
    fs::write(folder.join("one.toml"), MEASURED).unwrap();
    assert!(done(&lab(&folder, &["plan", "one.toml"])).contains("5 cells, 1 400 games in 28 units"));
    let report = done(&lab(&folder, &["run", "one.toml", "--out", "whole", "--threads", "1"]));
    assert!(report.contains("Mean score, points") && report.contains("Worth so many times"), "{report}");
    assert!(report.contains("squared error") && report.contains("1 400 games"), "{report}");
    let portions = |run: &str| lines_of(&folder.join(run), "portions-");
    let expected = portions("whole");
    assert_eq!(expected.len(), 28);
    let mut random = Random::new(Seed::new(51));
    let run = ["run", "one.toml", "--out", "killed", "--threads", "2"];
    for _ in 0..15 {
        let mut child = command(&folder, &run).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(u64::from(random.below(15_000))));
        let _ = child.kill();
        child.wait().unwrap();
    }
    done(&lab(&folder, &run));
    assert_eq!(portions("killed"), expected);
    for index in 0..3 {
        let (part, shard) = (format!("part-{index}"), format!("{index}/3"));
        done(&lab(&folder, &["run", "one.toml", "--out", &part, "--shard", &shard]));
        assert!(portions(&part).len() < 28);
    }
    assert!(done(&lab(&folder, &["merge", "merged", "part-2", "part-0", "part-1"])).contains("300 of      300"));
    assert_eq!(portions("merged"), expected);
    let text = done(&lab(&folder, &["verify", "merged", "--sample", "100"]));
    assert!(text.contains("replayed 1400 of 1400 games: 1400 identical, 0 different"), "{text}");
    done(&lab(&folder, &["export", "merged", "--csv", "portions.csv"]));
    assert_eq!(fs::read_to_string(folder.join("portions.csv")).unwrap().lines().count(), 1 + 28);
    // A longer experiment goes on where the shorter one stood.
    fs::write(folder.join("one.toml"), MEASURED.replace("repetitions = 200", "repetitions = 220")).unwrap();
    done(&lab(&folder, &["run", "one.toml", "--out", "merged"]));
    assert_eq!(portions("merged").len(), 29);
    // Sums that were tampered with are found by measuring again.
    let file = folder.join("merged/portions-0-of-1.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let line = text.lines().next().unwrap();
    let mut portion: spinney_lab::record::Portion = spinney_lab::record::read_line(line, &mut String::new()).unwrap();
    portion.sums[0] += 1.0;
    fs::write(&file, text.replacen(&format!("{line}\n"), &spinney_lab::record::write_line(&portion), 1)).unwrap();
    let output = lab(&folder, &["verify", "merged", "--sample", "100"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("the sums were"));
}

/// After an installation there is no folder of experiments; the program holds them.
#[test]
fn files_that_come_with_the_program_are_found_without_a_folder() {
    let folder = folder("library");
    let text = done(&lab(&folder, &["plan", "experiments/contextual/over-b.toml", "--json"]));
    assert_eq!(text.lines().count(), 24);
    assert!(refused(&lab(&folder, &["plan", "experiments/solve.toml"])).contains("experiments/solve.toml"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_spinney"));
    let list = done(&command.current_dir(&folder).arg("reproduce").output().unwrap());
    assert!(list.contains("variance-reduction: control variates") && list.contains("--table right-rules"), "{list}");
    assert!(list.contains("--option side=VALUE") && !list.contains("about "), "{list}");
}
