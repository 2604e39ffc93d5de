//! Threads of a graphics card that run in step.

#[cfg(target_arch = "nvptx64")]
#[allow(unsafe_code)]
unsafe extern "C" {
    #[link_name = "llvm.nvvm.bar.warp.sync"]
    fn bar_warp_sync(mask: i32);
    #[link_name = "llvm.nvvm.vote.any.sync"]
    fn vote_any_sync(mask: i32, own: bool) -> bool;
}

/// Whether threads run in step here: then a loop in which they may part is left by all at once, see [`any`].
pub const TOGETHER: bool = cfg!(target_arch = "nvptx64");

/// Lets the threads of a warp wait for each other, so that they go on together; nothing elsewhere.
#[inline(always)]
pub fn converge() {
    #[cfg(target_arch = "nvptx64")]
    #[allow(unsafe_code)]
    // SAFETY: it touches no memory, and a thread that comes here no more has left the kernel, which counts as waiting.
    unsafe {
        bar_warp_sync(-1);
    }
}

/// Whether any thread of the warp says so; they wait for each other. Elsewhere a thread is alone.
#[inline(always)]
pub fn any(own: bool) -> bool {
    #[cfg(target_arch = "nvptx64")]
    #[allow(unsafe_code)]
    // SAFETY: as above.
    unsafe {
        vote_any_sync(-1, own)
    }
    #[cfg(not(target_arch = "nvptx64"))]
    own
}

/// How many values that lie apart are loaded before the first is looked at: a thread of a card waits long for each, so it
/// waits for some at once; a processor looks ahead by itself.
pub const AT_A_TIME: usize = if cfg!(target_arch = "nvptx64") { 4 } else { 1 };
