//! What threads must not share by accident.

use std::ops::{Deref, DerefMut};

/// On lines of memory of its own (two, as processors fetch them in pairs), so that who changes it does not disturb those who
/// use what stands beside it.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Apart<T>(pub(super) T);

impl<T> Deref for Apart<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Apart<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
