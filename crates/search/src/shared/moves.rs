//! The moves of a shared tree: lists that are written once, by the thread that expands a node, and read by all afterwards.

#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Moves in a segment at most, and the bits of a place that count them.
const BITS: u32 = 16;

/// Moves that one thread writes.
type Segment<M> = Box<[UnsafeCell<M>]>;

/// Segments of moves. A segment is handed to one thread, which alone writes to it, and only where it has not written
/// since the moves were cleared. Locks for single moves, as [`OnceLock`] has them, would take twice the room and an atomic
/// operation each for what is most of a tree.
#[derive(Debug)]
pub(super) struct Moves<M> {
    segments: Box<[OnceLock<Segment<M>>]>,
    /// Segments that were handed out.
    taken: AtomicUsize,
    /// Moves in a segment, unless a longer list asks for more.
    usual: usize,
}

// SAFETY: what is in a cell is shared as `&M` is, once it has been written; see `Room::write` and `Moves::get`.
unsafe impl<M: Send + Sync> Sync for Moves<M> {}

/// A part of a segment that one thread has to itself. It cannot be copied, so nobody writes twice to a place.
#[derive(Debug, Default)]
pub(super) struct Room {
    next: u32,
    end: u32,
}

impl Room {
    /// How many moves fit.
    pub(super) fn left(&self) -> usize {
        (self.end - self.next) as usize
    }
}

impl<M: Copy + Default> Moves<M> {
    /// At most so many segments.
    pub(super) fn new(segments: usize, usual: usize) -> Self {
        let segments = segments.min((1 << (32 - BITS)) - 1);
        Self {
            segments: std::iter::repeat_with(OnceLock::new).take(segments).collect(),
            taken: AtomicUsize::new(0),
            usual: usual.clamp(1, 1 << BITS),
        }
    }

    /// Forgets all lists; nobody else can be looking.
    pub(super) fn clear(&mut self, frees: bool) {
        *self.taken.get_mut() = 0;
        if frees {
            self.segments.iter_mut().for_each(|segment| drop(segment.take()));
        }
    }

    /// Room for a list of this length in a segment that nobody has, if `grant` allows the bytes that it takes; `refund` gets
    /// them back. Both are told whether the bytes are new.
    pub(super) fn take(
        &self,
        length: usize,
        grant: impl Fn(usize, bool) -> bool,
        refund: impl Fn(usize, bool),
    ) -> Option<Room> {
        if length > 1 << BITS {
            return None;
        }
        loop {
            let number = self.taken.load(Ordering::Relaxed);
            let segment = self.segments.get(number)?;
            // What stands from an earlier search may be too short for a long list; then it stands idle.
            let (places, is_new) = segment.get().map_or((self.usual.max(length), true), |old| (old.len(), false));
            if !grant(places * size_of::<M>(), is_new) {
                return None;
            }
            if self.taken.compare_exchange(number, number + 1, Ordering::Relaxed, Ordering::Relaxed).is_err() {
                refund(places * size_of::<M>(), is_new);
                continue;
            }
            let cells = segment.get_or_init(|| (0..places).map(|_| UnsafeCell::new(M::default())).collect());
            if cells.len() >= length {
                let first = (number as u32) << BITS;
                return Some(Room { next: first, end: first + cells.len() as u32 });
            }
        }
    }

    /// Writes a list and returns where it begins. There must be room for it.
    pub(super) fn write(&self, room: &mut Room, moves: &[M]) -> u32 {
        assert!(moves.len() <= room.left(), "a list of moves needs room");
        let first = room.next;
        let cells = self.segments[(first >> BITS) as usize].get().map_or(&[][..], |cells| cells);
        let from = (first & ((1 << BITS) - 1)) as usize;
        for (cell, &mv) in cells[from..from + moves.len()].iter().zip(moves) {
            // SAFETY: only the owner of `room` writes to its cells, each once, and others read a cell only after they have
            // seen the node that was published after this.
            unsafe { *cell.get() = mv };
        }
        room.next += moves.len() as u32;
        first
    }

    /// Takes back what was written last, if it has not been published.
    pub(super) fn unwrite(room: &mut Room, length: usize) {
        room.next -= length as u32;
    }

    /// The move at this place, which must belong to a list that was published to this thread or written by it.
    #[inline(always)]
    pub(super) fn get(&self, place: u32) -> M {
        let Some(cells) = self.segments.get((place >> BITS) as usize).and_then(OnceLock::get) else {
            return M::default();
        };
        let cell = &cells[(place & ((1 << BITS) - 1)) as usize];
        // SAFETY: places come from nodes, and nodes are published (released) after their moves were written; who knows a
        // node has acquired it. Nothing is written there again before the tree is cleared, which takes it exclusively.
        unsafe { *cell.get() }
    }
}
