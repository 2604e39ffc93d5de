//! What altered rewards promise in a whole search.

use crate::{mcts as agent, mcts_settings};
use spinney_core::{Game, Notation, Player, Seed};
use spinney_games::{Breakthrough, TicTacToe};
use spinney_search::tree::Proof;
use spinney_search::{Agent, Mcts, Position, Search, Task, play_game};
use std::sync::atomic::AtomicBool;

/// From a position one ply before its end every simulation is proven: none is altered, none is logged.
#[test]
fn proven_values_stay_as_they_are() {
    let game = TicTacToe;
    let mut search = agent(&game, "mcts(sims=2000, solver=draws, rb(a=1), qb(a=1))");
    search.search.keep_samples();
    let state = game.read_position("xx./oo./x.o 1").unwrap();
    let mut task = Task { explain: true, ..Task::new(Seed::new(1)) };
    let decision = search.choose(&game, &Position::new(&state), &mut task);
    assert_eq!(decision.explanation.unwrap().proof, Proof::Win);
    assert!(search.search.samples().is_empty());
}

/// The log holds what the play-outs gave: taken together with the proven ones it is every simulation.
#[test]
fn samples_are_what_simulations_gave() {
    let game = Breakthrough::default();
    let mut search = agent(&game, "mcts(sims=500, rb(a=0.25), qb(a=0.25))");
    search.search.keep_samples();
    let state = game.initial();
    search.choose(&game, &Position::new(&state), &mut Task::new(Seed::new(1)));
    let (samples, totals) = (search.search.samples(), search.search.totals());
    assert_eq!(samples.len() as u64, totals.playouts);
    assert_eq!(samples.iter().map(|sample| u64::from(sample.simulation.length)).sum::<u64>(), totals.length_plies);
    for (number, sample) in samples.iter().enumerate() {
        let outcome = if sample.simulation.winner == Some(Player::First) { 1.0 } else { -1.0 };
        let bonus = (sample.altered - outcome) * outcome;
        assert!(bonus.abs() <= 0.5);
        // The first 5 % of the simulations only collect.
        assert_eq!(bonus == 0.0, number < 25, "{number}: {sample:?}");
    }
}

/// What an agent learned in one game, the next does not know.
#[test]
fn a_game_does_not_depend_on_the_game_before() {
    let game = Breakthrough::default();
    let stop = AtomicBool::new(false);
    let text = "mcts(sims=100, variant=engine2014, rb, qb, reuse)";
    let mut agents = [agent(&game, text), agent(&game, text)];
    let mut play = |seed| {
        let [first, second] = &mut agents;
        play_game(&game, [first, second], 0, Seed::new(seed), &stop).unwrap().moves
    };
    let fresh = play(1);
    play(2);
    assert_eq!(play(1), fresh);
}

#[test]
fn a_joint_weight_needs_both_bonuses() {
    let error = Mcts::new(&TicTacToe, &mcts_settings("mcts(rb(a=joint))")).unwrap_err().to_string();
    assert_eq!(error, "mcts, option rb or qb: a joint weight needs both bonuses; write rb(a=joint), qb(a=joint)");
}
