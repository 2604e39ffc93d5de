//! Flat Monte Carlo: play-outs without a tree, spread evenly over the legal moves.

use crate::analysis::{Analysis, Candidate, Position};
use crate::decide::ordered;
use crate::mcts::Totals;
use crate::playout::{Base, GamePolicy, Learned, PlayoutSettings, Uniform, play};
use crate::search::{Pace, Search};
use crate::settings::FlatSettings;
use crate::tree::Proof;
use alloc::{vec, vec::Vec};
#[cfg(not(feature = "std"))]
use spinney_core::arithmetic::Rounded as _;
use spinney_core::game::{Game, Player, Turn};
#[cfg(feature = "std")]
use spinney_core::{InputError, options::OptionSet};
use spinney_core::{Random, Seed, Workspace};

/// The search.
#[derive(Debug)]
pub struct FlatMonteCarlo<G: Game> {
    settings: FlatSettings,
    playout: PlayoutSettings,
    simulations_per_second: u32,
    root: G::State,
    player: Player,
    tallies: Vec<Tally<G::Move>>,
    random: Random,
    work: Workspace<G>,
    learned: Learned,
    totals: Totals,
}

/// Sums over the play-outs of one move.
#[derive(Clone, Copy, Debug)]
struct Tally<M> {
    mv: M,
    playouts: u32,
    sum: f64,
    squares: f64,
}

impl<G: Game> FlatMonteCarlo<G> {
    /// What the settings leave open is as published for the game.
    #[cfg(feature = "std")]
    pub fn new(game: &G, settings: &FlatSettings) -> Result<Self, InputError> {
        // Learners follow a tree's simulations; without a tree the plain policy is what was meant.
        let mut playout = settings.playout.clone().unwrap_or_default();
        if playout.learns() {
            let remedy = "leave learners such as mast out or use mcts";
            return Err(InputError::conflict("flat, option playout", "what learns needs a tree", remedy));
        }
        playout.policy.get_or_insert(const { G::POLICY.is_some() });
        if playout.cutoff.is_some() && game.evaluate(&game.initial(), Player::First).is_none() {
            let problem = "the game has no evaluation function";
            return Err(InputError::unsupported("flat, option playout", problem, "leave `cutoff` out for this game"));
        }
        Ok(Self::of_resolved(game, FlatSettings { playout: Some(playout), ..settings.clone() }))
    }

    /// A search with settings that leave nothing open and fit the game, at which nobody looks again.
    pub fn of_resolved(game: &G, settings: FlatSettings) -> Self {
        Self {
            playout: settings.playout.clone().unwrap_or_default(),
            settings,
            simulations_per_second: game.published().simulations_per_second,
            root: game.initial(),
            player: Player::First,
            tallies: Vec::new(),
            random: Random::new(Seed::new(0)),
            work: Workspace::new(),
            learned: Learned::nothing(),
            totals: Totals::NONE,
        }
    }

    fn run<B: Base>(&mut self, game: &G) {
        let index = (self.totals.simulations % self.tallies.len().max(1) as u64) as usize;
        let Some(tally) = self.tallies.get_mut(index) else { return };
        let mut state = self.root.clone();
        game.advance(&mut state, tally.mv, &mut self.work);
        let limits = self.playout.limits();
        let (random, work, learned) = (&mut self.random, &mut self.work, &mut self.learned);
        let result = play::<G, B, (), false>(game, &mut state, 1, limits, random, work, learned);
        let reward = f64::from(result.reward_of(self.player));
        tally.playouts += 1;
        tally.sum += reward;
        tally.squares += reward * reward;
        self.totals.simulations += 1;
        self.totals.count_playout(result.length, 1);
    }
}

impl<G: Game> Search<G> for FlatMonteCarlo<G> {
    fn begin(&mut self, game: &G, position: &Position<'_, G>, _: u64, seed: Seed) {
        self.root.clone_from(position.state);
        self.player = match game.turn(position.state) {
            Turn::Player(player) => player,
            Turn::Over(_) | Turn::Chance => Player::First,
        };
        self.work.list_moves(game, position.state);
        self.tallies.clear();
        self.tallies.extend(self.work.moves.iter().map(|&mv| Tally { mv, playouts: 0, sum: 0.0, squares: 0.0 }));
        self.random = Random::new(seed);
        self.totals = Totals::NONE;
    }

    fn simulate(&mut self, game: &G, _: &dyn Fn() -> bool) -> bool {
        if const { G::POLICY.is_some() } && self.playout.policy == Some(true) {
            self.run::<GamePolicy>(game);
        } else {
            self.run::<Uniform>(game);
        }
        true
    }

    fn totals(&self) -> Totals {
        self.totals
    }

    fn analysis(&mut self) -> Analysis<G::Move> {
        let candidate = |tally: &Tally<G::Move>| {
            let count = f64::from(tally.playouts.max(1));
            let mean = tally.sum / count;
            let deviation = (tally.squares / count - mean * mean).max(0.0).sqrt() as f32;
            let (proof, variation) = (Proof::Unknown, vec![tally.mv]);
            Candidate { mv: tally.mv, visits: tally.playouts, mean: mean as f32, deviation, proof, variation }
        };
        let candidates: Vec<Candidate<G::Move>> = self.tallies.iter().map(candidate).collect();
        let candidates =
            ordered(&candidates, &|a, b| (b.visits > 0).cmp(&(a.visits > 0)).then(b.mean.total_cmp(&a.mean)));
        Analysis { candidates, totals: self.totals, ..Analysis::nothing() }
    }

    fn decide(&mut self) -> G::Move {
        self.analysis().candidates.first().map(|candidate| candidate.mv).unwrap_or_default()
    }

    fn pace(&self) -> Pace {
        let simulations_per_second = self.simulations_per_second;
        let published = crate::Budget::simulations(u64::from(simulations_per_second));
        Pace { budget: self.settings.limits().or(published), simulations_per_second, extra: 0 }
    }

    #[cfg(feature = "std")]
    fn describe(&self) -> String {
        self.settings.changed("flat").to_string()
    }
}
