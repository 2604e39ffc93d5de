//! The Game Description Language: rule sheets, and state machines made of them.
pub mod check;
pub mod expression;
mod graph;
mod rules;

pub use check::{Fault, Issue, Report};
pub use rules::Rules;
mod clauses;
mod join;
mod terms;
mod ground;
mod program;
mod circuit;
mod network;
mod machine;
mod relational;
pub use machine::{Cursor, Limits, Machine, Method, Size, State};
mod demand;
