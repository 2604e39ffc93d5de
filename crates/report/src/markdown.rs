//! The report in Markdown, for pull requests and notes.

use std::fmt::Write;

use crate::data::{Curve, Grid, HeatMap, Matrix, Report, Section, TextTable};
use crate::escape::{markdown as escape, markdown_code as code};
use crate::health;
use crate::numbers::{self, MISSING};
use crate::table::{self, Column, Columns, Kind};

/// Writes the report in Markdown with tables; figures become tables of their numbers.
pub fn to_markdown(report: &Report) -> String {
    let mut out = String::new();
    write_head(&mut out, report);
    for section in &report.sections {
        write_section(&mut out, section);
    }
    let checks = health::checks(&report.health);
    let rows = checks.iter().map(|check| vec![check.name.to_owned(), check.found.clone(), check.word().to_owned()]);
    paragraph(&mut out, "## Health");
    write_table(&mut out, &[("Check", Kind::Text), ("Found", Kind::Text), ("", Kind::Text)], rows);
    if !report.agents.is_empty() {
        paragraph(&mut out, "## Agents");
        for (name, settings) in &report.agents {
            line(&mut out, format_args!("- **{}** {}", escape(name), code(settings)));
        }
        out.push('\n');
    }
    if !report.notes.is_empty() {
        paragraph(&mut out, "## Known deviations");
        for note in &report.notes {
            line(&mut out, format_args!("- {}", escape(note)));
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn write_head(out: &mut String, report: &Report) {
    paragraph(out, &format!("# {}", escape(&report.title)));
    paragraph(out, &escape(&report.about));
    let (games, planned) = report.progress();
    let games = if games < planned {
        format!("{} of {} (unfinished)", numbers::count(games), numbers::count(planned))
    } else {
        numbers::count(games)
    };
    let verdicts: Vec<String> =
        table::tally(report.tally()).into_iter().map(|(verdict, text)| format!("{} {text}", verdict.glyph())).collect();
    for (name, value) in [
        ("Games", games),
        ("Verdicts", verdicts.join(", ")),
        ("Experiment", code(&report.hash)),
        ("Version", escape(&report.version)),
        ("Seed", report.seed.to_string()),
        ("Machine", escape(&report.machine)),
        ("Repeat with", code(&report.command)),
    ] {
        if !value.is_empty() {
            line(out, format_args!("- {name}: {value}"));
        }
    }
    out.push('\n');
}

fn write_section(out: &mut String, section: &Section) {
    paragraph(out, &format!("## {}", escape(&section.title)));
    if let Some(grid) = &section.grid {
        write_grid(out, section, grid);
    }
    if !section.cells.is_empty() {
        let Columns { names, results, details } = table::columns(section);
        write_cells(out, section, &[names.clone(), results].concat());
        paragraph(out, "<details><summary>More numbers</summary>");
        write_cells(out, section, &[names, details].concat());
        paragraph(out, "</details>");
    }
    for curve in &section.curves {
        write_curve(out, curve);
    }
    for table in section.heats.iter().flat_map(HeatMap::tables) {
        write_text_table(out, &table);
    }
    if let Some(matrix) = &section.matrix {
        write_matrix(out, matrix);
    }
    for text in section.texts.iter().filter(|text| !text.rows.is_empty()) {
        write_text_table(out, text);
    }
}

fn write_text_table(out: &mut String, text: &TextTable) {
    paragraph(out, &format!("### {}", escape(&text.title)));
    let escaped = |row: &Vec<String>| row.iter().map(|entry| escape(entry)).collect::<Vec<String>>();
    let head = escaped(&text.rows[0]);
    let kind = |column: usize| if column == 0 { Kind::Text } else { Kind::Number };
    let headings: Vec<(&str, Kind)> =
        head.iter().enumerate().map(|(column, name)| (name.as_str(), kind(column))).collect();
    write_table(out, &headings, text.rows[1..].iter().map(escaped));
}

fn write_cells(out: &mut String, section: &Section, columns: &[&Column]) {
    let headings: Vec<(&str, Kind)> = columns.iter().map(|column| (column.heading, column.kind)).collect();
    let rows = section.cells.iter().map(|cell| {
        let text = |column: &&Column| match (column.kind, column.text(cell)) {
            (_, text) if text == MISSING => text,
            // Inside a table even code must not show a bare bar.
            (Kind::Code, text) => code(&text).replace('|', "\\|"),
            (Kind::Text | Kind::Reference, text) => escape(&text),
            (Kind::Number, text) => text,
        };
        columns.iter().map(text).collect()
    });
    write_table(out, &headings, rows);
}

fn write_grid(out: &mut String, section: &Section, grid: &Grid) {
    let columns: Vec<String> = grid.columns.iter().map(|column| escape(column)).collect();
    let headings = columns.iter().map(|column| (column.as_str(), Kind::Number));
    let headings: Vec<(&str, Kind)> = [("", Kind::Text)].into_iter().chain(headings).collect();
    let row = |(heading, entries): (&str, Vec<String>)| [escape(heading)].into_iter().chain(entries).collect();
    write_table(out, &headings, grid.rows(section, table::entry).map(row));
    paragraph(out, &table::entry_meaning(&section.cells));
}

fn write_curve(out: &mut String, curve: &Curve) {
    paragraph(out, &format!("### {}", escape(&curve.title)));
    let rows = curve.series.iter().flat_map(|series| {
        series.points.iter().map(|point| {
            let label = if series.published { format!("{} (published)", series.label) } else { series.label.clone() };
            let interval = numbers::usable_interval(point.interval).map_or_else(
                || MISSING.to_owned(),
                |(low, high)| format!("[{}, {}]", numbers::significant(low), numbers::significant(high)),
            );
            vec![escape(&label), numbers::significant(point.x), numbers::significant(point.y), interval]
        })
    });
    let (x_label, y_label) = (escape(&curve.x_label), escape(&curve.y_label));
    let headings = [("Series", Kind::Text), (&x_label, Kind::Number), (&y_label, Kind::Number), ("95 %", Kind::Number)];
    write_table(out, &headings, rows);
}

fn write_matrix(out: &mut String, matrix: &Matrix) {
    paragraph(out, &format!("### {}", escape(&matrix.title)));
    paragraph(out, &matrix.relation.sentence());
    let labels: Vec<String> = matrix.labels.iter().map(|label| escape(label)).collect();
    let headings: Vec<(&str, Kind)> =
        [("", Kind::Text)].into_iter().chain(labels.iter().map(|label| (label.as_str(), Kind::Number))).collect();
    let rows = labels.iter().enumerate().map(|(row, label)| {
        let value = |column: usize| matrix.values.get(row).and_then(|values| values.get(column).copied().flatten());
        let values = (0..labels.len()).map(|column| value(column).map_or_else(|| MISSING.to_owned(), numbers::percent));
        [label.clone()].into_iter().chain(values).collect()
    });
    write_table(out, &headings, rows);
}

fn write_table(out: &mut String, headings: &[(&str, Kind)], rows: impl Iterator<Item = Vec<String>>) {
    let names: Vec<&str> = headings.iter().map(|(name, _)| *name).collect();
    let rules: Vec<&str> =
        headings.iter().map(|(_, kind)| if *kind == Kind::Number { "---:" } else { ":---" }).collect();
    line(out, format_args!("| {} |", names.join(" | ")));
    line(out, format_args!("| {} |", rules.join(" | ")));
    for row in rows {
        line(out, format_args!("| {} |", row.join(" | ")));
    }
    out.push('\n');
}

fn paragraph(out: &mut String, text: &str) {
    if !text.trim().is_empty() {
        line(out, format_args!("{}\n", text.trim_end()));
    }
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}
