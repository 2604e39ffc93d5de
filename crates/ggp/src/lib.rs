//! General Game Playing: a player and a manager of matches over HTTP.
//!
//! [`player`] answers a game manager's messages within its clocks, whatever the game; [`manager`] is such a manager. Rules
//! come from [`spinney_gdl`], moves from the search for games of roles.

pub mod allocator;
mod course;
pub mod http;
mod keeper;
pub mod manager;
pub mod memory;
pub mod message;
pub mod player;
pub mod printable;
mod reasoner;
pub mod record;
pub mod scramble;
mod searcher;
pub mod seat;
mod server;
pub mod signing;
pub mod spelling;
mod ticket;
pub mod tournament;

pub use manager::{Opponent, Played, Setting};
pub use player::{Config, Player};
