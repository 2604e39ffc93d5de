//! The experiments of the atlas, each with its cells, the rows of the published tables that they stand beside, and the
//! games that were found for them.

use super::kinds::{PartKind, Role};
use crate::experiment::Experiment;
use crate::library;
use crate::measure::Sample;
use crate::plan::{Cell, Plan};
use crate::published;
use crate::reduce::name_of;
use crate::store::Contents;
use crate::summary::{CellSummary, samples, summarise};
use spinney_core::InputError;
use spinney_table::Laboratory;
use std::collections::BTreeMap;

/// Their folder below `experiments`.
pub const FOLDER: &str = "atlas/";

/// One experiment of the atlas.
#[derive(Debug)]
pub struct Part {
    /// Its name, such as `atlas/table-1`.
    pub name: &'static str,
    /// What it is for.
    pub kind: PartKind,
    /// What it plays.
    pub plan: Plan,
    /// The row of its paper's table for each cell.
    pub rows: Vec<Option<usize>>,
    /// Which rules and which search each cell has.
    pub roles: Vec<Role>,
    /// The games of all runs that belong to it.
    pub contents: Contents,
    /// What they say, cell by cell.
    pub summaries: Vec<CellSummary>,
    /// What the measurements say.
    pub samples: Vec<Sample>,
    /// Seconds of one simulation a move in a whole game, by game: the mean of all games that were played on a core.
    pub paces: BTreeMap<String, f64>,
}

/// A cell with what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// What is played.
    pub cell: &'a Cell,
    /// What the games say.
    pub summary: &'a CellSummary,
    /// The row of its paper's table.
    pub row: Option<usize>,
    /// Whose rules and search it has.
    pub role: &'a Role,
}

impl Known<'_> {
    /// How many games were found for it.
    pub fn games(&self) -> u64 {
        self.summary.games.games()
    }
}

impl Part {
    fn read(laboratory: &Laboratory, file: library::File) -> Result<Self, InputError> {
        let experiment = Experiment::read_in(laboratory, file.name, file.text)?;
        let plan = Plan::new(&experiment)?;
        let rows = rows(&experiment, &plan)?;
        let kind = PartKind::read(file.name)?;
        let roles = plan.cells.iter().map(|cell| Role::read(file.name, kind, cell)).collect::<Result<_, _>>()?;
        let mut part = Self {
            name: file.name,
            kind,
            plan,
            rows,
            roles,
            contents: Contents::default(),
            summaries: Vec::new(),
            samples: Vec::new(),
            paces: BTreeMap::new(),
        };
        part.judge();
        Ok(part)
    }

    /// Computes what the games say.
    pub(super) fn judge(&mut self) {
        self.summaries = summarise(&self.plan, &self.contents);
        self.samples = samples(&self.plan, &self.contents);
    }

    /// The cells with what is known of them.
    pub fn cells(&self) -> impl Iterator<Item = Known<'_>> {
        let told = self.rows.iter().zip(&self.roles);
        let cells = self.plan.cells.iter().zip(&self.summaries).zip(told);
        cells.map(|((cell, summary), (row, role))| Known { cell, summary, row: *row, role })
    }

    /// What was measured of an agent with so many simulations.
    pub fn sample(&self, agent: &str, simulations: u64) -> Option<&Sample> {
        let is_wanted = |index: &usize| {
            let one = &self.plan.measurements[*index];
            one.name == agent && one.simulations == Some(simulations)
        };
        let found = (0..self.plan.measurements.len()).find(is_wanted)?;
        Some(&self.samples[found]).filter(|sample| sample.count > 1)
    }

    /// Seconds that a game of a cell takes on one core, if its game was played with any number of simulations.
    pub fn seconds_of_game(&self, cell: &Cell) -> Option<f64> {
        Some(self.paces.get(&cell.game)? * cell.simulations? as f64)
    }

    /// Games and repetitions found.
    pub fn games(&self) -> u64 {
        self.contents.count()
    }
}

/// All experiments of the atlas.
pub fn all(laboratory: &Laboratory) -> Result<Vec<Part>, InputError> {
    let files = library::files().filter(|file| file.name.starts_with(FOLDER));
    files.map(|file| Part::read(laboratory, file)).collect()
}

/// The row of each cell, in the order in which a plan expands its matches.
fn rows(experiment: &Experiment, plan: &Plan) -> Result<Vec<Option<usize>>, InputError> {
    let mut cells = plan.cells.iter();
    let mut rows = Vec::with_capacity(plan.cells.len());
    for one in &experiment.matches {
        let count = one.budgets.len() * one.games.len() * one.a.len() * one.b.len();
        for cell in cells.by_ref().take(count) {
            let row = match &one.published {
                Some(columns) => {
                    let mut columns = columns.clone();
                    let column = one.points.as_ref().and_then(|points| points.column.clone());
                    columns.extend(column.zip(cell.x.map(|x| x.to_string())));
                    published::row_of(&columns, name_of(&cell.written_game), &one.title)?
                }
                None => None,
            };
            rows.push(row);
        }
    }
    Ok(rows)
}
