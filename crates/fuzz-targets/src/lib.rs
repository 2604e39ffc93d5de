//! What a fuzzer does with its bytes, one function for each parser. A function returns on whatever is read or refused, and
//! panics where something that was read does not hold: it is not written and read back the same, or cannot be played.
//!
//! `fuzz/` hands these functions to libFuzzer; `tests/replay.rs` feeds them the corpora kept there.

mod play;
mod read;
mod sheet;

pub use play::{agents, moves, positions};
pub use read::{experiments, http, records, wire};
pub use sheet::sheets;

/// A target: what becomes of any bytes.
pub type Target = fn(&[u8]);

/// All targets under the names of their corpora.
pub const TARGETS: [(&str, Target); 8] = [
    ("agents", agents),
    ("experiments", experiments),
    ("http", http),
    ("moves", moves),
    ("positions", positions),
    ("records", records),
    ("sheets", sheets),
    ("wire", wire),
];
