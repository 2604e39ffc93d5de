//! The tree of a game of roles: positions, found by their hash, with a table of moves for every role.

use crate::tree::MOST_VISITS;
pub use spinney_core::hashed::HashedMap;
use spinney_core::{Game, Workspace};

/// A move of a role at a node.
#[derive(Clone, Copy, Debug, Default)]
pub struct Action<M> {
    /// The move.
    pub mv: M,
    /// Simulations through it.
    pub visits: u32,
    /// Mean return, from 0 to 100.
    pub mean: f32,
    /// Mean of the squared returns.
    pub squares: f32,
}

impl<M> Action<M> {
    /// Adds a return.
    #[inline(always)]
    pub fn add(&mut self, value: f32) {
        self.visits = (self.visits + 1).min(MOST_VISITS);
        let share = 1.0 / self.visits as f32;
        self.mean += (value - self.mean) * share;
        self.squares += (value * value - self.squares) * share;
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    key: u64,
    /// Steps since the start of the game.
    step: u32,
    visits: u32,
    /// Where its actions begin.
    first: u32,
}

/// Number of a node.
pub type NodeNumber = u32;

/// Nodes in the order in which they were made.
#[derive(Debug)]
pub struct JointTree<M> {
    roles: usize,
    nodes: Vec<Node>,
    /// For every node and role, the end of its actions.
    ends: Vec<u32>,
    actions: Vec<Action<M>>,
    index: HashedMap<NodeNumber>,
    bytes: usize,
}

impl<M: Copy + Default> JointTree<M> {
    /// A tree that takes up to so many bytes.
    pub fn new(roles: usize, bytes: usize) -> Self {
        let index = HashedMap::default();
        Self { roles, nodes: Vec::new(), ends: Vec::new(), actions: Vec::new(), index, bytes }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.ends.clear();
        self.actions.clear();
        self.index.clear();
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes in use.
    pub fn used(&self) -> usize {
        self.nodes.len() * (size_of::<Node>() + 4 * self.roles + 24) + self.actions.len() * size_of::<Action<M>>()
    }

    /// Where a position at a step would be found.
    fn place(key: u64, step: u32) -> u64 {
        spinney_core::random::mix(key ^ u64::from(step) << 32)
    }

    /// The hash of a node's position and step, which stays when nodes are dropped.
    #[inline(always)]
    pub fn position(&self, node: NodeNumber) -> u64 {
        let Node { key, step, .. } = self.nodes[node as usize];
        Self::place(key, step)
    }

    /// The node of a position.
    pub fn find(&self, key: u64, step: u32) -> Option<NodeNumber> {
        self.index.get(&Self::place(key, step)).copied().filter(|&node| self.nodes[node as usize].key == key)
    }

    /// Adds a node with the moves that `list` appends for each role to those of `work`; `None` if there is no room.
    pub fn add<G: Game<Move = M>>(
        &mut self,
        key: u64,
        step: u32,
        mut list: impl FnMut(usize, &mut Workspace<G>),
        work: &mut Workspace<G>,
    ) -> Option<NodeNumber> {
        if self.used() >= self.bytes || self.actions.len() >= u32::MAX as usize / 2 {
            return None;
        }
        let number = self.nodes.len() as NodeNumber;
        self.nodes.push(Node { key, step, visits: 0, first: self.actions.len() as u32 });
        for role in 0..self.roles {
            work.moves.clear();
            list(role, work);
            self.actions.extend(work.moves.iter().map(|&mv| Action { mv, ..Action::default() }));
            self.ends.push(self.actions.len() as u32);
        }
        self.index.insert(Self::place(key, step), number);
        Some(number)
    }

    /// Where a role's actions stand.
    #[inline(always)]
    fn range(&self, node: NodeNumber, role: usize) -> std::ops::Range<usize> {
        let ends = node as usize * self.roles + role;
        let first = if role == 0 { self.nodes[node as usize].first } else { self.ends[ends - 1] };
        first as usize..self.ends[ends] as usize
    }

    /// A role's actions.
    #[inline(always)]
    pub fn actions(&self, node: NodeNumber, role: usize) -> &[Action<M>] {
        &self.actions[self.range(node, role)]
    }

    /// One of a role's actions.
    #[inline(always)]
    pub fn action_mut(&mut self, node: NodeNumber, role: usize, place: u32) -> &mut Action<M> {
        let start = self.range(node, role).start;
        &mut self.actions[start + place as usize]
    }

    /// Simulations through a node.
    #[inline(always)]
    pub fn visits(&self, node: NodeNumber) -> u32 {
        self.nodes[node as usize].visits
    }

    /// Another simulation went through a node.
    #[inline(always)]
    pub fn add_visit(&mut self, node: NodeNumber) {
        let visits = &mut self.nodes[node as usize].visits;
        *visits = (*visits + 1).min(MOST_VISITS);
    }

    /// Forgets the nodes before a step of the game.
    pub fn drop_before(&mut self, step: u32) {
        if self.nodes.iter().all(|node| node.step >= step) {
            return;
        }
        let old = std::mem::replace(self, Self::new(self.roles, self.bytes));
        for (number, node) in (0..).zip(&old.nodes).filter(|(_, node)| node.step >= step) {
            let kept = self.nodes.len() as NodeNumber;
            self.nodes.push(Node { first: self.actions.len() as u32, ..*node });
            for role in 0..self.roles {
                self.actions.extend_from_slice(old.actions(number, role));
                self.ends.push(self.actions.len() as u32);
            }
            self.index.insert(Self::place(node.key, node.step), kept);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;
    use spinney_core::Workspace;

    /// A game whose moves are numbers.
    type Numbers = spinney_games::gdl::Gdl<false>;

    #[test]
    fn nodes_are_found_by_position_and_step_and_dropped_by_step() {
        let mut tree = JointTree::<u32>::new(2, 1_000_000);
        let mut work = Workspace::new();
        let list = |role: usize, work: &mut Workspace<Numbers>| work.moves.extend(0..=role as u32);
        let early = tree.add(7, 0, list, &mut work).unwrap();
        let late = tree.add(7, 1, list, &mut work).unwrap();
        assert_eq!((tree.find(7, 0), tree.find(7, 1), tree.find(8, 1)), (Some(early), Some(late), None));
        assert_eq!((tree.actions(late, 0).len(), tree.actions(late, 1).len()), (1, 2));
        for value in [100.0, 0.0] {
            tree.action_mut(late, 1, 1).add(value);
        }
        tree.add_visit(late);
        tree.drop_before(1);
        assert_eq!((tree.len(), tree.find(7, 0)), (1, None));
        let kept = tree.find(7, 1).unwrap();
        let action = tree.actions(kept, 1)[1];
        assert_eq!((tree.visits(kept), action.visits, action.mean, action.squares), (1, 2, 50.0, 5000.0));
    }

    #[test]
    fn a_full_tree_takes_no_more() {
        let mut tree = JointTree::<u32>::new(1, 300);
        let mut work = Workspace::<Numbers>::new();
        let list = |_: usize, work: &mut Workspace<Numbers>| work.moves.push(0);
        let added = (0..100).filter(|&key| tree.add(key, 0, list, &mut work).is_some()).count();
        assert!((1..10).contains(&added), "{added}");
    }
}
