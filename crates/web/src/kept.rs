//! Trees whose search is over, which their visitors may still look into: a bounded number of all visitors together.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Something that may be taken away while it is not in use.
#[derive(Debug)]
pub struct Shelf<T>(Mutex<Option<T>>);

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> Shelf<T> {
    /// What lies on it, as long as it is looked at.
    pub fn look(&self) -> MutexGuard<'_, Option<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What can be cleared.
trait Clear: Send + Sync {
    fn clear(&self);
    fn is_empty(&self) -> bool;
}

impl<T: Send> Clear for Shelf<T> {
    fn clear(&self) {
        let taken = self.look().take();
        // Freeing takes time, for which nobody shall wait.
        drop(taken);
    }

    fn is_empty(&self) -> bool {
        self.look().is_none()
    }
}

/// All shelves with something on them, the oldest first.
pub struct Trees {
    most: usize,
    shelves: Mutex<VecDeque<Weak<dyn Clear>>>,
}

impl std::fmt::Debug for Trees {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Trees").field("most", &self.most).finish_non_exhaustive()
    }
}

impl Trees {
    /// So many are kept.
    pub fn new(most: usize) -> Self {
        Self { most, shelves: Mutex::default() }
    }

    /// Puts something on a shelf; the oldest of others is cleared if there are too many.
    pub fn keep<T: Send + 'static>(&self, shelf: &Arc<Shelf<T>>, thing: T) {
        *shelf.look() = Some(thing);
        let own: Weak<dyn Clear> = Arc::downgrade(shelf) as Weak<Shelf<T>>;
        let mut cleared = Vec::new();
        {
            let mut shelves = self.shelves.lock().unwrap_or_else(PoisonError::into_inner);
            let is_other = |one: &Weak<dyn Clear>| !one.ptr_eq(&own);
            shelves.retain(|one| is_other(one) && one.upgrade().is_some_and(|one| !one.is_empty()));
            shelves.push_back(own.clone());
            while shelves.len() > self.most {
                cleared.extend(shelves.pop_front().and_then(|oldest| oldest.upgrade()));
            }
        }
        cleared.into_iter().for_each(|oldest| oldest.clear());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_give_way() {
        let trees = Trees::new(2);
        let shelves: Vec<Arc<Shelf<usize>>> = (0..3).map(|_| Arc::default()).collect();
        let seen = || shelves.iter().map(|shelf| *shelf.look()).collect::<Vec<_>>();
        trees.keep(&shelves[0], 0);
        trees.keep(&shelves[1], 1);
        trees.keep(&shelves[0], 2);
        assert_eq!(seen(), [Some(2), Some(1), None], "the same shelf counts once");
        trees.keep(&shelves[2], 3);
        assert_eq!(seen(), [Some(2), None, Some(3)]);
        shelves[0].look().take();
        trees.keep(&shelves[1], 4);
        assert_eq!(seen(), [None, Some(4), Some(3)], "what was taken leaves its place");
    }
}
