//! The chapters of the atlas: one for each paper, one for the open questions, and one beyond them.

use super::kinds::{Board, PartKind, QualityRow, Role, Table};
use super::marks;
use super::parts::{Known, Part};
use super::reasons::{self, Reason};
use super::{beyond, findings};
use crate::error::LabError;
use crate::library;
use crate::paper::Paper;
use crate::report::{self, report_cell};
use crate::store::Contents;
use spinney_report::atlas::{Atlas, Chapter, RunLine};
use spinney_report::{Comparison, Section};

const ABOUT: &str = "Every number that the papers behind spinney print, beside the games that were played here. A \
number agrees if our score is shown to lie within 2 points of the printed interval; it differs if the interval of \
the difference, the printed error included, excludes 0, and then an experiment says why or none has; it is undecided \
while the games cannot tell. What a paper says in words has a rule of its own, which stands beside it. Both tests, \
and the intervals of these tables, may be looked at again and again while games are added, so they are wider than \
those of a fixed number of games. \
Each number is judged by itself at 95 %: of a hundred that are right up to five may be said to differ. Every number \
has the command that repeats it.";

const ENGINE: &str = "Engine of 2014: the rules and the search as the program behind the paper had them, with what deviates from the \
rules of the games and from the paper's text (variant=engine2014). Right rules: the games as their rules are printed, and the \
search without those deviations. docs/control-variates.md tells them one by one.";

/// Puts it together.
pub(super) fn atlas(parts: &[Part], runs: Vec<RunLine>, command: String) -> Result<Atlas, LabError> {
    let reasons = reasons::all()?;
    Ok(Atlas {
        title: "Atlas of the published numbers".to_string(),
        about: ABOUT.to_string(),
        chapters: vec![
            quality(parts, &reasons)?,
            variance(parts, &reasons)?,
            contextual(parts, &reasons)?,
            questions(parts),
            beyond::chapter(parts),
        ],
        runs,
        command,
    })
}

fn source(paper: &Paper) -> String {
    let source = &paper.source;
    format!("{}: {}. {} {}.", source.authors.join(", "), source.title, source.venue, source.year)
}

/// The conditions of experiments, each once.
fn notes(parts: &[&Part]) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for note in parts.iter().flat_map(|part| &part.plan.notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    notes
}

fn of_kind(parts: &[Part], is_wanted: impl Fn(PartKind) -> bool) -> Vec<&Part> {
    parts.iter().filter(|part| is_wanted(part.kind)).collect()
}

fn quality(parts: &[Part], reasons: &[Reason]) -> Result<Chapter, LabError> {
    let blocks = marks::of_quality(parts, reasons)?;
    let rows = marks::quality_rows()?;
    let own = of_kind(parts, |kind| matches!(kind, PartKind::Table(_)));
    let mut sentences = findings::of_marks(&blocks);
    sentences.extend(findings::of_undecided(&own));
    sentences.extend(findings::of_left(&own));
    sentences.extend(findings::of_rules(&own));
    let sections = Table::ALL.into_iter().flat_map(|table| {
        let part = parts.iter().find(|part| part.kind == PartKind::Table(table));
        part.map_or(Vec::new(), |part| forests(part, table, &rows))
    });
    let mut conditions = vec![ENGINE.to_string()];
    conditions.extend(notes(&own));
    Ok(Chapter {
        title: format!("Quality-based rewards: {} cells", marks::count(&blocks)),
        about: source(&library::paper("quality-rewards")?),
        findings: sentences,
        notes: conditions,
        sections: sections.collect(),
        blocks,
        guides: Vec::new(),
    })
}

/// A forest plot for each column of a table in which anything was played: published, the engine, the right rules.
fn forests(part: &Part, table: Table, rows: &[QualityRow]) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let rows = rows.iter().filter(|row| row.table == table);
    let mut columns: Vec<String> = Vec::new();
    for column in rows.clone().map(QualityRow::column) {
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    for column in columns {
        let mut cells: Vec<Comparison> = Vec::new();
        for row in rows.clone().filter(|row| row.column() == column) {
            let own = part.cells().filter(|known| known.row == Some(row.number) && known.games() > 0);
            cells.extend(own.map(|known| {
                let label = format!("{}, {} games", whose(table, known), known.games());
                Comparison { game: row.game.to_string(), ..report_cell(known.cell, known.summary, label) }
            }));
        }
        if !cells.is_empty() {
            let title = format!("{}, {}", table.title(), column.replace("=\n", "= ").replace('\n', ", "));
            sections.push(Section { title, cells, ..Section::default() });
        }
    }
    sections
}

/// Whose rules and search a cell of a table has.
fn whose(table: Table, known: Known<'_>) -> &'static str {
    match known.role {
        Role::Right(Board::Engines) => "right rules, 8×8",
        Role::Right(Board::Printed) => "right rules, 10×10",
        Role::Right(Board::Only) => "right rules",
        _ if table == Table::Ggp => "cadiaplayer",
        _ => "engine of 2014",
    }
}

/// The sections of a part's report that have something to show.
fn figures(part: &Part) -> Vec<Section> {
    if part.games() == 0 {
        return Vec::new();
    }
    let played = Contents {
        games: part.contents.games.clone(),
        portions: part.contents.portions.clone(),
        ..Contents::default()
    };
    let sections = report::report(&part.plan, &played, None, String::new(), String::new()).sections;
    let with_games = sections.into_iter().map(|mut section| {
        section.cells.retain(|cell| cell.games > 0);
        for cell in &mut section.cells {
            cell.label = format!("{}, {} games", cell.label, cell.games);
        }
        section.curves.retain(|curve| curve.series.iter().any(|series| !series.points.is_empty() && !series.published));
        section
    });
    with_games.filter(|section| !section.cells.is_empty() || !section.curves.is_empty()).collect()
}

fn variance(parts: &[Part], reasons: &[Reason]) -> Result<Chapter, LabError> {
    let block = marks::of_variance(parts, reasons)?;
    let own = of_kind(parts, |kind| kind == PartKind::Variance);
    let conditions = notes(&own);
    let sections = own.into_iter().flat_map(figures).collect();
    let findings = findings::of_marks(std::slice::from_ref(&block));
    Ok(Chapter {
        title: format!("Variance reduction: {} claims", block.all().count()),
        about: source(&library::paper("variance-reduction")?),
        findings,
        notes: conditions,
        sections,
        blocks: vec![block],
        guides: Vec::new(),
    })
}

fn contextual(parts: &[Part], reasons: &[Reason]) -> Result<Chapter, LabError> {
    let block = marks::of_contextual(parts, reasons);
    let own = of_kind(parts, |kind| kind == PartKind::Contextual);
    let conditions = notes(&own);
    // A curve says what a row for each of its points would.
    let sections = own.into_iter().flat_map(figures).map(|section| match section.curves.is_empty() {
        true => section,
        false => Section { cells: Vec::new(), ..section },
    });
    Ok(Chapter {
        title: format!("Contextual Monte Carlo: {} points", block.all().count()),
        about: source(&library::paper("contextual")?),
        findings: findings::of_marks(std::slice::from_ref(&block)),
        notes: conditions,
        sections: sections.collect(),
        blocks: vec![block],
        guides: Vec::new(),
    })
}

/// The figures of a question, under its name.
fn asked(part: &Part) -> Vec<Section> {
    let named = |section: Section| Section { title: format!("{}: {}", part.plan.title, section.title), ..section };
    figures(part).into_iter().map(named).collect()
}

/// The open questions, each with the experiment that answers it.
fn questions(parts: &[Part]) -> Chapter {
    let own = of_kind(parts, PartKind::is_question);
    let mut sentences = Vec::new();
    for part in &own {
        sentences.extend(match part.kind {
            PartKind::Misprint => findings::of_candidates(
                part,
                "chinese-checkers(variant=engine2014)",
                "both-0.25",
                part.plan.cells.iter().filter_map(|cell| cell.simulations).max(),
                &[60.0, 70.0],
            ),
            PartKind::Readings(score) => findings::of_readings(part, score),
            _ => findings::of_ablation(part),
        });
        if part.games() == 0 {
            sentences.push(format!("{}: not yet played (spinney lab run {}).", part.plan.title, part.name));
        }
    }
    Chapter {
        title: "Why: the open questions".to_string(),
        about: "A sentence about a cause needs an interval that excludes the other answer, corrected for how many answers were \
                tried."
            .to_string(),
        findings: sentences,
        notes: notes(&own),
        sections: own.into_iter().flat_map(asked).collect(),
        blocks: Vec::new(),
        guides: Vec::new(),
    }
}
