//! Diagnosis, live.

use crate::error::Refusal;

/// Streams the diagnosis of a game while its simulations come in.
pub async fn diagnose() -> Refusal {
    Refusal::not_found("diagnosis: not here yet")
}
