//! A real browser for tests: headless Chromium, driven through its debugging protocol (Chrome DevTools Protocol).
//!
//! Only what these tests need, on the WebSocket crate that the server brings along anyway; the crates that speak the whole
//! protocol take longer to compile than everything else here.

use serde_json::{Value, json};
use std::cell::RefCell;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// Names under which Chromium is installed.
const PROGRAMS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Where Chromium is: as `SPINNEY_CHROMIUM` says, or somewhere in `PATH`.
pub fn program() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("SPINNEY_CHROMIUM") {
        return Some(PathBuf::from(named));
    }
    let path = std::env::var_os("PATH")?;
    let candidates = || std::env::split_paths(&path).flat_map(|folder| PROGRAMS.map(|name| folder.join(name)));
    candidates().find(|program| program.is_file())
}

/// A process of Chromium, which all tests that run at the same time share.
struct Chromium {
    process: Child,
    folder: PathBuf,
    /// Of its debugging protocol.
    address: String,
}

/// A page with cookies and storage of its own.
pub struct Browser {
    chromium: Arc<Chromium>,
    context: Value,
    socket: RefCell<WebSocket<MaybeTlsStream<TcpStream>>>,
    session: String,
    state: RefCell<State>,
}

/// What the page has said.
#[derive(Default)]
struct State {
    last_id: u64,
    /// Errors on the console, exceptions, and requests that failed.
    problems: Vec<String>,
    /// Bytes that came over the network since the last `visit`.
    bytes: u64,
    visits: u64,
}

impl Chromium {
    /// The one that runs, or another with a folder of its own; `None`, with a notice, where it is not installed.
    fn shared() -> Option<Arc<Self>> {
        static RUNNING: Mutex<Weak<Chromium>> = Mutex::new(Weak::new());
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let chromium = match running.upgrade() {
            Some(chromium) => chromium,
            None => Arc::new(Self::start()?),
        };
        *running = Arc::downgrade(&chromium);
        Some(chromium)
    }

    fn start() -> Option<Self> {
        let Some(program) = program() else {
            let _ = writeln!(
                std::io::stderr(),
                "no Chromium: skipped; install the package chromium or set SPINNEY_CHROMIUM"
            );
            return None;
        };
        let folder = std::env::temp_dir().join(
            format!("spinney-chromium-{}-{:?}", std::process::id(), Instant::now())
                .replace(['{', '}', ' ', ':', ','], ""),
        );
        let mut process = Command::new(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-port=0", "about:blank"])
            .arg(format!("--user-data-dir={}", folder.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Chromium starts");
        let mut lines = BufReader::new(process.stderr.take().expect("its messages are piped"));
        let address = loop {
            let mut line = String::new();
            assert!(lines.read_line(&mut line).expect("Chromium speaks") > 0, "Chromium ended at once");
            if let Some(address) = line.trim().strip_prefix("DevTools listening on ") {
                break address.to_string();
            }
        };
        // Nobody reads the rest, but a full pipe would stop it.
        std::thread::spawn(move || std::io::copy(&mut lines.by_ref(), &mut std::io::sink()));
        Some(Self { process, folder, address })
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Browser {
    /// Opens a page; `None`, with a notice, where Chromium is not installed.
    pub fn start() -> Option<Self> {
        let chromium = Chromium::shared()?;
        let (socket, _) = tungstenite::connect(&chromium.address).expect("Chromium answers");
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(Duration::from_millis(20))).expect("a timeout can be set");
        }
        let state = RefCell::new(State::default());
        let (socket, session) = (RefCell::new(socket), String::new());
        let mut browser = Self { chromium, context: Value::Null, socket, session, state };
        browser.context = browser.call("Target.createBrowserContext", json!({}))["browserContextId"].clone();
        let target = json!({"url": "about:blank", "browserContextId": browser.context});
        let target = browser.call("Target.createTarget", target)["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        browser.session = attached["sessionId"].as_str().unwrap_or_default().to_string();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Calls a method of the protocol and returns its result.
    pub fn call(&self, method: &str, parameters: Value) -> Value {
        let id = self.send(method, &parameters);
        self.answer(method, id)
    }

    /// Calls a method without waiting for its result; returns its number.
    fn send(&self, method: &str, parameters: &Value) -> u64 {
        let id = {
            let mut state = self.state.borrow_mut();
            state.last_id += 1;
            state.last_id
        };
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.socket.borrow_mut().send(Message::text(message.to_string())).expect("Chromium listens");
        id
    }

    /// The result of a call.
    fn answer(&self, method: &str, id: u64) -> Value {
        let started = Instant::now();
        loop {
            assert!(started.elapsed() < PATIENCE, "{method}: no answer");
            let Some(message) = self.receive() else { continue };
            if message["id"] == json!(id) {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
        }
    }

    /// The next message, if one comes soon; events are noted on the way.
    fn receive(&self) -> Option<Value> {
        let message = match self.socket.borrow_mut().read() {
            Ok(Message::Text(text)) => serde_json::from_str::<Value>(&text).expect("the protocol is JSON"),
            Ok(_) => return None,
            Err(tungstenite::Error::Io(error))
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
            {
                return None;
            }
            Err(error) => panic!("Chromium is gone: {error}"),
        };
        let mut state = self.state.borrow_mut();
        let parameters = &message["params"];
        match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                state
                    .problems
                    .push(format!("exception: {}", parameters["exceptionDetails"]["exception"]["description"]));
            }
            Some("Runtime.consoleAPICalled") if parameters["type"] == "error" => {
                state.problems.push(format!("console: {}", parameters["args"]));
            }
            Some("Log.entryAdded") if parameters["entry"]["level"] == "error" => {
                let entry = &parameters["entry"];
                state.problems.push(format!("log: {} {}", entry["text"], entry["url"]));
            }
            Some("Network.loadingFinished") => {
                state.bytes += parameters["encodedDataLength"].as_f64().unwrap_or(0.0) as u64;
            }
            _ => {}
        }
        drop(state);
        Some(message)
    }

    /// Errors of the page since this was asked last.
    pub fn problems(&self) -> Vec<String> {
        while self.receive().is_some() {}
        std::mem::take(&mut self.state.borrow_mut().problems)
    }

    /// Bytes that came over the network since the last visit.
    pub fn bytes(&self) -> u64 {
        while self.receive().is_some() {}
        self.state.borrow().bytes
    }

    /// Opens an address as if it were typed in, and waits until the page says that it is ready.
    pub fn visit(&self, address: &str) {
        // Another place on the same page would not load it again, and a page between would take another process.
        let visits = {
            let mut state = self.state.borrow_mut();
            (state.bytes, state.visits) = (0, state.visits + 1);
            state.visits
        };
        let (page, place) = address.split_once('#').unwrap_or((address, ""));
        self.call("Page.navigate", json!({"url": format!("{page}?{visits}#{place}")}));
        self.wait("document.body && document.body.dataset.ready === 'true'");
    }

    /// Evaluates an expression in the page; promises are awaited.
    pub fn evaluate(&self, expression: &str) -> Value {
        let parameters = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let result = self.call("Runtime.evaluate", parameters);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    /// Waits until an expression holds.
    pub fn wait(&self, expression: &str) {
        let started = Instant::now();
        while self.evaluate(&format!("Boolean({expression})")) != json!(true) {
            assert!(started.elapsed() < PATIENCE, "waited in vain for {expression}\nproblems: {:?}", self.problems());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Clicks the middle of the first element that fits, with the mouse.
    pub fn click(&self, selector: &str) {
        let place = format!(
            "(() => {{ const e = document.querySelector({selector:?}); if (!e) return null; \
             e.scrollIntoView({{block: 'center', inline: 'center', behavior: 'instant'}}); const r = e.getBoundingClientRect(); \
             return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        );
        let place = self.evaluate(&place);
        assert!(place.is_array(), "nothing to click at {selector}");
        self.click_at(&place[0], &place[1]);
    }

    /// Clicks a place on the screen; what the mouse does is said in one breath, and has been done when this returns.
    pub fn click_at(&self, x: &Value, y: &Value) {
        let method = "Input.dispatchMouseEvent";
        let event = |kind: &str| {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            self.send(method, &json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": 1}))
        };
        // Answers come in the order of the calls.
        let last = ["mouseMoved", "mousePressed", "mouseReleased"].map(event)[2];
        self.answer(method, last);
    }

    /// The middle of the first element that fits, on the screen.
    fn place(&self, selector: &str) -> (f64, f64) {
        let place = self.evaluate(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'nearest', behavior: 'instant'}}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ));
        (place[0].as_f64().expect("a place"), place[1].as_f64().expect("a place"))
    }

    /// Drags from one element to another, with the mouse.
    pub fn drag(&self, from: &str, to: &str) {
        let ((x, y), (end_x, end_y)) = (self.place(from), self.place(to));
        let steps = [
            ("mouseMoved", x, y, 0),
            ("mousePressed", x, y, 1),
            ("mouseMoved", f64::midpoint(x, end_x), f64::midpoint(y, end_y), 1),
        ];
        for (kind, x, y, buttons) in
            steps.into_iter().chain([("mouseMoved", end_x, end_y, 1), ("mouseReleased", end_x, end_y, 0)])
        {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// The same with a finger.
    pub fn drag_by_touch(&self, from: &str, to: &str) {
        let ((x, y), (end_x, end_y)) = (self.place(from), self.place(to));
        let point = |x: f64, y: f64| json!([{"x": x, "y": y}]);
        let middle = point(f64::midpoint(x, end_x), f64::midpoint(y, end_y));
        for (kind, points) in [
            ("touchStart", point(x, y)),
            ("touchMove", middle),
            ("touchMove", point(end_x, end_y)),
            ("touchEnd", json!([])),
        ] {
            self.call("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points}));
        }
    }

    /// Chooses an option of a select, or writes into a field, as a person would.
    pub fn set(&self, selector: &str, value: &str) {
        self.evaluate(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.value = {value:?}; \
             for (const kind of ['input', 'change']) e.dispatchEvent(new Event(kind, {{bubbles: true}})); }})()"
        ));
    }

    /// The text of the first element that fits.
    pub fn text(&self, selector: &str) -> String {
        let text = self.evaluate(&format!("document.querySelector({selector:?})?.textContent ?? ''"));
        text.as_str().unwrap_or_default().to_string()
    }

    /// Presses a key, such as `Enter` or `ArrowLeft`.
    pub fn press(&self, key: &str) {
        let text = match key {
            "Enter" => Some("\r"),
            one if one.chars().count() == 1 => Some(one),
            _ => None,
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({"type": kind, "key": key, "code": key});
            if let Some(text) = text.filter(|_| kind == "keyDown") {
                event["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Types into the element that has the focus.
    pub fn type_text(&self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Sets the size of the window, the colours that the visitor prefers, and that nothing shall move.
    pub fn appear(&self, width: u32, height: u32, dark: bool) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", size);
        let scheme = if dark { "dark" } else { "light" };
        let features = json!([
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}
        ]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    /// Waits until what was changed is on the screen.
    pub fn drawn(&self) {
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    }

    /// Takes a picture of the whole page.
    pub fn screenshot(&self, file: &Path) {
        let kind = json!({"format": "png", "captureBeyondViewport": true, "optimizeForSpeed": true});
        let shot = self.call("Page.captureScreenshot", kind);
        let bytes = decode(shot["data"].as_str().unwrap_or_default());
        std::fs::create_dir_all(file.parent().expect("a file in a folder"))
            .expect("the folder of pictures can be made");
        std::fs::write(file, bytes).expect("a picture can be written");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The process may go on with the pages of others; without an answer there is nobody left to be asked.
        let close =
            json!({"id": 0, "method": "Target.disposeBrowserContext", "params": {"browserContextId": self.context}});
        let _ = self.socket.borrow_mut().send(Message::text(close.to_string()));
        let _ = &self.chromium;
    }
}

/// Base64, as pictures are sent.
pub fn decode(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u32> = text.bytes().filter_map(value).map(u32::from).collect();
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for group in digits.chunks(4) {
        let bits = group.iter().enumerate().fold(0, |bits, (place, digit)| bits | digit << (18 - 6 * place));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    bytes
}
