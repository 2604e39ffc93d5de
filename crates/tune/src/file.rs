//! Files of tunings, in TOML:
//!
//! ```toml
//! title = "k and C of the Relative Bonus in Breakthrough"
//! seed = 2014
//! game = "breakthrough"
//! agent = "mcts(c=$c, rb(k=$k, a=$a))"
//! baseline = "mcts"
//! budget = { simulations = 1000 }
//! games = 4000
//!
//! [parameters]
//! k = { from = 0.1, to = 16, scale = "logarithmic" }
//! c = { from = 0.2, to = 2 }
//! a = { words = ["online", "0.25"] }
//! ```

use crate::batch;
use crate::space::{Parameter, Range, Setting, Space};
use serde::Deserialize;
use spinney_core::{InputError, Seed};
use spinney_lab::experiment::{Experiment, Layout, Match, Seeds, toml_error};
use spinney_lab::limit::{BudgetFile, read_budgets};
use spinney_lab::{Limit, Plan};
use spinney_table::Laboratory;
use std::collections::BTreeMap;
use std::path::PathBuf;
use toml::Spanned;

/// A tuning as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuning {
    /// What it is called.
    pub title: String,
    /// What it is about, in a paragraph.
    pub about: String,
    /// Seed of all randomness.
    pub seed: u64,
    /// The game with its options.
    pub game: String,
    /// The agent's text, in which `$name` stands for a parameter.
    pub agent: String,
    /// The agent that it plays against.
    pub baseline: String,
    /// How long both think.
    pub limit: Limit,
    /// All games, those of the check among them.
    pub games: u64,
    /// The share of the games that is held back for the check.
    pub check: f64,
    /// Pairs in the first batches.
    pub batch: u64,
    /// Random plies before the agents take over.
    pub opening: u32,
    /// What is tuned.
    pub space: Space,
    /// Names the tuning: the same for the same game, agents, parameters and seed, whatever the number of games.
    pub hash: String,
    /// Where game and agents come from.
    pub laboratory: Laboratory,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TuningFile {
    title: String,
    #[serde(default)]
    about: String,
    #[serde(default = "default_seed")]
    seed: u64,
    game: Spanned<String>,
    agent: Spanned<String>,
    baseline: Spanned<String>,
    budget: Option<Spanned<BudgetFile>>,
    #[serde(default = "default_games")]
    games: u64,
    #[serde(default = "default_check")]
    check: f64,
    #[serde(default = "default_batch")]
    batch: u64,
    #[serde(default)]
    opening: u32,
    parameters: BTreeMap<Spanned<String>, ParameterFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ParameterFile {
    from: Option<f64>,
    to: Option<f64>,
    #[serde(default)]
    scale: Scale,
    #[serde(default)]
    whole: bool,
    words: Option<Vec<String>>,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Scale {
    #[default]
    Linear,
    Logarithmic,
}

fn default_seed() -> u64 {
    1
}

fn default_games() -> u64 {
    4000
}

fn default_check() -> f64 {
    0.25
}

fn default_batch() -> u64 {
    batch::USUAL
}

/// What the baseline is called in records.
pub(crate) const BASELINE: &str = "baseline";
/// What the tuned agent is called in the check.
pub(crate) const TUNED: &str = "tuned";
/// Fewer games than this tell nothing.
const FEWEST_GAMES: u64 = 8;

impl Tuning {
    /// Reads a file; `name` is the place in errors.
    pub fn read(name: &str, text: &str) -> Result<Self, InputError> {
        Self::read_in(&Laboratory::standard(), name, text)
    }

    /// As `read`, with games and agents of this laboratory.
    pub fn read_in(laboratory: &Laboratory, name: &str, text: &str) -> Result<Self, InputError> {
        let file: TuningFile = toml::from_str(text).map_err(|error| toml_error(name, text, &error))?;
        let place = |offset: usize| {
            let line = text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1;
            format!("{name}, line {line}")
        };
        let mut parameters = Vec::new();
        for (key, file) in file.parameters {
            let here = place(key.span().start);
            let parameter = Parameter { name: key.into_inner(), range: file.range(&here)? };
            Space::new(vec![parameter.clone()]).map_err(|error| error.within(&here))?;
            parameters.push(parameter);
        }
        let space = Space::new(parameters).map_err(|error| error.within(name))?;
        let limit = match file.budget {
            Some(budget) => {
                let here = place(budget.span().start);
                read_budgets(&[budget.into_inner()], &here)?[0]
            }
            None => Limit::Own,
        };
        let outside = |problem: String, remedy: &str| Err(InputError::new(name, problem, remedy));
        if !(FEWEST_GAMES..=100_000_000).contains(&file.games) {
            return outside(format!("`games` is {}", file.games), "write a number from 8 to 100000000");
        }
        if !(0.05..=0.9).contains(&file.check) {
            return outside(format!("`check` is {}", file.check), "write a share of the games from 0.05 to 0.9");
        }
        if !(1..=100_000).contains(&file.batch) {
            return outside(format!("`batch` is {}", file.batch), "write a number of pairs from 1 to 100000");
        }
        let agent_place = place(file.agent.span().start);
        let baseline_place = place(file.baseline.span().start);
        let game_place = place(file.game.span().start);
        let mut tuning = Self {
            title: file.title,
            about: file.about.split_whitespace().collect::<Vec<_>>().join(" "),
            seed: file.seed,
            game: file.game.into_inner(),
            agent: file.agent.into_inner(),
            baseline: file.baseline.into_inner(),
            limit,
            games: file.games,
            check: file.check,
            batch: file.batch,
            opening: file.opening,
            space,
            hash: String::new(),
            laboratory: laboratory.clone(),
        };
        laboratory.open(&tuning.game, None).map_err(|error| error.within(&game_place))?;
        laboratory.agent(&tuning.baseline).map_err(|error| error.within(&baseline_place))?;
        tuning.check_agents().map_err(|error| error.within(&agent_place))?;
        tuning.hash = tuning.hashed().map_err(|error| error.within(name))?;
        Ok(tuning)
    }

    /// Pairs that the tuner may see.
    pub fn tuning_pairs(&self) -> u64 {
        (self.games / 2 - self.check_pairs()).max(1)
    }

    /// Pairs that are held back for the check.
    pub fn check_pairs(&self) -> u64 {
        ((self.games as f64 * self.check / 2.0).round() as u64).max(1)
    }

    /// The agent's text with these values.
    pub fn agent_text(&self, setting: &Setting) -> Result<String, InputError> {
        let texts = self.space.texts(setting);
        let names = || self.space.parameters.iter().map(|parameter| parameter.name.as_str());
        let mut parts = self.agent.split('$');
        let mut text = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            let end = part.find(|letter| !is_part(letter)).unwrap_or(part.len());
            let (name, rest) = part.split_at(end);
            let place = names().position(|known| known == name);
            let place = place.ok_or_else(|| InputError::unknown("agent", "parameter", name, names()))?;
            text.push_str(&texts[place]);
            text.push_str(rest);
        }
        Ok(text)
    }

    /// Every parameter must be used, and the agent must be one at both ends of every range and with every word.
    fn check_agents(&self) -> Result<(), InputError> {
        for parameter in &self.space.parameters {
            let is_used = |part: &str| {
                part.strip_prefix(parameter.name.as_str())
                    .is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
            };
            if !self.agent.split('$').skip(1).any(is_used) {
                let problem = format!("the parameter `{}` is not used", parameter.name);
                return Err(InputError::new("agent", problem, format!("write ${} where it belongs", parameter.name)));
            }
        }
        let middle = self.space.at(&vec![0.5; self.space.parameters.len()]);
        for (at, parameter) in self.space.parameters.iter().enumerate() {
            for value in parameter.listed().unwrap_or_else(|| vec![parameter.value(0.0), parameter.value(1.0)]) {
                let mut setting = middle.clone();
                setting.values[at] = value;
                let text = self.agent_text(&setting)?;
                let within = |error: InputError| error.within(format!("with {}", self.space.write(&setting)));
                self.laboratory.agent(&text).map_err(within)?;
            }
        }
        Ok(())
    }

    /// A hash of everything that decides the games.
    fn hashed(&self) -> Result<String, InputError> {
        let middle = self.space.at(&vec![0.5; self.space.parameters.len()]);
        let plan = self.plan(&middle)?;
        let cell = &plan.cells[0];
        let baseline = plan.agents.iter().find(|(name, _)| name.starts_with(BASELINE)).map(|(_, text)| text.as_str());
        let parameters = format!("{:?}", self.space);
        let numbers = format!("{} {} {}", cell.budget, self.opening, self.batch);
        let parts = [cell.game.as_str(), &self.agent, baseline.unwrap_or_default(), &parameters, &numbers];
        let hash = parts.iter().fold(Seed::new(self.seed).named("tune"), |seed, part| seed.named(part));
        Ok(format!("{:016x}", hash.value()))
    }

    /// The plan of one setting against the baseline, without pairs.
    pub(crate) fn plan(&self, setting: &Setting) -> Result<Plan, InputError> {
        let name = self.space.write(setting);
        let mut plan = Plan::new(&self.experiment(&[(name, setting.clone())], self.seed)?)?;
        plan.cells.iter_mut().for_each(|cell| cell.pairs = 0);
        Ok(plan)
    }

    /// Named settings against the baseline, as an experiment of the laboratory.
    pub(crate) fn experiment(&self, settings: &[(String, Setting)], seed: u64) -> Result<Experiment, InputError> {
        let mut agents = BTreeMap::from([(BASELINE.to_string(), self.laboratory.agent(&self.baseline)?)]);
        for (name, setting) in settings {
            agents.insert(name.clone(), self.laboratory.agent(&self.agent_text(setting)?)?);
        }
        let one = Match {
            title: self.title.clone(),
            games: vec![self.game.clone()],
            a: settings.iter().map(|(name, _)| name.clone()).collect(),
            b: vec![BASELINE.to_string()],
            budgets: vec![self.limit],
            pairs: 1,
            stop: None,
            seeds: Seeds::default(),
            opening: self.opening,
            published: None,
            layout: Layout::default(),
            points: None,
        };
        Ok(Experiment {
            title: self.title.clone(),
            about: self.about.clone(),
            seed,
            margin: 3.0,
            notes: Vec::new(),
            agents,
            matches: vec![one],
            measures: Vec::new(),
            laboratory: self.laboratory.clone(),
            folder: PathBuf::new(),
        })
    }
}

impl ParameterFile {
    fn range(self, place: &str) -> Result<Range, InputError> {
        let is_logarithmic = self.scale == Scale::Logarithmic;
        match (self.words, self.from, self.to) {
            (Some(words), None, None) if !self.whole && !is_logarithmic => Ok(Range::Words(words)),
            (Some(_), ..) => {
                Err(InputError::new(place, "`words` stands beside a range", "words have neither ends nor scale"))
            }
            (None, Some(from), Some(to)) if self.whole => {
                if from.fract() != 0.0 || to.fract() != 0.0 || from.abs().max(to.abs()) > 1e15 {
                    return Err(InputError::new(
                        place,
                        "the ends are not whole",
                        "write whole numbers, or leave `whole` out",
                    ));
                }
                Ok(Range::Whole { from: from as i64, to: to as i64, is_logarithmic })
            }
            (None, Some(from), Some(to)) => Ok(Range::Number { from, to, is_logarithmic }),
            (None, ..) => {
                let remedy = "write { from = 0.1, to = 2 } or { words = [\"one\", \"other\"] }";
                Err(InputError::new(place, "a parameter without a range", remedy))
            }
        }
    }
}
