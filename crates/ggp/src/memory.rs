//! One budget of bytes for everything that peers send, over all connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that may be held at the same time.
///
/// ```
/// let memory = spinney_ggp::memory::Memory::new(100);
/// let first = memory.share(70).expect("there is room");
/// assert!(memory.share(40).is_none());
/// drop(first);
/// assert!(memory.share(40).is_some());
/// ```
#[derive(Debug)]
pub struct Memory {
    most: usize,
    used: AtomicUsize,
}

impl Memory {
    /// So many bytes.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, used: AtomicUsize::new(0) })
    }

    /// Bytes that are held now.
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Takes bytes until the share is dropped; `None` if they are not there.
    pub fn share(self: &Arc<Self>, bytes: usize) -> Option<Share> {
        let mut share = Share { memory: Arc::clone(self), bytes: 0 };
        share.grow(bytes).then_some(share)
    }
}

/// Two fifths of the bytes that the process may take, as far as the system tells: of its limit, and of what is free; at
/// most `most`. The rest is for stacks, and for what allocators keep.
pub fn granted(most: u64) -> usize {
    const LEAST: u64 = 64_000_000;
    let read = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
    let number = |text: &str, word: &str| -> Option<u64> {
        let line = text.lines().find(|line| line.starts_with(word))?;
        line[word.len()..].split_whitespace().next()?.parse().ok()
    };
    let limits = read("/proc/self/limits");
    let limit = ["Max address space", "Max data size"].into_iter().filter_map(|word| number(&limits, word)).min();
    let free = number(&read("/proc/meminfo"), "MemAvailable:").map(|kilobytes| kilobytes * 1024);
    let granted = [limit, free].into_iter().flatten().min().map_or(most, |bytes| bytes / 5 * 2);
    granted.clamp(LEAST, most.max(LEAST)) as usize
}

/// Bytes taken from a [`Memory`].
#[derive(Debug)]
pub struct Share {
    memory: Arc<Memory>,
    bytes: usize,
}

impl Share {
    /// Makes it at least so large; false, and nothing changes, if the bytes are not there.
    pub fn grow(&mut self, to: usize) -> bool {
        let more = to.saturating_sub(self.bytes);
        let most = self.memory.most;
        let add = |used: usize| used.checked_add(more).filter(|&sum| sum <= most);
        let has_grown = self.memory.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).is_ok();
        if has_grown {
            self.bytes += more;
        }
        has_grown
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.memory.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;

    #[test]
    fn shares_grow_and_go_back() {
        let memory = Memory::new(100);
        let (mut one, two) = (memory.share(0).unwrap(), memory.share(60).unwrap());
        assert!(one.grow(40) && one.grow(10) && !one.grow(41));
        assert_eq!(memory.used(), 100);
        assert!(!one.grow(usize::MAX));
        drop(two);
        assert!(one.grow(100));
        drop(one);
        assert_eq!(memory.used(), 0);
    }
}
