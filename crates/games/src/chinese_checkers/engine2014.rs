//! The moves of the engine behind the ECAI 2014 tables.
//!
//! * The distance to the target is measured on the grid of rows and columns as if odd rows were not moved, and a
//!   hop is judged by the piece it jumps over, not by the cell where it lands.
//! * A cell that was looked at once, occupied or not, is never looked at again while one piece's hops are sought.
//!   So a piece that could not be jumped from one side is not jumped from another either, and some legal hops are
//!   missed.
//! * One destination can be found by chains of different length. Here it is one move, but drawn once for each.

use super::geometry::{Filter, NEAR, NEIGHBOURS, grid, single_cell, singles, step_cells, window};
use spinney_core::bits;

/// The most chains of one piece: each ends with a hop over another piece.
const MOST_CHAINS: usize = 11;

/// A destination as the engine finds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The cell.
    pub to: u8,
    /// Hops of the chain, 0 for a step.
    pub hops: u8,
    /// The place in the order of the direction in which the piece left its cell.
    place: u8,
}

/// A search for the moves of one piece.
pub struct Search<'a> {
    occupied: u128,
    filter: &'a Filter,
    from: usize,
    /// The cells that the piece may jump over so that the move is searched.
    nearing: u128,
    seen: u128,
    steps: u64,
    /// One place is left over.
    chains: [Found; MOST_CHAINS + 1],
    count: usize,
}

/// For each set of directions the one that the engine looks at first, as its place in the order.
static FIRST: [u8; 64] = {
    let mut table = [0; 64];
    let mut set = 1;
    while set < 64 {
        while set >> grid::ORDER[table[set] as usize] & 1 == 0 {
            table[set] += 1;
        }
        set += 1;
    }
    table
};

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

/// The neighbours of a cell that belong to a set, by direction.
#[inline(always)]
fn near(set: u128, at: usize) -> u64 {
    bits::extract(window(set, at), NEAR)
}

impl<'a> Search<'a> {
    /// Finds the destinations of the piece on `from`, repeated ones included.
    #[inline(always)]
    pub fn new(occupied: u128, filter: &'a Filter, from: usize) -> Self {
        let chains = [Found::default(); MOST_CHAINS + 1];
        let nearing = filter.far[from];
        let mut search = Self { occupied, filter, from, nearing, seen: 1 << from, steps: 0, chains, count: 0 };
        search.look_around();
        search
    }

    /// The destinations of steps, by direction.
    #[inline(always)]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The destinations of hops, in the order in which they are found.
    #[inline(always)]
    pub fn chains(&self) -> &[Found] {
        &self.chains[..self.count]
    }

    /// All destinations in the order in which they are found.
    pub fn all(&self) -> impl Iterator<Item = Found> {
        (0..6).flat_map(|place| {
            let direction = grid::ORDER[usize::from(place)];
            let to = single_cell(self.from, direction as u32) as u8;
            let step = (self.steps >> direction & 1 == 1).then_some(Found { to, hops: 0, place });
            step.into_iter().chain(self.chains().iter().copied().filter(move |found| found.place == place))
        })
    }

    /// The legal hops from a cell, by direction.
    #[inline(always)]
    fn hops(&self, at: usize) -> u64 {
        u64::from(singles(self.occupied, at) & self.filter.legal(at)) >> 6
    }

    /// Looks around the piece.
    #[inline(always)]
    fn look_around(&mut self) {
        let steps = u64::from(singles(self.occupied, self.from) & self.filter.singles(self.from)) & 63;
        let mut hops = self.hops(self.from);
        let mut ahead = 63;
        loop {
            let unseen = ahead & !near(self.seen, self.from);
            hops &= unseen;
            if hops == 0 {
                self.steps |= steps & unseen;
                return;
            }
            let place = FIRST[hops as usize & 63];
            self.steps |= steps & unseen & UP_TO[usize::from(place)];
            ahead &= !UP_TO[usize::from(place)];
            self.follow(place);
        }
    }

    /// Hops from the piece's cell in the direction at a place of the order, and on from there as far as it goes.
    #[inline(always)]
    fn follow(&mut self, first: u8) {
        // The cells to come back to, because other hops are left there.
        let mut stack = [Fork { at: 0, hops: 0, length: 0, looked: 0 }; MOST_CHAINS];
        let mut depth = 0;
        let (mut at, mut place, mut length) = (self.from, first, 0);
        // The neighbours of cells that were left; they count as seen only for those who are come back to.
        let mut looked = 0;
        loop {
            let direction = grid::ORDER[usize::from(place)] as u32;
            let over = single_cell(at, direction) & 127;
            self.seen |= step_cells(UP_TO[usize::from(place)] as u16, at);
            at = single_cell(at, direction + 6) & 127;
            length += 1;
            // Without a branch, which would often be foreseen wrongly.
            self.chains[self.count.min(MOST_CHAINS)] = Found { to: at as u8, hops: length, place: first };
            self.count += usize::from(self.nearing >> over & 1 == 1);
            // Not back over the piece that was just jumped.
            let mut hops = self.hops(at) & !(1 << (5 - direction));
            loop {
                hops &= !near(self.seen, at);
                if hops != 0 {
                    break;
                }
                looked |= NEIGHBOURS[at];
                self.seen |= looked;
                if depth == 0 {
                    return;
                }
                depth -= 1;
                let fork = stack[depth];
                (at, hops, length) = (fork.at.into(), fork.hops.into(), fork.length);
                looked |= fork.looked;
            }
            place = FIRST[hops as usize & 63];
            hops &= !UP_TO[usize::from(place)];
            if hops == 0 {
                looked |= NEIGHBOURS[at];
            } else {
                stack[depth] = Fork { at: at as u8, hops: hops as u8, length, looked };
                depth += 1;
                looked = 0;
            }
        }
    }
}

/// A cell from which there are hops left.
#[derive(Clone, Copy)]
struct Fork {
    at: u8,
    hops: u8,
    /// Hops that led there.
    length: u8,
    looked: u128,
}
