//! The laboratory: experiments, runs and matches, the same folders as the command line's.

use crate::arrow::Batch;
use crate::attend::watched;
use crate::error::{guarded, input, lab, wrong};
use crate::own::list::{is_python, laboratory};
use crate::state::State;
use crate::think::read_agent;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use spinney_core::Seed;
use spinney_lab::export::Rows;
use spinney_lab::plan::{PairId, Plan, PortionId, Shard};
use spinney_lab::record::{Portion, Record, VERSION, read_line, write_line};
use spinney_lab::referee::Referee;
use spinney_lab::runner::{self, Event, Found, Task, missing};
use spinney_lab::stop::Stop;
use spinney_lab::store::{Contents, Store, folder_name, write_whole};
use spinney_lab::summary::summarise;
use spinney_lab::write::SingleMatch;
use spinney_lab::{CellSummary, Experiment as File, LabError, cells, report, verify};
use spinney_report::{Picture, Report, pictures, to_html, to_markdown, to_terminal};
use spinney_search::Budget;
use spinney_stats::{Interval, normalised_elo};
use spinney_web::{Config, Limits};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// An experiment file.
#[pyclass(module = "spinney._spinney", frozen)]
pub struct Experiment {
    name: String,
    text: String,
    plan: Arc<Plan>,
}

/// What is played, and how it is told.
struct Playing<'py> {
    threads: Option<usize>,
    /// Called with what has been played and what there is to play.
    progress: Option<Bound<'py, PyAny>>,
}

impl Playing<'_> {
    /// All cores, or one where the interpreter's lock lets no more play at once.
    fn threads(&self, plan: &Plan) -> usize {
        let games = plan.cells.iter().map(|cell| &cell.game).chain(plan.measurements.iter().map(|one| &one.game));
        let usual = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let is_locked = || games.map(String::as_str).any(is_python);
        self.threads.unwrap_or_else(|| if is_locked() { 1 } else { usual() }).max(1)
    }

    /// Plays tasks and hands on what is found, until all is done or a signal comes.
    fn play(
        self,
        py: Python<'_>,
        plan: &Plan,
        referee: &Referee,
        tasks: Vec<Task>,
        keep: impl FnMut(Found) -> Result<(), LabError> + Send,
    ) -> PyResult<()> {
        let threads = self.threads(plan);
        let total = AtomicU64::new(tasks.iter().map(|task| task.count(plan)).sum());
        let played = AtomicU64::new(0);
        let tell = |event: Event| match event {
            Event::Played { .. } | Event::Repeated { .. } => drop(played.fetch_add(1, Ordering::Relaxed)),
            Event::Spared { games, .. } => drop(total.fetch_sub(games, Ordering::Relaxed)),
            Event::Started { .. } | Event::Decided { .. } => {}
        };
        let progress = self.progress.map(Bound::unbind);
        let mut told = None;
        let mut report = |py: Python<'_>| {
            let now = (played.load(Ordering::Relaxed), total.load(Ordering::Relaxed));
            match &progress {
                Some(progress) if told.replace(now) != Some(now) => progress.call1(py, now).map(drop),
                _ => Ok(()),
            }
        };
        let stop = AtomicBool::new(false);
        let play = || runner::play_with(plan, referee, tasks, threads, &stop, &tell, keep);
        let result = watched(py, &stop, &mut report, play)?;
        report(py)?;
        result.map_err(lab)
    }
}

#[pymethods]
impl Experiment {
    /// Reads an experiment file; `name` is its path, and the place in errors.
    #[new]
    fn new(py: Python<'_>, name: String, text: String) -> PyResult<Self> {
        let plan = read_plan(py, &name, &text)?;
        Ok(Self { name, text, plan: Arc::new(plan) })
    }

    /// Its path.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The file itself.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// What it is called.
    #[getter]
    fn title(&self) -> &str {
        &self.plan.title
    }

    /// Names the experiment: the same for the same cells and seed.
    #[getter]
    fn hash(&self) -> &str {
        &self.plan.hash
    }

    /// Games and repetitions planned.
    #[getter]
    fn games(&self) -> u64 {
        self.plan.games()
    }

    /// The games that are named in it.
    #[getter]
    fn game_texts(&self) -> Vec<String> {
        let plan = &self.plan;
        let mut games: Vec<String> = plan.cells.iter().map(|cell| cell.game.clone()).collect();
        games.extend(plan.measurements.iter().map(|one| one.game.clone()));
        games.sort();
        games.dedup();
        games
    }

    /// One line for each cell.
    #[getter]
    fn labels(&self) -> Vec<String> {
        let cells = self.plan.cells.iter().map(spinney_lab::Cell::label);
        cells.chain(self.plan.measurements.iter().map(spinney_lab::Measurement::label)).collect()
    }

    /// The folder of its run when none is named.
    #[getter]
    fn folder(&self) -> PathBuf {
        Path::new("runs").join(folder_name(&self.name, &self.plan))
    }

    /// Plays what is missing in the run of a folder.
    #[pyo3(signature = (folder, threads=None, shard="0/1", mix_versions=false, progress=None))]
    fn run(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        threads: Option<usize>,
        shard: &str,
        mix_versions: bool,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Run> {
        let shard = Shard::read(shard).map_err(|error| input(&error))?;
        let mut store = self.store(py, &folder)?;
        store.mixes = mix_versions;
        let mut contents = store.read().map_err(lab)?;
        let tasks = missing(&store.plan, &contents, shard);
        {
            let mut appender = store.append(shard).map_err(lab)?;
            if !tasks.is_empty() {
                py.detach(|| guarded(|| store.admit()))?.map_err(lab)?;
            }
            let referee = Referee::new(&store.plan, &contents).beside(&store.folder, shard);
            let keep = |found: Found| {
                found.write(&mut appender)?;
                found.keep(&mut contents);
                Ok(())
            };
            Playing { threads, progress }.play(py, &store.plan, &referee, tasks, keep)?;
        }
        let contents = store.read().map_err(lab)?;
        let run = Run { plan: store.plan.clone(), contents, store: Some(store) };
        if shard == Shard::WHOLE {
            run.write_page(py)?;
        }
        Ok(run)
    }

    /// What is to be played, of a run in this folder or from the start: tuples of kind, cell and number.
    #[pyo3(signature = (folder=None))]
    fn tasks(&self, py: Python<'_>, folder: Option<PathBuf>) -> PyResult<Vec<(bool, usize, u64)>> {
        let tasks = match folder.filter(|folder| folder.is_dir()) {
            Some(folder) => {
                let store = self.store(py, &folder)?;
                missing(&store.plan, &store.read().map_err(lab)?, Shard::WHOLE)
            }
            None => missing(&self.plan, &Contents::default(), Shard::WHOLE),
        };
        let write = |task: Task| match task {
            Task::Pair { pair, .. } => (false, pair.cell, pair.pair),
            Task::Portion(id) => (true, id.measurement, id.portion),
        };
        Ok(tasks.into_iter().map(write).collect())
    }

    /// Puts what units gave into the run of a folder, in the order of one thread that plays all of it.
    fn collect(&self, py: Python<'_>, results: Vec<Vec<(String, f64, f64)>>, folder: PathBuf) -> PyResult<Run> {
        let store = self.store(py, &folder)?;
        let contents = store.read().map_err(lab)?;
        let plan = &store.plan;
        let mut found: Vec<Found> = Vec::new();
        for (line, first, second) in results.iter().flatten() {
            found.push(self.read_found(line, [*first, *second])?);
        }
        let tasks = missing(plan, &contents, Shard::WHOLE);
        if !found.is_empty() {
            py.detach(|| guarded(|| store.admit()))?.map_err(lab)?;
        }
        let place = |found: &Found| {
            let position = tasks.iter().position(|task| match (task, found) {
                (Task::Pair { pair, .. }, Found::Game(id, ..)) => (pair.cell, pair.pair) == (id.0, id.1),
                (Task::Portion(task), Found::Portion(id, _)) => task == id,
                _ => false,
            });
            let game = if let Found::Game(id, ..) = found { id.2 } else { 0 };
            position.map(|position| (position, game))
        };
        let mut placed: Vec<((usize, u8), Found)> =
            found.into_iter().filter_map(|found| Some((place(&found)?, found))).collect();
        placed.sort_by_key(|(place, _)| *place);
        placed.dedup_by_key(|(place, _)| *place);
        let mut appender = store.append(Shard::WHOLE).map_err(lab)?;
        placed.iter().try_for_each(|(_, found)| found.write(&mut appender)).map_err(lab)?;
        drop(appender);
        let contents = store.read().map_err(lab)?;
        let run = Run { plan: store.plan.clone(), contents, store: Some(store) };
        run.write_page(py)?;
        Ok(run)
    }
}

fn read_plan(py: Python<'_>, name: &str, text: &str) -> PyResult<Plan> {
    let read = || File::read_in(laboratory(), name, text).and_then(|file| Plan::new(&file));
    // A game in Python is opened by this thread, any other without the lock.
    py.detach(|| guarded(read))?.map_err(|error| input(&error))
}

impl Experiment {
    fn store(&self, py: Python<'_>, folder: &Path) -> PyResult<Store> {
        py.detach(|| guarded(|| Store::create_in(laboratory(), folder, &self.name, &self.text)))?.map_err(lab)
    }

    fn read_found(&self, line: &str, ms: [f64; 2]) -> PyResult<Found> {
        let foreign = |problem: &str| wrong("results", problem, "collect what play_unit gave for this experiment");
        let mut buffer = String::new();
        if let Ok(record) = read_line::<Record>(line, &mut buffer) {
            let place = self.plan.cells.iter().position(|cell| cell.key == record.cell);
            let cell = place.ok_or_else(|| foreign("a game of another experiment"))?;
            if self.plan.cells[cell].pair_seed(record.pair).value() != record.seed {
                return Err(foreign("a game with another seed"));
            }
            return Ok(Found::Game((cell, record.pair, record.game), record, ms));
        }
        let portion: Portion = read_line(line, &mut buffer).map_err(foreign)?;
        let place = self.plan.measurements.iter().position(|one| one.key == portion.cell);
        let measurement = place.ok_or_else(|| foreign("a portion of another experiment"))?;
        Ok(Found::Portion(PortionId { measurement, portion: portion.portion }, portion))
    }
}

/// Plays tasks of an experiment; gives lines with checksums and the milliseconds of both seats.
#[pyfunction]
pub fn play_unit(
    py: Python<'_>,
    name: &str,
    text: &str,
    tasks: Vec<(bool, usize, u64)>,
) -> PyResult<Vec<(String, f64, f64)>> {
    /// The plan of the last unit: the next is mostly of the same experiment.
    static LAST: Mutex<Option<(String, String, Arc<Plan>)>> = Mutex::new(None);
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let plan = match last {
        Some((known, known_text, plan)) if known == name && known_text == text => plan,
        _ => {
            let plan = Arc::new(read_plan(py, name, text)?);
            let kept = Some((name.to_string(), text.to_string(), plan.clone()));
            *LAST.lock().unwrap_or_else(PoisonError::into_inner) = kept;
            plan
        }
    };
    let read = |(is_portion, index, number): (bool, usize, u64)| {
        let count = if is_portion { plan.measurements.len() } else { plan.cells.len() };
        if index >= count {
            return Err(wrong("unit", "it is of another experiment", "play units of `experiment.units()`"));
        }
        Ok(match is_portion {
            true => Task::Portion(PortionId { measurement: index, portion: number }),
            false => Task::Pair { pair: PairId { cell: index, pair: number }, games: [true; 2] },
        })
    };
    let tasks = tasks.into_iter().map(read).collect::<PyResult<Vec<Task>>>()?;
    let mut lines = Vec::new();
    let keep = |found: Found| {
        lines.push(match &found {
            Found::Game(_, record, [first, second]) => (write_line(record).trim_end().to_string(), *first, *second),
            Found::Portion(_, portion) => (write_line(portion).trim_end().to_string(), 0.0, 0.0),
        });
        Ok(())
    };
    Playing { threads: Some(1), progress: None }.play(py, &plan, &Referee::idle(), tasks, keep)?;
    Ok(lines)
}

/// What was played.
#[pyclass(module = "spinney._spinney", frozen)]
pub struct Run {
    plan: Plan,
    contents: Contents,
    store: Option<Store>,
}

/// A table of which other programs take columns without a copy.
#[pyclass(module = "spinney._spinney", frozen)]
pub struct Rectangle {
    batch: Batch,
    /// Comma-separated values.
    #[pyo3(get)]
    csv: String,
}

#[pymethods]
impl Rectangle {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A consumer may wish for other types; it gets those that there are and converts them, as the protocol allows.
        drop(requested_schema);
        self.batch.capsule(py)
    }
}

#[pymethods]
impl Run {
    /// Opens the run in a folder.
    #[staticmethod]
    fn open(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let store = py.detach(|| guarded(|| Store::open_in(laboratory(), &folder)))?.map_err(lab)?;
        let contents = store.read().map_err(lab)?;
        Ok(Self { plan: store.plan.clone(), contents, store: Some(store) })
    }

    /// What it is called.
    #[getter]
    fn title(&self) -> &str {
        &self.plan.title
    }

    /// Its folder; None of what was played in memory.
    #[getter]
    fn folder(&self) -> Option<PathBuf> {
        self.store.as_ref().map(|store| store.folder.clone())
    }

    /// Games and repetitions that are known.
    #[getter]
    fn played(&self) -> u64 {
        self.contents.count()
    }

    /// Games and repetitions that are still to be played.
    #[getter]
    fn missing(&self) -> u64 {
        missing(&self.plan, &self.contents, Shard::WHOLE).iter().map(|task| task.count(&self.plan)).sum()
    }

    /// What could not be read, with file and line.
    #[getter]
    fn faults(&self) -> Vec<String> {
        self.contents.faults.clone()
    }

    /// A row for each cell.
    fn cells(&self) -> Rectangle {
        let table = cells::table(&self.plan, &self.contents);
        Rectangle { batch: Batch::new(&table), csv: table.csv() }
    }

    /// A row for each game, or for each portion of a measurement.
    #[pyo3(signature = (portions=None))]
    fn records(&self, portions: Option<bool>) -> Rectangle {
        let is_measured = self.plan.cells.is_empty();
        let rows = if portions.unwrap_or(is_measured) { Rows::Portions } else { Rows::Games };
        let table = rows.table(&self.plan, &self.contents);
        Rectangle { batch: Batch::new(&table), csv: table.csv() }
    }

    /// The report: `text`, `markdown` or `html`.
    fn report(&self, form: &str, columns: usize) -> PyResult<String> {
        let data = self.data(None);
        match form {
            "text" => Ok(to_terminal(&data, columns)),
            "markdown" => Ok(to_markdown(&data)),
            "html" => Ok(to_html(&data)),
            other => Err(wrong("report", format!("`{other}` is no form"), "write text, markdown or html")),
        }
    }

    /// The figures of the report: pairs of a name and an SVG.
    fn pictures(&self) -> Vec<(String, String)> {
        pictures(&self.data(None)).into_iter().map(|Picture { name, svg }| (name, svg)).collect()
    }

    /// The numbers of every match of the run.
    fn summaries<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let summaries = summarise(&self.plan, &self.contents);
        self.plan.cells.iter().zip(&summaries).map(|(cell, summary)| write_summary(py, cell, summary)).collect()
    }

    /// Means of measurements: label, repetitions, mean and half the width of its 95 % interval.
    fn samples(&self) -> Vec<(String, u64, f64, f64)> {
        let samples = spinney_lab::summary::samples(&self.plan, &self.contents);
        let all = self.plan.measurements.iter().zip(samples);
        all.map(|(one, sample)| (one.label(), sample.count, sample.mean(0), sample.margin(0))).collect()
    }

    /// Plays a share of the games again: how many, how many of them were identical, and what differed.
    fn verify(&self, py: Python<'_>, share: f64) -> PyResult<(u64, u64, Vec<String>)> {
        let Some(store) = &self.store else { return Err(wrong("verify", "the run is in memory", "give `out`")) };
        let ids = verify::sample(&self.plan, &self.contents, share);
        let stop = AtomicBool::new(false);
        let mut found = verify::Verification::default();
        let work = || -> Result<(), LabError> {
            for id in ids {
                let record = &self.contents.games[&id];
                let Some(result) = verify::replay(store, record, id, &stop)? else { break };
                found.add(1, result);
            }
            found.write(store)
        };
        crate::attend::attended(py, &stop, work)?.map_err(lab)?;
        Ok((found.replayed, found.identical, found.differences))
    }
}

impl Run {
    fn data(&self, command: Option<String>) -> Report {
        match &self.store {
            Some(store) => report::of_store(store, &self.contents, command),
            None => report::report(&self.plan, &self.contents, None, "spinney.match(…)".into(), report::machine()),
        }
    }

    /// The page and its figures beside the games, as the command line leaves them.
    fn write_page(&self, py: Python<'_>) -> PyResult<()> {
        let Some(store) = &self.store else { return Ok(()) };
        let write = || -> Result<(), LabError> {
            let data = self.data(None);
            write_whole(&store.folder.join("report.html"), to_html(&data).as_bytes())?;
            for Picture { name, svg } in pictures(&data) {
                write_whole(&store.folder.join(format!("report-{name}.svg")), svg.as_bytes())?;
            }
            Ok(())
        };
        py.detach(write).map_err(lab)
    }
}

fn write_summary<'py>(
    py: Python<'py>,
    cell: &spinney_lab::Cell,
    summary: &CellSummary,
) -> PyResult<Bound<'py, PyDict>> {
    let ends = |interval: Interval| (interval.low, interval.high);
    let line = PyDict::new(py);
    line.set_item("game", &cell.game)?;
    line.set_item("names", (&cell.names[0], &cell.names[1]))?;
    line.set_item("a", &cell.described[0])?;
    line.set_item("b", &cell.described[1])?;
    line.set_item("budget", &cell.budget)?;
    line.set_item("label", cell.label())?;
    line.set_item("games", summary.games.games())?;
    line.set_item("score", summary.score)?;
    line.set_item("interval", summary.interval.map(ends))?;
    line.set_item("basis", summary.basis.name())?;
    line.set_item("elo", summary.elo.map(|(elo, _)| elo))?;
    line.set_item("elo_interval", summary.elo.map(|(_, interval)| ends(interval)))?;
    line.set_item("normalised_elo", normalised_elo(&summary.pairs))?;
    line.set_item("p_value", summary.p_value)?;
    line.set_item("pairs", summary.pairs.counts)?;
    line.set_item("wins", summary.games.wins)?;
    line.set_item("draws", summary.games.draws)?;
    line.set_item("losses", summary.games.losses)?;
    line.set_item("average_plies", summary.plies)?;
    line.set_item("score_first", summary.seats[0])?;
    line.set_item("score_second", summary.seats[1])?;
    line.set_item("simulations", summary.simulations)?;
    line.set_item("simulations_per_move", summary.simulations_per_move)?;
    line.set_item("milliseconds_per_move", summary.milliseconds_per_move)?;
    line.set_item("stop", cell.stop.as_ref().map(Stop::to_string))?;
    line.set_item("course", report::course(cell, summary).map(|course| course.words))?;
    Ok(line)
}

/// A match as `spinney match` plays it: in memory, or in the run of a folder.
#[pyfunction]
#[pyo3(signature = (game, agents, games, seed, opening, stop, folder, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "Python gives them names")]
pub fn match_run(
    py: Python<'_>,
    game: &str,
    agents: (String, String),
    games: u64,
    seed: u64,
    opening: u32,
    stop: Option<&str>,
    folder: Option<PathBuf>,
    threads: Option<usize>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Run> {
    let agents = [read_agent(&agents.0, &Budget::default())?, read_agent(&agents.1, &Budget::default())?];
    let stop = stop.map(Stop::read_text).transpose().map_err(|error| input(&error))?;
    let pairs = games.div_ceil(2);
    let (plan, store) = match &folder {
        Some(folder) => {
            let file = SingleMatch { game, agents: &agents, opening, pairs, seed, stop: stop.as_ref() };
            let text = file.to_string();
            let make = || guarded(|| Store::create_in(laboratory(), folder, "match.toml", &text));
            let store = py.detach(make)?.map_err(lab)?;
            (store.plan.clone(), Some(store))
        }
        None => {
            let seed = Seed::new(seed).named(game);
            let make = || guarded(|| Plan::single(laboratory(), game, agents, opening, pairs, seed));
            let mut plan = py.detach(make)?.map_err(|error| input(&error))?;
            plan.cells[0].stop = stop;
            (plan, None)
        }
    };
    let (mut contents, mut appender) = match &store {
        Some(store) => (store.read().map_err(lab)?, Some(store.append(Shard::WHOLE).map_err(lab)?)),
        None => (Contents::default(), None),
    };
    let mut tasks = missing(&plan, &contents, Shard::WHOLE);
    // The last pair of an odd number of games is a single one, unless pairs are kept or counted.
    if let Some(Task::Pair { games: last, .. }) = tasks.last_mut()
        && games % 2 == 1
        && store.is_none()
        && plan.cells[0].stop.is_none()
    {
        *last = [true, false];
    }
    let referee = Referee::new(&plan, &contents);
    let keep = |found: Found| {
        if let Some(appender) = &mut appender {
            found.write(appender)?;
        }
        found.keep(&mut contents);
        Ok(())
    };
    Playing { threads, progress }.play(py, &plan, &referee, tasks, keep)?;
    Ok(Run { plan, contents, store })
}

/// The mean score of an agent in a game of one player, as `spinney score` measures it.
#[pyfunction]
#[pyo3(signature = (game, agent, games, seed, threads, progress))]
pub fn score_run(
    py: Python<'_>,
    game: &str,
    agent: &str,
    games: u64,
    seed: u64,
    threads: Option<usize>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Run> {
    let agent = read_agent(agent, &Budget::default())?;
    let make = || guarded(|| Plan::single_measurement(laboratory(), game, agent, games, seed));
    let plan = py.detach(make)?.map_err(|error| input(&error))?;
    let mut contents = Contents::default();
    let tasks = missing(&plan, &contents, Shard::WHOLE);
    let keep = |found: Found| {
        found.keep(&mut contents);
        Ok(())
    };
    Playing { threads, progress }.play(py, &plan, &Referee::idle(), tasks, keep)?;
    Ok(Run { plan, contents, store: None })
}

type Played = (u64, u8, Vec<String>, u8, (u64, u64), (f64, f64));

/// The run of games that Python played: pair, game of the pair, moves, winner, simulations and milliseconds of the first
/// and the second player.
#[pyfunction]
pub fn run_of_games(
    state: &Bound<'_, State>,
    agents: (String, String),
    seed: u64,
    played: Vec<Played>,
) -> PyResult<Run> {
    let game = guarded(|| state.borrow_mut().table().game())?;
    let seats = [(); 2].map(|()| read_agent("random", &Budget::default()));
    let [first, second] = seats;
    let pairs = played.iter().map(|one| one.0 + 1).max().unwrap_or(0);
    let (agents_of_plan, seed) = ([first?, second?], Seed::new(seed).named(&game));
    let plan = guarded(|| Plan::single(laboratory(), &game, agents_of_plan, 0, pairs, seed))?;
    let mut plan = plan.map_err(|error| input(&error))?;
    let cell = &mut plan.cells[0];
    cell.described = agents.into();
    plan.agents = [0, 1].map(|seat| (cell.names[seat].clone(), cell.described[seat].clone())).into();
    let mut contents = Contents::default();
    for (pair, game, moves, winner, simulations, ms) in played {
        let [a, b] = cell.names.clone();
        let record = Record {
            v: VERSION,
            cell: cell.key.clone(),
            pair,
            game,
            seats: if game == 0 { [a, b] } else { [b, a] },
            seed: cell.pair_seed(pair).value(),
            winner,
            plies: moves.len() as u64,
            simulations: simulations.into(),
            moves: moves.join(" ").into(),
        };
        Found::Game((0, pair, game), record, ms.into()).keep(&mut contents);
    }
    Ok(Run { plan, contents, store: None })
}

/// The seed of a pair of a match, for who plays its games in Python.
#[pyfunction]
pub fn pair_seed(game: &str, seed: u64, pair: u64) -> u64 {
    Seed::new(seed).named(game).child(pair).value()
}

/// The seed of a ply of a game, as games of the laboratory have it.
#[pyfunction]
pub fn ply_seed(seed: u64, player: u8, ply: u64) -> u64 {
    Seed::new(seed).child(u64::from(player.saturating_sub(1))).child(ply).value()
}

/// The text of an experiment file that comes with the program.
#[pyfunction]
pub fn library_file(name: &str) -> Option<&'static str> {
    spinney_lab::library::find_path(name).map(|file| file.text)
}

/// The names of the experiment files that come with the program.
#[pyfunction]
pub fn library_files() -> Vec<&'static str> {
    spinney_lab::library::files().map(|file| file.name).collect()
}

/// The page, until Ctrl-C; `started` is called with its address.
#[pyfunction]
pub fn serve(py: Python<'_>, address: String, runs: PathBuf, started: Py<PyAny>) -> PyResult<()> {
    let config = Config { address: address.clone(), runs, limits: Limits::default(), laboratory: laboratory().clone() };
    let stop = AtomicBool::new(false);
    let told = |address: std::net::SocketAddr| {
        // Whoever cannot be told can still open the page.
        let _ = Python::attach(|py| started.call1(py, (address.to_string(),)));
    };
    let served = crate::attend::attended(py, &stop, || spinney_web::serve(&config, &stop, told))?;
    served.map_err(|error| wrong(&address, error, "choose another port or host"))
}
