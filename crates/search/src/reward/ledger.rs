//! Diagnosis of a bonus: statistics of simulations, apart from who plays them.
//!
//! A [`Ledger`] takes in the simulations of one search after the other, and tells what they say so far: whether length or
//! quality goes with winning, how λ is spread, and whether the bonuses foretell what a longer search thinks of moves.

use super::{Sample, bonus, coefficient};
use spinney_core::game::Player;
use spinney_core::{Covariance, Moments};

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

/// What is noted about one bonus.
#[derive(Clone, Debug)]
pub struct Ledger {
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
#[derive(Clone, Copy, Debug)]
struct MoveMeans {
    outcome: f64,
    bonus: f64,
    verdict: f64,
}

/// Fewer simulations of either outcome say nothing about a position, and fewer of a move nothing about the move.
pub const FEWEST: u64 = 20;

/// So many λ are kept at most,
pub const MOST_LAMBDAS: usize = 1 << 21;
/// and so many tell k well enough for a quick look.
pub const QUICK_LAMBDAS: usize = 1 << 13;

impl Ledger {
    /// An empty ledger of the bonus with this k.
    pub fn new(k: f64) -> Self {
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
    pub fn enter(&mut self, index: usize, samples: &[Sample], player: Player, first: bool) {
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
    pub fn enter_moves(&mut self, index: usize, samples: &[Sample], player: Player, verdicts: &[Option<f64>]) {
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

    /// What is known so far; at most so many λ are looked at for the k that spreads them.
    pub fn close(&self, of: &'static str, lambdas: usize) -> BonusDiagnosis {
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
