//! What a game must answer, whatever it is written in: one border for games in Python and for ours with ideas in Python.

use pyo3::prelude::*;
use spinney_core::scene::Scene;
use spinney_core::{InputError, Outcome, Player, Random, Stream, Turn};
use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A position and what has been asked about it: the same question is not put to Python twice.
#[derive(Clone)]
pub struct State(pub Arc<Node>);

/// A position, shared by all who hold it.
pub struct Node {
    /// The position itself.
    pub object: Object,
    turn: OnceLock<Turn>,
    moves: OnceLock<Box<[u32]>>,
    /// Positions after moves that a search has looked at from here: those of its tree.
    next: OnceLock<Box<Mutex<Next>>>,
}

/// Positions after moves, and the search that looked at them.
#[derive(Default)]
struct Next {
    search: usize,
    states: HashMap<u32, State>,
}

/// The number of the last search.
static SEARCH: AtomicUsize = AtomicUsize::new(0);

/// A search begins: what earlier ones kept is let go where this one comes by.
pub fn begin_search() {
    SEARCH.fetch_add(1, Ordering::Relaxed);
}

/// Positions that are kept for searches at most, by all of them, and how many there are.
const MOST_KEPT: usize = 500_000;
static KEPT: AtomicUsize = AtomicUsize::new(0);

impl Drop for Next {
    fn drop(&mut self) {
        KEPT.fetch_sub(self.states.len(), Ordering::Relaxed);
    }
}

/// A position as whoever made the game holds it.
pub enum Object {
    /// Anything in Python, and a function that compares two of them where `==` does not.
    Python(Py<PyAny>, Option<Arc<Py<PyAny>>>),
    /// A position of one of our games.
    BuiltIn(Box<dyn Held>),
}

/// A position of one of our games, without its type.
pub trait Held: Any + Send + Sync {
    /// Whether both are the same position.
    fn equals(&self, other: &dyn Held) -> bool;
    /// As `Debug` writes it.
    fn text(&self) -> String;
    /// With its type again.
    fn as_any(&self) -> &dyn Any;
}

impl State {
    /// A position of which nothing is known yet.
    pub fn new(object: Object) -> Self {
        Self(Arc::new(Node { object, turn: OnceLock::new(), moves: OnceLock::new(), next: OnceLock::new() }))
    }

    /// Whose turn it is.
    pub fn turn(&self, rules: &dyn Rules) -> Turn {
        *self.0.turn.get_or_init(|| rules.turn(&self.0.object))
    }

    /// All legal moves.
    pub fn moves(&self, rules: &dyn Rules) -> &[u32] {
        self.0.moves.get_or_init(|| rules.moves(&self.0.object).into())
    }

    /// The legal moves, if somebody has asked for them.
    pub fn known_moves(&self) -> Option<&[u32]> {
        self.0.moves.get().map(|moves| &**moves)
    }

    /// The Python object, if this is the only one who holds it, and nothing is known of it any more.
    pub fn only(&mut self) -> Option<&mut Object> {
        let node = Arc::get_mut(&mut self.0)?;
        (node.turn, node.moves, node.next) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Some(&mut node.object)
    }

    /// The position after a move, if a search has looked at it.
    pub fn known_next(&self, mv: u32) -> Option<State> {
        let next = self.0.next.get()?.lock().unwrap_or_else(PoisonError::into_inner);
        next.states.get(&mv).filter(|_| next.search == SEARCH.load(Ordering::Relaxed)).cloned()
    }

    /// Keeps the position after a move, so that the simulations that come by need not make it again.
    pub fn keep_next(&self, mv: u32, next: &State) {
        let mut known = self.0.next.get_or_init(Box::default).lock().unwrap_or_else(PoisonError::into_inner);
        let search = SEARCH.load(Ordering::Relaxed);
        if known.search != search {
            *known = Next { search, states: HashMap::new() };
        }
        if KEPT.load(Ordering::Relaxed) < MOST_KEPT && known.states.insert(mv, next.clone()).is_none() {
            KEPT.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0.object, &other.0.object) {
            _ if Arc::ptr_eq(&self.0, &other.0) => true,
            (Object::Python(one, equal), Object::Python(two, _)) => Python::attach(|py| {
                let is_same = match equal {
                    Some(equal) => equal.call1(py, (one, two)).and_then(|answer| answer.is_truthy(py)),
                    None => one.bind(py).eq(two.bind(py)),
                };
                is_same.unwrap_or_else(|error| crate::error::raise(error))
            }),
            (Object::BuiltIn(one), Object::BuiltIn(two)) => one.equals(two.as_ref()),
            _ => false,
        }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.object {
            Object::Python(object, _) => Python::attach(|py| write!(f, "{:?}", object.bind(py))),
            Object::BuiltIn(held) => f.write_str(&held.text()),
        }
    }
}

/// A game without its type. Moves are numbers.
pub trait Rules: Send + Sync + 'static {
    /// What it is called.
    fn name(&self) -> &str;
    /// Its options.
    fn options(&self) -> Vec<(&'static str, String)>;
    /// The position in which it begins.
    fn initial(&self) -> Object;
    /// Whose turn it is.
    fn turn(&self, state: &Object) -> Turn;
    /// All legal moves.
    fn moves(&self, state: &Object) -> Vec<u32>;
    /// A uniformly random one of them.
    fn random_move(&self, state: &Object, random: &mut Random) -> Option<u32>;
    /// Makes a move or lets an outcome happen.
    fn apply(&self, state: &mut State, mv: u32);
    /// How many move ids there are.
    fn move_ids(&self) -> usize;
    /// The id of a move.
    fn move_id(&self, state: &Object, mv: u32) -> usize;
    /// Outcomes of a chance turn, with probabilities.
    fn outcomes(&self, state: &Object) -> Vec<(u32, f64)>;
    /// Draws anew what nobody can see.
    fn redraw_hidden(&self, _state: &mut State, _stream: &mut Stream) {}
    /// The score so far, of one player.
    fn score(&self, state: &Object) -> f64;
    /// Weights of the legal moves, or `None` where all are alike.
    fn policy(&self, state: &State, random: &mut Random) -> Option<Vec<(u32, u32)>>;
    /// Quality of a finished game.
    fn quality(&self, state: &Object, winner: Player) -> f32;
    /// A guess of the outcome for the first player.
    fn evaluate(&self, state: &Object) -> Option<f32>;
    /// A hash of the position.
    fn key(&self, state: &Object) -> Option<u64>;
    /// The position on one line.
    fn write_position(&self, state: &State) -> String;
    /// Reads a position; `None` where positions are not read.
    fn read_position(&self, text: &str) -> Option<Result<Object, InputError>>;
    /// A move; `None` where moves are numbers of the list.
    fn write_move(&self, state: &Object, mv: u32) -> Option<String>;
    /// The board for a person.
    fn draw(&self, state: &State) -> String;
    /// The board for a page.
    fn scene(&self, state: &Object) -> Scene;
    /// What a player is called.
    fn player_name(&self, player: Player) -> &str;
    /// The position as ideas in Python see it.
    fn shown<'py>(&self, py: Python<'py>, state: &Object) -> PyResult<Bound<'py, PyAny>>;
}

/// What `turn` of a game in Python answers; the numbers of [`Turn`] there.
pub fn turn_of(number: i64) -> Option<Turn> {
    Some(match number {
        0 => Turn::Chance,
        1 => Turn::Player(Player::First),
        2 => Turn::Player(Player::Second),
        3 => Turn::Over(Outcome::Win(Player::First)),
        4 => Turn::Over(Outcome::Win(Player::Second)),
        5 => Turn::Over(Outcome::Draw),
        6 => Turn::Over(Outcome::Scored),
        _ => return None,
    })
}
