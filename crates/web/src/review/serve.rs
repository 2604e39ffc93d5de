//! Reviews for the page, position by position.

use super::{Played, Wish, review};
use crate::error::{Body, Refusal};
use crate::events;
use crate::limits::Limits;
use crate::position::{Place, check_game};
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use spinney_core::{InputError, InputErrorKind};
use spinney_search::Budget;
use spinney_table::Laboratory;
use std::time::Duration;

/// Moves of a game that is reviewed.
const MOST_MOVES: usize = 1_000;
/// Seconds for each position and agent.
const MOST_SECONDS: f64 = 30.0;

/// What is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asking {
    place: Place,
    agents: Vec<String>,
    #[serde(default)]
    seconds: Option<f64>,
    #[serde(default)]
    simulations: Option<u64>,
    #[serde(default)]
    names: Option<[String; 2]>,
}

impl Asking {
    fn wish(&self, laboratory: &Laboratory, limits: &Limits) -> Result<Wish, InputError> {
        check_game(&self.place.game)?;
        let misfit = |place: &str, problem: String, remedy: String| {
            Err(InputError::new(place, problem, remedy).of(InputErrorKind::Misfit))
        };
        if self.place.moves.len() > MOST_MOVES {
            let problem = format!("the game has {}", self.place.moves.len());
            return misfit("moves", problem, format!("up to {MOST_MOVES} can be reviewed"));
        }
        if !(1..=2).contains(&self.agents.len()) {
            return misfit("agents", format!("there are {}", self.agents.len()), "send one or two".to_string());
        }
        if self.seconds.is_some_and(|seconds| !(0.01..=MOST_SECONDS).contains(&seconds)) {
            return misfit(
                "seconds",
                "out of range".to_string(),
                format!("write a number from 0.01 to {MOST_SECONDS}"),
            );
        }
        let mut agents = self.agents.iter().map(|agent| laboratory.agent(agent)).collect::<Result<Vec<_>, _>>()?;
        // Both trees are there at the same time, and the place of one search is taken.
        agents.iter_mut().for_each(|agent| agent.limit_memory((limits.tree_megabytes() / 2).max(1)));
        let longest = if self.simulations.is_some() { MOST_SECONDS } else { 0.3 };
        let budget = Budget {
            simulations: Some(self.simulations.unwrap_or(limits.simulations).clamp(1, limits.simulations)),
            time: Some(Duration::from_secs_f64(self.seconds.unwrap_or(longest))),
            ..Budget::default()
        };
        Ok(Wish { agents, budget, seed: self.place.seed })
    }
}

/// A stream of events: `ply` for each position, then `done` with the whole and a page to be kept; or `failure`.
pub async fn start(state: crate::State, Body(asking): Body<Asking>) -> Result<Response, Refusal> {
    let wish = asking.wish(&state.laboratory, &state.limits)?;
    let (events, answer) = events::open();
    let shared = state.0.clone();
    tokio::spawn(async move {
        let wait = |before| events.offer("waiting", &json!({"before": before}).to_string());
        let permit = tokio::select! {
            permit = shared.searches.place(wait) => permit,
            () = events.closed() => return,
        };
        let Place { game, position, moves, .. } = asking.place;
        let played = Played { game, position, moves, names: asking.names };
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let cancel = events.cancel();
            let mut tell = |so_far: &super::Review| {
                let last = so_far.plies.len() - 1;
                // The move before is judged anew now that the position after it is known.
                let first = last.saturating_sub(1);
                let plies: Vec<_> = (first..=last).map(|ply| so_far.ply(ply)).collect();
                events.finish("ply", &json!({"plies": plies, "of": played.moves.len() + 1}).to_string());
            };
            let found = spinney_games::gdl::watched(None, &cancel, || {
                review(&shared.laboratory, &played, &wish, events.gone(), &mut tell)
            });
            match found {
                Ok(Some(found)) => {
                    let answer = json!({"review": found.json(), "page": found.page()});
                    events.finish("done", &answer.to_string());
                }
                Ok(None) => {}
                Err(error) => {
                    let answer = json!({"error": error.to_string(), "kind": error.kind.word()});
                    events.finish("failure", &answer.to_string());
                }
            }
        });
    });
    Ok(answer)
}
