//! The pages in a real browser: a person plays every game, watches a search, pastes a rule sheet, runs an experiment.
//!
//! Pictures of every view are left in `target/screenshots`. Without Chromium the tests say so and pass.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod chromium;
mod client;
mod pages;

use chromium::Browser;
use client::Server;
use serde_json::{Value, json};
use spinney_core::{Random, Seed};
use spinney_ggp::record::PublicMatch;
use spinney_ggp::{Opponent, Played, Setting, manager};
use spinney_web::Limits;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Wide enough for two columns, and a telephone.
const SIZES: [(u32, u32); 2] = [(1400, 900), (390, 844)];

fn runs(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("spinney-runs-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn open(name: &str) -> Option<(Server, Browser)> {
    let browser = Browser::start()?;
    browser.appear(1400, 900, false);
    Some((Server::start(Limits::default(), &runs(name)), browser))
}

/// Leaves pictures of the present view in both sizes and colours.
fn picture(browser: &Browser, name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/screenshots");
    for (width, height) in SIZES {
        for dark in [false, true] {
            browser.appear(width, height, dark);
            browser.drawn();
            let colours = if dark { "dark" } else { "light" };
            browser.screenshot(&folder.join(format!("{name}-{width}-{colours}.png")));
            let overflow =
                browser.evaluate("document.documentElement.scrollWidth").as_f64().unwrap() - f64::from(width);
            assert!(overflow <= 0.0, "{name} is {overflow} pixels too wide at {width}");
        }
    }
    browser.appear(1400, 900, false);
}

fn no_problems(browser: &Browser, place: &str) {
    let problems = browser.problems();
    assert!(problems.is_empty(), "{place}: {problems:#?}");
}

/// Waits a while for something that a person could touch: cells and cards that go on with a move, moves without cells, and
/// those between which the page asks. Returns where one of them is, by a number from 0 to 1; whether the game is over; or nothing.
const TARGET: &str = r##"async (chance) => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    for (let wait = 0; wait < 40; wait++) {
        if (document.querySelector("#status").dataset.turn === "over") return {over: true};
        const chooser = all("#chooser:not([hidden]) [data-move]");
        const rest = all("#board .legal[data-cell], button[data-card]:enabled, #buttons [data-move]:enabled");
        const targets = chooser.length ? chooser : rest;
        if (targets.length) {
            const target = targets[Math.floor(chance * targets.length)];
            target.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
            const {x, y, width, height} = target.getBoundingClientRect();
            return {x: x + width / 2, y: y + height / 2};
        }
        await new Promise((done) => setTimeout(done, 5));
    }
    return {};
}"##;

/// Plays a game to its end by clicking at random; returns the clicks it took.
fn play_by_clicking(browser: &Browser, game: &str, seed: u64) -> u32 {
    let mut random = Random::new(Seed::new(seed));
    let mut clicks = 0;
    for _ in 0..20_000 {
        let chance = f64::from(random.below(1 << 20)) / f64::from(1 << 20);
        let target = browser.evaluate(&format!("({TARGET})({chance})"));
        if target["over"] == true {
            return clicks;
        }
        if target["x"].is_number() {
            browser.click_at(&target["x"], &target["y"]);
            clicks += 1;
        }
    }
    panic!("{game} does not end");
}

fn address(game: &str, first: &str, second: &str) -> String {
    let encode = |text: &str| text.replace(' ', "%20").replace('=', "%3D").replace(',', "%2C");
    format!("#/play?game={}&p1={}&p2={}&seed=7", encode(game), encode(first), encode(second))
}

/// Every game of the registry, on a small board where it has one, and rule sheets; one half of them.
fn plays_by_clicking(half: usize) {
    let Some((server, browser)) = open(["games", "games-too"][half]) else { return };
    let small = |name: &str| match name {
        "amazons" => "amazons(size=5)".to_string(),
        "breakthrough" => "breakthrough(rows=5, columns=5)".to_string(),
        "cant-stop" => "cant-stop(turns=2)".to_string(),
        "dominion" => "dominion(turns=4)".to_string(),
        "havannah" => "havannah(size=3)".to_string(),
        "pig" => "pig(turns=3)".to_string(),
        "pig-race" => "pig-race(goal=20)".to_string(),
        name => name.to_string(),
    };
    let about: Value = serde_json::from_str(&server.get("/api/about").1).unwrap();
    let games = about["games"].as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap().to_string());
    let sheets = ["gdl:tic-tac-toe", "gdl:connect-four", "gdl:nim", "gdl:eight-puzzle"].map(str::to_string);
    for (number, name) in games.chain(sheets).enumerate().filter(|(number, _)| number % 2 == half) {
        let game = small(&name);
        browser.visit(&server.page(&address(&game, "person", "mcts@30n")));
        browser.wait("document.querySelector('#status').dataset.turn");
        let picture_name = format!("play-{}", name.replace(':', "-"));
        if number == 0 {
            picture(&browser, &picture_name);
        } else {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/screenshots");
            browser.screenshot(&folder.join(format!("{picture_name}-1400-light.png")));
        }
        let clicks = play_by_clicking(&browser, &game, number as u64);
        assert_eq!(browser.evaluate("document.querySelector('#status').dataset.turn"), "over", "{game}");
        assert!(clicks > 0 || name == "gdl:eight-puzzle", "{game}");
        no_problems(&browser, &game);
    }
}

#[test]
fn a_person_plays_half_of_the_games_by_clicking() {
    plays_by_clicking(0);
}

#[test]
fn a_person_plays_the_other_half_by_clicking() {
    plays_by_clicking(1);
}

#[test]
fn what_is_not_legal_does_no_harm() {
    let Some((server, browser)) = open("illegal") else { return };
    browser.visit(&server.page(&address("breakthrough", "person", "person")));
    browser.wait("document.querySelector('#board').dataset.moves === '0'");
    for cell in ["d5", "h8", "a1", "d5"] {
        browser.click(&format!("#board [data-cell=\"{cell}\"]"));
    }
    assert_eq!(browser.evaluate("document.querySelector('#board').dataset.moves"), "0");
    for (from, to) in [("d2", "d4"), ("d2", "d3")] {
        browser.click(&format!("#board [data-cell=\"{from}\"]"));
        browser.click(&format!("#board [data-cell=\"{to}\"]"));
    }
    browser.wait("document.querySelector('#board').dataset.moves === '1'");
    // Back, forth, and by the keyboard.
    browser.click("#undo");
    browser.wait("document.querySelector('#board').dataset.moves === '0'");
    browser.click("#redo");
    browser.wait("document.querySelector('#board').dataset.moves === '1'");
    browser.evaluate("document.querySelector('#move-text').focus()");
    browser.type_text("e7-e6");
    browser.press("Enter");
    browser.wait("document.querySelector('#board').dataset.moves === '2'");
    browser.evaluate("document.querySelector('#board [data-cell=\"a2\"]').focus()");
    browser.press("Enter");
    browser.press("ArrowUp");
    browser.press("Enter");
    browser.wait("document.querySelector('#board').dataset.moves === '3'");
    no_problems(&browser, "breakthrough");
}

#[test]
fn a_game_survives_a_reload_and_a_new_server() {
    let Some((server, browser)) = open("reload") else { return };
    browser.visit(&server.page(&address("breakthrough", "person", "person")));
    for cell in ["d2", "d3", "d7", "d6"] {
        browser.wait("document.querySelector('#board .legal')");
        browser.click(&format!("#board [data-cell=\"{cell}\"]"));
    }
    browser.wait("document.querySelector('#board').dataset.moves === '2'");
    let start_page = server.page("");
    browser.visit(&start_page);
    browser.wait("document.querySelector('#board')?.dataset.moves === '2'");
    no_problems(&browser, "reload");
    let address = server.address.to_string();
    drop(server);
    let _again = Server::at(&address, Limits::default(), &runs("reload-again"));
    browser.visit(&start_page);
    browser.wait("document.querySelector('#board')?.dataset.moves === '2'");
    browser.problems();
    for cell in ["e2", "e3"] {
        browser.wait("document.querySelector('#board .legal')");
        browser.click(&format!("#board [data-cell=\"{cell}\"]"));
    }
    browser.wait("document.querySelector('#board').dataset.moves === '3'");
    no_problems(&browser, "a new server");
}

/// Counts the frames of a second in the page.
const FRAMES: &str = "new Promise((done) => { let frames = 0; const start = performance.now(); \
    const step = (now) => { frames++; now - start < 1000 ? requestAnimationFrame(step) : done(1000 * frames / (now - start)); }; \
    requestAnimationFrame(step); })";

#[test]
fn the_search_is_seen_live() {
    let Some((server, browser)) = open("search") else { return };
    browser.visit(&server.page(&address("breakthrough", "person", "person")));
    let bytes = browser.bytes();
    let ready = browser
        .evaluate("performance.getEntriesByType('mark').find((mark) => mark.name === 'ready')?.startTime ?? null");
    assert!(bytes < 200_000, "the first page takes {bytes} bytes");
    browser.click("#compare");
    browser.click("#analyse");
    let simulations =
        "Number((document.querySelector('[data-fact=\"simulations\"]')?.textContent ?? '0').replace(/[^0-9]/g, ''))";
    browser.wait("document.querySelector('#candidates [data-candidate]') && document.querySelector('#candidates-1 [data-candidate]')");
    browser.wait("document.querySelector('#search-chart .line')");
    let before = browser.evaluate(simulations).as_f64().unwrap();
    let frames = browser.evaluate(FRAMES).as_f64().unwrap();
    browser.wait(&format!("{simulations} !== {before}"));
    println!("first page: {bytes} bytes, ready after {ready} ms; {frames:.0} frames a second beside two searches");
    picture(&browser, "search");
    // The tree, one node deeper at each click, while the search goes on.
    for depth in 1..=2 {
        browser.wait("document.querySelector('#tree-children [data-candidate]')");
        browser.click("#tree-children [data-candidate]");
        browser.wait(&format!("document.querySelectorAll('#tree-path [data-depth]').length > {depth}"));
    }
    browser.click("#analyse");
    picture(&browser, "tree");
    no_problems(&browser, "search");
}

#[test]
fn forms_follow_the_kinds_of_options() {
    let Some((server, browser)) = open("forms") else { return };
    browser.visit(&server.page(&address("breakthrough", "mcts", "person")));
    browser.click("[data-seat=\"1\"] details.beside summary");
    browser.wait("document.querySelector('.agent [data-option=\"select\"]')");
    let words = "[...document.querySelectorAll('.agent select[data-option=\"select\"]')[0].options].map((one) => [one.value, one.title !== ''])";
    assert_eq!(browser.evaluate(words), json!([["ucb1", true], ["tuned", true], ["puct", true]]));
    // Parts are text, with an explanation of each.
    let help = browser.evaluate("document.querySelector('.agent input[data-option=\"playout\"]').title");
    let help = help.as_str().unwrap();
    assert!(help.contains("mast: Move-Average") && help.contains("  eps: chance of"), "{help}");
    // A drawer opens beside the board and is as high as the window, wherever its button stands.
    let drawer = "(({ x, y, height }) => [x > 900, y, height])(document.querySelector('details[open] .drawer').getBoundingClientRect())";
    assert_eq!(browser.evaluate(drawer), json!([true, 0, 900]));
    picture(&browser, "forms");
    browser.press("Escape");
    browser.click(".side details.beside summary");
    browser.wait("document.querySelector('.side details[open] [data-option=\"select\"]')");
    assert_eq!(browser.evaluate(drawer), json!([true, 0, 900]));
    browser.press("Escape");
    browser.click("#new-game");
    browser.wait("document.querySelector('input[data-option=\"rows\"]')");
    let rows =
        "(({ type, min, max, step }) => [type, min, max, step])(document.querySelector('input[data-option=\"rows\"]'))";
    assert_eq!(browser.evaluate(rows), json!(["number", "5", "8", "1"]));
    no_problems(&browser, "forms");
}

const SHEET: &str = "(role alice) (role bob) (init (heap 5)) (init (turn alice))
(<= (legal ?r (take 1)) (role ?r) (true (turn ?r)) (true (heap ?n)) (distinct ?n 0))
(<= (legal ?r (take 2)) (role ?r) (true (turn ?r)) (true (heap ?n)) (minus ?n 2 ?m))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(minus 5 1 4) (minus 4 1 3) (minus 3 1 2) (minus 2 1 1) (minus 1 1 0) (minus 5 2 3) (minus 4 2 2) (minus 3 2 1) (minus 2 2 0)
(<= (next (heap ?m)) (does ?r (take ?k)) (true (heap ?n)) (minus ?n ?k ?m))
(<= (next (turn bob)) (true (turn alice))) (<= (next (turn alice)) (true (turn bob)))
(<= terminal (true (heap 0)))
(<= (goal alice 100) (true (heap 0)) (true (turn bob))) (<= (goal alice 0) (true (heap 0)) (true (turn alice)))
(<= (goal bob 100) (true (heap 0)) (true (turn alice))) (<= (goal bob 0) (true (heap 0)) (true (turn bob)))";

#[test]
fn a_rule_sheet_is_pasted_and_played() {
    let Some((server, browser)) = open("sheet") else { return };
    browser.visit(&server.page(""));
    browser.click("#new-game");
    browser.wait("document.querySelector('#game')");
    browser.evaluate("(() => { const game = document.querySelector('#game'); game.value = 'pasted'; game.dispatchEvent(new Event('change', {bubbles: true})); })()");
    let paste = |text: &str| {
        browser.evaluate("document.querySelector('#sheet-text').value = ''");
        browser.click("#sheet-text");
        browser.type_text(text);
        browser.click("#start-game");
    };
    paste("(role alice) (<= (legal alice ?x) (not (true ?x)))");
    browser.wait("document.querySelector('#new-game-error').textContent.includes('rule sheet')");
    picture(&browser, "new-game");
    paste(SHEET);
    browser.wait("document.querySelector('#game-name').textContent.includes('pasted') || document.querySelectorAll('#buttons [data-move]').length");
    browser.wait("document.querySelector('#buttons [data-move]')");
    play_by_clicking(&browser, "a pasted sheet", 3);
    // The refusal of the first sheet is a failed request, which browsers note.
    let problems = browser.problems();
    assert!(problems.iter().all(|problem| problem.contains("api/sheet")), "{problems:#?}");
    picture(&browser, "play-pasted");
    browser.click("#rules");
    browser.wait("document.querySelector('#rules-drawer').textContent.includes('The players: alice and bob.')");
}

#[test]
fn the_diagnosis_is_drawn_while_simulations_come_in() {
    let Some((server, browser)) = open("diagnosis") else { return };
    browser.visit(&server.page("#/diagnosis"));
    browser.click("#diagnose-start");
    browser.wait("document.querySelectorAll('#diagnosis-figures svg').length >= 2");
    picture(&browser, "diagnosis");
    no_problems(&browser, "diagnosis");
}

const EXPERIMENT: &str = r#"title = "A small experiment"
pairs = 4
[agents.weak]
kind = "mcts"
sims = 10
[agents.strong]
kind = "mcts"
sims = 100
[[match]]
title = "Tic-tac-toe"
games = ["tic-tac-toe"]
a = ["strong"]
b = ["weak"]
"#;

#[test]
fn an_experiment_is_run_and_read() {
    let Some((server, browser)) = open("experiment") else { return };
    browser.visit(&server.page("#/experiments"));
    browser.wait("document.querySelector('[data-file]')");
    picture(&browser, "experiments");
    browser.click("#own");
    browser.wait("document.querySelector('#experiment-text')");
    browser.evaluate("document.querySelector('#experiment-text').value = ''");
    browser.click("#experiment-text");
    browser.type_text(EXPERIMENT);
    browser.click("#start");
    browser.wait("document.querySelector('#run-progress')");
    browser.wait("document.querySelector('[data-cell-key]')");
    browser.wait("document.body.textContent.includes('8 of 8')");
    picture(&browser, "run");
    browser.click("[data-cell-key]");
    browser.wait("document.querySelector('[data-replay]')");
    picture(&browser, "cell");
    browser.click("[data-replay]");
    browser.wait("document.body.dataset.open === 'play' && document.body.dataset.ready === 'true'");
    browser.wait("document.querySelector('#redo:enabled')");
    browser.click("#redo");
    browser.wait("document.querySelector('#board').dataset.moves === '1'");
    picture(&browser, "replay");
    no_problems(&browser, "experiments");
}

/// A match that grows while it is watched, and is replayed when it is over.
#[test]
fn a_match_is_watched_live_and_replayed() {
    let Some((server, browser)) = open("matches") else { return };
    let folder = runs("matches").with_extension("matches");
    std::fs::create_dir_all(&folder).unwrap();
    let sheet = spinney_games::gdl::BUILT_IN.iter().find(|(name, _)| *name == "tic-tac-toe").unwrap().1;
    let setting = Setting {
        id: "watched".to_string(),
        sheet: sheet.to_string(),
        players: vec![Opponent::Random, Opponent::Random],
        ..Setting::default()
    };
    let mut growing = Vec::new();
    let started = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as u64;
    let so_far = |played: &Played| growing.push(PublicMatch::so_far(&setting, played, "tic-tac-toe.kif", started));
    let played = manager::play_watched(&setting, &AtomicBool::new(false), so_far).unwrap();
    let write = |name: &str, record: &PublicMatch| {
        let file = folder.join(format!("{name}.json"));
        std::fs::write(file.with_extension("new"), serde_json::to_string(record).unwrap()).unwrap();
        std::fs::rename(file.with_extension("new"), file).unwrap();
    };
    std::fs::write(folder.join("watched.kif"), sheet).unwrap();
    write("watched", &growing[0]);
    write("bare", &growing[1]);
    browser.visit(&server.page("#/matches"));
    browser.wait("document.querySelectorAll('[data-match]').length === 2");
    picture(&browser, "matches");
    browser.click("[data-match=\"watched\"] a");
    let shown = |step: usize| format!("document.querySelector('#match-board')?.dataset.step === '{step}'");
    browser.wait(&shown(0));
    for (step, record) in growing.iter().enumerate().skip(1) {
        write("watched", record);
        browser.wait(&shown(step));
        assert_eq!(browser.evaluate("document.querySelector('#match-state').dataset.state"), "running");
        // A stone for each step: the board is that of the sheet.
        let stones = browser.evaluate("document.querySelectorAll('#match-board .piece').length");
        assert_eq!(stones, json!(step), "step {step}");
    }
    write("watched", &PublicMatch::new(&setting, &played, "tic-tac-toe.kif", started));
    browser.wait("document.querySelector('#match-state').dataset.state === 'completed'");
    let last = played.steps.len();
    let goals = browser
        .evaluate("[...document.querySelectorAll('#match-roles tr')].map((row) => Number(row.lastChild.textContent))");
    assert_eq!(goals, json!(played.goals.iter().map(|goal| goal.unwrap()).collect::<Vec<u8>>()));
    browser.click("#match-first");
    browser.wait(&shown(0));
    browser.click("#match-on");
    browser.wait(&shown(1));
    browser.click("#match-steps [data-step=\"3\"]");
    browser.wait(&shown(3));
    let moves =
        browser.evaluate("[...document.querySelectorAll('#match-roles tr')].map((row) => row.children[2].textContent)");
    assert_eq!(moves, json!(played.steps[2].moves));
    picture(&browser, "match");
    browser.click("#match-last");
    browser.wait(&shown(last));
    // Without rules there are facts.
    browser.visit(&server.page("#/matches/bare"));
    browser.wait("document.querySelectorAll('.factlist li').length === 2");
    assert_eq!(browser.evaluate("document.querySelector('#match-board').hidden"), json!(true));
    picture(&browser, "match-facts");
    no_problems(&browser, "matches");
    std::fs::remove_dir_all(folder).unwrap();
}
