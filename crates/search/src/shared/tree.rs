//! The tree that threads share.
//!
//! Nodes stand in arenas, of which each thread is handed segments to make its nodes there: threads neither wait for each other
//! nor write to the same lines of memory when the tree grows. The children of a node stand in a chain of blocks that never
//! move, in the order of the list of its moves; the list is shuffled before it is written. A node's children are published at
//! once, by one compare-and-swap of the place of the first. What is counted is added by single atomic operations, so that no
//! result is lost. What selection sees of it stands in an arena of its own, and there the last one wins.

use super::apart::Apart;
use super::arena::{Arena, Zeroed};
use super::counts::{Counts, Record, Results, Seen};
use super::moves::Moves;
use crate::settings::VirtualLoss;
use crate::tree::{Amaf, MOST_VISITS, NodeId, Parts, Proof};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// A value of a move at any time: count and mean in one word, and its id.
#[derive(Debug, Default)]
struct SharedAmaf {
    word: AtomicU64,
    move_id: AtomicU32,
}

// SAFETY: atomic numbers and nothing else.
#[allow(unsafe_code)]
unsafe impl Zeroed for SharedAmaf {}

/// All places of a tree.
#[derive(Debug)]
struct Places {
    seen: Arena<AtomicU64>,
    counts: Arena<Counts>,
    records: Arena<Record>,
    priors: Arena<AtomicU32>,
    amaf: Arena<SharedAmaf>,
}

impl Places {
    fn new(length: usize, parts: Parts) -> Option<Self> {
        Some(Self {
            seen: Arena::new(length)?,
            counts: Arena::new(length)?,
            records: Arena::new(length)?,
            priors: Arena::new(if parts.priors { length } else { 0 })?,
            amaf: Arena::new(if parts.amaf { length } else { 0 })?,
        })
    }

    /// Bytes of one.
    fn bytes(parts: Parts) -> usize {
        size_of::<AtomicU64>()
            + size_of::<Counts>()
            + size_of::<Record>()
            + if parts.priors { size_of::<AtomicU32>() } else { 0 }
            + if parts.amaf { size_of::<SharedAmaf>() } else { 0 }
    }

    /// As many segments as can be reserved, at most so many.
    fn of_segments(mut segments: usize, shift: u32, parts: Parts) -> Self {
        loop {
            match Self::new(segments << shift, parts) {
                Some(places) => return places,
                None if segments > 1 => segments /= 2,
                // As every other allocation of so little that fails.
                None => std::alloc::handle_alloc_error(std::alloc::Layout::new::<[Record; 16]>()),
            }
        }
    }
}

/// A tree that threads share.
#[derive(Debug)]
pub(super) struct SharedTree<M> {
    places: Places,
    pub(super) moves: Moves<M>,
    /// Bits of a place within its segment.
    shift: u32,
    parts: Parts,
    place_bytes: usize,
    limit: usize,
    virtual_loss: VirtualLoss,
    /// Segments that were handed out, and those that ever were since the places were reserved.
    taken: Apart<AtomicUsize>,
    touched: AtomicUsize,
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

/// The lengths of the first blocks of a chain that grows child by child, and the most of the fourth.
pub(super) const FOUR_BLOCKS: [u32; 4] = [1, 3, 8, 24];
/// The numbers of the first children in these.
pub(super) const STARTS: [u32; 4] = [0, 1, 4, 12];

impl<M: Copy + Default> SharedTree<M> {
    pub(super) fn new(bytes: usize, parts: Parts) -> Self {
        let place_bytes = Places::bytes(parts);
        let share = bytes / FEWEST_SEGMENTS;
        let places = (share / place_bytes).clamp(16, LARGEST_SEGMENT);
        let shift = places.ilog2();
        let segments = (bytes / (place_bytes << shift)).clamp(1, (u32::MAX >> shift) as usize);
        let usual = (share / size_of::<M>().max(1)).clamp(64, 1 << 15);
        let lists = bytes / (usual * size_of::<M>().max(1));
        let tree = Self {
            places: Places::of_segments(segments, shift, parts),
            moves: Moves::new(lists.max(2), usual),
            shift,
            parts,
            place_bytes,
            limit: bytes,
            virtual_loss: VirtualLoss::default(),
            taken: Apart::default(),
            touched: AtomicUsize::new(0),
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
            let segments = self.segments();
            // The old ones are given back first.
            self.places = Places::of_segments(0, self.shift, self.parts);
            self.places = Places::of_segments(segments, self.shift, self.parts);
            *self.touched.get_mut() = 0;
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
        self.taken.0.store(1, Relaxed);
        self.touched.fetch_max(1, Relaxed);
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
            if number >= self.segments() {
                self.is_full.store(true, Relaxed);
                return None;
            }
            let (bytes, is_new) = (places * self.place_bytes, number >= self.touched.load(Relaxed));
            if !self.grant(bytes, is_new) {
                return None;
            }
            if self.taken.0.compare_exchange(number, number + 1, Relaxed, Relaxed).is_ok() {
                self.touched.fetch_max(number + 1, Relaxed);
                let first = (number << self.shift) as NodeId;
                return Some(first..first + places as NodeId);
            }
            self.refund(bytes, is_new);
        }
    }

    fn segments(&self) -> usize {
        self.places.counts.len() >> self.shift
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
    pub(super) fn record(&self, node: NodeId) -> &Record {
        &self.places.records[node as usize]
    }

    #[inline(always)]
    pub(super) fn counts(&self, node: NodeId) -> &Counts {
        &self.places.counts[node as usize]
    }

    /// The four blocks of a family that has no more, by the first: where they are is known without going through all.
    #[inline(always)]
    pub(super) fn four_blocks(&self, first: NodeId) -> Option<[NodeId; 4]> {
        let second = self.record(first).next();
        if second == 0
            || self.record(first).length() != FOUR_BLOCKS[0]
            || self.record(second).length() != FOUR_BLOCKS[1]
        {
            return None;
        }
        let fourth = self.record(second + 1).next();
        (fourth != 0).then(|| [first, second, self.record(second).next(), fourth])
    }

    /// Notes the last of four blocks, if these are as long as they usually are.
    pub(super) fn note_fourth(&self, first: NodeId, fourth: NodeId) {
        let second = self.record(first).next();
        let lengths = [first, second, self.record(second).next()].map(|block| self.record(block).length());
        if lengths[..] == FOUR_BLOCKS[..3] {
            self.record(second + 1).link(fourth);
        }
    }

    /// Lets selection see this of a node.
    #[inline(always)]
    fn show(&self, node: NodeId, seen: Seen) {
        self.places.seen[node as usize].store(seen.0, Relaxed);
    }

    /// A place becomes a node without visits.
    #[inline(always)]
    pub(super) fn make_fresh(&self, node: NodeId, mv: u32) {
        self.counts(node).make_fresh(mv);
        self.show(node, Seen::default());
        if let Some(prior) = self.places.priors.get(node as usize) {
            prior.store(0, Relaxed);
        }
        if let Some(amaf) = self.places.amaf.get(node as usize) {
            amaf.word.store(0, Relaxed);
            amaf.move_id.store(0, Relaxed);
        }
    }

    #[inline(always)]
    pub(super) fn enter(&self, node: NodeId) {
        self.show(node, self.counts(node).enter(self.virtual_loss));
    }

    #[inline(always)]
    pub(super) fn leave(&self, node: NodeId) {
        self.show(node, self.counts(node).leave(self.virtual_loss));
    }

    /// Adds results, of which so many were counted as under way.
    #[inline(always)]
    pub(super) fn add(&self, node: NodeId, results: &Results, under_way: u64) {
        self.show(node, self.counts(node).add(results, under_way, self.virtual_loss));
    }

    pub(super) fn prove(&self, node: NodeId, proof: Proof) {
        self.counts(node).prove(proof);
        self.show_again(node);
    }

    /// Lets selection see a node as it is. Who has counted before something was proven, and shows it after that, hides the
    /// proof: who finds it hidden calls this.
    pub(super) fn show_again(&self, node: NodeId) {
        self.show(node, self.counts(node).seen(self.virtual_loss));
    }

    /// Visits and value of a node as selection sees them.
    #[inline(always)]
    pub(super) fn standing(&self, node: NodeId) -> (u32, f32) {
        let seen = match self.counts(node).proof() {
            Proof::Unknown => Seen(self.places.seen[node as usize].load(Relaxed)),
            _ => self.counts(node).seen(self.virtual_loss),
        };
        (seen.word() & MOST_VISITS, seen.value())
    }

    /// What selection sees of nodes that stand side by side.
    #[inline(always)]
    pub(super) fn seen_from(&self, first: NodeId, seen: &mut [Seen]) {
        let first = first as usize;
        for (own, place) in seen.iter_mut().zip(&self.places.seen[first..]) {
            own.0 = place.load(Relaxed);
        }
    }

    pub(super) fn prior(&self, node: NodeId) -> f32 {
        f32::from_bits(self.places.priors[node as usize].load(Relaxed))
    }

    pub(super) fn set_prior(&self, node: NodeId, prior: f32) {
        self.places.priors[node as usize].store(prior.to_bits(), Relaxed);
    }

    #[inline(always)]
    pub(super) fn amaf(&self, node: NodeId) -> Amaf {
        let own = &self.places.amaf[node as usize];
        amaf_in(own.word.load(Relaxed), own.move_id.load(Relaxed))
    }

    #[inline(always)]
    pub(super) fn update_amaf(&self, node: NodeId, mut change: impl FnMut(&mut Amaf)) {
        let own = &self.places.amaf[node as usize];
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
        self.counts(there).copy(from.counts(here));
        self.show_again(there);
        let (source, target, here, there) = (&from.places, &self.places, here as usize, there as usize);
        if let (Some(own), Some(other)) = (source.priors.get(here), target.priors.get(there)) {
            other.store(own.load(Relaxed), Relaxed);
        }
        if let (Some(own), Some(other)) = (source.amaf.get(here), target.amaf.get(there)) {
            other.word.store(own.word.load(Relaxed), Relaxed);
            other.move_id.store(own.move_id.load(Relaxed), Relaxed);
        }
    }
}

#[inline(always)]
fn amaf_in(word: u64, move_id: u32) -> Amaf {
    Amaf { move_id, count: (word >> 32) as u32, mean: f32::from_bits(word as u32) }
}
