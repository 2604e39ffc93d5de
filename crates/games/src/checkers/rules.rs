//! The rules of Checkers as searches see them.

#[cfg(any(test, target_arch = "nvptx64"))]
mod together;

use super::trails::{BOARD, HOME_ROWS, Trail, is_slide, slide, standing};
use super::{Board, Checkers, History, Move, State};
use crate::variant::Variant;
use spinney_core::{Game, List, Outcome, Player, Published, Random, Turn, Workspace, bits, random};

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
        if self.options.repetition || self.is_drawn(&state.board, state.slides) {
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
        #[cfg(target_arch = "nvptx64")]
        return self.random_move_together(state, random, work);
        #[cfg(not(target_arch = "nvptx64"))]
        {
            let board = &state.board;
            let jumps = board.jumps();
            let jumping = any(jumps) != 0;
            if jumping && any(board.onward(jumps)) != 0 {
                let moves = &mut work.moves;
                moves.clear();
                self.list_jumps(board, jumps, moves);
                return Some(moves[random.below(moves.len() as u32) as usize]);
            }
            random_single(jumping, if jumping { jumps } else { board.slides() }, random)
        }
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

/// Squares by direction from which a piece can move: up-left, up-right, down-right, down-left.
type Starts = [u64; 4];

impl Board {
    /// The mover's pieces that may go up, and those that may go down.
    #[inline(always)]
    fn movers(&self) -> [u64; 2] {
        if cfg!(target_arch = "nvptx64") {
            let kings = self.own & self.kings;
            return if self.mover == Player::First { [self.own, kings] } else { [kings, self.own] };
        }
        let men_go_up = (self.mover.index() as u64).wrapping_sub(1);
        [self.own & (self.kings | men_go_up), self.own & (self.kings | !men_go_up)]
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
        [other >> 4 & open >> 8, other >> 5 & open >> 10, other << 4 & open << 8, other << 5 & open << 10]
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

    /// From where second jumps could be possible. Some that are not are let through: the starts of all jumpers count as
    /// empty.
    #[inline(always)]
    fn onward(&self, jumps: Starts) -> Starts {
        let kings = jumps.map(|starts| starts & self.kings);
        onward(landings(jumps), landings(kings), self.ways(self.open() | any(jumps)))
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

    /// Whether nothing is left but one king on either side at most.
    #[inline(always)]
    fn is_king_against_king(&self) -> bool {
        let all = self.own | self.other;
        // For the threads of a card together three conditions cost less than a call by a few.
        if cfg!(target_arch = "nvptx64") {
            return (self.kings ^ all) | without_one(self.own) | without_one(self.other) == 0;
        }
        self.kings == all && are_alone(self.own, self.other)
    }
}

/// Whether neither set has two pieces. A function of its own, as men are nearly always left: three conditions at once
/// would cost every ply what few plies need.
#[cold]
#[inline(never)]
fn are_alone(own: u64, other: u64) -> bool {
    without_one(own) == 0 && without_one(other) == 0
}

/// The pieces without one of them.
#[inline(always)]
fn without_one(set: u64) -> u64 {
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

/// One of these slides or single jumps, all equally likely, if there is one.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
fn random_single(jumping: bool, starts: Starts, random: &mut Random) -> Option<Move> {
    let counts = starts.map(u64::count_ones);
    let ends = [counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]];
    let total = ends[2] + counts[3];
    if total == 0 {
        return None;
    }
    let index = random.below(total);
    // Sums of comparisons instead of branches: a wrong guess costs more than all of them.
    let passed = ends.map(|end| u32::from(index >= end));
    let direction = (passed[0] + passed[1] + passed[2]) as usize;
    let before = (0..3).map(|place| counts[place] & passed[place].wrapping_neg()).sum::<u32>();
    let from = bits::select(starts[direction], index - before).trailing_zeros();
    Some(Move(super::trails::single(jumping, direction, from)))
}

impl Checkers {
    /// King slides in a row after this move.
    #[inline(always)]
    fn slides_after(state: &State, mv: Move, trail: &Trail) -> u8 {
        let king_slides = is_slide(mv.0) & state.board.is_by_king(trail);
        if king_slides { state.slides + 1 } else { 0 }
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

    /// Appends the sequences of jumps of the piece on a square that cannot be made longer, in the order of their
    /// directions. Where pieces are marked, one that was jumped stands in no other sequence either.
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
                        enemies |= 1 << trail.last;
                    }
                    number = trail.before;
                    trail = self.trail(Move(number));
                    pending >>= 4;
                    continue;
                }
                // There is one, which the compiler does not know.
                let next = trail.next[(pending as u32 | 8).trailing_zeros() as usize];
                let longer = self.trail(Move(next));
                pending &= pending - 1;
                // Another sequence may have jumped the piece meanwhile.
                if !MARK || enemies >> longer.last & 1 != 0 {
                    (number, trail) = (next, longer);
                    enemies &= !(1 << longer.last);
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
        slides >= self.options.king_slide_limit || board.is_king_against_king()
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
