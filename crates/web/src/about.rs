//! What there is to play, and who plays.

use axum::Json;
use serde_json::{Value, json};
use spinney_core::options::OptionInfo;
use spinney_search::AgentSettings;

/// Games, rule sheets, agents with their options, and limits.
pub async fn about(state: crate::State) -> Json<Value> {
    let games = spinney_games::entries();
    let games = games.iter().map(|game| {
        json!({
            "name": game.name, "summary": game.summary, "board": game.board, "source": game.source,
            "players": game.players, "chance": game.chance, "options": options(&game.options),
        })
    });
    let agents = AgentSettings::list();
    let agents = agents
        .iter()
        .map(|agent| json!({"name": agent.name, "summary": agent.summary, "options": options(&agent.options)}));
    let sheets = spinney_games::gdl::BUILT_IN.iter().map(|(name, _)| *name);
    let limits = state.limits;
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "games": games.collect::<Vec<_>>(),
        "sheets": sheets.collect::<Vec<_>>(),
        "agents": agents.collect::<Vec<_>>(),
        "limits": {
            "searches": limits.searches, "seconds": limits.seconds, "simulations": limits.simulations,
            "megabytes": limits.megabytes, "sheet_bytes": crate::limits::BODY_BYTES,
        },
    }))
}

fn options(options: &[OptionInfo]) -> Vec<Value> {
    let object = |option: &OptionInfo| json!({"name": option.key, "summary": option.help, "kind": option.kind, "default": option.default});
    options.iter().map(object).collect()
}
