//! A graphics card as a match farm. A thread plays whole games with the searches of `spinney-search`; what it is told and
//! what it answers is plain data ([`plain`]), and what it plays ([`duel`]) is compiled for both machines from one source,
//! so that a game is the same on both.
//!
//! The side that talks to the driver is in [`host`]; without the feature of that name the crate is `no_std` with `alloc`,
//! and that is what the kernels in `kernels/` are made of.

#![cfg_attr(not(feature = "host"), no_std)]

extern crate alloc;

pub mod compiled;
pub mod duel;
pub mod games;
#[cfg(feature = "host")]
pub mod host;
pub mod plain;
