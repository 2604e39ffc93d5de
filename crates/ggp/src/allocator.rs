//! What the system's allocator keeps for itself, bounded: it reserves 64 MB of addresses for each of many threads, does not
//! give back what lies free between what is used, and learns to keep up to 64 MB at the end of each reserve. Measured in a
//! process limited to 1 GB: sixty visitors with two searches each had all addresses reserved, so that the next thread ended
//! the process; a player kept 60 MB of matches that were over.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code, reason = "the allocator is told by calls of C")]
mod system {
    use std::ffi::c_int;

    unsafe extern "C" {
        fn mallopt(parameter: c_int, value: c_int) -> c_int;
        fn malloc_trim(padding: usize) -> c_int;
    }

    const M_TRIM_THRESHOLD: c_int = -1;
    const M_MMAP_THRESHOLD: c_int = -3;
    const M_ARENA_MAX: c_int = -8;

    /// Arenas of all threads: searches do not allocate while they run.
    const ARENAS: c_int = 4;
    /// What is larger goes back to the system at once.
    const LARGE_BYTES: c_int = 1 << 20;

    /// Bounds what the allocator of this process keeps; for servers, as long as they run.
    pub fn bound_reserves() {
        for (parameter, value) in
            [(M_ARENA_MAX, ARENAS), (M_TRIM_THRESHOLD, LARGE_BYTES), (M_MMAP_THRESHOLD, LARGE_BYTES)]
        {
            // SAFETY: it sets a number of the allocator under its own lock, and takes no pointers.
            unsafe { mallopt(parameter, value) };
        }
    }

    pub fn give_back() {
        // SAFETY: it gives free pages back under the allocator's own locks, and takes no pointers.
        unsafe { malloc_trim(0) };
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod system {
    /// Nothing to be done on this system.
    pub fn bound_reserves() {}

    pub fn give_back() {}
}

pub use system::bound_reserves;

/// Gives free pages back to the system when it is dropped: made first, it is the last to go.
#[derive(Debug)]
pub struct GivesBack;

impl Drop for GivesBack {
    fn drop(&mut self) {
        system::give_back();
    }
}
