//! Games on both machines, compared.

use super::check::{play, unknown_word};
use crate::arguments::GpuCheck;
use crate::cards::CardFarm;
use crate::commands::lab::threads;
use crate::commands::progress::styled;
use crate::interrupt;
use crate::text::grouped;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use spinney_core::{InputError, Seed};
use spinney_gpu::host::samples::{self, FEATURES, Features, GAMES};
use spinney_gpu::host::{Stacks, Tuning};
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

/// The games of one family of rules, by both machines.
struct Compared {
    rows: Vec<Value>,
    /// Games that no card has played although it should have.
    absent: u64,
}

/// What is done with the card.
pub(super) struct Setup<'a> {
    pub arguments: &'a GpuCheck,
    pub tuning: Tuning,
}

impl Setup<'_> {
    /// Kernels are made in two ways; both are compared, unless one is asked for.
    fn ways(&self) -> Vec<Stacks> {
        self.tuning.stacks.map_or(vec![Stacks::Apart, Stacks::Together], |stacks| vec![stacks])
    }

    /// A card for one of them. It holds memory of the card until it is dropped.
    fn farm(&self, stacks: Stacks) -> anyhow::Result<CardFarm> {
        let mut tuning = self.tuning;
        tuning.stacks = Some(stacks);
        let mut farm = CardFarm::new(&self.arguments.device, tuning)?;
        farm.is_lenient = true;
        Ok(farm)
    }

    /// Plays every game on both machines and tells of each family of rules as soon as it is known; returns a row for each
    /// cell, and how many games no card has played although it should have.
    pub(super) fn compare(
        &self,
        (plan, names): &(Plan, Vec<&'static str>),
        out: &mut impl Write,
    ) -> anyhow::Result<(Vec<Value>, u64)> {
        writeln!(out, "{:<12} {:>6} {:>10}  game", "features", "games", "different")?;
        let (mut rows, mut absent) = (Vec::new(), 0);
        let games: u64 = plan.cells.iter().map(|cell| 2 * cell.pairs).sum();
        let bar = styled(
            ProgressBar::new(games * (self.ways().len() as u64 + 1)),
            "{wide_bar} {pos}/{len} games, {msg}  {left}",
        );
        let mut next = 0;
        for family in plan.cells.chunk_by(|a, b| name_of(&a.game) == name_of(&b.game)) {
            let own = Plan { cells: family.to_vec(), ..Plan::default() };
            let found = self.compare_family(&own, &names[next..next + family.len()], &bar, out)?;
            next += family.len();
            rows.extend(found.rows);
            absent += found.absent;
        }
        bar.finish_and_clear();
        Ok((rows, absent))
    }

    fn compare_family(
        &self,
        plan: &Plan,
        names: &[&str],
        bar: &ProgressBar,
        out: &mut impl Write,
    ) -> anyhow::Result<Compared> {
        let tasks = || missing(plan, &Contents::default(), Shard::WHOLE);
        let game = name_of(&plan.cells[0].game);
        let (mut theirs, mut absent, mut loaded, mut on_card) = (Vec::new(), 0, Vec::new(), 0.0);
        for stacks in self.ways() {
            bar.set_message(format!("{game} on the card, stacks {}", word(stacks)));
            let farm = self.farm(stacks)?;
            let started = Instant::now();
            let played =
                play(plan, tasks(), Crew { threads: 1, farm: Some(&farm), helps: false }, interrupt::flag(), bar)?;
            on_card += started.elapsed().as_secs_f64();
            let figures = farm.figures.lock().unwrap_or_else(PoisonError::into_inner);
            let by_card: u64 = figures.kernels.values().map(|own| own.games).sum();
            absent += (tasks().len() as u64 * 2).saturating_sub(by_card);
            loaded.extend(figures.kernels.iter().map(|(name, own)| {
                let [registers, stack] = own.size;
                format!(
                    "  {name:<32} loaded in {:>5.1} s, {registers} registers, {stack} bytes of stack, {} bytes, {} places, {} moves, {} again",
                    own.loading, own.bytes, own.places, own.moves, own.again
                )
            }));
            theirs.push((stacks, played));
        }
        bar.set_message(format!("{game} on the processor"));
        let started = Instant::now();
        let ours = play(plan, tasks(), threads(None).into(), interrupt::flag(), bar)?;
        let here = started.elapsed().as_secs_f64();
        if interrupt::pressed() {
            bar.finish_and_clear();
            let problem = format!("it was stopped before all games of {game} were played");
            return Err(InputError::new("gpu check", problem, "run it again; --games or --sims ask for fewer").into());
        }
        let mut rows = Vec::new();
        let mut told = Vec::new();
        for (index, (cell, name)) in plan.cells.iter().zip(names).enumerate() {
            let records = || ours.games.iter().filter(|(id, _)| id.0 == index);
            let (games, mut different, mut example) = (records().count() as u64, 0u64, None);
            for (stacks, played) in &theirs {
                for (id, record) in records() {
                    if played.games.get(id) != Some(record) {
                        different += 1;
                        example.get_or_insert((record, played.games.get(id), *stacks));
                    }
                }
            }
            let refused = crate::cards::job_of(cell)?.err();
            let note = refused.map_or(String::new(), |why| format!("  (processor: {why})"));
            told.push(format!("{name:<12} {games:>6} {different:>10}  {}{note}", cell.game));
            if let Some((own, other, stacks)) = example {
                let card = other.map_or("a move that is none".to_string(), words);
                told.push(format!("    first: {}\n    card:  {card}, stacks {}", words(own), word(stacks)));
            }
            let place = if note.is_empty() { "card" } else { "processor" };
            rows.push(
                json!({ "features": name, "game": cell.game, "games": games, "different": different, "where": place }),
            );
        }
        told.push(format!(
            "{game}: {} games, {on_card:.1} s on the card for {} kinds of kernels, {here:.1} s here",
            grouped(ours.games.len() as u64),
            theirs.len()
        ));
        told.extend(loaded);
        bar.suspend(|| told.iter().try_for_each(|line| writeln!(out, "{line}")))?;
        out.flush()?;
        Ok(Compared { rows, absent })
    }
}

/// The name of a game without its options.
fn name_of(game: &str) -> &str {
    game.split('(').next().unwrap_or(game)
}

fn word(stacks: Stacks) -> &'static str {
    match stacks {
        Stacks::Apart => "apart",
        Stacks::Together => "together",
    }
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
        let judged = |rows: &[Value], absent| judge(rows, absent).map_err(|error| error.problem);
        assert_eq!(judged(&[row(4, 0, "card"), row(6, 0, "card")], 0), Ok(()));
        let problem = |rows: &[Value], absent| judged(rows, absent).unwrap_err();
        assert!(problem(&[row(4, 0, "card"), row(6, 0, "card")], 1).starts_with("1 games found no room"));
        assert!(problem(&[row(4, 1, "card")], 0).starts_with("1 games differ"));
        assert!(problem(&[row(4, 0, "card"), row(6, 0, "processor")], 0).starts_with("no kernel plays cannon"));
    }
}
