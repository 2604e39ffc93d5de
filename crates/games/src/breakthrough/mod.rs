//! Breakthrough (Dan Troyka, 2000): pawns race for the far side.
//!
//! A pawn steps one square straight forward onto an empty square, or one square diagonally forward onto an empty
//! square or a pawn of the opponent, which it captures. Who reaches the far row or captures every enemy pawn wins.
//!
//! The board is kept in the view of the player to move, who always moves towards higher bits; making a move turns
//! the board around. So there is one move generator and no branch on the colour.
//!
#![cfg_attr(doc, doc = include_str!("../../rules/breakthrough.md"))]
#![cfg_attr(doc, doc = include_str!("../../rules/breakthrough.svg"))]

mod rules;
#[cfg(feature = "std")]
mod text;

use spinney_core::Player;

spinney_core::options! {
    /// The size of the board.
    pub struct Options {
        /// number of rows
        rows: u8 = 8, in 5 to 8;
        /// number of columns
        columns: u8 = 8, in 5 to 8;
    }
}

/// The rules on a board of 5×5 to 8×8 squares.
///
/// ```
/// use spinney_core::{Game, perft};
/// let game = spinney_games::Breakthrough::default();
/// assert_eq!(perft(&game, &game.initial(), 2), 22 * 22);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Breakthrough {
    options: Options,
    /// All squares of the board.
    board: u64,
    /// How far the turned board is above its place.
    excess: u32,
}

/// Pawns as bits, eight to a row: bit 0 is the left end of the mover's own home row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    own: u64,
    other: u64,
    mover: Player,
}

/// A destination in the mover's view (low six bits) and a direction: 0 left, 1 straight, 2 right (high two bits).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move(u8);

impl Move {
    #[inline(always)]
    fn new(destination: u64, direction: u32) -> Self {
        Move((destination.trailing_zeros() | direction << 6) as u8)
    }

    #[inline(always)]
    fn to(self) -> u32 {
        u32::from(self.0) & 63
    }

    #[inline(always)]
    fn from(self) -> u32 {
        self.to() - 7 - (u32::from(self.0) >> 6)
    }
}

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;
const HOME_ROW: u64 = 0xff;
const SECOND_ROW: u64 = 0xff00;

impl Breakthrough {
    /// The rules for these options.
    pub fn new(options: Options) -> Self {
        let row = (1u64 << options.columns) - 1;
        let board = (0..options.rows).fold(0, |board, rank| board | row << (8 * rank));
        Self { board, excess: 64 - 8 * u32::from(options.rows), options }
    }

    /// The board seen from the other side; columns stay where they are.
    #[inline(always)]
    fn turned(&self, set: u64) -> u64 {
        set.swap_bytes() >> self.excess
    }

    /// The far row, where the mover wins.
    #[inline(always)]
    fn goal_row(&self) -> u64 {
        HOME_ROW << (8 * (u32::from(self.options.rows) - 1))
    }
}

impl Default for Breakthrough {
    #[inline]
    fn default() -> Self {
        Self::new(Options::default())
    }
}
