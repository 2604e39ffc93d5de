//! `spinney reproduce`: the published experiments, compiled in.

use super::lab::{duration, expected_seconds, run_text, threads};
use crate::arguments::Reproduce;
use spinney_core::InputError;
use spinney_lab::Experiment;
use spinney_lab::plan::{Plan, Shard};
use std::io::Write;
use std::path::Path;

/// Name, what it shows, and the experiment.
const EXPERIMENTS: [(&str, &str, &str); 1] = [(
    "playouts",
    "policies against uniform play-outs win 57 to 99 % (ECAI 2014, text)",
    include_str!("../../../../experiments/playouts.toml"),
)];

pub fn run(arguments: &Reproduce, out: &mut impl Write) -> anyhow::Result<()> {
    let Some(name) = arguments.name.as_deref() else { return list(out) };
    let Some((_, _, text)) = EXPERIMENTS.iter().find(|(known, _, _)| *known == name) else {
        let known = EXPERIMENTS.iter().map(|(name, _, _)| *name);
        return Err(InputError::unknown("reproduce", "experiment", name, known).into());
    };
    let text = match arguments.pairs {
        Some(pairs) => text
            .lines()
            .map(|line| if line.starts_with("pairs = ") { format!("pairs = {pairs}\n") } else { format!("{line}\n") })
            .collect(),
        None => (*text).to_string(),
    };
    let again = |folder: &Path| {
        let mut command = format!("spinney reproduce {name}");
        if let Some(pairs) = arguments.pairs {
            command += &format!(" --pairs {pairs}");
        }
        if arguments.out.is_some() {
            command += &format!(" --out {}", folder.display());
        }
        command
    };
    let threads = threads(arguments.threads);
    run_text(name, &text, arguments.out.as_deref(), Shard::WHOLE, threads, again, out)
}

fn list(out: &mut impl Write) -> anyhow::Result<()> {
    for (name, about, text) in EXPERIMENTS {
        let plan = Plan::new(&Experiment::read(name, text)?)?;
        let seconds = plan.cells.iter().map(expected_seconds).sum::<anyhow::Result<f64>>()?;
        let cost = duration(seconds / threads(None) as f64);
        writeln!(out, "{name:<12} {about}: {} cells, {} games, about {cost} here", plan.cells.len(), plan.games())?;
    }
    writeln!(out, "run one with: spinney reproduce NAME [--pairs N]; `spinney lab plan` says what a file would cost")?;
    Ok(())
}
