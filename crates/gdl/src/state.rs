//! States: sets of facts, one bit each.

/// A state: the set of facts that hold, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) words: Vec<u64>,
}

impl State {
    /// No fact holds; there is room for as many bits as so many words have.
    pub(crate) fn empty(words: usize) -> Self {
        Self { words: vec![0; words] }
    }

    /// These facts hold; there are as many words as the highest of them needs.
    pub(crate) fn from_bits(bits: impl IntoIterator<Item = u32>) -> Self {
        let mut words = Vec::new();
        for bit in bits {
            let word = (bit / 64) as usize;
            if word >= words.len() {
                words.resize(word + 1, 0);
            }
            words[word] |= 1u64 << (bit % 64);
        }
        Self { words }
    }

    /// The numbers of the bits that are set.
    pub fn bits(&self) -> impl Iterator<Item = u32> {
        self.words.iter().enumerate().flat_map(|(word, &bits)| each_bit(bits).map(move |bit| word as u32 * 64 + bit))
    }

    /// The same facts in so many words: states of one machine that are equal have equal words.
    pub(crate) fn in_words(mut self, words: usize) -> Self {
        self.words.resize(words, 0);
        self
    }

    /// The bits in words of 64, for hashing and storing.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// How many facts hold.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no fact holds.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }
}

/// The numbers of the bits that are set in a word, from the lowest.
pub(crate) fn each_bit(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let bit = bits.trailing_zeros();
        bits &= bits - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_stand_where_they_belong() {
        let state = State::from_bits([64, 3, 0, 3]);
        assert_eq!(state.words(), [0b1001, 1]);
        assert_eq!(state.bits().collect::<Vec<_>>(), [0, 3, 64]);
        assert_eq!(state.len(), 3);
        assert!(!state.is_empty());
    }

    #[test]
    fn an_empty_state_has_words_but_no_facts() {
        let state = State::empty(2);
        assert!(state.is_empty() && state.bits().next().is_none());
        assert_eq!(state.words(), [0, 0]);
        assert_ne!(state, State::default());
        assert_eq!(state, State::default().in_words(2));
    }

    #[test]
    fn every_bit_of_a_word_is_met_once() {
        assert_eq!(each_bit(0).count(), 0);
        assert_eq!(each_bit(1 << 63 | 1 << 31 | 1).collect::<Vec<_>>(), [0, 31, 63]);
        assert!(each_bit(u64::MAX).eq(0..64));
    }
}
