//! What a search promises beside the truth: limits, determinism, memory, reuse.

use crate::{mcts as agent, mcts_settings as settings};
use spinney_core::{Game, Notation, Seed, Turn, Workspace};
use spinney_games::{Breakthrough, TicTacToe};
use spinney_search::tree::ROOT;
use spinney_search::{Agent as _, Budget, Driven, Mcts, Position, Search, StopReason, Task};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

type Agent<G> = Driven<Mcts<G>>;

fn search<G: Game>(agent: &mut Agent<G>, game: &G, state: &G::State, seed: u64) -> (G::Move, StopReason, Vec<u32>) {
    let mut task = Task { explain: true, ..Task::new(Seed::new(seed)) };
    let decision = agent.choose(game, &Position::new(state), &mut task);
    let analysis = decision.explanation.unwrap();
    let visits = analysis.candidates.iter().map(|candidate| candidate.visits).collect();
    (decision.mv, analysis.stopped.unwrap(), visits)
}

#[test]
fn the_simulations_asked_for_are_made() {
    let game = Breakthrough::default();
    for text in ["mcts(sims=777)", "mcts(sims=777, playout=uniform, solver=off)", "mcts(sims=777, expand=one)"] {
        let mut agent = agent(&game, text);
        let (_, stopped, visits) = search(&mut agent, &game, &game.initial(), 1);
        assert_eq!((stopped, visits.iter().sum::<u32>()), (StopReason::Simulations, 777), "{text}");
    }
    let mut quirky = agent(&game, "mcts(sims=777, quirks=extra_simulation)");
    assert_eq!(search(&mut quirky, &game, &game.initial(), 1).2.iter().sum::<u32>(), 778);
}

#[test]
fn every_limit_stops() {
    let game = Breakthrough::default();
    let state = game.initial();
    let mut by_nodes = agent(&game, "mcts(nodes=5000)");
    assert_eq!(search(&mut by_nodes, &game, &state, 1).1, StopReason::Nodes);
    assert!(by_nodes.search.tree().len() < 5000 + 64);
    let mut by_time = agent(&game, "mcts(time=0.02)");
    assert_eq!(search(&mut by_time, &game, &state, 1).1, StopReason::Time);
    let stop = AtomicBool::new(true);
    let mut task = Task { stop: &stop, explain: true, budget: Some(Budget::default()), ..Task::new(Seed::new(1)) };
    let decision = by_time.choose(&game, &Position::new(&state), &mut task);
    assert_eq!(decision.explanation.unwrap().stopped, Some(StopReason::Asked));
    let won = game.read_position("b......./.......w/......../......../......../......../......../w....... 1").unwrap();
    assert_eq!(search(&mut by_time, &game, &won, 1).1, StopReason::Proven);
}

#[test]
fn the_same_seed_gives_the_same_search_whatever_came_before() {
    let game = Breakthrough::default();
    let state = game.initial();
    for text in ["mcts(sims=3000)", "mcts(sims=3000, select=tuned)", "mcts(sims=3000, variant=engine2014)"] {
        let mut fresh = agent(&game, text);
        let expected = search(&mut fresh, &game, &state, 5);
        let mut used = agent(&game, text);
        search(&mut used, &game, &state, 9);
        assert_eq!(search(&mut used, &game, &state, 5), expected, "{text}");
        assert_ne!(search(&mut used, &game, &state, 6).2, expected.2, "{text}");
    }
}

#[test]
fn being_watched_changes_nothing() {
    let game = Breakthrough::default();
    let state = game.initial();
    let mut agent = agent(&game, "mcts(sims=20000)");
    let expected = search(&mut agent, &game, &state, 5).2;
    let mut reports = 0;
    let mut observer = |analysis: &spinney_search::Analysis<_>, look: spinney_search::agent::Look<'_, _>| {
        reports += 1;
        let best = &analysis.candidates[0];
        assert_eq!(look(&[best.mv]).unwrap().visits, best.visits);
        assert!(analysis.stopped.is_none());
    };
    let observer: Option<(Duration, spinney_search::agent::Observer<'_, _>)> =
        Some((Duration::from_micros(200), &mut observer));
    let mut task = Task { explain: true, observer, ..Task::new(Seed::new(5)) };
    let decision = agent.choose(&game, &Position::new(&state), &mut task);
    let visits: Vec<u32> = decision.explanation.unwrap().candidates.iter().map(|one| one.visits).collect();
    assert_eq!(visits, expected);
    assert!(reports > 3, "{reports} reports");
}

#[test]
fn a_full_tree_goes_on_and_never_exceeds_its_memory() {
    let game = Breakthrough::default();
    let mut agent = agent(&game, "mcts(sims=200000, memory=1)");
    let (_, stopped, visits) = search(&mut agent, &game, &game.initial(), 1);
    assert_eq!((stopped, visits.iter().sum::<u32>()), (StopReason::Simulations, 200_000));
    assert!(
        agent.search.tree().bytes() <= 1_000_000 && agent.search.tree().bytes() > 990_000,
        "{}",
        agent.search.tree().bytes()
    );
}

#[test]
fn a_kept_tree_starts_with_its_visits_and_forgets_other_games() {
    let game = Breakthrough::default();
    let mut agent = agent(&game, "mcts(sims=5000, reuse)");
    let start = game.initial();
    let mut task = Task::new(Seed::new(1));
    let mut history = vec![agent.choose(&game, &Position { state: &start, history: &[] }, &mut task).mv];
    let mut state = start;
    game.apply(&mut state, history[0]);
    let reply = game.random_move(&state, &mut spinney_core::Random::new(Seed::new(2)), &mut Workspace::new()).unwrap();
    history.push(reply);
    game.apply(&mut state, reply);
    let tree = agent.search.tree();
    let child = tree.children(ROOT).find(|&child| tree.mv(child) == history[0]).unwrap();
    let kept = tree.children(child).find(|&child| tree.mv(child) == reply).map(|child| tree.visits(child)).unwrap();
    agent.search.begin(&game, &Position { state: &state, history: &history }, 100, Seed::new(3));
    assert_eq!(agent.search.tree().visits(ROOT), kept);
    assert!(kept > 0);
    agent.search.begin(&game, &Position { state: &start, history: &[] }, 100, Seed::new(3));
    assert_eq!(agent.search.tree().visits(ROOT), 0);
}

#[test]
fn reuse_plays_whole_games() {
    for text in [
        "mcts(sims=300, reuse, solver=draws)",
        "mcts(sims=300, reuse, memory=1, select=puct)",
        "mcts(sims=300, reuse, rave(k=30), c=1)",
    ] {
        let game = TicTacToe;
        let mut agent = agent(&game, text);
        let (mut state, mut history) = (game.initial(), Vec::new());
        while let Turn::Player(_) = game.turn(&state) {
            let mut task = Task::new(Seed::new(history.len() as u64));
            let mv = agent.choose(&game, &Position { state: &state, history: &history }, &mut task).mv;
            game.apply(&mut state, mv);
            history.push(mv);
        }
        assert_eq!(game.turn(&state), Turn::Over(spinney_core::Outcome::Draw), "{text}");
    }
}

/// Black threatens to win and white cannot prevent it: all moves but the saving ones are proven lost, and the
/// search must not stop before it has found those.
#[test]
fn all_moves_but_one_are_lost() {
    let game = Breakthrough::default().fitted("...../...../...../...../..... 1");
    // White's only saving move is the capture a1xb2.
    let state = game.read_position("b..../...../...../.b.ww/w.... 1").unwrap();
    let mut agent = agent(&game, "mcts(sims=2000, playout=uniform)");
    let mut task = Task { explain: true, ..Task::new(Seed::new(1)) };
    let decision = agent.choose(&game, &Position::new(&state), &mut task);
    assert_eq!(game.write_move(&state, decision.mv), "a1xb2");
}

#[test]
fn impossible_settings_are_refused() {
    let game = TicTacToe;
    for text in ["mcts(bias=1)", "mcts(playout=uniform+cutoff(plies=3))"] {
        let error = Mcts::new(&game, &settings(text)).unwrap_err().to_string();
        assert!(error.contains("no evaluation function"), "{error}");
    }
    assert!(Mcts::new(&Breakthrough::default(), &settings("mcts(bias=1, select=puct)")).is_err());
    for text in ["mcts(rave, grave)", "mcts(rave, history=1)", "mcts(grave, select=puct)", "mcts(rave, bias=1)"] {
        assert!(Mcts::new(&Breakthrough::default(), &settings(text)).is_err(), "{text}");
    }
    assert!(Mcts::new(&Breakthrough::default(), &settings("mcts(bias=1)")).is_ok());
}
