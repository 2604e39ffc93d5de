//! Rows of values over move ids: the highest is found with vector instructions.

use spinney_core::bits;
use spinney_core::random::Random;

/// Games with at most so many move ids have tables with a row for each of them; others have hashed ones.
pub const MOST_PLACES: usize = 512;

/// The length of rows for so many move ids: whole words of bits.
pub const fn row_length(move_ids: usize) -> usize {
    move_ids.next_multiple_of(WORD)
}

/// Values beside one word of bits.
pub const WORD: usize = 64;
/// Values compared at a time.
pub const LANES: usize = 8;
const MOST_WORDS: usize = MOST_PLACES / WORD;

/// The larger of two numbers; what is not a number is never larger.
#[inline(always)]
fn larger(known: f32, other: f32) -> f32 {
    if other > known { other } else { known }
}

/// Lane by lane. The vector instruction by itself saves 4 % of the instructions of a search with N-grams.
#[inline(always)]
fn larger_lanes(known: [f32; LANES], other: &[f32; LANES]) -> [f32; LANES] {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
    #[allow(unsafe_code)]
    {
        use std::arch::x86_64::{_mm256_loadu_ps, _mm256_max_ps, _mm256_storeu_ps};
        // SAFETY: this is compiled only where the target has AVX; arrays of eight values are read and written.
        unsafe {
            let mut lanes = [0.0; LANES];
            // Where either is not a number this gives its second operand.
            let larger = _mm256_max_ps(_mm256_loadu_ps(other.as_ptr()), _mm256_loadu_ps(known.as_ptr()));
            _mm256_storeu_ps(lanes.as_mut_ptr(), larger);
            lanes
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
    {
        std::array::from_fn(|lane| larger(known[lane], other[lane]))
    }
}

#[inline(always)]
fn largest(lanes: &[f32; LANES]) -> f32 {
    let [a, b, c, d, e, f, g, h] = *lanes;
    larger(larger(larger(a, b), larger(c, d)), larger(larger(e, f), larger(g, h)))
}

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

/// The place of the highest value above `floor`; equal ones are equally likely, and no random number is drawn for a
/// lone one. `fill` gives each word of the row before it is looked at.
#[inline(always)]
pub fn draw_highest<const WORDS: usize>(
    row: &mut [[f32; WORD]; WORDS],
    floor: f32,
    random: &mut Random,
    mut fill: impl FnMut(usize, &mut [f32; WORD]),
) -> Option<usize> {
    let mut in_words = [[f32::NEG_INFINITY; LANES]; WORDS];
    let mut in_lanes = [f32::NEG_INFINITY; LANES];
    for word in 0..WORDS {
        fill(word, &mut row[word]);
        let parts = row[word].as_chunks::<LANES>().0;
        in_words[word] = parts.iter().fold([f32::NEG_INFINITY; LANES], larger_lanes);
        in_lanes = larger_lanes(in_lanes, &in_words[word]);
    }
    let highest = largest(&in_lanes);
    if highest <= floor {
        return None;
    }
    let with_highest =
        (0..WORDS).fold(0, |words, word| words | u64::from(equal_lanes(&in_words[word], highest) != 0) << word);
    draw_places::<WORDS, WORD>(with_highest, random, |word| equal_places(&row[word], highest))
}

/// A place in the groups of SIZE places that are set in a number, each of which has a set of places; one is in all
/// of them together at least. Mostly a single group has any, which leaves no branch to guess.
#[inline(always)]
fn draw_places<const WORDS: usize, const SIZE: usize>(
    mut groups: u64,
    random: &mut Random,
    places_of: impl Fn(usize) -> u64,
) -> Option<usize> {
    let first = groups.trailing_zeros() as usize;
    groups &= groups - 1;
    if groups == 0 {
        return Some(SIZE * first + draw_bit(places_of(first), random));
    }
    let mut equals = Equals::<WORDS>::default();
    equals.sets[SIZE * first / WORD] = places_of(first) << (SIZE * first % WORD);
    for group in bits::squares(groups).map(usize::from) {
        equals.sets[SIZE * group / WORD] |= places_of(group) << (SIZE * group % WORD);
    }
    equals.draw(random)
}

/// A bit of a set that is not empty, each equally likely; no random number is drawn for a lone one.
#[inline(always)]
fn draw_bit(set: u64, random: &mut Random) -> usize {
    if set & (set - 1) == 0 {
        return set.trailing_zeros() as usize;
    }
    bits::select(set, random.below(set.count_ones())).trailing_zeros() as usize
}

/// The places of a word that hold this value.
#[inline(always)]
fn equal_places(values: &[f32; WORD], value: f32) -> u64 {
    let parts = values.as_chunks::<LANES>().0;
    u64::from_le_bytes(std::array::from_fn(|part| equal_lanes(&parts[part], value)))
}

/// The highest of every eight values of a row that changes little between choices.
#[derive(Debug)]
pub struct Peaks(Vec<f32>);

impl Peaks {
    /// The peaks of rows of this length, which is in whole words.
    pub fn new(length: usize) -> Self {
        Self(vec![f32::NEG_INFINITY; length / LANES])
    }

    /// Looks at the whole row.
    #[inline(always)]
    pub fn see(&mut self, row: &[f32]) {
        for (peak, part) in self.0.iter_mut().zip(row.as_chunks::<LANES>().0) {
            *peak = largest(part);
        }
    }

    /// Makes a value of the row −∞.
    #[inline(always)]
    pub fn close(&mut self, row: &mut [f32], place: usize) {
        let part = &mut row.as_chunks_mut::<LANES>().0[place / LANES];
        // The part is written whole: reading it after writing a single value would have to wait.
        *part = open_lanes(!(1 << (place % LANES)), part, f32::NEG_INFINITY);
        self.0[place / LANES] = largest(part);
    }

    /// As [`draw_highest`], without a floor.
    #[inline(always)]
    pub fn draw_highest(&self, row: &[f32], random: &mut Random) -> Option<usize> {
        let (peaks, parts) = (self.0.as_chunks::<LANES>().0, row.as_chunks::<LANES>().0);
        let mut in_lanes = [f32::NEG_INFINITY; LANES];
        for peaks in peaks {
            for lane in 0..LANES {
                in_lanes[lane] = larger(in_lanes[lane], peaks[lane]);
            }
        }
        let highest = largest(&in_lanes);
        if highest == f32::NEG_INFINITY {
            return None;
        }
        let with_highest = peaks
            .iter()
            .enumerate()
            .take(MOST_WORDS)
            .fold(0, |parts, (word, peaks)| parts | u64::from(equal_lanes(peaks, highest)) << (LANES * word));
        draw_places::<MOST_WORDS, LANES>(with_highest, random, |part| u64::from(equal_lanes(&parts[part], highest)))
    }

    /// As `draw_highest` for a row that has other values in the parts that hold places of `changed`: `fill` gives each
    /// of these parts, by its number, before it is looked at.
    #[inline(always)]
    pub fn draw_highest_changed<const WORDS: usize>(
        &self,
        row: &[f32],
        changed: &[u64; WORDS],
        values: &mut [[f32; WORD]; WORDS],
        random: &mut Random,
        mut fill: impl FnMut(usize, &mut [f32; LANES]),
    ) -> Option<usize> {
        let mut peaks = *self.0.as_chunks::<LANES>().0.first_chunk::<WORDS>()?;
        let parts = row.as_chunks::<LANES>().0;
        let mut in_lanes = [f32::NEG_INFINITY; LANES];
        for word in 0..WORDS {
            for part in parts_of(changed[word]) {
                let values = &mut values[word].as_chunks_mut::<LANES>().0[part];
                fill(LANES * word + part, values);
                in_lanes = larger_lanes(in_lanes, values);
                peaks[word][part] = f32::NEG_INFINITY;
            }
        }
        let highest = largest(&peaks.iter().fold(in_lanes, larger_lanes));
        if highest == f32::NEG_INFINITY {
            return None;
        }
        let mut equals = Equals::<WORDS>::default();
        for word in 0..WORDS {
            for part in bits::squares(u64::from(equal_lanes(&peaks[word], highest))) {
                let lanes = equal_lanes(&parts[LANES * word + usize::from(part)], highest);
                equals.sets[word] |= u64::from(lanes) << (LANES * usize::from(part));
            }
            for part in parts_of(changed[word]) {
                let lanes = equal_lanes(&values[word].as_chunks::<LANES>().0[part], highest);
                equals.sets[word] |= u64::from(lanes) << (LANES * part);
            }
        }
        equals.draw(random)
    }
}

/// The parts of a word that hold places of a set.
#[inline(always)]
fn parts_of(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let part = set.trailing_zeros() as usize / LANES;
        (set != 0).then(|| {
            set &= !(0xff << (LANES * part));
            part
        })
    })
}

/// Places of equal values, as sets of bits.
struct Equals<const WORDS: usize> {
    sets: [u64; WORDS],
}

impl<const WORDS: usize> Default for Equals<WORDS> {
    fn default() -> Self {
        Self { sets: [0; WORDS] }
    }
}

impl<const WORDS: usize> Equals<WORDS> {
    #[inline(always)]
    fn draw(&self, random: &mut Random) -> Option<usize> {
        let count = self.sets.iter().map(|set| set.count_ones()).sum();
        let mut index = if count == 1 { 0 } else { random.below(count) };
        for (word, &set) in self.sets.iter().enumerate() {
            if index < set.count_ones() {
                return Some(WORD * word + bits::select(set, index).trailing_zeros() as usize);
            }
            index -= set.count_ones();
        }
        None
    }
}

/// The lanes that hold this value, as bits.
#[inline(always)]
fn equal_lanes(values: &[f32; LANES], value: f32) -> u8 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
    #[allow(unsafe_code)]
    {
        use std::arch::x86_64::{_CMP_EQ_OQ, _mm256_cmp_ps, _mm256_loadu_ps, _mm256_movemask_ps, _mm256_set1_ps};
        // SAFETY: this is compiled only where the target has AVX, and eight values are read from an array of eight.
        unsafe {
            let equal = _mm256_cmp_ps::<_CMP_EQ_OQ>(_mm256_loadu_ps(values.as_ptr()), _mm256_set1_ps(value));
            _mm256_movemask_ps(equal) as u8
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
    {
        (0..LANES).fold(0, |lanes, lane| lanes | u8::from(values[lane] == value) << lane)
    }
}

/// All bits but those of a place of the lanes that are set in a byte.
static LANES_OF_BYTE: [[u32; LANES]; 256] = {
    let mut masks = [[0; LANES]; 256];
    let mut index = 0;
    while index < 256 * LANES {
        masks[index / LANES][index % LANES] = if (index / LANES) >> (index % LANES) & 1 == 1 { !PLACE } else { 0 };
        index += 1;
    }
    masks
};

/// The values in the lanes that are set in a byte, and `closed` in the others.
#[inline(always)]
pub fn open_lanes(byte: u8, values: &[f32; LANES], closed: f32) -> [f32; LANES] {
    let masks = &LANES_OF_BYTE[usize::from(byte)];
    #[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
    #[allow(unsafe_code)]
    {
        use std::arch::x86_64::{_mm256_blendv_ps, _mm256_loadu_ps, _mm256_set1_ps, _mm256_storeu_ps};
        // SAFETY: this is compiled only where the target has AVX; arrays of eight values are read and written.
        unsafe {
            let open = _mm256_loadu_ps(masks.as_ptr().cast());
            let chosen = _mm256_blendv_ps(_mm256_set1_ps(closed), _mm256_loadu_ps(values.as_ptr()), open);
            let mut lanes = [0.0; LANES];
            _mm256_storeu_ps(lanes.as_mut_ptr(), chosen);
            lanes
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
    {
        std::array::from_fn(|lane| if masks[lane] == 0 { closed } else { values[lane] })
    }
}

/// Copies a row, with −∞ in the places that are not in the set.
#[inline(always)]
pub fn copy_open(values: &[f32], set: &[u64], row: &mut [f32]) {
    let words = values.as_chunks::<WORD>().0.iter().zip(row.as_chunks_mut::<WORD>().0);
    for ((values, row), set) in words.zip(set) {
        let parts = values.as_chunks::<LANES>().0.iter().zip(row.as_chunks_mut::<LANES>().0);
        for ((values, row), byte) in parts.zip(set.to_le_bytes()) {
            *row = open_lanes(byte, values, f32::NEG_INFINITY);
        }
    }
}

/// By how much 32 places, in four parts, are shifted to the highest bit.
const TO_HIGHEST_BIT: [[i32; LANES]; 4] = [
    [31, 30, 29, 28, 27, 26, 25, 24],
    [23, 22, 21, 20, 19, 18, 17, 16],
    [15, 14, 13, 12, 11, 10, 9, 8],
    [7, 6, 5, 4, 3, 2, 1, 0],
];

/// Counts and sums in words of places.
pub type Counters<'a, const WORDS: usize> = (&'a [[u16; WORD]; WORDS], &'a [[u16; WORD]; WORDS]);

/// The place of the highest quotient above `floor`, which is not negative, as with [`draw_highest`]. LEAST: only places
/// with `least_count` counts or more have one.
#[inline(always)]
pub fn draw_highest_mean<const LEAST: bool, const WORDS: usize>(
    (counts, sums): Counters<'_, WORDS>,
    set: &[u64; WORDS],
    least_count: u16,
    floor: f32,
    values: &mut [[f32; WORD]; WORDS],
    random: &mut Random,
) -> Option<usize> {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    if let Some(place) = lone_highest_mean::<LEAST, WORDS>((counts, sums), set, least_count) {
        let (count, sum) = (counts[place / WORD][place % WORD], sums[place / WORD][place % WORD]);
        return (f32::from(sum) / f32::from(count) > floor).then_some(place);
    }
    draw_highest(values, floor, random, |word, values| {
        fill_means::<LEAST>(&counts[word], &sums[word], set[word], least_count, values);
    })
}

/// The place of the highest quotient, if it is positive and no other comes near it.
///
/// A reciprocal that is wrong by at most 1.5 / 2^12 of its size stands in for the division. The low bits of a quotient
/// hold its place, so that the highest one tells where it is without a second look. This takes 6 % off the time of a
/// search with pairs.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[inline(always)]
#[allow(unsafe_code)]
fn lone_highest_mean<const LEAST: bool, const WORDS: usize>(
    (counts, sums): Counters<'_, WORDS>,
    set: &[u64; WORDS],
    least_count: u16,
) -> Option<usize> {
    use std::arch::x86_64::*;
    /// How far below the highest quotient the exact highest can be: twice the error, the bits of a place, and some.
    const NEARLY: f32 = 1.0 - 1.0 / 1024.0;
    // SAFETY: this is compiled only where the target has AVX2; arrays of eight values are read.
    unsafe {
        let (mut first, mut second) = (_mm256_setzero_si256(), _mm256_setzero_si256());
        for word in 0..WORDS {
            let counters = counts[word].as_chunks::<LANES>().0.iter().zip(sums[word].as_chunks::<LANES>().0);
            for (part, ((counts, sums), byte)) in counters.zip(set[word].to_le_bytes()).enumerate() {
                let counts = _mm256_cvtepu16_epi32(_mm_loadu_si128(counts.as_ptr().cast()));
                let sums = _mm256_cvtepu16_epi32(_mm_loadu_si128(sums.as_ptr().cast()));
                let reciprocals = _mm256_rcp_ps(_mm256_cvtepi32_ps(counts));
                // Where nothing was counted this is a negative number or none, which comes before all others.
                let means = _mm256_castps_si256(_mm256_mul_ps(_mm256_cvtepi32_ps(sums), reciprocals));
                let mut open = _mm256_loadu_si256(LANES_OF_BYTE[usize::from(byte)].as_ptr().cast());
                if LEAST {
                    let known = _mm256_cmpgt_epi32(counts, _mm256_set1_epi32(i32::from(least_count) - 1));
                    open = _mm256_and_si256(open, known);
                }
                let places = _mm256_loadu_si256(PLACES[LANES * word + part].as_ptr().cast());
                let marked = _mm256_or_si256(_mm256_and_si256(means, open), places);
                second = _mm256_max_epi32(second, _mm256_min_epi32(first, marked));
                first = _mm256_max_epi32(first, marked);
            }
        }
        let half = _mm_max_epi32(_mm256_castsi256_si128(first), _mm256_extracti128_si256::<1>(first));
        let pair = _mm_max_epi32(half, _mm_shuffle_epi32::<0b00_00_11_10>(half));
        let highest = _mm_cvtsi128_si32(_mm_max_epi32(pair, _mm_shuffle_epi32::<0b01>(pair))) as u32;
        let near = (f32::from_bits(highest & !PLACE) * NEARLY).to_bits().max(PLACE);
        let near = _mm256_set1_epi32(near as i32);
        let lanes = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(first, near)));
        let others = _mm256_cmpgt_epi32(second, near);
        let is_lone = lanes.count_ones() == 1 && _mm256_testz_si256(others, others) == 1;
        is_lone.then_some((highest & PLACE) as usize)
    }
}

/// The bits of a place.
const PLACE: u32 = MOST_PLACES as u32 - 1;

/// The places of all parts.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
static PLACES: [[u32; LANES]; MOST_PLACES / LANES] = {
    let mut places = [[0; LANES]; MOST_PLACES / LANES];
    let mut place = 0;
    while place < MOST_PLACES {
        places[place / LANES][place % LANES] = place as u32;
        place += 1;
    }
    places
};

/// Quotients of counters in the places of a word that are in the set; 0 in others and where less than `least_count` was
/// counted, and perhaps not a number where nothing was counted and the least count does not matter.
#[inline(always)]
fn fill_means<const LEAST: bool>(
    counts: &[u16; WORD],
    sums: &[u16; WORD],
    set: u64,
    least_count: u16,
    values: &mut [f32; WORD],
) {
    let halves = [set as u32, (set >> 32) as u32];
    let counters = counts.as_chunks::<LANES>().0.iter().zip(sums.as_chunks::<LANES>().0);
    for (part, (values, (counts, sums))) in values.as_chunks_mut::<LANES>().0.iter_mut().zip(counters).enumerate() {
        let (half, shifts) = (halves[part / 4], &TO_HIGHEST_BIT[part % 4]);
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        #[allow(unsafe_code)]
        {
            use std::arch::x86_64::*;
            // SAFETY: this is compiled only where the target has AVX2; arrays of eight values are read and written.
            unsafe {
                let counts = _mm256_cvtepu16_epi32(_mm_loadu_si128(counts.as_ptr().cast()));
                let sums = _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_loadu_si128(sums.as_ptr().cast())));
                let divisors = _mm256_cvtepi32_ps(counts);
                let means = _mm256_div_ps(sums, divisors);
                // The highest bit of a lane says whether it is open.
                let shifts = _mm256_loadu_si256(shifts.as_ptr().cast());
                let mut open = _mm256_sllv_epi32(_mm256_set1_epi32(half as i32), shifts);
                if LEAST {
                    let known = _mm256_cmpgt_epi32(counts, _mm256_set1_epi32(i32::from(least_count) - 1));
                    open = _mm256_and_si256(open, known);
                }
                let chosen = _mm256_blendv_ps(_mm256_setzero_ps(), means, _mm256_castsi256_ps(open));
                _mm256_storeu_ps(values.as_mut_ptr(), chosen);
            }
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        for lane in 0..LANES {
            let is_open = (half << shifts[lane]) >> 31 == 1 && (!LEAST || counts[lane] >= least_count);
            values[lane] = if is_open { f32::from(sums[lane]) / f32::from(counts[lane]) } else { 0.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use spinney_core::Seed;

    proptest! {
        #[test]
        fn the_highest_open_value_is_drawn(values in prop::collection::vec(-3i8..3, 128), low in any::<u64>(), high in any::<u64>()) {
            let values: Vec<f32> = values.into_iter().map(f32::from).collect();
            let mut row = [[0.0; WORD]; 2];
            copy_open(&values, &[low, high], row.as_flattened_mut());
            let is_open = |place: usize| [low, high][place / 64] >> (place % 64) & 1 == 1;
            let best = (0..128).filter(|&place| is_open(place)).map(|place| values[place]).fold(f32::NEG_INFINITY, f32::max);
            let drawn = draw_highest(&mut row, f32::NEG_INFINITY, &mut Random::new(Seed::new(low ^ high)), |_, _| {});
            prop_assert_eq!(drawn.map(|place| (is_open(place), values[place])), (best > f32::NEG_INFINITY).then_some((true, best)));
            let mut peaks = Peaks::new(128);
            peaks.see(row.as_flattened());
            prop_assert_eq!(peaks.draw_highest(row.as_flattened(), &mut Random::new(Seed::new(low ^ high))), drawn);
            prop_assert_eq!(draw_highest(&mut row, best, &mut Random::new(Seed::new(1)), |_, _| {}), None);
        }
    }

    proptest! {
        /// Peaks follow the closing of places of their row.
        #[test]
        fn peaks_are_those_of_the_row(values in prop::collection::vec(-3i8..3, 64), closed in prop::collection::vec(0usize..64, 1..60)) {
            let mut row = [std::array::from_fn(|place| f32::from(values[place]))];
            let mut peaks = Peaks::new(64);
            peaks.see(&row[0]);
            for place in closed {
                peaks.close(&mut row[0], place);
                prop_assert_eq!(row[0][place], f32::NEG_INFINITY);
                let seed = Seed::new(place as u64);
                let drawn = peaks.draw_highest(&row[0], &mut Random::new(seed));
                prop_assert_eq!(drawn, draw_highest(&mut row, f32::NEG_INFINITY, &mut Random::new(seed), |_, _| {}));
            }
        }
    }

    proptest! {
        /// A row with other values in some parts is the row that was changed there.
        #[test]
        fn changed_parts_take_the_place_of_the_row(
            values in prop::collection::vec(-3i8..3, 256),
            changed in prop::array::uniform2(prop::collection::vec(0usize..64, 0..6)),
            seed in any::<u64>(),
        ) {
            let values: Vec<f32> = values.into_iter().map(f32::from).collect();
            let (row, other) = values.split_at(128);
            let changed = changed.map(|places| places.iter().fold(0u64, |set, place| set | 1 << place));
            let mut expected = [[0.0; WORD]; 2];
            for (part, values) in expected.as_flattened_mut().as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                let is_changed = changed[part / LANES] >> (LANES * (part % LANES)) & 0xff != 0;
                *values = (if is_changed { other } else { row }).as_chunks().0[part];
            }
            let mut peaks = Peaks::new(128);
            peaks.see(row);
            let fill = |part: usize, values: &mut [f32; LANES]| *values = other.as_chunks().0[part];
            let (mut scratch, mut random) = ([[0.0; WORD]; 2], Random::new(Seed::new(seed)));
            let mut same = random.clone();
            let drawn = peaks.draw_highest_changed(row, &changed, &mut scratch, &mut random, fill);
            prop_assert_eq!(drawn, draw_highest(&mut expected, f32::NEG_INFINITY, &mut same, |_, _| {}));
            prop_assert_eq!(random.bits(), same.bits());
        }
    }

    proptest! {
        #[test]
        fn means_are_quotients_in_open_places(
            counters in prop::collection::vec((0u16..5, 0u16..5), 64),
            set in any::<u64>(),
            least_count in 1u16..4,
        ) {
            let counts: [u16; WORD] = std::array::from_fn(|place| counters[place].0);
            let sums: [u16; WORD] = std::array::from_fn(|place| counters[place].1.min(2 * counts[place]));
            let (mut counted, mut any) = ([1.0; WORD], [1.0; WORD]);
            fill_means::<true>(&counts, &sums, set, least_count, &mut counted);
            fill_means::<false>(&counts, &sums, set, least_count, &mut any);
            for place in 0..WORD {
                let mean = f32::from(sums[place]) / f32::from(counts[place]);
                let is_open = set >> place & 1 == 1;
                let from_least = if is_open && counts[place] >= least_count { mean } else { 0.0 };
                prop_assert_eq!(counted[place], from_least);
                prop_assert_eq!(any[place].is_nan(), is_open && counts[place] == 0);
                if !any[place].is_nan() {
                    prop_assert_eq!(any[place], if is_open { mean } else { 0.0 });
                }
            }
        }
    }

    proptest! {
        /// What stands in for a division finds the same place as the quotients, near ones, equal ones and none included.
        #[test]
        fn the_highest_mean_is_that_of_the_quotients(
            highest_count in prop::sample::select(vec![3u16, 60, 3000, 32_000]),
            seed in any::<u64>(),
            least_count in 1u16..4,
            floor in prop::sample::select(vec![0.0f32, 1.0, 1.9]),
        ) {
            let mut random = Random::new(Seed::new(seed));
            let mut number = |most: u16| random.below(u32::from(most) + 1) as u16;
            let counts: [[u16; WORD]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| number(highest_count)));
            let sums = counts.map(|counts| counts.map(|count| if count > 90 { count + number(count / 90) } else { number(2 * count) }));
            let set: [u64; 3] = std::array::from_fn(|_| random.bits() & random.bits());
            let mut same = random.clone();
            let (mut values, mut scratch) = ([[0.0; WORD]; 3], [[0.0; WORD]; 3]);
            for (word, values) in values.iter_mut().enumerate() {
                fill_means::<true>(&counts[word], &sums[word], set[word], least_count, values);
            }
            let drawn = draw_highest_mean::<true, 3>((&counts, &sums), &set, least_count, floor, &mut scratch, &mut random);
            prop_assert_eq!(drawn, draw_highest(&mut values, floor, &mut same, |_, _| {}));
            prop_assert_eq!(random.bits(), same.bits());
            let any = draw_highest_mean::<false, 3>((&counts, &sums), &set, 1, floor, &mut scratch, &mut random.clone());
            let one = draw_highest_mean::<true, 3>((&counts, &sums), &set, 1, floor, &mut scratch, &mut random);
            prop_assert_eq!(any, one);
        }
    }

    #[test]
    fn equals_are_equally_likely_and_a_lone_one_needs_no_luck() {
        let mut row = [[0.0; WORD]; 3];
        for place in [3, 70, 191] {
            row[place / WORD][place % WORD] = 1.0;
        }
        let mut random = Random::new(Seed::new(3));
        let mut counts = [0; 192];
        for _ in 0..3000 {
            counts[draw_highest(&mut row, 0.0, &mut random, |_, _| {}).unwrap()] += 1;
        }
        assert_eq!(counts.iter().sum::<u32>(), counts[3] + counts[70] + counts[191]);
        assert!([3, 70, 191].iter().all(|&place| (900..1100).contains(&counts[place])), "{counts:?}");
        row[1][36] = 2.0;
        let before = random.clone().bits();
        assert_eq!(draw_highest(&mut row, 0.0, &mut random, |_, _| {}), Some(100));
        assert_eq!(random.bits(), before);
    }
}
