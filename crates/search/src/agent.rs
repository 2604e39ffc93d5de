//! The first type-erased border: an agent chooses a move. One virtual call per move played.

pub use crate::analysis::{Analysis, Candidate, Position};

use crate::budget::Budget;
use crate::insight::Insight;
use spinney_core::game::Game;
use spinney_core::{Random, Seed, Workspace};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What is asked of an agent beside the position.
pub struct Task<'a, G: Game> {
    /// All randomness comes from here.
    pub seed: Seed,
    /// Replaces the agent's own budget.
    pub budget: Option<Budget>,
    /// The search ends soon after this is set.
    pub stop: &'a AtomicBool,
    /// Whether the decision shall carry its analysis.
    pub explain: bool,
    /// Who is told of the analysis while the search runs, and how often.
    pub observer: Option<(Duration, Observer<'a, G::Move>)>,
}

/// Called with the analysis so far and a way to look into the tree.
pub type Observer<'a, M> = &'a mut dyn FnMut(&Analysis<M>, Look<'_, M>);

/// What is known of the node after these moves; see [`Agent::look`].
pub type Look<'a, M> = &'a dyn Fn(&[M]) -> Option<Insight<M>>;

static NEVER: AtomicBool = AtomicBool::new(false);

impl<G: Game> Task<'_, G> {
    /// Choose with the agent's own budget, without being watched.
    pub fn new(seed: Seed) -> Self {
        Self { seed, budget: None, stop: &NEVER, explain: false, observer: None }
    }

    /// How often the observer wants to hear.
    pub fn interval(&self) -> Option<Duration> {
        self.observer.as_ref().map(|(interval, _)| *interval)
    }

    /// Tells the observer, if there is one.
    pub fn report(&mut self, analysis: impl FnOnce() -> Analysis<G::Move>, look: Look<'_, G::Move>) {
        if let Some((_, observer)) = &mut self.observer {
            observer(&analysis(), look);
        }
    }
}

/// A move, and why.
#[derive(Clone, Debug)]
pub struct Decision<M> {
    /// The move.
    pub mv: M,
    /// Simulations (or positions searched) it took.
    pub simulations: u64,
    /// The reasons, if they were asked for.
    pub explanation: Option<Analysis<M>>,
}

/// Somebody who chooses moves in games of type `G`.
pub trait Agent<G: Game>: Send {
    /// Chooses a legal move. The same position, task and settings give the same move.
    fn choose(&mut self, game: &G, position: &Position<'_, G>, task: &mut Task<'_, G>) -> Decision<G::Move>;

    /// What the last search knows of the node after these moves from its root; `None` where its tree does not reach or
    /// the agent keeps none.
    fn look(&self, _path: &[G::Move]) -> Option<Insight<G::Move>> {
        None
    }

    /// Forgets what it knows of the game played so far: the next one must not depend on it.
    fn new_game(&mut self) {}

    /// The agent with all its settings, as it is written.
    fn describe(&self) -> String;

    /// Whether it never tells an observer how far it is, so that nobody can end its search at the right moment.
    fn is_silent(&self) -> bool {
        false
    }

    /// The limits it keeps when the task names none; endless for an agent that does not search.
    fn budget(&self) -> Budget {
        Budget::default()
    }
}

/// Plays uniformly random moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomAgent;

impl<G: Game> Agent<G> for RandomAgent {
    fn choose(&mut self, game: &G, position: &Position<'_, G>, task: &mut Task<'_, G>) -> Decision<G::Move> {
        let mut random = Random::new(task.seed);
        let mv = game.random_move(position.state, &mut random, &mut Workspace::new()).unwrap_or_default();
        Decision { mv, simulations: 0, explanation: None }
    }

    fn describe(&self) -> String {
        "random".to_string()
    }

    fn is_silent(&self) -> bool {
        true
    }
}
