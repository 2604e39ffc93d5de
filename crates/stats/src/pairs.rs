//! What a match leaves behind: results of games, and of pairs of games with seats swapped.

/// How a game ended for A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// A lost.
    Loss,
    /// Nobody won.
    Draw,
    /// A won.
    Win,
}

impl GameResult {
    /// Half points: 0, 1, 2.
    fn half_points(self) -> usize {
        self as usize
    }

    /// Points: 0, ½, 1.
    pub fn score(self) -> f64 {
        self.half_points() as f64 / 2.0
    }
}

/// Games counted by their result.
///
/// ```
/// let games = spinney_stats::Trinomial { losses: 1, draws: 2, wins: 5 };
/// assert_eq!((games.games(), games.score()), (8, Some(0.75)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trinomial {
    /// Games A lost.
    pub losses: u64,
    /// Games nobody won.
    pub draws: u64,
    /// Games A won.
    pub wins: u64,
}

impl Trinomial {
    /// The scores of a game, worst first.
    pub(crate) const SCORES: [f64; 3] = [0.0, 0.5, 1.0];

    /// Counts a game.
    pub fn add(&mut self, result: GameResult) {
        match result {
            GameResult::Loss => self.losses += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Win => self.wins += 1,
        }
    }

    /// Takes in the games of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.losses = self.losses.saturating_add(other.losses);
        self.draws = self.draws.saturating_add(other.draws);
        self.wins = self.wins.saturating_add(other.wins);
    }

    /// Losses, draws, wins.
    pub(crate) fn counts(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    /// How many games there were.
    pub fn games(&self) -> u64 {
        total(&self.counts())
    }

    /// Points of A: a win counts 1, a draw ½.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Mean score of a game in [0, 1].
    pub fn score(&self) -> Option<f64> {
        mean(&self.counts(), &Self::SCORES)
    }

    /// Population variance of the score of a game.
    pub fn variance(&self) -> Option<f64> {
        variance(&self.counts(), &Self::SCORES)
    }
}

impl FromIterator<GameResult> for Trinomial {
    fn from_iter<T: IntoIterator<Item = GameResult>>(results: T) -> Self {
        let mut games = Self::default();
        results.into_iter().for_each(|result| games.add(result));
        games
    }
}

/// Pairs of games counted by the points of A in both: 0, ½, 1, 1½, 2.
///
/// The games of a pair share their seed and swap seats, so the pair is the independent observation. Its score is the
/// mean of its games: 0, ¼, ½, ¾ or 1.
///
/// ```
/// use spinney_stats::Pentanomial;
/// let pairs = Pentanomial::from_scores(&[1.0, 0.5, 0.75, 0.5]).unwrap();
/// assert_eq!(pairs.counts, [0, 0, 2, 1, 1]);
/// assert_eq!(pairs.score(), Some(0.6875));
/// assert_eq!(Pentanomial::from_scores(&[0.3]), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial {
    /// Pairs with 0, ½, 1, 1½ and 2 points.
    pub counts: [u64; 5],
}

impl Pentanomial {
    /// The scores of a pair, worst first.
    pub(crate) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// From the mean scores of pairs; `None` if one of them is no multiple of ¼ between 0 and 1.
    ///
    /// A single game without its partner counts as a pair of two games that ended alike.
    pub fn from_scores(scores: &[f64]) -> Option<Self> {
        let mut pairs = Self::default();
        for &score in scores {
            let place = Self::SCORES.iter().position(|&known| known == score)?;
            pairs.counts[place] += 1;
        }
        Some(pairs)
    }

    /// Counts a pair.
    pub fn add(&mut self, first: GameResult, second: GameResult) {
        self.counts[first.half_points() + second.half_points()] += 1;
    }

    /// Takes in the pairs of `other`.
    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count = count.saturating_add(more);
        }
    }

    /// How many pairs there were.
    pub fn pairs(&self) -> u64 {
        total(&self.counts)
    }

    /// How many games there were.
    pub fn games(&self) -> u64 {
        self.pairs().saturating_mul(2)
    }

    /// Mean score in [0, 1].
    pub fn score(&self) -> Option<f64> {
        mean(&self.counts, &Self::SCORES)
    }

    /// Population variance of the score of a pair.
    pub fn variance(&self) -> Option<f64> {
        variance(&self.counts, &Self::SCORES)
    }

    /// Sample variance of the score of a pair, over n − 1; `None` below two pairs.
    pub fn sample_variance(&self) -> Option<f64> {
        let pairs = self.pairs() as f64;
        if pairs < 2.0 { None } else { self.variance().map(|variance| variance * (pairs / (pairs - 1.0))) }
    }

    /// Standard error of the score: √(variance / pairs), with the population variance as in fishtest and fastchess.
    pub fn standard_error(&self) -> Option<f64> {
        self.variance().map(|variance| (variance / self.pairs() as f64).sqrt())
    }

    /// Mean and standard error with one imagined pair more, won and lost in equal parts.
    ///
    /// The idea is Agresti and Coull's (1998): a finite sample of equal pairs does not prove that all pairs are equal.
    pub(crate) fn smoothed(&self) -> Option<(f64, f64)> {
        Some(smooth(self.score()?, self.variance()?, self.pairs() as f64))
    }
}

/// Mean and standard error of `count` pairs and an imagined one, half won and half lost.
pub(crate) fn smooth(mean: f64, variance: f64, count: f64) -> (f64, f64) {
    let smoothed = (mean * count + 0.5) / (count + 1.0);
    // One imagined win and one imagined loss, each with half the weight of a pair.
    let imagined = 0.5 * ((1.0 - smoothed).powi(2) + smoothed.powi(2));
    let spread = variance + (mean - smoothed).powi(2);
    let variance = (spread * count + imagined) / count;
    (smoothed, (variance / (count + 1.0)).sqrt())
}

fn total(counts: &[u64]) -> u64 {
    counts.iter().fold(0, |sum: u64, &count| sum.saturating_add(count))
}

/// Shares of the counts; `None` if all are 0.
fn shares<const N: usize>(counts: &[u64; N]) -> Option<[f64; N]> {
    let sum: f64 = counts.iter().map(|&count| count as f64).sum();
    (sum > 0.0).then(|| counts.map(|count| count as f64 / sum))
}

fn mean<const N: usize>(counts: &[u64; N], scores: &[f64; N]) -> Option<f64> {
    let sum: f64 = counts.iter().map(|&count| count as f64).sum();
    let points: f64 = counts.iter().zip(scores).map(|(&count, score)| count as f64 * score).sum();
    (sum > 0.0).then(|| (points / sum).min(1.0))
}

fn variance<const N: usize>(counts: &[u64; N], scores: &[f64; N]) -> Option<f64> {
    let mean = mean(counts, scores)?;
    let shares = shares(counts)?;
    Some(shares.iter().zip(scores).map(|(share, score)| share * (score - mean).powi(2)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn moments_of_the_fastchess_example() {
        // fastchess, elo_test.cpp, "EloPentanomial 1"; NumPy 2.4.6: mean, var.
        let pairs = Pentanomial { counts: [34, 54, 63, 64, 75] };
        assert_eq!((pairs.pairs(), pairs.games()), (290, 580));
        assert!((pairs.score().unwrap() - 0.579_310_344_827_586_2).abs() < 1e-15);
        assert!((pairs.variance().unwrap() - 0.113_106_420_927_467_31).abs() < 1e-15);
    }

    #[test]
    fn games_become_pairs() {
        use GameResult::{Draw, Loss, Win};
        let mut pairs = Pentanomial::default();
        for (first, second) in [(Win, Win), (Win, Loss), (Draw, Draw), (Loss, Draw), (Loss, Loss), (Draw, Win)] {
            pairs.add(first, second);
        }
        assert_eq!(pairs.counts, [1, 1, 2, 1, 1]);
        let games: Trinomial = [Win, Draw, Loss, Win].into_iter().collect();
        assert_eq!(games, Trinomial { losses: 1, draws: 1, wins: 2 });
        assert_eq!(games.points(), 2.5);
        assert_eq!(Draw.score(), 0.5);
    }

    #[test]
    fn nothing_has_no_score() {
        assert_eq!(Pentanomial::default().score(), None);
        assert_eq!(Pentanomial::default().standard_error(), None);
        assert_eq!(Trinomial::default().variance(), None);
        assert_eq!(Pentanomial { counts: [0, 0, 1, 0, 0] }.sample_variance(), None);
    }

    proptest! {
        #[test]
        fn any_counts_have_a_score(counts: [u64; 5], more: [u64; 5]) {
            let mut pairs = Pentanomial { counts };
            pairs.merge(&Pentanomial { counts: more });
            if let (Some(score), Some(variance)) = (pairs.score(), pairs.variance()) {
                prop_assert!((0.0..=1.0).contains(&score) && (0.0..=0.25 + 1e-12).contains(&variance));
            } else {
                prop_assert_eq!(pairs.pairs(), 0);
            }
        }

        #[test]
        fn merging_is_adding_up(counts: [u16; 5], more: [u16; 5]) {
            let mut pairs = Pentanomial { counts: counts.map(u64::from) };
            let other = Pentanomial { counts: more.map(u64::from) };
            let sum = pairs.pairs() + other.pairs();
            pairs.merge(&other);
            prop_assert_eq!(pairs.pairs(), sum);
        }
    }
}
