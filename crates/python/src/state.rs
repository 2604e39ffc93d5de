//! Positions: a game in progress as Python plays it.

use crate::error::{guarded, input, wrong};
use crate::own::ideas::Ideas;
use crate::own::list::{laboratory, open_python};
use crate::scene::write_scene;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString, PyTuple};
use spinney_core::{Outcome, Player, Seed, Turn};
use spinney_table::Table;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;
use sync_wrapper::SyncWrapper;

/// Simulations, seconds, processor seconds, nodes.
type Limits = (Option<u64>, Option<f64>, Option<f64>, Option<u64>);

/// A position and the moves that led to it.
///
/// >>> state = spinney.game("tic-tac-toe").state()
/// >>> state.play("b2").play(0)
/// State('tic-tac-toe', '.../.x./o.. 1')
/// >>> len(state.legal_moves()), state.to_move, state.history
/// (7, 1, ['b2', 'a1'])
/// >>> state.undo() == spinney.game("tic-tac-toe").state(moves=["b2"])
/// True
#[pyclass(module = "spinney")]
pub struct State {
    /// Whoever holds the object alone comes to the table.
    table: SyncWrapper<Box<dyn Table>>,
    /// The game, if it is written in Python.
    pub own: Option<Py<PyAny>>,
    /// The position that the moves began with, if it was given.
    start: Option<String>,
}

impl State {
    /// The position on a table, of a game in Python if one is given.
    pub fn of_table(table: Box<dyn Table>, own: Option<Py<PyAny>>) -> Self {
        Self { table: SyncWrapper::new(table), own, start: None }
    }

    /// The table.
    pub fn table(&mut self) -> &mut dyn Table {
        self.table.get_mut().as_mut()
    }

    /// A table with this position, for a search; `own` are ideas in Python.
    pub fn table_with(&mut self, py: Python<'_>, ideas: Option<Ideas>) -> PyResult<Box<dyn Table>> {
        let Some(ideas) = ideas else { return guarded(|| self.table().copy()) };
        let mut table = match &self.own {
            Some(game) => open_python(game.bind(py), ideas)?,
            None => {
                let (text, start) = (self.table().game(), self.table().start());
                let opened = spinney_games::open(&text, Some(&start), crate::own::built_in::Opener);
                let opened = opened.map_err(|error| input(&error))?;
                crate::own::table::open(opened.rules, (opened.chance, opened.solo), ideas)
                    .map_err(|error| input(&error))?
            }
        };
        if self.own.is_none() || self.start.is_some() {
            let start = self.table().start();
            guarded(|| table.set_position(Some(&start)))?.map_err(|error| input(&error))?;
        }
        for mv in guarded(|| self.table().history())? {
            guarded(|| table.play(&mv))?.map_err(|error| input(&error))?;
        }
        Ok(table)
    }

    fn turn(&mut self) -> PyResult<Turn> {
        guarded(|| self.table().turn())
    }
}

/// Opens a game: its text, or a `spinney.Game`.
#[pyfunction]
#[pyo3(signature = (game, position=None))]
pub fn open_state(game: &Bound<'_, PyAny>, position: Option<&str>) -> PyResult<State> {
    let (mut table, own) = match game.extract::<String>() {
        Ok(text) => {
            let opened = guarded(|| laboratory().open(&text, position))?;
            (opened.map_err(|error| input(&error))?, None)
        }
        Err(_) => (open_python(game, Ideas::default())?, Some(game.clone().unbind())),
    };
    if own.is_some() && position.is_some() {
        guarded(|| table.set_position(position))?.map_err(|error| input(&error))?;
    }
    Ok(State { table: SyncWrapper::new(table), own, start: position.map(str::to_string) })
}

#[pymethods]
impl State {
    /// The game: its text with all options, or the `spinney.Game`.
    #[getter]
    fn game(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match &self.own {
            Some(game) => Ok(game.clone_ref(py)),
            None => {
                let text = self.table().game();
                Ok(py.import("spinney")?.call_method1("game", (text,))?.unbind())
            }
        }
    }

    /// The game with all its options, as it is written.
    #[getter]
    fn game_text(&mut self) -> PyResult<String> {
        guarded(|| self.table().game())
    }

    /// The position on one line.
    #[getter]
    fn position(&mut self) -> PyResult<String> {
        guarded(|| self.table().position())
    }

    /// The position that the moves of `history` began with.
    #[getter]
    fn start(&mut self) -> PyResult<String> {
        guarded(|| self.table().start())
    }

    /// All legal moves, or the outcomes of a chance turn; none when the game is over.
    fn legal_moves(&mut self) -> PyResult<Vec<String>> {
        guarded(|| self.table().moves())
    }

    /// Makes a move: its text, or its number in `legal_moves()`. Returns the state itself.
    fn play<'py>(mut slf: PyRefMut<'py, Self>, r#move: &Bound<'py, PyAny>) -> PyResult<PyRefMut<'py, Self>> {
        let played = if let Ok(number) = r#move.cast::<PyInt>() {
            let number: i64 = number.extract()?;
            let number = usize::try_from(number)
                .map_err(|_| wrong("move", format!("there is no move number {number}"), "numbers begin with 0"))?;
            guarded(|| slf.table().play_number(number))?
        } else if let Ok(text) = r#move.cast::<PyString>() {
            let text = text.to_cow()?;
            guarded(|| slf.table().play(&text))?
        } else {
            return Err(PyTypeError::new_err("a move is its text or its number in legal_moves()"));
        };
        played.map_err(|error| input(&error))?;
        Ok(slf)
    }

    /// Takes the last move back. Returns the state itself.
    fn undo(mut slf: PyRefMut<'_, Self>) -> PyResult<PyRefMut<'_, Self>> {
        if !guarded(|| slf.table().undo())? {
            return Err(wrong("undo", "no move has been made", "play one first"));
        }
        Ok(slf)
    }

    /// The moves made since the start.
    #[getter]
    fn history(&mut self) -> PyResult<Vec<String>> {
        guarded(|| self.table().history())
    }

    /// Who is to move: 1, 2, or 0 for chance; None when the game is over.
    #[getter(to_move)]
    fn mover(&mut self) -> PyResult<Option<u8>> {
        Ok(match self.turn()? {
            Turn::Player(player) => Some(player.number()),
            Turn::Chance => Some(0),
            Turn::Over(_) => None,
        })
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&mut self) -> PyResult<bool> {
        Ok(matches!(self.turn()?, Turn::Over(_)))
    }

    /// Who won: 1, 2, or 0 for nobody; None while the game goes on.
    #[getter]
    fn outcome(&mut self) -> PyResult<Option<u8>> {
        Ok(self.turn()?.outcome().map(|outcome| match outcome {
            Outcome::Win(player) => player.number(),
            Outcome::Draw | Outcome::Scored => 0,
        }))
    }

    /// The score of a game of one player, so far; None where two play.
    #[getter]
    fn score(&mut self) -> PyResult<Option<f64>> {
        guarded(|| self.table().score())
    }

    /// What the players are called.
    #[getter]
    fn player_names(&mut self) -> (String, String) {
        let [first, second] = Player::BOTH.map(|player| self.table().player_name(player).to_string());
        (first, second)
    }

    /// The roles of a game of roles: dictionaries of name, is_chance, moves and goal.
    fn roles<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let write = |role: spinney_core::RoleText| {
            let one = PyDict::new(py);
            one.set_item("name", role.name)?;
            one.set_item("is_chance", role.is_chance)?;
            one.set_item("moves", role.moves)?;
            one.set_item("goal", role.goal)?;
            Ok(one)
        };
        self.table().roles().into_iter().map(write).collect()
    }

    /// Lets chance take its turn, if it is to, and returns what happened.
    #[pyo3(signature = (seed=1))]
    fn draw_outcome(&mut self, seed: u64) -> PyResult<Option<String>> {
        guarded(|| self.table().draw_outcome(Seed::new(seed)))
    }

    /// Another state with the same moves.
    fn copy(&mut self, py: Python<'_>) -> PyResult<Self> {
        let table = SyncWrapper::new(guarded(|| self.table().copy())?);
        let own = self.own.as_ref().map(|game| game.clone_ref(py));
        Ok(Self { table, own, start: self.start.clone() })
    }

    fn __copy__(&mut self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&mut self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __reduce__<'py>(&mut self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let game = match &self.own {
            Some(game) => game.clone_ref(py).into_bound(py),
            None => PyString::new(py, &self.table().game()).into_any(),
        };
        let restore = py.import("spinney._states")?.getattr("restore")?;
        let arguments = (game, self.start.clone(), guarded(|| self.table().history())?);
        Ok((restore, arguments.into_pyobject(py)?))
    }

    fn __richcmp__(&mut self, other: &Bound<'_, PyAny>, operation: CompareOp, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
        // Compared with itself it is borrowed already.
        let is_same = match other.try_borrow_mut() {
            Ok(mut other) => guarded(|| {
                self.table().position() == other.table().position() && self.table().game() == other.table().game()
            })?,
            Err(_) => true,
        };
        Ok(match operation {
            CompareOp::Eq => is_same.into_pyobject(py)?.to_owned().into_any().unbind(),
            CompareOp::Ne => (!is_same).into_pyobject(py)?.to_owned().into_any().unbind(),
            _ => py.NotImplemented(),
        })
    }

    fn __hash__(&mut self) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        guarded(|| self.table().position())?.hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn __str__(&mut self) -> PyResult<String> {
        guarded(|| self.table().board())
    }

    fn __repr__(&mut self) -> PyResult<String> {
        guarded(|| format!("State('{}', '{}')", self.table().game(), self.table().position()))
    }

    fn _repr_html_<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("spinney._draw")?.call_method1("state", (slf,))
    }

    /// The position as it is drawn: cells, pieces and what lies beside the board.
    fn scene<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        write_scene(py, &guarded(|| self.table().scene())?)
    }

    /// The cells that a person touches to make a move.
    fn steps(&mut self, r#move: &str) -> PyResult<Vec<String>> {
        guarded(|| {
            let scene = self.table().scene();
            self.table().steps(&scene, r#move)
        })
    }

    /// How the game was published: the options of `mcts`, and the simulations that stood for a second.
    fn published(&mut self) -> PyResult<(String, u32)> {
        let published = guarded(|| self.table().published())?;
        Ok((published.agent.to_string(), published.simulations_per_second))
    }

    /// The limits that an agent keeps here: simulations, seconds, processor seconds, nodes; None for what is not limited.
    fn budget(&mut self, agent: &str) -> PyResult<Limits> {
        let settings = laboratory().agent(agent).map_err(|error| input(&error))?;
        let mut table = guarded(|| self.table().copy())?;
        let seat = guarded(|| table.seat(&settings))?.map_err(|error| input(&error))?;
        let budget = table.budget(seat);
        let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
        Ok((budget.simulations, seconds(budget.time), seconds(budget.cpu_time), budget.nodes))
    }

    /// How many sequences of so many moves there are.
    fn perft(&mut self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        let table = guarded(|| self.table().copy())?;
        aside(py, self.own.is_some(), table, move |table| table.perft(depth))
    }

    /// Random games from here: games, mean number of plies, mean number of moves to choose from, shares won by both.
    #[pyo3(signature = (games=1000, seed=1))]
    fn random_play(&mut self, py: Python<'_>, games: u32, seed: u64) -> PyResult<(u32, f64, f64, (f64, f64))> {
        let table = guarded(|| self.table().copy())?;
        let played = aside(py, self.own.is_some(), table, move |table| table.random_play(Seed::new(seed), games))?;
        Ok((played.games, played.plies, played.branching, played.wins.into()))
    }

    /// Uniform play-outs from here for so many seconds: play-outs, plies, seconds.
    #[pyo3(signature = (seconds=1.0, seed=1))]
    fn play_outs(&mut self, py: Python<'_>, seconds: f64, seed: u64) -> PyResult<(u64, u64, f64)> {
        let (table, time) = (guarded(|| self.table().copy())?, duration("seconds", seconds)?);
        let speed = aside(py, self.own.is_some(), table, move |table| table.play_outs(Seed::new(seed), time))?;
        Ok((speed.playouts, speed.plies, speed.elapsed.as_secs_f64()))
    }

    /// The exact value of the position, the values after each move, and how many positions were looked at; None if there
    /// are more than `most`.
    #[pyo3(signature = (most=3_000_000))]
    fn solve(&mut self, py: Python<'_>, most: usize) -> PyResult<Option<Solved>> {
        let table = guarded(|| self.table().copy())?;
        let solved = aside(py, self.own.is_some(), table, move |table| table.solve(most))?;
        Ok(solved.map(|solved| (solved.value, solved.moves, solved.positions)))
    }

    /// Plays random games and tests that all functions of the game agree with each other; raises what they do not.
    #[pyo3(signature = (games=20))]
    fn check(&mut self, py: Python<'_>, games: u32) -> PyResult<()> {
        let table = guarded(|| self.table().copy())?;
        crate::check::run(py, self.own.is_some(), table, games)
    }
}

/// A value, the values after each move, and how many positions were looked at.
type Solved = (f64, Vec<(String, f64)>, usize);

/// A time that is one.
pub fn duration(place: &str, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|error| wrong(place, error, "give seconds from 0"))
}

/// Work on a table without the lock, unless its game needs it; it cannot be stopped, so Ctrl-C leaves it behind.
fn aside<T: Send + 'static>(
    py: Python<'_>,
    is_python: bool,
    table: Box<dyn Table>,
    work: impl FnOnce(&dyn Table) -> T + Send + 'static,
) -> PyResult<T> {
    if is_python {
        return guarded(|| work(table.as_ref()));
    }
    crate::attend::left_behind(py, move || work(table.as_ref()))
}
