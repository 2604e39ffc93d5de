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
const LANES: usize = 8;
const MOST_WORDS: usize = MOST_PLACES / WORD;

/// The place of the highest value above `floor`, and the value; equal ones are equally likely, and no random number is
/// drawn for a lone one. The row is whole words long and at most [`MOST_PLACES`].
#[inline(always)]
pub fn draw_highest(row: &[f32], floor: f32, random: &mut Random) -> Option<usize> {
    let mut in_words = [[f32::NEG_INFINITY; LANES]; MOST_WORDS];
    let mut in_lanes = [f32::NEG_INFINITY; LANES];
    for (values, best) in row.chunks_exact(WORD).zip(&mut in_words) {
        for part in values.chunks_exact(LANES) {
            for lane in 0..LANES {
                best[lane] = if part[lane] > best[lane] { part[lane] } else { best[lane] };
            }
        }
        for lane in 0..LANES {
            in_lanes[lane] = if best[lane] > in_lanes[lane] { best[lane] } else { in_lanes[lane] };
        }
    }
    let highest = in_lanes.iter().fold(f32::NEG_INFINITY, |highest, &value| if value > highest { value } else { highest });
    if highest <= floor {
        return None;
    }
    let mut equals = [0u64; MOST_WORDS];
    let mut count = 0;
    for (word, (values, best)) in row.chunks_exact(WORD).zip(&in_words).enumerate() {
        if equal_lanes(best, highest) != 0 {
            for (part, values) in values.chunks_exact(LANES).enumerate() {
                let lanes = equal_lanes(values.try_into().expect("a whole part"), highest);
                equals[word] |= u64::from(lanes) << (LANES * part);
            }
            count += equals[word].count_ones();
        }
    }
    let mut index = if count == 1 { 0 } else { random.below(count) };
    for (word, &set) in equals.iter().enumerate() {
        if index < set.count_ones() {
            return Some(WORD * word + bits::select(set, index).trailing_zeros() as usize);
        }
        index -= set.count_ones();
    }
    None
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

/// Copies a row, with `closed` in the places that are not in the set.
#[inline(always)]
pub fn copy_open(values: &[f32], set: &[u64], closed: f32, row: &mut [f32]) {
    for ((values, row), &word) in values.chunks_exact(WORD).zip(row.chunks_exact_mut(WORD)).zip(set) {
        let parts = values.chunks_exact(LANES).zip(row.chunks_exact_mut(LANES));
        for ((values, row), byte) in parts.zip(word.to_le_bytes()) {
            for lane in 0..LANES {
                row[lane] = if byte & 1 << lane != 0 { values[lane] } else { closed };
            }
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
            let mut row = vec![0.0; 128];
            copy_open(&values, &[low, high], f32::NEG_INFINITY, &mut row);
            let is_open = |place: usize| [low, high][place / 64] >> (place % 64) & 1 == 1;
            let best = (0..128).filter(|&place| is_open(place)).map(|place| values[place]).fold(f32::NEG_INFINITY, f32::max);
            let drawn = draw_highest(&row, f32::NEG_INFINITY, &mut Random::new(Seed::new(low ^ high)));
            prop_assert_eq!(drawn.map(|place| (is_open(place), values[place])), (best > f32::NEG_INFINITY).then_some((true, best)));
            prop_assert_eq!(draw_highest(&row, best, &mut Random::new(Seed::new(1))), None);
        }
    }

    #[test]
    fn equals_are_equally_likely_and_a_lone_one_needs_no_luck() {
        let mut row = vec![0.0; 192];
        for place in [3, 70, 191] {
            row[place] = 1.0;
        }
        let mut random = Random::new(Seed::new(3));
        let mut counts = [0; 192];
        for _ in 0..3000 {
            counts[draw_highest(&row, 0.0, &mut random).unwrap()] += 1;
        }
        assert_eq!(counts.iter().sum::<u32>(), counts[3] + counts[70] + counts[191]);
        assert!([3, 70, 191].iter().all(|&place| (900..1100).contains(&counts[place])), "{counts:?}");
        row[100] = 2.0;
        let before = random.clone().bits();
        assert_eq!(draw_highest(&row, 0.0, &mut random), Some(100));
        assert_eq!(random.bits(), before);
    }
}
