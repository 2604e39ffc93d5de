//! Levels of values in planes of bits, for a card: a byte for each place instead of a value of four, so that the places of a
//! run whose values are highest are found in few pieces of memory, sixteen places at a time. What has the highest level may
//! have the highest value; the values decide.

use super::row::{Highest, Scored};
use alloc::{vec, vec::Vec};

/// Bits of a level.
const PLANES: usize = 8;

/// Planes of a word, one in each half.
const WORDS: usize = PLANES / 2;

/// Places of a block.
const PLACES: usize = 16;

/// The places of a set that are in its first block.
const ALL: u64 = (1 << PLACES) - 1;

/// The levels of so many places: what a card reads and writes at once. A word has a plane of the four highest in one half and
/// one of the four lowest in the other, in turn: the highest are in the low half of even blocks and in the high half of odd
/// ones, so that those of two blocks are a word of 32 places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct Block([u32; WORDS]);

/// The planes of 32 places, the highest first.
#[derive(Clone, Copy)]
struct Planes([u32; PLANES]);

impl Planes {
    /// Those from the block of this number on.
    #[inline(always)]
    fn at(blocks: &[Block], number: usize) -> Self {
        let (low, high) = (block_at(blocks, number).0, block_at(blocks, number + 1).0);
        // As if the first were an even one.
        let turn = number as u32 % 2 * PLACES as u32;
        let (low, high) = (low.map(|word| word.rotate_left(turn)), high.map(|word| word.rotate_left(turn)));
        let mask = ALL as u32;
        Self(core::array::from_fn(|plane| {
            let (low, high) = (low[plane % WORDS], high[plane % WORDS]);
            if plane < WORDS {
                low & mask | high & !mask
            } else {
                (low & !mask | high & mask).rotate_left(PLACES as u32)
            }
        }))
    }

    /// Those of a set of places whose level is highest, and this level.
    #[inline(always)]
    fn climbed(&self, mut set: u32) -> (u32, u32) {
        let mut level = 0;
        for plane in 0..PLANES {
            let above = set & self.0[plane];
            level = 2 * level + u32::from(above != 0);
            set = if above == 0 { set } else { above };
        }
        (set, level)
    }

    /// Those of a set of places that have a level.
    #[inline(always)]
    fn of_level(&self, mut set: u32, level: u32) -> u32 {
        for plane in 0..PLANES {
            // All bits of a plane that has to be 0 are turned.
            set &= self.0[plane] ^ bit(level, plane).wrapping_sub(1);
        }
        set
    }
}

/// Levels of one value only: −1, 0 and 1. After few simulations nearly all moves have one of these.
const EXACT: [u32; 3] = [2, 128, 254];

/// Levels between 0 and 1.
const STEPS: f32 = 125.0;

/// The level of a value. Higher values never have lower levels.
#[inline(always)]
fn level(value: f32) -> u32 {
    let size = value.abs();
    let steps = if size > 1.0 { STEPS as u32 + 1 } else { (size * STEPS) as u32 };
    let [_, zero, _] = EXACT;
    if value > 0.0 {
        zero + 1 + steps
    } else if value < 0.0 {
        zero - 1 - steps
    } else {
        zero
    }
}

/// The levels of all places of a table, or of none where nobody compares them.
#[derive(Debug)]
pub struct Levels {
    blocks: Vec<Block>,
}

/// The bit of a plane in a level.
#[inline(always)]
const fn bit(level: u32, plane: usize) -> u32 {
    level >> (PLANES - 1 - plane) & 1
}

impl Levels {
    /// So many places of the same value.
    pub fn new(places: usize, value: f32) -> Self {
        let level = level(value);
        let word = |word: usize| (bit(level, word) | bit(level, word + WORDS) << PLACES) * ALL as u32;
        let [even, odd] =
            [0, PLACES as u32].map(|turn| Block(core::array::from_fn(|number| word(number).rotate_left(turn))));
        let mut blocks = vec![even; places.div_ceil(PLACES)];
        blocks.iter_mut().skip(1).step_by(2).for_each(|block| *block = odd);
        Self { blocks }
    }

    /// Those of the places from `start` on, which is the first of a block.
    #[inline(always)]
    pub fn row(&self, start: usize) -> &[Block] {
        self.blocks.get(start / PLACES..).unwrap_or_default()
    }

    /// The value of a place has become another one.
    #[inline(always)]
    pub fn change(&mut self, place: usize, before: f32, now: f32) {
        let changed = level(before) ^ level(now);
        if changed == 0 {
            return;
        }
        if let Some(block) = self.blocks.get_mut(place / PLACES) {
            // All words are read before the first is written, and at once.
            let Block(words) = *block;
            let turned = |word: usize| bit(changed, word) | bit(changed, word + WORDS) << PLACES;
            *block = Block(core::array::from_fn(|word| words[word] ^ turned(word).rotate_left(place as u32 % 32)));
        }
    }
}

/// A run laid over blocks, which begin where it does not.
#[derive(Clone, Copy, Debug)]
struct Laid {
    /// The next block.
    block: usize,
    /// Places from there on.
    low: u64,
    high: u64,
}

impl Laid {
    /// No run.
    const NOTHING: Self = Self { block: 0, low: 0, high: 0 };

    #[inline(always)]
    fn new(first: usize, places: u64) -> Self {
        let shift = (first % PLACES) as u32;
        Self { block: first / PLACES, low: places << shift, high: (places >> 1) >> (63 - shift) }
    }

    /// Whether no place is left.
    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.low | self.high == 0
    }

    /// The next two blocks, and their places.
    #[inline(always)]
    fn next(&mut self) -> (usize, u32) {
        let next = (self.block, self.low as u32);
        self.block += 2;
        self.low = self.low >> 32 | self.high << 32;
        self.high = 0;
        next
    }
}

/// A block; behind the last there is nothing that anybody asks for.
#[inline(always)]
fn block_at(blocks: &[Block], number: usize) -> Block {
    blocks[number.min(blocks.len().saturating_sub(1))]
}

/// The places of few runs that have the highest level of all, and whether these are known to have the same value. All runs are
/// compared at once, plane by plane; each begins with a block.
#[inline(always)]
pub fn highest_of_few<const RUNS: usize>(blocks: &[Block], runs: [(usize, u64); RUNS]) -> ([u64; RUNS], bool) {
    let mut sets = runs.map(|(_, places)| [places as u32, (places >> 32) as u32]);
    // All of them are asked for before the first is looked at.
    let own = runs.map(|(first, _)| {
        debug_assert!(first % PLACES == 0, "a run from place {first}");
        let block = |number: usize| block_at(blocks, first / PLACES + number).0;
        [[block(0), block(1)], [block(2), block(3)]]
    });
    let mut level = 0;
    let mut compare = |sets: &mut [[u32; 2]; RUNS], word: usize, mask: u32| {
        let above = core::array::from_fn::<[u32; 2], RUNS, _>(|run| {
            let plane = |half: usize| own[run][half][0][word] & mask | own[run][half][1][word] & !mask;
            [sets[run][0] & plane(0), sets[run][1] & plane(1)]
        });
        let is_any = above.iter().fold(0, |any, [low, high]| any | low | high) != 0;
        level = 2 * level + u32::from(is_any);
        *sets = if is_any { above } else { *sets };
    };
    // Not a loop, which would keep all words in memory.
    const { assert!(WORDS == 4) };
    let low = ALL as u32;
    compare(&mut sets, 0, low);
    compare(&mut sets, 1, low);
    compare(&mut sets, 2, low);
    compare(&mut sets, 3, low);
    let mut sets = sets.map(|halves| halves.map(|half| half.rotate_left(PLACES as u32)));
    compare(&mut sets, 0, !low);
    compare(&mut sets, 1, !low);
    compare(&mut sets, 2, !low);
    compare(&mut sets, 3, !low);
    let sets = sets.map(|halves| halves.map(|half| half.rotate_left(PLACES as u32)));
    (sets.map(|[low, high]| u64::from(high) << 32 | u64::from(low)), EXACT.contains(&level))
}

/// What is highest among some runs.
#[derive(Clone, Copy, Debug)]
pub struct HighestLevel {
    level: u32,
    /// Places that have it.
    places: u32,
    /// The first run in which one of them is, and behind the last.
    runs: (usize, usize),
}

impl Highest for HighestLevel {
    #[inline(always)]
    fn equals(&self) -> Option<u32> {
        (self.places == 1 || self.places > 0 && EXACT.contains(&self.level)).then_some(self.places)
    }

    #[inline(always)]
    fn runs(&self, _: usize) -> (usize, usize) {
        self.runs
    }
}

impl Scored for Block {
    type Highest = HighestLevel;

    #[inline(always)]
    fn highest(blocks: &[Self], runs: impl Iterator<Item = (usize, u64)>) -> HighestLevel {
        let mut highest = HighestLevel { level: 0, places: 0, runs: (0, 0) };
        let mut runs = runs.enumerate();
        let (mut number, mut laid) = (0, Laid::NOTHING);
        // One loop over the blocks of all runs: a loop in a loop would wait for the longest run of all threads each time.
        loop {
            if laid.is_empty() {
                let Some((next, (first, places))) = runs.next() else { return highest };
                (number, laid) = (next, Laid::new(first, places));
            }
            let (block, set) = laid.next();
            if set == 0 {
                continue;
            }
            let (set, level) = Planes::at(blocks, block).climbed(set);
            if highest.places == 0 || level > highest.level {
                highest = HighestLevel { level, places: 0, runs: (number, number) };
            }
            if level == highest.level {
                highest.places += set.count_ones();
                highest.runs.1 = number + 1;
            }
        }
    }

    #[inline(always)]
    fn with(blocks: &[Self], highest: &HighestLevel, first: usize, places: u64) -> u64 {
        let shift = (first % PLACES) as u32;
        let mut laid = Laid::new(first, places);
        let (mut low, mut high, mut start) = (0u64, 0u64, 0);
        while !laid.is_empty() {
            let (block, set) = laid.next();
            if set != 0 {
                let set = Planes::at(blocks, block).of_level(set, highest.level);
                low |= if start < 64 { u64::from(set) << start } else { 0 };
                high |= if start < 64 { 0 } else { u64::from(set) };
            }
            start += 32;
        }
        low >> shift | (high << 1) << (63 - shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use spinney_core::bits;

    /// Places of a table.
    const MANY: usize = 192;

    fn levels_of(values: &[f32]) -> Levels {
        let mut levels = Levels::new(values.len(), 0.0);
        for (place, &value) in values.iter().enumerate() {
            levels.change(place, 0.0, value);
        }
        levels
    }

    proptest! {
        /// The highest values of some runs are all among those with the highest level, and these have no other level.
        #[test]
        fn levels_lose_nothing_that_is_highest(
            values in prop::collection::vec(-1000i32..=1000, MANY),
            // All of them below 1, some above, and many equal ones.
            scale in prop::sample::select(vec![1001.0f32, 1000.0, 600.0, 10.0, 1.0]),
            runs in prop::collection::vec((0usize..128, any::<u64>(), 0u32..64), 1..8),
        ) {
            let means: Vec<f32> = values.into_iter().map(|value| value as f32 / scale).collect();
            let levels = levels_of(&means);
            let blocks = levels.row(0);
            let runs: Vec<(usize, u64)> = runs.into_iter().map(|(first, places, short)| (first, places >> short)).collect();
            let ids = |&(first, set): &(usize, u64)| bits::squares(set).map(move |place| first + usize::from(place));
            let best = runs.iter().flat_map(ids).map(|place| means[place]).reduce(f32::max);
            let highest = Block::highest(blocks, runs.iter().copied());
            let mut count = 0;
            for (number, &(first, places)) in runs.iter().enumerate() {
                let near = Block::with(blocks, &highest, first, places);
                prop_assert_eq!(near & !places, 0);
                count += near.count_ones();
                let (start, end) = highest.runs(runs.len());
                prop_assert!(near == 0 || (start..end).contains(&number));
                for place in bits::squares(places) {
                    let (value, best) = (means[first + usize::from(place)], best.unwrap());
                    prop_assert_eq!(near >> place & 1 == 1, level(value) == level(best));
                    prop_assert!(value < best || level(value) == level(best));
                }
            }
            prop_assert_eq!(highest.places, count);
            match highest.equals() {
                None => prop_assert!(count != 1),
                Some(equals) => {
                    prop_assert!(runs.iter().flat_map(ids).all(|place| means[place] <= best.unwrap()));
                    let highest = runs.iter().flat_map(ids).filter(|&place| Some(means[place]) == best);
                    prop_assert_eq!(highest.count() as u32, equals);
                }
            }
        }

        /// Few runs are compared at once as they are one after the other.
        #[test]
        fn few_runs_are_compared_as_many(
            values in prop::collection::vec(-1000i32..=1000, MANY),
            scale in prop::sample::select(vec![1001.0f32, 1000.0, 600.0, 10.0, 1.0]),
            sets in prop::array::uniform3((any::<u64>(), 0u32..=64)),
        ) {
            let means: Vec<f32> = values.into_iter().map(|value| value as f32 / scale).collect();
            let levels = levels_of(&means);
            let blocks = levels.row(0);
            let mut number = 0;
            let runs = sets.map(|(places, short)| {
                number += 1;
                (64 * (number - 1), places.checked_shr(short).unwrap_or(0))
            });
            let highest = Block::highest(blocks, runs.into_iter());
            let (few, are_equal) = highest_of_few(blocks, runs);
            prop_assert_eq!(few, runs.map(|(first, places)| Block::with(blocks, &highest, first, places)));
            prop_assert_eq!(are_equal && few != [0; 3], EXACT.contains(&highest.level) && highest.places > 0);
        }

        /// A table of other values is the same, however they came about.
        #[test]
        fn levels_are_those_of_the_values(changes in prop::collection::vec((0usize..MANY, -130i32..=130), 0..400)) {
            let mut values = [0.0; MANY];
            let mut levels = Levels::new(MANY, 0.0);
            for (place, value) in changes {
                let value = value as f32 / 128.0;
                levels.change(place, std::mem::replace(&mut values[place], value), value);
            }
            let same = levels_of(&values);
            prop_assert_eq!(levels.row(0), same.row(0));
        }
    }

    #[test]
    fn levels_rise_with_values() {
        let values: Vec<f32> = (-1100..=1100).map(|value| value as f32 / 1000.0).collect();
        assert!(values.windows(2).all(|pair| level(pair[0]) <= level(pair[1])));
        for (exact, value) in EXACT.into_iter().zip([-1.0f32, 0.0, 1.0]) {
            assert_eq!(level(value), exact);
            assert!(level(value.next_down()) < exact && exact < level(value.next_up()), "{value}");
        }
        assert_eq!([level(-9.0), level(9.0), level(-0.0)], [1, 255, 128]);
    }

    #[test]
    fn nothing_is_highest_where_there_is_nothing() {
        let levels = Levels::new(64, 0.5);
        let highest = Block::highest(levels.row(32), [(0, 0)].into_iter());
        assert_eq!(highest.runs(1), (0, 0));
        // Tables without levels have no blocks.
        assert!(Levels::new(0, 0.5).row(64).is_empty());
        Levels::new(0, 0.5).change(3, 0.0, 1.0);
    }
}
