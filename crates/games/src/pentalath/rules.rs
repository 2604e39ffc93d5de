//! The rules of Pentalath as searches see them.

use super::cells::*;
use super::{ENGINE_STONES, LONGEST_PLIES, Move, Pentalath, State};
use spinney_core::{
    FewRuns, Game, List, MoveRuns, Outcome, Player, PlayoutPolicy, Policy, Published, Random, Run, RunsOf, Turn,
    Weighted, Workspace, bits, lanes::meet, random,
};

impl Game for Pentalath {
    type State = State;
    type Move = Move;
    type Scratch = FewRuns<Move, 1>;
    const POLICY: Option<Policy<Self>> = Some(Policy::of());
    const MOVE_RUNS: Option<RunsOf<Self>> = Some(RunsOf::of());

    fn initial(&self) -> State {
        State { own: 0, other: 0, plies: 0, won: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match self.quick_turn(state) {
            Turn::Player(_) if state.empty().count_ones() <= PAIRS && self.destinations(state) == 0 => {
                Turn::Over(Outcome::Draw)
            }
            turn => turn,
        }
    }

    #[inline(always)]
    fn quick_turn(&self, state: &State) -> Turn {
        if state.won {
            Turn::Over(Outcome::Win(state.mover().other()))
        } else if state.plies >= LONGEST_PLIES {
            Turn::Over(Outcome::Draw)
        } else {
            Turn::Player(state.mover())
        }
    }

    #[inline(always)]
    fn moves(&self, state: &State, moves: &mut List<Move>) {
        moves.extend(bits::squares(self.destinations(state)).map(Move));
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) {
        let cell = mv.cell();
        let plies = state.plies + 1;
        if state.other & cell != 0 {
            *state = State { own: 0, other: cell, plies, won: false };
            return;
        }
        let own = state.own | cell;
        let other = state.other & !self.captured(own, state.other, mv);
        *state = State { own: other, other: own, plies, won: self.wins(own, other, mv) };
    }

    #[inline]
    fn move_ids(&self) -> usize {
        CELLS
    }

    #[inline(always)]
    fn move_id(&self, _: &State, mv: Move) -> usize {
        usize::from(mv.0)
    }

    #[inline(always)]
    fn outcome_after(&self, state: &State, mv: Move, _: &mut Workspace<Self>) -> Option<Outcome> {
        let roomy = state.empty().count_ones() > PAIRS + 1 && state.plies + 1 < LONGEST_PLIES;
        if roomy && !self.is_engine() {
            return self.wins(state.own | mv.cell(), 0, mv).then_some(Outcome::Win(state.mover()));
        }
        let mut next = *state;
        self.apply(&mut next, mv);
        self.turn(&next).outcome()
    }

    /// Draws an empty cell, and another one while it would be suicide.
    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, _: &mut Workspace<Self>) -> Option<Move> {
        if state.may_swap() {
            return Some(Move(random.below(CELLS as u32) as u8));
        }
        let empty = state.empty();
        let mut left = empty;
        while left != 0 {
            let cell = bits::select(left, random.below(left.count_ones()));
            if self.is_legal(state, empty, cell) {
                return Some(Move::at(cell));
            }
            left ^= cell;
        }
        None
    }

    /// (5 − L) / 5, where L is the length of the loser's longest run that could still have become five.
    #[inline]
    fn quality(&self, state: &State, winner: Player) -> f32 {
        let [first, second] = state.stones();
        let [loser, winner] = if winner == Player::First { [second, first] } else { [first, second] };
        let longest = if self.is_engine() {
            Self::engine_longest_run(loser, winner)
        } else {
            let east = live_runs::<EAST, 5>(loser, winner);
            let south_east = live_runs::<SOUTH_EAST, 0>(loser, winner);
            let south_west = live_runs::<SOUTH_WEST, 1>(loser, winner);
            (0..4).map(|index| i32::from(east[index] | south_east[index] | south_west[index] != 0)).sum()
        };
        (5 - longest) as f32 / 5.0
    }

    /// Live rows, liberties and stones, squashed into (−1, 1).
    #[inline]
    fn evaluate(&self, state: &State, player: Player) -> Option<f32> {
        let empty = state.empty();
        let worth = |own: u64, other: u64| {
            let rows: u32 = [
                live_runs::<EAST, 5>(own, other),
                live_runs::<SOUTH_EAST, 0>(own, other),
                live_runs::<SOUTH_WEST, 1>(own, other),
            ]
            .iter()
            .map(|[_, two, three, four]| two.count_ones() + 2 * three.count_ones() + 8 * four.count_ones())
            .sum();
            (8 * rows + (neighbours(own) & empty).count_ones() + 4 * own.count_ones()) as f32
        };
        let lead = worth(state.own, state.other) - worth(state.other, state.own);
        let lead = if player == state.mover() { lead } else { -lead };
        Some(lead / (64.0 + lead.abs()))
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        let rights = state.mover().index() as u64 | u64::from(state.may_swap()) << 1;
        Some(random::mix(state.own ^ random::mix(state.other ^ rights << CELLS)))
    }

    /// Published in "Quality-based Rewards for Monte-Carlo Tree Search Simulations" (ECAI 2014).
    fn published(&self) -> Published {
        Published { agent: "c=0.8, playout=policy+mast(eps=0.95), rb(k=1), qb(k=1.6)", simulations_per_second: 21_000 }
    }
}

impl PlayoutPolicy for Pentalath {
    /// Every legal placement; cells with more than four neighbours have weight 2.
    #[inline]
    fn policy(&self, state: &State, _: &mut Random, work: &mut Workspace<Self>) {
        work.candidates.extend(
            bits::squares(self.destinations(state))
                .map(|cell| Weighted { mv: Move(cell), weight: 1 + (INTERIOR >> cell & 1) as u32 }),
        );
    }

    #[inline(always)]
    fn policy_move(&self, state: &State, random: &mut Random, _: &mut Workspace<Self>) -> Option<Move> {
        let empty = if state.may_swap() { BOARD } else { state.empty() };
        let mut left = empty;
        while left != 0 {
            let interior = left & INTERIOR;
            let all = left.count_ones();
            let ticket = random.below(all + interior.count_ones());
            let (cells, index) = if ticket < all { (left, ticket) } else { (interior, ticket - all) };
            let cell = bits::select(cells, index);
            if self.is_legal(state, empty, cell) {
                return Some(Move::at(cell));
            }
            left ^= cell;
        }
        None
    }
}

/// All moves are one run: a place for each cell.
impl MoveRuns for Pentalath {
    const FEW: usize = 1;

    #[inline(always)]
    fn find_runs(&self, state: &State, runs: &mut FewRuns<Move, 1>) {
        runs.hold([Run { first: Move(0), places: self.destinations(state) }]);
    }

    #[inline(always)]
    fn find_policy_runs(&self, state: &State, _: &mut Random, runs: &mut FewRuns<Move, 1>) {
        self.find_runs(state, runs);
    }

    #[inline(always)]
    fn runs(runs: &FewRuns<Move, 1>) -> &[Run<Move>] {
        runs.as_slice()
    }

    #[inline(always)]
    fn move_at(&self, first: Move, place: u32) -> Move {
        Move(first.0 + place as u8)
    }
}

/// Rows split into pairs of neighbours: with more empty cells than pairs two of them are neighbours, and a
/// placement on either is no suicide.
const PAIRS: u32 = 33;

impl Pentalath {
    /// Stones of `other` that the stone just placed on `mv` captures.
    #[inline(always)]
    fn captured(&self, own: u64, other: u64, mv: Move) -> u64 {
        let beside = NEIGHBOURS[usize::from(mv.0)] & other;
        if beside == 0 {
            return 0;
        }
        let breathing = neighbours(BOARD & !(own | other));
        let mut waiting = beside & !breathing;
        let (mut dead, mut dead_groups) = (0, 0);
        while waiting != 0 {
            let seed = waiting & waiting.wrapping_neg();
            let group = group_until_breathing(seed, other, breathing);
            if group & breathing == 0 {
                dead |= group;
                dead_groups += 1;
            }
            waiting &= !group;
        }
        if self.is_engine() && dead_groups > 1 { Self::first_group(dead, mv) } else { dead }
    }

    /// The group of the first dead stone beside the placed one.
    #[inline]
    fn first_group(dead: u64, mv: Move) -> u64 {
        let placed = mv.cell();
        let around = [
            moved::<0, 1>(placed),
            moved::<1, 1>(placed),
            moved::<2, 1>(placed),
            moved::<3, 1>(placed),
            moved::<4, 1>(placed),
            moved::<5, 1>(placed),
        ];
        around.into_iter().find(|cell| cell & dead != 0).map_or(0, |cell| groups(cell, dead))
    }

    /// Whether the player to move may place a stone on this empty cell, none of whose neighbours is empty. `breathing`
    /// are the stones that have an empty neighbour then.
    #[inline(always)]
    fn is_legal_when_enclosed(&self, state: &State, cell: u64, breathing: u64) -> bool {
        let beside = NEIGHBOURS[cell.trailing_zeros() as usize];
        let friends = beside & state.own;
        if friends & breathing != 0 {
            return true;
        }
        // One friend whose group breathes is enough, or one enemy whose group does not.
        if friends != 0 && groups_until(friends, state.own, |own| own & breathing != 0) & breathing != 0 {
            return true;
        }
        let mut waiting = beside & state.other & !breathing;
        while waiting != 0 {
            let group = group_until_breathing(waiting & waiting.wrapping_neg(), state.other, breathing);
            if group & breathing == 0 {
                return true;
            }
            waiting &= !group;
        }
        false
    }

    #[inline(always)]
    fn is_legal(&self, state: &State, empty: u64, cell: u64) -> bool {
        NEIGHBOURS[cell.trailing_zeros() as usize] & empty != 0
            || self.is_legal_when_enclosed(state, cell, neighbours(state.empty() ^ cell))
    }

    /// Cells on which the player to move may place a stone, or swap.
    #[inline(always)]
    fn destinations(&self, state: &State) -> u64 {
        if state.may_swap() {
            return BOARD;
        }
        let empty = state.empty();
        let [breathing, freely] = neighbours_and_twice(empty);
        let open = empty & breathing;
        let enclosed = empty & !open;
        if enclosed == 0 {
            return open;
        }
        // A friend with another empty cell beside it is enough; without one, look closer.
        let mut legal = open | enclosed & neighbours(state.own & freely);
        let mut left = empty & !legal;
        while left != 0 {
            let cell = left & left.wrapping_neg();
            let beside = NEIGHBOURS[cell.trailing_zeros() as usize];
            if self.is_legal_when_enclosed(state, cell, freely | breathing & !beside) {
                legal |= cell;
            }
            left ^= cell;
        }
        legal
    }

    /// Whether the stones of `own` around the one just placed are five in a row.
    #[inline(always)]
    fn wins(&self, own: u64, other: u64, mv: Move) -> bool {
        if self.is_engine() {
            return (own | other).count_ones() >= ENGINE_STONES && has_five(own);
        }
        let windows = WINDOWS[usize::from(mv.0)];
        let lines = windows.map(|window| own & window);
        lines.iter().any(|line| line.count_ones() >= 5)
            && runs::<EAST>(lines[0])[3] | runs::<SOUTH_EAST>(lines[1])[3] | runs::<SOUTH_WEST>(lines[2])[3] != 0
    }

    /// The length of the loser's longest run as the published engine measures it: the run and the cells free of the
    /// winner on both sides must make five, but stones between the first and the second empty cell do not count.
    #[inline]
    pub(super) fn engine_longest_run(loser: u64, winner: u64) -> i32 {
        if loser == 0 {
            return -10;
        }
        let axes = [[EAST, 5], [SOUTH_EAST, 0], [SOUTH_WEST, 1]];
        // One axis after the other with the same instructions: a card has no room for three copies.
        let along = |axis| {
            let [forward, back] = axes[meet(axis) as usize].map(Step::of);
            longest_roomy_run(forward, back, loser, winner)
        };
        (0..3).map(along).fold(0, i32::max)
    }
}
