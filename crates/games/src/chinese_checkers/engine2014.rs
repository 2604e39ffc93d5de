//! The moves of the engine behind the ECAI 2014 tables.
//!
//! * The distance to the target is measured on the grid of rows and columns as if odd rows were not moved, and a
//!   hop is judged by the piece it jumps over, not by the cell where it lands.
//! * A cell that was looked at once, occupied or not, is never looked at again while one piece's hops are sought.
//!   So a piece that could not be jumped from one side is not jumped from another either, and some legal hops are
//!   missed.
//! * One destination can be found by chains of different length. Here it is one move, but drawn once for each.

use super::geometry::{Filter, STEPS, Singles, grid, single_cell, singles, step_cells};
use super::hops::Hops;
use super::middles::{AROUND, JUMPABLE, NEXT, UP_TO, between};
#[cfg(any(test, target_arch = "nvptx64"))]
use super::trails;

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

impl Found {
    /// Whether this is a single hop in one of these directions.
    #[inline(always)]
    pub fn is_single(&self, directions: u64) -> bool {
        self.hops == 1 && directions >> grid::ORDER[usize::from(self.place)] & 1 == 1
    }
}

/// What the engine does first of a set of directions.
#[derive(Clone, Copy)]
#[repr(align(4))]
struct First {
    /// The step in bits.
    step: i8,
    /// The directions before it in the order, and the direction itself, among those that there are.
    up_to: u8,
    /// Its place in the order.
    place: u8,
}

/// By the directions that there are, and a set among them, moved together.
static FIRST: [[First; 64]; 64] = {
    let mut table = [[First { step: 0, up_to: 0, place: 0 }; 64]; 64];
    let mut directions = 1usize;
    while directions < 64 {
        let mut set = 1;
        while set < 1 << directions.count_ones() {
            let mut place = 0;
            let mut up_to = 0;
            loop {
                let direction = grid::ORDER[place];
                // Where the direction is among those that there are.
                let bit = 1 << (directions & ((1 << direction) - 1)).count_ones();
                if directions >> direction & 1 == 1 {
                    up_to |= bit;
                    if set & bit != 0 {
                        table[directions][set] =
                            First { step: STEPS[direction] as i8, up_to: up_to as u8, place: place as u8 };
                        break;
                    }
                }
                place += 1;
            }
            set += 1;
        }
        directions += 1;
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
    u64::from(first(63, onward & hops).up_to) | !onward & 63
}

/// The most moves that a search for a piece with these steps and single hops can find: every other hop is over one
/// more piece.
#[inline(always)]
pub fn most_found(hops: Hops, filter: &Filter, from: usize, singles: Singles) -> u32 {
    let others = hops.jumped_from(from) & filter.far[from] & !step_cells(singles >> 8, from);
    singles.count_ones() + others.count_ones()
}

#[inline(always)]
fn first(directions: u64, among: u64) -> First {
    FIRST[directions as usize & 63][among as usize & 63]
}

/// What takes the chains that a search finds.
pub trait Collect {
    /// A chain that is drawn from if it `counts`: where it ends, its number of hops, and the place in the order of the direction
    /// in which the piece left its cell.
    fn take(&mut self, counts: bool, to: usize, hops: u64, place: u8);
}

/// A piece whose moves are sought.
#[derive(Clone, Copy)]
pub struct Piece<'a> {
    /// Where it stands.
    pub from: usize,
    /// What is searched.
    pub filter: &'a Filter,
    /// The steps that it might make, by direction.
    pub steps: u64,
    /// Its legal first hops.
    pub hops: u64,
    /// The cells over which those that follow might lead.
    pub jumped: u128,
}

/// A cell that was left before all hops from it were followed.
#[derive(Clone, Copy, Default)]
struct Left {
    at: u8,
    hops: u8,
    length: u8,
}

impl<'a> Piece<'a> {
    /// A piece with these steps and legal first hops.
    #[inline(always)]
    pub fn new(filter: &'a Filter, hops: Hops, from: usize, singles: Singles, first: Singles) -> Self {
        let (steps, jumped) = (u64::from(singles) & 63, hops.jumped_from(from));
        Self { from, filter, steps, hops: u64::from(first >> 8), jumped }
    }

    /// Finds all chains, and returns the steps.
    #[inline(always)]
    pub fn search(&self, found: &mut impl Collect) -> u64 {
        #[cfg(any(test, target_arch = "nvptx64"))]
        if cfg!(target_arch = "nvptx64") {
            return trails::follow(self, self.filter.far[self.from & 127], found).0;
        }
        let jumped = between(self.jumped, self.from);
        let nearing = between(self.filter.far[self.from & 127], self.from);
        let (mut seen, mut steps, mut hops, mut ahead) = (0, 0, self.hops, 63);
        let jumpable = &JUMPABLE[self.filter.player.index()];
        let (mut left, mut put_off) = ([Left::default(); CHAINS], [0; CHAINS]);
        loop {
            let unseen = ahead & !AROUND[self.from & 127].of(seen);
            hops &= unseen;
            if hops == 0 {
                return steps | self.steps & unseen;
            }
            let mut way = first(63, hops);
            let place = way.place;
            steps |= self.steps & unseen & u64::from(way.up_to);
            ahead &= !u64::from(way.up_to);
            let (mut at, mut length, mut depth) = (self.from & 127, 1, 0);
            // The neighbours of cells that were left for good. They are looked at only after what comes now.
            let mut looked = 0;
            loop {
                let to = (at as i32 + 2 * i32::from(way.step)) as usize & 127;
                seen |= UP_TO[usize::from(way.place) & 7][at];
                found.take(nearing & NEXT[usize::from(way.place) & 7][at] != 0, to, length, place);
                // What there is at a cell tells which directions of hops these are.
                let mut neighbours = jumpable[to];
                let mut onward = neighbours.among(jumped & !seen);
                at = to;
                if onward == 0 {
                    // Back to the last cell from which another hop is possible.
                    loop {
                        seen |= looked | UP_TO[5][at];
                        if depth == 0 {
                            break;
                        }
                        depth -= 1;
                        let last = left[depth % CHAINS];
                        (at, length, looked) =
                            (usize::from(last.at) & 127, last.length.into(), put_off[depth % CHAINS]);
                        neighbours = jumpable[at];
                        onward = u64::from(last.hops) & !neighbours.among(seen);
                        if onward != 0 {
                            break;
                        }
                    }
                    if onward == 0 {
                        break;
                    }
                }
                way = first(neighbours.all(), onward);
                let rest = onward & !u64::from(way.up_to);
                if rest == 0 {
                    looked |= UP_TO[5][at];
                } else {
                    left[depth % CHAINS] = Left { at: at as u8, hops: rest as u8, length: length as u8 };
                    put_off[depth % CHAINS] = looked;
                    (depth, looked) = (depth + 1, 0);
                }
                length += 1;
            }
        }
    }
}

/// The moves of a piece as a list.
pub struct Search {
    from: usize,
    steps: u64,
    chains: [Found; CHAINS],
    count: usize,
}

impl Search {
    /// Finds the destinations of the piece on `from`, repeated ones included.
    #[inline]
    pub fn new(occupied: u128, filter: &Filter, from: usize) -> Self {
        let open = singles(occupied, from);
        let (single, first) = (open & filter.singles(from), open & filter.legal(from));
        Self::of(Piece::new(filter, Hops::of(occupied), from, single, first))
    }

    /// The destinations of a piece.
    #[inline]
    pub fn of(piece: Piece) -> Self {
        let mut search = Self { from: piece.from, steps: 0, chains: [Found::default(); CHAINS], count: 0 };
        search.steps = piece.search(&mut search);
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
}

impl Collect for Search {
    #[inline(always)]
    fn take(&mut self, counts: bool, to: usize, hops: u64, place: u8) {
        self.chains[self.count % CHAINS] = Found { to: to as u8, hops: hops as u8, place };
        self.count += usize::from(counts);
    }
}
