//! Suites that take more than a moment, in one program.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod figures;
mod file;
mod known_optimum;
