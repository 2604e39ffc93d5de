//! The driver alone, around a search that only counts: limits, reports, the extension of an unclear search, lone moves,
//! and simulations that give up.

use spinney_core::{Game, Seed};
use spinney_games::TicTacToe;
use spinney_search::agent::{Look, Observer};
use spinney_search::drive::Pace;
use spinney_search::insight::Insight;
use spinney_search::mcts::Totals;
use spinney_search::{Agent, Analysis, Budget, Candidate, Decision, Driven, Position, Search, StopReason, Task};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Counts what it is asked to do; its decision is the number of its simulations.
#[derive(Default)]
struct Counter {
    totals: Totals,
    /// What the driver expected in each search.
    expected: Vec<u64>,
    games: u32,
    /// Simulations that a search makes beyond every budget.
    extra: u64,
    /// Undecided before so many simulations.
    decided_at: u64,
    settled_at: Option<u64>,
    exhausted_at: Option<u64>,
    lone_move: Option<u8>,
    /// From so many simulations on, each waits until it is late.
    waits_at: Option<u64>,
}

impl Search<TicTacToe> for Counter {
    fn pace(&self) -> Pace {
        Pace { budget: Budget::simulations(50), simulations_per_second: 1000, extra: self.extra }
    }

    fn describe(&self) -> String {
        "counter".to_string()
    }

    fn new_game(&mut self) {
        self.games += 1;
    }

    fn begin(&mut self, _: &TicTacToe, _: &Position<'_, TicTacToe>, expected: u64, _: Seed) {
        self.totals = Totals::NONE;
        self.expected.push(expected);
    }

    fn simulate(&mut self, _: &TicTacToe, late: &dyn Fn() -> bool) -> bool {
        if self.waits_at.is_some_and(|from| self.totals.simulations >= from) {
            let patience = Instant::now() + Duration::from_secs(20);
            while !late() {
                assert!(Instant::now() < patience, "it is never late");
                // Not `yield_now`: on a busy machine the thread would hardly use the processor time it waits for.
                core::hint::spin_loop();
            }
            return false;
        }
        self.totals.simulations += 1;
        true
    }

    fn totals(&self) -> Totals {
        self.totals
    }

    fn nodes(&self) -> u64 {
        2 * self.totals.simulations
    }

    fn is_settled(&self) -> bool {
        self.settled_at.is_some_and(|at| self.totals.simulations >= at)
    }

    fn is_exhausted(&self) -> bool {
        self.exhausted_at.is_some_and(|at| self.totals.simulations >= at)
    }

    fn is_undecided(&self) -> bool {
        self.totals.simulations < self.decided_at
    }

    fn lone_move(&self) -> Option<u8> {
        self.lone_move
    }

    fn analysis(&mut self) -> Analysis<u8> {
        Analysis { totals: self.totals, nodes: self.nodes(), ..Analysis::nothing() }
    }

    fn decide(&mut self) -> u8 {
        (self.totals.simulations % 251) as u8
    }

    fn look(&self, path: &[u8]) -> Option<Insight<u8>> {
        let candidates: Vec<Candidate<u8>> = Vec::new();
        Some(Insight { visits: self.totals.simulations as u32 + path.len() as u32, candidates })
    }
}

fn choose(agent: &mut Driven<Counter>, task: &mut Task<'_, TicTacToe>) -> Decision<u8> {
    let state = TicTacToe.initial();
    agent.choose(&TicTacToe, &Position::new(&state), task)
}

fn task<'a>(budget: Budget) -> Task<'a, TicTacToe> {
    Task { explain: true, budget: Some(budget), ..Task::new(Seed::new(1)) }
}

/// Simulations, and why there were no more.
fn run(search: Counter, budget: Budget) -> (u64, StopReason) {
    let decision = choose(&mut Driven::new(search), &mut task(budget));
    assert_eq!(u64::from(decision.mv), decision.simulations % 251, "the search decides");
    let analysis = decision.explanation.unwrap();
    assert_eq!(analysis.totals.simulations, decision.simulations);
    (decision.simulations, analysis.stopped.unwrap())
}

#[test]
fn the_budget_is_the_tasks_or_its_own() {
    let mut agent = Driven::new(Counter::default());
    let decision = choose(&mut agent, &mut Task::new(Seed::new(1)));
    assert_eq!((decision.mv, decision.simulations), (50, 50));
    assert!(decision.explanation.is_none(), "nobody asked why");
    assert_eq!(run(Counter::default(), Budget::simulations(77)), (77, StopReason::Simulations));
    assert_eq!(run(Counter { extra: 1, ..Counter::default() }, Budget::simulations(77)), (78, StopReason::Simulations));
    let by_nodes = Budget { nodes: Some(21), ..Budget::default() };
    assert_eq!(run(Counter { extra: 1, ..Counter::default() }, by_nodes), (11, StopReason::Nodes));
    let agent: &mut dyn Agent<TicTacToe> = &mut agent;
    agent.new_game();
    assert_eq!((agent.budget(), agent.describe().as_str()), (Budget::simulations(50), "counter"));
    assert_eq!(agent.look(&[1, 2]).unwrap().visits, 52);
}

#[test]
fn new_games_reach_the_search() {
    let mut agent = Driven::new(Counter::default());
    Agent::<TicTacToe>::new_game(&mut agent);
    assert_eq!(agent.search.games, 1);
}

#[test]
fn a_search_stops_when_it_has_nothing_more_to_find() {
    let settled = Counter { settled_at: Some(9), ..Counter::default() };
    assert_eq!(run(settled, Budget::simulations(77)), (9, StopReason::Proven));
    let exhausted = Counter { exhausted_at: Some(9), ..Counter::default() };
    assert_eq!(run(exhausted, Budget::default()), (9, StopReason::Simulations));
}

#[test]
fn somebody_who_asks_is_heard() {
    let stop = AtomicBool::new(true);
    let decision = choose(&mut Driven::new(Counter::default()), &mut Task { stop: &stop, ..task(Budget::default()) });
    assert_eq!((decision.simulations, decision.explanation.unwrap().stopped), (0, Some(StopReason::Asked)));
}

/// Every sixteenth simulation the clock is read; with no time between reports each of these is one.
#[test]
fn reports_come_while_the_search_runs() {
    let mut seen = Vec::new();
    let mut observer = |analysis: &Analysis<u8>, look: Look<'_, u8>| {
        assert_eq!(analysis.stopped, None);
        seen.push((analysis.totals.simulations, look(&[7]).unwrap().visits));
    };
    let observer: Option<(Duration, Observer<'_, u8>)> = Some((Duration::ZERO, &mut observer));
    let decision =
        choose(&mut Driven::new(Counter::default()), &mut Task { observer, ..task(Budget::simulations(100)) });
    assert_eq!(decision.simulations, 100);
    assert_eq!(seen, [(16, 17), (32, 33), (48, 49), (64, 65), (80, 81), (96, 97)]);
}

#[test]
fn nobody_is_told_more_often_than_they_want() {
    let mut reports = 0;
    let mut observer = |_: &Analysis<u8>, _: Look<'_, u8>| reports += 1;
    let observer: Option<(Duration, Observer<'_, u8>)> = Some((Duration::from_secs(3600), &mut observer));
    choose(&mut Driven::new(Counter::default()), &mut Task { observer, ..task(Budget::simulations(10_000)) });
    assert_eq!(reports, 0);
}

/// An unclear search goes on in steps of a thirty-second, for a quarter at most.
#[test]
fn an_undecided_search_is_extended() {
    let undecided =
        |decided_at, simulations| run(Counter { decided_at, ..Counter::default() }, Budget::simulations(simulations)).0;
    assert_eq!(undecided(320, 320), 320);
    assert_eq!(undecided(321, 320), 330);
    assert_eq!(undecided(333, 320), 340);
    assert_eq!(undecided(400, 320), 400);
    assert_eq!(undecided(u64::MAX, 320), 400);
    assert_eq!(undecided(u64::MAX, 1), 2);
    // The extra simulation is one of those that were asked for.
    let quirky = Counter { decided_at: u64::MAX, extra: 1, ..Counter::default() };
    assert_eq!(run(quirky, Budget::simulations(319)), (400, StopReason::Simulations));
}

#[test]
fn only_simulations_are_extended() {
    let undecided = || Counter { decided_at: u64::MAX, ..Counter::default() };
    assert_eq!(run(undecided(), Budget { nodes: Some(20), ..Budget::default() }), (10, StopReason::Nodes));
    assert_eq!(run(Counter { settled_at: Some(9), ..undecided() }, Budget::simulations(320)), (9, StopReason::Proven));
    let settled_later = Counter { settled_at: Some(325), ..undecided() };
    assert_eq!(run(settled_later, Budget::simulations(320)), (325, StopReason::Proven));
}

/// With every report the extension goes on from where it was.
#[test]
fn an_extended_search_is_watched() {
    let mut reports = 0;
    let mut observer = |_: &Analysis<u8>, _: Look<'_, u8>| reports += 1;
    let observer: Option<(Duration, Observer<'_, u8>)> = Some((Duration::ZERO, &mut observer));
    let mut agent = Driven::new(Counter { decided_at: u64::MAX, ..Counter::default() });
    let decision = choose(&mut agent, &mut Task { observer, ..task(Budget::simulations(320)) });
    assert_eq!((decision.simulations, reports), (400, 25));
}

#[test]
fn a_lone_move_needs_no_thought_unless_it_is_to_be_explained() {
    let mut agent = Driven::new(Counter { lone_move: Some(8), ..Counter::default() });
    let decision = choose(&mut agent, &mut Task::new(Seed::new(1)));
    assert_eq!((decision.mv, decision.simulations, agent.search.expected.len()), (8, 0, 1));
    let decision = choose(&mut agent, &mut task(Budget::simulations(60)));
    assert_eq!((decision.mv, decision.simulations), (60, 60));
}

/// A simulation that gives up is not counted, and what was found before it decides.
#[test]
fn a_late_simulation_gives_up() {
    for budget in [
        Budget::time(Duration::from_millis(20)),
        Budget { cpu_time: Some(Duration::from_millis(20)), ..Budget::default() },
    ] {
        let slow = Counter { waits_at: Some(5), ..Counter::default() };
        assert_eq!(run(slow, budget), (5, StopReason::Time));
    }
    let stop = AtomicBool::new(false);
    let mut agent = Driven::new(Counter { waits_at: Some(5), ..Counter::default() });
    let decision = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(20));
            stop.store(true, Ordering::Relaxed);
        });
        choose(&mut agent, &mut Task { stop: &stop, ..task(Budget::default()) })
    });
    assert_eq!((decision.mv, decision.simulations), (5, 5));
}

/// A search is told how many simulations to expect: those of its budget, or those that fit into its time, first by the
/// pace it names and then by what it was seen to make.
#[test]
fn what_is_expected_follows_budget_and_speed() {
    let mut agent = Driven::new(Counter::default());
    let mut expected = |budget: Budget| {
        let decision = choose(&mut agent, &mut task(budget));
        (agent.search.expected.pop().unwrap(), decision.simulations)
    };
    let short = Budget::time(Duration::from_millis(50));
    assert_eq!(expected(Budget::simulations(70)).0, 70);
    assert_eq!(expected(Budget { simulations: Some(70), ..short }).0, 50);
    assert_eq!(expected(Budget { nodes: Some(20), ..Budget::default() }).0, 0);
    let (first, made) = expected(short);
    assert_eq!(first, 50);
    let (second, _) = expected(short);
    let ratio = second as f64 / made as f64;
    // The watch may have run on a little after the time was up.
    assert!(made > 5000 && (0.3..=1.0).contains(&ratio), "{second} expected after {made}");
    assert_eq!(expected(Budget { simulations: Some(70), ..short }).0, 70);
}
