//! The chains that the published engine finds, followed with hardly a table and without branches for the directions:
//! for graphics cards, whose threads wait for each other at every branch and for every word fetched from memory.
//!
//! Each cell that is jumped over lies between two cells that the piece could reach, so it is looked at from two cells
//! at most. It matters only whether it was, so a set of cells that are of no use any more tells all.

use super::engine2014::{Collect, Piece};
use super::geometry::{BOARD, HOP_CLASSES};
use spinney_core::Player;

/// How many bits of a cell's surroundings, which begin with the cell up left, come before the cell.
const BEFORE: u32 = 11;

/// The neighbours in a cell's surroundings, in the order in which the engine looks at them, highest bit first.
#[inline(always)]
fn in_order(surroundings: u32) -> u32 {
    // First up left, up right and right, then backwards: down right, down left and left.
    surroundings.reverse_bits() & (1 << 31 | 1 << 30 | 1 << 19) | surroundings >> 4 & (1 << 18 | 1 << 17 | 1 << 6)
}

/// The bit of a cell's surroundings that comes after so many others in [`in_order`].
#[inline(always)]
fn out_of_order(place: u32) -> u32 {
    if place < 13 { place } else { 35 - place }
}

/// Directions, as bits, in the order in which the engine looks at them.
static ORDERED: [u32; 64] = {
    let mut table = [0; 64];
    let mut set = 0;
    while set < 64 {
        let mut direction = 0;
        while direction < 6 {
            if set >> direction & 1 == 1 {
                table[set] |= PLACES[direction];
            }
            direction += 1;
        }
        set += 1;
    }
    table
};

/// The bit of each direction in [`in_order`].
const PLACES: [u32; 6] = [1 << 31, 1 << 30, 1 << 6, 1 << 19, 1 << 17, 1 << 18];

/// What [`ORDERED`] makes such a number of.
#[inline(always)]
fn directions(ordered: u32) -> u64 {
    let set = ordered >> 31 | ordered >> 29 & 2 | ordered >> 4 & 4 | ordered >> 16 & 8 | ordered >> 13 & 48;
    u64::from(set)
}

/// The cells over which a piece could hop at some time after its first hop.
#[inline(always)]
pub fn jumped(occupied: u128, from: usize) -> u128 {
    let ends = BOARD & !occupied & HOP_CLASSES[from & 127];
    let between = ends << 1 & ends >> 1 | ends << 10 & ends >> 10 | ends << 11 & ends >> 11;
    between & occupied
}

/// Cells that are of no use any more, moved up so that the surroundings of each cell begin at its number.
struct Looked {
    low: u64,
    high: u64,
}

/// A set of cells moved up in the same way.
#[inline(always)]
fn moved(cells: u128) -> [u64; 2] {
    let moved = cells << BEFORE;
    [moved as u64, (moved >> 64) as u64]
}

impl Looked {
    /// All but these.
    #[inline(always)]
    fn except(cells: u128) -> Self {
        let [low, high] = moved(cells);
        Self { low: !low, high: !high }
    }

    /// The others around a cell.
    #[inline(always)]
    fn unseen_around(&self, cell: u32) -> u32 {
        let (first, second) = if cell & 64 == 0 { (self.low, self.high) } else { (self.high, u64::MAX) };
        !((first >> (cell & 63)) | second << 1 << (!cell & 63)) as u32
    }

    /// Adds these cells.
    #[inline(always)]
    fn add(&mut self, [low, high]: [u64; 2]) {
        self.low |= low;
        self.high |= high;
    }

    /// Whether all of these cells belong to it.
    #[inline(always)]
    fn has(&self, [low, high]: [u64; 2]) -> bool {
        !self.low & low | !self.high & high == 0
    }
}

/// What is looked at from a cell of a player's goal when a piece comes there, because hops over it would leave the
/// goal: the two cells above or below. All of them lie in the same word.
#[inline(always)]
fn outside(player: Player, cell: u32) -> [u64; 2] {
    match player {
        Player::First => [0, 3 << (cell & 63)],
        Player::Second => [3 << ((cell + 21) & 63), 0],
    }
}

/// Finds all chains of a piece, which count if their last hop leads over a cell of `far`. Returns the steps that it
/// finds, and whether the cells behind first hops have cells next to them over which one could hop.
#[inline(always)]
pub fn follow(piece: &Piece, far: u128, found: &mut impl Collect) -> (u64, bool) {
    let &Piece { from, filter, steps, hops, jumped } = piece;
    let (player, from) = (filter.player, from as u32 & 127);
    let far = moved(far);
    let mut looked = Looked::except(jumped);
    let hops = ORDERED[hops as usize & 63];
    // The tip of the goal is too far away from what lies outside.
    let leaving = if player == Player::First { 104 } else { 10 };
    // The directions in which the piece itself has not yet looked, and those in which a cell was looked at before.
    let (mut ahead, mut lost) = (u32::MAX, 0);
    // The cells to which the first hops would lead and where a piece has come, among what would surround the piece.
    let mut reached = 0;
    let (mut at, mut length, mut lengths) = (from, 0, 0);
    // Cells from which other hops are possible, with the number of hops to them: there are ten at most, because no
    // piece is jumped over twice, and none of them is zero.
    let mut left = 0u128;
    // Where to go on from here, and the place in the order of the direction in which the piece left its cell.
    let (mut onward, mut direction) = (0, 0);
    loop {
        if onward == 0 {
            lost |= ahead & in_order(reached);
            onward = hops & ahead & !lost;
            if onward == 0 {
                return (steps & !directions(lost), lengths > 1);
            }
            // Only the first of them.
            let place = onward.leading_zeros();
            onward = 1 << 31 >> (place & 31);
            direction = (in_order(u32::MAX) & !(onward | (onward - 1))).count_ones() as u8;
            ahead = onward - 1;
            (at, length) = (from, 0);
        }
        let place = onward.leading_zeros() & 31;
        if onward << place != 1 << 31 {
            left = left << 11 | u128::from(at | length << 7);
        }
        length += 1;
        lengths |= length;
        let bit = at + out_of_order(place);
        let one = 1u64 << (bit & 63);
        let over = if bit & 64 == 0 { [one, 0] } else { [0, one] };
        looked.add(over);
        let counts = far[0] & over[0] | far[1] & over[1] != 0;
        let twice = 2 * bit - at;
        at = twice - 2 * BEFORE;
        found.take(counts, at as usize, length.into(), direction);
        let behind = twice.wrapping_sub(from);
        reached |= if behind < 64 { 1 << (behind / 2) } else { 0 };
        if at.wrapping_sub(leaving) <= 12 {
            let outside = outside(player, at);
            lengths |= if looked.has(outside) { 0 } else { 2 };
            looked.add(outside);
        }
        loop {
            onward = in_order(looked.unseen_around(at));
            if onward != 0 || left == 0 {
                break;
            }
            (at, length) = (left as u32 & 127, left as u32 >> 7 & 15);
            left >>= 11;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::geometry::singles;
    use super::super::hops::Hops;
    use super::super::pieces::{PIECES, Pieces, cell_at, tests::scattered};
    use super::super::tables;
    use super::*;
    use crate::variant::Variant;
    use spinney_core::{Random, Seed};

    /// Where chains that count end, their numbers of hops, and their first directions.
    impl Collect for Vec<(usize, u64, u8)> {
        fn take(&mut self, counts: bool, to: usize, hops: u64, place: u8) {
            if counts {
                self.push((to, hops, place));
            }
        }
    }

    #[test]
    fn chains_are_those_that_are_found_by_tables() {
        let tables = tables(Variant::Engine2014);
        let mut random = Random::new(Seed::new(6));
        let mut most = 0;
        for _ in 0..20_000 {
            let pieces = Pieces::new(scattered(&mut random));
            let (player, occupied) = (Player::BOTH[random.below(2) as usize], pieces.occupied());
            let filter = &tables.filters[player.index()][random.below(7) as usize];
            for piece in 0..PIECES {
                let from = cell_at(pieces.list(player), 8 * piece);
                let open = singles(occupied, from);
                let (single, first) = (open & filter.singles(from), open & filter.legal(from));
                let (mut expected, mut found) = (Vec::new(), Vec::new());
                let piece = Piece::new(filter, Hops::of(occupied), from, single, first);
                let steps = piece.search(&mut expected);
                assert_eq!(piece.jumped, jumped(occupied, from));
                let is_chain = pieces.hops().ends().in_reach_of(from) & piece.hops != 0;
                assert_eq!(follow(&piece, filter.far[from], &mut found), (steps, is_chain));
                assert_eq!(found, expected);
                most = most.max(found.len());
            }
        }
        assert!(most > 8, "{most}");
    }
}
