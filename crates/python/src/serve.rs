//! The page in a browser.

use crate::attend::attended;
use crate::error::wrong;
use crate::own::list::laboratory;
use pyo3::prelude::*;
use spinney_web::{Config, Limits};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// The page, until Ctrl-C; `started` is called with its address.
#[pyfunction]
pub fn serve(py: Python<'_>, address: String, runs: PathBuf, started: Py<PyAny>) -> PyResult<()> {
    // Records of matches lie beside the runs.
    let matches = PathBuf::from("matches");
    let (limits, laboratory) = (Limits::default(), laboratory().clone());
    let config = Config { address: address.clone(), runs, matches, limits, laboratory };
    let stop = AtomicBool::new(false);
    let told = |address: std::net::SocketAddr| {
        // Whoever cannot be told can still open the page.
        let _ = Python::attach(|py| started.call1(py, (address.to_string(),)));
    };
    let served = attended(py, &stop, || spinney_web::serve(&config, &stop, told))?;
    served.map_err(|error| wrong(&address, error, "choose another port or host"))
}
