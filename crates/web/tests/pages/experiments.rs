//! Experiments without writing a file, and what is done with a run.

use super::access;
use crate::{no_problems, open, picture, runs};
use serde_json::json;
use spinney_lab::cluster::element::Attempt;
use spinney_lab::cluster::{self, Engine, Sizes, Submission};
use spinney_lab::plan::Shard;
use spinney_lab::runner;
use spinney_lab::store::{Contents, Store};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

#[test]
fn form_and_text_change_each_other() {
    let Some((server, browser)) = open("form") else { return };
    browser.visit(&server.page("#/experiments/own"));
    browser.wait("document.querySelector('#form-title')");
    let text = "document.querySelector('#experiment-text').value";
    browser.set("#form-title", "Does C matter?");
    browser.set("#form-games", "tic-tac-toe");
    browser.set("#form-pairs", "4");
    browser.set("#form-budgets", "20; 50");
    browser.set("#form-stop", "{ precision = 2.0 }");
    for part in [
        "title = \"Does C matter?\"",
        "[\"tic-tac-toe\"]",
        "{ simulations = 20 }, { simulations = 50 }",
        "stop = { precision",
    ] {
        browser.wait(&format!("{text}.includes({part:?})"));
    }
    browser.click("#form-add-agent");
    browser.wait(&format!("{text}.includes('[agents.agent-c]')"));
    browser.click("#form-title");
    // The other way round.
    browser.evaluate("document.activeElement.blur()");
    let changed =
        browser.evaluate(&format!("{text}.replace('Does C matter?', 'By text').replace('pairs = 4', 'pairs = 3')"));
    browser.set("#experiment-text", changed.as_str().unwrap());
    browser.wait("document.querySelector('#form-title').value === 'By text' && document.querySelector('#form-pairs').value === '3'");
    picture(&browser, "own-experiment");
    browser.set("#experiment-text", "title = ");
    browser.wait("document.querySelector('#form-note').textContent.includes('line 1')");
    // A mistake in the text is a refusal, which browsers note.
    assert!(browser.problems().iter().all(|problem| problem.contains("api/experiments/read")));
}

const EXPERIMENT: &str = "title = \"Kept by its title\"\npairs = 4\n[agents.weak]\nkind = \"mcts\"\nsims = 10\n[agents.strong]\n\
    kind = \"mcts\"\nsims = 60\n[[match]]\ngames = [\"tic-tac-toe\"]\na = [\"strong\"]\nb = [\"weak\"]\n";

#[test]
fn a_run_is_verified_grown_taken_away_and_replayed() {
    let Some((server, browser)) = open("run") else { return };
    browser.visit(&server.page("#/experiments/own"));
    browser.wait("document.querySelector('#experiment-text')");
    browser.set("#experiment-text", EXPERIMENT);
    browser.click("#start");
    browser.wait("document.querySelector('#run-state')?.dataset.state === 'complete'");
    assert!(browser.evaluate("location.hash").as_str().unwrap().contains("run/kept-by-its-title-"));
    browser.click("#verify");
    browser.wait(
        "document.querySelector('#verify-state').textContent.startsWith('Verified. 1 of 1 played again: 1 identical')",
    );
    for (file, begins) in [("games.csv", "cell,"), ("cells.csv", "kind,cell,"), ("1.svg", "<svg")] {
        let address =
            format!("document.querySelector('[data-download=\"games.csv\"]').href.replace('games.csv', {file:?})");
        let text = browser.evaluate(&format!("fetch({address}).then((answer) => answer.text())"));
        assert!(text.as_str().unwrap().trim_start().starts_with(begins), "{file}: {text}");
    }
    browser.click("#more");
    browser.wait("/games? more for|decided/.test(document.querySelector('#verify-state').textContent)");
    browser.wait("document.querySelector('#run-state').dataset.state === 'complete'");
    let mut faults = access::faults(&browser, "run");
    browser.click("[data-cell-key] a");
    browser.wait("document.querySelector('[data-replay=\"0-1\"]')");
    faults.extend(access::faults(&browser, "cell"));
    browser.click("[data-replay=\"0-1\"]");
    browser.wait("document.body.dataset.open === 'play' && document.querySelector('.named')");
    browser.wait("document.querySelector('[data-seat=\"1\"] .named').textContent.startsWith('weak')");
    assert!(browser.text("[data-seat=\"1\"] .named").contains("mcts(sims=10"), "{}", browser.text(".named"));
    assert!(browser.text("#status").contains("The game ended: "), "{}", browser.text("#status"));
    browser.set("#speed", "350");
    browser.click("#autoplay");
    browser.wait("document.querySelector('#board').dataset.moves === '2'");
    faults.extend(access::faults(&browser, "replay"));
    assert!(faults.is_empty(), "{faults:#?}");
    browser.click("#back-to-run");
    browser.wait("document.querySelector('#games-table')");
    browser.click("#back");
    browser.wait("document.querySelector('#run-state')?.dataset.state === 'complete'");
    browser.click("#remove");
    browser.wait("document.querySelector('#remove').textContent === 'Really remove?'");
    browser.click("#remove");
    browser.wait("document.querySelector('#own') && !document.querySelector('[data-run]')");
    no_problems(&browser, "run");
}

#[test]
fn a_tuning_has_a_view() {
    let Some((server, browser)) = open("tuning") else { return };
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/tune/breakthrough-rb");
    let folder = runs("tuning").join("c-and-k");
    let check = std::fs::read_dir(&known).unwrap().flatten().find(|entry| entry.path().is_dir()).unwrap();
    for (from, to) in [(known, folder.clone()), (check.path(), folder.join(check.file_name()))] {
        std::fs::create_dir_all(&to).unwrap();
        for file in std::fs::read_dir(from).unwrap().flatten().filter(|file| file.path().is_file()) {
            std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
    }
    browser.visit(&server.page("#/experiments"));
    browser.wait("document.querySelector('[data-run=\"c-and-k\"]')");
    browser.click("[data-run=\"c-and-k\"]");
    browser.wait("document.querySelectorAll('#tuning-figures .wide svg').length === 2");
    assert!(browser.text("#tuning-best").starts_with("mcts("), "{}", browser.text("#tuning-best"));
    let faults = access::faults(&browser, "tuning");
    assert!(faults.is_empty(), "{faults:#?}");
    picture(&browser, "tuning");
    no_problems(&browser, "tuning");
}

/// An experiment that was submitted to a cluster: 40 elements, of which most are done, some play, and four failed or
/// are late.
fn submitted(runs: &Path) -> PathBuf {
    let text = EXPERIMENT.replace("pairs = 4", "pairs = 400").replace("Kept by its title", "Dealt to a cluster");
    let folder = runs.join("cluster");
    Store::create(&folder, "cluster.toml", &text).unwrap();
    let store = Store::open(&folder).unwrap();
    let tasks = runner::missing(&store.plan, &Contents::default(), Shard::WHOLE);
    let sizes = Sizes { minutes: 20.0, threads: 1, most: 1000, elements: Some(40) };
    // Forty minutes, a minute for each element.
    let submission = Submission::new(&store.plan, &tasks, &[2400.0], sizes, Engine::Slurm, 1).unwrap();
    submission.write(&folder).unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    for index in 0..36 {
        let ended = Attempt { ended: Some(now), left: Some(0), ..attempt(now - 50) };
        let attempt = match index {
            0..30 => ended,
            30 => Attempt { problem: Some("games-element-1-30-0.jsonl: No space left on device".to_string()), ..ended },
            31 => Attempt { problem: Some("it was killed".to_string()), ..ended },
            32 => Attempt { problem: Some("it was killed".to_string()), ..ended },
            33 => attempt(now - 600),
            _ => attempt(now - 50),
        };
        write_attempt(&folder, index, &attempt);
    }
    std::fs::write(cluster::folder_of(&folder, 1).join("30.log"), "20 games are missing\nerror: the disk is full\n")
        .unwrap();
    folder
}

fn attempt(began: u64) -> Attempt {
    Attempt { host: "node7".to_string(), process: 4711, began, games: 20, ..Attempt::default() }
}

fn write_attempt(run: &Path, index: u64, attempt: &Attempt) {
    let file = cluster::folder_of(run, 1).join(format!("{index}-0.json"));
    std::fs::write(file.with_extension("new"), serde_json::to_string(attempt).unwrap()).unwrap();
    std::fs::rename(file.with_extension("new"), file).unwrap();
}

#[test]
fn elements_of_a_cluster_are_counted_and_the_worst_shown_with_their_logs() {
    let Some((server, browser)) = open("elements") else { return };
    let folder = submitted(&runs("elements"));
    browser.visit(&server.page("#/experiments/run/cluster"));
    browser.wait("document.querySelectorAll('#run-elements details').length === 3");
    let states = "[...document.querySelectorAll('#run-elements li')].map((one) => one.textContent)";
    assert_eq!(browser.evaluate(states), json!(["30 done", "2 running", "1 late", "4 waiting", "3 failed"]));
    assert_eq!(browser.text("#run-elements h3"), "Submission 1, 40 elements");
    assert_eq!(browser.evaluate("document.querySelector('#run-state').dataset.state"), "elsewhere");
    assert!(browser.text("#run-elements").contains("1 element more"), "{}", browser.text("#run-elements"));
    browser.click("#run-elements details:first-of-type summary");
    browser.wait("document.querySelector('#run-elements details').open");
    assert!(browser.text("#run-elements summary").contains("Element 30 has failed on node7: games-element-1-30-0"));
    assert!(
        browser.text("#run-elements pre").ends_with("error: the disk is full"),
        "{}",
        browser.text("#run-elements pre")
    );
    let faults = access::faults(&browser, "elements");
    assert!(faults.is_empty(), "{faults:#?}");
    picture(&browser, "elements");
    // An element that ends is seen, though no game was written, and what was unfolded stays so.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    write_attempt(&folder, 34, &Attempt { ended: Some(now), left: Some(0), ..attempt(now - 50) });
    browser.wait(&format!("{states}.includes('31 done')"));
    assert_eq!(browser.evaluate("document.querySelector('#run-elements details').open"), json!(true));
    no_problems(&browser, "elements");
}
