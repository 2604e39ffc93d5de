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
    /// What it is; the name of the role where that is all that is told.
    what: String,
}

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
            all.iter().map(|content| content.what.as_str()).filter(|what| *what != KNIGHT).collect();
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
        let owned = |owner: &String, what: &String| Content {
            owner: self.roles.iter().position(|role| role == owner),
            what: what.clone(),
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
        let whole = |owner| Content { owner, what: word.to_string() };
        if let Some(owner) = self.roles.iter().position(|role| role == word) {
            return whole(Some(owner));
        }
        let begins = |role: &String, length: usize| word.starts_with(role.get(..length).unwrap_or(role));
        let mut with_letter = self.roles.iter().enumerate().filter(|(_, role)| begins(role, 1));
        let by_letter = with_letter.next().filter(|_| with_letter.next().is_none()).map(|(owner, _)| owner);
        match word.len() {
            1 => whole(by_letter),
            2 if by_letter.is_some() && word.chars().all(|letter| letter.is_ascii_alphabetic()) => {
                Content { owner: by_letter, what: word[1..].to_string() }
            }
            _ => match self.roles.iter().position(|role| begins(role, role.len())) {
                Some(owner) => {
                    let kind = word[self.roles[owner].len()..].trim_start_matches(['_', '-']);
                    Content { owner: Some(owner), what: kind.to_string() }
                }
                None => whole(None),
            },
        }
    }

    /// Sorts facts into what stands on the board, by place, and those that do not concern it.
    pub(super) fn sort<'a>(&self, facts: &'a [String]) -> (BTreeMap<(usize, usize), Vec<Content>>, Vec<&'a str>) {
        let (mut held, mut rest): (BTreeMap<_, Vec<Content>>, _) = (BTreeMap::new(), Vec::new());
        for fact in facts {
            match self.read(fact) {
                Some((place, Some(content))) => held.entry(place).or_default().push(content),
                Some((_, None)) => {}
                None => rest.push(fact.as_str()),
            }
        }
        (held, rest)
    }

    /// A few letters for what stands on a place.
    fn short(&self, what: &str) -> String {
        match what {
            KNIGHT => "N".to_string(),
            what if what.len() <= 2 => what.to_ascii_uppercase(),
            what => {
                let letters = what.chars().take(self.letters).enumerate();
                letters.map(|(place, letter)| if place == 0 { letter.to_ascii_uppercase() } else { letter }).collect()
            }
        }
    }

    /// How a piece looks.
    fn figure(&self, content: &Content) -> Figure {
        let is_role = content.owner.is_some_and(|owner| {
            let role = self.roles[owner].as_str();
            role == content.what || (content.what.len() == 1 && role.starts_with(&content.what))
        });
        match content.what.as_str() {
            "x" | "xplayer" => Figure::Cross,
            "o" | "oplayer" => Figure::Ring,
            // The third role and the ones behind it share a colour with the second.
            what if is_role && content.owner > Some(1) => Figure::Text(self.short(what)),
            _ if is_role => Figure::Stone,
            what => Figure::Text(self.short(what)),
        }
    }

    /// The board with what stands on it.
    pub(super) fn scene(&self, held: &BTreeMap<(usize, usize), Vec<Content>>) -> Scene {
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
                            let names: Vec<String> = several.iter().map(|content| self.short(&content.what)).collect();
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
    pub(super) fn draw(&self, held: &BTreeMap<(usize, usize), Vec<Content>>) -> String {
        let letters = |content: &Content| match content.owner {
            Some(owner) if content.what != self.roles[owner] => {
                self.roles[owner].chars().take(1).collect::<String>() + &self.short(&content.what)
            }
            _ => content.what.clone(),
        };
        let shown = |place: (usize, usize)| match held.get(&place) {
            Some(contents) => contents.iter().map(letters).collect::<Vec<_>>().join("+"),
            None if self.places.contains(&place) => ".".to_string(),
            None => String::new(),
        };
        let everywhere = held.values().flatten().map(|content| letters(content).chars().count());
        let width = everywhere.max().unwrap_or(1).clamp(1, 8);
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
