//! The games, one module each, and the registry that finds them by name.

pub mod breakthrough;
pub mod chinese_checkers;
pub mod havannah;
pub mod registry;
pub mod tic_tac_toe;
pub mod variant;

pub use breakthrough::Breakthrough;
pub use chinese_checkers::ChineseCheckers;
pub use havannah::Havannah;
pub use registry::{Entry, Visitor, entries, open};
pub use tic_tac_toe::TicTacToe;
