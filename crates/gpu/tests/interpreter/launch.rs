//! A kernel as the host launches it, with what it is told laid out in memory as `kernels` reads it.

use super::memory::Memory;
use super::warp::LANES;
use super::{Counts, Fault, Machine, Program, Warp};
use spinney_gpu::games::Words;
use spinney_gpu::plain::{PlainAgent, PlainBonus, PlainMatch, PlainResult, PlainSeat};
use std::mem::offset_of;

/// Plain data as bytes.
trait Bytes {
    fn bytes(&self) -> Vec<u8>;
}

macro_rules! numbers {
    ($($type:ty),+) => {$(
        impl Bytes for $type {
            fn bytes(&self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
        }
    )+};
}

numbers!(u32, u64, f32);

impl<T: Bytes> Bytes for [T] {
    fn bytes(&self) -> Vec<u8> {
        self.iter().flat_map(Bytes::bytes).collect()
    }
}

impl<T: Bytes, const N: usize> Bytes for [T; N] {
    fn bytes(&self) -> Vec<u8> {
        self.as_slice().bytes()
    }
}

/// All fields, each at its place; one that is forgotten does not compile.
macro_rules! fields {
    ($($type:ident { $($field:ident),+ })+) => {$(
        impl Bytes for $type {
            fn bytes(&self) -> Vec<u8> {
                let Self { $($field),+ } = self;
                let mut bytes = vec![0; size_of::<Self>()];
                $(
                    let (field, start) = ($field.bytes(), offset_of!(Self, $field));
                    bytes[start..start + field.len()].copy_from_slice(&field);
                )+
                bytes
            }
        }
    )+};
}

/// As `kernels` has it.
#[repr(C)]
struct Launch {
    tasks: u64,
    seats: u64,
    results: u64,
    moves: u64,
    count: u32,
    kept: u32,
    next: u32,
    stop: u32,
    rules: u64,
    simulations: u64,
    crews: u64,
    together: u32,
}

fields! {
    PlainBonus { present, k, weight, a, mean }
    PlainAgent {
        simulations, quirks, c, policy, mast, epsilon, learns_altered, cap, cutoff, guess, solver, expand, ties,
        final_move, reward, warmup, samples, replacing, rb, qb
    }
    PlainMatch { agents, places, moves, opening, kept }
    PlainSeat { seed, first, task }
    PlainResult { simulations, winner, plies, places, moves, bytes, state, padding }
    Launch { tasks, seats, results, moves, count, kept, next, stop, rules, simulations, crews, together }
}

/// Bytes for the rules of a game, and for the trees and lists of a thread.
const RULES_BYTES: usize = 1 << 20;
const SLICE_BYTES: usize = 12 << 20;

/// Bytes for the stack of a thread behind its slice.
const STACK_BYTES: usize = 32 << 10;

/// Threads that wait for each other before they begin new games.
const TOGETHER: u32 = 4;

/// Jumps after which a launch is taken to run in circles.
const MOST_JUMPS: u64 = 500_000_000;

/// What came of a game, and the places of its moves.
type Played = (PlainResult, Vec<u16>);

/// Games of matches as they are laid into memory.
struct Laid {
    own: u64,
    words: u64,
    rules: u64,
    launch: Launch,
}

impl Laid {
    fn new(memory: &mut Memory, words: &Words, tasks: &[PlainMatch], seats: &[PlainSeat]) -> Self {
        let kept = tasks.iter().map(|task| task.kept).max().unwrap_or_default();
        let launch = Launch {
            tasks: memory.put(&tasks.bytes()),
            seats: memory.put(&seats.bytes()),
            results: memory.put(&vec![PlainResult::default(); seats.len()].bytes()),
            moves: memory.put(&vec![0; 2 * kept as usize * seats.len()]),
            count: seats.len() as u32,
            kept,
            next: 0,
            stop: 0,
            rules: 0,
            simulations: 0,
            crews: memory.put(&[0; 8]),
            together: TOGETHER,
        };
        let (own, words) = (memory.put(&launch.bytes()), memory.put(&words.bytes()));
        Self { own, words, rules: memory.take(RULES_BYTES), launch }
    }

    /// The arguments of `prepare`, and those of `play`.
    fn arguments(&self, slices: u64, slice: usize, lanes: usize) -> [[u64; 4]; 2] {
        let prepare = [self.own, self.rules, RULES_BYTES as u64, self.words];
        [prepare, [self.own, slices, slice as u64, lanes as u64]]
    }

    fn played(&self, memory: &Memory) -> Vec<Played> {
        (0..self.launch.count as usize).map(|number| self.result(memory, number)).collect()
    }

    fn result(&self, memory: &Memory, number: usize) -> Played {
        let word = |place: usize, bytes: u8| {
            let start = self.launch.results + (number * size_of::<PlainResult>() + place) as u64;
            memory.read(start, bytes).expect("results are in memory")
        };
        let short = |place: usize| word(place, 4) as u32;
        let result = PlainResult {
            simulations: [0, 8].map(|place| word(offset_of!(PlainResult, simulations) + place, 8)),
            winner: short(offset_of!(PlainResult, winner)),
            plies: short(offset_of!(PlainResult, plies)),
            places: short(offset_of!(PlainResult, places)),
            moves: short(offset_of!(PlainResult, moves)),
            bytes: word(offset_of!(PlainResult, bytes), 8),
            state: short(offset_of!(PlainResult, state)),
            padding: 0,
        };
        let kept = self.launch.kept;
        let start = self.launch.moves + 2 * (number * kept as usize) as u64;
        let bytes = memory.get(start, 2 * result.plies.min(kept) as usize);
        let places =
            bytes.expect("moves are in memory").chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        (result, places.collect())
    }
}

/// A kernel on this machine.
pub struct Card<'p> {
    machine: Machine<'p>,
    taken: usize,
    /// Where what is common to all threads lies.
    launch: u64,
    pub most_jumps: u64,
}

impl<'p> Card<'p> {
    pub fn new(program: &'p Program) -> Self {
        let machine = Machine::new(program, RULES_BYTES + SLICE_BYTES + (1 << 20));
        let taken = machine.memory.taken();
        Self { machine, taken, launch: 0, most_jumps: MOST_JUMPS }
    }

    /// Plays games of matches one after the other.
    pub fn play(&mut self, words: &Words, tasks: &[PlainMatch], seats: &[PlainSeat]) -> Result<Vec<Played>, Fault> {
        let memory = &mut self.machine.memory;
        memory.give_back(self.taken);
        let laid = Laid::new(memory, words, tasks, seats);
        let [prepare, play] = laid.arguments(memory.take(SLICE_BYTES + STACK_BYTES), SLICE_BYTES, 1);
        self.launch = laid.own;
        self.machine.left = self.most_jumps;
        self.machine.run("prepare", &prepare)?;
        self.machine.counts = Counts::default();
        self.machine.run("play", &play)?;
        Ok(laid.played(&self.machine.memory))
    }

    /// What playing them took.
    pub fn counts(&self) -> Counts {
        self.machine.counts
    }

    /// Games that were taken, and one more for a thread that found none left.
    pub fn begun(&self) -> u64 {
        self.machine.memory.read(self.launch + offset_of!(Launch, next) as u64, 4).expect("the launch is in memory")
    }
}

/// Plays games by all threads of a warp in step, with so many bytes for the trees and lists of each, until the warp is over
/// or all have been played.
pub fn play_in_step(
    warp: &mut Warp<'_>,
    slice: usize,
    (words, task): (&Words, &PlainMatch),
    seats: &[PlainSeat],
) -> Result<Vec<Played>, Fault> {
    let laid = Laid::new(&mut warp.memory, words, &[*task], seats);
    let [prepare, play] = laid.arguments(warp.memory.take(LANES * slice), slice, LANES);
    warp.run("prepare", &prepare, 1)?;
    warp.run("play", &play, u32::MAX)?;
    Ok(laid.played(&warp.memory))
}

/// Bytes for a warp beside its stacks, if its threads have slices of so many.
pub const fn bytes_in_step(slice: usize) -> usize {
    RULES_BYTES + LANES * slice + (1 << 20)
}
