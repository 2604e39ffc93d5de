//! The experiments that come with spinney, as they stand in this package's folder: a file `NAME.toml` is an experiment,
//! and a folder with a `paper.toml` is a published paper with the experiments that repeat it and the numbers it printed.
//!
//! The list of files is made when the package is built, so a new experiment or paper is a file or a folder and nothing
//! else. What is in them is read by `spinney-lab`.

/// A file of the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// Its path from the folder, such as `quality-rewards/table-1.toml`, with `/` everywhere.
    pub path: &'static str,
    /// What is in it.
    pub text: &'static str,
}

/// All of them, by path.
pub const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The file of this path.
///
/// ```
/// assert!(spinney_experiments::find("solver.toml").is_some());
/// assert!(spinney_experiments::find("../Cargo.toml").is_none());
/// ```
pub fn find(path: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.path == path)
}
