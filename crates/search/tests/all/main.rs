//! What the searches promise, in one binary: a binary of its own for every file would be linked and optimised again.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod allocation;
mod bare;
mod behaviour;
mod chance;
mod clock;
mod decoupled;
mod drive;
mod learners;
mod rewards;
mod settings;
#[path = "../stress.rs"]
mod stress;
mod threads;
mod transpositions;
mod truth;

use spinney_core::Game;
use spinney_search::settings::MctsSettings;
use spinney_search::{AgentSettings, ChanceMcts, Driven, Mcts};

/// The settings of an agent that is `mcts`.
fn mcts_settings(text: &str) -> MctsSettings {
    text.parse::<AgentSettings>().unwrap().mcts().unwrap_or_else(|| panic!("{text} is not mcts"))
}

/// The agent of a game without chance.
fn mcts<G: Game>(game: &G, text: &str) -> Driven<Mcts<G>> {
    Driven::new(Mcts::new(game, &mcts_settings(text)).unwrap())
}

/// The agent of a game with chance or of one player.
fn chance_mcts<G: Game>(game: &G, text: &str) -> Driven<ChanceMcts<G>> {
    Driven::new(ChanceMcts::new(game, &mcts_settings(text)).unwrap())
}

#[test]
fn eight_threads_under_stress() {
    stress::main();
}
