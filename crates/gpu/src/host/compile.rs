//! Kernels compiled for a card ahead of time. The driver compiles one after the other, ten to forty seconds each; `ptxas`
//! of the CUDA toolkit compiles them side by side, and what it made is used again.

use super::kernels;
use super::tuning::Making;
use spinney_core::{InputError, Seed};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, process, thread};

/// The folder with compiled kernels: that of the variable `SPINNEY_KERNELS`, or one among the caches of the user.
pub fn folder() -> Option<PathBuf> {
    let given = env::var_os("SPINNEY_KERNELS").map(PathBuf::from);
    let cache = || env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    given.or_else(|| Some(cache().or_else(home)?.join("spinney/kernels")))
}

/// The name of a compiled kernel: another text, another number of registers or another card make another one.
fn file_name(name: &str, text: &[u8], registers: u32, generation: &str) -> String {
    let hash = text.chunks(8).fold(Seed::new(text.len() as u64), |seed, chunk| {
        seed.child(chunk.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    });
    format!("{name}-{:016x}-{registers}.{generation}.cubin", hash.value())
}

/// A kernel that was compiled before.
pub fn find(name: &str, text: &[u8], registers: u32, generation: &str) -> Option<Vec<u8>> {
    fs::read(folder()?.join(file_name(name, text, registers, generation))).ok()
}

/// Removes a kernel that was compiled before: it cannot be loaded.
pub fn forget(name: &str, text: &[u8], registers: u32, generation: &str) {
    if let Some(folder) = folder() {
        let _ = fs::remove_file(folder.join(file_name(name, text, registers, generation)));
    }
}

/// Compiles kernels with `ptxas` into a folder, as many at once as there are cores; what is there already stays. `tell` is
/// called with the name and the bytes of each; none is begun once it is stopped.
pub fn compile(
    names: &[String],
    folder: &Path,
    ptxas: &Path,
    making: Making,
    generation: &str,
    tell: &(dyn Fn(&str, u64) + Sync),
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Result<(), InputError> {
    let unwritable = |error| InputError::new(folder.display().to_string(), format!("{error}"), "name another folder");
    fs::create_dir_all(folder).map_err(unwritable)?;
    let next = AtomicUsize::new(0);
    let work = || -> Result<(), InputError> {
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !is_stopped()) {
            let size = compile_one(name, folder, ptxas, making, generation)?;
            tell(name, size);
        }
        Ok(())
    };
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get).min(names.len());
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

fn compile_one(name: &str, folder: &Path, ptxas: &Path, making: Making, generation: &str) -> Result<u64, InputError> {
    let Some(text) = kernels::text(name, making.stacks) else {
        return Err(InputError::new("gpu", format!("there is no kernel {name}"), "see spinney gpu list"));
    };
    let file = folder.join(file_name(name, text.as_bytes(), making.registers, generation));
    if let Ok(known) = fs::metadata(&file) {
        return Ok(known.len());
    }
    let unwritable = |error| InputError::new(file.display().to_string(), format!("{error}"), "name another folder");
    // Written aside, so that nobody finds half of it, and under names of this process: another may do the same.
    let [source, aside] = ["ptx", "part"].map(|ending| file.with_extension(format!("{}.{ending}", process::id())));
    fs::write(&source, &text).map_err(unwritable)?;
    let output = Command::new(ptxas)
        .args([&format!("-arch={generation}"), &format!("--maxrregcount={}", making.registers), "-O3"])
        .arg(&source)
        .arg("-o")
        .arg(&aside)
        .output();
    let _ = fs::remove_file(&source);
    let output = output.map_err(|error| {
        InputError::new("gpu", format!("{} does not start: {error}", ptxas.display()), "name it with --ptxas")
    })?;
    if !output.status.success() {
        let _ = fs::remove_file(&aside);
        let text = String::from_utf8_lossy(&output.stderr);
        let line = text.lines().next().unwrap_or("ptxas failed").to_string();
        return Err(InputError::new("gpu", format!("{name}: {line}"), "take a ptxas of CUDA 12 or later"));
    }
    fs::rename(&aside, &file).map_err(unwritable)?;
    fs::metadata(&file).map(|known| known.len()).map_err(unwritable)
}

/// `ptxas`, if it can be started by name.
pub fn ptxas() -> Option<PathBuf> {
    let starts = Command::new("ptxas").arg("--version").output().is_ok_and(|output| output.status.success());
    starts.then(|| PathBuf::from("ptxas"))
}
