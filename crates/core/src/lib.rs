//! The ground everything stands on: what a game is, how it is written down, where random numbers come from.
//!
//! A game is a value that implements [`Game`] (rules) and [`Notation`] (text). Everything in this crate is pure:
//! no files, no clocks, no printing.

pub mod arithmetic;
pub mod bits;
pub mod chance;
pub mod conformance;
mod covariance;
pub mod error;
pub mod expression;
pub mod game;
pub mod hashed;
pub mod list;
mod moments;
pub mod move_set;
pub mod notation;
pub mod options;
pub mod perft;
pub mod policy;
pub mod random;
pub mod roles;
pub mod scene;
pub mod solitaire;
pub mod stream;
pub mod workspace;

pub use chance::{Chance, Likely, Luck};
pub use covariance::Covariance;
pub use error::{InputError, InputErrorKind};
pub use game::{Game, IllegalMove, Outcome, Player, Published, Turn, continuations, play};
pub use list::List;
pub use moments::Moments;
pub use move_set::{MoveSets, SetsOf};
pub use notation::{Notation, RoleText};
pub use perft::perft;
pub use policy::{PlayoutPolicy, Policy, Weighted, draw_weighted};
pub use random::{Random, Seed};
pub use roles::{Roles, RolesOf};
pub use scene::Scene;
pub use solitaire::{Score, Solitaire};
pub use stream::Stream;
pub use workspace::Workspace;
