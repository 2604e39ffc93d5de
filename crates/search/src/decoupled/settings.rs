//! The options of the search for games of roles.

use crate::reward::BonusSettings;
use crate::settings::{MctsSettings, RewardSettings, limited_options};
use spinney_core::expression::Expression;
use spinney_core::options::{OptionKind, OptionPart, OptionSet, OptionValue};
use spinney_core::{InputError, choices, options};

choices! {
    /// How a role chooses among moves that it has not tried at a node.
    pub enum Untried {
        /// by the play-out policy
        Policy = "policy",
        /// all alike
        Uniform = "uniform",
        /// by the play-out policy, once no tried move looks better than 50 and its share of the exploration
        Urgency = "urgency",
    }
}

options! {
    /// Move-Average Sampling Technique (Finnsson and Björnsson, 2008) over roles.
    pub struct RoleMastSettings {
        /// temperature of the Gibbs distribution, on the scale of 0 to 100
        tau: f32 = 10.0, in 0.01 to 1000.0;
        /// ε-greedy instead: chance of a move that is not the best
        eps: Option<f32> = None, in 0.0 to 1.0;
        /// value of a move that has not been made
        unseen: f32 = 100.0, in 0.0 to 100.0;
    }
}

options! {
    /// N-grams (Tak, Winands and Björnsson, 2012) over roles, ε-greedy.
    pub struct RoleGramSettings {
        /// longest sequence of moves
        n: u32 = 3, in 1 to 3;
        /// how often a sequence of two or three moves has been made when it begins to count
        count: u32 = 7, in 1 to 1000000;
        /// chance of a move that is not the best
        eps: f32 = 0.4, in 0.0 to 1.0;
        /// value of a move that has not been made
        unseen: f32 = 100.0, in 0.0 to 100.0;
    }
}

/// The play-outs of games of roles.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum RolePlayout {
    /// All moves alike.
    #[default]
    Uniform,
    /// Mean returns of moves.
    Mast(RoleMastSettings),
    /// Mean returns of sequences of moves.
    Ngram(RoleGramSettings),
}

impl OptionValue for RolePlayout {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        let with_kind = |error: InputError| format!("{} ({error})", Self::kind());
        match parts {
            [one] if one.name == "uniform" && one.arguments.is_empty() => Ok(RolePlayout::Uniform),
            [one] if one.name == "mast" => RoleMastSettings::read(one).map(RolePlayout::Mast).map_err(with_kind),
            [one] if one.name == "ngram" => RoleGramSettings::read(one).map(RolePlayout::Ngram).map_err(with_kind),
            _ => Err(Self::kind().to_string()),
        }
    }

    fn write(&self) -> Option<String> {
        let written = match self {
            RolePlayout::Uniform => return Some("uniform".to_string()),
            RolePlayout::Mast(own) => own.changed("mast"),
            RolePlayout::Ngram(own) => own.changed("ngram"),
        };
        Some(written.to_string())
    }

    fn kind() -> OptionKind {
        let one_of = vec![
            OptionPart::plain("uniform", "all moves alike"),
            OptionPart::of::<RoleMastSettings>("mast"),
            OptionPart::of::<RoleGramSettings>("ngram"),
        ];
        OptionKind::Parts { one_of, any_of: Vec::new() }
    }
}

limited_options! {
    /// Monte-Carlo tree search for games of roles: each chooses by its own statistics.
    pub struct DecoupledSettings {
        simulations " simulations per move; 1000 without any limit"
        memory 512
        /// C of UCB1 on the scale of 0 to 100
        c: f32 = 40.0, in 0.0 to 1000000.0;
        /// what a return loses with every step on the way back
        discount: f32 = 0.999, in 0.5 to 1.0;
        /// returns of two roles are made to add up to 100
        zero_sum: bool = true;
        /// how untried moves are chosen
        untried: Untried = Untried::default();
        /// keep tree and learned values from move to move
        reuse: bool = true;
        /// share of the weight of learned values that is kept from move to move
        decay: f32 = 1.0, in 0.0 to 1.0;
        /// the play-out
        playout: RolePlayout = RolePlayout::Uniform;
        /// steps after which a play-out is worth 50 to everybody
        cap: u32 = 5000, in 1 to 1000000;
        /// prove what a role can force, whatever all others do
        solver: bool = false;
        /// Relative Bonus on the scale of −1 to 1, between two roles (Pepels et al., 2014)
        rb: Option<BonusSettings> = None;
        /// share of the expected simulations before bonuses
        warmup: f32 = 0.05, in 0.0 to 1.0;
        /// simulations won by a role before bonuses on its wins
        samples: u32 = 2, in 2 to 1000000000;
        /// threads that search together, each with a tree of its own; with more than one no two searches are alike
        threads: u32 = 1, in 1 to 1024;
    }
}

impl DecoupledSettings {
    /// As CADIAPLAYER, with the N-grams of Tak, Winands and Björnsson (2012).
    pub fn cadiaplayer() -> Self {
        Self { playout: RolePlayout::Ngram(RoleGramSettings::default()), ..Self::default() }
    }

    /// The Relative Bonus and what goes with it, as the search of two players has it.
    pub(super) fn rewards(&self, published: &MctsSettings) -> RewardSettings {
        let mut own = RewardSettings {
            rb: self.rb.clone(),
            warmup: Some(self.warmup),
            samples: Some(self.samples),
            ..Default::default()
        };
        own.resolve(&published.rewards);
        own
    }
}
