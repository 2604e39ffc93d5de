//! Havannah as text and as a scene.

use super::{Board, CORNERS, Cell, Havannah, MOST_ROWS, Move, Options, State};
use spinney_core::notation::PositionText;
use spinney_core::scene::{self, Figure, Scene, Tone};
use spinney_core::{Game, InputError, Notation, Player};

impl Notation for Havannah {
    fn write_position(&self, state: &State) -> String {
        let rows: Vec<String> = (0..self.rows()).map(|row| self.letters(state, row).iter().collect()).collect();
        format!("{} {}", rows.join("/"), state.mover.number())
    }

    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let wrong = |problem: String, remedy: &str| InputError::position("position", problem, remedy);
        let read = PositionText::read(text, self.position_letters())?;
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
                return Err(InputError::position(place, format!("it has {} cells", letters.len()), remedy));
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

    fn position_letters(&self) -> &'static str {
        "12."
    }

    fn prompt(&self, _: &State) -> &'static str {
        "place a stone"
    }

    fn player_name(&self, player: Player) -> &'static str {
        ["white (1)", "black (2)"][player.index()]
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.options.write()
    }
}

impl Cell {
    /// The column's letter and the row's number.
    fn name(&self) -> String {
        format!("{}{}", (b'a' + self.column) as char, self.row + 1)
    }
}

impl Havannah {
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
