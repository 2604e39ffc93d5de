//! What a person wrote wrongly as a Python exception, and Python exceptions on their way through a search.

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use spinney_core::InputError;
use spinney_lab::LabError;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

pub use exception::InputError as SpinneyError;

/// The exception under the name that it has in Python.
pub mod exception {
    use pyo3::create_exception;
    use pyo3::exceptions::PyValueError;

    create_exception!(
        spinney,
        InputError,
        PyValueError,
        "Something that was written cannot be read: `place` says where, `problem` what is wrong, `remedy` what would be right.\n\n\
         >>> import spinney\n\
         >>> try:\n\
         ...     spinney.game('braekthrough')\n\
         ... except spinney.InputError as error:\n\
         ...     print(error.remedy)\n\
         did you mean `breakthrough`?\n"
    );
}

/// The exception of an error.
pub fn input(error: &InputError) -> PyErr {
    let exception = SpinneyError::new_err(error.to_string());
    Python::attach(|py| {
        let value = exception.value(py);
        let InputError { kind, place, problem, remedy, .. } = error;
        // An exception takes attributes; if one did not, its text says the same.
        let _ = value.setattr("place", place);
        let _ = value.setattr("problem", problem);
        let _ = value.setattr("remedy", remedy);
        let _ = value.setattr("kind", kind.word());
    });
    exception
}

/// The exception of an error from its three parts.
pub fn wrong(place: &str, problem: impl std::fmt::Display, remedy: &str) -> PyErr {
    input(&InputError::new(place, problem, remedy))
}

/// What the laboratory says.
pub fn lab(error: LabError) -> PyErr {
    match error {
        LabError::Input(error) => input(&error),
        other => PyOSError::new_err(other.to_string()),
    }
}

/// A Python exception that travels through a search, whose functions cannot fail.
struct Raised(PyErr);

thread_local! {
    /// The last exception that `raise` threw, for those to whom a panic has no payload.
    static LAST: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// The exception that ended the last check, which takes panics up itself.
pub fn take_raised() -> Option<PyErr> {
    LAST.take()
}

/// Ends what is going on with an exception of a game or an idea that was written in Python.
pub fn raise(error: PyErr) -> ! {
    LAST.set(Some(Python::attach(|py| error.clone_ref(py))));
    // Not a panic: no message is printed, and `guarded` takes it up again.
    resume_unwind(Box::new(Raised(error)))
}

/// Takes up what `raise` threw; other panics go on and become Python's `PanicException`.
pub fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<Raised>() {
        Ok(raised) => raised.0,
        Err(other) => resume_unwind(other),
    })
}
