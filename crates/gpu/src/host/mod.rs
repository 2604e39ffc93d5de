//! The side that talks to the driver: which games a card can play, the kernels, and the farm that plays them.

pub mod apart;
pub mod compile;
pub mod driver;
pub mod farm;
pub mod figures;
pub mod job;
pub mod kernels;
mod launched;
pub mod samples;
mod share;
pub mod speed;
pub mod tuning;

pub use driver::Card;
pub use farm::{Farm, Played};
pub use figures::Figures;
pub use job::{Job, Unfit};
pub use tuning::{Making, Stacks, Tuning};
