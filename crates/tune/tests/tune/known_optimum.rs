//! Tuning without games: win rates with a known optimum, drawn as games are.

use spinney_core::{Random, Seed};
use spinney_tune::batch;
use spinney_tune::model::Model;
use spinney_tune::regression::Observation;
use spinney_tune::space::{Parameter, Range, Setting, Space};

/// Of 4,000 games a quarter is held back for the check, as in a tuning with games.
const PAIRS: u64 = 1500;

fn space(ranges: Vec<(&str, Range)>) -> Space {
    let named = |(name, range): (&str, Range)| Parameter { name: name.to_string(), range };
    Space::new(ranges.into_iter().map(named).collect()).unwrap()
}

fn number(from: f64, to: f64, is_logarithmic: bool) -> Range {
    Range::Number { from, to, is_logarithmic }
}

fn words(words: &[&str]) -> Range {
    Range::Words(words.iter().map(|word| word.to_string()).collect())
}

/// Tunes with so many pairs of games whose winners are drawn with the true score; returns what is thought best.
fn tune(space: &Space, pairs: u64, seed: u64, score: &dyn Fn(&Setting) -> f64) -> Setting {
    let seed = Seed::new(seed);
    let mut observations: Vec<Observation> = Vec::new();
    for batch in batch::batches(batch::USUAL, pairs) {
        let model = Model::new(space, &observations);
        for number in 0..batch.size {
            let setting = model.propose(batch::seed(seed, batch.number, number));
            let mut luck = Random::new(seed.named("game").child(batch.number).child(number));
            let score = score(&setting) as f32;
            let points = (0..2).map(|_| f64::from(u8::from(luck.chance(score)))).sum();
            observations.push(Observation { setting, points, games: 2.0 });
        }
    }
    assert_eq!(observations.len() as u64, pairs);
    Model::new(space, &observations).best()
}

/// The acceptance line: a quadratic peak of 65 % over three parameters, where half a range beside the optimum costs 20
/// points, from 4,000 games: every parameter within 10 % of its range in at least 9 of 10 seeds.
#[test]
fn a_quadratic_peak_of_three_parameters_is_found() {
    let space =
        space(vec![("c", number(0.0, 2.0, false)), ("e", number(-1.0, 1.0, false)), ("k", number(0.1, 10.0, true))]);
    let optimum = [0.65, 0.5, 0.3];
    let score = |setting: &Setting| {
        let places = space.places(setting);
        let loss: f64 = places.iter().zip(optimum).map(|(place, best)| (place - best) * (place - best)).sum();
        (0.65 - 0.8 * loss).max(0.02)
    };
    let mut found = 0;
    for seed in 1..=10 {
        let best = space.places(&tune(&space, PAIRS, seed, &score));
        let worst = best.iter().zip(optimum).map(|(place, best)| (place - best).abs()).fold(0.0, f64::max);
        found += u32::from(worst <= 0.1);
    }
    assert!(found >= 9, "{found} of 10 seeds");
}

/// A peak that is not quadratic, beside a border, half as high: the setting found costs less than a point and a half.
#[test]
fn little_is_lost_where_the_model_is_wrong() {
    let space =
        space(vec![("k", number(0.1, 10.0, true)), ("n", Range::Whole { from: 1, to: 40, is_logarithmic: true })]);
    let score = |setting: &Setting| {
        let places = space.places(setting);
        let (k, n) = (places[0] - 0.15, places[1] - 0.7);
        0.4 + 0.18 * (-(k * k + n * n) / 0.12).exp()
    };
    let lost = |seed| 0.58 - score(&tune(&space, 1000, seed, &score));
    let lost: Vec<f64> = (1..=5).map(lost).collect();
    assert!(lost.iter().sum::<f64>() / 5.0 < 0.015, "{lost:?}");
}

/// Words with different levels and different best numbers, and whole numbers.
#[test]
fn the_right_word_and_whole_number_are_found() {
    let space = space(vec![
        ("mode", words(&["off", "some", "all"])),
        ("n", Range::Whole { from: 1, to: 8, is_logarithmic: false }),
    ]);
    let score = |setting: &Setting| {
        let (peak, best) = [(0.48, 2.0), (0.62, 6.0), (0.52, 4.0)][setting.values[0] as usize];
        peak - 0.02 * (setting.values[1] - best) * (setting.values[1] - best)
    };
    let mut found = 0;
    for seed in 1..=10 {
        let best = tune(&space, 600, seed, &score);
        found += u32::from(best.values[0] == 1.0 && (best.values[1] - 6.0).abs() <= 1.0);
    }
    assert!(found >= 9, "{found} of 10 seeds");
}

#[test]
fn what_is_proposed_comes_closer() {
    let space = space(vec![("c", number(0.0, 1.0, false))]);
    let observation = |step: u32| {
        let c = f64::from(step) / 100.0;
        let score = 0.7 - 2.0 * (c - 0.8) * (c - 0.8);
        Observation { setting: Setting { values: vec![c] }, points: 20.0 * score.max(0.0), games: 20.0 }
    };
    let observations: Vec<Observation> = (0..=100).map(observation).collect();
    let model = Model::new(&space, &observations);
    let drawn: Vec<f64> = (0..200).map(|number| model.propose(Seed::new(number)).values[0]).collect();
    let near = drawn.iter().filter(|c| (**c - 0.8).abs() < 0.25).count();
    assert!(near > 190, "{near} of 200");
    assert!(model.effective_games() < 1000.0);
    assert!((model.predict(&model.best()).score - 0.7).abs() < 0.02);
    let first = Model::new(&space, &[]);
    let drawn: Vec<f64> = (0..200).map(|number| first.propose(Seed::new(number)).values[0]).collect();
    assert!(drawn.iter().any(|c| *c < 0.05) && drawn.iter().any(|c| *c > 0.95));
}
