//! A list whose memory is used again: what the functions of the hot path append to.

#[cfg(any(test, target_arch = "nvptx64"))]
mod near;

use alloc::vec;
#[cfg(not(target_arch = "nvptx64"))]
use alloc::vec::Vec as Items;
use core::ops::{Deref, DerefMut};
#[cfg(target_arch = "nvptx64")]
use near::Items;

/// A list of moves, candidates or outcomes. It reads as a slice; clearing it keeps its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T> {
    items: Items<T>,
}

impl<T> List<T> {
    /// An empty list without memory.
    pub const fn new() -> Self {
        Self { items: Items::new() }
    }

    /// An empty list with room for so many items.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { items: Items::with_capacity(capacity) }
    }

    /// Appends an item.
    #[inline(always)]
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// Removes all items and keeps the memory.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// Keeps the first `length` items.
    #[inline(always)]
    pub fn truncate(&mut self, length: usize) {
        self.items.truncate(length);
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> DerefMut for List<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

impl<T> Extend<T> for List<T> {
    #[inline(always)]
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.items.extend(items);
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self { items: items.into_iter().collect() }
    }
}

impl<T> IntoIterator for List<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}
