//! The two machines of a match: one that is ready at once, and one that is fast.

use spinney_core::InputError;
use spinney_gdl::{BuildLimits, Machine, Rules};
use std::sync::atomic::AtomicBool;

/// A machine that is ready at once and need not be fast.
pub(crate) fn quick(rules: &Rules, _bytes: usize, _stop: &AtomicBool) -> Result<Machine, InputError> {
    Machine::build(rules, BuildLimits::RELATIONAL)
}

/// The fastest machine that can be built.
pub(crate) fn fast(rules: &Rules, _bytes: usize, _stop: &AtomicBool) -> Result<Machine, InputError> {
    Machine::build(rules, BuildLimits::default())
}
