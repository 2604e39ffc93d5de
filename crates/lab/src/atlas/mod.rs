//! The atlas: every published number beside all games under a folder of results.
//!
//! The experiments `atlas/…` say which cells belong to which published number ([`parts`]), and what each of them is
//! ([`kinds`]); [`gather`] brings the games of
//! all runs to them, whatever experiment they were played for; [`claims`] judges what papers say in words; `marks`,
//! `findings`, `beyond` and `chapters` make the page's data of it, which `spinney_report::atlas` writes.

mod beyond;
mod chapters;
pub mod claims;
mod facts;
mod findings;
pub mod gather;
pub mod kinds;
mod marks;
pub mod parts;
pub mod reasons;

use crate::error::LabError;
use spinney_report::atlas::Atlas;
use spinney_table::Laboratory;
use std::path::Path;

/// The atlas of all runs below a folder; it is told how many of them were read.
pub fn atlas(
    laboratory: &Laboratory,
    results: &Path,
    command: String,
    progress: &gather::Progress<'_>,
) -> Result<Atlas, LabError> {
    let mut parts = parts::all(laboratory)?;
    let runs = gather::gather(laboratory, results, &mut parts, progress)?;
    chapters::atlas(&parts, runs, command)
}
