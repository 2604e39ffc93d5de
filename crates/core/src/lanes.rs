//! Threads of a graphics card that run in step.

#[cfg(target_arch = "nvptx64")]
#[allow(unsafe_code)]
unsafe extern "C" {
    #[link_name = "llvm.nvvm.bar.warp.sync"]
    fn bar_warp_sync(mask: i32);
}

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
