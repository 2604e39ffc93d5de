//! Monte-Carlo tree search: the loop that takes a simulation through selection, expansion, play-out, solver and
//! backpropagation.

use crate::agent::{Agent, Analysis, Decision, Position, Task};
use crate::amaf::{AllMovesAsFirst, Blend};
use crate::backpropagate::{Step, add_to_path, outcome_of};
use crate::budget::{Budget, StopReason, Watch};
use crate::decide;
use crate::expand::Expansion;
use crate::insight::{self, Insight};
use crate::playout::cmc::NO_MOVE;
use crate::playout::{ActionValues, Base, GamePolicy, Learned, Lesson, Limits, Lists, Outcomes, Simulation, Uniform};
use crate::playout::{in_view_of, play};
use crate::reward::{Leaf, Rewards, Sample, Start};
use crate::select::{History, Rule};
use crate::settings::{AgentSettings, FinalMove, MctsSettings, Quirks, Select, Solver};
use crate::solver::{self, Verdict};
use crate::tree::{MOST_VISITS, NodeId, Parts, Proof, ROOT, Tree};
use crate::variance::CommonNumbers;
use spinney_core::game::{Game, Player, Turn};
use spinney_core::{InputError, Random, Seed};
use std::time::Duration;

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

/// A search for one game, kept between moves so that its memory is used again.
///
/// ```
/// use spinney_core::{Game, Seed};
/// use spinney_search::{Agent, Mcts, Position, Task};
/// let game = spinney_games::TicTacToe;
/// let mut agent = Mcts::new(&game, &Default::default()).unwrap();
/// let state = game.initial();
/// let decision = agent.choose(&game, &Position::new(&state), &mut Task::new(Seed::new(1)));
/// assert!(decision.mv < 9);
/// ```
#[derive(Debug)]
pub struct Mcts<G: Game> {
    settings: MctsSettings,
    /// As they were given, with the game's own parameters filled in: what a reader wants to see.
    described: MctsSettings,
    budget: Budget,
    policy: bool,
    limits: Limits,
    quirks: Quirks,
    rule: Rule,
    expansion: Expansion,
    tree: Tree<G::Move>,
    /// Where a kept subtree is copied to; the two trees then change places.
    spare: Option<Tree<G::Move>>,
    root: G::State,
    root_player: Player,
    /// The moves that led to the root of the tree, to recognise the next position below it.
    history: Vec<G::Move>,
    /// Whether the last search belongs to the game that is being played.
    in_game: bool,
    random: Random,
    path: Vec<Step>,
    lists: Lists<G::Move>,
    learned: Learned,
    amaf: AllMovesAsFirst,
    learns: bool,
    lesson: Lesson,
    rewards: Rewards,
    /// Simulations that a second of thinking takes, as far as is known.
    simulations_per_second: f64,
    totals: Totals,
}

impl<G: Game> Mcts<G> {
    /// A search with these settings; what they leave open is as published for the game.
    pub fn new(game: &G, settings: &MctsSettings) -> Result<Self, InputError> {
        let parameters = game.parameters();
        let given = settings;
        let settings = given.resolved(&parameters, game.has_policy());
        if settings.select == Select::Puct && settings.bias > 0.0 {
            let problem = "progressive bias does not go with PUCT";
            return Err(InputError::conflict("mcts, option bias", problem, "leave one of the two out"));
        }
        let needs_evaluation = settings.bias > 0.0 || settings.playout.as_ref().is_some_and(|p| p.cutoff.is_some());
        if needs_evaluation && game.evaluate(&game.initial(), Player::First).is_none() {
            let problem = "the game has no evaluation function";
            return Err(InputError::unsupported("mcts, option bias or cutoff", problem, "leave it out for this game"));
        }
        if settings.cv || settings.av || settings.crn != CommonNumbers::Off || settings.loose {
            let problem = "the game has no chance";
            let place = "mcts, option cv, crn, av or loose";
            return Err(InputError::unsupported(place, problem, "leave it out for this game"));
        }
        if settings.misses_joint_bonus() {
            let problem = "a joint weight needs both bonuses";
            return Err(InputError::conflict("mcts, option rb or qb", problem, "write rb(a=joint), qb(a=joint)"));
        }
        Blend::check(&settings)?;
        let budget = settings.budget(&parameters);
        let playout = settings.playout.clone().unwrap_or_default();
        let rule = Rule::new(&settings);
        let learns = playout.learns() || settings.history > 0.0 || rule.needs_amaf();
        let lesson = playout.mast.as_ref().and_then(|mast| mast.learn).unwrap_or_default();
        let quirks = settings.quirks_in_force();
        let rewards = Rewards::new(&settings, parameters.qualitative_steepness);
        let mut limits = playout.limits();
        if rewards.need_quality() {
            limits.quality = playout.quality();
        }
        let trees = if settings.reuse { 2 } else { 1 };
        let parts = Parts { priors: rule.needs_priors(), amaf: rule.needs_amaf(), ..Parts::default() };
        let tree = || Tree::new((settings.memory as usize) * 1_000_000 / trees, parts);
        let described = MctsSettings {
            sims: budget.simulations,
            c: settings.c,
            playout: settings.playout.clone(),
            rb: settings.rb.clone(),
            qb: settings.qb.clone(),
            ..given.clone()
        };
        Ok(Self {
            described,
            budget,
            policy: playout.policy.unwrap_or(false),
            limits,
            quirks,
            rule,
            expansion: Expansion::new(&settings),
            tree: tree(),
            spare: settings.reuse.then(tree),
            root: game.initial(),
            root_player: Player::First,
            history: Vec::new(),
            in_game: false,
            random: Random::new(Seed::new(0)),
            path: Vec::with_capacity(256),
            lists: Lists::default(),
            learned: Learned::new(
                &playout,
                settings.history > 0.0,
                quirks.late_ties,
                game.move_ids(),
                Outcomes::Results,
            ),
            amaf: AllMovesAsFirst::new(&settings, game.move_ids()),
            learns,
            lesson,
            rewards,
            simulations_per_second: f64::from(parameters.simulations_per_second),
            totals: Totals::default(),
            settings,
        })
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

    /// The tree of the last search.
    pub fn tree(&self) -> &Tree<G::Move> {
        &self.tree
    }

    /// Totals of the last search.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Prepares a search of `position`, which must not be over, of about `expected` simulations. Keeps what is known
    /// of it if settings say so.
    pub fn begin(&mut self, game: &G, position: &Position<'_, G>, expected: u64, seed: Seed) {
        let further = position.history.strip_prefix(self.history.as_slice());
        let (known, same_game) = (self.in_game, self.in_game && further.is_some_and(|moves| !moves.is_empty()));
        self.in_game = true;
        if !(known && self.keep_subtree(game, position)) {
            self.tree.clear();
        }
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
        self.rewards.begin(Start {
            searcher: self.root_player,
            plies: position.history.len(),
            same_game,
            expected,
            moves: self.tree.children(ROOT).len(),
        });
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

    /// How many simulations this budget allows: as many as it says, or as fit into its time.
    fn expected_simulations(&self, budget: &Budget) -> u64 {
        let seconds = [budget.time, budget.cpu_time].into_iter().flatten().min();
        let fitting = seconds.map(|time| (time.as_secs_f64() * self.simulations_per_second) as u64);
        [budget.simulations, fitting].into_iter().flatten().min().unwrap_or(0)
    }

    /// If the tree holds `position` below its root, makes that the root.
    fn keep_subtree(&mut self, game: &G, position: &Position<'_, G>) -> bool {
        let Some(spare) = &mut self.spare else { return false };
        let Some(moves) = position.history.strip_prefix(self.history.as_slice()) else { return false };
        let mut state = self.root.clone();
        let mut node = ROOT;
        for &mv in moves {
            let tree = &self.tree;
            match tree.children(node).find(|&child| tree.mv(child) == mv) {
                Some(child) => node = child,
                None => return false,
            }
            game.apply(&mut state, mv);
        }
        if state != *position.state || !self.tree.is_expanded(node) {
            return false;
        }
        self.tree.copy_subtree(node, spare);
        std::mem::swap(&mut self.tree, spare);
        self.tree.is_expanded(ROOT)
    }

    /// Runs simulations until the watch says stop or `pause` has gone by; `None` means pause.
    pub fn advance(&mut self, game: &G, watch: &Watch<'_>, pause: Option<Duration>) -> Option<StopReason> {
        match (self.policy, self.learns) {
            (false, false) => self.run::<Uniform, false>(game, watch, pause),
            (false, true) => self.run::<Uniform, true>(game, watch, pause),
            (true, false) => self.run::<GamePolicy, false>(game, watch, pause),
            (true, true) => self.run::<GamePolicy, true>(game, watch, pause),
        }
    }

    fn run<B: Base, const LEARN: bool>(
        &mut self,
        game: &G,
        watch: &Watch<'_>,
        pause: Option<Duration>,
    ) -> Option<StopReason> {
        let pause_at = pause.map(|pause| watch.elapsed() + pause);
        loop {
            if let Some(reason) = watch.reached(self.totals.simulations, self.tree.len() as u64, self.is_settled()) {
                return Some(reason);
            }
            if self.tree.visits(ROOT) >= MOST_VISITS - 1 {
                return Some(StopReason::Simulations);
            }
            if self.totals.simulations & 63 == 63 && pause_at.is_some_and(|at| watch.elapsed() >= at) {
                // The next call finds the same count, so this one must not end here again without work.
                self.simulate::<B, LEARN>(game);
                return None;
            }
            self.simulate::<B, LEARN>(game);
        }
    }

    /// Whether more simulations cannot change the decision.
    fn is_settled(&self) -> bool {
        match self.tree.proof(ROOT) {
            Proof::Unknown => false,
            // The root's value is in the view of the opponent: a win means that every move loses.
            Proof::Win => !self.quirks.runs_on,
            Proof::Loss | Proof::Draw => true,
        }
    }

    /// One simulation.
    #[inline(always)]
    fn simulate<B: Base, const LEARN: bool>(&mut self, game: &G) {
        self.totals.simulations += 1;
        self.path.clear();
        if LEARN {
            self.learned.begin_simulation();
            self.amaf.begin_simulation();
        }
        let mut state = self.root.clone();
        let mut node = ROOT;
        let mut player = self.root_player;
        self.path.push(Step { node, player: player.other(), draw_in_hand: false });
        let simulation = loop {
            if !self.tree.is_expanded(node) {
                let depth = self.path.len() as u32 - 1;
                if let Turn::Over(outcome) = game.turn(&state) {
                    break Simulation::ended(game, &state, outcome, depth, self.limits.quality);
                }
                match self.expand(game, &state, player, node) {
                    // The tree is full: this leaf is played out again.
                    None => break self.play_out::<B, LEARN>(game, &mut state, depth),
                    Some(Some(winning)) => {
                        self.path.push(Step { node: winning, player, draw_in_hand: false });
                        return self.backpropagate_proof::<LEARN>(game);
                    }
                    Some(None) => {}
                }
            }
            let lends = LEARN && self.amaf.prepare(&self.tree, node, player.index());
            let lent = lends.then_some(&self.amaf);
            let history = History { game, state: &state, player, values: &self.learned.values, lent };
            let mut child = self.rule.choose(&mut self.tree, node, &mut self.random, &history);
            if self.tree.proof(child) == Proof::Draw
                && let Some(other) = self.rule.best_unproven(&self.tree, node, &history)
            {
                let here = self.path.len() - 1;
                self.path[here].draw_in_hand = true;
                child = other;
            }
            self.path.push(Step { node: child, player, draw_in_hand: false });
            let mv = self.tree.mv(child);
            if LEARN {
                self.learned.made(player, game.move_id(&state, mv));
            }
            if self.tree.proof(child) != Proof::Unknown {
                return self.backpropagate_proof::<LEARN>(game);
            }
            game.apply(&mut state, mv);
            let depth = self.path.len() as u32 - 1;
            if self.tree.visits(child) == 0 {
                if !self.expansion.looks_ahead
                    && self.expansion.solver != Solver::Off
                    && let Turn::Over(outcome) = game.turn(&state)
                    && let Some(proof) = self.expansion.proof_of(outcome, player)
                {
                    self.tree.prove(child, proof);
                    return self.backpropagate_proof::<LEARN>(game);
                }
                break self.play_out::<B, LEARN>(game, &mut state, depth);
            }
            player = match game.turn(&state) {
                Turn::Player(player) => player,
                Turn::Over(outcome) => {
                    break Simulation::ended(game, &state, outcome, depth, self.limits.quality);
                }
                Turn::Chance => unreachable!("games with chance have a loop of their own"),
            };
            node = child;
        };
        self.count(&simulation);
        let reward = if self.rewards.is_active() { self.altered(&simulation) } else { simulation.reward };
        add_to_path(&mut self.tree, &self.path, reward);
        if LEARN {
            let moves = self.learned.played.len();
            let lesson = match self.lesson {
                Lesson::Outcome => outcome_of(simulation.reward),
                Lesson::Altered => reward,
            };
            self.learned.teach(moves, lesson, outcome_of(simulation.reward));
            if self.rule.needs_amaf() {
                self.amaf.teach(&mut self.tree, &self.path, &self.learned.played, reward);
            }
        }
    }

    #[inline(never)]
    fn altered(&mut self, simulation: &Simulation) -> f32 {
        // The root's children stand side by side from its first.
        let subtree = self.path.get(1).map_or(0, |step| step.node - self.tree.children(ROOT).start);
        self.rewards.alter(
            simulation,
            Leaf { simulations: self.totals.simulations, depth: self.path.len() - 1, subtree: subtree as usize },
        )
    }

    fn count(&mut self, simulation: &Simulation) {
        let depth = self.path.len() as u32 - 1;
        self.totals.playouts += 1;
        self.totals.length_plies += u64::from(simulation.length);
        self.totals.depth_plies += u64::from(depth);
        self.totals.deepest_plies = self.totals.deepest_plies.max(depth);
    }

    #[inline(always)]
    fn play_out<B: Base, const LEARN: bool>(&mut self, game: &G, state: &mut G::State, depth: u32) -> Simulation {
        let (random, lists, learned) = (&mut self.random, &mut self.lists, &mut self.learned);
        play::<G, B, LEARN>(game, state, depth, self.limits, random, lists, learned)
    }

    #[inline(always)]
    fn expand(&mut self, game: &G, state: &G::State, player: Player, node: NodeId) -> Option<Option<NodeId>> {
        self.expansion.expand(game, state, player, &mut self.tree, node, &mut self.lists, &mut self.random)
    }

    /// The last node of the path is proven. Proves its ancestors as far as that goes; the first one that stays
    /// open gets one ordinary result, and so do all above it.
    #[cold]
    fn backpropagate_proof<const LEARN: bool>(&mut self, game: &G) {
        while self.path.len() > 1 {
            let proven = self.path[self.path.len() - 1];
            let parent = self.path[self.path.len() - 2];
            match self.verdict(game, parent, proven.player) {
                Verdict::Proven(proof) => {
                    let proof = if parent.player == proven.player { proof } else { solver::opposite(proof) };
                    self.tree.prove(parent.node, proof);
                    self.path.pop();
                }
                Verdict::Open(_) => {
                    let reward = in_view_of(proven.player, solver::reward(self.tree.proof(proven.node)));
                    self.path.pop();
                    return self.backpropagate_solved::<LEARN>(reward);
                }
            }
        }
    }

    /// One ordinary result that the solver found, for every node left on the path.
    fn backpropagate_solved<const LEARN: bool>(&mut self, reward: f32) {
        let moves = (self.path.len() - 1).min(self.learned.played.len());
        let (ancestors, nearest) = self.path.split_at(self.path.len() - 1);
        let reward = add_to_path(&mut self.tree, nearest, reward);
        let reward_above = if self.quirks.solver_sign { -reward } else { reward };
        add_to_path(&mut self.tree, ancestors, reward_above);
        if LEARN {
            let outcome = outcome_of(reward_above);
            self.learned.teach(moves, outcome, outcome);
            if self.rule.needs_amaf() {
                self.amaf.teach(&mut self.tree, &self.path, &self.learned.played[..moves], reward_above);
            }
        }
    }

    /// What the children of `parent` prove for `player`, who moves there. A child that stands in the way and has
    /// no children yet is expanded: it may turn out to be lost as well.
    fn verdict(&mut self, game: &G, parent: Step, player: Player) -> Verdict {
        loop {
            let Verdict::Open(child) = solver::verdict(&self.tree, parent.node) else {
                return solver::verdict(&self.tree, parent.node);
            };
            if self.tree.is_expanded(child) || !self.expansion.looks_ahead {
                return Verdict::Open(child);
            }
            let state = self.state_below_path(game, child);
            let Turn::Player(next) = game.turn(&state) else { return Verdict::Open(child) };
            match self.expand(game, &state, next, child).flatten() {
                Some(_) => {
                    let proof = if next == player { Proof::Win } else { Proof::Loss };
                    self.tree.prove(child, proof);
                }
                None => return Verdict::Open(child),
            }
        }
    }

    /// The position after the moves of the path without its last, and then the move of `child`.
    fn state_below_path(&self, game: &G, child: NodeId) -> G::State {
        let mut state = self.root.clone();
        for step in &self.path[1..self.path.len() - 1] {
            game.apply(&mut state, self.tree.mv(step.node));
        }
        game.apply(&mut state, self.tree.mv(child));
        state
    }

    /// What the search has found so far.
    pub fn analysis(&self, elapsed: Duration, stopped: Option<StopReason>) -> Analysis<G::Move> {
        Analysis {
            candidates: insight::candidates(&self.tree, ROOT, self.final_move()),
            proof: solver::opposite(self.tree.proof(ROOT)),
            totals: self.totals,
            nodes: self.tree.len() as u64,
            bytes: self.tree.bytes() as u64,
            elapsed,
            stopped,
        }
    }
}

impl<G: Game> Agent<G> for Mcts<G> {
    fn choose(&mut self, game: &G, position: &Position<'_, G>, task: &mut Task<'_, G>) -> Decision<G::Move> {
        let mut budget = task.budget.unwrap_or(self.budget);
        if self.quirks.extra_simulation {
            budget.simulations = budget.simulations.map(|most| most + 1);
        }
        let mut watch = Watch::start(budget, task.stop);
        self.begin(game, position, self.expected_simulations(&budget), task.seed);
        let mut extended = false;
        let stopped = loop {
            match self.advance(game, &watch, task.interval()) {
                None => task.report(|| self.analysis(watch.elapsed(), None), &|path| self.look(path)),
                Some(StopReason::Simulations)
                    if self.final_move() == FinalMove::RobustMax && !extended && !decide::is_robust_max(&self.tree) =>
                {
                    // A quarter more, in small steps so that the search ends as soon as one child is both.
                    let asked = budget.simulations.unwrap_or(0);
                    watch = watch.extended(asked.div_ceil(32));
                    extended = watch.simulations().is_some_and(|most| most >= asked + asked / 4);
                }
                Some(reason) => break reason,
            }
        };
        if stopped == StopReason::Time {
            self.simulations_per_second = self.totals.simulations as f64 / watch.elapsed().as_secs_f64().max(1e-6);
        }
        let mv = decide::final_move(&self.tree, self.final_move());
        let explanation = task.explain.then(|| self.analysis(watch.elapsed(), Some(stopped)));
        Decision { mv, simulations: self.totals.simulations, explanation }
    }

    fn new_game(&mut self) {
        self.tree.clear();
        self.in_game = false;
    }

    fn look(&self, path: &[G::Move]) -> Option<Insight<G::Move>> {
        insight::insight(&self.tree, path, self.final_move())
    }

    fn budget(&self) -> Budget {
        self.budget
    }

    fn describe(&self) -> String {
        AgentSettings::Mcts(Box::new(self.described.clone())).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_games::TicTacToe;

    /// A root with two moves; after the first there are two replies, the first of which has been proven lost for
    /// the one who makes it. Returns the mean of the root's child and of the root after that is passed up.
    fn means_after_one_lost_reply(quirks: &str) -> [f32; 2] {
        let game = TicTacToe;
        let text = format!("mcts(quirks={quirks})").parse();
        let Ok(AgentSettings::Mcts(settings)) = text else { panic!("not mcts: {text:?}") };
        let mut search = Mcts::new(&game, &settings).unwrap();
        search.tree.clear();
        search.tree.add_children(ROOT, &[0, 1]);
        search.tree.add_children(1, &[2, 3]);
        search.tree.add_children(4, &[5]);
        search.tree.prove(3, Proof::Loss);
        let step = |node, player| Step { node, player, draw_in_hand: false };
        search.path = vec![step(ROOT, Player::Second), step(1, Player::First), step(3, Player::Second)];
        search.backpropagate_proof::<false>(&game);
        assert_eq!(search.tree.proof(1), Proof::Unknown);
        assert_eq!((search.tree.visits(3), search.tree.visits(1), search.tree.visits(ROOT)), (0, 1, 1));
        [search.tree.mean(1), search.tree.mean(ROOT)]
    }

    /// The reply loses for the second player: good for the first, who moved into node 1, and bad for the second,
    /// in whose view the root stands.
    #[test]
    fn one_lost_reply_counts_as_one_loss() {
        assert_eq!(means_after_one_lost_reply("none"), [1.0, -1.0]);
        assert_eq!(means_after_one_lost_reply("solver_sign"), [1.0, 1.0]);
    }
}
