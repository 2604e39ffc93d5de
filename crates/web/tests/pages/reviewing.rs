//! Reviews, autoplay, and the tree as a picture.

use super::access;
use crate::{address, no_problems, open, picture};
use serde_json::json;

/// Ring's answer on an edge loses.
const GAME: &str = "#/play?game=tic-tac-toe&p1=person&p2=person&moves=b2+c2+a3+c1+c3+b3+a1";

#[test]
fn a_game_is_reviewed_saved_and_played_through() {
    let Some((server, browser)) = open("review") else { return };
    browser.visit(&server.page(GAME));
    browser.wait("document.querySelector('#status').dataset.turn === 'over'");
    browser.click("[data-tab=\"review\"]");
    browser.set("#review-seconds", "0.1");
    browser.click("#review-second");
    browser.click("#review-start");
    browser.wait("document.querySelector('#review-state').dataset.state === 'done'");
    browser.wait("document.querySelector('#mistakes [data-mistake=\"1\"]') && document.querySelectorAll('.legend span').length === 2");
    assert_eq!(browser.evaluate("document.querySelectorAll('#game-graph .line').length"), json!(2));
    assert_eq!(browser.evaluate("document.querySelectorAll('#game-graph .band').length"), json!(2));
    browser.wait("document.querySelector('#record [data-ply=\"2\"]').classList.contains('blunder')");
    let faults = access::faults(&browser, "review");
    assert!(faults.is_empty(), "{faults:#?}");
    picture(&browser, "review");
    browser.click("#mistakes [data-mistake=\"1\"]");
    browser.wait("document.querySelector('#board').dataset.moves === '1'");
    browser.wait("document.querySelectorAll('#board .spot').length === 2");
    // The page that is saved stands alone.
    browser.evaluate("URL.createObjectURL = (blob) => (blob.text().then((text) => (window.saved = text)), '#')");
    browser.click("#review-save");
    browser.wait("window.saved?.includes('Largest mistakes')");
    let page = browser.evaluate("window.saved");
    assert!(page.as_str().unwrap().contains("<svg") && !page.as_str().unwrap().contains("<script"));
    browser.set("#speed", "350");
    browser.click("#autoplay");
    browser.wait("document.querySelector('#board').dataset.moves === '7'");
    browser.wait("document.querySelector('#autoplay').ariaPressed === 'false'");
    assert_eq!(browser.evaluate("document.querySelector('#bar').dataset.share"), "1.00");
    no_problems(&browser, "review");
}

#[test]
fn the_tree_is_a_picture_that_leads_everywhere() {
    let Some((server, browser)) = open("tree") else { return };
    browser.visit(&server.page(&address("breakthrough", "person", "person")));
    browser.click("#analyse");
    browser.wait("document.querySelectorAll('#tree [data-box]').length > 10");
    browser.wait("document.querySelector('#bar').dataset.share > 0");
    // A candidate leads to its box, and a box to what is below it.
    browser.click("#candidates [data-candidate]");
    browser.wait("document.querySelectorAll('#tree-path [data-depth]').length === 2 && document.querySelector('#tree-board svg')");
    browser.wait("document.querySelector('#tree [data-box*=\" \"]')");
    browser.evaluate("document.querySelector('#tree [data-box*=\" \"] rect').dispatchEvent(new MouseEvent('click', {bubbles: true}))");
    browser.wait("document.querySelectorAll('#tree-path [data-depth]').length === 3");
    browser.click("#tree-path [data-depth=\"0\"]");
    browser.wait("document.querySelectorAll('#tree-path [data-depth]').length === 1");
    // What is picked on the board is marked in table and tree.
    browser.wait("document.querySelector('#tree [data-box^=\"e2-\"]')");
    browser.click("#board [data-cell=\"e2\"]");
    browser.wait("document.querySelector('#tree .touched')");
    let boxes = browser.evaluate("document.querySelectorAll('#tree [data-box]').length").as_u64().unwrap();
    assert!(boxes <= 600, "{boxes} boxes");
    browser.click("#analyse");
    browser.wait("document.querySelector('.thinking').textContent.includes('stopped')");
    no_problems(&browser, "tree");
}
