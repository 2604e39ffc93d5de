//! Havannah (Christian Freeling, 1979): connect on a hexagon of hexagons.
//!
//! The players place stones in turn on a board of side 3 to 10. A connected group of one colour wins at once if it
//! is a *bridge* (holds two of the six corners), a *fork* (touches three of the six sides; corners belong to none)
//! or a *ring* (encloses at least one cell, whatever that cell holds). A full board without a winner is a draw.
//! There is no swap.
//!
//! Groups have names and carry their corners and sides (`groups.rs`), so a stone is judged by its six neighbours, without a
//! search: bridge and fork by counting marks, and a ring is closed if and only if
//! 1. two separate runs of own stones around the new one already belonged to one group, or
//! 2. an own neighbour now has six own neighbours.
//!
//! In the first case the two runs and the new stone close a loop with a cell on either side. Conversely, a new
//! loop through two neighbours of one run could be led along that run, so it existed before, unless what it
//! encloses are own stones only: then one of these has six own neighbours.
//!
#![cfg_attr(doc, doc = include_str!("../../rules/havannah.md"))]
#![cfg_attr(doc, doc = include_str!("../../rules/havannah.svg"))]

mod groups;
mod rules;
#[cfg(test)]
mod tests;
#[cfg(feature = "std")]
mod text;

use alloc::{sync::Arc, vec::Vec};
use core::fmt;
use groups::{Groups, Numbers};
use spinney_core::Player;

spinney_core::options! {
    /// The size of the board.
    pub struct Options {
        /// cells along a side of the board
        size: u8 = 8, in 3 to 10;
    }
}

/// The largest side, and what follows from it.
const LARGEST_SIDE: usize = 10;
const MOST_ROWS: usize = 2 * LARGEST_SIDE - 1;
const MOST_CELLS: usize = 3 * LARGEST_SIDE * (LARGEST_SIDE - 1) + 1;
const WORDS: usize = MOST_CELLS.div_ceil(64);

/// The rules on a board of side 3 to 10.
///
/// ```
/// use spinney_core::{Game, perft};
/// let game = spinney_games::Havannah::default();
/// assert_eq!(perft(&game, &game.initial(), 2), 169 * 168);
/// ```
#[derive(Clone)]
pub struct Havannah {
    options: Options,
    board: Arc<Board>,
}

/// The cells of a board, row by row from the top.
struct Board {
    cells: Vec<Cell>,
    /// The leftmost column of each row.
    first_columns: Vec<usize>,
    /// The number of each row's first cell, and the number of cells.
    first_cells: Vec<usize>,
    /// Words of the set of cells.
    words: usize,
    /// Stones that a player needs for a bridge, a fork or a ring.
    least_stones: u16,
}

/// What is fixed about a cell. Column x and row y run from 0 and |x − y| is less than the side.
#[derive(Clone, Copy)]
struct Cell {
    /// The cells around, in the order of the bits of a [`Shape`], and the cell itself; the number of cells where the board
    /// ends.
    neighbours: [u16; 8],
    /// Low six bits: the corner that this cell is. High six bits: the side on which it lies.
    marks: u16,
    row: u8,
    column: u8,
}

/// Stones as bits of rows, and their groups.
#[derive(Clone, Copy)]
pub struct State {
    /// For each player and row y + 1, a bit for each column x + 1; the margin spares a test for the board's end.
    stones: [[u32; MOST_ROWS + 2]; 2],
    empty: [u64; WORDS],
    empty_cells: u16,
    mover: Player,
    winner: Option<Player>,
    groups: [Groups; 2],
    /// For stones only.
    numbers: Numbers,
}

/// The numbers of groups depend on the order of the moves; the stones say all that matters.
impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.stones == other.stones && self.empty == other.empty && self.mover == other.mover
    }
}

impl fmt::Debug for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (stones, mover, winner) = (&self.stones, self.mover, self.winner);
        formatter.debug_struct("State").field("stones", stones).field("mover", &mover).field("winner", &winner).finish()
    }
}

/// The number of the cell on which a stone is placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move(u16);

/// The runs of own stones around a cell. A pattern of neighbours has these bits:
/// 0 and 1 above, 2 left, 4 right, 5 and 6 below; bit 3 is the cell itself.
#[derive(Clone, Copy)]
struct Shape {
    runs: u8,
    /// One stone of each run, the first once more where there are fewer; the cell itself where there is none.
    heads: [u8; 3],
    /// All bits where there is a run, else none.
    joins: u8,
    /// Whether there are two runs at least.
    joins_two: bool,
    /// Stones between two others of their run.
    centres: u8,
}

impl Cell {
    /// The neighbour at this bit of a pattern.
    #[inline(always)]
    fn neighbour(&self, bit: u8) -> usize {
        usize::from(self.neighbours[usize::from(bit & 7)])
    }
}

/// The bits of a pattern in the order around the cell, and the step in column and row to each.
const CIRCLE: [(u8, isize, isize); 6] = [(0, -1, -1), (1, 0, -1), (4, 1, 0), (6, 1, 1), (5, 0, 1), (2, -1, 0)];
const ALL_AROUND: usize = 0b111_0111;

const SHAPES: [Shape; 128] = {
    const NONE: Shape = Shape { runs: 0, heads: [3; 3], joins: 0, joins_two: false, centres: 0 };
    let mut shapes = [NONE; 128];
    let mut pattern = 0;
    while pattern < 128 {
        let mut shape = NONE;
        let mut place = 0;
        while place < 6 {
            let bit = CIRCLE[place].0;
            let own = pattern >> bit & 1 == 1;
            let before = pattern >> CIRCLE[(place + 5) % 6].0 & 1 == 1;
            let after = pattern >> CIRCLE[(place + 1) % 6].0 & 1 == 1;
            if own && !before {
                let mut head = shape.runs as usize;
                while head < 3 {
                    shape.heads[head] = bit;
                    head = if shape.runs == 0 { head + 1 } else { 3 };
                }
                shape.runs += 1;
                (shape.joins, shape.joins_two) = (0xff, shape.runs > 1);
            }
            if own && before && after {
                shape.centres |= 1 << bit;
            }
            place += 1;
        }
        shapes[pattern] = shape;
        pattern += 1;
    }
    shapes
};

impl Board {
    fn new(side: usize) -> Self {
        let rows = 2 * side - 1;
        let first_columns: Vec<usize> = (0..rows).map(|row| (row + 1).saturating_sub(side)).collect();
        let width = |row: usize| rows - row.abs_diff(side - 1);
        let first_cells: Vec<usize> = (0..=rows).map(|row| (0..row).map(width).sum()).collect();
        let number = |column: isize, row: isize| {
            let on_board = (0..rows as isize).contains(&row)
                && (0..rows as isize).contains(&column)
                && column.abs_diff(row) < side;
            if !on_board {
                return first_cells[rows] as u16;
            }
            (first_cells[row as usize] + column as usize - first_columns[row as usize]) as u16
        };
        let mut cells = Vec::with_capacity(first_cells[rows]);
        for (row, &first) in first_columns.iter().enumerate() {
            for column in first..first + width(row) {
                let mut neighbours = [cells.len() as u16; 8];
                for (bit, right, down) in CIRCLE {
                    neighbours[usize::from(bit)] = number(column as isize + right, row as isize + down);
                }
                let marks = marks(side, column, row);
                cells.push(Cell { neighbours, marks, row: row as u8, column: column as u8 });
            }
        }
        // A bridge takes a whole side, a fork more than that, and a ring six stones.
        let (words, least_stones) = (cells.len().div_ceil(64), side.min(6) as u16);
        Self { cells, first_columns, first_cells, words, least_stones }
    }
}

/// The mark of the corner or side on which a cell lies, if any.
fn marks(side: usize, column: usize, row: usize) -> u16 {
    let (middle, last) = (side - 1, 2 * side - 2);
    let corners = [(0, 0), (middle, 0), (last, middle), (last, last), (middle, last), (0, middle)];
    if let Some(corner) = corners.iter().position(|&corner| corner == (column, row)) {
        return 1 << corner;
    }
    let sides = [row == 0, column == row + middle, column == last, row == last, row == column + middle, column == 0];
    sides.iter().position(|&lies| lies).map_or(0, |side| 1 << (6 + side))
}

/// The marks of corners.
const CORNERS: u16 = 0b11_1111;

impl Havannah {
    /// The rules for these options.
    pub fn new(options: Options) -> Self {
        Self { board: Arc::new(Board::new(usize::from(options.size))), options }
    }

    fn side(&self) -> usize {
        usize::from(self.options.size)
    }

    fn rows(&self) -> usize {
        2 * self.side() - 1
    }
}

impl Default for Havannah {
    fn default() -> Self {
        Self::new(Options::default())
    }
}
