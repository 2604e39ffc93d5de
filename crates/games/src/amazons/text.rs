//! Amazons as text and as a scene.

use super::{AMAZONS, Amazons, Geometry, Move, Options, State, on_lines};
use spinney_core::notation::{PositionText, draw_grid, square_name};
use spinney_core::scene::{Figure, Scene, Tone};
use spinney_core::{InputError, Notation, Player};

impl Notation for Amazons {
    fn write_position(&self, state: &State) -> String {
        let row = |rank: usize| (0..self.size()).map(|column| self.letter(state, column, rank)).collect::<String>();
        let board: Vec<String> = (0..self.size()).rev().map(row).collect();
        format!("{} {}", board.join("/"), state.mover.number())
    }

    /// Any position with four amazons on each side; the number of arrows is not held against the side to move.
    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let read = PositionText::read(text, self.position_letters())?;
        read.nothing_more()?;
        let size = self.size();
        if read.rows.len() != size {
            let problem = format!("the board has {} rows", read.rows.len());
            return Err(InputError::position(
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
                return Err(InputError::position(
                    place,
                    problem,
                    format!("make it {size} squares: the board is square"),
                ));
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
            return Err(InputError::position("position", problem, format!("each side has {AMAZONS} amazons")));
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

    fn position_letters(&self) -> &'static str {
        "WBx."
    }

    fn prompt(&self, _: &State) -> &'static str {
        "move an amazon, then burn a square"
    }

    fn player_name(&self, player: Player) -> &'static str {
        ["white (W)", "black (B)"][player.index()]
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.options.write()
    }
}

impl Amazons {
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
