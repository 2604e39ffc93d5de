//! What the threads of a match share: its history, the question under way, and the machine it is played with.
//!
//! The history is what the manager told, whatever becomes of it: each machine follows it from the beginning when it comes.

use crate::memory::Share;
use crate::ticket::Ticket;
use spinney_gdl::Machine;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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
    /// Ends everything.
    pub stop: Arc<AtomicBool>,
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
            stop: Arc::new(AtomicBool::new(false)),
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
        self.changed.notify_all();
        result
    }

    /// The number of the last change.
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Ends the match.
    pub(crate) fn end(&self) {
        self.stop.store(true, Ordering::Relaxed);
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
