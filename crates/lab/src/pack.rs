//! The kept form of a run: its records compressed, with the moves of a sample of games and the hash of the moves of all.
//!
//! The new files stand whole beside the old ones before the first old one goes, and the same game twice is one game:
//! wherever this is interrupted nothing is lost, and packing again finishes it.

use crate::blocks::{self, Effort};
use crate::error::LabError;
use crate::record::{Moves, Record, Timing};
use crate::store::{Contents, GameId, Store, files_of, for_each_text, write_whole};
use serde::Serialize;
use spinney_core::{InputError, Seed};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The compressed games of a run.
pub const GAMES: &str = "games-packed.jsonl.gz";
/// Their times.
pub const TIMES: &str = "times-packed.jsonl.gz";

/// What packing did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed {
    /// Games in the run.
    pub games: u64,
    /// Games whose moves are kept, those limited by time among them.
    pub with_moves: u64,
    /// Games limited by time, which cannot be played again.
    pub timed: u64,
    /// Those of them whose moves are gone.
    pub lost: u64,
    /// Bytes of the records before.
    pub before: u64,
    /// Bytes of the records now.
    pub after: u64,
}

/// Which shares of the games keep what, from 0 to 1, and what that may cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    /// Their moves, where the game can be played again.
    pub moves: f64,
    /// Their moves, where it was limited by time: what is left out is gone.
    pub timed_moves: f64,
    /// The times of their moves; what all of them cost is in `program.json`.
    pub times: f64,
    /// How long compressing may take.
    pub effort: Effort,
}

/// So many keep their moves; nothing is lost.
impl From<f64> for Shares {
    fn from(moves: f64) -> Self {
        Self { moves, timed_moves: 1.0, times: 1.0, effort: Effort::Usual }
    }
}

/// How far packing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of records that are compressed.
    pub done: usize,
    /// Bytes of all records.
    pub all: usize,
}

/// Packs a run that nobody plays. Games that lost their moves before stay without.
pub fn pack(store: &Store, shares: impl Into<Shares>) -> Result<Packed, LabError> {
    pack_and_tell(store, shares.into(), &|_| {})
}

/// As [`pack`]; `tell` hears how far it is, from several threads. Whoever stops it before it returns loses nothing.
pub fn pack_and_tell(store: &Store, shares: Shares, tell: &(dyn Fn(Progress) + Sync)) -> Result<Packed, LabError> {
    let folder = &store.folder;
    if crate::cluster::progress::is_growing(folder) {
        let problem = "elements of a cluster have written into it in the last minutes";
        return Err(InputError::new(folder.display(), problem, "wait for them, or end them with `lab cancel`").into());
    }
    // Games come last, in the list as in the removal: whoever writes any other file has locked one of theirs before.
    let others = [files_of(folder, "times-")?, other_files(folder)?].concat();
    let games = files_of(folder, "games-")?;
    let _locks = games.iter().map(|path| lock(path)).collect::<Result<Vec<File>, LabError>>()?;
    let old = [others, games].concat();
    let before = bytes_of(&old)?;
    let mut contents = store.read()?;
    let packed_times = [folder.join(TIMES)].into_iter().filter(|path| path.exists()).collect::<Vec<_>>();
    store.note_cost(&contents, &store.read_files(&[], &packed_times)?)?;
    let games = &contents.games;
    contents.times.retain(|id, _| games.get(id).is_none_or(|record| is_sampled(record, shares.times)));
    if let Some(stray) = contents.strays.first() {
        return Err(InputError::new(stray, "packing would drop this game", "remove the line or the file first").into());
    }
    let (games, with_moves) = kept_games(store, &contents, shares);
    let (times, others) = (times(store, &contents), other_lines(folder)?);
    let all = [&times, &games].into_iter().chain(others.values()).flatten().map(String::len).sum();
    let done = AtomicUsize::new(0);
    let press = |path: &Path, lines: &[String]| {
        write_lines(path, lines, shares.effort, &|bytes| {
            tell(Progress { done: done.fetch_add(bytes, Ordering::Relaxed) + bytes, all });
        })
    };
    let times = press(&folder.join(TIMES), &times)?;
    let games = press(&folder.join(GAMES), &games)?;
    check(store, &contents, &games, &times)?;
    let mut new = [times, games].concat();
    for (kind, lines) in others {
        new.extend(press(&folder.join(format!("{kind}-packed{}", blocks::ENDING)), &lines)?);
    }
    settle(folder);
    for path in old.iter().filter(|path| !new.contains(path)) {
        fs::remove_file(path).map_err(LabError::file(path))?;
    }
    let is_timed = |(id, _): &(&GameId, &Record)| store.plan.cells[id.0].is_timed;
    let is_lost = |(_, record): &(&GameId, &Record)| !keeps_moves(record, shares.timed_moves);
    let timed = contents.games.iter().filter(is_timed).count() as u64;
    let lost = contents.games.iter().filter(is_timed).filter(is_lost).count() as u64;
    let after = bytes_of(&new)?;
    Ok(Packed { games: contents.games.len() as u64, with_moves, timed, lost, before, after })
}

fn lock(path: &Path) -> Result<File, LabError> {
    let file = OpenOptions::new().read(true).open(path).map_err(LabError::file(path))?;
    if file.try_lock().is_err() {
        let problem = "another process is playing this part of the run";
        return Err(InputError::new(path.display(), problem, "wait for it, or stop it").into());
    }
    Ok(file)
}

fn bytes_of(paths: &[PathBuf]) -> Result<u64, LabError> {
    paths.iter().map(|path| fs::metadata(path).map(|data| data.len()).map_err(LabError::file(path))).sum()
}

/// Writes these lines into a compressed file, which is returned; none where there are none.
fn write_lines(
    path: &Path,
    lines: &[String],
    effort: Effort,
    tell: &(dyn Fn(usize) + Sync),
) -> Result<Vec<PathBuf>, LabError> {
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    write_whole(path, &blocks::pack(lines.iter().map(String::as_str), effort, tell))?;
    Ok(vec![path.to_path_buf()])
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

/// Whether a game belongs to the sample that keeps its moves: decided by its seed, so that merged runs agree.
fn is_sampled(record: &Record, share: f64) -> bool {
    if share >= 1.0 {
        return true;
    }
    let drawn = Seed::new(record.seed).named("moves").child(u64::from(record.game)).value();
    (drawn as f64) < share * 2f64.powi(64)
}

/// Whether a game has moves that stay.
fn keeps_moves(record: &Record, share: f64) -> bool {
    record.moves.text().is_some() && is_sampled(record, share)
}

/// The lines of the games, and how many have moves.
fn kept_games(store: &Store, contents: &Contents, shares: Shares) -> (Vec<String>, u64) {
    let mut with_moves = 0;
    let kept = |(&(cell, pair, _), record): (&GameId, &Record)| {
        let cell = &store.plan.cells[cell];
        let mut kept = record.clone();
        let share = if cell.is_timed { shares.timed_moves } else { shares.moves };
        if !keeps_moves(record, share) {
            kept.moves = Moves::Hashed(record.moves.hash());
        }
        with_moves += u64::from(kept.moves.text().is_some());
        // The plan says the seed again when the line is read.
        if kept.seed == cell.pair_seed(pair).value() {
            kept.seed = 0;
        }
        line(&kept)
    };
    (contents.games.iter().map(kept).collect(), with_moves)
}

/// The lines of the times, in the order of the games.
fn times(store: &Store, contents: &Contents) -> Vec<String> {
    let mut times: Vec<(&GameId, &[f64; 2])> = contents.times.iter().collect();
    times.sort_by_key(|(id, _)| **id);
    let timing = |(&(cell, pair, game), ms): (&GameId, &[f64; 2])| {
        line(&Timing { cell: store.plan.cells[cell].key.clone(), pair, game, ms: *ms })
    };
    times.into_iter().map(timing).collect()
}

/// Files of records that are neither games nor times.
fn other_files(folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    let is_other = |path: &PathBuf| kind_of(path).is_some_and(|kind| kind != "games" && kind != "times");
    Ok(files_of(folder, "")?.into_iter().filter(is_other).collect())
}

/// The word before the first hyphen of a file's name.
fn kind_of(path: &Path) -> Option<&str> {
    Some(path.file_name()?.to_str()?.split_once('-')?.0)
}

/// Records of other kinds keep their lines as they are, each once.
fn other_lines(folder: &Path) -> Result<BTreeMap<String, Vec<String>>, LabError> {
    let mut lines: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in other_files(folder)? {
        let own = lines.entry(kind_of(&path).unwrap_or_default().to_string()).or_default();
        // Who reads the run names its faults.
        for_each_text(&path, &mut Vec::new(), |_, text| {
            own.insert(format!("{text}\n"));
            None
        })?;
    }
    Ok(lines.into_iter().map(|(kind, lines)| (kind, Vec::from_iter(lines))).collect())
}

/// Reads what was written and compares, before anything old is given up.
fn check(store: &Store, contents: &Contents, games: &[PathBuf], times: &[PathBuf]) -> Result<(), LabError> {
    let packed = store.read_files(games, times)?;
    let agrees = |(id, record): (&GameId, &Record)| packed.games.get(id).is_some_and(|kept| kept.agrees(record));
    if packed.faults.is_empty() && contents.games.iter().all(agrees) && packed.times == contents.times {
        return Ok(());
    }
    let problem = "it does not say the same as the records it was made of";
    Err(InputError::new(store.folder.join(GAMES).display(), problem, "they are still there; remove it").into())
}

/// Makes the new names last before the old ones go, where a folder can be told to.
fn settle(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}
