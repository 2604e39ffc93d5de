//! The first type-erased border: an agent chooses a move. One virtual call per move played.

use crate::budget::{Budget, StopReason};
use crate::insight::Insight;
use crate::mcts::Totals;
use crate::tree::Proof;
use spinney_core::game::Game;
use spinney_core::{Random, Seed, Workspace};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A position and how it came about.
#[derive(Debug)]
pub struct Position<'a, G: Game> {
    /// The position itself; it must not be over.
    pub state: &'a G::State,
    /// The moves since the start of the game.
    pub history: &'a [G::Move],
}

impl<'a, G: Game> Position<'a, G> {
    /// A position without a past.
    pub fn new(state: &'a G::State) -> Self {
        Self { state, history: &[] }
    }
}

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

/// What a search knows of a position.
#[derive(Clone, Debug)]
pub struct Analysis<M> {
    /// The moves, best first.
    pub candidates: Vec<Candidate<M>>,
    /// What is proven for the player to move.
    pub proof: Proof,
    /// Totals over all simulations.
    pub totals: Totals,
    /// Nodes in the tree.
    pub nodes: u64,
    /// Bytes in use.
    pub bytes: u64,
    /// Time since the start of the search.
    pub elapsed: Duration,
    /// Why it stopped, or `None` while it runs.
    pub stopped: Option<StopReason>,
}

impl<M> Analysis<M> {
    /// Nothing is known.
    pub const fn nothing() -> Self {
        Self {
            candidates: Vec::new(),
            proof: Proof::Unknown,
            totals: Totals::NONE,
            nodes: 0,
            bytes: 0,
            elapsed: Duration::ZERO,
            stopped: None,
        }
    }
}

/// What a search knows of one move, in the view of the player to move.
#[derive(Clone, Debug)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// Simulations through it.
    pub visits: u32,
    /// Their mean reward, in [−1, 1]; the mean score in a game of one player.
    pub mean: f32,
    /// Standard deviation of a single reward.
    pub deviation: f32,
    /// What is proven of it.
    pub proof: Proof,
    /// The line expected after it, beginning with the move itself.
    pub variation: Vec<M>,
}

impl<M> Candidate<M> {
    /// Half the width of the 95 % interval of the mean.
    pub fn margin(&self) -> f32 {
        if self.visits == 0 { f32::NAN } else { 1.96 * self.deviation / (self.visits as f32).sqrt() }
    }
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
}
