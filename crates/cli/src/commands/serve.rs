//! `spinney serve`

use crate::arguments::Serve;
use crate::interrupt;
use spinney_core::InputError;
use spinney_table::Laboratory;
use spinney_web::{Config, Limits};
use std::process::{Command, Stdio};

pub fn run(arguments: &Serve, laboratory: &Laboratory) -> anyhow::Result<()> {
    let defaults = Limits::default();
    let limits = Limits {
        searches: arguments.searches.map_or(defaults.searches, |searches| searches as usize),
        seconds: arguments.seconds,
        megabytes: arguments.memory,
        ..defaults
    };
    let address = format!("{}:{}", arguments.host, arguments.port);
    let config = Config {
        address: address.clone(),
        runs: arguments.runs.clone(),
        matches: arguments.matches.clone(),
        limits,
        laboratory: laboratory.clone(),
    };
    spinney_web::serve(&config, interrupt::flag(), |address| {
        eprintln!("open http://{address} in a browser; Ctrl-C ends it");
        if arguments.open {
            open_browser(&format!("http://{address}"));
        }
    })
    .map_err(|error| InputError::new(address, error, "choose another --port or --host"))?;
    eprintln!("stopped; games are kept by the pages, runs of experiments can be resumed");
    Ok(())
}

/// Asks the desktop; where there is none, the address that was printed has to do.
fn open_browser(address: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let _ = Command::new(program).arg(address).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
