//! Searches with a network in Python, which is asked about many positions at once.

use crate::error::{guarded, input, wrong};
use crate::own::batch::{Leaf, Search, Task};
use crate::own::built_in::Opener;
use crate::own::python::PythonRules;
use crate::own::rules::{Rules, State as Position};
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyList;
use spinney_core::{Seed, Turn};
use std::sync::Arc;

/// The rules of a state's game, and its position behind their border.
fn border(py: Python<'_>, state: &Bound<'_, State>) -> PyResult<(Arc<dyn Rules>, Position)> {
    let mut own = state.borrow_mut();
    let rules: Arc<dyn Rules> = match &own.own {
        Some(game) => {
            let rules = PythonRules::new(game.bind(py))?;
            if rules.solo {
                return Err(one_player());
            }
            Arc::new(rules)
        }
        None => {
            let (text, position) = (own.table().game(), own.table().position());
            let opened = spinney_games::open(&text, Some(&position), Opener).map_err(|error| input(&error))?;
            if opened.solo {
                return Err(one_player());
            }
            opened.rules
        }
    };
    let text = guarded(|| own.table().position())?;
    let position = match guarded(|| rules.read_position(&text))? {
        Some(read) => Position::new(read.map_err(|error| input(&error))?),
        None => {
            // Positions that cannot be read are reached by their moves.
            let mut position = Position::new(guarded(|| rules.initial())?);
            for mv in guarded(|| own.table().history())? {
                let moves = guarded(|| position.moves(rules.as_ref()).to_vec())?;
                let written = |&number: &u32| rules.write_move(&position.0.object, number);
                let place = moves.iter().position(|number| written(number).as_deref() == Some(mv.as_str()));
                let place = place.or_else(|| mv.parse::<usize>().ok().map(|number| number.wrapping_sub(1)));
                let number = place.and_then(|place| moves.get(place)).copied();
                let number = number.ok_or_else(|| wrong("state", format!("`{mv}` is no move"), "play it again"))?;
                guarded(|| rules.apply(&mut position, number))?;
            }
            position
        }
    };
    Ok((rules, position))
}

fn one_player() -> PyErr {
    wrong("state", "one player plays for a score", "a network's values are of games of two")
}

type Row = (String, u32, f32, f32);

/// Searches positions at the same time; `network(states, ids)` gives a list of values for the first player and a list of
/// priors of each position's moves, or None. Returns the value and the moves of each: move, visits, mean, prior.
#[pyfunction]
pub fn search_batch(
    py: Python<'_>,
    states: Vec<Bound<'_, State>>,
    network: &Bound<'_, PyAny>,
    simulations: u32,
    leaves: u32,
    exploration: f32,
    seed: u64,
) -> PyResult<Vec<(f64, Vec<Row>)>> {
    let task = Task { simulations, leaves: leaves.max(1), exploration };
    let mut searches = Vec::new();
    for (number, state) in states.iter().enumerate() {
        let (rules, position) = border(py, state)?;
        if !matches!(guarded(|| position.turn(rules.as_ref()))?, Turn::Player(_)) {
            return Err(wrong("state", "nobody is to move", "give states in which a player is to move"));
        }
        let search = Search::new(rules.clone(), position.clone(), Seed::new(seed).child(number as u64));
        searches.push((rules, position, search));
    }
    let mut is_idle = false;
    while searches.iter().any(|(_, _, search)| search.simulations() < simulations) {
        py.check_signals()?;
        let mut gathered: Vec<(usize, Leaf)> = Vec::new();
        let before: u32 = searches.iter().map(|(_, _, search)| search.simulations()).sum();
        for (number, (_, _, search)) in searches.iter_mut().enumerate() {
            let mut own = Vec::new();
            guarded(|| search.gather(&task, &mut own))?;
            gathered.extend(own.into_iter().map(|leaf| (number, leaf)));
        }
        let after: u32 = searches.iter().map(|(_, _, search)| search.simulations()).sum();
        if gathered.is_empty() {
            // Only ends of games were met; if not even these, nothing more can be found.
            if std::mem::replace(&mut is_idle, before == after) && before == after {
                break;
            }
            continue;
        }
        is_idle = false;
        let (shown, ids) = (PyList::empty(py), PyList::empty(py));
        for (number, leaf) in &gathered {
            let rules = &searches[*number].0;
            shown.append(guarded(|| rules.shown(py, &leaf.state.0.object))??)?;
            let of_moves = || {
                let moves = leaf.state.moves(rules.as_ref()).iter();
                moves.map(|&mv| rules.move_id(&leaf.state.0.object, mv)).collect::<Vec<usize>>()
            };
            ids.append(guarded(of_moves)?)?;
        }
        let (values, priors): (Vec<f64>, Option<Vec<Vec<f64>>>) = network.call1((shown, ids))?.extract()?;
        if values.len() != gathered.len() || priors.as_ref().is_some_and(|priors| priors.len() != gathered.len()) {
            let problem = format!("{} values for {} states", values.len(), gathered.len());
            return Err(wrong("network", problem, "give a value, and a list of priors, for each state"));
        }
        for (index, (number, leaf)) in gathered.iter().enumerate() {
            let priors = priors.as_ref().map(|priors| priors[index].as_slice());
            searches[*number].2.judge(leaf, values[index], priors)?;
        }
    }
    let write = |(rules, position, search): (Arc<dyn Rules>, Position, Search)| {
        let (value, found) = search.found();
        let rows = found.into_iter().enumerate().map(|(place, own)| {
            let text = rules.write_move(&position.0.object, own.mv).unwrap_or_else(|| (place + 1).to_string());
            (text, own.visits, own.mean, own.prior)
        });
        (value, rows.collect())
    };
    searches.into_iter().map(|search| guarded(|| write(search))).collect()
}
