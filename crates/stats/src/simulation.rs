//! Random outcomes, for tests and for what a rule is expected to take.

/// A stream of random numbers (SplitMix64: Steele, Lea and Flood, 2014).
pub(crate) struct Simulation(u64);

impl Simulation {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// An index, drawn with the given probabilities.
    pub(crate) fn draw(&mut self, shares: &[f64]) -> usize {
        let mut point = self.uniform();
        for (place, share) in shares.iter().enumerate() {
            point -= share;
            if point < 0.0 {
                return place;
            }
        }
        shares.len() - 1
    }

    /// A number in [0, 1).
    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}
