//! The ground everything stands on: what a game is, how it is written down, where random numbers come from.
//!
//! A game is a value that implements [`Game`] (rules) and [`Notation`] (text). Everything in this crate is pure:
//! no files, no clocks, no printing.

pub mod arithmetic;
pub mod bits;
pub mod conformance;
pub mod error;
pub mod expression;
pub mod game;
pub mod hashed;
pub mod notation;
pub mod options;
pub mod perft;
pub mod random;
pub mod scene;
pub mod stream;

pub use error::InputError;
pub use game::{Game, Likely, Outcome, Parameters, Player, Sharing, Turn, VarianceParameters, Weighted};
pub use notation::Notation;
pub use perft::perft;
pub use random::{Random, Seed};
pub use scene::Scene;
pub use stream::Stream;
