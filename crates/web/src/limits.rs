//! What a server takes on at most.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The largest body of a request.
pub const BODY_BYTES: usize = 1_000_000;
/// The longest game that is asked about.
pub const MOST_MOVES: usize = 5_000;
/// Legal moves of a position that is shown or searched.
pub const MOST_LEGAL: usize = 50_000;
/// How long a rule sheet may take to be built, and a position of one to be worked out.
pub const BUILDING: Duration = Duration::from_secs(60);
pub const LOOKING: Duration = Duration::from_secs(20);
/// How long a body may take to arrive.
pub const ARRIVAL: Duration = Duration::from_secs(20);
/// Rule sheets that are built at the same time, and positions of rule sheets that are worked out; others wait.
pub const BUILDS: usize = 2;
pub const LOOKS: usize = 4;
/// Threads for what may take long, beside those of searches and runs.
pub const THREADS: usize = 32;
/// Bodies up to this length are always read.
pub const SHORT_BODY: usize = 64_000;

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
    /// Bytes that messages, rule sheets and trees of all visitors may take together, about.
    pub memory: usize,
}

impl Limits {
    /// Bytes of what visitors send.
    pub(crate) fn message_bytes(&self) -> usize {
        (self.memory / 8).clamp(4 << 20, 128 << 20)
    }

    /// Bytes of a rule sheet while it is built, and afterwards.
    pub(crate) fn build_bytes(&self) -> usize {
        self.memory / 8
    }

    /// Bytes of what a search of a rule sheet has proved; a search has two such cursors.
    pub(crate) fn cursor_bytes(&self) -> usize {
        self.memory / 64
    }

    /// Bytes of all pasted rule sheets that are kept.
    pub(crate) fn pasted_bytes(&self) -> usize {
        self.memory / 8
    }

    /// Trees that are kept when their search is over, to be looked into.
    pub(crate) fn kept_trees(&self) -> usize {
        self.searches / 2 + 1
    }

    /// Megabytes of one tree; all that there can be take three eighths of the memory.
    pub(crate) fn tree_megabytes(&self) -> u32 {
        let trees = self.searches + self.kept_trees() + self.diagnoses;
        let share = (self.memory / 8 * 3 / trees.max(1) / 1_000_000) as u64;
        u32::try_from(self.megabytes.min(share)).unwrap_or(u32::MAX).max(1)
    }

    /// Connections for searches; each may have two threads.
    pub(crate) fn thinkers(&self) -> usize {
        self.connections.min(self.memory / 12_000_000).max(1)
    }
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
            memory: spinney_ggp::memory::granted(32_000_000_000),
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
            connections: Arc::new(Semaphore::new(limits.thinkers())),
            waiting: AtomicUsize::new(0),
        }
    }

    /// A connection's place, as long as it is kept; `None` if all are taken.
    pub fn connection(&self) -> Option<OwnedSemaphorePermit> {
        self.connections.clone().try_acquire_owned().ok()
    }

    /// A place for a search that nobody waits for, if there is one to spare.
    pub fn free_place(&self) -> Option<OwnedSemaphorePermit> {
        self.places.clone().try_acquire_owned().ok()
    }

    /// Whether a search waits for a place.
    pub fn has_waiting(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// A search's place; if all are taken, `waiting` is told how many are before it, and it waits.
    pub async fn place(&self, waiting: impl FnOnce(usize)) -> Option<OwnedSemaphorePermit> {
        if let Some(permit) = self.free_place() {
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

/// Lets the threads of others go first, and with them those of the page that shows what this one finds; its own
/// threads do the same.
pub fn step_back() {
    // The priority of a thread; elsewhere it is that of the whole program, which answers visitors.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(5);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_are_within_the_memory() {
        for (memory, searches) in [(64_000_000, 4), (430_000_000, 4), (4_000_000_000, 32), (32_000_000_000, 4)] {
            let limits = Limits { memory, searches, ..Limits::default() };
            let trees = searches + limits.kept_trees() + limits.diagnoses;
            let rest = limits.message_bytes() + BUILDS * limits.build_bytes() + limits.pasted_bytes();
            assert!(trees * limits.tree_megabytes() as usize * 1_000_000 + rest <= memory, "{limits:?}");
        }
        assert_eq!(Limits { memory: 32_000_000_000, searches: 4, ..Limits::default() }.tree_megabytes(), 512);
    }
}
