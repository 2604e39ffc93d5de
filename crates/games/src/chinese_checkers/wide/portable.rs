//! The operations of [`super::Wide`] without special instructions.

/// Thirty-two bytes.
#[derive(Clone, Copy, Debug)]
pub struct Wide([u64; 4]);

/// The highest bit of each byte.
const HIGHEST: u64 = 0x8080_8080_8080_8080;

/// The halves of a word, the lower one first.
#[inline(always)]
fn low(word: u64) -> u64 {
    word & 0xffff_ffff
}

#[allow(missing_docs, reason = "as in the other module")]
impl Wide {
    #[inline]
    pub const fn new(bytes: [u8; 32]) -> Self {
        let mut words = [0; 4];
        let mut index = 0;
        while index < 32 {
            words[index / 8] |= (bytes[index] as u64) << (index % 8 * 8);
            index += 1;
        }
        Self(words)
    }

    #[inline(always)]
    pub fn splat_word(word: u64) -> Self {
        Self([word; 4])
    }

    #[inline(always)]
    pub fn twice_words([low, high]: [u64; 2]) -> Self {
        Self([low, high, low, high])
    }

    #[inline(always)]
    pub fn strips([low, high]: [u64; 2]) -> Self {
        Self([low, low >> 32 | high << 32, high, high >> 32])
    }

    #[inline(always)]
    pub fn joined(self) -> Self {
        let strips = self.made_strips();
        Self::twice_words([strips.0[0], strips.0[2]])
    }

    #[inline(always)]
    pub fn made_strips(self) -> Self {
        let [a, b, c, d] = self.0;
        let [first, second, third, fourth] = [low(a) | d >> 32, low(b) | a >> 32, low(c) | b >> 32, low(d) | c >> 32];
        let end = d >> 32 << 32;
        Self([first | second << 32, second | third << 32, third | fourth << 32, fourth | end])
    }

    #[inline(always)]
    fn with(self, other: Self, operation: impl Fn(u64, u64) -> u64) -> Self {
        Self(core::array::from_fn(|index| operation(self.0[index], other.0[index])))
    }

    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        // The highest bits are added without what would be carried.
        self.with(other, |one, two| ((one & !HIGHEST) + (two & !HIGHEST)) ^ (one ^ two) & HIGHEST)
    }

    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        self.with(other, |one, two| one & two)
    }

    #[inline(always)]
    pub fn without(self, other: Self) -> Self {
        self.with(other, |one, two| one & !two)
    }

    #[inline(always)]
    pub fn or(self, other: Self) -> Self {
        self.with(other, |one, two| one | two)
    }

    #[inline(always)]
    fn byte(&self, index: usize) -> u8 {
        (self.0[index / 8] >> (index % 8 * 8)) as u8
    }

    #[inline(always)]
    pub fn at(self, places: Self) -> Self {
        let byte = |index: usize| {
            let place = places.byte(index);
            if place < 128 { self.byte(index & 16 | usize::from(place & 15)) } else { 0 }
        };
        Self::new(core::array::from_fn(byte))
    }

    #[inline(always)]
    pub fn down<const BY: i32>(self) -> Self {
        Self(self.0.map(|word| word >> BY))
    }

    #[inline(always)]
    pub fn up<const BY: i32>(self) -> Self {
        Self(self.0.map(|word| word << BY))
    }

    #[inline]
    pub fn unzipped(pairs: [[u8; 2]; 6]) -> [u64; 2] {
        let word = |which: usize| (0..6).fold(0, |word, index| word | u64::from(pairs[index][which]) << (8 * index));
        [word(0), word(1)]
    }

    #[inline(always)]
    pub fn word(&self, index: usize) -> u64 {
        self.0[index & 3]
    }
}

/// Thirty-two numbers that are looked up in sets of 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct Places(Wide);

#[allow(missing_docs, reason = "as in the other module")]
impl Places {
    #[inline(always)]
    pub fn new(numbers: Wide) -> Self {
        Self(numbers)
    }

    #[inline(always)]
    pub fn outside(&self, set: Wide) -> u32 {
        (0..32).fold(0, |bits, index| {
            let number = self.0.byte(index);
            let word = if number & 64 == 0 { set.0[0] } else { set.0[1] };
            let is_inside = word >> (number & 63) & u64::from(number >> 7 ^ 1);
            bits | (is_inside as u32 ^ 1) << index
        })
    }
}
