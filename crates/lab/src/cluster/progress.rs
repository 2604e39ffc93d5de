//! How far the elements of a run are, by the files that they write and, where an engine was asked, by its queue.

use super::element::{Attempt, attempt_path, file_name, now, seconds};
use super::submission::{Jobs, Submission};
use super::{Engine, folder_of, slurm};
use crate::error::LabError;
use crate::store::{Store, files_of};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// How far an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Nobody has begun it, or it waits to be begun again.
    Waiting,
    /// It is played.
    Running,
    /// It is played, and has been for twice as long as was expected.
    Late,
    /// It has played all its games.
    Done,
    /// It was told to end before; the next submission has the rest.
    Stopped,
    /// It failed, or nobody has heard of it.
    Failed,
}

impl State {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Running => "running",
            State::Late => "late",
            State::Done => "done",
            State::Stopped => "stopped",
            State::Failed => "failed",
        }
    }

    /// All of them.
    pub const ALL: [State; 6] =
        [State::Waiting, State::Running, State::Late, State::Done, State::Stopped, State::Failed];
}

/// An element that needs a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// Its submission.
    pub submission: u64,
    /// Its number there.
    pub index: u64,
    /// How it is.
    pub state: State,
    /// The machine.
    pub host: String,
    /// How often it was begun.
    pub attempts: u64,
    /// What went wrong, as far as it is known.
    pub problem: String,
    /// The end of its log.
    pub log: Vec<String>,
}

/// A submission and the states of its elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Its number.
    pub number: u64,
    /// Who starts its elements.
    pub engine: Engine,
    /// What the engine calls them.
    pub jobs: Jobs,
    /// The states of all elements.
    pub states: Vec<State>,
    /// Those that need a look.
    pub trouble: Vec<Trouble>,
}

impl Progress {
    /// How many elements are in a state.
    pub fn count(&self, state: State) -> usize {
        self.states.iter().filter(|known| **known == state).count()
    }

    /// Whether no element is played or will be.
    pub fn is_over(&self) -> bool {
        self.states.iter().all(|state| matches!(state, State::Done | State::Stopped | State::Failed))
    }
}

/// Looks at a submission again and again; what has ended is read once.
#[derive(Debug)]
pub struct Watched {
    submission: Submission,
    seconds: Vec<f64>,
    /// The last attempt of each element that is known, and its number.
    attempts: HashMap<u64, (u64, Attempt)>,
}

/// Nobody who plays is silent for longer, where no queue can be asked: half an hour, or ten games.
const PATIENCE: u64 = 1800;
/// Lines of a log that are shown.
const TAIL: usize = 6;

impl Watched {
    /// The submission of this number.
    pub fn new(store: &Store, number: u64) -> Result<Self, LabError> {
        let submission = Submission::read(&store.folder, number)?;
        let seconds = submission.seconds(&store.plan)?;
        Ok(Self { submission, seconds, attempts: HashMap::new() })
    }

    /// The job of its elements, where Slurm has one that can be asked for.
    pub fn slurm_job(&self, run: &Path) -> Option<String> {
        (self.submission.engine == Engine::Slurm).then(|| Jobs::read(run, self.submission.number).elements).flatten()
    }

    /// How far its elements are; `queue` is what the engine says, element by element, if it was asked.
    pub fn look(&mut self, run: &Path, queue: Option<&HashMap<u64, String>>, now: u64) -> Progress {
        let number = self.submission.number;
        self.read_attempts(run);
        let jobs = Jobs::read(run, number);
        let (mut states, mut trouble) = (Vec::new(), Vec::new());
        for index in 0..self.submission.elements {
            let known = self.attempts.get(&index);
            let expected = self.seconds.get(index as usize).copied().unwrap_or(0.0);
            let queued =
                queue.map(|queue| queue.get(&index).map(String::as_str).filter(|state| !slurm::has_ended(state)));
            let (state, problem) = judge(run, number, index, known, expected, queued, jobs.cancelled, now);
            if matches!(state, State::Failed | State::Late | State::Stopped) {
                let (attempts, host) = known.map_or((0, String::new()), |(at, attempt)| (at + 1, attempt.host.clone()));
                trouble.push(Trouble { submission: number, index, state, host, attempts, problem, log: Vec::new() });
            }
            states.push(state);
        }
        // The worst first, and of few of them the log.
        trouble.sort_by_key(|one| (std::cmp::Reverse(one.state), one.index));
        for one in trouble.iter_mut().take(TAIL) {
            one.log = tail(&folder_of(run, number).join(format!("{}.log", one.index)));
        }
        Progress { number, engine: self.submission.engine, jobs, states, trouble }
    }

    /// Reads the attempts that may have changed: the folder tells which there are.
    fn read_attempts(&mut self, run: &Path) {
        let number = self.submission.number;
        let entries = fs::read_dir(folder_of(run, number)).into_iter().flatten().flatten();
        let mut newest: HashMap<u64, u64> = HashMap::new();
        for entry in entries {
            let name = entry.file_name();
            let Some(name) = name.to_str().and_then(|name| name.strip_suffix(".json")) else { continue };
            let Some((index, attempt)) = name.split_once('-') else { continue };
            if let (Ok(index), Ok(attempt)) = (index.parse(), attempt.parse::<u64>()) {
                let known = newest.entry(index).or_default();
                *known = attempt.max(*known);
            }
        }
        for (index, attempt) in newest {
            let is_known = self.attempts.get(&index).is_some_and(|(at, known)| *at == attempt && known.ended.is_some());
            if !is_known && let Some(read) = Attempt::read(&attempt_path(run, number, index, attempt)) {
                self.attempts.insert(index, (attempt, read));
            }
        }
    }
}

/// Whether elements have written games into a run lately, whoever started them.
pub fn is_growing(run: &Path) -> bool {
    /// Longer than most games take.
    const LATELY: u64 = 120;
    let written = |path: std::path::PathBuf| fs::metadata(path).and_then(|data| data.modified()).ok().map(seconds);
    let files = files_of(run, "games-element-").unwrap_or_default();
    files.into_iter().filter_map(written).max().is_some_and(|last| now().saturating_sub(last) <= LATELY)
}

#[allow(clippy::too_many_arguments, reason = "all that is known of an element")]
fn judge(
    run: &Path,
    number: u64,
    index: u64,
    known: Option<&(u64, Attempt)>,
    expected: f64,
    queued: Option<Option<&str>>,
    is_cancelled: bool,
    now: u64,
) -> (State, String) {
    let Some((attempt, known)) = known else {
        return match queued {
            _ if is_cancelled => (State::Stopped, "it was called off before it began".to_string()),
            Some(None) => (State::Failed, "it left the queue before it began".to_string()),
            _ => (State::Waiting, String::new()),
        };
    };
    match (&known.problem, known.left) {
        (Some(problem), _) => return (State::Failed, problem.clone()),
        (None, Some(0)) => return (State::Done, String::new()),
        (None, Some(left)) => return (State::Stopped, format!("it was told to end; {left} games are left")),
        (None, None) => {}
    }
    match queued {
        Some(None) => return (State::Failed, "it ended without a word".to_string()),
        Some(Some("PENDING" | "REQUEUED" | "REQUEUE_HOLD")) => return (State::Waiting, String::new()),
        _ => {}
    }
    let file = run.join(format!("games-{}.jsonl", file_name(number, index, *attempt)));
    let heard = fs::metadata(file).and_then(|data| data.modified()).ok().map(seconds);
    let per_game = expected / known.games.max(1) as f64;
    if queued.is_none() && known.is_silent(heard, now, PATIENCE.max((10.0 * per_game) as u64)) {
        return (
            State::Failed,
            format!("nobody has heard of it for {} minutes", now.saturating_sub(heard.unwrap_or(known.began)) / 60),
        );
    }
    let lasted = now.saturating_sub(known.began);
    if lasted as f64 > 2.0 * expected + 60.0 {
        return (State::Late, format!("it was to take {:.0} s and has taken {lasted} s", expected));
    }
    (State::Running, String::new())
}

/// The last lines of a log, and not more than a page of bytes.
fn tail(path: &Path) -> Vec<String> {
    use std::io::{Read, Seek, SeekFrom};
    let read = || -> std::io::Result<Vec<u8>> {
        let mut file = fs::File::open(path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(4096)))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let text = read().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(TAIL)..].iter().map(|line| line.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(known: Option<Attempt>, queued: Option<Option<&str>>, now: u64) -> State {
        let known = known.map(|attempt| (0, attempt));
        judge(Path::new("/nowhere"), 1, 0, known.as_ref(), 100.0, queued, false, now).0
    }

    #[test]
    fn states_follow_from_files_and_queue() {
        let began = Attempt { began: 1000, games: 10, ..Attempt::default() };
        assert_eq!(judged(None, None, 1010), State::Waiting);
        assert_eq!(judged(None, Some(None), 1010), State::Failed);
        assert_eq!(judged(Some(began.clone()), None, 1010), State::Running);
        assert_eq!(judged(Some(began.clone()), Some(Some("RUNNING")), 1300), State::Late);
        assert_eq!(judged(Some(began.clone()), Some(Some("RUNNING")), 1250), State::Running);
        assert_eq!(judged(Some(began.clone()), Some(Some("PENDING")), 1300), State::Waiting, "it is begun again");
        assert_eq!(judged(Some(began.clone()), Some(None), 1010), State::Failed);
        assert_eq!(judged(Some(began.clone()), None, 4000), State::Failed, "silent for long");
        let ended = |left| Attempt { ended: Some(1100), left: Some(left), ..began.clone() };
        assert_eq!(judged(Some(ended(0)), None, 4000), State::Done);
        assert_eq!(judged(Some(ended(3)), None, 4000), State::Stopped);
        let failed = Attempt { problem: Some("disk full".to_string()), ..ended(3) };
        assert_eq!(judged(Some(failed), None, 4000), State::Failed);
    }
}
