//! Simulations a second of the card and of the processor, both over whole games.

use super::check::{play, unknown_word};
use crate::arguments::GpuCheck;
use crate::cards::CardFarm;
use crate::commands::lab::threads;
use crate::interrupt;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use spinney_core::{InputError, Seed};
use spinney_gpu::host::Tuning;
use spinney_gpu::host::tuning::MANY_WARPS;
use spinney_lab::plan::{Plan, Shard};
use spinney_lab::runner::missing;
use spinney_lab::store::Contents;
use spinney_lab::{Crew, LabError};
use spinney_table::Laboratory;
use std::io::Write;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

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
pub(super) type Measured = (&'static str, &'static str, &'static str);

/// The matches whose speed is asked for.
pub(super) fn measured(arguments: &GpuCheck) -> Result<Vec<Measured>, InputError> {
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

/// Simulations a second of cards and of the processor, over whole games or, where these take longer, for so many seconds each.
pub(super) fn speeds(
    arguments: &GpuCheck,
    laboratory: &Laboratory,
    (tuning, measured): (Tuning, &[Measured]),
    out: &mut impl Write,
) -> anyhow::Result<Vec<Value>> {
    let cores = threads(None);
    let head = ["what", "card", "processor", "ratio", "threads"];
    writeln!(out, "{:<16} {:>12} {:>12} {:>7} {:>8}  game", head[0], head[1], head[2], head[3], head[4])?;
    let mut rows = Vec::new();
    let processors = CardFarm::new(&arguments.device, tuning)?.processors();
    // The processor's speed of a match stands beside all of the card's.
    let mut here = None;
    for (&(name, game, options), at_once) in each_number(measured, &arguments.at_once) {
        if interrupt::pressed() {
            break;
        }
        let agent = laboratory.agent(&format!("mcts(sims={}, {options})", arguments.speed_sims))?;
        let agents = [agent.clone(), agent];
        // A game for every thread that the card can hold, unless other numbers are asked for. Threads that have ended theirs take
        // another, so that all are busy until as many have ended: then games of all ages have been played. In openings alone
        // play-outs are longest.
        let own_name = game.split('(').next().unwrap_or_default();
        let tuning = tuning.for_games(own_name, at_once.unwrap_or(u64::MAX), processors);
        let threads = 32 * u64::from(processors * tuning.resident.unwrap_or(MANY_WARPS));
        let games = at_once.unwrap_or(threads).next_multiple_of(2);
        let farm = CardFarm::new(&arguments.device, tuning)?;
        let plan = Plan::single(laboratory, game, agents, 0, games, Seed::new(arguments.seed))?;
        let tasks = missing(&plan, &Contents::default(), Shard::WHOLE);
        let (stop, ended) = (AtomicBool::new(false), ProgressBar::hidden());
        let seconds = Duration::from_secs_f64(arguments.seconds);
        let crew = Crew { threads: 1, farm: Some(&farm), helps: false };
        let known = || farm.simulations.lock().unwrap_or_else(PoisonError::into_inner).clone();
        thread::scope(|scope| {
            let watch = scope.spawn(|| {
                // The clock begins when the card does, which has to compile the kernel first.
                while !stop.load(Ordering::Relaxed) {
                    let counts = known();
                    let first = counts.iter().find(|(_, count)| *count > 0);
                    // Where the card has no room for any game, the clock would never begin.
                    let has_ended = match first {
                        Some((at, _)) => at.elapsed() >= seconds || ended.position() >= games,
                        None => farm.given_back.load(Ordering::Relaxed) > 0,
                    };
                    if interrupt::pressed() || has_ended {
                        stop.store(true, Ordering::Relaxed);
                    }
                    thread::sleep(Duration::from_millis(50));
                }
            });
            let played = play(&plan, tasks, crew, &stop, &ended);
            stop.store(true, Ordering::Relaxed);
            let _ = watch.join();
            played
        })?;
        let card = rate(&known());
        let is_whole = ended.position() >= games;
        let here = match here.filter(|(own, _)| *own == (name, game)) {
            _ if arguments.only_card => f64::NAN,
            Some((_, speed)) => speed,
            None => here.insert(((name, game), speed_here(&plan, cores, seconds)?)).1,
        };
        let most =
            farm.figures.lock().unwrap_or_else(PoisonError::into_inner).kernels.values().map(|own| own.threads).max();
        writeln!(
            out,
            "{name:<16} {card:>12.3e} {here:>12.3e} {:>7.1} {:>8}  {game}, {} simulations{}",
            card / here,
            most.unwrap_or_default(),
            arguments.speed_sims,
            if is_whole { "" } else { ", openings alone" }
        )?;
        out.flush()?;
        rows.push(json!({ "what": name, "game": game, "agent": options, "sims": arguments.speed_sims, "card": card,
            "processor": here, "threads": most, "whole_games": is_whole }));
    }
    Ok(rows)
}

/// Each match with each number of games at once; with none where there is no number.
fn each_number<'a>(measured: &'a [Measured], at_once: &[u64]) -> impl Iterator<Item = (&'a Measured, Option<u64>)> {
    let mut numbers: Vec<Option<u64>> = at_once.iter().copied().map(Some).collect();
    if numbers.is_empty() {
        numbers.push(None);
    }
    measured.iter().flat_map(move |one| numbers.clone().into_iter().map(move |number| (one, number)))
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

/// Games of each core that are to end at least, before its speed is taken for known.
const GAMES_OF_A_CORE: u64 = 4;

/// How long cores play, if so many games end meanwhile.
const CORES_PLAY: Duration = Duration::from_secs(4);

/// Simulations a second of whole games on all cores, which play for at most three times as many seconds as the card.
fn speed_here(plan: &Plan, cores: usize, seconds: Duration) -> Result<f64, LabError> {
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let tasks = missing(plan, &Contents::default(), Shard::WHOLE);
    let (started, ended) = (Instant::now(), ProgressBar::hidden());
    let contents = thread::scope(|scope| {
        scope.spawn(|| {
            let is_enough = || ended.position() >= GAMES_OF_A_CORE * cores as u64 && started.elapsed() >= CORES_PLAY;
            let is_late = || started.elapsed() >= 3 * seconds;
            while !is_enough() && !is_late() && !done.load(Ordering::Relaxed) && !interrupt::pressed() {
                thread::sleep(Duration::from_millis(20));
            }
            stop.store(true, Ordering::Relaxed);
        });
        let contents = play(plan, tasks, cores.into(), &stop, &ended);
        done.store(true, Ordering::Relaxed);
        contents
    })?;
    // Time of thinking, so that what was broken off does not count.
    let simulations: u64 = contents.games.values().flat_map(|record| record.simulations).sum();
    let thinking: f64 = contents.times.values().flatten().sum::<f64>() / 1e3;
    Ok(simulations as f64 / thinking.max(1e-9) * cores as f64)
}

/// Whether the card was at work wherever its speed was measured.
pub(super) fn judge(rows: &[Value]) -> Result<(), InputError> {
    match rows.iter().find(|row| row["card"].as_f64().is_none_or(|speed| speed <= 0.0)) {
        Some(row) => Err(InputError::new(
            "gpu check",
            format!("no speed was measured of {}", row["game"].as_str().unwrap_or_default()),
            "end other programs on the card, allow more --seconds, or, where all games ended at once, more --speed-sims",
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_that_between_the_first_count_and_the_last() {
        let start = Instant::now();
        let at = |seconds, count| (start + Duration::from_secs(seconds), count);
        assert_eq!(rate(&[at(0, 0), at(1, 100), at(2, 250), at(5, 500)]), 100.0);
        // One count is no speed, and one that falls no panic.
        assert_eq!([rate(&[]), rate(&[at(1, 9)]), rate(&[at(1, 9), at(2, 3)])], [0.0; 3]);
    }

    #[test]
    fn each_match_is_measured_with_each_number() {
        let measured = &SPEEDS[..2];
        let numbers =
            |at_once: &[u64]| each_number(measured, at_once).map(|(one, number)| (one.0, number)).collect::<Vec<_>>();
        assert_eq!(numbers(&[]), [("uniform", None), ("policy", None)]);
        let (one, two) = (Some(4224), Some(33_792));
        assert_eq!(numbers(&[4224, 33_792]), [("uniform", one), ("uniform", two), ("policy", one), ("policy", two)]);
    }

    #[test]
    fn a_card_that_did_nothing_is_no_success() {
        let speed = |card: Value| judge(&[json!({ "game": "cannon", "what": "tables", "card": card })]).is_ok();
        assert_eq!([json!(1e6), json!(0.0), json!(null)].map(speed), [true, false, false]);
    }
}
