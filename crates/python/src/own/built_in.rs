//! One of our games behind the border of rules, so that ideas in Python can be asked about its positions.

use super::rules::{Held, Object, Rules, State};
use crate::state::State as Shown;
use pyo3::prelude::*;
use spinney_core::scene::Scene;
use spinney_core::{InputError, List, Notation, Player, Random, Stream, Turn, Workspace, continuations};
use spinney_games::Visitor;
use spinney_table::table_of;
use std::any::Any;
use std::sync::{Arc, OnceLock};

/// A game with its name. A move is its number among what can happen in a position.
struct BuiltIn<G: Notation> {
    name: String,
    game: G,
}

/// A position and what can happen in it.
struct Position<G: Notation> {
    state: G::State,
    moves: OnceLock<List<G::Move>>,
}

impl<G: Notation> Held for Position<G> {
    fn equals(&self, other: &dyn Held) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| other.state == self.state)
    }

    fn text(&self) -> String {
        format!("{:?}", self.state)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The rules of one of our games.
pub struct Opened {
    /// They.
    pub rules: Arc<dyn Rules>,
    /// Whether chance takes turns.
    pub chance: bool,
    /// Whether one player plays for a score.
    pub solo: bool,
}

/// Makes rules of the game that is found by a name.
pub struct Opener;

impl Visitor for Opener {
    type Output = Opened;

    fn visit<G: Notation>(self, name: &str, game: G) -> Opened {
        let rules = Arc::new(BuiltIn { name: name.to_string(), game });
        Opened { rules, chance: G::LUCK.is_some(), solo: G::SCORE.is_some() }
    }
}

impl<G: Notation> BuiltIn<G> {
    fn hold(state: G::State) -> Object {
        Object::BuiltIn(Box::new(Position::<G> { state, moves: OnceLock::new() }))
    }

    fn at<'a>(&self, object: &'a Object) -> &'a Position<G> {
        match object {
            Object::BuiltIn(held) => match held.as_any().downcast_ref() {
                Some(position) => position,
                None => unreachable!("a position of another game"),
            },
            Object::Python(..) => unreachable!("one of our games holds positions of its own"),
        }
    }

    fn moves_at<'a>(&self, position: &'a Position<G>) -> &'a List<G::Move> {
        position.moves.get_or_init(|| continuations(&self.game, &position.state))
    }

    fn mv(&self, object: &Object, number: u32) -> G::Move {
        self.moves_at(self.at(object)).get(number as usize).copied().unwrap_or_default()
    }
}

impl<G: Notation> Rules for BuiltIn<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.game.options()
    }

    fn initial(&self) -> Object {
        Self::hold(self.game.initial())
    }

    fn turn(&self, state: &Object) -> Turn {
        self.game.turn(&self.at(state).state)
    }

    fn moves(&self, state: &Object) -> Vec<u32> {
        (0..self.moves_at(self.at(state)).len() as u32).collect()
    }

    fn random_move(&self, state: &Object, random: &mut Random) -> Option<u32> {
        let count = self.moves_at(self.at(state)).len() as u32;
        (count > 0).then(|| random.below(count))
    }

    fn apply(&self, state: &mut State, mv: u32) {
        let mut next = self.at(&state.0.object).state.clone();
        self.game.apply(&mut next, self.mv(&state.0.object, mv));
        *state = State::new(Self::hold(next));
    }

    fn move_ids(&self) -> usize {
        self.game.move_ids()
    }

    fn move_id(&self, state: &Object, mv: u32) -> usize {
        self.game.move_id(&self.at(state).state, self.mv(state, mv))
    }

    fn outcomes(&self, state: &Object) -> Vec<(u32, f64)> {
        let Some(luck) = G::LUCK else { return Vec::new() };
        let mut outcomes = List::new();
        luck.outcomes(&self.game, &self.at(state).state, &mut outcomes);
        outcomes.iter().enumerate().map(|(number, outcome)| (number as u32, outcome.probability)).collect()
    }

    fn redraw_hidden(&self, state: &mut State, stream: &mut Stream) {
        let Some(luck) = G::LUCK else { return };
        let mut next = self.at(&state.0.object).state.clone();
        luck.redraw_hidden(&self.game, &mut next, stream);
        *state = State::new(Self::hold(next));
    }

    fn score(&self, state: &Object) -> f64 {
        G::SCORE.map_or(0.0, |score| score.of_state(&self.game, &self.at(state).state))
    }

    fn policy(&self, state: &State, random: &mut Random) -> Option<Vec<(u32, u32)>> {
        let policy = G::POLICY?;
        let position = self.at(&state.0.object);
        let mut work = Workspace::new();
        policy.list(&self.game, &position.state, random, &mut work);
        let moves = self.moves_at(position);
        let number = |mv: G::Move| moves.iter().position(|&other| other == mv).map(|number| number as u32);
        Some(work.candidates.iter().filter_map(|one| Some((number(one.mv)?, one.weight))).collect())
    }

    fn quality(&self, state: &Object, winner: Player) -> f32 {
        self.game.quality(&self.at(state).state, winner)
    }

    fn evaluate(&self, state: &Object) -> Option<f32> {
        self.game.evaluate(&self.at(state).state, Player::First)
    }

    fn key(&self, state: &Object) -> Option<u64> {
        self.game.key(&self.at(state).state)
    }

    fn write_position(&self, state: &State) -> String {
        self.game.write_position(&self.at(&state.0.object).state)
    }

    fn read_position(&self, text: &str) -> Option<Result<Object, InputError>> {
        self.game.reads_positions().then(|| self.game.read_position(text).map(Self::hold))
    }

    fn write_move(&self, state: &Object, mv: u32) -> Option<String> {
        Some(self.game.write_move(&self.at(state).state, self.mv(state, mv)))
    }

    fn draw(&self, state: &State) -> String {
        self.game.draw(&self.at(&state.0.object).state)
    }

    fn scene(&self, state: &Object) -> Scene {
        self.game.scene(&self.at(state).state)
    }

    fn player_name(&self, player: Player) -> &str {
        self.game.player_name(player)
    }

    fn shown<'py>(&self, py: Python<'py>, state: &Object) -> PyResult<Bound<'py, PyAny>> {
        let table = table_of(&self.name, self.game.clone(), Some(self.at(state).state.clone()), None);
        Ok(Bound::new(py, Shown::of_table(table, None))?.into_any())
    }
}
