//! No view has a serious fault that axe-core finds, in light and dark. axe-core comes from npm, for this test only; where that is
//! not to be had, it says so and passes.

use crate::chromium::Browser;
use crate::{address, open};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

fn axe() -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/axe");
    let script = folder.join("node_modules/axe-core/axe.min.js");
    if !script.is_file() {
        std::fs::create_dir_all(&folder).ok()?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]).arg(&folder).arg("axe-core@4");
        if !npm.status().is_ok_and(|status| status.success()) {
            let _ = writeln!(std::io::stderr(), "no axe-core: skipped; npm could not install it");
            return None;
        }
    }
    std::fs::read_to_string(script).ok()
}

/// With all rules, or with those that colours have a part in.
const RUN: &str = "(rules) => axe.run(document, {resultTypes: ['violations'], ...rules}).then(({violations}) => violations\
    .filter(({impact}) => impact === 'serious' || impact === 'critical')\
    .map(({id, nodes}) => `${id}: ${nodes.slice(0, 3).map(({target}) => target.join(' ')).join(' | ')}`))";

/// Serious faults of the present view, in light and dark; none where there is no axe-core.
pub fn faults(browser: &Browser, view: &str) -> Vec<String> {
    static AXE: OnceLock<Option<String>> = OnceLock::new();
    let Some(axe) = AXE.get_or_init(axe) else { return Vec::new() };
    browser.call("Runtime.evaluate", json!({"expression": axe}));
    let mut faults = Vec::new();
    for dark in [false, true] {
        browser.appear(1400, 900, dark);
        let rules = if dark { "{runOnly: {type: 'rule', values: ['color-contrast', 'link-in-text-block']}}" } else { "{}" };
        let found = browser.evaluate(&format!("({RUN})({rules})"));
        let found = found.as_array().unwrap().iter().filter_map(Value::as_str);
        faults.extend(found.map(|fault| format!("{view}, {}: {fault}", if dark { "dark" } else { "light" })));
    }
    browser.appear(1400, 900, false);
    faults
}

#[test]
fn no_view_has_a_serious_fault() {
    let Some((server, browser)) = open("access") else { return };
    let board = address("breakthrough", "person", "person");
    let click = |what: &str| format!("document.querySelector('{what}').click()");
    let nothing = String::new;
    // Where it is, what is clicked there, and what is seen then.
    let views = [
        ("play", board.as_str(), nothing(), "document.querySelector('#board .legal')"),
        (
            "search",
            &board,
            click("#analyse"),
            "document.querySelectorAll('#candidates tr, #tree [data-box]').length > 10",
        ),
        ("review", &board, click("[data-tab=review]"), "document.querySelector('#review-start').offsetParent"),
        ("new game", &board, click("#new-game"), "document.querySelectorAll('.thumb svg').length >= 9"),
        ("rules", &board, click("#rules"), "document.querySelector('#rules-drawer figure svg')"),
        ("editor", &board, click("#edit"), "document.querySelector('#editor').open"),
        ("keys", &board, click("#help"), "document.querySelector('.keys[open], dialog[open] kbd')"),
        ("cards", "#/play?game=dominion&p1=person&seed=3", nothing(), "document.querySelector('[data-card]')"),
        ("sheet", "#/play?game=gdl:nim&p1=person&seed=3", click("#rules"), "document.querySelector('#rules-drawer p')"),
        ("diagnosis", "#/diagnosis", nothing(), "document.querySelector('#diagnose-start')"),
        ("experiments", "#/experiments", nothing(), "document.querySelector('[data-file]')"),
        ("own", "#/experiments/own", nothing(), "document.querySelector('#form-title')"),
        ("matches", "#/matches", nothing(), "document.querySelector('#no-matches')"),
    ];
    let mut found = Vec::new();
    for (name, place, act, ready) in views {
        browser.visit(&server.page(place));
        browser.wait("!location.hash.startsWith('#/play') || document.querySelector('#board .legal, #buttons button, [data-card]')");
        browser.evaluate(&act);
        browser.wait(ready);
        browser.drawn();
        found.extend(faults(&browser, name));
    }
    assert!(found.is_empty(), "{found:#?}");
}
