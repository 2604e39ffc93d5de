//! For the fuzz targets: requests as bytes, as far as they are read and checked, without a server.

use crate::limits::{BODY_BYTES, Limits};
use crate::position::{Place, Sheet};
use crate::{diagnosis, experiments, think, wire};
use axum::extract::Query;
use serde_json::from_slice;
use spinney_table::Laboratory;

/// Reads a request to one of the addresses that take one and does what comes before any search, any game of an
/// experiment and any file. Rule sheets that take long are left out.
pub fn request(address: u8, body: &[u8]) {
    if body.len() > BODY_BYTES {
        return;
    }
    let (laboratory, limits) = (Laboratory::standard(), Limits::default());
    match address {
        b'p' => {
            let Ok(place) = from_slice::<Place>(body) else { return };
            if is_quick(&place.game)
                && let Ok(table) = place.table(&laboratory)
            {
                wire::view(table.as_ref(), place.position.as_deref()).to_string();
                wire::steps(table.as_ref());
            }
        }
        b's' => {
            let Ok(sheet) = from_slice::<Sheet>(body) else { return };
            if let Ok(rules) = spinney_gdl::Rules::parse(sheet.text()) {
                rules.check();
            }
        }
        b't' => {
            if let Ok(text) = std::str::from_utf8(body) {
                think::check(text, &laboratory, &limits);
            }
        }
        b'd' => {
            let text = String::from_utf8_lossy(body);
            let Ok(address) = format!("/api/diagnose?{text}").parse() else { return };
            if let Ok(Query(question)) = Query::<diagnosis::Question>::try_from_uri(&address) {
                let _ = question.study(&laboratory, &limits);
            }
        }
        b'e' => {
            if let Ok(wish) = from_slice(body) {
                experiments::check(&laboratory, &wish, is_quick);
            }
        }
        _ => {}
    }
}

/// Whether the game is at hand at once.
fn is_quick(game: &str) -> bool {
    !game.contains("gdl:") || game.trim() == "gdl:nim"
}
