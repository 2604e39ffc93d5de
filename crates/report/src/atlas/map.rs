//! The map: a square for each published number, in the rows and columns of its table.

use super::{Atlas, Block, Mark, Standing, tally};
use crate::figures::with_style;
use crate::measure;
use crate::svg::{Anchor, Svg, Width};

/// Colours and sizes of the map, beside those of all figures.
pub(super) const STYLE: &str = "\
.is-agrees { --m: var(--green); } .is-explained, .is-differs { --m: var(--vermilion); }\n\
.is-undecided { --m: var(--sky); } .is-unplayed { --m: var(--muted); }\n\
svg .field { fill: var(--m); stroke: var(--m); stroke-width: 1.4; }\n\
svg .is-differs .field { fill: var(--back); stroke-width: 2.4; }\n\
svg .is-undecided .field { fill-opacity: .22; }\n\
svg .is-unplayed .field { fill: var(--back); stroke-opacity: .5; stroke-dasharray: 2 2; }\n\
svg text.letter { font-weight: 700; font-size: 14px; fill: var(--front); }\n\
svg .is-agrees text.letter, svg .is-explained text.letter { fill: var(--back); }\n\
svg .is-differs text.letter { fill: var(--vermilion); } svg .is-unplayed text.letter { fill: var(--muted); }\n\
svg .corner { fill: var(--back); stroke: var(--m); stroke-width: 1; }\n\
svg text.tiny { font-size: 9px; font-weight: 700; fill: var(--front); }\n\
svg text.axis-name { font-size: 11px; fill: var(--muted); stroke: none; }\n\
svg a { text-decoration: none; }\n";

/// Size of the names of rows and columns.
const NAME: f64 = 11.0;
/// Size of headings; they are bold, and so a little wider than their size says.
const HEADING: f64 = 14.2;
/// How steep the names of narrow columns are, in degrees.
const STEEP: f64 = 66.0;

/// Sizes of one layout.
struct Layout {
    width: f64,
    cell: (f64, f64),
    gap: f64,
    /// Space between two blocks.
    between: f64,
    /// Space for the names of rows, where all blocks have the same.
    label: f64,
    /// Space for the names of columns that are not turned.
    head: f64,
    turned: bool,
    corners: bool,
}

const WIDE: Layout = Layout {
    width: 1080.0,
    cell: (40.0, 27.0),
    gap: 3.0,
    between: 40.0,
    label: 118.0,
    head: 46.0,
    turned: false,
    corners: true,
};
const NARROW: Layout = Layout {
    width: 360.0,
    cell: (17.0, 19.0),
    gap: 2.0,
    between: 8.0,
    label: 0.0,
    head: 0.0,
    turned: true,
    corners: false,
};

/// The map as a picture that brings its own colours, for light and dark pages, and leads to the page beside it.
pub fn map_picture(atlas: &Atlas) -> String {
    let svg = with_style(&map(atlas, Width::Wide)).replace("<a href=\"#", "<a href=\"index.html#");
    svg.replacen("</style>", &format!("{STYLE}</style>"), 1)
}

/// The map; marks link to what the page says of them.
pub(super) fn map(atlas: &Atlas, width: Width) -> String {
    let layout = if width == Width::Wide { &WIDE } else { &NARROW };
    let count = atlas.marks().count();
    let places = places(atlas, layout);
    let bottom = places.iter().map(|one| one.corner.1 + one.height(layout)).fold(0.0, f64::max);
    let legend_lines = legend_places(atlas, layout).1;
    let title = format!("The map of {count} published numbers; the tables below say the same in words.");
    let mut svg = Svg::new(layout.width, bottom + 16.0 + 20.0 * legend_lines as f64, &title);
    for one in &places {
        draw_block(&mut svg, one, layout);
    }
    draw_legend(&mut svg, atlas, layout, bottom + 26.0);
    svg.finish()
}

impl Layout {
    fn step(&self) -> (f64, f64) {
        (self.cell.0 + self.gap, self.cell.1 + self.gap)
    }
}

/// A block on the map.
struct Placed {
    block: Block,
    corner: (f64, f64),
    /// Rows are named once in a line of blocks with the same rows.
    is_named: bool,
    /// How wide its heading may be.
    room: f64,
}

impl Placed {
    fn label(&self, layout: &Layout) -> f64 {
        let longest = self.block.rows.iter().map(|name| measure::width(name, NAME)).fold(0.0, f64::max);
        if self.is_named { layout.label.max(longest + 9.0) } else { 0.0 }
    }

    /// Space for the heading and the names of columns: turned ones need as much as the longest.
    fn head(&self, layout: &Layout) -> f64 {
        let rise = |name: &String| 18.0 + STEEP.to_radians().sin() * measure::width(&in_one_line(name), NAME);
        let names = self.block.columns.iter().filter(|_| layout.turned);
        names.map(rise).fold(layout.head, f64::max)
    }

    fn height(&self, layout: &Layout) -> f64 {
        self.head(layout) + 22.0 + layout.step().1 * self.block.rows.len() as f64
    }

    /// How far names of turned columns lean out at the right.
    fn overhang(&self, layout: &Layout) -> f64 {
        let count = self.block.columns.len();
        let lean = |(column, name): (usize, &String)| {
            let end = STEEP.to_radians().cos() * measure::width(&in_one_line(name), NAME);
            end + 12.0 - layout.step().0 * (count - 1 - column) as f64 - layout.cell.0 / 2.0
        };
        let names = self.block.columns.iter().enumerate().filter(|_| layout.turned);
        names.map(lean).fold(0.0, f64::max)
    }

    fn width(&self, layout: &Layout) -> f64 {
        self.label(layout) + layout.step().0 * self.block.columns.len() as f64
    }
}

/// The name of a column without its break.
fn in_one_line(name: &str) -> String {
    name.replace("-\n", "").replace('\n', " ").trim().to_owned()
}

/// Rows as columns.
fn turned(block: &Block) -> Block {
    let marks = (0..block.columns.len())
        .map(|column| block.marks.iter().map(|row| row.get(column).cloned().flatten()).collect())
        .collect();
    let rows = block.columns.iter().map(|name| name.replace('\n', " ")).collect();
    Block { title: block.title.clone(), columns: block.rows.clone(), rows, marks }
}

/// Blocks in lines from left to right; where there is room, the tallest stands at the right of all.
fn places(atlas: &Atlas, layout: &Layout) -> Vec<Placed> {
    let mut blocks: Vec<Block> = atlas.chapters.iter().flat_map(|chapter| &chapter.blocks).cloned().collect();
    let tallest = match layout.turned {
        true => {
            blocks.iter_mut().filter(|block| block.rows.len() > 8).for_each(|block| *block = turned(block));
            None
        }
        false => (0..blocks.len())
            .filter(|&index| blocks[index].rows.len() > 8)
            .max_by_key(|&index| blocks[index].rows.len()),
    };
    let mut right = layout.width;
    let mut places: Vec<Placed> = Vec::new();
    if let Some(index) = tallest {
        let mut placed = Placed { block: blocks.remove(index), corner: (0.0, 0.0), is_named: true, room: 0.0 };
        placed.room = placed.width(layout);
        right -= placed.width(layout) + layout.between;
        placed.corner = (right + layout.between, 0.0);
        places.push(placed);
    }
    let (mut x, mut y, mut lowest) = (0.0, 0.0, 0.0f64);
    let mut rows: Vec<String> = Vec::new();
    for block in blocks {
        let is_named = x == 0.0 || block.rows != rows;
        let mut placed = Placed { is_named, block, corner: (x, y), room: right - x };
        if x > 0.0 && x + placed.width(layout) + placed.overhang(layout) > right + 1.0 {
            (x, y) = (0.0, lowest);
            placed = Placed { is_named: true, corner: (x, y), room: right, ..placed };
        } else if let Some(before) = places.last_mut().filter(|_| x > 0.0) {
            before.room = x - before.corner.0 - 6.0;
        }
        rows.clone_from(&placed.block.rows);
        lowest = lowest.max(y + placed.height(layout));
        x += placed.width(layout) + layout.between;
        places.push(placed);
    }
    places
}

fn draw_block(svg: &mut Svg, placed: &Placed, layout: &Layout) {
    let Placed { block, corner: (x, y), .. } = placed;
    let (x, y, label) = (*x, *y, placed.label(layout));
    let (step_x, step_y) = layout.step();
    // Beside others there may be room for no more than its number.
    let short = block.title.split(':').next().unwrap_or_default();
    let title = if measure::width(&block.title, HEADING) > placed.room { short } else { &block.title };
    svg.text("strong", (x, y + 15.0), Anchor::Start, &measure::fit(title, HEADING, placed.room));
    let top = y + placed.head(layout) + 12.0;
    for (column, name) in block.columns.iter().enumerate() {
        let middle = x + label + step_x * column as f64 + layout.cell.0 / 2.0;
        if layout.turned {
            svg.turned_text("axis-name", (middle + 4.0, top - 5.0), Anchor::Start, -STEEP, &in_one_line(name));
        } else {
            for (line, text) in lines(name).iter().enumerate() {
                svg.text("axis-name", (middle, top - 18.0 + 12.0 * line as f64), Anchor::Middle, text);
            }
        }
    }
    for (row, (name, marks)) in block.rows.iter().zip(&block.marks).enumerate() {
        let middle = top + step_y * row as f64 + layout.cell.1 / 2.0;
        if placed.is_named {
            svg.text("axis-name", (x + label - 7.0, middle + 4.0), Anchor::End, name);
        }
        for (column, mark) in marks.iter().enumerate() {
            let corner = (x + label + step_x * column as f64, middle - layout.cell.1 / 2.0);
            if let Some(mark) = mark {
                draw_mark(svg, mark, corner, layout);
            }
        }
    }
}

/// Two lines of a heading.
fn lines(name: &str) -> [&str; 2] {
    name.split_once('\n').unwrap_or(("", name)).into()
}

fn draw_mark(svg: &mut Svg, mark: &Mark, (x, y): (f64, f64), layout: &Layout) {
    let (width, height) = layout.cell;
    let right = if mark.right.is_empty() { String::new() } else { format!("\nright rules: {}", mark.right) };
    let title =
        format!("{}\npublished {}\nours: {}{right}\n{}", mark.name, mark.published, mark.ours, mark.standing.words());
    svg.open_link(&format!("#{}", mark.id));
    svg.open(&format!("mark-of {}", mark.standing.class()), &title);
    svg.rectangle("field", (x, y), (width, height), None);
    svg.text("letter", (x + width / 2.0, y + height / 2.0 + 5.0), Anchor::Middle, mark.standing.letter());
    svg.close();
    if let Some(beside) = mark.beside.filter(|beside| layout.corners && *beside != Standing::Unplayed) {
        svg.open(beside.class(), "");
        svg.rectangle("corner", (x + width - 12.0, y + height - 12.0), (11.0, 11.0), None);
        svg.text("tiny", (x + width - 6.5, y + height - 3.3), Anchor::Middle, beside.letter());
        svg.close();
    }
    svg.close_link();
}

type Items = Vec<(Standing, String, (f64, f64))>;

fn legend_places(atlas: &Atlas, layout: &Layout) -> (Items, usize) {
    let texts: Vec<(Standing, String)> = Standing::ALL
        .into_iter()
        .zip(tally(atlas.marks()))
        .map(|(standing, count)| (standing, format!("{count} {}", standing.words())))
        .collect();
    let widths: Vec<f64> = texts.iter().map(|(_, text)| 27.0 + measure::width(text, 13.0)).collect();
    let (places, lines) = measure::flow(&widths, layout.width, 16.0, 22.0);
    let items = texts.into_iter().zip(places).map(|((standing, text), place)| (standing, text, place)).collect();
    (items, lines + usize::from(layout.corners))
}

fn draw_legend(svg: &mut Svg, atlas: &Atlas, layout: &Layout, y: f64) {
    let (items, lines) = legend_places(atlas, layout);
    for (standing, text, (dx, dy)) in items {
        svg.open(standing.class(), "");
        svg.rectangle("field", (dx, y + dy - 14.0), (20.0, 18.0), None);
        svg.text("letter", (dx + 10.0, y + dy), Anchor::Middle, standing.letter());
        svg.close();
        svg.text("", (dx + 26.0, y + dy), Anchor::Start, &text);
    }
    if layout.corners {
        let below = y + 22.0 * lines.saturating_sub(1) as f64;
        svg.text(
            "small",
            (0.0, below),
            Anchor::Start,
            "Large letter: the rules and the search of the paper. Small letter at the corner: the right rules and the corrected search.",
        );
    }
}
