//! The play-out slot of an agent: `uniform` or `policy`, with `mast(…)`, `cap(…)` and `cutoff(…)` joined by `+`.

use super::{Limits, QualityOf};
use spinney_core::expression::{Argument, Expression, write_sum};
use spinney_core::options::OptionValue;
use spinney_core::{InputError, Parameters, choices, options};

choices! {
    /// What MAST learns of a simulation.
    pub enum Lesson {
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
        learn: Option<Lesson> = None;
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
    pub struct CutoffSettings {
        /// plies of the play-out
        plies: u32 = 20, in 0 to 1000000;
        /// what it is worth; evaluation when left out
        reward: Option<Guess> = None;
    }
}

/// Which policy a play-out follows and how long it may be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayoutSettings {
    /// The game's own policy, uniform moves, or, when `None`, the game's own policy where there is one.
    pub policy: Option<bool>,
    /// MAST over it; `Some` when written, or when the game published it and nothing was written.
    pub mast: Option<MastSettings>,
    /// A length that counts as a draw.
    pub cap: Option<CapSettings>,
    /// A length after which the evaluation is taken.
    pub cutoff: Option<CutoffSettings>,
}

const PARTS: [&str; 5] = ["uniform", "policy", "mast", "cap", "cutoff"];

impl PlayoutSettings {
    fn add(&mut self, part: &Expression) -> Result<(), InputError> {
        let twice = || InputError::new("playout", format!("`{}` does not go with the rest", part.name), "remove it");
        match part.name.as_str() {
            name @ ("uniform" | "policy") => {
                options! { struct Nothing {} }
                Nothing::read(part)?;
                if self.policy.replace(name == "policy").is_some() {
                    return Err(twice());
                }
            }
            "mast" if self.mast.is_none() => self.mast = Some(MastSettings::read(part)?),
            "cap" if self.cap.is_none() => self.cap = Some(CapSettings::read(part)?),
            "cutoff" if self.cutoff.is_none() => self.cutoff = Some(CutoffSettings::read(part)?),
            "mast" | "cap" | "cutoff" => return Err(twice()),
            other => return Err(InputError::unknown("playout", "part", other, PARTS)),
        }
        Ok(())
    }

    /// Nothing left to the game. If no policy was named, it is the game's, with MAST where that was published.
    #[must_use]
    pub fn resolved(mut self, parameters: &Parameters, has_policy: bool) -> Self {
        if self.policy.is_none() {
            self.policy = Some(has_policy);
            if has_policy && self.mast.is_none() && parameters.mast_epsilon.is_some() {
                self.mast = Some(MastSettings::default());
            }
        }
        if let Some(mast) = &mut self.mast {
            mast.eps.get_or_insert(parameters.mast_epsilon.unwrap_or(0.5));
        }
        self
    }

    /// The bounds on the length.
    pub fn limits(&self) -> Limits {
        Limits {
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

impl OptionValue for PlayoutSettings {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        if parts.is_empty() {
            return Err(Self::kind());
        }
        let mut settings = Self::default();
        for part in parts {
            settings.add(part).map_err(|error| format!("{} ({error})", Self::kind()))?;
        }
        Ok(settings)
    }

    fn write(&self) -> Option<String> {
        let part = |name: &str, options: Vec<(&'static str, String)>| {
            let argument = |(key, value): (&str, String)| Argument {
                key: key.to_string(),
                value: vec![Expression { name: value, arguments: Vec::new() }],
            };
            Expression { name: name.to_string(), arguments: options.into_iter().map(argument).collect() }
        };
        let mut parts = Vec::new();
        if let Some(policy) = self.policy {
            parts.push(part(if policy { "policy" } else { "uniform" }, Vec::new()));
        }
        parts.extend(self.mast.as_ref().map(|mast| part("mast", mast.write())));
        parts.extend(self.cap.as_ref().map(|cap| part("cap", cap.write())));
        parts.extend(self.cutoff.as_ref().map(|cutoff| part("cutoff", cutoff.write())));
        (!parts.is_empty()).then(|| write_sum(&parts))
    }

    fn kind() -> String {
        "`uniform` or `policy`, joined by `+` with any of mast(eps=…, learn=…), cap(plies=…), cutoff(plies=…, reward=…)"
            .to_string()
    }
}
