//! Rule sheets are games like all others.

use spinney_core::{Game, List, Notation, Random, Seed, Turn, Workspace, conformance};
use spinney_games::gdl::{BUILT_IN, Gdl};
use spinney_gdl::{Limits, Machine, Rules};

/// A sheet that comes with the program, one of a single role or of more.
fn sheet<const SOLITAIRE: bool>(name: &str) -> Option<Gdl<SOLITAIRE>> {
    let (_, text) = BUILT_IN.iter().find(|(known, _)| *known == name).unwrap();
    let machine = Machine::build(&Rules::parse(text).unwrap(), &Limits::default()).unwrap();
    ((machine.roles().len() == 1) == SOLITAIRE).then(|| Gdl::new(machine).unwrap())
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
    let roles = G::ROLES.unwrap();
    let mut random = Random::new(Seed::new(7));
    let mut work = Workspace::new();
    let (mut state, mut joint, mut steps) = (game.initial(), Vec::new(), 0);
    let mut at_once = state.clone();
    while let Turn::Player(_) = game.turn(&state) {
        let role = roles.role_to_move(game, &state);
        let mv = game.random_move(&state, &mut random, &mut work).unwrap();
        joint.push((role, mv));
        game.advance(&mut state, mv, &mut work);
        let mut begun = state.clone();
        roles.begin_step(game, &mut begun, &mut work);
        if begun != state {
            continue;
        }
        let step: Vec<G::Move> = (0..roles.count(game))
            .map(|role| {
                work.moves.clear();
                roles.role_moves(game, &at_once, role, &mut work);
                let said = joint.iter().find(|(who, _)| *who == role).map(|(_, mv)| *mv);
                assert!(said.is_some() || work.moves.len() == 1, "{name}: role {role} has a choice and was not asked");
                said.unwrap_or(work.moves[0])
            })
            .collect();
        roles.apply_joint(game, &mut at_once, &step, &mut work);
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
    let mut moves = List::new();
    game.moves(&state, &mut moves);
    let mv = game.write_move(&state, moves[0]);
    game.apply(&mut state, moves[0]);
    let position = game.write_position(&state);
    assert!(position.split(' ').count() == 2 && position.contains("control("), "{position}");
    assert!(mv.starts_with("mark(") && !mv.contains(' '), "{mv}");
    assert!(game.read_position("cell(9,9,q)").is_err() && game.read_position("").is_err());
}
