//! Diagnosis: can a bonus help in this game? Games are played against oneself and every simulation is looked at.
//!
//! Three questions are asked of the length d and of the quality q of simulations. Do they go with winning (correlation,
//! and its square, the share of the outcome's variance that a control variate could remove)? How are they spread (λ, and
//! the k that uses the sigmoid's whole range)? And, what counts in the end: does the bonus that a move's simulations
//! get foretell what a much longer search will think of the move, beyond what their outcomes foretell (signal)?

use crate::table::written_game;
use spinney_core::game::{Player, Turn};
use spinney_core::{Covariance, InputError, Moments, Notation, Seed};
use spinney_search::agent::{Agent, Position, Task};
use spinney_search::reward::{BonusSettings, Sample, Steepness, Weight, bonus, coefficient};
use spinney_search::settings::{MctsSettings, RewardSettings};
use spinney_search::tree::{Proof, ROOT};
use spinney_search::{AgentSettings, Budget, Driven, Mcts};
use std::sync::atomic::{AtomicBool, Ordering};

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

/// A histogram over equal bins; what lies outside counts in the outermost.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// Left end of the first bin.
    pub start: f64,
    /// Width of a bin.
    pub width: f64,
    /// Numbers in each bin.
    pub counts: Vec<u64>,
}

impl Histogram {
    fn new(start: f64, width: f64, bins: usize) -> Self {
        Self { start, width, counts: vec![0; bins] }
    }

    fn add(&mut self, value: f64) {
        let bin = ((value - self.start) / self.width).floor().clamp(0.0, (self.counts.len() - 1) as f64);
        self.counts[bin as usize] += 1;
    }

    /// Middle of each bin and its share of all.
    pub fn shares(&self) -> impl Iterator<Item = (f64, f64)> {
        let total = self.counts.iter().sum::<u64>().max(1) as f64;
        self.counts
            .iter()
            .enumerate()
            .map(move |(bin, &count)| (self.start + (bin as f64 + 0.5) * self.width, count as f64 / total))
    }
}

/// What was found about one bonus.
#[derive(Clone, Debug)]
pub struct BonusDiagnosis {
    /// `length` or `quality`.
    pub of: &'static str,
    /// k with which the bonus was computed.
    pub k: f64,
    /// Correlation with the outcome, per position.
    pub correlation: Moments,
    /// Its square: the share of the outcome's variance that a control variate could remove.
    pub removed: Moments,
    /// a′ at the end of the searches.
    pub weight: Moments,
    /// λ of all simulations, from −5 to 5.
    pub lambda: Histogram,
    /// The k that spreads bonuses evenly; `None` without any λ.
    pub recommended_k: Option<f64>,
    /// Share of λ beyond ±10 / k, where the published engine turned the bonus round.
    pub saturated: f64,
    /// Partial correlation of a move's bonuses with what a much longer search thinks of it, its outcomes being known;
    /// with its 95 % interval.
    pub signal: Option<(f64, f64, f64)>,
    /// The values in the first search, of simulations that the first and the second player won.
    pub values: [Histogram; 2],
}

impl BonusDiagnosis {
    /// What the signal says, in words.
    pub fn verdict(&self) -> &'static str {
        match self.signal {
            None => "too little was seen to tell",
            Some((_, low, _)) if low > 0.0 => "it tells more than the outcomes do: worth a match",
            Some((_, _, high)) if high < 0.0 => "it tells the wrong way: leave it out",
            Some(_) => "no sign at the root that it tells more than the outcomes do; only a match can tell",
        }
    }
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
    if G::LUCK.is_some() || G::SCORE.is_some() {
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
        while let Turn::Player(player) = game.turn(&state) {
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
            game.apply(&mut state, mv);
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

/// What is noted about one bonus.
struct Ledger {
    k: f64,
    correlation: Moments,
    removed: Moments,
    weight: Moments,
    lambda: Histogram,
    lambdas: Vec<f32>,
    /// Of how many λ one is kept in `lambdas`, a power of two, and how many were seen and were beyond ±10 / k.
    stride: u64,
    seen: u64,
    beyond: u64,
    moves: Vec<MoveMeans>,
    values: [Histogram; 2],
}

/// One move of a position: mean outcome and mean bonus of its simulations, and what the longer search thinks of it,
/// each less the mean over the position's moves.
struct MoveMeans {
    outcome: f64,
    bonus: f64,
    verdict: f64,
}

/// Every so many positions a longer search is the judge of the moves,
const REFERENCE_EVERY: usize = 4;
/// so many times longer.
const REFERENCE_FACTOR: u64 = 16;

/// Fewer simulations of either outcome say nothing about a position, and fewer of a move nothing about the move.
const FEWEST: u64 = 20;

/// So many λ are kept at most,
const MOST_LAMBDAS: usize = 1 << 21;
/// and so many tell k well enough for a quick look.
const QUICK_LAMBDAS: usize = 1 << 13;

impl Ledger {
    fn new(k: f64) -> Self {
        let empty = Histogram::new(0.0, 1.0, 1);
        Self {
            k,
            correlation: Moments::default(),
            removed: Moments::default(),
            weight: Moments::default(),
            lambda: Histogram::new(-5.0, 0.25, 40),
            lambdas: Vec::new(),
            stride: 1,
            seen: 0,
            beyond: 0,
            moves: Vec::new(),
            values: [empty.clone(), empty],
        }
    }

    /// Takes in the simulations of a search by `player`; `index` is 0 for length and 1 for quality.
    fn enter(&mut self, index: usize, samples: &[Sample], player: Player, first: bool) {
        let value = |sample: &Sample| match index {
            0 => f64::from(sample.simulation.length),
            _ => f64::from(sample.simulation.quality),
        };
        let decided = || samples.iter().filter_map(|sample| Some((sample, sample.simulation.winner?)));
        let mut with_outcome = Covariance::default();
        let mut of_winner: [Moments; 2] = Default::default();
        for (sample, winner) in decided() {
            let won = winner == player;
            with_outcome.add(f64::from(u8::from(won)), value(sample));
            of_winner[winner.index()].add(value(sample));
            if let Some(lambda) = sample.lambda[index] {
                self.enter_lambda(lambda);
            }
        }
        let won = with_outcome.first().mean() * with_outcome.count() as f64;
        if won >= FEWEST as f64 && with_outcome.count() as f64 - won >= FEWEST as f64 {
            if let Some(correlation) = with_outcome.correlation() {
                self.correlation.add(correlation);
                self.removed.add(correlation * correlation);
            }
            if let Some(weight) = coefficient::slope(&of_winner[player.index()], &of_winner[player.other().index()]) {
                self.weight.add(weight.abs());
            }
        }
        if first {
            let values: Vec<f64> = decided().map(|(sample, _)| value(sample)).collect();
            let histogram = fitting(values, index == 0);
            self.values = [histogram.clone(), histogram];
            for (sample, winner) in decided() {
                self.values[winner.index()].add(value(sample));
            }
        }
    }

    fn enter_lambda(&mut self, lambda: f32) {
        self.lambda.add(f64::from(lambda));
        self.beyond += u64::from(f64::from(lambda.abs()) * self.k > 10.0);
        if self.seen.is_multiple_of(self.stride) {
            self.lambdas.push(lambda);
        }
        self.seen += 1;
        // A long study keeps every second, then every fourth: its memory is bounded.
        if self.lambdas.len() == MOST_LAMBDAS {
            let mut index = 0;
            self.lambdas.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.stride *= 2;
        }
    }

    /// Takes in the moves of the root and what the longer search thinks of them.
    fn enter_moves(&mut self, index: usize, samples: &[Sample], player: Player, verdicts: &[Option<f64>]) {
        let mut means = vec![[Moments::default(); 2]; verdicts.len()];
        for sample in samples {
            let outcome = f64::from(sample.simulation.reward_of(player));
            let lambda = f64::from(sample.lambda[index].unwrap_or(0.0));
            let [outcomes, bonuses] = &mut means[sample.subtree as usize];
            outcomes.add(outcome);
            bonuses.add(bonus::sign(outcome) * bonus::sigmoid(self.k * lambda));
        }
        let seen: Vec<[f64; 3]> = means
            .iter()
            .zip(verdicts)
            .filter(|([outcomes, _], _)| outcomes.count() >= FEWEST)
            .filter_map(|([outcomes, bonuses], verdict)| Some([outcomes.mean(), bonuses.mean(), (*verdict)?]))
            .collect();
        let centre = [0, 1, 2].map(|part| seen.iter().map(|own| own[part]).collect::<Moments>().mean());
        self.moves.extend(seen.iter().map(|own| MoveMeans {
            outcome: own[0] - centre[0],
            bonus: own[1] - centre[1],
            verdict: own[2] - centre[2],
        }));
    }

    fn close(&self, of: &'static str, lambdas: usize) -> BonusDiagnosis {
        let step = self.lambdas.len().div_ceil(lambdas).max(1);
        let lambdas: Vec<f32> = self.lambdas.iter().step_by(step).copied().collect();
        BonusDiagnosis {
            of,
            k: self.k,
            recommended_k: even_k(&lambdas),
            saturated: self.beyond as f64 / self.seen.max(1) as f64,
            signal: signal(&self.moves),
            correlation: self.correlation,
            removed: self.removed,
            weight: self.weight,
            lambda: self.lambda.clone(),
            values: self.values.clone(),
        }
    }
}

/// An empty histogram of about 30 bins for these values: one for each where they are few, and for lengths an even number
/// of plies wide, because a player's wins are all odd or all even.
fn fitting(mut values: Vec<f64>, lengths: bool) -> Histogram {
    values.sort_by(f64::total_cmp);
    let (Some(&low), Some(&high)) = (values.first(), values.last()) else { return Histogram::new(0.0, 1.0, 1) };
    let narrowest = values.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 1e-6).fold(1.0, f64::min);
    let narrowest = if lengths { 2.0 } else { narrowest };
    let width = narrowest * ((high - low) / narrowest / 30.0).ceil().max(1.0);
    Histogram::new(low - narrowest / 2.0, width, ((high - low + narrowest) / width).ceil() as usize)
}

/// The k at which the mean square of the bonuses is 1/3, as if they were spread evenly over (−1, 1).
fn even_k(lambdas: &[f32]) -> Option<f64> {
    let varied = lambdas.iter().filter(|lambda| **lambda != 0.0).count();
    if 2 * varied < lambdas.len() || varied == 0 {
        return None;
    }
    let squares = |k: f64| {
        lambdas.iter().map(|&lambda| bonus::sigmoid(k * f64::from(lambda)).powi(2)).collect::<Moments>().mean()
    };
    let (mut low, mut high) = (0.01, 100.0);
    for _ in 0..40 {
        let middle = f64::sqrt(low * high);
        if squares(middle) < 1.0 / 3.0 { low = middle } else { high = middle }
    }
    Some(f64::sqrt(low * high))
}

/// Partial correlation of bonus and verdict given the outcome, with the interval of Fisher's z.
fn signal(moves: &[MoveMeans]) -> Option<(f64, f64, f64)> {
    let correlation = |first: fn(&MoveMeans) -> f64, second: fn(&MoveMeans) -> f64| {
        moves.iter().map(|own| (first(own), second(own))).collect::<Covariance>().correlation()
    };
    if moves.len() < 10 {
        return None;
    }
    let with_outcome = correlation(|own| own.outcome, |own| own.verdict)?;
    let bonus_with_outcome = correlation(|own| own.outcome, |own| own.bonus)?;
    let plain = correlation(|own| own.bonus, |own| own.verdict)?;
    let rest = (1.0 - with_outcome * with_outcome) * (1.0 - bonus_with_outcome * bonus_with_outcome);
    if rest <= 1e-12 {
        return None;
    }
    let partial = ((plain - with_outcome * bonus_with_outcome) / rest.sqrt()).clamp(-0.999_999, 0.999_999);
    let margin = 1.96 / (moves.len() as f64 - 4.0).sqrt();
    Some((partial, (partial.atanh() - margin).tanh(), (partial.atanh() + margin).tanh()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study(agent: &str) -> Study {
        Study { agent: agent.parse().unwrap(), games: 1, simulations: 300, seed: 1 }
    }

    fn diagnose(
        game: &str,
        study: &Study,
        stop: &AtomicBool,
        tell: Watcher<'_>,
    ) -> Result<Option<Diagnosis>, InputError> {
        crate::open_table(game, None)?.diagnose(study, stop, tell)
    }

    #[test]
    fn breakthrough_is_diagnosed() {
        let mut heard = 0;
        let stop = AtomicBool::new(false);
        let found =
            diagnose("breakthrough", &study("mcts"), &stop, &mut |positions, _| heard = positions).unwrap().unwrap();
        assert_eq!(found.positions, heard);
        assert!(found.positions > 20 && found.drawn == 0.0, "{found:?}");
        let [length, quality] = &found.bonuses;
        assert_eq!((length.k, quality.k), (8.0, 2.0));
        for own in &found.bonuses {
            assert!(own.lambda.counts.iter().sum::<u64>() > 1000);
            assert!((0.0..=1.0).contains(&own.removed.mean()));
            let k = own.recommended_k.unwrap();
            assert!((1.0..4.0).contains(&k), "{k}");
        }
        // k = 8 saturates often, k = 2 hardly ever.
        assert!(length.saturated > 0.1 && quality.saturated < 0.01);
    }

    #[test]
    fn what_has_no_such_simulations_is_refused() {
        let stop = AtomicBool::new(false);
        let error = diagnose("breakthrough", &study("alphabeta"), &stop, &mut |_, _| {}).unwrap_err().to_string();
        assert!(error.contains("write mcts(…)"), "{error}");
        let error = diagnose("pig", &study("mcts"), &stop, &mut |_, _| {}).unwrap_err().to_string();
        assert!(error.contains("two players without chance"), "{error}");
    }

    #[test]
    fn who_watches_changes_nothing() {
        let stop = AtomicBool::new(false);
        let unwatched = diagnose("tic-tac-toe", &study("mcts"), &stop, &mut |_, _| {}).unwrap().unwrap();
        let mut seen = Vec::new();
        let watched = diagnose("tic-tac-toe", &study("mcts"), &stop, &mut |_, so_far| seen.push(so_far()));
        let watched = watched.unwrap().unwrap();
        assert_eq!(format!("{unwatched:?}"), format!("{watched:?}"));
        assert_eq!(seen.len() as u64, watched.positions);
        assert!(seen.windows(2).all(|pair| pair[0].simulations <= pair[1].simulations));
        assert_eq!(seen[0].bonuses[0].values, watched.bonuses[0].values, "the first search is drawn at once");
    }

    #[test]
    fn a_long_study_keeps_a_sample() {
        let mut ledger = Ledger::new(2.0);
        for n in 0..3 * MOST_LAMBDAS {
            ledger.enter_lambda(if n % 8 < 4 { 6.0 } else { -1.0 });
        }
        assert!(ledger.lambdas.len() < MOST_LAMBDAS && ledger.stride == 4);
        let closed = ledger.close("length", QUICK_LAMBDAS);
        assert!((closed.saturated - 0.5).abs() < 1e-9 && closed.recommended_k.is_some());
    }

    /// Moves whose verdict is the bonus plus noise, outcomes saying nothing: the partial correlation is the plain.
    #[test]
    fn a_signal_is_found_where_there_is_one() {
        let moves: Vec<MoveMeans> = (0..400)
            .map(|n| {
                let (bonus, noise) = (f64::from(n % 20) - 9.5, f64::from(n / 20) - 9.5);
                MoveMeans { outcome: noise * f64::from(n % 2 * 2 - 1), bonus, verdict: bonus + noise }
            })
            .collect();
        let (partial, low, high) = signal(&moves).unwrap();
        assert!((partial - 0.5f64.sqrt()).abs() < 0.03 && low > 0.6 && high < 0.8, "{partial} {low} {high}");
        let without: Vec<MoveMeans> = moves.iter().map(|own| MoveMeans { verdict: own.outcome, ..*own }).collect();
        assert!(signal(&without).is_none_or(|(_, low, high)| low < 0.0 && high > 0.0));
    }

    #[test]
    fn bins_fit_the_values() {
        let sixteenths = fitting((0..8).map(|n| f64::from(n) / 16.0).collect(), false);
        assert_eq!((sixteenths.counts.len(), sixteenths.width), (8, 1.0 / 16.0));
        let lengths = fitting((20..140).map(f64::from).collect(), true);
        assert_eq!((lengths.width, lengths.start), (4.0, 19.0));
        assert_eq!(fitting(Vec::new(), true).counts.len(), 1);
    }

    #[test]
    fn the_even_k_of_a_coin_is_known() {
        let lambdas: Vec<f32> = (0..100).map(|n| if n % 2 == 0 { 1.0 } else { -1.0 }).collect();
        assert!((even_k(&lambdas).unwrap() - 1.317).abs() < 0.001);
        assert_eq!(even_k(&[0.0; 10]), None);
    }
}
