//! Brings the games of all runs below a folder to the experiments of the atlas.
//!
//! A game belongs to a cell if its game, both agents with all their settings, and its opening are the same; the seed need
//! not be. Pairs of the cell's own seed keep their numbers, those of other seeds follow behind them.

use super::parts::Part;
use crate::error::LabError;
use crate::measure::Measurement;
use crate::plan::{Cell, PortionId};
use crate::program::Program;
use crate::record::{Portion, Record};
use crate::stop::Kind;
use crate::store::{PLAN, Store};
use crate::verify::Verification;
use spinney_report::atlas::RunLine;
use spinney_table::Laboratory;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Games by seed (the key of the cell they were played in), pair and game.
type Found<K, V> = BTreeMap<usize, BTreeMap<String, BTreeMap<K, V>>>;

/// What was found for a part.
#[derive(Default)]
struct Catch {
    games: Found<(u64, u8), Record>,
    portions: Found<u64, Portion>,
    /// Seconds, and simulations a move, of all games of which they are known.
    paces: BTreeMap<String, [f64; 2]>,
}

/// How far it is: runs that were read, of how many.
pub type Progress<'a> = dyn Fn(usize, usize) + 'a;

/// Fills the parts and tells of every run.
pub fn gather(
    laboratory: &Laboratory,
    results: &Path,
    parts: &mut [Part],
    progress: &Progress<'_>,
) -> Result<Vec<RunLine>, LabError> {
    let mut catches: Vec<Catch> = parts.iter().map(|_| Catch::default()).collect();
    let mut lines = Vec::new();
    let folders = runs(results)?;
    for (done, folder) in folders.iter().enumerate() {
        progress(done, folders.len());
        let name = folder.strip_prefix(results).unwrap_or(folder).display().to_string();
        let read = Store::open_in(laboratory, folder).and_then(|store| of_run(&store, &name, parts, &mut catches));
        // One run that cannot be read must not hide the others.
        lines.push(read.unwrap_or_else(|error| RunLine {
            folder: name,
            problem: Some(format!("could not be read: {error}")),
            ..RunLine::default()
        }));
    }
    progress(folders.len(), folders.len());
    // A game takes as long in one table as in another.
    let mut sums: BTreeMap<&str, [f64; 2]> = BTreeMap::new();
    for (game, [seconds, simulations]) in catches.iter().flat_map(|caught| &caught.paces) {
        let sum = sums.entry(game).or_default();
        *sum = [sum[0] + seconds, sum[1] + simulations];
    }
    let paces: BTreeMap<String, f64> =
        sums.into_iter().map(|(game, [seconds, simulations])| (game.to_string(), seconds / simulations)).collect();
    for (part, caught) in parts.iter_mut().zip(catches) {
        part.paces = paces.clone();
        settle(part, caught);
        part.judge();
    }
    Ok(lines)
}

/// The folders of runs below a folder, by name.
pub fn runs(folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).map_err(LabError::file(folder))? {
        let path = entry.map_err(LabError::file(folder))?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort();
    let mut found = Vec::new();
    for path in folders {
        if path.join(PLAN).is_file() {
            found.push(path.clone());
        }
        found.extend(runs(&path)?);
    }
    Ok(found)
}

fn of_run(store: &Store, name: &str, parts: &[Part], catches: &mut [Catch]) -> Result<RunLine, LabError> {
    let plan = &store.plan;
    let places: Vec<Vec<(usize, usize)>> = plan.cells.iter().map(|cell| places(parts, cell, plan.seed)).collect();
    let measured: Vec<Vec<(usize, usize)>> =
        plan.measurements.iter().map(|one| measurements(parts, one, plan.seed)).collect();
    let program = store.program()?;
    let mut line = RunLine {
        folder: name.to_string(),
        version: program.as_ref().map_or_else(|| store.version.clone(), |program| program.words()),
        machine: program.as_ref().filter(|one| !one.machines.is_empty()).map(|one| one.machines.join("; ")),
        seconds: program.as_ref().and_then(|one| one.cost).map(|cost| cost.seconds),
        checked: Verification::read(store).map(|found| [found.identical, found.replayed]),
        ..RunLine::default()
    };
    let counts = places.iter().chain(&measured).any(|places| !places.is_empty());
    if counts || line.seconds.is_none() {
        let contents = store.read()?;
        for (&(cell, pair, game), record) in &contents.games {
            line.games += u64::from(!places[cell].is_empty());
            for &(part, place) in &places[cell] {
                let own = catches[part].games.entry(place).or_default();
                own.entry(plan.cells[cell].key.clone()).or_default().insert((pair, game), record.clone());
            }
        }
        for (id, portion) in &contents.portions {
            line.games += if measured[id.measurement].is_empty() { 0 } else { portion.count };
            for &(part, place) in &measured[id.measurement] {
                let own = catches[part].portions.entry(place).or_default();
                let key = plan.measurements[id.measurement].key.clone();
                own.entry(key).or_default().insert(id.portion, portion.clone());
            }
        }
        // A card takes next to nothing for a game of many.
        let is_by_core = !program.as_ref().is_some_and(Program::has_card);
        for ((cell, ..), ms) in contents.times.iter().filter(|_| is_by_core) {
            let Some(simulations) = plan.cells[*cell].simulations else { continue };
            for &(part, place) in &places[*cell] {
                let sum = catches[part].paces.entry(parts[part].plan.cells[place].game.clone()).or_default();
                *sum = [sum[0] + (ms[0] + ms[1]) / 1000.0, sum[1] + simulations as f64];
            }
        }
        if line.seconds.is_none() && !contents.times.is_empty() {
            line.seconds = Some(contents.times.values().map(|ms| (ms[0] + ms[1]) / 1000.0).sum());
        }
        if let Some(first) = contents.faults.first() {
            let count = contents.faults.len();
            line.problem = Some(format!(
                "{} games count, but {count} of its lines could not be read, the first at {first}; see spinney lab status",
                line.games
            ));
        }
    }
    Ok(line)
}

/// Cells of the parts that a cell's games belong to.
fn places(parts: &[Part], cell: &Cell, seed: u64) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let is_same = |other: &Cell| {
            let is_alike =
                other.game == cell.game && other.described == cell.described && other.opening == cell.opening;
            // The same seed with another hash is another rule sheet of the same name.
            let is_other_sheet = seed == part.plan.seed
                && other.key != cell.key
                && cell.shared_seed.is_none()
                && cell.opening == other.opening;
            // What time limits is not the same on another machine: it counts where it was played for this very experiment.
            other.key == cell.key || is_alike && !is_other_sheet && !cell.is_timed
        };
        found.extend(part.plan.cells.iter().position(is_same).map(|place| (index, place)));
    }
    found
}

fn measurements(parts: &[Part], one: &Measurement, seed: u64) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let is_same = |other: &Measurement| {
            let is_alike = other.game == one.game && other.described == one.described && other.quantity == one.quantity;
            other.key == one.key || (is_alike && seed != part.plan.seed && !one.is_timed)
        };
        found.extend(part.plan.measurements.iter().position(is_same).map(|place| (index, place)));
    }
    found
}

/// Numbers the games of each cell: those of its own seed as they are, the others behind them.
fn settle(part: &mut Part, caught: Catch) {
    for (place, mut seeds) in caught.games {
        let cell = &mut part.plan.cells[place];
        let own = seeds.remove(&cell.key).unwrap_or_default();
        let mut next = own.keys().map(|(pair, _)| pair + 1).max().unwrap_or(0);
        part.contents.games.extend(own.into_iter().map(|((pair, game), record)| ((place, pair, game), record)));
        for games in seeds.into_values() {
            let first = next;
            for ((pair, game), record) in games {
                next = next.max(first + pair + 1);
                part.contents.games.insert((place, first + pair, game), record);
            }
        }
        cell.pairs = cell.pairs.max(next);
        // Other experiments played on where the rule would have ended: a mean of all games is not drawn to one side by the
        // moment of stopping, and the verdict that holds whenever one looks holds for them too.
        if matches!(cell.stop.as_ref().map(|stop| &stop.kind), Some(Kind::Published { .. })) {
            (cell.stop, cell.looked) = (None, Some(0));
        }
    }
    for (place, mut seeds) in caught.portions {
        let one = &mut part.plan.measurements[place];
        let own = seeds.remove(&one.key).unwrap_or_default();
        let numbered = own.into_iter().chain(seeds.into_values().flat_map(BTreeMap::into_iter));
        let mut repetitions = 0;
        for (portion, (_, what)) in (0..).zip(numbered) {
            repetitions += what.count;
            part.contents.portions.insert(PortionId { measurement: place, portion }, what);
        }
        one.repetitions = one.repetitions.max(repetitions.next_multiple_of(crate::measure::PORTION));
    }
}
