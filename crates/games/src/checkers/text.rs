//! Checkers as text and as a scene.

use super::trails::{HOME_ROWS, bit_at, bit_of, is_slide, number_of, slide};
use super::{Board, Checkers, History, Move, State};
use spinney_core::error::shorten;
use spinney_core::notation::PositionText;
use spinney_core::scene::{Figure, Scene, Tone};
use spinney_core::{InputError, Notation, Player};

impl Notation for Checkers {
    /// Behind the side to move stands the number of king slides in a row, if any; with `repetition=on` also a colon
    /// and the slides that are known, the oldest first: `2:5-9,28-32`.
    fn write_position(&self, state: &State) -> String {
        let letter = |column, rank| bit_at(column, rank).map_or('.', |bit| Self::letter(&state.board, bit));
        let row = |rank: usize| (0..8).map(|column| letter(column, rank)).collect::<String>();
        let board: Vec<String> = (0..8).rev().map(row).collect();
        let mut text = format!("{} {}", board.join("/"), state.board.mover.number());
        if state.slides > 0 {
            text += &format!(" {}", state.slides);
        }
        for (index, &slide) in state.history.slides().iter().enumerate() {
            let trail = self.trail(Move(u16::from(slide)));
            let separator = if index == 0 { ':' } else { ',' };
            text += &format!("{separator}{}-{}", number_of(trail.from.into()), number_of(trail.to.into()));
        }
        text
    }

    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let wrong = |problem: &str, remedy: &str| InputError::position("position", problem, remedy);
        let read = PositionText::read(text, self.position_letters())?;
        if read.rows.len() != 8 {
            let problem = format!("the board has {} rows", read.rows.len());
            return Err(wrong(&problem, "write 8 rows of 8 squares"));
        }
        let (mut pieces, mut kings) = ([0u64; 2], 0u64);
        for (rank, row) in read.rows.iter().rev().enumerate() {
            let place = format!("position, row {} from the top", 8 - rank);
            if row.len() != 8 {
                return Err(InputError::position(place, format!("it has {} squares", row.len()), "make it 8 squares"));
            }
            for (column, &letter) in row.iter().enumerate().filter(|(_, letter)| **letter != b'.') {
                let Some(bit) = bit_at(column, rank) else {
                    let problem =
                        format!("the `{}` in column {} is not on a playing square", letter as char, column + 1);
                    return Err(InputError::position(
                        place,
                        problem,
                        "the left square of the lowest row is not played on",
                    ));
                };
                let player = usize::from(letter.eq_ignore_ascii_case(&b'b'));
                pieces[player] |= 1 << bit;
                if letter.is_ascii_uppercase() {
                    kings |= 1 << bit;
                } else if 1 << bit & HOME_ROWS[1 - player] != 0 {
                    return Err(InputError::position(
                        place,
                        "a man on the far row is a king",
                        "write it as a capital letter",
                    ));
                }
            }
        }
        if let Some(side) = pieces.iter().position(|set| set.count_ones() > 12) {
            let problem = format!("there are {} `{}`", pieces[side].count_ones(), ['w', 'b'][side]);
            return Err(wrong(&problem, "a side has at most 12 pieces"));
        }
        let [own, other] = [read.mover, read.mover.other()].map(|player| pieces[player.index()]);
        if other == 0 {
            return Err(wrong("the side to move has won already", "give the other side a piece, or the move"));
        }
        let board = Board { own, other, kings, mover: read.mover };
        let mut state = State { board, slides: 0, history: History::EMPTY };
        if let Some(rest) = read.rest {
            self.read_slides(&mut state, rest)?;
        }
        Ok(state)
    }

    fn write_move(&self, _: &State, mv: Move) -> String {
        let path: Vec<String> = self.trails.path(mv.0).into_iter().map(|bit| number_of(bit).to_string()).collect();
        path.join(if is_slide(mv.0) { "-" } else { "x" })
    }

    /// Every playing square with its number and what stands on it.
    fn draw(&self, state: &State) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            let cells: Vec<String> = (0..8)
                .map(|column| match bit_at(column, rank) {
                    Some(bit) => format!("{}{:<2}", Self::letter(&state.board, bit), number_of(bit as u32)),
                    None => "   ".to_string(),
                })
                .collect();
            text += &format!("  {}\n", cells.join(" ").trim_end());
        }
        text
    }

    /// All 64 squares; those that are not played on have no name.
    fn scene(&self, state: &State) -> Scene {
        let bit = |cell: usize| bit_at(cell % 8, cell / 8);
        let tone = |column, rank| if bit_at(column, rank).is_some() { Tone::Dark } else { Tone::Plain };
        let letter = |cell| bit(cell).map_or('.', |bit| Self::letter(&state.board, bit));
        let meanings = [
            ('w', Some(Player::First), Figure::Stone),
            ('b', Some(Player::Second), Figure::Stone),
            ('W', Some(Player::First), Figure::King),
            ('B', Some(Player::Second), Figure::King),
        ];
        let mut scene = Scene::squares(8, 8, tone).with_letters(letter, &meanings);
        for (cell, square) in scene.cells.iter_mut().enumerate() {
            square.name = bit(cell).map_or_else(String::new, |bit| number_of(bit as u32).to_string());
        }
        scene
    }

    fn position_letters(&self) -> &'static str {
        "wbWB."
    }

    fn prompt(&self, _: &State) -> &'static str {
        "move a man or a king; jumps come first"
    }

    fn player_name(&self, player: Player) -> &'static str {
        ["white (w, moves up)", "black (b, moves down)"][player.index()]
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.options.write()
    }
}

impl Checkers {
    fn letter(board: &Board, bit: usize) -> char {
        let king = board.kings >> bit & 1 == 1;
        let letters = if king { ['W', 'B'] } else { ['w', 'b'] };
        match Player::BOTH.iter().position(|&player| board.pieces(player) >> bit & 1 == 1) {
            Some(player) => letters[player],
            None => '.',
        }
    }

    /// Reads what stands behind the side to move.
    fn read_slides(&self, state: &mut State, text: &str) -> Result<(), InputError> {
        let place = "position, king slides";
        let (count, list) = text.split_once(':').map_or((text, None), |(count, list)| (count, Some(list)));
        let limit = self.options.king_slide_limit;
        state.slides = count.parse().ok().filter(|&slides| slides <= limit).ok_or_else(|| {
            let problem = format!("`{}` does not fit", shorten(count));
            InputError::position(place, problem, format!("write how many there were in a row, from 0 to {limit}"))
        })?;
        let board = &state.board;
        for (set, slides) in [(board.other, 1), (board.own, 2)] {
            if state.slides >= slides && set & board.kings == 0 {
                let problem = format!("{} in a row, but a side has no king", state.slides);
                return Err(InputError::position(place, problem, "write 0 or leave the number out"));
            }
        }
        let Some(list) = list else { return Ok(()) };
        if !self.options.repetition {
            let remedy = "leave it out, or play with repetition=on";
            return Err(InputError::position(place, "the list of slides has no meaning here", remedy));
        }
        let slides: Vec<&str> = list.split(',').collect();
        if slides.len() > usize::from(state.slides) {
            let problem = format!("the list is longer than {}", state.slides);
            return Err(InputError::position(place, problem, "write at most as many slides as are counted"));
        }
        // Backwards, for each must be possible from the board that follows it.
        let mut board = state.board;
        let mut numbers = Vec::new();
        for slide in slides.iter().rev() {
            let number = self.slide_before(&board, slide).ok_or_else(|| {
                let problem = format!("`{}` does not lead to this position", shorten(slide));
                InputError::position(place, problem, "write slides of kings as 5-9, the oldest first")
            })?;
            board = board.before(self.trail(Move(number)));
            numbers.push(number as u8);
        }
        numbers.iter().rev().for_each(|&number| state.history.push(number));
        Ok(())
    }

    /// The slide written as `text`, if the opponent's king can have made it last.
    fn slide_before(&self, board: &Board, text: &str) -> Option<u16> {
        let (from, to) = text.split_once('-')?;
        let square = |text: &str| text.parse().ok().filter(|number| (1..=32).contains(number)).map(bit_of);
        let (from, to) = (square(from)?, square(to)?);
        let made = (board.other & board.kings) >> to & 1 == 1 && board.open() >> from & 1 == 1;
        let number = (0..4).map(|direction| slide(direction, from)).find(|&number| {
            let trail = self.trail(Move(number));
            trail.moved != 0 && u32::from(trail.to) == to
        })?;
        made.then_some(number)
    }
}
