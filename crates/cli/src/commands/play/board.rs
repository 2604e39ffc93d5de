//! Boards with colours and with the last move, wherever the text of a board and its scene can be laid over each other: the
//! rows of cells are lines of the text, a cell is a word, and empty cells begin with a dot. No game is named here.

use console::{Style, Term};
use spinney_core::Player;
use spinney_core::scene::Scene;
use spinney_table::Table;
use std::ops::Range;

/// How boards are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// As text, for files and other programs.
    Plain,
    /// With brackets round the place where the last move ended.
    Brackets,
    /// With colours.
    Colours,
}

impl Paint {
    /// What the screen can show and its user wants: none is wanted where `NO_COLOR` is set.
    pub fn of_screen() -> Self {
        match (Term::stdout().is_term(), console::colors_enabled()) {
            (false, _) => Paint::Plain,
            (true, false) => Paint::Brackets,
            (true, true) => Paint::Colours,
        }
    }

    /// A player's name in the colour of the player's pieces.
    pub fn name(self, player: Player, name: &str) -> String {
        match self {
            Paint::Colours => style(Some(player), false).apply_to(name).to_string(),
            Paint::Plain | Paint::Brackets => name.to_string(),
        }
    }

    /// The board of a table.
    pub fn board(self, table: &dyn Table) -> String {
        let (text, scene) = (table.board(), table.scene());
        let cells = match self {
            Paint::Plain => None,
            Paint::Brackets | Paint::Colours => cells(&text, &scene),
        };
        let Some(cells) = cells else { return text };
        let steps = table.history().last().map_or_else(Vec::new, |mv| table.steps(&scene, mv));
        let is_named = |cell: usize, step: Option<&String>| step.is_some_and(|step| *step == scene.cells[cell].name);
        let (mut painted, mut done) = (String::new(), 0);
        for (place, cell) in cells {
            let owner = scene.pieces.iter().find(|piece| piece.cell == cell).map(|piece| piece.owner);
            let is_last = is_named(cell, steps.last());
            let is_marked = steps.iter().any(|step| is_named(cell, Some(step)));
            painted += &text[done..place.start];
            done = place.end;
            let word = &text[place];
            if self == Paint::Colours {
                let style = match owner {
                    Some(owner) => style(owner, is_marked),
                    None if is_marked => Style::new().reverse(),
                    None => Style::new().dim(),
                };
                painted += &style.force_styling(true).apply_to(word).to_string();
            } else if is_last && painted.ends_with(' ') && text[done..].starts_with([' ', '\n']) {
                painted.pop();
                painted += &format!("[{word}]");
                done += usize::from(text[done..].starts_with(' '));
            } else {
                painted += word;
            }
        }
        painted + &text[done..]
    }
}

/// Both colours can be read on dark and on light screens.
fn style(owner: Option<Player>, is_marked: bool) -> Style {
    let style = match owner {
        Some(Player::First) => Style::new().green().bold(),
        Some(Player::Second) => Style::new().magenta().bold(),
        None => Style::new(),
    };
    let style = if is_marked { style.reverse() } else { style };
    style.force_styling(true)
}

/// Where in the text the cells of a scene are, in the order of the text; `None` if they cannot be found for sure.
fn cells(text: &str, scene: &Scene) -> Option<Vec<(Range<usize>, usize)>> {
    // Cells without a name, such as the light squares of a chequered board, are not in use and not in the text.
    let mut order: Vec<usize> = (0..scene.cells.len()).filter(|&cell| !scene.cells[cell].name.is_empty()).collect();
    let place = |cell: usize| (scene.cells[cell].y, scene.cells[cell].x);
    order.sort_by(|&a, &b| place(a).0.total_cmp(&place(b).0).then(place(a).1.total_cmp(&place(b).1)));
    let mut rows = order.chunk_by(|&a, &b| (place(a).0 - place(b).0).abs() < 0.01).peekable();
    rows.peek()?;
    let mut lines = words(text).into_iter();
    let mut found = Vec::new();
    for row in rows {
        // Lines without cells, such as the names of columns, are passed over.
        let line = lines.by_ref().find_map(|line| fitted(text, &line, row, scene))?;
        found.extend(line.into_iter().zip(row.iter().copied()));
    }
    Some(found)
}

/// The words of each line, as places in the text.
fn words(text: &str) -> Vec<Vec<Range<usize>>> {
    let start = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let line = |line: &'_ str| {
        let words = line.split_whitespace().map(|word| start(word)..start(word) + word.len());
        words.collect::<Vec<_>>()
    };
    text.lines().map(line).collect()
}

/// The words of a line that are the cells of a row: all of them, all but the first, or all but the first and the last.
fn fitted(text: &str, line: &[Range<usize>], row: &[usize], scene: &Scene) -> Option<Vec<Range<usize>>> {
    let cells = match line.len().checked_sub(row.len())? {
        0 => line,
        1 => &line[1..],
        2 => &line[1..line.len() - 1],
        _ => return None,
    };
    let is_empty = |cell: usize| scene.pieces.iter().all(|piece| piece.cell != cell);
    let fits = |(place, cell): (&Range<usize>, &usize)| text[place.clone()].starts_with('.') == is_empty(*cell);
    cells.iter().zip(row).all(fits).then(|| cells.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_core::Seed;
    use spinney_table::open_table;

    /// A few random moves of a game, then its board in all ways.
    fn boards(game: &str, plies: u64) -> [String; 3] {
        let mut table = open_table(game, None).unwrap();
        for ply in 0..plies {
            let moves = table.moves();
            let mv = moves[(Seed::new(7).child(ply).value() % moves.len() as u64) as usize].clone();
            table.play(&mv).unwrap();
        }
        [Paint::Plain, Paint::Brackets, Paint::Colours].map(|paint| paint.board(table.as_ref()))
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        let games = ["breakthrough", "amazons", "cannon", "checkers", "havannah(size=5)", "pentalath", "tic-tac-toe"];
        for game in games.into_iter().chain(["chinese-checkers", "gdl:connect-four", "gdl:breakthrough"]) {
            for plies in [0, 1, 5] {
                let [plain, _, colours] = boards(game, plies);
                assert_eq!(console::strip_ansi_codes(&colours), plain, "{game}");
                assert!(colours.contains("\u{1b}["), "{game} after {plies} plies:\n{plain}");
            }
        }
        for game in ["pig", "dominion"] {
            let [plain, brackets, colours] = boards(game, 1);
            assert!(plain == brackets && plain == colours, "{game}");
        }
    }

    #[test]
    fn the_last_move_is_marked() {
        let mut table = open_table("tic-tac-toe", None).unwrap();
        table.play("b2").unwrap();
        assert_eq!(Paint::Plain.board(table.as_ref()).lines().nth(1), Some("  2  . x ."));
        assert_eq!(Paint::Brackets.board(table.as_ref()).lines().nth(1), Some("  2  .[x]."));
        let line = Paint::Colours.board(table.as_ref()).lines().nth(1).unwrap().to_string();
        assert!(line.contains("\u{1b}[32m\u{1b}[1m\u{1b}[7mx\u{1b}[0m"), "{line:?}");
    }
}
