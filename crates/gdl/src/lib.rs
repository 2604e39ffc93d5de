//! The Game Description Language: rule sheets, and state machines made of them.
//!
//! A rule sheet says in logic who plays, what holds at first, which moves are legal, what holds next, when the game is
//! over and what it is worth to whom (N. Love, T. Hinrichs, D. Haley, E. Schkufza, M. Genesereth, *General Game Playing:
//! Game Description Language Specification*, Stanford LG-2006-01). [`Rules`] reads and checks a sheet; [`Machine`] makes
//! a state machine of it; a [`Cursor`] walks through its states.
//!
//! ```text
//! text → expressions → rules → (checker) → clauses → instances → circuit → networks → cursor
//! ```
//!
//! Programs that interpret the rules at every state, as the successful players did first (H. Finnsson and Y. Björnsson,
//! *Simulation-Based Approach to General Game Playing*, AAAI 2008), play tens to hundreds of states a second. Here the
//! rules are instantiated once and become a circuit over facts and moves (E. Schkufza, N. Love, M. Genesereth,
//! *Propositional Automata and Cell Automata*, 2008), of which only what changes is computed again:
//!
//! - `clauses` removes `or` and splits rules, so that no join is larger than it must be;
//! - `program` works out what no state changes;
//! - `ground` finds the instances that can matter, from below; `demand` restricts recursive relations to what is asked;
//! - `circuit` simplifies, uses that a role makes exactly one move, and proves that roles take turns where they do;
//! - `network` packs the circuit into counters and bits, one network for each role on turn;
//! - `packed` names what the networks mean, and `position` is a state as they see it;
//! - `relational` plays from the clauses where a circuit would be too large;
//! - `machine` and `cursor` are the same for both.

pub mod check;
mod circuit;
mod clauses;
mod cursor;
mod database;
mod demand;
pub mod expression;
mod graph;
mod ground;
mod join;
mod limits;
mod machine;
mod network;
mod packed;
mod pattern;
mod position;
mod program;
mod prove;
mod registry;
mod relational;
mod rules;
mod state;
mod terms;

pub use check::{Fault, Issue, Report};
pub use cursor::Cursor;
pub use limits::{BuildError, Cancel, Limits};
pub use machine::{Machine, Method, Size};
pub use rules::Rules;
pub use state::State;
