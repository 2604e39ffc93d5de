//! One role of a match: the position, and the search that finds its moves.

use spinney_core::{Game, InputError, Roles, Seed, Workspace};
use spinney_games::gdl::Gdl;
use spinney_gdl::Machine;
use spinney_search::agent::Look;
use spinney_search::decoupled::{Decoupled, DecoupledSettings};
use spinney_search::{Agent, Analysis, Budget, Driven, Position, Task};
use std::sync::atomic::AtomicBool;
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
    agent: Driven<Decoupled<Gdl<SOLITAIRE>>>,
    state: <Gdl<SOLITAIRE> as Game>::State,
    work: Workspace<Gdl<SOLITAIRE>>,
    /// Moves of all roles, step by step.
    history: Vec<u32>,
}

impl Seat {
    /// A seat at the start of a game.
    pub fn new(machine: Machine, role: usize, settings: &DecoupledSettings) -> Result<Self, InputError> {
        Ok(if machine.roles().len() == 1 {
            Seat::Alone(Box::new(Chair::new(machine, role, settings)?))
        } else {
            Seat::Among(Box::new(Chair::new(machine, role, settings)?))
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
    fn new(machine: Machine, role: usize, settings: &DecoupledSettings) -> Result<Self, InputError> {
        let game = Gdl::new(machine)?;
        let mut settings = settings.clone();
        if game.roles() != 2 {
            settings.rb = None;
        }
        let mut search = Decoupled::new(&game, &settings)?;
        search.play_as(role);
        let state = game.initial();
        Ok(Self { game, role, agent: Driven::new(search), state, work: Workspace::new(), history: Vec::new() })
    }

    /// The legal moves of a role.
    fn legal(&mut self, role: usize) -> &[u32] {
        self.work.moves.clear();
        self.game.role_moves(&self.state, role, &mut self.work);
        &self.work.moves
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
            if !self.legal(role).contains(&mv) {
                let problem = format!("`{text}` is not legal for {}", self.game.machine().roles()[role]);
                return Err(InputError::new("moves", problem, "send legal moves"));
            }
            joint.push(mv);
        }
        if self.game.turn(&self.state).outcome().is_some() {
            return Err(InputError::new("moves", "the game is over", "send STOP"));
        }
        self.game.apply_joint(&mut self.state, &joint, &mut self.work);
        self.history.extend(joint);
        Ok(())
    }

    fn think(&mut self, deadline: Instant, seed: Seed, stop: &AtomicBool, tell: &mut dyn FnMut(String)) {
        let legal = self.legal(self.role);
        let (Some(&first), choices) = (legal.first(), legal.len()) else { return };
        let Self { game, role, agent, state, history, .. } = self;
        let mut tell_move = |mv: u32| tell(game.machine().move_text(*role, mv));
        tell_move(first);
        if choices == 1 || game.turn(state).outcome().is_some() {
            return;
        }
        let best =
            |analysis: &Analysis<u32>| analysis.candidates.first().filter(|best| best.visits > 0).map(|best| best.mv);
        let mut observer = |analysis: &Analysis<u32>, _: Look<'_, u32>| {
            if let Some(mv) = best(analysis) {
                tell_move(mv);
            }
        };
        let budget = Some(Budget::time(deadline.saturating_duration_since(Instant::now())));
        let mut task = Task { seed, budget, stop, explain: true, observer: Some((TELLING, &mut observer)) };
        let decision = agent.choose(game, &Position { state, history }, &mut task);
        if let Some(mv) = decision.explanation.as_ref().and_then(best) {
            tell_move(mv);
        }
    }
}
