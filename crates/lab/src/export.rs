//! All games as a table for other programs. Moves that were left out of a packed run stay empty unless
//! [`crate::recompute::all`] has brought them back.

use crate::cells::Facts;
use crate::column::{Column, Entry, Kind, Table};
use crate::error::LabError;
use crate::measure::Measurement;
use crate::plan::{Cell, Plan, PortionId};
use crate::record::{Portion, Record};
use crate::store::{Contents, GameId};
use std::borrow::Cow;
use std::rc::Rc;

/// The games, in the order of cells and pairs: what was played first, then what is known of the cell.
fn games<'a>(plan: &'a Plan, contents: &'a Contents) -> Table<'a> {
    let rows: Rc<[(&GameId, &Record)]> = contents.games.iter().collect();
    let mut columns: Vec<Column<'a>> = Vec::new();
    let mut add = |name: &str, kind, entry: fn(&'a Cell, &'a Record) -> Entry<'a>| {
        let rows = rows.clone();
        columns.push(Column::new(name, kind, move |row| entry(&plan.cells[rows[row].0.0], rows[row].1)));
    };
    add("cell", Kind::Text, |cell, _| text(&cell.key));
    add("game", Kind::Text, |cell, _| text(&cell.game));
    add("a", Kind::Text, |cell, _| text(&cell.names[0]));
    add("b", Kind::Text, |cell, _| text(&cell.names[1]));
    add("budget", Kind::Text, |cell, _| text(&cell.budget));
    add("pair", Kind::Whole, |_, record| Entry::Whole(record.pair as i64));
    add("game_of_pair", Kind::Whole, |_, record| Entry::Whole(i64::from(record.game)));
    add("first", Kind::Text, |_, record| text(&record.seats[0]));
    add("second", Kind::Text, |_, record| text(&record.seats[1]));
    // Seeds take all of 64 bits, which numbers of other programs do not hold.
    add("seed", Kind::Text, |_, record| Entry::Text(record.seed.to_string().into()));
    add("winner", Kind::Whole, |_, record| Entry::Whole(i64::from(record.winner)));
    add("score_of_a", Kind::Number, |_, record| Entry::Number(record.score_of_a()));
    add("plies", Kind::Whole, |_, record| Entry::Whole(record.plies as i64));
    add("simulations_first", Kind::Whole, |_, record| Entry::Whole(record.simulations[0] as i64));
    add("simulations_second", Kind::Whole, |_, record| Entry::Whole(record.simulations[1] as i64));
    for (name, seat) in [("ms_first", 0), ("ms_second", 1)] {
        let rows = rows.clone();
        let time =
            move |row: usize| contents.times.get(rows[row].0).map_or(Entry::Nothing, |ms| Entry::Number(ms[seat]));
        columns.push(Column::new(name, Kind::Number, time));
    }
    if plan.cells.iter().any(|cell| cell.clock.is_some()) {
        let of = rows.clone();
        columns.push(Column::new("lost_on_time", Kind::Flag, move |row| Entry::Flag(of[row].1.lost_on_time)));
    }
    let of = rows.clone();
    let moves = move |row: usize| text(of[row].1.moves.text().unwrap_or_default());
    columns.push(Column::new("moves", Kind::Text, moves));
    let of = rows.clone();
    columns.extend(Facts::of_matches(plan).columns(move |row| of[row].0.0));
    Table { rows: rows.len(), columns }
}

fn text(text: &str) -> Entry<'_> {
    Entry::Text(Cow::Borrowed(text))
}

/// What the rows of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Games.
    Games,
    /// Portions of measurements.
    Portions,
}

/// The portions; the second number of a score is not there.
fn portions<'a>(plan: &'a Plan, contents: &'a Contents) -> Table<'a> {
    let rows: Rc<[(&PortionId, &Portion)]> = contents.portions.iter().collect();
    let mut columns: Vec<Column<'a>> = Vec::new();
    let mut add = |name: &str, kind, entry: fn(&'a Measurement, &'a Portion) -> Entry<'a>| {
        let rows = rows.clone();
        let of_row = move |row: usize| entry(&plan.measurements[rows[row].0.measurement], rows[row].1);
        columns.push(Column::new(name, kind, of_row));
    };
    fn value(list: &[f64], index: usize) -> Entry<'static> {
        list.get(index).map_or(Entry::Nothing, |value| Entry::Number(*value))
    }
    add("cell", Kind::Text, |cell, _| text(&cell.key));
    add("game", Kind::Text, |cell, _| text(&cell.game));
    add("agent", Kind::Text, |cell, _| text(&cell.name));
    add("budget", Kind::Text, |cell, _| text(&cell.budget));
    add("portion", Kind::Whole, |_, portion| Entry::Whole(portion.portion as i64));
    add("count", Kind::Whole, |_, portion| Entry::Whole(portion.count as i64));
    add("sum_first", Kind::Number, |_, portion| value(&portion.sums, 0));
    add("squares_first", Kind::Number, |_, portion| value(&portion.squares, 0));
    add("sum_second", Kind::Number, |_, portion| value(&portion.sums, 1));
    add("squares_second", Kind::Number, |_, portion| value(&portion.squares, 1));
    let of = rows.clone();
    columns.extend(Facts::of_measurements(plan).columns(move |row| of[row].0.measurement));
    Table { rows: rows.len(), columns }
}

impl Rows {
    /// The table.
    pub fn table<'a>(self, plan: &'a Plan, contents: &'a Contents) -> Table<'a> {
        match self {
            Rows::Games => games(plan, contents),
            Rows::Portions => portions(plan, contents),
        }
    }

    /// How many rows there are.
    pub fn count(self, contents: &Contents) -> usize {
        match self {
            Rows::Games => contents.games.len(),
            Rows::Portions => contents.portions.len(),
        }
    }
}

/// Comma-separated values with a header; what is not known is empty.
pub fn csv(rows: Rows, plan: &Plan, contents: &Contents) -> String {
    rows.table(plan, contents).csv()
}

/// The same table as a Parquet file; what is not known is null. Only with the feature `parquet`, because it takes as
/// long to build as the rest of the laboratory.
#[cfg(feature = "parquet")]
pub fn parquet(rows: Rows, plan: &Plan, contents: &Contents) -> Result<Vec<u8>, LabError> {
    crate::parquet::write(&rows.table(plan, contents))
        .map_err(|error| LabError::file("parquet")(std::io::Error::other(error.to_string())))
}

/// Says how to get a program that can write Parquet.
#[cfg(not(feature = "parquet"))]
pub fn parquet(_: Rows, _: &Plan, _: &Contents) -> Result<Vec<u8>, LabError> {
    let problem = "this program was built without it";
    let remedy = "write --csv, or build with `cargo install --path crates/cli --features parquet`";
    Err(spinney_core::InputError::unsupported("--parquet", problem, remedy).into())
}
