//! Makes the kernels in `ptx/` from the sources: `cargo xtask kernels [NAME …]`. With `--lines FOLDER` it writes their texts there
//! instead, each with a file that says for every line from which lines of the sources it comes (`docs/gpu.md`).
//!
//! It needs a nightly toolchain with `rust-src`, the target `nvptx64-nvidia-cuda` and `llvm-bitcode-linker`; or, without
//! rustup, Debian's packages `rustc-web cargo-web rust-web-src llvm-22`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to its user")]

use flate2::{Compression, GzBuilder};
use spinney_gpu::host::kernels;
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

/// Kernels run on this generation of cards and on later ones.
const GENERATION: &str = "sm_90";

fn main() -> ExitCode {
    match make(&env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: kernels: {error}");
            ExitCode::from(2)
        }
    }
}

fn make(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let (lines, wanted) = match arguments {
        [option, folder, wanted @ ..] if option == "--lines" => (Some(Path::new(folder)), wanted),
        [option, ..] if option.starts_with("--") => {
            return Err(format!("{option}: write --lines FOLDER, or names").into());
        }
        wanted => (None, wanted),
    };
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = own.join("../..").canonicalize()?;
    let (sources, folder) = (own.join("kernels"), own.join("ptx"));
    fs::create_dir_all(lines.unwrap_or(&folder))?;
    let mut is_faulty = false;
    for (game, kind) in kernels::all() {
        let name = format!("{game}-{kind}");
        if !wanted.is_empty() && !wanted.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let text = fs::read_to_string(compile(&root, &sources, game, kind, lines.is_some())?)?;
        if let Some(folder) = lines {
            let (text, origins) = parted(&text);
            fs::write(folder.join(format!("{name}.ptx")), text)?;
            fs::write(folder.join(format!("{name}.origins")), origins)?;
            println!("{name}");
            continue;
        }
        let faults = kernels::faults(game, kind, &text);
        is_faulty |= !faults.is_empty();
        let mut packed = GzBuilder::new().write(Vec::new(), Compression::best());
        packed.write_all(text.as_bytes())?;
        let packed = packed.finish()?;
        println!("{name:<28} {:>6} kB, {:>4} kB packed  {}", text.len() / 1000, packed.len() / 1000, faults.join("; "));
        fs::write(folder.join(format!("{name}.ptx.gz")), packed)?;
    }
    if wanted.is_empty() && lines.is_none() {
        let hash = kernels::hash_of_sources(&root).ok_or("the sources cannot be read")?;
        fs::write(folder.join("sources.txt"), hash + "\n")?;
    }
    if is_faulty { Err("see above; a card would play, but slowly".into()) } else { Ok(()) }
}

/// The text of a kernel without what it says of its sources, and that: for each line, from the innermost function on.
fn parted(text: &str) -> (String, String) {
    let (mut kept, mut origins) = (String::new(), String::new());
    let (mut origin, mut is_section) = ("", false);
    for line in text.lines() {
        let words = line.trim();
        is_section |= words.starts_with(".section");
        let is_remark = is_section || words.starts_with(".file") || words.starts_with(".loc\t");
        if let Some((_, place)) = words.split_once("//").filter(|_| words.starts_with(".loc\t")) {
            origin = place.trim();
        }
        is_section &= words != "}";
        if !is_remark {
            kept += line;
            origins += origin;
        }
        kept.push('\n');
        origins.push('\n');
    }
    (kept, origins)
}

/// Compiles a kernel, with the lines of its sources or without, and says where its text is.
fn compile(root: &Path, sources: &Path, game: &str, kind: &str, with_lines: bool) -> Result<PathBuf, Box<dyn Error>> {
    let target = root.join(if with_lines { "target/kernels-with-lines" } else { "target/kernels" });
    let nightly = Command::new("rustup").args(["run", "nightly", "rustc", "--print", "sysroot"]).output();
    let has_nightly = nightly.is_ok_and(|output| {
        let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_string();
        output.status.success() && Path::new(&sysroot).join("lib/rustlib/src/rust/library/Cargo.lock").exists()
    });
    let mut flags = format!("-C target-cpu={GENERATION} -Zunstable-options -C panic=immediate-abort");
    if with_lines {
        flags += " -C debuginfo=line-tables-only";
    }
    let mut command = if has_nightly {
        let mut command = Command::new("rustup");
        command.args(["run", "nightly", "cargo"]);
        command
    } else {
        if !Path::new("/usr/bin/rustc").exists() {
            return Err("no nightly toolchain; see the head of crates/gpu/examples/make-kernels.rs".into());
        }
        flags += &format!(" -C linker={}", sources.join("ptx-linker").display());
        let mut command = Command::new("/usr/bin/cargo");
        command.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1");
        command
    };
    // What cargo tells its own children would confuse another toolchain.
    for (name, _) in env::vars().filter(|(name, _)| name.starts_with("CARGO") || name.starts_with("RUSTUP_TOOL")) {
        command.env_remove(name);
    }
    let status = command
        .current_dir(sources)
        .args(["build", "--release", "--quiet", "--lib", "--locked", "-Zbuild-std=core,alloc"])
        .args(["--target", "nvptx64-nvidia-cuda", "--features", &format!("{game},{kind}"), "--target-dir"])
        .arg(&target)
        .env("RUSTC_WRAPPER", sources.join("rustc-wrapper"))
        .env("RUSTFLAGS", flags)
        .status()?;
    if !status.success() {
        return Err(format!("{game}-{kind} does not compile: {status}").into());
    }
    Ok(target.join("nvptx64-nvidia-cuda/release/spinney_kernels.ptx"))
}
