//! The hops that are possible anywhere on the board, and the chains of hops of one piece.
//!
//! Two empty cells with a piece between them can be reached from each other. There are three axes; two are worked on
//! in the two halves of a [`Wide`], the third one in both.

use super::geometry::{BEHIND, BOARD, GOALS, HOP_CLASSES, window};
use super::pieces::Around;
use super::wide::Wide;
use spinney_core::{Player, bits};

/// The pairs of cells between which a hop is possible, named by the upper or left cell.
#[derive(Clone, Copy, Debug)]
pub struct Hops {
    /// To the right in the low half, down to the left in the high half.
    two: Wide,
    /// Down to the right, in both halves.
    one: Wide,
}

/// Where hops up and down the board do not leave a player's goal, by the cell where they begin; each for
/// [`Hops::two`] and [`Hops::one`].
struct Stays {
    down: [Wide; 2],
    up: [Wide; 2],
}

impl Stays {
    const fn new(player: Player) -> Self {
        let goal = GOALS[player.index()];
        // A hop that begins in the goal must end there.
        #[inline]
        const fn from(goal: u128, by: u32, down: bool) -> [u8; 16] {
            let inside = if down { goal & goal >> by } else { goal & goal << by };
            (!goal | inside).to_le_bytes()
        }
        Self {
            down: [Wide::halves(from(goal, 2, true), from(goal, 20, true)), Wide::twice(from(goal, 22, true))],
            up: [Wide::halves(from(goal, 2, false), from(goal, 20, false)), Wide::twice(from(goal, 22, false))],
        }
    }
}

static STAYS: [Stays; 2] = [Stays::new(Player::First), Stays::new(Player::Second)];

impl Hops {
    /// `occupied` in both halves.
    #[inline(always)]
    pub fn new(occupied: Wide) -> Self {
        let empty = Wide::twice_number(BOARD).without(occupied);
        let two = occupied.shifted_down::<1, 10>().and(empty.shifted_down::<2, 20>()).and(empty);
        let one = occupied.shifted_down::<11, 11>().and(empty.shifted_down::<22, 22>()).and(empty);
        Self { two, one }
    }

    /// The empty cells from which a piece could hop.
    #[inline(always)]
    pub fn ends(&self) -> Ends {
        let two = self.two.or(self.two.shifted_up::<2, 20>());
        let one = self.one.or(self.one.shifted_up::<22, 22>());
        Ends(two.or(two.swapped()).or(one))
    }

    /// The pieces between cells of pairs that hops from a cell could reach.
    #[inline(always)]
    pub fn jumped_from(&self, cell: usize) -> u128 {
        let reached = Wide::copied_twice(&HOP_CLASSES[cell]);
        let two = self.two.and(reached).shifted_up::<1, 10>();
        two.or(two.swapped()).or(self.one.and(reached).shifted_up::<11, 11>()).low()
    }

    /// Where hops of a player's piece from a set of empty cells lead; sets are in both halves.
    #[inline(always)]
    fn onward(&self, from: Wide, player: Player) -> Wide {
        let stays = &STAYS[player.index()];
        let (down, up) = ([0, 1].map(|axes| from.and(stays.down[axes])), [0, 1].map(|axes| from.and(stays.up[axes])));
        let two = down[0].and(self.two).shifted_up::<2, 20>().or(up[0].shifted_down::<2, 20>().and(self.two));
        let one = down[1].and(self.one).shifted_up::<22, 22>().or(up[1].shifted_down::<22, 22>().and(self.one));
        two.or(two.swapped()).or(one)
    }

    /// What a piece reaches that can make the first hops to the cells of `first`.
    #[inline(always)]
    pub fn layers(self, player: Player, first: u128) -> Layers {
        let first = Wide::twice_number(first);
        Layers { hops: self, player, reached: first, frontier: first }
    }
}

/// The cells that a piece reaches with several hops, layer by layer: all that need two hops, three hops, …
#[derive(Clone, Copy, Debug)]
pub struct Layers {
    hops: Hops,
    player: Player,
    reached: Wide,
    frontier: Wide,
}

impl Iterator for Layers {
    type Item = u128;

    #[inline(always)]
    fn next(&mut self) -> Option<u128> {
        self.frontier = self.hops.onward(self.frontier, self.player).without(self.reached);
        self.reached = self.reached.or(self.frontier);
        let layer = self.frontier.low();
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
    pub fn in_reach(&self, list: u64) -> u64 {
        Around::<2>::new(list).held(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::geometry::{Tables, cells, hop_cells, singles, stepped};
    use super::super::pieces::{PIECES, Pieces, cell_at, tests::scattered};
    use super::*;
    use crate::variant::Variant;
    use spinney_core::{Random, Seed};

    #[test]
    fn chains_end_where_one_could_hop_back() {
        let tables = Tables::new(Variant::Standard);
        let mut random = Random::new(Seed::new(4));
        for _ in 0..500 {
            let sets = scattered(&mut random);
            let pieces = Pieces::new(sets);
            let (occupied, empty) = (pieces.occupied(), BOARD & !pieces.occupied());
            let over = |direction| stepped(occupied, direction) & stepped(stepped(empty, direction), direction);
            let expected = (0..6).fold(0, |set, direction| set | over(direction)) & empty;
            assert_eq!(pieces.hops().ends().set(), expected);
            for player in Player::BOTH {
                let reach = pieces.hops().ends().in_reach(pieces.list(player));
                for piece in 0..PIECES {
                    let from = cell_at(pieces.list(player), 8 * piece);
                    let landing = |direction| stepped(stepped(1 << from, direction), direction) & expected;
                    let reached = (0..6).fold(0, |all, one| all | u64::from(landing(one) != 0) << one);
                    assert_eq!(reach >> (8 * piece) & 63, reached);
                    let legal = u64::from(tables.filters[player.index()][6].legal(from) >> 6);
                    assert_eq!(pieces.hops().ends().in_reach_of(from) & legal, reached & legal);
                }
            }
        }
    }

    /// Follows hops by the letter of the rules.
    #[test]
    fn layers_are_those_of_single_hops() {
        let tables = Tables::new(Variant::Standard);
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
