//! Eight threads on small trees, without a test harness, so that ThreadSanitizer sees nothing but the search:
//! `RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer" cargo +nightly test -p spinney-search --test stress
//! --target x86_64-unknown-linux-gnu`.
// It is also a test of `all`, where the searches are compiled anyway; alone it is built when it is asked for by name.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use spinney_core::{Game, Notation, Seed};
use spinney_games::{Breakthrough, TicTacToe};
use spinney_search::tree::Proof;
use spinney_search::{Position, Task, build};

/// What the search of a position proves.
fn proof<G: Game>(game: &G, state: &G::State, agent: &str, seed: u64) -> Proof {
    let mut agent = build(game, &agent.parse().unwrap()).unwrap();
    let mut task = Task { explain: true, ..Task::new(Seed::new(seed)) };
    agent.choose(game, &Position::new(state), &mut task).explanation.unwrap().proof
}

/// All of it.
pub fn main() {
    let game = TicTacToe;
    for (number, options) in [
        "virtual_loss=loss",
        "virtual_loss=visits, expand=one",
        "virtual_loss=off, playout=uniform+mast(eps=0.5)",
        "rave(k=50), c=1",
        "select=puct, c=2",
        "full=reclaim, memory=1",
        "parallel=root",
    ]
    .into_iter()
    .enumerate()
    {
        let agent = format!("mcts(threads=8, sims=300000, solver=draws, memory=16, {options})")
            .replace("memory=16, full=reclaim, ", "full=reclaim, ");
        assert_eq!(proof(&game, &game.initial(), &agent, number as u64), Proof::Draw, "{agent}");
    }
    // White is a step from the far row, and black moves: lost, whatever is played.
    let position = "...../..w../b..../.w.../..w.. 2";
    let game = Breakthrough::default().fitted(position);
    let state = game.read_position(position).unwrap();
    let value = spinney_search::alpha_beta::solve(&game, &state, 16, 1_000_000).unwrap();
    let agent = "mcts(threads=8, sims=200000, memory=16, playout=policy+mast(eps=0.5))";
    let expected = if value.reward(spinney_core::Player::Second) > 0.0 { Proof::Win } else { Proof::Loss };
    assert_eq!(proof(&game, &state, agent, 1), expected);
    // Enough visits for results that are kept and copies that are used.
    let game = Breakthrough::default();
    let agent = "mcts(threads=8, sims=30000, solver=off, playout=uniform)";
    assert_eq!(proof(&game, &game.initial(), agent, 1), Proof::Unknown);
}
