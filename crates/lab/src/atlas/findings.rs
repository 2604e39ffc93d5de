//! What came out, in plain sentences made from the numbers. A sentence about a difference has an interval that excludes
//! none, corrected for how many were looked at.

use super::claims::widened;
use super::kinds::{Board, Role};
use super::marks::{score_words, standing_of};
use super::parts::{Known, Part};
use crate::plan::Cell;
use crate::reduce::name_of;
use crate::summary::CellSummary;
use spinney_report::atlas::{Block, Left, Mark, Standing};
use spinney_report::grouped;
use spinney_stats::{Verdict, Z95};

/// A difference of two scores in points, with an interval.
pub(super) struct Difference {
    pub(super) points: f64,
    margin: f64,
}

impl Difference {
    /// Between two cells, corrected for so many comparisons.
    pub(super) fn of(one: &CellSummary, other: &CellSummary, compared: usize) -> Option<Self> {
        let error = one.pairs.standard_error()?.hypot(other.pairs.standard_error()?);
        Some(Self { points: 100.0 * (one.score - other.score), margin: 100.0 * widened(compared) * error })
    }

    pub(super) fn is_clear(&self) -> bool {
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
    let cells =
        parts.iter().flat_map(|part| part.cells()).filter(|known| known.row.is_some() && known.role.is_papers());
    let undecided: Vec<_> = cells.filter(|known| standing_of(known.summary) == Standing::Undecided).collect();
    if undecided.is_empty() {
        return Vec::new();
    }
    let holds = |known: &&Known<'_>| {
        let published = known.cell.published.as_ref();
        published.zip(known.summary.interval).is_some_and(|(published, one)| one.contains(published.score))
    };
    let held = undecided.iter().filter(holds).count();
    let games: u64 = undecided.iter().map(Known::games).sum();
    let (whole, others): (Vec<_>, Vec<_>) = undecided.iter().partition(|known| known.games() >= MOST_GAMES);
    let more = |known: &&Known<'_>| match known.summary.verdict {
        Some(Verdict::Undecided { more_games }) => Some(more_games),
        _ => None,
    };
    let mut more: Vec<u64> = others.iter().filter_map(more).collect();
    more.sort_unstable();
    let half = more.get(more.len() / 2).copied().unwrap_or_default();
    let most = grouped(MOST_GAMES, '\u{202f}');
    let whole = match whole.len() {
        0 => String::new(),
        1 => format!(" One has the {most} games that a cell gets at most, and stays so."),
        count => format!(" {count} have the {most} games that a cell gets at most, and stay so."),
    };
    vec![format!(
        "{} cells are undecided after {} games. Of their intervals {held} hold the published number. If the scores stay as they \
         are, half of those that may have more would be decided with {} games more each.{whole}",
        undecided.len(),
        grouped(games, '\u{202f}'),
        grouped(half, '\u{202f}')
    )]
}

/// The games that a rule of the atlas gives to a cell at most, and those that an unplayed one needs at least.
const MOST_GAMES: u64 = 5000;
const LEAST_GAMES: u64 = 1000;

/// What is left to play of a cell; nothing if it is decided, or if it has all the games that the rule gives it.
pub(super) fn left_of(part: &Part, known: &Known<'_>) -> Option<Left> {
    let games = match (standing_of(known.summary), known.summary.verdict) {
        (Standing::Undecided, Some(Verdict::Undecided { more_games })) => {
            more_games.min(MOST_GAMES.saturating_sub(known.games()))
        }
        (Standing::Undecided | Standing::Unplayed, _) => LEAST_GAMES,
        _ => 0,
    };
    let seconds = part.seconds_of_game(known.cell).map(|one| one * games as f64);
    (games > 0).then_some(Left { games, seconds })
}

/// What is left to play, in games and hours of one core.
pub(super) fn of_left(parts: &[&Part]) -> Vec<String> {
    let mut told = Vec::new();
    for wanted in [Standing::Undecided, Standing::Unplayed] {
        let (mut cells, mut games, mut seconds, mut unknown) = (0u64, 0u64, 0.0, 0u64);
        for part in parts {
            let own = part.cells().filter(|known| known.row.is_some() && known.role.is_papers());
            for left in
                own.filter(|known| standing_of(known.summary) == wanted).filter_map(|known| left_of(part, &known))
            {
                (cells, games) = (cells + 1, games + left.games);
                seconds += left.seconds.unwrap_or_default();
                unknown += u64::from(left.seconds.is_none());
            }
        }
        if cells == 0 {
            continue;
        }
        let how = match wanted {
            Standing::Undecided => format!("at most {} each", grouped(MOST_GAMES, '\u{202f}')),
            _ => format!("{} each", grouped(LEAST_GAMES, '\u{202f}')),
        };
        let rest = if unknown > 0 { format!(", and {unknown} cells whose pace is not known") } else { String::new() };
        told.push(format!(
            "{cells} {} cells ({how}): {} games more, {:.0} hours of one core{rest}",
            wanted.words(),
            grouped(games, '\u{202f}'),
            seconds / 3600.0
        ));
    }
    if told.is_empty() { Vec::new() } else { vec![format!("What is left to play. {}.", told.join("; "))] }
}

/// Where the right rules and the corrected search change what a bonus is worth.
pub(super) fn of_rules(parts: &[&Part]) -> Vec<String> {
    let mut pairs: Vec<(&Part, Known<'_>, &CellSummary)> = Vec::new();
    for part in parts {
        let played: Vec<_> = part.cells().filter(|known| known.games() > 1 && known.row.is_some()).collect();
        for papers in played.iter().filter(|known| known.role.is_papers()) {
            let is_twin = |other: &&Known<'_>| {
                let is_alike = papers.row == other.row && papers.cell.simulations == other.cell.simulations;
                is_alike && matches!(other.role, Role::Right(Board::Only | Board::Engines))
            };
            pairs.extend(played.iter().find(is_twin).map(|right| (*part, *papers, right.summary)));
        }
    }
    let compared = pairs.len();
    let mut found = Vec::new();
    for (part, Known { cell, summary: papers, .. }, right) in &pairs {
        let Some(difference) = Difference::of(papers, right, compared).filter(Difference::is_clear) else { continue };
        found.push(format!(
            "{}, {}, {}: the engine of 2014 makes the bonus look {} than the right rules and the corrected search: {} against {}, \
             {} points in an interval of a fixed number of games, corrected for {compared} comparisons.",
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

/// The two ways of trying a deviation.
#[derive(Clone, Copy)]
enum Side {
    Alone,
    LeftOut,
}

impl Side {
    /// Whether nothing is changed.
    fn is_base(self, role: &Role) -> bool {
        match self {
            Self::Alone => role.is_right(),
            Self::LeftOut => role.is_papers(),
        }
    }

    /// The deviation that is switched.
    fn changed(self, role: &Role) -> Option<&str> {
        match (self, role) {
            (Self::Alone, Role::Only(what)) | (Self::LeftOut, Role::AllBut(what)) => Some(what),
            _ => None,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Alone => "alone in the corrected search",
            Self::LeftOut => "left out of the engine",
        }
    }
}

/// What switching deviations on and off alone says, beside the corrected search and beside the whole engine.
pub(super) fn of_ablation(part: &Part) -> Vec<String> {
    let played: Vec<Known<'_>> = part.cells().filter(|known| known.games() > 1).collect();
    let mut found = Vec::new();
    for side in [Side::Alone, Side::LeftOut] {
        let Some(plain) = played.iter().find(|known| side.is_base(known.role)) else { continue };
        let (base, words) = (plain.cell.names[1].as_str(), side.words());
        let is_changed = |known: &&Known<'_>| side.changed(known.role).is_some() && known.cell.game == plain.cell.game;
        let others: Vec<_> = played.iter().filter(is_changed).collect();
        let compared = others.len();
        let mut sentences = Vec::new();
        for known in &others {
            let Some(difference) = Difference::of(known.summary, plain.summary, compared) else { continue };
            let what = side.changed(known.role).unwrap_or_default();
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
            score_words(plain.summary),
            part.cells().filter(|known| is_changed(&known)).count()
        ));
    }
    found.extend(of_all_deviations(&part.plan.title, &played));
    found
}

/// Cells with one deviation against those with all but one, each kind together: what the deviations do together, be it one of
/// them or many, where single cells have too few games to show it. Deviations that were played both ways count.
fn of_all_deviations(title: &str, played: &[Known<'_>]) -> Option<String> {
    let of = |side: Side, what: &str| played.iter().find(|known| side.changed(known.role) == Some(what));
    let mut pairs = Vec::new();
    for one in played {
        let Some(what) = Side::Alone.changed(one.role) else { continue };
        let Some(rest) = of(Side::LeftOut, what).filter(|rest| rest.cell.game == one.cell.game) else { continue };
        let errors = one.summary.pairs.standard_error().zip(rest.summary.pairs.standard_error());
        pairs.extend(errors.map(|errors| (one.summary.score, rest.summary.score, errors.0.hypot(errors.1))));
    }
    if pairs.len() < 2 {
        return None;
    }
    let count = pairs.len() as f64;
    let alone = pairs.iter().map(|pair| pair.0).sum::<f64>() / count;
    let rest = pairs.iter().map(|pair| pair.1).sum::<f64>() / count;
    let error = pairs.iter().map(|pair| pair.2).fold(0.0, f64::hypot) / count;
    // One answer more beside those of the cells, of both kinds.
    let compared = 2 * pairs.len() + 1;
    let difference = Difference { points: 100.0 * (rest - alone), margin: 100.0 * widened(compared) * error };
    let meaning = match difference.is_clear() {
        true => "together they matter, be it one of them or many",
        false => "not even together are they shown to matter",
    };
    Some(format!(
        "{title}: of {} deviations the cells with one alone score {:.1} on average and those with all but one {:.1}, {} points in an \
         interval of a fixed number of games, corrected for {compared} answers: {meaning}.",
        pairs.len(),
        100.0 * alone,
        100.0 * rest,
        difference.words()
    ))
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
    let cell = part.cells().find(|known| is_wanted(known.cell) && known.games() > 0);
    let Some(Known { summary, .. }) = cell else {
        let budget =
            simulations.map_or(String::new(), |number| format!(" with {} simulations", grouped(number, '\u{202f}')));
        return vec![format!(
            "{}: the cell itself, {agent}{budget}, has not been played, so it is open (spinney lab run {}).",
            part.plan.title, part.name
        )];
    };
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

/// Which readings of an algorithm a published score leaves: one that is stated, in percent, or those printed for each game.
pub(super) fn of_readings(part: &Part, stated: Option<f64>) -> Vec<String> {
    let played: Vec<_> = part.cells().filter(|known| known.games() > 1).collect();
    let tried = played.len();
    let mut scores: Vec<(Option<&str>, f64, f64)> = Vec::new();
    for known in &played {
        let one = match (stated, &known.cell.published) {
            (Some(score), _) => (None, score, 0.0),
            (None, Some(published)) => {
                let margin = published.margin.unwrap_or_default();
                (Some(known.cell.written_game.as_str()), 100.0 * published.score, 100.0 * margin)
            }
            (None, None) => continue,
        };
        if !scores.contains(&one) {
            scores.push(one);
        }
    }
    let sentence = |(game, score, margin): (Option<&str>, f64, f64)| {
        // A game may have several printed numbers, each with readings of its own.
        let is_printed =
            |known: &Known<'_>| known.cell.published.as_ref().is_some_and(|one| 100.0 * one.score == score);
        let is_own = |known: &&Known<'_>| game.is_none_or(|game| known.cell.written_game == game && is_printed(known));
        let excludes = |known: &Known<'_>| {
            let error = known.summary.pairs.standard_error()?.hypot(margin / 100.0 / Z95);
            Some((known.summary.score - score / 100.0).abs() > widened(tried) * error)
        };
        let own: Vec<_> = played.iter().filter(is_own).collect();
        let (out, within): (Vec<_>, Vec<_>) = own.iter().partition(|known| excludes(known) == Some(true));
        let name = |known: &&&Known<'_>| match game {
            Some(_) => format!("{} {}", known.cell.names[0], score_words(known.summary)),
            None => format!("{} · {} {}", known.cell.written_game, known.cell.names[0], score_words(known.summary)),
        };
        let names = |all: &[&&Known<'_>]| all.iter().map(name).collect::<Vec<_>>().join("; ");
        let left = match within.is_empty() {
            true => "none of them is left".to_string(),
            false => format!("left are {}", names(&within)),
        };
        let printed = match game {
            Some(game) => format!("{game}, {score:.1} ± {margin:.1} %"),
            None => format!("{score} %"),
        };
        let which = if game.is_some() && !out.is_empty() { format!(" ({})", names(&out)) } else { String::new() };
        format!(
            "{}: {printed}. Readings: {} of {} played, {} excluded{which}, in intervals corrected for {tried} answers; {left}.",
            part.plan.title,
            own.len(),
            part.cells().filter(|known| is_own(&known)).count(),
            out.len(),
        )
    };
    scores.into_iter().map(sentence).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;
    use spinney_stats::Pentanomial;
    use spinney_table::Laboratory;

    /// 24 cells of Table 1; the four of Breakthrough take 17,000, 17,000, 85,000 and 85,000 simulations a move.
    #[test]
    fn hours_left_are_those_of_games_whose_pace_is_known() {
        let mut parts = super::super::parts::all(&Laboratory::standard()).unwrap();
        parts.retain(|part| part.name == "atlas/table-1");
        let part = &mut parts[0];
        let game = part.cells().find(|known| name_of(&known.cell.game) == "breakthrough").unwrap().cell.game.clone();
        // A thousandth of a second for each simulation a move: 204 seconds for the four, a thousand times.
        part.paces.insert(game, 0.001);
        assert_eq!(
            of_left(&[&parts[0]]),
            [
                "What is left to play. 24 not yet played cells (1\u{202f}000 each): 24\u{202f}000 games more, 57 hours of one core, and 20 \
              cells whose pace is not known."
            ]
        );
        assert!(of_left(&[]).is_empty());
    }

    /// 13 cells of 100 pairs with a score of 60 % and 13 with 64 %: a cell's error is about 2.6 points, that of the mean of
    /// thirteen is less by √13.
    #[test]
    fn deviations_matter_together_where_none_does_alone() {
        let mut parts = super::super::parts::all(&Laboratory::standard()).unwrap();
        parts.retain(|part| part.name == "atlas/why-cannon");
        let part = &mut parts[0];
        for (summary, role) in part.summaries.iter_mut().zip(&part.roles) {
            let (score, counts) = match role {
                Role::AllBut(_) => (0.64, [0, 11, 45, 21, 23]),
                _ => (0.60, [0, 20, 40, 20, 20]),
            };
            summary.pairs = Pentanomial { counts };
            assert_eq!(summary.pairs.score(), Some(score));
            summary.score = score;
        }
        let played: Vec<Known<'_>> = part.cells().collect();
        let told = of_all_deviations("Cannon", &played).unwrap();
        let alone = |side: Side| played.iter().find(|known| side.changed(known.role).is_some()).unwrap().summary;
        assert!(!Difference::of(alone(Side::LeftOut), alone(Side::Alone), 13).unwrap().is_clear());
        let errors = [Side::Alone, Side::LeftOut].map(|side| alone(side).pairs.standard_error().unwrap());
        let margin = 100.0 * widened(27) * errors[0].hypot(errors[1]) / 13f64.sqrt();
        assert_eq!(
            told,
            format!(
                "Cannon: of 13 deviations the cells with one alone score 60.0 on average and those with all but one 64.0, +4.0 [{:+.1}, \
                 {:+.1}] points in an interval of a fixed number of games, corrected for 27 answers: together they matter, be it one of \
                 them or many.",
                4.0 - margin,
                4.0 + margin
            )
        );
        assert!(margin > 2.9 && margin < 3.7, "{margin}");
        assert_eq!(of_all_deviations("Cannon", &played[..4]), None, "one side alone says nothing");
    }
}
