//! The side that talks to the driver: which games a card can play, the kernels, and the farm that plays them.

pub mod apart;
pub mod compile;
pub mod driver;
pub mod farm;
pub mod job;
pub mod kernels;
pub mod samples;

pub use driver::Card;
pub use farm::{Farm, Making, Played, Stacks, Tuning};
pub use job::{Job, Unfit};
