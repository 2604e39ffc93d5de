//! The heat map of everyone against, or together with, everyone: blue above 50 %, orange below, and the number in every cell.

use crate::data::{Matrix, Relation};
use crate::measure;
use crate::numbers;
use crate::svg::{Anchor, Svg, Width};

/// Size of all text in the figure; the style sheet says the same.
const TEXT: f64 = 12.0;
/// The strongest tint under which text stays readable.
pub(crate) const STRONGEST: f64 = 0.62;
/// How column names are turned when they do not fit above their column.
const TURN: f64 = -40.0;

/// Draws the matrix without its title, which belongs to the page.
pub fn matrix_plot(matrix: &Matrix, width: Width) -> String {
    let longest_row = matrix.values.iter().map(Vec::len).max().unwrap_or(0);
    let number = matrix.labels.len().max(matrix.values.len()).max(longest_row);
    let labels: Vec<String> = (0..number)
        .map(|index| {
            matrix.labels.get(index).map_or_else(|| format!("#{}", index + 1), |label| label.trim().to_owned())
        })
        .collect();
    let value = |row: usize, column: usize| {
        matrix.values.get(row)?.get(column).copied().flatten().and_then(numbers::percentage)
    };
    let range = range_of((0..number).flat_map(|row| (0..number).filter_map(move |column| value(row, column))));

    let layout = Layout::new(&labels, width);
    let grid_width = layout.cell.0 * number as f64;
    let mut svg = Svg::new(
        layout.width(number),
        layout.height(number),
        &format!("{}: {}, %", matrix.title, matrix.relation.words()),
    );
    for (index, label) in labels.iter().enumerate() {
        layout.draw_names(&mut svg, index, label);
    }
    for row in 0..number {
        for column in 0..number {
            let corner = (layout.left + layout.cell.0 * column as f64, layout.top + layout.cell.1 * row as f64);
            let center = (corner.0 + layout.cell.0 / 2.0, corner.1 + layout.cell.1 / 2.0 + 4.0);
            let Some(percent) = value(row, column) else {
                svg.rectangle("blank", corner, (layout.cell.0 - 2.0, layout.cell.1 - 2.0), None);
                svg.text("small", center, Anchor::Middle, if row == column { "" } else { numbers::MISSING });
                continue;
            };
            let strength = STRONGEST * (percent - 50.0).abs() / range;
            let who = match matrix.relation {
                Relation::Against => format!("{} against {}", labels[row], labels[column]),
                Relation::With if row == column => format!("{} alone", labels[row]),
                Relation::With => format!("{} with {}", labels[row], labels[column]),
            };
            svg.open("", &format!("{who}: {} %", numbers::fixed(percent, 1)));
            svg.rectangle("blank", corner, (layout.cell.0 - 2.0, layout.cell.1 - 2.0), None);
            let class = if percent >= 50.0 { "above" } else { "below" };
            svg.rectangle(class, corner, (layout.cell.0 - 2.0, layout.cell.1 - 2.0), Some(strength));
            svg.text("number", (center.0 - 1.0, center.1 - 1.0), Anchor::Middle, &numbers::fixed(percent, 1));
            svg.close();
        }
    }
    let y = layout.top + layout.cell.1 * number as f64 + 10.0;
    draw_scale(&mut svg, (layout.left, y), grid_width.max(180.0), range);
    if layout.numbered {
        for (index, label) in labels.iter().enumerate() {
            let text = measure::fit(&format!("{}  {label}", index + 1), TEXT, layout.width(number) - 8.0);
            svg.text("", (4.0, y + 60.0 + 18.0 * index as f64), Anchor::Start, &text);
        }
    }
    svg.finish()
}

/// How far from 50 % the strongest tint stands: a scale from 0 to 100 would leave most tables pale.
pub(crate) fn range_of(percents: impl Iterator<Item = f64>) -> f64 {
    let furthest = percents.map(|percent| (percent - 50.0).abs()).fold(0.0, f64::max);
    [5.0, 10.0, 20.0, 30.0, 50.0].into_iter().find(|range| furthest <= *range).unwrap_or(50.0)
}

/// Where things stand.
struct Layout {
    left: f64,
    top: f64,
    cell: (f64, f64),
    /// Names are replaced by numbers, and listed below.
    numbered: bool,
    turned: bool,
    overhang: f64,
}

impl Layout {
    fn new(labels: &[String], width: Width) -> Self {
        let longest = labels.iter().map(|label| measure::width(label, TEXT)).fold(0.0, f64::max).min(200.0);
        match width {
            Width::Narrow => {
                Self { left: 28.0, top: 24.0, cell: (46.0, 34.0), numbered: true, turned: false, overhang: 0.0 }
            }
            Width::Wide => {
                let cell = (62.0, 38.0);
                let turned = longest > cell.0 - 6.0;
                let (sine, cosine) = (-TURN).to_radians().sin_cos();
                let top = if turned { 22.0 + longest * sine } else { 26.0 };
                let overhang = if turned { (longest * cosine - cell.0 / 2.0).max(0.0) + 10.0 } else { 0.0 };
                Self { left: longest + 16.0, top, cell, numbered: false, turned, overhang }
            }
        }
    }

    fn width(&self, number: usize) -> f64 {
        let grid = self.left + self.cell.0 * number as f64;
        (grid + self.overhang + 2.0).max(self.left + 200.0).max(if self.numbered { 356.0 } else { 0.0 })
    }

    fn height(&self, number: usize) -> f64 {
        let names = if self.numbered { 18.0 * number as f64 + 16.0 } else { 0.0 };
        self.top + self.cell.1 * number as f64 + 50.0 + names
    }

    fn draw_names(&self, svg: &mut Svg, index: usize, label: &str) {
        let x = self.left + self.cell.0 * (index as f64 + 0.5);
        let y = self.top + self.cell.1 * (index as f64 + 0.5) + 3.0;
        let label = if self.numbered { (index + 1).to_string() } else { measure::fit(label, TEXT, 200.0) };
        svg.text("", (self.left - 8.0, y), Anchor::End, &label);
        if self.turned {
            svg.turned_text("", (x, self.top - 8.0), Anchor::Start, TURN, &label);
        } else {
            svg.text("", (x - 1.0, self.top - 8.0), Anchor::Middle, &label);
        }
    }
}

/// The tints and what they mean.
pub(crate) fn draw_scale(svg: &mut Svg, (x, y): (f64, f64), available: f64, range: f64) {
    const STEPS: i32 = 5;
    let step = (available / f64::from(2 * STEPS + 1)).min(20.0);
    for position in -STEPS..=STEPS {
        let class = if position >= 0 { "above" } else { "below" };
        let corner = (x + step * f64::from(position + STEPS), y);
        let strength = STRONGEST * f64::from(position.abs()) / f64::from(STEPS);
        svg.rectangle("blank", corner, (step, 10.0), None);
        svg.rectangle(class, corner, (step, 10.0), Some(strength));
    }
    let end = x + step * f64::from(2 * STEPS + 1);
    svg.text("small", (x, y + 26.0), Anchor::Start, &numbers::fixed(50.0 - range, 0));
    svg.text("small", ((x + end) / 2.0, y + 26.0), Anchor::Middle, "50 %");
    svg.text("small", (end, y + 26.0), Anchor::End, &numbers::fixed(50.0 + range, 0));
}
