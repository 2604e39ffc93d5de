//! Havannah (Christian Freeling, 1979): connect on a hexagon of hexagons.
//!
//! The players place stones in turn on a board of side 3 to 10. A connected group of one colour wins at once if it
//! is a *bridge* (holds two of the six corners), a *fork* (touches three of the six sides; corners belong to none)
//! or a *ring* (encloses at least one cell, whatever that cell holds). A full board without a winner is a draw.
//! There is no swap.
//!
//! Groups are kept in a union-find whose roots carry the corners and sides of their group, so a stone is judged
//! by its six neighbours, without a search: bridge and fork by counting marks, and a ring is closed if and only if
//! 1. two separate runs of own stones around the new one already belonged to one group, or
//! 2. an own neighbour now has six own neighbours.
//!
//! In the first case the two runs and the new stone close a loop with a cell on either side. Conversely, a new
//! loop through two neighbours of one run could be led along that run, so it existed before, unless what it
//! encloses are own stones only: then one of these has six own neighbours.

use spinney_core::notation::PositionText;
use spinney_core::scene::{self, Figure, Scene, Tone};
use spinney_core::{Game, InputError, Notation, Outcome, Parameters, Player, Random, Turn, bits, random};
use std::fmt;
use std::sync::Arc;

spinney_core::options! {
    /// The size of the board.
    pub struct Options {
        /// cells along a side of the board
        size: u8 = 8, in 3 to 10;
    }
}

/// The largest side, and what follows from it.
const LARGEST_SIDE: usize = 10;
const MOST_ROWS: usize = 2 * LARGEST_SIDE - 1;
const MOST_CELLS: usize = 3 * LARGEST_SIDE * (LARGEST_SIDE - 1) + 1;
const WORDS: usize = MOST_CELLS.div_ceil(64);

/// The rules on a board of side 3 to 10.
///
/// ```
/// use spinney_core::{Game, perft};
/// let game = spinney_games::Havannah::default();
/// assert_eq!(perft(&game, &game.initial(), 2), 169 * 168);
/// ```
#[derive(Clone)]
pub struct Havannah {
    options: Options,
    board: Arc<Board>,
}

/// The cells of a board, row by row from the top.
struct Board {
    cells: Vec<Cell>,
    /// The leftmost column of each row.
    first_columns: Vec<usize>,
    /// The number of each row's first cell, and the number of cells.
    first_cells: Vec<usize>,
}

/// What is fixed about a cell. Column x and row y run from 0 and |x − y| is less than the side.
#[derive(Clone, Copy)]
struct Cell {
    /// The cells around, in the order of the bits of a [`Shape`]; the number of cells where the board ends.
    neighbours: [u16; 7],
    /// Low six bits: the corner that this cell is. High six bits: the side on which it lies.
    marks: u16,
    row: u8,
    column: u8,
}

impl Cell {
    /// The column's letter and the row's number.
    fn name(&self) -> String {
        format!("{}{}", (b'a' + self.column) as char, self.row + 1)
    }
}

/// Stones as bits of rows, groups as a union-find over cells.
#[derive(Clone)]
pub struct State {
    /// For each player and row y + 1, a bit for each column x + 1; the margin spares a test for the board's end.
    stones: [[u32; MOST_ROWS + 2]; 2],
    empty: [u64; WORDS],
    empty_cells: u16,
    mover: Player,
    winner: Option<Player>,
    /// For stones only: the next cell on the way to the root of the group.
    parents: [u16; MOST_CELLS],
    /// For roots only: the marks of the group.
    marks: [u16; MOST_CELLS],
}

/// The union-find depends on the order of the moves; the stones say all that matters.
impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.stones == other.stones && self.empty == other.empty && self.mover == other.mover
    }
}

impl fmt::Debug for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (stones, mover, winner) = (&self.stones, self.mover, self.winner);
        formatter.debug_struct("State").field("stones", stones).field("mover", &mover).field("winner", &winner).finish()
    }
}

/// The number of the cell on which a stone is placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move(u16);

/// The runs of own stones around a cell. A pattern of neighbours has these bits:
/// 0 and 1 above, 2 left, 4 right, 5 and 6 below; bit 3 is the cell itself.
#[derive(Clone, Copy)]
struct Shape {
    runs: u8,
    /// One stone of each run.
    heads: [u8; 3],
    /// Stones between two others of their run.
    centres: u8,
}

/// The bits of a pattern in the order around the cell, and the step in column and row to each.
const CIRCLE: [(u8, isize, isize); 6] = [(0, -1, -1), (1, 0, -1), (4, 1, 0), (6, 1, 1), (5, 0, 1), (2, -1, 0)];
const ALL_AROUND: usize = 0b111_0111;

const SHAPES: [Shape; 128] = {
    let mut shapes = [Shape { runs: 0, heads: [0; 3], centres: 0 }; 128];
    let mut pattern = 0;
    while pattern < 128 {
        let mut shape = Shape { runs: 0, heads: [0; 3], centres: 0 };
        let mut place = 0;
        while place < 6 {
            let bit = CIRCLE[place].0;
            let own = pattern >> bit & 1 == 1;
            let before = pattern >> CIRCLE[(place + 5) % 6].0 & 1 == 1;
            let after = pattern >> CIRCLE[(place + 1) % 6].0 & 1 == 1;
            if own && !before {
                shape.heads[shape.runs as usize] = bit;
                shape.runs += 1;
            }
            if own && before && after {
                shape.centres |= 1 << bit;
            }
            place += 1;
        }
        shapes[pattern] = shape;
        pattern += 1;
    }
    shapes
};

impl Board {
    fn new(side: usize) -> Self {
        let rows = 2 * side - 1;
        let first_columns: Vec<usize> = (0..rows).map(|row| (row + 1).saturating_sub(side)).collect();
        let width = |row: usize| rows - row.abs_diff(side - 1);
        let first_cells: Vec<usize> = (0..=rows).map(|row| (0..row).map(width).sum()).collect();
        let number = |column: isize, row: isize| {
            let on_board = (0..rows as isize).contains(&row)
                && (0..rows as isize).contains(&column)
                && column.abs_diff(row) < side;
            if !on_board {
                return first_cells[rows] as u16;
            }
            (first_cells[row as usize] + column as usize - first_columns[row as usize]) as u16
        };
        let mut cells = Vec::with_capacity(first_cells[rows]);
        for (row, &first) in first_columns.iter().enumerate() {
            for column in first..first + width(row) {
                let mut neighbours = [0; 7];
                for (bit, right, down) in CIRCLE {
                    neighbours[usize::from(bit)] = number(column as isize + right, row as isize + down);
                }
                let marks = marks(side, column, row);
                cells.push(Cell { neighbours, marks, row: row as u8, column: column as u8 });
            }
        }
        Self { cells, first_columns, first_cells }
    }
}

/// The mark of the corner or side on which a cell lies, if any.
fn marks(side: usize, column: usize, row: usize) -> u16 {
    let (middle, last) = (side - 1, 2 * side - 2);
    let corners = [(0, 0), (middle, 0), (last, middle), (last, last), (middle, last), (0, middle)];
    if let Some(corner) = corners.iter().position(|&corner| corner == (column, row)) {
        return 1 << corner;
    }
    let sides = [row == 0, column == row + middle, column == last, row == last, row == column + middle, column == 0];
    sides.iter().position(|&lies| lies).map_or(0, |side| 1 << (6 + side))
}

/// The marks of corners.
const CORNERS: u16 = 0b11_1111;

/// Whether these marks are a bridge or a fork.
#[inline(always)]
fn connects(marks: u16) -> bool {
    (marks & CORNERS).count_ones() >= 2 || (marks >> 6).count_ones() >= 3
}

/// The pattern of stones around a cell.
#[inline(always)]
fn pattern(stones: &[u32; MOST_ROWS + 2], cell: &Cell) -> usize {
    let (row, column) = (usize::from(cell.row), u32::from(cell.column));
    let above = stones[row] >> column & 0b11;
    let beside = stones[row + 1] >> column & 0b101;
    let below = stones[row + 2] >> (column + 1) & 0b11;
    (above | beside << 2 | below << 5) as usize
}

impl State {
    /// The root of a stone's group; shortens the way for the next time.
    #[inline(always)]
    fn find(&mut self, stone: u16) -> u16 {
        let mut stone = stone;
        loop {
            let parent = self.parents[usize::from(stone)];
            if parent == stone {
                return stone;
            }
            let next = self.parents[usize::from(parent)];
            self.parents[usize::from(stone)] = next;
            stone = next;
        }
    }

    /// The root of a stone's group, read only.
    #[inline(always)]
    fn root(&self, stone: u16) -> u16 {
        let mut stone = stone;
        while self.parents[usize::from(stone)] != stone {
            stone = self.parents[usize::from(stone)];
        }
        stone
    }
}

impl Havannah {
    /// The rules for these options.
    pub fn new(options: Options) -> Self {
        Self { board: Arc::new(Board::new(usize::from(options.size))), options }
    }

    fn side(&self) -> usize {
        usize::from(self.options.size)
    }

    fn rows(&self) -> usize {
        2 * self.side() - 1
    }

    /// Puts a stone on the board and says whether it completes a bridge, a fork or a ring.
    #[inline(always)]
    fn place(&self, state: &mut State, number: u16, player: Player) -> bool {
        let cell = &self.board.cells[usize::from(number)];
        let own = &mut state.stones[player.index()];
        let pattern = pattern(own, cell);
        own[usize::from(cell.row) + 1] |= 2 << cell.column;
        state.empty[usize::from(number) / 64] &= !(1 << (number % 64));
        state.empty_cells -= 1;
        let shape = &SHAPES[pattern];
        if shape.runs == 0 {
            state.parents[usize::from(number)] = number;
            state.marks[usize::from(number)] = cell.marks;
            return false;
        }
        let root = state.find(cell.neighbours[usize::from(shape.heads[0])]);
        state.parents[usize::from(number)] = root;
        let mut marks = cell.marks | state.marks[usize::from(root)];
        let mut ring = false;
        for run in 1..usize::from(shape.runs) {
            let other = state.find(cell.neighbours[usize::from(shape.heads[run])]);
            ring |= other == root;
            marks |= state.marks[usize::from(other)];
            state.parents[usize::from(other)] = root;
        }
        state.marks[usize::from(root)] = marks;
        ring || connects(marks) || self.fills(&state.stones[player.index()], cell, shape)
    }

    /// Whether an own neighbour of a cell just filled has six own neighbours.
    #[inline(always)]
    fn fills(&self, own: &[u32; MOST_ROWS + 2], cell: &Cell, shape: &Shape) -> bool {
        bits::squares(u64::from(shape.centres)).any(|bit| {
            let centre = &self.board.cells[usize::from(cell.neighbours[usize::from(bit)])];
            pattern(own, centre) & ALL_AROUND == ALL_AROUND
        })
    }

    /// What `place` would say.
    #[inline(always)]
    fn would_win(&self, state: &State, number: u16, player: Player) -> bool {
        let cell = &self.board.cells[usize::from(number)];
        let own = &state.stones[player.index()];
        let shape = &SHAPES[pattern(own, cell)];
        let mut roots = [0; 3];
        let mut marks = cell.marks;
        for run in 0..usize::from(shape.runs) {
            let root = state.root(cell.neighbours[usize::from(shape.heads[run])]);
            if roots[..run].contains(&root) {
                return true;
            }
            roots[run] = root;
            marks |= state.marks[usize::from(root)];
        }
        if shape.runs > 0 && connects(marks) {
            return true;
        }
        if shape.centres == 0 {
            return false;
        }
        let mut own = *own;
        own[usize::from(cell.row) + 1] |= 2 << cell.column;
        self.fills(&own, cell, shape)
    }

    fn letter(&self, state: &State, cell: &Cell) -> char {
        let has =
            |player: Player| state.stones[player.index()][usize::from(cell.row) + 1] >> (cell.column + 1) & 1 == 1;
        match (has(Player::First), has(Player::Second)) {
            (true, _) => '1',
            (_, true) => '2',
            _ => '.',
        }
    }

    /// The letters of a row from left to right.
    fn letters(&self, state: &State, row: usize) -> Vec<char> {
        let cells = self.board.first_cells[row]..self.board.first_cells[row + 1];
        self.board.cells[cells].iter().map(|cell| self.letter(state, cell)).collect()
    }
}

impl Default for Havannah {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Game for Havannah {
    type State = State;
    type Move = Move;

    fn initial(&self) -> State {
        let cells = self.board.cells.len();
        let mut empty = [0; WORDS];
        (0..cells).for_each(|cell| empty[cell / 64] |= 1 << (cell % 64));
        State {
            stones: [[0; MOST_ROWS + 2]; 2],
            empty,
            empty_cells: cells as u16,
            mover: Player::First,
            winner: None,
            parents: [0; MOST_CELLS],
            marks: [0; MOST_CELLS],
        }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        match state.winner {
            Some(winner) => Turn::Over(Outcome::Win(winner)),
            None if state.empty_cells == 0 => Turn::Over(Outcome::Draw),
            None => Turn::Player(state.mover),
        }
    }

    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        for (word, &set) in (0u16..).zip(&state.empty) {
            moves.extend(bits::squares(set).map(|bit| Move(64 * word + u16::from(bit))));
        }
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) {
        let mover = state.mover;
        if self.place(state, mv.0, mover) {
            state.winner = Some(mover);
        }
        state.mover = mover.other();
    }

    fn move_ids(&self) -> usize {
        self.board.cells.len()
    }

    #[inline(always)]
    fn move_id(&self, _: &State, mv: Move) -> usize {
        usize::from(mv.0)
    }

    #[inline(always)]
    fn outcome_after(&self, state: &State, mv: Move) -> Option<Outcome> {
        if self.would_win(state, mv.0, state.mover) {
            Some(Outcome::Win(state.mover))
        } else {
            (state.empty_cells == 1).then_some(Outcome::Draw)
        }
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, _: &mut Vec<Move>) -> Option<Move> {
        let index = random.below(u32::from(state.empty_cells));
        // The word is found with comparisons instead of branches, which would be wrong half of the time.
        let (mut word, mut before, mut sum) = (0, 0, 0);
        for set in &state.empty[..WORDS - 1] {
            sum += set.count_ones();
            let further = index >= sum;
            word += usize::from(further);
            before = if further { sum } else { before };
        }
        let cell = bits::select(state.empty[word], index - before).trailing_zeros();
        Some(Move((64 * word) as u16 + cell as u16))
    }

    #[inline(always)]
    fn move_set<'a>(&self, state: &'a State) -> Option<&'a [u64]> {
        Some(&state.empty[..self.board.cells.len().div_ceil(64)])
    }

    #[inline(always)]
    fn move_with_id(&self, _: &State, id: usize) -> Move {
        Move(id as u16)
    }

    fn key(&self, state: &State) -> Option<u64> {
        let rows = state.stones.iter().flatten();
        Some(rows.fold(state.mover.index() as u64, |key, &row| random::mix(key ^ u64::from(row))))
    }

    /// Of "Contextual Monte Carlo" (Rimmel and Teytaud, EvoGames 2010): √(2 ln n / n) for rewards of 0 and 1.
    fn parameters(&self) -> Parameters {
        Parameters { exploration: 2.8284, mast_epsilon: None, simulations_per_second: 1_000, ..Parameters::default() }
    }
}

impl Notation for Havannah {
    fn write_position(&self, state: &State) -> String {
        let rows: Vec<String> = (0..self.rows()).map(|row| self.letters(state, row).iter().collect()).collect();
        format!("{} {}", rows.join("/"), state.mover.number())
    }

    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let wrong = |problem: String, remedy: &str| InputError::new("position", problem, remedy);
        let read = PositionText::read(text, "12.")?;
        read.nothing_more()?;
        if read.rows.len() != self.rows() {
            let problem = format!("the board has {} rows", read.rows.len());
            return Err(wrong(problem, "boards of 5, 7, 9, … 19 rows can be played"));
        }
        let mut state = self.initial();
        let mut stones = [0; 2];
        let mut won = [false; 2];
        for (row, letters) in read.rows.iter().enumerate() {
            let cells = self.board.first_cells[row]..self.board.first_cells[row + 1];
            if letters.len() != cells.len() {
                let place = format!("position, row {} from the top", row + 1);
                let remedy = format!("on this board it has {}", cells.len());
                return Err(InputError::new(place, format!("it has {} cells", letters.len()), remedy));
            }
            for (cell, letter) in cells.zip(letters.iter()) {
                let player = match letter {
                    b'1' => Player::First,
                    b'2' => Player::Second,
                    _ => continue,
                };
                stones[player.index()] += 1;
                won[player.index()] |= self.place(&mut state, cell as u16, player);
            }
        }
        if stones[0] != stones[1] + read.mover.index() {
            let problem = format!("{} and {} stones do not fit the side to move", stones[0], stones[1]);
            return Err(wrong(problem, "the players place stones in turn, 1 first"));
        }
        if won[read.mover.index()] {
            let problem = "the side to move has won already".to_string();
            return Err(wrong(problem, "a finished group ends the game: remove a stone of it"));
        }
        state.mover = read.mover;
        state.winner = won[read.mover.other().index()].then_some(read.mover.other());
        Ok(state)
    }

    fn fitted(self, position: &str) -> Self {
        let rows = position.split_whitespace().next().map_or(0, |board| board.split('/').count());
        if rows.is_multiple_of(2) || rows == self.rows() || !(5..=MOST_ROWS).contains(&rows) {
            return self;
        }
        Self::new(Options { size: rows.div_ceil(2) as u8 })
    }

    /// The column's letter, a at the left end of the top row, and the row's number from the top. Columns run down
    /// and to the right.
    fn write_move(&self, _: &State, mv: Move) -> String {
        self.board.cells[usize::from(mv.0)].name()
    }

    /// Rows with their numbers at the left and the letters of the columns along the upper edge.
    fn draw(&self, state: &State) -> String {
        let side = self.side();
        let letter = |column: usize| (b'a' + column as u8) as char;
        let top: Vec<String> = (0..side).map(|column| letter(column).to_string()).collect();
        let mut text = format!("{}{}\n", " ".repeat(side + 4), top.join(" "));
        for row in 0..self.rows() {
            let letters: Vec<String> = self.letters(state, row).iter().map(char::to_string).collect();
            let indent = " ".repeat((side - 1).abs_diff(row));
            text += &format!("{indent}{:>3} {}", row + 1, letters.join(" "));
            if row < side - 1 {
                text += &format!(" {}", letter(self.board.first_columns[row] + side + row));
            }
            text.push('\n');
        }
        text
    }

    fn scene(&self, state: &State) -> Scene {
        let Board { cells, first_cells, .. } = &*self.board;
        let tone = |cell: &Cell| if cell.marks & CORNERS != 0 { Tone::Marked } else { Tone::Plain };
        let row = |row: usize| {
            let cells = &cells[first_cells[row]..first_cells[row + 1]];
            ((self.side() - 1).abs_diff(row), cells.iter().map(|cell| (cell.name(), tone(cell))).collect())
        };
        let meanings = [('1', Some(Player::First), Figure::Stone), ('2', Some(Player::Second), Figure::Stone)];
        Scene::staggered(scene::Shape::Hexagon, (0..self.rows()).map(row))
            .with_letters(|cell| self.letter(state, &cells[cell]), &meanings)
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.options.write()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the last of these stones of one player wins, on a board of side 4 with some of the other's stones.
    fn wins(stones: &str, others: &str) -> bool {
        let game = Havannah::new(Options { size: 4 });
        let mut state = game.initial();
        for other in others.split_whitespace() {
            let mv = game.read_move(&state, other).unwrap();
            assert!(!game.place(&mut state, mv.0, Player::Second));
        }
        let mut won = false;
        for stone in stones.split_whitespace() {
            assert!(!won, "won before {stone}");
            let mv = game.read_move(&state, stone).unwrap();
            let foreseen = game.would_win(&state, mv.0, Player::First);
            won = game.place(&mut state, mv.0, Player::First);
            assert_eq!(foreseen, won);
        }
        won
    }

    #[test]
    fn bridges_join_two_corners() {
        assert!(wins("a1 d1 b1 c1", ""));
        assert!(!wins("a1 d1 b1 d2 e2", ""));
        assert!(wins("a1 b1 c1 c2 d1", ""));
    }

    #[test]
    fn forks_touch_three_sides() {
        // From the middle of the board to the top, the left and the bottom.
        assert!(wins("b1 b2 b3 c4 d5 a3 f7 e6", ""));
        // A corner lies on no side.
        assert!(!wins("b1 b2 b3 a3 b4 c5 d6 d7", ""));
        // The same side counts once.
        assert!(!wins("b1 b2 b3 a3 a2 c1", ""));
    }

    #[test]
    fn rings_enclose_whatever_the_cell_holds() {
        assert!(wins("c3 d3 e4 e5 d5 c4", ""));
        assert!(wins("c3 d3 e4 e5 d5 c4", "d4"));
        assert!(wins("c3 d3 e4 d4 e5 d5 c4", ""));
        assert!(wins("d4 c3 e4 c4 e5 d3 d5", ""));
        // A larger ring, closed in the middle of an edge.
        assert!(wins("c2 d2 e3 f4 f5 e5 d5 c4 b3 b2", "c3 d4"));
    }

    #[test]
    fn blobs_are_no_rings() {
        assert!(!wins("c3 d3 d4", ""));
        assert!(!wins("c3 d3 e4 e5 d5 d4", ""));
        assert!(!wins("c3 d3 e4 e3 d2 e2 c2", ""));
    }

    #[test]
    fn a_full_board_is_a_draw() {
        let game = Havannah::new(Options { size: 3 });
        let mut draws = 0;
        let mut random = Random::new(spinney_core::Seed::new(3));
        for _ in 0..2_000 {
            let mut state = game.initial();
            while let Turn::Player(_) = game.turn(&state) {
                let mv = game.random_move(&state, &mut random, &mut Vec::new()).unwrap();
                game.apply(&mut state, mv);
            }
            draws += u32::from(game.turn(&state) == Turn::Over(Outcome::Draw) && state.empty_cells == 0);
        }
        assert!(draws > 0);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Havannah::new(Options { size: 3 });
        let problem = |text: &str| game.read_position(text).unwrap_err().to_string();
        assert!(problem("111/..../...../..../... 2").contains("stones do not fit"));
        assert!(problem("111/222./...../..../... 1").contains("won already"));
        assert!(problem(".../..../..../..../... 1").contains("row 3"));
        assert!(problem("... 1").contains("1 rows"));
        let over = game.read_position("111/2.2./...../..../... 2").unwrap();
        assert_eq!(game.turn(&over), Turn::Over(Outcome::Win(Player::First)));
    }

    #[test]
    fn the_drawing_shows_rows_and_columns() {
        let game = Havannah::new(Options { size: 3 });
        let state = game.read_position("1../..../..2../..../... 1").unwrap();
        let expected = "       a b c\n    1 1 . . d\n   2 . . . . e\n  3 . . 2 . .\n   4 . . . .\n    5 . . .\n";
        assert_eq!(game.draw(&state), expected);
    }
}
