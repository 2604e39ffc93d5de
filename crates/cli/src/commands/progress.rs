//! The progress of a run: one line for each cell that is being played, and one for all.

use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};
use spinney_lab::Event;
use spinney_lab::plan::{Cell, Plan};
use spinney_lab::store::Contents;
use spinney_stats::Moments;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Where no lines are drawn, such as in the log of a batch system, it is told so often how far it is.
const HEARTBEAT: Duration = Duration::from_secs(60);

/// Draws what the runner tells.
pub struct Display<'a> {
    plan: &'a Plan,
    lines: MultiProgress,
    total: ProgressBar,
    started: Instant,
    cells: Mutex<Cells>,
}

#[derive(Default)]
struct Cells {
    /// The line and the scores of each cell that has any.
    known: BTreeMap<usize, (ProgressBar, Moments)>,
    /// When somebody was last told where no lines are drawn.
    told: Option<Instant>,
    /// Games that cores have ended before the card did.
    helped: u64,
}

/// A bar with `{pace}` and `{left}` beside what indicatif knows: a pace that can be read, and nothing before it is known.
pub fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    let put_pace = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = out.write_str(&if state.pos() == 0 { String::new() } else { pace(state.per_sec()) });
    };
    let put_left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let left = if state.pos() == 0 { String::new() } else { left(state.eta().as_secs_f64()) };
        let _ = out.write_str(&left);
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => {
            bar.with_style(style.with_key("pace", put_pace).with_key("left", put_left).progress_chars("█▉▊▋▌▍▎▏ "))
        }
        Err(_) => bar,
    }
}

/// Games per second in the unit that suits them.
fn pace(per_second: f64) -> String {
    match per_second {
        rate if !rate.is_finite() || rate <= 0.0 => String::new(),
        rate if rate >= 100.0 => format!("{rate:.0} a second"),
        rate if rate >= 1.0 => format!("{rate:.1} a second"),
        rate if 60.0 * rate >= 1.0 => format!("{:.1} a minute", 60.0 * rate),
        rate => format!("{:.1} an hour", 3600.0 * rate),
    }
}

/// Seconds that are left.
fn left(seconds: f64) -> String {
    format!("{} left", super::lab::duration(seconds.ceil()))
}

/// How many games cores have ended before the card did.
pub fn helped(games: u64) -> String {
    let games = if games == 1 { "1 game".to_string() } else { format!("{games} games") };
    format!("note: cores without work ended {games} before the card did")
}

/// That games which were to be played elsewhere are played here.
pub fn given_back(cell: &Cell, why: &str) -> String {
    format!("note: {}: the processor plays games that {why}", cell.label())
}

impl<'a> Display<'a> {
    /// For a run of which `missing` games are still to be played here.
    pub fn new(plan: &'a Plan, contents: &Contents, missing: u64) -> Self {
        let lines = MultiProgress::new();
        let total = ProgressBar::new(missing);
        let total = lines.add(styled(total, "{bar:30} {pos}/{len} games  {pace}  {left}"));
        total.enable_steady_tick(Duration::from_millis(250));
        let mut cells = Cells::default();
        for (&(cell, _, _), record) in &contents.games {
            let moments = cells.known.entry(cell).or_insert_with(|| (ProgressBar::hidden(), Moments::default()));
            moments.1.add(record.score_of_a());
        }
        Self { plan, lines, total, started: Instant::now(), cells: Mutex::new(cells) }
    }

    /// Takes note of an event.
    pub fn tell(&self, event: Event) {
        let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Started { cell } => {
                let planned = 2 * self.plan.cells[cell].pairs;
                let entry = cells.known.entry(cell).or_insert_with(|| (ProgressBar::hidden(), Moments::default()));
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
                let entry = cells.known.entry(cell).or_insert_with(|| (ProgressBar::hidden(), Moments::default()));
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
                self.total.inc(1);
            }
            Event::Decided { cell } => {
                let (bar, moments) =
                    cells.known.entry(cell).or_insert_with(|| (ProgressBar::hidden(), Moments::default()));
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
            Event::GivenBack { cell, why } => {
                let line = given_back(&self.plan.cells[cell], &why);
                self.lines.suspend(|| eprintln!("{line}"));
            }
            Event::Helped { .. } => cells.helped += 1,
            Event::Repeated { .. } => self.total.inc(1),
            Event::Clocked { .. } => {}
        }
        self.beat(&mut cells);
    }

    /// Says how far it is, where no lines are drawn and it is time to.
    fn beat(&self, cells: &mut Cells) {
        if !self.lines.is_hidden() || cells.told.unwrap_or(self.started).elapsed() < HEARTBEAT {
            return;
        }
        cells.told = Some(Instant::now());
        let (played, all) = (self.total.position(), self.total.length().unwrap_or(0));
        let rate = played as f64 / self.started.elapsed().as_secs_f64().max(1e-9);
        let left = left(all.saturating_sub(played) as f64 / rate.max(1e-9));
        eprintln!("{played} of {all} games, {}, {left}", pace(rate));
    }

    /// The score so far. Intervals stand in the table at the end, which knows the pairs; one of another kind here would
    /// only be a riddle.
    fn words(&self, cell: usize, moments: &Moments) -> String {
        let mut words = format!("{:.1} % of {} games", 100.0 * moments.mean(), moments.count());
        if let Some(published) = &self.plan.cells[cell].published {
            words += &format!(", published {:.1}", 100.0 * published.score);
            words += &published.margin.map_or(String::new(), |margin| format!(" ± {:.1}", 100.0 * margin));
        }
        words
    }

    /// Takes all lines away.
    pub fn finish(&self) {
        let cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        for (bar, _) in cells.known.values() {
            bar.finish_and_clear();
        }
        self.total.finish_and_clear();
        if cells.helped > 0 {
            eprintln!("{}", helped(cells.helped));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paces_have_the_unit_that_suits_them() {
        let paces = [0.0, f64::NAN, 0.001, 0.2673, 15.9666, 1234.5].map(pace);
        assert_eq!(paces, ["", "", "3.6 an hour", "16.0 a minute", "16.0 a second", "1234 a second"]);
        assert_eq!([left(0.2), left(90.0)], ["1 s left", "2 min left"]);
    }
}
