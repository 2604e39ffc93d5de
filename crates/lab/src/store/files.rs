//! Files of lines, plain and compressed: found, counted, read, appended to.

use crate::blocks::{self, Block, blocks};
use crate::error::LabError;
use crate::record::without_checksum;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Whole lines of a file.
pub(super) fn count_lines(path: &Path) -> Result<u64, LabError> {
    let count = || {
        if is_compressed(path) {
            return Ok(blocks::count_lines(&fs::read(path)?));
        }
        let mut file = File::open(path)?;
        let mut block = vec![0; 1 << 16];
        let mut lines = 0;
        loop {
            match file.read(&mut block)? {
                0 => return Ok(lines),
                length => lines += block[..length].iter().filter(|byte| **byte == b'\n').count() as u64,
            }
        }
    };
    count().map_err(LabError::file(path))
}

fn is_compressed(path: &Path) -> bool {
    path.to_string_lossy().ends_with(blocks::ENDING)
}

/// When the games of a run were last written.
pub fn last_written(folder: &Path) -> Option<SystemTime> {
    let written = |path: PathBuf| fs::metadata(path).and_then(|data| data.modified()).ok();
    files_of(folder, "games-").ok()?.into_iter().filter_map(written).max()
}

/// The files of lines of one kind, plain and compressed.
pub fn files_of(folder: &Path, kind: &str) -> Result<Vec<PathBuf>, LabError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(LabError::file(folder))? {
        let path = entry.map_err(LabError::file(folder))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with(kind) && (name.ends_with(".jsonl") || name.ends_with(blocks::ENDING)) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Writes a file beside the old one and then puts it in its place.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    write_by(&path.with_extension("draft"), path, bytes)
}

pub(super) fn write_by(draft: &Path, path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    let write = || {
        let mut file = File::create(draft)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(draft, path)
    };
    write().map_err(LabError::file(path))
}

/// Opens a file for appending and cuts off a last line that was torn when its writer was killed.
pub fn open_for_appending(path: &Path) -> Result<File, LabError> {
    let open = || {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let length = file.metadata()?.len();
        let mut end = length;
        // Backwards in blocks until the last newline.
        let mut block = vec![0; 4096];
        while end > 0 {
            let start = end.saturating_sub(block.len() as u64);
            let part = &mut block[..(end - start) as usize];
            file.seek(SeekFrom::Start(start))?;
            file.read_exact(part)?;
            if let Some(at) = part.iter().rposition(|byte| *byte == b'\n') {
                end = start + at as u64 + 1;
                break;
            }
            end = start;
        }
        if end < length {
            file.set_len(end)?;
        }
        Ok(file)
    };
    open().map_err(LabError::file(path))
}

/// Hands the record of every sound line to `take`, which may object to it; faults are noted with file and line.
pub(super) fn for_each_line<T: serde::de::DeserializeOwned>(
    path: &Path,
    faults: &mut Vec<String>,
    mut take: impl FnMut(usize, T) -> Option<String>,
) -> Result<(), LabError> {
    for_each_text(path, faults, |line, text| match serde_json::from_str(text) {
        Ok(record) => take(line, record),
        Err(_) => Some(format!("line {line}: it is not a record of this version; its game will be played again")),
    })
}

/// The same with the text of every sound line, without its checksum.
pub fn for_each_text(
    path: &Path,
    faults: &mut Vec<String>,
    mut take: impl FnMut(usize, &str) -> Option<String>,
) -> Result<(), LabError> {
    let bytes = fs::read(path).map_err(LabError::file(path))?;
    let mut note = |fault: String| faults.push(format!("{}, {fault}", path.display()));
    if is_compressed(path) {
        for_each_packed_text(&bytes, &mut note, &mut take);
        return Ok(());
    }
    let mut buffer = String::new();
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    // After the last newline there is nothing, or a line that was torn.
    let torn = lines.pop().is_some_and(|last| !last.is_empty());
    for (index, line) in lines.into_iter().enumerate() {
        let text = std::str::from_utf8(line).map_err(|_| "it is not text");
        let fault = match text.and_then(|line| without_checksum(line, &mut buffer)) {
            Ok(text) => take(index + 1, text),
            Err(problem) => Some(format!("line {}: {problem}; its game will be played again", index + 1)),
        };
        fault.into_iter().for_each(&mut note);
    }
    if torn {
        note("last line: it was torn; its game will be played again".to_string());
    }
    Ok(())
}

/// The lines of sound blocks have no checksums of their own: their block's was right. Lines of lost blocks are counted
/// where the head of the block still says how many there were.
fn for_each_packed_text(
    bytes: &[u8],
    note: &mut impl FnMut(String),
    take: &mut impl FnMut(usize, &str) -> Option<String>,
) {
    let mut number = 0;
    for (index, block) in blocks(bytes).into_iter().enumerate() {
        match block {
            Block::Sound { text, head_is_sound } => {
                for line in text.lines() {
                    number += 1;
                    take(number, line).into_iter().for_each(&mut *note);
                }
                if !head_is_sound {
                    note(format!("block {}: its head is damaged, but its lines are whole", index + 1));
                }
            }
            Block::Damaged { problem, lines } => {
                number += lines.unwrap_or(0) as usize;
                let games = lines.map_or("games".to_string(), |lines| format!("{lines} games"));
                note(format!("block {}: {problem}; its {games} will be played again", index + 1));
            }
        }
    }
}
