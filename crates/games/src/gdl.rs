//! Games that are given as rule sheets of the Game Description Language, `gdl:FILE`.
//!
//! A sheet has roles, who move at the same time; it is played as such by agents for roles, and by all others as a game
//! of the first role against the rest, in which those who have a choice are asked one after the other. What a role
//! without a choice does goes without saying.

mod board;
mod notation;
mod sheets;

pub use sheets::{BUILT_IN, is_kept, is_pasted, open, paste};

use spinney_core::{Game, InputError, Outcome, Parameters, Player, Random, Turn};
use spinney_gdl::{Cursor, Machine};
use std::cell::RefCell;
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
    /// Tells the machines of a thread apart.
    number: u64,
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

/// Machines whose cursors a thread keeps.
const CURSORS: usize = 4;

thread_local! {
    /// Cursors at the states that were looked at last: a game moves on from them at the cost of what changes.
    static NEAR: RefCell<Vec<(u64, Cursor)>> = const { RefCell::new(Vec::new()) };
}

impl<const SOLITAIRE: bool> Gdl<SOLITAIRE> {
    /// The game of a machine; `number` tells machines apart.
    pub fn new(machine: Machine, number: u64) -> Result<Self, InputError> {
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
        Ok(Self { machine, number, roles, move_ids: move_ids.max(1), board: OnceLock::new() })
    }

    /// The state machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Looks from wherever the thread's cursor is.
    #[inline(always)]
    fn near<T>(&self, look: impl FnOnce(&mut Cursor) -> T) -> T {
        NEAR.with_borrow_mut(|near| {
            let place = near.iter().position(|(number, _)| *number == self.number).unwrap_or_else(|| {
                near.truncate(CURSORS - 1);
                near.insert(0, (self.number, self.machine.cursor()));
                0
            });
            look(&mut near[place].1)
        })
    }

    /// Looks at a state.
    #[inline(always)]
    fn at<T>(&self, facts: &spinney_gdl::State, look: impl FnOnce(&mut Cursor) -> T) -> T {
        self.near(|cursor| {
            if cursor.state() != facts {
                cursor.set(facts);
            }
            look(cursor)
        })
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
        self.at(&state.facts, |_| ());
        self.near(|cursor| self.arrive(&mut state, cursor));
        state
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

impl<const SOLITAIRE: bool> Game for Gdl<SOLITAIRE> {
    type State = State;
    type Move = u32;
    const SOLITAIRE: bool = SOLITAIRE;
    const ROLES: bool = true;

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

    fn moves(&self, state: &State, moves: &mut Vec<u32>) {
        self.role_moves(state, usize::from(state.role), moves);
    }

    fn apply(&self, state: &mut State, mv: u32) {
        state.answers[usize::from(state.role)] = mv;
        let mut joint = state.answers;
        let next = self.at(&state.facts, |cursor| {
            let next = (usize::from(state.role) + 1..self.roles).find(|&role| cursor.legal_count(role) > 1);
            if next.is_none() {
                let open = joint[..self.roles].iter_mut().enumerate().filter(|(_, answer)| **answer == OPEN);
                open.for_each(|(role, answer)| *answer = cursor.nth_legal(role, 0));
            }
            next
        });
        match next {
            Some(role) => state.role = role as u8,
            None => self.apply_joint(state, &joint[..self.roles]),
        }
    }

    fn move_ids(&self) -> usize {
        self.move_ids
    }

    #[inline(always)]
    fn move_id(&self, _: &State, mv: u32) -> usize {
        mv as usize % self.move_ids
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, moves: &mut Vec<u32>) -> Option<u32> {
        self.random_role_move(state, usize::from(state.role), random, moves)
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

    fn score(&self, state: &State) -> f64 {
        f64::from(state.goals[0])
    }

    fn parameters(&self) -> Parameters {
        // The solitaire's scores go from 0 to 100; 40 is the constant of CADIAPLAYER on this scale.
        let exploration = if SOLITAIRE { 40.0 } else { 0.8 };
        Parameters { exploration, simulations_per_second: 1000, ..Parameters::default() }
    }

    fn roles(&self) -> usize {
        self.roles
    }

    fn role_to_move(&self, state: &State) -> usize {
        usize::from(state.role)
    }

    fn begin_step(&self, state: &mut State) {
        if state.answers[..self.roles].iter().any(|&answer| answer != OPEN) {
            *state = self.state_of(state.facts.clone());
        }
    }

    fn role_moves(&self, state: &State, role: usize, moves: &mut Vec<u32>) {
        self.at(&state.facts, |cursor| {
            moves.extend((0..cursor.legal_count(role)).map(|number| cursor.nth_legal(role, number)));
        });
    }

    #[inline(always)]
    fn random_role_move(&self, state: &State, role: usize, random: &mut Random, _: &mut Vec<u32>) -> Option<u32> {
        self.at(&state.facts, |cursor| cursor.draw(role, random))
    }

    #[inline(always)]
    fn apply_joint(&self, state: &mut State, moves: &[u32]) {
        self.at(&state.facts, |cursor| cursor.step(moves));
        self.near(|cursor| self.arrive(state, cursor));
    }

    fn goal(&self, state: &State, role: usize) -> f32 {
        f32::from(state.goals[role])
    }
}
