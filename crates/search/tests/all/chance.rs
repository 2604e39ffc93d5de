//! Searches with chance find the truth, and variance reduction takes variance away without adding bias.

use crate::{chance_mcts as search, mcts_settings};
use spinney_core::{Chance, Game, Likely, List, Luck, Outcome, Player, Score, Seed, Solitaire, Stream, Turn};
use spinney_games::pig::exact::Exact;
use spinney_games::pig::{self, Pig};
use spinney_games::pig_race::{self, PigRace};
use spinney_search::{Agent, AgentSettings, Analysis, ChanceMcts, Driven, Position, Task, build};
use spinney_stats_free::Sums;

/// Every combination of the techniques.
const COMBINATIONS: [&str; 8] = ["", "cv", "crn", "av", "cv, crn", "cv, av", "crn, av", "cv, crn, av"];

/// Mean and variance, without depending on the crate of statistics.
mod spinney_stats_free {
    #[derive(Clone, Copy, Default)]
    pub struct Sums {
        count: f64,
        sum: f64,
        squares: f64,
    }

    impl Sums {
        pub fn add(&mut self, value: f64) {
            self.count += 1.0;
            self.sum += value;
            self.squares += value * value;
        }

        pub fn mean(&self) -> f64 {
            self.sum / self.count
        }

        pub fn variance(&self) -> f64 {
            self.squares / self.count - self.mean() * self.mean()
        }

        pub fn error(&self) -> f64 {
            (self.variance() / self.count).sqrt()
        }
    }
}

fn analyse<G: Game>(search: &mut Driven<ChanceMcts<G>>, game: &G, state: &G::State, seed: Seed) -> Analysis<G::Move> {
    let mut task = Task { explain: true, ..Task::new(seed) };
    search.choose(game, &Position::new(state), &mut task).explanation.unwrap()
}

fn mean_of<M: Copy + Eq>(analysis: &Analysis<M>, mv: M) -> f64 {
    f64::from(analysis.candidates.iter().find(|candidate| candidate.mv == mv).unwrap().mean)
}

/// In the last turn with 18 points both actions are almost equal and all later decisions are clear, so that a
/// million simulations come close to the exact values.
#[test]
fn a_million_simulations_of_a_late_position_agree_with_the_exact_values() {
    let game = Pig::default();
    let exact = Exact::new(&game);
    let state = pig::State { turns: 1, score: 0, total: 18, rolling: false };
    let values = exact.action_values(&state);
    for techniques in COMBINATIONS {
        let mut search = search(&game, &format!("mcts(sims=1000000, c=15, {techniques})"));
        let analysis = analyse(&mut search, &game, &state, Seed::new(4));
        let roll = analysis.candidates.iter().find(|candidate| candidate.mv == pig::ROLL).unwrap();
        let error = f64::from(roll.deviation) / f64::from(roll.visits).sqrt();
        let apart = (f64::from(roll.mean) - values.roll).abs();
        assert!(roll.visits > 1000 && apart < 3.0 * error, "{techniques}: off by {apart}, error {error}");
        assert!((mean_of(&analysis, pig::STOP) - values.stop).abs() < 1e-3, "{techniques}");
    }
}

/// A choice between two dice games without any later decision.
#[derive(Clone)]
struct TwoDice;

/// Nothing chosen, the die in the air, or the points.
type Throw = (Option<u8>, Option<f32>);

impl Game for TwoDice {
    type State = Throw;
    type Move = u8;
    type Scratch = ();
    const LUCK: Option<Luck<Self>> = Some(Luck::of());
    const SCORE: Option<Score<Self>> = Some(Score::of());

    fn initial(&self) -> Throw {
        (None, None)
    }

    fn turn(&self, state: &Throw) -> Turn {
        match state {
            (None, _) => Turn::Player(Player::First),
            (Some(_), None) => Turn::Chance,
            (Some(_), Some(_)) => Turn::Over(Outcome::Scored),
        }
    }

    fn moves(&self, _: &Throw, moves: &mut List<u8>) {
        moves.extend([0, 1]);
    }

    /// The first game pays the square of the die, the second three times the die and 2 more.
    fn apply(&self, state: &mut Throw, mv: u8) {
        match *state {
            (None, _) => state.0 = Some(mv),
            (Some(0), None) => state.1 = Some(f32::from(mv * mv)),
            _ => state.1 = Some(f32::from(3 * mv + 2)),
        }
    }

    fn move_ids(&self) -> usize {
        2
    }

    fn move_id(&self, _: &Throw, mv: u8) -> usize {
        usize::from(mv)
    }
}

impl Chance for TwoDice {
    fn outcomes(&self, _: &Throw, outcomes: &mut List<Likely<u8>>) {
        outcomes.extend((1..=6).map(|mv| Likely { mv, probability: 1.0 / 6.0 }));
    }

    fn event_probability(&self, _: &Throw) -> Option<f64> {
        Some(1.0 / 6.0)
    }

    fn event(&self, _: &Throw, outcome: u8) -> bool {
        outcome == 6
    }
}

impl Solitaire for TwoDice {
    fn score(&self, state: &Throw) -> f64 {
        f64::from(state.1.unwrap_or(0.0))
    }
}

/// The game says what can happen and names an event: with no other code every technique is at its disposal, has the
/// right mean, and takes variance away from what it is meant for.
#[test]
fn estimates_are_unbiased_and_vary_less() {
    const REPETITIONS: u64 = 100_000;
    let mut variances = Vec::new();
    for techniques in COMBINATIONS {
        let mut search = search(&TwoDice, &format!("mcts(sims=16, c=1000000, cv_constant=-9, {techniques})"));
        let (mut value, mut difference) = (Sums::default(), Sums::default());
        for repetition in 0..REPETITIONS {
            let analysis = analyse(&mut search, &TwoDice, &(None, None), Seed::new(9).child(repetition));
            let [first, second] = [0, 1].map(|mv| mean_of(&analysis, mv));
            value.add(first);
            difference.add(second - first);
        }
        let off = (value.mean() - 91.0 / 6.0) / value.error();
        assert!(off.abs() < 4.0, "{techniques}: the value is off by {off} standard errors");
        let off = (difference.mean() - (12.5 - 91.0 / 6.0)) / difference.error();
        assert!(off.abs() < 4.0, "{techniques}: the difference is off by {off} standard errors");
        variances.push((value.variance(), difference.variance()));
    }
    let [base, cv, crn, av, cv_crn, ..] = variances[..] else { unreachable!() };
    assert!(cv.0 < 0.9 * base.0 && av.0 < 0.6 * base.0, "{variances:?}");
    assert!((crn.0 / base.0 - 1.0).abs() < 0.03 && crn.1 < 0.5 * base.1, "{variances:?}");
    assert!(cv_crn.1 < base.1, "{variances:?}");
}

/// The measured coefficient has no bias either where the event explains all it can.
#[test]
fn a_measured_coefficient_is_unbiased() {
    let mut search = search(&TwoDice, "mcts(sims=120, c=1000000, cv, cv_constant=3)");
    let mut value = Sums::default();
    for repetition in 0..20_000 {
        let analysis = analyse(&mut search, &TwoDice, &(None, None), Seed::new(5).child(repetition));
        value.add(mean_of(&analysis, 0));
    }
    let off = (value.mean() - 91.0 / 6.0) / value.error();
    assert!(off.abs() < 4.0, "off by {off} standard errors");
}

/// With two simulations each action is played out once by the policy, whose values are known.
#[test]
fn single_play_outs_have_the_values_of_the_policy() {
    let game = Pig::default();
    for techniques in COMBINATIONS {
        let mut search = search(&game, &format!("mcts(sims=2, {techniques})"));
        let (mut roll, mut stop) = (Sums::default(), Sums::default());
        for repetition in 0..100_000 {
            let analysis = analyse(&mut search, &game, &game.initial(), Seed::new(6).child(repetition));
            roll.add(mean_of(&analysis, pig::ROLL));
            stop.add(mean_of(&analysis, pig::STOP));
        }
        for (sums, exact) in [(roll, 36.822_706_055), (stop, 33.277_553_125)] {
            let off = (sums.mean() - exact) / sums.error();
            assert!(off.abs() < 4.0, "{techniques}: off by {off} standard errors");
        }
    }
}

/// Variances of the root's values after 64 simulations, as measured with an independent program.
#[test]
fn variances_at_the_root() {
    let game = Pig::default();
    let expected =
        [("", 33.5, 73.2), ("av", 27.0, 59.8), ("crn", 33.1, 44.9), ("cv", 22.0, 47.5), ("cv, crn", 22.3, 34.4)];
    for (techniques, value, difference) in expected {
        let mut search = search(&game, &format!("mcts(sims=64, {techniques})"));
        let (mut values, mut differences) = (Sums::default(), Sums::default());
        for repetition in 0..8000 {
            let analysis = analyse(&mut search, &game, &game.initial(), Seed::new(7).child(repetition));
            let roll = mean_of(&analysis, pig::ROLL);
            values.add(roll);
            differences.add(roll - mean_of(&analysis, pig::STOP));
        }
        // Both programs measured some thousands of searches, and differ in the first move of a new node.
        for (found, expected) in [(values.variance(), value), (differences.variance(), difference)] {
            assert!((found / expected - 1.0).abs() < 0.1, "{techniques}: {found}, not {expected}");
        }
    }
}

/// Scores of whole games with few simulations, as measured with an independent program over 30,000 to 40,000 games; its
/// searches leave the first move from a new node to the play-out.
#[test]
fn games_score_as_elsewhere() {
    let game = Pig::default();
    let expected = [
        ("", 39.49, 46.47),
        ("av", 40.40, 47.60),
        ("crn", 41.77, 49.45),
        ("cv", 41.23, 48.36),
        ("cv, crn", 43.09, 50.15),
    ];
    for (techniques, few, more) in expected {
        for (simulations, expected) in [(16, few), (64, more)] {
            let options = if techniques.is_empty() { String::new() } else { format!(", {techniques}") };
            let agent = format!("mcts(sims={simulations}, loose{options})");
            let mut search = search(&game, &agent);
            let mut scores = Sums::default();
            for number in 0..4000 {
                let seed = Seed::new(11).child(number);
                let (mut state, mut stream) = (game.initial(), Stream::new(seed.named("dice")));
                for ply in 0.. {
                    match game.turn(&state) {
                        Turn::Over(_) => break,
                        Turn::Chance => drop(game.draw_outcome(&mut state, &mut stream)),
                        Turn::Player(_) => {
                            let mut task = Task::new(seed.child(ply));
                            let mv = search.choose(&game, &Position::new(&state), &mut task).mv;
                            game.apply(&mut state, mv);
                        }
                    }
                }
                scores.add(game.score(&state));
            }
            let off = (scores.mean() - expected) / scores.error();
            assert!(off.abs() < 4.0, "{agent}: {}, {off} standard errors from {expected}", scores.mean());
        }
    }
}

/// Two players and a die: the search finds the better action where it matters, whoever is to move.
#[test]
fn the_race_is_played_well() {
    let game = PigRace::default();
    let exact = pig_race::exact::Exact::new(&game);
    for techniques in ["", "cv, crn, av"] {
        let mut search = search(&game, &format!("mcts(sims=20000, {techniques})"));
        for (own, other, total) in [(0, 0, 2), (0, 0, 40), (95, 50, 5), (90, 90, 4)] {
            for mover in Player::BOTH {
                let scores = if mover == Player::First { [own, other] } else { [other, own] };
                let state = pig_race::State { scores, total, mover, rolling: false };
                let values = exact.action_values(&state);
                assert!((values.roll - values.hold).abs() > 0.02, "a clear choice: {state:?} {values:?}");
                let best = if values.roll > values.hold { pig_race::ROLL } else { pig_race::HOLD };
                let analysis = analyse(&mut search, &game, &state, Seed::new(8));
                assert_eq!(analysis.candidates[0].mv, best, "{state:?}: {values:?}");
                let found = (mean_of(&analysis, best) + 1.0) / 2.0;
                let exact = values.roll.max(values.hold);
                assert!((found - exact).abs() < 0.06, "{state:?}: {found}, exactly {exact}");
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let game = Pig::default();
    for techniques in COMBINATIONS {
        let mut search = search(&game, &format!("mcts(sims=500, {techniques})"));
        let mut run = |seed| {
            let analysis = analyse(&mut search, &game, &game.initial(), Seed::new(seed));
            analysis
                .candidates
                .iter()
                .map(|candidate| (candidate.mv, candidate.visits, candidate.mean.to_bits()))
                .collect::<Vec<_>>()
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
    }
}

/// A full tree grows no more, and the search goes on.
#[test]
fn a_full_tree_is_searched_on() {
    let game = Pig::default();
    let mut search = search(&game, "mcts(sims=60000, memory=1, cv)");
    let analysis = analyse(&mut search, &game, &game.initial(), Seed::new(1));
    assert!(analysis.bytes <= 1_000_000);
    assert_eq!(analysis.candidates.iter().map(|candidate| candidate.visits).sum::<u32>(), 60_000);
}

#[test]
fn options_without_meaning_are_refused() {
    let error = |agent: &str| ChanceMcts::new(&Pig::default(), &mcts_settings(agent)).unwrap_err().to_string();
    let unfit = "is for games of two players without chance; leave it out for this game";
    for (agent, place) in [
        ("mcts(reuse)", "option reuse: it"),
        ("mcts(solver=off)", "option solver: it"),
        ("mcts(warmup=0.5)", "option warmup: it"),
        ("mcts(rave(k=5))", "option rave: it"),
        ("mcts(quirks=late_ties)", "option quirks: it"),
        ("mcts(select=tuned)", "option select: `tuned`"),
        ("mcts(final_move=robust_max)", "option final_move: `robust_max`"),
        ("mcts(playout=policy+cutoff(plies=4))", "option playout: `cutoff`"),
        ("mcts(playout=policy+mast(learn=altered))", "option playout, mast, option learn: it"),
    ] {
        assert_eq!(error(agent), format!("mcts, {place} {unfit}"));
    }
    assert!(error("mcts(playout=uniform+lgr)").contains("option playout: `lgr` is for games of two players;"));
    let race = |agent: &str| ChanceMcts::new(&PigRace::default(), &mcts_settings(agent));
    assert!(race("mcts(playout=uniform+lgr, cv, av, loose, solver=on, select=ucb1, final_move=mean)").is_ok());
    let without_chance =
        |agent: &str| build(&spinney_games::TicTacToe, &agent.parse().unwrap()).err().unwrap().to_string();
    for key in ["cv", "cv_visits=7", "cv_constant=1", "crn=root", "av"] {
        assert!(without_chance(&format!("mcts({key})")).contains("is for games with chance;"), "{key}");
    }
    assert!(without_chance("mcts(loose)").contains("is for games with chance or of one player;"));
    let agent = |name: &str| build(&Pig::default(), &name.parse().unwrap()).err().unwrap().to_string();
    assert_eq!(agent("flat"), "agent flat: it is for games of two players without chance; use mcts or random");
    assert!(agent("decoupled").contains("games of roles"));
}

/// The laboratory asks for limits to estimate a cell and to know whether it can be played again.
#[test]
fn an_agent_of_games_with_chance_tells_its_limits() {
    let budget = |agent: &str| {
        let settings: AgentSettings = agent.parse().unwrap();
        build(&PigRace::default(), &settings).unwrap().budget()
    };
    assert_eq!(budget("mcts(sims=77)").simulations, Some(77));
    assert!(budget("mcts(time=0.5)").time.is_some());
    assert!(budget("mcts").simulations.is_some());
}
