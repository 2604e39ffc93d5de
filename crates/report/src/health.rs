//! The checks on the games themselves, in words, for all three outputs.

use crate::data::Health;
use crate::numbers;

/// One check: what it is about, what was found, and whether someone should look.
pub(crate) struct Check {
    pub(crate) name: &'static str,
    pub(crate) found: String,
    pub(crate) concern: bool,
}

impl Check {
    /// "ok" or "look", so that nothing is told by colour alone.
    pub(crate) fn word(&self) -> &'static str {
        if self.concern { "look" } else { "ok" }
    }
}

/// All checks, in reading order.
pub(crate) fn checks(health: &Health) -> Vec<Check> {
    let number = |name, value: u64| Check { name, found: numbers::count(value), concern: value > 0 };
    let (replayed, concern) = match health.verified {
        None => ("none replayed".to_owned(), false),
        Some((replayed, identical)) => {
            let [replayed_games, all, same] = [replayed, health.games, identical].map(numbers::count);
            (format!("{replayed_games} of {all} games, {same} identical"), identical != replayed)
        }
    };
    let balance = match numbers::percentage(health.seat_balance).filter(|_| health.games > 0) {
        Some(balance) => format!("{} % for the first seat", numbers::fixed(balance, 1)),
        None => numbers::MISSING.to_owned(),
    };
    vec![
        Check { name: "Games read", found: numbers::count(health.games), concern: health.games == 0 },
        number("Damaged records", health.damaged),
        number("Duplicate games", health.duplicates),
        number("Moves over time", health.timeouts),
        Check { name: "Replayed from seed", found: replayed, concern },
        // A game may favour a seat; pairs with seats swapped take it out, so this is no concern by itself.
        Check { name: "Seat balance", found: balance, concern: false },
    ]
}
