//! General Game Playing: a player and a manager of matches over HTTP.
//!
//! [`player`] answers a game manager's messages within its clocks, whatever the game; [`manager`] is such a manager. Rules
//! come from [`spinney_gdl`], moves from the search for games of roles.

pub mod http;
pub mod manager;
pub mod message;
pub mod player;
pub mod seat;

pub use manager::{Opponent, Played, Setting};
pub use player::{Config, Player};
