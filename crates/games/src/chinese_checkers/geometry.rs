//! The star of 73 cells as the bits of a word, and the tables that follow from it.
//!
//! With axial coordinates (row r from 0 to 12, and q, which grows to the right and stays the same on the way down
//! to the right) a cell has bit 11 r + q − 5. Then each direction is one shift, and no shift leads from one cell
//! of the board to another that is not its neighbour.

use crate::variant::Variant;
use spinney_core::{Player, bits};

/// First column and number of cells of each row; odd rows are moved right by half a cell.
const ROWS: [(i32, i32); 13] =
    [(5, 1), (4, 2), (4, 3), (0, 10), (1, 9), (1, 8), (2, 7), (1, 8), (1, 9), (0, 10), (4, 3), (4, 2), (5, 1)];

/// The size of tables by cell: every number of seven bits, which spares a test; the largest bit of a cell is 126.
pub const BITS: usize = 128;

/// Steps in bits: up left, up right, left, right, down left, down right.
pub const STEPS: [i32; 6] = [-11, -10, -1, 1, 10, 11];

/// The neighbours in a [`window`], in the order of [`STEPS`].
pub const NEAR: u64 = 1 << 14 | 1 << 15 | 1 << 24 | 1 << 26 | 1 << 35 | 1 << 36;
/// The cells behind [`NEAR`].
pub const BEHIND: u64 = 1 << 3 | 1 << 5 | 1 << 23 | 1 << 27 | 1 << 45 | 1 << 47;

/// Steps by direction in the low byte, single hops in the high one.
pub type Singles = u16;

/// The bits of hops in [`Singles`].
pub const HOPS: Singles = 0b11_1111 << 8;

/// For each cell those that hops could reach from it: a hop changes both coordinates by an even number.
pub static HOP_CLASSES: [u128; BITS] = {
    let mut table = [0; BITS];
    let mut number = 0;
    while number < 73 * 73 {
        let (one, other) = (CELLS[number / 73], CELLS[number % 73]);
        let across = (one.column - one.row / 2) - (other.column - other.row / 2);
        if across % 2 == 0 && (one.row - other.row) % 2 == 0 {
            table[one.bit] |= 1 << other.bit;
        }
        number += 1;
    }
    table
};

/// By how much less than the number of a cell the cells of a board are moved down so that its surroundings are the lowest bits.
/// With this number no cell is moved by 0 or 64, so that [`window`] need not ask for that.
const BEFORE: u32 = 25;

/// The surroundings of a cell: 45 bits with the cell in the middle, and three below.
#[inline(always)]
pub fn window(set: u128, cell: usize) -> u64 {
    let (low, high) = (set as u64, (set >> 64) as u64);
    let by = (cell as u32).wrapping_sub(BEFORE);
    let (first, second) = if by & 64 == 0 { (low, high) } else { (high, low) };
    // As rotating does, but that takes several times as long.
    first.wrapping_shr(by) | second.wrapping_shl(by.wrapping_neg())
}

/// Where the steps and hops of a piece would find the next cell empty, or held and the cell behind it empty. What
/// lies beyond the board is not told apart; the tables in [`Filter`] leave it out.
#[inline(always)]
pub fn singles(occupied: u128, cell: usize) -> Singles {
    let window = window(occupied, cell);
    let (near, behind) = (bits::extract(window, NEAR), bits::extract(window, BEHIND));
    ((near & !behind) << 8 | (near ^ 0b11_1111)) as Singles
}

/// The cells to which steps of a piece lead.
#[inline(always)]
pub fn step_cells(singles: Singles, cell: usize) -> u128 {
    u128::from(bits::deposit(u64::from(singles) & 63, NEAR)).rotate_left((cell as u32).wrapping_sub(BEFORE) % 128)
}

/// The cells to which single hops of a piece lead.
#[inline(always)]
pub fn hop_cells(singles: Singles, cell: usize) -> u128 {
    u128::from(bits::deposit(u64::from(singles) >> 8, BEHIND)).rotate_left((cell as u32).wrapping_sub(BEFORE) % 128)
}

/// The cell to which a step or a hop leads, by its bit in [`Singles`]; hops may follow a second time.
#[inline(always)]
pub fn single_cell(cell: usize, bit: u32) -> usize {
    const LENGTHS: [i8; 32] = {
        let mut lengths = [0; 32];
        let mut bit = 0;
        while bit < 24 {
            lengths[bit] = if bit % 8 < 6 { STEPS[bit % 8] as i8 * if bit < 8 { 1 } else { 2 } } else { 0 };
            bit += 1;
        }
        lengths
    };
    (cell as i32 + i32::from(LENGTHS[bit as usize & 31])) as usize
}

/// A cell: its bit, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its bit.
    pub bit: usize,
    /// Row from the top.
    pub row: i32,
    /// Column in a grid whose odd rows are moved right by half a cell.
    pub column: i32,
    /// Place in its row from the left.
    pub place: i32,
}

/// All cells, row by row.
pub const CELLS: [Cell; 73] = {
    let mut cells = [Cell { bit: 0, row: 0, column: 0, place: 0 }; 73];
    let (mut number, mut row) = (0, 0);
    while row < 13 {
        let (first, width) = ROWS[row as usize];
        let mut place = 0;
        while place < width {
            let column = first + place;
            let bit = (11 * row + column - row / 2 - 5) as usize;
            cells[number] = Cell { bit, row, column, place };
            number += 1;
            place += 1;
        }
        row += 1;
    }
    cells
};

/// The number of the cell with a bit in [`CELLS`]; 73 where there is none.
pub const NUMBERS: [u8; BITS] = {
    let mut numbers = [73; BITS];
    let mut number = 0;
    while number < 73 {
        numbers[CELLS[number].bit] = number as u8;
        number += 1;
    }
    numbers
};

/// All cells.
pub const BOARD: u128 = cells_of_rows(0, 13);
const TOP: u128 = cells_of_rows(0, 3);
const BOTTOM: u128 = cells_of_rows(10, 13);

/// Where each player has to go; the other player starts there.
pub const GOALS: [u128; 2] = [BOTTOM, TOP];

/// Whether a cell of the board lies in a player's goal, which is where the lowest or the highest numbers are.
#[inline(always)]
pub const fn in_goal(player: Player, cell: usize) -> bool {
    match player {
        Player::First => cell >= 104,
        Player::Second => cell <= 22,
    }
}

/// The cells of each goal in the order in which they are to be filled, tip first.
pub const GOAL_CELLS: [[usize; 6]; 2] = [[126, 115, 116, 104, 105, 106], [0, 10, 11, 20, 21, 22]];

/// The number of targets: the cells of the goal, or none; rounded up to a power of two.
pub const TARGETS: usize = 8;
/// The target that stands for none.
pub const ANYWHERE: usize = 6;

#[inline]
const fn cells_of_rows(from: i32, to: i32) -> u128 {
    let mut set = 0;
    let mut number = 0;
    while number < 73 {
        if from <= CELLS[number].row && CELLS[number].row < to {
            set |= 1 << CELLS[number].bit;
        }
        number += 1;
    }
    set
}

/// The cells one step from `set` in a direction. Beyond the board there are bits without meaning.
#[inline(always)]
pub const fn stepped(set: u128, direction: usize) -> u128 {
    let by = STEPS[direction];
    if by > 0 { set << by } else { set >> -by }
}

/// The bits of `set` from low to high.
#[inline]
pub fn cells(set: u128) -> impl Iterator<Item = usize> {
    bits::squares_wide(set).map(|cell| cell as usize)
}

/// Which cells of a player's goal are held, from low to high bits, by the words of the occupied cells.
#[inline(always)]
pub fn goal_held(player: Player, [low, high]: [u64; 2]) -> usize {
    let held = match player {
        Player::First => bits::extract(high, (BOTTOM >> 64) as u64),
        Player::Second => bits::extract(low, TOP as u64),
    };
    held as usize
}

/// Whether all cells of some goal are held, by the words of the occupied cells.
#[inline(always)]
pub fn any_goal_full([low, high]: [u64; 2]) -> bool {
    const LAST: u64 = (BOTTOM >> 64) as u64;
    high & LAST == LAST || low & TOP as u64 == TOP as u64
}

/// All cells of a goal, as [`goal_held`] tells.
pub const FULL: usize = 63;

/// By player and [`goal_held`] the first free cell as its place in the order; the tip if there is none.
pub type FirstFree = [[u8; 64]; 2];

/// The table of first free cells.
pub static FIRST_FREE: FirstFree = {
    // The places of the goal's cells from low to high.
    let order = [[5, 3, 4, 0, 1, 2], [0, 1, 2, 3, 4, 5]];
    let mut table = [[0; 64]; 2];
    let mut player = 0;
    while player < 2 {
        let mut held = 0;
        while held < FULL {
            let mut place = 0;
            while held >> order[player][place] & 1 == 1 {
                place += 1;
            }
            table[player][held] = place as u8;
            held += 1;
        }
        player += 1;
    }
    table
};

/// Where no target is aimed at.
pub static NO_TARGET: FirstFree = [[ANYWHERE as u8; 64]; 2];

/// Steps along the board between two cells.
#[inline]
pub fn distance(one: usize, other: usize) -> i32 {
    let axial = |bit: usize| {
        let cell = CELLS[usize::from(NUMBERS[bit])];
        (cell.column - cell.row / 2, cell.row)
    };
    let ((q, r), (other_q, other_r)) = (axial(one), axial(other));
    let (right, down) = (q - other_q, r - other_r);
    right.abs().max(down.abs()).max((right + down).abs())
}

/// What a piece may do on a cell, by direction: steps and hops.
pub type Ways = [u8; 2];

/// Which moves of a player lead no farther from a target, and do not leave the goal.
pub struct Filter {
    /// Whose moves they are.
    pub player: Player,
    /// What is searched, for each cell.
    pub searched: [Ways; BITS],
    /// What is legal.
    pub legal: [Ways; BITS],
    /// For each cell, the cells that hops could reach; in the published engine those that they could jump over.
    pub far: [u128; BITS],
}

impl Filter {
    /// One that lets nothing pass.
    const CLOSED: Self =
        Self { player: Player::First, searched: [[0; 2]; BITS], legal: [[0; 2]; BITS], far: [0; BITS] };

    fn fill(&mut self, variant: Variant, player: Player, target: usize) {
        self.player = player;
        let goal = GOALS[player.index()];
        let cell = GOAL_CELLS[player.index()].get(target);
        let leaves = |from: usize, to: usize| goal >> from & 1 == 1 && goal >> to & 1 == 0;
        let nears = |from: usize, to: usize| {
            cell.is_none_or(|&cell| match variant {
                Variant::Standard => distance(to, cell) <= distance(from, cell),
                Variant::Engine2014 => grid::distance(to, cell) <= grid::distance(from, cell),
            })
        };
        for from in cells(BOARD) {
            for direction in 0..6 {
                let near = stepped(1 << from, direction) & BOARD;
                let behind = stepped(near, direction) & BOARD;
                for (hops, set) in [near, behind].into_iter().enumerate().filter(|(_, set)| *set != 0) {
                    let to = set.trailing_zeros() as usize;
                    let judged = if variant == Variant::Standard { set } else { near }.trailing_zeros() as usize;
                    let legal = !leaves(from, to);
                    self.searched[from][hops] |= u8::from(legal && nears(from, judged)) << direction;
                    self.legal[from][hops] |= u8::from(legal) << direction;
                }
            }
            let could = |to: &usize| match variant {
                Variant::Standard => HOP_CLASSES[from] >> to & 1 == 1 && !leaves(from, *to),
                Variant::Engine2014 => true,
            };
            for to in cells(BOARD & !(1 << from)).filter(could).filter(|&to| nears(from, to)) {
                self.far[from] |= 1 << to;
            }
        }
    }

    /// The steps and single hops that are searched.
    #[inline(always)]
    pub fn singles(&self, cell: usize) -> Singles {
        Singles::from_le_bytes(self.searched[cell])
    }

    /// The legal steps and single hops.
    #[inline(always)]
    pub fn legal(&self, cell: usize) -> Singles {
        Singles::from_le_bytes(self.legal[cell])
    }
}

/// All filters: by player and target.
pub struct Tables {
    /// The filters.
    pub filters: [[Filter; TARGETS]; 2],
    /// What is searched, for each player, cell and target. The target, which the last move may have changed, comes last: where it
    /// would lie is known before.
    pub searched: [[[Ways; TARGETS]; BITS]; 2],
    /// For each player and cell outside the goal, the steps and single hops that enter it.
    pub entering: [[Singles; BITS]; 2],
    /// For each player and cell, the distance to the tip of the goal.
    pub to_tip: [[u8; BITS]; 2],
}

impl Tables {
    /// None yet.
    pub const EMPTY: Self = Self {
        filters: [const { [const { Filter::CLOSED }; TARGETS] }; 2],
        searched: [[[[0; 2]; TARGETS]; BITS]; 2],
        entering: [[0; BITS]; 2],
        to_tip: [[0; BITS]; 2],
    };

    /// Computes them where they lie: on their way through a stack they would be there several times, and a graphics card
    /// reserves such a stack for every thread.
    pub fn fill(&mut self, variant: Variant) {
        for player in Player::BOTH {
            let own = player.index();
            for (target, filter) in self.filters[own].iter_mut().enumerate() {
                filter.fill(variant, player, target);
                for (cell, ways) in filter.searched.iter().enumerate() {
                    self.searched[own][cell][target] = *ways;
                }
            }
            let goal = GOALS[own];
            for cell in cells(BOARD & !goal) {
                let enters = |bit: &u32| goal >> single_cell(cell, *bit) & 1 == 1;
                let on_board = self.filters[own][ANYWHERE].singles(cell);
                let all = (0..16).filter(|bit| on_board >> bit & 1 == 1).filter(enters);
                self.entering[own][cell] = all.fold(0, |set, bit| set | 1 << bit);
            }
            for cell in cells(BOARD) {
                self.to_tip[own][cell] = distance(cell, GOAL_CELLS[own][0]) as u8;
            }
        }
    }

    /// The steps and single hops of a piece that are searched.
    #[inline(always)]
    pub fn singles(&self, player: Player, cell: usize, target: u8) -> Singles {
        Singles::from_le_bytes(self.ways(player, cell, target))
    }

    /// The same apart.
    #[inline(always)]
    pub fn ways(&self, player: Player, cell: usize, target: u8) -> Ways {
        self.searched[player.index()][cell & (BITS - 1)][usize::from(target) & (TARGETS - 1)]
    }

    /// The filter for a target.
    #[inline(always)]
    pub fn filter(&self, player: Player, target: u8) -> &Filter {
        &self.filters[player.index()][usize::from(target) & (TARGETS - 1)]
    }
}

/// The grid of columns and rows as the published engine has it.
pub mod grid {
    use super::{CELLS, NUMBERS};

    /// Distance on the grid as if its rows were not moved.
    #[inline]
    pub fn distance(one: usize, other: usize) -> i32 {
        let [one, other] = [one, other].map(|bit| CELLS[usize::from(NUMBERS[bit])]);
        (one.column - other.column).abs() + (one.row - other.row).abs()
    }

    /// Directions in the order up left, up right, right, down right, down left, left.
    pub const ORDER: [usize; 6] = [0, 1, 3, 5, 4, 2];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shift stays on the board exactly where the neighbour on the grid does.
    #[test]
    fn shifts_lead_to_neighbours() {
        let find = |row: i32, column: i32| CELLS.iter().find(|cell| (cell.row, cell.column) == (row, column));
        for cell in CELLS {
            let odd = cell.row & 1;
            let around = [(-1, odd - 1), (-1, odd), (0, -1), (0, 1), (1, odd - 1), (1, odd)];
            for (direction, (down, right)) in around.into_iter().enumerate() {
                let expected = find(cell.row + down, cell.column + right).map_or(0, |cell| 1u128 << cell.bit);
                assert_eq!(stepped(1 << cell.bit, direction) & BOARD, expected, "{cell:?} {direction}");
            }
        }
    }

    #[test]
    fn goals_hold_the_first_and_the_last_cells() {
        for player in Player::BOTH {
            for cell in cells(BOARD) {
                assert_eq!(in_goal(player, cell), GOALS[player.index()] >> cell & 1 == 1);
            }
        }
    }

    #[test]
    fn targets_are_filled_from_the_tip() {
        for player in Player::BOTH {
            let target = |held: u128| {
                let held = goal_held(player, [held as u64, (held >> 64) as u64]);
                usize::from(FIRST_FREE[player.index()][held])
            };
            let mut held = 0u128;
            for (place, &cell) in GOAL_CELLS[player.index()].iter().enumerate() {
                assert_eq!(target(held), place);
                held |= 1 << cell;
            }
            assert_eq!(held, GOALS[player.index()]);
            assert_eq!(target(held), 0);
            assert_eq!(target(held & !(1 << GOAL_CELLS[player.index()][3])), 3);
        }
    }
}
