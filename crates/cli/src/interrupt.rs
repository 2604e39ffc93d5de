//! Ctrl-C sets a flag; whoever works looks at it and ends in order. A second Ctrl-C ends at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// The flag that Ctrl-C sets.
pub fn flag() -> &'static AtomicBool {
    static INSTALLED: OnceLock<()> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        let handler = || {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        };
        // Without a handler Ctrl-C still ends the program, only less politely.
        let _ = ctrlc::set_handler(handler);
    });
    &STOP
}

/// Whether Ctrl-C was pressed.
pub fn pressed() -> bool {
    flag().load(Ordering::Relaxed)
}
