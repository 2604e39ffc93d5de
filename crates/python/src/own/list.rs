//! Games in Python by name, and the laboratory that finds them.

use super::ideas::Ideas;
use super::python::PythonRules;
use super::table;
use crate::error::raise;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use spinney_core::InputError;
use spinney_core::expression::Expression;
use spinney_games::Entry;
use spinney_search::ideas::Ideas as SearchIdeas;
use spinney_table::laboratory::{AgentList, GameList, Own};
use spinney_table::{Builder, Laboratory, Table};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// The games that Python has registered: what makes them, and one line about them.
struct Registered {
    factory: Py<PyAny>,
    summary: &'static str,
    players: u8,
    chance: bool,
}

static GAMES: Mutex<BTreeMap<&'static str, Registered>> = Mutex::new(BTreeMap::new());

fn games() -> MutexGuard<'static, BTreeMap<&'static str, Registered>> {
    GAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The standard laboratory and the games that Python has registered.
pub fn laboratory() -> &'static Laboratory {
    static LABORATORY: LazyLock<Laboratory> = LazyLock::new(|| Builder::new().games(PythonGames).finish());
    &LABORATORY
}

/// Whether a text names a game in Python.
pub fn is_python(text: &str) -> bool {
    let known = games();
    !known.is_empty() && Expression::read("game", text).is_ok_and(|game| known.contains_key(game.name.as_str()))
}

/// Makes a game known by its name; `factory` makes it of its options.
#[pyfunction]
pub fn register(name: String, summary: String, players: u8, chance: bool, factory: Py<PyAny>) {
    let mut known = games();
    // One that is registered again keeps its name; the old factory is dropped after the lock.
    let key = known.get_key_value(name.as_str()).map(|(key, _)| *key).unwrap_or_else(|| name.leak());
    let summary = summary.leak();
    let old = known.insert(key, Registered { factory, summary, players, chance });
    drop((known, old));
}

/// A table of a game in Python.
pub fn open_python(game: &Bound<'_, PyAny>, ideas: Ideas) -> PyResult<Box<dyn Table>> {
    let rules = PythonRules::new(game)?;
    let kind = (rules.chance, rules.solo);
    let opened = crate::error::guarded(|| table::open(Arc::new(rules), kind, ideas))?;
    opened.map_err(|error| crate::error::input(&error))
}

#[derive(Debug)]
struct PythonGames;

impl GameList for PythonGames {
    fn open<A: AgentList, I: SearchIdeas>(
        &self,
        game: &Expression,
        _: Option<&str>,
        _: &Arc<Own<A, I>>,
    ) -> Option<Result<Box<dyn Table>, InputError>> {
        Python::attach(|py| {
            let factory = games().get(game.name.as_str())?.factory.clone_ref(py);
            let made = || -> PyResult<Box<dyn Table>> {
                let options = PyDict::new(py);
                for argument in &game.arguments {
                    let value = spinney_core::expression::write_sum(&argument.value);
                    options.set_item(&argument.key, value)?;
                }
                open_python(factory.call1(py, (options,))?.bind(py), Ideas::default())
            };
            Some(made().map_err(|error| {
                if error.is_instance_of::<pyo3::exceptions::PyException>(py) {
                    InputError::new(format!("game {game}"), error, "look at the game's own options")
                } else {
                    raise(error)
                }
            }))
        })
    }

    fn entries(&self, entries: &mut Vec<Entry>) {
        entries.extend(games().iter().map(|(&name, own)| Entry {
            name,
            summary: own.summary,
            board: "",
            source: "written in Python",
            players: own.players,
            chance: own.chance,
            options: Vec::new(),
        }));
    }
}
