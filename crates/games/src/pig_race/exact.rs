//! Two-player Pig solved by value iteration over pairs of scores (Neller and Presser, "Optimal Play of the Dice Game
//! Pig", 2004).

use super::{PigRace, State};

/// The chance of winning under best play of both, for every position.
#[derive(Clone, Debug)]
pub struct Exact {
    goal: usize,
    /// `values[own score][other's score][turn total]`.
    values: Vec<Vec<Vec<f64>>>,
}

/// The chance of the player to move to win after each action; 0 for holding before the first roll, which is not allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionValues {
    /// Of rolling.
    pub roll: f64,
    /// Of holding.
    pub hold: f64,
}

impl Exact {
    /// Solves the game. Pairs with more points come first; the two positions of a pair depend on each other.
    pub fn new(game: &PigRace) -> Self {
        let goal = usize::from(game.goal());
        let row = |own: usize| vec![vec![0.5; goal - own]; goal];
        let mut exact = Self { goal, values: (0..goal).map(row).collect() };
        for sum in (0..2 * goal - 1).rev() {
            for own in sum.saturating_sub(goal - 1)..=sum / 2 {
                let other = sum - own;
                let mut change = 1.0;
                while change > 1e-13 {
                    change = exact.improve(own, other).max(exact.improve(other, own));
                }
            }
        }
        exact
    }

    fn improve(&mut self, own: usize, other: usize) -> f64 {
        let mut change: f64 = 0.0;
        for total in (0..self.goal - own).rev() {
            let actions = self.actions(own, other, total);
            let better = actions.roll.max(actions.hold);
            change = change.max((better - self.values[own][other][total]).abs());
            self.values[own][other][total] = better;
        }
        change
    }

    fn value_of(&self, own: usize, other: usize, total: usize) -> f64 {
        if own + total >= self.goal { 1.0 } else { self.values[own][other][total] }
    }

    fn actions(&self, own: usize, other: usize, total: usize) -> ActionValues {
        let hold = match total {
            0 => 0.0,
            _ if own + total >= self.goal => 1.0,
            _ => 1.0 - self.value_of(other, own + total, 0),
        };
        let more: f64 = (2..=6).map(|die| self.value_of(own, other, total + die)).sum();
        ActionValues { roll: (1.0 - self.value_of(other, own, 0) + more) / 6.0, hold }
    }

    /// The chances after each action. The state must not be over, nor the die rolling.
    pub fn action_values(&self, state: &State) -> ActionValues {
        let [own, other] = [state.mover, state.mover.other()].map(|player| usize::from(state.scores[player.index()]));
        self.actions(own, other, usize::from(state.total))
    }

    /// The chance of the player to move to win.
    pub fn value(&self, state: &State) -> f64 {
        let actions = self.action_values(&State { rolling: false, ..*state });
        if state.rolling { actions.roll } else { actions.roll.max(actions.hold) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pig_race::Options;
    use spinney_core::Game;

    /// With two points to win any roll but a one wins: x = 5/6 + (1 − x)/6, that is 6/7.
    #[test]
    fn two_points_are_solved_by_hand() {
        let game = PigRace::new(Options { goal: 2 });
        let value = Exact::new(&game).value(&game.initial());
        assert!((value - 6.0 / 7.0).abs() < 1e-12, "{value}");
    }

    /// The published advantage of the first player.
    #[test]
    fn whoever_begins_wins_53_06_percent() {
        let game = PigRace::default();
        let value = Exact::new(&game).value(&game.initial());
        assert!((value - 0.5306).abs() < 5e-5, "{value}");
    }
}
