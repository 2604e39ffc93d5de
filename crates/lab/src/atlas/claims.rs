//! What papers say in words or as facts, and the rule by which each is decided: `experiments/atlas/claims.toml`.
//!
//! A claim that no rule decides is undecided. Where several numbers are looked at, intervals are widened so that all of
//! them hold together in 95 % of the cases (Bonferroni).

use super::kinds::Statement;
use super::parts::Part;
use crate::experiment::toml_error;
use crate::library;
use crate::measure::{Quantity, Sample, worth};
use crate::paper::{Choice, Scale};
use serde::Deserialize;
use spinney_core::InputError;
use spinney_core::expression::{Expression, write_sum};
use spinney_report::atlas::Standing;
use spinney_stats::{Confidence, Z95};
use spinney_table::Laboratory;

/// The file.
const FILE: &str = "claims.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    claim: Vec<Claim>,
}

/// A claim with its rule.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its column `claim` in the published table.
    pub claim: Statement,
    /// Its column `domain`.
    pub domain: String,
    /// How it is decided.
    pub rule: Rule,
    /// What repeats it.
    pub command: String,
    /// What there is to know.
    #[serde(default)]
    pub note: String,
}

/// How a claim is decided.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Rule {
    /// What an agent is worth in simulations of the baseline.
    Worth(Worth),
    /// All scores lie on an axis.
    Axis {
        /// The experiment.
        part: String,
        /// Whose scores.
        agents: Vec<String>,
        /// From so many simulations to so many.
        simulations: [u64; 2],
        /// The axis.
        range: [f64; 2],
    },
    /// One agent scores more than another.
    Order(Vec<Step>),
    /// What the error of a search is made of.
    Error {
        /// The experiment.
        part: String,
        /// The agent.
        agent: String,
        /// From so many simulations to so many.
        simulations: [u64; 2],
        /// Of the difference of the two moves instead of the value of the first.
        #[serde(default)]
        difference: bool,
        /// What it is mostly.
        mostly: Mostly,
        /// The bias is not larger.
        bias: Option<f64>,
    },
    /// An option has this value when it is left out.
    Default {
        /// The game.
        game: String,
        /// The agent.
        agent: String,
        /// Its option.
        option: String,
        /// The value.
        value: f64,
    },
    /// A full run of a table plays so many games for each point.
    Games {
        /// The table.
        table: String,
        /// So many.
        games: u64,
    },
    /// The play-outs make a move with this probability.
    Policy {
        /// The game.
        game: String,
        /// The move.
        #[serde(rename = "move")]
        mv: String,
        /// The probability.
        probability: f64,
    },
    /// The domain has at least so many states; here a bound from above is counted.
    States {
        /// The game.
        game: String,
        /// So many.
        exceed: f64,
    },
    /// Nothing here can decide it; the note says why.
    Open {},
}

/// What an agent is worth.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Worth {
    part: String,
    agent: String,
    baseline: String,
    simulations: Vec<u64>,
    /// At least so much.
    at_least: Option<f64>,
    /// Or between these, a part of them more or less.
    between: Option<[f64; 2]>,
    #[serde(default)]
    tolerance: f64,
}

/// One comparison of an order.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    part: String,
    more: String,
    less: String,
    simulations: Vec<u64>,
    /// An agent without either: a difference that is shown to be less than a tenth of what `less` brings beside it is none, so
    /// that the step is wrong although the difference may be above 0.
    beside: Option<String>,
}

/// The part of a gain below which a difference is none.
const NO_DIFFERENCE: f64 = 0.1;

/// What an error is mostly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mostly {
    /// Squared bias.
    Bias,
    /// Variance.
    Variance,
}

/// How a claim stands, and the numbers that say so.
pub type Judgement = (Standing, String);

/// All claims.
pub fn all() -> Result<Vec<Claim>, InputError> {
    let text = library::atlas_data(FILE);
    let claims = toml::from_str::<File>(text).map_err(|error| toml_error(FILE, text, &error))?.claim;
    let is_bare = |claim: &&Claim| match &claim.rule {
        Rule::Worth(rule) => rule.at_least.is_none() == rule.between.is_none(),
        _ => false,
    };
    if let Some(claim) = claims.iter().find(is_bare) {
        let place = format!("{FILE}, {:?} of {}", claim.claim, claim.domain);
        return Err(InputError::new(place, "it is not said what it is worth", "write either at_least or between"));
    }
    Ok(claims)
}

impl Claim {
    /// What the games and the program say.
    pub fn judge(&self, parts: &[Part]) -> Result<Judgement, InputError> {
        let part = |name: &str| {
            let names = parts.iter().map(|part| part.name);
            parts
                .iter()
                .find(|part| part.name == name)
                .ok_or_else(|| InputError::unknown(FILE, "experiment", name, names))
        };
        match &self.rule {
            Rule::Worth(rule) => Ok(rule.judge(part(&rule.part)?)),
            Rule::Axis { part: name, agents, simulations, range } => {
                Ok(axis(part(name)?, agents, *simulations, *range))
            }
            Rule::Order(steps) => {
                let found = steps.iter().map(|step| Ok((step, part(&step.part)?)));
                Ok(order(&found.collect::<Result<Vec<_>, InputError>>()?))
            }
            Rule::Error { part: name, agent, simulations, difference, mostly, bias } => {
                Ok(error(part(name)?, agent, *simulations, usize::from(*difference), *mostly, *bias))
            }
            Rule::Default { game, agent, option, value } => default_value(game, agent, option, *value),
            Rule::Games { table, games } => full_run(table, *games),
            Rule::Policy { game, mv, probability } => policy(game, mv, *probability),
            Rule::States { game, exceed } => states(game, *exceed),
            Rule::Open {} => Ok((Standing::Undecided, "cannot be decided from what the paper states".to_string())),
        }
    }
}

/// How much wider an interval is if `number` of them are to hold together.
pub(super) fn widened(number: usize) -> f64 {
    Confidence::new(1.0 - 0.05 / number.max(1) as f64).map_or(Z95, Confidence::quantile)
}

/// One of two things is so in some places and the other nowhere.
fn of_counts(yes: usize, no: usize) -> Standing {
    match (yes, no) {
        (1.., 0) => Standing::Agrees,
        (0, 1..) => Standing::Differs,
        _ => Standing::Undecided,
    }
}

/// How a difference stands that should be above 0, with its margin. It is none if it lacks so much, with a margin of its own, to
/// be as large as it must be.
fn of_difference((at, margin): (f64, f64), lack: Option<(f64, f64)>) -> Standing {
    let is_none = lack.is_some_and(|(lack, margin)| lack - margin > 0.0);
    of_counts(usize::from(at - margin > 0.0), usize::from(at + margin < 0.0 || is_none))
}

const NOTHING: &str = "nothing measured";

impl Worth {
    fn judge(&self, part: &Part) -> Judgement {
        let mut plain: Vec<(f64, f64, f64)> = Vec::new();
        for one in part.plan.measurements.iter().filter(|one| one.name == self.baseline) {
            let Some(simulations) = one.simulations else { continue };
            plain.extend(
                part.sample(&self.baseline, simulations)
                    .map(|sample| (simulations as f64, sample.mean(0), sample.error(0))),
            );
        }
        plain.sort_by(|one, other| one.0.total_cmp(&other.0));
        let found = self.simulations.iter().filter_map(|&simulations| {
            let sample = part.sample(&self.agent, simulations)?;
            let (factor, low, high) = worth(simulations as f64, (sample.mean(0), sample.error(0)), &plain)?;
            // Intervals are symmetric in doublings.
            Some((simulations, factor.log2(), (high.log2() - low.log2()) / (2.0 * Z95)))
        });
        let found: Vec<(u64, f64, f64)> = found.collect();
        if found.is_empty() {
            return (Standing::Unplayed, NOTHING.to_string());
        }
        let words = |at: f64, margin: f64| {
            format!("{:.2} [{:.2}, {:.2}]", at.exp2(), (at - margin).exp2(), (at + margin).exp2())
        };
        if let Some(least) = self.at_least {
            let z = widened(found.len());
            let yes = found.iter().filter(|(_, at, error)| at - z * error > least.log2()).count();
            let no = found.iter().filter(|(_, at, error)| at + z * error < least.log2()).count();
            let each = found.iter().map(|(number, at, error)| format!("{} with {number}", words(*at, z * error)));
            return (of_counts(yes, no), format!("worth {} simulations", each.collect::<Vec<_>>().join(", ")));
        }
        // Whoever reads the file has seen that one of both is there.
        let [low, high] = self.between.unwrap_or([0.0, f64::INFINITY]).map(f64::log2);
        let weight: f64 = found.iter().map(|(_, _, error)| error.powi(-2)).sum();
        let at = found.iter().map(|(_, at, error)| at * error.powi(-2)).sum::<f64>() / weight;
        let margin = Z95 / weight.sqrt();
        let allowed = (1.0 + self.tolerance).log2();
        let standing = if at - margin > low - allowed && at + margin < high + allowed {
            Standing::Agrees
        } else if at + margin < low || at - margin > high {
            Standing::Differs
        } else {
            Standing::Undecided
        };
        let numbers = found.iter().map(|(number, ..)| number.to_string()).collect::<Vec<_>>().join(", ");
        (standing, format!("worth {} times the simulations, over {numbers}", words(at, margin)))
    }
}

fn axis(part: &Part, agents: &[String], [from, to]: [u64; 2], [low, high]: [f64; 2]) -> Judgement {
    let mut scores: Vec<(&str, u64, &Sample)> = Vec::new();
    for one in &part.plan.measurements {
        let Some(simulations) = one.simulations.filter(|number| (from..=to).contains(number)) else { continue };
        if agents.contains(&one.name) && one.quantity == Quantity::Score {
            scores.extend(part.sample(&one.name, simulations).map(|sample| (one.name.as_str(), simulations, sample)));
        }
    }
    if scores.is_empty() {
        return (Standing::Unplayed, NOTHING.to_string());
    }
    let z = widened(scores.len());
    let ends = |sample: &Sample| (sample.mean(0) - z * sample.error(0), sample.mean(0) + z * sample.error(0));
    let lowest = scores.iter().map(|(_, _, sample)| sample.mean(0)).fold(f64::INFINITY, f64::min);
    let highest = scores.iter().map(|(_, _, sample)| sample.mean(0)).fold(f64::NEG_INFINITY, f64::max);
    let words = format!("{} points from {lowest:.1} to {highest:.1}", scores.len());
    if let Some((name, number, _)) = scores.iter().find(|(_, _, one)| ends(one).1 < low || ends(one).0 > high) {
        return (Standing::Differs, format!("{words}; {name} with {number} simulations lies outside"));
    }
    let missing: Vec<String> =
        [from, to].iter().filter(|end| scores.iter().all(|(_, at, _)| at != *end)).map(u64::to_string).collect();
    if !missing.is_empty() {
        return (Standing::Undecided, format!("{words}; nothing with {} simulations", missing.join(" and ")));
    }
    let all_inside = scores.iter().all(|(_, _, one)| ends(one).0 >= low && ends(one).1 <= high);
    (if all_inside { Standing::Agrees } else { Standing::Undecided }, words)
}

impl Step {
    /// The scores of agents, each times its factor, added up and averaged over all simulations, with the standard error; `None`
    /// if nothing was measured.
    fn sum_of(&self, part: &Part, terms: &[(&str, f64)]) -> Option<(f64, f64)> {
        let sum = |&number: &u64| {
            terms.iter().try_fold((0.0, 0.0), |(sum, variance), (agent, factor)| {
                let sample = part.sample(agent, number)?;
                Some((sum + factor * sample.mean(0), variance + (factor * sample.error(0)).powi(2)))
            })
        };
        let found: Vec<(f64, f64)> = self.simulations.iter().filter_map(sum).filter(|found| found.1 > 0.0).collect();
        let weight: f64 = found.iter().map(|(_, variance)| variance.recip()).sum();
        let total: f64 = found.iter().map(|(sum, variance)| sum / variance).sum();
        (!found.is_empty()).then(|| (total / weight, weight.recip().sqrt()))
    }
}

fn order(steps: &[(&Step, &Part)]) -> Judgement {
    let z = widened(steps.len());
    let (mut words, mut standings) = (Vec::new(), Vec::new());
    for (step, part) in steps {
        let game = part.plan.measurements.first().map_or("", |one| one.game.as_str());
        let game = crate::reduce::name_of(game);
        let label = format!("{game}: {} over {}", step.more, step.less);
        let (more, less) = (step.more.as_str(), step.less.as_str());
        let Some((at, error)) = step.sum_of(part, &[(more, 1.0), (less, -1.0)]) else {
            standings.push(Standing::Unplayed);
            words.push(format!("{label} {NOTHING}"));
            continue;
        };
        let lack = step
            .beside
            .as_ref()
            .and_then(|base| step.sum_of(part, &[(more, -1.0), (less, 1.0 + NO_DIFFERENCE), (base, -NO_DIFFERENCE)]));
        let standing = of_difference((at, z * error), lack.map(|(lack, error)| (lack, z * error)));
        standings.push(standing);
        let smaller = match (standing, lack) {
            (Standing::Differs, Some((lack, error))) if at + z * error >= 0.0 => {
                format!(", {lack:.2} ± {:.2} less than a tenth of what {less} brings", z * error)
            }
            _ => String::new(),
        };
        words.push(format!("{label} {at:+.2} ± {:.2}{smaller}", z * error));
    }
    let is_all = |one: Standing| standings.iter().all(|standing| *standing == one);
    let standing = match () {
        () if is_all(Standing::Agrees) => Standing::Agrees,
        () if is_all(Standing::Unplayed) => Standing::Unplayed,
        () if standings.contains(&Standing::Differs) => Standing::Differs,
        () => Standing::Undecided,
    };
    (standing, words.join("; "))
}

fn error(part: &Part, agent: &str, [from, to]: [u64; 2], index: usize, mostly: Mostly, most: Option<f64>) -> Judgement {
    let mut found: Vec<(u64, f64, &Sample)> = Vec::new();
    for one in part.plan.measurements.iter().filter(|one| one.name == agent) {
        let (Some(number), Quantity::Root { exact: Some([first, other]), .. }) = (one.simulations, &one.quantity)
        else {
            continue;
        };
        if (from..=to).contains(&number)
            && let Some(sample) = part.sample(agent, number)
        {
            found.push((number, [*first, first - other][index], sample));
        }
    }
    if found.is_empty() {
        return (Standing::Unplayed, NOTHING.to_string());
    }
    let z = widened(2 * found.len());
    let (mut yes, mut no) = (0, 0);
    let (mut least, mut largest_bias) = (1.0f64, 0.0f64);
    for (_, exact, sample) in &found {
        let (bias, margin) = ((sample.mean(index) - exact).abs(), z * sample.error(index));
        let (variance, spread) = (sample.variance(index), z * (2.0 / (sample.count - 1) as f64).sqrt());
        let biases = [(bias - margin).max(0.0).powi(2), (bias + margin).powi(2)];
        let variances = [variance * (1.0 - spread).max(0.0), variance * (1.0 + spread)];
        let (own, other) = if mostly == Mostly::Bias { (biases, variances) } else { (variances, biases) };
        let is_small = most.is_none_or(|most| bias + margin <= most);
        let is_large = most.is_some_and(|most| bias - margin > most);
        yes += usize::from(own[0] > other[1] && is_small);
        no += usize::from(own[1] < other[0] || is_large);
        let share = bias.powi(2) / (bias.powi(2) + variance);
        least = least.min(if mostly == Mostly::Bias { share } else { 1.0 - share });
        largest_bias = largest_bias.max(bias);
    }
    let standing = match (yes == found.len(), no) {
        (true, _) => Standing::Agrees,
        (_, 1..) => Standing::Differs,
        _ => Standing::Undecided,
    };
    let what = if mostly == Mostly::Bias { "squared bias" } else { "variance" };
    let words = format!(
        "{what} is at least {:.1} % of the error at {} budgets; largest bias {largest_bias:.2}",
        100.0 * least,
        found.len()
    );
    (standing, words)
}

fn equals(found: f64, published: f64) -> Standing {
    if (found - published).abs() <= 1e-6 * published.abs().max(1.0) { Standing::Agrees } else { Standing::Differs }
}

fn default_value(game: &str, agent: &str, option: &str, value: f64) -> Result<Judgement, InputError> {
    let laboratory = Laboratory::standard();
    let mut table = laboratory.open(game, None)?;
    let seat = table.seat(&laboratory.agent(agent)?)?;
    let described = Expression::read(FILE, &table.agent(seat))?;
    // A description leaves out what is as published for the game; that stands with the game.
    let published = Expression::read(FILE, &format!("{}({})", described.name, table.published().agent))?;
    let known: Vec<_> = described.arguments.iter().chain(&published.arguments).collect();
    let Some(argument) = known.iter().find(|argument| argument.key == option) else {
        return Err(InputError::unknown(FILE, "option", option, known.iter().map(|argument| argument.key.as_str())));
    };
    let text = write_sum(&argument.value);
    let found: f64 = text.parse().map_err(|_| InputError::new(FILE, format!("{option} is {text}"), "name a number"))?;
    Ok((equals(found, value), format!("{option} = {text} when it is left out")))
}

fn full_run(table: &str, games: u64) -> Result<Judgement, InputError> {
    let choice = Choice { tables: vec![table.to_string()], scale: Scale::Full, ..Choice::default() };
    let experiment = library::paper("variance-reduction")?.experiment(&choice)?;
    let most = experiment.measures.iter().map(|one| one.repetitions).max().unwrap_or(0);
    Ok((equals(most as f64, games as f64), format!("a full run plays {most} games a point")))
}

fn policy(game: &str, mv: &str, probability: f64) -> Result<Judgement, InputError> {
    let found = match game {
        "pig" => super::facts::policy_share(&spinney_games::Pig::default(), mv),
        "cant-stop" => super::facts::policy_share(&spinney_games::CantStop::default(), mv),
        _ => return Err(InputError::unknown(FILE, "game with a choice of two", game, ["pig", "cant-stop"])),
    };
    match found {
        Some(found) => Ok((equals(found, probability), format!("{mv} with probability {found}"))),
        None => Ok((Standing::Undecided, format!("{mv} was not met"))),
    }
}

fn states(game: &str, exceed: f64) -> Result<Judgement, InputError> {
    if game != "cant-stop" {
        return Err(InputError::unknown(FILE, "game whose states are counted", game, ["cant-stop"]));
    }
    let most = super::facts::most_states_of_cant_stop();
    // A bound from above refutes; it cannot confirm.
    let standing = if most < exceed { Standing::Differs } else { Standing::Undecided };
    Ok((standing, format!("at most {most:.1e} states with the rules as they are here")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two techniques that bring the same are not told apart by any number of games; that they differ by little is.
    #[test]
    fn a_difference_that_is_too_small_is_none() {
        assert_eq!(of_difference((5.0, 1.0), Some((-0.5, 1.0))), Standing::Agrees);
        assert_eq!(of_difference((-0.2, 3.4), Some((4.7, 3.6))), Standing::Differs);
        assert_eq!(of_difference((-0.2, 3.4), Some((4.7, 5.0))), Standing::Undecided);
        assert_eq!(of_difference((-0.2, 3.4), None), Standing::Undecided);
        assert_eq!(of_difference((-5.0, 1.0), None), Standing::Differs);
    }
}
