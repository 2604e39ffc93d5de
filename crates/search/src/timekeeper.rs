//! Who looks at the clock of a game: searches think for as long as it allows, and a game is lost when a flag falls.
//!
//! A search is told the most that it may take as its budget, and is watched as by any observer: what it reports decides
//! whether it has thought enough. So every agent, on one thread or many, plays by a clock without knowing one.

use crate::agent::{Agent, Decision, Task};
use crate::analysis::{Analysis, Position};
use crate::budget::Budget;
use crate::clock::{Allotment, Clock};
use crate::game_record::{Choice, GameRecord, play_turns_of};
use crate::mcts::Totals;
use spinney_core::game::{Game, Outcome, Player};
use spinney_core::{Seed, Workspace};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Moves that a player is expected to make before a search has told how long games are.
const MOVES: f64 = 30.0;
/// How often a search is looked at, within a share of its time.
const OFTEN: (Duration, Duration) = (Duration::from_micros(500), Duration::from_millis(20));
/// A search that may take longer than this hears of a stop at once, not only when it reports.
const LONG: Duration = Duration::from_millis(40);

/// The clock of a player, and how many moves are expected to come.
#[derive(Clone, Copy, Debug)]
pub struct Timekeeper {
    clock: Clock,
    moves: f64,
}

/// A move by the clock.
#[derive(Clone, Debug)]
pub struct Timed<M> {
    /// The move.
    pub decision: Decision<M>,
    /// Time it took.
    pub used: Duration,
    /// What it took beyond the most that it should.
    pub overrun: Duration,
    /// Whether the flag is still up.
    pub is_in_time: bool,
}

impl Timekeeper {
    /// At the start of a game.
    pub const fn new(clock: Clock) -> Self {
        Self { clock, moves: MOVES }
    }

    /// The clock.
    pub const fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Sets the clock as somebody else has it.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    /// Sets the number of moves that are to come.
    pub fn expect(&mut self, moves: f64) {
        self.moves = moves;
    }

    /// A move was made after so much time by somebody who does not search; false if the flag has fallen.
    pub fn press(&mut self, used: Duration) -> bool {
        self.clock.press(used)
    }

    /// What the next move may take.
    pub fn allotment(&self) -> Allotment {
        self.clock.allot(self.moves)
    }

    /// Simulated games tell how many moves are to come: half of their plies.
    fn learn(&mut self, totals: &Totals) {
        if totals.playouts > 0 {
            self.moves = totals.length_plies as f64 / totals.playouts as f64 / 2.0;
        }
    }

    /// Lets an agent choose by the clock, which takes the place of its own limits but not of the task's, and presses it.
    #[inline(never)]
    pub fn choose<G: Game>(
        &mut self,
        agent: &mut dyn Agent<G>,
        game: &G,
        position: &Position<'_, G>,
        task: &mut Task<'_, G>,
    ) -> Timed<G::Move> {
        let started = Instant::now();
        let allotment = self.allotment();
        let mut work = Workspace::new();
        spinney_core::unhurried::list_moves(game, position.state, &mut work);
        let limit = if agent.is_silent() { allotment.usual } else { allotment.most };
        let given = task.budget.unwrap_or_default();
        let time = Some(given.time.map_or(limit, |time| time.min(limit)));
        // A move that has to be made needs no thought.
        let simulations = if work.moves.len() > 1 { given.simulations } else { Some(1) };
        let budget = Budget { simulations, time, ..given };
        let enough = AtomicBool::new(false);
        let asked = task.stop;
        let outer = task.observer.as_ref().map(|(interval, _)| *interval);
        let mut next = outer.unwrap_or_default();
        let mut totals = Totals::NONE;
        let decision = {
            let mut watch = |found: &Analysis<G::Move>, look: crate::agent::Look<'_, G::Move>| {
                let elapsed = started.elapsed();
                totals = found.totals;
                if asked.load(Ordering::Relaxed) || allotment.is_enough(elapsed, found) {
                    enough.store(true, Ordering::Relaxed);
                }
                if let (Some((interval, observer)), true) = (&mut task.observer, elapsed >= next) {
                    next = elapsed + *interval;
                    observer(found, look);
                }
            };
            let interval = (allotment.usual / 8).clamp(OFTEN.0, OFTEN.1);
            let mut inner = Task {
                seed: task.seed,
                budget: Some(budget),
                stop: &enough,
                explain: task.explain,
                observer: Some((interval, &mut watch)),
            };
            while_relaying(asked, &enough, limit, || agent.choose(game, position, &mut inner))
        };
        self.learn(decision.explanation.as_ref().map_or(&totals, |found| &found.totals));
        let used = started.elapsed();
        let is_in_time = self.clock.press(used);
        Timed { decision, used, overrun: used.saturating_sub(limit), is_in_time }
    }
}

/// Does the work, and sets `enough` soon after `asked` was set.
fn while_relaying<T>(asked: &AtomicBool, enough: &AtomicBool, limit: Duration, work: impl FnOnce() -> T) -> T {
    if limit <= LONG {
        return work();
    }
    /// Set also when the work panics, which would wait for the relay otherwise.
    struct Done<'a>(&'a AtomicBool);
    impl Drop for Done<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let relay = scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                if asked.load(Ordering::Relaxed) {
                    enough.store(true, Ordering::Relaxed);
                }
                thread::park_timeout(LONG / 4);
            }
        });
        let done = Done(&is_done);
        let found = work();
        drop(done);
        relay.thread().unpark();
        found
    })
}

/// A game by the clock.
#[derive(Clone, Debug)]
pub struct ClockedGame<T> {
    /// The game; whose flag has fallen has lost it.
    pub game: T,
    /// What the clocks have seen.
    pub course: Course,
}

/// What the clocks of a game have seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// Whose flag has fallen.
    pub flag: Option<Player>,
    /// The most that a move took beyond what it should.
    pub overrun: Duration,
    /// The least that was left when a move was made.
    pub least_left: Option<Duration>,
}

impl Course {
    fn note<M>(&mut self, player: Player, before: Duration, timed: &Timed<M>) {
        self.overrun = self.overrun.max(timed.overrun);
        let left = before.saturating_sub(timed.used);
        self.least_left = Some(self.least_left.map_or(left, |least| least.min(left)));
        if !timed.is_in_time {
            self.flag = Some(player);
        }
    }
}

/// Plays a game as [`play_game`](crate::play_game) does, with a clock for each player that takes the place of the agents'
/// own limits.
pub fn play_game_by_clock<G: Game>(
    game: &G,
    agents: [&mut dyn Agent<G>; 2],
    clock: Clock,
    opening: u32,
    seed: Seed,
    stop: &AtomicBool,
) -> Option<ClockedGame<GameRecord<G::Move>>> {
    let [first, second] = agents;
    first.new_game();
    second.new_game();
    let mut keepers = [Timekeeper::new(clock); 2];
    let mut course = Course::default();
    let mut lost = None;
    let (mut simulations, mut time) = ([0; 2], [Duration::ZERO; 2]);
    let played = play_turns_of(game, opening, seed, &mut |player, position, seed| {
        let agent = match player {
            Player::First => &mut *first,
            Player::Second => &mut *second,
        };
        let keeper = &mut keepers[player.index()];
        let before = keeper.clock.left();
        let timed = keeper.choose(agent, game, position, &mut Task { stop, ..Task::new(seed) });
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        course.note(player, before, &timed);
        simulations[player.index()] += timed.decision.simulations;
        time[player.index()] += timed.used;
        if !timed.is_in_time {
            let (outcome, moves) = (Outcome::Win(player.other()), position.history.to_vec());
            lost = Some(GameRecord { outcome, score: 0.0, moves, simulations, time });
            return None;
        }
        Some(Choice { mv: timed.decision.mv, simulations: timed.decision.simulations, time: timed.used })
    });
    played.or(lost).map(|game| ClockedGame { game, course })
}
