//! Unit tests of Chinese Checkers.

use super::draw::{enters_goal, policy_weight};
use super::engine2014::{Found, Search};
use super::geometry::{BOARD, CELLS, cells, hop_cells, singles};
use super::piece_moves::PieceMoves;
use super::pieces::{PIECES, cell_at};
use super::*;
use spinney_core::notation::cell_name;
use spinney_core::{Game, List, Notation, Outcome, PlayoutPolicy, Random, Seed, Turn, Workspace};

fn engine() -> ChineseCheckers {
    ChineseCheckers::new(Options { forward: true, variant: Variant::Engine2014 })
}

/// The position with pieces on these cells; the players' other pieces stand in the far corners of the star.
fn position(game: &ChineseCheckers, pieces: [&str; 2], mover: Player) -> State {
    let idle = ["d1 d2 e1 j1 j2 i1", "d10 d9 e9 j10 j9 i9"];
    let mut names = [Vec::new(), Vec::new()];
    for (side, names) in names.iter_mut().enumerate() {
        names.extend(pieces[side].split(' ').chain(idle[side].split(' ')).take(6));
    }
    let letter = |cell: &geometry::Cell| {
        let name = cell_name(cell.row as usize, cell.place as usize);
        let holder = names.iter().position(|names| names.contains(&name.as_str()));
        ['1', '2', '.'][holder.unwrap_or(2)]
    };
    let row = |row: i32| CELLS.iter().filter(|cell| cell.row == row).map(letter).collect::<String>();
    let rows: Vec<String> = (0..13).map(row).collect();
    game.read_position(&format!("{} {}", rows.join("/"), mover.number())).unwrap()
}

fn written(game: &ChineseCheckers, state: &State, moves: &[Move]) -> Vec<String> {
    let mut written: Vec<String> = moves.iter().map(|&mv| game.write_move(state, mv)).collect();
    written.sort();
    written
}

/// The moves of the piece on `from`: all legal ones and those that are searched.
fn moves_of(game: &ChineseCheckers, state: &State, from: &str) -> [Vec<String>; 2] {
    let (mut legal, mut work) = (List::new(), Workspace::new());
    game.moves(state, &mut legal);
    game.search_moves(state, &mut work);
    [legal, work.moves].map(|moves| {
        let written = written(game, state, &moves);
        let of_piece = written.iter().filter_map(|mv| mv.strip_prefix(&format!("{from}-")));
        of_piece.map(str::to_string).collect()
    })
}

/// Follows hops by the letter of the rules, one after the other.
fn reached_by_hops(state: &State, from: usize) -> u128 {
    let goal = GOALS[state.mover.index()];
    let mut reached = 0u128;
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for step in geometry::STEPS {
            let (over, to) = (at as i32 + step, at as i32 + 2 * step);
            let holds = |set: u128, cell: i32| (0..127).contains(&cell) && set >> cell & 1 == 1;
            let leaves = goal >> at & 1 == 1 && !holds(goal, to);
            if holds(state.pieces.occupied(), over)
                && holds(BOARD & !state.pieces.occupied(), to)
                && !leaves
                && !holds(reached, to)
            {
                reached |= 1 << to;
                open.push(to as usize);
            }
        }
    }
    reached
}

#[test]
fn hops_follow_the_letter_of_the_rules() {
    let game = ChineseCheckers::default();
    let (mut random, mut work) = (Random::new(Seed::new(8)), Workspace::new());
    for _ in 0..20 {
        let mut state = game.initial();
        while let Turn::Player(_) = game.turn(&state) {
            for from in cells(state.own()) {
                let legal = game.no_filter(&state).legal(from);
                let first = hop_cells(singles(state.pieces.occupied(), from) & legal, from);
                let layers = state.pieces.hops().layers(state.mover, first);
                let reached = layers.fold(first, |set, layer| set | layer);
                assert_eq!(reached, reached_by_hops(&state, from), "{}", game.write_position(&state));
            }
            let mv = game.random_move(&state, &mut random, &mut work).unwrap();
            game.apply(&mut state, mv);
        }
    }
}

/// Chains are drawn by rejection; over many positions each move must still be as likely as the others.
#[test]
fn moves_are_drawn_alike_wherever_chains_are() {
    let game = ChineseCheckers::default();
    let mut random = Random::new(Seed::new(31));
    let mut work = Workspace::new();
    let (mut statistic, mut degrees) = (0.0, 0.0);
    let mut state = game.initial();
    for ply in 0..1_000 {
        if let Turn::Over(_) = game.turn(&state) {
            state = game.initial();
        }
        if ply % 10 == 0 {
            work.list_moves(&game, &state);
            let moves = work.moves.clone();
            let mut counts = vec![0.0f64; moves.len()];
            for _ in 0..100 * moves.len() {
                let drawn = game.random_move(&state, &mut random, &mut work).unwrap();
                counts[moves.iter().position(|&mv| mv == drawn).unwrap()] += 1.0;
            }
            statistic += counts.iter().map(|count| (count - 100.0).powi(2) / 100.0).sum::<f64>();
            degrees += moves.len() as f64 - 1.0;
        }
        let mv = game.random_move(&state, &mut random, &mut work).unwrap();
        game.apply(&mut state, mv);
    }
    assert!((statistic - degrees).abs() < 5.0 * (2.0 * degrees).sqrt(), "χ² = {statistic} for {degrees} degrees");
}

/// Draws by piece, against the chances that follow from the moves of every single piece.
#[test]
fn a_piece_is_drawn_first_and_then_its_move() {
    for (game, by_policy) in [(engine(), false), (engine(), true), (ChineseCheckers::default(), true)] {
        let mut random = Random::new(Seed::new(32));
        let (mut statistic, mut degrees) = (0.0, 0.0);
        let mut state = game.initial();
        let mut work = Workspace::new();
        let mut draw = |state: &State, random: &mut Random| match by_policy {
            true => game.policy_move(state, random, &mut work).unwrap(),
            false => game.random_move(state, random, &mut work).unwrap(),
        };
        for ply in 0..1_000 {
            if let Turn::Over(_) = game.turn(&state) {
                state = game.initial();
            }
            // The moves of each piece with their weights.
            let of_piece = |piece: u32| -> Vec<(Move, u32)> {
                let from = cell_at(state.pieces.list(state.mover), 8 * piece);
                let moves = if game.is_engine() {
                    let all: Vec<Found> =
                        Search::new(state.pieces.occupied(), game.filter(&state), from).all().collect();
                    let enters = enters_goal(state.mover, from, all.iter().copied());
                    let policy = |found: &Found| policy_weight(state.mover, enters, *found);
                    let weight = |found: &Found| if by_policy { policy(found) } else { 1 };
                    all.iter().map(|found| (found.to.into(), weight(found))).collect::<Vec<(usize, u32)>>()
                } else {
                    let mut found = PieceMoves::NONE;
                    found.fill(game.filter(&state), state.pieces.hops(), from, game.singles_of(&state, from));
                    found.weighted().collect()
                };
                moves.into_iter().map(|(to, weight)| (Move::new(from, to), weight)).collect()
            };
            let pieces: Vec<Vec<(Move, u32)>> = (0..PIECES).map(of_piece).collect();
            if ply % 10 == 0 && pieces.iter().any(|moves| !moves.is_empty()) {
                let mut chances: Vec<(Move, f64)> = Vec::new();
                for first in 0..6 {
                    let asked = (first..first + 6).map(|piece| &pieces[piece % 6]);
                    let moves = asked.into_iter().find(|moves| !moves.is_empty()).unwrap();
                    let total: u32 = moves.iter().map(|&(_, weight)| weight).sum();
                    for &(mv, weight) in moves.iter().filter(|(_, weight)| *weight > 0) {
                        let chance = f64::from(weight) / f64::from(total) / 6.0;
                        match chances.iter_mut().find(|(known, _)| *known == mv) {
                            Some((_, known)) => *known += chance,
                            None => chances.push((mv, chance)),
                        }
                    }
                }
                let draws = 4_000;
                let mut counts = vec![0.0f64; chances.len()];
                for _ in 0..draws {
                    let drawn = draw(&state, &mut random);
                    counts[chances.iter().position(|&(mv, _)| mv == drawn).unwrap()] += 1.0;
                }
                let expected = chances.iter().map(|(_, chance)| chance * f64::from(draws));
                statistic += counts.iter().zip(expected).map(|(n, e)| (n - e).powi(2) / e).sum::<f64>();
                degrees += chances.len() as f64 - 1.0;
            }
            let mv = draw(&state, &mut random);
            game.apply(&mut state, mv);
        }
        let far = (statistic - degrees).abs() / (2.0 * degrees).sqrt();
        assert!(far < 5.0, "{game:?}, policy {by_policy}: χ² = {statistic} for {degrees} degrees");
    }
}

/// A piece hops over either colour and may stop on the way: g3 over h4 to i5 and over j6 to k3.
#[test]
fn chains_of_hops_are_one_move() {
    let game = ChineseCheckers::default();
    let state = position(&game, ["g3 j6", "h4"], Player::First);
    let [legal, searched] = moves_of(&game, &state, "g3");
    assert_eq!(legal, ["f3", "f4", "g2", "g4", "h3", "i5", "k3"]);
    assert_eq!(searched, ["g2", "g4", "h3", "i5", "k3"]);
    let everything = ChineseCheckers::new(Options { forward: false, ..Options::default() });
    let state = position(&everything, ["g3 j6", "h4"], Player::First);
    assert_eq!(moves_of(&everything, &state, "g3")[1], legal);
}

#[test]
fn a_piece_in_its_goal_stays_there() {
    let game = ChineseCheckers::default();
    let state = position(&game, ["k1 l1", "j5"], Player::First);
    assert_eq!(moves_of(&game, &state, "k1")[0], ["k2", "m1"]);
}

#[test]
fn a_full_goal_with_one_own_piece_wins_whoever_filled_it() {
    let game = ChineseCheckers::default();
    // The first player enters the last free cell of his goal, which still holds five of the other's pieces.
    let state = position(&game, ["j5", "k2 k3 l1 l2 m1"], Player::First);
    let enter = game.read_move(&state, "j5-k1").unwrap();
    assert_eq!(game.outcome_after(&state, enter, &mut Workspace::new()), Some(Outcome::Win(Player::First)));
    let mut next = state;
    game.apply(&mut next, enter);
    assert_eq!(game.turn(&next), Turn::Over(Outcome::Win(Player::First)));
    // None of the other's pieces has reached his goal.
    assert_eq!(game.quality(&next, Player::First), 1.0);
    // The second player fills it himself.
    let state = position(&game, ["k3", "j5 k2 l1 l2 m1"], Player::Second);
    let back = game.read_move(&state, "j5-k1").unwrap();
    assert_eq!(game.outcome_after(&state, back, &mut Workspace::new()), Some(Outcome::Win(Player::First)));
    // The engine gives the game only to who enters.
    assert_eq!(engine().outcome_after(&state, back, &mut Workspace::new()), None);
}

#[test]
fn the_engine_counts_pieces_of_either_colour() {
    let position = "1/2./2../1........./........./......../......./......../2......../2......../111/22/1 2 100";
    let position = position.replace("2......../111", "2........./111");
    let state = ChineseCheckers::default().read_position(&position).unwrap();
    assert_eq!(ChineseCheckers::default().quality(&state, Player::First), 4.0 / 6.0);
    assert_eq!(ChineseCheckers::default().turn(&state), Turn::Over(Outcome::Win(Player::First)));
    let won = engine().read_position(&format!("{position}!")).unwrap();
    assert_eq!(engine().turn(&won), Turn::Over(Outcome::Win(Player::First)));
    assert_eq!(engine().quality(&won, Player::First), 3.0 / 6.0);
    assert_eq!(engine().write_position(&won), format!("{position}!"));
    let goes_on = engine().read_position(&position).unwrap();
    assert_eq!(engine().turn(&goes_on), Turn::Player(Player::Second));
}

#[test]
fn after_a_thousand_plies_it_is_a_draw() {
    let (game, engine) = (ChineseCheckers::default(), engine());
    let start = game.write_position(&game.initial());
    let late = start.replace(" 1 0", " 1 999");
    let mut state = game.read_position(&late).unwrap();
    let mv = game.read_move(&state, "c1-d4").unwrap();
    assert_eq!(game.outcome_after(&state, mv, &mut Workspace::new()), Some(Outcome::Draw));
    assert_eq!(engine.outcome_after(&state, mv, &mut Workspace::new()), None);
    game.apply(&mut state, mv);
    assert_eq!(game.turn(&state), Turn::Over(Outcome::Draw));
    assert!(game.write_position(&state).ends_with(" 2 1000"));
}

#[test]
fn impossible_positions_are_refused() {
    let game = ChineseCheckers::default();
    let start = game.write_position(&game.initial());
    let problem = |text: String| game.read_position(&text).unwrap_err().to_string();
    assert!(problem(start.replacen('1', ".", 1)).contains("5 pieces `1`"));
    assert!(problem(start.replace(" 1 0", " 1 1001")).contains("number of plies"));
    assert!(problem(start.replace(" 1 0", " 1 3!")).contains("number of plies"));
    assert!(problem(start.replacen("11/", "111/", 1)).contains("row 2"));
    assert!(problem(start.replacen('/', "", 1)).contains("12 rows"));
    assert_eq!(game.read_position(&start.replace(" 1 0", " 1")).unwrap(), game.initial());
}

/// Looks around as the engine does, cell by cell.
struct Looker<'a> {
    state: &'a State,
    from: usize,
    target: Option<usize>,
    seen: u128,
    found: Vec<(usize, u32)>,
}

impl Looker<'_> {
    fn look_around(&mut self, at: usize, hops: u32) {
        let goal = GOALS[self.state.mover.index()];
        let stays = |from: usize, to: u128| goal >> from & 1 == 0 || goal & to != 0;
        let empty = BOARD & !self.state.pieces.occupied();
        for direction in geometry::grid::ORDER {
            let next = geometry::stepped(1 << at, direction);
            if next & BOARD & !self.seen == 0 {
                continue;
            }
            self.seen |= next;
            let cell = next.trailing_zeros() as usize;
            let nears = self.target.is_none_or(|target| {
                geometry::grid::distance(cell, target) <= geometry::grid::distance(self.from, target)
            });
            if empty & next != 0 {
                if hops == 0 && stays(at, next) && nears {
                    self.found.push((cell, 0));
                }
                continue;
            }
            let landing = geometry::stepped(next, direction) & empty;
            if landing != 0 && stays(at, landing) {
                let to = landing.trailing_zeros() as usize;
                if nears {
                    self.found.push((to, hops + 1));
                }
                self.look_around(to, hops + 1);
            }
        }
    }
}

#[test]
fn the_engine_finds_what_it_finds_cell_by_cell() {
    let game = engine();
    let mut random = Random::new(Seed::new(12));
    let mut work = Workspace::new();
    for _ in 0..50 {
        let mut state = game.initial();
        while let Turn::Player(player) = game.turn(&state) {
            for from in cells(state.own()) {
                let held = |cell: &&usize| state.pieces.occupied() >> **cell & 1 == 1;
                let goal = geometry::GOAL_CELLS[player.index()];
                let target = *goal.iter().find(|cell| !held(cell)).unwrap_or(&goal[0]);
                for (filter, target) in [(game.filter(&state), Some(target)), (game.no_filter(&state), None)] {
                    let mut looker = Looker { state: &state, from, target, seen: 1 << from, found: Vec::new() };
                    looker.look_around(from, 0);
                    let search = Search::new(state.pieces.occupied(), filter, from);
                    let found: Vec<_> = search.all().map(|one| (one.to.into(), one.hops.into())).collect();
                    assert_eq!(found, looker.found, "{}", game.write_position(&state));
                }
            }
            let mv = game.random_move(&state, &mut random, &mut work).unwrap();
            game.apply(&mut state, mv);
        }
    }
}

/// What is drawn before the engine's search is made must be found by it, and there must be enough tickets.
#[test]
fn the_engine_finds_what_is_sure_and_no_more_than_the_most() {
    let game = engine();
    let mut random = Random::new(Seed::new(13));
    let (mut chains, mut lost) = (0, 0);
    let mut work = Workspace::new();
    for _ in 0..200 {
        let mut state = game.initial();
        while let Turn::Player(_) = game.turn(&state) {
            for from in cells(state.own()) {
                let (filter, hops) = (game.filter(&state), state.pieces.hops());
                let open = singles(state.pieces.occupied(), from);
                let (single, legal) = (open & filter.singles(from), u64::from(open & filter.legal(from)) >> 8);
                let onward = hops.ends().in_reach_of(from);
                if onward & legal == 0 {
                    continue;
                }
                chains += 1;
                let sure = engine2014::sure(onward, legal);
                let search = Search::new(state.pieces.occupied(), filter, from);
                let hopped = |direction: &u64| search.chains().iter().any(|found| found.is_single(1 << direction));
                let hops_found = (0..6).filter(hopped).fold(0, |set, direction| set | 1 << direction);
                let found = search.steps() | hops_found << 8;
                assert_eq!(found & (sure | sure << 8), u64::from(single) & (sure | sure << 8));
                lost += u32::from(found != u64::from(single));
                let most = engine2014::most_found(hops, filter, from, single);
                assert!(search.all().count() <= most as usize, "{}", game.write_position(&state));
            }
            let mv = game.random_move(&state, &mut random, &mut work).unwrap();
            game.apply(&mut state, mv);
        }
    }
    // Some moves are not sure.
    assert!(chains > 10_000 && lost > 100, "{lost} of {chains}");
}

/// The published numbers of move sequences that the engine searches.
#[test]
fn the_engine_searches_the_published_moves() {
    fn count(game: &ChineseCheckers, state: &State, depth: u32) -> usize {
        let mut work = Workspace::new();
        game.search_moves(state, &mut work);
        if depth == 1 {
            return work.moves.len();
        }
        let after = |mv: &Move| {
            let mut next = *state;
            game.apply(&mut next, *mv);
            count(game, &next, depth - 1)
        };
        work.moves.iter().map(after).sum()
    }
    let game = engine();
    let counts = [1, 2, 3, 4].map(|depth| count(&game, &game.initial(), depth));
    assert_eq!(counts, [10, 100, 1392, 19_667]);
}

/// Uniform draws from the engine's search moves, repeated ones included: 156.8 plies (deviation 28.8) over 5000
/// published games.
#[test]
fn the_engine_plays_games_of_the_published_length() {
    let game = engine();
    let mut random = Random::new(Seed::new(5));
    let mut moves = List::new();
    let games = 1_000;
    let mut plies = 0;
    for _ in 0..games {
        let mut state = game.initial();
        while let Turn::Player(_) = game.quick_turn(&state) {
            moves.clear();
            game.list_engine_repeated(&state, &mut moves);
            game.apply(&mut state, moves[random.below(moves.len() as u32) as usize]);
        }
        plies += state.plies;
    }
    let (length, error) = (f64::from(plies) / f64::from(games), 28.8 * (1.0 / 1000.0 + 1.0 / 5000.0f64).sqrt());
    assert!((length - 156.8).abs() <= 4.0 * error, "{length} plies");
}

#[test]
fn the_policy_enters_the_goal_if_the_piece_can() {
    let game = ChineseCheckers::default();
    let state = position(&game, ["j5", "k2 l1 l2 m1"], Player::First);
    let mut random = Random::new(Seed::new(1));
    let (mut seen, mut work) = (Vec::new(), Workspace::new());
    for _ in 0..400 {
        let mv = game.policy_move(&state, &mut random, &mut work).unwrap();
        let text = game.write_move(&state, mv);
        if text.starts_with("j5") && !seen.contains(&text) {
            seen.push(text);
        }
    }
    seen.sort();
    assert_eq!(seen, ["j5-k1"]);
}

/// Graphics cards draw in their own way.
#[test]
fn cards_draw_the_same_moves() {
    let game = engine();
    let mut random = Random::new(Seed::new(14));
    let mut work = Workspace::new();
    for _ in 0..200 {
        let mut state = game.initial();
        while let Turn::Player(_) = game.turn(&state) {
            let mut again = random.clone();
            let mv = game.policy_move(&state, &mut random, &mut work).unwrap();
            let drawn = game.draw_in_step(&state, &mut again, &mut work.moves);
            assert_eq!((drawn, again.bits()), (Some(mv), random.clone().bits()), "{}", game.write_position(&state));
            game.apply(&mut state, mv);
        }
    }
}
