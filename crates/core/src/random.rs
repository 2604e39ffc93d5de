//! Random numbers that give the same games on every machine.
//!
//! The generator is xoshiro256++ (Blackman and Vigna, 2021); seeds are derived from names and numbers by
//! hashing, never drawn, so a game is the same whatever thread or machine plays it.

/// A 64-bit seed from which others are derived.
///
/// ```
/// use spinney_core::Seed;
/// let pair = Seed::new(1).named("breakthrough").child(402);
/// assert_eq!(pair, Seed::new(1).named("breakthrough").child(402));
/// assert_ne!(pair.child(0), pair.child(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seed(u64);

impl Seed {
    /// The seed a person gave.
    pub const fn new(value: u64) -> Self {
        Self(value)
    }

    /// The seed of the part with this number: a pair, a seat, a move.
    #[must_use]
    #[inline]
    pub const fn child(self, number: u64) -> Self {
        Self(mix(self.0 ^ mix(number.wrapping_add(0x9e37_79b9_7f4a_7c15))))
    }

    /// The seed of the part with this name.
    #[must_use]
    #[inline]
    pub fn named(self, name: &str) -> Self {
        name.bytes().fold(self.child(name.len() as u64), |seed, byte| seed.child(u64::from(byte)))
    }

    /// The number itself, for storing and printing.
    #[inline]
    pub const fn value(self) -> u64 {
        self.0
    }
}

/// The finalizer of SplitMix64: every bit of the input moves every bit of the result.
#[inline]
pub const fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A stream of random numbers.
///
/// ```
/// use spinney_core::{Random, Seed};
/// let mut random = Random::new(Seed::new(7));
/// assert!(random.below(6) < 6);
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    words: [u64; 4],
}

impl Random {
    /// The stream that belongs to a seed.
    pub fn new(seed: Seed) -> Self {
        let word = |number| seed.child(number).value();
        Self { words: [word(0), word(1), word(2), word(3) | 1] }
    }

    /// The next 64 bits.
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = self.words;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let c2 = c ^ a;
        let d2 = d ^ b;
        self.words = [a ^ d2, b ^ c2, c2 ^ (b << 17), d2.rotate_left(45)];
        result
    }

    /// A number from 0 to `bound - 1`, each equally likely up to one part in 2^64 / `bound`.
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0);
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u32
    }

    /// A number in [0, 1), a multiple of 2^-24.
    #[inline(always)]
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 * (1.0 / 16_777_216.0)
    }

    /// True with the given probability.
    #[inline(always)]
    pub fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First outputs of the reference implementation for the state 1, 2, 3, 4.
    #[test]
    fn generator_is_xoshiro256_plus_plus() {
        let mut random = Random { words: [1, 2, 3, 4] };
        let expected = [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386];
        assert_eq!(expected.map(|_| random.bits()), expected);
    }

    #[test]
    fn below_is_uniform() {
        let mut random = Random::new(Seed::new(1));
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[random.below(7) as usize] += 1;
        }
        let chi_square: f64 = counts.iter().map(|&n| (f64::from(n) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi_square < 22.46, "chi-square {chi_square} with 6 degrees of freedom, 99.9 % point 22.46");
    }

    #[test]
    fn names_that_join_to_the_same_text_differ() {
        let seed = Seed::new(3);
        assert_ne!(seed.named("ab").named("c"), seed.named("a").named("bc"));
    }
}
