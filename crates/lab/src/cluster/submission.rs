//! A submission: the games that were missing at one moment, dealt to elements.
//!
//! Its file says what was missing, so that an element need not look at the games of others: a thousand elements that
//! read a whole run when they begin would be a thousand times the run over the network.

use super::{Engine, folder, ranges};
use crate::deal::{Deal, Lot};
use crate::error::LabError;
use crate::plan::{PairId, Plan, PortionId};
use crate::runner::Task;
use crate::store::{Contents, write_whole};
use serde::{Deserialize, Serialize};
use spinney_core::InputError;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

/// The version of the file.
const VERSION: u32 = 1;

/// How large elements are to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Minutes that an element takes.
    pub minutes: f64,
    /// Games that an element plays at the same time.
    pub threads: u64,
    /// Elements, at most; they take longer then.
    pub most: u64,
    /// So many elements, whatever they take.
    pub elements: Option<u64>,
}

/// What one `submit` sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    v: u32,
    /// Its number in the run, from 1.
    pub number: u64,
    /// The hash of the plan.
    pub plan: String,
    /// Who starts its elements.
    pub engine: Engine,
    /// How many there are.
    pub elements: u64,
    /// Games that each plays at the same time.
    pub threads: u64,
    /// What is missing, by cell; cells of which nothing is are left out.
    missing: Vec<Missing>,
}

/// What is missing of a cell or measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Missing {
    cell: String,
    /// What a pair or a portion takes, in microseconds of one core.
    microseconds: u64,
    /// Games, two numbers for each pair; or portions.
    numbers: String,
}

/// What an engine calls the elements of a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Jobs {
    /// The job of all elements.
    pub elements: Option<String>,
    /// The job that gathers what they wrote.
    pub last: Option<String>,
    /// Whether they were called off.
    #[serde(default)]
    pub cancelled: bool,
}

impl Submission {
    /// Deals tasks that are missing; `None` if there are none. `seconds` are those of all pairs of each cell, then of each
    /// measurement, on one core.
    pub fn new(
        plan: &Plan,
        tasks: &[Task],
        seconds: &[f64],
        sizes: Sizes,
        engine: Engine,
        number: u64,
    ) -> Option<Self> {
        let mut numbers: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
        for task in tasks {
            match task {
                Task::Pair { pair: PairId { cell, pair }, games } => {
                    let own = numbers.entry(*cell).or_default();
                    own.extend((0..2).filter(|game| games[*game as usize]).map(|game| 2 * pair + game));
                }
                Task::Portion(id) => numbers.entry(plan.cells.len() + id.measurement).or_default().push(id.portion),
            }
        }
        let mut missing = Vec::new();
        for (place, mut numbers) in numbers {
            numbers.sort_unstable();
            let all = match plan.cells.get(place) {
                Some(cell) => cell.pairs,
                None => plan.measurements[place - plan.cells.len()].portions(),
            };
            let seconds = seconds.get(place).copied().unwrap_or(1.0) / all.max(1) as f64;
            missing.push(Missing {
                cell: key(plan, place).to_string(),
                microseconds: (1e6 * seconds).round().max(1.0) as u64,
                numbers: ranges::write(&numbers),
            });
        }
        let mut submission = Self {
            v: VERSION,
            number,
            plan: plan.hash.clone(),
            engine,
            elements: 1,
            threads: sizes.threads.max(1),
            missing,
        };
        let (lots, _) = submission.lots(plan).ok()?;
        let units: u64 = lots.iter().map(|lot| lot.count).sum();
        let seconds = lots.iter().map(|lot| 1e-6 * lot.cost as f64 * lot.count as f64).sum::<f64>();
        let wanted = (seconds / (60.0 * sizes.minutes * sizes.threads.max(1) as f64)).ceil().max(1.0) as u64;
        submission.elements = sizes.elements.unwrap_or(wanted.min(sizes.most)).clamp(1, units.max(1));
        (units > 0).then_some(submission)
    }

    /// Lots, and the tasks of each.
    fn lots(&self, plan: &Plan) -> Result<(Vec<Lot>, Vec<Vec<Task>>), InputError> {
        let places: HashMap<&str, usize> =
            (0..plan.cells.len() + plan.measurements.len()).map(|place| (key(plan, place), place)).collect();
        let mut found = (Vec::new(), Vec::new());
        for Missing { cell, microseconds, numbers } in &self.missing {
            let wrong = || {
                let problem = format!("what it says of cell {cell} is no part of this run");
                InputError::new(format!("submission {}", self.number), problem, "submit again")
            };
            let place = *places.get(cell.as_str()).ok_or_else(wrong)?;
            let numbers = ranges::read(numbers).ok_or_else(wrong)?;
            let tasks: Vec<Task> = match place.checked_sub(plan.cells.len()) {
                None => pairs(place, &numbers),
                Some(measurement) => {
                    numbers.into_iter().map(|portion| Task::Portion(PortionId { measurement, portion })).collect()
                }
            };
            found.0.push(Lot { count: tasks.len() as u64, cost: *microseconds });
            found.1.push(tasks);
        }
        Ok(found)
    }

    /// What an element is to play.
    pub fn tasks(&self, plan: &Plan, index: u64) -> Result<Vec<Task>, InputError> {
        let (lots, tasks) = self.lots(plan)?;
        let deal = Deal::new(&lots, self.elements);
        let own = tasks.iter().enumerate().flat_map(|(lot, tasks)| {
            deal.ranks(lot, index)
                .filter_map(|rank| usize::try_from(rank).ok().and_then(|rank| tasks.get(rank).copied()))
        });
        let mut own: Vec<Task> = own.collect();
        // With stopping rules the first blocks of all cells come first.
        own.sort_by_key(|task| match task {
            Task::Pair { pair, .. } => plan.cells[pair.cell].stop.as_ref().map_or(0, |stop| pair.pair / stop.block),
            Task::Portion(_) => 0,
        });
        Ok(own)
    }

    /// What each element is expected to take, in seconds.
    pub fn seconds(&self, plan: &Plan) -> Result<Vec<f64>, InputError> {
        let (lots, _) = self.lots(plan)?;
        let deal = Deal::new(&lots, self.elements);
        Ok(deal.loads().iter().map(|load| 1e-6 * *load as f64 / self.threads as f64).collect())
    }

    /// Games and repetitions in all elements.
    pub fn games(&self, plan: &Plan) -> Result<u64, InputError> {
        let (_, tasks) = self.lots(plan)?;
        Ok(tasks.iter().flatten().map(|task| task.count(plan)).sum())
    }

    /// The numbers of the submissions of a run.
    pub fn numbers(run: &Path) -> Vec<u64> {
        let entries = fs::read_dir(folder(run)).into_iter().flatten().flatten();
        let number = |name: String| name.strip_suffix(".json")?.parse().ok();
        let mut numbers: Vec<u64> =
            entries.filter_map(|entry| number(entry.file_name().to_string_lossy().into_owned())).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Reads one.
    pub fn read(run: &Path, number: u64) -> Result<Self, LabError> {
        let path = folder(run).join(format!("{number}.json"));
        let text = fs::read_to_string(&path).map_err(|error| {
            InputError::new(path.display(), error, "name a submission of this run; `spinney lab submit` makes one")
        })?;
        let read = serde_json::from_str(&text);
        Ok(read.map_err(|error| InputError::new(path.display(), error, "submit again"))?)
    }

    /// Writes it where elements find it.
    pub fn write(&self, run: &Path) -> Result<(), LabError> {
        let folder = super::folder_of(run, self.number);
        fs::create_dir_all(&folder).map_err(LabError::file(&folder))?;
        let path = super::folder(run).join(format!("{}.json", self.number));
        write_whole(&path, serde_json::to_string(self).unwrap_or_default().as_bytes())
    }
}

impl Jobs {
    /// What is known of a submission's jobs.
    pub fn read(run: &Path, number: u64) -> Self {
        let text = fs::read_to_string(Self::path(run, number)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Keeps it.
    pub fn write(&self, run: &Path, number: u64) -> Result<(), LabError> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        write_whole(&Self::path(run, number), text.as_bytes())
    }

    fn path(run: &Path, number: u64) -> std::path::PathBuf {
        folder(run).join(format!("{number}-jobs.json"))
    }
}

fn key(plan: &Plan, place: usize) -> &str {
    match plan.cells.get(place) {
        Some(cell) => &cell.key,
        None => &plan.measurements[place - plan.cells.len()].key,
    }
}

/// Games, two numbers for each pair, as tasks.
fn pairs(cell: usize, numbers: &[u64]) -> Vec<Task> {
    let mut tasks: Vec<Task> = Vec::new();
    for number in numbers {
        let (own, game) = (number / 2, (number % 2) as usize);
        match tasks.last_mut() {
            Some(Task::Pair { pair, games }) if pair.pair == own => games[game] = true,
            _ => tasks.push(Task::Pair { pair: PairId { cell, pair: own }, games: [game == 0, game == 1] }),
        }
    }
    tasks
}

/// Seconds of every cell on one core, then of every measurement, by the games that are known; `None` where there are too
/// few to tell.
pub fn measured(plan: &Plan, contents: &Contents) -> Vec<Option<f64>> {
    /// So many games tell more than an estimate does.
    const ENOUGH: u64 = 20;
    let mut sums = vec![(0u64, 0.0f64); plan.cells.len()];
    for ((cell, _, _), ms) in &contents.times {
        let (count, sum) = &mut sums[*cell];
        (*count, *sum) = (*count + 1, *sum + 1e-3 * (ms[0] + ms[1]));
    }
    let of = |(cell, (count, sum)): (&crate::plan::Cell, (u64, f64))| {
        (count >= ENOUGH).then(|| 2.0 * cell.pairs as f64 * sum / count as f64)
    };
    plan.cells.iter().zip(sums).map(of).chain(plan.measurements.iter().map(|_| None)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use crate::plan::Shard;
    use crate::record::{Record, VERSION};
    use crate::runner::missing;

    const TEXT: &str = r#"title = "Mixed"
pairs = 40
[agents.a]
[agents.b]
c = 0.5
[agents.plain]
[[match]]
games = ["tic-tac-toe", "breakthrough(rows=5, columns=5)"]
a = ["a"]
b = ["b"]
budgets = [{ simulations = 20 }]
[[measure]]
games = ["pig(turns=2)"]
agents = ["plain"]
budgets = [{ simulations = 4 }]
repetitions = 500
"#;

    const SIZES: Sizes = Sizes { minutes: 20.0, threads: 1, most: 1000, elements: None };

    fn plan() -> Plan {
        Plan::new(&Experiment::read("mixed.toml", TEXT).unwrap()).unwrap()
    }

    fn submission(plan: &Plan, contents: &Contents, sizes: Sizes) -> Option<Submission> {
        let tasks = missing(plan, contents, Shard::WHOLE);
        // An hour, nine hours and half an hour.
        Submission::new(plan, &tasks, &[3600.0, 32_400.0, 1800.0], sizes, Engine::Slurm, 1)
    }

    #[test]
    fn elements_take_the_minutes_that_were_asked_for_and_share_everything() {
        let plan = plan();
        let nothing = Contents::default();
        let whole = submission(&plan, &nothing, SIZES).unwrap();
        // 630 minutes of one core.
        assert_eq!(whole.elements, 32);
        assert_eq!(submission(&plan, &nothing, Sizes { threads: 4, ..SIZES }).unwrap().elements, 8);
        assert_eq!(submission(&plan, &nothing, Sizes { most: 10, ..SIZES }).unwrap().elements, 10);
        assert_eq!(submission(&plan, &nothing, Sizes { elements: Some(7), ..SIZES }).unwrap().elements, 7);
        let few = submission(&plan, &nothing, Sizes { elements: Some(7), ..SIZES }).unwrap();
        let seconds = few.seconds(&plan).unwrap();
        let (least, most) = seconds.iter().fold((f64::MAX, 0.0f64), |(a, b), load| (a.min(*load), b.max(*load)));
        assert!(most <= 1.1 * least, "{seconds:?}");
        assert!((seconds.iter().sum::<f64>() - 37_800.0).abs() < 1.0);
        let mut dealt: Vec<String> = (0..7)
            .flat_map(|index| few.tasks(&plan, index).unwrap().into_iter().map(|task| format!("{task:?}")))
            .collect();
        let mut all: Vec<String> =
            missing(&plan, &nothing, Shard::WHOLE).iter().map(|task| format!("{task:?}")).collect();
        dealt.sort();
        all.sort();
        assert_eq!(dealt, all);
        assert_eq!(few.games(&plan).unwrap(), 660);
    }

    #[test]
    fn what_is_known_is_not_sent_again() {
        let plan = plan();
        let mut contents = Contents::default();
        for game in 0..79u64 {
            let record = Record {
                v: VERSION,
                cell: plan.cells[0].key.clone(),
                pair: game / 2,
                game: (game % 2) as u8,
                seats: plan.cells[0].names.clone(),
                seed: 1,
                winner: 1,
                plies: 5,
                simulations: [1, 1],
                moves: String::new().into(),
                lost_on_time: false,
            };
            contents.games.insert((0, game / 2, (game % 2) as u8), record);
        }
        let rest = submission(&plan, &contents, SIZES).unwrap();
        assert_eq!(rest.games(&plan).unwrap(), 1 + 80 + 500);
        let tasks: Vec<Task> = (0..rest.elements).flat_map(|index| rest.tasks(&plan, index).unwrap()).collect();
        let half = Task::Pair { pair: PairId { cell: 0, pair: 39 }, games: [false, true] };
        assert_eq!(tasks.iter().filter(|task| **task == half).count(), 1);
        let none = Submission::new(&plan, &[], &[], SIZES, Engine::Slurm, 1);
        assert_eq!(none, None);
    }

    #[test]
    fn a_file_of_another_run_is_refused() {
        let plan = plan();
        let mut whole = submission(&plan, &Contents::default(), SIZES).unwrap();
        whole.missing[0].cell = "0000".to_string();
        assert!(whole.tasks(&plan, 0).unwrap_err().to_string().contains("no part of this run"));
    }
}
