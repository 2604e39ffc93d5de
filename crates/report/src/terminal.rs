//! The report as plain text for a terminal: aligned columns, and a forest plot in characters where it fits.

use std::fmt::Write;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::axis::Axis;
use crate::data::{Agreement, Comparison, Grid, HeatMap, IntervalKind, Matrix, Report, Section, TextTable};
use crate::escape::plain;
use crate::health;
use crate::numbers::{self, MISSING};
use crate::table;

/// The narrowest strip that still shows something.
const STRIP_LEAST: usize = 21;
/// Wider strips show no more.
const STRIP_MOST: usize = 41;
/// The strip stands after name, score and interval.
const STRIP_POSITION: usize = 3;
/// Names longer than this are cut.
const NAME_MOST: usize = 40;

/// Writes the report for a terminal of so many columns.
pub fn to_terminal(report: &Report, columns: usize) -> String {
    let mut out = String::new();
    line(&mut out, &plain(&report.title));
    let (games, planned) = report.progress();
    let games = if games < planned {
        format!("{} of {} games", numbers::count(games), numbers::count(planned))
    } else {
        format!("{} games", numbers::count(games))
    };
    let hash: String = report.hash.chars().take(12).collect();
    let facts = [plain(&report.version), plain(&hash), format!("seed {}", report.seed), games];
    line(&mut out, &facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(" · "));
    for section in &report.sections {
        out.push('\n');
        write_section(&mut out, section, columns);
    }
    out.push('\n');
    let verdicts = table::tally(report.tally());
    if !verdicts.is_empty() {
        let texts: Vec<String> = verdicts.iter().map(|(verdict, text)| format!("{} {text}", verdict.glyph())).collect();
        line(&mut out, &texts.join(", "));
    }
    let concerns: Vec<String> = health::checks(&report.health)
        .iter()
        .filter(|check| check.concern)
        .map(|check| format!("{}: {}", check.name.to_lowercase(), check.found))
        .collect();
    let concerns = if concerns.is_empty() { "no concerns".to_owned() } else { concerns.join(", ") };
    line(&mut out, &format!("health: {concerns}"));
    for note in &report.notes {
        line(&mut out, &format!("note: {}", plain(note)));
    }
    if !report.command.trim().is_empty() {
        line(&mut out, &format!("repeat with: {}", plain(&report.command)));
    }
    // A narrow space is not one column wide in every terminal.
    out.replace('\u{202f}', " ")
}

fn write_section(out: &mut String, section: &Section, columns: usize) {
    line(out, &plain(&section.title));
    if let Some(grid) = &section.grid {
        write_grid(out, section, grid, columns);
    }
    if !section.cells.is_empty() {
        write_cells(out, &section.cells, columns);
    }
    for curve in &section.curves {
        line(out, &format!("  {} (a curve; the page shows it)", plain(&curve.title)));
    }
    for table in section.heats.iter().flat_map(HeatMap::tables) {
        write_text_table(out, &table, columns);
    }
    if let Some(matrix) = &section.matrix {
        write_matrix(out, matrix, columns);
    }
    section.texts.iter().for_each(|text| write_text_table(out, text, columns));
}

/// A table of texts; what does not fit beside goes below, with the first column again.
fn write_text_table(out: &mut String, table: &TextTable, columns: usize) {
    line(out, &format!("  {}", plain(&table.title)));
    let entry = |row: &Vec<String>, column: usize| row.get(column).map_or_else(String::new, |text| plain(text));
    let last = table.rows.iter().map(Vec::len).max().unwrap_or(0);
    let add = |text: &mut Columns, column: usize| {
        let mut texts = table.rows.iter().map(|row| entry(row, column));
        let heading = texts.next().unwrap_or_default();
        // Numbers stand under each other, sentences begin together.
        let is_number = column > 0 && texts.clone().all(|text| text.width() < NAME_MOST);
        text.add(&heading, if is_number { Side::Right } else { Side::Left }, texts);
        text.width()
    };
    let mut column = 1;
    while column < last {
        let mut text = Columns::default();
        add(&mut text, 0);
        let first = column;
        while column < last {
            if add(&mut text, column) > columns && column > first {
                text.columns.pop();
                break;
            }
            column += 1;
        }
        text.write(out, |_| None);
    }
}

fn write_cells(out: &mut String, cells: &[Comparison], columns: usize) {
    let flat = cell_columns(cells, Comparison::full_name);
    // Games as headings leave more room for the strip, and for long names, than games in front of every name.
    let grouped = cell_columns(cells, |cell| format!("  {}", cell.name()));
    let room = |text: &Columns| columns.saturating_sub(text.width() + 2);
    let is_cut = cells.iter().any(|cell| plain(&cell.full_name()).width() > NAME_MOST);
    let group = (is_cut || room(&flat) < STRIP_LEAST) && room(&grouped) >= STRIP_LEAST;
    let mut text = if group { grouped } else { flat };
    let room = room(&text).min(STRIP_MOST);
    let mut drawn = false;
    if room >= STRIP_LEAST {
        let strip = Strip::new(cells, room);
        text.insert(STRIP_POSITION, &strip.heading(), cells.iter().map(|cell| strip.draw(cell)));
        drawn = true;
    }
    let game = |row: usize| cells.get(row).filter(|_| group).and_then(Comparison::game_beside_name);
    text.write(out, |row| game(row).filter(|_| row == 0 || game(row) != game(row - 1)).map(plain));
    if drawn {
        line(out, "  ● ours, differs from 50 %   ○ ours, may be 50 %   ◇ published   ◈ ours on published");
    }
    let is_beside_half = |(low, high): (f64, f64)| low > 0.5 || high < 0.5;
    if drawn && cells.iter().any(|cell| !cell.significant && cell.interval.is_some_and(is_beside_half)) {
        line(out, "  among so many cells some miss 50 % by chance: ● holds at 5 % for all of them together (Holm)");
    }
    if cells.iter().any(|cell| matches!(cell.verdict, Some(Agreement::Undecided { more_games: 1.. }))) {
        line(out, "  ? undecided: about so many more games would tell");
    }
}

fn cell_columns(cells: &[Comparison], name: impl Fn(&Comparison) -> String) -> Columns {
    let verdict = |cell: &Comparison| match cell.verdict {
        None => String::new(),
        Some(Agreement::Undecided { more_games }) if more_games > 0 => format!("? +{}", numbers::count(more_games)),
        Some(verdict) => format!("{} {}", verdict.glyph(), verdict.words()),
    };
    let name = |cell: &Comparison| {
        let name = name(cell);
        let indent = name.len() - name.trim_start().len();
        format!("{}{}", &name[..indent], cut_middle(&plain(&name), NAME_MOST))
    };
    let score = |cell: &Comparison| if cell.games == 0 { MISSING.to_owned() } else { numbers::percent(cell.score) };
    let interval = |cell: &Comparison| numbers::interval(cell.interval.filter(|_| cell.games > 0));
    let published = |cell: &Comparison| cell.published.as_ref().map_or_else(String::new, numbers::published);
    let mut text = Columns::default();
    text.add("", Side::Left, cells.iter().map(name));
    text.add("win %", Side::Right, cells.iter().map(score));
    text.add(&format!("95 % {}", IntervalKind::names(cells)), Side::Left, cells.iter().map(interval));
    text.add("published", Side::Left, cells.iter().map(published));
    text.add("games", Side::Right, cells.iter().map(|cell| table::games(cell).replace(" of ", "/")));
    text.add("verdict", Side::Left, cells.iter().map(verdict));
    let course = |cell: &Comparison| cell.course.as_ref().map_or_else(String::new, |course| plain(&course.short));
    text.add("course", Side::Left, cells.iter().map(course));
    text
}

fn write_grid(out: &mut String, section: &Section, grid: &Grid, columns: usize) {
    // Without the spaces around the sign, four columns fit into a hundred characters.
    let rows: Vec<(&str, Vec<String>)> = grid.rows(section, |cell| table::entry(cell).replace(" ± ", "±")).collect();
    let mut text = Columns::default();
    text.add("", Side::Left, rows.iter().map(|(heading, _)| cut(&plain(heading), NAME_MOST)));
    for (column, heading) in grid.columns.iter().enumerate() {
        text.add(&plain(heading), Side::Left, rows.iter().map(|(_, entries)| entries[column].clone()));
    }
    // Where it does not fit, the list below says the same.
    if text.width() <= columns {
        text.write(out, |_| None);
        line(out, &format!("  {}", table::entry_meaning(&section.cells)));
    }
}

fn write_matrix(out: &mut String, matrix: &Matrix, columns: usize) {
    let mut text = Columns::default();
    let names = matrix.labels.iter().enumerate();
    text.add("", Side::Left, names.map(|(index, label)| format!("{} {}", index + 1, cut(&plain(label), NAME_MOST))));
    for column in 0..matrix.labels.len() {
        let value = |row: usize| matrix.values.get(row).and_then(|values| values.get(column).copied().flatten());
        let cell = |row: usize| value(row).map_or_else(|| MISSING.to_owned(), numbers::percent);
        text.add(&(column + 1).to_string(), Side::Right, (0..matrix.labels.len()).map(cell));
    }
    if text.width() > columns {
        line(out, &format!("  {} (a matrix; the page shows it)", plain(&matrix.title)));
        return;
    }
    line(out, &format!("  {} ({}, %)", plain(&matrix.title), matrix.relation.short()));
    text.write(out, |_| None);
}

/// A forest plot, one line of characters per cell.
struct Strip {
    axis: Axis,
    low: f64,
    high: f64,
    width: usize,
}

impl Strip {
    /// From and to a multiple of five, with 50 % inside.
    fn new(cells: &[Comparison], width: usize) -> Self {
        let values = cells.iter().flat_map(|cell| {
            let published = cell.published.as_ref().and_then(|published| numbers::percentage(published.score));
            let ours = [numbers::percentage(cell.score), numbers::percentages(cell.interval).map(|(low, _)| low)];
            let high = numbers::percentages(cell.interval).map(|(_, high)| high);
            ours.into_iter().chain([high]).filter(|_| cell.games > 0).chain([published]).flatten()
        });
        let (low, high) = values.fold((45.0, 55.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)));
        let (low, high) = ((low / 5.0).floor() * 5.0, (high / 5.0).ceil() * 5.0);
        let axis = Axis::over([low, high], false).unwrap_or_else(|| unreachable!("both ends are finite"));
        Self { axis: axis.placed(0.0, (width - 1) as f64), low, high, width }
    }

    fn place(&self, percent: f64) -> usize {
        (self.axis.place(percent).round() as usize).min(self.width - 1)
    }

    /// The ends of the scale, and one half where it stands.
    fn heading(&self) -> String {
        let mut heading = vec![' '; self.width];
        let mut put = |position: usize, text: &str| {
            for (index, digit) in text.chars().enumerate() {
                heading[position + index] = digit;
            }
        };
        let high = numbers::fixed(self.high, 0);
        put(0, &numbers::fixed(self.low, 0));
        put(self.width - high.len(), &high);
        let half = self.place(50.0);
        if (3..self.width - high.len() - 2).contains(&half) {
            put(half, "50");
        }
        heading.into_iter().collect()
    }

    fn draw(&self, cell: &Comparison) -> String {
        let mut strip = vec![' '; self.width];
        let half = self.place(50.0);
        strip[half] = '┊';
        let played = cell.games > 0;
        if let Some((low, high)) = numbers::percentages(cell.interval).filter(|_| played) {
            let (low, high) = (self.place(low), self.place(high));
            strip[low..=high].fill('─');
            if (low..=high).contains(&half) {
                strip[half] = '┼';
            }
            if high > low {
                (strip[low], strip[high]) = ('├', '┤');
            }
        }
        if let Some(published) = cell.published.as_ref().and_then(|published| numbers::percentage(published.score)) {
            strip[self.place(published)] = '◇';
        }
        if let Some(score) = numbers::percentage(cell.score).filter(|_| played) {
            let position = self.place(score);
            // Where both stand on one spot, one sign says so.
            strip[position] = match (strip[position], cell.significant) {
                ('◇', _) => '◈',
                (_, true) => '●',
                (_, false) => '○',
            };
        }
        strip.into_iter().collect()
    }
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// Columns of text, each as wide as its widest entry; columns without entries are left out.
#[derive(Default)]
struct Columns {
    columns: Vec<(Side, usize, Vec<String>)>,
}

impl Columns {
    fn add(&mut self, heading: &str, side: Side, texts: impl Iterator<Item = String>) {
        let texts: Vec<String> = [heading.to_owned()].into_iter().chain(texts).collect();
        if texts[1..].iter().any(|text| !text.is_empty()) {
            let width = texts.iter().map(|text| text.width()).max().unwrap_or(0);
            self.columns.push((side, width, texts));
        }
    }

    fn insert(&mut self, position: usize, heading: &str, texts: impl Iterator<Item = String>) {
        self.add(heading, Side::Left, texts);
        if let Some(column) = self.columns.pop() {
            self.columns.insert(position.min(self.columns.len()), column);
        }
    }

    /// Width with two spaces before each column.
    fn width(&self) -> usize {
        self.columns.iter().map(|(_, width, _)| width + 2).sum()
    }

    /// Writes heading and rows; `before` may give a line to stand before a row.
    fn write(&self, out: &mut String, before: impl Fn(usize) -> Option<String>) {
        let rows = self.columns.iter().map(|(_, _, texts)| texts.len()).max().unwrap_or(0);
        for row in 0..rows {
            if let Some(heading) = row.checked_sub(1).and_then(&before) {
                line(out, &format!("  {heading}"));
            }
            let mut text = String::new();
            for (side, width, texts) in &self.columns {
                let entry = &texts[row];
                let space = " ".repeat(width - entry.width());
                let _ = match side {
                    Side::Left => write!(text, "  {entry}{space}"),
                    Side::Right => write!(text, "  {space}{entry}"),
                };
            }
            line(out, text.trim_end());
        }
    }
}

/// The text in at most so many columns, without its middle: cells of one game differ at the end of their names.
fn cut_middle(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let mut room = most / 2;
    let mut tail: Vec<char> = Vec::new();
    for character in text.chars().rev() {
        let Some(left) = room.checked_sub(character.width().unwrap_or(0)) else { break };
        room = left;
        tail.push(character);
    }
    let tail: String = tail.into_iter().rev().collect();
    // Half a word says nothing.
    cut(text, most - most / 2) + tail.find(' ').map_or(tail.as_str(), |space| &tail[space..])
}

/// The text in at most so many columns.
fn cut(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let mut room = most - 1;
    let fitting = text.chars().take_while(|character| {
        let width = character.width().unwrap_or(0);
        let fits = width <= room;
        room = room.saturating_sub(width);
        fits
    });
    fitting.collect::<String>() + "…"
}

fn line(out: &mut String, text: &str) {
    out.push_str(text.trim_end());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_both_ends() {
        let name =
            |simulations: u32| format!("breakthrough(rows=6, columns=6) · mast – uniform · {simulations} simulations");
        let [few, many] = [200, 400].map(|simulations| cut_middle(&name(simulations), NAME_MOST));
        assert_eq!(few, "breakthrough(rows=6… · 200 simulations");
        assert!(few != many && many.width() <= NAME_MOST);
        assert_eq!(cut_middle("short", NAME_MOST), "short");
    }
}
