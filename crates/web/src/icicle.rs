//! The tree of a search as a picture: boxes below boxes, as wide as their visits. Only those that are wide enough to be
//! seen are looked at, the widest first, so that the size of the tree does not matter.

use serde_json::{Value, json};
use spinney_core::InputError;
use spinney_core::game::Turn;
use spinney_search::tree::Proof;
use spinney_table::Table;
use spinney_table::table::{CandidateText, InsightText, Look};
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

/// Boxes in a picture.
const MOST_BOXES: usize = 600;
/// Levels below the uppermost box.
const DEEPEST: usize = 40;
/// How long a search waits while its tree is looked at.
const PAUSE: Duration = Duration::from_millis(25);

/// A box: its parent's number, and what is known of its move.
#[derive(Debug)]
struct Box {
    parent: usize,
    depth: usize,
    mv: String,
    visits: u32,
    mean: Option<f32>,
    proof: Proof,
    /// Who made the move; 0 is chance.
    player: u8,
}

/// What `look` shows below the node of `path`: `least` is the share of the visits that makes a box wide enough. `table` is at the root and
/// comes back to it.
pub fn icicle(table: &mut dyn Table, look: Look<'_>, path: &[String], least: f64) -> Result<Option<Value>, InputError> {
    let Some(top) = look(path)? else { return Ok(None) };
    let started = Instant::now();
    let all = f64::from(top.visits.max(1));
    let mut boxes: Vec<Box> = Vec::new();
    let mut waiting = BinaryHeap::new();
    let visits = top.visits;
    let mut found = Some((0, path.to_vec(), top));
    while let Some((number, way, insight)) = found.take() {
        let depth = way.len() - path.len();
        for candidate in children(&insight, least * all) {
            if boxes.len() >= MOST_BOXES {
                break;
            }
            let player = mover(table, &way);
            let mean = Some(candidate.mean).filter(|mean| mean.is_finite() && candidate.visits > 0);
            let (mv, visits, proof) = (candidate.mv.clone(), candidate.visits, candidate.proof);
            boxes.push(Box { parent: number, depth: depth + 1, mv, visits, mean, proof, player });
            // A box of which no child can be seen is not looked into.
            if f64::from(visits) >= 2.0 * least * all && depth + 1 < DEEPEST {
                waiting.push((visits, boxes.len()));
            }
        }
        while let Some((_, number)) = waiting.pop() {
            if boxes.len() >= MOST_BOXES || started.elapsed() >= PAUSE {
                break;
            }
            let way = way_to(&boxes, number, path);
            if let Some(insight) = look(&way)? {
                found = Some((number, way, insight));
                break;
            }
        }
    }
    let shown: Vec<Value> = boxes.iter().map(write).collect();
    Ok(Some(json!({"visits": visits, "boxes": shown})))
}

/// Moves that are wide enough, the most visited first.
fn children(insight: &InsightText, least: f64) -> Vec<&CandidateText> {
    let mut wide: Vec<&CandidateText> =
        insight.candidates.iter().filter(|one| one.visits > 0 && f64::from(one.visits) >= least).collect();
    wide.sort_by_key(|one| std::cmp::Reverse(one.visits));
    wide
}

/// The moves that lead to a box; box numbers begin with 1, as 0 is the uppermost.
fn way_to(boxes: &[Box], mut number: usize, path: &[String]) -> Vec<String> {
    let mut way = Vec::with_capacity(boxes[number - 1].depth);
    while number > 0 {
        way.push(boxes[number - 1].mv.clone());
        number = boxes[number - 1].parent;
    }
    way.reverse();
    path.iter().cloned().chain(way).collect()
}

/// Who moves after these moves.
fn mover(table: &mut dyn Table, way: &[String]) -> u8 {
    let made = way.iter().take_while(|mv| table.play(mv).is_ok()).count();
    let player = match table.turn() {
        Turn::Player(player) => player.number(),
        Turn::Chance | Turn::Over(_) => 0,
    };
    for _ in 0..made {
        table.undo();
    }
    player
}

fn write(one: &Box) -> Value {
    let proof = match one.proof {
        Proof::Unknown => 0,
        Proof::Win => 1,
        Proof::Loss => 2,
        Proof::Draw => 3,
    };
    json!([one.parent, one.mv, one.visits, one.mean, proof, one.player])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn candidate(mv: &str, visits: u32) -> CandidateText {
        let (mv, variation) = (mv.to_string(), Vec::new());
        CandidateText { mv, visits, mean: 0.5, margin: 0.1, proof: Proof::Unknown, variation }
    }

    /// Of 1,000 visits one move has 900, one 99 and one 1; below the first there are two of 450.
    #[test]
    fn what_cannot_be_seen_is_not_looked_at() {
        let looked = Cell::new(0);
        let look = |path: &[String]| {
            looked.set(looked.get() + 1);
            let candidates = match path.len() {
                0 => vec![candidate("a1", 1), candidate("b2", 900), candidate("c3", 99)],
                1 => vec![candidate("a2", 450), candidate("c2", 450)],
                _ => Vec::new(),
            };
            Ok(Some(InsightText { visits: 1000, candidates }))
        };
        let mut table = spinney_table::open_table("tic-tac-toe", None).unwrap();
        let found = icicle(table.as_mut(), &look, &[], 0.06).unwrap().unwrap();
        assert_eq!(found["visits"], 1000);
        let boxes: Vec<String> = found["boxes"].as_array().unwrap().iter().map(Value::to_string).collect();
        assert_eq!(
            boxes,
            ["[0,\"b2\",900,0.5,0,1]", "[0,\"c3\",99,0.5,0,1]", "[1,\"a2\",450,0.5,0,2]", "[1,\"c2\",450,0.5,0,2]"]
        );
        assert_eq!(looked.get(), 4, "the root, b2 and the two below it");
        assert!(table.history().is_empty());
    }
}
