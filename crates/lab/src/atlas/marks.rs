//! The marks of the map: one for each published number.

use super::claims;
use super::parts::Part;
use super::reasons::Reason;
use crate::plan::Cell;
use crate::published::{self, Row};
use crate::summary::CellSummary;
use spinney_core::InputError;
use spinney_report::atlas::{Block, Mark, Standing};
use spinney_report::grouped;
use spinney_stats::Verdict;

/// The tables of the quality-reward paper: name in the published table, heading, and name of the part.
pub(super) const TABLES: [(&str, &str, &str); 4] = [
    ("table1-relative-bonus", "Table 1: relative bonus", "atlas/table-1"),
    ("table3-qualitative-bonus", "Table 3: qualitative bonus", "atlas/table-3"),
    ("table4-combined", "Table 4: both bonuses", "atlas/table-4"),
    ("table2-ggp", "Table 2: GGP", "atlas/table-2"),
];

/// The agent without a bonus where rules and search are the right ones.
pub(super) const CORRECTED: &str = "corrected";

/// The rows of a paper's numbers.
pub(super) fn rows(paper: &str) -> Vec<Row> {
    published::table(paper).map_or(Vec::new(), |(_, rows)| rows)
}

/// The value of a column.
pub(super) fn text<'a>(row: &'a Row, column: &str) -> &'a str {
    row.get(column).copied().unwrap_or_default()
}

/// Whether a cell has the rules and the search of the paper, as far as they can be had.
pub(super) fn is_papers(cell: &Cell) -> bool {
    cell.names[1] != CORRECTED
}

pub(super) fn standing_of(summary: &CellSummary) -> Standing {
    match (summary.games.games(), &summary.verdict) {
        (0, _) | (_, None) => Standing::Unplayed,
        (_, Some(Verdict::Agrees)) => Standing::Agrees,
        (_, Some(Verdict::Differs)) => Standing::Differs,
        (_, Some(Verdict::Undecided { .. })) => Standing::Undecided,
    }
}

/// Score, interval and games of a cell in words.
pub(super) fn score_words(summary: &CellSummary) -> String {
    let games = summary.games.games();
    if games == 0 {
        return "–".to_string();
    }
    let interval =
        summary.interval.map_or(String::new(), |one| format!(" [{:.1}, {:.1}]", 100.0 * one.low, 100.0 * one.high));
    format!("{:.1}{interval}, {} games", 100.0 * summary.score, grouped(games, '\u{202f}'))
}

fn printed(row: &Row) -> String {
    let margin = text(row, "ci95");
    if margin.is_empty() { text(row, "win_pct").to_string() } else { format!("{} ± {margin}", text(row, "win_pct")) }
}

/// Says why a number differs, if that was shown.
fn explain(mark: &mut Mark, paper: &str, row: &Row, parts: &[Part], reasons: &[Reason]) {
    if mark.standing != Standing::Differs {
        return;
    }
    let told: Vec<String> = reasons
        .iter()
        .filter(|reason| reason.is_about(paper, row))
        .filter_map(|reason| reason.told(parts).ok())
        .collect();
    if told.is_empty() {
        mark.note = format!("{} No experiment has shown a reason.", mark.note).trim().to_string();
    } else {
        mark.standing = Standing::Explained;
        mark.note = told.join(" ");
    }
}

/// The place of a name in a list, at its end if it is new.
pub(super) fn place(list: &mut Vec<String>, name: String) -> usize {
    list.iter().position(|known| *known == name).unwrap_or_else(|| {
        list.push(name);
        list.len() - 1
    })
}

fn put(block: &mut Block, row: String, column: String, mark: Mark) {
    let (row, column) = (place(&mut block.rows, row), place(&mut block.columns, column));
    block.marks.resize(block.rows.len(), Vec::new());
    let width = block.columns.len();
    block.marks.iter_mut().for_each(|marks| marks.resize(marks.len().max(width), None));
    block.marks[row][column] = Some(mark);
}

/// The four tables of quality-based rewards.
pub(super) fn of_quality(parts: &[Part], reasons: &[Reason]) -> Vec<Block> {
    let paper = "quality-rewards";
    let rows = rows(paper);
    let block = |&(table, title, name): &(&str, &str, &str)| {
        let mut block = Block { title: title.to_string(), ..Block::default() };
        let part = parts.iter().find(|part| part.name == name);
        for (number, row) in rows.iter().enumerate().filter(|(_, row)| text(row, "table") == table) {
            let mut mark = Mark {
                id: format!("{paper}-{}", number + 1),
                name: name_of_row(row),
                published: printed(row),
                ours: "–".to_string(),
                command: command_of(row),
                ..Mark::default()
            };
            let own = part.into_iter().flat_map(Part::cells).filter(|(_, _, of)| *of == Some(number));
            let (papers, right): (Vec<_>, Vec<_>) = own.partition(|(cell, ..)| is_papers(cell));
            if let Some((_, summary, _)) = papers.first() {
                mark.standing = standing_of(summary);
                mark.ours = score_words(summary);
            }
            let played = right.iter().filter(|(_, summary, _)| summary.games.games() > 0);
            mark.beside = (!right.is_empty())
                .then(|| played.clone().map(|(_, summary, _)| standing_of(summary)).next().unwrap_or_default());
            let is_told = right.len() > 1;
            let words = played.map(|(cell, summary, _)| match is_told {
                true => format!("{}: {}", cell.written_game, score_words(summary)),
                false => score_words(summary),
            });
            mark.right = words.collect::<Vec<_>>().join("; ");
            explain(&mut mark, paper, row, parts, reasons);
            put(&mut block, text(row, "game").to_string(), column_of(row), mark);
        }
        block
    };
    TABLES.iter().map(block).collect()
}

/// What a column of the map is called, in two lines.
pub(super) fn column_of(row: &Row) -> String {
    match (text(row, "table"), text(row, "a")) {
        ("table2-ggp", _) => format!("k =\n{}", text(row, "k")),
        (_, "") => format!("only q\n{} s", text(row, "seconds")),
        (_, a) => format!("{a}\n{} s", text(row, "seconds")),
    }
}

fn name_of_row(row: &Row) -> String {
    let (table, game) = (text(row, "table"), text(row, "game"));
    let number = table.chars().find(char::is_ascii_digit).unwrap_or('?');
    match (table, text(row, "a")) {
        ("table2-ggp", _) => format!("Table {number}, {game}, k = {}", text(row, "k")),
        (_, "") => format!("Table {number}, {game}, reward replaced by q, {} s", text(row, "seconds")),
        (_, a) => format!("Table {number}, {game}, a = {a}, {} s", text(row, "seconds")),
    }
}

/// The command that plays the cell of a row with as many games as were published.
pub(super) fn command_of(row: &Row) -> String {
    let (table, game) = (text(row, "table"), text(row, "game"));
    let number = table.chars().find(char::is_ascii_digit).unwrap_or('?');
    match (table, text(row, "a")) {
        ("table2-ggp", _) => {
            format!("spinney reproduce ggp --table 2 --game gdl:{game} --only k={} --full", text(row, "k"))
        }
        (_, "") => {
            format!(
                "spinney reproduce quality-rewards --table 4 --game {game} --only 'bonus=reward replaced by q' --full"
            )
        }
        (_, a) => format!(
            "spinney reproduce quality-rewards --table {number} --game {game} --only a={a} --only seconds={} --full",
            text(row, "seconds")
        ),
    }
}

/// What the paper on variance reduction states.
pub(super) fn of_variance(parts: &[Part], reasons: &[Reason]) -> Result<Block, InputError> {
    let paper = "variance-reduction";
    let claims = claims::all()?;
    let mut block = Block { title: "Variance reduction".to_string(), ..Block::default() };
    block.rows = ["pig", "cant-stop", "dominion", "together"].map(str::to_string).to_vec();
    for (number, row) in rows(paper).iter().enumerate() {
        let (kind, domain) = (text(row, "claim"), text(row, "domain"));
        let claim = claims.iter().find(|one| one.claim == kind && one.domain == domain);
        let (standing, ours) = match claim {
            Some(claim) => claim.judge(parts)?,
            None => (Standing::Undecided, "no rule decides it".to_string()),
        };
        let mut mark = Mark {
            id: format!("{paper}-{}", number + 1),
            name: format!("{domain}: {}", text(row, "statement")),
            published: text(row, "number").to_string(),
            ours,
            standing,
            note: claim.map_or(String::new(), |claim| claim.note.clone()),
            command: claim.map_or(String::new(), |claim| claim.command.clone()),
            ..Mark::default()
        };
        explain(&mut mark, paper, row, parts, reasons);
        let is_domain = block.rows.iter().any(|row| row == domain);
        let place = if is_domain { domain } else { "together" };
        let column = match (kind, domain) {
            ("order", "all") => "order\nof CV",
            ("order", _) => "order\nof AV",
            ("c", _) => "\nC",
            ("cv", _) => "CV\nconst.",
            ("speedup", _) => "speed-\nup",
            ("variance", _) => "vari-\nance",
            (other, _) => other,
        };
        put(&mut block, place.to_string(), column.to_string(), mark);
    }
    Ok(block)
}

/// The points of the contextual paper. Its board and its player are not stated: one reading that agrees is enough, and
/// all of them must differ.
pub(super) fn of_contextual(parts: &[Part], reasons: &[Reason]) -> Block {
    let paper = "contextual";
    let mut block = Block { title: "Contextual Monte Carlo: prob and B".to_string(), ..Block::default() };
    let part = parts.iter().find(|part| part.name == "atlas/contextual");
    for (number, row) in rows(paper).iter().enumerate() {
        let readings: Vec<_> =
            part.into_iter().flat_map(Part::cells).filter(|(_, _, of)| *of == Some(number)).collect();
        let standings: Vec<Standing> = readings.iter().map(|(_, summary, _)| standing_of(summary)).collect();
        let is_all = |one| !standings.is_empty() && standings.iter().all(|standing| *standing == one);
        let standing = match () {
            () if standings.contains(&Standing::Agrees) => Standing::Agrees,
            () if is_all(Standing::Differs) => Standing::Differs,
            () if standings.is_empty() || is_all(Standing::Unplayed) => Standing::Unplayed,
            () => Standing::Undecided,
        };
        let words = readings
            .iter()
            .filter(|(_, summary, _)| summary.games.games() > 0)
            .map(|(cell, summary, _)| format!("{} · {}: {}", cell.written_game, cell.names[1], score_words(summary)));
        let (prob, b) = (text(row, "prob"), text(row, "B"));
        let table = if (prob, b) == ("35", "0") { "prob" } else { "b" };
        let mut mark = Mark {
            id: format!("{paper}-{}", number + 1),
            name: format!("prob = {prob} %, B = {b} %: {}", text(row, "note")),
            published: text(row, "win_pct").to_string(),
            ours: words.collect::<Vec<_>>().join("; "),
            standing,
            note: format!("{} readings are tried: the paper states neither board nor player.", readings.len()),
            command: format!("spinney reproduce contextual --table {table} --full"),
            ..Mark::default()
        };
        explain(&mut mark, paper, row, parts, reasons);
        put(&mut block, "Havannah".to_string(), format!("{prob} %\nB {b}"), mark);
    }
    block
}

/// How many numbers these are.
pub(super) fn count(blocks: &[Block]) -> usize {
    blocks.iter().map(|block| block.all().count()).sum()
}
