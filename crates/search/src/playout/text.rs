//! The play-out slot of an agent as text.

use super::settings::{
    CapSettings, CmcSettings, CutoffSettings, MastSettings, NgramSettings, PlayoutSettings, ReplySettings, with_parts,
};
use spinney_core::expression::{Expression, write_sum};
use spinney_core::options::{OptionKind, OptionPart, OptionSet, OptionValue};
use spinney_core::{InputError, options};

macro_rules! parts {
    (learners { $($learner:ident: $learner_settings:ty,)+ } lengths { $($length:ident: $length_settings:ty,)+ }) => {
        impl PlayoutSettings {
            /// The names of all standard parts.
            pub const PARTS: &'static [&'static str] =
                &["uniform", "policy", $(stringify!($learner),)+ $(stringify!($length),)+];

            /// Reads a part; false if there is none of this name.
            fn add_standard(&mut self, part: &Expression) -> Result<bool, InputError> {
                let twice = || {
                    let problem = format!("`{}` does not go with the rest", part.name);
                    InputError::conflict("playout", problem, "remove it")
                };
                match part.name.as_str() {
                    name @ ("uniform" | "policy") => {
                        options! { struct Nothing {} }
                        Nothing::read(part)?;
                        if self.policy.replace(name == "policy").is_some() {
                            return Err(twice());
                        }
                    }
                    $(stringify!($learner) => {
                        if self.$learner.replace(<$learner_settings>::read(part)?).is_some() {
                            return Err(twice());
                        }
                    })+
                    $(stringify!($length) => {
                        if self.$length.replace(<$length_settings>::read(part)?).is_some() {
                            return Err(twice());
                        }
                    })+
                    _ => return Ok(false),
                }
                Ok(true)
            }

            fn write_parts(&self, parts: &mut Vec<Expression>) {
                $(parts.extend(self.$learner.as_ref().map(|own| own.changed(stringify!($learner))));)+
                parts.extend(self.own.iter().cloned());
                // Lengths are always written: they decide how stored runs are named.
                $(parts.extend(self.$length.as_ref().map(|own| own.written(stringify!($length))));)+
            }

            fn about_parts() -> Vec<OptionPart> {
                vec![
                    $(OptionPart::of::<$learner_settings>(stringify!($learner)),)+
                    $(OptionPart::of::<$length_settings>(stringify!($length)),)+
                ]
            }
        }
    };
}

with_parts!(parts);

impl OptionValue for PlayoutSettings {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        if parts.is_empty() {
            return Err(Self::kind().to_string());
        }
        let mut settings = Self::default();
        for part in parts {
            if settings.add_standard(part).map_err(|error| format!("{} ({error})", Self::kind()))? {
                continue;
            }
            if part.name.is_empty() || settings.own.iter().any(|own| own.name == part.name) {
                return Err(Self::kind().to_string());
            }
            settings.own.push(part.clone());
        }
        Ok(settings)
    }

    fn write(&self) -> Option<String> {
        let mut parts = Vec::new();
        if let Some(policy) = self.policy {
            let name = if policy { "policy" } else { "uniform" };
            parts.push(Expression { name: name.to_string(), arguments: Vec::new() });
        }
        self.write_parts(&mut parts);
        (!parts.is_empty()).then(|| write_sum(&parts))
    }

    fn kind() -> OptionKind {
        OptionKind::Parts {
            one_of: vec![
                OptionPart::plain("uniform", "all moves alike"),
                OptionPart::plain("policy", "the game's own policy"),
            ],
            any_of: Self::about_parts(),
        }
    }
}
