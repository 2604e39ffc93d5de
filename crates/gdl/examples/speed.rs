//! How fast rule sheets are built and played: `cargo run --release -p spinney-gdl --example speed -- FILE…`.
//!
//! For each sheet the processor time of building, the most memory meanwhile, the size of the machine, and states per second of uniform random games
//! on one thread: terminal test, legal moves of all roles, a draw for each, the next state, goals at the end. `SECONDS`
//! says how long each is played, `METHOD` how (`network`, `proof` or `relational`); with `GAMES` so many are, so that instructions can be counted and compared.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people")]

use std::time::Duration;

use cpu_time::ProcessTime;
use spinney_core::{Random, Seed};
use spinney_gdl::{Cursor, Limits, Machine, Method, Rules};

fn main() {
    let named = std::env::var("METHOD").ok();
    let method = named.as_deref().and_then(|name| match name {
        "network" => Some(Method::Network),
        "proof" => Some(Method::Proof),
        "relational" => Some(Method::Relational),
        _ => None,
    });
    let limits = &Limits { method, ..Limits::default() };
    println!(
        "{:<24} {:<10} {:>8} {:>8} {:>9} {:>9} {:>9} {:>4} {:>8} {:>7} {:>10}",
        "sheet", "method", "build s", "peak MB", "instances", "gates", "facts", "nets", "games/s", "length", "states/s"
    );
    for path in std::env::args().skip(1) {
        let name = path.rsplit('/').next().unwrap_or(&path).trim_end_matches(".kif").to_string();
        let text = match std::fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        // From here on the most memory is counted anew.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        let start = ProcessTime::now();
        let built = Rules::parse(&text).and_then(|rules| Ok(Machine::build(&rules, limits)?));
        let machine = match built {
            Ok(machine) => machine,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let built = start.elapsed().as_secs_f64();
        let (size, peak_mb) = (machine.size(), peak_mb());
        let mut cursor = machine.cursor();
        let seconds = std::env::var("SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2.0);
        let games = std::env::var("GAMES").ok().and_then(|text| text.parse().ok());
        let (games, states, took) = play(&mut cursor, Duration::from_secs_f64(seconds), games);
        println!(
            "{name:<24} {:<10} {built:>8.2} {peak_mb:>8.0} {:>9} {:>9} {:>9} {:>4} {:>8.1} {:>7.1} {:>10.0}",
            format!("{:?}", machine.method()).to_lowercase(),
            size.instances,
            size.gates,
            size.facts,
            size.networks,
            games as f64 / took,
            states as f64 / games as f64,
            states as f64 / took
        );
    }
}

/// The most memory of the process since it was last counted anew, where the system tells.
fn peak_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |kilobytes| kilobytes / 1024.0)
}

/// Plays for some time, or so many games if a number is given.
fn play(cursor: &mut Cursor, time: Duration, most: Option<u64>) -> (u64, u64, f64) {
    let machine = cursor.machine().clone();
    let roles = machine.roles().len();
    let mut random = Random::new(Seed::new(1));
    let mut joint = vec![0; roles];
    let start = ProcessTime::now();
    let (mut games, mut states, mut sum) = (0u64, 0u64, 0u64);
    while most.map_or_else(|| start.elapsed() < time, |most| games < most) {
        cursor.set(machine.initial());
        let mut dead = false;
        while !cursor.is_terminal() && !dead {
            for (role, action) in joint.iter_mut().enumerate() {
                match cursor.draw(role, &mut random) {
                    Some(drawn) => *action = drawn,
                    None => dead = true,
                }
            }
            if !dead {
                cursor.step(&joint);
                states += 1;
            }
            // Some games have no end.
            dead |= most.is_none() && states.is_multiple_of(64) && start.elapsed() > time * 2;
        }
        for role in 0..roles {
            sum += u64::from(cursor.goal(role).unwrap_or(0));
        }
        games += 1;
    }
    std::hint::black_box(sum);
    (games, states, start.elapsed().as_secs_f64())
}
