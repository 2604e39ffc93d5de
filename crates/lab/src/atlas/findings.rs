//! What came out, in plain sentences made from the numbers. A sentence about a difference has an interval that excludes
//! none, corrected for how many were looked at.

use super::claims::widened;
use super::marks::{CORRECTED, is_papers, score_words, standing_of};
use super::parts::Part;
use crate::plan::Cell;
use crate::reduce::name_of;
use crate::summary::CellSummary;
use spinney_report::atlas::{Block, Mark, Standing};
use spinney_report::grouped;
use spinney_stats::Verdict;

/// A difference of two scores in points, with an interval.
struct Difference {
    points: f64,
    margin: f64,
}

impl Difference {
    /// Between two cells, corrected for so many comparisons.
    fn of(one: &CellSummary, other: &CellSummary, compared: usize) -> Option<Self> {
        let error = one.pairs.standard_error()?.hypot(other.pairs.standard_error()?);
        Some(Self { points: 100.0 * (one.score - other.score), margin: 100.0 * widened(compared) * error })
    }

    fn is_clear(&self) -> bool {
        self.points.abs() > self.margin
    }

    fn words(&self) -> String {
        format!("{:+.1} [{:+.1}, {:+.1}]", self.points, self.points - self.margin, self.points + self.margin)
    }
}

/// Sentences on marks: what differs, and what is open.
pub(super) fn of_marks(blocks: &[Block]) -> Vec<String> {
    let marks: Vec<&Mark> = blocks.iter().flat_map(Block::all).collect();
    let mut found = Vec::new();
    for mark in marks.iter().filter(|mark| matches!(mark.standing, Standing::Differs | Standing::Explained)) {
        let note = if mark.note.is_empty() { String::new() } else { format!(" {}", mark.note) };
        found.push(format!("{}: published {}, ours {}: it differs.{note}", mark.name, mark.published, mark.ours));
    }
    let unplayed = marks.iter().filter(|mark| mark.standing == Standing::Unplayed).count();
    if unplayed > 0 {
        found.push(format!("{unplayed} of {} numbers have not been played.", marks.len()));
    }
    found
}

/// How far the undecided cells of a paper are.
pub(super) fn of_undecided(parts: &[&Part]) -> Vec<String> {
    let cells = parts.iter().flat_map(|part| part.cells()).filter(|(cell, _, row)| row.is_some() && is_papers(cell));
    let undecided: Vec<_> = cells.filter(|(_, summary, _)| standing_of(summary) == Standing::Undecided).collect();
    if undecided.is_empty() {
        return Vec::new();
    }
    let holds = |(cell, summary, _): &&(&Cell, &CellSummary, Option<usize>)| {
        cell.published.as_ref().zip(summary.interval).is_some_and(|(published, one)| one.contains(published.score))
    };
    let held = undecided.iter().filter(holds).count();
    let games: u64 = undecided.iter().map(|(_, summary, _)| summary.games.games()).sum();
    let more = |(_, summary, _): &(&Cell, &CellSummary, Option<usize>)| match summary.verdict {
        Some(Verdict::Undecided { more_games }) => Some(more_games),
        _ => None,
    };
    let mut more: Vec<u64> = undecided.iter().filter_map(more).collect();
    more.sort_unstable();
    let half = more.get(more.len() / 2).copied().unwrap_or_default();
    vec![format!(
        "{} cells are undecided after {} games. Of their intervals {held} hold the published number. If the scores stay as they \
         are, half of these cells would be decided with {} games more each.",
        undecided.len(),
        grouped(games, '\u{202f}'),
        grouped(half, '\u{202f}')
    )]
}

/// Where the right rules and the corrected search change what a bonus is worth.
pub(super) fn of_rules(parts: &[&Part]) -> Vec<String> {
    let mut pairs: Vec<(&Part, &Cell, &CellSummary, &CellSummary)> = Vec::new();
    for part in parts {
        let played: Vec<_> = part.cells().filter(|(_, summary, _)| summary.games.games() > 1).collect();
        for (cell, summary, row) in played.iter().filter(|(cell, ..)| is_papers(cell)) {
            let is_twin = |other: &Cell| {
                let is_alike = cell.simulations == other.simulations && name_of(&cell.game) == name_of(&other.game);
                // The engine played Amazons on 8×8 squares.
                !is_papers(other) && is_alike && (name_of(&cell.game) != "amazons" || other.game.contains("size=8"))
            };
            let twin = played.iter().find(|(other, _, of)| row.is_some() && of == row && is_twin(other));
            pairs.extend(twin.map(|(_, right, _)| (*part, *cell, *summary, *right)));
        }
    }
    let compared = pairs.len();
    let mut found = Vec::new();
    for (part, cell, papers, right) in &pairs {
        let Some(difference) = Difference::of(papers, right, compared).filter(Difference::is_clear) else { continue };
        found.push(format!(
            "{}, {}, {}: the engine of 2014 makes the bonus look {} than the right rules and the corrected search: {} against {}, \
             {} points corrected for {compared} comparisons.",
            part.plan.title,
            name_of(&cell.game),
            cell.names[0],
            if difference.points > 0.0 { "larger" } else { "smaller" },
            score_words(papers),
            score_words(right),
            difference.words()
        ));
    }
    if compared > 0 && found.is_empty() {
        found.push(format!(
            "In none of {compared} cells played both ways do rules and search change the score beyond doubt, corrected for \
             {compared} comparisons."
        ));
    }
    found
}

/// What switching deviations on and off alone says, beside the corrected search and beside the whole engine.
pub(super) fn of_ablation(part: &Part) -> Vec<String> {
    let played: Vec<(&Cell, &CellSummary)> =
        part.cells().filter(|(_, one, _)| one.games.games() > 1).map(|(cell, one, _)| (cell, one)).collect();
    let mut found = Vec::new();
    for (base, beginning, words) in
        [(CORRECTED, "only ", "alone in the corrected search"), ("engine", "all but ", "left out of the engine")]
    {
        let Some((cell, plain)) = played.iter().find(|(cell, _)| cell.names[1] == base) else { continue };
        let is_other = |other: &Cell| other.names[1].starts_with(beginning) && other.game == cell.game;
        let others: Vec<_> = played.iter().filter(|(other, _)| is_other(other)).collect();
        let compared = others.len();
        let mut sentences = Vec::new();
        for (other, summary) in &others {
            let Some(difference) = Difference::of(summary, plain, compared) else { continue };
            let what = other.names[1].trim_start_matches(beginning);
            if difference.is_clear() {
                sentences.push(format!("{what} changes the score by {}", difference.words()));
            }
        }
        let told = match (compared, sentences.is_empty()) {
            (0, _) => {
                let place = format!("spinney lab run {}", part.name);
                found.push(format!("{}: no deviation was played {words} ({place}).", part.plan.title));
                continue;
            }
            (_, true) => "none changes the score beyond doubt".to_string(),
            _ => sentences.join("; "),
        };
        found.push(format!(
            "{}: {base} {}. Of {compared} deviations that were played, each {words} ({} are planned): {told} (intervals \
             corrected for {compared} answers).",
            part.plan.title,
            score_words(plain),
            part.plan.cells.iter().filter(|other| is_other(other)).count()
        ));
    }
    found
}

/// Which of several scores the interval of a cell excludes.
pub(super) fn of_candidates(
    part: &Part,
    game: &str,
    agent: &str,
    simulations: Option<u64>,
    scores: &[f64],
) -> Vec<String> {
    let is_wanted = |cell: &Cell| {
        cell.written_game == game
            && cell.names[0] == agent
            && simulations.is_none_or(|one| cell.simulations == Some(one))
    };
    let cell = part.cells().find(|(cell, summary, _)| is_wanted(cell) && summary.games.games() > 0);
    let Some((_, summary, _)) = cell else { return Vec::new() };
    let Some(interval) = super::reasons::interval(summary, scores.len()) else { return Vec::new() };
    let (out, within): (Vec<f64>, Vec<f64>) = scores.iter().partition(|score| !interval.contains(*score / 100.0));
    let list = |scores: &[f64]| scores.iter().map(|score| format!("{score:.1}")).collect::<Vec<_>>().join(" and ");
    let words = match (out.is_empty(), within.is_empty()) {
        (true, _) => format!("excludes neither {}", list(scores)),
        (_, true) => format!("excludes both {}", list(scores)),
        _ => format!("excludes {} and not {}", list(&out), list(&within)),
    };
    let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
    vec![format!(
        "{}: ours is {:.1} [{low:.1}, {high:.1}] in {} games, which {words}.",
        part.plan.title,
        100.0 * summary.score,
        summary.games.games()
    )]
}

/// Which readings of an algorithm exclude a published score.
pub(super) fn of_readings(part: &Part, score: f64) -> Vec<String> {
    let played: Vec<_> = part.cells().filter(|(_, summary, _)| summary.games.games() > 1).collect();
    let tried = played.len();
    let (mut out, mut within) = (0, Vec::new());
    for (cell, summary, _) in &played {
        match super::reasons::interval(summary, tried) {
            Some(interval) if !interval.contains(score / 100.0) => out += 1,
            _ => within.push(format!("{} · {}: {}", cell.written_game, cell.names[0], score_words(summary))),
        }
    }
    if tried == 0 {
        return Vec::new();
    }
    let left =
        if within.is_empty() { "none of them is left".to_string() } else { format!("left are {}", within.join("; ")) };
    vec![format!(
        "{}: of {tried} readings that were played ({} are planned) {out} exclude {score} %, in intervals corrected for {tried} \
         answers; {left}.",
        part.plan.title,
        part.plan.cells.len()
    )]
}
