//! Positions: a game, where it began and what was moved, as the page draws it. Nothing is kept between two questions.

use crate::error::{Body, Refusal};
use crate::events::Listener;
use crate::limits::{BUILDING, LOOKING, MOST_LEGAL, MOST_MOVES};
use crate::wire;
use axum::Json;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use spinney_core::expression::Expression;
use spinney_core::game::Turn;
use spinney_core::{InputError, Seed};
use spinney_games::gdl;
use spinney_gdl::{Cancel, Rules};
use spinney_ggp::allocator;
use spinney_ggp::message::{BYTES_OF_A_NAME, MOST_NAMES, count_names, refuse_absurd};
use spinney_table::{Laboratory, Table};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

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

/// Whether a game is one of a rule sheet, whose states may take long.
pub fn is_sheet(game: &str) -> bool {
    game.trim_start().starts_with("gdl:")
}

/// Refuses positions that no page could show.
pub fn check_moves(table: &dyn Table) -> Result<(), InputError> {
    let count = table.moves().len();
    if count > MOST_LEGAL {
        let problem = format!("it has {count} legal moves");
        return Err(InputError::unsupported("position", problem, format!("up to {MOST_LEGAL} can be shown")));
    }
    Ok(())
}

/// Shows a position.
pub async fn position(state: crate::State, Body(place): Body<Place>) -> Result<Json<Value>, Refusal> {
    let pasted = place.game.strip_prefix("gdl:").filter(|name| gdl::is_pasted(name));
    if pasted.is_some_and(|name| !gdl::is_kept(name)) {
        return Err(Refusal::wants_sheet());
    }
    let shared = state.0.clone();
    let _place = if is_sheet(&place.game) { state.looks.acquire().await.ok() } else { None };
    // When the visitor goes, nothing more is worked out.
    let gone = Arc::new(AtomicBool::new(false));
    let _listener = Listener(gone.clone());
    let deadline = Instant::now() + LOOKING;
    let view = aside(move || {
        gdl::watched(Some(deadline), &gone.into(), || {
            let table = place.table(&shared.laboratory);
            if is_sheet(&place.game) && Instant::now() >= deadline {
                return Err(too_slow().into());
            }
            let table = table?;
            check_moves(table.as_ref())?;
            Ok(wire::view(table.as_ref(), place.position.as_deref()))
        })
    });
    Ok(Json(view.await?))
}

fn too_slow() -> InputError {
    InputError::unsupported("position", "working it out takes too long", "simplify the rules, or play fewer moves")
}

/// A rule sheet as text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    text: String,
}

impl Sheet {
    /// The rules.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Checks a rule sheet and makes it known as a game.
pub async fn sheet(state: crate::State, Body(Sheet { text }): Body<Sheet>) -> Result<Json<Value>, Refusal> {
    let names = count_names(&text);
    if names > MOST_NAMES {
        let problem = format!("it consists of {names} names");
        return Err(InputError::unsupported("rule sheet", problem, format!("up to {MOST_NAMES} are read")).into());
    }
    let share = state.messages.share(text.len() + names * BYTES_OF_A_NAME).ok_or_else(Refusal::busy)?;
    let _place = state.builds.acquire().await;
    let gone = Arc::new(AtomicBool::new(false));
    let _listener = Listener(gone.clone());
    let shared = state.0.clone();
    let answer = aside(move || {
        let _room = (allocator::GivesBack, share);
        let gone = Cancel::from(gone);
        let game = known(&text, &shared.limits, &gone)?;
        // It has been checked within the limits.
        let report = Rules::parse(&text)?.check();
        let warnings: Vec<String> = report.errors.iter().chain(&report.warnings).map(ToString::to_string).collect();
        let table = gdl::watched(Some(Instant::now() + LOOKING), &gone, || shared.laboratory.open(&game, None))?;
        let roles = spinney_core::Player::BOTH.map(|one| table.player_name(one).to_string());
        Ok(json!({"game": game, "roles": roles, "warnings": warnings}))
    });
    Ok(Json(answer.await?))
}

/// Makes a rule sheet known within the limits, and returns its name as a game.
pub fn known(text: &str, limits: &crate::Limits, gone: &Cancel) -> Result<String, InputError> {
    refuse_absurd(&spinney_gdl::expression::Expression::read_all(text)?)?;
    let (bytes, cursor_bytes) = (limits.build_bytes(), Some(limits.cursor_bytes()));
    let build = spinney_gdl::Limits { bytes, cursor_bytes, ..spinney_gdl::Limits::default() };
    let build = build.within(BUILDING).cancelled_by(gone);
    Ok(format!("gdl:{}", gdl::paste(text, &build, limits.pasted_bytes())?))
}
