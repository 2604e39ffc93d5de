//! One search on many threads.
//!
//! [`Crew`] is `mcts(threads=N)`: N searches, each with its own random numbers, working memory and learners, walk through one
//! tree without locks (Enzenberger and Müller, "A Lock-free Multithreaded Monte-Carlo Tree Search Algorithm", 2009).
//! `tree.rs` is that tree, `moves.rs` the moves in it, and [`Branch`] what one thread has of it. What is under way counts as
//! lost, or as a visit, so that threads part ([`VirtualLoss`](crate::settings::VirtualLoss)). [`Roots`] is `parallel=root`: N
//! searches with a tree each, whose roots are added up (Chaslot, Winands and Van den Herik, "Parallel Monte-Carlo Tree
//! Search", 2008).

mod apart;
mod arena;
mod best;
mod branch;
mod counts;
mod crew;
mod mirror;
mod moves;
mod nodes;
mod pool;
mod roots;
mod stop;
mod tally;
mod tree;

pub use branch::Branch;
pub use crew::Crew;
pub use pool::ValuePool;
pub use roots::{Roots, merged};
