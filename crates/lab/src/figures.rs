//! The curves and tables of measurements in a report.

use crate::measure::{Measurement, Quantity, Sample, worth};
use crate::plan::Plan;
use spinney_report::{Curve, Point, Series, TextTable};
use spinney_stats::Z95;

/// A measurement with what is known of it.
type Measured<'a> = (&'a Measurement, &'a Sample);

/// What the measurements of a section show; nothing where it has none that were repeated.
pub fn of_section(plan: &Plan, index: usize, samples: &[Sample]) -> (Vec<Curve>, Vec<TextTable>) {
    let all: Vec<Measured> = plan.measurements.iter().zip(samples).filter(|(_, sample)| sample.count > 0).collect();
    let (own, others): (Vec<Measured>, Vec<Measured>) = all.iter().partition(|(one, _)| one.section == index);
    let section = &plan.sections[index];
    let (scores, roots): (Vec<Measured>, Vec<Measured>) =
        own.iter().partition(|(one, _)| one.quantity == Quantity::Score);
    let mut curves = Vec::new();
    let mut texts = Vec::new();
    if let Some((first, _)) = scores.first() {
        let is_scored = |other: &Measurement| other.quantity == Quantity::Score && other.game == first.game;
        let elsewhere: Vec<Measured> = others.into_iter().filter(|(one, _)| is_scored(one)).collect();
        let beside = elsewhere.iter().copied().filter(|(one, _)| section.view.beside.contains(&one.name));
        let shown: Vec<Measured> = beside.chain(scores.iter().copied()).collect();
        curves.extend(score_curve(&section.title, &section.view.unit, &shown));
        texts.push(scores_table(&section.view.unit, &scores));
        if let Some(baseline) = &section.view.baseline {
            let plain = scores.iter().chain(&elsewhere).copied().filter(|(one, _)| one.name == *baseline);
            texts.extend(beside_baseline(baseline, plain.collect(), &scores));
        }
    }
    if !roots.is_empty() {
        curves.extend(error_curves(&section.view.unit, &roots));
        texts.push(errors_table(&roots));
    }
    if let Some(statement) = section.statement.as_ref().filter(|_| !texts.is_empty()) {
        let rows = [["", "statement"], ["the paper", statement.as_str()]];
        let rows = rows.map(|row| row.map(str::to_string).to_vec()).to_vec();
        texts.push(TextTable { title: "Published".to_string(), rows });
    }
    (curves, texts)
}

/// Agents in the order in which they come.
fn names<'a>(measured: &[Measured<'a>]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for (one, _) in measured {
        if !names.contains(&one.name.as_str()) {
            names.push(&one.name);
        }
    }
    names
}

/// Budgets by their simulations, those without any last.
fn budgets(measured: &[Measured]) -> Vec<String> {
    let mut budgets: Vec<(u64, &str)> =
        measured.iter().map(|(one, _)| (one.simulations.unwrap_or(u64::MAX), one.budget.as_str())).collect();
    budgets.sort_unstable();
    budgets.dedup();
    budgets.into_iter().map(|(_, words)| words.to_string()).collect()
}

fn around(y: f64, margin: f64, x: f64) -> Point {
    Point { x, y, interval: Some((y - margin, y + margin)) }
}

/// Score over simulations, where some agent has several.
fn score_curve(title: &str, unit: &str, measured: &[Measured]) -> Option<Curve> {
    let series = names(measured).into_iter().map(|name| {
        let own = measured.iter().filter(|(one, _)| one.name == name);
        let point = |(one, sample): &Measured| {
            one.simulations.map(|simulations| around(sample.mean(0), sample.margin(0), simulations as f64))
        };
        Series { label: name.to_string(), points: own.filter_map(point).collect(), published: false }
    });
    let series: Vec<Series> = series.filter(|one| !one.points.is_empty()).collect();
    series.iter().any(|one| one.points.len() > 1).then(|| Curve {
        title: title.to_string(),
        x_label: "simulations per move".to_string(),
        y_label: unit.to_string(),
        x_logarithmic: true,
        series,
        reference: None,
    })
}

/// A table of agents as rows and budgets as columns; what has no entry is left out.
fn table(
    title: String,
    corner: &str,
    measured: &[Measured],
    entry: impl Fn(&Measurement, &Sample) -> Option<String>,
) -> Option<TextTable> {
    let find = |name: &str, budget: &str| {
        let found = measured.iter().find(|(one, _)| one.name == name && one.budget == budget);
        found.and_then(|(one, sample)| entry(one, sample))
    };
    let (mut names, mut budgets) = (names(measured), budgets(measured));
    budgets.retain(|budget| names.iter().any(|name| find(name, budget).is_some()));
    names.retain(|name| budgets.iter().any(|budget| find(name, budget).is_some()));
    if names.is_empty() {
        return None;
    }
    let row = |first: &str, rest: Vec<String>| std::iter::once(first.to_string()).chain(rest).collect();
    let entries = |name: &str| budgets.iter().map(|budget| find(name, budget).unwrap_or_default()).collect();
    let body = names.iter().map(|name| row(name, entries(name)));
    let rows = std::iter::once(row(corner, budgets.clone())).chain(body).collect();
    Some(TextTable { title, rows })
}

fn scores_table(unit: &str, measured: &[Measured]) -> TextTable {
    let entry = |_: &Measurement, sample: &Sample| Some(format!("{:.2} ± {:.2}", sample.mean(0), sample.margin(0)));
    table(format!("Mean score, {unit}, with 95 % intervals"), "score", measured, entry).unwrap_or_default()
}

/// What the others are worth in simulations of the baseline, and how they stand to it with twice as many.
fn beside_baseline(baseline: &str, mut plain: Vec<Measured>, measured: &[Measured]) -> Vec<TextTable> {
    plain.sort_by_key(|(one, _)| one.simulations);
    let points: Vec<(f64, f64, f64)> = plain
        .iter()
        .filter_map(|(one, sample)| Some((one.simulations? as f64, sample.mean(0), sample.error(0))))
        .collect();
    let factor = |one: &Measurement, sample: &Sample| {
        let simulations = one.simulations.filter(|_| one.name != baseline && !points.is_empty())?;
        Some(match worth(simulations as f64, (sample.mean(0), sample.error(0)), &points) {
            Some((factor, low, high)) => format!("{factor:.2} [{low:.2}, {high:.2}]"),
            None => format!("beyond {baseline}"),
        })
    };
    let difference = |one: &Measurement, sample: &Sample| {
        let simulations = one.simulations.filter(|_| one.name != baseline)?;
        let (_, double) = plain.iter().find(|(plain, _)| plain.simulations == Some(2 * simulations))?;
        let margin = Z95 * sample.error(0).hypot(double.error(0));
        Some(format!("{:+.2} ± {margin:.2}", sample.mean(0) - double.mean(0)))
    };
    let worth = table(format!("Worth so many times the simulations of {baseline}"), "worth", measured, factor);
    let title = format!("Score less that of {baseline} with twice the simulations");
    worth.into_iter().chain(table(title, "difference", measured, difference)).collect()
}

/// Bias and variance of the value of the first move and of its difference from the other's.
struct Errors {
    /// By how much the mean is off, where the truth is known.
    biases: Option<[f64; 2]>,
    variances: [f64; 2],
}

impl Errors {
    fn of(one: &Measurement, sample: &Sample) -> Self {
        let exact = match &one.quantity {
            Quantity::Root { exact, .. } => exact.map(|[first, other]| [first, first - other]),
            Quantity::Score => None,
        };
        let biases = exact.map(|exact| [0, 1].map(|index| sample.mean(index) - exact[index]));
        Self { biases, variances: [0, 1].map(|index| sample.variance(index)) }
    }
}

fn moves_of(measured: &[Measured]) -> [String; 2] {
    match measured.first().map(|(one, _)| &one.quantity) {
        Some(Quantity::Root { moves, .. }) => moves.clone(),
        _ => Default::default(),
    }
}

/// Mean squared error and squared bias over simulations, or variance where the truth is not known, of the agents that
/// were measured with several.
fn error_curves(unit: &str, measured: &[Measured]) -> Vec<Curve> {
    let [first, other] = moves_of(measured);
    let curved =
        |name: &&str| measured.iter().filter(|(one, _)| one.name == *name && one.simulations.is_some()).count() > 1;
    let names: Vec<&str> = names(measured).into_iter().filter(curved).collect();
    let whats = [format!("value of {first}"), format!("difference of {first} and {other}")];
    let curve = |(index, what): (usize, String)| {
        let mut series: Vec<Series> = Vec::new();
        let mut add = |label: String, point: Point| match series.iter_mut().find(|one| one.label == label) {
            Some(one) => one.points.push(point),
            None => series.push(Series { label, points: vec![point], published: false }),
        };
        for name in &names {
            let label = |what: &str| if names.len() > 1 { format!("{name}, {what}") } else { what.to_string() };
            for (one, sample) in measured.iter().filter(|(one, sample)| one.name == *name && sample.count > 1) {
                let Some(x) = one.simulations.map(|simulations| simulations as f64) else { continue };
                let errors = Errors::of(one, sample);
                let variance = errors.variances[index];
                let of_variance = variance * (2.0 / (sample.count - 1) as f64).sqrt();
                let Some(biases) = errors.biases else {
                    add(label("variance"), around(variance, Z95 * of_variance, x));
                    continue;
                };
                let square = biases[index].powi(2);
                let of_bias = (2.0 * biases[index] * sample.error(index)).abs();
                let total = around(square + variance, Z95 * of_bias.hypot(of_variance), x);
                add(label("mean squared error"), total);
                add(label("squared bias"), around(square, Z95 * of_bias, x));
            }
        }
        Curve {
            title: format!("Error of the {what}"),
            x_label: "simulations".to_string(),
            y_label: format!("squared {unit}"),
            x_logarithmic: true,
            series,
            reference: None,
        }
    };
    whats.into_iter().enumerate().map(curve).filter(|curve| !curve.series.is_empty()).collect()
}

fn errors_table(measured: &[Measured]) -> TextTable {
    let [first, other] = moves_of(measured);
    let title = format!("Value of {first}, and how much it is above {other}");
    let is_known = measured.iter().any(|(one, sample)| Errors::of(one, sample).biases.is_some());
    let mut head = vec!["agent".to_string(), "searches".to_string()];
    for what in [first, "difference".to_string()] {
        head.extend([what, "variance".to_string()]);
        head.extend(["bias", "squared error"].into_iter().filter(|_| is_known).map(str::to_string));
    }
    let row = |(one, sample): &Measured| {
        let errors = Errors::of(one, sample);
        let mut row = vec![format!("{} · {}", one.name, one.budget), sample.count.to_string()];
        for index in 0..2 {
            row.extend([format!("{:.3}", sample.mean(index)), format!("{:.2}", errors.variances[index])]);
            match errors.biases.map(|biases| biases[index]) {
                Some(bias) => {
                    row.extend([format!("{bias:+.3}"), format!("{:.2}", bias.powi(2) + errors.variances[index])]);
                }
                None if is_known => row.extend([String::new(), String::new()]),
                None => {}
            }
        }
        row
    };
    TextTable { title, rows: std::iter::once(head).chain(measured.iter().map(row)).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use crate::plan::{PortionId, Shard};
    use crate::record::{Portion, VERSION};
    use crate::store::Contents;
    use crate::summary::samples;

    const TEXT: &str = r#"title = "Figures"
[agents.plain]
[agents.cv]
cv = true
[agents.crn]
crn = "on"
[[measure]]
title = "Scores"
games = ["pig"]
agents = ["plain", "cv"]
budgets = [{ simulations = 4 }, { simulations = 8 }, { simulations = 16 }]
repetitions = 50
baseline = "plain"
published = { paper = "variance-reduction", claim = "speedup", domain = "pig" }
[[measure]]
title = "More"
games = ["pig"]
agents = ["crn"]
budgets = [{ simulations = 4 }]
repetitions = 50
baseline = "plain"
beside = ["cv"]
[[measure]]
title = "Errors"
games = ["pig"]
agents = ["plain"]
budgets = [{ simulations = 4 }, { simulations = 8 }]
repetitions = 50
what = "root"
moves = ["roll", "stop"]
exact = [30, 20]
"#;

    /// A score of `10 log2(simulations)`, which the technique reaches with half of them, and deviations of 1.
    #[test]
    fn figures_say_what_was_measured() {
        let plan = Plan::new(&Experiment::read("figures", TEXT).unwrap()).unwrap();
        let mut contents = Contents::default();
        for id in plan.portions(Shard::WHOLE) {
            let one = &plan.measurements[id.measurement];
            let simulations = one.simulations.unwrap() as f64 * if one.name == "plain" { 1.0 } else { 2.0 };
            let mean = 10.0 * simulations.log2();
            let [sums, squares] = [mean, mean * mean + 0.98].map(|value| vec![50.0 * value, 50.0 * value]);
            let portion = Portion { v: VERSION, cell: one.key.clone(), portion: 0, count: 50, sums, squares };
            contents.portions.insert(PortionId { portion: 0, ..id }, portion);
        }
        let samples = samples(&plan, &contents);
        let (curves, texts) = of_section(&plan, 0, &samples);
        assert_eq!(curves[0].series.iter().map(|one| one.points.len()).collect::<Vec<_>>(), [3, 3]);
        assert_eq!(texts.len(), 4);
        assert_eq!(texts[0].rows[1], ["plain", "20.00 ± 0.28", "30.00 ± 0.28", "40.00 ± 0.28"]);
        assert_eq!(texts[1].rows.len(), 2, "the baseline is not compared with itself");
        assert!(texts[1].rows[1][1].starts_with("2.00 [1.9"), "{:?}", texts[1]);
        assert_eq!(texts[1].rows[1][3], "beyond plain");
        assert_eq!(texts[2].rows[1], ["cv", "+0.00 ± 0.39", "+0.00 ± 0.39"], "what has no entry is left out");
        assert!(texts[3].rows[1][1].ends_with(">=2.0x simulations"));
        let (curves, texts) = of_section(&plan, 1, &samples);
        assert_eq!(curves[0].series.iter().map(|one| one.label.as_str()).collect::<Vec<_>>(), ["cv", "crn"]);
        assert!(texts[1].rows[1][1].starts_with("2.00 [1.9"), "its baseline stands in another section");
        let (curves, texts) = of_section(&plan, 2, &samples);
        assert_eq!(curves.len(), 2);
        // Both numbers are 30 with 8 simulations: the value is right, the difference by 20 too much.
        let last = |curve: &Curve, series: usize| curve.series[series].points[1].y;
        assert_eq!((last(&curves[0], 1), last(&curves[1], 1)), (0.0, 400.0));
        assert_eq!(texts[0].rows[2][2..6], ["30.000", "1.00", "+0.000", "1.00"]);
        assert_eq!(of_section(&plan, 0, &vec![Sample::default(); samples.len()]), (vec![], vec![]));
    }
}
