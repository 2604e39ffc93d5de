//! The progress of a run: one line for each cell that is being played, and one for all.

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use spinney_lab::Event;
use spinney_lab::plan::Plan;
use spinney_lab::store::Contents;
use spinney_stats::{Moments, Z95};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Draws what the runner tells.
pub struct Display<'a> {
    plan: &'a Plan,
    lines: MultiProgress,
    total: ProgressBar,
    cells: Mutex<BTreeMap<usize, (ProgressBar, Moments)>>,
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style.progress_chars("█▉▊▋▌▍▎▏ ")),
        Err(_) => bar,
    }
}

impl<'a> Display<'a> {
    /// For a run of which `missing` games are still to be played here.
    pub fn new(plan: &'a Plan, contents: &Contents, missing: u64) -> Self {
        let lines = MultiProgress::new();
        let total = ProgressBar::new(missing);
        let total = lines.add(styled(total, "{bar:30} {pos}/{len} games  {per_sec}  left {eta}"));
        total.enable_steady_tick(Duration::from_millis(250));
        let mut cells = BTreeMap::new();
        for (&(cell, _, _), record) in &contents.games {
            let moments: &mut (ProgressBar, Moments) =
                cells.entry(cell).or_insert_with(|| (ProgressBar::hidden(), Moments::default()));
            moments.1.add(record.score_of_a());
        }
        Self { plan, lines, total, cells: Mutex::new(cells) }
    }

    /// Takes note of an event.
    pub fn tell(&self, event: Event) {
        let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Started { cell } => {
                let planned = 2 * self.plan.cells[cell].pairs;
                let entry = cells.entry(cell).or_insert_with(|| (ProgressBar::hidden(), Moments::default()));
                if entry.0.is_hidden() && !self.lines.is_hidden() {
                    let bar = styled(ProgressBar::new(planned), "{prefix:.bold} {bar:16} {percent:>3} %  {msg}");
                    let bar = self.lines.insert_before(&self.total, bar);
                    bar.set_prefix(self.plan.cells[cell].label());
                    bar.set_position(entry.1.count());
                    entry.0 = bar;
                }
            }
            Event::Played { cell, score } => {
                let planned = 2 * self.plan.cells[cell].pairs;
                let entry = cells.entry(cell).or_insert_with(|| (ProgressBar::hidden(), Moments::default()));
                entry.1.add(score);
                entry.0.inc(1);
                let words = self.words(cell, &entry.1);
                entry.0.set_message(words.clone());
                if entry.1.count() >= planned {
                    entry.0.finish_and_clear();
                    let line = format!("{}  {words}", self.plan.cells[cell].label());
                    // Where no lines are drawn, a finished cell is still worth a line.
                    if self.lines.is_hidden() {
                        eprintln!("{line}");
                    } else {
                        let _ = self.lines.println(line);
                    }
                }
                drop(cells);
                self.total.inc(1);
            }
            Event::Decided { cell } => {
                let (bar, moments) = cells.entry(cell).or_insert_with(|| (ProgressBar::hidden(), Moments::default()));
                bar.finish_and_clear();
                let planned = &self.plan.cells[cell];
                let line = format!("{}  {:.1} %  decided by its rule", planned.label(), 100.0 * moments.mean());
                if self.lines.is_hidden() {
                    eprintln!("{line}");
                } else {
                    let _ = self.lines.println(line);
                }
            }
            Event::Spared { games, .. } => {
                self.total.set_length(self.total.length().unwrap_or_default().saturating_sub(games));
            }
            Event::Repeated { .. } => self.total.inc(1),
        }
    }

    fn words(&self, cell: usize, moments: &Moments) -> String {
        let margin = Z95 * (moments.variance() / moments.count().max(1) as f64).sqrt();
        let mut words = format!("{:.1} ± {:.1} %", 100.0 * moments.mean(), 100.0 * margin);
        if let Some(published) = &self.plan.cells[cell].published {
            words += &format!("  published {:.1}", 100.0 * published.score);
            words += &published.margin.map_or(String::new(), |margin| format!(" ± {:.1}", 100.0 * margin));
        }
        words
    }

    /// Takes all lines away.
    pub fn finish(&self) {
        for (bar, _) in self.cells.lock().unwrap_or_else(PoisonError::into_inner).values() {
            bar.finish_and_clear();
        }
        self.total.finish_and_clear();
    }
}
