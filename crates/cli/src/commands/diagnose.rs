//! `spinney diagnose`

use crate::arguments::Diagnose;
use crate::interrupt;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use spinney_report::{Curve, Point, Series, curve_picture, figures_page};
use spinney_search::diagnose::{BonusDiagnosis, Diagnosis, Histogram, Study, diagnose};
use spinney_search::reward::bonus::sigmoid;
use spinney_stats::Moments;
use std::io::Write;
use std::path::Path;

pub fn run(arguments: &Diagnose, out: &mut impl Write) -> anyhow::Result<()> {
    let study = Study {
        agent: arguments.agent.parse()?,
        games: arguments.games,
        simulations: arguments.sims,
        seed: arguments.seed,
    };
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} positions  {elapsed}") {
        bar.set_style(style);
    }
    let found = diagnose(&arguments.game, &study, interrupt::flag(), &mut |positions| bar.set_position(positions))?;
    bar.finish_and_clear();
    let Some(found) = found else {
        anyhow::bail!("stopped before the first answer; fewer --games or --sims are faster")
    };
    let figures = figures(&found);
    if let Some(path) = &arguments.page {
        let mut table = rows(&found);
        let [length, quality] = found.bonuses.each_ref().map(|own| own.verdict().to_string());
        table.push(vec!["in words".to_string(), length, quality]);
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

fn summary(found: &Diagnosis) -> String {
    format!(
        "{} · {} · {} positions, {} simulations, {:.1} % of them drawn",
        found.game,
        found.agent,
        found.positions,
        found.simulations,
        100.0 * found.drawn
    )
}

/// The table: a head, then a row for each number.
fn rows(found: &Diagnosis) -> Vec<Vec<String>> {
    let row = |name: &str, value: &dyn Fn(&BonusDiagnosis) -> String| {
        let [length, quality] = &found.bonuses;
        vec![name.to_string(), value(length), value(quality)]
    };
    let spread = |moments: &Moments| match moments.count() {
        0 => "–".to_string(),
        _ => format!("{:.3} ± {:.3}", moments.mean(), moments.variance().sqrt()),
    };
    let number = |value: Option<f64>| value.map_or("–".to_string(), |value| format!("{value:.2}"));
    vec![
        row("", &|own| own.of.to_string()),
        row("correlation with winning", &|own| spread(&own.correlation)),
        row("variance removed, share", &|own| spread(&own.removed)),
        row("weight a′", &|own| spread(&own.weight)),
        row("k in use", &|own| format!("{:.2}", own.k)),
        row("k that spreads evenly", &|own| number(own.recommended_k)),
        row("λ beyond ±10/k", &|own| format!("{:.1} %", 100.0 * own.saturated)),
        row("signal", &|own| number(own.signal.map(|(partial, _, _)| partial))),
        row("its 95 % interval", &|own| {
            own.signal.map_or("–".to_string(), |(_, low, high)| format!("[{low:.2}, {high:.2}]"))
        }),
    ]
}

fn sparkline(histogram: &Histogram) -> String {
    const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = histogram.counts.iter().copied().max().unwrap_or(0).max(1);
    histogram.counts.iter().map(|&count| BARS[(count * 8).div_ceil(most) as usize]).collect()
}

/// Lengths and qualities of either winner, λ, and the bonus that it gives.
fn figures(found: &Diagnosis) -> Vec<Curve> {
    let series = |label: &str, points: Vec<(f64, f64)>| Series {
        label: label.to_string(),
        points: points.into_iter().map(|(x, y)| Point { x, y, interval: None }).collect(),
        published: false,
    };
    let curve = |title: &str, x: &str, y: &str, series: Vec<Series>| Curve {
        title: title.to_string(),
        x_label: x.to_string(),
        y_label: y.to_string(),
        series,
        ..Curve::default()
    };
    let percent = |histogram: &Histogram| histogram.shares().map(|(x, share)| (x, 100.0 * share)).collect::<Vec<_>>();
    let values = |own: &BonusDiagnosis| {
        vec![series("first player won", percent(&own.values[0])), series("second player won", percent(&own.values[1]))]
    };
    let [length, quality] = &found.bonuses;
    let steps = |k: f64| (-40..=40).map(|step| f64::from(step) / 10.0).map(|x| (x, sigmoid(k * x))).collect();
    let mut bonuses = vec![
        series(&format!("length, k = {}", length.k), steps(length.k)),
        series(&format!("quality, k = {}", quality.k), steps(quality.k)),
    ];
    if let Some(k) = length.recommended_k {
        bonuses.push(series(&format!("length, k = {k:.1} (even)"), steps(k)));
    }
    vec![
        curve("Length of simulations from the start", "plies", "share of simulations (%)", values(length)),
        curve("Quality of simulations from the start", "quality", "share of simulations (%)", values(quality)),
        curve(
            "λ over all positions",
            "λ, deviations from the mean of the winner",
            "share of simulations (%)",
            vec![series("length", percent(&length.lambda)), series("quality", percent(&quality.lambda))],
        ),
        curve("The bonus that λ gives", "λ", "bonus b", bonuses),
    ]
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
