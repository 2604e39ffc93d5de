//! A kernel as the host launches it, with what it is told laid out in memory as `kernels` reads it.

use super::{Counts, Fault, Machine, Program};
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
    Launch { tasks, seats, results, moves, count, kept, next, stop, rules, simulations }
}

/// Bytes for the rules of a game, and for the trees and lists of a thread.
const RULES_BYTES: usize = 1 << 20;
const SLICE_BYTES: usize = 12 << 20;

/// Bytes for the stack of a thread behind its slice.
const STACK_BYTES: usize = 32 << 10;

/// Jumps after which a launch is taken to run in circles.
const MOST_JUMPS: u64 = 500_000_000;

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

    /// Plays games of matches one after the other: what came of each, and the places of its moves.
    pub fn play(
        &mut self,
        words: &Words,
        tasks: &[PlainMatch],
        seats: &[PlainSeat],
    ) -> Result<Vec<(PlainResult, Vec<u16>)>, Fault> {
        self.machine.memory.give_back(self.taken);
        let memory = &mut self.machine.memory;
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
        };
        let (own, words) = (memory.put(&launch.bytes()), memory.put(&words.bytes()));
        let (rules, slice) = (memory.take(RULES_BYTES), memory.take(SLICE_BYTES + STACK_BYTES));
        self.launch = own;
        self.machine.left = self.most_jumps;
        self.machine.run("prepare", &[own, rules, RULES_BYTES as u64, words])?;
        self.machine.counts = Counts::default();
        self.machine.run("play", &[own, slice, SLICE_BYTES as u64, 1])?;
        Ok((0..seats.len()).map(|number| self.played(&launch, number)).collect())
    }

    /// What playing them took.
    pub fn counts(&self) -> Counts {
        self.machine.counts
    }

    /// Games that were taken, and one more for a thread that found none left.
    pub fn begun(&self) -> u64 {
        self.machine.memory.read(self.launch + offset_of!(Launch, next) as u64, 4).expect("the launch is in memory")
    }

    fn played(&self, launch: &Launch, number: usize) -> (PlainResult, Vec<u16>) {
        let word = |place: usize, bytes: u8| {
            let start = launch.results + (number * size_of::<PlainResult>() + place) as u64;
            self.machine.memory.read(start, bytes).expect("results are in memory")
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
        let start = launch.moves + 2 * (number * launch.kept as usize) as u64;
        let bytes = self.machine.memory.get(start, 2 * result.plies.min(launch.kept) as usize);
        let places =
            bytes.expect("moves are in memory").chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        (result, places.collect())
    }
}
