//! What simulates, in a program that has neither the standard library nor an operating system: whoever panics and where
//! memory comes from is said here. A crate below that needed the standard library would bring a second answer, and this
//! one would not compile. The test holds what it plays against what the same searches play with the standard library.

#![cfg_attr(not(test), no_std)]

pub mod play;

#[cfg(not(test))]
mod machine {
    use core::alloc::{GlobalAlloc, Layout};
    use core::cell::UnsafeCell;
    use core::panic::PanicInfo;
    use core::sync::atomic::{AtomicUsize, Ordering};

    const BYTES: usize = 1 << 28;

    /// Memory that is given out once and never taken back.
    #[repr(align(4096))]
    struct Memory {
        bytes: UnsafeCell<[u8; BYTES]>,
        used: AtomicUsize,
    }

    // SAFETY: no two callers are given the same bytes.
    unsafe impl Sync for Memory {}

    // SAFETY: what is given out lies within `bytes`, is aligned and belongs to nobody else.
    unsafe impl GlobalAlloc for Memory {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            let align = layout.align();
            let mut start = 0;
            let taken = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                start = used.next_multiple_of(align);
                start.checked_add(layout.size()).filter(|&end| end <= BYTES && align <= 4096)
            });
            if taken.is_err() {
                return core::ptr::null_mut();
            }
            // SAFETY: `start` lies within `bytes`.
            unsafe { self.bytes.get().cast::<u8>().add(start) }
        }

        unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
    }

    #[global_allocator]
    static MEMORY: Memory = Memory { bytes: UnsafeCell::new([0; BYTES]), used: AtomicUsize::new(0) };

    #[panic_handler]
    fn panicked(_: &PanicInfo<'_>) -> ! {
        loop {
            core::hint::spin_loop();
        }
    }

    /// The games that were played, as one number; for whoever links this.
    #[unsafe(no_mangle)]
    pub extern "C" fn spinney_bare() -> u64 {
        super::play::all()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_same_games_are_played_without_the_standard_library() {
        assert_eq!(super::play::all(), super::play::KNOWN);
    }
}
