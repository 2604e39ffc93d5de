//! Files of a run, for other programs: CSV, Parquet and pictures.

use crate::error::{Parts, Refusal};
use crate::position::aside;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use spinney_core::error::shorten;
use spinney_lab::export::{self, Rows};
use spinney_lab::store::{Contents, Store};
use spinney_lab::{cells, report};
use spinney_report::pictures;

/// `games.csv`, `cells.csv`, `games.parquet`, or `NAME.svg` for a figure of the report, where NAME is its number from 1.
pub async fn file(
    State(shared): crate::State,
    Parts((run, file)): Parts<(String, String)>,
) -> Result<Response, Refusal> {
    let name = format!("{run}-{file}");
    let made = aside(move || shared.experiments.with(&run, |store, contents| made(store, contents, &file))?);
    let (kind, bytes) = made.await?;
    let mut answer = ([(header::CONTENT_TYPE, kind)], bytes).into_response();
    // The name of a run consists of plain letters.
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        answer.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(answer)
}

fn made(store: &Store, contents: &Contents, file: &str) -> Result<(&'static str, Vec<u8>), Refusal> {
    let rows = if store.plan.cells.is_empty() { Rows::Portions } else { Rows::Games };
    let missing = || Refusal::not_found(format!("file {}: there is none of this name", shorten(file)));
    match file {
        "games.csv" => Ok(("text/csv; charset=utf-8", export::csv(rows, &store.plan, contents).into_bytes())),
        "cells.csv" => Ok(("text/csv; charset=utf-8", cells::table(&store.plan, contents).csv().into_bytes())),
        "games.parquet" => Ok(("application/vnd.apache.parquet", export::parquet(rows, &store.plan, contents)?)),
        _ => {
            let number =
                file.strip_suffix(".svg").and_then(|number| number.parse::<usize>().ok()).ok_or_else(missing)?;
            let all = pictures(&report::of_store(store, contents, None));
            let picture = number.checked_sub(1).and_then(|at| all.into_iter().nth(at)).ok_or_else(missing)?;
            Ok(("image/svg+xml", picture.svg.into_bytes()))
        }
    }
}
