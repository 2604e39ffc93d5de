//! What there is to play, and who plays.

use axum::Json;
use serde_json::{Value, json};
use spinney_core::options::{Games, OptionInfo, OptionKind, OptionPart, OptionWord};

/// Games, rule sheets, agents with their options, and limits.
pub async fn about(state: crate::State) -> Json<Value> {
    Json(facts(&state))
}

/// The same for the first page, which brings it along.
pub fn facts(state: &crate::Shared) -> Value {
    let games = state.laboratory.games();
    let games = games.iter().map(|game| {
        json!({
            "name": game.name, "summary": game.summary, "board": game.board, "source": game.source,
            "players": game.players, "chance": game.chance, "options": options(&game.options),
        })
    });
    let agents = state.laboratory.agents();
    let agents = agents
        .iter()
        .map(|agent| json!({"name": agent.name, "summary": agent.summary, "games": agent.games.word(), "options": options(&agent.options)}));
    let sheets = spinney_games::gdl::BUILT_IN.iter().map(|(name, _)| *name);
    let limits = state.limits;
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "games": games.collect::<Vec<_>>(),
        "sheets": sheets.collect::<Vec<_>>(),
        "agents": agents.collect::<Vec<_>>(),
        "limits": {
            "searches": limits.searches, "seconds": limits.seconds, "simulations": limits.simulations,
            "megabytes": limits.tree_megabytes(), "sheet_bytes": crate::limits::BODY_BYTES,
        },
    })
}

/// Options as JSON, with all that is nested in them; `docs/web.md` describes it.
pub fn options(options: &[OptionInfo]) -> Vec<Value> {
    let object = |option: &OptionInfo| {
        let kind = kind(&option.kind);
        with_games(
            json!({"key": option.key, "help": option.help, "kind": kind, "default": option.default}),
            option.games,
        )
    };
    options.iter().map(object).collect()
}

/// Says which games something is for, if not for all.
fn with_games(mut object: Value, games: Games) -> Value {
    if games != Games::All {
        object["games"] = json!(games.word());
    }
    object
}

/// What an option takes: its `type`, the `text` that a person reads, and what belongs to the type.
fn kind(of: &OptionKind) -> Value {
    let mut object = json!({"type": of.word(), "text": of.to_string()});
    let mut set = |key: &str, value: Value| object[key] = value;
    match of {
        OptionKind::Whole(Some(range)) => {
            set("low", json!(range.low as i64));
            set("high", json!(range.high as i64));
        }
        OptionKind::Number(Some(range)) => {
            set("low", json!(range.low));
            set("high", json!(range.high));
        }
        OptionKind::Words(words) => {
            set("words", words.iter().map(word).collect());
        }
        OptionKind::Parts { one_of, any_of } => {
            set("one_of", parts(one_of));
            set("any_of", parts(any_of));
        }
        OptionKind::Brackets(inner) => set("options", options(inner).into()),
        OptionKind::Either(kinds) => set("kinds", kinds.iter().map(kind).collect()),
        // Flags, texts and numbers without a range; kinds that are new are known by their word.
        _ => {}
    }
    object
}

fn parts(of: &[OptionPart]) -> Value {
    let object = |part: &OptionPart| json!({"name": part.name, "help": part.help, "options": options(&part.options)});
    of.iter().map(|part| with_games(object(part), part.games)).collect()
}

fn word(of: &OptionWord) -> Value {
    with_games(json!({"word": of.word, "help": of.help}), of.games)
}
