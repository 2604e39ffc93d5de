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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;
    use spinney_gdl::{Limits, Rules};
    use std::sync::atomic::Ordering;

    /// Both choose at once, and to both `b` is worth all.
    const SHEET: &str = "(role left) (role right) (choice a) (choice b) (init open)
        (<= (legal ?r (say ?c)) (role ?r) (choice ?c))
        (<= (next (said ?r ?c)) (does ?r (say ?c)))
        (<= terminal (not (true open)))
        (<= (goal left 100) (true (said left b))) (<= (goal left 0) (true (said left a)))
        (<= (goal right 100) (true (said right b))) (<= (goal right 0) (true (said right a)))";

    fn seat(role: usize) -> Seat {
        let machine = Machine::build(&Rules::parse(SHEET).unwrap(), &Limits::default()).unwrap();
        Seat::new(machine, role, &DecoupledSettings::default()).unwrap()
    }

    #[test]
    fn the_first_move_is_told_at_once_and_the_best_again_and_again() {
        for role in 0..2 {
            let (mut told, stop) = (Vec::new(), AtomicBool::new(false));
            let deadline = Instant::now() + 8 * TELLING;
            seat(role).think(deadline, Seed::new(1), &stop, &mut |mv| told.push((mv, Instant::now())));
            assert!(told.len() >= 4, "{told:?}");
            assert_eq!((told[0].0.as_str(), told.last().unwrap().0.as_str()), ("(say a)", "(say b)"));
            assert!(told[0].1 + TELLING <= told[1].1, "{told:?}");
        }
    }

    #[test]
    fn who_is_stopped_has_told_a_move() {
        let (mut told, stop) = (Vec::new(), AtomicBool::new(true));
        let deadline = Instant::now() + Duration::from_secs(3600);
        seat(1).think(deadline, Seed::new(1), &stop, &mut |mv| told.push(mv));
        assert_eq!(told, ["(say a)"]);
        stop.store(false, Ordering::Relaxed);
        seat(1).think(Instant::now(), Seed::new(1), &stop, &mut |mv| told.push(mv));
        assert_eq!(told, ["(say a)", "(say a)"]);
    }

    #[test]
    fn illegal_moves_are_refused_and_the_end_is_noticed() {
        let mut seat = seat(0);
        let moves = |texts: &[&str]| texts.iter().map(|&text| text.to_string()).collect::<Vec<_>>();
        assert!(seat.play(&moves(&["(say a)"])).unwrap_err().to_string().contains("1 moves for 2 roles"));
        assert!(seat.play(&moves(&["(say a)", "(say c)"])).is_err());
        seat.play(&moves(&["(say a)", "(say b)"])).unwrap();
        assert!(seat.play(&moves(&["(say a)", "(say b)"])).unwrap_err().to_string().contains("the game is over"));
    }
}
