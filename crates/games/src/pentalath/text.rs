//! Pentalath as text and as a scene.

use super::cells::*;
use super::{ENGINE_STONES, LONGEST_PLIES, Move, Pentalath, State};
use spinney_core::notation::{PositionText, cell_name, draw_cells};
use spinney_core::scene::{Figure, Scene, Shape, Tone};
use spinney_core::{InputError, Notation, Player};

impl Notation for Pentalath {
    /// Rows from the top, the side to move and the number of plies played.
    fn write_position(&self, state: &State) -> String {
        let row = |row: usize| (0..row_length(row)).map(|place| Self::letter(state, row, place)).collect::<String>();
        let board: Vec<String> = (0..ROWS).map(row).collect();
        format!("{} {} {}", board.join("/"), state.mover().number(), state.plies)
    }

    /// The number of plies may be left out; then it is the smallest in which the stones can have been placed.
    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let wrong = |problem: &str, remedy: &str| Err(InputError::position("position", problem, remedy));
        let read = PositionText::read(text, self.position_letters())?;
        if read.rows.len() != ROWS {
            return wrong(&format!("the board has {} rows", read.rows.len()), "write 9 rows of 5 to 9 cells");
        }
        let mut stones = [0u64; 2];
        for (row, letters) in read.rows.iter().enumerate() {
            if letters.len() != row_length(row) {
                let place = format!("position, row {} from the top", row + 1);
                let problem = format!("it has {} cells", letters.len());
                return Err(InputError::position(place, problem, format!("make it {} cells", row_length(row))));
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

impl Pentalath {
    fn letter(state: &State, row: usize, place: usize) -> char {
        let [first, second] = state.stones().map(|set| set >> cell_at(row, place) & 1);
        match (first, second) {
            (1, _) => '1',
            (_, 1) => '2',
            _ => '.',
        }
    }
}
