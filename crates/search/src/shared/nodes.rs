//! A thread's part of a shared tree as a search uses it.

use super::branch::{Branch, LONGEST_BLOCK};
use super::counts::Results;
use super::tree::SharedTree;
use crate::best::Score;
use crate::nodes::Nodes;
use crate::settings::Ties;
use crate::tree::{Amaf, NodeId, Parts, Proof, ROOT};
use spinney_core::random::Random;
use std::sync::Arc;

impl<M: Copy + Default + Eq + Send + Sync> Nodes for Branch<M> {
    type Move = M;
    const SHARED: bool = true;

    fn new(bytes: usize, parts: Parts) -> Self {
        Self::of(Arc::new(SharedTree::new(bytes, parts)))
    }

    /// Nobody else may look at the tree.
    fn clear(&mut self) {
        if let Some(tree) = Arc::get_mut(&mut self.tree) {
            tree.clear();
        }
        let tree = self.tree.clone();
        *self = Self::of(tree);
    }

    fn copy_subtree(&self, node: NodeId, target: &mut Self, least: u32) {
        target.clear();
        target.tree.copy_node(&self.tree, node, ROOT);
        let mut queue = vec![(node, ROOT)];
        let mut next = 0;
        let mut moves = Vec::new();
        while let Some(&(here, there)) = queue.get(next) {
            next += 1;
            let count = self.child_count(here);
            if count == 0 || there != ROOT && self.visits(here) < least {
                continue;
            }
            let (list, opened) = (self.tree.counts(self.first(here)).mv(), self.opened(here));
            moves.clear();
            moves.extend((list..list + count).map(|place| self.tree.moves.get(place)));
            let all = there == ROOT || self.places(here) == count;
            if !target.prepare(there, &moves, if all { count } else { opened.max(1) }) {
                continue;
            }
            target.publish(there);
            target.tree.counts(there).set_opened(opened, opened == count);
            for (child, place) in self.children(here).zip(target.children(there)) {
                target.tree.copy_node(&self.tree, child, place);
                queue.push((child, place));
            }
        }
        target.settle();
    }

    fn count(&self) -> usize {
        self.tree.len() + self.uncounted
    }

    fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    fn is_full(&self) -> bool {
        self.tree.is_full()
    }

    #[inline(always)]
    fn is_expanded(&self, node: NodeId) -> bool {
        self.first(node) != 0
    }

    fn add_children(&mut self, node: NodeId, moves: &[M]) -> bool {
        self.prepare(node, moves, moves.len() as u32)
    }

    fn list_children(&mut self, node: NodeId, moves: &[M]) -> bool {
        let is_whole = !self.tree.parts().compact || node == ROOT;
        self.prepare(node, moves, if is_whole { moves.len() as u32 } else { 1 })
    }

    fn publish(&mut self, node: NodeId) -> bool {
        let Some(draft) = &self.draft else { return true };
        let (first, moves) = (draft.first, draft.moves);
        if !self.tree.counts(node).publish(first) {
            self.discard();
            return false;
        }
        self.draft = None;
        self.uncounted += moves;
        if self.uncounted >= self.portion {
            self.tree.count_nodes(std::mem::take(&mut self.uncounted));
        }
        true
    }

    #[inline(always)]
    fn child_count(&self, node: NodeId) -> u32 {
        match self.first(node) {
            0 => 0,
            first => self.tree.record(first).siblings(),
        }
    }

    fn places(&self, node: NodeId) -> u32 {
        self.blocks(node).map(|(_, length)| length).sum()
    }

    #[inline(always)]
    fn opened(&self, node: NodeId) -> u32 {
        self.tree.counts(node).opened()
    }

    #[inline(always)]
    fn is_open(&self, node: NodeId) -> bool {
        self.tree.counts(node).is_open()
    }

    #[inline(always)]
    fn child(&self, node: NodeId, number: u32) -> NodeId {
        self.place_of(node, number).unwrap_or_else(|| self.first(node))
    }

    #[inline(always)]
    fn number_of(&self, node: NodeId, child: NodeId) -> u32 {
        self.tree.counts(child).mv() - self.tree.counts(self.first(node)).mv()
    }

    #[inline(always)]
    fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.blocks(node).flat_map(|(block, length)| block..block + length)
    }

    #[inline(always)]
    fn first_children(&self, node: NodeId, count: u32) -> impl Iterator<Item = NodeId> {
        self.children(node).take(count as usize)
    }

    fn unopened(&self, node: NodeId) -> impl Iterator<Item = M> {
        let list = self.tree.counts(self.first(node)).mv();
        (self.places(node)..self.child_count(node)).map(move |number| self.tree.moves.get(list + number))
    }

    fn outcomes(&self, _: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::empty()
    }

    #[inline(always)]
    fn open_any(&mut self, node: NodeId, _: Ties, _: &mut Random) -> Option<NodeId> {
        loop {
            let (number, count) = (self.opened(node), self.child_count(node));
            if number >= count {
                return None;
            }
            let Some(child) = self.place_of(node, number) else {
                self.extend(node, LONGEST_BLOCK.min(self.longest()))?;
                continue;
            };
            if self.tree.counts(node).open(number, number + 1 == count) {
                return Some(child);
            }
        }
    }

    #[inline(always)]
    fn is_whole(&self, node: NodeId) -> bool {
        self.places(node) == self.child_count(node)
    }

    fn make_whole(&mut self, node: NodeId, child: NodeId) -> Option<NodeId> {
        while self.places(node) < self.child_count(node) {
            self.extend(node, self.longest())?;
        }
        Some(child)
    }

    #[inline(always)]
    fn is_ordered(&self) -> bool {
        false
    }

    #[inline(always)]
    fn arrive(&mut self, _: NodeId, _: impl FnOnce() -> Option<u64>) {}

    #[inline(always)]
    fn mv(&self, node: NodeId) -> M {
        self.tree.moves.get(self.tree.counts(node).mv())
    }

    #[inline(always)]
    fn visits(&self, node: NodeId) -> u32 {
        self.tree.counts(node).visits()
    }

    fn mean(&self, node: NodeId) -> f32 {
        self.tree.counts(node).mean()
    }

    fn variance(&self, node: NodeId) -> f32 {
        self.tree.counts(node).variance()
    }

    #[inline(always)]
    fn proof(&self, node: NodeId) -> Proof {
        self.tree.counts(node).proof()
    }

    fn prove(&mut self, node: NodeId, proof: Proof) {
        self.tree.prove(node, proof);
    }

    /// What is under way changes nothing where there are many visits, and where there is none nobody else comes so soon.
    #[inline(always)]
    fn enter(&mut self, node: NodeId) {
        let visits = self.tree.counts(node).visits();
        if visits > 0 && !self.tally.keeps(visits) {
            self.tree.enter(node);
            self.entered.push(node);
        }
    }

    #[inline(always)]
    fn leave(&mut self, node: NodeId) {
        if self.has_entered(node) {
            self.tree.leave(node);
        }
    }

    #[inline(always)]
    fn add_reward(&mut self, node: NodeId, reward: f32) {
        let one = Results::one(reward);
        if self.has_entered(node) {
            return self.tree.add(node, &one, 1);
        }
        let (tree, visits) = (&self.tree, self.tree.counts(node).visits());
        if self.tally.keeps(visits) {
            self.tally.keep(node, visits, &one, |node, results| tree.add(node, results, 0));
        } else {
            tree.add(node, &one, 0);
        }
    }

    #[inline(always)]
    fn standing(&self, node: NodeId) -> (u32, f32) {
        self.tree.standing(node)
    }

    #[inline(always)]
    fn best_of(&mut self, node: NodeId, count: u32, score: &impl Score) -> (NodeId, f32) {
        if count == 0 {
            return (self.child(node, 0), f32::NEG_INFINITY);
        }
        self.best_child(node, count, score)
    }

    #[inline(always)]
    fn prior(&self, node: NodeId) -> f32 {
        self.tree.prior(node)
    }

    fn set_prior(&mut self, node: NodeId, prior: f32) {
        self.tree.set_prior(node, prior);
    }

    #[inline(always)]
    fn amaf(&self, node: NodeId) -> Amaf {
        self.tree.amaf(node)
    }

    #[inline(always)]
    fn update_amaf(&mut self, node: NodeId, mut change: impl FnMut(&mut Amaf)) {
        for child in self.children(node) {
            self.tree.update_amaf(child, &mut change);
        }
    }
}
