//! Checkers (English draughts).
//!
//! Men step one square diagonally forward, kings in all four directions. A piece jumps over an adjacent enemy onto the
//! empty square behind it, men forward only, and goes on jumping while it can. Who can jump must, but any jump will do.
//! Jumped pieces leave the board when the sequence has ended and cannot be jumped twice; the square the piece came from
//! counts as empty. A man that reaches the far row becomes a king, and the move ends. Who cannot move loses.
//!
//! A game is drawn when one king is left on either side, and after `king_slide_limit` plies in a row without a capture
//! or a move of a man; 25 plies is the published engine's limit and keeps random games short. The tournament rules
//! are `king_slide_limit=80, repetition=on`. A player who cannot move has lost even if the draw rules apply.
//!
//! `variant=engine2014` lists jumps as the published engine does: what was jumped on one branch of a sequence counts as
//! gone on the other branches of the same piece, and the square the piece came from counts as occupied, so that a few
//! sequences are missing or end too early. Branches are tried up-left, up-right, down-right, down-left; the engine's
//! own order is not published, and with another order other sequences go missing.
//!
//! The squares have the numbers of the books, from the first player's side: 1 at b1 to 32 at g8.
//!
#![cfg_attr(doc, doc = include_str!("../../rules/checkers.md"))]
#![cfg_attr(doc, doc = include_str!("../../rules/checkers.svg"))]

mod rules;
#[cfg(test)]
mod tests;
#[cfg(feature = "std")]
mod text;
mod trails;

use crate::variant::Variant;
use spinney_core::Player;
use trails::{BOARD, Trail, Trails};

spinney_core::options! {
    /// Draws, and how jumps are listed.
    pub struct Options {
        /// plies in a row without a capture or a move of a man that make a draw
        king_slide_limit: u8 = 25, in 1 to 100;
        /// a position that occurs for the third time is a draw
        repetition: bool = false;
        /// how sequences of jumps are listed
        variant: Variant = Variant::Standard;
    }
}

/// The rules.
///
/// ```
/// use spinney_core::{Game, perft};
/// let game = spinney_games::Checkers::default();
/// assert_eq!(perft(&game, &game.initial(), 5), 7361);
/// ```
#[derive(Clone, Debug)]
pub struct Checkers {
    options: Options,
    trails: Trails,
}

/// Sets of squares as bits, see the table of trails.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Board {
    /// Pieces of the player to move.
    own: u64,
    other: u64,
    /// Kings of both.
    kings: u64,
    mover: Player,
}

/// A position, with what the draw rules have to know of the plies before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    board: Board,
    /// King slides since the last capture or move of a man.
    slides: u8,
    history: History,
}

/// The last of these slides by their numbers; kept only if repetitions are draws.
#[derive(Clone, Copy)]
struct History {
    known: u8,
    slides: [u8; 100],
}

impl History {
    const EMPTY: Self = Self { known: 0, slides: [0; 100] };

    fn slides(&self) -> &[u8] {
        &self.slides[..usize::from(self.known)]
    }

    fn push(&mut self, slide: u8) {
        self.slides[usize::from(self.known)] = slide;
        self.known += 1;
    }
}

impl PartialEq for History {
    fn eq(&self, other: &Self) -> bool {
        self.slides() == other.slides()
    }
}

impl core::fmt::Debug for History {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.slides().fmt(formatter)
    }
}

/// The number of a trail: a slide, or a whole sequence of jumps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move(u16);

impl Board {
    #[inline(always)]
    fn open(&self) -> u64 {
        BOARD & !(self.own | self.other)
    }

    /// The board before the opponent's last slide.
    fn before(&self, trail: &Trail) -> Self {
        let own = self.other ^ trail.moved;
        Self { own, other: self.own, kings: self.kings ^ trail.moved, mover: self.mover.other() }
    }

    fn pieces(&self, player: Player) -> u64 {
        if player == self.mover { self.own } else { self.other }
    }
}

impl Checkers {
    /// The rules for these options.
    pub fn new(options: Options) -> Self {
        Self { options, trails: Trails::shared() }
    }

    #[inline(always)]
    fn trail(&self, mv: Move) -> &'static Trail {
        self.trails.get(usize::from(mv.0))
    }
}

impl Default for Checkers {
    fn default() -> Self {
        Self::new(Options::default())
    }
}
