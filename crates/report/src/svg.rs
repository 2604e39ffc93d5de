//! A small writer of SVG: shapes with style classes, numbers with fixed precision, all text escaped.
//!
//! Colours live in the page's style sheet, so that one picture serves light, dark and paper.

use std::fmt::Write;

use crate::escape;

/// Which of the two layouts of a figure: text must stay readable on a telephone, and scaling a wide one down
/// would shrink it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// For screens and paper.
    Wide,
    /// For about 360 pixels.
    Narrow,
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture being written.
pub(crate) struct Svg {
    out: String,
}

/// A coordinate with at most one decimal: finer than a pixel is invisible and weighs.
pub(crate) fn coordinate(value: f64) -> String {
    let value = if value.is_finite() { value } else { 0.0 };
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

impl Svg {
    /// Starts a picture with a name for those who cannot see it.
    pub(crate) fn new(width: f64, height: f64, title: &str) -> Self {
        let (width, height) = (coordinate(width), coordinate(height));
        let out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n",
            escape::xml(title)
        );
        Self { out }
    }

    /// Opens a group that shows `title` under the pointer.
    pub(crate) fn open(&mut self, class: &str, title: &str) {
        let class = attribute("class", class);
        let title = if title.is_empty() { String::new() } else { format!("<title>{}</title>", escape::xml(title)) };
        self.push(format_args!("<g{class}>{title}"));
    }

    /// Closes the innermost group.
    pub(crate) fn close(&mut self) {
        self.push(format_args!("</g>"));
    }

    /// Opens a link to a place of the page.
    pub(crate) fn open_link(&mut self, target: &str) {
        self.push(format_args!("<a href=\"{}\">", escape::xml(target)));
    }

    /// Closes it.
    pub(crate) fn close_link(&mut self) {
        self.push(format_args!("</a>"));
    }

    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(coordinate);
        self.push(format_args!("<path class=\"{class}\" d=\"M{x1} {y1}L{x2} {y2}\"/>"));
    }

    pub(crate) fn rectangle(&mut self, class: &str, corner: (f64, f64), size: (f64, f64), opacity: Option<f64>) {
        let [x, y, width, height] = [corner.0, corner.1, size.0.max(0.0), size.1.max(0.0)].map(coordinate);
        let opacity = opacity.map_or_else(String::new, |value| format!(" fill-opacity=\"{value:.2}\""));
        self.push(format_args!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{opacity}/>"
        ));
    }

    pub(crate) fn circle(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        let [x, y, radius] = [x, y, radius].map(coordinate);
        self.push(format_args!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"));
    }

    /// A closed shape around a point, its corners relative to it.
    pub(crate) fn shape(&mut self, class: &str, (x, y): (f64, f64), corners: &[(f64, f64)]) {
        let points: Vec<(f64, f64)> = corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
        self.path(class, &points, true);
    }

    pub(crate) fn diamond(&mut self, class: &str, center: (f64, f64), radius: f64) {
        self.shape(class, center, &[(0.0, -radius), (radius, 0.0), (0.0, radius), (-radius, 0.0)]);
    }

    /// A line through points, closed or open.
    pub(crate) fn path(&mut self, class: &str, points: &[(f64, f64)], closed: bool) {
        let mut data = String::new();
        for (index, &(x, y)) in points.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            // Writing to a string cannot fail.
            let _ = write!(data, "{command}{} {}", coordinate(x), coordinate(y));
        }
        if closed {
            data.push('Z');
        }
        self.push(format_args!("<path class=\"{class}\" d=\"{data}\"/>"));
    }

    /// An interval: a line with caps, `half` high on both sides.
    pub(crate) fn interval(&mut self, class: &str, (low, high): (f64, f64), y: f64, half: f64) {
        let [low, high, y, top, cap] = [low, high, y, y - half, 2.0 * half].map(coordinate);
        self.push(format_args!(
            "<path class=\"{class}\" d=\"M{low} {top}v{cap}M{low} {y}H{high}M{high} {top}v{cap}\"/>"
        ));
    }

    /// The same upright.
    pub(crate) fn upright_interval(&mut self, class: &str, x: f64, (from, to): (f64, f64), half: f64) {
        let [x, from, to, left, cap] = [x, from, to, x - half, 2.0 * half].map(coordinate);
        self.push(format_args!(
            "<path class=\"{class}\" d=\"M{left} {from}h{cap}M{x} {from}V{to}M{left} {to}h{cap}\"/>"
        ));
    }

    pub(crate) fn text(&mut self, class: &str, point: (f64, f64), anchor: Anchor, text: &str) {
        self.turned_text(class, point, anchor, 0.0, text);
    }

    /// A text turned around its point by so many degrees.
    pub(crate) fn turned_text(&mut self, class: &str, point: (f64, f64), anchor: Anchor, degrees: f64, text: &str) {
        if text.is_empty() {
            return;
        }
        let (x, y) = (coordinate(point.0), coordinate(point.1));
        let class = attribute("class", class);
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let turn = if degrees == 0.0 {
            String::new()
        } else {
            format!(" transform=\"rotate({} {x} {y})\"", coordinate(degrees))
        };
        self.push(format_args!("<text{class} x=\"{x}\" y=\"{y}\"{anchor}{turn}>{}</text>", escape::xml(text)));
    }

    /// Ends the picture.
    pub(crate) fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.out, "{element}");
    }
}

fn attribute(name: &str, value: &str) -> String {
    if value.is_empty() { String::new() } else { format!(" {name}=\"{value}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short_and_finite() {
        assert_eq!(coordinate(12.0), "12");
        assert_eq!(coordinate(-0.01), "0");
        assert_eq!(coordinate(1.26), "1.3");
        assert_eq!(coordinate(f64::NAN), "0");
    }

    #[test]
    fn text_is_escaped() {
        let mut svg = Svg::new(10.0, 10.0, "a<b");
        svg.text("", (0.0, 0.0), Anchor::Start, "</text><script>");
        let svg = svg.finish();
        assert!(!svg.contains("<script>") && svg.contains("a&lt;b"));
    }
}
