//! The cells over which the hops of one piece can lead, as a word.
//!
//! Hops change both coordinates by even numbers, so all cells that a piece reaches belong to one of four classes, and the pieces
//! that it jumps over to the other three. These are at most 55 cells. Each lies between two cells of the class at most, on one
//! axis.

use super::geometry::{BITS, BOARD, CELLS, GOALS, HOP_CLASSES, grid, stepped};
use spinney_core::{Player, bits};

/// The cells between those of a class, as a mask of two words, and how many the first one has.
#[derive(Clone, Copy)]
struct Class {
    low: u64,
    high: u64,
    lows: u32,
}

/// The classes.
static CLASSES: [Class; 4] = {
    let mut table = [Class { low: 0, high: 0, lows: 0 }; 4];
    let mut number = 0;
    while number < 73 {
        let cell = CELLS[number].bit;
        let mask = BOARD & !HOP_CLASSES[cell];
        let (low, high) = (mask as u64, (mask >> 64) as u64);
        table[CLASS_OF[cell] as usize] = Class { low, high, lows: low.count_ones() };
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
    mask: u64,
    directions: u64,
}

impl Neighbours {
    /// The directions in which the neighbour belongs to a set.
    #[inline(always)]
    pub fn of(self, set: u64) -> u64 {
        bits::deposit(bits::extract(set, self.mask), self.directions)
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
    let mut table = [Neighbours { mask: 0, directions: 0 }; BITS];
    let mut number = 0;
    while number < 73 * 6 {
        let (cell, direction) = (CELLS[number / 6].bit, number % 6);
        let landing = stepped(stepped(1 << cell, direction) & BOARD, direction);
        let leaves = goal >> cell & 1 == 1 && goal & landing == 0;
        let next = neighbour(cell, direction);
        if next != 0 && !leaves {
            table[cell].mask |= next;
            table[cell].directions |= 1 << direction;
        }
        number += 1;
    }
    table
}

/// The cells of a set between those of a cell's class.
#[inline(always)]
pub fn between(set: u128, cell: usize) -> u64 {
    let class = &CLASSES[usize::from(CLASS_OF[cell & 127] & 3)];
    bits::extract(set as u64, class.low) | bits::extract((set >> 64) as u64, class.high) << class.lows
}
