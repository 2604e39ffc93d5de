//! Many files of lines as one list in order, each game once. Lines are carried over as they are, so that a million games
//! cost their bytes and little more.

use super::files::{files_of, for_each_sound, for_each_text, is_compressed};
use super::light::light;
use super::{Appender, LabError};
use crate::plan::Plan;
use crate::record::{Portion, Record, Timing, write_line};
use spinney_core::InputError;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// What lines hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Games,
    Times,
    Portions,
}

impl Kind {
    /// How the names of its files begin.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Games => "games-",
            Kind::Times => "times-",
            Kind::Portions => "portions-",
        }
    }
}

/// Cell or measurement; pair or portion; game.
type Id = (u32, u64, u8);

/// Where a line stands.
#[derive(Clone, Copy, Debug)]
struct Line {
    id: Id,
    source: u32,
    buffer: u32,
    start: usize,
    length: u32,
}

/// Lines in order, each once.
#[derive(Debug, Default)]
pub(crate) struct Joined {
    buffers: Vec<Vec<u8>>,
    lines: Vec<Line>,
    /// Lines that said the same as another.
    pub(crate) duplicates: u64,
    /// What is wrong, by the number of the source.
    pub(crate) faults: Vec<(usize, String)>,
    /// Lines that say something else than another of the same place, by the number of the source.
    conflicts: Vec<(u32, Id)>,
}

/// Joins the lines of these files, each with the number of its source.
pub(crate) fn join(plan: &Plan, kind: Kind, sources: &[(usize, PathBuf)]) -> Result<Joined, LabError> {
    let cells = plan.cells.iter().map(|cell| cell.key.as_str());
    let measurements = plan.measurements.iter().map(|one| one.key.as_str());
    let keys: Vec<&str> = if kind == Kind::Portions { measurements.collect() } else { cells.collect() };
    let places: HashMap<&str, u32> = keys.into_iter().zip(0..).collect();
    let mut joined = Joined::default();
    for (source, path) in sources {
        let (mut faults, buffer) = (Vec::new(), joined.buffers.len() as u32);
        let lines = &mut joined.lines;
        let mut add = |id: Id, start: usize, length: usize| {
            lines.push(Line { id, source: *source as u32, buffer, start, length: length as u32 });
        };
        let bytes = if is_compressed(path) {
            let mut bytes = Vec::new();
            for_each_text(path, &mut faults, |number, text| {
                let Some((id, line)) = rewritten(plan, kind, text, &places) else { return Some(foreign(number)) };
                add(id, bytes.len(), line.len());
                bytes.extend_from_slice(line.as_bytes());
                None
            })?;
            bytes
        } else {
            let bytes = fs::read(path).map_err(LabError::file(path))?;
            // A torn last line is what a killed writer leaves.
            for_each_sound(&bytes, |number, place, text| {
                let found = text.map_err(|problem| format!("line {number}: {problem}"));
                match found.and_then(|text| id_of(kind, text, &places).ok_or_else(|| foreign(number))) {
                    // With its newline.
                    Ok(id) => add(id, place.start, place.len() + 1),
                    Err(fault) => faults.push(format!("{}, {fault}", path.display())),
                }
            });
            bytes
        };
        joined.buffers.push(bytes);
        joined.faults.extend(faults.into_iter().map(|fault| (*source, fault)));
    }
    joined.settle(plan, kind);
    Ok(joined)
}

fn foreign(number: usize) -> String {
    format!("line {number}: it is no record of this experiment and version")
}

fn id_of(kind: Kind, text: &str, places: &HashMap<&str, u32>) -> Option<Id> {
    let place = |cell: &str| places.get(cell).copied();
    match kind {
        Kind::Games => match light(text) {
            Some(light) => Some((place(light.cell)?, light.played.pair, light.played.game)),
            None => {
                let record: Record = serde_json::from_str(text).ok()?;
                Some((place(&record.cell)?, record.pair, record.game))
            }
        },
        Kind::Times => {
            let timing: Timing = serde_json::from_str(text).ok()?;
            Some((place(&timing.cell)?, timing.pair, timing.game))
        }
        Kind::Portions => {
            let portion: Portion = serde_json::from_str(text).ok()?;
            Some((place(&portion.cell)?, portion.portion, 0))
        }
    }
}

/// A packed line as a plain one: with its seed and its checksum.
fn rewritten(plan: &Plan, kind: Kind, text: &str, places: &HashMap<&str, u32>) -> Option<(Id, String)> {
    let id = id_of(kind, text, places)?;
    let line = match kind {
        Kind::Games => write_line(&record_of(plan, id, text)?),
        Kind::Times => write_line(&serde_json::from_str::<Timing>(text).ok()?),
        Kind::Portions => write_line(&serde_json::from_str::<Portion>(text).ok()?),
    };
    Some((id, line))
}

fn record_of(plan: &Plan, id: Id, text: &str) -> Option<Record> {
    let mut record: Record = serde_json::from_str(text).ok()?;
    if record.seed == 0 {
        record.seed = plan.cells.get(id.0 as usize)?.pair_seed(record.pair).value();
    }
    Some(record)
}

impl Joined {
    fn bytes(&self, line: &Line) -> &[u8] {
        &self.buffers[line.buffer as usize][line.start..line.start + line.length as usize]
    }

    /// Puts lines in order and leaves out those that say nothing new.
    fn settle(&mut self, plan: &Plan, kind: Kind) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.sort_by_key(|line| (line.id, line.source));
        let (before, mut conflicts) = (lines.len(), Vec::new());
        lines.dedup_by(|one, known| {
            let is_same_place = one.id == known.id;
            if is_same_place && !self.agree(plan, kind, one, known) {
                conflicts.push((one.source, one.id));
            }
            is_same_place
        });
        self.duplicates = (before - lines.len() - conflicts.len()) as u64;
        (self.lines, self.conflicts) = (lines, conflicts);
    }

    /// Whether two lines of one place say the same. Times are measured: any will do.
    fn agree(&self, plan: &Plan, kind: Kind, one: &Line, other: &Line) -> bool {
        if kind == Kind::Times || self.bytes(one) == self.bytes(other) {
            return true;
        }
        let text = |line: &Line| {
            let (body, _) = crate::record::split(self.bytes(line).strip_suffix(b"\n")?)?;
            Some(String::from_utf8_lossy(body).into_owned() + "}")
        };
        let (Some(first), Some(second)) = (text(one), text(other)) else { return false };
        match kind {
            Kind::Games => {
                let records = [first, second].map(|text| record_of(plan, one.id, &text));
                matches!(records, [Some(first), Some(second)] if first.agrees(&second))
            }
            Kind::Portions => {
                let portions = [first, second].map(|text| serde_json::from_str::<Portion>(&text).ok());
                portions[0].is_some() && portions[0] == portions[1]
            }
            Kind::Times => true,
        }
    }

    /// Sources that hold another game in the place of one that is known, or a fault.
    pub(crate) fn doubtful(&self) -> impl Iterator<Item = usize> {
        let conflicts = self.conflicts.iter().map(|(source, _)| *source as usize);
        conflicts.chain(self.faults.iter().map(|(source, _)| *source))
    }

    /// Number of lines.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Writes the lines that `wants`, by source and place.
    fn write(&self, file: &File, path: &Path, mut wants: impl FnMut(&Line) -> bool) -> Result<(), LabError> {
        let mut out = BufWriter::with_capacity(1 << 20, file);
        let mut wanted = self.lines.iter().filter(|line| wants(line));
        let written = wanted.try_for_each(|line| out.write_all(self.bytes(line)));
        written.and_then(|()| out.flush()).map_err(LabError::file(path))
    }

    /// Writes all lines into a new file, which is there whole or not at all.
    pub(crate) fn write_whole(&self, path: &Path) -> Result<(), LabError> {
        let draft = path.with_extension("draft");
        let file = File::create(&draft).map_err(LabError::file(&draft))?;
        self.write(&file, &draft, |_| true)?;
        file.sync_all().and_then(|()| fs::rename(&draft, path)).map_err(LabError::file(path))
    }
}

impl Appender {
    /// Adds what other folders have and this one has not; returns how many games and repetitions of each. If two say
    /// different things of a game, nothing is added.
    pub(super) fn take_in(&mut self, plan: &Plan, own: &Path, others: &[&Path]) -> Result<Vec<u64>, LabError> {
        let folders = || std::iter::once(own).chain(others.iter().copied()).enumerate();
        let sources =
            |kind: Kind, of: &mut dyn Iterator<Item = (usize, &Path)>| -> Result<Vec<(usize, PathBuf)>, LabError> {
                let mut sources = Vec::new();
                for (number, folder) in of {
                    sources.extend(files_of(folder, kind.word())?.into_iter().map(|path| (number, path)));
                }
                Ok(sources)
            };
        let games = join(plan, Kind::Games, &sources(Kind::Games, &mut folders())?)?;
        let portions = join(plan, Kind::Portions, &sources(Kind::Portions, &mut folders())?)?;
        for (joined, what, done) in [(&games, "pair", "played"), (&portions, "portion", "measured")] {
            if let Some((source, (cell, number, _))) = joined.conflicts.iter().max_by_key(|(source, _)| *source) {
                let key = plan.cells.get(*cell as usize).filter(|_| what == "pair").map(|cell| &cell.key);
                let key = key.or_else(|| plan.measurements.get(*cell as usize).map(|one| &one.key));
                let key = key.map_or("", String::as_str);
                let folder = folders().nth(*source as usize).map_or(own, |(_, folder)| folder);
                let problem = format!("{what} {number} of cell {key} was {done} differently");
                let remedy = "find out which is right with `lab verify`";
                return Err(InputError::new(folder.display(), problem, remedy).into());
            }
        }
        let mut added = vec![0; others.len()];
        let is_new = |line: &Line| line.source > 0;
        for line in games.lines.iter().filter(|line| is_new(line)) {
            added[line.source as usize - 1] += 1;
        }
        if games.lines.iter().chain(&portions.lines).any(is_new) {
            self.forget_verification();
        }
        // Times first, so that a game that is there always has one.
        let times = join(plan, Kind::Times, &sources(Kind::Times, &mut folders().skip(1))?)?;
        let mut at = games.lines.iter().filter(|line| is_new(line)).peekable();
        times.write(&self.times, &self.path, |line| {
            while at.next_if(|game| game.id < line.id).is_some() {}
            at.peek().is_some_and(|game| game.id == line.id)
        })?;
        drop(times);
        games.write(&self.games, &self.path, is_new)?;
        if let Some(file) = &self.portions {
            for line in portions.lines.iter().filter(|line| is_new(line)) {
                let (body, _) = crate::record::split(portions.bytes(line).trim_ascii_end()).unwrap_or_default();
                let text = String::from_utf8_lossy(body).into_owned() + "}";
                let count = serde_json::from_str::<Portion>(&text).map_or(0, |portion| portion.count);
                added[line.source as usize - 1] += count;
            }
            portions.write(file, &self.path, is_new)?;
        }
        Ok(added)
    }
}
