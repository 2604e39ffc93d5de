//! Games against slow, plain generators written straight from the rules, which share nothing with the fast ones but
//! the text of positions and moves.

// Outside of the test functions themselves the lint does not know that this is a test.
#![allow(clippy::unwrap_used)]

mod cannon;
mod pentalath;
