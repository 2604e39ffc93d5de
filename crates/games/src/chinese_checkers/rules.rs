//! The rules of Chinese Checkers as searches see them.

use super::draw::{Weights, enters_goal, policy_weight};
use super::engine2014::Search;
use super::geometry::{ANYWHERE, CELLS, Filter, GOALS, NUMBERS, any_goal_full, cells, hop_cells, singles, step_cells};
use super::piece_moves::PieceMoves;
use super::pieces::{PIECES, Pieces, cell_at};
use super::{ChineseCheckers, Move, State};
use spinney_core::{
    Game, List, Outcome, Player, PlayoutPolicy, Policy, Published, Random, Turn, Weighted, Workspace, random,
};

impl Game for ChineseCheckers {
    type State = State;
    type Move = Move;
    type Scratch = ();
    const POLICY: Option<Policy<Self>> = Some(Policy::of());

    fn initial(&self) -> State {
        State { pieces: Pieces::new([GOALS[1], GOALS[0]]), plies: 0, mover: Player::First, winner: None }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        match self.quick_turn(state) {
            Turn::Player(player) if !self.has_move(player, state.pieces.list(player), state.pieces.occupied()) => {
                Turn::Over(Outcome::Win(player.other()))
            }
            turn => turn,
        }
    }

    #[inline(always)]
    fn quick_turn(&self, state: &State) -> Turn {
        match state.winner {
            Some(winner) => Turn::Over(Outcome::Win(winner)),
            None if state.plies >= self.most_plies() => Turn::Over(Outcome::Draw),
            None => Turn::Player(state.mover),
        }
    }

    #[inline]
    fn moves(&self, state: &State, moves: &mut List<Move>) {
        self.list(state, self.no_filter(state), moves);
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) {
        let mover = state.mover;
        state.pieces.relocate(mover, mv.from(), mv.to());
        let is_full = any_goal_full(state.pieces.occupied_words());
        state.winner = if is_full { self.winner_after(state.pieces, mover, mv) } else { None };
        state.plies += 1;
        state.mover = mover.other();
    }

    #[inline]
    fn move_ids(&self) -> usize {
        CELLS.len() * CELLS.len()
    }

    #[inline(always)]
    fn move_id(&self, _: &State, mv: Move) -> usize {
        usize::from(NUMBERS[mv.from()]) * CELLS.len() + usize::from(NUMBERS[mv.to()])
    }

    #[inline]
    fn search_moves(&self, state: &State, work: &mut Workspace<Self>) {
        self.list_searched(state, &mut work.moves);
    }

    #[inline(always)]
    fn outcome_after(&self, state: &State, mv: Move, _: &mut Workspace<Self>) -> Option<Outcome> {
        let enters = (GOALS[0] | GOALS[1]) >> mv.to() & 1 == 1;
        if !enters && state.plies + 1 < self.most_plies() {
            let other = state.mover.other();
            let occupied = state.pieces.occupied() ^ 1 << mv.from() ^ 1 << mv.to();
            let goes_on = self.has_move(other, state.pieces.list(other), occupied);
            return (!goes_on).then_some(Outcome::Win(state.mover));
        }
        let mut next = *state;
        self.apply(&mut next, mv);
        self.turn(&next).outcome()
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, work: &mut Workspace<Self>) -> Option<Move> {
        if self.is_engine() {
            self.draw_by_piece(state, Weights::Equal, random, &mut work.moves)
        } else {
            self.draw_of_all(state, random, &mut work.moves)
        }
    }

    /// The share of the loser's pieces that have not reached his goal; the published engine counts the pieces of
    /// both players there.
    #[inline]
    fn quality(&self, state: &State, winner: Player) -> f32 {
        let loser = winner.other();
        let counted = if self.is_engine() { state.pieces.occupied() } else { state.pieces.of(loser) };
        (6.0 - (counted & GOALS[loser.index()]).count_ones() as f32) / 6.0
    }

    /// How much farther the other player's pieces are from the tip of his goal, squashed into (−1, 1).
    #[inline]
    fn evaluate(&self, state: &State, player: Player) -> Option<f32> {
        let way = |player: Player| -> i32 {
            let table = &self.tables.to_tip[player.index()];
            cells(state.pieces.of(player)).map(|cell| i32::from(table[cell])).sum()
        };
        let lead = (way(player.other()) - way(player)) as f32;
        Some(lead / (10.0 + lead.abs()))
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        let sets = Player::BOTH.map(|player| state.pieces.of(player));
        let words = sets.iter().flat_map(|&set| [set as u64, (set >> 64) as u64]);
        let rest = u64::from(state.plies) << 1 | state.mover.index() as u64;
        Some(words.fold(random::mix(rest), |key, word| random::mix(key ^ word)))
    }

    /// Published in "Quality-based Rewards for Monte-Carlo Tree Search Simulations" (ECAI 2014).
    fn published(&self) -> Published {
        Published { agent: "c=0.8, playout=policy, rb(k=1.2), qb(k=2.8)", simulations_per_second: 14_000 }
    }
}

impl PlayoutPolicy for ChineseCheckers {
    /// A piece at random, or the next one that has a move, with the weights of `Weights::Policy`.
    #[inline]
    fn policy(&self, state: &State, random: &mut Random, work: &mut Workspace<Self>) {
        let Workspace { moves, candidates, .. } = work;
        let start = candidates.len();
        let (list, first) = (state.pieces.list(state.mover), random.below(PIECES));
        for turn in 0..PIECES {
            let from = cell_at(list, 8 * ((first + turn) % PIECES));
            let weighted = |(to, weight)| Weighted { mv: Move::new(from, to), weight };
            if self.is_engine() {
                let search = Search::new(state.pieces.occupied(), self.filter(state), from);
                let enters = enters_goal(state.mover, from, search.all());
                let weight = |found| policy_weight(state.mover, enters, found);
                let all = search.all().map(|found| (found.to.into(), weight(found)));
                candidates.extend(all.filter(|&(_, weight)| weight > 0).map(weighted));
            } else {
                let mut found = PieceMoves::NONE;
                found.fill(self.filter(state), state.pieces.hops(), from, self.singles_of(state, from));
                candidates.extend(found.weighted().map(weighted));
            }
            if candidates.len() > start {
                return;
            }
        }
        moves.clear();
        self.list_searched(state, moves);
        candidates.extend(moves.iter().map(|&mv| Weighted { mv, weight: 1 }));
    }

    #[inline(always)]
    fn policy_move(&self, state: &State, random: &mut Random, work: &mut Workspace<Self>) -> Option<Move> {
        self.draw_by_piece(state, Weights::Policy, random, &mut work.moves)
    }
}

impl ChineseCheckers {
    /// Appends the moves that a filter lets through.
    #[inline]
    fn list(&self, state: &State, filter: &Filter, moves: &mut List<Move>) {
        let (occupied, hops) = (state.pieces.occupied(), state.pieces.hops());
        for from in cells(state.own()) {
            let open = singles(occupied, from);
            let mut to = step_cells(open & filter.singles(from), from);
            let first = hop_cells(open & filter.legal(from), from);
            if first != 0 {
                to |= hops.layers(state.mover, first).fold(first, |set, layer| set | layer) & filter.far[from];
            }
            moves.extend(cells(to).map(|to| Move::new(from, to)));
        }
    }

    /// Appends the search moves.
    #[inline]
    pub(super) fn list_searched(&self, state: &State, moves: &mut List<Move>) {
        let start = moves.len();
        if self.is_engine() {
            self.list_engine(state, moves);
        } else {
            self.list(state, self.filter(state), moves);
            if moves.len() == start {
                self.moves(state, moves);
            }
        }
    }

    /// The cells that a piece of the player to move reaches with a searched step, and those with a legal single hop.
    #[inline]
    pub(super) fn singles_of(&self, state: &State, from: usize) -> [u128; 2] {
        let (open, filter) = (singles(state.pieces.occupied(), from), self.filter(state));
        [step_cells(open & filter.singles(from), from), hop_cells(open & filter.legal(from), from)]
    }

    /// Whether a player has a legal move when these cells are held.
    #[inline(always)]
    fn has_move(&self, player: Player, list: u64, occupied: u128) -> bool {
        let filter = &self.tables.filters[player.index()][ANYWHERE];
        let can_move = |cell: usize| singles(occupied, cell) & filter.legal(cell) != 0;
        (0..PIECES).any(|piece| can_move(cell_at(list, 8 * piece)))
    }

    /// Who wins by a move that leaves a goal full.
    #[cold]
    fn winner_after(&self, pieces: Pieces, mover: Player, mv: Move) -> Option<Player> {
        if !self.is_engine() {
            return Self::winner(Player::BOTH.map(|player| pieces.of(player)), mover);
        }
        let goal = GOALS[mover.index()];
        let enters = goal >> mv.from() & 1 == 0 && goal >> mv.to() & 1 == 1;
        (enters && pieces.occupied() & goal == goal).then_some(mover)
    }

    /// The engine's moves of all pieces, each as often as the engine finds it.
    #[inline]
    pub(super) fn list_engine_repeated(&self, state: &State, moves: &mut List<Move>) {
        let start = moves.len();
        for filter in [self.filter(state), self.no_filter(state)] {
            for from in cells(state.own()) {
                let search = Search::new(state.pieces.occupied(), filter, from);
                moves.extend(search.all().map(|found| Move::new(from, found.to.into())));
            }
            if moves.len() > start {
                return;
            }
        }
    }

    /// The engine's moves, each once.
    #[inline]
    fn list_engine(&self, state: &State, moves: &mut List<Move>) {
        let start = moves.len();
        self.list_engine_repeated(state, moves);
        let mut kept = start;
        for index in start..moves.len() {
            if !moves[start..kept].contains(&moves[index]) {
                moves[kept] = moves[index];
                kept += 1;
            }
        }
        moves.truncate(kept);
    }
}
