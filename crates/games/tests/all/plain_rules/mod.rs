//! Games against slow, plain generators written straight from the rules, which share nothing with the fast ones but
//! the text of positions and moves.

mod cannon;
mod pentalath;
