//! `spinney gpu check`: the same games on the card and on the processor, and the speed of both.

use super::{compare, speeds};
use crate::arguments::GpuCheck;
use crate::cards::CardFarm;
use crate::commands::lab::threads;
use crate::interrupt;
use indicatif::ProgressBar;
use serde_json::json;
use spinney_core::InputError;
use spinney_gpu::host::Tuning;
use spinney_lab::plan::Plan;
use spinney_lab::referee::Referee;
use spinney_lab::runner::{Found, Task, play_with};
use spinney_lab::store::Contents;
use spinney_lab::{Crew, LabError};
use spinney_table::Laboratory;
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

pub(super) fn check(arguments: &GpuCheck, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let mut tuning = Tuning::default();
    (tuning.registers, tuning.resident, tuning.lanes) = (arguments.registers, arguments.resident, arguments.lanes);
    tuning.warps = arguments.warps;
    tuning.stacks = arguments.stacks;
    tuning.together = arguments.together;
    // What nobody has heard of is said before the card is asked.
    let compared = if arguments.only_speed { None } else { Some(compare::cells(laboratory, arguments)?) };
    let measured = if arguments.only_games { Vec::new() } else { speeds::measured(arguments)? };
    let farm = CardFarm::new(&arguments.device, tuning)?;
    let cards: Vec<String> = farm.names().iter().map(ToString::to_string).collect();
    drop(farm);
    writeln!(out, "{}; {} threads of the processor", cards.join(", "), threads(None))?;
    out.flush()?;
    let mut saved = json!({ "cards": cards, "threads": threads(None), "sims": arguments.sims });
    let mut judged = Ok(());
    if let Some(compared) = compared {
        let (rows, absent) = compare::Setup { arguments, tuning }.compare(&compared, out)?;
        judged = compare::judge(&rows, absent);
        saved["games"] = rows.into();
        saved["not_played_by_card"] = absent.into();
    }
    let mut speeds_judged = Ok(());
    if !measured.is_empty() && !interrupt::pressed() {
        let rows = speeds::speeds(arguments, laboratory, (tuning, &measured), out)?;
        speeds_judged = speeds::judge(&rows);
        saved["speed"] = rows.into();
    }
    if let Some(file) = &arguments.out {
        spinney_lab::store::write_whole(file, format!("{saved:#}\n").as_bytes())?;
    }
    Ok(judged.and(speeds_judged)?)
}

/// That `--only` leaves nothing to do, and what it could have said.
pub(super) fn unknown_word<'a>(
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

/// Plays all games of a plan and returns their records; each lets the bar go on.
pub(super) fn play(
    plan: &Plan,
    tasks: Vec<Task>,
    crew: Crew<'_>,
    stop: &AtomicBool,
    bar: &ProgressBar,
) -> Result<Contents, LabError> {
    let contents = Mutex::new(Contents::default());
    let keep = |found: Found| {
        bar.inc(1);
        found.keep(&mut contents.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(())
    };
    play_with(plan, &Referee::idle(), tasks, crew, stop, &|_| {}, keep)?;
    Ok(contents.into_inner().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Arguments, Command, Gpu, GpuCommand};
    use clap::Parser;

    /// What `gpu check` is asked for with these arguments.
    fn asked(arguments: &[&str]) -> GpuCheck {
        let all = ["spinney", "gpu", "check"].into_iter().chain(arguments.iter().copied());
        match Arguments::parse_from(all).command {
            Command::Gpu(Gpu { command: GpuCommand::Check(check) }) => check,
            other => panic!("{other:?}"),
        }
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
            let compared = compare::cells(&laboratory, &asked).map_or(0, |(plan, _)| plan.cells.len());
            (compared, speeds::measured(&asked).map_or(0, |rows| rows.len()))
        };
        assert_eq!(count("typo"), (0, 0));
        assert_eq!(count("tables breakthrough"), (0, 1));
        assert_eq!(count("havannah"), (18, 1), "six sets of features on each of three boards");
        let error = compare::cells(&laboratory, &asked(&["--only", "typo"])).unwrap_err().to_string();
        assert!(error.contains("`typo`") && error.contains("policy-mast") && error.contains("havannah"), "{error}");
    }
}
