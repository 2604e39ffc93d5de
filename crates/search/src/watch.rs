//! The clock of a search: a budget at work.

use crate::budget::{Budget, StopReason};
use crate::search::{Counts, Stop};
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
    counts: Counts,
    /// How often somebody wants to hear of the search, and when next.
    reports: Option<(Duration, Duration)>,
}

/// The clock is read every so many simulations, and for reports every so many (powers of two less one).
const CLOCK_MASK: u64 = 7;
const REPORT_MASK: u64 = 15;

impl<'a> Watch<'a> {
    /// Starts the clock; somebody wants to hear of the search every `interval`.
    pub fn start(budget: Budget, stop: &'a AtomicBool, interval: Option<Duration>) -> Self {
        let started_cpu = budget.cpu_time.map(|_| ThreadTime::now());
        let reports = interval.map(|interval| (interval, interval));
        Self { budget, started: Instant::now(), started_cpu, stop, counts: Counts::new(&budget), reports }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

impl Stop for Watch<'_> {
    #[inline(always)]
    fn reached(&self, simulations: u64, nodes: u64, is_proven: bool) -> Option<StopReason> {
        if let Some(reason) = self.counts.reached(simulations, nodes, is_proven) {
            return Some(reason);
        }
        if simulations & CLOCK_MASK == 0 {
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

    /// Whether a limit of time has gone by or somebody asked to stop.
    fn is_late(&self) -> bool {
        let is_over_cpu =
            || self.budget.cpu_time.zip(self.started_cpu).is_some_and(|(most, started)| started.elapsed() >= most);
        self.stop.load(Ordering::Relaxed)
            || self.budget.time.is_some_and(|most| self.started.elapsed() >= most)
            || is_over_cpu()
    }

    #[inline(always)]
    fn is_asked(&mut self, simulations: u64) -> bool {
        let Some((interval, next)) = self.reports else { return false };
        let is_asked = simulations & REPORT_MASK == REPORT_MASK && self.elapsed() >= next;
        if is_asked {
            self.reports = Some((interval, self.elapsed() + interval));
        }
        is_asked
    }

    fn simulations(&self) -> Option<u64> {
        self.counts.simulations()
    }

    fn extend(&mut self, simulations: u64) {
        self.counts.extend(simulations);
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
        let watch = Watch::start(budget, &stop, None);
        assert_eq!(watch.reached(10, 10, false), None);
        assert_eq!(watch.reached(100, 10, false), Some(StopReason::Simulations));
        assert_eq!(watch.reached(10, 50, false), Some(StopReason::Nodes));
        assert_eq!(watch.reached(0, 0, true), Some(StopReason::Proven));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(watch.reached(8, 10, false), Some(StopReason::Asked));
    }
}
