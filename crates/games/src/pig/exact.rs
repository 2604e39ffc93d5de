//! Pig solved by backward induction.

use super::{ONE, Pig, State, TWO_ONES, ways};

/// From so many banked points on nobody rolls, however many turns are left: two ones would cost more than a turn can
/// bring.
const MOST_SCORE: usize = 1000;
/// With so many points in a turn nobody rolls either.
const MOST_TOTAL: usize = 120;

/// The values of all positions under the best play.
#[derive(Clone, Debug)]
pub struct Exact {
    /// For each number of turns left, the value of each banked score at the start of a turn.
    layers: Vec<Vec<f64>>,
}

/// The expected final score after each action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionValues {
    /// Of rolling.
    pub roll: f64,
    /// Of stopping.
    pub stop: f64,
}

impl Exact {
    /// Solves the game.
    pub fn new(game: &Pig) -> Self {
        let mut layers = vec![(0..MOST_SCORE).map(|score| score as f64).collect::<Vec<f64>>()];
        for turns in 1..=usize::from(game.turns()) {
            let below = Self { layers: core::mem::take(&mut layers) };
            let layer = (0..MOST_SCORE).map(|score| below.turn_values(turns, score)[0]).collect();
            layers = below.layers;
            layers.push(layer);
        }
        Self { layers }
    }

    /// The value at the start of a turn.
    fn start(&self, turns: usize, score: usize) -> f64 {
        self.layers[turns].get(score).copied().unwrap_or(score as f64)
    }

    fn action_values_within(&self, turns: usize, score: usize, total: usize, after: &[f64]) -> ActionValues {
        let lost =
            f64::from(ways(TWO_ONES)) * self.start(turns - 1, 0) + f64::from(ways(ONE)) * self.start(turns - 1, score);
        let gained: f64 = (4..=12u8).map(|sum| f64::from(ways(sum)) * after[usize::from(sum)]).sum();
        ActionValues { roll: (lost + gained) / 36.0, stop: self.start(turns - 1, score + total) }
    }

    /// The values of all totals of one turn.
    fn turn_values(&self, turns: usize, score: usize) -> Vec<f64> {
        let mut values: Vec<f64> = (0..MOST_TOTAL + 13).map(|total| self.start(turns - 1, score + total)).collect();
        for total in (0..MOST_TOTAL).rev() {
            let actions = self.action_values_within(turns, score, total, &values[total..]);
            values[total] = actions.roll.max(actions.stop);
        }
        values
    }

    /// The expected final score after each action. The state must not be over, nor the dice rolling.
    pub fn action_values(&self, state: &State) -> ActionValues {
        let (turns, score, total) = (usize::from(state.turns), state.score as usize, state.total as usize);
        let mut after = self.turn_values(turns, score);
        after.extend((after.len()..total + 13).map(|total| self.start(turns - 1, score + total)));
        self.action_values_within(turns, score, total, &after[total..])
    }

    /// The expected final score under the best play.
    pub fn value(&self, state: &State) -> f64 {
        if state.turns == 0 {
            return f64::from(state.score);
        }
        let actions = self.action_values(&State { rolling: false, ..*state });
        if state.rolling { actions.roll } else { actions.roll.max(actions.stop) }
    }

    /// The largest total of a turn with which rolling is better than stopping; `None` if it never is.
    pub fn threshold(&self, turns: u8, score: u32) -> Option<u32> {
        let better = |total: &u32| {
            let actions = self.action_values(&State { turns, score, total: *total, rolling: false });
            actions.roll > actions.stop + 1e-12
        };
        (0..MOST_TOTAL as u32).rev().find(better)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pig::Options;
    use spinney_core::Game;

    fn state(turns: u8, score: u32, total: u32) -> State {
        State { turns, score, total, rolling: false }
    }

    #[test]
    fn values_of_the_start() {
        let exact = Exact::new(&Pig::default());
        let expected = [
            8.096_993_333_926,
            15.740_789_381_645,
            22.967_077_089_065,
            29.807_767_951_850,
            36.291_533_139_605,
            42.444_449_407_767,
            48.290_570_556_829,
            53.852_362_857_533,
            59.150_943_935_486,
            64.206_173_379_777,
        ];
        for (turns, value) in (1..).zip(expected) {
            assert!((exact.value(&state(turns, 0, 0)) - value).abs() < 1e-12, "{turns} turns");
        }
        let start = exact.action_values(&Pig::default().initial());
        assert!((start.stop - 59.150_943_935_486).abs() < 1e-12 && (start.roll - 64.206_173_379_777).abs() < 1e-12);
        for (state, value) in [
            (state(5, 40, 0), 66.896_692_051_115),
            (state(1, 100, 0), 103.089_849_108_368),
            (state(1, 60, 0), 64.917_185_832_952),
        ] {
            assert!((exact.value(&state) - value).abs() < 1e-12, "{state:?}");
        }
        let longer = Exact::new(&Pig::new(Options { turns: 20 }));
        assert!((longer.value(&state(20, 0, 0)) - 104.783_608_650).abs() < 1e-9);
        assert!((longer.value(&state(15, 0, 0)) - 86.434_628_239).abs() < 1e-9);
    }

    #[test]
    fn thresholds() {
        let exact = Exact::new(&Pig::default());
        let of = |turns, scores: &[u32]| -> Vec<_> {
            scores.iter().map(|&score| exact.threshold(turns, score).unwrap_or(u32::MAX)).collect()
        };
        assert_eq!(of(1, &[0, 20, 50, 100, 150]), [18, 16, 13, 9, 4]);
        assert_eq!(of(10, &[0, 20, 50, 100, 150, 200]), [18, 16, 14, 10, 6, 3]);
    }

    /// In the last turn one rolls if 200 > 11 T + S.
    #[test]
    fn the_rule_of_the_last_turn() {
        let exact = Exact::new(&Pig::default());
        for score in 0..300 {
            for total in 0..40 {
                let actions = exact.action_values(&state(1, score, total));
                assert_eq!(actions.roll > actions.stop + 1e-12, 200 > 11 * total + score, "{score} {total}");
            }
        }
    }

    /// What the limits of the tables take for granted.
    #[test]
    fn nobody_rolls_near_the_limits() {
        let exact = Exact::new(&Pig::new(Options { turns: 100 }));
        for turns in [1, 10, 50, 100] {
            assert_eq!(exact.threshold(turns, MOST_SCORE as u32 - 1), None);
            assert!(exact.threshold(turns, 0).is_some_and(|total| total < 40));
            assert_eq!(exact.value(&state(turns, 5000, 7)), 5007.0);
        }
    }
}
