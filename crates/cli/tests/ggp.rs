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
