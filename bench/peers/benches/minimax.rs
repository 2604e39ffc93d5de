//! Iterations per second of our tree search and of the crate `minimax` on the same rules of Breakthrough, one
//! thread each, from the initial position, uniform play-outs, one for each iteration. The searches take turns,
//! because machines are noisy; rates are per second of processor time, and ratios are paired within a round.
//!
//! `cargo bench -p spinney-peers --bench minimax -- [--rounds N] [--sims N]`
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark talks to its user")]

use cpu_time::ProcessTime;
use minimax::{MCTSOptions, MonteCarloTreeSearch, Strategy};
use spinney_core::{Game, Seed};
use spinney_games::Breakthrough;
use spinney_peers::{DirectDraw, PeerBreakthrough, Position};
use spinney_search::{Agent, AgentSettings, Task, build};
use std::process::ExitCode;
use std::time::Duration;

/// A measurement repeats its search for so much processor time. Many short rounds meet other programs on the machine
/// more evenly than a few long ones.
const SHORTEST_MEASUREMENT: Duration = Duration::from_millis(100);

/// More plies than a game of Breakthrough can have, so that every play-out reaches the end.
const LONGEST_PLAYOUT_PLIES: u32 = 1000;

struct Arguments {
    rounds: u64,
    sims: u32,
}

/// A search of the initial position with a fixed number of iterations; it is given the number of its run.
struct Contestant {
    name: String,
    search: Box<dyn FnMut(u64)>,
    /// Iterations per second, one for each round.
    rates: Vec<f64>,
}

impl Contestant {
    fn new(name: impl Into<String>, search: impl FnMut(u64) + 'static) -> Self {
        Self { name: name.into(), search: Box::new(search), rates: Vec::new() }
    }

    /// Time is the whole process's, because `minimax` searches on a thread that it starts.
    fn measure(&mut self, sims: u32) {
        let started = ProcessTime::now();
        let mut runs = 0;
        while started.elapsed() < SHORTEST_MEASUREMENT {
            (self.search)(runs);
            runs += 1;
        }
        self.rates.push(runs as f64 * f64::from(sims) / started.elapsed().as_secs_f64());
    }
}

fn main() -> ExitCode {
    let Arguments { rounds, sims } = match read_arguments() {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("error: {problem}; write --rounds N and --sims N, both from 1");
            return ExitCode::from(2);
        }
    };
    let mut contestants = [
        ours(sims),
        Contestant::new("minimax 0.6, its own play-outs", peer(MonteCarloTreeSearch::new(options()), sims)),
        Contestant::new(
            "minimax 0.6, play-outs that draw as ours",
            peer(MonteCarloTreeSearch::new_with_policy(options(), Box::new(DirectDraw::default())), sims),
        ),
    ];
    for round in 0..rounds as usize {
        // Each goes first in turn.
        for place in 0..contestants.len() {
            contestants[(round + place) % contestants.len()].measure(sims);
        }
    }
    println!("breakthrough 8×8, {sims} iterations per search, median of {rounds} rounds");
    println!("{:>13} {:>8} {:>15}  search", "iterations/s", "ratio", "(from, to)");
    let [ours, ..] = &contestants;
    for contestant in &contestants {
        let ratios = sorted(ours.rates.iter().zip(&contestant.rates).map(|(ours, theirs)| ours / theirs).collect());
        println!(
            "{:>13.0} {:>8.2} {:>15}  {}",
            median(&sorted(contestant.rates.clone())),
            median(&ratios),
            format!("({:.2}, {:.2})", ratios[0], ratios[ratios.len() - 1]),
            contestant.name
        );
    }
    println!("ratio: our iterations for each one of that search in the same round");
    ExitCode::SUCCESS
}

fn ours(sims: u32) -> Contestant {
    let game = Breakthrough::default();
    let name = format!("mcts(sims={sims}, playout=uniform, c=1)");
    let settings: AgentSettings = name.parse().expect("the settings are well written");
    let mut agent: Box<dyn Agent<Breakthrough>> = build(&game, &settings).expect("the settings fit the game");
    let state = game.initial();
    Contestant::new(format!("spinney {name}"), move |run| {
        let position = spinney_search::Position::new(&state);
        let decision = agent.choose(&game, &position, &mut Task::new(Seed::new(run)));
        assert_eq!(decision.simulations, u64::from(sims));
    })
}

/// One thread, and a node is expanded by the first iteration that reaches it again, as in our search.
fn options() -> MCTSOptions {
    MCTSOptions::default()
        .with_num_threads(1)
        .with_rollouts_before_expanding(1)
        .with_max_rollout_depth(LONGEST_PLAYOUT_PLIES)
}

fn peer(mut search: MonteCarloTreeSearch<PeerBreakthrough>, sims: u32) -> impl FnMut(u64) {
    search.set_max_rollouts(sims);
    let position = Position::initial();
    move |_| assert!(search.choose_move(&position).is_some())
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}

fn read_arguments() -> Result<Arguments, String> {
    let mut read = Arguments { rounds: 25, sims: 20_000 };
    // Cargo adds --bench.
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(option) = words.next() {
        let value = words.next().and_then(|value| value.parse::<u32>().ok()).filter(|&value| value > 0);
        match (option.as_str(), value) {
            ("--rounds", Some(rounds)) => read.rounds = u64::from(rounds),
            ("--sims", Some(sims)) => read.sims = sims,
            ("--rounds" | "--sims", None) => return Err(format!("{option} needs a number")),
            _ => return Err(format!("`{option}` has no meaning here")),
        }
    }
    Ok(read)
}
