//! When a match may end before its largest number of games: rules as data, applied to pairs in their order.
//!
//! A rule is asked only after every [`BLOCK_PAIRS`] pairs, so that what it says depends on the sorted pairs alone and
//! not on who played them when. All of them hold whatever the largest number of games is and however it grows.

use crate::anytime::{Half, Side};
use crate::equivalence::room;
use crate::simulation::Simulation;
use crate::{Confidence, Decision, Interval, MOST_MORE_GAMES, Pentanomial, Reference, SequentialTest, Verdict};

/// Pairs between two looks, unless one says otherwise.
pub const BLOCK_PAIRS: u64 = 20;

/// What ends a match.
///
/// | rule | ends when | stated errors |
/// |---|---|---|
/// | [`Test`](Self::Test) | one of two hypotheses is accepted | alpha and beta of the test |
/// | [`Precision`](Self::Precision) | the paired 95 % interval is narrow enough | the interval covers 95 % at the end |
/// | [`Published`](Self::Published) | the [`sequential_verdict`] is there | 5 % each |
/// | [`Anytime`](Self::Anytime) | the [`ConfidenceSequence`](crate::ConfidenceSequence) excludes ½ | 5 % |
///
/// In 10,000 simulated matches each, which are the tests of this module, the first, third and fourth err in 1 to 3 %:
/// looking only at the end of a block makes them careful. A precise interval covers 94.7 to 96 % at a half width of 2
/// points and at least 94.2 % at one of 10 points, with 20 pairs between looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StoppingRule {
    /// A sequential probability ratio test.
    Test(SequentialTest),
    /// Half the width of the paired 95 % interval, as a share of 1 (Chow and Robbins, 1965).
    Precision {
        /// At most so wide.
        half_width: f64,
    },
    /// Whether the score agrees with a published one.
    Published {
        /// The published score.
        reference: Reference,
        /// A smaller difference does not matter, as a share of 1.
        margin: f64,
    },
    /// Whether the score is ½.
    Anytime,
}

/// Why a rule ended a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// The test accepts the null hypothesis.
    Null,
    /// The test accepts the alternative.
    Alternative,
    /// The interval is narrow enough.
    Precise,
    /// The score agrees with the published one.
    Agrees,
    /// The score differs from the published one.
    Differs,
    /// The score is above ½.
    Above,
    /// The score is below ½.
    Below,
}

/// A rule that follows a match.
///
/// ```
/// use spinney_stats::{Conclusion, Monitor, SequentialTest, StoppingRule};
/// let test = SequentialTest::from_scores(0.5, 0.6, 0.05, 0.05).unwrap();
/// let mut monitor = Monitor::new(StoppingRule::Test(test), 20);
/// let scores = [1.0, 0.5, 1.0, 0.5, 0.5].repeat(40);
/// let ended = scores.iter().find_map(|score| monitor.add(*score));
/// assert_eq!((ended, monitor.pairs().pairs()), (Some(Conclusion::Alternative), 20));
/// ```
#[derive(Clone, Debug)]
pub struct Monitor {
    rule: StoppingRule,
    block: u64,
    pairs: Pentanomial,
    /// Only where the rule needs it.
    half: Option<Half>,
    conclusion: Option<Conclusion>,
}

impl Monitor {
    /// Before the first pair; `block` pairs are between two looks.
    pub fn new(rule: StoppingRule, block: u64) -> Self {
        let half = (rule == StoppingRule::Anytime).then(|| Half::new(Confidence::NINETY_FIVE));
        Self { rule, block: block.max(1), pairs: Pentanomial::default(), half, conclusion: None }
    }

    /// Adds the score of the next pair (0, ¼, ½, ¾ or 1) and says whether the match ends here. Pairs after the end are
    /// not taken in.
    pub fn add(&mut self, score: f64) -> Option<Conclusion> {
        if self.conclusion.is_none() {
            let place = (4.0 * score.clamp(0.0, 1.0)).round() as usize;
            self.pairs.counts[place] += 1;
            self.half.iter_mut().for_each(|half| half.add(Pentanomial::SCORES[place]));
            if self.pairs.pairs().is_multiple_of(self.block) {
                self.conclusion = self.look();
            }
        }
        self.conclusion
    }

    /// Looks once more at the end of a match whose last block is not full.
    pub fn finish(&mut self) -> Option<Conclusion> {
        if self.conclusion.is_none() {
            self.conclusion = self.look();
        }
        self.conclusion
    }

    /// Why it ended; `None` while it goes on.
    pub fn conclusion(&self) -> Option<Conclusion> {
        self.conclusion
    }

    /// The pairs up to now, or up to the end.
    pub fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// The log-likelihood ratio of a test and its bounds.
    pub fn ratio(&self) -> Option<(f64, Interval)> {
        match &self.rule {
            StoppingRule::Test(test) => Some((test.log_likelihood_ratio(&self.pairs), test.bounds())),
            _ => None,
        }
    }

    fn look(&self) -> Option<Conclusion> {
        match &self.rule {
            StoppingRule::Test(test) => match test.decide(&self.pairs) {
                Decision::Continue => None,
                Decision::AcceptNull => Some(Conclusion::Null),
                Decision::AcceptAlternative => Some(Conclusion::Alternative),
            },
            StoppingRule::Precision { half_width } => {
                let (_, error) = self.pairs.smoothed()?;
                (Confidence::NINETY_FIVE.quantile() * error <= *half_width).then_some(Conclusion::Precise)
            }
            StoppingRule::Published { reference, margin } => {
                let standing = Standing::new(&self.pairs, reference, *margin)?;
                match standing.verdict_after(standing.pairs)? {
                    Verdict::Agrees => Some(Conclusion::Agrees),
                    _ => Some(Conclusion::Differs),
                }
            }
            StoppingRule::Anytime => self.half.as_ref()?.side().map(|side| match side {
                Side::Above => Conclusion::Above,
                Side::Below => Conclusion::Below,
            }),
        }
    }
}

/// Where there is no margin, differences are mixed as if it were this.
const USUAL_MARGIN: f64 = 0.03;

/// The verdict of [`compare`](crate::compare) for a match that is looked at again and again.
///
/// Intervals are confidence sequences: Robbins' (1970) normal mixture, with differences as large as the margin in mind.
/// Ours less a published score is a sample mean with a start of its own: its errors at two looks covary as those of sums
/// do, so that the published error simply counts as information. If nothing differs, `Differs` is said in at most 5 % of
/// all matches however often one looks, and `Agrees` likewise if our true score is the margin or more outside of the
/// published interval.
///
/// ```
/// use spinney_stats::{Pentanomial, Reference, Verdict, sequential_verdict};
/// let published = Reference { score: 0.75, games: 5000, half_width: Some(0.012) };
/// let ours = Pentanomial { counts: [130, 0, 740, 0, 1130] };
/// assert_eq!(sequential_verdict(&ours, &published, 0.03), Verdict::Agrees);
/// let weaker = Pentanomial { counts: [20, 0, 60, 0, 40] };
/// assert_eq!(sequential_verdict(&weaker, &published, 0.03), Verdict::Differs);
/// ```
pub fn sequential_verdict(ours: &Pentanomial, published: &Reference, margin: f64) -> Verdict {
    let Some(standing) = Standing::new(ours, published, margin) else {
        return crate::verdict(ours, published, margin);
    };
    if let Some(verdict) = standing.verdict_after(standing.pairs) {
        return verdict;
    }
    let mut wanted = standing.pairs;
    let most = standing.pairs + 0.5 * MOST_MORE_GAMES as f64;
    while wanted < most && standing.verdict_after(wanted).is_none() {
        wanted = 1.05 * wanted + 1.0;
    }
    let more_games = 2 * (wanted.min(most) - standing.pairs).ceil() as u64;
    Verdict::Undecided { more_games: more_games.clamp(2, MOST_MORE_GAMES) }
}

/// The 95 % interval of a score as [`sequential_verdict`] sees it, however often one looks. If a published score without an
/// error lies outside of it, the verdict is `Differs`. `None` without pairs.
///
/// ```
/// use spinney_stats::{Pentanomial, Reference, Verdict, sequential_interval, sequential_verdict};
/// let ours = Pentanomial { counts: [20, 0, 60, 0, 40] };
/// let interval = sequential_interval(&ours, 0.02).unwrap();
/// let beside = |score| sequential_verdict(&ours, &Reference { score, games: 0, half_width: Some(1e-9) }, 0.02);
/// assert_eq!(beside(interval.high + 1e-6), Verdict::Differs);
/// assert!(matches!(beside(interval.high - 1e-6), Verdict::Undecided { .. }));
/// ```
pub fn sequential_interval(ours: &Pentanomial, margin: f64) -> Option<Interval> {
    let (_, error) = ours.smoothed()?;
    let (score, width) = (ours.score()?, mixture_margin(error, margin, Confidence::NINETY_FIVE.error()));
    Some(Interval { low: (score - width).max(0.0), high: (score + width).min(1.0) })
}

/// Where a match stands beside a published score.
struct Standing {
    pairs: f64,
    /// Without its sign.
    difference: f64,
    our_error: f64,
    published_error: f64,
    margin: f64,
}

impl Standing {
    fn new(ours: &Pentanomial, published: &Reference, margin: f64) -> Option<Self> {
        let (_, our_error) = ours.smoothed()?;
        let difference = (ours.score()? - published.score).abs();
        let published_error = published.standard_error()?;
        Some(Self { pairs: ours.pairs() as f64, difference, our_error, published_error, margin })
    }

    /// What so many pairs say if the difference stays as it is.
    fn verdict_after(&self, pairs: f64) -> Option<Verdict> {
        let our_error = self.our_error * (self.pairs / pairs).sqrt();
        let width = |error: f64, confidence: Confidence| mixture_margin(error, self.margin, confidence.error());
        if self.difference + width(our_error, Confidence::NINETY) < room(self.margin, self.published_error) {
            Some(Verdict::Agrees)
        } else {
            let error = our_error.hypot(self.published_error);
            (self.difference > width(error, Confidence::NINETY_FIVE)).then_some(Verdict::Differs)
        }
    }
}

/// Half the width of a normal mixture confidence sequence (Robbins, 1970) at a standard error.
///
/// With the variance of the mixed differences d² and r = d²/error² it is error·√((1 + 1/r)·ln((1 + r)/α²)).
fn mixture_margin(error: f64, margin: f64, alpha: f64) -> f64 {
    let scale = if margin > 0.0 { margin } else { USUAL_MARGIN };
    let ratio = (scale / error).powi(2);
    error * ((1.0 + 1.0 / ratio) * ((1.0 + ratio) / (alpha * alpha)).ln()).sqrt()
}

/// Simulated matches behind an expected number of pairs.
const SIMULATED: u64 = 60;

/// Pairs that a rule takes on average, at most `most`, if A's true score is `score`: of simulated matches in which
/// games are independent and none is drawn. Always the same for the same arguments.
pub fn expected_pairs(rule: StoppingRule, block: u64, most: u64, score: f64) -> f64 {
    let win = score.clamp(0.0, 1.0);
    let shares = [(1.0 - win).powi(2), 0.0, 2.0 * win * (1.0 - win), 0.0, win * win];
    let mut simulation = Simulation::new(1);
    let pairs = (0..SIMULATED).map(|_| {
        let mut monitor = Monitor::new(rule, block);
        while monitor.pairs().pairs() < most && monitor.add(Pentanomial::SCORES[simulation.draw(&shares)]).is_none() {}
        monitor.pairs().pairs()
    });
    pairs.sum::<u64>() as f64 / SIMULATED as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pentanomial_interval;

    const MATCHES: u64 = 10_000;
    /// 5 % of the matches and three standard errors.
    const FIVE_PERCENT: u64 = 565;
    /// The largest number of pairs: 400 games.
    const MOST: u64 = 200;

    /// Pairs of independent games, won and drawn with these probabilities.
    fn independent(win: f64, draw: f64) -> [f64; 5] {
        let loss = 1.0 - win - draw;
        [loss * loss, 2.0 * loss * draw, draw * draw + 2.0 * win * loss, 2.0 * win * draw, win * win]
    }

    /// The first player usually wins, so most pairs are shared.
    const SEATS: [f64; 5] = [0.04, 0.0, 0.92, 0.0, 0.04];

    struct Found {
        conclusions: Vec<(Conclusion, u64)>,
        games: f64,
    }

    impl Found {
        fn times(&self, wanted: Conclusion) -> u64 {
            self.conclusions.iter().filter(|(conclusion, _)| *conclusion == wanted).map(|(_, times)| times).sum()
        }
    }

    fn simulate(most: u64, shares: &[f64; 5], mut rule: impl FnMut(u64) -> StoppingRule) -> Found {
        let mut simulation = Simulation::new(11);
        let mut found = Found { conclusions: Vec::new(), games: 0.0 };
        for number in 0..MATCHES {
            let mut monitor = Monitor::new(rule(number), BLOCK_PAIRS);
            while monitor.pairs().pairs() < most && monitor.conclusion().is_none() {
                monitor.add(Pentanomial::SCORES[simulation.draw(shares)]);
            }
            found.games += 2.0 * monitor.pairs().pairs() as f64 / MATCHES as f64;
            if let Some(conclusion) = monitor.conclusion() {
                match found.conclusions.iter_mut().find(|(known, _)| *known == conclusion) {
                    Some((_, times)) => *times += 1,
                    None => found.conclusions.push((conclusion, 1)),
                }
            }
        }
        found
    }

    #[test]
    fn tests_err_as_rarely_as_stated_and_save_games() {
        let scores = StoppingRule::Test(SequentialTest::from_scores(0.5, 0.6, 0.05, 0.05).unwrap());
        let normalised = StoppingRule::Test(SequentialTest::from_normalised_elo(0.0, 70.0, 0.05, 0.05).unwrap());
        for rule in [scores, normalised] {
            for (null, alternative) in
                [(independent(0.5, 0.0), independent(0.6, 0.0)), (independent(0.35, 0.3), independent(0.45, 0.3))]
            {
                let equal = simulate(2_000, &null, |_| rule);
                assert!(equal.times(Conclusion::Alternative) <= FIVE_PERCENT, "{:?}", equal.conclusions);
                let better = simulate(2_000, &alternative, |_| rule);
                assert!(better.times(Conclusion::Null) <= FIVE_PERCENT, "{:?}", better.conclusions);
                assert!(better.games <= 0.6 * 400.0, "{}", better.games);
            }
            // Seats that decide most games leave less to see.
            let equal = simulate(2_000, &SEATS, |_| rule);
            assert!(equal.times(Conclusion::Alternative) <= FIVE_PERCENT, "{:?}", equal.conclusions);
        }
    }

    #[test]
    fn anytime_errs_as_rarely_as_stated_and_saves_games() {
        for shares in [independent(0.5, 0.0), independent(0.3, 0.4), SEATS] {
            let equal = simulate(MOST, &shares, |_| StoppingRule::Anytime);
            assert!(equal.times(Conclusion::Above) + equal.times(Conclusion::Below) <= FIVE_PERCENT);
        }
        let better = simulate(MOST, &independent(0.6, 0.0), |_| StoppingRule::Anytime);
        assert!(better.games <= 0.6 * 400.0, "{}", better.games);
    }

    /// The published score is as uncertain as it says, and drawn anew for every match.
    #[test]
    fn verdicts_err_as_rarely_as_stated() {
        let half_width = 0.014;
        let mut simulation = Simulation::new(12);
        // A sum of twelve uniform numbers is as good as normal here.
        let mut normal = move || (0..12).map(|_| simulation.uniform()).sum::<f64>() - 6.0;
        let mut rule = |truth: f64, margin: f64| {
            let score = truth + half_width / crate::Z95 * normal();
            let reference = Reference { score, games: 5_000, half_width: Some(half_width) };
            StoppingRule::Published { reference, margin }
        };
        for (truth, margin) in [(0.5, 0.03), (0.75, 0.05)] {
            let shares = independent(truth, 0.0);
            let same = simulate(800, &shares, |_| rule(truth, margin));
            assert!(same.times(Conclusion::Differs) <= FIVE_PERCENT, "{:?}", same.conclusions);
            let most_agree = if margin < 0.05 { 5_000 } else { 9_000 };
            assert!(same.times(Conclusion::Agrees) > most_agree, "{:?}", same.conclusions);
            // What was printed is taken as it was: as far outside of its interval as the margin.
            let score = truth + margin + half_width;
            let reference = Reference { score, games: 5_000, half_width: Some(half_width) };
            let off = simulate(800, &shares, |_| StoppingRule::Published { reference, margin });
            assert!(off.times(Conclusion::Agrees) <= FIVE_PERCENT, "{:?}", off.conclusions);
        }
        // The published tables: 2 points and at most 5,000 games.
        let same = simulate(2_500, &independent(0.6, 0.0), |_| rule(0.6, 0.02));
        assert!(same.times(Conclusion::Agrees) > 7_000, "{:?}", same.conclusions);
        let far = simulate(1_000, &independent(0.6, 0.0), |_| rule(0.5, 0.03));
        assert!(far.times(Conclusion::Differs) > 9_900 && far.games < 600.0, "{:?} {}", far.conclusions, far.games);
    }

    #[test]
    fn precise_intervals_cover() {
        let kinds = [independent(0.5, 0.0), independent(0.7, 0.0), independent(0.3, 0.4), independent(0.9, 0.0), SEATS];
        for (half_width, least) in [(0.02, 9_470), (0.05, 9_450), (0.1, 9_420)] {
            for shares in kinds {
                let truth: f64 = shares.iter().zip(Pentanomial::SCORES).map(|(share, score)| share * score).sum();
                let mut simulation = Simulation::new(13);
                let covered = (0..MATCHES).filter(|_| {
                    let mut monitor = Monitor::new(StoppingRule::Precision { half_width }, BLOCK_PAIRS);
                    while monitor.add(Pentanomial::SCORES[simulation.draw(&shares)]).is_none() {}
                    pentanomial_interval(monitor.pairs(), Confidence::NINETY_FIVE).unwrap().contains(truth)
                });
                let covered = covered.count();
                assert!(covered >= least, "{half_width} {shares:?}: {covered}");
            }
        }
    }

    #[test]
    fn what_is_expected() {
        let rule = StoppingRule::Precision { half_width: 0.05 };
        // (1.96 · 0.3536/0.05)² = 192 pairs, looked at after 200.
        assert!((expected_pairs(rule, BLOCK_PAIRS, 1_000, 0.5) - 200.0).abs() < 5.0);
        assert_eq!(expected_pairs(rule, BLOCK_PAIRS, 100, 0.5), 100.0);
        assert!(expected_pairs(StoppingRule::Anytime, BLOCK_PAIRS, 1_000, 0.9) < 50.0);
    }

    #[test]
    fn nothing_is_taken_in_after_the_end() {
        let mut monitor = Monitor::new(StoppingRule::Anytime, 5);
        let ended = (1..).find(|_| monitor.add(1.0).is_some());
        assert_eq!((ended, monitor.pairs().counts), (Some(10), [0, 0, 0, 0, 10]));
        monitor.add(0.0);
        assert_eq!((monitor.conclusion(), monitor.pairs().pairs()), (Some(Conclusion::Above), 10));
    }
}
