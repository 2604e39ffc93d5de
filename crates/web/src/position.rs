//! Positions, as the page draws them.

use crate::error::Refusal;

/// Shows a position.
pub async fn position() -> Refusal {
    Refusal::not_found("position: not here yet")
}

/// Takes a rule sheet.
pub async fn sheet() -> Refusal {
    Refusal::not_found("sheet: not here yet")
}
