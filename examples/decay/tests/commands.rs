//! The example as its user would call it.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_spinney-example-decay")).args(arguments).output().expect("it starts")
}

fn said(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn said_wrong(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn it_has_the_whole_command_line() {
    assert!(
        said(&[
            "match",
            "tic-tac-toe",
            "--a",
            "mcts(sims=60, playout=uniform+decay(half=50))",
            "--b",
            "random",
            "--games",
            "4"
        ])
        .contains("repeat with")
    );
    assert!(said(&["agents", "decay"]).contains("MAST that forgets"));
    assert!(
        said(&["score", "pig", "--agent", "mcts(sims=20, playout=policy+decay)", "--games", "4"]).contains("score")
    );
    assert!(
        said_wrong(&["analyse", "havannah", "--agent", "mcts(playout=uniform+decay)"]).contains("says `for_games`")
    );
    assert!(
        said_wrong(&["analyse", "breakthrough", "--agent", "mcts(playout=uniform+decy)"])
            .contains("did you mean `decay`?")
    );
}
