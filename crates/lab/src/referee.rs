//! The referee: applies the stopping rules to the games of a run, as they are stored and while they are played.
//!
//! A rule looks at the pairs of a cell in the order of their numbers, at block boundaries only. So the games that count
//! are decided by the seed alone, whoever played them, in whatever order, interrupted or not; what was played beyond the
//! decision is kept, but not counted.

use crate::error::LabError;
use crate::plan::{Cell, PairId, Plan, Shard};
use crate::record::{Record, read_line};
use crate::store::{Contents, GameId, files_of};
use spinney_stats::{Conclusion, Interval, Monitor};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How far a rule has come in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// More games are needed.
    Open,
    /// The rule ended the cell.
    Decided(Conclusion),
    /// The largest number of games came first.
    Largest,
}

/// The course of a cell with a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// How far it has come.
    pub state: State,
    /// Pairs that count, once it is over; all that are known before.
    pub end: Option<u64>,
    /// Games that are known beyond these.
    pub beyond: u64,
}

impl Course {
    /// What the games of a cell say; `None` without a rule.
    pub fn of(cell: &Cell, index: usize, games: &BTreeMap<GameId, Record>) -> Option<Self> {
        let own = games.range((index, 0, 0)..(index + 1, 0, 0));
        Self::of_games(cell, own.map(|(&(_, pair, game), record)| (pair, game, record.score_of_a())))
    }

    /// The same of pairs, games and points of A.
    pub fn of_games(cell: &Cell, games: impl Iterator<Item = (u64, u8, f64)> + Clone) -> Option<Self> {
        let mut followed = Followed::new(cell)?;
        games.clone().for_each(|(pair, game, score)| followed.note(pair, game, score));
        let state = followed.state();
        let end = (state != State::Open).then_some(followed.next);
        let beyond = games.filter(|(pair, _, _)| end.is_some_and(|end| *pair >= end)).count() as u64;
        Some(Self { state, end, beyond })
    }

    /// Whether no more games are needed.
    pub fn is_over(&self) -> bool {
        self.state != State::Open
    }

    /// Whether a game of this pair counts.
    pub fn counts(&self, pair: u64) -> bool {
        self.end.is_none_or(|end| pair < end)
    }
}

/// The courses of all cells.
pub fn courses(plan: &Plan, contents: &Contents) -> Vec<Option<Course>> {
    plan.cells.iter().enumerate().map(|(index, cell)| Course::of(cell, index, &contents.games)).collect()
}

/// Games and repetitions that count or still may: fewer than planned where a rule has ended a cell.
pub fn planned(plan: &Plan, contents: &Contents) -> u64 {
    let courses = courses(plan, contents);
    let games = plan.cells.iter().zip(courses);
    let games = games.map(|(cell, course)| 2 * course.and_then(|course| course.end).unwrap_or(cell.pairs));
    games.chain(plan.measurements.iter().map(|one| one.repetitions)).sum()
}

/// The contents without the games beyond a decision.
pub fn counted<'a>(plan: &Plan, contents: &'a Contents) -> Cow<'a, Contents> {
    let courses = courses(plan, contents);
    if courses.iter().flatten().all(|course| course.beyond == 0) {
        return Cow::Borrowed(contents);
    }
    let counts = |id: &GameId| courses[id.0].is_none_or(|course| course.counts(id.1));
    let mut counted = contents.clone();
    counted.games.retain(|id, _| counts(id));
    counted.times.retain(|id, _| counts(id));
    Cow::Owned(counted)
}

/// A rule that takes in pairs in order, however they come.
#[derive(Debug)]
struct Followed {
    monitor: Monitor,
    /// The first pair that has not been taken in.
    next: u64,
    /// The largest number of pairs.
    most: u64,
    /// Scores of later pairs.
    waiting: BTreeMap<u64, [Option<f64>; 2]>,
}

impl Followed {
    fn new(cell: &Cell) -> Option<Self> {
        let stop = cell.stop.as_ref()?;
        let monitor = Monitor::new(stop.rule(cell)?, stop.block);
        Some(Self { monitor, next: 0, most: cell.pairs, waiting: BTreeMap::new() })
    }

    fn note(&mut self, pair: u64, game: u8, score: f64) {
        if self.state() != State::Open || pair < self.next {
            return;
        }
        self.waiting.entry(pair).or_default()[usize::from(game)] = Some(score);
        while self.state() == State::Open
            && let Some([Some(first), Some(second)]) = self.waiting.get(&self.next)
        {
            self.monitor.add(0.5 * (first + second));
            self.waiting.remove(&self.next);
            self.next += 1;
            if self.next == self.most {
                self.monitor.finish();
            }
        }
    }

    fn state(&self) -> State {
        match self.monitor.conclusion() {
            Some(conclusion) => State::Decided(conclusion),
            None if self.next >= self.most => State::Largest,
            None => State::Open,
        }
    }
}

/// Follows the rules of a plan while its games are played, here and by other shards in the same folder.
#[derive(Debug)]
pub struct Referee {
    cells: Vec<Option<Mutex<Followed>>>,
    others: Option<Mutex<Others>>,
}

impl Referee {
    /// Wants everything.
    pub fn idle() -> Self {
        Self { cells: Vec::new(), others: None }
    }

    /// Knows these games.
    pub fn new(plan: &Plan, contents: &Contents) -> Self {
        let referee =
            Self { cells: plan.cells.iter().map(|cell| Followed::new(cell).map(Mutex::new)).collect(), others: None };
        for (&id, record) in &contents.games {
            referee.note(id, record.score_of_a());
        }
        referee
    }

    /// Looks also at what other shards write into this folder.
    #[must_use]
    pub fn beside(mut self, folder: &Path, shard: Shard) -> Self {
        if shard != Shard::WHOLE && self.cells.iter().any(Option::is_some) {
            self.others = Some(Mutex::new(Others::new(folder, shard)));
        }
        self
    }

    /// Looks also at what other elements write into this folder, `own` being the name of this one's files. So many look
    /// at so many files that the time between two looks grows with the square of their number.
    #[must_use]
    pub fn beside_elements(mut self, folder: &Path, own: &str, elements: u64) -> Self {
        if elements > 1 && self.cells.iter().any(Option::is_some) {
            let pause = Duration::from_secs_f64(elements as f64 * elements as f64 / LOOKS_PER_SECOND).max(PAUSE);
            let looked = (pause > PAUSE).then(Instant::now);
            let own = format!("games-{own}.jsonl");
            let others = Others { folder: folder.to_path_buf(), own, ends: HashMap::new(), looked, pause };
            self.others = Some(Mutex::new(others));
        }
        self
    }

    /// Takes in a game; true if its cell's rule was decided by it.
    pub fn note(&self, (cell, pair, game): GameId, score: f64) -> bool {
        let Some(followed) = self.cells.get(cell).and_then(Option::as_ref) else { return false };
        let mut followed = locked(followed);
        let before = followed.state();
        followed.note(pair, game, score);
        before == State::Open && matches!(followed.state(), State::Decided(_))
    }

    /// Whether a pair has to be played.
    pub fn wants(&self, plan: &Plan, PairId { cell, pair }: PairId) -> bool {
        let Some(followed) = self.cells.get(cell).and_then(Option::as_ref) else { return true };
        if let Some(others) = &self.others {
            for (id, score) in locked(others).news(plan) {
                self.note(id, score);
            }
        }
        let followed = locked(followed);
        followed.state() == State::Open || pair < followed.next
    }

    /// The log-likelihood ratio of a cell that is tested, and its bounds.
    pub fn ratio(&self, cell: usize) -> Option<(f64, Interval)> {
        locked(self.cells.get(cell)?.as_ref()?).monitor.ratio()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Between two looks at the files of others, at least.
const PAUSE: Duration = Duration::from_millis(500);
/// Files of others that all elements of a submission look at in a second, together: what a shared disk does not feel.
const LOOKS_PER_SECOND: f64 = 2000.0;

/// What other shards append to their files of games.
#[derive(Debug)]
struct Others {
    folder: PathBuf,
    own: String,
    /// How far each file has been read.
    ends: HashMap<PathBuf, u64>,
    looked: Option<Instant>,
    pause: Duration,
}

impl Others {
    fn new(folder: &Path, shard: Shard) -> Self {
        let own = format!("games-{}-of-{}.jsonl", shard.index, shard.count);
        Self { folder: folder.to_path_buf(), own, ends: HashMap::new(), looked: None, pause: PAUSE }
    }

    /// Games that are new since the last look. A file that cannot be read is one that says nothing: it is looked at
    /// again, and whoever reads the whole run names its faults.
    fn news(&mut self, plan: &Plan) -> Vec<(GameId, f64)> {
        if self.looked.is_some_and(|looked| looked.elapsed() < self.pause) {
            return Vec::new();
        }
        self.looked = Some(Instant::now());
        let mut news = Vec::new();
        for path in files_of(&self.folder, "games-").unwrap_or_default() {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if name == self.own || !name.ends_with(".jsonl") {
                continue;
            }
            let end = self.ends.entry(path.clone()).or_default();
            for line in new_lines(&path, end).unwrap_or_default().lines() {
                let Ok(record) = read_line::<Record>(line, &mut String::new()) else { continue };
                if let Some(cell) = plan.cells.iter().position(|cell| cell.key == record.cell) {
                    news.push(((cell, record.pair, record.game), record.score_of_a()));
                }
            }
        }
        news
    }
}

/// Whole lines after `end`, which moves behind them.
fn new_lines(path: &Path, end: &mut u64) -> Result<String, LabError> {
    let read = || {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(*end))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let mut bytes: Vec<u8> = read().map_err(LabError::file(path))?;
    bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1));
    *end += bytes.len() as u64;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
