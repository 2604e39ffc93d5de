//! Tuning: parameters of an agent chosen by games against a baseline.
//!
//! [`mod@file`] (what is tuned) → [`space`] (parameters and settings) → [`batch`], [`model`] and [`regression`] (what to play
//! next) → [`run`] (games, kept as the laboratory keeps them) → [`report`]. [`drive`] is the other way round: an optimiser of
//! one's own asks, tells, or proposes settings to be played.

mod algebra;
pub mod batch;
pub mod drive;
pub mod file;
pub mod model;
pub mod regression;
pub mod report;
pub mod run;
pub mod space;

pub use drive::Drive;
pub use file::Tuning;
pub use model::Model;
pub use run::{Outcome, Play, Run, Step};
pub use space::Space;
