//! Maps whose keys are hashes already, such as those of positions: hashing them again would be work for nothing.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Hands a key on as it is. Keys must be spread over all 64 bits: a map looks at the lowest and at the highest.
#[derive(Clone, Copy, Debug, Default)]
pub struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    #[inline(always)]
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// A map from hashes.
///
/// ```
/// use spinney_core::{hashed::HashedMap, random::mix};
///
/// let mut visits: HashedMap<u32> = HashedMap::default();
/// *visits.entry(mix(1)).or_default() += 1;
/// assert_eq!(visits.get(&mix(1)), Some(&1));
/// assert_eq!(visits.get(&mix(2)), None);
/// ```
pub type HashedMap<T> = HashMap<u64, T, BuildHasherDefault<AlreadyHashed>>;

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::{BuildHasher, Hash};

    #[test]
    fn keys_stay_as_they_are() {
        let hash = |key: u64| BuildHasherDefault::<AlreadyHashed>::default().hash_one(key);
        for key in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            assert_eq!(hash(key), key);
        }
    }

    #[test]
    fn other_keys_are_told_apart() {
        let hash = |text: &str| {
            let mut hasher = AlreadyHashed::default();
            text.hash(&mut hasher);
            hasher.finish()
        };
        assert_ne!(hash("ab"), hash("ba"));
    }
}
