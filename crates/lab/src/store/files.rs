//! Files of lines, plain and compressed: found, counted, read, appended to.

use crate::blocks::{self, Block, blocks};
use crate::error::LabError;
use crate::record::{sound, split};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, Read, Seek, SeekFrom, Write};
use std::ops::Range;
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

pub(super) fn is_compressed(path: &Path) -> bool {
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
    let mut ends = HashMap::new();
    let mut lines = 0;
    for piece in Pieces::new(vec![path.to_path_buf()], &mut ends) {
        let mut piece = piece?;
        piece.before = Some(lines);
        lines += piece.for_each_text(faults, &mut take);
    }
    let length = fs::metadata(path).map_err(LabError::file(path))?.len();
    if ends.get(path).copied().unwrap_or(0) < length {
        faults.push(format!("{}, last line: it was torn; its game will be played again", path.display()));
    }
    Ok(())
}

/// Lines of a file that are looked at together.
pub(super) struct Piece {
    path: PathBuf,
    bytes: Vec<u8>,
    /// Where it begins in the file.
    start: u64,
    /// Lines of the file before it, where somebody counted them.
    before: Option<usize>,
}

/// Bytes that are read at once, about.
const PIECE: u64 = 1 << 22;
/// Lines whose checksums are computed at once.
const BATCH: usize = 128;

impl Piece {
    /// Hands the text of every sound line to `take`, without its checksum, and its number if that is known. Returns how
    /// many lines there are.
    pub(super) fn for_each_text(
        &self,
        faults: &mut Vec<String>,
        mut take: impl FnMut(usize, &str) -> Option<String>,
    ) -> usize {
        let mut note = |fault: String| faults.push(format!("{}, {fault}", self.path.display()));
        if is_compressed(&self.path) {
            for_each_packed_text(&self.bytes, &mut note, &mut take);
            return 0;
        }
        let known = self.before.unwrap_or(0);
        for_each_sound(&self.bytes, |number, _, text| {
            let number = known + number;
            let fault = match text {
                Ok(text) => take(number, text),
                Err(problem) => Some(format!("line {number}: {problem}; its game will be played again")),
            };
            // Lines before the piece are counted when somebody wants to know, which is seldom.
            let fault = fault.map(|fault| match self.before {
                Some(_) => fault,
                None => {
                    fault.replacen(&format!("line {number}:"), &format!("line {}:", self.count_before() + number), 1)
                }
            });
            fault.into_iter().for_each(&mut note);
        })
    }

    /// Lines of the file before this piece; none if it cannot be read any more.
    fn count_before(&self) -> usize {
        let count = || {
            let mut bytes = Vec::new();
            File::open(&self.path)?.take(self.start).read_to_end(&mut bytes)?;
            Ok::<_, std::io::Error>(bytes.iter().filter(|byte| **byte == b'\n').count())
        };
        count().unwrap_or(0)
    }
}

/// Hands number, place and text of every whole line to `take`, the text without its checksum, or what is wrong with it.
/// Returns how many there are.
pub(super) fn for_each_sound(
    bytes: &[u8],
    mut take: impl FnMut(usize, Range<usize>, Result<&str, &'static str>),
) -> usize {
    let (mut lines, mut rest): (Vec<&[u8]>, &[u8]) = (Vec::new(), bytes);
    while !rest.is_empty() {
        let (before, mut behind) = (rest, rest);
        // Memory is read, which does not fail.
        let length = behind.skip_until(b'\n').unwrap_or(before.len());
        lines.extend(before[..length].strip_suffix(b"\n"));
        rest = behind;
    }
    let (mut buffer, mut number, mut start) = (String::new(), 0, 0);
    for lines in lines.chunks(BATCH) {
        for (line, is_sound) in lines.iter().zip(sound(lines)) {
            number += 1;
            let text = split(line).filter(|_| is_sound).and_then(|(body, _)| str::from_utf8(body).ok());
            let text = text.map(|body| {
                buffer.clear();
                buffer.push_str(body);
                buffer.push('}');
                buffer.as_str()
            });
            take(number, start..start + line.len(), text.ok_or_else(|| problem(line)));
            start += line.len() + 1;
        }
    }
    number
}

/// What is wrong with a line that is not sound.
fn problem(line: &[u8]) -> &'static str {
    match str::from_utf8(line) {
        Err(_) => "it is not text",
        Ok(line) if !line.contains(",\"sum\":\"") => "it has no checksum",
        Ok(_) => "its checksum does not fit",
    }
}

/// What stands in files behind the ends that are known, in pieces of whole lines; the ends move behind them. A line without
/// its newline is still being written.
pub(super) struct Pieces<'a> {
    paths: std::vec::IntoIter<PathBuf>,
    ends: &'a mut HashMap<PathBuf, u64>,
    open: Option<(PathBuf, File, u64)>,
}

impl<'a> Pieces<'a> {
    /// Of these files.
    pub(super) fn new(paths: Vec<PathBuf>, ends: &'a mut HashMap<PathBuf, u64>) -> Self {
        Self { paths: paths.into_iter(), ends, open: None }
    }

    /// The next piece of the file that is open.
    fn cut(&mut self) -> std::io::Result<Option<Piece>> {
        let Some((path, file, length)) = &mut self.open else { return Ok(None) };
        let end = self.ends.entry(path.clone()).or_default();
        if *end >= *length {
            return Ok(None);
        }
        let (start, is_packed) = (*end, is_compressed(path));
        let mut bytes = Vec::with_capacity((*length - start).min(PIECE) as usize);
        file.take(if is_packed { u64::MAX } else { PIECE }).read_to_end(&mut bytes)?;
        if is_packed {
            *end = *length;
            return Ok(Some(Piece { path: path.clone(), bytes, start, before: None }));
        }
        let last = loop {
            match bytes.iter().rposition(|byte| *byte == b'\n') {
                Some(last) => break last,
                // No line is so long, but what is damaged may be.
                None if file.take(PIECE).read_to_end(&mut bytes)? == 0 => return Ok(None),
                None => {}
            }
        };
        file.seek_relative(last as i64 + 1 - bytes.len() as i64)?;
        bytes.truncate(last + 1);
        *end += bytes.len() as u64;
        Ok(Some(Piece { path: path.clone(), bytes, start, before: None }))
    }
}

impl Iterator for Pieces<'_> {
    type Item = Result<Piece, LabError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.cut() {
                Ok(Some(piece)) => return Some(Ok(piece)),
                Ok(None) => self.open = None,
                Err(error) => {
                    let path = self.open.take().map_or_else(PathBuf::new, |(path, ..)| path);
                    return Some(Err(LabError::file(path)(error)));
                }
            }
            let path = self.paths.next()?;
            let known = self.ends.get(&path).copied().unwrap_or(0);
            let open = || {
                let mut file = File::open(&path)?;
                let length = file.metadata()?.len();
                // A packed file is read whole.
                file.seek(SeekFrom::Start(if is_compressed(&path) { 0 } else { known }))?;
                Ok::<_, std::io::Error>((file, length))
            };
            match open() {
                Ok((file, length)) => self.open = Some((path, file, length)),
                // It was gathered or packed meanwhile: its games are in another.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Some(Err(LabError::file(path)(error))),
            }
        }
    }
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
