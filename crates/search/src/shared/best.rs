//! The best of children, by what a thread has seen of them: in whole vectors, which are filled with what is never the best.

use super::counts::Seen;
use crate::best::{Score, first_of_best};

/// Children at a time.
const LANES: usize = 8;

/// What was seen of some children.
#[derive(Clone, Debug, Default)]
pub(super) struct Sight {
    vectors: Vec<[Seen; LANES]>,
}

impl Sight {
    /// Sees so many children, as `look` tells.
    #[inline(always)]
    pub(super) fn fill(&mut self, count: usize, look: impl FnOnce(&mut [Seen])) {
        let vectors = count.div_ceil(LANES);
        if self.vectors.len() != vectors {
            self.vectors.resize(vectors, [Seen::NOTHING; LANES]);
        }
        if let Some(last) = self.vectors.last_mut() {
            *last = [Seen::NOTHING; LANES];
        }
        look(&mut self.vectors.as_flattened_mut()[..count]);
    }

    /// What was seen of the child with this number.
    #[inline(always)]
    pub(super) fn seen(&self, number: usize) -> Seen {
        self.vectors[number / LANES][number % LANES]
    }

    /// The child of this number is chosen: what it will give is not known, but that it was visited is.
    #[inline(always)]
    pub(super) fn choose(&mut self, number: usize) {
        self.vectors[number / LANES][number % LANES].0 += 1;
    }

    /// The first child with the highest score, and the score.
    #[inline(always)]
    pub(super) fn best(&self, score: &impl Score) -> (usize, f32) {
        let mut best = [f32::NEG_INFINITY; LANES];
        let mut place = [0u32; LANES];
        let mut start = 0;
        for seen in &self.vectors {
            for lane in 0..LANES {
                let value = score.score(seen[lane].word(), seen[lane].value());
                let better = value > best[lane];
                best[lane] = if better { value } else { best[lane] };
                place[lane] = if better { start + lane as u32 } else { place[lane] };
            }
            start += LANES as u32;
        }
        first_of_best(best, place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::best::argmax;
    use proptest::prelude::*;

    proptest! {
        /// As of children alone, however many there are, and however many there were before.
        #[test]
        fn the_best_is_the_first_of_the_best(lists in prop::collection::vec(prop::collection::vec(-3i16..3, 1..40), 1..4)) {
            let mut sight = Sight::default();
            for list in lists {
                let means: Vec<f32> = list.iter().map(|&value| f32::from(value)).collect();
                let words: Vec<u32> = (1..).take(means.len()).collect();
                sight.fill(means.len(), |seen| {
                    for ((own, &word), &mean) in seen.iter_mut().zip(&words).zip(&means) {
                        *own = Seen::new(word, mean);
                    }
                });
                let score = |word: u32, mean: f32| mean + (word / 8) as f32 * 0.5;
                prop_assert_eq!(sight.best(&score), argmax(&words, &means, &score));
            }
        }
    }

    #[test]
    fn nothing_is_never_the_best() {
        let mut sight = Sight::default();
        sight.fill(2, |seen| seen.fill(Seen::new(1, -5.0)));
        assert_eq!(sight.best(&|_, value: f32| value), (0, -5.0));
        sight.choose(0);
        assert_eq!(sight.best(&|word: u32, value: f32| value - word as f32), (1, -6.0));
    }
}
