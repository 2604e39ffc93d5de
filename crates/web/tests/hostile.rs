//! The server among hostile visitors, in a process of its own that is limited to 1 GB: nothing ends it, others are served
//! meanwhile, and memory comes back.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot go on has failed, and tells numbers")]

mod client;

use client::{Thinker, send};
use serde_json::{Value, json};
use spinney_web::Config;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

/// Where the server writes its address.
const ADDRESS: &str = "SPINNEY_HOSTILE_ADDRESS";

/// The process that the tests are about: this program again, with a limit set before.
#[test]
#[ignore = "the other tests start it"]
fn server() {
    let Ok(file) = std::env::var(ADDRESS) else { return };
    // As in the program that is given to others, whatever panics ends the process.
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |what| {
        report(what);
        std::process::abort();
    }));
    let config =
        Config { address: "127.0.0.1:0".to_string(), runs: PathBuf::from("no-such-folder"), ..Config::default() };
    let told = format!("{file}.new");
    spinney_web::serve(&config, &AtomicBool::new(false), |address| {
        fs::write(&told, address.to_string()).and_then(|()| fs::rename(&told, &file)).unwrap();
    })
    .unwrap();
}

/// A server of its own for each test.
struct Server {
    child: Child,
    address: SocketAddr,
    file: PathBuf,
    megabytes: u64,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.file);
        if !thread::panicking() {
            let _ = fs::remove_file(self.file.with_extension("log"));
        }
    }
}

impl Server {
    fn start(name: &str) -> Self {
        let file = std::env::temp_dir().join(format!("spinney-web-hostile-{name}-{}", std::process::id()));
        let _ = fs::remove_file(&file);
        let program = std::env::current_exe().unwrap();
        let command = format!("ulimit -v 1048576; exec '{}' --ignored --exact server --nocapture", program.display());
        let log = fs::File::create(file.with_extension("log")).unwrap();
        let mut shell = Command::new("sh");
        let child = shell.args(["-c", &command]).env(ADDRESS, &file).stdout(Stdio::null()).stderr(log).spawn();
        let mut child = child.unwrap();
        let address = loop {
            assert!(child.try_wait().unwrap().is_none(), "the server did not start");
            thread::sleep(Duration::from_millis(10));
            if let Ok(address) = fs::read_to_string(&file) {
                break address.parse().unwrap();
            }
        };
        let mut server = Self { child, address, file, megabytes: 0 };
        // What it takes once it has played is what it shall come back to.
        server.assert_serves();
        server.megabytes = server.megabytes();
        server
    }

    fn log(&self) -> String {
        fs::read_to_string(self.file.with_extension("log")).unwrap_or_default()
    }

    fn request(&self, path: &str, body: &str) -> Vec<u8> {
        let address = self.address;
        let head =
            format!("POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json");
        format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, text) = send(self.address, &self.request(path, &body.to_string()));
        (status, serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    /// It lives, shows its page and plays.
    fn assert_serves(&mut self) {
        assert!(self.child.try_wait().unwrap().is_none(), "the server has ended: {}", self.log());
        let page = format!("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        let (status, text) = send(self.address, page.as_bytes());
        assert!(status == 200 && text.contains("spinney"), "{status}: {text}");
        let (status, view) = self.post("/api/position", &json!({"game": "gdl:tic-tac-toe", "moves": ["mark(1,1)"]}));
        assert_eq!((status, view["legal"].as_array().map(Vec::len)), (200, Some(8)), "{view}");
    }

    fn status(&self, word: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with(word)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    fn megabytes(&self) -> u64 {
        self.status("VmRSS:") / 1024
    }

    /// Threads of searches.
    fn thinking(&self) -> usize {
        let names = fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap().flatten();
        names
            .filter(|task| fs::read_to_string(task.path().join("comm")).is_ok_and(|name| name.trim() == "think"))
            .count()
    }

    /// Processor time that it has taken.
    fn processor(&self) -> Duration {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
        Duration::from_millis(ticks * 10)
    }

    /// Memory is back where it was within ten seconds, and no search goes on.
    fn assert_is_as_before(&mut self) {
        let until = Instant::now() + Duration::from_secs(10);
        while (self.megabytes() > self.megabytes + 40 || self.thinking() > 0) && Instant::now() < until {
            thread::sleep(Duration::from_millis(100));
        }
        self.assert_serves();
        assert!(self.megabytes() <= self.megabytes + 40, "{} MB, {} MB before", self.megabytes(), self.megabytes);
        assert_eq!(self.thinking(), 0);
    }

    fn thinker(&self) -> Option<Thinker> {
        Thinker::open(self.address)
    }
}

/// A game in which one stays on for ever, with more rules.
fn sheet(rules: &str) -> String {
    format!(
        "(role me) (init on) (legal me stay) (<= (next on) (true on)) (<= terminal (true off)) (goal me 50) {} {rules}",
        (0..30).map(|number| format!("(n {number}) ")).collect::<String>()
    )
}

const FACTORS: &str = "(n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (n ?g) (n ?h)";

/// A product of eight factors over thirty constants: 1.3 kB that would fill any memory if it were worked out.
fn product() -> String {
    sheet(&format!(
        "(<= (all ?a ?b ?c ?d ?e ?f ?g ?h) {FACTORS}) (<= (legal me (take ?a)) (all ?a ?b ?c ?d ?e ?f ?g ?h))"
    ))
}

/// Takes long and little memory: thirteen pigeons are tried in twelve holes.
fn slow() -> String {
    let pigeons: Vec<String> = (0..13).map(|number| format!("?v{number}")).collect();
    let holes: String = (0..12).map(|number| format!("(hole {number}) ")).collect();
    let pairs = (0..13).flat_map(|second| (0..second).map(move |first| (first, second)));
    let apart: String = pairs.map(|(one, other)| format!("(distinct {} {}) ", pigeons[one], pigeons[other])).collect();
    let nested: String = pigeons.iter().map(|pigeon| format!("(hole {pigeon}) ")).collect();
    sheet(&format!("{holes} (<= (legal me fly) {nested} {apart})"))
}

/// The public sheet that first ended a server, where it is at hand.
fn sudoku() -> Option<String> {
    let sheet = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/ggp/sheets/sudoku.kif")).ok();
    if sheet.is_none() {
        println!("without sudoku, as the public sheets are not here");
    }
    sheet
}

#[test]
fn idle_and_slow_visitors_shut_nobody_out() {
    let mut server = Server::start("slow");
    let idle: Vec<TcpStream> = (0..1000).filter_map(|_| TcpStream::connect(server.address).ok()).collect();
    let mut slow: Vec<TcpStream> = (0..100).filter_map(|_| TcpStream::connect(server.address).ok()).collect();
    assert_eq!((idle.len(), slow.len()), (1000, 100));
    // They announce more than they ever send.
    let drip = server.request("/api/sheet", &json!({"text": "x".repeat(900_000)}).to_string());
    for stream in &mut slow {
        let _ = stream.write_all(&drip[..300]);
    }
    for byte in &drip[300..320] {
        slow.iter_mut().for_each(|stream| drop(stream.write_all(&[*byte])));
        server.assert_serves();
    }
    drop((idle, slow));
    server.assert_is_as_before();
}

#[test]
fn long_messages_at_once_are_refused() {
    let mut server = Server::start("long");
    for (length, filling) in [(4_000_000, "x"), (990_000, "("), (990_000, "a ")] {
        let body = json!({"text": filling.repeat(length / filling.len())}).to_string();
        let request = server.request("/api/sheet", &body);
        let address = server.address;
        thread::scope(|scope| {
            let senders: Vec<_> = (0..64).map(|_| scope.spawn(|| send(address, &request).0)).collect();
            server.assert_serves();
            for sender in senders {
                let status = sender.join().unwrap();
                // A server that has read enough may close before the visitor has said all.
                assert!([0, 400, 413, 503].contains(&status), "{status}");
            }
        });
        server.assert_serves();
    }
    let moves = json!({"game": "tic-tac-toe", "moves": vec![""; 300_000]});
    assert_eq!(server.post("/api/position", &moves).0, 400);
    server.assert_is_as_before();
}

#[test]
fn sheets_that_explode_are_refused_or_played() {
    let mut server = Server::start("product");
    let texts: Vec<String> = [product(), sheet(&format!("(<= (legal me (go ?a ?b ?c ?d ?e ?f ?g ?h)) {FACTORS})"))]
        .into_iter()
        .chain(sudoku())
        .collect();
    assert!(texts[0].len() < 1_300);
    let address = server.address;
    thread::scope(|scope| {
        let mut senders = Vec::new();
        for number in 0..12 {
            // Each a text of its own, so that none is known before.
            let text = format!("{} ; {number}", texts[number % texts.len()]);
            let request = server.request("/api/sheet", &json!({"text": text}).to_string());
            senders.push(scope.spawn(move || send(address, &request)));
        }
        for _ in 0..5 {
            server.assert_serves();
            thread::sleep(Duration::from_millis(100));
        }
        for (number, sender) in senders.into_iter().enumerate() {
            let (status, text) = sender.join().unwrap();
            // Sudoku is played, what explodes is refused.
            let is_sudoku = number % texts.len() == 2;
            assert_eq!(status == 200, is_sudoku, "{number}: {status} {text}");
            assert!(status == 200 || (status == 400 && text.contains("too ")), "{number}: {status} {text}");
        }
    });
    server.assert_is_as_before();
}

/// Pages that are closed while their sheet is built, six times, and once all at the same time.
#[test]
fn a_closed_page_calls_its_building_off() {
    let mut server = Server::start("closed");
    let open = |text: String| {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(&server.request("/api/sheet", &json!({"text": text}).to_string())).unwrap();
        stream
    };
    let mut longest = Duration::ZERO;
    for number in 0..6 {
        let started = server.processor();
        let mut stream = open(format!("{} ; {number}", slow()));
        while server.processor() < started + Duration::from_millis(200) {
            thread::sleep(Duration::from_millis(5));
        }
        stream.set_nonblocking(true).unwrap();
        assert!(stream.read(&mut [0]).is_err(), "it is being built");
        let before = server.processor();
        drop(stream);
        thread::sleep(Duration::from_millis(500));
        longest = longest.max(server.processor() - before);
    }
    println!("{} ms of processor time after the page was closed", longest.as_millis());
    // Those that wait for a place go without having begun.
    let streams: Vec<TcpStream> = (10..60).map(|number| open(format!("{} ; {number}", slow()))).collect();
    thread::sleep(Duration::from_millis(300));
    drop(streams);
    thread::sleep(Duration::from_millis(500));
    let before = server.processor();
    thread::sleep(Duration::from_millis(500));
    let rest = server.processor() - before;
    assert!(longest <= Duration::from_millis(100) && rest <= Duration::from_millis(100), "{longest:?}, {rest:?}");
    server.assert_is_as_before();
}

/// Every game has a history of its own, so there is no end of new facts and moves.
const HISTORIES: &str =
    "(role me) (init (past none)) (say a) (say b) (<= (legal me (tell ?x ?h)) (say ?x) (true (past ?h)))
    (<= (next (past (then ?x ?h))) (does me (tell ?x ?h))) (<= terminal (true over)) (goal me 50)";

#[test]
fn searches_of_all_visitors_share_the_memory() {
    let mut server = Server::start("searches");
    let trap = sheet(&format!(
        "(<= (next sprung) (does me stay)) (<= (legal me (go ?a ?b ?c ?d ?e ?f ?g ?h)) (true sprung) {FACTORS})"
    ));
    let mut games = vec!["amazons".to_string(), "havannah(size=10)".to_string()];
    for text in [trap.as_str(), HISTORIES] {
        let (status, answer) = server.post("/api/sheet", &json!({"text": text}));
        assert_eq!(status, 200, "{answer}");
        games.push(answer["game"].as_str().unwrap().to_string());
    }
    let mut thinkers: Vec<Thinker> = (0..60).filter_map(|_| server.thinker()).collect();
    assert!(thinkers.len() >= 30, "{}", thinkers.len());
    // Searches end one after the other, and leave trees that may be looked into.
    for (number, thinker) in thinkers.iter_mut().enumerate() {
        for side in 0..2 {
            let agent = ["mcts(memory=9000)", "mcts(memory=9000, reuse)"][side];
            let think = json!({
                "side": side, "place": {"game": games[number % games.len()]}, "agent": agent, "seconds": 0.2, "seed": 1,
            });
            thinker.say(&json!({"think": think}).to_string());
        }
    }
    let (until, mut most) = (Instant::now() + Duration::from_secs(8), 0);
    while Instant::now() < until {
        server.assert_serves();
        most = most.max(server.megabytes());
        thread::sleep(Duration::from_millis(200));
    }
    println!("{} MB at first, {most} MB at most", server.megabytes);
    drop(thinkers);
    server.assert_is_as_before();
}

#[test]
fn pasted_sheets_are_forgotten() {
    let mut server = Server::start("pasted");
    let text = spinney_games::gdl::BUILT_IN.iter().find(|(name, _)| *name == "checkers").unwrap().1;
    let (mut games, mut most) = (Vec::new(), 0);
    for number in 0..24 {
        let (status, answer) = server.post("/api/sheet", &json!({"text": format!("{text}\n; {number}")}));
        assert_eq!(status, 200, "{answer}");
        games.push(answer["game"].clone());
        if number >= 12 {
            most = most.max(server.megabytes());
        }
        if number == 12 {
            most = server.megabytes();
        }
    }
    println!("{} MB at first, {most} MB with all that are kept", server.megabytes);
    let known = |game: &Value| server.post("/api/position", &json!({"game": game})).0 == 200;
    assert!(!known(&games[0]) && known(&games[23]));
    assert!(most < server.megabytes + 200, "{most} MB, {} MB at first", server.megabytes);
    server.assert_serves();
}
