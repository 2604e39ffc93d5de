//! What one thread has of a shared tree: the tree, and room of its own in which it makes nodes.

use super::mirror::Mirrors;
use super::moves::{Moves, Room};
use super::tally::Tally;
use super::tree::{Results, SharedTree};
use crate::nodes::Nodes;
use crate::select::argmax;
use crate::settings::{Ties, VirtualLoss};
use crate::tree::{Amaf, NodeId, Parts, Proof, ROOT};
use spinney_core::random::Random;
use std::ops::Range;
use std::sync::Arc;

/// A thread's part of a shared tree.
#[derive(Debug)]
pub struct Branch<M> {
    tree: Arc<SharedTree<M>>,
    /// Places in which this thread makes nodes, and room for their moves.
    places: Range<NodeId>,
    room: Room,
    /// Children that nobody else sees yet.
    draft: Option<Draft>,
    /// Nodes that the tree does not count yet, and how many there may be.
    uncounted: usize,
    portion: usize,
    /// Nodes that the running simulation has entered, and results that others do not know yet.
    entered: Vec<NodeId>,
    tally: Tally,
    /// What it has seen of nodes that it goes through often.
    mirrors: Mirrors,
}

/// The children of a node before they are published.
#[derive(Debug)]
struct Draft {
    node: NodeId,
    first: NodeId,
    /// The place from which on they stand.
    start: NodeId,
    moves: usize,
}

/// Longest block of a chain that grows child by child.
const LONGEST_BLOCK: u32 = 256;

/// Nodes are counted in portions, as all threads write to the count.
const LARGEST_PORTION: usize = 1 << 14;

impl<M: Copy + Default + Eq + Send + Sync> Branch<M> {
    /// Looks at a tree together with others, with no room of its own yet.
    fn of(tree: Arc<SharedTree<M>>) -> Self {
        Self {
            tree,
            places: 0..0,
            room: Room::default(),
            draft: None,
            uncounted: 0,
            portion: 1,
            entered: Vec::new(),
            tally: Tally::new(1),
            mirrors: Mirrors::none(),
        }
    }

    /// Prepares for a search by so many threads that stops at so many nodes.
    pub(super) fn join(&mut self, threads: u32, nodes: Option<u64>) {
        let share = nodes.map_or(usize::MAX, |nodes| nodes as usize / (16 * threads as usize));
        self.portion = share.clamp(1, LARGEST_PORTION);
        self.tally = Tally::new(threads);
        self.mirrors = if threads > 1 { Mirrors::new() } else { Mirrors::none() };
        self.entered.reserve(256);
    }

    /// The same tree for another thread.
    pub(super) fn share(&self) -> Self {
        Self::of(self.tree.clone())
    }

    /// Looks at no tree any more, so that another branch has it alone.
    pub(super) fn detach(&mut self) {
        *self = Self::of(Arc::new(SharedTree::new(0, Parts::default())));
    }

    /// How simulations that are under way are seen; nobody else may look at the tree.
    pub(super) fn set_virtual_loss(&mut self, virtual_loss: VirtualLoss) {
        if let Some(tree) = Arc::get_mut(&mut self.tree) {
            tree.set_virtual_loss(virtual_loss);
        }
    }

    /// Whether the tree is full, for those who look while it is in use.
    pub(super) fn fullness(&self) -> impl Fn() -> bool + use<M> {
        let tree = self.tree.clone();
        move || tree.is_full()
    }

    /// Tells the tree what it does not know.
    pub(super) fn settle(&mut self) {
        self.tree.count_nodes(std::mem::take(&mut self.uncounted));
        let tree = &self.tree;
        self.tally.tell_all(|node, results| tree.add(node, results, 0));
    }

    /// Whether the simulation, which leaves nodes in the order opposite to that in which it entered them, has to leave this.
    #[inline(always)]
    fn has_entered(&mut self, node: NodeId) -> bool {
        let has_entered = self.entered.last() == Some(&node);
        if has_entered {
            self.entered.pop();
        }
        has_entered
    }

    /// The place of the first child, also of one that is not published; 0 without children.
    #[inline(always)]
    fn first(&self, node: NodeId) -> NodeId {
        match &self.draft {
            Some(draft) if draft.node == node => draft.first,
            _ => self.tree.counts(node).first(),
        }
    }

    /// The blocks of a node's children: first place and length.
    #[inline(always)]
    fn blocks(&self, node: NodeId) -> impl Iterator<Item = (NodeId, u32)> + '_ {
        let start = Some(self.first(node)).filter(|&first| first != 0);
        std::iter::successors(start, |&block| Some(self.tree.record(block).next()).filter(|&next| next != 0))
            .map(|block| (block, self.tree.record(block).length()))
    }

    /// The place of the child with this number, if it has one.
    #[inline(always)]
    fn place_of(&self, node: NodeId, mut number: u32) -> Option<NodeId> {
        let mut block = self.first(node);
        while block != 0 {
            let record = self.tree.record(block);
            if number < record.length() {
                return Some(block + number);
            }
            number -= record.length();
            block = record.next();
        }
        None
    }

    /// What selection sees of children, from the one of this number on.
    #[inline(always)]
    fn look(&self, node: NodeId, mut start: u32, mut words: &mut [u32], mut values: &mut [f32]) {
        let mut block = self.first(node);
        while block != 0 && !words.is_empty() {
            let record = self.tree.record(block);
            let length = record.length();
            if start < length {
                let here = words.len().min((length - start) as usize);
                let (own_words, own_values);
                (own_words, words) = words.split_at_mut(here);
                (own_values, values) = values.split_at_mut(here);
                self.tree.seen_from(block + start, own_words, own_values);
                start = 0;
            } else {
                start -= length;
            }
            block = record.next();
        }
    }

    /// The best child by what this thread knows of a node that it goes through often.
    #[inline(always)]
    fn best_in_mirror(
        &mut self,
        node: NodeId,
        count: usize,
        uses: u32,
        score: impl Fn(u32, f32) -> f32,
    ) -> (NodeId, f32) {
        let mut mirrors = std::mem::take(&mut self.mirrors);
        let found = loop {
            let mirror = mirrors.of(node, count, uses, |words, values| self.look(node, 0, words, values));
            let is_new = mirror.is_new(uses);
            let (index, score) = argmax(&mirror.words, &mirror.values, &score);
            let child = self.child(node, index as u32);
            if is_new || self.tree.proof(child) == Proof::Unknown {
                mirror.choose(index);
                break (child, score);
            }
            // What has been proven since may change the choice.
            mirror.forget();
        };
        self.mirrors = mirrors;
        found
    }

    /// Places side by side; `None` if there is no room.
    fn allocate(&mut self, count: u32) -> Option<NodeId> {
        if (self.places.len() as u32) < count {
            self.places = self.tree.take_segment()?;
        }
        let first = self.places.start;
        self.places.start += count;
        Some(first)
    }

    /// A block for children whose moves stand from `mv` on.
    fn make_block(&mut self, mv: u32, length: u32) -> Option<NodeId> {
        let first = self.allocate(length)?;
        for number in 0..length {
            self.tree.make_fresh(first + number, mv + number);
        }
        self.tree.record(first).set_length(length);
        Some(first)
    }

    /// The longest block that a chain of children takes, if it is to be made at once.
    fn longest(&self) -> u32 {
        (self.tree.segment_places() as u32 / 4).max(1)
    }

    /// Children that nobody sees, the first `places` of them with a place.
    fn prepare(&mut self, node: NodeId, moves: &[M], places: u32) -> bool {
        debug_assert!(self.draft.is_none());
        let count = moves.len() as u32;
        if count == 0 {
            return false;
        }
        if self.room.left() < moves.len() {
            let tree = &self.tree;
            let taken =
                tree.moves.take(moves.len(), |bytes, new| tree.grant(bytes, new), |bytes, new| tree.refund(bytes, new));
            let Some(room) = taken else {
                tree.refuse();
                return false;
            };
            self.room = room;
        }
        let list = self.tree.moves.write(&mut self.room, moves);
        let Some(first) = self.make_block(list, places.min(self.longest())) else {
            Moves::<M>::unwrite(&mut self.room, moves.len());
            return false;
        };
        self.tree.record(first).set_siblings(count);
        self.draft = Some(Draft { node, first, start: first, moves: moves.len() });
        while self.places(node) < places {
            if self.extend(node, self.longest()).is_none() {
                self.discard();
                return false;
            }
        }
        true
    }

    /// Takes back what was prepared; its memory is used again where nothing was made since.
    fn discard(&mut self) {
        if let Some(draft) = self.draft.take() {
            if self.is_own(draft.start) {
                self.places.start = draft.start;
            }
            Moves::<M>::unwrite(&mut self.room, draft.moves);
        }
    }

    /// Whether a place is in the segment in which this thread makes nodes.
    fn is_own(&self, place: NodeId) -> bool {
        let places = self.tree.segment_places() as NodeId;
        place / places == self.places.end.saturating_sub(1) / places
    }

    /// Adds a block to the chain of a node's children; `None` if there is no room.
    fn extend(&mut self, node: NodeId, longest: u32) -> Option<()> {
        let (mut last, mut total) = (0, 0);
        for (block, length) in self.blocks(node) {
            (last, total) = (block, total + length);
        }
        let left = self.child_count(node) - total;
        if left == 0 {
            return Some(());
        }
        let list = self.tree.record(self.first(node)).mv();
        let start = self.places.start;
        // Blocks of 1, 3, 8, 24 …: few to walk through, and at most two of three places that are not needed yet.
        let block = self.make_block(list + total, left.min((2 * total).max(3)).min(longest))?;
        if !self.tree.record(last).link(block) && block == start {
            // Somebody else was quicker, and this block is the last that was made.
            self.places.start = start;
        }
        Some(())
    }
}

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
            let (list, opened) = (self.tree.record(self.first(here)).mv(), self.opened(here));
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
        self.tree.record(child).mv() - self.tree.record(self.first(node)).mv()
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
        let list = self.tree.record(self.first(node)).mv();
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
        self.tree.moves.get(self.tree.record(node).mv())
    }

    #[inline(always)]
    fn visits(&self, node: NodeId) -> u32 {
        self.tree.visits(node)
    }

    fn mean(&self, node: NodeId) -> f32 {
        self.tree.mean(node)
    }

    fn variance(&self, node: NodeId) -> f32 {
        self.tree.variance(node)
    }

    #[inline(always)]
    fn proof(&self, node: NodeId) -> Proof {
        self.tree.proof(node)
    }

    fn prove(&mut self, node: NodeId, proof: Proof) {
        self.tree.prove(node, proof);
    }

    /// What is under way changes nothing where there are many visits, and where there is none nobody else comes so soon.
    #[inline(always)]
    fn enter(&mut self, node: NodeId) {
        let visits = self.tree.visits(node);
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
        let (tree, visits) = (&self.tree, self.tree.visits(node));
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
    fn best_of(&mut self, node: NodeId, count: u32, score: impl Fn(u32, f32) -> f32) -> (NodeId, f32) {
        let uses = self.tally.most(self.tree.visits(node));
        if uses > 1 {
            return self.best_in_mirror(node, count as usize, uses, score);
        }
        const CHUNK: usize = 64;
        let (mut words, mut values) = ([0u32; CHUNK], [0f32; CHUNK]);
        let mut best = (0, f32::NEG_INFINITY);
        for start in (0..count as usize).step_by(CHUNK) {
            let length = CHUNK.min(count as usize - start);
            let (words, values) = (&mut words[..length], &mut values[..length]);
            self.look(node, start as u32, words, values);
            let (index, score) = argmax(words, values, &score);
            if score > best.1 {
                best = (start + index, score);
            }
        }
        (self.child(node, best.0 as u32), best.1)
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
