//! The other way round: an optimiser of one's own drives. Lines of JSON in, lines of JSON out; `docs/tuning.md` describes
//! them.
//!
//! *ask* gives proposals of the model, *tell* takes results of games that were played elsewhere, and *play* plays settings
//! that somebody else proposes. All results of a folder are known to all three. Played games are records of the laboratory;
//! a driver that is begun again and asks for the same gets what is known at once.

use crate::batch;
use crate::file::Tuning;
use crate::model::Model;
use crate::regression::Observation;
use crate::run::{Cells, Games, read_games, write_run};
use crate::space::{Parameter, Range, Setting};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use spinney_core::{InputError, Seed};
use spinney_lab::LabError;
use spinney_lab::plan::{PairId, Shard};
use spinney_lab::record::{Record, VERSION, write_line};
use spinney_lab::runner::{self, Found, Task};
use spinney_lab::store::{Appender, Store, files_of, for_each_text, open_for_appending};
use spinney_stats::{Trinomial, paired_interval};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

const RESULTS: &str = "results-0-of-1.jsonl";
/// Games of a setting when a line does not say how many.
const USUAL_GAMES: u64 = 2;
/// More than this in one line is a mistake.
const MOST_GAMES: u64 = 1_000_000;

/// A result as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    v: u32,
    setting: BTreeMap<String, String>,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Of games that were played here: the key of their cell and the number of the first pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    played: Option<(String, u64)>,
}

/// A line that tells a result or asks for games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    setting: Map<String, Value>,
    games: Option<u64>,
    wins: Option<u64>,
    draws: Option<u64>,
    losses: Option<u64>,
}

/// A tuning that somebody else drives, in its folder.
#[derive(Debug)]
pub struct Drive {
    tuning: Tuning,
    folder: PathBuf,
    results: Vec<Told>,
    cells: Cells,
    games: Games,
    /// Pairs of each cell that this driver has been told of.
    answered: HashMap<usize, u64>,
    appender: Option<Appender>,
    /// What is wrong with the folder's lines; the rest is unharmed.
    pub faults: Vec<String>,
}

impl Drive {
    /// Opens a folder, or begins one.
    pub fn open(tuning: Tuning, folder: &Path) -> Result<Self, LabError> {
        fs::create_dir_all(folder).map_err(LabError::file(folder))?;
        let (games, mut faults) = read_games(folder)?;
        let mut results: Vec<Told> = Vec::new();
        for path in files_of(folder, "results-")? {
            for_each_text(&path, &mut faults, |line, text| match serde_json::from_str(text) {
                Ok(told) => {
                    results.push(told);
                    None
                }
                Err(_) => Some(format!("line {line}: it is not a result of this version")),
            })?;
        }
        let mut cells = Cells::new(&tuning);
        // Settings of another file do not belong here; they are refused rather than left out.
        for told in results.iter().filter(|told| told.played.is_some()) {
            let setting = read_told(&tuning, told).map_err(|error| error.within(folder.display()))?;
            let cell = cells.find(&tuning, &setting)?;
            let end = told.played.as_ref().map_or(0, |(_, first)| first + (told.wins + told.draws + told.losses) / 2);
            let pairs = &mut cells.plan.cells[cell].pairs;
            *pairs = end.max(*pairs);
        }
        let folder = folder.to_path_buf();
        Ok(Self { tuning, folder, results, cells, games, answered: HashMap::new(), appender: None, faults })
    }

    /// The tuning in one object: what a driver needs to know before it proposes anything.
    pub fn header(&self) -> Value {
        json!({
            "title": self.tuning.title,
            "game": self.tuning.game,
            "agent": self.tuning.agent,
            "baseline": self.tuning.baseline,
            "seed": self.tuning.seed,
            "games": self.tuning.games,
            "parameters": self.tuning.space.parameters.iter().map(parameter).collect::<Vec<_>>(),
            "known": self.known(),
        })
    }

    /// Games of all results.
    pub fn known(&self) -> u64 {
        self.results.iter().map(|told| told.wins + told.draws + told.losses).sum()
    }

    fn model(&self) -> Result<Model, InputError> {
        let observed = |told: &Told| {
            let points = told.wins as f64 + told.draws as f64 / 2.0;
            let games = (told.wins + told.draws + told.losses) as f64;
            Ok(Observation { setting: read_told(&self.tuning, told)?, points, games })
        };
        let observations = self.results.iter().map(observed).collect::<Result<Vec<_>, InputError>>()?;
        Ok(Model::new(&self.tuning.space, &observations))
    }

    /// So many proposals of the model, from all results so far: the same for the same results.
    pub fn ask(&self, count: u64) -> Result<Vec<Value>, InputError> {
        let model = self.model()?;
        let seed = Seed::new(self.tuning.seed).named("ask");
        let propose = |number: u64| {
            let setting = model.propose(batch::seed(seed, self.results.len() as u64, number));
            Ok(json!({"setting": self.written(&setting), "agent": self.tuning.agent_text(&setting)?}))
        };
        (0..count).map(propose).collect()
    }

    /// Takes a result, and answers with what is thought best now.
    pub fn tell(&mut self, line: &str) -> Result<Value, LabError> {
        let (setting, line) = self.read(line)?;
        if line.games.is_some() {
            let remedy = "write wins, draws and losses";
            return Err(InputError::new("line", "`games` does not say who won", remedy).into());
        }
        let [wins, draws, losses] = [line.wins, line.draws, line.losses].map(|count| count.unwrap_or(0));
        if wins.max(draws).max(losses) > MOST_GAMES || wins + draws + losses == 0 {
            let problem = format!("{wins} wins, {draws} draws and {losses} losses");
            return Err(InputError::new("line", problem, "write from 1 to 1000000 games").into());
        }
        self.keep(Told { v: VERSION, setting: self.texts(&setting), wins, draws, losses, played: None })?;
        Ok(self.best()?)
    }

    /// The best setting so far with what the model expects of it.
    pub fn best(&self) -> Result<Value, InputError> {
        let model = self.model()?;
        let best = model.best();
        let expected = model.predict(&best);
        Ok(json!({
            "known": self.known(),
            "best": self.written(&best),
            "agent": self.tuning.agent_text(&best)?,
            "score": expected.score,
            "ci95": [expected.interval.low, expected.interval.high],
        }))
    }

    /// Plays a setting against the baseline, and answers with the result; none if it was stopped. The next line of the same
    /// setting plays other games.
    pub fn play(&mut self, line: &str, threads: usize, stop: &AtomicBool) -> Result<Option<Value>, LabError> {
        let (setting, line) = self.read(line)?;
        if line.wins.or(line.draws).or(line.losses).is_some() {
            let remedy = "write setting and games, or use `spinney tune tell`";
            return Err(InputError::new("line", "a result where a setting is played", remedy).into());
        }
        let games = line.games.unwrap_or(USUAL_GAMES);
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(InputError::new("line", format!("`games` is {games}"), "write from 1 to 1000000").into());
        }
        let cell = self.cells.find(&self.tuning, &setting)?;
        let first = self.answered.get(&cell).copied().unwrap_or(0);
        let pairs = first..first + games.div_ceil(2);
        let own = &mut self.cells.plan.cells[cell];
        let is_new = own.pairs < pairs.end;
        own.pairs = own.pairs.max(pairs.end);
        let key = own.key.clone();
        if is_new {
            write_run(&self.tuning, &self.cells, &self.folder)?;
        }
        self.play_missing(cell, pairs.clone(), threads, stop)?;
        let found = |pair| [0, 1].map(|game| self.games.get(&(key.clone(), pair, game)).map(Record::score_of_a));
        let mut scores = Vec::new();
        let mut counts = Trinomial::default();
        for pair in pairs.clone() {
            let [Some(one), Some(other)] = found(pair) else { return Ok(None) };
            scores.push((one + other) / 2.0);
            for score in [one, other] {
                counts.wins += u64::from(score > 0.75);
                counts.draws += u64::from((0.25..=0.75).contains(&score));
                counts.losses += u64::from(score < 0.25);
            }
        }
        self.answered.insert(cell, pairs.end);
        let Trinomial { wins, draws, losses } = counts;
        let told = Told { v: VERSION, setting: self.texts(&setting), wins, draws, losses, played: Some((key, first)) };
        if !self.results.contains(&told) {
            self.keep(told)?;
        }
        let interval = paired_interval(&scores).map(|interval| [interval.low, interval.high]);
        Ok(Some(json!({
            "setting": self.written(&setting),
            "agent": self.cells.plan.cells[cell].agents[0].to_string(),
            "games": wins + draws + losses,
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "score": (wins as f64 + draws as f64 / 2.0) / (wins + draws + losses) as f64,
            "ci95": interval,
        })))
    }

    fn play_missing(
        &mut self,
        cell: usize,
        pairs: std::ops::Range<u64>,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<(), LabError> {
        let key = &self.cells.plan.cells[cell].key;
        let lacks = |pair| [0, 1].map(|game| !self.games.contains_key(&(key.clone(), pair, game)));
        let missing = pairs.map(|pair| (pair, lacks(pair))).filter(|(_, games)| *games != [false; 2]);
        let tasks: Vec<Task> = missing.map(|(pair, games)| Task::Pair { pair: PairId { cell, pair }, games }).collect();
        if tasks.is_empty() || stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        let appender = match &mut self.appender {
            Some(appender) => appender,
            None => {
                let store = Store::unplanned(&self.folder);
                self.appender.insert(store.append(Shard::WHOLE)?)
            }
        };
        let games = &mut self.games;
        let keep = |found: Found| {
            found.write(appender)?;
            if let Found::Game(_, record, _) = found {
                games.insert((record.cell.clone(), record.pair, record.game), record);
            }
            Ok(())
        };
        runner::play(&self.cells.plan, tasks, threads, stop, &|_| {}, keep)
    }

    fn read(&self, line: &str) -> Result<(Setting, Line), InputError> {
        let read: Line = serde_json::from_str(line).map_err(|error| {
            let problem = format!("it is not a line of this protocol ({error})");
            InputError::new("line", problem, "write {\"setting\": {…}, \"games\": 20}, or wins, draws and losses")
        })?;
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let setting = self.tuning.space.read(read.setting.iter().map(|(name, value)| (name.as_str(), text(value))))?;
        Ok((setting, read))
    }

    fn texts(&self, setting: &Setting) -> BTreeMap<String, String> {
        let names = self.tuning.space.parameters.iter().map(|parameter| parameter.name.clone());
        names.zip(self.tuning.space.texts(setting)).collect()
    }

    /// A setting as JSON: numbers as numbers.
    fn written(&self, setting: &Setting) -> Value {
        let one = |(parameter, value): (&Parameter, &f64)| {
            let written = match parameter.range {
                Range::Words(_) => json!(parameter.write(*value)),
                Range::Whole { .. } => json!(*value as i64),
                Range::Number { .. } => json!(value),
            };
            (parameter.name.clone(), written)
        };
        Value::Object(self.tuning.space.parameters.iter().zip(&setting.values).map(one).collect())
    }

    fn keep(&mut self, told: Told) -> Result<(), LabError> {
        let path = self.folder.join(RESULTS);
        let write = |file: &mut fs::File| {
            file.lock()?;
            file.write_all(write_line(&told).as_bytes())
        };
        write(&mut open_for_appending(&path)?).map_err(LabError::file(path))?;
        self.results.push(told);
        Ok(())
    }
}

fn read_told(tuning: &Tuning, told: &Told) -> Result<Setting, InputError> {
    tuning.space.read(told.setting.iter().map(|(name, text)| (name.as_str(), text.clone())))
}

fn parameter(one: &Parameter) -> Value {
    let scale = if one.is_logarithmic() { "logarithmic" } else { "linear" };
    match &one.range {
        Range::Words(words) => json!({"name": one.name, "words": words}),
        Range::Number { from, to, .. } => {
            json!({"name": one.name, "from": from, "to": to, "scale": scale, "whole": false})
        }
        Range::Whole { from, to, .. } => {
            json!({"name": one.name, "from": from, "to": to, "scale": scale, "whole": true})
        }
    }
}
