//! Breakthrough as text and as a scene.

use super::{Breakthrough, HOME_ROW, Move, Options, State};
use spinney_core::notation::{PositionText, draw_grid, square_name};
use spinney_core::scene::{Figure, Scene, Tone};
use spinney_core::{InputError, Notation, Player};

impl Notation for Breakthrough {
    fn write_position(&self, state: &State) -> String {
        let (rows, columns) = (usize::from(self.options.rows), usize::from(self.options.columns));
        let row = |rank: usize| (0..columns).map(|column| self.letter(state, column, rank)).collect::<String>();
        let board: Vec<String> = (0..rows).rev().map(row).collect();
        format!("{} {}", board.join("/"), state.mover.number())
    }

    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let wrong = |problem: &str, remedy: &str| InputError::position("position", problem, remedy);
        let read = PositionText::read(text, self.position_letters())?;
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
                return Err(InputError::position(
                    place,
                    problem,
                    format!("make it {columns} squares like the first row"),
                ));
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
        if state.other == 0 || state.own & self.goal_row() != 0 {
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

    fn position_letters(&self) -> &'static str {
        "wb."
    }

    fn prompt(&self, _: &State) -> &'static str {
        "move a pawn ahead"
    }

    fn player_name(&self, player: Player) -> &'static str {
        ["white (w, moves up)", "black (b, moves down)"][player.index()]
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.options.write()
    }
}

impl Breakthrough {
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
