//! Ideas by name: what agents' texts call them, and what they read in their brackets.

use super::Ideas;
use crate::playout::{Learner, Scope};
use crate::reward::Reward;
use crate::select::Selection;
use spinney_core::expression::Expression;
use spinney_core::options::{OptionPart, OptionSet};
use spinney_core::{InputError, Player};

/// A learner of one's own, with options.
pub trait OwnLearner: Learner {
    /// Its options, as they are written in brackets: `playout=policy+name(…)`.
    type Settings: OptionSet;

    /// A learner with nothing learned.
    fn new(settings: &Self::Settings, scope: &Scope) -> Self;
}

/// A selection rule of one's own, with options: `select=name(…)`.
pub trait OwnSelection: Selection {
    /// Its options.
    type Settings: OptionSet;

    /// The rule.
    fn new(settings: &Self::Settings) -> Self;
}

/// A reward of one's own, with options: `reward=name(…)`.
pub trait OwnReward: Reward {
    /// Its options.
    type Settings: OptionSet;

    /// A reward that has seen no simulation.
    fn new(settings: &Self::Settings) -> Self;
}

/// What help texts say of ideas.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct AboutIdeas {
    /// Parts of a play-out.
    pub learners: Vec<OptionPart>,
    /// Words of `select`.
    pub selections: Vec<OptionPart>,
    /// Words of `reward`.
    pub rewards: Vec<OptionPart>,
}

/// One more idea before others, with the name by which agents call it.
#[derive(Debug)]
pub struct Idea<A, T> {
    name: &'static str,
    summary: &'static str,
    others: T,
    idea: core::marker::PhantomData<fn() -> A>,
}

impl<A, T: Clone> Clone for Idea<A, T> {
    fn clone(&self) -> Self {
        Self { name: self.name, summary: self.summary, others: self.others.clone(), idea: self.idea }
    }
}

impl<A, T> Idea<A, T> {
    /// `A` under this name, before `others`.
    pub const fn new(name: &'static str, summary: &'static str, others: T) -> Self {
        Self { name, summary, others, idea: core::marker::PhantomData }
    }

    fn part<S: OptionSet>(&self) -> OptionPart {
        let mut part = OptionPart::of::<S>(self.name);
        part.help = self.summary.to_string();
        part
    }
}

/// A learner before other ideas.
#[derive(Debug)]
pub struct WithLearner<A, T>(pub Idea<A, T>);
/// A selection rule before other ideas.
#[derive(Debug)]
pub struct WithSelection<A, T>(pub Idea<A, T>);
/// A reward before other ideas.
#[derive(Debug)]
pub struct WithReward<A, T>(pub Idea<A, T>);

/// Names are copied; the idea itself is a type and need not be.
macro_rules! clone_names {
    ($($wrapper:ident),+) => {$(
        impl<A, T: Clone> Clone for $wrapper<A, T> {
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }
        }
    )+};
}
clone_names!(WithLearner, WithSelection, WithReward);

impl<A: OwnLearner, T: Ideas> Ideas for WithLearner<A, T> {
    type Learner = (Option<A>, T::Learner);
    type Selection = T::Selection;
    type Reward = T::Reward;

    fn check_learner(&self, part: &Expression) -> Result<(), InputError> {
        if part.name == self.0.name { A::Settings::read(part).map(drop) } else { self.0.others.check_learner(part) }
    }

    fn learner(&self, parts: &[Expression], scope: &Scope) -> Result<Self::Learner, InputError> {
        let own = parts.iter().find(|part| part.name == self.0.name).map(A::Settings::read).transpose()?;
        Ok((own.map(|settings| A::new(&settings, scope)), self.0.others.learner(parts, scope)?))
    }

    fn selection(&self, own: Option<&Expression>) -> Result<T::Selection, InputError> {
        self.0.others.selection(own)
    }

    fn reward(&self, own: Option<&Expression>) -> Result<T::Reward, InputError> {
        self.0.others.reward(own)
    }

    fn about(&self, about: &mut AboutIdeas) {
        about.learners.push(self.0.part::<A::Settings>());
        self.0.others.about(about);
    }
}

/// One of two kinds of idea.
#[derive(Clone, Debug)]
pub enum Either<A, B> {
    /// The first.
    This(A),
    /// One of the others.
    Other(B),
}

impl<A: OwnSelection, T: Ideas> Ideas for WithSelection<A, T> {
    type Learner = T::Learner;
    type Selection = Either<A, T::Selection>;
    type Reward = T::Reward;

    fn check_learner(&self, part: &Expression) -> Result<(), InputError> {
        self.0.others.check_learner(part)
    }

    fn learner(&self, parts: &[Expression], scope: &Scope) -> Result<T::Learner, InputError> {
        self.0.others.learner(parts, scope)
    }

    fn selection(&self, own: Option<&Expression>) -> Result<Self::Selection, InputError> {
        Ok(match own.filter(|own| own.name == self.0.name) {
            Some(own) => Either::This(A::new(&A::Settings::read(own)?)),
            None => Either::Other(self.0.others.selection(own)?),
        })
    }

    fn reward(&self, own: Option<&Expression>) -> Result<T::Reward, InputError> {
        self.0.others.reward(own)
    }

    fn about(&self, about: &mut AboutIdeas) {
        about.selections.push(self.0.part::<A::Settings>());
        self.0.others.about(about);
    }
}

impl<A: OwnReward, T: Ideas> Ideas for WithReward<A, T> {
    type Learner = T::Learner;
    type Selection = T::Selection;
    type Reward = Either<A, T::Reward>;

    fn check_learner(&self, part: &Expression) -> Result<(), InputError> {
        self.0.others.check_learner(part)
    }

    fn learner(&self, parts: &[Expression], scope: &Scope) -> Result<T::Learner, InputError> {
        self.0.others.learner(parts, scope)
    }

    fn selection(&self, own: Option<&Expression>) -> Result<T::Selection, InputError> {
        self.0.others.selection(own)
    }

    fn reward(&self, own: Option<&Expression>) -> Result<Self::Reward, InputError> {
        Ok(match own.filter(|own| own.name == self.0.name) {
            Some(own) => Either::This(A::new(&A::Settings::read(own)?)),
            None => Either::Other(self.0.others.reward(own)?),
        })
    }

    fn about(&self, about: &mut AboutIdeas) {
        about.rewards.push(self.0.part::<A::Settings>());
        self.0.others.about(about);
    }
}

impl<A: Selection, B: Selection> Selection for Either<A, B> {
    #[inline(always)]
    fn is_present(&self) -> bool {
        match self {
            Either::This(own) => own.is_present(),
            Either::Other(other) => other.is_present(),
        }
    }

    #[inline(always)]
    fn score(&self, child: &crate::select::Child, node: &crate::select::Node) -> f32 {
        match self {
            Either::This(own) => own.score(child, node),
            Either::Other(other) => other.score(child, node),
        }
    }
}

impl<A: Reward, B: Reward> Reward for Either<A, B> {
    fn is_present(&self) -> bool {
        match self {
            Either::This(own) => own.is_present(),
            Either::Other(other) => other.is_present(),
        }
    }

    fn needs_quality(&self) -> bool {
        match self {
            Either::This(own) => own.needs_quality(),
            Either::Other(other) => other.needs_quality(),
        }
    }

    fn begin(&mut self, searcher: Player) {
        match self {
            Either::This(own) => own.begin(searcher),
            Either::Other(other) => other.begin(searcher),
        }
    }

    fn alter(&mut self, reward: f32, simulation: &crate::playout::Simulation) -> f32 {
        match self {
            Either::This(own) => own.alter(reward, simulation),
            Either::Other(other) => other.alter(reward, simulation),
        }
    }
}
