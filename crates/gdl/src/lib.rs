//! The Game Description Language: rule sheets, and state machines made of them.
pub mod check;
pub mod expression;
mod graph;
mod rules;

pub use check::{Fault, Issue, Report};
pub use rules::Rules;
mod circuit;
mod clauses;
mod ground;
mod join;
mod machine;
mod network;
mod program;
mod relational;
mod terms;
pub use machine::{Cursor, Limits, Machine, Method, Size, State};
