//! Figures on their own: one as a picture for a document, several as a page.

use std::fmt::Write;

use crate::curve::curve_plot;
use crate::data::Curve;
use crate::escape::xml;
use crate::html::STYLE;
use crate::svg::Width;

/// Colours for light and dark pages, and the classes that the figures use.
pub const FIGURE_STYLE: &str = concat!(include_str!("colours.css"), include_str!("figures.css"));

/// Draws a curve as a picture that brings its own colours, for light and dark pages.
pub fn curve_picture(curve: &Curve) -> String {
    with_style(&curve_plot(curve, Width::Wide))
}

/// A figure with the colours that a page would give it.
pub(crate) fn with_style(svg: &str) -> String {
    let (head, rest) = svg.split_once(">\n").unwrap_or((svg, ""));
    let font = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
    format!(
        "{head}>\n<style>\n{FIGURE_STYLE}svg {{ font-family: {font}; background: var(--back); }}\n\
         svg text {{ font-size: 12px; }} svg text.margin {{ font-size: 10px; }}\n</style>\n{rest}"
    )
}

/// Writes a page with a heading, a paragraph, a table whose first row is its head, and figures.
pub fn figures_page(title: &str, about: &str, table: &[Vec<String>], curves: &[Curve]) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{0}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n\
         <p class=\"about\">{1}</p>\n</header>\n<main>\n<div class=\"scroll fit\">\n<table>\n",
        xml(title),
        xml(about)
    );
    write_rows(&mut out, table);
    out.push_str("</table>\n</div>\n<div class=\"panels\">\n");
    for curve in curves {
        let (wide, narrow) = (curve_plot(curve, Width::Wide), curve_plot(curve, Width::Narrow));
        let _ = writeln!(
            out,
            "<figure class=\"curve\">\n<h3>{}</h3>\n<div class=\"wide\">{wide}</div>\n\
             <div class=\"narrow\">{narrow}</div>\n</figure>",
            xml(&curve.title)
        );
    }
    out.push_str("</div>\n</main>\n</body>\n</html>\n");
    out
}

/// Head and body of a table of texts.
pub(crate) fn write_rows(out: &mut String, table: &[Vec<String>]) {
    for (number, row) in table.iter().enumerate() {
        let cell = |text: &String, column: usize| match (number, column) {
            (0, _) => format!("<th scope=\"col\">{}</th>", xml(text)),
            (_, 0) => format!("<th scope=\"row\">{}</th>", xml(text)),
            _ => format!("<td>{}</td>", xml(text)),
        };
        let cells: String = row.iter().enumerate().map(|(column, text)| cell(text, column)).collect();
        // Writing to a string cannot fail.
        let _ = match number {
            0 => writeln!(out, "<thead><tr>{cells}</tr></thead>\n<tbody>"),
            _ => writeln!(out, "<tr>{cells}</tr>"),
        };
    }
    out.push_str("</tbody>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Point, Series};

    fn curve() -> Curve {
        let points = (0..5).map(|x| Point { x: f64::from(x), y: f64::from(x * x), interval: None }).collect();
        let series = Series { label: "squares".to_owned(), points, published: false };
        Curve { title: "Squares <&>".to_owned(), series: vec![series], ..Curve::default() }
    }

    #[test]
    fn a_picture_brings_its_colours() {
        let picture = curve_picture(&curve());
        assert!(picture.starts_with("<svg xmlns") && picture.trim_end().ends_with("</svg>"));
        assert!(picture.contains("--blue:") && picture.contains("prefers-color-scheme: dark"));
    }

    #[test]
    fn a_page_holds_table_and_figures_and_escapes_text() {
        let rows = [vec!["what".to_owned(), "length".to_owned()], vec!["k <".to_owned(), "2".to_owned()]];
        let page = figures_page("A & B", "about", &rows, &[curve()]);
        for part in ["<h1>A &amp; B</h1>", "<th scope=\"row\">k &lt;</th>", "Squares &lt;&amp;&gt;", "<svg"] {
            assert!(page.contains(part), "{part}");
        }
    }
}
