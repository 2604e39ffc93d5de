//! What a tuning found, as a report of the laboratory: the check first, then a figure for each parameter.

use crate::model::Model;
use crate::regression::Observation;
use crate::run::{Outcome, Run};
use crate::space::{Parameter, Range, Setting, Space};
use spinney_lab::report::{machine, report as of_plan};
use spinney_lab::store::{Contents, Store};
use spinney_lab::verify::Verification;
use spinney_report::{Curve, Point, Report, Section, Series, TextTable};
use spinney_stats::paired_interval;

/// Points of the model's line.
const PLACES: usize = 60;
/// Parts of a range whose games are taken together.
const PARTS: usize = 10;
/// Fewer pairs than this in a part tell nothing.
const FEWEST_PAIRS: usize = 4;

/// The report of a tuning. `command` repeats it.
pub fn report(run: &Run, outcome: &Outcome, checked: (&Store, &Contents), command: String) -> Report {
    let (store, contents) = checked;
    let tuning = &run.tuning;
    let mut report = of_plan(&store.plan, contents, Verification::read(store).as_ref(), command, machine());
    report.title = tuning.title.clone();
    report.about = tuning.about.clone();
    report.hash = tuning.hash.clone();
    report.seed = tuning.seed;
    report.repetitions = (run.played(), 2 * tuning.tuning_pairs());
    for section in &mut report.sections {
        section.title = format!("The best setting, {}, in games that the tuner has not seen", outcome.written);
        section.texts.push(use_it(run, outcome));
    }
    let curves = curves(&tuning.space, run.observations(), &outcome.best);
    let title = format!("What {} games of tuning say of each parameter", run.played());
    let texts = vec![best_table(run, outcome)];
    report.sections.push(Section { title, curves, texts, ..Section::default() });
    report
}

fn use_it(run: &Run, outcome: &Outcome) -> TextTable {
    let row = |what: &str, text: String| vec![what.to_string(), text];
    let command = format!("spinney play '{}' --second '{}'", run.tuning.game, outcome.agent);
    let head = row("", "write".to_string());
    let rows = vec![head, row("the agent", outcome.agent.clone()), row("against it", command)];
    TextTable { title: "Use it".to_string(), rows }
}

fn best_table(run: &Run, outcome: &Outcome) -> TextTable {
    let space = &run.tuning.space;
    let head = ["parameter", "range", "best"].map(str::to_string).to_vec();
    let row = |(parameter, text): (&Parameter, String)| vec![parameter.name.clone(), range_words(parameter), text];
    let body = space.parameters.iter().zip(space.texts(&outcome.best)).map(row);
    let rows = std::iter::once(head).chain(body).collect();
    TextTable { title: "The best setting".to_string(), rows }
}

/// A range in words.
pub fn range_words(parameter: &Parameter) -> String {
    let scale = if parameter.is_logarithmic() { ", logarithmic" } else { "" };
    match &parameter.range {
        Range::Number { from, to, .. } => format!("{from} to {to}{scale}"),
        Range::Whole { from, to, .. } => format!("whole, {from} to {to}{scale}"),
        Range::Words(words) => words.join(", "),
    }
}

/// One figure for each parameter: what the model says along it with the others at their best, and the games.
pub fn curves(space: &Space, observations: &[Observation], best: &Setting) -> Vec<Curve> {
    let model = Model::new(space, observations);
    (0..space.parameters.len()).map(|at| curve(space, observations, &model, best, at)).collect()
}

fn curve(space: &Space, observations: &[Observation], model: &Model, best: &Setting, at: usize) -> Curve {
    let parameter = &space.parameters[at];
    let x_of = |value: f64| if parameter.is_words() { value + 1.0 } else { value };
    let values = parameter
        .listed()
        .unwrap_or_else(|| (0..=PLACES).map(|place| parameter.value(place as f64 / PLACES as f64)).collect());
    let along = |value: &f64| {
        let mut setting = best.clone();
        setting.values[at] = *value;
        let said = model.predict(&setting);
        let interval = Some((100.0 * said.interval.low, 100.0 * said.interval.high));
        Point { x: x_of(*value), y: 100.0 * said.score, interval }
    };
    let model_points = values.iter().map(along).collect();
    let x_label = match &parameter.range {
        Range::Words(words) => {
            let numbered = words.iter().enumerate().map(|(place, word)| format!("{} = {word}", place + 1));
            numbered.collect::<Vec<_>>().join(", ")
        }
        _ => parameter.name.clone(),
    };
    let names = space.parameters.iter().zip(space.texts(best)).enumerate();
    let others: Vec<String> = names
        .filter(|(place, _)| *place != at)
        .map(|(_, (parameter, text))| format!("{} = {text}", parameter.name))
        .collect();
    let model_label = if others.is_empty() { "model".to_string() } else { format!("model, {}", others.join(", ")) };
    Curve {
        title: format!("{}: best {}", parameter.name, parameter.write(best.values[at])),
        x_label,
        y_label: "score against the baseline, %".to_string(),
        x_logarithmic: parameter.is_logarithmic(),
        series: vec![
            // Words have no order: their values are marks and not a line.
            Series { label: model_label, points: model_points, published: parameter.is_words() },
            Series {
                label: "all games".to_string(),
                points: parts(parameter, observations, at, x_of),
                published: true,
            },
        ],
        reference: Some(50.0),
    }
}

/// The scores of the games in each part of the range, whatever the other parameters were.
fn parts(parameter: &Parameter, observations: &[Observation], at: usize, x_of: impl Fn(f64) -> f64) -> Vec<Point> {
    let listed = parameter.listed();
    let count = listed.as_ref().map_or(PARTS, Vec::len);
    let part_of = |value: f64| match &listed {
        Some(values) => values.iter().position(|known| *known == value).unwrap_or(0),
        None => ((parameter.place(value) * PARTS as f64) as usize).min(PARTS - 1),
    };
    let mut parts: Vec<(Vec<f64>, f64)> = vec![(Vec::new(), 0.0); count];
    for one in observations {
        let value = one.setting.values[at];
        let part = &mut parts[part_of(value)];
        part.0.push(one.points / one.games);
        part.1 += parameter.place(value);
    }
    let point = |(part, (scores, places)): (usize, (Vec<f64>, f64))| {
        if scores.len() < FEWEST_PAIRS {
            return None;
        }
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        let x = listed.as_ref().map_or_else(|| parameter.value(places / scores.len() as f64), |values| values[part]);
        let interval = paired_interval(&scores).map(|one| (100.0 * one.low, 100.0 * one.high));
        Some(Point { x: x_of(x), y: 100.0 * mean, interval })
    };
    parts.into_iter().enumerate().filter_map(point).collect()
}
