//! Quadratic logistic regression of win rates over a space, with a weak prior.
//!
//! The logit of the score is q(x) = β·φ(x): a constant, every number's place z in [−1, 1] and its square, products of two
//! numbers, an offset for each word, and products of words and numbers. A draw is half a win.

use crate::algebra::{Factored, dot};
use crate::space::{Setting, Space};

/// What is known of a setting: points from games.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// What was played.
    pub setting: Setting,
    /// Wins and half the draws.
    pub points: f64,
    /// How many games.
    pub games: f64,
}

/// φ: the terms of the model for a space.
#[derive(Clone, Debug)]
pub struct Terms {
    space: Space,
    /// The precision of the prior of each term, whose mean is 0.
    precisions: Vec<f64>,
}

/// Prior standard deviations on the logit scale: the constant can be anything, one number over half of its range makes
/// a difference of a few logits at most, words less.
const DEVIATION_OF_CONSTANT: f64 = 10.0;
const DEVIATION_OF_NUMBER: f64 = 2.0;
const DEVIATION_OF_WORD: f64 = 1.0;
const DEVIATION_OF_PRODUCT: f64 = 1.0;

impl Terms {
    /// The terms of a space.
    pub fn new(space: &Space) -> Self {
        let numbers = space.parameters.iter().filter(|parameter| !parameter.is_words()).count();
        let words: usize = space
            .parameters
            .iter()
            .filter_map(|one| one.listed().filter(|_| one.is_words()))
            .map(|list| list.len())
            .sum();
        let parts = [
            (1, DEVIATION_OF_CONSTANT),
            (2 * numbers, DEVIATION_OF_NUMBER),
            (numbers * numbers.saturating_sub(1) / 2, DEVIATION_OF_PRODUCT),
            (words, DEVIATION_OF_WORD),
            (words * numbers, DEVIATION_OF_PRODUCT),
        ];
        let precisions = parts.iter().flat_map(|(count, deviation)| vec![1.0 / (deviation * deviation); *count]);
        Self { space: space.clone(), precisions: precisions.collect() }
    }

    /// φ(x).
    pub fn of(&self, setting: &Setting) -> Vec<f64> {
        let parameters = || self.space.parameters.iter().zip(&setting.values);
        let numbers: Vec<f64> = parameters()
            .filter(|(parameter, _)| !parameter.is_words())
            .map(|(parameter, value)| 2.0 * parameter.place(*value) - 1.0)
            .collect();
        let mut terms = Vec::with_capacity(self.precisions.len());
        terms.push(1.0);
        numbers.iter().for_each(|z| terms.extend([*z, z * z]));
        for (at, z) in numbers.iter().enumerate() {
            terms.extend(numbers[at + 1..].iter().map(|other| z * other));
        }
        let chosen: Vec<f64> = parameters()
            .filter(|(parameter, _)| parameter.is_words())
            .flat_map(|(parameter, value)| {
                let count = parameter.listed().map_or(0, |list| list.len());
                let place = *value as usize;
                (0..count).map(move |word| f64::from(u8::from(word == place)))
            })
            .collect();
        terms.extend_from_slice(&chosen);
        for one in &chosen {
            terms.extend(numbers.iter().map(|z| one * z));
        }
        terms
    }
}

/// A fitted q with its uncertainty.
#[derive(Clone, Debug)]
pub struct Fit {
    /// β, the most likely coefficients.
    coefficients: Vec<f64>,
    /// The precision of β (Laplace's approximation).
    precision: Factored,
}

impl Fit {
    /// q of φ(x).
    pub fn logit(&self, terms: &[f64]) -> f64 {
        dot(&self.coefficients, terms)
    }

    /// The standard deviation of q.
    pub fn deviation(&self, terms: &[f64]) -> f64 {
        self.precision.variance(terms).max(0.0).sqrt()
    }
}

/// A score from its logit.
pub fn score_of(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// Observations as the regression reads them.
#[derive(Clone, Debug)]
pub struct Data {
    terms: Terms,
    rows: Vec<Vec<f64>>,
    points: Vec<f64>,
    games: Vec<f64>,
}

/// More steps than Newton's method ever takes here.
const MOST_STEPS: usize = 50;
/// A step that changes no coefficient by more than this is the last one.
const SMALL_STEP: f64 = 1e-7;

impl Data {
    /// The observations of a space.
    pub fn new(space: &Space, observations: &[Observation]) -> Self {
        let terms = Terms::new(space);
        let rows = observations.iter().map(|one| terms.of(&one.setting)).collect();
        let points = observations.iter().map(|one| one.points).collect();
        Self { terms, rows, points, games: observations.iter().map(|one| one.games).collect() }
    }

    /// φ of a setting.
    pub fn terms(&self, setting: &Setting) -> Vec<f64> {
        self.terms.of(setting)
    }

    /// φ of each observation.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// Games that count with these weights.
    pub fn total(&self, weights: &[f64]) -> f64 {
        dot(&self.games, weights)
    }

    /// Points that count with these weights.
    pub fn points(&self, weights: &[f64]) -> f64 {
        dot(&self.points, weights)
    }

    /// The most likely coefficients where each observation counts with its weight: Newton's method, with steps that are
    /// halved until they lead uphill.
    pub fn fit(&self, weights: &[f64]) -> Fit {
        let size = self.terms.precisions.len();
        let mut coefficients = vec![0.0; size];
        let mut height = self.height(&coefficients, weights);
        let mut precision = self.precision(&coefficients, weights);
        for _ in 0..MOST_STEPS {
            let step = precision.solve(&self.slope(&coefficients, weights));
            let mut share = 1.0;
            let (next, next_height) = loop {
                let next: Vec<f64> = coefficients.iter().zip(&step).map(|(old, step)| old + share * step).collect();
                let next_height = self.height(&next, weights);
                if next_height >= height || share < 1e-6 {
                    break (next, next_height);
                }
                share /= 2.0;
            };
            let change = step.iter().fold(0.0f64, |most, step| most.max(step.abs())) * share;
            coefficients = next;
            height = next_height;
            precision = self.precision(&coefficients, weights);
            if change < SMALL_STEP {
                break;
            }
        }
        Fit { coefficients, precision }
    }

    /// The logarithm of likelihood and prior.
    fn height(&self, coefficients: &[f64], weights: &[f64]) -> f64 {
        let prior: f64 = coefficients.iter().zip(&self.terms.precisions).map(|(b, p)| -0.5 * p * b * b).sum();
        let of = |index: usize| {
            let logit = dot(coefficients, &self.rows[index]);
            // ln(1 + e^q) without overflow.
            let all = logit.max(0.0) + (-logit.abs()).exp().ln_1p();
            weights[index] * (self.points[index] * logit - self.games[index] * all)
        };
        prior + (0..self.rows.len()).map(of).sum::<f64>()
    }

    fn slope(&self, coefficients: &[f64], weights: &[f64]) -> Vec<f64> {
        let mut slope: Vec<f64> =
            coefficients.iter().zip(&self.terms.precisions).map(|(value, precision)| -precision * value).collect();
        for (index, row) in self.rows.iter().enumerate() {
            let excess = self.points[index] - self.games[index] * score_of(dot(coefficients, row));
            slope.iter_mut().zip(row).for_each(|(sum, term)| *sum += weights[index] * excess * term);
        }
        slope
    }

    fn precision(&self, coefficients: &[f64], weights: &[f64]) -> Factored {
        let size = self.terms.precisions.len();
        let mut matrix = vec![0.0; size * size];
        for (index, row) in self.rows.iter().enumerate() {
            let score = score_of(dot(coefficients, row));
            let weight = weights[index] * self.games[index] * score * (1.0 - score);
            for (at, term) in row.iter().enumerate().filter(|(_, term)| **term != 0.0) {
                let line = &mut matrix[at * size..at * size + at + 1];
                line.iter_mut().zip(row).for_each(|(sum, other)| *sum += weight * term * other);
            }
        }
        for (at, precision) in self.terms.precisions.iter().enumerate() {
            matrix[at * size + at] += precision;
        }
        // The prior alone is positive definite, and what is added to it is never negative; without it, all else being
        // broken, the prior is what remains.
        Factored::new(matrix, size).unwrap_or_else(|| self.prior())
    }

    fn prior(&self) -> Factored {
        let size = self.terms.precisions.len();
        let mut matrix = vec![0.0; size * size];
        self.terms.precisions.iter().enumerate().for_each(|(at, precision)| matrix[at * size + at] = *precision);
        Factored::new(matrix, size).unwrap_or_else(|| unreachable!("a diagonal of positive numbers"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Parameter, Range};

    fn space(ranges: Vec<Range>) -> Space {
        let named = |(place, range): (usize, Range)| Parameter { name: format!("x{place}"), range };
        Space::new(ranges.into_iter().enumerate().map(named).collect()).unwrap()
    }

    fn line() -> Range {
        Range::Number { from: -1.0, to: 1.0, is_logarithmic: false }
    }

    #[test]
    fn terms_by_hand() {
        let space = space(vec![line(), line(), Range::Words(vec!["a".to_string(), "b".to_string()])]);
        let terms = Terms::new(&space).of(&Setting { values: vec![0.5, -1.0, 1.0] });
        assert_eq!(terms, [1.0, 0.5, 0.25, -1.0, 1.0, -0.5, 0.0, 1.0, 0.0, 0.0, 0.5, -1.0]);
        assert_eq!(terms.len(), Terms::new(&space).precisions.len());
    }

    /// Very many games at every place: the prior does not matter, and the curve comes back.
    #[test]
    fn a_known_curve_is_found() {
        let space = space(vec![line()]);
        let truth = |x: f64| 0.4 + 0.6 * x - 1.5 * x * x;
        let at = |step: i32| {
            let x = f64::from(step) / 10.0;
            Observation { setting: Setting { values: vec![x] }, points: 1e6 * score_of(truth(x)), games: 1e6 }
        };
        let observations: Vec<Observation> = (-10..=10).map(at).collect();
        let data = Data::new(&space, &observations);
        let fit = data.fit(&vec![1.0; observations.len()]);
        for (found, expected) in fit.coefficients.iter().zip([0.4, 0.6, -1.5]) {
            assert!((found - expected).abs() < 1e-4, "{:?}", fit.coefficients);
        }
        assert!(fit.deviation(&data.terms(&Setting { values: vec![0.0] })) < 0.01);
    }

    /// A constant alone: the deviation of the logit of a share p of n is 1 / √(n p (1 − p)), the prior adds 1/100.
    #[test]
    fn the_deviation_is_that_of_a_share() {
        let space = space(vec![line()]);
        let one = Observation { setting: Setting { values: vec![0.0] }, points: 25.0, games: 100.0 };
        let data = Data::new(&space, &[one]);
        let fit = data.fit(&[1.0]);
        let terms = data.terms(&Setting { values: vec![0.0] });
        let score = score_of(fit.logit(&terms));
        assert!((score - 0.25).abs() < 0.001, "{score}");
        let expected = 1.0 / (100.0 * score * (1.0 - score) + 0.01f64).sqrt();
        assert!((fit.deviation(&terms) - expected).abs() < 1e-6);
    }

    #[test]
    fn nothing_but_wins_and_nothing_at_all_are_no_trouble() {
        let space = space(vec![line(), line()]);
        let data = Data::new(&space, &[]);
        assert_eq!(data.fit(&[]).logit(&data.terms(&Setting { values: vec![0.3, 0.3] })), 0.0);
        let wins: Vec<Observation> = (0..50)
            .map(|step| Observation {
                setting: Setting { values: vec![f64::from(step) / 50.0, 0.0] },
                points: 2.0,
                games: 2.0,
            })
            .collect();
        let data = Data::new(&space, &wins);
        let logit = data.fit(&vec![1.0; 50]).logit(&data.terms(&wins[20].setting));
        assert!(logit.is_finite() && logit > 1.0);
    }
}
