//! Scenes as pictures that stand alone: for the texts of rules and for pages that are kept and sent. The page itself draws
//! the same shapes in `pages/board.js` and `pages/pieces.js`, where they can be touched. What the styles of pages would change
//! is written as a style here.

use spinney_core::Player;
use spinney_core::scene::{Cell, Figure, Piece, Scene, Shape, Tone};
use std::fmt::Write as _;

/// Units of a cell.
const UNIT: f32 = 60.0;
const CELL: &str = "#ecdfc6";
const LINE: &str = "#a58b5c";
const GROUND: &str = "#dcc8a3";
const INK: &str = "#33291a";
/// Fill, edge and details of both players' pieces.
const COLOURS: [[&str; 3]; 2] = [["#fffdf7", "#4a4031", "#4a4031"], ["#2c3138", "#14171b", "#e9e4d8"]];
const NEUTRAL: &str = "#7d6a48";

/// A move to be shown on a board: the cells that it touches, in order.
#[derive(Clone, Debug)]
pub struct Trail {
    /// Names of cells.
    pub steps: Vec<String>,
    /// Its colour.
    pub colour: &'static str,
}

/// The board of a scene as SVG, `width` pixels wide; `None` where there is no board. Trails are drawn above the pieces.
///
/// ```
/// let table = spinney_table::open_table("tic-tac-toe", None).unwrap();
/// let svg = spinney_web::drawing::svg(&table.scene(), 200, "an empty board", &[]).unwrap();
/// assert!(svg.starts_with("<svg") && svg.contains("an empty board") && !svg.contains('\n'));
/// ```
pub fn svg(scene: &Scene, width: u32, caption: &str, trails: &[Trail]) -> Option<String> {
    if scene.cells.is_empty() {
        return None;
    }
    let frame = Frame::of(scene);
    let Frame { left, top, wide, high, .. } = frame;
    let height = (width as f32 * high / wide).round();
    let caption = escape(caption);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {wide} {high}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{caption}\" font-family=\"system-ui, sans-serif\" text-anchor=\"middle\">"
    );
    frame.ground(&mut text, scene);
    for [from, to] in &scene.lines {
        let [(x1, y1), (x2, y2)] = [from, to].map(|&at| centre(&scene.cells[at]));
        add(&mut text, format_args!("<path d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"{LINE}\" stroke-width=\"2\"/>"));
    }
    scene.cells.iter().for_each(|one| cell(&mut text, scene.shape, one));
    frame.coordinates(&mut text, scene);
    scene.pieces.iter().for_each(|one| piece(&mut text, scene, one));
    trails.iter().for_each(|one| trail(&mut text, scene, one));
    text.push_str("</svg>");
    Some(text)
}

/// Writing to a string never fails.
fn add(text: &mut String, words: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(words);
}

/// Text within markup.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn rounded(number: f32) -> f32 {
    (number * 10.0).round() / 10.0
}

fn centre(cell: &Cell) -> (f32, f32) {
    (rounded(cell.x * UNIT), rounded(cell.y * UNIT))
}

/// What of the plane is seen.
struct Frame {
    left: f32,
    top: f32,
    wide: f32,
    high: f32,
    /// From the outermost cells to the border.
    border: f32,
    /// The corners of the cells' centres.
    low: (f32, f32),
    end: (f32, f32),
    /// Whether letters and numbers stand at the edges, as in chess.
    is_chess: bool,
}

impl Frame {
    fn of(scene: &Scene) -> Self {
        let fold = |pick: fn(f32, f32) -> f32, from: f32| {
            let pick_both = |(x, y): (f32, f32), (a, b): (f32, f32)| (pick(x, a), pick(y, b));
            scene.cells.iter().map(centre).fold((from, from), pick_both)
        };
        let (low, end) = (fold(f32::min, f32::MAX), fold(f32::max, f32::MIN));
        let border = UNIT * if scene.shape == Shape::Hexagon { 0.58 } else { 0.5 } + 6.0;
        let named = |cell: &Cell| {
            let digits = cell.name.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
            digits.len() < cell.name.len() && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_chess = matches!(scene.shape, Shape::Square | Shape::Point) && scene.cells.iter().all(named);
        let rim = if is_chess { 26.0 } else { 0.0 };
        let (left, top) = (low.0 - border - rim, low.1 - border);
        let (wide, high) = (end.0 + border - left, end.1 + border + rim - top);
        let [left, top, wide, high] = [left, top, wide, high].map(rounded);
        Self { left, top, wide, high, border, low, end, is_chess }
    }

    fn ground(&self, text: &mut String, scene: &Scene) {
        let (x, y) = (self.low.0 - self.border, self.low.1 - self.border);
        let (width, height) = (self.end.0 + self.border - x, self.end.1 + self.border - y);
        if matches!(scene.shape, Shape::Square | Shape::Point) {
            let fill = if scene.shape == Shape::Point { CELL } else { GROUND };
            add(
                text,
                format_args!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"{fill}\"/>"
                ),
            );
        } else {
            for cell in &scene.cells {
                outline(text, scene.shape, centre(cell), 1.25, &format!("fill=\"{GROUND}\""));
            }
        }
    }

    fn coordinates(&self, text: &mut String, scene: &Scene) {
        for cell in &scene.cells {
            let (x, y) = centre(cell);
            if self.is_chess {
                let at = cell.name.find(|letter: char| letter.is_ascii_digit()).unwrap_or(0);
                let (letters, digits) = cell.name.split_at(at);
                if y == self.end.1 {
                    label(text, (x, self.end.1 + self.border + 19.0), 17.0, letters);
                }
                if x == self.low.0 {
                    label(text, (self.low.0 - self.border - 14.0, y + 6.0), 17.0, digits);
                }
            } else if scene.shape != Shape::Square {
                label(text, (x, y + 30.0), 11.0, &cell.name);
            } else if cell.name.bytes().all(|byte| byte.is_ascii_digit()) && !cell.name.is_empty() {
                label(text, (x - 20.0, y - 17.0), 12.0, &cell.name);
            }
        }
    }
}

fn label(text: &mut String, (x, y): (f32, f32), size: f32, words: &str) {
    let words = escape(words);
    add(
        text,
        format_args!("<text x=\"{x}\" y=\"{y}\" style=\"font-size:{size}px;fill:{INK}\" opacity=\".7\">{words}</text>"),
    );
}

fn cell(text: &mut String, shape: Shape, cell: &Cell) {
    let fill = match cell.tone {
        Tone::Plain => CELL,
        Tone::Dark => "#d9c29b",
        Tone::Marked => "#cfd9bd",
        Tone::Home(Player::First) => "#f6efe0",
        Tone::Home(Player::Second) => "#c8b087",
    };
    let size = match shape {
        Shape::Square | Shape::Hexagon => 1.0,
        Shape::Point if cell.tone == Tone::Plain => 0.1,
        Shape::Point => 0.5,
        Shape::Hole => 0.74,
    };
    outline(text, shape, centre(cell), size, &format!("fill=\"{fill}\" stroke=\"{LINE}\""));
}

/// A cell's outline, `size` times as large as the cell.
fn outline(text: &mut String, shape: Shape, (x, y): (f32, f32), size: f32, look: &str) {
    let side = UNIT * size;
    match shape {
        Shape::Square => {
            let (left, top) = (x - side / 2.0, y - side / 2.0);
            add(text, format_args!("<rect x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\" {look}/>"));
        }
        Shape::Hexagon => {
            let corner = |at: u8| {
                let angle = std::f32::consts::PI * (1.0 / 6.0 + f32::from(at) / 3.0);
                let radius = side / 3.0f32.sqrt();
                format!("{},{}", rounded(x + radius * angle.cos()), rounded(y + radius * angle.sin()))
            };
            let corners: Vec<String> = (0..6).map(corner).collect();
            add(text, format_args!("<polygon points=\"{}\" {look}/>", corners.join(" ")));
        }
        Shape::Point | Shape::Hole => {
            add(text, format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" {look}/>", side / 2.0));
        }
    }
}

fn piece(text: &mut String, scene: &Scene, piece: &Piece) {
    let (x, y) = centre(&scene.cells[piece.cell]);
    let [fill, edge, detail] = piece.owner.map_or(["#cfd9bd", NEUTRAL, NEUTRAL], |owner| COLOURS[owner.index()]);
    let is_second = piece.owner == Some(Player::Second);
    let body = |path: &str| format!("<path d=\"{path}\" style=\"fill:{fill}\" stroke=\"{edge}\" stroke-width=\"2\"/>");
    let drawn = |path: &str| format!("<path d=\"{path}\" fill=\"none\" stroke=\"{detail}\" stroke-width=\"2.2\"/>");
    let disc = |r: f32| format!("<circle r=\"{r}\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"2\"/>");
    let dot = |r: f32, y: f32| {
        if is_second { format!("<circle cy=\"{y}\" r=\"{r}\" fill=\"{detail}\"/>") } else { String::new() }
    };
    let thick = |shape: &str| {
        let colour = if is_second { COLOURS[1][0] } else { COLOURS[0][1] };
        format!("<g fill=\"none\" stroke=\"{colour}\" stroke-width=\"8\" stroke-linecap=\"round\">{shape}</g>")
    };
    let shapes = match &piece.figure {
        Figure::Stone => disc(21.0) + &dot(5.0, 0.0),
        Figure::King => disc(22.0) + &drawn("M-13 8 L-16 -9 L-7 -1 L0 -13 L7 -1 L16 -9 L13 8 Z"),
        Figure::Pawn => {
            body(
                "M-16 22 C-16 13 -8 12 -6 1 L-10 1 L-10 -4 L-5 -4 A10 10 0 1 1 5 -4 L10 -4 L10 1 L6 1 C8 12 16 13 16 22 Z",
            ) + &dot(3.0, -12.0)
        }
        Figure::Queen => {
            body("M-15 20 L-12 6 L-21 -11 L-10 -3 L-9 -18 L0 -6 L9 -18 L10 -3 L21 -11 L12 6 L15 20 Z")
                + &drawn("M-13 13 H13")
                + &dot(3.5, 5.0)
        }
        Figure::Soldier => {
            let sign = if is_second { "M-9 -8 L9 9 M9 -8 L-9 9" } else { "M0 -13 V13 M-9 -2 H9" };
            body("M0 -21 L17 -14 V1 C17 12 9 18 0 22 C-9 18 -17 12 -17 1 V-14 Z") + &drawn(sign)
        }
        Figure::Town => {
            body("M-20 22 V-18 H-12 V-10 H-4 V-18 H4 V-10 H12 V-18 H20 V22 Z") + &drawn("M-6 22 V8 A6 6 0 0 1 6 8 V22")
        }
        Figure::Burnt => format!(
            "<rect x=\"-24\" y=\"-24\" width=\"48\" height=\"48\" rx=\"6\" fill=\"{NEUTRAL}\"/>\
             <path d=\"M-11 -11 L11 11 M11 -11 L-11 11\" stroke=\"{CELL}\" stroke-width=\"4\" stroke-linecap=\"round\"/>"
        ),
        Figure::Cross => thick("<path d=\"M-16 -16 L16 16 M16 -16 L-16 16\"/>"),
        Figure::Ring => thick("<circle r=\"17\"/>"),
        Figure::Runner => body("M-3 21 V-20 L17 -11 L1 -3 V21 Z"),
        Figure::Text(words) => {
            let size = (52.0 / words.chars().count().max(1) as f32 + 4.0).clamp(10.0, 22.0);
            let shown = escape(&words.chars().take(9).collect::<String>());
            format!(
                "<rect x=\"-23\" y=\"-19\" width=\"46\" height=\"38\" rx=\"10\" fill=\"{fill}\" stroke=\"{edge}\"/>\
                 <text y=\"{}\" style=\"font-size:{size}px;fill:{detail}\">{shown}</text>",
                rounded(size * 0.35)
            )
        }
    };
    add(text, format_args!("<g transform=\"translate({x} {y})\">{shapes}</g>"));
}

fn trail(text: &mut String, scene: &Scene, trail: &Trail) {
    let place = |name: &String| scene.cells.iter().find(|cell| cell.name == *name).map(centre);
    let places: Vec<(f32, f32)> = trail.steps.iter().filter_map(place).collect();
    let Some((x, y)) = places.last() else { return };
    let colour = trail.colour;
    let way: Vec<String> = places.iter().map(|(x, y)| format!("{x} {y}")).collect();
    let way = way.join("L");
    add(
        text,
        format_args!(
            "<path d=\"M{way}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"6\" stroke-linecap=\"round\" opacity=\".8\"/>\
             <circle cx=\"{x}\" cy=\"{y}\" r=\"10\" fill=\"{colour}\" stroke=\"#fff\" stroke-width=\"2\"/>"
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_games::manual;

    /// The pictures of the rules are those of the games; written anew with `SPINNEY_WRITE_PICTURES=1`.
    #[test]
    fn the_pictures_of_the_rules_are_not_stale() {
        for entry in spinney_games::entries() {
            let Some(manual) = manual::of(entry.name) else { continue };
            let pictures = manual.pictures();
            let Some(picture) = pictures.first() else { continue };
            let mut table = spinney_table::open_table(entry.name, picture.position).expect(entry.name);
            for (number, mv) in picture.moves.iter().enumerate() {
                table.play(mv).expect(entry.name);
                table.draw_outcome(spinney_core::Seed::new(number as u64));
            }
            let Some(svg) = svg(&table.scene(), 280, picture.caption, &[]) else { panic!("{}: no board", entry.name) };
            let file = format!("{}/../../data/rules/{}.svg", env!("CARGO_MANIFEST_DIR"), entry.name);
            if std::env::var_os("SPINNEY_WRITE_PICTURES").is_some() {
                std::fs::write(&file, format!("{svg}\n")).unwrap();
            }
            let known = std::fs::read_to_string(&file).unwrap_or_default();
            assert!(known.trim_end() == svg, "{file}: write it anew with SPINNEY_WRITE_PICTURES=1");
        }
    }

    #[test]
    fn texts_stay_texts() {
        assert_eq!(escape("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
        let mut scene = Scene::squares(1, 1, |_, _| Tone::Plain);
        scene.put(0, None, Figure::Text("<i>".to_string()));
        let steps = vec!["a1".to_string(), "z9".to_string()];
        let drawn = svg(&scene, 100, "a < b", &[Trail { steps, colour: "#000" }]).unwrap();
        assert!(drawn.contains("&lt;i&gt;") && drawn.contains("a &lt; b") && drawn.contains("r=\"10\""), "{drawn}");
        assert_eq!(svg(&Scene::default(), 100, "", &[]), None);
    }
}
