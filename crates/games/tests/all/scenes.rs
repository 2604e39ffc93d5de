//! What a page draws and lets people touch: in random games of every game, every move can be made by touching what is
//! there, and what is there is what the position says.
#![allow(clippy::print_stdout, reason = "counts are reported")]

use spinney_core::scene::{Figure, Item, Piece, Scene};
use spinney_core::{Notation, Player, Random, Seed, Stream, Turn, continuations};
use spinney_games::{Visitor, entries, open};
use std::collections::{BTreeMap, BTreeSet};

/// Plays random games and looks at every position.
struct Look {
    games: u64,
    /// The letters of each player's pieces in written positions; none where pieces have no letters.
    letters: Option<[&'static str; 2]>,
    /// Whether all moves that touch anything touch something else, and none goes on where another ends.
    told_apart: bool,
}

/// What was seen.
#[derive(Debug, Default)]
struct Seen {
    positions: u32,
    moves: u32,
    /// Moves that touch nothing, which become buttons.
    buttons: u32,
    /// Moves that are made by the same touches as an earlier one.
    doubles: u32,
    /// Moves that end where another goes on.
    shorter: u32,
    /// The most pieces and cards in one scene.
    pieces: usize,
    cards: usize,
}

impl Visitor for Look {
    type Output = Seen;

    fn visit<G: Notation>(self, name: &str, game: G) -> Seen {
        let (mut random, mut stream) = (Random::new(Seed::new(5)), Stream::new(Seed::new(6)));
        let mut seen = Seen::default();
        for _ in 0..self.games {
            let mut state = game.initial();
            loop {
                let scene = game.scene(&state);
                let place = format!("{name} at {}", game.write_position(&state));
                check_scene(&scene, &place);
                if let Some(letters) = self.letters {
                    check_letters(&scene, &game.write_position(&state), letters);
                }
                seen.positions += 1;
                seen.pieces = seen.pieces.max(scene.pieces.len());
                match game.turn(&state) {
                    Turn::Over(_) => break,
                    Turn::Chance => drop(G::LUCK.unwrap().draw_outcome(&game, &mut state, &mut stream)),
                    Turn::Player(_) => {
                        self.check_steps(&game, &state, &scene, &place, &mut seen);
                        let moves = continuations(&game, &state);
                        game.apply(&mut state, moves[random.below(moves.len() as u32) as usize]);
                    }
                }
            }
        }
        seen
    }
}

impl Look {
    /// Every move is made by touching what the scene has.
    fn check_steps<G: Notation>(&self, game: &G, state: &G::State, scene: &Scene, place: &str, seen: &mut Seen) {
        let cards = cards(scene);
        let names: BTreeSet<&str> = cards.iter().copied().collect();
        assert_eq!(names.len(), cards.len(), "{place}: a card lies in two places, of which one cannot be meant");
        seen.cards = seen.cards.max(cards.len());
        let mut lists: BTreeMap<Vec<String>, String> = BTreeMap::new();
        for mv in continuations(game, state) {
            let text = game.write_move(state, mv);
            let steps = game.steps(scene, &text);
            seen.moves += 1;
            seen.buttons += u32::from(steps.is_empty());
            for step in &steps {
                assert!(scene.names(step), "{place}: {text} touches `{step}`, which is not there");
            }
            if steps.is_empty() {
                continue;
            }
            if let Some(other) = lists.insert(steps, text.clone()) {
                assert!(!self.told_apart, "{place}: {text} and {other} are made alike");
                seen.doubles += 1;
            }
        }
        // In this order a list stands right before those that begin with it.
        let sorted: Vec<&Vec<String>> = lists.keys().collect();
        for pair in sorted.windows(2).filter(|pair| pair[1].starts_with(pair[0])) {
            assert!(!self.told_apart, "{place}: {:?} ends where {:?} goes on", pair[0], pair[1]);
            seen.shorter += 1;
        }
    }
}

fn cards(scene: &Scene) -> Vec<&str> {
    let items = scene.trays.iter().flat_map(|tray| &tray.items);
    items.filter_map(|item| if let Item::Card { name, .. } = item { Some(name.as_str()) } else { None }).collect()
}

/// Indices point to cells, names are unique, and neighbours are 1 apart.
fn check_scene(scene: &Scene, place: &str) {
    assert!(*scene != Scene::default(), "{place}: there is nothing to see");
    let mut names = BTreeSet::new();
    for cell in scene.cells.iter().filter(|cell| !cell.name.is_empty()) {
        assert!(names.insert(&cell.name), "{place}: two cells are called {}", cell.name);
    }
    for cell in &scene.cells {
        let others = scene.cells.iter().map(|other| (other.x - cell.x).hypot(other.y - cell.y));
        let nearest = others.filter(|&distance| distance > 0.0).fold(f32::MAX, f32::min);
        assert!((nearest - 1.0).abs() < 1e-4, "{place}: {} is {nearest} from its neighbours", cell.name);
    }
    let mut held = BTreeSet::new();
    for piece in &scene.pieces {
        assert!(piece.cell < scene.cells.len(), "{place}: {piece:?} stands nowhere");
        assert!(held.insert(piece.cell), "{place}: two pieces stand on {}", scene.cells[piece.cell].name);
    }
    assert!(scene.lines.iter().flatten().all(|&end| end < scene.cells.len()), "{place}: a line leads nowhere");
}

/// Each player has as many pieces as the position has letters of them.
fn check_letters(scene: &Scene, position: &str, letters: [&str; 2]) {
    let board = position.split(' ').next().unwrap();
    for player in Player::BOTH {
        let pieces = scene.pieces.iter().filter(|piece| piece.owner == Some(player)).count();
        let written = board.chars().filter(|&letter| letters[player.index()].contains(letter)).count();
        assert_eq!(pieces, written, "pieces of {player:?} at {position}");
    }
}

/// The letters of the pieces of native games on a board.
fn letters_of(game: &str) -> Option<[&'static str; 2]> {
    match game.split('(').next().unwrap() {
        "amazons" => Some(["W", "B"]),
        "breakthrough" => Some(["w", "b"]),
        "cannon" => Some(["1T", "2U"]),
        "checkers" => Some(["wW", "bB"]),
        "chinese-checkers" | "havannah" | "pentalath" => Some(["1", "2"]),
        "tic-tac-toe" => Some(["x", "o"]),
        _ => None,
    }
}

fn look(game: &str, games: u64) -> Seen {
    let letters = letters_of(game);
    // The published engine ends some sequences of jumps too early, where another sequence goes on.
    let told_apart = !game.starts_with("gdl:") && !game.starts_with("checkers(variant");
    let seen = open(game, None, Look { games, letters, told_apart }).unwrap();
    println!("{game}: {seen:?}");
    seen
}

#[test]
fn every_game_is_played_by_touching() {
    for entry in entries() {
        let seen = look(entry.name, 2);
        assert!(seen.positions > 5 && seen.moves > 5, "{}: {seen:?}", entry.name);
        let has_buttons = ["pig", "pig-race", "cant-stop", "dominion", "pentalath"].contains(&entry.name);
        assert_eq!(seen.buttons > 0, has_buttons, "{}: {seen:?}", entry.name);
    }
}

#[test]
fn other_rules_are_played_by_touching() {
    for game in [
        "amazons(size=4)",
        "breakthrough(rows=5, columns=7)",
        "cannon(variant=engine2014)",
        "cant-stop(turns=3, length=2)",
        "checkers(variant=engine2014)",
        "havannah(size=3)",
        "pentalath(variant=engine2014)",
    ] {
        look(game, 3);
    }
}

/// Who sits at the bottom of the text sits at the bottom of the scene.
#[test]
fn the_first_player_is_at_the_bottom_where_the_text_draws_it_so() {
    struct Heights;
    impl Visitor for Heights {
        type Output = [f32; 2];
        fn visit<G: Notation>(self, _: &str, game: G) -> [f32; 2] {
            let scene = game.scene(&game.initial());
            Player::BOTH.map(|player| {
                let own = scene.pieces.iter().filter(|piece| piece.owner == Some(player));
                let heights: Vec<f32> = own.map(|piece| scene.cells[piece.cell].y).collect();
                heights.iter().sum::<f32>() / heights.len() as f32
            })
        }
    }
    for game in ["amazons", "breakthrough", "cannon", "checkers"] {
        let [first, second] = open(game, None, Heights).unwrap();
        assert!(first > second + 2.0, "{game}: {first} {second}");
    }
    // Here the first player starts at the top.
    let [first, second] = open("chinese-checkers", None, Heights).unwrap();
    assert!(first + 8.0 < second, "{first} {second}");
}

/// Sheets with a board are played on it; where there is none, or more than two coordinates, moves are buttons.
#[test]
fn rule_sheets_are_played_by_touching() {
    for (sheet, played_on_board) in [
        ("battle", true),
        ("breakthrough", true),
        ("checkers", true),
        ("chinook", true),
        ("connect-four", true),
        ("connect5", true),
        ("eight-puzzle", true),
        ("knightthrough", true),
        ("merrills", true),
        ("quad", true),
        ("sheep-and-wolf", true),
        ("skirmish", true),
        ("tic-tac-toe", true),
        ("ttcc4", true),
        ("chinese-checkers", false),
        ("nim", false),
        ("tic-tac-toe-3d", false),
        ("zhadu", false),
    ] {
        let seen = look(&format!("gdl:{sheet}"), 1);
        let touched = seen.moves - seen.buttons;
        // A role without a choice is not asked, so there is hardly a `noop` among the moves.
        let enough = if played_on_board { 9 * seen.moves / 10 } else { 0 };
        assert!(touched >= enough && (touched > 0) == played_on_board, "{sheet}: {seen:?}");
        assert_eq!(seen.pieces > 0, played_on_board, "{sheet}: {seen:?}");
    }
}

/// What sheets call pieces, and whose they are.
#[test]
fn names_of_rule_sheets_become_figures() {
    struct First;
    impl Visitor for First {
        type Output = Vec<(String, Option<Player>, Figure)>;
        fn visit<G: Notation>(self, _: &str, game: G) -> Self::Output {
            let scene = game.scene(&game.initial());
            let piece = |piece: &Piece| (scene.cells[piece.cell].name.clone(), piece.owner, piece.figure.clone());
            scene.pieces.iter().map(piece).collect()
        }
    }
    let text = |letters: &str| Figure::Text(letters.to_string());
    for (sheet, pieces, cell, owner, figure) in [
        ("breakthrough", 32, "1,8", Some(Player::Second), Figure::Stone),
        ("checkers", 24, "a,2", Some(Player::First), text("P")),
        ("eight-puzzle", 8, "1,1", None, text("8")),
        ("sheep-and-wolf", 5, "c4,c8", Some(Player::First), Figure::Stone),
        ("skirmish", 32, "2,8", Some(Player::Second), text("N")),
    ] {
        let found = open(&format!("gdl:{sheet}"), None, First).unwrap();
        assert_eq!(found.len(), pieces, "{sheet}: {found:?}");
        assert!(found.contains(&(cell.to_string(), owner, figure)), "{sheet}: {found:?}");
    }
}
