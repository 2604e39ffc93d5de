//! What a kernel is compiled with: one kind of play-out, or all of them. The rest of the search is left out, so that a
//! kernel is a tenth of the whole and is loaded in seconds.

use spinney_core::Game;
use spinney_core::game::Player;
use spinney_search::ideas::{Compiled, Ideas};
use spinney_search::playout::learner::Lesson;
use spinney_search::playout::{Base, Choice, Learner, Offer};
use spinney_search::select::{Child, Node, Selection};

/// The kinds of play-out that a kernel can play: a bit for each.
pub mod kinds {
    /// Uniform moves.
    pub const UNIFORM: u8 = 1;
    /// The game's policy.
    pub const POLICY: u8 = 2;
    /// Nothing learns.
    pub const STILL: u8 = 4;
    /// MAST learns.
    pub const LEARNING: u8 = 8;
    /// Everything.
    pub const ALL: u8 = UNIFORM | POLICY | STILL | LEARNING;
}

/// A search of these kinds of play-out, with MAST or without, UCB1, and all that decides rewards.
#[derive(Clone, Copy, Debug)]
pub struct Only<const KINDS: u8>;

/// No learner beside MAST.
#[derive(Clone, Copy, Debug)]
pub struct MastAlone;

impl Learner for MastAlone {
    const CONTEXTS: bool = false;
    const LOOKS_BACK: bool = false;

    #[inline(always)]
    fn clear(&mut self, _: Player) {}

    #[inline(always)]
    fn teach(&mut self, _: &Lesson<'_>) {}

    #[inline(always)]
    fn choose<G: Game, B: Base>(&mut self, _: &mut Choice<'_, G, B>) -> Offer<G::Move> {
        Offer::Pass
    }
}

/// UCB1 without further terms.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Selection for Plain {
    const TERMS: bool = false;
    const QUIRKS: bool = true;

    #[inline(always)]
    fn is_present(&self) -> bool {
        false
    }

    fn score(&self, child: &Child, _: &Node) -> f32 {
        child.mean
    }
}

impl<const KINDS: u8> Ideas for Only<KINDS> {
    const IS_EMPTY: bool = true;
    const COMPILED: Compiled = Compiled {
        uniform: KINDS & kinds::UNIFORM != 0,
        policy: KINDS & kinds::POLICY != 0,
        still: KINDS & kinds::STILL != 0,
        learning: KINDS & kinds::LEARNING != 0,
        totals: false,
    };
    type Learner = MastAlone;
    type Selection = Plain;
    type Reward = ();

    #[cfg(feature = "host")]
    fn check_learner(&self, _: &spinney_core::expression::Expression) -> Result<(), spinney_core::InputError> {
        Ok(())
    }

    #[cfg(feature = "host")]
    fn learner(
        &self,
        _: &[spinney_core::expression::Expression],
        _: &spinney_search::playout::Scope,
    ) -> Result<MastAlone, spinney_core::InputError> {
        Ok(MastAlone)
    }

    #[cfg(feature = "host")]
    fn selection(&self, _: Option<&spinney_core::expression::Expression>) -> Result<Plain, spinney_core::InputError> {
        Ok(Plain)
    }

    #[cfg(feature = "host")]
    fn reward(&self, _: Option<&spinney_core::expression::Expression>) -> Result<(), spinney_core::InputError> {
        Ok(())
    }

    #[cfg(feature = "host")]
    fn about(&self, _: &mut spinney_search::ideas::AboutIdeas) {}
}
