//! The atlas as its user meets it: folders without runs, runs that are broken, and places where nothing can be written.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// An empty folder for each test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("atlas-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn atlas(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spinney"));
    command.current_dir(folder).arg("atlas").args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// The one line of an error.
fn refused(output: &Output) -> String {
    let told = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(output.stdout.is_empty());
    assert_eq!(told.lines().count(), 1, "{told}");
    told.trim_end().to_string()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &target) } else { fs::copy(&path, &target).map(|_| ()).unwrap() }
    }
}

#[test]
fn folders_without_runs_are_refused_and_pages_stay() {
    let folder = folder("refusals");
    fs::create_dir_all(folder.join("empty")).unwrap();
    fs::create_dir_all(folder.join("broken/run")).unwrap();
    fs::write(folder.join("broken/run/plan.json"), "not a plan").unwrap();
    fs::create_dir_all(folder.join("page")).unwrap();
    fs::write(folder.join("page/index.html"), "an earlier page").unwrap();
    for (results, place, problem) in [
        ("nowhere", "nowhere: ", "it cannot be read"),
        ("page/index.html", "page/index.html: ", "it cannot be read"),
        ("empty", "empty: ", "there is no run in it; name a folder with runs"),
        ("broken", "broken: ", "no run can be used: run: could not be read: "),
    ] {
        let told = refused(&atlas(&folder, &[results, "--out", "page"]));
        assert!(told.starts_with(&format!("error: {place}")) && told.contains(problem), "{told}");
    }
    assert_eq!(fs::read_to_string(folder.join("page/index.html")).unwrap(), "an earlier page");
    assert_eq!(fs::read_dir(folder.join("page")).unwrap().count(), 1);
}

#[test]
fn a_broken_run_is_told_and_the_others_count() {
    let folder = folder("broken");
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    copy(&results.join("contextual/ablation"), &folder.join("results/good"));
    copy(&results.join("contextual/ablation"), &folder.join("results/torn"));
    fs::write(folder.join("results/torn/experiment.toml"), "title = ").unwrap();
    let told = refused(&atlas(&folder, &["results", "--out", "results/good/plan.json"]));
    assert!(told.starts_with("error: --out results/good/plan.json: it cannot be written: "), "{told}");
    let output = atlas(&folder, &["results", "--out", "page"]);
    let told = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(output.status.success(), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.starts_with("warning: torn: could not be read: "), "{told}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("134 published numbers, 2 runs: page/index.html"));
    assert!(fs::read_to_string(folder.join("page/index.html")).unwrap().contains("torn</th><td class=\"wrap\""));
}

#[test]
fn what_is_left_is_listed_by_what_it_takes() {
    let folder = folder("left");
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/quality-rewards");
    copy(&results.join("five-seconds-cannon"), &folder.join("results/cannon"));
    copy(&results.join("amazons"), &folder.join("results/amazons"));
    let output = atlas(&folder, &["results", "--left"]);
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{told}");
    let rows: Vec<Vec<&str>> = told
        .lines()
        .skip_while(|line| !line.contains("core hours"))
        .skip(1)
        .map(|line| line.split_whitespace().collect())
        .collect();
    // All cells of the first paper but those that are decided; the claims and points of the others have no games of their own.
    let decided = told.lines().take(3).map(|line| line.split_whitespace().next().unwrap().parse::<usize>().unwrap());
    assert!(rows.len() + decided.sum::<usize>() >= 106, "{told}");
    let hours: Vec<Option<f64>> = rows.iter().map(|row| row[1].parse().ok()).collect();
    let known: Vec<f64> = hours.iter().copied().flatten().collect();
    assert!(known.is_sorted() && hours[known.len()..].iter().all(Option::is_none), "{told}");
    // Cannon was played at five seconds only, which tells what one second takes.
    let pace = |words: &str| rows.iter().find(|row| row.join(" ").contains(words)).map(|row| row[1]);
    assert!(pace("Table 1, cannon, a = online, 1 s").is_some_and(|hours| hours.parse::<f64>().is_ok()), "{told}");
    assert_eq!(pace("Table 1, pentalath, a = online, 1 s"), Some("?"), "{told}");
}
