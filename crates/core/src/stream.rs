//! The numbers that chance is made of. A search hands a stream to the game, and by choosing which numbers flow it
//! shares luck between moves or turns it round, without the game knowing.

use crate::random::{Seed, mix};

/// What SplitMix64 adds to its state for each number.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A stream of numbers from which a game draws its chance events.
///
/// It is SplitMix64 (Steele, Lea and Flood, 2014), so a seed and the number of the event decide the event: equal
/// seeds give common random numbers, and nothing has to be stored to use a sequence again.
///
/// ```
/// use spinney_core::{Seed, Stream};
/// let (mut lucky, mut unlucky) = (Stream::new(Seed::new(7)), Stream::opposite(Seed::new(7)));
/// for _ in 0..10 {
///     assert_eq!(lucky.below(36) + unlucky.below(36), 35);
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Stream {
    next: u64,
    flip: u64,
    ranked: bool,
    shared: bool,
}

impl Stream {
    /// The stream that belongs to a seed.
    #[inline(always)]
    pub const fn new(seed: Seed) -> Self {
        Self { next: seed.value(), flip: 0, ranked: false, shared: false }
    }

    /// The same stream turned round: where `new` draws the lowest number, this one draws the highest.
    #[inline(always)]
    pub const fn opposite(seed: Seed) -> Self {
        Self { next: seed.value(), flip: u64::MAX, ranked: true, shared: false }
    }

    /// Asks the game to draw its events in the order of their worth.
    #[must_use]
    #[inline(always)]
    pub const fn in_ranks(mut self) -> Self {
        self.ranked = true;
        self
    }

    /// Whether low numbers shall be bad luck and high ones good. A game for which that costs nothing always does so;
    /// others need to only if they are asked.
    #[inline(always)]
    pub const fn is_ranked(&self) -> bool {
        self.ranked
    }

    /// Says that other simulations are given the same numbers.
    #[must_use]
    #[inline(always)]
    pub const fn in_common(mut self) -> Self {
        self.shared = true;
        self
    }

    /// Whether other simulations are given the same numbers, so that it pays to spend them on what simulations have in
    /// common: to decide the order of a whole pile of cards, say, and not card by card.
    #[inline(always)]
    pub const fn is_shared(&self) -> bool {
        self.shared
    }

    /// The next 64 bits.
    #[inline(always)]
    pub const fn bits(&mut self) -> u64 {
        let bits = mix(self.next) ^ self.flip;
        self.next = self.next.wrapping_add(STEP);
        bits
    }

    /// A number from 0 to `bound - 1`, each equally likely up to one part in 2^64 / `bound`.
    #[inline(always)]
    pub const fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0);
        ((self.bits() as u128 * bound as u128) >> 64) as u32
    }

    /// A number in [0, 1), a multiple of 2^-53.
    #[inline(always)]
    pub const fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_the_numbers() {
        let draw = |mut stream: Stream| [0; 8].map(|_| stream.below(1296));
        let seed = Seed::new(3);
        assert_eq!(draw(Stream::new(seed)), draw(Stream::new(seed).in_ranks()));
        assert_eq!(draw(Stream::opposite(seed)), draw(Stream::new(seed)).map(|number| 1295 - number));
        assert_ne!(draw(Stream::new(seed)), draw(Stream::new(seed.child(0))));
    }

    #[test]
    fn neighbouring_seeds_are_independent() {
        let mut counts = [0u32; 36];
        for number in 0..36_000 {
            let mut stream = Stream::new(Seed::new(1).child(number));
            counts[(6 * stream.below(6) + stream.below(6)) as usize] += 1;
        }
        let chi_square: f64 = counts.iter().map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
        assert!(chi_square < 66.6, "chi-square {chi_square} with 35 degrees of freedom, 99.9 % point 66.6");
    }
}
