//! Games from rule sheets as a user meets them: checked, counted, played, and in matches over HTTP.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};

fn spinney(arguments: &[&str]) -> Output {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    Command::new(env!("CARGO_BIN_EXE_spinney")).args(arguments).current_dir(root).stdin(Stdio::null()).output().unwrap()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn sheets_are_checked_with_line_and_remedy() {
    let good = printed(&spinney(&["ggp", "check", "crates/games/sheets/tic-tac-toe.kif", "--build"]));
    assert!(good.contains("valid; roles") && good.contains("Network"), "{good}");
    let bad = spinney(&["ggp", "check", "data/gdl/invalid/08_neg_cycle_direct.kif"]);
    let text = String::from_utf8(bad.stdout).unwrap();
    assert_eq!(bad.status.code(), Some(1));
    assert!(text.contains("error: line ") && text.trim_end().lines().all(|line| line.contains("; ")), "{text}");
    // Sheets that come with the program are known by name, also as the game is written.
    assert_eq!(printed(&spinney(&["ggp", "check", "zhadu", "gdl:nim"])), "zhadu: valid\ngdl:nim: valid\n");
    let missing = spinney(&["ggp", "check", "nowhere.kif"]);
    assert_eq!(missing.status.code(), Some(2));
    let unknown = String::from_utf8(spinney(&["moves", "gdl:nothing"]).stderr).unwrap();
    assert!(unknown.starts_with("error: rule sheet nothing: ") && unknown.contains("breakthrough"), "{unknown}");
}

/// The game written in Rust and the sheet are the same game.
#[test]
fn breakthrough_is_the_same_from_its_rules() {
    let counts = |game: &str| {
        let text = printed(&spinney(&["perft", game, "4"]));
        // After `perft( 4)` stands the number, in groups of three digits, then at least two spaces.
        let count = |line: &str| Some(line.split_once(')')?.1.trim_start().split("  ").next()?.to_string());
        text.lines().filter(|line| line.starts_with("perft")).filter_map(count).collect::<Vec<_>>()
    };
    let (native, sheet) = (counts("breakthrough"), counts("gdl:breakthrough"));
    assert_eq!(native.last().map(String::as_str), Some("256 036"), "{native:?}");
    assert_eq!(native, sheet);
}

#[test]
fn sheets_have_every_agent() {
    for agent in [
        "mcts(sims=300)",
        "mcts(sims=300, rb, playout=uniform+mast)",
        "cadiaplayer(sims=300)",
        "flat(sims=50)",
        "random",
    ] {
        let line =
            printed(&spinney(&["match", "gdl:tic-tac-toe", "--a", agent, "--b", "random", "--games", "6", "--json"]));
        assert!(line.contains("\"games\":6"), "{agent}: {line}");
    }
    let line = printed(&spinney(&["analyse", "gdl:eight-puzzle", "--agent", "mcts(sims=100)", "--json"]));
    assert!(line.contains("\"candidates\""), "{line}");
    let diagnosis = printed(&spinney(&["diagnose", "gdl:connect5", "--games", "1", "--sims", "200", "--json"]));
    assert!(diagnosis.contains("length"), "{diagnosis}");
}

/// Ends when the test does.
struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn serve() -> (Serving, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_spinney"))
        .args(["ggp", "serve", "--port", "0", "--quiet"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let address =
        line.split_whitespace().find(|word| word.starts_with("http://")).unwrap().trim_end_matches(';').to_string();
    (Serving(child), address)
}

#[test]
fn a_match_takes_two_commands() {
    let (_player, address) = serve();
    let arguments = ["ggp", "manage", "crates/games/sheets/tic-tac-toe.kif", "--players", &format!("{address},random")];
    let clocks = ["--startclock", "5", "--playclock", "1"];
    let played = spinney(&[&arguments[..], &clocks[..]].concat());
    let text = printed(&played);
    assert!(text.contains("goal") && text.contains(" 0 errors"), "{text}");
    let wrong = spinney(&["ggp", "manage", "crates/games/sheets/tic-tac-toe.kif", "--players", "random"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8(wrong.stderr).unwrap().contains("2 roles"));
}

/// A sheet in a file of its own, which is removed in the end.
struct Sheet(std::path::PathBuf);

impl Sheet {
    fn new(name: &str, text: &str) -> Self {
        let file = std::env::temp_dir().join(format!("spinney-{name}-{}.kif", std::process::id()));
        std::fs::write(&file, text).unwrap();
        Self(file)
    }

    fn file(&self) -> String {
        self.0.display().to_string()
    }
}

impl Drop for Sheet {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Both choose one of two; a die of three decides nothing.
const BOTH: &str =
    "(role left) (role Right) (role random) (init on) (say a) (say b) (die 1) (die 2) (die 3) (side left)
    (side Right) (<= (legal ?r ?s) (side ?r) (say ?s)) (<= (legal random ?d) (die ?d))
    (<= (next (said ?r ?s)) (does ?r ?s) (side ?r)) (<= terminal (not (true on)))
    (<= (goal ?r 100) (true (said ?r b))) (<= (goal ?r 0) (true (said ?r a))) (goal random 0)";

#[test]
fn what_check_refuses_everything_refuses() {
    let sees = Sheet::new("sees", &format!("{BOTH} (<= (sees left on) (true on))"));
    let game = format!("gdl:{}", sees.file());
    let sentence = "`sees` says what each role can see (GDL-II), which is not played";
    let check = spinney(&["ggp", "check", &sees.file()]);
    assert_eq!(check.status.code(), Some(1));
    assert!(String::from_utf8(check.stdout).unwrap().contains(sentence));
    for arguments in [
        &["play", &game, "--first", "random", "--second", "random"][..],
        &["perft", &game, "1"],
        &["moves", &game],
        &["ggp", "manage", &sees.file(), "--players", "random,random"],
    ] {
        let refused = spinney(arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        let text = String::from_utf8(refused.stderr).unwrap();
        assert!(text.contains(sentence) && text.trim_end().lines().count() == 1, "{arguments:?}: {text}");
    }
    // Names in two spellings are tolerated everywhere, and remarked on.
    let mixed = Sheet::new("mixed", &BOTH.replacen("(say a)", "(SAY a)", 1));
    let remarks = printed(&spinney(&["ggp", "check", &mixed.file()]));
    assert!(remarks.contains("warning") && remarks.contains("valid"), "{remarks}");
    assert!(printed(&spinney(&["perft", &format!("gdl:{}", mixed.file()), "1"])).contains("12"));
}

#[test]
fn games_of_roles_are_shown_role_by_role() {
    let sheet = Sheet::new("both", BOTH);
    let game = format!("gdl:{}", sheet.file());
    let moves = printed(&spinney(&["moves", &game]));
    assert_eq!(moves, "state: on\nleft (no goal): a b\nRight (no goal): a b\nrandom (goal 0, chance): 1 2 3\n");
    let json = printed(&spinney(&["moves", &game, "said(left,b) said(right,a)", "--json"]));
    let line: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&line["over"], &line["roles"][0]["goal"], &line["roles"][1]["goal"]),
        (&true.into(), &100.into(), &0.into())
    );
    // Joint moves: 2 × 2 × 3, then the game is over.
    let counted = printed(&spinney(&["perft", &game, "2"]));
    assert!(counted.contains("joint moves, one of each role: left, Right, random"), "{counted}");
    assert!(counted.lines().any(|line| line.starts_with("perft( 1)") && line.contains(" 12 ")), "{counted}");
    assert!(counted.lines().any(|line| line.starts_with("perft( 2)") && line.contains(" 0 ")), "{counted}");
    let played = printed(&spinney(&["play", &game, "--first", "mcts(sims=100)", "--second", "cadiaplayer(sims=100)"]));
    assert!(played.contains("chance: ") && played.contains("a draw"), "{played}");
}

#[test]
fn tournaments_are_scored_and_recorded() {
    let (_player, address) = serve();
    let sheet = Sheet::new("tournament", BOTH);
    let record = Sheet::new("record", "");
    let arguments = ["ggp", "tournament", &sheet.file(), "--players", &format!("{address},random"), "--rounds", "1"];
    let clocks = ["--startclock", "1", "--playclock", "1", "--scramble", "--preview", "1", "--name", "cup", "--json"];
    let text = printed(&spinney(&[&arguments[..], &clocks[..], &["--record", &record.file()]].concat()));
    let results: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(results["standings"][0]["player"], address.as_str());
    assert_eq!((&results["standings"][0]["mean_goal"], &results["standings"][0]["errors"]), (&100.0.into(), &0.into()));
    assert_eq!(results["encounters"][0]["pairs"], 1);
    let lines = std::fs::read_to_string(&record.0).unwrap();
    let matches: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(matches.len(), 2);
    for own in &matches {
        assert_eq!(
            (&own["isCompleted"], &own["scrambled"], &own["playClock"]),
            (&true.into(), &true.into(), &1.into())
        );
        assert_eq!((&own["tournamentNameFromHost"], own["states"].as_array().unwrap().len()), (&"cup".into(), 2));
        assert_eq!(own["states"][0], "( on )");
        assert_eq!(own["moves"][0].as_array().unwrap().len(), 3);
    }
}

#[test]
fn records_are_written_as_they_grow_and_signed() {
    let folder = std::env::temp_dir().join(format!("spinney-signed-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let (keys, record) = (path("keys.json"), path("match.json"));
    let public = printed(&spinney(&["ggp", "keys", &keys]));
    assert!(public.starts_with("0MII"), "{public}");
    assert_eq!(spinney(&["ggp", "keys", &keys]).status.code(), Some(2), "keys are not written over");
    let arguments =
        ["ggp", "manage", "tic-tac-toe", "--players", "random,random", "--record", &record, "--sign", &keys];
    printed(&spinney(&arguments));
    assert_eq!(
        std::fs::read_to_string(folder.join("match.kif")).unwrap(),
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../games/sheets/tic-tac-toe.kif")).unwrap()
    );
    let verified = printed(&spinney(&["ggp", "verify", &record, "--key", public.trim()]));
    assert!(verified.contains("signed by 0MII"), "{verified}");
    let text = std::fs::read_to_string(&record).unwrap();
    assert!(text.contains("\"isCompleted\":true") && text.contains("\"matchHostSignature\":\"A0"), "{text}");
    std::fs::write(&record, text.replace("\"isCompleted\":true", "\"isCompleted\":false")).unwrap();
    let refused = spinney(&["ggp", "verify", &record]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8(refused.stdout).unwrap().contains("not what was signed"));
    // A tournament writes each match to a file of its own.
    let matches = path("matches");
    let arguments =
        ["ggp", "tournament", "tic-tac-toe", "--players", "random,random", "--name", "t.1", "--matches", &matches];
    printed(&spinney(&arguments));
    assert!(folder.join("matches/t-1-1.json").is_file() && folder.join("matches/t-1-2.kif").is_file());
    std::fs::remove_dir_all(folder).unwrap();
}
