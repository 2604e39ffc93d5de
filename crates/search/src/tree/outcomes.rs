//! The outcomes of a chance node are met one by one and stand in a list, so that what never happens takes no room. A
//! chance node has no children that a player could choose from.

use super::places::Places;
use super::{NodeId, Tree};

impl<M: Copy + Default + Eq, P: Places<M>> Tree<M, P> {
    /// The node of this outcome, if it has been met. It moves to the front, where likely outcomes are found sooner.
    #[inline]
    pub fn outcome(&mut self, node: NodeId, outcome: M) -> Option<NodeId> {
        let first = self.places.node(node).first_child;
        let (mut previous, mut here) = (0, first);
        while here != 0 {
            let next = self.siblings[here as usize];
            if self.places.node(here).mv == outcome {
                if here != first {
                    self.siblings[previous as usize] = next;
                    self.siblings[here as usize] = first;
                    self.places.node_mut(node).first_child = here;
                }
                return Some(here);
            }
            (previous, here) = (here, next);
        }
        None
    }

    /// The outcomes of a chance node that were met; none where a player chooses.
    pub fn outcomes(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let own = self.places.node(node);
        let first = if self.has_chance && own.children == 0 { own.first_child } else { 0 };
        let next = |here: NodeId| (here != 0).then_some(here);
        core::iter::successors(next(first), move |&here| next(self.siblings[here as usize]))
    }

    /// Adds an outcome that has not been met before; `None` if there is no room.
    pub fn add_outcome(&mut self, node: NodeId, outcome: M) -> Option<NodeId> {
        if !self.has_room(1, 0) {
            return None;
        }
        let place = self.places.len() as NodeId;
        self.extend(core::iter::once(outcome));
        self.count += 1;
        self.siblings[place as usize] = self.places.node(node).first_child;
        self.places.node_mut(node).first_child = place;
        Some(place)
    }
}
