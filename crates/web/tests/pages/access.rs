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

const RUN: &str = "axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations\
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
        let found = browser.evaluate(RUN);
        let found = found.as_array().unwrap().iter().filter_map(Value::as_str);
        faults.extend(found.map(|fault| format!("{view}, {}: {fault}", if dark { "dark" } else { "light" })));
    }
    browser.appear(1400, 900, false);
    faults
}

/// Where it is, what is clicked there, and what is seen then.
type View<'a> = (&'a str, &'a str, &'a str, &'a str);

fn no_faults(name: &str, views: &[View<'_>]) {
    let Some((server, browser)) = open(name) else { return };
    let mut found = Vec::new();
    for (name, place, clicked, ready) in views {
        browser.visit(&server.page(place));
        browser.wait(
            "!location.hash.startsWith('#/play') || document.querySelector('#board .legal, #buttons button, [data-card]')",
        );
        if !clicked.is_empty() {
            browser.evaluate(&format!("document.querySelector('{clicked}').click()"));
        }
        browser.wait(ready);
        // What was found stays to be looked at; going on would only take time.
        browser.evaluate("document.querySelector('#analyse[aria-pressed=true]')?.click()");
        browser.drawn();
        found.extend(faults(&browser, name));
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn no_view_of_play_has_a_serious_fault() {
    let board = address("breakthrough", "person", "person");
    no_faults(
        "access",
        &[
            ("play", &board, "", "document.querySelector('#board .legal')"),
            ("search", &board, "#analyse", "document.querySelectorAll('#candidates tr, #tree [data-box]').length > 10"),
            ("review", &board, "[data-tab=review]", "document.querySelector('#review-start').offsetParent"),
            ("new game", &board, "#new-game", "document.querySelectorAll('.thumb svg').length >= 9"),
            ("rules", &board, "#rules", "document.querySelector('#rules-drawer figure svg')"),
            ("editor", &board, "#edit", "document.querySelector('#editor').open"),
            ("keys", &board, "#help", "document.querySelector('dialog[open] kbd')"),
        ],
    );
}

#[test]
fn no_other_view_has_a_serious_fault() {
    no_faults(
        "access-too",
        &[
            ("cards", "#/play?game=dominion&p1=person&seed=3", "", "document.querySelector('[data-card]')"),
            (
                "sheet",
                "#/play?game=gdl:nim&p1=person&seed=3",
                "#rules",
                "document.querySelector('#rules-drawer details')",
            ),
            ("diagnosis", "#/diagnosis", "", "document.querySelector('#diagnose-start')"),
            ("experiments", "#/experiments", "", "document.querySelector('[data-file]')"),
            ("own", "#/experiments/own", "", "document.querySelector('#form-title')"),
            ("matches", "#/matches", "", "document.querySelector('#no-matches')"),
        ],
    );
}
