//! One row for each cell: who plays whom at which settings, and what came out, for other programs.

use crate::column::{Column, Entry, Kind, Table, typed};
use crate::grid::Point;
use crate::limit::Limit;
use crate::measure::{Measurement, Sample};
use crate::plan::{Cell, Plan};
use crate::store::{Contents, Outcomes};
use crate::summary::{CellSummary, samples, samples_of, summarise, summarise_outcomes};
use spinney_core::expression::{Argument, Expression, write_sum};
use spinney_core::options::{OptionInfo, OptionKind};
use spinney_search::AgentInfo;
use spinney_stats::Verdict;
use spinney_table::Laboratory;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What is known of a cell before anything is played, by column; all cells of a plan have the same columns.
#[derive(Debug)]
pub(crate) struct Facts {
    columns: Vec<(String, Kind, Vec<Entry<'static>>)>,
}

/// A cell or a measurement.
struct Subject<'a> {
    laboratory: &'a Laboratory,
    game: &'a str,
    names: Vec<&'a str>,
    described: Vec<&'a str>,
    simulations: Option<u64>,
    seconds: Option<f64>,
    cpu_seconds: Option<f64>,
    clock: Option<String>,
    opening: Option<u32>,
    x: Option<f64>,
}

impl<'a> Subject<'a> {
    fn of_match(cell: &'a Cell) -> Self {
        Self {
            laboratory: &cell.laboratory,
            game: &cell.game,
            names: cell.names.iter().map(String::as_str).collect(),
            described: cell.described.iter().map(String::as_str).collect(),
            simulations: cell.simulations,
            seconds: cell.move_time.map(|time| time.as_secs_f64()),
            cpu_seconds: match cell.limit {
                Limit::Fixed(budget) => budget.cpu_time.map(|time| time.as_secs_f64()),
                Limit::Own | Limit::PublishedSeconds(_) | Limit::Clock(_) => None,
            },
            clock: cell.clock.map(|clock| clock.to_string()),
            opening: Some(cell.opening),
            x: cell.x,
        }
    }

    fn of_measurement(one: &'a Measurement) -> Self {
        Self {
            laboratory: &one.laboratory,
            game: &one.game,
            names: vec![&one.name],
            described: vec![&one.described],
            simulations: one.simulations,
            seconds: None,
            cpu_seconds: None,
            clock: None,
            opening: None,
            x: None,
        }
    }
}

impl Facts {
    /// Of the matches of a plan.
    pub(crate) fn of_matches(plan: &Plan) -> Self {
        Self::of(&plan.cells.iter().map(Subject::of_match).collect::<Vec<_>>())
    }

    /// Of its measurements.
    pub(crate) fn of_measurements(plan: &Plan) -> Self {
        Self::of(&plan.measurements.iter().map(Subject::of_measurement).collect::<Vec<_>>())
    }

    /// Of both, matches first.
    fn of_all(plan: &Plan) -> Self {
        let measurements = plan.measurements.iter().map(Subject::of_measurement);
        Self::of(&plan.cells.iter().map(Subject::of_match).chain(measurements).collect::<Vec<_>>())
    }

    fn of(subjects: &[Subject]) -> Self {
        let count = subjects.len();
        let mut columns: Vec<(String, Kind, Vec<Entry<'static>>)> = Vec::new();
        let number = |value: Option<f64>| value.map_or(Entry::Nothing, Entry::Number);
        let whole = |value: Option<u64>| value.map_or(Entry::Nothing, |value| Entry::Whole(value as i64));
        let mut add = |name: &str, kind, entry: &dyn Fn(&Subject) -> Entry<'static>| {
            columns.push((name.to_string(), kind, subjects.iter().map(entry).collect()));
        };
        add("simulations", Kind::Whole, &|one| whole(one.simulations));
        add("seconds", Kind::Number, &|one| number(one.seconds));
        add("cpu_seconds", Kind::Number, &|one| number(one.cpu_seconds));
        add("clock", Kind::Text, &|one| one.clock.clone().map_or(Entry::Nothing, |clock| Entry::Text(clock.into())));
        add("opening", Kind::Whole, &|one| whole(one.opening.map(u64::from)));
        add("x", Kind::Number, &|one| number(one.x));
        let infos: Vec<AgentInfo> = subjects.first().map_or_else(Vec::new, |one| one.laboratory.agents());
        // Words by column: the order is that in which columns are first met.
        let mut order: Vec<String> = Vec::new();
        let mut words: BTreeMap<String, Vec<Option<String>>> = BTreeMap::new();
        let mut put = |row: usize, name: String, word: String| {
            let column = words.entry(name.clone()).or_insert_with(|| {
                order.push(name);
                vec![None; count]
            });
            column[row] = Some(word);
        };
        for (row, one) in subjects.iter().enumerate() {
            for (name, seat) in one.names.iter().zip(["", "b."]) {
                let at = Point::of(name).map_or_else(Vec::new, |point| point.at);
                at.into_iter().for_each(|(axis, value)| put(row, format!("{seat}point.{axis}"), value.to_string()));
            }
        }
        for (row, one) in subjects.iter().enumerate() {
            if let Ok(game) = Expression::read("game", one.game) {
                flatten(&game.arguments, &[], "game", &mut |name, word| put(row, name, word));
            }
        }
        for seat in 0..2 {
            for (row, one) in subjects.iter().enumerate() {
                let Some(agent) = one.described.get(seat).and_then(|text| Expression::read("agent", text).ok()) else {
                    continue;
                };
                let prefix = ["a", "b"][seat];
                let options = infos.iter().find(|info| info.name == agent.name).map(|info| info.options.clone());
                put(row, format!("{prefix}.kind"), agent.name.clone());
                let options = options.as_deref().unwrap_or_default();
                flatten(&agent.arguments, options, prefix, &mut |name, word| put(row, name, word));
            }
        }
        for name in order {
            let (kind, entries) = typed(words.remove(&name).unwrap_or_default());
            columns.push((name, kind, entries));
        }
        Self { columns }
    }

    /// The columns, for rows of which each belongs to a cell; those that say nothing are left out.
    pub(crate) fn columns<'a>(self, cell_of: impl Fn(usize) -> usize + Clone + 'a) -> Vec<Column<'a>> {
        let says = |(_, _, entries): &(String, Kind, Vec<Entry<'static>>)| {
            entries.iter().any(|entry| *entry != Entry::Nothing)
        };
        let column = |(name, kind, entries): (String, Kind, Vec<Entry<'static>>)| {
            let cell_of = cell_of.clone();
            Column::new(name, kind, move |row| entries[cell_of(row)].clone())
        };
        self.columns.into_iter().filter(says).map(column).collect()
    }
}

/// Options with their values as words, those that are left out by their defaults, and options within options.
fn flatten(arguments: &[Argument], options: &[OptionInfo], prefix: &str, put: &mut dyn FnMut(String, String)) {
    for argument in arguments {
        let name = format!("{prefix}.{}", argument.key);
        let kind = options.iter().find(|option| option.key == argument.key).map(|option| &option.kind);
        match argument.value.as_slice() {
            [] => put(name.clone(), "on".to_string()),
            [nameless] if nameless.name.is_empty() => put(name.clone(), "on".to_string()),
            parts => put(name.clone(), write_sum(parts)),
        }
        match kind {
            Some(OptionKind::Brackets(inner)) if !is_off(argument) => {
                let own = argument.value.first().map_or(&[][..], |value| &value.arguments);
                flatten(own, inner, &name, put);
            }
            Some(OptionKind::Parts { one_of, any_of }) => {
                for part in &argument.value {
                    let known = one_of.iter().chain(any_of).find(|known| known.name == part.name);
                    let inner = known.map_or(&[][..], |known| &known.options);
                    flatten(&part.arguments, inner, &format!("{name}.{}", part.name), put);
                }
            }
            _ => argument.value.iter().for_each(|part| flatten(&part.arguments, &[], &name, put)),
        }
    }
    for option in options.iter().filter(|option| !option.default.is_empty()) {
        if !arguments.iter().any(|argument| argument.key == option.key) {
            put(format!("{prefix}.{}", option.key), option.default.clone());
        }
    }
}

fn is_off(argument: &Argument) -> bool {
    argument.value.first().is_some_and(|value| value.name == "off")
}

/// The results, one row for each cell of a match and then for each measurement.
pub fn table<'a>(plan: &'a Plan, contents: &Contents) -> Table<'a> {
    table_of(plan, &summarise(plan, contents), &samples(plan, contents))
}

/// The same of games without moves and times.
pub fn table_of_outcomes<'a>(plan: &'a Plan, outcomes: &Outcomes) -> Table<'a> {
    table_of(plan, &summarise_outcomes(plan, outcomes), &samples_of(plan, &outcomes.portions))
}

fn table_of<'a>(plan: &'a Plan, summaries: &[CellSummary], samples: &[Sample]) -> Table<'a> {
    let (matches, rows) = (plan.cells.len(), plan.cells.len() + plan.measurements.len());
    let mut columns: Vec<Column<'a>> = Vec::new();
    let mut add = |name: &str, kind, entry: Box<dyn Fn(usize) -> Entry<'a> + 'a>| {
        columns.push(Column::new(name, kind, entry));
    };
    let text = |text: &'a str| Entry::Text(Cow::Borrowed(text));
    let either = move |of_match: fn(&'a Cell) -> &'a str, of_measurement: fn(&'a Measurement) -> &'a str| {
        move |row: usize| match plan.cells.get(row) {
            Some(cell) => text(of_match(cell)),
            None => text(of_measurement(&plan.measurements[row - matches])),
        }
    };
    let section = move |row: usize| {
        let section = plan.cells.get(row).map_or_else(|| plan.measurements[row - matches].section, |cell| cell.section);
        text(&plan.sections[section].title)
    };
    add("kind", Kind::Text, Box::new(move |row| text(if row < matches { "match" } else { "measure" })));
    add("cell", Kind::Text, Box::new(either(|cell| &cell.key, |one| &one.key)));
    add("section", Kind::Text, Box::new(section));
    add("game", Kind::Text, Box::new(either(|cell| &cell.written_game, |one| &one.written_game)));
    add("a", Kind::Text, Box::new(either(|cell| &cell.names[0], |one| &one.name)));
    add("b", Kind::Text, Box::new(move |row| plan.cells.get(row).map_or(Entry::Nothing, |cell| text(&cell.names[1]))));
    add("budget", Kind::Text, Box::new(either(|cell| &cell.budget, |one| &one.budget)));
    for (name, kind, of_match, of_measurement) in RESULTS {
        let entries: Vec<Entry<'static>> = plan
            .cells
            .iter()
            .zip(summaries)
            .map(|(cell, summary)| of_match(cell, summary))
            .chain(plan.measurements.iter().zip(samples).map(|(one, sample)| of_measurement(one.repetitions, sample)))
            .collect();
        // Flags fall only where there are clocks.
        if name.starts_with("lost_on_time") && plan.cells.iter().all(|cell| cell.clock.is_none()) {
            continue;
        }
        if matches > 0 || entries.iter().any(|entry| *entry != Entry::Nothing) {
            add(name, *kind, Box::new(move |row| entries[row].clone()));
        }
    }
    columns.extend(Facts::of_all(plan).columns(|row| row));
    Table { rows, columns }
}

type OfMatch = fn(&Cell, &CellSummary) -> Entry<'static>;
type OfMeasurement = fn(u64, &Sample) -> Entry<'static>;

fn whole(value: u64) -> Entry<'static> {
    Entry::Whole(value as i64)
}

/// A number of games that were played.
fn played(summary: &CellSummary, value: f64) -> Entry<'static> {
    if summary.games.games() > 0 { Entry::Number(value) } else { Entry::Nothing }
}

fn known(value: Option<f64>) -> Entry<'static> {
    value.map_or(Entry::Nothing, Entry::Number)
}

/// A number of repetitions that were measured.
fn measured(sample: &Sample, value: f64) -> Entry<'static> {
    if sample.count > 0 { Entry::Number(value) } else { Entry::Nothing }
}

/// What came out, column by column.
const RESULTS: &[(&str, Kind, OfMatch, OfMeasurement)] = &[
    ("games", Kind::Whole, |_, one| whole(one.games.games()), |_, sample| whole(sample.count)),
    ("planned", Kind::Whole, |cell, _| whole(2 * cell.pairs), |repetitions, _| whole(repetitions)),
    ("wins", Kind::Whole, |_, one| whole(one.games.wins), nothing),
    ("draws", Kind::Whole, |_, one| whole(one.games.draws), nothing),
    ("losses", Kind::Whole, |_, one| whole(one.games.losses), nothing),
    ("lost_on_time_a", Kind::Whole, |_, one| whole(one.lost_on_time[0]), nothing),
    ("lost_on_time_b", Kind::Whole, |_, one| whole(one.lost_on_time[1]), nothing),
    ("score", Kind::Number, |_, one| played(one, one.score), |_, sample| measured(sample, sample.mean(0))),
    (
        "low",
        Kind::Number,
        |_, one| known(one.interval.map(|interval| interval.low)),
        |_, sample| measured(sample, sample.mean(0) - sample.margin(0)),
    ),
    (
        "high",
        Kind::Number,
        |_, one| known(one.interval.map(|interval| interval.high)),
        |_, sample| measured(sample, sample.mean(0) + sample.margin(0)),
    ),
    ("papers_low", Kind::Number, |_, one| known(one.papers_interval.map(|interval| interval.low)), nothing),
    ("papers_high", Kind::Number, |_, one| known(one.papers_interval.map(|interval| interval.high)), nothing),
    ("elo", Kind::Number, |_, one| known(one.elo.map(|elo| elo.0)), nothing),
    ("elo_low", Kind::Number, |_, one| known(one.elo.map(|elo| elo.1.low)), nothing),
    ("elo_high", Kind::Number, |_, one| known(one.elo.map(|elo| elo.1.high)), nothing),
    ("p_value", Kind::Number, |_, one| known(one.p_value), nothing),
    ("significant", Kind::Flag, |_, one| Entry::Flag(one.significant), nothing),
    ("pairs_0", Kind::Whole, |_, one| whole(one.pairs.counts[0]), nothing),
    ("pairs_1", Kind::Whole, |_, one| whole(one.pairs.counts[1]), nothing),
    ("pairs_2", Kind::Whole, |_, one| whole(one.pairs.counts[2]), nothing),
    ("pairs_3", Kind::Whole, |_, one| whole(one.pairs.counts[3]), nothing),
    ("pairs_4", Kind::Whole, |_, one| whole(one.pairs.counts[4]), nothing),
    ("score_first", Kind::Number, |_, one| played(one, one.seats[0]), nothing),
    ("score_second", Kind::Number, |_, one| played(one, one.seats[1]), nothing),
    ("plies", Kind::Number, |_, one| played(one, one.plies), nothing),
    ("simulations_per_move_a", Kind::Number, |_, one| played(one, one.simulations_per_move[0]), nothing),
    ("simulations_per_move_b", Kind::Number, |_, one| played(one, one.simulations_per_move[1]), nothing),
    ("ms_per_move_a", Kind::Number, |_, one| played(one, one.milliseconds_per_move[0]), nothing),
    ("ms_per_move_b", Kind::Number, |_, one| played(one, one.milliseconds_per_move[1]), nothing),
    ("published", Kind::Number, |cell, _| known(cell.published.as_ref().map(|theirs| theirs.score)), nothing),
    (
        "published_margin",
        Kind::Number,
        |cell, _| known(cell.published.as_ref().and_then(|theirs| theirs.margin)),
        nothing,
    ),
    (
        "verdict",
        Kind::Text,
        |_, one| match one.verdict {
            None => Entry::Nothing,
            Some(Verdict::Agrees) => Entry::Text("agrees".into()),
            Some(Verdict::Differs) => Entry::Text("differs".into()),
            Some(Verdict::Undecided { .. }) => Entry::Text("undecided".into()),
        },
        nothing,
    ),
    (
        "more_games",
        Kind::Whole,
        |_, one| match one.verdict {
            Some(Verdict::Undecided { more_games }) => whole(more_games),
            _ => Entry::Nothing,
        },
        nothing,
    ),
    ("deviation", Kind::Number, nothing_of_match, |_, sample| measured(sample, sample.variance(0).sqrt())),
    ("difference", Kind::Number, nothing_of_match, |_, sample| second(sample, sample.mean(1))),
    ("difference_margin", Kind::Number, nothing_of_match, |_, sample| second(sample, sample.margin(1))),
];

fn nothing(_: u64, _: &Sample) -> Entry<'static> {
    Entry::Nothing
}

fn nothing_of_match(_: &Cell, _: &CellSummary) -> Entry<'static> {
    Entry::Nothing
}

/// A number of the second sum, which only searches of first moves have.
fn second(sample: &Sample, value: f64) -> Entry<'static> {
    if sample.count > 0 && sample.has_second() { Entry::Number(value) } else { Entry::Nothing }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use serde_json::Value;

    const TEXT: &str = r#"title = "Columns"
pairs = 3
[agents.plain]
[agents.base]
qb = { k = [1, 2] }
playout = "policy+mast(eps=0.5)"
[[match]]
games = ["breakthrough(rows=6, columns=5)"]
a = ["base"]
b = ["plain"]
budgets = [{ simulations = 50 }, { cpu_time = 0.5 }]
opening = 2
[[measure]]
games = ["pig"]
agents = ["plain"]
budgets = [{ simulations = 8 }]
repetitions = 50
"#;

    #[test]
    fn settings_budgets_and_points_are_columns() {
        let plan = Plan::new(&Experiment::read("x", TEXT).unwrap()).unwrap();
        let lines = table(&plan, &Contents::default()).json_lines();
        let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rows.len(), 5);
        let (first, timed, measured) = (&rows[1], &rows[2], &rows[4]);
        for (key, value) in [
            ("kind", Value::from("match")),
            ("simulations", 50.into()),
            ("cpu_seconds", Value::Null),
            ("opening", 2.into()),
            ("point.k", 2.into()),
            ("game.rows", 6.into()),
            ("a.kind", "mcts".into()),
            ("a.sims", 50.into()),
            ("a.qb", true.into()),
            ("a.qb.k", 2.into()),
            ("a.playout", "policy+mast(eps=0.5)".into()),
            ("a.playout.mast.eps", 0.5.into()),
            ("a.reuse", false.into()),
            ("b.select", "ucb1".into()),
            ("games", 0.into()),
            ("planned", 6.into()),
            ("score", Value::Null),
        ] {
            assert_eq!(first[key], value, "{key}");
        }
        assert_eq!((&timed["cpu_seconds"], &timed["simulations"]), (&Value::from(0.5), &Value::Null));
        assert_eq!((&measured["kind"], &measured["planned"]), (&Value::from("measure"), &Value::from(50)));
        assert_eq!((&measured["b"], &measured["a.sims"]), (&Value::Null, &Value::from(8)));
        let csv = table(&plan, &Contents::default()).csv();
        assert!(csv.starts_with("kind,cell,section,game,a,b,budget,games,planned,"), "{csv}");
        assert!(csv.lines().all(|line| !line.is_empty()));
    }
}
