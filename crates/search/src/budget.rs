//! When a search stops: a chain of limits, whichever is reached first.

#[cfg(feature = "std")]
pub use crate::watch::Watch;

use core::time::Duration;

/// The limits of one search; what is `None` does not limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// Simulations.
    pub simulations: Option<u64>,
    /// Wall time.
    pub time: Option<Duration>,
    /// Processor time of the searching thread.
    pub cpu_time: Option<Duration>,
    /// Nodes in the tree.
    pub nodes: Option<u64>,
}

impl Budget {
    /// So many simulations and nothing else.
    pub const fn simulations(simulations: u64) -> Self {
        Self { simulations: Some(simulations), time: None, cpu_time: None, nodes: None }
    }

    /// So much wall time and nothing else.
    pub const fn time(time: Duration) -> Self {
        Self { simulations: None, time: Some(time), cpu_time: None, nodes: None }
    }

    /// Limits as options give them, times in seconds.
    pub fn of_seconds(simulations: Option<u64>, time: Option<f64>, cpu: Option<f64>, nodes: Option<u64>) -> Self {
        let (time, cpu_time) = (time.map(Duration::from_secs_f64), cpu.map(Duration::from_secs_f64));
        Self { simulations, time, cpu_time, nodes }
    }

    /// These limits, or others where nothing limits.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self.is_endless() { other } else { self }
    }

    /// Whether nothing limits.
    pub fn is_endless(&self) -> bool {
        *self == Self::default()
    }
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// All simulations were made.
    Simulations,
    /// The time was up.
    Time,
    /// The tree reached its number of nodes.
    Nodes,
    /// The value of the position is proven.
    Proven,
    /// Somebody asked.
    Asked,
    /// The agent has nothing more to look at.
    Done,
}

impl StopReason {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            StopReason::Simulations => "simulations made",
            StopReason::Time => "time is up",
            StopReason::Nodes => "nodes used up",
            StopReason::Proven => "position proven",
            StopReason::Asked => "stopped",
            StopReason::Done => "done",
        }
    }
}
