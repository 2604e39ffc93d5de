//! Games of roles: each role finds what is best for it, whatever the others do at the same time.

use spinney_core::{Game, InputError, List, Outcome, Player, Random, Roles, RolesOf, Seed, Turn, Workspace};
use spinney_search::decoupled::{Decoupled, DecoupledSettings};
use spinney_search::{Agent, AgentSettings, Analysis, Decision, Driven, Position, Task, build};

/// Some roles choose a number from 0 to 2 at the same time, three times over. Higher numbers earn more, the last choice
/// counts double, and whoever has the most wins: 2 is always best.
#[derive(Clone)]
struct Auction<const ROLES: usize>;

#[derive(Clone, Debug, PartialEq)]
struct State<const ROLES: usize> {
    step: u8,
    totals: [u8; ROLES],
    /// What the roles before the next one have answered.
    answers: Vec<u8>,
}

const STEPS: u8 = 3;

impl<const ROLES: usize> Game for Auction<ROLES> {
    type State = State<ROLES>;
    type Move = u8;
    type Scratch = ();
    const ROLES: Option<RolesOf<Self>> = Some(RolesOf::of());

    fn initial(&self) -> Self::State {
        State { step: 0, totals: [0; ROLES], answers: Vec::new() }
    }

    fn turn(&self, state: &Self::State) -> Turn {
        let best_other = state.totals[1..].iter().copied().max().unwrap_or(0);
        match (state.step, state.totals[0].cmp(&best_other)) {
            (0..STEPS, _) if state.answers.is_empty() => Turn::Player(Player::First),
            (0..STEPS, _) => Turn::Player(Player::Second),
            (_, std::cmp::Ordering::Greater) => Turn::Over(Outcome::Win(Player::First)),
            (_, std::cmp::Ordering::Less) => Turn::Over(Outcome::Win(Player::Second)),
            (_, std::cmp::Ordering::Equal) => Turn::Over(Outcome::Draw),
        }
    }

    fn moves(&self, _: &Self::State, moves: &mut List<u8>) {
        moves.extend(0..3);
    }

    fn apply(&self, state: &mut Self::State, mv: u8) {
        state.answers.push(mv);
        if state.answers.len() == ROLES {
            let answers = std::mem::take(&mut state.answers);
            self.apply_joint(state, &answers, &mut Workspace::new());
        }
    }

    fn move_ids(&self) -> usize {
        3
    }

    fn move_id(&self, _: &Self::State, mv: u8) -> usize {
        usize::from(mv)
    }

    fn key(&self, state: &Self::State) -> Option<u64> {
        Some(state.totals.iter().fold(u64::from(state.step), |key, &total| key * 32 + u64::from(total)))
    }
}

impl<const ROLES: usize> Roles for Auction<ROLES> {
    fn roles(&self) -> usize {
        ROLES
    }

    fn role_to_move(&self, state: &Self::State) -> usize {
        state.answers.len()
    }

    fn begin_step(&self, state: &mut Self::State, _: &mut Workspace<Self>) {
        state.answers.clear();
    }

    fn role_moves(&self, _: &Self::State, _: usize, work: &mut Workspace<Self>) {
        work.moves.extend(0..3);
    }

    fn random_role_move(&self, _: &Self::State, _: usize, random: &mut Random, _: &mut Workspace<Self>) -> Option<u8> {
        Some(random.below(3) as u8)
    }

    fn apply_joint(&self, state: &mut Self::State, moves: &[u8], _: &mut Workspace<Self>) {
        state.step += 1;
        let weight = if state.step == STEPS { 2 } else { 1 };
        for (total, &mv) in state.totals.iter_mut().zip(moves) {
            *total += weight * mv;
        }
    }

    fn goal(&self, state: &Self::State, role: usize) -> f32 {
        let best = state.totals.iter().copied().max().unwrap_or(0);
        let winners = state.totals.iter().filter(|&&total| total == best).count();
        if ROLES == 1 {
            return f32::from(state.totals[0]) * 12.5;
        }
        if state.totals[role] == best { 100.0 / winners as f32 } else { 0.0 }
    }
}

/// What is written as `decoupled`, without the other agents: for every number of roles all of them would be compiled.
fn search<const ROLES: usize>(text: &str) -> Result<Decoupled<Auction<ROLES>>, InputError> {
    let settings = text.parse::<AgentSettings>()?;
    assert_eq!(settings.name(), "decoupled");
    Decoupled::new(&Auction, &DecoupledSettings::read(settings.expression())?)
}

fn agent<const ROLES: usize>(text: &str) -> Box<dyn Agent<Auction<ROLES>>> {
    Box::new(Driven::new(search(text).unwrap()))
}

fn choose<const ROLES: usize>(agent: &mut dyn Agent<Auction<ROLES>>, state: &State<ROLES>, seed: u64) -> Decision<u8> {
    agent.choose(&Auction, &Position::new(state), &mut Task { explain: true, ..Task::new(Seed::new(seed)) })
}

const AGENTS: [&str; 6] = [
    "decoupled(sims=2000)",
    "decoupled(sims=2000, playout=mast)",
    "decoupled(sims=2000, playout=mast(eps=0.4), untried=uniform)",
    "cadiaplayer(sims=2000)",
    "cadiaplayer(sims=2000, untried=urgency, discount=1)",
    "decoupled(sims=2000, playout=ngram(n=2, count=2), zero_sum=off, reuse=off)",
];

fn every_role_bids_high<const ROLES: usize>() {
    for text in AGENTS {
        let mut agent = agent::<ROLES>(text);
        for answered in 0..ROLES {
            let state = State { answers: vec![0; answered], ..Auction::<ROLES>.initial() };
            agent.new_game();
            let decision = choose(agent.as_mut(), &state, answered as u64);
            assert_eq!(decision.mv, 2, "{text}, role {answered} of {ROLES}: {decision:?}");
            assert_eq!(decision.simulations, 2000);
        }
    }
}

/// Before the last bids, which count double: what a role can force is proven, what depends on the others is not.
#[test]
fn what_a_role_can_force_is_proven() {
    use spinney_search::tree::Proof;
    let last = |totals: [u8; 2], answers: Vec<u8>| State { step: STEPS - 1, totals, answers };
    for text in ["decoupled(sims=2000, solver)", "cadiaplayer(sims=2000, solver)"] {
        // Three ahead: 1 and 2 win against every bid of up to 2, 0 does not; the one behind can force nothing.
        let (ahead, behind) = (last([3, 0], Vec::new()), last([3, 0], vec![0]));
        let decision = choose(agent::<2>(text).as_mut(), &ahead, 1);
        let best = &decision.explanation.as_ref().unwrap().candidates[0];
        assert!((1..=2).contains(&decision.mv) && best.proof == Proof::Win && best.mv == decision.mv, "{decision:?}");
        assert!(decision.simulations < 2000, "{decision:?}");
        for (state, role) in [(behind, "behind"), (last([0, 0], Vec::new()), "even")] {
            let decision = choose(agent::<2>(text).as_mut(), &state, 1);
            let analysis = decision.explanation.as_ref().unwrap();
            assert!(analysis.candidates.iter().all(|each| each.proof == Proof::Unknown), "{role}: {decision:?}");
            assert_eq!(decision.simulations, 2000, "{role}");
        }
        // Two steps before the end the lead of eight cannot be made up: the proof walks up.
        let far = State { step: STEPS - 2, totals: [8, 0], answers: Vec::new() };
        let decision = choose(agent::<2>(text).as_mut(), &far, 2);
        assert_eq!(decision.explanation.unwrap().proof, Proof::Win);
    }
}

/// A seat plays its role, whoever is asked first.
#[test]
fn a_seat_plays_its_own_role() {
    let game = Auction::<2>;
    let settings = DecoupledSettings::default();
    for role in 0..2 {
        let mut search = Decoupled::new(&game, &settings).unwrap();
        search.play_as(role);
        let mut agent = Driven::new(search);
        // In the last step the second role is ahead and wins by bidding high, whatever the first does.
        let state = State { step: 2, totals: [0, 2], answers: Vec::new() };
        let mut task = Task { explain: true, ..Task::new(Seed::new(1)) };
        let analysis = agent.choose(&game, &Position::new(&state), &mut task).explanation.unwrap();
        let best = analysis.candidates[0].mean;
        assert!(if role == 1 { best > 0.5 } else { best < 0.0 }, "role {role}: {best}");
    }
}

#[test]
fn two_roles_bid_high() {
    every_role_bids_high::<2>();
}

#[test]
fn three_roles_bid_high() {
    every_role_bids_high::<3>();
}

/// A role on its own plays the best game that it has seen to its end.
#[test]
fn a_lone_role_repeats_the_best_it_has_seen() {
    let game = Auction::<1>;
    let mut agent = agent::<1>("decoupled(sims=200, c=1000)");
    let (mut state, mut history) = (game.initial(), Vec::new());
    while game.turn(&state).outcome().is_none() {
        let position = Position { state: &state, history: &history };
        // Later searches are far too short to find anything by themselves.
        let budget = (!history.is_empty()).then(|| spinney_search::Budget::simulations(1));
        let mv = agent.choose(&game, &position, &mut Task { budget, ..Task::new(Seed::new(3)) }).mv;
        history.push(mv);
        game.apply(&mut state, mv);
    }
    assert_eq!(game.goal(&state, 0), 100.0);
}

fn numbers(analysis: &Analysis<u8>) -> Vec<(u8, u32, u32)> {
    analysis.candidates.iter().map(|one| (one.mv, one.visits, one.mean.to_bits())).collect()
}

#[test]
fn the_same_seed_gives_the_same_search_and_no_weight_no_bonus() {
    let state = Auction::<2>.initial();
    let run = |text: &str, seed| numbers(&choose(agent::<2>(text).as_mut(), &state, seed).explanation.unwrap());
    let plain = run("cadiaplayer(sims=500)", 1);
    assert_eq!(run("cadiaplayer(sims=500)", 1), plain);
    assert_ne!(run("cadiaplayer(sims=500)", 2), plain);
    assert_eq!(run("cadiaplayer(sims=500, rb(a=0))", 1), plain);
}

/// What was learned of a position is there when the game comes to it.
#[test]
fn the_tree_is_kept_between_moves() {
    let game = Auction::<2>;
    let visits = |text: &str| {
        let mut agent = agent::<2>(text);
        let start = game.initial();
        agent.choose(&game, &Position::new(&start), &mut Task::new(Seed::new(1)));
        let mut next = start;
        game.apply_joint(&mut next, &[2, 2], &mut Workspace::new());
        let position = Position { state: &next, history: &[2, 2] };
        let decision = agent.choose(&game, &position, &mut Task { explain: true, ..Task::new(Seed::new(2)) });
        decision.explanation.unwrap().candidates.iter().map(|one| one.visits).sum::<u32>()
    };
    assert_eq!(visits("decoupled(sims=1000, reuse=off)"), 1000);
    assert!(visits("decoupled(sims=1000)") > 1100);
}

#[test]
fn what_does_not_fit_is_refused() {
    assert!(search::<3>("decoupled(rb)").err().unwrap().to_string().contains("3 roles"));
    let settings: AgentSettings = "cadiaplayer".parse().unwrap();
    let error = build(&spinney_games::TicTacToe, &settings).err().unwrap().to_string();
    assert!(error.contains("games of roles"), "{error}");
}
