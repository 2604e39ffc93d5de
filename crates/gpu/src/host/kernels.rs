//! The kernels that are kept with the sources, compressed: one for each game and kind of play-out.

use super::apart::stacks_apart;
use super::tuning::Stacks;
use crate::compiled::kinds::{ALL, LEARNING, POLICY, STILL, UNIFORM};
use crate::games::NAMES;
use std::collections::BTreeMap;
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
/// other twice in a simulation, and twice where they wait to begin games together: a compiler that doubles such a barrier costs half
/// of the speed. Between both of a simulation, where moves are drawn, nothing may be compared or copied by calls.
pub fn faults(game: &str, kind: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let parts: Vec<&str> = text.split("bar.warp.sync").collect();
    let (barriers, expected) = (parts.len() - 1, 2 * (loops(game, kind) + 1));
    if barriers != expected {
        faults.push(format!("{barriers} barriers instead of {expected}"));
    }
    let names = ["memcmp", "memcpy", "memmove", "memset"];
    let is_call = |line: &&str| line.contains("call") && names.iter().any(|name| line.contains(name));
    if kind != "mixed" && barriers == expected {
        // Of both pairs of barriers that of a simulation has more between.
        let drawing = parts[1..barriers].iter().step_by(2).max_by_key(|part| part.len());
        let calls = drawing.map_or(0, |part| part.lines().filter(is_call).count());
        if calls > 0 {
            faults.push(format!("{calls} calls that copy or compare memory between the barriers"));
        }
    }
    faults.extend(calls_itself(text).map(|name| format!("{name} calls itself")));
    faults
}

/// A function that calls itself, by others or not. Nobody knows how much of a stack it needs, and the driver makes none larger while
/// a kernel runs.
pub fn calls_itself(text: &str) -> Option<&str> {
    let mut calls: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut own = "";
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix(".func").or(line.strip_prefix(".visible .entry")) {
            own = name_after(rest);
        } else if let Some(rest) = line.strip_prefix("call.uni") {
            calls.entry(own).or_default().push(name_after(rest));
        }
    }
    // What calls nothing that is left is left out, until nothing is or all that is left are circles and what leads to them.
    loop {
        let leads_on = |called: &[&str]| called.iter().any(|name| calls.contains_key(name));
        let ends: Vec<&str> = calls.iter().filter(|(_, called)| !leads_on(called)).map(|(name, _)| *name).collect();
        if ends.is_empty() {
            break;
        }
        ends.iter().for_each(|name| drop(calls.remove(name)));
    }
    // From call to call to one that was there before.
    let mut name = *calls.keys().next()?;
    let mut seen = Vec::new();
    while !seen.contains(&name) {
        seen.push(name);
        name = calls[name].iter().copied().find(|called| calls.contains_key(called))?;
    }
    Some(name)
}

/// The name of a function, behind what it returns.
fn name_after(text: &str) -> &str {
    let text = text.trim_start();
    let text = if text.starts_with('(') { text.split_once(')').map_or("", |(_, rest)| rest) } else { text };
    let text = text.trim_start_matches([',', ' ', '\t']);
    text.split(['(', ',', ' ']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::calls_itself;

    #[test]
    fn functions_that_call_themselves_are_found() {
        let text = |calls: [&str; 3]| {
            let [entry, first, second] = calls;
            format!(
                ".func first\n(\n)\n;\n.visible .entry play(\n)\n{{\n\tcall.uni {entry}, (param0);\n}}\n\
                 .func  (.param .b64 func_retval0) first(\n)\n{{\n\tcall.uni (retval0), {first}, (param0, param1);\n}}\n\
                 .func second(\n)\n{{\n\tcall.uni {second}, (param0);\n}}\n.func last()\n{{\n\tret;\n}}\n"
            )
        };
        let found = |calls| calls_itself(&text(calls)).map(str::to_string);
        assert_eq!(found(["first", "second", "last"]), None);
        assert_eq!(found(["first", "first", "last"]), Some("first".into()));
        assert_eq!(found(["first", "last", "second"]), Some("second".into()));
        assert!(found(["first", "second", "first"]).is_some(), "one by the other");
    }
}
