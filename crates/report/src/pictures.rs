//! Every figure of a report as a picture of its own.

use crate::curve::curve_plot;
use crate::data::Report;
use crate::figures::with_style;
use crate::forest::forest_plot;
use crate::heat::heat_plot;
use crate::matrix::matrix_plot;
use crate::svg::Width;

/// A figure as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Section and kind, such as `1-curve` or `2-heat-3`.
    pub name: String,
    /// An SVG that brings its own colours, for light and dark pages.
    pub svg: String,
}

/// All figures of a report, in the order of the page.
///
/// ```
/// use spinney_report::{Comparison, Report, Section, pictures};
/// let section = Section { cells: vec![Comparison::default()], ..Section::default() };
/// let report = Report { sections: vec![section], ..Report::default() };
/// assert_eq!(pictures(&report)[0].name, "1-forest");
/// ```
pub fn pictures(report: &Report) -> Vec<Picture> {
    let mut pictures: Vec<Picture> = Vec::new();
    for (index, section) in report.sections.iter().enumerate() {
        let mut add = |kind: &str, number: usize, of: usize, svg: String| {
            let which = if of > 1 { format!("-{}", number + 1) } else { String::new() };
            pictures.push(Picture { name: format!("{}-{kind}{which}", index + 1), svg: with_style(&svg) });
        };
        if !section.cells.is_empty() {
            add("forest", 0, 1, forest_plot(section.title.trim(), &section.cells, Width::Wide));
        }
        for (number, curve) in section.curves.iter().enumerate() {
            add("curve", number, section.curves.len(), curve_plot(curve, Width::Wide));
        }
        for (number, heat) in section.heats.iter().enumerate() {
            add("heat", number, section.heats.len(), heat_plot(heat, Width::Wide));
        }
        if let Some(matrix) = &section.matrix {
            add("matrix", 0, 1, matrix_plot(matrix, Width::Wide));
        }
    }
    pictures
}
