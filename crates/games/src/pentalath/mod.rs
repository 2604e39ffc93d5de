//! Pentalath (Cameron Browne, 2009): five in a row on a hexagon, with captures as in Go.
//!
//! Players place stones in turn on a hexagon of 61 cells; on ply 2 the second player may instead take over the stone
//! that stands there. A placement removes every enemy group that it leaves without an empty neighbour; leaving one's
//! own group without one is illegal. Five or more in a row through the new stone win. It is a draw when the player
//! to move has no legal placement and after 500 plies (there is no rule against repetition).
//!
//! `variant=engine2014` captures only the first dead group in the order of directions NW, NE, E, SE, SW, W, sees no
//! five while fewer than eight stones are on the board (here one it overlooked counts from its owner's next placement,
//! while the engine looked only at lines through the new stone), and computes q as the engine did. The draw after 500 plies stays, though the engine had none.
//!
//! Sets of cells are words; see `cells` for how they are numbered.
//!
#![cfg_attr(doc, doc = include_str!("../../rules/pentalath.md"))]
#![cfg_attr(doc, doc = include_str!("../../rules/pentalath.svg"))]

mod cells;
mod rules;
#[cfg(test)]
mod tests;
#[cfg(feature = "std")]
mod text;

use crate::variant::Variant;
use cells::*;
use spinney_core::Player;

spinney_core::options! {
    /// Which rules are played.
    pub struct Options {
        /// the rules of the game or those of the published engine
        variant: Variant = Variant::Standard;
    }
}

/// The rules.
///
/// ```
/// use spinney_core::{Game, perft};
/// let game = spinney_games::Pentalath::default();
/// assert_eq!(perft(&game, &game.initial(), 2), 61 * 61);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pentalath {
    options: Options,
}

/// Stones as sets of cells, in the view of the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    own: u64,
    other: u64,
    plies: u16,
    /// The player who just moved has made five in a row.
    won: bool,
}

impl State {
    #[inline(always)]
    fn mover(&self) -> Player {
        Player::BOTH[usize::from(self.plies & 1)]
    }

    #[inline(always)]
    fn empty(&self) -> u64 {
        BOARD & !(self.own | self.other)
    }

    /// Whether the player to move may take over the only stone.
    #[inline(always)]
    fn may_swap(&self) -> bool {
        self.plies == 1
    }

    /// Stones of the first and of the second player.
    fn stones(&self) -> [u64; 2] {
        match self.mover() {
            Player::First => [self.own, self.other],
            Player::Second => [self.other, self.own],
        }
    }
}

/// The number of a cell; an occupied one is the swap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move(u8);

impl Move {
    #[inline(always)]
    fn at(cell: u64) -> Self {
        Move(cell.trailing_zeros() as u8)
    }

    #[inline(always)]
    fn cell(self) -> u64 {
        1 << self.0
    }
}

const LONGEST_PLIES: u16 = 500;

/// The published engine looks for five in a row from so many stones on.
const ENGINE_STONES: u32 = 8;

impl Pentalath {
    /// The rules for these options.
    pub fn new(options: Options) -> Self {
        Self { options }
    }

    #[inline(always)]
    fn is_engine(&self) -> bool {
        self.options.variant == Variant::Engine2014
    }
}
