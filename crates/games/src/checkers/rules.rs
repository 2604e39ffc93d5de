//! The rules of Checkers as searches see them.

use super::trails::{BOARD, HOME_ROWS, Trail, is_slide, single, slide, standing};
use super::{Board, Checkers, History, Move, State};
use crate::variant::Variant;
use core::hint::select_unpredictable as choose;
use spinney_core::{Game, List, Outcome, Player, Published, Random, Turn, Workspace, bits, lanes, random};

impl Game for Checkers {
    type State = State;
    type Move = Move;
    type Scratch = ();

    fn initial(&self) -> State {
        let own = BOARD & ((1 << 13) - 1);
        let board = Board { own, other: BOARD & !((1 << 22) - 1), kings: 0, mover: Player::First };
        State { board, slides: 0, history: History::EMPTY }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        match self.outcome(&state.board, state.slides) {
            Some(outcome) => Turn::Over(outcome),
            None if self.options.repetition && self.is_third(state) => Turn::Over(Outcome::Draw),
            None => Turn::Player(state.board.mover),
        }
    }

    #[inline(always)]
    fn quick_turn(&self, state: &State) -> Turn {
        if self.options.repetition | self.is_drawn(&state.board, state.slides) {
            self.turn(state)
        } else {
            Turn::Player(state.board.mover)
        }
    }

    #[inline]
    fn moves(&self, state: &State, moves: &mut List<Move>) {
        let jumps = state.board.jumps();
        if any(jumps) != 0 {
            return self.list_jumps(&state.board, jumps, moves);
        }
        for (direction, starts) in state.board.slides().into_iter().enumerate() {
            moves.extend(bits::squares(starts).map(|from| Move(slide(direction, u32::from(from)))));
        }
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) {
        let trail = self.trail(mv);
        state.slides = Self::slides_after(state, mv, trail);
        state.board = state.board.after(trail);
        if self.options.repetition {
            if state.slides == 0 {
                state.history.known = 0;
            } else {
                state.history.push(mv.0 as u8);
            }
        }
    }

    #[inline]
    fn move_ids(&self) -> usize {
        self.trails.len()
    }

    #[inline(always)]
    fn move_id(&self, _: &State, mv: Move) -> usize {
        usize::from(mv.0)
    }

    #[inline(always)]
    fn outcome_after(&self, state: &State, mv: Move, _: &mut Workspace<Self>) -> Option<Outcome> {
        if self.options.repetition {
            let mut next = *state;
            self.apply(&mut next, mv);
            return self.turn(&next).outcome();
        }
        let trail = self.trail(mv);
        self.outcome(&state.board.after(trail), Self::slides_after(state, mv, trail))
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, work: &mut Workspace<Self>) -> Option<Move> {
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
        // A card's compiler shall not do all this twice, for slides and for jumps.
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
        // Threads of a card draw together, when those that list have done so.
        let kind = lanes::meet(kind);
        if total == 0 {
            return None;
        }
        let index = random.below(total) ^ (kind & 1);
        let is_first = kind < PARTED;
        let (index, rest) = (choose(is_first, index, 0), choose(is_first, 0, index));
        // Selections instead of branches: a wrong guess costs more than all of them.
        let is_down = index >= up;
        let index = choose(is_down, index.wrapping_sub(up), index);
        let first = choose(is_down, counts[2], counts[0]);
        let is_second = index >= first;
        let index = choose(is_second, index.wrapping_sub(first), index);
        let set = choose(is_second, choose(is_down, starts[3], starts[1]), choose(is_down, starts[2], starts[0]));
        let number = single(is_jump, is_down, is_second, nth(set, index));
        if kind == STEP {
            return Some(Move(number));
        }
        if kind == LISTED {
            return Some(work.moves[rest as usize]);
        }
        Some(Move(self.longer(board, number, rest, kind & !1 == THRICE)))
    }

    /// The winner's pieces over 12, men and kings alike.
    #[inline]
    fn quality(&self, state: &State, winner: Player) -> f32 {
        state.board.pieces(winner).count_ones() as f32 / 12.0
    }

    /// Men and five times kings, squashed into (−1, 1).
    #[inline]
    fn evaluate(&self, state: &State, player: Player) -> Option<f32> {
        let board = &state.board;
        let worth = |set: u64| set.count_ones() as f32 + 4.0 * (set & board.kings).count_ones() as f32;
        let lead = worth(board.pieces(player)) - worth(board.pieces(player.other()));
        Some(lead / (4.0 + lead.abs()))
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        let Board { own, other, kings, mover } = state.board;
        let rest = u64::from(state.slides) << 1 | mover.index() as u64;
        let key = [own, other, kings].into_iter().fold(rest, |key, word| random::mix(key ^ word));
        Some(state.history.slides().iter().fold(key, |key, &slide| random::mix(key ^ u64::from(slide))))
    }

    /// Published in "Quality-based Rewards for Monte-Carlo Tree Search Simulations" (ECAI 2014).
    fn published(&self) -> Published {
        Published { agent: "rb(k=2.8)", simulations_per_second: 24_000 }
    }
}

// What a random move is drawn from: slides or single jumps, first jumps that go on in one way at most, once or twice (odd if they
// are two whose order in lists is the other one), the ways in which the only first jump goes on, or a list.
const STEP: u32 = 0;
const ONWARD: u32 = 2;
const THRICE: u32 = 4;
const PARTED: u32 = 6;
const LISTED: u32 = 8;

/// Squares by direction from which a piece can move: up-left, up-right, down-right, down-left.
type Starts = [u64; 4];

impl Board {
    /// The mover's pieces that may go up, and those that may go down.
    #[inline(always)]
    fn movers(&self) -> [u64; 2] {
        let kings = self.own & self.kings;
        if self.mover == Player::First { [self.own, kings] } else { [kings, self.own] }
    }

    #[inline(always)]
    fn slides(&self) -> Starts {
        let (open, [up, down]) = (self.open(), self.movers());
        [up & open >> 4, up & open >> 5, down & open << 4, down & open << 5]
    }

    /// Squares from which there is an enemy to jump onto one of these squares.
    #[inline(always)]
    fn ways(&self, open: u64) -> Starts {
        let other = self.other;
        [(other & open >> 4) >> 4, (other & open >> 5) >> 5, (other & open << 4) << 4, (other & open << 5) << 5]
    }

    /// The mover's pieces on these squares.
    #[inline(always)]
    fn starts(&self, ways: Starts) -> Starts {
        let [up, down] = self.movers();
        [up & ways[0], up & ways[1], down & ways[2], down & ways[3]]
    }

    #[inline(always)]
    fn jumps(&self) -> Starts {
        self.starts(self.ways(self.open()))
    }

    /// From where second jumps could be possible. Some that are not are let through: the starts of all jumpers count as empty.
    #[inline(always)]
    fn onward(&self, jumps: Starts) -> Starts {
        let kings = jumps.map(|starts| starts & self.kings);
        onward(landings(jumps), landings(kings), self.ways(self.open() | any(jumps)))
    }

    /// From what a random jump is drawn if there are so many first jumps, and some could go on; and from how many moves, if that
    /// is no list.
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
                let are_alone = second_of(movers).count_ones() + 1 == total;
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
        // Lists are in the order of squares first, not of directions.
        let first = movers & movers.wrapping_neg();
        let [a, b, c, d] = jumps;
        let lowest = if a != 0 {
            a
        } else if b != 0 {
            b
        } else if c != 0 {
            c
        } else {
            d
        };
        (kind | u32::from(lowest & first == 0), total)
    }

    /// The directions in which the mover's piece on this square may go.
    #[inline(always)]
    fn directions(&self, square: u32) -> u32 {
        let men = if self.mover == Player::First { MEN_UP } else { MEN_DOWN };
        if self.kings >> square & 1 == 1 { MEN_UP | MEN_DOWN } else { men }
    }

    #[inline(always)]
    fn can_move(&self) -> bool {
        any(self.slides()) != 0 || any(self.jumps()) != 0
    }

    #[inline(always)]
    fn after(&self, trail: &Trail) -> Self {
        let own = self.own ^ trail.moved;
        let king = if self.is_by_king(trail) { trail.moved } else { 0 };
        // Of both squares the piece has left one.
        let [near, far] = HOME_ROWS;
        let crowned = trail.moved & own & if self.mover == Player::First { far } else { near };
        let kings = self.kings & !trail.captured ^ king | crowned;
        Self { own: self.other & !trail.captured, other: own, kings, mover: self.mover.other() }
    }

    /// Whether a king moves, unless it returns to where it began.
    #[inline(always)]
    fn is_by_king(&self, trail: &Trail) -> bool {
        self.kings & trail.moved != 0
    }

    /// Whether one king is left on either side, if the player to move has any piece.
    #[inline(always)]
    fn is_king_against_king(&self) -> bool {
        let all = self.own | self.other;
        // For the threads of a card together a count costs less than a call by a few.
        if cfg!(target_arch = "nvptx64") {
            return (self.kings == all) & (all.count_ones() == 2);
        }
        self.kings == all && are_alone(self.own, self.other)
    }
}

/// Whether neither set has two pieces. A function of its own, as men are nearly always left: three conditions at once
/// would cost every ply what few plies need.
#[cold]
#[inline(never)]
fn are_alone(own: u64, other: u64) -> bool {
    second_of(own) == 0 && second_of(other) == 0
}

/// The pieces without one of them.
#[inline(always)]
fn second_of(set: u64) -> u64 {
    set & set.wrapping_sub(1)
}

/// The directions in which men go, a bit for each.
const MEN_UP: u32 = 0b0011;
const MEN_DOWN: u32 = 0b1100;

/// The directions in which a piece on this square could jump.
#[inline(always)]
fn jumps_from(square: u32, enemies: u64, open: u64) -> u32 {
    // What is around the square, itself at bit 10; the bit of each direction is moved to its place.
    let around = |set: u64| ((set << 10) >> square) as u32;
    let (enemies, open) = (around(enemies), around(open));
    (enemies >> 14 & open >> 18 & 1)
        | (enemies >> 14 & open >> 19 & 2)
        | (enemies >> 4 & open & 4)
        | (enemies >> 2 & open << 3 & 8)
}

#[inline(always)]
fn any(starts: Starts) -> u64 {
    starts[0] | starts[1] | starts[2] | starts[3]
}

/// The place of the bit of a set of squares with this index.
#[inline(always)]
fn nth(set: u64, index: u32) -> u32 {
    #[cfg(target_arch = "nvptx64")]
    return nth_of_halves(set, index);
    #[cfg(not(target_arch = "nvptx64"))]
    bits::select(set, index).trailing_zeros()
}

/// [`nth`] where no instruction does it: in the lower or the upper half of the board, which has 18 bits, then below its middle or
/// above, and so on.
#[cfg(any(test, target_arch = "nvptx64"))]
#[inline(always)]
fn nth_of_halves(set: u64, index: u32) -> u32 {
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

/// Where jumps from these squares end.
#[inline(always)]
fn landings(jumps: Starts) -> Starts {
    [jumps[0] << 8, jumps[1] << 10, jumps[2] >> 8, jumps[3] >> 10]
}

/// From where jumps that ended here go on, some of them those of kings. None goes back over the piece just jumped.
#[inline(always)]
fn onward(landings: Starts, kings: Starts, ways: Starts) -> Starts {
    let (up, down) = (landings[0] | landings[1], landings[2] | landings[3]);
    [(up | kings[3]) & ways[0], (up | kings[2]) & ways[1], (down | kings[1]) & ways[2], (down | kings[0]) & ways[3]]
}

impl Checkers {
    /// King slides in a row after this move.
    #[inline(always)]
    fn slides_after(state: &State, mv: Move, trail: &Trail) -> u8 {
        let king_slides = is_slide(mv.0) & state.board.is_by_king(trail);
        if king_slides { state.slides + 1 } else { 0 }
    }

    /// The number of the trail that goes on after this single jump in the way with this index, and then, if it may do so again, in
    /// the only way there is.
    #[inline(always)]
    fn longer(&self, board: &Board, number: u16, index: u32, mut again: bool) -> u16 {
        let (open, mut number, mut index) = (board.open(), number, index);
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

    /// Appends all complete sequences of jumps.
    #[inline(always)]
    fn list_jumps(&self, board: &Board, jumps: Starts, moves: &mut List<Move>) {
        for from in bits::squares(any(jumps)) {
            let from = u32::from(from);
            let (directions, start) = (board.directions(from), 1 << from);
            match self.options.variant {
                Variant::Standard => self.follow::<false>(from, directions, board.open() | start, board.other, moves),
                Variant::Engine2014 => self.follow::<true>(from, directions, board.open(), board.other, moves),
            }
        }
    }

    /// Appends the sequences of jumps of the piece on a square that cannot be made longer, in the order of their directions. Where
    /// pieces are marked, one that was jumped stands in no other sequence either.
    #[inline]
    fn follow<const MARK: bool>(
        &self,
        from: u32,
        directions: u32,
        open: u64,
        mut enemies: u64,
        moves: &mut List<Move>,
    ) {
        let mut number = standing(from) as u16;
        let mut trail = self.trail(Move(number));
        // Ways not gone yet, four bits for the start and for each jump so far, the last one lowest.
        let mut pending = 0u64;
        loop {
            let ways = directions & jumps_from(trail.to.into(), enemies, open);
            if ways == 0 {
                moves.push(Move(number));
            }
            pending = pending << 4 | u64::from(ways);
            loop {
                if pending == 0 {
                    return;
                }
                if pending & 15 == 0 {
                    if !MARK {
                        enemies |= trail.last;
                    }
                    number = trail.before;
                    trail = self.trail(Move(number));
                    pending >>= 4;
                    continue;
                }
                let next = trail.next[(pending as u32 | 8).trailing_zeros() as usize];
                let longer = self.trail(Move(next));
                pending &= pending - 1;
                // Another sequence may have jumped the piece meanwhile.
                if !MARK || enemies & longer.last != 0 {
                    (number, trail) = (next, longer);
                    enemies &= !longer.last;
                    break;
                }
            }
        }
    }

    /// The outcome if the game is drawn or lost for the player to move.
    #[inline(always)]
    fn outcome(&self, board: &Board, slides: u8) -> Option<Outcome> {
        if !board.can_move() {
            Some(Outcome::Win(board.mover.other()))
        } else if self.is_drawn(board, slides) {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    #[inline(always)]
    fn is_drawn(&self, board: &Board, slides: u8) -> bool {
        (slides >= self.options.king_slide_limit) | board.is_king_against_king()
    }

    /// Whether the position has occurred twice before.
    #[inline]
    fn is_third(&self, state: &State) -> bool {
        let mut board = state.board;
        let mut occurrences = 1;
        for &slide in state.history.slides().iter().rev() {
            board = board.before(self.trail(Move(u16::from(slide))));
            occurrences += u8::from(board == state.board);
        }
        occurrences >= 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkers::Options;
    use spinney_core::Seed;

    /// What a random move is: one of the single moves, direction by direction, where no piece could jump twice if the starts of all
    /// that can jump were empty; else one of the list.
    fn expected(game: &Checkers, state: &State, random: &mut Random) -> Option<Move> {
        let board = &state.board;
        let jumps = board.jumps();
        let open = board.open() | any(jumps);
        let goes_on = |from: u32, direction: usize| {
            let to = game.trail(Move(single(true, direction >= 2, direction % 2 == 1, from))).to;
            let ways = jumps_from(to.into(), board.other, open) & board.directions(from);
            ways & !(1 << (direction ^ 2)) != 0
        };
        let singles = |starts: Starts| {
            let of = |direction: usize| bits::squares(starts[direction]).map(move |from| (u32::from(from), direction));
            (0..4).flat_map(of).collect::<Vec<_>>()
        };
        let mut moves = List::new();
        if singles(jumps).into_iter().any(|(from, direction)| goes_on(from, direction)) {
            game.list_jumps(board, jumps, &mut moves);
        } else {
            let is_jump = any(jumps) != 0;
            let starts = singles(if is_jump { jumps } else { board.slides() });
            moves.extend(
                starts
                    .into_iter()
                    .map(|(from, direction)| Move(single(is_jump, direction >= 2, direction % 2 == 1, from))),
            );
        }
        (!moves.is_empty()).then(|| moves[random.below(moves.len() as u32) as usize])
    }

    #[test]
    fn random_moves_are_drawn_as_from_lists() {
        let mut random = Random::new(Seed::new(1));
        for variant in [Variant::Standard, Variant::Engine2014] {
            let game = Checkers::new(Options { variant, ..Options::default() });
            let mut work = Workspace::new();
            for _ in 0..50_000 {
                let mut draw = |sparse: u32| (0..sparse).fold(BOARD, |set, _| set & random.bits());
                let (own, other, kings) = (draw(2), draw(1), draw(1));
                let other = other & !own & if other & 1 == 0 { u64::MAX } else { draw(1) };
                let mover = if draw(1) & 2 == 0 { Player::First } else { Player::Second };
                let kings = if draw(1) & 4 == 0 { kings & (own | other) } else { 0 };
                let board = Board { own, other, kings, mover };
                let state = State { board, slides: 0, history: History::EMPTY };
                let mut same = random.clone();
                let drawn = game.random_move(&state, &mut random, &mut work);
                assert_eq!(drawn, expected(&game, &state, &mut same), "{board:?}");
                assert_eq!(random.bits(), same.bits());
            }
        }
    }

    #[test]
    fn cards_find_the_same_bits() {
        let mut random = Random::new(Seed::new(2));
        for _ in 0..1000 {
            let set = BOARD & random.bits();
            for (index, place) in bits::squares(set).enumerate() {
                assert_eq!(nth_of_halves(set, index as u32), u32::from(place));
            }
        }
    }
}
