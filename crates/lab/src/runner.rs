//! The runner: plays games on several threads and hands each on as soon as it has ended, mostly to the store.

use crate::error::LabError;
use crate::plan::{PairId, Plan, Shard};
use crate::record::{Record, VERSION};
use crate::store::{Contents, GameId, Store};
use spinney_search::Table;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What the runner tells while it plays.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A pair of this cell has been taken up.
    Started {
        /// Index of the cell.
        cell: usize,
    },
    /// A game has been played and stored.
    Played {
        /// Index of the cell.
        cell: usize,
        /// Points of A, 0 to 1.
        score: f64,
    },
}

/// A pair, and which of its games are to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The pair.
    pub pair: PairId,
    /// The game in which A begins, and the one in which B does.
    pub games: [bool; 2],
}

/// What is still to be played of a shard.
pub fn missing(plan: &Plan, contents: &Contents, shard: Shard) -> Vec<Task> {
    let lacks = |id: PairId| [0, 1].map(|game| !contents.games.contains_key(&(id.cell, id.pair, game)));
    plan.pairs(shard).map(|pair| Task { pair, games: lacks(pair) }).filter(|task| task.games != [false; 2]).collect()
}

/// Plays everything that is missing in this shard and stores it. Returns the number of games played; fewer than
/// missing if `stop` was set.
pub fn run(
    store: &Store,
    contents: &Contents,
    shard: Shard,
    threads: usize,
    stop: &AtomicBool,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<u64, LabError> {
    let mut appender = store.append(shard)?;
    let tasks = missing(&store.plan, contents, shard);
    let mut played = 0;
    let keep = |_: GameId, record: Record, ms| {
        played += 1;
        appender.add(&record, ms)
    };
    play(&store.plan, tasks, threads, stop, tell, keep)?;
    Ok(played)
}

/// Plays these games and hands each to `keep`, with the milliseconds of both seats, as soon as it has ended. The games
/// do not depend on the number of threads, only their order does.
pub fn play(
    plan: &Plan,
    tasks: Vec<Task>,
    threads: usize,
    stop: &AtomicBool,
    tell: &(dyn Fn(Event) + Sync),
    keep: impl FnMut(GameId, Record, [f64; 2]) -> Result<(), LabError> + Send,
) -> Result<(), LabError> {
    let threads = threads.min(tasks.len()).max(1);
    let keep = Mutex::new(keep);
    let queue: Mutex<VecDeque<Task>> = Mutex::new(tasks.into());
    // One thread's trouble stops the others.
    let failed = AtomicBool::new(false);
    let work = || -> Result<(), LabError> {
        let mut table: Option<(usize, Box<dyn Table>)> = None;
        while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(Task { pair: PairId { cell: index, pair }, games }) = next else { return Ok(()) };
            let cell = &plan.cells[index];
            tell(Event::Started { cell: index });
            // Pairs come cell by cell, so a table serves for many.
            let table = match &mut table {
                Some((cell, table)) if *cell == index => table,
                other => &mut other.insert((index, cell.table()?)).1,
            };
            let seed = cell.pair_seed(pair);
            for game in (0..2u8).filter(|game| games[usize::from(*game)]) {
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
                    moves: played_game.moves.join(" ").into(),
                };
                let ms = played_game.time.map(|time| time.as_secs_f64() * 1e3);
                let score = record.score_of_a();
                keep.lock().unwrap_or_else(PoisonError::into_inner)((index, pair, game), record, ms)?;
                tell(Event::Played { cell: index, score });
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
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(guarded)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}
