//! A search whose leaves are judged many at once, by a network in Python say: PUCT with virtual losses, over one position
//! or several at the same time (Silver et al., 2017).

use super::rules::{Rules, State};
use crate::error::wrong;
use spinney_core::{Outcome, Player, Random, Seed, Turn};
use std::sync::Arc;

/// What is asked of a search.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Simulations.
    pub simulations: u32,
    /// Leaves that are gathered before they are judged.
    pub leaves: u32,
    /// c of PUCT.
    pub exploration: f32,
}

/// A node of the tree; values are sums for the first player.
struct Node {
    mv: u32,
    prior: f32,
    visits: u32,
    /// Simulations on their way, which count as lost until they come back.
    underway: u32,
    value: f64,
    state: Option<State>,
    children: std::ops::Range<usize>,
    is_open: bool,
}

impl Node {
    fn new(mv: u32, prior: f32, state: Option<State>) -> Self {
        Self { mv, prior, visits: 0, underway: 0, value: 0.0, state, children: 0..0, is_open: false }
    }

    /// Mean value for a player, simulations on their way being lost.
    fn mean(&self, player: Player) -> f32 {
        let count = self.visits + self.underway;
        if count == 0 {
            return 0.0;
        }
        let own = if player == Player::First { self.value } else { -self.value };
        ((own - f64::from(self.underway)) / f64::from(count)) as f32
    }
}

/// A leaf to be judged: where it is, and how to come back.
pub struct Leaf {
    path: Vec<usize>,
    /// Its position.
    pub state: State,
}

/// What is found of one move.
pub struct Found {
    /// The move.
    pub mv: u32,
    /// Simulations through it.
    pub visits: u32,
    /// Their mean value for the player to move.
    pub mean: f32,
    /// What the network thought of it.
    pub prior: f32,
}

/// The search of one position.
pub struct Search {
    rules: Arc<dyn Rules>,
    nodes: Vec<Node>,
    random: Random,
}

fn value_of(outcome: Outcome) -> f64 {
    f64::from(outcome.reward(Player::First))
}

impl Search {
    /// A search of a position, about which nothing is known.
    pub fn new(rules: Arc<dyn Rules>, state: State, seed: Seed) -> Self {
        Self { rules, nodes: vec![Node::new(0, 1.0, Some(state))], random: Random::new(seed) }
    }

    /// Simulations that have come back.
    pub fn simulations(&self) -> u32 {
        self.nodes[0].visits
    }

    /// Gathers leaves until there are as many as asked for, or simulations meet leaves that wait already.
    pub fn gather(&mut self, task: &Task, leaves: &mut Vec<Leaf>) {
        let waiting = self.nodes[0].underway;
        let wanted = task.leaves.min(task.simulations.saturating_sub(self.simulations() + waiting));
        let mut found = 0;
        // Simulations that end the game need no judge; their number is bounded, too.
        for _ in 0..4 * task.leaves {
            if found >= wanted || self.simulations() + self.nodes[0].underway >= task.simulations {
                return;
            }
            match self.descend(task.exploration) {
                Some(leaf) => leaves.push(leaf),
                None => continue,
            }
            found += 1;
        }
    }

    /// Down to a leaf that nobody waits for; `None` if the simulation has ended otherwise.
    fn descend(&mut self, exploration: f32) -> Option<Leaf> {
        let mut path = vec![0];
        loop {
            let node = path[path.len() - 1];
            let state = self.state(&path);
            match state.turn(self.rules.as_ref()) {
                Turn::Over(outcome) => {
                    self.back(&path, value_of(outcome), false);
                    return None;
                }
                Turn::Chance => {
                    if !self.nodes[node].is_open {
                        let outcomes = self.rules.outcomes(&state.0.object);
                        self.open(node, outcomes.into_iter().map(|(mv, probability)| (mv, probability as f32)));
                    }
                    path.push(self.drawn(node));
                }
                Turn::Player(player) if self.nodes[node].is_open => path.push(self.best(node, player, exploration)),
                // Another simulation waits here already.
                Turn::Player(_) if self.nodes[node].underway > 0 => return None,
                Turn::Player(_) => {
                    for &on_path in &path {
                        self.nodes[on_path].underway += 1;
                    }
                    return Some(Leaf { path, state });
                }
            }
        }
    }

    /// The position at the end of a path, made when it is first met.
    fn state(&mut self, path: &[usize]) -> State {
        let node = path[path.len() - 1];
        if let Some(state) = &self.nodes[node].state {
            return state.clone();
        }
        let mut state = self.state(&path[..path.len() - 1]);
        self.rules.apply(&mut state, self.nodes[node].mv);
        self.nodes[node].state = Some(state.clone());
        state
    }

    fn open(&mut self, node: usize, moves: impl Iterator<Item = (u32, f32)>) {
        let first = self.nodes.len();
        self.nodes.extend(moves.map(|(mv, prior)| Node::new(mv, prior, None)));
        let end = self.nodes.len();
        let node = &mut self.nodes[node];
        (node.children, node.is_open) = (first..end, true);
    }

    fn drawn(&mut self, node: usize) -> usize {
        let mut ticket = self.random.unit();
        let children = self.nodes[node].children.clone();
        let found = children.clone().find(|&child| {
            ticket -= self.nodes[child].prior;
            ticket < 0.0
        });
        found.unwrap_or(children.end - 1)
    }

    /// The child of the largest Q + c P √N / (1 + n); the first of equals.
    fn best(&self, node: usize, player: Player, exploration: f32) -> usize {
        let parent = &self.nodes[node];
        let root = ((parent.visits + parent.underway).max(1) as f32).sqrt();
        let score = |child: usize| {
            let own = &self.nodes[child];
            own.mean(player) + exploration * own.prior * root / (1 + own.visits + own.underway) as f32
        };
        let mut best = (parent.children.start, f32::NEG_INFINITY);
        for child in parent.children.clone() {
            let score = score(child);
            if score > best.1 {
                best = (child, score);
            }
        }
        best.0
    }

    fn back(&mut self, path: &[usize], value: f64, was_underway: bool) {
        for &node in path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.value += value;
            node.underway -= u32::from(was_underway);
        }
    }

    /// Takes the judgement of a leaf in: its value for the first player, and a prior for each of its moves.
    pub fn judge(&mut self, leaf: &Leaf, value: f64, priors: Option<&[f64]>) -> pyo3::PyResult<()> {
        if !(-1.0..=1.0).contains(&value) {
            return Err(wrong(
                "network",
                format!("the value {value}"),
                "give numbers from -1 to 1, for the first player",
            ));
        }
        let moves = leaf.state.moves(self.rules.as_ref()).to_vec();
        let even = 1.0 / moves.len().max(1) as f64;
        let priors = match priors {
            Some(priors) if priors.len() != moves.len() => {
                let problem = format!("{} priors for {} moves", priors.len(), moves.len());
                return Err(wrong("network", problem, "give one for each legal move"));
            }
            Some(priors) if priors.iter().any(|prior| !prior.is_finite() || *prior < 0.0) => {
                return Err(wrong("network", "a prior that is no probability", "give numbers from 0"));
            }
            Some(priors) => {
                let total: f64 = priors.iter().sum();
                priors.iter().map(|prior| if total > 0.0 { prior / total } else { even }).collect()
            }
            None => vec![even; moves.len()],
        };
        let node = leaf.path[leaf.path.len() - 1];
        self.open(node, moves.into_iter().zip(priors.into_iter().map(|prior| prior as f32)));
        self.back(&leaf.path, value, true);
        Ok(())
    }

    /// The moves of the root, and its mean value for the first player.
    pub fn found(&self) -> (f64, Vec<Found>) {
        let root = &self.nodes[0];
        let player = match root.state.as_ref().map(|state| state.turn(self.rules.as_ref())) {
            Some(Turn::Player(player)) => player,
            _ => Player::First,
        };
        let children = self.nodes[root.children.clone()].iter();
        let found =
            children.map(|own| Found { mv: own.mv, visits: own.visits, mean: own.mean(player), prior: own.prior });
        (root.value / f64::from(root.visits.max(1)), found.collect())
    }
}
