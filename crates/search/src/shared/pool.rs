//! Values of moves that threads learn together: each adds what it has learned since it was last here to what all know, and
//! goes on with that.

use crate::playout::{ActionValues, Totals};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A thread looks at what the others have learned as often as takes this part of its time,
const PART: u32 = 144;
/// but after no fewer and no more simulations than these.
const INTERVALS: [u32; 2] = [8, 1024];
/// If another is there, it comes again after so many.
const RETRY: u32 = 4;

/// A thread's share in what all learn.
#[derive(Debug)]
pub struct ValuePool {
    /// What all threads know.
    known: Arc<Mutex<Totals>>,
    /// What it knew when it was last there.
    before: Totals,
    /// Simulations before it comes again, of how many since it was there, and when that was.
    wait: u32,
    interval: u32,
    last: Instant,
}

impl ValuePool {
    /// A pool for one search by so many threads.
    pub(super) fn for_threads(threads: usize) -> Vec<Self> {
        let known = Arc::<Mutex<Totals>>::default();
        let [wait, interval] = [INTERVALS[0]; 2];
        let one =
            |_| Self { known: Arc::clone(&known), before: Totals::default(), wait, interval, last: Instant::now() };
        (0..threads).map(one).collect()
    }

    /// Called after every simulation.
    #[inline(always)]
    pub(crate) fn visit(&mut self, values: &mut ActionValues) {
        self.wait -= 1;
        if self.wait == 0 {
            self.exchange(values);
        }
    }

    #[cold]
    fn exchange(&mut self, values: &mut ActionValues) {
        let started = Instant::now();
        let Ok(mut known) = self.known.try_lock() else {
            // Nobody waits for others.
            (self.wait, self.interval) = (RETRY, self.interval + RETRY);
            return;
        };
        values.exchange(&mut known, &mut self.before);
        let now = Instant::now();
        let simulation = ((started - self.last) / self.interval).max(Duration::from_nanos(1));
        let wait = ((now - started) * PART).as_nanos() / simulation.as_nanos();
        self.wait = (wait as u32).clamp(INTERVALS[0], INTERVALS[1]);
        (self.interval, self.last) = (self.wait, now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::{Outcomes, Scope};

    /// One thread has seen a win and a loss of move 1, the other two wins of it and a loss of move 2: together three wins of
    /// four, and after a further loss three of five.
    #[test]
    fn what_one_learns_all_know() {
        let scope = Scope::new(4, Outcomes::Results);
        let mut values = [ActionValues::new(&scope, 0.0), ActionValues::new(&scope, 0.0)];
        let mut pools = ValuePool::for_threads(2);
        for (own, number, outcome) in [(0, 2, 1.0), (0, 2, -1.0), (1, 2, 1.0), (1, 2, 1.0), (1, 4, -1.0)] {
            values[own].add(number, outcome);
        }
        for turn in [0, 1, 0] {
            pools[turn].exchange(&mut values[turn]);
        }
        assert_eq!([0, 1].map(|own| (values[own].mean(2), values[own].mean(4))), [(0.5, -1.0); 2]);
        values[1].add(2, -1.0);
        for turn in [1, 0, 0, 1] {
            pools[turn].exchange(&mut values[turn]);
        }
        assert!(values.iter().all(|own| (own.mean(2) - 0.2).abs() < 1e-6 && own.mean(4) == -1.0));
    }
}
