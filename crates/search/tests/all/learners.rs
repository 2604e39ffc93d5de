//! Play-outs and trees that learn: nothing stays from one search to the next, and a game that has its moves as a set gets
//! the same searches as one that lists them.

use crate::{chance_mcts as chance_agent, mcts as agent, mcts_settings};
use spinney_core::{Game, List, Notation, Outcome, Player, Published, Random, Score, Seed, Solitaire, Turn, Workspace};
use spinney_games::pig::exact::Exact;
use spinney_games::{Breakthrough, Havannah, Pig, PigRace, havannah, pig};
use spinney_search::{Agent, ChanceMcts, Driven, Mcts, Position, Task};

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
    type Scratch = Workspace<Havannah>;

    fn initial(&self) -> Self::State {
        self.0.initial()
    }
    fn turn(&self, state: &Self::State) -> Turn {
        self.0.turn(state)
    }
    fn moves(&self, state: &Self::State, moves: &mut List<Self::Move>) {
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
    fn outcome_after(&self, state: &Self::State, mv: Self::Move, work: &mut Workspace<Self>) -> Option<Outcome> {
        self.0.outcome_after(state, mv, &mut work.scratch)
    }
    fn random_move(&self, state: &Self::State, random: &mut Random, work: &mut Workspace<Self>) -> Option<Self::Move> {
        self.0.random_move(state, random, &mut work.scratch)
    }
    fn published(&self) -> Published {
        self.0.published()
    }
}

/// Visits and means of the moves, best first, after the given moves have been played.
fn think<G: Game>(game: &G, agent: &mut Driven<Mcts<G>>, history: &[G::Move], seed: u64) -> Vec<(u32, u32)> {
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
        let mv = game.random_move(&state, &mut random, &mut Workspace::new()).unwrap();
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

/// One player takes eight of sixteen cards, one after the other; every two that stand together in the deck, the first and
/// the second, the third and the fourth, are worth a point.
#[derive(Clone)]
struct Cards;

impl Game for Cards {
    type State = u16;
    type Move = u8;
    type Scratch = ();
    const SCORE: Option<Score<Self>> = Some(Score::of());

    fn initial(&self) -> u16 {
        0
    }
    fn turn(&self, taken: &u16) -> Turn {
        if taken.count_ones() < 8 { Turn::Player(Player::First) } else { Turn::Over(Outcome::Scored) }
    }
    fn moves(&self, taken: &u16, moves: &mut List<u8>) {
        moves.extend((0..16).filter(|card| taken >> card & 1 == 0));
    }
    fn apply(&self, taken: &mut u16, card: u8) {
        *taken |= 1 << card;
    }
    fn move_ids(&self) -> usize {
        16
    }
    fn move_id(&self, _: &u16, card: u8) -> usize {
        card.into()
    }
}

impl Solitaire for Cards {
    fn score(&self, taken: &u16) -> f64 {
        f64::from((taken & taken >> 1 & 0x5555).count_ones())
    }
}

/// Which cards go together is what pairs tell: simulations score more with them, and more than with values of single
/// cards, of which none is better than another.
#[test]
fn one_player_learns_which_moves_go_together() {
    let mean_score = |playout: &str| {
        let mut agent = chance_agent(&Cards, &format!("mcts(sims=2000, c=4, playout={playout})"));
        let mut task = Task { explain: true, ..Task::new(Seed::new(7)) };
        let analysis = agent.choose(&Cards, &Position::new(&Cards.initial()), &mut task).explanation.unwrap();
        let visits: f64 = analysis.candidates.iter().map(|one| f64::from(one.visits)).sum();
        analysis.candidates.iter().map(|one| f64::from(one.visits) * f64::from(one.mean)).sum::<f64>() / visits
    };
    let (plain, mast, pairs) = (mean_score("uniform"), mean_score("uniform+mast"), mean_score("uniform+cmc(prob=60)"));
    assert!(pairs > plain + 0.3, "{pairs} with pairs, {plain} without");
    assert!(pairs > mast, "{pairs} with pairs, {mast} with values of cards");
}

/// Whatever the play-outs learn, the tree comes to the exact values.
#[test]
fn learning_leaves_games_with_chance_their_values() {
    let game = Pig::default();
    let state = pig::State { turns: 1, score: 0, total: 18, rolling: false };
    let values = Exact::new(&game).action_values(&state);
    for learner in ["mast", "cmc", "ngram(count=2)", "mast+cmc(pairs=simulation)+ngram"] {
        let mut agent = chance_agent(&game, &format!("mcts(sims=300000, c=15, playout=uniform+{learner})"));
        let mut task = Task { explain: true, ..Task::new(Seed::new(4)) };
        let analysis = agent.choose(&game, &Position::new(&state), &mut task).explanation.unwrap();
        let mean = |mv| f64::from(analysis.candidates.iter().find(|one| one.mv == mv).unwrap().mean);
        assert!((mean(pig::STOP) - values.stop).abs() < 1e-3, "{learner}");
        assert!((mean(pig::ROLL) - values.roll).abs() < 0.4, "{learner}: {} for {}", mean(pig::ROLL), values.roll);
    }
}

#[test]
fn replies_need_an_opponent_and_nothing_stays_with_chance() {
    let replies = mcts_settings("mcts(playout=uniform+lgr)");
    assert!(ChanceMcts::new(&Pig::default(), &replies).unwrap_err().to_string().contains("lgr"));
    let game = PigRace::default();
    let state = game.initial();
    let mut agent = chance_agent(&game, "mcts(sims=500, playout=uniform+mast+cmc+ngram(count=2)+lgr)");
    let mut visits = || {
        let mut task = Task { explain: true, ..Task::new(Seed::new(3)) };
        let analysis = agent.choose(&game, &Position::new(&state), &mut task).explanation.unwrap();
        analysis.candidates.iter().map(|one| (one.visits, one.mean.to_bits())).collect::<Vec<_>>()
    };
    assert_eq!(visits(), visits());
}
