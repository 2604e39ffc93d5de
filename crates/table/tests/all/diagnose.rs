//! Diagnosis: games are played, and who has no such simulations is refused.

use spinney_core::InputError;
use spinney_table::diagnose::{Diagnosis, Study, Watcher};
use spinney_table::open_table;
use std::sync::atomic::AtomicBool;

fn study(agent: &str) -> Study {
    Study { agent: agent.parse().unwrap(), games: 1, simulations: 300, seed: 1 }
}

fn diagnose(game: &str, study: &Study, stop: &AtomicBool, tell: Watcher<'_>) -> Result<Option<Diagnosis>, InputError> {
    open_table(game, None)?.diagnose(study, stop, tell)
}

#[test]
fn breakthrough_is_diagnosed() {
    let mut heard = 0;
    let stop = AtomicBool::new(false);
    let found =
        diagnose("breakthrough", &study("mcts"), &stop, &mut |positions, _| heard = positions).unwrap().unwrap();
    assert_eq!(found.positions, heard);
    assert!(found.positions > 20 && found.drawn == 0.0, "{found:?}");
    let [length, quality] = &found.bonuses;
    assert_eq!((length.k, quality.k), (8.0, 2.0));
    for own in &found.bonuses {
        assert!(own.lambda.counts.iter().sum::<u64>() > 1000);
        assert!((0.0..=1.0).contains(&own.removed.mean()));
        let k = own.recommended_k.unwrap();
        assert!((1.0..4.0).contains(&k), "{k}");
    }
    // k = 8 saturates often, k = 2 hardly ever.
    assert!(length.saturated > 0.1 && quality.saturated < 0.01);
}

#[test]
fn what_has_no_such_simulations_is_refused() {
    let stop = AtomicBool::new(false);
    let error = diagnose("breakthrough", &study("alphabeta"), &stop, &mut |_, _| {}).unwrap_err().to_string();
    assert!(error.contains("write mcts(…)"), "{error}");
    let error = diagnose("pig", &study("mcts"), &stop, &mut |_, _| {}).unwrap_err().to_string();
    assert!(error.contains("two players without chance"), "{error}");
}

#[test]
fn who_watches_changes_nothing() {
    let stop = AtomicBool::new(false);
    let unwatched = diagnose("tic-tac-toe", &study("mcts"), &stop, &mut |_, _| {}).unwrap().unwrap();
    let mut seen = Vec::new();
    let watched = diagnose("tic-tac-toe", &study("mcts"), &stop, &mut |_, so_far| seen.push(so_far()));
    let watched = watched.unwrap().unwrap();
    assert_eq!(format!("{unwatched:?}"), format!("{watched:?}"));
    assert_eq!(seen.len() as u64, watched.positions);
    assert!(seen.windows(2).all(|pair| pair[0].simulations <= pair[1].simulations));
    assert_eq!(seen[0].bonuses[0].values, watched.bonuses[0].values, "the first search is drawn at once");
}
