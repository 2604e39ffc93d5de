//! `spinney score`: the mean score of an agent in a game of one player.

use super::lab::threads;
use super::progress::styled;
use crate::arguments::Score;
use crate::interrupt;
use crate::text::grouped;
use indicatif::ProgressBar;
use serde_json::json;
use spinney_core::InputError;
use spinney_lab::plan::{Plan, Shard};
use spinney_lab::runner::{Found, missing, play};
use spinney_lab::store::Contents;
use spinney_lab::summary::samples;
use spinney_table::Laboratory;
use std::io::Write;
use std::time::Duration;

pub fn run(arguments: &Score, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let agent = laboratory.agent(&arguments.agent)?;
    let plan = Plan::single_measurement(laboratory, &arguments.game, agent, arguments.games, arguments.seed)?;
    let mut contents = Contents::default();
    let tasks = missing(&plan, &contents, Shard::WHOLE);
    let keep = |found: Found| {
        found.keep(&mut contents);
        Ok(())
    };
    let bar = styled(ProgressBar::new(arguments.games), "{wide_bar} {pos}/{len} games  {pace}  {left}");
    bar.enable_steady_tick(Duration::from_millis(200));
    play(&plan, tasks, threads(arguments.threads), interrupt::flag(), &|_| bar.inc(1), keep)?;
    bar.finish_and_clear();
    let sample = samples(&plan, &contents).remove(0);
    if sample.count == 0 {
        return Err(InputError::new(
            "score",
            "it was stopped before its first fifty games were done",
            "let it run longer",
        )
        .into());
    }
    if sample.count < arguments.games {
        eprintln!("stopped after {} of {} games", grouped(sample.count), grouped(arguments.games));
    }
    let (mean, margin) = (sample.mean(0), sample.margin(0));
    if arguments.json {
        let line = json!({
            "game": arguments.game, "agent": arguments.agent, "seed": arguments.seed, "games": sample.count,
            "score": mean, "ci95": [mean - margin, mean + margin], "deviation": sample.variance(0).sqrt(),
        });
        writeln!(out, "{line}")?;
    } else {
        writeln!(
            out,
            "{} · {}\n{} games: score {mean:.2} ± {margin:.2} (95 %), deviation {:.1}",
            arguments.game,
            arguments.agent,
            grouped(sample.count),
            sample.variance(0).sqrt()
        )?;
    }
    Ok(())
}
