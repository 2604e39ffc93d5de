//! `spinney diagnose`

use crate::arguments::Diagnose;
use crate::interrupt;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use spinney_lab::diagnosis::{figures, rows, summary, verdicts};
use spinney_report::{Curve, curve_picture, figures_page};
use spinney_stats::Moments;
use spinney_table::Laboratory;
use spinney_table::diagnose::{Diagnosis, Histogram, Study};
use std::io::Write;
use std::path::Path;

pub fn run(arguments: &Diagnose, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let study = Study {
        agent: laboratory.agent(&arguments.agent)?,
        games: arguments.games,
        simulations: arguments.sims,
        seed: arguments.seed,
    };
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} positions  {elapsed}") {
        bar.set_style(style);
    }
    let table = laboratory.open(&arguments.game, None)?;
    let found = table.diagnose(&study, interrupt::flag(), &mut |positions, _| bar.set_position(positions))?;
    bar.finish_and_clear();
    let Some(found) = found else {
        anyhow::bail!("stopped before the first answer; fewer --games or --sims are faster")
    };
    let figures: Vec<Curve> = figures(&found).into_iter().map(|figure| figure.curve).collect();
    if let Some(path) = &arguments.page {
        let mut table = rows(&found);
        table.push(verdicts(&found));
        let page = figures_page(&format!("Diagnosis of {}", found.game), &summary(&found), &table, &figures);
        write_file(path, &page)?;
    }
    if let Some(folder) = &arguments.pictures {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        for (name, figure) in ["lengths", "qualities", "lambda", "bonus"].iter().zip(&figures) {
            write_file(&folder.join(format!("{name}.svg")), &curve_picture(figure))?;
        }
    }
    if arguments.json {
        writeln!(out, "{}", to_json(&found))?;
        return Ok(());
    }
    writeln!(out, "{}\n", summary(&found))?;
    for row in rows(&found) {
        let cells: Vec<&str> = row.iter().map(String::as_str).collect();
        let [name, length, quality] = cells.as_slice() else { continue };
        writeln!(out, "  {name:<28} {length:>18} {quality:>18}")?;
    }
    writeln!(out)?;
    for own in &found.bonuses {
        writeln!(out, "  {}: {}", own.of, own.verdict())?;
    }
    writeln!(out, "\n  λ of the two, from −5 to 5\n")?;
    for own in &found.bonuses {
        writeln!(out, "  {:<8} {}", own.of, sparkline(&own.lambda))?;
    }
    Ok(())
}

fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn sparkline(histogram: &Histogram) -> String {
    const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = histogram.counts.iter().copied().max().unwrap_or(0).max(1);
    histogram.counts.iter().map(|&count| BARS[(count * 8).div_ceil(most) as usize]).collect()
}

fn to_json(found: &Diagnosis) -> serde_json::Value {
    let histogram = |own: &Histogram| json!({"start": own.start, "width": own.width, "counts": own.counts});
    let moments =
        |own: &Moments| json!({"mean": own.mean(), "deviation": own.variance().sqrt(), "positions": own.count()});
    let bonuses: Vec<_> = found
        .bonuses
        .iter()
        .map(|own| {
            json!({
                "of": own.of,
                "k": own.k,
                "correlation": moments(&own.correlation),
                "removed": moments(&own.removed),
                "weight": moments(&own.weight),
                "recommended_k": own.recommended_k,
                "saturated": own.saturated,
                "signal": own.signal.map(|(partial, _, _)| partial),
                "signal_ci95": own.signal.map(|(_, low, high)| [low, high]),
                "verdict": own.verdict(),
                "lambda": histogram(&own.lambda),
                "values_first": histogram(&own.values[0]),
                "values_second": histogram(&own.values[1]),
            })
        })
        .collect();
    json!({
        "game": found.game,
        "agent": found.agent,
        "positions": found.positions,
        "simulations": found.simulations,
        "drawn": found.drawn,
        "bonuses": bonuses,
    })
}
