//! Monte-Carlo tree search: the loop that takes a simulation through selection, expansion, play-out, solver and
//! backpropagation.

use crate::amaf::AllMovesAsFirst;
#[cfg(feature = "std")]
use crate::amaf::Blend;
use crate::analysis::{Analysis, Position};
use crate::backpropagate::{Step, add_to_path, outcome_of};
use crate::decide;
use crate::expand::Expansion;
use crate::ideas::{Chosen, Ideas};
use crate::insight::{self, Insight};
use crate::nodes::Nodes;
use crate::playout::learner::NO_MOVE;
use crate::playout::{
    ActionValues, Base, GamePolicy, Learned, Outcomes, PlayoutLimits, Scope, Simulation, Uniform, play, play_apart,
};
use crate::reclaim;
use crate::reward::{Leaf, Reward, Rewards, Sample, Start, Steepness};
use crate::search::{Pace, Search};
use crate::select::{History, Rule, Selection};
use crate::settings::{FinalMove, Full, MctsSettings, Quirks, Solver};
#[cfg(feature = "std")]
use crate::settings::{RewardSettings, Select};
#[cfg(feature = "std")]
use crate::shared::ValuePool;
use crate::solver;
use crate::tree::{MOST_VISITS, NodeId, Parts, Proof, ROOT, Tree};
use alloc::vec::Vec;
use spinney_core::game::{Game, Outcome, Player, Turn, no_luck};
use spinney_core::list::List;
#[cfg(feature = "std")]
use spinney_core::{
    InputError,
    options::{GameKind, OptionSet},
};
use spinney_core::{Random, Seed, Workspace, lanes};

/// Totals over the simulations of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Simulations.
    pub simulations: u64,
    /// Simulations that ended in a play-out or at the end of the game, not in a proven node.
    pub playouts: u64,
    /// Sum of their lengths d in plies.
    pub length_plies: u64,
    /// Sum of the depths of their leaves.
    pub depth_plies: u64,
    /// Depth of the deepest leaf.
    pub deepest_plies: u32,
}

impl Totals {
    /// No simulations.
    pub const NONE: Self = Self { simulations: 0, playouts: 0, length_plies: 0, depth_plies: 0, deepest_plies: 0 };

    /// The totals of two parts of a search together.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        Self {
            simulations: self.simulations + other.simulations,
            playouts: self.playouts + other.playouts,
            length_plies: self.length_plies + other.length_plies,
            depth_plies: self.depth_plies + other.depth_plies,
            deepest_plies: self.deepest_plies.max(other.deepest_plies),
        }
    }

    /// Counts a simulation of this length that left the tree at this depth.
    #[inline(always)]
    pub(crate) fn count_playout(&mut self, length: u32, depth: u32) {
        self.playouts += 1;
        self.length_plies += u64::from(length);
        self.depth_plies += u64::from(depth);
        self.deepest_plies = self.deepest_plies.max(depth);
    }
}

/// A search for one game, kept between moves so that its memory is used again. `I` are ideas of one's own, `T` is the tree:
/// its own, or one that it shares with others.
///
/// ```
/// use spinney_core::{Game, Seed};
/// use spinney_search::{Agent, Driven, Mcts, Position, Task};
/// let game = spinney_games::TicTacToe;
/// let mut agent = Driven::new(Mcts::new(&game, &Default::default()).unwrap());
/// let state = game.initial();
/// let decision = agent.choose(&game, &Position::new(&state), &mut Task::new(Seed::new(1)));
/// assert!(decision.mv < 9);
/// ```
#[derive(Debug)]
pub struct Mcts<G: Game, I: Ideas = (), T = Tree<<G as Game>::Move>> {
    settings: MctsSettings,
    /// As they were given, with the game's own parameters filled in: what a reader wants to see.
    #[cfg(feature = "std")]
    described: MctsSettings,
    policy: bool,
    limits: PlayoutLimits,
    pub(crate) quirks: Quirks,
    pub(crate) rule: Rule<I::Selection>,
    pub(crate) expansion: Expansion,
    pub(crate) tree: T,
    /// Where a kept subtree is copied to; the two trees then change places.
    spare: Option<T>,
    pub(crate) root: G::State,
    root_player: Player,
    /// The moves that led to the root of the tree, to recognise the next position below it.
    history: Vec<G::Move>,
    /// Whether the last search belongs to the game that is being played.
    in_game: bool,
    random: Random,
    pub(crate) path: List<Step>,
    pub(crate) work: Workspace<G>,
    pub(crate) learned: Learned<I::Learner>,
    pub(crate) amaf: AllMovesAsFirst,
    pub(crate) learns: bool,
    rewards: Rewards,
    own_reward: I::Reward,
    simulations_per_second: u32,
    totals: Totals,
    /// What threads that share the tree learn together.
    #[cfg(feature = "std")]
    pub(crate) pool: Option<ValuePool>,
}

/// Whether parts of the tree are kept in a copy, which takes half of the memory.
fn is_copied(settings: &MctsSettings) -> bool {
    settings.reuse || settings.full == Full::Reclaim
}

/// A tree that is copied when it is used again keeps no order but that of places.
fn parts_of<S: Selection>(rule: &Rule<S>, is_copied: bool) -> Parts {
    let (whole, ordered) = (rule.needs_whole_nodes(), rule.needs_order());
    Parts {
        priors: rule.needs_priors(),
        amaf: rule.needs_amaf(),
        compact: !whole && (!ordered || !is_copied),
        ordered,
        ..Parts::default()
    }
}

/// A simulation on its way to where its reward is altered: in registers on a card, which would have to write it down, and in
/// memory on a processor, whose searches are 1.4 % longer otherwise.
#[cfg(target_arch = "nvptx64")]
type Handed<'a> = Simulation;
#[cfg(not(target_arch = "nvptx64"))]
type Handed<'a> = &'a Simulation;

/// Makes one of a simulation.
macro_rules! handed {
    ($simulation:ident) => {{
        #[cfg(target_arch = "nvptx64")]
        {
            $simulation
        }
        #[cfg(not(target_arch = "nvptx64"))]
        {
            &$simulation
        }
    }};
}

/// Where a simulation has left the tree.
enum End {
    /// At a leaf, from which it is played out.
    Leaf,
    /// At the end of the game.
    Over(Outcome),
    /// At a node whose value is proven.
    Proven,
}

#[cfg(feature = "std")]
impl<G: Game> Mcts<G> {
    /// A search with these settings; what they leave open is as published for the game.
    pub fn new(game: &G, settings: &MctsSettings) -> Result<Self, InputError> {
        Self::with_ideas(game, settings, &())
    }
}

impl<G: Game, I: Ideas> Mcts<G, I> {
    /// A search with these settings and ideas of one's own; what they leave open is as published for the game.
    #[cfg(feature = "std")]
    pub fn with_ideas(game: &G, settings: &MctsSettings, ideas: &I) -> Result<Self, InputError> {
        Self::with_nodes(game, settings, ideas)
    }
}

impl<G: Game, I: Ideas, T: Nodes<Move = G::Move>> Mcts<G, I, T> {
    /// A search with settings that leave nothing open ([`MctsSettings::resolved`]) and fit the game, at which nobody looks
    /// again. `replacing` is k of a sigmoid that replaces the reward.
    pub fn of_resolved(game: &G, settings: MctsSettings, replacing: Steepness, chosen: Chosen<I>) -> Self {
        Self::of_nodes(game, settings, replacing, chosen)
    }

    /// A search on any tree; what its settings leave open is as published for the game.
    #[cfg(feature = "std")]
    pub(crate) fn with_nodes(game: &G, settings: &MctsSettings, ideas: &I) -> Result<Self, InputError> {
        settings.check_ideas(ideas)?;
        settings.check_fit("mcts", const { GameKind::of::<G>() })?;
        let published = game.published();
        let given = settings;
        let options = MctsSettings::published(&published)?;
        let settings = given.resolved(&options, const { G::POLICY.is_some() });
        if settings.select.standard() == Select::Puct && settings.terms.bias > 0.0 {
            let problem = "progressive bias does not go with PUCT";
            return Err(InputError::conflict("mcts, option bias", problem, "leave one of the two out"));
        }
        let playout = settings.playout.clone().unwrap_or_default();
        let needs_evaluation = settings.terms.bias > 0.0 || playout.cutoff.is_some();
        if needs_evaluation && game.evaluate(&game.initial(), Player::First).is_none() {
            let problem = "the game has no evaluation function";
            return Err(InputError::unsupported("mcts, option bias or cutoff", problem, "leave it out for this game"));
        }
        if settings.rewards.misses_joint_bonus() {
            let problem = "a joint weight needs both bonuses";
            return Err(InputError::conflict("mcts, option rb or qb", problem, "write rb(a=joint), qb(a=joint)"));
        }
        Blend::check(&settings)?;
        let described = MctsSettings {
            sims: settings.budget(published.simulations_per_second).simulations,
            c: settings.c,
            playout: settings.playout.clone(),
            rewards: RewardSettings {
                rb: settings.rewards.rb.clone(),
                qb: settings.rewards.qb.clone(),
                ..given.rewards.clone()
            },
            ..given.clone()
        };
        let chosen = Chosen {
            learner: ideas.learner(&playout.own, &Self::scope(game, &settings))?,
            selection: ideas.selection(settings.select.own())?,
            reward: ideas.reward(settings.rewards.reward.own())?,
        };
        let replacing = RewardSettings::steepness(&options.rewards.qb);
        Ok(Self { described, ..Self::of_nodes(game, settings, replacing, chosen) })
    }

    /// What its learners learn of.
    fn scope(game: &G, settings: &MctsSettings) -> Scope {
        let mut scope = Scope::new(game.move_ids(), Outcomes::Results);
        scope.late_ties = settings.deviations.in_force().late_ties;
        scope.has_runs = G::MOVE_RUNS.is_some() || G::MOVE_SETS.is_some();
        scope
    }

    fn of_nodes(game: &G, settings: MctsSettings, replacing: Steepness, chosen: Chosen<I>) -> Self {
        let playout = settings.playout.clone().unwrap_or_default();
        let quirks = settings.deviations.in_force();
        let rule = Rule::new(&settings, chosen.selection);
        let rewards = Rewards::new(&settings.rewards, quirks, replacing);
        let own_reward = chosen.reward;
        let mut limits = playout.limits();
        if rewards.need_quality() || own_reward.needs_quality() {
            limits.quality = playout.quality();
        }
        let is_copied = is_copied(&settings);
        let trees = if is_copied { 2 } else { 1 };
        let parts = parts_of(&rule, is_copied);
        let tree = || T::new((settings.memory as usize) * 1_000_000 / trees, parts);
        let has_history = settings.terms.history > 0.0;
        Self {
            #[cfg(feature = "std")]
            described: settings.clone(),
            policy: playout.policy.unwrap_or(false),
            limits,
            quirks,
            learns: playout.learns() || has_history || rule.needs_amaf(),
            rule,
            expansion: Expansion::new(&settings),
            tree: tree(),
            spare: is_copied.then(tree),
            root: game.initial(),
            root_player: Player::First,
            history: Vec::new(),
            in_game: false,
            random: Random::new(Seed::new(0)),
            path: List::with_capacity(256),
            work: Workspace::new(),
            learned: Learned::new(&playout, has_history, &Self::scope(game, &settings), chosen.learner),
            amaf: AllMovesAsFirst::new(&settings.terms, game.move_ids()),
            rewards,
            own_reward,
            simulations_per_second: game.published().simulations_per_second,
            totals: Totals::default(),
            #[cfg(feature = "std")]
            pool: None,
            settings,
        }
    }

    /// Keeps what every simulation gives, from the next search on, for diagnosis.
    pub fn keep_samples(&mut self) {
        self.limits.quality = self.settings.playout.clone().unwrap_or_default().quality();
        self.rewards.keep_samples();
    }

    /// What the simulations of the last search gave, if it was to be kept; proven ones are left out.
    pub fn samples(&self) -> &[Sample] {
        self.rewards.samples()
    }

    /// The settings with nothing left open.
    pub fn settings(&self) -> &MctsSettings {
        &self.settings
    }

    fn final_move(&self) -> FinalMove {
        self.settings.final_move.unwrap_or_default()
    }

    /// What its tree holds beside what every search needs.
    pub fn parts(&self) -> Parts {
        parts_of(&self.rule, is_copied(&self.settings))
    }

    /// Changes trees between searches, so that agents who move in turn can use one; it must have the same parts.
    pub fn swap_tree(&mut self, other: &mut T) {
        core::mem::swap(&mut self.tree, other);
    }

    /// Changes places with another search of the same game, but for the memory that both only work with, which may be large.
    #[inline(never)]
    pub fn change_places(&mut self, other: &mut Self) {
        macro_rules! exchange {
            ($($field:ident)+) => {
                // A new field is missed here.
                let Self { $($field,)+ #[cfg(feature = "std")] described, #[cfg(feature = "std")] pool, work: _, path: _ } = self;
                $(core::mem::swap($field, &mut other.$field);)+
                #[cfg(feature = "std")]
                {
                    core::mem::swap(described, &mut other.described);
                    core::mem::swap(pool, &mut other.pool);
                }
            };
        }
        exchange! {
            settings policy limits quirks rule expansion tree spare root root_player history in_game random learned amaf
            learns rewards own_reward simulations_per_second totals
        }
    }

    /// The tree of the last search.
    pub fn tree(&self) -> &T {
        &self.tree
    }

    /// The numbers of the last two moves of the game, the last first.
    fn moves_before(&self, game: &G, position: &Position<'_, G>) -> [u32; 2] {
        let mut players = [self.root_player.other(), self.root_player].into_iter();
        let mut numbers = position
            .history
            .iter()
            .rev()
            .map(|&mv| players.next().map(|player| ActionValues::index(player, game.move_id(position.state, mv))));
        [(); 2].map(|()| numbers.next().flatten().unwrap_or(NO_MOVE))
    }

    /// If the tree holds `position` below its root, makes that the root.
    fn keep_subtree(&mut self, game: &G, position: &Position<'_, G>) -> bool {
        let Some(spare) = self.spare.as_mut().filter(|_| self.settings.reuse) else { return false };
        let Some(moves) = position.history.strip_prefix(self.history.as_slice()) else { return false };
        let mut state = self.root.clone();
        let mut node = ROOT;
        for &mv in moves {
            let tree = &self.tree;
            let found = tree.children(node).find(|&child| tree.mv(child) == mv);
            // Not opened yet, so that nothing is known of it.
            let Some(child) = found else { return false };
            node = child;
            game.advance(&mut state, mv, &mut self.work);
        }
        if state != *position.state || !self.tree.is_expanded(node) {
            return false;
        }
        self.tree.copy_subtree(node, spare, 0);
        core::mem::swap(&mut self.tree, spare);
        self.tree.is_expanded(ROOT)
    }

    /// Gives up what was visited least, if that is wanted; false if it makes no room.
    #[cold]
    pub(crate) fn reclaim(&mut self) -> bool {
        let Some(spare) = self.spare.as_mut().filter(|_| self.settings.full == Full::Reclaim) else { return false };
        let Some(least) = reclaim::least_visits(&self.tree, 0.5) else { return false };
        let before = self.tree.bytes();
        self.tree.copy_subtree(ROOT, spare, least);
        core::mem::swap(&mut self.tree, spare);
        self.tree.bytes() < before / 8 * 7
    }

    /// Its trees, the one in use first.
    #[cfg(feature = "std")]
    pub(crate) fn trees(&mut self) -> impl Iterator<Item = &mut T> {
        core::iter::once(&mut self.tree).chain(&mut self.spare)
    }

    /// Leaves copies of the tree to others.
    #[cfg(feature = "std")]
    pub(crate) fn drop_spare(&mut self) {
        self.spare = None;
    }

    /// One simulation: down the tree, out to the end of the game, and back.
    fn run<B: Base, const LEARN: bool>(&mut self, game: &G) {
        self.totals.simulations += 1;
        let mut state = self.root.clone();
        let end = if const { T::SHARED } {
            self.descend::<true>(game, &mut state)
        } else {
            self.descend::<LEARN>(game, &mut state)
        };
        lanes::converge();
        let depth = self.path.len() as u32 - 1;
        let simulation = match end {
            End::Proven => None,
            End::Over(outcome) => Some(Simulation::ended(game, &state, outcome, depth, self.limits.quality)),
            End::Leaf => Some(self.play_out::<B, LEARN>(game, state, depth)),
        };
        lanes::converge();
        let Some(simulation) = simulation else { return self.backpropagate_proof(game) };
        if const { I::COMPILED.totals } {
            self.totals.count_playout(simulation.length, depth);
        }
        let is_altered = self.rewards.is_active() || self.own_reward.is_present();
        let reward = if is_altered { self.altered(handed!(simulation)) } else { simulation.reward };
        add_to_path(&mut self.tree, &self.path, reward);
        if LEARN {
            let moves = self.learned.played.len();
            self.learned.teach(moves, outcome_of(simulation.reward), reward);
            if self.rule.needs_amaf() {
                self.amaf.teach(&mut self.tree, &self.path, &self.learned.played, reward);
            }
            #[cfg(feature = "std")]
            if T::SHARED
                && let (Some(pool), Some(values)) = (&mut self.pool, self.learned.values_mut())
            {
                pool.visit(values);
            }
        }
    }

    /// From a leaf to the end of the game. The state comes by value: nothing else has looked at the copy, so that it can
    /// live in registers.
    #[inline(always)]
    fn play_out<B: Base, const LEARN: bool>(&mut self, game: &G, mut state: G::State, depth: u32) -> Simulation {
        if const { !T::INLINED && !(T::SHARED && LEARN) } {
            let Self { limits, random, work, learned, .. } = self;
            return play_apart::<G, B, I::Learner, LEARN>(game, state, depth, *limits, random, work, learned);
        }
        // A generator of one's own lives in registers too.
        let mut random = self.random.clone();
        let (work, learned) = (&mut self.work, &mut self.learned);
        let simulation =
            play::<G, B, I::Learner, LEARN>(game, &mut state, depth, self.limits, &mut random, work, learned);
        self.random = random;
        simulation
    }

    /// From the root to where the simulation leaves the tree, which grows by the children of a leaf. One function for
    /// all base policies: a call costs nothing beside a simulation, and copies cost time to build. Where threads share the
    /// tree it is also one for all that may learn.
    #[inline(never)]
    fn descend<const LEARN: bool>(&mut self, game: &G, state: &mut G::State) -> End {
        let learns = if const { T::SHARED } { self.learns } else { LEARN };
        self.path.clear();
        if learns {
            self.learned.begin_simulation();
            self.amaf.begin_simulation();
        }
        let mut node = ROOT;
        let mut player = self.root_player;
        self.path.push(Step { node, player: player.other(), draw_in_hand: false });
        loop {
            if !self.tree.is_expanded(node) {
                if let Turn::Over(outcome) = game.turn(state) {
                    return End::Over(outcome);
                }
                match self.expand(game, state, player, node) {
                    None => {
                        if !T::SHARED && self.reclaim() {
                            state.clone_from(&self.root);
                            return self.descend::<LEARN>(game, state);
                        }
                        // The tree is full: this leaf is played out again.
                        return End::Leaf;
                    }
                    Some(Some(winning)) => {
                        self.step_to(winning, player);
                        return End::Proven;
                    }
                    Some(None) => {}
                }
            }
            let lends = learns && I::Selection::TERMS && self.amaf.prepare(&self.tree, node, player.index());
            let lent = lends.then_some(&self.amaf);
            let history = History { game, state, player, values: self.learned.values(), lent };
            let mut child = self.rule.choose(&mut self.tree, node, &mut self.random, &history);
            if self.tree.proof(child) == Proof::Draw {
                child = self.tree.make_whole(node, child).unwrap_or(child);
                if let Some(other) = self.rule.best_unproven(&self.tree, node, &history) {
                    let here = self.path.len() - 1;
                    self.path[here].draw_in_hand = true;
                    child = other;
                }
            }
            self.step_to(child, player);
            let mv = self.tree.mv(child);
            if learns {
                self.learned.made(player, game.move_id(state, mv));
            }
            if self.tree.proof(child) != Proof::Unknown {
                return End::Proven;
            }
            game.advance(state, mv, &mut self.work);
            if self.tree.visits(child) == 0 {
                self.tree.arrive(child, || game.key(state));
                if !self.expansion.looks_ahead
                    && self.expansion.solver != Solver::Off
                    && let Turn::Over(outcome) = game.turn(state)
                    && let Some(proof) = self.expansion.proof_of(outcome, player)
                {
                    if self.tree.is_ordered() {
                        // It stays among those that have not been visited, which are counted in the order of moves.
                        child = self.tree.make_whole(node, child).unwrap_or(child);
                        let here = self.path.len() - 1;
                        self.path[here].node = child;
                    }
                    self.tree.prove(child, proof);
                    return End::Proven;
                }
                return End::Leaf;
            }
            player = match game.turn(state) {
                Turn::Player(player) => player,
                Turn::Over(outcome) => return End::Over(outcome),
                Turn::Chance => no_luck(),
            };
            node = child;
        }
    }

    /// Prepares a search of `position` on the tree as it is.
    pub(crate) fn begin_on_tree(&mut self, game: &G, position: &Position<'_, G>, expected: u64, seed: Seed) {
        let further = position.history.strip_prefix(self.history.as_slice());
        let same_game = self.in_game && further.is_some_and(|moves| !moves.is_empty());
        self.in_game = true;
        self.root.clone_from(position.state);
        self.root_player = match game.turn(position.state) {
            Turn::Player(player) => player,
            Turn::Over(_) | Turn::Chance => Player::First,
        };
        self.history.clear();
        self.history.extend_from_slice(position.history);
        self.random = Random::new(seed);
        self.learned.begin_search(self.root_player, self.moves_before(game, position));
        self.totals = Totals::default();
        if !self.tree.is_expanded(ROOT) {
            let root = self.root.clone();
            if self.expand(game, &root, self.root_player, ROOT).flatten().is_some() {
                self.tree.prove(ROOT, Proof::Loss);
            }
        }
        self.own_reward.begin(self.root_player);
        self.rewards.begin(Start {
            searcher: self.root_player,
            plies: position.history.len(),
            same_game,
            expected,
            moves: self.tree.child_count(ROOT) as usize,
        });
    }

    /// The simulation goes on to a child.
    #[inline(always)]
    fn step_to(&mut self, node: NodeId, player: Player) {
        self.tree.enter(node);
        self.path.push(Step { node, player, draw_in_hand: false });
    }

    #[inline(never)]
    #[cfg_attr(not(target_arch = "nvptx64"), expect(clippy::needless_borrow, reason = "on a card it comes by value"))]
    fn altered(&mut self, simulation: Handed<'_>) -> f32 {
        let mut reward = simulation.reward;
        if self.rewards.is_active() {
            let subtree = self.path.get(1).map_or(0, |step| self.tree.number_of(ROOT, step.node));
            let (simulations, depth) = (self.totals.simulations, self.path.len() - 1);
            reward = self.rewards.alter(&simulation, Leaf { simulations, depth, subtree: subtree as usize });
        }
        self.own_reward.alter(reward, &simulation)
    }

    #[inline(never)]
    pub(crate) fn expand(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        node: NodeId,
    ) -> Option<Option<NodeId>> {
        self.expansion.expand(game, state, player, &mut self.tree, node, &mut self.work, &mut self.random)
    }
}

impl<G: Game, I: Ideas, T: Nodes<Move = G::Move>> Search<G> for Mcts<G, I, T> {
    fn new_game(&mut self) {
        self.tree.clear();
        self.in_game = false;
    }

    fn begin(&mut self, game: &G, position: &Position<'_, G>, expected: u64, seed: Seed) {
        if !(self.in_game && self.keep_subtree(game, position)) {
            self.tree.clear();
        }
        self.begin_on_tree(game, position, expected, seed);
    }

    #[inline]
    fn simulate(&mut self, game: &G, _: &dyn Fn() -> bool) -> bool {
        let policy = const { G::POLICY.is_some() && I::COMPILED.policy } && (!I::COMPILED.uniform || self.policy);
        let learns = I::COMPILED.learning && (!I::COMPILED.still || !T::STILL || self.learns);
        match (policy, learns) {
            (false, false) if const { I::COMPILED.uniform && I::COMPILED.still && T::STILL } => {
                self.run::<Uniform, false>(game);
            }
            (false, true) if const { I::COMPILED.uniform && I::COMPILED.learning } => self.run::<Uniform, true>(game),
            (true, false) if const { G::POLICY.is_some() && I::COMPILED.policy && I::COMPILED.still && T::STILL } => {
                self.run::<GamePolicy, false>(game);
            }
            (true, true) if const { G::POLICY.is_some() && I::COMPILED.policy && I::COMPILED.learning } => {
                self.run::<GamePolicy, true>(game);
            }
            _ => {}
        }
        true
    }

    fn totals(&self) -> Totals {
        self.totals
    }

    fn nodes(&self) -> u64 {
        self.tree.count() as u64
    }

    fn is_settled(&self) -> bool {
        match self.tree.proof(ROOT) {
            Proof::Unknown => false,
            // The root's value is in the view of the opponent: a win means that every move loses.
            Proof::Win => !self.quirks.runs_on,
            Proof::Loss | Proof::Draw => true,
        }
    }

    fn is_exhausted(&self) -> bool {
        self.tree.visits(ROOT) >= MOST_VISITS - 1
    }

    fn is_undecided(&self) -> bool {
        self.final_move() == FinalMove::RobustMax && !decide::is_robust_max(&self.tree)
    }

    fn analysis(&mut self) -> Analysis<G::Move> {
        Analysis {
            candidates: insight::candidates(&self.tree, ROOT, self.final_move()),
            proof: solver::opposite(self.tree.proof(ROOT)),
            totals: self.totals,
            nodes: self.tree.count() as u64,
            bytes: self.tree.bytes() as u64,
            ..Analysis::nothing()
        }
    }

    fn decide(&mut self) -> G::Move {
        decide::final_move(&self.tree, self.final_move())
    }

    fn look(&self, path: &[G::Move]) -> Option<Insight<G::Move>> {
        insight::insight(&self.tree, path, self.final_move())
    }

    fn pace(&self) -> Pace {
        let budget = self.settings.budget(self.simulations_per_second);
        let extra = u64::from(self.quirks.extra_simulation);
        Pace { budget, simulations_per_second: self.simulations_per_second, extra }
    }

    #[cfg(feature = "std")]
    fn describe(&self) -> String {
        self.described.changed("mcts").to_string()
    }
}
