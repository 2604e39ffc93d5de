//! A Monte-Carlo tree search laboratory as a library: games, search, enhancements.
//!
//! A game is a value that implements [`core::Game`]; every enhancement of the search then works on it.
//!
//! ```
//! use spinney::prelude::*;
//!
//! let game = Breakthrough::default();
//! let settings: AgentSettings = "mcts(sims=500, playout=policy+mast(eps=0.7))".parse()?;
//! let mut agent = spinney::search::build(&game, &settings)?;
//! let state = game.initial();
//! let decision = agent.choose(&game, &Position::new(&state), &mut Task::new(Seed::new(1)));
//! assert_eq!(game.write_move(&state, decision.mv).len(), 5);
//! # Ok::<(), InputError>(())
//! ```
//!
//! Your own game needs six functions; `examples/own_game.rs` is one in fifty lines.

pub use spinney_core as core;
pub use spinney_games as games;
pub use spinney_search as search;
pub use spinney_table as table;

/// What most programs need.
pub mod prelude {
    pub use spinney_core::{
        Game, InputError, List, Notation, Outcome, Player, Published, Random, Seed, Turn, Weighted, Workspace, perft,
    };
    pub use spinney_games::{Breakthrough, TicTacToe};
    pub use spinney_search::{
        Agent, AgentSettings, Analysis, Budget, Candidate, Decision, Driven, Mcts, Position, Search, StopReason, Task,
        play_game,
    };
    pub use spinney_table::{Laboratory, Table, open_table};
}
