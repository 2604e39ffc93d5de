//! The moves of one piece by their number of hops, as the policy weighs them.

use super::draw::{scaled, select};
use super::geometry::{Filter, GOALS, cells};
use super::hops::Hops;

/// The longest chain of hops that could be needed: hops reach a quarter of the board.
const MOST_HOPS: usize = 20;

/// The moves of one piece that the policy draws from, by number of hops.
pub struct PieceMoves {
    by_hops: [u128; MOST_HOPS],
    layers: usize,
    /// Whether all of them enter the goal.
    enters: bool,
}

impl PieceMoves {
    /// No moves. A value is filled where it stands, because it is large.
    pub const NONE: Self = Self { by_hops: [0; MOST_HOPS], layers: 0, enters: false };

    /// Puts in the moves of the piece on `from`, which has these steps and first hops.
    #[inline(always)]
    pub fn fill(&mut self, filter: &Filter, hops: Hops, from: usize, [steps, first]: [u128; 2]) {
        (self.by_hops[0], self.by_hops[1]) = (steps, first & filter.far[from]);
        self.layers = 2;
        let mut all = steps | self.by_hops[1];
        for layer in hops.layers(filter.player, first) {
            let passing = layer & filter.far[from];
            self.by_hops[self.layers] = passing;
            self.layers += 1;
            all |= passing;
        }
        let goal = GOALS[filter.player.index()];
        if all & goal != 0 && goal >> from & 1 == 0 {
            self.by_hops[..self.layers].iter_mut().for_each(|set| *set &= goal);
            self.enters = true;
        }
    }

    /// Weights with the destinations of that weight.
    #[inline(always)]
    fn sets(&self) -> impl Iterator<Item = (u32, u128)> {
        let enters = self.enters;
        let weight = move |hops: u32| if enters { hops.max(1) } else { hops + 1 };
        (0..).map(weight).zip(self.by_hops[..self.layers].iter().copied())
    }

    /// Destinations with their weights.
    #[inline]
    pub fn weighted(&self) -> impl Iterator<Item = (usize, u32)> {
        self.sets().flat_map(|(weight, set)| cells(set).map(move |to| (to, weight)))
    }

    /// The destination of a random number.
    #[inline(always)]
    pub fn draw(&self, fraction: u64) -> Option<usize> {
        let total: u32 = self.sets().map(|(weight, set)| weight * set.count_ones()).sum();
        if total == 0 {
            return None;
        }
        let (mut ticket, _) = scaled(fraction, total);
        for (weight, set) in self.sets() {
            let tickets = weight * set.count_ones();
            if ticket < tickets {
                return Some(select(set, ticket / weight));
            }
            ticket -= tickets;
        }
        None
    }
}
