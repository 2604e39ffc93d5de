//! Moves that were left out when a run was packed, brought back by playing their games again.

use crate::error::LabError;
use crate::plan::{Cell, PairId, Plan};
use crate::record::{Moves, Record};
use crate::runner::{Event, Found, Task, play};
use crate::store::Contents;
use spinney_core::InputError;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// Plays one game again for its moves; `None` if `stop` was set. Refuses moves that are not those of the record, and a game
/// limited by time, which would be another one.
pub fn one(cell: &Cell, record: &Record, stop: &AtomicBool) -> Result<Option<String>, LabError> {
    if let Moves::Known(text) = &record.moves {
        return Ok(Some(text.clone()));
    }
    if cell.is_timed {
        let problem = "its moves were not kept, and a game limited by time cannot be played again";
        return Err(InputError::new(place_of(cell, record), problem, "choose a game that has its moves").into());
    }
    let seats = if record.game == 0 { [0, 1] } else { [1, 0] };
    let played = cell.table()?.play_game(seats, cell.opening, cell.pair_seed(record.pair), stop);
    let Some(game) = played else { return Ok(None) };
    checked(cell, record, Moves::Known(game.moves.join(" ")))
        .map(|moves| moves.text().map(str::to_string))
        .map_err(LabError::from)
}

fn checked(cell: &Cell, record: &Record, moves: Moves) -> Result<Moves, InputError> {
    if moves.agree(&record.moves) {
        return Ok(moves);
    }
    let place = place_of(cell, record);
    Err(InputError::new(place, "played again it has other moves", "use the version that played it; see `lab verify`"))
}

fn place_of(cell: &Cell, record: &Record) -> String {
    format!("{}, pair {}, game {}", cell.label(), record.pair, record.game)
}

/// How many games are without their moves: of those that can be played again for them, and of those limited by time.
pub fn missing(plan: &Plan, contents: &Contents) -> [u64; 2] {
    let bare = contents.games.iter().filter(|(_, record)| record.moves.text().is_none());
    bare.fold([0; 2], |mut counts, (id, _)| {
        counts[usize::from(plan.cells[id.0].is_timed)] += 1;
        counts
    })
}

/// Plays all games again whose moves were left out, but for those limited by time, and enters the moves. Fewer if `stop` was
/// set; [`missing`] tells.
pub fn all(
    plan: &Plan,
    contents: &mut Contents,
    threads: usize,
    stop: &AtomicBool,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<(), LabError> {
    let mut wanted: BTreeMap<PairId, [bool; 2]> = BTreeMap::new();
    for (&(cell, pair, game), record) in &contents.games {
        if record.moves.text().is_none() && !plan.cells[cell].is_timed {
            wanted.entry(PairId { cell, pair }).or_default()[usize::from(game.min(1))] = true;
        }
    }
    let tasks = wanted.into_iter().map(|(pair, games)| Task::Pair { pair, games }).collect();
    play(plan, tasks, threads, stop, tell, |found| {
        if let Found::Game(id, played, _) = found
            && let Some(record) = contents.games.get_mut(&id)
        {
            record.moves = checked(&plan.cells[id.0], record, played.moves)?;
        }
        Ok(())
    })
}
