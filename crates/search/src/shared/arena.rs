//! Memory that is reserved at once and touched when it is used, so that a place is found without looking for its segment.

// Places by index alone make choosing a child a third fewer instructions than looking up the segment of each.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::fmt;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64};

/// A type of which memory full of zeros is a value, and which needs no drop.
///
/// # Safety
/// All of that must be so.
pub(super) unsafe trait Zeroed {}

// SAFETY: atomic numbers are as their numbers, of which zeros are one.
unsafe impl Zeroed for AtomicU32 {}
// SAFETY: as above.
unsafe impl Zeroed for AtomicU64 {}

/// What is written together stands on one line of memory.
const LINE: usize = 64;

/// A list of zeros that begins with a line of memory. Asking for such an alignment makes allocators write the zeros, that is,
/// touch all of it; without they take fresh pages, so a line more is reserved and the list begins where the next one does.
pub(super) struct Arena<T: Zeroed> {
    memory: NonNull<u8>,
    layout: Layout,
    first: NonNull<T>,
    length: usize,
}

// SAFETY: it owns its list, as a box does.
unsafe impl<T: Zeroed + Send> Send for Arena<T> {}
// SAFETY: shared it gives nothing but `&[T]`.
unsafe impl<T: Zeroed + Sync> Sync for Arena<T> {}

impl<T: Zeroed> Arena<T> {
    /// So many zeros; `None` if they cannot be reserved.
    pub(super) fn new(length: usize) -> Option<Self> {
        const { assert!(align_of::<T>() <= LINE && size_of::<T>() > 0) };
        let list = Layout::array::<T>(length).ok()?;
        let layout = Layout::from_size_align(list.size().checked_add(LINE)?, 1).ok()?;
        // SAFETY: the layout is not empty.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        // SAFETY: there is a line more than the list takes.
        let first = unsafe { memory.add(memory.align_offset(LINE)) }.cast();
        Some(Self { memory, layout, first, length })
    }
}

impl<T: Zeroed> Deref for Arena<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: so many zeros, each of them a value, stand there aligned, and nobody has them but `self`.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.length) }
    }
}

impl<T: Zeroed> Drop for Arena<T> {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and its values need no drop.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) };
    }
}

impl<T: Zeroed> fmt::Debug for Arena<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arena").field("length", &self.length).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn zeros_begin_with_a_line() {
        for length in [0, 1, 7, 100_000] {
            let arena = Arena::<AtomicU64>::new(length).unwrap();
            assert_eq!(arena.len(), length);
            assert_eq!(arena.as_ptr() as usize % LINE, 0);
            assert!(arena.iter().all(|one| one.swap(7, Relaxed) == 0));
            assert!(arena.iter().all(|one| one.load(Relaxed) == 7));
        }
        assert!(Arena::<AtomicU64>::new(usize::MAX / 8).is_none());
    }
}
