//! A launch that is under way: what it hands on, and what becomes of games that it did not play.

use super::driver::Running;
use super::farm::{Played, Seat, Told, Why};
use super::figures::Figures;
use super::job::{Job, KEPT};
use crate::plain::state;
use spinney_core::{InputError, Outcome, Player};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A launch that is under way.
pub(super) struct Launched {
    pub kernel: String,
    /// Which of the kernel's copies plays.
    pub copy: usize,
    pub card: usize,
    pub threads: u32,
    pub warps: u32,
    pub bytes: u64,
    pub room: [u32; 2],
    pub running: Running,
    pub seats: Vec<Seat>,
    pub started: Instant,
}

impl Launched {
    /// Hands on what has ended, and returns what found no room.
    pub fn collect(
        &mut self,
        jobs: &[Job],
        figures: &mut Figures,
        tell: &mut impl FnMut(Told) -> Result<(), InputError>,
    ) -> Result<Vec<Seat>, InputError> {
        let mut ended = Vec::new();
        self.running.collect(|number, result, places| ended.push((number, result, places.to_vec())));
        let own = figures.kernels.entry(self.kernel.clone()).or_default();
        own.threads = own.threads.max(self.threads);
        let mut again = Vec::new();
        if ended.is_empty() {
            return Ok(again);
        }
        // Asked after the results were seen, so that it has theirs.
        let (elapsed, simulations) = (self.started.elapsed(), self.running.simulations()?);
        for (number, result, places) in ended {
            let seat = self.seats[number];
            own.bytes = own.bytes.max(result.bytes);
            own.places = own.places.max(result.places);
            own.moves = own.moves.max(result.moves);
            match result.state {
                state::PLAYED => {
                    let Some(moves) = jobs[seat.job].write(&places) else {
                        tell(Told::Wrong(seat))?;
                        continue;
                    };
                    own.games += 1;
                    let outcome = match result.winner {
                        1 => Outcome::Win(Player::First),
                        2 => Outcome::Win(Player::Second),
                        _ => Outcome::Draw,
                    };
                    let time = share_of(elapsed, result.simulations.iter().sum(), simulations);
                    tell(Told::Played(seat, Played { outcome, moves, simulations: result.simulations, time }))?;
                }
                state::NO_ROOM if result.plies > KEPT => tell(Told::TooLarge(seat, Why::LongGame))?,
                state::NO_ROOM => {
                    own.again += 1;
                    again.push(seat);
                }
                _ => {}
            }
        }
        Ok(again)
    }

    /// The games that a launch which has ended did not play.
    pub fn unplayed(&self) -> Result<Unplayed, InputError> {
        let unheard: Vec<usize> = self.running.unheard().collect();
        if unheard.is_empty() {
            return Ok(Unplayed::default());
        }
        Ok(Unplayed::of(&self.seats, unheard, self.running.begun()?))
    }
}

/// The launches of a farm.
#[derive(Default)]
pub(super) struct Launches {
    /// Those that play.
    pub under_way: Vec<Launched>,
    /// Those that have ended and keep their memory: the driver frees none before everything on the card has ended, and until
    /// then nothing would be heard of the others there.
    spent: Vec<Launched>,
}

impl Launches {
    /// Whether nothing plays on this card.
    pub fn is_idle(&self, card: usize) -> bool {
        !self.under_way.iter().any(|launch| launch.card == card)
    }

    /// The launch of this number has ended; its memory is kept.
    pub fn end(&mut self, index: usize) -> &Launched {
        self.spent.push(self.under_way.swap_remove(index));
        &self.spent[self.spent.len() - 1]
    }

    /// Whether memory of this card is kept.
    pub fn keeps(&self, card: usize) -> bool {
        self.spent.iter().any(|launch| launch.card == card)
    }

    /// Frees what is kept of this card, on which nothing may play, and tells how many bytes games have again.
    pub fn free(&mut self, card: usize) -> u64 {
        let own = self.spent.extract_if(.., |launch| launch.card == card);
        own.map(|ended| u64::from(ended.threads) * ended.bytes).sum()
    }
}

impl Drop for Launches {
    /// All are asked to stop before the first is waited for.
    fn drop(&mut self) {
        for launch in &self.under_way {
            let _ = launch.running.ask_to_stop();
        }
    }
}

/// A game's share of the card's time: threads play at once and one game after the other, so it is that of its simulations
/// among all that were made until it ended, its own among them.
fn share_of(elapsed: Duration, own: u64, all: u64) -> Duration {
    elapsed.mul_f64(own as f64 / all.max(own).max(1) as f64)
}

/// Games of which nothing was heard when their launch had ended.
#[derive(Debug, Default)]
pub(super) struct Unplayed {
    /// Their threads have left: they ran out of memory, or the kernel is wrong.
    pub left: Vec<Seat>,
    /// No thread has begun them, because all had left before.
    pub waiting: Vec<Seat>,
}

impl Unplayed {
    /// Threads take games in their order, and so many were taken. Where none was, all are taken for left, or they would be
    /// tried for ever.
    fn of(seats: &[Seat], unheard: impl IntoIterator<Item = usize>, begun: usize) -> Self {
        let mut unplayed = Self::default();
        for number in unheard {
            if number < begun || begun == 0 { &mut unplayed.left } else { &mut unplayed.waiting }.push(seats[number]);
        }
        unplayed
    }
}

/// How often the threads of games have left without a word.
#[derive(Debug, Default)]
pub(super) struct Silent(BTreeMap<(usize, u64), u32>);

/// A thread whose lists outgrow its memory leaves as silently as one whose kernel is wrong. After so many tries, each with
/// twice the room, it was not memory.
pub(super) const MOST_SILENT: u32 = 4;

impl Silent {
    /// Counts once more, and says whether another try makes no sense.
    pub fn is_hopeless(&mut self, seat: &Seat) -> bool {
        let count = self.0.entry((seat.job, seat.number)).or_default();
        *count += 1;
        *count >= MOST_SILENT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_core::Seed;

    fn seat(number: u64) -> Seat {
        Seat { job: 0, number, seed: Seed::new(number), first: 0 }
    }

    #[test]
    fn games_share_the_time_of_the_card_by_their_simulations() {
        let share = |seconds, own, all| share_of(Duration::from_secs(seconds), own, all).as_secs_f64();
        // Two threads play two games each of 100 simulations, 10 seconds for a game: the later ones took no longer.
        let shares = [share(10, 100, 200), share(10, 100, 200), share(20, 100, 400), share(20, 100, 400)];
        assert_eq!(shares, [5.0; 4]);
        // A game of three times as many takes three times as long; what is still under way has its share too.
        assert_eq!([share(12, 300, 600), share(12, 100, 600)], [6.0, 2.0]);
        // A count that is behind, and games without a search.
        assert_eq!([share(10, 100, 50), share(10, 0, 0)], [10.0, 0.0]);
    }

    #[test]
    fn games_that_were_never_begun_are_told_from_those_whose_threads_left() {
        let seats: Vec<Seat> = (0..6).map(seat).collect();
        let numbers = |seats: &[Seat]| seats.iter().map(|seat| seat.number).collect::<Vec<u64>>();
        // Of six games four were taken, and two of these have ended.
        let unplayed = Unplayed::of(&seats, [1, 3, 4, 5], 4);
        assert_eq!((numbers(&unplayed.left), numbers(&unplayed.waiting)), (vec![1, 3], vec![4, 5]));
        // Threads that find nothing more to take count on.
        let unplayed = Unplayed::of(&seats, [2], 9);
        assert_eq!((unplayed.left.len(), unplayed.waiting.len()), (1, 0));
        assert_eq!(Unplayed::of(&seats, 0..6, 0).left.len(), 6, "a launch that began nothing");
    }

    #[test]
    fn silence_is_taken_for_want_of_memory_a_few_times() {
        let mut silent = Silent::default();
        let tries: Vec<bool> = (0..MOST_SILENT).map(|_| silent.is_hopeless(&seat(1))).collect();
        assert_eq!(tries, [false, false, false, true]);
        assert!(!silent.is_hopeless(&seat(2)), "each game on its own");
    }
}
