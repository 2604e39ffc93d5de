//! `spinney match`: pairs of games with seats swapped, on all cores, the same result for any number of threads.

use super::lab::threads;
use super::progress::styled;
use crate::arguments::Match;
use crate::interrupt;
use crate::text::grouped;
use indicatif::ProgressBar;
use serde_json::json;
use spinney_core::Seed;
use spinney_lab::plan::{PairId, Plan};
use spinney_lab::runner::{Event, Found, Task, play};
use spinney_lab::store::Contents;
use spinney_lab::summary::summarise;
use spinney_lab::{CellSummary, LabError};
use spinney_stats::Moments;
use spinney_table::Laboratory;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

pub fn run(arguments: &Match, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let agents = [laboratory.agent(&arguments.a)?, laboratory.agent(&arguments.b)?];
    let seed = Seed::new(arguments.seed).named(&arguments.game);
    let plan = Plan::single(laboratory, &arguments.game, agents, arguments.opening, arguments.games.div_ceil(2), seed)?;
    let game = &plan.cells[0].game;
    let [(_, a), (_, b)] = plan.agents.as_slice() else { unreachable!("a single cell has two agents") };
    if !arguments.json {
        writeln!(out, "{game}\n  A  {a}\n  B  {b}")?;
        out.flush()?;
    }
    let summary = summarise(&plan, &play_games(arguments, &plan)?).remove(0);
    let games = summary.games.games();
    if interrupt::pressed() {
        eprintln!("stopped after {games} of {} games; the same command plays them all", arguments.games);
        if games == 0 {
            return Ok(());
        }
    }
    if arguments.json {
        let mut line = json_line(&summary, arguments.timing);
        line["game"] = json!(game);
        line["a"] = json!(a);
        line["b"] = json!(b);
        line["seed"] = json!(arguments.seed);
        writeln!(out, "{line}")?;
    } else {
        write!(out, "{}", text(&summary))?;
        writeln!(out, "repeat with: {}", command(arguments))?;
    }
    Ok(())
}

fn progress(games: u64) -> ProgressBar {
    let bar = styled(ProgressBar::new(games), "{wide_bar} {pos}/{len} games  {pace}  {left}  {msg}");
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    bar
}

/// Plays the games with the laboratory's runner and keeps them in memory.
fn play_games(arguments: &Match, plan: &Plan) -> Result<Contents, LabError> {
    // The last pair of an odd number of games is a single one.
    let task = |pair: u64| Task::Pair {
        pair: PairId { cell: 0, pair },
        games: [0, 1].map(|game| 2 * pair + game < arguments.games),
    };
    let tasks = (0..plan.cells[0].pairs).map(task).collect();
    let bar = progress(arguments.games);
    let score = Mutex::new(Moments::default());
    let tell = |event: Event| {
        if let Event::Played { score: points, .. } = event {
            let mut score = score.lock().unwrap_or_else(PoisonError::into_inner);
            score.add(points);
            bar.set_message(format!("A {:.1} %", 100.0 * score.mean()));
            bar.inc(1);
        }
    };
    let mut contents = Contents::default();
    let keep = |found: Found| {
        found.keep(&mut contents);
        Ok(())
    };
    let result = play(plan, tasks, threads(arguments.threads), interrupt::flag(), &tell, keep);
    bar.finish_and_clear();
    result.map(|()| contents)
}

/// Simulations per second of an agent.
fn rate(summary: &CellSummary, agent: usize) -> f64 {
    1e3 * summary.simulations_per_move[agent] / summary.milliseconds_per_move[agent].max(1e-9)
}

fn json_line(summary: &CellSummary, timing: bool) -> serde_json::Value {
    let mut line = json!({
        "games": summary.games.games(),
        "score": summary.score,
        "ci95": summary.interval.map(|interval| [interval.low, interval.high]),
        "wins": summary.games.wins,
        "draws": summary.games.draws,
        "losses": summary.games.losses,
        "average_plies": summary.plies,
        "score_first": summary.seats[0],
        "score_second": summary.seats[1],
        "simulations_a": summary.simulations[0],
        "simulations_b": summary.simulations[1],
    });
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
        "score", "95 % (paired)", "wins", "draws", "losses", "first", "second", "sims/s", "ms/move"
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
    text
}
