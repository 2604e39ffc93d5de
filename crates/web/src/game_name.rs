//! Which games a visitor may name: a rule sheet must not be any file of the machine.

use spinney_core::InputError;
use spinney_core::error::shorten;
use spinney_core::expression::Expression;
use spinney_games::gdl::BUILT_IN;

/// What the sheets that visitors paste are called.
const PASTED: &str = "pasted-";

/// Refuses rule sheets that neither come with the program nor were pasted.
pub fn allowed_game(game: &str) -> Result<(), InputError> {
    let name = Expression::read("game", game)?.name;
    match name.strip_prefix("gdl:") {
        Some(sheet) if !sheet.starts_with(PASTED) && BUILT_IN.iter().all(|(known, _)| *known != sheet) => {
            let remedy = "name one that comes with the program, or paste its text";
            Err(InputError::new("game", format!("unknown rule sheet `{}`", shorten(sheet)), remedy))
        }
        _ => Ok(()),
    }
}
