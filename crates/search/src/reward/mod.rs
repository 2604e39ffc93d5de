//! Rewards with control variates: what a simulation is worth beyond who won it (Pepels, Tak, Lanctot and Winands,
//! *Quality-based Rewards for Monte-Carlo Tree Search Simulations*, ECAI 2014).
//!
//! The Relative Bonus holds a simulation's length d against the lengths of the other simulations with the same
//! winner, the Qualitative Bonus does the same with the quality q of the final position:
//! r ← r + sgn(r) a b(k λ). The statistics are used before they learn of the simulation itself.

pub mod bonus;
pub mod coefficient;
#[cfg(feature = "std")]
pub mod ledger;
mod settings;
mod steepness;
#[cfg(feature = "std")]
mod text;

pub use settings::{BonusSettings, MeanOf, RewardKind, Steepness, Weight};

use crate::playout::Simulation;
use crate::settings::{Quirks, RewardSettings};
use alloc::vec::Vec;
use spinney_core::game::Player;
use spinney_core::{Covariance, Moments};
use steepness::Slope;

/// Depths beyond this share one mean.
const DEPTHS: usize = 64;
/// A mean of a part of the simulations counts once it has so many; until then the mean of all does.
const ENOUGH_FOR_A_PART: u64 = 30;

/// A reward of one's own: what the tree is given for a simulation instead of who won it.
pub trait Reward: Send + 'static {
    /// Whether there is such a reward.
    #[inline(always)]
    fn is_present(&self) -> bool {
        true
    }

    /// Whether it reads the quality of final positions, which is not computed for nothing.
    #[inline]
    fn needs_quality(&self) -> bool {
        false
    }

    /// A search by this player begins.
    fn begin(&mut self, searcher: Player);

    /// The reward of a simulation, in the view of the first player; `reward` is what bonuses have made of it so far.
    fn alter(&mut self, reward: f32, simulation: &Simulation) -> f32;
}

/// No reward of one's own.
impl Reward for () {
    #[inline(always)]
    fn is_present(&self) -> bool {
        false
    }

    #[inline(always)]
    fn begin(&mut self, _: Player) {}

    #[inline(always)]
    fn alter(&mut self, reward: f32, _: &Simulation) -> f32 {
        reward
    }
}

/// What a search tells before it begins.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// ρ, the player who searches.
    pub searcher: Player,
    /// Plies since the start of the game.
    pub plies: usize,
    /// Whether the position comes from the game of the last search; otherwise this is the first of a game.
    pub same_game: bool,
    /// How many simulations are expected.
    pub expected: u64,
    /// Children of the root.
    pub moves: usize,
}

/// Where a simulation left the tree.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// Simulations so far, this one included.
    pub simulations: u64,
    /// Plies from the root.
    pub depth: usize,
    /// Index of the first move among the root's children.
    pub subtree: usize,
}

/// What one simulation gave and what was made of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// ⟨r, τ, q, d⟩.
    pub simulation: Simulation,
    /// λ of the Relative and of the Qualitative Bonus, where there was one.
    pub lambda: [Option<f32>; 2],
    /// The reward that the tree got, in the view of the first player.
    pub altered: f32,
    /// Index of the first move among the root's children.
    pub subtree: u32,
}

/// Alters the rewards of a search and keeps the statistics for it.
#[derive(Debug)]
pub struct Rewards {
    kind: RewardKind,
    relative: Option<Bonus>,
    qualitative: Option<Bonus>,
    /// Correlation of the two λ, for a joint a′.
    joint: Option<Covariance>,
    quirks: Quirks,
    /// Share of the expected simulations that only collect statistics.
    warmup_share: f64,
    /// Samples of a winner before its simulations are altered.
    least_samples: u64,
    /// k of the sigmoid that replaces the reward, where there is no Qualitative Bonus.
    replacing_k: f64,
    /// Those of both bonuses in the running simulation: written side by side they are computed side by side.
    sigmoids: [f64; 2],
    start: Start,
    warmup: u64,
    /// Whether this search alters anything.
    active: bool,
    log: Option<Vec<Sample>>,
}

/// One bonus with its statistics.
#[derive(Debug)]
struct Bonus {
    steepness: Steepness,
    slope: Slope,
    weight: Weight,
    mean_of: MeanOf,
    /// Per winner.
    all: [Moments; 2],
    /// Per part and winner, if the mean is not that of all.
    parts: Vec<[Moments; 2]>,
    /// What a′ is taken from if not from `all`: the published engine kept it over moves and of other numbers.
    covariance: Option<Covariance>,
    /// λ of the running simulation.
    lambda: Option<f64>,
}

impl Bonus {
    /// As set; a k that was left open, which resolved settings do not have, is learned.
    fn new(settings: &BonusSettings, quirks: &Quirks) -> Self {
        let steepness = settings.k.unwrap_or(Steepness::Online);
        Self {
            steepness,
            slope: Slope::new(steepness),
            weight: settings.a,
            mean_of: settings.mean,
            all: Default::default(),
            parts: Vec::new(),
            covariance: (quirks.kept_covariance || quirks.game_plies).then(Covariance::default),
            lambda: None,
        }
    }

    fn begin(&mut self, start: &Start, keep_covariance: bool) {
        self.slope = Slope::new(self.steepness);
        self.all = Default::default();
        self.parts.clear();
        match self.mean_of {
            MeanOf::All => {}
            MeanOf::Depth => self.parts.resize(DEPTHS, Default::default()),
            MeanOf::Subtree => self.parts.resize(start.moves, Default::default()),
        }
        if let Some(covariance) = self.covariance.as_mut().filter(|_| !keep_covariance) {
            *covariance = Covariance::default();
        }
    }

    #[inline]
    fn part(&self, leaf: &Leaf) -> usize {
        match self.mean_of {
            MeanOf::All | MeanOf::Subtree => leaf.subtree,
            MeanOf::Depth => leaf.depth.min(DEPTHS - 1),
        }
    }

    /// The simulations that this one is held against.
    #[inline]
    fn moments(&self, leaf: &Leaf, winner: Player) -> &Moments {
        if self.parts.is_empty() {
            return &self.all[winner.index()];
        }
        match self.parts.get(self.part(leaf)) {
            Some(part) if part[winner.index()].count() >= ENOUGH_FOR_A_PART => &part[winner.index()],
            _ => &self.all[winner.index()],
        }
    }

    #[inline]
    fn learn(&mut self, value: f64, leaf: &Leaf, winner: Player) {
        self.all[winner.index()].add(value);
        if self.parts.is_empty() {
            return;
        }
        let part = self.part(leaf);
        if let Some(part) = self.parts.get_mut(part) {
            part[winner.index()].add(value);
        }
    }

    /// k λ of the running simulation, 0 if there is no λ.
    #[inline]
    fn steep_lambda(&self) -> f64 {
        self.lambda.map_or(0.0, |lambda| self.slope.k() * lambda)
    }

    /// Cov(Y^ρ, Y) / Var(Y).
    #[inline]
    fn covariance_slope(&self, searcher: Player) -> Option<f64> {
        match &self.covariance {
            Some(covariance) => covariance.slope(),
            None => coefficient::slope(&self.all[searcher.index()], &self.all[searcher.other().index()]),
        }
    }

    /// a on its own, before the other bonus is taken into account.
    #[inline]
    fn weight(&self, searcher: Player, signed: bool) -> Option<f64> {
        match self.weight {
            Weight::Fixed(a) => Some(f64::from(a)),
            Weight::Online | Weight::Joint if signed => self.covariance_slope(searcher),
            Weight::Online | Weight::Joint => self.covariance_slope(searcher).map(f64::abs),
        }
    }
}

impl Rewards {
    /// As set; `settings` leave nothing open. `replacing` is k of a sigmoid that replaces the reward where there is
    /// no Qualitative Bonus.
    pub fn new(settings: &RewardSettings, quirks: Quirks, replacing: Steepness) -> Self {
        let bonus = |own: &Option<BonusSettings>| own.as_ref().map(|own| Bonus::new(own, &quirks));
        let (relative, qualitative) = (bonus(&settings.rb), bonus(&settings.qb));
        let is_joint = |bonus: &Option<Bonus>| bonus.as_ref().is_some_and(|bonus| bonus.weight == Weight::Joint);
        Self {
            kind: settings.reward.standard(),
            joint: (is_joint(&relative) || is_joint(&qualitative)).then(Covariance::default),
            relative,
            qualitative,
            quirks,
            warmup_share: f64::from(settings.warmup.unwrap_or(0.0)),
            least_samples: u64::from(settings.samples.unwrap_or(2)),
            replacing_k: match replacing {
                Steepness::Fixed(k) => f64::from(k),
                Steepness::Online => 2.0,
            },
            sigmoids: [0.0; 2],
            start: Start { searcher: Player::First, plies: 0, same_game: false, expected: 0, moves: 0 },
            warmup: 0,
            active: false,
            log: None,
        }
    }

    /// Whether rewards are anything but the plain outcome.
    #[inline]
    pub fn alter_anything(&self) -> bool {
        self.relative.is_some() || self.qualitative.is_some() || self.kind != RewardKind::Outcome
    }

    /// Whether the quality of final positions is asked for.
    #[inline]
    pub fn need_quality(&self) -> bool {
        self.qualitative.is_some() || self.kind != RewardKind::Outcome
    }

    /// Keeps what simulations gave from now on, for diagnosis.
    pub fn keep_samples(&mut self) {
        self.log = Some(Vec::new());
    }

    /// What simulations gave since the search began, if it was to be kept.
    pub fn samples(&self) -> &[Sample] {
        self.log.as_deref().unwrap_or_default()
    }

    /// Prepares for a search.
    pub fn begin(&mut self, start: Start) {
        let keep_covariance = self.quirks.kept_covariance && start.same_game;
        for bonus in [&mut self.relative, &mut self.qualitative].into_iter().flatten() {
            bonus.begin(&start, keep_covariance);
        }
        if let Some(joint) = &mut self.joint {
            *joint = Covariance::default();
        }
        self.warmup = (self.warmup_share * start.expected as f64) as u64;
        // The published engine neither altered nor learned in a player's first search of a game.
        let wanted = self.alter_anything() || self.log.is_some();
        self.active = wanted && (start.same_game || !self.quirks.first_move);
        self.start = start;
        if let Some(log) = &mut self.log {
            log.clear();
        }
    }

    /// Whether this search alters rewards at all.
    #[inline(always)]
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// The reward of a simulation, in the view of the first player, with all that is set.
    #[inline]
    pub fn alter(&mut self, simulation: &Simulation, leaf: Leaf) -> f32 {
        let Some(winner) = simulation.winner else {
            self.keep(simulation, simulation.reward, leaf);
            return simulation.reward;
        };
        let outcome = f64::from(simulation.reward);
        let quality = f64::from(simulation.quality);
        let length = f64::from(simulation.length);
        let mut reward = match self.kind {
            RewardKind::Outcome => outcome,
            RewardKind::Quality => bonus::sign(outcome) * quality,
            RewardKind::Sigmoid => {
                let k = self.qualitative.as_ref().map_or(self.replacing_k, |own| own.slope.k());
                bonus::sign(outcome) * bonus::sigmoid(k * quality)
            }
        };
        if let Some(own) = &mut self.relative {
            let moments = own.moments(&leaf, winner);
            let enough = moments.count() >= self.least_samples && leaf.simulations > self.warmup;
            own.lambda = bonus::shorter(length, moments).filter(|_| enough);
        }
        if let Some(own) = &mut self.qualitative {
            let moments = own.moments(&leaf, winner);
            let enough = moments.count() >= self.least_samples && leaf.simulations > self.warmup;
            // The published engine left the reward alone while quality did not go with winning.
            let goes_with_winning = || own.covariance_slope(self.start.searcher).is_some_and(|slope| slope > 0.0);
            let wanted = enough && (!self.quirks.signed || goes_with_winning());
            own.lambda = bonus::better(quality, moments).filter(|_| wanted);
        }
        let weights = self.weights();
        let both = [&mut self.relative, &mut self.qualitative];
        let x = both.each_ref().map(|own| own.as_ref().map_or(0.0, Bonus::steep_lambda));
        self.sigmoids = bonus::sigmoid_of_all(x);
        for (place, own) in both.into_iter().enumerate() {
            if let Some(own) = own
                && let (Some(_), Some(a)) = (own.lambda, weights[place])
            {
                let plain = self.sigmoids[place];
                let b = if self.quirks.saturation { bonus::sigmoid_of_2014(x[place], plain) } else { plain };
                reward = bonus::altered(reward, a, b);
                own.slope.learn(b);
            }
        }
        self.keep(simulation, reward as f32, leaf);
        self.learn(length, quality, leaf, winner);
        reward as f32
    }

    /// a of the two bonuses.
    #[inline]
    fn weights(&self) -> [Option<f64>; 2] {
        let single = [&self.relative, &self.qualitative]
            .map(|own| own.as_ref()?.weight(self.start.searcher, self.quirks.signed));
        match (single, &self.joint) {
            ([Some(relative), Some(qualitative)], Some(joint)) => {
                coefficient::joint([relative, qualitative], joint.correlation().unwrap_or(0.0)).map(Some)
            }
            _ => single,
        }
    }

    #[inline(always)]
    fn learn(&mut self, length: f64, quality: f64, leaf: Leaf, winner: Player) {
        let searcher_won = winner == self.start.searcher;
        if let Some(joint) = &mut self.joint
            && let (Some(relative), Some(qualitative)) = (&self.relative, &self.qualitative)
            && let (Some(shorter), Some(better)) = (relative.lambda, qualitative.lambda)
        {
            joint.add(shorter, better);
        }
        if let Some(own) = &mut self.relative {
            own.learn(length, &leaf, winner);
            if let Some(covariance) = &mut own.covariance {
                let y = if self.quirks.game_plies { length + self.start.plies as f64 } else { length };
                coefficient::observe(covariance, y, searcher_won);
            }
        }
        if let Some(own) = &mut self.qualitative {
            own.learn(quality, &leaf, winner);
            if let Some(covariance) = &mut own.covariance {
                coefficient::observe(covariance, quality, searcher_won);
            }
        }
    }

    #[inline]
    fn keep(&mut self, simulation: &Simulation, altered: f32, leaf: Leaf) {
        if let Some(log) = &mut self.log {
            let lambda = [&self.relative, &self.qualitative]
                .map(|own| own.as_ref().filter(|_| simulation.winner.is_some())?.lambda.map(|lambda| lambda as f32));
            log.push(Sample { simulation: *simulation, lambda, altered, subtree: leaf.subtree as u32 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AgentSettings;
    use crate::settings::MctsSettings;
    use proptest::prelude::*;

    fn rewards(options: &str) -> Rewards {
        let settings = format!("mcts({options})").parse::<AgentSettings>().unwrap().mcts().unwrap();
        let settings = settings.resolved(&MctsSettings::default(), true);
        let mut rewards = Rewards::new(&settings.rewards, settings.deviations.in_force(), Steepness::Fixed(2.0));
        rewards.keep_samples();
        rewards.begin(Start { searcher: Player::First, plies: 10, same_game: true, expected: 0, moves: 3 });
        rewards
    }

    fn won(winner: Player, length: u32, quality: f32) -> Simulation {
        let reward = if winner == Player::First { 1.0 } else { -1.0 };
        Simulation { reward, winner: Some(winner), quality, length }
    }

    fn alter(rewards: &mut Rewards, number: u64, simulation: &Simulation) -> f32 {
        rewards.alter(simulation, Leaf { simulations: number + 1, depth: 2, subtree: 0 })
    }

    /// Lengths 10 and 14 have mean 12 and deviation 2; a length of 10 is one deviation shorter, so the third reward
    /// is 1 + 0.25 tanh(1). The other winner has statistics of its own and a draw has none.
    #[test]
    fn the_relative_bonus_by_hand() {
        let mut rewards = rewards("rb(k=2, a=0.25)");
        let draw = Simulation { reward: 0.0, winner: None, quality: 0.0, length: 3 };
        let simulations = [
            (won(Player::First, 10, 0.0), 1.0),
            (won(Player::First, 14, 0.0), 1.0),
            (draw, 0.0),
            (won(Player::Second, 5, 0.0), -1.0),
            (won(Player::First, 10, 0.0), 1.0 + 0.25 * 1f64.tanh()),
        ];
        for (number, (simulation, expected)) in (0..).zip(simulations) {
            let reward = alter(&mut rewards, number, &simulation);
            assert!((f64::from(reward) - expected).abs() < 1e-6, "{number}: {reward}");
        }
    }

    /// A loss for the first player becomes worse when it is of high quality for the winner.
    #[test]
    fn the_qualitative_bonus_by_hand() {
        let mut rewards = rewards("qb(k=4, a=0.5)");
        for (number, quality) in (0..).zip([0.25, 0.75]) {
            assert_eq!(alter(&mut rewards, number, &won(Player::Second, 9, quality)), -1.0);
        }
        let reward = alter(&mut rewards, 2, &won(Player::Second, 9, 0.75));
        assert!((f64::from(reward) - (-1.0 - 0.5 * 2f64.tanh())).abs() < 1e-6, "{reward}");
    }

    /// Won: q = 1, 2, 3; lost: q = 2. Y^ρ = 1, 2, 3, 0: Cov = 14/4 − 6/4 · 8/4 = 0.5, Var(1, 2, 3, 2) = 0.5, a′ = 1.
    #[test]
    fn the_online_weight_by_hand() {
        let mut rewards = rewards("qb(k=2)");
        let simulations = [(Player::First, 1.0), (Player::First, 2.0), (Player::First, 3.0), (Player::Second, 2.0)];
        for (number, (winner, quality)) in (0..).zip(simulations) {
            alter(&mut rewards, number, &won(winner, 5, quality));
        }
        let reward = alter(&mut rewards, 4, &won(Player::First, 5, 3.0));
        let lambda = 1.0 / (2f64 / 3.0).sqrt();
        assert!((f64::from(reward) - (1.0 + lambda.tanh())).abs() < 1e-6, "{reward}");
    }

    /// q = ½: tanh(k/4) with k of the bonus, and with that of the game where there is no bonus.
    #[test]
    fn a_sigmoid_instead_of_the_reward_has_the_steepness_of_the_bonus() {
        for (options, k) in [("", 2.0), ("qb(a=0), ", 2.0), ("qb(k=6, a=0), ", 6.0), ("qb(k=online, a=0), ", 1.7)] {
            let mut rewards = rewards(&format!("{options}reward=sigmoid"));
            let reward = alter(&mut rewards, 0, &won(Player::Second, 9, 0.5));
            assert!((f64::from(reward) + (k / 4f64).tanh()).abs() < 1e-6, "{options}: {reward}");
        }
    }

    #[test]
    fn the_warm_up_only_collects() {
        let mut rewards = rewards("rb(k=2, a=0.25), warmup=0.5");
        rewards.begin(Start { searcher: Player::First, plies: 10, same_game: true, expected: 20, moves: 3 });
        let altered: Vec<bool> = (0..20)
            .map(|number| alter(&mut rewards, number, &won(Player::First, 5 + 7 * (number as u32 % 3), 0.0)) != 1.0)
            .collect();
        assert_eq!(altered.iter().position(|altered| *altered), Some(10));
    }

    #[test]
    fn so_many_samples_of_a_winner_come_first() {
        let mut rewards = rewards("rb(k=2, a=0.25), samples=7, warmup=0");
        for number in 0..20 {
            let winner = if number % 2 == 0 { Player::First } else { Player::Second };
            let reward = alter(&mut rewards, number, &won(winner, 5 + number as u32 * number as u32, 0.0));
            assert_eq!(reward.abs() != 1.0, number / 2 >= 7, "{number}");
        }
    }

    #[test]
    fn a_part_of_the_simulations_has_its_own_mean() {
        let mut rewards = rewards("rb(k=2, a=0.25, mean=subtree), warmup=0");
        // First moves 0 and 1 lead to lengths about 10 and about 30.
        for number in 0..200u32 {
            let subtree = (number % 2) as usize;
            let length = [9, 29][subtree] + number / 2 % 3;
            let leaf = Leaf { simulations: u64::from(number) + 1, depth: 2, subtree };
            rewards.alter(&won(Player::First, length, 0.0), leaf);
        }
        let leaf = Leaf { simulations: 201, depth: 2, subtree: 1 };
        assert!(rewards.alter(&won(Player::First, 31, 0.0), leaf) < 1.0);
        assert!(rewards.alter(&won(Player::First, 29, 0.0), leaf) > 1.0);
    }

    /// What the published engine did differently, one by one.
    #[test]
    fn quirks_of_2014() {
        let lengths = [10, 11, 10, 11, 10, 11, 40];
        let last = |options: &str, start: Start| {
            let mut rewards = rewards(options);
            rewards.begin(start);
            (0..).zip(lengths).map(|(n, d)| alter(&mut rewards, n, &won(Player::First, d, 0.0))).last()
        };
        let start = Start { searcher: Player::First, plies: 10, same_game: true, expected: 0, moves: 3 };
        assert_eq!(last("rb(k=8, a=0.25)", start), Some(0.75));
        assert_eq!(last("rb(k=8, a=0.25), quirks=saturation", start), Some(1.25));
        let mut quirky = rewards("rb, quirks=first_move");
        assert!(quirky.is_active());
        quirky.begin(Start { same_game: false, ..start });
        assert!(!quirky.is_active());
        let weight = |options: &str| {
            let mut rewards = rewards(options);
            for (n, (winner, d)) in (0..).zip([(Player::First, 10), (Player::First, 12), (Player::Second, 20)]) {
                alter(&mut rewards, n, &won(winner, d, 0.0));
            }
            rewards.weights()[0].unwrap()
        };
        // By hand: the slope of (10, 12, 0) on (10, 12, 20) is −8/7, that of (20, 22, 0) on (20, 22, 30) is −31/14.
        let near = |weight: f64, expected: f64| assert!((weight - expected).abs() < 1e-12, "{weight}");
        near(weight("rb"), 8.0 / 7.0);
        near(weight("rb, quirks=signed"), -8.0 / 7.0);
        near(weight("rb, quirks=game_plies"), 31.0 / 14.0);
    }

    proptest! {
        /// Taking the bonuses off again gives the plain rewards, so their mean is the plain mean.
        #[test]
        fn unaltered_rewards_recover_the_plain_means(
            simulations in prop::collection::vec((any::<bool>(), 1u32..60, -8i8..8), 1..200), k in 0.5f32..8.0,
        ) {
            let mut rewards = rewards(&format!("rb(k={k}, a=0.25)"));
            let mut plain = Moments::default();
            let mut recovered = Moments::default();
            let mut seen: [Moments; 2] = Default::default();
            for (number, (first, length, quality)) in (0..).zip(simulations) {
                let winner = if first { Player::First } else { Player::Second };
                let simulation = won(winner, length, f32::from(quality));
                let altered = f64::from(alter(&mut rewards, number, &simulation));
                let own = &mut seen[winner.index()];
                let lambda = bonus::shorter(f64::from(length), own).filter(|_| own.count() >= 2);
                let b = lambda.map_or(0.0, |lambda| bonus::sigmoid(f64::from(k) * lambda));
                own.add(f64::from(length));
                plain.add(f64::from(simulation.reward));
                recovered.add(altered - f64::from(simulation.reward) * 0.25 * b);
            }
            prop_assert!((plain.mean() - recovered.mean()).abs() < 1e-6);
        }

        /// The unit of quality does not matter to the whole of it, a′ included.
        #[test]
        fn quality_may_be_measured_in_any_unit(
            simulations in prop::collection::vec((any::<bool>(), 1u32..60, -8i8..8), 1..200),
        ) {
            let (mut plain, mut scaled) = (rewards("rb, qb"), rewards("rb, qb"));
            for (number, (first, length, quality)) in (0..).zip(simulations) {
                let winner = if first { Player::First } else { Player::Second };
                let one = alter(&mut plain, number, &won(winner, length, f32::from(quality)));
                let other = alter(&mut scaled, number, &won(winner, length, f32::from(quality) * 16.0));
                prop_assert_eq!(one, other);
            }
        }
    }
}
