//! The report as one HTML page that needs nothing else: styles, figures and a small script are inside.
//!
//! The page is complete without the script, which only adds sorting and copy buttons.

use std::fmt::Write;

use crate::curve::curve_plot;
use crate::data::{Comparison, Grid, Report, Section};
use crate::escape::xml;
use crate::figures::write_rows;
use crate::forest::forest_plot;
use crate::health;
use crate::heat::heat_plot;
use crate::matrix::matrix_plot;
use crate::numbers::{self, MISSING};
use crate::svg::Width;
use crate::table::{self, Column, Kind};

pub(crate) const STYLE: &str =
    concat!(include_str!("colours.css"), include_str!("page.css"), include_str!("figures.css"));
const SCRIPT: &str = include_str!("page.js");

/// Writes the report as a self-contained HTML page.
pub fn to_html(report: &Report) -> String {
    let mut out = String::with_capacity(64 * 1024);
    let title = if report.title.trim().is_empty() { "Report" } else { report.title.trim() };
    line(
        &mut out,
        format_args!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>",
            xml(title)
        ),
    );
    write_head(&mut out, report, title);
    out.push_str("<main>\n");
    for (index, section) in report.sections.iter().enumerate() {
        write_section(&mut out, section, index);
    }
    write_health(&mut out, report);
    write_agents(&mut out, report);
    write_notes(&mut out, report);
    line(&mut out, format_args!("</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>"));
    out
}

fn write_head(out: &mut String, report: &Report, title: &str) {
    line(out, format_args!("<header>\n<h1>{}</h1>", xml(title)));
    if !report.about.trim().is_empty() {
        line(out, format_args!("<p class=\"about\">{}</p>", xml(report.about.trim())));
    }
    let (games, planned) = report.progress();
    out.push_str("<ul class=\"summary\">\n");
    line(out, format_args!("<li><b>{}</b> games</li>", numbers::count(games)));
    if games < planned {
        line(out, format_args!("<li class=\"look\">unfinished: {} planned</li>", numbers::count(planned)));
    }
    for (verdict, text) in table::tally(report.tally()) {
        line(out, format_args!("<li><span class=\"sign {}\">{}</span> {text}</li>", verdict.class(), verdict.glyph()));
    }
    out.push_str("</ul>\n<dl class=\"facts\">\n");
    for (name, value, is_code) in [
        ("Experiment", &report.hash, true),
        ("Version", &report.version, false),
        ("Seed", &report.seed.to_string(), true),
        ("Machine", &report.machine, false),
    ] {
        let value = if value.trim().is_empty() { MISSING } else { value.trim() };
        let value = if is_code { format!("<code>{}</code>", xml(value)) } else { xml(value) };
        line(out, format_args!("<div><dt>{name}</dt><dd>{value}</dd></div>"));
    }
    out.push_str("</dl>\n");
    if !report.command.trim().is_empty() {
        out.push_str("<p class=\"caption\">Repeat it with</p>\n");
        write_copyable(out, report.command.trim());
    }
    out.push_str("<details><summary>Cite this run</summary>\n");
    write_copyable(out, &citation(report, title));
    out.push_str("</details>\n");
    if report.sections.len() > 1 {
        out.push_str("<nav aria-label=\"Sections\"><ul>\n");
        for (index, section) in report.sections.iter().enumerate() {
            line(
                out,
                format_args!("<li><a href=\"#section-{}\">{}</a></li>", index + 1, section_title(section, index)),
            );
        }
        out.push_str("</ul></nav>\n");
    }
    out.push_str("</header>\n");
}

fn write_copyable(out: &mut String, text: &str) {
    line(out, format_args!("<div class=\"command\"><pre>{}</pre></div>", xml(text)));
}

/// A BibTeX entry; braces would end its fields early.
fn citation(report: &Report, title: &str) -> String {
    let clean = |text: &str| text.replace('{', "(").replace('}', ")");
    let key: String = report.hash.chars().filter(char::is_ascii_alphanumeric).take(12).collect();
    format!(
        "@misc{{spinney-{key},\n  title = {{{}}},\n  note = {{spinney {}, experiment {}, seed {}}}\n}}",
        clean(title),
        clean(report.version.trim()),
        clean(report.hash.trim()),
        report.seed
    )
}

fn section_title(section: &Section, index: usize) -> String {
    if section.title.trim().is_empty() { format!("Section {}", index + 1) } else { xml(section.title.trim()) }
}

fn write_section(out: &mut String, section: &Section, index: usize) {
    let title = section_title(section, index);
    line(out, format_args!("<section id=\"section-{}\">\n<h2>{title}</h2>", index + 1));
    if let Some(grid) = &section.grid {
        write_grid(out, section, grid, &title);
    }
    if !section.cells.is_empty() {
        let plot = |width| forest_plot(section.title.trim(), &section.cells, width);
        write_figure(out, "forest", "", plot);
        write_table(out, section, &title);
    }
    if !section.curves.is_empty() {
        out.push_str("<div class=\"panels\">\n");
        for curve in &section.curves {
            write_figure(out, "curve", &curve.title, |width| curve_plot(curve, width));
        }
        out.push_str("</div>\n");
    }
    for heat in &section.heats {
        write_figure(out, "heat", &heat.title, |width| heat_plot(heat, width));
        line(
            out,
            format_args!(
                "<p class=\"caption\">Score, %, with half the width of its 95 % interval; the best is framed.</p>"
            ),
        );
    }
    if let Some(matrix) = &section.matrix {
        write_figure(out, "matrix", &matrix.title, |width| matrix_plot(matrix, width));
        let meaning = matrix.relation.sentence();
        line(out, format_args!("<p class=\"caption\">{meaning}</p>"));
    }
    for text in section.texts.iter().filter(|text| !text.rows.is_empty()) {
        let title = xml(text.title.trim());
        line(
            out,
            format_args!(
                "<h3>{title}</h3>\n<div class=\"scroll fit\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\">\n<table>"
            ),
        );
        write_rows(out, &text.rows);
        out.push_str("</table>\n</div>\n");
    }
    out.push_str("</section>\n");
}

/// The section as a paper prints it.
fn write_grid(out: &mut String, section: &Section, grid: &Grid, title: &str) {
    line(
        out,
        format_args!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Overview: {title}\">\n\
             <table>\n<caption>{title}</caption>\n<thead><tr><th scope=\"col\" class=\"pin\">Game</th>"
        ),
    );
    for column in &grid.columns {
        line(out, format_args!("<th scope=\"col\" class=\"n\">{}</th>", xml(column)));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (heading, entries) in grid.rows(section, table::entry) {
        let _ = write!(out, "<tr><th scope=\"row\" class=\"pin\"><span>{}</span></th>", xml(heading));
        for entry in entries {
            let _ = write!(out, "<td class=\"n\">{}</td>", xml(&entry));
        }
        out.push_str("</tr>\n");
    }
    line(
        out,
        format_args!("</tbody>\n</table>\n</div>\n<p class=\"caption\">{}</p>", table::entry_meaning(&section.cells)),
    );
}

/// Both layouts of a figure; the style sheet shows one of them.
fn write_figure(out: &mut String, class: &str, title: &str, plot: impl Fn(Width) -> String) {
    line(out, format_args!("<figure class=\"{class}\">"));
    if !title.trim().is_empty() {
        line(out, format_args!("<h3>{}</h3>", xml(title.trim())));
    }
    line(out, format_args!("<div class=\"wide\">{}</div>", plot(Width::Wide)));
    line(out, format_args!("<div class=\"narrow\">{}</div>\n</figure>", plot(Width::Narrow)));
}

fn write_table(out: &mut String, section: &Section, title: &str) {
    // The first column stays in sight while the others scroll, so it names game and row together.
    let columns = table::columns(section);
    let columns: Vec<&Column> = columns.results.into_iter().chain(columns.details).collect();
    line(
        out,
        format_args!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table: {title}\">\n\
             <table class=\"sortable\">\n<caption>{title}</caption>\n<thead><tr>"
        ),
    );
    out.push_str("<th scope=\"col\" class=\"pin\">Comparison</th>\n");
    for column in &columns {
        let class = class_attribute(column);
        let (meaning, heading) = (xml(column.meaning), xml(column.heading));
        line(out, format_args!("<th scope=\"col\"{class} title=\"{meaning}\">{heading}</th>"));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for cell in &section.cells {
        write_row(out, cell, &columns);
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}

fn class_attribute(column: &Column) -> &'static str {
    match column.kind {
        Kind::Number => " class=\"n\"",
        // Paper is narrow, and the agents are listed below.
        Kind::Code | Kind::Reference => " class=\"settings\"",
        Kind::Text => "",
    }
}

fn write_row(out: &mut String, cell: &Comparison, columns: &[&Column]) {
    let _ = write!(out, "<tr><th scope=\"row\" class=\"pin\"><span>{}</span></th>", xml(&cell.full_name()));
    for column in columns {
        let text = column.text(cell);
        let content = match (column.heading, cell.verdict) {
            ("Verdict", Some(verdict)) => {
                format!("<span class=\"sign {}\">{}</span> {}", verdict.class(), verdict.glyph(), xml(&verdict.words()))
            }
            _ if column.kind == Kind::Code && text != MISSING => format!("<code>{}</code>", xml(&text)),
            _ => xml(&text),
        };
        let key = column.key(cell).map_or_else(String::new, |key| format!(" data-key=\"{}\"", sort_key(key)));
        let _ = write!(out, "<td{}{key}>{content}</td>", class_attribute(column));
    }
    out.push_str("</tr>\n");
}

/// Four digits order rows as well as sixteen do, and weigh less.
fn sort_key(key: f64) -> String {
    let text = format!("{key:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn write_health(out: &mut String, report: &Report) {
    out.push_str(
        "<section id=\"health\">\n<h2>Health of the games</h2>\n<div class=\"scroll fit\"><table>\n\
         <caption>Health of the games</caption>\n\
         <thead><tr><th scope=\"col\">Check</th><th scope=\"col\">Found</th><th scope=\"col\">Judgement</th></tr></thead>\n<tbody>\n",
    );
    for check in health::checks(&report.health) {
        let class = if check.concern { " class=\"look\"" } else { "" };
        line(
            out,
            format_args!(
                "<tr><th scope=\"row\">{}</th><td>{}</td><td{class}>{}</td></tr>",
                check.name,
                check.found,
                check.word()
            ),
        );
    }
    out.push_str("</tbody>\n</table></div>\n</section>\n");
}

fn write_agents(out: &mut String, report: &Report) {
    if report.agents.is_empty() {
        return;
    }
    out.push_str(
        "<section id=\"agents\">\n<h2>Agents</h2>\n<div class=\"scroll fit\"><table>\n<caption>Agents</caption>\n\
         <thead><tr><th scope=\"col\">Name</th><th scope=\"col\">Settings</th></tr></thead>\n<tbody>\n",
    );
    for (name, settings) in &report.agents {
        line(
            out,
            format_args!(
                "<tr><th scope=\"row\">{}</th><td class=\"wrap\"><code>{}</code></td></tr>",
                xml(name.trim()),
                xml(settings.trim())
            ),
        );
    }
    out.push_str("</tbody>\n</table></div>\n</section>\n");
}

fn write_notes(out: &mut String, report: &Report) {
    if report.notes.is_empty() {
        return;
    }
    out.push_str("<section id=\"notes\">\n<h2>Known deviations from the paper</h2>\n<ul>\n");
    for note in &report.notes {
        line(out, format_args!("<li>{}</li>", xml(note.trim())));
    }
    out.push_str("</ul>\n</section>\n");
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}
