//! The store: a folder of append-only lines. A line is written once, whole, and never changed; whatever else is known
//! (what is done, scores, reports) is computed from the lines, so nothing can disagree with them. Compressed files
//! ([`crate::blocks`]) stand beside plain ones in any mixture.

mod files;
mod join;
mod light;
mod overview;

pub use files::{files_of, for_each_text, last_written, open_for_appending, write_whole};
pub(crate) use join::{Kind, join};
pub use light::Outcomes;
pub use overview::{Overview, Stamp};

use crate::error::LabError;
use crate::experiment::Experiment;
use crate::plan::{Cell, Plan, PortionId, Shard};
use crate::record::{Moves, Portion, Record, Timing, VERSION, write_line};
use crate::verify;
use files::{for_each_line, write_by};
use serde::{Deserialize, Serialize};
use spinney_core::InputError;
use spinney_table::Laboratory;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A run on disk.
#[derive(Debug)]
pub struct Store {
    /// Its folder.
    pub folder: PathBuf,
    /// What it plays; the number of pairs may have grown beyond the experiment's.
    pub plan: Plan,
    /// The version that began it.
    pub version: String,
    /// Whether games of programs that behave differently may be added.
    pub mixes: bool,
}

/// A game's place: cell, pair, game of the pair.
pub type GameId = (usize, u64, u8);

/// Everything that could be read.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The games, each once.
    pub games: BTreeMap<GameId, Record>,
    /// Their times.
    pub times: HashMap<GameId, [f64; 2]>,
    /// Portions of measurements, each once.
    pub portions: BTreeMap<PortionId, Portion>,
    /// Lines that say the same as an earlier one.
    pub duplicates: u64,
    /// What is wrong, with file and line; the rest is unharmed.
    pub faults: Vec<String>,
    /// Of these, the places of sound lines that have no place among the games.
    pub strays: Vec<String>,
}

impl Contents {
    /// How many games and repetitions are known.
    pub fn count(&self) -> u64 {
        self.games.len() as u64 + self.portions.values().map(|portion| portion.count).sum::<u64>()
    }
}

/// What `plan.json` holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanFile {
    v: u32,
    spinney: String,
    hash: String,
    title: String,
    /// Pairs of each cell by key; more than the experiment asks for after `lab more`.
    pairs: BTreeMap<String, u64>,
    /// Repetitions of each measurement by key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    repetitions: BTreeMap<String, u64>,
    /// Pairs of cells to which more were added after looking at them, as they were then.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    looked: BTreeMap<String, u64>,
}

const EXPERIMENT: &str = "experiment.toml";
pub(crate) const PLAN: &str = "plan.json";

impl Store {
    /// Opens the run in `folder`, or begins one there with this experiment. Refuses a run of another experiment.
    pub fn create(folder: &Path, name: &str, text: &str) -> Result<Self, LabError> {
        Self::create_in(&Laboratory::standard(), folder, name, text)
    }

    /// As `create`, with games and agents of this laboratory.
    pub fn create_in(laboratory: &Laboratory, folder: &Path, name: &str, text: &str) -> Result<Self, LabError> {
        let plan = Plan::new(&Experiment::read_in(laboratory, name, text)?)?;
        if folder.join(PLAN).exists() {
            let mut store = Self::open_in(laboratory, folder)?;
            if store.plan.hash != plan.hash {
                let problem = format!("it holds the experiment `{}` ({})", store.plan.title, store.plan.hash);
                let remedy = format!("this one is {}: name another folder with --out", plan.hash);
                return Err(InputError::new(folder.display(), problem, remedy).into());
            }
            if let Some(sheet) = store.plan.sheets.difference(&plan.sheets) {
                let problem = format!("it keeps another text of the rule sheet `{sheet}`");
                return Err(InputError::new(folder.display(), problem, "name another folder with --out").into());
            }
            if let Some((own, other)) =
                store.plan.cells.iter().zip(&plan.cells).find(|(own, other)| own.stop != other.stop)
            {
                let words =
                    |cell: &Cell| cell.stop.as_ref().map_or("no rule".to_string(), |stop| format!("stop = {stop}"));
                let problem = format!("{} was begun with {}, this file has {}", own.label(), words(own), words(other));
                let remedy = "name another folder with --out; `spinney lab merge` brings the games along";
                return Err(InputError::new(folder.display(), problem, remedy).into());
            }
            // A longer experiment continues a shorter one.
            store.grow(&plan)?;
            return Ok(store);
        }
        fs::create_dir_all(folder).map_err(LabError::file(folder))?;
        let store = Self::new(folder, plan, env!("CARGO_PKG_VERSION").to_string());
        store.replace(EXPERIMENT, text.as_bytes())?;
        store.plan.sheets.keep(folder)?;
        // The plan comes last: with it the folder is a run.
        store.write_plan()?;
        Ok(store)
    }

    /// A folder of games whose plan stands elsewhere.
    pub fn unplanned(folder: &Path) -> Self {
        Self::new(folder, Plan::default(), env!("CARGO_PKG_VERSION").to_string())
    }

    fn new(folder: &Path, plan: Plan, version: String) -> Self {
        Self { folder: folder.to_path_buf(), plan, version, mixes: false }
    }

    /// Opens an existing run.
    pub fn open(folder: &Path) -> Result<Self, LabError> {
        Self::open_in(&Laboratory::standard(), folder)
    }

    /// As `open`, with games and agents of this laboratory.
    pub fn open_in(laboratory: &Laboratory, folder: &Path) -> Result<Self, LabError> {
        let missing = |name: &str| {
            InputError::new(
                folder.display(),
                format!("there is no {name}"),
                "name the folder of a run, see `spinney lab run`",
            )
        };
        let text = fs::read_to_string(folder.join(EXPERIMENT)).map_err(|_| missing(EXPERIMENT))?;
        let json = fs::read_to_string(folder.join(PLAN)).map_err(|_| missing(PLAN))?;
        let file: PlanFile = serde_json::from_str(&json).map_err(|error| {
            InputError::new(folder.join(PLAN).display(), error, "restore it, or run the experiment into another folder")
        })?;
        let mut experiment = Experiment::read_in(laboratory, EXPERIMENT, &text)?;
        experiment.folder = folder.to_path_buf();
        let mut plan = Plan::new(&experiment)?;
        if plan.hash != file.hash {
            let problem = format!(
                "{EXPERIMENT} does not belong to {PLAN}, or agents or rule sheets changed since version {}",
                file.spinney
            );
            return Err(InputError::new(folder.display(), problem, "use the version that began the run").into());
        }
        for cell in &mut plan.cells {
            cell.pairs = file.pairs.get(&cell.key).copied().unwrap_or(cell.pairs);
            cell.looked = file.looked.get(&cell.key).copied();
        }
        for one in &mut plan.measurements {
            one.repetitions = file.repetitions.get(&one.key).copied().unwrap_or(one.repetitions);
        }
        Ok(Self::new(folder, plan, file.spinney))
    }

    /// Takes over the pairs and repetitions of another plan of the same experiment where they are more.
    pub fn grow(&mut self, other: &Plan) -> Result<(), LabError> {
        for (own, other) in self.plan.measurements.iter_mut().zip(&other.measurements) {
            own.repetitions = own.repetitions.max(other.repetitions);
        }
        for (own, other) in self.plan.cells.iter_mut().zip(&other.cells) {
            own.looked = own.looked.into_iter().chain(other.looked).min();
        }
        let pairs = self.plan.cells.iter().zip(&other.cells).map(|(own, other)| own.pairs.max(other.pairs)).collect();
        self.set_pairs(pairs)
    }

    /// Adds so many pairs to each cell after somebody looked at the results. Where no stopping rule says when to end,
    /// only an interval that holds at any time is honest from now on.
    pub fn add_pairs(&mut self, added: &[u64]) -> Result<(), LabError> {
        for (cell, added) in self.plan.cells.iter_mut().zip(added) {
            if *added > 0 && cell.stop.is_none() {
                cell.looked = cell.looked.or(Some(cell.pairs));
            }
        }
        let pairs = self.plan.cells.iter().zip(added).map(|(cell, added)| cell.pairs + added).collect();
        self.set_pairs(pairs)
    }

    /// Changes the number of pairs of each cell.
    pub fn set_pairs(&mut self, pairs: Vec<u64>) -> Result<(), LabError> {
        for (cell, pairs) in self.plan.cells.iter_mut().zip(pairs) {
            cell.pairs = pairs;
        }
        self.write_plan()
    }

    fn write_plan(&self) -> Result<(), LabError> {
        let file = PlanFile {
            v: VERSION,
            spinney: self.version.clone(),
            hash: self.plan.hash.clone(),
            title: self.plan.title.clone(),
            pairs: self.plan.cells.iter().map(|cell| (cell.key.clone(), cell.pairs)).collect(),
            repetitions: self.plan.measurements.iter().map(|one| (one.key.clone(), one.repetitions)).collect(),
            looked: self.plan.cells.iter().filter_map(|cell| Some((cell.key.clone(), cell.looked?))).collect(),
        };
        let text = serde_json::to_string_pretty(&file).unwrap_or_default();
        self.replace(PLAN, text.as_bytes())
    }

    /// Writes a file beside the old one and then puts it in its place, so that there is always a whole one.
    fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), LabError> {
        let path = self.folder.join(name);
        // Several shards may begin one folder at the same time.
        write_by(&path.with_extension(format!("draft-{}", std::process::id())), &path, bytes)
    }

    /// Reads all lines. Damaged, torn and foreign ones are noted and left out.
    pub fn read(&self) -> Result<Contents, LabError> {
        self.read_all(true)
    }

    /// The same without the moves of games, which are most of a run and which no report needs.
    pub fn read_results(&self) -> Result<Contents, LabError> {
        self.read_all(false)
    }

    fn read_all(&self, with_moves: bool) -> Result<Contents, LabError> {
        let read = || {
            let (games, times) = (files_of(&self.folder, "games-")?, files_of(&self.folder, "times-")?);
            let mut contents = self.read_lines(&games, &times, with_moves)?;
            self.read_portions(&files_of(&self.folder, "portions-")?, &mut contents)?;
            Ok(contents)
        };
        match read() {
            // A file that went between list and reading was packed meanwhile: its games are in another.
            Err(LabError::File { error, .. }) if error.kind() == ErrorKind::NotFound => read(),
            other => other,
        }
    }

    /// Reads the lines of these files of games and times.
    pub(crate) fn read_files(&self, games: &[PathBuf], times: &[PathBuf]) -> Result<Contents, LabError> {
        self.read_lines(games, times, true)
    }

    fn read_lines(&self, games: &[PathBuf], times: &[PathBuf], with_moves: bool) -> Result<Contents, LabError> {
        let places: HashMap<&str, usize> =
            self.plan.cells.iter().enumerate().map(|(index, cell)| (cell.key.as_str(), index)).collect();
        let mut contents = Contents::default();
        for path in games {
            let Contents { games, duplicates, faults, strays, .. } = &mut contents;
            for_each_line::<Record>(path, faults, |line, mut record| {
                let mut stray = |problem: &str| {
                    strays.push(format!("{}, line {line}", path.display()));
                    Some(format!("line {line}: {problem}"))
                };
                let Some(&cell) = places.get(record.cell.as_str()) else {
                    return stray("a record of another experiment");
                };
                if record.seed == 0 {
                    record.seed = self.plan.cells[cell].pair_seed(record.pair).value();
                }
                if !with_moves {
                    record.moves = Moves::Hashed(0);
                }
                match games.entry((cell, record.pair, record.game)) {
                    Entry::Vacant(place) => drop(place.insert(record)),
                    Entry::Occupied(mut known) if known.get().agrees(&record) => {
                        *duplicates += 1;
                        // Of two that agree, the one with moves says more.
                        if known.get().moves.text().is_none() {
                            known.insert(record);
                        }
                    }
                    Entry::Occupied(_) => return stray("another game in the place of one that is known"),
                }
                None
            })?;
        }
        for path in times {
            // Times are only measurements: a damaged line is a time that is not known.
            for_each_line::<Timing>(path, &mut Vec::new(), |_, timing| {
                if let Some(&cell) = places.get(timing.cell.as_str()) {
                    contents.times.insert((cell, timing.pair, timing.game), timing.ms);
                }
                None
            })?;
        }
        Ok(contents)
    }

    fn read_portions(&self, paths: &[PathBuf], contents: &mut Contents) -> Result<(), LabError> {
        let places: HashMap<&str, usize> =
            self.plan.measurements.iter().enumerate().map(|(index, one)| (one.key.as_str(), index)).collect();
        for path in paths {
            let faults = &mut Vec::new();
            for_each_line::<Portion>(path, faults, |line, portion| {
                let Some(&measurement) = places.get(portion.cell.as_str()) else {
                    return Some(format!("line {line}: a portion of another experiment"));
                };
                let id = PortionId { measurement, portion: portion.portion };
                match contents.portions.get(&id) {
                    Some(known) if *known == portion => contents.duplicates += 1,
                    Some(_) => return Some(format!("line {line}: another portion in the place of one that is known")),
                    None => drop(contents.portions.insert(id, portion)),
                }
                None
            })?;
            contents.faults.append(faults);
        }
        Ok(())
    }

    /// Whether nothing was ever written into it.
    pub(crate) fn is_empty(&self) -> Result<bool, LabError> {
        Ok(Stamp::of(&self.folder)?.bytes == 0)
    }

    /// Opens the files of a shard for writing; nobody else can meanwhile.
    pub fn append(&self, shard: Shard) -> Result<Appender, LabError> {
        let open = |kind: &str| {
            let path = self.folder.join(format!("{kind}-{}-of-{}.jsonl", shard.index, shard.count));
            open_for_appending(&path).map(|file| (path, file))
        };
        let locked = || {
            let (path, games) = open("games")?;
            // Where a disk knows no locks, as some over a network, nobody is kept out.
            if let Err(TryLockError::WouldBlock) = games.try_lock() {
                let problem = "another process is playing this part of the run, or packing it";
                return Err(InputError::new(path.display(), problem, "wait for it, or play another --shard").into());
            }
            Ok::<_, LabError>((path, games))
        };
        let (mut path, mut games) = locked()?;
        if !path.exists() {
            // It was packed between opening and locking: lines written to it now would be lost.
            (path, games) = locked()?;
        }
        let (_, times) = open("times")?;
        // The file of games is the lock even where there are none; that of portions is made where there are some.
        let portions = if self.plan.measurements.is_empty() { None } else { Some(open("portions")?.1) };
        Ok(Appender { path, games, times, portions, verified: Some(self.folder.join(verify::FILE)) })
    }

    /// Files of this name that nobody has; `None` if somebody has. Nothing is locked: who made them is alone.
    pub fn append_alone(&self, name: &str) -> Result<Option<Appender>, LabError> {
        let open = |kind: &str| {
            let path = self.folder.join(format!("{kind}-{name}.jsonl"));
            let file = OpenOptions::new().append(true).create_new(true).open(&path);
            file.map_err(LabError::file(&path)).map(|file| (path, file))
        };
        let (path, games) = match open("games") {
            Err(LabError::File { error, .. }) if error.kind() == ErrorKind::AlreadyExists => return Ok(None),
            other => other?,
        };
        let (_, times) = open("times")?;
        let portions = if self.plan.measurements.is_empty() { None } else { Some(open("portions")?.1) };
        Ok(Some(Appender { path, games, times, portions, verified: Some(self.folder.join(verify::FILE)) }))
    }

    /// Reads the files of these names, without times.
    pub fn read_names(&self, names: &[String]) -> Result<Contents, LabError> {
        let paths = |kind: &str| -> Vec<PathBuf> {
            let path = |name: &String| self.folder.join(format!("{kind}-{name}.jsonl"));
            names.iter().map(path).filter(|path| path.exists()).collect()
        };
        let mut contents = self.read_files(&paths("games"), &[])?;
        self.read_portions(&paths("portions"), &mut contents)?;
        Ok(contents)
    }

    /// Adds the records of another run of the same experiment. Returns how many were new.
    pub fn merge(&self, other: &Store) -> Result<u64, LabError> {
        Ok(self.merge_all(std::slice::from_ref(other))?.remove(0))
    }

    /// Adds the records of other runs of the same experiment. Returns how many of each were new.
    pub fn merge_all(&self, others: &[Store]) -> Result<Vec<u64>, LabError> {
        for other in others {
            if other.plan.hash != self.plan.hash {
                let problem = format!(
                    "it holds `{}` ({}), not `{}` ({})",
                    other.plan.title, other.plan.hash, self.plan.title, self.plan.hash
                );
                return Err(InputError::new(other.folder.display(), problem, "merge runs of one experiment").into());
            }
            if let Some(program) = other.program()?.filter(|_| other.is_empty().is_ok_and(|is_empty| !is_empty)) {
                self.admit_program(program, &other.folder.display().to_string())?;
            }
        }
        let mut appender = self.append(Shard::WHOLE)?;
        let folders: Vec<&Path> = others.iter().map(|other| other.folder.as_path()).collect();
        appender.take_in(&self.plan, &self.folder, &folders)
    }
}

/// What a folder is called that holds a run of this experiment file: the file's name and the experiment's hash.
pub fn folder_name(name: &str, plan: &Plan) -> String {
    let stem = Path::new(name).file_stem().map_or("experiment".into(), |stem| stem.to_string_lossy());
    format!("{stem}-{}", &plan.hash[..8])
}

/// Writes lines at the end of a shard's files.
#[derive(Debug)]
pub struct Appender {
    path: PathBuf,
    games: File,
    times: File,
    portions: Option<File>,
    /// What was found when the run had fewer games; it goes with the first that is added.
    verified: Option<PathBuf>,
}

impl Appender {
    fn forget_verification(&mut self) {
        // One that is not there need not be removed.
        let _ = self.verified.take().map(fs::remove_file);
    }

    /// Writes a portion.
    pub fn add_portion(&mut self, portion: &Portion) -> Result<(), LabError> {
        self.forget_verification();
        let absent = || LabError::file(&self.path)(std::io::Error::other("this run has no measurements"));
        let file = self.portions.as_mut().ok_or_else(absent)?;
        file.write_all(write_line(portion).as_bytes()).map_err(LabError::file(&self.path))
    }

    /// Writes a game: its time first, so that a game that is there always has one.
    pub fn add(&mut self, record: &Record, ms: [f64; 2]) -> Result<(), LabError> {
        self.forget_verification();
        let write = |file: &mut File, line: String| file.write_all(line.as_bytes()).map_err(LabError::file(&self.path));
        if ms.iter().all(|ms| ms.is_finite()) {
            let timing = Timing { cell: record.cell.clone(), pair: record.pair, game: record.game, ms };
            write(&mut self.times, write_line(&timing))?;
        }
        write(&mut self.games, write_line(record))
    }
}

#[cfg(test)]
mod tests;
