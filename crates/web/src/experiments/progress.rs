//! A run in numbers and figures, by the code that makes its report.

use serde_json::{Value, json};
use spinney_lab::cluster::Submission;
use spinney_lab::cluster::progress::{Progress, State, Watched};
use spinney_lab::store::{Contents, Store};
use spinney_lab::{referee, report};
use spinney_report::{Report, Width, curve_plot, forest_plot, heat_plot, matrix_plot};
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

/// How a run goes.
#[derive(Debug)]
pub struct Going<'a> {
    /// In a word.
    pub state: &'a str,
    /// Seconds until it is done, as far as that is known.
    pub left: Option<f64>,
    /// What went wrong, if anything did.
    pub problem: Option<&'a str>,
    /// The elements of its submissions.
    pub elements: Vec<Value>,
}

/// The run as the page shows it.
pub fn shown(store: &Store, contents: &Contents, going: Going<'_>) -> Value {
    let report = report::of_store(store, contents, None);
    json!({
        "title": report.title,
        "about": report.about,
        "notes": report.notes,
        "command": report.command,
        "played": referee::counted(&store.plan, contents).count(),
        "planned": referee::planned(&store.plan, contents),
        "state": going.state,
        "problem": going.problem,
        "faults": contents.faults.len(),
        "seconds_left": going.left,
        "elements": going.elements,
        "cells": cells(store, &report),
        "figures": figures(&report),
    })
}

/// Elements that are shown with the end of their logs.
const TROUBLED: usize = 3;

/// The submissions of a run to clusters, looked at again and again: what has ended is read once, however many
/// elements there are.
#[derive(Debug, Default)]
pub struct Elements {
    watched: BTreeMap<u64, Watched>,
}

impl Elements {
    /// How far they are, and those that need a look; what cannot be read is left out.
    pub fn look(&mut self, store: &Store) -> Vec<Value> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        for number in Submission::numbers(&store.folder) {
            if let (false, Ok(watched)) = (self.watched.contains_key(&number), Watched::new(store, number)) {
                self.watched.insert(number, watched);
            }
        }
        self.watched.values_mut().map(|watched| Self::shown(&watched.look(&store.folder, None, now))).collect()
    }

    fn shown(progress: &Progress) -> Value {
        let counts: serde_json::Map<String, Value> =
            State::ALL.iter().map(|&state| (state.word().to_string(), json!(progress.count(state)))).collect();
        let trouble: Vec<Value> = progress
            .trouble
            .iter()
            .filter(|one| one.state != State::Stopped)
            .take(TROUBLED)
            .map(|one| {
                json!({
                    "index": one.index, "state": one.state.word(), "host": one.host, "problem": one.problem, "log": one.log,
                })
            })
            .collect();
        let troubled = progress.trouble.iter().filter(|one| one.state != State::Stopped).count();
        json!({"submission": progress.number, "counts": counts, "troubled": troubled, "trouble": trouble})
    }
}

/// The cells in the order of the report, each with its key.
fn cells(store: &Store, report: &Report) -> Vec<Value> {
    let planned = (0..store.plan.sections.len())
        .flat_map(|section| store.plan.cells.iter().filter(move |cell| cell.section == section));
    let cells = report.sections.iter().flat_map(|section| section.cells.iter().map(move |cell| (section, cell)));
    planned
        .zip(cells)
        .map(|(planned, (section, cell))| {
            let played = cell.games > 0;
            json!({
                "key": planned.key,
                "section": section.title,
                "label": planned.label(),
                "game": planned.written_game,
                "a": cell.a,
                "b": cell.b,
                "budget": cell.budget,
                "played": cell.games,
                "planned": cell.planned_games,
                "wins": cell.wins,
                "draws": cell.draws,
                "losses": cell.losses,
                "score": played.then_some(cell.score),
                "low": cell.interval.map(|(low, _)| low),
                "high": cell.interval.map(|(_, high)| high),
                "published": cell.published.as_ref().map(|published| published.score),
                "published_margin": cell.published.as_ref().and_then(|published| published.margin),
                "source": cell.published.as_ref().map(|published| &published.source),
                "verdict": cell.verdict.filter(|_| played).map(|verdict| verdict.words()),
                "significant": cell.significant,
            })
        })
        .collect()
}

fn figures(report: &Report) -> Vec<Value> {
    let mut figures = Vec::new();
    let mut add = |kind: &str, title: &str, caption: &str, plot: &dyn Fn(Width) -> String| {
        figures.push(json!({
            "kind": kind, "title": title, "caption": caption, "svg": plot(Width::Wide), "narrow": plot(Width::Narrow),
        }));
    };
    for section in &report.sections {
        let forest = "Score of A with its 95 % interval; published values beside it where there are any.";
        if !section.cells.is_empty() {
            add("forest", &section.title, forest, &|width| forest_plot(&section.title, &section.cells, width));
        }
        for curve in &section.curves {
            add("curve", &curve.title, "", &|width| curve_plot(curve, width));
        }
        for heat in &section.heats {
            add("matrix", &heat.title, "", &|width| heat_plot(heat, width));
        }
        if let Some(matrix) = &section.matrix {
            add("matrix", &matrix.title, &matrix.relation.sentence(), &|width| matrix_plot(matrix, width));
        }
    }
    figures
}
