//! Sets of up to 64 squares as the bits of a word, and of up to 128 as those of a wide one.

/// The `index`-th set bit of `set`, as a set of its own. `index` must be below `set.count_ones()`.
///
/// ```
/// assert_eq!(spinney_core::bits::select(0b1011_0000, 1), 0b0010_0000);
/// ```
#[inline(always)]
pub fn select(set: u64, index: u32) -> u64 {
    debug_assert!(index < set.count_ones());
    // Drawing moves with `pdep` makes uniform Breakthrough play-outs about half as fast again.
    quick::deposit(1 << index, set).unwrap_or_else(|| select_portable(set, index))
}

/// The `index`-th square of a set of up to 32: fewer instructions than [`select`] takes where none does all.
///
/// ```
/// assert_eq!(spinney_core::bits::select_short(0b1011_0000, 1), 5);
/// ```
#[inline(always)]
pub fn select_short(set: u32, index: u32) -> u32 {
    debug_assert!(index < set.count_ones());
    let selected = quick::deposit(1 << index, set.into());
    selected.map_or_else(|| select_short_portable(set, index), u64::trailing_zeros)
}

/// [`select`] without special instructions. Cards count bits at a quarter of the speed of sums, so it is done twice
/// only.
#[cfg_attr(target_arch = "nvptx64", inline(always))]
fn select_portable(set: u64, index: u32) -> u64 {
    let low = (set as u32).count_ones();
    let is_high = index >= low;
    let half = if is_high { (set >> 32) as u32 } else { set as u32 };
    let position = select_short_portable(half, if is_high { index - low } else { index });
    1 << (position + if is_high { 32 } else { 0 })
}

/// [`select_short`] without special instructions: counts of bits in pairs, nibbles and bytes tell where to look.
#[cfg_attr(target_arch = "nvptx64", inline(always))]
fn select_short_portable(half: u32, mut left: u32) -> u32 {
    let pairs = half - ((half >> 1) & 0x5555_5555);
    let nibbles = (pairs & 0x3333_3333) + ((pairs >> 2) & 0x3333_3333);
    // How many there are up to the end of each byte, and which bytes end too early.
    let bytes = ((nibbles + (nibbles >> 4)) & 0x0f0f_0f0f).wrapping_mul(0x0101_0101);
    let early = (left.wrapping_mul(0x0101_0101) | 0x8080_8080).wrapping_sub(bytes) & 0x8080_8080;
    let mut position = 8 * early.count_ones();
    left -= ((bytes << 8) >> position) & 0xff;
    for (counts, mask, width) in [(nibbles, 15, 4), (pairs, 3, 2), (half, 1, 1)] {
        let below = (counts >> position) & mask;
        let is_above = left >= below;
        left -= if is_above { below } else { 0 };
        position += if is_above { width } else { 0 };
    }
    position
}

/// Whether [`extract`] takes an instruction on most processors of this kind, and not a loop over its mask.
pub const EXTRACTS: bool = cfg!(target_arch = "x86_64");

/// A mask that is known long before bits are extracted by it. Where no instruction does that, they move in steps of 1, 2, 4 …
/// places, known beforehand (Warren, "Hacker's Delight", 7-4): fewer instructions than a loop over the mask, and always as many.
///
/// ```
/// assert_eq!(spinney_core::bits::Squeeze::new(0b1110_0000).extract(0b1010_0000), 0b101);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Squeeze {
    mask: u64,
    #[cfg(not(target_arch = "x86_64"))]
    moved: [u64; STEPS],
}

/// Distances of up to 63 places take so many steps at most.
#[cfg(any(test, not(target_arch = "x86_64")))]
const STEPS: usize = 6;

impl Squeeze {
    /// For this mask.
    pub const fn new(mask: u64) -> Self {
        Self {
            mask,
            #[cfg(not(target_arch = "x86_64"))]
            moved: moved_of(mask),
        }
    }

    /// The mask.
    #[inline(always)]
    pub const fn mask(&self) -> u64 {
        self.mask
    }

    /// The bits of `set` at the places of the mask, moved together at the low end.
    #[inline(always)]
    pub fn extract(&self, set: u64) -> u64 {
        #[cfg(target_arch = "x86_64")]
        return extract(set, self.mask);
        #[cfg(not(target_arch = "x86_64"))]
        return squeezed(set & self.mask, &self.moved);
    }
}

/// A [`Squeeze`] whose mask has at most 32 bits. The last step is shorter: what is still in the upper half then goes to
/// the lower.
///
/// ```
/// assert_eq!(spinney_core::bits::SqueezeHalf::new(0b111 << 60).extract(0b101 << 60), 0b101);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SqueezeHalf {
    mask: u64,
    #[cfg(not(target_arch = "x86_64"))]
    moved: [u64; STEPS - 1],
}

impl SqueezeHalf {
    /// For this mask.
    pub const fn new(mask: u64) -> Self {
        debug_assert!(mask.count_ones() <= 32);
        Self {
            mask,
            #[cfg(not(target_arch = "x86_64"))]
            moved: *moved_of(mask).first_chunk().expect("more steps"),
        }
    }

    /// The mask.
    #[inline(always)]
    pub const fn mask(&self) -> u64 {
        self.mask
    }

    /// The bits of `set` at the places of the mask, moved together at the low end.
    #[inline(always)]
    pub fn extract(&self, set: u64) -> u32 {
        #[cfg(target_arch = "x86_64")]
        return extract(set, self.mask) as u32;
        #[cfg(not(target_arch = "x86_64"))]
        return squeezed_to_half(set & self.mask, &self.moved);
    }
}

/// The bits of a mask that take each step, where they are then.
#[cfg(any(test, not(target_arch = "x86_64")))]
const fn moved_of(mask: u64) -> [u64; STEPS] {
    let (mut moved, mut rest, mut count) = ([0; STEPS], mask, 0);
    while rest != 0 {
        let place = rest.trailing_zeros();
        let (distance, mut now, mut step) = (place - count, place, 0);
        while step < STEPS {
            if distance >> step & 1 == 1 {
                moved[step] |= 1 << now;
                now -= 1 << step;
            }
            step += 1;
        }
        (rest, count) = (rest & (rest - 1), count + 1);
    }
    moved
}

/// Takes these steps.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
fn squeezed(mut set: u64, moved: &[u64]) -> u64 {
    for (step, moved) in moved.iter().enumerate() {
        let moved = set & moved;
        set = (set ^ moved) | moved >> (1 << step);
    }
    set
}

/// Takes all steps of a mask of at most 32 bits.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
fn squeezed_to_half(set: u64, moved: &[u64; STEPS - 1]) -> u32 {
    let set = squeezed(set, moved);
    set as u32 | (set >> 32) as u32
}

/// The bits of `set` at the places of `mask`, moved together at the low end.
///
/// ```
/// assert_eq!(spinney_core::bits::extract(0b1010_0000, 0b1110_0000), 0b101);
/// ```
#[inline(always)]
pub fn extract(set: u64, mask: u64) -> u64 {
    quick::extract(set, mask).unwrap_or_else(|| extract_portable(set, mask))
}

/// The low bits of `set` moved apart to the places of `mask`.
///
/// ```
/// assert_eq!(spinney_core::bits::deposit(0b101, 0b1110_0000), 0b1010_0000);
/// ```
#[inline(always)]
pub fn deposit(set: u64, mask: u64) -> u64 {
    quick::deposit(set, mask).unwrap_or_else(|| deposit_portable(set, mask))
}

/// What processors with BMI2 do in one instruction; `None` on others. Where the target is known to have it, nothing is
/// asked; elsewhere the question costs a few instructions and the answer a call.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod quick {
    use core::arch::x86_64::{_pdep_u64, _pext_u64};

    /// Without the standard library only the target can tell.
    #[inline(always)]
    fn has_bmi2() -> bool {
        #[cfg(feature = "std")]
        {
            std::arch::is_x86_feature_detected!("bmi2")
        }
        #[cfg(not(feature = "std"))]
        {
            cfg!(target_feature = "bmi2")
        }
    }

    #[inline(always)]
    pub fn extract(set: u64, mask: u64) -> Option<u64> {
        // SAFETY: the processor has BMI2.
        has_bmi2().then(|| unsafe { _pext_u64(set, mask) })
    }

    #[inline(always)]
    pub fn deposit(set: u64, mask: u64) -> Option<u64> {
        // SAFETY: the processor has BMI2.
        has_bmi2().then(|| unsafe { _pdep_u64(set, mask) })
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod quick {
    #[inline(always)]
    pub fn extract(_: u64, _: u64) -> Option<u64> {
        None
    }

    #[inline(always)]
    pub fn deposit(_: u64, _: u64) -> Option<u64> {
        None
    }
}

/// [`extract`] without special instructions.
fn extract_portable(set: u64, mask: u64) -> u64 {
    (0..).zip(squares(mask)).fold(0, |result, (place, square)| result | (set >> square & 1) << place)
}

/// [`deposit`] without special instructions.
fn deposit_portable(set: u64, mask: u64) -> u64 {
    (0..).zip(squares(mask)).fold(0, |result, (place, square)| result | (set >> place & 1) << square)
}

/// The bits of `set` as numbers from low to high.
#[inline]
pub fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    core::iter::from_fn(move || {
        let square = set.trailing_zeros() as u8;
        (set != 0).then(|| {
            set &= set - 1;
            square
        })
    })
}

/// The wide set of one square.
///
/// ```
/// assert_eq!(spinney_core::bits::one_wide(79), 1 << 79);
/// ```
#[inline(always)]
pub const fn one_wide(square: u32) -> u128 {
    if cfg!(target_arch = "nvptx64") {
        // LLVM 22 makes rotations of the halves of `!(1 << square)` there, which are wrong for squares above 63.
        let half = 1u64 << (square % 64);
        let (low, high) = if square < 64 { (half, 0) } else { (0, half) };
        low as u128 | (high as u128) << 64
    } else {
        1 << square
    }
}

/// The number of the `index`-th set bit of a wide word. `index` must be below `set.count_ones()`.
///
/// ```
/// assert_eq!(spinney_core::bits::select_wide(1 << 100 | 1 << 3, 1), 100);
/// ```
#[inline(always)]
pub fn select_wide(set: u128, index: u32) -> u32 {
    let (low, high) = (set as u64, (set >> 64) as u64);
    let lows = low.count_ones();
    let is_high = index >= lows;
    let (word, index) = if is_high { (high, index - lows) } else { (low, index) };
    select(word, index).trailing_zeros() + 64 * u32::from(is_high)
}

/// A mask of at most 64 bits of a wide word; see [`Squeeze`].
///
/// ```
/// assert_eq!(spinney_core::bits::SqueezeWide::new(1 << 100 | 1 << 70 | 1 << 3).extract(1 << 100), 0b100);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SqueezeWide {
    low: Squeeze,
    high: Squeeze,
}

impl SqueezeWide {
    /// For this mask.
    pub const fn new(mask: u128) -> Self {
        debug_assert!(mask.count_ones() <= 64);
        Self { low: Squeeze::new(mask as u64), high: Squeeze::new((mask >> 64) as u64) }
    }

    /// The mask.
    #[inline(always)]
    pub const fn mask(&self) -> u128 {
        self.low.mask() as u128 | (self.high.mask() as u128) << 64
    }

    /// The bits of `set` at the places of the mask, moved together at the low end.
    #[inline(always)]
    pub fn extract(&self, set: u128) -> u64 {
        let lows = self.low.mask().count_ones();
        // If all 64 are low, none is high.
        self.low.extract(set as u64) | self.high.extract((set >> 64) as u64) << (lows % 64)
    }
}

/// The bits of a wide word as numbers from low to high.
#[inline(always)]
pub fn squares_wide(mut set: u128) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let square = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            square
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn select_agrees_with_the_list_of_squares() {
        let mut set = 0x8421_0f0f_dead_beef_u64;
        for _ in 0..100 {
            set = crate::random::mix(set);
            for (index, square) in squares(set).enumerate() {
                assert_eq!(select(set, index as u32), 1 << square);
                assert_eq!(select_portable(set, index as u32), 1 << square);
                if square < 32 {
                    assert_eq!(select_short(set as u32, index as u32), square.into());
                    assert_eq!(select_short_portable(set as u32, index as u32), square.into());
                }
            }
        }
    }

    #[test]
    fn wide_words_agree_with_their_list_of_squares() {
        let mut word = 0x0123_4567_89ab_cdef_u64;
        for _ in 0..100 {
            word = crate::random::mix(word);
            let set = u128::from(word) << 64 | u128::from(crate::random::mix(!word));
            assert_eq!(squares_wide(set).fold(0u128, |all, square| all | 1 << square), set);
            for (index, square) in squares_wide(set).enumerate() {
                assert_eq!(select_wide(set, index as u32), square);
            }
        }
    }

    #[test]
    fn extract_and_deposit_agree_with_their_portable_forms() {
        let mut set = 0x0123_4567_89ab_cdef_u64;
        for _ in 0..100 {
            set = crate::random::mix(set);
            let mask = crate::random::mix(set) & crate::random::mix(!set);
            assert_eq!(extract(set, mask), extract_portable(set, mask));
            assert_eq!(squeezed(set & mask, &moved_of(mask)), extract_portable(set, mask));
            assert_eq!(Squeeze::new(mask).extract(set), extract_portable(set, mask));
            let few = mask & 0x0f0f_f0f0_00ff_ff00;
            let moved = *moved_of(few).first_chunk().unwrap();
            assert_eq!(u64::from(squeezed_to_half(set & few, &moved)), extract_portable(set, few));
            assert_eq!(u64::from(SqueezeHalf::new(few).extract(set)), extract_portable(set, few));
            assert_eq!(deposit(set, mask), deposit_portable(set, mask));
            assert_eq!(deposit(extract(set, mask), mask), set & mask);
        }
    }
}
