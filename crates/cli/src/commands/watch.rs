//! `spinney lab watch`: a run that grows in a folder, whoever plays it.

use super::cluster::{now, queue_of};
use super::lab::duration;
use crate::interrupt;
use crate::text::grouped;
use console::{Style, Term, measure_text_width, truncate_str};
use spinney_lab::cluster::Submission;
use spinney_lab::cluster::progress::{Progress, State, Watched};
use spinney_lab::report;
use spinney_lab::store::{Outcomes, Store};
use spinney_lab::summary::{samples_of, summarise_outcomes};
use std::collections::{HashMap, VecDeque};
use std::io::Write;
use std::time::{Duration, Instant};

/// Between two questions to a queue, at least: a controller has others to serve.
const ASK: Duration = Duration::from_secs(10);
/// The pace is that of the last minute.
const RECENT: Duration = Duration::from_secs(60);

/// What is known of a run between two looks.
struct Watch<'a> {
    store: &'a Store,
    outcomes: Outcomes,
    submissions: HashMap<u64, Watched>,
    queues: HashMap<u64, HashMap<u64, String>>,
    asked: Option<Instant>,
    /// Games that were known at moments of the last minute.
    counts: VecDeque<(Instant, u64)>,
}

/// What one look found.
struct Look {
    played: u64,
    planned: u64,
    /// Games in a second, once two moments are known.
    pace: Option<f64>,
    cells: Vec<CellLine>,
    submissions: Vec<Progress>,
    faults: usize,
}

struct CellLine {
    games: u64,
    planned: u64,
    score: String,
    label: String,
    course: String,
}

impl<'a> Watch<'a> {
    fn new(store: &'a Store) -> Self {
        let (submissions, queues) = (HashMap::new(), HashMap::new());
        Self { store, outcomes: Outcomes::default(), submissions, queues, asked: None, counts: VecDeque::new() }
    }

    fn look(&mut self) -> anyhow::Result<Look> {
        let plan = &self.store.plan;
        self.outcomes.follow(self.store)?;
        let summaries = summarise_outcomes(plan, &self.outcomes);
        let mut cells = Vec::new();
        let (mut played, mut planned) = (0, 0);
        for (cell, summary) in plan.cells.iter().zip(summaries) {
            let games = summary.games.games();
            let most = 2 * summary.course.and_then(|course| course.end).unwrap_or(cell.pairs);
            let score = summary.interval.map_or("–".to_string(), |interval| {
                format!("{:.1} % [{:.1}, {:.1}]", 100.0 * summary.score, 100.0 * interval.low, 100.0 * interval.high)
            });
            let course = report::course(cell, &summary).map_or(String::new(), |course| course.short);
            cells.push(CellLine { games, planned: most, score, label: cell.label(), course });
            (played, planned) = (played + games, planned + most);
        }
        for (one, sample) in plan.measurements.iter().zip(samples_of(plan, &self.outcomes.portions)) {
            let score = match sample.count {
                0 => "–".to_string(),
                _ => format!("{:.2} ± {:.2}", sample.mean(0), sample.margin(0)),
            };
            let (games, planned_here, label) = (sample.count, one.repetitions, one.label());
            cells.push(CellLine { games, planned: planned_here, score, label, course: String::new() });
            (played, planned) = (played + games, planned + planned_here);
        }
        let submissions = self.elements()?;
        Ok(Look { played, planned, pace: self.pace(played), cells, submissions, faults: self.outcomes.faults.len() })
    }

    fn elements(&mut self) -> anyhow::Result<Vec<Progress>> {
        let numbers = Submission::numbers(&self.store.folder);
        let asks = self.asked.is_none_or(|asked| asked.elapsed() >= ASK);
        let mut found = Vec::new();
        for number in numbers {
            if !self.submissions.contains_key(&number) {
                self.submissions.insert(number, Watched::new(self.store, number)?);
            }
            if asks {
                match queue_of(self.store, number) {
                    Some(queue) => drop(self.queues.insert(number, queue)),
                    None => drop(self.queues.remove(&number)),
                }
            }
            if let Some(watched) = self.submissions.get_mut(&number) {
                found.push(watched.look(&self.store.folder, self.queues.get(&number), now()));
            }
        }
        if asks {
            self.asked = Some(Instant::now());
        }
        Ok(found)
    }

    fn pace(&mut self, played: u64) -> Option<f64> {
        let moment = Instant::now();
        self.counts.push_back((moment, played));
        while self.counts.len() > 2 && self.counts.front().is_some_and(|(at, _)| moment - *at > RECENT) {
            self.counts.pop_front();
        }
        let (at, before) = *self.counts.front()?;
        let passed = (moment - at).as_secs_f64();
        (passed > 0.0).then(|| played.saturating_sub(before) as f64 / passed)
    }
}

impl Look {
    /// What of this look the newest submission says.
    fn last(&self) -> Option<&Progress> {
        self.submissions.last()
    }

    fn is_over(&self) -> bool {
        self.played >= self.planned
    }

    /// When it will be over, in words.
    fn end(&self) -> String {
        match self.pace {
            _ if self.is_over() => "complete".to_string(),
            Some(pace) if pace > 0.0 => {
                format!("{:.1} games a second, {} left", pace, duration((self.planned - self.played) as f64 / pace))
            }
            Some(_) => "nothing new in the last minute".to_string(),
            None => String::new(),
        }
    }

    /// The screen, of so many rows and columns.
    fn screen(&self, title: &str, folder: &str, (rows, columns): (usize, usize)) -> Vec<String> {
        let (bold, dim) = (Style::new().bold(), Style::new().dim());
        let mut lines = vec![format!("{}  {}", bold.apply_to(title), dim.apply_to(folder))];
        let share = self.played as f64 / self.planned.max(1) as f64;
        let width = columns.saturating_sub(70).clamp(10, 40);
        let full = ((share * width as f64) as usize).min(width);
        let bar = format!("{}{}", "█".repeat(full), "░".repeat(width - full));
        let (played, planned) = (grouped(self.played), grouped(self.planned));
        lines.push(format!("{bar} {:>3.0} %  {played} of {planned} games  {}", 100.0 * share, self.end()));
        for progress in &self.submissions {
            let is_last = self.last().is_some_and(|last| last.number == progress.number);
            if is_last || !progress.is_over() {
                lines.push(elements_line(progress));
            }
        }
        if self.faults > 0 {
            lines.push(format!("{} faulty lines; `spinney lab status` names them", self.faults));
        }
        let trouble: Vec<String> = self.submissions.iter().rev().take(1).flat_map(trouble_lines).collect();
        // Trouble needs its place; cells take what is left.
        let shown = trouble.len().min(rows.saturating_sub(lines.len() + 6));
        let room = rows.saturating_sub(lines.len() + shown + 3).max(3);
        lines.push(String::new());
        lines.extend(self.cell_lines(room));
        lines.extend(trouble.into_iter().take(shown));
        lines.iter().map(|line| truncate_str(line, columns.saturating_sub(1), "…").into_owned()).collect()
    }

    /// Cells that are being played first, then those that wait, then the others.
    fn cell_lines(&self, room: usize) -> Vec<String> {
        let mut order: Vec<&CellLine> = self.cells.iter().collect();
        order.sort_by_key(|cell| match cell.games {
            games if games >= cell.planned => 2,
            0 => 1,
            _ => 0,
        });
        let shown = if order.len() > room { room.saturating_sub(1) } else { order.len() };
        let width = order[..shown].iter().map(|cell| measure_text_width(&cell.score)).max().unwrap_or(0);
        let digits = order[..shown].iter().map(|cell| grouped(cell.planned).len()).max().unwrap_or(0);
        let line = |cell: &&CellLine| {
            let course = if cell.course.is_empty() { String::new() } else { format!("  ({})", cell.course) };
            let (games, planned) = (grouped(cell.games), grouped(cell.planned));
            let (games, planned) = (format!("{games:>digits$}"), format!("{planned:>digits$}"));
            let space = " ".repeat(width - measure_text_width(&cell.score));
            format!("{games} of {planned}  {}{space}  {}{course}", cell.score, cell.label)
        };
        let mut lines: Vec<String> = order[..shown].iter().map(line).collect();
        if shown < order.len() {
            lines.push(format!("and {} cells more", order.len() - shown));
        }
        lines
    }
}

/// A submission in a line.
pub fn elements_line(progress: &Progress) -> String {
    let words = State::ALL.iter().map(|state| (*state, progress.count(*state))).filter(|(_, count)| *count > 0);
    let words: Vec<String> = words.map(|(state, count)| coloured(state, format!("{count} {}", state.word()))).collect();
    let job = progress.jobs.elements.as_ref().map_or(String::new(), |job| format!(", job {job}"));
    let number = progress.number;
    let count = progress.states.len();
    format!("submission {number} ({}{job}): {count} elements, {}", progress.engine.name(), words.join(", "))
}

fn coloured(state: State, text: String) -> String {
    let style = match state {
        State::Failed => Style::new().red().bold(),
        State::Late | State::Stopped => Style::new().yellow(),
        State::Done => Style::new().green(),
        State::Running => Style::new().cyan(),
        State::Waiting => Style::new(),
    };
    style.apply_to(text).to_string()
}

fn trouble_lines(progress: &Progress) -> Vec<String> {
    let mut lines = Vec::new();
    for one in &progress.trouble {
        if lines.is_empty() {
            lines.push(String::new());
        }
        let host = if one.host.is_empty() { String::new() } else { format!(" on {}", one.host) };
        let times = if one.attempts > 1 { format!(", begun {} times", one.attempts) } else { String::new() };
        let word = coloured(one.state, one.state.word().to_string());
        lines.push(format!("element {}{host}: {word}{times}: {}", one.index, one.problem));
        let dim = Style::new().dim();
        lines.extend(one.log.iter().map(|line| format!("    {}", dim.apply_to(line))));
    }
    lines
}

/// Shows the run until it is complete or Ctrl-C is pressed. Where no terminal is, a line for each look that found something.
pub fn watch(store: &Store, every: f64, once: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let term = Term::stdout();
    let (title, folder) = (store.plan.title.clone(), store.folder.display().to_string());
    let mut watch = Watch::new(store);
    let (mut drawn, mut told) = (0, None);
    loop {
        let look = watch.look()?;
        if once || !term.is_term() {
            if once {
                let columns = term.size_checked().map_or(120, |(_, columns)| usize::from(columns));
                let screen = look.screen(&title, &folder, (usize::MAX, columns));
                screen.iter().try_for_each(|line| writeln!(out, "{line}"))?;
                return Ok(());
            }
            if told != Some(look.played) {
                let elements = look.last().map_or(String::new(), |last| format!("; {}", elements_line(last)));
                writeln!(out, "{} of {} games  {}{elements}", look.played, look.planned, look.end())?;
                out.flush()?;
                told = Some(look.played);
            }
        } else {
            let (rows, columns) = term.size();
            let screen = look.screen(&title, &folder, (usize::from(rows).saturating_sub(1), usize::from(columns)));
            term.clear_last_lines(drawn)?;
            drawn = screen.len();
            term.write_str(&(screen.join("\n") + "\n"))?;
        }
        let is_played = look.last().is_none_or(Progress::is_over);
        if look.is_over() && is_played {
            return Ok(());
        }
        let until = Instant::now() + Duration::from_secs_f64(every);
        while Instant::now() < until {
            if interrupt::pressed() {
                return Ok(());
            }
            std::thread::sleep(interrupt::LOOK.min(until - Instant::now().min(until)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_lab::cluster::progress::Trouble;
    use spinney_lab::cluster::{Engine, Jobs};

    fn look(cells: usize) -> Look {
        let cell = |number: usize| CellLine {
            games: 10 * number as u64,
            planned: 100,
            score: "52.0 % [48.1, 55.9]".to_string(),
            label: format!("cell {number}"),
            course: String::new(),
        };
        let trouble = Trouble {
            submission: 1,
            index: 7,
            state: State::Failed,
            host: "n2".to_string(),
            attempts: 2,
            problem: "it ended without a word".to_string(),
            log: vec!["killed".to_string()],
        };
        let states = vec![State::Done, State::Running, State::Failed, State::Waiting];
        let jobs = Jobs { elements: Some("42".to_string()), ..Jobs::default() };
        let submissions = vec![Progress { number: 1, engine: Engine::Slurm, jobs, states, trouble: vec![trouble] }];
        Look {
            played: 150,
            planned: 300,
            pace: Some(2.5),
            cells: (0..cells).map(cell).collect(),
            submissions,
            faults: 0,
        }
    }

    #[test]
    fn a_screen_says_all_and_fits() {
        console::set_colors_enabled(false);
        let screen = look(3).screen("Small", "runs/small", (24, 100));
        let text = screen.join("\n");
        for words in [
            " 50 %  150 of 300 games  2.5 games a second, 1 min left",
            "submission 1 (slurm, job 42): 4 elements, 1 waiting, 1 running, 1 done, 1 failed",
            " 20 of 100  52.0 % [48.1, 55.9]  cell 2",
            "element 7 on n2: failed, begun 2 times: it ended without a word",
            "    killed",
        ] {
            assert!(text.contains(words), "{words}\n{text}");
        }
        for rows in [10, 14, 24] {
            let screen = look(40).screen("Small", "runs/small", (rows, 60));
            assert!(screen.len() <= rows, "{} of {rows}: {screen:#?}", screen.len());
            assert!(screen.iter().all(|line| measure_text_width(line) < 60));
            assert!(screen.iter().any(|line| line.contains("cells more")));
        }
    }
}
