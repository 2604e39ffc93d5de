//! The marks of the map: one for each published number.

use super::claims;
use super::findings::left_of;
use super::kinds::{Domain, PartKind, QualityRow, Statement, Table};
use super::parts::Part;
use super::reasons::Reason;
use crate::published::{self, Row};
use crate::summary::CellSummary;
use spinney_core::InputError;
use spinney_report::atlas::{Block, Mark, Standing};
use spinney_report::grouped;
use spinney_stats::Verdict;

/// The paper on quality-based rewards.
const QUALITY: &str = "quality-rewards";

/// The rows of a paper's numbers.
pub(super) fn rows(paper: &str) -> Vec<Row> {
    published::table(paper).map_or(Vec::new(), |(_, rows)| rows)
}

/// The value of a column.
pub(super) fn text<'a>(row: &'a Row, column: &str) -> &'a str {
    row.get(column).copied().unwrap_or_default()
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
pub(super) fn of_quality(parts: &[Part], reasons: &[Reason]) -> Result<Vec<Block>, InputError> {
    let rows = rows(QUALITY);
    let told = quality_rows()?;
    let block = |table: Table| {
        let mut block = Block { title: table.title().to_string(), ..Block::default() };
        let part = parts.iter().find(|part| part.kind == PartKind::Table(table));
        for (one, row) in told.iter().zip(&rows).filter(|(one, _)| one.table == table) {
            let mut mark = Mark {
                id: format!("{QUALITY}-{}", one.number + 1),
                name: one.name(),
                published: printed(row),
                ours: "–".to_string(),
                command: one.command(),
                ..Mark::default()
            };
            let own = part.into_iter().flat_map(Part::cells).filter(|known| known.row == Some(one.number));
            let (papers, right): (Vec<_>, Vec<_>) = own.partition(|known| known.role.is_papers());
            if let Some(known) = papers.first() {
                mark.standing = standing_of(known.summary);
                mark.ours = score_words(known.summary);
                mark.left = part.and_then(|part| left_of(part, known));
            }
            let played = right.iter().filter(|known| known.games() > 0);
            mark.beside = (!right.is_empty())
                .then(|| played.clone().map(|known| standing_of(known.summary)).next().unwrap_or_default());
            let is_told = right.len() > 1;
            let words = played.map(|known| match is_told {
                true => format!("{}: {}", known.cell.written_game, score_words(known.summary)),
                false => score_words(known.summary),
            });
            mark.right = words.collect::<Vec<_>>().join("; ");
            explain(&mut mark, QUALITY, row, parts, reasons);
            put(&mut block, one.game.to_string(), one.column(), mark);
        }
        block
    };
    Ok(Table::ALL.into_iter().map(block).collect())
}

/// The rows of quality-based rewards, by kind.
pub(super) fn quality_rows() -> Result<Vec<QualityRow>, InputError> {
    rows(QUALITY).iter().enumerate().map(|(number, row)| QualityRow::read(number, row)).collect()
}

/// What the paper on variance reduction states.
pub(super) fn of_variance(parts: &[Part], reasons: &[Reason]) -> Result<Block, InputError> {
    let paper = "variance-reduction";
    let claims = claims::all()?;
    let mut block = Block { title: "Variance reduction".to_string(), ..Block::default() };
    block.rows = Domain::ROWS.map(str::to_string).to_vec();
    for (number, row) in rows(paper).iter().enumerate() {
        let (kind, domain) = (Statement::read(text(row, "claim"))?, text(row, "domain"));
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
        let domain = Domain::read(domain)?;
        put(&mut block, domain.row().to_string(), kind.heading(domain).to_string(), mark);
    }
    Ok(block)
}

/// The points of the contextual paper. Its board and its player are not stated: one reading that agrees is enough, and
/// all of them must differ.
pub(super) fn of_contextual(parts: &[Part], reasons: &[Reason]) -> Block {
    let paper = "contextual";
    let mut block = Block { title: "Contextual Monte Carlo: prob and B".to_string(), ..Block::default() };
    let part = parts.iter().find(|part| part.kind == PartKind::Contextual);
    for (number, row) in rows(paper).iter().enumerate() {
        let readings: Vec<_> =
            part.into_iter().flat_map(Part::cells).filter(|known| known.row == Some(number)).collect();
        let standings: Vec<Standing> = readings.iter().map(|known| standing_of(known.summary)).collect();
        let is_all = |one| !standings.is_empty() && standings.iter().all(|standing| *standing == one);
        let standing = match () {
            () if standings.contains(&Standing::Agrees) => Standing::Agrees,
            () if is_all(Standing::Differs) => Standing::Differs,
            () if standings.is_empty() || is_all(Standing::Unplayed) => Standing::Unplayed,
            () => Standing::Undecided,
        };
        let words = readings.iter().filter(|known| known.games() > 0).map(|known| {
            format!("{} · {}: {}", known.cell.written_game, known.cell.names[1], score_words(known.summary))
        });
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
