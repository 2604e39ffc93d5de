//! Pentalath on a map of cells by row and place.

use spinney_core::notation::cell_name;
use spinney_core::{Game, List, Notation, Outcome, Random, Seed, Turn, Workspace};
use spinney_games::Pentalath;
use spinney_games::pentalath::Options;
use spinney_games::variant::Variant;
use std::collections::BTreeMap;

type Cell = (i32, i32);
type Board = BTreeMap<Cell, char>;

fn read(position: &str) -> (Board, char, u32) {
    let words: Vec<&str> = position.split(' ').collect();
    let mut board = Board::new();
    for (row, letters) in words[0].split('/').enumerate() {
        for (place, letter) in letters.chars().enumerate() {
            board.insert((row as i32, place as i32), letter);
        }
    }
    (board, words[1].chars().next().unwrap(), words[2].parse().unwrap())
}

/// Directions NW, NE, E, SE, SW, W.
fn step((row, place): Cell, direction: usize) -> Cell {
    let up = i32::from(row > 4);
    let down = i32::from(row < 4);
    match direction {
        0 => (row - 1, place - 1 + up),
        1 => (row - 1, place + up),
        2 => (row, place + 1),
        3 => (row + 1, place + down),
        4 => (row + 1, place - 1 + down),
        _ => (row, place - 1),
    }
}

fn group(board: &Board, start: Cell) -> (Vec<Cell>, bool) {
    let (mut found, mut breathes, mut next) = (vec![start], false, 0);
    while next < found.len() {
        for direction in 0..6 {
            let cell = step(found[next], direction);
            match board.get(&cell) {
                Some('.') => breathes = true,
                Some(letter) if *letter == board[&start] && !found.contains(&cell) => found.push(cell),
                _ => {}
            }
        }
        next += 1;
    }
    (found, breathes)
}

/// The board after a placement, or `None` if it is illegal.
fn place(board: &Board, cell: Cell, mover: char, plies: u32, engine: bool) -> Option<Board> {
    let mut next = board.clone();
    next.insert(cell, mover);
    if board[&cell] != '.' {
        return (plies == 1).then_some(next);
    }
    for direction in 0..6 {
        let beside = step(cell, direction);
        if next.get(&beside).is_none_or(|&letter| letter == '.' || letter == mover) {
            continue;
        }
        let (stones, breathes) = group(&next, beside);
        if !breathes {
            for stone in stones {
                next.insert(stone, '.');
            }
            if engine {
                break;
            }
        }
    }
    group(&next, cell).1.then_some(next)
}

fn longest_line(board: &Board, cell: Cell) -> u32 {
    let reach = |direction: usize| {
        let (mut length, mut at) = (0, step(cell, direction));
        while board.get(&at) == Some(&board[&cell]) {
            length += 1;
            at = step(at, direction);
        }
        length
    };
    (0..3).map(|axis| 1 + reach(axis) + reach(axis + 3)).max().unwrap()
}

/// The loser's longest run that could become five: in a stretch of five without a stone of the winner. The engine
/// leaves out of the stretch what stands between the first and the second empty cell on either side.
fn longest_live_run(board: &Board, winner: char, engine: bool) -> u32 {
    let mut longest = 0;
    for (&cell, &loser) in board.iter().filter(|&(_, &letter)| letter != '.' && letter != winner) {
        for axis in 0..3 {
            let (mut run, mut stretch) = (1, 1);
            for direction in [axis, axis + 3] {
                let mut side = String::new();
                let mut at = step(cell, direction);
                while let Some(&letter) = board.get(&at).filter(|&&letter| letter != winner) {
                    side.push(letter);
                    at = step(at, direction);
                }
                run += side.chars().take_while(|&letter| letter == loser).count() as u32;
                stretch += side.len() as u32;
                if engine {
                    let skipped = side.split('.').nth(1).map_or(0, str::len);
                    stretch -= skipped as u32;
                }
            }
            if stretch >= 5 {
                longest = longest.max(run);
            }
        }
    }
    longest
}

/// Compares moves, their results, endings and q in every position of random games.
fn compare(variant: Variant, games: u32) {
    let mut options = Options::default();
    options.variant = variant;
    let game = Pentalath::new(options);
    let engine = variant == Variant::Engine2014;
    let mut random = Random::new(Seed::new(61));
    let (mut moves, mut work) = (List::new(), Workspace::new());
    for _ in 0..games {
        let mut state = game.initial();
        loop {
            let text = game.write_position(&state);
            let (board, mover, plies) = read(&text);
            let expected: BTreeMap<String, (Cell, Board)> = board
                .keys()
                .filter_map(|&cell| {
                    let swaps = board[&cell] != '.';
                    let name = if swaps { "swap".to_string() } else { cell_name(cell.0 as usize, cell.1 as usize) };
                    Some((name, (cell, place(&board, cell, mover, plies, engine)?)))
                })
                .collect();
            moves.clear();
            game.moves(&state, &mut moves);
            let mut found: Vec<String> = moves.iter().map(|&mv| game.write_move(&state, mv)).collect();
            found.sort();
            assert!(found.iter().eq(expected.keys()), "{text}");
            let Turn::Player(player) = game.turn(&state) else {
                assert!(expected.is_empty(), "{text}");
                break;
            };
            let mv = game.random_move(&state, &mut random, &mut work).unwrap();
            let name = game.write_move(&state, mv);
            let (cell, after) = &expected[&name];
            game.apply(&mut state, mv);
            assert_eq!(&read(&game.write_position(&state)).0, after, "{name} in {text}");
            let stones = after.values().filter(|&&letter| letter != '.').count();
            let wins = longest_line(after, *cell) >= 5 && (!engine || stones >= 8);
            assert_eq!(game.turn(&state) == Turn::Over(Outcome::Win(player)), wins, "{name} in {text}");
            if wins {
                let quality = (5 - longest_live_run(after, mover, engine)) as f32 / 5.0;
                assert_eq!(game.quality(&state, player), quality, "{name} in {text}");
                break;
            }
        }
    }
}

#[test]
fn standard_rules() {
    compare(Variant::Standard, 75);
}

#[test]
fn published_engine() {
    compare(Variant::Engine2014, 75);
}
