//! The chapters of the atlas: one for each paper, one for the open questions, and one beyond them.

use super::marks::{self, TABLES, is_papers, rows, text};
use super::parts::Part;
use super::reasons::{self, Reason};
use super::{beyond, findings, parts};
use crate::error::LabError;
use crate::library;
use crate::paper::Paper;
use crate::reduce::name_of;
use crate::report::{self, report_cell};
use crate::store::Contents;
use spinney_report::atlas::{Atlas, Chapter, RunLine};
use spinney_report::{Comparison, Section};

const ABOUT: &str = "Every number that the papers behind spinney print, beside the games that were played here. A number \
agrees if our score is shown to lie within 2 points of the printed interval; it differs if the interval of the difference, the \
printed error included, excludes 0, and then an experiment says why or none has; it is undecided while the games cannot tell. \
Both tests, and the intervals of these tables, may be looked at again and again while games are added, so they are wider than \
those of a fixed number of games. Every number has the command that repeats it.";

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

fn named<'a>(parts: &'a [Part], beginning: &str) -> Vec<&'a Part> {
    parts.iter().filter(|part| part.name.starts_with(beginning)).collect()
}

fn quality(parts: &[Part], reasons: &[Reason]) -> Result<Chapter, LabError> {
    let blocks = marks::of_quality(parts, reasons);
    let own = named(parts, "atlas/table-");
    let mut sentences = findings::of_marks(&blocks);
    sentences.extend(findings::of_undecided(&own));
    sentences.extend(findings::of_rules(&own));
    let sections = TABLES.iter().flat_map(|(table, title, name)| {
        parts.iter().find(|part| part.name == *name).map_or(Vec::new(), |part| forests(part, table, title))
    });
    Ok(Chapter {
        title: format!("Quality-based rewards: {} cells", marks::count(&blocks)),
        about: source(&library::paper("quality-rewards")?),
        findings: sentences,
        sections: sections.collect(),
        blocks,
        guides: Vec::new(),
    })
}

/// A forest plot for each column of a table in which anything was played: published, the engine, the right rules.
fn forests(part: &Part, table: &str, title: &str) -> Vec<Section> {
    let rows = rows("quality-rewards");
    let mut sections: Vec<Section> = Vec::new();
    let mut columns: Vec<String> = Vec::new();
    for row in rows.iter().filter(|row| text(row, "table") == table) {
        let column = marks::column_of(row);
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    for column in columns {
        let mut cells: Vec<Comparison> = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            if text(row, "table") != table || marks::column_of(row) != column {
                continue;
            }
            for (cell, summary, _) in part.cells().filter(|(_, _, of)| *of == Some(number)) {
                let games = summary.games.games();
                if games == 0 {
                    continue;
                }
                let whose = match (is_papers(cell), cell.names[1].as_str()) {
                    (true, "plain") => "engine of 2014",
                    (true, other) => other,
                    _ if cell.game.contains("size=8") && name_of(&cell.game) == "amazons" => "right rules, 8×8",
                    _ => "right rules",
                };
                let mut shown = report_cell(cell, summary, format!("{whose}, {games} games"));
                shown.game = text(row, "game").to_string();
                cells.push(shown);
            }
        }
        if !cells.is_empty() {
            let title = format!("{title}, {}", column.replace("=\n", "= ").replace('\n', ", "));
            sections.push(Section { title, cells, ..Section::default() });
        }
    }
    sections
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
    let sections = named(parts, "atlas/variance-").into_iter().flat_map(figures).collect();
    let findings = findings::of_marks(std::slice::from_ref(&block));
    Ok(Chapter {
        title: format!("Variance reduction: {} claims", block.all().count()),
        about: source(&library::paper("variance-reduction")?),
        findings,
        sections,
        blocks: vec![block],
        guides: Vec::new(),
    })
}

fn contextual(parts: &[Part], reasons: &[Reason]) -> Result<Chapter, LabError> {
    let block = marks::of_contextual(parts, reasons);
    let own = named(parts, "atlas/contextual");
    // A curve says what a row for each of its points would.
    let sections = own.into_iter().flat_map(figures).map(|section| match section.curves.is_empty() {
        true => section,
        false => Section { cells: Vec::new(), ..section },
    });
    Ok(Chapter {
        title: format!("Contextual Monte Carlo: {} points", block.all().count()),
        about: source(&library::paper("contextual")?),
        findings: findings::of_marks(std::slice::from_ref(&block)),
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
    let own: Vec<&Part> = named(parts, &format!("{}why-", parts::FOLDER));
    let mut sentences = Vec::new();
    for part in &own {
        sentences.extend(match part.name {
            "atlas/why-chinese-checkers" => findings::of_candidates(
                part,
                "chinese-checkers(variant=engine2014)",
                "both-0.25",
                part.plan.cells.iter().filter_map(|cell| cell.simulations).max(),
                &[60.0, 70.0],
            ),
            "atlas/why-contextual" => findings::of_readings(part, 57.0),
            "atlas/why-quality-reward" => findings::of_readings(part, 35.4),
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
        sections: own.into_iter().flat_map(asked).collect(),
        blocks: Vec::new(),
        guides: Vec::new(),
    }
}
