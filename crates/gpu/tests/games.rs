//! What a kernel is made of plays the same games on this machine as the library: all games, all features.

use spinney_core::{Outcome, Player, Seed};
use spinney_gpu::compiled::kinds::ALL;
use spinney_gpu::duel::duel;
use spinney_gpu::games;
use spinney_gpu::host::Job;
use spinney_gpu::host::samples::{FEATURES, GAMES};
use spinney_gpu::plain::{PlainMatch, PlainResult, PlainSeat, state};
use spinney_table::Laboratory;
use std::sync::atomic::AtomicBool;

/// The game of a job as a thread of a card plays it.
fn played(job: &Job, task: &PlainMatch, seat: &PlainSeat) -> (PlainResult, Vec<u16>) {
    let mut moves = Vec::new();
    macro_rules! play {
        ($rules:ident) => {
            duel::<_, ALL>(&games::$rules(&job.words()), task, seat, || false, |_| {}, |_, place| moves.push(place))
        };
    }
    let result = match job.game() {
        "amazons" => play!(amazons),
        "breakthrough" => play!(breakthrough),
        "cannon" => play!(cannon),
        "checkers" => play!(checkers),
        "chinese-checkers" => play!(chinese_checkers),
        "havannah" => play!(havannah),
        "pentalath" => play!(pentalath),
        other => panic!("no kernel plays {other}"),
    };
    (result, moves)
}

#[test]
fn a_thread_of_a_card_plays_the_games_of_the_library() {
    let laboratory = Laboratory::standard();
    for (game, has_policy) in GAMES {
        for features in FEATURES.iter().filter(|features| has_policy || !features.needs_policy) {
            let agent = |options: &str| laboratory.agent(&format!("mcts(sims=40, {options})")).unwrap();
            let agents = [agent(features.a), agent(features.b)];
            let job = Job::new(game, &agents, features.opening).unwrap().unwrap();
            let mut table = laboratory.open(game, None).unwrap();
            let seats = agents.each_ref().map(|agent| table.seat(agent).unwrap());
            let seed = Seed::new(3).named(features.name);
            for first in 0..2 {
                let order = if first == 0 { seats } else { [seats[1], seats[0]] };
                let own = table.play_game(order, features.opening, seed, &AtomicBool::new(false)).unwrap();
                let seat = PlainSeat { seed: seed.value(), first, task: 0 };
                let (result, places) = played(&job, job.task(), &seat);
                let what = format!("{game}, {}, first {first}", features.name);
                assert_eq!(result.state, state::PLAYED, "{what}");
                assert_eq!(job.write(&places), Some(own.moves), "{what}");
                assert_eq!(result.simulations, own.simulations, "{what}");
                let winner = [1, 2].map(|number| own.outcome == Outcome::Win(Player::BOTH[number - 1]));
                assert_eq!(result.winner, if winner[0] { 1 } else { 2 * u32::from(winner[1]) }, "{what}");
            }
        }
    }
}

#[test]
fn a_tree_without_room_is_told_and_gives_no_game() {
    let laboratory = Laboratory::standard();
    let agent = || laboratory.agent("mcts(sims=200, playout=uniform)").unwrap();
    let job = Job::new("breakthrough", &[agent(), agent()], 0).unwrap().unwrap();
    let small = PlainMatch { places: 60, moves: 500, ..*job.task() };
    let (result, places) = played(&job, &small, &PlainSeat::default());
    assert_eq!((result.state, places.len()), (state::NO_ROOM, 0));
}

#[test]
fn what_no_kernel_plays_is_said() {
    let laboratory = Laboratory::standard();
    let why = |game: &str, a: &str| {
        let agents = [a, "mcts(sims=10)"].map(|agent| laboratory.agent(agent).unwrap());
        Job::new(game, &agents, 0).unwrap().err().map(|unfit| unfit.to_string())
    };
    assert_eq!(why("breakthrough", "mcts(sims=10)"), None);
    assert_eq!(why("tic-tac-toe", "mcts(sims=10)").as_deref(), Some("no kernel plays the game"));
    assert_eq!(why("breakthrough", "flat").as_deref(), Some("no kernel plays flat"));
    for agent in [
        "mcts(sims=10, rave)",
        "mcts(sims=10, memory=1)",
        "mcts(sims=10, playout=policy+lgr)",
        "mcts(sims=10, reuse=on)",
    ] {
        assert!(why("breakthrough", agent).is_some_and(|why| why.starts_with("no kernel plays mcts(")), "{agent}");
    }
    assert!(why("breakthrough", "mcts(time=1)").is_some_and(|why| why.ends_with("limited by simulations alone")));
}

#[test]
fn budgets_that_no_memory_holds_are_cut_off() {
    let laboratory = Laboratory::standard();
    let agents = || ["mcts(sims=2000000000)", "mcts(sims=10)"].map(|agent| laboratory.agent(agent).unwrap());
    let job = Job::new("breakthrough", &agents(), 0).unwrap().unwrap();
    assert_eq!([job.task().places, job.task().moves], [u32::MAX / 2; 2]);
    assert!(job.bytes_at_first() > 4 << 30, "it is played elsewhere");
}

#[test]
fn every_option_of_a_game_reaches_the_kernel() {
    // Every option that the library knows, each with a value that is not its own.
    for (game, options) in [
        ("amazons", "size=8, variant=engine2014"),
        ("breakthrough", "rows=6, columns=5"),
        ("cannon", "corners=on, strict_shots=on, variant=engine2014"),
        ("checkers", "king_slide_limit=3, repetition=on, variant=engine2014"),
        ("chinese-checkers", "forward=off, variant=engine2014"),
        ("havannah", "size=5"),
        ("pentalath", "variant=engine2014"),
    ] {
        let plain = games::known(game).unwrap().unwrap().words;
        let count = options.split(", ").count();
        let words = games::known(&format!("{game}({options})")).unwrap().unwrap().words;
        let changed = words.iter().zip(plain).filter(|(own, plain)| *own != plain).count();
        assert_eq!(changed, count, "{game}({options}): {words:?}, {plain:?}");
        let about = spinney_games::entries().into_iter().find(|known| known.name == game).unwrap();
        assert_eq!(about.options.len(), count, "{game} has an option that is not tried here");
    }
}
