//! The thread that searches for a match: during the start clock, on its own clock, and while others think. It looks at
//! the clock between simulations and inside them.

use crate::course::{Asked, Course};
use crate::player::{Config, Log};
use crate::seat::{Found, Seat};
use crate::spelling::Spelling;
use spinney_gdl::{Cancel, Machine};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often a search tells its best move.
const TELLING: Duration = Duration::from_millis(50);

/// Who searches.
pub(crate) struct Searcher {
    pub course: Arc<Course>,
    pub config: Arc<Config>,
    pub log: Log,
    pub role: usize,
    pub spelling: Arc<Spelling>,
}

impl Searcher {
    /// Searches until the match ends.
    pub(crate) fn run(&self) {
        let mut seat: Option<Seat> = None;
        let (mut number, mut followed, mut begun) = (0, 0, None);
        loop {
            self.course.attention.store(false, Ordering::Relaxed);
            let seen = self.course.version();
            let (machine, machines) = {
                let told = self.course.told();
                (told.machine.clone(), told.machines)
            };
            if machines != number {
                number = machines;
                followed = 0;
                // The older one frees its memory first.
                drop(seat.take());
                seat = machine.and_then(|machine| self.sit_down(machine));
            }
            if let Some(own) = &mut seat {
                followed = self.catch_up(own, followed);
                if begun != Some((number, followed)) && !own.is_over() {
                    begun = Some((number, followed));
                    own.until(None, &self.course.stop);
                    own.begin(self.config.seed.named(&self.course.id).child(followed as u64));
                }
            }
            let goes_on = match seat.as_mut().filter(|own| !own.is_over()) {
                Some(own) => self.think(own, seen, followed),
                None => self.course.wait(seen, None),
            };
            if !goes_on {
                return;
            }
        }
    }

    fn sit_down(&self, machine: Machine) -> Option<Seat> {
        let mut settings = self.config.search.clone();
        let megabytes = self.config.match_bytes() / 6 / 1_000_000;
        settings.memory = settings.memory.min(u32::try_from(megabytes).unwrap_or(u32::MAX)).max(1);
        // Whoever plays keeps the state of all gates, in less than what all threads share.
        let most = self.config.match_bytes() / 6 / machine.size().bytes.max(1);
        settings.threads = settings.threads.min(u32::try_from(most).unwrap_or(u32::MAX)).max(1);
        let seat = Seat::new(machine, self.role, &settings);
        seat.map_err(|error| self.log.tell(Some(&self.course.id), format!("no search: {error}"))).ok()
    }

    /// Makes the moves that were not made yet; the keeper has told of those that cannot be made.
    fn catch_up(&self, seat: &mut Seat, mut followed: usize) -> usize {
        loop {
            let Some(moves) = self.course.told().history.get(followed).cloned() else { return followed };
            let _ = seat.play(&moves);
            followed += 1;
            if self.course.is_stopped() {
                return followed;
            }
        }
    }

    /// Searches until something changes, telling the best move to whoever asks; false when the match is over.
    fn think(&self, seat: &mut Seat, seen: u64, followed: usize) -> bool {
        let asked = self.course.told().asked.clone();
        if asked.is_none() && !self.config.ponders {
            return self.course.wait(seen, None);
        }
        let has_changed = || self.course.version() != seen || self.course.is_stopped();
        let attention = Cancel::from(Arc::clone(&self.course.attention));
        let mut told = Instant::now();
        let mut is_told = asked.is_none();
        loop {
            let is_open = !is_told;
            let is_due = || is_open && asked.as_ref().is_some_and(|own| own.until <= Instant::now());
            seat.until(asked.as_ref().filter(|_| is_open).map(|own| own.until), &attention);
            let is_counted = seat.simulate_until(Instant::now() + TELLING, &|| has_changed() || is_due());
            let now = Instant::now();
            if let Some(asked) = asked.as_ref().filter(|_| is_open) {
                let is_over = asked.until <= now;
                if is_over || now >= told + TELLING {
                    told = now;
                    self.tell(seat, asked, followed);
                }
                if is_over {
                    is_told = true;
                    asked.ticket.finish();
                }
            }
            if has_changed() {
                return !self.course.is_stopped();
            }
            if !is_counted {
                // A change that was seen already must not call off the next simulation as well.
                self.course.attention.store(false, Ordering::Relaxed);
            }
            let has_more = is_counted || !seat.is_exhausted();
            if is_told && !(has_more && self.config.ponders) {
                return self.course.wait(seen, None);
            }
            if !has_more {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    /// Offers the best move, if it is one of the legal ones.
    fn tell(&self, seat: &mut Seat, asked: &Asked, followed: usize) {
        let Some(found) = seat.found().filter(|found| found.value.is_some()) else { return };
        let mv = self.spelling.write(&found.mv);
        let is_legal = {
            let told = self.course.told();
            told.legal.as_ref().is_some_and(|legal| legal.step == followed && legal.moves.contains(&mv))
        };
        if is_legal {
            asked.ticket.offer(mv, note(&found));
        }
    }
}

fn note(found: &Found) -> String {
    let Found { value, simulations, depth, nodes, .. } = found;
    let value = value.map_or("unknown".to_string(), |value| format!("{value:.1}"));
    format!("{simulations} simulations, value {value}, depth {depth:.1}, {nodes} nodes")
}
