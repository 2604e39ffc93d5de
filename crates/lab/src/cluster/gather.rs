//! Gathering: what the elements of a submission wrote becomes one file of games in their order, one of times, and one of
//! portions. The new file stands whole before the first old one goes; the same game twice is one game.

use super::submission::Submission;
use crate::error::LabError;
use crate::store::{Kind, Store, files_of, join};
use std::fs;

/// What gathering did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gathered {
    /// Games, and portions of measurements.
    pub lines: u64,
    /// Files that they were in.
    pub files: usize,
    /// Lines that said the same as another: an element was repeated while its first process still ran.
    pub duplicates: u64,
    /// What is wrong; the files that it concerns stay.
    pub faults: Vec<String>,
}

/// Gathers what a submission wrote. Nobody else may be playing it: engines call this after the last element.
pub fn gather(store: &Store, submission: &Submission) -> Result<Gathered, LabError> {
    let mut gathered = Gathered::default();
    for kind in [Kind::Times, Kind::Portions, Kind::Games] {
        let own = format!("{}element-{}-", kind.word(), submission.number);
        let target = store.folder.join(format!("{}gathered-{}.jsonl", kind.word(), submission.number));
        let parts: Vec<_> =
            files_of(&store.folder, &own)?.into_iter().enumerate().map(|(at, path)| (at + 1, path)).collect();
        if parts.is_empty() {
            continue;
        }
        let known = target.exists().then(|| (0, target.clone()));
        let sources: Vec<_> = known.into_iter().chain(parts).collect();
        let joined = join(&store.plan, kind, &sources)?;
        if joined.len() > 0 {
            joined.write_whole(&target)?;
        }
        let doubtful: Vec<usize> = joined.doubtful().collect();
        for (_, path) in sources.iter().filter(|(source, _)| *source > 0 && !doubtful.contains(source)) {
            fs::remove_file(path).map_err(LabError::file(path))?;
        }
        if kind != Kind::Times {
            gathered.lines += joined.len() as u64;
            gathered.duplicates += joined.duplicates;
            gathered.faults.extend(joined.faults.into_iter().map(|(_, fault)| fault));
        }
        gathered.files += sources.len();
    }
    Ok(gathered)
}
