//! Levels of values in planes of bits, for a card: a byte for each place instead of a value of four, so that the places of a
//! run whose values are highest are found in one piece of memory or two, 32 of them at a time. What has the highest level may
//! have the highest value; the values decide.

use super::row::{Highest, Scored};
use alloc::{vec, vec::Vec};

/// Bits of a level.
const PLANES: usize = 8;

/// Places of a block: as many as a word of each plane has bits.
const PLACES: usize = 32;

/// The levels of so many places, a word for each bit of them, the highest bit first. A piece of memory, fetched at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct Block([u32; PLANES]);

/// Levels of one value only: −1, 0 and 1. After few simulations nearly all moves have one of these.
const EXACT: [u32; 3] = [2, 128, 254];

/// Levels between 0 and 1, and that of 1.
const STEPS: u32 = 124;

/// A number to which others are added that become whole by that: their bits are above those of this one by as many.
const WHOLE: f32 = 8_388_608.0;

/// The level of a value. Higher values never have lower levels.
#[inline(always)]
fn level(value: f32) -> u32 {
    let size = value.abs();
    // Conversions of numbers take long, and longer with checks of what is too large.
    let between = (size * STEPS as f32 + WHOLE).to_bits().wrapping_sub(WHOLE.to_bits());
    let steps = if size < 1.0 { between } else { STEPS + 1 };
    let steps = if size > 1.0 { STEPS + 2 } else { steps };
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

impl Levels {
    /// So many places of the same value.
    pub fn new(places: usize, value: f32) -> Self {
        let level = level(value);
        let plane = |plane: usize| if level >> (PLANES - 1 - plane) & 1 == 1 { u32::MAX } else { 0 };
        Self { blocks: vec![Block(core::array::from_fn(plane)); places.div_ceil(PLACES)] }
    }

    /// Those of the places from `start` on, which is the first of a block.
    #[inline(always)]
    pub fn row(&self, start: usize) -> &[Block] {
        self.blocks.get(start / PLACES..).unwrap_or_default()
    }

    /// The value of a place has become another one.
    #[inline(always)]
    pub fn change(&mut self, place: usize, before: f32, now: f32) {
        if let Some(&block) = self.blocks.get(place / PLACES) {
            self.change_block(place, block, before, now);
        }
    }

    /// The block in which a place lies. There is one at least.
    #[inline(always)]
    pub fn block_of(&self, place: usize) -> Block {
        self.blocks[place / PLACES]
    }

    /// Whether two places lie in one block.
    #[inline(always)]
    pub fn share_block([first, second]: [usize; 2]) -> bool {
        first / PLACES == second / PLACES
    }

    /// [`Self::change`] for a place whose block is known.
    #[inline(always)]
    pub fn change_block(&mut self, place: usize, Block(words): Block, before: f32, now: f32) {
        let changed = level(before) ^ level(now);
        if changed == 0 {
            return;
        }
        // Whatever changes is turned to the bit of the place at once; from there each plane is a constant turn away.
        let (bit, turned) = (1 << (place % PLACES), changed.rotate_left((place % PLACES) as u32));
        let own = |plane: usize| turned.rotate_right((PLANES - 1 - plane) as u32) & bit;
        self.blocks[place / PLACES] = Block(core::array::from_fn(|plane| words[plane] ^ own(plane)));
    }
}

/// A block; behind the last there is nothing that anybody asks for.
#[inline(always)]
fn block_at(blocks: &[Block], number: usize) -> Block {
    blocks[number.min(blocks.len().saturating_sub(1))]
}

/// The levels of 32 places from `first` on. Behind the last block there are none.
#[inline(always)]
fn window(blocks: &[Block], first: usize) -> [u32; PLANES] {
    let (block, shift) = (first / PLACES, (first % PLACES) as u32);
    let (Block(low), Block(high)) = (block_at(blocks, block), block_at(blocks, block + 1));
    core::array::from_fn(|plane| ((u64::from(high[plane]) << 32 | u64::from(low[plane])) >> shift) as u32)
}

/// The places of few runs that have the highest level of all, and whether these are known to have the same value. All runs are
/// compared at once, plane by plane; each begins where the 64 places of the one before end.
#[inline(always)]
pub fn highest_of_few<const RUNS: usize>(blocks: &[Block], runs: [u64; RUNS]) -> ([u64; RUNS], bool) {
    let mut sets = runs.map(|places| [places as u32, (places >> 32) as u32]);
    let Some(planes) = blocks.as_chunks::<2>().0.first_chunk::<RUNS>() else { return ([0; RUNS], false) };
    // All of them are asked for before the first is looked at.
    let planes = planes.map(|halves| halves.map(|Block(planes)| planes));
    let mut level = 0;
    #[allow(clippy::needless_range_loop, reason = "a plane of all runs at a time")]
    for plane in 0..PLANES {
        let mut above = sets;
        let mut any = 0;
        for run in 0..RUNS {
            for half in 0..2 {
                above[run][half] &= planes[run][half][plane];
                any |= above[run][half];
            }
        }
        level = 2 * level + u32::from(any != 0);
        for run in 0..RUNS {
            for half in 0..2 {
                sets[run][half] = if any != 0 { above[run][half] } else { sets[run][half] };
            }
        }
    }
    // No branches: it is asked once for all threads.
    let is_exact = EXACT.into_iter().fold(false, |is_exact, exact| is_exact | (level == exact));
    (sets.map(|[low, high]| u64::from(high) << 32 | u64::from(low)), is_exact)
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
        let (mut number, mut first, mut places) = (0, 0, 0);
        // One loop over halves of runs, of which the second is mostly empty: a loop in a loop would wait for the longest run of
        // all threads each time.
        loop {
            if places == 0 {
                let Some((next, run)) = runs.next() else { return highest };
                number = next;
                (first, places) = run;
                if places == 0 {
                    continue;
                }
            }
            let (planes, mut set, mut level) = (window(blocks, first), places as u32, 0);
            (first, places) = (first + PLACES, places >> PLACES);
            if set == 0 {
                continue;
            }
            for plane in planes {
                let above = set & plane;
                level = 2 * level + u32::from(above != 0);
                set = if above == 0 { set } else { above };
            }
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
        let of_level = |first: usize, mut set: u32| {
            for (plane, word) in window(blocks, first).into_iter().enumerate() {
                // All bits of a plane that has to be 0 are turned.
                let turned = (highest.level >> (PLANES - 1 - plane) & 1).wrapping_sub(1);
                set &= word ^ turned;
            }
            u64::from(set)
        };
        let [low, high] = [places as u32, (places >> 32) as u32];
        let found = if low == 0 { 0 } else { of_level(first, low) };
        if high == 0 { found } else { found | of_level(first + PLACES, high) << 32 }
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
            let sets = sets.map(|(places, short)| places.checked_shr(short).unwrap_or(0));
            let runs: [_; 3] = std::array::from_fn(|number| (64 * number, sets[number]));
            let highest = Block::highest(blocks, runs.into_iter());
            let (few, are_equal) = highest_of_few(blocks, sets);
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
