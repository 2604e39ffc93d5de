//! The columns as a board that is widest in the middle, camps and runners on it, the dice beside it.

use super::dice::COLUMNS;
use super::{CantStop, Phase, State};
use spinney_core::scene::{Cell, Figure, Item, Scene, Tone, Tray};
use spinney_core::{Player, Solitaire};

/// The place at this height, from 1, of a column counted from 0, as written positions name it: `7:1`.
fn place_name(column: usize, height: u8) -> String {
    format!("{}:{height}", column + 2)
}

pub(super) fn scene(game: &CantStop, state: &State) -> Scene {
    let mut scene = Scene::default();
    let longest = game.lengths.iter().copied().max().unwrap_or(0);
    for (column, &length) in game.lengths.iter().enumerate() {
        // Below each column stands its number, so that heights count from 0.
        let bottom = f32::from(longest) - f32::from(longest - length) / 2.0;
        let first = scene.cells.len();
        for height in 0..=length {
            let (name, tone) = match height {
                0 => (String::new(), Tone::Dark),
                height if height == length => (place_name(column, height), Tone::Marked),
                height => (place_name(column, height), Tone::Plain),
            };
            scene.cells.push(Cell { name, x: column as f32, y: bottom - f32::from(height), tone });
        }
        scene.put(first, None, Figure::Text((column + 2).to_string()));
        let (height, place) = (state.heights[column], state.places[column]);
        if height > 0 {
            scene.put(first + usize::from(height), Some(Player::First), Figure::Stone);
        }
        if state.runners >> column & 1 == 1 {
            scene.put(first + usize::from(place), Some(Player::First), Figure::Runner);
        }
    }
    if let Phase::Choose(kind) = state.phase {
        scene.trays.push(Tray::new("dice", game.kind(kind).dice.map(Item::Die)));
    }
    let counters = [("turns left", f64::from(state.turns)), ("points", game.score(state))];
    scene.trays.push(Tray::new("score", counters.map(|(name, value)| Item::counter(name, value))));
    scene
}

/// An advance touches the places that its runners step on: `5+5` two in a column, if there are two above.
pub(super) fn steps(scene: &Scene, text: &str) -> Vec<String> {
    let mut heights: [u8; COLUMNS] = std::array::from_fn(|column| {
        let holds = |height: &u8| {
            let name = place_name(column, *height);
            scene.pieces.iter().any(|piece| scene.cells[piece.cell].name == name)
        };
        (1..=u8::MAX).take_while(|&height| scene.names(&place_name(column, height))).filter(holds).last().unwrap_or(0)
    });
    let columns = text.split('+').filter_map(|word| word.parse::<usize>().ok()?.checked_sub(2));
    let columns = columns.filter(|&column| column < COLUMNS);
    columns
        .filter_map(|column| {
            heights[column] += 1;
            Some(place_name(column, heights[column])).filter(|name| scene.names(name))
        })
        .collect()
}
