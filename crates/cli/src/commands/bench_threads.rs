//! `spinney bench --threads`: how many simulations more threads make, as a table, numbers and a picture.

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
    /// Times the speed on one thread.
    factor: Option<f64>,
}

impl Line {
    fn median(&self) -> f64 {
        let mut speeds = self.speeds.clone();
        speeds.sort_by(f64::total_cmp);
        speeds.get(speeds.len() / 2).copied().unwrap_or(0.0)
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "game": self.game,
            "agent": self.agent,
            "threads": self.threads,
            "simulations_per_second": self.median(),
            "rounds": self.speeds,
            "factor": self.factor,
        })
    }
}

pub fn run(arguments: &Bench, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let games = if arguments.games.is_empty() { GAMES.map(String::from).to_vec() } else { arguments.games.clone() };
    let agents = if arguments.agent.is_empty() { vec!["mcts".to_string()] } else { arguments.agent.clone() };
    if !arguments.json {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        writeln!(out, "{cores} cores; medians of {ROUNDS} searches of {} s", arguments.seconds.as_secs_f64())?;
        writeln!(out, "{:>7} {:>13} {:>7}  {:<34} agent", "threads", "simulations/s", "factor", "game")?;
    }
    let mut lines = Vec::new();
    for game in &games {
        for agent in &agents {
            let agent = laboratory.agent(agent)?;
            for line in measured(laboratory, game, &agent, arguments)? {
                if arguments.json {
                    writeln!(out, "{}", line.json())?;
                } else {
                    let factor = line.factor.map_or_else(|| "–".to_string(), |factor| format!("{factor:.2}"));
                    let speed = grouped(line.median() as u64);
                    writeln!(out, "{:>7} {speed:>13} {factor:>7}  {:<34} {}", line.threads, line.game, line.agent)?;
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
    let mut lines = Vec::new();
    for &threads in &arguments.threads {
        let seat = table.seat(&timed.clone().with_threads(threads))?;
        // A first search touches the memory of the tree.
        search(table.as_mut(), seat, 0, Some(arguments.seconds / 4));
        let (game, agent) = (table.game(), agent.to_string());
        lines.push((seat, Line { game, agent, threads, speeds: Vec::new(), factor: None }));
    }
    for round in 1..=ROUNDS {
        for (seat, line) in &mut lines {
            line.speeds.push(search(table.as_mut(), *seat, round, None));
        }
    }
    let mut lines: Vec<Line> = lines.into_iter().map(|(_, line)| line).collect();
    let alone = lines.iter().find(|line| line.threads == 1).map(Line::median);
    for line in &mut lines {
        line.factor = alone.map(|alone| line.median() / alone.max(1e-9));
    }
    Ok(lines)
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
    let mut csv = String::from("game,agent,threads,simulations_per_second,factor\n");
    let mut series: Vec<Series> = Vec::new();
    for line in lines {
        let factor = line.factor.unwrap_or(f64::NAN);
        csv += &format!("\"{}\",\"{}\",{},{:.0},{factor:.3}\n", line.game, line.agent, line.threads, line.median());
        let label = if line.agent == "mcts" { line.game.clone() } else { format!("{} {}", line.game, line.agent) };
        let point = Point { x: f64::from(line.threads), y: factor, interval: None };
        match series.iter_mut().find(|known| known.label == label) {
            Some(known) => known.points.push(point),
            None => series.push(Series { label, points: vec![point], published: false }),
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
