//! All runs below a folder: those that are being played, and those that rest.

use super::live::Live;
use super::progress::{self, Elements, Going};
use super::source::{Source, Wish};
use super::tuning;
use crate::Shared;
use crate::error::Refusal;
use axum::http::StatusCode;
use serde_json::{Value, json};
use spinney_core::InputError;
use spinney_core::error::shorten;
use spinney_lab::cluster::{self, Submission};
use spinney_lab::plan::Shard;
use spinney_lab::store::{Contents, Overview, Stamp, Store, last_written};
use spinney_lab::{LabError, referee, runner};
use spinney_table::Laboratory;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};
use tokio::sync::Semaphore;

/// Runs that are played at the same time.
const MOST_RUNS: usize = 2;
/// Runs that are listed.
const MOST_LISTED: usize = 500;
/// Runs whose submissions are kept in memory.
const MOST_WATCHED: usize = 16;
/// Visitors who watch a run.
const MOST_WATCHERS: usize = 64;

/// The runs below a folder.
#[derive(Debug)]
pub struct Runs {
    pub laboratory: Laboratory,
    folder: PathBuf,
    playing: Mutex<Playing>,
    /// Held by whoever begins a run, so that two visitors cannot begin the same.
    starting: Mutex<()>,
    /// What ended a run before its time.
    problems: Mutex<BTreeMap<String, String>>,
    /// Games that count and those that are wanted, of runs that a rule may have ended early, as they were at a moment.
    judged: Mutex<BTreeMap<String, Judged>>,
    /// The submissions of runs that were looked at.
    elements: Mutex<BTreeMap<String, Arc<Mutex<Elements>>>>,
    /// The run that was read last, because its pages are asked for one after the other.
    lately: Mutex<Option<Arc<Resting>>>,
    /// Plans that are worked out, and games that are played again, at the same time; others wait.
    pub plans: Semaphore,
    /// Visitors who watch.
    pub watchers: Arc<Semaphore>,
}

/// Since when, and how many, if rules end its cells.
type Judged = (Stamp, Option<(u64, u64)>);

#[derive(Debug, Default)]
struct Playing {
    runs: BTreeMap<String, (Arc<Live>, JoinHandle<()>)>,
    /// The server is about to end.
    closing: bool,
}

/// A run on disk, as it was at a moment.
#[derive(Debug)]
struct Resting {
    name: String,
    stamp: Stamp,
    store: Store,
    contents: Contents,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Threads of a run: one core is left for the visitors.
pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get).saturating_sub(1).max(1)
}

impl Runs {
    /// Those below this folder.
    pub fn new(laboratory: Laboratory, folder: PathBuf) -> Self {
        Self {
            laboratory,
            folder,
            playing: Mutex::default(),
            starting: Mutex::default(),
            problems: Mutex::default(),
            judged: Mutex::default(),
            elements: Mutex::default(),
            lately: Mutex::default(),
            plans: Semaphore::new(2),
            watchers: Arc::new(Semaphore::new(MOST_WATCHERS)),
        }
    }

    /// Ends what is being played; nothing that was played is lost.
    pub fn stop_all(&self) {
        let threads: Vec<JoinHandle<()>> = {
            let mut playing = locked(&self.playing);
            playing.closing = true;
            std::mem::take(&mut playing.runs)
                .into_values()
                .map(|(live, thread)| {
                    live.stop();
                    thread
                })
                .collect()
        };
        for thread in threads {
            // A run that panicked has nothing more to say.
            let _ = thread.join();
        }
    }

    /// The run of this name, if it is being played here.
    pub fn live(&self, name: &str) -> Option<Arc<Live>> {
        locked(&self.playing).runs.get(name).map(|(live, _)| live.clone())
    }

    /// The folder of a run that exists. A name is one part of a path, of letters, digits, `-`, `_` and `.`.
    pub fn folder_of(&self, name: &str) -> Result<PathBuf, Refusal> {
        let plain = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
        let is_name = !name.is_empty() && name.len() <= 120 && !name.starts_with('.') && name.chars().all(plain);
        let folder = self.folder.join(name);
        if is_name && (folder.join("plan.json").is_file() || folder.join(tuning::FILE).is_file()) {
            return Ok(folder);
        }
        let text = format!("run {}: there is none of this name; see the list of experiments", shorten(name));
        Err(Refusal::not_found(text))
    }

    /// Changes when something is written into the folder of a run, or an element of a cluster begins or ends.
    pub fn stamp(&self, name: &str) -> Result<(Stamp, Option<SystemTime>), Refusal> {
        let folder = self.folder_of(name)?;
        let submissions = Submission::numbers(&folder).into_iter().map(|number| cluster::folder_of(&folder, number));
        let changed = submissions.filter_map(|one| fs::metadata(one).and_then(|data| data.modified()).ok()).max();
        Ok((Stamp::of(&folder)?, changed))
    }

    /// The submissions of a run, as far as they are known.
    fn elements(&self, name: &str) -> Arc<Mutex<Elements>> {
        let mut known = locked(&self.elements);
        if known.len() >= MOST_WATCHED && !known.contains_key(name) {
            known.clear();
        }
        known.entry(name.to_string()).or_default().clone()
    }

    /// Another run may get this name.
    pub fn forget(&self, name: &str) {
        locked(&self.elements).remove(name);
    }

    /// Hands a run to `read`, as it is now.
    pub fn with<T>(&self, name: &str, read: impl FnOnce(&Store, &Contents) -> T) -> Result<T, Refusal> {
        if let Some(live) = self.live(name) {
            return Ok(live.read(|contents| read(&live.store, contents)));
        }
        let folder = self.folder_of(name)?;
        let stamp = Stamp::of(&folder)?;
        let lately = locked(&self.lately).clone();
        let resting = match lately.filter(|resting| resting.name == name && resting.stamp == stamp) {
            Some(resting) => resting,
            None => {
                let store = Store::open_in(&self.laboratory, &folder)?;
                let contents = store.read()?;
                let resting = Arc::new(Resting { name: name.to_string(), stamp, store, contents });
                *locked(&self.lately) = Some(resting.clone());
                resting
            }
        };
        Ok(read(&resting.store, &resting.contents))
    }

    /// The progress of a run, as JSON.
    pub fn progress(&self, name: &str) -> Result<String, Refusal> {
        if let Some(live) = self.live(name) {
            return Ok(live.progress());
        }
        let problem = locked(&self.problems).get(name).cloned();
        self.with(name, |store, contents| {
            let played = referee::counted(&store.plan, contents).count();
            let state = resting_state(&store.folder, played, referee::planned(&store.plan, contents));
            let elements = locked(&self.elements(name)).look(store);
            // Elements that have begun may not have ended a game yet.
            let are_played = elements.iter().any(|one| one["counts"]["running"].as_u64() > Some(0));
            let state = if state == "stopped" && are_played { "elsewhere" } else { state };
            progress::shown(store, contents, Going { state, left: None, problem: problem.as_deref(), elements })
                .to_string()
        })
    }

    /// Every run with what is known at a glance, the latest first.
    pub fn list(&self) -> Vec<Value> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut names: Vec<_> = entries
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter_map(|name| self.folder_of(&name).ok().map(|folder| (changed(&folder), name, folder)))
            .collect();
        names.sort_by(|a, b| b.cmp(a));
        names.truncate(MOST_LISTED);
        names.into_iter().filter_map(|(_, name, folder)| self.overview(&name, &folder)).collect()
    }

    fn overview(&self, name: &str, folder: &Path) -> Option<Value> {
        let problem = locked(&self.problems).get(name).cloned();
        Some(match Overview::of(folder)? {
            Ok(Overview { title, played, planned }) => {
                let is_live = self.live(name).is_some();
                // Only where fewer games were played than planned a rule may have ended it.
                let judged = if is_live || played >= planned { None } else { self.judged(name, folder) };
                let (played, planned) = judged.unwrap_or((played, planned));
                let state = if is_live { "running" } else { resting_state(folder, played, planned) };
                json!({
                    "tuning": folder.join(tuning::FILE).is_file(),
                    "name": name, "title": title, "played": played.min(planned), "planned": planned,
                    "state": state, "problem": problem,
                })
            }
            Err(error) => json!({
                "name": name, "title": name, "played": 0, "planned": 0, "state": "stopped",
                "problem": error.to_string(),
            }),
        })
    }

    /// Games that count and those that are wanted, if rules end the cells of a run; read once until something is written.
    fn judged(&self, name: &str, folder: &Path) -> Option<(u64, u64)> {
        let stamp = Stamp::of(folder).ok()?;
        if let Some((_, known)) = locked(&self.judged).get(name).filter(|(then, _)| *then == stamp) {
            return *known;
        }
        let store = Store::open_in(&self.laboratory, folder).ok()?;
        let has_rules = store.plan.cells.iter().any(|cell| cell.stop.is_some());
        let count = |contents: Contents| {
            let counted = referee::counted(&store.plan, &contents).count();
            (counted, referee::planned(&store.plan, &contents))
        };
        let judged = if has_rules { store.read().ok().map(count) } else { None };
        locked(&self.judged).insert(name.to_string(), (stamp, judged));
        judged
    }

    /// Games of this experiment that were played before.
    pub fn known(&self, source: &Source) -> u64 {
        Overview::of(&self.folder.join(source.folder())).and_then(Result::ok).map_or(0, |seen| seen.played)
    }
}

/// When something was last played in a folder.
fn changed(folder: &Path) -> Option<SystemTime> {
    let planned = fs::metadata(folder.join("plan.json")).and_then(|data| data.modified()).ok();
    last_written(folder).max(planned)
}

/// How long after the last game a run that another process plays still counts as played.
const LATELY: Duration = Duration::from_secs(20);

/// Whether somebody writes games into a folder: whoever does holds a lock on their file.
fn is_locked(folder: &Path) -> bool {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_of_games = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with("games-") && name.ends_with(".jsonl")
    };
    let locked = |path: PathBuf| fs::File::open(path).is_ok_and(|file| file.try_lock_shared().is_err());
    files.filter(is_of_games).any(locked)
}

/// The state of a run that is not played here; another process or the elements of a cluster may play it.
fn resting_state(folder: &Path, played: u64, planned: u64) -> &'static str {
    let is_fresh = || last_written(folder).is_some_and(|then| then.elapsed().is_ok_and(|since| since < LATELY));
    match () {
        () if played >= planned => "complete",
        () if is_fresh() && is_locked(folder) => "elsewhere",
        // Elements hold no locks.
        () if cluster::progress::is_growing(folder) => "elsewhere",
        () => "stopped",
    }
}

/// Begins a run, or goes on with one; returns its name. What is complete stays as it is.
pub fn start(shared: &Arc<Shared>, wish: &Wish) -> Result<String, Refusal> {
    let runs = &shared.experiments;
    let _starting = locked(&runs.starting);
    let name = match &wish.run {
        Some(run) if wish.file.is_none() && wish.text.is_none() && wish.games.is_none() => {
            runs.folder_of(run)?;
            run.clone()
        }
        Some(_) => {
            let problem = "a run to resume stands beside something else";
            return Err(InputError::new("experiment", problem, "send one of them").into());
        }
        None => {
            let source = Source::read(&runs.laboratory, wish)?;
            let name = source.folder();
            // A run that is being played must not be changed meanwhile.
            refuse_if_playing(&locked(&runs.playing), &name)?;
            Store::create_in(&runs.laboratory, &runs.folder.join(&name), &source.name, &source.text)?;
            name
        }
    };
    refuse_if_playing(&locked(&runs.playing), &name)?;
    let store = Store::open_in(&runs.laboratory, &runs.folder.join(&name))?;
    let appender = store.append(Shard::WHOLE).map_err(|error| match error {
        LabError::Input(error) => Refusal::new(StatusCode::CONFLICT, error.to_string()),
        other => other.into(),
    })?;
    let contents = store.read()?;
    let tasks = runner::missing(&store.plan, &contents, Shard::WHOLE);
    if tasks.is_empty() {
        return Ok(name);
    }
    store.admit().map_err(|error| match error {
        LabError::Input(error) => Refusal::new(StatusCode::CONFLICT, error.to_string()),
        other => other.into(),
    })?;
    locked(&runs.problems).remove(&name);
    let live = Arc::new(Live::new(store, contents, &tasks));
    // Held until the run is entered, so that it cannot end before.
    let mut playing = locked(&runs.playing);
    refuse_if_playing(&playing, &name)?;
    let thread = {
        let (shared, live, name) = (shared.clone(), live.clone(), name.clone());
        thread::spawn(move || {
            let played = panic::catch_unwind(AssertUnwindSafe(|| live.play(tasks, threads(), appender)));
            // What was played is kept also where the program made a mistake.
            let broken = || "run: it ended by a mistake of the program; what was played is kept".to_string();
            let problem = played.map_or_else(|_| Some(broken()), |result| result.err().map(|error| error.to_string()));
            if let Some(problem) = problem {
                locked(&shared.experiments.problems).insert(name.clone(), problem);
            }
            drop(live);
            locked(&shared.experiments.playing).runs.remove(&name);
        })
    };
    playing.runs.insert(name.clone(), (live, thread));
    Ok(name)
}

fn refuse_if_playing(playing: &Playing, name: &str) -> Result<(), Refusal> {
    if playing.closing {
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "experiment: the server is ending; start it again"));
    }
    if playing.runs.contains_key(name) {
        let problem = format!("run {name}: it is being played already; watch it, or stop it first");
        return Err(Refusal::new(StatusCode::CONFLICT, problem));
    }
    if playing.runs.len() >= MOST_RUNS {
        let problem = format!("experiment: {MOST_RUNS} runs are being played already; wait for one or stop one");
        return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, problem));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_runs_have_names() {
        let folder = std::env::temp_dir().join(format!("spinney-runs-{}", std::process::id()));
        fs::create_dir_all(folder.join("runs/good-1.a")).unwrap();
        fs::write(folder.join("runs/good-1.a/plan.json"), "{}").unwrap();
        fs::write(folder.join("plan.json"), "{}").unwrap();
        let runs = Runs::new(Laboratory::standard(), folder.join("runs"));
        assert!(runs.folder_of("good-1.a").is_ok());
        for wrong in ["", ".", "..", "../runs/good-1.a", "good-1.a/", "good-1.a/../good-1.a", "/etc", "a\0b", "absent"]
        {
            assert!(runs.folder_of(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(runs.list().len(), 1, "one that cannot be read is listed with its problem");
        assert!(runs.list()[0]["problem"].is_string());
        fs::remove_dir_all(folder).unwrap();
    }
}
