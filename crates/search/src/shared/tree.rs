//! The tree that threads share.
//!
//! Nodes stand in segments, each handed to one thread, which makes its nodes there: threads neither wait for each other nor
//! write to the same lines of memory when the tree grows. The children of a node stand in a chain of blocks that never move,
//! in the order of the list of its moves; the list is shuffled before it is written. A node's children are published at once,
//! by one compare-and-swap of the place of the first. What is counted is added by single atomic operations, so that no result
//! is lost; means are stored beside them, and the last one wins.

use super::counts::{Counts, Record};
use super::moves::Moves;
use crate::settings::VirtualLoss;
use crate::tree::{Amaf, MOST_VISITS, NodeId, Parts};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

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
        counts.make_fresh();
        record.make_fresh(mv);
        if let Some(prior) = segment.priors.get(index) {
            prior.store(0, Relaxed);
        }
        if let Some(amaf) = segment.amaf.get(index) {
            amaf.word.store(0, Relaxed);
            amaf.move_id.store(0, Relaxed);
        }
    }

    /// Visits and value of a node as selection sees them.
    #[inline(always)]
    pub(super) fn standing(&self, node: NodeId) -> (u32, f32) {
        let (word, value) = self.counts(node).seen(self.virtual_loss);
        (word & MOST_VISITS, value)
    }

    /// What selection sees of nodes that stand side by side.
    #[inline(always)]
    pub(super) fn seen_from(&self, first: NodeId, words: &mut [u32], values: &mut [f32]) {
        let (segment, index) = self.at(first);
        let counts = &segment.counts[index..index + words.len()];
        for ((counts, word), value) in counts.iter().zip(words).zip(values) {
            (*word, *value) = counts.seen(self.virtual_loss);
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
        target.counts[there].copy(&source.counts[here]);
        if let (Some(own), Some(other)) = (source.priors.get(here), target.priors.get(there)) {
            other.store(own.load(Relaxed), Relaxed);
        }
        if let (Some(own), Some(other)) = (source.amaf.get(here), target.amaf.get(there)) {
            other.word.store(own.word.load(Relaxed), Relaxed);
            other.move_id.store(own.move_id.load(Relaxed), Relaxed);
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

#[inline(always)]
fn amaf_in(word: u64, move_id: u32) -> Amaf {
    Amaf { move_id, count: (word >> 32) as u32, mean: f32::from_bits(word as u32) }
}

#[cold]
#[inline(never)]
fn no_node() -> ! {
    unreachable!("a node stands in a segment that was made before it")
}
