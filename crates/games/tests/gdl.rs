//! Rule sheets are games like all others.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use spinney_core::{Game, Notation, Random, Seed, Turn, conformance};
use spinney_games::gdl::{BUILT_IN, Gdl};
use spinney_gdl::{BuildLimits, Machine, Rules};

/// A sheet that comes with the program, one of a single role or of more.
fn sheet<const SOLITAIRE: bool>(name: &str) -> Option<Gdl<SOLITAIRE>> {
    let (number, (_, text)) = (0..).zip(BUILT_IN).find(|(_, (known, _))| *known == name).unwrap();
    let machine = Machine::build(&Rules::parse(text).unwrap(), BuildLimits::default()).unwrap();
    ((machine.roles().len() == 1) == SOLITAIRE).then(|| Gdl::new(machine, number).unwrap())
}

/// Rules, notation and drawing of moves agree with each other: in turn, at the same time, alone.
#[test]
fn sheets_conform() {
    for name in ["tic-tac-toe", "nim", "connect-four", "breakthrough", "battle"] {
        conformance::check(&sheet::<false>(name).unwrap(), 2);
    }
    conformance::check(&sheet::<true>("eight-puzzle").unwrap(), 2);
}

/// Plays a random game role by role and the same moves all roles at once; the number of steps.
fn both_views<G: Notation>(name: &str, game: &G) -> usize {
    let mut random = Random::new(Seed::new(7));
    let mut moves = Vec::new();
    let (mut state, mut joint, mut steps) = (game.initial(), Vec::new(), 0);
    let mut at_once = state.clone();
    while let Turn::Player(_) = game.turn(&state) {
        let role = game.role_to_move(&state);
        let mv = game.random_move(&state, &mut random, &mut moves).unwrap();
        joint.push((role, mv));
        game.apply(&mut state, mv);
        let mut begun = state.clone();
        game.begin_step(&mut begun);
        if begun != state {
            continue;
        }
        let step: Vec<G::Move> = (0..game.roles())
            .map(|role| {
                moves.clear();
                game.role_moves(&at_once, role, &mut moves);
                let said = joint.iter().find(|(who, _)| *who == role).map(|(_, mv)| *mv);
                assert!(said.is_some() || moves.len() == 1, "{name}: role {role} has a choice and was not asked");
                said.unwrap_or(moves[0])
            })
            .collect();
        game.apply_joint(&mut at_once, &step);
        assert!(at_once == state, "{name}: after {steps} steps the two differ");
        joint.clear();
        steps += 1;
    }
    steps
}

#[test]
fn roles_one_by_one_and_all_at_once_play_the_same_game() {
    for (name, _) in BUILT_IN {
        let steps = match sheet::<false>(name) {
            Some(game) => both_views(name, &game),
            None => both_views(name, &sheet::<true>(name).unwrap()),
        };
        assert!(steps > 1, "{name}");
    }
}

#[test]
fn positions_and_moves_are_words() {
    let game = sheet::<false>("tic-tac-toe").unwrap();
    let mut state = game.initial();
    let mut moves = Vec::new();
    game.moves(&state, &mut moves);
    let mv = game.write_move(&state, moves[0]);
    game.apply(&mut state, moves[0]);
    let position = game.write_position(&state);
    assert!(position.split(' ').count() == 2 && position.contains("control("), "{position}");
    assert!(mv.starts_with("mark(") && !mv.contains(' '), "{mv}");
    assert!(game.read_position("cell(9,9,q)").is_err() && game.read_position("").is_err());
}
