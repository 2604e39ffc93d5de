//! The points of the board as bits, eleven to a row, of which the last is never used: a step over the edge leaves the
//! board. Row 0 is at the top.

pub(super) use spinney_core::bits::{one_wide, select_wide as select, squares_wide as points};

pub(super) const SIZE: usize = 10;
pub(super) const STRIDE: usize = SIZE + 1;

pub(super) const ROW: u128 = (1 << SIZE) - 1;
pub(super) const BOARD: u128 = {
    let mut board = 0;
    let mut row = 0;
    while row < SIZE {
        board |= ROW << (STRIDE * row);
        row += 1;
    }
    board
};
pub(super) const FIRST_COLUMN: u128 = {
    let mut column = 0;
    let mut row = 0;
    while row < SIZE {
        column |= 1 << (STRIDE * row);
        row += 1;
    }
    column
};
pub(super) const LAST_COLUMN: u128 = FIRST_COLUMN << 9;
pub(super) const TOP_LEFT: u128 = 1;

/// Soldiers at the start: every other point of rows 7 to 9 and of rows 2 to 4 from the top.
pub(super) const START: [u128; 2] = {
    let odd = 0b10_1010_1010;
    let even = 0b01_0101_0101;
    [
        odd << (6 * STRIDE) | odd << (7 * STRIDE) | odd << (8 * STRIDE),
        even << STRIDE | even << (2 * STRIDE) | even << (3 * STRIDE),
    ]
};

/// The eight directions; the first three lead up, the last three down.
pub(super) const DIRECTIONS: [i32; 8] = [-12, -11, -10, -1, 1, 10, 11, 12];
pub(super) const LEFT: usize = 3;
pub(super) const RIGHT: usize = 4;

/// A line of points that begins at a town.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    pub(super) near: u128,
    pub(super) second: u128,
    /// The points of a cannon that hits the town from two points' distance.
    pub(super) cannon: u128,
    /// The points of a cannon that hits it from three.
    pub(super) far_cannon: u128,
    /// The points of both.
    #[cfg(any(test, target_arch = "nvptx64"))]
    pub(super) line: u128,
}

/// What can happen to a town.
#[derive(Clone, Copy, Debug)]
pub(super) struct Town {
    pub(super) point: u128,
    /// From where soldiers capture it.
    pub(super) around: u128,
    /// From where a soldier comes there with one move, or a cannon slides.
    pub(super) near: u128,
    /// Where cannons stand that shoot at it.
    pub(super) range: u128,
    pub(super) rays: [Ray; 5],
}

/// Stands for a cannon that does not fit on the board: no soldier is ever on any of these points.
const NOWHERE: u128 = 0b111 << 125;
const NO_RAY: Ray = Ray {
    near: 0,
    second: 0,
    cannon: NOWHERE,
    far_cannon: NOWHERE,
    #[cfg(any(test, target_arch = "nvptx64"))]
    line: NOWHERE,
};
pub(super) const NO_TOWN: u8 = 20;

/// Towns of the first player by column, then those of the second, then none.
pub(super) static TOWNS: [Town; 21] = {
    let mut towns = [Town { point: 0, around: 0, near: 0, range: 0, rays: [NO_RAY; 5] }; 21];
    let mut index = 0;
    while index < 20 {
        let at = index % SIZE + if index < SIZE { 9 * STRIDE } else { 0 };
        towns[index].point = 1 << at;
        let mut point = 0;
        while point < SIZE * STRIDE {
            let (rows, columns) = (point / STRIDE, point % STRIDE);
            if rows.abs_diff(at / STRIDE) <= 3 && columns.abs_diff(at % STRIDE) <= 3 {
                towns[index].near |= BOARD & 1 << point;
            }
            point += 1;
        }
        let mut ray = 0;
        while ray < 5 {
            let direction = DIRECTIONS[if index < SIZE { ray } else { 3 + ray }];
            let mut points = [0; 6];
            let mut distance = 1;
            let mut point = at as i32 + direction;
            while distance <= 5 && point >= 0 && BOARD >> point & 1 == 1 {
                points[distance] = 1 << point;
                distance += 1;
                point += direction;
            }
            towns[index].around |= points[1];
            towns[index].rays[ray] = Ray {
                near: points[1],
                second: points[2],
                cannon: if points[4] == 0 { NOWHERE } else { points[2] | points[3] | points[4] },
                far_cannon: if points[5] == 0 { NOWHERE } else { points[3] | points[4] | points[5] },
                #[cfg(any(test, target_arch = "nvptx64"))]
                line: if points[4] == 0 { NOWHERE } else { points[2] | points[3] | points[4] | points[5] },
            };
            towns[index].range |= points[2] | points[3] | points[4] | points[5];
            ray += 1;
        }
        index += 1;
    }
    towns
};

/// Moves all points of a set; what leaves the board lands on bits outside `BOARD`.
#[inline(always)]
pub(super) const fn shift(set: u128, by: i32) -> u128 {
    if by >= 0 { set << by } else { set >> -by }
}

/// One step of all points of a set in one of the eight directions.
#[inline(always)]
pub(super) const fn moved<const DIRECTION: usize>(set: u128) -> u128 {
    shift(set, DIRECTIONS[DIRECTION])
}

/// How large a set is. A compiler that saw through it would add the halves' counts as wide numbers.
#[inline(always)]
pub(super) fn size(set: u128) -> u32 {
    spinney_core::lanes::meet((set as u64).count_ones()) + ((set >> 64) as u64).count_ones()
}

#[inline(always)]
pub(super) const fn is_single(set: u128) -> bool {
    set != 0 && set & set.wrapping_sub(1) == 0
}
