//! Diagnosis and experiments of the server: watched, stopped, resumed, replayed, and protected.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod client;

use client::Server;
use serde_json::{Value, json};
use spinney_lab::Store;
use spinney_lab::pack::pack;
use spinney_web::Limits;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::Duration;

/// A folder for runs that is removed with the value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("spinney-laboratory-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Server-sent events, one after the other.
struct Stream {
    status: u16,
    lines: BufReader<TcpStream>,
}

impl Stream {
    fn open(server: &Server, path: &str) -> Self {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).unwrap();
        let mut lines = BufReader::new(stream);
        let mut head = String::new();
        lines.read_line(&mut head).unwrap();
        Self { status: head.split(' ').nth(1).unwrap().parse().unwrap(), lines }
    }

    /// The next event; what frames it (headers, sizes of chunks, blank lines) is skipped.
    fn next(&mut self) -> (String, Value) {
        let mut kind = String::new();
        loop {
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "the stream ended");
            if let Some(name) = line.strip_prefix("event: ") {
                kind = name.trim().to_string();
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return (kind, serde_json::from_str(data).unwrap());
            }
        }
    }

    /// The progress of a run once `is_wanted` holds.
    fn progress(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let (kind, progress) = self.next();
            assert_eq!(kind, "progress", "{progress}");
            if is_wanted(&progress) {
                return progress;
            }
        }
    }
}

fn text(pairs: u64) -> String {
    format!(
        "title = \"Two games\"\npairs = {pairs}\n[agents.m]\nsims = 12\n[agents.r]\nkind = \"random\"\n\
         [[match]]\ngames = [\"tic-tac-toe\", \"breakthrough(rows=5, columns=5)\"]\na = [\"m\"]\nb = [\"r\"]\n"
    )
}

fn json_of(server: &Server, path: &str) -> Value {
    let (status, body) = server.get(path);
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).unwrap()
}

#[test]
fn a_diagnosis_is_watched_and_ends_with_its_visitor() {
    let folder = Folder::new("diagnosis");
    let server = Server::start(Limits { diagnoses: 1, ..Limits::default() }, &folder.0);
    let mut stream = Stream::open(&server, "/api/diagnose?game=tic-tac-toe&games=2&simulations=60&seed=3");
    assert_eq!(stream.status, 200);
    let (kind, first) = stream.next();
    assert_eq!(kind, "diagnosis");
    assert_eq!(first["positions"], 1, "the first position is told at once");
    let done = loop {
        let (kind, found) = stream.next();
        if kind == "done" {
            break found;
        }
    };
    assert!(done["positions"].as_u64() > first["positions"].as_u64());
    assert_eq!(done["figures"].as_array().unwrap().len(), 4);
    assert!(done["figures"][2]["svg"].as_str().unwrap().starts_with("<svg"));
    assert!(done["rows"].as_array().unwrap().iter().any(|row| row["name"] == "weight a′"));
    drop(stream);

    // The only place is taken until the visitor goes; then the work ends by itself.
    let long = "/api/diagnose?game=breakthrough&games=20&simulations=300";
    let mut stream = Stream::open(&server, long);
    assert_eq!(stream.next().0, "diagnosis");
    let (status, body) = server.get(long);
    assert_eq!(status, 429, "{body}");
    drop(stream);
    let short = "/api/diagnose?game=tic-tac-toe&simulations=5";
    let accepted = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        Stream::open(&server, short).status == 200
    });
    assert!(accepted, "the work went on without anybody listening");
}

#[test]
fn diagnoses_are_bounded() {
    let folder = Folder::new("bounds");
    let server = Server::start(Limits::default(), &folder.0);
    let refused = [
        ("game=chess", 200, "unknown game"),
        ("game=pig", 200, "without chance"),
        ("game=gdl:/etc/passwd", 400, "rule sheet"),
        ("game=breakthrough&games=21", 400, "1 to 20"),
        ("game=breakthrough&simulations=0", 400, "1 to 100000"),
        ("game=breakthrough&simulations=-1", 400, "address"),
        ("game=breakthrough&agent=flat", 400, "mcts"),
        ("game=breakthrough&colour=red", 400, "colour"),
        ("", 400, "game"),
    ];
    for (query, status, word) in refused {
        let (found, body) = server.get(&format!("/api/diagnose?{query}"));
        assert!(found == status && body.contains(word) && body.contains("error"), "{query}: {found} {body}");
    }
}

#[test]
fn an_experiment_goes_from_plan_to_replay() {
    let folder = Folder::new("whole");
    let server = Server::start(Limits::default(), &folder.0);
    let list = json_of(&server, "/api/experiments");
    assert_eq!(list["runs"], json!([]));
    let files = list["files"].as_array().unwrap();
    let table = files.iter().find(|file| file["name"] == "quality-rewards/table-1").unwrap();
    assert_eq!(table["cells"], 24);
    let (status, shown) = server.get("/api/experiments/text?file=quality-rewards/table-1");
    assert!(status == 200 && shown.contains("[[match]]"));

    let wish = json!({"text": text(50), "games": 6});
    let (status, plan) = server.post("/api/experiments/plan", &wish);
    assert_eq!(status, 200, "{plan}");
    assert_eq!((&plan["games"], &plan["played"]), (&json!(12), &json!(0)));
    assert!(plan["cells"].as_array().unwrap().iter().all(|cell| cell["seconds"].as_f64().unwrap() > 0.0), "{plan}");
    assert!(plan["cells"][0]["detectable"].as_f64().unwrap() > 0.0);

    let (status, started) = server.post("/api/experiments/start", &wish);
    assert_eq!((status, &started["run"]), (200, &plan["run"]), "{started}");
    let run = format!("/api/experiments/runs/{}", started["run"].as_str().unwrap());
    let end = Stream::open(&server, &format!("{run}/events")).progress(|progress| progress["state"] == "complete");
    assert_eq!((&end["played"], &end["planned"]), (&json!(12), &json!(12)));
    assert_eq!(end["cells"][1]["played"], 6);
    assert!(end["cells"][1]["score"].as_f64().unwrap() > 0.5, "{end}");
    assert!(end["figures"][0]["svg"].as_str().unwrap().contains("<svg"));
    assert_eq!(json_of(&server, "/api/experiments")["runs"][0]["state"], "complete");

    let (status, page) = server.get(&format!("{run}/report"));
    assert!(status == 200 && page.contains("<h1>Two games</h1>") && page.contains("<svg"));
    let key = end["cells"][0]["key"].as_str().unwrap();
    let games = json_of(&server, &format!("{run}/cells/{key}?from=2"));
    assert_eq!((&games["total"], games["games"].as_array().unwrap().len()), (&json!(6), 4));
    let game = json_of(&server, &format!("{run}/cells/{key}/2/1"));
    assert_eq!(game["seats"], json!(["r", "m"]));
    let place = json!({"game": game["game"], "moves": game["moves"]});
    let (status, view) = server.post("/api/position", &place);
    assert_eq!((status, &view["turn"]["winner"]), (200, &game["winner"]), "{view}");

    // A packed run shows the same: moves that were not kept are played again.
    let store = Store::open(&folder.0.join(started["run"].as_str().unwrap())).unwrap();
    assert_eq!(pack(&store, 1e-9).unwrap().with_moves, 0);
    assert_eq!(json_of(&server, &format!("{run}/cells/{key}/2/1")), game);
    assert_eq!(json_of(&server, &format!("{run}/cells/{key}?from=2")), games);
    assert_eq!(json_of(&server, "/api/experiments")["runs"][0]["state"], "complete");

    // What is complete is not played again, and a longer wish goes on.
    assert_eq!(server.post("/api/experiments/start", &json!({"run": started["run"]})).0, 200);
    let (_, longer) = server.post("/api/experiments/start", &json!({"text": text(4)}));
    assert_eq!(longer["run"], started["run"]);
    let end = Stream::open(&server, &format!("{run}/events")).progress(|progress| progress["state"] == "complete");
    assert_eq!(end["played"], 16);
}

#[test]
fn a_run_is_stopped_resumed_and_outlives_the_server() {
    let folder = Folder::new("resumed");
    let server = Server::start(Limits::default(), &folder.0);
    let wish = json!({"text": text(20_000)});
    let (_, started) = server.post("/api/experiments/start", &wish);
    let name = started["run"].as_str().unwrap();
    let events = format!("/api/experiments/runs/{name}/events");
    let mut stream = Stream::open(&server, &events);
    let mut second = Stream::open(&server, &events);
    stream.progress(|progress| progress["state"] == "running" && progress["played"].as_u64().unwrap() > 0);
    second.progress(|progress| progress["played"].as_u64().unwrap() > 0);
    for again in [&wish, &json!({"run": name})] {
        let (status, answer) = server.post("/api/experiments/start", again);
        assert!(status == 409 && answer["error"].as_str().unwrap().contains("already"), "{status} {answer}");
    }
    assert_eq!(server.post("/api/experiments/stop", &json!({"run": name})).0, 200);
    let stopped = stream.progress(|progress| progress["state"] == "stopped");
    let played = stopped["played"].as_u64().unwrap();
    assert!(played > 0 && played < 80_000);

    assert_eq!(server.post("/api/experiments/start", &json!({"run": name})).0, 200);
    stream.progress(|progress| progress["state"] == "running" && progress["played"].as_u64().unwrap() > played);
    drop(server);
    let lines = fs::read_to_string(folder.0.join(name).join("games-0-of-1.jsonl")).unwrap();
    assert!(lines.ends_with('\n'), "no line is torn");
    let server = Server::start(Limits::default(), &folder.0);
    let list = json_of(&server, "/api/experiments");
    assert_eq!((&list["runs"][0]["name"], &list["runs"][0]["state"]), (&json!(name), &json!("stopped")));
    assert_eq!(list["runs"][0]["played"], lines.lines().count());
    let seen = Stream::open(&server, &events).progress(|_| true);
    assert_eq!((&seen["played"], &seen["faults"]), (&json!(lines.lines().count()), &json!(0)));
    assert_eq!(server.post("/api/experiments/start", &json!({"run": name})).0, 200);
}

/// A run whose cells a rule has ended is complete, though fewer games were played than planned.
#[test]
fn a_run_that_a_rule_has_ended_is_complete() {
    let folder = Folder::new("rule");
    let server = Server::start(Limits::default(), &folder.0);
    let text = format!("stop = {{ sprt = [0, 20] }}\n{}", text(3_000).replace("sims = 12", "sims = 60"));
    let (status, answer) = server.post("/api/experiments/start", &json!({"text": text}));
    assert_eq!(status, 200, "{answer}");
    let name = answer["run"].as_str().unwrap();
    let mut stream = Stream::open(&server, &format!("/api/experiments/runs/{name}/events"));
    let seen = stream.progress(|progress| progress["state"] != "running");
    assert!(seen["state"] == "complete" && seen["planned"].as_u64().unwrap() < 12_000, "{seen}");
    let list = json_of(&server, "/api/experiments");
    let run = &list["runs"][0];
    assert_eq!(
        (&run["state"], &run["played"], &run["planned"]),
        (&json!("complete"), &seen["played"], &seen["planned"])
    );
}

#[test]
fn only_two_runs_at_a_time() {
    let folder = Folder::new("two");
    let server = Server::start(Limits::default(), &folder.0);
    let start = |seed: u64| {
        let text = format!("seed = {seed}\n{}", text(20_000));
        server.post("/api/experiments/start", &json!({"text": text}))
    };
    assert_eq!((start(1).0, start(2).0), (200, 200));
    let (status, answer) = start(3);
    assert!(status == 429 && answer["error"].as_str().unwrap().contains("2 runs"), "{status} {answer}");
}

#[test]
fn tricks_are_refused() {
    let folder = Folder::new("tricks");
    fs::create_dir_all(folder.0.join("runs")).unwrap();
    fs::write(folder.0.join("plan.json"), "{}").unwrap();
    fs::write(folder.0.join("experiment.toml"), "secret").unwrap();
    let server = Server::start(Limits::default(), &folder.0.join("runs"));
    for name in ["..", "%2e%2e", "..%2F..", "%2Fetc", ".", "a%00b", "%ff", "absent", &"x".repeat(5000)] {
        for rest in ["events", "report", "cells/0123456789abcdef", "cells/0123456789abcdef/0/0"] {
            let (status, body) = server.get(&format!("/api/experiments/runs/{name}/{rest}"));
            assert!((400..500).contains(&status) && !body.contains("secret"), "{name} {rest}: {status} {body}");
        }
    }
    for run in ["..", "../runs", "/etc", "", "absent"] {
        for what in ["start", "stop"] {
            let (status, answer) = server.post(&format!("/api/experiments/{what}"), &json!({"run": run}));
            assert!(status == 404 && answer["error"].is_string(), "{run}: {status} {answer}");
        }
    }
    let refused = [
        json!({"file": "../../Cargo"}),
        json!({"text": "title = 1"}),
        json!({"text": text(1).replace("tic-tac-toe", "gdl:/etc/passwd")}),
        json!({"text": text(90_000_000)}),
        json!({"file": "playouts/policies", "games": 0}),
        json!({"file": "playouts/policies", "text": "x"}),
        json!({"file": "playouts/policies", "colour": "red"}),
        json!({}),
        json!([]),
    ];
    for wish in refused {
        for what in ["plan", "start"] {
            let (status, answer) = server.post(&format!("/api/experiments/{what}"), &wish);
            assert!((400..423).contains(&status) && answer["error"].is_string(), "{wish}: {status} {answer}");
        }
    }
    assert_eq!(fs::read_dir(folder.0.join("runs")).unwrap().count(), 0, "nothing was begun");
    assert_eq!(server.get("/api/experiments/text?file=../../Cargo").0, 404);
}
