//! A small report in every output, as it should look.

use spinney_report::{
    Agreement, Comparison, Course, Curve, Grid, Health, Heat, HeatMap, IntervalKind, Literature, Matrix, Panel, Point,
    Report, Section, Series, TextTable, Width, curve_plot, forest_plot, heat_plot, matrix_plot, pictures, to_html,
    to_markdown, to_terminal,
};

fn played(game: &str, score: f64, published: f64, verdict: Agreement) -> Comparison {
    Comparison {
        label: "relative bonus".to_owned(),
        game: game.to_owned(),
        a: "mcts(shape=relative)".to_owned(),
        b: "mcts".to_owned(),
        budget: "25 000 simulations".to_owned(),
        games: 2000,
        planned_games: 2000,
        wins: (2000.0 * score) as u64,
        draws: 0,
        losses: 2000 - (2000.0 * score) as u64,
        score,
        interval: Some((score - 0.02, score + 0.02)),
        papers_interval: Some((score - 0.022, score + 0.022)),
        elo: Some((40.0, 25.0, 55.0)),
        pairs: [200, 0, 450, 0, 350],
        score_first: score + 0.04,
        score_second: score - 0.04,
        plies: 61.27,
        simulations_per_move: [25_000.0, 25_000.0],
        milliseconds_per_move: [53.0, 52.1],
        published: Some(Literature {
            score: published,
            margin: Some(0.022),
            games: Some(1000),
            source: "table 2".to_owned(),
        }),
        verdict: Some(verdict),
        significant: score > 0.53,
        ..Comparison::default()
    }
}

fn curve() -> Curve {
    let points = |shift: f64, interval: f64| {
        [100.0, 1000.0, 10_000.0]
            .into_iter()
            .enumerate()
            .map(|(index, x)| {
                let y = 50.0 + shift + 3.0 * index as f64;
                Point { x, y, interval: Some((y - interval, y + interval)) }
            })
            .collect()
    };
    let series = |label: &str, points, published| Series { label: label.to_owned(), points, published };
    Curve {
        title: "Score by budget".to_owned(),
        x_label: "simulations".to_owned(),
        y_label: "score, %".to_owned(),
        x_logarithmic: true,
        series: vec![
            series("relative", points(0.0, 2.0), false),
            series("both", points(1.0, 2.0), false),
            series("relative", points(0.5, 1.5), true),
        ],
        reference: Some(50.0),
    }
}

fn matrix() -> Matrix {
    Matrix {
        relation: spinney_report::Relation::Against,
        title: "Everyone".to_owned(),
        labels: ["uct", "mast", "a rather long name"].map(str::to_owned).to_vec(),
        values: vec![
            vec![None, Some(0.45), Some(0.3)],
            vec![Some(0.55), None, Some(0.5)],
            vec![Some(0.7), Some(0.5), None],
        ],
    }
}

/// The first and the last cell in one column, the others in another.
fn grid() -> Grid {
    let mut grid = Grid::default();
    grid.put("Amazons", "relative · 1 s", 0);
    grid.put("Breakthrough", "relative · 5 s", 1);
    grid.put("Checkers", "relative · 5 s", 2);
    grid.put("Cannon", "relative · 1 s", 3);
    grid
}

fn report() -> Report {
    let waiting = Comparison { games: 0, verdict: None, ..played("Cannon", 0.5, 0.52, Agreement::Agrees) };
    Report {
        title: "A small report <b>".to_owned(),
        about: "Three cells, a curve & a matrix.".to_owned(),
        hash: "9f3a61c0d27be845".to_owned(),
        version: "0.1.0".to_owned(),
        seed: 7,
        command: "spinney run small.toml --seed 7".to_owned(),
        machine: "2 cores".to_owned(),
        sections: vec![Section {
            texts: Vec::new(),
            heats: Vec::new(),
            title: "Bonuses".to_owned(),
            cells: vec![
                played("Amazons", 0.56, 0.558, Agreement::Agrees),
                played("Breakthrough", 0.52, 0.58, Agreement::Differs),
                played("Checkers", 0.54, 0.55, Agreement::Undecided { more_games: 3100 }),
                waiting,
            ],
            curves: vec![curve()],
            matrix: Some(matrix()),
            grid: Some(grid()),
        }],
        health: Health {
            games: 6000,
            duplicates: 1,
            damaged: 0,
            timeouts: 0,
            verified: Some((60, 60)),
            seat_balance: 0.54,
        },
        agents: vec![("uct".to_owned(), "mcts(c=0.8)".to_owned())],
        repetitions: (0, 0),
        notes: vec!["Playouts are uniform.".to_owned()],
    }
}

/// The interval has the name of the rule, and the row says how its games came about.
#[test]
fn a_rule_is_told_with_its_interval() {
    let course = Course { short: "early: > 50 %".to_owned(), words: "stopped after 2 000 of at most 5 000".to_owned() };
    let early = Comparison {
        interval_kind: IntervalKind::Anytime,
        course: Some(course),
        ..played("Amazons", 0.56, 0.558, Agreement::Agrees)
    };
    let mut report = report();
    report.sections[0].cells = vec![early];
    let terminal = to_terminal(&report, 140);
    assert!(terminal.contains("95 % anytime") && !terminal.contains("paired"), "{terminal}");
    assert!(terminal.contains("early: > 50 %"), "{terminal}");
    for page in [to_html(&report), to_markdown(&report)] {
        assert!(page.contains("95 % anytime") && !page.contains("95 % paired"));
        assert!(page.contains("stopped after 2 000 of at most 5 000"));
    }
}

#[test]
fn terminal() {
    let text = to_terminal(&report(), 100);
    assert!(text.lines().all(|line| line.chars().count() <= 100));
    insta::assert_snapshot!(text);
}

#[test]
fn markdown() {
    insta::assert_snapshot!(to_markdown(&report()));
}

#[test]
fn figures() {
    let report = report();
    for (name, width) in [("wide", Width::Wide), ("narrow", Width::Narrow)] {
        insta::assert_snapshot!(format!("forest_{name}"), forest_plot("Bonuses", &report.sections[0].cells, width));
        insta::assert_snapshot!(format!("curve_{name}"), curve_plot(&curve(), width));
        insta::assert_snapshot!(format!("matrix_{name}"), matrix_plot(&matrix(), width));
    }
}

/// Two panels over three values of c and two of k; one score is not there yet.
fn heat_map() -> HeatMap {
    let heat = |percent: f64| {
        let score = percent / 100.0;
        Some(Heat { score, interval: Some((score - 0.04, score + 0.04)) })
    };
    let panel = |title: &str, values| Panel { title: title.to_owned(), values };
    HeatMap {
        title: "Score over c and k".to_owned(),
        x_label: "c".to_owned(),
        y_label: "k".to_owned(),
        columns: ["0.5", "1", "2"].map(str::to_owned).to_vec(),
        rows: ["1", "8"].map(str::to_owned).to_vec(),
        panels: vec![
            panel(
                "a = online",
                vec![vec![heat(44.0), heat(51.5), heat(50.0)], vec![heat(58.2), heat(63.0), heat(55.0)]],
            ),
            panel("a = 0.25", vec![vec![heat(38.0), None, heat(47.0)], vec![heat(49.0), heat(52.0), heat(50.5)]]),
        ],
        best: Some([0, 1, 1]),
    }
}

#[test]
fn heat_maps() {
    for (name, width) in [("wide", Width::Wide), ("narrow", Width::Narrow)] {
        insta::assert_snapshot!(format!("heat_{name}"), heat_plot(&heat_map(), width));
    }
    let section = Section { title: "Grid".to_owned(), heats: vec![heat_map()], ..Section::default() };
    let report = Report { sections: vec![section], ..Report::default() };
    let text = to_terminal(&report, 100);
    assert!(text.contains("Score over c and k · a = online (score, %; * is the best)"), "{text}");
    assert!(text.contains("63.0 *"), "{text}");
    assert!(to_markdown(&report).contains("| 1 | 38.0 | – | 47.0 |"), "{}", to_markdown(&report));
    assert!(to_html(&report).contains("the best is framed"));
}

#[test]
fn every_figure_is_a_picture_of_its_own() {
    let mut report = report();
    report.sections.push(Section { heats: vec![heat_map(), heat_map()], ..Section::default() });
    let names: Vec<String> = pictures(&report).into_iter().map(|picture| picture.name).collect();
    assert_eq!(names, ["1-forest", "1-curve", "1-matrix", "2-heat-1", "2-heat-2"]);
    assert!(
        pictures(&report).iter().all(|picture| picture.svg.contains("--back:") && picture.svg.ends_with("</svg>\n"))
    );
}

#[test]
fn page_has_every_part_and_needs_nothing_else() {
    let page = to_html(&report());
    for part in [
        "<h1>A small report &lt;b&gt;</h1>",
        "a curve &amp; a matrix",
        "<code>9f3a61c0d27be845</code>",
        "spinney run small.toml --seed 7",
        "no games yet",
        "95 % paired",
        "95 % as papers",
        "200 · 0 · 450 · 0 · 350",
        "undecided, +3\u{202f}100 games",
        "60 of 6\u{202f}000 games, 60 identical",
        "mcts(c=0.8)",
        "Playouts are uniform.",
    ] {
        assert!(page.contains(part), "{part} is missing");
    }
    for foreign in ["src=", "@import", "url(", "<link"] {
        assert!(!page.contains(foreign), "{foreign} would need something else");
    }
    // The name space of SVG is a name, not an address that is opened.
    assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("http"));
    assert_eq!(page, to_html(&report()), "the same data gives the same page");
}

#[test]
fn hundred_cells_are_light_and_fast() {
    let mut report = report();
    let cell = report.sections[0].cells[2].clone();
    report.sections[0].cells = vec![cell; 100];
    let start = std::time::Instant::now();
    let page = to_html(&report);
    let elapsed = start.elapsed();
    println!("{} bytes in {elapsed:?}", page.len());
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    assert!(elapsed.as_millis() < 500, "{elapsed:?}");
}

/// What does not fit beside the first column goes below it.
#[test]
fn tables_of_texts_are_in_every_output() {
    let row = |name: &str| -> Vec<String> {
        let entries = (1..6).map(|column| format!("{name} {column}"));
        std::iter::once(name.to_owned()).chain(entries).collect()
    };
    let rows = vec![row("budget"), row("plain")];
    let table = TextTable { title: "Mean | score".to_owned(), rows };
    let section = Section { title: "One player".to_owned(), texts: vec![table], ..Section::default() };
    let report = Report { sections: vec![section], repetitions: (50, 100), ..Report::default() };
    let text = to_terminal(&report, 40);
    assert!(text.contains("50 of 100 games") && text.lines().all(|line| line.chars().count() <= 40), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("  plain")).count(), 2, "{text}");
    assert!((1..6).all(|column| text.contains(&format!("plain {column}"))), "{text}");
    let text = to_markdown(&report);
    assert!(text.contains("### Mean \\| score") && text.contains("| plain | plain 1 |"), "{text}");
    assert!(to_html(&report).contains("<h3>Mean | score</h3>"));
}
