//! Can't Stop for one player: roll four dice, advance three runners, and stop before a roll cannot be used.
//!
//! The problem and its play-out policy are those of Veness, Lanctot and Bowling, "Variance Reduction in Monte-Carlo Tree
//! Search" (NIPS 2011). The paper states neither the number of turns nor the score; ten turns and 500 points for each
//! finished column fit its exploration constant and the axes of its figures.
//!
#![cfg_attr(doc, doc = include_str!("../../rules/cant-stop.md"))]
#![cfg_attr(doc, doc = include_str!("../../rules/cant-stop.svg"))]

pub mod dice;
mod rules;
mod scene;
#[cfg(test)]
mod tests;
mod text;

use dice::{COLUMNS, Columns, Kind, LENGTHS, Tables, tables};

spinney_core::options! {
    /// The options of Can't Stop.
    pub struct Options {
        /// number of turns
        turns: u8 = 10, in 1 to 100;
        /// the longest a column may be; less makes a small variant
        length: u8 = 13, in 1 to 13;
    }
}

/// The rules.
#[derive(Clone, Debug)]
pub struct CantStop {
    options: Options,
    lengths: [u8; COLUMNS],
    tables: &'static Tables,
}

impl Default for CantStop {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// A turn begins; one must roll.
    Start,
    /// The dice are in the air.
    Rolling,
    /// The dice lie there, a kind of roll; choose a pairing.
    Choose(u8),
    /// Roll again or stop; true if the last advance reached the top of a column.
    Decide(bool),
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Banked heights.
    heights: [u8; COLUMNS],
    /// Heights with the progress of the runners.
    places: [u8; COLUMNS],
    runners: Columns,
    /// Columns whose top has not been reached, runners included.
    open: Columns,
    turns: u8,
    phase: Phase,
}

/// Bank the progress of the turn.
const STOP: u16 = 0;
/// Roll the dice.
const ROLL: u16 = 1;
/// A roll that cannot be used: the progress of the turn is lost.
const BUST: u16 = 2;
/// Added to the number of a kind of roll.
const DICE: u16 = 0x100;
/// Added to an advance.
const ADVANCE: u16 = 0x200;

impl CantStop {
    /// The rules with these options.
    pub fn new(options: Options) -> Self {
        let lengths = LENGTHS.map(|length| length.min(options.length));
        Self { options, lengths, tables: tables() }
    }

    /// The columns of which a roll must have one.
    #[inline(always)]
    fn usable(state: &State) -> Columns {
        if state.runners.count_ones() == 3 { state.open & state.runners } else { state.open }
    }

    fn kind(&self, kind: u8) -> &'static Kind {
        &self.tables.kinds[usize::from(kind)]
    }
}
