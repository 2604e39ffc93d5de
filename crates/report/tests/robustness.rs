//! Whatever the data, the outputs stay well-formed and show no number that is none.

use proptest::prelude::*;
use spinney_report::{
    Agreement, Comparison, Course, Curve, Grid, Health, Heat, HeatMap, IntervalKind, Literature, Matrix, Panel, Point,
    Report, Section, Series, Width, curve_plot, forest_plot, heat_plot, matrix_plot, pictures, to_html, to_markdown,
    to_terminal,
};

/// Ordinary numbers and the worst ones.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -0.5..1.5_f64,
        1 => -1e9..1e9_f64,
        1 => prop::sample::select(vec![
            f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 1e14, 1e-300,
        ]),
    ]
}

fn count() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 0..3000_u64, Just(u64::MAX)]
}

/// Text that tries to break out: markup, quotes, control characters, wide and combining letters.
fn text() -> impl Strategy<Value = String> {
    let letters = prop::sample::select(
        "abc xyz<>&\"'|`*_[]\\\n\t\u{1b}\u{0}\u{7f}\u{ffff}–棋e\u{301}🙂{}".chars().collect::<Vec<_>>(),
    );
    prop::collection::vec(letters, 0..40).prop_map(|letters| letters.into_iter().collect())
}

fn interval() -> impl Strategy<Value = Option<(f64, f64)>> {
    prop::option::of((number(), number()))
}

prop_compose! {
    fn published()(score in number(), margin in prop::option::of(number()), games in prop::option::of(count()), source in text()) -> Literature {
        Literature { score, margin, games, source }
    }
}

fn verdict() -> impl Strategy<Value = Agreement> {
    prop_oneof![
        Just(Agreement::Agrees),
        Just(Agreement::Differs),
        count().prop_map(|more_games| Agreement::Undecided { more_games }),
    ]
}

prop_compose! {
    fn cell()(
        [label, game, a, b, budget] in prop::array::uniform5(text()),
        [games, planned_games, wins, draws, losses] in prop::array::uniform5(count()),
        pairs in prop::array::uniform5(count()),
        [score, score_first, score_second, plies] in prop::array::uniform4(number()),
        (interval, papers_interval, elo) in (interval(), interval(), prop::option::of((number(), number(), number()))),
        simulations_per_move in prop::array::uniform2(number()),
        milliseconds_per_move in prop::array::uniform2(number()),
        published in prop::option::of(published()),
        verdict in prop::option::of(verdict()),
        significant in any::<bool>(),
        course in prop::option::of(prop::array::uniform2(text())),
        kind in 0..3_usize,
    ) -> Comparison {
        Comparison {
            label, game, a, b, budget, games, planned_games, wins, draws, losses, score, interval, papers_interval, elo,
            pairs, score_first, score_second, plies, simulations_per_move, milliseconds_per_move, published, verdict,
            significant,
            course: course.map(|[short, words]| Course { short, words }),
            interval_kind: [IntervalKind::Paired, IntervalKind::FixedWidth, IntervalKind::Anytime][kind],
        }
    }
}

prop_compose! {
    fn point()(x in number(), y in number(), interval in interval()) -> Point {
        Point { x, y, interval }
    }
}

prop_compose! {
    fn series()(label in text(), points in prop::collection::vec(point(), 0..6), published in any::<bool>()) -> Series {
        Series { label, points, published }
    }
}

prop_compose! {
    fn curve()(
        [title, x_label, y_label] in prop::array::uniform3(text()),
        x_logarithmic in any::<bool>(),
        series in prop::collection::vec(series(), 0..5),
        reference in prop::option::of(number()),
    ) -> Curve {
        Curve { title, x_label, y_label, x_logarithmic, series, reference }
    }
}

prop_compose! {
    fn matrix()(
        title in text(),
        labels in prop::collection::vec(text(), 0..4),
        values in prop::collection::vec(prop::collection::vec(prop::option::of(number()), 0..4), 0..4),
    ) -> Matrix {
        Matrix { title, labels, values, ..Matrix::default() }
    }
}

prop_compose! {
    fn heat()(score in number(), interval in interval()) -> Heat {
        Heat { score, interval }
    }
}

prop_compose! {
    fn panel()(
        title in text(),
        values in prop::collection::vec(prop::collection::vec(prop::option::of(heat()), 0..4), 0..4),
    ) -> Panel {
        Panel { title, values }
    }
}

prop_compose! {
    fn heat_map()(
        [title, x_label, y_label] in prop::array::uniform3(text()),
        columns in prop::collection::vec(text(), 0..4),
        rows in prop::collection::vec(text(), 0..4),
        panels in prop::collection::vec(panel(), 0..4),
        best in prop::option::of(prop::array::uniform3(0..5_usize)),
    ) -> HeatMap {
        HeatMap { title, x_label, y_label, columns, rows, panels, best }
    }
}

prop_compose! {
    fn grid()(
        columns in prop::collection::vec(text(), 0..4),
        rows in prop::collection::vec(text(), 0..4),
        cells in prop::collection::vec(prop::collection::vec(prop::option::of(0..6_usize), 0..4), 0..4),
    ) -> Grid {
        Grid { columns, rows, cells }
    }
}

prop_compose! {
    fn section()(
        title in text(),
        cells in prop::collection::vec(cell(), 0..5),
        curves in prop::collection::vec(curve(), 0..2),
        matrix in prop::option::of(matrix()),
        grid in prop::option::of(grid()),
        heats in prop::collection::vec(heat_map(), 0..2),
    ) -> Section {
        Section { title, cells, curves, heats, matrix, grid, texts: Vec::new() }
    }
}

prop_compose! {
    fn report()(
        [title, about, hash, version, command, machine] in prop::array::uniform6(text()),
        seed in any::<u64>(),
        sections in prop::collection::vec(section(), 0..3),
        [games, duplicates, damaged, timeouts] in prop::array::uniform4(count()),
        verified in prop::option::of((count(), count())),
        seat_balance in number(),
        agents in prop::collection::vec((text(), text()), 0..3),
        notes in prop::collection::vec(text(), 0..3),
    ) -> Report {
        let health = Health { games, duplicates, damaged, timeouts, verified, seat_balance };
        Report { title, about, hash, version, seed, command, machine, sections, health, agents, notes, repetitions: (0, 0) }
    }
}

/// Checks that tags nest, attributes are quoted and no attribute holds a number that is none.
fn check_markup(markup: &str) -> Result<(), TestCaseError> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = markup;
    while let Some(start) = rest.find('<') {
        let end = rest[start..].find('>').map(|end| start + end);
        let Some(end) = end else { return Err(TestCaseError::fail("a tag does not end")) };
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap_or_default();
        if tag.starts_with('!') || name == "meta" {
            continue;
        }
        prop_assert!(!name.is_empty() && name.chars().all(char::is_alphanumeric), "stray tag <{tag}>");
        prop_assert!(tag.matches('"').count().is_multiple_of(2), "open quote in <{tag}>");
        if let Some(class) = tag.strip_prefix('/') {
            prop_assert_eq!(open.pop(), Some(class));
        } else {
            for value in tag.split('"').skip(1).step_by(2) {
                prop_assert!(!value.contains("NaN") && !value.contains("inf"), "no number in <{tag}>");
            }
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        // What stands inside is not markup.
        if matches!(name, "style" | "script") && !tag.starts_with('/') {
            let Some(close) = rest.find("</") else { return Err(TestCaseError::fail("no end of script")) };
            rest = &rest[close..];
        }
    }
    prop_assert!(open.is_empty(), "left open: {open:?}");
    Ok(())
}

fn check_text(text: &str) -> Result<(), TestCaseError> {
    prop_assert!(!text.contains("NaN") && !text.contains("inf"));
    prop_assert!(text.chars().all(|character| character == '\n' || !character.is_control()));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reports_never_break(report in report(), columns in 0..200_usize) {
        let page = to_html(&report);
        check_markup(&page)?;
        pictures(&report).iter().try_for_each(|picture| check_markup(&picture.svg))?;
        prop_assert!(page.chars().all(|character| matches!(character, '\n' | '\t') || !character.is_control()));
        check_text(&to_markdown(&report))?;
        check_text(&to_terminal(&report, columns))?;
    }

    #[test]
    fn figures_are_well_formed(
        cells in prop::collection::vec(cell(), 0..20),
        curve in curve(),
        matrix in matrix(),
        heat in heat_map(),
    ) {
        for width in [Width::Wide, Width::Narrow] {
            check_markup(&forest_plot("title", &cells, width))?;
            check_markup(&curve_plot(&curve, width))?;
            check_markup(&matrix_plot(&matrix, width))?;
            check_markup(&heat_plot(&heat, width))?;
        }
    }
}

#[test]
fn a_report_of_nothing() {
    let report = Report::default();
    assert!(to_html(&report).contains("<h1>Report</h1>"));
    assert!(to_markdown(&report).contains("## Health"));
    assert!(to_terminal(&report, 100).contains("0 games"));
}
