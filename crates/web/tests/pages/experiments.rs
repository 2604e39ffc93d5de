//! Experiments without writing a file, and what is done with a run.

use super::access;
use crate::{no_problems, open, picture, runs};
use std::path::Path;

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
