//! Play-outs and trees that learn: nothing stays from one search to the next, and a game that has its moves as a set gets
//! the same searches as one that lists them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use spinney_core::{Game, Notation, Outcome, Random, Seed, Turn};
use spinney_games::{Breakthrough, Havannah, havannah};
use spinney_search::{Agent, AgentSettings, Mcts, Position, Task};

const LEARNERS: [&str; 8] = [
    "mcts(sims=300, playout=uniform+mast(eps=0.3))",
    "mcts(sims=300, playout=uniform+cmc(prob=60))",
    "mcts(sims=300, solver=off, playout=uniform+cmc(prob=90, count=3, pairs=simulation, table=shared, previous=missing))",
    "mcts(sims=300, playout=uniform+ngram(count=2, eps=0.2))",
    "mcts(sims=300, playout=uniform+lgr)",
    "mcts(sims=300, playout=uniform+mast(eps=0.5)+cmc(sides=searcher)+ngram(n=2)+lgr(order=1, forget=off))",
    "mcts(sims=300, rave)",
    "mcts(sims=300, grave(reference=10), playout=uniform+cmc)",
];

/// Havannah without its set of moves.
#[derive(Clone)]
struct Listed(Havannah);

impl Game for Listed {
    type State = <Havannah as Game>::State;
    type Move = <Havannah as Game>::Move;

    fn initial(&self) -> Self::State {
        self.0.initial()
    }
    fn turn(&self, state: &Self::State) -> Turn {
        self.0.turn(state)
    }
    fn moves(&self, state: &Self::State, moves: &mut Vec<Self::Move>) {
        self.0.moves(state, moves);
    }
    fn apply(&self, state: &mut Self::State, mv: Self::Move) {
        self.0.apply(state, mv);
    }
    fn move_ids(&self) -> usize {
        self.0.move_ids()
    }
    fn move_id(&self, state: &Self::State, mv: Self::Move) -> usize {
        self.0.move_id(state, mv)
    }
    fn outcome_after(&self, state: &Self::State, mv: Self::Move) -> Option<Outcome> {
        self.0.outcome_after(state, mv)
    }
    fn random_move(&self, state: &Self::State, random: &mut Random, moves: &mut Vec<Self::Move>) -> Option<Self::Move> {
        self.0.random_move(state, random, moves)
    }
    fn parameters(&self) -> spinney_core::Parameters {
        self.0.parameters()
    }
}

fn agent<G: Game>(game: &G, text: &str) -> Mcts<G> {
    match text.parse().unwrap() {
        AgentSettings::Mcts(settings) => Mcts::new(game, &settings).unwrap(),
        other => panic!("{other} is not mcts"),
    }
}

/// Visits and means of the moves, best first, after the given moves have been played.
fn think<G: Game>(game: &G, agent: &mut Mcts<G>, history: &[G::Move], seed: u64) -> Vec<(u32, u32)> {
    let mut state = game.initial();
    history.iter().for_each(|&mv| game.apply(&mut state, mv));
    let mut task = Task { explain: true, ..Task::new(Seed::new(seed)) };
    let decision = agent.choose(game, &Position { state: &state, history }, &mut task);
    let candidates = decision.explanation.unwrap().candidates;
    candidates.iter().map(|candidate| (candidate.visits, candidate.mean.to_bits())).collect()
}

fn opening<G: Game>(game: &G, plies: usize) -> Vec<G::Move> {
    let (mut state, mut random) = (game.initial(), Random::new(Seed::new(4)));
    let mut line = Vec::new();
    for _ in 0..plies {
        let mv = game.random_move(&state, &mut random, &mut Vec::new()).unwrap();
        game.apply(&mut state, mv);
        line.push(mv);
    }
    line
}

fn board(size: u8) -> Havannah {
    Havannah::new(havannah::Options { size })
}

fn forgets<G: Game>(game: &G) {
    for text in LEARNERS {
        let mut used = agent(game, text);
        let fresh = think(game, &mut agent(game, text), &opening(game, 3), 7);
        for plies in [0, 5, 3] {
            think(game, &mut used, &opening(game, plies), plies as u64);
        }
        used.new_game();
        assert_eq!(think(game, &mut used, &opening(game, 3), 7), fresh, "{text}");
    }
}

#[test]
fn a_search_learns_nothing_from_those_before() {
    forgets(&board(4));
    forgets(&Breakthrough::default().fitted("bbbbb/bbbbb/...../wwwww/wwwww 1"));
}

#[test]
fn a_set_of_moves_gives_the_same_search_as_a_list() {
    for size in [3, 5, 8] {
        let (game, listed) = (board(size), Listed(board(size)));
        for text in LEARNERS {
            for plies in [0, 1, 4] {
                let line = opening(&game, plies);
                let by_set = think(&game, &mut agent(&game, text), &line, 3);
                let by_list = think(&listed, &mut agent(&listed, text), &line, 3);
                assert_eq!(by_set, by_list, "{text}, side {size}, {plies} plies");
            }
        }
    }
}

/// Every option of CMC makes a difference, or it is not wired up.
#[test]
fn every_reading_is_a_search_of_its_own() {
    let game = board(5);
    let line = opening(&game, 4);
    let with = |options: &str| {
        let text = format!("mcts(sims=400, solver=off, playout=uniform+cmc(prob=50{options}))");
        think(&game, &mut agent(&game, &text), &line, 1)
    };
    let readings =
        ["", ", b=60", ", count=3", ", pairs=simulation", ", previous=missing", ", table=shared", ", sides=searcher"];
    let found: Vec<_> = readings.iter().map(|options| with(options)).collect();
    for (index, one) in found.iter().enumerate() {
        assert!(found[..index].iter().all(|other| other != one), "{:?} changes nothing", readings[index]);
    }
    let off =
        think(&game, &mut agent(&game, "mcts(sims=400, solver=off, playout=uniform+cmc(prob=50, b=100))"), &line, 1);
    let other = think(
        &game,
        &mut agent(&game, "mcts(sims=400, solver=off, playout=uniform+cmc(prob=50, b=100, pairs=simulation))"),
        &line,
        1,
    );
    assert_eq!(off, other, "nothing is above B = 100");
}
