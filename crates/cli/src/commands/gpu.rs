//! `spinney gpu`: what cards are here, whether they play the same games as the processor, and how fast.

use super::lab::threads;
use crate::arguments::{Gpu, GpuCheck, GpuCommand, GpuCompile};
use crate::cards::CardFarm;
use crate::interrupt;
use crate::text::grouped;
use serde_json::{Value, json};
use spinney_core::{InputError, Seed};
use spinney_gpu::host::samples::{FEATURES, Features, GAMES};
use spinney_gpu::host::{Card, Making, Stacks, Tuning, compile, kernels};
use spinney_lab::plan::{Plan, Shard};
use spinney_lab::referee::Referee;
use spinney_lab::runner::{Found, Task, missing, play_with};
use spinney_lab::store::Contents;
use spinney_lab::{Crew, LabError, Record};
use spinney_table::Laboratory;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

pub fn run(arguments: &Gpu, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    match &arguments.command {
        GpuCommand::List => list(out),
        GpuCommand::Compile(arguments) => compile_kernels(arguments),
        GpuCommand::Check(arguments) => check(arguments, laboratory, out),
    }
}

/// The cards, and the kernels.
fn list(out: &mut impl Write) -> anyhow::Result<()> {
    match Card::count() {
        Ok(0) => writeln!(out, "no card")?,
        Ok(count) => (0..count).try_for_each(|number| -> anyhow::Result<()> {
            match Card::open(number).and_then(|card| Ok((card.free_bytes()?, card))) {
                Ok((bytes, card)) => {
                    let (megabytes, processors) = (grouped(bytes / 1_000_000), card.processors);
                    writeln!(out, "card {number}: {}, {processors} processors, {megabytes} MB free", card.name)?;
                }
                Err(error) => writeln!(out, "card {number}: {error}")?,
            }
            Ok(())
        })?,
        Err(error) => writeln!(out, "no card: {error}")?,
    }
    writeln!(out, "kernels:")?;
    for (game, kind) in kernels::all() {
        let name = format!("{game}-{kind}");
        let size = kernels::text(&name, Stacks::Together)
            .map_or("not made".to_string(), |text| format!("{} kB", text.len() / 1000));
        writeln!(out, "  {name:<32} {size}")?;
    }
    Ok(())
}

fn compile_kernels(arguments: &GpuCompile) -> anyhow::Result<()> {
    let is_wanted = |name: &String| arguments.only.is_empty() || arguments.only.iter().any(|word| name.contains(word));
    let names: Vec<String> = kernels::all().map(|(game, kind)| format!("{game}-{kind}")).filter(is_wanted).collect();
    let tell = |name: &str, bytes: u64| eprintln!("{name}: {} kB", bytes / 1000);
    let GpuCompile { folder, ptxas, generation, registers, .. } = arguments;
    for making in [Making::MANY, Making::FEW] {
        let making = Making { registers: registers.unwrap_or(making.registers), ..making };
        compile::compile(&names, folder, ptxas, making, generation, &tell, &interrupt::pressed)?;
    }
    Ok(())
}

/// All cells of the check in one plan, with the names of their features.
fn cells(laboratory: &Laboratory, arguments: &GpuCheck) -> Result<(Plan, Vec<&'static str>), InputError> {
    let (mut plan, mut names) = (Plan::default(), Vec::new());
    for (game, has_policy) in GAMES {
        for &Features { name, a, b, opening, needs_policy } in FEATURES {
            let own_name = game.split('(').next().unwrap_or_default();
            let is_wanted = arguments.only.as_ref().is_none_or(|only| [game, own_name, name].contains(&only.as_str()));
            if needs_policy && !has_policy || !is_wanted {
                continue;
            }
            let agent = |options: &str| laboratory.agent(&format!("mcts(sims={}, {options})", arguments.sims));
            let (agents, seed) = ([agent(a)?, agent(b)?], Seed::new(arguments.seed).named(game).named(name));
            let single = Plan::single(laboratory, game, agents, opening, arguments.games.div_ceil(2), seed)?;
            plan.cells.extend(single.cells);
            names.push(name);
        }
    }
    if names.is_empty() {
        let known = GAMES.map(|(game, _)| game).into_iter().chain(FEATURES.iter().map(|features| features.name));
        return Err(unknown_word(arguments, "games", known, "--only-speed"));
    }
    Ok((plan, names))
}

/// That `--only` leaves nothing to do, and what it could have said.
fn unknown_word<'a>(
    arguments: &GpuCheck,
    what: &str,
    known: impl Iterator<Item = &'a str>,
    instead: &str,
) -> InputError {
    let mut words: Vec<&str> = known.flat_map(|word| [word.split('(').next().unwrap_or_default(), word]).collect();
    words.sort_unstable();
    words.dedup();
    let problem = format!("no {what} are of `{}`", arguments.only.as_deref().unwrap_or_default());
    InputError::new("gpu check, --only", problem, format!("write one of {}, or add {instead}", words.join(", ")))
}

/// Plays all games of a plan and returns their records.
fn play(plan: &Plan, tasks: Vec<Task>, crew: Crew<'_>, stop: &AtomicBool) -> Result<Contents, LabError> {
    let contents = Mutex::new(Contents::default());
    let keep = |found: Found| {
        found.keep(&mut contents.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(())
    };
    play_with(plan, &Referee::idle(), tasks, crew, stop, &|_| {}, keep)?;
    Ok(contents.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn check(arguments: &GpuCheck, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let mut tuning = Tuning::default();
    (tuning.registers, tuning.resident, tuning.lanes) = (arguments.registers, arguments.resident, arguments.lanes);
    tuning.warps = arguments.warps;
    tuning.stacks = arguments.stacks;
    // What nobody has heard of is said before the card is asked.
    let compared = if arguments.only_speed { None } else { Some(cells(laboratory, arguments)?) };
    let measured = if arguments.only_games { Vec::new() } else { measured(arguments)? };
    let mut farm = CardFarm::new(&arguments.device, tuning)?;
    farm.is_lenient = true;
    writeln!(out, "{}; {} threads of the processor", farm.names().join(", "), threads(None))?;
    let mut saved = json!({ "cards": farm.names(), "threads": threads(None), "sims": arguments.sims });
    let mut judged = Ok(());
    if let Some((plan, names)) = compared {
        let rows = compare(&plan, &names, &farm, out)?;
        let absent = absent(&rows, played_by(&farm));
        judged = judge(&rows, absent);
        saved["games"] = rows.into();
        saved["not_played_by_card"] = absent.into();
    }
    // It holds memory of the card.
    drop(farm);
    let mut speeds_judged = Ok(());
    if !measured.is_empty() && !interrupt::pressed() {
        let rows = speeds(arguments, laboratory, (tuning, &measured), out)?;
        speeds_judged = judge_speeds(&rows);
        saved["speed"] = rows.into();
    }
    if let Some(file) = &arguments.out {
        spinney_lab::store::write_whole(file, format!("{saved:#}\n").as_bytes())?;
    }
    Ok(judged.and(speeds_judged)?)
}

/// Games that no card has played although it should have.
fn absent(rows: &[Value], played: u64) -> u64 {
    rows.iter().filter_map(|row| row["games"].as_u64()).sum::<u64>().saturating_sub(played)
}

/// Whether the card plays the games of the processor: all of them were played there, and none differs.
fn judge(rows: &[Value], absent: u64) -> Result<(), InputError> {
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

/// Whether the card was at work wherever its speed was measured.
fn judge_speeds(rows: &[Value]) -> Result<(), InputError> {
    match rows.iter().find(|row| row["card"].as_f64().is_none_or(|speed| speed <= 0.0)) {
        Some(row) => Err(InputError::new(
            "gpu check",
            format!("the card made no simulation of {}", row["game"].as_str().unwrap_or_default()),
            "end other programs on the card, or allow more --seconds",
        )),
        None => Ok(()),
    }
}

/// Games that cards have played.
fn played_by(farm: &CardFarm) -> u64 {
    let figures = farm.figures.lock().unwrap_or_else(PoisonError::into_inner);
    figures.kernels.values().map(|own| own.games).sum()
}

/// Plays every game on both, and counts those that differ.
fn compare(plan: &Plan, names: &[&str], farm: &CardFarm, out: &mut impl Write) -> anyhow::Result<Vec<Value>> {
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

/// Matches whose speed is measured: a name, the game, the agents' options.
const SPEEDS: [(&str, &str, &str); 11] = [
    ("uniform", "breakthrough", "playout=uniform"),
    ("policy", "breakthrough", "playout=policy"),
    ("policy+MAST+qb", "breakthrough", "playout=policy+mast, qb"),
    ("tables", "amazons(size=8, variant=engine2014)", "variant=engine2014, qb"),
    ("tables", "breakthrough", "variant=engine2014, qb"),
    ("tables", "cannon(variant=engine2014)", "variant=engine2014, qb"),
    ("tables", "checkers(variant=engine2014)", "variant=engine2014, qb"),
    ("tables", "chinese-checkers(variant=engine2014)", "variant=engine2014, qb"),
    ("tables", "pentalath(variant=engine2014)", "variant=engine2014, qb"),
    ("uniform", "havannah", "playout=uniform"),
    ("right rules", "amazons", "playout=policy+mast, qb"),
];

/// A match whose speed is measured, as in [`SPEEDS`].
type Measured = (&'static str, &'static str, &'static str);

/// The matches whose speed is asked for.
fn measured(arguments: &GpuCheck) -> Result<Vec<Measured>, InputError> {
    let is_asked_for = |(name, game, _): &Measured| {
        let own_name = game.split('(').next().unwrap_or_default();
        let is_it = |word: &str| [name, game, own_name].contains(&word);
        arguments.only.as_ref().is_none_or(|only| is_it(only) || only.split(' ').all(is_it))
    };
    let asked: Vec<Measured> = SPEEDS.into_iter().filter(is_asked_for).collect();
    if asked.is_empty() {
        let known = SPEEDS.iter().flat_map(|(name, game, _)| [*name, *game]);
        return Err(unknown_word(arguments, "speeds", known, "--only-games"));
    }
    Ok(asked)
}

/// Simulations a second of cards and of the processor, for so many seconds each.
fn speeds(
    arguments: &GpuCheck,
    laboratory: &Laboratory,
    (tuning, measured): (Tuning, &[Measured]),
    out: &mut impl Write,
) -> anyhow::Result<Vec<Value>> {
    let cores = threads(None);
    let head = ["what", "card", "processor", "ratio", "threads"];
    writeln!(out, "{:<16} {:>12} {:>12} {:>7} {:>8}  game", head[0], head[1], head[2], head[3], head[4])?;
    let mut rows = Vec::new();
    for &(name, game, options) in measured {
        if interrupt::pressed() {
            break;
        }
        let agent = laboratory.agent(&format!("mcts(sims={}, {options})", arguments.speed_sims))?;
        let agents = [agent.clone(), agent];
        let farm = CardFarm::new(&arguments.device, tuning)?;
        // A game for every thread that the card can hold, unless other numbers are asked for.
        let threads = 32 * u64::from(farm.processors() * tuning.resident.unwrap_or(32));
        let pairs = arguments.at_once.unwrap_or(threads).div_ceil(2);
        let plan = Plan::single(laboratory, game, agents, 0, pairs, Seed::new(arguments.seed))?;
        let tasks = missing(&plan, &Contents::default(), Shard::WHOLE);
        let stop = AtomicBool::new(false);
        let seconds = Duration::from_secs_f64(arguments.seconds);
        let crew = Crew { threads: 1, farm: Some(&farm) };
        let known = || farm.simulations.lock().unwrap_or_else(PoisonError::into_inner).clone();
        thread::scope(|scope| {
            let watch = scope.spawn(|| {
                // The clock begins when the card does, which has to compile the kernel first.
                while !stop.load(Ordering::Relaxed) {
                    let counts = known();
                    let first = counts.iter().find(|(_, count)| *count > 0);
                    // Where the card has no room for any game, the clock would never begin.
                    let has_ended = match first {
                        Some((at, _)) => at.elapsed() >= seconds,
                        None => farm.given_back.load(Ordering::Relaxed) > 0,
                    };
                    if interrupt::pressed() || has_ended {
                        stop.store(true, Ordering::Relaxed);
                    }
                    thread::sleep(Duration::from_millis(50));
                }
            });
            let played = play(&plan, tasks, crew, &stop);
            stop.store(true, Ordering::Relaxed);
            let _ = watch.join();
            played
        })?;
        let card = rate(&known());
        let here = if arguments.only_card { f64::NAN } else { speed_here(&plan, cores, seconds)? };
        let most =
            farm.figures.lock().unwrap_or_else(PoisonError::into_inner).kernels.values().map(|own| own.threads).max();
        writeln!(
            out,
            "{name:<16} {card:>12.3e} {here:>12.3e} {:>7.1} {:>8}  {game}, {} simulations",
            card / here,
            most.unwrap_or_default(),
            arguments.speed_sims
        )?;
        out.flush()?;
        rows.push(json!({ "what": name, "game": game, "agent": options, "sims": arguments.speed_sims, "card": card,
            "processor": here, "threads": most }));
    }
    Ok(rows)
}

/// Simulations a second, from the first count that is not none to the last.
fn rate(counts: &[(Instant, u64)]) -> f64 {
    match (counts.iter().find(|(_, count)| *count > 0), counts.last()) {
        (Some((began, first)), Some((ended, last))) if ended > began => {
            last.saturating_sub(*first) as f64 / (*ended - *began).as_secs_f64()
        }
        _ => 0.0,
    }
}

/// Simulations a second of games that ended within some time on all cores.
fn speed_here(plan: &Plan, cores: usize, seconds: Duration) -> Result<f64, LabError> {
    let stop = AtomicBool::new(false);
    let tasks = missing(plan, &Contents::default(), Shard::WHOLE).into_iter().take(4 * cores).collect();
    let started = Instant::now();
    let done = AtomicBool::new(false);
    let contents = thread::scope(|scope| {
        scope.spawn(|| {
            while started.elapsed() < 3 * seconds && !done.load(Ordering::Relaxed) && !interrupt::pressed() {
                thread::sleep(Duration::from_millis(20));
            }
            stop.store(true, Ordering::Relaxed);
        });
        let contents = play(plan, tasks, cores.into(), &stop);
        done.store(true, Ordering::Relaxed);
        contents
    })?;
    // Time of thinking, so that what was broken off does not count.
    let simulations: u64 = contents.games.values().flat_map(|record| record.simulations).sum();
    let thinking: f64 = contents.times.values().flatten().sum::<f64>() / 1e3;
    Ok(simulations as f64 / thinking.max(1e-9) * cores as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Arguments, Command};
    use clap::Parser;

    fn asked(arguments: &[&str]) -> GpuCheck {
        let all = ["spinney", "gpu", "check"].into_iter().chain(arguments.iter().copied());
        match Arguments::parse_from(all).command {
            Command::Gpu(Gpu { command: GpuCommand::Check(check) }) => check,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn nothing_compared_is_no_success() {
        let row = |games: u64, different: u64, place: &str| json!({ "game": "cannon", "features": "mixed", "games": games, "different": different, "where": place });
        let judged = |rows: &[Value], played| judge(rows, absent(rows, played)).map_err(|error| error.problem);
        assert_eq!(judged(&[row(4, 0, "card"), row(6, 0, "card")], 10), Ok(()));
        let problem = |rows: &[Value], played| judged(rows, played).unwrap_err();
        assert!(problem(&[row(4, 0, "card"), row(6, 0, "card")], 9).starts_with("1 games found no room"));
        assert!(problem(&[row(4, 1, "card")], 4).starts_with("1 games differ"));
        assert!(problem(&[row(4, 0, "card"), row(6, 0, "processor")], 4).starts_with("no kernel plays cannon"));
        let speed = |card: Value| judge_speeds(&[json!({ "game": "cannon", "what": "tables", "card": card })]).is_ok();
        assert_eq!([json!(1e6), json!(0.0), json!(null)].map(speed), [true, false, false]);
    }

    #[test]
    fn speed_is_that_between_the_first_count_and_the_last() {
        let start = Instant::now();
        let at = |seconds, count| (start + Duration::from_secs(seconds), count);
        assert_eq!(rate(&[at(0, 0), at(1, 100), at(2, 250), at(5, 500)]), 100.0);
        // One count is no speed, and one that falls no panic.
        assert_eq!([rate(&[]), rate(&[at(1, 9)]), rate(&[at(1, 9), at(2, 3)])], [0.0; 3]);
    }

    #[test]
    fn seconds_are_those_of_a_measurement() {
        assert_eq!(asked(&["--seconds", "0.5"]).seconds, 0.5);
        for wrong in ["-1", "nan", "1e30", "0", "soon"] {
            let all = ["spinney", "gpu", "check", &format!("--seconds={wrong}")];
            let error = Arguments::try_parse_from(all).unwrap_err().to_string();
            assert!(error.contains("write seconds from 0.1 to 3600"), "{error}");
        }
    }

    #[test]
    fn words_that_name_nothing_are_refused() {
        let laboratory = Laboratory::standard();
        let count = |only: &str| {
            let asked = asked(&["--only", only]);
            let compared = cells(&laboratory, &asked).map_or(0, |(plan, _)| plan.cells.len());
            (compared, measured(&asked).map_or(0, |rows| rows.len()))
        };
        assert_eq!(count("typo"), (0, 0));
        assert_eq!(count("tables breakthrough"), (0, 1));
        assert_eq!(count("havannah"), (6, 1));
        let error = cells(&laboratory, &asked(&["--only", "typo"])).unwrap_err().to_string();
        assert!(error.contains("`typo`") && error.contains("policy-mast") && error.contains("havannah"), "{error}");
    }
}
