use super::*;

fn wish(agents: &[&str], simulations: u64) -> Wish {
    let laboratory = Laboratory::standard();
    Wish {
        agents: agents.iter().map(|agent| laboratory.agent(agent).unwrap()).collect(),
        budget: Budget { simulations: Some(simulations), ..Budget::default() },
        seed: 1,
    }
}

fn reviewed(game: &str, moves: &str, agents: &[&str]) -> Review {
    let moves = moves.split(' ').map(str::to_string).collect();
    let played = Played { game: game.to_string(), moves, ..Played::default() };
    let (stop, mut told) = (AtomicBool::new(false), 0);
    let mut tell = |so_far: &Review| {
        told += 1;
        assert_eq!(so_far.plies.len(), told);
    };
    let found = review(&Laboratory::standard(), &played, &wish(agents, 3000), &stop, &mut tell);
    found.unwrap().unwrap()
}

/// Ring answers the middle with an edge, which loses; after that both play their best.
#[test]
fn the_move_that_loses_is_found() {
    let found = reviewed("tic-tac-toe", "b2 c2 a3 c1 c3 b3 a1", &["mcts"]);
    assert_eq!(found.result.as_deref(), Some("cross wins"));
    let mistakes = found.mistakes();
    assert_eq!(mistakes.first(), Some(&(1, 0)), "{}", found.json());
    assert_eq!(found.judgement(1, 0), Some(Judgement::Blunder));
    let best = &found.plies[1].opinions[0].best;
    assert!(["a1", "a3", "c1", "c3"].contains(&best.as_str()), "{best}");
    assert!(found.plies[1].opinions[0].loss.unwrap() > 0.4);
    assert_eq!(found.value(7, 0), Some(1.0), "the end is known");
    let page = found.page();
    assert!(page.contains("Better was") && page.contains("<svg") && page.contains("blunder"), "{page}");
    assert!(!page.contains("<script") && !page.contains("http://") || page.contains("www.w3.org"), "it stands alone");
}

#[test]
fn two_opinions_stand_on_one_scale() {
    let found = reviewed("tic-tac-toe", "b2 a1", &["mcts", "mcts(rb(a=online))"]);
    assert_eq!(found.agents.len(), 2);
    for ply in &found.plies {
        assert_eq!(ply.opinions.len(), 2);
        assert!(ply.opinions.iter().all(|one| (0.0..=1.0).contains(&one.value)), "{ply:?}");
    }
    assert_eq!(found.result, None);
    assert_eq!(found.curve().series.len(), 2);
}

#[test]
fn scores_and_chance_are_no_faults_of_the_player() {
    let found = reviewed("pig(turns=2)", "roll 8 stop roll 1-x", &["mcts"]);
    assert!(found.scored && found.result.as_deref() == Some("score 8"));
    assert_eq!(found.plies.iter().map(|ply| ply.opinions.len()).collect::<Vec<_>>(), [1, 0, 1, 1, 0, 0]);
    assert!(found.plies[3].opinions[0].loss.unwrap() < 1.0, "rolling was right though it failed");
}

#[test]
fn illegal_moves_and_empty_records_are_refused() {
    let played = Played { game: "tic-tac-toe".to_string(), moves: vec!["z9".to_string()], ..Played::default() };
    let stop = AtomicBool::new(false);
    let error = review(&Laboratory::standard(), &played, &wish(&["mcts"], 10), &stop, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("move 1"), "{error}");
    assert!(Played::read("file", "moves a1").unwrap_err().to_string().contains("names no game"));
}

/// Three of four moves are the search's own and seem to cost 5, 6 and 7 percent; so a fourth that drops by 20 costs 14.
#[test]
fn what_every_move_seems_to_cost_is_taken_off() {
    let opinion = |value: f64, best: &str, drop: f64| Opinion {
        value,
        margin: Some(0.01),
        best: best.to_string(),
        line: Vec::new(),
        loss: Some(drop),
        drop: Some(drop),
        proof: Proof::Unknown,
        simulations: 1,
    };
    let ply = |mv: &str, own: Opinion| Ply {
        mover: Some(Player::First),
        mv: Some(mv.to_string()),
        opinions: vec![own],
        end: None,
    };
    let plies = vec![
        ply("a", opinion(0.6, "a", 0.05)),
        ply("b", opinion(0.6, "b", 0.07)),
        ply("c", opinion(0.6, "c", 0.06)),
        ply("d", opinion(0.6, "x", 0.20)),
    ];
    let (agents, players) = (vec!["mcts".to_string()], ["white".to_string(), "black".to_string()]);
    let mut review =
        Review { played: Played::default(), players, agents, scored: false, plies, result: None, boards: Vec::new() };
    review.calibrate();
    assert!((review.plies[3].opinions[0].loss.unwrap() - 0.14).abs() < 1e-9);
    assert_eq!(review.judgement(3, 0), Some(Judgement::Inaccuracy));
    review.plies[3].opinions[0].margin = Some(0.2);
    assert_eq!(review.judgement(3, 0), None, "the search cannot tell");
}
