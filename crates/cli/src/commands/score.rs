//! `spinney score`: the mean score of an agent in a game of one player.

use super::lab::threads;
use crate::arguments::Score;
use crate::interrupt;
use crate::text::grouped;
use serde_json::json;
use spinney_core::InputError;
use spinney_lab::measure::{self, Point, Quantity};
use std::io::Write;

pub fn run(arguments: &Score, out: &mut impl Write) -> anyhow::Result<()> {
    let folder = std::env::temp_dir().join(format!("spinney-score-{}", std::process::id()));
    let (game, agent) = (arguments.game.clone(), arguments.agent.clone());
    let point = Point { game, agent, quantity: Quantity::Score, repetitions: arguments.games };
    let measured = measure::run(
        std::slice::from_ref(&point),
        arguments.seed,
        &folder,
        threads(arguments.threads),
        interrupt::flag(),
        &|_| {},
    );
    // Nothing is kept of a single measurement.
    let _ = std::fs::remove_dir_all(&folder);
    let samples = measured?;
    let [sample] = &samples[..] else { return Ok(()) };
    if sample.count == 0 {
        return Err(InputError::new("score", "no game was finished", "let it run longer").into());
    }
    let (mean, margin) = (sample.mean(0), sample.margin(0));
    if arguments.json {
        let line = json!({
            "game": point.game, "agent": point.agent, "seed": arguments.seed, "games": sample.count,
            "score": mean, "ci95": [mean - margin, mean + margin], "deviation": sample.variance(0).sqrt(),
        });
        writeln!(out, "{line}")?;
    } else {
        writeln!(
            out,
            "{} · {}\n{} games: score {mean:.2} ± {margin:.2} (95 %), deviation {:.1}",
            point.game,
            point.agent,
            grouped(sample.count),
            sample.variance(0).sqrt()
        )?;
    }
    Ok(())
}
