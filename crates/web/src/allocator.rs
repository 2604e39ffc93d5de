//! What the system's allocator keeps for itself, bounded: it reserves 64 MB of addresses for each of many threads, and
//! does not give back what lies free between what is used. Measured in a process limited to 1 GB: sixty visitors with two
//! searches each had all addresses reserved, so that the next thread ended the process.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code, reason = "the allocator is told by calls of C")]
mod system {
    use std::ffi::c_int;

    unsafe extern "C" {
        fn mallopt(parameter: c_int, value: c_int) -> c_int;
        fn malloc_trim(padding: usize) -> c_int;
    }

    const M_ARENA_MAX: c_int = -8;

    pub fn bound_reserves(arenas: u8) {
        // SAFETY: it sets a number of the allocator under its own lock, and takes no pointers.
        unsafe { mallopt(M_ARENA_MAX, c_int::from(arenas)) };
    }

    pub fn give_back() {
        // SAFETY: it gives free pages back under the allocator's own locks, and takes no pointers.
        unsafe { malloc_trim(0) };
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod system {
    pub fn bound_reserves(_: u8) {}

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

/// Arenas of all threads: searches do not allocate while they run.
pub const ARENAS: u8 = 4;
