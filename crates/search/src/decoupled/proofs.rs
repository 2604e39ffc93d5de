//! Proofs in games of roles: a role has a move after which it gets the highest goal whatever all others do at the same
//! time, chance included. Where one role's choice does not suffice nothing is proven.

use super::tree::HashedMap;
use spinney_core::random::mix;

/// The highest goal: nothing better can be hoped for.
pub const HIGHEST: f32 = 100.0;
/// Joint moves that are remembered; a search that has met more proves nothing further.
const MOST: usize = 4_000_000;

/// What has been proven. Positions go by their hash, so that nodes may get other numbers.
#[derive(Debug, Default)]
pub struct Proofs {
    /// Joint moves that are counted already.
    seen: HashedMap<()>,
    /// For a position, a role and one of its moves: after how many joint moves of the others it is certain of the most.
    counts: HashedMap<u64>,
    /// For a position and a role the place of the move that suffices.
    moves: HashedMap<u32>,
}

fn key(position: u64, role: usize, rest: u64) -> u64 {
    mix(mix(position ^ (role as u64 + 1)) ^ rest)
}

impl Proofs {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.seen.clear();
        self.counts.clear();
        self.moves.clear();
    }

    /// The place of a move that suffices.
    #[inline]
    pub fn sufficient(&self, position: u64, role: usize) -> Option<usize> {
        self.moves.get(&key(position, role, 0)).map(|&place| place as usize)
    }

    /// Says that a joint move, in which the role chose `place`, leads to where it is certain of the most; `others` is the
    /// number of joint moves of all others.
    pub fn add(&mut self, position: u64, role: usize, place: u32, joint: u64, others: u64) {
        if self.seen.len() >= MOST || self.sufficient(position, role).is_some() {
            return;
        }
        if self.seen.insert(key(position, role, joint | 1 << 63), ()).is_some() {
            return;
        }
        let count = self.counts.entry(key(position, role, u64::from(place) + 1)).or_insert(0);
        *count += 1;
        if *count >= others {
            self.moves.insert(key(position, role, 0), place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_answers_of_the_others_are_needed() {
        let mut proofs = Proofs::default();
        for joint in [10, 10, 11] {
            proofs.add(1, 0, 4, joint, 3);
            assert_eq!(proofs.sufficient(1, 0), None);
        }
        // Another move, another role and another position are other matters.
        proofs.add(1, 0, 5, 12, 3);
        proofs.add(1, 1, 4, 12, 3);
        proofs.add(2, 0, 4, 12, 3);
        assert_eq!(proofs.sufficient(1, 0), None);
        proofs.add(1, 0, 4, 13, 3);
        assert_eq!((proofs.sufficient(1, 0), proofs.sufficient(1, 1), proofs.sufficient(2, 0)), (Some(4), None, None));
        proofs.clear();
        assert_eq!(proofs.sufficient(1, 0), None);
    }
}
