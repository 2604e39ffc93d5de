//! The operations of [`super::Wide`] without special instructions.

/// Thirty-two bytes.
#[derive(Clone, Copy, Debug)]
pub struct Wide([u8; 32]);

#[allow(missing_docs, reason = "as in the other module")]
impl Wide {
    #[inline]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    #[inline]
    pub fn splat_word(word: u64) -> Self {
        let bytes = word.to_le_bytes();
        Self(core::array::from_fn(|index| bytes[index % 8]))
    }

    #[inline]
    pub fn copied_twice(half: &u128) -> Self {
        let bytes = half.to_le_bytes();
        Self(core::array::from_fn(|index| bytes[index % 16]))
    }

    #[inline]
    pub fn twice_words([low, high]: [u64; 2]) -> Self {
        Self::copied_twice(&(u128::from(low) | u128::from(high) << 64))
    }

    #[inline]
    pub fn swapped(self) -> Self {
        Self(core::array::from_fn(|index| self.0[index ^ 16]))
    }

    #[inline]
    fn with(self, other: Self, operation: impl Fn(u8, u8) -> u8) -> Self {
        Self(core::array::from_fn(|index| operation(self.0[index], other.0[index])))
    }

    #[inline]
    pub fn plus(self, other: Self) -> Self {
        self.with(other, u8::wrapping_add)
    }

    #[inline]
    pub fn and(self, other: Self) -> Self {
        self.with(other, |one, two| one & two)
    }

    #[inline]
    pub fn without(self, other: Self) -> Self {
        self.with(other, |one, two| one & !two)
    }

    #[inline]
    pub fn or(self, other: Self) -> Self {
        self.with(other, |one, two| one | two)
    }

    #[inline]
    pub fn equals(self, other: Self) -> Self {
        self.with(other, |one, two| if one == two { 255 } else { 0 })
    }

    #[inline]
    pub fn at(self, places: Self) -> Self {
        let byte = |index: usize| {
            let place = places.0[index];
            if place < 128 { self.0[index & 16 | usize::from(place & 15)] } else { 0 }
        };
        Self(core::array::from_fn(byte))
    }

    #[inline]
    pub fn eighths(self) -> Self {
        Self(self.0.map(|byte| byte >> 3 & 15))
    }

    #[inline]
    fn numbers(self, operations: [impl Fn(u128) -> u128; 2]) -> Self {
        let number = |half: usize| u128::from_le_bytes(core::array::from_fn(|index| self.0[16 * half + index]));
        let halves = [0, 1].map(|half| operations[half](number(half)).to_le_bytes());
        Self(core::array::from_fn(|index| halves[index / 16][index % 16]))
    }

    #[inline]
    pub fn shifted_down<const LOW: i64, const HIGH: i64>(self) -> Self {
        self.numbers([LOW, HIGH].map(|by| move |number| number >> by))
    }

    #[inline]
    pub fn shifted_up<const LOW: i64, const HIGH: i64>(self) -> Self {
        self.numbers([LOW, HIGH].map(|by| move |number| number << by))
    }

    #[inline]
    pub fn unzipped(pairs: [[u8; 2]; 6]) -> [u64; 2] {
        let word = |which: usize| (0..6).fold(0, |word, index| word | u64::from(pairs[index][which]) << (8 * index));
        [word(0), word(1)]
    }

    #[inline]
    pub fn joined(self) -> u64 {
        (0..4).fold(0, |joined, index| joined | self.word(index))
    }

    #[inline]
    pub fn joined_with(self, other: Self) -> [u64; 2] {
        [self.joined(), other.joined()]
    }

    #[inline]
    pub fn word(&self, index: usize) -> u64 {
        u64::from_le_bytes(core::array::from_fn(|byte| self.0[8 * (index & 3) + byte]))
    }
}
