//! Lists the files of this folder for `src/lib.rs`, so that a new experiment or paper needs no line of code.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What belongs to an experiment or to a paper.
const KINDS: [&str; 2] = ["toml", "csv"];

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut names = Vec::new();
    collect(&folder, "", &mut names)?;
    names.sort();
    let mut text = String::from("&[\n");
    for name in &names {
        let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{name}\")");
        let _ = writeln!(text, "    File {{ path: \"{name}\", text: include_str!({path}) }},");
    }
    text.push_str("]\n");
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("files.rs"), text)
}

/// Adds the files below a folder by their path from the top. The manifest and the code are no experiments.
fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let below = format!("{prefix}{name}");
        if path.is_dir() {
            // `target` is where `cargo package` builds the crate on its own.
            if !name.starts_with('.') && !["src", "target"].contains(&below.as_str()) {
                collect(&path, &format!("{below}/"), names)?;
            }
        } else if path.extension().is_some_and(|kind| KINDS.iter().any(|known| kind == *known))
            && !["Cargo.toml", "Cargo.toml.orig"].contains(&below.as_str())
        {
            names.push(below);
        }
    }
    Ok(())
}
