//! Ideas of one's own that `mcts` is compiled with: learners of play-outs, selection rules, rewards.
//!
//! They are a type parameter of the search, so that its loop calls them directly and the standard search, which has none,
//! does not change. What an agent's text names and the search does not know is asked of them.

#[cfg(feature = "std")]
mod named;

#[cfg(feature = "std")]
pub use named::{
    AboutIdeas, Either, Idea, OwnLearner, OwnReward, OwnSelection, WithLearner, WithReward, WithSelection,
};

use crate::playout::Learner;
#[cfg(feature = "std")]
use crate::playout::Scope;
use crate::reward::Reward;
use crate::select::Selection;
#[cfg(feature = "std")]
use spinney_core::{InputError, expression::Expression};

/// Everything of one's own that a search is compiled with.
pub trait Ideas: Clone + Send + Sync + 'static {
    /// Whether there are none.
    const IS_EMPTY: bool = false;
    /// Whether the search is compiled with uniform play-outs, with those of the game's policy, without anything that
    /// learns, and with it. A kernel is compiled for one of each; its settings must agree.
    const COMPILED: Compiled = Compiled { uniform: true, policy: true, still: true, learning: true, totals: true };
    /// The learners.
    type Learner: Learner;
    /// The selection rules.
    type Selection: Selection;
    /// The rewards.
    type Reward: Reward;

    #[cfg(feature = "std")]
    /// Reads the options of a learner without making it, so that a wrong one is found with the agent's text.
    fn check_learner(&self, part: &Expression) -> Result<(), InputError>;
    #[cfg(feature = "std")]
    /// The learners that these parts of a play-out name.
    fn learner(&self, parts: &[Expression], scope: &Scope) -> Result<Self::Learner, InputError>;
    #[cfg(feature = "std")]
    /// The selection rule of this name, or none.
    fn selection(&self, own: Option<&Expression>) -> Result<Self::Selection, InputError>;
    #[cfg(feature = "std")]
    /// The reward of this name, or none.
    fn reward(&self, own: Option<&Expression>) -> Result<Self::Reward, InputError>;
    #[cfg(feature = "std")]
    /// What help texts say of them.
    fn about(&self, about: &mut AboutIdeas);
}

/// The kinds of play-out that a search is compiled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// Uniform moves.
    pub uniform: bool,
    /// The game's own policy.
    pub policy: bool,
    /// Nothing learns.
    pub still: bool,
    /// Something learns.
    pub learning: bool,
    /// Lengths and depths of simulations are added up; where they are not, [`Totals`](crate::mcts::Totals) knows their
    /// number alone.
    pub totals: bool,
}

/// What the ideas of a search are, once they have been read.
#[derive(Debug)]
pub struct Chosen<I: Ideas> {
    /// The learners.
    pub learner: I::Learner,
    /// The selection rule.
    pub selection: I::Selection,
    /// The reward.
    pub reward: I::Reward,
}

impl Chosen<()> {
    /// None beside the standard ones.
    pub const NONE: Self = Self { learner: (), selection: (), reward: () };
}

/// No ideas beside the standard ones.
impl Ideas for () {
    const IS_EMPTY: bool = true;
    type Learner = ();
    type Selection = ();
    type Reward = ();

    #[cfg(feature = "std")]
    fn check_learner(&self, _: &Expression) -> Result<(), InputError> {
        Ok(())
    }

    #[cfg(feature = "std")]
    fn learner(&self, _: &[Expression], _: &Scope) -> Result<(), InputError> {
        Ok(())
    }

    #[cfg(feature = "std")]
    fn selection(&self, _: Option<&Expression>) -> Result<(), InputError> {
        Ok(())
    }

    #[cfg(feature = "std")]
    fn reward(&self, _: Option<&Expression>) -> Result<(), InputError> {
        Ok(())
    }

    #[cfg(feature = "std")]
    fn about(&self, _: &mut AboutIdeas) {}
}
