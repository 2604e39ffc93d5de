//! The forest plot: one row per cell with our value, the published one, and what follows from the two.
//!
//! Ours is a circle (filled if the difference from 50 % is significant), published is a diamond; each has its 95 %
//! interval on a line of its own, so that overlapping intervals stay readable.

use crate::axis::{Axis, Tick};
use crate::data::{Agreement, Comparison};
use crate::measure;
use crate::numbers::{self, MISSING};
use crate::svg::{Anchor, Svg, Width};

/// Size of the text in the figure; the style sheet says the same.
const TEXT: f64 = 13.0;
/// The size whose normal letters are as wide as the bold ones of names.
const BOLD: f64 = 14.2;
/// Size of tick labels and headings.
const SMALL: f64 = 12.0;
/// Space between two columns.
const GAP: f64 = 18.0;
/// Rows that fit on a screen; longer plots repeat the ticks at the top.
const SCREEN: usize = 12;

/// Draws the cells, one row each.
pub fn forest_plot(title: &str, cells: &[Comparison], width: Width) -> String {
    let rows: Vec<Row> = cells.iter().map(Row::new).collect();
    let title = format!("Forest plot: {title}. {} rows; the table below has the same numbers.", rows.len());
    match width {
        Width::Wide => wide(&title, &rows),
        Width::Narrow => narrow(&title, &rows),
    }
}

/// A cell, ready to be drawn; scores in percent.
struct Row {
    game: String,
    name: String,
    full_name: String,
    score: Option<f64>,
    interval: Option<(f64, f64)>,
    significant: bool,
    score_text: String,
    published: Option<f64>,
    published_interval: Option<(f64, f64)>,
    published_text: String,
    verdict: Option<Agreement>,
    verdict_text: String,
    pointer_text: String,
}

impl Row {
    fn new(cell: &Comparison) -> Self {
        let played = cell.games > 0;
        let published = cell.published.as_ref();
        let score_text = if played { numbers::score(cell) } else { "no games yet".to_owned() };
        let published_text = published.map_or_else(String::new, numbers::published);
        let verdict_text = cell.verdict.map_or_else(String::new, Agreement::words);
        let source = published.map_or_else(String::new, |published| {
            let games = published.games.map_or_else(String::new, |games| format!(", {} games", numbers::count(games)));
            format!("\npublished {published_text} ({}{games})", published.source)
        });
        Self {
            game: cell.game_beside_name().unwrap_or_default().to_owned(),
            name: cell.name(),
            full_name: cell.full_name(),
            score: numbers::percentage(cell.score).filter(|_| played),
            interval: numbers::percentages(cell.interval).filter(|_| played),
            significant: cell.significant,
            pointer_text: format!(
                "{}\nours {score_text}, {} games{source}\n{verdict_text}",
                cell.full_name(),
                numbers::count(cell.games)
            )
            .trim_end()
            .to_owned(),
            score_text,
            published: published.and_then(|published| numbers::percentage(published.score)),
            published_interval: published.and_then(numbers::published_interval),
            published_text,
            verdict: cell.verdict,
            verdict_text,
        }
    }

    fn values(&self) -> impl Iterator<Item = f64> {
        let ends = [self.interval, self.published_interval].into_iter().flatten().flat_map(|(low, high)| [low, high]);
        [self.score, self.published].into_iter().flatten().chain(ends)
    }

    /// Draws both values around the line `y`.
    fn draw_marks(&self, svg: &mut Svg, axis: &Axis, y: f64) {
        let both = self.published.is_some() && self.score.is_some();
        let (ours, published) = if both { (y - 4.5, y + 5.5) } else { (y, y) };
        if let (Some(score), Some((low, high))) = (self.published, self.published_interval) {
            svg.interval("bar published", (axis.place(low), axis.place(high)), published, 3.0);
            svg.diamond("mark published", (axis.place(score), published), 4.8);
        } else if let Some(score) = self.published {
            svg.diamond("mark published", (axis.place(score), published), 4.8);
        }
        if let Some(score) = self.score {
            if let Some((low, high)) = self.interval {
                svg.interval("bar ours", (axis.place(low), axis.place(high)), ours, 3.0);
            }
            svg.circle(circle_class(self.significant), (axis.place(score), ours), 4.2);
        }
    }

    fn draw_verdict(&self, svg: &mut Svg, (x, y): (f64, f64)) {
        if let Some(verdict) = self.verdict {
            svg.text(&format!("glyph {}", verdict.class()), (x + 5.0, y), Anchor::Middle, verdict.glyph());
            svg.text("", (x + 16.0, y), Anchor::Start, &self.verdict_text);
        }
    }
}

fn circle_class(significant: bool) -> &'static str {
    if significant { "mark ours filled" } else { "mark ours" }
}

fn axis(rows: &[Row], ticks: usize, from: f64, to: f64) -> Axis {
    // 45 and 55 keep a hair's breadth around one half from filling the whole width.
    let values = rows.iter().flat_map(Row::values).chain([45.0, 55.0]);
    let axis = Axis::over(values, false).map(|axis| axis.widened(ticks, (0.0, 100.0)).placed(from, to));
    axis.unwrap_or_else(|| unreachable!("45 and 55 are always there"))
}

/// Grid lines from top to bottom and the line of no difference.
fn draw_grid(svg: &mut Svg, axis: &Axis, ticks: &[Tick], (top, bottom): (f64, f64)) {
    for tick in ticks {
        let x = axis.place(tick.value);
        svg.line(if tick.value == 50.0 { "half" } else { "grid" }, (x, top), (x, bottom));
    }
    if ticks.iter().all(|tick| tick.value != 50.0) {
        svg.line("half", (axis.place(50.0), top), (axis.place(50.0), bottom));
    }
}

fn draw_tick_labels(svg: &mut Svg, axis: &Axis, ticks: &[Tick], y: f64) {
    for tick in ticks {
        svg.text("small", (axis.place(tick.value), y), Anchor::Middle, &tick.label);
    }
}

/// The explanation of the marks that occur.
fn draw_legend(svg: &mut Svg, rows: &[Row], (x, y): (f64, f64), available: f64) {
    for (item, (dx, dy)) in legend(rows, available).0 {
        let center = (x + dx + 6.0, y + dy - 4.0);
        match item {
            Item::Ours { significant } => svg.circle(circle_class(significant), center, 4.2),
            Item::Literature => svg.diamond("mark published", center, 4.8),
            Item::Interval => svg.interval("bar plain", (center.0 - 6.0, center.0 + 6.0), center.1, 3.0),
        }
        svg.text("small", (x + dx + 17.0, y + dy), Anchor::Start, item.text());
    }
}

#[derive(Clone, Copy)]
enum Item {
    Ours { significant: bool },
    Literature,
    Interval,
}

impl Item {
    fn text(self) -> &'static str {
        match self {
            Item::Ours { significant: true } => "ours, differs from 50 % (Holm)",
            Item::Ours { significant: false } => "ours, may be 50 %",
            Item::Literature => "published",
            Item::Interval => "95 % interval",
        }
    }
}

type Placed = Vec<(Item, (f64, f64))>;

/// The items of the legend with their places, and the number of its lines.
fn legend(rows: &[Row], available: f64) -> (Placed, usize) {
    let ours = |significant| rows.iter().any(|row| row.score.is_some() && row.significant == significant);
    let items: Vec<Item> = [
        (ours(true), Item::Ours { significant: true }),
        (ours(false), Item::Ours { significant: false }),
        (rows.iter().any(|row| row.published.is_some()), Item::Literature),
        (rows.iter().any(|row| row.interval.is_some()), Item::Interval),
    ]
    .into_iter()
    .filter_map(|(present, item)| present.then_some(item))
    .collect();
    let widths: Vec<f64> = items.iter().map(|item| 17.0 + measure::width(item.text(), SMALL)).collect();
    let (places, lines) = measure::flow(&widths, available, GAP, 18.0);
    (items.into_iter().zip(places).collect(), lines)
}

/// The widest of these texts, but not wider than allowed; zero if all are empty.
fn column<'a>(texts: impl Iterator<Item = &'a str>, most: f64) -> f64 {
    texts.map(|text| measure::width(text, TEXT)).fold(0.0, f64::max).min(most)
}

/// Columns side by side: names, plot, numbers, verdict.
fn wide(title: &str, rows: &[Row]) -> String {
    const WIDTH: f64 = 1000.0;
    const OURS: &str = "ours, % [95 %]";
    let compares = rows.iter().any(|row| !row.published_text.is_empty());
    let judges = rows.iter().any(|row| row.verdict.is_some());
    let games = rows.iter().map(|row| measure::width(&row.game, BOLD)).fold(0.0, f64::max).min(135.0);
    let names = column(rows.iter().map(|row| row.name.as_str()), 230.0).max(60.0);
    let ours = column(rows.iter().map(|row| row.score_text.as_str()).chain([OURS]), 200.0);
    let published = column(rows.iter().map(|row| row.published_text.as_str()).chain(["published"]), 150.0);
    let verdicts = column(rows.iter().map(|row| row.verdict_text.as_str()).chain(["verdict"]), 190.0) + 16.0;

    let names_x = if games > 0.0 { 8.0 + games + GAP } else { 8.0 };
    // Columns are cut off from the right; the plot gets what remains.
    let mut right = WIDTH - 8.0;
    let mut cut = |width: f64, shown: bool| {
        let x = right - if shown { width } else { 0.0 };
        right = x - if shown { GAP } else { 0.0 };
        x
    };
    let (verdict_x, published_x, ours_x) = (cut(verdicts, judges), cut(published, compares), cut(ours, true));
    let plot = (names_x + names + GAP + 6.0, right);

    let lines: Vec<(Vec<String>, Vec<String>)> = rows
        .iter()
        .map(|row| (measure::wrap(&row.game, BOLD, games + 1.0, 2), measure::wrap(&row.name, TEXT, names + 1.0, 2)))
        .collect();
    let tall = lines.iter().any(|(game, name)| game.len() > 1 || name.len() > 1);
    let row_height = if tall { 38.0 } else { 29.0 };
    let axis = axis(rows, 7, plot.0, plot.1);
    let ticks = axis.ticks(7);
    let long = rows.len() > SCREEN;
    let top = if long { 46.0 } else { 28.0 };
    let bottom = top + row_height * rows.len() as f64;
    let (_, legend_lines) = legend(rows, WIDTH - 8.0);
    let mut svg = Svg::new(WIDTH, bottom + 36.0 + 18.0 * legend_lines as f64, title);

    for (x, heading, shown) in
        [(ours_x, OURS, true), (published_x, "published", compares), (verdict_x, "verdict", judges)]
    {
        if shown {
            svg.text("small", (x, 16.0), Anchor::Start, heading);
        }
    }
    svg.text("small", ((plot.0 + plot.1) / 2.0, 16.0), Anchor::Middle, "score of A, %");
    for (first, number) in stripes(rows) {
        let corner = (0.0, top + row_height * first as f64);
        svg.rectangle("stripe", corner, (WIDTH, row_height * number as f64), None);
    }
    draw_grid(&mut svg, &axis, &ticks, (top, bottom));
    let mut game_above = "";
    for (index, (row, (game, name))) in rows.iter().zip(&lines).enumerate() {
        let middle = top + row_height * (index as f64 + 0.5);
        let base = middle + 4.5;
        svg.open("", &row.pointer_text);
        if row.game != game_above {
            draw_lines(&mut svg, "strong", (8.0, base), game);
        }
        game_above = &row.game;
        draw_lines(&mut svg, "", (names_x, base), name);
        row.draw_marks(&mut svg, &axis, middle);
        let class = if row.score.is_some() { "number" } else { "small" };
        svg.text(class, (ours_x, base), Anchor::Start, &measure::fit(&row.score_text, TEXT, ours + 4.0));
        if compares {
            let text = if row.published_text.is_empty() { MISSING } else { &row.published_text };
            svg.text("number", (published_x, base), Anchor::Start, text);
        }
        row.draw_verdict(&mut svg, (verdict_x, base));
        svg.close();
    }
    if long {
        draw_tick_labels(&mut svg, &axis, &ticks, top - 8.0);
    }
    draw_tick_labels(&mut svg, &axis, &ticks, bottom + 17.0);
    draw_legend(&mut svg, rows, (8.0, bottom + 44.0), WIDTH - 8.0);
    svg.finish()
}

/// Every second game, or every second row where rows do not come in games: first row and number of rows.
fn stripes(rows: &[Row]) -> impl Iterator<Item = (usize, usize)> {
    let grouped = rows.windows(2).any(|pair| !pair[0].game.is_empty() && pair[0].game == pair[1].game);
    let mut first = 0;
    rows.chunk_by(move |left, right| grouped && left.game == right.game)
        .map(move |group| {
            first += group.len();
            (first - group.len(), group.len())
        })
        .step_by(2)
}

/// One or two lines around a base line.
fn draw_lines(svg: &mut Svg, class: &str, (x, base): (f64, f64), lines: &[String]) {
    let first = base - 7.5 * lines.len().saturating_sub(1) as f64;
    for (index, line) in lines.iter().enumerate() {
        svg.text(class, (x, first + 15.0 * index as f64), Anchor::Start, line);
    }
}

/// Everything about a row below its name.
fn narrow(title: &str, rows: &[Row]) -> String {
    const WIDTH: f64 = 360.0;
    const STRIP: f64 = 26.0;
    let axis = axis(rows, 5, 14.0, WIDTH - 14.0);
    let ticks = axis.ticks(6);
    let names: Vec<Vec<String>> = rows.iter().map(|row| measure::wrap(&row.full_name, BOLD, WIDTH - 16.0, 3)).collect();
    let heights: Vec<f64> = rows
        .iter()
        .zip(&names)
        .map(|(row, name)| 25.0 + 16.0 * name.len() as f64 + STRIP + if row.verdict.is_some() { 18.0 } else { 0.0 })
        .collect();
    let top = 38.0;
    let bottom = top + heights.iter().sum::<f64>();
    let (_, legend_lines) = legend(rows, WIDTH - 16.0);
    let mut svg = Svg::new(WIDTH, bottom + 34.0 + 18.0 * legend_lines as f64, title);
    svg.text("small", (WIDTH / 2.0, 14.0), Anchor::Middle, "score of A, %");
    draw_tick_labels(&mut svg, &axis, &ticks, top - 7.0);
    let mut y = top;
    for (index, (row, (name, height))) in rows.iter().zip(names.iter().zip(&heights)).enumerate() {
        let strip = y + 6.0 + 16.0 * name.len() as f64;
        svg.open("", &row.pointer_text);
        if index % 2 == 0 {
            svg.rectangle("stripe", (0.0, y), (WIDTH, *height), None);
        }
        for (line, text) in name.iter().enumerate() {
            svg.text("strong", (8.0, y + 18.0 + 16.0 * line as f64), Anchor::Start, text);
        }
        // The grid is drawn in the strips alone, so that it does not cross the text.
        draw_grid(&mut svg, &axis, &ticks, (strip, strip + STRIP));
        row.draw_marks(&mut svg, &axis, strip + STRIP / 2.0);
        let base = strip + STRIP + 12.0;
        svg.text("number", (8.0, base), Anchor::Start, &row.score_text);
        if !row.published_text.is_empty() {
            let text = format!("published {}", row.published_text);
            svg.text("number", (WIDTH - 8.0, base), Anchor::End, &text);
        }
        row.draw_verdict(&mut svg, (8.0, base + 18.0));
        svg.close();
        y += height;
    }
    draw_tick_labels(&mut svg, &axis, &ticks, bottom + 16.0);
    draw_legend(&mut svg, rows, (8.0, bottom + 42.0), WIDTH - 16.0);
    svg.finish()
}
