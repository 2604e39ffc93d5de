//! How games are played, for those who play them.

use crate::drawing;
use crate::error::{Asked, Refusal};
use crate::position::{Place, aside, check_game};
use axum::Json;
use serde::Deserialize;
use serde_json::{Value, json};
use spinney_core::expression::Expression;
use spinney_games::{gdl, manual};

/// Which game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asking {
    game: String,
}

/// Pixels of a picture.
const WIDTH: u32 = 280;

/// The rules of a game as Markdown with pictures; of a rule sheet that comes with the program, the sheet.
pub async fn rules(state: crate::State, Asked(Asking { game }): Asked<Asking>) -> Result<Json<Value>, Refusal> {
    check_game(&game)?;
    let name = Expression::read("game", &game)?.name;
    if let Some(sheet) = name.strip_prefix("gdl:") {
        let text = gdl::BUILT_IN.iter().find(|(known, _)| *known == sheet).map(|(_, text)| *text);
        return Ok(Json(json!({"title": sheet, "text": null, "sheet": text, "pictures": []})));
    }
    let Some(manual) = manual::of(&name) else {
        return Err(Refusal::not_found(format!("rules: there are none of {name}; see the documentation of the game")));
    };
    let shared = state.0.clone();
    aside(move || {
        let picture = |one: &manual::Picture| {
            let moves = one.moves.iter().map(|mv| (*mv).to_string()).collect();
            let position = one.position.map(str::to_string);
            let place = Place { game: name.clone(), position, moves, seed: 1, chance: true };
            let scene = place.table(&shared.laboratory).ok()?.scene();
            Some(json!({"caption": one.caption, "svg": drawing::svg(&scene, WIDTH, one.caption, &[])?}))
        };
        let pictures: Vec<Value> = manual.pictures().iter().filter_map(picture).collect();
        Ok(Json(json!({"title": manual.title(), "text": manual.text(), "sheet": null, "pictures": pictures})))
    })
    .await
}
