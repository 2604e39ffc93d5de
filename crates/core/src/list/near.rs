//! Items in the own memory of a thread of a graphics card. There the items of neighbouring threads lie side by side and are
//! read together; in memory that was asked for each would be fetched alone. Where they are many, they move there.

#![allow(unsafe_code, reason = "a list on the stack has places that hold nothing yet")]

use alloc::vec::{self, Vec};
use core::fmt;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};

/// Items that stay near; few positions have more moves.
const NEAR: usize = 96;

/// What [`List`](super::List) keeps its items in. Items are plain data: they are never dropped.
pub struct Items<T> {
    length: u32,
    near: Near<T>,
    far: Vec<T>,
}

/// Items begin at a whole word, so that they are copied by words.
#[repr(align(8))]
struct Near<T>([MaybeUninit<T>; NEAR]);

impl<T> Items<T> {
    pub const fn new() -> Self {
        Self { length: 0, near: Near([const { MaybeUninit::uninit() }; NEAR]), far: Vec::new() }
    }

    pub fn with_capacity(_: usize) -> Self {
        Self::new()
    }

    #[inline(always)]
    pub fn push(&mut self, item: T) {
        if self.len() < NEAR {
            self.near.0[self.len()] = MaybeUninit::new(item);
        } else {
            self.push_far(item);
        }
        self.length += 1;
    }

    #[cold]
    #[inline(never)]
    fn push_far(&mut self, item: T) {
        if self.len() == NEAR {
            self.far.clear();
            // SAFETY: all places near by are filled, and their items are plain data.
            self.far.extend(self.near.0.iter().map(|item| unsafe { item.assume_init_read() }));
        }
        self.far.push(item);
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        self.length = 0;
    }

    #[inline(always)]
    pub fn truncate(&mut self, length: usize) {
        if self.len() > NEAR {
            self.far.truncate(length);
            if length <= NEAR {
                for (near, item) in self.near.0.iter_mut().zip(self.far.drain(..)) {
                    *near = MaybeUninit::new(item);
                }
            }
        }
        self.length = self.len().min(length) as u32;
    }

    #[inline(always)]
    pub fn extend(&mut self, items: impl IntoIterator<Item = T>) {
        items.into_iter().for_each(|item| self.push(item));
    }

    /// Its own, as half a word less is read in every ply.
    #[inline(always)]
    const fn len(&self) -> usize {
        self.length as usize
    }

    #[inline(always)]
    fn start(&self) -> *const T {
        if self.len() <= NEAR { self.near.0.as_ptr().cast() } else { self.far_start() }
    }

    /// Apart, so that nobody looks up where the far ones are who does not want them.
    #[cold]
    #[inline(never)]
    fn far_start(&self) -> *const T {
        self.far.as_ptr()
    }
}

impl<T> Deref for Items<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: so many places from there are filled.
        unsafe { core::slice::from_raw_parts(self.start(), self.len()) }
    }
}

impl<T> DerefMut for Items<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and nobody else looks at them.
        unsafe { core::slice::from_raw_parts_mut(self.start().cast_mut(), self.len()) }
    }
}

impl<T: Clone> Clone for Items<T> {
    fn clone(&self) -> Self {
        self.iter().cloned().collect()
    }
}

impl<T: fmt::Debug> fmt::Debug for Items<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: PartialEq> PartialEq for Items<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Eq> Eq for Items<T> {}

impl<T> FromIterator<T> for Items<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut own = Self::new();
        own.extend(items);
        own
    }
}

impl<T> IntoIterator for Items<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(mut self) -> Self::IntoIter {
        if self.len() <= NEAR {
            self.far.clear();
            let filled = &self.near.0[..self.len()];
            // SAFETY: these places are filled, and nobody reads them again.
            self.far.extend(filled.iter().map(|item| unsafe { item.assume_init_read() }));
        }
        self.far.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_near_and_far_are_one_list() {
        for count in [0, 1, NEAR - 1, NEAR, NEAR + 1, 3 * NEAR] {
            let mut items: Items<u32> = (0..count as u32).collect();
            assert_eq!(items[..], (0..count as u32).collect::<Vec<_>>());
            assert_eq!(items.clone().into_iter().sum::<u32>(), (0..count as u32).sum());
            items.truncate(NEAR - 3);
            items.push(7);
            let expected: Vec<u32> = (0..count.min(NEAR - 3) as u32).chain([7]).collect();
            assert_eq!(items[..], expected);
            items.clear();
            assert_eq!(items, Items::with_capacity(9));
            items.extend(0..200);
            assert_eq!(items.len(), 200);
            items[199] = 3;
            assert_eq!(items.iter().sum::<u32>(), 199 * 198 / 2 + 3);
        }
    }
}
