//! A player among hostile peers, in a process of its own that is limited to 1 GB: nothing ends it, others are served
//! meanwhile, and memory comes back.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use spinney_ggp::player::Event;
use spinney_ggp::{Config, Player};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Where the server writes what happens; the first line is its address.
const LOG: &str = "SPINNEY_HOSTILE_LOG";

/// The process that the tests are about: this program again, with a limit set before.
#[test]
#[ignore = "the other tests start it"]
fn server() {
    let Ok(log) = std::env::var(LOG) else { return };
    let log = Mutex::new(fs::File::create(log).unwrap());
    // What `spinney ggp serve` takes of a limit of 1 GB.
    let config = Config { memory: (1 << 30) / 5 * 2, ..Config::default() };
    let log = Arc::new(log);
    let kept = Arc::clone(&log);
    let tell = move |event: &Event| {
        writeln!(kept.lock().unwrap(), "{}: {}", event.id.clone().unwrap_or_default(), event.what).unwrap();
    };
    let player = Player::bind("127.0.0.1:0", config, Arc::new(tell)).unwrap();
    writeln!(log.lock().unwrap(), "{}", player.address().unwrap()).unwrap();
    player.serve();
}

/// A player of its own for each test.
struct Server {
    child: Child,
    address: String,
    /// Threads that it had at first.
    threads: usize,
    log: PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.log);
    }
}

impl Server {
    fn start(name: &str) -> Self {
        let log = std::env::temp_dir().join(format!("spinney-hostile-{name}-{}.log", std::process::id()));
        let _ = fs::remove_file(&log);
        let command = format!(
            "ulimit -v 1048576; exec '{}' --ignored --exact server --nocapture",
            std::env::current_exe().unwrap().display()
        );
        let mut shell = Command::new("sh");
        let child = shell.args(["-c", &command]).env(LOG, &log).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut server = Self { child: child.unwrap(), address: String::new(), threads: 0, log };
        while server.address.is_empty() {
            assert!(server.child.try_wait().unwrap().is_none(), "the server did not start");
            thread::sleep(Duration::from_millis(10));
            if let Some((address, _)) = server.log().split_once('\n') {
                server.address = address.to_string();
            }
        }
        server.threads = server.threads();
        server
    }

    /// What it answers to a message, and how long it took; nothing within `patience` is `None`.
    fn say(&self, message: &str, patience: Duration) -> Option<(String, Duration)> {
        let started = Instant::now();
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.set_read_timeout(Some(patience)).unwrap();
        let request = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{message}", message.len());
        stream.write_all(request.as_bytes()).ok()?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply).ok()?;
        Some((reply.split_once("\r\n\r\n")?.1.to_string(), started.elapsed()))
    }

    /// It lives and answers that it is one of these; how long it took.
    fn assert_is_one_of(&mut self, statuses: &[&str]) -> Duration {
        assert!(self.child.try_wait().unwrap().is_none(), "the server has ended: {}", self.log());
        let (reply, took) = self.say("( INFO )", Duration::from_secs(10)).expect("an answer to INFO");
        let answers = statuses.iter().map(|status| format!("( ( name spinney ) ( status {status} ) )"));
        assert!(answers.into_iter().any(|answer| answer == reply), "{reply}, not {statuses:?}: {}", self.log());
        took
    }

    /// It lives and answers; how long it took.
    fn assert_serves(&mut self, status: &str) -> Duration {
        self.assert_is_one_of(&[status])
    }

    /// Megabytes that it holds.
    fn megabytes(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    }

    /// Threads that it has.
    fn threads(&self) -> usize {
        fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap().count()
    }

    /// Memory is back where it was within ten seconds, and so are threads.
    fn assert_is_as_before(&self, megabytes: u64) {
        let until = Instant::now() + Duration::from_secs(10);
        while (self.megabytes() > megabytes + 40 || self.threads() > self.threads) && Instant::now() < until {
            thread::sleep(Duration::from_millis(100));
        }
        assert!(self.megabytes() <= megabytes + 40, "{} MB, {megabytes} MB before", self.megabytes());
        assert_eq!(self.threads(), self.threads, "{}", self.log());
    }

    fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }
}

fn start(id: &str, role: &str, rules: &str, clocks: &str) -> String {
    format!("( START {id} {role} ( {rules} ) {clocks} )")
}

/// A product of eight factors over thirty constants: 1.3 kB that would fill any memory if it were worked out.
fn product() -> String {
    let constants: Vec<String> = (0..30).map(|number| format!("(thing t{number})")).collect();
    let variables: Vec<String> = (0..8).map(|number| format!("?x{number}")).collect();
    let factors: Vec<String> = variables.iter().map(|variable| format!("(thing {variable})")).collect();
    format!(
        "(role me) (init on) {} (<= (all {vars}) {}) (<= (legal me (take ?x0)) (all {vars}))
         (<= (next on) (true on)) (<= terminal (not (true on))) (goal me 50)",
        constants.join(" "),
        factors.join(" "),
        vars = variables.join(" ")
    )
}

const TINY: &str =
    "(role me) (init on) (legal me a) (legal me (b)) (<= (next on) (true on)) (<= terminal (not (true on)))
    (goal me 50)";

#[test]
fn idle_and_slow_peers_shut_nobody_out() {
    let mut server = Server::start("slow");
    let before = server.megabytes();
    let idle: Vec<TcpStream> = (0..1000).filter_map(|_| TcpStream::connect(&server.address).ok()).collect();
    let mut slow: Vec<TcpStream> = (0..100).filter_map(|_| TcpStream::connect(&server.address).ok()).collect();
    assert_eq!((idle.len(), slow.len()), (1000, 100));
    let drip = b"POST / HTTP/1.0\r\nContent-Length: 1000\r\n\r\n( PLAY m ( ";
    let mut times = Vec::new();
    for byte in &drip[..20] {
        slow.iter_mut().for_each(|stream| drop(stream.write_all(&[*byte])));
        times.push(server.assert_serves("available"));
    }
    // The machine may be busy with other things for once.
    times.sort_unstable();
    assert!(times[times.len() / 2] < Duration::from_secs(1), "{times:?}");
    drop((idle, slow));
    server.assert_is_as_before(before);
}

#[test]
fn long_messages_at_once_are_refused() {
    let mut server = Server::start("long");
    let before = server.megabytes();
    for (length, filling) in [(4 << 20, b'x'), (1 << 20, b'('), (900_000, b' ')] {
        let body = vec![filling; length];
        let senders: Vec<_> = (0..64)
            .map(|_| {
                let (address, body) = (server.address.clone(), body.clone());
                thread::spawn(move || {
                    let mut stream = TcpStream::connect(address).unwrap();
                    let head = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n( START m me ", body.len() + 13);
                    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
                })
            })
            .collect();
        server.assert_serves("available");
        senders.into_iter().for_each(|sender| sender.join().unwrap());
        server.assert_serves("available");
    }
    // Names without end: what is read takes many times its length.
    let names = start("m", "me", &"a ".repeat(500_000), "10 1");
    assert_eq!(server.say(&names, Duration::from_secs(5)).unwrap().0, "");
    let rules = start("m", "me", &"(p ?x ?y) ".repeat(30_000), "10 1");
    assert_eq!(server.say(&rules, Duration::from_secs(10)).unwrap().0, "busy", "{}", server.log());
    server.assert_serves("available");
    server.assert_is_as_before(before);
    assert!(server.log().contains("the message is too long"), "{}", server.log());
}

#[test]
fn a_sheet_that_explodes_keeps_nobody_waiting() {
    let mut server = Server::start("product");
    let before = server.megabytes();
    let begun = start("boom", "me", &product(), "2 2");
    assert!(begun.len() < 2000);
    let starter = {
        let address = server.address.clone();
        thread::spawn(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            let request = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{begun}", begun.len());
            stream.write_all(request.as_bytes()).unwrap();
            let mut reply = String::new();
            stream.read_to_string(&mut reply).unwrap();
            reply
        })
    };
    thread::sleep(Duration::from_millis(500));
    // It may have been refused by now.
    server.assert_is_one_of(&["busy", "available"]);
    // Until it is known that nothing can play it, it may be played.
    let reply = starter.join().unwrap();
    assert!(reply.ends_with("ready") || reply.ends_with("busy"), "{reply}: {}", server.log());
    assert!(server.say("( PLAY boom NIL )", Duration::from_secs(5)).is_some());
    let aborted = server.say("( ABORT boom )", Duration::from_secs(5)).unwrap().0;
    assert!(aborted == "aborted" || aborted == "busy", "{aborted}");
    server.assert_serves("available");
    server.assert_is_as_before(before);
}

#[test]
fn starting_and_aborting_leaves_nothing_behind() {
    let mut server = Server::start("abort");
    let before = server.megabytes();
    // The public sheet that first filled a memory, where it is at hand.
    let sudoku = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/ggp/sheets/sudoku.kif"));
    for number in 0..6 {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let (role, rules) = match &sudoku {
            Ok(sheet) if number % 2 == 1 => ("sudokuPlayer", sheet.clone()),
            _ => ("me", product()),
        };
        let begun = start(&format!("m{number}"), role, &rules, "30 5");
        let request = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{begun}", begun.len());
        stream.write_all(request.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(300));
        // The product may have been refused by now; the other sheet is played.
        server.assert_is_one_of(if role == "me" { &["busy", "available"] } else { &["busy"] });
        let aborted = server.say(&format!("( ABORT m{number} )"), Duration::from_secs(2)).unwrap().0;
        assert!(aborted == "aborted" || (role == "me" && aborted == "busy"), "{aborted}: {}", server.log());
    }
    server.assert_serves("available");
    server.assert_is_as_before(before);
    // It still plays.
    assert_eq!(server.say(&start("last", "me", TINY, "1 1"), Duration::from_secs(5)).unwrap().0, "ready");
    let mv = server.say("( PLAY last NIL )", Duration::from_secs(5)).unwrap().0;
    assert!(mv == "a" || mv == "(b)", "{mv}");
    assert_eq!(server.say("( STOP last ( a ) )", Duration::from_secs(5)).unwrap().0, "done");
}

#[test]
fn what_cannot_be_played_is_refused_with_a_reason() {
    let mut server = Server::start("refused");
    let patience = Duration::from_secs(5);
    for clocks in ["1 0", "-1 5", "10 1e9", "nan 5", "1e300 1e300", ""] {
        assert_eq!(server.say(&start("m", "me", TINY, clocks), patience).unwrap().0, "", "{clocks}");
        server.assert_serves("available");
    }
    let sees = TINY.replace("(goal me 50)", "(goal me 50) (<= (sees me on) (true on))");
    for rules in ["(role me)", "(role me) (<= (legal me ?x) (not (q ?x)))", &sees] {
        assert_eq!(server.say(&start("m", "me", rules, "10 5"), patience).unwrap().0, "busy", "{rules}");
        server.assert_serves("available");
    }
    assert_eq!(server.say(&start("m", "nobody", TINY, "10 5"), patience).unwrap().0, "busy");
    let message = "( PLAY \u{1b}[31m\u{7}red NIL )";
    assert_eq!(server.say(message, patience).unwrap().0, "busy");
    server.assert_serves("available");
    let log = server.log();
    assert!(log.chars().all(|character| character == '\n' || !character.is_control()), "{log:?}");
    for reason in ["clocks", "`sees`", "unknown role `nobody`", "\\u{1b}[31m\\u{7}red"] {
        assert!(log.contains(reason), "{reason}: {log}");
    }
}
