//! Experiments: list, plan, start, stop, resume, watch, read.

use crate::Shared;
use axum::Router;
use std::path::PathBuf;
use std::sync::Arc;

/// The runs below a folder.
#[derive(Debug)]
pub struct Runs {
    #[allow(dead_code)]
    folder: PathBuf,
}

impl Runs {
    /// Those below this folder.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Ends what is running; nothing that was played is lost.
    pub fn stop_all(&self) {}
}

/// The addresses of this part.
pub fn routes() -> Router<Arc<Shared>> {
    Router::new()
}
