//! `spinney bench`: speed of searches on one thread, on many, or the signature.

use crate::arguments::Bench;
use crate::interrupt;
use crate::text::grouped;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use spinney_core::{InputError, Seed};
use spinney_search::{AgentSettings, Budget};
use spinney_table::table::{PlayoutSpeed, Question};
use spinney_table::{Laboratory, Table, signature};
use std::io::Write;
use std::time::{Duration, Instant};

const AGENTS: [&str; 2] = ["mcts(playout=uniform)", "mcts"];
/// A game written in Rust, and the same given by its rules.
const NATIVE_AND_SHEET: [&str; 2] = ["breakthrough", "gdl:breakthrough"];

pub fn run(arguments: &Bench, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    if arguments.signature {
        let rows = signature::rows()?;
        if arguments.rows {
            writeln!(out, "game\tagent\thash")?;
            for row in &rows {
                writeln!(out, "{}\t{}\t{:016x}", row.game, row.agent, row.hash)?;
            }
        } else {
            writeln!(out, "{:016x}", signature::signature(&rows))?;
        }
        return Ok(());
    }
    if !arguments.threads.is_empty() {
        return super::bench_threads::run(arguments, laboratory, out);
    }
    let sheet = NATIVE_AND_SHEET[1].to_string();
    let all: Vec<String> = laboratory.games().iter().map(|entry| entry.name.to_string()).chain([sheet]).collect();
    let games = if arguments.games.is_empty() { all } else { arguments.games.clone() };
    let agents = if arguments.agent.is_empty() { AGENTS.map(String::from).to_vec() } else { arguments.agent.clone() };
    // Everything is read before anything is measured.
    let read = |agent: &String| laboratory.agent(agent).map(|agent| limited(agent, arguments.seconds));
    let settings: Vec<AgentSettings> = agents.iter().map(read).collect::<Result<_, InputError>>()?;
    let mut tables = Vec::new();
    for game in &games {
        let mut table = laboratory.open(game, None)?;
        for agent in &settings {
            table.seat(agent)?;
        }
        tables.push(table);
    }
    if !arguments.json {
        writeln!(
            out,
            "{:>13} {:>13} {:>12} {:>11}  {:<30} agent",
            "simulations/s", "play-outs/s", "plies/s", "bytes/node", "game"
        )?;
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} measuring {wide_msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(100));
    let mut speeds = NATIVE_AND_SHEET.map(|_| None);
    for (table, game) in tables.iter_mut().zip(&games) {
        bar.set_message(table.game());
        let playouts = table.play_outs(Seed::new(1), arguments.seconds / 2);
        if let Some(place) = NATIVE_AND_SHEET.iter().position(|name| name == game) {
            speeds[place] = Some(playouts.plies as f64 / playouts.elapsed.as_secs_f64().max(1e-9));
        }
        for seat in 0..settings.len() {
            if (0..seat).any(|earlier| table.agent(earlier) == table.agent(seat)) {
                continue;
            }
            bar.set_message(format!("{} {}", table.game(), table.agent(seat)));
            let line = measure(table.as_mut(), seat, arguments.seconds, &playouts);
            // What was interrupted has measured little.
            if interrupt::pressed() {
                return Ok(());
            }
            bar.suspend(|| {
                if arguments.json { writeln!(out, "{}", line.json()) } else { writeln!(out, "{}", line.text()) }
            })?;
            out.flush()?;
        }
    }
    bar.finish_and_clear();
    if let [Some(native), Some(sheet)] = speeds {
        let (factor, [native_name, sheet_name]) = (native / sheet.max(1e-9), NATIVE_AND_SHEET);
        if arguments.json {
            writeln!(out, "{}", json!({ "native": native_name, "sheet": sheet_name, "factor": factor }))?;
        } else {
            writeln!(out, "{native_name} makes {factor:.1} times the plies per second of {sheet_name}")?;
        }
    }
    Ok(())
}

/// One measurement.
struct Line {
    game: String,
    agent: String,
    simulations_per_second: f64,
    playouts_per_second: f64,
    plies_per_second: f64,
    bytes_per_node: f64,
    nodes: u64,
    mean_length: f64,
    seconds: f64,
}

/// An agent with limits of its own repeats its search for so long; one without makes a single search.
fn limited(agent: AgentSettings, seconds: Duration) -> AgentSettings {
    if agent.has_limits() { agent } else { agent.with_budget(&Budget::time(seconds)) }
}

fn measure(table: &mut dyn Table, seat: usize, seconds: Duration, playouts: &PlayoutSpeed) -> Line {
    while table.draw_outcome(Seed::new(1)).is_some() {}
    let started = Instant::now();
    let (mut simulations, mut searching, mut number) = (0, Duration::ZERO, 0);
    let last = loop {
        let seed = Seed::new(1).child(number);
        let mut question = Question { seed, budget: None, stop: interrupt::flag(), observer: None };
        let thought = table.think(seat, &mut question);
        simulations += thought.totals.simulations;
        searching += thought.elapsed;
        number += 1;
        if started.elapsed() >= seconds || interrupt::pressed() {
            break thought;
        }
    };
    let elapsed = searching.as_secs_f64().max(1e-9);
    let raw = playouts.elapsed.as_secs_f64().max(1e-9);
    Line {
        game: table.game(),
        agent: table.agent(seat),
        simulations_per_second: simulations as f64 / elapsed,
        playouts_per_second: playouts.playouts as f64 / raw,
        plies_per_second: playouts.plies as f64 / raw,
        bytes_per_node: if last.nodes == 0 { 0.0 } else { last.bytes as f64 / last.nodes as f64 },
        nodes: last.nodes,
        mean_length: crate::text::per_playout(&last, last.totals.length_plies),
        seconds: elapsed,
    }
}

impl Line {
    fn json(&self) -> serde_json::Value {
        json!({
            "game": self.game,
            "agent": self.agent,
            "simulations_per_second": self.simulations_per_second,
            "playouts_per_second": self.playouts_per_second,
            "plies_per_second": self.plies_per_second,
            "bytes_per_node": self.bytes_per_node,
            "nodes": self.nodes,
            "mean_length": self.mean_length,
            "seconds": self.seconds,
        })
    }

    fn text(&self) -> String {
        format!(
            "{:>13} {:>13} {:>12} {:>11.1}  {:<30} {}",
            grouped(self.simulations_per_second as u64),
            grouped(self.playouts_per_second as u64),
            grouped(self.plies_per_second as u64),
            self.bytes_per_node,
            self.game,
            self.agent,
        )
    }
}
