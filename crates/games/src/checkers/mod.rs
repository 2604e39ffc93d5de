//! Checkers (English draughts).
//!
//! Men step one square diagonally forward, kings in all four directions. A piece jumps over an adjacent enemy onto the
//! empty square behind it, men forward only, and goes on jumping while it can. Who can jump must, but any jump will do.
//! Jumped pieces leave the board when the sequence has ended and cannot be jumped twice; the square the piece came from
//! counts as empty. A man that reaches the far row becomes a king, and the move ends. Who cannot move loses.
//!
//! A game is drawn when one king is left on either side, and after `king_slide_limit` plies in a row without a capture
//! or a move of a man; 25 plies is the published engine's limit and keeps random games short. The tournament rules
//! are `king_slide_limit=80, repetition=on`. A player who cannot move has lost even if the draw rules apply.
//!
//! `variant=engine2014` lists jumps as the published engine does: what was jumped on one branch of a sequence counts as
//! gone on the other branches of the same piece, and the square the piece came from counts as occupied, so that a few
//! sequences are missing or end too early. Branches are tried up-left, up-right, down-right, down-left; the engine's
//! own order is not published, and with another order other sequences go missing.
//!
//! The squares have the numbers of the books, from the first player's side: 1 at b1 to 32 at g8.

mod trails;

use crate::variant::Variant;
use spinney_core::error::shorten;
use spinney_core::notation::PositionText;
use spinney_core::scene::{Figure, Scene, Tone};
use spinney_core::{Game, InputError, Notation, Outcome, Parameters, Player, Random, Turn, bits, random};
use trails::{BOARD, HOME_ROWS, Trail, Trails, bit_at, bit_of, is_slide, number_of, single, slide, standing};

spinney_core::options! {
    /// Draws, and how jumps are listed.
    pub struct Options {
        /// plies in a row without a capture or a move of a man that make a draw
        king_slide_limit: u8 = 25, in 1 to 100;
        /// a position that occurs for the third time is a draw
        repetition: bool = false;
        /// how sequences of jumps are listed
        variant: Variant = Variant::Standard;
    }
}

/// The rules.
///
/// ```
/// use spinney_core::{Game, perft};
/// let game = spinney_games::Checkers::default();
/// assert_eq!(perft(&game, &game.initial(), 5), 7361);
/// ```
#[derive(Clone, Debug)]
pub struct Checkers {
    options: Options,
    trails: &'static Trails,
}

/// Sets of squares as bits, see the table of trails.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Board {
    /// Pieces of the player to move.
    own: u64,
    other: u64,
    /// Kings of both.
    kings: u64,
    mover: Player,
}

/// A position, with what the draw rules have to know of the plies before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    board: Board,
    /// King slides since the last capture or move of a man.
    slides: u8,
    history: History,
}

/// The last of these slides by their numbers; kept only if repetitions are draws.
#[derive(Clone, Copy)]
struct History {
    known: u8,
    slides: [u8; 100],
}

impl History {
    const EMPTY: Self = Self { known: 0, slides: [0; 100] };

    fn slides(&self) -> &[u8] {
        &self.slides[..usize::from(self.known)]
    }

    fn push(&mut self, slide: u8) {
        self.slides[usize::from(self.known)] = slide;
        self.known += 1;
    }
}

impl PartialEq for History {
    fn eq(&self, other: &Self) -> bool {
        self.slides() == other.slides()
    }
}

impl std::fmt::Debug for History {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.slides().fmt(formatter)
    }
}

/// The number of a trail: a slide, or a whole sequence of jumps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move(u16);

/// Squares by direction from which a piece can move: up-left, up-right, down-right, down-left.
type Starts = [u64; 4];

impl Board {
    #[inline(always)]
    fn open(&self) -> u64 {
        BOARD & !(self.own | self.other)
    }

    /// The mover's pieces that may go up, and those that may go down.
    #[inline(always)]
    fn movers(&self) -> [u64; 2] {
        let men_go_up = (self.mover.index() as u64).wrapping_sub(1);
        [self.own & (self.kings | men_go_up), self.own & (self.kings | !men_go_up)]
    }

    #[inline(always)]
    fn slides(&self) -> Starts {
        let (open, [up, down]) = (self.open(), self.movers());
        [up & open >> 4, up & open >> 5, down & open << 4, down & open << 5]
    }

    #[inline(always)]
    fn jumps(&self) -> Starts {
        let (open, other, [up, down]) = (self.open(), self.other, self.movers());
        [
            up & other >> 4 & open >> 8,
            up & other >> 5 & open >> 10,
            down & other << 4 & open << 8,
            down & other << 5 & open << 10,
        ]
    }

    /// Whether a sequence of more than one jump could be possible. Some that are not are let through: a king's own
    /// start and those of other jumpers count as empty.
    #[inline(always)]
    fn may_go_on(&self, jumps: Starts) -> bool {
        let (open, other, [up, down]) = (self.open() | any(jumps), self.other, self.movers());
        let land = |movers: u64| {
            let [a, b, c, d] = jumps;
            [(a & movers) << 8, (b & movers) << 10, (c & movers) >> 8, (d & movers) >> 10]
        };
        let (rising, sinking) = (land(up), land(down));
        // Never back over the piece just jumped.
        let on = (rising[0] | rising[1] | rising[3]) & other >> 4 & open >> 8
            | (rising[0] | rising[1] | rising[2]) & other >> 5 & open >> 10
            | (sinking[1] | sinking[2] | sinking[3]) & other << 4 & open << 8
            | (sinking[0] | sinking[2] | sinking[3]) & other << 5 & open << 10;
        on != 0
    }

    #[inline(always)]
    fn can_move(&self) -> bool {
        any(self.slides()) | any(self.jumps()) != 0
    }

    #[inline(always)]
    fn after(&self, trail: &Trail) -> Self {
        let own = self.own & !(1 << trail.from) | 1 << trail.to;
        let was_king = self.kings >> trail.from & 1;
        let crowned = 1 << trail.to & HOME_ROWS[self.mover.other().index()];
        let kings = self.kings & !(1 << trail.from | trail.captured) | was_king << trail.to | crowned;
        Self { own: self.other & !trail.captured, other: own, kings, mover: self.mover.other() }
    }

    /// Whether one king is left on either side.
    #[inline(always)]
    fn is_king_against_king(&self) -> bool {
        let alone = |set: u64| set & set.wrapping_sub(1) == 0;
        self.kings == self.own | self.other && alone(self.own) && alone(self.other)
    }

    /// The board before the opponent's last slide.
    fn before(&self, trail: &Trail) -> Self {
        let own = self.other ^ trail.moved;
        Self { own, other: self.own, kings: self.kings ^ trail.moved, mover: self.mover.other() }
    }

    fn pieces(&self, player: Player) -> u64 {
        if player == self.mover { self.own } else { self.other }
    }
}

#[inline(always)]
fn any(starts: Starts) -> u64 {
    starts[0] | starts[1] | starts[2] | starts[3]
}

/// One of the directions and squares, all equally likely, if there is one.
#[inline(always)]
fn draw(starts: Starts, random: &mut Random) -> Option<(usize, u32)> {
    let counts = starts.map(u64::count_ones);
    let ends = [counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]];
    let total = ends[2] + counts[3];
    if total == 0 {
        return None;
    }
    let index = random.below(total);
    // Sums of comparisons instead of branches: a wrong guess costs more than all of them.
    let passed = ends.map(|end| u32::from(index >= end));
    let direction = (passed[0] + passed[1] + passed[2]) as usize;
    let before = (0..3).map(|place| counts[place] & passed[place].wrapping_neg()).sum::<u32>();
    Some((direction, bits::select(starts[direction], index - before).trailing_zeros()))
}

impl Checkers {
    /// The rules for these options.
    pub fn new(options: Options) -> Self {
        Self { options, trails: Trails::shared() }
    }

    #[inline(always)]
    fn trail(&self, mv: Move) -> &'static Trail {
        self.trails.get(usize::from(mv.0))
    }

    /// King slides in a row after this move.
    #[inline(always)]
    fn slides_after(state: &State, mv: Move, trail: &Trail) -> u8 {
        let king_slides = is_slide(mv.0) & (state.board.kings >> trail.from & 1 == 1);
        if king_slides { state.slides + 1 } else { 0 }
    }

    /// Appends all complete sequences of jumps.
    #[inline(always)]
    fn list_jumps(&self, board: &Board, jumps: Starts, moves: &mut Vec<Move>) {
        let men = if board.mover == Player::First { (0, 2) } else { (2, 4) };
        for from in bits::squares(any(jumps)) {
            let start = 1u64 << from;
            let directions = if board.kings & start != 0 { (0, 4) } else { men };
            let standing = standing(u32::from(from));
            match self.options.variant {
                Variant::Standard => {
                    self.follow::<false>(standing, directions, board.open() | start, &mut board.other.clone(), moves);
                }
                Variant::Engine2014 => {
                    self.follow::<true>(standing, directions, board.open(), &mut board.other.clone(), moves);
                }
            }
        }
    }

    /// Appends the ways to go on jumping after a trail, or the trail itself if there is none.
    fn follow<const MARK: bool>(
        &self,
        number: usize,
        directions: (usize, usize),
        open: u64,
        enemies: &mut u64,
        moves: &mut Vec<Move>,
    ) {
        let mut complete = true;
        for direction in directions.0..directions.1 {
            let next = usize::from(self.trails.get(number).next[direction]);
            let trail = self.trails.get(next);
            // Trail 0 stands for none: it jumps nothing.
            if trail.last & *enemies != 0 && open >> trail.to & 1 == 1 {
                complete = false;
                if MARK {
                    *enemies &= !trail.last;
                }
                self.follow::<MARK>(next, directions, open, enemies, moves);
            }
        }
        if complete {
            moves.push(Move(number as u16));
        }
    }

    /// The outcome if the game is drawn or lost for the player to move.
    #[inline(always)]
    fn outcome(&self, board: &Board, slides: u8) -> Option<Outcome> {
        if !board.can_move() {
            Some(Outcome::Win(board.mover.other()))
        } else if self.is_drawn(board, slides) {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    #[inline(always)]
    fn is_drawn(&self, board: &Board, slides: u8) -> bool {
        slides >= self.options.king_slide_limit || board.is_king_against_king()
    }

    /// Whether the position has occurred twice before.
    fn is_third(&self, state: &State) -> bool {
        let mut board = state.board;
        let mut occurrences = 1;
        for &slide in state.history.slides().iter().rev() {
            board = board.before(self.trail(Move(u16::from(slide))));
            occurrences += u8::from(board == state.board);
        }
        occurrences >= 3
    }

    fn letter(board: &Board, bit: usize) -> char {
        let king = board.kings >> bit & 1 == 1;
        let letters = if king { ['W', 'B'] } else { ['w', 'b'] };
        match Player::BOTH.iter().position(|&player| board.pieces(player) >> bit & 1 == 1) {
            Some(player) => letters[player],
            None => '.',
        }
    }
}

impl Default for Checkers {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Game for Checkers {
    type State = State;
    type Move = Move;

    fn initial(&self) -> State {
        let own = BOARD & ((1 << 13) - 1);
        let board = Board { own, other: BOARD & !((1 << 22) - 1), kings: 0, mover: Player::First };
        State { board, slides: 0, history: History::EMPTY }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        match self.outcome(&state.board, state.slides) {
            Some(outcome) => Turn::Over(outcome),
            None if self.options.repetition && self.is_third(state) => Turn::Over(Outcome::Draw),
            None => Turn::Player(state.board.mover),
        }
    }

    #[inline(always)]
    fn quick_turn(&self, state: &State) -> Turn {
        if self.options.repetition || self.is_drawn(&state.board, state.slides) {
            self.turn(state)
        } else {
            Turn::Player(state.board.mover)
        }
    }

    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        let jumps = state.board.jumps();
        if any(jumps) != 0 {
            return self.list_jumps(&state.board, jumps, moves);
        }
        for (direction, starts) in state.board.slides().into_iter().enumerate() {
            moves.extend(bits::squares(starts).map(|from| Move(slide(direction, u32::from(from)))));
        }
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) {
        let trail = self.trail(mv);
        state.slides = Self::slides_after(state, mv, trail);
        state.board = state.board.after(trail);
        if self.options.repetition {
            if state.slides == 0 {
                state.history.known = 0;
            } else {
                state.history.push(mv.0 as u8);
            }
        }
    }

    fn move_ids(&self) -> usize {
        self.trails.len()
    }

    #[inline(always)]
    fn move_id(&self, _: &State, mv: Move) -> usize {
        usize::from(mv.0)
    }

    #[inline(always)]
    fn outcome_after(&self, state: &State, mv: Move) -> Option<Outcome> {
        if self.options.repetition {
            let mut next = *state;
            self.apply(&mut next, mv);
            return self.turn(&next).outcome();
        }
        let trail = self.trail(mv);
        self.outcome(&state.board.after(trail), Self::slides_after(state, mv, trail))
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, moves: &mut Vec<Move>) -> Option<Move> {
        let board = &state.board;
        let jumps = board.jumps();
        if any(jumps) == 0 {
            let (direction, from) = draw(board.slides(), random)?;
            return Some(Move(single(false, direction, from)));
        }
        if !board.may_go_on(jumps) {
            let (direction, from) = draw(jumps, random)?;
            return Some(Move(single(true, direction, from)));
        }
        moves.clear();
        self.list_jumps(board, jumps, moves);
        Some(moves[random.below(moves.len() as u32) as usize])
    }

    /// The winner's pieces over 12, men and kings alike.
    fn quality(&self, state: &State, winner: Player) -> f32 {
        state.board.pieces(winner).count_ones() as f32 / 12.0
    }

    /// Men and five times kings, squashed into (−1, 1).
    fn evaluate(&self, state: &State, player: Player) -> Option<f32> {
        let board = &state.board;
        let worth = |set: u64| set.count_ones() as f32 + 4.0 * (set & board.kings).count_ones() as f32;
        let lead = worth(board.pieces(player)) - worth(board.pieces(player.other()));
        Some(lead / (4.0 + lead.abs()))
    }

    fn key(&self, state: &State) -> Option<u64> {
        let Board { own, other, kings, mover } = state.board;
        let rest = u64::from(state.slides) << 1 | mover.index() as u64;
        let key = [own, other, kings].into_iter().fold(rest, |key, word| random::mix(key ^ word));
        Some(state.history.slides().iter().fold(key, |key, &slide| random::mix(key ^ u64::from(slide))))
    }

    /// Published in "Quality-based Rewards for Monte-Carlo Tree Search Simulations" (ECAI 2014).
    fn parameters(&self) -> Parameters {
        Parameters {
            exploration: 1.0,
            mast_epsilon: None,
            simulations_per_second: 24_000,
            relative_steepness: 2.8,
            qualitative_steepness: 2.0,
        }
    }
}

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
        let wrong = |problem: &str, remedy: &str| InputError::new("position", problem, remedy);
        let read = PositionText::read(text, "wbWB.")?;
        if read.rows.len() != 8 {
            let problem = format!("the board has {} rows", read.rows.len());
            return Err(wrong(&problem, "write 8 rows of 8 squares"));
        }
        let (mut pieces, mut kings) = ([0u64; 2], 0u64);
        for (rank, row) in read.rows.iter().rev().enumerate() {
            let place = format!("position, row {} from the top", 8 - rank);
            if row.len() != 8 {
                return Err(InputError::new(place, format!("it has {} squares", row.len()), "make it 8 squares"));
            }
            for (column, &letter) in row.iter().enumerate().filter(|(_, letter)| **letter != b'.') {
                let Some(bit) = bit_at(column, rank) else {
                    let problem =
                        format!("the `{}` in column {} is not on a playing square", letter as char, column + 1);
                    return Err(InputError::new(place, problem, "the left square of the lowest row is not played on"));
                };
                let player = usize::from(letter.eq_ignore_ascii_case(&b'b'));
                pieces[player] |= 1 << bit;
                if letter.is_ascii_uppercase() {
                    kings |= 1 << bit;
                } else if 1 << bit & HOME_ROWS[1 - player] != 0 {
                    return Err(InputError::new(
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

    fn player_name(&self, player: Player) -> &'static str {
        ["white (w, moves up)", "black (b, moves down)"][player.index()]
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.options.write()
    }
}

impl Checkers {
    /// Reads what stands behind the side to move.
    fn read_slides(&self, state: &mut State, text: &str) -> Result<(), InputError> {
        let place = "position, king slides";
        let (count, list) = text.split_once(':').map_or((text, None), |(count, list)| (count, Some(list)));
        let limit = self.options.king_slide_limit;
        state.slides = count.parse().ok().filter(|&slides| slides <= limit).ok_or_else(|| {
            let problem = format!("`{}` does not fit", shorten(count));
            InputError::new(place, problem, format!("write how many there were in a row, from 0 to {limit}"))
        })?;
        let board = &state.board;
        for (set, slides) in [(board.other, 1), (board.own, 2)] {
            if state.slides >= slides && set & board.kings == 0 {
                let problem = format!("{} in a row, but a side has no king", state.slides);
                return Err(InputError::new(place, problem, "write 0 or leave the number out"));
            }
        }
        let Some(list) = list else { return Ok(()) };
        if !self.options.repetition {
            let remedy = "leave it out, or play with repetition=on";
            return Err(InputError::new(place, "the list of slides has no meaning here", remedy));
        }
        let slides: Vec<&str> = list.split(',').collect();
        if slides.len() > usize::from(state.slides) {
            let problem = format!("the list is longer than {}", state.slides);
            return Err(InputError::new(place, problem, "write at most as many slides as are counted"));
        }
        // Backwards, for each must be possible from the board that follows it.
        let mut board = state.board;
        let mut numbers = Vec::new();
        for slide in slides.iter().rev() {
            let number = self.slide_before(&board, slide).ok_or_else(|| {
                let problem = format!("`{}` does not lead to this position", shorten(slide));
                InputError::new(place, problem, "write slides of kings as 5-9, the oldest first")
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(options: Options, position: &str) -> (Checkers, State) {
        let game = Checkers::new(options);
        let state = game.read_position(position).unwrap();
        (game, state)
    }

    fn standard(position: &str) -> (Checkers, State) {
        read(Options::default(), position)
    }

    fn texts(game: &Checkers, state: &State) -> Vec<String> {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        moves.into_iter().map(|mv| game.write_move(state, mv)).collect()
    }

    fn play(game: &Checkers, state: &mut State, mv: &str) {
        let mv = game.read_move(state, mv).unwrap();
        game.apply(state, mv);
    }

    #[test]
    fn jumps_are_compulsory_and_complete_but_the_choice_is_free() {
        // Without the duty to jump, 4 could slide; 10 must jump twice on one side, and may jump once on the other.
        let position = "b......./......../..b...../......../..b.b.../.w.w..../......../.......w 1";
        let (game, mut state) = standard(position);
        let mut moves = texts(&game, &state);
        moves.sort_unstable();
        assert_eq!(moves, ["10x17x26", "10x19", "9x18x25"]);
        play(&game, &mut state, "10x17x26");
        assert_eq!(
            game.write_position(&state),
            "b......./...w..../......../......../....b.../.w....../......../.......w 2"
        );
    }

    #[test]
    fn a_man_that_is_crowned_stops() {
        let (game, mut state) = standard("......../...b.b../..w...../......../......../......../......../........ 1");
        assert_eq!(texts(&game, &state), ["22x31"]);
        play(&game, &mut state, "22x31");
        assert_eq!(
            game.write_position(&state),
            "....W.../.....b../......../......../......../......../......../........ 2"
        );
        // A king goes on.
        let (game, state) = standard("......../...b.b../..W...../......../......../......../......../........ 1");
        assert_eq!(texts(&game, &state), ["22x31x24"]);
    }

    const RING: &str = "......../......../..b.b.../......../..b.b.../...W..../......../........ 1";

    #[test]
    fn a_king_may_return_to_its_start_either_way_round() {
        let (game, mut state) = standard(RING);
        assert_eq!(texts(&game, &state), ["10x17x26x19x10", "10x19x26x17x10"]);
        let mv = game.read_move(&state, "10x17x26x19x10").unwrap();
        assert_eq!(game.outcome_after(&state, mv), Some(Outcome::Win(Player::First)));
        game.apply(&mut state, mv);
        assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(Player::First)));
        assert_eq!(game.quality(&state, Player::First), 1.0 / 12.0);
    }

    /// The start is occupied, and what the first way round has jumped is gone for the second.
    #[test]
    fn the_engine_misses_some_sequences() {
        let (game, state) = read(Options { variant: Variant::Engine2014, ..Options::default() }, RING);
        assert_eq!(texts(&game, &state), ["10x17x26x19", "10x19"]);
    }

    #[test]
    fn king_against_king_is_a_draw() {
        let (game, state) = standard("W......./......../......../......../......../......../......../.......B 1");
        assert_eq!(game.turn(&state), Turn::Over(Outcome::Draw));
        let (game, state) = standard("W......./......../......../......../......../......../w......./.......B 1");
        assert_eq!(game.turn(&state), Turn::Player(Player::First));
    }

    #[test]
    fn king_slides_are_counted_until_a_man_moves_or_a_piece_is_captured() {
        let (game, mut state) =
            standard("W......./......../......../......../......../......../w......./.......B 1 23");
        play(&game, &mut state, "29-25");
        assert!(game.write_position(&state).ends_with(" 2 24"));
        let mv = game.read_move(&state, "4-8").unwrap();
        assert_eq!(game.outcome_after(&state, mv), Some(Outcome::Draw));
        let mut drawn = state;
        game.apply(&mut drawn, mv);
        assert_eq!(game.turn(&drawn), Turn::Over(Outcome::Draw));

        let (game, mut state) =
            standard("W......./......../......../......../......../......../w......./.......B 1 24");
        play(&game, &mut state, "5-9");
        assert_eq!(state.slides, 0);

        let (game, mut state) =
            standard("......../......../......../......../....b.../...W..../......../.......B 1 24");
        play(&game, &mut state, "10x19");
        assert_eq!(state.slides, 0);
    }

    #[test]
    fn who_cannot_move_has_lost_even_when_the_slides_are_up() {
        let (game, state) = standard("......../......../......../......../......../.....B../......b./.......W 1 25");
        assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(Player::Second)));
        assert_eq!(game.quick_turn(&state), game.turn(&state));
        assert_eq!(game.quality(&state, Player::Second), 2.0 / 12.0);
    }

    #[test]
    fn a_third_occurrence_is_a_draw_if_repetition_is_on() {
        let start = "W.W...../......../......../......../......../......../......../...B.... 1";
        for repetition in [false, true] {
            let (game, mut state) = read(Options { repetition, king_slide_limit: 80, ..Options::default() }, start);
            for mv in ["29-25", "2-6", "25-29", "6-2", "29-25", "2-6", "25-29"] {
                play(&game, &mut state, mv);
                assert_eq!(game.turn(&state), Turn::Player(state.board.mover));
            }
            let expected = repetition.then_some(Outcome::Draw);
            let mv = game.read_move(&state, "6-2").unwrap();
            assert_eq!(game.outcome_after(&state, mv), expected);
            game.apply(&mut state, mv);
            assert_eq!(game.quick_turn(&state) == Turn::Over(Outcome::Draw), repetition);
            let rest = if repetition { "8:29-25,2-6,25-29,6-2,29-25,2-6,25-29,6-2" } else { "8" };
            assert_eq!(game.write_position(&state), format!("{start} {rest}"));
        }
    }

    #[test]
    fn the_list_of_slides_may_be_short_but_must_be_possible() {
        let board = "W.W...../......../......../......../......../......../......../...B.... 1";
        let game = Checkers::new(Options { repetition: true, ..Options::default() });
        for (rest, readable) in [
            ("4:25-29,6-2", true),
            ("4", true),
            ("0", true),
            ("1:25-29,6-2", false),
            ("4:6-2,25-29", false),
            ("4:", false),
            ("4:33-2", false),
            ("26", false),
            ("x", false),
        ] {
            let text = format!("{board} {rest}");
            assert_eq!(game.read_position(&text).is_ok(), readable, "{rest}");
        }
        let refusal = Checkers::default().read_position(&format!("{board} 4:25-29")).unwrap_err().to_string();
        let expected =
            "position, king slides: the list of slides has no meaning here; leave it out, or play with repetition=on";
        assert_eq!(refusal, expected);
    }

    #[test]
    fn faulty_positions_are_refused_with_a_remedy() {
        let empty = "........";
        let refusal = |rows: [&str; 8], rest: &str| {
            Checkers::default().read_position(&format!("{} {rest}", rows.join("/"))).unwrap_err().to_string()
        };
        let mut rows = [empty; 8];
        assert_eq!(
            refusal(rows, "1"),
            "position: the side to move has won already; give the other side a piece, or the move"
        );
        rows[0] = "b.b.w...";
        let man = "position, row 1 from the top: a man on the far row is a king; write it as a capital letter";
        assert_eq!(refusal(rows, "2"), man);
        rows[0] = ".b......";
        assert!(refusal(rows, "1").contains("the `b` in column 2 is not on a playing square"));
        rows[0] = "b.....";
        assert!(refusal(rows, "1").contains("it has 6 squares"));
        rows[0] = "b.......";
        assert!(refusal(rows, "1 3").contains("a side has no king"));
        let crowd = ["b.b.b.b.", ".b.b.b.b", "b.b.b.b.", ".b......", empty, empty, empty, ".W......"];
        assert_eq!(refusal(crowd, "1"), "position: there are 13 `b`; a side has at most 12 pieces");
    }
}
