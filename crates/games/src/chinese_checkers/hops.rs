//! The hops that are possible anywhere on the board, and the chains of hops of one piece.
//!
//! Two empty cells with a piece between them can be reached from each other. Sets of cells are worked on as
//! [strips](Wide::strips): a hop leads less than 32 bits on, so the strip in which it begins knows where it ends, and
//! nothing is carried from one word to the next.

use super::geometry::{BEHIND, BITS, BOARD, GOALS, HOP_CLASSES, window};
use super::pieces::Around;
use super::wide::Wide;
use spinney_core::{Player, bits};

/// The pairs of cells between which a hop is possible, named by the upper or left cell, in strips. At the end of a strip
/// some are left out; the next strip has them.
#[derive(Clone, Copy, Debug)]
pub struct Hops {
    right: Wide,
    down_left: Wide,
    down_right: Wide,
}

/// The pairs between which a hop down, or a hop up, does not leave a player's goal.
struct Stays {
    down: [Wide; 2],
    up: [Wide; 2],
}

impl Stays {
    const fn new(player: Player) -> Self {
        let goal = GOALS[player.index()];
        // Goals are whole rows, so hops to the left and right stay.
        #[inline]
        const fn pairs(goal: u128, by: u32, down: bool) -> Wide {
            let (from, to) = if down { (goal, goal >> by) } else { (goal >> by, goal) };
            Wide::strips_of(!from | to)
        }
        Self {
            down: [pairs(goal, 20, true), pairs(goal, 22, true)],
            up: [pairs(goal, 20, false), pairs(goal, 22, false)],
        }
    }
}

static STAYS: [Stays; 2] = [Stays::new(Player::First), Stays::new(Player::Second)];

impl Hops {
    /// `occupied` in strips.
    #[inline(always)]
    pub fn new(occupied: Wide) -> Self {
        let empty = const { Wide::strips_of(BOARD) }.without(occupied);
        Self {
            right: occupied.down::<1>().and(empty.down::<2>()).and(empty),
            down_left: occupied.down::<10>().and(empty.down::<20>()).and(empty),
            down_right: occupied.down::<11>().and(empty.down::<22>()).and(empty),
        }
    }

    /// The same for a set.
    #[inline(always)]
    pub fn of(occupied: u128) -> Self {
        Self::new(Wide::strips([occupied as u64, (occupied >> 64) as u64]))
    }

    /// The empty cells from which a piece could hop.
    #[inline(always)]
    pub fn ends(&self) -> Ends {
        let right = self.right.or(self.right.up::<2>());
        let down_left = self.down_left.or(self.down_left.up::<20>());
        let down_right = self.down_right.or(self.down_right.up::<22>());
        Ends(right.or(down_left).or(down_right).joined())
    }

    /// The pieces between cells of pairs that hops from a cell could reach.
    #[inline(always)]
    pub fn jumped_from(&self, cell: usize) -> u128 {
        let reached = HOP_CLASS_STRIPS[cell & 127];
        let [right, left] = [self.right.and(reached).up::<1>(), self.down_left.and(reached).up::<10>()];
        right.or(left).or(self.down_right.and(reached).up::<11>()).joined().low()
    }

    /// What a piece reaches that can make the first hops to the cells of `first`.
    #[inline(always)]
    pub fn layers(self, player: Player, first: u128) -> Layers {
        let stays = &STAYS[player.index()];
        let first = Wide::strips([first as u64, (first >> 64) as u64]);
        Layers {
            right: self.right,
            down: [self.down_left.and(stays.down[0]), self.down_right.and(stays.down[1])],
            up: [self.down_left.and(stays.up[0]), self.down_right.and(stays.up[1])],
            reached: first,
            frontier: first,
        }
    }
}

/// [`HOP_CLASSES`] in strips.
static HOP_CLASS_STRIPS: [Wide; BITS] = {
    let mut table = [Wide::words([0; 4]); BITS];
    let mut cell = 0;
    while cell < BITS {
        table[cell] = Wide::strips_of(HOP_CLASSES[cell]);
        cell += 1;
    }
    table
};

/// The cells that a piece reaches with several hops, layer by layer: all that need two hops, three hops, …
#[derive(Clone, Copy, Debug)]
pub struct Layers {
    /// The pairs between which the piece may hop, in either direction or one.
    right: Wide,
    down: [Wide; 2],
    up: [Wide; 2],
    reached: Wide,
    frontier: Wide,
}

impl Layers {
    /// The next layer, empty after the last one.
    #[inline(always)]
    pub fn layer(&mut self) -> u128 {
        let from = self.frontier;
        let across = from.and(self.right).up::<2>().or(from.down::<2>().and(self.right));
        let left = from.and(self.down[0]).up::<20>().or(from.down::<20>().and(self.up[0]));
        let right = from.and(self.down[1]).up::<22>().or(from.down::<22>().and(self.up[1]));
        self.frontier = across.or(left).or(right).made_strips().without(self.reached);
        self.reached = self.reached.or(self.frontier);
        self.frontier.of_strips()
    }
}

impl Iterator for Layers {
    type Item = u128;

    #[inline(always)]
    fn next(&mut self) -> Option<u128> {
        let layer = self.layer();
        (layer != 0).then_some(layer)
    }
}

/// The cells where chains of two hops and more can end, because one could hop back, in both halves.
#[derive(Clone, Copy, Debug)]
pub struct Ends(Wide);

impl Ends {
    /// As a set.
    #[inline(always)]
    pub fn set(&self) -> u128 {
        self.0.low()
    }

    /// The directions in which a hop of a piece would end on one of these cells. Beyond the board bits have no
    /// meaning.
    #[inline(always)]
    pub fn in_reach_of(&self, cell: usize) -> u64 {
        bits::extract(window(self.set(), cell), BEHIND)
    }

    /// The same for each piece of a list.
    #[inline(always)]
    pub fn in_reach(&self, around: &Around) -> u64 {
        !around.behind_outside(self.0) & Around::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::super::geometry::{cells, hop_cells, singles, stepped};
    use super::super::pieces::{PIECES, Pieces, cell_at, tests::scattered};
    use super::super::tables;
    use super::*;
    use crate::variant::Variant;
    use spinney_core::{Random, Seed};

    #[test]
    fn chains_end_where_one_could_hop_back() {
        let tables = tables(Variant::Standard);
        let mut random = Random::new(Seed::new(4));
        for _ in 0..500 {
            let sets = scattered(&mut random);
            let pieces = Pieces::new(sets);
            let (occupied, empty) = (pieces.occupied(), BOARD & !pieces.occupied());
            let over = |direction| stepped(occupied, direction) & stepped(stepped(empty, direction), direction);
            let expected = (0..6).fold(0, |set, direction| set | over(direction)) & empty;
            assert_eq!(pieces.hops().ends().set(), expected);
            for player in Player::BOTH {
                let reach = pieces.hops().ends().in_reach(&Around::new(pieces.list(player)));
                for piece in 0..PIECES {
                    let from = cell_at(pieces.list(player), 8 * piece);
                    let landing = |direction| stepped(stepped(1 << from, direction), direction) & expected;
                    let reached = (0..6).fold(0, |all, one| all | u64::from(landing(one) != 0) << one);
                    assert_eq!(reach >> (8 * piece) & 63, reached);
                    let legal = u64::from(tables.filters[player.index()][6].legal(from) >> 8);
                    assert_eq!(pieces.hops().ends().in_reach_of(from) & legal, reached & legal);
                }
            }
        }
    }

    /// Follows hops by the letter of the rules.
    #[test]
    fn layers_are_those_of_single_hops() {
        let tables = tables(Variant::Standard);
        let mut random = Random::new(Seed::new(5));
        for _ in 0..2_000 {
            let pieces = Pieces::new(scattered(&mut random));
            for player in Player::BOTH {
                let filter = &tables.filters[player.index()][6];
                let hops = |set: u128| {
                    let legal = |cell| hop_cells(singles(pieces.occupied(), cell) & filter.legal(cell), cell);
                    cells(set).fold(0, |all, cell| all | legal(cell))
                };
                for from in cells(pieces.of(player)) {
                    let first = hops(1 << from);
                    let (mut reached, mut frontier) = (first, first);
                    let mut layers = pieces.hops().layers(player, first);
                    while frontier != 0 {
                        frontier = hops(frontier) & !reached;
                        reached |= frontier;
                        assert_eq!(layers.next().unwrap_or_default(), frontier);
                    }
                }
            }
        }
    }
}
