//! A table of sums over keys, for what is too rare to have a place of its own: pairs of moves in games with many
//! moves, and sequences of moves.

use alloc::{vec, vec::Vec};
use spinney_core::random::mix;

/// Sums and counts by key, in a fixed number of places. Four of them share a line of the cache; where a line is full,
/// the entry with the fewest counts makes room. Clearing takes one addition.
#[derive(Debug)]
pub struct HashedSums {
    lines: Vec<Line>,
    generation: u64,
}

/// Places are taken in order. A key holds the generation in its high bits; a place of another generation is empty.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Line {
    keys: [u64; PLACES],
    sums: [f32; PLACES],
    counts: [u32; PLACES],
}

const PLACES: usize = 4;

const LINES: usize = 1 << 16;
const GENERATION_BITS: u32 = 12;
/// From here on count and sum stand still: larger sums of halves would no longer be exact.
const MOST: u32 = 1 << 22;

impl HashedSums {
    /// An empty table, or one without room if it is not used.
    pub fn new(used: bool) -> Self {
        Self { lines: vec![Line::default(); if used { LINES } else { 0 }], generation: 1 }
    }

    /// The key of two numbers, to which [`HashedSums::key`] joins a third. Different numbers have different keys but
    /// for one chance in 2^50 or so.
    #[inline(always)]
    pub fn context(first: u32, second: u32) -> u64 {
        mix(u64::from(first) << 32 | u64::from(second))
    }

    /// The key of a context and a number.
    #[inline(always)]
    pub fn key(context: u64, number: u32) -> u64 {
        mix(context ^ u64::from(number))
    }

    /// Forgets everything.
    #[inline]
    pub fn clear(&mut self) {
        self.generation += 1;
        if self.generation == 1 << GENERATION_BITS {
            self.lines.fill(Line::default());
            self.generation = 1;
        }
    }

    /// Line and stored key.
    #[inline(always)]
    fn place(&self, key: u64) -> (usize, u64) {
        let tag = key >> GENERATION_BITS | self.generation << (64 - GENERATION_BITS);
        (key as usize % LINES, tag)
    }

    /// Asks for a key's line of the cache before it is needed, which takes 15 % off the time of a search with N-grams.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let line: *const Line = &self.lines[self.place(key).0];
            // SAFETY: the address is that of a line, and a prefetch changes nothing that a program can see.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Sum and count of a key; zeros if it is not known.
    #[inline(always)]
    pub fn get(&self, key: u64) -> (f32, u32) {
        let (line, tag) = self.place(key);
        let line = &self.lines[line];
        match line.found_and_empty(tag).0 {
            0 => (0.0, 0),
            found => (line.sums[first(found)], line.counts[first(found)]),
        }
    }

    /// Adds one value to a key and returns its count.
    #[inline(always)]
    pub fn add(&mut self, key: u64, value: f32) -> u32 {
        let (line, tag) = self.place(key);
        let line = &mut self.lines[line];
        // Nothing of this generation stands behind an empty place.
        let (found, empty) = line.found_and_empty(tag);
        if found | empty == 0 {
            line.replace_poorest(tag, value);
            return 1;
        }
        // Whether a key is known is hard to foretell, so both ways take the same instructions.
        let is_found = found != 0;
        let place = first(if is_found { found } else { empty });
        let (sum, count) = if is_found { (line.sums[place], line.counts[place]) } else { (0.0, 0) };
        let added = u32::from(count < MOST);
        line.keys[place] = tag;
        line.sums[place] = sum + value * added as f32;
        line.counts[place] = count + added;
        count + added
    }
}

/// The first place of a set of them.
#[inline(always)]
fn first(places: u32) -> usize {
    places.trailing_zeros() as usize % PLACES
}

impl Line {
    /// The place that holds a key, and the places that hold none of its generation, as bits.
    #[inline(always)]
    fn found_and_empty(&self, tag: u64) -> (u32, u32) {
        let bits =
            |is_meant: [bool; PLACES]| (0..PLACES).fold(0, |bits, place| bits | u32::from(is_meant[place]) << place);
        (bits(self.keys.map(|key| key == tag)), bits(self.keys.map(|key| (key ^ tag) >> (64 - GENERATION_BITS) != 0)))
    }

    #[cold]
    fn replace_poorest(&mut self, key: u64, value: f32) {
        let poorest = (1..PLACES).fold(
            0,
            |poorest, place| {
                if self.counts[place] < self.counts[poorest] { place } else { poorest }
            },
        );
        (self.keys[poorest], self.sums[poorest], self.counts[poorest]) = (key, value, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn key(number: u32) -> u64 {
        HashedSums::key(HashedSums::context(number, number), number)
    }

    proptest! {
        /// Clearing by generation is the same as clearing by zeroing.
        #[test]
        fn sums_are_those_since_the_last_clearing(actions in prop::collection::vec((0u32..40, -1i8..=1, 0u8..20), 0..400)) {
            let mut table = HashedSums::new(true);
            let mut known: HashMap<u32, (f32, u32)> = HashMap::new();
            for (number, value, clear) in actions {
                if clear == 0 {
                    table.clear();
                    known.clear();
                }
                table.add(key(number), f32::from(value));
                let entry = known.entry(number).or_default();
                *entry = (entry.0 + f32::from(value), entry.1 + 1);
                for number in 0..40 {
                    prop_assert_eq!(table.get(key(number)), known.get(&number).copied().unwrap_or_default());
                }
            }
        }
    }

    #[test]
    fn every_generation_is_empty_at_first() {
        let mut table = HashedSums::new(true);
        for _ in 0..(3 << GENERATION_BITS) {
            assert_eq!(table.get(key(7)), (0.0, 0));
            table.add(key(7), 1.0);
            table.clear();
        }
    }

    /// More keys than places: what is often met stays.
    #[test]
    fn frequent_keys_outlive_rare_ones() {
        let mut table = HashedSums::new(true);
        for _ in 0..10 {
            (0..1000).for_each(|number| assert!(table.add(key(number), 1.0) > 0));
        }
        for number in 1000..2_000_000 {
            table.add(key(number), 1.0);
        }
        assert!((0..1000).filter(|&number| table.get(key(number)) == (10.0, 10)).count() > 990);
    }
}
