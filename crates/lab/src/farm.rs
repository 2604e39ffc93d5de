//! Who plays: threads of this machine and, beside them, a farm that plays many games at once, mostly a graphics card.
//!
//! A farm plays the same games as a thread would; which of both played one is not to be seen in its record.

use crate::error::LabError;
use crate::lent::Lent;
use crate::plan::{Cell, PairId, Plan};
use crate::queue::Queue;
use crate::referee::Referee;
use crate::runner::{Event, Found, Task, keep_game};
use crate::store::GameId;
use spinney_core::{InputError, Seed};
use spinney_table::table::GameText;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A game that a farm is to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FarmGame {
    /// Which it is.
    pub id: GameId,
    /// Its seed.
    pub seed: Seed,
}

/// Takes a game that a farm has played; or why it could not, so that a thread must.
pub type Taker<'a> = &'a mut dyn FnMut(FarmGame, Result<GameText, String>) -> Result<(), LabError>;

/// Says whether it is time to stop: the user wants it, or another thread has failed.
pub type Asker<'a> = &'a (dyn Fn() -> bool + Sync);

/// Something that plays many games at once.
pub trait Farm: Sync {
    /// What it is made of, for the record of who played.
    fn kind(&self) -> String;

    /// Why it does not play the games of this cell; `None` if it does.
    fn refuses(&self, cell: &Cell) -> Result<Option<String>, InputError>;

    /// Plays games of cells that it does not refuse, and hands each on as soon as it has ended; few once it is stopped.
    fn play(
        &self,
        cells: &[Cell],
        games: Vec<FarmGame>,
        is_stopped: Asker<'_>,
        take: Taker<'_>,
    ) -> Result<(), LabError>;
}

/// Threads, and perhaps a farm.
#[derive(Clone, Copy)]
pub struct Crew<'a> {
    /// Threads of this machine.
    pub threads: usize,
    /// What plays beside them.
    pub farm: Option<&'a dyn Farm>,
    /// Whether threads without work play games that the farm has begun: the same games end sooner.
    pub helps: bool,
}

impl From<usize> for Crew<'_> {
    fn from(threads: usize) -> Self {
        Self { threads, farm: None, helps: false }
    }
}

impl fmt::Debug for Crew<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crew")
            .field("threads", &self.threads)
            .field("farm", &self.farm.is_some())
            .finish_non_exhaustive()
    }
}

/// Why cells are left to threads, and how many are for each reason: what `split` does, in words.
pub fn refusals(plan: &Plan, farm: &dyn Farm) -> Result<BTreeMap<String, usize>, InputError> {
    let mut reasons = BTreeMap::new();
    for cell in &plan.cells {
        let why = if cell.clock.is_some() { Some("players have clocks".to_string()) } else { farm.refuses(cell)? };
        if let Some(why) = why {
            *reasons.entry(why).or_default() += 1;
        }
    }
    Ok(reasons)
}

/// What a farm plays of these tasks, and what is left to threads.
pub(crate) fn split(
    plan: &Plan,
    tasks: Vec<Task>,
    farm: Option<&dyn Farm>,
) -> Result<(Vec<Task>, Vec<Task>), LabError> {
    let Some(farm) = farm else { return Ok((Vec::new(), tasks)) };
    let mut takes = vec![None; plan.cells.len()];
    let mut parts = (Vec::new(), Vec::new());
    for task in tasks {
        let Task::Pair { pair, .. } = task else {
            parts.1.push(task);
            continue;
        };
        let is_taken = match takes[pair.cell] {
            Some(known) => known,
            // A clock is looked at here.
            None => plan.cells[pair.cell].clock.is_none() && farm.refuses(&plan.cells[pair.cell])?.is_none(),
        };
        takes[pair.cell] = Some(is_taken);
        if is_taken { &mut parts.0 } else { &mut parts.1 }.push(task);
    }
    Ok(parts)
}

/// Pairs of a cell that a farm takes at once if a rule may end the cell before the others.
const ROUND_PAIRS: u64 = 500;

/// What the farm takes at once: everything, but of cells with a stopping rule some pairs after the others.
fn rounds(plan: &Plan, tasks: Vec<Task>) -> Vec<Vec<Task>> {
    let mut rounds: Vec<Vec<Task>> = Vec::new();
    for task in tasks {
        let Task::Pair { pair, .. } = task else { continue };
        let number = if plan.cells[pair.cell].stop.is_some() { (pair.pair / ROUND_PAIRS) as usize } else { 0 };
        rounds.resize_with(rounds.len().max(number + 1), Vec::new);
        rounds[number].push(task);
    }
    rounds
}

/// Lets the farm play these pairs; what it could not play is added to the queue of threads.
pub(crate) fn play_on_farm(
    plan: &Plan,
    farm: &dyn Farm,
    tasks: Vec<Task>,
    (referee, queue, lent): (&Referee, &Queue, &Lent),
    is_stopped: Asker<'_>,
    tell: &(dyn Fn(Event) + Sync),
    keep: &impl Fn(Found) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let mut begun = vec![false; plan.cells.len()];
    let mut reasons: BTreeSet<(usize, String)> = BTreeSet::new();
    for round in rounds(plan, tasks) {
        let mut games = Vec::new();
        for task in round {
            let Task::Pair { pair: id @ PairId { cell, pair }, games: missing } = task else { continue };
            if !referee.wants(plan, id) {
                tell(Event::Spared { cell, games: task.count(plan) });
                continue;
            }
            if !std::mem::replace(&mut begun[cell], true) {
                tell(Event::Started { cell });
            }
            let seed = plan.cells[cell].pair_seed(pair);
            let numbers = (0..2u8).filter(|game| missing[usize::from(*game)]);
            games.extend(numbers.map(|game| FarmGame { id: (cell, pair, game), seed }));
        }
        if games.is_empty() || is_stopped() {
            continue;
        }
        lent.lend(&games);
        let mut take = |game: FarmGame, played: Result<GameText, String>| match played {
            Ok(played) if lent.hear(game.id) => keep_game(plan, game.id, (played, false), tell, keep),
            Ok(_) => Ok(()),
            Err(why) => {
                let (cell, pair, number) = game.id;
                if lent.give_back(game.id) {
                    queue.add(Task::Pair { pair: PairId { cell, pair }, games: [number == 0, number == 1] });
                }
                if reasons.insert((cell, why.clone())) {
                    tell(Event::GivenBack { cell, why });
                }
                Ok(())
            }
        };
        let is_done = || is_stopped() || lent.are_all_heard();
        farm.play(&plan.cells, games, &is_done, &mut take)?;
        if is_stopped() {
            lent.stop();
        }
    }
    Ok(())
}
