//! What a thread has seen of nodes that it goes through often: copies of their children's visits and values, which stand side
//! by side and which nobody else writes to. A copy is used a few times, as long as what it misses is little beside what it
//! knows, and then made anew.

use crate::tree::NodeId;

/// Nodes of which a thread has copies: the place of a node is its number by the last bits.
const ENTRIES: usize = 256;

/// A copy of what selection sees of a node's children.
#[derive(Clone, Debug, Default)]
pub(super) struct Mirror {
    node: NodeId,
    /// How often it may be used.
    uses: u32,
    /// Words of visits and values.
    pub(super) words: Vec<u32>,
    pub(super) values: Vec<f32>,
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
    pub(super) fn of(
        &mut self,
        node: NodeId,
        count: usize,
        uses: u32,
        look: impl FnOnce(&mut [u32], &mut [f32]),
    ) -> &mut Mirror {
        let mirror = &mut self.entries[node as usize % ENTRIES];
        if mirror.node != node || mirror.uses == 0 || mirror.words.len() != count {
            mirror.words.resize(count, 0);
            mirror.values.resize(count, 0.0);
            look(&mut mirror.words, &mut mirror.values);
            (mirror.node, mirror.uses) = (node, uses);
        }
        mirror.uses -= 1;
        mirror
    }
}

impl Mirror {
    /// The child of this number is chosen: what it will give is not known, but that it was visited is.
    #[inline(always)]
    pub(super) fn choose(&mut self, number: usize) {
        self.words[number] += 1;
    }

    /// Whether it was made for this use, the first of so many.
    #[inline(always)]
    pub(super) fn is_new(&self, uses: u32) -> bool {
        self.uses + 1 == uses
    }

    /// It is to be made anew.
    pub(super) fn forget(&mut self) {
        self.uses = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_used_so_often_and_made_anew() {
        let mut mirrors = Mirrors::new();
        let mut looks = 0;
        let mut use_it = |node, forgets: bool| {
            let mirror = mirrors.of(node, 2, 3, |words, values| {
                looks += 1;
                (words[0], words[1]) = (looks, 5);
                values.fill(0.5);
            });
            mirror.choose(1);
            if forgets {
                mirror.forget();
            }
            (mirror.words[0], mirror.words[1])
        };
        assert_eq!([(); 4].map(|()| use_it(7, false)), [(1, 6), (1, 7), (1, 8), (2, 6)]);
        assert_eq!(use_it(7, true), (2, 7));
        assert_eq!(use_it(7, false), (3, 6));
        assert_eq!(use_it(7 + ENTRIES as NodeId, false), (4, 6), "another node at the same place");
        assert_eq!(use_it(7, false), (5, 6));
    }
}
