//! The seats of a game, and the numbers of their moves.

/// How many take part in a game. A seat's move has the same number wherever it is made: the move's id in the high bits,
/// the seat in the low ones.
///
/// ```
/// use spinney_search::playout::Seats;
/// let number = Seats::new(3).number(2, 40);
/// assert_eq!((number, Seats::new(3).seat(number), Seats::new(3).id(number)), (162, 2, 40));
/// assert_eq!(Seats::TWO.number(1, 40), 81);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seats {
    count: usize,
    /// Bits of a seat.
    shift: u32,
}

impl Seats {
    /// Two players. Whoever learns for them takes this constant, so that the shifts are constant as well.
    pub const TWO: Self = Self::new(2);

    /// So many seats. One has numbers as if there were two, as players of games of one player always had.
    pub const fn new(count: usize) -> Self {
        let shift = if count <= 2 { 1 } else { usize::BITS - (count - 1).leading_zeros() };
        Self { count, shift }
    }

    /// How many there are.
    #[inline(always)]
    pub const fn count(self) -> usize {
        self.count
    }

    /// All numbers of so many move ids are below this.
    #[inline(always)]
    pub const fn numbers(self, move_ids: usize) -> usize {
        move_ids << self.shift
    }

    /// The number of a seat's move.
    #[inline(always)]
    pub const fn number(self, seat: usize, move_id: usize) -> u32 {
        (move_id << self.shift | seat) as u32
    }

    /// The seat of the move with this number.
    #[inline(always)]
    pub const fn seat(self, number: u32) -> usize {
        (number & ((1 << self.shift) - 1)) as usize
    }

    /// The id of the move with this number.
    #[inline(always)]
    pub const fn id(self, number: u32) -> usize {
        (number >> self.shift) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_apart_again() {
        for count in 1..=17 {
            let seats = Seats::new(count);
            let mut numbers: Vec<u32> = Vec::new();
            for (seat, id) in (0..count).flat_map(|seat| [0, 1, 5, 65_535].map(|id| (seat, id))) {
                let number = seats.number(seat, id);
                assert_eq!((seats.seat(number), seats.id(number)), (seat, id));
                assert!((number as usize) < seats.numbers(65_536));
                numbers.push(number);
            }
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(numbers.len(), 4 * count);
        }
    }

    /// Recorded games rest on these numbers.
    #[test]
    fn two_seats_have_even_and_odd_numbers() {
        assert_eq!([Seats::TWO.number(0, 7), Seats::TWO.number(1, 7)], [14, 15]);
        assert_eq!(Seats::new(1).number(0, 7), 14);
    }
}
