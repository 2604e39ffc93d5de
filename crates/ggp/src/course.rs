//! What the threads of a match share: its history, the question under way, and the machine it is played with.
//!
//! The history is what the manager told, whatever becomes of it: each machine follows it from the beginning when it comes.

use crate::memory::Share;
use crate::ticket::Ticket;
use spinney_gdl::{Cancel, Machine};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The course of a match.
pub(crate) struct Course {
    /// Its name.
    pub id: String,
    /// When the start clock runs out.
    started: Instant,
    told: Mutex<Told>,
    changed: Condvar,
    /// Grows with every change, so that a search sees one at the cost of a look.
    version: AtomicU64,
    /// Whether its rules are read and it has a place.
    is_admitted: AtomicBool,
    /// Ends everything.
    pub stop: Cancel,
    /// Set with every change: calls off what a search is working out.
    pub attention: Arc<AtomicBool>,
}

/// The matches under way, by their names in small letters.
pub(crate) struct Courses {
    most: usize,
    running: Mutex<HashMap<String, Arc<Course>>>,
    /// Messages that are being read and may become matches.
    reading: AtomicUsize,
}

/// Messages that may become matches and are read at the same time.
const MOST_READING: usize = 8;
/// A match of which nothing was heard for so long beyond its clock is forgotten.
const FORGOTTEN: Duration = Duration::from_secs(120);

impl Courses {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, running: Mutex::new(HashMap::new()), reading: AtomicUsize::new(0) })
    }

    /// Those under way; those that have ended by themselves or were left alone for long are forgotten.
    fn running(&self) -> MutexGuard<'_, HashMap<String, Arc<Course>>> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|_, course| {
            let patience = course.told().patience;
            if patience.elapsed() > FORGOTTEN {
                course.end();
            }
            !course.is_stopped()
        });
        running
    }

    /// Whether no further match can begin.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full_of(&self.running())
    }

    fn is_full_of(&self, running: &HashMap<String, Arc<Course>>) -> bool {
        running.values().filter(|course| course.is_admitted.load(Ordering::Relaxed)).count() >= self.most
    }

    /// The match of this name, also if its rules are still being read.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<Course>> {
        self.running().get(&id.to_ascii_lowercase()).cloned()
    }

    /// Lets the rules of a match be read, if there may be room for it and no other has its name: what is said to it
    /// meanwhile is not lost. [`Courses::has_read`] has to follow.
    pub(crate) fn enter(&self, course: &Arc<Course>) -> bool {
        let mut running = self.running();
        let key = course.id.to_ascii_lowercase();
        if self.is_full_of(&running) || running.contains_key(&key) {
            return false;
        }
        if self.reading.fetch_add(1, Ordering::Relaxed) >= MOST_READING {
            self.has_read();
            return false;
        }
        running.insert(key, Arc::clone(course)).is_none()
    }

    pub(crate) fn has_read(&self) {
        self.reading.fetch_sub(1, Ordering::Relaxed);
    }

    /// Lets a match begin whose rules are read, if there is room.
    pub(crate) fn admit(&self, course: &Course) -> bool {
        let running = self.running();
        let has_room = !self.is_full_of(&running);
        course.is_admitted.store(has_room, Ordering::Relaxed);
        has_room
    }

    pub(crate) fn remove(&self, id: &str) -> Option<Arc<Course>> {
        self.running().remove(&id.to_ascii_lowercase())
    }
}

/// What is known.
pub(crate) struct Told {
    /// The moves of all roles, step by step, as they were sent.
    pub history: Vec<Vec<String>>,
    /// Bytes of the history.
    share: Share,
    bytes: usize,
    /// The question under way.
    pub asked: Option<Asked>,
    /// The machine, and how many there were.
    pub machine: Option<Machine>,
    pub machines: usize,
    /// Whether a better machine will come.
    pub is_built: bool,
    /// Own legal moves after so many steps of the history, as the manager writes them.
    pub legal: Option<Legal>,
    pub playclock: Duration,
    /// Until when nothing need be heard.
    pub patience: Instant,
    pub moves_made: usize,
}

/// Own legal moves.
pub(crate) struct Legal {
    pub step: usize,
    pub moves: Vec<String>,
}

/// A question for a move.
#[derive(Clone)]
pub(crate) struct Asked {
    pub ticket: Arc<Ticket>,
    /// Thinking ends here.
    pub until: Instant,
}

impl Course {
    pub(crate) fn new(id: &str, share: Share) -> Arc<Self> {
        let told = Told {
            history: Vec::new(),
            share,
            bytes: 0,
            asked: None,
            machine: None,
            machines: 0,
            is_built: false,
            legal: None,
            playclock: Duration::ZERO,
            patience: Instant::now(),
            moves_made: 0,
        };
        Arc::new(Self {
            id: id.to_string(),
            started: Instant::now(),
            told: Mutex::new(told),
            changed: Condvar::new(),
            version: AtomicU64::new(1),
            is_admitted: AtomicBool::new(false),
            stop: Cancel::default(),
            attention: Arc::new(AtomicBool::new(false)),
        })
    }

    /// How long the match has been known.
    pub(crate) fn age(&self) -> Duration {
        self.started.elapsed()
    }

    pub(crate) fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what is known, and tells everybody.
    pub(crate) fn change<T>(&self, how: impl FnOnce(&mut Told) -> T) -> T {
        let mut told = self.told();
        let result = how(&mut told);
        self.version.fetch_add(1, Ordering::Release);
        self.attention.store(true, Ordering::Relaxed);
        self.changed.notify_all();
        result
    }

    /// The number of the last change.
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Ends the match.
    pub(crate) fn end(&self) {
        self.stop.cancel();
        let asked = self.change(|told| told.asked.take());
        if let Some(asked) = asked {
            asked.ticket.finish();
        }
    }

    /// Waits until something has changed since `seen`; false when the match is over.
    pub(crate) fn wait(&self, seen: u64, until: Option<Instant>) -> bool {
        let mut told = self.told();
        while self.version() == seen && !self.is_stopped() {
            let left = until.map_or(Duration::from_secs(1), |until| until.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                break;
            }
            told = self.changed.wait_timeout(told, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        !self.is_stopped()
    }

    /// Takes the moves that were made and asks for the next one; false if there is no memory for them.
    pub(crate) fn ask(&self, moves: Option<Vec<String>>, asked: Asked) -> bool {
        let (is_kept, before) = self.change(|told| {
            if let Some(moves) = moves {
                // A text, its place in a list and what an allocation costs.
                told.bytes += moves.iter().map(|text| text.len() + 64).sum::<usize>() + 64;
                if !told.share.grow(told.bytes) {
                    return (false, None);
                }
                told.history.push(moves);
            }
            told.moves_made += 1;
            (true, told.asked.replace(asked))
        });
        // A manager that asks again no longer waits for the older answer.
        if let Some(before) = before {
            before.ticket.finish();
        }
        is_kept
    }
}
