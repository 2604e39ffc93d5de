//! Measurements in games of one player: scores of whole games, or what a search says of the first moves.
//!
//! A [`Measure`] of an experiment becomes [`Measurement`]s of the plan, one agent in one game with one budget each. They are
//! repeated in portions: a portion is what a thread takes up, and what is stored as one line.

use crate::agents::Grids;
use crate::experiment::{check_agents, check_filled, product};
use crate::grid;
use crate::limit::{BudgetFile, Limit, read_budgets};
use crate::record::{Portion, VERSION};
use crate::sheets::GameName;
use serde::Deserialize;
use spinney_core::expression::Expression;
use spinney_core::{InputError, Seed};
use spinney_search::AgentSettings;
use spinney_stats::Z95;
use spinney_table::table::Question;
use spinney_table::{Laboratory, Table};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Repetitions in one portion.
pub const PORTION: u64 = 50;

/// Every agent in every game with every budget.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// The heading of the section in the report; measures of the same title share a section.
    pub title: String,
    /// Games of one player, with options.
    pub games: Vec<String>,
    /// Names of agents.
    pub agents: Vec<String>,
    /// How long they think.
    pub budgets: Vec<Limit>,
    /// How often each cell is repeated: whole portions.
    pub repetitions: u64,
    /// What is measured.
    pub quantity: Quantity,
    /// How it is shown.
    pub view: View,
}

/// What is measured.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// The score of a whole game.
    Score,
    /// At the initial position, the value of the first of two moves and by how much it is above the other's.
    Root {
        /// The moves.
        moves: [String; 2],
        /// Their true values, where they are known.
        exact: Option<[f64; 2]>,
    },
}

/// How the measurements of a section are shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// What a score is counted in.
    pub unit: String,
    /// The agent whose simulations tell what the others are worth.
    pub baseline: Option<String>,
    /// Agents measured in other sections that stand beside in the figure.
    pub beside: Vec<String>,
    /// The published statement, by the columns of its row.
    pub published: Option<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MeasureFile {
    title: Option<String>,
    games: Vec<String>,
    agents: Vec<String>,
    #[serde(default)]
    budgets: Vec<BudgetFile>,
    #[serde(default = "default_repetitions")]
    repetitions: u64,
    #[serde(default)]
    what: What,
    moves: Option<[String; 2]>,
    exact: Option<[f64; 2]>,
    #[serde(default = "default_unit")]
    unit: String,
    baseline: Option<String>,
    #[serde(default)]
    beside: Vec<String>,
    published: Option<BTreeMap<String, String>>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum What {
    #[default]
    Score,
    Root,
}

fn default_repetitions() -> u64 {
    1000
}

fn default_unit() -> String {
    "points".to_string()
}

impl MeasureFile {
    /// The measure, if it makes sense with these agents.
    pub(crate) fn checked(
        mut self,
        agents: &BTreeMap<String, AgentSettings>,
        grids: &Grids,
        place: &str,
    ) -> Result<Measure, InputError> {
        self.title.get_or_insert_with(|| self.agents.join(", "));
        self.agents = grids.points_of(self.agents, agents, place)?;
        self.beside = grids.points_of(self.beside, agents, place)?;
        self.baseline.iter().try_for_each(|name| grids.refuse(name, place))?;
        check_agents(self.agents.iter().chain(&self.baseline).chain(&self.beside), agents, place)?;
        check_filled([(&self.games, "games"), (&self.agents, "agents")], place)?;
        if !(1..=100_000_000).contains(&self.repetitions) {
            let problem = format!("`repetitions` is {}", self.repetitions);
            return Err(InputError::new(place, problem, "write a number from 1 to 100000000"));
        }
        let quantity = match (self.what, self.moves, self.exact) {
            (What::Score, None, None) => Quantity::Score,
            (What::Score, ..) => {
                let problem = "`moves` and `exact` belong to the first moves";
                return Err(InputError::new(place, problem, "write what = \"root\", or leave them out"));
            }
            (What::Root, None, _) => {
                let problem = "`what` is \"root\", but no moves are named";
                return Err(InputError::new(place, problem, "write moves = [\"FIRST\", \"OTHER\"]"));
            }
            (What::Root, Some(moves), exact) => {
                if exact.is_some_and(|values| !values.iter().all(|value| value.is_finite())) {
                    return Err(InputError::new(place, "`exact` is not finite", "write two numbers"));
                }
                Quantity::Root { moves, exact }
            }
        };
        let budgets = read_budgets(&self.budgets, place)?;
        if budgets.iter().any(|limit| limit.clock().is_some()) {
            let remedy = "write { simulations = N }, { time = S } or { cpu_time = S }";
            return Err(InputError::new(place, "a clock is for games of two players", remedy));
        }
        Ok(Measure {
            title: self.title.unwrap_or_default(),
            games: grid::games(&self.games, place)?,
            budgets,
            repetitions: self.repetitions.next_multiple_of(PORTION),
            quantity,
            view: View { unit: self.unit, baseline: self.baseline, beside: self.beside, published: self.published },
            agents: self.agents,
        })
    }
}

impl Measure {
    /// All agents that it names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.agents.iter().chain(&self.view.baseline).chain(&self.view.beside)
    }

    pub(crate) fn cells(&self) -> u64 {
        product([self.games.len(), self.agents.len(), self.budgets.len()])
    }
}

/// One agent in one game with one budget: a cell of the plan.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// Names the cell in records: a hash of everything that decides its numbers.
    pub key: String,
    /// Index of its section.
    pub section: usize,
    /// The game with all its options.
    pub game: String,
    /// The game as the experiment writes it.
    pub written_game: String,
    /// The agent's name in the experiment.
    pub name: String,
    /// The agent with its budget.
    pub agent: AgentSettings,
    /// Where game and agent come from.
    pub laboratory: Laboratory,
    /// The agent's full settings in this game.
    pub described: String,
    /// How long a move may take, in words.
    pub budget: String,
    /// Simulations per move, where they are what limits it.
    pub simulations: Option<u64>,
    /// Whether time limits the agent, or it thinks on many threads: then nobody can measure the same again.
    pub is_timed: bool,
    /// What is measured.
    pub quantity: Quantity,
    /// How often.
    pub repetitions: u64,
    /// Its randomness.
    pub seed: Seed,
}

impl Measurement {
    /// The cell of this agent, whose settings include its budget; fails if it cannot be played.
    pub fn new(
        laboratory: &Laboratory,
        game: &GameName,
        (name, agent): (&str, AgentSettings),
        (quantity, repetitions): (&Quantity, u64),
        seed: u64,
    ) -> Result<Self, InputError> {
        let table = seated(laboratory, &game.opened, &agent)?;
        let what = match quantity {
            Quantity::Score => "score".to_string(),
            Quantity::Root { moves, .. } => {
                let known = table.moves();
                if let Some(unknown) = moves.iter().find(|wanted| !known.contains(wanted)) {
                    return Err(InputError::unknown("moves", "move", unknown, known.iter().map(String::as_str)));
                }
                // The two moves of a game that has no others need not be named to tell it from others.
                if known == moves { "root".to_string() } else { format!("root {}", moves.join(" ")) }
            }
        };
        let budget = table.budget(0);
        let threads = agent.threads();
        let short = brief(&agent);
        let described = table.agent(0);
        let hashed = game.hashed.clone().unwrap_or_else(|| table.game());
        let key = [what.as_str(), &hashed, &described].iter().fold(Seed::new(seed), |seed, part| seed.named(part));
        let seeded = game.hashed.as_ref().unwrap_or(&game.opened);
        Ok(Self {
            key: format!("{:016x}", key.value()),
            section: 0,
            laboratory: laboratory.clone(),
            game: table.game(),
            written_game: game.written.clone(),
            name: name.to_string(),
            agent,
            described,
            budget: crate::plan::budget_words(&budget),
            simulations: budget.simulations,
            is_timed: budget.time.or(budget.cpu_time).is_some() || threads > 1,
            quantity: quantity.clone(),
            repetitions,
            seed: Seed::new(seed).named(&format!("{what} {seeded} {short} seed {seed}")),
        })
    }

    /// Number of portions.
    pub fn portions(&self) -> u64 {
        self.repetitions.div_ceil(PORTION)
    }

    /// How much is thought in a portion, roughly, where a pair of games with as many simulations has one for each.
    pub(crate) fn thought(&self) -> u64 {
        let repetitions = if self.quantity == Quantity::Score { PORTION } else { PORTION.div_ceil(20) };
        self.simulations.unwrap_or(1000).saturating_mul(repetitions)
    }

    /// A table with the game and the agent.
    pub fn table(&self) -> Result<Box<dyn Table>, InputError> {
        seated(&self.laboratory, &self.game, &self.agent)
    }

    /// One line that tells the cell from others.
    pub fn label(&self) -> String {
        format!("{} · {} · {}", self.written_game, self.name, self.budget)
    }

    /// Measures a portion; `None` if `stop` was set meanwhile. `tell` hears of every repetition.
    pub fn measure(&self, table: &mut dyn Table, number: u64, stop: &AtomicBool, tell: &dyn Fn()) -> Option<Portion> {
        let seed = self.seed.child(number);
        let mut sample = Sample::default();
        for repetition in 0..PORTION.min(self.repetitions - (number * PORTION).min(self.repetitions)) {
            sample.add(&self.once(table, seed.child(repetition), stop)?);
            tell();
        }
        let Sample { count, sums, squares } = sample;
        Some(Portion { v: VERSION, cell: self.key.clone(), portion: number, count, sums, squares })
    }

    /// The numbers of one repetition.
    fn once(&self, table: &mut dyn Table, seed: Seed, stop: &AtomicBool) -> Option<Vec<f64>> {
        match &self.quantity {
            Quantity::Score => table.play_game([0, 1], 0, seed, stop).map(|game| vec![game.score]),
            Quantity::Root { moves, .. } => {
                let thought = table.think(0, &mut Question { seed, budget: None, stop, observer: None });
                // A move that was never tried has no value; the search of so few simulations knows nothing of it.
                let mean = |mv: &String| {
                    thought.candidates.iter().find(|one| one.mv == *mv).map_or(0.0, |one| f64::from(one.mean))
                };
                let [first, other] = moves.each_ref().map(mean);
                (!stop.load(Ordering::Relaxed)).then(|| vec![first, first - other])
            }
        }
    }
}

/// The agent's own text, in which an option that is on is written by its name alone. Seeds follow from it.
fn brief(agent: &AgentSettings) -> String {
    let text = agent.to_string();
    let Ok(mut expression) = Expression::read("agent", &text) else { return text };
    for argument in &mut expression.arguments {
        if argument.value.iter().map(ToString::to_string).eq(["on"]) {
            argument.value.clear();
        }
    }
    expression.to_string()
}

fn seated(laboratory: &Laboratory, game: &str, agent: &AgentSettings) -> Result<Box<dyn Table>, InputError> {
    let mut table = laboratory.open(game, None)?;
    if table.score().is_none() {
        let problem = format!("{} has two players", table.game());
        return Err(InputError::new("games", problem, "name games of one player; `match` compares two"));
    }
    table.seat(agent)?;
    // A table has two seats; the second of a game of one player is never asked.
    table.seat(&"random".parse()?)?;
    Ok(table)
}

/// Sums over repetitions: of the score, or of value and difference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// Repetitions.
    pub count: u64,
    sums: Vec<f64>,
    squares: Vec<f64>,
}

impl Sample {
    fn add(&mut self, values: &[f64]) {
        let squares: Vec<f64> = values.iter().map(|value| value * value).collect();
        self.take(1, values, &squares);
    }

    /// Takes in a portion.
    pub fn merge(&mut self, portion: &Portion) {
        self.take(portion.count, &portion.sums, &portion.squares);
    }

    fn take(&mut self, count: u64, sums: &[f64], squares: &[f64]) {
        self.count += count;
        for (own, added) in [(&mut self.sums, sums), (&mut self.squares, squares)] {
            own.resize(own.len().max(added.len()), 0.0);
            own.iter_mut().zip(added).for_each(|(own, added)| *own += added);
        }
    }

    /// Whether there is a second number.
    pub fn has_second(&self) -> bool {
        self.sums.len() > 1
    }

    /// Mean of the first or the second number; 0 without repetitions.
    pub fn mean(&self, index: usize) -> f64 {
        self.sums.get(index).map_or(0.0, |sum| sum / self.count.max(1) as f64)
    }

    /// Sample variance of the first or the second number.
    pub fn variance(&self, index: usize) -> f64 {
        let (Some(sum), Some(squares), 2..) = (self.sums.get(index), self.squares.get(index), self.count) else {
            return 0.0;
        };
        ((squares - sum * self.mean(index)) / (self.count - 1) as f64).max(0.0)
    }

    /// Standard error of the mean.
    pub fn error(&self, index: usize) -> f64 {
        (self.variance(index) / self.count.max(1) as f64).sqrt()
    }

    /// Half the width of the 95 % interval of the mean.
    pub fn margin(&self, index: usize) -> f64 {
        Z95 * self.error(index)
    }
}

/// How many simulations the plain search needs for a score, per simulation of the technique: interpolated between the
/// points of the plain curve over the logarithm of the simulations, with a 95 % interval. `None` beyond its ends.
///
/// ```
/// use spinney_lab::measure::worth;
/// let plain = [(16.0, 10.0, 0.1), (32.0, 20.0, 0.1), (64.0, 30.0, 0.1)];
/// let (factor, low, high) = worth(16.0, (20.0, 0.1), &plain).unwrap();
/// assert!((factor - 2.0).abs() < 1e-9 && low < 2.0 && high > 2.0);
/// ```
pub fn worth(simulations: f64, (score, error): (f64, f64), plain: &[(f64, f64, f64)]) -> Option<(f64, f64, f64)> {
    plain.windows(2).find_map(|pair| {
        let [(x0, y0, e0), (x1, y1, e1)] = pair else { return None };
        if !(y0 <= &score && &score <= y1 && y1 > y0) {
            return None;
        }
        let share = (score - y0) / (y1 - y0);
        let doublings = (x1 / x0).log2();
        let at = x0.log2() + share * doublings;
        // The plain curve is uncertain too, between its points by their mixture.
        let variance = error * error + ((1.0 - share) * e0).powi(2) + (share * e1).powi(2);
        let margin = Z95 * variance.sqrt() * doublings / (y1 - y0);
        let factor = |at: f64| at.exp2() / simulations;
        Some((factor(at), factor(at - margin), factor(at + margin)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measurement(game: &str, agent: &str, quantity: &Quantity) -> Result<Measurement, InputError> {
        Measurement::new(
            &Laboratory::standard(),
            &GameName::plain(game),
            ("x", agent.parse().unwrap()),
            (quantity, 120),
            2011,
        )
    }

    /// The first portion of `results/variance-reduction`, as it was measured before experiments had measures.
    #[test]
    fn numbers_are_those_of_the_kept_results() {
        let moves = ["roll", "stop"].map(str::to_string);
        let root = Quantity::Root { moves, exact: None };
        let one = measurement("pig", "mcts(crn=on, sims=64, cv)", &root).unwrap();
        let portion = one.measure(one.table().unwrap().as_mut(), 0, &AtomicBool::new(false), &|| {}).unwrap();
        assert_eq!((portion.count, portion.sums), (50, vec![1794.3725967407227, 283.53679847717285]));
        assert_eq!(portion.squares, [65407.47568339082, 3488.7732427795236]);
    }

    #[test]
    fn the_last_portion_is_what_is_left() {
        let one = measurement("pig(turns=2)", "mcts(sims=4)", &Quantity::Score).unwrap();
        let mut table = one.table().unwrap();
        let mut sample = Sample::default();
        for number in 0..one.portions() {
            sample.merge(&one.measure(table.as_mut(), number, &AtomicBool::new(false), &|| {}).unwrap());
        }
        assert_eq!(sample.count, 120);
        assert!(sample.mean(0) > 0.0 && sample.error(0) > 0.0 && sample.mean(1) == 0.0);
    }

    #[test]
    fn what_cannot_be_measured_is_refused() {
        let error = |game: &str, quantity: &Quantity| measurement(game, "mcts", quantity).unwrap_err().to_string();
        assert!(error("tic-tac-toe", &Quantity::Score).contains("two players"));
        let moves = ["role", "stop"].map(str::to_string);
        assert!(error("pig", &Quantity::Root { moves, exact: None }).contains("did you mean `roll`?"));
    }
}
