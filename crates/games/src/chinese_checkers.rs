//! Chinese Checkers for two with six pieces each: hop across a star of 73 cells.
//!
//! A piece moves one step to an empty neighbour, or hops over adjacent pieces of either colour, one after the
//! other, each time to the empty cell directly behind. Nothing is captured. A piece in its goal, the triangle in
//! which the opponent started, does not leave it, nor does a chain of hops that has entered it. A player whose
//! goal is full and holds at least one piece of his own wins: first who moved is looked at, then the other. A
//! player without a move loses, and after 1000 plies the game is a draw.
//!
//! Random play would hardly ever end. So searches and play-outs consider only moves that lead no farther from the
//! first free cell of the goal, or all moves if there is no such move; `forward=off` lifts that.
//!
//! `variant=engine2014` has the search moves, the win rule (only who enters the last free cell of his goal wins),
//! the quality (pieces of either colour count) and the draws (after more than 1000 plies) of the published engine,
//! and its uniform play-outs draw a piece first. `moves` are still all legal moves, a destination that the engine
//! lists twice is one child in the tree, and play-outs end at the draw too.

mod engine2014;
mod geometry;

use crate::variant::Variant;
use engine2014::{Found, Search};
use geometry::{
    ANYWHERE, BOARD, CELLS, Filter, GOALS, HOPS, NUMBERS, Tables, cells, hop_cells, jumps, single_cell, singles,
    step_cells, target,
};
use spinney_core::game::draw_weighted;
use spinney_core::notation::{PositionText, cell_name, draw_cells};
use spinney_core::{Game, InputError, Notation, Outcome, Parameters, Player, Random, Turn, Weighted, bits, random};
use std::fmt;
use std::sync::LazyLock;

spinney_core::options! {
    /// How the game is played.
    pub struct Options {
        /// search only moves that lead no farther from the goal
        forward: bool = true;
        /// which rules and search moves
        variant: Variant = Variant::Standard;
    }
}

/// After so many plies the game is a draw.
const MOST_PLIES: u16 = 1000;

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

/// The rules.
///
/// ```
/// use spinney_core::{Game, perft};
/// let game = spinney_games::ChineseCheckers::default();
/// assert_eq!(perft(&game, &game.initial(), 3), 1800);
/// ```
#[derive(Clone)]
pub struct ChineseCheckers {
    options: Options,
    tables: &'static Tables,
}

impl fmt::Debug for ChineseCheckers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ChineseCheckers").field(&self.options).finish()
    }
}

/// The pieces of both players, as sets and as lists.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pieces: [u128; 2],
    lists: [List; 2],
    plies: u16,
    mover: Player,
    winner: Option<Player>,
}

/// The order of the lists says only which piece the policy asks next.
impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        (self.pieces, self.plies, self.mover, self.winner) == (other.pieces, other.plies, other.mover, other.winner)
    }
}

/// The cells of a player's pieces as the bytes of a word; two bytes are left over.
#[derive(Clone, Copy, Debug)]
struct List(u64);

const PIECES: u32 = 6;

impl List {
    /// The first player's pieces from the top, the second player's from the bottom, so that neither is favoured.
    fn new(player: Player, pieces: u128) -> Self {
        let places = [0, 1, 2, 3, 4, 5].map(|place| if player == Player::First { place } else { 5 - place });
        List(
            cells(pieces)
                .zip(places)
                .fold(u64::MAX, |list, (cell, place)| list & !(0xff << (8 * place)) | (cell as u64) << (8 * place)),
        )
    }

    #[inline(always)]
    fn cell(self, piece: u32) -> usize {
        (self.0 >> (8 * piece) & 127) as usize
    }

    #[inline(always)]
    fn relocate(&mut self, from: usize, to: usize) {
        const EVERY: u64 = 0x0101_0101_0101_0101;
        let difference = self.0 ^ (from as u64 * EVERY);
        // The lowest of these bits is that of the first byte that is zero.
        let zeros = difference.wrapping_sub(EVERY) & !difference & (EVERY << 7);
        self.0 ^= ((from ^ to) as u64) << (zeros.trailing_zeros() & 56);
    }
}

impl State {
    #[inline(always)]
    fn own(&self) -> u128 {
        self.pieces[self.mover.index()]
    }

    #[inline(always)]
    fn occupied(&self) -> u128 {
        self.pieces[0] | self.pieces[1]
    }

    #[inline(always)]
    fn empty(&self) -> u128 {
        BOARD & !self.occupied()
    }
}

/// The bits of the start (low seven) and of the destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move(u16);

impl Move {
    #[inline(always)]
    fn new(from: usize, to: usize) -> Self {
        Move((from | to << 7) as u16)
    }

    #[inline(always)]
    fn from(self) -> usize {
        usize::from(self.0 & 127)
    }

    #[inline(always)]
    fn to(self) -> usize {
        usize::from(self.0 >> 7)
    }
}

/// The `index`-th bit of `set`, as a number.
#[inline(always)]
fn select(set: u128, index: u32) -> usize {
    let (low, high) = (set as u64, (set >> 64) as u64);
    let lows = low.count_ones();
    let is_high = index >= lows;
    let (word, index) = if is_high { (high, index - lows) } else { (low, index) };
    (bits::select(word, index).trailing_zeros() + 64 * u32::from(is_high)) as usize
}

/// The cells that a piece reaches with hops, layer by layer: all that need one hop, two hops, …
struct Layers<'a> {
    occupied: u128,
    /// For each cell, the directions in which a hop does not leave the goal.
    stays: &'a Filter,
    reached: u128,
    frontier: u128,
}

impl Iterator for Layers<'_> {
    type Item = u128;

    #[inline(always)]
    fn next(&mut self) -> Option<u128> {
        let mut landed = 0;
        for cell in cells(self.frontier) {
            landed |= hop_cells(singles(self.occupied, cell) & self.stays.singles[cell], cell);
        }
        // The start is held, so a chain that comes back to it ends there.
        self.frontier = landed & !self.reached;
        self.reached |= self.frontier;
        (self.frontier != 0).then_some(self.frontier)
    }
}

impl ChineseCheckers {
    /// The rules for these options.
    pub fn new(options: Options) -> Self {
        Self { options, tables: &TABLES }
    }

    #[inline(always)]
    fn is_engine(&self) -> bool {
        self.options.variant == Variant::Engine2014
    }

    /// The target that search moves come no farther from.
    #[inline(always)]
    fn target(&self, state: &State) -> usize {
        if self.options.forward { target(state.mover, state.occupied()) } else { ANYWHERE }
    }

    #[inline(always)]
    fn filter(&self, state: &State) -> &'static Filter {
        &self.tables.filters[state.mover.index()][self.target(state)]
    }

    #[inline(always)]
    fn no_filter(&self, state: &State) -> &'static Filter {
        &self.tables.filters[state.mover.index()][ANYWHERE]
    }

    #[inline(always)]
    fn layers(&self, state: &State, from: usize) -> Layers<'static> {
        Layers { occupied: state.occupied(), stays: self.no_filter(state), reached: 0, frontier: 1 << from }
    }

    /// Appends the moves that a filter lets through.
    fn list(&self, state: &State, filter: &Filter, moves: &mut Vec<Move>) {
        let stays = self.no_filter(state);
        for from in cells(state.own()) {
            let open = singles(state.occupied(), from);
            let mut to = step_cells(open & filter.singles[from], from);
            if open & stays.singles[from] & HOPS != 0 {
                let reached = self.layers(state, from).fold(0, |set, layer| set | layer);
                to |= reached & filter.far[from];
            }
            moves.extend(cells(to).map(|to| Move::new(from, to)));
        }
    }

    /// Whether the player to move has a legal move.
    #[inline(always)]
    fn has_move(&self, state: &State) -> bool {
        let stays = self.no_filter(state);
        let list = state.lists[state.mover.index()];
        (0..PIECES).any(|piece| singles(state.occupied(), list.cell(piece)) & stays.singles[list.cell(piece)] != 0)
    }

    /// The most plies of a game.
    fn most_plies(&self) -> u16 {
        MOST_PLIES + u16::from(self.is_engine())
    }

    /// The winner by the position alone; `moved` is looked at first.
    #[inline(always)]
    fn winner(pieces: &[u128; 2], moved: Player) -> Option<Player> {
        let occupied = pieces[0] | pieces[1];
        let wins = |player: Player| {
            let goal = GOALS[player.index()];
            occupied & goal == goal && pieces[player.index()] & goal != 0
        };
        if wins(moved) { Some(moved) } else { wins(moved.other()).then_some(moved.other()) }
    }

    /// A uniform draw when no move comes nearer, or when few can be told apart: from the list.
    #[cold]
    fn draw_from_list(&self, state: &State, random: &mut Random, moves: &mut Vec<Move>) -> Option<Move> {
        moves.clear();
        self.search_moves(state, moves);
        (!moves.is_empty()).then(|| moves[random.below(moves.len() as u32) as usize])
    }

    fn letter(state: &State, bit: usize) -> char {
        match state.pieces.map(|set| set >> bit & 1) {
            [1, _] => '1',
            [_, 1] => '2',
            _ => '.',
        }
    }

    /// The letters of each row from top to bottom.
    fn rows(state: &State) -> Vec<Vec<char>> {
        let mut rows = vec![Vec::new(); 13];
        CELLS.iter().for_each(|cell| rows[cell.row as usize].push(Self::letter(state, cell.bit)));
        rows
    }
}

impl Default for ChineseCheckers {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Game for ChineseCheckers {
    type State = State;
    type Move = Move;

    fn initial(&self) -> State {
        let pieces = [GOALS[1], GOALS[0]];
        let lists = Player::BOTH.map(|player| List::new(player, pieces[player.index()]));
        State { pieces, lists, plies: 0, mover: Player::First, winner: None }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        match self.quick_turn(state) {
            Turn::Player(player) if !self.has_move(state) => Turn::Over(self.outcome_without_moves(player)),
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

    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        self.list(state, self.no_filter(state), moves);
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) {
        let (from, to) = (1u128 << mv.from(), 1u128 << mv.to());
        let mover = state.mover;
        state.pieces[mover.index()] ^= from | to;
        state.lists[mover.index()].relocate(mv.from(), mv.to());
        state.winner = if self.is_engine() {
            let goal = GOALS[mover.index()];
            let enters = from & goal == 0 && to & goal != 0;
            (enters && state.occupied() & goal == goal).then_some(mover)
        } else {
            Self::winner(&state.pieces, mover)
        };
        state.plies += 1;
        state.mover = mover.other();
    }

    fn move_ids(&self) -> usize {
        CELLS.len() * CELLS.len()
    }

    #[inline(always)]
    fn move_id(&self, _: &State, mv: Move) -> usize {
        usize::from(NUMBERS[mv.from()]) * CELLS.len() + usize::from(NUMBERS[mv.to()])
    }

    fn search_moves(&self, state: &State, moves: &mut Vec<Move>) {
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

    #[inline(always)]
    fn outcome_after(&self, state: &State, mv: Move) -> Option<Outcome> {
        let mut next = *state;
        self.apply(&mut next, mv);
        match self.turn(&next) {
            Turn::Over(outcome) => Some(outcome),
            Turn::Player(_) => None,
        }
    }

    /// Steps and single hops are read off the surroundings of each piece. Chains of several hops take a search,
    /// which is put off: they get as many tickets as there are cells where one could end at most, and only if such a
    /// ticket is drawn are the hops of that one piece followed. A ticket without a move is drawn again.
    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, moves: &mut Vec<Move>) -> Option<Move> {
        if self.is_engine() {
            return self.draw_engine(state, random, moves);
        }
        let (filter, stays) = (self.filter(state), self.no_filter(state));
        let list = state.lists[state.mover.index()];
        let occupied = state.occupied();
        // Where chains of two hops and more can end: on an empty cell from which one could hop back.
        let ends = jumps(occupied);
        let (mut found, mut sums, mut sum) = ([0; PIECES as usize], [0; PIECES as usize], 0);
        let (mut chains, mut tickets) = ([0; PIECES as usize], 0);
        for piece in 0..PIECES {
            let from = list.cell(piece);
            let open = singles(occupied, from);
            let here = open & filter.singles[from];
            found[piece as usize] = here;
            sum += here.count_ones();
            sums[piece as usize] = sum;
            let first = hop_cells(open & stays.singles[from], from);
            let most = (ends & !first & filter.far[from]).count_ones();
            let most = if first & ends != 0 { most } else { 0 };
            chains[piece as usize] = most;
            tickets += most;
        }
        if sum == 0 {
            return self.draw_from_list(state, random, moves);
        }
        loop {
            let ticket = random.below(sum + tickets);
            if ticket >= sum {
                match self.chain(state, ends, filter, &chains, ticket - sum) {
                    Some(mv) => return Some(mv),
                    None => continue,
                }
            }
            // Comparisons instead of branches, which would be wrong most of the time.
            let (mut piece, mut before) = (0, 0);
            for &sum in &sums[..5] {
                let further = ticket >= sum;
                piece += u32::from(further);
                before = if further { sum } else { before };
            }
            let from = list.cell(piece);
            let bit = bits::select(u64::from(found[piece as usize]), ticket - before).trailing_zeros();
            return Some(Move::new(from, single_cell(from, bit)));
        }
    }

    fn has_policy(&self) -> bool {
        true
    }

    /// A piece at random, or the next one that has a move. If it can enter its goal: these moves, with the number
    /// of hops as weight, a step with 1. Else all its moves with 1 more than the number of hops.
    fn policy(&self, state: &State, random: &mut Random, moves: &mut Vec<Move>, candidates: &mut Vec<Weighted<Move>>) {
        self.rounds(state, random, |from| {
            if self.is_engine() {
                self.engine_candidates(state, from, candidates);
            } else {
                let mut found = PieceMoves::NONE;
                self.piece_moves(state, self.filter(state), from, &mut found);
                found.sets().for_each(|(weight, set)| {
                    candidates.extend(cells(set).map(|to| Weighted { mv: Move::new(from, to), weight }));
                });
            }
            (!candidates.is_empty()).then_some(())
        })
        .unwrap_or_else(|| {
            moves.clear();
            self.search_moves(state, moves);
            candidates.extend(moves.iter().map(|&mv| Weighted { mv, weight: 1 }));
        });
    }

    #[inline(always)]
    fn policy_move(
        &self,
        state: &State,
        random: &mut Random,
        moves: &mut Vec<Move>,
        candidates: &mut Vec<Weighted<Move>>,
    ) -> Option<Move> {
        if self.is_engine() {
            candidates.clear();
            self.policy(state, random, moves, candidates);
            return draw_weighted(candidates, random);
        }
        let filter = self.filter(state);
        let list = state.lists[state.mover.index()];
        let mut piece = random.below(PIECES);
        for _ in 0..PIECES {
            let from = list.cell(piece);
            if let Some(to) = self.draw_of_piece(state, filter, from, random) {
                return Some(Move::new(from, to));
            }
            piece = if piece + 1 == PIECES { 0 } else { piece + 1 };
        }
        self.draw_from_list(state, random, moves)
    }

    /// The share of the loser's pieces that have not reached his goal; the published engine counts the pieces of
    /// both players there.
    fn quality(&self, state: &State, winner: Player) -> f32 {
        let loser = winner.other().index();
        let counted = if self.is_engine() { state.occupied() } else { state.pieces[loser] };
        (6.0 - (counted & GOALS[loser]).count_ones() as f32) / 6.0
    }

    /// How much farther the other player's pieces are from the tip of his goal, squashed into (−1, 1).
    fn evaluate(&self, state: &State, player: Player) -> Option<f32> {
        let way = |player: Player| -> i32 {
            let table = &self.tables.to_tip[player.index()];
            cells(state.pieces[player.index()]).map(|cell| i32::from(table[cell])).sum()
        };
        let lead = (way(player.other()) - way(player)) as f32;
        Some(lead / (10.0 + lead.abs()))
    }

    fn key(&self, state: &State) -> Option<u64> {
        let words = state.pieces.iter().flat_map(|&set| [set as u64, (set >> 64) as u64]);
        let rest = u64::from(state.plies) << 1 | state.mover.index() as u64;
        Some(words.fold(random::mix(rest), |key, word| random::mix(key ^ word)))
    }

    /// Published in "Quality-based Rewards for Monte-Carlo Tree Search Simulations" (ECAI 2014).
    fn parameters(&self) -> Parameters {
        Parameters { exploration: 0.8, mast_epsilon: None, simulations_per_second: 14_000 }
    }
}

/// The longest chain of hops that could be needed: hops reach a quarter of the board.
const MOST_HOPS: usize = 20;

/// The moves of one piece that the policy draws from, by number of hops.
struct PieceMoves {
    by_hops: [u128; MOST_HOPS],
    layers: usize,
    /// Whether all of them enter the goal.
    enters: bool,
}

impl PieceMoves {
    const NONE: Self = Self { by_hops: [0; MOST_HOPS], layers: 0, enters: false };

    /// Weights with the destinations of that weight.
    #[inline(always)]
    fn sets(&self) -> impl Iterator<Item = (u32, u128)> {
        let enters = self.enters;
        let weight = move |hops: u32| if enters { hops.max(1) } else { hops + 1 };
        (0..).map(weight).zip(self.by_hops[..self.layers].iter().copied())
    }

    #[inline(always)]
    fn draw(&self, random: &mut Random) -> Option<usize> {
        let total: u32 = self.sets().map(|(weight, set)| weight * set.count_ones()).sum();
        if total == 0 {
            return None;
        }
        let mut ticket = random.below(total);
        for (weight, set) in self.sets() {
            let tickets = weight * set.count_ones();
            if ticket < tickets {
                return Some(select(set, ticket / weight));
            }
            ticket -= tickets;
        }
        None
    }
}

impl ChineseCheckers {
    /// Fills `found`, which must be empty, with the moves of the piece on `from`.
    #[inline(always)]
    fn piece_moves(&self, state: &State, filter: &Filter, from: usize, found: &mut PieceMoves) {
        found.by_hops[0] = step_cells(singles(state.occupied(), from) & filter.singles[from], from);
        found.layers = 1;
        let mut all = found.by_hops[0];
        for layer in self.layers(state, from) {
            let passing = layer & filter.far[from];
            found.by_hops[found.layers] = passing;
            found.layers += 1;
            all |= passing;
        }
        let goal = GOALS[state.mover.index()];
        if all & goal != 0 && goal >> from & 1 == 0 {
            found.by_hops[..found.layers].iter_mut().for_each(|set| *set &= goal);
            found.enters = true;
        }
    }

    /// A destination drawn from the moves of one piece, if it has any.
    #[inline(always)]
    fn draw_of_piece(&self, state: &State, filter: &Filter, from: usize, random: &mut Random) -> Option<usize> {
        let open = singles(state.occupied(), from);
        if open & self.no_filter(state).singles[from] & HOPS != 0 {
            let mut found = PieceMoves::NONE;
            self.piece_moves(state, filter, from, &mut found);
            return found.draw(random);
        }
        let steps = open & filter.singles[from];
        if steps == 0 {
            return None;
        }
        let entering = steps & self.tables.entering[state.mover.index()][from];
        let steps = if entering != 0 { entering } else { steps };
        let bit = bits::select(u64::from(steps), random.below(steps.count_ones())).trailing_zeros();
        Some(single_cell(from, bit))
    }

    /// The chain of this ticket, unless there is none that takes several hops. Each piece has its share of tickets.
    #[inline(never)]
    fn chain(
        &self,
        state: &State,
        ends: u128,
        filter: &Filter,
        shares: &[u32; PIECES as usize],
        ticket: u32,
    ) -> Option<Move> {
        let mut ticket = ticket;
        let mut piece = 0;
        while ticket >= shares[piece] {
            ticket -= shares[piece];
            piece += 1;
        }
        let from = state.lists[state.mover.index()].cell(piece as u32);
        let mut layers = self.layers(state, from);
        let first = layers.next().unwrap_or_default();
        let to = select(ends & !first & filter.far[from], ticket);
        layers.any(|layer| layer >> to & 1 == 1).then(|| Move::new(from, to))
    }

    /// Asks each piece in turn, from a random one on, until there is an answer.
    #[inline(always)]
    fn rounds<T>(&self, state: &State, random: &mut Random, mut ask: impl FnMut(usize) -> Option<T>) -> Option<T> {
        let list = state.lists[state.mover.index()];
        let first = random.below(PIECES);
        (0..PIECES).find_map(|turn| ask(list.cell((first + turn) % PIECES)))
    }

    fn engine_target(&self, state: &State) -> Option<usize> {
        self.options.forward.then(|| target(state.mover, state.occupied()))
    }

    /// The engine's moves of all pieces, each as often as the engine finds it.
    fn list_engine_repeated(&self, state: &State, moves: &mut Vec<Move>) {
        let start = moves.len();
        for target in [self.engine_target(state), None] {
            for from in cells(state.own()) {
                Search::run(state, from, target, &mut |found: Found| moves.push(found.mv));
            }
            if moves.len() > start {
                return;
            }
        }
    }

    /// The engine's moves, each once.
    fn list_engine(&self, state: &State, moves: &mut Vec<Move>) {
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

    /// A piece first, then one of its moves.
    fn draw_engine(&self, state: &State, random: &mut Random, moves: &mut Vec<Move>) -> Option<Move> {
        moves.clear();
        let target = self.engine_target(state);
        self.rounds(state, random, |from| {
            Search::run(state, from, target, &mut |found: Found| moves.push(found.mv));
            (!moves.is_empty()).then_some(())
        });
        if moves.is_empty() {
            self.list_engine_repeated(state, moves);
        }
        (!moves.is_empty()).then(|| moves[random.below(moves.len() as u32) as usize])
    }

    fn engine_candidates(&self, state: &State, from: usize, candidates: &mut Vec<Weighted<Move>>) {
        let goal = GOALS[state.mover.index()];
        let enters = |mv: Move| goal >> mv.from() & 1 == 0 && goal >> mv.to() & 1 == 1;
        Search::run(state, from, self.engine_target(state), &mut |found: Found| {
            candidates.push(Weighted { mv: found.mv, weight: found.hops + 1 });
        });
        if candidates.iter().any(|candidate| enters(candidate.mv)) {
            candidates.retain(|candidate| enters(candidate.mv));
            candidates.iter_mut().for_each(|candidate| candidate.weight = (candidate.weight - 1).max(1));
        }
    }
}

impl Notation for ChineseCheckers {
    /// After the side to move stands the number of plies. In the published engine a full goal need not be a win,
    /// so there a `!` after it says that the last move won.
    fn write_position(&self, state: &State) -> String {
        let rows: Vec<String> = Self::rows(state).into_iter().map(String::from_iter).collect();
        let won = if self.is_engine() && state.winner.is_some() { "!" } else { "" };
        format!("{} {} {}{won}", rows.join("/"), state.mover.number(), state.plies)
    }

    /// The number of plies may be left out; it is then 0.
    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let wrong = |problem: String, remedy: &str| InputError::new("position", problem, remedy);
        let read = PositionText::read(text, "12.")?;
        if read.rows.len() != 13 {
            let problem = format!("the board has {} rows", read.rows.len());
            return Err(wrong(problem, "write 13 rows of 1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2 and 1 cells"));
        }
        for (row, letters) in read.rows.iter().enumerate() {
            let width = CELLS.iter().filter(|cell| cell.row as usize == row).count();
            if letters.len() != width {
                let place = format!("position, row {} from the top", row + 1);
                return Err(InputError::new(
                    place,
                    format!("it has {} cells", letters.len()),
                    format!("make it {width}"),
                ));
            }
        }
        let mut pieces = [0; 2];
        for (cell, letter) in CELLS.iter().zip(read.rows.iter().flat_map(|row| row.iter())) {
            match letter {
                b'1' => pieces[0] |= 1 << cell.bit,
                b'2' => pieces[1] |= 1 << cell.bit,
                _ => {}
            }
        }
        if let Some(side) = pieces.iter().position(|set: &u128| set.count_ones() != 6) {
            let problem = format!("there are {} pieces `{}`", pieces[side].count_ones(), side + 1);
            return Err(wrong(problem, "each player has six"));
        }
        let rest = read.rest.unwrap_or("0");
        let won = self.is_engine() && rest.ends_with('!');
        let number = if won { &rest[..rest.len() - 1] } else { rest };
        let plies = number.parse().ok().filter(|&plies| plies <= self.most_plies()).ok_or_else(|| {
            let problem = format!("`{}` is not a number of plies", spinney_core::error::shorten(rest));
            wrong(problem, &format!("write a number from 0 to {}", self.most_plies()))
        })?;
        let moved = read.mover.other();
        let winner = Self::winner(&pieces, moved);
        if won && winner != Some(moved) {
            return Err(wrong("the player who moved last has not won".to_string(), "remove the `!`"));
        }
        let winner = if self.is_engine() { won.then_some(moved) } else { winner };
        let lists = Player::BOTH.map(|player| List::new(player, pieces[player.index()]));
        Ok(State { pieces, lists, plies, mover: read.mover, winner })
    }

    /// Start and destination: the row's letter from the top and the place in the row from the left.
    fn write_move(&self, _: &State, mv: Move) -> String {
        let name = |bit: usize| {
            let cell = CELLS[usize::from(NUMBERS[bit])];
            cell_name(cell.row as usize, cell.place as usize)
        };
        format!("{}-{}", name(mv.from()), name(mv.to()))
    }

    fn draw(&self, state: &State) -> String {
        let indent = |row: usize| {
            let first = CELLS.iter().find(|cell| cell.row as usize == row).map_or(0, |cell| cell.column);
            2 * first as usize + row % 2
        };
        draw_cells(
            &Self::rows(state).into_iter().enumerate().map(|(row, letters)| (indent(row), letters)).collect::<Vec<_>>(),
        )
    }

    fn player_name(&self, player: Player) -> &'static str {
        ["1 (starts at the top)", "2 (starts at the bottom)"][player.index()]
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.options.write()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_core::Seed;

    fn engine() -> ChineseCheckers {
        ChineseCheckers::new(Options { forward: true, variant: Variant::Engine2014 })
    }

    /// The position with pieces on these cells; the players' other pieces stand in the far corners of the star.
    fn position(game: &ChineseCheckers, pieces: [&str; 2], mover: Player) -> State {
        let idle = ["d1 d2 e1 j1 j2 i1", "d10 d9 e9 j10 j9 i9"];
        let mut names = [Vec::new(), Vec::new()];
        for (side, names) in names.iter_mut().enumerate() {
            names.extend(pieces[side].split(' ').chain(idle[side].split(' ')).take(6));
        }
        let letter = |cell: &geometry::Cell| {
            let name = cell_name(cell.row as usize, cell.place as usize);
            let holder = names.iter().position(|names| names.contains(&name.as_str()));
            ['1', '2', '.'][holder.unwrap_or(2)]
        };
        let row = |row: i32| CELLS.iter().filter(|cell| cell.row == row).map(letter).collect::<String>();
        let rows: Vec<String> = (0..13).map(row).collect();
        game.read_position(&format!("{} {}", rows.join("/"), mover.number())).unwrap()
    }

    fn written(game: &ChineseCheckers, state: &State, moves: &[Move]) -> Vec<String> {
        let mut written: Vec<String> = moves.iter().map(|&mv| game.write_move(state, mv)).collect();
        written.sort();
        written
    }

    /// The moves of the piece on `from`: all legal ones and those that are searched.
    fn moves_of(game: &ChineseCheckers, state: &State, from: &str) -> [Vec<String>; 2] {
        let (mut legal, mut searched) = (Vec::new(), Vec::new());
        game.moves(state, &mut legal);
        game.search_moves(state, &mut searched);
        [legal, searched].map(|moves| {
            let written = written(game, state, &moves);
            let of_piece = written.iter().filter_map(|mv| mv.strip_prefix(&format!("{from}-")));
            of_piece.map(str::to_string).collect()
        })
    }

    /// Follows hops by the letter of the rules, one after the other.
    fn reached_by_hops(state: &State, from: usize) -> u128 {
        let goal = GOALS[state.mover.index()];
        let mut reached = 0u128;
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for step in geometry::STEPS {
                let (over, to) = (at as i32 + step, at as i32 + 2 * step);
                let holds = |set: u128, cell: i32| (0..127).contains(&cell) && set >> cell & 1 == 1;
                let leaves = goal >> at & 1 == 1 && !holds(goal, to);
                if holds(state.occupied(), over) && holds(state.empty(), to) && !leaves && !holds(reached, to) {
                    reached |= 1 << to;
                    open.push(to as usize);
                }
            }
        }
        reached
    }

    #[test]
    fn hops_follow_the_letter_of_the_rules() {
        let game = ChineseCheckers::default();
        let mut random = Random::new(Seed::new(8));
        for _ in 0..20 {
            let mut state = game.initial();
            while let Turn::Player(_) = game.turn(&state) {
                for from in cells(state.own()) {
                    let reached = game.layers(&state, from).fold(0, |set, layer| set | layer);
                    assert_eq!(reached, reached_by_hops(&state, from), "{}", game.write_position(&state));
                }
                let mv = game.random_move(&state, &mut random, &mut Vec::new()).unwrap();
                game.apply(&mut state, mv);
            }
        }
    }

    /// Chains are drawn by rejection; over many positions each move must still be as likely as the others.
    #[test]
    fn moves_are_drawn_alike_wherever_chains_are() {
        let game = ChineseCheckers::default();
        let mut random = Random::new(Seed::new(31));
        let (mut moves, mut buffer) = (Vec::new(), Vec::new());
        let (mut statistic, mut degrees) = (0.0, 0.0);
        let mut state = game.initial();
        for ply in 0..1_000 {
            if let Turn::Over(_) = game.turn(&state) {
                state = game.initial();
            }
            if ply % 10 == 0 {
                moves.clear();
                game.search_moves(&state, &mut moves);
                let mut counts = vec![0.0f64; moves.len()];
                for _ in 0..100 * moves.len() {
                    let drawn = game.random_move(&state, &mut random, &mut buffer).unwrap();
                    counts[moves.iter().position(|&mv| mv == drawn).unwrap()] += 1.0;
                }
                statistic += counts.iter().map(|count| (count - 100.0).powi(2) / 100.0).sum::<f64>();
                degrees += moves.len() as f64 - 1.0;
            }
            let mv = game.random_move(&state, &mut random, &mut buffer).unwrap();
            game.apply(&mut state, mv);
        }
        assert!((statistic - degrees).abs() < 5.0 * (2.0 * degrees).sqrt(), "χ² = {statistic} for {degrees} degrees");
    }

    /// A piece hops over either colour and may stop on the way: g3 over h4 to i5 and over j6 to k3.
    #[test]
    fn chains_of_hops_are_one_move() {
        let game = ChineseCheckers::default();
        let state = position(&game, ["g3 j6", "h4"], Player::First);
        let [legal, searched] = moves_of(&game, &state, "g3");
        assert_eq!(legal, ["f3", "f4", "g2", "g4", "h3", "i5", "k3"]);
        assert_eq!(searched, ["g2", "g4", "h3", "i5", "k3"]);
        let everything = ChineseCheckers::new(Options { forward: false, ..Options::default() });
        assert_eq!(moves_of(&everything, &state, "g3")[1], legal);
    }

    #[test]
    fn a_piece_in_its_goal_stays_there() {
        let game = ChineseCheckers::default();
        let state = position(&game, ["k1 l1", "j5"], Player::First);
        assert_eq!(moves_of(&game, &state, "k1")[0], ["k2", "m1"]);
    }

    #[test]
    fn a_full_goal_with_one_own_piece_wins_whoever_filled_it() {
        let game = ChineseCheckers::default();
        // The first player enters the last free cell of his goal, which still holds five of the other's pieces.
        let state = position(&game, ["j5", "k2 k3 l1 l2 m1"], Player::First);
        let enter = game.read_move(&state, "j5-k1").unwrap();
        assert_eq!(game.outcome_after(&state, enter), Some(Outcome::Win(Player::First)));
        let mut next = state;
        game.apply(&mut next, enter);
        assert_eq!(game.turn(&next), Turn::Over(Outcome::Win(Player::First)));
        // None of the other's pieces has reached his goal.
        assert_eq!(game.quality(&next, Player::First), 1.0);
        // The second player fills it himself.
        let state = position(&game, ["k3", "j5 k2 l1 l2 m1"], Player::Second);
        let back = game.read_move(&state, "j5-k1").unwrap();
        assert_eq!(game.outcome_after(&state, back), Some(Outcome::Win(Player::First)));
        // The engine gives the game only to who enters.
        assert_eq!(engine().outcome_after(&state, back), None);
    }

    #[test]
    fn the_engine_counts_pieces_of_either_colour() {
        let position = "1/2./2../1........./........./......../......./......../2......../2......../111/22/1 2 100";
        let position = position.replace("2......../111", "2........./111");
        let state = ChineseCheckers::default().read_position(&position).unwrap();
        assert_eq!(ChineseCheckers::default().quality(&state, Player::First), 4.0 / 6.0);
        assert_eq!(ChineseCheckers::default().turn(&state), Turn::Over(Outcome::Win(Player::First)));
        let won = engine().read_position(&format!("{position}!")).unwrap();
        assert_eq!(engine().turn(&won), Turn::Over(Outcome::Win(Player::First)));
        assert_eq!(engine().quality(&won, Player::First), 3.0 / 6.0);
        assert_eq!(engine().write_position(&won), format!("{position}!"));
        let goes_on = engine().read_position(&position).unwrap();
        assert_eq!(engine().turn(&goes_on), Turn::Player(Player::Second));
    }

    #[test]
    fn after_a_thousand_plies_it_is_a_draw() {
        let (game, engine) = (ChineseCheckers::default(), engine());
        let start = game.write_position(&game.initial());
        let late = start.replace(" 1 0", " 1 999");
        let mut state = game.read_position(&late).unwrap();
        let mv = game.read_move(&state, "c1-d4").unwrap();
        assert_eq!(game.outcome_after(&state, mv), Some(Outcome::Draw));
        assert_eq!(engine.outcome_after(&state, mv), None);
        game.apply(&mut state, mv);
        assert_eq!(game.turn(&state), Turn::Over(Outcome::Draw));
        assert!(game.write_position(&state).ends_with(" 2 1000"));
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = ChineseCheckers::default();
        let start = game.write_position(&game.initial());
        let problem = |text: String| game.read_position(&text).unwrap_err().to_string();
        assert!(problem(start.replacen('1', ".", 1)).contains("5 pieces `1`"));
        assert!(problem(start.replace(" 1 0", " 1 1001")).contains("number of plies"));
        assert!(problem(start.replace(" 1 0", " 1 3!")).contains("number of plies"));
        assert!(problem(start.replacen("11/", "111/", 1)).contains("row 2"));
        assert!(problem(start.replacen('/', "", 1)).contains("12 rows"));
        assert_eq!(game.read_position(&start.replace(" 1 0", " 1")).unwrap(), game.initial());
    }

    /// The published numbers of move sequences that the engine searches.
    #[test]
    fn the_engine_searches_the_published_moves() {
        fn count(game: &ChineseCheckers, state: &State, depth: u32) -> usize {
            let mut moves = Vec::new();
            game.search_moves(state, &mut moves);
            if depth == 1 {
                return moves.len();
            }
            let after = |mv: &Move| {
                let mut next = *state;
                game.apply(&mut next, *mv);
                count(game, &next, depth - 1)
            };
            moves.iter().map(after).sum()
        }
        let game = engine();
        let counts = [1, 2, 3, 4].map(|depth| count(&game, &game.initial(), depth));
        assert_eq!(counts, [10, 100, 1392, 19_667]);
    }

    /// Uniform draws from the engine's search moves, repeated ones included: 156.8 plies (deviation 28.8) over 5000
    /// published games.
    #[test]
    fn the_engine_plays_games_of_the_published_length() {
        let game = engine();
        let mut random = Random::new(Seed::new(5));
        let mut moves = Vec::new();
        let games = 1_000;
        let mut plies = 0;
        for _ in 0..games {
            let mut state = game.initial();
            while let Turn::Player(_) = game.quick_turn(&state) {
                moves.clear();
                game.list_engine_repeated(&state, &mut moves);
                game.apply(&mut state, moves[random.below(moves.len() as u32) as usize]);
            }
            plies += u32::from(state.plies);
        }
        let (length, error) = (f64::from(plies) / f64::from(games), 28.8 * (1.0 / 1000.0 + 1.0 / 5000.0f64).sqrt());
        assert!((length - 156.8).abs() <= 4.0 * error, "{length} plies");
    }

    #[test]
    fn the_policy_enters_the_goal_if_the_piece_can() {
        let game = ChineseCheckers::default();
        let state = position(&game, ["j5", "k2 l1 l2 m1"], Player::First);
        let mut random = Random::new(Seed::new(1));
        let mut seen = Vec::new();
        for _ in 0..400 {
            let mv = game.policy_move(&state, &mut random, &mut Vec::new(), &mut Vec::new()).unwrap();
            let text = game.write_move(&state, mv);
            if text.starts_with("j5") && !seen.contains(&text) {
                seen.push(text);
            }
        }
        seen.sort();
        assert_eq!(seen, ["j5-k1"]);
    }
}
