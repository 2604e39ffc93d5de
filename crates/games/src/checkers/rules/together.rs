//! Random moves for threads that run in step. They are the same as elsewhere, but where a few threads do something
//! rare, such as jumping more than once, all others wait: so what is rare is short, and what all do has no branches.

use super::{Starts, any, jumps_from, landings, onward, without_one};
use crate::checkers::trails::{SINGLE, slide};
use crate::checkers::{Board, Checkers, Move, State};
use core::hint::select_unpredictable as choose;
use spinney_core::{Random, Workspace, lanes};

// What a random move is drawn from.

/// Slides or single jumps.
const STEP: u32 = 0;
/// One first jump or two that go on once, in one way, or not at all. With one added they are two whose order in lists
/// is the other one: squares come first there, and not directions.
const ONWARD: u32 = 2;
/// The same, but some go on twice.
const THRICE: u32 = 4;
/// The ways in which the only first jump goes on.
const PARTED: u32 = 6;
/// A list.
const LISTED: u32 = 8;

impl Checkers {
    /// [`Game::random_move`](spinney_core::Game::random_move).
    #[inline(always)]
    pub(super) fn random_move_together(
        &self,
        state: &State,
        random: &mut Random,
        work: &mut Workspace<Self>,
    ) -> Option<Move> {
        let board = &state.board;
        let ways = board.ways(board.open());
        let jumps = board.starts(ways);
        let is_jump = any(jumps) != 0;
        let slides = board.slides();
        let starts = [0, 1, 2, 3].map(|direction| choose(is_jump, jumps[direction], slides[direction]));
        let counts = starts.map(u64::count_ones);
        let up = counts[0] + counts[1];
        let mut total = up + (counts[2] + counts[3]);
        let mut kind = STEP;
        // The compiler shall not do what follows twice, for slides and for jumps.
        if lanes::meet(u32::from(is_jump)) != 0 {
            let on = board.onward(jumps);
            if any(on) != 0 {
                (kind, total) = board.kind_of_jumps(jumps, ways, on, total);
                if kind == LISTED {
                    let moves = &mut work.moves;
                    moves.clear();
                    self.list_jumps(board, jumps, moves);
                    total = moves.len() as u32;
                }
            }
        }
        // Those that list have done so when all draw.
        let kind = lanes::meet(kind);
        if total == 0 {
            return None;
        }
        let index = random.below(total) ^ (kind & 1);
        let is_first = kind < PARTED;
        let (index, rest) = (choose(is_first, index, 0), choose(is_first, 0, index));
        // A set looked up by its number would have to leave its register.
        let is_down = index >= up;
        let index = choose(is_down, index.wrapping_sub(up), index);
        let first = choose(is_down, counts[2], counts[0]);
        let is_second = index >= first;
        let index = choose(is_second, index.wrapping_sub(first), index);
        let set = choose(is_second, choose(is_down, starts[3], starts[1]), choose(is_down, starts[2], starts[0]));
        let slides = |is: bool, direction: usize| choose(is, slide(direction, 0), 0);
        let start = slides(is_down, 2) + slides(is_second, 1) + choose(is_jump, SINGLE as u16, 0);
        let number = start + nth(set, index) as u16;
        if kind == STEP {
            return Some(Move(number));
        }
        if kind == LISTED {
            return Some(work.moves[rest as usize]);
        }
        Some(Move(self.longer(board, number, rest, kind & !1 == THRICE)))
    }

    /// The number of the trail that goes on after this single jump in the way with this index, and then, if it may do
    /// so again, in the only way there is.
    #[inline(always)]
    fn longer(&self, board: &Board, mut number: u16, mut index: u32, mut again: bool) -> u16 {
        let open = board.open();
        let mut trail = self.trail(Move(number));
        let mut directions = board.directions(trail.from.into());
        loop {
            let mut ways = directions & jumps_from(trail.to.into(), board.other, open);
            if ways == 0 {
                return number;
            }
            while index > 0 {
                ways &= ways - 1;
                index -= 1;
            }
            // There is one, which the compiler does not know.
            let direction = (ways | 8).trailing_zeros();
            number = trail.next[direction as usize];
            if !again {
                return number;
            }
            trail = self.trail(Move(number));
            again = false;
            // At first the way back ends on the piece's own square.
            directions &= !(1 << (direction ^ 2));
        }
    }
}

impl Board {
    /// From what a random jump is drawn if there are so many first jumps, and some could go on; and from how many
    /// moves, if that is no list.
    #[inline(always)]
    fn kind_of_jumps(&self, jumps: Starts, ways: Starts, on: Starts, total: u32) -> (u32, u32) {
        let movers = any(jumps);
        let kings = if movers & self.kings == 0 { 0 } else { u64::MAX };
        // Kings and men are not told apart any more: some jumps that are not possible are let through.
        let onward = |jumps: Starts| {
            let landings = landings(jumps);
            onward(landings, landings.map(|squares| squares & kings), ways)
        };
        let is_parted = |on: Starts| on[0] & on[1] | (on[0] | on[1]) & (on[2] | on[3]) | on[2] & on[3] != 0;
        let thrice = onward(on);
        let mut kind = ONWARD;
        if is_parted(on) | (any(thrice) != 0) | (total > 2) {
            if total > 2 {
                return (LISTED, 0);
            }
            if any(thrice) != 0 {
                // What one piece jumps is not gone for another.
                let are_alone = without_one(movers).count_ones() + 1 == total;
                if is_parted(on) || !are_alone || is_parted(thrice) || any(onward(thrice)) != 0 {
                    return (LISTED, 0);
                }
                kind = THRICE;
            } else {
                // Of two first jumps both may be meant.
                let ways = on.map(|squares| u32::from(squares != 0));
                return (if total == 1 { PARTED } else { LISTED }, ways[0] + ways[1] + ways[2] + ways[3]);
            }
        }
        // Whether the first of the list is the first in the order of directions.
        let first = movers & movers.wrapping_neg();
        let [a, b, c, d] = jumps;
        let lowest = [c, b, a].into_iter().fold(d, |later, set| choose(set != 0, set, later));
        (kind | u32::from(lowest & first == 0), total)
    }
}

/// The place of the bit with this index: in the lower or the upper half of the board, which has 18 bits, then below the
/// middle of that half or above, and so on.
#[inline(always)]
fn nth(set: u64, index: u32) -> u32 {
    let below = (set as u32 & 0x3ffff).count_ones();
    let is_above = index >= below;
    let half = choose(is_above, (set >> 18) as u32, set as u32);
    let index = choose(is_above, index.wrapping_sub(below), index);
    // So many bits are not known to come earlier.
    let mut left = 32;
    for width in [9, 4, 2, 1] {
        let less = left - width;
        left = choose(index >= (half << less).count_ones(), less, left);
    }
    choose(is_above, 50, 32) - left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkers::trails::BOARD;
    use crate::checkers::{History, Options};
    use crate::variant::Variant;
    use spinney_core::{Game, Player, Seed, bits};

    #[test]
    fn threads_in_step_draw_the_same_moves() {
        let mut random = Random::new(Seed::new(1));
        for variant in [Variant::Standard, Variant::Engine2014] {
            let game = Checkers::new(Options { variant, ..Options::default() });
            let mut work = Workspace::new();
            for _ in 0..50_000 {
                let mut set = |sparse: u32| (0..sparse).fold(BOARD, |set, _| set & random.bits());
                let own = set(2);
                let other = set(1) & !own & if set(1) & 1 == 0 { BOARD } else { set(1) };
                let kings = if set(1) & 1 == 0 { set(1) & (own | other) } else { 0 };
                let mover = if set(1) & 1 == 0 { Player::First } else { Player::Second };
                let board = Board { own, other, kings, mover };
                let state = State { board, slides: 0, history: History::EMPTY };
                let mut same = random.clone();
                let expected = game.random_move(&state, &mut random, &mut work);
                assert_eq!(game.random_move_together(&state, &mut same, &mut work), expected, "{board:?}");
                assert_eq!(random.bits(), same.bits());
            }
        }
    }

    #[test]
    fn bits_are_found_by_halves() {
        let mut random = Random::new(Seed::new(2));
        for _ in 0..1000 {
            let set = BOARD & random.bits();
            for (index, place) in bits::squares(set).enumerate() {
                assert_eq!(nth(set, index as u32), u32::from(place));
            }
        }
    }
}
