//! A diagnosis as a table and figures, for the command line and the server's page alike.

use spinney_report::{Curve, Point, Series};
use spinney_search::reward::bonus::sigmoid;
use spinney_stats::Moments;
use spinney_table::diagnose::{BonusDiagnosis, Diagnosis, Histogram};

/// A figure of a diagnosis.
#[derive(Clone, Debug)]
pub struct Figure {
    /// What is drawn.
    pub curve: Curve,
    /// What there is to see.
    pub caption: &'static str,
}

/// What was looked at, in one line.
pub fn summary(found: &Diagnosis) -> String {
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
pub fn rows(found: &Diagnosis) -> Vec<Vec<String>> {
    let row = |name: &str, value: &dyn Fn(&BonusDiagnosis) -> String| {
        // A hyphen here is a minus.
        let [length, quality] = found.bonuses.each_ref().map(|own| value(own).replace('-', "−"));
        vec![name.to_string(), length, quality]
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

/// What the signals say, as one more row.
pub fn verdicts(found: &Diagnosis) -> Vec<String> {
    let [length, quality] = found.bonuses.each_ref().map(|own| own.verdict().to_string());
    vec!["in words".to_string(), length, quality]
}

/// Lengths and qualities of either winner, λ, and the bonus that it gives.
pub fn figures(found: &Diagnosis) -> Vec<Figure> {
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
    let figure = |curve, caption| Figure { curve, caption };
    let share = "share of simulations (%)";
    vec![
        figure(
            curve("Length of simulations from the start", "plies", share, values(length)),
            "How long the simulations of the first position were, by who won them. Where winners tend to win quickly, \
             length says something about the outcome.",
        ),
        figure(
            curve("Quality of simulations from the start", "quality", share, values(quality)),
            "How the final positions of the same simulations were judged in the winner's view, by who won them.",
        ),
        figure(
            curve(
                "λ over all positions",
                "λ, deviations from the mean of the winner",
                share,
                vec![series("length", percent(&length.lambda)), series("quality", percent(&quality.lambda))],
            ),
            "How far each simulation was from the mean of its winner, in standard deviations: what the bonus is made of.",
        ),
        figure(
            curve("The bonus that λ gives", "λ", "bonus b", bonuses),
            "A sigmoid makes a bonus between −1 and 1 of λ. With a large k it saturates: all beyond a point count alike.",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_table::diagnose::Study;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn table_and_figures_fit_each_other() {
        let study = Study { agent: "mcts".parse().unwrap(), games: 1, simulations: 50, seed: 1 };
        let stop = AtomicBool::new(false);
        let found = spinney_table::open_table("tic-tac-toe", None)
            .unwrap()
            .diagnose(&study, &stop, &mut |_, _| {})
            .unwrap()
            .unwrap();
        let rows = rows(&found);
        assert_eq!(rows[0], ["", "length", "quality"]);
        assert!(rows.iter().all(|row| row.len() == 3) && verdicts(&found).len() == 3);
        let figures = figures(&found);
        assert_eq!(figures.len(), 4);
        assert_eq!(figures[0].curve.series.len(), 2);
        assert!(figures.iter().all(|figure| figure.caption.ends_with('.')));
        assert!(summary(&found).starts_with("tic-tac-toe · mcts"));
    }
}
