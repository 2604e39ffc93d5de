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

mod draw;
mod engine2014;
mod geometry;
mod hops;
mod pieces;
mod wide;

use crate::variant::Variant;
use draw::{PieceMoves, Weights, enters_goal, policy_weight};
use engine2014::Search;
use geometry::{
    ANYWHERE, CELLS, FIRST_FREE, FULL, Filter, FirstFree, GOALS, NO_TARGET, NUMBERS, TARGETS, Tables, cells, goal_held,
    hop_cells, singles, step_cells,
};
use pieces::{PIECES, Pieces, cell_at};
use spinney_core::notation::{PositionText, cell_name, draw_cells};
use spinney_core::scene::{Figure, Scene, Shape, Tone};
use spinney_core::{Game, InputError, Notation, Outcome, Parameters, Player, Random, Turn, Weighted, random};
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
const MOST_PLIES: u32 = 1000;

static STANDARD: LazyLock<Tables> = LazyLock::new(|| Tables::new(Variant::Standard));
static ENGINE: LazyLock<Tables> = LazyLock::new(|| Tables::new(Variant::Engine2014));

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
    first_free: &'static FirstFree,
}

impl fmt::Debug for ChineseCheckers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ChineseCheckers").field(&self.options).finish()
    }
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pieces: Pieces,
    /// A whole word: a shorter one would be read together with its neighbours, which have just been written.
    plies: u32,
    mover: Player,
    winner: Option<Player>,
}

/// The order of the pieces says only which one the policy asks next.
impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        let sets = |state: &Self| Player::BOTH.map(|player| state.pieces.of(player));
        (sets(self), self.plies, self.mover, self.winner) == (sets(other), other.plies, other.mover, other.winner)
    }
}

impl State {
    fn own(&self) -> u128 {
        self.pieces.of(self.mover)
    }
}

/// The bits of the start and of the destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move {
    from: u8,
    to: u8,
}

impl Move {
    #[inline(always)]
    fn new(from: usize, to: usize) -> Self {
        Move { from: from as u8, to: to as u8 }
    }

    #[inline(always)]
    fn from(self) -> usize {
        usize::from(self.from & 127)
    }

    #[inline(always)]
    fn to(self) -> usize {
        usize::from(self.to & 127)
    }
}

impl ChineseCheckers {
    /// The rules for these options.
    pub fn new(options: Options) -> Self {
        let tables = if options.variant == Variant::Standard { &STANDARD } else { &ENGINE };
        let first_free = if options.forward { &FIRST_FREE } else { &NO_TARGET };
        Self { options, tables, first_free }
    }

    #[inline(always)]
    fn is_engine(&self) -> bool {
        self.options.variant == Variant::Engine2014
    }

    /// The filter of the player to move for the first free cell of his goal.
    #[inline(always)]
    fn filter(&self, state: &State) -> &'static Filter {
        let player = state.mover;
        let held = goal_held(player, state.pieces.occupied_word(0), state.pieces.occupied_word(1));
        let target = self.first_free[player.index()][held & FULL];
        &self.tables.filters[player.index()][usize::from(target) & (TARGETS - 1)]
    }

    #[inline(always)]
    fn no_filter(&self, state: &State) -> &'static Filter {
        &self.tables.filters[state.mover.index()][ANYWHERE]
    }

    /// Appends the moves that a filter lets through.
    fn list(&self, state: &State, filter: &Filter, moves: &mut Vec<Move>) {
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

    /// Whether a player has a legal move when these cells are held.
    #[inline(always)]
    fn has_move(&self, player: Player, list: u64, occupied: u128) -> bool {
        let filter = &self.tables.filters[player.index()][ANYWHERE];
        let can_move = |cell: usize| singles(occupied, cell) & filter.legal(cell) != 0;
        (0..PIECES).any(|piece| can_move(cell_at(list, 8 * piece)))
    }

    /// The most plies of a game.
    fn most_plies(&self) -> u32 {
        MOST_PLIES + u32::from(self.is_engine())
    }

    /// The winner by the position alone; `moved` is looked at first.
    fn winner(pieces: [u128; 2], moved: Player) -> Option<Player> {
        let occupied = pieces[0] | pieces[1];
        let wins = |player: Player| {
            let goal = GOALS[player.index()];
            occupied & goal == goal && pieces[player.index()] & goal != 0
        };
        if wins(moved) { Some(moved) } else { wins(moved.other()).then_some(moved.other()) }
    }

    /// Who wins by a move that leaves a goal full.
    #[cold]
    fn winner_after(&self, pieces: &Pieces, mover: Player, mv: Move) -> Option<Player> {
        if !self.is_engine() {
            return Self::winner(Player::BOTH.map(|player| pieces.of(player)), mover);
        }
        let goal = GOALS[mover.index()];
        let enters = goal >> mv.from() & 1 == 0 && goal >> mv.to() & 1 == 1;
        (enters && pieces.occupied() & goal == goal).then_some(mover)
    }

    fn letter(state: &State, bit: usize) -> char {
        match Player::BOTH.map(|player| state.pieces.of(player) >> bit & 1) {
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

    /// How far a row is moved to the right, in half cells.
    fn indent(row: usize) -> usize {
        let first = CELLS.iter().find(|cell| cell.row as usize == row).map_or(0, |cell| cell.column);
        2 * first as usize + row % 2
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
        State { pieces: Pieces::new([GOALS[1], GOALS[0]]), plies: 0, mover: Player::First, winner: None }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        match self.quick_turn(state) {
            Turn::Player(player) if !self.has_move(player, state.pieces.list(player), state.pieces.occupied()) => {
                Turn::Over(self.outcome_without_moves(player))
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

    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        self.list(state, self.no_filter(state), moves);
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) {
        let mover = state.mover;
        state.pieces.relocate(mover, mv.from(), mv.to());
        let held = |player: Player| goal_held(player, state.pieces.occupied_word(0), state.pieces.occupied_word(1));
        let is_full = held(Player::First) == FULL || held(Player::Second) == FULL;
        state.winner = if is_full { self.winner_after(&state.pieces, mover, mv) } else { None };
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
        let enters = (GOALS[0] | GOALS[1]) >> mv.to() & 1 == 1;
        if !enters && state.plies + 1 < self.most_plies() {
            let other = state.mover.other();
            let occupied = state.pieces.occupied() ^ 1 << mv.from() ^ 1 << mv.to();
            let goes_on = self.has_move(other, state.pieces.list(other), occupied);
            return (!goes_on).then(|| self.outcome_without_moves(other));
        }
        let mut next = *state;
        self.apply(&mut next, mv);
        self.turn(&next).outcome()
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, moves: &mut Vec<Move>) -> Option<Move> {
        if self.is_engine() {
            self.draw_by_piece(state, Weights::Equal, random, moves)
        } else {
            self.draw_of_all(state, random, moves)
        }
    }

    fn has_policy(&self) -> bool {
        true
    }

    /// A piece at random, or the next one that has a move, with the weights of `Weights::Policy`.
    fn policy(&self, state: &State, random: &mut Random, moves: &mut Vec<Move>, candidates: &mut Vec<Weighted<Move>>) {
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
                found.fill(state, self.filter(state), state.pieces.hops(), from);
                candidates.extend(found.weighted().map(weighted));
            }
            if candidates.len() > start {
                return;
            }
        }
        moves.clear();
        self.search_moves(state, moves);
        candidates.extend(moves.iter().map(|&mv| Weighted { mv, weight: 1 }));
    }

    #[inline(always)]
    fn policy_move(
        &self,
        state: &State,
        random: &mut Random,
        moves: &mut Vec<Move>,
        _: &mut Vec<Weighted<Move>>,
    ) -> Option<Move> {
        self.draw_by_piece(state, Weights::Policy, random, moves)
    }

    /// The share of the loser's pieces that have not reached his goal; the published engine counts the pieces of
    /// both players there.
    fn quality(&self, state: &State, winner: Player) -> f32 {
        let loser = winner.other();
        let counted = if self.is_engine() { state.pieces.occupied() } else { state.pieces.of(loser) };
        (6.0 - (counted & GOALS[loser.index()]).count_ones() as f32) / 6.0
    }

    /// How much farther the other player's pieces are from the tip of his goal, squashed into (−1, 1).
    fn evaluate(&self, state: &State, player: Player) -> Option<f32> {
        let way = |player: Player| -> i32 {
            let table = &self.tables.to_tip[player.index()];
            cells(state.pieces.of(player)).map(|cell| i32::from(table[cell])).sum()
        };
        let lead = (way(player.other()) - way(player)) as f32;
        Some(lead / (10.0 + lead.abs()))
    }

    fn key(&self, state: &State) -> Option<u64> {
        let sets = Player::BOTH.map(|player| state.pieces.of(player));
        let words = sets.iter().flat_map(|&set| [set as u64, (set >> 64) as u64]);
        let rest = u64::from(state.plies) << 1 | state.mover.index() as u64;
        Some(words.fold(random::mix(rest), |key, word| random::mix(key ^ word)))
    }

    /// Published in "Quality-based Rewards for Monte-Carlo Tree Search Simulations" (ECAI 2014).
    fn parameters(&self) -> Parameters {
        Parameters {
            exploration: 0.8,
            mast_epsilon: None,
            simulations_per_second: 14_000,
            relative_steepness: 1.2,
            qualitative_steepness: 2.8,
        }
    }
}

impl ChineseCheckers {
    /// The engine's moves of all pieces, each as often as the engine finds it.
    fn list_engine_repeated(&self, state: &State, moves: &mut Vec<Move>) {
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
        let winner = Self::winner(pieces, moved);
        if won && winner != Some(moved) {
            return Err(wrong("the player who moved last has not won".to_string(), "remove the `!`"));
        }
        let winner = if self.is_engine() { won.then_some(moved) } else { winner };
        Ok(State { pieces: Pieces::new(pieces), plies, mover: read.mover, winner })
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
        let rows = Self::rows(state).into_iter().enumerate().map(|(row, letters)| (Self::indent(row), letters));
        draw_cells(&rows.collect::<Vec<_>>())
    }

    fn scene(&self, state: &State) -> Scene {
        let tone = |bit: usize| {
            let home = Player::BOTH.into_iter().find(|player| GOALS[player.other().index()] >> bit & 1 == 1);
            home.map_or(Tone::Plain, Tone::Home)
        };
        let cell = |cell: &geometry::Cell| (cell_name(cell.row as usize, cell.place as usize), tone(cell.bit));
        let row =
            |row: usize| (Self::indent(row), CELLS.iter().filter(|cell| cell.row as usize == row).map(cell).collect());
        let meanings = [('1', Some(Player::First), Figure::Stone), ('2', Some(Player::Second), Figure::Stone)];
        Scene::staggered(Shape::Hole, (0..13).map(row))
            .with_letters(|cell| Self::letter(state, CELLS[cell].bit), &meanings)
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
    use engine2014::Found;
    use geometry::BOARD;
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
                if holds(state.pieces.occupied(), over)
                    && holds(BOARD & !state.pieces.occupied(), to)
                    && !leaves
                    && !holds(reached, to)
                {
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
                    let legal = game.no_filter(&state).legal(from);
                    let first = hop_cells(singles(state.pieces.occupied(), from) & legal, from);
                    let layers = state.pieces.hops().layers(state.mover, first);
                    let reached = layers.fold(first, |set, layer| set | layer);
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

    /// Draws by piece, against the chances that follow from the moves of every single piece.
    #[test]
    fn a_piece_is_drawn_first_and_then_its_move() {
        for (game, by_policy) in [(engine(), false), (engine(), true), (ChineseCheckers::default(), true)] {
            let mut random = Random::new(Seed::new(32));
            let (mut statistic, mut degrees) = (0.0, 0.0);
            let mut state = game.initial();
            let draw = |state: &State, random: &mut Random| match by_policy {
                true => game.policy_move(state, random, &mut Vec::new(), &mut Vec::new()).unwrap(),
                false => game.random_move(state, random, &mut Vec::new()).unwrap(),
            };
            for ply in 0..1_000 {
                if let Turn::Over(_) = game.turn(&state) {
                    state = game.initial();
                }
                // The moves of each piece with their weights.
                let of_piece = |piece: u32| -> Vec<(Move, u32)> {
                    let from = cell_at(state.pieces.list(state.mover), 8 * piece);
                    let moves = if game.is_engine() {
                        let all: Vec<Found> =
                            Search::new(state.pieces.occupied(), game.filter(&state), from).all().collect();
                        let enters = enters_goal(state.mover, from, all.iter().copied());
                        let policy = |found: &Found| policy_weight(state.mover, enters, *found);
                        let weight = |found: &Found| if by_policy { policy(found) } else { 1 };
                        all.iter().map(|found| (found.to.into(), weight(found))).collect::<Vec<(usize, u32)>>()
                    } else {
                        let mut found = PieceMoves::NONE;
                        found.fill(&state, game.filter(&state), state.pieces.hops(), from);
                        found.weighted().collect()
                    };
                    moves.into_iter().map(|(to, weight)| (Move::new(from, to), weight)).collect()
                };
                let pieces: Vec<Vec<(Move, u32)>> = (0..PIECES).map(of_piece).collect();
                if ply % 10 == 0 && pieces.iter().any(|moves| !moves.is_empty()) {
                    let mut chances: Vec<(Move, f64)> = Vec::new();
                    for first in 0..6 {
                        let asked = (first..first + 6).map(|piece| &pieces[piece % 6]);
                        let moves = asked.into_iter().find(|moves| !moves.is_empty()).unwrap();
                        let total: u32 = moves.iter().map(|&(_, weight)| weight).sum();
                        for &(mv, weight) in moves.iter().filter(|(_, weight)| *weight > 0) {
                            let chance = f64::from(weight) / f64::from(total) / 6.0;
                            match chances.iter_mut().find(|(known, _)| *known == mv) {
                                Some((_, known)) => *known += chance,
                                None => chances.push((mv, chance)),
                            }
                        }
                    }
                    let draws = 4_000;
                    let mut counts = vec![0.0f64; chances.len()];
                    for _ in 0..draws {
                        let drawn = draw(&state, &mut random);
                        counts[chances.iter().position(|&(mv, _)| mv == drawn).unwrap()] += 1.0;
                    }
                    let expected = chances.iter().map(|(_, chance)| chance * f64::from(draws));
                    statistic += counts.iter().zip(expected).map(|(n, e)| (n - e).powi(2) / e).sum::<f64>();
                    degrees += chances.len() as f64 - 1.0;
                }
                let mv = draw(&state, &mut random);
                game.apply(&mut state, mv);
            }
            let far = (statistic - degrees).abs() / (2.0 * degrees).sqrt();
            assert!(far < 5.0, "{game:?}, policy {by_policy}: χ² = {statistic} for {degrees} degrees");
        }
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
        let state = position(&everything, ["g3 j6", "h4"], Player::First);
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

    /// Looks around as the engine does, cell by cell.
    struct Looker<'a> {
        state: &'a State,
        from: usize,
        target: Option<usize>,
        seen: u128,
        found: Vec<(usize, u32)>,
    }

    impl Looker<'_> {
        fn look_around(&mut self, at: usize, hops: u32) {
            let goal = GOALS[self.state.mover.index()];
            let stays = |from: usize, to: u128| goal >> from & 1 == 0 || goal & to != 0;
            let empty = BOARD & !self.state.pieces.occupied();
            for direction in geometry::grid::ORDER {
                let next = geometry::stepped(1 << at, direction);
                if next & BOARD & !self.seen == 0 {
                    continue;
                }
                self.seen |= next;
                let cell = next.trailing_zeros() as usize;
                let nears = self.target.is_none_or(|target| {
                    geometry::grid::distance(cell, target) <= geometry::grid::distance(self.from, target)
                });
                if empty & next != 0 {
                    if hops == 0 && stays(at, next) && nears {
                        self.found.push((cell, 0));
                    }
                    continue;
                }
                let landing = geometry::stepped(next, direction) & empty;
                if landing != 0 && stays(at, landing) {
                    let to = landing.trailing_zeros() as usize;
                    if nears {
                        self.found.push((to, hops + 1));
                    }
                    self.look_around(to, hops + 1);
                }
            }
        }
    }

    #[test]
    fn the_engine_finds_what_it_finds_cell_by_cell() {
        let game = engine();
        let mut random = Random::new(Seed::new(12));
        for _ in 0..50 {
            let mut state = game.initial();
            while let Turn::Player(player) = game.turn(&state) {
                for from in cells(state.own()) {
                    let held = |cell: &&usize| state.pieces.occupied() >> **cell & 1 == 1;
                    let goal = geometry::GOAL_CELLS[player.index()];
                    let target = *goal.iter().find(|cell| !held(cell)).unwrap_or(&goal[0]);
                    for (filter, target) in [(game.filter(&state), Some(target)), (game.no_filter(&state), None)] {
                        let mut looker = Looker { state: &state, from, target, seen: 1 << from, found: Vec::new() };
                        looker.look_around(from, 0);
                        let search = Search::new(state.pieces.occupied(), filter, from);
                        let found: Vec<_> = search.all().map(|one| (one.to.into(), one.hops.into())).collect();
                        assert_eq!(found, looker.found, "{}", game.write_position(&state));
                    }
                }
                let mv = game.random_move(&state, &mut random, &mut Vec::new()).unwrap();
                game.apply(&mut state, mv);
            }
        }
    }

    /// What is drawn before the engine's search is made must be found by it, and there must be enough tickets.
    #[test]
    fn the_engine_finds_what_is_sure_and_no_more_than_the_most() {
        let game = engine();
        let mut random = Random::new(Seed::new(13));
        let (mut chains, mut lost) = (0, 0);
        for _ in 0..200 {
            let mut state = game.initial();
            while let Turn::Player(_) = game.turn(&state) {
                for from in cells(state.own()) {
                    let (filter, hops) = (game.filter(&state), state.pieces.hops());
                    let open = singles(state.pieces.occupied(), from);
                    let (single, legal) = (open & filter.singles(from), u64::from(open & filter.legal(from)) >> 6);
                    let onward = hops.ends().in_reach_of(from);
                    if onward & legal == 0 {
                        continue;
                    }
                    chains += 1;
                    let sure = engine2014::sure(onward, legal);
                    let search = Search::new(state.pieces.occupied(), filter, from);
                    let hopped = |direction: &u64| search.chains().iter().any(|found| found.is_single(1 << direction));
                    let hops_found = (0..6).filter(hopped).fold(0, |set, direction| set | 1 << direction);
                    let found = search.steps() | hops_found << 6;
                    assert_eq!(found & (sure | sure << 6), u64::from(single) & (sure | sure << 6));
                    lost += u32::from(found != u64::from(single));
                    let most = engine2014::most_found(hops, filter, from, single);
                    assert!(search.all().count() <= most as usize, "{}", game.write_position(&state));
                }
                let mv = game.random_move(&state, &mut random, &mut Vec::new()).unwrap();
                game.apply(&mut state, mv);
            }
        }
        // Some moves are not sure.
        assert!(chains > 10_000 && lost > 100, "{lost} of {chains}");
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
            plies += state.plies;
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
