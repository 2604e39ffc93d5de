//! Positions and thoughts as JSON; `docs/web.md` describes the fields.

use serde_json::{Map, Value, json};
use spinney_core::game::{Outcome, Player, Turn};
use spinney_core::scene::{Figure, Item, Scene, Shape, Tone, Tray};
use spinney_search::reward::{BonusSettings, Steepness};
use spinney_search::settings::{MctsSettings, RewardSettings};
use spinney_search::tree::Proof;
use spinney_table::Table;
use spinney_table::table::{CandidateText, Thought};
use std::collections::BTreeMap;

/// Candidates of a thought that are sent.
const MOST_CANDIDATES: usize = 40;

/// The position on a table; `start` is where its moves begin.
pub fn view(table: &dyn Table, start: Option<&str>) -> Value {
    let scene = table.scene();
    let with_steps = |mv: String| json!({"steps": table.steps(&scene, &mv), "move": mv});
    let moves = table.history();
    let legal = match table.turn() {
        Turn::Player(_) => table.moves().into_iter().map(with_steps).collect(),
        Turn::Chance | Turn::Over(_) => Vec::new(),
    };
    let published = table.published();
    let options = MctsSettings::published(&published).unwrap_or_default();
    let k = |bonus: &Option<BonusSettings>| match RewardSettings::steepness(bonus) {
        Steepness::Fixed(k) => json!(k),
        Steepness::Online => json!("online"),
    };
    json!({
        "game": table.game(),
        "start": start,
        "position": table.position(),
        "last": moves.last().cloned().map(with_steps),
        "moves": moves,
        "turn": turn(table),
        "prompt": table.prompt(),
        "letters": table.position_letters(),
        "players": Player::BOTH.map(|player| table.player_name(player)),
        "score": table.score(),
        "text": table.board(),
        "parameters": {
            "c": options.c.unwrap_or(1.0),
            "simulations_per_second": published.simulations_per_second,
            "k_length": k(&options.rewards.rb),
            "k_quality": k(&options.rewards.qb),
        },
        "scene": scene_value(&scene),
        "legal": legal,
    })
}

fn turn(table: &dyn Table) -> Value {
    match table.turn() {
        Turn::Player(player) => json!({"player": player.number()}),
        Turn::Chance => json!({"chance": true}),
        Turn::Over(outcome) => {
            let (winner, text) = match outcome {
                Outcome::Win(player) => (Some(player.number()), format!("{} wins", table.player_name(player))),
                Outcome::Draw => (Some(0), "a draw".to_string()),
                Outcome::Scored => (None, format!("score {}", table.score().unwrap_or(0.0))),
            };
            json!({"over": true, "winner": winner, "text": text})
        }
    }
}

fn scene_value(scene: &Scene) -> Value {
    let cells = scene.cells.iter().map(|cell| {
        let tone = match cell.tone {
            Tone::Plain => "plain",
            Tone::Dark => "dark",
            Tone::Marked => "marked",
            Tone::Home(Player::First) => "home1",
            Tone::Home(Player::Second) => "home2",
        };
        json!({"name": cell.name, "x": cell.x, "y": cell.y, "tone": tone})
    });
    let pieces = scene.pieces.iter().map(|piece| {
        let (figure, text) = figure(&piece.figure);
        json!({"cell": piece.cell, "owner": owner(piece.owner), "figure": figure, "text": text})
    });
    let shape = match scene.shape {
        Shape::Square => "square",
        Shape::Hexagon => "hexagon",
        Shape::Point => "point",
        Shape::Hole => "hole",
    };
    json!({
        "shape": shape,
        "cells": cells.collect::<Vec<_>>(),
        "lines": scene.lines,
        "pieces": pieces.collect::<Vec<_>>(),
        "trays": scene.trays.iter().map(tray).collect::<Vec<_>>(),
    })
}

fn owner(player: Option<Player>) -> Option<u8> {
    player.map(Player::number)
}

fn figure(figure: &Figure) -> (&'static str, Option<&str>) {
    let name = match figure {
        Figure::Stone => "stone",
        Figure::King => "king",
        Figure::Pawn => "pawn",
        Figure::Queen => "queen",
        Figure::Soldier => "soldier",
        Figure::Town => "town",
        Figure::Burnt => "burnt",
        Figure::Cross => "cross",
        Figure::Ring => "ring",
        Figure::Runner => "runner",
        Figure::Text(text) => return ("text", Some(text)),
    };
    (name, None)
}

fn tray(tray: &Tray) -> Value {
    let items = tray.items.iter().map(|item| match item {
        Item::Die(eyes) => json!({"die": eyes}),
        Item::Card { name, count, note } => json!({"card": name, "count": count, "note": note}),
        Item::Counter { name, value } => json!({"counter": name, "value": value}),
        Item::Fact(fact) => json!({"fact": fact}),
    });
    json!({"title": tray.title, "owner": owner(tray.owner), "items": items.collect::<Vec<_>>()})
}

/// Moves of a position and what a person touches to make them; worked out once for a search.
pub type Steps = BTreeMap<String, Vec<String>>;

/// The steps of all moves that can be made on a table.
pub fn steps(table: &dyn Table) -> Steps {
    let scene = table.scene();
    table.moves().into_iter().map(|mv| (mv.clone(), table.steps(&scene, &mv))).collect()
}

/// The best candidates, and how many are left out.
pub fn candidates(candidates: &[CandidateText], steps: &Steps) -> (Vec<Value>, usize) {
    let shown = candidates.iter().take(MOST_CANDIDATES).map(|candidate| {
        json!({
            "move": candidate.mv,
            "steps": steps.get(&candidate.mv),
            "visits": candidate.visits,
            "mean": mean(candidate),
            "margin": finite(candidate.margin),
            "proof": proof(candidate.proof),
            "variation": candidate.variation,
        })
    });
    (shown.collect(), candidates.len().saturating_sub(MOST_CANDIDATES))
}

/// A thought of the agent at a side about a question.
pub fn thought(thought: &Thought, (side, question): (usize, u64), agent: &str, scored: bool, steps: &Steps) -> Value {
    let (shown, more) = candidates(&thought.candidates, steps);
    let totals = &thought.totals;
    let each = |sum: u64| if totals.playouts == 0 { None } else { Some(sum as f64 / totals.playouts as f64) };
    let seconds = thought.elapsed.as_secs_f64();
    json!({
        "side": side,
        "question": question,
        "done": thought.stopped.is_some(),
        "stopped": thought.stopped.map(spinney_search::StopReason::words),
        "agent": agent,
        "chosen": thought.chosen,
        "proof": proof(thought.proof),
        "scored": scored,
        "candidates": shown,
        "more": more,
        "heat": heat(&thought.candidates, steps),
        "simulations": totals.simulations,
        "per_second": if seconds > 0.0 { totals.simulations as f64 / seconds } else { 0.0 },
        "mean_depth": each(totals.depth_plies),
        "deepest": totals.deepest_plies,
        "mean_length": each(totals.length_plies),
        "nodes": thought.nodes,
        "bytes": thought.bytes,
        "seconds": seconds,
        "value": thought.candidates.first().and_then(mean),
    })
}

/// Share of the visits whose moves touch a cell, for every cell.
fn heat(candidates: &[CandidateText], steps: &Steps) -> Map<String, Value> {
    let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
    let all: f64 = candidates.iter().map(|candidate| f64::from(candidate.visits)).sum();
    for candidate in candidates.iter().filter(|candidate| candidate.visits > 0) {
        for step in steps.get(&candidate.mv).into_iter().flatten() {
            *shares.entry(step).or_default() += f64::from(candidate.visits) / all;
        }
    }
    // Cells that hardly anything touches are not worth their bytes.
    let seen = shares.into_iter().filter(|(_, share)| *share >= 0.001);
    seen.map(|(cell, share)| (cell.to_string(), json!((share * 1000.0).round() / 1000.0))).collect()
}

/// The mean reward; what is proven is as good as it can be.
fn mean(candidate: &CandidateText) -> Option<f32> {
    match candidate.proof {
        Proof::Win => Some(1.0),
        Proof::Loss => Some(-1.0),
        Proof::Draw => Some(0.0),
        Proof::Unknown => finite(candidate.mean).filter(|_| candidate.visits > 0),
    }
}

fn finite(number: f32) -> Option<f32> {
    number.is_finite().then_some(number)
}

fn proof(proof: Proof) -> Option<&'static str> {
    match proof {
        Proof::Unknown => None,
        Proof::Win => Some("win"),
        Proof::Loss => Some("loss"),
        Proof::Draw => Some("draw"),
    }
}
