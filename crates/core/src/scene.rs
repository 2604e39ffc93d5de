//! What a position looks like, as data: cells, pieces, and what lies beside the board. A page or any other interface
//! draws it without knowing the game.

use crate::game::Player;

/// A position as it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The cells of the board; none where a game has no board.
    pub cells: Vec<Cell>,
    /// How a cell is drawn.
    pub shape: Shape,
    /// Lines between cells, by their indices, for boards whose pieces stand on points.
    pub lines: Vec<[usize; 2]>,
    /// What stands on the board.
    pub pieces: Vec<Piece>,
    /// What lies beside it: dice, cards, counters.
    pub trays: Vec<Tray>,
}

/// A place on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// As moves name it.
    pub name: String,
    /// Its centre, to the right; neighbours are about 1 apart.
    pub x: f32,
    /// Its centre, downwards.
    pub y: f32,
    /// How it differs from the others.
    pub tone: Tone,
}

/// The shape of all cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Squares of side 1.
    #[default]
    Square,
    /// Hexagons with a corner up, whose neighbours in a row are 1 apart.
    Hexagon,
    /// Points where lines meet.
    Point,
    /// Hollows of a wooden board.
    Hole,
}

/// What tells a cell from its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Nothing.
    #[default]
    Plain,
    /// The darker squares of a chequered board.
    Dark,
    /// A cell that matters in the rules, such as a corner.
    Marked,
    /// A player's home or goal.
    Home(Player),
}

/// Something on a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Index of the cell.
    pub cell: usize,
    /// Whose it is.
    pub owner: Option<Player>,
    /// What it is.
    pub figure: Figure,
}

/// What a piece looks like.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// A round stone or man.
    Stone,
    /// A crowned man.
    King,
    /// A pawn.
    Pawn,
    /// An amazon.
    Queen,
    /// A soldier.
    Soldier,
    /// A town.
    Town,
    /// A square on which nothing can stand any more.
    Burnt,
    /// A cross.
    Cross,
    /// A ring.
    Ring,
    /// A piece for this turn only.
    Runner,
    /// Anything else, as a short text.
    Text(String),
}

/// A row of things beside the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Tray {
    /// What they are.
    pub title: String,
    /// Whose they are.
    pub owner: Option<Player>,
    /// The things.
    pub items: Vec<Item>,
}

/// A thing beside the board.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A die and its eyes.
    Die(u8),
    /// Cards of one name.
    Card {
        /// As moves name it.
        name: String,
        /// How many.
        count: u32,
        /// A few words: its cost, its worth.
        note: String,
    },
    /// A number and what it counts.
    Counter {
        /// What it counts.
        name: String,
        /// How many.
        value: String,
    },
    /// A sentence that holds, as rule sheets write it.
    Fact(String),
}

impl Scene {
    /// A board of squares named as in chess, rank 1 at the bottom, with no piece on it. The cell of a column and a rank
    /// has the index `rank * columns + column`.
    pub fn squares(rows: usize, columns: usize, tone: impl Fn(usize, usize) -> Tone) -> Self {
        let cells =
            (0..rows).flat_map(|rank| (0..columns).map(move |column| (column, rank))).map(|(column, rank)| Cell {
                name: crate::notation::square_name(column, rank),
                x: column as f32,
                y: (rows - 1 - rank) as f32,
                tone: tone(column, rank),
            });
        Self { cells: cells.collect(), ..Self::default() }
    }

    /// Puts a piece on the cell of this index.
    pub fn put(&mut self, cell: usize, owner: Option<Player>, figure: Figure) {
        self.pieces.push(Piece { cell, owner, figure });
    }

    /// What a person touches to make the move written as `text`: the cells and cards that it names, in its order. Empty
    /// for moves that name none, such as a pass.
    ///
    /// ```
    /// use spinney_core::scene::{Scene, Tone};
    /// let scene = Scene::squares(8, 8, |_, _| Tone::Plain);
    /// assert_eq!(scene.steps("d1-d4/d8"), ["d1", "d4", "d8"]);
    /// assert!(scene.steps("pass").is_empty());
    /// ```
    pub fn steps(&self, text: &str) -> Vec<String> {
        let names = |word: &&str| {
            let cards = self.trays.iter().flat_map(|tray| &tray.items);
            self.cells.iter().any(|cell| cell.name == *word)
                || cards.into_iter().any(|item| matches!(item, Item::Card { name, .. } if name == word))
        };
        text.split(|letter: char| !letter.is_alphanumeric()).filter(names).map(str::to_string).collect()
    }
}
