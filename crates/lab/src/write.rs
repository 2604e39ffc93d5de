//! Experiment files written from an experiment, so that a reduced one can be stored, read and run again.

use crate::experiment::{Experiment, Layout, Match, Seeds};
use crate::limit::Limit;
use crate::measure::{Measure, Quantity};
use crate::stop::Stop;
use spinney_core::expression::{Expression, write_sum};
use spinney_search::{AgentSettings, Budget};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use toml::Value;

impl Display for Experiment {
    /// The experiment as TOML; what agents inherited is written out. Reading it gives the same experiment.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "title = {}", quoted(&self.title))?;
        if !self.about.is_empty() {
            writeln!(f, "about = {}", quoted(&self.about))?;
        }
        writeln!(f, "seed = {}", self.seed)?;
        writeln!(f, "margin = {:?}", self.margin)?;
        if !self.notes.is_empty() {
            writeln!(f, "notes = [")?;
            self.notes.iter().try_for_each(|note| writeln!(f, "  {},", quoted(note)))?;
            writeln!(f, "]")?;
        }
        for (name, settings) in &self.agents {
            writeln!(f, "\n[agents.{}]", key(name))?;
            write_agent(f, settings)?;
        }
        self.matches.iter().try_for_each(|one| write_match(f, one))?;
        self.measures.iter().try_for_each(|one| write_measure(f, one))
    }
}

/// The experiment file of a match between A and B, whose games are those of `spinney match`.
#[derive(Clone, Debug)]
pub struct SingleMatch<'a> {
    /// The game as it is written.
    pub game: &'a str,
    /// A and B.
    pub agents: &'a [AgentSettings; 2],
    /// Random plies before they take over.
    pub opening: u32,
    /// Pairs of games; with a rule the largest number.
    pub pairs: u64,
    /// Seed of all randomness.
    pub seed: u64,
    /// When it may end before.
    pub stop: Option<&'a Stop>,
}

impl Display for SingleMatch<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "title = {}", quoted(&format!("A against B in {}", self.game)))?;
        writeln!(f, "seed = {}\npairs = {}\nopening = {}", self.seed, self.pairs, self.opening)?;
        self.stop.iter().try_for_each(|stop| writeln!(f, "stop = {stop}"))?;
        for (name, agent) in ["A", "B"].into_iter().zip(self.agents) {
            writeln!(f, "\n[agents.{name}]")?;
            write_agent(f, agent)?;
        }
        writeln!(f, "\n[[match]]\ngames = [{}]\na = [\"A\"]\nb = [\"B\"]\nseeds = \"game\"", quoted(self.game))
    }
}

/// The agent's own text names its kind and what differs from the defaults.
fn write_agent(f: &mut Formatter<'_>, settings: &AgentSettings) -> fmt::Result {
    let expression = Expression::read("agent", &settings.to_string()).map_err(|_| fmt::Error)?;
    writeln!(f, "kind = {}", quoted(&expression.name))?;
    expression.arguments.iter().try_for_each(|argument| {
        let value = match argument.value.as_slice() {
            [] => "on".to_string(),
            // What stands in brackets behind the option itself: `rb(a=0.25)`.
            [nameless] if nameless.name.is_empty() => argument.to_string(),
            parts => write_sum(parts),
        };
        writeln!(f, "{} = {}", key(&argument.key), quoted(&value))
    })
}

fn write_match(f: &mut Formatter<'_>, one: &Match) -> fmt::Result {
    writeln!(f, "\n[[match]]\ntitle = {}", quoted(&one.title))?;
    for (name, list) in [("games", &one.games), ("a", &one.a), ("b", &one.b)] {
        write_list(f, name, list)?;
    }
    write_budgets(f, &one.budgets)?;
    writeln!(f, "pairs = {}\nopening = {}", one.pairs, one.opening)?;
    one.stop.iter().try_for_each(|stop| writeln!(f, "stop = {stop}"))?;
    if one.seeds == Seeds::Game {
        writeln!(f, "seeds = \"game\"")?;
    }
    match one.layout {
        Layout::List => {}
        Layout::Table => writeln!(f, "layout = \"table\"")?,
        Layout::Ablation => writeln!(f, "layout = \"ablation\"")?,
    }
    if let Some(points) = &one.points {
        let column = points.column.as_ref().map_or(String::new(), |column| format!(", column = {}", quoted(column)));
        writeln!(f, "points = {{ label = {}, values = {:?}{column} }}", quoted(&points.label), points.values)?;
    }
    write_published(f, one.published.as_ref())
}

fn write_measure(f: &mut Formatter<'_>, one: &Measure) -> fmt::Result {
    writeln!(f, "\n[[measure]]\ntitle = {}", quoted(&one.title))?;
    write_list(f, "games", &one.games)?;
    write_list(f, "agents", &one.agents)?;
    write_budgets(f, &one.budgets)?;
    writeln!(f, "repetitions = {}", one.repetitions)?;
    if let Quantity::Root { moves, exact } = &one.quantity {
        writeln!(f, "what = \"root\"")?;
        write_list(f, "moves", moves)?;
        exact.iter().try_for_each(|values| writeln!(f, "exact = {values:?}"))?;
    }
    writeln!(f, "unit = {}", quoted(&one.view.unit))?;
    one.view.baseline.iter().try_for_each(|name| writeln!(f, "baseline = {}", quoted(name)))?;
    if !one.view.beside.is_empty() {
        write_list(f, "beside", &one.view.beside)?;
    }
    write_published(f, one.view.published.as_ref())
}

fn write_list(f: &mut Formatter<'_>, name: &str, list: &[String]) -> fmt::Result {
    writeln!(f, "{name} = [{}]", list.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", "))
}

fn write_budgets(f: &mut Formatter<'_>, limits: &[Limit]) -> fmt::Result {
    let budgets: Vec<String> = limits.iter().filter_map(budget).collect();
    if budgets.is_empty() { Ok(()) } else { writeln!(f, "budgets = [{}]", budgets.join(", ")) }
}

fn write_published(f: &mut Formatter<'_>, columns: Option<&BTreeMap<String, String>>) -> fmt::Result {
    let Some(columns) = columns else { return Ok(()) };
    let columns: Vec<String> =
        columns.iter().map(|(column, value)| format!("{} = {}", key(column), quoted(value))).collect();
    writeln!(f, "published = {{ {} }}", columns.join(", "))
}

/// Nothing where the agents' own limits count.
fn budget(limit: &Limit) -> Option<String> {
    let Budget { simulations, time, cpu_time, nodes: _ } = match limit {
        Limit::Own => return None,
        Limit::PublishedSeconds(seconds) => return Some(format!("{{ published_seconds = {seconds:?} }}")),
        Limit::Clock(clock) => return Some(format!("{{ clock = \"{clock}\" }}")),
        Limit::Fixed(budget) => *budget,
    };
    let parts = [
        simulations.map(|simulations| format!("simulations = {simulations}")),
        time.map(|time| format!("time = {:?}", time.as_secs_f64())),
        cpu_time.map(|time| format!("cpu_time = {:?}", time.as_secs_f64())),
    ];
    Some(format!("{{ {} }}", parts.into_iter().flatten().collect::<Vec<_>>().join(", ")))
}

fn quoted(text: &str) -> String {
    Value::String(text.to_string()).to_string()
}

/// A bare key where TOML allows one.
fn key(text: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    if !text.is_empty() && text.chars().all(is_bare) { text.to_string() } else { quoted(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;
    use spinney_core::Seed;

    const TEXT: &str = r#"title = "Quotes \" and \\ and\nlines"
about = "Every kind of value."
seed = 9223372036854775807
margin = 2.5
notes = ["one", "'two' \"three\""]
[agents.base]
playout = "uniform"
c = 0.7
[agents."0.25"]
like = "base"
playout = "policy+mast(eps=0.5)"
reuse = true
rb = "rb(k=2, a=0.25)"
qb = "qb"
[agents.r]
kind = "random"
[[match]]
games = ["tic-tac-toe", "breakthrough(rows=5, columns=5)"]
a = ["0.25"]
b = ["base", "r"]
budgets = [{ simulations = 5 }, { time = 0.1, simulations = 7 }, { cpu_time = 3 }, { published_seconds = 0.25 }, { clock = ["10+0.1", "5"] }]
pairs = 3
stop = { sprt = [0.5, 20], alpha = 0.01 }
[[match]]
title = "Own"
games = ["breakthrough"]
a = ["base"]
b = ["r"]
opening = 4
seeds = "game"
stop = { decide = "published", margin = 2.5, block = 7 }
layout = "table"
points = { label = "C, whatever", values = [0.7], column = "a" }
published = { paper = "quality-rewards", table = "table1-relative-bonus", a = "online", seconds = "1" }
[[measure]]
title = "Alone"
games = ["pig"]
agents = ["base"]
budgets = [{ simulations = 5 }]
repetitions = 51
baseline = "base"
beside = ["0.25"]
published = { paper = "variance-reduction", claim = "speedup", domain = "pig" }
[[measure]]
games = ["pig", "pig(turns=3)"]
agents = ["base", "r"]
what = "root"
moves = ["roll", "stop"]
exact = [1.5, -2.0]
unit = "cents"
"#;

    /// The games of a kept match are those of one that is not.
    #[test]
    fn a_match_as_a_file_has_the_seeds_of_a_match() {
        let laboratory = spinney_table::Laboratory::standard();
        let agents = ["mcts(sims=10, rb(k=2))", "random"].map(|text| laboratory.agent(text).unwrap());
        let stop = Stop::read_text("sprt=[0, 30]").unwrap();
        let game = "breakthrough(rows=5, columns=5)";
        let file = SingleMatch { game, agents: &agents, opening: 2, pairs: 7, seed: 9, stop: Some(&stop) };
        let plan = Plan::new(&Experiment::read("match", &file.to_string()).unwrap()).unwrap();
        let single = Plan::single(&laboratory, game, agents, 2, 7, Seed::new(9).named(game)).unwrap();
        let (kept, single) = (&plan.cells[0], &single.cells[0]);
        assert_eq!((kept.pair_seed(5), &kept.agents, &kept.game), (single.pair_seed(5), &single.agents, &single.game));
        assert_eq!((kept.opening, kept.pairs, &kept.stop), (2, 7, &Some(stop)));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let experiment = Experiment::read("test", TEXT).unwrap();
        let written = experiment.to_string();
        assert_eq!(Experiment::read("written", &written).unwrap(), experiment, "{written}");
        assert_eq!(Experiment::read("written", &written).unwrap().to_string(), written);
    }
}
