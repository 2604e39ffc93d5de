//! spinney for Python: the module `spinney._spinney`, on which the package `spinney` stands.
//!
//! [`state`] are positions, [`think`] searches, [`network`] those with a network, [`experiment`], [`run`] and [`matches`]
//! the laboratory, [`arrow`] its tables for other programs, [`own`] games and ideas that
//! are written in Python. What is said in Python's own words is in `python/spinney`.

mod arrow;
mod attend;
mod check;
mod error;
mod experiment;
mod matches;
mod network;
mod own;
mod playing;
mod run;
mod scene;
mod serve;
mod state;
mod think;

use pyo3::prelude::*;
use std::ffi::OsString;

/// Games with what is known of them: name, summary, board, source, players, chance, options.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "Python gives the parts their names")]
fn games() -> Vec<(&'static str, &'static str, &'static str, &'static str, u8, bool, Vec<(String, String)>)> {
    let entries = own::list::laboratory().games();
    let options = |options: Vec<spinney_core::options::OptionInfo>| {
        options.into_iter().map(|one| (one.key.to_string(), one.help.to_string())).collect()
    };
    entries
        .into_iter()
        .map(|one| (one.name, one.summary, one.board, one.source, one.players, one.chance, options(one.options)))
        .collect()
}

/// Agents: name, summary, options with their help.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "Python gives the parts their names")]
fn agents() -> Vec<(&'static str, &'static str, Vec<(String, String)>)> {
    let infos = own::list::laboratory().agents();
    infos
        .into_iter()
        .map(|info| {
            let options = info.options.iter().map(|one| (one.key.to_string(), one.help.to_string()));
            (info.name, info.summary, options.collect())
        })
        .collect()
}

/// The command `spinney` with these arguments, the first of which is its name; returns the exit code.
#[pyfunction]
fn command_line(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| spinney_cli::run_arguments(own::list::laboratory(), arguments))
}

/// The module.
#[pymodule]
mod _spinney {
    #[pymodule_export]
    use super::error::exception::InputError;
    #[pymodule_export]
    use super::experiment::{Experiment, library_file, library_files, play_unit};
    #[pymodule_export]
    use super::matches::{match_run, pair_seed, ply_seed, run_of_games, score_run};
    #[pymodule_export]
    use super::network::search_batch;
    #[pymodule_export]
    use super::own::list::register;
    #[pymodule_export]
    use super::run::{Rectangle, Run};
    #[pymodule_export]
    use super::serve::serve;
    #[pymodule_export]
    use super::state::{State, open_state};
    #[pymodule_export]
    use super::think::{Searched, agent_text, diagnose, play_game, think};
    #[pymodule_export]
    use super::{agents, command_line, games};
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
