//! `spinney analyse`

use super::lab::on_all_cores;
use crate::arguments::{Analyse, Limits};
use crate::interrupt;
use crate::text::{candidates, line_width, per_playout, proof_word, rate, summary};
use console::Term;
use serde_json::json;
use spinney_core::{InputError, Seed, Turn};
use spinney_search::{AgentSettings, Budget};
use spinney_table::table::{Look, Question, Thought};
use spinney_table::{Laboratory, Table};
use std::io::Write;
use std::time::Duration;

/// How often the table is drawn again while the search runs.
const INTERVAL: Duration = Duration::from_millis(200);
/// Moves shown without `--all`.
const SHOWN: usize = 10;

pub fn run(arguments: &Analyse, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let mut table = laboratory.open(&arguments.game, arguments.position.as_deref())?;
    let settings = on_all_cores(limited(laboratory.agent(&arguments.agent)?, &arguments.limits));
    let seat = table.seat(&settings)?;
    if let Turn::Over(_) = table.turn() {
        return Err(InputError::new("position", "the game is over", "give one with moves left").into());
    }
    // A game may begin with the turn of chance.
    let mut drawn = Vec::new();
    while let Some(outcome) = table.draw_outcome(Seed::new(arguments.seed).child(drawn.len() as u64)) {
        drawn.push(outcome);
    }
    let most = if arguments.all { usize::MAX } else { SHOWN };
    let seed = Seed::new(arguments.seed);
    let mut question = Question { seed, budget: None, stop: interrupt::flag(), observer: None };
    if arguments.json {
        let thought = table.think(seat, &mut question);
        writeln!(out, "{}", thought_json(table.as_ref(), seat, &thought))?;
        return Ok(());
    }
    writeln!(out, "{} · {} · seed {}\n", table.game(), table.agent(seat), arguments.seed)?;
    for outcome in drawn {
        writeln!(out, "chance: {outcome}\n")?;
    }
    writeln!(out, "{}", table.board())?;
    if let Turn::Player(player) = table.turn() {
        writeln!(out, "{} to move\n", table.player_name(player))?;
    }
    out.flush()?;
    let screen = Term::stdout();
    let mut lines_drawn = 0;
    let mut redraw = |thought: &Thought, _: Look<'_>| {
        // A line that wraps would count as two, so none does while the table is alive.
        let (height, width) = screen.size();
        let width = Some(usize::from(width) - 1);
        let text = candidates(thought, most, width) + &summary(thought, width);
        let rows: Vec<&str> = text.lines().collect();
        let rows = &rows[..rows.len().min(usize::from(height) - 1)];
        // A screen that cannot be written to shows nothing; the search goes on.
        let _ = screen.clear_last_lines(lines_drawn);
        let _ = screen.write_line(&rows.join("\n"));
        lines_drawn = rows.len();
    };
    if screen.is_term() {
        question.observer = Some((INTERVAL, &mut redraw));
    }
    let thought = table.think(seat, &mut question);
    screen.clear_last_lines(lines_drawn)?;
    write!(out, "{}{}", candidates(&thought, most, line_width()), summary(&thought, line_width()))?;
    if table.score().is_some() && !thought.candidates.is_empty() {
        writeln!(out, "± is of the mean over the search's own play, not of the value under best play")?;
    }
    let stopped = thought.stopped.map_or(String::new(), |reason| format!(" ({})", reason.words()));
    writeln!(out, "best: {}{stopped}", thought.chosen)?;
    Ok(())
}

/// The agent with the limits of the command line, else its own, else one second.
fn limited(agent: AgentSettings, limits: &Limits) -> AgentSettings {
    let given = Budget { simulations: limits.sims, time: limits.time, ..Budget::default() };
    match (given.is_endless(), agent.has_limits()) {
        (false, _) => agent.with_budget(&given),
        (true, true) => agent,
        (true, false) => agent.with_budget(&Budget::time(Duration::from_secs(1))),
    }
}

fn thought_json(table: &dyn Table, seat: usize, thought: &Thought) -> serde_json::Value {
    let candidates: Vec<_> = thought
        .candidates
        .iter()
        .map(|candidate| {
            let interval = (!candidate.margin.is_nan())
                .then_some([candidate.mean - candidate.margin, candidate.mean + candidate.margin]);
            json!({
                "move": candidate.mv,
                "visits": candidate.visits,
                "mean": candidate.mean,
                "ci95": interval,
                "proven": proof_word(candidate.proof),
                "variation": candidate.variation,
            })
        })
        .collect();
    json!({
        "game": table.game(),
        "position": table.position(),
        "agent": table.agent(seat),
        "best": thought.chosen,
        "proven": proof_word(thought.proof),
        "simulations": thought.totals.simulations,
        "playouts": thought.totals.playouts,
        "nodes": thought.nodes,
        "bytes": thought.bytes,
        "seconds": thought.elapsed.as_secs_f64(),
        "simulations_per_second": rate(thought),
        "mean_depth": per_playout(thought, thought.totals.depth_plies),
        "deepest": thought.totals.deepest_plies,
        "mean_length": per_playout(thought, thought.totals.length_plies),
        "stopped": thought.stopped.map(spinney_search::StopReason::words),
        "candidates": candidates,
    })
}
