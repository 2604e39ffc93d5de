//! `spinney bench --threads`: how many simulations more threads make, as a table, numbers and a picture.
//!
//! Cores share caches, memory and, on virtual machines, often themselves: no search can be faster on N threads than N searches
//! that share nothing are together. So these are measured beside it, in turns.

use crate::arguments::Bench;
use crate::interrupt;
use crate::text::grouped;
use anyhow::Context;
use serde_json::json;
use spinney_core::Seed;
use spinney_report::{Curve, Point, Series, curve_picture};
use spinney_search::{AgentSettings, Budget};
use spinney_table::table::Question;
use spinney_table::{Laboratory, Table};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// What is measured when no games are named.
const GAMES: [&str; 2] = ["breakthrough(rows=8, columns=8)", "amazons(size=10)"];
/// Each number is the median of so many searches, in turns with those of other numbers of threads.
const ROUNDS: u64 = 3;

/// The speed of one game and agent on so many threads.
struct Line {
    game: String,
    agent: String,
    threads: u32,
    /// Simulations a second in each round.
    speeds: Vec<f64>,
    /// Simulations a second of as many searches on one thread each, all at once, in each round; nothing for one.
    apart: Vec<f64>,
    /// Times the speed on one thread.
    factor: Option<f64>,
    /// The same for the searches apart: what the machine allows.
    ceiling: Option<f64>,
}

fn median(speeds: &[f64]) -> f64 {
    let mut speeds = speeds.to_vec();
    speeds.sort_by(f64::total_cmp);
    speeds.get(speeds.len() / 2).copied().unwrap_or(0.0)
}

impl Line {
    fn median(&self) -> f64 {
        median(&self.speeds)
    }

    fn text(&self) -> String {
        let [factor, ceiling] = [self.factor, self.ceiling]
            .map(|factor| factor.map_or_else(|| "–".to_string(), |factor| format!("{factor:.2}")));
        let speed = grouped(self.median() as u64);
        format!("{:>7} {speed:>13} {factor:>7} {ceiling:>7}  {:<34} {}", self.threads, self.game, self.agent)
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "game": self.game,
            "agent": self.agent,
            "threads": self.threads,
            "simulations_per_second": self.median(),
            "rounds": self.speeds,
            "factor": self.factor,
            "apart": self.apart,
            "ceiling": self.ceiling,
        })
    }
}

pub fn run(arguments: &Bench, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let games = if arguments.games.is_empty() { GAMES.map(String::from).to_vec() } else { arguments.games.clone() };
    let agents = if arguments.agent.is_empty() { vec!["mcts".to_string()] } else { arguments.agent.clone() };
    if !arguments.json {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        writeln!(out, "{cores} cores; medians of {ROUNDS} searches of {} s", arguments.seconds.as_secs_f64())?;
        writeln!(out, "factor: times the simulations of one thread; ceiling: as many searches apart, all at once")?;
        let head = ["threads", "simulations/s", "factor", "ceiling", "game"];
        writeln!(out, "{:>7} {:>13} {:>7} {:>7}  {:<34} agent", head[0], head[1], head[2], head[3], head[4])?;
    }
    let mut lines = Vec::new();
    for game in &games {
        for agent in &agents {
            let agent = laboratory.agent(agent)?;
            for line in measured(laboratory, game, &agent, arguments)? {
                if arguments.json {
                    writeln!(out, "{}", line.json())?;
                } else {
                    writeln!(out, "{}", line.text())?;
                }
                lines.push(line);
            }
            out.flush()?;
            if interrupt::pressed() {
                return Ok(());
            }
        }
    }
    if let Some(folder) = &arguments.save {
        save(folder, &lines)?;
    }
    Ok(())
}

/// All numbers of threads for one game and agent.
fn measured(
    laboratory: &Laboratory,
    game: &str,
    agent: &AgentSettings,
    arguments: &Bench,
) -> anyhow::Result<Vec<Line>> {
    let mut table = laboratory.open(game, None)?;
    let timed = agent.clone().with_budget(&Budget::time(arguments.seconds));
    // A first search touches the memory of the tree.
    let warm = Some(arguments.seconds / 4);
    let mut lines = Vec::new();
    for &threads in &arguments.threads {
        let seat = table.seat(&timed.clone().with_threads(threads))?;
        search(table.as_mut(), seat, 0, warm);
        let (game, agent) = (table.game(), agent.to_string());
        let (speeds, apart) = (Vec::new(), Vec::new());
        lines.push((seat, Line { game, agent, threads, speeds, apart, factor: None, ceiling: None }));
    }
    let most = arguments.threads.iter().copied().max().unwrap_or(1);
    let mut own = Vec::new();
    for _ in 0..if most > 1 { most } else { 0 } {
        let mut table = laboratory.open(game, None)?;
        let seat = table.seat(&timed.clone().with_threads(1))?;
        own.push((table, seat));
    }
    search_apart(&mut own, 0, warm);
    for round in 1..=ROUNDS {
        for (seat, line) in &mut lines {
            line.speeds.push(search(table.as_mut(), *seat, round, None));
            if line.threads > 1 {
                line.apart.push(search_apart(&mut own[..line.threads as usize], round, None));
            }
        }
    }
    let mut lines: Vec<Line> = lines.into_iter().map(|(_, line)| line).collect();
    let alone = lines.iter().find(|line| line.threads == 1).map(Line::median);
    for line in &mut lines {
        line.factor = alone.map(|alone| line.median() / alone.max(1e-9));
        let apart = (!line.apart.is_empty()).then(|| median(&line.apart));
        line.ceiling = apart.zip(alone).map(|(apart, alone)| apart / alone.max(1e-9));
    }
    Ok(lines)
}

/// A search on each of these tables, all at once; returns simulations a second of all together.
fn search_apart(tables: &mut [(Box<dyn Table>, usize)], round: u64, time: Option<Duration>) -> f64 {
    std::thread::scope(|scope| {
        let one = |(table, seat): &mut (Box<dyn Table>, usize)| search(table.as_mut(), *seat, round, time);
        let threads: Vec<_> = tables.iter_mut().map(|table| scope.spawn(move || one(table))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or(0.0)).sum()
    })
}

/// One search; returns simulations a second.
fn search(table: &mut dyn Table, seat: usize, round: u64, time: Option<Duration>) -> f64 {
    let budget = time.map(Budget::time);
    let mut question = Question { seed: Seed::new(1).child(round), budget, stop: interrupt::flag(), observer: None };
    let thought = table.think(seat, &mut question);
    thought.totals.simulations as f64 / thought.elapsed.as_secs_f64().max(1e-9)
}

/// Numbers as `threads.csv`, the curve as `threads.svg`.
fn save(folder: &Path, lines: &[Line]) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut csv = String::from("game,agent,threads,simulations_per_second,factor,ceiling\n");
    let mut series: Vec<Series> = Vec::new();
    for line in lines {
        let number = |factor: Option<f64>| factor.map_or_else(String::new, |factor| format!("{factor:.3}"));
        let (factor, ceiling) = (number(line.factor), number(line.ceiling));
        let (game, agent, speed) = (&line.game, &line.agent, line.median());
        csv += &format!("\"{game}\",\"{agent}\",{},{speed:.0},{factor},{ceiling}\n", line.threads);
        let label = if agent == "mcts" { game.clone() } else { format!("{game} {agent}") };
        let one = (line.threads == 1).then_some(1.0);
        for (label, factor) in [(label.clone(), line.factor), (format!("{label}, apart"), line.ceiling.or(one))] {
            let Some(y) = factor else { continue };
            let point = Point { x: f64::from(line.threads), y, interval: None };
            match series.iter_mut().find(|known| known.label == label) {
                Some(known) => known.points.push(point),
                None => series.push(Series { label, points: vec![point], published: false }),
            }
        }
    }
    let ideal = lines.iter().map(|line| f64::from(line.threads)).map(|x| Point { x, y: x, interval: None }).collect();
    series.push(Series { label: "as many times as threads".to_string(), points: ideal, published: false });
    let curve = Curve {
        title: "Simulations a second on many threads".to_string(),
        x_label: "threads".to_string(),
        y_label: "times the speed on one".to_string(),
        series,
        ..Curve::default()
    };
    for (name, text) in [("threads.csv", csv), ("threads.svg", curve_picture(&curve))] {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
