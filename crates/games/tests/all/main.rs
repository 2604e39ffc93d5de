//! The tests of all games, in one program so that what is generic over games is compiled once.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod conformance;
mod gdl;
mod plain_rules;
mod random_play;
mod scenes;
mod symmetry;
