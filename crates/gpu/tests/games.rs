//! What a kernel is made of plays the same games on this machine as the library: all games, all features.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use spinney_core::{Outcome, Player, Seed};
use spinney_gpu::compiled::kinds::{ALL, LEARNING, POLICY, STILL, UNIFORM};
use spinney_gpu::duel::duel;
use spinney_gpu::games;
use spinney_gpu::host::Job;
use spinney_gpu::host::samples;
use spinney_gpu::plain::{PlainMatch, PlainResult, PlainSeat, state};
use spinney_table::Laboratory;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

/// The game of a job as a thread of a card plays it, with what this kernel is compiled for.
fn played(kernel: &str, job: &Job, task: &PlainMatch, seat: &PlainSeat) -> (PlainResult, Vec<u16>) {
    let mut moves = Vec::new();
    macro_rules! kernels {
        ($($name:literal: $rules:ident, $kinds:expr;)+) => {
            match kernel {
                $($name => {
                    let rules = games::$rules(&job.words());
                    duel::<_, { $kinds }>(&rules, task, seat, || false, |_| {}, |_, place| moves.push(place))
                })+
                other => panic!("{other} is not tried here"),
            }
        };
    }
    let result = kernels! {
        "amazons-mixed": amazons, ALL;
        "amazons-policy-mast": amazons, POLICY | LEARNING;
        "breakthrough-mixed": breakthrough, ALL;
        "breakthrough-policy": breakthrough, POLICY | STILL;
        "breakthrough-policy-mast": breakthrough, POLICY | LEARNING;
        "breakthrough-uniform": breakthrough, UNIFORM | STILL;
        "cannon-mixed": cannon, ALL;
        "cannon-policy": cannon, POLICY | STILL;
        "checkers-mixed": checkers, ALL;
        "checkers-uniform": checkers, UNIFORM | STILL;
        "chinese-checkers-mixed": chinese_checkers, ALL;
        "chinese-checkers-policy": chinese_checkers, POLICY | STILL;
        "havannah-mixed": havannah, ALL;
        "havannah-uniform": havannah, UNIFORM | STILL;
        "pentalath-mixed": pentalath, ALL;
        "pentalath-policy-mast": pentalath, POLICY | LEARNING;
    };
    (result, moves)
}

/// Every sample of a game, with the kernel that is its own and, if that is another, the one that plays everything.
fn a_thread_of_a_card_plays(name: &str) {
    let laboratory = Laboratory::standard();
    let mixed = format!("{name}-mixed");
    for (rules, features) in samples::all().filter(|(rules, _)| rules.name() == name) {
        let game = rules.game;
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
            let mut kernels = vec![job.kernel()];
            if first == 0 && mixed != kernels[0] {
                kernels.push(mixed.clone());
            }
            for kernel in kernels {
                let (result, places) = played(&kernel, &job, job.task(), &seat);
                let what = format!("{game}, {}, first {first}, by {kernel}", features.name);
                assert_eq!(result.state, state::PLAYED, "{what}");
                assert_eq!(job.write(&places).as_ref(), Some(&own.moves), "{what}");
                assert_eq!(result.simulations, own.simulations, "{what}");
                let winner = [1, 2].map(|number| own.outcome == Outcome::Win(Player::BOTH[number - 1]));
                assert_eq!(result.winner, if winner[0] { 1 } else { 2 * u32::from(winner[1]) }, "{what}");
            }
        }
    }
}

macro_rules! games {
    ($($test:ident: $name:literal;)+) => {
        $(
            #[test]
            fn $test() {
                a_thread_of_a_card_plays($name);
            }
        )+

        #[test]
        fn no_game_is_left_out() {
            let known: BTreeSet<&str> = games::NAMES.iter().map(|(name, _)| *name).collect();
            assert_eq!(known, BTreeSet::from([$($name),+]));
        }
    };
}

games! {
    a_thread_plays_amazons: "amazons";
    a_thread_plays_breakthrough: "breakthrough";
    a_thread_plays_cannon: "cannon";
    a_thread_plays_checkers: "checkers";
    a_thread_plays_chinese_checkers: "chinese-checkers";
    a_thread_plays_havannah: "havannah";
    a_thread_plays_pentalath: "pentalath";
}

#[test]
fn a_tree_without_room_is_told_and_gives_no_game() {
    let laboratory = Laboratory::standard();
    let agent = || laboratory.agent("mcts(sims=200, playout=uniform)").unwrap();
    let job = Job::new("breakthrough", &[agent(), agent()], 0).unwrap().unwrap();
    let small = PlainMatch { places: 60, moves: 500, ..*job.task() };
    let (result, places) = played(&job.kernel(), &job, &small, &PlainSeat::default());
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
