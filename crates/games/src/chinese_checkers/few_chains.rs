//! The chains that the published engine finds, weighed as the bytes of a word.

use super::engine2014::Collect;
use super::geometry::grid;
use spinney_core::Player;

/// One in each byte.
const EVERY: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
const HIGHEST: u64 = EVERY << 7;

/// The chains of a piece that has at most eight, a byte for each. Most pieces have one or two.
#[derive(Clone, Copy, Debug, Default)]
pub struct FewChains {
    /// Where they end.
    ends: u64,
    /// Their numbers of hops.
    lengths: u64,
    /// One for single hops in directions that are known beforehand.
    sure: u64,
    /// These directions, by their place in the order.
    sure_places: u64,
    /// Eight times their number.
    bits: u32,
}

impl Collect for FewChains {
    #[inline(always)]
    fn take(&mut self, counts: bool, to: usize, hops: u64, place: u8) {
        // Without a branch, which would often be foreseen wrongly.
        let (mask, by) = (u64::from(counts).wrapping_neg(), self.bits & 63);
        self.ends |= (to as u64 & mask) << by;
        self.lengths |= (hops & mask) << by;
        self.sure |= (u64::from(hops == 1) & mask & self.sure_places >> place) << by;
        self.bits += 8 & mask as u32;
    }
}

impl FewChains {
    /// None yet; these directions are known beforehand.
    #[inline(always)]
    pub fn new(sure: u64) -> Self {
        let places = (0..6).fold(0, |places, place| places | (sure >> grid::ORDER[place] & 1) << place);
        Self { sure_places: places, ..Self::default() }
    }

    /// Whether there were more.
    #[inline(always)]
    pub fn are_more(&self) -> bool {
        self.bits > 64
    }

    #[inline(always)]
    fn ones(&self) -> u64 {
        EVERY & !u64::MAX.checked_shl(self.bits).unwrap_or(0)
    }

    /// A ticket for each.
    #[inline(always)]
    pub fn alike(&self) -> Shares {
        Shares::new(self.ones())
    }

    /// A ticket for each but single hops in directions that are known beforehand.
    #[inline(always)]
    pub fn late(&self) -> Shares {
        Shares::new(self.ones() & !self.sure)
    }

    /// One ticket more than the number of hops.
    #[inline(always)]
    pub fn by_length(&self) -> Shares {
        Shares::new(self.lengths + self.ones())
    }

    /// As many tickets as hops for those that end in a player's goal.
    #[inline(always)]
    pub fn inside(&self, player: Player) -> Shares {
        // The highest bit of each byte tells; the cells of goals have the lowest and the highest numbers.
        let inside = match player {
            Player::First => self.ends + (128 - 104) * EVERY,
            Player::Second => (128 + 22) * EVERY - self.ends,
        };
        Shares::new(self.lengths & (((inside & HIGHEST) >> 7) * 255))
    }

    /// Where the chain of a ticket ends; there must be so many.
    #[inline(always)]
    pub fn end(&self, shares: Shares, ticket: u32) -> usize {
        // The first byte that is larger.
        let larger = (shares.0 | HIGHEST).wrapping_sub(u64::from(ticket + 1) * EVERY);
        let place = (larger & HIGHEST).trailing_zeros() & 56;
        (self.ends >> place & 127) as usize
    }
}

/// The tickets of chains, each added to those before: fewer than 128, because no chain has more than eleven hops.
#[derive(Clone, Copy, Debug)]
pub struct Shares(u64);

impl Shares {
    #[inline(always)]
    fn new(tickets: u64) -> Self {
        Self(tickets.wrapping_mul(EVERY))
    }

    /// All tickets.
    #[inline(always)]
    pub fn total(&self) -> u32 {
        (self.0 >> 56) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chains to cells 3 (one hop), 110 (two hops) and 120 (one hop, sure); one that does not count leaves no trace.
    #[test]
    fn few_chains_are_weighed_as_a_list_is() {
        let mut few = FewChains::new(1 << grid::ORDER[4]);
        few.take(true, 3, 1, 0);
        few.take(false, 77, 9, 0);
        few.take(true, 110, 2, 0);
        few.take(true, 120, 1, 4);
        let ends = |shares: Shares| (0..shares.total()).map(|ticket| few.end(shares, ticket)).collect::<Vec<_>>();
        assert_eq!(ends(few.alike()), [3, 110, 120]);
        assert_eq!(ends(few.late()), [3, 110]);
        assert_eq!(ends(few.by_length()), [3, 3, 110, 110, 110, 120, 120]);
        assert_eq!(ends(few.inside(Player::First)), [110, 110, 120]);
        assert_eq!(ends(few.inside(Player::Second)), [3]);
        assert_eq!(FewChains::default().alike().total(), 0);
    }

    #[test]
    fn more_than_eight_chains_are_noticed() {
        let mut few = FewChains::default();
        (0..8).for_each(|to| few.take(true, 10 * to, 11, 0));
        assert!(!few.are_more());
        // As many tickets as there can be.
        assert_eq!((few.by_length().total(), few.end(few.by_length(), 95)), (96, 70));
        few.take(false, 80, 1, 0);
        assert!(!few.are_more());
        few.take(true, 80, 1, 0);
        assert!(few.are_more());
    }
}
