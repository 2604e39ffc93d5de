//! The example as its user would call it.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_spinney-example-discount")).args(arguments).output().expect("it starts")
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
            "discount(sims=60, gamma=0.9)",
            "--b",
            "mcts(sims=60, reward=fade)",
            "--games",
            "4"
        ])
        .contains("repeat with")
    );
    assert!(said(&["agents", "discount"]).contains("gamma"));
    assert!(said(&["analyse", "breakthrough", "--agent", "discount(sims=50)", "--json"]).contains("\"candidates\""));
    assert!(said_wrong(&["analyse", "breakthrough", "--agent", "discount(gama=1)"]).contains("did you mean `gamma`?"));
}
