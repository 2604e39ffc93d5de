//! Diagnosis, live.

use crate::error::{Asked, Refusal};
use crate::events::{self, Events};
use crate::limits::Limits;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use spinney_core::{InputError, InputErrorKind};
use spinney_lab::diagnosis::{Figure, figures, rows, summary, verdicts};
use spinney_report::{Width, curve_plot};
use spinney_table::Laboratory;
use spinney_table::diagnose::{Diagnosis, Study};
use std::time::{Duration, Instant};
use tokio::sync::OwnedSemaphorePermit;

const MOST_GAMES: u32 = 20;
const MOST_SIMULATIONS: u64 = 100_000;
/// Between two looks at what was found so far.
const INTERVAL: Duration = Duration::from_millis(450);

/// What is to be diagnosed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    game: String,
    #[serde(default = "default_agent")]
    agent: String,
    #[serde(default = "default_games")]
    games: u32,
    #[serde(default = "default_simulations")]
    simulations: u64,
    #[serde(default = "default_seed")]
    seed: u64,
}

fn default_agent() -> String {
    "mcts".to_string()
}

fn default_games() -> u32 {
    1
}

fn default_simulations() -> u64 {
    500
}

fn default_seed() -> u64 {
    1
}

/// Streams the diagnosis of a game while its simulations come in.
pub async fn diagnose(State(shared): crate::State, Asked(question): Asked<Question>) -> Result<Response, Refusal> {
    let study = question.study(&shared.laboratory, &shared.limits)?;
    let place = shared.diagnoses.clone().try_acquire_owned().map_err(|_| {
        let problem =
            format!("diagnosis: {} are being made already; wait for one or stop one", shared.limits.diagnoses);
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, problem)
    })?;
    let (events, answer) = events::open();
    let laboratory = shared.laboratory.clone();
    tokio::task::spawn_blocking(move || work(&laboratory, &question, &study, &events, place));
    Ok(answer)
}

impl Question {
    /// What is played for it, within the limits.
    pub fn study(&self, laboratory: &Laboratory, limits: &Limits) -> Result<Study, InputError> {
        crate::position::check_game(&self.game)?;
        let within = |what: &str, value: u64, most: u64| match value {
            value if (1..=most).contains(&value) => Ok(()),
            _ => Err(InputError::new(
                what,
                format!("{value} is out of range"),
                format!("write a number from 1 to {most}"),
            )
            .of(InputErrorKind::Misfit)),
        };
        within("games", self.games.into(), MOST_GAMES.into())?;
        within("simulations", self.simulations, MOST_SIMULATIONS)?;
        let mut agent = laboratory.agent(&self.agent)?;
        if agent.name() != "mcts" {
            return Err(InputError::unsupported("agent", "only mcts makes simulations of this kind", "write mcts(…)"));
        }
        // There are two trees: that of the search and that of its judge.
        agent.limit_memory((limits.tree_megabytes() / 2).max(1));
        Ok(Study { agent, games: self.games, simulations: self.simulations, seed: self.seed })
    }
}

fn work(laboratory: &Laboratory, question: &Question, study: &Study, events: &Events, place: OwnedSemaphorePermit) {
    let mut last: Option<Instant> = None;
    let mut tell = |_: u64, so_far: &dyn Fn() -> Diagnosis| {
        if last.is_none_or(|last| last.elapsed() >= INTERVAL) {
            events.offer("diagnosis", &shown(question, so_far()).to_string());
            last = Some(Instant::now());
        }
    };
    let opened = spinney_games::gdl::watched(None, &events.cancel(), || laboratory.open(&question.game, None));
    let found = opened.and_then(|table| table.diagnose(study, events.gone(), &mut tell));
    // The place is free before the visitor hears of the end: the next question may follow at once.
    drop(place);
    match found {
        Ok(Some(found)) => events.finish("done", &shown(question, found).to_string()),
        // Nobody listens.
        Ok(None) => {}
        Err(error) => {
            events.finish("failure", &json!({"error": error.to_string(), "kind": error.kind.word()}).to_string())
        }
    }
}

/// As the page shows it; the agent is as it was asked for.
fn shown(question: &Question, mut found: Diagnosis) -> Value {
    found.agent.clone_from(&question.agent);
    let mut table = rows(&found);
    table.push(verdicts(&found));
    let row = |row: &Vec<String>| json!({"name": row[0], "length": row[1], "quality": row[2]});
    json!({
        "summary": summary(&found),
        "positions": found.positions,
        "simulations": found.simulations,
        "drawn": found.drawn,
        "rows": table.iter().skip(1).map(row).collect::<Vec<_>>(),
        "figures": figures(&found).iter().map(figure).collect::<Vec<_>>(),
    })
}

fn figure(figure: &Figure) -> Value {
    json!({
        "title": figure.curve.title,
        "svg": curve_plot(&figure.curve, Width::Wide),
        "narrow": curve_plot(&figure.curve, Width::Narrow),
        "caption": figure.caption,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study(change: impl FnOnce(&mut Question)) -> Result<Study, String> {
        let mut question = Question {
            game: "breakthrough".to_string(),
            agent: "mcts(memory=9000)".to_string(),
            games: 1,
            simulations: 10,
            seed: 1,
        };
        change(&mut question);
        question
            .study(&Laboratory::standard(), &Limits { megabytes: 100, ..Limits::default() })
            .map_err(|error| error.to_string())
    }

    #[test]
    fn questions_are_bounded() {
        assert_eq!(study(|_| {}).unwrap().agent.mcts().unwrap().memory, 50);
        type Change = fn(&mut Question);
        let wrong: [(Change, &str); 6] = [
            (|own| own.games = 0, "1 to 20"),
            (|own| own.games = 21, "1 to 20"),
            (|own| own.simulations = 100_001, "1 to 100000"),
            (|own| own.agent = "flat".to_string(), "mcts(…)"),
            (|own| own.agent = "mcts(cc=1)".to_string(), "did you mean"),
            (|own| own.game = "gdl:/etc/passwd".to_string(), "rule sheet"),
        ];
        for (change, expected) in wrong {
            let error = study(change).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
