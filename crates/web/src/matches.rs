//! Matches over HTTP, as they stand in a folder in the public format: watched while they are played, replayed afterwards.
//!
//! A record `NAME.json` has its rules beside it in `NAME.kif`; without them, or if they cannot be built, facts are shown.

use crate::Shared;
use crate::error::{Parts, Refusal};
use crate::events::Listener;
use crate::limits::LOOKING;
use crate::position::{Place, aside, known};
use crate::wire;
use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};
use spinney_core::error::shorten;
use spinney_games::gdl;
use spinney_gdl::Cancel;
use spinney_gdl::expression::Expression;
use spinney_ggp::record::PublicMatch;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime};

/// Matches that are listed.
const MOST_LISTED: usize = 200;
/// The longest record, and the longest sheet, that is read.
const MOST_BYTES: u64 = 32 << 20;
/// How much longer than its clocks a step may take before nobody is thought to play any more.
const PATIENCE: Duration = Duration::from_secs(30);

/// The addresses of this part.
pub fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/", get(list)).route("/{name}", get(one)).route("/{name}/{step}", get(step))
}

/// The file of a record. A name is one part of a path, of letters, digits, `-`, `_` and `.`.
fn file_of(folder: &Path, name: &str) -> Result<PathBuf, Refusal> {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
    let is_name = !name.is_empty() && name.len() <= 200 && !name.starts_with('.') && name.chars().all(plain);
    // `with_extension` would cut a name with a point in it.
    let file = folder.join(format!("{name}.json"));
    if is_name && fs::metadata(&file).is_ok_and(|data| data.is_file() && data.len() <= MOST_BYTES) {
        return Ok(file);
    }
    Err(Refusal::not_found(format!("match {}: there is none of this name; see the list of matches", shorten(name))))
}

fn read(file: &Path) -> Result<PublicMatch, Refusal> {
    let gone = |error: &dyn std::fmt::Display| Refusal::not_found(format!("match: its record cannot be read: {error}"));
    let text = fs::read_to_string(file).map_err(|error| gone(&error))?;
    let value: Value = serde_json::from_str(text.trim_end()).map_err(|error| gone(&error))?;
    PublicMatch::deserialized(&value).map_err(|error| gone(&error))
}

/// Whether it is played, was played, was called off, or was left by whoever managed it.
fn state(record: &PublicMatch, file: &Path) -> &'static str {
    let age = fs::metadata(file).and_then(|data| data.modified()).ok();
    let age = age.and_then(|then| SystemTime::now().duration_since(then).ok()).unwrap_or_default();
    let clocks = Duration::from_secs(record.start_clock.saturating_add(record.play_clock).min(1 << 20));
    match (record.is_running(), record.is_completed) {
        (true, _) if age > clocks + PATIENCE => "left",
        (true, _) => "running",
        (false, true) => "completed",
        (false, false) => "aborted",
    }
}

fn summary(name: &str, record: &PublicMatch, file: &Path) -> Value {
    json!({
        "name": name, "id": record.match_id, "sheet": record.game_meta_url, "players": record.player_names_from_host,
        "steps": record.moves.len(), "state": state(record, file), "goals": record.goal_values,
        "started": record.start_time, "tournament": record.tournament_name_from_host,
    })
}

async fn list(State(shared): crate::State) -> Result<Json<Value>, Refusal> {
    aside(move || {
        let entries = fs::read_dir(&shared.matches).into_iter().flatten().flatten();
        let mut files: Vec<(Option<SystemTime>, String)> = entries
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?.strip_suffix(".json")?.to_string();
                Some((entry.metadata().ok()?.modified().ok(), name))
            })
            .collect();
        files.sort_by(|one, other| other.cmp(one));
        files.truncate(MOST_LISTED);
        let matches: Vec<Value> = files
            .iter()
            .filter_map(|(_, name)| {
                let file = file_of(&shared.matches, name).ok()?;
                Some(summary(name, &read(&file).ok()?, &file))
            })
            .collect();
        Ok(Json(json!({"folder": shared.matches.display().to_string(), "matches": matches})))
    })
    .await
}

async fn one(State(shared): crate::State, Parts(name): Parts<String>) -> Result<Json<Value>, Refusal> {
    aside(move || {
        let file = file_of(&shared.matches, &name)?;
        let record = read(&file)?;
        let mut answer = summary(&name, &record, &file);
        answer["moves"] = json!(record.moves);
        answer["errors"] = json!(record.errors);
        answer["clocks"] = json!([record.start_clock, record.play_clock]);
        Ok(Json(answer))
    })
    .await
}

/// The state after so many steps: its facts, and as it is drawn.
async fn step(
    State(shared): crate::State,
    Parts((name, step)): Parts<(String, usize)>,
) -> Result<Json<Value>, Refusal> {
    let _place = shared.looks.acquire().await;
    let gone = Arc::new(AtomicBool::new(false));
    let _listener = Listener(gone.clone());
    let work = shared.clone();
    aside(move || {
        let file = file_of(&work.matches, &name)?;
        let record = read(&file)?;
        let missing = || Refusal::not_found(format!("step {step}: the match has not come so far"));
        let facts = words(record.states.get(step).ok_or_else(missing)?);
        let gone = Cancel::from(gone);
        let drawn = drawn(&work, &file, &facts, &gone);
        let (view, problem) = match drawn {
            Ok(view) => (view, None),
            Err(error) => (Value::Null, Some(error)),
        };
        Ok(Json(json!({"step": step, "facts": facts, "view": view, "problem": problem})))
    })
    .await
}

/// The state as the sheet draws it, with roles and goals.
fn drawn(shared: &Shared, file: &Path, facts: &[String], gone: &Cancel) -> Result<Value, String> {
    let rules = file.with_extension("kif");
    if !fs::metadata(&rules).is_ok_and(|data| data.len() <= MOST_BYTES / 32) {
        return Err("its rules are not beside the record".to_string());
    }
    let text = fs::read_to_string(&rules).map_err(|error| error.to_string())?;
    let game = known(&text, &shared.limits, gone).map_err(|error| error.to_string())?;
    let position = if facts.is_empty() { "nothing".to_string() } else { facts.join(" ") };
    let place = Place { game, position: Some(position), moves: Vec::new(), seed: 0, chance: false };
    gdl::watched(Some(Instant::now() + LOOKING), gone, || {
        let table = place.table(&shared.laboratory).map_err(|error| error.to_string())?;
        let mut view = wire::view(table.as_ref(), None);
        // The moves stand in the record; lists of all that could be made are not shown.
        view["legal"] = json!([]);
        let role =
            |role: &spinney_core::RoleText| json!({"name": role.name, "goal": role.goal, "moves": role.moves.len()});
        view["roles"] = table.roles().iter().map(role).collect();
        Ok(view)
    })
}

/// The facts of a state as words: `( ( cell 1 1 b ) )` is `cell(1,1,b)`.
fn words(state: &str) -> Vec<String> {
    fn word(expression: &Expression) -> String {
        match expression {
            Expression::Name(_, name) => name.to_ascii_lowercase(),
            Expression::List(_, members) => match members.split_first() {
                Some((head, [])) => word(head),
                Some((head, rest)) => {
                    let rest: Vec<String> = rest.iter().map(word).collect();
                    format!("{}({})", word(head), rest.join(","))
                }
                None => String::new(),
            },
        }
    }
    match Expression::read_all(state).as_deref() {
        Ok([Expression::List(_, facts)]) => facts.iter().map(word).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_read_as_words() {
        assert_eq!(words("( (cell 1 1 b) (control (of X)) on )"), ["cell(1,1,b)", "control(of(x))", "on"]);
        assert!(words("( )").is_empty() && words("(").is_empty() && words("").is_empty());
    }
}
