//! Chinese Checkers as text and as a scene.

use super::geometry::{CELLS, GOALS, NUMBERS};
use super::pieces::Pieces;
use super::{ChineseCheckers, Move, State, geometry};
use spinney_core::notation::{PositionText, cell_name, draw_cells};
use spinney_core::scene::{Figure, Scene, Shape, Tone};
use spinney_core::{InputError, Notation, Player};

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
        let wrong = |problem: String, remedy: &str| InputError::position("position", problem, remedy);
        let read = PositionText::read(text, self.position_letters())?;
        if read.rows.len() != 13 {
            let problem = format!("the board has {} rows", read.rows.len());
            return Err(wrong(problem, "write 13 rows of 1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2 and 1 cells"));
        }
        for (row, letters) in read.rows.iter().enumerate() {
            let width = CELLS.iter().filter(|cell| cell.row as usize == row).count();
            if letters.len() != width {
                let place = format!("position, row {} from the top", row + 1);
                return Err(InputError::position(
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

    fn position_letters(&self) -> &'static str {
        "12."
    }

    fn prompt(&self, _: &State) -> &'static str {
        "step or hop towards the other side"
    }

    fn player_name(&self, player: Player) -> &'static str {
        ["white (1, starts at the top)", "black (2, starts at the bottom)"][player.index()]
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.options.write()
    }
}

impl ChineseCheckers {
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
