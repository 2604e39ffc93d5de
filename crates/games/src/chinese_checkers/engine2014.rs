//! The moves of the engine behind the ECAI 2014 tables.
//!
//! * The distance to the target is measured on the grid of rows and columns as if odd rows were not moved, and a
//!   hop is judged by the piece it jumps over, not by the cell where it lands.
//! * A cell that was looked at once, occupied or not, is never looked at again while one piece's hops are sought.
//!   So a piece that could not be jumped from one side is not jumped from another either, and some legal hops are
//!   missed.
//! * One destination can be found by chains of different length. Here it is one move, but drawn once for each.

use super::geometry::{
    BEHIND, BITS, Filter, NEAR, NEIGHBOURS, STEPS, Singles, grid, single_cell, singles, step_cells, window,
};
use super::hops::Hops;
use spinney_core::bits;

/// Room for the chains of one piece: each ends with a hop over another one of the eleven other pieces.
const CHAINS: usize = 16;

/// All neighbours of each cell.
const ALL_AROUND: &[u128; BITS] = &NEIGHBOURS[5];

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

impl Found {
    /// Whether this is a single hop in one of these directions.
    #[inline(always)]
    pub fn is_single(&self, directions: u64) -> bool {
        self.hops == 1 && directions >> grid::ORDER[usize::from(self.place)] & 1 == 1
    }
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

/// What the engine does first of a set of directions.
#[derive(Clone, Copy)]
struct First {
    /// The step in bits.
    step: i8,
    /// The directions before it in the order, and the direction itself.
    up_to: u8,
    /// The directions that do not lead back.
    onward: u8,
    /// Its place in the order.
    place: u8,
}

/// By set of directions.
static FIRST: [First; 64] = {
    let mut table = [First { step: 0, up_to: 0, onward: 0, place: 0 }; 64];
    let mut set = 1;
    while set < 64 {
        let (mut place, mut up_to) = (0, 1 << grid::ORDER[0]);
        while set & up_to == 0 {
            place += 1;
            up_to |= 1 << grid::ORDER[place];
        }
        let direction = grid::ORDER[place];
        let onward = !(1 << (5 - direction));
        table[set] = First { step: STEPS[direction] as i8, up_to: up_to as u8, onward, place: place as u8 };
        set += 1;
    }
    table
};

/// The directions in which a step or a single hop of a piece is found whatever its chains are, by the first hops it
/// has and the directions in which a hop would end where another one is possible (`onward`).
///
/// Up to the first chain nothing else was looked at. A neighbour of the piece is looked at from the cell behind it too,
/// but from no other cell that hops reach.
#[inline(always)]
pub fn sure(onward: u64, hops: u64) -> u64 {
    u64::from(first(onward & hops).up_to) | !onward & 63
}

/// The most moves that a search for a piece with these steps and single hops can find: every other hop is over one
/// more piece.
#[inline(always)]
pub fn most_found(hops: Hops, filter: &Filter, from: usize, singles: Singles) -> u32 {
    let others = hops.jumped_from(from) & filter.far[from] & !step_cells(singles >> 6, from);
    singles.count_ones() + others.count_ones()
}

#[inline(always)]
fn first(directions: u64) -> First {
    FIRST[directions as usize & 63]
}

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
    #[inline]
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
        let window = window(self.occupied, at);
        bits::extract(window, NEAR) & !bits::extract(window, BEHIND) & u64::from(self.filter.legal[at & 127][1])
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
            let first = first(hops);
            let up_to = u64::from(first.up_to);
            self.steps |= steps & unseen & up_to;
            ahead &= !up_to;
            let (to, onward) = self.hop(self.from, first, first.place, 1);
            self.follow(to, onward, first.place, 1);
        }
    }

    /// Hops from a cell. Returns where that ends, and the hops from there over pieces that were not looked at.
    #[inline(always)]
    fn hop(&mut self, at: usize, way: First, place: u8, length: u8) -> (usize, u64) {
        let over = (at as i32 + i32::from(way.step)) as usize & 127;
        let to = (at as i32 + 2 * i32::from(way.step)) as usize & 127;
        // Around both ends there is only the piece that is jumped now, so what is looked at here need not be waited for.
        let onward = self.hops(to) & u64::from(way.onward) & !near(self.seen, to);
        self.seen |= NEIGHBOURS[usize::from(way.place)][at];
        // Without a branch, which would often be foreseen wrongly.
        self.chains[self.count % CHAINS] = Found { to: to as u8, hops: length, place };
        self.count += usize::from(self.nearing >> over & 1 == 1);
        (to, onward)
    }

    /// Goes on from a cell with these hops as far as they lead.
    #[inline]
    fn follow(&mut self, at: usize, hops: u64, place: u8, length: u8) {
        let (mut at, mut hops, mut length) = (at, hops, length);
        // The neighbours of cells that were left for good. They are looked at only after what comes now.
        let mut looked = 0;
        while hops != 0 {
            let first = first(hops);
            hops &= !u64::from(first.up_to);
            let (to, onward) = self.hop(at, first, place, length + 1);
            if hops == 0 {
                looked |= ALL_AROUND[at];
                (at, hops, length) = (to, onward, length + 1);
            } else {
                self.follow(to, onward, place, length + 1);
                hops &= !near(self.seen, at);
            }
        }
        self.seen |= looked | ALL_AROUND[at];
    }
}
