//! A run at a glance, without reading its games.

use super::files::{count_lines, files_of};
use super::{PLAN, PlanFile};
use crate::error::LabError;
use crate::measure::PORTION;
use spinney_core::InputError;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A run at a glance: quick to get, because no game is opened and lines are counted without being read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overview {
    /// What it is called.
    pub title: String,
    /// Lines of games and repetitions in lines of portions; a damaged or repeated one counts too.
    pub played: u64,
    /// Games and repetitions planned.
    pub planned: u64,
}

impl Overview {
    /// Looks at the run in a folder; `None` if there is none.
    pub fn of(folder: &Path) -> Option<Result<Self, LabError>> {
        let json = fs::read_to_string(folder.join(PLAN)).ok()?;
        let wrong = |error| InputError::new(folder.join(PLAN).display(), error, "restore it");
        let file: PlanFile = match serde_json::from_str(&json) {
            Ok(file) => file,
            Err(error) => return Some(Err(wrong(error).into())),
        };
        let games = file.pairs.values().map(|pairs| pairs.saturating_mul(2));
        let planned = games.chain(file.repetitions.values().copied()).fold(0u64, u64::saturating_add);
        let count = |files: Vec<PathBuf>| files.iter().map(|path| count_lines(path)).sum::<Result<u64, LabError>>();
        let games = files_of(folder, "games-").and_then(count);
        let played = games.and_then(|games| Ok(games + PORTION * files_of(folder, "portions-").and_then(count)?));
        Some(played.map(|played| Self { title: file.title, played, planned }))
    }
}

/// Changes whenever a game or a plan is written into a folder: as long as it is the same, so is what can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    pub(super) bytes: u64,
    /// What was gathered is in fewer files.
    files: usize,
    planned: Option<SystemTime>,
}

impl Stamp {
    /// Of the run in a folder.
    pub fn of(folder: &Path) -> Result<Self, LabError> {
        let length = |path: PathBuf| fs::metadata(&path).map(|data| data.len()).map_err(LabError::file(path));
        let paths = [files_of(folder, "games-")?, files_of(folder, "portions-")?].concat();
        let files = paths.len();
        let bytes = paths.into_iter().map(length).sum::<Result<u64, LabError>>()?;
        let planned = fs::metadata(folder.join(PLAN)).and_then(|data| data.modified()).ok();
        Ok(Self { bytes, files, planned })
    }
}
