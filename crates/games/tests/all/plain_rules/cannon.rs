//! Cannon on a list of a hundred letters, row 0 at the top.

use spinney_core::expression::Expression;
use spinney_core::{Game, List, Notation, Outcome, Player, PlayoutPolicy, Random, Seed, Turn, Workspace};
use spinney_games::Cannon;
use spinney_games::cannon::Options;
use std::collections::BTreeMap;

/// A board, the side to move and the rules in force.
#[derive(Clone)]
struct Plain {
    board: Vec<char>,
    mover: char,
    strict: bool,
    engine: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Quiet,
    Capture,
    Shot,
}

struct Found {
    kind: Kind,
    name: String,
    after: Plain,
}

const AROUND: [(i32, i32); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

fn index(row: i32, column: i32) -> Option<usize> {
    ((0..10).contains(&row) && (0..10).contains(&column)).then_some((10 * row + column) as usize)
}

fn name(point: usize) -> String {
    format!("{}{}", (b'a' + (point % 10) as u8) as char, 10 - point / 10)
}

impl Plain {
    fn read(position: &str, strict: bool, engine: bool) -> Self {
        let words: Vec<&str> = position.split(' ').collect();
        Self {
            board: words[0].replace('/', "").chars().collect(),
            mover: words[1].chars().next().unwrap(),
            strict,
            engine,
        }
    }

    fn at(&self, row: i32, column: i32) -> Option<char> {
        index(row, column).map(|point| self.board[point])
    }

    fn other(side: char) -> char {
        if side == '1' { '2' } else { '1' }
    }

    fn forward(side: char) -> i32 {
        if side == '1' { -1 } else { 1 }
    }

    /// Points a cannon of `side` with its front at (row, column) and its tail in direction (y, x) hits.
    fn hits(&self, side: char, row: i32, column: i32, y: i32, x: i32) -> Vec<usize> {
        let is_cannon = (0..3).all(|n| self.at(row + n * y, column + n * x) == Some(side));
        if !is_cannon || self.at(row - y, column - x) != Some('.') {
            return Vec::new();
        }
        let mut hits: Vec<usize> = index(row - 2 * y, column - 2 * x).into_iter().collect();
        if !self.strict || self.at(row - 2 * y, column - 2 * x) == Some('.') {
            hits.extend(index(row - 3 * y, column - 3 * x));
        }
        hits
    }

    /// Whether the town of `side` could be captured or shot.
    fn is_attacked(&self, side: char) -> bool {
        let town = self.board.iter().position(|&letter| letter == if side == '1' { 'T' } else { 'U' }).unwrap();
        let (row, column) = (town as i32 / 10, town as i32 % 10);
        let enemy = Self::other(side);
        let front = row - Self::forward(enemy);
        let beside = [(front, column - 1), (front, column), (front, column + 1), (row, column - 1), (row, column + 1)];
        let captured =
            beside.iter().any(|&(y, x)| self.at(y, x) == Some(enemy) && !(self.engine && index(y, x) == Some(0)));
        let mut soldiers = (0..100).filter(|&point| self.board[point as usize] == enemy);
        captured
            || soldiers.any(|point| {
                AROUND.iter().any(|&(y, x)| self.hits(enemy, point / 10, point % 10, y, x).contains(&town))
            })
    }

    fn moves(&self) -> Vec<Found> {
        let mut found = Vec::new();
        for from in 0..100 {
            if self.board[from] == self.mover {
                self.soldier_moves(from, &mut found);
            }
        }
        found.retain(|one| !one.after.is_attacked(self.mover));
        found
    }

    fn soldier_moves(&self, from: usize, found: &mut Vec<Found>) {
        let (row, column) = (from as i32 / 10, from as i32 % 10);
        let (side, enemy, forward) = (self.mover, Self::other(self.mover), Self::forward(self.mover));
        let mut add = |kind: Kind, to: usize| {
            let mut after = self.clone();
            after.mover = enemy;
            after.board[to] = if kind == Kind::Shot { '.' } else { side };
            if kind != Kind::Shot {
                after.board[from] = '.';
            }
            let sign = match kind {
                Kind::Quiet => '-',
                Kind::Capture => 'x',
                Kind::Shot => '*',
            };
            found.push(Found { kind, name: format!("{}{sign}{}", name(from), name(to)), after });
        };
        for (y, x) in [(forward, -1), (forward, 0), (forward, 1), (0, -1), (0, 1)] {
            let Some(to) = index(row + y, column + x) else { continue };
            if self.engine && to == 0 {
                continue;
            }
            if self.board[to] == '.' && y != 0 {
                add(Kind::Quiet, to);
            } else if self.board[to] == enemy {
                add(Kind::Capture, to);
            }
        }
        for to in if self.engine { self.engine_retreats(from) } else { self.retreats(from) } {
            add(Kind::Quiet, to);
        }
        for (y, x) in AROUND {
            let is_cannon = (0..3).all(|n| self.at(row + n * y, column + n * x) == Some(side));
            if is_cannon && self.at(row + 3 * y, column + 3 * x) == Some('.') {
                add(Kind::Quiet, index(row + 3 * y, column + 3 * x).unwrap());
            }
            for to in self.hits(side, row, column, y, x) {
                if self.board[to] == enemy {
                    add(Kind::Shot, to);
                }
            }
        }
    }

    fn retreats(&self, from: usize) -> Vec<usize> {
        let (row, column, back) = (from as i32 / 10, from as i32 % 10, -Self::forward(self.mover));
        let enemy = Self::other(self.mover);
        if !AROUND.iter().any(|&(y, x)| self.at(row + y, column + x) == Some(enemy)) {
            return Vec::new();
        }
        [-1, 0, 1]
            .into_iter()
            .filter(|x| self.at(row + back, column + x) == Some('.'))
            .filter_map(|x| index(row + 2 * back, column + 2 * x))
            .filter(|&to| self.board[to] == '.')
            .collect()
    }

    /// Retreats by adding to the index of the point, with the engine's incomplete tests for the edges.
    fn engine_retreats(&self, from: usize) -> Vec<usize> {
        let enemy = Self::other(self.mover);
        let (row, column) = (from / 10, from % 10);
        let looks: &[i32] = match column {
            0 => &[1, 9, 10, 11],
            9 => &[-11, -10, -9, -1],
            _ => &[-11, -10, -9, -1, 1, 9, 10, 11],
        };
        let at = |by: i32| usize::try_from(from as i32 + by).ok().and_then(|point| self.board.get(point));
        if !looks.iter().any(|&by| at(by) == Some(&enemy)) {
            return Vec::new();
        }
        if self.mover == '1' && row >= 8 || self.mover == '2' && row <= 2 {
            return Vec::new();
        }
        let down = if self.mover == '1' { 10 } else { -10 };
        [-1, 0, 1]
            .into_iter()
            .filter(|&x| !(column == 0 && x == -1 || column == 9 && x == 1))
            .filter(|x| at(down + x) == Some(&'.') && at(2 * (down + x)) == Some(&'.'))
            .map(|x| (from as i32 + 2 * (down + x)) as usize)
            .collect()
    }

    /// The play-out policy's candidates with their weights.
    fn policy(&self, moves: &[Found]) -> BTreeMap<String, u32> {
        let enemy = Self::other(self.mover);
        let pick = |weight: &dyn Fn(&Found) -> u32| -> BTreeMap<String, u32> {
            moves.iter().map(|one| (one.name.clone(), weight(one))).filter(|(_, weight)| *weight > 0).collect()
        };
        let checks = pick(&|one| u32::from(one.kind == Kind::Quiet && one.after.is_attacked(enemy)));
        let takes = pick(&|one| match one.kind {
            Kind::Quiet => 0,
            Kind::Capture => 1,
            Kind::Shot => 4,
        });
        match () {
            () if !checks.is_empty() => checks,
            () if !takes.is_empty() => takes,
            () => pick(&|_| 1),
        }
    }
}

/// Compares moves, their results, endings and policy in every position of random games.
fn compare(options: &str, games: u32) {
    let options = Options::read(&Expression::read("game", options).unwrap()).unwrap();
    let (strict, engine) = (options.strict_shots, options.variant == spinney_games::variant::Variant::Engine2014);
    let game = Cannon::new(options);
    let mut random = Random::new(Seed::new(100));
    let (mut moves, mut work) = (List::new(), Workspace::new());
    for number in 0..games {
        let mut state = game.initial();
        for _ in 0..2 {
            let mv = game.random_move(&state, &mut random, &mut work).unwrap();
            game.apply(&mut state, mv);
        }
        loop {
            let text = game.write_position(&state);
            let plain = Plain::read(&text, strict, engine);
            let legal = plain.moves();
            let expected: BTreeMap<String, String> =
                legal.iter().map(|one| (one.name.clone(), one.after.board.iter().collect())).collect();
            moves.clear();
            game.moves(&state, &mut moves);
            let found: BTreeMap<String, String> = moves
                .iter()
                .map(|&mv| {
                    let mut after = state;
                    game.apply(&mut after, mv);
                    let board = game.write_position(&after).replace('/', "");
                    (game.write_move(&state, mv), board[..100].to_string())
                })
                .collect();
            assert_eq!(found, expected, "{text}");
            assert_eq!(moves.len(), expected.len(), "{text}");
            let turn = game.turn(&state);
            if expected.is_empty() {
                let loser = if plain.mover == '1' { Player::First } else { Player::Second };
                assert_eq!(turn, Turn::Over(Outcome::Win(loser.other())), "{text}");
                break;
            }
            assert!(matches!(turn, Turn::Player(_)), "{text}");
            work.candidates.clear();
            game.policy(&state, &mut random, &mut work);
            let found: BTreeMap<String, u32> =
                work.candidates.iter().map(|one| (game.write_move(&state, one.mv), one.weight)).collect();
            let policy = plain.policy(&legal);
            assert_eq!(found, policy, "{text}");
            let by_policy = game.policy_move(&state, &mut random, &mut work).unwrap();
            assert!(policy.contains_key(&game.write_move(&state, by_policy)), "{text}");
            let uniform = game.random_move(&state, &mut random, &mut work).unwrap();
            // Every third game is uniform, every third follows the policy, and every third mixes them.
            let follows = number % 3 == 0 || number % 3 == 1 && random.chance(0.5);
            game.apply(&mut state, if follows { by_policy } else { uniform });
        }
    }
}

#[test]
fn standard_rules() {
    compare("cannon", 60);
}

#[test]
fn strict_shots_and_corners() {
    compare("cannon(corners, strict_shots)", 30);
}

#[test]
fn published_engine() {
    compare("cannon(variant=engine2014)", 60);
}
