//! Runs as numbers for other programs: a row for each cell, or for each game.

use super::cluster::look;
use super::lab::{name_faults, threads, warn};
use crate::interrupt;
use crate::text::grouped;
use serde_json::json;
use spinney_core::InputError;
use spinney_lab::cluster::Submission;
use spinney_lab::cluster::progress::State;
use spinney_lab::export::Rows;
use spinney_lab::referee::counted;
use spinney_lab::store::{Contents, Store, write_whole};
use spinney_lab::{Event, cells, export, recompute};
use std::io::Write;
use std::path::Path;

/// What `lab status --json` prints of each cell.
const STATUS: [&str; 11] = ["kind", "cell", "game", "a", "b", "budget", "games", "planned", "score", "low", "high"];

/// How far each cell has come, as lines of JSON.
pub fn status(store: &Store, out: &mut impl Write) -> anyhow::Result<()> {
    let outcomes = store.outcomes()?;
    name_faults(&outcomes.faults);
    write!(out, "{}", cells::table_of_outcomes(&store.plan, &outcomes).only(&STATUS).json_lines())?;
    for number in Submission::numbers(&store.folder) {
        let progress = look(store, number)?;
        let mut line = json!({
            "kind": "submission", "submission": number, "engine": progress.engine.name(), "job": progress.jobs.elements,
            "last_job": progress.jobs.last, "cancelled": progress.jobs.cancelled, "elements": progress.states.len(),
        });
        State::ALL.iter().for_each(|state| line[state.word()] = json!(progress.count(*state)));
        let trouble = progress.trouble.iter().map(|one| {
            json!({
                "element": one.index, "state": one.state.word(), "host": one.host, "attempts": one.attempts,
                "problem": one.problem, "log": one.log,
            })
        });
        line["trouble"] = trouble.collect();
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Everything about each cell: as lines of JSON, or as comma-separated values.
pub fn report(store: &Store, csv: Option<&Path>, out: &mut impl Write) -> anyhow::Result<()> {
    let contents = store.read()?;
    warn(&contents);
    let table = cells::table(&store.plan, &contents);
    match csv {
        None => write!(out, "{}", table.json_lines())?,
        Some(path) if is_standard_output(path) => write!(out, "{}", table.csv())?,
        Some(path) => {
            write_whole(path, table.csv().as_bytes())?;
            writeln!(out, "{}: {} cells", path.display(), table.rows)?;
        }
    }
    Ok(())
}

fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// Plays the games again whose moves were not kept.
fn bring_back_moves(store: &Store, contents: &mut Contents) -> anyhow::Result<()> {
    let [missing, lost] = recompute::missing(&store.plan, contents);
    if lost > 0 {
        eprintln!("{} games limited by time have not kept their moves; these stay empty", grouped(lost));
    }
    if missing == 0 {
        return Ok(());
    }
    eprintln!("{} games are played again for their moves; --kept-moves does without", grouped(missing));
    let bar = indicatif::ProgressBar::new(missing);
    let tell = |event| {
        if let Event::Played { .. } = event {
            bar.inc(1);
        }
    };
    recompute::all(&store.plan, contents, threads(None), interrupt::flag(), &tell)?;
    bar.finish_and_clear();
    match recompute::missing(&store.plan, contents) {
        [0, _] => Ok(()),
        [left, _] => anyhow::bail!("stopped with {} games to play; nothing was written", grouped(left)),
    }
}

/// All games, and portions of measurements, as tables.
pub fn export(
    store: &Store,
    csv: Option<&Path>,
    parquet: Option<&Path>,
    kept_moves: bool,
    beyond: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if csv.is_none() && parquet.is_none() {
        let remedy = "write --csv FILE, --parquet FILE, or --csv - for standard output";
        return Err(InputError::new("lab export", "it is not said where to", remedy).into());
    }
    if parquet.is_some() && !cfg!(feature = "parquet") {
        // Before anything is played again.
        export::parquet(Rows::Games, &store.plan, &Contents::default())?;
    }
    let mut contents = store.read()?;
    warn(&contents);
    if !beyond {
        contents = counted(&store.plan, &contents).into_owned();
    }
    if !kept_moves {
        bring_back_moves(store, &mut contents)?;
    }
    let kinds = [(Rows::Games, store.plan.cells.is_empty()), (Rows::Portions, store.plan.measurements.is_empty())];
    let kinds: Vec<Rows> = kinds.into_iter().filter(|(_, is_empty)| !is_empty).map(|(rows, _)| rows).collect();
    if csv.is_some_and(is_standard_output) && kinds.len() > 1 {
        let problem = "this run has games and portions, which are two tables";
        return Err(InputError::new("--csv -", problem, "write --csv FILE").into());
    }
    for &rows in &kinds {
        // A run with both has a table of portions beside that of games.
        let path_of = |path: &Path| match rows {
            Rows::Portions if kinds.len() > 1 => {
                let kind = path.extension().map_or(String::new(), |kind| format!(".{}", kind.to_string_lossy()));
                path.with_extension(format!("portions{kind}"))
            }
            _ => path.to_path_buf(),
        };
        let words = if rows == Rows::Games { "games" } else { "portions" };
        if csv.is_some_and(is_standard_output) {
            write!(out, "{}", export::csv(rows, &store.plan, &contents))?;
        } else if let Some(path) = csv.map(path_of) {
            write_whole(&path, export::csv(rows, &store.plan, &contents).as_bytes())?;
            writeln!(out, "{}: {} {words}", path.display(), rows.count(&contents))?;
        }
        if let Some(path) = parquet.map(path_of) {
            write_whole(&path, &export::parquet(rows, &store.plan, &contents)?)?;
            // What is printed may be the other table.
            if csv.is_some_and(is_standard_output) {
                eprintln!("{}: {} {words}", path.display(), rows.count(&contents));
            } else {
                writeln!(out, "{}: {} {words}", path.display(), rows.count(&contents))?;
            }
        }
    }
    Ok(())
}
