//! A part of a tree that another tree takes over, as between the moves of a game.

use super::places::Places;
use super::{Node, NodeId, ROOT, Tree, WHOLE, places_for};
use alloc::vec;

impl<M: Copy + Default, P: Places<M>> Tree<M, P> {
    /// Fills `target` with the part of this tree below `node`, which becomes its root; what has fewer than `least` visits
    /// gets no children there.
    pub fn copy_subtree(&self, node: NodeId, target: &mut Self, least: u32) {
        target.clear();
        self.copy_node(node, target, ROOT);
        // A queue of (place here, place there); children are copied in whole blocks.
        let mut queue = vec![(node, ROOT)];
        let mut next = 0;
        while let Some(&(here, there)) = queue.get(next) {
            next += 1;
            let own = *self.places.node(here);
            let is_kept = there == ROOT || self.visits(here) >= least;
            if own.children == 0 || !is_kept || !self.copy_list(here, target, there) {
                continue;
            }
            let first = target.places.node(there).first_child;
            for (place, child) in (first..).zip(self.children(here)) {
                self.copy_node(child, target, place);
                queue.push((child, place));
            }
            target.places.node_mut(there).opened = own.opened;
        }
    }

    /// Makes room for the children of a node in another tree; false if there is none. Roots are whole.
    fn copy_list(&self, here: NodeId, target: &mut Self, there: NodeId) -> bool {
        let own = self.places.node(here);
        let (children, opened) = (usize::from(own.children), usize::from(own.opened));
        let places = if there == ROOT || self.is_whole(here) { children } else { places_for(opened, children) };
        let listed = if there == ROOT || self.is_whole(here) { 0 } else { children };
        if !target.has_room(places, listed) {
            return false;
        }
        let first = target.places.len() as NodeId;
        target.extend((0..places).map(|_| M::default()));
        let parent = target.places.node_mut(there);
        (parent.first_child, parent.children) = (first, own.children);
        target.places.set_list(there, WHOLE);
        target.count += children;
        if self.is_whole(here) {
            return true;
        }
        let list = self.places.list(here) as usize;
        let moves = &self.places.moves()[list..list + children];
        if there == ROOT {
            for (place, &mv) in (first..).zip(moves) {
                target.places.make_fresh(place, mv);
            }
        } else {
            let list = target.places.add_list(moves, target.is_ordered);
            target.places.set_list(there, list);
        }
        true
    }

    fn copy_node(&self, here: NodeId, target: &mut Self, there: NodeId) {
        *target.places.word_mut(there) = self.places.word(here);
        *target.places.value_mut(there) = self.places.value(here);
        *target.places.node_mut(there) = Node { first_child: 0, children: 0, opened: 0, ..*self.places.node(here) };
        let (here, there) = (here as usize, there as usize);
        if self.has_priors && target.has_priors {
            target.priors[there] = self.priors[here];
        }
        if self.has_amaf && target.has_amaf {
            target.amaf[there] = self.amaf[here];
        }
    }
}
