//! A player that game managers talk to over HTTP.
//!
//! One thread reads and answers (`server`); it never waits for a search. Each match has threads of its own: one that
//! keeps its history and knows a legal move at all times (`keeper`), one that searches (`searcher`), and one that builds
//! the fast machine while a slower one plays.

use crate::course::{Asked, Course, Courses};
use crate::http::Request;
use crate::keeper::{Keeper, Places};
use crate::memory::Memory;
use crate::message::{BYTES_OF_A_NAME, MOST_NAMES, Message, clocks, count_names, glance};
use crate::printable::printable;
use crate::server::{Desk, Reply, Server, WAKER};
use crate::ticket::{Answer, Ticket};
use mio::{Poll, Waker};
use spinney_core::{InputError, Seed};
use spinney_search::decoupled::DecoupledSettings;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
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
    /// Matches at the same time.
    pub matches: usize,
    /// Bytes that messages, machines and trees of all matches may take together, about.
    pub memory: usize,
    /// Whether it searches while others think.
    pub ponders: bool,
}

impl Default for Config {
    fn default() -> Self {
        let mut search = DecoupledSettings::cadiaplayer();
        search.solver = true;
        Self {
            name: "spinney".to_string(),
            search,
            margin: Duration::from_millis(250),
            seed: Seed::new(1),
            matches: 1,
            memory: 2_000_000_000,
            ponders: true,
        }
    }
}

impl Config {
    /// Bytes for what peers send.
    fn message_bytes(&self) -> usize {
        (self.memory / 8).clamp(4 << 20, 128 << 20)
    }

    /// Bytes for one match.
    pub(crate) fn match_bytes(&self) -> usize {
        self.memory.saturating_sub(self.message_bytes()) / self.matches.max(1)
    }
}

/// All messages but those that carry rules are short.
const LONGEST_WITHOUT_RULES: usize = 64 << 10;
/// Refusals that are logged within a second; the others are counted.
const MOST_REFUSALS: usize = 20;

/// What happened, for whoever wants to know.
#[derive(Clone, Debug)]
pub struct Event {
    /// The match, if it belongs to one.
    pub id: Option<String>,
    /// In words: one line without control characters.
    pub what: String,
}

/// Called with what happens.
pub type Listener = Arc<dyn Fn(&Event) + Send + Sync>;

/// Tells a listener what happens, in words that cannot harm a terminal.
#[derive(Clone)]
pub(crate) struct Log {
    tell: Listener,
}

impl Log {
    pub(crate) fn tell(&self, id: Option<&str>, what: impl AsRef<str>) {
        (self.tell)(&Event { id: id.map(printable), what: printable(what.as_ref()) });
    }
}

/// A player at its port.
pub struct Player {
    server: Server<Table>,
    address: io::Result<SocketAddr>,
}

impl Player {
    /// Listens at an address.
    pub fn bind(address: &str, config: Config, tell: Listener) -> Result<Self, InputError> {
        let refuse = |error: io::Error| {
            InputError::new(format!("port {address}"), error.to_string(), "choose another with --port")
        };
        let listener = std::net::TcpListener::bind(address).map_err(refuse)?;
        listener.set_nonblocking(true).map_err(refuse)?;
        let listener = mio::net::TcpListener::from_std(listener);
        let poll = Poll::new().map_err(refuse)?;
        let waker = Arc::new(Waker::new(poll.registry(), WAKER).map_err(refuse)?);
        let memory = Memory::new(config.message_bytes());
        let address = listener.local_addr();
        let table = Table {
            courses: Courses::new(config.matches.max(1)),
            places: Places::new(config.matches.max(1)),
            config: Arc::new(config),
            memory: Arc::clone(&memory),
            waker,
            log: Log { tell },
            refusals: Mutex::new((Instant::now(), 0)),
        };
        let server = Server::new(poll, listener, Arc::new(table), memory).map_err(refuse)?;
        Ok(Self { server, address })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        match &self.address {
            Ok(address) => Ok(*address),
            Err(error) => Err(error.kind().into()),
        }
    }

    /// Answers requests for ever.
    pub fn serve(mut self) -> ! {
        crate::allocator::bound_reserves();
        self.server.serve()
    }
}

/// All matches.
struct Table {
    config: Arc<Config>,
    memory: Arc<Memory>,
    courses: Arc<Courses>,
    places: Arc<Places>,
    waker: Arc<Waker>,
    log: Log,
    /// Since when refusals are counted, and how many there were.
    refusals: Mutex<(Instant, usize)>,
}

impl Table {
    fn busy() -> Reply {
        Reply::Now("busy".to_string())
    }

    /// How long before the end of a clock it answers.
    fn margin(&self, clock: Duration) -> Duration {
        self.config.margin.min(clock / 2)
    }

    fn start(&self, id: Option<&str>, text: String, arrived: Instant) -> Reply {
        let Some(id) = id.map(str::to_string) else { return self.refuse("START without a match") };
        let names = count_names(&text);
        if names > MOST_NAMES {
            return self.refuse(&format!("the rules consist of {names} names; {MOST_NAMES} are read at most"));
        }
        let Some(share) = self.memory.share(text.len() + names * BYTES_OF_A_NAME) else {
            return self.refuse("the memory for messages is spent");
        };
        // The clocks stand at the end; the rest is read by the thread of the match.
        let Some((startclock, playclock)) = clocks(&text) else {
            return self.refuse("START has no clocks that can be kept, of up to a day");
        };
        let Some(history) = self.memory.share(0) else { return Self::busy() };
        let course = Course::new(&id, history);
        course.change(|told| {
            told.playclock = playclock;
            told.patience = arrived + startclock + playclock;
        });
        if !self.courses.enter(&course) {
            return Self::busy();
        }
        let ticket = Ticket::new(&id, "ready", arrived + startclock, &self.waker);
        let due = arrived + startclock - self.margin(startclock);
        let keeper = Keeper {
            course,
            config: Arc::clone(&self.config),
            log: self.log.clone(),
            ticket: Arc::clone(&ticket),
            places: Arc::clone(&self.places),
            courses: Arc::clone(&self.courses),
        };
        match thread::Builder::new().name("match".to_string()).spawn(move || keeper.run(text, share)) {
            Ok(_) => Reply::Later { ticket, due },
            Err(error) => {
                self.courses.has_read();
                self.courses.remove(&id);
                self.refuse(&format!("no thread for the match: {error}"))
            }
        }
    }

    fn play(&self, id: &str, moves: Option<Vec<String>>, arrived: Instant) -> Reply {
        let Some(course) = self.courses.find(id) else {
            self.log.tell(Some(id), "PLAY of a match that is not ours");
            return Self::busy();
        };
        let playclock = {
            let mut told = course.told();
            told.patience = arrived + told.playclock;
            told.playclock
        };
        let margin = self.margin(playclock);
        let due = arrived + playclock - margin;
        let ticket = Ticket::new(&course.id, "nil", arrived + playclock, &self.waker);
        // Half of the margin is for the search to end, half for the reply to arrive.
        let asked = Asked { ticket: Arc::clone(&ticket), until: due - margin / 2 };
        if !course.ask(moves, asked) {
            return self.refuse("the memory for messages is spent");
        }
        Reply::Later { ticket, due }
    }

    fn end(&self, id: &str, reply: &str) -> Reply {
        let Some(course) = self.courses.remove(id) else { return Self::busy() };
        course.end();
        let moves = course.told().moves_made;
        self.log.tell(Some(&course.id), format!("match is over after {moves} moves"));
        Reply::Now(reply.to_string())
    }

    fn refuse(&self, why: &str) -> Reply {
        self.refused(&format!("message refused: {why}"));
        Reply::Now(String::new())
    }
}

impl Desk for Table {
    fn receive(&self, request: Request, arrived: Instant) -> Reply {
        let (word, id) = glance(&request.message);
        match word.as_str() {
            "START" => {
                let id = id.map(str::to_string);
                return self.start(id.as_deref(), request.message, arrived);
            }
            "PREVIEW" => return Reply::Now(if self.courses.is_full() { "busy" } else { "ready" }.to_string()),
            _ if request.message.len() > LONGEST_WITHOUT_RULES => return self.refuse("it is too long"),
            _ => {}
        }
        match Message::read(&request.message) {
            Ok(Message::Info) => {
                let status = if self.courses.is_full() { "busy" } else { "available" };
                Reply::Now(format!("( ( name {} ) ( status {status} ) )", self.config.name))
            }
            Ok(Message::Play { id, moves }) => self.play(&id, moves, arrived),
            Ok(Message::Stop { id, .. }) => self.end(&id, "done"),
            Ok(Message::Abort { id }) => self.end(&id, "aborted"),
            Ok(Message::Start { .. } | Message::Preview) => self.refuse("it is not understood"),
            Err(error) => self.refuse(&error.to_string()),
        }
    }

    fn settle(&self, ticket: &Ticket, answer: Answer) -> String {
        let left = ticket.clock.saturating_duration_since(Instant::now()).as_secs_f64();
        let reply = answer.text.unwrap_or_else(|| ticket.otherwise.to_string());
        let what = match ticket.otherwise {
            "ready" => format!("answers {reply}"),
            _ => format!("plays {reply}"),
        };
        let note = if answer.note.is_empty() { String::new() } else { format!("; {}", answer.note) };
        self.log.tell(Some(&ticket.id), format!("{what}; {left:.2} s left{note}"));
        reply
    }

    fn refused(&self, why: &str) {
        let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        if refusals.0.elapsed() > Duration::from_secs(1) {
            let unsaid = refusals.1.saturating_sub(MOST_REFUSALS);
            *refusals = (Instant::now(), 0);
            if unsaid > 0 {
                self.log.tell(None, format!("and {unsaid} more refusals"));
            }
        }
        refusals.1 += 1;
        if refusals.1 <= MOST_REFUSALS {
            self.log.tell(None, why);
        }
    }
}
