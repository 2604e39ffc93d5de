//! Games on both machines, compared.

use super::check::{play, unknown_word};
use crate::arguments::GpuCheck;
use crate::cards::CardFarm;
use crate::commands::lab::threads;
use crate::interrupt;
use crate::text::grouped;
use serde_json::{Value, json};
use spinney_core::{InputError, Seed};
use spinney_gpu::host::samples::{self, FEATURES, Features, GAMES};
use spinney_lab::plan::{Plan, Shard};
use spinney_lab::runner::missing;
use spinney_lab::store::Contents;
use spinney_lab::{Crew, Record};
use spinney_table::Laboratory;
use std::io::Write;
use std::sync::PoisonError;
use std::time::Instant;

/// All cells of the check in one plan, with the names of their features.
pub(super) fn cells(laboratory: &Laboratory, arguments: &GpuCheck) -> Result<(Plan, Vec<&'static str>), InputError> {
    let (mut plan, mut names) = (Plan::default(), Vec::new());
    for (rules, &Features { name, a, b, opening, .. }) in samples::all() {
        let game = rules.game;
        let is_wanted = arguments.only.as_ref().is_none_or(|only| [game, rules.name(), name].contains(&only.as_str()));
        if !is_wanted {
            continue;
        }
        let agent = |options: &str| laboratory.agent(&format!("mcts(sims={}, {options})", arguments.sims));
        let (agents, seed) = ([agent(a)?, agent(b)?], Seed::new(arguments.seed).named(game).named(name));
        let single = Plan::single(laboratory, game, agents, opening, arguments.games.div_ceil(2), seed)?;
        plan.cells.extend(single.cells);
        names.push(name);
    }
    if names.is_empty() {
        let known = GAMES.iter().map(|rules| rules.game).chain(FEATURES.iter().map(|features| features.name));
        return Err(unknown_word(arguments, "games", known, "--only-speed"));
    }
    Ok((plan, names))
}

/// Games that no card has played although it should have.
pub(super) fn absent(rows: &[Value], played: u64) -> u64 {
    rows.iter().filter_map(|row| row["games"].as_u64()).sum::<u64>().saturating_sub(played)
}

/// Whether the card plays the games of the processor: all of them were played there, and none differs.
pub(super) fn judge(rows: &[Value], absent: u64) -> Result<(), InputError> {
    let fail = |problem: String, remedy: &str| Err(InputError::new("gpu check", problem, remedy));
    let differ: u64 = rows.iter().map(|row| row["different"].as_u64().unwrap_or(1)).sum();
    if differ > 0 {
        let problem = format!("{differ} games differ from those of the processor");
        return fail(problem, "do not use the card; make the kernels again");
    }
    if let Some(row) = rows.iter().find(|row| row["where"] != "card") {
        let [game, features] = ["game", "features"].map(|key| row[key].as_str().unwrap_or_default());
        let problem = format!("no kernel plays {game} with the features {features}");
        return fail(problem, "make the kernels again; all of these games should be played by the card");
    }
    if absent > 0 {
        // What the processor played for the card says nothing of the card.
        let problem = format!("{absent} games found no room on the card and were not compared");
        return fail(problem, "end other programs on the card, or write --only GAME");
    }
    Ok(())
}

/// Games that cards have played.
pub(super) fn played_by(farm: &CardFarm) -> u64 {
    let figures = farm.figures.lock().unwrap_or_else(PoisonError::into_inner);
    figures.kernels.values().map(|own| own.games).sum()
}

/// Plays every game on both, and counts those that differ.
pub(super) fn compare(
    plan: &Plan,
    names: &[&str],
    farm: &CardFarm,
    out: &mut impl Write,
) -> anyhow::Result<Vec<Value>> {
    let tasks = || missing(plan, &Contents::default(), Shard::WHOLE);
    let started = Instant::now();
    let theirs = play(plan, tasks(), Crew { threads: 1, farm: Some(farm) }, interrupt::flag())?;
    let on_card = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let ours = play(plan, tasks(), threads(None).into(), interrupt::flag())?;
    let here = started.elapsed().as_secs_f64();
    if interrupt::pressed() {
        let problem = "it was stopped before all games were played";
        return Err(InputError::new("gpu check", problem, "run it again; --games asks for fewer").into());
    }
    writeln!(out, "{:<12} {:>6} {:>10}  game", "features", "games", "different")?;
    let mut rows = Vec::new();
    for (index, (cell, name)) in plan.cells.iter().zip(names).enumerate() {
        let records = ours.games.iter().filter(|(id, _)| id.0 == index);
        let (mut games, mut different, mut example) = (0u64, 0u64, None);
        for (id, record) in records {
            games += 1;
            if theirs.games.get(id) != Some(record) {
                different += 1;
                example.get_or_insert((record.clone(), theirs.games.get(id).cloned()));
            }
        }
        let refused = crate::cards::job_of(cell)?.err();
        let note = refused.map_or(String::new(), |why| format!("  (processor: {why})"));
        writeln!(out, "{name:<12} {games:>6} {different:>10}  {}{note}", cell.game)?;
        if let Some((own, other)) = example {
            let card = other.as_ref().map_or("a move that is none".to_string(), words);
            writeln!(out, "    first: {}\n    card:  {card}", words(&own))?;
        }
        rows.push(json!({ "features": name, "game": cell.game, "games": games, "different": different, "where": if note.is_empty() { "card" } else { "processor" } }));
    }
    let (all, on_cards) = (grouped(ours.games.len() as u64), grouped(played_by(farm)));
    let figures = farm.figures.lock().unwrap_or_else(PoisonError::into_inner);
    writeln!(out, "{all} games, {on_cards} of them played by the card: {on_card:.1} s there, {here:.1} s here")?;
    for (name, own) in &figures.kernels {
        let [registers, stack] = own.size;
        writeln!(
            out,
            "  {name:<32} loaded in {:>5.1} s, {registers} registers, {stack} bytes of stack, {} bytes, {} places, {} moves, {} again",
            own.loading, own.bytes, own.places, own.moves, own.again
        )?;
    }
    Ok(rows)
}

fn words(record: &Record) -> String {
    format!(
        "won by {}, {} plies, {:?}: {}",
        record.winner,
        record.plies,
        record.simulations,
        record.moves.text().unwrap_or("")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_compared_is_no_success() {
        let row = |games: u64, different: u64, place: &str| json!({ "game": "cannon", "features": "mixed", "games": games, "different": different, "where": place });
        let judged = |rows: &[Value], played| judge(rows, absent(rows, played)).map_err(|error| error.problem);
        assert_eq!(judged(&[row(4, 0, "card"), row(6, 0, "card")], 10), Ok(()));
        let problem = |rows: &[Value], played| judged(rows, played).unwrap_err();
        assert!(problem(&[row(4, 0, "card"), row(6, 0, "card")], 9).starts_with("1 games found no room"));
        assert!(problem(&[row(4, 1, "card")], 4).starts_with("1 games differ"));
        assert!(problem(&[row(4, 0, "card"), row(6, 0, "processor")], 4).starts_with("no kernel plays cannon"));
    }
}
