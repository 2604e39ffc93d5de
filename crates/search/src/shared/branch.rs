//! What one thread has of a shared tree: the tree, and room of its own in which it makes nodes.

use super::best::Sight;
use super::counts::Seen;
use super::mirror::Mirrors;
use super::moves::{Moves, Room};
use super::tally::Tally;
use super::tree::{FOUR_BLOCKS, STARTS, SharedTree};
use crate::best::Score;
use crate::nodes::Nodes;
use crate::settings::VirtualLoss;
use crate::tree::{NodeId, Parts, Proof};
use std::ops::Range;
use std::sync::Arc;

/// A thread's part of a shared tree.
#[derive(Debug)]
pub struct Branch<M> {
    pub(super) tree: Arc<SharedTree<M>>,
    /// Places in which this thread makes nodes, and room for their moves.
    places: Range<NodeId>,
    room: Room,
    /// Children that nobody else sees yet.
    pub(super) draft: Option<Draft>,
    /// Nodes that the tree does not count yet, and how many there may be.
    pub(super) uncounted: usize,
    pub(super) portion: usize,
    /// Nodes that the running simulation has entered, and results that others do not know yet.
    pub(super) entered: Vec<NodeId>,
    pub(super) tally: Tally,
    /// What it has seen of nodes that it goes through often.
    pub(super) mirrors: Mirrors,
    /// What it sees of others.
    pub(super) sight: Sight,
}

/// The children of a node before they are published.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) node: NodeId,
    pub(super) first: NodeId,
    /// The place from which on they stand.
    start: NodeId,
    pub(super) moves: usize,
}

/// Longest block of a chain that grows child by child.
pub(super) const LONGEST_BLOCK: u32 = 256;

/// Nodes are counted in portions, as all threads write to the count.
const LARGEST_PORTION: usize = 1 << 14;

impl<M: Copy + Default + Eq + Send + Sync> Branch<M> {
    /// Looks at a tree together with others, with no room of its own yet.
    pub(super) fn of(tree: Arc<SharedTree<M>>) -> Self {
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
            sight: Sight::default(),
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
    pub(super) fn has_entered(&mut self, node: NodeId) -> bool {
        let has_entered = self.entered.last() == Some(&node);
        if has_entered {
            self.entered.pop();
        }
        has_entered
    }

    /// The place of the first child, also of one that is not published; 0 without children.
    #[inline(always)]
    pub(super) fn first(&self, node: NodeId) -> NodeId {
        match &self.draft {
            Some(draft) if draft.node == node => draft.first,
            _ => self.tree.counts(node).first(),
        }
    }

    /// The blocks of a node's children: first place and length.
    #[inline(always)]
    pub(super) fn blocks(&self, node: NodeId) -> impl Iterator<Item = (NodeId, u32)> + '_ {
        let start = Some(self.first(node)).filter(|&first| first != 0);
        std::iter::successors(start, |&block| Some(self.tree.record(block).next()).filter(|&next| next != 0))
            .map(|block| (block, self.tree.record(block).length()))
    }

    /// The place of the child with this number, if it has one.
    #[inline(always)]
    pub(super) fn place_of(&self, node: NodeId, number: u32) -> Option<NodeId> {
        self.place_from(self.first(node), number)
    }

    /// The same for the children of which this is the first block.
    #[inline(always)]
    fn place_from(&self, mut block: NodeId, mut number: u32) -> Option<NodeId> {
        if number >= STARTS[2]
            && let Some(blocks) = self.tree.four_blocks(block)
        {
            let index = 2 + usize::from(number >= STARTS[3]);
            return Some(blocks[index] + number - STARTS[index]);
        }
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

    /// The best of a node's first `count` children, of which there are some. Of a node that this thread goes through often it
    /// is chosen by a copy.
    #[inline(always)]
    pub(super) fn best_child(&mut self, node: NodeId, count: u32, score: &impl Score) -> (NodeId, f32) {
        let counts = self.tree.counts(node);
        let (first, uses) = (counts.first(), self.tally.most(counts.visits()));
        loop {
            let look = |sight: &mut Sight| sight.fill(count as usize, |seen| look(&self.tree, first, seen));
            let (number, score, seen) = if uses > 1 {
                let mirror = self.mirrors.of(node, count as usize, uses, look);
                let (number, score) = mirror.sight.best(score);
                let seen = mirror.sight.seen(number);
                mirror.sight.choose(number);
                (number, score, seen)
            } else {
                look(&mut self.sight);
                let (number, score) = self.sight.best(score);
                (number, score, self.sight.seen(number))
            };
            let child = self.place_from(first, number as u32).unwrap_or(first);
            if seen.is_proven() || self.tree.counts(child).proof() == Proof::Unknown {
                return (child, score);
            }
            // What has been proven since, or was hidden, may change the choice.
            self.tree.show_again(child);
            self.mirrors.forget(node);
        }
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
        self.tree.record(first).begin(length);
        if length > 1 {
            self.tree.record(first + 1).begin(0);
        }
        Some(first)
    }

    /// The longest block that a chain of children takes, if it is to be made at once.
    pub(super) fn longest(&self) -> u32 {
        (self.tree.segment_places() as u32 / 4).max(1)
    }

    /// Children that nobody sees, the first `places` of them with a place.
    pub(super) fn prepare(&mut self, node: NodeId, moves: &[M], places: u32) -> bool {
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
    pub(super) fn discard(&mut self) {
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
    pub(super) fn extend(&mut self, node: NodeId, longest: u32) -> Option<()> {
        let (mut last, mut total) = (0, 0);
        for (block, length) in self.blocks(node) {
            (last, total) = (block, total + length);
        }
        let left = self.child_count(node) - total;
        if left == 0 {
            return Some(());
        }
        let list = self.tree.counts(self.first(node)).mv();
        let start = self.places.start;
        // Blocks of 1, 3, 8, 24 …: few to walk through, and at most two of three places that are not needed yet.
        let length = left.min((2 * total).max(FOUR_BLOCKS[1])).min(longest);
        let block = self.make_block(list + total, length)?;
        if self.tree.record(last).link(block) {
            if total == STARTS[3] && length == left {
                self.tree.note_fourth(self.first(node), block);
            }
        } else if block == start {
            // Somebody else was quicker, and this block is the last that was made.
            self.places.start = start;
        }
        Some(())
    }
}

/// What selection sees of children, of which this is the first block; what has no place is left as it is.
#[inline(always)]
fn look<M: Copy + Default>(tree: &SharedTree<M>, mut block: NodeId, mut seen: &mut [Seen]) {
    if seen.len() > STARTS[3] as usize
        && let Some(blocks) = tree.four_blocks(block)
    {
        for (block, length) in blocks.into_iter().zip(FOUR_BLOCKS) {
            let own;
            (own, seen) = seen.split_at_mut(seen.len().min(length as usize));
            tree.seen_from(block, own);
        }
        return;
    }
    while block != 0 && !seen.is_empty() {
        let record = tree.record(block);
        let own;
        (own, seen) = seen.split_at_mut(seen.len().min(record.length() as usize));
        tree.seen_from(block, own);
        block = record.next();
    }
}

#[cfg(test)]
mod tests {
    use super::super::counts::Results;
    use super::*;
    use crate::settings::Ties;
    use crate::tree::ROOT;
    use spinney_core::{Random, Seed};

    /// Families of one to five blocks: whichever way a child is found, it is the same, and the last is the best of those that
    /// were opened.
    #[test]
    fn children_are_found_in_any_chain() {
        let mut branch = Branch::<u16>::new(1 << 22, Parts { compact: true, ..Parts::default() });
        let mut random = Random::new(Seed::new(1));
        // The second time memory is used again.
        for _ in 0..2 {
            branch.clear();
            assert!(branch.list_children(ROOT, &[0; 9]) && branch.publish(ROOT));
            for (number, count) in (0..).zip([1, 4, 5, 12, 13, 22, 36, 37, 100]) {
                let (node, moves) = (branch.child(ROOT, number), Vec::from_iter(0..count));
                assert!(branch.list_children(node, &moves) && branch.publish(node));
                for (opened, &mv) in (1..).zip(&moves) {
                    let child = branch.open_any(node, Ties::Random, &mut random).unwrap();
                    assert_eq!((branch.mv(child), branch.number_of(node, child)), (mv, u32::from(mv)));
                    branch.tree.add(child, &Results::one(f32::from(mv) / 100.0), 0);
                    assert_eq!(branch.best_of(node, opened, &|_, value: f32| value).0, child, "{opened} of {count}");
                }
                let places: Vec<_> =
                    (0..u32::from(count)).map(|number| branch.place_of(node, number).unwrap()).collect();
                assert_eq!(places, branch.children(node).collect::<Vec<_>>());
                let has_four = branch.tree.four_blocks(branch.first(node)).is_some();
                assert_eq!(has_four, (13..=36).contains(&count), "{count} children");
            }
        }
    }
}
