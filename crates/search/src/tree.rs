//! The tree: an arena in which the children of a node stand side by side.
//!
//! What selection reads of a child (visits, mean) lies in arrays of its own, so that the best of a thousand
//! children is found with vector instructions. All values of a node are in the view of the player who moved
//! into it.

use alloc::{vec, vec::Vec};
use core::ops::Range;

/// A node's place in the arena.
pub type NodeId = u32;

/// The root's place.
pub const ROOT: NodeId = 0;

/// The most visits a node can count.
pub const MOST_VISITS: u32 = PROVEN - 1;

/// Set in the word of visits when the node's value is proven; the mean is then +∞, −∞ or 0.
const PROVEN: u32 = 1 << 31;

/// What is known for certain of a node, in the view of the player who moved into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Nothing.
    Unknown,
    /// This player wins.
    Win,
    /// This player loses.
    Loss,
    /// Neither can force a win.
    Draw,
}

/// What only the walk down and the walk up touch.
#[derive(Clone, Copy, Debug)]
struct Node<M> {
    sum: f64,
    squares: f32,
    first_child: u32,
    children: u16,
    opened: u16,
    mv: M,
}

/// Moments of a control variate Y beside the reward X of a node (Welford's recurrences).
#[derive(Clone, Copy, Debug, Default)]
struct Control {
    mean: f64,
    covariance: f64,
    squares: f64,
}

/// The simulations in which the player who moves at the parent made a child's move at once or later: all moves as first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Amaf {
    /// The id of the child's move.
    pub move_id: u32,
    /// How many simulations.
    pub count: u32,
    /// Their mean reward, in the view of that player.
    pub mean: f32,
}

/// How the coefficient of a control variate is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficient {
    /// What it is before it is measured.
    pub constant: f64,
    /// From so many visits on it is measured.
    pub visits: u32,
}

/// A search tree over moves of type `M`.
#[derive(Debug)]
pub struct Tree<M> {
    visits: Vec<u32>,
    means: Vec<f32>,
    nodes: Vec<Node<M>>,
    /// One prior for each node where a selection rule asks for them, else empty.
    priors: Vec<f32>,
    /// In games with chance, the next outcome in the list of a chance node, 0 at its end.
    siblings: Vec<NodeId>,
    /// What control variates measure, where they are used.
    controls: Vec<Control>,
    /// Values of moves made at any time, where the selection rule asks for them.
    amaf: Vec<Amaf>,
    has_priors: bool,
    has_chance: bool,
    has_controls: bool,
    has_amaf: bool,
    capacity: usize,
}

/// What a tree holds beside what every search needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// A prior for each node.
    pub priors: bool,
    /// Chance nodes.
    pub chance: bool,
    /// Moments of control variates.
    pub controls: bool,
    /// Values of moves made at any time.
    pub amaf: bool,
}

impl<M: Copy + Default> Tree<M> {
    /// A tree of at most `bytes`, which are reserved but not touched before they are needed.
    pub fn new(bytes: usize, parts: Parts) -> Self {
        let mut tree = Self {
            visits: Vec::new(),
            means: Vec::new(),
            nodes: Vec::new(),
            priors: Vec::new(),
            siblings: Vec::new(),
            controls: Vec::new(),
            amaf: Vec::new(),
            has_priors: parts.priors,
            has_chance: parts.chance,
            has_controls: parts.controls,
            has_amaf: parts.amaf,
            capacity: 0,
        };
        let mut wanted = (bytes / tree.node_bytes()).clamp(1, u32::MAX as usize);
        while wanted > 1 && !tree.reserve(wanted) {
            wanted /= 2;
        }
        tree.capacity = wanted;
        tree.clear();
        tree
    }

    fn reserve(&mut self, nodes: usize) -> bool {
        self.visits.try_reserve_exact(nodes).is_ok()
            && self.means.try_reserve_exact(nodes).is_ok()
            && self.nodes.try_reserve_exact(nodes).is_ok()
            && (!self.has_priors || self.priors.try_reserve_exact(nodes).is_ok())
            && (!self.has_chance || self.siblings.try_reserve_exact(nodes).is_ok())
            && (!self.has_controls || self.controls.try_reserve_exact(nodes).is_ok())
            && (!self.has_amaf || self.amaf.try_reserve_exact(nodes).is_ok())
    }

    /// Bytes that one node of this tree takes.
    fn node_bytes(&self) -> usize {
        Self::bytes_per_node(self.has_priors)
            + if self.has_chance { size_of::<NodeId>() } else { 0 }
            + if self.has_controls { size_of::<Control>() } else { 0 }
            + if self.has_amaf { size_of::<Amaf>() } else { 0 }
    }

    /// Bytes that one node takes in a game without chance and without RAVE.
    pub const fn bytes_per_node(has_priors: bool) -> usize {
        let prior = if has_priors { size_of::<f32>() } else { 0 };
        size_of::<u32>() + size_of::<f32>() + size_of::<Node<M>>() + prior
    }

    /// Back to a lone root.
    pub fn clear(&mut self) {
        self.visits.clear();
        self.means.clear();
        self.nodes.clear();
        self.priors.clear();
        self.siblings.clear();
        self.controls.clear();
        self.amaf.clear();
        self.push(M::default(), 0.0);
    }

    fn push(&mut self, mv: M, prior: f32) {
        self.visits.push(0);
        self.means.push(0.0);
        self.nodes.push(Node { sum: 0.0, squares: 0.0, first_child: 0, children: 0, opened: 0, mv });
        if self.has_priors {
            self.priors.push(prior);
        }
        if self.has_chance {
            self.siblings.push(0);
        }
        if self.has_controls {
            self.controls.push(Control::default());
        }
        if self.has_amaf {
            self.amaf.push(Amaf::default());
        }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: there is always a root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.len() * self.node_bytes()
    }

    /// Whether the node has children.
    #[inline(always)]
    pub fn is_expanded(&self, node: NodeId) -> bool {
        self.nodes[node as usize].children > 0
    }

    /// Gives the node one child for each move; false if there is no room for them.
    pub fn add_children(&mut self, node: NodeId, moves: &[M]) -> bool {
        debug_assert!(!self.is_expanded(node));
        if self.len() + moves.len() > self.capacity || moves.len() > usize::from(u16::MAX) {
            return false;
        }
        let parent = &mut self.nodes[node as usize];
        parent.first_child = self.visits.len() as u32;
        parent.children = moves.len() as u16;
        self.visits.resize(self.visits.len() + moves.len(), 0);
        self.means.resize(self.means.len() + moves.len(), 0.0);
        let fresh = Node { sum: 0.0, squares: 0.0, first_child: 0, children: 0, opened: 0, mv: M::default() };
        self.nodes.extend(moves.iter().map(|&mv| Node { mv, ..fresh }));
        if self.has_priors {
            self.priors.resize(self.nodes.len(), 0.0);
        }
        if self.has_chance {
            self.siblings.resize(self.nodes.len(), 0);
        }
        if self.has_controls {
            self.controls.resize(self.nodes.len(), Control::default());
        }
        if self.has_amaf {
            self.amaf.resize(self.nodes.len(), Amaf::default());
        }
        true
    }

    /// The places of the node's children.
    #[inline(always)]
    pub fn children(&self, node: NodeId) -> Range<NodeId> {
        let node = &self.nodes[node as usize];
        node.first_child..node.first_child + u32::from(node.children)
    }

    /// How many of the children have been opened, that is, offered to the selection rule.
    #[inline(always)]
    pub fn opened(&self, node: NodeId) -> u32 {
        u32::from(self.nodes[node as usize].opened)
    }

    /// Counts one more opened child.
    #[inline(always)]
    pub fn open_one(&mut self, node: NodeId) {
        self.nodes[node as usize].opened += 1;
    }

    /// Lets two children that have not been visited change places.
    #[inline(always)]
    pub fn swap_unvisited(&mut self, a: NodeId, b: NodeId) {
        let (a, b) = (a as usize, b as usize);
        self.visits.swap(a, b);
        self.means.swap(a, b);
        self.nodes.swap(a, b);
        if self.has_priors {
            self.priors.swap(a, b);
        }
    }

    /// The words of visits of these nodes; see [`Tree::visits`].
    #[inline(always)]
    pub fn visits_of(&self, nodes: Range<NodeId>) -> &[u32] {
        &self.visits[nodes.start as usize..nodes.end as usize]
    }

    /// The means of these nodes, ±∞ where a win or loss is proven.
    #[inline(always)]
    pub fn means_of(&self, nodes: Range<NodeId>) -> &[f32] {
        &self.means[nodes.start as usize..nodes.end as usize]
    }

    /// The priors of these nodes.
    pub fn priors_of(&self, nodes: Range<NodeId>) -> &[f32] {
        &self.priors[nodes.start as usize..nodes.end as usize]
    }

    /// Sets a prior.
    pub fn set_prior(&mut self, node: NodeId, prior: f32) {
        self.priors[node as usize] = prior;
    }

    /// What is known of the moves of these nodes at any time.
    #[inline(always)]
    pub fn amaf_of(&self, nodes: Range<NodeId>) -> &[Amaf] {
        &self.amaf[nodes.start as usize..nodes.end as usize]
    }

    /// The same, to be changed.
    #[inline(always)]
    pub fn amaf_of_mut(&mut self, nodes: Range<NodeId>) -> &mut [Amaf] {
        &mut self.amaf[nodes.start as usize..nodes.end as usize]
    }

    /// The move that leads to the node.
    #[inline(always)]
    pub fn mv(&self, node: NodeId) -> M {
        self.nodes[node as usize].mv
    }

    /// How many simulations went through the node.
    #[inline(always)]
    pub fn visits(&self, node: NodeId) -> u32 {
        self.visits[node as usize] & MOST_VISITS
    }

    /// Mean reward of the simulations, whatever has been proven since; with its correction where control variates are
    /// used.
    pub fn mean(&self, node: NodeId) -> f32 {
        if self.has_controls { self.means[node as usize] } else { self.plain_mean(node) }
    }

    /// Mean reward of the simulations as they were.
    pub fn plain_mean(&self, node: NodeId) -> f32 {
        let visits = self.visits(node);
        if visits == 0 { 0.0 } else { (self.nodes[node as usize].sum / f64::from(visits)) as f32 }
    }

    /// Variance of the rewards (population).
    pub fn variance(&self, node: NodeId) -> f32 {
        let visits = self.visits(node);
        if visits == 0 {
            return 0.0;
        }
        let mean = self.plain_mean(node);
        (self.nodes[node as usize].squares / visits as f32 - mean * mean).max(0.0)
    }

    /// What is proven of the node.
    #[inline(always)]
    pub fn proof(&self, node: NodeId) -> Proof {
        if self.visits[node as usize] & PROVEN == 0 {
            return Proof::Unknown;
        }
        let value = self.means[node as usize];
        if value > 0.0 {
            Proof::Win
        } else if value < 0.0 {
            Proof::Loss
        } else {
            Proof::Draw
        }
    }

    /// Notes what has been proven.
    pub fn prove(&mut self, node: NodeId, proof: Proof) {
        self.visits[node as usize] |= PROVEN;
        self.means[node as usize] = match proof {
            Proof::Win => f32::INFINITY,
            Proof::Loss => f32::NEG_INFINITY,
            Proof::Draw => 0.0,
            Proof::Unknown => unreachable!("only a result is proven"),
        };
    }

    /// Adds one simulation's reward, in the view of the player who moved into the node.
    #[inline(always)]
    pub fn add_reward(&mut self, node: NodeId, reward: f32) {
        let index = node as usize;
        let word = &mut self.visits[index];
        *word += 1;
        let node = &mut self.nodes[index];
        node.sum += f64::from(reward);
        node.squares += reward * reward;
        if *word & PROVEN == 0 {
            self.means[index] = (node.sum / f64::from(*word)) as f32;
        }
    }

    /// Adds one simulation's reward and control variate, in the view of the player who moved into the node. The mean
    /// that selection reads is corrected with the coefficient; what is averaged is not.
    #[inline(always)]
    pub fn add_controlled(&mut self, node: NodeId, reward: f32, control: f64, coefficient: Coefficient) {
        let index = node as usize;
        let before = f64::from(self.visits[index]);
        self.visits[index] += 1;
        let (visits, reward) = (before + 1.0, f64::from(reward));
        let node = &mut self.nodes[index];
        let apart = if before == 0.0 { 0.0 } else { reward - node.sum / before };
        node.sum += reward;
        node.squares += (reward * reward) as f32;
        let moments = &mut self.controls[index];
        let control_apart = control - moments.mean;
        moments.mean += control_apart / visits;
        moments.covariance += apart * (control - moments.mean);
        moments.squares += control_apart * (control - moments.mean);
        let factor = if self.visits[index] >= coefficient.visits && moments.squares > 0.0 {
            -moments.covariance / moments.squares
        } else {
            coefficient.constant
        };
        self.means[index] = (node.sum / visits + factor * moments.mean) as f32;
    }

    /// Fills `target` with the part of this tree below `node`, which becomes its root.
    pub fn copy_subtree(&self, node: NodeId, target: &mut Self) {
        target.clear();
        self.copy_node(node, target, ROOT);
        // A queue of (place here, place there); children are copied in whole blocks.
        let mut queue = vec![(node, ROOT)];
        let mut next = 0;
        while let Some(&(here, there)) = queue.get(next) {
            next += 1;
            let children = self.children(here);
            if children.is_empty() || target.len() + children.len() > target.capacity {
                continue;
            }
            let first = target.len() as u32;
            for (number, child) in children.enumerate() {
                target.push(self.mv(child), 0.0);
                let place = first + number as u32;
                self.copy_node(child, target, place);
                queue.push((child, place));
            }
            let parent = &mut target.nodes[there as usize];
            parent.first_child = first;
            parent.children = self.nodes[here as usize].children;
            parent.opened = self.nodes[here as usize].opened;
        }
    }

    fn copy_node(&self, here: NodeId, target: &mut Self, there: NodeId) {
        let (here, there) = (here as usize, there as usize);
        target.visits[there] = self.visits[here];
        target.means[there] = self.means[here];
        target.nodes[there] = Node { first_child: 0, children: 0, opened: 0, ..self.nodes[here] };
        if self.has_priors && target.has_priors {
            target.priors[there] = self.priors[here];
        }
        if self.has_amaf && target.has_amaf {
            target.amaf[there] = self.amaf[here];
        }
    }
}

/// The outcomes of a chance node are met one by one and stand in a list, so that what never happens takes no room. A
/// chance node has no children that a player could choose from.
impl<M: Copy + Default + Eq> Tree<M> {
    /// The node of this outcome, if it has been met. It moves to the front, where likely outcomes are found sooner.
    #[inline]
    pub fn outcome(&mut self, node: NodeId, outcome: M) -> Option<NodeId> {
        let first = self.nodes[node as usize].first_child;
        let (mut previous, mut here) = (0, first);
        while here != 0 {
            let next = self.siblings[here as usize];
            if self.nodes[here as usize].mv == outcome {
                if here != first {
                    self.siblings[previous as usize] = next;
                    self.siblings[here as usize] = first;
                    self.nodes[node as usize].first_child = here;
                }
                return Some(here);
            }
            (previous, here) = (here, next);
        }
        None
    }

    /// The outcomes of a chance node that were met; none where a player chooses.
    pub fn outcomes(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let own = &self.nodes[node as usize];
        let first = if self.has_chance && own.children == 0 { own.first_child } else { 0 };
        let next = |here: NodeId| (here != 0).then_some(here);
        core::iter::successors(next(first), move |&here| next(self.siblings[here as usize]))
    }

    /// Adds an outcome that has not been met before; `None` if there is no room.
    pub fn add_outcome(&mut self, node: NodeId, outcome: M) -> Option<NodeId> {
        if self.len() >= self.capacity {
            return None;
        }
        let place = self.len() as NodeId;
        self.push(outcome, 0.0);
        self.siblings[place as usize] = self.nodes[node as usize].first_child;
        self.nodes[node as usize].first_child = place;
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_proofs_do_not_disturb_each_other() {
        let mut tree = Tree::<u8>::new(1 << 16, Parts::default());
        assert!(tree.add_children(ROOT, &[1, 2, 3]));
        let child = tree.children(ROOT).start;
        tree.add_reward(child, 1.0);
        tree.add_reward(child, 0.0);
        assert_eq!((tree.visits(child), tree.mean(child), tree.variance(child)), (2, 0.5, 0.25));
        tree.prove(child, Proof::Loss);
        tree.add_reward(child, -1.0);
        assert_eq!((tree.visits(child), tree.mean(child), tree.proof(child)), (3, 0.0, Proof::Loss));
    }

    #[test]
    fn a_full_tree_refuses_children_and_stays_as_it_is() {
        let bytes = 10 * Tree::<u8>::bytes_per_node(false);
        let mut tree = Tree::<u8>::new(bytes, Parts::default());
        assert!(tree.add_children(ROOT, &[0; 5]));
        assert!(!tree.add_children(1, &[0; 5]));
        assert!(tree.add_children(1, &[0; 4]));
        assert_eq!((tree.len(), tree.bytes()), (10, bytes));
    }

    #[test]
    fn a_subtree_is_copied_whole() {
        let mut tree = Tree::<u8>::new(1 << 16, Parts { priors: true, ..Parts::default() });
        tree.add_children(ROOT, &[10, 20]);
        tree.add_children(2, &[21, 22, 23]);
        tree.add_children(4, &[221]);
        tree.add_reward(4, 1.0);
        tree.set_prior(4, 0.5);
        tree.prove(5, Proof::Draw);
        let mut copy = Tree::<u8>::new(1 << 16, Parts { priors: true, ..Parts::default() });
        tree.copy_subtree(2, &mut copy);
        let children: Vec<u8> = copy.children(ROOT).map(|child| copy.mv(child)).collect();
        assert_eq!(children, [21, 22, 23]);
        assert_eq!((copy.len(), copy.mv(ROOT), copy.visits(2), copy.priors_of(2..3)[0]), (5, 20, 1, 0.5));
        assert_eq!(copy.proof(3), Proof::Draw);
        assert_eq!(copy.children(2).map(|child| copy.mv(child)).collect::<Vec<_>>(), [221]);
    }

    #[test]
    fn outcomes_are_found_again() {
        let mut tree = Tree::<u8>::new(1 << 16, Parts { chance: true, ..Parts::default() });
        assert!(tree.add_children(ROOT, &[1, 2]));
        let chance = tree.children(ROOT).start;
        let places: Vec<_> = (10..20).map(|outcome| tree.add_outcome(chance, outcome).unwrap()).collect();
        for (number, outcome) in [3, 3, 0, 9, 5, 0].map(|number| (number, 10 + number as u8)) {
            assert_eq!(tree.outcome(chance, outcome), Some(places[number]));
        }
        assert_eq!(tree.outcome(chance, 7), None);
        assert!(!tree.is_expanded(chance));
    }

    /// X = 3 Y + 5 exactly, so that a measured coefficient leaves no variance.
    #[test]
    fn a_control_variate_takes_away_what_it_explains() {
        let mut tree = Tree::<u8>::new(1 << 16, Parts { chance: true, controls: true, ..Parts::default() });
        let coefficient = Coefficient { constant: -2.0, visits: 4 };
        let mut means = Vec::new();
        for control in [1.0, -0.5, 0.25, 2.0, -1.0] {
            tree.add_controlled(ROOT, 3.0 * control as f32 + 5.0, control, coefficient);
            means.push(tree.mean(ROOT));
        }
        assert_eq!(means[0], 8.0 - 2.0);
        assert!((means[1] - (5.0 + 0.25)).abs() < 1e-6, "{means:?}");
        assert!(means[3..].iter().all(|mean| (mean - 5.0).abs() < 1e-6), "{means:?}");
    }

    #[test]
    fn a_node_takes_at_most_32_bytes() {
        assert!(Tree::<u8>::bytes_per_node(false) <= 32);
        assert!(Tree::<u32>::bytes_per_node(false) <= 32);
    }
}
