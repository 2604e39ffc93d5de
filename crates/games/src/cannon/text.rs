//! Cannon as text and as a scene.

use super::moves::TOWN;
use super::points::*;
use super::{Cannon, LONGEST_PLIES, Move, SOLDIERS, State};
use spinney_core::notation::{PositionText, draw_grid, square_name};
use spinney_core::scene::{Figure, Scene, Shape, Tone};
use spinney_core::{InputError, Notation, Player};

impl Notation for Cannon {
    /// Rows from the top, the side to move and the number of plies played.
    fn write_position(&self, state: &State) -> String {
        let row = |row: usize| (0..SIZE).map(|column| Self::letter(state, column, row)).collect::<String>();
        let board: Vec<String> = (0..SIZE).map(row).collect();
        format!("{} {} {}", board.join("/"), state.mover().number(), state.plies)
    }

    /// The number of plies may be left out; then it is the smallest that fits the board and the side to move.
    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let wrong = |problem: &str, remedy: &str| Err(InputError::position("position", problem, remedy));
        let read = PositionText::read(text, self.position_letters())?;
        if read.rows.len() != SIZE {
            return wrong(&format!("the board has {} rows", read.rows.len()), "write 10 rows of 10 points");
        }
        let mut sets = [0u128; 4];
        for (row, letters) in read.rows.iter().enumerate() {
            if letters.len() != SIZE {
                let place = format!("position, row {} from the top", row + 1);
                return Err(InputError::position(
                    place,
                    format!("it has {} points", letters.len()),
                    "make it 10 points",
                ));
            }
            for (column, letter) in letters.iter().enumerate() {
                if let Some(set) = b"12TU".iter().position(|known| known == letter) {
                    sets[set] |= 1 << (STRIDE * row + column);
                }
            }
        }
        let soldiers = [sets[0], sets[1]];
        if let Some(side) = soldiers.iter().position(|set| set.count_ones() > SOLDIERS) {
            let problem = format!("there are {} `{}`", soldiers[side].count_ones(), side + 1);
            return wrong(&problem, "a side has at most 15 soldiers");
        }
        let towns = self.read_towns([sets[2], sets[3]])?;
        let parity = read.mover.index() as u16;
        let least = match towns.map(|town| town != NO_TOWN) {
            [false, false] => 0,
            [true, false] => 1,
            [false, true] => return wrong("the first player has no town", "put a `T` on the last row"),
            [true, true] if soldiers == START => 2 + parity,
            [true, true] => 4 - parity,
        };
        if least < 2 && soldiers != START {
            return wrong("a town is missing", "put it on the board: soldiers move when both are placed");
        }
        let plies = read.plies(least, LONGEST_PLIES + 1)?;
        if least < 2 && plies != least {
            return wrong("the towns do not fit the number of plies", "the first two plies place them");
        }
        let state = State { soldiers, towns, plies };
        let view = self.view(&state);
        if plies > 2 && self.attacks(view.own, view.target, view.empty) {
            let letter = ['U', 'T'][usize::from(parity)];
            let problem = format!("`{letter}` is attacked though its owner just moved");
            return wrong(&problem, "give the move to the other side");
        }
        Ok(state)
    }

    /// `@e1` places a town, `e2-e3` steps, retreats or slides, `e4xd5` captures, `e4*e6` shoots.
    fn write_move(&self, _: &State, mv: Move) -> String {
        let name = |point: u32| square_name(point as usize % STRIDE, SIZE - 1 - point as usize / STRIDE);
        if mv.way() == TOWN {
            return format!("@{}", name(mv.to()));
        }
        let sign = if mv.is_shot() {
            '*'
        } else if mv.is_capture() {
            'x'
        } else {
            '-'
        };
        format!("{}{sign}{}", name(mv.from()), name(mv.to()))
    }

    fn draw(&self, state: &State) -> String {
        draw_grid(SIZE, SIZE, |column, rank| Self::letter(state, column, SIZE - 1 - rank))
    }

    fn scene(&self, state: &State) -> Scene {
        let home = |_: usize, rank: usize| match rank {
            0 => Tone::Home(Player::First),
            rank if rank == SIZE - 1 => Tone::Home(Player::Second),
            _ => Tone::Plain,
        };
        let letter = |cell: usize| Self::letter(state, cell % SIZE, SIZE - 1 - cell / SIZE);
        let meanings = [
            ('1', Some(Player::First), Figure::Soldier),
            ('2', Some(Player::Second), Figure::Soldier),
            ('T', Some(Player::First), Figure::Town),
            ('U', Some(Player::Second), Figure::Town),
        ];
        let (last, top) = (SIZE - 1, SIZE * (SIZE - 1));
        let lines = (0..SIZE).flat_map(|at| [[at, top + at], [at * SIZE, at * SIZE + last]]).collect();
        Scene { shape: Shape::Point, lines, ..Scene::squares(SIZE, SIZE, home).with_letters(letter, &meanings) }
    }

    fn position_letters(&self) -> &'static str {
        "12TU."
    }

    fn prompt(&self, state: &State) -> &'static str {
        if state.plies < 2 { "place your town on your first row" } else { "move a soldier or fire a cannon" }
    }

    fn player_name(&self, player: Player) -> &'static str {
        ["white (1, town T, moves up)", "black (2, town U, moves down)"][player.index()]
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.options.write()
    }
}

impl Cannon {
    fn letter(state: &State, column: usize, row: usize) -> char {
        let point = 1 << (STRIDE * row + column);
        let has = |set: u128| set & point != 0;
        match () {
            () if has(state.soldiers[0]) => '1',
            () if has(state.soldiers[1]) => '2',
            () if has(TOWNS[usize::from(state.towns[0])].point) => 'T',
            () if has(TOWNS[usize::from(state.towns[1])].point) => 'U',
            () => '.',
        }
    }

    /// Towns as indices of `TOWNS`.
    fn read_towns(&self, found: [u128; 2]) -> Result<[u8; 2], InputError> {
        let wrong = |problem: String, remedy: &str| Err(InputError::position("position", problem, remedy));
        let mut towns = [NO_TOWN; 2];
        for (side, letter, row) in [(0, 'T', "last"), (1, 'U', "first")] {
            if found[side] == 0 {
                continue;
            }
            if !is_single(found[side]) {
                return wrong(format!("there is more than one `{letter}`"), "a side has one town");
            }
            let index = (0..20).find(|&index| TOWNS[index].point == found[side] && index / SIZE == side);
            let Some(index) = index else {
                return wrong(format!("`{letter}` is not on its home row"), &format!("put it on the {row} row"));
            };
            if matches!(index % SIZE, 0 | 9) && !self.options.corners && !self.is_engine() {
                return wrong(format!("`{letter}` is on a corner"), "move it, or play cannon(corners)");
            }
            towns[side] = index as u8;
        }
        Ok(towns)
    }
}
