//! A tuning with games: batches of pairs against the baseline, kept as a run of the laboratory, then the check.
//!
//! Nothing but games is stored. What a batch plays follows from the file, its seed and the results of earlier batches, so
//! a run that is begun again finds its place by making the same proposals, and whoever stops it where, on however many
//! threads, the sorted records are the same bytes.

use crate::batch::{self, Batch};
use crate::file::{TUNED, Tuning};
use crate::model::{Model, Prediction};
use crate::regression::Observation;
use crate::space::Setting;
use spinney_core::{InputError, Seed};
use spinney_lab::plan::{PairId, Plan, Shard};
use spinney_lab::record::Record;
use spinney_lab::runner::{self, Found, Task};
use spinney_lab::store::{Appender, Contents, Store, files_of, folder_name, for_each_text, write_whole};
use spinney_lab::summary::summarise;
use spinney_lab::{CellSummary, Event, LabError};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

const FILE: &str = "tune.toml";
const PLAN: &str = "plan.json";

/// What a run tells while it plays.
#[derive(Clone, Debug)]
pub enum Step<'a> {
    /// A batch begins, with what is thought best so far.
    Batch {
        /// The batch.
        batch: Batch,
        /// The best setting so far and its estimated score; none before anything is known.
        best: Option<(&'a str, f64)>,
    },
    /// The check begins.
    Check {
        /// The setting that is checked.
        best: &'a str,
        /// Games to be played.
        games: u64,
    },
    /// A game has been played.
    Game(Event),
}

/// How a tuning is played: on so many threads, until `stop` is set.
#[derive(Clone, Copy)]
pub struct Play<'a> {
    /// Games at the same time.
    pub threads: usize,
    /// Set by whoever wants it to end; nothing is lost.
    pub stop: &'a AtomicBool,
    /// Is told what happens.
    pub tell: &'a (dyn Fn(Step<'_>) + Sync),
}

impl std::fmt::Debug for Play<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Play").field("threads", &self.threads).finish_non_exhaustive()
    }
}

/// Settings as cells of the laboratory: two settings that make the same agent are one cell.
#[derive(Debug)]
pub(crate) struct Cells {
    pub(crate) plan: Plan,
    /// The setting of each cell, by its name there.
    pub(crate) settings: Vec<(String, Setting)>,
    by_key: HashMap<String, usize>,
    by_text: HashMap<String, usize>,
}

impl Cells {
    pub(crate) fn new(tuning: &Tuning) -> Self {
        let plan = Plan {
            title: tuning.title.clone(),
            about: tuning.about.clone(),
            hash: tuning.hash.clone(),
            seed: tuning.seed,
            margin: 0.03,
            sections: vec![spinney_lab::plan::Section::default()],
            ..Plan::default()
        };
        Self { plan, settings: Vec::new(), by_key: HashMap::new(), by_text: HashMap::new() }
    }

    /// The cell of a setting, which is made if it is new.
    pub(crate) fn find(&mut self, tuning: &Tuning, setting: &Setting) -> Result<usize, InputError> {
        let text = tuning.space.write(setting);
        if let Some(index) = self.by_text.get(&text) {
            return Ok(*index);
        }
        let mut plan = tuning.plan(setting)?;
        let cell = plan.cells.remove(0);
        let index = match self.by_key.get(&cell.key) {
            Some(index) => *index,
            None => {
                self.by_key.insert(cell.key.clone(), self.plan.cells.len());
                self.settings.push((text.clone(), setting.clone()));
                self.plan.cells.push(cell);
                self.plan.cells.len() - 1
            }
        };
        self.by_text.insert(text, index);
        Ok(index)
    }
}

/// Games by the key of their cell, pair and game of the pair.
pub(crate) type Games = HashMap<(String, u64, u8), Record>;

/// All games of a folder, whatever cell they belong to, and what is wrong with its lines.
pub(crate) fn read_games(folder: &Path) -> Result<(Games, Vec<String>), LabError> {
    let mut games = Games::new();
    let mut faults = Vec::new();
    for path in files_of(folder, "games-")? {
        for_each_text(&path, &mut faults, |line, text| match serde_json::from_str::<Record>(text) {
            Ok(record) => {
                games.insert((record.cell.clone(), record.pair, record.game), record);
                None
            }
            Err(_) => Some(format!("line {line}: it is not a record of this version; its game will be played again")),
        })?;
    }
    Ok((games, faults))
}

/// A tuning in its folder.
#[derive(Debug)]
pub struct Run {
    /// What is tuned.
    pub tuning: Tuning,
    /// The folder.
    pub folder: PathBuf,
    /// What is wrong with its lines; the rest is unharmed.
    pub faults: Vec<String>,
    cells: Cells,
    games: Games,
    observations: Vec<Observation>,
}

/// What a tuning ends with.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best setting.
    pub best: Setting,
    /// In one line.
    pub written: String,
    /// The agent with its budget, as every command takes it.
    pub agent: String,
    /// What the model expects of it.
    pub prediction: Prediction,
    /// The run of the check.
    pub folder: PathBuf,
    /// What the games that the tuner has not seen say.
    pub check: CellSummary,
}

impl Run {
    /// Opens the run in a folder, or begins one there. Refuses the folder of another tuning.
    pub fn open(tuning: Tuning, folder: &Path, text: &str) -> Result<Self, LabError> {
        let known = folder.join(FILE);
        if let Ok(old) = fs::read_to_string(&known) {
            let old = Tuning::read_in(&tuning.laboratory, &known.display().to_string(), &old)?;
            if old.hash != tuning.hash {
                let problem = format!("it holds the tuning `{}` ({})", old.title, &old.hash[..8]);
                let remedy = format!("this one is {}: name another folder with --out", &tuning.hash[..8]);
                return Err(InputError::new(folder.display(), problem, remedy).into());
            }
        }
        fs::create_dir_all(folder).map_err(LabError::file(folder))?;
        write_whole(&known, text.as_bytes())?;
        let (games, faults) = read_games(folder)?;
        let cells = Cells::new(&tuning);
        Ok(Self { tuning, folder: folder.to_path_buf(), faults, cells, games, observations: Vec::new() })
    }

    /// What was learned so far.
    pub fn observations(&self) -> &[Observation] {
        &self.observations
    }

    /// Games of batches that are known whole.
    pub fn played(&self) -> u64 {
        2 * self.observations.len() as u64
    }

    /// Plays what is missing, batch by batch; false if it was stopped. Only whole batches are learned from.
    pub fn tune(&mut self, play: &Play) -> Result<bool, LabError> {
        // Whoever holds the lock writes; one is held from the first proposal to the last game.
        let store = Store::unplanned(&self.folder);
        let mut appender = store.append(Shard::WHOLE)?;
        let done = self.tune_batches(play, &mut appender);
        self.write_experiment()?;
        done
    }

    /// As `tune`, but plays nothing: false if games are missing.
    pub fn look(&mut self) -> Result<bool, LabError> {
        for batch in batch::batches(self.tuning.batch, self.tuning.tuning_pairs()) {
            let proposals = self.propose(batch)?;
            if !self.missing(&proposals).is_empty() {
                return Ok(false);
            }
            self.learn(proposals);
        }
        Ok(true)
    }

    fn tune_batches(&mut self, play: &Play, appender: &mut Appender) -> Result<bool, LabError> {
        for batch in batch::batches(self.tuning.batch, self.tuning.tuning_pairs()) {
            let model = Model::new(&self.tuning.space, &self.observations);
            let best = (!self.observations.is_empty()).then(|| model.best());
            let words = best.as_ref().map(|best| (self.tuning.space.write(best), model.predict(best).score));
            (play.tell)(Step::Batch { batch, best: words.as_ref().map(|(words, score)| (words.as_str(), *score)) });
            let proposals = self.propose_with(&model, batch)?;
            let tasks = self.missing(&proposals);
            let games = &mut self.games;
            let keep = |found: Found| {
                found.write(appender)?;
                if let Found::Game(_, record, _) = found {
                    games.insert((record.cell.clone(), record.pair, record.game), record);
                }
                Ok(())
            };
            let tell = |event: Event| (play.tell)(Step::Game(event));
            runner::play(&self.cells.plan, tasks, play.threads, play.stop, &tell, keep)?;
            if !self.missing(&proposals).is_empty() {
                return Ok(false);
            }
            self.learn(proposals);
            if play.stop.load(Ordering::Relaxed) && self.played() < 2 * self.tuning.tuning_pairs() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn propose(&mut self, batch: Batch) -> Result<Vec<(Setting, PairId)>, InputError> {
        let model = Model::new(&self.tuning.space, &self.observations);
        self.propose_with(&model, batch)
    }

    /// The settings of a batch, each with the pair that is played for it: the next one of its cell.
    fn propose_with(&mut self, model: &Model, batch: Batch) -> Result<Vec<(Setting, PairId)>, InputError> {
        let seed = Seed::new(self.tuning.seed);
        let mut proposals = Vec::new();
        for number in 0..batch.size {
            let setting = model.propose(batch::seed(seed, batch.number, number));
            let cell = self.cells.find(&self.tuning, &setting)?;
            let pairs = &mut self.cells.plan.cells[cell].pairs;
            proposals.push((setting, PairId { cell, pair: *pairs }));
            *pairs += 1;
        }
        Ok(proposals)
    }

    fn game(&self, id: PairId, game: u8) -> Option<&Record> {
        self.games.get(&(self.cells.plan.cells[id.cell].key.clone(), id.pair, game))
    }

    fn missing(&self, proposals: &[(Setting, PairId)]) -> Vec<Task> {
        let lacks = |pair: PairId| [0, 1].map(|game| self.game(pair, game).is_none());
        let pairs = proposals.iter().map(|(_, pair)| (*pair, lacks(*pair))).filter(|(_, games)| *games != [false; 2]);
        pairs.map(|(pair, games)| Task::Pair { pair, games }).collect()
    }

    fn learn(&mut self, proposals: Vec<(Setting, PairId)>) {
        for (setting, pair) in proposals {
            let scores = [0, 1].map(|game| self.game(pair, game).map_or(0.5, Record::score_of_a));
            self.observations.push(Observation { setting, points: scores.iter().sum(), games: 2.0 });
        }
    }

    /// Writes the games so far as a run of the laboratory, so that `spinney lab` verifies, packs and exports them.
    fn write_experiment(&self) -> Result<(), LabError> {
        write_run(&self.tuning, &self.cells, &self.folder)
    }

    /// Plays the best setting against the baseline with games that the tuner has not seen, and tells the outcome; none
    /// if it was stopped before the first of them had ended.
    pub fn check(&self, play: &Play) -> Result<Option<Outcome>, LabError> {
        let (store, mut outcome) = self.checked()?;
        let contents = store.read()?;
        let missing: u64 =
            runner::missing(&store.plan, &contents, Shard::WHOLE).iter().map(|task| task.count(&store.plan)).sum();
        (play.tell)(Step::Check { best: &outcome.written, games: missing });
        let tell = |event: Event| (play.tell)(Step::Game(event));
        runner::run(&store, &contents, Shard::WHOLE, play.threads, play.stop, &tell)?;
        let contents = store.read()?;
        outcome.check = summarise(&store.plan, &contents).remove(0);
        Ok((outcome.check.games.games() > 0).then_some(outcome))
    }

    /// The outcome as far as it is known, and the games of the check; plays nothing.
    pub fn outcome(&self) -> Result<(Store, Contents, Outcome), LabError> {
        let (store, mut outcome) = self.checked()?;
        let contents = store.read()?;
        outcome.check = summarise(&store.plan, &contents).remove(0);
        Ok((store, contents, outcome))
    }

    /// The check is an experiment of one cell in a folder of its own, with a seed of its own.
    fn checked(&self) -> Result<(Store, Outcome), LabError> {
        let model = Model::new(&self.tuning.space, &self.observations);
        let best = model.best();
        let written = self.tuning.space.write(&best);
        // Whole numbers of TOML have a sign.
        let seed = Seed::new(self.tuning.seed).named("check").value() >> 1;
        let mut experiment = self.tuning.experiment(&[(TUNED.to_string(), best.clone())], seed)?;
        experiment.title = format!("Check of {written}");
        experiment.set_pairs(self.tuning.check_pairs());
        let plan = Plan::new(&experiment)?;
        let folder = self.folder.join(folder_name("check", &plan));
        let text = experiment.to_string();
        let store = Store::create_in(&self.tuning.laboratory, &folder, "experiment.toml", &text)?;
        let agent = store.plan.cells[0].agents[0].to_string();
        let prediction = model.predict(&best);
        let check = CellSummary::default();
        Ok((store, Outcome { best, written, agent, prediction, folder, check }))
    }
}

impl Run {
    /// How many stored games nobody proposed: they are of a longer tuning, of another version, or of another machine's
    /// arithmetic.
    pub fn strays(&self) -> u64 {
        let known = |(key, pair, _): &&(String, u64, u8)| {
            self.cells.by_key.get(key).is_none_or(|cell| *pair >= self.cells.plan.cells[*cell].pairs)
        };
        self.games.keys().filter(known).count() as u64
    }
}

/// Writes cells and their pairs as an experiment with its plan.
pub(crate) fn write_run(tuning: &Tuning, cells: &Cells, folder: &Path) -> Result<(), LabError> {
    if cells.settings.is_empty() {
        return Ok(());
    }
    let experiment = tuning.experiment(&cells.settings, tuning.seed)?;
    let plan = folder.join(PLAN);
    match fs::remove_file(&plan) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(LabError::file(plan)(error)),
        _ => {}
    }
    let mut store = Store::create_in(&tuning.laboratory, folder, "experiment.toml", &experiment.to_string())?;
    let pairs = cells.plan.cells.iter().map(|cell| (cell.key.as_str(), cell.pairs)).collect::<HashMap<_, _>>();
    let own = store.plan.cells.iter().map(|cell| pairs.get(cell.key.as_str()).copied().unwrap_or(cell.pairs)).collect();
    store.set_pairs(own)
}
