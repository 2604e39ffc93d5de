//! Pentalath (Cameron Browne, 2009): five in a row on a hexagon, with captures as in Go.
//!
//! Players place stones in turn on a hexagon of 61 cells; on ply 2 the second player may instead take over the stone
//! that stands there. A placement removes every enemy group that it leaves without an empty neighbour; leaving one's
//! own group without one is illegal. Five or more in a row through the new stone win. It is a draw when the player
//! to move has no legal placement and after 500 plies (there is no rule against repetition).
//!
//! `variant=engine2014` captures only the first dead group in the order of directions NW, NE, E, SE, SW, W, sees no
//! five while fewer than eight stones are on the board (here one it overlooked counts from its owner's next placement,
//! while the engine looked only at lines through the new stone), and computes q as the engine did. The draw after 500 plies stays, though the engine had none.
//!
//! Sets of cells are words; see `cells` for how they are numbered.

mod cells;

use crate::variant::Variant;
use cells::*;
use spinney_core::notation::{PositionText, cell_name, draw_cells};
use spinney_core::scene::{Figure, Scene, Shape, Tone};
use spinney_core::{Game, InputError, Notation, Outcome, Parameters, Player, Random, Turn, Weighted, bits, random};

spinney_core::options! {
    /// Which rules are played.
    pub struct Options {
        /// the rules of the game or those of the published engine
        variant: Variant = Variant::Standard;
    }
}

/// The rules.
///
/// ```
/// use spinney_core::{Game, perft};
/// let game = spinney_games::Pentalath::default();
/// assert_eq!(perft(&game, &game.initial(), 2), 61 * 61);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pentalath {
    options: Options,
}

/// Stones as sets of cells, in the view of the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    own: u64,
    other: u64,
    plies: u16,
    /// The player who just moved has made five in a row.
    won: bool,
}

impl State {
    #[inline(always)]
    fn mover(&self) -> Player {
        Player::BOTH[usize::from(self.plies & 1)]
    }

    #[inline(always)]
    fn empty(&self) -> u64 {
        BOARD & !(self.own | self.other)
    }

    /// Whether the player to move may take over the only stone.
    #[inline(always)]
    fn may_swap(&self) -> bool {
        self.plies == 1
    }

    /// Stones of the first and of the second player.
    fn stones(&self) -> [u64; 2] {
        match self.mover() {
            Player::First => [self.own, self.other],
            Player::Second => [self.other, self.own],
        }
    }
}

/// The number of a cell; an occupied one is the swap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move(u8);

impl Move {
    #[inline(always)]
    fn at(cell: u64) -> Self {
        Move(cell.trailing_zeros() as u8)
    }

    #[inline(always)]
    fn cell(self) -> u64 {
        1 << self.0
    }
}

const LONGEST_PLIES: u16 = 500;
/// Rows split into pairs of neighbours: with more empty cells than pairs two of them are neighbours, and a
/// placement on either is no suicide.
const PAIRS: u32 = 33;
/// The published engine looks for five in a row from so many stones on.
const ENGINE_STONES: u32 = 8;

impl Pentalath {
    /// The rules for these options.
    pub fn new(options: Options) -> Self {
        Self { options }
    }

    #[inline(always)]
    fn is_engine(&self) -> bool {
        self.options.variant == Variant::Engine2014
    }

    /// Stones of `other` that the stone just placed on `mv` captures.
    #[inline(always)]
    fn captured(&self, own: u64, other: u64, mv: Move) -> u64 {
        let beside = NEIGHBOURS[usize::from(mv.0)] & other;
        if beside == 0 {
            return 0;
        }
        let breathing = neighbours(BOARD & !(own | other));
        if beside & !breathing == 0 {
            return 0;
        }
        let dead = other & !groups(other & breathing, other);
        if self.is_engine() { Self::first_group(dead, mv) } else { dead }
    }

    /// The group of the first dead stone beside the placed one.
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

    /// Whether the player to move may place a stone on this empty cell, none of whose neighbours is empty.
    fn is_legal_when_enclosed(&self, state: &State, cell: u64) -> bool {
        let own = state.own | cell;
        let breathing = neighbours(BOARD & !(own | state.other));
        let beside = NEIGHBOURS[cell.trailing_zeros() as usize];
        if beside & state.own & breathing != 0 {
            return true;
        }
        if beside & state.other & !groups(state.other & breathing, state.other) != 0 {
            return true;
        }
        groups(cell, own) & breathing != 0
    }

    #[inline(always)]
    fn is_legal(&self, state: &State, empty: u64, cell: u64) -> bool {
        NEIGHBOURS[cell.trailing_zeros() as usize] & empty != 0 || self.is_legal_when_enclosed(state, cell)
    }

    /// Cells on which the player to move may place a stone, or swap.
    #[inline(always)]
    fn destinations(&self, state: &State) -> u64 {
        if state.may_swap() {
            return BOARD;
        }
        let empty = state.empty();
        let open = empty & neighbours(empty);
        let mut legal = open;
        let mut enclosed = empty & !open;
        while enclosed != 0 {
            let cell = enclosed & enclosed.wrapping_neg();
            if self.is_legal_when_enclosed(state, cell) {
                legal |= cell;
            }
            enclosed ^= cell;
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
    fn engine_longest_run(loser: u64, winner: u64) -> i32 {
        let mut longest = if loser == 0 { -10 } else { 0 };
        for stone in bits::squares(loser) {
            for axis in [[2, 5], [3, 0], [4, 1]] {
                let (mut run, mut open) = (1, 0);
                for direction in axis {
                    let mut cell = usize::from(stone);
                    let mut empty = 0;
                    while continues(cell, direction) {
                        cell = (cell + STEPS[direction] as usize) % CELLS;
                        if winner >> cell & 1 == 1 {
                            break;
                        }
                        let is_stone = loser >> cell & 1 == 1;
                        empty += i32::from(!is_stone);
                        run += i32::from(empty == 0);
                        open += i32::from(!is_stone || empty >= 2);
                    }
                }
                if run + open >= 5 {
                    longest = longest.max(run);
                }
            }
        }
        longest
    }

    fn letter(state: &State, row: usize, place: usize) -> char {
        let [first, second] = state.stones().map(|set| set >> cell_at(row, place) & 1);
        match (first, second) {
            (1, _) => '1',
            (_, 1) => '2',
            _ => '.',
        }
    }
}

impl Game for Pentalath {
    type State = State;
    type Move = Move;

    fn initial(&self) -> State {
        State { own: 0, other: 0, plies: 0, won: false }
    }

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

    fn outcome_without_moves(&self, _: Player) -> Outcome {
        Outcome::Draw
    }

    #[inline(always)]
    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
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

    fn move_ids(&self) -> usize {
        CELLS
    }

    #[inline(always)]
    fn move_id(&self, _: &State, mv: Move) -> usize {
        usize::from(mv.0)
    }

    #[inline(always)]
    fn outcome_after(&self, state: &State, mv: Move) -> Option<Outcome> {
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
    fn random_move(&self, state: &State, random: &mut Random, _: &mut Vec<Move>) -> Option<Move> {
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

    fn has_policy(&self) -> bool {
        true
    }

    /// Every legal placement; cells with more than four neighbours have weight 2.
    fn policy(&self, state: &State, _: &mut Random, _: &mut Vec<Move>, candidates: &mut Vec<Weighted<Move>>) {
        candidates.extend(
            bits::squares(self.destinations(state))
                .map(|cell| Weighted { mv: Move(cell), weight: 1 + (INTERIOR >> cell & 1) as u32 }),
        );
    }

    #[inline(always)]
    fn policy_move(
        &self,
        state: &State,
        random: &mut Random,
        _: &mut Vec<Move>,
        _: &mut Vec<Weighted<Move>>,
    ) -> Option<Move> {
        let empty = if state.may_swap() { BOARD } else { state.empty() };
        let mut left = empty;
        while left != 0 {
            let interior = left & INTERIOR;
            let all = left.count_ones();
            let ticket = random.below(all + interior.count_ones());
            let cell = if ticket < all { bits::select(left, ticket) } else { bits::select(interior, ticket - all) };
            if self.is_legal(state, empty, cell) {
                return Some(Move::at(cell));
            }
            left ^= cell;
        }
        None
    }

    /// (5 − L) / 5, where L is the length of the loser's longest run that could still have become five.
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

    fn key(&self, state: &State) -> Option<u64> {
        let rights = state.mover().index() as u64 | u64::from(state.may_swap()) << 1;
        Some(random::mix(state.own ^ random::mix(state.other ^ rights << CELLS)))
    }

    /// Published in "Quality-based Rewards for Monte-Carlo Tree Search Simulations" (ECAI 2014).
    fn parameters(&self) -> Parameters {
        Parameters {
            exploration: 0.8,
            mast_epsilon: Some(0.95),
            simulations_per_second: 21_000,
            relative_steepness: 1.0,
            qualitative_steepness: 1.6,
        }
    }
}

impl Notation for Pentalath {
    /// Rows from the top, the side to move and the number of plies played.
    fn write_position(&self, state: &State) -> String {
        let row = |row: usize| (0..row_length(row)).map(|place| Self::letter(state, row, place)).collect::<String>();
        let board: Vec<String> = (0..ROWS).map(row).collect();
        format!("{} {} {}", board.join("/"), state.mover().number(), state.plies)
    }

    /// The number of plies may be left out; then it is the smallest in which the stones can have been placed.
    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let wrong = |problem: &str, remedy: &str| Err(InputError::new("position", problem, remedy));
        let read = PositionText::read(text, "12.")?;
        if read.rows.len() != ROWS {
            return wrong(&format!("the board has {} rows", read.rows.len()), "write 9 rows of 5 to 9 cells");
        }
        let mut stones = [0u64; 2];
        for (row, letters) in read.rows.iter().enumerate() {
            if letters.len() != row_length(row) {
                let place = format!("position, row {} from the top", row + 1);
                let problem = format!("it has {} cells", letters.len());
                return Err(InputError::new(place, problem, format!("make it {} cells", row_length(row))));
            }
            for (place, &letter) in letters.iter().enumerate() {
                match letter {
                    b'1' => stones[0] |= 1 << cell_at(row, place),
                    b'2' => stones[1] |= 1 << cell_at(row, place),
                    _ => {}
                }
            }
        }
        let [first, second] = stones.map(|set| set.count_ones() as u16);
        let parity = read.mover.index() as u16;
        let least = (2 * first).saturating_sub(1).max(2 * second);
        let least = least + (least + parity) % 2;
        let plies = read.plies(least, LONGEST_PLIES)?;
        let [own, other] = if read.mover == Player::First { stones } else { [stones[1], stones[0]] };
        if plies > 0 && other == 0 {
            return wrong("the player who just moved has no stone", "add the last stone or correct the side to move");
        }
        let empty = BOARD & !(own | other);
        let breathing = neighbours(empty);
        let dead = stones.iter().fold(0, |dead, &set| dead | set & !groups(set & breathing, set));
        if dead != 0 && !self.is_engine() {
            let (row, place) = PLACES[dead.trailing_zeros() as usize];
            let name = cell_name(row.into(), place.into());
            return wrong(&format!("the group at {name} has no empty neighbour"), "it would be captured: remove it");
        }
        if has_five(own) && !self.is_engine() {
            return wrong("the side to move has won already", "give the move to the other side");
        }
        let enough = !self.is_engine() || first + second >= ENGINE_STONES as u16;
        Ok(State { own, other, plies, won: enough && has_five(other) })
    }

    fn write_move(&self, state: &State, mv: Move) -> String {
        if state.other & mv.cell() != 0 {
            return "swap".to_string();
        }
        let (row, place) = PLACES[usize::from(mv.0)];
        cell_name(row.into(), place.into())
    }

    fn draw(&self, state: &State) -> String {
        let row = |row: usize| {
            (ROWS - row_length(row), (0..row_length(row)).map(|place| Self::letter(state, row, place)).collect())
        };
        draw_cells(&(0..ROWS).map(row).collect::<Vec<_>>())
    }

    fn scene(&self, state: &State) -> Scene {
        let row = |row: usize| {
            let cells = (0..row_length(row)).map(|place| (cell_name(row, place), Tone::Plain));
            (ROWS - row_length(row), cells.collect())
        };
        let letters: Vec<char> =
            (0..ROWS).flat_map(|row| (0..row_length(row)).map(move |place| Self::letter(state, row, place))).collect();
        let meanings = [('1', Some(Player::First), Figure::Stone), ('2', Some(Player::Second), Figure::Stone)];
        Scene::staggered(Shape::Hexagon, (0..ROWS).map(row)).with_letters(|cell| letters[cell], &meanings)
    }

    fn player_name(&self, player: Player) -> &'static str {
        ["first player (1)", "second player (2)"][player.index()]
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.options.write()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY_BOARD: &str = "...../....../......./......../........./......../......./....../.....";

    fn engine() -> Pentalath {
        Pentalath::new(Options { variant: Variant::Engine2014 })
    }

    /// Plays moves by name from a position.
    fn play(game: &Pentalath, position: &str, moves: &str) -> State {
        let mut state = game.read_position(position).unwrap();
        for name in moves.split_whitespace() {
            let mv = game.read_move(&state, name).unwrap();
            game.apply(&mut state, mv);
        }
        state
    }

    fn names(game: &Pentalath, state: &State) -> Vec<String> {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let mut names: Vec<String> = moves.iter().map(|&mv| game.write_move(state, mv)).collect();
        names.sort();
        names
    }

    #[test]
    fn the_second_player_may_swap() {
        let game = Pentalath::default();
        let state = play(&game, &format!("{EMPTY_BOARD} 1"), "c3 swap");
        let text = "...../....../..2..../......../........./......../......./....../..... 1 2";
        assert_eq!(game.write_position(&state), text);
        assert_eq!(names(&game, &state).len(), 60);
    }

    /// A stone on a2 takes a1 in the west and b3 in the south-east; the published engine takes only b3.
    #[test]
    fn all_dead_groups_are_captured() {
        let position = "2.1../1121../..11.../......../........./......../......./....../..... 1 30";
        let state = play(&Pentalath::default(), position, "a2");
        let text = ".11../11.1../..11.../......../........./......../......./....../..... 2 31";
        assert_eq!(Pentalath::default().write_position(&state), text);
        let state = play(&engine(), position, "a2");
        let text = "211../11.1../..11.../......../........./......../......./....../..... 2 31";
        assert_eq!(engine().write_position(&state), text);
    }

    #[test]
    fn suicide_is_illegal_unless_it_captures() {
        let game = Pentalath::default();
        let suicide = game.read_position(".2.../22..../1....../......../........./......../......./....../..... 1 6");
        assert!(!names(&game, &suicide.unwrap()).contains(&"a1".to_string()));
        let capture = ".21../221.../111..../......../........./......../......./....../..... 1 20";
        let state = play(&game, capture, "a1");
        let text = "1.1../..1.../111..../......../........./......../......./....../..... 2 21";
        assert_eq!(game.write_position(&state), text);
    }

    /// After captures five can stand in a row among seven stones; the engine does not look yet.
    #[test]
    fn five_wins_with_few_stones_too() {
        let position = "1111./....../......./......../........./......../......./....../22... 1 8";
        let won = play(&Pentalath::default(), position, "a5");
        assert_eq!(Pentalath::default().turn(&won), Turn::Over(Outcome::Win(Player::First)));
        let overlooked = play(&engine(), position, "a5");
        assert_eq!(engine().turn(&overlooked), Turn::Player(Player::Second));
    }

    /// Runs that the winner has shut in do not count: of four in a row only three are left on the other axis.
    #[test]
    fn quality_is_the_losers_longest_live_run() {
        let game = Pentalath::default();
        let won = |position: &str| game.quality(&game.read_position(position).unwrap(), Player::First);
        let few = "2222./....../......./......../11111..../......../......./....../..... 2 21";
        assert!((won(few) - 0.2).abs() < 1e-6);
        let shut_in = "22221/....../......./......../11111..../......../......./....../..... 2 21";
        assert!((won(shut_in) - 0.8).abs() < 1e-6);
        let none = "...../....../......./......../11111..../......../......./....../..... 2 9";
        assert!((won(none) - 1.0).abs() < 1e-6);
        let none = engine().read_position("...../....../......./......../1111111../....1.../......./....../..... 2 41");
        assert!((engine().quality(&none.unwrap(), Player::First) - 3.0).abs() < 1e-6);
    }

    /// The engine does not count a stone beyond a gap: `22.2.` between the winner's stones has room for five, but
    /// not for it. Beyond a second empty cell it counts again.
    #[test]
    fn the_engine_overlooks_stones_beyond_a_gap() {
        let longest = |letters: &str| {
            let position = format!("...../....../{letters}/......../........./......../......./....../..... 2 31");
            let stones = engine().read_position(&position).unwrap().stones();
            let [winner, loser] = stones;
            let standard = live_runs::<EAST, 5>(loser, winner).iter().filter(|&&set| set != 0).count();
            // Only the row itself counts here: the other axes are closed by the border of the row.
            (standard, Pentalath::engine_longest_run(loser, winner | BOARD & !row(2)))
        };
        assert_eq!(longest("122.2.1"), (2, 0));
        assert_eq!(longest("122..21"), (2, 2));
        assert_eq!(longest("122..11"), (0, 0));
        assert_eq!(longest("122...1"), (2, 2));
    }

    fn row(row: usize) -> u64 {
        (0..row_length(row)).fold(0, |set, place| set | 1 << cell_at(row, place))
    }

    #[test]
    fn the_game_is_drawn_after_500_plies_or_without_a_placement() {
        let game = Pentalath::default();
        let state = play(&game, &format!("1{} 2 499", &EMPTY_BOARD[1..]), "a2");
        assert_eq!(game.turn(&state), Turn::Over(Outcome::Draw));
        // On every empty cell a stone of the first player would be without liberty.
        let stuck = "2221./221211/1111222/11122.21/111122221/2221222./2.2.112/221122/2112. 1 66";
        let state = game.read_position(stuck).unwrap();
        assert_eq!(game.quick_turn(&state), Turn::Player(Player::First));
        assert_eq!(game.turn(&state), Turn::Over(Outcome::Draw));
    }

    #[test]
    fn impossible_positions_are_refused_with_a_remedy() {
        let game = Pentalath::default();
        let with = |begin: &str, end: &str| {
            let text = format!("{begin}{} {end}", &EMPTY_BOARD[begin.len()..]);
            game.read_position(&text).map_err(|error| error.to_string())
        };
        for (begin, end, part) in [
            ("", "1 1", "does not fit the number of plies"),
            ("1", "1 2", "no stone"),
            ("11", "2 1", "too few"),
            ("", "1 502", "from 0 to 500"),
            ("", "2", "no stone"),
            ("21.../11", "2", "the group at a1"),
            ("11111", "1 10", "no stone"),
            ("11111/2", "1 10", "has won already"),
            ("1./", "1", "cells"),
        ] {
            let error = with(begin, end).unwrap_err();
            assert!(error.contains(part), "{begin} {end}: {error}");
        }
        assert_eq!(with("1", "2").unwrap().plies, 1);
        assert_eq!(with("2", "1").unwrap().plies, 2);
    }
}
