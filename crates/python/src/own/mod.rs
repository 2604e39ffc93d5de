//! Games and ideas that are written in Python.
//!
//! [`rules`] is what a game must answer, [`python`] a game in Python and [`built_in`] one of ours behind the same border;
//! [`game`] makes a game of either, on which every search works, with [`ideas`] of one's own, and [`table`] puts it on a
//! table. [`batch`] is a search whose leaves are judged many at once. [`list`] finds games in Python by name.

pub mod batch;
pub mod built_in;
mod call;
pub mod game;
pub mod ideas;
pub mod list;
pub mod python;
pub mod rules;
pub mod table;
