//! Clocks of games: what is left to a player, how much of it a move may take, and when a search has thought enough.
//!
//! Nothing here reads a clock; [`timekeeper`](crate::timekeeper) does, and drives searches by what is found here.

use crate::analysis::{Analysis, Candidate};
use crate::tree::Proof;
use spinney_core::{InputError, InputErrorKind};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Kept back for what nobody plans: other programs on the machine, and the way to another program and back.
pub const RESERVE: Duration = Duration::from_millis(30);
/// Of what is left beyond the reserve, a move takes at most this part.
const LARGEST_PART: u32 = 3;
/// Of what is left when the reserve itself is touched, a move takes at most this part.
const PART_OF_RESERVE: u32 = 16;
/// An open choice is thought about for so many times as long as a clear one.
const PATIENCE: u32 = 3;
/// The moves that are expected still to come lie between these.
const MOVES: (f64, f64) = (8.0, 60.0);

/// The clock of one player: what is left, and what every move adds.
///
/// ```
/// use spinney_search::clock::Clock;
/// use std::time::Duration;
/// let mut clock: Clock = "60+0.5".parse().unwrap();
/// assert!(clock.press(Duration::from_secs(20)));
/// assert_eq!(clock.left(), Duration::from_millis(40_500));
/// assert!(!clock.press(Duration::from_secs(41)), "the flag has fallen");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    left: Duration,
    increment: Duration,
}

impl Clock {
    /// A clock with so much time on it, to which every move adds.
    pub const fn new(base: Duration, increment: Duration) -> Self {
        Self { left: base, increment }
    }

    /// What is left.
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// What every move adds.
    pub const fn increment(&self) -> Duration {
        self.increment
    }

    /// A move was made after so much time. False if the flag has fallen: there was not as much.
    pub fn press(&mut self, used: Duration) -> bool {
        let is_in_time = used <= self.left;
        self.left = self.left.saturating_sub(used);
        if is_in_time {
            self.left += self.increment;
        }
        is_in_time
    }

    /// What a move may take if so many are expected to come: an equal part of what is beyond the reserve and most of the
    /// increment, and for an open choice [`Allotment::most`], which never touches the reserve.
    pub fn allot(&self, moves: f64) -> Allotment {
        let spare = self.left.saturating_sub(RESERVE);
        let safe = (spare / LARGEST_PART).max(self.left / PART_OF_RESERVE);
        let usual = spare.div_f64(moves.clamp(MOVES.0, MOVES.1)) + self.increment * 3 / 4;
        let usual = usual.min(safe);
        Allotment { usual, most: (usual * PATIENCE).min(safe) }
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.left.as_secs_f64(), self.increment.as_secs_f64())
    }
}

impl FromStr for Clock {
    type Err = InputError;

    /// Reads `BASE+INCREMENT` in seconds; without the second part nothing is added.
    fn from_str(text: &str) -> Result<Self, InputError> {
        let seconds = |text: &str, least: f64| {
            let number = text.trim().parse().ok().filter(|number| (least..=1e6).contains(number));
            number.map(Duration::from_secs_f64)
        };
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let clock =
            seconds(base, 0.001).zip(seconds(increment, 0.0)).map(|(base, increment)| Self::new(base, increment));
        clock.ok_or_else(|| {
            let problem = format!("`{}` is no time and increment in seconds", spinney_core::error::shorten(text));
            InputError::new("clock", problem, "write such as 300+2 or 0.05+0.005").of(InputErrorKind::Misfit)
        })
    }
}

/// How long to think about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// About a clear choice.
    pub usual: Duration,
    /// About an open one; no search goes beyond.
    pub most: Duration,
}

impl Allotment {
    /// Whether a search that has found this much after `elapsed` has thought enough: its time is up, or nobody can catch up
    /// with its choice at the speed it had.
    pub fn is_enough<M>(&self, elapsed: Duration, found: &Analysis<M>) -> bool {
        let standing = Standing::of(&found.candidates);
        let until = if standing.is_open { self.most } else { self.usual };
        if elapsed >= until {
            return true;
        }
        let speed = found.totals.simulations as f64 / elapsed.as_secs_f64().max(1e-9);
        let possible = (speed * (until - elapsed).as_secs_f64()).ceil() as u64;
        standing.is_decided(possible)
    }
}

/// What the choice between moves looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Whether more thought may well change it: the second move is close, or the first is not the best in every respect.
    pub is_open: bool,
    /// Visits by which the chosen move leads before all others, if it does.
    pub lead: Option<u64>,
}

impl Standing {
    /// That of moves, of which the first would be chosen. Those that lose for certain are no choice.
    pub fn of<M>(candidates: &[Candidate<M>]) -> Self {
        let Some((first, others)) = candidates.split_first() else { return Self { is_open: false, lead: None } };
        let visits = |of: &Candidate<M>| u64::from(of.visits);
        let rivals = || others.iter().filter(|other| other.proof != Proof::Loss);
        let second = rivals().map(visits).max().unwrap_or(0);
        let is_close = 4 * second >= 3 * visits(first) && second > 0;
        // Means of a few visits say nothing.
        let is_better = rivals().any(|other| 4 * visits(other) >= visits(first) && other.mean > first.mean);
        Self { is_open: is_close || is_better, lead: visits(first).checked_sub(second) }
    }

    /// Whether nobody can be visited as often as the chosen move, even if all of so many simulations go to one other.
    pub fn is_decided(&self, possible: u64) -> bool {
        self.lead.is_some_and(|lead| lead > possible)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::Totals;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn found(moves: &[(u32, f32)]) -> Analysis<usize> {
        let candidate = |(mv, &(visits, mean)): (usize, &(u32, f32))| Candidate {
            mv,
            visits,
            mean,
            deviation: 1.0,
            proof: Proof::Unknown,
            variation: Vec::new(),
        };
        let simulations = moves.iter().map(|(visits, _)| u64::from(*visits)).sum();
        Analysis {
            candidates: moves.iter().enumerate().map(candidate).collect(),
            totals: Totals { simulations, ..Totals::NONE },
            ..Analysis::nothing()
        }
    }

    #[test]
    fn clocks_are_read_and_written() {
        let clock: Clock = "300+2".parse().unwrap();
        assert_eq!(clock, Clock::new(ms(300_000), ms(2_000)));
        assert_eq!("0.05+0.005".parse::<Clock>().unwrap().to_string(), "0.05+0.005");
        assert_eq!("5".parse::<Clock>().unwrap(), Clock::new(ms(5_000), ms(0)));
        for wrong in ["", "+", "a+1", "0+1", "-1+1", "1+-1", "1+1+1", "NaN+1", "1e9"] {
            assert!(wrong.parse::<Clock>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_flag_falls_when_more_is_used_than_was_left() {
        let mut clock = Clock::new(ms(50), ms(5));
        assert!(clock.press(ms(50)));
        assert_eq!(clock.left(), ms(5));
        assert!(!clock.press(ms(6)));
        assert_eq!(clock.left(), ms(0), "a move that came too late adds nothing");
    }

    /// 60 s: (60 000 − 30) / 20 + 0.75 × 1 000 = 2 998.5 + 750 ms, three times of which is less than a third of the rest.
    #[test]
    fn what_is_left_is_divided_by_the_moves_to_come() {
        let allotment = Clock::new(ms(60_000), ms(1_000)).allot(20.0);
        assert_eq!(allotment.usual, Duration::from_micros(3_748_500));
        assert_eq!(allotment.most, Duration::from_micros(11_245_500));
        // Fewer than 8 or more than 60 moves are not believed.
        assert_eq!(Clock::new(ms(830), ms(0)).allot(1.0).usual, ms(100));
        assert_eq!(Clock::new(ms(630), ms(0)).allot(1e9).usual, ms(10));
    }

    /// 50 ms: 20 beyond the reserve, so 20 / 20 + 3.75 = 4.75 ms, and at most 20 / 3. 30 ms and less: a sixteenth.
    #[test]
    fn the_reserve_is_kept() {
        let allotment = Clock::new(ms(50), ms(5)).allot(20.0);
        assert_eq!(allotment.usual, Duration::from_micros(4_750));
        assert_eq!(allotment.most, ms(20) / 3);
        let late = Clock::new(ms(16), ms(500)).allot(20.0);
        assert_eq!(late, Allotment { usual: ms(1), most: ms(1) });
        assert_eq!(Clock::new(ms(0), ms(5)).allot(20.0).most, ms(0));
    }

    /// However badly a game goes, moves that keep to what they were given never let the flag fall.
    #[test]
    fn who_keeps_to_it_never_loses_on_time() {
        for (base, increment, moves) in [(50, 5, 8.0), (50, 0, 8.0), (1_000, 0, 60.0), (3, 0, 20.0), (50, 500, 20.0)] {
            let mut clock = Clock::new(ms(base), ms(increment));
            for _ in 0..2_000 {
                let most = clock.allot(moves).most;
                assert!(most <= clock.left() / 3 || most <= clock.left() / 16, "{most:?} of {clock}");
                assert!(clock.press(most));
            }
        }
    }

    #[test]
    fn an_open_choice_is_thought_about_for_longer() {
        let open = |moves: &[(u32, f32)]| Standing::of(&found(moves).candidates).is_open;
        assert!(!open(&[(100, 0.5), (74, 0.4)]));
        assert!(open(&[(100, 0.5), (75, 0.4)]), "the second is close");
        assert!(open(&[(100, 0.5), (25, 0.6)]), "the most visited has not the best mean");
        assert!(!open(&[(100, 0.5), (24, 0.6)]), "a mean of few visits");
        assert!(open(&[(50, 0.5), (60, 0.4)]), "the best mean is not the most visited");
        assert!(!open(&[]) && !open(&[(0, 0.0), (0, 0.0)]));
        let mut lost = found(&[(100, 0.5), (90, 0.6)]);
        lost.candidates[1].proof = Proof::Loss;
        assert!(!Standing::of(&lost.candidates).is_open);
        let allotment = Allotment { usual: ms(100), most: ms(300) };
        // 150 simulations in 100 ms: 300 more are possible for the open one, and none for the clear one.
        assert!(allotment.is_enough(ms(100), &found(&[(90, 0.5), (60, 0.4)])));
        assert!(!allotment.is_enough(ms(100), &found(&[(80, 0.5), (70, 0.4)])));
        assert!(allotment.is_enough(ms(300), &found(&[(80, 0.5), (70, 0.4)])));
    }

    /// 100 simulations in 50 ms of 100: 100 more are possible, and a lead of 100 or less can be caught up with.
    #[test]
    fn a_search_stops_when_nobody_can_catch_up() {
        let allotment = Allotment { usual: ms(100), most: ms(300) };
        assert!(!allotment.is_enough(ms(50), &found(&[(80, 0.5), (20, 0.1)])));
        // 120 in 60 ms: 80 more are possible.
        assert!(!allotment.is_enough(ms(60), &found(&[(100, 0.5), (20, 0.1)])));
        assert!(allotment.is_enough(ms(60), &found(&[(101, 0.5), (19, 0.1)])));
        assert!(!allotment.is_enough(ms(50), &found(&[(0, 0.0), (0, 0.0)])));
    }

    /// All ways to give the simulations that are left to the moves, tried out: none overtakes where it was said so.
    #[test]
    fn who_was_said_to_be_out_of_reach_is() {
        for a in 0..8u32 {
            for (b, c) in (0..8u32).flat_map(|b| (0..8u32).map(move |c| (b, c))) {
                for possible in 0..6u32 {
                    let said = Standing::of(&found(&[(a, 0.0), (b, 0.0), (c, 0.0)]).candidates)
                        .is_decided(u64::from(possible));
                    let is_reached = (0..=possible).any(|to_b| b + to_b >= a || c + possible - to_b >= a);
                    assert_eq!(said, !is_reached, "{a} {b} {c} and {possible} more");
                }
            }
        }
    }
}
