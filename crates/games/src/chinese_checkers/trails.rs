//! The chains that the published engine finds, followed without tables and without branches for the directions: for graphics
//! cards, whose threads wait for each other at every branch and for every word that is fetched from memory.
//!
//! Each cell that is jumped over lies between two cells that the piece could reach, so it is looked at from two cells at most.
//! What is left to be looked at is then a set of these cells, in which cells are taken out one by one.

use super::engine2014::Collect;
use super::geometry::{BOARD, Filter, HOP_CLASSES};
use spinney_core::Player;

/// Room for the cells to which a search goes back.
const LEFT: usize = 16;

/// The neighbours of a cell among those that surround it, which begin with the one up left.
const NEXT: u32 = 1 << 22 | 1 << 21 | 1 << 12 | 1 << 10 | 0b11;
/// How many bits of a cell's surroundings come before the cell.
const BEFORE: u32 = 11;

/// The neighbours in a cell's surroundings, in the order in which the engine looks at them.
#[inline(always)]
fn in_order(surroundings: u32) -> u32 {
    // First up left, up right and right, then backwards: down right, down left and left.
    surroundings & (1 << 12 | 0b11) | surroundings.reverse_bits() << 4 & (1 << 13 | 1 << 14 | 1 << 25)
}

/// The bit that has this place in the order among a cell's surroundings.
#[inline(always)]
fn out_of_order(place: u32) -> u32 {
    if place < 13 { place } else { 35 - place }
}

/// Directions, as bits, in the order in which the engine looks at them.
#[inline(always)]
fn ordered(directions: u64) -> u32 {
    let set = directions as u32;
    set & 3 | (set & 8) << 9 | (set & 32) << 8 | (set & 16) << 10 | (set & 4) << 23
}

/// What [`ordered`] makes such a number of.
#[inline(always)]
fn directions(ordered: u32) -> u64 {
    let set = ordered >> 9 & 8 | ordered >> 8 & 32 | ordered >> 10 & 16 | ordered >> 23 & 4;
    u64::from(ordered & 3 | set)
}

/// The cells over which a piece could hop at some time after its first hop.
#[inline(always)]
pub fn jumped(occupied: u128, from: usize) -> u128 {
    let ends = BOARD & !occupied & HOP_CLASSES[from & 127];
    let between = ends << 1 & ends >> 1 | ends << 10 & ends >> 10 | ends << 11 & ends >> 11;
    between & occupied
}

/// Cells that have not been looked at, moved up so that the surroundings of each cell begin at its number.
struct Unseen {
    low: u64,
    high: u64,
}

impl Unseen {
    #[inline(always)]
    fn surroundings(&self, cell: u32) -> u32 {
        let (first, second) = if cell & 64 == 0 { (self.low, self.high) } else { (self.high, 0) };
        ((first >> (cell & 63)) | second << 1 << (!cell & 63)) as u32
    }

    #[inline(always)]
    fn remove(&mut self, bit: u32) {
        let rest = !(1u64 << (bit & 63));
        let is_low = bit & 64 == 0;
        self.low &= if is_low { rest } else { u64::MAX };
        self.high &= if is_low { u64::MAX } else { rest };
    }

    /// What is looked at from a cell of the goal when a piece comes there, because hops over it would leave the goal. Says
    /// whether there was something.
    #[inline(always)]
    fn look_outside(&mut self, player: Player, cell: u32) -> bool {
        // The two cells above or below; all of them lie in the same word.
        let (outside, word) = match player {
            Player::First => (3u64 << (cell & 63), &mut self.high),
            Player::Second => (3u64 << ((cell + 21) & 63), &mut self.low),
        };
        let is_seen = *word & outside != 0;
        *word &= !outside;
        is_seen
    }
}

/// Whether hops from a cell of a player's goal could leave it: its tip is too far away.
#[inline(always)]
fn could_leave(player: Player, cell: u32) -> bool {
    let first = if player == Player::First { 104 } else { 10 };
    cell.wrapping_sub(first) <= 12
}

/// Finds all chains of the piece on `from` which has these steps and legal first hops, by direction, and may then hop over the
/// cells of `jumped`. Returns the steps that it finds, and whether the cells behind first hops have such cells next to them.
#[inline(always)]
pub fn follow(
    filter: &Filter,
    from: usize,
    jumped: u128,
    steps: u64,
    hops: u64,
    found: &mut impl Collect,
) -> (u64, bool) {
    let (player, from) = (filter.player, from as u32 & 127);
    let far = filter.far[from as usize];
    let far = [far as u64, (far >> 64) as u64];
    let moved = jumped << BEFORE;
    let mut unseen = Unseen { low: moved as u64, high: (moved >> 64) as u64 };
    let (steps, hops) = (ordered(steps), ordered(hops));
    // The directions in which the piece itself has not yet looked, and those in which the cell behind was reached.
    let (mut ahead, mut reached, mut found_steps) = (u32::MAX, 0, 0);
    let (mut at, mut length, mut depth, mut lengths) = (from, 0, 0, 0);
    let mut left = [0u16; LEFT];
    loop {
        // Nothing next to where the piece stands belongs to `unseen`.
        let mut onward = in_order(unseen.surroundings(at));
        if onward == 0 {
            if depth != 0 {
                depth -= 1;
                let last = u32::from(left[depth % LEFT]);
                (at, length) = (last & 127, last >> 8);
                continue;
            }
            let free = ahead & !in_order(reached);
            let first = hops & free & (hops & free).wrapping_neg();
            // All, if there is no other hop.
            let up_to = (first << 1).wrapping_sub(1);
            found_steps |= steps & free & up_to;
            if first == 0 {
                return (directions(found_steps), lengths > 1);
            }
            ahead &= !up_to;
            (at, length, onward) = (from, 0, first);
        }
        let place = onward.trailing_zeros();
        if onward & onward.wrapping_sub(1) != 0 {
            left[depth % LEFT] = (at | length << 8) as u16;
            depth += 1;
        }
        length += 1;
        lengths |= length;
        let bit = at + out_of_order(place);
        unseen.remove(bit);
        at = 2 * bit - at - 2 * BEFORE;
        let (over, order) = (bit - BEFORE, (in_order(NEXT) & ((1 << place) - 1)).count_ones());
        let counts = far[usize::from(over & 64 != 0)] >> (over & 63) & 1;
        found.take(counts != 0, at as usize, length.into(), order as u8);
        // By its direction from where the piece stands, if it has one.
        let behind = at.wrapping_sub(from).wrapping_add(2 * BEFORE) >> 1;
        reached |= if behind < 32 { 1 << (behind & 31) } else { 0 };
        if could_leave(player, at) && unseen.look_outside(player, at) {
            lengths |= 2;
        }
    }
}
