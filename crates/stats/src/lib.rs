//! Statistics of matches and searches: pure functions.

mod interval;
mod moments;

pub use interval::{Interval, Z95, paired_interval};
pub use moments::Moments;
