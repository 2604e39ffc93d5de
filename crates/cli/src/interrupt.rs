//! Ctrl-C, or a request to end such as that of a batch system, sets a flag; whoever works looks at it and ends in order.
//! A second one ends at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::Duration;

static STOP: AtomicBool = AtomicBool::new(false);

/// How often somebody who waits looks at the flag.
pub const LOOK: Duration = Duration::from_millis(50);

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

/// Does work that cannot be stopped on a thread of its own, which is left behind when Ctrl-C is pressed: then `None`.
pub fn unless_pressed<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    // Nobody listens any more if Ctrl-C was pressed meanwhile.
    let worker = thread::spawn(move || drop(sender.send(work())));
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(result) => return Some(result),
            Err(mpsc::RecvTimeoutError::Timeout) if pressed() => return None,
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => match worker.join() {
                Ok(()) => return None,
                Err(panic) => std::panic::resume_unwind(panic),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_is_not_interrupted_gives_its_result() {
        assert_eq!(unless_pressed(|| 6 * 7), Some(42));
    }
}
