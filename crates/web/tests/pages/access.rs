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

#[test]
fn no_view_has_a_serious_fault() {
    let Some((server, browser)) = open("access") else { return };
    let board = address("breakthrough", "person", "person");
    let views: [(&str, &str, &str); 11] = [
        ("play", &board, "document.querySelector('#board .legal')"),
        ("search", &board, "(document.querySelector('#analyse').click(), true)"),
        ("review", &board, "(document.querySelector('[data-tab=\"review\"]').click(), true)"),
        ("new game", &board, "(document.querySelector('#new-game').click(), true)"),
        ("rules", &board, "(document.querySelector('#rules').click(), true)"),
        ("editor", &board, "(document.querySelector('#edit').click(), true)"),
        ("cards", "#/play?game=dominion&p1=person&seed=3", "document.querySelector('[data-card]')"),
        ("diagnosis", "#/diagnosis", "true"),
        ("experiments", "#/experiments", "document.querySelector('[data-file]')"),
        ("own", "#/experiments/own", "document.querySelector('#form-title')"),
        ("matches", "#/matches", "true"),
    ];
    let mut found = Vec::new();
    for (name, place, ready) in views {
        browser.visit(&server.page(place));
        browser.wait(ready);
        std::thread::sleep(std::time::Duration::from_millis(400));
        found.extend(faults(&browser, name));
    }
    assert!(found.is_empty(), "{found:#?}");
}
