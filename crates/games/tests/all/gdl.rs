//! Rule sheets are games like all others.

use spinney_core::{Chance, Game, List, Notation, Player, Random, Roles, Seed, Stream, Turn, Workspace, conformance};
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

/// `safe` is worth 60, `risky` 100 unless the die shows 1. Were `random` a role that chooses, it would choose 1.
const DICE: &str = "(role random) (role player) (init start) (die 1) (die 2) (die 3) (die 4)
    (legal player safe) (legal player risky) (<= (legal random (roll ?d)) (die ?d))
    (<= (next safe) (does player safe)) (<= (next (rolled ?d)) (does player risky) (does random (roll ?d)))
    (<= terminal (not (true start))) (<= (goal player 60) (true safe))
    (<= (goal player 0) (true (rolled 1))) (<= (goal player 100) (true (rolled ?d)) (distinct ?d 1))
    (<= (goal random 100) (true (rolled 1))) (<= (goal random 0) (not (true (rolled 1))))";

/// Two players bid at once, and a coin says whose bid counts twice.
const COIN: &str = "(role left) (role random) (role right) (init start) (bid 1) (bid 2) (side left) (side right)
    (<= (legal ?r ?b) (side ?r) (bid ?b)) (<= (legal random (toss ?s)) (side ?s))
    (<= (next (has ?r ?b)) (does ?r ?b) (side ?r)) (<= (next (lucky ?s)) (does random (toss ?s)))
    (<= terminal (not (true start)))
    (<= (goal ?r 100) (true (has ?r 2)) (true (lucky ?r))) (<= (goal ?r 0) (side ?r) (not (true (lucky ?r))))
    (<= (goal ?r 50) (true (has ?r 1)) (true (lucky ?r))) (goal random 0)";

fn with_chance<const SOLITAIRE: bool>(text: &str) -> Gdl<SOLITAIRE, true> {
    Gdl::new(Machine::build(&Rules::parse(text).unwrap(), &Limits::default()).unwrap()).unwrap()
}

#[test]
fn the_role_random_is_chance() {
    let (dice, coin) = (with_chance::<true>(DICE), with_chance::<false>(COIN));
    conformance::check(&dice, 4);
    conformance::check(&coin, 4);
    // Players are asked before chance, whatever the order of the roles.
    let mut state = dice.initial();
    assert_eq!((dice.turn(&state), dice.player_name(Player::First)), (Turn::Player(Player::First), "player"));
    let risky = dice.read_move(&state, "risky").unwrap();
    dice.apply(&mut state, risky);
    assert_eq!(dice.turn(&state), Turn::Chance);
    let mut outcomes = List::new();
    dice.outcomes(&state, &mut outcomes);
    assert_eq!(outcomes.iter().map(|each| each.probability).collect::<Vec<_>>(), [0.25; 4]);
    let mut counts = [0; 4];
    for seed in 0..400 {
        let mut next = state.clone();
        let drawn = dice.draw_outcome(&mut next, &mut Stream::new(Seed::new(seed)));
        counts[outcomes.iter().position(|each| each.mv == drawn).unwrap()] += 1;
        let goal = if dice.write_move(&state, drawn) == "roll(1)" { 0.0 } else { 100.0 };
        assert_eq!(Roles::goal(&dice, &next, 1), goal);
    }
    // 100 each; eight standard deviations are 69.
    assert!(counts.iter().all(|&count| (31..=169).contains(&count)), "{counts:?}");
    // Joint moves: 4 rolls times 2 choices; 2 sides times 2 bids each.
    assert_eq!(
        [spinney_core::perft(&dice, &dice.initial(), 1), spinney_core::perft(&coin, &coin.initial(), 1)],
        [8, 8]
    );
    assert_eq!(spinney_core::perft(&dice, &dice.initial(), 2), 0);
    let roles = coin.write_roles(&coin.initial());
    assert_eq!(roles.iter().map(|role| role.is_chance).collect::<Vec<_>>(), [false, true, false]);
    assert_eq!((roles[2].moves.join(" "), coin.player_name(Player::Second)), ("1 2".to_string(), "right"));
    let alone = Rules::parse("(role random) (init a) (legal random x) (goal random 0) (<= terminal (not (true a)))");
    let machine = Machine::build(&alone.unwrap(), &Limits::default()).unwrap();
    assert!(Gdl::<true>::new(machine).unwrap_err().to_string().contains("chance"));
}
