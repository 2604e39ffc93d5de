//! Heat maps of grids: scores over two axes, blue above 50 % and orange below, the number in every cell and a frame
//! around the best; further axes make small multiples with one scale.

use crate::data::{Heat, HeatMap, Panel, TextTable};
use crate::matrix::{STRONGEST, draw_scale, range_of};
use crate::measure;
use crate::numbers;
use crate::svg::{Anchor, Svg, Width};

/// Size of all text in the figure; the style sheet says the same.
const TEXT: f64 = 12.0;
/// Between panels.
const GAP: f64 = 26.0;
/// A label may take so much room before it is cut.
const LABEL_MOST: f64 = 130.0;

/// Draws the heat map without its title, which belongs to the page.
pub fn heat_plot(heat: &HeatMap, width: Width) -> String {
    let full = match width {
        Width::Wide => 900.0,
        Width::Narrow => 356.0,
    };
    let layout = Layout::new(heat, full);
    let (panel_width, panel_height) = layout.panel(heat);
    let per_line = (((full + GAP) / (panel_width + GAP)) as usize).clamp(1, heat.panels.len().max(1));
    let lines = heat.panels.len().div_ceil(per_line).max(1) as f64;
    let wide = (per_line as f64 * (panel_width + GAP) - GAP).max(240.0);
    let bottom = lines * (panel_height + GAP) - GAP;
    let what = format!("{}: score over {} and {}, %", heat.title, heat.x_label, heat.y_label);
    let mut svg = Svg::new(wide, bottom + 50.0, &what);
    let scores = heat.panels.iter().flat_map(|panel| panel.values.iter().flatten().flatten());
    let range = range_of(scores.filter_map(|heat| numbers::percentage(heat.score)));
    for (index, panel) in heat.panels.iter().enumerate() {
        let (line, place) = (index / per_line, index % per_line);
        let corner = (place as f64 * (panel_width + GAP), line as f64 * (panel_height + GAP));
        let best = heat.best.filter(|best| best[0] == index).map(|best| (best[1], best[2]));
        layout.draw(&mut svg, heat, panel, corner, range, best);
    }
    draw_scale(&mut svg, (layout.left, bottom + 12.0), (wide - layout.left).max(180.0), range);
    svg.finish()
}

/// Where things stand within a panel.
struct Layout {
    left: f64,
    top: f64,
    cell: (f64, f64),
}

impl Layout {
    fn new(heat: &HeatMap, full: f64) -> Self {
        let longest = |labels: &[String]| {
            labels.iter().map(|label| measure::width(label, TEXT)).fold(0.0, f64::max).min(LABEL_MOST)
        };
        let left = 26.0 + longest(&heat.rows);
        let wanted = (longest(&heat.columns) + 10.0).clamp(58.0, LABEL_MOST);
        let room = (full - left - 2.0) / heat.columns.len().max(1) as f64;
        let titled = heat.panels.iter().any(|panel| !panel.title.is_empty());
        Self { left, top: if titled { 62.0 } else { 40.0 }, cell: (wanted.min(room).max(31.0), 38.0) }
    }

    fn panel(&self, heat: &HeatMap) -> (f64, f64) {
        let (width, height) = (heat.columns.len() as f64 * self.cell.0, heat.rows.len() as f64 * self.cell.1);
        (self.left + width + 2.0, self.top + height)
    }

    fn draw(
        &self,
        svg: &mut Svg,
        heat: &HeatMap,
        panel: &Panel,
        (x, y): (f64, f64),
        range: f64,
        best: Option<(usize, usize)>,
    ) {
        let (left, top) = (x + self.left, y + self.top);
        let (width, height) = (heat.columns.len() as f64 * self.cell.0, heat.rows.len() as f64 * self.cell.1);
        let title = measure::fit(&panel.title, 1.05 * TEXT, self.left + width - 4.0);
        svg.text("strong", (x + 4.0, y + 14.0), Anchor::Start, &title);
        let x_label = measure::fit(&heat.x_label, TEXT, self.left + width);
        svg.text("small", (left + width / 2.0, top - 25.0), Anchor::Middle, &x_label);
        let y_label = measure::fit(&heat.y_label, TEXT, height.max(60.0));
        svg.turned_text("small", (x + 12.0, top + height / 2.0), Anchor::Middle, -90.0, &y_label);
        for (column, label) in heat.columns.iter().enumerate() {
            let place = (left + self.cell.0 * (column as f64 + 0.5) - 1.0, top - 8.0);
            svg.text("", place, Anchor::Middle, &measure::fit(label, TEXT, self.cell.0 + 2.0));
        }
        for (row, label) in heat.rows.iter().enumerate() {
            let place = (left - 7.0, top + self.cell.1 * (row as f64 + 0.5) + 3.0);
            svg.text("", place, Anchor::End, &measure::fit(label, TEXT, LABEL_MOST));
            for (column, name) in heat.columns.iter().enumerate() {
                let value = panel.values.get(row).and_then(|values| values.get(column)).and_then(Option::as_ref);
                let corner = (left + self.cell.0 * column as f64, top + self.cell.1 * row as f64);
                let at = format!("{} {name}, {} {label}", heat.x_label, heat.y_label);
                self.draw_cell(svg, value, corner, &at, (range, best == Some((row, column))));
            }
        }
    }

    fn draw_cell(
        &self,
        svg: &mut Svg,
        value: Option<&Heat>,
        corner: (f64, f64),
        at: &str,
        (range, is_best): (f64, bool),
    ) {
        let size = (self.cell.0 - 2.0, self.cell.1 - 2.0);
        let center = corner.0 + size.0 / 2.0;
        let Some((heat, percent)) = value.and_then(|heat| Some((heat, numbers::percentage(heat.score)?))) else {
            svg.rectangle("blank", corner, size, None);
            svg.text("small", (center, corner.1 + size.1 / 2.0 + 4.0), Anchor::Middle, numbers::MISSING);
            return;
        };
        let score = numbers::fixed(percent, 1);
        svg.open("", &format!("{at}: {score} % {}", numbers::interval(heat.interval)));
        svg.rectangle("blank", corner, size, None);
        let strength = STRONGEST * (percent - 50.0).abs() / range;
        svg.rectangle(if percent >= 50.0 { "above" } else { "below" }, corner, size, Some(strength));
        if is_best {
            let inner = (corner.0 + 1.0, corner.1 + 1.0);
            svg.rectangle("best", inner, (size.0 - 2.0, size.1 - 2.0), None);
        }
        let margin = numbers::percentages(heat.interval).filter(|_| size.0 > 44.0);
        let y = corner.1 + size.1 / 2.0 + if margin.is_some() { -1.0 } else { 4.0 };
        svg.text(if is_best { "number strong" } else { "number" }, (center, y), Anchor::Middle, &score);
        if let Some((low, high)) = margin {
            let text = format!("±{}", numbers::fixed((high - low) / 2.0, 1));
            svg.text("margin", (center, y + 13.0), Anchor::Middle, &text);
        }
        svg.close();
    }
}

impl HeatMap {
    /// The panels as tables of texts, for where nothing is drawn.
    pub(crate) fn tables(&self) -> impl Iterator<Item = TextTable> {
        self.panels.iter().enumerate().map(|(index, panel)| {
            let title = [self.title.as_str(), &panel.title].into_iter().filter(|part| !part.is_empty());
            let corner = format!("{} \\ {}", self.y_label, self.x_label);
            let head = [corner].into_iter().chain(self.columns.iter().cloned()).collect();
            let entry = |row: usize, column: usize| {
                let value = panel.values.get(row).and_then(|values| values.get(column)).and_then(Option::as_ref);
                let text = value.map_or_else(|| numbers::MISSING.to_owned(), |heat| numbers::percent(heat.score));
                if self.best == Some([index, row, column]) { format!("{text} *") } else { text }
            };
            let rows = self.rows.iter().enumerate().map(|(row, label)| {
                [label.clone()].into_iter().chain((0..self.columns.len()).map(|column| entry(row, column))).collect()
            });
            TextTable {
                title: format!("{} (score, %; * is the best)", title.collect::<Vec<_>>().join(" · ")),
                rows: std::iter::once(head).chain(rows).collect(),
            }
        })
    }
}
