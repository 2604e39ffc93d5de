//! Thirty-two bytes that are worked on at once: with AVX2 where the target has it, else one after the other.
//!
//! Operations keep the two halves of sixteen bytes apart unless they say otherwise.

pub use operations::{Places, Wide};

impl Wide {
    /// Two halves.
    #[inline(always)]
    pub const fn halves(low: [u8; 16], high: [u8; 16]) -> Self {
        let mut bytes = [0; 32];
        let mut index = 0;
        while index < 16 {
            bytes[index] = low[index];
            bytes[index + 16] = high[index];
            index += 1;
        }
        Self::new(bytes)
    }

    /// Four words, the first one lowest.
    #[inline(always)]
    pub const fn words(words: [u64; 4]) -> Self {
        let low = (words[0] as u128 | (words[1] as u128) << 64).to_le_bytes();
        let high = (words[2] as u128 | (words[3] as u128) << 64).to_le_bytes();
        Self::halves(low, high)
    }

    /// A number as [`Self::strips`] have it, known beforehand.
    #[inline(always)]
    pub const fn strips_of(number: u128) -> Self {
        Self::words([number as u64, (number >> 32) as u64, (number >> 64) as u64, (number >> 96) as u64])
    }

    /// The number of strips that agree where they overlap.
    #[inline(always)]
    pub fn of_strips(&self) -> u128 {
        u128::from(self.word(0)) | u128::from(self.word(2)) << 64
    }

    /// The low half as a number.
    #[inline(always)]
    pub fn low(&self) -> u128 {
        u128::from(self.word(0)) | u128::from(self.word(1)) << 64
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[allow(unsafe_code, reason = "compiled only where the target has AVX2, so that every instruction exists")]
mod operations {
    use core::arch::x86_64::*;
    use core::mem::transmute;

    /// Thirty-two bytes.
    #[derive(Clone, Copy, Debug)]
    pub struct Wide(__m256i);

    // SAFETY of all that follows: the target has AVX2; values of 32 bytes have no invalid patterns.
    impl Wide {
        #[inline(always)]
        pub const fn new(bytes: [u8; 32]) -> Self {
            Self(unsafe { transmute::<[u8; 32], __m256i>(bytes) })
        }

        #[inline(always)]
        pub fn splat_word(word: u64) -> Self {
            Self(unsafe { _mm256_set1_epi64x(word as i64) })
        }

        /// The same two words in both halves.
        #[inline(always)]
        pub fn twice_words([low, high]: [u64; 2]) -> Self {
            Self(unsafe { _mm256_broadcastsi128_si256(_mm_set_epi64x(high as i64, low as i64)) })
        }

        /// A number of two words as four words, each of which begins 32 bits after the one before it.
        #[inline(always)]
        pub fn strips([low, high]: [u64; 2]) -> Self {
            unsafe {
                // The higher half is zero.
                let number = _mm256_zextsi128_si256(_mm_set_epi64x(high as i64, low as i64));
                Self(_mm256_permutevar8x32_epi32(number, _mm256_setr_epi32(0, 1, 1, 2, 2, 3, 3, 7)))
            }
        }

        /// The number of strips joined by "or", in both halves. Bits beyond it must be zero.
        #[inline(always)]
        pub fn joined(self) -> Self {
            unsafe {
                let low = _mm256_permutevar8x32_epi32(self.0, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
                let high = _mm256_permutevar8x32_epi32(self.0, _mm256_setr_epi32(7, 1, 3, 5, 7, 1, 3, 5));
                Self(_mm256_or_si256(low, high))
            }
        }

        /// The same as strips that agree where they overlap.
        #[inline(always)]
        pub fn made_strips(self) -> Self {
            unsafe {
                let low = _mm256_permutevar8x32_epi32(self.0, _mm256_setr_epi32(0, 2, 2, 4, 4, 6, 6, 7));
                let high = _mm256_permutevar8x32_epi32(self.0, _mm256_setr_epi32(7, 1, 1, 3, 3, 5, 5, 7));
                Self(_mm256_or_si256(low, high))
            }
        }

        #[inline(always)]
        pub fn plus(self, other: Self) -> Self {
            Self(unsafe { _mm256_add_epi8(self.0, other.0) })
        }

        #[inline(always)]
        pub fn and(self, other: Self) -> Self {
            Self(unsafe { _mm256_and_si256(self.0, other.0) })
        }

        /// What `self` has and `other` has not.
        #[inline(always)]
        pub fn without(self, other: Self) -> Self {
            Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
        }

        #[inline(always)]
        pub fn or(self, other: Self) -> Self {
            Self(unsafe { _mm256_or_si256(self.0, other.0) })
        }

        /// For each byte, the byte of the same half of `self` at that place (its low four bits); 0 where the
        /// highest bit of the place is set.
        #[inline(always)]
        pub fn at(self, places: Self) -> Self {
            Self(unsafe { _mm256_shuffle_epi8(self.0, places.0) })
        }

        /// Each word moved down by so many bits.
        #[inline(always)]
        pub fn down<const BY: i32>(self) -> Self {
            Self(unsafe { _mm256_srli_epi64::<BY>(self.0) })
        }

        /// Each word moved up by so many bits.
        #[inline(always)]
        pub fn up<const BY: i32>(self) -> Self {
            Self(unsafe { _mm256_slli_epi64::<BY>(self.0) })
        }

        /// The first bytes of six pairs as a word, and the second ones.
        #[inline(always)]
        pub fn unzipped(pairs: [[u8; 2]; 6]) -> [u64; 2] {
            let [a, b, c, d, e, f] = pairs.map(i16::from_le_bytes);
            unsafe {
                let order = _mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
                let bytes = _mm_shuffle_epi8(_mm_setr_epi16(a, b, c, d, e, f, 0, 0), order);
                [_mm_cvtsi128_si64(bytes) as u64, _mm_extract_epi64(bytes, 1) as u64]
            }
        }

        #[inline(always)]
        pub fn word(&self, index: usize) -> u64 {
            let words: &[u64; 4] = unsafe { transmute::<&__m256i, &[u64; 4]>(&self.0) };
            words[index & 3]
        }
    }

    /// Thirty-two numbers that are looked up in sets of 128 bits.
    #[derive(Clone, Copy, Debug)]
    pub struct Places {
        /// The byte of a set in which each of them is.
        bytes: Wide,
        /// Its bit in this byte; none for numbers above 127.
        bits: Wide,
    }

    impl Places {
        #[inline(always)]
        pub fn new(numbers: Wide) -> Self {
            const POWERS: Wide = Wide::words([0x8040_2010_0804_0201; 4]);
            let eighths = unsafe { _mm256_and_si256(_mm256_srli_epi16(numbers.0, 3), _mm256_set1_epi8(15)) };
            Self { bytes: Wide(eighths), bits: POWERS.at(numbers) }
        }

        /// A bit for each number that does not belong to a set, which is in both halves.
        #[inline(always)]
        pub fn outside(&self, set: Wide) -> u32 {
            let found = set.at(self.bytes).and(self.bits);
            unsafe { _mm256_movemask_epi8(_mm256_cmpeq_epi8(found.0, _mm256_setzero_si256())) as u32 }
        }
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
use portable as operations;

#[cfg(all(test, target_arch = "x86_64", target_feature = "avx2"))]
mod tests {
    use super::*;
    use spinney_core::{Random, Seed};

    /// The four words that an operation gives, fast and portable.
    macro_rules! both {
        ($wide:ident => $operation:expr) => {{
            let fast = {
                type $wide = super::Wide;
                let result: $wide = $operation;
                [0, 1, 2, 3].map(|index| result.word(index))
            };
            let portable = {
                type $wide = super::portable::Wide;
                let result: $wide = $operation;
                [0, 1, 2, 3].map(|index| result.word(index))
            };
            assert_eq!(fast, portable, stringify!($operation));
        }};
    }

    #[test]
    fn operations_agree_with_their_portable_forms() {
        let mut random = Random::new(Seed::new(9));
        for _ in 0..200 {
            let [one, two] = [0; 2].map(|_| [0; 32].map(|_: u8| random.bits() as u8));
            let word = random.bits();
            let number = u128::from(random.bits()) << 64 | u128::from(random.bits());
            both!(W => W::new(one));
            both!(W => W::splat_word(word));
            both!(W => W::twice_words([word, number as u64]));
            both!(W => W::strips([number as u64, word]));
            both!(W => W::new(one).joined());
            both!(W => W::new(one).made_strips());
            both!(W => W::new(one).plus(W::new(two)));
            both!(W => W::new(one).and(W::new(two)));
            both!(W => W::new(one).without(W::new(two)));
            both!(W => W::new(one).or(W::new(two)));
            both!(W => W::new(one).at(W::new(two)));
            both!(W => W::new(one).down::<10>());
            both!(W => W::new(one).up::<22>());
            let set = [word, number as u64];
            let outside = portable::Places::new(portable::Wide::new(one)).outside(portable::Wide::twice_words(set));
            assert_eq!(Places::new(Wide::new(one)).outside(Wide::twice_words(set)), outside);
            let pairs = core::array::from_fn(|index| [one[index], two[index]]);
            assert_eq!(Wide::unzipped(pairs), portable::Wide::unzipped(pairs));
            // What is spread over strips is put together again.
            let spread = Wide::strips([number as u64, (number >> 64) as u64]);
            let known = Wide::strips_of(number);
            assert_eq!([0, 1, 2, 3].map(|index| spread.word(index)), [0, 1, 2, 3].map(|index| known.word(index)));
            assert_eq!([spread.joined().low(), spread.of_strips(), spread.made_strips().of_strips()], [number; 3]);
        }
    }
}
