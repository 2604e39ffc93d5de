//! Breakthrough (Dan Troyka, 2000): pawns race for the far side.
//!
//! A pawn steps one square straight forward onto an empty square, or one square diagonally forward onto an empty
//! square or a pawn of the opponent, which it captures. Who reaches the far row or captures every enemy pawn wins.
//!
//! The board is kept in the view of the player to move, who always moves towards higher bits; making a move turns
//! the board around. So there is one move generator and no branch on the colour.

use spinney_core::notation::{PositionText, draw_grid, square_name};
use spinney_core::scene::{Figure, Scene, Tone};
use spinney_core::{Game, InputError, Notation, Outcome, Parameters, Player, Random, Turn, Weighted, bits, random};

spinney_core::options! {
    /// The size of the board.
    pub struct Options {
        /// number of rows
        rows: u8 = 8, in 5 to 8;
        /// number of columns
        columns: u8 = 8, in 5 to 8;
    }
}

/// The rules on a board of 5×5 to 8×8 squares.
///
/// ```
/// use spinney_core::{Game, perft};
/// let game = spinney_games::Breakthrough::default();
/// assert_eq!(perft(&game, &game.initial(), 2), 22 * 22);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Breakthrough {
    options: Options,
    /// All squares of the board.
    board: u64,
    /// How far the turned board is above its place.
    excess: u32,
}

/// Pawns as bits, eight to a row: bit 0 is the left end of the mover's own home row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    own: u64,
    other: u64,
    mover: Player,
}

/// A destination in the mover's view (low six bits) and a direction: 0 left, 1 straight, 2 right (high two bits).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move(u8);

impl Move {
    #[inline(always)]
    fn new(destination: u64, direction: u32) -> Self {
        Move((destination.trailing_zeros() | direction << 6) as u8)
    }

    #[inline(always)]
    fn to(self) -> u32 {
        u32::from(self.0) & 63
    }

    #[inline(always)]
    fn from(self) -> u32 {
        self.to() - 7 - (u32::from(self.0) >> 6)
    }
}

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;
const HOME_ROW: u64 = 0xff;
const SECOND_ROW: u64 = 0xff00;

/// Destinations by direction: left, straight, right.
type Destinations = [u64; 3];

impl Breakthrough {
    /// The rules for these options.
    pub fn new(options: Options) -> Self {
        let row = (1u64 << options.columns) - 1;
        let board = (0..options.rows).fold(0, |board, rank| board | row << (8 * rank));
        Self { board, excess: 64 - 8 * u32::from(options.rows), options }
    }

    /// The board seen from the other side; columns stay where they are.
    #[inline(always)]
    fn turned(&self, set: u64) -> u64 {
        set.swap_bytes() >> self.excess
    }

    /// The far row, where the mover wins.
    #[inline(always)]
    fn goal(&self) -> u64 {
        HOME_ROW << (8 * (u32::from(self.options.rows) - 1))
    }

    #[inline(always)]
    fn destinations(&self, state: &State) -> Destinations {
        let diagonal = self.board & !state.own;
        let straight = diagonal & !state.other;
        [
            (state.own << 7) & !LAST_COLUMN & diagonal,
            (state.own << 8) & straight,
            (state.own << 9) & !FIRST_COLUMN & diagonal,
        ]
    }

    /// Destinations that cannot be recaptured at once as the published engine tests it: the two squares
    /// diagonally in front are off the board or empty, whoever's pawn might stand there.
    #[inline(always)]
    fn unguarded(state: &State) -> u64 {
        let occupied = state.own | state.other;
        !(((occupied >> 7) & !FIRST_COLUMN) | ((occupied >> 9) & !LAST_COLUMN))
    }

    /// Pawns of the first and the second player on the board as it is drawn, rank 1 in the low bits.
    fn pawns(&self, state: &State) -> [u64; 2] {
        match state.mover {
            Player::First => [state.own, state.other],
            Player::Second => [self.turned(state.other), self.turned(state.own)],
        }
    }

    fn letter(&self, state: &State, column: usize, rank: usize) -> char {
        let [white, black] = self.pawns(state).map(|set| set >> (8 * rank + column) & 1);
        if white == 1 {
            'w'
        } else if black == 1 {
            'b'
        } else {
            '.'
        }
    }
}

impl Default for Breakthrough {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Game for Breakthrough {
    type State = State;
    type Move = Move;

    fn initial(&self) -> State {
        let own = self.board & (HOME_ROW | SECOND_ROW);
        State { own, other: self.turned(own), mover: Player::First }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        if state.other & HOME_ROW != 0 || state.own == 0 {
            Turn::Over(Outcome::Win(state.mover.other()))
        } else {
            Turn::Player(state.mover)
        }
    }

    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        for (direction, destinations) in self.destinations(state).into_iter().enumerate() {
            moves.extend(bits::squares(destinations).map(|to| Move(to | (direction as u8) << 6)));
        }
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) {
        let to = 1 << mv.to();
        let own = state.own ^ (1 << mv.from()) | to;
        let other = state.other & !to;
        *state = State { own: self.turned(other), other: self.turned(own), mover: state.mover.other() };
    }

    fn move_ids(&self) -> usize {
        192
    }

    #[inline(always)]
    fn move_id(&self, _: &State, mv: Move) -> usize {
        usize::from(mv.0)
    }

    #[inline(always)]
    fn outcome_after(&self, state: &State, mv: Move) -> Option<Outcome> {
        let to = 1 << mv.to();
        (to & self.goal() != 0 || state.other == to).then_some(Outcome::Win(state.mover))
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, _: &mut Vec<Move>) -> Option<Move> {
        let [left, straight, right] = self.destinations(state);
        let [lefts, straights, rights] = [left, straight, right].map(u64::count_ones);
        let index = random.below(lefts + straights + rights);
        // Two comparisons instead of branches: the direction is random and a wrong guess costs more than the sum.
        let not_left = u32::from(index >= lefts);
        let is_right = u32::from(index >= lefts + straights);
        let direction = not_left + is_right;
        let index = index - (lefts & not_left.wrapping_neg()) - (straights & is_right.wrapping_neg());
        let set = if direction == 0 { left } else { straight };
        let set = if direction == 2 { right } else { set };
        Some(Move::new(bits::select(set, index), direction))
    }

    fn has_policy(&self) -> bool {
        true
    }

    /// A winning step if there is one; else captures of a pawn about to win; else every move, captures with
    /// weight 2 and captures that cannot be answered with weight 5.
    fn policy(&self, state: &State, _: &mut Random, _: &mut Vec<Move>, candidates: &mut Vec<Weighted<Move>>) {
        let destinations = self.destinations(state);
        if let Some(mv) = self.winning_step(&destinations) {
            candidates.push(Weighted { mv, weight: 1 });
            return;
        }
        let saves = Self::saves(state, &destinations);
        let saving = saves != [0, 0];
        let unguarded = Self::unguarded(state);
        for (direction, set) in (0u8..).zip(if saving { [saves[0], 0, saves[1]] } else { destinations }) {
            candidates.extend(bits::squares(set).map(|to| {
                let capture = state.other >> to & 1;
                let weight = if saving { 1 } else { 1 + capture as u32 * (1 + 3 * (unguarded >> to & 1) as u32) };
                Weighted { mv: Move(to | direction << 6), weight }
            }));
        }
    }

    #[inline(always)]
    fn policy_move(
        &self,
        state: &State,
        random: &mut Random,
        _: &mut Vec<Move>,
        _: &mut Vec<Weighted<Move>>,
    ) -> Option<Move> {
        let destinations = self.destinations(state);
        if let Some(mv) = self.winning_step(&destinations) {
            return Some(mv);
        }
        let saves = Self::saves(state, &destinations);
        if saves != [0, 0] {
            let lefts = saves[0].count_ones();
            let index = random.below(lefts + saves[1].count_ones());
            return Some(if index < lefts {
                Move::new(bits::select(saves[0], index), 0)
            } else {
                Move::new(bits::select(saves[1], index - lefts), 2)
            });
        }
        // Layers that add up to the weights: every move once, every capture once more, every safe one thrice more.
        let [left, straight, right] = destinations;
        let unguarded = Self::unguarded(state);
        let (left_captures, right_captures) = (left & state.other, right & state.other);
        let (left_safe, right_safe) = (left_captures & unguarded, right_captures & unguarded);
        let layers = [
            (left, 0, 1),
            (straight, 1, 1),
            (right, 2, 1),
            (left_captures, 0, 1),
            (right_captures, 2, 1),
            (left_safe, 0, 3),
            (right_safe, 2, 3),
        ];
        let total: u32 = layers.iter().map(|&(set, _, weight)| set.count_ones() * weight).sum();
        let mut ticket = random.below(total);
        for (set, direction, weight) in layers {
            let tickets = set.count_ones() * weight;
            if ticket < tickets {
                return Some(Move::new(bits::select(set, ticket / weight), direction));
            }
            ticket -= tickets;
        }
        None
    }

    /// Difference of pawns over 16, whatever the size of the board; negative when the winner is behind.
    fn quality(&self, state: &State, winner: Player) -> f32 {
        let lead = state.own.count_ones() as f32 - state.other.count_ones() as f32;
        (if winner == state.mover { lead } else { -lead }) / 16.0
    }

    /// Pawns, and how far the foremost of them has come, squashed into (−1, 1).
    fn evaluate(&self, state: &State, player: Player) -> Option<f32> {
        let worth = |pawns: u64| {
            let foremost = pawns.checked_ilog2().map_or(0, |bit| bit / 8);
            pawns.count_ones() as f32 + foremost as f32 * 0.5
        };
        let lead = worth(state.own) - worth(self.turned(state.other));
        let lead = if player == state.mover { lead } else { -lead };
        Some(lead / (4.0 + lead.abs()))
    }

    fn key(&self, state: &State) -> Option<u64> {
        Some(random::mix(state.own ^ random::mix(state.other ^ state.mover.index() as u64)))
    }

    /// Published for 8×8 in "Quality-based Rewards for Monte-Carlo Tree Search Simulations" (ECAI 2014).
    fn parameters(&self) -> Parameters {
        Parameters {
            exploration: 1.0,
            mast_epsilon: Some(0.7),
            simulations_per_second: 17_000,
            relative_steepness: 8.0,
            qualitative_steepness: 2.0,
        }
    }
}

impl Breakthrough {
    #[inline(always)]
    fn winning_step(&self, destinations: &Destinations) -> Option<Move> {
        let goal = self.goal();
        (0u32..).zip(destinations).find(|(_, set)| *set & goal != 0).map(|(direction, set)| {
            let foremost = set & goal;
            Move::new(foremost & foremost.wrapping_neg(), direction)
        })
    }

    /// Captures that start from the home row, left and right: each takes a pawn one step from winning.
    #[inline(always)]
    fn saves(state: &State, destinations: &Destinations) -> [u64; 2] {
        let threats = state.other & SECOND_ROW;
        [destinations[0] & threats, destinations[2] & threats]
    }
}

impl Notation for Breakthrough {
    fn write_position(&self, state: &State) -> String {
        let (rows, columns) = (usize::from(self.options.rows), usize::from(self.options.columns));
        let row = |rank: usize| (0..columns).map(|column| self.letter(state, column, rank)).collect::<String>();
        let board: Vec<String> = (0..rows).rev().map(row).collect();
        format!("{} {}", board.join("/"), state.mover.number())
    }

    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let wrong = |problem: &str, remedy: &str| InputError::new("position", problem, remedy);
        let read = PositionText::read(text, "wb.")?;
        read.nothing_more()?;
        let (rows, columns) = (usize::from(self.options.rows), usize::from(self.options.columns));
        if read.rows.len() != rows {
            let problem = format!("the board has {} rows", read.rows.len());
            return Err(wrong(&problem, "boards of 5 to 8 rows and columns can be played"));
        }
        let mut pawns = [0u64; 2];
        for (rank, row) in read.rows.iter().rev().enumerate() {
            if row.len() != columns {
                let place = format!("position, row {} from the top", rows - rank);
                let problem = format!("it has {} squares", row.len());
                return Err(InputError::new(place, problem, format!("make it {columns} squares like the first row")));
            }
            for (column, &letter) in row.iter().enumerate() {
                match letter {
                    b'w' => pawns[0] |= 1 << (8 * rank + column),
                    b'b' => pawns[1] |= 1 << (8 * rank + column),
                    _ => {}
                }
            }
        }
        if let Some(side) = pawns.iter().position(|set| set.count_ones() as usize > 2 * columns) {
            let problem = format!("there are {} `{}`", pawns[side].count_ones(), ['w', 'b'][side]);
            return Err(wrong(&problem, &format!("a side has at most {} pawns", 2 * columns)));
        }
        if pawns == [0, 0] {
            return Err(wrong("there is no pawn", "put at least one on the board"));
        }
        let state = match read.mover {
            Player::First => State { own: pawns[0], other: pawns[1], mover: read.mover },
            Player::Second => State { own: self.turned(pawns[1]), other: self.turned(pawns[0]), mover: read.mover },
        };
        if state.other == 0 || state.own & self.goal() != 0 {
            return Err(wrong("the side to move has won already", "give the move to the other side"));
        }
        if (state.other & HOME_ROW).count_ones() > 1 {
            return Err(wrong("two pawns have reached the far row", "the first of them ended the game: remove one"));
        }
        Ok(state)
    }

    fn fitted(self, position: &str) -> Self {
        let board = position.split_whitespace().next().unwrap_or_default();
        let rows = board.split('/').count();
        let columns = board.split('/').next().map_or(0, str::len);
        if !(5..=8).contains(&rows) || !(5..=8).contains(&columns) {
            return self;
        }
        Self::new(Options { rows: rows as u8, columns: columns as u8 })
    }

    fn write_move(&self, state: &State, mv: Move) -> String {
        let name = |square: u32| {
            let rank = match state.mover {
                Player::First => square / 8,
                Player::Second => u32::from(self.options.rows) - 1 - square / 8,
            };
            square_name((square % 8) as usize, rank as usize)
        };
        let captures = state.other >> mv.to() & 1 == 1;
        format!("{}{}{}", name(mv.from()), if captures { 'x' } else { '-' }, name(mv.to()))
    }

    fn draw(&self, state: &State) -> String {
        let (rows, columns) = (usize::from(self.options.rows), usize::from(self.options.columns));
        draw_grid(rows, columns, |column, rank| self.letter(state, column, rank))
    }

    fn scene(&self, state: &State) -> Scene {
        let (rows, columns) = (usize::from(self.options.rows), usize::from(self.options.columns));
        let letter = |cell: usize| self.letter(state, cell % columns, cell / columns);
        let meanings = [('w', Some(Player::First), Figure::Pawn), ('b', Some(Player::Second), Figure::Pawn)];
        Scene::squares(rows, columns, Tone::chequered).with_letters(letter, &meanings)
    }

    fn player_name(&self, player: Player) -> &'static str {
        ["white (w, moves up)", "black (b, moves down)"][player.index()]
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.options.write()
    }
}
