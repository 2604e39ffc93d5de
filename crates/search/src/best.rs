//! The best of many children, by their words of visits and their values: in vectors, and where there are hundreds, without
//! a root and a quotient for each of them.

use crate::tree::MOST_VISITS;
#[cfg(not(feature = "std"))]
use spinney_core::arithmetic::Rounded as _;

/// How children are compared.
pub trait Score {
    /// The score of a child with this word of visits, in which what is proven is marked by the highest bit, and this value.
    fn score(&self, word: u32, value: f32) -> f32;

    /// The scale of UCB1, if it is that: its scores can be estimated.
    #[inline(always)]
    fn scale(&self) -> Option<f32> {
        None
    }
}

impl<F: Fn(u32, f32) -> f32> Score for F {
    #[inline(always)]
    fn score(&self, word: u32, value: f32) -> f32 {
        self(word, value)
    }
}

/// UCB1: value + √(scale / visits), with scale = C² ln n.
#[derive(Clone, Copy, Debug)]
pub struct Ucb1 {
    /// What the visits of a child divide.
    pub scale: f32,
}

impl Score for Ucb1 {
    #[inline(always)]
    fn score(&self, word: u32, value: f32) -> f32 {
        value + (self.scale / reliable(word)).sqrt()
    }

    #[inline(always)]
    fn scale(&self) -> Option<f32> {
        Some(self.scale)
    }
}

/// The number of visits by which the exploration term is divided: without limit for a proven child, whose value
/// needs no more exploration, and 1 for one not visited.
#[inline(always)]
pub(crate) fn reliable(word: u32) -> f32 {
    let visits = (word & MOST_VISITS) as i32 as f32;
    if word > MOST_VISITS { f32::INFINITY } else { visits.max(1.0) }
}

/// Visits and value of a child side by side.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
pub(crate) struct Standing {
    /// See [`Score::score`].
    pub word: u32,
    /// See [`Score::score`].
    pub value: f32,
}

impl Standing {
    /// Without visits.
    pub const FRESH: Self = Self { word: 0, value: 0.0 };
}

/// The first index with the highest score, and the score. Some are loaded before the first is looked at: a card waits for
/// each load, however many there are at a time.
#[inline(always)]
pub(crate) fn argmax_of(standings: &[Standing], score: &impl Score) -> (usize, f32) {
    let mut best = (0, f32::NEG_INFINITY);
    let (chunks, rest) = standings.as_chunks::<4>();
    let mut index = 0;
    for chunk in chunks {
        for score in chunk.map(|child| score.score(child.word, child.value)) {
            best = if score > best.1 { (index, score) } else { best };
            index += 1;
        }
    }
    for child in rest {
        let score = score.score(child.word, child.value);
        best = if score > best.1 { (index, score) } else { best };
        index += 1;
    }
    best
}

/// Children at a time.
const LANES: usize = 8;

/// The first index with the highest score, and the score; eight lanes at a time.
#[inline(always)]
pub(crate) fn argmax(visits: &[u32], means: &[f32], score: &impl Score) -> (usize, f32) {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    if visits.len() >= many::LEAST
        && let Some(scale) = score.scale()
    {
        return many::argmax(visits, means, Ucb1 { scale });
    }
    let mut best = [f32::NEG_INFINITY; LANES];
    let mut place = [0u32; LANES];
    let whole = visits.len() / LANES * LANES;
    for start in (0..whole).step_by(LANES) {
        let words: &[u32; LANES] = visits[start..start + LANES].try_into().expect("a whole chunk");
        let values: &[f32; LANES] = means[start..start + LANES].try_into().expect("a whole chunk");
        for lane in 0..LANES {
            let value = score.score(words[lane], values[lane]);
            let better = value > best[lane];
            best[lane] = if better { value } else { best[lane] };
            place[lane] = if better { (start + lane) as u32 } else { place[lane] };
        }
    }
    // Few children leave nothing in the lanes, and looking through them would take longer than the rest.
    let mut found = if whole == 0 { (0, f32::NEG_INFINITY) } else { first_of_best(best, place) };
    for index in whole..visits.len() {
        let value = score.score(visits[index], means[index]);
        if value > found.1 {
            found = (index, value);
        }
    }
    found
}

/// The highest score of all lanes, and the first place that has it. Without branches: which lane wins is not foreseen.
#[inline(always)]
pub(crate) fn first_of_best<const LANES: usize>(best: [f32; LANES], place: [u32; LANES]) -> (usize, f32) {
    let highest =
        best.into_iter().fold(f32::NEG_INFINITY, |highest, score| if score > highest { score } else { highest });
    let mut first = u32::MAX;
    for lane in 0..LANES {
        first = first.min(if best[lane] == highest { place[lane] } else { u32::MAX });
    }
    (first as usize, highest)
}

/// Scores of hundreds of children are first estimated, a little too high; only what may be the best so far is worked out.
/// A third of the time of a search in Amazons was roots and quotients of children far from the best.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[allow(unsafe_code)]
mod many {
    use super::{LANES, MOST_VISITS, Score, Ucb1};
    use core::arch::x86_64::*;
    #[cfg(not(feature = "std"))]
    use spinney_core::arithmetic::Rounded as _;

    /// Children for which it pays.
    pub(super) const LEAST: usize = 64;

    /// An estimated root is wrong by at most 1.5 / 2^12 of its size; the rest is for what is rounded.
    const TOO_HIGH: f32 = 1.0 + 1.0 / (1 << 10) as f32;
    const ROUNDED: f32 = 1.0 / (1 << 20) as f32;

    #[inline(never)]
    pub(super) fn argmax(visits: &[u32], means: &[f32], rule: Ucb1) -> (usize, f32) {
        let (vectors, rest) = visits.as_chunks::<LANES>();
        let (values, values_of_rest) = means.as_chunks::<LANES>();
        let root = rule.scale.sqrt() * TOO_HIGH;
        let mut best = (0, f32::NEG_INFINITY);
        for (number, (words, values)) in vectors.iter().zip(values).enumerate() {
            // Nothing is above what is not a number: after +∞ nothing better comes, and all are above −∞.
            if number == 0 || may_be_above(words, values, root, best.1 - best.1.abs() * ROUNDED) {
                look(&mut best, LANES * number, words, values, rule);
            }
        }
        look(&mut best, LANES * vectors.len(), rest, values_of_rest, rule);
        best
    }

    #[inline(always)]
    fn look(best: &mut (usize, f32), first: usize, words: &[u32], values: &[f32], rule: Ucb1) {
        for (index, (&word, &value)) in (first..).zip(words.iter().zip(values)) {
            let score = rule.score(word, value);
            if score > best.1 {
                *best = (index, score);
            }
        }
    }

    /// Whether one of these children may have a score above a number.
    #[inline(always)]
    fn may_be_above(words: &[u32; LANES], values: &[f32; LANES], root: f32, number: f32) -> bool {
        // SAFETY: this is compiled only where the target has AVX2; arrays of eight numbers are read.
        unsafe {
            let words = _mm256_and_si256(
                _mm256_loadu_si256(words.as_ptr().cast()),
                _mm256_set1_epi32(MOST_VISITS.cast_signed()),
            );
            // What is proven counts as explored like others here, which is too high as well.
            let visits = _mm256_max_ps(_mm256_cvtepi32_ps(words), _mm256_set1_ps(1.0));
            let explored = _mm256_mul_ps(_mm256_set1_ps(root), _mm256_rsqrt_ps(visits));
            let scores = _mm256_add_ps(_mm256_loadu_ps(values.as_ptr()), explored);
            _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(scores, _mm256_set1_ps(number))) != 0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn argmax_is_the_first_of_the_best(values in prop::collection::vec(-3i32..3, 1..40)) {
            let means: Vec<f32> = values.iter().map(|&value| value as f32).collect();
            let visits = vec![1; means.len()];
            let (index, score) = argmax(&visits, &means, &|_, mean: f32| mean);
            let best = means.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            prop_assert_eq!(index, means.iter().position(|&mean| mean == best).unwrap());
            prop_assert_eq!(score, best);
        }
    }

    proptest! {
        /// Estimates lose nothing: near and equal scores, proven children and those without visits included.
        #[test]
        fn many_are_compared_as_few(
            children in prop::collection::vec((0u32..40, -40i32..=40, 0u8..12), 64..300),
            (steps, parent) in (prop::sample::select(vec![1.0f32, 7.0, 1000.0, 100_000.0]), 1u32..100_000),
            more in prop::sample::select(vec![0u32, 1000, 3_000_000]),
        ) {
            let (visits, means): (Vec<u32>, Vec<f32>) = children
                .into_iter()
                .map(|(visits, value, proof)| match proof {
                    0 => (visits | 1 << 31, f32::INFINITY),
                    1 | 2 => (visits | 1 << 31, f32::NEG_INFINITY),
                    3 => (visits | 1 << 31, 0.0),
                    _ => (visits + more, value as f32 / steps),
                })
                .unzip();
            let rule = Ucb1 { scale: 0.64 * (parent as f32).ln() };
            let one_by_one = |word, value| rule.score(word, value);
            prop_assert_eq!(argmax(&visits, &means, &rule), argmax(&visits, &means, &one_by_one));
            // Without wins, and with losses alone.
            let lost: Vec<f32> = means.iter().map(|&mean| if mean == f32::INFINITY { -mean } else { mean }).collect();
            prop_assert_eq!(argmax(&visits, &lost, &rule), argmax(&visits, &lost, &one_by_one));
            let all_lost = vec![f32::NEG_INFINITY; means.len()];
            prop_assert_eq!(argmax(&visits, &all_lost, &rule), argmax(&visits, &all_lost, &one_by_one));
        }
    }

    #[test]
    fn a_proven_child_is_not_explored() {
        assert_eq!(reliable(5), 5.0);
        assert_eq!(reliable(0), 1.0);
        assert_eq!(1.0 / reliable(5 | 1 << 31), 0.0);
    }
}
