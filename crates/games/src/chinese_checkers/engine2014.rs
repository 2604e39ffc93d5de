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

/// Room for the chains of one piece: each ends with a hop over another one of the eleven other pieces.
const CHAINS: usize = 16;

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
    chains: [Found; CHAINS],
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
        let chains = [Found::default(); CHAINS];
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
        &self.chains[..self.count % CHAINS]
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
            let (to, onward) = self.hop(self.from, place, place, 1);
            self.follow(to, onward, place, 1);
        }
    }

    /// Hops from a cell in the direction at a place of the order. Returns where that ends, and the hops from there.
    #[inline(always)]
    fn hop(&mut self, at: usize, place: u8, first: u8, length: u8) -> (usize, u64) {
        let direction = grid::ORDER[usize::from(place)] as u32;
        let (over, to) = (single_cell(at, direction) & 127, single_cell(at, direction + 6) & 127);
        self.seen |= step_cells(UP_TO[usize::from(place)] as u16, at);
        // Without a branch, which would often be foreseen wrongly.
        self.chains[self.count % CHAINS] = Found { to: to as u8, hops: length, place: first };
        self.count += usize::from(self.nearing >> over & 1 == 1);
        // Not back over the piece that was just jumped.
        (to, self.hops(to) & !(1 << (5 - direction)))
    }

    /// Goes on from a cell with these hops as far as they lead.
    fn follow(&mut self, at: usize, hops: u64, first: u8, length: u8) {
        let (mut at, mut hops, mut length) = (at, hops, length);
        // The neighbours of cells that were left for good. They are looked at only after what comes now.
        let mut looked = 0;
        loop {
            hops &= !near(self.seen, at);
            if hops == 0 {
                self.seen |= looked | NEIGHBOURS[at];
                return;
            }
            let place = FIRST[hops as usize & 63];
            hops &= !UP_TO[usize::from(place)];
            let (to, onward) = self.hop(at, place, first, length + 1);
            if hops == 0 {
                looked |= NEIGHBOURS[at];
                (at, hops, length) = (to, onward, length + 1);
            } else {
                self.follow(to, onward, first, length + 1);
            }
        }
    }
}
