//! The clock of a search: a budget at work.

use crate::budget::{Budget, StopReason};
use cpu_time::ThreadTime;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A budget at work.
#[derive(Clone, Copy, Debug)]
pub struct Watch<'a> {
    budget: Budget,
    started: Instant,
    started_cpu: Option<ThreadTime>,
    stop: &'a AtomicBool,
    /// The clock is read every so many simulations (a power of two less one).
    clock_mask: u64,
}

impl<'a> Watch<'a> {
    /// Starts the clock.
    pub fn start(budget: Budget, stop: &'a AtomicBool) -> Self {
        let started_cpu = budget.cpu_time.map(|_| ThreadTime::now());
        Self { budget, started: Instant::now(), started_cpu, stop, clock_mask: 7 }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The chain: the first limit that has been reached.
    #[inline(always)]
    pub fn reached(&self, simulations: u64, nodes: u64, proven: bool) -> Option<StopReason> {
        if proven {
            return Some(StopReason::Proven);
        }
        if self.budget.simulations.is_some_and(|most| simulations >= most) {
            return Some(StopReason::Simulations);
        }
        if self.budget.nodes.is_some_and(|most| nodes >= most) {
            return Some(StopReason::Nodes);
        }
        if simulations & self.clock_mask == 0 {
            if self.stop.load(Ordering::Relaxed) {
                return Some(StopReason::Asked);
            }
            if self.budget.time.is_some_and(|most| self.started.elapsed() >= most) {
                return Some(StopReason::Time);
            }
            if let (Some(most), Some(started)) = (self.budget.cpu_time, self.started_cpu)
                && started.elapsed() >= most
            {
                return Some(StopReason::Time);
            }
        }
        None
    }

    /// Whether a limit of time has gone by or somebody asked to stop, for searches whose simulations take long.
    pub fn is_late(&self) -> bool {
        let is_over_cpu =
            || self.budget.cpu_time.zip(self.started_cpu).is_some_and(|(most, started)| started.elapsed() >= most);
        self.stop.load(Ordering::Relaxed)
            || self.budget.time.is_some_and(|most| self.started.elapsed() >= most)
            || is_over_cpu()
    }

    /// The simulations asked for, if they are limited.
    pub fn simulations(&self) -> Option<u64> {
        self.budget.simulations
    }

    /// The same watch with more simulations.
    #[must_use]
    pub fn extended(mut self, simulations: u64) -> Self {
        self.budget.simulations = self.budget.simulations.map(|most| most.saturating_add(simulations));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_limit_reached_counts() {
        let stop = AtomicBool::new(false);
        let budget = Budget {
            simulations: Some(100),
            time: Some(Duration::from_secs(3600)),
            nodes: Some(50),
            ..Budget::default()
        };
        let watch = Watch::start(budget, &stop);
        assert_eq!(watch.reached(10, 10, false), None);
        assert_eq!(watch.reached(100, 10, false), Some(StopReason::Simulations));
        assert_eq!(watch.reached(10, 50, false), Some(StopReason::Nodes));
        assert_eq!(watch.reached(0, 0, true), Some(StopReason::Proven));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(watch.reached(8, 10, false), Some(StopReason::Asked));
    }
}
