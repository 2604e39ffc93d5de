//! `mcts(threads=N)`: N searches on one tree.

use super::apart::Apart;
use super::branch::Branch;
use super::pool::ValuePool;
use super::stop::{Pool, Shift, join};
use crate::agent::{Agent, Decision, Task};
use crate::analysis::{Analysis, Position};
use crate::budget::{Budget, StopReason};
use crate::drive::expected_at;
use crate::ideas::Ideas;
use crate::insight::Insight;
use crate::mcts::{Mcts, Totals};
use crate::search::{Search, think};
use crate::settings::{Full, MctsSettings};
use spinney_core::game::Game;
use spinney_core::{InputError, Seed};
use std::time::Duration;

/// One of the searches.
type Member<G, I> = Mcts<G, I, Branch<<G as Game>::Move>>;
/// One of them where its thread disturbs no other.
type Place<G, I> = Apart<Member<G, I>>;

/// Searches that share a tree.
///
/// ```
/// use spinney_core::{Game, Seed};
/// use spinney_search::{Agent, Position, Task, shared::Crew};
/// let game = spinney_games::TicTacToe;
/// let settings = "mcts(threads=2, sims=2000, solver=draws)".parse::<spinney_search::AgentSettings>().unwrap();
/// let mut crew = Crew::new(&game, &settings.mcts().unwrap(), &()).unwrap();
/// let state = game.initial();
/// let decision = crew.choose(&game, &Position::new(&state), &mut Task::new(Seed::new(1)));
/// assert!(decision.mv < 9);
/// ```
pub struct Crew<G: Game, I: Ideas = ()> {
    /// The first has the tree while nobody thinks.
    members: Vec<Place<G, I>>,
    reclaims: bool,
    simulations_per_second: Option<f64>,
}

impl<G: Game, I: Ideas> std::fmt::Debug for Crew<G, I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Crew").field("members", &self.members.len()).finish_non_exhaustive()
    }
}

impl<G: Game, I: Ideas> Crew<G, I> {
    /// A crew with these settings; what they leave open is as published for the game.
    pub fn new(game: &G, settings: &MctsSettings, ideas: &I) -> Result<Self, InputError> {
        let quirks = settings.deviations.in_force();
        if quirks != Default::default() || settings.ties == Some(crate::settings::Ties::First) {
            let problem = "the order of a published engine cannot be kept by threads that share a tree";
            let remedy = "leave variant, quirks and ties out, or write parallel=root";
            return Err(InputError::conflict("mcts, option threads", problem, remedy));
        }
        let member = || Mcts::with_nodes(game, settings, ideas);
        let mut members = vec![Apart(member()?)];
        for _ in 1..settings.crew.threads {
            let mut other: Member<G, I> = member()?;
            other.tree.detach();
            other.drop_spare();
            members.push(Apart(other));
        }
        for tree in members[0].trees() {
            tree.set_virtual_loss(settings.crew.virtual_loss);
        }
        Ok(Self { members, reclaims: settings.full == Full::Reclaim, simulations_per_second: None })
    }

    /// Prepares a search: the first member sees to the tree, and the others join it.
    fn begin(&mut self, game: &G, position: &Position<'_, G>, (expected, nodes): (u64, Option<u64>), seed: Seed) {
        let (first, others) = self.first_and_others();
        // What is learned of rewards is learned by each member of its own simulations.
        let threads = others.len() as u32 + 1;
        let pooled = if first.settings().crew.pooled { threads as usize } else { 0 };
        let mut pools = ValuePool::for_threads(pooled).into_iter();
        let share = expected / u64::from(threads);
        first.begin(game, position, share, seed);
        first.tree.join(threads, nodes);
        first.pool = pools.next();
        for (number, other) in (1..).zip(others) {
            other.tree = first.tree.share();
            other.tree.join(threads, nodes);
            other.pool = pools.next();
            other.begin_on_tree(game, position, share, seed.child(number));
        }
    }

    fn first_and_others(&mut self) -> (&mut Member<G, I>, &mut [Place<G, I>]) {
        match self.members.split_first_mut() {
            Some((first, others)) => (first, others),
            None => unreachable!("a crew has members"),
        }
    }

    /// All members think until something says stop.
    fn think(&mut self, game: &G, pool: &Pool<'_>, task: &mut Task<'_, G>) -> StopReason {
        let (first, others) = self.first_and_others();
        std::thread::scope(|scope| {
            let alone = |member| scope.spawn(move || Self::work(member, game, pool, None, &mut |_| {}));
            let others: Vec<_> = others.iter_mut().map(|other| alone(&mut other.0)).collect();
            Self::work(first, game, pool, task.interval(), &mut |member| {
                let mut analysis = Analysis { elapsed: pool.elapsed(), ..member.analysis() };
                analysis.totals.simulations = pool.simulations();
                task.report(|| analysis, &|path| member.look(path));
            });
            join(others);
        });
        pool.reason()
    }

    /// One member thinks, and tells what it has found every `interval`.
    #[inline(never)]
    fn work(
        member: &mut Member<G, I>,
        game: &G,
        pool: &Pool<'_>,
        interval: Option<Duration>,
        tell: &mut dyn FnMut(&mut Member<G, I>),
    ) {
        let mut shift = Shift::new(pool, interval, member.tree.fullness());
        pool.end(think(member, game, &mut shift, |member, _| tell(member)));
        member.tree.settle();
    }

    fn totals(&self) -> Totals {
        self.members.iter().fold(Totals::NONE, |totals, member| totals.with(&member.totals()))
    }

    /// Gives up what was visited least; false if that makes no room.
    fn reclaim(&mut self, nodes: Option<u64>) -> bool {
        let (first, others) = self.first_and_others();
        let threads = others.len() as u32 + 1;
        others.iter_mut().for_each(|other| other.tree.detach());
        let is_freed = first.reclaim();
        first.tree.join(threads, nodes);
        for other in others {
            other.tree = first.tree.share();
            other.tree.join(threads, nodes);
        }
        is_freed
    }
}

impl<G: Game, I: Ideas> Agent<G> for Crew<G, I> {
    #[inline(never)]
    fn choose(&mut self, game: &G, position: &Position<'_, G>, task: &mut Task<'_, G>) -> Decision<G::Move> {
        let pace = self.members[0].pace();
        let budget = task.budget.unwrap_or(pace.budget);
        let threads = self.members.len() as f64;
        let speed = self.simulations_per_second.unwrap_or(f64::from(pace.simulations_per_second) * threads);
        let expected = expected_at(&budget, speed);
        let mut pool = Pool::start(budget, task.stop, self.members.len(), self.reclaims);
        self.begin(game, position, (expected, budget.nodes), task.seed);
        let asked = budget.simulations.unwrap_or(0);
        let mut extended = 0;
        let stopped = loop {
            match self.think(game, &pool, task) {
                StopReason::Simulations if extended < asked / 4 && self.members[0].is_undecided() => {
                    // In small steps, so that the search ends as soon as the decision is clear.
                    extended += asked.div_ceil(32);
                    pool.go_on(asked.div_ceil(32));
                }
                StopReason::Done if self.reclaims => {
                    let is_freed = self.reclaim(budget.nodes);
                    pool.has_room(is_freed);
                }
                reason => break reason,
            }
        };
        let totals = self.totals();
        let seconds = pool.elapsed().as_secs_f64();
        if stopped == StopReason::Time && totals.simulations > 0 {
            self.simulations_per_second = Some(totals.simulations as f64 / seconds.max(1e-6));
        }
        let (first, others) = self.first_and_others();
        others.iter_mut().for_each(|other| other.tree.detach());
        let mv = first.decide();
        let explanation = task.explain.then(|| Analysis {
            elapsed: pool.elapsed(),
            stopped: Some(stopped),
            totals,
            ..first.analysis()
        });
        Decision { mv, simulations: totals.simulations, explanation }
    }

    fn look(&self, path: &[G::Move]) -> Option<Insight<G::Move>> {
        self.members[0].look(path)
    }

    fn new_game(&mut self) {
        for member in &mut self.members {
            member.new_game();
        }
    }

    fn describe(&self) -> String {
        self.members[0].describe()
    }

    fn budget(&self) -> Budget {
        self.members[0].pace().budget
    }
}
