//! OpenSpiel's rules as the oracle for ours: runs every `bench/peers/compare_*.py` on the program under test.
//!
//! Passes with a notice where no Python with `pyspiel` is at hand; `bench/peers/openspiel` installs one.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The first Python that can load OpenSpiel.
fn find_python(peers: &Path) -> Option<PathBuf> {
    let own = peers.join(".venv/bin/python");
    let named = std::env::var_os("SPINNEY_PYSPIEL_PYTHON").map(PathBuf::from);
    [Some(own), named, Some(PathBuf::from("python3"))].into_iter().flatten().find(|python| {
        Command::new(python).args(["-c", "import pyspiel"]).output().is_ok_and(|output| output.status.success())
    })
}

#[test]
fn rules_agree_with_openspiel() {
    let peers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/peers");
    let Some(python) = find_python(&peers) else {
        println!("skipped: no Python with pyspiel; bench/peers/openspiel installs one");
        return;
    };
    let mut scripts: Vec<PathBuf> = std::fs::read_dir(&peers)
        .expect("bench/peers is part of the project")
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("compare_") && name.ends_with(".py")
        })
        .collect();
    scripts.sort();
    assert!(!scripts.is_empty(), "there is nothing to compare");
    for script in scripts {
        // -B: no compiled files beside the sources.
        let output = Command::new(&python)
            .arg("-B")
            .arg(&script)
            .args(["--spinney", env!("CARGO_BIN_EXE_spinney")])
            .output()
            .expect("this Python ran a moment ago");
        let said = String::from_utf8_lossy(&output.stdout);
        println!("{}: {}", script.display(), said.trim_end());
        assert!(
            output.status.success(),
            "{} found differences:\n{said}{}",
            script.display(),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
