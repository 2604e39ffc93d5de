//! Tic-tac-toe: the smallest complete game, and the one to copy when you add your own.
//!
#![cfg_attr(doc, doc = include_str!("../rules/tic-tac-toe.md"))]
#![cfg_attr(doc, doc = include_str!("../rules/tic-tac-toe.svg"))]

use spinney_core::notation::{PositionText, draw_grid, square_name};
use spinney_core::scene::{Figure, Scene, Tone};
use spinney_core::{Game, InputError, List, Notation, Outcome, Player, Turn, bits, random};

/// The rules; there is nothing to choose.
#[derive(Clone, Debug, Default)]
pub struct TicTacToe;

/// Nine squares as bits, a1 = bit 0, b1 = bit 1, … c3 = bit 8; `[first player's, second player's]`.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    stones: [u64; 2],
    mover: Player,
}

const FULL: u64 = 0b111_111_111;
const LINES: [u64; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

impl Game for TicTacToe {
    type State = State;
    type Move = u8;
    type Scratch = ();

    fn initial(&self) -> State {
        State { stones: [0, 0], mover: Player::First }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        let last = state.mover.other();
        let stones = state.stones[last.index()];
        if LINES.iter().any(|line| stones & line == *line) {
            Turn::Over(Outcome::Win(last))
        } else if state.stones[0] | state.stones[1] == FULL {
            Turn::Over(Outcome::Draw)
        } else {
            Turn::Player(state.mover)
        }
    }

    #[inline]
    fn moves(&self, state: &State, moves: &mut List<u8>) {
        moves.extend(bits::squares(FULL & !(state.stones[0] | state.stones[1])));
    }

    #[inline]
    fn apply(&self, state: &mut State, square: u8) {
        state.stones[state.mover.index()] |= 1 << square;
        state.mover = state.mover.other();
    }

    #[inline]
    fn move_ids(&self) -> usize {
        9
    }

    #[inline]
    fn move_id(&self, _: &State, square: u8) -> usize {
        usize::from(square)
    }

    // From here on everything is optional.

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        Some(random::mix(state.stones[0] << 16 | state.stones[1] << 1 | state.mover.index() as u64))
    }
}

impl Notation for TicTacToe {
    #[inline]
    fn write_position(&self, state: &State) -> String {
        let row = |rank: usize| (0..3).map(|column| letter(state, column, rank)).collect::<String>();
        format!("{}/{}/{} {}", row(2), row(1), row(0), state.mover.number())
    }

    #[inline]
    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let wrong = |problem: &str| InputError::position("position", problem, "an example is `.o./.x./... 1`");
        let read = PositionText::read(text, self.position_letters())?;
        read.nothing_more()?;
        if read.rows.len() != 3 || read.rows.iter().any(|row| row.len() != 3) {
            return Err(wrong("the board is not three rows of three squares"));
        }
        let squares = read.rows.iter().rev().flat_map(|row| row.iter()).enumerate();
        let mut state = State { stones: [0, 0], mover: read.mover };
        squares.for_each(|(square, &letter)| match letter {
            b'x' => state.stones[0] |= 1 << square,
            b'o' => state.stones[1] |= 1 << square,
            _ => {}
        });
        let [x, o] = state.stones.map(u64::count_ones);
        if x != o + read.mover.index() as u32 {
            return Err(wrong("the number of stones does not fit the side to move"));
        }
        if LINES.iter().any(|line| state.stones[read.mover.index()] & line == *line) {
            return Err(wrong("the side to move has won already"));
        }
        Ok(state)
    }

    #[inline]
    fn write_move(&self, _: &State, square: u8) -> String {
        square_name(usize::from(square % 3), usize::from(square / 3))
    }

    fn draw(&self, state: &State) -> String {
        draw_grid(3, 3, |column, rank| letter(state, column, rank))
    }

    fn scene(&self, state: &State) -> Scene {
        let meanings = [('x', Some(Player::First), Figure::Cross), ('o', Some(Player::Second), Figure::Ring)];
        Scene::squares(3, 3, |_, _| Tone::Plain).with_letters(|cell| letter(state, cell % 3, cell / 3), &meanings)
    }

    fn position_letters(&self) -> &'static str {
        "xo."
    }

    fn prompt(&self, state: &State) -> &'static str {
        ["place a cross", "place a ring"][state.mover.index()]
    }

    fn player_name(&self, player: Player) -> &'static str {
        ["cross (x)", "ring (o)"][player.index()]
    }
}

#[inline]
fn letter(state: &State, column: usize, rank: usize) -> char {
    let bit = 1 << (3 * rank + column);
    if state.stones[0] & bit != 0 {
        'x'
    } else if state.stones[1] & bit != 0 {
        'o'
    } else {
        '.'
    }
}
