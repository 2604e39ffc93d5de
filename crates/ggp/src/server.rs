//! The doors of a player: one thread reads what comes over all connections and hands out answers when they are due.
//!
//! Nobody waits for anybody: a connection that is idle or slow costs its place and the bytes it has sent. Where places
//! run out, whoever has waited longest with the least gives way, so that a message which comes at once is always read.

use crate::http::{self, Arrival, Fault, Request};
use crate::memory::{Memory, Share};
use crate::ticket::{Answer, Ticket};
use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token};
use std::collections::HashMap;
use std::io::{self, ErrorKind, Read, Write};
use std::net::Shutdown;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Connections at the same time; processes are commonly allowed 1,024 files.
const MOST_CONNECTIONS: usize = 960;
/// How long a request may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(10);
/// How long a peer may take to accept a reply, and then to close.
const DELIVERY: Duration = Duration::from_secs(5);
/// How often connections are looked through for those whose time is up.
const SWEEP: Duration = Duration::from_millis(250);
/// Connections that are accepted before others are looked at again.
const BATCH: usize = 64;

pub(crate) const LISTENER: Token = Token(0);
pub(crate) const WAKER: Token = Token(1);

/// What becomes of a request.
pub(crate) enum Reply {
    /// It is answered at once.
    Now(String),
    /// It is answered when the ticket is final, at the latest at `due`.
    Later { ticket: Arc<Ticket>, due: Instant },
}

/// Who makes sense of requests.
pub(crate) trait Desk {
    /// Takes a request; must not wait for anything.
    fn receive(&self, request: Request, arrived: Instant) -> Reply;

    /// What is replied to a ticket that has become due, as far as its answer came.
    fn settle(&self, ticket: &Ticket, answer: Answer) -> String;

    /// Hears of what went wrong.
    fn refused(&self, why: &str);
}

/// A connection on its way.
enum Stage {
    Reading {
        arrival: Arrival,
        share: Share,
    },
    Waiting {
        ticket: Arc<Ticket>,
        due: Instant,
    },
    Writing {
        reply: Vec<u8>,
        written: usize,
    },
    /// Everything is said; what still comes is thrown away, so that the reply is not lost with it.
    Closing,
}

struct Connection {
    stream: TcpStream,
    stage: Stage,
    arrived: Instant,
    /// When it is closed at the latest.
    until: Instant,
}

/// The server of a player.
pub(crate) struct Server<D> {
    poll: Poll,
    listener: TcpListener,
    desk: Arc<D>,
    memory: Arc<Memory>,
    connections: HashMap<Token, Connection>,
    next: usize,
}

impl<D: Desk> Server<D> {
    pub(crate) fn new(poll: Poll, mut listener: TcpListener, desk: Arc<D>, memory: Arc<Memory>) -> io::Result<Self> {
        poll.registry().register(&mut listener, LISTENER, Interest::READABLE)?;
        Ok(Self { poll, listener, desk, memory, connections: HashMap::new(), next: WAKER.0 + 1 })
    }

    /// Serves for ever.
    pub(crate) fn serve(&mut self) -> ! {
        let mut events = Events::with_capacity(256);
        let mut may_accept = true;
        let mut swept = Instant::now();
        loop {
            let now = Instant::now();
            let wait = match (may_accept, self.next_due()) {
                (true, _) => Duration::ZERO,
                (false, Some(due)) => due.saturating_duration_since(now).min(SWEEP),
                (false, None) => SWEEP,
            };
            // Rounded up: a millisecond early would be a turn in vain.
            if self.poll.poll(&mut events, Some(wait + Duration::from_micros(500))).is_err() {
                events.clear();
            }
            for event in &events {
                match event.token() {
                    LISTENER => may_accept = true,
                    WAKER => {}
                    token => self.advance(token),
                }
            }
            self.hand_out();
            if may_accept {
                may_accept = self.accept();
            }
            if swept.elapsed() >= SWEEP {
                self.sweep();
                swept = Instant::now();
            }
        }
    }

    /// When the next answer is due.
    fn next_due(&self) -> Option<Instant> {
        let due = |connection: &Connection| match connection.stage {
            Stage::Waiting { due, .. } => Some(due),
            _ => None,
        };
        self.connections.values().filter_map(due).min()
    }

    /// Accepts some connections; true if there may be more.
    fn accept(&mut self) -> bool {
        for _ in 0..BATCH {
            match self.listener.accept() {
                Ok((stream, _)) => self.welcome(stream),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return false,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // Too many open files, or a peer that has gone: somebody gives way.
                Err(error) => {
                    if !self.make_room() {
                        self.desk.refused(&format!("a connection is lost: {error}"));
                        return false;
                    }
                }
            }
        }
        true
    }

    fn welcome(&mut self, mut stream: TcpStream) {
        if self.connections.len() >= MOST_CONNECTIONS && !self.make_room() {
            return;
        }
        let (token, arrived) = (Token(self.next), Instant::now());
        self.next += 1;
        let Some(share) = self.memory.share(0) else { return };
        if self.poll.registry().register(&mut stream, token, Interest::READABLE | Interest::WRITABLE).is_err() {
            return;
        }
        let stage = Stage::Reading { arrival: Arrival::default(), share };
        self.connections.insert(token, Connection { stream, stage, arrived, until: arrived + ARRIVAL });
        self.advance(token);
    }

    /// Closes one connection that can be spared: one that is closing, that has said nothing, or that is slow; of those
    /// the oldest. Whoever waits for an answer stays.
    fn make_room(&mut self) -> bool {
        let claim = |(token, connection): (&Token, &Connection)| {
            let rank = match &connection.stage {
                Stage::Closing => 0,
                Stage::Reading { arrival, .. } if arrival.is_empty() => 1,
                Stage::Reading { .. } => 2,
                Stage::Writing { .. } => 3,
                Stage::Waiting { .. } => return None,
            };
            Some((rank, token.0))
        };
        let Some((_, spared)) = self.connections.iter().filter_map(claim).min() else { return false };
        self.connections.remove(&Token(spared)).is_some()
    }

    /// Closes connections whose time is up.
    fn sweep(&mut self) {
        let now = Instant::now();
        let over: Vec<Token> =
            self.connections.iter().filter(|(_, each)| each.until <= now).map(|(&at, _)| at).collect();
        for token in over {
            let Some(connection) = self.connections.get_mut(&token) else { continue };
            // Half a message is better than none: its brackets say whether it is of use.
            if matches!(&connection.stage, Stage::Reading { arrival, .. } if arrival.has_no_length()) {
                self.receive(token);
            } else {
                self.connections.remove(&token);
            }
        }
    }

    /// Hands out the answers that are final or due.
    fn hand_out(&mut self) {
        let now = Instant::now();
        let is_due = |connection: &Connection| match &connection.stage {
            Stage::Waiting { ticket, due } => *due <= now || ticket.is_final(),
            _ => false,
        };
        let due: Vec<Token> = self.connections.iter().filter(|(_, each)| is_due(each)).map(|(&at, _)| at).collect();
        for token in due {
            let Some(connection) = self.connections.get(&token) else { continue };
            if let Stage::Waiting { ticket, .. } = &connection.stage {
                let reply = self.desk.settle(ticket, ticket.answer());
                self.reply(token, &reply);
            }
        }
    }

    /// Goes on with a connection as far as it goes without waiting.
    fn advance(&mut self, token: Token) {
        let Some(connection) = self.connections.get_mut(&token) else { return };
        match &mut connection.stage {
            Stage::Reading { .. } => self.read(token),
            Stage::Writing { .. } => self.write(token),
            // A peer that has closed for writing may still want its answer.
            Stage::Waiting { .. } => {}
            Stage::Closing => {
                let mut buffer = [0; 4096];
                // Nobody may keep us here by sending for ever.
                for _ in 0..64 {
                    match connection.stream.read(&mut buffer) {
                        Ok(0) => break,
                        Ok(_) => {}
                        Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                        Err(_) => break,
                    }
                }
                self.connections.remove(&token);
            }
        }
    }

    fn read(&mut self, token: Token) {
        let mut buffer = [0; 16384];
        loop {
            let Some(connection) = self.connections.get_mut(&token) else { return };
            let Stage::Reading { arrival, share } = &mut connection.stage else { return };
            let count = match connection.stream.read(&mut buffer) {
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.connections.remove(&token);
                    return self.desk.refused(&format!("connection lost: {error}"));
                }
            };
            if count == 0 {
                if arrival.is_empty() {
                    self.connections.remove(&token);
                } else {
                    self.receive(token);
                }
                return;
            }
            let has_room = share.grow(arrival.will_hold(count));
            let added = if has_room { arrival.add(&buffer[..count]) } else { Err(Fault::Malformed(NO_ROOM)) };
            match added {
                Ok(false) => {}
                Ok(true) => return self.receive(token),
                Err(fault) => return self.refuse(token, &fault),
            }
        }
    }

    /// Takes the request of a connection, complete or not.
    fn receive(&mut self, token: Token) {
        let Some(connection) = self.connections.get_mut(&token) else { return };
        let arrived = connection.arrived;
        let Stage::Reading { arrival, share } = std::mem::replace(&mut connection.stage, Stage::Closing) else {
            return;
        };
        let reply = match arrival.into_request() {
            Ok(request) if request.method == "OPTIONS" => Reply::Now(String::new()),
            Ok(request) => self.desk.receive(request, arrived),
            Err(fault) => return self.refuse(token, &fault),
        };
        drop(share);
        match reply {
            Reply::Now(text) => self.reply(token, &text),
            Reply::Later { ticket, due } => {
                if let Some(connection) = self.connections.get_mut(&token) {
                    connection.until = due + ARRIVAL;
                    connection.stage = Stage::Waiting { ticket, due };
                }
            }
        }
    }

    fn refuse(&mut self, token: Token, fault: &Fault) {
        match fault {
            Fault::Malformed(why) => self.desk.refused(&format!("request refused: {why}")),
            Fault::Connection(error) => self.desk.refused(&format!("connection lost: {error}")),
        }
        self.reply(token, "");
    }

    fn reply(&mut self, token: Token, text: &str) {
        let Some(connection) = self.connections.get_mut(&token) else { return };
        connection.stage = Stage::Writing { reply: http::written_reply(text), written: 0 };
        connection.until = Instant::now() + DELIVERY;
        self.write(token);
    }

    fn write(&mut self, token: Token) {
        let Some(connection) = self.connections.get_mut(&token) else { return };
        let Stage::Writing { reply, written } = &mut connection.stage else { return };
        while *written < reply.len() {
            match connection.stream.write(&reply[*written..]) {
                Ok(count) if count > 0 => *written += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                _ => {
                    self.connections.remove(&token);
                    return self.desk.refused("a reply could not be delivered");
                }
            }
        }
        let is_closed = connection.stream.shutdown(Shutdown::Write).is_err();
        connection.stage = Stage::Closing;
        if is_closed {
            self.connections.remove(&token);
        } else {
            self.advance(token);
        }
    }
}

/// Told when the budget of bytes is spent.
const NO_ROOM: &str = "the memory for messages is spent";
