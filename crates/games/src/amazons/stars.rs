//! Queen lines as a card likes them: it turns bits around in one instruction, asks nothing on the way, and reads two
//! words at a time.

use super::Move;
use super::lines::Word;
use alloc::{vec, vec::Vec};
use core::fmt::Debug;
use spinney_core::{bits, lanes};

/// What a card can do with a set of squares.
pub trait Starred: Sized {
    /// See [`Star`].
    type Star: Copy + Debug + Send + Sync;
    /// The star of a square, given the lines through it.
    fn star(square: u32, lines: [Self; 4]) -> Self::Star;
    /// All squares in line with the middle of a star.
    fn of_star(star: &Self::Star) -> Self;
    /// The squares a queen in the middle of a star reaches over these.
    fn reach_in(self, star: &Self::Star) -> Self;
    /// Their places among all squares of the star.
    fn places_reached_in(self, star: &Self::Star) -> u64;
    /// Whether these are all squares between the middle of a star and the lowest of `ends`, which is one of both.
    fn reaches_through(self, star: &Self::Star, ends: Self) -> bool;
    /// All squares below the lowest.
    fn below_lowest(self) -> Self;
    /// The set without so many of its lowest squares. They should be few, as those of one half go one by one.
    fn without(self, count: u32) -> Self;
}

/// The squares in line with one in the middle and their places; what a queen reaches is found in both in the same way.
/// All of it is in one line of a cache, or in two.
#[derive(Clone, Copy, Debug)]
#[repr(align(128))]
pub struct Star<W, S, P> {
    squares: Ways<W>,
    all: Aligned<S>,
    places: Ways<P>,
}

#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
struct Aligned<T>(T);

/// Four lines without the square in which they cross.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
struct Ways<T> {
    lines: [T; 4],
    /// The bit next above those below the middle.
    middle: T,
    /// The same when all bits are turned around.
    behind: T,
}

macro_rules! ways {
    ($type:ty) => {
        impl Ways<$type> {
            /// What is reached over open bits. As numbers, the blockers of a line and those less `middle` differ in all
            /// bits from there up to the first blocker; below it is the same when all bits are turned around.
            #[inline(always)]
            fn reach(&self, open: $type) -> $type {
                let reached = self.lines.iter().fold(0, |reached, line| {
                    let blockers = line & !open;
                    let above = blockers.wrapping_sub(self.middle);
                    let below = blockers.reverse_bits().wrapping_sub(self.behind).reverse_bits();
                    // Where neither has changed they are equal, and no bit has changed in both.
                    reached | ((above ^ below) & line)
                });
                reached & open
            }
        }
    };
}

ways!(u32);
ways!(u64);
ways!(u128);

macro_rules! starred {
    ($type:ty, $squeeze:ty, $places:ty) => {
        impl Starred for $type {
            type Star = Star<$type, $squeeze, $places>;
            fn star(square: u32, lines: [Self; 4]) -> Self::Star {
                let middle = super::lines::one::<Self>(square);
                let squares = Ways { lines, middle, behind: middle.reverse_bits() };
                let all = lines[0] | lines[1] | lines[2] | lines[3];
                let below = (all & middle.wrapping_sub(1)).count_ones();
                let all = <$squeeze>::new(all);
                let places = Ways {
                    lines: lines.map(|line| all.extract(line).into()),
                    middle: 1 << below,
                    // With none below there is nothing to take away.
                    behind: (1 as $places).reverse_bits() >> below << 1,
                };
                Star { squares, all: Aligned(all), places }
            }
            #[inline(always)]
            fn of_star(star: &Self::Star) -> Self {
                star.all.0.mask()
            }
            #[inline(always)]
            fn reach_in(self, star: &Self::Star) -> Self {
                // As a whole it is known to be aligned.
                let squares = star.squares;
                squares.reach(self)
            }
            #[inline(always)]
            fn places_reached_in(self, star: &Self::Star) -> u64 {
                let (all, places) = (star.all, star.places);
                places.reach(all.0.extract(self)).into()
            }
            #[inline(always)]
            fn reaches_through(self, star: &Self::Star, ends: Self) -> bool {
                let (Ways { lines, middle, .. }, end) = (star.squares, ends & ends.wrapping_neg());
                let is_early = (lines[0] | lines[1]) & end != 0;
                let (one, other) = if is_early { (lines[0], lines[1]) } else { (lines[2], lines[3]) };
                let line = if one & end != 0 { one } else { other };
                // The lower of the two is in it as well, but does not stand in the way.
                let between = ends.below_lowest() ^ middle.wrapping_sub(1);
                line & between & !self == 0
            }
            #[inline(always)]
            fn below_lowest(self) -> Self {
                self.wrapping_sub(1) & !self
            }
            #[inline(always)]
            fn without(self, count: u32) -> Self {
                let upper = !0 << (Self::BITS / 2);
                let lower = (self & !upper).count_ones();
                let (mut set, mut left) = if count < lower { (self, count) } else { (self & upper, count - lower) };
                while left != 0 {
                    set = set.without_lowest();
                    // It is only hidden, so that the compiler makes no copies of this.
                    left = lanes::meet(left - 1);
                }
                set
            }
        }
    };
}

starred!(u64, bits::SqueezeHalf, u32);
starred!(u128, bits::SqueezeWide, u64);

/// Whatever a byte says, there is a star, so that an index needs no test.
const ALL: usize = 1 << u8::BITS;

/// The stars of a board.
#[derive(Debug)]
pub struct Stars<W: Word> {
    /// As many as `ALL`.
    stars: Vec<W::Star>,
    /// The first moves from each square, but for where they go.
    starts: [Move; ALL],
}

impl<W: Word> Stars<W> {
    /// Those of no square.
    pub fn new() -> Self {
        Self { stars: vec![W::star(0, [W::NONE; 4]); ALL], starts: [Move::default(); ALL] }
    }

    /// The lines through a square are these.
    pub fn put(&mut self, square: u32, lines: [W; 4]) {
        self.stars[square as usize] = W::star(square, lines);
    }

    /// Paths from a square begin with this number.
    pub fn start(&mut self, from: u32, paths: u32) {
        self.starts[from as usize] = Move::new(from, 0, paths);
    }

    /// Calls `add` for every square that a piece on `from` reaches, from low to high, with the first move there and the
    /// places of those that a queen reaches from there over open squares. The move is counted, as to look it up takes
    /// long; the first moves to two neighbours in that order are `longest` apart.
    #[inline(always)]
    pub fn for_runs(&self, from: u32, mut reach: W, open: W, longest: u32, mut add: impl FnMut(Move, u64)) {
        let Some(stars) = self.all() else { return };
        let (start, in_line) = (self.starts[from as usize % ALL], W::of_star(&stars[from as usize % ALL]));
        while reach != W::NONE {
            let (to, below) = (reach.lowest(), reach.below_lowest());
            reach = reach.without_lowest();
            let first = start.to_square(to).at((in_line & below).count() * longest);
            add(first, open.places_reached_in(&stars[to as usize % ALL]));
        }
    }

    /// All stars.
    #[inline(always)]
    pub fn all(&self) -> Option<&[W::Star; ALL]> {
        self.stars.first_chunk()
    }

    /// The star of a square.
    #[inline(always)]
    pub fn of(&self, square: u32) -> &W::Star {
        &self.stars[square as usize]
    }
}
