//! What is learned, and what to try next: CLOP, confident local optimisation (Coulom, *CLOP: Confident Local Optimization
//! for Noisy Black-Box Parameter Tuning*, Advances in Computer Games 13, 2011).
//!
//! A quadratic logistic regression over all games is wrong far from the optimum and need not be right there. So games of
//! settings whose estimated value lies confidently below the mean of all lose weight, and the regression is made again
//! with the weights, until they stay. New settings are drawn with a density proportional to the weight: games are played
//! where the best may be, ever closer to it, and still so wide that the curvature is seen.
//!
//! Pure and without games: observations in, settings out; the same for the same observations and seed.

use crate::regression::{Data, Fit, Observation, score_of};
use crate::space::{Range, Setting, Space, unit};
use spinney_core::{Random, Seed};
use spinney_stats::{Interval, Z95};

/// H of the paper's Algorithm 1: how many standard deviations below the mean a setting's weight falls to 1/e.
const CONFIDENCE: f64 = 3.0;
/// Weights are settled when a round takes away less than this share of them, as in the paper.
const SETTLED: f64 = 0.01;
/// More rounds than are ever needed.
const MOST_ROUNDS: usize = 40;
/// Rounds over all parameters that a new setting walks from a known one.
const WALKS: usize = 3;
/// Places of a range that are looked at in each step of a walk.
const PLACES: usize = 16;
/// Combinations of words that are compared one by one.
const MOST_COMBINATIONS: usize = 4096;

/// One round of the weights: w ← min(w, e^((q(x) − m) / (H s))).
#[derive(Clone, Debug)]
struct Round {
    fit: Fit,
    mean: f64,
    scale: f64,
}

impl Round {
    fn weight(&self, terms: &[f64]) -> f64 {
        ((self.fit.logit(terms) - self.mean) / self.scale).min(0.0).exp()
    }
}

/// What all games say of a space.
///
/// ```
/// use spinney_core::Seed;
/// use spinney_tune::model::Model;
/// use spinney_tune::regression::Observation;
/// use spinney_tune::space::{Parameter, Range, Setting, Space};
///
/// let c = Range::Number { from: 0.0, to: 2.0, is_logarithmic: false };
/// let space = Space::new(vec![Parameter { name: "c".into(), range: c }])?;
/// let game = |c: f64, points| Observation { setting: Setting { values: vec![c] }, points, games: 20.0 };
/// let model = Model::new(&space, &[game(0.1, 4.0), game(1.0, 14.0), game(1.9, 5.0)]);
/// let best = model.best().values[0];
/// assert!((0.7..1.3).contains(&best));
/// assert_eq!(model.propose(Seed::new(1)), model.propose(Seed::new(1)));
/// # Ok::<(), spinney_core::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    space: Space,
    data: Data,
    settings: Vec<Setting>,
    weights: Vec<f64>,
    rounds: Vec<Round>,
    last: Fit,
}

/// What the model says of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The score against the baseline, 0 to 1.
    pub score: f64,
    /// Its 95 % interval, if the model is right.
    pub interval: Interval,
}

impl Model {
    /// Learns from all games.
    pub fn new(space: &Space, observations: &[Observation]) -> Self {
        let data = Data::new(space, observations);
        let mut weights = vec![1.0; observations.len()];
        let mut rounds = Vec::new();
        let mut last = data.fit(&weights);
        for _ in 0..MOST_ROUNDS {
            let total = data.total(&weights);
            // A share of nothing or of wins alone has no logit: one game is added to each side.
            let score = (data.points(&weights) + 1.0) / (total + 2.0);
            let deviation = 1.0 / ((total + 2.0) * score * (1.0 - score)).sqrt();
            let mean = (score / (1.0 - score)).ln();
            let round = Round { fit: last.clone(), mean, scale: CONFIDENCE * deviation };
            weights.iter_mut().zip(data.rows()).for_each(|(weight, row)| *weight = weight.min(round.weight(row)));
            rounds.push(round);
            last = data.fit(&weights);
            if data.total(&weights) >= (1.0 - SETTLED) * total {
                break;
            }
        }
        let settings = observations.iter().map(|one| one.setting.clone()).collect();
        Self { space: space.clone(), data, settings, weights, rounds, last }
    }

    /// How much a game of this setting counts, 0 to 1.
    pub fn weight(&self, setting: &Setting) -> f64 {
        self.weight_of(&self.data.terms(setting))
    }

    fn weight_of(&self, terms: &[f64]) -> f64 {
        self.rounds.iter().map(|round| round.weight(terms)).fold(1.0, f64::min)
    }

    /// Games that still count.
    pub fn effective_games(&self) -> f64 {
        self.data.total(&self.weights)
    }

    /// What the model says of a setting.
    pub fn predict(&self, setting: &Setting) -> Prediction {
        let terms = self.data.terms(setting);
        let (logit, margin) = (self.last.logit(&terms), Z95 * self.last.deviation(&terms));
        let interval = Interval { low: score_of(logit - margin), high: score_of(logit + margin) };
        Prediction { score: score_of(logit), interval }
    }

    /// A setting to try next, drawn with a density proportional to the weight: a walk from a known setting, one parameter
    /// after the other (Gibbs sampling, as the paper does).
    pub fn propose(&self, seed: Seed) -> Setting {
        let mut random = Random::new(seed);
        let Some(start) = pick(&self.weights, &mut random) else { return self.space.draw(&mut random) };
        let mut setting = self.settings[start].clone();
        for _ in 0..WALKS {
            for (at, parameter) in self.space.parameters.iter().enumerate() {
                let values: Vec<f64> = match parameter.listed() {
                    Some(values) => values,
                    // One place in each part of the range, so that no part is missed.
                    None => (0..PLACES)
                        .map(|part| parameter.value((part as f64 + unit(&mut random)) / PLACES as f64))
                        .collect(),
                };
                let with = |value: &f64| {
                    let mut changed = setting.clone();
                    changed.values[at] = *value;
                    self.weight(&changed)
                };
                let weights: Vec<f64> = values.iter().map(with).collect();
                if let Some(chosen) = pick(&weights, &mut random) {
                    setting.values[at] = values[chosen];
                }
            }
        }
        setting
    }

    /// The best setting. Numbers are the weighted mean of the games that count, which the paper finds better than the top
    /// of the parabola; words are those of the greatest estimated score there.
    pub fn best(&self) -> Setting {
        let parameters = &self.space.parameters;
        let mut best = self.space.at(&vec![0.5; parameters.len()]);
        let choices: Vec<(usize, Vec<f64>)> = parameters
            .iter()
            .enumerate()
            .filter(|(_, parameter)| parameter.is_words())
            .filter_map(|(at, parameter)| Some((at, parameter.listed()?)))
            .collect();
        let combinations = choices.iter().map(|(_, values)| values.len()).product::<usize>().min(MOST_COMBINATIONS);
        let mut found: Option<(f64, Setting)> = None;
        for combination in 0..combinations {
            let mut rest = combination;
            for (at, values) in &choices {
                best.values[*at] = values[rest % values.len()];
                rest /= values.len();
            }
            let setting = self.centred(&best);
            let logit = self.last.logit(&self.data.terms(&setting));
            if found.as_ref().is_none_or(|(most, _)| logit > *most) {
                found = Some((logit, setting));
            }
        }
        found.map_or(best, |(_, setting)| setting)
    }

    /// The weighted mean of the numbers among settings with these words; of all settings where none has them.
    fn centred(&self, words: &Setting) -> Setting {
        let parameters = &self.space.parameters;
        let has_words = |setting: &Setting| {
            parameters.iter().enumerate().all(|(at, one)| !one.is_words() || setting.values[at] == words.values[at])
        };
        let mean = |is_counted: &dyn Fn(&Setting) -> bool| {
            let mut sums = vec![0.0; parameters.len()];
            let mut total = 0.0;
            let counted = self.settings.iter().zip(&self.weights).filter(|(setting, _)| is_counted(setting));
            for (setting, weight) in counted {
                total += weight;
                sums.iter_mut().zip(self.space.places(setting)).for_each(|(sum, place)| *sum += weight * place);
            }
            (total > 1e-9).then(|| sums.iter().map(|sum| sum / total).collect::<Vec<f64>>())
        };
        let Some(places) = mean(&has_words).or_else(|| mean(&|_| true)) else { return words.clone() };
        let mut setting = self.space.at(&places);
        for (at, parameter) in parameters.iter().enumerate() {
            match &parameter.range {
                Range::Words(_) => setting.values[at] = words.values[at],
                // The place of a mean is not the part of the range that a number is drawn from.
                Range::Whole { from, to, is_logarithmic: false } => {
                    setting.values[at] = (*from as f64 + places[at] * (to - from) as f64).round();
                }
                _ => {}
            }
        }
        setting
    }
}

/// A place drawn in proportion to the weights; none where all are nothing.
fn pick(weights: &[f64], random: &mut Random) -> Option<usize> {
    let total: f64 = weights.iter().sum();
    if total.is_nan() || total <= 0.0 {
        return None;
    }
    let mut left = unit(random) * total;
    for (place, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return Some(place);
        }
    }
    weights.iter().rposition(|weight| *weight > 0.0)
}
