//! Games of a plan on all cores, with progress that Python hears of and Ctrl-C.

use crate::attend::watched;
use crate::error::lab;
use crate::own::list::is_python;
use pyo3::prelude::*;
use spinney_lab::LabError;
use spinney_lab::plan::Plan;
use spinney_lab::referee::Referee;
use spinney_lab::runner::{self, Event, Found, Task};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What is played, and how it is told.
pub struct Playing<'py> {
    /// How many threads, if that was said.
    pub threads: Option<usize>,
    /// Called with what has been played and what there is to play.
    pub progress: Option<Bound<'py, PyAny>>,
}

impl Playing<'_> {
    /// All cores, or one where the interpreter's lock lets no more play at once.
    fn threads(&self, plan: &Plan) -> usize {
        let games = plan.cells.iter().map(|cell| &cell.game).chain(plan.measurements.iter().map(|one| &one.game));
        let usual = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let is_locked = || games.map(String::as_str).any(is_python);
        self.threads.unwrap_or_else(|| if is_locked() { 1 } else { usual() }).max(1)
    }

    /// Plays tasks and hands on what is found, until all is done or a signal comes.
    pub fn play(
        self,
        py: Python<'_>,
        plan: &Plan,
        referee: &Referee,
        tasks: Vec<Task>,
        keep: impl FnMut(Found) -> Result<(), LabError> + Send,
    ) -> PyResult<()> {
        let threads = self.threads(plan);
        let total = AtomicU64::new(tasks.iter().map(|task| task.count(plan)).sum());
        let played = AtomicU64::new(0);
        let tell = |event: Event| match event {
            Event::Played { .. } | Event::Repeated { .. } => drop(played.fetch_add(1, Ordering::Relaxed)),
            Event::Spared { games, .. } => drop(total.fetch_sub(games, Ordering::Relaxed)),
            Event::Started { .. } | Event::Decided { .. } | Event::Clocked { .. } => {}
            Event::GivenBack { .. } | Event::Helped { .. } => {}
        };
        let progress = self.progress.map(Bound::unbind);
        let mut told = None;
        let mut report = |py: Python<'_>| {
            let now = (played.load(Ordering::Relaxed), total.load(Ordering::Relaxed));
            match &progress {
                Some(progress) if told.replace(now) != Some(now) => progress.call1(py, now).map(drop),
                _ => Ok(()),
            }
        };
        let stop = AtomicBool::new(false);
        let play = || runner::play_with(plan, referee, tasks, threads, &stop, &tell, keep);
        let result = watched(py, &stop, &mut report, play)?;
        report(py)?;
        result.map_err(lab)
    }
}
