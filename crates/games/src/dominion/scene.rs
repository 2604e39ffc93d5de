//! The hand, the supply and the other piles. Only a pile of which cards can be played or bought now is one of cards; of
//! the others their number is told, so that touching a copper in the hand does not buy another.

use super::cards::{CARDS, COPPER, DUCHY, ESTATE, PROVINCE, Pile, size};
use super::{Dominion, Phase, State};
use spinney_core::Solitaire;
use spinney_core::scene::{Item, Scene, Tray};

pub(super) fn scene(game: &Dominion, state: &State) -> Scene {
    let State { turns, actions, buys, money, phase, .. } = state;
    let turn = [("actions", *actions), ("buys", *buys), ("money", *money)];
    let turn = turn.map(|(name, value)| Item::counter(name, value));
    let game_so_far = [Item::counter("turns left", turns), Item::counter("points", game.score(state))];
    let trays = vec![
        Tray::new("this turn", turn),
        tray("hand", &state.hand, *phase != Phase::Buy, worth),
        tray("supply", &state.supply, *phase == Phase::Buy, price),
        tray("played", &state.played, false, worth),
        tray(&format!("draw pile, {} cards", size(&state.draw)), &state.draw, false, worth),
        tray("discard pile", &state.discard, false, worth),
        Tray::new("game", game_so_far),
    ];
    Scene { trays, ..Scene::default() }
}

/// A pile: cards that can be touched, or numbers.
fn tray(title: &str, pile: &Pile, touched: bool, note: impl Fn(usize) -> String) -> Tray {
    let held = pile.iter().enumerate().filter(|(_, count)| **count > 0);
    let item = |(kind, &count): (usize, &u8)| {
        let name = CARDS[kind].name;
        if touched {
            Item::Card { name: name.to_string(), count: u32::from(count), note: note(kind) }
        } else {
            Item::counter(name, count)
        }
    };
    Tray::new(title, held.map(item))
}

/// What a card costs and brings.
pub(super) fn price(kind: usize) -> String {
    format!("costs {}, {}", CARDS[kind].cost, worth(kind))
}

/// What a card brings.
fn worth(kind: usize) -> String {
    let points = |count: u32| format!("{count} point{}", if count == 1 { "" } else { "s" });
    match kind {
        COPPER..ESTATE => format!("{} money", CARDS[kind].effect[3]),
        ESTATE => points(1),
        DUCHY => points(3),
        PROVINCE => points(6),
        _ => {
            let effect = CARDS[kind].effect.into_iter().zip(["card", "action", "buy", "money"]);
            let gains = effect.filter(|(count, _)| *count > 0).map(|(count, what)| match (count, what) {
                (1, _) | (_, "money") => format!("+{count} {what}"),
                _ => format!("+{count} {what}s"),
            });
            gains.collect::<Vec<_>>().join(", ")
        }
    }
}
