//! What a server takes on at most.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The largest body of a request.
pub const BODY_BYTES: usize = 1_000_000;
/// The longest game that is asked about.
pub const MOST_MOVES: usize = 5_000;

/// Limits of a server, for all its visitors together or for each search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Searches at the same time; others wait.
    pub searches: usize,
    /// Connections that may ask for searches.
    pub connections: usize,
    /// Diagnoses at the same time.
    pub diagnoses: usize,
    /// Seconds of a search.
    pub seconds: u64,
    /// Simulations of a search.
    pub simulations: u64,
    /// Megabytes of a search's tree.
    pub megabytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            searches: 2 * cores,
            connections: 128,
            diagnoses: 2,
            seconds: 600,
            simulations: 100_000_000,
            megabytes: 512,
        }
    }
}

/// Places for searches, given in the order in which they are asked for.
#[derive(Debug)]
pub struct Searches {
    places: Arc<Semaphore>,
    connections: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl Searches {
    /// As many places as the limits say.
    pub fn new(limits: &Limits) -> Self {
        Self {
            places: Arc::new(Semaphore::new(limits.searches)),
            connections: Arc::new(Semaphore::new(limits.connections)),
            waiting: AtomicUsize::new(0),
        }
    }

    /// A connection's place, as long as it is kept; `None` if all are taken.
    pub fn connection(&self) -> Option<OwnedSemaphorePermit> {
        self.connections.clone().try_acquire_owned().ok()
    }

    /// A search's place; if all are taken, `waiting` is told how many are before it, and it waits.
    pub async fn place(&self, waiting: impl FnOnce(usize)) -> Option<OwnedSemaphorePermit> {
        if let Ok(permit) = self.places.clone().try_acquire_owned() {
            return Some(permit);
        }
        /// Counts a waiting search for as long as it waits, also if its visitor goes away.
        struct Waiting<'a>(&'a AtomicUsize);
        impl Drop for Waiting<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Ordering::Relaxed);
            }
        }
        waiting(self.waiting.fetch_add(1, Ordering::Relaxed));
        let _counted = Waiting(&self.waiting);
        self.places.clone().acquire_owned().await.ok()
    }
}
