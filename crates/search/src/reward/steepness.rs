//! k, the steepness of the sigmoid: given, or chosen while the search runs.

use super::settings::Steepness;

/// A k that may learn.
#[derive(Clone, Copy, Debug)]
pub struct Slope {
    k: f64,
    learns: bool,
    bonuses: f64,
}

/// Mean square of a number spread evenly over (−1, 1): with it all bonuses from −1 to 1 are about as frequent, so
/// that the sigmoid neither saturates nor stays near its middle. For a normal λ that is k = 1.7.
const EVEN: f64 = 1.0 / 3.0;
const START: f64 = 1.7;

impl Slope {
    /// As set; a k that learns starts anew.
    pub fn new(steepness: Steepness) -> Self {
        match steepness {
            Steepness::Fixed(k) => Self { k: f64::from(k), learns: false, bonuses: 0.0 },
            Steepness::Online => Self { k: START, learns: true, bonuses: 0.0 },
        }
    }

    /// k.
    #[inline]
    pub fn k(&self) -> f64 {
        self.k
    }

    /// Learns from a bonus: smaller after large ones, larger after small ones, in ever smaller steps (Robbins and
    /// Monro, 1951).
    #[inline]
    pub fn learn(&mut self, bonus: f64) {
        if self.learns {
            self.bonuses += 1.0;
            let step = 4.0 / (self.bonuses + 40.0);
            self.k = (self.k * (1.0 + step * (EVEN - bonus * bonus))).clamp(0.01, 100.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bonus::sigmoid;
    use super::*;
    use spinney_core::{Random, Seed};

    fn learned(draw: impl Fn(&mut Random) -> f64) -> (f64, f64) {
        let mut slope = Slope::new(Steepness::Online);
        let mut random = Random::new(Seed::new(1));
        let mut squares = 0.0;
        for _ in 0..40_000 {
            let bonus = sigmoid(slope.k() * draw(&mut random));
            slope.learn(bonus);
            squares += bonus * bonus;
        }
        (slope.k(), squares / 40_000.0)
    }

    /// A sum of twelve even numbers is nearly normal; a coin of ±1 is as far from it as can be.
    #[test]
    fn k_spreads_the_bonuses_evenly() {
        let (k, squares) = learned(|random| (0..12).map(|_| f64::from(random.unit())).sum::<f64>() - 6.0);
        assert!((k - 1.7).abs() < 0.2 && (squares - EVEN).abs() < 0.02, "{k} {squares}");
        let (k, squares) = learned(|random| if random.chance(0.5) { 1.0 } else { -1.0 });
        // tanh(k/2)² = 1/3 at k = 1.317.
        assert!((k - 1.317).abs() < 0.02 && (squares - EVEN).abs() < 0.02, "{k} {squares}");
        let (k, _) = learned(|random| 5.0 * ((0..12).map(|_| f64::from(random.unit())).sum::<f64>() - 6.0));
        assert!((k - 0.34).abs() < 0.05, "{k}");
    }

    #[test]
    fn a_given_k_stays() {
        let mut slope = Slope::new(Steepness::Fixed(2.5));
        slope.learn(1.0);
        assert_eq!(slope.k(), 2.5);
    }
}
