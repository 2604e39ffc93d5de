//! Runs: what was played, as tables, reports and numbers.

use crate::arrow::Batch;
use crate::attend::attended;
use crate::error::{guarded, lab, wrong};
use crate::own::list::laboratory;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use spinney_lab::export::Rows;
use spinney_lab::plan::{Plan, Shard};
use spinney_lab::runner::missing;
use spinney_lab::stop::Stop;
use spinney_lab::store::{Contents, Store, write_whole};
use spinney_lab::summary::summarise;
use spinney_lab::{CellSummary, LabError, cells, report, verify};
use spinney_report::{Picture, Report, pictures, to_html, to_markdown, to_terminal};
use spinney_stats::{Interval, normalised_elo};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// What was played.
#[pyclass(module = "spinney._spinney", frozen)]
pub struct Run {
    /// What was to be played.
    pub plan: Plan,
    /// What is known of it.
    pub contents: Contents,
    /// Where it is kept.
    pub store: Option<Store>,
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
        attended(py, &stop, work)?.map_err(lab)?;
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
    pub fn write_page(&self, py: Python<'_>) -> PyResult<()> {
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
