//! Selection: which child a simulation goes through.

use crate::amaf::{AllMovesAsFirst, Blend};
use crate::best::{Score, Ucb1};
use crate::nodes::Nodes;
use crate::playout::ActionValues;
use crate::settings::{FirstPlayUrgency, MctsSettings, Select, Ties};
use crate::tree::{NodeId, Proof};
#[cfg(not(feature = "std"))]
use spinney_core::arithmetic::Rounded as _;
use spinney_core::arithmetic::ln;
use spinney_core::game::{Game, Player};
use spinney_core::random::Random;

/// What a selection rule sees of a child of which nothing is proven.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Child {
    /// Simulations through it; 0 only where unvisited children compete.
    pub visits: f32,
    /// Its mean reward in the view of the player who chooses it, from −1 to 1; of an unvisited one, its urgency.
    pub mean: f32,
    /// The variance of a single reward.
    pub variance: f32,
    /// Its prior, where children have one.
    pub prior: f32,
}

/// What a selection rule sees of the node whose child is chosen.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Node {
    /// Simulations through it, at least 1.
    pub visits: f32,
    /// Their logarithm.
    pub log_visits: f32,
}

impl Node {
    /// A node of so many visits.
    #[inline(always)]
    fn of(visits: u32) -> Self {
        let visits = visits.max(1);
        Self { visits: visits as f32, log_visits: ln(visits) }
    }
}

/// A selection rule of one's own: the child with the highest score is chosen.
pub trait Selection: Send + Sync + 'static {
    /// Whether rules beside plain UCB1 are compiled (urgency, priors, bias, history, RAVE); where they are not, settings may
    /// not ask for them.
    const TERMS: bool = true;
    /// Whether the order and the traps of the published engine are compiled.
    const QUIRKS: bool = true;

    /// Whether there is such a rule.
    #[inline(always)]
    fn is_present(&self) -> bool {
        true
    }

    /// The score of a child.
    fn score(&self, child: &Child, node: &Node) -> f32;
}

/// No rule of one's own.
impl Selection for () {
    #[inline(always)]
    fn is_present(&self) -> bool {
        false
    }

    fn score(&self, child: &Child, _: &Node) -> f32 {
        child.mean
    }
}

/// The selection rule with its constants: a value, an exploration term, and further terms are added up.
#[derive(Clone, Debug)]
pub struct Rule<S = ()> {
    value: Value,
    select: Select,
    own: S,
    c: f32,
    terms: Terms,
    ties: Ties,
    loss_trap: bool,
}

/// What a child is worth before exploration.
#[derive(Clone, Copy, Debug)]
enum Value {
    /// Its mean, or this where it has not been visited.
    Mean(FirstPlayUrgency),
    /// Its mean blended with the values of its move at any time.
    Blended(Blend),
}

/// Terms beside value and exploration; a weight of 0 leaves one out.
#[derive(Clone, Copy, Debug)]
struct Terms {
    /// W of progressive bias.
    bias: f32,
    /// W of progressive history.
    history: f32,
}

impl Terms {
    fn is_empty(&self) -> bool {
        self.bias == 0.0 && self.history == 0.0
    }

    /// Adds them to the score of a child.
    #[inline(always)]
    fn add<G: Game>(&self, mut score: f32, child: &Child, mv: G::Move, history: &History<'_, G>) -> f32 {
        if self.bias > 0.0 {
            score += self.bias * child.prior / (child.visits + 1.0);
        }
        if self.history > 0.0
            && let Some(values) = history.values
        {
            let id = history.game.move_id(history.state, mv);
            let value = 0.5 + 0.5 * values.mean(ActionValues::index(history.player, id));
            let losses = child.visits * (0.5 - 0.5 * child.mean.clamp(-1.0, 1.0));
            score += self.history * value / (losses + 1.0);
        }
        score
    }
}

/// What progressive history and RAVE read.
#[derive(Debug)]
pub struct History<'a, G: Game> {
    /// The game and the position of the node.
    pub game: &'a G,
    /// The position of the node.
    pub state: &'a G::State,
    /// Who moves there.
    pub player: Player,
    /// Values of moves, where something learns them.
    pub values: Option<&'a ActionValues>,
    /// An ancestor's values of moves made at any time, if they are to be taken instead of the node's own.
    pub lent: Option<&'a AllMovesAsFirst>,
}

impl<S: Selection> Rule<S> {
    /// The rule of these settings, which must be resolved, or one's own.
    pub fn new(settings: &MctsSettings, own: S) -> Self {
        let urgency = settings.fpu.unwrap_or(FirstPlayUrgency::Infinite);
        Self {
            value: Blend::new(&settings.terms).map_or(Value::Mean(urgency), Value::Blended),
            select: settings.select.standard(),
            own,
            c: settings.c.unwrap_or(1.0),
            terms: Terms { bias: settings.terms.bias, history: settings.terms.history },
            ties: settings.ties.unwrap_or_default(),
            loss_trap: settings.deviations.in_force().loss_trap,
        }
    }

    /// Whether children carry a number of their own: a prior for PUCT, an evaluation for progressive bias.
    pub fn needs_priors(&self) -> bool {
        S::TERMS && (self.select == Select::Puct || self.terms.bias > 0.0)
    }

    /// Whether children carry the values of their moves at any time.
    pub fn needs_amaf(&self) -> bool {
        S::TERMS && matches!(self.value, Value::Blended(_))
    }

    /// Whether all children of a node need a place from the start, so that the tree cannot be compact.
    pub fn needs_whole_nodes(&self) -> bool {
        S::QUIRKS && self.loss_trap && self.ties == Ties::Random || self.competes_unvisited() || self.needs_priors()
    }

    /// Whether the order of moves decides between equal children.
    pub fn needs_order(&self) -> bool {
        S::QUIRKS && self.ties == Ties::First
    }

    /// Picks a child of an expanded node and counts it as opened.
    ///
    /// Children are opened in random order: the next one changes places with a random one behind it, so no scan
    /// is needed before all have been visited.
    #[inline(always)]
    pub fn choose<G: Game, T: Nodes<Move = G::Move>>(
        &self,
        tree: &mut T,
        node: NodeId,
        random: &mut Random,
        history: &History<'_, G>,
    ) -> NodeId {
        // Nothing is proven of a child of a node that is not whole.
        if S::QUIRKS
            && self.loss_trap
            && tree.is_whole(node)
            && tree.opened(node) >= tree.places(node)
            && let Some(child) = tree.lost_unvisited(node)
        {
            return child;
        }
        if self.competes_unvisited() {
            return self.best(tree, node, tree.places(node), history).0;
        }
        while !tree.is_open(node) {
            let opened = tree.opened(node);
            if S::TERMS
                && let Value::Mean(FirstPlayUrgency::Value(value)) = self.value
                && opened > 0
                && self.best(tree, node, opened, history).1 >= value
            {
                break;
            }
            // Where no room is left, the opened ones have to do.
            let Some(child) = tree.open_any(node, self.ties(), random) else { break };
            if tree.proof(child) != Proof::Loss {
                return child;
            }
        }
        let opened = match self.ties() {
            Ties::Random => tree.opened(node),
            Ties::First => tree.places(node),
        };
        self.best(tree, node, opened, history).0
    }

    /// The best child of which nothing is proven, if there is one.
    #[cold]
    pub fn best_unproven<G: Game, T: Nodes<Move = G::Move>>(
        &self,
        tree: &T,
        node: NodeId,
        history: &History<'_, G>,
    ) -> Option<NodeId> {
        tree.children(node)
            .filter(|&child| tree.proof(child) == Proof::Unknown)
            .map(|child| (child, self.score(tree, node, child, history)))
            .reduce(|best, other| if other.1 > best.1 { other } else { best })
            .map(|(child, _)| child)
    }

    #[inline(always)]
    fn ties(&self) -> Ties {
        if S::QUIRKS { self.ties } else { Ties::Random }
    }

    /// Whether unvisited children have a score of their own beside the visited ones.
    fn competes_unvisited(&self) -> bool {
        if !S::TERMS {
            return false;
        }
        match self.value {
            Value::Blended(_) => true,
            Value::Mean(FirstPlayUrgency::Value(_)) => self.needs_priors() || self.terms.history > 0.0,
            Value::Mean(FirstPlayUrgency::Infinite) => false,
        }
    }

    /// The best of the first `count` children and its score; the first of equals.
    #[inline(always)]
    fn best<G: Game, T: Nodes<Move = G::Move>>(
        &self,
        tree: &mut T,
        node: NodeId,
        count: u32,
        history: &History<'_, G>,
    ) -> (NodeId, f32) {
        if self.is_plain() {
            let score = self.plain(tree.visits(node));
            return tree.best_of(node, count, &score);
        }
        self.best_of_terms(tree, node, count, history)
    }

    /// Whether the rule is UCB1 and nothing else.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        let is_plain = !S::TERMS || self.select == Select::Ucb1 && self.terms.is_empty() && !self.own.is_present();
        is_plain && (!S::TERMS || matches!(self.value, Value::Mean(_)))
    }

    /// UCB1 for the children of a node with so many visits.
    #[inline(always)]
    fn plain(&self, visits: u32) -> Ucb1 {
        Ucb1 { scale: self.c * self.c * ln(visits.max(1)) }
    }

    /// The best child by every other rule, child by child.
    #[inline(never)]
    fn best_of_terms<G: Game, T: Nodes<Move = G::Move>>(
        &self,
        tree: &T,
        node: NodeId,
        count: u32,
        history: &History<'_, G>,
    ) -> (NodeId, f32) {
        let mut best = (tree.child(node, 0), f32::NEG_INFINITY);
        let node_seen = Node::of(tree.visits(node));
        for child in tree.first_children(node, count) {
            let score = self.score_of_terms(tree, (node, &node_seen), child, history);
            if score > best.1 {
                best = (child, score);
            }
        }
        best
    }

    /// The score of one child.
    fn score<G: Game, T: Nodes<Move = G::Move>>(
        &self,
        tree: &T,
        node: NodeId,
        child: NodeId,
        history: &History<'_, G>,
    ) -> f32 {
        if self.is_plain() {
            let (visits, mean) = tree.standing(child);
            return self.plain(tree.visits(node)).score(visits, mean);
        }
        self.score_of_terms(tree, (node, &Node::of(tree.visits(node))), child, history)
    }

    #[inline(always)]
    fn score_of_terms<G: Game, T: Nodes<Move = G::Move>>(
        &self,
        tree: &T,
        (node, node_seen): (NodeId, &Node),
        child: NodeId,
        history: &History<'_, G>,
    ) -> f32 {
        if tree.proof(child) == Proof::Unknown {
            let seen = self.seen(tree, node, child, history);
            self.terms.add(self.explored(&seen, node_seen), &seen, tree.mv(child), history)
        } else {
            tree.standing(child).1
        }
    }

    /// What the rule is shown of a child.
    #[inline(always)]
    fn seen<G: Game, T: Nodes<Move = G::Move>>(
        &self,
        tree: &T,
        node: NodeId,
        child: NodeId,
        history: &History<'_, G>,
    ) -> Child {
        let (count, mean) = tree.standing(child);
        let mean = match self.value {
            Value::Mean(FirstPlayUrgency::Infinite) if count == 0 => f32::MAX,
            Value::Mean(FirstPlayUrgency::Value(urgency)) if count == 0 => urgency,
            Value::Mean(_) => mean,
            Value::Blended(blend) => {
                let own = tree.amaf(child);
                // Without visits there is only the value at any time; a move with neither comes first.
                let amaf = history.lent.map_or(own, |lent| lent.lent(own.move_id));
                match (count, amaf.count) {
                    (0, 0) => f32::MAX,
                    (0, _) => amaf.mean,
                    (_, 0) => mean,
                    _ => mean + blend.weight(tree.visits(node), count, amaf.count) * (amaf.mean - mean),
                }
            }
        };
        let needs_variance = self.select == Select::Tuned || self.own.is_present();
        Child {
            visits: count as f32,
            mean,
            variance: if needs_variance { tree.variance(child) } else { 0.0 },
            prior: if self.needs_priors() { tree.prior(child) } else { 0.0 },
        }
    }

    /// Value and exploration.
    #[inline(always)]
    fn explored(&self, child: &Child, node: &Node) -> f32 {
        if self.own.is_present() {
            return self.own.score(child, node);
        }
        let ratio = node.log_visits / child.visits.max(1.0);
        match self.select {
            Select::Ucb1 => child.mean + self.c * ratio.sqrt(),
            Select::Tuned => child.mean + self.c * tuned(ratio, child.variance),
            Select::Puct => child.mean + self.c * child.prior * node.visits.sqrt() / (1.0 + child.visits),
        }
    }
}

/// √(ln n / nᵢ · min(1, V)) with V the variance plus its own confidence term; for rewards in [−1, 1] the variance
/// is at most 1.
#[inline(always)]
fn tuned(ratio: f32, variance: f32) -> f32 {
    let bound = (variance + (2.0 * ratio).sqrt()).min(1.0);
    (ratio * bound).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuned_is_never_wider_than_ucb1() {
        for variance in [0.0, 0.3, 1.0] {
            for ratio in [0.001, 0.1, 1.0, 3.0] {
                assert!(tuned(ratio, variance) <= f32::sqrt(ratio));
            }
        }
    }
}
