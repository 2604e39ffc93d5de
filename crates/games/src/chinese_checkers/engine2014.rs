//! The moves of the engine behind the ECAI 2014 tables.
//!
//! * The distance to the target is measured on the grid of rows and columns as if odd rows were not moved, and a
//!   hop is judged by the piece it jumps over, not by the cell where it lands.
//! * A cell that was looked at once, occupied or not, is never looked at again while one piece's hops are sought.
//!   So a piece that could not be jumped from one side is not jumped from another either, and some legal hops are
//!   missed.
//! * One destination can be found by chains of different length. Here it is one move, but drawn once for each.

use super::geometry::{Filter, HOPS, NEAR, STEPS, grid, single_cell, singles, step_cells, window};
use spinney_core::bits;

/// A destination as the engine finds it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// The cell.
    pub to: u8,
    /// Hops of the chain, 0 for a step.
    pub hops: u8,
}

/// The most destinations of one piece: six steps, and a hop over each other piece.
pub const MOST_FOUND: usize = 17;

/// A search for the moves of one piece.
pub struct Search<'a> {
    occupied: u128,
    filter: &'a Filter,
    /// The cells that the piece may jump over, or step to, so that the move is searched.
    nearing: u128,
    seen: u128,
    found: [Found; MOST_FOUND],
    count: usize,
}

/// A set of directions in the order in which the engine looks.
fn in_order(directions: u64) -> u64 {
    const TABLE: [u8; 64] = {
        let mut table = [0; 64];
        let mut set = 0;
        while set < 64 {
            let mut place = 0;
            while place < 6 {
                table[set] |= ((set >> grid::ORDER[place] & 1) << place) as u8;
                place += 1;
            }
            set += 1;
        }
        table
    };
    u64::from(TABLE[directions as usize & 63])
}

/// The directions before a place in the order, and the one at that place.
const UP_TO: [u64; 6] = {
    let mut table = [0; 6];
    let (mut place, mut set) = (0, 0);
    while place < 6 {
        set |= 1 << grid::ORDER[place];
        table[place] = set;
        place += 1;
    }
    table
};

impl<'a> Search<'a> {
    /// Finds the destinations of the piece on `from`, repeated ones included.
    pub fn new(occupied: u128, filter: &'a Filter, from: usize) -> Self {
        let found = [Found::default(); MOST_FOUND];
        let mut search = Self { occupied, filter, nearing: filter.far[from], seen: 1 << from, found, count: 0 };
        let mut steps = u64::from(singles(occupied, from) & filter.singles(from)) & 63;
        search.hop_on(from, 0, &mut steps);
        search
    }

    /// The destinations in the order in which they are found.
    pub fn found(&self) -> &[Found] {
        &self.found[..self.count]
    }

    #[inline(always)]
    fn push(&mut self, to: usize, hops: u8) {
        self.found[self.count] = Found { to: to as u8, hops };
        self.count += 1;
    }

    /// The steps to cells that were not looked at before.
    fn take_steps(&mut self, from: usize, steps: u64) {
        let new = steps & !bits::extract(window(self.seen, from), NEAR);
        for place in bits::squares(in_order(new)) {
            self.push(single_cell(from, grid::ORDER[usize::from(place)] as u32), 0);
        }
    }

    /// Looks around a cell. `steps` are those that were not taken yet.
    fn hop_on(&mut self, at: usize, hops: u8, steps: &mut u64) {
        let hopping = (singles(self.occupied, at) & self.filter.legal(at) & HOPS) >> 6;
        for place in bits::squares(in_order(u64::from(hopping))) {
            let (place, direction) = (usize::from(place), grid::ORDER[usize::from(place)]);
            let over = (at as i32 + STEPS[direction]) as usize;
            if self.seen >> over & 1 == 1 {
                continue;
            }
            if hops == 0 {
                self.take_steps(at, *steps & UP_TO[place]);
                *steps &= !UP_TO[place];
            }
            self.seen |= step_cells(UP_TO[place] as u16, at);
            let to = (over as i32 + STEPS[direction]) as usize;
            if self.nearing >> over & 1 == 1 {
                self.push(to, hops + 1);
            }
            self.hop_on(to, hops + 1, steps);
        }
        if hops == 0 {
            self.take_steps(at, *steps);
        }
        self.seen |= step_cells(63, at);
    }
}
