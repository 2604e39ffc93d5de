//! The Game of the Amazons (Walter Zamkauskas, 1988): queens that burn squares behind them.
//!
//! A move has two parts: an amazon moves like a chess queen over empty squares, then it shoots an arrow, again like
//! a queen, from where it now stands; the square it left is empty by then. Arrows block their squares for good. Who
//! cannot move loses.
//!
//! Boards of 4×4 to 10×10 squares. With k = (size − 1) / 3 rounded down, each side begins with two amazons on its
//! home row, k squares from the corners, and two at the edges, k rows further up; on 10×10 and 8×8 that is the usual
//! set-up.
//!
//! `variant=engine2014` ends the game as the published engine does: after every ply both players are looked at, the
//! first player first, and one without a move loses at once even if it is not his turn. The engine numbers a side's
//! amazons once and for all, and its play-out policy passes from a stuck amazon to the one with the next number;
//! here they are numbered by square, which the position tells, in both variants.
//!
#![cfg_attr(doc, doc = include_str!("../../rules/amazons.md"))]
#![cfg_attr(doc, doc = include_str!("../../rules/amazons.svg"))]

mod lines;
mod rules;
#[cfg(any(test, target_arch = "nvptx64"))]
mod stars;
#[cfg(test)]
mod tests;
#[cfg(feature = "std")]
mod text;

use crate::variant::Variant;
use alloc::sync::Arc;
use lines::{Lines, Word};
use spinney_core::Player;

spinney_core::options! {
    /// The size of the board and the end of the game.
    pub struct Options {
        /// number of rows and columns
        size: u8 = 10, in 4 to 10;
        /// when the game ends
        variant: Variant = Variant::Standard;
    }
}

/// The rules on a square board.
///
/// ```
/// use spinney_core::{Game, perft};
/// let game = spinney_games::Amazons::default();
/// assert_eq!(perft(&game, &game.initial(), 1), 2176);
/// ```
#[derive(Clone, Debug)]
pub struct Amazons {
    options: Options,
    geometry: Geometry,
}

/// Tables for the narrower of two words in which the board fits.
#[derive(Clone, Debug)]
enum Geometry {
    Small(Arc<Lines<u64>>),
    Large(Arc<Lines<u128>>),
}

/// Calls a function of `Lines` for the word in which the board fits.
macro_rules! on_lines {
    ($game:expr, |$lines:ident| $body:expr) => {
        match &$game.geometry {
            Geometry::Small($lines) => $body,
            Geometry::Large($lines) => $body,
        }
    };
}
use on_lines;

/// Sets of squares, numbered row by row from the bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Squares with neither amazon nor arrow.
    open: u128,
    /// Amazons of the player to move.
    own: u128,
    other: u128,
    mover: Player,
}

impl State {
    fn amazons(&self, player: Player) -> u128 {
        if player == self.mover { self.own } else { self.other }
    }
}

/// The number of the path from where the amazon stood over where it goes to where the arrow lands (low 17 bits), and
/// the first two of these squares (seven bits each). Tables of learned values are read by this number far more often
/// than the move is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move(u32);

const PATH_BITS: u32 = 17;

impl Move {
    /// The one with this path.
    fn new(from: u32, to: u32, path: u32) -> Self {
        Self(path | from << PATH_BITS | to << (PATH_BITS + 7))
    }

    /// The move that is so many places on.
    #[inline(always)]
    fn at(self, place: u32) -> Self {
        Self(self.0 + place)
    }

    /// One that goes to nowhere yet, made to go to a square.
    #[cfg(any(test, target_arch = "nvptx64"))]
    #[inline(always)]
    fn to_square(self, to: u32) -> Self {
        Self(self.0 + (to << (PATH_BITS + 7)))
    }

    #[inline(always)]
    fn path(self) -> u32 {
        self.0 & ((1 << PATH_BITS) - 1)
    }

    #[inline(always)]
    fn from(self) -> u32 {
        self.0 >> PATH_BITS & 127
    }

    #[inline(always)]
    fn to(self) -> u32 {
        self.0 >> (PATH_BITS + 7)
    }
}

/// Amazons of each side.
const AMAZONS: usize = 4;

impl<W: Word> Lines<W> {
    #[inline(always)]
    fn arrow(&self, mv: Move) -> u32 {
        self.at_place(mv.to(), mv.0 - self.first_move(mv.from(), mv.to()).0)
    }
}

impl Amazons {
    /// The rules for these options.
    pub fn new(options: Options) -> Self {
        let size = u32::from(options.size);
        let geometry = if size <= 8 {
            Geometry::Small(Arc::new(Lines::new(size)))
        } else {
            Geometry::Large(Arc::new(Lines::new(size)))
        };
        Self { options, geometry }
    }

    fn size(&self) -> usize {
        usize::from(self.options.size)
    }
}

impl Default for Amazons {
    fn default() -> Self {
        Self::new(Options::default())
    }
}
