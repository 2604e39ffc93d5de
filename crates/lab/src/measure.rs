//! Measurements of one agent in games of one player: scores of whole games, or what a search says of the first move.
//!
//! A point is an agent in a game; it is measured in portions whose seeds follow from its text and the number of the
//! portion. Each portion is a line appended to a file, so a run can be stopped at any time and goes on where it was.

use crate::error::LabError;
use serde::{Deserialize, Serialize};
use spinney_core::{InputError, Seed};
use spinney_search::table::Question;
use spinney_search::{AgentSettings, Table, open_table};
use spinney_stats::Z95;
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Repetitions in one portion.
const PORTION: u64 = 50;
/// Where a run keeps its portions.
const FILE: &str = "measurements.jsonl";

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The score of a whole game.
    Score,
    /// At the initial position, the value of the game's first move and by how much it is above the second's.
    Root,
}

/// One agent in one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The game, as it is written.
    pub game: String,
    /// The agent, as it is written, with its simulations.
    pub agent: String,
    /// What is measured.
    pub quantity: Quantity,
    /// How often.
    pub repetitions: u64,
}

/// Sums over repetitions: of the score, or of value and difference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Repetitions.
    pub count: u64,
    sums: [f64; 2],
    squares: [f64; 2],
}

impl Sample {
    fn add(&mut self, values: [f64; 2]) {
        self.count += 1;
        for (index, value) in values.into_iter().enumerate() {
            self.sums[index] += value;
            self.squares[index] += value * value;
        }
    }

    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        for index in 0..2 {
            self.sums[index] += other.sums[index];
            self.squares[index] += other.squares[index];
        }
    }

    /// Mean of the first or the second number; 0 without repetitions.
    pub fn mean(&self, index: usize) -> f64 {
        if self.count == 0 { 0.0 } else { self.sums[index] / self.count as f64 }
    }

    /// Sample variance of the first or the second number.
    pub fn variance(&self, index: usize) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let mean = self.mean(index);
        ((self.squares[index] - self.sums[index] * mean) / (self.count - 1) as f64).max(0.0)
    }

    /// Standard error of the mean.
    pub fn error(&self, index: usize) -> f64 {
        if self.count == 0 { 0.0 } else { (self.variance(index) / self.count as f64).sqrt() }
    }

    /// Half the width of the 95 % interval of the mean.
    pub fn margin(&self, index: usize) -> f64 {
        Z95 * self.error(index)
    }
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Portion {
    point: String,
    portion: u64,
    count: u64,
    sums: [f64; 2],
    squares: [f64; 2],
}

impl Point {
    /// Everything that decides its numbers.
    fn key(&self, seed: u64) -> String {
        let quantity = match self.quantity {
            Quantity::Score => "score",
            Quantity::Root => "root",
        };
        format!("{quantity} {} {} seed {seed}", self.game, self.agent)
    }

    fn portions(&self) -> u64 {
        self.repetitions.div_ceil(PORTION)
    }

    fn seated(&self) -> Result<Box<dyn Table>, InputError> {
        let mut table = open_table(&self.game, None)?;
        if table.score().is_none() {
            let problem = format!("{} has two players", table.game());
            return Err(InputError::new("game", problem, "`spinney match` plays it"));
        }
        table.seat(&self.agent.parse::<AgentSettings>()?)?;
        table.seat(&"random".parse()?)?;
        Ok(table)
    }

    /// The numbers of one repetition; `None` if `stop` was set meanwhile.
    fn once(&self, table: &mut dyn Table, seed: Seed, stop: &AtomicBool) -> Option<[f64; 2]> {
        match self.quantity {
            Quantity::Score => table.play_game([0, 1], 0, seed, stop).map(|game| [game.score, 0.0]),
            Quantity::Root => {
                let [first, second] = &table.moves()[..] else { return Some([0.0; 2]) };
                let thought = table.think(0, &mut Question { seed, budget: None, stop, observer: None });
                let mean = |mv: &String| {
                    thought.candidates.iter().find(|one| one.mv == *mv).map_or(0.0, |one| f64::from(one.mean))
                };
                (!stop.load(Ordering::Relaxed)).then(|| [mean(first), mean(first) - mean(second)])
            }
        }
    }
}

/// What the file in `folder` knows of these points. A torn line at its end is left out.
pub fn read(points: &[Point], seed: u64, folder: &Path) -> Result<Vec<(Sample, BTreeSet<u64>)>, LabError> {
    let path = folder.join(FILE);
    let text = if path.exists() { fs::read_to_string(&path).map_err(LabError::file(&path))? } else { String::new() };
    let keys: Vec<String> = points.iter().map(|point| point.key(seed)).collect();
    let mut known = vec![(Sample::default(), BTreeSet::new()); points.len()];
    for portion in text.lines().filter_map(|line| serde_json::from_str::<Portion>(line).ok()) {
        for (index, _) in keys.iter().enumerate().filter(|(_, key)| **key == portion.point) {
            let is_planned = portion.portion < points[index].portions();
            if is_planned && known[index].1.insert(portion.portion) {
                let Portion { count, sums, squares, .. } = portion;
                known[index].0.merge(&Sample { count, sums, squares });
            }
        }
    }
    Ok(known)
}

/// Measures what is missing and returns all samples. `tell` hears of each repetition's point.
pub fn run(
    points: &[Point],
    seed: u64,
    folder: &Path,
    threads: usize,
    stop: &AtomicBool,
    tell: &(impl Fn(u64) + Sync),
) -> Result<Vec<Sample>, LabError> {
    fs::create_dir_all(folder).map_err(LabError::file(folder))?;
    let known = read(points, seed, folder)?;
    let path = folder.join(FILE);
    let torn = fs::read(&path).is_ok_and(|bytes| bytes.last().is_some_and(|last| *last != b'\n'));
    let file = OpenOptions::new().create(true).append(true).open(&path).map_err(LabError::file(&path))?;
    let file = Mutex::new(file);
    if torn {
        write_line(&file, String::new()).map_err(LabError::file(&path))?;
    }
    // Dear points first, so that no thread is left alone with one at the end.
    let mut work: Vec<(usize, u64)> = points
        .iter()
        .enumerate()
        .flat_map(|(index, point)| (0..point.portions()).map(move |portion| (index, portion)))
        .filter(|(index, portion)| !known[*index].1.contains(portion))
        .collect();
    let simulations = |point: &Point| match point.agent.parse() {
        Ok(AgentSettings::Mcts(settings)) => settings.sims.unwrap_or(0),
        _ => 0,
    };
    work.sort_by_key(|(index, portion)| (std::cmp::Reverse(simulations(&points[*index])), *index, *portion));
    for point in points {
        point.seated()?;
    }
    let samples = Mutex::new(known.into_iter().map(|(sample, _)| sample).collect::<Vec<_>>());
    let next = AtomicUsize::new(0);
    let worker = || -> Result<(), LabError> {
        let mut seated: Option<(usize, Box<dyn Table>)> = None;
        while let Some(&(index, number)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            let point = &points[index];
            let table = match &mut seated {
                Some((other, table)) if *other == index => table,
                _ => &mut seated.insert((index, point.seated()?)).1,
            };
            let key = point.key(seed);
            let portion_seed = Seed::new(seed).named(&key).child(number);
            let mut sample = Sample::default();
            for repetition in 0..PORTION.min(point.repetitions - number * PORTION) {
                let Some(values) = point.once(table.as_mut(), portion_seed.child(repetition), stop) else {
                    return Ok(());
                };
                sample.add(values);
                tell(1);
            }
            let Sample { count, sums, squares } = sample;
            let line = serde_json::to_string(&Portion { point: key, portion: number, count, sums, squares });
            write_line(&file, line.unwrap_or_default()).map_err(LabError::file(&path))?;
            samples.lock().unwrap_or_else(PoisonError::into_inner)[index].merge(&sample);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or(Ok(())))
    })?;
    Ok(samples.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// One write for a whole line, so that a killed run tears at most its last.
fn write_line(file: &Mutex<fs::File>, mut line: String) -> std::io::Result<()> {
    line.push('\n');
    file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes())
}

/// How many simulations the plain search needs for a score, per simulation of the technique: interpolated between the
/// points of the plain curve over the logarithm of the simulations, with a 95 % interval. `None` beyond its ends.
///
/// ```
/// use spinney_lab::measure::worth;
/// let plain = [(16.0, 10.0, 0.1), (32.0, 20.0, 0.1), (64.0, 30.0, 0.1)];
/// let (factor, low, high) = worth(16.0, (20.0, 0.1), &plain).unwrap();
/// assert!((factor - 2.0).abs() < 1e-9 && low < 2.0 && high > 2.0);
/// ```
pub fn worth(simulations: f64, (score, error): (f64, f64), plain: &[(f64, f64, f64)]) -> Option<(f64, f64, f64)> {
    plain.windows(2).find_map(|pair| {
        let [(x0, y0, e0), (x1, y1, e1)] = pair else { return None };
        if !(y0 <= &score && &score <= y1 && y1 > y0) {
            return None;
        }
        let share = (score - y0) / (y1 - y0);
        let doublings = (x1 / x0).log2();
        let at = x0.log2() + share * doublings;
        // The plain curve is uncertain too, between its points by their mixture.
        let variance = error * error + ((1.0 - share) * e0).powi(2) + (share * e1).powi(2);
        let margin = Z95 * variance.sqrt() * doublings / (y1 - y0);
        let factor = |at: f64| at.exp2() / simulations;
        Some((factor(at), factor(at - margin), factor(at + margin)))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;

    fn point(repetitions: u64) -> Point {
        let (game, agent) = ("pig(turns=2)".to_string(), "mcts(sims=4)".to_string());
        Point { game, agent, quantity: Quantity::Score, repetitions }
    }

    #[test]
    fn a_run_goes_on_where_it_stopped() {
        let folder = std::env::temp_dir().join(format!("spinney-measure-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let stop = AtomicBool::new(false);
        let played = AtomicUsize::new(0);
        let count = |games: u64| {
            played.fetch_add(games as usize, Ordering::Relaxed);
        };
        let half = run(&[point(120)], 1, &folder, 2, &stop, &count).unwrap();
        // A line torn by a kill is measured again; what was whole is not.
        let path = folder.join(FILE);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 9]).unwrap();
        let whole = run(&[point(120)], 1, &folder, 1, &stop, &count).unwrap();
        assert_eq!(half, whole);
        assert!((140..=170).contains(&played.load(Ordering::Relaxed)), "{played:?}");
        assert_eq!(whole[0].count, 120);
        assert!(whole[0].mean(0) > 0.0 && whole[0].error(0) > 0.0);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn games_of_two_are_refused() {
        let two = Point { game: "tic-tac-toe".to_string(), ..point(1) };
        assert!(two.seated().err().unwrap().to_string().contains("two players"));
    }
}
