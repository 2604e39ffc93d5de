//! What a warp waits for, roughly: how long each instruction takes, and which pieces of memory are near. One warp alone, with
//! its share of the caches; others that stand in its way are left out.

use std::collections::HashMap;

/// Bytes of the first cache of a processor, and of a card's second one for each of its processors.
const FIRST_BYTES: usize = 230_000;
const SECOND_BYTES: usize = 300_000;

/// Bytes that are fetched at least.
pub const PIECE: u64 = 32;

/// Cycles until an instruction's result can be used: computed, found in the first cache, in the second, and in neither.
pub const COMPUTED: u64 = 5;
const FIRST: u64 = 35;
const SECOND: u64 = 270;
const MEMORY: u64 = 650;

/// What was touched last, in pieces.
struct Cache {
    pieces: usize,
    touched: HashMap<u64, u64>,
    now: u64,
}

impl Cache {
    fn new(bytes: usize) -> Self {
        Self { pieces: bytes / PIECE as usize, touched: HashMap::new(), now: 0 }
    }

    /// Whether it holds a piece, which it does from now on.
    fn touch(&mut self, piece: u64) -> bool {
        self.now += 1;
        let is_held = self.touched.insert(piece, self.now).is_some();
        // A quarter at a time: to look for the oldest takes long.
        if self.touched.len() > self.pieces + self.pieces / 4 {
            let mut times: Vec<u64> = self.touched.values().copied().collect();
            let oldest = times.len() - self.pieces;
            let limit = *times.select_nth_unstable(oldest).1;
            self.touched.retain(|_, time| *time >= limit);
        }
        is_held
    }
}

/// The share of the caches that a warp has.
pub struct Caches {
    first: Cache,
    second: Cache,
    /// Pieces that were not in the first cache, and not in the second.
    pub missed: [u64; 2],
}

impl Caches {
    /// With so many warps on each processor.
    pub fn new(warps: usize) -> Self {
        let [first, second] = [FIRST_BYTES, SECOND_BYTES].map(|bytes| Cache::new(bytes / warps));
        Self { first, second, missed: [0; 2] }
    }

    /// Reads pieces; how long it takes.
    pub fn read(&mut self, pieces: &[u64]) -> u64 {
        let mut cycles = FIRST;
        for &piece in pieces {
            if !self.first.touch(piece) {
                self.missed[0] += 1;
                let is_held = self.second.touch(piece);
                self.missed[1] += u64::from(!is_held);
                cycles = cycles.max(if is_held { SECOND } else { MEMORY });
            }
        }
        cycles + pieces.len() as u64
    }

    /// Writes pieces; stacks stay in the first cache, other memory goes on to the second.
    pub fn write(&mut self, pieces: &[u64], is_near: bool) {
        for &piece in pieces {
            if is_near || self.first.touched.contains_key(&piece) {
                self.first.touch(piece);
            }
            self.second.touch(piece);
        }
    }
}
