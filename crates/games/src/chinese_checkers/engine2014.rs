//! The moves of the engine behind the ECAI 2014 tables.
//!
//! * The distance to the target is measured on the grid of rows and columns as if odd rows were not moved, and a
//!   hop is judged by the piece it jumps over, not by the cell where it lands.
//! * A cell that was looked at once, occupied or not, is never looked at again while one piece's hops are sought.
//!   So a piece that could not be jumped from one side is not jumped from another either, and some legal hops are
//!   missed.
//! * One destination can be found by chains of different length. Here it is one move, but drawn once for each.

use super::geometry::{GOALS, STEPS, grid};
use super::{Move, State};

/// A destination as the engine finds it.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The move.
    pub mv: Move,
    /// Hops of the chain, 0 for a step.
    pub hops: u32,
}

/// A search for the moves of one piece.
pub struct Search<'a> {
    state: &'a State,
    from: usize,
    /// The target that must come no farther, if any.
    target: Option<usize>,
    seen: u128,
}

impl<'a> Search<'a> {
    /// Calls `found` for each destination of the piece on `from`, repeated ones included.
    pub fn run(state: &'a State, from: usize, target: Option<usize>, found: &mut impl FnMut(Found)) {
        Search { state, from, target, seen: 1 << from }.look_around(from, 0, found);
    }

    fn look_around(&mut self, at: usize, hops: u32, found: &mut impl FnMut(Found)) {
        let goal = GOALS[self.state.mover.index()];
        let stays = |from: usize, to: u128| goal >> from & 1 == 0 || goal & to != 0;
        for direction in grid::ORDER {
            let next = super::geometry::stepped(1 << at, direction);
            if next & super::geometry::BOARD & !self.seen == 0 {
                continue;
            }
            self.seen |= next;
            let cell = (at as i32 + STEPS[direction]) as usize;
            if self.state.empty() & next != 0 {
                if hops == 0 && stays(at, next) && self.comes_no_farther(cell) {
                    found(Found { mv: Move::new(self.from, cell), hops: 0 });
                }
                continue;
            }
            let landing = super::geometry::stepped(next, direction) & (self.state.empty() | 1 << self.from);
            if landing == 0 || !stays(at, landing) {
                continue;
            }
            let to = landing.trailing_zeros() as usize;
            if to != self.from {
                if self.comes_no_farther(cell) {
                    found(Found { mv: Move::new(self.from, to), hops: hops + 1 });
                }
                self.look_around(to, hops + 1, found);
            }
        }
    }

    fn comes_no_farther(&self, cell: usize) -> bool {
        let far = |target, cell| grid::distance(self.state.mover, target, cell);
        self.target.is_none_or(|target| far(target, cell) <= far(target, self.from))
    }
}
