//! What can go wrong in the laboratory.

use spinney_core::InputError;
use std::path::PathBuf;

/// An error of the laboratory, in one line.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// Something a person wrote cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file or folder cannot be used.
    #[error("{path}: {error}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

impl LabError {
    /// For `map_err`: the error with the file it belongs to.
    pub fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |error| LabError::File { path, error }
    }
}
