//! Curves: our series as lines with bands, published ones as marks with bars.
//!
//! Series differ in colour, in the dashes of their line and in the shape of their marks.

use crate::axis::Axis;
use crate::data::{Curve, Point, Series};
use crate::measure;
use crate::numbers;
use crate::svg::{Anchor, Svg, Width};

/// Size of all text in the figure; the style sheet says the same.
const TEXT: f64 = 12.0;
/// The size whose normal letters are as wide as the bold ones of names.
const BOLD: f64 = 13.0;
/// Colours in the style sheet.
const COLOURS: usize = 7;
/// Distance of two labels beside the plot.
const LABEL_HEIGHT: f64 = 16.0;
/// With more points than this the line says enough.
const MOST_MARKS: usize = 24;
/// Room for the sample of a line in a label.
const SAMPLE: f64 = 30.0;

/// Draws the figure without its title, which belongs to the page.
pub fn curve_plot(curve: &Curve, width: Width) -> String {
    let (full, height) = match width {
        Width::Wide => (620.0, 360.0),
        Width::Narrow => (360.0, 280.0),
    };
    let traces = traces(curve);
    let points = || traces.iter().flat_map(|trace| &trace.points);
    let x_axis = Axis::over(points().map(|point| point.x), curve.x_logarithmic);
    let ends = points().filter_map(|point| point.interval).flat_map(|(low, high)| [low, high]);
    let y_axis = Axis::over(points().map(|point| point.y).chain(ends).chain(curve.reference), false);
    let (Some(x_axis), Some(y_axis)) = (x_axis, y_axis.filter(|_| points().next().is_some())) else {
        return without_data(curve, full);
    };
    let y_ticks = if width == Width::Wide { 7 } else { 5 };
    // What is never negative is not drawn as if it could be.
    let lowest = points().map(|point| point.interval.map_or(point.y, |(low, _)| low)).fold(f64::INFINITY, f64::min);
    let floor = if lowest >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
    let y_axis = y_axis.widened(y_ticks, (floor, f64::INFINITY));

    let widest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(0.0, f64::max);
    let left = 14.0 + widest(&mut y_axis.ticks(y_ticks).iter().map(|tick| measure::width(&tick.label, TEXT)));
    let label_width = widest(&mut traces.iter().map(|trace| measure::width(&trace.label, BOLD)));
    // Labels beside the lines need no looking up; a legend needs less room.
    let beside = width == Width::Wide && label_width <= 200.0 && traces.len() as f64 * LABEL_HEIGHT <= height - 90.0;
    let (right, legend) =
        if beside { (full - label_width - 26.0, None) } else { (full - 16.0, Some(legend(&traces, full))) };
    let top = 30.0 + legend.as_ref().map_or(0.0, |(_, height)| *height);
    let bottom = top + height - 80.0;
    let x_axis = x_axis.placed(left + 8.0, right - 8.0);
    let y_axis = y_axis.placed(bottom, top);

    let mut svg =
        Svg::new(full, bottom + 46.0, &format!("{}: {} against {}", curve.title, curve.y_label, curve.x_label));
    if let Some((places, _)) = &legend {
        for (trace, (x, y)) in traces.iter().zip(places) {
            trace.draw_sample(&mut svg, (x + 2.0, y + 10.0));
            let label = measure::fit(&trace.label, BOLD, full - SAMPLE - 8.0);
            svg.text(&trace.class("label"), (x + SAMPLE, y + 14.0), Anchor::Start, &label);
        }
    }
    svg.text("small", (4.0, top - 12.0), Anchor::Start, &measure::fit(&curve.y_label, TEXT, full - 8.0));
    for tick in y_axis.ticks(y_ticks) {
        let y = y_axis.place(tick.value);
        svg.line("grid", (left, y), (right, y));
        svg.text("small", (left - 6.0, y + 4.0), Anchor::End, &tick.label);
    }
    let most = ((right - left) / 62.0) as usize;
    for tick in x_axis.ticks(most) {
        let x = x_axis.place(tick.value);
        svg.line("axis", (x, bottom), (x, bottom + 5.0));
        svg.text("small", (x, bottom + 19.0), Anchor::Middle, &tick.label);
    }
    svg.line("axis", (left, bottom), (right, bottom));
    let x_label = measure::fit(&curve.x_label, TEXT, full - 8.0);
    // Centred under the plot unless that would push it over the border.
    let half = measure::width(&x_label, TEXT) / 2.0 + 4.0;
    let center = ((left + right) / 2.0).min(full - half).max(half);
    svg.text("small", (center, bottom + 38.0), Anchor::Middle, &x_label);
    if let Some(reference) = curve.reference.and_then(numbers::usable) {
        let y = y_axis.place(reference);
        svg.line("half", (left, y), (right, y));
    }
    for trace in &traces {
        trace.draw_band(&mut svg, &x_axis, &y_axis);
    }
    for trace in &traces {
        trace.draw(&mut svg, &x_axis, &y_axis);
    }
    if beside {
        let wanted: Vec<f64> =
            traces.iter().map(|trace| trace.last().map_or(bottom, |point| y_axis.place(point.y))).collect();
        for (trace, y) in traces.iter().zip(spread(&wanted, (top, bottom))) {
            let label = measure::fit(&trace.label, BOLD, label_width + 1.0);
            if let Some(point) = trace.last() {
                let from = (x_axis.place(point.x) + 6.0, y_axis.place(point.y));
                svg.line(&trace.class("leader"), from, (right + 12.0, y));
            }
            svg.text(&trace.class("label"), (right + 16.0, y + 4.0), Anchor::Start, &label);
        }
    }
    svg.finish()
}

fn without_data(curve: &Curve, width: f64) -> String {
    let mut svg = Svg::new(width, 60.0, &format!("{}: no data", curve.title));
    svg.text("small", (width / 2.0, 34.0), Anchor::Middle, "no data yet");
    svg.finish()
}

/// A series, cleaned and with its style.
struct Trace {
    label: String,
    points: Vec<Point>,
    published: bool,
    colour: usize,
}

fn traces(curve: &Curve) -> Vec<Trace> {
    let ours: Vec<&str> =
        curve.series.iter().filter(|series| !series.published).map(|series| series.label.trim()).collect();
    let mut traces: Vec<Trace> = Vec::new();
    let mut next = 0;
    for published in [false, true] {
        for series in curve.series.iter().filter(|series| series.published == published) {
            let label = series.label.trim();
            let counterpart = ours.iter().position(|own| *own == label).filter(|_| published);
            traces.push(Trace {
                label: if counterpart.is_some() { format!("{label}, published") } else { label.to_owned() },
                points: points(series, curve.x_logarithmic),
                published,
                colour: counterpart.unwrap_or(next),
            });
            next += usize::from(counterpart.is_none());
        }
    }
    traces.retain(|trace| !trace.points.is_empty());
    traces
}

/// The points that can be drawn, from left to right.
fn points(series: &Series, logarithmic: bool) -> Vec<Point> {
    let mut points: Vec<Point> = series
        .points
        .iter()
        .filter(|point| numbers::usable(point.x).is_some() && numbers::usable(point.y).is_some())
        .filter(|point| !logarithmic || point.x > 1e-12)
        .map(|point| Point { interval: numbers::usable_interval(point.interval), ..*point })
        .collect();
    points.sort_by(|left, right| left.x.total_cmp(&right.x));
    points
}

impl Trace {
    fn class(&self, role: &str) -> String {
        format!("{role} c{}", self.colour % COLOURS)
    }

    fn last(&self) -> Option<&Point> {
        self.points.last()
    }

    fn draw_band(&self, svg: &mut Svg, x_axis: &Axis, y_axis: &Axis) {
        if self.published {
            return;
        }
        // A point without interval interrupts the band.
        for part in self.points.split(|point| point.interval.is_none()).filter(|part| part.len() > 1) {
            let edge = |pick: fn((f64, f64)) -> f64| {
                let place = move |point: &Point| {
                    (x_axis.place(point.x), y_axis.place(pick(point.interval.unwrap_or((point.y, point.y)))))
                };
                part.iter().map(place).collect::<Vec<_>>()
            };
            let mut outline = edge(|interval| interval.1);
            outline.extend(edge(|interval| interval.0).into_iter().rev());
            svg.path(&self.class("band"), &outline, true);
        }
    }

    fn draw(&self, svg: &mut Svg, x_axis: &Axis, y_axis: &Axis) {
        svg.open("", &self.label);
        let places: Vec<(f64, f64)> =
            self.points.iter().map(|point| (x_axis.place(point.x), y_axis.place(point.y))).collect();
        if !self.published && places.len() > 1 {
            svg.path(&self.class(&format!("line d{}", self.colour % 3)), &places, false);
        }
        let lone = places.len() == 1;
        for (point, &(x, y)) in self.points.iter().zip(&places) {
            if let Some((low, high)) = point.interval.filter(|_| self.published || lone) {
                svg.upright_interval(&self.class("bar"), x, (y_axis.place(low), y_axis.place(high)), 3.5);
            }
            if self.points.len() <= MOST_MARKS || self.published {
                self.draw_mark(svg, (x, y));
            }
        }
        svg.close();
    }

    fn draw_mark(&self, svg: &mut Svg, place: (f64, f64)) {
        if self.published {
            svg.diamond(&self.class("mark"), place, 5.2);
            return;
        }
        let class = self.class("mark filled");
        match self.colour % 3 {
            0 => svg.circle(&class, place, 3.4),
            1 => svg.shape(&class, place, &[(-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)]),
            _ => svg.shape(&class, place, &[(0.0, -4.2), (4.0, 3.0), (-4.0, 3.0)]),
        }
    }

    fn draw_sample(&self, svg: &mut Svg, (x, y): (f64, f64)) {
        if !self.published {
            svg.line(&self.class(&format!("line d{}", self.colour % 3)), (x, y), (x + 24.0, y));
        }
        self.draw_mark(svg, (x + 12.0, y));
    }
}

/// Places of the legend's entries and its height.
fn legend(traces: &[Trace], available: f64) -> (Vec<(f64, f64)>, f64) {
    let widths: Vec<f64> = traces.iter().map(|trace| SAMPLE + measure::width(&trace.label, BOLD)).collect();
    let (places, lines) = measure::flow(&widths, available, 14.0, 20.0);
    (places, 20.0 * lines as f64 + 6.0)
}

/// Moves labels apart until none overlap, keeping their order and staying near where they want to be.
fn spread(wanted: &[f64], (top, bottom): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&left, &right| wanted[left].total_cmp(&wanted[right]));
    let mut places = wanted.to_vec();
    let mut floor = top + 6.0;
    for &index in &order {
        places[index] = places[index].max(floor);
        floor = places[index] + LABEL_HEIGHT;
    }
    let mut ceiling = bottom - 4.0;
    for &index in order.iter().rev() {
        places[index] = places[index].min(ceiling);
        ceiling = places[index] - LABEL_HEIGHT;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_distance() {
        let places = spread(&[50.0, 52.0, 51.0, 300.0], (0.0, 300.0));
        let mut sorted = places.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= LABEL_HEIGHT - 1e-9), "{places:?}");
        assert!(places[0] < places[2] && places[2] < places[1]);
    }
}
