//! The conformance suite for a game in Python: what fails is an exception with the position in it.

use crate::error::{guarded, take_raised, wrong};
use pyo3::prelude::*;
use spinney_table::Table;

/// Checks the game on a table.
pub fn run(py: Python<'_>, is_python: bool, table: Box<dyn Table>, games: u32) -> PyResult<()> {
    drop(take_raised());
    let work = move || {
        let hook = std::panic::take_hook();
        // What the suite finds is told once, by the exception.
        std::panic::set_hook(Box::new(|_| {}));
        let found = table.check(games);
        std::panic::set_hook(hook);
        found
    };
    let found = if is_python { guarded(work)? } else { crate::attend::left_behind(py, work)? };
    found.map_err(|problem| match take_raised() {
        Some(error) => error,
        None => wrong("game", problem, "make its functions agree with each other"),
    })
}
