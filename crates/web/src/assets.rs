//! The pages, which are part of the program.

use crate::bundle::bundle;
use crate::error::Refusal;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use std::io::Write as _;
use std::path::Path;
use std::sync::OnceLock;

const INDEX: &str = include_str!("../pages/index.html");

/// In the order in which they come after each other.
const STYLES: [(&str, &str); 4] = [
    // The same as in the reports, so that a figure looks alike everywhere.
    ("figures.css", spinney_report::FIGURE_STYLE),
    ("style.css", include_str!("../pages/style.css")),
    ("play.css", include_str!("../pages/play.css")),
    ("lab.css", include_str!("../pages/lab.css")),
];

macro_rules! modules {
    ($($name:literal),+ $(,)?) => {
        /// Name and content of each module.
        const MODULES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../pages/", $name)))),+];
    };
}

#[rustfmt::skip]
modules! {
    "agents.js", "api.js", "app.js", "board.js", "cell.js", "clock.js", "colours.js", "diagnosis.js", "dom.js",
    "drag.js", "editor.js", "experiments.js", "form.js", "game.js", "icicle.js", "keys.js", "lab.js", "levels.js",
    "lines.js", "matches.js", "mind.js", "newgame.js", "notation.js", "picker.js", "pieces.js", "play.js",
    "record.js", "review.js", "rules.js", "run.js", "search.js", "seats.js", "sound.js", "stage.js", "tabs.js",
    "thinking.js", "tools.js", "trays.js", "tuning.js", "value.js", "walk.js",
}

/// A page as it is sent.
#[derive(Debug)]
pub struct Sent {
    tag: String,
    text: String,
    squeezed: Bytes,
}

impl Sent {
    fn new(text: String) -> Self {
        // A new version of the program is seen at once, an old one is not sent twice.
        let tag = format!("\"{}-{:x}\"", env!("CARGO_PKG_VERSION"), checksum(&text));
        let mut squeezed = GzEncoder::new(Vec::new(), Compression::best());
        // Writing to memory does not fail.
        let _ = squeezed.write_all(text.as_bytes());
        Self { tag, squeezed: squeezed.finish().unwrap_or_default().into(), text }
    }
}

/// The pages that a server sends: the first one, which brings its styles and what there is to play along, and the script of
/// all rooms.
#[derive(Debug, Default)]
pub struct Pages {
    made: OnceLock<[Sent; 2]>,
}

impl Pages {
    /// Joins and squeezes them once; a server does it before anybody asks.
    pub fn made(&self, about: impl FnOnce() -> Value) -> &[Sent; 2] {
        self.made.get_or_init(|| make(about, |_| None))
    }
}

fn make(about: impl FnOnce() -> Value, changed: impl Fn(&str) -> Option<String>) -> [Sent; 2] {
    let text = |name: &str, own: &str| changed(name).unwrap_or_else(|| own.to_string());
    let styles: String = STYLES.iter().map(|(name, own)| text(name, own)).collect();
    // Within an element for data, only the end of that element has a meaning.
    let about = about().to_string().replace('<', "\\u003c");
    let page = text("index.html", INDEX);
    let page = page.replace("<!-- styles -->", &format!("<style>\n{styles}</style>"));
    let page =
        page.replace("<!-- about -->", &format!("<script type=\"application/json\" id=\"about\">{about}</script>"));
    let modules: Vec<(&str, String)> = MODULES.iter().map(|(name, own)| (*name, text(name, own))).collect();
    let modules: Vec<(&str, &str)> = modules.iter().map(|(name, text)| (*name, text.as_str())).collect();
    [Sent::new(page), Sent::new(bundle(&modules, "app.js"))]
}

/// The modules as they are.
#[cfg(test)]
pub fn modules() -> Vec<(&'static str, &'static str)> {
    MODULES.to_vec()
}

/// The pages as they lie in the folder of `SPINNEY_PAGES`, for those who write pages; never in a release.
fn on_disk(about: impl FnOnce() -> Value) -> Option<[Sent; 2]> {
    let folder = if cfg!(debug_assertions) { std::env::var_os("SPINNEY_PAGES") } else { None }?;
    Some(make(about, |name| std::fs::read_to_string(Path::new(&folder).join(name)).ok()))
}

/// The first page or the script.
pub async fn page(state: crate::State, uri: Uri, headers: HeaderMap) -> Response {
    let (number, kind) = match uri.path() {
        "/" | "/index.html" => (0, "text/html; charset=utf-8"),
        "/spinney.js" => (1, "text/javascript; charset=utf-8"),
        path => {
            let path = spinney_core::error::shorten(path);
            return Refusal::not_found(format!("{path}: there is no such page; begin at /")).into_response();
        }
    };
    let about = || crate::about::facts(&state);
    let fresh = on_disk(about);
    let Sent { tag, text, squeezed } = &fresh.as_ref().unwrap_or_else(|| state.pages.made(about))[number];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
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
        (head, text.clone()).into_response()
    }
}

fn checksum(text: &str) -> u64 {
    spinney_core::Seed::new(0).named(text).value()
}
