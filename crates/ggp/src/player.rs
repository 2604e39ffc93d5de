//! A player that game managers talk to over HTTP.
//!
//! Every request has a thread of its own, which answers in time whatever happens to the search: it waits for the thread
//! of the match only until the clock runs out, and then replies with the best move that it has heard of.

use crate::http::{self, Fault};
use crate::message::Message;
use crate::seat::Seat;
use spinney_core::{InputError, Seed};
use spinney_gdl::{Limits, Machine, Method, Rules};
use spinney_search::decoupled::DecoupledSettings;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How a player behaves.
#[derive(Clone, Debug)]
pub struct Config {
    /// What it calls itself.
    pub name: String,
    /// How it searches.
    pub search: DecoupledSettings,
    /// How long before the end of a clock it answers.
    pub margin: Duration,
    /// All randomness comes from here.
    pub seed: Seed,
}

/// Connections at the same time; more are closed at once.
const MOST_CONNECTIONS: usize = 64;
/// How long a request may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(10);
/// A match of which nothing was heard for so long beyond its clock is forgotten.
const FORGOTTEN: Duration = Duration::from_secs(120);

/// What happened, for whoever wants to know.
#[derive(Clone, Debug)]
pub struct Event {
    /// The match, if it belongs to one.
    pub id: Option<String>,
    /// In words.
    pub what: String,
}

/// Called with what happens.
pub type Listener = Arc<dyn Fn(&Event) + Send + Sync>;

/// A player at its port.
pub struct Player {
    listener: TcpListener,
    shared: Arc<Shared>,
}

struct Shared {
    config: Config,
    running: Mutex<Option<Match>>,
    connections: AtomicUsize,
    tell: Listener,
}

/// The match being played.
struct Match {
    id: String,
    playclock: Duration,
    heard: Instant,
    orders: Sender<Order>,
    stop: Arc<AtomicBool>,
    moves_made: usize,
}

impl Drop for Match {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// What the thread of a match is asked to do.
struct Order {
    moves: Option<Vec<String>>,
    deadline: Instant,
    /// Gets better and better moves; it hangs up when there will be none any more.
    answers: Sender<String>,
}

impl Player {
    /// Listens at an address.
    pub fn bind(address: &str, config: Config, tell: Listener) -> Result<Self, InputError> {
        let listener = TcpListener::bind(address).map_err(|error| {
            InputError::new(format!("port {address}"), error.to_string(), "choose another with --port")
        })?;
        let shared = Shared { config, running: Mutex::new(None), connections: AtomicUsize::new(0), tell };
        Ok(Self { listener, shared: Arc::new(shared) })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests for ever.
    pub fn serve(&self) -> ! {
        loop {
            // A failed connection is the other side's affair.
            let Ok((stream, _)) = self.listener.accept() else {
                thread::sleep(Duration::from_millis(10));
                continue;
            };
            let shared = Arc::clone(&self.shared);
            if shared.connections.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
                shared.connections.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            let spawned = thread::Builder::new().name("request".to_string()).spawn(move || {
                shared.answer(stream);
                shared.connections.fetch_sub(1, Ordering::Relaxed);
            });
            if spawned.is_err() {
                self.shared.connections.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }
}

impl Shared {
    fn tell(&self, id: Option<&str>, what: impl Into<String>) {
        (self.tell)(&Event { id: id.map(str::to_string), what: what.into() });
    }

    fn running(&self) -> MutexGuard<'_, Option<Match>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, mut stream: TcpStream) {
        let arrived = Instant::now();
        let reply = match http::read_request(&mut stream, arrived + ARRIVAL) {
            Ok(request) if request.method == "OPTIONS" => String::new(),
            Ok(request) => self.reply(&request.message, arrived),
            Err(Fault::Malformed(why)) => {
                self.tell(None, format!("request refused: {why}"));
                String::new()
            }
            Err(Fault::Connection(error)) => return self.tell(None, format!("connection lost: {error}")),
        };
        if let Err(error) = http::write_reply(&mut stream, &reply) {
            self.tell(None, format!("reply `{reply}` not delivered: {error}"));
        }
    }

    fn reply(&self, message: &str, arrived: Instant) -> String {
        match Message::read(message) {
            Ok(Message::Info) => {
                let status = if self.is_busy() { "busy" } else { "available" };
                format!("( ( name {} ) ( status {status} ) )", self.config.name)
            }
            Ok(Message::Preview) => if self.is_busy() { "busy" } else { "ready" }.to_string(),
            Ok(Message::Start { id, role, rules, startclock, playclock }) => {
                self.start(&id, &role, *rules, arrived + startclock, playclock)
            }
            Ok(Message::Play { id, moves }) => self.play(&id, moves, arrived),
            Ok(Message::Stop { id, .. }) => self.end(&id, "done"),
            Ok(Message::Abort { id }) => self.end(&id, "aborted"),
            Err(error) => {
                self.tell(None, format!("message refused: {error}"));
                String::new()
            }
        }
    }

    /// Whether a match is being played; one that was left alone for long is forgotten.
    fn is_busy(&self) -> bool {
        let mut running = self.running();
        if running.as_ref().is_some_and(|own| own.heard.elapsed() > own.playclock + FORGOTTEN) {
            *running = None;
        }
        running.is_some()
    }

    fn start(&self, id: &str, role: &str, rules: Rules, deadline: Instant, playclock: Duration) -> String {
        if self.is_busy() {
            return "busy".to_string();
        }
        let stop = Arc::new(AtomicBool::new(false));
        let (orders, work) = mpsc::channel();
        let (ready, is_ready) = mpsc::channel();
        {
            // Somebody else may have begun a match meanwhile.
            let mut running = self.running();
            if running.is_some() {
                return "busy".to_string();
            }
            let (heard, stop) = (Instant::now(), Arc::clone(&stop));
            *running = Some(Match { id: id.to_string(), playclock, heard, orders, stop, moves_made: 0 });
        }
        let task = MatchTask {
            id: id.to_string(),
            role: role.to_string(),
            rules: Arc::new(rules),
            config: self.config.clone(),
            tell: Arc::clone(&self.tell),
            stop,
        };
        self.tell(Some(id), format!("match begins, playing {role}"));
        let spawned = thread::Builder::new().name("match".to_string()).spawn(move || task.run(&work, &ready));
        if let Err(error) = spawned {
            self.tell(Some(id), format!("no thread for the match: {error}"));
        }
        let left = deadline.saturating_duration_since(Instant::now()).saturating_sub(self.config.margin);
        let _ = is_ready.recv_timeout(left);
        "ready".to_string()
    }

    fn play(&self, id: &str, moves: Option<Vec<String>>, arrived: Instant) -> String {
        let (answers, heard) = mpsc::channel();
        let deadline = {
            let mut running = self.running();
            let Some(own) = running.as_mut().filter(|own| own.id.eq_ignore_ascii_case(id)) else {
                self.tell(Some(id), "PLAY of a match that is not ours");
                return "busy".to_string();
            };
            own.heard = Instant::now();
            own.moves_made += 1;
            let margin = self.config.margin.min(own.playclock / 2);
            let deadline = arrived + own.playclock - margin;
            // Half of the margin is for the search to end, half for the reply to arrive.
            let thinking = deadline - margin / 2;
            if own.orders.send(Order { moves, deadline: thinking, answers }).is_err() {
                self.tell(Some(id), "the thread of the match is gone");
            }
            deadline
        };
        let mut best = None;
        loop {
            match heard.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(mv) => best = Some(mv),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    self.tell(Some(id), "the search did not end in time");
                    break;
                }
            }
        }
        let reply = best.unwrap_or_else(|| "nil".to_string());
        self.tell(Some(id), format!("plays {reply}"));
        reply
    }

    fn end(&self, id: &str, reply: &str) -> String {
        let mut running = self.running();
        match running.as_ref() {
            Some(own) if own.id.eq_ignore_ascii_case(id) => {
                let moves = own.moves_made;
                *running = None;
                drop(running);
                self.tell(Some(id), format!("match is over after {moves} moves"));
                reply.to_string()
            }
            _ => "busy".to_string(),
        }
    }
}

/// One machine is quick to build, the other quick to play with where it can be built at all.
fn both_limits() -> [Limits; 2] {
    [Limits::only(Method::Proof), Limits::default()]
}

/// What the thread of a match knows.
struct MatchTask {
    id: String,
    role: String,
    rules: Arc<Rules>,
    config: Config,
    tell: Listener,
    stop: Arc<AtomicBool>,
}

impl MatchTask {
    fn tell(&self, what: impl Into<String>) {
        (self.tell)(&Event { id: Some(self.id.clone()), what: what.into() });
    }

    fn run(&self, orders: &Receiver<Order>, ready: &Sender<()>) {
        let machines = self.build();
        let mut seat: Option<Seat> = None;
        let mut history: Vec<Vec<String>> = Vec::new();
        let mut built = 0;
        loop {
            if let Ok(machine) = machines.try_recv() {
                built += 1;
                let is_fast = machine.as_ref().is_ok_and(|machine| machine.method() == Method::Network);
                if is_fast || seat.is_none() {
                    seat = self.sit_down(machine, &history).or(seat);
                }
                if is_fast || built == both_limits().len() {
                    let _ = ready.send(());
                }
            }
            let order = match orders.recv_timeout(Duration::from_millis(20)) {
                Ok(order) => order,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            self.obey(order, &mut seat, &mut history);
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    fn obey(&self, order: Order, seat: &mut Option<Seat>, history: &mut Vec<Vec<String>>) {
        let Some(own) = seat else { return };
        if let Some(moves) = order.moves {
            match own.play(&moves) {
                Ok(()) => history.push(moves),
                Err(error) => self.tell(format!("cannot follow: {error}")),
            }
        }
        let seed = self.config.seed.named(&self.id).child(history.len() as u64);
        own.think(order.deadline, seed, &self.stop, &mut |mv| drop(order.answers.send(mv)));
    }

    /// Builds machines in threads of their own: first the one that is always quick to have, then the fast one.
    fn build(&self) -> Receiver<Result<Machine, InputError>> {
        let (send, receive) = mpsc::channel();
        for limits in both_limits() {
            let (send, rules) = (send.clone(), Arc::clone(&self.rules));
            let _ = thread::Builder::new().name("build".to_string()).spawn(move || {
                let _ = send.send(Machine::build(&rules, &limits).map_err(InputError::from));
            });
        }
        receive
    }

    /// Takes a seat at the machine and brings it to where the match is.
    fn sit_down(&self, built: Result<Machine, InputError>, history: &[Vec<String>]) -> Option<Seat> {
        let seat = built.and_then(|machine| {
            let names = machine.roles().to_vec();
            let role = names
                .iter()
                .position(|name| name.eq_ignore_ascii_case(&self.role))
                .ok_or_else(|| InputError::unknown("START", "role", &self.role, names.iter().map(String::as_str)))?;
            let method = machine.method();
            let mut seat = Seat::new(machine, role, &self.config.search)?;
            for moves in history {
                seat.play(moves)?;
            }
            self.tell(format!("rules are understood ({method:?})").to_lowercase());
            Ok(seat)
        });
        seat.map_err(|error| self.tell(format!("rules are not understood: {error}"))).ok()
    }
}
