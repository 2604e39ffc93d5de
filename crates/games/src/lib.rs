//! The games, one module each, and the registry that finds them by name.

pub mod amazons;
pub mod breakthrough;
pub mod cannon;
pub mod cant_stop;
pub mod checkers;
pub mod chinese_checkers;
pub mod dominion;
pub mod gdl;
pub mod havannah;
pub mod pentalath;
pub mod pig;
pub mod pig_race;
pub mod registry;
pub mod tic_tac_toe;
pub mod variant;

pub use amazons::Amazons;
pub use breakthrough::Breakthrough;
pub use cannon::Cannon;
pub use cant_stop::CantStop;
pub use checkers::Checkers;
pub use chinese_checkers::ChineseCheckers;
pub use dominion::Dominion;
pub use havannah::Havannah;
pub use pentalath::Pentalath;
pub use pig::Pig;
pub use pig_race::PigRace;
pub use registry::{Entry, Visitor, entries, open};
pub use tic_tac_toe::TicTacToe;
