//! Calls of Python functions without a tuple for their arguments.
//!
//! A simulation of a game in Python makes hundreds of calls. A tuple for each takes a fifth of the time that is spent
//! outside of the game's own functions, and the stable interface of Python 3.9 has no other safe way.
#![allow(unsafe_code, reason = "measured: see above")]

use pyo3::ffi::{PyObject, PyObject_CallFunctionObjArgs};
use pyo3::prelude::*;
use std::ptr;

/// Ends the list of arguments.
const END: *mut PyObject = ptr::null_mut();

/// `function(one)`
pub fn call_one<'py>(py: Python<'py>, function: &Py<PyAny>, one: &Py<PyAny>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the lock is held (`py`), all pointers are of living objects, and what comes back is ours or an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, PyObject_CallFunctionObjArgs(function.as_ptr(), one.as_ptr(), END)) }
}

/// `function(one, two)`
pub fn call_two<'py>(
    py: Python<'py>,
    function: &Py<PyAny>,
    one: &Py<PyAny>,
    two: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: as above.
    unsafe {
        let answer = PyObject_CallFunctionObjArgs(function.as_ptr(), one.as_ptr(), two.as_ptr(), END);
        Bound::from_owned_ptr_or_err(py, answer)
    }
}
