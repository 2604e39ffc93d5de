//! The plan: an experiment spread out into cells, and cells into units of pairs, before anything is played.

use crate::deal::{Deal, Lot};
use crate::experiment::{Experiment, Layout, Match, Seeds};
use crate::limit::Limit;
use crate::measure::{Measurement, Quantity, View};
use crate::published::{self, Published};
use crate::reduce::name_of;
use crate::sheets::{GameName, Sheets};
use crate::stop::{Kind, Stop};
use spinney_core::{InputError, Seed};
use spinney_search::{AgentSettings, Budget, Clock};
use spinney_table::{Laboratory, Table};
use std::time::Duration;

/// All that will be played.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The experiment's title.
    pub title: String,
    /// What it is about.
    pub about: String,
    /// Names the experiment: the same for the same cells and seed, whatever the number of pairs.
    pub hash: String,
    /// Seed of all randomness.
    pub seed: u64,
    /// Score within which ours agrees with a published one, 0 to 1.
    pub margin: f64,
    /// Known differences from what was published.
    pub notes: Vec<String>,
    /// The sections of the report.
    pub sections: Vec<Section>,
    /// Agents with their game, and their full settings there.
    pub agents: Vec<(String, String)>,
    /// One comparison each.
    pub cells: Vec<Cell>,
    /// One agent in a game of one player each.
    pub measurements: Vec<Measurement>,
    /// The rule sheets of its games.
    pub sheets: Sheets,
}

/// A section of the report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// How its cells are shown.
    pub layout: Layout,
    /// What the numbers of its agents are, where they are points of a curve.
    pub x_label: Option<String>,
    /// How its measurements are shown.
    pub view: View,
    /// What was published about them, in words.
    pub statement: Option<String>,
}

/// One comparison: a game, two agents, a budget.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Names the cell in records: a hash of everything that decides its games.
    pub key: String,
    /// Index of its section.
    pub section: usize,
    /// The game with all its options.
    pub game: String,
    /// The game as the experiment writes it.
    pub written_game: String,
    /// The agents' names in the experiment.
    pub names: [String; 2],
    /// The agents with their budget.
    pub agents: [AgentSettings; 2],
    /// Their full settings in this game.
    pub described: [String; 2],
    /// Where game and agents come from.
    pub laboratory: Laboratory,
    /// How long a move may take, in words.
    pub budget: String,
    /// Simulations per move, where nothing else limits it.
    pub simulations: Option<u64>,
    /// The same as the experiment writes it.
    pub limit: Limit,
    /// Wall time for a move, if that limits it.
    pub move_time: Option<Duration>,
    /// Whether time limits an agent, or one thinks on many threads: then nobody can play its games again.
    pub is_timed: bool,
    /// The clock of each player, in place of all limits on moves.
    pub clock: Option<Clock>,
    /// Random plies before the agents take over.
    pub opening: u32,
    /// Pairs of games; with a rule the largest number.
    pub pairs: u64,
    /// When it may end before; no part of the key, because it decides no game.
    pub stop: Option<Stop>,
    /// The pairs there were when more were asked for after looking at them.
    pub looked: Option<u64>,
    /// Its randomness.
    pub seed: Seed,
    /// That of its pairs, where it is shared with other cells.
    pub shared_seed: Option<Seed>,
    /// The published number to stand beside.
    pub published: Option<Published>,
    /// Where agent A stands on the axis of a curve.
    pub x: Option<f64>,
}

/// A portion to be measured: measurement and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PortionId {
    /// Index of the measurement in the plan.
    pub measurement: usize,
    /// Number of the portion.
    pub portion: u64,
}

/// One of several equal parts of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 0.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

impl Shard {
    /// Everything.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// Reads `i/n`, with i from 0 to n − 1.
    pub fn read(text: &str) -> Result<Self, InputError> {
        let wrong =
            || InputError::new("shard", format!("`{text}` is not i/n"), "write 0/4, 1/4, 2/4 or 3/4 for four parts");
        let (index, count) = text.split_once('/').ok_or_else(wrong)?;
        let shard = Shard { index: index.parse().map_err(|_| wrong())?, count: count.parse().map_err(|_| wrong())? };
        if shard.index < shard.count && shard.count <= 100_000 { Ok(shard) } else { Err(wrong()) }
    }
}

/// A pair to be played: cell and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PairId {
    /// Index of the cell in the plan.
    pub cell: usize,
    /// Number of the pair in the cell.
    pub pair: u64,
}

impl Plan {
    /// Expands an experiment; every game and agent is tried out, so that nothing fails later.
    pub fn new(experiment: &Experiment) -> Result<Self, InputError> {
        let laboratory = &experiment.laboratory;
        let mut cells: Vec<Cell> = Vec::new();
        let mut sections: Vec<Section> = Vec::new();
        let mut described_agents: Vec<(String, String)> = Vec::new();
        let mut sheets = Sheets::default();
        for one in &experiment.matches {
            let place = format!("match `{}`", one.title);
            for limit in &one.budgets {
                for game in &one.games {
                    let names = sheets.find(&experiment.folder, game).map_err(|error| error.within(&place))?;
                    let empty = laboratory.open(&names.opened, None).map_err(|error| error.within(&place))?;
                    let budget = &limit.resolved(&empty.published());
                    let budget_words = limit.clock().map_or_else(|| budget_words(budget), clock_words);
                    let title = section_title(one, game, &budget_words);
                    let x_label = one.points.as_ref().map(|points| points.label.clone());
                    let section = Section { title, layout: one.layout, x_label, ..Section::default() };
                    let section = place_of(section, &mut sections);
                    for ((number, a), b) in one.a.iter().enumerate().flat_map(|a| one.b.iter().map(move |b| (a, b))) {
                        let agents = [a, b].map(|name| limited(&experiment.agents[name], budget));
                        let table = seated(laboratory, &names.opened, &agents).map_err(|error| error.within(&place))?;
                        let x = one.points.as_ref().and_then(|points| points.values.get(number)).copied();
                        let published = match &one.published {
                            Some(columns) => {
                                let mut columns = columns.clone();
                                let column = one.points.as_ref().and_then(|points| points.column.clone());
                                columns.extend(column.zip(x.map(|x| x.to_string())));
                                published::find(&columns, name_of(game), &place)?
                            }
                            None => None,
                        };
                        let described = [0, 1].map(|seat| table.agent(seat));
                        for (name, settings) in [a, b].into_iter().zip(&described) {
                            let entry = (format!("{name} · {game}"), settings.clone());
                            if !described_agents.contains(&entry) {
                                described_agents.push(entry);
                            }
                        }
                        let shared_seed = (one.seeds == Seeds::Game).then(|| Seed::new(experiment.seed).named(game));
                        let hashed = names.hashed.clone().unwrap_or_else(|| table.game());
                        let seed = [hashed.as_str(), &described[0], &described[1], &one.opening.to_string()]
                            .iter()
                            .fold(Seed::new(experiment.seed), |seed, part| seed.named(part));
                        let seed = if shared_seed.is_some() { seed.named("seeds of the game") } else { seed };
                        let clock = limit.clock();
                        let seed = clock.map_or(seed, |clock| seed.named("clock").named(&clock.to_string()));
                        let is_timed = clock.is_some() || is_timed(table.as_ref(), &agents);
                        cells.push(Cell {
                            key: format!("{:016x}", seed.value()),
                            section,
                            game: table.game(),
                            written_game: game.clone(),
                            names: [a.clone(), b.clone()],
                            agents,
                            described,
                            laboratory: laboratory.clone(),
                            budget: budget_words.clone(),
                            simulations: budget.simulations.filter(|number| *budget == Budget::simulations(*number)),
                            limit: *limit,
                            move_time: budget.time,
                            is_timed,
                            clock,
                            opening: one.opening,
                            pairs: one.pairs,
                            stop: one.stop.as_ref().and_then(|stop| applied(stop, experiment.margin, &published)),
                            looked: None,
                            seed,
                            shared_seed,
                            published,
                            x,
                        });
                    }
                }
            }
        }
        let measurements = measurements(experiment, &mut sections, &mut described_agents, &mut sheets)?;
        for (index, cell) in cells.iter().enumerate() {
            if let Some(twin) = cells[..index].iter().find(|other| other.key == cell.key) {
                let problem = format!("{} plays {} against {} twice", cell.game, twin.names[0], twin.names[1]);
                return Err(InputError::new("experiment", problem, "remove one of them"));
            }
        }
        for (index, one) in measurements.iter().enumerate() {
            if measurements[..index].iter().any(|other| other.key == one.key) {
                let problem = format!("{} is measured twice", one.label());
                return Err(InputError::new("experiment", problem, "remove one of them, or name it in `beside`"));
            }
        }
        let keys = cells.iter().map(|cell| &cell.key).chain(measurements.iter().map(|one| &one.key));
        let hash = keys.fold(Seed::new(experiment.seed), |seed, key| seed.named(key));
        Ok(Self {
            title: experiment.title.clone(),
            about: experiment.about.clone(),
            hash: format!("{:016x}", hash.value()),
            seed: experiment.seed,
            margin: experiment.margin / 100.0,
            notes: experiment.notes.clone(),
            sections,
            agents: described_agents,
            cells,
            measurements,
            sheets,
        })
    }

    /// A single measurement of the score, nameless.
    pub fn single_measurement(
        laboratory: &Laboratory,
        game: &str,
        agent: AgentSettings,
        repetitions: u64,
        seed: u64,
    ) -> Result<Self, InputError> {
        let game = GameName::plain(game);
        let one = Measurement::new(laboratory, &game, ("A", agent), (&Quantity::Score, repetitions), seed)?;
        Ok(Self {
            title: "Score".to_string(),
            hash: one.key.clone(),
            seed,
            sections: vec![Section::default()],
            agents: vec![(one.name.clone(), one.described.clone())],
            measurements: vec![one],
            ..Self::default()
        })
    }

    /// A single cell, nameless, whose pairs take their seeds from `seed`.
    pub fn single(
        laboratory: &Laboratory,
        game: &str,
        agents: [AgentSettings; 2],
        opening: u32,
        pairs: u64,
        seed: Seed,
    ) -> Result<Self, InputError> {
        let table = seated(laboratory, game, &agents)?;
        let names = ["A", "B"].map(str::to_string);
        let described = [0, 1].map(|seat| table.agent(seat));
        let agents_of_report = [0, 1].map(|seat| (names[seat].clone(), described[seat].clone()));
        let is_timed = is_timed(table.as_ref(), &agents);
        let cell = Cell {
            key: format!("{:016x}", seed.value()),
            section: 0,
            game: table.game(),
            written_game: game.to_string(),
            names,
            agents,
            described,
            laboratory: laboratory.clone(),
            budget: budget_words(&Budget::default()),
            simulations: None,
            limit: Limit::Own,
            move_time: None,
            is_timed,
            clock: None,
            opening,
            pairs,
            stop: None,
            looked: None,
            seed,
            shared_seed: None,
            published: None,
            x: None,
        };
        Ok(Self {
            title: "Match".to_string(),
            hash: cell.key.clone(),
            seed: seed.value(),
            sections: vec![Section::default()],
            agents: agents_of_report.into(),
            cells: vec![cell],
            ..Self::default()
        })
    }

    /// The same with a clock for each player, so that nobody can play the games again.
    #[must_use]
    pub fn by_clock(mut self, clock: Clock) -> Self {
        for cell in &mut self.cells {
            (cell.clock, cell.is_timed, cell.budget) = (Some(clock), true, clock_words(clock));
        }
        self
    }

    /// Number of games, and of repetitions of measurements.
    pub fn games(&self) -> u64 {
        let games = self.cells.iter().map(|cell| 2 * cell.pairs);
        games.chain(self.measurements.iter().map(|one| one.repetitions)).sum()
    }

    /// The portions of a shard.
    pub fn portions(&self, shard: Shard) -> impl Iterator<Item = PortionId> + use<> {
        let (deal, first) = (self.deal(shard), self.cells.len());
        (0..self.measurements.len()).flat_map(move |measurement| {
            deal.ranks(first + measurement, shard.index).map(move |portion| PortionId { measurement, portion })
        })
    }

    /// The pairs of a shard, cell by cell.
    pub fn pairs(&self, shard: Shard) -> impl Iterator<Item = PairId> + use<> {
        let deal = self.deal(shard);
        (0..self.cells.len()).flat_map(move |cell| deal.ranks(cell, shard.index).map(move |pair| PairId { cell, pair }))
    }

    /// Which pairs, and which portions after them, go to which shard. Nobody has measured what they cost: the shares of
    /// each cell are equal, and budgets tell what is dear of the rest.
    fn deal(&self, shard: Shard) -> Deal {
        let cells = self.cells.iter().map(|cell| Lot { count: cell.pairs, cost: cell.thought() });
        let portions = self.measurements.iter().map(|one| Lot { count: one.portions(), cost: one.thought() });
        Deal::new(&cells.chain(portions).collect::<Vec<_>>(), shard.count)
    }

    /// Number of units: pairs and portions, which nobody divides.
    pub fn units(&self) -> u64 {
        let units = self.cells.iter().map(|cell| cell.pairs);
        units.chain(self.measurements.iter().map(Measurement::portions)).sum()
    }
}

impl Cell {
    /// How much is thought about a move, roughly: simulations, or microseconds.
    fn thought(&self) -> u64 {
        let by_clock = self.clock.map(|clock| clock.left() / MOVES_BY_CLOCK + clock.increment());
        let time = self.move_time.or(by_clock).map(|time| u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
        self.simulations.or(time).unwrap_or(1000)
    }

    /// The seed of a pair.
    pub fn pair_seed(&self, pair: u64) -> Seed {
        self.shared_seed.unwrap_or(self.seed).child(pair)
    }

    /// A table with the cell's game and its agents: A in seat 0 and B in seat 1.
    pub fn table(&self) -> Result<Box<dyn Table>, InputError> {
        seated(&self.laboratory, &self.game, &self.agents)
    }

    /// One line that tells the cell from others.
    pub fn label(&self) -> String {
        format!("{} · {}", self.written_game, self.label_without_game())
    }

    /// The same without the game.
    pub fn label_without_game(&self) -> String {
        format!("{} – {} · {}", self.names[0], self.names[1], self.budget)
    }
}

/// A matrix of components is of one game and one budget; other sections take the cells of a whole match.
fn section_title(one: &Match, game: &str, budget: &str) -> String {
    match (one.layout, one.games.len() > 1, one.budgets.len() > 1) {
        (Layout::Ablation, true, true) => format!("{} · {game} · {budget}", one.title),
        (Layout::Ablation, true, false) => format!("{} · {game}", one.title),
        (Layout::Ablation, false, true) => format!("{} · {budget}", one.title),
        _ => one.title.clone(),
    }
}

/// Where the section of this title stands; it is added if it is new.
fn place_of(section: Section, sections: &mut Vec<Section>) -> usize {
    sections.iter().position(|known| known.title == section.title).unwrap_or_else(|| {
        sections.push(section);
        sections.len() - 1
    })
}

/// The measurements of an experiment, their sections and their agents. A section is of one game.
fn measurements(
    experiment: &Experiment,
    sections: &mut Vec<Section>,
    described: &mut Vec<(String, String)>,
    sheets: &mut Sheets,
) -> Result<Vec<Measurement>, InputError> {
    let mut measurements = Vec::new();
    for one in &experiment.measures {
        let place = format!("measure `{}`", one.title);
        for game in &one.games {
            let laboratory = &experiment.laboratory;
            let names = sheets.find(&experiment.folder, game).map_err(|error| error.within(&place))?;
            let published = laboratory.open(&names.opened, None).map_err(|error| error.within(&place))?.published();
            let title = if one.games.len() > 1 { format!("{} · {game}", one.title) } else { one.title.clone() };
            let statement = match &one.view.published {
                Some(columns) => published::statement(columns, &place)?,
                None => None,
            };
            let section = Section { title, view: one.view.clone(), statement, ..Section::default() };
            let section = place_of(section, sections);
            for (name, limit) in one.agents.iter().flat_map(|name| one.budgets.iter().map(move |limit| (name, limit))) {
                let agent = limited(&experiment.agents[name], &limit.resolved(&published));
                let quantity = (&one.quantity, one.repetitions);
                let mut cell = Measurement::new(laboratory, &names, (name, agent), quantity, experiment.seed)
                    .map_err(|error| error.within(&place))?;
                cell.section = section;
                let entry = (format!("{name} · {game}"), cell.described.clone());
                if !described.contains(&entry) {
                    described.push(entry);
                }
                measurements.push(cell);
            }
        }
    }
    Ok(measurements)
}

fn seated(laboratory: &Laboratory, game: &str, agents: &[AgentSettings; 2]) -> Result<Box<dyn Table>, InputError> {
    let mut table = laboratory.open(game, None)?;
    if table.score().is_some() {
        let problem = format!("`{game}` has one player");
        return Err(InputError::new("games", problem, "a match has two players; `measure` is for one"));
    }
    for agent in agents {
        table.seat(agent)?;
    }
    Ok(table)
}

/// A rule for a cell. A verdict's margin is the experiment's where none is written, and where nothing was published there
/// is none to wait for.
fn applied(stop: &Stop, usual_margin: f64, published: &Option<Published>) -> Option<Stop> {
    match stop.kind {
        Kind::Published { .. } if published.is_none() => None,
        Kind::Published { margin } => {
            Some(Stop { kind: Kind::Published { margin: margin.or(Some(usual_margin)) }, block: stop.block })
        }
        _ => Some(stop.clone()),
    }
}

/// Whether nobody can play its games again: time limits an agent, or one thinks on many threads.
fn is_timed(table: &dyn Table, agents: &[AgentSettings]) -> bool {
    [0, 1].map(|seat| table.budget(seat)).iter().any(|budget| budget.time.or(budget.cpu_time).is_some())
        || agents.iter().any(|agent| agent.threads() > 1)
}

fn limited(agent: &AgentSettings, budget: &Budget) -> AgentSettings {
    if budget.is_endless() { agent.clone() } else { agent.clone().with_budget(budget) }
}

/// Moves of a player among which the time on a clock is divided, roughly.
const MOVES_BY_CLOCK: u32 = 30;

fn clock_words(clock: Clock) -> String {
    format!("{clock} s on the clock")
}

pub(crate) fn budget_words(budget: &Budget) -> String {
    let mut parts = Vec::new();
    parts.extend(budget.simulations.map(|simulations| format!("{simulations} simulations")));
    parts.extend(budget.time.map(|time| format!("{} s", time.as_secs_f64())));
    parts.extend(budget.cpu_time.map(|time| format!("{} CPU s", time.as_secs_f64())));
    if parts.is_empty() { "the agents' own limits".to_string() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    pub(crate) const TEXT: &str = r#"title = "Small"
seed = 7
pairs = 40
[agents.a]
playout = "uniform"
[agents.b]
like = "a"
c = 0.5
[agents.r]
kind = "random"
[[match]]
games = ["tic-tac-toe", "breakthrough(rows=5, columns=5)"]
a = ["a", "b"]
b = ["r"]
budgets = [{ simulations = 20 }]
"#;

    fn plan(text: &str) -> Plan {
        Plan::new(&Experiment::read("small.toml", text).unwrap()).unwrap()
    }

    #[test]
    fn the_hash_tells_experiments_apart_but_not_their_length() {
        assert_eq!(plan(TEXT).hash, plan(&TEXT.replace("pairs = 40", "pairs = 4")).hash);
        assert_ne!(plan(TEXT).hash, plan(&TEXT.replace("seed = 7", "seed = 8")).hash);
        assert_ne!(plan(TEXT).hash, plan(&TEXT.replace("simulations = 20", "simulations = 21")).hash);
        assert_eq!((plan(TEXT).cells.len(), plan(TEXT).games()), (4, 320));
    }

    #[test]
    fn a_rule_changes_no_game_and_shared_seeds_do() {
        let ruled = plan(&TEXT.replace("pairs = 40", "pairs = 40\nstop = { anytime = true }"));
        assert_eq!((&ruled.hash, ruled.cells[0].seed), (&plan(TEXT).hash, plan(TEXT).cells[0].seed));
        assert!(ruled.cells.iter().all(|cell| cell.stop.is_some()));
        let off = plan(
            &TEXT
                .replace("pairs = 40", "pairs = 40\nstop = { precision = 1 }")
                .replace("a = [\"a", "stop = false\na = [\"a"),
        );
        assert!(off.cells.iter().all(|cell| cell.stop.is_none()));
        let shared = plan(&TEXT.replace("a = [\"a", "seeds = \"game\"\na = [\"a"));
        assert_ne!(shared.hash, plan(TEXT).hash);
        assert_ne!(shared.cells[0].key, shared.cells[1].key);
        assert_eq!(shared.cells[0].pair_seed(3), shared.cells[1].pair_seed(3));
        assert_eq!(shared.cells[0].pair_seed(3), Seed::new(7).named("tic-tac-toe").child(3));
        let error = Experiment::read("x", &TEXT.replace("pairs = 40", "stop = { decide = \"published\" }"));
        assert!(error.unwrap_err().to_string().contains("no published number"));
    }

    /// The published engine's guesses: Breakthrough 17 and Cannon 2 simulations in a millisecond.
    #[test]
    fn published_seconds_become_simulations() {
        let text = TEXT
            .replace("simulations = 20", "published_seconds = 5")
            .replace("\"tic-tac-toe\", \"breakthrough(rows=5, columns=5)\"", "\"breakthrough\", \"cannon\"");
        let written = text.replace("published_seconds = 5", "simulations = 85000");
        let budgets: Vec<String> = plan(&text).cells.into_iter().map(|cell| cell.budget).collect();
        assert_eq!(budgets, ["85000 simulations", "85000 simulations", "10000 simulations", "10000 simulations"]);
        assert_eq!(plan(&text).cells[0].key, plan(&written).cells[0].key);
    }

    #[test]
    fn matches_of_one_title_share_a_section() {
        let again = TEXT.split_once("[[match]]").unwrap().1.replace("simulations = 20", "simulations = 30");
        let plan = plan(&format!("{TEXT}[[match]]{again}"));
        assert_eq!((plan.sections.len(), plan.cells.len()), (1, 8));
        assert!(plan.cells.iter().all(|cell| cell.section == 0));
    }

    #[test]
    fn shards_share_the_pairs_without_overlap() {
        let plan = plan(TEXT);
        let whole: BTreeSet<PairId> = plan.pairs(Shard::WHOLE).collect();
        let parts: Vec<PairId> = (0..7).flat_map(|index| plan.pairs(Shard { index, count: 7 })).collect();
        assert_eq!(parts.len(), whole.len());
        assert_eq!(parts.into_iter().collect::<BTreeSet<_>>(), whole);
        // A longer experiment leaves pairs where they were, but for the last round of each cell.
        let longer = self::plan(&TEXT.replace("pairs = 40", "pairs = 80"));
        let part = Shard { index: 3, count: 7 };
        assert!(plan.pairs(part).filter(|id| id.pair < 35).all(|pair| longer.pairs(part).any(|other| other == pair)));
    }

    /// What a shard costs where a pair takes as long as this says of its cell.
    fn loads(plan: &Plan, count: u64, cost: impl Fn(&Cell) -> f64) -> Vec<f64> {
        let of = |index| plan.pairs(Shard { index, count }).map(|id| cost(&plan.cells[id.cell])).sum::<f64>();
        (0..count).map(of).collect()
    }

    /// Within a tenth of each other where a part has at least ten pairs of the dearest kind, and never further apart
    /// than two pairs, whatever the games cost: nothing is known of that here.
    #[test]
    fn shards_take_about_the_same_time() {
        let many = TEXT.replace("pairs = 40", "pairs = 1000");
        let budgets = TEXT.replace("{ simulations = 20 }", "{ simulations = 20 }, { simulations = 200 }");
        let few = TEXT.replace("pairs = 40", "pairs = 13");
        for (text, counts) in [(TEXT, [3, 7, 100]), (&many, [3, 7, 100]), (&budgets, [3, 7, 100]), (&few, [2, 5, 100])]
        {
            let plan = plan(text);
            for count in counts {
                // A game on the larger board takes ten times as long, one with more simulations longer still.
                let cost = |cell: &Cell| {
                    let board = if cell.game.starts_with("tic") { 1.0 } else { 10.0 };
                    board * cell.simulations.unwrap() as f64 / 20.0
                };
                let loads = loads(&plan, count, cost);
                let dearest = plan.cells.iter().map(cost).fold(0.0, f64::max);
                let (least, most) = loads.iter().fold((f64::MAX, 0.0f64), |(a, b), load| (a.min(*load), b.max(*load)));
                assert!(most - least <= 2.0 * dearest, "{count}: {loads:?}");
                if least >= 10.0 * dearest {
                    assert!(most <= 1.1 * least, "{count}: {loads:?}");
                }
            }
        }
        // What was 28, 92 and 120 games once.
        let games = |count| loads(&plan(&TEXT.replace("pairs = 40", "pairs = 30")), count, |_| 2.0);
        assert_eq!(games(3), [80.0; 3]);
        assert!(games(7).iter().all(|games| [34.0, 36.0].contains(games)), "{:?}", games(7));
    }

    #[test]
    fn shards_are_read() {
        assert_eq!(Shard::read("3/7").unwrap(), Shard { index: 3, count: 7 });
        for wrong in ["7/7", "1", "a/b", "0/0", "-1/3"] {
            assert!(Shard::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_game_or_agent_that_cannot_be_played_is_found_at_once() {
        let error = |text: &str| Plan::new(&Experiment::read("x", text).unwrap()).unwrap_err().to_string();
        assert!(error(&TEXT.replace("tic-tac-toe", "tic-tac")).contains("did you mean `tic-tac-toe`?"));
        assert!(error(&TEXT.replace("\"tic-tac-toe\", ", "\"tic-tac-toe\", \"tic-tac-toe\", ")).contains("twice"));
        assert!(error(&TEXT.replace("c = 0.5", "bias = 1")).contains("no evaluation function"));
    }
}
