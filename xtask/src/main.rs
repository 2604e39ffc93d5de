//! `cargo xtask test`: everything that must hold before a change is taken, in the order in which it fails fastest.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to its user")]

use std::process::{Command, ExitCode};

/// Name, arguments of cargo, and environment of each step.
const STEPS: [(&str, &[&str], &[(&str, &str)]); 4] = [
    ("format", &["fmt", "--all", "--check"], &[]),
    ("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[]),
    (
        "documentation",
        &["doc", "--workspace", "--no-deps", "--document-private-items"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    ),
    ("tests", &["test", "--workspace"], &[("INSTA_UPDATE", "no")]),
];

fn main() -> ExitCode {
    let wanted = std::env::args().nth(1);
    if wanted.as_deref() != Some("test") {
        eprintln!("error: xtask: unknown task; write `cargo xtask test`");
        return ExitCode::from(2);
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    for (name, arguments, environment) in STEPS {
        println!("== {name}: cargo {}", arguments.join(" "));
        let status = Command::new(&cargo).args(arguments).envs(environment.iter().copied()).status();
        match status {
            Ok(status) if status.success() => {}
            Ok(status) => {
                eprintln!("error: {name}: {status}");
                return ExitCode::FAILURE;
            }
            Err(error) => {
                eprintln!("error: {name}: cargo does not start: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("== all steps passed");
    ExitCode::SUCCESS
}
