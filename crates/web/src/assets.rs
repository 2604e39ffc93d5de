//! The pages, which are part of the program.

use crate::error::Refusal;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

macro_rules! pages {
    ($($name:literal: $kind:literal),+ $(,)?) => {
        /// Name, type and content of each file.
        const PAGES: &[(&str, &str, &str)] = &[
            // The same as in the reports, so that a figure looks alike everywhere.
            ("figures.css", "text/css; charset=utf-8", spinney_report::FIGURE_STYLE),
            $(($name, $kind, include_str!(concat!("../pages/", $name)))),+
        ];
    };
}

pages! {
    "index.html": "text/html; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "play.css": "text/css; charset=utf-8",
    "agents.js": "text/javascript; charset=utf-8",
    "api.js": "text/javascript; charset=utf-8",
    "app.js": "text/javascript; charset=utf-8",
    "board.js": "text/javascript; charset=utf-8",
    "dom.js": "text/javascript; charset=utf-8",
    "game.js": "text/javascript; charset=utf-8",
    "keys.js": "text/javascript; charset=utf-8",
    "mind.js": "text/javascript; charset=utf-8",
    "newgame.js": "text/javascript; charset=utf-8",
    "notation.js": "text/javascript; charset=utf-8",
    "picker.js": "text/javascript; charset=utf-8",
    "pieces.js": "text/javascript; charset=utf-8",
    "play.js": "text/javascript; charset=utf-8",
    "record.js": "text/javascript; charset=utf-8",
    "search.js": "text/javascript; charset=utf-8",
    "seats.js": "text/javascript; charset=utf-8",
    "tools.js": "text/javascript; charset=utf-8",
    "trays.js": "text/javascript; charset=utf-8",
    "tree.js": "text/javascript; charset=utf-8",
    "lab.js": "text/javascript; charset=utf-8",
    "lab.css": "text/css; charset=utf-8",
    "diagnosis.js": "text/javascript; charset=utf-8",
    "experiments.js": "text/javascript; charset=utf-8",
    "matches.js": "text/javascript; charset=utf-8",
}

/// A file, or the first page.
pub async fn page(uri: Uri, headers: HeaderMap) -> Response {
    let name = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let Some((_, kind, text)) = PAGES.iter().find(|(known, _, _)| *known == name) else {
        return Refusal::not_found(format!(
            "{}: there is no such page; begin at /",
            spinney_core::error::shorten(uri.path())
        ))
        .into_response();
    };
    // A new version of the program is seen at once, an old one is not sent twice.
    let tag = format!("\"{}-{:x}\"", env!("CARGO_PKG_VERSION"), checksum(text));
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    ([(header::CONTENT_TYPE, *kind), (header::CACHE_CONTROL, "no-cache"), (header::ETAG, tag.as_str())], *text)
        .into_response()
}

fn checksum(text: &str) -> u64 {
    spinney_core::Seed::new(0).named(text).value()
}
