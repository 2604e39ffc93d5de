//! Why a number differs: `experiments/atlas/reasons.toml`.
//!
//! A reason names the cell that shows it and the score that this cell must exclude, in an interval corrected for how
//! many answers were tried. Without games that do so it is not told.

use super::parts::{Known, Part};
use crate::experiment::toml_error;
use crate::library;
use crate::published::Row;
use crate::summary::CellSummary;
use serde::Deserialize;
use spinney_core::InputError;
use spinney_stats::{Confidence, Interval, pentanomial_interval};
use std::collections::BTreeMap;

/// The file.
const FILE: &str = "reasons.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    reason: Vec<Reason>,
}

/// A reason for one published number or several.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// The paper.
    pub paper: String,
    /// The columns that pick its rows.
    pub row: BTreeMap<String, String>,
    /// The reason in a sentence.
    pub text: String,
    /// What shows it.
    pub shown: Shown,
}

/// The cell that shows a reason.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// The experiment of the atlas.
    pub part: String,
    /// The game as it is written there.
    pub game: String,
    /// Agent A.
    pub a: String,
    /// The score of the other answer, in percent.
    pub excludes: f64,
    /// How many answers were tried.
    pub tried: usize,
}

/// All reasons.
pub fn all() -> Result<Vec<Reason>, InputError> {
    read(library::atlas_data(FILE))
}

/// Reads the text of the file.
pub fn read(text: &str) -> Result<Vec<Reason>, InputError> {
    toml::from_str::<File>(text).map(|file| file.reason).map_err(|error| toml_error(FILE, text, &error))
}

/// The interval of a score that holds together with those of the other answers tried.
pub fn interval(summary: &CellSummary, tried: usize) -> Option<Interval> {
    pentanomial_interval(&summary.pairs, Confidence::new(1.0 - 0.05 / tried.max(1) as f64)?)
}

impl Reason {
    /// Whether it is about this row.
    pub fn is_about(&self, paper: &str, row: &Row) -> bool {
        paper == self.paper && self.row.iter().all(|(key, value)| row.get(key.as_str()) == Some(&value.as_str()))
    }

    /// The reason with its numbers, if the games show it; else what is missing.
    pub fn told(&self, parts: &[Part]) -> Result<String, String> {
        let shown = &self.shown;
        let part = parts.iter().find(|part| part.name == shown.part);
        let cell = part.and_then(|part| {
            part.cells().find(|known| known.cell.written_game == shown.game && known.cell.names[0] == shown.a)
        });
        let Some(Known { summary, .. }) = cell else {
            return Err(format!("{}: there is no cell {} in {}", shown.part, shown.a, shown.game));
        };
        match interval(summary, shown.tried) {
            Some(interval) if !interval.contains(shown.excludes / 100.0) => Ok(format!(
                "{} ({}, {}: {:.1} [{:.1}, {:.1}] in {} games, corrected for {} answers)",
                self.text,
                shown.part,
                shown.a,
                100.0 * summary.score,
                100.0 * interval.low,
                100.0 * interval.high,
                summary.games.games(),
                shown.tried
            )),
            _ => Err(format!("{}: {} does not exclude {}", shown.part, shown.a, shown.excludes)),
        }
    }
}
