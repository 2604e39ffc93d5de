//! How soon building ends when it is called off: `cargo run --release -p spinney-gdl --example cancel -- FILE…`.
//!
//! Each sheet is built several times and called off after longer and longer; told is how much processor time it went on
//! for at most, which other programs on the machine do not change.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people")]

use std::time::Duration;

use cpu_time::ProcessTime;
use spinney_gdl::{BuildError, Cancel, Limits, Machine, Rules};

fn main() {
    println!("{:<24} {:>8} {:>10} {:>10}", "sheet", "cut", "longest ms", "when ms");
    for path in std::env::args().skip(1) {
        let rules = match std::fs::read_to_string(&path) {
            Ok(text) => Rules::parse(&text),
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let rules = match rules {
            Ok(rules) => rules,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let (mut cut, mut longest) = (0, (Duration::ZERO, 0));
        let mut wait_ms = 1;
        loop {
            let cancel = Cancel::default();
            let limits = Limits::default().cancelled_by(&cancel);
            let (took, called_off) = std::thread::scope(|scope| {
                let build = scope.spawn(|| {
                    let built = Machine::build(&rules, &limits);
                    built.err() == Some(BuildError::Cancelled)
                });
                std::thread::sleep(Duration::from_millis(wait_ms));
                let start = ProcessTime::now();
                cancel.cancel();
                let called_off = build.join().unwrap_or(false);
                (start.elapsed(), called_off)
            });
            if !called_off {
                break;
            }
            cut += 1;
            longest = longest.max((took, wait_ms));
            wait_ms += 1 + wait_ms / 2;
        }
        let name = path.rsplit('/').next().unwrap_or(&path);
        println!("{name:<24} {cut:>8} {:>10.1} {:>10}", longest.0.as_secs_f64() * 1000.0, longest.1);
    }
}
