//! From a run to the data of its report.

use crate::experiment::{Layout, WITH};
use crate::figures;
use crate::plan::{Cell, Plan};
use crate::reduce::name_of;
use crate::referee::State;
use crate::store::{Contents, GameId, Store};
use crate::summary::{Basis, CellSummary, samples, summarise};
use crate::surface;
use crate::verify::Verification;
use spinney_report::{
    Agreement, Comparison, Course, Curve, Grid, Health, IntervalKind, Literature, Matrix, Point, Relation, Report,
    Section, Series,
};
use spinney_stats::{MOST_MORE_GAMES, Verdict};
use std::path::Path;

/// The report of a run as it is on disk. `command` repeats it; without one, the command that goes on with its folder does.
pub fn of_store(store: &Store, contents: &Contents, command: Option<String>) -> Report {
    // The file alone does not know of games that were added after looking; the folder does.
    let is_grown = store.plan.cells.iter().any(|cell| cell.looked.is_some());
    let command = command.filter(|_| !is_grown).unwrap_or_else(|| match is_grown {
        true => format!("spinney lab run {} --out {0}-again", store.folder.display()),
        false => run_again(&store.folder),
    });
    let mut report = report(&store.plan, contents, Verification::read(store).as_ref(), command, machine());
    report.version = match store.program() {
        Ok(Some(program)) => program.words(),
        // The page is of games; what cannot be read here is told by who adds some.
        _ => store.version.clone(),
    };
    report
}

/// The command that goes on with the run in a folder.
pub fn run_again(folder: &Path) -> String {
    format!("spinney lab run {} --out {}", folder.join("experiment.toml").display(), folder.display())
}

/// What `machine` says in a report: enough to judge times, nothing that names the machine.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("{} {}, {cores} cores", std::env::consts::OS, std::env::consts::ARCH)
}

/// The data of a report. `command` repeats the run, `machine` says where it ran.
pub fn report(
    plan: &Plan,
    contents: &Contents,
    verification: Option<&Verification>,
    command: String,
    machine: String,
) -> Report {
    let summaries = summarise(plan, contents);
    let samples = samples(plan, contents);
    let sections = plan
        .sections
        .iter()
        .enumerate()
        .map(|(index, one)| {
            let mut section = section(plan, index, one, &summaries);
            let (curves, texts) = figures::of_section(plan, index, &samples);
            section.curves.extend(curves);
            section.texts.extend(texts);
            section
        })
        .filter(|section| !section.cells.is_empty() || !section.texts.is_empty())
        .collect();
    Report {
        title: plan.title.clone(),
        about: plan.about.clone(),
        hash: plan.hash.clone(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        seed: plan.seed,
        command,
        machine,
        sections,
        health: health(plan, contents, verification),
        agents: plan.agents.clone(),
        notes: plan.notes.clone(),
        repetitions: (
            samples.iter().map(|sample| sample.count).sum(),
            plan.measurements.iter().map(|one| one.repetitions).sum(),
        ),
    }
}

fn section(plan: &Plan, index: usize, planned: &crate::plan::Section, summaries: &[CellSummary]) -> Section {
    let own: Vec<(&Cell, &CellSummary)> =
        plan.cells.iter().zip(summaries).filter(|(cell, _)| cell.section == index).collect();
    let is_table = planned.layout == Layout::Table;
    let is_grid = own.iter().any(|(cell, _)| surface::is_point(cell));
    let surface::Figures { curves, heats, texts } = surface::figures(&own);
    Section {
        title: planned.title.clone(),
        cells: own
            .iter()
            .map(|(cell, summary)| {
                // A budget that all share is in the table and need not be in every label.
                let label = if own.iter().all(|(other, _)| other.budget == cell.budget) {
                    format!("{} – {}", cell.names[0], cell.names[1])
                } else {
                    cell.label_without_game()
                };
                report_cell(cell, summary, label)
            })
            .collect(),
        // Two budgets of many games make a tangle of a curve; the table says it better.
        curves: match &planned.x_label {
            Some(label) => curve_over(&planned.title, label, &own).into_iter().collect(),
            None if is_grid => curves,
            None if is_table => Vec::new(),
            None => curve(&own).into_iter().collect(),
        },
        matrix: match planned.layout {
            Layout::Ablation => ablation(&own),
            _ if planned.x_label.is_some() || is_grid => None,
            _ => matrix(&own),
        },
        grid: is_table.then(|| grid(&own)),
        heats,
        texts,
    }
}

/// Games as rows, agents and budgets as columns, in the order in which they come.
fn grid(cells: &[(&Cell, &CellSummary)]) -> Grid {
    let mut grid = Grid::default();
    for (index, (cell, _)) in cells.iter().enumerate() {
        let is_other =
            |other: &Cell| name_of(&other.written_game) == name_of(&cell.written_game) && other.game != cell.game;
        // The options of a game are told only where they make a difference.
        let is_told = cells.iter().any(|(other, _)| is_other(other));
        let row = if is_told { cell.written_game.as_str() } else { name_of(&cell.written_game) };
        grid.put(row, &format!("{} · {}", cell.names[0], cell.limit.words(&cell.budget)), index);
    }
    grid
}

/// How the number of games of a cell came about, where it was not fixed beforehand.
pub fn course(cell: &Cell, summary: &CellSummary) -> Option<Course> {
    let games = |pairs: u64| 2 * pairs;
    if let Some(looked) = cell.looked {
        let short = format!("more after {}", games(looked));
        let words = format!("games were added after looking at {}, so the interval is the anytime one", games(looked));
        return Some(Course { short, words });
    }
    let (stop, course) = (cell.stop.as_ref()?, summary.course?);
    let most = games(cell.pairs);
    let (short, mut words) = match (course.state, course.end) {
        (State::Decided(conclusion), Some(end)) => {
            let said = stop.conclusion(conclusion);
            let when = if end < cell.pairs { "early" } else { "decided" };
            let words = format!("stopped after {} of at most {most} games: {said} ({})", games(end), stop.errors());
            (format!("{when}: {said}"), words)
        }
        (State::Largest, _) => {
            ("undecided".to_string(), format!("undecided after the largest number of games, {most}: {}", stop.words()))
        }
        _ => ("open".to_string(), format!("at most {most} games: {}", stop.words())),
    };
    if course.beyond > 0 {
        words += &format!("; {} games played beyond are not counted", course.beyond);
    }
    Some(Course { short, words })
}

pub(crate) fn report_cell(cell: &Cell, summary: &CellSummary, label: String) -> Comparison {
    let ends = |interval: spinney_stats::Interval| (interval.low, interval.high);
    Comparison {
        label,
        game: cell.written_game.clone(),
        a: cell.names[0].clone(),
        b: cell.names[1].clone(),
        budget: cell.budget.clone(),
        games: summary.games.games(),
        planned_games: match summary.course.and_then(|course| course.end) {
            Some(end) => 2 * end,
            None => 2 * cell.pairs,
        },
        course: course(cell, summary),
        wins: summary.games.wins,
        draws: summary.games.draws,
        losses: summary.games.losses,
        score: summary.score,
        interval: summary.interval.map(ends),
        interval_kind: match summary.basis {
            Basis::Paired => IntervalKind::Paired,
            Basis::FixedWidth => IntervalKind::FixedWidth,
            Basis::Anytime => IntervalKind::Anytime,
        },
        papers_interval: summary.papers_interval.map(ends),
        elo: summary.elo.map(|(estimate, interval)| (estimate, interval.low, interval.high)),
        pairs: summary.pairs.counts,
        score_first: summary.seats[0],
        score_second: summary.seats[1],
        plies: summary.plies,
        simulations_per_move: summary.simulations_per_move,
        milliseconds_per_move: summary.milliseconds_per_move,
        published: cell.published.as_ref().map(|published| Literature {
            score: published.score,
            margin: published.margin,
            games: published.games,
            source: published.source.clone(),
        }),
        verdict: summary.verdict.as_ref().map(|verdict| match verdict {
            Verdict::Agrees => Agreement::Agrees,
            Verdict::Differs => Agreement::Differs,
            Verdict::Undecided { more_games } => {
                let is_known = *more_games < MOST_MORE_GAMES;
                Agreement::Undecided { more_games: if is_known { *more_games } else { 0 } }
            }
        }),
        significant: summary.significant,
    }
}

/// Score over simulations, where a section has several budgets.
fn curve(cells: &[(&Cell, &CellSummary)]) -> Option<Curve> {
    let mut series: Vec<Series> = Vec::new();
    for (cell, summary) in cells.iter().filter(|(_, summary)| summary.games.games() > 0) {
        let x = cell.simulations? as f64;
        let label = format!("{} · {} – {}", cell.written_game, cell.names[0], cell.names[1]);
        let interval = summary.interval.map(|interval| (100.0 * interval.low, 100.0 * interval.high));
        let point = Point { x, y: 100.0 * summary.score, interval };
        match series.iter_mut().find(|one| one.label == label) {
            Some(one) => one.points.push(point),
            None => series.push(Series { label, points: vec![point], published: false }),
        }
    }
    series.iter().any(|one| one.points.len() > 1).then(|| Curve {
        title: "Score over simulations per move".to_string(),
        x_label: "simulations per move".to_string(),
        y_label: "score of A, %".to_string(),
        x_logarithmic: true,
        series,
        reference: Some(50.0),
    })
}

/// Score over the number in which the agents differ, with the published points.
fn curve_over(title: &str, label: &str, cells: &[(&Cell, &CellSummary)]) -> Option<Curve> {
    let mut series: Vec<Series> = Vec::new();
    let mut published = Series { label: "published".to_string(), points: Vec::new(), published: true };
    for (cell, summary) in cells {
        let Some(x) = cell.x else { continue };
        if let Some(theirs) = &cell.published {
            let interval =
                theirs.margin.map(|margin| (100.0 * (theirs.score - margin), 100.0 * (theirs.score + margin)));
            let point = Point { x, y: 100.0 * theirs.score, interval };
            if !published.points.contains(&point) {
                published.points.push(point);
            }
        }
        if summary.games.games() == 0 {
            continue;
        }
        let label = format!("{} · against {}", cell.written_game, cell.names[1]);
        let interval = summary.interval.map(|interval| (100.0 * interval.low, 100.0 * interval.high));
        let point = Point { x, y: 100.0 * summary.score, interval };
        match series.iter_mut().find(|one| one.label == label) {
            Some(one) => one.points.push(point),
            None => series.push(Series { label, points: vec![point], published: false }),
        }
    }
    if series.is_empty() {
        return None;
    }
    series.extend((!published.points.is_empty()).then_some(published));
    Some(Curve {
        title: title.to_string(),
        x_label: label.to_string(),
        y_label: "score of A, %".to_string(),
        x_logarithmic: false,
        series,
        reference: Some(50.0),
    })
}

/// Every component alone and with every other one.
fn ablation(cells: &[(&Cell, &CellSummary)]) -> Option<Matrix> {
    let parts = |cell: &Cell| -> Vec<String> { cell.names[0].split(WITH).map(str::to_string).collect() };
    let alone = cells.iter().map(|(cell, _)| parts(cell)).filter(|parts| parts.len() == 1);
    let labels: Vec<String> = alone.flatten().collect();
    let place = |name: &String| labels.iter().position(|label| label == name);
    let mut values = vec![vec![None; labels.len()]; labels.len()];
    for (cell, summary) in cells.iter().filter(|(_, summary)| summary.games.games() > 0) {
        let parts = parts(cell);
        if let (Some(a), Some(b)) = (parts.first().and_then(place), parts.last().and_then(place)) {
            values[a][b] = Some(summary.score);
            values[b][a] = Some(summary.score);
        }
    }
    let first = cells.first()?.0;
    let title = format!("{}: against {}", first.game, first.names[1]);
    Some(Matrix { title, relation: Relation::With, labels, values })
}

/// Everybody against everybody, where a section has several agents on both sides of one game.
fn matrix(cells: &[(&Cell, &CellSummary)]) -> Option<Matrix> {
    let first = cells.first()?.0;
    if cells.iter().any(|(cell, _)| cell.game != first.game || cell.budget != first.budget) {
        return None;
    }
    let mut labels: Vec<String> = Vec::new();
    for name in cells.iter().flat_map(|(cell, _)| &cell.names) {
        if !labels.contains(name) {
            labels.push(name.clone());
        }
    }
    if labels.len() < 3 {
        return None;
    }
    let place = |name: &String| labels.iter().position(|label| label == name);
    let mut values = vec![vec![None; labels.len()]; labels.len()];
    for (cell, summary) in cells.iter().filter(|(_, summary)| summary.games.games() > 0) {
        if let (Some(a), Some(b)) = (place(&cell.names[0]), place(&cell.names[1])) {
            values[a][b] = Some(summary.score);
            values[b][a] = Some(1.0 - summary.score);
        }
    }
    let title = format!("{}: score of the row against the column", first.game);
    Some(Matrix { title, relation: Relation::Against, labels, values })
}

fn health(plan: &Plan, contents: &Contents, verification: Option<&Verification>) -> Health {
    let games = contents.games.len() as u64;
    // A run of measurements has no seats that could be out of balance.
    let no_seats = if plan.cells.is_empty() { f64::NAN } else { 0.5 };
    let first: f64 = contents.games.values().map(|record| [0.5, 1.0, 0.0][usize::from(record.winner.min(2))]).sum();
    Health {
        games: contents.count(),
        duplicates: contents.duplicates,
        damaged: contents.faults.len() as u64,
        timeouts: timeouts(plan, contents),
        verified: verification.map(|found| (found.replayed, found.identical)),
        seat_balance: if games == 0 { no_seats } else { first / games as f64 },
    }
}

/// Games in which a side limited by wall time took on average a tenth more than it had, and those that were lost on time.
fn timeouts(plan: &Plan, contents: &Contents) -> u64 {
    let late = |(id, ms): (&GameId, &[f64; 2])| {
        let allowed = plan.cells[id.0].move_time.map(|time| 1.1e3 * time.as_secs_f64())?;
        let plies = contents.games.get(id)?.plies.saturating_sub(u64::from(plan.cells[id.0].opening));
        let moves = [plies.div_ceil(2), plies / 2];
        (0..2).any(|seat| ms[seat] > allowed * moves[seat] as f64).then_some(())
    };
    let lost = contents.games.values().filter(|record| record.lost_on_time).count();
    (contents.times.iter().filter_map(late).count() + lost) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;

    const TEXT: &str = r#"title = "Tables"
[agents.a]
[agents.b]
c = 2
[[match]]
title = "As printed"
games = ["cannon(variant=engine2014)", "amazons(size=8)", "amazons"]
a = ["a"]
b = ["b"]
budgets = [{ published_seconds = 1 }]
layout = "table"
[[match]]
title = "As printed"
games = ["cannon(variant=engine2014)"]
a = ["a"]
b = ["b"]
budgets = [{ simulations = 10 }]
"#;

    #[test]
    fn a_section_can_be_a_table_of_games_and_agents() {
        let plan = Plan::new(&Experiment::read("test", TEXT).unwrap()).unwrap();
        let contents = Contents::default();
        let report = report(&plan, &contents, None, String::new(), String::new());
        let grid = report.sections[0].grid.as_ref().unwrap();
        assert_eq!(grid.rows, ["cannon", "amazons(size=8)", "amazons"]);
        assert_eq!(grid.columns, ["a · 1 s", "a · 10 simulations"]);
        assert_eq!(grid.cells, [vec![Some(0), Some(3)], vec![Some(1), None], vec![Some(2), None]]);
    }
}
