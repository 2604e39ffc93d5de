//! The store: a folder of append-only lines. A line is written once, whole, and never changed; whatever else is known
//! (what is done, scores, reports) is computed from the lines, so nothing can disagree with them. Compressed files
//! ([`mod@blocks`]) stand beside plain ones in any mixture.

use crate::blocks::{self, Block, blocks};
use crate::error::LabError;
use crate::experiment::Experiment;
use crate::measure::PORTION;
use crate::plan::{Cell, Plan, PortionId, Shard};
use crate::record::{Portion, Record, Timing, VERSION, without_checksum, write_line};
use crate::verify;
use serde::{Deserialize, Serialize};
use spinney_core::InputError;
use spinney_table::Laboratory;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

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
        let read = || {
            let (games, times) = (files_of(&self.folder, "games-")?, files_of(&self.folder, "times-")?);
            let mut contents = self.read_files(&games, &times)?;
            self.read_portions(&mut contents)?;
            Ok(contents)
        };
        match read() {
            // A file that went between list and reading was packed meanwhile: its games are in another.
            Err(LabError::File { error, .. }) if error.kind() == std::io::ErrorKind::NotFound => read(),
            other => other,
        }
    }

    /// Reads the lines of these files of games and times.
    pub(crate) fn read_files(&self, games: &[PathBuf], times: &[PathBuf]) -> Result<Contents, LabError> {
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

    fn read_portions(&self, contents: &mut Contents) -> Result<(), LabError> {
        let places: HashMap<&str, usize> =
            self.plan.measurements.iter().enumerate().map(|(index, one)| (one.key.as_str(), index)).collect();
        for path in files_of(&self.folder, "portions-")? {
            let faults = &mut Vec::new();
            for_each_line::<Portion>(&path, faults, |line, portion| {
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
            if games.try_lock().is_err() {
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

    /// Adds the records of another run of the same experiment. Returns how many were new.
    pub fn merge(&self, other: &Store) -> Result<u64, LabError> {
        if other.plan.hash != self.plan.hash {
            let problem = format!(
                "it holds `{}` ({}), not `{}` ({})",
                other.plan.title, other.plan.hash, self.plan.title, self.plan.hash
            );
            return Err(InputError::new(other.folder.display(), problem, "merge runs of one experiment").into());
        }
        let theirs = other.read()?;
        if let Some(program) = other.program()?.filter(|_| theirs.count() > 0) {
            self.admit_program(program, &other.folder.display().to_string())?;
        }
        let known = self.read()?;
        let mut appender = self.append(Shard::WHOLE)?;
        let mut added = 0;
        for (id, record) in &theirs.games {
            match known.games.get(id) {
                Some(ours) if ours.agrees(record) => {}
                Some(_) => {
                    let problem = format!("pair {} of cell {} was played differently", record.pair, record.cell);
                    return Err(InputError::new(
                        other.folder.display(),
                        problem,
                        "find out which is right with `lab verify`",
                    )
                    .into());
                }
                None => {
                    let timing = theirs.times.get(id).copied().unwrap_or([f64::NAN; 2]);
                    appender.add(record, timing)?;
                    added += 1;
                }
            }
        }
        for (id, portion) in &theirs.portions {
            match known.portions.get(id) {
                Some(ours) if ours == portion => {}
                Some(_) => {
                    let problem =
                        format!("portion {} of cell {} was measured differently", portion.portion, portion.cell);
                    let remedy = "find out which is right with `lab verify`";
                    return Err(InputError::new(other.folder.display(), problem, remedy).into());
                }
                None => {
                    appender.add_portion(portion)?;
                    added += portion.count;
                }
            }
        }
        Ok(added)
    }
}

/// What a folder is called that holds a run of this experiment file: the file's name and the experiment's hash.
pub fn folder_name(name: &str, plan: &Plan) -> String {
    let stem = Path::new(name).file_stem().map_or("experiment".into(), |stem| stem.to_string_lossy());
    format!("{stem}-{}", &plan.hash[..8])
}

/// A run at a glance: quick to get, because no game is opened and lines are counted without being read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overview {
    /// What it is called.
    pub title: String,
    /// Lines of games and repetitions in lines of portions; a damaged or repeated one counts too.
    pub played: u64,
    /// Games and repetitions planned.
    pub planned: u64,
}

impl Overview {
    /// Looks at the run in a folder; `None` if there is none.
    pub fn of(folder: &Path) -> Option<Result<Self, LabError>> {
        let json = fs::read_to_string(folder.join(PLAN)).ok()?;
        let wrong = |error| InputError::new(folder.join(PLAN).display(), error, "restore it");
        let file: PlanFile = match serde_json::from_str(&json) {
            Ok(file) => file,
            Err(error) => return Some(Err(wrong(error).into())),
        };
        let games = file.pairs.values().map(|pairs| pairs.saturating_mul(2));
        let planned = games.chain(file.repetitions.values().copied()).fold(0u64, u64::saturating_add);
        let count = |files: Vec<PathBuf>| files.iter().map(|path| count_lines(path)).sum::<Result<u64, LabError>>();
        let games = files_of(folder, "games-").and_then(count);
        let played = games.and_then(|games| Ok(games + PORTION * files_of(folder, "portions-").and_then(count)?));
        Some(played.map(|played| Self { title: file.title, played, planned }))
    }
}

/// Changes whenever a game or a plan is written into a folder: as long as it is the same, so is what can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    bytes: u64,
    planned: Option<SystemTime>,
}

impl Stamp {
    /// Of the run in a folder.
    pub fn of(folder: &Path) -> Result<Self, LabError> {
        let length = |path: PathBuf| fs::metadata(&path).map(|data| data.len()).map_err(LabError::file(path));
        let files = files_of(folder, "games-")?.into_iter().chain(files_of(folder, "portions-")?);
        let bytes = files.map(length).sum::<Result<u64, LabError>>()?;
        let planned = fs::metadata(folder.join(PLAN)).and_then(|data| data.modified()).ok();
        Ok(Self { bytes, planned })
    }
}

/// Whole lines of a file.
fn count_lines(path: &Path) -> Result<u64, LabError> {
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

/// Writes a file beside the old one and then puts it in its place.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    write_by(&path.with_extension("draft"), path, bytes)
}

fn write_by(draft: &Path, path: &Path, bytes: &[u8]) -> Result<(), LabError> {
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
fn for_each_line<T: serde::de::DeserializeOwned>(
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

#[cfg(test)]
mod tests {
    use super::*;

    fn record(pair: u64) -> Record {
        Record {
            v: VERSION,
            cell: "00".to_string(),
            pair,
            game: 0,
            seats: ["a".to_string(), "b".to_string()],
            seed: 1,
            winner: 1,
            plies: 1,
            simulations: [1, 1],
            moves: "a1".to_string().into(),
        }
    }

    /// Every write to `/dev/full` fails as on a full disk.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_reported() {
        let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
        let path = PathBuf::from("games.jsonl");
        let mut appender = Appender { path, games: full(), times: full(), portions: None, verified: None };
        let error = appender.add(&record(0), [1.0, 1.0]).unwrap_err().to_string();
        assert!(error.starts_with("games.jsonl: No space left"), "{error}");
    }

    #[test]
    fn a_folder_is_looked_at_without_reading_it() {
        let folder = std::env::temp_dir().join(format!("spinney-overview-{}", std::process::id()));
        let text = "title = \"Small\"\npairs = 3\n[agents.r]\nkind = \"random\"\n[agents.f]\nkind = \"flat\"\n\
            [[match]]\ngames = [\"tic-tac-toe\"]\na = [\"r\"]\nb = [\"f\"]\n";
        let store = Store::create(&folder, "small.toml", text).unwrap();
        assert!(folder_name("experiments/small.toml", &store.plan).starts_with("small-"));
        let before = Stamp::of(&folder).unwrap();
        store.append(Shard::WHOLE).unwrap().add(&record(0), [1.0, 1.0]).unwrap();
        assert_ne!(Stamp::of(&folder).unwrap(), before);
        let seen = Overview::of(&folder).unwrap().unwrap();
        assert_eq!(seen, Overview { title: "Small".to_string(), played: 1, planned: 6 });
        fs::write(folder.join(PLAN), "{").unwrap();
        assert!(Overview::of(&folder).unwrap().is_err());
        assert!(Overview::of(&folder.join("nothing")).is_none());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_torn_line_is_cut_off_before_the_next_is_written() {
        let path = std::env::temp_dir().join(format!("spinney-torn-{}.jsonl", std::process::id()));
        let whole = write_line(&record(0));
        for torn in ["", "{\"v\":1,\"ce", &whole[..whole.len() - 1], &"x".repeat(10_000)] {
            fs::write(&path, format!("{whole}{torn}")).unwrap();
            open_for_appending(&path).unwrap().write_all(write_line(&record(1)).as_bytes()).unwrap();
            let mut faults = Vec::new();
            let mut pairs = Vec::new();
            for_each_line::<Record>(&path, &mut faults, |_, record| {
                pairs.push(record.pair);
                None
            })
            .unwrap();
            assert_eq!((pairs, faults.len()), (vec![0, 1], 0));
        }
        fs::remove_file(path).unwrap();
    }
}
