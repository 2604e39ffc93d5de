//! The Game of the Amazons (Walter Zamkauskas, 1988): queens that burn squares behind them.
//!
//! A move has two parts: an amazon moves like a chess queen over empty squares, then it shoots an arrow, again like
//! a queen, from where it now stands; the square it left is empty by then. Arrows block their squares for good. Who
//! cannot move loses.
//!
//! Boards of 4×4 to 10×10 squares. With k = (size − 1) / 3 rounded down, each side begins with two amazons on its
//! home row, k squares from the corners, and two at the edges, k rows further up; on 10×10 and 8×8 that is the usual
//! set-up.
//!
//! `variant=engine2014` ends the game as the published engine does: after every ply both players are looked at, the
//! first player first, and one without a move loses at once even if it is not his turn. The engine numbers a side's
//! amazons once and for all, and its play-out policy passes from a stuck amazon to the one with the next number;
//! here they are numbered by square, which the position tells, in both variants.

mod lines;

use crate::variant::Variant;
use lines::{Lines, ROW, Word, numbers, one};
use spinney_core::notation::{PositionText, draw_grid, square_name};
use spinney_core::scene::{Figure, Scene, Tone};
use spinney_core::{Game, InputError, Notation, Outcome, Parameters, Player, Random, Turn, Weighted, random};
use std::sync::Arc;

spinney_core::options! {
    /// The size of the board and the end of the game.
    pub struct Options {
        /// number of rows and columns
        size: u8 = 10, in 4 to 10;
        /// when the game ends
        variant: Variant = Variant::Standard;
    }
}

/// The rules on a square board.
///
/// ```
/// use spinney_core::{Game, perft};
/// let game = spinney_games::Amazons::default();
/// assert_eq!(perft(&game, &game.initial(), 1), 2176);
/// ```
#[derive(Clone, Debug)]
pub struct Amazons {
    options: Options,
    geometry: Geometry,
}

/// Tables for the narrower of two words in which the board fits.
#[derive(Clone, Debug)]
enum Geometry {
    Small(Arc<Lines<u64>>),
    Large(Arc<Lines<u128>>),
}

/// Calls a function of `Lines` for the word in which the board fits.
macro_rules! on_lines {
    ($game:expr, |$lines:ident| $body:expr) => {
        match &$game.geometry {
            Geometry::Small($lines) => $body,
            Geometry::Large($lines) => $body,
        }
    };
}

/// Sets of squares, numbered row by row from the bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Squares with neither amazon nor arrow.
    open: u128,
    /// Amazons of the player to move.
    own: u128,
    other: u128,
    mover: Player,
}

impl State {
    fn amazons(&self, player: Player) -> u128 {
        if player == self.mover { self.own } else { self.other }
    }
}

/// The number of the path from where the amazon stood over where it goes to where the arrow lands (low 17 bits), and
/// the first two of these squares (seven bits each). Tables of learned values are read by this number far more often
/// than the move is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move(u32);

const PATH_BITS: u32 = 17;

impl Move {
    #[inline(always)]
    fn path(self) -> u32 {
        self.0 & ((1 << PATH_BITS) - 1)
    }

    #[inline(always)]
    fn from(self) -> u32 {
        self.0 >> PATH_BITS & 127
    }

    #[inline(always)]
    fn to(self) -> u32 {
        self.0 >> (PATH_BITS + 7)
    }
}

/// The moves of one amazon to one square.
#[derive(Clone, Copy)]
struct Shots<'a> {
    first: u32,
    places: &'a [u8; ROW],
}

impl Shots<'_> {
    #[inline(always)]
    fn at(&self, arrow: u32) -> Move {
        Move(self.first + u32::from(self.places[arrow as usize % ROW]))
    }
}

/// Amazons of each side.
const AMAZONS: usize = 4;

impl<W: Word> Lines<W> {
    /// Destinations of all amazons, arrows not counted.
    fn mobility(&self, open: u128, amazons: u128) -> u32 {
        let open = W::narrow(open);
        numbers(W::narrow(amazons)).map(|from| self.reach(from, open).count()).sum()
    }

    /// Whether an amazon has an open square beside it. Then it can move, and shoot back at the least.
    #[inline(always)]
    fn can_move(&self, open: W, amazons: W) -> bool {
        self.around(amazons) & open != W::NONE
    }

    #[inline(always)]
    fn shots(&self, from: u32, to: u32) -> Shots<'_> {
        let squares = from << PATH_BITS | to << (PATH_BITS + 7);
        Shots { first: self.first_path(from, to) | squares, places: self.places(to) }
    }

    #[inline(always)]
    fn arrow(&self, mv: Move) -> u32 {
        self.at_place(mv.to(), mv.path() - self.first_path(mv.from(), mv.to()))
    }

    /// Calls `add` for every destination of an amazon with the squares its arrow can reach from there.
    #[inline(always)]
    fn moves_of(&self, (from, reach): (u32, W), open: W, mut add: impl FnMut(Shots<'_>, W)) {
        let vacated = open | one(from);
        for to in numbers(reach) {
            add(self.shots(from, to), self.reach(to, vacated));
        }
    }

    /// A uniformly random move, given where each amazon can go.
    ///
    /// A destination and a square in line with it are drawn until the arrow can fly there. Every try draws from as
    /// many destinations and as many places on the lines, so that all moves are equally likely, and no arrow has to be
    /// counted.
    #[inline(always)]
    fn draw<const N: usize>(&self, reaches: &[(u32, W); N], open: W, random: &mut Random) -> Option<Move> {
        let counts = reaches.map(|(_, reach)| reach.count());
        let total: u32 = counts.iter().sum();
        if total == 0 {
            return None;
        }
        let places = self.longest().min(open.count());
        loop {
            let mut index = random.below(total);
            let mut amazon = 0;
            while index >= counts[amazon] {
                index -= counts[amazon];
                amazon += 1;
            }
            let (from, reach) = reaches[amazon];
            let to = reach.select(index);
            let vacated = open | one(from);
            let in_line = self.in_line(to) & vacated;
            let place = random.below(places);
            if place < in_line.count() {
                let arrow = in_line.select(place);
                if self.is_clear(to, arrow, vacated) {
                    return Some(self.shots(from, to).at(arrow));
                }
            }
        }
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random) -> Option<Move> {
        let (open, mut amazons) = (W::narrow(state.open), W::narrow(state.own));
        let reaches = [(); AMAZONS].map(|()| {
            let from = amazons.lowest();
            amazons = amazons.without_lowest();
            (from, self.reach(from, open))
        });
        self.draw(&reaches, open, random)
    }

    /// An amazon drawn at random, or the next one in the order of squares that can move, and where it can go.
    #[inline(always)]
    fn random_amazon(&self, state: &State, random: &mut Random) -> Option<(u32, W)> {
        let (open, amazons) = (W::narrow(state.open), W::narrow(state.own));
        let first = random.below(AMAZONS as u32);
        for index in first..first + AMAZONS as u32 {
            let from = amazons.select(index % AMAZONS as u32);
            let reach = self.reach(from, open);
            if reach != W::NONE {
                return Some((from, reach));
            }
        }
        None
    }

    #[inline(always)]
    fn policy_move(&self, state: &State, random: &mut Random) -> Option<Move> {
        let amazon = self.random_amazon(state, random)?;
        self.draw(&[amazon], W::narrow(state.open), random)
    }

    #[inline(always)]
    fn policy(&self, state: &State, random: &mut Random, candidates: &mut Vec<Weighted<Move>>) {
        let Some(amazon) = self.random_amazon(state, random) else { return };
        self.moves_of(amazon, W::narrow(state.open), |shots, arrows| {
            candidates.extend(numbers(arrows).map(|arrow| Weighted { mv: shots.at(arrow), weight: 1 }));
        });
    }

    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        let open = W::narrow(state.open);
        for from in numbers(W::narrow(state.own)) {
            self.moves_of((from, self.reach(from, open)), open, |shots, arrows| {
                moves.extend(numbers(arrows).map(|arrow| shots.at(arrow)));
            });
        }
    }

    /// Who has lost with these open squares and amazons, if anybody.
    #[inline(always)]
    fn loser(&self, variant: Variant, open: W, mover: Player, own: W, other: W) -> Option<Player> {
        match variant {
            Variant::Standard => (!self.can_move(open, own)).then_some(mover),
            Variant::Engine2014 => {
                let (first, second) = if mover == Player::First { (own, other) } else { (other, own) };
                if !self.can_move(open, first) {
                    Some(Player::First)
                } else {
                    (!self.can_move(open, second)).then_some(Player::Second)
                }
            }
        }
    }

    #[inline(always)]
    fn turn(&self, variant: Variant, state: &State) -> Turn {
        let (own, other) = (W::narrow(state.own), W::narrow(state.other));
        match self.loser(variant, W::narrow(state.open), state.mover, own, other) {
            Some(loser) => Turn::Over(Outcome::Win(loser.other())),
            None => Turn::Player(state.mover),
        }
    }

    #[inline(always)]
    fn outcome_after(&self, variant: Variant, state: &State, mv: Move) -> Option<Outcome> {
        let (from, to) = (one::<W>(mv.from()), one::<W>(mv.to()));
        // A move takes at most two squares, so that who has three of them beside amazons that stand still can move.
        let is_free = |amazons: W| (self.around(amazons) & W::narrow(state.open)).count() > 2;
        let own_is_safe = variant == Variant::Standard || is_free(W::narrow(state.own) & !from);
        if is_free(W::narrow(state.other)) && own_is_safe {
            return None;
        }
        let arrow = one::<W>(self.arrow(mv));
        let open = ((W::narrow(state.open) | from) & !to) & !arrow;
        let own = W::narrow(state.own) ^ from ^ to;
        let loser = self.loser(variant, open, state.mover.other(), W::narrow(state.other), own);
        loser.map(|loser| Outcome::Win(loser.other()))
    }
}

impl Amazons {
    /// The rules for these options.
    pub fn new(options: Options) -> Self {
        let size = u32::from(options.size);
        let geometry = if size <= 8 {
            Geometry::Small(Arc::new(Lines::new(size)))
        } else {
            Geometry::Large(Arc::new(Lines::new(size)))
        };
        Self { options, geometry }
    }

    fn size(&self) -> usize {
        usize::from(self.options.size)
    }

    fn letter(&self, state: &State, column: usize, rank: usize) -> char {
        let square = 1 << (rank * self.size() + column);
        if state.open & square != 0 {
            '.'
        } else if state.amazons(Player::First) & square != 0 {
            'W'
        } else if state.amazons(Player::Second) & square != 0 {
            'B'
        } else {
            'x'
        }
    }
}

impl Default for Amazons {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Game for Amazons {
    type State = State;
    type Move = Move;

    fn initial(&self) -> State {
        let size = self.size();
        let inset = (size - 1) / 3;
        let square = |column: usize, rank: usize| 1u128 << (rank * size + column);
        let four = |home: usize, edge: usize| {
            square(inset, home) | square(size - 1 - inset, home) | square(0, edge) | square(size - 1, edge)
        };
        let (own, other) = (four(0, inset), four(size - 1, size - 1 - inset));
        let board = u128::MAX >> (128 - size * size);
        State { open: board & !own & !other, own, other, mover: Player::First }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        on_lines!(self, |lines| lines.turn(self.options.variant, state))
    }

    #[inline(always)]
    fn quick_turn(&self, state: &State) -> Turn {
        match self.options.variant {
            Variant::Standard => Turn::Player(state.mover),
            Variant::Engine2014 => self.turn(state),
        }
    }

    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        on_lines!(self, |lines| lines.moves(state, moves));
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) {
        let (from, to) = (1 << mv.from(), 1 << mv.to());
        let arrow = 1 << on_lines!(self, |lines| lines.arrow(mv));
        *state = State {
            // In this order, for the arrow may land where the amazon came from.
            open: (state.open | from) & !(to | arrow),
            own: state.other,
            other: state.own ^ from ^ to,
            mover: state.mover.other(),
        };
    }

    fn move_ids(&self) -> usize {
        on_lines!(self, |lines| lines.paths()) as usize
    }

    #[inline(always)]
    fn move_id(&self, _: &State, mv: Move) -> usize {
        mv.path() as usize
    }

    #[inline(always)]
    fn outcome_after(&self, state: &State, mv: Move) -> Option<Outcome> {
        on_lines!(self, |lines| lines.outcome_after(self.options.variant, state, mv))
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, _: &mut Vec<Move>) -> Option<Move> {
        on_lines!(self, |lines| lines.random_move(state, random))
    }

    fn has_policy(&self) -> bool {
        true
    }

    /// All moves of one amazon: one drawn at random, or the next that can move.
    #[inline(always)]
    fn policy(&self, state: &State, random: &mut Random, _: &mut Vec<Move>, candidates: &mut Vec<Weighted<Move>>) {
        on_lines!(self, |lines| lines.policy(state, random, candidates));
    }

    #[inline(always)]
    fn policy_move(
        &self,
        state: &State,
        random: &mut Random,
        _: &mut Vec<Move>,
        _: &mut Vec<Weighted<Move>>,
    ) -> Option<Move> {
        on_lines!(self, |lines| lines.policy_move(state, random))
    }

    /// The winner's destinations over 16, arrows not counted; may exceed 1.
    fn quality(&self, state: &State, winner: Player) -> f32 {
        on_lines!(self, |lines| lines.mobility(state.open, state.amazons(winner))) as f32 / 16.0
    }

    /// Difference of destinations, squashed into (−1, 1).
    fn evaluate(&self, state: &State, player: Player) -> Option<f32> {
        let [own, other] = [player, player.other()]
            .map(|player| on_lines!(self, |lines| lines.mobility(state.open, state.amazons(player))) as f32);
        let lead = own - other;
        Some(lead / (16.0 + lead.abs()))
    }

    fn key(&self, state: &State) -> Option<u64> {
        let words = [state.open, state.own, state.other].into_iter().flat_map(|set| [set as u64, (set >> 64) as u64]);
        Some(words.fold(state.mover.index() as u64, |key, word| random::mix(key ^ word)))
    }

    /// Published in "Quality-based Rewards for Monte-Carlo Tree Search Simulations" (ECAI 2014), for 8×8.
    fn parameters(&self) -> Parameters {
        Parameters {
            exploration: 0.5,
            mast_epsilon: Some(0.3),
            simulations_per_second: 3_000,
            relative_steepness: 2.2,
            qualitative_steepness: 1.6,
        }
    }
}

impl Notation for Amazons {
    fn write_position(&self, state: &State) -> String {
        let row = |rank: usize| (0..self.size()).map(|column| self.letter(state, column, rank)).collect::<String>();
        let board: Vec<String> = (0..self.size()).rev().map(row).collect();
        format!("{} {}", board.join("/"), state.mover.number())
    }

    /// Any position with four amazons on each side; the number of arrows is not held against the side to move.
    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let read = PositionText::read(text, "WBx.")?;
        read.nothing_more()?;
        let size = self.size();
        if read.rows.len() != size {
            let problem = format!("the board has {} rows", read.rows.len());
            return Err(InputError::new(
                "position",
                problem,
                "boards of 4 to 10 rows and as many columns can be played",
            ));
        }
        let (mut open, mut amazons) = (0u128, [0u128; 2]);
        for (rank, row) in read.rows.iter().rev().enumerate() {
            if row.len() != size {
                let place = format!("position, row {} from the top", size - rank);
                let problem = format!("it has {} squares", row.len());
                return Err(InputError::new(place, problem, format!("make it {size} squares: the board is square")));
            }
            for (column, &letter) in row.iter().enumerate() {
                let square = 1 << (rank * size + column);
                match letter {
                    b'W' => amazons[0] |= square,
                    b'B' => amazons[1] |= square,
                    b'.' => open |= square,
                    _ => {}
                }
            }
        }
        if let Some(side) = amazons.iter().position(|set| set.count_ones() as usize != AMAZONS) {
            let problem = format!("there are {} `{}`", amazons[side].count_ones(), ['W', 'B'][side]);
            return Err(InputError::new("position", problem, format!("each side has {AMAZONS} amazons")));
        }
        let [own, other] = [read.mover, read.mover.other()].map(|player| amazons[player.index()]);
        Ok(State { open, own, other, mover: read.mover })
    }

    fn fitted(self, position: &str) -> Self {
        let board = position.split_whitespace().next().unwrap_or_default();
        match board.split('/').count() {
            size @ 4..=10 if size != self.size() => Self::new(Options { size: size as u8, ..self.options }),
            _ => self,
        }
    }

    fn write_move(&self, _: &State, mv: Move) -> String {
        let name = |square: u32| square_name(square as usize % self.size(), square as usize / self.size());
        let arrow = on_lines!(self, |lines| lines.arrow(mv));
        format!("{}-{}/{}", name(mv.from()), name(mv.to()), name(arrow))
    }

    fn draw(&self, state: &State) -> String {
        draw_grid(self.size(), self.size(), |column, rank| self.letter(state, column, rank))
    }

    fn scene(&self, state: &State) -> Scene {
        let letter = |cell: usize| self.letter(state, cell % self.size(), cell / self.size());
        let meanings = [
            ('W', Some(Player::First), Figure::Queen),
            ('B', Some(Player::Second), Figure::Queen),
            ('x', None, Figure::Burnt),
        ];
        Scene::squares(self.size(), self.size(), Tone::chequered).with_letters(letter, &meanings)
    }

    fn player_name(&self, player: Player) -> &'static str {
        ["white (W)", "black (B)"][player.index()]
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.options.write()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variant: Variant, position: &str) -> (Amazons, State) {
        let game = Amazons::new(Options { size: 4, variant }).fitted(position);
        let state = game.read_position(position).unwrap();
        (game, state)
    }

    fn texts(game: &Amazons, state: &State) -> Vec<String> {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        moves.into_iter().map(|mv| game.write_move(state, mv)).collect()
    }

    #[test]
    fn the_square_left_is_open_to_the_arrow() {
        // Only the amazon at a1 can move, to b1 alone; it shoots back at a1.
        let (game, mut state) = read(Variant::Standard, "BBxW/BBxx/xxxW/W.xW 1");
        assert_eq!(texts(&game, &state), ["a1-b1/a1"]);
        let mv = game.read_move(&state, "a1-b1/a1").unwrap();
        game.apply(&mut state, mv);
        assert_eq!(game.write_position(&state), "BBxW/BBxx/xxxW/xWxW 2");
        // Beyond the square it left as well.
        let (game, state) = read(Variant::Standard, "BBxWW/BBxxW/xxxxx/xxxxx/.W.xx 1");
        let mut moves = texts(&game, &state);
        moves.sort_unstable();
        assert_eq!(moves, ["b1-a1/b1", "b1-a1/c1", "b1-c1/a1", "b1-c1/b1"]);
    }

    #[test]
    fn who_cannot_move_on_his_turn_loses() {
        let (game, state) = read(Variant::Standard, "BBxW/BBxx/xxxW/W.xW 2");
        assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(Player::First)));
        assert_eq!(game.quality(&state, Player::First), 1.0 / 16.0);
        let (game, state) = read(Variant::Standard, "BBxW/BBxx/xxxW/W.xW 1");
        assert_eq!(game.turn(&state), Turn::Player(Player::First));
        let mv = game.read_move(&state, "a1-b1/a1").unwrap();
        assert_eq!(game.outcome_after(&state, mv), Some(Outcome::Win(Player::First)));
    }

    #[test]
    fn the_engine_looks_at_both_sides_the_first_player_first() {
        // Black is stuck though it is white's turn.
        let (game, state) = read(Variant::Engine2014, "BBxW/BBxx/xxxW/W.xW 1");
        assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(Player::First)));
        // Both are stuck on black's turn: by the rules black loses, in the engine white does.
        for (variant, winner) in [(Variant::Standard, Player::First), (Variant::Engine2014, Player::Second)] {
            let (game, state) = read(variant, "BBxW/BBxx/xxxW/WxxW 2");
            assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(winner)));
            assert_eq!(game.quality(&state, winner), 0.0);
        }
    }

    #[test]
    fn set_ups_of_all_sizes() {
        for size in 4..=10 {
            let game = Amazons::new(Options { size, ..Options::default() });
            assert!(game.move_ids() < 1 << PATH_BITS);
            let text = game.write_position(&game.initial());
            assert_eq!(game.clone().fitted(&text).read_position(&text).unwrap(), game.initial());
        }
        let game = Amazons::new(Options { size: 8, ..Options::default() });
        let expected = "..B..B../......../B......B/......../......../W......W/......../..W..W.. 1";
        assert_eq!(game.write_position(&game.initial()), expected);
    }

    #[test]
    fn faulty_positions_are_refused_with_a_remedy() {
        let refusal = |text: &str| Amazons::default().fitted(text).read_position(text).unwrap_err().to_string();
        assert_eq!(refusal("BBBB/..../WWW./.... 1"), "position: there are 3 `W`; each side has 4 amazons");
        let uneven = "position, row 2 from the top: it has 3 squares; make it 4 squares: the board is square";
        assert_eq!(refusal("BBBB/.../WWWW/.... 1"), uneven);
        assert!(refusal("WWWW/BBBB 1").starts_with("position: the board has 2 rows;"));
    }
}
