//! `spinney diagnose`

use crate::arguments::Diagnose;
use crate::interrupt;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use spinney_core::{InputError, InputErrorKind};
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
    // A path that cannot be written is found before hours of work, not after them.
    if let Some(path) = &arguments.page {
        check_page(path)?;
    }
    if let Some(folder) = &arguments.pictures {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
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
    if arguments.json {
        writeln!(out, "{}", to_json(&found))?;
    } else {
        show(&found, out)?;
    }
    write_files(arguments, &found)
}

/// The page and the pictures that were asked for.
fn write_files(arguments: &Diagnose, found: &Diagnosis) -> anyhow::Result<()> {
    let figures: Vec<Curve> = figures(found).into_iter().map(|figure| figure.curve).collect();
    if let Some(path) = &arguments.page {
        let mut table = rows(found);
        table.push(verdicts(found));
        let page = figures_page(&format!("Diagnosis of {}", found.game), &summary(found), &table, &figures);
        write_file(path, &page)?;
        eprintln!("page: {}", path.display());
    }
    if let Some(folder) = &arguments.pictures {
        for (name, figure) in ["lengths", "qualities", "lambda", "bonus"].iter().zip(&figures) {
            let path = folder.join(format!("{name}.svg"));
            write_file(&path, &curve_picture(figure))?;
            eprintln!("picture: {}", path.display());
        }
    }
    Ok(())
}

/// Whether a page can be written there, as far as that can be told without writing it.
fn check_page(path: &Path) -> Result<(), InputError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let problem = match () {
        () if !folder.is_dir() => format!("there is no folder {}", folder.display()),
        () if path.is_dir() => "it is a folder".to_string(),
        () => return Ok(()),
    };
    Err(InputError::new(path.display(), problem, "name a file in a folder that is there").of(InputErrorKind::File))
}

fn show(found: &Diagnosis, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "{}\n", summary(found))?;
    for row in rows(found) {
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
