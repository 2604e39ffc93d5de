//! `cargo xtask python`: makes an environment, builds the wheel, installs it and runs all its tests.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What the tests cannot do without.
const NEEDED: &str = "maturin>=1.9,<2 pytest numpy pandas polars pyarrow tqdm";
/// What single tests use; where it cannot be installed they skip and say so.
const WELCOME: [&str; 8] =
    ["open_spiel", "joblib", "distributed", "ray", "hyperqueue", "duckdb", "nbclient ipykernel matplotlib", "mypy"];
/// A wheel for others is smaller than this.
const MOST_BYTES: u64 = 15_000_000;

/// Where a step failed.
struct Failed(String);

/// Runs a command in the repository's root.
fn run(name: &str, command: &mut Command) -> Result<(), Failed> {
    println!("== {name}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failed(format!("{name}: {status}"))),
        Err(error) => Err(Failed(format!("{name}: {:?} does not start: {error}", command.get_program()))),
    }
}

fn pip(python: &Path, what: &str) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(what.split(' '));
    command
}

/// The environment's Python, made on first use.
fn environment(root: &Path) -> Result<PathBuf, Failed> {
    let folder = root.join("target/python/venv");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !python.exists() {
        let own = std::env::var_os("SPINNEY_PYTHON").unwrap_or_else(|| "python3".into());
        run("environment", Command::new(own).args(["-m", "venv"]).arg(&folder))?;
    }
    run("packages", &mut pip(&python, "--upgrade pip"))?;
    let needed: Vec<&str> = NEEDED.split(' ').collect();
    run("packages", Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(needed))?;
    for package in WELCOME {
        if let Err(Failed(problem)) = run(&format!("packages: {package}"), &mut pip(&python, package)) {
            eprintln!("warning: {problem}; its tests are skipped");
        }
    }
    Ok(python)
}

/// A file of settings that makes the profile `dev` that of the tests, whose pieces are then used. By its own name it would
/// make a test of the module.
fn profile_of_tests(root: &Path) -> Result<PathBuf, Failed> {
    let wrong = |error| Failed(format!("wheel: {error}"));
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).map_err(wrong)?;
    let mut profile = String::new();
    let mut is_wanted = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_wanted = line.starts_with("[profile.test");
        }
        if is_wanted {
            profile += &line.replace("[profile.test", "[profile.dev");
            profile.push('\n');
        }
    }
    let file = root.join("target/python/profile.toml");
    std::fs::write(&file, profile).map_err(wrong)?;
    Ok(file)
}

/// Builds the wheel and returns its path: for the tests out of what they have compiled, for others as `pip install .` does.
fn build(root: &Path, python: &Path, for_others: bool) -> Result<PathBuf, Failed> {
    let wheels = root.join("target/python/wheels");
    // What an earlier version left behind is not to be installed.
    let _ = std::fs::remove_dir_all(&wheels);
    let mut command = Command::new(python);
    command.args(["-m", "maturin", "build", "--out"]).arg(&wheels).current_dir(root);
    if for_others {
        command.args(["--profile", "wheel"]);
    } else {
        command.args(["--profile", "dev", "--config"]).arg(profile_of_tests(root)?);
    }
    run("wheel", &mut command)?;
    let found = std::fs::read_dir(&wheels).into_iter().flatten().flatten().map(|entry| entry.path()).next();
    let wheel = found.ok_or_else(|| Failed(format!("wheel: there is none in {}", wheels.display())))?;
    let bytes = std::fs::metadata(&wheel).map_or(0, |data| data.len());
    println!("{}: {:.1} MB", wheel.display(), bytes as f64 / 1e6);
    if for_others && bytes > MOST_BYTES {
        return Err(Failed(format!("wheel: more than {} MB", MOST_BYTES / 1_000_000)));
    }
    Ok(wheel)
}

fn all(for_others: bool) -> Result<(), Failed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let python = environment(root)?;
    let wheel = build(root, &python, for_others)?;
    let mut install = pip(&python, "--force-reinstall --no-deps");
    run("install", install.arg(&wheel))?;
    run("tests", Command::new(&python).args(["-m", "pytest", "-q", "-rs", "crates/python/tests"]).current_dir(root))
}

/// The whole task.
pub fn main(mut arguments: impl Iterator<Item = String>) -> ExitCode {
    let for_others = match arguments.next().as_deref() {
        None => false,
        Some("--wheel") => true,
        Some(_) => {
            eprintln!(
                "error: xtask python: unknown option; write `cargo xtask python`, or `cargo xtask python --wheel`"
            );
            return ExitCode::from(2);
        }
    };
    match all(for_others) {
        Ok(()) => {
            println!("== all steps passed");
            ExitCode::SUCCESS
        }
        Err(Failed(problem)) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}
