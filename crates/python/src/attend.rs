//! Work without the interpreter's lock, and with an ear for Ctrl-C.

use crate::error::guarded;
use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often Python is asked for signals.
const LOOK: Duration = Duration::from_millis(20);

/// Does `work` on a thread of its own while this one listens for signals; one of them sets `stop`, and its exception is
/// the result.
pub fn attended<T: Send>(py: Python<'_>, stop: &AtomicBool, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    watched(py, stop, &mut |_| Ok(()), work)
}

/// The same, and `tell` is called meanwhile, now and then; its exception stops the work, too.
pub fn watched<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    tell: &mut (dyn FnMut(Python<'_>) -> PyResult<()> + Send),
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel::<()>();
            let worker = scope.spawn(move || {
                // It is dropped when the work has ended, however it ended.
                let _sender = sender;
                guarded(work)
            });
            let mut interrupted = None;
            while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(LOOK) {
                if interrupted.is_none()
                    && let Err(error) = Python::attach(|py| py.check_signals().and_then(|()| tell(py)))
                {
                    stop.store(true, Ordering::Relaxed);
                    interrupted = Some(error);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            interrupted.map_or(result, Err)
        })
    })
}

/// Does work that cannot be stopped on a thread of its own, which a signal leaves behind.
pub fn left_behind<T: Send + 'static>(py: Python<'_>, work: impl FnOnce() -> T + Send + 'static) -> PyResult<T> {
    py.detach(|| {
        let (sender, receiver) = mpsc::channel();
        // Nobody listens any more after a signal.
        let worker = thread::spawn(move || drop(sender.send(work())));
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
                Err(RecvTimeoutError::Disconnected) => match worker.join() {
                    Ok(()) => unreachable!("whoever ends has sent"),
                    Err(panic) => resume_unwind(panic),
                },
            }
        }
    })
}
