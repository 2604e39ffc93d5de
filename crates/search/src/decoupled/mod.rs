//! Monte-Carlo tree search for games of roles who move at the same time: each role chooses by its own statistics, and the
//! joint move leads on (decoupled UCT; Finnsson and Björnsson, *Simulation-Based Approach to General Game Playing*, AAAI
//! 2008). Returns are kept for every role, from 0 to 100; positions that are reached in several ways share a node.

mod policy;
mod proofs;
mod settings;
mod tree;

pub use settings::{DecoupledSettings, RoleGramSettings, RoleMastSettings, RolePlayout, Untried};

use crate::agent::{Analysis, Candidate, Position};
use crate::budget::Budget;
use crate::decide::ordered;
use crate::drive::{Pace, Search};
use crate::mcts::Totals;
use crate::playout::learner::{Choice, Context, Lesson};
use crate::playout::{Base, Learner, Offer, Scope, Seats, Simulation};
use crate::reward::{Leaf, Rewards, Start, Steepness};
use crate::settings::{MctsSettings, Quirks};
use crate::tree::{MOST_VISITS, Proof};
use policy::{Listed, RoleGrams, best, moves_before};
use proofs::{HIGHEST, Proofs};
use spinney_core::arithmetic::ln;
use spinney_core::game::{Game, Player};
use spinney_core::options::OptionSet;
use spinney_core::random::mix;
use spinney_core::{InputError, Random, RolesOf, Seed, Weighted, Workspace};
use tree::{Action, JointTree, NodeNumber};

/// Simulations of a search without any limit, and those that a second is first taken for.
const SIMULATIONS: u32 = 1000;
/// Whoever waits is asked every so many steps of a play-out.
const STEPS_BETWEEN_LOOKS: u32 = 16;

/// The best game of a lone role so far.
#[derive(Debug, Default)]
struct BestLine<M> {
    moves: Vec<M>,
    value: f32,
}

/// A search for one game of roles, kept between moves.
#[derive(Debug)]
pub struct Decoupled<G: Game> {
    settings: DecoupledSettings,
    roles: usize,
    /// The role that draws its moves instead of choosing them.
    chance: Option<usize>,
    /// The roles that choose, if they are two.
    pair: Option<[usize; 2]>,
    /// Whoever waits is asked every so many steps of a simulation.
    steps_between_looks: u32,
    tree: JointTree<G::Move>,
    /// What roles can force, where it is looked for.
    proofs: Proofs,
    seats: Seats,
    /// What play-outs follow; `None` where they are uniform.
    learner: Option<RoleGrams>,
    rewards: Rewards,
    random: Random,
    root: G::State,
    root_node: Option<NodeNumber>,
    /// Steps from the first position that the tree has seen to the root.
    root_step: u32,
    role: usize,
    /// The role it plays, whoever is asked; the one that is asked where nobody said.
    seat: Option<usize>,
    history: Vec<G::Move>,
    in_game: bool,
    best_line: BestLine<G::Move>,
    /// The nodes of the running simulation, and which action each role chose there.
    path: Vec<NodeNumber>,
    chosen: Vec<u32>,
    /// Numbers of all roles' moves, step by step, what each was worth to its role, and the moves of the step.
    trace: Vec<u32>,
    returns: Vec<f32>,
    joint: Vec<G::Move>,
    work: Workspace<G>,
    places: Vec<u32>,
    scores: Vec<f32>,
    values: Vec<f32>,
    /// Moves of the running simulation, where one role is alone.
    line: Vec<G::Move>,
    /// Its position; kept so that its memory is used again.
    state: Option<G::State>,
    /// The place of the action to play, once it is decided.
    decided: Option<usize>,
    totals: Totals,
}

impl<G: Game> Decoupled<G> {
    /// A search with these settings.
    pub fn new(game: &G, settings: &DecoupledSettings) -> Result<Self, InputError> {
        let Some(rules) = G::ROLES else {
            let problem = "it plays games of roles, which rule sheets describe";
            return Err(InputError::unsupported("agent decoupled", problem, "use mcts"));
        };
        let (roles, chance) = (rules.count(game), rules.chance_role(game));
        if settings.rb.is_some() && (roles != 2 || chance.is_some()) {
            let luck = if chance.is_some() { ", one of them chance" } else { "" };
            let problem = format!("the game has {roles} roles{luck}, and the Relative Bonus is for two players");
            return Err(InputError::unsupported("decoupled, option rb", problem, "leave it out for this game"));
        }
        let published = MctsSettings::published(&game.published())?;
        let mut players = (0..roles).filter(|&role| chance != Some(role));
        let pair = match (players.next(), players.next(), players.next()) {
            (Some(one), Some(other), None) => Some([one, other]),
            _ => None,
        };
        Ok(Self {
            roles,
            chance,
            pair,
            steps_between_looks: STEPS_BETWEEN_LOOKS,
            tree: JointTree::new(roles, settings.memory as usize * 1_000_000),
            proofs: Proofs::default(),
            seats: Seats::new(roles),
            learner: RoleGrams::new(&settings.playout, &Scope::of_roles(roles, game.move_ids())),
            rewards: Rewards::new(&settings.rewards(&published), Quirks::default(), Steepness::Fixed(1.0)),
            random: Random::new(Seed::new(0)),
            root: game.initial(),
            root_node: None,
            root_step: 0,
            role: 0,
            seat: None,
            history: Vec::new(),
            in_game: false,
            best_line: BestLine { moves: Vec::new(), value: f32::NEG_INFINITY },
            path: Vec::new(),
            chosen: Vec::new(),
            trace: Vec::new(),
            returns: Vec::new(),
            joint: Vec::new(),
            work: Workspace::new(),
            places: Vec::new(),
            scores: Vec::new(),
            values: vec![0.0; roles],
            line: Vec::new(),
            state: None,
            decided: None,
            totals: Totals::default(),
            settings: settings.clone(),
        })
    }

    /// From the next search on it plays this role, whoever is asked in a position.
    pub fn play_as(&mut self, role: usize) {
        self.seat = Some(role);
    }

    /// From now on whoever waits is asked every so many steps of a simulation: one, where steps take long.
    pub fn look_every(&mut self, steps: u32) {
        self.steps_between_looks = steps.max(1);
    }

    /// The working memory that positions are worked out in.
    pub fn workspace(&mut self) -> &mut Workspace<G> {
        &mut self.work
    }

    /// Roles that choose.
    fn players(&self) -> usize {
        self.roles - usize::from(self.chance.is_some())
    }

    /// Prepares a search of `position` for one role, at the beginning of a step.
    fn begin_for(&mut self, game: &G, position: &Position<'_, G>, role: usize, expected: u64, seed: Seed) {
        let further = position.history.strip_prefix(self.history.as_slice()).map(<[G::Move]>::len);
        let same_game = self.in_game && further.is_some_and(|moves| moves > 0);
        self.root.clone_from(position.state);
        Self::rules().begin_step(game, &mut self.root, &mut self.work);
        let key = game.key(&self.root).unwrap_or(0);
        let known = further.filter(|_| self.in_game && self.settings.reuse).and_then(|moves| {
            let steps = self.root_step..=self.root_step + moves as u32;
            steps.into_iter().find(|&step| self.tree.find(key, step).is_some())
        });
        match known {
            Some(step) => {
                self.root_step = step;
                self.tree.drop_before(step);
                self.fade(self.settings.decay);
            }
            None => {
                self.tree.clear();
                self.proofs.clear();
                self.root_step = 0;
                let keeps = same_game && self.settings.reuse;
                self.fade(if keeps { self.settings.decay } else { 0.0 });
            }
        }
        let moved = &position.history[self.history.len().min(position.history.len())..];
        if same_game && self.best_line.moves.starts_with(moved) {
            self.best_line.moves.drain(..moved.len());
        } else {
            self.best_line = BestLine { moves: Vec::new(), value: f32::NEG_INFINITY };
        }
        self.in_game = true;
        self.role = role;
        self.history.clear();
        self.history.extend_from_slice(position.history);
        self.random = Random::new(seed);
        self.totals = Totals::NONE;
        self.decided = None;
        let root = self.root.clone();
        self.root_node =
            self.tree.find(key, self.root_step).or_else(|| self.add_node(game, &root, key, self.root_step));
        let moves = self.root_node.map_or(0, |root| self.tree.actions(root, role).len());
        let searcher = if role == 0 { Player::First } else { Player::Second };
        let plies = position.history.len();
        self.rewards.begin(Start { searcher, plies, same_game, expected, moves });
    }

    /// The functions of the game's roles; a search of this kind is made only for such games.
    #[inline(always)]
    fn rules() -> RolesOf<G> {
        const { G::ROLES }.expect("a game of roles")
    }

    fn add_node(&mut self, game: &G, state: &G::State, key: u64, step: u32) -> Option<NodeNumber> {
        self.tree.add(key, step, |role, work| Self::rules().role_moves(game, state, role, work), &mut self.work)
    }

    /// One simulation; false if the time was up before its end, and nothing came of it.
    fn run(&mut self, game: &G, root: NodeNumber, late: &dyn Fn() -> bool) -> bool {
        self.path.clear();
        self.chosen.clear();
        self.trace.clear();
        self.line.clear();
        let mut state = self.state.take().unwrap_or_else(|| self.root.clone());
        state.clone_from(&self.root);
        let (mut node, mut depth) = (root, 0);
        let is_over = |state: &G::State| game.quick_turn(state).outcome().is_some();
        // In games with slow rules a single simulation may outlast the clock.
        let pause = self.steps_between_looks;
        loop {
            if (pause == 1 && late()) || !self.select(game, &state, node) || !self.make_step(game, &mut state) {
                self.state = Some(state);
                return false;
            }
            self.path.push(node);
            depth += 1;
            if is_over(&state) {
                break;
            }
            let (key, step) = (game.key(&state).unwrap_or(0), self.root_step + depth);
            match self.tree.find(key, step) {
                Some(next) => node = next,
                None => {
                    self.add_node(game, &state, key, step);
                    break;
                }
            }
        }
        let mut length = depth;
        while !is_over(&state) && length - depth < self.settings.cap {
            if (length - depth).is_multiple_of(pause) && late() {
                self.state = Some(state);
                return false;
            }
            if !self.draw_step(game, &state) {
                break;
            }
            if !self.make_step(game, &mut state) {
                self.state = Some(state);
                return false;
            }
            length += 1;
        }
        self.evaluate(game, &state, is_over(&state));
        self.remember_best_line();
        if self.settings.solver {
            self.prove(length == depth && is_over(&state));
        }
        self.totals.simulations += 1;
        self.totals.count_playout(length, depth);
        self.alter(depth, length);
        self.backpropagate(length);
        self.state = Some(state);
        true
    }

    /// Every role chooses at a node of the tree, and chance draws; false if one has no move, as nothing is known of it.
    fn select(&mut self, game: &G, state: &G::State, node: NodeNumber) -> bool {
        self.joint.clear();
        let exploration = self.settings.c * ln(self.tree.visits(node).max(1)).sqrt();
        for role in 0..self.roles {
            let place = if self.chance == Some(role) {
                self.random.below(self.tree.actions(node, role).len().max(1) as u32) as usize
            } else {
                let sufficient = self.sufficient(node, role);
                sufficient.unwrap_or_else(|| self.select_action(game, state, node, role, exploration))
            };
            let Some(action) = self.tree.actions(node, role).get(place).map(|action| action.mv) else { return false };
            self.chosen.push(place as u32);
            self.joint.push(action);
        }
        true
    }

    /// The place of a role's choice: what it has not tried first, then UCB1.
    fn select_action(&mut self, game: &G, state: &G::State, node: NodeNumber, role: usize, exploration: f32) -> usize {
        let actions = self.tree.actions(node, role);
        if actions.len() <= 1 {
            return 0;
        }
        self.places.clear();
        self.scores.clear();
        for (place, action) in actions.iter().enumerate() {
            if action.visits == 0 {
                self.places.push(place as u32);
                self.scores.push(f32::NEG_INFINITY);
            } else {
                self.scores.push(action.mean + exploration / (action.visits as f32).sqrt());
            }
        }
        if !self.places.is_empty() {
            let urgency = 50.0 + exploration * self.places.len() as f32 / actions.len() as f32;
            let is_urgent = self.places.len() == actions.len() || !self.scores.iter().any(|&score| score >= urgency);
            if self.settings.untried != Untried::Urgency || is_urgent {
                return self.select_untried(game, state, node, role);
            }
        }
        best(&self.scores, &mut self.random)
    }

    fn select_untried(&mut self, game: &G, state: &G::State, node: NodeNumber, role: usize) -> usize {
        if self.settings.untried == Untried::Uniform || self.learner.is_none() {
            return self.places[self.random.below(self.places.len() as u32) as usize] as usize;
        }
        let untried = self.places.iter().map(|&place| self.tree.actions(node, role)[place as usize].mv);
        self.work.candidates.clear();
        self.work.candidates.extend(untried.map(|mv| Weighted { mv, weight: 1 }));
        let chosen = self.choose_listed(game, state, role);
        let actions = self.tree.actions(node, role);
        let is_chosen = |&&place: &&u32| Some(actions[place as usize].mv) == chosen;
        self.places.iter().find(is_chosen).map_or(0, |&place| place as usize)
    }

    /// Every role draws a move by the play-out policy; false if one has none.
    fn draw_step(&mut self, game: &G, state: &G::State) -> bool {
        self.joint.clear();
        for role in 0..self.roles {
            let mv = if self.learner.is_none() || self.chance == Some(role) {
                Self::rules().random_role_move(game, state, role, &mut self.random, &mut self.work)
            } else {
                let work = &mut self.work;
                work.moves.clear();
                Self::rules().role_moves(game, state, role, work);
                work.candidates.clear();
                work.candidates.extend(work.moves.iter().map(|&mv| Weighted { mv, weight: 1 }));
                self.choose_listed(game, state, role)
            };
            let Some(mv) = mv else { return false };
            self.joint.push(mv);
        }
        true
    }

    /// One of a role's moves that are listed as candidates, by what play-outs have learned.
    #[inline(always)]
    fn choose_listed(&mut self, game: &G, state: &G::State, role: usize) -> Option<G::Move> {
        match &self.work.candidates[..] {
            [] => return None,
            [one] => return Some(one.mv),
            _ => {}
        }
        let context = Context { before: moves_before(&self.trace, self.roles, role), ..Context::NOTHING };
        let (random, work) = (&mut self.random, &mut self.work);
        let mut choice = Choice::<G, Listed>::of_role((self.seats, role), game, state, &context, random, work);
        match self.learner.as_mut().map_or(Offer::Pass, |learner| learner.choose(&mut choice)) {
            Offer::Play(mv) => Some(mv),
            Offer::Pass => Listed::draw(game, state, choice.random, choice.work),
            Offer::NoMove => None,
        }
    }

    /// Makes the joint move and remembers it; false if it was broken off.
    fn make_step(&mut self, game: &G, state: &mut G::State) -> bool {
        if self.learner.is_some() {
            let numbers = (0..).zip(&self.joint).map(|(role, &mv)| self.seats.number(role, game.move_id(state, mv)));
            self.trace.extend(numbers);
        }
        if self.roles == 1 {
            self.line.push(self.joint[0]);
        }
        Self::rules().apply_joint(game, state, &self.joint, &mut self.work);
        !Self::rules().is_broken_off(game, &self.work)
    }

    /// The place of a move after which the role is certain of the most, if that is proven.
    #[inline(always)]
    fn sufficient(&self, node: NodeNumber, role: usize) -> Option<usize> {
        if self.settings.solver { self.proofs.sufficient(self.tree.position(node), role) } else { None }
    }

    /// Proves what follows from the end of the game, if the simulation has reached it in the tree, and from what was proven
    /// of the positions on its way.
    fn prove(&mut self, ends_in_tree: bool) {
        for role in (0..self.roles).filter(|&role| self.chance != Some(role)) {
            let mut is_certain = ends_in_tree && self.values[role] >= HIGHEST;
            for (step, &node) in self.path.iter().enumerate().rev() {
                let position = self.tree.position(node);
                if is_certain {
                    let chosen = &self.chosen[step * self.roles..][..self.roles];
                    let joint = chosen.iter().fold(0, |hash, &place| mix(hash ^ (u64::from(place) + 1)));
                    let rivals = (0..self.roles).filter(|&other| other != role);
                    let others = rivals
                        .map(|other| self.tree.actions(node, other).len() as u64)
                        .fold(1_u64, |product, moves| product.saturating_mul(moves));
                    self.proofs.add(position, role, chosen[role], joint, others);
                }
                is_certain = self.proofs.sufficient(position, role).is_some();
            }
        }
    }

    /// A lone role need not hope: it can repeat the best it has seen.
    fn remember_best_line(&mut self) {
        if self.roles == 1 && self.values[0] > self.best_line.value {
            self.best_line.value = self.values[0];
            self.best_line.moves.clone_from(&self.line);
        }
    }

    /// What the end is worth to every role.
    fn evaluate(&mut self, game: &G, state: &G::State, is_over: bool) {
        for (role, value) in self.values.iter_mut().enumerate() {
            *value = if is_over { Self::rules().goal(game, state, role) } else { 50.0 };
        }
        if let (Some([one, other]), true) = (self.pair, self.settings.zero_sum) {
            let first = (self.values[one] - self.values[other] + 100.0) / 2.0;
            self.values[one] = first;
            self.values[other] = 100.0 - first;
        }
    }

    /// The Relative Bonus: the value of the first role on the scale of −1 to 1 is altered.
    fn alter(&mut self, depth: u32, length: u32) {
        if self.settings.rb.is_none() || !self.rewards.is_active() {
            return;
        }
        let reward = (self.values[0] - self.values[1]) / 100.0;
        let winner = match reward {
            reward if reward > 0.0 => Some(Player::First),
            reward if reward < 0.0 => Some(Player::Second),
            _ => None,
        };
        let simulation = Simulation { reward, winner, quality: 0.0, length };
        let leaf = Leaf {
            simulations: self.totals.simulations,
            depth: depth as usize,
            subtree: self.chosen.get(self.role).map_or(0, |&place| place as usize),
        };
        let change = 50.0 * (self.rewards.alter(&simulation, leaf) - reward);
        self.values[0] += change;
        self.values[1] -= change;
    }

    /// The returns, discounted step by step, to the actions of the tree and to what play-outs learn.
    fn backpropagate(&mut self, length: u32) {
        let discount = if self.players() == 1 { 1.0 } else { self.settings.discount };
        self.returns.resize(self.trace.len(), 0.0);
        for step in (0..length as usize).rev() {
            self.values.iter_mut().for_each(|value| *value *= discount);
            if self.learner.is_some() {
                self.returns[step * self.roles..][..self.roles].copy_from_slice(&self.values);
            }
            if let Some(&node) = self.path.get(step) {
                self.tree.add_visit(node);
                for role in 0..self.roles {
                    let place = self.chosen[step * self.roles + role];
                    if !self.tree.actions(node, role).is_empty() {
                        self.tree.action_mut(node, role, place).add(self.values[role]);
                    }
                }
            }
        }
        if let Some(learner) = &mut self.learner {
            learner.teach(&Lesson::of_roles(&self.trace, &self.returns));
        }
    }

    /// Lets what play-outs learned count for this share of its weight.
    fn fade(&mut self, share: f32) {
        if let Some(learner) = &mut self.learner {
            learner.fade(share);
        }
    }

    /// The place of the action to play: the highest mean; equal ones are equally likely.
    fn best_place(&mut self) -> usize {
        let Some(root) = self.root_node else { return 0 };
        if let Some(place) = self.sufficient(root, self.role) {
            return place;
        }
        let actions = self.tree.actions(root, self.role);
        if let Some(&mv) = self.best_line.moves.first()
            && let Some(place) = actions.iter().position(|action| action.mv == mv)
        {
            return place;
        }
        self.scores.clear();
        let score = |action: &Action<G::Move>| if action.visits == 0 { f32::NEG_INFINITY } else { action.mean };
        self.scores.extend(actions.iter().map(score));
        best(&self.scores, &mut self.random)
    }
}

impl<G: Game> Search<G> for Decoupled<G> {
    fn begin(&mut self, game: &G, position: &Position<'_, G>, expected: u64, seed: Seed) {
        let role = self.seat.unwrap_or_else(|| Self::rules().role_to_move(game, position.state));
        self.begin_for(game, position, role, expected, seed);
    }

    fn simulate(&mut self, game: &G, late: &dyn Fn() -> bool) -> bool {
        self.root_node.is_some_and(|root| self.run(game, root, late))
    }

    fn totals(&self) -> Totals {
        self.totals
    }

    fn nodes(&self) -> u64 {
        self.tree.len() as u64
    }

    fn is_settled(&self) -> bool {
        self.root_node.is_some_and(|root| self.sufficient(root, self.role).is_some())
    }

    fn is_exhausted(&self) -> bool {
        self.root_node.is_none_or(|root| self.tree.visits(root) >= MOST_VISITS - 1)
    }

    /// The action to play first.
    fn analysis(&mut self) -> Analysis<G::Move> {
        let chosen = self.decided.unwrap_or_else(|| self.best_place());
        let proven = self.root_node.and_then(|root| self.sufficient(root, self.role));
        let proof = |is_proven: bool| if is_proven { Proof::Win } else { Proof::Unknown };
        let actions = self.root_node.map_or(&[][..], |root| self.tree.actions(root, self.role));
        // In a game against others 0 to 100 is shown as −1 to 1, like everywhere.
        let (middle, scale) = if self.players() == 1 { (0.0, 1.0) } else { (50.0, 50.0) };
        let candidates: Vec<(bool, Candidate<G::Move>)> = actions
            .iter()
            .enumerate()
            .map(|(place, action)| {
                let candidate = Candidate {
                    mv: action.mv,
                    visits: action.visits,
                    mean: (action.mean - middle) / scale,
                    deviation: (action.squares - action.mean * action.mean).max(0.0).sqrt() / scale,
                    proof: proof(proven == Some(place)),
                    variation: vec![action.mv],
                };
                (place == chosen, candidate)
            })
            .collect();
        let candidates = ordered(&candidates, &|(a_chosen, a), (b_chosen, b)| {
            b_chosen.cmp(a_chosen).then((b.visits > 0).cmp(&(a.visits > 0))).then(b.mean.total_cmp(&a.mean))
        });
        Analysis {
            candidates: candidates.into_iter().map(|(_, candidate)| candidate).collect(),
            proof: proof(proven.is_some()),
            totals: self.totals,
            nodes: self.tree.len() as u64,
            bytes: self.tree.used() as u64,
            ..Analysis::nothing()
        }
    }

    fn decide(&mut self) -> G::Move {
        let place = self.best_place();
        self.decided = Some(place);
        let actions = self.root_node.map_or(&[][..], |root| self.tree.actions(root, self.role));
        actions.get(place).map(|action| action.mv).unwrap_or_default()
    }

    fn new_game(&mut self) {
        self.in_game = false;
    }

    fn pace(&self) -> Pace {
        let budget = self.settings.limits().or(Budget::simulations(u64::from(SIMULATIONS)));
        Pace { budget, simulations_per_second: SIMULATIONS, extra: 0 }
    }

    fn describe(&self) -> String {
        self.settings.changed("decoupled").to_string()
    }
}
