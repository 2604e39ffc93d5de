//! The pieces of both players, as a set of cells and as lists.

use super::geometry::{STEPS, cells};
use super::hops::Hops;
use super::wide::Wide;
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

    /// [`Self::occupied`] in both halves.
    #[inline(always)]
    fn occupied_twice(&self) -> Wide {
        Wide::twice_words([self.low, self.high])
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

    /// For each piece of a list the directions in which the next cell is held, and in which the one behind it is.
    #[inline(always)]
    pub fn around(&self, list: u64) -> [u64; 2] {
        let occupied = self.occupied_twice();
        let near = Around::<1>::new(list).marked(occupied);
        near.joined_with(Around::<2>::new(list).marked(occupied))
    }

    /// The hops that are possible anywhere.
    #[inline(always)]
    pub fn hops(&self) -> Hops {
        Hops::new(self.occupied_twice())
    }
}

/// The cell at bit `place` of a list.
#[inline(always)]
pub fn cell_at(list: u64, place: u32) -> usize {
    (list >> place & 127) as usize
}

/// The cells so many steps from each piece of a list, in all directions.
#[derive(Clone, Copy, Debug)]
pub struct Around<const STEP: i32>([Wide; 2]);

impl<const STEP: i32> Around<STEP> {
    /// The directions in the words of the two parts; the last two are there twice.
    const DIRECTIONS: [[usize; 4]; 2] = [[0, 1, 2, 3], [4, 5, 4, 5]];

    /// The same byte eight times for each word, a step or the name of its direction.
    #[inline]
    const fn words(part: usize, names: bool) -> Wide {
        let mut words = [0; 4];
        let mut index = 0;
        while index < 4 {
            let direction = Self::DIRECTIONS[part][index];
            words[index] = EVERY * if names { 1 << direction } else { (STEP * STEPS[direction]) as u8 as u64 };
            index += 1;
        }
        Wide::words(words)
    }

    /// Around these pieces.
    #[inline(always)]
    pub fn new(list: u64) -> Self {
        let list = Wide::splat_word(list);
        Self([list.plus(const { Self::words(0, false) }), list.plus(const { Self::words(1, false) })])
    }

    /// For each piece the directions in which the cell belongs to `set`, which is in both halves.
    #[inline(always)]
    pub fn held(self, set: Wide) -> u64 {
        self.marked(set).joined()
    }

    /// The same, not yet joined.
    #[inline(always)]
    fn marked(self, set: Wide) -> Wide {
        const POWERS: Wide = Wide::twice([1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
        let look = |cells: Wide, names: Wide| {
            let bit = POWERS.at(cells);
            names.without(set.at(cells.eighths()).and(bit).equals(Wide::words([0; 4])))
        };
        let four = look(self.0[0], const { Self::words(0, true) });
        four.or(look(self.0[1], const { Self::words(1, true) }))
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
                    let found = pieces.around(pieces.list(player)).map(|word| word >> (8 * piece) & 63);
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
