//! When threads stop: simulations come from a pool, of which each takes a few at a time, and the first to see a limit ends
//! the search of all.

use crate::budget::{Budget, StopReason, Watch};
use crate::search::Stop;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

/// What all threads of a search look at.
#[derive(Debug)]
pub(super) struct Pool<'a> {
    budget: Budget,
    started: Instant,
    stop: &'a AtomicBool,
    threads: u64,
    /// Simulations that nobody has taken.
    left: AtomicU64,
    taken: AtomicU64,
    /// Why the search is over, as a number; 0 while it is not.
    over: AtomicU8,
    /// Whether the search pauses when the tree is full.
    pauses: bool,
}

/// Waits for threads; who panicked is heard here.
pub(super) fn join(threads: Vec<ScopedJoinHandle<'_, ()>>) {
    for thread in threads {
        if let Err(panic) = thread.join() {
            std::panic::resume_unwind(panic);
        }
    }
}

/// Reasons by their numbers.
const REASONS: [StopReason; 6] = [
    StopReason::Simulations,
    StopReason::Time,
    StopReason::Nodes,
    StopReason::Proven,
    StopReason::Asked,
    StopReason::Done,
];

impl<'a> Pool<'a> {
    pub(super) fn start(budget: Budget, stop: &'a AtomicBool, threads: usize, pauses: bool) -> Self {
        Self {
            started: Instant::now(),
            stop,
            threads: threads as u64,
            left: AtomicU64::new(budget.simulations.unwrap_or(u64::MAX)),
            taken: AtomicU64::new(0),
            over: AtomicU8::new(0),
            pauses,
            budget,
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Simulations that were taken.
    pub(super) fn simulations(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// A few simulations: fewer when few are left, so that all threads end at the same time.
    fn take(&self) -> u64 {
        let portion = |left: u64| (left / (self.threads * 16)).clamp(1, 64).min(left);
        let take = |left: u64| (left > 0).then(|| left - portion(left));
        let Ok(before) = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) else { return 0 };
        self.taken.fetch_add(portion(before), Ordering::Relaxed);
        portion(before)
    }

    /// Takes back simulations that were not made.
    fn give_back(&self, simulations: u64) {
        self.left.fetch_add(simulations, Ordering::Relaxed);
        self.taken.fetch_sub(simulations, Ordering::Relaxed);
    }

    /// The search is over. Simulations that are made are a reason of one thread only: others still make theirs.
    pub(super) fn end(&self, reason: StopReason) {
        if reason != StopReason::Simulations {
            let number = REASONS.iter().position(|&other| other == reason).unwrap_or(0) as u8;
            // Who comes first says why.
            let _ = self.over.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Why it is over.
    pub(super) fn reason(&self) -> StopReason {
        REASONS[usize::from(self.over.load(Ordering::Relaxed))]
    }

    /// More simulations.
    pub(super) fn go_on(&mut self, simulations: u64) {
        *self.left.get_mut() += simulations;
    }

    /// A search that paused goes on; without room it pauses no more.
    pub(super) fn has_room(&mut self, has_room: bool) {
        *self.over.get_mut() = 0;
        self.pauses &= has_room;
    }
}

/// One thread at work.
pub(super) struct Shift<'a, 'b, F> {
    pool: &'b Pool<'a>,
    watch: Watch<'a>,
    /// Simulations that it has taken and not made.
    left: Cell<u64>,
    /// Whether the tree is full.
    is_full: F,
}

impl<'a, 'b, F: Fn() -> bool> Shift<'a, 'b, F> {
    /// Begins; somebody wants to hear of the search every `interval`.
    pub(super) fn new(pool: &'b Pool<'a>, interval: Option<Duration>, is_full: F) -> Self {
        // A search that paused has so much less; of processor time no thread had more.
        let left = |time: Duration| time.saturating_sub(pool.elapsed());
        let Budget { time, cpu_time, nodes, .. } = pool.budget;
        let budget = Budget { simulations: None, time: time.map(left), cpu_time: cpu_time.map(left), nodes };
        Self { pool, watch: Watch::start(budget, pool.stop, interval), left: Cell::new(0), is_full }
    }
}

impl<F> Drop for Shift<'_, '_, F> {
    fn drop(&mut self) {
        self.pool.give_back(self.left.get());
    }
}

impl<F: Fn() -> bool> Stop for Shift<'_, '_, F> {
    #[inline(always)]
    fn reached(&self, simulations: u64, nodes: u64, is_proven: bool) -> Option<StopReason> {
        if let Some(reason) = self.watch.reached(simulations, nodes, is_proven) {
            return Some(reason);
        }
        if self.pool.over.load(Ordering::Relaxed) != 0 {
            return Some(self.pool.reason());
        }
        if self.pool.pauses && (self.is_full)() {
            return Some(StopReason::Done);
        }
        if self.left.get() == 0 {
            self.left.set(self.pool.take());
            if self.left.get() == 0 {
                return Some(StopReason::Simulations);
            }
        }
        self.left.set(self.left.get() - 1);
        None
    }

    fn is_late(&self) -> bool {
        self.watch.is_late()
    }

    fn is_asked(&mut self, simulations: u64) -> bool {
        self.watch.is_asked(simulations)
    }

    /// Simulations are added for all threads at once, when all have made theirs.
    fn simulations(&self) -> Option<u64> {
        None
    }

    fn extend(&mut self, _: u64) {}
}
