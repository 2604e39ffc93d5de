//! Positions that are reached in several ways share their mean, and the search still finds the truth.

use spinney_core::{Game, Notation, Outcome, Seed, Turn};
use spinney_games::{Breakthrough, TicTacToe};
use spinney_search::tree::Proof;
use spinney_search::{Position, Task, build};

#[test]
fn tic_tac_toe_is_solved_with_transpositions() {
    let game = TicTacToe;
    let mut values = std::collections::HashMap::new();
    crate::truth::minimax(&game.initial(), &mut values);
    for text in [
        "mcts(sims=500000, solver=draws, transpositions, memory=64)",
        "mcts(sims=500000, solver=draws, transpositions, select=puct, c=2, memory=64)",
        "mcts(sims=500000, solver=draws, transpositions, playout=uniform+mast(eps=0.5), memory=64)",
    ] {
        let mut agent = build(&game, &text.parse().unwrap()).unwrap();
        for (name, &value) in values.iter().filter(|(name, _)| name.matches('.').count() >= 4).step_by(3) {
            let state = game.read_position(name).unwrap();
            let Turn::Player(player) = game.turn(&state) else { continue };
            let mut task = Task { explain: true, ..Task::new(Seed::new(1)) };
            let decision = agent.choose(&game, &Position::new(&state), &mut task);
            let expected = match value {
                Outcome::Draw | Outcome::Scored => Proof::Draw,
                Outcome::Win(winner) if winner == player => Proof::Win,
                Outcome::Win(_) => Proof::Loss,
            };
            assert_eq!(decision.explanation.unwrap().proof, expected, "{text} on {name}");
        }
    }
}

/// After a3 b6 c3 and after c3 b6 a3 the position is the same: both ways show the mean of both.
#[test]
fn both_ways_to_a_position_show_one_mean() {
    let game = Breakthrough::default();
    let mut agent =
        build(&game, &"mcts(sims=30000, transpositions, solver=off, playout=uniform)".parse().unwrap()).unwrap();
    let mut task = Task { explain: true, ..Task::new(Seed::new(4)) };
    let best = agent.choose(&game, &Position::new(&game.initial()), &mut task).explanation.unwrap();
    let mut shared = 0;
    for first in &best.candidates[..6] {
        for second in &best.candidates[..6] {
            let Some(reply) = agent.look(&[first.mv]).and_then(|seen| seen.candidates.first().cloned()) else {
                continue;
            };
            let mean = |ways: [_; 2]| {
                let seen = agent.look(&[ways[0], reply.mv])?;
                seen.candidates.iter().find(|one| one.mv == ways[1] && one.visits > 0).map(|one| one.mean)
            };
            if let (Some(one), Some(other)) = (mean([first.mv, second.mv]), mean([second.mv, first.mv])) {
                assert_eq!(one, other);
                shared += usize::from(first.mv != second.mv);
            }
        }
    }
    assert!(shared > 0, "no position was reached in two ways");
}

#[test]
fn what_does_not_go_with_transpositions_is_refused() {
    let error =
        |text: &str| build(&Breakthrough::default(), &text.parse().unwrap()).map(|_| ()).unwrap_err().to_string();
    assert!(error("mcts(transpositions, reuse)").contains("leave them out"));
    assert!(error("mcts(transpositions, threads=2)").contains("parallel=root"));
    assert!(
        build(&Breakthrough::default(), &"mcts(transpositions, threads=2, parallel=root)".parse().unwrap()).is_ok()
    );
}
