//! What a thread has not told the others yet. Nodes that all threads go through would go from processor to processor with
//! every simulation; of those that were visited often, a thread keeps its results until they are worth telling.

use super::counts::Results;
use crate::tree::NodeId;

/// Nodes of which results are kept: the place of a node is its number by the last bits.
const ENTRIES: usize = 512;
/// A thread keeps at most this part of a node's visits, divided by the number of threads (by the next power of two),
const SHARE: u32 = 64;
/// and at most so many.
const MOST: u32 = 64;

/// Results that a thread keeps.
#[derive(Debug)]
pub(super) struct Tally {
    entries: Box<[(NodeId, Results)]>,
    /// Visits are divided by this power of two.
    shift: u32,
    /// Visits from which on anything is kept.
    least: u32,
}

impl Tally {
    /// A tally for one of so many threads; alone one keeps nothing.
    pub(super) fn new(threads: u32) -> Self {
        let entries = if threads > 1 { ENTRIES } else { 0 };
        let shift = (SHARE * threads.max(1)).next_power_of_two().ilog2();
        let least = if threads > 1 { 2 << shift } else { u32::MAX };
        Self { entries: vec![Default::default(); entries].into(), shift, least }
    }

    /// How many results of a node with so many visits may be kept.
    #[inline(always)]
    pub(super) fn most(&self, visits: u32) -> u32 {
        if self.keeps(visits) { (visits >> self.shift).min(MOST) } else { 0 }
    }

    /// Whether results of a node with so many visits are kept.
    #[inline(always)]
    pub(super) fn keeps(&self, visits: u32) -> bool {
        visits >= self.least
    }

    /// Keeps a result of a node with so many visits, and calls `tell` for what is to be told.
    #[inline(always)]
    pub(super) fn keep(&mut self, node: NodeId, visits: u32, one: &Results, tell: impl Fn(NodeId, &Results)) {
        let most = self.most(visits);
        let (owner, kept) = &mut self.entries[node as usize % ENTRIES];
        if *owner != node {
            if kept.visits > 0 {
                tell(*owner, kept);
            }
            (*owner, *kept) = (node, Results::default());
        }
        *kept = kept.with(one);
        if kept.visits >= most {
            tell(node, kept);
            *kept = Results::default();
        }
    }

    /// Tells all.
    pub(super) fn tell_all(&mut self, tell: impl Fn(NodeId, &Results)) {
        for (node, kept) in self.entries.iter_mut().filter(|(_, kept)| kept.visits > 0) {
            tell(*node, &std::mem::take(kept));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// Two threads and 1280 visits: ten results are kept and told together; another node at the same place drives them out.
    #[test]
    fn results_are_told_together() {
        let told = RefCell::new(Vec::new());
        let tell = |node, results: &Results| told.borrow_mut().push((node, results.visits));
        let mut tally = Tally::new(2);
        assert!(!tally.keeps(255) && tally.keeps(256));
        for _ in 0..13 {
            tally.keep(7, 1280, &Results::one(1.0), tell);
        }
        assert_eq!(*told.borrow(), [(7, 10)]);
        tally.keep(7 + ENTRIES as NodeId, 1280, &Results::one(-0.5), tell);
        assert_eq!(*told.borrow(), [(7, 10), (7, 3)]);
        tally.tell_all(tell);
        tally.tell_all(tell);
        assert_eq!(told.borrow()[2..], [(7 + ENTRIES as NodeId, 1)]);
        assert!(!Tally::new(1).keeps(u32::MAX / 2));
    }
}
