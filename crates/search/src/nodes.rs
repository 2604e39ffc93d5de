//! A tree as simulations use it. A search alone has a [`Tree`] to itself; threads share one, of which each has a
//! [`Branch`](crate::shared::Branch). Selection, expansion, solver and backpropagation are written once, over this.

use crate::best::Score;
use crate::settings::Ties;
use crate::tree::places::Places;
use crate::tree::{Amaf, NodeId, Parts, Proof, Tree};
use spinney_core::random::Random;

/// What simulations read of a tree and leave in it. All values of a node are in the view of the player who moved into it.
pub trait Nodes: Sized {
    /// The moves that lead from node to node.
    type Move: Copy + Default + Eq + Send + Sync;
    /// Whether others use it at the same time. Children are then opened in the order of their list, which must be a random
    /// one.
    const SHARED: bool;
    /// Whether searches on it are compiled without learners too; where they are not, nothing is taught and it takes longer.
    const STILL: bool = true;

    /// Whether play-outs are compiled into the simulation. On one kind of tree they are, and on shared ones where something
    /// learns; the others share a function, which takes a call more and half as long to build.
    const INLINED: bool = false;

    /// A tree of at most `bytes`.
    fn new(bytes: usize, parts: Parts) -> Self;
    /// Back to a lone root.
    fn clear(&mut self);
    /// Fills `target` with the part of this tree below `node`, which becomes its root; what has fewer than `least` visits
    /// gets no children there.
    fn copy_subtree(&self, node: NodeId, target: &mut Self, least: u32);

    /// Number of nodes.
    fn count(&self) -> usize;
    /// Bytes in use.
    fn bytes(&self) -> usize;
    /// Whether the tree could not grow as it was asked to.
    fn is_full(&self) -> bool;

    /// Whether the node has children.
    fn is_expanded(&self, node: NodeId) -> bool;
    /// Gives the node one child for each move, all with a place; false if there is no room for them.
    fn add_children(&mut self, node: NodeId, moves: &[Self::Move]) -> bool;
    /// The same, but in a compact tree they get a place when they are opened.
    fn list_children(&mut self, node: NodeId, moves: &[Self::Move]) -> bool;
    /// Lets all see the children that the node was given; false if somebody else has been quicker.
    fn publish(&mut self, node: NodeId) -> bool;
    /// How many children the node has.
    fn child_count(&self, node: NodeId) -> u32;
    /// How many of them have a place.
    fn places(&self, node: NodeId) -> u32;
    /// How many of them have been opened, that is, offered to the selection rule.
    fn opened(&self, node: NodeId) -> u32;
    /// Whether all of them have been opened.
    fn is_open(&self, node: NodeId) -> bool;
    /// The place of the child with this number, which must have one.
    fn child(&self, node: NodeId, number: u32) -> NodeId;
    /// The number of a child.
    fn number_of(&self, node: NodeId, child: NodeId) -> u32;
    /// The places of the children that have one.
    fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId>;
    /// The places of the first so many children, which must have one.
    fn first_children(&self, node: NodeId, count: u32) -> impl Iterator<Item = NodeId>;
    /// The moves of those that have none.
    fn unopened(&self, node: NodeId) -> impl Iterator<Item = Self::Move>;
    /// The outcomes of a chance node that were met.
    fn outcomes(&self, node: NodeId) -> impl Iterator<Item = NodeId>;
    /// Opens a child at random; `None` if there is none or no room for it.
    fn open_any(&mut self, node: NodeId, ties: Ties, random: &mut Random) -> Option<NodeId>;
    /// Whether all children of the node have places.
    fn is_whole(&self, node: NodeId) -> bool;
    /// The first child that was proven lost before anybody visited it; asked for where all children have been opened.
    #[inline(always)]
    fn lost_unvisited(&mut self, node: NodeId) -> Option<NodeId> {
        self.children(node).find(|&child| self.visits(child) == 0 && self.proof(child) == Proof::Loss)
    }
    /// Gives all children of a node places; returns the place that `child` then has, or `None` if there is no room.
    fn make_whole(&mut self, node: NodeId, child: NodeId) -> Option<NodeId>;
    /// Whether children of whole nodes stand in the order of their moves.
    fn is_ordered(&self) -> bool;

    /// A simulation comes to the node for the first time; `key` tells its position.
    fn arrive(&mut self, node: NodeId, key: impl FnOnce() -> Option<u64>);
    /// The move that leads to the node.
    fn mv(&self, node: NodeId) -> Self::Move;
    /// How many simulations went through the node.
    fn visits(&self, node: NodeId) -> u32;
    /// Mean reward of the simulations, whatever has been proven since.
    fn mean(&self, node: NodeId) -> f32;
    /// Variance of the rewards (population).
    fn variance(&self, node: NodeId) -> f32;
    /// What is proven of the node.
    fn proof(&self, node: NodeId) -> Proof;
    /// Notes what has been proven.
    fn prove(&mut self, node: NodeId, proof: Proof);
    /// A simulation goes through the node, and its result is not known yet.
    fn enter(&mut self, node: NodeId);
    /// It leaves the node without a result.
    fn leave(&mut self, node: NodeId);
    /// It leaves the node with this reward.
    fn add_reward(&mut self, node: NodeId, reward: f32);

    /// Visits and value of a node as selection sees them: ±∞ where a win or loss is proven, and with what is known of
    /// simulations that are under way.
    fn standing(&self, node: NodeId) -> (u32, f32);
    /// The best of the first `count` children and its score; the first of equals. `score` is given the word of visits, in
    /// which what is proven is marked by the highest bit, and the value.
    fn best_of(&mut self, node: NodeId, count: u32, score: &impl Score) -> (NodeId, f32);

    /// The prior of a node.
    fn prior(&self, node: NodeId) -> f32;
    /// Sets a prior.
    fn set_prior(&mut self, node: NodeId, prior: f32);
    /// What is known of the node's move at any time.
    fn amaf(&self, node: NodeId) -> Amaf;
    /// Changes what is known of the moves of all children at any time.
    fn update_amaf(&mut self, node: NodeId, change: impl FnMut(&mut Amaf));
}

impl<M: Copy + Default + Eq + Send + Sync, P: Places<M>> Nodes for Tree<M, P> {
    type Move = M;
    const SHARED: bool = false;
    const INLINED: bool = true;

    fn new(bytes: usize, parts: Parts) -> Self {
        Self::new(bytes, parts)
    }

    fn clear(&mut self) {
        self.clear();
    }

    fn copy_subtree(&self, node: NodeId, target: &mut Self, least: u32) {
        self.copy_subtree(node, target, least);
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn is_full(&self) -> bool {
        self.is_full()
    }

    #[inline(always)]
    fn is_expanded(&self, node: NodeId) -> bool {
        self.is_expanded(node)
    }

    #[inline(always)]
    fn add_children(&mut self, node: NodeId, moves: &[M]) -> bool {
        self.add_children(node, moves)
    }

    #[inline(always)]
    fn list_children(&mut self, node: NodeId, moves: &[M]) -> bool {
        self.list_children(node, moves)
    }

    #[inline(always)]
    fn publish(&mut self, _: NodeId) -> bool {
        true
    }

    #[inline(always)]
    fn child_count(&self, node: NodeId) -> u32 {
        self.child_count(node)
    }

    #[inline(always)]
    fn places(&self, node: NodeId) -> u32 {
        self.children(node).len() as u32
    }

    #[inline(always)]
    fn opened(&self, node: NodeId) -> u32 {
        self.opened(node)
    }

    #[inline(always)]
    fn is_open(&self, node: NodeId) -> bool {
        self.opened(node) >= self.child_count(node)
    }

    #[inline(always)]
    fn child(&self, node: NodeId, number: u32) -> NodeId {
        self.first_child(node) + number
    }

    #[inline(always)]
    fn number_of(&self, node: NodeId, child: NodeId) -> u32 {
        child - self.first_child(node)
    }

    #[inline(always)]
    fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.children(node)
    }

    #[inline(always)]
    fn first_children(&self, node: NodeId, count: u32) -> impl Iterator<Item = NodeId> {
        let first = self.first_child(node);
        first..first + count
    }

    fn unopened(&self, node: NodeId) -> impl Iterator<Item = M> {
        self.unopened(node).iter().copied()
    }

    fn outcomes(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.outcomes(node)
    }

    #[inline(always)]
    fn open_any(&mut self, node: NodeId, ties: Ties, random: &mut Random) -> Option<NodeId> {
        let opened = self.opened(node);
        let waiting = self.child_count(node) - opened;
        match ties {
            Ties::Random => self.open(node, opened + random.below(waiting)),
            Ties::First if !self.is_whole(node) => self.open_in_order(node, random.below(waiting)),
            Ties::First => {
                let children = self.children(node);
                self.open_one(node);
                let index = random.below(waiting) as usize;
                let unvisited = |&child: &NodeId| self.visits(child) == 0;
                // Children proven when created were never visited and may leave fewer than expected.
                let found = children.clone().filter(unvisited).nth(index);
                Some(found.or_else(|| children.clone().find(unvisited)).unwrap_or(children.start))
            }
        }
    }

    #[inline(always)]
    fn is_whole(&self, node: NodeId) -> bool {
        self.is_whole(node)
    }

    #[inline(always)]
    fn lost_unvisited(&mut self, node: NodeId) -> Option<NodeId> {
        self.lost_unvisited(node)
    }

    #[inline(always)]
    fn make_whole(&mut self, node: NodeId, child: NodeId) -> Option<NodeId> {
        self.make_whole(node, child)
    }

    #[inline(always)]
    fn is_ordered(&self) -> bool {
        self.is_ordered()
    }

    #[inline(always)]
    fn arrive(&mut self, _: NodeId, _: impl FnOnce() -> Option<u64>) {}

    #[inline(always)]
    fn mv(&self, node: NodeId) -> M {
        self.mv(node)
    }

    #[inline(always)]
    fn visits(&self, node: NodeId) -> u32 {
        self.visits(node)
    }

    #[inline(always)]
    fn mean(&self, node: NodeId) -> f32 {
        self.mean(node)
    }

    #[inline(always)]
    fn variance(&self, node: NodeId) -> f32 {
        self.variance(node)
    }

    #[inline(always)]
    fn proof(&self, node: NodeId) -> Proof {
        self.proof(node)
    }

    #[inline(always)]
    fn prove(&mut self, node: NodeId, proof: Proof) {
        self.prove(node, proof);
    }

    #[inline(always)]
    fn enter(&mut self, _: NodeId) {}

    #[inline(always)]
    fn leave(&mut self, _: NodeId) {}

    #[inline(always)]
    fn add_reward(&mut self, node: NodeId, reward: f32) {
        self.add_reward(node, reward);
    }

    #[inline(always)]
    fn standing(&self, node: NodeId) -> (u32, f32) {
        (self.visits(node), self.value(node))
    }

    #[inline(always)]
    fn best_of(&mut self, node: NodeId, count: u32, score: &impl Score) -> (NodeId, f32) {
        self.best_from(self.first_child(node), count, score)
    }

    #[inline(always)]
    fn prior(&self, node: NodeId) -> f32 {
        self.priors_of(node..node + 1)[0]
    }

    fn set_prior(&mut self, node: NodeId, prior: f32) {
        self.set_prior(node, prior);
    }

    #[inline(always)]
    fn amaf(&self, node: NodeId) -> Amaf {
        self.amaf_of(node..node + 1)[0]
    }

    #[inline(always)]
    fn update_amaf(&mut self, node: NodeId, change: impl FnMut(&mut Amaf)) {
        let children = self.children(node);
        self.amaf_of_mut(children).iter_mut().for_each(change);
    }
}
