//! What is done with a run that was played: more games, verification, taking it off the list.

use super::Shared;
use super::runs;
use super::source::Wish;
use crate::error::{Asked, Body, Parts, Refusal};
use crate::events::{self, Events};
use crate::position::aside;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use spinney_core::InputError;
use spinney_lab::LabError;
use spinney_lab::store::Store;
use spinney_lab::summary::pairs_to_add;
use spinney_lab::verify::{Verification, repeat, replay, sample, sample_portions};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// More games of a run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct More {
    run: String,
    /// Pairs for each cell that is not decided; as many as it needs when left out.
    #[serde(default)]
    pairs: Option<u64>,
}

/// Pairs that are added at once.
const MOST_PAIRS: u64 = 100_000;

/// Adds pairs to the cells that are not decided, and plays them.
pub async fn more(State(shared): crate::State, Body(asked): Body<More>) -> Result<Json<Value>, Refusal> {
    aside(move || {
        let folder = shared.experiments.folder_of(&asked.run)?;
        if shared.experiments.live(&asked.run).is_some() {
            return Err(Refusal::new(StatusCode::CONFLICT, "run: it is being played; stop it first"));
        }
        if asked.pairs.is_some_and(|pairs| !(1..=MOST_PAIRS).contains(&pairs)) {
            let remedy = format!("write a number from 1 to {MOST_PAIRS}");
            return Err(InputError::new("pairs", "out of range", remedy).into());
        }
        let mut store = Store::open_in(&shared.laboratory, &folder)?;
        let contents = store.read()?;
        let mut added = pairs_to_add(&store.plan, &contents, asked.pairs);
        added.iter_mut().for_each(|pairs| *pairs = (*pairs).min(MOST_PAIRS));
        let pairs: u64 = added.iter().sum();
        if pairs > 0 {
            store.add_pairs(&added)?;
            let wish = Wish { run: Some(asked.run.clone()), ..Wish::default() };
            runs::start(&shared, &wish)?;
        }
        Ok(Json(json!({"run": asked.run, "games": 2 * pairs, "cells": added.iter().filter(|own| **own > 0).count()})))
    })
    .await
}

/// A run to be taken off the list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remove {
    run: String,
}

/// Takes a run off the list: its folder gets a name with a dot, so that nothing is lost.
pub async fn remove(State(shared): crate::State, Body(asked): Body<Remove>) -> Result<Json<Value>, Refusal> {
    aside(move || {
        let folder = shared.experiments.folder_of(&asked.run)?;
        if shared.experiments.live(&asked.run).is_some() {
            return Err(Refusal::new(StatusCode::CONFLICT, "run: it is being played; stop it first"));
        }
        let free = |number: &u32| !folder.with_file_name(format!(".removed-{}-{number}", asked.run)).exists();
        let name = format!(".removed-{}-{}", asked.run, (1..).find(free).unwrap_or(0));
        std::fs::rename(&folder, folder.with_file_name(&name)).map_err(LabError::file(&folder))?;
        shared.experiments.forget(&asked.run);
        Ok(Json(json!({"run": asked.run, "kept": name})))
    })
    .await
}

/// How much is played again.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    #[serde(default = "twentieth")]
    share: f64,
}

fn twentieth() -> f64 {
    0.05
}

/// Plays a share of the games again: events `verify` while it goes on, and last `done`.
pub async fn verify(
    State(shared): crate::State,
    Parts(name): Parts<String>,
    Asked(Share { share }): Asked<Share>,
) -> Result<Response, Refusal> {
    let folder = shared.experiments.folder_of(&name)?;
    if !(0.0..=1.0).contains(&share) {
        return Err(InputError::new("share", "out of range", "write a number from 0 to 1").into());
    }
    let (events, answer) = events::open();
    tokio::spawn(async move {
        let _place = shared.experiments.plans.acquire().await;
        let work = shared.clone();
        let _ = tokio::task::spawn_blocking(move || {
            if let Err(error) = played_again(&work, &folder, share, &events) {
                events.finish("failure", &json!({"error": error.to_string()}).to_string());
            }
        })
        .await;
    });
    Ok(answer)
}

fn played_again(shared: &Arc<Shared>, folder: &std::path::Path, share: f64, events: &Events) -> Result<(), LabError> {
    let store = Store::open_in(&shared.laboratory, folder)?;
    let contents = store.read()?;
    let (ids, portions) = (sample(&store.plan, &contents, share), sample_portions(&store.plan, &contents, share));
    let (of, gone): (usize, &AtomicBool) = (ids.len() + portions.len(), events.gone());
    let mut found = Verification::default();
    let told = |found: &Verification, done: usize| {
        let differences: Vec<&String> = found.differences.iter().take(20).collect();
        json!({"done": done, "of": of, "replayed": found.replayed, "identical": found.identical, "differences": differences})
            .to_string()
    };
    for (done, id) in ids.iter().enumerate() {
        let Some(result) = replay(&store, &contents.games[id], *id, gone)? else { return Ok(()) };
        found.add(1, result);
        events.offer("verify", &told(&found, done + 1));
    }
    for (done, id) in portions.iter().enumerate() {
        let portion = &contents.portions[id];
        let Some(result) = repeat(&store, portion, *id, gone)? else { return Ok(()) };
        found.add(portion.count, result);
        events.offer("verify", &told(&found, ids.len() + done + 1));
    }
    // A folder that cannot be written to can still be verified.
    let _ = found.write(&store);
    events.finish("done", &told(&found, of));
    Ok(())
}
