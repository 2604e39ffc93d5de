//! Diagnosis: can a bonus help in this game? Games are played against oneself and every simulation is looked at.
//!
//! Three questions are asked of the length d and of the quality q of simulations. Do they go with winning (correlation,
//! and its square, the share of the outcome's variance that a control variate could remove)? How are they spread (λ, and
//! the k that uses the sigmoid's whole range)? And, what counts in the end: does the bonus that a move's simulations
//! get tell something about the move that their outcomes do not tell (signal)?

use crate::agent::{Agent, Position, Task};
use crate::mcts::Mcts;
use crate::reward::{BonusSettings, Sample, Steepness, Weight, bonus, coefficient};
use crate::settings::{AgentSettings, MctsSettings};
use crate::table::written_game;
use spinney_core::game::{Player, Turn};
use spinney_core::{InputError, Notation, Seed};
use spinney_stats::{Covariance, Moments};
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
    /// Partial correlation of a move's bonuses with its later outcomes, its earlier outcomes being known; with its
    /// 95 % interval.
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
            Some(_) => "no sign that it tells more than the outcomes do",
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

/// Plays the study's games. `tell` hears of each position; `None` if `stop` was set meanwhile.
pub fn diagnose(
    game: &str,
    study: &Study,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(u64),
) -> Result<Option<Diagnosis>, InputError> {
    spinney_games::open(game, None, Diagnose { study, stop, tell })?
}

struct Diagnose<'a> {
    study: &'a Study,
    stop: &'a AtomicBool,
    tell: &'a mut dyn FnMut(u64),
}

impl spinney_games::Visitor for Diagnose<'_> {
    type Output = Result<Option<Diagnosis>, InputError>;

    fn visit<G: Notation>(self, name: &'static str, game: G) -> Self::Output {
        let AgentSettings::Mcts(settings) = &self.study.agent else {
            let problem = format!("{} makes no simulations of its own kind", self.study.agent);
            return Err(InputError::new("agent", problem, "write mcts(…)"));
        };
        let mut search = Mcts::new(&game, &weightless(settings))?;
        search.keep_samples();
        let parameters = game.parameters();
        let settings = settings.resolved(&parameters, game.has_policy());
        let k = |own: &Option<BonusSettings>, published: f32| match own.as_ref().and_then(|own| own.k) {
            Some(Steepness::Fixed(k)) => f64::from(k),
            _ => f64::from(published),
        };
        let mut ledgers =
            [k(&settings.rb, parameters.relative_steepness), k(&settings.qb, parameters.qualitative_steepness)]
                .map(Ledger::new);
        let (mut positions, mut simulations, mut draws) = (0, 0, 0);
        for number in 0..self.study.games {
            let (mut state, mut history) = (game.initial(), Vec::new());
            search.new_game();
            while let Turn::Player(player) = game.turn(&state) {
                let seed = Seed::new(self.study.seed).child(u64::from(number)).child(history.len() as u64);
                let mut task = Task { stop: self.stop, ..Task::new(seed) };
                task.budget = Some(crate::Budget::simulations(self.study.simulations));
                let mv = search.choose(&game, &Position { state: &state, history: &history }, &mut task).mv;
                if self.stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let samples = search.samples();
                simulations += samples.len() as u64;
                draws += samples.iter().filter(|sample| sample.simulation.winner.is_none()).count();
                for (index, ledger) in ledgers.iter_mut().enumerate() {
                    ledger.enter(index, samples, player, positions == 0);
                }
                positions += 1;
                (self.tell)(positions);
                game.apply(&mut state, mv);
                history.push(mv);
            }
        }
        let [length, quality] = ledgers;
        Ok(Some(Diagnosis {
            game: written_game(name, &game),
            agent: AgentSettings::Mcts(Box::new(settings)).to_string(),
            positions,
            simulations,
            drawn: draws as f64 / (simulations.max(1)) as f64,
            bonuses: [length.close("length"), quality.close("quality")],
        }))
    }
}

/// The agent with both bonuses and no weight on them: it plays as without, and λ is known.
fn weightless(settings: &MctsSettings) -> MctsSettings {
    let without = |own: &Option<BonusSettings>| {
        let own = own.clone().unwrap_or_default();
        Some(BonusSettings { a: Weight::Fixed(0.0), ..own })
    };
    MctsSettings { rb: without(&settings.rb), qb: without(&settings.qb), ..settings.clone() }
}

/// What is noted about one bonus from search to search.
struct Ledger {
    k: f64,
    correlation: Moments,
    removed: Moments,
    weight: Moments,
    lambda: Histogram,
    lambdas: Vec<f32>,
    moves: Vec<MoveHalves>,
    values: [Histogram; 2],
}

/// One move of a position: what the first half of its simulations say and the outcomes of the second half, each less
/// the mean over the position's moves.
struct MoveHalves {
    outcome: f64,
    bonus: f64,
    later: f64,
}

/// Fewer simulations of either outcome say nothing about a position, and fewer of a move nothing about the move.
const FEWEST: u64 = 20;

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
        let mut with_wins = Covariance::default();
        for (sample, winner) in decided() {
            let won = winner == player;
            with_outcome.add(f64::from(u8::from(won)), value(sample));
            coefficient::observe(&mut with_wins, value(sample), won);
            if let Some(lambda) = sample.lambda[index] {
                self.lambda.add(f64::from(lambda));
                self.lambdas.push(lambda);
            }
        }
        let won = with_outcome.first().mean() * with_outcome.count() as f64;
        if won >= FEWEST as f64 && with_outcome.count() as f64 - won >= FEWEST as f64 {
            if let Some(correlation) = with_outcome.correlation() {
                self.correlation.add(correlation);
                self.removed.add(correlation * correlation);
            }
            if let Some(weight) = coefficient::magnitude(&with_wins) {
                self.weight.add(weight);
            }
        }
        self.enter_moves(index, samples, player);
        if first {
            let (low, high) = decided()
                .map(|(sample, _)| value(sample))
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
            if low < high {
                let bins = 40.min(1 + if index == 0 { (high - low) as usize } else { 39 });
                let histogram = Histogram::new(low, (high - low) / bins as f64 * 1.000_001, bins);
                self.values = [histogram.clone(), histogram];
                for (sample, winner) in decided() {
                    self.values[winner.index()].add(value(sample));
                }
            }
        }
    }

    /// Odd and even simulations of each move of the root, as two samples of the same move.
    fn enter_moves(&mut self, index: usize, samples: &[Sample], player: Player) {
        let moves = samples.iter().map(|sample| sample.subtree as usize + 1).max().unwrap_or(0);
        let mut halves = vec![[Moments::default(); 3]; moves];
        let mut turns = vec![false; moves];
        for sample in samples {
            let subtree = sample.subtree as usize;
            let outcome = f64::from(sample.simulation.reward_of(player));
            let [outcomes, bonuses, later] = &mut halves[subtree];
            if turns[subtree] {
                later.add(outcome);
            } else {
                outcomes.add(outcome);
                let lambda = f64::from(sample.lambda[index].unwrap_or(0.0));
                bonuses.add(bonus::sign(outcome) * bonus::sigmoid(self.k * lambda));
            }
            turns[subtree] = !turns[subtree];
        }
        halves.retain(|[_, _, later]| later.count() >= FEWEST);
        let mean = |part: usize| halves.iter().map(|halves| halves[part].mean()).collect::<Moments>().mean();
        let [outcome, bonus, later] = [mean(0), mean(1), mean(2)];
        self.moves.extend(halves.iter().map(|halves| MoveHalves {
            outcome: halves[0].mean() - outcome,
            bonus: halves[1].mean() - bonus,
            later: halves[2].mean() - later,
        }));
    }

    fn close(self, of: &'static str) -> BonusDiagnosis {
        let beyond = self.lambdas.iter().filter(|lambda| f64::from(lambda.abs()) * self.k > 10.0).count();
        BonusDiagnosis {
            of,
            k: self.k,
            recommended_k: even_k(&self.lambdas),
            saturated: beyond as f64 / self.lambdas.len().max(1) as f64,
            signal: signal(&self.moves),
            correlation: self.correlation,
            removed: self.removed,
            weight: self.weight,
            lambda: self.lambda,
            values: self.values,
        }
    }
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

/// Partial correlation of bonus and later outcome given the outcome, with the interval of Fisher's z.
fn signal(moves: &[MoveHalves]) -> Option<(f64, f64, f64)> {
    let correlation = |first: fn(&MoveHalves) -> f64, second: fn(&MoveHalves) -> f64| {
        moves.iter().map(|own| (first(own), second(own))).collect::<Covariance>().correlation()
    };
    if moves.len() < 10 {
        return None;
    }
    let with_outcome = correlation(|own| own.outcome, |own| own.later)?;
    let bonus_with_outcome = correlation(|own| own.outcome, |own| own.bonus)?;
    let plain = correlation(|own| own.bonus, |own| own.later)?;
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

    #[test]
    fn breakthrough_is_diagnosed() {
        let mut heard = 0;
        let stop = AtomicBool::new(false);
        let found =
            diagnose("breakthrough", &study("mcts"), &stop, &mut |positions| heard = positions).unwrap().unwrap();
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
    fn an_agent_without_simulations_is_refused() {
        let stop = AtomicBool::new(false);
        let error = diagnose("breakthrough", &study("alphabeta"), &stop, &mut |_| {}).unwrap_err().to_string();
        assert!(error.contains("write mcts(…)"), "{error}");
    }

    /// Moves whose later outcome is the bonus plus noise, outcomes saying nothing: the partial correlation is the plain.
    #[test]
    fn a_signal_is_found_where_there_is_one() {
        let moves: Vec<MoveHalves> = (0..400)
            .map(|n| {
                let (bonus, noise) = (f64::from(n % 20) - 9.5, f64::from(n / 20) - 9.5);
                MoveHalves { outcome: noise * f64::from(n % 2 * 2 - 1), bonus, later: bonus + noise }
            })
            .collect();
        let (partial, low, high) = signal(&moves).unwrap();
        assert!((partial - 0.5f64.sqrt()).abs() < 0.03 && low > 0.6 && high < 0.8, "{partial} {low} {high}");
        let without: Vec<MoveHalves> = moves.iter().map(|own| MoveHalves { later: own.outcome, ..*own }).collect();
        assert!(signal(&without).is_none_or(|(_, low, high)| low < 0.0 && high > 0.0));
    }

    #[test]
    fn the_even_k_of_a_coin_is_known() {
        let lambdas: Vec<f32> = (0..100).map(|n| if n % 2 == 0 { 1.0 } else { -1.0 }).collect();
        assert!((even_k(&lambdas).unwrap() - 1.317).abs() < 0.001);
        assert_eq!(even_k(&[0.0; 10]), None);
    }
}
