//! Verification: stored games are played again and compared move by move, or by the hash of the moves where a packed run
//! keeps no more.

use crate::error::LabError;
use crate::plan::{Plan, PortionId};
use crate::record::{Moves, Portion, Record};
use crate::store::{Contents, GameId, Store, write_whole};
use serde_json::json;
use spinney_core::{Random, Seed};
use std::fs;
use std::sync::atomic::AtomicBool;

/// What a replay found.
#[derive(Clone, Debug, Default)]
pub struct Verification {
    /// Games played again.
    pub replayed: u64,
    /// Games that came out the same.
    pub identical: u64,
    /// What differs, one line each.
    pub differences: Vec<String>,
}

pub(crate) const FILE: &str = "verified.json";

impl Verification {
    /// What was found when the run was last verified.
    pub fn read(store: &Store) -> Option<Self> {
        let text = fs::read_to_string(store.folder.join(FILE)).ok()?;
        let value: serde_json::Value = serde_json::from_str(&text).ok()?;
        let number = |key: &str| value[key].as_u64();
        Some(Self { replayed: number("replayed")?, identical: number("identical")?, differences: Vec::new() })
    }

    /// Counts one result over so many games.
    pub fn add(&mut self, games: u64, result: Result<(), String>) {
        self.replayed += games;
        match result {
            Ok(()) => self.identical += games,
            Err(difference) => self.differences.push(difference),
        }
    }

    /// Keeps it beside the games.
    pub fn write(&self, store: &Store) -> Result<(), LabError> {
        let line = json!({"replayed": self.replayed, "identical": self.identical}).to_string();
        write_whole(&store.folder.join(FILE), line.as_bytes())
    }
}

/// A random sample of the stored games that the seed decides, the same for the same plan; at least one if there is
/// any. Games limited by time are left out: no machine is as fast twice.
pub fn sample(plan: &Plan, contents: &Contents, share: f64) -> Vec<GameId> {
    drawn(plan, contents.games.keys().copied().filter(|id| !plan.cells[id.0].is_timed).collect(), share)
}

/// The same of the stored portions.
pub fn sample_portions(plan: &Plan, contents: &Contents, share: f64) -> Vec<PortionId> {
    let is_fixed = |id: &PortionId| !plan.measurements[id.measurement].is_timed;
    drawn(plan, contents.portions.keys().copied().filter(is_fixed).collect(), share)
}

fn drawn<T: Ord>(plan: &Plan, mut ids: Vec<T>, share: f64) -> Vec<T> {
    let mut random = Random::new(Seed::new(plan.seed).named("verify"));
    let wanted = ((ids.len() as f64 * share).ceil() as usize).clamp(usize::from(!ids.is_empty()), ids.len());
    for place in 0..wanted {
        let drawn = place + random.below((ids.len() - place) as u32) as usize;
        ids.swap(place, drawn);
    }
    ids.truncate(wanted);
    ids.sort_unstable();
    ids
}

/// Plays one stored game again; `None` if `stop` was set. The error names the first difference.
pub fn replay(
    store: &Store,
    record: &Record,
    id: GameId,
    stop: &AtomicBool,
) -> Result<Option<Result<(), String>>, LabError> {
    let cell = &store.plan.cells[id.0];
    let mut table = cell.table()?;
    let seats = if record.game == 0 { [0, 1] } else { [1, 0] };
    let Some(game) = table.play_game(seats, cell.opening, cell.pair_seed(record.pair), stop) else { return Ok(None) };
    let place = format!("{}, pair {}, game {}", cell.label(), record.pair, record.game);
    let stored: Option<Vec<&str>> =
        record.moves.text().map(|text| text.split(' ').filter(|mv| !mv.is_empty()).collect());
    let differs = stored.as_ref().and_then(|stored| {
        (0..stored.len().max(game.moves.len()))
            .find(|&ply| stored.get(ply).copied() != game.moves.get(ply).map(String::as_str))
            .map(|ply| (ply, stored.get(ply).copied()))
    });
    let played = Moves::Known(game.moves.join(" "));
    Ok(Some(match differs {
        Some((ply, stored)) => {
            let (was, is) = (stored.unwrap_or("nothing"), game.moves.get(ply).map_or("nothing", String::as_str));
            Err(format!("{place}: ply {} was {was} and is {is} now", ply + 1))
        }
        None if stored.is_none() && !played.agree(&record.moves) => {
            Err(format!("{place}: the hash of its moves was {} and is {} now", record.moves.hash(), played.hash()))
        }
        None if record.plies != game.moves.len() as u64 => Err(format!("{place}: the numbers of plies differ")),
        None if record.winner != Record::winner_number(game.outcome) => Err(format!("{place}: the winner differs")),
        None if record.simulations != game.simulations => Err(format!("{place}: the numbers of simulations differ")),
        None => Ok(()),
    }))
}

/// Measures one stored portion again; `None` if `stop` was set. The error names what differs.
pub fn repeat(
    store: &Store,
    portion: &Portion,
    id: PortionId,
    stop: &AtomicBool,
) -> Result<Option<Result<(), String>>, LabError> {
    let measurement = &store.plan.measurements[id.measurement];
    let Some(again) = measurement.measure(measurement.table()?.as_mut(), id.portion, stop, &|| {}) else {
        return Ok(None);
    };
    let place = format!("{}, portion {}", measurement.label(), id.portion);
    Ok(Some(match again == *portion {
        true => Ok(()),
        false => Err(format!("{place}: the sums were {:?} and are {:?} now", portion.sums, again.sums)),
    }))
}
