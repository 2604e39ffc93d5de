//! The runner: plays what is missing on several threads and appends each game as soon as it has ended.

use crate::error::LabError;
use crate::plan::{PairId, Plan, Shard};
use crate::record::{Record, VERSION};
use crate::store::{Contents, Store};
use spinney_search::Table;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What the runner tells while it plays.
#[derive(Debug)]
pub enum Event<'a> {
    /// A pair of this cell has been taken up.
    Started {
        /// Index of the cell.
        cell: usize,
    },
    /// A game has been played and stored.
    Played {
        /// Index of the cell.
        cell: usize,
        /// The game.
        record: &'a Record,
    },
}

/// What is still to be played: pairs of which a game is missing.
pub fn missing(plan: &Plan, contents: &Contents, shard: Shard) -> Vec<PairId> {
    let has = |id: &PairId, game| contents.games.contains_key(&(id.cell, id.pair, game));
    plan.pairs(shard).filter(|id| !(has(id, 0) && has(id, 1))).collect()
}

/// Plays everything that is missing in this shard. Returns the number of games played; fewer than missing if `stop`
/// was set.
pub fn run(
    store: &Store,
    contents: &Contents,
    shard: Shard,
    threads: usize,
    stop: &AtomicBool,
    tell: &(dyn Fn(Event<'_>) + Sync),
) -> Result<u64, LabError> {
    let appender = Mutex::new(store.append(shard)?);
    let queue: Mutex<VecDeque<PairId>> = Mutex::new(missing(&store.plan, contents, shard).into());
    let played = Mutex::new(0u64);
    // One thread's trouble stops the others.
    let failed = AtomicBool::new(false);
    let work = || -> Result<(), LabError> {
        let mut table: Option<(usize, Box<dyn Table>)> = None;
        while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(PairId { cell: index, pair }) = next else { return Ok(()) };
            let cell = &store.plan.cells[index];
            tell(Event::Started { cell: index });
            // Pairs come cell by cell, so a table serves for many.
            let table = match &mut table {
                Some((cell, table)) if *cell == index => table,
                other => &mut other.insert((index, cell.table()?)).1,
            };
            let seed = cell.pair_seed(pair);
            for game in 0..2u8 {
                if contents.games.contains_key(&(index, pair, game)) {
                    continue;
                }
                let seats = if game == 0 { [0, 1] } else { [1, 0] };
                let Some(played_game) = table.play_game(seats, cell.opening, seed, stop) else { return Ok(()) };
                let record = Record {
                    v: VERSION,
                    cell: cell.key.clone(),
                    pair,
                    game,
                    seats: seats.map(|seat| cell.names[seat].clone()),
                    seed: seed.value(),
                    winner: Record::winner_number(played_game.outcome),
                    plies: played_game.moves.len() as u64,
                    simulations: played_game.simulations,
                    moves: played_game.moves.join(" "),
                };
                let ms = played_game.time.map(|time| time.as_secs_f64() * 1e3);
                appender.lock().unwrap_or_else(PoisonError::into_inner).add(&record, ms)?;
                *played.lock().unwrap_or_else(PoisonError::into_inner) += 1;
                tell(Event::Played { cell: index, record: &record });
            }
        }
        Ok(())
    };
    let guarded = || {
        let result = work();
        if result.is_err() {
            failed.store(true, Ordering::Relaxed);
        }
        result
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(guarded)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    Ok(played.into_inner().unwrap_or_else(PoisonError::into_inner))
}
