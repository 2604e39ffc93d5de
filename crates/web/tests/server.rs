//! The server without a browser: what it answers, what it refuses, and what it survives.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod client;

use client::{Server, send};
use serde_json::{Value, json};
use spinney_core::{Game, InputError, options};
use spinney_games::{TicTacToe, game_types};
use spinney_search::AgentKind;
use spinney_search::agent::{Agent, Decision, Position, Task};
use spinney_table::Builder;
use spinney_web::Limits;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

fn server() -> Server {
    Server::start(Limits::default(), Path::new("no-such-folder"))
}

#[test]
fn a_position_is_shown() {
    let server = server();
    let (status, view) = server.post("/api/position", &json!({"game": "breakthrough", "moves": ["a2-a3"]}));
    assert_eq!(status, 200, "{view}");
    assert_eq!((&view["turn"], &view["last"]["move"]), (&json!({"player": 2}), &json!("a2-a3")));
    assert_eq!(view["legal"].as_array().unwrap().len(), 22);
    let about: Value = serde_json::from_str(&server.get("/api/about").1).unwrap();
    for game in about["games"].as_array().unwrap() {
        let (status, view) = server.post("/api/position", &json!({"game": game["name"], "chance": true, "seed": 5}));
        assert_eq!(status, 200, "{view}");
        assert!(view["turn"]["player"].is_u64() && !view["legal"].as_array().unwrap().is_empty(), "{view}");
    }
}

#[test]
fn kinds_of_options_are_data() {
    let server = server();
    let about: Value = serde_json::from_str(&server.get("/api/about").1).unwrap();
    let find = |list: &Value, key: &str, name: &str| {
        let found = list.as_array().unwrap().iter().find(|one| one[key] == name);
        found.unwrap_or_else(|| panic!("{name} in {list}")).clone()
    };
    let mcts = find(&about["agents"], "name", "mcts")["options"].clone();
    let kind = |name: &str| find(&mcts, "key", name)["kind"].clone();
    assert_eq!(kind("reuse"), json!({"type": "flag", "text": "on or off"}));
    let memory = json!({"type": "whole", "text": "a whole number from 1 to 1000000", "low": 1, "high": 1_000_000});
    assert_eq!(kind("memory"), memory);
    assert_eq!((&kind("warmup")["type"], &kind("warmup")["high"]), (&json!("number"), &json!(1.0)));
    let puct = find(&kind("select")["words"], "word", "puct");
    assert!(puct["help"].as_str().unwrap().contains("priors"), "{puct}");
    // What is nested is told as completely.
    let mast = find(&kind("playout")["any_of"], "name", "mast");
    assert!(mast["help"].as_str().unwrap().contains("Move-Average"), "{mast}");
    let eps = find(&mast["options"], "key", "eps");
    assert_eq!((&eps["kind"]["low"], &eps["kind"]["high"]), (&json!(0.0), &json!(1.0)));
    find(&kind("playout")["one_of"], "name", "uniform");
    let weight = find(&kind("rb")["options"], "key", "a");
    assert_eq!(weight["default"], "online");
    assert_eq!((&weight["kind"]["type"], &weight["kind"]["kinds"][0]["high"]), (&json!("either"), &json!(10.0)));
    let trap = find(&kind("quirks")["kinds"][1]["any_of"], "name", "loss_trap");
    assert!(trap["help"].as_str().unwrap().contains("unvisited"), "{trap}");
    let size = &find(&about["games"], "name", "amazons")["options"][0];
    assert_eq!((&size["key"], &size["kind"]["low"], &size["default"]), (&json!("size"), &json!(4), &json!("10")));
}

#[test]
fn chance_draws_the_same_again() {
    let server = server();
    let ask = |seed: u64| {
        server.post("/api/position", &json!({"game": "pig", "moves": ["roll"], "chance": true, "seed": seed})).1
    };
    assert_eq!(ask(1)["moves"], ask(1)["moves"]);
    assert_eq!(ask(1)["moves"].as_array().unwrap().len(), 2);
    assert!((0..20).any(|seed| ask(seed)["moves"] != ask(1)["moves"]));
}

#[test]
fn faults_are_named_and_do_no_harm() {
    let server = server();
    let refused = |body: Value, word: &str, kind: Value| {
        let (status, answer) = server.post("/api/position", &body);
        let text = answer["error"].as_str().unwrap_or_default();
        assert!((400..500).contains(&status) && text.contains(word), "{status} {text}");
        assert_eq!(answer["kind"], kind, "{text}");
    };
    refused(json!({"game": "chess"}), "unknown game", json!("unknown"));
    refused(json!({"game": "breakthrough", "moves": ["a1-a8"]}), "move 1", json!("move"));
    refused(json!({"game": "breakthrough", "position": "xyz"}), "position", json!("position"));
    refused(json!({"game": "pig", "position": "xyz"}), "position", json!("position"));
    refused(json!({"game": "breakthrough(rows=99)"}), "rows", json!("misfit"));
    refused(json!({"game": "breakthrough(rows=6"}), "too early", json!("syntax"));
    refused(json!({"game": "breakthrough", "colour": "red"}), "colour", Value::Null);
    refused(json!({"game": "gdl:Cargo.toml"}), "rule sheet", json!("unknown"));
    refused(json!({"game": "gdl:pasted-0123456789abcdef"}), "paste it again", json!("unknown"));
    refused(json!({"game": "tic-tac-toe", "moves": vec!["a1"; 6000]}), "moves", json!("other"));
    assert_eq!(server.get("/nothing").0, 404);
    assert_eq!(server.get("/../Cargo.toml").0, 404);
    let foreign = format!(
        "GET /api/about HTTP/1.1\r\nHost: {}\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n",
        server.address
    );
    assert_eq!(server.send(foreign.as_bytes()).0, 403);
    let renamed = "GET /api/about HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert_eq!(server.send(renamed.as_bytes()).0, 403);
    let (status, _) = server.post("/api/sheet", &json!({"text": "x".repeat(1_100_000)}));
    assert_eq!(status, 413);
    assert_eq!(server.get("/api/about").0, 200);
}

#[test]
fn a_sheet_is_pasted_and_played() {
    let server = server();
    let text = "(role white) (init (heap 2)) (<= (legal white take) (true (heap ?n))) (succ 1 2) (succ 0 1)
        (<= (next (heap ?m)) (true (heap ?n)) (succ ?m ?n)) (<= terminal (true (heap 0))) (<= (goal white 100) (true (heap 0)))";
    let (status, answer) = server.post("/api/sheet", &json!({"text": text}));
    assert_eq!(status, 200, "{answer}");
    let view = server.post("/api/position", &json!({"game": answer["game"], "moves": ["take", "take"]})).1;
    assert_eq!((&view["turn"]["over"], &view["score"]), (&json!(true), &json!(100.0)), "{view}");
    let (status, answer) =
        server.post("/api/sheet", &json!({"text": "(role white) (<= (legal white ?x) (not (true ?x)))"}));
    assert!(status == 400 && answer["error"].as_str().unwrap().contains("rule sheet"), "{answer}");
}

#[test]
fn a_search_reports_and_opens_its_tree() {
    let server = server();
    let mut thinker = server.thinker();
    thinker.think(0, "breakthrough", &["a2-a3"], "mcts", Some(5_000));
    let thought = thinker.conclusion();
    assert_eq!((&thought["simulations"], &thought["stopped"]), (&json!(5_000), &json!("simulations made")));
    let best = &thought["candidates"][0];
    assert!(best["mean"].as_f64().unwrap().abs() <= 1.0 && best["visits"].as_u64().unwrap() > 100);
    thinker.say(&json!({"open": {"side": 0, "path": [best["move"]]}}).to_string());
    let node = thinker.hear_of("node");
    assert_eq!(node["visits"], best["visits"]);
    assert_eq!(node["view"]["moves"], json!(["a2-a3", best["move"]]));
    assert_eq!(node["candidates"][0]["move"], best["variation"][1]);
    thinker.say(&json!({"open": {"side": 0, "path": ["a1-h8"]}}).to_string());
    assert!(thinker.hear_of("error")["text"].as_str().unwrap().contains("move"));
    // The same search, seen by nobody, finds the same.
    thinker.think(1, "breakthrough", &["a2-a3"], "mcts", Some(5_000));
    assert_eq!(thinker.conclusion()["candidates"], thought["candidates"]);
}

#[test]
fn a_tree_is_shown_as_a_picture_while_it_grows_and_after() {
    let server = server();
    let mut thinker = server.thinker();
    thinker.think(0, "breakthrough", &[], "mcts", None);
    thinker.hear_of("thought");
    for path in [json!([]), json!(["d2-d3"])] {
        thinker.say(&json!({"picture": {"side": 0, "path": path, "least": 0.002}}).to_string());
        let picture = thinker.hear_of("picture");
        let boxes = picture["boxes"].as_array().unwrap();
        assert!(!boxes.is_empty() && boxes.len() <= 600, "{} boxes", boxes.len());
        let all = picture["visits"].as_u64().unwrap();
        for (number, one) in boxes.iter().enumerate() {
            let parent = one[0].as_u64().unwrap() as usize;
            // Parents come first, and no box is wider than the one above it or too narrow to be seen.
            assert!(parent <= number, "{one}");
            let above = if parent == 0 { all } else { boxes[parent - 1][2].as_u64().unwrap() };
            let visits = one[2].as_u64().unwrap();
            assert!(visits <= above && visits as f64 >= 0.002 * all as f64, "{one}");
            let above = |at: &usize| (*at > 0).then(|| boxes[at - 1][0].as_u64().unwrap() as usize);
            let depth = path.as_array().unwrap().len() + std::iter::successors(Some(parent), above).count() - 1;
            assert_eq!(one[5], json!(1 + depth % 2), "white and black take turns: {one}");
        }
    }
    thinker.say(r#"{"stop": {"side": 0}}"#);
    thinker.conclusion();
    thinker.say(r#"{"picture": {"side": 0, "path": [], "least": 0.01}}"#);
    assert!(!thinker.hear_of("picture")["boxes"].as_array().unwrap().is_empty());
    thinker.say(r#"{"picture": {"side": 1, "path": [], "least": 0.01}}"#);
    assert!(thinker.hear_of("error")["text"].as_str().unwrap().contains("let the agent think first"));
}

#[test]
fn a_review_comes_position_by_position() {
    let server = server();
    let body =
        json!({"place": {"game": "tic-tac-toe", "moves": ["b2", "c2", "a3"]}, "agents": ["mcts"], "simulations": 400});
    let (status, text) = {
        let body = body.to_string();
        let head = format!(
            "POST /api/review HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            server.address,
            body.len()
        );
        server.send(format!("{head}{body}").as_bytes())
    };
    assert_eq!(status, 200, "{text}");
    assert_eq!(text.matches("event: ply").count(), 4);
    let done = text.split("event: done\ndata: ").nth(1).unwrap().lines().next().unwrap();
    let done: Value = serde_json::from_str(done).unwrap();
    assert_eq!(done["review"]["plies"].as_array().unwrap().len(), 4);
    assert_eq!(done["review"]["mistakes"][0]["ply"], 1);
    assert!(done["page"].as_str().unwrap().starts_with("<!doctype html>"));
    for (change, expected) in [("agents", json!([])), ("seconds", json!(-1.0))] {
        let mut wrong = body.clone();
        wrong[change] = expected;
        assert_eq!(server.post("/api/review", &wrong).0, 400, "{change}");
    }
}

options! {
    /// Nothing to choose.
    struct NoSettings {}
}

/// An agent with a mistake in it.
struct Broken;

impl<G: Game> Agent<G> for Broken {
    fn choose(&mut self, _: &G, _: &Position<'_, G>, _: &mut Task<'_, G>) -> Decision<G::Move> {
        panic!("as a broken agent does")
    }

    fn describe(&self) -> String {
        "broken".to_string()
    }
}

struct BrokenKind;

impl AgentKind for BrokenKind {
    type Settings = NoSettings;

    fn build<G: Game>(_: &NoSettings, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        Ok(Box::new(Broken))
    }
}

#[test]
fn a_panic_ends_the_search_and_not_the_server() {
    let builder = Builder::new().for_games::<game_types!(TicTacToe)>();
    let laboratory = builder.agent::<BrokenKind>("broken", "panics").finish();
    let server = Server::of("127.0.0.1:0", Limits::default(), Path::new("no-such-folder"), laboratory);
    let mut thinker = server.thinker();
    for _ in 0..20 {
        thinker.think(0, "tic-tac-toe", &[], "broken", Some(100));
        let error = thinker.hear_of("error");
        assert!(error["text"].as_str().unwrap().contains("mistake of the program"), "{error}");
    }
    // The same connection, the same side, and everybody else go on.
    thinker.think(0, "tic-tac-toe", &[], "mcts", Some(100));
    assert_eq!(thinker.conclusion()["simulations"], json!(100));
    assert_eq!(server.get("/api/about").0, 200);
}

/// A small board of the same game was searched before; it must not stay on the table.
#[test]
fn a_search_is_of_the_board_that_was_asked_for() {
    let server = server();
    let mut thinker = server.thinker();
    let place = json!({"game": "breakthrough", "position": "bbbbb/bbbbb/...../wwwww/wwwww 1"});
    let think = json!({"side": 0, "place": place, "agent": "mcts", "simulations": 50, "seed": 1});
    thinker.say(&json!({"think": think}).to_string());
    assert!(thinker.conclusion()["candidates"].as_array().unwrap().len() < 22);
    thinker.think(0, "breakthrough", &[], "mcts", Some(50));
    assert_eq!(thinker.conclusion()["candidates"].as_array().unwrap().len(), 22);
}

#[test]
fn a_running_search_shows_its_tree_and_stops_when_told() {
    let server = server();
    let mut thinker = server.thinker();
    thinker.think(0, "amazons", &[], "mcts", None);
    let best = thinker.hear_of("thought")["candidates"][0]["move"].clone();
    thinker.say(&json!({"open": {"side": 0, "path": [best]}}).to_string());
    assert!(thinker.hear_of("node")["visits"].as_u64().unwrap() > 0);
    thinker.say(r#"{"stop": {"side": 0}}"#);
    assert_eq!(thinker.conclusion()["stopped"], "stopped");
}

#[test]
fn what_is_found_in_the_others_time_is_kept() {
    let server = server();
    let mut thinker = server.thinker();
    let mut think = |moves: &[&str], more: Value| {
        let mut think = json!({"side": 0, "place": {"game": "breakthrough", "moves": moves}, "agent": "mcts"});
        think.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        thinker.say(&json!({"think": think}).to_string());
        if think["ponder"] == true {
            while thinker.hear_of("thought")["simulations"].as_u64().unwrap() < 1_000 {}
            thinker.say(r#"{"stop": {"side": 0}}"#);
        }
        thinker.conclusion()
    };
    let visits = |thought: &Value| {
        let candidates = thought["candidates"].as_array().unwrap().iter();
        candidates.map(|one| one["visits"].as_u64().unwrap()).sum::<u64>()
    };
    let pondered = think(&["a2-a3"], json!({"ponder": true, "question": 1}));
    let best = &pondered["candidates"][0];
    let (reply, known) = (best["move"].as_str().unwrap(), best["visits"].as_u64().unwrap());
    let answer = think(&["a2-a3", reply], json!({"seconds": 0.05, "keep": true, "question": 2}));
    let (made, seen) = (answer["simulations"].as_u64().unwrap(), visits(&answer));
    assert!(known > 20 && 2 * seen >= 2 * made + known, "{made} simulations, {seen} visits, {known} before");
    // Without the word nothing is kept.
    let fresh = think(&["a2-a3", reply], json!({"seconds": 0.05, "question": 3}));
    assert!(visits(&fresh) <= fresh["simulations"].as_u64().unwrap());
}

#[test]
fn all_agents_think_about_all_kinds_of_games() {
    let server = server();
    let mut thinker = server.thinker();
    let agents = [
        ("breakthrough", "random"),
        ("breakthrough", "flat"),
        ("breakthrough", "alphabeta"),
        ("pig", "mcts(cv, crn)"),
        ("dominion", "mcts"),
        ("gdl:tic-tac-toe", "cadiaplayer"),
        ("gdl:tic-tac-toe", "mcts"),
    ];
    for (game, agent) in agents {
        thinker.think(0, game, &[], agent, Some(200));
        let thought = thinker.conclusion();
        assert!(!thought["chosen"].as_str().unwrap().is_empty(), "{game} {agent}: {thought}");
    }
}

#[test]
fn a_search_without_limits_keeps_those_of_the_server() {
    let server = Server::start(Limits { seconds: 1, ..Limits::default() }, Path::new("no-such-folder"));
    let mut thinker = server.thinker();
    for agent in ["mcts(qb(a=online))", "alphabeta", "flat"] {
        thinker.think(0, "breakthrough", &[], agent, None);
        assert!(thinker.conclusion()["seconds"].as_f64().unwrap() >= 0.9, "{agent}");
    }
}

#[test]
fn closing_a_connection_frees_its_place() {
    let limits = Limits { searches: 1, ..Limits::default() };
    let server = Server::start(limits, Path::new("no-such-folder"));
    let (mut first, mut second) = (server.thinker(), server.thinker());
    first.think(0, "breakthrough", &[], "mcts", None);
    first.hear_of("thought");
    second.think(0, "breakthrough", &[], "mcts", Some(100));
    assert_eq!(second.hear_of("waiting")["before"], 0);
    second.say(r#"{"stop": {"side": 0}}"#);
    assert!(second.hear_of("error")["text"].as_str().unwrap().contains("before it began"));
    second.think(0, "breakthrough", &[], "mcts", Some(100));
    second.hear_of("waiting");
    drop(first);
    assert_eq!(second.conclusion()["simulations"], 100);
}

#[test]
fn connections_are_limited_and_nonsense_is_answered() {
    let limits = Limits { connections: 1, ..Limits::default() };
    let server = Server::start(limits, Path::new("no-such-folder"));
    let mut thinker = server.thinker();
    let refused = tungstenite::connect(format!("ws://{}/api/think", server.address));
    assert!(matches!(refused, Err(tungstenite::Error::Http(response)) if response.status() == 429));
    for nonsense in
        ["", "{", "[]", r#"{"think": {}}"#, r#"{"stop": {"side": 7}}"#, r#"{"open": {"side": 0, "path": []}}"#]
    {
        thinker.say(nonsense);
        assert!(thinker.hear_of("error")["text"].is_string(), "{nonsense}");
    }
    thinker.think(0, "breakthrough", &[], "mcts(c=cheese)", None);
    assert!(thinker.hear_of("error")["text"].as_str().unwrap().contains("cheese"));
    thinker.think(0, "chess", &[], "mcts", None);
    assert!(thinker.hear_of("error")["text"].as_str().unwrap().contains("chess"));
    thinker.think(0, "tic-tac-toe", &["a1", "b1", "a2", "b2", "a3"], "mcts", None);
    assert!(thinker.hear_of("error")["text"].as_str().unwrap().contains("over"));
    thinker.think(0, "breakthrough", &[], "mcts", Some(10));
    assert_eq!(thinker.conclusion()["simulations"], 10);
}

/// Fifty visitors play whole games while malformed requests come in. A minute long, so it runs when asked for:
/// `cargo test --release -p spinney-web --test server -- --ignored --nocapture`.
#[test]
#[ignore = "takes a minute"]
fn fifty_games_go_on_beside_malformed_requests() {
    let server = server();
    let (over, broken, games) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let slowest = AtomicU64::new(0);
    let started = Instant::now();
    std::thread::scope(|scope| {
        for visitor in 0..50u64 {
            let (server, over, games, slowest) = (&server, &over, &games, &slowest);
            scope.spawn(move || {
                let mut thinker = server.thinker();
                while !over.load(Ordering::Relaxed) {
                    let mut moves: Vec<String> = Vec::new();
                    loop {
                        let asked = Instant::now();
                        let place = json!({"game": "breakthrough(rows=6, columns=5)", "moves": moves, "seed": visitor});
                        let (status, view) = server.post("/api/position", &place);
                        slowest.fetch_max(asked.elapsed().as_millis() as u64, Ordering::Relaxed);
                        assert_eq!(status, 200, "{view}");
                        assert_eq!(view["moves"].as_array().unwrap().len(), moves.len(), "no move is lost");
                        if view["turn"]["over"] == true {
                            break;
                        }
                        let written: Vec<&str> = moves.iter().map(String::as_str).collect();
                        thinker.think(0, "breakthrough(rows=6, columns=5)", &written, "mcts", Some(200));
                        moves.push(thinker.conclusion()["chosen"].as_str().unwrap().to_string());
                    }
                    games.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for sender in 0..4u64 {
            let (server, over, broken) = (&server, &over, &broken);
            scope.spawn(move || {
                let nonsense: [&[u8]; 6] = [
                    b"GARBAGE\r\n\r\n",
                    b"POST /api/position HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 3\r\nConnection: close\r\n\r\n{{{",
                    b"POST /api/sheet HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx",
                    b"GET /%00%ff HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
                    b"GET /api/think HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
                    b"\x00\x01\x02\x03\r\n\r\n",
                ];
                let mut next = Instant::now();
                for number in sender.. {
                    if over.load(Ordering::Relaxed) {
                        break;
                    }
                    let (status, _) = send(server.address, nonsense[number as usize % nonsense.len()]);
                    assert_ne!(status, 200);
                    broken.fetch_add(1, Ordering::Relaxed);
                    next += Duration::from_millis(8);
                    std::thread::sleep(next.saturating_duration_since(Instant::now()));
                }
            });
        }
        std::thread::sleep(Duration::from_secs(60));
        over.store(true, Ordering::Relaxed);
    });
    let (broken, games) = (broken.into_inner(), games.into_inner());
    let rate = broken as f64 / started.elapsed().as_secs_f64();
    println!(
        "{games} games of 50 visitors, {broken} malformed requests ({rate:.0} a second), slowest position {} ms",
        slowest.into_inner()
    );
    assert!(games >= 50 && broken > 1_000);
    assert_eq!(server.get("/api/about").0, 200);
}
