//! Experiments: list, plan, start, stop, resume, watch, read.
//!
//! [`source`] reads what a visitor wants, [`runs`] keeps the folders, [`live`] plays, [`progress`] shows, [`after`] is what can be done with
//! what was played, [`download`] what can be taken away, [`tuning`] the view of a tuning.

mod after;
mod download;
mod live;
mod progress;
mod runs;
mod source;
mod tuning;

pub use runs::Runs;

use crate::error::{Asked, Body, Parts, Refusal};
use crate::position::aside;
use crate::{Shared, events};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use source::Source;
pub(crate) use source::Wish;
use spinney_core::InputError;
use spinney_core::error::shorten;
use spinney_lab::estimate::seconds_of_measurement;
use spinney_lab::store::{Contents, Store};
use spinney_lab::{Estimate, Experiment, Record, library, recompute, report};
use spinney_stats::{Design, FAIR_PAIR_DEVIATION};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The addresses of this part.
pub fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/", get(list))
        .route("/plan", post(plan))
        .route("/start", post(start))
        .route("/stop", post(stop))
        .route("/text", get(text))
        .route("/read", post(read))
        .route("/runs/{name}/events", get(watch))
        .route("/more", post(after::more))
        .route("/remove", post(after::remove))
        .route("/runs/{name}/verify", get(after::verify))
        .route("/runs/{name}/tuning", get(tuning::tuning))
        .route("/runs/{name}/files/{file}", get(download::file))
        .route("/runs/{name}/report", get(page))
        .route("/runs/{name}/cells/{key}", get(games))
        .route("/runs/{name}/cells/{key}/{pair}/{game}", get(game))
}

async fn list(State(shared): crate::State) -> Result<Json<Value>, Refusal> {
    aside(move || {
        let files: Vec<Value> = library::files().filter_map(listed).collect();
        Ok(Json(json!({"files": files, "runs": shared.experiments.list()})))
    })
    .await
}

fn listed(file: library::File) -> Option<Value> {
    let experiment = Experiment::read(file.name, file.text).ok()?;
    Some(json!({
        "name": file.name, "title": experiment.title, "about": experiment.about,
        "cells": experiment.cells(), "games": experiment.games(),
    }))
}

/// Which file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    file: String,
}

/// The text of a file that comes with the program, to begin an experiment of one's own with.
async fn text(Asked(named): Asked<Named>) -> Result<String, Refusal> {
    let missing = || Refusal::not_found(format!("file {}: there is none of this name", shorten(&named.file)));
    library::find(&named.file).map(|file| file.text.to_string()).ok_or_else(missing)
}

/// An experiment file as a visitor writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    text: String,
}

/// The same as JSON, for forms; whether it makes sense is not asked here.
async fn read(Body(Written { text }): Body<Written>) -> Result<Json<Value>, Refusal> {
    let unread = |error: toml::de::Error| {
        let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        InputError::new(format!("experiment, line {line}"), error.message(), "see docs/experiments.md")
    };
    Ok(Json(toml::from_str::<Value>(&text).map_err(unread)?))
}

async fn plan(State(shared): crate::State, Body(wish): Body<Wish>) -> Result<Json<Value>, Refusal> {
    let _place = shared.experiments.plans.acquire().await;
    let stop = Arc::new(AtomicBool::new(false));
    let _listener = events::Listener(stop.clone());
    let work = shared.clone();
    aside(move || Ok(Json(planned(&Source::read(&work.laboratory, &wish)?, &work.experiments, &stop)?))).await
}

/// Cells that would take longer to estimate than this stay without an estimate.
const LONGEST_ESTIMATE: Duration = Duration::from_secs(60);

fn planned(source: &Source, runs: &Runs, stop: &AtomicBool) -> Result<Value, Refusal> {
    let (started, threads) = (Instant::now(), runs::threads());
    let (mut estimate, mut cells) = (Estimate::default(), Vec::new());
    let mut total = Some(0.0);
    let is_late = || stop.load(Ordering::Relaxed) || started.elapsed() > LONGEST_ESTIMATE;
    let mut share = |seconds: f64| {
        let seconds = Some(seconds / threads as f64).filter(|seconds| seconds.is_finite());
        total = total.zip(seconds).map(|(total, seconds)| total + seconds);
        seconds
    };
    for cell in &source.plan.cells {
        let seconds = share(if is_late() { f64::NAN } else { estimate.seconds(cell, stop)? });
        cells.push(json!({
            "key": cell.key, "label": cell.label(), "games": 2 * cell.pairs, "seconds": seconds,
            "detectable": Design::default().detectable_effect(cell.pairs, FAIR_PAIR_DEVIATION),
            "published": cell.published.as_ref().map(|published| published.score),
        }));
    }
    for one in &source.plan.measurements {
        let seconds = share(if is_late() { f64::NAN } else { seconds_of_measurement(one, stop)? });
        cells.push(json!({
            "key": one.key, "label": one.label(), "games": one.repetitions, "seconds": seconds,
            "detectable": null, "published": null,
        }));
    }
    Ok(json!({
        "title": source.plan.title, "about": source.plan.about, "cells": cells, "seconds": total, "threads": threads,
        "games": source.plan.games(), "run": source.folder(), "played": runs.known(source),
    }))
}

async fn start(State(shared): crate::State, Body(wish): Body<Wish>) -> Result<Json<Value>, Refusal> {
    aside(move || Ok(Json(json!({"run": runs::start(&shared, &wish)?})))).await
}

/// Reads what is asked for, if it is of few cells and all its games are `at_hand`; for the fuzz targets.
pub(crate) fn check(laboratory: &spinney_table::Laboratory, wish: &Wish, at_hand: fn(&str) -> bool) {
    const MOST_CELLS: u64 = 12;
    let experiment = wish.text.as_deref().and_then(|text| Experiment::read_in(laboratory, "experiment", text).ok());
    let is_small = |one: &Experiment| one.cells() <= MOST_CELLS && one.named_games().all(|game| at_hand(game));
    if wish.file.is_none() && experiment.is_none_or(|one| is_small(&one)) {
        let _ = Source::read(laboratory, wish);
    }
}

/// Which run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stop {
    run: String,
}

async fn stop(State(shared): crate::State, Body(Stop { run }): Body<Stop>) -> Result<Json<Value>, Refusal> {
    match shared.experiments.live(&run) {
        Some(live) => live.stop(),
        None => drop(shared.experiments.folder_of(&run)?),
    }
    Ok(Json(json!({"run": run})))
}

/// How often a resting run is looked at: somebody may begin it, here or elsewhere.
const REST: Duration = Duration::from_secs(1);

async fn watch(State(shared): crate::State, Parts(name): Parts<String>) -> Result<Response, Refusal> {
    shared.experiments.folder_of(&name)?;
    let place = shared.experiments.watchers.clone().try_acquire_owned().map_err(|_| {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, "run: too many are watching already; close another page")
    })?;
    let (events, answer) = events::open();
    tokio::spawn(async move {
        let _place = place;
        tokio::select! {
            () = follow(&shared, &name, &events) => {}
            () = events.closed() => {}
        }
    });
    Ok(answer)
}

/// Tells the progress of a run, until the visitor goes or the run can no longer be read.
async fn follow(shared: &Arc<Shared>, name: &str, events: &events::Events) {
    loop {
        let mut news = shared.experiments.live(name).map(|live| live.news());
        let stamp = shared.experiments.stamp(name).ok();
        let (work, run) = (shared.clone(), name.to_string());
        match aside(move || work.experiments.progress(&run)).await {
            Ok(progress) => drop(events.send("progress", &progress).await),
            Err(refusal) => {
                events.send("failure", &json!({"error": refusal.text()}).to_string()).await;
                return;
            }
        }
        if let Some(news) = &mut news {
            while news.changed().await.is_ok() {
                let progress = news.borrow_and_update().clone();
                events.send("progress", &progress).await;
            }
            continue;
        }
        while shared.experiments.live(name).is_none() && shared.experiments.stamp(name).ok() == stamp {
            tokio::time::sleep(REST).await;
        }
    }
}

/// What the page of a run may do: nothing but show itself and sort its tables.
const REPORT_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

async fn page(State(shared): crate::State, Parts(name): Parts<String>) -> Result<Response, Refusal> {
    let html = aside(move || {
        shared
            .experiments
            .with(&name, |store, contents| spinney_report::to_html(&report::of_store(store, contents, None)))
    });
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, REPORT_POLICY)];
    Ok((headers, html.await?).into_response())
}

/// Games on one page of a list.
const LISTED_GAMES: usize = 100;

/// Where a list begins.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Since {
    #[serde(default)]
    from: usize,
}

async fn games(
    State(shared): crate::State,
    Parts((name, key)): Parts<(String, String)>,
    Asked(Since { from }): Asked<Since>,
) -> Result<Json<Value>, Refusal> {
    aside(move || shared.experiments.with(&name, |store, contents| games_of(store, contents, &key, from))?).await
}

fn games_of(store: &Store, contents: &Contents, key: &str, from: usize) -> Result<Json<Value>, Refusal> {
    let index = cell_of(store, key)?;
    let own = || contents.games.range((index, 0, 0)..(index + 1, 0, 0)).map(|(_, record)| record);
    let games: Vec<Value> = own().skip(from).take(LISTED_GAMES).map(summary).collect();
    Ok(Json(json!({"label": store.plan.cells[index].label(), "total": own().count(), "from": from, "games": games})))
}

fn cell_of(store: &Store, key: &str) -> Result<usize, Refusal> {
    let missing = || Refusal::not_found(format!("cell {}: this run has none of this name", shorten(key)));
    store.plan.cells.iter().position(|cell| cell.key == key).ok_or_else(missing)
}

fn summary(record: &Record) -> Value {
    json!({
        "pair": record.pair, "game": record.game, "seats": record.seats, "winner": record.winner,
        "plies": record.plies, "simulations": record.simulations, "score_of_a": record.score_of_a(),
    })
}

async fn game(
    State(shared): crate::State,
    Parts((name, key, pair, game)): Parts<(String, String, u64, u8)>,
) -> Result<Json<Value>, Refusal> {
    let work = shared.clone();
    let found = aside(move || {
        work.experiments.with(&name, |store, contents| {
            let index = cell_of(store, &key)?;
            let missing = || Refusal::not_found(format!("pair {pair}, game {game}: it has not been played"));
            let record = contents.games.get(&(index, pair, game)).ok_or_else(missing)?;
            Ok::<_, Refusal>((store.plan.cells[index].clone(), record.clone()))
        })?
    });
    let (cell, record) = found.await?;
    // Moves that a packed run has not kept are played again, until the visitor goes.
    let _place = if record.moves.text().is_none() { Some(shared.experiments.plans.acquire().await) } else { None };
    let stop = Arc::new(AtomicBool::new(false));
    let _listener = events::Listener(stop.clone());
    aside(move || {
        let moves = recompute::one(&cell, &record, &stop)?.unwrap_or_default();
        let mut answer = summary(&record);
        answer["number"] = json!(record.game);
        answer["label"] = json!(cell.label());
        // In the order of the seats: the first of them moved first.
        let seats = if record.game == 0 { [0, 1] } else { [1, 0] };
        answer["agents"] = json!(seats.map(|seat: usize| &cell.described[seat]));
        answer["budget"] = json!(cell.budget);
        answer["game"] = json!(cell.game);
        answer["moves"] = json!(moves.split(' ').filter(|mv| !mv.is_empty()).collect::<Vec<_>>());
        Ok(Json(answer))
    })
    .await
}
