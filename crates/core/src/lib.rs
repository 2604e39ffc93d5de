//! The ground everything stands on: what a game is, how it is written down, where random numbers come from.
//!
//! A game is a value that implements [`Game`] (rules) and [`Notation`] (text). Everything in this crate is pure:
//! no files, no clocks, no printing.
//!
//! Without the feature `std` only what simulations need is left, as `no_std` with `alloc`: no text, and the same numbers.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(
    target_arch = "nvptx64",
    allow(internal_features),
    feature(asm_experimental_arch, core_float_math, link_llvm_intrinsics)
)]

extern crate alloc;

pub mod arithmetic;
pub mod bits;
pub mod chance;
#[cfg(feature = "std")]
pub mod conformance;
mod covariance;
mod declare;
#[cfg(feature = "std")]
pub mod error;
#[cfg(feature = "std")]
pub mod expression;
pub mod game;
#[cfg(feature = "std")]
pub mod hashed;
pub mod lanes;
pub mod list;
mod moments;
pub mod move_run;
pub mod move_set;
#[cfg(feature = "std")]
pub mod notation;
#[cfg(feature = "std")]
pub mod options;
pub mod perft;
pub mod policy;
pub mod random;
pub mod roles;
#[cfg(feature = "std")]
pub mod scene;
pub mod solitaire;
pub mod stream;
#[cfg(feature = "std")]
pub mod unhurried;
pub mod workspace;

pub use chance::{Chance, Likely, Luck};
pub use covariance::Covariance;
#[cfg(feature = "std")]
pub use error::{InputError, InputErrorKind};
pub use game::{Game, IllegalMove, Outcome, Player, Published, Turn, continuations, play};
pub use list::List;
pub use moments::Moments;
pub use move_run::{FewRuns, MoveRuns, Run, RunsOf};
pub use move_set::{MoveSets, SetsOf};
#[cfg(feature = "std")]
pub use notation::{Notation, RoleText};
pub use perft::perft;
pub use policy::{PlayoutPolicy, Policy, Weighted, draw_weighted};
pub use random::{Random, Seed};
pub use roles::{Roles, RolesOf};
#[cfg(feature = "std")]
pub use scene::Scene;
pub use solitaire::{Score, Solitaire};
pub use stream::Stream;
pub use workspace::Workspace;
