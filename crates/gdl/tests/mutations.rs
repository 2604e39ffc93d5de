//! Reader and checker on damaged rule sheets: whatever is written, they answer and do not fall over.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::time::{Duration, Instant};

use common::{data, games, sheets};
use spinney_core::{Random, Seed};
use spinney_gdl::{Limits, Machine, Rules};

/// Tokens that change the meaning of what is around them.
const PIECES: &[&str] = &[
    "(",
    ")",
    "((",
    "))",
    "(<=",
    "(not",
    "(or",
    "(distinct",
    "?x",
    "?",
    "true",
    "does",
    "init",
    "next",
    "legal",
    "goal",
    "terminal",
    "role",
    "base",
    "input",
    ";",
    "\r",
    "\n",
    "\u{0}",
    "é",
    "<=",
    "(role random)",
    "(p ?x)",
    "()",
];

fn mutate(text: &str, random: &mut Random) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(4) {
        let length = characters.len().max(1) as u32;
        let at = random.below(length) as usize;
        let end = (at + random.below(30) as usize).min(characters.len());
        let at = at.min(end);
        match random.below(5) {
            0 => drop(characters.drain(at..end)),
            1 => {
                let copy: Vec<char> = characters[at..end].to_vec();
                let to = random.below(length) as usize;
                characters.splice(to.min(characters.len())..to.min(characters.len()), copy);
            }
            2 => characters.truncate(at),
            _ => {
                let piece = PIECES[random.below(PIECES.len() as u32) as usize];
                characters.splice(at..at, piece.chars().chain([' ']));
            }
        }
    }
    characters.into_iter().collect()
}

/// Reads and checks; a sheet that passes becomes a machine, which plays a few steps.
fn digest(text: &str, random: &mut Random) {
    let Ok(rules) = Rules::parse(text) else { return };
    let report = rules.check();
    for issue in report.errors.iter().chain(&report.warnings) {
        assert!(!issue.to_string().contains('\n'));
    }
    let limits = &Limits { instances: 20_000, work: 2_000_000, ..Limits::default() };
    let Ok(machine) = Machine::build(&rules, limits) else { return };
    let mut cursor = machine.cursor();
    for _ in 0..10 {
        if cursor.is_terminal() {
            return;
        }
        let joint: Option<Vec<u32>> = (0..machine.roles().len()).map(|role| cursor.draw(role, random)).collect();
        let Some(joint) = joint else { return };
        cursor.step(&joint);
    }
}

fn corpus() -> Vec<String> {
    let mut all: Vec<String> = sheets(&data("invalid")).into_iter().map(|(_, text)| text).collect();
    let games = sheets(&games()).into_iter().filter(|(name, _)| ["nim", "tic-tac-toe"].contains(&name.as_str()));
    all.extend(games.map(|(_, text)| text));
    all
}

#[test]
fn damaged_sheets_are_answered() {
    let mut random = Random::new(Seed::new(17));
    for text in corpus() {
        for _ in 0..60 {
            digest(&mutate(&text, &mut random), &mut random);
        }
    }
}

/// Minutes from the environment (`MINUTES`, ten unless told); keeps what it is at in a file of the temporary folder.
#[test]
#[ignore = "ten minutes"]
fn damaged_sheets_for_a_long_time() {
    let minutes = std::env::var("MINUTES").ok().and_then(|text| text.parse().ok()).unwrap_or(10.0);
    let end = Instant::now() + Duration::from_secs_f64(60.0 * minutes);
    let keep = std::env::temp_dir().join("spinney-gdl-mutation.kif");
    let mut random = Random::new(Seed::new(u64::from(std::process::id())));
    let mut corpus = corpus();
    while Instant::now() < end {
        let at = random.below(corpus.len() as u32) as usize;
        let text = mutate(&corpus[at], &mut random);
        std::fs::write(&keep, &text).unwrap();
        digest(&text, &mut random);
        // What can still be read is damaged further.
        if Rules::parse(&text).is_ok() && text.len() < 20_000 {
            match corpus.len() {
                0..2000 => corpus.push(text),
                _ => corpus[at] = text,
            }
        }
    }
}
