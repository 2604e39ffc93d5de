//! `cargo xtask test`: everything that must hold before a change is taken, in the order in which it fails fastest.
//! `cargo xtask python`: the tests of the Python module; with `--wheel` of the one that others are given.
//! `cargo xtask cluster`: an experiment on a real Slurm, killed and requeued.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to its user")]

mod cluster;
mod python;

use std::process::{Command, ExitCode, ExitStatus, Output};

/// One call of cargo.
struct Step {
    name: &'static str,
    arguments: &'static str,
    environment: &'static [(&'static str, &'static str)],
}

/// One after the other, each on all cores.
const FIRST: [Step; 4] = [
    Step { name: "format", arguments: "fmt --all --check", environment: &[] },
    Step {
        name: "lints",
        arguments: "clippy --workspace --all-targets --features spinney-cli/parquet -- -D warnings",
        // The module's lints need no Python.
        environment: &[("PYO3_NO_PYTHON", "1"), ("PYO3_BUILD_EXTENSION_MODULE", "1")],
    },
    // What simulates needs no clock, thread, file or text.
    Step {
        name: "without std",
        arguments: "clippy -p spinney-core -p spinney-search -p spinney-games --no-default-features -- -D warnings",
        environment: &[],
    },
    Step {
        name: "tests are built",
        arguments: "test --workspace --features spinney-cli/parquet --no-run",
        environment: &[],
    },
];

/// A snapshot that differs is a failure, not a file to be written.
const TESTS: Step = Step {
    name: "tests",
    arguments: "test --workspace --features spinney-cli/parquet",
    environment: &[("INSTA_UPDATE", "no")],
};

/// While tests run: many of them wait for clocks, the network and a browser. What needs the folder of the tests comes last, when
/// they have begun.
const BESIDE: [Step; 3] = [
    // It makes a library that has no standard library to fall back on, and plays the same games in it.
    Step {
        name: "bare library",
        arguments: "build --manifest-path bench/bare/Cargo.toml --target-dir target/bare --locked",
        environment: &[],
    },
    Step {
        name: "bare games",
        arguments: "test --lib --manifest-path bench/bare/Cargo.toml --target-dir target/bare --locked",
        environment: &[],
    },
    Step {
        name: "documentation",
        arguments: "doc --workspace --no-deps --exclude spinney-python --features spinney-cli/parquet",
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
    },
];

impl Step {
    fn command(&self, patient: bool) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        // Tests by the clock come first.
        let mut command = if patient && cfg!(unix) {
            let mut nice = Command::new("nice");
            nice.args(["-n", "10"]).arg(cargo);
            nice
        } else {
            Command::new(cargo)
        };
        command.args(self.arguments.split_whitespace()).envs(self.environment.iter().copied());
        command
    }

    /// Says what it does and whether it did.
    fn run(&self) -> bool {
        println!("== {}: cargo {}", self.name, self.arguments);
        self.judge(self.command(false).status())
    }

    fn judge(&self, status: std::io::Result<ExitStatus>) -> bool {
        match status {
            Ok(status) if status.success() => return true,
            Ok(status) => eprintln!("error: {}: {status}", self.name),
            Err(error) => eprintln!("error: {}: cargo does not start: {error}", self.name),
        }
        false
    }

    /// The same without a word until it is done.
    fn run_beside(&self) -> (&Self, std::io::Result<Output>) {
        (self, self.command(true).output())
    }
}

/// Everything, as far as it goes.
fn test() -> bool {
    if !FIRST.iter().all(Step::run) {
        return false;
    }
    std::thread::scope(|scope| {
        let beside = scope.spawn(|| BESIDE.iter().map(Step::run_beside).collect::<Vec<_>>());
        let mut is_well = TESTS.run();
        for (step, output) in beside.join().unwrap_or_default() {
            println!("== {}: cargo {}", step.name, step.arguments);
            if let Ok(output) = &output {
                print!("{}", String::from_utf8_lossy(&output.stdout));
                eprint!("{}", String::from_utf8_lossy(&output.stderr));
            }
            is_well &= step.judge(output.map(|output| output.status));
        }
        is_well
    })
}

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
        Some("python") => return python::main(arguments),
        Some("cluster") => return cluster::main(),
        _ => {
            eprintln!("error: xtask: unknown task; write `cargo xtask` with test, python, cluster or kernels");
            return ExitCode::from(2);
        }
    }
    provide_browser();
    if !test() {
        return ExitCode::FAILURE;
    }
    println!("== all steps passed");
    ExitCode::SUCCESS
}
