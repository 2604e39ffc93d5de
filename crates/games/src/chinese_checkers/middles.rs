//! The cells over which the hops of one piece can lead, as a word.
//!
//! Hops change both coordinates by even numbers, so all cells that a piece reaches belong to one of four classes, and the pieces
//! that it jumps over to the other three. These are at most 60 cells. Each lies between two cells of the class at most, on one
//! axis.

use super::geometry::{BITS, BOARD, CELLS, GOALS, HOP_CLASSES, grid, stepped};
use spinney_core::Player;
use spinney_core::bits::{self, SqueezeWide};

/// The cells between those of each class.
static CLASSES: [SqueezeWide; 4] = {
    let mut table = [SqueezeWide::new(0); 4];
    let mut number = 0;
    while number < 73 {
        let cell = CELLS[number].bit;
        table[CLASS_OF[cell] as usize] = SqueezeWide::new(BOARD & !HOP_CLASSES[cell]);
        number += 1;
    }
    table
};

/// The class of each cell.
static CLASS_OF: [u8; BITS] = {
    let mut table = [0; BITS];
    let mut number = 0;
    while number < 73 {
        let cell = CELLS[number];
        table[cell.bit] = ((cell.row & 1) << 1 | (cell.column - cell.row / 2) & 1) as u8;
        number += 1;
    }
    table
};

/// The neighbours of a cell in a set of cells between those of its class.
#[derive(Clone, Copy)]
pub struct Neighbours {
    /// As a mask; where no instruction extracts by it, the place of each, a byte for each direction.
    places: u64,
    directions: u64,
}

impl Neighbours {
    const NONE: Self = Self { places: 0, directions: 0 };

    const fn add(&mut self, next: u64, direction: usize) {
        self.directions |= 1 << direction;
        self.places |= if bits::EXTRACTS { next } else { (next.trailing_zeros() as u64) << (8 * direction) };
    }

    /// The directions in which the neighbour belongs to a set.
    #[inline(always)]
    pub fn of(self, set: u64) -> u64 {
        if bits::EXTRACTS { bits::deposit(self.among(set), self.directions) } else { self.among(set) }
    }

    /// The same by the numbers of its neighbours in [`Self::all`].
    #[inline(always)]
    pub fn among(self, set: u64) -> u64 {
        if bits::EXTRACTS {
            return bits::extract(set, self.places);
        }
        let bit = |direction: usize| (set >> (self.places >> (8 * direction) & 63) & 1) << direction;
        (0..6).fold(0, |directions, direction| directions | bit(direction)) & self.directions
    }

    /// The directions whose neighbours have numbers.
    #[inline(always)]
    pub fn all(self) -> u64 {
        if bits::EXTRACTS { self.directions } else { 63 }
    }
}

/// All neighbours of each cell.
pub static AROUND: [Neighbours; BITS] = neighbours(0);
/// The neighbours over which a player's piece may hop without leaving the goal.
pub static JUMPABLE: [[Neighbours; BITS]; 2] =
    [neighbours(GOALS[Player::First.index()]), neighbours(GOALS[Player::Second.index()])];

/// The neighbours of each cell in a set as far as they come in [`grid::ORDER`]: the first alone, the first two, and so on.
pub static UP_TO: [[u64; BITS]; 8] = {
    let mut table = [[0; BITS]; 8];
    let mut number = 0;
    while number < 73 {
        let cell = CELLS[number].bit;
        let (mut place, mut set) = (0, 0);
        while place < 6 {
            set |= neighbour(cell, grid::ORDER[place]);
            table[place][cell] = set;
            place += 1;
        }
        number += 1;
    }
    table
};

/// Each neighbour of each cell in a set, in [`grid::ORDER`].
pub static NEXT: [[u64; BITS]; 8] = {
    let mut table = [[0; BITS]; 8];
    let mut number = 0;
    while number < 73 * 6 {
        let cell = CELLS[number / 6].bit;
        table[number % 6][cell] = neighbour(cell, grid::ORDER[number % 6]);
        number += 1;
    }
    table
};

/// A cell's neighbour in a set, none beyond the board.
const fn neighbour(cell: usize, direction: usize) -> u64 {
    let next = stepped(1 << cell, direction) & BOARD;
    if next == 0 { 0 } else { 1 << ((next - 1) & BOARD & !HOP_CLASSES[cell]).count_ones() }
}

/// The neighbours over which hops do not leave a goal.
const fn neighbours(goal: u128) -> [Neighbours; BITS] {
    let mut table = [Neighbours::NONE; BITS];
    let mut number = 0;
    while number < 73 * 6 {
        let (cell, direction) = (CELLS[number / 6].bit, number % 6);
        let landing = stepped(stepped(1 << cell, direction) & BOARD, direction);
        let leaves = goal >> cell & 1 == 1 && goal & landing == 0;
        let next = neighbour(cell, direction);
        if next != 0 && !leaves {
            table[cell].add(next, direction);
        }
        number += 1;
    }
    table
}

/// The cells of a set between those of a cell's class.
#[inline(always)]
pub fn between(set: u128, cell: usize) -> u64 {
    CLASSES[usize::from(CLASS_OF[cell & 127] & 3)].extract(set)
}

#[cfg(test)]
mod tests {
    use super::super::geometry::cells;
    use super::*;

    /// Every cell finds each of its neighbours in a set of one cell, and those in no other.
    #[test]
    fn neighbours_are_found_in_a_word() {
        assert!(CLASSES.iter().all(|class| class.mask().count_ones() <= 60));
        for cell in cells(BOARD) {
            for other in cells(BOARD & !HOP_CLASSES[cell]) {
                let is_next = |direction: &usize| stepped(1 << cell, *direction) == 1 << other;
                let next = (0..6).filter(is_next).fold(0, |set, direction| set | 1 << direction);
                let set = between(1 << other, cell);
                assert_eq!((set.count_ones(), AROUND[cell].of(set)), (1, next), "{cell} {other}");
                for (place, direction) in grid::ORDER.into_iter().enumerate() {
                    assert_eq!(NEXT[place][cell] & set != 0, next >> direction & 1 == 1);
                    let before = grid::ORDER[..=place].iter().any(|direction| next >> direction & 1 == 1);
                    assert_eq!(UP_TO[place][cell] & set != 0, before);
                }
            }
        }
    }

    /// A piece of the first player on k1, in the goal, may hop to k3 over k2, and not up over j4.
    #[test]
    fn hops_that_leave_the_goal_are_left_out() {
        let [k1, k2] = [104, 105];
        assert_eq!(GOALS[0] >> k1 & 3, 3);
        let up = k1 - 10;
        let directions = |player: usize, over: usize| JUMPABLE[player][k1].of(between(1 << over, k1)).count_ones();
        assert_eq!([directions(0, k2), directions(0, up), directions(1, up)], [1, 0, 1]);
    }
}
