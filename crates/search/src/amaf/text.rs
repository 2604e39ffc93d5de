//! RAVE and GRAVE as text, and what they do not go with.

use super::{Blend, GraveSettings, RaveSettings};
use crate::settings::{MctsSettings, OrOwn, Select};
use spinney_core::InputError;
use spinney_core::expression::Expression;
use spinney_core::options::{OptionKind, OptionValue, read_brackets, write_brackets};

macro_rules! option_in_brackets {
    ($($type:ty),*) => {$(
        impl OptionValue for $type {
            #[inline]
            fn read(parts: &[Expression]) -> Result<Self, String> {
                read_brackets(parts, &["rave", "grave"])
            }
            #[inline]
            fn write(&self) -> Option<String> {
                Some(write_brackets(self))
            }
            fn kind() -> OptionKind {
                OptionKind::Brackets(Self::options())
            }
        }
    )*};
}
option_in_brackets!(RaveSettings, GraveSettings);

impl Blend {
    /// Refuses what cannot be blended.
    pub fn check(settings: &MctsSettings) -> Result<(), InputError> {
        let terms = &settings.terms;
        let (rave, grave) = (terms.rave.is_some(), terms.grave.is_some());
        let is_plain = settings.select == OrOwn::Standard(Select::Ucb1) && terms.bias == 0.0 && terms.history == 0.0;
        if rave && grave {
            let problem = "there is RAVE and GRAVE";
            return Err(InputError::conflict("mcts, option rave or grave", problem, "leave one of the two out"));
        }
        if (rave || grave) && !is_plain {
            let problem = "it goes with UCB1 only, without progressive bias or history";
            return Err(InputError::conflict("mcts, option rave or grave", problem, "leave the others out"));
        }
        Ok(())
    }
}
