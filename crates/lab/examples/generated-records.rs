//! Writes a run of generated records, to measure how long large runs take to read and to merge:
//! `cargo run --profile test -p spinney-lab --example generated-records -- FOLDER GAMES ELEMENTS`.
//!
//! The games are of a hundred cells and look like those of Breakthrough, but nobody played them.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for measurements")]

use spinney_core::{Random, Seed};
use spinney_lab::cluster::{Engine, Sizes, Submission};
use spinney_lab::plan::Shard;
use spinney_lab::record::{Record, VERSION};
use spinney_lab::runner::{Task, missing};
use spinney_lab::store::{Contents, Store};
use std::path::Path;

fn experiment(games: u64) -> String {
    let mut text = format!("title = \"Generated\"\nseed = 1\npairs = {}\n", games / 200);
    for name in ["a", "b"] {
        for number in 0..10 {
            text += &format!("[agents.{name}{number}]\nc = {}\n", if name == "a" { number } else { number + 20 });
        }
    }
    let list = |name: &str| (0..10).map(|number| format!("\"{name}{number}\"")).collect::<Vec<_>>().join(", ");
    text + &format!(
        "[[match]]\ngames = [\"breakthrough\"]\na = [{}]\nb = [{}]\nbudgets = [{{ simulations = 1000 }}]\n",
        list("a"),
        list("b")
    )
}

/// Between 40 and 80 moves such as `a2a3`.
fn moves(random: &mut Random) -> Vec<String> {
    let square = |random: &mut Random| {
        let (file, rank) = (b'a' + random.below(8) as u8, 1 + random.below(8));
        format!("{}{rank}", file as char)
    };
    (0..40 + random.below(41)).map(|_| format!("{}-{}", square(random), square(random))).collect()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, games, elements] = &words[..] else { panic!("write FOLDER GAMES ELEMENTS") };
    let (games, elements): (u64, u64) = (games.parse().unwrap(), elements.parse().unwrap());
    let store = Store::create(Path::new(folder), "generated.toml", &experiment(games)).unwrap();
    let tasks = missing(&store.plan, &Contents::default(), Shard::WHOLE);
    let sizes = Sizes { minutes: 20.0, threads: 1, most: elements, elements: Some(elements) };
    let seconds = vec![1000.0; store.plan.cells.len()];
    let submission = Submission::new(&store.plan, &tasks, &seconds, sizes, Engine::Other, 1).unwrap();
    submission.write(&store.folder).unwrap();
    store.admit().unwrap();
    let mut random = Random::new(Seed::new(7));
    for index in 0..submission.elements {
        let mut appender = store.append_alone(&format!("element-1-{index}-0")).unwrap().unwrap();
        for task in submission.tasks(&store.plan, index).unwrap() {
            let Task::Pair { pair, .. } = task else { continue };
            let cell = &store.plan.cells[pair.cell];
            for game in 0..2u8 {
                let moves = moves(&mut random);
                let names = &cell.names;
                let record = Record {
                    v: VERSION,
                    cell: cell.key.clone(),
                    pair: pair.pair,
                    game,
                    seats: if game == 0 { names.clone() } else { [names[1].clone(), names[0].clone()] },
                    seed: cell.pair_seed(pair.pair).value(),
                    winner: 1 + random.below(2) as u8,
                    plies: moves.len() as u64,
                    simulations: [1000 * moves.len().div_ceil(2) as u64, 1000 * (moves.len() / 2) as u64],
                    moves: moves.join(" ").into(),
                    lost_on_time: false,
                };
                let ms = [1000.0, 1001.0].map(|ms| ms + f64::from(random.below(1000)) / 1000.0);
                appender.add(&record, ms).unwrap();
            }
        }
    }
    println!("{games} games of {} elements in {folder}", submission.elements);
}
