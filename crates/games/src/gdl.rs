//! Games that are given as rule sheets of the Game Description Language, `gdl:FILE`.
//!
//! A sheet has roles, who move at the same time; it is played as such by agents for roles, and by all others as a game
//! of the first role against the rest, in which those who have a choice are asked one after the other. What a role
//! without a choice does goes without saying. The role `random` is chance (M. Thielscher, *A General Game Description
//! Language for Incomplete Information Games*, AAAI 2010): its moves are drawn, after all others have answered.

mod board;
mod notation;
mod sheets;

pub use sheets::{BUILT_IN, is_kept, is_pasted, name, open, paste, text_hash, watched};

use spinney_core::{
    Chance, Game, InputError, Likely, List, Luck, Outcome, Player, Published, Random, Roles, RolesOf, Score, Solitaire,
    Stream, Turn, Workspace,
};
use spinney_gdl::{Cancel, Cursor, Machine};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// More roles than any sheet that is known to be played.
pub const MOST_ROLES: usize = 16;
/// A role has not answered.
const OPEN: u32 = u32::MAX;
/// Learned values of a machine that does not know its moves beforehand have so many places.
const PLACES_WITHOUT_LIST: usize = 1 << 16;

/// The role of this name is chance.
const CHANCE_ROLE: &str = "random";

/// The rules of a sheet. `SOLITAIRE` says that a single role chooses, which plays for a high goal; `CHANCE` that there is
/// a role whose moves are drawn, so that searches are compiled with chance.
#[derive(Clone, Debug)]
pub struct Gdl<const SOLITAIRE: bool, const CHANCE: bool = false> {
    machine: Machine,
    roles: usize,
    /// The role whose moves are drawn.
    chance: Option<usize>,
    /// The first role that chooses.
    first: usize,
    move_ids: usize,
    /// What positions are drawn on, if anything; found when it is first asked for.
    board: OnceLock<Option<board::Board>>,
    spare: Spare,
}

/// Cursors for what is asked without working memory, used again and again.
#[derive(Debug, Default)]
struct Spare(Mutex<Vec<Cursor>>);

/// Cursors that are kept; more are asked for at the same time only by many threads.
const MOST_SPARE: usize = 16;

impl Clone for Spare {
    fn clone(&self) -> Self {
        Self::default()
    }
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

impl<const SOLITAIRE: bool, const CHANCE: bool> Gdl<SOLITAIRE, CHANCE> {
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
            spinney_gdl::Method::Proof | spinney_gdl::Method::Relational => PLACES_WITHOUT_LIST,
        };
        let chance = chance_role(&machine);
        let Some(first) = (0..roles).find(|&role| chance != Some(role)) else {
            let problem = "its only role is `random`, which is chance";
            return Err(InputError::new("rule sheet", problem, "add a role that chooses"));
        };
        Ok(Self {
            machine,
            roles,
            chance,
            first,
            move_ids: move_ids.max(1),
            board: OnceLock::new(),
            spare: Spare::default(),
        })
    }

    /// The state machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Until when searches with this working memory may work a state out, and what calls it off: see [`Cursor::until`].
    pub fn until(&self, work: &mut Workspace<Self>, deadline: Option<Instant>, cancel: &Cancel) {
        self.near(&mut work.scratch).until(deadline, cancel);
    }

    /// The next role after those that have answered: players who have a choice in their order, then chance.
    #[inline(always)]
    fn next_role(&self, after: Option<usize>, cursor: &Cursor) -> Option<usize> {
        let from = match after {
            Some(role) if self.chance == Some(role) => return None,
            Some(role) => role + 1,
            None => 0,
        };
        let has_choice = |&role: &usize| cursor.legal_count(role) > 1;
        let player = (from..self.roles).filter(|&role| self.chance != Some(role)).find(has_choice);
        player.or(self.chance.filter(has_choice))
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
            state.role = self.next_role(None, cursor).unwrap_or(self.first) as u8;
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
        if let Some(role) = self.next_role(Some(usize::from(state.role)), cursor) {
            state.role = role as u8;
            return;
        }
        let mut joint = state.answers;
        let open = joint[..self.roles].iter_mut().enumerate().filter(|(_, answer)| **answer == OPEN);
        open.for_each(|(role, answer)| *answer = cursor.nth_legal(role, 0));
        cursor.step(&joint[..self.roles]);
        self.arrive(state, cursor);
    }

    /// The highest goal of the players but the first.
    fn best_of_others(&self, state: &State) -> u8 {
        let others = (self.first + 1..self.roles).filter(|&role| self.chance != Some(role));
        others.map(|role| state.goals[role]).max().unwrap_or(0)
    }

    fn outcome(&self, state: &State) -> Outcome {
        if SOLITAIRE {
            return Outcome::Scored;
        }
        match state.goals[self.first].cmp(&self.best_of_others(state)) {
            std::cmp::Ordering::Greater => Outcome::Win(Player::First),
            std::cmp::Ordering::Less => Outcome::Win(Player::Second),
            std::cmp::Ordering::Equal => Outcome::Draw,
        }
    }
}

/// The role that is chance.
pub(crate) fn chance_role(machine: &Machine) -> Option<usize> {
    machine.roles().iter().position(|role| role.eq_ignore_ascii_case(CHANCE_ROLE))
}

/// Appends the legal moves of a role where the cursor is.
#[inline(always)]
fn list(cursor: &Cursor, role: usize, moves: &mut List<u32>) {
    moves.extend((0..cursor.legal_count(role)).map(|number| cursor.nth_legal(role, number)));
}

impl<const SOLITAIRE: bool, const CHANCE: bool> Game for Gdl<SOLITAIRE, CHANCE> {
    type State = State;
    type Move = u32;
    type Scratch = Near;
    const SCORE: Option<Score<Self>> = if SOLITAIRE { Some(Score::of()) } else { None };
    const ROLES: Option<RolesOf<Self>> = Some(RolesOf::of());
    const LUCK: Option<Luck<Self>> = if CHANCE { Some(Luck::of()) } else { None };

    fn initial(&self) -> State {
        self.state_of(self.machine.initial().clone())
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        match state.is_over {
            true => Turn::Over(self.outcome(state)),
            false if usize::from(state.role) == self.first => Turn::Player(Player::First),
            false if CHANCE && self.chance == Some(usize::from(state.role)) => Turn::Chance,
            false => Turn::Player(Player::Second),
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
        f32::from(state.goals[self.first].abs_diff(self.best_of_others(state))) / 100.0
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

impl<const SOLITAIRE: bool, const CHANCE: bool> Solitaire for Gdl<SOLITAIRE, CHANCE> {
    fn score(&self, state: &State) -> f64 {
        f64::from(state.goals[self.first])
    }
}

impl<const SOLITAIRE: bool, const CHANCE: bool> Roles for Gdl<SOLITAIRE, CHANCE> {
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

    fn chance_role(&self) -> Option<usize> {
        self.chance
    }

    #[inline(always)]
    fn is_broken_off(&self, work: &Workspace<Self>) -> bool {
        work.scratch.0.as_ref().is_some_and(Cursor::is_interrupted)
    }
}

impl<const SOLITAIRE: bool, const CHANCE: bool> Chance for Gdl<SOLITAIRE, CHANCE> {
    fn outcomes(&self, state: &State, outcomes: &mut List<Likely<u32>>) {
        let (cursor, role) = (self.cursor_at(state), usize::from(state.role));
        let count = cursor.legal_count(role);
        let likely = |number| Likely { mv: cursor.nth_legal(role, number), probability: 1.0 / f64::from(count) };
        outcomes.extend((0..count).map(likely));
    }

    fn draw_outcome(&self, state: &mut State, stream: &mut Stream) -> u32 {
        let spare = || self.spare.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = spare().pop();
        let mut cursor = kept.unwrap_or_else(|| self.machine.cursor());
        let role = usize::from(state.role);
        let count = cursor.visit(&state.facts).legal_count(role);
        let mv = cursor.nth_legal(role, stream.below(count));
        self.answer(state, mv, &mut cursor);
        let mut spare = spare();
        if spare.len() < MOST_SPARE {
            spare.push(cursor);
        }
        mv
    }
}
