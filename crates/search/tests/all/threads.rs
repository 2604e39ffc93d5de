//! Many threads on one tree, and on one each: they find the truth, keep their limits, and lose nothing.

use spinney_core::{Game, Notation, Outcome, Seed, Turn, Workspace};
use spinney_games::{Amazons, Breakthrough, Pig, TicTacToe};
use spinney_search::alpha_beta::solve;
use spinney_search::shared::Crew;
use spinney_search::tree::Proof;
use spinney_search::{Agent, Analysis, Budget, Position, StopReason, Task, build};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn agent<G: Game>(game: &G, text: &str) -> Box<dyn Agent<G>> {
    build(game, &text.parse().unwrap()).unwrap()
}

fn think<G: Game>(agent: &mut dyn Agent<G>, game: &G, state: &G::State, seed: u64) -> (G::Move, Analysis<G::Move>) {
    let mut task = Task { explain: true, ..Task::new(Seed::new(seed)) };
    let decision = agent.choose(game, &Position::new(state), &mut task);
    (decision.mv, decision.explanation.unwrap())
}

fn expected(value: Outcome, state: &impl Fn() -> Turn) -> Proof {
    let Turn::Player(player) = state() else { unreachable!() };
    match value {
        Outcome::Draw | Outcome::Scored => Proof::Draw,
        Outcome::Win(winner) if winner == player => Proof::Win,
        Outcome::Win(_) => Proof::Loss,
    }
}

/// Eight threads, all of what a search can be made of: each position of tic-tac-toe after up to four plies has its value.
#[test]
fn threads_prove_the_values_of_tic_tac_toe() {
    let game = TicTacToe;
    let mut values = std::collections::HashMap::new();
    crate::truth::minimax(&game.initial(), &mut values);
    let agents = [
        "mcts(threads=8, sims=500000, solver=draws, memory=64)",
        "mcts(threads=8, sims=500000, solver=draws, virtual_loss=visits, expand=one, memory=64)",
        "mcts(threads=8, sims=500000, solver=draws, virtual_loss=off, playout=uniform+mast(eps=0.5), memory=64)",
        "mcts(threads=8, sims=500000, solver=draws, select=puct, c=2, memory=64)",
        "mcts(threads=8, sims=500000, solver=draws, rb, qb, select=tuned, fpu=0.3, memory=64)",
        "mcts(threads=8, sims=500000, solver=draws, rave(k=50), c=1, memory=64)",
        "mcts(threads=8, sims=500000, solver=draws, grave(reference=20), c=1, memory=64)",
        "mcts(threads=8, sims=500000, solver=draws, parallel=root, memory=64)",
    ];
    for text in agents {
        let mut agent = agent(&game, text);
        for (name, &value) in values.iter().filter(|(name, _)| name.matches('.').count() >= 5).step_by(7) {
            let state = game.read_position(name).unwrap();
            if let Turn::Over(_) = game.turn(&state) {
                continue;
            }
            let (mv, analysis) = think(&mut *agent, &game, &state, 1);
            assert_eq!(analysis.proof, expected(value, &|| game.turn(&state)), "{text} on {name}");
            let mut next = state.clone();
            game.apply(&mut next, mv);
            assert_eq!(values[&game.write_position(&next)], value, "{text} plays {mv} in {name}");
        }
    }
}

/// Eight threads prove what alpha-beta proves, on 5×5 positions near the end.
#[test]
fn threads_agree_with_alpha_beta_on_breakthrough() {
    let game = Breakthrough::default().fitted("bbbbb/bbbbb/...../wwwww/wwwww 1");
    let mut random = spinney_core::Random::new(Seed::new(22));
    let mut agents: Vec<_> = [
        "mcts(threads=8, sims=200000, memory=256)",
        "mcts(threads=8, sims=200000, virtual_loss=visits, select=tuned, c=0.7, memory=256)",
        "mcts(threads=8, sims=200000, rave, c=0.5, playout=policy+lgr, memory=256)",
        "mcts(threads=8, sims=200000, playout=policy+cmc+ngram, full=reclaim, memory=8)",
    ]
    .iter()
    .map(|text| agent(&game, text))
    .collect();
    let mut compared = 0;
    while compared < 60 {
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
        let proof = (0..24)
            .map(|attempt| think(&mut *agents[attempt % 4], &game, &state, attempt as u64).1.proof)
            .find(|proof| *proof != Proof::Unknown);
        assert_eq!(proof, Some(expected(value, &|| game.turn(&state))), "{}", game.write_position(&state));
        compared += 1;
    }
}

/// Without a solver every simulation is counted at the root and in one of its children, whoever made it.
#[test]
fn no_simulation_is_lost() {
    let game = Breakthrough::default();
    for text in ["mcts(threads=8, sims=20001, solver=off)", "mcts(threads=8, sims=20001, solver=off, parallel=root)"] {
        let (_, analysis) = think(&mut *agent(&game, text), &game, &game.initial(), 3);
        assert_eq!(analysis.totals.simulations, 20_001, "{text}");
        assert_eq!(analysis.stopped, Some(StopReason::Simulations));
        assert_eq!(analysis.candidates.iter().map(|one| u64::from(one.visits)).sum::<u64>(), 20_001, "{text}");
        assert!(analysis.candidates.iter().all(|one| one.mean.abs() <= 1.0 && one.deviation <= 1.01), "{text}");
        assert!(analysis.totals.playouts == 20_001 && analysis.nodes > 1000);
    }
}

/// A full tree stays within its memory, whether it stands or gives up what was visited least, alone and with others.
#[test]
fn memory_is_bounded_and_reclaimed() {
    let game = Amazons::default();
    let budget = "sims=6000, playout=uniform+cutoff(plies=2), c=0.5, memory=4";
    let depth = |text: String, threads: u32| {
        // Without the other agents and trees, which would be compiled for this game, too.
        let mut agent: Box<dyn Agent<Amazons>> = match threads {
            1 => Box::new(crate::mcts(&game, &text)),
            _ => Box::new(Crew::new(&game, &crate::mcts_settings(&text), &()).unwrap()),
        };
        let (_, analysis) = think(&mut *agent, &game, &game.initial(), 5);
        assert!(analysis.bytes <= 4_000_000, "{text}: {} bytes", analysis.bytes);
        assert_eq!(analysis.totals.simulations, 6000, "{text}");
        analysis.totals.depth_plies
    };
    for threads in [1, 8] {
        let standing = depth(format!("mcts(threads={threads}, {budget})"), threads);
        let reclaimed = depth(format!("mcts(threads={threads}, full=reclaim, {budget})"), threads);
        assert!(reclaimed > standing, "{threads} threads: {reclaimed} plies, {standing} without room");
    }
}

/// Kept trees are those below the moves that were played.
#[test]
fn trees_are_kept_between_moves() {
    let game = Breakthrough::default();
    let mut agent = agent(&game, "mcts(threads=4, sims=4000, reuse=on, solver=off)");
    let mut state = game.initial();
    let (mv, first) = think(&mut *agent, &game, &state, 1);
    let reply = first.candidates[0].variation[1];
    for mv in [mv, reply] {
        game.apply(&mut state, mv);
    }
    let kept = agent.look(&[mv, reply]).unwrap().visits;
    let mut task = Task { explain: true, ..Task::new(Seed::new(2)) };
    let decision = agent.choose(&game, &Position { state: &state, history: &[mv, reply] }, &mut task);
    let visits: u32 = decision.explanation.unwrap().candidates.iter().map(|one| one.visits).sum();
    assert!(kept > 0 && visits >= 4000 + kept - 1, "{kept} kept, {visits} visits");
}

/// A search without limits ends when it is asked to; one with a time at that time.
#[test]
fn threads_stop_when_they_are_asked() {
    let game = Breakthrough::default();
    for text in ["mcts(threads=8)", "mcts(threads=8, parallel=root)"] {
        let mut agent = agent(&game, text);
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                stop.store(true, Ordering::Relaxed);
            });
            let budget = Some(Budget { time: Some(Duration::from_secs(600)), ..Budget::default() });
            let mut task = Task { explain: true, budget, stop: &stop, ..Task::new(Seed::new(1)) };
            let decision = agent.choose(&game, &Position::new(&game.initial()), &mut task);
            assert_eq!(decision.explanation.unwrap().stopped, Some(StopReason::Asked), "{text}");
        });
    }
}

/// Games with chance are searched by trees of their own.
#[test]
fn games_with_chance_take_a_tree_each() {
    let game = Pig::default();
    let (mv, analysis) = think(&mut *agent(&game, "mcts(threads=4, sims=4000)"), &game, &game.initial(), 1);
    assert_eq!(mv, spinney_games::pig::ROLL);
    assert_eq!(analysis.totals.simulations, 4000);
    let error =
        |game: &Breakthrough, text: &str| build(game, &text.parse().unwrap()).map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        error(&Breakthrough::default(), "mcts(threads=2, variant=engine2014)"),
        "mcts, option threads: the order of a published engine cannot be kept by threads that share a tree; leave variant, \
         quirks and ties out, or write parallel=root"
    );
}
