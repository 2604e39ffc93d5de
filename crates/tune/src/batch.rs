//! Batches: proposals are made for a whole batch from the results of all earlier ones, so that what is played does not
//! depend on which games end first. Sizes follow from the number of pairs before, not from the budget or the threads: a
//! longer tuning begins with the games of a shorter one.

use spinney_core::Seed;

/// Pairs in the first batches, when the file says nothing.
pub const USUAL: u64 = 32;
/// Later a batch is this part of what is known; a model made of hardly more games is hardly a better one.
const PART: u64 = 16;

/// One batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Which, from 0.
    pub number: u64,
    /// Pairs before it.
    pub before: u64,
    /// Pairs in it.
    pub size: u64,
}

/// The batches of so many pairs, the first of `least` pairs; only the last one is cut short.
///
/// ```
/// let sizes: Vec<u64> = spinney_tune::batch::batches(32, 70).map(|batch| batch.size).collect();
/// assert_eq!(sizes, [32, 32, 6]);
/// ```
pub fn batches(least: u64, pairs: u64) -> impl Iterator<Item = Batch> {
    let mut next = Batch { number: 0, before: 0, size: 0 };
    std::iter::from_fn(move || {
        let before = next.before + next.size;
        if before >= pairs {
            return None;
        }
        let size = least.max(1).max(before / PART);
        let batch = Batch { number: next.number, before, size: size.min(pairs - before) };
        next = Batch { number: next.number + 1, ..batch };
        Some(batch)
    })
}

/// The seed of a proposal.
pub fn seed(tuning: Seed, batch: u64, number: u64) -> Seed {
    tuning.named("proposal").child(batch).child(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_tuning_begins_with_a_shorter_one() {
        let short: Vec<Batch> = batches(8, 500).collect();
        let long: Vec<Batch> = batches(8, 2000).collect();
        assert_eq!(short[..short.len() - 1], long[..short.len() - 1]);
        assert_eq!(short.iter().map(|batch| batch.size).sum::<u64>(), 500);
        let (last, whole) = long.split_last().unwrap();
        assert!(whole.iter().all(|batch| batch.size == 8.max(batch.before / 16)));
        assert_eq!((whole[0].size, whole[19].size, whole[20].size), (8, 9, 10));
        assert_eq!(last.before + last.size, 2000);
        assert!(long.len() < 120, "{}", long.len());
    }
}
