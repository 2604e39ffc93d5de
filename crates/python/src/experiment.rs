//! Experiments: files, their runs, and units that are played elsewhere. The folders are those of the command line.

use crate::error::{guarded, input, lab, wrong};
use crate::own::list::laboratory;
use crate::playing::Playing;
use crate::run::Run;
use pyo3::prelude::*;
use spinney_lab::Experiment as File;
use spinney_lab::plan::{PairId, Plan, PortionId, Shard};
use spinney_lab::record::{Portion, Record, read_line, write_line};
use spinney_lab::referee::Referee;
use spinney_lab::runner::{Found, Task, missing};
use spinney_lab::store::{Contents, Store, folder_name};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// An experiment file.
#[pyclass(module = "spinney._spinney", frozen)]
pub struct Experiment {
    name: String,
    text: String,
    plan: Arc<Plan>,
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
