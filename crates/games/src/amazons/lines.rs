//! Queen lines on boards of up to 100 squares: what an amazon reaches, and how its moves are numbered.
//!
//! Everything is written once for two widths of word: 64 bits serve boards of up to 8×8 squares, 128 bits the others.

use super::Move;
#[cfg(any(test, target_arch = "nvptx64"))]
use super::stars::Stars;
use alloc::{vec, vec::Vec};
use core::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};
use spinney_core::bits;

/// What else a card can do with a set of squares.
#[cfg(any(test, target_arch = "nvptx64"))]
pub use super::stars::Starred;

/// Nothing elsewhere.
#[cfg(not(any(test, target_arch = "nvptx64")))]
pub trait Starred {}

#[cfg(not(any(test, target_arch = "nvptx64")))]
impl<W> Starred for W {}

/// A set of squares as the bits of a word.
pub trait Word:
    Starred
    + Copy
    + PartialEq
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// No square.
    const NONE: Self;
    /// The lowest square.
    const LOWEST: Self;
    /// A set that others are given as places in.
    type Squeeze: Copy + core::fmt::Debug + Send + Sync;
    /// The squares of a wide word that fit.
    fn narrow(wide: u128) -> Self;
    /// How many squares there are.
    fn count(self) -> u32;
    /// The lowest square's number.
    fn lowest(self) -> u32;
    /// The highest square's number.
    fn highest(self) -> u32;
    /// The set without its lowest square.
    fn without_lowest(self) -> Self;
    /// The lowest square alone, moved up by one; nothing if the set is empty.
    fn above_lowest(self) -> Self;
    /// The sum of two sets as numbers, without carry out of the word.
    fn plus(self, other: Self) -> Self;
    /// The number of the `index`-th square; `index` must be below `count`.
    fn select(self, index: u32) -> u32;
    /// The set as one that others are given as places in; of at most 64 squares.
    fn squeeze(self) -> Self::Squeeze;
    /// The places that the squares of this set have in another.
    fn places_in(self, other: &Self::Squeeze) -> u64;
    /// That other set.
    fn of_squeeze(squeeze: &Self::Squeeze) -> Self;
}

macro_rules! word {
    ($type:ty, $select:expr, $squeeze:ty) => {
        impl Word for $type {
            const NONE: Self = 0;
            const LOWEST: Self = 1;
            type Squeeze = $squeeze;
            #[inline(always)]
            fn narrow(wide: u128) -> Self {
                wide as Self
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline(always)]
            fn highest(self) -> u32 {
                Self::BITS - 1 - self.leading_zeros()
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn above_lowest(self) -> Self {
                (self & self.wrapping_neg()) << 1
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn select(self, index: u32) -> u32 {
                $select(self, index)
            }
            #[inline(always)]
            fn squeeze(self) -> $squeeze {
                <$squeeze>::new(self)
            }
            #[inline(always)]
            fn places_in(self, other: &$squeeze) -> u64 {
                other.extract(self).into()
            }
            #[inline(always)]
            fn of_squeeze(squeeze: &$squeeze) -> Self {
                squeeze.mask()
            }
        }
    };
}

word!(u64, |set, index| bits::select(set, index).trailing_zeros(), bits::SqueezeHalf);
word!(u128, bits::select_wide, bits::SqueezeWide);

/// The square with this number.
#[inline(always)]
pub fn one<W: Word>(square: u32) -> W {
    W::LOWEST << square
}

/// The lines through one square, split at it. A card reads two words at a time where it may.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(target_arch = "nvptx64", repr(align(16)))]
struct Cross<W: Word> {
    below: [W; 4],
    above: [W; 4],
    all: W::Squeeze,
}

/// Room for all squares of the largest board; a power of two, so that an index needs no test.
pub const ROW: usize = 128;

/// The squares in line with one in the middle of the largest board.
pub const MOST_IN_LINE: usize = 35;

/// The geometry of a square board; squares are numbered row by row from the bottom.
#[derive(Debug)]
pub struct Lines<W: Word> {
    size: u32,
    squares: usize,
    first_column: W,
    last_column: W,
    crosses: Vec<Cross<W>>,
    /// What a card looks at instead.
    #[cfg(any(test, target_arch = "nvptx64"))]
    pub stars: Stars<W>,
    /// The squares between two squares of one line, by `from * squares + to`.
    between: Vec<W>,
    /// The first move from one square to another, at place 0 of all in line with that, by `from * squares + to`.
    first_moves: Vec<Move>,
    /// The place of a square among those in line with another, in a row for each.
    places: Vec<[u8; ROW]>,
    /// The square at a place on the lines of another, in a row for each.
    at_places: Vec<[u8; MOST_IN_LINE]>,
    paths: u32,
    /// The most squares that are in line with one.
    longest: u32,
}

/// Steps in columns and rows towards higher squares, one for each line; their opposites go lower.
const STEPS: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];

impl<W: Word> Lines<W> {
    /// The lines of a board of `size` × `size` squares.
    pub fn new(size: u32) -> Self {
        let squares = (size * size) as usize;
        let column = |column: u32| (0..size).fold(W::NONE, |set, row| set | one(row * size + column));
        let mut lines = Self {
            size,
            squares,
            first_column: column(0),
            last_column: column(size - 1),
            crosses: Vec::with_capacity(squares),
            #[cfg(any(test, target_arch = "nvptx64"))]
            stars: Stars::new(),
            between: vec![W::NONE; squares * squares],
            first_moves: vec![Move::default(); squares * squares],
            places: vec![[0; ROW]; squares],
            at_places: vec![[0; MOST_IN_LINE]; squares],
            paths: 0,
            longest: 0,
        };
        for from in 0..squares {
            let (mut below, mut above, mut all) = ([W::NONE; 4], [W::NONE; 4], W::NONE);
            for (index, (columns, rows)) in STEPS.into_iter().enumerate() {
                above[index] = lines.add_ray(from, columns, rows);
                below[index] = lines.add_ray(from, -columns, -rows);
                all = all | above[index] | below[index];
            }
            lines.longest = lines.longest.max(all.count());
            for (place, to) in numbers(all).enumerate() {
                lines.places[from][to as usize] = place as u8;
                lines.at_places[from][place] = to as u8;
            }
            lines.crosses.push(Cross { below, above, all: all.squeeze() });
            #[cfg(any(test, target_arch = "nvptx64"))]
            lines.stars.put(from as u32, core::array::from_fn(|line| below[line] | above[line]));
        }
        for from in 0..squares {
            #[cfg(any(test, target_arch = "nvptx64"))]
            lines.stars.start(from as u32, lines.paths);
            for to in numbers(lines.in_line(from as u32)) {
                lines.first_moves[from * squares + to as usize] = Move::new(from as u32, to, lines.paths);
                lines.paths += lines.longest;
            }
        }
        lines
    }

    /// The squares from `from` to the edge, and in `between` those on the way to each of them.
    #[inline]
    fn add_ray(&mut self, from: usize, columns: i32, rows: i32) -> W {
        let size = self.size as i32;
        let (mut column, mut row) = (from as i32 % size + columns, from as i32 / size + rows);
        let mut passed = W::NONE;
        while (0..size).contains(&column) && (0..size).contains(&row) {
            let to = row * size + column;
            self.between[from * self.squares + to as usize] = passed;
            passed = passed | one(to as u32);
            (column, row) = (column + columns, row + rows);
        }
        passed
    }

    /// The squares a queen on `square` reaches over open squares.
    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    pub fn reach(&self, square: u32, open: W) -> W {
        open.reach_in(self.stars.of(square))
    }

    /// The squares a queen on `square` reaches over open squares.
    #[cfg(not(target_arch = "nvptx64"))]
    #[inline(always)]
    pub fn reach(&self, square: u32, open: W) -> W {
        let cross = &self.crosses[square as usize];
        let mut reach = W::NONE;
        for (&below, &above) in cross.below.iter().zip(&cross.above) {
            // As numbers, 2^(upper + 1) − 2^lower has the bits from the lower blocker to the upper one.
            let floor = !W::NONE << ((below & !open) | W::LOWEST).highest();
            let ceiling = (above & !open).above_lowest();
            reach = reach | ((below | above) & ceiling.plus(floor));
        }
        reach & open
    }

    /// All squares in line with `square`.
    #[inline(always)]
    pub fn in_line(&self, square: u32) -> W {
        W::of_squeeze(&self.crosses[square as usize].all)
    }

    /// The places of those that a queen on `square` reaches among all in line with it.
    #[cfg(not(target_arch = "nvptx64"))]
    #[inline(always)]
    pub fn places_reached(&self, square: u32, open: W) -> u64 {
        self.reach(square, open).places_in(&self.crosses[square as usize].all)
    }

    /// Whether nothing stands between two squares of one line.
    #[inline(always)]
    pub fn is_clear(&self, from: u32, to: u32, open: W) -> bool {
        self.between[from as usize * self.squares + to as usize] & !open == W::NONE
    }

    /// The squares next to those of `set`, and `set` itself. Some may lie above or below the board.
    #[inline(always)]
    pub fn around(&self, set: W) -> W {
        let wide = set | (set & !self.last_column) << 1 | (set & !self.first_column) >> 1;
        wide | wide << self.size | wide >> self.size
    }

    /// The most squares that can be in line with one.
    #[inline(always)]
    pub fn longest(&self) -> u32 {
        self.longest
    }

    /// Paths of two queen moves, the second from where the first ends, have numbers below this one.
    #[inline]
    pub fn paths(&self) -> u32 {
        self.paths
    }

    /// The first move from `from` to `to`; add the place of an arrow's square to get its own.
    #[inline(always)]
    pub fn first_move(&self, from: u32, to: u32) -> Move {
        self.first_moves[from as usize * self.squares + to as usize]
    }

    /// The places of all squares among those in line with `square`.
    #[inline(always)]
    pub fn places(&self, square: u32) -> &[u8; ROW] {
        &self.places[square as usize]
    }

    /// The square in line with `square` that has this place.
    #[inline(always)]
    pub fn at_place(&self, square: u32, place: u32) -> u32 {
        u32::from(self.at_places[square as usize][place as usize])
    }
}

/// The squares of a set as numbers from low to high.
#[inline(always)]
pub fn numbers<W: Word>(mut set: W) -> impl Iterator<Item = u32> {
    // A range of known length lets a list grow once instead of at every square.
    (0..set.count()).map(move |_| {
        let square = set.lowest();
        set = set.without_lowest();
        square
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_core::random::mix;

    /// Walks square by square.
    fn reach_by_steps(size: i32, square: i32, open: u128) -> u128 {
        let mut reach = 0;
        for (columns, rows) in STEPS.into_iter().flat_map(|(columns, rows)| [(columns, rows), (-columns, -rows)]) {
            let (mut column, mut row) = (square % size + columns, square / size + rows);
            while (0..size).contains(&column) && (0..size).contains(&row) && open >> (row * size + column) & 1 == 1 {
                reach |= 1 << (row * size + column);
                (column, row) = (column + columns, row + rows);
            }
        }
        reach
    }

    #[test]
    fn reach_agrees_with_walking() {
        for size in 4..=10 {
            let (small, large) = (Lines::<u64>::new(size.min(8)), Lines::<u128>::new(size));
            for seed in 0..50 {
                let word = |number: u64| mix(mix(seed) ^ number);
                let dense = u128::from(word(1)) | u128::from(word(2)) << 64;
                let board = u128::MAX >> (128 - size * size);
                let open = board & (dense | u128::from(word(3)) | u128::from(word(4)) << 64);
                for square in 0..size * size {
                    let expected = reach_by_steps(size as i32, square as i32, open);
                    assert_eq!(large.reach(square, open), expected);
                    let star = large.stars.of(square);
                    assert_eq!(open.reach_in(star), expected);
                    assert_eq!(open.places_reached_in(star), large.places_reached(square, open));
                    if size <= 8 {
                        let open = open as u64;
                        assert_eq!(small.reach(square, open), expected as u64);
                        let star = small.stars.of(square);
                        assert_eq!(open.reach_in(star), expected as u64);
                        assert_eq!(open.places_reached_in(star), small.places_reached(square, open));
                    }
                }
            }
        }
    }

    #[test]
    fn squares_in_line_become_places() {
        for size in 4..=10 {
            let (small, large) = (Lines::<u64>::new(size.min(8)), Lines::<u128>::new(size));
            for seed in 0..50 {
                let word = |number: u64| mix(mix(seed) ^ number);
                let set = u128::from(word(1)) | u128::from(word(2)) << 64;
                for square in 0..size * size {
                    let in_line = large.in_line(square);
                    let expected = numbers(in_line & set)
                        .fold(0, |places: u64, one| places | 1 << large.places(square)[one as usize]);
                    assert_eq!(set.places_in(&large.crosses[square as usize].all), expected);
                    if size <= 8 {
                        assert_eq!((set as u64).places_in(&small.crosses[square as usize].all), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn paths_have_different_numbers() {
        let lines = Lines::<u64>::new(5);
        let mut seen = vec![false; lines.paths() as usize];
        for from in 0..25 {
            for to in numbers(lines.in_line(from)) {
                for end in numbers(lines.in_line(to)) {
                    let place = u32::from(lines.places(to)[end as usize]);
                    assert_eq!(lines.at_place(to, place), end);
                    let number = lines.first_move(from, to).at(place).path();
                    assert!(!std::mem::replace(&mut seen[number as usize], true));
                }
            }
        }
    }
}
