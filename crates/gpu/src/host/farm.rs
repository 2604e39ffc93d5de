//! The farm: plays the games of many matches on cards, as many at once as their memory holds.
//!
//! Matches of one game and kind of play-out are one launch, so that a hundred thousand games can be under way although a
//! match has a thousand; launches of different kernels run side by side. What finds no room comes back and is tried again
//! with more.

use super::compile;
use super::driver::{Card, Kernel, NotStarted, Spread};
use super::figures::Figures;
use super::job::{Job, KEPT};
use super::launched::{Launched, Launches, MOST_SILENT, Silent, Unplayed};
use super::share::{Left, Part, Waiting, part_of_first, share_out, waits_for_memory};
use super::tuning::{Settled, Tuning, is_wide};
use crate::games::Words;
use crate::plain::{PlainMatch, PlainSeat};
use spinney_core::{InputError, Outcome, Seed};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::thread;
use std::time::{Duration, Instant};

/// A game that a card has played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// How it ended.
    pub outcome: Outcome,
    /// Its moves.
    pub moves: Vec<String>,
    /// Simulations of both players.
    pub simulations: [u64; 2],
    /// Its share of the card's time.
    pub time: Duration,
}

/// A game to be played: the job it belongs to, its number there, seed, and which agent moves first.
#[derive(Clone, Copy, Debug)]
pub struct Seat {
    /// Number of the job.
    pub job: usize,
    /// What the caller calls it.
    pub number: u64,
    /// Its seed.
    pub seed: Seed,
    /// Which agent moves first.
    pub first: u32,
}

/// What the farm tells of a game.
#[derive(Debug)]
pub enum Told {
    /// It has been played.
    Played(Seat, Played),
    /// It is too large for any card: it must be played elsewhere.
    TooLarge(Seat, Why),
    /// It came back with a move that there is not: the kernel and this program are not of one mind.
    Wrong(Seat),
    /// Now and then: the simulations of all launches so far, of games that have not ended too. It never falls.
    Simulations(u64),
}

/// Why a game is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Its tree would take so many bytes of a single thread.
    Tree {
        /// How many.
        bytes: u64,
    },
    /// No card has memory for a single one.
    NoMemory {
        /// Free bytes of the card that has most.
        free: u64,
    },
    /// It has more moves than are kept.
    LongGame,
    /// Its thread has left without a word again and again, with more room each time.
    Silent,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gigabytes = |bytes: u64| bytes as f64 / 1e9;
        match *self {
            Why::Tree { bytes } => write!(f, "need {:.1} GB each on the card", gigabytes(bytes)),
            Why::NoMemory { free } => write!(f, "found no room on the card ({:.1} GB free)", gigabytes(free)),
            Why::LongGame => write!(f, "have more than {KEPT} moves"),
            Why::Silent => {
                write!(
                    f,
                    "ended on the card without a result, {MOST_SILENT} times with more room each: a fault of the kernel"
                )
            }
        }
    }
}

/// Cards, and how they are used.
#[derive(Debug)]
pub struct Farm {
    cards: Vec<Card>,
    tuning: Tuning,
}

/// Games of one kernel and one size of tree that wait.
struct Group {
    kernel: String,
    words: Words,
    places: u32,
    moves: u32,
    /// Bytes of a thread.
    bytes: u64,
    waiting: VecDeque<Seat>,
}

/// Kernels on a card by their names, each as often as it is needed at once.
type Copies = BTreeMap<String, Vec<Kernel>>;

/// The name of a kernel, the seconds that it took, and what came of it: none if it was stopped before.
type Tried<'a> = (&'a str, f64, Result<Option<Kernel>, InputError>);

/// What a card plays with.
struct Loaded {
    settled: Settled,
    copies: Copies,
}

/// Most copies of a kernel.
const MOST_COPIES: usize = 8;

/// Bytes of a card that are left to rules and the driver.
const LEFT_BYTES: u64 = 4 << 30;

/// Threads of a processor for which the driver keeps stacks, whether they run or not.
const STACKS: u64 = 2048;

/// A game whose thread would need more is played elsewhere.
const MOST_BYTES: u64 = 4 << 30;

/// How often simulations are told.
const TELL: Duration = Duration::from_secs(1);

/// How often results are looked for.
const LOOK: Duration = Duration::from_millis(20);

/// Bytes of the largest stack of a kernel, about: what is expected before kernels are loaded.
pub(super) const LARGEST_STACK: u64 = 12_000;

/// Bytes that are left for games, if so many are free and stacks of so many bytes are kept.
pub(super) fn room_for_trees(free: u64, stack: u64, processors: u32) -> u64 {
    free.saturating_sub(LEFT_BYTES + stack * STACKS * u64::from(processors))
}

fn add_to_group(groups: &mut Vec<Group>, job: &Job, [places, moves]: [u32; 2], seat: Seat) {
    let (kernel, words, bytes) = (job.kernel(), job.game.words, job.bytes(places, moves));
    let is_it =
        |group: &&mut Group| (&group.kernel, group.words, group.places, group.moves) == (&kernel, words, places, moves);
    match groups.iter_mut().find(is_it) {
        Some(group) => {
            group.bytes = group.bytes.max(bytes);
            group.waiting.push_back(seat);
        }
        None => groups.push(Group { kernel, words, places, moves, bytes, waiting: VecDeque::from([seat]) }),
    }
}

impl Group {
    /// Bytes of all that wait, with trees of so many times the room.
    fn all_bytes(&self, jobs: &[Job], times: u32) -> u64 {
        let [places, moves] = [self.places, self.moves].map(|room| room.saturating_mul(times));
        self.waiting.iter().map(|seat| jobs[seat.job].bytes(places, moves)).sum()
    }

    /// Gives every tree so many times the room.
    fn widen(&mut self, jobs: &[Job], times: u32) {
        [self.places, self.moves] = [self.places, self.moves].map(|room| room.saturating_mul(times));
        let bytes = self.waiting.iter().map(|seat| jobs[seat.job].bytes(self.places, self.moves));
        self.bytes = bytes.max().unwrap_or(self.bytes);
    }
}

/// Where all games find so many times the room that they are likely to need, they get it: one that found its tree full would
/// be played again when the others have ended.
const AMPLE: u32 = 2;

/// Gives ample room if these bytes are free.
fn widen_all(groups: &mut [Group], jobs: &[Job], free: u64) {
    if groups.iter().map(|group| group.all_bytes(jobs, AMPLE)).sum::<u64>() <= free {
        groups.iter_mut().for_each(|group| group.widen(jobs, AMPLE));
    }
}

impl Farm {
    /// A farm of these cards.
    pub fn new(cards: Vec<Card>, tuning: Tuning) -> Self {
        Self { cards, tuning }
    }

    /// The names of its cards.
    pub fn names(&self) -> Vec<&str> {
        self.cards.iter().map(|card| card.name.as_str()).collect()
    }

    /// The processors of all cards.
    pub fn processors(&self) -> u32 {
        self.cards.iter().map(|card| card.processors).sum()
    }

    /// Plays these games of these jobs and hands each on as soon as it has ended; games that were under way when it was
    /// stopped are not handed on.
    pub fn play(
        &self,
        jobs: &[Job],
        seats: impl IntoIterator<Item = Seat>,
        is_stopped: &(dyn Fn() -> bool + Sync),
        mut tell: impl FnMut(Told) -> Result<(), InputError>,
    ) -> Result<Figures, InputError> {
        let mut groups: Vec<Group> = Vec::new();
        let mut games = 0;
        for seat in seats {
            games += 1;
            let job = &jobs[seat.job];
            add_to_group(&mut groups, job, [job.task.places, job.task.moves], seat);
        }
        let mut figures = Figures::default();
        let are_wide = !groups.is_empty() && groups.iter().all(|group| is_wide(&group.kernel));
        let settled = self.tuning.settle(self.at_once(&groups, jobs, games)?, self.processors(), are_wide);
        let Some(kernels) = self.load(&groups, settled, is_stopped, &mut figures)? else { return Ok(figures) };
        let mut launches = Launches::default();
        let (mut is_asked, mut told) = (false, Instant::now());
        // Simulations of launches that have ended.
        let mut before = 0;
        let mut silent = Silent::default();
        let mut free = Vec::new();
        for card in &self.cards {
            let stack = figures.kernels.values().map(|own| own.size[1].unsigned_abs()).max().unwrap_or_default();
            free.push(room_for_trees(card.free_bytes()?, u64::from(stack), card.processors));
        }
        widen_all(&mut groups, jobs, free.iter().sum());
        loop {
            if !is_asked && is_stopped() {
                is_asked = true;
                launches.under_way.iter().try_for_each(|launch| launch.running.ask_to_stop())?;
            }
            groups.retain(|group| !group.waiting.is_empty() && !is_asked);
            for card in 0..kernels.len() {
                // The driver frees no memory while anything runs on a card, and nothing would be heard meanwhile.
                if launches.is_idle(card) {
                    free[card] += launches.free(card);
                }
                for (seat, why) in self.launch(card, jobs, &mut groups, &kernels[card], &mut launches, &mut free)? {
                    tell(Told::TooLarge(seat, why))?;
                }
            }
            if launches.under_way.is_empty() {
                // Nothing is under way, so what still waits has no room on any card.
                let mut most = 0;
                for card in &self.cards {
                    most = card.free_bytes()?.max(most);
                }
                for seat in groups.iter_mut().flat_map(|group| group.waiting.drain(..)) {
                    tell(Told::TooLarge(seat, Why::NoMemory { free: most }))?;
                }
                return Ok(figures);
            }
            thread::sleep(LOOK);
            if told.elapsed() >= TELL {
                told = Instant::now();
                let simulations = launches.under_way.iter().map(|launch| launch.running.simulations());
                tell(Told::Simulations(before + simulations.sum::<Result<u64, InputError>>()?))?;
            }
            let mut index = 0;
            while index < launches.under_way.len() {
                // Asked before results are looked for, so that none is missed.
                let launch = &mut launches.under_way[index];
                let has_ended = launch.running.has_ended()?;
                let room = launch.room;
                let more_room = room.map(|room| room.saturating_mul(2));
                for seat in launch.collect(jobs, &mut figures, &mut tell)? {
                    add_to_group(&mut groups, &jobs[seat.job], more_room, seat);
                }
                if has_ended {
                    let ended = launches.end(index);
                    before += ended.running.simulations()?;
                    if !is_asked {
                        let Unplayed { left, waiting } = ended.unplayed()?;
                        for seat in waiting {
                            add_to_group(&mut groups, &jobs[seat.job], room, seat);
                        }
                        for seat in left {
                            if silent.is_hopeless(&seat) {
                                tell(Told::TooLarge(seat, Why::Silent))?;
                            } else {
                                figures.kernels.entry(ended.kernel.clone()).or_default().again += 1;
                                add_to_group(&mut groups, &jobs[seat.job], more_room, seat);
                            }
                        }
                    }
                } else {
                    index += 1;
                }
            }
        }
    }

    /// How many of so many games the cards will play at the same time, by their memory.
    fn at_once(&self, groups: &[Group], jobs: &[Job], games: u64) -> Result<u64, InputError> {
        let mut room = 0;
        for card in &self.cards {
            room += room_for_trees(card.free_bytes()?, LARGEST_STACK, card.processors);
        }
        let bytes = groups.iter().map(|group| group.all_bytes(jobs, 1)).sum::<u64>();
        Ok(if bytes > room { (games as f64 * room as f64 / bytes as f64) as u64 } else { games })
    }

    /// Loads all kernels that are needed, at once: the driver compiles each for seconds. A copy of a kernel plays one launch
    /// at a time, so there is one for each group. `None` if it was stopped meanwhile.
    fn load(
        &self,
        groups: &[Group],
        settled: Settled,
        is_stopped: &(dyn Fn() -> bool + Sync),
        figures: &mut Figures,
    ) -> Result<Option<Vec<Loaded>>, InputError> {
        let making = settled.making;
        let mut names: Vec<&str> = groups.iter().map(|group| group.kernel.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let mut loaded = Vec::new();
        for card in &self.cards {
            if let (Some(ptxas), Some(folder)) = (compile::ptxas(), compile::folder()) {
                let names: Vec<String> = names.iter().map(|name| (*name).to_string()).collect();
                // Where it does not work, the driver does it.
                let _ = compile::compile(&names, &folder, &ptxas, making, &card.generation, &|_, _| {}, is_stopped);
            }
            let results: Vec<Tried<'_>> = thread::scope(|scope| {
                let load = |name| {
                    let started = Instant::now();
                    let kernel = if is_stopped() { Ok(None) } else { card.load(name, making).map(Some) };
                    (name, started.elapsed().as_secs_f64(), kernel)
                };
                let threads: Vec<_> = names.iter().map(|&name| scope.spawn(move || load(name))).collect();
                let join = |thread: thread::ScopedJoinHandle<'_, _>| {
                    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                };
                threads.into_iter().map(join).collect()
            });
            let (mut own, mut stack) = (BTreeMap::new(), 0);
            for (name, seconds, kernel) in results {
                let Some(kernel) = kernel? else { return Ok(None) };
                let size = kernel.size()?;
                stack = stack.max(size[1].unsigned_abs() as usize);
                let entry = figures.kernels.entry(name.to_string()).or_default();
                (entry.loading, entry.size) = (entry.loading.max(seconds), size);
                let mut copies = vec![kernel];
                let wanted = groups.iter().filter(|group| group.kernel == name).count();
                while copies.len() < wanted.min(MOST_COPIES) {
                    if is_stopped() {
                        return Ok(None);
                    }
                    copies.push(card.load(name, making)?);
                }
                own.insert(name.to_string(), copies);
            }
            card.hold_stack(stack)?;
            loaded.push(Loaded { settled, copies: own });
        }
        Ok(Some(loaded))
    }

    /// Launches what waits, as far as the card's memory and threads go: all groups get their share. Returns games that fit on no
    /// card.
    fn launch(
        &self,
        card: usize,
        jobs: &[Job],
        groups: &mut [Group],
        Loaded { settled, copies }: &Loaded,
        launches: &mut Launches,
        free: &mut [u64],
    ) -> Result<Vec<(Seat, Why)>, InputError> {
        let is_kept = launches.keeps(card);
        let launched = &mut launches.under_way;
        let mut too_large = Vec::new();
        for group in groups.iter_mut().filter(|group| group.bytes > MOST_BYTES) {
            let why = Why::Tree { bytes: group.bytes };
            too_large.extend(group.waiting.drain(..).map(|seat| (seat, why)));
        }
        let free_copy = |launched: &[Launched], kernel: &str| {
            let is_used = |copy: usize| {
                let is_it = |launch: &Launched| launch.card == card && launch.kernel == kernel && launch.copy == copy;
                launched.iter().any(is_it)
            };
            (0..copies[kernel].len()).find(|&copy| !is_used(copy))
        };
        let is_busy = |launched: &[Launched], kernel: &str| free_copy(launched, kernel).is_none();
        // What waits is for this card and those after it.
        let processors: Vec<u32> = self.cards[card..].iter().map(|card| card.processors).collect();
        let own_games = |group: &Group| part_of_first(group.waiting.len() as u64, &processors);
        let mut index = 0;
        while index < groups.len() {
            // Unless it is tried again with less.
            index += 1;
            let Some(copy) = free_copy(launched, &groups[index - 1].kernel) else { continue };
            let resident: u32 = launched.iter().filter(|launch| launch.card == card).map(|launch| launch.warps).sum();
            let warps = (self.cards[card].processors * settled.resident).saturating_sub(resident);
            // What could be launched now.
            let others = || groups.iter().filter(|group| !is_busy(launched, &group.kernel));
            let all_games = others().map(own_games).sum();
            let all_bytes = others().map(|group| own_games(group) * group.bytes).sum();
            let group = &mut groups[index - 1];
            let games = own_games(group);
            let waiting = Waiting { games, bytes: group.bytes, all_games, all_bytes };
            let left = Left { bytes: free[card], warps };
            if waits_for_memory(left, waiting, is_kept) {
                continue;
            }
            let Some(Part { threads, lanes, warps, block }) = share_out(settled, left, waiting) else { continue };
            // On one card all that waits is one launch, with a queue for its threads.
            let count = if self.cards.len() == 1 { games } else { games.min(2 * u64::from(threads)) };
            let seats: Vec<Seat> = group.waiting.drain(..count as usize).collect();
            let mut numbers: Vec<usize> = seats.iter().map(|seat| seat.job).collect();
            numbers.sort_unstable();
            numbers.dedup();
            let room = [group.places, group.moves];
            let tasks: Vec<PlainMatch> =
                numbers.iter().map(|&job| PlainMatch { places: room[0], moves: room[1], ..jobs[job].task }).collect();
            let plain: Vec<PlainSeat> = seats
                .iter()
                .map(|seat| PlainSeat {
                    seed: seat.seed.value(),
                    first: seat.first,
                    task: numbers.partition_point(|&job| job < seat.job) as u32,
                })
                .collect();
            let kernel = &copies[&group.kernel][copy];
            let together = settled.together(&group.kernel);
            let spread = Spread { threads, lanes, warps: block, slice: group.bytes, together };
            let running = match kernel.start(&group.words, &tasks, &plain, KEPT, spread) {
                Ok(running) => running,
                Err(NotStarted::NoMemory) => {
                    seats.into_iter().rev().for_each(|seat| group.waiting.push_front(seat));
                    if is_kept {
                        continue;
                    }
                    // Another program has taken what was free: once more with half, as long as a game has room.
                    free[card] /= 2;
                    index -= 1;
                    continue;
                }
                Err(NotStarted::Failed(error)) => return Err(error),
            };
            free[card] -= u64::from(threads) * group.bytes;
            let (kernel, bytes, started) = (group.kernel.clone(), group.bytes, Instant::now());
            launched.push(Launched { kernel, copy, card, threads, warps, bytes, room, running, seats, started });
        }
        Ok(too_large)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_get_ample_room_where_all_of_them_find_it() {
        let agents = ["mcts(sims=1000)", "mcts(sims=1000, rb)"].map(|agent| agent.parse().unwrap());
        let job = Job::new("breakthrough", &agents, 0).unwrap().unwrap();
        let room = [job.task.places, job.task.moves];
        let fill = || {
            let mut groups = Vec::new();
            for number in 0..10 {
                add_to_group(&mut groups, &job, room, Seat { job: 0, number, seed: Seed::new(number), first: 0 });
            }
            groups
        };
        let jobs = std::slice::from_ref(&job);
        let (mut wide, mut narrow) = (fill(), fill());
        let needed = wide[0].all_bytes(jobs, AMPLE);
        assert_eq!(needed, 10 * job.bytes(2 * room[0], 2 * room[1]));
        widen_all(&mut wide, jobs, needed);
        widen_all(&mut narrow, jobs, needed - 1);
        let told = |groups: &[Group]| (groups[0].places, groups[0].moves, groups[0].bytes);
        assert_eq!(told(&wide), (2 * room[0], 2 * room[1], needed / 10));
        assert_eq!(told(&narrow), (room[0], room[1], job.bytes_at_first()));
    }

    #[test]
    fn reasons_are_said_with_their_numbers() {
        let words = |why: Why| why.to_string();
        assert_eq!(words(Why::NoMemory { free: 300_000_000 }), "found no room on the card (0.3 GB free)");
        assert_eq!(words(Why::Tree { bytes: 5 << 30 }), "need 5.4 GB each on the card");
        assert_eq!(words(Why::LongGame), "have more than 1024 moves");
        assert!(words(Why::Silent).ends_with("a fault of the kernel"));
    }
}
