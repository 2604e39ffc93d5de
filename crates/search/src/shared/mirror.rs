//! What a thread has seen of nodes that it goes through often: copies of their children's visits and values, which nobody else
//! writes to. A copy is used a few times, as long as what it misses is little beside what it
//! knows, and then made anew.

use super::best::Sight;
use crate::tree::NodeId;

/// Nodes of which a thread has copies: the place of a node is its number by the last bits.
const ENTRIES: usize = 256;

/// A copy of what selection sees of a node's children.
#[derive(Clone, Debug, Default)]
pub(super) struct Mirror {
    node: NodeId,
    /// How often it may be used.
    uses: u32,
    /// How many children there were.
    count: usize,
    pub(super) sight: Sight,
}

/// The copies of a thread.
#[derive(Debug, Default)]
pub(super) struct Mirrors {
    entries: Vec<Mirror>,
}

impl Mirrors {
    /// No copies, and no room for them.
    pub(super) fn none() -> Self {
        Self::default()
    }

    /// Room for copies.
    pub(super) fn new() -> Self {
        Self { entries: vec![Mirror::default(); ENTRIES] }
    }

    /// The copy of a node's first `count` children; it is made by `look` if there is none, and may be used `uses` times.
    #[inline(always)]
    pub(super) fn of(&mut self, node: NodeId, count: usize, uses: u32, look: impl FnOnce(&mut Sight)) -> &mut Mirror {
        let mirror = &mut self.entries[node as usize % ENTRIES];
        if mirror.node != node || mirror.uses == 0 || mirror.count != count {
            look(&mut mirror.sight);
            (mirror.node, mirror.uses, mirror.count) = (node, uses, count);
        }
        mirror.uses -= 1;
        mirror
    }

    /// The copy of a node is to be made anew.
    #[cold]
    pub(super) fn forget(&mut self, node: NodeId) {
        if let Some(mirror) = self.entries.get_mut(node as usize % ENTRIES) {
            mirror.uses = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::counts::Seen;
    use super::*;

    #[test]
    fn a_copy_is_used_so_often_and_made_anew() {
        let mut mirrors = Mirrors::new();
        let mut looks = 0;
        let mut use_it = |node, forgets: bool| {
            let mirror = mirrors.of(node, 2, 3, |sight| {
                looks += 1;
                sight.fill(2, |seen| seen.copy_from_slice(&[Seen(looks), Seen(5)]));
            });
            mirror.sight.choose(1);
            let words = (mirror.sight.seen(0).word(), mirror.sight.seen(1).word());
            if forgets {
                mirrors.forget(node);
            }
            words
        };
        assert_eq!([(); 4].map(|()| use_it(7, false)), [(1, 6), (1, 7), (1, 8), (2, 6)]);
        assert_eq!(use_it(7, true), (2, 7));
        assert_eq!(use_it(7, false), (3, 6));
        assert_eq!(use_it(7 + ENTRIES as NodeId, false), (4, 6), "another node at the same place");
        assert_eq!(use_it(7, false), (5, 6));
    }
}
