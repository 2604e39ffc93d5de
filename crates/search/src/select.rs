//! Selection: which child a simulation goes through.

use crate::amaf::{AllMovesAsFirst, Blend};
use crate::playout::ActionValues;
use crate::settings::{FirstPlayUrgency, MctsSettings, Select, Ties};
use crate::tree::{MOST_VISITS, NodeId, Proof, Tree};
use spinney_core::arithmetic::ln;
use spinney_core::game::{Game, Player};
use spinney_core::random::Random;

/// The selection rule with its constants.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    select: Select,
    c: f32,
    first_play_urgency: FirstPlayUrgency,
    ties: Ties,
    bias: f32,
    history: f32,
    blend: Option<Blend>,
    loss_trap: bool,
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
    /// Values of moves.
    pub values: &'a ActionValues,
    /// An ancestor's values of moves made at any time, if they are to be taken instead of the node's own.
    pub lent: Option<&'a AllMovesAsFirst>,
}

impl Rule {
    /// The rule of these settings, which must be resolved.
    pub fn new(settings: &MctsSettings) -> Self {
        Self {
            select: settings.select,
            c: settings.c.unwrap_or(1.0),
            first_play_urgency: settings.fpu.unwrap_or(FirstPlayUrgency::Infinite),
            ties: settings.ties.unwrap_or_default(),
            bias: settings.bias,
            history: settings.history,
            blend: Blend::new(settings),
            loss_trap: settings.quirks_in_force().loss_trap,
        }
    }

    /// Whether children carry a number of their own: a prior for PUCT, an evaluation for progressive bias.
    pub fn needs_priors(&self) -> bool {
        self.select == Select::Puct || self.bias > 0.0
    }

    /// Whether children carry the values of their moves at any time.
    pub fn needs_amaf(&self) -> bool {
        self.blend.is_some()
    }

    /// Picks a child of an expanded node and counts it as opened.
    ///
    /// Children are opened in random order: the next one changes places with a random one behind it, so no scan
    /// is needed before all have been visited.
    #[inline(always)]
    pub fn choose<G: Game>(
        &self,
        tree: &mut Tree<G::Move>,
        node: NodeId,
        random: &mut Random,
        history: &History<'_, G>,
    ) -> NodeId {
        let children = tree.children(node);
        if self.loss_trap {
            let trapped = |&child: &NodeId| tree.visits(child) == 0 && tree.proof(child) == Proof::Loss;
            let all_visited = tree.opened(node) as usize >= children.len();
            if let Some(child) = children.clone().find(trapped).filter(|_| all_visited) {
                return child;
            }
        }
        if self.competes_unvisited() {
            return self.best(tree, node, children, history).0;
        }
        while tree.opened(node) < children.len() as u32 {
            let opened = children.start..children.start + tree.opened(node);
            if let FirstPlayUrgency::Value(value) = self.first_play_urgency
                && !opened.is_empty()
                && self.best(tree, node, opened, history).1 >= value
            {
                break;
            }
            let child = self.open(tree, node, random);
            if tree.proof(child) != Proof::Loss {
                return child;
            }
        }
        let opened = match self.ties {
            Ties::Random => children.start..children.start + tree.opened(node),
            Ties::First => children,
        };
        self.best(tree, node, opened, history).0
    }

    /// The best child of which nothing is proven, if there is one.
    #[cold]
    pub fn best_unproven<G: Game>(
        &self,
        tree: &Tree<G::Move>,
        node: NodeId,
        history: &History<'_, G>,
    ) -> Option<NodeId> {
        tree.children(node)
            .filter(|&child| tree.proof(child) == Proof::Unknown)
            .map(|child| self.best(tree, node, child..child + 1, history))
            .reduce(|best, other| if other.1 > best.1 { other } else { best })
            .map(|(child, _)| child)
    }

    /// Whether unvisited children have a score of their own beside the visited ones.
    fn competes_unvisited(&self) -> bool {
        self.blend.is_some()
            || matches!(self.first_play_urgency, FirstPlayUrgency::Value(_))
                && (self.needs_priors() || self.history > 0.0)
    }

    #[inline(always)]
    fn open<M: Copy + Default>(&self, tree: &mut Tree<M>, node: NodeId, random: &mut Random) -> NodeId {
        let children = tree.children(node);
        let opened = tree.opened(node);
        let waiting = children.len() as u32 - opened;
        tree.open_one(node);
        match self.ties {
            Ties::Random => {
                let place = children.start + opened;
                let drawn = place + random.below(waiting);
                if drawn != place {
                    tree.swap_unvisited(place, drawn);
                }
                place
            }
            Ties::First => {
                let index = random.below(waiting) as usize;
                let unvisited = |&child: &NodeId| tree.visits(child) == 0;
                // Children proven when created were never visited and may leave fewer than expected.
                let found = children.clone().filter(unvisited).nth(index);
                found.or_else(|| children.clone().find(unvisited)).unwrap_or(children.start)
            }
        }
    }

    /// The best of these children and its score; the first of equals.
    #[inline(always)]
    fn best<G: Game>(
        &self,
        tree: &Tree<G::Move>,
        node: NodeId,
        children: std::ops::Range<NodeId>,
        history: &History<'_, G>,
    ) -> (NodeId, f32) {
        let visits = tree.visits_of(children.clone());
        let means = tree.means_of(children.clone());
        let parent_visits = tree.visits(node).max(1);
        if let Some(blend) = self.blend {
            return self.best_blended(tree, node, children, blend, history.lent);
        }
        if self.select == Select::Ucb1 && self.bias == 0.0 && self.history == 0.0 {
            let scale = self.c * self.c * ln(parent_visits);
            let (index, score) = argmax(visits, means, |word, mean| mean + (scale / reliable(word)).sqrt());
            return (children.start + index as u32, score);
        }
        let unvisited = match self.first_play_urgency {
            FirstPlayUrgency::Infinite => f32::MAX,
            FirstPlayUrgency::Value(value) => value,
        };
        let log = ln(parent_visits);
        let root = (parent_visits as f32).sqrt();
        let mut best = (children.start, f32::NEG_INFINITY);
        for (index, child) in children.clone().enumerate() {
            let count = (visits[index] & MOST_VISITS) as f32;
            if visits[index] > MOST_VISITS {
                if means[index] > best.1 {
                    best = (child, means[index]);
                }
                continue;
            }
            let mean = if count == 0.0 { unvisited } else { means[index] };
            let divisor = count.max(1.0);
            let mut score = match self.select {
                Select::Ucb1 => mean + self.c * (log / divisor).sqrt(),
                Select::Tuned => mean + self.c * tuned(log / divisor, tree.variance(child)),
                Select::Puct => mean + self.c * tree.priors_of(child..child + 1)[0] * root / (1.0 + count),
            };
            if self.bias > 0.0 {
                score += self.bias * tree.priors_of(child..child + 1)[0] / (count + 1.0);
            }
            if self.history > 0.0 {
                let id = history.game.move_id(history.state, tree.mv(child));
                let value = 0.5 + 0.5 * history.values.mean(ActionValues::index(history.player, id));
                let losses = count * (0.5 - 0.5 * mean.clamp(-1.0, 1.0));
                score += self.history * value / (losses + 1.0);
            }
            if score > best.1 {
                best = (child, score);
            }
        }
        best
    }

    /// The best of these children by their own values and those of their moves at any time. A child without visits has
    /// the latter alone; one with neither comes first.
    #[inline(never)]
    fn best_blended<M: Copy + Default>(
        &self,
        tree: &Tree<M>,
        node: NodeId,
        children: std::ops::Range<NodeId>,
        blend: Blend,
        lent: Option<&AllMovesAsFirst>,
    ) -> (NodeId, f32) {
        let (visits, means) = (tree.visits_of(children.clone()), tree.means_of(children.clone()));
        let node_visits = tree.visits(node);
        let log = ln(node_visits.max(1));
        let mut best = (children.start, f32::NEG_INFINITY);
        for (index, own) in tree.amaf_of(children.clone()).iter().enumerate() {
            let amaf = lent.map_or(*own, |lent| lent.lent(own.move_id));
            let count = visits[index] & MOST_VISITS;
            let score = if visits[index] > MOST_VISITS {
                means[index]
            } else {
                let value = match (count, amaf.count) {
                    (0, 0) => f32::MAX,
                    (0, _) => amaf.mean,
                    (_, 0) => means[index],
                    _ => means[index] + blend.weight(node_visits, count, amaf.count) * (amaf.mean - means[index]),
                };
                value + self.c * (log / count.max(1) as f32).sqrt()
            };
            if score > best.1 {
                best = (children.start + index as u32, score);
            }
        }
        best
    }
}

/// The number of visits by which the exploration term is divided: without limit for a proven child, whose value
/// needs no more exploration, and 1 for one not visited.
#[inline(always)]
fn reliable(word: u32) -> f32 {
    let visits = (word & MOST_VISITS) as i32 as f32;
    if word > MOST_VISITS { f32::INFINITY } else { visits.max(1.0) }
}

/// √(ln n / nᵢ · min(1, V)) with V the variance plus its own confidence term; for rewards in [−1, 1] the variance
/// is at most 1.
#[inline(always)]
fn tuned(ratio: f32, variance: f32) -> f32 {
    let bound = (variance + (2.0 * ratio).sqrt()).min(1.0);
    (ratio * bound).sqrt()
}

/// The first index with the highest score, and the score; eight lanes at a time.
#[inline(always)]
fn argmax(visits: &[u32], means: &[f32], score: impl Fn(u32, f32) -> f32) -> (usize, f32) {
    const LANES: usize = 8;
    let mut best = [f32::NEG_INFINITY; LANES];
    let mut place = [0u32; LANES];
    let whole = visits.len() / LANES * LANES;
    for start in (0..whole).step_by(LANES) {
        let words: &[u32; LANES] = visits[start..start + LANES].try_into().expect("a whole chunk");
        let values: &[f32; LANES] = means[start..start + LANES].try_into().expect("a whole chunk");
        for lane in 0..LANES {
            let value = score(words[lane], values[lane]);
            let better = value > best[lane];
            best[lane] = if better { value } else { best[lane] };
            place[lane] = if better { (start + lane) as u32 } else { place[lane] };
        }
    }
    let mut found = (usize::MAX, f32::NEG_INFINITY);
    for lane in 0..LANES {
        let index = place[lane] as usize;
        if best[lane] > found.1 || (best[lane] == found.1 && index < found.0 && whole > 0) {
            found = (index, best[lane]);
        }
    }
    for index in whole..visits.len() {
        let value = score(visits[index], means[index]);
        if value > found.1 {
            found = (index, value);
        }
    }
    if found.0 == usize::MAX { (0, found.1) } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn argmax_is_the_first_of_the_best(values in prop::collection::vec(-3i32..3, 1..40)) {
            let means: Vec<f32> = values.iter().map(|&value| value as f32).collect();
            let visits = vec![1; means.len()];
            let (index, score) = argmax(&visits, &means, |_, mean| mean);
            let best = means.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            prop_assert_eq!(index, means.iter().position(|&mean| mean == best).unwrap());
            prop_assert_eq!(score, best);
        }
    }

    #[test]
    fn tuned_is_never_wider_than_ucb1() {
        for variance in [0.0, 0.3, 1.0] {
            for ratio in [0.001, 0.1, 1.0, 3.0] {
                assert!(tuned(ratio, variance) <= f32::sqrt(ratio));
            }
        }
    }

    #[test]
    fn a_proven_child_is_not_explored() {
        assert_eq!(reliable(5), 5.0);
        assert_eq!(reliable(0), 1.0);
        assert_eq!(1.0 / reliable(5 | 1 << 31), 0.0);
    }
}
