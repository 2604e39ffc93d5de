//! The atlas of the results in this repository: complete, counted right, and every link and command leads somewhere.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use spinney_lab::atlas::kinds::{Board, PartKind, QualityRow, Role, Setting, Statement, Table};
use spinney_lab::atlas::parts::{Known, Part};
use spinney_lab::atlas::{atlas, claims, gather, parts, reasons};
use spinney_lab::paper::{Choice, Scale};
use spinney_lab::plan::Plan;
use spinney_lab::{Experiment, Store, library, published, runner};
use spinney_report::atlas::{Atlas, Block, Mark, Standing, atlas_markdown, atlas_page, atlas_pictures};
use spinney_table::Laboratory;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

fn results() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results")
}

static PARTS: LazyLock<Vec<Part>> = LazyLock::new(|| parts::all(&Laboratory::standard()).unwrap());
static ATLAS: LazyLock<Atlas> =
    LazyLock::new(|| atlas(&Laboratory::standard(), &results(), "spinney atlas".to_string(), &|_, _| {}).unwrap());

fn plan(name: &str) -> Plan {
    let file = library::find(name).unwrap();
    Plan::new(&Experiment::read(name, file.text).unwrap()).unwrap()
}

fn keys(plan: &Plan) -> BTreeSet<String> {
    let measured = plan.measurements.iter().map(|one| one.key.clone());
    plan.cells.iter().map(|cell| cell.key.clone()).chain(measured).collect()
}

fn keys_of_atlas(beginning: &str) -> BTreeSet<String> {
    PARTS.iter().filter(|part| part.name.starts_with(beginning)).flat_map(|part| keys(&part.plan)).collect()
}

/// Games played for these experiments count in the atlas, seed by seed.
#[test]
fn cells_are_those_of_the_experiments_before() {
    for (beginning, names) in [
        (
            "atlas/table-",
            vec![
                "quality-rewards/table-1",
                "quality-rewards/table-3",
                "quality-rewards/table-4",
                "quality-rewards/right-rules",
                "ggp/table-2",
            ],
        ),
        ("atlas/contextual", vec!["contextual/over-b", "contextual/over-prob"]),
        ("atlas/why-contextual", vec!["contextual/readings"]),
        (
            "atlas/variance-",
            vec![
                "variance-reduction/figure-1",
                "variance-reduction/figure-2-pig",
                "variance-reduction/figure-2-cant-stop",
                "variance-reduction/figure-2-dominion",
            ],
        ),
    ] {
        let known = keys_of_atlas(beginning);
        for name in names {
            let missing: Vec<String> = keys(&plan(name)).difference(&known).cloned().collect();
            assert!(missing.is_empty(), "{name}: {} cells are not in the atlas", missing.len());
        }
    }
    // All but the sigmoid's wrong sign on one side alone, which no paper published.
    let known = keys_of_atlas("atlas/table-");
    let others: Vec<String> = keys(&plan("quality-rewards/one-second")).difference(&known).cloned().collect();
    assert_eq!(others.len(), 1, "{others:?}");
}

#[test]
fn every_published_number_has_its_cells() {
    let mut found: BTreeMap<(String, usize), [usize; 2]> = BTreeMap::new();
    // Questions stand beside printed numbers without deciding them.
    for part in PARTS.iter().filter(|part| !part.kind.is_question()) {
        for Known { cell, row, role, .. } in part.cells() {
            let Some(row) = row else { continue };
            let paper = if part.kind == PartKind::Contextual { "contextual" } else { "quality-rewards" };
            found.entry((paper.to_string(), row)).or_default()[usize::from(role.is_right())] += 1;
            let rule = cell.stop.as_ref().map(ToString::to_string).unwrap_or_default();
            assert!(rule.contains("published") && rule.contains("margin = 2"), "{}: {rule}", part.name);
            assert_eq!(cell.pairs, 2500);
        }
    }
    let of =
        |paper: &str| found.iter().filter(|((name, _), _)| name == paper).map(|(_, count)| *count).collect::<Vec<_>>();
    let quality = of("quality-rewards");
    assert_eq!(quality.len(), 106);
    assert!(quality.iter().all(|[papers, _]| *papers == 1));
    assert_eq!(
        quality.iter().filter(|[_, right]| *right > 0).count(),
        78,
        "Tables 1, 3 and 4 with the right rules too"
    );
    assert_eq!(of("contextual"), [[4, 0]; 4]);
}

/// The readings of the column with q as reward have its printed numbers, and one of them is the cell of the table.
#[test]
fn readings_of_quality_as_reward_stand_beside_its_column() {
    let part = PARTS.iter().find(|part| part.name == "atlas/why-quality-reward").unwrap();
    assert!(part.cells().all(|known| known.cell.published.is_some()));
    let known = keys_of_atlas("atlas/table-4");
    let own: Vec<&str> =
        part.cells().filter(|one| known.contains(&one.cell.key)).map(|one| &*one.cell.names[0]).collect();
    assert_eq!(own, ["no mast, solver mended, quality"; 6]);
}

/// Each deviation on alone and off alone, beside none and all.
#[test]
fn ablations_switch_every_deviation() {
    for (name, bonus) in [("atlas/why-cannon", "qb"), ("atlas/why-amazons", "qb"), ("atlas/why-breakthrough", "rb")] {
        let part = PARTS.iter().find(|part| part.name == name).unwrap();
        let count = |is_wanted: fn(&Role) -> bool| {
            let own = part.cells().filter(|known| is_wanted(known.role));
            own.map(|known| known.cell.described[1].clone()).collect::<BTreeSet<_>>().len()
        };
        let (only, all_but) =
            (count(|role| matches!(role, Role::Only(_))), count(|role| matches!(role, Role::AllBut(_))));
        assert_eq!((only, all_but), (13, 13), "{name}");
        assert_eq!((count(Role::is_papers), count(Role::is_right)), (1, 1), "{name}: the whole engine and none of it");
        assert!(part.plan.cells.iter().all(|cell| cell.described[0].contains(bonus)), "{name}");
    }
}

/// Every row of the tables is of a kind, counted by hand in the paper: six games, two weights, two times; q at one second.
#[test]
fn rows_and_cells_have_kinds() {
    let (_, rows) = published::table("quality-rewards").unwrap();
    let read = |(number, row)| QualityRow::read(number, row).unwrap();
    let rows: Vec<QualityRow> = rows.iter().enumerate().map(read).collect();
    let count = |table: Table, is_wanted: fn(&Setting) -> bool| {
        rows.iter().filter(|row| row.table == table && is_wanted(&row.setting)).count()
    };
    for (table, bonus, quality, ggp) in [
        (Table::Relative, 24, 0, 0),
        (Table::Qualitative, 24, 0, 0),
        (Table::Combined, 24, 6, 0),
        (Table::Ggp, 0, 0, 28),
    ] {
        assert_eq!(count(table, |one| matches!(one, Setting::Bonus { .. })), bonus, "{table:?}");
        assert_eq!(count(table, |one| matches!(one, Setting::Quality { .. })), quality, "{table:?}");
        assert_eq!(count(table, |one| matches!(one, Setting::Ggp { .. })), ggp, "{table:?}");
    }
    // Amazons with the right rules is played on both boards, everything else on one.
    let part = PARTS.iter().find(|part| part.kind == PartKind::Table(Table::Relative)).unwrap();
    let boards = |board: Board| part.cells().filter(|known| *known.role == Role::Right(board)).count();
    assert_eq!((boards(Board::Engines), boards(Board::Printed), boards(Board::Only)), (4, 4, 20));
    assert!(part.cells().all(|known| known.role.is_papers() != known.role.is_right()));
    let together = PARTS.iter().find(|part| part.kind == PartKind::Together).unwrap();
    assert!(together.cells().any(|known| *known.role == Role::Plainest));
}

/// A name that means nothing is told, not taken for something else.
#[test]
fn unknown_names_are_errors() {
    let error = PartKind::read("atlas/why-canon").unwrap_err().to_string();
    assert!(error.contains("atlas/why-cannon"), "{error}");
    let error = Statement::read("axes").unwrap_err().to_string();
    assert!(error.contains("axis"), "{error}");
    let row: published::Row = [("table", "table9"), ("game", "go"), ("a", "1")].into();
    assert!(QualityRow::read(0, &row).is_err());
    let row: published::Row = [("table", "table1-relative-bonus"), ("game", "go"), ("a", "")].into();
    assert!(QualityRow::read(0, &row).unwrap_err().to_string().contains("fill the column a"));
    let mut cell = PARTS.iter().find(|part| part.name == "atlas/table-1").unwrap().plan.cells[0].clone();
    let table = PartKind::Table(Table::Relative);
    assert_eq!(Role::read("atlas/table-1", table, &cell).unwrap(), Role::Papers);
    cell.names[1] = "only saturation".to_string();
    assert!(Role::read("atlas/table-1", table, &cell).is_err(), "a table has no deviations");
    assert_eq!(Role::read("x", PartKind::Ablation, &cell).unwrap(), Role::Only("saturation".to_string()));
}

#[test]
fn the_map_has_every_number_once() {
    let ids: BTreeSet<&str> = ATLAS.marks().map(|mark| mark.id.as_str()).collect();
    assert_eq!((ATLAS.marks().count(), ids.len()), (134, 134));
    let counts: Vec<usize> =
        ATLAS.chapters.iter().map(|chapter| chapter.blocks.iter().flat_map(Block::all).count()).collect();
    assert_eq!(counts, [106, 24, 4, 0, 0]);
    let tally = ATLAS.tally();
    assert_eq!(tally.iter().sum::<usize>(), 134);
    for (standing, count) in Standing::ALL.iter().zip(tally) {
        assert_eq!(ATLAS.marks().filter(|mark| mark.standing == *standing).count(), count);
    }
    // The runs in the repository: seven cells of Tables 1 and 3, four of Table 2.
    let played = |chapter: usize| {
        let marks = ATLAS.chapters[chapter].blocks.iter().flat_map(Block::all);
        marks.filter(|mark| mark.standing != Standing::Unplayed).count()
    };
    assert!(played(0) >= 11, "{}", played(0));
    assert!(ATLAS.runs.iter().all(|run| run.problem.is_none()), "{:?}", ATLAS.runs);
}

#[test]
fn links_and_pictures_of_the_page_are_there() {
    let page = atlas_page(&ATLAS);
    let pictures: BTreeSet<String> =
        atlas_pictures(&ATLAS).into_iter().map(|picture| format!("{}.svg", picture.name)).collect();
    let after = |mark: &'static str| {
        page.split(mark).skip(1).map(|rest| rest.split('"').next().unwrap().to_string()).collect::<Vec<String>>()
    };
    let ids: Vec<String> = after(" id=\"");
    let unique: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(ids.len(), unique.len());
    let links = after("href=\"#");
    assert!(links.len() >= 2 * 134, "the map is drawn for wide and for narrow screens");
    assert!(links.iter().all(|link| unique.contains(link)));
    let shown: Vec<String> = [after("src=\""), after("srcset=\"")].concat();
    assert!(!shown.is_empty() && shown.iter().all(|name| pictures.contains(name)));
    assert!(!page.contains("<script"), "nothing needs a script");
    let maps = page.split("id=\"map\"").nth(1).unwrap().split("<p class=").next().unwrap();
    assert!(maps.contains("class=\"narrow\"") && !maps.contains('…'), "no name is cut on either map");
    assert!(atlas_markdown(&ATLAS).contains("map.svg"));
}

/// What a command line of `reproduce` chooses.
fn choice(command: &str) -> (String, Choice) {
    let mut words: Vec<String> = Vec::new();
    for (index, piece) in command.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(piece.split_whitespace().map(str::to_string)),
            _ => words.push(piece.to_string()),
        }
    }
    assert_eq!(words[..2], ["spinney", "reproduce"], "{command}");
    let mut choice = Choice::default();
    let mut rest = words[3..].iter();
    while let Some(flag) = rest.next() {
        let mut value = || rest.next().unwrap().clone();
        match flag.as_str() {
            "--table" => choice.tables.extend(value().split(',').map(str::to_string)),
            "--game" => choice.games.push(value()),
            "--only" => choice.only.push(value().split_once('=').map(|(a, b)| (a.to_string(), b.to_string())).unwrap()),
            "--sims" => choice.simulations = value().split(',').map(|number| number.parse().unwrap()).collect(),
            "--games" => choice.games_per_cell = value().parse().ok(),
            "--full" => choice.scale = Scale::Full,
            "--plan" => {}
            other => panic!("{command}: {other}"),
        }
    }
    (words[2].clone(), choice)
}

#[test]
fn commands_repeat_their_cells() {
    let is_reproduced = |mark: &&Mark| mark.command.starts_with("spinney reproduce");
    for mark in ATLAS.marks().filter(is_reproduced) {
        let (paper, choice) = choice(&mark.command);
        let experiment = library::paper(&paper).unwrap().experiment(&choice);
        let experiment = experiment.unwrap_or_else(|error| panic!("{}: {error}", mark.command));
        let Some(number) = mark.id.strip_prefix("quality-rewards-") else { continue };
        let row = number.parse::<usize>().unwrap() - 1;
        let again = keys(&Plan::new(&experiment).unwrap());
        let cells = PARTS.iter().filter(|part| part.name.starts_with("atlas/table-")).flat_map(Part::cells);
        let own = cells.filter(|known| known.row == Some(row) && known.role.is_papers());
        assert_eq!(again, own.map(|known| known.cell.key.clone()).collect(), "{}", mark.command);
    }
    assert!(ATLAS.marks().all(|mark| mark.command.starts_with("spinney ")));
}

/// Facts are checked against the program, not taken from the file.
#[test]
fn every_claim_has_a_rule_and_facts_are_those_of_the_program() {
    let claims = claims::all().unwrap();
    let (_, rows) = published::table("variance-reduction").unwrap();
    assert_eq!(rows.len(), 24);
    for row in &rows {
        let statement = Statement::read(row["claim"]).unwrap();
        let own = claims.iter().filter(|one| one.claim == statement && one.domain == row["domain"]);
        assert_eq!(own.count(), 1, "{row:?}");
    }
    let facts = [Statement::C, Statement::Cv, Statement::Policy, Statement::Games];
    for claim in claims.iter().filter(|one| facts.contains(&one.claim)) {
        let (standing, words) = claim.judge(&PARTS).unwrap();
        assert_eq!(standing, Standing::Agrees, "{:?} {}: {words}", claim.claim, claim.domain);
    }
    let of = |kind: Statement, domain: &str| {
        let claim = claims.iter().find(|one| one.claim == kind && one.domain == domain).unwrap();
        claim.judge(&PARTS).unwrap().0
    };
    assert_eq!(of(Statement::States, "pig"), Standing::Undecided);
    assert_eq!(of(Statement::States, "cant-stop"), Standing::Differs);
    assert_eq!(of(Statement::Speedup, "pig"), Standing::Unplayed, "no game was gathered here");
}

const SMALL: &str = r#"title = "Elsewhere"
seed = 99
pairs = 3
[agents.base]
kind = "mcts"
c = 2.8284
solver = "off"
playout = "uniform"
[agents.other]
like = "base"
playout = "uniform+cmc(prob=75, b=100)"
[[match]]
games = ["havannah(size=5)"]
a = ["other"]
b = ["base"]
budgets = [{ simulations = 1000 }]
"#;

/// Another experiment, other names, another seed: the same cell. And a reason needs games that show it.
#[test]
fn games_of_other_seeds_count_and_reasons_need_games() {
    let folder = std::env::temp_dir().join(format!("spinney-atlas-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let store = Store::create(&folder.join("deep/run"), "small.toml", SMALL).unwrap();
    let stop = AtomicBool::new(false);
    runner::run(&store, &store.read().unwrap(), spinney_lab::Shard::WHOLE, 2, &stop, &|_| {}).unwrap();
    let mut parts = parts::all(&Laboratory::standard()).unwrap();
    parts.retain(|part| part.name == "atlas/contextual");
    let told = std::sync::Mutex::new(Vec::new());
    let progress = |done, all| told.lock().unwrap().push((done, all));
    let lines = gather::gather(&Laboratory::standard(), &folder, &mut parts, &progress).unwrap();
    assert_eq!(*told.lock().unwrap(), [(0, 1), (1, 1)]);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(lines.iter().map(|line| (line.folder.as_str(), line.games)).collect::<Vec<_>>(), [("deep/run", 6)]);
    assert!(lines[0].machine.as_ref().unwrap().contains("cores"), "{:?}", lines[0]);
    assert!(
        lines[0].seconds.is_some_and(|seconds| seconds > 0.0),
        "a run that was not packed has times: {:?}",
        lines[0]
    );
    // Six games of 1,000 simulations a move took so long; a game of twice as many would take twice that.
    let cell = parts[0].cells().find(|known| known.games() > 0).unwrap().cell.clone();
    let of_game = parts[0].seconds_of_game(&cell).unwrap();
    assert!((6.0 * of_game - lines[0].seconds.unwrap()).abs() < 1e-6, "{of_game}");
    let twice = spinney_lab::plan::Cell { simulations: Some(2000), ..cell };
    assert!((parts[0].seconds_of_game(&twice).unwrap() - 2.0 * of_game).abs() < 1e-9);
    let played: Vec<_> = parts[0].cells().filter(|known| known.games() > 0).collect();
    assert_eq!(played.len(), 1);
    assert_eq!((played[0].cell.names[0].as_str(), played[0].games()), ("b-100", 6));

    let reason = |excludes: f64| {
        let text = format!(
            "[[reason]]\npaper = \"contextual\"\nrow = {{ prob = \"75\" }}\ntext = \"Because.\"\n\
             shown = {{ part = \"atlas/contextual\", game = \"havannah(size=5)\", a = \"b-100\", excludes = {excludes}, tried = 2 }}\n"
        );
        reasons::read(&text).unwrap().remove(0)
    };
    assert!(reason(50.0).told(&parts).is_err(), "six games do not exclude one half");
    assert!(reason(101.0).told(&parts).unwrap().starts_with("Because. (atlas/contextual, b-100: "));
    let (_, rows) = published::table("contextual").unwrap();
    let about = rows.iter().map(|row| reason(50.0).is_about("contextual", row)).collect::<Vec<_>>();
    assert_eq!(about, [false, true, true, true]);
    assert!(reasons::all().is_ok());
}
