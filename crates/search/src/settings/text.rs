//! Settings as text: values that are more than a number or a word, what games were published with, and what is checked.

use super::{FirstPlayUrgency, MctsSettings, OrOwn, Quirks};
use crate::ideas::{AboutIdeas, Ideas};
use crate::playout::PlayoutSettings;
use spinney_core::expression::{Expression, write_sum};
use spinney_core::options::{OptionKind, OptionPart, OptionValue, OptionWord};
use spinney_core::{InputError, Published};

impl OptionValue for FirstPlayUrgency {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        if write_sum(parts) == "infinite" {
            return Ok(FirstPlayUrgency::Infinite);
        }
        match f32::read(parts) {
            Ok(value) if value.is_finite() => Ok(FirstPlayUrgency::Value(value)),
            _ => Err(Self::kind().to_string()),
        }
    }
    fn write(&self) -> Option<String> {
        match self {
            FirstPlayUrgency::Infinite => Some("infinite".to_string()),
            FirstPlayUrgency::Value(value) => value.write(),
        }
    }
    fn kind() -> OptionKind {
        let infinite = OptionWord::new("infinite", "every child is visited once before any is visited twice");
        OptionKind::Either(vec![OptionKind::Words(vec![infinite]), f32::kind()])
    }
}

impl OptionValue for Quirks {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        let mut quirks = Self::default();
        for part in parts {
            match Self::NAMES.iter().position(|name| *name == part.name && part.arguments.is_empty()) {
                Some(index) => *quirks.flags()[index] = true,
                None if part.name == "none" && parts.len() == 1 => {}
                None => return Err(Self::kind().to_string()),
            }
        }
        if parts.is_empty() { Err(Self::kind().to_string()) } else { Ok(quirks) }
    }
    fn write(&self) -> Option<String> {
        let mut copy = *self;
        let set: Vec<&str> =
            Self::NAMES.iter().zip(copy.flags()).filter_map(|(name, flag)| flag.then_some(*name)).collect();
        Some(if set.is_empty() { "none".to_string() } else { set.join("+") })
    }
    fn kind() -> OptionKind {
        let none = OptionWord::new("none", "no deviation");
        let any_of = Self::NAMES.iter().zip(Self::HELP).map(|(name, help)| OptionPart::plain(name, help)).collect();
        OptionKind::Either(vec![OptionKind::Words(vec![none]), OptionKind::Parts { one_of: Vec::new(), any_of }])
    }
}

impl<T: OptionValue> OptionValue for OrOwn<T> {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        match (T::read(parts), parts) {
            (Ok(choice), _) => Ok(OrOwn::Standard(choice)),
            (Err(_), [own]) if own.name.starts_with(|first: char| first.is_ascii_alphabetic()) => {
                Ok(OrOwn::Own(own.clone()))
            }
            (Err(expected), _) => Err(expected),
        }
    }
    fn write(&self) -> Option<String> {
        match self {
            OrOwn::Standard(choice) => choice.write(),
            OrOwn::Own(own) => Some(own.to_string()),
        }
    }
    fn kind() -> OptionKind {
        T::kind()
    }
}

impl MctsSettings {
    /// The options with which a game was published.
    pub fn published(published: &Published) -> Result<Self, InputError> {
        let place = "published options of the game";
        Expression::read(place, &format!("mcts({})", published.agent))
            .and_then(|expression| Self::read(&expression))
            .map_err(|error| error.within(place))
    }

    /// Whether they name a learner, a selection rule or a reward that is not a standard one.
    pub fn has_ideas(&self) -> bool {
        let has_learners = self.playout.as_ref().is_some_and(|playout| !playout.own.is_empty());
        has_learners || self.select.own().is_some() || self.rewards.reward.own().is_some()
    }

    /// Refuses learners, selection rules and rewards that are neither standard nor among these ideas, and options that
    /// they do not have.
    pub fn check_ideas<I: Ideas>(&self, ideas: &I) -> Result<(), InputError> {
        let mut about = AboutIdeas::default();
        ideas.about(&mut about);
        let check = |place: &str, kind: &str, own: &Expression, known: &[OptionPart], standard: &[&'static str]| {
            if known.iter().any(|part| part.name == own.name) {
                return Ok(());
            }
            let known = standard.iter().copied().chain(known.iter().map(|part| part.name));
            Err(InputError::unknown(place, kind, &own.name, known))
        };
        for own in self.playout.iter().flat_map(|playout| &playout.own) {
            check("mcts, option playout", "part", own, &about.learners, PlayoutSettings::PARTS)?;
            ideas.check_learner(own).map_err(|error| error.within("mcts, option playout"))?;
        }
        if let Some(own) = self.select.own() {
            check("mcts, option select", "rule", own, &about.selections, &["ucb1", "tuned", "puct"])?;
            ideas.selection(Some(own)).map_err(|error| error.within("mcts, option select"))?;
        }
        if let Some(own) = self.rewards.reward.own() {
            check("mcts, option reward", "reward", own, &about.rewards, &["outcome", "quality", "sigmoid"])?;
            ideas.reward(Some(own)).map_err(|error| error.within("mcts, option reward"))?;
        }
        Ok(())
    }
}
