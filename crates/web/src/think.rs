//! Searches, live.

use crate::error::Refusal;

/// Opens a connection that asks for searches.
pub async fn connect() -> Refusal {
    Refusal::not_found("think: not here yet")
}
