//! Tables, laboratories and the signature, in one binary: one of its own for every file would be linked and optimised
//! again.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod diagnose;
mod laboratory;
mod signature;
mod tables;
