//! Statistics of matches and searches: pure functions.
//!
//! Nothing here panics, divides by zero or returns NaN for what a match can produce, be it no game at all, one pair, or
//! nothing but draws: where a number does not exist, the answer is `None` or a documented limit.
//!
//! # Which interval when
//!
//! Games of a match come in pairs with seats swapped. They share a seed, and the seats' advantage cancels within the
//! pair, so pairs are independent of each other and games are not.
//!
//! | question | use |
//! |---|---|
//! | the score of our match, its length fixed beforehand | [`pentanomial_interval`], [`paired_interval`] |
//! | the same as the papers print it, to set beside their tables | [`independent_interval`], [`independent_margin`] |
//! | a proportion of independent events: how often a game is drawn, a position solved | [`wilson_interval`] |
//! | a proportion with few events, where covering too little would be worse than a wide interval | [`exact_interval`] |
//! | the score of a match that may be stopped at any time | [`ConfidenceSequence`] |
//! | the same on the Elo scale | [`elo_interval`] of any of these |
//!
//! The papers' interval shrinks to a point after a clean sweep and ignores pairing: it is there for comparison only.
//!
//! # Which test when
//!
//! | question | use |
//! |---|---|
//! | is A stronger than B, after a match of fixed length | [`p_value`] against ½ |
//! | several such questions at once | [`holm`] over their p-values |
//! | which of two scores is it, in as few games as possible | [`SequentialTest`] |
//! | does our score agree with a published one | [`compare`], [`verdict`] |
//! | how many pairs will it take | [`Design`], [`expected_pairs`] |
//! | when may a match end before its largest number of games | [`StoppingRule`], [`Monitor`] |
//! | does it agree with a published score, looked at again and again | [`sequential_verdict`], [`sequential_interval`] |
//!
//! # What goes in
//!
//! [`Pentanomial`] counts pairs and [`Trinomial`] games; [`Moments`] and [`Covariance`] gather numbers one by one.
//! Counts and moments of parts of a match can be merged.

mod anytime;
mod confidence;
mod distribution;
mod elo;
mod equivalence;
mod interval;
mod multiple;
mod pairs;
mod power;
mod sequential;
mod significance;
mod simulation;
mod stop;

pub use anytime::ConfidenceSequence;
pub use confidence::Confidence;
pub use elo::{
    elo_interval, elo_to_score, normalised_elo, normalised_elo_interval, score_to_elo, score_to_normalised_elo,
};
pub use equivalence::{Comparison, MOST_MORE_GAMES, Reference, Verdict, compare, equivalence_p_value, verdict};
pub use interval::{
    Interval, Z95, exact_interval, independent_interval, independent_margin, paired_interval, pentanomial_interval,
    wilson_interval,
};
pub use multiple::holm;
pub use pairs::{GameResult, Pentanomial, Trinomial};
pub use power::{Design, FAIR_PAIR_DEVIATION};
pub use sequential::{Decision, SequentialTest};
pub use significance::{likelihood_of_superiority, p_value};
pub use spinney_core::{Covariance, Moments};
pub use stop::{
    BLOCK_PAIRS, Conclusion, Monitor, StoppingRule, expected_pairs, sequential_interval, sequential_verdict,
};
