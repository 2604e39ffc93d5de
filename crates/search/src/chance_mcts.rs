//! Monte-Carlo tree search for games with chance and for games of one player.
//!
//! State nodes and chance nodes stand in one tree: what a move leads to is a chance node where chance is to take its
//! turn, and its outcomes are state nodes, added when they are first met. A simulation adds one state node, and the
//! first move made there counts as tried (Kocsis and Szepesvári, 2006; Veness, Lanctot and Bowling, 2011). Rewards are
//! those of the game: a score on its own scale, or win, loss and draw between two players.

use crate::analysis::{Analysis, Position};
use crate::decide;
use crate::ideas::{Chosen, Ideas};
use crate::insight::{self, Insight};
use crate::mcts::Totals;
use crate::playout::learner::NO_MOVE;
use crate::playout::{Base, GamePolicy, Learned, Outcomes, Scope, Uniform, in_view_of};
use crate::search::{Pace, Search};
use crate::select::{History, Rule};
use crate::settings::{FinalMove, MctsSettings, Ties};
use crate::tree::{MOST_VISITS, NodeId, Parts, ROOT, Tree};
use crate::variance::Variance;
use alloc::vec::Vec;
use spinney_core::game::{Game, Player, Turn, no_luck};
#[cfg(feature = "std")]
use spinney_core::{
    InputError,
    options::{GameKind, OptionSet},
};
use spinney_core::{Random, Seed, Stream, Workspace};

/// One node of a simulation's way down.
#[derive(Clone, Copy, Debug)]
struct ChanceStep {
    node: NodeId,
    /// Who moved into it; at the root, whoever is not to move. Outcomes belong to whoever moved before chance did.
    player: Player,
    /// The control variate so far, in the view of the first player, if a move leads to the node.
    control_before: Option<f64>,
}

/// The simulation under way.
struct Run<G: Game> {
    state: G::State,
    stream: Stream,
    /// Who moved last.
    mover: Player,
    /// Sum of event less its probability, in the view of the first player.
    control: f64,
}

impl<G: Game> Run<G> {
    /// Lets chance take its turn; with `controlled` the control variate is kept.
    #[inline(always)]
    fn draw(&mut self, game: &G, controlled: bool) -> G::Move {
        let Some(luck) = (const { G::LUCK }) else { no_luck() };
        let probability = if controlled { luck.event_probability(game, &self.state) } else { None };
        let outcome = luck.draw_outcome(game, &mut self.state, &mut self.stream);
        if let Some(probability) = probability {
            let happened = if luck.event(game, &self.state, outcome) { 1.0 } else { 0.0 };
            let surprise = happened - probability;
            self.control += if self.mover == Player::First { surprise } else { -surprise };
        }
        outcome
    }
}

/// A search for one game with chance, kept between moves so that its memory is used again.
///
/// ```
/// use spinney_core::{Game, Seed};
/// use spinney_search::{Agent, ChanceMcts, Driven, Position, Task};
/// let game = spinney_games::Pig::default();
/// let mut agent = Driven::new(ChanceMcts::new(&game, &Default::default()).unwrap());
/// let state = game.initial();
/// let decision = agent.choose(&game, &Position::new(&state), &mut Task::new(Seed::new(1)));
/// assert_eq!(decision.mv, spinney_games::pig::ROLL);
/// ```
#[derive(Debug)]
pub struct ChanceMcts<G: Game, I: Ideas = ()> {
    settings: MctsSettings,
    /// As they were given, with the game's own parameters filled in: what a reader wants to see.
    #[cfg(feature = "std")]
    described: MctsSettings,
    simulations_per_second: u32,
    policy: bool,
    /// Moves after which a play-out ends with what it has.
    cap: u32,
    rule: Rule<I::Selection>,
    variance: Variance,
    tree: Tree<G::Move>,
    root: G::State,
    root_player: Player,
    seed: Seed,
    random: Random,
    path: Vec<ChanceStep>,
    work: Workspace<G>,
    learned: Learned<I::Learner>,
    /// Whether anything learns from simulations.
    learns: bool,
    scores: ScoreRange,
    totals: Totals,
}

/// The lowest and highest score of a search so far.
#[derive(Clone, Copy, Debug)]
struct ScoreRange {
    lowest: f32,
    highest: f32,
}

impl ScoreRange {
    const EMPTY: Self = Self { lowest: f32::INFINITY, highest: f32::NEG_INFINITY };

    /// Takes a score in and says what it is to those who learn: −1 for the lowest of this search so far, 1 for the
    /// highest, between them by its distance.
    fn outcome(&mut self, score: f32) -> f32 {
        self.lowest = self.lowest.min(score);
        self.highest = self.highest.max(score);
        let range = self.highest - self.lowest;
        if range > 0.0 { 2.0 * (score - self.lowest) / range - 1.0 } else { 0.0 }
    }
}

#[cfg(feature = "std")]
impl<G: Game> ChanceMcts<G> {
    /// A search with these settings; what they leave open is as published for the game.
    pub fn new(game: &G, settings: &MctsSettings) -> Result<Self, InputError> {
        Self::with_ideas(game, settings, &())
    }
}

impl<G: Game, I: Ideas> ChanceMcts<G, I> {
    /// Whether one player plays for a score.
    const SOLITAIRE: bool = G::SCORE.is_some();

    /// A search with these settings and ideas of one's own; what they leave open is as published for the game.
    #[cfg(feature = "std")]
    pub fn with_ideas(game: &G, settings: &MctsSettings, ideas: &I) -> Result<Self, InputError> {
        let given = settings;
        given.check_ideas(ideas)?;
        given.check_fit("mcts", const { GameKind::of::<G>() })?;
        let published = game.published();
        let settings = given.resolved(&MctsSettings::published(&published)?, const { G::POLICY.is_some() });
        let described = MctsSettings {
            sims: settings.budget(published.simulations_per_second).simulations,
            c: settings.c,
            playout: settings.playout.clone(),
            ..given.clone()
        };
        let own = settings.playout.as_ref().map_or(&[][..], |playout| &playout.own);
        let chosen = Chosen {
            learner: ideas.learner(own, &Self::scope(game))?,
            selection: ideas.selection(settings.select.own())?,
            reward: ideas.reward(None)?,
        };
        Ok(Self { described, ..Self::of_resolved(game, settings, chosen) })
    }

    /// What its learners learn of.
    fn scope(game: &G) -> Scope {
        Scope::new(game.move_ids(), if Self::SOLITAIRE { Outcomes::Scores } else { Outcomes::Results })
    }

    /// A search with settings that leave nothing open ([`MctsSettings::resolved`]) and fit the game, at which nobody looks
    /// again. It has no rewards of one's own.
    pub fn of_resolved(game: &G, settings: MctsSettings, chosen: Chosen<I>) -> Self {
        let playout = settings.playout.clone().unwrap_or_default();
        let bytes = settings.memory as usize * 1_000_000;
        Self {
            #[cfg(feature = "std")]
            described: settings.clone(),
            simulations_per_second: game.published().simulations_per_second,
            policy: playout.policy.unwrap_or(false),
            cap: playout.limits().cap,
            rule: Rule::new(&settings, chosen.selection),
            variance: Variance::new(&settings.luck),
            tree: Tree::new(bytes, Parts { chance: true, controls: settings.luck.cv, ..Parts::default() }),
            root: game.initial(),
            root_player: Player::First,
            seed: Seed::new(0),
            random: Random::new(Seed::new(0)),
            path: Vec::with_capacity(256),
            work: Workspace::new(),
            learned: Learned::new(&playout, false, &Self::scope(game), chosen.learner),
            learns: playout.learns(),
            scores: ScoreRange::EMPTY,
            totals: Totals::NONE,
            settings,
        }
    }

    /// The tree of the last search.
    pub fn tree(&self) -> &Tree<G::Move> {
        &self.tree
    }

    fn final_move(&self) -> FinalMove {
        self.settings.final_move.unwrap_or(FinalMove::Mean)
    }

    /// One simulation.
    fn run<B: Base, const LEARN: bool>(&mut self, game: &G) {
        self.path.clear();
        if LEARN {
            self.learned.begin_simulation();
        }
        let mut run =
            Run { state: self.root.clone(), stream: Stream::new(self.seed), mover: self.root_player, control: 0.0 };
        self.path.push(ChanceStep { node: ROOT, player: self.root_player.other(), control_before: None });
        let depth = self.descend::<LEARN>(game, &mut run);
        let plies = self.play_out::<B, LEARN>(game, &mut run);
        let reward = match (const { G::SCORE }, game.quick_turn(&run.state)) {
            (Some(score), _) => score.of_state(game, &run.state) as f32,
            (None, Turn::Over(outcome)) => outcome.reward(Player::First),
            // Cut off by the cap.
            (None, Turn::Player(_) | Turn::Chance) => 0.0,
        };
        if LEARN {
            let outcome = if Self::SOLITAIRE { self.scores.outcome(reward) } else { reward };
            self.learned.teach(self.learned.played.len(), outcome, outcome);
        }
        self.totals.simulations += 1;
        self.totals.count_playout(depth + plies, depth);
        for step in &self.path {
            let reward = in_view_of(step.player, reward);
            match (step.control_before, self.variance.control) {
                (Some(before), Some(coefficient)) => {
                    let control = run.control - before;
                    let control = if step.player == Player::First { control } else { -control };
                    self.tree.add_controlled(step.node, reward, control, coefficient);
                }
                _ => self.tree.add_reward(step.node, reward),
            }
        }
    }

    /// Walks down the tree and adds a node to it. Returns the number of moves made. One function for all base policies, as
    /// in [`Mcts`](crate::Mcts).
    #[inline(never)]
    fn descend<const LEARN: bool>(&mut self, game: &G, run: &mut Run<G>) -> u32 {
        let (mut node, mut player, mut depth) = (ROOT, self.root_player, 0);
        let controlled = self.variance.control.is_some();
        loop {
            let is_leaf = !self.tree.is_expanded(node);
            if is_leaf && (self.leaves_to_playout(node) || !self.expand(game, &run.state, node)) {
                return depth;
            }
            let is_leaf = is_leaf && !self.settings.luck.loose;
            let child = if self.tree.opened(node) == 0 && !self.settings.luck.loose {
                self.open_by_policy(game, &run.state, node)
            } else {
                let history = History { game, state: &run.state, player, values: self.learned.values(), lent: None };
                self.rule.choose(&mut self.tree, node, &mut self.random, &history)
            };
            let visit = self.tree.visits(child);
            if node == ROOT {
                run.stream = self.variance.stream_at_root(self.seed, self.totals.simulations, child, visit);
                if let Some(luck) = const { G::LUCK } {
                    luck.redraw_hidden(game, &mut run.state, &mut run.stream);
                }
            } else if let Some(stream) = self.variance.stream_at_node(self.seed, node, visit) {
                run.stream = stream;
            }
            run.mover = player;
            self.path.push(ChanceStep { node: child, player, control_before: Some(run.control) });
            let mv = self.tree.mv(child);
            if LEARN {
                self.learned.made(player, game.move_id(&run.state, mv));
            }
            game.advance(&mut run.state, mv, &mut self.work);
            depth += 1;
            if is_leaf {
                return depth;
            }
            node = child;
            player = loop {
                match game.turn(&run.state) {
                    Turn::Over(_) => return depth,
                    Turn::Player(next) => break next,
                    Turn::Chance => {
                        let outcome = run.draw(game, controlled);
                        let met = self.tree.outcome(node, outcome);
                        let Some(next) = met.or_else(|| self.tree.add_outcome(node, outcome)) else { return depth };
                        self.path.push(ChanceStep { node: next, player, control_before: None });
                        node = next;
                    }
                }
            };
        }
    }

    /// With loose expansion the visit that makes a node is all play-out.
    #[inline(always)]
    fn leaves_to_playout(&self, node: NodeId) -> bool {
        self.settings.luck.loose && self.tree.visits(node) == 0
    }

    /// Plays to the end of the game. Returns the number of moves made.
    #[inline(always)]
    fn play_out<B: Base, const LEARN: bool>(&mut self, game: &G, run: &mut Run<G>) -> u32 {
        let mut plies = 0;
        let controlled = self.variance.control.is_some();
        if LEARN {
            self.learned.begin_playout();
        }
        loop {
            match game.quick_turn(&run.state) {
                Turn::Over(_) => return plies,
                Turn::Chance => drop(run.draw(game, controlled)),
                Turn::Player(player) => {
                    if plies >= self.cap {
                        return plies;
                    }
                    let drawn = if LEARN {
                        self.learned.choose::<G, B>(game, &run.state, player, &mut self.random, &mut self.work)
                    } else {
                        B::draw(game, &run.state, &mut self.random, &mut self.work)
                    };
                    let Some(mv) = drawn else { return plies };
                    if LEARN {
                        self.learned.made(player, game.move_id(&run.state, mv));
                    }
                    run.mover = player;
                    game.advance(&mut run.state, mv, &mut self.work);
                    plies += 1;
                }
            }
        }
    }

    /// Gives the node its moves; false if there is no room for them.
    #[inline(always)]
    fn expand(&mut self, game: &G, state: &G::State, node: NodeId) -> bool {
        self.work.list_moves(game, state);
        self.tree.add_children(node, &self.work.moves)
    }

    /// The first move of a new node is one of the play-out policy.
    #[inline(never)]
    fn open_by_policy(&mut self, game: &G, state: &G::State, node: NodeId) -> NodeId {
        let children = self.tree.children(node);
        let drawn = if const { G::POLICY.is_some() } && self.policy {
            GamePolicy::draw(game, state, &mut self.random, &mut self.work)
        } else {
            Uniform::draw(game, state, &mut self.random, &mut self.work)
        };
        let place = drawn.and_then(|mv| children.clone().find(|&child| self.tree.mv(child) == mv));
        let child = place.unwrap_or(children.start);
        self.tree.open_one(node);
        if self.settings.ties == Some(Ties::First) {
            return child;
        }
        self.tree.swap_children(children.start, child);
        children.start
    }
}

impl<G: Game, I: Ideas> Search<G> for ChanceMcts<G, I> {
    fn begin(&mut self, game: &G, position: &Position<'_, G>, _: u64, seed: Seed) {
        self.tree.clear();
        self.root.clone_from(position.state);
        self.root_player = match game.turn(position.state) {
            Turn::Player(player) => player,
            Turn::Over(_) | Turn::Chance => Player::First,
        };
        self.random = Random::new(seed);
        self.seed = seed.named("chance");
        self.learned.begin_search(self.root_player, [NO_MOVE; 2]);
        self.scores = ScoreRange::EMPTY;
        self.totals = Totals::NONE;
        let root = self.root.clone();
        self.expand(game, &root, ROOT);
    }

    #[inline]
    fn simulate(&mut self, game: &G, _: &dyn Fn() -> bool) -> bool {
        match (const { G::POLICY.is_some() } && self.policy, self.learns) {
            (false, false) => self.run::<Uniform, false>(game),
            (false, true) => self.run::<Uniform, true>(game),
            (true, false) if const { G::POLICY.is_some() } => self.run::<GamePolicy, false>(game),
            (true, true) if const { G::POLICY.is_some() } => self.run::<GamePolicy, true>(game),
            (true, _) => {}
        }
        true
    }

    fn totals(&self) -> Totals {
        self.totals
    }

    fn nodes(&self) -> u64 {
        self.tree.len() as u64
    }

    fn is_exhausted(&self) -> bool {
        self.tree.visits(ROOT) >= MOST_VISITS - 1
    }

    fn lone_move(&self) -> Option<G::Move> {
        let children = self.tree.children(ROOT);
        (children.len() == 1).then(|| self.tree.mv(children.start))
    }

    fn analysis(&mut self) -> Analysis<G::Move> {
        Analysis {
            candidates: insight::candidates(&self.tree, ROOT, self.final_move()),
            totals: self.totals,
            nodes: self.tree.len() as u64,
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
        let simulations_per_second = self.simulations_per_second;
        Pace { budget: self.settings.budget(simulations_per_second), simulations_per_second, extra: 0 }
    }

    #[cfg(feature = "std")]
    fn describe(&self) -> String {
        self.described.changed("mcts").to_string()
    }
}
