//! Graphics cards as the farm of the laboratory: `--gpu`.

use clap::Args;
use spinney_core::{InputError, Outcome};
use spinney_gpu::host::farm::{Seat, Told};
use spinney_gpu::host::speed::{CardSeconds, Load};
use spinney_gpu::host::{Card, Farm, Figures, Job, Tuning};
use spinney_lab::estimate::Cost;
use spinney_lab::farm::{Asker, FarmGame, Taker};
use spinney_lab::{Cell, LabError, Plan};
use spinney_table::table::GameText;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

#[derive(Clone, Debug, Default, Args)]
pub struct CardArguments {
    /// Play on graphics cards what they can play, and the rest on the processor: the same games
    #[arg(long)]
    pub gpu: bool,
    /// Numbers of the cards, such as 0,1; the first when left out
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "gpu")]
    pub device: Vec<usize>,
}

impl CardArguments {
    /// The farm that was asked for, if any.
    pub fn farm(&self) -> Result<Option<CardFarm>, InputError> {
        if !self.gpu {
            return Ok(None);
        }
        let first = [0];
        let numbers = if self.device.is_empty() { &first } else { self.device.as_slice() };
        CardFarm::new(numbers, Tuning::default()).map(Some)
    }

    /// How many cards were asked for.
    pub fn count(&self) -> u32 {
        if self.gpu { self.device.len().max(1) as u32 } else { 0 }
    }

    /// As it is written again.
    pub fn written(&self) -> String {
        let numbers: Vec<String> = self.device.iter().map(usize::to_string).collect();
        match (self.gpu, numbers.is_empty()) {
            (false, _) => String::new(),
            (true, true) => " --gpu".to_string(),
            (true, false) => format!(" --gpu --device {}", numbers.join(",")),
        }
    }
}

/// Cards that play for the laboratory.
#[derive(Debug)]
pub struct CardFarm {
    farm: Farm,
    /// What they did so far.
    pub figures: Mutex<Figures>,
    /// Whether games that cannot be right are left out instead of ending the run.
    pub is_lenient: bool,
    /// Simulations of what is under way, as last told.
    pub simulations: Mutex<Vec<(std::time::Instant, u64)>>,
    /// Games that it could not play so far.
    pub given_back: AtomicU64,
}

impl CardFarm {
    /// The cards of these numbers.
    pub fn new(numbers: &[usize], tuning: Tuning) -> Result<Self, InputError> {
        check_numbers(numbers)?;
        let cards = numbers.iter().map(|&number| Card::open(number)).collect::<Result<Vec<Card>, InputError>>()?;
        Ok(Self {
            farm: Farm::new(cards, tuning),
            figures: Mutex::default(),
            is_lenient: false,
            simulations: Mutex::default(),
            given_back: AtomicU64::new(0),
        })
    }

    /// The processors of all cards.
    pub fn processors(&self) -> u32 {
        self.farm.processors()
    }

    /// The names of the cards.
    pub fn names(&self) -> Vec<&str> {
        self.farm.names()
    }
}

/// The memory of a card that is named twice would be counted twice.
fn check_numbers(numbers: &[usize]) -> Result<(), InputError> {
    match numbers.iter().enumerate().find(|(index, number)| numbers[..*index].contains(number)) {
        Some((_, number)) => {
            Err(InputError::new("--device", format!("{number} is there twice"), "name each card once"))
        }
        None => Ok(()),
    }
}

/// The match of a cell as cards play it, or why they do not.
pub fn job_of(cell: &Cell) -> Result<Result<Job, String>, InputError> {
    if cell.clock.is_some() {
        return Ok(Err("players have clocks".to_string()));
    }
    Ok(Job::new(&cell.game, &cell.agents, cell.opening)?.map_err(|unfit| unfit.to_string()))
}

/// How cards would play a plan.
#[derive(Debug)]
pub struct CardPlan {
    /// The match of each cell, or why no card plays it.
    jobs: Vec<Result<Job, String>>,
    load: Load,
}

impl CardPlan {
    /// On so many cards.
    pub fn new(plan: &Plan, cards: u32) -> Result<Self, InputError> {
        let jobs = plan.cells.iter().map(job_of).collect::<Result<Vec<_>, InputError>>()?;
        let games = plan.cells.iter().map(|cell| 2 * cell.pairs);
        let load =
            Load::new(cards, jobs.iter().zip(games).filter_map(|(job, games)| Some((job.as_ref().ok()?, games))));
        Ok(Self { jobs, load })
    }

    /// How long they take for a cell of this number, with its game, or why they do not play it.
    pub fn seconds(&self, index: usize, games: u64, cost: &Cost) -> Result<(&'static str, CardSeconds), String> {
        let job = self.jobs[index].as_ref().map_err(String::clone)?;
        Ok((job.game(), self.load.seconds(job.game(), games, cost.plies, cost.simulations)))
    }
}

impl spinney_lab::Farm for CardFarm {
    fn kind(&self) -> String {
        self.farm.names().join(", ")
    }

    fn refuses(&self, cell: &Cell) -> Result<Option<String>, InputError> {
        Ok(job_of(cell)?.err())
    }

    fn play(
        &self,
        cells: &[Cell],
        games: Vec<FarmGame>,
        is_stopped: Asker<'_>,
        take: Taker<'_>,
    ) -> Result<(), LabError> {
        let mut jobs = Vec::new();
        let mut numbers = BTreeMap::new();
        for game in &games {
            if let std::collections::btree_map::Entry::Vacant(number) = numbers.entry(game.id.0) {
                let cell = &cells[game.id.0];
                let job = job_of(cell)?.map_err(|why| InputError::new("gpu", why, "leave --gpu out"))?;
                number.insert(jobs.len());
                jobs.push(job);
            }
        }
        let seats = games.iter().zip(0..).map(|(game, number)| Seat {
            job: numbers[&game.id.0],
            number,
            seed: game.seed,
            first: u32::from(game.id.2),
        });
        let mut failed = None;
        let figures = self.farm.play(&jobs, seats, is_stopped, |told| {
            let taken = match told {
                Told::Simulations(count) => {
                    let mut known = self.simulations.lock().unwrap_or_else(PoisonError::into_inner);
                    known.push((std::time::Instant::now(), count));
                    Ok(())
                }
                Told::Wrong(..) if self.is_lenient => Ok(()),
                Told::Wrong(..) => {
                    let problem = "the card played a move that is none";
                    Err(InputError::new("gpu", problem, "make the kernels again: cargo xtask kernels").into())
                }
                Told::TooLarge(seat, why) => {
                    self.given_back.fetch_add(1, Ordering::Relaxed);
                    take(games[seat.number as usize], Err(why.to_string()))
                }
                Told::Played(seat, played) => {
                    let game = games[seat.number as usize];
                    let total = played.simulations.iter().sum::<u64>().max(1) as f64;
                    let time = played.simulations.map(|own| played.time.mul_f64(own as f64 / total));
                    let (moves, simulations) = (played.moves, played.simulations);
                    let outcome: Outcome = played.outcome;
                    take(game, Ok(GameText { outcome, score: 0.0, moves, simulations, time }))
                }
            };
            // The farm knows no errors of the laboratory.
            taken.map_err(|error| {
                failed = Some(error);
                InputError::new("gpu", "a game could not be kept", "see the other message")
            })
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let figures = figures?;
        let mut known = self.figures.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, own) in figures.kernels {
            known.kernels.entry(name).or_default().add(&own);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_named_once() {
        assert!(check_numbers(&[0, 2, 1]).is_ok() && check_numbers(&[]).is_ok());
        assert_eq!(check_numbers(&[0, 1, 0]).unwrap_err().problem, "0 is there twice");
    }
}
