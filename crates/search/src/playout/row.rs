//! Rows over move ids: the highest value is found with vector instructions. Scores, whole numbers of sixteen bits that
//! stand for values, leave few places over; their values decide.

use super::values::{Mean, Score, Stored};
use spinney_core::bits;
use spinney_core::random::Random;

/// Games with at most so many move ids have tables with a row for each of them; others have hashed ones.
pub const MOST_PLACES: usize = 512;

/// The length of rows for so many move ids: whole words of bits.
#[inline]
pub const fn row_length(move_ids: usize) -> usize {
    move_ids.next_multiple_of(WORD)
}

/// Places beside one word of bits.
pub const WORD: usize = 64;
/// A set of places.
pub type Places = [u64; MOST_PLACES / WORD];

/// A set of places in few words.
#[inline(always)]
pub fn places<const WORDS: usize>(words: [u64; WORDS]) -> Places {
    let mut places = Places::default();
    places[..WORDS].copy_from_slice(&words);
    places
}

/// The set of some places. With one word it stays in a register.
#[inline(always)]
pub fn set_of<const WORDS: usize>(given: impl Iterator<Item = usize>) -> Places {
    let mut words = [0; WORDS];
    for place in given {
        words[if WORDS == 1 { 0 } else { place / WORD }] |= 1 << (place % WORD);
    }
    places(words)
}

/// Whether a place is in a set.
#[inline(always)]
pub fn holds(set: &[u64], place: usize) -> bool {
    set[place / WORD] >> (place % WORD) & 1 == 1
}

/// Whether tables have scores. A card, which has no vectors, has levels instead.
pub const SCORED: bool = !cfg!(target_arch = "nvptx64");

/// Whether runs are compared by scores: sixteen at a time, or it takes longer than to look at each value.
const COMPARES_RUNS: bool = cfg!(all(target_arch = "x86_64", target_feature = "avx2"));

/// Values looked at together. A card waits for each that it asks for alone; a processor that has compared scores has one left.
pub(super) const TOGETHER: usize = if SCORED { 1 } else { 4 };

/// Scores compared at a time.
const LANES: usize = 16;

/// Calls a function whose last constant parameter is a number of words, so that its loops over words are unrolled.
macro_rules! with_words {
    ($words:expr, $($path:ident).+ :: <$($constant:literal,)? _>($($argument:expr),*)) => {
        match $words {
            1 => $($path).+::<$($constant,)? 1>($($argument),*),
            2 => $($path).+::<$($constant,)? 2>($($argument),*),
            3 => $($path).+::<$($constant,)? 3>($($argument),*),
            4 => $($path).+::<$($constant,)? 4>($($argument),*),
            5 => $($path).+::<$($constant,)? 5>($($argument),*),
            6 => $($path).+::<$($constant,)? 6>($($argument),*),
            7 => $($path).+::<$($constant,)? 7>($($argument),*),
            8 => $($path).+::<$($constant,)? 8>($($argument),*),
            words => unreachable!("{words} words are more than a row has"),
        }
    };
}
pub(super) use with_words;

/// A value of −1 to 1 as a score above 0. Higher values never have lower scores, and scores can be added, if the highest
/// sum is still near enough: [`NEAR_SCORES`].
#[inline(always)]
pub fn score(value: f32) -> i16 {
    (value.clamp(-1.0, 1.0) * 8000.0 + 8100.0) as i16
}

/// How far below the highest sum of two scores that of the highest values can be, and a little more.
pub const NEAR_SCORES: i16 = 3;
/// The same for [`shares`], a reciprocal in which is wrong by at most 1.5 / 2^12 of its size.
pub const NEAR_SHARES: i16 = 16;

/// The places of the set whose scores are so near the highest that they may have the highest value; `scores` gives those
/// of a word, 0 or less for places that are never chosen.
#[inline(always)]
pub fn near_highest<const WORDS: usize>(
    set: &[u64; WORDS],
    near: i16,
    scores: impl Fn(usize) -> [i16; WORD],
) -> [u64; WORDS] {
    let mut open = [[0; WORD]; WORDS];
    let mut highest = [0; LANES];
    for word in 0..WORDS {
        open[word] = open_scores(set[word], &scores(word));
        for part in open[word].as_chunks::<LANES>().0 {
            highest = core::array::from_fn(|lane| part[lane].max(highest[lane]));
        }
    }
    let highest = highest.into_iter().fold(0, i16::max);
    open.map(|scores| above(&scores, (highest - near).max(0)))
}

/// What stands for values where those of runs are compared.
pub trait Scored: Copy {
    /// What is highest among some runs.
    type Highest: Highest;

    /// The highest of some runs: where each begins, and which of the next 64 places are in it.
    fn highest(scores: &[Self], runs: impl Iterator<Item = (usize, u64)>) -> Self::Highest;

    /// The places of a run that have what is highest of all, and maybe others; none of the others have a higher value.
    fn with(scores: &[Self], highest: &Self::Highest, first: usize, places: u64) -> u64;
}

/// What is highest among some runs.
pub trait Highest {
    /// The number of such places, where all of them are known to have the same value and there is one at least.
    fn equals(&self) -> Option<u32> {
        None
    }

    /// The first of so many runs where such places are, and behind the last.
    fn runs(&self, count: usize) -> (usize, usize) {
        (0, count)
    }
}

impl Highest for i16 {}

impl Scored for i16 {
    type Highest = i16;

    #[inline(always)]
    fn highest(scores: &[Self], runs: impl Iterator<Item = (usize, u64)>) -> i16 {
        if !COMPARES_RUNS {
            return 0;
        }
        let mut highest = [0; LANES];
        for (first, places) in runs {
            let Some(scores) = scores[first..].first_chunk::<WORD>() else { continue };
            for (quarter, scores) in scores.as_chunks::<LANES>().0.iter().enumerate() {
                let open = (places >> (LANES * quarter)) as u16;
                // Few runs are longer than two quarters.
                if quarter < 2 || open != 0 {
                    highest = higher(highest, open, scores);
                }
            }
        }
        highest.into_iter().fold(0, i16::max)
    }

    #[inline(always)]
    fn with(scores: &[Self], highest: &i16, first: usize, places: u64) -> u64 {
        if !COMPARES_RUNS {
            return places;
        }
        let Some(scores) = scores[first..].first_chunk::<WORD>() else { return 0 };
        let [low, high] = [0, 1].map(|half| {
            let is_empty = half == 1 && places >> 32 == 0;
            if is_empty { 0 } else { u64::from(above_half(scores, half, highest - 1)) }
        });
        places & (high << 32 | low)
    }
}

/// Values of move ids with their scores, after which a word more can be read, or their levels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub means: &'a [Stored],
    pub scores: &'a [Score],
}

impl Row<'_> {
    /// The mean of a place.
    #[inline(always)]
    pub fn mean(&self, place: usize) -> f32 {
        self.means[place].mean()
    }

    /// The highest mean among some places of a run, and those that have it; −∞ where there is none.
    #[inline(always)]
    pub fn highest_of(&self, first: usize, mut places: u64) -> (f32, u64) {
        let (mut highest, mut equals) = (f32::NEG_INFINITY, 0);
        let Some(last) = self.means.len().checked_sub(1) else { return (highest, 0) };
        while places != 0 {
            // The lowest of them stands for those that are missing: to look at it twice changes nothing.
            let lowest = places.trailing_zeros();
            let taken: [u32; TOGETHER] = core::array::from_fn(|_| {
                let place = if places == 0 { lowest } else { places.trailing_zeros() };
                places &= places.wrapping_sub(1);
                place
            });
            // All of them are asked for before the first is looked at, which a check of each index would prevent.
            let values = taken.map(|place| {
                debug_assert!(first + place as usize <= last, "place {place} of a run from {first}");
                self.means[(first + place as usize).min(last)].mean()
            });
            // Not by iterators, which would move the arrays into memory.
            for number in 0..TOGETHER {
                let (place, value) = (taken[number], values[number]);
                let is_higher = value > highest;
                highest = if is_higher { value } else { highest };
                equals = if is_higher { 0 } else { equals } | u64::from(value == highest) << place;
            }
        }
        (highest, equals)
    }

    /// The places of all runs that have the highest mean of all. A place of each run at a time: all of them are asked for before
    /// the first is looked at, and threads do not wait for those that have places in one run after the other.
    #[cfg(any(test, target_arch = "nvptx64"))]
    #[inline(always)]
    pub fn highest_of_all<const RUNS: usize>(&self, first: [usize; RUNS], mut sets: [u64; RUNS]) -> [u64; RUNS] {
        let (mut highest, mut equals) = ([f32::NEG_INFINITY; RUNS], [0; RUNS]);
        let Some(last) = self.means.len().checked_sub(1) else { return equals };
        // No comparison of arrays, which would be a call.
        while sets.iter().fold(0, |all, set| all | set) != 0 {
            let values: [f32; RUNS] = core::array::from_fn(|run| {
                self.means[(first[run] + sets[run].trailing_zeros() as usize).min(last)].mean()
            });
            for run in 0..RUNS {
                let lowest = sets[run] & sets[run].wrapping_neg();
                sets[run] ^= lowest;
                let is_higher = lowest != 0 && values[run] > highest[run];
                highest[run] = if is_higher { values[run] } else { highest[run] };
                let is_equal = values[run] == highest[run];
                equals[run] = if is_higher { 0 } else { equals[run] } | if is_equal { lowest } else { 0 };
            }
        }
        let best = highest.into_iter().fold(f32::NEG_INFINITY, f32::max);
        core::array::from_fn(|run| if highest[run] == best { equals[run] } else { 0 })
    }

    /// What is highest among some runs; see [`Scored`].
    #[inline(always)]
    pub fn highest(&self, runs: impl Iterator<Item = (usize, u64)>) -> <Score as Scored>::Highest {
        Scored::highest(self.scores, runs)
    }

    /// Those of a set of ids that may have the highest value; all where nothing stands for values.
    #[inline(always)]
    pub fn near<const WORDS: usize>(&self, set: &[u64; WORDS]) -> [u64; WORDS] {
        if self.scores.is_empty() {
            return *set;
        }
        let highest = self.highest(set.iter().enumerate().map(|(word, &places)| (WORD * word, places)));
        core::array::from_fn(|word| self.with(&highest, WORD * word, set[word]))
    }

    /// The places of a run that may have the highest value of all.
    #[inline(always)]
    pub fn with(&self, highest: &<Score as Scored>::Highest, first: usize, places: u64) -> u64 {
        Scored::with(self.scores, highest, first, places)
    }
}

/// The higher scores of two, where the second are those of a set. The compiler sees no vectors here.
#[inline(always)]
fn higher(highest: [i16; LANES], set: u16, scores: &[i16; LANES]) -> [i16; LANES] {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    #[allow(unsafe_code)]
    {
        use core::arch::x86_64::*;
        const BITS: [u16; LANES] = {
            let mut bits = [0; LANES];
            let mut lane = 0;
            while lane < LANES {
                bits[lane] = 1 << lane;
                lane += 1;
            }
            bits
        };
        // SAFETY: this is compiled only where the target has AVX2; arrays of sixteen numbers are read and written.
        unsafe {
            let bits = _mm256_loadu_si256(BITS.as_ptr().cast());
            let in_set = _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16(set.cast_signed()), bits), bits);
            let open = _mm256_and_si256(_mm256_loadu_si256(scores.as_ptr().cast()), in_set);
            let mut higher = [0; LANES];
            let both = _mm256_max_epi16(_mm256_loadu_si256(highest.as_ptr().cast()), open);
            _mm256_storeu_si256(higher.as_mut_ptr().cast(), both);
            higher
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        core::array::from_fn(|lane| if set >> lane & 1 == 1 { highest[lane].max(scores[lane]) } else { highest[lane] })
    }
}

/// The scores of the places in a set, 0 in others.
#[inline(always)]
fn open_scores(set: u64, scores: &[i16; WORD]) -> [i16; WORD] {
    let quarters: [u16; 4] = core::array::from_fn(|quarter| (set >> (LANES * quarter)) as u16);
    core::array::from_fn(|place| {
        let is_open = quarters[place / LANES] & 1 << (place % LANES) != 0;
        if is_open { scores[place] } else { 0 }
    })
}

/// The places whose scores are above a number.
#[inline(always)]
fn above(scores: &[i16; WORD], number: i16) -> u64 {
    u64::from(above_half(scores, 1, number)) << 32 | u64::from(above_half(scores, 0, number))
}

/// The same of one half of the places. Vector instructions take 10 to 15 % off the time of a search that learns.
#[inline(always)]
fn above_half(scores: &[i16; WORD], half: usize, number: i16) -> u32 {
    let parts = scores.as_chunks::<LANES>().0;
    let (low, high) = (&parts[2 * half], &parts[2 * half + 1]);
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    #[allow(unsafe_code)]
    {
        use core::arch::x86_64::*;
        // SAFETY: this is compiled only where the target has AVX2; arrays of sixteen numbers are read.
        unsafe {
            let number = _mm256_set1_epi16(number);
            let above = |part: &[i16; LANES]| _mm256_cmpgt_epi16(_mm256_loadu_si256(part.as_ptr().cast()), number);
            // Packing leaves the quarters of both parts in the order 0, 2, 1, 3.
            let packed = _mm256_packs_epi16(above(low), above(high));
            _mm256_movemask_epi8(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed)).cast_unsigned()
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        let bit = |part: &[i16; LANES], lane: usize| u32::from(part[lane] > number);
        (0..LANES).fold(0, |places, lane| places | bit(low, lane) << lane | bit(high, lane) << (LANES + lane))
    }
}

/// Scores of the shares that numbers have in their sums with others; 0 or less for no share, and where a sum is 0 or, with
/// LEAST, less than `least`.
#[inline(always)]
pub fn shares<const LEAST: bool>(numbers: &[u16; WORD], others: &[u16; WORD], least: u16) -> [i16; WORD] {
    let mut scores = [0; WORD];
    let parts = numbers.as_chunks().0.iter().zip(others.as_chunks().0);
    for (scores, (numbers, others)) in scores.as_chunks_mut().0.iter_mut().zip(parts) {
        *scores = share_lanes::<LEAST>(numbers, others, least);
    }
    scores
}

/// Reciprocals that are nearly right and their bits as scores halve the time of a search with pairs.
#[inline(always)]
fn share_lanes<const LEAST: bool>(numbers: &[u16; LANES], others: &[u16; LANES], least: u16) -> [i16; LANES] {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "fma"))]
    #[allow(unsafe_code)]
    {
        use core::arch::x86_64::*;
        // SAFETY: this is compiled only where the target has AVX2 and FMA; arrays of sixteen numbers are read and written.
        unsafe {
            let numbers = _mm256_loadu_si256(numbers.as_ptr().cast());
            let sums = _mm256_add_epi16(numbers, _mm256_loadu_si256(others.as_ptr().cast()));
            // From 2 to 3 the bits 8 to 23 of a number rise with it; of what is not a number they are negative.
            let bits = |numbers, sums| {
                let reciprocals = _mm256_rcp_ps(_mm256_cvtepi32_ps(sums));
                let shares = _mm256_fmadd_ps(_mm256_cvtepi32_ps(numbers), reciprocals, _mm256_set1_ps(NO_SHARE));
                _mm256_castps_si256(shares)
            };
            let low = |both| _mm256_and_si256(both, _mm256_set1_epi32(0xffff));
            let even = _mm256_srli_epi32::<8>(bits(low(numbers), low(sums)));
            let high = |both| _mm256_srli_epi32::<16>(both);
            let odd = _mm256_slli_epi32::<8>(bits(high(numbers), high(sums)));
            let mut both = _mm256_blend_epi16::<0b1010_1010>(even, odd);
            if LEAST {
                let least = _mm256_set1_epi16(least.cast_signed());
                both = _mm256_and_si256(both, _mm256_cmpeq_epi16(_mm256_max_epu16(sums, least), sums));
            }
            let mut scores = [0; LANES];
            _mm256_storeu_si256(scores.as_mut_ptr().cast(), both);
            scores
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "fma")))]
    {
        core::array::from_fn(|lane| {
            let sum = numbers[lane] + others[lane];
            let share = f32::from(numbers[lane]) / f32::from(sum) + NO_SHARE;
            if sum == 0 || (LEAST && sum < least) { 0 } else { (share.to_bits() >> 8) as i16 }
        })
    }
}

/// So little below the next number with another score that the smallest share has a score above 0.
const NO_SHARE: f32 = 2.0 + 1.0 / (1 << 14) as f32 - 1.0 / (1 << 22) as f32;

/// The place of the highest value above `floor` among some; equal ones are equally likely, and no random number is drawn
/// for a lone one.
#[inline(always)]
pub fn draw_highest<const WORDS: usize>(
    places: &[u64; WORDS],
    floor: f32,
    random: &mut Random,
    value: impl Fn(usize) -> f32,
) -> Option<usize> {
    if places.iter().map(|set| set.count_ones()).sum::<u32>() == 1 {
        // In which word it is cannot be foretold, so there is no branch.
        let find = |found, word: usize| if places[word] == 0 { found } else { WORD * word + lowest(places[word]) };
        let place = (0..WORDS).fold(0, find);
        return (floor == f32::NEG_INFINITY || value(place) > floor).then_some(place);
    }
    let (mut highest, mut equals) = (floor, Equals::<WORDS>::default());
    for (word, &set) in places.iter().enumerate() {
        for place in bits::squares(set) {
            let value = value(WORD * word + usize::from(place));
            if value > highest {
                (highest, equals) = (value, Equals::default());
            }
            if value == highest && value > floor {
                equals.sets[word] |= 1 << place;
            }
        }
    }
    equals.draw(random)
}

/// The lowest place of a set that is not empty.
#[inline(always)]
fn lowest(set: u64) -> usize {
    set.trailing_zeros() as usize
}

/// Places of equal values, as sets of bits.
struct Equals<const WORDS: usize> {
    sets: [u64; WORDS],
}

impl<const WORDS: usize> Default for Equals<WORDS> {
    #[inline]
    fn default() -> Self {
        Self { sets: [0; WORDS] }
    }
}

impl<const WORDS: usize> Equals<WORDS> {
    #[inline(always)]
    fn draw(&self, random: &mut Random) -> Option<usize> {
        let count = self.sets.iter().map(|set| set.count_ones()).sum();
        let mut index = if count <= 1 { 0 } else { random.below(count) };
        for (word, &set) in self.sets.iter().enumerate() {
            if index < set.count_ones() {
                return Some(WORD * word + lowest(bits::select(set, index)));
            }
            index -= set.count_ones();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use spinney_core::Seed;

    fn is_in(set: &[u64; 2], place: usize) -> bool {
        set[place / WORD] >> (place % WORD) & 1 == 1
    }

    /// The highest value in a set above a floor.
    fn highest_of(set: &[u64; 2], values: &[f32], floor: f32) -> Option<f32> {
        let open = (0..2 * WORD).filter(|&place| is_in(set, place) && values[place] > floor);
        open.map(|place| values[place]).reduce(f32::max)
    }

    proptest! {
        /// The highest values of all runs are found together, in runs that are empty or not.
        #[test]
        fn highest_of_all_runs_are_found(
            values in prop::collection::vec(-3i32..=3, 128),
            sets in prop::array::uniform2((any::<u64>(), any::<u64>(), any::<bool>())),
        ) {
            let values: Vec<f32> = values.into_iter().map(|value| value as f32).collect();
            let sets = sets.map(|(set, other, is_empty)| if is_empty { 0 } else { set & other });
            let best = highest_of(&sets, &values, f32::NEG_INFINITY);
            let found = Row { means: &values, scores: &[] }.highest_of_all([0, WORD], sets);
            for (place, &value) in values.iter().enumerate() {
                prop_assert_eq!(is_in(&found, place), is_in(&sets, place) && Some(value) == best);
            }
        }

        /// What scores leave over holds the highest values, of one row and of the means of two, and little else.
        #[test]
        fn scores_rule_out_nothing_that_is_highest(
            values in prop::collection::vec((-1000i32..=1000, -1000i32..=1000), 128),
            scale in prop::sample::select(vec![1000.0f32, 600.0, 10.0]),
            set in prop::array::uniform2(any::<u64>()),
            seed in any::<u64>(),
        ) {
            let rows = values.into_iter().map(|(one, two)| ((one as f32 / scale).clamp(-1.0, 1.0), two as f32 / 1000.0));
            let (ones, twos): (Vec<f32>, Vec<f32>) = rows.unzip();
            let means: Vec<f32> = ones.iter().zip(&twos).map(|(one, two)| (one + two) / 2.0).collect();
            let one = |word: usize| std::array::from_fn(|place| score(ones[WORD * word + place]));
            let two = |word: usize| std::array::from_fn(|place| one(word)[place] + score(twos[WORD * word + place]));
            for (near, values) in [
                (near_highest(&set, NEAR_SCORES, one), &ones),
                (near_highest(&set, NEAR_SCORES, two), &means),
            ] {
                let best = highest_of(&set, values, f32::NEG_INFINITY);
                for place in (0..2 * WORD).filter(|&place| is_in(&near, place)) {
                    prop_assert!(is_in(&set, place) && values[place] >= best.unwrap() - 0.001);
                }
                let drawn = draw_highest(&near, f32::NEG_INFINITY, &mut Random::new(Seed::new(seed)), |place| values[place]);
                prop_assert_eq!(drawn.map(|place| values[place]), best);
                prop_assert!(drawn.is_none_or(|place| is_in(&set, place)));
                for place in (0..2 * WORD).filter(|&place| is_in(&set, place)) {
                    prop_assert!(is_in(&near, place) || Some(values[place]) < best);
                }
            }
        }
    }

    proptest! {
        /// A reciprocal that is nearly right finds the same place as the quotients, near ones, equal ones and none included.
        #[test]
        fn shares_rule_out_nothing_that_is_highest(
            most in prop::sample::select(vec![3u16, 60, 3000, 32_000]),
            seed in any::<u64>(),
            least in 1u16..4,
            floor in prop::sample::select(vec![0.0f32, 0.5, 0.95]),
        ) {
            let mut random = Random::new(Seed::new(seed));
            let mut number = |most: u16| random.below(u32::from(most) + 1) as u16;
            let numbers: [[u16; WORD]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| number(most)));
            // Few others, so that many shares are nearly 1.
            let others = numbers.map(|numbers| numbers.map(|one| if one > 90 { number(one / 90) } else { number(one) }));
            let set: [u64; 2] = std::array::from_fn(|_| random.bits() & random.bits());
            let value = |place: usize| {
                let (one, other) = (numbers[place / WORD][place % WORD], others[place / WORD][place % WORD]);
                if one + other >= least { f32::from(one) / f32::from(one + other) } else { 0.0 }
            };
            let near = near_highest(&set, NEAR_SHARES, |word| shares::<true>(&numbers[word], &others[word], least));
            if least == 1 {
                let any = |word: usize| shares::<false>(&numbers[word], &others[word], least);
                prop_assert_eq!(near, near_highest(&set, NEAR_SHARES, any));
            }
            let mut same = random.clone();
            let drawn = draw_highest(&near, floor, &mut random, value);
            prop_assert_eq!(drawn, draw_highest(&set, floor, &mut same, value));
            prop_assert_eq!(random.bits(), same.bits());
            let values: Vec<f32> = (0..2 * WORD).map(value).collect();
            prop_assert_eq!(drawn.map(value), highest_of(&set, &values, floor));
        }
    }

    proptest! {
        /// The highest values of some runs are all among those with the highest score, and these hold little else.
        #[test]
        fn runs_lose_nothing_that_is_highest(
            values in prop::collection::vec(-1000i32..=1000, 192),
            scale in prop::sample::select(vec![1000.0f32, 600.0, 10.0, 1.0]),
            runs in prop::collection::vec((0usize..128, any::<u64>(), 0u32..64), 1..8),
        ) {
            let means: Vec<f32> = values.into_iter().map(|value| value as f32 / scale).collect();
            let mut scores: Vec<i16> = means.iter().map(|&mean| score(mean)).collect();
            // What is read behind the row is no place.
            scores.resize(means.len() + WORD, i16::MAX);
            let row = Row { means: &means, scores: &scores };
            let runs: Vec<(usize, u64)> = runs.into_iter().map(|(first, places, short)| (first, places >> short)).collect();
            let open = runs.iter().flat_map(|&(first, set)| bits::squares(set).map(move |place| first + usize::from(place)));
            let best = open.map(|place| means[place]).reduce(f32::max);
            let highest = row.highest(runs.iter().copied());
            for (first, places) in runs {
                let near = row.with(&highest, first, places);
                prop_assert_eq!(near & !places, 0);
                for place in bits::squares(places) {
                    let (value, best) = (means[first + usize::from(place)], best.unwrap());
                    let is_near = near >> place & 1 == 1;
                    prop_assert!(is_near || value < best);
                    prop_assert!(!is_near || !COMPARES_RUNS || score(value) == score(best));
                }
            }
        }
    }

    #[test]
    fn equals_are_equally_likely_and_a_lone_one_needs_no_luck() {
        let mut row = [0.0; 3 * WORD];
        for place in [3, 70, 191] {
            row[place] = 1.0;
        }
        let mut random = Random::new(Seed::new(3));
        let mut counts = [0; 3 * WORD];
        for _ in 0..3000 {
            counts[draw_highest(&[u64::MAX; 3], 0.0, &mut random, |place| row[place]).unwrap()] += 1;
        }
        assert_eq!(counts.iter().sum::<u32>(), counts[3] + counts[70] + counts[191]);
        assert!([3, 70, 191].iter().all(|&place| (900..1100).contains(&counts[place])), "{counts:?}");
        row[100] = 2.0;
        let before = random.clone().bits();
        assert_eq!(draw_highest(&[u64::MAX; 3], 0.0, &mut random, |place| row[place]), Some(100));
        assert_eq!(draw_highest(&[u64::MAX; 3], 2.0, &mut random, |place| row[place]), None);
        assert_eq!(random.bits(), before);
    }
}
