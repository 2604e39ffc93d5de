//! A small atlas, as it should look.

use spinney_report::atlas::{
    Atlas, Block, Chapter, Effect, Guide, GuideRow, Mark, RunLine, Standing, Worth, atlas_markdown, atlas_page,
    map_picture,
};
use spinney_report::{Comparison, Literature, Section};

fn mark(number: usize, standing: Standing, beside: Option<Standing>) -> Mark {
    Mark {
        id: format!("paper-{number}"),
        name: format!("Table 1, game {number}"),
        published: "50.0 ± 1.4".to_owned(),
        ours: "51.0 [48.0, 54.0], 400 games".to_owned(),
        right: if beside.is_some() { "47.0 [44.0, 50.0], 400 games".to_owned() } else { String::new() },
        standing,
        beside,
        note: "Known <&> little.".to_owned(),
        left: None,
        command: "spinney reproduce paper --only 'a=b c'".to_owned(),
    }
}

fn guide() -> Guide {
    let lines = |line: &str| vec!["51.0 ± 3.4".to_owned(), line.to_owned()];
    let worth = |line: &str, effect| Some(Worth { lines: lines(line), decisive: 1, effect });
    Guide {
        title: "Which ideas pay".to_owned(),
        about: "Both lines <count>.".to_owned(),
        columns: vec![["first".to_owned(), "a race".to_owned()], ["second".to_owned(), String::new()]],
        rows: vec![
            GuideRow {
                name: "MAST".to_owned(),
                setting: "mcts(playout=uniform+mast)".to_owned(),
                worth: vec![worth("61.0 ± 3.3", Effect::Helps), worth("41.0 ± 3.3", Effect::Hurts)],
            },
            GuideRow {
                name: "RAVE".to_owned(),
                setting: String::new(),
                worth: vec![worth("50.5 ± 3.4", Effect::Unclear), None],
            },
        ],
        command: "spinney lab run atlas/beyond-ideas".to_owned(),
    }
}

fn atlas() -> Atlas {
    let marks = vec![
        vec![Some(mark(1, Standing::Agrees, Some(Standing::Undecided))), Some(mark(2, Standing::Differs, None))],
        vec![Some(mark(3, Standing::Undecided, None)), None],
        vec![Some(mark(4, Standing::Explained, None)), Some(mark(5, Standing::Unplayed, None))],
    ];
    let block = Block {
        title: "Table 1".to_owned(),
        columns: vec!["online\n1 s".to_owned(), "0.25\n5 s".to_owned()],
        rows: ["first", "second", "third"].map(str::to_owned).to_vec(),
        marks,
    };
    let cell = Comparison {
        label: "engine, 400 games".to_owned(),
        game: "first".to_owned(),
        games: 400,
        score: 0.51,
        interval: Some((0.48, 0.54)),
        published: Some(Literature { score: 0.5, margin: Some(0.014), games: Some(5000), source: "paper".to_owned() }),
        ..Comparison::default()
    };
    let section = Section { title: "Table 1, online".to_owned(), cells: vec![cell], ..Section::default() };
    let chapter = Chapter {
        title: "A paper".to_owned(),
        about: "Somebody: Something. 2014.".to_owned(),
        findings: vec!["One number differs.".to_owned()],
        notes: vec!["Played with simulations.".to_owned()],
        blocks: vec![block],
        sections: vec![section],
        guides: vec![guide()],
    };
    let run = RunLine {
        folder: "paper/run".to_owned(),
        games: 400,
        version: "0.1.0".to_owned(),
        machine: Some("linux x86_64, 2 cores".to_owned()),
        seconds: Some(5400.0),
        checked: Some([4, 4]),
        problem: None,
    };
    Atlas {
        title: "Atlas".to_owned(),
        about: "How to read it.".to_owned(),
        chapters: vec![chapter],
        runs: vec![run],
        command: "spinney atlas results --out docs/atlas".to_owned(),
    }
}

#[test]
fn the_map() {
    let map = map_picture(&atlas());
    assert_eq!(map.matches("class=\"mark-of").count(), 5);
    insta::assert_snapshot!("atlas_map", map.split_once("</style>").map_or("", |(_, drawn)| drawn));
}

#[test]
fn the_text() {
    insta::assert_snapshot!("atlas_markdown", atlas_markdown(&atlas()));
}

#[test]
fn the_page_has_numbers_links_and_no_script() {
    let page = atlas_page(&atlas());
    let body = page.split_once("</style>").map_or("", |(_, body)| body);
    for part in [
        "<tr id=\"paper-3\">",
        "href=\"#paper-3\"",
        "Known &lt;&amp;&gt; little.",
        "1-1-forest-narrow.svg",
        "1 agrees · 1 differs, with reason · 1 differs, no reason shown · 1 undecided · 1 not yet played",
        "spinney reproduce paper --only &#39;a=b c&#39;",
        "<td>1.5 h</td>",
        "<td class=\"is-help\"><div>51.0 ± 3.4</div><div>+ 61.0 ± 3.3</div></td><td class=\"is-harm\"><div>51.0 ± 3.4</div><div>− 41.0 ± 3.3</div>",
        "<td class=\"\"><div>51.0 ± 3.4</div><div>50.5 ± 3.4</div></td><td></td>",
        "Both lines &lt;count&gt;.",
        "spinney lab run atlas/beyond-ideas",
    ] {
        assert!(body.contains(part), "{part}");
    }
    assert!(!page.contains("<script"));
    assert_eq!(atlas().tally(), [1, 1, 1, 1, 1]);
}
