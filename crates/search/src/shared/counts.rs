//! What is counted at a node of a shared tree, and what a node is, in words that threads change without locks.

use super::arena::Zeroed;
use crate::settings::VirtualLoss;
use crate::tree::{MOST_VISITS, NodeId, Proof};
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};

use Ordering::{Acquire, Relaxed, Release};

/// Set in a word of visits, as selection sees it, when the node's value is proven.
const PROVEN: u32 = 1 << 31;

/// Set beside the number of opened children when there are no others, which saves looking for their number.
const ALL_OPEN: u32 = 1 << 31;

/// In the word of counts: visits below, then simulations that are under way, then what is proven.
const ONE_UNDER_WAY: u64 = 1 << 32;
const PROOF_SHIFT: u32 = 62;

/// Sums of rewards are whole numbers of this part of one: additions in any order give the same.
const UNIT: f64 = 1.0 / 4_294_967_296.0;

/// What a simulation reads and changes of a node on its way: two to a line of memory.
#[derive(Debug, Default)]
#[repr(align(32))]
pub(super) struct Counts {
    /// Visits, what is under way, what is proven.
    word: AtomicU64,
    sum: AtomicI64,
    /// The mean square: the last one wins.
    square: AtomicU32,
    /// The place of the first child, 0 without children: published last.
    first: AtomicU32,
    /// Children that were opened.
    opened: AtomicU32,
    /// The place of the node's move: written once.
    mv: AtomicU32,
}

// SAFETY: atomic numbers and nothing else.
#[allow(unsafe_code)]
unsafe impl Zeroed for Counts {}

/// What the first node of a block knows of it: written once, but for the link. That of the second links, in the second block
/// of four, the last of them.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// Of the first child of a node: how many there are.
    siblings: AtomicU32,
    /// The length of the block, and the next one of the chain.
    length: AtomicU32,
    next: AtomicU32,
}

// SAFETY: atomic numbers and nothing else.
#[allow(unsafe_code)]
unsafe impl Zeroed for Record {}

/// What selection sees of a node, in one word: visits with what is under way, and marked where something is proven, and the
/// value. Brothers stand side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen(pub(super) u64);

impl Seen {
    /// Never the best.
    pub(super) const NOTHING: Self = Self::new(PROVEN, f32::NEG_INFINITY);

    #[inline(always)]
    pub(super) const fn new(word: u32, value: f32) -> Self {
        Self((value.to_bits() as u64) << 32 | word as u64)
    }

    /// The word of visits.
    #[inline(always)]
    pub(super) const fn word(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    pub(super) const fn value(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }

    #[inline(always)]
    pub(super) const fn is_proven(self) -> bool {
        self.word() & PROVEN != 0
    }

    /// A node of which this is counted and this is the sum of rewards.
    #[inline(always)]
    fn of(word: u64, sum: i64, virtual_loss: VirtualLoss) -> Self {
        let (visits, under_way) = (word as u32 & MOST_VISITS, u32::from((word >> 32) as u16));
        match proof_in(word) {
            Proof::Win => return Self::new(visits | PROVEN, f32::INFINITY),
            Proof::Loss => return Self::new(visits | PROVEN, f32::NEG_INFINITY),
            Proof::Draw => return Self::new(visits | PROVEN, 0.0),
            Proof::Unknown => {}
        }
        let all = visits + under_way;
        let (shown, lost, divisor) = match virtual_loss {
            VirtualLoss::Off => (visits, 0, visits),
            VirtualLoss::Visits => (all, 0, visits),
            VirtualLoss::Loss => (all, under_way, all),
        };
        // What is seen need not be as exact as what is counted, and all who come after wait for it.
        let sum = sum as f32 * UNIT as f32 - lost as i32 as f32;
        Self::new(shown, sum / divisor.max(1) as i32 as f32)
    }
}

/// Results of simulations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Results {
    pub(super) visits: u32,
    sum: i64,
    squares: f32,
}

impl Results {
    /// One simulation with this reward.
    #[inline(always)]
    pub(super) fn one(reward: f32) -> Self {
        Self { visits: 1, sum: (f64::from(reward) / UNIT) as i64, squares: reward * reward }
    }

    /// These and others.
    #[inline(always)]
    pub(super) fn with(&self, other: &Self) -> Self {
        Self { visits: self.visits + other.visits, sum: self.sum + other.sum, squares: self.squares + other.squares }
    }
}

impl Counts {
    /// Without visits and children, and with this move.
    #[inline(always)]
    pub(super) fn make_fresh(&self, mv: u32) {
        self.word.store(0, Relaxed);
        self.sum.store(0, Relaxed);
        self.square.store(0, Relaxed);
        self.first.store(0, Relaxed);
        self.opened.store(0, Relaxed);
        self.mv.store(mv, Relaxed);
    }

    #[inline(always)]
    pub(super) fn mv(&self) -> u32 {
        self.mv.load(Relaxed)
    }

    /// As another, but for its children and what is under way.
    pub(super) fn copy(&self, other: &Self) {
        let word = other.word.load(Relaxed);
        self.word.store(word & u64::from(MOST_VISITS) | word >> PROOF_SHIFT << PROOF_SHIFT, Relaxed);
        self.sum.store(other.sum.load(Relaxed), Relaxed);
        self.square.store(other.square.load(Relaxed), Relaxed);
    }

    #[inline(always)]
    pub(super) fn visits(&self) -> u32 {
        self.word.load(Relaxed) as u32 & MOST_VISITS
    }

    pub(super) fn mean(&self) -> f32 {
        let visits = self.visits();
        if visits == 0 { 0.0 } else { (self.sum.load(Relaxed) as f64 * UNIT / f64::from(visits)) as f32 }
    }

    pub(super) fn variance(&self) -> f32 {
        let (mean, square) = (self.mean(), f32::from_bits(self.square.load(Relaxed)));
        (square - mean * mean).max(0.0)
    }

    #[inline(always)]
    pub(super) fn proof(&self) -> Proof {
        proof_in(self.word.load(Acquire))
    }

    /// Notes what has been proven; whoever comes second says the same.
    pub(super) fn prove(&self, proof: Proof) {
        let code: u64 = match proof {
            Proof::Unknown => return,
            Proof::Win => 1,
            Proof::Loss => 2,
            Proof::Draw => 3,
        };
        let noted = |word: u64| (word >> PROOF_SHIFT == 0).then_some(word | code << PROOF_SHIFT);
        // An error means that it was noted before.
        let _ = self.word.fetch_update(Ordering::AcqRel, Acquire, noted);
    }

    /// One simulation more is under way. Returns what is then seen, as all who change something do.
    #[inline(always)]
    pub(super) fn enter(&self, virtual_loss: VirtualLoss) -> Seen {
        let word = self.word.fetch_add(ONE_UNDER_WAY, Relaxed).wrapping_add(ONE_UNDER_WAY);
        Seen::of(word, self.sum.load(Relaxed), virtual_loss)
    }

    #[inline(always)]
    pub(super) fn leave(&self, virtual_loss: VirtualLoss) -> Seen {
        let word = self.word.fetch_sub(ONE_UNDER_WAY, Relaxed).wrapping_sub(ONE_UNDER_WAY);
        Seen::of(word, self.sum.load(Relaxed), virtual_loss)
    }

    /// Adds results, of which so many were counted as under way.
    #[inline(always)]
    pub(super) fn add(&self, results: &Results, under_way: u64, virtual_loss: VirtualLoss) -> Seen {
        let change = u64::from(results.visits).wrapping_sub(under_way * ONE_UNDER_WAY);
        let word = self.word.fetch_add(change, Relaxed).wrapping_add(change);
        let sum = self.sum.fetch_add(results.sum, Relaxed) + results.sum;
        let square = f32::from_bits(self.square.load(Relaxed));
        let visits = (word as u32 & MOST_VISITS) as f32;
        let square = square + (results.squares - results.visits as f32 * square) / visits;
        self.square.store(square.to_bits(), Relaxed);
        Seen::of(word, sum, virtual_loss)
    }

    /// What selection is to see.
    pub(super) fn seen(&self, virtual_loss: VirtualLoss) -> Seen {
        Seen::of(self.word.load(Relaxed), self.sum.load(Relaxed), virtual_loss)
    }

    #[inline(always)]
    pub(super) fn first(&self) -> NodeId {
        self.first.load(Acquire)
    }

    /// Gives the node children; false if it has some.
    pub(super) fn publish(&self, first: NodeId) -> bool {
        self.first.compare_exchange(0, first, Release, Relaxed).is_ok()
    }

    #[inline(always)]
    pub(super) fn opened(&self) -> u32 {
        self.opened.load(Relaxed) & !ALL_OPEN
    }

    /// Whether all children were opened.
    #[inline(always)]
    pub(super) fn is_open(&self) -> bool {
        self.opened.load(Relaxed) & ALL_OPEN != 0
    }

    /// Opens the child of this number, unless somebody else does.
    pub(super) fn open(&self, number: u32, is_last: bool) -> bool {
        let opened = (number + 1) | if is_last { ALL_OPEN } else { 0 };
        self.opened.compare_exchange(number, opened, Relaxed, Relaxed).is_ok()
    }

    pub(super) fn set_opened(&self, opened: u32, is_all: bool) {
        self.opened.store(opened | if is_all { ALL_OPEN } else { 0 }, Relaxed);
    }
}

impl Record {
    /// A block of this length, the last of its chain.
    pub(super) fn begin(&self, length: u32) {
        self.length.store(length, Relaxed);
        self.next.store(0, Relaxed);
    }

    #[inline(always)]
    pub(super) fn siblings(&self) -> u32 {
        self.siblings.load(Relaxed)
    }

    pub(super) fn set_siblings(&self, siblings: u32) {
        self.siblings.store(siblings, Relaxed);
    }

    #[inline(always)]
    pub(super) fn length(&self) -> u32 {
        self.length.load(Relaxed)
    }

    #[inline(always)]
    pub(super) fn next(&self) -> NodeId {
        self.next.load(Acquire)
    }

    /// Links the next block of a chain; false if there is one.
    pub(super) fn link(&self, next: NodeId) -> bool {
        self.next.compare_exchange(0, next, Release, Relaxed).is_ok()
    }
}

#[inline(always)]
fn proof_in(counts: u64) -> Proof {
    match counts >> PROOF_SHIFT {
        0 => Proof::Unknown,
        1 => Proof::Win,
        2 => Proof::Loss,
        _ => Proof::Draw,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rewards 1, −0.5 and 0.25: the mean is 0.25, the mean square 0.4375.
    #[test]
    fn results_and_proofs_share_a_word() {
        let counts = Counts::default();
        let seen = |virtual_loss| {
            let seen = counts.seen(virtual_loss);
            (seen.word(), seen.value())
        };
        counts.enter(VirtualLoss::Loss);
        counts.add(&Results::one(1.0), 1, VirtualLoss::Loss);
        let last = counts.add(&Results::one(-0.5).with(&Results::one(0.25)), 0, VirtualLoss::Loss);
        assert_eq!((counts.visits(), counts.mean(), counts.variance()), (3, 0.25, 0.375));
        assert_eq!(seen(VirtualLoss::Loss), (3, 0.25));
        assert_eq!(last, Seen::new(3, 0.25));
        assert_eq!(counts.enter(VirtualLoss::Loss), Seen::new(4, -0.0625));
        assert_eq!(seen(VirtualLoss::Visits), (4, 0.25));
        assert_eq!(seen(VirtualLoss::Off), (3, 0.25));
        counts.prove(Proof::Loss);
        counts.prove(Proof::Win);
        assert_eq!((counts.proof(), counts.visits()), (Proof::Loss, 3));
        assert_eq!(seen(VirtualLoss::Loss), (3 | PROVEN, f32::NEG_INFINITY));
        let copy = Counts::default();
        copy.copy(&counts);
        counts.leave(VirtualLoss::Loss);
        assert_eq!((copy.proof(), copy.visits(), copy.mean()), (Proof::Loss, 3, 0.25));
        assert_eq!(copy.word.load(Relaxed), counts.word.load(Relaxed), "nothing is under way in a copy");
    }

    #[test]
    fn children_are_published_and_opened_once() {
        let counts = Counts::default();
        assert!(counts.publish(7) && !counts.publish(9));
        assert_eq!(counts.first(), 7);
        assert!(counts.open(0, false) && !counts.open(0, false) && !counts.is_open());
        assert!(counts.open(1, true) && counts.is_open());
        assert_eq!(counts.opened(), 2);
    }
}
