//! Flat Monte Carlo: play-outs without a tree, spread evenly over the legal moves.

use crate::agent::{Agent, Analysis, Candidate, Decision, Position, Task};
use crate::budget::{Budget, StopReason, Watch};
use crate::mcts::Totals;
use crate::playout::{Base, GamePolicy, Learned, Lists, PlayoutSettings, Uniform, play};
use crate::settings::{AgentSettings, FlatSettings};
use crate::tree::Proof;
use spinney_core::game::{Game, Player, Turn};
use spinney_core::{InputError, Random};
use std::time::Duration;

/// The agent.
#[derive(Debug)]
pub struct FlatMonteCarlo {
    settings: FlatSettings,
    playout: PlayoutSettings,
    budget: Budget,
}

/// Sums over the play-outs of one move.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    playouts: u32,
    sum: f64,
    squares: f64,
}

impl FlatMonteCarlo {
    /// What the settings leave open is as published for the game.
    pub fn new<G: Game>(game: &G, settings: &FlatSettings) -> Result<Self, InputError> {
        let parameters = game.parameters();
        // Learners follow a tree's simulations; without a tree the plain policy is what was meant.
        let mut playout = settings.playout.clone().unwrap_or_default();
        if playout.learns() {
            let remedy = "leave mast, cmc, ngram and lgr out or use mcts";
            return Err(InputError::conflict("flat, option playout", "what learns needs a tree", remedy));
        }
        playout.policy.get_or_insert(game.has_policy());
        if playout.cutoff.is_some() && game.evaluate(&game.initial(), Player::First).is_none() {
            let problem = "the game has no evaluation function";
            return Err(InputError::unsupported("flat, option playout", problem, "leave `cutoff` out for this game"));
        }
        let mut budget = Budget {
            simulations: settings.sims,
            time: settings.time.map(Duration::from_secs_f64),
            cpu_time: settings.cpu.map(Duration::from_secs_f64),
            nodes: None,
        };
        if budget.is_endless() {
            budget.simulations = Some(u64::from(parameters.simulations_per_second));
        }
        Ok(Self { settings: settings.clone(), playout, budget })
    }

    fn run<G: Game, B: Base>(&self, game: &G, position: &Position<'_, G>, task: &mut Task<'_, G>) -> Decision<G::Move> {
        let watch = Watch::start(task.budget.unwrap_or(self.budget), task.stop);
        let player = match game.turn(position.state) {
            Turn::Player(player) => player,
            Turn::Over(_) | Turn::Chance => Player::First,
        };
        let mut moves = Vec::new();
        game.search_moves(position.state, &mut moves);
        let mut tallies = vec![Tally::default(); moves.len()];
        let mut random = Random::new(task.seed);
        let mut lists = Lists::default();
        let mut learned = Learned::nothing();
        let mut totals = Totals::default();
        let mut next_report = task.interval();
        let stopped = loop {
            if let Some(reason) = watch.reached(totals.simulations, 0, false) {
                break reason;
            }
            let index = (totals.simulations % moves.len() as u64) as usize;
            let mut state = position.state.clone();
            game.apply(&mut state, moves[index]);
            let limits = self.playout.limits();
            let result = play::<G, B, false>(game, &mut state, 1, limits, &mut random, &mut lists, &mut learned);
            let reward = f64::from(result.reward_of(player));
            let tally = &mut tallies[index];
            tally.playouts += 1;
            tally.sum += reward;
            tally.squares += reward * reward;
            totals.simulations += 1;
            totals.playouts += 1;
            totals.length_plies += u64::from(result.length);
            totals.depth_plies += 1;
            totals.deepest_plies = 1;
            if totals.simulations % 64 == 0 && next_report.is_some_and(|at| watch.elapsed() >= at) {
                next_report = task.interval().map(|interval| watch.elapsed() + interval);
                task.report(|| analysis(&moves, &tallies, totals, watch.elapsed(), None), &|_| None);
            }
        };
        let analysis = analysis(&moves, &tallies, totals, watch.elapsed(), Some(stopped));
        let mv = analysis.candidates.first().map(|candidate| candidate.mv).unwrap_or_default();
        Decision { mv, simulations: totals.simulations, explanation: task.explain.then_some(analysis) }
    }
}

fn analysis<M: Copy>(
    moves: &[M],
    tallies: &[Tally],
    totals: Totals,
    elapsed: Duration,
    stopped: Option<StopReason>,
) -> Analysis<M> {
    let mut candidates: Vec<Candidate<M>> = moves
        .iter()
        .zip(tallies)
        .map(|(&mv, tally)| {
            let count = f64::from(tally.playouts.max(1));
            let mean = tally.sum / count;
            let deviation = (tally.squares / count - mean * mean).max(0.0).sqrt() as f32;
            let proof = Proof::Unknown;
            Candidate { mv, visits: tally.playouts, mean: mean as f32, deviation, proof, variation: vec![mv] }
        })
        .collect();
    candidates.sort_by(|a, b| (b.visits > 0).cmp(&(a.visits > 0)).then(b.mean.total_cmp(&a.mean)));
    Analysis { candidates, proof: Proof::Unknown, totals, nodes: 0, bytes: 0, elapsed, stopped }
}

impl<G: Game> Agent<G> for FlatMonteCarlo {
    fn choose(&mut self, game: &G, position: &Position<'_, G>, task: &mut Task<'_, G>) -> Decision<G::Move> {
        if self.playout.policy == Some(true) {
            self.run::<G, GamePolicy>(game, position, task)
        } else {
            self.run::<G, Uniform>(game, position, task)
        }
    }

    fn describe(&self) -> String {
        let playout = Some(self.playout.clone());
        AgentSettings::Flat(FlatSettings { playout, ..self.settings.clone() }).to_string()
    }

    fn budget(&self) -> Budget {
        self.budget
    }
}
