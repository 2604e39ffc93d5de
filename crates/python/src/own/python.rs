//! A game whose rules are written in Python.

use super::call::{call_one, call_two};
use super::ideas::{checked_value, whole_weights};
use super::rules::{Object, Rules, State, turn_of};
use crate::error::{SpinneyError, raise, wrong};
use crate::scene::read_scene;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use spinney_core::scene::Scene;
use spinney_core::{InputError, InputErrorKind, Player, Random, Turn};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// The functions of a game in Python, looked up once.
pub struct PythonRules {
    name: String,
    options: Vec<(&'static str, String)>,
    players: [String; 2],
    move_ids: usize,
    equal: Option<Arc<Py<PyAny>>>,
    /// Whether chance takes turns.
    pub chance: bool,
    /// Whether one player plays for a score.
    pub solo: bool,
    functions: Functions,
}

/// Bound methods; what a game does not define is `None`.
struct Functions {
    initial: Py<PyAny>,
    turn: Py<PyAny>,
    /// How a game ended, where `turn` is OpenSpiel's: players from 0, -1 for chance, and less at the end.
    ending: Option<Py<PyAny>>,
    moves: Py<PyAny>,
    apply: Py<PyAny>,
    copy: Option<Py<PyAny>>,
    move_id: Option<Py<PyAny>>,
    outcomes: Option<Py<PyAny>>,
    score: Option<Py<PyAny>>,
    policy: Option<Py<PyAny>>,
    quality: Option<Py<PyAny>>,
    evaluate: Option<Py<PyAny>>,
    key: Option<Py<PyAny>>,
    write_position: Option<Py<PyAny>>,
    read_position: Option<Py<PyAny>>,
    write_move: Option<Py<PyAny>>,
    draw: Option<Py<PyAny>>,
    scene: Option<Py<PyAny>>,
}

/// Names of options live as long as the program; each is kept once.
fn kept(name: String) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name.as_str()) {
        return known;
    }
    let name: &'static str = name.leak();
    names.insert(name);
    name
}

impl PythonRules {
    /// The rules of a `spinney.Game`.
    pub fn new(game: &Bound<'_, PyAny>) -> PyResult<Self> {
        let facts = game.call_method0("_facts")?.cast_into::<PyDict>()?;
        let fact =
            |name: &str| facts.get_item(name)?.ok_or_else(|| PyTypeError::new_err(format!("a game without `{name}`")));
        let function = |name: &str| Ok::<_, PyErr>(fact(name)?.unbind());
        let optional = |name: &str| Ok::<_, PyErr>(fact(name)?.extract::<Option<Py<PyAny>>>()?);
        let options: Vec<(String, String)> = fact("options")?.extract()?;
        Ok(Self {
            name: fact("name")?.extract()?,
            options: options.into_iter().map(|(key, value)| (kept(key), value)).collect(),
            players: fact("player_names")?.extract::<(String, String)>()?.into(),
            move_ids: fact("move_ids")?.extract()?,
            equal: optional("equal")?.map(Arc::new),
            chance: fact("chance")?.extract()?,
            solo: fact("solo")?.extract()?,
            functions: Functions {
                initial: function("initial")?,
                turn: function("turn")?,
                ending: optional("ending")?,
                moves: function("moves")?,
                apply: function("apply")?,
                copy: optional("copy")?,
                move_id: optional("move_id")?,
                outcomes: optional("outcomes")?,
                score: optional("score")?,
                policy: optional("policy")?,
                quality: optional("quality")?,
                evaluate: optional("evaluate")?,
                key: optional("key")?,
                write_position: optional("write_position")?,
                read_position: optional("read_position")?,
                write_move: optional("write_move")?,
                draw: optional("draw")?,
                scene: optional("scene")?,
            },
        })
    }

    fn hold(&self, object: Py<PyAny>) -> Object {
        Object::Python(object, self.equal.clone())
    }
}

/// Asks Python; an exception ends what is going on.
fn ask<T>(question: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
    Python::attach(|py| question(py).unwrap_or_else(|error| raise(error)))
}

fn object(state: &Object) -> &Py<PyAny> {
    match state {
        Object::Python(object, _) => object,
        Object::BuiltIn(_) => unreachable!("a game in Python holds objects of Python"),
    }
}

impl Rules for PythonRules {
    fn name(&self) -> &str {
        &self.name
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.options.clone()
    }

    fn initial(&self) -> Object {
        ask(|py| Ok(self.hold(self.functions.initial.call0(py)?)))
    }

    fn turn(&self, state: &Object) -> Turn {
        ask(|py| {
            let mut number: i64 = call_one(py, &self.functions.turn, object(state))?.extract()?;
            if let Some(ending) = &self.functions.ending {
                number = match number {
                    -1.. => number + 1,
                    _ => ending.call1(py, (object(state),))?.extract(py)?,
                };
            }
            let turn = turn_of(number).filter(|turn| *turn != Turn::Chance || self.chance);
            turn.ok_or_else(|| {
                let remedy = "answer FIRST, SECOND, FIRST_WON, SECOND_WON, DRAWN, SCORED, or CHANCE with `outcomes`";
                wrong("turn", format!("`{number}` is no turn"), remedy)
            })
        })
    }

    fn moves(&self, state: &Object) -> Vec<u32> {
        ask(|py| {
            let found = call_one(py, &self.functions.moves, object(state))?;
            match found.cast::<PyList>() {
                Ok(list) => list.iter().map(|mv| mv.extract()).collect(),
                Err(_) => found.try_iter()?.map(|mv| mv?.extract()).collect(),
            }
        })
    }

    fn random_move(&self, state: &Object, random: &mut Random) -> Option<u32> {
        // Only the move that is drawn becomes a number here.
        ask(|py| {
            let found = call_one(py, &self.functions.moves, object(state))?;
            if let Ok(list) = found.cast::<PyList>() {
                let Some(count) = u32::try_from(list.len()).ok().filter(|count| *count > 0) else { return Ok(None) };
                return list.get_item(random.below(count) as usize)?.extract().map(Some);
            }
            let moves = found.try_iter()?.map(|mv| mv?.extract()).collect::<PyResult<Vec<u32>>>()?;
            Ok((!moves.is_empty()).then(|| moves[random.below(moves.len() as u32) as usize]))
        })
    }

    fn apply(&self, state: &mut State, mv: u32) {
        let Functions { apply, copy, .. } = &self.functions;
        ask(|py| {
            let Some(copy) = copy else {
                let number = mv.into_pyobject(py)?.into_any();
                let next = call_two(py, apply, object(&state.0.object), &number)?.unbind();
                if next.is_none(py) {
                    let remedy = "return the position after the move, or write `copy` if `apply` changes its argument";
                    return Err(wrong("apply", "it returned None", remedy));
                }
                *state = State::new(self.hold(next));
                return Ok(());
            };
            // One that others hold, too, is copied before it changes.
            if let Some(own) = state.only() {
                return call_two(py, apply, object(own), &mv.into_pyobject(py)?.into_any()).map(drop);
            }
            let next = call_one(py, copy, object(&state.0.object))?.unbind();
            call_two(py, apply, &next, &mv.into_pyobject(py)?.into_any())?;
            *state = State::new(self.hold(next));
            Ok(())
        });
    }

    fn move_ids(&self) -> usize {
        self.move_ids
    }

    fn move_id(&self, state: &Object, mv: u32) -> usize {
        let id = match &self.functions.move_id {
            Some(function) => ask(|py| function.call1(py, (object(state), mv))?.extract(py)),
            None => mv as usize,
        };
        if id >= self.move_ids {
            let problem = format!("the move {mv} has the id {id}, and there are {} ids", self.move_ids);
            raise(wrong("move_id", problem, "write `move_ids` that is larger than all moves, or a `move_id`"));
        }
        id
    }

    fn outcomes(&self, state: &Object) -> Vec<(u32, f64)> {
        let Some(function) = &self.functions.outcomes else { return Vec::new() };
        ask(|py| {
            let found = function.call1(py, (object(state),))?.into_bound(py);
            found.try_iter()?.map(|one| one?.extract::<(u32, f64)>()).collect()
        })
    }

    fn score(&self, state: &Object) -> f64 {
        let Some(function) = &self.functions.score else { return 0.0 };
        ask(|py| function.call1(py, (object(state),))?.extract(py))
    }

    fn policy(&self, state: &State, _: &mut Random) -> Option<Vec<(u32, u32)>> {
        let function = self.functions.policy.as_ref()?;
        let moves = state.moves(self);
        Some(ask(|py| {
            let weights: Vec<f64> = function.call1(py, (object(&state.0.object), moves))?.extract(py)?;
            whole_weights(moves, &weights)
        }))
    }

    fn quality(&self, state: &Object, winner: Player) -> f32 {
        let Some(function) = &self.functions.quality else { return 1.0 };
        ask(|py| function.call1(py, (object(state), winner.number()))?.extract(py))
    }

    fn evaluate(&self, state: &Object) -> Option<f32> {
        let function = self.functions.evaluate.as_ref()?;
        Some(ask(|py| checked_value(function.call1(py, (object(state),))?.extract(py)?)))
    }

    fn key(&self, state: &Object) -> Option<u64> {
        let function = self.functions.key.as_ref()?;
        // Python's hashes are signed.
        Some(ask(|py| Ok(function.call1(py, (object(state),))?.extract::<i64>(py)? as u64)))
    }

    fn write_position(&self, state: &State) -> String {
        match &self.functions.write_position {
            Some(function) => ask(|py| function.call1(py, (object(&state.0.object),))?.extract(py)),
            None => format!("{state:?}"),
        }
    }

    fn read_position(&self, text: &str) -> Option<Result<Object, InputError>> {
        let function = self.functions.read_position.as_ref()?;
        let read = Python::attach(|py| match function.call1(py, (text,)) {
            Ok(state) => Ok(self.hold(state)),
            Err(error) if error.is_instance_of::<pyo3::exceptions::PyException>(py) => {
                let part = |name: &str| {
                    let value = error.value(py).getattr(name).ok()?;
                    error.is_instance_of::<SpinneyError>(py).then_some(value)?.extract::<String>().ok()
                };
                let place = part("place").unwrap_or_else(|| "position".to_string());
                let problem = part("problem").unwrap_or_else(|| error.to_string());
                let remedy = part("remedy").unwrap_or_else(|| "write one as `write_position` does".to_string());
                Err(InputError::new(place, problem, remedy).of(InputErrorKind::Position))
            }
            Err(error) => raise(error),
        });
        Some(read)
    }

    fn write_move(&self, state: &Object, mv: u32) -> Option<String> {
        let function = self.functions.write_move.as_ref()?;
        Some(ask(|py| function.call1(py, (object(state), mv))?.extract(py)))
    }

    fn draw(&self, state: &State) -> String {
        match &self.functions.draw {
            Some(function) => ask(|py| function.call1(py, (object(&state.0.object),))?.extract(py)),
            None => self.write_position(state) + "\n",
        }
    }

    fn scene(&self, state: &Object) -> Scene {
        let Some(function) = &self.functions.scene else { return Scene::default() };
        ask(|py| read_scene(function.call1(py, (object(state),))?.bind(py)))
    }

    fn player_name(&self, player: Player) -> &str {
        &self.players[player.index()]
    }

    fn shown<'py>(&self, py: Python<'py>, state: &Object) -> PyResult<Bound<'py, PyAny>> {
        Ok(object(state).bind(py).clone())
    }
}
