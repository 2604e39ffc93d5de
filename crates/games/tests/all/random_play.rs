//! Random games have the published lengths, scores and qualities (`data/random-play.tsv`).

use spinney_core::{Game, Notation, Outcome, Player, Random, Seed, Turn, Workspace};
use spinney_games::{Breakthrough, Visitor, open};
use std::fs;
use std::path::Path;

/// Sums over many random games.
#[derive(Debug, Default)]
struct Tally {
    games: f64,
    length: f64,
    wins: [f64; 2],
    quality: f64,
}

struct PlayRandomly {
    by_policy: bool,
    games: u32,
}

impl Visitor for PlayRandomly {
    type Output = Tally;
    fn visit<G: Notation>(self, _: &str, game: G) -> Tally {
        play_randomly(&game, self.by_policy, self.games)
    }
}

fn play_randomly<G: Game>(game: &G, by_policy: bool, games: u32) -> Tally {
    let mut random = Random::new(Seed::new(42));
    let mut work = Workspace::new();
    let mut tally = Tally { games: f64::from(games), ..Tally::default() };
    for _ in 0..games {
        let mut state = game.initial();
        let outcome = loop {
            match game.quick_turn(&state) {
                Turn::Over(outcome) => break outcome,
                Turn::Player(_) => {}
                Turn::Chance => unreachable!("the published games have no chance"),
            }
            let mv = match G::POLICY {
                Some(policy) if by_policy => policy.draw(game, &state, &mut random, &mut work),
                _ => game.random_move(&state, &mut random, &mut work),
            };
            let Some(mv) = mv else { break game.turn(&state).outcome().unwrap() };
            game.advance(&mut state, mv, &mut work);
            tally.length += 1.0;
        };
        if let Outcome::Win(winner) = outcome {
            tally.wins[winner.index()] += 1.0;
            tally.quality += f64::from(game.quality(&state, winner));
        }
    }
    tally
}

/// Differences of more than four standard errors do not happen by chance.
#[test]
fn published_statistics() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/random-play.tsv");
    let text = fs::read_to_string(file).unwrap();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |index: usize| fields[index].parse::<f64>().ok();
        let published = number(2).unwrap();
        let ours = published.min(2000.0) as u32;
        let tally = open(fields[0], None, PlayRandomly { by_policy: fields[1] == "policy", games: ours }).unwrap();
        let close = |what: &str, found: f64, expected: f64, sd: f64, rounding: f64| {
            let error = sd * (1.0 / published + 1.0 / tally.games).sqrt();
            let difference = (found - expected).abs();
            assert!(difference <= 4.0 * error + rounding, "{what} {found:.3}, published {expected}: {line}");
        };
        close("length", tally.length / tally.games, number(3).unwrap(), number(4).unwrap(), 0.05);
        for (what, wins, field) in [("first", tally.wins[0], 5), ("second", tally.wins[1], 6)] {
            let expected = number(field).unwrap() / 100.0;
            close(what, wins / tally.games, expected, (expected * (1.0 - expected)).sqrt(), 0.0005);
        }
        if let (Some(mean), Some(sd)) = (number(8), number(9)) {
            close("quality", tally.quality / (tally.wins[0] + tally.wins[1]), mean, sd, 0.0005);
        }
    }
}

/// 64.1 ± 0.2 plies and 50.9 ± 0.5 % over 10^5 games.
#[test]
fn uniform_breakthrough() {
    let tally = play_randomly(&Breakthrough::default(), false, 100_000);
    let (length, first) = (tally.length / tally.games, 100.0 * tally.wins[Player::First.index()] / tally.games);
    assert!((length - 64.1).abs() <= 0.2, "{length} plies");
    assert!((first - 50.9).abs() <= 0.5, "the first player wins {first} %");
}
