//! How positions and moves are written, for people and for files.

use crate::error::{InputError, InputErrorKind, shorten};
use crate::game::{Game, Player, continuations};
use crate::scene::{Item, Scene};

/// A role of a game of roles, in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleText {
    /// Its name.
    pub name: String,
    /// Whether it is chance, whose moves are drawn.
    pub is_chance: bool,
    /// Its legal moves; none when the game is over.
    pub moves: Vec<String>,
    /// What the position is worth to it, from 0 to 100, if the rules say so of this position.
    pub goal: Option<u8>,
}

/// The text side of a game. What is written here is read back unchanged.
///
/// Everything has a default: with `impl Notation for MyGame {}` a game is played by the numbers of its moves, and its
/// positions are shown as `Debug` writes them. They cannot be read back then, so that such a game always starts from its
/// beginning.
///
/// ```
/// # use spinney_core::{Game, List, Outcome, Player, Turn};
/// # #[derive(Clone)]
/// # struct Nim;
/// # impl Game for Nim {
/// #     type State = (u8, Player);
/// #     type Move = u8;
/// #     type Scratch = ();
/// #     fn initial(&self) -> Self::State { (7, Player::First) }
/// #     fn turn(&self, &(left, player): &Self::State) -> Turn {
/// #         if left == 0 { Turn::Over(Outcome::Win(player.other())) } else { Turn::Player(player) }
/// #     }
/// #     fn moves(&self, &(left, _): &Self::State, moves: &mut List<u8>) { moves.extend(1..=left.min(2)) }
/// #     fn apply(&self, (left, player): &mut Self::State, taken: u8) { *left -= taken; *player = player.other() }
/// #     fn move_ids(&self) -> usize { 3 }
/// #     fn move_id(&self, _: &Self::State, taken: u8) -> usize { taken as usize }
/// # }
/// use spinney_core::Notation;
/// impl Notation for Nim {}
/// let start = Nim.initial();
/// assert_eq!(Nim.write_position(&start), "(7, First)");
/// assert_eq!((Nim.write_move(&start, 2), Nim.read_move(&start, "2")), ("2".to_string(), Ok(2)));
/// assert!(!Nim.reads_positions());
/// ```
pub trait Notation: Game {
    /// The roles of a game of roles, with what each may do in a position at the beginning of its step. Others have none.
    fn write_roles(&self, _state: &Self::State) -> Vec<RoleText> {
        Vec::new()
    }

    /// The position on one line: rows from top to bottom separated by `/`, a space, the side to move. The default is
    /// what `Debug` writes.
    fn write_position(&self, state: &Self::State) -> String {
        format!("{state:?}").replace(['\r', '\n'], " ")
    }

    /// Reads what `write_position` wrote. The default refuses every text.
    fn read_position(&self, _text: &str) -> Result<Self::State, InputError> {
        Err(positions_are_not_read())
    }

    /// The letters of which the rows of a position consist, the empty place last; none where positions are no rows. What
    /// edits positions offers them.
    fn position_letters(&self) -> &'static str {
        ""
    }

    /// Whether positions can be read: whether the game has a `read_position` of its own.
    fn reads_positions(&self) -> bool {
        self.read_position("") != Err(positions_are_not_read())
    }

    /// The same rules fitted to a position of another size, for games whose positions tell their size.
    #[must_use]
    fn fitted(self, _position: &str) -> Self {
        self
    }

    /// A legal move of this position, or an outcome of its chance turn. The default is its number among them, from 1.
    fn write_move(&self, state: &Self::State, mv: Self::Move) -> String {
        let place = continuations(self, state).iter().position(|&other| other == mv);
        place.map_or_else(|| "?".to_string(), |place| (place + 1).to_string())
    }

    /// The legal move, or the outcome of the chance turn, written as `text`.
    fn read_move(&self, state: &Self::State, text: &str) -> Result<Self::Move, InputError> {
        let moves = continuations(self, state);
        let written: Vec<String> = moves.iter().map(|&mv| self.write_move(state, mv)).collect();
        let wanted = text.trim();
        match written.iter().position(|one| one.eq_ignore_ascii_case(wanted)) {
            Some(index) => Ok(moves[index]),
            None => Err(InputError::unknown("move", "or illegal move", wanted, written.iter().map(String::as_str))
                .of(InputErrorKind::Move)),
        }
    }

    /// The board as a person reads it in a terminal, several lines. The default is the line of `write_position`.
    fn draw(&self, state: &Self::State) -> String {
        self.write_position(state) + "\n"
    }

    /// The position as a page draws it; interfaces show the text of `draw` where it is empty.
    fn scene(&self, _state: &Self::State) -> Scene {
        Scene::default()
    }

    /// What a roll shows, for games whose positions forget it; it lies beside the board until chance comes again.
    fn roll(&self, _outcome: Self::Move) -> Vec<Item> {
        Vec::new()
    }

    /// What a person touches in `scene` to make the move written as `text`, in this order.
    fn steps(&self, scene: &Scene, text: &str) -> Vec<String> {
        scene.steps(text)
    }

    /// What is asked of the player to move, in a few words: "place your town". Empty where there is nothing to say.
    fn prompt(&self, _state: &Self::State) -> &'static str {
        ""
    }

    /// What a player is called: "white", "the player at the bottom".
    fn player_name(&self, player: Player) -> &str {
        match player {
            Player::First => "first player",
            Player::Second => "second player",
        }
    }

    /// The options of these rules as in `name(options)`; empty when there are none.
    fn options(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

fn positions_are_not_read() -> InputError {
    let problem = "positions of this game cannot be read";
    InputError::new("position", problem, "leave the position out; a game starts from its beginning")
}

/// A position's rows of letters and its side to move, before a game gives them a meaning.
#[derive(Debug)]
pub struct PositionText<'a> {
    /// Rows from top to bottom.
    pub rows: Vec<&'a [u8]>,
    /// The side to move.
    pub mover: Player,
    /// What follows the side to move, if anything.
    pub rest: Option<&'a str>,
}

impl<'a> PositionText<'a> {
    /// Splits `rows side` or `rows side rest` and checks that only `letters` stand in the rows.
    pub fn read(text: &'a str, letters: &str) -> Result<Self, InputError> {
        let mut words = text.split_whitespace();
        let board = words.next().ok_or_else(|| {
            InputError::position("position", "it is empty", "write rows separated by `/`, a space and the side to move")
        })?;
        let rows: Vec<&[u8]> = board.split('/').map(str::as_bytes).collect();
        for (number, row) in rows.iter().enumerate() {
            let text = String::from_utf8_lossy(row);
            if let Some(letter) = text.chars().find(|&letter| !letters.contains(letter)) {
                let place = format!("position, row {} from the top", number + 1);
                let remedy = format!("a row consists of the letters {letters}");
                return Err(InputError::position(place, format!("`{letter}` has no meaning here"), remedy));
            }
        }
        let mover = match words.next() {
            Some("1") => Player::First,
            Some("2") => Player::Second,
            Some(other) => {
                let problem = format!("`{}` is not a side to move", shorten(other));
                return Err(InputError::position("position", problem, "write 1 or 2 after the board"));
            }
            None => {
                return Err(InputError::position("position", "the side to move is missing", "add a space and 1 or 2"));
            }
        };
        let rest = words.next();
        if let Some(extra) = words.next() {
            let problem = format!("`{}` stands after the end", shorten(extra));
            return Err(InputError::position("position", problem, "remove it"));
        }
        Ok(Self { rows, mover, rest })
    }

    /// The number of plies played, which may stand after the side to move: from `least`, which it is when left out, to
    /// `most`, and even when the first player is to move.
    pub fn plies(&self, least: u16, most: u16) -> Result<u16, InputError> {
        let wrong = |problem: String, remedy: String| Err(InputError::position("position", problem, remedy));
        let plies = match self.rest.map(str::parse) {
            None => least,
            Some(Ok(plies)) if plies <= most => plies,
            Some(_) => {
                return wrong(
                    "the number of plies cannot be read".to_string(),
                    format!("write a number from 0 to {most} at the end"),
                );
            }
        };
        if plies % 2 != self.mover.index() as u16 {
            let remedy = "player 1 moves after an even number".to_string();
            return wrong("the side to move does not fit the number of plies".to_string(), remedy);
        }
        if plies < least {
            return wrong(format!("{plies} plies are too few"), format!("write {least} or more"));
        }
        Ok(plies)
    }

    /// Refuses anything after the side to move.
    pub fn nothing_more(&self) -> Result<(), InputError> {
        match self.rest {
            Some(extra) => {
                let problem = format!("`{}` stands after the side to move", shorten(extra));
                Err(InputError::position("position", problem, "remove it"))
            }
            None => Ok(()),
        }
    }
}

/// A square as in chess: column letter and rank, rank 1 at the bottom.
pub fn square_name(column: usize, rank: usize) -> String {
    format!("{}{}", (b'a' + column as u8) as char, rank + 1)
}

/// A board of `rows` × `columns` letters with ranks at the left and column letters below.
pub fn draw_grid(rows: usize, columns: usize, letter: impl Fn(usize, usize) -> char) -> String {
    let mut text = String::new();
    for rank in (0..rows).rev() {
        text += &format!("{:>3} ", rank + 1);
        for column in 0..columns {
            text.push(' ');
            text.push(letter(column, rank));
        }
        text.push('\n');
    }
    text += "    ";
    for column in 0..columns {
        text.push(' ');
        text.push((b'a' + column as u8) as char);
    }
    text.push('\n');
    text
}

/// A cell of a board without square rows: the row's letter from the top, and the place in the row from the left.
pub fn cell_name(row: usize, place: usize) -> String {
    format!("{}{}", (b'a' + row as u8) as char, place + 1)
}

/// Rows of letters from top to bottom, each moved right by its indent in half cells, with the row's letter at its
/// left.
pub fn draw_cells(rows: &[(usize, Vec<char>)]) -> String {
    let mut text = String::new();
    for (row, (indent, letters)) in rows.iter().enumerate() {
        text += &format!("{:>3}  {}", (b'a' + row as u8) as char, " ".repeat(*indent));
        let letters: Vec<String> = letters.iter().map(char::to_string).collect();
        text += &letters.join(" ");
        text.push('\n');
    }
    text
}
