//! The play-out slot of an agent: `uniform` or `policy`, with what learns (`mast(…)`, `cmc(…)`,
//! `ngram(…)`, `lgr(…)`), `cap(…)` and `cutoff(…)` joined by `+`.

use super::{PlayoutLimits, QualityOf};
#[cfg(feature = "std")]
use spinney_core::expression::Expression;
use spinney_core::{choices, options};

choices! {
    /// What MAST learns of a simulation.
    pub enum MastReward {
        /// who won
        Outcome = "outcome",
        /// the reward with its bonuses
        Altered = "altered",
    }
}

choices! {
    /// What a play-out that is cut off is worth.
    pub enum Guess {
        /// the evaluation
        Evaluation = "evaluation",
        /// a win for whom the evaluation favours, with the evaluation as its quality
        Winner = "winner",
    }
}

options! {
    /// Move-Average Sampling Technique (Finnsson and Björnsson, 2008), ε-greedy.
    pub struct MastSettings {
        /// chance of the choice that is not greedy; as published for the game, else 0.5, when left out
        eps: Option<f32> = None, in 0.0 to 1.0;
        /// what it learns; outcome when left out
        learn: Option<MastReward> = None, for Certain;
    }
}

choices! {
    /// Of which moves Contextual Monte Carlo learns pairs.
    pub enum Pairs {
        /// those of the play-out
        Playout = "playout",
        /// those of the whole simulation
        Simulation = "simulation",
    }
}

choices! {
    /// What the move before the first play-out moves is.
    pub enum Previous {
        /// the player's last move in the tree or in the game
        Tree = "tree",
        /// missing, so that these moves follow the underlying policy
        Missing = "missing",
    }
}

choices! {
    /// Whose simulations a table of pairs is made of.
    pub enum Tables {
        /// one table for each player
        Player = "player",
        /// one table for the pairs of both
        Shared = "shared",
    }
}

choices! {
    /// Whose play-out moves follow the pair values.
    pub enum Sides {
        /// those of both players
        Both = "both",
        /// those of the player to move at the root
        Searcher = "searcher",
    }
}

options! {
    /// Contextual Monte Carlo (Rimmel and Teytaud, 2010).
    pub struct CmcSettings {
        /// percentage of the play-out moves that are chosen by pair values
        prob: f32 = 35.0, in 0.0 to 100.0;
        /// percentage B up to which a pair value counts as 0
        b: f32 = 0.0, in 0.0 to 100.0;
        /// simulations from which on a pair counts
        count: u32 = 1, in 1 to 30000;
        /// of which moves pairs are learned
        pairs: Pairs = Pairs::default();
        /// the move before the first play-out moves
        previous: Previous = Previous::default();
        /// one table for each player or one for both
        table: Tables = Tables::default();
        /// whose play-out moves follow it
        sides: Sides = Sides::default();
    }
}

options! {
    /// N-grams (Tak, Winands and Björnsson, 2012), ε-greedy.
    pub struct NgramSettings {
        /// longest sequence of moves
        n: u32 = 3, in 1 to 3;
        /// simulations from which on a sequence of two or three moves counts
        count: u32 = 7, in 1 to 30000;
        /// chance of the choice that is not greedy
        eps: f32 = 0.4, in 0.0 to 1.0;
        /// value of a move that has not been made, from −1 for a loss to 1 for a win
        unseen: f32 = 1.0, in -1.0 to 1.0;
    }
}

options! {
    /// Last good replies (Drake, 2009; Baier and Drake, 2010).
    pub struct ReplySettings for TwoPlayers {
        /// moves that a reply answers: one, or two and then one
        order: u32 = 2, in 1 to 2;
        /// forget a reply when it is part of a loss
        forget: bool = true;
    }
}

options! {
    /// A play-out that is too long is a draw.
    pub struct CapSettings {
        /// plies of the play-out
        plies: u32 = 1000, in 1 to 1000000;
    }
}

options! {
    /// A play-out ends early with the game's evaluation.
    pub struct CutoffSettings for Certain {
        /// plies of the play-out
        plies: u32 = 20, in 0 to 1000000;
        /// what it is worth; evaluation when left out
        reward: Option<Guess> = None;
    }
}

/// Which policy a play-out follows and how long it may be.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PlayoutSettings {
    /// The game's own policy, uniform moves, or, when `None`, the game's own policy where there is one.
    pub policy: Option<bool>,
    /// MAST over it; `Some` when written, or when the game published it and nothing was written.
    pub mast: Option<MastSettings>,
    /// Contextual Monte Carlo.
    pub cmc: Option<CmcSettings>,
    /// N-grams.
    pub ngram: Option<NgramSettings>,
    /// Last good replies.
    pub lgr: Option<ReplySettings>,
    /// A length that counts as a draw.
    pub cap: Option<CapSettings>,
    /// A length after which the evaluation is taken.
    pub cutoff: Option<CutoffSettings>,
    /// Learners of one's own.
    #[cfg(feature = "std")]
    pub own: Vec<Expression>,
}

/// The parts of a play-out in the order in which they are written: what learns, then what bounds its length.
macro_rules! with_parts {
    ($then:ident) => {
        $then! {
            learners { mast: MastSettings, cmc: CmcSettings, ngram: NgramSettings, lgr: ReplySettings, }
            lengths { cap: CapSettings, cutoff: CutoffSettings, }
        }
    };
}
#[cfg(feature = "std")]
pub(super) use with_parts;

macro_rules! learners {
    (learners { $($learner:ident: $_settings:ty,)+ } $($lengths:tt)*) => {
        impl PlayoutSettings {
            /// Whether anything learns from simulations.
            pub fn learns(&self) -> bool {
                $(self.$learner.is_some() ||)+ self.has_own()
            }
        }
    };
}
with_parts!(learners);

impl PlayoutSettings {
    /// Whether there are learners of one's own.
    #[cfg(feature = "std")]
    fn has_own(&self) -> bool {
        !self.own.is_empty()
    }

    /// They are named by texts.
    #[cfg(not(feature = "std"))]
    fn has_own(&self) -> bool {
        false
    }

    /// Nothing left to the game. If no policy was named, it is the game's, with MAST where that was published.
    #[must_use]
    pub fn resolved(mut self, published_mast: Option<&MastSettings>, has_policy: bool) -> Self {
        if self.policy.is_none() {
            self.policy = Some(has_policy);
            if has_policy && self.mast.is_none() && published_mast.is_some() {
                self.mast = Some(MastSettings::default());
            }
        }
        if let Some(mast) = &mut self.mast {
            mast.eps.get_or_insert(published_mast.and_then(|published| published.eps).unwrap_or(0.5));
        }
        self
    }

    /// The bounds on the length.
    pub fn limits(&self) -> PlayoutLimits {
        PlayoutLimits {
            cap: self.cap.as_ref().map_or(u32::MAX, |cap| cap.plies),
            cutoff: self.cutoff.as_ref().map_or(u32::MAX, |cutoff| cutoff.plies),
            guess: self.cutoff.as_ref().and_then(|cutoff| cutoff.reward).unwrap_or_default(),
            quality: QualityOf::Nothing,
        }
    }

    /// Where quality comes from, if it is asked for: once play-outs are cut off, it is the evaluation.
    pub fn quality(&self) -> QualityOf {
        if self.cutoff.is_some() { QualityOf::Evaluation } else { QualityOf::FinalPosition }
    }
}
