//! Experiment files: what is to be compared, written in TOML.
//!
//! ```toml
//! title = "Policies against uniform play-outs"
//! seed = 2014
//! pairs = 100
//!
//! [agents.base]
//! kind = "mcts"
//! playout = "uniform"
//!
//! [agents.policy]
//! like = "base"
//! playout = "policy"
//!
//! [[match]]
//! games = ["breakthrough", "breakthrough(rows=6, columns=6)"]
//! a = ["policy"]
//! b = ["base"]
//! budgets = [{ simulations = 1000 }]
//!
//! [[measure]]
//! games = ["pig"]
//! agents = ["base", "policy"]
//! budgets = [{ simulations = 64 }]
//! repetitions = 1000
//! ```

use crate::agents::read_agents;
use crate::grid::{self, simple_text};
use crate::limit::{BudgetFile, Limit, read_budgets};
use crate::measure::{Measure, MeasureFile};
use crate::stop::{Kind, Stop};
use serde::Deserialize;
use spinney_core::InputError;
use spinney_core::expression::{Argument, Expression};
use spinney_search::AgentSettings;
use spinney_table::Laboratory;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// An experiment as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// What it is called.
    pub title: String,
    /// What it is about, in a paragraph.
    pub about: String,
    /// Seed of all randomness.
    pub seed: u64,
    /// Percentage points within which a score agrees with a published one.
    pub margin: f64,
    /// Known differences from what was published.
    pub notes: Vec<String>,
    /// The agents by name.
    pub agents: BTreeMap<String, AgentSettings>,
    /// What is played.
    pub matches: Vec<Match>,
    /// What is measured in games of one player.
    pub measures: Vec<Measure>,
    /// Where its games and agents come from.
    pub laboratory: Laboratory,
    /// The folder that paths of rule sheets are seen from: that of its file.
    pub folder: PathBuf,
}

/// Every agent of `a` against every agent of `b` in every game with every budget.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The heading of the section in the report; matches of the same title share a section.
    pub title: String,
    /// Games with options.
    pub games: Vec<String>,
    /// Names of agents.
    pub a: Vec<String>,
    /// Names of agents.
    pub b: Vec<String>,
    /// How long the agents think.
    pub budgets: Vec<Limit>,
    /// Pairs of games in each cell; with a rule the largest number.
    pub pairs: u64,
    /// When a cell may end before.
    pub stop: Option<Stop>,
    /// What the seeds of pairs depend on.
    pub seeds: Seeds,
    /// Random plies before the agents take over.
    pub opening: u32,
    /// Which published numbers stand beside, by column of the published table.
    pub published: Option<BTreeMap<String, String>>,
    /// How its section is shown.
    pub layout: Layout,
    /// Where the agents of `a` stand on an axis.
    pub points: Option<Points>,
}

/// What the seeds of the pairs of a cell depend on, beside the experiment's seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seeds {
    /// Everything that decides its games.
    #[default]
    Cell,
    /// The game as it is written, so that all agents meet the same openings: as in `spinney match`.
    Game,
}

/// Agents that differ in one number, for a curve.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// What the number is, with its unit.
    pub label: String,
    /// The number of each agent of `a`, in their order.
    pub values: Vec<f64>,
    /// The column of the published table that holds this number.
    pub column: Option<String>,
}

/// How the cells of a section are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// One below the other.
    #[default]
    List,
    /// Also as papers print them: games as rows, agents and budgets as columns.
    Table,
    /// Components and pairs of components as a matrix.
    Ablation,
}

/// Between the names of two components.
pub(crate) const WITH: &str = " + ";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExperimentFile {
    title: String,
    #[serde(default)]
    about: String,
    #[serde(default = "default_seed")]
    seed: u64,
    #[serde(default = "default_pairs")]
    pairs: u64,
    #[serde(default)]
    opening: u32,
    #[serde(default = "default_margin")]
    margin: f64,
    #[serde(default)]
    notes: Vec<String>,
    stop: Option<Spanned<toml::Value>>,
    agents: BTreeMap<Spanned<String>, BTreeMap<Spanned<String>, toml::Value>>,
    #[serde(default)]
    components: BTreeMap<Spanned<String>, BTreeMap<Spanned<String>, toml::Value>>,
    #[serde(default, rename = "match")]
    matches: Vec<Spanned<MatchFile>>,
    #[serde(default, rename = "measure")]
    measures: Vec<Spanned<MeasureFile>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MatchFile {
    #[serde(default)]
    title: Option<String>,
    games: Vec<String>,
    #[serde(default)]
    a: Vec<String>,
    #[serde(default)]
    components: Vec<String>,
    b: Vec<String>,
    #[serde(default)]
    budgets: Vec<BudgetFile>,
    pairs: Option<u64>,
    opening: Option<u32>,
    stop: Option<toml::Value>,
    #[serde(default)]
    seeds: Seeds,
    published: Option<BTreeMap<String, String>>,
    #[serde(default)]
    layout: Layout,
    points: Option<Points>,
}

fn default_seed() -> u64 {
    1
}

fn default_pairs() -> u64 {
    100
}

fn default_margin() -> f64 {
    3.0
}

impl Experiment {
    /// Reads an experiment file; `name` is its path, and the place in errors.
    pub fn read(name: &str, text: &str) -> Result<Self, InputError> {
        Self::read_in(&Laboratory::standard(), name, text)
    }

    /// As `read`, with games and agents of this laboratory.
    pub fn read_in(laboratory: &Laboratory, name: &str, text: &str) -> Result<Self, InputError> {
        let file: ExperimentFile = toml::from_str(text).map_err(|error| toml_error(name, text, &error))?;
        let place = |offset: usize| format!("{name}, line {}", line_of(text, offset));
        let (mut agents, grids) = read_agents(laboratory, &file.agents, &place)?;
        let components = Components::read(&file.components, &place)?;
        let stop = match &file.stop {
            Some(value) => Stop::read(value.get_ref(), &place(value.span().start))?,
            None => None,
        };
        let usual = Usual { pairs: file.pairs, opening: file.opening, stop };
        let mut matches = Vec::new();
        if file.matches.is_empty() && file.measures.is_empty() {
            return Err(InputError::new(name, "it plays nothing", "add a table [[match]] or [[measure]]"));
        }
        for spanned in file.matches {
            let here = place(spanned.span().start);
            let mut one = spanned.into_inner();
            // A grid is called by its name; what components make is named below.
            if !one.a.is_empty() {
                one.title.get_or_insert_with(|| heading(&one.a, &one.b));
            }
            one.a = grids.points_of(one.a, &agents, &here)?;
            one.b = grids.points_of(one.b, &agents, &here)?;
            components.combine(laboratory, &mut one, &mut agents, &here)?;
            matches.push(read_match(one, &usual, &agents, &here)?);
        }
        let mut measures = Vec::new();
        for spanned in file.measures {
            let here = place(spanned.span().start);
            measures.push(spanned.into_inner().checked(&agents, &grids, &here)?);
        }
        if !(0.0..=50.0).contains(&file.margin) {
            return Err(InputError::new(name, "`margin` is out of range", "write percentage points from 0 to 50"));
        }
        Ok(Self {
            laboratory: laboratory.clone(),
            folder: Path::new(name).parent().map(Path::to_path_buf).unwrap_or_default(),
            title: file.title,
            about: file.about.split_whitespace().collect::<Vec<_>>().join(" "),
            seed: file.seed,
            margin: file.margin,
            notes: file.notes,
            agents,
            matches,
            measures,
        })
    }
}

impl Experiment {
    /// How many cells it has.
    pub fn cells(&self) -> u64 {
        let matches = self.matches.iter().map(Match::cells);
        matches.chain(self.measures.iter().map(Measure::cells)).fold(0, u64::saturating_add)
    }

    /// How many games are played, and searches measured, in all of them.
    pub fn games(&self) -> u64 {
        let matches = self.matches.iter().map(|one| one.cells().saturating_mul(2 * one.pairs));
        let measures = self.measures.iter().map(|one| one.cells().saturating_mul(one.repetitions));
        matches.chain(measures).fold(0, u64::saturating_add)
    }

    /// All games that are named, in the order of the file.
    pub fn named_games(&self) -> impl Iterator<Item = &String> {
        self.matches.iter().flat_map(|one| &one.games).chain(self.measures.iter().flat_map(|one| &one.games))
    }
}

impl Match {
    fn cells(&self) -> u64 {
        product([self.games.len(), self.a.len(), self.b.len(), self.budgets.len()])
    }
}

pub(crate) fn product<const N: usize>(sizes: [usize; N]) -> u64 {
    sizes.iter().fold(1, |product, &size| product.saturating_mul(size as u64))
}

/// What a match without a title is called.
fn heading(a: &[String], b: &[String]) -> String {
    format!("{} against {}", a.join(", "), b.join(", "))
}

/// What the experiment says for all matches.
struct Usual {
    pairs: u64,
    opening: u32,
    stop: Option<Stop>,
}

fn read_match(
    file: MatchFile,
    usual: &Usual,
    agents: &BTreeMap<String, AgentSettings>,
    place: &str,
) -> Result<Match, InputError> {
    check_agents(file.a.iter().chain(&file.b), agents, place)?;
    check_filled([(&file.games, "games"), (&file.a, "a"), (&file.b, "b")], place)?;
    if let Some(points) = &file.points
        && (points.values.len() != file.a.len() || !points.values.iter().all(|value| value.is_finite()))
    {
        let problem = format!("`points` has {} values for {} agents", points.values.len(), file.a.len());
        return Err(InputError::new(place, problem, "write one number for each agent of `a`"));
    }
    let budgets = read_budgets(&file.budgets, place)?;
    let pairs = file.pairs.unwrap_or(usual.pairs);
    if !(1..=100_000_000).contains(&pairs) {
        return Err(InputError::new(place, format!("`pairs` is {pairs}"), "write a number from 1 to 100000000"));
    }
    let stop = match &file.stop {
        Some(value) => Stop::read(value, place)?,
        None => usual.stop.clone(),
    };
    let decides_published = stop.as_ref().is_some_and(|stop| matches!(stop.kind, Kind::Published { .. }));
    if decides_published && file.published.is_none() {
        let problem = "`stop` waits for a verdict, but no published number stands beside";
        return Err(InputError::new(place, problem, "add `published`, or another rule, or stop = false"));
    }
    Ok(Match {
        title: file.title.unwrap_or_else(|| heading(&file.a, &file.b)),
        games: grid::games(&file.games, place)?,
        a: file.a,
        b: file.b,
        budgets,
        pairs,
        stop,
        seeds: file.seeds,
        opening: file.opening.unwrap_or(usual.opening),
        published: file.published,
        layout: file.layout,
        points: file.points,
    })
}

/// Every agent that is named must be known.
pub(crate) fn check_agents<'a>(
    mut names: impl Iterator<Item = &'a String>,
    agents: &BTreeMap<String, AgentSettings>,
    place: &str,
) -> Result<(), InputError> {
    match names.find(|name| !agents.contains_key(*name)) {
        Some(name) => Err(InputError::unknown(place, "agent", name, agents.keys().map(String::as_str))),
        None => Ok(()),
    }
}

/// No list may be empty.
pub(crate) fn check_filled<const N: usize>(lists: [(&Vec<String>, &str); N], place: &str) -> Result<(), InputError> {
    match lists.iter().find(|(list, _)| list.is_empty()) {
        Some((_, what)) => Err(InputError::new(place, format!("`{what}` is empty"), "write at least one")),
        None => Ok(()),
    }
}

/// Every two components of a match are an agent.
const MOST_COMPONENTS: usize = 50;

/// Sets of options by name, to be added to an agent alone and in pairs.
struct Components(BTreeMap<String, Vec<(String, String)>>);

impl Components {
    fn read(
        tables: &BTreeMap<Spanned<String>, BTreeMap<Spanned<String>, toml::Value>>,
        place: &impl Fn(usize) -> String,
    ) -> Result<Self, InputError> {
        let mut components = BTreeMap::new();
        for (name, table) in tables {
            let mut options = Vec::new();
            for (key, value) in table {
                let text = simple_text(value).ok_or_else(|| {
                    let problem = format!("`{}` has no simple value", key.get_ref());
                    InputError::new(place(key.span().start), problem, "write a word or a number")
                })?;
                options.push((key.get_ref().clone(), text));
            }
            components.insert(name.get_ref().clone(), options);
        }
        Ok(Self(components))
    }

    /// Makes the agents of a match with components: the agent of `b` with each of them and with every two.
    fn combine(
        &self,
        laboratory: &Laboratory,
        one: &mut MatchFile,
        agents: &mut BTreeMap<String, AgentSettings>,
        place: &str,
    ) -> Result<(), InputError> {
        if one.components.is_empty() {
            return Ok(());
        }
        let (true, [base]) = (one.a.is_empty(), one.b.as_slice()) else {
            let problem = "components stand beside `a`, or `b` is not one agent";
            return Err(InputError::new(place, problem, "leave `a` out and name in `b` the agent they are added to"));
        };
        if one.components.len() > MOST_COMPONENTS {
            let problem = format!("{} components", one.components.len());
            return Err(InputError::new(place, problem, format!("name at most {MOST_COMPONENTS}")));
        }
        let Some(base) = agents.get(base).cloned() else { return Ok(()) };
        let names = &one.components;
        let alone = names.iter().map(|name| vec![name]);
        let pairs = names.iter().enumerate().flat_map(|(index, a)| names[index + 1..].iter().map(move |b| vec![a, b]));
        for parts in alone.chain(pairs) {
            let name = parts.iter().map(|part| part.as_str()).collect::<Vec<_>>().join(WITH);
            let settings = self.add(laboratory, &base, &parts, place)?;
            if agents.get(&name).is_some_and(|known| *known != settings) {
                let problem = format!("there is another agent `{name}`");
                return Err(InputError::new(place, problem, "rename the agent or the component"));
            }
            agents.insert(name.clone(), settings);
            one.a.push(name);
        }
        one.layout = Layout::Ablation;
        Ok(())
    }

    /// The agent with the options of these components: a value that begins with `+` is joined to what there is.
    fn add(
        &self,
        laboratory: &Laboratory,
        base: &AgentSettings,
        parts: &[&String],
        place: &str,
    ) -> Result<AgentSettings, InputError> {
        let mut expression = Expression::read("agent", &base.to_string())?;
        for name in parts {
            let Some(options) = self.0.get(*name) else {
                return Err(InputError::unknown(place, "component", name, self.0.keys().map(String::as_str)));
            };
            for (key, text) in options {
                let (added, is_joined) = text.strip_prefix('+').map_or((text.as_str(), false), |rest| (rest, true));
                let mut value = Expression::read_sum("option", added).map_err(|error| error.within(place))?;
                let old = expression.arguments.iter().position(|argument| argument.key == *key);
                let old = old.map(|index| expression.arguments.remove(index).value).filter(|_| is_joined);
                value = old.into_iter().flatten().chain(value).collect();
                expression.arguments.push(Argument { key: key.clone(), value });
            }
        }
        laboratory.read_agent(&expression).map_err(|error| error.within(place))
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}

/// One line with the nearest right key, from the parser's longer message.
pub fn toml_error(name: &str, text: &str, error: &toml::de::Error) -> InputError {
    let line = error.span().map_or(1, |span| line_of(text, span.start));
    let place = format!("{name}, line {line}");
    let message = error.message();
    let mut quoted = message.split('`').skip(1).step_by(2);
    if message.starts_with("unknown field") {
        let unknown = quoted.next().unwrap_or_default();
        let known: Vec<&str> = quoted.collect();
        return InputError::unknown(place, "key", unknown, known.iter().copied());
    }
    if message.starts_with("unknown variant") {
        let unknown = quoted.next().unwrap_or_default();
        let known: Vec<&str> = quoted.collect();
        return InputError::unknown(place, "value", unknown, known.iter().copied());
    }
    let remedy = match message.strip_prefix("missing field ") {
        Some(field) => format!("add {field}"),
        None => "see the example in the documentation of experiments".to_string(),
    };
    InputError::new(place, message.replace('\n', " "), remedy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use spinney_search::Budget;

    const SMALL: &str = r#"title = "Small"
pairs = 2
[agents.base]
kind = "mcts"
playout = "uniform"
c = 0.5
[agents.policy]
like = "base"
playout = "policy+mast(eps=0.5)"
reuse = true
[[match]]
games = ["tic-tac-toe"]
a = ["policy"]
b = ["base"]
budgets = [{ simulations = 50 }]
"#;

    #[test]
    fn an_agent_inherits_what_it_does_not_say() {
        let experiment = Experiment::read("small.toml", SMALL).unwrap();
        assert_eq!(experiment.agents["policy"].to_string(), "mcts(c=0.5, reuse=on, playout=policy+mast(eps=0.5))");
        assert_eq!(experiment.matches[0].budgets, [Limit::Fixed(Budget::simulations(50))]);
        assert_eq!((experiment.matches[0].pairs, experiment.margin), (2, 3.0));
    }

    #[test]
    fn mistakes_are_named_with_line_and_remedy() {
        let error = |from: &str, to: &str| {
            assert!(SMALL.contains(from));
            Experiment::read("small.toml", &SMALL.replace(from, to)).unwrap_err().to_string()
        };
        assert_eq!(error("pairs = 2", "pair = 2"), "small.toml, line 2: unknown key `pair`; did you mean `pairs`?");
        assert_eq!(error("c = 0.5", "cc = 0.5"), "small.toml, line 6, mcts: unknown option `cc`; did you mean `c`?");
        assert!(error("c = 0.5", "c = -1").starts_with("small.toml, line 6, mcts, option c: `-1` does not fit"));
        assert_eq!(
            error("like = \"base\"", "like = \"bsae\""),
            "small.toml, line 8: unknown agent `bsae`; did you mean `base`?"
        );
        assert!(error("like = \"base\"", "like = \"policy\"").contains("is like itself"));
        assert!(error("b = [\"base\"]", "b = [\"bas\"]").contains("did you mean `base`?"));
        assert!(error("budgets = [{ simulations = 50 }]", "budgets = [{ sims = 50 }]").contains("line 15"));
        assert!(error("simulations = 50", "simulations = 50, published_seconds = 1").contains("one of the two"));
        assert!(error("budgets =", "layout = \"tabel\"\nbudgets =").contains("did you mean `table`?"));
        assert!(error("simulations = 50", "published_seconds = 0").contains("0 seconds"));
        assert!(error("title = \"Small\"\n", "").contains("title"));
        assert!(error("pairs = 2", "pairs = 0").contains("from 1"));
        assert!(error("[[match]]", "[[match").contains("line 11"));
    }

    #[test]
    fn components_are_added_alone_and_in_pairs() {
        let text = SMALL.replace("a = [\"policy\"]", "components = [\"mast\", \"cmc\", \"rave\"]").replace(
            "[[match]]",
            "[components.mast]\nplayout = \"+mast\"\n[components.cmc]\nplayout = \"+cmc(prob=75)\"\n\
             [components.rave]\nrave = \"rave(k=200)\"\nc = 0\n[[match]]",
        );
        let experiment = Experiment::read("small.toml", &text).unwrap();
        let one = &experiment.matches[0];
        assert_eq!(one.a, ["mast", "cmc", "rave", "mast + cmc", "mast + rave", "cmc + rave"]);
        assert_eq!(one.layout, Layout::Ablation);
        assert_eq!(experiment.agents["mast + cmc"].to_string(), "mcts(c=0.5, playout=uniform+mast+cmc(prob=75))");
        assert_eq!(experiment.agents["rave"].to_string(), "mcts(c=0, rave(k=200), playout=uniform)");
        let error = |from: &str, to: &str| Experiment::read("x", &text.replace(from, to)).unwrap_err().to_string();
        assert!(error("\"mast\", \"cmc\"", "\"mats\"").contains("did you mean `mast`?"));
        assert!(error("components = [", "a = [\"base\"]\ncomponents = [").contains("leave `a` out"));
    }

    #[test]
    fn points_stand_beside_agents() {
        let text = |values: &str| {
            SMALL.replace("b = [\"base\"]", &format!("b = [\"base\"]\npoints = {{ label = \"C\", values = {values} }}"))
        };
        let points = Experiment::read("x", &text("[0.5]")).unwrap().matches[0].points.clone().unwrap();
        assert_eq!((points.label.as_str(), points.values.as_slice(), points.column), ("C", &[0.5][..], None));
        assert!(Experiment::read("x", &text("[1, 2]")).unwrap_err().to_string().contains("2 values for 1 agents"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,80}", at in 0usize..300, cut in 0usize..300) {
            let _ = Experiment::read("any.toml", &text);
            let (at, cut) = (at.min(SMALL.len()), cut.min(SMALL.len()));
            let _ = Experiment::read("any.toml", &SMALL[..cut]);
            let _ = Experiment::read("any.toml", &format!("{}{text}{}", &SMALL[..at], &SMALL[at..]));
        }
    }
}
