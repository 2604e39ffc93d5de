//! Searches: what an agent thinks of a position, as plain values of Python.

use crate::attend::attended;
use crate::error::{guarded, input, wrong};
use crate::own::ideas::Ideas;
use crate::own::list::laboratory;
use crate::own::rules::begin_search;
use crate::state::{State, duration};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use spinney_core::{Seed, Turn};
use spinney_search::tree::Proof;
use spinney_search::{AgentSettings, Budget, StopReason};
use spinney_stats::Moments;
use spinney_table::Table;
use spinney_table::diagnose::{Diagnosis, Histogram, Study};
use spinney_table::table::{CandidateText, Look, Question, Thought};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use sync_wrapper::SyncWrapper;

fn proof_word(proof: Proof) -> Option<&'static str> {
    match proof {
        Proof::Unknown => None,
        Proof::Win => Some("win"),
        Proof::Loss => Some("loss"),
        Proof::Draw => Some("draw"),
    }
}

/// Candidates as tuples of move, visits, mean, margin, proof and variation.
fn write_candidates<'py>(py: Python<'py>, candidates: &[CandidateText]) -> PyResult<Bound<'py, PyList>> {
    let rows = candidates.iter().map(|own| {
        let CandidateText { mv, visits, mean, margin, proof, variation } = own;
        (mv, visits, mean, margin, proof_word(*proof), variation)
    });
    PyList::new(py, rows.collect::<Vec<_>>())
}

fn write_thought<'py>(py: Python<'py>, thought: &Thought) -> PyResult<Bound<'py, PyDict>> {
    let written = PyDict::new(py);
    let totals = &thought.totals;
    let each = |sum: u64| (totals.playouts > 0).then(|| sum as f64 / totals.playouts as f64);
    written.set_item("best", &thought.chosen)?;
    written.set_item("candidates", write_candidates(py, &thought.candidates)?)?;
    written.set_item("proven", proof_word(thought.proof))?;
    written.set_item("simulations", totals.simulations)?;
    written.set_item("playouts", totals.playouts)?;
    written.set_item("mean_depth", each(totals.depth_plies))?;
    written.set_item("deepest", totals.deepest_plies)?;
    written.set_item("mean_length", each(totals.length_plies))?;
    written.set_item("nodes", thought.nodes)?;
    written.set_item("bytes", thought.bytes)?;
    written.set_item("seconds", thought.elapsed.as_secs_f64())?;
    written.set_item("stopped", thought.stopped.map(StopReason::words))?;
    Ok(written)
}

/// The agent of a text, with limits in place of its own where some are given.
pub fn read_agent(text: &str, budget: &Budget) -> PyResult<AgentSettings> {
    let agent = laboratory().agent(text).map_err(|error| input(&error))?;
    Ok(if budget.is_endless() { agent } else { agent.with_budget(budget) })
}

/// An agent's text, read and written again, and whether it names limits.
#[pyfunction]
pub fn agent_text(text: &str) -> PyResult<(String, bool)> {
    let agent = read_agent(text, &Budget::default())?;
    Ok((agent.to_string(), agent.has_limits()))
}

fn limits(sims: Option<u64>, time: Option<f64>, nodes: Option<u64>) -> PyResult<Budget> {
    let time = time.map(|seconds| duration("time", seconds)).transpose()?;
    Ok(Budget { simulations: sims, time, cpu_time: None, nodes })
}

/// A finished search, whose tree can still be looked at.
#[pyclass(module = "spinney._spinney", frozen)]
pub struct Searched(Mutex<SyncWrapper<Box<dyn Table>>>);

#[pymethods]
impl Searched {
    /// What is known of the node after these moves: visits and candidates; None where the tree does not reach.
    fn look<'py>(&self, py: Python<'py>, path: Vec<String>) -> PyResult<Option<(u32, Bound<'py, PyList>)>> {
        let mut table = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let found = guarded(|| table.get_mut().look(0, &path))?.map_err(|error| input(&error))?;
        found.map(|insight| Ok((insight.visits, write_candidates(py, &insight.candidates)?))).transpose()
    }
}

type Limits = (Option<u64>, Option<f64>, Option<u64>);
type Functions = (Option<Py<PyAny>>, Option<Py<PyAny>>, Option<Py<PyAny>>);

/// Lets an agent think about a state. Returns the thought, the agent with all its settings, and the search.
#[pyfunction]
#[pyo3(signature = (state, agent, seed, limits, ideas, on_update, interval))]
#[expect(clippy::too_many_arguments, reason = "Python gives them names")]
pub fn think<'py>(
    py: Python<'py>,
    state: &Bound<'py, State>,
    agent: &str,
    seed: u64,
    limits: Limits,
    ideas: Option<Functions>,
    on_update: Option<Py<PyAny>>,
    interval: f64,
) -> PyResult<(Bound<'py, PyDict>, String, Searched)> {
    let budget = self::limits(limits.0, limits.1, limits.2)?;
    let settings = read_agent(agent, &budget)?;
    let is_python = ideas.is_some() || state.borrow().own.is_some();
    let ideas = ideas.map(|(policy, evaluation, reward)| Ideas { policy, evaluation, reward });
    let mut table = state.borrow_mut().table_with(py, ideas)?;
    let seat = guarded(|| table.seat(&settings))?.map_err(|error| input(&error))?;
    match guarded(|| table.turn())? {
        Turn::Over(_) => return Err(wrong("state", "the game is over", "take a move back or start a new game")),
        Turn::Chance => return Err(wrong("state", "chance is to take its turn", "call `draw_outcome` first")),
        Turn::Player(_) => {}
    }
    let described = guarded(|| table.agent(seat))?;
    let interval = duration("interval", interval)?;
    if is_python {
        begin_search();
    }
    let stop = AtomicBool::new(false);
    let told: Mutex<Option<PyErr>> = Mutex::new(None);
    let work = || {
        let mut tell = |thought: &Thought, _: Look<'_>| {
            let Some(function) = &on_update else { return };
            let heard = Python::attach(|py| function.call1(py, (write_thought(py, thought)?,)).map(drop));
            if let Err(error) = heard {
                stop.store(true, Ordering::Relaxed);
                told.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
            }
        };
        let mut question = Question { seed: Seed::new(seed), budget: None, stop: &stop, observer: None };
        if on_update.is_some() {
            question.observer = Some((interval, &mut tell));
        }
        table.think(seat, &mut question)
    };
    let thought = if is_python { guarded(work)? } else { attended(py, &stop, work)? };
    if let Some(error) = told.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        return Err(error);
    }
    Ok((write_thought(py, &thought)?, described, Searched(Mutex::new(SyncWrapper::new(table)))))
}

/// Plays a whole game from the initial position of a state's game: moves, winner, score, simulations, seconds.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "Python gives the parts their names")]
pub fn play_game(
    py: Python<'_>,
    state: &Bound<'_, State>,
    agents: (String, String),
    opening: u32,
    seed: u64,
) -> PyResult<(Vec<String>, u8, f64, (u64, u64), (f64, f64))> {
    let is_python = state.borrow().own.is_some();
    let mut table = guarded(|| state.borrow_mut().table().copy())?;
    for text in [&agents.0, &agents.1] {
        let agent = read_agent(text, &Budget::default())?;
        guarded(|| table.seat(&agent))?.map_err(|error| input(&error))?;
    }
    let stop = AtomicBool::new(false);
    let play = || table.play_game([0, 1], opening, Seed::new(seed), &stop);
    let played = if is_python { guarded(play)? } else { attended(py, &stop, play)? };
    let Some(game) = played else { return Err(wrong("game", "it was stopped", "play it again")) };
    let winner = spinney_lab::Record::winner_number(game.outcome);
    let seconds = game.time.map(|time: Duration| time.as_secs_f64());
    Ok((game.moves, winner, game.score, game.simulations.into(), seconds.into()))
}

/// Whether bonuses can help in a game: what `spinney diagnose` finds.
#[pyfunction]
pub fn diagnose<'py>(
    py: Python<'py>,
    state: &Bound<'py, State>,
    agent: &str,
    games: u32,
    sims: u64,
    seed: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let study = Study { agent: read_agent(agent, &Budget::default())?, games, simulations: sims, seed };
    let is_python = state.borrow().own.is_some();
    let table = guarded(|| state.borrow_mut().table().copy())?;
    let table = SyncWrapper::new(table);
    let stop = AtomicBool::new(false);
    let work = || {
        let mut table = table;
        table.get_mut().diagnose(&study, &stop, &mut |_, _| {})
    };
    let found = if is_python { guarded(work)? } else { attended(py, &stop, work)? };
    let found = found.map_err(|error| input(&error))?;
    let stopped = || wrong("diagnose", "it was stopped", "let it run longer");
    write_diagnosis(py, &found.ok_or_else(stopped)?)
}

fn write_diagnosis<'py>(py: Python<'py>, found: &Diagnosis) -> PyResult<Bound<'py, PyDict>> {
    let histogram = |own: &Histogram| {
        let written = PyDict::new(py);
        written.set_item("start", own.start)?;
        written.set_item("width", own.width)?;
        written.set_item("counts", &own.counts)?;
        Ok::<_, PyErr>(written)
    };
    let moments = |own: &Moments| (own.mean(), own.variance().sqrt(), own.count());
    let bonuses = PyList::empty(py);
    for own in &found.bonuses {
        let one = PyDict::new(py);
        one.set_item("of", own.of)?;
        one.set_item("k", own.k)?;
        one.set_item("correlation", moments(&own.correlation))?;
        one.set_item("removed", moments(&own.removed))?;
        one.set_item("weight", moments(&own.weight))?;
        one.set_item("recommended_k", own.recommended_k)?;
        one.set_item("saturated", own.saturated)?;
        one.set_item("signal", own.signal)?;
        one.set_item("verdict", own.verdict())?;
        one.set_item("lambda", histogram(&own.lambda)?)?;
        one.set_item("values", (histogram(&own.values[0])?, histogram(&own.values[1])?))?;
        bonuses.append(one)?;
    }
    let written = PyDict::new(py);
    written.set_item("game", &found.game)?;
    written.set_item("agent", &found.agent)?;
    written.set_item("positions", found.positions)?;
    written.set_item("simulations", found.simulations)?;
    written.set_item("drawn", found.drawn)?;
    written.set_item("bonuses", bonuses)?;
    Ok(written)
}
