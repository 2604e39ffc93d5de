//! Unit tests of Cannon.

use super::generate::for_side;
use super::*;
use spinney_core::{Game, List, Notation, Outcome, PlayoutPolicy, Random, Seed, Turn, Workspace};

fn with(options: Options) -> Cannon {
    Cannon::new(options)
}

fn engine() -> Cannon {
    with(Options { variant: Variant::Engine2014, ..Options::default() })
}

/// The position with these pieces, each a letter and a point: `Te1 Ub10 1e5`.
fn position(pieces: &str, rest: &str) -> String {
    let mut rows = [['.'; SIZE]; SIZE];
    for piece in pieces.split_whitespace() {
        let letters: Vec<char> = piece.chars().collect();
        let rank: usize = piece[2..].parse().unwrap();
        rows[SIZE - rank][letters[1] as usize - 'a' as usize] = letters[0];
    }
    let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    format!("{} {rest}", rows.join("/"))
}

/// The legal moves by name, sorted.
fn names(game: &Cannon, pieces: &str, rest: &str) -> Vec<String> {
    let state = game.read_position(&position(pieces, rest)).unwrap();
    let mut moves = List::new();
    game.moves(&state, &mut moves);
    let mut names: Vec<String> = moves.iter().map(|&mv| game.write_move(&state, mv)).collect();
    names.sort();
    names
}

fn has(game: &Cannon, pieces: &str, rest: &str, mv: &str) -> bool {
    names(game, pieces, rest).iter().any(|name| name == mv)
}

#[test]
fn towns_are_placed_first_and_not_on_corners() {
    let game = Cannon::default();
    let mut state = game.initial();
    let mut moves = List::new();
    game.moves(&state, &mut moves);
    assert_eq!(moves.len(), 8);
    let mv = game.read_move(&state, "@e1").unwrap();
    game.apply(&mut state, mv);
    assert!(game.read_move(&state, "@a10").is_err());
    let cornered = with(Options { corners: true, ..Options::default() });
    assert!(cornered.read_move(&state, "@a10").is_ok());
    assert!(game.read_move(&state, "@f10").is_ok());
}

#[test]
fn soldiers_step_capture_and_retreat_from_an_enemy() {
    let game = Cannon::default();
    let expected = ["e5-c3", "e5-d6", "e5-e3", "e5-f6", "e5-g3", "e5xe6"];
    assert_eq!(names(&game, "Te1 Ub10 1e5 2e6", "1"), expected);
    let expected = ["e5-d6", "e5-e6", "e5-f6", "e5-g3", "e5xd5"];
    assert_eq!(names(&game, "Te1 Ub10 1e5 2d5 2e4 2c3", "1"), expected);
    assert_eq!(names(&game, "Te1 Ub10 1e5", "1"), ["e5-d6", "e5-e6", "e5-f6"]);
}

/// A cannon slides both ways and shoots two or three points far; a piece between is in the way only of strict
/// shots, one right before the cannon of every shot.
#[test]
fn cannons_slide_and_shoot() {
    let pieces = "Ta1 Ub10 1e4 1e5 1e6 2e8 2e9";
    let game = with(Options { corners: true, ..Options::default() });
    for mv in ["e4-e7", "e6-e3", "e6*e8", "e6*e9"] {
        assert!(has(&game, pieces, "1", mv), "{mv}");
    }
    let strict = with(Options { corners: true, strict_shots: true, ..Options::default() });
    assert!(has(&strict, pieces, "1", "e6*e8") && !has(&strict, pieces, "1", "e6*e9"));
    assert!(has(&strict, "Ta1 Ub10 1e4 1e5 1e6 2e9", "1", "e6*e9"));
    assert!(!has(&game, "Ta1 Ub10 1e4 1e5 1e6 2e7 2e8", "1", "e6*e8"));
    // Over the edge there is nothing to shoot at.
    assert!(!has(&game, "Ta1 Ub10 1g5 1h5 1i5 2a5 2b5 2a6", "1", "i5*a5"));
}

/// The soldier on e2 covers the town from the cannon behind it and may only capture its first soldier.
#[test]
fn a_pinned_soldier_stays_in_its_line() {
    let game = Cannon::default();
    assert_eq!(names(&game, "Te1 Ub10 1e2 2e3 2e4 2e5 1j5", "1"), ["e2xe3", "j5-i6", "j5-j6"]);
    // A cannon three points away: e3 must stay, e2 is free.
    assert!(!has(&game, "Te1 Ub10 1e3 2e4 2e5 2e6", "1", "e3-d4"));
    assert!(has(&game, "Te1 Ub10 1e3 2e4 2e5 2e6", "1", "e3xe4"));
    let strict = with(Options { strict_shots: true, ..Options::default() });
    assert!(has(&strict, "Te1 Ub10 1e3 1e2 2e4 2e5 2e6", "1", "e3-d4"));
    assert!(!has(&strict, "Te1 Ub10 1e3 2e4 2e5 2e6", "1", "e3-d4"));
}

/// An own shot that clears the line before an enemy cannon is illegal too.
#[test]
fn a_shot_may_not_open_the_line_to_the_town() {
    let pieces = "Te1 Ub10 2e3 2e4 2e5 2e6 1e2 1g3 1h3 1i3";
    assert!(!has(&Cannon::default(), pieces, "1", "g3*e3"));
    assert!(has(&Cannon::default(), "Te1 Ub10 2e3 2e4 2e5 1e2 1g3 1h3 1i3", "1", "g3*e3"));
}

#[test]
fn an_attack_on_the_town_must_be_answered() {
    let game = Cannon::default();
    assert_eq!(names(&game, "Te1 Ub10 2d2 1c1 1j5", "1"), ["c1xd2"]);
    // A shot from e3 is stopped by a soldier on e2.
    assert_eq!(names(&game, "Te1 Ub10 2e3 2e4 2e5 1f1 1j5", "1"), ["f1-e2"]);
}

#[test]
fn without_a_legal_move_the_game_is_lost() {
    let game = Cannon::default();
    for pieces in ["Te1 Ub10 2d2 2f2 1j5", "Te1 Ub10 2d5", "Te1 Ub10 1j10 2a5"] {
        let state = game.read_position(&position(pieces, "1")).unwrap();
        assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(Player::Second)), "{pieces}");
    }
}

#[test]
fn the_game_is_drawn_after_more_than_1000_plies() {
    let game = Cannon::default();
    let state = game.read_position(&position("Te1 Ub10 1e5 2a5", "1 1000")).unwrap();
    assert_eq!(game.turn(&state), Turn::Player(Player::First));
    let mv = game.read_move(&state, "e5-e6").unwrap();
    assert_eq!(game.outcome_after(&state, mv, &mut Workspace::new()), Some(Outcome::Draw));
    // The draw comes before a win on the same ply.
    let state = game.read_position(&position("Te1 Ub10 2d2 2f2 1j5", "1 1000")).unwrap();
    assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(Player::Second)));
    let state = game.read_position(&position("Te1 Ub10 1a9 1c9 2j5", "2 1001")).unwrap();
    assert_eq!(game.turn(&state), Turn::Over(Outcome::Draw));
}

#[test]
fn the_engine_cannot_use_the_top_left_point() {
    assert!(has(&Cannon::default(), "Te1 Ue10 1b9", "1", "b9-a10"));
    assert!(!has(&engine(), "Te1 Ue10 1b9", "1", "b9-a10"));
    assert!(!has(&engine(), "Te1 Ue10 1b9 2a10", "1", "b9xa10"));
    let beside = position("Te1 Ub10 1a10 2e5", "2");
    assert_eq!(Cannon::default().turn(&Cannon::default().read_position(&beside).unwrap()), {
        Turn::Over(Outcome::Win(Player::First))
    });
    assert_eq!(engine().turn(&engine().read_position(&beside).unwrap()), Turn::Player(Player::Second));
}

#[test]
fn the_engine_retreats_around_the_board() {
    for (pieces, side, mv, standard, published) in [
        ("Te1 Ub10 1b5 2b6", "1", "b5-j4", false, true),
        ("Te1 Ub10 1i5 2i6", "1", "i5-a2", false, true),
        ("Te1 Ub10 1b4 2b5", "2", "b5-j8", false, true),
        ("Te1 Ub10 1i4 2i5", "2", "i5-a6", false, true),
        ("Te1 Ub10 1b2 2b3", "1", "b2-j1", false, false),
        ("Te1 Ub10 2e8 1e7", "2", "e8-e10", true, false),
        ("Te1 Ub10 1f3 2f4", "1", "f3-f1", true, true),
        ("Te1 Ub10 1a5 2a6", "1", "a5-a3", true, false),
        ("Te1 Ub10 1a5 2a4", "1", "a5-c3", true, true),
        ("Te1 Ub10 1a5 2j5", "1", "a5-a3", false, true),
        ("Te1 Ub10 1j5 2a5", "1", "j5-j3", false, true),
    ] {
        assert_eq!(has(&Cannon::default(), pieces, side, mv), standard, "{mv} with {pieces}");
        assert_eq!(has(&engine(), pieces, side, mv), published, "engine: {mv} with {pieces}");
    }
}

/// Checks first, then shots four times as likely as captures.
#[test]
fn the_policy_checks_then_takes() {
    let game = Cannon::default();
    let candidates = |pieces: &str| {
        let state = game.read_position(&position(pieces, "1")).unwrap();
        let mut work = Workspace::new();
        game.policy(&state, &mut Random::new(Seed::new(1)), &mut work);
        let mut named: Vec<(String, u32)> =
            work.candidates.iter().map(|one| (game.write_move(&state, one.mv), one.weight)).collect();
        named.sort();
        named
    };
    let one = |name: &str, weight| (name.to_string(), weight);
    assert_eq!(candidates("Te1 Ue10 1e8 2e7 1a5 2a6"), [one("e8-d9", 1), one("e8-e9", 1), one("e8-f9", 1)]);
    assert_eq!(candidates("Te1 Uh10 1e4 1e5 1e6 2e8 2d7"), [one("e6*e8", 4), one("e6xd7", 1)]);
    // The slide empties e8 and completes the cannon three points from the town.
    let checks = [one("e8-d9", 1), one("e8-e5", 1), one("e8-f9", 1)];
    assert_eq!(candidates("Te1 Ue10 2e9 1e8 1e7 1e6"), checks);
}

#[test]
fn quality_is_the_lead_in_soldiers() {
    let game = Cannon::default();
    let state = game.read_position(&position("Te1 Ub10 1e5 1e6 2d2 2f2 2a3 2a4 2a5", "1")).unwrap();
    assert!((game.quality(&state, Player::Second) - 0.2).abs() < 1e-6);
}

#[test]
fn impossible_positions_are_refused_with_a_remedy() {
    let game = Cannon::default();
    for (pieces, rest, part) in [
        ("Te1", "1", "a town is missing"),
        ("Ue10", "1", "put a `T`"),
        ("Te1 Te2 Ub10", "1", "more than one `T`"),
        ("Te2 Ub10", "1", "not on its home row"),
        ("Ta1 Ub10", "1", "corner"),
        ("Te1 Ub10", "1 3", "does not fit"),
        ("Te1 Ub10 1a5", "1 2", "too few"),
        ("Te1 Ub10 1a5", "1 1002", "from 0 to 1001"),
        ("Te1 Ub10 1b9 2a4", "1", "`U` is attacked"),
    ] {
        let error = game.read_position(&position(pieces, rest)).unwrap_err().to_string();
        assert!(error.contains(part), "{pieces} {rest}: {error}");
    }
    assert!(game.read_position("11111111111/......... 1").is_err());
}

/// Threads of a graphics card draw the same moves of the same random numbers.
#[test]
fn moves_drawn_in_step_are_the_same() {
    let strict = Options { strict_shots: true, corners: true, ..Options::default() };
    for game in
        [Cannon::default(), engine(), with(strict.clone()), with(Options { variant: Variant::Engine2014, ..strict })]
    {
        let mut drawn = 0;
        for seed in 0..200 {
            let mut random = Random::new(Seed::new(seed));
            let mut work = Workspace::new();
            let mut state = game.initial();
            while game.quick_turn(&state) == Turn::Player(state.mover()) {
                if !state.places_towns() {
                    let view = game.view(&state);
                    let (mut first, mut second) = (random.clone(), random.clone());
                    let goes_up = state.mover() == Player::First;
                    let listed = for_side!(state.mover(), |side| game.draw_policy(&view, side, &mut first, &mut work));
                    let in_step = game.draw_policy_in_step(&view, goes_up, &mut second, &mut work);
                    assert_eq!(listed, in_step, "{}", game.write_position(&state));
                    assert_eq!(first.bits(), second.bits());
                    drawn += 1;
                }
                // Some of the games without the policy, so that soldiers stay.
                let mv = if random.chance([1.0, 0.5, 0.0][seed as usize % 3]) {
                    game.policy_move(&state, &mut random, &mut work)
                } else {
                    game.random_move(&state, &mut random, &mut work)
                };
                let Some(mv) = mv else { break };
                game.apply(&mut state, mv);
            }
        }
        assert!(drawn > 5000, "{drawn}");
    }
}
