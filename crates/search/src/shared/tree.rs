//! The tree that threads share.
//!
//! Nodes stand in segments, each handed to one thread, which makes its nodes there: threads neither wait for each other nor
//! write to the same lines of memory when the tree grows. The children of a node stand in a chain of blocks that never move,
//! in the order of the list of its moves; the list is shuffled before it is written. A node's children are published at once,
//! by one compare-and-swap of the place of the first. What is counted is added by single atomic operations, so that no result
//! is lost; means are stored beside them, and the last one wins.

use super::moves::Moves;
use crate::settings::VirtualLoss;
use crate::tree::{Amaf, MOST_VISITS, NodeId, Parts, Proof};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, AtomicUsize, Ordering};

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
    /// The mean that selection reads, and the mean square: the last one wins.
    means: AtomicU64,
    /// The place of the first child, 0 without children: published last.
    first: AtomicU32,
    /// Children that were opened.
    opened: AtomicU32,
}

/// What a node is: written once.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// The place of the node's move.
    mv: AtomicU32,
    /// Of the first child of a node: how many there are.
    siblings: AtomicU32,
    /// Of the first node of a block: its length, and the next block of the chain.
    length: AtomicU32,
    next: AtomicU32,
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

/// A value of a move at any time: count and mean in one word, and its id.
#[derive(Debug, Default)]
struct SharedAmaf {
    word: AtomicU64,
    move_id: AtomicU32,
}

/// Nodes that one thread makes.
#[derive(Debug)]
struct Segment {
    counts: Box<[Counts]>,
    records: Box<[Record]>,
    priors: Box<[AtomicU32]>,
    amaf: Box<[SharedAmaf]>,
}

fn fresh<T: Default>(length: usize) -> Box<[T]> {
    std::iter::repeat_with(T::default).take(length).collect()
}

/// On a line of memory of its own, so that who changes it does not disturb readers of what stands beside it.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Apart<T>(T);

/// A tree that threads share.
#[derive(Debug)]
pub(super) struct SharedTree<M> {
    segments: Box<[OnceLock<Segment>]>,
    pub(super) moves: Moves<M>,
    /// Bits of a place within its segment.
    shift: u32,
    parts: Parts,
    place_bytes: usize,
    limit: usize,
    virtual_loss: VirtualLoss,
    /// Segments that were handed out.
    taken: Apart<AtomicUsize>,
    /// Bytes that were handed out, and bytes that are allocated.
    used: AtomicUsize,
    allocated: AtomicUsize,
    /// Nodes, with those that have no place yet.
    count: Apart<AtomicUsize>,
    is_full: AtomicBool,
}

/// Segments that a tree has at least, so that many threads find one each.
const FEWEST_SEGMENTS: usize = 96;
const LARGEST_SEGMENT: usize = 1 << 12;

impl<M: Copy + Default> SharedTree<M> {
    pub(super) fn new(bytes: usize, parts: Parts) -> Self {
        let place_bytes = size_of::<Counts>()
            + size_of::<Record>()
            + if parts.priors { size_of::<AtomicU32>() } else { 0 }
            + if parts.amaf { size_of::<SharedAmaf>() } else { 0 };
        let share = bytes / FEWEST_SEGMENTS;
        let places = (share / place_bytes).clamp(16, LARGEST_SEGMENT);
        let shift = places.ilog2();
        let segments = (bytes / (place_bytes << shift)).clamp(1, (u32::MAX >> shift) as usize);
        let usual = (share / size_of::<M>().max(1)).clamp(64, 1 << 15);
        let lists = bytes / (usual * size_of::<M>().max(1));
        let tree = Self {
            segments: fresh(segments),
            moves: Moves::new(lists.max(2), usual),
            shift,
            parts,
            place_bytes,
            limit: bytes,
            virtual_loss: VirtualLoss::default(),
            taken: Apart::default(),
            used: AtomicUsize::new(0),
            allocated: AtomicUsize::new(0),
            count: Apart::default(),
            is_full: AtomicBool::new(false),
        };
        tree.make_root();
        tree
    }

    /// How simulations that are under way are seen.
    pub(super) fn set_virtual_loss(&mut self, virtual_loss: VirtualLoss) {
        self.virtual_loss = virtual_loss;
    }

    /// Back to a lone root. What is mostly taken is given back, so that nodes and moves can share it anew.
    pub(super) fn clear(&mut self) {
        let frees = *self.allocated.get_mut() > self.limit / 4 * 3;
        if frees {
            self.segments.iter_mut().for_each(|segment| drop(segment.take()));
            *self.allocated.get_mut() = 0;
        }
        self.moves.clear(frees);
        *self.taken.0.get_mut() = 0;
        *self.used.get_mut() = 0;
        *self.count.0.get_mut() = 0;
        *self.is_full.get_mut() = false;
        self.make_root();
    }

    /// The root is the first place of the first segment, which nobody else gets.
    fn make_root(&self) {
        // The root is granted always.
        let places = 1 << self.shift;
        self.segments[0].get_or_init(|| Segment::new(places, self.parts));
        self.taken.0.store(1, Relaxed);
        self.allocated.fetch_max(places * self.place_bytes, Relaxed);
        self.used.store(places * self.place_bytes, Relaxed);
        self.make_fresh(0, 0);
        self.count.0.store(1, Relaxed);
    }

    /// Whether so many bytes more may be used. What was allocated for an earlier search is used again.
    pub(super) fn grant(&self, bytes: usize, is_new: bool) -> bool {
        let within = |total: &AtomicUsize| {
            if total.fetch_add(bytes, Relaxed).wrapping_add(bytes) <= self.limit {
                return true;
            }
            total.fetch_sub(bytes, Relaxed);
            self.is_full.store(true, Relaxed);
            false
        };
        if !within(&self.used) {
            return false;
        }
        if is_new && !within(&self.allocated) {
            self.used.fetch_sub(bytes, Relaxed);
            return false;
        }
        true
    }

    /// Takes back what was granted and is not needed.
    pub(super) fn refund(&self, bytes: usize, is_new: bool) {
        self.used.fetch_sub(bytes, Relaxed);
        if is_new {
            self.allocated.fetch_sub(bytes, Relaxed);
        }
    }

    /// A segment for one thread: its places.
    pub(super) fn take_segment(&self) -> Option<std::ops::Range<NodeId>> {
        let places = 1usize << self.shift;
        loop {
            let number = self.taken.0.load(Relaxed);
            let Some(segment) = self.segments.get(number) else {
                self.is_full.store(true, Relaxed);
                return None;
            };
            let (bytes, is_new) = (places * self.place_bytes, segment.get().is_none());
            if !self.grant(bytes, is_new) {
                return None;
            }
            if self.taken.0.compare_exchange(number, number + 1, Relaxed, Relaxed).is_ok() {
                segment.get_or_init(|| Segment::new(places, self.parts));
                let first = (number << self.shift) as NodeId;
                return Some(first..first + places as NodeId);
            }
            self.refund(bytes, is_new);
        }
    }

    /// Places in a segment.
    pub(super) fn segment_places(&self) -> usize {
        1 << self.shift
    }

    pub(super) fn parts(&self) -> Parts {
        self.parts
    }

    pub(super) fn len(&self) -> usize {
        self.count.0.load(Relaxed)
    }

    pub(super) fn count_nodes(&self, nodes: usize) {
        self.count.0.fetch_add(nodes, Relaxed);
    }

    pub(super) fn bytes(&self) -> usize {
        self.used.load(Relaxed)
    }

    pub(super) fn is_full(&self) -> bool {
        self.is_full.load(Relaxed)
    }

    pub(super) fn refuse(&self) {
        self.is_full.store(true, Relaxed);
    }

    #[inline(always)]
    fn at(&self, node: NodeId) -> (&Segment, usize) {
        let Some(segment) = self.segments[(node >> self.shift) as usize].get() else { no_node() };
        (segment, (node & ((1 << self.shift) - 1)) as usize)
    }

    #[inline(always)]
    pub(super) fn record(&self, node: NodeId) -> &Record {
        let (segment, index) = self.at(node);
        &segment.records[index]
    }

    #[inline(always)]
    pub(super) fn counts(&self, node: NodeId) -> &Counts {
        let (segment, index) = self.at(node);
        &segment.counts[index]
    }

    /// A place becomes a node without visits.
    pub(super) fn make_fresh(&self, node: NodeId, mv: u32) {
        let (segment, index) = self.at(node);
        let (counts, record) = (&segment.counts[index], &segment.records[index]);
        counts.word.store(0, Relaxed);
        counts.sum.store(0, Relaxed);
        counts.means.store(0, Relaxed);
        counts.first.store(0, Relaxed);
        counts.opened.store(0, Relaxed);
        record.mv.store(mv, Relaxed);
        record.next.store(0, Relaxed);
        if let Some(prior) = segment.priors.get(index) {
            prior.store(0, Relaxed);
        }
        if let Some(amaf) = segment.amaf.get(index) {
            amaf.word.store(0, Relaxed);
            amaf.move_id.store(0, Relaxed);
        }
    }

    #[inline(always)]
    pub(super) fn visits(&self, node: NodeId) -> u32 {
        self.counts(node).word.load(Relaxed) as u32 & MOST_VISITS
    }

    pub(super) fn mean(&self, node: NodeId) -> f32 {
        let visits = self.visits(node);
        if visits == 0 { 0.0 } else { (self.counts(node).sum.load(Relaxed) as f64 * UNIT / f64::from(visits)) as f32 }
    }

    pub(super) fn variance(&self, node: NodeId) -> f32 {
        let visits = self.visits(node);
        if visits == 0 {
            return 0.0;
        }
        let mean = self.mean(node);
        let (_, square) = means_in(self.counts(node).means.load(Relaxed));
        (square - mean * mean).max(0.0)
    }

    #[inline(always)]
    pub(super) fn proof(&self, node: NodeId) -> Proof {
        proof_in(self.counts(node).word.load(Acquire))
    }

    /// Notes what has been proven; whoever comes second says the same.
    pub(super) fn prove(&self, node: NodeId, proof: Proof) {
        let code: u64 = match proof {
            Proof::Unknown => return,
            Proof::Win => 1,
            Proof::Loss => 2,
            Proof::Draw => 3,
        };
        let noted = |counts: u64| (counts >> PROOF_SHIFT == 0).then_some(counts | code << PROOF_SHIFT);
        // An error means that it was noted before.
        let _ = self.counts(node).word.fetch_update(Ordering::AcqRel, Acquire, noted);
    }

    #[inline(always)]
    pub(super) fn enter(&self, node: NodeId) {
        self.counts(node).word.fetch_add(ONE_UNDER_WAY, Relaxed);
    }

    #[inline(always)]
    pub(super) fn leave(&self, node: NodeId) {
        self.counts(node).word.fetch_sub(ONE_UNDER_WAY, Relaxed);
    }

    /// Adds results to a node, of which so many were counted as under way.
    #[inline(always)]
    pub(super) fn add(&self, node: NodeId, results: &Results, under_way: u64) {
        let counts = self.counts(node);
        let change = u64::from(results.visits).wrapping_sub(under_way * ONE_UNDER_WAY);
        let word = counts.word.fetch_add(change, Relaxed).wrapping_add(change);
        let sum = counts.sum.fetch_add(results.sum, Relaxed) + results.sum;
        let visits = f64::from(word as u32 & MOST_VISITS);
        let (_, square) = means_in(counts.means.load(Relaxed));
        let square = square + (results.squares - results.visits as f32 * square) / visits as f32;
        counts.means.store(word_of((sum as f64 * UNIT / visits) as f32, square), Relaxed);
    }

    /// The word of visits and the value that selection sees.
    #[inline(always)]
    fn seen(&self, own: &Counts) -> (u32, f32) {
        let counts = own.word.load(Relaxed);
        let (visits, (mean, _)) = (counts as u32 & MOST_VISITS, means_in(own.means.load(Relaxed)));
        if counts < ONE_UNDER_WAY {
            return (visits, mean);
        }
        match proof_in(counts) {
            Proof::Win => (visits | PROVEN, f32::INFINITY),
            Proof::Loss => (visits | PROVEN, f32::NEG_INFINITY),
            Proof::Draw => (visits | PROVEN, 0.0),
            Proof::Unknown => self.virtual_loss.seen(visits, mean, (counts >> 32) as u16),
        }
    }

    /// Visits and value of a node as selection sees them.
    #[inline(always)]
    pub(super) fn standing(&self, node: NodeId) -> (u32, f32) {
        let (word, value) = self.seen(self.counts(node));
        (word & MOST_VISITS, value)
    }

    /// What selection sees of nodes that stand side by side.
    #[inline(always)]
    pub(super) fn seen_from(&self, first: NodeId, words: &mut [u32], values: &mut [f32]) {
        let (segment, index) = self.at(first);
        let counts = &segment.counts[index..index + words.len()];
        for ((counts, word), value) in counts.iter().zip(words).zip(values) {
            (*word, *value) = self.seen(counts);
        }
    }

    pub(super) fn prior(&self, node: NodeId) -> f32 {
        let (segment, index) = self.at(node);
        f32::from_bits(segment.priors[index].load(Relaxed))
    }

    pub(super) fn set_prior(&self, node: NodeId, prior: f32) {
        let (segment, index) = self.at(node);
        segment.priors[index].store(prior.to_bits(), Relaxed);
    }

    #[inline(always)]
    pub(super) fn amaf(&self, node: NodeId) -> Amaf {
        let (segment, index) = self.at(node);
        let own = &segment.amaf[index];
        amaf_in(own.word.load(Relaxed), own.move_id.load(Relaxed))
    }

    #[inline(always)]
    pub(super) fn update_amaf(&self, node: NodeId, mut change: impl FnMut(&mut Amaf)) {
        let (segment, index) = self.at(node);
        let own = &segment.amaf[index];
        let (mut word, move_id) = (own.word.load(Relaxed), own.move_id.load(Relaxed));
        loop {
            let mut amaf = amaf_in(word, move_id);
            change(&mut amaf);
            if amaf.move_id != move_id {
                own.move_id.store(amaf.move_id, Relaxed);
            }
            let new = u64::from(amaf.count) << 32 | u64::from(amaf.mean.to_bits());
            if new == word {
                return;
            }
            match own.word.compare_exchange_weak(word, new, Relaxed, Relaxed) {
                Ok(_) => return,
                Err(now) => word = now,
            }
        }
    }

    /// Makes a node like one of another tree, but for its children.
    pub(super) fn copy_node(&self, from: &Self, here: NodeId, there: NodeId) {
        let ((source, here), (target, there)) = (from.at(here), self.at(there));
        let (own, other) = (&source.counts[here], &target.counts[there]);
        let word = own.word.load(Relaxed);
        other.word.store(word & u64::from(MOST_VISITS) | word >> PROOF_SHIFT << PROOF_SHIFT, Relaxed);
        other.means.store(own.means.load(Relaxed), Relaxed);
        other.sum.store(own.sum.load(Relaxed), Relaxed);
        if let (Some(own), Some(other)) = (source.priors.get(here), target.priors.get(there)) {
            other.store(own.load(Relaxed), Relaxed);
        }
        if let (Some(own), Some(other)) = (source.amaf.get(here), target.amaf.get(there)) {
            other.word.store(own.word.load(Relaxed), Relaxed);
            other.move_id.store(own.move_id.load(Relaxed), Relaxed);
        }
    }
}

impl VirtualLoss {
    /// Visits and mean of a node with so many simulations under way.
    #[inline(always)]
    fn seen(self, visits: u32, mean: f32, under_way: u16) -> (u32, f32) {
        let all = visits + u32::from(under_way);
        match self {
            VirtualLoss::Off => (visits, mean),
            VirtualLoss::Visits => (all, mean),
            VirtualLoss::Loss => (all, (mean * visits as f32 - f32::from(under_way)) / all.max(1) as f32),
        }
    }
}

impl Segment {
    fn new(places: usize, parts: Parts) -> Self {
        Self {
            counts: fresh(places),
            records: fresh(places),
            priors: fresh(if parts.priors { places } else { 0 }),
            amaf: fresh(if parts.amaf { places } else { 0 }),
        }
    }
}

impl Counts {
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
        let opened = number + 1 | if is_last { ALL_OPEN } else { 0 };
        self.opened.compare_exchange(number, opened, Relaxed, Relaxed).is_ok()
    }

    pub(super) fn set_opened(&self, opened: u32, is_all: bool) {
        self.opened.store(opened | if is_all { ALL_OPEN } else { 0 }, Relaxed);
    }
}

impl Record {
    #[inline(always)]
    pub(super) fn mv(&self) -> u32 {
        self.mv.load(Relaxed)
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

    pub(super) fn set_length(&self, length: u32) {
        self.length.store(length, Relaxed);
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

/// Mean and mean square.
#[inline(always)]
fn means_in(word: u64) -> (f32, f32) {
    (f32::from_bits(word as u32), f32::from_bits((word >> 32) as u32))
}

#[inline(always)]
fn word_of(mean: f32, square: f32) -> u64 {
    u64::from(square.to_bits()) << 32 | u64::from(mean.to_bits())
}

#[inline(always)]
fn amaf_in(word: u64, move_id: u32) -> Amaf {
    Amaf { move_id, count: (word >> 32) as u32, mean: f32::from_bits(word as u32) }
}

#[cold]
#[inline(never)]
fn no_node() -> ! {
    unreachable!("a node stands in a segment that was made before it")
}
