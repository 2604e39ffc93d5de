//! Games by the clock. Nothing here depends on how fast the machine is, but for the long test, which is run by hand.

use spinney_core::game::{Game, Outcome, Player};
use spinney_core::{Notation, Seed, Workspace};
use spinney_games::{Breakthrough, TicTacToe};
use spinney_search::mcts::Totals;
use spinney_search::timekeeper::{ClockedGame, play_game_by_clock};
use spinney_search::tree::Proof;
use spinney_search::{Agent, Analysis, Budget, Candidate, Clock, Decision, Position, Task, Timekeeper, build};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// An agent that plays the first legal move, after doing what a test wants.
struct First<F> {
    wanted: F,
    is_silent: bool,
}

impl<F: FnMut(&mut Task<'_, TicTacToe>) + Send> Agent<TicTacToe> for First<F> {
    fn choose(
        &mut self,
        game: &TicTacToe,
        position: &Position<'_, TicTacToe>,
        task: &mut Task<'_, TicTacToe>,
    ) -> Decision<<TicTacToe as Game>::Move> {
        (self.wanted)(task);
        let mut work = Workspace::new();
        work.list_moves(game, position.state);
        Decision { mv: work.moves[0], simulations: 1, explanation: None }
    }

    fn is_silent(&self) -> bool {
        self.is_silent
    }

    fn describe(&self) -> String {
        "first".to_string()
    }
}

fn mcts<G: Game>(game: &G) -> Box<dyn Agent<G>> {
    build(game, &"mcts(solver=draws)".parse().unwrap()).unwrap()
}

#[test]
fn a_game_is_played_to_its_end() {
    let (game, clock, stop) = (TicTacToe, Clock::new(Duration::from_secs(5), Duration::ZERO), AtomicBool::new(false));
    for seed in 0..3 {
        let [mut a, mut b] = [mcts(&game), mcts(&game)];
        let played = play_game_by_clock(&game, [&mut *a, &mut *b], clock, 0, Seed::new(seed), &stop).unwrap();
        assert_eq!((played.game.outcome, played.course.flag), (Outcome::Draw, None));
        assert_eq!(played.game.moves.len(), 9);
        assert!(played.game.simulations.iter().all(|simulations| *simulations > 0));
    }
}

#[test]
fn whose_flag_falls_has_lost() {
    let (game, clock) = (TicTacToe, Clock::new(Duration::from_secs(100), Duration::ZERO));
    let mut quick = First { wanted: |_: &mut Task<'_, _>| {}, is_silent: true };
    let mut other = First { wanted: |_: &mut Task<'_, _>| {}, is_silent: true };
    let stop = AtomicBool::new(false);
    // 0, 2, 4 and 6 against 1, 3 and 5: a diagonal.
    let won = play_game_by_clock(&game, [&mut quick, &mut other], clock, 0, Seed::new(1), &stop).unwrap();
    assert_eq!((won.course.flag, won.game.outcome), (None, Outcome::Win(Player::First)));
    let mut sleeper =
        First { wanted: |_: &mut Task<'_, _>| std::thread::sleep(Duration::from_millis(300)), is_silent: true };
    let short = Clock::new(Duration::from_millis(200), Duration::ZERO);
    let lost = play_game_by_clock(&game, [&mut sleeper, &mut quick], short, 0, Seed::new(1), &stop).unwrap();
    assert_eq!((lost.course.flag, lost.game.outcome), (Some(Player::First), Outcome::Win(Player::Second)));
    assert_eq!((lost.game.moves.len(), lost.game.simulations), (0, [1, 0]));
    assert_eq!(lost.course.least_left, Some(Duration::ZERO));
    assert!(lost.course.overrun >= Duration::from_millis(100));
}

/// The budget that an agent is given in a position.
fn given(is_silent: bool, task_budget: Option<Budget>, state: &<TicTacToe as Game>::State) -> Budget {
    let mut budget = None;
    let mut agent = First { wanted: |task: &mut Task<'_, _>| budget = task.budget, is_silent };
    let mut keeper = Timekeeper::new(Clock::new(Duration::from_millis(3_030), Duration::ZERO));
    let mut task = Task { budget: task_budget, ..Task::new(Seed::new(1)) };
    keeper.choose(&mut agent, &TicTacToe, &Position::new(state), &mut task);
    budget.unwrap()
}

/// 3 s beyond the reserve and 30 moves to come: 100 ms, or three times as much for whoever can be watched.
#[test]
fn the_clock_becomes_a_budget() {
    let mut state = TicTacToe.initial();
    assert_eq!(given(true, None, &state), Budget::time(Duration::from_millis(100)));
    assert_eq!(given(false, None, &state), Budget::time(Duration::from_millis(300)));
    let both = Budget { simulations: Some(7), ..Budget::time(Duration::from_millis(20)) };
    assert_eq!(given(false, Some(both), &state), both);
    // The last free square needs no thought.
    for square in [0, 1, 2, 4, 3, 5, 7, 6] {
        TicTacToe.apply(&mut state, square);
    }
    assert_eq!(given(false, None, &state).simulations, Some(1));
}

#[test]
fn a_search_that_is_decided_is_stopped_and_nobody_else() {
    let candidate =
        |mv, visits| Candidate { mv, visits, mean: 0.0, deviation: 0.0, proof: Proof::Unknown, variation: vec![] };
    let found = |lead: u32| Analysis {
        candidates: vec![candidate(0, lead + 10), candidate(1, 10)],
        totals: Totals { simulations: 1, ..Totals::NONE },
        ..Analysis::nothing()
    };
    let mut was_stopped = Vec::new();
    let mut agent = First {
        wanted: |task: &mut Task<'_, _>| {
            // The second cannot be caught up with at one simulation in all this time.
            std::thread::sleep(Duration::from_millis(1));
            for lead in [0, 4_000_000_000] {
                task.report(|| found(lead), &|_| None);
                was_stopped.push(task.stop.load(Ordering::Relaxed));
            }
        },
        is_silent: false,
    };
    let mut keeper = Timekeeper::new(Clock::new(Duration::from_secs(100_000), Duration::ZERO));
    let stop = AtomicBool::new(false);
    let (state, mut task) = (TicTacToe.initial(), Task { stop: &stop, ..Task::new(Seed::new(1)) });
    keeper.choose(&mut agent, &TicTacToe, &Position::new(&state), &mut task);
    assert_eq!(was_stopped, [false, true]);
    assert!(!stop.load(Ordering::Relaxed));
}

#[test]
fn a_stop_reaches_searches_that_report_nothing() {
    let wait = |task: &mut Task<'_, _>| {
        while !task.stop.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
    };
    let mut agent = First { wanted: wait, is_silent: true };
    let stop = AtomicBool::new(true);
    let (state, mut task) = (TicTacToe.initial(), Task { stop: &stop, ..Task::new(Seed::new(1)) });
    let timed = Timekeeper::new(Clock::new(Duration::from_secs(100_000), Duration::ZERO)).choose(
        &mut agent,
        &TicTacToe,
        &Position::new(&state),
        &mut task,
    );
    assert!(timed.is_in_time);
}

/// `cargo test -p spinney-search --test all thousand -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes, and a machine that stands still for 30 ms would be to blame"]
fn a_thousand_games_without_a_loss_on_time() {
    let clock: Clock = "0.05+0.005".parse().unwrap();
    fn play<G: Game>(game: &G, clock: Clock, games: u64) -> u64 {
        let (mut lost, mut overrun, mut least) = (0, Duration::ZERO, Duration::MAX);
        let [mut a, mut b] = [mcts(game), mcts(game)];
        for seed in 0..games {
            let stop = AtomicBool::new(false);
            let played = play_game_by_clock(game, [&mut *a, &mut *b], clock, 2, Seed::new(seed), &stop);
            let ClockedGame { course, .. } = played.unwrap();
            lost += u64::from(course.flag.is_some());
            overrun = overrun.max(course.overrun);
            least = least.min(course.least_left.unwrap_or(least));
            if (seed + 1) % 100 == 0 {
                println!("{} games, {lost} lost on time, overrun {overrun:?}, least left {least:?}", seed + 1);
            }
        }
        lost
    }
    let small = Breakthrough::default().fitted("bbbbb/bbbbb/...../wwwww/wwwww 1");
    let lost = play(&TicTacToe, clock, 500) + play(&small, clock, 500);
    assert_eq!(lost, 0);
}
