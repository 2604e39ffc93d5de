//! Compressed lines: a file of blocks, each a gzip member of its own, so that `zcat` reads the file and a damaged byte
//! costs one block and no more. The checksum of the member stands for those of its lines.

use flate2::bufread::GzDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::io::{Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{mem, thread};

/// What the name of a compressed file ends with.
pub const ENDING: &str = ".jsonl.gz";

/// Text in one block: more compresses little better (the window of the method is half of it) and makes damage dearer.
const BLOCK_BYTES: usize = 1 << 16;
/// No block is unpacked further than this; ours hold [`BLOCK_BYTES`] and at most one line more.
const MOST_BYTES: u64 = 1 << 24;
/// How every block begins: a gzip head with an extra field `SP` of eight bytes, the block's length and its lines.
const MARK: [u8; 16] = [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 2, 255, 12, 0, b'S', b'P', 8, 0];
const HEAD_BYTES: usize = MARK.len() + 8;

/// A block as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Its lines; the length and the number of lines in its head may be wrong nevertheless.
    Sound {
        /// All its lines.
        text: String,
        /// Whether its head is right.
        head_is_sound: bool,
    },
    /// It is lost.
    Damaged {
        /// What is wrong.
        problem: &'static str,
        /// Its lines, if its head says how many there were.
        lines: Option<u32>,
    },
}

/// How long compressing may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A second for tens of megabytes.
    Usual,
    /// A second of a core for half a megabyte, and an eighth smaller (Zopfli). Whoever reads it notices nothing.
    Most,
}

/// Compresses lines, each with its newline, on all cores: the same bytes on any number. `tell` hears how many bytes of each
/// block are done.
pub fn pack<'a>(lines: impl IntoIterator<Item = &'a str>, effort: Effort, tell: &(dyn Fn(usize) + Sync)) -> Vec<u8> {
    let texts = divided(lines);
    let cores = thread::available_parallelism().map_or(1, usize::from).min(texts.len());
    let (next, done) = (AtomicUsize::new(0), Mutex::new(vec![Vec::new(); texts.len()]));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some((text, count)) = texts.get(number) else { return };
            let block = block(text, *count, effort);
            done.lock().unwrap_or_else(PoisonError::into_inner)[number] = block;
            tell(text.len());
        }
    };
    thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    done.into_inner().unwrap_or_else(PoisonError::into_inner).concat()
}

/// The texts of blocks, each with the number of its lines.
fn divided<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<(String, u32)> {
    let mut texts = Vec::new();
    let (mut text, mut count) = (String::new(), 0);
    for line in lines {
        if !text.is_empty() && text.len() + line.len() > BLOCK_BYTES {
            texts.push((mem::take(&mut text), mem::take(&mut count)));
        }
        text += line;
        count += 1;
    }
    if !text.is_empty() {
        texts.push((text, count));
    }
    texts
}

fn block(text: &str, lines: u32, effort: Effort) -> Vec<u8> {
    let body = deflated(text.as_bytes(), effort);
    let mut crc = Crc::new();
    crc.update(text.as_bytes());
    let length = (HEAD_BYTES + body.len() + 8) as u32;
    let mut bytes = MARK.to_vec();
    bytes.extend(length.to_le_bytes());
    bytes.extend(lines.to_le_bytes());
    bytes.extend(body);
    bytes.extend(crc.sum().to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes
}

fn deflated(text: &[u8], effort: Effort) -> Vec<u8> {
    // Writing into memory cannot fail.
    match effort {
        Effort::Usual => {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
            let _ = encoder.write_all(text);
            encoder.finish().unwrap_or_default()
        }
        Effort::Most => {
            let mut body = Vec::new();
            let _ = zopfli::compress(zopfli::Options::default(), zopfli::Format::Deflate, text, &mut body);
            body
        }
    }
}

/// Length and lines as the head of a block says; `None` if there is no whole head.
fn head(bytes: &[u8]) -> Option<(u32, u32)> {
    let (length, lines) = bytes.strip_prefix(&MARK)?.first_chunk::<8>()?.split_at(4);
    Some((u32::from_le_bytes(length.try_into().ok()?), u32::from_le_bytes(lines.try_into().ok()?)))
}

/// Where the next block begins, from here on.
fn next_mark(bytes: &[u8], from: usize) -> usize {
    let found = bytes[from..].windows(MARK.len()).position(|window| window == MARK);
    found.map_or(bytes.len(), |at| from + at)
}

/// The blocks of a compressed file, in order. Behind a damaged block it goes on with the next that can be recognised.
pub fn blocks(bytes: &[u8]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let head = head(rest);
        let read = if head.is_some() { unpacked(rest) } else { Err("its head is damaged") };
        match read {
            Ok((text, used)) => {
                let lines = text.bytes().filter(|byte| *byte == b'\n').count();
                let head_is_sound = head == Some((used as u32, lines as u32));
                blocks.push(Block::Sound { text, head_is_sound });
                at += used;
            }
            Err(problem) => {
                blocks.push(Block::Damaged { problem, lines: head.map(|(_, lines)| lines) });
                at = next_mark(bytes, at + 1);
            }
        }
    }
    blocks
}

/// The text of the block at the beginning, and the bytes it takes.
fn unpacked(bytes: &[u8]) -> Result<(String, usize), &'static str> {
    let mut decoder = GzDecoder::new(bytes).take(MOST_BYTES);
    let mut text = Vec::new();
    match decoder.read_to_end(&mut text) {
        Ok(_) if text.len() as u64 == MOST_BYTES => return Err("it is larger than any block"),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Err("it was torn"),
        Err(_) => return Err("it is damaged"),
    }
    let used = bytes.len() - decoder.into_inner().into_inner().len();
    let text = String::from_utf8(text).map_err(|_| "it is not text")?;
    if text.ends_with('\n') { Ok((text, used)) } else { Err("it is not made of lines") }
}

/// How many lines there are, from the heads alone.
pub fn count_lines(bytes: &[u8]) -> u64 {
    let (mut at, mut lines) = (next_mark(bytes, 0), 0);
    while let Some((length, count)) = head(&bytes[at..]) {
        lines += u64::from(count);
        at = next_mark(bytes, (at + (length as usize).max(1)).min(bytes.len()));
    }
    lines
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;

    fn lines() -> Vec<String> {
        (0..5000).map(|number| format!("{{\"number\":{number},\"square\":{}}}\n", number * number)).collect()
    }

    fn packed() -> Vec<u8> {
        pack(lines().iter().map(String::as_str), Effort::Usual, &|_| {})
    }

    fn whole(blocks: &[Block]) -> String {
        let text = |block: &Block| match block {
            Block::Sound { text, .. } => text.clone(),
            Block::Damaged { .. } => String::new(),
        };
        blocks.iter().map(text).collect()
    }

    #[test]
    fn lines_come_back_and_any_gzip_reader_has_them() {
        let bytes = packed();
        assert!(blocks(&bytes).len() > 2);
        assert_eq!(whole(&blocks(&bytes)), lines().concat());
        assert_eq!(count_lines(&bytes), 5000);
        let mut text = String::new();
        flate2::bufread::MultiGzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
        assert_eq!(text, lines().concat());
        assert_eq!((pack([], Effort::Most, &|_| {}), blocks(&[]), count_lines(&[])), (vec![], vec![], 0));
        let told = AtomicUsize::new(0);
        let small = pack(lines().iter().map(String::as_str), Effort::Most, &|bytes| {
            told.fetch_add(bytes, Ordering::Relaxed);
        });
        assert_eq!(told.into_inner(), lines().concat().len());
        assert_eq!(blocks(&small), blocks(&bytes));
        assert!(small.len() < bytes.len() * 19 / 20, "{} of {} bytes", small.len(), bytes.len());
        let long = "x".repeat(3 * BLOCK_BYTES) + "\n";
        assert_eq!(whole(&blocks(&pack(["a\n", &long, "b\n"], Effort::Usual, &|_| {}))), format!("a\n{long}b\n"));
    }

    /// Bytes of the first block, one after the other: each is noticed, and at most this block is lost.
    #[test]
    fn a_changed_byte_is_noticed_and_costs_one_block() {
        let bytes = packed();
        let sound = blocks(&bytes);
        let (length, _) = head(&bytes).unwrap();
        for at in (0..64).chain((64..length as usize).step_by(7)).chain(length as usize - 8..length as usize) {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            let found = blocks(&changed);
            let is_faulty = |block: &Block| !matches!(block, Block::Sound { head_is_sound: true, .. });
            assert!(is_faulty(&found[0]), "byte {at}");
            assert!(found.ends_with(&sound[1..]), "byte {at}");
            // What is left of the damaged block is never something else.
            assert!(lines().concat().ends_with(&whole(&found)), "byte {at}");
            count_lines(&changed);
        }
    }

    #[test]
    fn a_torn_end_costs_the_last_block() {
        let bytes = packed();
        let sound = blocks(&bytes);
        for cut in 1..40 {
            let found = blocks(&bytes[..bytes.len() - cut]);
            assert_eq!(found[..sound.len() - 1], sound[..sound.len() - 1]);
            let last = found.last();
            assert!(matches!(last, Some(Block::Damaged { problem: "it was torn", lines: Some(_) })), "{last:?}");
        }
        for part in [&bytes[..20], b"not compressed at all\n".as_slice()] {
            assert_eq!(blocks(part), [Block::Damaged { problem: "its head is damaged", lines: None }]);
            assert_eq!(count_lines(part), 0);
        }
    }
}
