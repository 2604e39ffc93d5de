//! The pieces side by side, one byte each, so that a move is felt by all of them at once.
//!
//! Each piece knows which of its neighbours, and which of the cells behind them, are held. A move changes two cells;
//! the pieces that see one of them are found by the difference of cells, in a table of sixteen entries. What the
//! player to move can do is then two words, a bit for each piece and direction: no piece is looked at on its own.

use super::geometry::{BEHIND, BITS, BOARD, Filter, NEAR, STEPS, Ways, cells, window};
use super::wide::Wide;
use spinney_core::{Player, bits};

/// Pieces of each player.
pub const PIECES: u32 = 6;

/// Where no piece is: far from every cell, and not on the board even without its highest bit.
const NOWHERE: u8 = 128 + 48;

/// The pieces of both players. Each player's pieces are the bytes of a word, in an order that never changes; the
/// first player's word is the low one of each half.
#[derive(Clone, Copy, Debug)]
pub struct Pieces {
    /// The cells that are held, in both halves.
    occupied: Wide,
    /// The cell of each piece, in both halves.
    cells: Wide,
    /// The neighbours that are held, by direction, and in the high half the cells behind them.
    held: Wide,
    /// The steps that are searched where the way is free, and in the high half the hops.
    searched: Wide,
    /// The same for legal steps and hops.
    legal: Wide,
}

/// What a player's pieces can do: a byte for each piece, a bit for each direction.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    /// Steps that are searched.
    pub steps: u64,
    /// Single hops that are searched.
    pub hops: u64,
    /// Single hops that are legal, so that chains may begin with them.
    pub firsts: u64,
}

/// A table for differences of cells plus 64, by their low four bits: low half for neighbours, high half for the
/// cells behind. `entry` gets the direction in which the piece sees the other cell.
const fn by_difference(entry: Entry) -> Wide {
    let mut halves = [[0; 16]; 2];
    // A difference of 64, a cell itself, must not be found.
    if let Entry::Difference = entry {
        halves = [[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]; 2];
    }
    let mut direction = 0;
    while direction < 6 {
        let mut half = 0;
        while half < 2 {
            let difference = 64 - STEPS[direction] * (half as i32 + 1);
            halves[half][difference as usize & 15] = match entry {
                Entry::Difference => difference as u8,
                Entry::Direction => 1 << direction,
                Entry::Opposite => 1 << (5 - direction),
            };
            half += 1;
        }
        direction += 1;
    }
    Wide::halves(halves[0], halves[1])
}

enum Entry {
    Difference,
    Direction,
    Opposite,
}

impl Pieces {
    /// The first player's pieces are taken from the top, the second player's from the bottom, so that neither is
    /// favoured where their order matters.
    pub fn new(pieces: [u128; 2], filters: [&Filter; 2]) -> Self {
        let mut lists = [[NOWHERE; 8]; 2];
        for player in Player::BOTH {
            for (place, cell) in cells(pieces[player.index()]).enumerate() {
                let place = if player == Player::First { place } else { 5 - place };
                lists[player.index()][place] = cell as u8;
            }
        }
        let occupied = pieces[0] | pieces[1];
        let around = |mask: u64| {
            lists.map(|list| {
                let byte =
                    |cell: u8| if cell == NOWHERE { 0 } else { bits::extract(window(occupied, cell.into()), mask) };
                u64::from_le_bytes(list.map(|cell| byte(cell) as u8))
            })
        };
        let ([near, near2], [behind, behind2]) = (around(NEAR), around(BEHIND));
        let list = lists.map(u64::from_le_bytes);
        let nothing = Wide::words([0; 4]);
        let mut result = Self {
            occupied: Wide::twice_number(occupied),
            cells: Wide::words([list[0], list[1], list[0], list[1]]),
            held: Wide::words([near, near2, behind, behind2]),
            searched: nothing,
            legal: nothing,
        };
        let legal = Player::BOTH.map(|player| result.gathered(player, filters[player.index()], 2));
        result.legal = Wide::words([legal[0][0], legal[1][0], legal[0][1], legal[1][1]]);
        Player::BOTH.into_iter().for_each(|player| result.filter(player, filters[player.index()]));
        result
    }

    /// The cells that are held.
    #[inline(always)]
    pub fn occupied(&self) -> u128 {
        self.occupied.low()
    }

    /// The low or the high word of [`Self::occupied`].
    #[inline(always)]
    pub fn occupied_word(&self, index: usize) -> u64 {
        self.occupied.word(index)
    }

    /// The cells of a player's pieces as bytes.
    #[inline(always)]
    pub fn list(&self, player: Player) -> u64 {
        self.cells.word(player.index())
    }

    /// The cells of a player's pieces as a set.
    pub fn of(&self, player: Player) -> u128 {
        (0..PIECES).fold(0, |set, piece| set | 1 << cell_at(self.list(player), 8 * piece))
    }

    /// What a player's pieces can do.
    #[inline(always)]
    pub fn open(&self, player: Player) -> Open {
        let index = player.index();
        let (near, behind) = (self.held.word(index), self.held.word(index + 2));
        let hopping = near & !behind;
        Open {
            steps: self.searched.word(index) & !near,
            hops: self.searched.word(index + 2) & hopping,
            firsts: self.legal.word(index + 2) & hopping,
        }
    }

    /// The legal steps and single hops of a player's pieces: none if and only if he has no legal move.
    #[inline(always)]
    pub fn legal(&self, player: Player) -> [u64; 2] {
        let index = player.index();
        let (near, behind) = (self.held.word(index), self.held.word(index + 2));
        [self.legal.word(index) & !near, self.legal.word(index + 2) & near & !behind]
    }

    /// Moves a piece. `ways` are those of its player's pieces on `to`.
    #[inline(always)]
    pub fn relocate(&mut self, from: usize, to: usize, ways: Ways) {
        const DIFFERENCES: Wide = by_difference(Entry::Difference);
        const DIRECTIONS: Wide = by_difference(Entry::Direction);
        const OPPOSITES: Wide = by_difference(Entry::Opposite);
        const SEARCHED: Wide = Wide::halves([0; 16], [1; 16]);
        const LEGAL: Wide = Wide::halves([2; 16], [3; 16]);
        static SINGLE: [u128; BITS] = {
            let mut table = [0; BITS];
            let mut cell = 0;
            while cell < BITS {
                table[cell] = 1 << cell;
                cell += 1;
            }
            table
        };
        self.occupied = self.occupied.xor(Wide::copied_twice(&SINGLE[from])).xor(Wide::copied_twice(&SINGLE[to]));
        let moved = self.cells.equals(Wide::splat(from as u8));
        self.cells = self.cells.replaced(moved, Wide::splat(to as u8));
        let differences = |cell: usize| {
            let difference = self.cells.minus(Wide::splat((cell as u8).wrapping_sub(64)));
            (difference, DIFFERENCES.at(difference).equals(difference))
        };
        let ((left, sees_left), (entered, sees_entered)) = (differences(from), differences(to));
        let change = DIRECTIONS.at(left).and(sees_left).xor(DIRECTIONS.at(entered).and(sees_entered));
        // Every cell that the moved piece sees is held by one piece at most, so a sum joins their bits.
        let around = OPPOSITES.at(entered).and(sees_entered).sums();
        self.held = self.held.xor(change).replaced(moved, around);
        let ways = Wide::splat_four(ways);
        self.searched = self.searched.replaced(moved, ways.at(SEARCHED));
        self.legal = self.legal.replaced(moved, ways.at(LEGAL));
    }

    /// Two of the ways of each of a player's pieces.
    #[inline(always)]
    fn gathered(&self, player: Player, filter: &Filter, first: usize) -> [u64; 2] {
        let list = self.list(player);
        let mut words = [0; 2];
        for piece in 0..PIECES {
            let ways = filter.ways[cell_at(list, 8 * piece)];
            words[0] |= u64::from(ways[first]) << (8 * piece);
            words[1] |= u64::from(ways[first + 1]) << (8 * piece);
        }
        words
    }

    /// Takes what is searched for a player's pieces from another filter.
    #[inline(always)]
    pub fn filter(&mut self, player: Player, filter: &Filter) {
        const WORDS: [Wide; 2] = [Wide::words([u64::MAX, 0, u64::MAX, 0]), Wide::words([0, u64::MAX, 0, u64::MAX])];
        const HIGH: Wide = Wide::words([0, 0, u64::MAX, u64::MAX]);
        let [steps, hops] = self.gathered(player, filter, 0);
        let both = Wide::splat_word(steps).replaced(HIGH, Wide::splat_word(hops));
        self.searched = self.searched.replaced(WORDS[player.index()], both);
    }

    /// The empty cells from which a piece could hop: a next cell is held and the one behind it is empty.
    #[inline(always)]
    pub fn ends(&self) -> Ends {
        let occupied = self.occupied;
        let empty = Wide::twice_number(BOARD).without(occupied);
        // By the upper or left one of the two empty cells; the other one is such a cell as well.
        let two = empty.and(occupied.shifted_down::<1, 10>()).and(empty.shifted_down::<2, 20>());
        let two = two.or(two.shifted_up::<2, 20>());
        let one = empty.and(occupied.shifted_down::<11, 11>()).and(empty.shifted_down::<22, 22>());
        let one = one.or(one.shifted_up::<22, 22>());
        Ends(two.or(two.swapped()).or(one))
    }
}

/// The cell at bit `place` of a list.
#[inline(always)]
pub fn cell_at(list: u64, place: u32) -> usize {
    (list >> place & 127) as usize
}

/// The cells where chains of two hops and more can end, in both halves.
#[derive(Clone, Copy, Debug)]
pub struct Ends(Wide);

impl Ends {
    /// As a set.
    #[inline(always)]
    pub fn set(&self) -> u128 {
        self.0.low()
    }

    /// For each piece of a list the directions in which a hop would end on one of these cells. Beyond the board
    /// bits have no meaning.
    #[inline(always)]
    pub fn in_reach(&self, list: u64) -> u64 {
        const fn hops(directions: [usize; 4]) -> Wide {
            let mut words = [0; 4];
            let mut index = 0;
            while index < 4 {
                words[index] = (2 * STEPS[directions[index]]) as u8 as u64 * 0x0101_0101_0101_0101;
                index += 1;
            }
            Wide::words(words)
        }
        const fn names(directions: [usize; 4]) -> Wide {
            let mut words = [0; 4];
            let mut index = 0;
            while index < 4 {
                words[index] = (1 << directions[index]) * 0x0101_0101_0101_0101;
                index += 1;
            }
            Wide::words(words)
        }
        const POWERS: Wide = Wide::twice([1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
        let look = |hops: Wide, names: Wide| {
            let landings = Wide::splat_word(list).plus(hops);
            let bit = POWERS.at(landings);
            self.0.at(landings.eighths()).and(bit).equals(bit).and(names)
        };
        let four = look(const { hops([0, 1, 2, 3]) }, const { names([0, 1, 2, 3]) });
        let two = look(const { hops([4, 5, 4, 5]) }, const { names([4, 5, 4, 5]) });
        four.or(two).joined()
    }
}

#[cfg(test)]
mod tests {
    use super::super::geometry::{Tables, hop_cells, singles, stepped};
    use super::*;
    use crate::variant::Variant;
    use spinney_core::{Random, Seed};

    /// Twelve pieces anywhere.
    fn scattered(random: &mut Random) -> [u128; 2] {
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
    fn a_move_leaves_the_pieces_as_if_they_had_been_placed() {
        let tables = Tables::new(Variant::Standard);
        let mut random = Random::new(Seed::new(3));
        for _ in 0..2_000 {
            let mut sets = scattered(&mut random);
            let player = Player::BOTH[random.below(2) as usize];
            let filters = Player::BOTH.map(|player| &tables.filters[player.index()][random.below(7) as usize]);
            let mut pieces = Pieces::new(sets, filters);
            let from = cells(sets[player.index()]).nth(random.below(PIECES) as usize).unwrap();
            let empty: Vec<usize> = cells(BOARD & !(sets[0] | sets[1])).collect();
            let to = empty[random.below(empty.len() as u32) as usize];
            pieces.relocate(from, to, filters[player.index()].ways[to]);
            sets[player.index()] ^= 1 << from | 1 << to;
            let placed = Pieces::new(sets, filters);
            assert_eq!(pieces.occupied(), placed.occupied());
            // The order of the pieces differs, so they are compared one by one.
            let described = |pieces: &Pieces, player: Player| {
                let (open, legal) = (pieces.open(player), pieces.legal(player));
                let words = [open.steps, open.hops, open.firsts, legal[0], legal[1], pieces.list(player)];
                let mut all: Vec<[u64; 6]> =
                    (0..PIECES).map(|piece| words.map(|word| word >> (8 * piece) & 255)).collect();
                all.sort_unstable_by_key(|piece| piece[5]);
                all
            };
            for player in Player::BOTH {
                assert_eq!(described(&pieces, player), described(&placed, player));
            }
        }
    }

    #[test]
    fn chains_end_where_one_could_hop_back() {
        let tables = Tables::new(Variant::Standard);
        let mut random = Random::new(Seed::new(4));
        for _ in 0..500 {
            let sets = scattered(&mut random);
            let pieces = Pieces::new(sets, [0, 1].map(|player: usize| &tables.filters[player][6]));
            let (occupied, empty) = (pieces.occupied(), BOARD & !pieces.occupied());
            let over = |direction| stepped(occupied, direction) & stepped(stepped(empty, direction), direction);
            let expected = (0..6).fold(0, |set, direction| set | over(direction)) & empty;
            assert_eq!(pieces.ends().set(), expected);
            for player in Player::BOTH {
                let reach = pieces.open(player).firsts & pieces.ends().in_reach(pieces.list(player));
                for piece in 0..PIECES {
                    let from = cell_at(pieces.list(player), 8 * piece);
                    let first = singles(occupied, from) & tables.filters[player.index()][6].singles(from);
                    let landings = hop_cells(((reach >> (8 * piece) & 63) << 6) as u16, from);
                    assert_eq!(landings, hop_cells(first, from) & expected);
                }
            }
        }
    }
}
