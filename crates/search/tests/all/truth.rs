//! The search against exact values.

use crate::mcts;
use spinney_core::{Game, List, Notation, Outcome, Player, Random, Seed, Turn, Workspace};
use spinney_games::{Breakthrough, TicTacToe};
use spinney_search::alpha_beta::solve;
use spinney_search::tree::Proof;
use spinney_search::{Agent, Analysis, Position, Task};
use std::collections::HashMap;

/// Plain minimax: the value of every reachable position for the first player.
pub(crate) fn minimax(state: &<TicTacToe as Game>::State, values: &mut HashMap<String, Outcome>) -> Outcome {
    let game = TicTacToe;
    let name = game.write_position(state);
    if let Some(&value) = values.get(&name) {
        return value;
    }
    let value = match game.turn(state) {
        Turn::Over(outcome) => outcome,
        Turn::Chance => unreachable!(),
        Turn::Player(player) => {
            let mut moves = List::new();
            game.moves(state, &mut moves);
            let after = |mv| {
                let mut next = state.clone();
                game.apply(&mut next, mv);
                next
            };
            let values: Vec<Outcome> = moves.into_iter().map(|mv| minimax(&after(mv), values)).collect();
            values.into_iter().max_by(|a, b| a.reward(player).total_cmp(&b.reward(player))).unwrap()
        }
    };
    values.insert(name, value);
    value
}

fn think<G: Game>(game: &G, state: &G::State, agent: &str, seed: u64) -> (G::Move, Analysis<G::Move>) {
    let mut agent = mcts(game, agent);
    let mut task = Task { explain: true, ..Task::new(Seed::new(seed)) };
    let decision = agent.choose(game, &Position::new(state), &mut task);
    (decision.mv, decision.explanation.unwrap())
}

/// Every option that claims to find the truth finds it from every position.
#[test]
fn tic_tac_toe_is_solved_from_every_reachable_position() {
    let game = TicTacToe;
    let mut values = HashMap::new();
    assert_eq!(minimax(&game.initial(), &mut values), Outcome::Draw);
    assert_eq!(values.len(), 5478);
    let agents = [
        "mcts(sims=500000, solver=draws, memory=64)",
        "mcts(sims=500000, solver=draws, expand=one, playout=uniform+mast(eps=0.5), memory=64)",
        "mcts(sims=500000, solver=draws, select=puct, c=2, memory=64)",
        "mcts(sims=500000, solver=draws, rb, qb, memory=64)",
        "mcts(sims=500000, solver=draws, playout=uniform+cmc(prob=75, pairs=simulation), memory=64)",
        "mcts(sims=500000, solver=draws, playout=uniform+ngram, memory=64)",
        "mcts(sims=500000, solver=draws, playout=uniform+lgr, memory=64)",
        "mcts(sims=500000, solver=draws, rave(k=50), c=1, memory=64)",
        "mcts(sims=500000, solver=draws, grave(reference=20), c=1, memory=64)",
        "mcts(sims=500000, solver=draws, select=tuned, fpu=0.3, ties=first, memory=64)",
    ];
    for agent in agents {
        let mut search = mcts(&game, agent);
        for (name, &value) in &values {
            let state = game.read_position(name).unwrap();
            let Turn::Player(player) = game.turn(&state) else { continue };
            let mut task = Task { explain: true, ..Task::new(Seed::new(1)) };
            let decision = search.choose(&game, &Position::new(&state), &mut task);
            let expected = match value {
                Outcome::Draw | Outcome::Scored => Proof::Draw,
                Outcome::Win(winner) if winner == player => Proof::Win,
                Outcome::Win(_) => Proof::Loss,
            };
            assert_eq!(decision.explanation.unwrap().proof, expected, "{agent} on {name}");
            let mut next = state.clone();
            game.apply(&mut next, decision.mv);
            assert_eq!(values[&game.write_position(&next)], value, "{agent} plays {} in {name}", decision.mv);
        }
    }
}

/// Without proofs the values still converge to the truth.
#[test]
fn tic_tac_toe_without_a_solver_plays_a_best_move() {
    let game = TicTacToe;
    let mut values = HashMap::new();
    minimax(&game.initial(), &mut values);
    for position in ["x../.o./..x 2", "xo./.../... 1", "x.o/.../..x 2", ".../.x./... 2", "xox/.o./... 1"] {
        let state = game.read_position(position).unwrap();
        let value = values[position];
        for agent in [
            "mcts(sims=20000, solver=off)",
            "mcts(sims=20000, solver=off, final_move=robust_max)",
            "mcts(sims=20000, solver=off, playout=uniform+cmc(prob=35))",
            "mcts(sims=20000, solver=off, playout=uniform+ngram)",
            "mcts(sims=20000, solver=off, playout=uniform+lgr)",
            "mcts(sims=20000, solver=off, rave(k=300), c=0.7)",
            "mcts(sims=20000, solver=off, grave, c=0.7)",
        ] {
            let (mv, _) = think(&game, &state, agent, 3);
            let mut next = state.clone();
            game.apply(&mut next, mv);
            assert_eq!(values[&game.write_position(&next)], value, "{agent} in {position}");
        }
    }
}

/// Random 5×5 positions within 16 plies of the end: what the search proves is what alpha-beta proves.
#[test]
fn breakthrough_endgames_agree_with_alpha_beta() {
    let game = Breakthrough::default().fitted("bbbbb/bbbbb/...../wwwww/wwwww 1");
    let mut random = Random::new(Seed::new(16));
    let mut compared = 0;
    let mut wins = [0; 2];
    while compared < 200 {
        let mut states = vec![game.initial()];
        while let Turn::Player(_) = game.turn(states.last().unwrap()) {
            let mut next = *states.last().unwrap();
            let mv = game.random_move(&next, &mut random, &mut Workspace::new()).unwrap();
            game.apply(&mut next, mv);
            states.push(next);
        }
        let back = 2 + random.below(15) as usize;
        let Some(state) = states.len().checked_sub(1 + back).map(|index| states[index]) else { continue };
        let Some(value) = solve(&game, &state, 16, 1_000_000) else { continue };
        let Turn::Player(player) = game.turn(&state) else { continue };
        let expected = if value == Outcome::Win(player) { Proof::Win } else { Proof::Loss };
        // The time to a proof has a long tail, so a search that takes long is begun anew with another seed.
        let agents = [
            "mcts(sims=200000)",
            "mcts(sims=200000, select=tuned, c=0.7)",
            "mcts(sims=200000, rb(k=2), qb)",
            "mcts(sims=200000, playout=policy+cutoff(plies=10))",
            "mcts(sims=200000, playout=policy+cmc+ngram)",
            "mcts(sims=200000, rave, c=0.5, playout=policy+lgr)",
        ];
        let proof = (0..24)
            .map(|attempt| think(&game, &state, agents[attempt % agents.len()], attempt as u64).1.proof)
            .find(|proof| *proof != Proof::Unknown);
        assert_eq!(proof, Some(expected), "{}", game.write_position(&state));
        wins[usize::from(expected == Proof::Win)] += 1;
        compared += 1;
    }
    assert!(wins[0] >= 20 && wins[1] >= 20, "the sample is one-sided: {wins:?}");
}

/// The mover's win in two is found and the value has the right sign for both colours.
#[test]
fn values_are_in_the_view_of_the_player_to_move() {
    let game = Breakthrough::default();
    let ahead = "bbbb..../bbbb...w/......../......../......../......../wwwwwww./wwwwwww. 1";
    let state = game.read_position(ahead).unwrap();
    let (_, analysis) = think(&game, &state, "mcts(sims=5000, playout=uniform, solver=off)", 1);
    assert!(analysis.candidates[0].mean > 0.5, "{}", analysis.candidates[0].mean);
    let behind = ahead.replace(" 1", " 2");
    let state = game.read_position(&behind).unwrap();
    let (_, analysis) = think(&game, &state, "mcts(sims=5000, playout=uniform, solver=off)", 1);
    assert!(analysis.candidates[0].mean < -0.5, "{}", analysis.candidates[0].mean);
    assert_eq!(game.turn(&state), Turn::Player(Player::Second));
}
