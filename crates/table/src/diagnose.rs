//! Diagnosis: can a bonus help in this game? Games are played against oneself and every simulation is looked at.
//!
//! Three questions are asked of the length d and of the quality q of simulations. Do they go with winning (correlation,
//! and its square, the share of the outcome's variance that a control variate could remove)? How are they spread (λ, and
//! the k that uses the sigmoid's whole range)? And, what counts in the end: does the bonus that a move's simulations
//! get foretell what a much longer search will think of the move, beyond what their outcomes foretell (signal)?

use crate::table::written_game;
use spinney_core::game::{Player, Turn};
use spinney_core::unhurried::{apply, turn};
use spinney_core::{InputError, Notation, Seed};
use spinney_search::agent::{Agent, Position, Task};
use spinney_search::reward::ledger::{FEWEST, Ledger, MOST_LAMBDAS, QUICK_LAMBDAS};
use spinney_search::reward::{BonusSettings, Sample, Steepness, Weight};
use spinney_search::settings::{MctsSettings, RewardSettings};
use spinney_search::tree::{Proof, ROOT};
use spinney_search::{AgentSettings, Budget, Driven, Mcts};
use std::sync::atomic::{AtomicBool, Ordering};

pub use spinney_search::reward::ledger::{BonusDiagnosis, Histogram};

/// What is played for a diagnosis.
#[derive(Clone, Debug)]
pub struct Study {
    /// The agent that plays against itself; bonuses it has get no weight, so that nothing is altered.
    pub agent: AgentSettings,
    /// Games.
    pub games: u32,
    /// Simulations per move.
    pub simulations: u64,
    /// Seed of all randomness.
    pub seed: u64,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The game with its options.
    pub game: String,
    /// The agent with its options.
    pub agent: String,
    /// Positions searched.
    pub positions: u64,
    /// Simulations that ended in a play-out.
    pub simulations: u64,
    /// Share of them that was drawn and gets no bonus.
    pub drawn: f64,
    /// Of length and of quality.
    pub bonuses: [BonusDiagnosis; 2],
}

/// Hears of each position: how many there were, and a function that works out the diagnosis so far, for those who want to
/// see it now.
pub type Watcher<'a> = &'a mut dyn FnMut(u64, &dyn Fn() -> Diagnosis);

/// Plays the study's games, watched by `tell`, who changes nothing; `None` if `stop` was set meanwhile.
pub(crate) fn diagnose<G: Notation>(
    name: &str,
    game: &G,
    study: &Study,
    stop: &AtomicBool,
    tell: Watcher<'_>,
) -> Result<Option<Diagnosis>, InputError> {
    let Some(settings) = study.agent.mcts() else {
        let problem = format!("{} makes no simulations of its own kind", study.agent);
        return Err(InputError::unsupported("agent", problem, "write mcts(…)"));
    };
    // Decided when it is compiled, so that no search is compiled for games that have another.
    if const { G::LUCK.is_some() || G::SCORE.is_some() } {
        let problem = format!("{name} is a game of chance or of one player");
        let remedy = "the bonuses are for games of two players without chance";
        return Err(InputError::unsupported("game", problem, remedy));
    }
    let mut search = Driven::new(Mcts::new(game, &weightless(&settings))?);
    search.search.keep_samples();
    let mut reference = Driven::new(Mcts::new(game, &plain(&settings))?);
    let published = MctsSettings::published(&game.published())?;
    let k = |own: &Option<BonusSettings>, published: &Option<BonusSettings>| {
        let own = own.as_ref().and_then(|own| own.k);
        match [own, Some(RewardSettings::steepness(published))].into_iter().flatten().next() {
            Some(Steepness::Fixed(k)) => f64::from(k),
            _ => 2.0,
        }
    };
    let ledgers = [k(&settings.rewards.rb, &published.rewards.rb), k(&settings.rewards.qb, &published.rewards.qb)]
        .map(Ledger::new);
    let (game_text, agent_text) = (written_game(name, game), study.agent.to_string());
    let mut books = Books { positions: 0, simulations: 0, draws: 0, ledgers };
    for number in 0..study.games {
        let (mut state, mut history) = (game.initial(), Vec::new());
        Agent::<G>::new_game(&mut search);
        while let Turn::Player(player) = turn(game, &state) {
            let seed = Seed::new(study.seed).child(u64::from(number)).child(history.len() as u64);
            let mut task = Task { stop, ..Task::new(seed) };
            task.budget = Some(Budget::simulations(study.simulations));
            let mv = search.choose(game, &Position { state: &state, history: &history }, &mut task).mv;
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let samples = search.search.samples();
            books.enter(samples, player);
            // Before the longer search, because that is what a watcher would wait for.
            tell(books.positions, &|| books.close(&game_text, &agent_text, QUICK_LAMBDAS));
            if history.len() % REFERENCE_EVERY == number as usize % REFERENCE_EVERY {
                let longer = Budget::simulations(study.simulations * REFERENCE_FACTOR);
                let mut task = Task { stop, budget: Some(longer), ..Task::new(seed.named("reference")) };
                reference.choose(game, &Position { state: &state, history: &history }, &mut task);
                let verdicts = verdicts(&search.search, &reference.search);
                for (index, ledger) in books.ledgers.iter_mut().enumerate() {
                    ledger.enter_moves(index, samples, player, &verdicts);
                }
            }
            apply(game, &mut state, mv);
            history.push(mv);
        }
    }
    Ok(Some(books.close(&game_text, &agent_text, MOST_LAMBDAS)))
}

/// What is noted from search to search.
struct Books {
    positions: u64,
    simulations: u64,
    draws: u64,
    /// Of length and of quality.
    ledgers: [Ledger; 2],
}

impl Books {
    /// Takes in the simulations of a search by `player`.
    fn enter(&mut self, samples: &[Sample], player: Player) {
        self.simulations += samples.len() as u64;
        self.draws += samples.iter().filter(|sample| sample.simulation.winner.is_none()).count() as u64;
        for (index, ledger) in self.ledgers.iter_mut().enumerate() {
            ledger.enter(index, samples, player, self.positions == 0);
        }
        self.positions += 1;
    }

    /// The diagnosis so far; at most so many λ are looked at for the k that spreads them.
    fn close(&self, game: &str, agent: &str, lambdas: usize) -> Diagnosis {
        let [length, quality] = &self.ledgers;
        Diagnosis {
            game: game.to_string(),
            agent: agent.to_string(),
            positions: self.positions,
            simulations: self.simulations,
            drawn: self.draws as f64 / self.simulations.max(1) as f64,
            bonuses: [length.close("length", lambdas), quality.close("quality", lambdas)],
        }
    }
}

/// What the longer search thinks of each child of the search's root; `None` where it looked too little.
fn verdicts<G: Notation>(search: &Mcts<G>, reference: &Mcts<G>) -> Vec<Option<f64>> {
    let (tree, longer) = (search.tree(), reference.tree());
    let value = |mv| {
        let child = longer.children(ROOT).find(|&child| longer.mv(child) == mv)?;
        let seen = longer.proof(child) == Proof::Unknown && u64::from(longer.visits(child)) >= FEWEST;
        seen.then(|| f64::from(longer.mean(child)))
    };
    tree.children(ROOT).map(|child| value(tree.mv(child))).collect()
}

/// The agent without bonuses.
fn plain(settings: &MctsSettings) -> MctsSettings {
    let mut plain = settings.clone();
    (plain.rewards.rb, plain.rewards.qb) = (None, None);
    plain
}

/// The agent with both bonuses and no weight on them: it plays as without, and λ is known.
fn weightless(settings: &MctsSettings) -> MctsSettings {
    let without = |own: &Option<BonusSettings>| {
        let mut own = own.clone().unwrap_or_default();
        own.a = Weight::Fixed(0.0);
        Some(own)
    };
    let mut weightless = settings.clone();
    let rewards = &settings.rewards;
    (weightless.rewards.rb, weightless.rewards.qb) = (without(&rewards.rb), without(&rewards.qb));
    weightless
}

/// Every so many positions a longer search is the judge of the moves,
const REFERENCE_EVERY: usize = 4;
/// so many times longer.
const REFERENCE_FACTOR: u64 = 16;
