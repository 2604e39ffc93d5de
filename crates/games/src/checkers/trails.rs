//! The geometry of the board of 32 squares, and a table of all ways in which a piece can slide or jump over it.
//!
//! Squares are bits of a word with an unused bit after every second row (Samuel, 1959), so that a diagonal step is
//! the same shift everywhere and runs into an unused bit at the edge:
//!
//! ```text
//!  row 8   31  32  33  34          row 3     9  10  11  12        up-left  +4, up-right  +5
//!  row 7     27  28  29  30        row 2   4   5   6   7          down-right −4, down-left −5
//!  ...                             row 1     0   1   2   3
//! ```

use alloc::{vec, vec::Vec};
#[cfg(feature = "std")]
use std::sync::LazyLock;

/// Bits of the board, used or not.
pub const BITS: usize = 35;

/// The unused bits are 8, 17 and 26.
pub const BOARD: u64 = ((1 << BITS) - 1) & !(1 << 8 | 1 << 17 | 1 << 26);

/// The rows nearest to the first player and to the second.
pub const HOME_ROWS: [u64; 2] = [0xf, 0xf << 31];

/// What a step adds to a square, by direction: up-left, up-right, down-right, down-left.
pub const STEPS: [i32; 4] = [4, 5, -4, -5];

/// The bit of the playing square at this place, counted from the bottom left, or `None` for the other colour.
#[inline]
pub fn bit_at(column: usize, rank: usize) -> Option<usize> {
    ((column + rank) % 2 == 1).then_some(rank / 2 * 9 + rank % 2 * 4 + column / 2)
}

/// The square's number in books, 1 to 32.
#[inline]
pub fn number_of(bit: u32) -> u32 {
    bit + 1 - bit / 9
}

/// The square with a number from 1 to 32.
#[inline]
pub fn bit_of(number: u32) -> u32 {
    number - 1 + (number - 1) / 8
}

/// One move: a slide, or a sequence of jumps. What every ply asks for comes first, and cards load it at once.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub struct Trail {
    /// All jumped squares.
    pub captured: u64,
    /// The squares it begins and ends on; none if they are the same.
    pub moved: u64,
    /// The square jumped last, which is none of the first row; 0 if there is none.
    pub last: u8,
    /// The square it begins on.
    pub from: u8,
    /// The square it ends on.
    pub to: u8,
    /// The trail without its last step.
    pub before: u16,
    /// The trails with one more jump, by direction; 0 where the edge or a piece jumped already forbids it.
    pub next: [u16; 4],
}

/// All trails. First come the slides, direction by direction, then the trails without any step, one for each square,
/// then single jumps in the order of slides, then all longer sequences of jumps. Some numbers are not used.
///
/// It is looked into at every ply, and so reached in one step.
#[derive(Clone, Copy, Debug)]
pub struct Trails {
    trails: &'static [Trail],
}

/// Where the trails without a step begin, single jumps, and longer sequences.
const STANDING: usize = 4 * BITS;
pub const SINGLE: usize = STANDING + BITS;
const LONGER: usize = SINGLE + 4 * BITS;

/// The number of a slide.
#[inline(always)]
pub fn slide(direction: usize, from: u32) -> u16 {
    (direction * BITS) as u16 + from as u16
}

/// The number of a slide or of a single jump.
#[inline(always)]
pub fn single(jumping: bool, direction: usize, from: u32) -> u16 {
    slide(direction, from) + if jumping { SINGLE as u16 } else { 0 }
}

/// The number of the trail from which all jumps of the piece on a square grow.
#[inline(always)]
pub fn standing(from: u32) -> usize {
    STANDING + from as usize
}

/// Whether this number is that of a slide.
#[inline(always)]
pub fn is_slide(number: u16) -> bool {
    usize::from(number) < STANDING
}

/// The square one or two steps away, if it is on the board.
#[inline]
fn beside(from: usize, direction: usize, steps: i32) -> Option<usize> {
    let to = from as i32 + steps * STEPS[direction];
    (0..BITS as i32).contains(&to).then_some(to as usize).filter(|&to| BOARD >> to & 1 == 1)
}

impl Trail {
    /// This trail, which has a number, with one more jump.
    #[inline]
    fn longer(&self, number: usize, direction: usize) -> Option<Self> {
        let last = beside(usize::from(self.to), direction, 1)?;
        let to = beside(usize::from(self.to), direction, 2)?;
        (self.captured >> last & 1 == 0).then_some(Self {
            captured: self.captured | 1 << last,
            moved: 1 << self.from ^ 1 << to,
            last: last as u8,
            from: self.from,
            to: to as u8,
            before: number as u16,
            next: [0; 4],
        })
    }
}

impl Trails {
    /// The table, built once.
    #[cfg(feature = "std")]
    #[inline]
    pub fn shared() -> Self {
        static TABLE: LazyLock<Vec<Trail>> = LazyLock::new(Trails::build);
        Self { trails: &TABLE }
    }

    /// The table. Nothing is built once for all without the standard library: every rules object has one, which is kept.
    #[cfg(not(feature = "std"))]
    pub fn shared() -> Self {
        Self { trails: Self::build().leak() }
    }

    fn build() -> Vec<Trail> {
        let mut trails = vec![Trail::default(); LONGER];
        for from in (0..BITS).filter(|&from| BOARD >> from & 1 == 1) {
            for direction in 0..4 {
                if let Some(to) = beside(from, direction, 1) {
                    trails[usize::from(slide(direction, from as u32))] =
                        Trail { moved: 1 << from | 1 << to, from: from as u8, to: to as u8, ..Trail::default() };
                }
            }
            let number = standing(from as u32);
            trails[number] = Trail { from: from as u8, to: from as u8, ..Trail::default() };
            for direction in 0..4 {
                let place = usize::from(single(true, direction, from as u32));
                if let Some(jump) = trails[number].longer(number, direction) {
                    trails[number].next[direction] = place as u16;
                    trails[place] = jump;
                }
            }
        }
        // The list grows while it is walked, until no trail can be made longer.
        let mut number = SINGLE;
        while number < trails.len() {
            for direction in 0..4 {
                if let Some(longer) = trails[number].longer(number, direction).filter(|_| trails[number].last != 0) {
                    trails[number].next[direction] = trails.len() as u16;
                    trails.push(longer);
                }
            }
            number += 1;
        }
        trails
    }

    /// The trail with this number.
    #[inline(always)]
    pub fn get(&self, number: usize) -> &'static Trail {
        &self.trails[number]
    }

    /// How many numbers there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.trails.len()
    }

    /// The squares visited, in order.
    #[inline]
    pub fn path(&self, number: u16) -> Vec<u32> {
        let trail = self.get(usize::from(number));
        if is_slide(number) {
            return vec![u32::from(trail.from), u32::from(trail.to)];
        }
        let mut path = if trail.last == 0 { Vec::new() } else { self.path(trail.before) };
        path.push(u32::from(trail.to));
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_numbered_as_in_books() {
        let mut number = 0;
        for rank in 0..8 {
            for column in 0..8 {
                if let Some(bit) = bit_at(column, rank) {
                    number += 1;
                    assert_eq!(BOARD >> bit & 1, 1);
                    assert_eq!((number_of(bit as u32), bit_of(number)), (number, bit as u32));
                }
            }
        }
        assert_eq!((number, BOARD.count_ones()), (32, 32));
    }

    /// 98 slides (49 pairs of squares in line in each of two directions), and as many jumps as fit on the board.
    #[test]
    fn the_table_is_complete() {
        let trails = Trails::shared();
        let slides = (0..STANDING).filter(|&number| trails.get(number).moved != 0).count();
        assert_eq!(slides, 98);
        let single = |number: usize| trails.get(number).captured.count_ones() == 1;
        assert_eq!((STANDING..trails.len()).filter(|&number| single(number)).count(), 72);
        let longest = (0..trails.len()).map(|number| trails.get(number).captured.count_ones()).max();
        assert_eq!(longest, Some(9));
    }
}
