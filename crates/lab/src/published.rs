//! The published numbers, compiled in.

use crate::library;
use spinney_core::InputError;
use spinney_stats::Reference;
use std::collections::BTreeMap;

/// A published result.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// Score of the enhanced player, 0 to 1.
    pub score: f64,
    /// Half the width of its 95 % interval.
    pub margin: Option<f64>,
    /// Number of games.
    pub games: Option<u64>,
    /// Paper and table.
    pub source: String,
}

impl Published {
    /// What is known of it. A number without games or interval is known as well as it is printed: to half a point.
    pub fn reference(&self) -> Reference {
        let printed = self.games.is_none().then_some(0.005);
        Reference { score: self.score, games: self.games.unwrap_or(0), half_width: self.margin.or(printed) }
    }
}

/// A row of a paper's table by column.
pub type Row = BTreeMap<&'static str, &'static str>;

/// The columns of a paper's numbers, and all rows.
pub fn table(paper: &str) -> Option<(Vec<&'static str>, Vec<Row>)> {
    let mut lines = library::published(paper)?.lines().filter(|line| !line.starts_with('#'));
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let rows = lines.map(|line| header.iter().copied().zip(line.split(',')).collect()).collect();
    Some((header, rows))
}

/// The number, from 0, of the one row that [`find`] finds.
pub fn row_of(wanted: &BTreeMap<String, String>, game: &str, place: &str) -> Result<Option<usize>, InputError> {
    let found = find_row(wanted, game, place)?;
    let rows = table(wanted.get(PAPER).map_or("", String::as_str)).map_or(Vec::new(), |(_, rows)| rows);
    Ok(found.and_then(|found| rows.iter().position(|row| *row == found)))
}

/// The rows that agree with all columns of `wanted`, of which `paper` names the file, and fit `is_own`.
fn rows(wanted: &BTreeMap<String, String>, place: &str, is_own: impl Fn(&Row) -> bool) -> Result<Vec<Row>, InputError> {
    let paper = wanted.get(PAPER).map_or("", String::as_str);
    let Some((header, rows)) = table(paper) else {
        return Err(InputError::unknown(place, "paper", paper, library::papers_with_numbers()));
    };
    if let Some(key) = wanted.keys().find(|key| *key != PAPER && !header.contains(&key.as_str())) {
        return Err(InputError::unknown(place, "column", key, header));
    }
    let fits = |row: &Row| {
        wanted.iter().all(|(key, value)| key == PAPER || row.get(key.as_str()) == Some(&value.as_str())) && is_own(row)
    };
    Ok(rows.into_iter().filter(fits).collect())
}

/// The key that names the paper among the columns.
const PAPER: &str = "paper";

/// The one row that agrees with all columns of `wanted`; `paper` names the file and the game is the game's name.
/// `None` if the table has no such row.
pub fn find(wanted: &BTreeMap<String, String>, game: &str, place: &str) -> Result<Option<Published>, InputError> {
    let Some(row) = find_row(wanted, game, place)? else { return Ok(None) };
    let paper = wanted.get(PAPER).map_or("", String::as_str);
    let number = |key: &str| row.get(key).and_then(|text| text.parse::<f64>().ok());
    Ok(number("win_pct").map(|percent| Published {
        score: percent / 100.0,
        margin: number("ci95").map(|margin| margin / 100.0),
        games: number("games").map(|games| games as u64),
        source: format!("{paper} {}", row.get("table").copied().unwrap_or_default()).trim().to_string(),
    }))
}

fn find_row(wanted: &BTreeMap<String, String>, game: &str, place: &str) -> Result<Option<Row>, InputError> {
    // A game from its rules stands beside the published one of its name.
    let game = game.strip_prefix("gdl:").unwrap_or(game);
    let mut found = rows(wanted, place, |row| row.get("game").is_none_or(|name| *name == game))?;
    match found.len() {
        0 | 1 => Ok(found.pop()),
        several => Err(ambiguous(several, game, place)),
    }
}

/// What the one row that agrees with all columns says in words: its `statement`, with its `number`.
pub fn statement(wanted: &BTreeMap<String, String>, place: &str) -> Result<Option<String>, InputError> {
    match rows(wanted, place, |_| true)?.as_slice() {
        [] => Ok(None),
        [row] => {
            let text = |key: &str| row.get(key).copied().unwrap_or_default();
            Ok(Some(format!("{}: {}", text("statement"), text("number"))))
        }
        several => Err(ambiguous(several.len(), "these columns", place)),
    }
}

fn ambiguous(rows: usize, what: &str, place: &str) -> InputError {
    InputError::new(place, format!("{rows} published rows fit {what}"), "name more columns of the table")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(columns: &[(&str, &str)]) -> BTreeMap<String, String> {
        columns.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
    }

    #[test]
    fn a_published_cell_is_found_by_its_columns() {
        let columns =
            [("paper", "quality-rewards"), ("table", "table3-qualitative-bonus"), ("a", "online"), ("seconds", "1")];
        let found = find(&wanted(&columns), "breakthrough", "here").unwrap().unwrap();
        assert_eq!((found.score, found.margin, found.games), (0.748, Some(0.012), Some(5000)));
        assert_eq!(find(&wanted(&columns), "tic-tac-toe", "here").unwrap(), None);
        assert!(find(&wanted(&columns[..3]), "breakthrough", "here").unwrap_err().to_string().contains("rows fit"));
        let columns = wanted(&[("paper", "variance-reduction"), ("claim", "speedup"), ("domain", "pig")]);
        assert!(statement(&columns, "here").unwrap().unwrap().ends_with(">=2.0x simulations"));
        assert!(find(&wanted(&[("paper", "quality")]), "x", "here").unwrap_err().to_string().contains("did you mean"));
    }
}
