//! The view of a tuning: what its model says of each parameter, and what the check found.

use super::Shared;
use crate::error::{Parts, Refusal};
use crate::position::aside;
use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use spinney_lab::LabError;
use spinney_report::{Width, curve_plot};
use spinney_tune::report::{curves, range_words};
use spinney_tune::{Model, Run, Tuning};
use std::path::Path;
use std::sync::Arc;

/// What makes a folder one of a tuning.
pub const FILE: &str = "tune.toml";

/// What is known of a tuning.
pub async fn tuning(State(shared): crate::State, Parts(name): Parts<String>) -> Result<Json<Value>, Refusal> {
    let _place = shared.experiments.plans.acquire().await;
    let work: Arc<Shared> = shared.clone();
    aside(move || {
        let folder = work.experiments.folder_of(&name)?;
        if !folder.join(FILE).is_file() {
            return Err(Refusal::not_found(format!("run {name}: it is no tuning")));
        }
        Ok(Json(shown(&work, &folder)?))
    })
    .await
}

fn shown(shared: &Shared, folder: &Path) -> Result<Value, LabError> {
    let text = std::fs::read_to_string(folder.join(FILE)).map_err(LabError::file(folder))?;
    let tuning = Tuning::read_in(&shared.laboratory, FILE, &text)?;
    let mut run = Run::open(tuning, folder, &text)?;
    let is_whole = run.look()?;
    let space = &run.tuning.space;
    let model = Model::new(space, run.observations());
    let known = !run.observations().is_empty();
    let best = known.then(|| model.best());
    let prediction = best.as_ref().map(|best| model.predict(best));
    let figures: Vec<Value> = best.as_ref().map_or(Vec::new(), |best| {
        let figure = |curve: &spinney_report::Curve| {
            let (svg, narrow) = (curve_plot(curve, Width::Wide), curve_plot(curve, Width::Narrow));
            json!({"kind": "curve", "title": curve.title, "caption": "", "svg": svg, "narrow": narrow})
        };
        curves(space, run.observations(), best).iter().map(figure).collect()
    });
    let check = if is_whole { run.outcome().ok().map(|(_, _, outcome)| outcome) } else { None };
    let texts = best.as_ref().map(|best| space.texts(best));
    let parameters = space.parameters.iter().enumerate().map(|(at, own)| {
        json!({"name": own.name, "range": range_words(own), "best": texts.as_ref().map(|texts| texts[at].clone())})
    });
    Ok(json!({
        "title": run.tuning.title, "about": run.tuning.about, "game": run.tuning.game, "agent": run.tuning.agent,
        "baseline": run.tuning.baseline, "played": run.played(), "planned": 2 * run.tuning.tuning_pairs(),
        "whole": is_whole, "parameters": parameters.collect::<Vec<_>>(),
        "expected": prediction.as_ref().map(|one| one.score),
        "low": prediction.as_ref().map(|one| one.interval.low), "high": prediction.as_ref().map(|one| one.interval.high),
        "best": check.as_ref().map(|outcome| outcome.agent.clone()),
        "check": check.as_ref().map(|outcome| json!({
            "score": outcome.check.score, "games": outcome.check.games.games(),
            "low": outcome.check.interval.map(|one| one.low), "high": outcome.check.interval.map(|one| one.high),
        })),
        "figures": figures,
    }))
}
