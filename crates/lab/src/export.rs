//! All games as a table for other programs. Moves that were left out of a packed run stay empty unless
//! [`crate::recompute::all`] has brought them back.

use crate::error::LabError;
use crate::plan::Plan;
use crate::record::Record;
use crate::store::Contents;

/// A column: its name and its values.
pub(crate) enum Column {
    Text(&'static str, Vec<String>),
    Whole(&'static str, Vec<i64>),
    Number(&'static str, Vec<f64>),
}

/// The table, column by column, in the order of cells and pairs.
fn columns(plan: &Plan, contents: &Contents) -> Vec<Column> {
    let rows = || contents.games.iter().map(|(id, record)| (&plan.cells[id.0], id, record));
    let time = |id: &crate::store::GameId, seat: usize| contents.times.get(id).map_or(f64::NAN, |ms| ms[seat]);
    let moves = |record: &Record| record.moves.text().unwrap_or_default().to_string();
    vec![
        Column::Text("cell", rows().map(|(cell, _, _)| cell.key.clone()).collect()),
        Column::Text("game", rows().map(|(cell, _, _)| cell.game.clone()).collect()),
        Column::Text("a", rows().map(|(cell, _, _)| cell.names[0].clone()).collect()),
        Column::Text("b", rows().map(|(cell, _, _)| cell.names[1].clone()).collect()),
        Column::Text("budget", rows().map(|(cell, _, _)| cell.budget.clone()).collect()),
        Column::Whole("pair", rows().map(|(_, _, record)| record.pair as i64).collect()),
        Column::Whole("game_of_pair", rows().map(|(_, _, record)| i64::from(record.game)).collect()),
        Column::Text("first", rows().map(|(_, _, record)| record.seats[0].clone()).collect()),
        Column::Text("second", rows().map(|(_, _, record)| record.seats[1].clone()).collect()),
        Column::Text("seed", rows().map(|(_, _, record)| record.seed.to_string()).collect()),
        Column::Whole("winner", rows().map(|(_, _, record)| i64::from(record.winner)).collect()),
        Column::Number("score_of_a", rows().map(|(_, _, record)| record.score_of_a()).collect()),
        Column::Whole("plies", rows().map(|(_, _, record)| record.plies as i64).collect()),
        Column::Whole("simulations_first", rows().map(|(_, _, record)| record.simulations[0] as i64).collect()),
        Column::Whole("simulations_second", rows().map(|(_, _, record)| record.simulations[1] as i64).collect()),
        Column::Number("ms_first", rows().map(|(_, id, _)| time(id, 0)).collect()),
        Column::Number("ms_second", rows().map(|(_, id, _)| time(id, 1)).collect()),
        Column::Text("moves", rows().map(|(_, _, record)| moves(record)).collect()),
    ]
}

/// What the rows of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Games.
    Games,
    /// Portions of measurements.
    Portions,
}

/// The portions, column by column; the second number of a score is not there.
fn portion_columns(plan: &Plan, contents: &Contents) -> Vec<Column> {
    let rows = || contents.portions.iter().map(|(id, portion)| (&plan.measurements[id.measurement], portion));
    let value = |list: &[f64], index: usize| list.get(index).copied().unwrap_or(f64::NAN);
    vec![
        Column::Text("cell", rows().map(|(cell, _)| cell.key.clone()).collect()),
        Column::Text("game", rows().map(|(cell, _)| cell.game.clone()).collect()),
        Column::Text("agent", rows().map(|(cell, _)| cell.name.clone()).collect()),
        Column::Text("budget", rows().map(|(cell, _)| cell.budget.clone()).collect()),
        Column::Whole("portion", rows().map(|(_, portion)| portion.portion as i64).collect()),
        Column::Whole("count", rows().map(|(_, portion)| portion.count as i64).collect()),
        Column::Number("sum_first", rows().map(|(_, portion)| value(&portion.sums, 0)).collect()),
        Column::Number("squares_first", rows().map(|(_, portion)| value(&portion.squares, 0)).collect()),
        Column::Number("sum_second", rows().map(|(_, portion)| value(&portion.sums, 1)).collect()),
        Column::Number("squares_second", rows().map(|(_, portion)| value(&portion.squares, 1)).collect()),
    ]
}

impl Rows {
    fn columns(self, plan: &Plan, contents: &Contents) -> Vec<Column> {
        match self {
            Rows::Games => columns(plan, contents),
            Rows::Portions => portion_columns(plan, contents),
        }
    }

    /// How many there are.
    pub fn count(self, contents: &Contents) -> usize {
        match self {
            Rows::Games => contents.games.len(),
            Rows::Portions => contents.portions.len(),
        }
    }
}

impl Column {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Column::Text(name, _) | Column::Whole(name, _) | Column::Number(name, _) => name,
        }
    }

    fn written(&self, row: usize) -> String {
        match self {
            Column::Text(_, values) => quoted(&values[row]),
            Column::Whole(_, values) => values[row].to_string(),
            Column::Number(_, values) if values[row].is_nan() => String::new(),
            Column::Number(_, values) => values[row].to_string(),
        }
    }
}

/// Quotes where commas or quotes make it necessary (RFC 4180).
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

/// Comma-separated values with a header; times that are not known are empty.
pub fn csv(rows: Rows, plan: &Plan, contents: &Contents) -> String {
    let columns = rows.columns(plan, contents);
    let mut text = columns.iter().map(Column::name).collect::<Vec<_>>().join(",") + "\n";
    for row in 0..rows.count(contents) {
        text += &columns.iter().map(|column| column.written(row)).collect::<Vec<_>>().join(",");
        text.push('\n');
    }
    text
}

/// The same table as a Parquet file; times that are not known are NaN. Only with the feature `parquet`, because it takes as
/// long to build as the rest of the laboratory.
#[cfg(feature = "parquet")]
pub fn parquet(rows: Rows, plan: &Plan, contents: &Contents) -> Result<Vec<u8>, LabError> {
    crate::parquet::write(&rows.columns(plan, contents))
        .map_err(|error| LabError::file("parquet")(std::io::Error::other(error.to_string())))
}

/// Says how to get a program that can write Parquet.
#[cfg(not(feature = "parquet"))]
pub fn parquet(_: Rows, _: &Plan, _: &Contents) -> Result<Vec<u8>, LabError> {
    let problem = "this program was built without it";
    let remedy = "write --csv, or build with `cargo install --path crates/cli --features parquet`";
    Err(spinney_core::InputError::unsupported("--parquet", problem, remedy).into())
}
