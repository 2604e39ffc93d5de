//! The example as its user would call it.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_spinney-example-hex")).args(arguments).output().expect("it starts")
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
        said(&["match", "hex(size=4)", "--a", "mcts(sims=60)", "--b", "random", "--games", "4"])
            .contains("repeat with")
    );
    assert!(said(&["games", "hex"]).contains("connect your two sides"));
    assert!(said(&["perft", "hex(size=3)", "3"]).contains("576"));
    assert!(said_wrong(&["play", "hexx"]).contains("did you mean `hex`?"));
}
