//! One element: plays its part of a submission into files of its own.
//!
//! Every attempt makes new files whose names nobody has used, so nothing is locked, and a process that an engine has
//! given up but that still runs somewhere disturbs nobody. An attempt reads what earlier ones of the element wrote.

use super::folder_of;
use super::submission::Submission;
use crate::error::LabError;
use crate::farm::Crew;
use crate::referee::Referee;
use crate::runner::{Event, Found, Task, play_with};
use crate::store::{Appender, Contents, Store, write_whole};
use serde::{Deserialize, Serialize};
use spinney_core::InputError;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{SystemTime, UNIX_EPOCH};

/// What is known of an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// The machine.
    pub host: String,
    /// The process on it.
    pub process: u32,
    /// When it began, in seconds since 1970.
    pub began: u64,
    /// Games that were missing then.
    pub games: u64,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<u64>,
    /// Games that it left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<u64>,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// An element that is about to play.
#[derive(Debug)]
pub struct Element {
    /// Its number in the submission.
    pub index: u64,
    /// What earlier attempts have played of it.
    pub known: Contents,
    tasks: Vec<Task>,
    appender: Appender,
    name: String,
    elements: u64,
    attempt: Attempt,
    path: PathBuf,
}

/// What the files of an attempt are called.
pub(super) fn file_name(submission: u64, index: u64, attempt: u64) -> String {
    format!("element-{submission}-{index}-{attempt}")
}

/// Where it says how it goes.
pub(super) fn attempt_path(run: &Path, submission: u64, index: u64, attempt: u64) -> PathBuf {
    folder_of(run, submission).join(format!("{index}-{attempt}.json"))
}

/// An element that fails so often is left to a person.
const MOST_ATTEMPTS: u64 = 10_000;

impl Element {
    /// Finds what is left of an element to play, and makes its files.
    pub fn begin(store: &Store, submission: &Submission, index: u64) -> Result<Self, LabError> {
        let place = format!("element {index} of submission {}", submission.number);
        if submission.plan != store.plan.hash {
            let problem = "the submission is of another experiment";
            return Err(InputError::new(place, problem, "submit again").into());
        }
        if index >= submission.elements {
            let problem = format!("there are {}", submission.elements);
            return Err(InputError::new(place, problem, format!("name 0 to {}", submission.elements - 1)).into());
        }
        let mut earlier = Vec::new();
        let (attempt, name, appender) = loop {
            let attempt = earlier.len() as u64;
            if attempt >= MOST_ATTEMPTS {
                return Err(InputError::new(place, "it was begun too often", "look at its logs").into());
            }
            let name = file_name(submission.number, index, attempt);
            match store.append_alone(&name)? {
                Some(appender) => break (attempt, name, appender),
                None => earlier.push(name),
            }
        };
        let known = store.read_names(&earlier)?;
        let is_missing = |task: &Task| match *task {
            Task::Pair { pair, games } => {
                let games = [0, 1]
                    .map(|game| games[usize::from(game)] && !known.games.contains_key(&(pair.cell, pair.pair, game)));
                (games != [false; 2]).then_some(Task::Pair { pair, games })
            }
            Task::Portion(id) => (!known.portions.contains_key(&id)).then_some(*task),
        };
        let tasks: Vec<Task> = submission.tasks(&store.plan, index)?.iter().filter_map(is_missing).collect();
        let games = tasks.iter().map(|task| task.count(&store.plan)).sum();
        let attempt_of =
            Attempt { host: host(), process: std::process::id(), began: now(), games, ..Attempt::default() };
        let path = attempt_path(&store.folder, submission.number, index, attempt);
        attempt_of.write(&path)?;
        let elements = submission.elements;
        Ok(Self { index, known, tasks, appender, name, elements, attempt: attempt_of, path })
    }

    /// Games that are missing.
    pub fn games(&self) -> u64 {
        self.attempt.games
    }

    /// Plays them; returns how many are left, because `stop` was set.
    pub fn play<'a>(
        mut self,
        store: &Store,
        crew: impl Into<Crew<'a>>,
        stop: &AtomicBool,
        tell: &(dyn Fn(Event) + Sync),
    ) -> Result<u64, LabError> {
        let mut left = self.attempt.games;
        let spared = std::sync::atomic::AtomicU64::new(0);
        let tasks = std::mem::take(&mut self.tasks);
        let result = (|| {
            if !tasks.is_empty() {
                store.admit()?;
            }
            let referee =
                Referee::new(&store.plan, &self.known).beside_elements(&store.folder, &self.name, self.elements);
            let keep = |found: Found| {
                left -= if let Found::Portion(_, portion) = &found { portion.count.min(left) } else { 1 };
                found.write(&mut self.appender)
            };
            let hear = |event: Event| {
                if let Event::Spared { games, .. } = event {
                    spared.fetch_add(games, std::sync::atomic::Ordering::Relaxed);
                }
                tell(event);
            };
            play_with(&store.plan, &referee, tasks, crew, stop, &hear, keep)
        })();
        left = left.saturating_sub(spared.into_inner());
        self.attempt.ended = Some(now());
        self.attempt.left = Some(left);
        self.attempt.problem = result.as_ref().err().map(LabError::to_string);
        self.attempt.write(&self.path)?;
        result.map(|()| left)
    }
}

impl Attempt {
    fn write(&self, path: &Path) -> Result<(), LabError> {
        write_whole(path, serde_json::to_string(self).unwrap_or_default().as_bytes())
    }

    /// Reads one; `None` if there is none.
    pub fn read(path: &Path) -> Option<Self> {
        serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
    }

    /// Whether it has neither ended nor been heard of for so long.
    pub(super) fn is_silent(&self, heard: Option<u64>, now: u64, patience: u64) -> bool {
        self.ended.is_none() && now.saturating_sub(heard.unwrap_or(0).max(self.began)) > patience
    }
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    seconds(SystemTime::now())
}

pub(super) fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The name of this machine, as its engine or itself calls it.
fn host() -> String {
    let own = || std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let named = std::env::var("SLURMD_NODENAME").ok().or_else(own).or_else(|| std::env::var("HOSTNAME").ok());
    named.unwrap_or_default().trim().to_string()
}

/// Which element this process is, by what engines tell their processes.
pub fn index_here(variable: impl Fn(&str) -> Option<String>) -> Option<u64> {
    /// Arrays of Slurm and HyperQueue, indexed Jobs of Kubernetes, ranks of Open MPI and of PMI, arrays of PBS.
    const NAMES: [&str; 6] = [
        "SLURM_ARRAY_TASK_ID",
        "HQ_TASK_ID",
        "JOB_COMPLETION_INDEX",
        "OMPI_COMM_WORLD_RANK",
        "PMI_RANK",
        "PBS_ARRAY_INDEX",
    ];
    NAMES.iter().find_map(|name| variable(name)?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_say_which_element_a_process_is() {
        let with = |known: &'static str| move |name: &str| (name == known).then(|| "17".to_string());
        assert_eq!(index_here(with("JOB_COMPLETION_INDEX")), Some(17));
        assert_eq!(index_here(with("SLURM_ARRAY_TASK_ID")), Some(17));
        assert_eq!(index_here(with("HOME")), None);
    }
}
