//! Positions that are reached in several ways share what is known of them: UCT2 (Childs, Brodeur and Kocsis,
//! "Transpositions and Move Groups in Monte Carlo Tree Search", 2008). The mean of a child is that of its position over all
//! ways that lead there; visits, and so the term of exploration, are those of the way.

use crate::best::{Score, argmax};
use crate::nodes::Nodes;
use crate::settings::Ties;
use crate::tree::{Amaf, NodeId, Parts, Proof, Tree};
use alloc::{vec, vec::Vec};
use spinney_core::random::Random;

/// A tree with a table of positions beside it.
#[derive(Debug)]
pub struct Transposed<M> {
    tree: Tree<M>,
    /// Of each node, the place of its position in the table; 0 where it has none.
    places: Vec<u32>,
    table: Table,
}

/// Positions by their keys, in places that are found by trying one after the other.
#[derive(Debug)]
struct Table {
    entries: Vec<Entry>,
    used: usize,
    /// The number of the search: what an earlier one left counts as empty.
    search: u32,
}

/// What is known of a position, in the view of the player who moved into it.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    sum: f64,
    visits: u32,
    search: u32,
}

impl Table {
    fn new(bytes: usize) -> Self {
        let entries = (bytes / size_of::<Entry>()).max(16);
        Self { entries: vec![Entry::default(); 1 << entries.ilog2()], used: 1, search: 1 }
    }

    fn clear(&mut self) {
        self.used = 1;
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.entries.fill(Entry::default());
            self.search = 1;
        }
    }

    /// The place of a key, which is made if there is room; the first place belongs to nobody.
    fn place(&mut self, key: u64) -> u32 {
        let mask = self.entries.len() - 1;
        let mut place = (key as usize & mask).max(1);
        while self.entries[place].search == self.search {
            if self.entries[place].key == key {
                return place as u32;
            }
            place = ((place + 1) & mask).max(1);
        }
        if self.used > self.entries.len() / 4 * 3 {
            return 0;
        }
        self.used += 1;
        self.entries[place] = Entry { key, sum: 0.0, visits: 0, search: self.search };
        place as u32
    }

    fn mean(&self, place: u32) -> f32 {
        let entry = &self.entries[place as usize];
        if entry.visits == 0 { 0.0 } else { (entry.sum / f64::from(entry.visits)) as f32 }
    }
}

impl<M: Copy + Default + Eq + Send + Sync> Transposed<M> {
    #[inline(always)]
    fn place(&self, node: NodeId) -> u32 {
        self.places.get(node as usize).copied().unwrap_or(0)
    }

    /// The mean of the node's position, or its own where that is not in the table.
    #[inline(always)]
    fn shared_mean(&self, node: NodeId, own: f32) -> f32 {
        match self.place(node) {
            0 => own,
            place => self.table.mean(place),
        }
    }
}

/// What the tree does alone: what is read of it, and what changes it.
macro_rules! as_the_tree {
    (read $($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)+) => {
        $(#[inline(always)]
        fn $name(&self, $($argument: $type),*) $(-> $result)? {
            Nodes::$name(&self.tree, $($argument),*)
        })+
    };
    (change $($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)+) => {
        $(#[inline(always)]
        fn $name(&mut self, $($argument: $type),*) $(-> $result)? {
            Nodes::$name(&mut self.tree, $($argument),*)
        })+
    };
}

impl<M: Copy + Default + Eq + Send + Sync> Nodes for Transposed<M> {
    type Move = M;
    const SHARED: bool = false;
    const STILL: bool = false;

    /// A quarter of the memory is for positions. Children keep their places, by which their positions are found.
    fn new(bytes: usize, parts: Parts) -> Self {
        let tree = Tree::new(bytes / 4 * 3, Parts { compact: false, ordered: false, ..parts });
        Self { tree, places: Vec::new(), table: Table::new(bytes / 4) }
    }

    fn clear(&mut self) {
        self.tree.clear();
        self.places.clear();
        self.table.clear();
    }

    /// Positions are found anew when their nodes are next visited for the first time; others are known by their own mean.
    fn copy_subtree(&self, node: NodeId, target: &mut Self, least: u32) {
        target.clear();
        self.tree.copy_subtree(node, &mut target.tree, least);
    }

    as_the_tree! { read
        count() -> usize;
        bytes() -> usize;
        is_full() -> bool;
        is_expanded(node: NodeId) -> bool;
        child_count(node: NodeId) -> u32;
        places(node: NodeId) -> u32;
        opened(node: NodeId) -> u32;
        is_open(node: NodeId) -> bool;
        child(node: NodeId, number: u32) -> NodeId;
        number_of(node: NodeId, child: NodeId) -> u32;
        children(node: NodeId) -> impl Iterator<Item = NodeId>;
        first_children(node: NodeId, count: u32) -> impl Iterator<Item = NodeId>;
        unopened(node: NodeId) -> impl Iterator<Item = M>;
        outcomes(node: NodeId) -> impl Iterator<Item = NodeId>;
        is_whole(node: NodeId) -> bool;
        is_ordered() -> bool;
        mv(node: NodeId) -> M;
        visits(node: NodeId) -> u32;
        variance(node: NodeId) -> f32;
        proof(node: NodeId) -> Proof;
        prior(node: NodeId) -> f32;
        amaf(node: NodeId) -> Amaf;
    }

    as_the_tree! { change
        add_children(node: NodeId, moves: &[M]) -> bool;
        list_children(node: NodeId, moves: &[M]) -> bool;
        publish(node: NodeId) -> bool;
        open_any(node: NodeId, ties: Ties, random: &mut Random) -> Option<NodeId>;
        make_whole(node: NodeId, child: NodeId) -> Option<NodeId>;
        prove(node: NodeId, proof: Proof);
        enter(node: NodeId);
        leave(node: NodeId);
        set_prior(node: NodeId, prior: f32);
        update_amaf(node: NodeId, change: impl FnMut(&mut Amaf));
    }

    fn arrive(&mut self, node: NodeId, key: impl FnOnce() -> Option<u64>) {
        let place = key().map_or(0, |key| self.table.place(key));
        if self.places.len() <= node as usize {
            self.places.resize(node as usize + 1, 0);
        }
        self.places[node as usize] = place;
    }

    fn mean(&self, node: NodeId) -> f32 {
        self.shared_mean(node, self.tree.mean(node))
    }

    #[inline(always)]
    fn add_reward(&mut self, node: NodeId, reward: f32) {
        self.tree.add_reward(node, reward);
        if let place @ 1.. = self.place(node) {
            let entry = &mut self.table.entries[place as usize];
            (entry.visits, entry.sum) = (entry.visits + 1, entry.sum + f64::from(reward));
        }
    }

    #[inline(always)]
    fn standing(&self, node: NodeId) -> (u32, f32) {
        let (visits, own) = self.tree.standing(node);
        let is_open = self.tree.proof(node) == Proof::Unknown;
        (visits, if is_open { self.shared_mean(node, own) } else { own })
    }

    fn best_of(&mut self, node: NodeId, count: u32, score: &impl Score) -> (NodeId, f32) {
        const CHUNK: usize = 64;
        let first = self.tree.first_child(node);
        let mut means = [0.0; CHUNK];
        let mut best = (first, f32::NEG_INFINITY);
        for start in (first..first + count).step_by(CHUNK) {
            let children = start..(start + CHUNK as u32).min(first + count);
            let means = &mut means[..children.len()];
            for (mean, child) in means.iter_mut().zip(children.clone()) {
                *mean = self.standing(child).1;
            }
            let (index, score) = argmax(self.tree.visits_of(children), means, score);
            if score > best.1 {
                best = (start + index as u32, score);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::ROOT;

    /// Two ways to one position: means are shared, visits are not.
    #[test]
    fn a_position_has_one_mean() {
        let mut tree = Transposed::<u8>::new(1 << 16, Parts::default());
        tree.add_children(ROOT, &[1, 2, 3]);
        for (node, key) in [(1, 77), (2, 77), (3, 5)] {
            tree.arrive(node, || Some(key));
        }
        tree.add_reward(1, 1.0);
        tree.add_reward(2, 0.0);
        tree.add_reward(3, -1.0);
        assert_eq!([1, 2, 3].map(|node| tree.mean(node)), [0.5, 0.5, -1.0]);
        assert_eq!([1, 2, 3].map(|node| tree.visits(node)), [1, 1, 1]);
        tree.prove(2, Proof::Loss);
        assert_eq!(tree.standing(2).1, f32::NEG_INFINITY);
        assert_eq!(tree.best_of(ROOT, 3, &|_, mean: f32| mean), (1, 0.5));
        tree.clear();
        tree.add_children(ROOT, &[1]);
        tree.arrive(1, || Some(77));
        assert_eq!(tree.mean(1), 0.0);
    }

    #[test]
    fn a_full_table_takes_no_more() {
        let mut table = Table::new(16 * size_of::<Entry>());
        let places: Vec<u32> = (1..40).map(|key| table.place(key * 16)).collect();
        assert_eq!(places.iter().filter(|&&place| place > 0).count(), 12);
        assert_eq!(table.place(16), places[0], "what is there is found");
        let mut found: Vec<u32> = places.into_iter().filter(|&place| place > 0).collect();
        found.sort();
        found.dedup();
        assert_eq!(found.len(), 12);
    }
}
