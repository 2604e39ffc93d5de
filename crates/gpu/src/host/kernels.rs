//! The kernels that are kept with the sources, compressed: one for each game and kind of play-out.

use super::apart::stacks_apart;
use super::tuning::Stacks;
use crate::compiled::kinds::{ALL, LEARNING, POLICY, STILL, UNIFORM};
use crate::games::NAMES;
use std::io::Read;

/// The kinds of play-out that kernels are made for, under the names of their features.
pub const KINDS: [(&str, u8); 5] = [
    ("uniform", UNIFORM | STILL),
    ("policy", POLICY | STILL),
    ("uniform-mast", UNIFORM | LEARNING),
    ("policy-mast", POLICY | LEARNING),
    ("mixed", ALL),
];

/// The kernels there are: for every game one that plays all kinds, which is slower and takes longer to load, and those
/// for single kinds that the published tables and the most usual matches need.
pub const MADE: [(&str, &[&str]); 7] = [
    ("amazons", &["policy-mast", "mixed"]),
    ("breakthrough", &["uniform", "policy", "policy-mast", "mixed"]),
    ("cannon", &["policy", "mixed"]),
    ("checkers", &["uniform", "mixed"]),
    ("chinese-checkers", &["policy", "mixed"]),
    ("havannah", &["uniform", "mixed"]),
    ("pentalath", &["policy-mast", "mixed"]),
];

/// The name of the kernel for a game and kinds of play-out.
pub fn name(game: &str, kinds: u8) -> String {
    let kind = KINDS.iter().find(|(_, own)| *own == kinds).map_or("mixed", |(name, _)| name);
    let is_made = MADE.iter().any(|(own, made)| *own == game && made.contains(&kind));
    format!("{game}-{}", if is_made { kind } else { "mixed" })
}

/// Game and kind of every kernel there is.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    MADE.iter().flat_map(|(game, kinds)| kinds.iter().map(move |kind| (*game, *kind)))
}

/// The loops over simulations that a kernel of this kind has: one for each kind of play-out.
fn loops(game: &str, kind: &str) -> usize {
    let has_policy = NAMES.iter().any(|(own, has_policy)| *own == game && *has_policy);
    match kind {
        "mixed" if has_policy => 4,
        "mixed" => 2,
        _ => 1,
    }
}

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// The hash of the sources from which the kernels were made, see [`hash_of_sources`].
pub const MADE_FROM: &str = include_str!("../../ptx/sources.txt");

/// The text of a kernel, for the driver to compile; `None` if it was not made.
pub fn text(name: &str, stacks: Stacks) -> Option<String> {
    let (_, packed) = PACKED.iter().find(|(own, _)| *own == name)?;
    let mut text = String::new();
    flate2::read::GzDecoder::new(*packed).read_to_string(&mut text).ok()?;
    match stacks {
        Stacks::Together => Some(text),
        Stacks::Apart => stacks_apart(&text),
    }
}

/// Folders of sources that kernels are made of, from the root of the workspace.
const SOURCES: [&str; 5] =
    ["crates/core/src", "crates/games/src", "crates/gpu/src", "crates/gpu/kernels/src", "crates/search/src"];

/// Files that say how they are compiled.
const RECIPES: [&str; 10] = [
    "crates/core/Cargo.toml",
    "crates/games/Cargo.toml",
    "crates/gpu/Cargo.toml",
    "crates/gpu/examples/make-kernels.rs",
    "crates/gpu/kernels/Cargo.lock",
    "crates/gpu/kernels/Cargo.toml",
    "crates/gpu/kernels/ptx-linker",
    "crates/gpu/kernels/rustc-wrapper",
    "crates/gpu/kernels/words.ll",
    "crates/search/Cargo.toml",
];

/// Names of files and folders in [`SOURCES`] that kernels are not made of: tests, text, rule sheets, and this side.
const LEFT_OUT: [&str; 5] = ["tests.rs", "text.rs", "gdl", "gdl.rs", "host"];

/// A hash of all that kernels are made of, without comments, empty lines and unit tests, which change nothing.
/// `None` if they are not below `root`.
pub fn hash_of_sources(root: &std::path::Path) -> Option<String> {
    fn gather(folder: &std::path::Path, files: &mut Vec<std::path::PathBuf>) -> Option<()> {
        for entry in std::fs::read_dir(folder).ok()? {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_str()?;
            if LEFT_OUT.contains(&name) {
                continue;
            }
            if path.is_dir() {
                gather(&path, files)?;
            } else if name.ends_with(".rs") {
                files.push(path);
            }
        }
        Some(())
    }
    let mut files = Vec::new();
    for folder in SOURCES {
        gather(&root.join(folder), &mut files)?;
    }
    files.extend(RECIPES.map(|file| root.join(file)));
    files.sort();
    let mut seed = spinney_core::Seed::new(0);
    for file in files {
        let text = std::fs::read_to_string(&file).ok()?;
        seed = seed.named(&file.strip_prefix(root).ok()?.to_string_lossy());
        seed = lines_that_count(&text).fold(seed, spinney_core::Seed::named);
    }
    Some(format!("{:016x}", seed.value()))
}

/// The lines of a source or of a recipe that decide what is compiled.
fn lines_that_count(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let is_remark = |line: &str| line.starts_with("//") || line.starts_with('#') && !line.starts_with("#[");
    code.lines().map(str::trim).filter(move |line| !line.is_empty() && !is_remark(line))
}

/// What is wrong with the text of a kernel, as far as can be seen without running it. Threads of a warp must wait for each
/// other twice in a simulation: a compiler that doubles such a barrier costs half of the speed. Between both, where moves
/// are drawn, nothing may be compared or copied by calls.
pub fn faults(game: &str, kind: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let parts: Vec<&str> = text.split("bar.warp.sync").collect();
    let (barriers, expected) = (parts.len() - 1, 2 * loops(game, kind));
    if barriers != expected {
        faults.push(format!("{barriers} barriers instead of {expected}"));
    }
    let names = ["memcmp", "memcpy", "memmove", "memset"];
    let is_call = |line: &&str| line.contains("call") && names.iter().any(|name| line.contains(name));
    if kind != "mixed" && parts.len() == 3 {
        let calls = parts[1].lines().filter(is_call).count();
        if calls > 0 {
            faults.push(format!("{calls} calls that copy or compare memory between the barriers"));
        }
    }
    faults
}
