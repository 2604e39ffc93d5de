//! Cannon (David Whitcher, 2003): soldiers in a row of three are a cannon, and the enemy town must fall.
//!
//! The first two plies place the towns on the home rows, not on a corner. Then a turn is one of: a soldier *steps*
//! forward, straight or diagonally; *captures* an enemy soldier on such a point or beside it; *retreats* two points
//! straight or diagonally back over an empty point if an enemy soldier stands next to it; or of three soldiers in a
//! line the last *slides* to the point before the first, or the three *shoot* an enemy soldier two or three points
//! before the first, if the point right before it is empty. A move that leaves one's own town open to capture or to
//! a shot is illegal, and who has no legal move loses. After more than 1000 plies the game is a draw.
//!
//! `variant=engine2014` has the published engine's move generator: towns on corners; no step to, capture on or
//! attack on a town from the top left point; retreats from the second and the last column but one that wrap around
//! to the far edge; on the edge columns a retreat's neighbour test that skips two neighbours and looks at the far end
//! of the row instead; no retreat of the second player from its third row to its first. One deviation is left
//! out: the engine's play-out policy did not test its checking moves for the own town's safety (no such move was
//! ever seen to be illegal).
//!
//! Sets of points are 128-bit words, and a word's shift is a step of all soldiers at once.
//!
#![cfg_attr(doc, doc = include_str!("../../rules/cannon.md"))]
#![cfg_attr(doc, doc = include_str!("../../rules/cannon.svg"))]

#[cfg(any(test, target_arch = "nvptx64"))]
mod card;
mod generate;
mod moves;
mod points;
mod rules;
#[cfg(test)]
mod tests;
#[cfg(feature = "std")]
mod text;

pub use moves::Move;

use crate::variant::Variant;
use points::*;
use spinney_core::Player;

spinney_core::options! {
    /// Which rules are played.
    pub struct Options {
        /// towns may be placed on corners
        corners: bool = false;
        /// a shot at three points' distance needs both points before its target to be empty
        strict_shots: bool = false;
        /// the rules of the game or those of the published engine
        variant: Variant = Variant::Standard;
    }
}

/// The rules.
///
/// ```
/// use spinney_core::{Game, perft};
/// let game = spinney_games::Cannon::default();
/// assert_eq!(perft(&game, &game.initial(), 3), 2656);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Cannon {
    options: Options,
    /// Points that can be stepped to, captured on and attacked from.
    reachable: u128,
}

/// Soldiers and towns of the first and of the second player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    soldiers: [u128; 2],
    /// Indices of `TOWNS`.
    towns: [u8; 2],
    plies: u16,
}

impl State {
    #[inline(always)]
    fn mover(&self) -> Player {
        Player::BOTH[usize::from(self.plies & 1)]
    }

    #[inline(always)]
    fn places_towns(&self) -> bool {
        self.plies < 2
    }
}

const LONGEST_PLIES: u16 = 1000;
const SOLDIERS: u32 = 15;

impl Cannon {
    /// The rules for these options.
    pub fn new(options: Options) -> Self {
        let reachable = if options.variant == Variant::Engine2014 { BOARD & !TOP_LEFT } else { BOARD };
        Self { options, reachable }
    }

    #[inline(always)]
    fn is_engine(&self) -> bool {
        self.options.variant == Variant::Engine2014
    }
}

impl Default for Cannon {
    fn default() -> Self {
        Self::new(Options::default())
    }
}
