//! A server for a test, and a visitor who speaks with it without a browser.
#![allow(dead_code, reason = "each test file uses a part")]

use serde_json::{Value, json};
use spinney_table::Laboratory;
use spinney_web::{Config, Limits};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// A server on a free port, which ends with the value.
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// With these limits and this folder of runs.
    pub fn start(limits: Limits, runs: &Path) -> Self {
        Self::at("127.0.0.1:0", limits, runs)
    }

    /// The same at an address.
    pub fn at(address: &str, limits: Limits, runs: &Path) -> Self {
        Self::of(address, limits, runs, Laboratory::standard())
    }

    /// The same of a laboratory of one's own.
    pub fn of(address: &str, limits: Limits, runs: &Path, laboratory: Laboratory) -> Self {
        let config = Config {
            laboratory,
            address: address.to_string(),
            runs: runs.to_path_buf(),
            // A folder of the same name beside that of runs.
            matches: runs.with_extension("matches"),
            limits,
        };
        let stop = Arc::new(AtomicBool::new(false));
        let (tell, told) = mpsc::channel();
        let flag = stop.clone();
        let thread = std::thread::spawn(move || {
            spinney_web::serve(&config, &flag, |address| tell.send(address).unwrap()).unwrap();
        });
        let address = told.recv().expect("the server starts");
        Self { address, stop, thread: Some(thread) }
    }

    /// The address of a page.
    pub fn page(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    /// Sends a request and returns status and body.
    pub fn send(&self, request: &[u8]) -> (u16, String) {
        send(self.address, request)
    }

    /// Asks for a page.
    pub fn get(&self, path: &str) -> (u16, String) {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address).as_bytes())
    }

    /// Sends JSON; the answer must be JSON as well.
    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let body = body.to_string();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        let (status, text) = self.send(format!("{head}{body}").as_bytes());
        (status, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}: {text}")))
    }

    /// Opens a connection for searches.
    pub fn thinker(&self) -> Thinker {
        Thinker::open(self.address).expect("it is accepted")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// One request on a connection of its own.
pub fn send(address: SocketAddr, request: &[u8]) -> (u16, String) {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    // A server that has read enough may close before it has heard all.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    (status, if chunked { joined(body) } else { body.to_string() })
}

/// A body that came in pieces, each after its length in hexadecimal digits.
fn joined(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length.trim(), 16).unwrap_or(0);
        let Some(piece) = rest.get(..length).filter(|_| length > 0) else { break };
        whole += piece;
        body = rest[length..].trim_start_matches("\r\n");
    }
    whole
}

/// A connection for searches.
pub struct Thinker {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
}

impl Thinker {
    /// Opens a connection, if the server has a place for it.
    pub fn open(address: SocketAddr) -> Option<Self> {
        let (socket, _) = tungstenite::connect(format!("ws://{address}/api/think")).ok()?;
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        }
        Some(Self { socket })
    }

    /// Says something, well-formed or not.
    pub fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).expect("the connection is open");
    }

    /// Asks for a search.
    pub fn think(&mut self, side: usize, game: &str, moves: &[&str], agent: &str, simulations: Option<u64>) {
        let place = json!({"game": game, "moves": moves, "chance": true, "seed": 1});
        let think = json!({"side": side, "place": place, "agent": agent, "simulations": simulations, "seed": 1});
        self.say(&json!({"think": think}).to_string());
    }

    /// The next message.
    pub fn hear(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().expect("the server speaks") {
                return serde_json::from_str(&text).expect("it speaks JSON");
            }
        }
    }

    /// The next message with this key; others are skipped.
    pub fn hear_of(&mut self, key: &str) -> Value {
        loop {
            let mut message = self.hear();
            if message[key].is_object() {
                return message[key].take();
            }
        }
    }

    /// The last thought of a search.
    pub fn conclusion(&mut self) -> Value {
        loop {
            let thought = self.hear_of("thought");
            if thought["done"] == true {
                return thought;
            }
        }
    }
}
