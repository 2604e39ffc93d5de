//! Games and agents on a table: the second type-erased border, where everything is text.
//!
//! [`table`] is a game in progress with agents seated at it; [`diagnose`] and [`signature`] look at all games alike.

pub mod diagnose;
pub mod laboratory;
pub mod signature;
pub mod table;

pub use laboratory::{Builder, Laboratory, NamedGame};
pub use table::{Table, open_table, table_of};
