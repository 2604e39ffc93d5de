//! What a cell will cost, from short games and short searches.

use crate::measure::{Measurement, Quantity};
use crate::plan::{Cell, Plan};
use spinney_core::{InputError, Seed};
use spinney_search::{Budget, StopReason};
use spinney_table::table::Question;
use spinney_table::{Laboratory, Table};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Expects times; what it has learnt of a game serves for its other cells.
#[derive(Debug, Default)]
pub struct Estimate {
    samples: HashMap<String, Vec<Vec<String>>>,
    /// Paces of agents in games, at every place, whatever their budget.
    paces: HashMap<(String, String), Vec<Pace>>,
}

/// What a cell is expected to cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Processor seconds; by the clock, the most that it can be.
    pub seconds: f64,
    /// Mean moves of a game.
    pub plies: f64,
    /// Mean simulations of a move; none where players have clocks.
    pub simulations: f64,
}

/// How an agent thought for a short time.
#[derive(Clone, Copy, Debug)]
enum Pace {
    /// It was done after so many seconds and simulations.
    Done(f64, f64),
    /// It made so many simulations a second.
    Rate(f64),
}

/// Games that tell how long a game is and which positions it has.
const GAMES: u64 = 5;
/// Simulations per move of these games: enough for play that is better than random.
const SIMULATIONS: u64 = 300;
/// Where in a game the agents are asked to think, as shares of its length.
const PLACES: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];
/// How long they may.
const LONGEST: Duration = Duration::from_millis(6);

impl Estimate {
    /// Processor seconds that a cell will take; by the clock, the most that it can.
    pub fn seconds(&mut self, cell: &Cell, stop: &AtomicBool) -> Result<f64, InputError> {
        Ok(self.cost(cell, stop)?.seconds)
    }

    /// What a cell will cost.
    pub fn cost(&mut self, cell: &Cell, stop: &AtomicBool) -> Result<Cost, InputError> {
        if !self.samples.contains_key(&cell.game) {
            let games = play(&cell.laboratory, &cell.game, stop)?;
            self.samples.insert(cell.game.clone(), games);
        }
        let games = &self.samples[&cell.game];
        let plies = games.iter().map(Vec::len).sum::<usize>() as f64 / games.len().max(1) as f64;
        if let Some(clock) = cell.clock {
            // No more than the clocks of both players allow.
            let [base, increment] = [clock.left(), clock.increment()].map(|time| time.as_secs_f64());
            let seconds = 2.0 * cell.pairs as f64 * (2.0 * base + plies * increment);
            return Ok(Cost { seconds, plies, simulations: 0.0 });
        }
        let mut table = cell.table()?;
        let (mut per_pair_of_moves, mut simulations) = (0.0, 0.0);
        for seat in 0..2 {
            // Agents are written without their budget, so that one look serves for all budgets.
            let key = (cell.game.clone(), cell.agents[seat].clone().with_budget(&Budget::default()).to_string());
            let paces = match self.paces.get(&key) {
                Some(paces) => paces.clone(),
                None => {
                    let paces = paces(table.as_mut(), seat, games, stop)?;
                    self.paces.insert(key, paces.clone());
                    paces
                }
            };
            let budget = table.budget(seat);
            per_pair_of_moves += paces.iter().map(|pace| pace.seconds(&budget)).sum::<f64>();
            simulations += paces.iter().map(|pace| pace.simulations(&budget)).sum::<f64>();
        }
        let moves = (2 * PLACES.len()) as f64;
        let seconds = 2.0 * cell.pairs as f64 * plies * per_pair_of_moves / moves;
        Ok(Cost { seconds, plies, simulations: simulations / moves })
    }
}

impl Estimate {
    /// Processor seconds of every cell of a plan, then of every measurement; fewer if `stop` was set.
    pub fn plan(&mut self, plan: &Plan, stop: &AtomicBool) -> Result<Vec<f64>, InputError> {
        let mut seconds = Vec::new();
        for cell in plan.cells.iter().take_while(|_| !stop.load(Ordering::Relaxed)) {
            seconds.push(self.seconds(cell, stop)?);
        }
        for one in plan.measurements.iter().take_while(|_| !stop.load(Ordering::Relaxed)) {
            seconds.push(seconds_of_measurement(one, stop)?);
        }
        Ok(seconds)
    }
}

/// Simulations of a measurement that is tried out.
const TRIED_SIMULATIONS: u64 = 64;
/// Repetitions of it, at most.
const TRIED_REPETITIONS: u64 = 20;

/// Processor seconds that a measurement will take: a few repetitions with few simulations, scaled.
pub fn seconds_of_measurement(one: &Measurement, stop: &AtomicBool) -> Result<f64, InputError> {
    let few = one.simulations.map(|simulations| simulations.min(TRIED_SIMULATIONS));
    let budget = few.map_or_else(Budget::default, Budget::simulations);
    let agent = if few.is_some() { one.agent.clone().with_budget(&budget) } else { one.agent.clone() };
    let mut table = one.laboratory.open(&one.game, None)?;
    table.seat(&agent)?;
    table.seat(&"random".parse()?)?;
    let (mut seconds, mut repetitions) = (0.0, 0);
    while repetitions < TRIED_REPETITIONS && seconds < LONGEST.as_secs_f64() {
        let seed = Seed::new(1).child(repetitions);
        seconds += match &one.quantity {
            Quantity::Score => match table.play_game([0, 1], 0, seed, stop) {
                Some(game) => game.time[0].as_secs_f64(),
                None => break,
            },
            Quantity::Root { .. } => {
                let question = &mut Question { seed, budget: None, stop, observer: None };
                table.think(0, question).elapsed.as_secs_f64()
            }
        };
        repetitions += 1;
    }
    let scale = one.simulations.zip(few).map_or(1.0, |(all, few)| all as f64 / few as f64);
    Ok(seconds / repetitions.max(1) as f64 * scale * one.repetitions as f64)
}

impl Pace {
    /// What a budget takes.
    fn seconds(&self, budget: &Budget) -> f64 {
        let allowed = budget.time.or(budget.cpu_time).map_or(f64::INFINITY, |time| time.as_secs_f64());
        match *self {
            Pace::Done(seconds, _) => seconds.min(allowed),
            Pace::Rate(rate) => {
                budget.simulations.or(budget.nodes).map_or(f64::INFINITY, |n| n as f64 / rate).min(allowed)
            }
        }
    }

    /// Simulations that are made of it.
    fn simulations(&self, budget: &Budget) -> f64 {
        let most = budget.simulations.map_or(f64::INFINITY, |most| most as f64);
        match *self {
            Pace::Done(_, simulations) => simulations.min(most),
            Pace::Rate(rate) => (rate * self.seconds(budget)).min(most),
        }
    }
}

/// The paces of an agent at all places, each in another game: a single one may be decided early.
fn paces(
    table: &mut dyn Table,
    seat: usize,
    games: &[Vec<String>],
    stop: &AtomicBool,
) -> Result<Vec<Pace>, InputError> {
    let mut paces = Vec::new();
    for (place, game) in PLACES.into_iter().zip(games.iter().cycle()) {
        table.set_position(None)?;
        for mv in &game[..(place * game.len() as f64) as usize] {
            table.play(mv)?;
        }
        paces.push(pace(table, seat, stop));
    }
    Ok(paces)
}

fn play(laboratory: &Laboratory, game: &str, stop: &AtomicBool) -> Result<Vec<Vec<String>>, InputError> {
    let mut table = laboratory.open(game, None)?;
    for _ in 0..2 {
        table.seat(&spinney_search::AgentSettings::default().with_budget(&Budget::simulations(SIMULATIONS)))?;
    }
    let games = (0..GAMES).map_while(|number| table.play_game([0, 1], 0, Seed::new(1).child(number), stop));
    Ok(games.map(|game| game.moves).collect())
}

/// How the agent thinks about the position. Processor time is measured, so that other work on the machine does not count.
fn pace(table: &mut dyn Table, seat: usize, stop: &AtomicBool) -> Pace {
    let budget = Budget { simulations: None, time: None, cpu_time: Some(LONGEST), nodes: None };
    let thought = table.think(seat, &mut Question { seed: Seed::new(1), budget: Some(budget), stop, observer: None });
    if thought.stopped == Some(StopReason::Time) {
        Pace::Rate(thought.totals.simulations.max(1) as f64 / LONGEST.as_secs_f64())
    } else {
        Pace::Done(thought.elapsed.as_secs_f64(), thought.totals.simulations as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simulations_are_those_of_the_budget_unless_a_position_is_decided() {
        let budget = Budget::simulations(600);
        let simulations = |pace: Pace| pace.simulations(&budget);
        assert_eq!(
            [Pace::Rate(1e5), Pace::Done(0.001, 40.0), Pace::Done(1.0, 900.0)].map(simulations),
            [600.0, 40.0, 600.0]
        );
        let timed = Budget { time: Some(Duration::from_millis(10)), ..budget };
        assert_eq!((Pace::Rate(1e4).simulations(&timed), Pace::Rate(1e4).seconds(&timed)), (100.0, 0.01));
    }

    #[test]
    fn a_cost_tells_how_long_games_are() {
        let agent = || "mcts(sims=50)".parse().unwrap();
        let (laboratory, stop) = (Laboratory::standard(), AtomicBool::new(false));
        let plan = Plan::single(&laboratory, "tic-tac-toe", [agent(), agent()], 0, 3, Seed::new(1)).unwrap();
        let cost = Estimate::default().cost(&plan.cells[0], &stop).unwrap();
        assert!((5.0..=9.0).contains(&cost.plies), "{cost:?}");
        assert!(cost.simulations > 0.0 && cost.simulations <= 50.0 && cost.seconds > 0.0, "{cost:?}");
    }
}
