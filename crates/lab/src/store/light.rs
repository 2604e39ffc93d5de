//! The games of a run without their moves: what tells how far it has come, in a tenth of the memory.
//!
//! A line is looked at as it was written, byte by byte; one that looks otherwise is read by the careful reader.

use super::Store;
use super::files::{Pieces, files_of};
use crate::error::LabError;
use crate::plan::{Plan, PortionId};
use crate::record::{Portion, Record, in_range};
use crate::summary::Played;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is known of the games of a run, without moves and times.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    /// The games of each cell in order, each once.
    pub cells: Vec<Vec<Played>>,
    /// Portions of measurements, each once.
    pub portions: BTreeMap<PortionId, Portion>,
    /// Lines that say the same as another.
    pub duplicates: u64,
    /// What is wrong, with file and line.
    pub faults: Vec<String>,
    /// How far each file has been read.
    ends: HashMap<PathBuf, u64>,
}

/// A line of games, as far as it is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Light<'a> {
    pub(crate) cell: &'a str,
    pub(crate) played: Played,
}

/// What a piece of a file held: games with their cells, and faults.
type Looked = (Vec<(u32, Played)>, Vec<String>);

impl Outcomes {
    /// How many games and repetitions are known.
    pub fn count(&self) -> u64 {
        let games: usize = self.cells.iter().map(Vec::len).sum();
        games as u64 + self.portions.values().map(|portion| portion.count).sum::<u64>()
    }

    /// Reads what was appended since the last look; compressed files are read once. Returns whether anything was new.
    pub fn follow(&mut self, store: &Store) -> Result<bool, LabError> {
        self.cells.resize_with(store.plan.cells.len(), Vec::new);
        let paths = files_of(&store.folder, "games-")?;
        let places: HashMap<&str, u32> =
            (0..).zip(&store.plan.cells).map(|(at, cell)| (cell.key.as_str(), at)).collect();
        let pieces = Mutex::new(Pieces::new(paths, &mut self.ends));
        let found = Mutex::new(Ok(Vec::new()));
        // Pieces are read one after the other and looked at beside each other.
        let work = || {
            loop {
                // Nobody waits for the piece to be looked at.
                let piece = locked(&pieces).next();
                let Some(piece) = piece else { return };
                let mut games = Vec::new();
                let mut faults = Vec::new();
                match piece {
                    Ok(piece) => drop(piece.for_each_text(&mut faults, |line, text| {
                        let slow;
                        let light = match light(text) {
                            Some(light) => light,
                            None => match serde_json::from_str::<Record>(text) {
                                Ok(record) => {
                                    slow = record;
                                    Light { cell: &slow.cell, played: Played::of(&slow) }
                                }
                                Err(_) => return Some(not_a_record(line)),
                            },
                        };
                        match places.get(light.cell) {
                            Some(cell) => games.push((*cell, light.played)),
                            None => return Some(format!("line {line}: a record of another experiment")),
                        }
                        None
                    })),
                    Err(error) => {
                        *locked(&found) = Err(error);
                        return;
                    }
                }
                if let Ok(found) = locked(&found).as_mut() {
                    found.push((games, faults));
                }
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(16);
        std::thread::scope(|scope| {
            (1..threads).for_each(|_| drop(scope.spawn(work)));
            work();
        });
        let found: Vec<Looked> = found.into_inner().unwrap_or_else(PoisonError::into_inner)?;
        let is_new = !found.is_empty();
        for (games, faults) in found {
            self.faults.extend(faults);
            games.into_iter().for_each(|(cell, played)| self.cells[cell as usize].push(played));
        }
        if is_new {
            self.settle(&store.plan);
        }
        Ok(self.follow_portions(store)? || is_new)
    }

    /// Puts games in order, each once.
    fn settle(&mut self, plan: &Plan) {
        for (cell, games) in self.cells.iter_mut().enumerate() {
            games.sort_by_key(Played::id);
            let (before, mut other) = (games.len(), None);
            games.dedup_by(|one, known| {
                let is_same_place = one.id() == known.id();
                if is_same_place && one != known {
                    other = Some(one.pair);
                }
                is_same_place
            });
            self.duplicates += (before - games.len()) as u64;
            if let Some(pair) = other {
                let label = plan.cells[cell].label();
                self.faults.push(format!("{label}: pair {pair} was played in two ways"));
            }
        }
    }

    fn follow_portions(&mut self, store: &Store) -> Result<bool, LabError> {
        if store.plan.measurements.is_empty() {
            return Ok(false);
        }
        let measurements = store.plan.measurements.iter().enumerate();
        let places: HashMap<&str, usize> = measurements.map(|(at, one)| (one.key.as_str(), at)).collect();
        let mut is_new = false;
        for piece in Pieces::new(files_of(&store.folder, "portions-")?, &mut self.ends) {
            let piece = piece?;
            is_new = true;
            let (portions, duplicates) = (&mut self.portions, &mut self.duplicates);
            piece.for_each_text(&mut self.faults, |line, text| {
                let Ok(portion) = serde_json::from_str::<Portion>(text) else {
                    return Some(not_a_record(line));
                };
                let Some(&measurement) = places.get(portion.cell.as_str()) else {
                    return Some(format!("line {line}: a portion of another experiment"));
                };
                let id = PortionId { measurement, portion: portion.portion };
                *duplicates += u64::from(portions.insert(id, portion).is_some());
                None
            });
        }
        Ok(is_new)
    }

    /// The same games with the moves left out, for whoever needs records.
    #[cfg(test)]
    fn agrees(&self, contents: &super::Contents) -> bool {
        let known = contents.games.iter().map(|((cell, _, _), record)| (*cell, Played::of(record)));
        let own = self.cells.iter().enumerate().flat_map(|(cell, games)| games.iter().map(move |one| (cell, *one)));
        own.eq(known) && self.portions == contents.portions
    }
}

impl Store {
    /// Reads what tells how far the run has come.
    pub fn outcomes(&self) -> Result<Outcomes, LabError> {
        let mut outcomes = Outcomes::default();
        outcomes.follow(self)?;
        // What was written whole when files were looked at ends with a newline.
        for (path, end) in &outcomes.ends {
            if std::fs::metadata(path).is_ok_and(|data| data.len() > *end) && !is_being_written(path) {
                let words = "last line: it was torn; its game will be played again";
                outcomes.faults.push(format!("{}, {words}", path.display()));
            }
        }
        Ok(outcomes)
    }
}

/// Whether the last byte of a file has become a newline meanwhile.
fn is_being_written(path: &Path) -> bool {
    let last = || {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::End(-1))?;
        let mut byte = [0];
        file.read_exact(&mut byte)?;
        Ok::<_, std::io::Error>(byte[0])
    };
    last().is_ok_and(|byte| byte == b'\n')
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn not_a_record(line: usize) -> String {
    format!("line {line}: it is not a record of this version; its game will be played again")
}

/// Looks at a line without its checksum as the present version writes it; `None` if it looks otherwise.
pub(crate) fn light(text: &str) -> Option<Light<'_>> {
    let mut rest = Rest(text);
    rest.skip("{\"v\":1,\"cell\":")?;
    let cell = rest.string()?;
    let pair = rest.skip(",\"pair\":")?.number()?;
    let game = rest.skip(",\"game\":")?.number()?;
    rest.skip(",\"seats\":[")?.string()?;
    rest.skip(",")?.string()?;
    rest.skip("]")?;
    if rest.0.starts_with(",\"seed\":") {
        rest.skip(",\"seed\":")?.number()?;
    }
    let winner = rest.skip(",\"winner\":")?.number()?;
    let plies = rest.skip(",\"plies\":")?.number()?;
    let first = rest.skip(",\"simulations\":[")?.number()?;
    let second = rest.skip(",")?.number()?;
    rest.skip("],\"moves\":")?;
    let is_text = rest.0.len() >= 3 && rest.0.starts_with('"') && rest.0.ends_with("\"}");
    let is_hash = || rest.0.strip_suffix('}').is_some_and(|hash| hash.parse::<u32>().is_ok());
    if !in_range(game, winner, plies, [first, second]) || !(is_text || is_hash()) {
        return None;
    }
    let (game, winner) = (game as u8, winner as u8);
    Some(Light { cell, played: Played::new(pair, game, winner, plies, [first, second]) })
}

/// What has not been looked at of a line.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn skip(&mut self, text: &str) -> Option<&mut Self> {
        self.0 = self.0.strip_prefix(text)?;
        Some(self)
    }

    fn number(&mut self) -> Option<u64> {
        let bytes = self.0.as_bytes();
        let (mut value, mut at) = (0u64, 0);
        while let Some(digit) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
            value = value.checked_mul(10)?.checked_add(u64::from(digit))?;
            at += 1;
        }
        self.0 = &self.0[at..];
        (at > 0).then_some(value)
    }

    /// A string without escapes.
    fn string(&mut self) -> Option<&'a str> {
        let inner = self.0.strip_prefix('"')?;
        let end = inner.bytes().position(|byte| byte == b'"' || byte == b'\\')?;
        let text = &inner[..end];
        self.0 = inner[end..].strip_prefix('"')?;
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Moves, VERSION, without_checksum, write_line};

    fn record() -> Record {
        Record {
            v: VERSION,
            cell: "00ff".to_string(),
            pair: 12,
            game: 1,
            seats: ["a".to_string(), "b c".to_string()],
            seed: u64::MAX,
            winner: 2,
            plies: 3,
            simulations: [10, 20],
            moves: "a1 b2 c3".to_string().into(),
            lost_on_time: false,
        }
    }

    /// Of lines that it looks at it says what the careful reader says; of others nothing.
    #[test]
    fn a_line_is_looked_at_as_it_is_read() {
        let records = [
            record(),
            Record { moves: Moves::Hashed(77), seed: 0, ..record() },
            Record { moves: String::new().into(), ..record() },
            Record { lost_on_time: true, ..record() },
            Record { seats: ["\"".to_string(), "é".to_string()], ..record() },
        ];
        for (number, record) in records.iter().enumerate() {
            let (line, mut buffer) = (write_line(record), String::new());
            let text = without_checksum(line.trim_end(), &mut buffer).unwrap();
            let expected = Light { cell: &record.cell, played: Played::of(record) };
            assert_eq!(light(text), (number < 3).then_some(expected), "{text}");
        }
        let line = |change: fn(&mut Record)| {
            let mut record = record();
            change(&mut record);
            light(&serde_json::to_string(&record).unwrap()).is_some()
        };
        assert!(line(|_| {}));
        assert!(!line(|record| record.winner = 3) && !line(|record| record.plies = u64::MAX));
        assert!(light("{\"v\":1,\"cell\":\"é\\").is_none() && light("").is_none());
    }

    #[test]
    fn a_run_is_followed_while_it_grows() {
        let folder = std::env::temp_dir().join(format!("spinney-light-{}", std::process::id()));
        let text = "title = \"Small\"\npairs = 6\n[agents.r]\nkind = \"random\"\n[agents.f]\nkind = \"flat\"\nsims = 4\n\
            [[match]]\ngames = [\"tic-tac-toe\"]\na = [\"r\"]\nb = [\"f\"]\n\
            [agents.p]\n[[measure]]\ngames = [\"pig(turns=2)\"]\nagents = [\"p\"]\nbudgets = [{ simulations = 4 }]\n\
            repetitions = 100\n";
        let _ = std::fs::remove_dir_all(&folder);
        let store = Store::create(&folder, "small.toml", text).unwrap();
        let mut outcomes = store.outcomes().unwrap();
        assert_eq!(outcomes.count(), 0);
        for index in 0..3 {
            let shard = crate::Shard { index, count: 3 };
            let stop = std::sync::atomic::AtomicBool::new(false);
            crate::run(&store, &store.read().unwrap(), shard, 1, &stop, &|_| {}).unwrap();
            assert!(outcomes.follow(&store).unwrap());
            assert!(outcomes.agrees(&store.read().unwrap()), "after {index}");
        }
        assert!(!outcomes.follow(&store).unwrap());
        // The same games once more, and one that is damaged.
        let lines = std::fs::read_to_string(folder.join("games-0-of-3.jsonl")).unwrap();
        std::fs::write(folder.join("games-again.jsonl"), lines.replacen("\"winner\"", "\"wimmer\"", 1)).unwrap();
        outcomes.follow(&store).unwrap();
        assert_eq!((outcomes.duplicates, outcomes.faults.len()), (3, 1), "{:?}", outcomes.faults);
        assert!(outcomes.agrees(&store.read().unwrap()));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
