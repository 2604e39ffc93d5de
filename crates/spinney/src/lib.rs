//! Monte-Carlo tree search for your own game, and a laboratory for ideas about search and simulation.
//!
//! A game is a value that implements [`Game`]: six functions. Every search, learner and bonus then works on
//! it. `examples/own_game.rs` is one in fifty lines.
//!
//! ```
//! use spinney::prelude::*;
//!
//! /// Take one or two matches; whoever takes the last one wins.
//! #[derive(Clone)]
//! struct Nim;
//! impl Game for Nim {
//!     type State = (u8, Player);
//!     type Move = u8;
//!     type Scratch = ();
//!     fn initial(&self) -> Self::State { (7, Player::First) }
//!     fn turn(&self, &(left, player): &Self::State) -> Turn {
//!         if left == 0 { Turn::Over(Outcome::Win(player.other())) } else { Turn::Player(player) }
//!     }
//!     fn moves(&self, &(left, _): &Self::State, moves: &mut List<u8>) { moves.extend(1..=left.min(2)) }
//!     fn apply(&self, (left, player): &mut Self::State, taken: u8) { *left -= taken; *player = player.other() }
//!     fn move_ids(&self) -> usize { 3 }
//!     fn move_id(&self, _: &Self::State, taken: u8) -> usize { taken as usize }
//! }
//!
//! let best = spinney::best_move(&Nim, &Nim.initial(), "mcts(sims=1000)", Seed::new(1))?;
//! assert_eq!(best, 1, "a multiple of three is left");
//! # Ok::<(), InputError>(())
//! ```
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | – | [`rules`] and [`search`], which is all that a search on a game of one's own needs |
//! | `games` | the standard games and rule sheets |
//! | `table` | games and agents by name, laboratories with one's own |
//! | `command-line` | the whole program `spinney` for a laboratory of one's own |
//!
//! # Speed
//!
//! Drawing a random set bit uses `pdep` wherever the processor has it. Counting bits and working on vectors takes
//! instructions that processors have had since 2013 but that a build must be told of. Put this into
//! `.cargo/config.toml` of your project; without it everything gives the same results, most games of bits at a half to
//! four fifths of the speed (`docs/speed.md` has the table), and Chinese Checkers at a tenth:
//!
//! ```toml
//! [target.'cfg(target_arch = "x86_64")']
//! rustflags = ["-C", "target-cpu=x86-64-v3"]
//! ```

#[cfg(feature = "games")]
pub use spinney_games as games;
#[cfg(feature = "table")]
pub use spinney_table as table;
pub use {spinney_core as rules, spinney_search as search};

use rules::{Game, InputError, Seed};
use search::{AgentSettings, Position, Task};

/// The move that an agent chooses in a position, which must not be over. The same arguments give the same move, unless
/// the agent is limited by time.
pub fn best_move<G: Game>(game: &G, state: &G::State, agent: &str, seed: Seed) -> Result<G::Move, InputError> {
    let mut agent = search::build(game, &agent.parse::<AgentSettings>()?)?;
    Ok(agent.choose(game, &Position::new(state), &mut Task::new(seed)).mv)
}

/// A laboratory with the standard games and agents, to which one's own are added.
///
/// With the feature `command-line` a laboratory of one's own is a program in a few lines:
///
/// ```ignore
/// fn main() -> std::process::ExitCode {
///     spinney::laboratory()
///         .game::<Hex>("hex", "connect your two sides")
///         .agent::<Greedy>("greedy", "one ply of evaluation")
///         .learner::<Decay>("decay", "MAST that forgets")
///         .command_line()
/// }
/// ```
#[cfg(feature = "table")]
pub fn laboratory() -> table::Builder {
    table::Builder::new()
}

/// A laboratory as a program.
#[cfg(feature = "command-line")]
pub trait CommandLine {
    /// Does what the arguments of the program ask for: `play`, `analyse`, `match`, `lab`, `serve` and all others.
    fn command_line(self) -> std::process::ExitCode;
}

#[cfg(feature = "command-line")]
impl<G, A, I, S> CommandLine for table::Builder<G, A, I, S>
where
    G: table::laboratory::GameList,
    A: table::laboratory::AgentList,
    I: search::ideas::Ideas,
    S: table::laboratory::TypeList,
{
    fn command_line(self) -> std::process::ExitCode {
        spinney_cli::command_line(&self.finish())
    }
}

/// What most programs need.
pub mod prelude {
    #[cfg(feature = "command-line")]
    pub use crate::CommandLine;
    pub use spinney_core::{
        Chance, Game, InputError, Likely, List, Luck, Notation, Outcome, Player, PlayoutPolicy, Policy, Published,
        Random, Score, Seed, Solitaire, Stream, Turn, Weighted, Workspace, options, perft, play,
    };
    #[cfg(feature = "games")]
    pub use spinney_games::{Breakthrough, TicTacToe, game_types};
    pub use spinney_search::ideas::{OwnLearner, OwnReward, OwnSelection};
    pub use spinney_search::{
        Agent, AgentKind, AgentSettings, Analysis, Budget, Candidate, Decision, Driven, Mcts, Position, StopReason,
        Task, build, play_game,
    };
    #[cfg(feature = "table")]
    pub use spinney_table::{Laboratory, NamedGame, Table, open_table};
}
