//! The games, one module each, and the registry that finds them by name.
//!
//! Without the feature `std` the rules of the larger board games are left, as `no_std` with `alloc`, for searches without text.

#![cfg_attr(not(feature = "std"), no_std)]
// Some of what a board knows only its text asks for.
#![cfg_attr(not(feature = "std"), allow(dead_code))]

extern crate alloc;

pub mod amazons;
pub mod breakthrough;
pub mod cannon;
#[cfg(feature = "std")]
pub mod cant_stop;
pub mod checkers;
pub mod chinese_checkers;
#[cfg(feature = "std")]
pub mod dominion;
#[cfg(feature = "gdl")]
pub mod gdl;
pub mod havannah;
#[cfg(feature = "std")]
pub mod manual;
pub mod pentalath;
#[cfg(feature = "std")]
pub mod pig;
#[cfg(feature = "std")]
pub mod pig_race;
#[cfg(feature = "std")]
pub mod registry;
#[cfg(feature = "std")]
pub mod tic_tac_toe;
pub mod variant;

pub use amazons::Amazons;
pub use breakthrough::Breakthrough;
pub use cannon::Cannon;
#[cfg(feature = "std")]
pub use cant_stop::CantStop;
pub use checkers::Checkers;
pub use chinese_checkers::ChineseCheckers;
#[cfg(feature = "std")]
pub use dominion::Dominion;
pub use havannah::Havannah;
pub use pentalath::Pentalath;
#[cfg(feature = "std")]
pub use pig::Pig;
#[cfg(feature = "std")]
pub use pig_race::PigRace;
#[cfg(feature = "std")]
pub use registry::{Entry, Visitor, entries, open};
#[cfg(feature = "std")]
pub use tic_tac_toe::TicTacToe;
