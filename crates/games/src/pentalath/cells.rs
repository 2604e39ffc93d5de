//! The cells of the board, numbered so that a step in each direction adds a constant modulo 61: the hexagon of side 5
//! tiles the plane with period 61. A set of cells is a word, and a step of all its cells a rotation and a mask.

pub(super) const CELLS: usize = 61;
pub(super) const BOARD: u64 = (1 << CELLS) - 1;
pub(super) const ROWS: usize = 9;

/// What a step adds to a cell's number, by direction: NW, NE, E, SE, SW, W.
pub(super) const STEPS: [u32; 6] = [47, 48, 1, 14, 13, 60];
/// One direction of each axis.
pub(super) const EAST: usize = 2;
pub(super) const SOUTH_EAST: usize = 3;
pub(super) const SOUTH_WEST: usize = 4;

/// Row (0 to 8 from the top) and place in the row, by cell.
pub(super) const PLACES: [(u8, u8); CELLS] = {
    let mut places = [(0, 0); CELLS];
    let mut row = 0;
    while row < ROWS {
        let mut place = 0;
        while place < row_length(row) {
            places[cell_at(row, place)] = (row as u8, place as u8);
            place += 1;
        }
        row += 1;
    }
    places
};

/// Cells at which a walk of 1 to 4 steps in a direction can arrive.
const ARRIVALS: [[u64; 4]; 6] = {
    let mut arrivals = [[0; 4]; 6];
    let mut direction = 0;
    while direction < 6 {
        let mut reached = BOARD;
        let mut steps = 0;
        while steps < 4 {
            let mut next = 0;
            let mut cell = 0;
            while cell < CELLS {
                if reached >> cell & 1 == 1 && continues(cell, direction) {
                    next |= 1 << ((cell + STEPS[direction] as usize) % CELLS);
                }
                cell += 1;
            }
            reached = next;
            arrivals[direction][steps] = reached;
            steps += 1;
        }
        direction += 1;
    }
    arrivals
};

pub(super) const NEIGHBOURS: [u64; CELLS] = {
    let mut table = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        table[cell] = neighbours(1 << cell);
        cell += 1;
    }
    table
};

/// Cells at most four steps away on each axis, by cell and axis.
pub(super) const WINDOWS: [[u64; 3]; CELLS] = {
    let mut table = [[0; 3]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let start = 1 << cell;
        table[cell] = [
            walk::<EAST>(start) | walk::<5>(start),
            walk::<SOUTH_EAST>(start) | walk::<0>(start),
            walk::<SOUTH_WEST>(start) | walk::<1>(start),
        ];
        cell += 1;
    }
    table
};

/// Cells with more than four neighbours.
pub(super) const INTERIOR: u64 = {
    let mut interior = 0;
    let mut cell = 0;
    while cell < CELLS {
        if NEIGHBOURS[cell].count_ones() > 4 {
            interior |= 1 << cell;
        }
        cell += 1;
    }
    interior
};

#[inline]
pub(super) const fn row_length(row: usize) -> usize {
    if row <= 4 { 5 + row } else { 13 - row }
}

/// The cell's number: coordinate along the row from the middle, plus 14 for each row below the middle, modulo 61.
#[inline]
pub(super) const fn cell_at(row: usize, place: usize) -> usize {
    let begins = if row <= 4 { CELLS - row } else { CELLS - 4 };
    (begins + place + 14 * (row + CELLS - 4)) % CELLS
}

/// Whether the cell has a neighbour in this direction.
#[inline]
pub(super) const fn continues(cell: usize, direction: usize) -> bool {
    let (row, place) = (PLACES[cell].0 as usize, PLACES[cell].1 as usize);
    // Above the middle the row above is shorter, from the middle on it is longer; below it is the other way round.
    match direction {
        0 => row > 4 || row > 0 && place > 0,
        1 => row > 4 || row > 0 && place + 1 < row_length(row),
        2 => place + 1 < row_length(row),
        3 => row < 4 || row < 8 && place + 1 < row_length(row),
        4 => row < 4 || row < 8 && place > 0,
        _ => place > 0,
    }
}

/// All cells of `set` moved by some steps; those that leave the board come back elsewhere, or lie above bit 60.
#[inline(always)]
const fn turned<const DIRECTION: usize, const DISTANCE: usize>(set: u64) -> u64 {
    let shift = STEPS[DIRECTION] * DISTANCE as u32 % CELLS as u32;
    set << shift | set >> (CELLS as u32 - shift)
}

/// All cells of `set` moved by some steps; those that leave the board are dropped.
#[inline(always)]
pub(super) const fn moved<const DIRECTION: usize, const DISTANCE: usize>(set: u64) -> u64 {
    turned::<DIRECTION, DISTANCE>(set) & ARRIVALS[DIRECTION][DISTANCE - 1]
}

/// `set` and what lies up to four steps from it in one direction.
#[inline(always)]
const fn walk<const DIRECTION: usize>(set: u64) -> u64 {
    let two = set | moved::<DIRECTION, 1>(set);
    let four = two | moved::<DIRECTION, 2>(two);
    four | moved::<DIRECTION, 4>(set)
}

/// Cells beside a cell of `set`.
#[inline(always)]
pub(super) const fn neighbours(set: u64) -> u64 {
    moved::<0, 1>(set)
        | moved::<1, 1>(set)
        | moved::<2, 1>(set)
        | moved::<3, 1>(set)
        | moved::<4, 1>(set)
        | moved::<5, 1>(set)
}

/// Cells beside at least one and beside at least two cells of `set`.
#[inline(always)]
pub(super) fn neighbours_and_twice(set: u64) -> [u64; 2] {
    let [mut once, mut twice] = [0; 2];
    for beside in [
        moved::<0, 1>(set),
        moved::<1, 1>(set),
        moved::<2, 1>(set),
        moved::<3, 1>(set),
        moved::<4, 1>(set),
        moved::<5, 1>(set),
    ] {
        twice |= once & beside;
        once |= beside;
    }
    [once, twice]
}

/// The groups of `stones` that `seed` belongs to.
#[inline(always)]
pub(super) fn groups(seed: u64, stones: u64) -> u64 {
    groups_until(seed, stones, |_| false)
}

/// [`groups`], or as much of them as is enough.
#[inline(always)]
pub(super) fn groups_until(seed: u64, stones: u64, is_enough: impl Fn(u64) -> bool) -> u64 {
    let mut found = seed;
    loop {
        let grown = (found | neighbours(found)) & stones;
        if grown == found || is_enough(grown) {
            return grown;
        }
        found = grown;
    }
}

/// The group of `stones` that one of them belongs to, or as much of it as shows that some of it is `breathing`. Mostly
/// a look at the stone's neighbours is enough.
#[inline(always)]
pub(super) fn group_until_breathing(stone: u64, stones: u64, breathing: u64) -> u64 {
    let group = stone | NEIGHBOURS[stone.trailing_zeros() as usize] & stones;
    if group == stone || group & breathing != 0 {
        return group;
    }
    groups_until(group, stones, |group| group & breathing != 0)
}

/// Cells at the end of 2, 3, 4 and 5 cells of `set` in a row.
#[inline(always)]
pub(super) fn runs<const DIRECTION: usize>(set: u64) -> [u64; 4] {
    let two = set & moved::<DIRECTION, 1>(set);
    let three = two & moved::<DIRECTION, 1>(two);
    let four = two & moved::<DIRECTION, 2>(two);
    [two, three, four, four & moved::<DIRECTION, 1>(four)]
}

#[inline(always)]
pub(super) fn has_five(set: u64) -> bool {
    fives::<EAST>(set) | fives::<SOUTH_EAST>(set) | fives::<SOUTH_WEST>(set) != 0
}

/// Cells at the end of five cells of `set` in a row: where four steps arrive, none of them has left the board.
#[inline(always)]
fn fives<const DIRECTION: usize>(set: u64) -> u64 {
    let two = set & turned::<DIRECTION, 1>(set);
    let four = two & turned::<DIRECTION, 2>(two);
    four & turned::<DIRECTION, 1>(four) & ARRIVALS[DIRECTION][3]
}

/// Runs of `own` stones that can still become five: those in a stretch of five or more cells free of `other`.
#[inline(always)]
pub(super) fn live_runs<const FORWARD: usize, const BACK: usize>(own: u64, other: u64) -> [u64; 4] {
    let stretch = walk::<BACK>(runs::<FORWARD>(BOARD & !other)[3]);
    let [two, three, four, _] = runs::<FORWARD>(own & stretch);
    [own & stretch, two, three, four]
}

/// A step in one direction.
#[derive(Clone, Copy)]
pub(super) struct Step {
    shift: u32,
    arrivals: u64,
}

impl Step {
    #[inline(always)]
    pub(super) const fn of(direction: usize) -> Self {
        Self { shift: STEPS[direction], arrivals: ARRIVALS[direction][0] }
    }

    /// Cells of `among` where a step from `set` arrives; `among` has none but [`Step::arrivals`].
    #[inline(always)]
    fn take(self, set: u64, among: u64) -> u64 {
        (set << self.shift | set >> (CELLS as u32 - self.shift)) & among
    }
}

/// The most stones of `loser` in a row that make five with the cells free of `winner` on both sides, of which the
/// stones between the first and the second empty one do not count.
#[inline(always)]
pub(super) fn longest_roomy_run(forward: Step, back: Step, loser: u64, winner: u64) -> i32 {
    let after = room(back, loser, winner);
    let mut before = room(forward, loser, winner);
    let stones = loser & forward.arrivals;
    let mut run = loser;
    let mut longest = 0;
    // Runs of one stone more have the same room before them, and need one cell less.
    for length in 1..5 {
        let need = 5 - length;
        let mut roomy = run & after[need - 1] | before[need - 1];
        for cells in 1..need {
            roomy |= before[cells - 1] & after[need - cells - 1];
        }
        longest = if roomy != 0 { length as i32 } else { longest };
        run = forward.take(run, stones);
        for cells in before.iter_mut().take(need - 1) {
            *cells = forward.take(*cells, stones);
        }
    }
    // Five and more, which the engine overlooks while there are few stones.
    let mut length = 5;
    while run != 0 {
        longest = length;
        length += 1;
        run = forward.take(run, stones);
    }
    longest
}

/// Stones of `loser` beyond which at least 1, 2, 3 and 4 cells of the line count, up to where `back` comes from. More
/// than two stones after the first empty cell are taken for the end of the line, and so is any where four cells have to
/// count: if that hides room from a run, a longer one on the line has room enough (tried on all lines).
#[inline(always)]
fn room(back: Step, loser: u64, winner: u64) -> [u64; 4] {
    let free = BOARD & !winner;
    let all_empty = free & !loser;
    let [stones, empty] = [loser & back.arrivals, all_empty & back.arrivals];
    // First empty cells, from what may be the second.
    let first = |second: u64| {
        let one = back.take(second, stones);
        let two = back.take(one, stones);
        back.take(second | one | two, empty)
    };
    let two_free = back.take(free, free & back.arrivals);
    [
        back.take(all_empty, stones),
        back.take(first(all_empty), stones),
        back.take(first(two_free & !loser), stones),
        back.take(back.take(back.take(two_free, empty), empty), stones),
    ]
}
