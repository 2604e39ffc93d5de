//! The corpora of `fuzz/` and whatever the fuzzer broke on, through the functions that the fuzzer calls.

use spinney_fuzz_targets::TARGETS;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(kind: &str, target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(kind).join(target)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder can be read").path()).collect();
    files.sort();
    files
}

#[test]
fn corpora_are_read_or_refused() {
    for (name, target) in TARGETS {
        let corpus = files(&folder("corpus", name));
        assert!(corpus.len() >= 5, "the corpus of {name} is missing");
        for file in corpus.into_iter().chain(files(&folder("artifacts", name))) {
            let bytes = fs::read(&file).expect("a file can be read");
            let outcome = std::panic::catch_unwind(|| target(&bytes));
            assert!(outcome.is_ok(), "{name}: {} makes it panic", file.display());
        }
    }
}

#[test]
fn corpora_are_small() {
    let sizes = TARGETS.iter().flat_map(|(name, _)| files(&folder("corpus", name)));
    let bytes: u64 = sizes.map(|file| fs::metadata(file).expect("a file can be read").len()).sum();
    assert!(bytes < 300_000, "the corpora have {bytes} bytes; see fuzz/README.md for how they are made smaller");
}

#[test]
fn every_target_has_a_program() {
    for (name, _) in TARGETS {
        let program = folder("fuzz_targets", &format!("{name}.rs"));
        let text = fs::read_to_string(&program).unwrap_or_default();
        assert!(text.contains(&format!("spinney_fuzz_targets::{name}(")), "{} is missing", program.display());
    }
}
