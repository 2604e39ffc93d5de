//! Who plays: threads of this machine and, beside them, a farm that plays many games at once, mostly a graphics card.
//!
//! A farm plays the same games as a thread would; which of both played one is not to be seen in its record.

use crate::error::LabError;
use crate::plan::Cell;
use crate::store::GameId;
use spinney_core::{InputError, Seed};
use spinney_table::table::GameText;
use std::fmt;
use std::sync::atomic::AtomicBool;

/// A game that a farm is to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FarmGame {
    /// Which it is.
    pub id: GameId,
    /// Its seed.
    pub seed: Seed,
}

/// Takes a game that a farm has played; `None` if it could not, and a thread must.
pub type Taker<'a> = &'a mut dyn FnMut(FarmGame, Option<GameText>) -> Result<(), LabError>;

/// Something that plays many games at once.
pub trait Farm: Sync {
    /// Why it does not play the games of this cell; `None` if it does.
    fn refuses(&self, cell: &Cell) -> Result<Option<String>, InputError>;

    /// Plays games of cells that it does not refuse, and hands each on as soon as it has ended; few after `stop` was set.
    fn play(&self, cells: &[Cell], games: Vec<FarmGame>, stop: &AtomicBool, take: Taker<'_>) -> Result<(), LabError>;
}

/// Threads, and perhaps a farm.
#[derive(Clone, Copy)]
pub struct Crew<'a> {
    /// Threads of this machine.
    pub threads: usize,
    /// What plays beside them.
    pub farm: Option<&'a dyn Farm>,
}

impl From<usize> for Crew<'_> {
    fn from(threads: usize) -> Self {
        Self { threads, farm: None }
    }
}

impl fmt::Debug for Crew<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crew").field("threads", &self.threads).field("farm", &self.farm.is_some()).finish()
    }
}
