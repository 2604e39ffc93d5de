//! Where the test material is, and how it is read.
#![allow(dead_code, clippy::unwrap_used, clippy::print_stderr, reason = "each test file uses its share")]

pub mod perft;

use std::path::{Path, PathBuf};

/// A folder or file of the project's own material.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/gdl").join(name)
}

/// The folder of the sheets that come with the program.
pub fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/sheets")
}

/// A folder of public rule sheets beside the project, if they are there; says so if not.
pub fn public(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/ggp").join(folder);
    if !path.exists() {
        eprintln!("skipped: {} is not there", path.display());
        return None;
    }
    Some(path)
}

/// The text of a file.
pub fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()
}

/// Name and text of every sheet of a folder, in order.
pub fn sheets(folder: &Path) -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "kif"));
    paths.sort();
    paths.iter().map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), read(path))).collect()
}

/// The rows of a table without its heading.
pub fn table(path: &Path) -> Vec<Vec<String>> {
    read(path).lines().skip(1).map(|line| line.split('\t').map(str::to_string).collect()).collect()
}
