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

/// Hands on a number. Threads of a warp that have parted meet here before they look at it: a compiler that knew the numbers of
/// some of them would send these ahead, and they would wait for nobody until the loop around it ends.
#[inline(always)]
pub fn meet(number: u32) -> u32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let mut number = number;
        #[allow(unsafe_code)]
        // SAFETY: there is no instruction; it only hides where the number comes from.
        unsafe {
            core::arch::asm!("// {0} is met with", inout(reg32) number, options(nomem, nostack, preserves_flags));
        }
        number
    }
    #[cfg(not(target_arch = "nvptx64"))]
    number
}

/// [`meet`] for something that some have found and others have not.
#[inline(always)]
pub fn meet_with<T: Default>(found: Option<T>) -> Option<T> {
    if cfg!(not(target_arch = "nvptx64")) {
        return found;
    }
    let is_found = meet(found.is_some().into());
    let found = found.unwrap_or_default();
    if is_found == 0 { None } else { Some(found) }
}
