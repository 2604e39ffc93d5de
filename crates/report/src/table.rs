//! The columns of the table of cells, declared once for HTML and Markdown.

use crate::data::{Agreement, Comparison, IntervalKind, Section};
use crate::numbers::{self, MISSING};

/// One column: what stands in it and how it is sorted.
pub(crate) struct Column {
    pub(crate) heading: &'static str,
    /// What the heading means, for those who ask.
    pub(crate) meaning: &'static str,
    pub(crate) kind: Kind,
    text: fn(&Comparison) -> String,
    key: fn(&Comparison) -> Option<f64>,
    /// Whether the column has a meaning before the first game.
    before_games: bool,
}

/// How a column is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Aligned to the left, sorted by its text.
    Text,
    /// Aligned to the right, sorted by its key.
    Number,
    /// Settings of an agent: set like code.
    Code,
    /// Where to look things up; left out on paper.
    Reference,
}

impl Column {
    /// What stands in the column for this cell.
    pub(crate) fn text(&self, cell: &Comparison) -> String {
        let text = if cell.games == 0 && !self.before_games { String::new() } else { (self.text)(cell) };
        if text.trim().is_empty() { MISSING.to_owned() } else { text }
    }

    /// What the column is sorted by; cells without a value come last.
    pub(crate) fn key(&self, cell: &Comparison) -> Option<f64> {
        (cell.games > 0 || self.before_games).then(|| (self.key)(cell)).flatten().filter(|key| key.is_finite())
    }
}

/// What a row is about; then what most readers ask for; then the rest.
pub(crate) struct Columns {
    pub(crate) names: Vec<&'static Column>,
    pub(crate) results: Vec<&'static Column>,
    pub(crate) details: Vec<&'static Column>,
}

/// The columns in which some cell of the section has a value.
pub(crate) fn columns(section: &Section) -> Columns {
    let used = |column: &&Column| section.cells.iter().any(|cell| column.text(cell) != MISSING);
    let [names, results, details] = [NAMES, RESULTS, DETAILS].map(|columns| columns.iter().filter(used).collect());
    Columns { names, results, details }
}

const fn number(
    heading: &'static str,
    meaning: &'static str,
    text: fn(&Comparison) -> String,
    key: fn(&Comparison) -> Option<f64>,
) -> Column {
    Column { heading, meaning, kind: Kind::Number, text, key, before_games: false }
}

const fn words(heading: &'static str, meaning: &'static str, kind: Kind, text: fn(&Comparison) -> String) -> Column {
    Column { heading, meaning, kind, text, key: |_| None, before_games: true }
}

static NAMES: &[Column] = &[
    words("Game", "the game played", Kind::Text, |cell| cell.game.trim().to_owned()),
    words("Comparison", "what the row compares", Kind::Text, Comparison::name),
];

static RESULTS: &[Column] = &[
    number("Win %", "score of A; a draw counts one half", |cell| numbers::percent(cell.score), |cell| Some(cell.score)),
    number(
        "95 % paired",
        "interval from pairs of games with seats swapped",
        |cell| interval(cell, IntervalKind::Paired),
        |cell| width(cell.interval),
    ),
    number(
        "95 % fixed width",
        "interval from pairs of games, played until it was narrow enough",
        |cell| interval(cell, IntervalKind::FixedWidth),
        |cell| width(cell.interval),
    ),
    number(
        "95 % anytime",
        "interval from pairs of games that holds whenever one looks or stops",
        |cell| interval(cell, IntervalKind::Anytime),
        |cell| width(cell.interval),
    ),
    number(
        "≠ 50 %",
        "whether the score differs from 50 % after Holm's correction",
        |cell| if cell.significant { "yes" } else { "no" }.to_owned(),
        |cell| Some(f64::from(cell.significant)),
    ),
    Column {
        before_games: true,
        ..number("Published", "what the paper reports, with its margin", published, |cell| {
            Some(cell.published.as_ref()?.score)
        })
    },
    Column {
        before_games: true,
        ..words("Verdict", "ours beside the published value", Kind::Text, |cell| {
            cell.verdict.map_or_else(String::new, |verdict| format!("{} {}", verdict.glyph(), verdict.words()))
        })
    },
    number("Elo", "difference in Elo with its 95 % interval", elo, |cell| cell.elo.map(|(estimate, ..)| estimate)),
    Column {
        before_games: true,
        ..number("Games", "games played, of those planned", games, |cell| Some(cell.games as f64))
    },
    words("Course", "how the number of games came about", Kind::Text, |cell| {
        cell.course.as_ref().map_or_else(String::new, |course| course.words.clone())
    }),
];

static DETAILS: &[Column] = &[
    number(
        "95 % as papers",
        "interval as papers compute it: normal, games taken as independent",
        |cell| numbers::interval(cell.papers_interval),
        |cell| width(cell.papers_interval),
    ),
    number("W / D / L", "games A won, drew and lost", outcomes, |cell| Some(cell.wins as f64)),
    number("Pairs 0 ½ 1 1½ 2", "pairs of games by the points A took from them", pairs, |cell| {
        Some(cell.pairs[4] as f64 + cell.pairs[3] as f64)
    }),
    number(
        "First %",
        "score of A when it begins",
        |cell| numbers::percent(cell.score_first),
        |cell| Some(cell.score_first),
    ),
    number(
        "Second %",
        "score of A when it does not begin",
        |cell| numbers::percent(cell.score_second),
        |cell| Some(cell.score_second),
    ),
    number("Draws %", "share of drawn games", |cell| numbers::percent(draws(cell)), |cell| Some(draws(cell))),
    number("Plies", "mean length of a game", |cell| numbers::mean(cell.plies), |cell| Some(cell.plies)),
    number(
        "Sims A : B",
        "mean simulations per move of both sides, and A divided by B",
        |cell| both(cell.simulations_per_move),
        |cell| Some(ratio(cell.simulations_per_move)),
    ),
    number(
        "ms A : B",
        "mean milliseconds per move of both sides, and A divided by B",
        |cell| both(cell.milliseconds_per_move),
        |cell| Some(ratio(cell.milliseconds_per_move)),
    ),
    words("Budget", "what each side may spend on a move", Kind::Text, |cell| cell.budget.trim().to_owned()),
    words("A", "the agent whose score is told", Kind::Code, |cell| cell.a.trim().to_owned()),
    words("B", "its opponent", Kind::Code, |cell| cell.b.trim().to_owned()),
    words("Source", "where the published value stands", Kind::Reference, source),
];

fn interval(cell: &Comparison, kind: IntervalKind) -> String {
    if cell.interval_kind == kind { numbers::interval(cell.interval) } else { String::new() }
}

fn width(interval: Option<(f64, f64)>) -> Option<f64> {
    numbers::usable_interval(interval).map(|(low, high)| high - low)
}

fn published(cell: &Comparison) -> String {
    cell.published.as_ref().map_or_else(String::new, numbers::published)
}

fn source(cell: &Comparison) -> String {
    let Some(published) = &cell.published else { return String::new() };
    match published.games {
        Some(games) => format!("{}, {} games", published.source.trim(), numbers::count(games)),
        None => published.source.trim().to_owned(),
    }
}

fn elo(cell: &Comparison) -> String {
    cell.elo.map_or_else(String::new, |(estimate, low, high)| {
        format!("{} [{}, {}]", numbers::signed(estimate), numbers::signed(low), numbers::signed(high))
    })
}

/// Games played; of how many only while some are missing.
pub(crate) fn games(cell: &Comparison) -> String {
    if cell.games < cell.planned_games {
        format!("{} of {}", numbers::count(cell.games), numbers::count(cell.planned_games))
    } else {
        numbers::count(cell.games)
    }
}

fn outcomes(cell: &Comparison) -> String {
    [cell.wins, cell.draws, cell.losses].map(numbers::count).join(" / ")
}

fn pairs(cell: &Comparison) -> String {
    if cell.pairs == [0; 5] { String::new() } else { cell.pairs.map(numbers::count).join(" · ") }
}

fn draws(cell: &Comparison) -> f64 {
    cell.draws as f64 / cell.games as f64
}

fn ratio([a, b]: [f64; 2]) -> f64 {
    a / b
}

fn both(values: [f64; 2]) -> String {
    // An agent that does not simulate has no mean; a dash for both says so once.
    if values.iter().all(|value| numbers::usable(*value).is_none_or(|value| value == 0.0)) {
        return String::new();
    }
    let [a, b] = values.map(numbers::mean);
    match numbers::usable(ratio(values)) {
        Some(ratio) => format!("{a} : {b} ({}×)", numbers::fixed(ratio, 2)),
        None => format!("{a} : {b}"),
    }
}

/// A cell as an entry of a paper's table: our score with its margin, the published one in brackets, the verdict's sign.
pub(crate) fn entry(cell: &Comparison) -> String {
    let ours = match width(cell.interval).filter(|_| cell.games > 0) {
        Some(width) => format!("{} ± {}", numbers::percent(cell.score), numbers::percent(width / 2.0)),
        None => MISSING.to_owned(),
    };
    let published = cell.published.as_ref().map(|published| format!(" ({})", numbers::percent(published.score)));
    let sign = cell.verdict.map(|verdict| format!(" {}", verdict.glyph()));
    format!("{ours}{}{}", published.unwrap_or_default(), sign.unwrap_or_default())
}

/// What stands in the entries of a paper's table.
pub(crate) fn entry_meaning(cells: &[Comparison]) -> String {
    let name = IntervalKind::names(cells);
    format!("Score of A, % ± half of the {name} 95 % interval (published); = agrees, ≠ differs, ? undecided.")
}

/// The verdicts of a report in one line, or nothing if there are none.
pub(crate) fn tally([agree, differ, undecided]: [usize; 3]) -> Vec<(Agreement, String)> {
    [
        (agree, Agreement::Agrees, "agree with the paper", "agrees with the paper"),
        (differ, Agreement::Differs, "differ", "differs"),
        (undecided, Agreement::Undecided { more_games: 0 }, "undecided", "undecided"),
    ]
    .into_iter()
    .filter(|(number, ..)| *number > 0)
    .map(|(number, verdict, many, one)| (verdict, format!("{number} {}", if number == 1 { one } else { many })))
    .collect()
}
