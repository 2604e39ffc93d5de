//! Positions: a game, where it began and what was moved, as the page draws it. Nothing is kept between two questions.

use crate::error::{Body, Refusal};
use crate::limits::MOST_MOVES;
use crate::wire;
use axum::Json;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use spinney_core::expression::Expression;
use spinney_core::game::Turn;
use spinney_core::{InputError, Seed};
use spinney_games::gdl;
use spinney_table::{Laboratory, Table};

/// A position as the page names it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The game with its options.
    pub game: String,
    /// Where the moves begin; the initial position when left out.
    #[serde(default)]
    pub position: Option<String>,
    /// What was moved since.
    #[serde(default)]
    pub moves: Vec<String>,
    /// What chance draws from.
    #[serde(default)]
    pub seed: u64,
    /// Whether chance takes its turns.
    #[serde(default)]
    pub chance: bool,
}

impl Place {
    /// The position on a table.
    pub fn table(&self, laboratory: &Laboratory) -> Result<Box<dyn Table>, InputError> {
        check_game(&self.game)?;
        let mut table = laboratory.open(&self.game, self.position.as_deref())?;
        self.put_on(table.as_mut())?;
        Ok(table)
    }

    /// Puts it on a table of its game.
    pub fn put_on(&self, table: &mut dyn Table) -> Result<(), InputError> {
        if self.moves.len() > MOST_MOVES {
            let problem = format!("the game has {} moves", self.moves.len());
            return Err(InputError::new("moves", problem, format!("up to {MOST_MOVES} can be shown")));
        }
        table.set_position(self.position.as_deref())?;
        for (number, mv) in self.moves.iter().enumerate() {
            table.play(mv).map_err(|error| error.within(format!("move {}", number + 1)))?;
        }
        if self.chance {
            let seed = Seed::new(self.seed).named("chance");
            while table.turn() == Turn::Chance && table.history().len() < MOST_MOVES {
                table.draw_outcome(seed.child(table.history().len() as u64));
            }
        }
        Ok(())
    }
}

/// Visitors name games of the registry, rule sheets that come with the program and those they pasted, but no files.
pub fn check_game(text: &str) -> Result<(), InputError> {
    let expression = Expression::read("game", text)?;
    match expression.name.strip_prefix("gdl:") {
        Some(name) if !gdl::is_pasted(name) && gdl::BUILT_IN.iter().all(|(known, _)| *known != name) => {
            let known = gdl::BUILT_IN.iter().map(|(known, _)| *known);
            Err(InputError::unknown("game", "rule sheet", name, known))
        }
        _ => Ok(()),
    }
}

/// Does what may take long on a thread where nobody waits for others.
pub async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(_) => Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "server: it could not be worked out; try again")),
    }
}

/// Shows a position.
pub async fn position(state: crate::State, Body(place): Body<Place>) -> Result<Json<Value>, Refusal> {
    let pasted = place.game.strip_prefix("gdl:").filter(|name| gdl::is_pasted(name));
    if pasted.is_some_and(|name| !gdl::is_kept(name)) {
        return Err(Refusal::wants_sheet());
    }
    let view =
        aside(move || Ok(wire::view(place.table(&state.laboratory)?.as_ref(), place.position.as_deref()))).await?;
    Ok(Json(view))
}

/// A rule sheet as text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    text: String,
}

/// Checks a rule sheet and makes it known as a game.
pub async fn sheet(state: crate::State, Body(Sheet { text }): Body<Sheet>) -> Result<Json<Value>, Refusal> {
    let answer = aside(move || {
        let rules = spinney_gdl::Rules::parse(&text)?;
        let report = rules.check();
        if let Some(first) = report.errors.first() {
            return Err(Refusal::new(StatusCode::BAD_REQUEST, first.to_string()));
        }
        let warnings: Vec<String> = report.warnings.iter().map(ToString::to_string).collect();
        let name = format!("gdl:{}", gdl::paste(&text)?);
        let table = state.laboratory.open(&name, None)?;
        let roles =
            [spinney_core::Player::First, spinney_core::Player::Second].map(|one| table.player_name(one).to_string());
        Ok(json!({"game": name, "roles": roles, "warnings": warnings}))
    });
    Ok(Json(answer.await?))
}
