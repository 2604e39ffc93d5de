//! Games that are given as rule sheets of the Game Description Language, `gdl:FILE`.
//!
//! A sheet has roles, who move at the same time; it is played as such by agents for roles, and by all others as a game
//! of the first role against the rest, in which those who have a choice are asked one after the other. What a role
//! without a choice does goes without saying.

mod board;
mod notation;
mod sheets;

pub use sheets::{BUILT_IN, is_kept, is_pasted, name, open, paste, text_hash};

use spinney_core::{
    Game, InputError, List, Outcome, Player, Published, Random, Roles, RolesOf, Score, Solitaire, Turn, Workspace,
};
use spinney_gdl::{Cursor, Machine};
use std::sync::OnceLock;

/// More roles than any sheet that is known to be played.
pub const MOST_ROLES: usize = 16;
/// A role has not answered.
const OPEN: u32 = u32::MAX;
/// Learned values of a machine that does not know its moves beforehand have so many places.
const PLACES_WITHOUT_LIST: usize = 1 << 16;

/// The rules of a sheet. `SOLITAIRE` says that it has a single role, which plays for a high goal.
#[derive(Clone, Debug)]
pub struct Gdl<const SOLITAIRE: bool> {
    machine: Machine,
    roles: usize,
    move_ids: usize,
    /// What positions are drawn on, if anything; found when it is first asked for.
    board: OnceLock<Option<board::Board>>,
}

/// A position at the beginning of a step, or within it.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    facts: spinney_gdl::State,
    /// The moves of the roles that have answered in this step.
    answers: [u32; MOST_ROLES],
    /// Who is asked next.
    role: u8,
    is_over: bool,
    /// Of a finished game.
    goals: [u8; MOST_ROLES],
}

/// The cursor that a search keeps, at the state that it looked at last: a game moves on from there at the cost of what
/// changes.
#[derive(Debug, Default)]
pub struct Near(Option<Cursor>);

impl<const SOLITAIRE: bool> Gdl<SOLITAIRE> {
    /// The game of a machine.
    pub fn new(machine: Machine) -> Result<Self, InputError> {
        let roles = machine.roles().len();
        if roles > MOST_ROLES {
            let problem = format!("the sheet has {roles} roles");
            return Err(InputError::unsupported("rule sheet", problem, format!("up to {MOST_ROLES} can play")));
        }
        let most = (0..roles).map(|role| machine.moves(role)).max().unwrap_or(0);
        let move_ids = match machine.method() {
            spinney_gdl::Method::Network => most,
            spinney_gdl::Method::Relational => PLACES_WITHOUT_LIST,
        };
        Ok(Self { machine, roles, move_ids: move_ids.max(1), board: OnceLock::new() })
    }

    /// The state machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The cursor of a search, wherever it is; a new one if it has none of this machine.
    #[inline(always)]
    fn near<'a>(&self, Near(kept): &'a mut Near) -> &'a mut Cursor {
        self.machine.cursor_in(kept)
    }

    /// The cursor of a search, at a state.
    #[inline(always)]
    fn at<'a>(&self, state: &State, near: &'a mut Near) -> &'a mut Cursor {
        self.near(near).visit(&state.facts)
    }

    /// A cursor of its own at a state, for what is seldom asked.
    fn cursor_at(&self, state: &State) -> Cursor {
        let mut cursor = self.machine.cursor();
        cursor.visit(&state.facts);
        cursor
    }

    /// The state after a step, or at the beginning.
    #[inline(always)]
    fn arrive(&self, state: &mut State, cursor: &mut Cursor) {
        state.facts.clone_from(cursor.state());
        state.answers = [OPEN; MOST_ROLES];
        state.role = 0;
        state.is_over = cursor.is_terminal();
        // A sheet that leaves a role without a move has come to an end that it forgot.
        if !state.is_over && (0..self.roles).any(|role| cursor.legal_count(role) == 0) {
            state.is_over = true;
            return;
        }
        if state.is_over {
            for role in 0..self.roles {
                state.goals[role] = cursor.goal(role).unwrap_or(0);
            }
        } else {
            let asked = (0..self.roles).find(|&role| cursor.legal_count(role) > 1);
            state.role = asked.unwrap_or(0) as u8;
        }
    }

    /// A state from its facts.
    fn state_of(&self, facts: spinney_gdl::State) -> State {
        let mut state = State { facts, answers: [OPEN; MOST_ROLES], role: 0, is_over: false, goals: [0; MOST_ROLES] };
        let mut cursor = self.cursor_at(&state);
        self.arrive(&mut state, &mut cursor);
        state
    }

    /// A role answers; when all have, the step is made. The cursor is at the state.
    #[inline(always)]
    fn answer(&self, state: &mut State, mv: u32, cursor: &mut Cursor) {
        state.answers[usize::from(state.role)] = mv;
        if let Some(role) = (usize::from(state.role) + 1..self.roles).find(|&role| cursor.legal_count(role) > 1) {
            state.role = role as u8;
            return;
        }
        let mut joint = state.answers;
        let open = joint[..self.roles].iter_mut().enumerate().filter(|(_, answer)| **answer == OPEN);
        open.for_each(|(role, answer)| *answer = cursor.nth_legal(role, 0));
        cursor.step(&joint[..self.roles]);
        self.arrive(state, cursor);
    }

    fn outcome(&self, state: &State) -> Outcome {
        if SOLITAIRE {
            return Outcome::Scored;
        }
        let others = state.goals[1..self.roles].iter().copied().max().unwrap_or(0);
        match state.goals[0].cmp(&others) {
            std::cmp::Ordering::Greater => Outcome::Win(Player::First),
            std::cmp::Ordering::Less => Outcome::Win(Player::Second),
            std::cmp::Ordering::Equal => Outcome::Draw,
        }
    }
}

/// Appends the legal moves of a role where the cursor is.
#[inline(always)]
fn list(cursor: &Cursor, role: usize, moves: &mut List<u32>) {
    moves.extend((0..cursor.legal_count(role)).map(|number| cursor.nth_legal(role, number)));
}

impl<const SOLITAIRE: bool> Game for Gdl<SOLITAIRE> {
    type State = State;
    type Move = u32;
    type Scratch = Near;
    const SCORE: Option<Score<Self>> = if SOLITAIRE { Some(Score::of()) } else { None };
    const ROLES: Option<RolesOf<Self>> = Some(RolesOf::of());

    fn initial(&self) -> State {
        self.state_of(self.machine.initial().clone())
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        match (state.is_over, state.role) {
            (true, _) => Turn::Over(self.outcome(state)),
            (false, 0) => Turn::Player(Player::First),
            (false, _) => Turn::Player(Player::Second),
        }
    }

    fn moves(&self, state: &State, moves: &mut List<u32>) {
        list(&self.cursor_at(state), usize::from(state.role), moves);
    }

    fn apply(&self, state: &mut State, mv: u32) {
        let mut cursor = self.cursor_at(state);
        self.answer(state, mv, &mut cursor);
    }

    fn move_ids(&self) -> usize {
        self.move_ids
    }

    #[inline(always)]
    fn move_id(&self, _: &State, mv: u32) -> usize {
        mv as usize % self.move_ids
    }

    fn search_moves(&self, state: &State, work: &mut Workspace<Self>) {
        self.role_moves(state, usize::from(state.role), work);
    }

    #[inline(always)]
    fn advance(&self, state: &mut State, mv: u32, work: &mut Workspace<Self>) {
        let cursor = self.at(state, &mut work.scratch);
        self.answer(state, mv, cursor);
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, work: &mut Workspace<Self>) -> Option<u32> {
        self.random_role_move(state, usize::from(state.role), random, work)
    }

    /// The margin of the goals.
    fn quality(&self, state: &State, _: Player) -> f32 {
        let others = state.goals[1..self.roles].iter().copied().max().unwrap_or(0);
        f32::from(state.goals[0].abs_diff(others)) / 100.0
    }

    fn key(&self, state: &State) -> Option<u64> {
        let start = spinney_core::random::mix(u64::from(state.role));
        let facts = state.facts.words().iter().fold(start, |key, &word| spinney_core::random::mix(key ^ word));
        let answers = state.answers[..self.roles].iter().filter(|&&answer| answer != OPEN);
        Some(answers.fold(facts, |key, &answer| spinney_core::random::mix(key ^ u64::from(answer))))
    }

    fn published(&self) -> Published {
        // The solitaire's scores go from 0 to 100; 40 is the constant of CADIAPLAYER on this scale.
        Published { agent: if SOLITAIRE { "c=40" } else { "c=0.8" }, simulations_per_second: 1000 }
    }
}

impl<const SOLITAIRE: bool> Solitaire for Gdl<SOLITAIRE> {
    fn score(&self, state: &State) -> f64 {
        f64::from(state.goals[0])
    }
}

impl<const SOLITAIRE: bool> Roles for Gdl<SOLITAIRE> {
    fn roles(&self) -> usize {
        self.roles
    }

    fn role_to_move(&self, state: &State) -> usize {
        usize::from(state.role)
    }

    fn begin_step(&self, state: &mut State, work: &mut Workspace<Self>) {
        if state.answers[..self.roles].iter().any(|&answer| answer != OPEN) {
            let cursor = self.at(state, &mut work.scratch);
            self.arrive(state, cursor);
        }
    }

    #[inline(always)]
    fn role_moves(&self, state: &State, role: usize, work: &mut Workspace<Self>) {
        list(self.at(state, &mut work.scratch), role, &mut work.moves);
    }

    #[inline(always)]
    fn random_role_move(
        &self,
        state: &State,
        role: usize,
        random: &mut Random,
        work: &mut Workspace<Self>,
    ) -> Option<u32> {
        self.at(state, &mut work.scratch).draw(role, random)
    }

    #[inline(always)]
    fn apply_joint(&self, state: &mut State, moves: &[u32], work: &mut Workspace<Self>) {
        let cursor = self.at(state, &mut work.scratch);
        cursor.step(moves);
        self.arrive(state, cursor);
    }

    fn goal(&self, state: &State, role: usize) -> f32 {
        f32::from(state.goals[role])
    }
}
