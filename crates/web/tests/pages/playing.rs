//! Playing: dragging, walking, levels, clocks, rules, positions made by hand.

use crate::{address, no_problems, open, picture};
use serde_json::{Value, json};

const MOVES: &str = "document.querySelector('#board').dataset.moves";

fn moves(count: usize) -> String {
    format!("{MOVES} === '{count}'")
}

fn cell(name: &str) -> String {
    format!("#board [data-cell=\"{name}\"]")
}

#[test]
fn pieces_are_dragged_and_arrows_walk_the_record() {
    let Some((server, browser)) = open("dragging") else { return };
    browser.visit(&server.page(&address("breakthrough", "person", "person")));
    browser.wait("document.querySelector('#board .grip')");
    browser.drag(&cell("d2"), &cell("d3"));
    browser.wait(&moves(1));
    // Where it may not go it comes back, and nothing stays picked.
    browser.wait("document.querySelector('#board .grip')");
    browser.drag(&cell("e7"), &cell("e4"));
    assert_eq!(browser.evaluate(MOVES), "1");
    browser.call("Emulation.setTouchEmulationEnabled", json!({"enabled": true}));
    browser.drag_by_touch(&cell("e7"), &cell("e6"));
    browser.wait(&moves(2));
    browser.call("Emulation.setTouchEmulationEnabled", json!({"enabled": false}));
    for (key, count) in [("ArrowLeft", 1), ("Home", 0), ("ArrowRight", 1), ("End", 2)] {
        browser.press(key);
        browser.wait(&moves(count));
    }
    no_problems(&browser, "dragging");
}

#[test]
fn an_agent_ponders_while_a_person_thinks() {
    let Some((server, browser)) = open("ponder") else { return };
    browser.visit(&server.page(&address("breakthrough", "person", "mcts@0.2s")));
    browser.wait("document.querySelector('#board .grip')");
    browser.evaluate(
        "window.said = []; const send = WebSocket.prototype.send; \
         WebSocket.prototype.send = function (text) { said.push(JSON.parse(text)); return send.call(this, text); }; 0",
    );
    let toggle = "document.querySelector('#ponder').click()";
    // Asked for when the connection opens.
    browser.evaluate(toggle);
    browser.wait("said.some(({ think }) => think?.ponder)");
    browser.drag(&cell("d2"), &cell("d3"));
    browser.wait(&moves(2));
    assert_eq!(browser.evaluate("said.some(({ think }) => think?.keep && think.seconds === 0.2)"), true);
    browser.wait("said.some(({ think }) => think?.ponder && think.place.moves.length === 2)");
    assert_eq!(browser.evaluate("document.querySelector('#status').dataset.turn"), "1");
    browser.evaluate(&format!("said.length = 0; {toggle}"));
    browser.wait("said.some(({ stop }) => stop)");
    no_problems(&browser, "ponder");
}

#[test]
fn strength_clocks_sounds_links_and_rematches() {
    let Some((server, browser)) = open("strength") else { return };
    browser.visit(&server.page(&format!("{}&minutes=1", address("tic-tac-toe", "person", "mcts@600n"))));
    browser.wait("document.querySelector('#board .legal')");
    browser.wait("/^(1:00|0:5)/.test(document.querySelector('#clock-1').textContent)");
    assert_eq!(browser.text("#seat-2-level option:checked"), "level 4, club");
    browser.set("#seat-2-level", "simulations 60");
    browser.wait("decodeURIComponent(location.hash).includes('mcts@60n')");
    // What is out of range is said, not passed over.
    browser.set("#seat-2-level", "other");
    browser.set("#seat-2-amount", "-5");
    browser.wait("document.querySelector('[data-seat=\"2\"] .error').textContent.includes('out of range')");
    assert_eq!(browser.evaluate("document.querySelector('#sound').ariaPressed"), "false");
    browser.click("#sound");
    assert_eq!(browser.evaluate("document.querySelector('#sound').ariaPressed"), "true");
    browser.evaluate("localStorage.clear()");
    browser.visit(&server.page("#/play?game=tic-tac-toe&p1=person&p2=person&moves=b2+c2+a3+c1+c3+b3"));
    browser.wait(&moves(6));
    for (button, part) in [("#link-position", "position="), ("#link-game", "moves=b2")] {
        browser.evaluate("document.querySelector('.menu').open = true");
        browser.click(button);
        browser.wait(&format!("document.querySelector('{button}').dataset.copied?.includes('{part}')"));
    }
    let link = browser.evaluate("document.querySelector('#link-position').dataset.copied");
    browser.visit(link.as_str().unwrap());
    browser.wait("document.querySelectorAll('#board .piece').length === 6");
    browser.click(&cell("a1"));
    browser.wait("document.querySelector('#status').dataset.turn === 'over'");
    assert_eq!(browser.text("#status"), "Game over: cross wins.");
    browser.wait("!document.querySelector('.after').hidden");
    picture(&browser, "over");
    browser.click("#rematch-swapped");
    browser.wait(&moves(0));
    browser.wait("document.querySelector('#status').dataset.turn !== 'over'");
    no_problems(&browser, "strength");
}

#[test]
fn rules_and_prompts_say_how_to_play() {
    let Some((server, browser)) = open("rules") else { return };
    let about: Value = serde_json::from_str(&server.get("/api/about").1).unwrap();
    for game in about["games"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let (status, body) = server.get(&format!("/api/rules?game={name}"));
        let rules: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(status, 200, "{name}: {body}");
        assert!(rules["text"].as_str().unwrap().contains("**How to play here.**"), "{name}");
    }
    browser.visit(&server.page(&address("cannon", "person", "person")));
    browser.wait("document.querySelector('#board .legal')");
    assert_eq!(browser.text("#status"), "White: place your town on your first row.");
    browser.click("#rules");
    browser.wait("document.querySelector('#rules-drawer figure svg') && document.querySelector('#rules-drawer li')");
    picture(&browser, "rules");
    browser.press("Escape");
    browser.wait("document.querySelector('#rules-drawer').hidden");
    // A sheet says in words what it has in its comments and what follows from it.
    browser.visit(&server.page(&address("gdl:nim", "person", "person")));
    browser.wait("document.querySelector('#buttons button')");
    browser.click("#rules");
    browser.wait("document.querySelector('#rules-drawer details')");
    for part in
        ["who takes the last wins", "The players: first and second.", "worth 0 and 100 points", "The rule sheet itself"]
    {
        assert!(browser.text("#rules-drawer").contains(part), "{part}: {}", browser.text("#rules-drawer"));
    }
    picture(&browser, "rules-of-a-sheet");
    // Every cell of a board of hexagons says its name.
    browser.visit(&server.page(&address("havannah(size=3)", "person", "person")));
    browser.wait("document.querySelector('#board .legal')");
    assert_eq!(browser.evaluate("document.querySelectorAll('#board text.below').length"), json!(19));
    // Who is called red has red pieces.
    browser.visit(&server.page(&address("gdl:connect-four", "person", "person")));
    browser.wait("document.querySelector('#board .legal')");
    assert_eq!(browser.evaluate("document.querySelector('.play').style.getPropertyValue('--one')"), "#c0342b");
    assert_eq!(browser.evaluate("document.querySelectorAll('#board text.coordinate').length"), json!(8 + 6));
    no_problems(&browser, "rules");
}

#[test]
fn a_position_is_made_by_hand_and_checked_by_the_game() {
    let Some((server, browser)) = open("editor") else { return };
    browser.visit(&server.page(&address("checkers", "person", "person")));
    browser.wait("document.querySelector('#board .legal')");
    browser.click("#edit");
    browser.wait("document.querySelector('#editor').open");
    browser.click("#editor [data-letter=\"w\"]");
    browser.click("#editor-board [data-cell=\"13\"]");
    browser.wait("document.querySelector('#editor-error').textContent.includes('at most 12 pieces')");
    assert_eq!(browser.evaluate("document.querySelector('#editor-use').disabled"), json!(true));
    picture(&browser, "editor");
    browser.click("#editor-board [data-cell=\"9\"]");
    browser.click("#editor [data-letter=\"W\"]");
    browser.click("#editor-board [data-cell=\"10\"]");
    browser.wait("!document.querySelector('#editor-use').disabled");
    browser.click("#editor-use");
    browser.wait("!document.querySelector('#editor').open && document.querySelector('#board').dataset.moves === '0'");
    let address = browser.evaluate("decodeURIComponent(location.hash)");
    assert!(address.as_str().unwrap().contains("/w......./...W.w.w/"), "{address}");
    // Refusals of positions are failed requests, which browsers note.
    let problems = browser.problems();
    assert!(problems.iter().all(|problem| problem.contains("api/position")), "{problems:#?}");
}

#[test]
fn the_dialog_offers_pictures_sides_and_strengths() {
    let Some((server, browser)) = open("dialog") else { return };
    browser.visit(&server.page(&address("breakthrough", "person", "person")));
    browser.wait("document.querySelector('#board .legal')");
    browser.click("#new-game");
    browser.wait("document.querySelectorAll('.thumb svg').length >= 9");
    picture(&browser, "gallery");
    browser.click("[data-game-card=\"tic-tac-toe\"]");
    browser.set("#who", "second");
    browser.set("#strength", "simulations 20");
    browser.click("#start-game");
    // The agent begins, and the person sits below.
    browser.wait("document.querySelector('#game-name').textContent === 'tic-tac-toe' && document.querySelector('#board').dataset.moves === '1'");
    let hash = browser.evaluate("decodeURIComponent(location.hash)");
    assert!(hash.as_str().unwrap().contains("p1=mcts@20n") && hash.as_str().unwrap().contains("flip=1"), "{hash}");
    no_problems(&browser, "dialog");
}
