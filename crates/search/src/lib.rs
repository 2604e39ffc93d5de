//! Monte-Carlo tree search, and agents that use it or stand beside it.
//!
//! One simulation walks through these files in order:
//! [`mcts`] (the loop) → [`select`] → [`expand`] → [`playout`] → [`reward`] → [`solver`] → [`backpropagate`], all on [`tree`];
//! [`budget`] says when to stop and [`decide`] which move to play. [`settings`] declares every option once.
//! Games with chance or one player take the loop of [`chance`], with the techniques of [`variance`].
//! Games of roles who move at the same time take that of [`decoupled`].
//! [`agent`] and [`table`] are the only type-erased borders.

pub mod agent;
pub mod alpha_beta;
pub mod amaf;
pub mod backpropagate;
pub mod budget;
pub mod chance;
pub mod decide;
pub mod decoupled;
pub mod diagnose;
pub mod expand;
pub mod expectimax;
pub mod flat;
pub mod game_record;
pub mod insight;
pub mod mcts;
pub mod playout;
pub mod reward;
pub mod select;
pub mod settings;
pub mod signature;
pub mod solver;
pub mod table;
pub mod tree;
pub mod variance;

pub use agent::{Agent, Analysis, Candidate, Decision, Position, Task};
pub use budget::{Budget, StopReason};
pub use chance::ChanceMcts;
pub use decoupled::Decoupled;
pub use game_record::{GameRecord, play_game};
pub use mcts::Mcts;
pub use settings::AgentSettings;
pub use table::{Table, open_table};
