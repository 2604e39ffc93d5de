//! The example as its user would call it.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_spinney-example-kl-ucb")).args(arguments).output().expect("it starts")
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
            "breakthrough(rows=5, columns=5)",
            "--a",
            "mcts(sims=60, select=kl-ucb(c=0.7))",
            "--b",
            "random",
            "--games",
            "4"
        ])
        .contains("repeat with")
    );
    assert!(said(&["agents", "mcts"]).contains("kl-ucb"));
    assert!(said(&["score", "pig", "--agent", "mcts(sims=20, select=kl-ucb)", "--games", "4"]).contains("score"));
    assert!(
        said_wrong(&["analyse", "breakthrough", "--agent", "mcts(select=kl-ucp)"]).contains("did you mean `kl-ucb`?")
    );
}
