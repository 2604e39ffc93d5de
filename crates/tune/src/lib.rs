//! Tuning: parameters of an agent chosen by games against a baseline.
//!
//! [`space`] (parameters and settings), [`batch`], [`model`] and [`regression`]: what to play next.

mod algebra;
pub mod batch;
pub mod model;
pub mod regression;
pub mod space;

pub use model::Model;
pub use space::Space;
