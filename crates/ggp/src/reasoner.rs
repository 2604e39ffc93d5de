//! The two machines of a match: one that is ready at once, and one that is fast.

use spinney_gdl::{BuildError, Cancel, Limits, Machine, Method, Rules};
use std::time::Duration;

/// What takes longer to build is not worth waiting for: the other machine plays.
const LONGEST: Duration = Duration::from_secs(30);

/// A machine that is ready at once and need not be fast.
pub(crate) fn quick(rules: &Rules, bytes: usize, cancel: &Cancel) -> Result<Machine, BuildError> {
    let limits = Limits { bytes, ..Limits::only(Method::Proof) };
    Machine::build(rules, &limits.within(LONGEST).cancelled_by(cancel))
}

/// The fastest machine that can be built.
pub(crate) fn fast(rules: &Rules, bytes: usize, cancel: &Cancel) -> Result<Machine, BuildError> {
    let limits = Limits { bytes, ..Limits::only(Method::Network) };
    Machine::build(rules, &limits.within(LONGEST).cancelled_by(cancel))
}
