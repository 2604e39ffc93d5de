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
//!
//! Without the feature `std` what simulates is left, as `no_std` with `alloc`: searches on settings that leave nothing open,
//! without clocks, threads, files and text. They make the same simulations.

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

#[cfg(feature = "std")]
pub mod agent;
#[cfg(feature = "std")]
pub mod agents;
#[cfg(feature = "std")]
pub mod alpha_beta;
pub mod amaf;
pub mod analysis;
pub mod backpropagate;
mod best;
pub mod budget;
pub mod chance_mcts;
#[cfg(feature = "std")]
pub mod clock;
pub mod decide;
#[cfg(feature = "std")]
pub mod decoupled;
#[cfg(feature = "std")]
pub mod drive;
pub mod expand;
#[cfg(feature = "std")]
pub mod expectimax;
pub mod flat;
pub mod game_record;
pub mod ideas;
pub mod insight;
pub mod mcts;
pub mod nodes;
pub mod playout;
mod reclaim;
pub mod reward;
pub mod search;
pub mod select;
pub mod settings;
#[cfg(feature = "std")]
pub mod shared;
pub mod solver;
#[cfg(feature = "std")]
pub mod timekeeper;
pub mod transpositions;
pub mod tree;
pub mod variance;
#[cfg(feature = "std")]
mod watch;

#[cfg(feature = "std")]
pub use agent::{Agent, Decision, Task};
#[cfg(feature = "std")]
pub use agents::{AgentInfo, AgentKind, AgentSettings, build};
pub use analysis::{Analysis, Candidate, Position};
pub use budget::{Budget, StopReason};
pub use chance_mcts::ChanceMcts;
#[cfg(feature = "std")]
pub use clock::Clock;
#[cfg(feature = "std")]
pub use decoupled::Decoupled;
#[cfg(feature = "std")]
pub use drive::Driven;
#[cfg(feature = "std")]
pub use game_record::play_game;
pub use game_record::{GameRecord, play_turns};
pub use mcts::Mcts;
pub use search::Search;
#[cfg(feature = "std")]
pub use timekeeper::Timekeeper;
