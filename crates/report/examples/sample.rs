//! A sample page with invented numbers: `cargo run --example sample > sample.html`, or with `terminal` or `markdown`.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use spinney_report::{
    Agreement, Comparison, Curve, Health, Literature, Matrix, Point, Report, Section, Series, to_html, to_markdown,
    to_terminal,
};

fn main() {
    let report = sample();
    match std::env::args().nth(1).as_deref() {
        Some("terminal") => print!("{}", to_terminal(&report, 100)),
        Some("markdown") => print!("{}", to_markdown(&report)),
        _ => print!("{}", to_html(&report)),
    }
}

const GAMES: [&str; 6] = ["Amazons", "Breakthrough", "Cannon", "Checkers", "Chinese Checkers", "Pentalath"];
const VARIANTS: [(&str, &str); 3] = [
    ("relative bonus", "mcts(sims=25000, shape=relative(k=8))"),
    ("qualitative bonus", "mcts(sims=25000, shape=qualitative(k=2))"),
    ("both bonuses", "mcts(sims=25000, shape=relative(k=8)+qualitative(k=2))"),
];
const BASE: &str = "mcts(sims=25000)";

fn sample() -> Report {
    let cells = GAMES
        .iter()
        .enumerate()
        .flat_map(|(game, _)| VARIANTS.iter().enumerate().map(move |(variant, _)| cell(game, variant)))
        .collect();
    Report {
        title: "Sample report: quality-based rewards".to_owned(),
        about: "A sample with invented numbers from a fixed formula, to show what a report looks like. Does adding a \
                bonus for short and clear playouts to the reward make the search stronger than plain UCT?"
            .to_owned(),
        hash: "9f3a61c0d27be845".to_owned(),
        version: "spinney 0.1.0".to_owned(),
        seed: 20_261_115,
        command: "spinney run experiments/quality.toml --seed 20261115".to_owned(),
        machine: "2 cores, x86-64, Linux".to_owned(),
        sections: vec![
            Section { title: "Bonuses against plain UCT".to_owned(), cells, ..Section::default() },
            Section {
                title: "Budget and parameter".to_owned(),
                curves: vec![budget_curve(), parameter_curve()],
                ..Section::default()
            },
            Section { title: "Everyone against everyone".to_owned(), matrix: Some(matrix()), ..Section::default() },
        ],
        health: Health {
            games: 34_400,
            duplicates: 3,
            damaged: 0,
            timeouts: 0,
            verified: Some((344, 344)),
            seat_balance: 0.537,
        },
        agents: [("uct", BASE)]
            .into_iter()
            .chain(VARIANTS)
            .map(|(name, settings)| (name.to_owned(), settings.to_owned()))
            .collect(),
        repetitions: (0, 0),
        notes: vec![
            "The paper allows one second per move; here both sides have 25 000 simulations.".to_owned(),
            "Playouts are uniform; the paper uses a heuristic playout in Cannon.".to_owned(),
        ],
    }
}

/// A number between −1 and 1 that looks irregular and is always the same.
fn wobble(index: usize) -> f64 {
    (index as f64 * 2.399_963).sin()
}

fn cell(game: usize, variant: usize) -> Comparison {
    let index = game * VARIANTS.len() + variant;
    let base = Comparison {
        label: VARIANTS[variant].0.to_owned(),
        game: GAMES[game].to_owned(),
        a: VARIANTS[variant].1.to_owned(),
        b: BASE.to_owned(),
        budget: "25 000 simulations".to_owned(),
        planned_games: 2000,
        ..Comparison::default()
    };
    let published = 0.54 + 0.05 * wobble(index + 1);
    let published = Literature {
        score: published,
        margin: (game != 3).then_some(0.022),
        games: Some(2000),
        source: "sample paper, table 2".to_owned(),
    };
    if index == 17 {
        return Comparison { published: Some(published), ..base };
    }
    let games = if game == 4 { 800 } else { 2000 };
    let score = published.score + 0.022 * wobble(3 * index);
    let draws = if game == 3 { games / 4 } else { 0 };
    let wins = (score * games as f64 - draws as f64 / 2.0).round() as u64;
    let score = (wins as f64 + draws as f64 / 2.0) / games as f64;
    let half = 0.88 / (games as f64).sqrt();
    let papers_half = 0.98 / (games as f64).sqrt();
    let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
    let pair = |share: f64| (share * games as f64 / 2.0).round() as u64;
    let verdict = match (score - published.score).abs() {
        gap if gap > 0.0205 => Agreement::Differs,
        gap if gap > 0.016 || games < 2000 => Agreement::Undecided { more_games: 1200 + 100 * index as u64 },
        _ => Agreement::Agrees,
    };
    Comparison {
        games,
        wins,
        draws,
        losses: games - wins - draws,
        score,
        interval: Some((score - half, score + half)),
        papers_interval: Some((score - papers_half, score + papers_half)),
        elo: Some((elo(score), elo(score - half), elo(score + half))),
        pairs: [pair(score * 0.3), pair(0.01), pair(0.45), pair(0.02), pair(score * 0.4)],
        score_first: score + 0.04,
        score_second: score - 0.04,
        plies: 40.0 + 7.3 * game as f64,
        simulations_per_move: [25_000.0, 25_000.0],
        milliseconds_per_move: [53.0 + wobble(index), 52.1],
        published: Some(published),
        verdict: Some(verdict),
        significant: score - half > 0.505,
        ..base
    }
}

fn budget_curve() -> Curve {
    let budgets = [250.0, 500.0, 1000.0, 2500.0, 5000.0, 10_000.0, 25_000.0, 50_000.0, 100_000.0];
    let series = |label: &str, strength: f64, shift: usize| Series {
        label: label.to_owned(),
        points: budgets
            .iter()
            .enumerate()
            .map(|(index, &x)| {
                let y = 50.0 + strength * (f64::from(index as u32) / 8.0).sqrt() + 0.8 * wobble(index + shift);
                Point { x, y, interval: Some((y - 2.0, y + 2.0)) }
            })
            .collect(),
        published: false,
    };
    let published = [1000.0, 10_000.0, 100_000.0].into_iter().enumerate().map(|(index, x)| {
        let y = 53.0 + 2.6 * index as f64;
        Point { x, y, interval: Some((y - 1.6, y + 1.6)) }
    });
    Curve {
        title: "Breakthrough: score against plain UCT by budget".to_owned(),
        x_label: "simulations per move".to_owned(),
        y_label: "score, %".to_owned(),
        x_logarithmic: true,
        series: vec![
            series("relative bonus", 9.0, 0),
            series("qualitative bonus", 5.0, 4),
            series("both bonuses", 10.0, 9),
            Series { label: "relative bonus".to_owned(), points: published.collect(), published: true },
        ],
        reference: Some(50.0),
    }
}

fn parameter_curve() -> Curve {
    let points = (0..=10).map(|index| {
        let x = 0.2 * f64::from(index);
        let y = 0.31 + 0.05 * (x - 0.8).powi(2) + 0.004 * wobble(index as usize);
        Point { x, y, interval: Some((y - 0.012, y + 0.012)) }
    });
    Curve {
        title: "Cannon: error of the root value by exploration".to_owned(),
        x_label: "exploration constant".to_owned(),
        y_label: "mean absolute error".to_owned(),
        series: vec![Series { label: "uct".to_owned(), points: points.collect(), published: false }],
        ..Curve::default()
    }
}

fn matrix() -> Matrix {
    let labels = ["uct", "relative bonus", "qualitative bonus", "both bonuses", "mast", "flat"];
    let strength = [0.0, 0.25, 0.1, 0.3, 0.2, -0.9];
    let value =
        |row: usize, column: usize| (row != column).then(|| 1.0 / (1.0 + f64::exp(strength[column] - strength[row])));
    Matrix {
        relation: spinney_report::Relation::Against,
        title: "Breakthrough, 25 000 simulations".to_owned(),
        labels: labels.map(str::to_owned).to_vec(),
        values: (0..6).map(|row| (0..6).map(|column| value(row, column)).collect()).collect(),
    }
}
