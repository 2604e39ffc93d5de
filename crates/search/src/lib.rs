//! Monte-Carlo tree search, and agents that use it or stand beside it.
//!
//! One simulation walks through these files in order:
//! [`mcts`] (the loop) → [`select`] → [`expand`] → [`playout`] → [`reward`] → [`solver`] → [`backpropagate`], all on [`tree`];
//! [`budget`] says when to stop and [`decide`] which move to play. [`settings`] declares every
//! option once.
//! Games with chance or one player take the loop of [`chance_mcts`], with the techniques of [`variance`].
//! Games of roles who move at the same time take that of [`decoupled`].
//! [`drive`] turns searches into agents: it alone reads clocks. [`agents`] finds agents by name, and [`ideas`] are what
//! others add to the search. [`agent`] is the only type-erased border.

pub mod agent;
pub mod agents;
pub mod alpha_beta;
pub mod amaf;
pub mod backpropagate;
pub mod budget;
pub mod chance_mcts;
pub mod decide;
pub mod decoupled;
pub mod drive;
pub mod expand;
pub mod expectimax;
pub mod flat;
pub mod game_record;
pub mod ideas;
pub mod insight;
pub mod mcts;
pub mod playout;
pub mod reward;
pub mod select;
pub mod settings;
pub mod solver;
pub mod tree;
pub mod variance;

pub use agent::{Agent, Analysis, Candidate, Decision, Position, Task};
pub use agents::{AgentInfo, AgentKind, AgentSettings, build};
pub use budget::{Budget, StopReason};
pub use chance_mcts::ChanceMcts;
pub use decoupled::Decoupled;
pub use drive::{Driven, Search};
pub use game_record::{GameRecord, play_game};
pub use mcts::Mcts;
