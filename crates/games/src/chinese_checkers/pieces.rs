//! The pieces of both players, as a set of cells and as lists.

use super::geometry::{STEPS, cells};
use super::hops::Hops;
use super::wide::{Places, Wide};
use spinney_core::Player;

/// Pieces of each player.
pub const PIECES: u32 = 6;

/// Where no piece is: not on the board, with or without its highest bit.
const NOWHERE: u8 = 128 + 48;

const EVERY: u64 = 0x0101_0101_0101_0101;

/// The pieces of both players.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Pieces {
    /// The cells that are held, as two words. They do not lie side by side: they are written one by one, and what reads both
    /// at once would have to wait.
    low: u64,
    /// The cells of each player's pieces as bytes, in an order that never changes; two bytes are left over.
    lists: [u64; 2],
    high: u64,
}

impl Pieces {
    /// The first player's pieces are taken from the top, the second player's from the bottom, so that neither is
    /// favoured where their order matters.
    pub fn new(pieces: [u128; 2]) -> Self {
        let mut lists = [[NOWHERE; 8]; 2];
        for player in Player::BOTH {
            for (place, cell) in cells(pieces[player.index()]).enumerate() {
                let place = if player == Player::First { place } else { 5 - place };
                lists[player.index()][place] = cell as u8;
            }
        }
        let all = pieces[0] | pieces[1];
        Self { low: all as u64, lists: lists.map(u64::from_le_bytes), high: (all >> 64) as u64 }
    }

    /// The cells that are held.
    #[inline(always)]
    pub fn occupied(&self) -> u128 {
        u128::from(self.low) | u128::from(self.high) << 64
    }

    /// The low and the high word of [`Self::occupied`].
    #[inline(always)]
    pub fn occupied_words(&self) -> [u64; 2] {
        [self.low, self.high]
    }

    /// The cells of a player's pieces as bytes.
    #[inline(always)]
    pub fn list(&self, player: Player) -> u64 {
        self.lists[player.index()]
    }

    /// The cells of a player's pieces as a set.
    #[inline]
    pub fn of(&self, player: Player) -> u128 {
        (0..PIECES).fold(0, |set, piece| set | 1 << cell_at(self.list(player), 8 * piece))
    }

    /// Moves a piece.
    #[inline(always)]
    pub fn relocate(&mut self, player: Player, from: usize, to: usize) {
        let single = |cell: usize| {
            let bit = 1 << (cell % 64);
            if cell < 64 { [bit, 0] } else { [0, bit] }
        };
        let (left, entered) = (single(from), single(to));
        self.low ^= left[0] ^ entered[0];
        self.high ^= left[1] ^ entered[1];
        let list = &mut self.lists[player.index()];
        let difference = *list ^ (from as u64 * EVERY);
        // The lowest of these bits is that of the first byte that is zero.
        let zeros = difference.wrapping_sub(EVERY) & !difference & (EVERY << 7);
        *list ^= ((from ^ to) as u64) << (zeros.trailing_zeros() & 56);
    }

    /// For each piece of a list the directions in which the next cell is not held, and in which the one behind it is not.
    #[inline(always)]
    pub fn free(&self, around: &Around) -> [u64; 2] {
        around.outside(Wide::twice_words([self.low, self.high]))
    }

    /// The hops that are possible anywhere.
    #[inline(always)]
    pub fn hops(&self) -> Hops {
        Hops::new(Wide::strips([self.low, self.high]))
    }
}

/// The cell at bit `place` of a list.
#[inline(always)]
pub fn cell_at(list: u64, place: u32) -> usize {
    (list >> place & 127) as usize
}

/// The cells next to each piece of a list and the ones behind these, in all directions: a byte for each piece with a bit for
/// each direction.
#[derive(Clone, Copy, Debug)]
pub struct Around {
    /// Next to the first four pieces, behind that, and both for the last two pieces.
    parts: [Places; 3],
}

/// So many steps in each direction as bytes; two are left over.
const fn steps(count: i32) -> u64 {
    let (mut word, mut direction) = (0, 0);
    while direction < 6 {
        word |= ((count * STEPS[direction]) as u8 as u64) << (8 * direction);
        direction += 1;
    }
    word
}

impl Around {
    /// All directions of all pieces.
    pub const ALL: u64 = 0x3f3f_3f3f_3f3f;

    /// Around these pieces.
    #[inline(always)]
    pub fn new(list: u64) -> Self {
        const FOUR: Wide = Wide::words([0, EVERY, 2 * EVERY, 3 * EVERY]);
        const TWO: Wide = Wide::words([4 * EVERY, 5 * EVERY, 4 * EVERY, 5 * EVERY]);
        const NEAR: Wide = Wide::words([steps(1); 4]);
        const BEHIND: Wide = Wide::words([steps(2); 4]);
        const BOTH: Wide = Wide::words([steps(1), steps(1), steps(2), steps(2)]);
        let list = Wide::splat_word(list);
        let (four, two) = (list.at(FOUR), list.at(TWO));
        Self { parts: [four.plus(NEAR), four.plus(BEHIND), two.plus(BOTH)].map(Places::new) }
    }

    /// The directions in which the next cell does not belong to `set`, which is in both halves, and in which the one behind it
    /// does not. Bits beyond [`Self::ALL`] have no meaning.
    #[inline(always)]
    fn outside(&self, set: Wide) -> [u64; 2] {
        let [near, behind, both] = self.parts.each_ref().map(|part| u64::from(part.outside(set)));
        [near | both << 32, behind | both >> 16 << 32]
    }

    /// Only in which the one behind does not.
    #[inline(always)]
    pub fn behind_outside(&self, set: Wide) -> u64 {
        u64::from(self.parts[1].outside(set)) | u64::from(self.parts[2].outside(set)) >> 16 << 32
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::geometry::{BOARD, stepped};
    use super::*;
    use spinney_core::{Random, Seed};

    /// Twelve pieces anywhere.
    pub fn scattered(random: &mut Random) -> [u128; 2] {
        let mut sets = [0u128; 2];
        for player in 0..2 {
            while sets[player].count_ones() < PIECES {
                let board: Vec<usize> = cells(BOARD & !(sets[0] | sets[1])).collect();
                sets[player] |= 1 << board[random.below(board.len() as u32) as usize];
            }
        }
        sets
    }

    #[test]
    fn pieces_move_and_see_what_is_around_them() {
        let mut random = Random::new(Seed::new(3));
        for _ in 0..2_000 {
            let mut sets = scattered(&mut random);
            let mut pieces = Pieces::new(sets);
            let player = Player::BOTH[random.below(2) as usize];
            let from = cells(sets[player.index()]).nth(random.below(PIECES) as usize).unwrap();
            let empty: Vec<usize> = cells(BOARD & !(sets[0] | sets[1])).collect();
            let to = empty[random.below(empty.len() as u32) as usize];
            pieces.relocate(player, from, to);
            sets[player.index()] ^= 1 << from | 1 << to;
            assert_eq!(pieces.occupied(), sets[0] | sets[1]);
            for player in Player::BOTH {
                assert_eq!(pieces.of(player), sets[player.index()]);
                for piece in 0..PIECES {
                    let cell = cell_at(pieces.list(player), 8 * piece);
                    let found = pieces.free(&Around::new(pieces.list(player))).map(|word| !word >> (8 * piece) & 63);
                    let holds = |set: u128| u64::from(set & pieces.occupied() != 0);
                    let next = |direction| stepped(1 << cell, direction);
                    let near = (0..6).fold(0, |all, one| all | holds(next(one)) << one);
                    let behind = (0..6).fold(0, |all, one| all | holds(stepped(next(one), one)) << one);
                    assert_eq!(found, [near, behind]);
                }
            }
        }
    }
}
