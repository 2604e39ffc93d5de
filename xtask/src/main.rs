//! `cargo xtask test`: everything that must hold before a change is taken, in the order in which it fails fastest.
//! `cargo xtask python`: the same for the Python module, which stands by itself.
//! `cargo xtask cluster`: an experiment on a real Slurm, killed and requeued.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to its user")]

mod cluster;
mod python;

use std::process::{Command, ExitCode};

/// One call of cargo.
struct Step {
    name: &'static str,
    arguments: &'static str,
    environment: Option<(&'static str, &'static str)>,
}

const STEPS: [Step; 7] = [
    Step { name: "format", arguments: "fmt --all --check", environment: None },
    Step {
        name: "lints",
        arguments: "clippy --workspace --all-targets --features spinney-cli/parquet -- -D warnings",
        environment: None,
    },
    // What simulates needs no clock, thread, file or text.
    Step {
        name: "without std",
        arguments: "clippy -p spinney-core -p spinney-search -p spinney-games --no-default-features -- -D warnings",
        environment: None,
    },
    // It makes a library that has no standard library to fall back on, and plays the same games in it.
    Step {
        name: "bare library",
        arguments: "build --manifest-path bench/bare/Cargo.toml --target-dir target/bare --locked",
        environment: None,
    },
    Step {
        name: "bare games",
        arguments: "test --lib --manifest-path bench/bare/Cargo.toml --target-dir target/bare --locked",
        environment: None,
    },
    Step {
        name: "documentation",
        arguments: "doc --workspace --no-deps",
        environment: Some(("RUSTDOCFLAGS", "-D warnings")),
    },
    // A snapshot that differs is a failure, not a file to be written.
    Step {
        name: "tests",
        arguments: "test --workspace --features spinney-cli/parquet",
        environment: Some(("INSTA_UPDATE", "no")),
    },
];

/// Names under which Chromium is installed.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// The pages are tested in Chromium. Where it is missing and packages can be installed, it is; else its tests skip
/// and say so.
fn provide_browser() {
    let starts =
        |program: &str| Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if std::env::var_os("SPINNEY_CHROMIUM").is_some() || BROWSERS.into_iter().any(starts) {
        return;
    }
    println!("== browser: apt-get install chromium");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(arguments[0]);
        command.args(&arguments[1..]).env("DEBIAN_FRONTEND", "noninteractive");
        command.status().is_ok_and(|status| status.success())
    };
    let install = |prefix: &[&str]| {
        let update = [prefix, &["apt-get", "update", "--quiet"]].concat();
        let install =
            [prefix, &["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", "chromium"]].concat();
        run(&install) || (run(&update) && run(&install))
    };
    if !install(&[]) && !install(&["sudo", "--non-interactive"]) {
        eprintln!("warning: browser: Chromium is missing and could not be installed; tests of the pages are skipped");
    }
}

/// Makes the kernels for graphics cards again, all or those whose names contain one of the words.
fn make_kernels(words: impl Iterator<Item = String>) -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--package", "spinney-gpu", "--example", "make-kernels", "--"]).args(words);
    match command.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("test") => {}
        Some("kernels") => return make_kernels(arguments),
        Some("python") => return python::main(),
        Some("cluster") => return cluster::main(),
        _ => {
            eprintln!("error: xtask: unknown task; write `cargo xtask` with test, python, cluster or kernels");
            return ExitCode::from(2);
        }
    }
    provide_browser();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    for Step { name, arguments, environment } in STEPS {
        println!("== {name}: cargo {}", arguments);
        let status = Command::new(&cargo).args(arguments.split(' ')).envs(environment).status();
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
