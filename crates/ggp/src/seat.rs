//! One role of a match: the position, and the search that finds its moves.

use spinney_core::{Game, InputError, Seed};
use spinney_games::gdl::Gdl;
use spinney_gdl::Machine;
use spinney_search::budget::{Budget, Watch};
use spinney_search::decoupled::{Decoupled, DecoupledSettings};
use spinney_search::{Analysis, Position};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often a search tells its best move.
const TELLING: Duration = Duration::from_millis(50);

/// Games of one role and of more are different types.
#[derive(Debug)]
pub enum Seat {
    /// The role is alone.
    Alone(Box<Chair<true>>),
    /// There are others.
    Among(Box<Chair<false>>),
}

/// A seat in a game of one role, or of more.
#[derive(Debug)]
pub struct Chair<const SOLITAIRE: bool> {
    game: Gdl<SOLITAIRE>,
    role: usize,
    search: Decoupled<Gdl<SOLITAIRE>>,
    state: <Gdl<SOLITAIRE> as Game>::State,
    /// Moves of all roles, step by step.
    history: Vec<u32>,
}

impl Seat {
    /// A seat at the start of a game.
    pub fn new(machine: Machine, role: usize, settings: &DecoupledSettings) -> Result<Self, InputError> {
        // Threads tell machines apart by numbers; those of rule files count up from 0.
        static NEXT: AtomicU64 = AtomicU64::new(1 << 32);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(if machine.roles().len() == 1 {
            Seat::Alone(Box::new(Chair::new(machine, number, role, settings)?))
        } else {
            Seat::Among(Box::new(Chair::new(machine, number, role, settings)?))
        })
    }

    /// Makes the moves of all roles, as they are written.
    pub fn play(&mut self, moves: &[String]) -> Result<(), InputError> {
        match self {
            Seat::Alone(chair) => chair.play(moves),
            Seat::Among(chair) => chair.play(moves),
        }
    }

    /// Thinks until `deadline` or `stop` and tells its best move again and again, first without any thought.
    pub fn think(&mut self, deadline: Instant, seed: Seed, stop: &AtomicBool, tell: &mut dyn FnMut(String)) {
        match self {
            Seat::Alone(chair) => chair.think(deadline, seed, stop, tell),
            Seat::Among(chair) => chair.think(deadline, seed, stop, tell),
        }
    }
}

impl<const SOLITAIRE: bool> Chair<SOLITAIRE> {
    fn new(machine: Machine, number: u64, role: usize, settings: &DecoupledSettings) -> Result<Self, InputError> {
        let game = Gdl::new(machine, number)?;
        let mut settings = settings.clone();
        if game.roles() != 2 {
            settings.rb = None;
        }
        let search = Decoupled::new(&game, &settings)?;
        let state = game.initial();
        Ok(Self { game, role, search, state, history: Vec::new() })
    }

    fn play(&mut self, moves: &[String]) -> Result<(), InputError> {
        let roles = self.game.roles();
        if moves.len() != roles {
            let problem = format!("there are {} moves for {roles} roles", moves.len());
            return Err(InputError::new("moves", problem, "send one for each role"));
        }
        let mut joint = Vec::with_capacity(roles);
        for (role, text) in moves.iter().enumerate() {
            let mv = self.game.machine().read_move(role, text)?;
            let mut legal = Vec::new();
            self.game.role_moves(&self.state, role, &mut legal);
            if !legal.contains(&mv) {
                let problem = format!("`{text}` is not legal for {}", self.game.machine().roles()[role]);
                return Err(InputError::new("moves", problem, "send legal moves"));
            }
            joint.push(mv);
        }
        if self.game.turn(&self.state).outcome().is_some() {
            return Err(InputError::new("moves", "the game is over", "send STOP"));
        }
        self.game.apply_joint(&mut self.state, &joint);
        self.history.extend(joint);
        Ok(())
    }

    fn think(&mut self, deadline: Instant, seed: Seed, stop: &AtomicBool, tell: &mut dyn FnMut(String)) {
        let mut legal = Vec::new();
        self.game.role_moves(&self.state, self.role, &mut legal);
        let written = |mv: u32| self.game.machine().move_text(self.role, mv);
        let Some(&first) = legal.first() else { return };
        tell(written(first));
        if legal.len() == 1 || self.game.turn(&self.state).outcome().is_some() {
            return;
        }
        let budget = Budget::time(deadline.saturating_duration_since(Instant::now()));
        let watch = Watch::start(budget, stop);
        let position = Position { state: &self.state, history: &self.history };
        self.search.begin(&self.game, &position, self.role, &budget, seed);
        let best =
            |analysis: Analysis<u32>| analysis.candidates.first().filter(|best| best.visits > 0).map(|best| best.mv);
        while self.search.advance(&self.game, &watch, Some(TELLING)).is_none() {
            if let Some(mv) = best(self.search.analysis(watch.elapsed(), None)) {
                tell(written(mv));
            }
        }
        if let Some(mv) = best(self.search.analysis(watch.elapsed(), None)) {
            tell(written(mv));
        }
    }
}
