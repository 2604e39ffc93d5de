//! The pages, which are part of the program.

use crate::error::Refusal;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::borrow::Cow;
use std::io::Write as _;
use std::path::Path;
use std::sync::OnceLock;

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
    "clock.js": "text/javascript; charset=utf-8",
    "drag.js": "text/javascript; charset=utf-8",
    "editor.js": "text/javascript; charset=utf-8",
    "form.js": "text/javascript; charset=utf-8",
    "icicle.js": "text/javascript; charset=utf-8",
    "levels.js": "text/javascript; charset=utf-8",
    "review.js": "text/javascript; charset=utf-8",
    "rules.js": "text/javascript; charset=utf-8",
    "run.js": "text/javascript; charset=utf-8",
    "sound.js": "text/javascript; charset=utf-8",
    "tabs.js": "text/javascript; charset=utf-8",
    "tuning.js": "text/javascript; charset=utf-8",
    "value.js": "text/javascript; charset=utf-8",
    "lines.js": "text/javascript; charset=utf-8",
    "walk.js": "text/javascript; charset=utf-8",
    "colours.js": "text/javascript; charset=utf-8",
    "cell.js": "text/javascript; charset=utf-8",
    "stage.js": "text/javascript; charset=utf-8",
    "thinking.js": "text/javascript; charset=utf-8",
    "lab.js": "text/javascript; charset=utf-8",
    "lab.css": "text/css; charset=utf-8",
    "diagnosis.js": "text/javascript; charset=utf-8",
    "experiments.js": "text/javascript; charset=utf-8",
    "matches.js": "text/javascript; charset=utf-8",
}

/// A page as it is sent.
struct Sent {
    tag: String,
    text: Cow<'static, str>,
    squeezed: Vec<u8>,
}

impl Sent {
    fn new(text: Cow<'static, str>) -> Self {
        // A new version of the program is seen at once, an old one is not sent twice.
        let tag = format!("\"{}-{:x}\"", env!("CARGO_PKG_VERSION"), checksum(&text));
        let mut squeezed = GzEncoder::new(Vec::new(), Compression::best());
        // Writing to memory does not fail.
        let _ = squeezed.write_all(text.as_bytes());
        Self { tag, squeezed: squeezed.finish().unwrap_or_default(), text }
    }
}

/// All pages, squeezed once.
fn pages() -> &'static [Sent] {
    static SENT: OnceLock<Vec<Sent>> = OnceLock::new();
    SENT.get_or_init(|| PAGES.iter().map(|(_, _, text)| Sent::new(Cow::Borrowed(text))).collect())
}

/// The page as it lies in the folder of `SPINNEY_PAGES`, for those who write pages; never in a release.
fn on_disk(name: &str) -> Option<Sent> {
    let folder = if cfg!(debug_assertions) { std::env::var_os("SPINNEY_PAGES") } else { None }?;
    std::fs::read_to_string(Path::new(&folder).join(name)).ok().map(|text| Sent::new(Cow::Owned(text)))
}

/// A file, or the first page.
pub async fn page(uri: Uri, headers: HeaderMap) -> Response {
    let name = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let Some(number) = PAGES.iter().position(|(known, _, _)| *known == name) else {
        return Refusal::not_found(format!(
            "{}: there is no such page; begin at /",
            spinney_core::error::shorten(uri.path())
        ))
        .into_response();
    };
    let fresh = on_disk(name);
    let Sent { tag, text, squeezed } = fresh.as_ref().unwrap_or(&pages()[number]);
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let kind = PAGES[number].1;
    let head = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-cache"),
        (header::VARY, "accept-encoding"),
        (header::ETAG, tag.as_str()),
    ];
    let takes = headers.get(header::ACCEPT_ENCODING).and_then(|known| known.to_str().ok()).unwrap_or_default();
    if takes.split(',').any(|word| word.trim().split(';').next() == Some("gzip")) {
        (head, [(header::CONTENT_ENCODING, "gzip")], squeezed.clone()).into_response()
    } else {
        (head, text.clone().into_owned()).into_response()
    }
}

fn checksum(text: &str) -> u64 {
    spinney_core::Seed::new(0).named(text).value()
}
