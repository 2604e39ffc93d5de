//! The board that the facts of a sheet describe, if they do: facts whose first arguments are two coordinates, such as
//! `cell(1,2,x)`, `at(3,4,white,rook)` or `wolf(4,8)`. What stands on it is guessed from names: who owns a piece, and
//! which places are empty.

use super::notation::split;
use spinney_core::Player;
use spinney_core::scene::{Cell, Figure, Scene, Tone};
use std::collections::{BTreeMap, BTreeSet};

/// The most columns or rows that are drawn.
const WIDEST: usize = 30;
/// The fewest places that are a board.
const FEWEST: usize = 4;
/// What sheets call an empty place.
const BLANKS: [&str; 5] = ["b", "blank", "empty", "gap", "none"];

/// Has the letter that it has in chess, where the first one is the king's.
const KNIGHT: &str = "knight";

/// A coordinate in the order in which people count: by the letters, then by the number at the end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Coordinate {
    letters: String,
    number: u64,
    name: String,
}

impl Coordinate {
    fn new(name: &str) -> Self {
        let letters = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let number = name[letters.len()..].parse().unwrap_or(0);
        Self { letters: letters.to_string(), number, name: name.to_string() }
    }
}

/// Where in a fact its content is told, after two coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// By the name of the fact.
    Bare,
    /// By the third argument.
    Content,
    /// The owner, then the kind of piece.
    OwnerAndKind,
    /// The kind of piece, then the owner.
    KindAndOwner,
}

/// The facts of one relation, as lists of arguments.
type Facts = Vec<Vec<String>>;

/// A board.
#[derive(Clone, Debug)]
pub(super) struct Board {
    columns: Vec<Coordinate>,
    /// From the bottom.
    rows: Vec<Coordinate>,
    /// Places that can hold anything, as indices of columns and rows.
    places: BTreeSet<(usize, usize)>,
    /// The relations that tell what stands where, by name and number of arguments.
    forms: BTreeMap<(String, usize), Form>,
    roles: Vec<String>,
    /// Whether `b` is a piece: of a role with this letter, if those of the other roles are pieces too.
    b_is_piece: bool,
    /// So many letters tell the kinds of pieces apart.
    letters: usize,
    /// Whether pieces with owners stand there at the beginning: then it looks like a board for moving.
    has_men: bool,
}

/// What a fact puts on a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Content {
    /// The role that owns it.
    owner: Option<usize>,
    /// What it is; empty where only the owner is told.
    kind: String,
    /// Both, as the sheet has it.
    word: String,
}

/// What stands on each column and row that holds anything.
pub(super) type Held = BTreeMap<(usize, usize), Vec<Content>>;

impl Board {
    /// Finds the board in all facts that may hold, or that are known to; `None` if there is none.
    pub(super) fn find(possible: &[String], initial: &[String], roles: &[String]) -> Option<Self> {
        let roles: Vec<String> = roles.iter().map(|role| role.to_ascii_lowercase()).collect();
        let mut relations: BTreeMap<(String, usize), Facts> = BTreeMap::new();
        for (name, arguments) in possible.iter().chain(initial).map(|fact| split(fact)) {
            relations.entry((name, arguments.len())).or_default().push(arguments);
        }
        let mut found: Vec<(&(String, usize), Form, &Facts)> = relations
            .iter()
            .filter_map(|(relation, facts)| Some((relation, form(facts, relation.1, &roles)?, facts)))
            .collect();
        // The largest is the board; others lie on it if it has their coordinates.
        found.sort_by_key(|(_, _, facts)| std::cmp::Reverse(places(facts).len()));
        let (_, _, largest) = *found.first()?;
        let (columns, rows) = (coordinates(largest, 0), coordinates(largest, 1));
        let fits = |facts: &Facts| coordinates(facts, 0).is_subset(&columns) && coordinates(facts, 1).is_subset(&rows);
        found.retain(|(_, _, facts)| fits(facts));
        let mut board = Self {
            places: BTreeSet::new(),
            columns: columns.iter().cloned().collect(),
            rows: rows.iter().cloned().collect(),
            forms: found.iter().map(|(relation, form, _)| ((*relation).clone(), *form)).collect(),
            roles,
            b_is_piece: false,
            letters: 1,
            has_men: false,
        };
        board.places =
            found.iter().flat_map(|(_, _, facts)| facts.iter()).filter_map(|fact| board.place(fact)).collect();
        let words: BTreeSet<&str> = found
            .iter()
            .filter(|(_, form, _)| *form == Form::Content)
            .flat_map(|(_, _, facts)| facts.iter().map(|fact| fact[2].as_str()))
            .collect();
        board.b_is_piece = board.roles.iter().any(|role| role.starts_with('b'))
            && board.roles.iter().all(|role| role.get(..1).is_some_and(|letter| words.contains(letter)));
        let contents =
            |facts: &[String]| -> Vec<Content> { facts.iter().filter_map(|fact| board.read(fact)?.1).collect() };
        let (mut all, first) = (contents(possible), contents(initial));
        board.has_men = first.iter().any(|content| content.owner.is_some());
        all.extend(first);
        let kinds: BTreeSet<&str> =
            all.iter().map(|content| content.kind.as_str()).filter(|kind| *kind != KNIGHT).collect();
        board.letters = (1..5).find(|&letters| prefixes(&kinds, letters).len() == kinds.len()).unwrap_or(5);
        Some(board)
    }

    /// The column and the row of a fact's coordinates.
    fn place(&self, arguments: &[String]) -> Option<(usize, usize)> {
        let [x, y, ..] = arguments else { return None };
        let find = |list: &[Coordinate], name: &String| list.binary_search(&Coordinate::new(name)).ok();
        Some((find(&self.columns, x)?, find(&self.rows, y)?))
    }

    /// What a fact puts where, if it concerns the board; nothing on an empty place.
    fn read(&self, fact: &str) -> Option<((usize, usize), Option<Content>)> {
        let (name, arguments) = split(fact);
        let form = *self.forms.get(&(name.clone(), arguments.len()))?;
        let place = self.place(&arguments)?;
        let owned = |owner: &String, kind: &String| Content {
            owner: self.roles.iter().position(|role| role == owner),
            kind: kind.clone(),
            word: kind.clone(),
        };
        let content = match (form, &arguments[2..]) {
            (Form::OwnerAndKind, [owner, kind]) | (Form::KindAndOwner, [kind, owner]) => Some(owned(owner, kind)),
            (Form::Content, [word]) if BLANKS.contains(&word.as_str()) && !(self.b_is_piece && word == "b") => None,
            (Form::Content, [word]) => Some(self.content(word)),
            _ => Some(self.content(&name)),
        };
        Some((place, content))
    }

    /// The owner and the kind of a piece that has one word for both: `white`, `w`, `wp`, `white_pawn`.
    fn content(&self, word: &str) -> Content {
        let content = |owner, kind: &str| Content { owner, kind: kind.to_string(), word: word.to_string() };
        if let Some(owner) = self.roles.iter().position(|role| role == word) {
            return content(Some(owner), "");
        }
        let begins = |role: &str| role.len() > 2 && word.starts_with(role);
        if let Some((owner, role)) = self.roles.iter().enumerate().find(|(_, role)| begins(role)) {
            return content(Some(owner), word[role.len()..].trim_start_matches(['_', '-']));
        }
        let mut with_letter =
            self.roles.iter().enumerate().filter(|(_, role)| role.chars().next() == word.chars().next());
        let owner = with_letter.next().filter(|_| with_letter.next().is_none()).map(|(owner, _)| owner);
        let is_short = word.len() <= 2 && word.chars().all(|letter| letter.is_ascii_alphabetic());
        match owner.filter(|_| is_short) {
            Some(owner) => content(Some(owner), &word[1..]),
            None => content(None, word),
        }
    }

    /// Sorts facts into what stands on the board, by place, and those that do not concern it.
    pub(super) fn sort<'a>(&self, facts: &'a [String]) -> (Held, Vec<&'a str>) {
        let (mut held, mut rest) = (Held::new(), Vec::new());
        for fact in facts {
            match self.read(fact) {
                Some((place, Some(content))) => held.entry(place).or_default().push(content),
                Some((_, None)) => {}
                None => rest.push(fact.as_str()),
            }
        }
        (held, rest)
    }

    /// A few letters for a kind of piece.
    fn short(&self, kind: &str) -> String {
        match kind {
            KNIGHT => "N".to_string(),
            kind if kind.len() <= 2 => kind.to_ascii_uppercase(),
            kind => {
                let letters = kind.chars().take(self.letters).enumerate();
                letters.map(|(place, letter)| if place == 0 { letter.to_ascii_uppercase() } else { letter }).collect()
            }
        }
    }

    /// A few letters for what stands on a place, without its owner if he is not all that is told.
    fn letters(&self, content: &Content) -> String {
        self.short(if content.kind.is_empty() { &content.word } else { &content.kind })
    }

    /// How a piece looks.
    fn figure(&self, content: &Content) -> Figure {
        match (content.word.as_str(), content.owner) {
            ("x" | "xplayer", _) => Figure::Cross,
            ("o" | "oplayer", _) => Figure::Ring,
            // The third role and the ones behind it share a colour with the second, and are told by their letters.
            (_, Some(0 | 1)) if content.kind.is_empty() => Figure::Stone,
            _ => Figure::Text(self.letters(content)),
        }
    }

    /// The board with what stands on it.
    pub(super) fn scene(&self, held: &Held) -> Scene {
        let is_dark = |&(column, row): &(usize, usize)| (column + row) % 2 == 0;
        let dark = self.places.iter().filter(|place| is_dark(place)).count();
        // A board of one colour is chequered, and nothing stands on the other colour.
        let one_colour = dark == 0 || dark == self.places.len();
        let mut scene = Scene::default();
        for (row, y) in self.rows.iter().enumerate() {
            for (column, x) in self.columns.iter().enumerate() {
                let is_place = self.places.contains(&(column, row));
                if !is_place && !one_colour {
                    continue;
                }
                let is_toned = if one_colour { is_place } else { self.has_men && is_dark(&(column, row)) };
                if let Some(contents) = held.get(&(column, row)) {
                    let owner = contents.iter().find_map(|content| content.owner);
                    let owner = owner.map(|role| if role == 0 { Player::First } else { Player::Second });
                    let figure = match &contents[..] {
                        [content] => self.figure(content),
                        several => {
                            let names: Vec<String> = several.iter().map(|content| self.letters(content)).collect();
                            Figure::Text(names.join(" "))
                        }
                    };
                    scene.put(scene.cells.len(), owner, figure);
                }
                scene.cells.push(Cell {
                    name: if is_place { place_name(&x.name, &y.name) } else { String::new() },
                    x: column as f32,
                    y: (self.rows.len() - 1 - row) as f32,
                    tone: if is_toned { Tone::Dark } else { Tone::Plain },
                });
            }
        }
        scene
    }

    /// The board as text: x to the right, y up.
    pub(super) fn draw(&self, held: &Held) -> String {
        let letters = |content: &Content| match content.owner {
            Some(owner) if !content.kind.is_empty() => {
                self.roles[owner].chars().take(1).collect::<String>() + &self.short(&content.kind)
            }
            _ => content.word.clone(),
        };
        let shown = |place: (usize, usize)| match held.get(&place) {
            Some(contents) => contents.iter().map(letters).collect::<Vec<_>>().join("+"),
            None if self.places.contains(&place) => ".".to_string(),
            None => String::new(),
        };
        let width = held.keys().map(|&place| shown(place).chars().count()).max().unwrap_or(1).min(8);
        let cut = |text: &str| text.chars().take(width).collect::<String>();
        let mut text = String::new();
        for (row, y) in self.rows.iter().enumerate().rev() {
            let cells = (0..self.columns.len()).map(|column| format!(" {:<width$}", cut(&shown((column, row)))));
            text += format!("{:>4} {}", y.name, cells.collect::<String>()).trim_end();
            text.push('\n');
        }
        let names = self.columns.iter().map(|column| format!(" {:<width$}", cut(&column.name)));
        text + format!("     {}", names.collect::<String>()).trim_end() + "\n"
    }
}

/// What a place is called.
fn place_name(x: &str, y: &str) -> String {
    format!("{x},{y}")
}

/// The places that a move names, in its order. A move that names a column alone drops something into it.
pub(super) fn steps(scene: &Scene, text: &str) -> Vec<String> {
    let words: Vec<&str> =
        text.split(['(', ')', ',']).skip(usize::from(text.contains('('))).filter(|word| !word.is_empty()).collect();
    let mut steps = Vec::new();
    let mut at = 0;
    while at + 1 < words.len() {
        let name = place_name(words[at], words[at + 1]);
        if scene.names(&name) {
            steps.push(name);
            at += 1;
        }
        at += 1;
    }
    if let ([column], true) = (&words[..], steps.is_empty()) {
        steps.extend(above(scene, column));
    }
    steps
}

/// The lowest place of a column above all pieces; the highest where there is none.
fn above(scene: &Scene, column: &str) -> Option<String> {
    let in_column = |(_, cell): &(usize, &Cell)| cell.name.split_once(',').is_some_and(|(x, _)| x == column);
    let mut top: Option<&Cell> = None;
    let mut landing: Option<&Cell> = None;
    // Cells stand in their order from the bottom.
    for (index, cell) in scene.cells.iter().enumerate().filter(in_column) {
        top = Some(cell);
        if scene.pieces.iter().any(|piece| piece.cell == index) {
            landing = None;
        } else if landing.is_none() {
            landing = Some(cell);
        }
    }
    landing.or(top).map(|cell| cell.name.clone())
}

fn coordinates(facts: &Facts, argument: usize) -> BTreeSet<Coordinate> {
    facts.iter().map(|fact| Coordinate::new(&fact[argument])).collect()
}

fn places(facts: &Facts) -> BTreeSet<&[String]> {
    facts.iter().map(|fact| &fact[..2]).collect()
}

fn prefixes<'a>(words: &BTreeSet<&'a str>, letters: usize) -> BTreeSet<&'a str> {
    words.iter().map(|word| word.char_indices().nth(letters).map_or(*word, |(end, _)| &word[..end])).collect()
}

/// How the facts of a relation tell what stands where; `None` if they do not.
fn form(facts: &Facts, arity: usize, roles: &[String]) -> Option<Form> {
    if !(2..=4).contains(&arity) || facts.iter().flatten().any(|argument| argument.contains('(')) {
        return None;
    }
    let argument = |place: usize| facts.iter().map(|fact| fact[place].as_str()).collect::<BTreeSet<&str>>();
    let (columns, rows) = (argument(0), argument(1));
    let are_roles = |names: &BTreeSet<&str>| names.iter().all(|name| roles.iter().any(|role| role == name));
    let has_role = |names: &BTreeSet<&str>| names.iter().any(|name| roles.iter().any(|role| role == name));
    let are_kinds = |names: &BTreeSet<&str>| names.is_disjoint(&columns) && names.is_disjoint(&rows);
    let is_large = columns.len() <= WIDEST && rows.len() <= WIDEST && places(facts).len() >= FEWEST;
    if !is_large || has_role(&columns) || has_role(&rows) {
        return None;
    }
    match arity {
        // A number that counts something has no column.
        2 => (columns == rows).then_some(Form::Bare),
        // Three coordinates are no board.
        3 => (argument(2) != columns || columns != rows).then_some(Form::Content),
        _ if are_roles(&argument(2)) && are_kinds(&argument(3)) => Some(Form::OwnerAndKind),
        _ if are_roles(&argument(3)) && are_kinds(&argument(2)) => Some(Form::KindAndOwner),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;

    /// The board of a sheet in which these contents, separated by spaces, may stand on each of nine cells.
    fn nine(roles: [&str; 2], contents: &str) -> Board {
        let places = (1..=3).flat_map(|x| (1..=3).map(move |y| (x, y)));
        let facts =
            places.flat_map(|(x, y)| contents.split(' ').map(move |content| format!("cell({x},{y},{content})")));
        let facts: Vec<String> = facts.chain(["control(white)".to_string()]).collect();
        Board::find(&facts, &[], &roles.map(str::to_string)).unwrap()
    }

    fn piece(board: &Board, fact: &str) -> Option<(Option<Player>, Figure)> {
        let facts = [fact.to_string()];
        let scene = board.scene(&board.sort(&facts).0);
        assert_eq!((scene.cells.len(), scene.cells[5].name.as_str()), (9, "3,2"));
        scene.pieces.first().map(|piece| (piece.owner, piece.figure.clone()))
    }

    #[test]
    fn contents_tell_owners() {
        let text = |letters: &str| Figure::Text(letters.to_string());
        let (first, second) = (Some(Player::First), Some(Player::Second));
        let crosses = nine(["xplayer", "oplayer"], "b x o");
        assert_eq!(piece(&crosses, "cell(1,1,b)"), None);
        assert_eq!(piece(&crosses, "cell(1,1,x)"), Some((first, Figure::Cross)));
        assert_eq!(piece(&crosses, "cell(1,1,o)"), Some((second, Figure::Ring)));
        // A black bishop, and an empty square.
        let chess = nine(["white", "black"], "b bb wp black_king wall");
        assert_eq!(piece(&chess, "cell(3,1,b)"), None);
        assert_eq!(piece(&chess, "cell(3,1,bb)"), Some((second, text("B"))));
        assert_eq!(piece(&chess, "cell(3,1,wp)"), Some((first, text("P"))));
        assert_eq!(piece(&chess, "cell(3,1,black_king)"), Some((second, text("K"))));
        assert_eq!(piece(&chess, "cell(3,1,wall)"), Some((None, text("W"))));
        // Black and white men.
        let men = nine(["white", "black"], "blank b w");
        assert_eq!(piece(&men, "cell(2,2,b)"), Some((second, Figure::Stone)));
        assert_eq!(piece(&men, "cell(2,2,w)"), Some((first, Figure::Stone)));
        assert_eq!(piece(&men, "cell(2,2,blank)"), None);
        assert_eq!(piece(&men, "control(white)"), None);
        // Two sheep, which begin alike, and a number.
        let alike = nine(["sheep", "sleep"], "s 4 rook robot");
        assert_eq!(piece(&alike, "cell(2,2,s)"), Some((None, text("S"))));
        assert_eq!(piece(&alike, "cell(2,2,4)"), Some((None, text("4"))));
        assert_eq!(piece(&alike, "cell(2,2,rook)"), Some((None, text("Roo"))));
    }

    #[test]
    fn what_is_no_board() {
        let find = |facts: &dyn Fn(usize, usize) -> String| {
            let facts: Vec<String> =
                (1..=4).flat_map(|x| (1..=4).map(move |y| (x, y))).map(|(x, y)| facts(x, y)).collect();
            Board::find(&facts, &[], &["white".to_string(), "black".to_string()]).is_some()
        };
        assert!(find(&|x, y| format!("on({x},{y})")));
        assert!(find(&|x, y| format!("at({x},{y},rook,white)")));
        assert!(!find(&|x, y| format!("heap(h{x},{y})")));
        assert!(!find(&|x, y| format!("point({x},{y},{x})")));
        assert!(!find(&|x, y| format!("ball({x},{y},{x},white)")));
        assert!(!find(&|x, y| format!("piece({},{x},p{y})", ["white", "black"][x % 2])));
        assert!(!find(&|x, y| format!("cell(pair({x},{y}),{y},white)")));
    }

    #[test]
    fn coordinates_are_counted() {
        let facts: Vec<String> = (1..=11).map(|x| format!("cell(c{x},a,w)")).collect();
        let board = Board::find(&facts, &[], &["white".to_string()]).unwrap();
        let names: Vec<&str> = board.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!((names[1], names[9]), ("c2", "c10"));
    }

    #[test]
    fn moves_name_places() {
        let board = nine(["white", "black"], "w b");
        let facts = ["cell(3,1,w)".to_string(), "cell(1,1,b)".to_string(), "cell(1,1,w)".to_string()];
        let (held, rest) = board.sort(&facts);
        let scene = board.scene(&held);
        assert!(
            rest.is_empty() && scene.pieces.len() == 2 && scene.pieces[0].figure == Figure::Text("B W".to_string())
        );
        assert_eq!(board.draw(&held), "   3  .   .   .\n   2  .   .   .\n   1  b+w .   w\n      1   2   3\n");
        for (text, expected) in [
            ("mark(1,2)", vec!["1,2"]),
            ("move(wp,1,2,3,3)", vec!["1,2", "3,3"]),
            ("move(cell(1,2),cell(3,3),left)", vec!["1,2", "3,3"]),
            ("drop(3)", vec!["3,2"]),
            ("drop(4)", vec![]),
            ("select(4,4,4)", vec![]),
            ("noop", vec![]),
        ] {
            assert_eq!(steps(&scene, text), expected, "{text}");
        }
    }
}
