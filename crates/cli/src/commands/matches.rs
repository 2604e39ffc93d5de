//! `spinney match`: pairs of games with seats swapped, on all cores, the same result for any number of threads.

use super::clocks::Clocks;
use super::lab::{crew, note_refused};
use super::progress::{given_back, helped, styled};
use crate::arguments::Match;
use crate::cards::CardFarm;
use crate::interrupt;
use crate::text::grouped;
use indicatif::ProgressBar;
use serde_json::json;
use spinney_core::Seed;
use spinney_lab::plan::{Cell, Plan, Shard};
use spinney_lab::referee::{Referee, State};
use spinney_lab::runner::{Event, Found, Task, missing, play_with};
use spinney_lab::stop::{Kind, Stop};
use spinney_lab::store::{Contents, Store};
use spinney_lab::summary::summarise;
use spinney_lab::write::SingleMatch;
use spinney_lab::{CellSummary, LabError, report};
use spinney_stats::{
    Confidence, ConfidenceSequence, Interval, Moments, Pentanomial, StoppingRule, normalised_elo, pentanomial_interval,
};
use spinney_table::Laboratory;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

pub fn run(arguments: &Match, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let agents = [laboratory.agent(&arguments.a)?, laboratory.agent(&arguments.b)?];
    let stop = arguments.stop.as_deref().map(Stop::read_text).transpose()?;
    let pairs = arguments.games.div_ceil(2);
    let (plan, store) = match &arguments.out {
        Some(folder) => {
            let (game, opening, seed) = (arguments.game.as_str(), arguments.opening, arguments.seed);
            let file = SingleMatch { game, agents: &agents, opening, pairs, seed, stop: stop.as_ref() };
            let store = Store::create_in(laboratory, folder, "match.toml", &file.to_string())?;
            (store.plan.clone(), Some(store))
        }
        None => {
            let seed = Seed::new(arguments.seed).named(&arguments.game);
            let mut plan = Plan::single(laboratory, &arguments.game, agents, arguments.opening, pairs, seed)?;
            plan.cells[0].stop = stop;
            (if let Some(clock) = arguments.clock { plan.by_clock(clock) } else { plan }, None)
        }
    };
    let farm = arguments.cards.farm()?;
    note_refused(&plan, crew(arguments.threads, farm.as_ref()).farm)?;
    let cell = &plan.cells[0];
    let [(_, a), (_, b)] = plan.agents.as_slice() else { unreachable!("a single cell has two agents") };
    if !arguments.json {
        writeln!(out, "{}\n  A  {a}\n  B  {b}", cell.game)?;
        out.flush()?;
    }
    let clocks = Mutex::new(Clocks::default());
    let contents = play_games(arguments, &plan, store.as_ref(), farm.as_ref(), &clocks)?;
    let clocks = clocks.into_inner().unwrap_or_else(PoisonError::into_inner);
    let summary = summarise(&plan, &contents).remove(0);
    let games = summary.games.games();
    if interrupt::pressed() {
        let words = if store.is_some() { "goes on" } else { "plays them all" };
        eprintln!("stopped after {games} of {} games; the same command {words}", arguments.games);
        if games == 0 {
            return Ok(());
        }
    }
    if arguments.json {
        let mut line = json_line(cell, &summary, arguments.timing);
        line["game"] = json!(cell.game);
        line["a"] = json!(a);
        line["b"] = json!(b);
        line["seed"] = json!(arguments.seed);
        if let Some(clock) = &arguments.clock {
            clocks.write(clock, &mut line);
        }
        writeln!(out, "{line}")?;
    } else {
        write!(out, "{}", text(&summary))?;
        if let Some(course) = report::course(cell, &summary) {
            writeln!(out, "{}", course.words)?;
        }
        match &arguments.clock {
            Some(clock) => writeln!(
                out,
                "{}\nnot replayable, as clocks decide; another such match: {}",
                clocks.words(clock),
                command(arguments)
            )?,
            None => writeln!(out, "repeat with: {}", command(arguments))?,
        }
        if let Some(store) = &store {
            writeln!(out, "kept in {0}: spinney lab report {0}", store.folder.display())?;
        }
    }
    Ok(())
}

fn progress(games: u64) -> ProgressBar {
    let bar = styled(ProgressBar::new(games), "{wide_bar} {pos}/{len} games  {pace}  {left}  {msg}");
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    bar
}

/// Plays what is missing with the laboratory's runner; keeps it in memory, and in the run if there is one.
fn play_games(
    arguments: &Match,
    plan: &Plan,
    store: Option<&Store>,
    farm: Option<&CardFarm>,
    clocks: &Mutex<Clocks>,
) -> Result<Contents, LabError> {
    let (contents, mut appender) = match store {
        Some(store) => (store.read()?, Some(store.append(Shard::WHOLE)?)),
        None => (Contents::default(), None),
    };
    let mut tasks = missing(plan, &contents, Shard::WHOLE);
    // The last pair of an odd number of games is a single one, unless pairs are kept or counted.
    if let Some(Task::Pair { games, .. }) = tasks.last_mut()
        && arguments.games % 2 == 1
        && store.is_none()
        && plan.cells[0].stop.is_none()
    {
        *games = [true, false];
    }
    let bar = progress(tasks.iter().map(|task| task.count(plan)).sum());
    let referee = Referee::new(plan, &contents);
    let course = Mutex::new(Seen::of(&contents));
    let helpers = AtomicU64::new(0);
    let tell = |event: Event| match event {
        Event::Played { .. } => bar.inc(1),
        Event::Spared { games, .. } => bar.set_length(bar.length().unwrap_or_default().saturating_sub(games)),
        Event::Clocked { flag, course, .. } => {
            clocks.lock().unwrap_or_else(PoisonError::into_inner).add(flag, &course);
        }
        Event::GivenBack { why, .. } => bar.suspend(|| eprintln!("{}", given_back(&plan.cells[0], &why))),
        Event::Helped { .. } => drop(helpers.fetch_add(1, Ordering::Relaxed)),
        Event::Started { .. } | Event::Decided { .. } | Event::Repeated { .. } => {}
    };
    let contents = Mutex::new(contents);
    let keep = |found: Found| {
        if let Some(appender) = &mut appender {
            found.write(appender)?;
        }
        if let Found::Game((_, pair, _), record, _) = &found {
            let mut course = course.lock().unwrap_or_else(PoisonError::into_inner);
            course.add(*pair, record.score_of_a());
            bar.set_message(course.words(&plan.cells[0], &referee));
        }
        found.keep(&mut contents.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(())
    };
    let crew = crew(arguments.threads, farm);
    let result = play_with(plan, &referee, tasks, crew, interrupt::flag(), &tell, keep);
    bar.finish_and_clear();
    let helpers = helpers.into_inner();
    if helpers > 0 {
        eprintln!("{}", helped(helpers));
    }
    result.map(|()| contents.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// What the progress line tells: the score, and what the rule looks at.
struct Seen {
    score: Moments,
    /// First games of pairs whose other game is being played.
    halves: BTreeMap<u64, f64>,
    pairs: Pentanomial,
    sequence: ConfidenceSequence,
}

impl Seen {
    fn of(contents: &Contents) -> Self {
        let mut seen = Self {
            score: Moments::default(),
            halves: BTreeMap::new(),
            pairs: Pentanomial::default(),
            sequence: ConfidenceSequence::new(Confidence::NINETY_FIVE),
        };
        contents.games.iter().for_each(|(id, record)| seen.add(id.1, record.score_of_a()));
        seen
    }

    fn add(&mut self, pair: u64, score: f64) {
        self.score.add(score);
        match self.halves.remove(&pair) {
            Some(first) => {
                let score = 0.5 * (first + score);
                self.sequence.add(score);
                self.pairs.merge(&Pentanomial::from_scores(&[score]).unwrap_or_default());
            }
            None => drop(self.halves.insert(pair, score)),
        }
    }

    fn words(&self, cell: &Cell, referee: &Referee) -> String {
        let score = format!("A {:.1} %", 100.0 * self.score.mean());
        let Some(stop) = &cell.stop else { return score };
        if let Some((ratio, bounds)) = referee.ratio(0) {
            return format!("{score}  LLR {ratio:+.2} [{:+.2}, {:+.2}]", bounds.low, bounds.high);
        }
        match stop.kind {
            Kind::Precision(_) => match pentanomial_interval(&self.pairs, Confidence::NINETY_FIVE) {
                Some(interval) => format!("{score} ± {:.1}", 100.0 * interval.half_width()),
                None => score,
            },
            _ => {
                let interval = self.sequence.interval();
                format!("{score}  anytime [{:.1}, {:.1}]", 100.0 * interval.low, 100.0 * interval.high)
            }
        }
    }
}

/// Simulations per second of an agent.
fn rate(summary: &CellSummary, agent: usize) -> f64 {
    1e3 * summary.simulations_per_move[agent] / summary.milliseconds_per_move[agent].max(1e-9)
}

fn json_line(cell: &Cell, summary: &CellSummary, timing: bool) -> serde_json::Value {
    let ends = |interval: Interval| [interval.low, interval.high];
    let mut line = json!({
        "games": summary.games.games(),
        "score": summary.score,
        "ci95": summary.interval.map(ends),
        "interval": summary.basis.name(),
        "elo": summary.elo.map(|(elo, _)| elo),
        "elo_ci95": summary.elo.map(|(_, interval)| ends(interval)),
        "normalised_elo": normalised_elo(&summary.pairs),
        "p_value": summary.p_value,
        "pairs": summary.pairs.counts,
        "wins": summary.games.wins,
        "draws": summary.games.draws,
        "losses": summary.games.losses,
        "average_plies": summary.plies,
        "score_first": summary.seats[0],
        "score_second": summary.seats[1],
        "simulations_a": summary.simulations[0],
        "simulations_b": summary.simulations[1],
    });
    if let (Some(stop), Some(course)) = (&cell.stop, summary.course) {
        line["stop"] = json!(stop.to_string());
        line["most_games"] = json!(2 * cell.pairs);
        line["decision"] = match course.state {
            State::Decided(conclusion) => json!(stop.conclusion(conclusion)),
            State::Open | State::Largest => json!(null),
        };
        if let Some(StoppingRule::Test(test)) = stop.rule(cell) {
            line["log_likelihood_ratio"] = json!(test.log_likelihood_ratio(&summary.pairs));
            line["bounds"] = json!(ends(test.bounds()));
        }
    }
    if timing {
        line["simulations_per_second_a"] = json!(rate(summary, 0));
        line["simulations_per_second_b"] = json!(rate(summary, 1));
    }
    line
}

fn text(summary: &CellSummary) -> String {
    let percent = |value: f64| format!("{:.1} %", 100.0 * value);
    let interval = summary
        .interval
        .map_or("-".to_string(), |interval| format!("[{:.1}, {:.1}]", 100.0 * interval.low, 100.0 * interval.high));
    let mut text = format!(
        "\n     {:>8}  {:>14}  {:>6} {:>6} {:>6}  {:>8} {:>8}  {:>12} {:>10}\n",
        "score",
        format!("95 % ({})", summary.basis.name()),
        "wins",
        "draws",
        "losses",
        "first",
        "second",
        "sims/s",
        "ms/move"
    );
    let games = &summary.games;
    for agent in 0..2 {
        let (score, wins, losses, interval) = match agent {
            0 => (summary.score, games.wins, games.losses, interval.clone()),
            _ => (1.0 - summary.score, games.losses, games.wins, String::new()),
        };
        // B sits second where A sits first.
        let [first, second] = match agent {
            0 => summary.seats,
            _ => [1.0 - summary.seats[1], 1.0 - summary.seats[0]],
        };
        text += &format!(
            "  {}  {:>8}  {:>14}  {:>6} {:>6} {:>6}  {:>8} {:>8}  {:>12} {:>10.2}\n",
            ["A", "B"][agent],
            percent(score),
            interval,
            wins,
            games.draws,
            losses,
            percent(first),
            percent(second),
            grouped(rate(summary, agent) as u64),
            summary.milliseconds_per_move[agent],
        );
    }
    text += &format!("\n{} games, {:.1} plies on average\n", games.games(), summary.plies);
    if let (Some((elo, interval)), Some(p)) = (summary.elo, summary.p_value) {
        let normalised = normalised_elo(&summary.pairs).map_or("–".to_string(), |elo| format!("{elo:+.0}"));
        let [elo, low, high] = [elo, interval.low, interval.high].map(|elo| format!("{elo:+.0}").replace("inf", "∞"));
        text += &format!("Elo {elo} [{low}, {high}], normalised {normalised}; ");
        text += &if p < 0.001 { "p < 0.001".to_string() } else { format!("p = {p:.3}") };
        text += " against 50 %\n";
    }
    text
}

/// The command that plays the same match.
fn command(arguments: &Match) -> String {
    let mut text = format!(
        "spinney match '{}' --a '{}' --b '{}' --games {} --seed {}",
        arguments.game, arguments.a, arguments.b, arguments.games, arguments.seed
    );
    if arguments.opening > 0 {
        text += &format!(" --opening {}", arguments.opening);
    }
    text.extend(arguments.clock.iter().map(|clock| format!(" --clock {clock}")));
    text.extend(arguments.stop.iter().map(|stop| format!(" --stop '{stop}'")));
    text.extend(arguments.out.iter().map(|folder| format!(" --out {}", folder.display())));
    text
}
