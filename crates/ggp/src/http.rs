//! The little of HTTP that game managers and players speak: one request, one reply, then both close.
//!
//! Managers in use send HTTP/1.0 without a host, headers in any case, sometimes no length, and messages as the path of a
//! GET; all of that is understood (Genesereth, Love and Pell, *General Game Playing*, AI Magazine 2005).

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// Messages longer than this are refused; the longest rule sheets known have 70 kB.
pub const LONGEST_BODY: usize = 1 << 20;
const LONGEST_HEAD: usize = 64 << 10;
/// Replies of players are moves.
const LONGEST_REPLY: usize = 64 << 10;
const MOST_HEADERS: usize = 64;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// GET, POST, OPTIONS.
    pub method: String,
    /// The message: the body, or the path of a GET.
    pub message: String,
}

/// Why there is no request.
#[derive(Debug)]
pub enum Fault {
    /// The other side went away or was too slow.
    Connection(io::Error),
    /// What came is not HTTP, or too long.
    Malformed(&'static str),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault::Connection(error)
    }
}

/// The head of a request.
#[derive(Debug)]
struct Head {
    /// Where the body begins.
    length: usize,
    method: String,
    path: String,
    body: Option<usize>,
}

/// A request as far as it has come. What has been looked at is not looked at again, so that a peer who sends byte by
/// byte costs no more than one who sends all at once.
#[derive(Debug, Default)]
pub struct Arrival {
    bytes: Vec<u8>,
    head: Option<Head>,
    /// Brackets of a body whose length nobody told, as far as they have been counted.
    counted: usize,
    open: usize,
    closed: usize,
}

impl Arrival {
    /// Whether nothing has come yet.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Bytes that it holds.
    pub fn held(&self) -> usize {
        self.bytes.capacity()
    }

    /// Bytes that it will hold when `more` are added.
    pub fn will_hold(&self, more: usize) -> usize {
        let needed = self.bytes.len() + more;
        if needed <= self.bytes.capacity() { self.bytes.capacity() } else { needed.next_power_of_two() }
    }

    /// Adds what has come; true if the request is complete.
    pub fn add(&mut self, bytes: &[u8]) -> Result<bool, Fault> {
        let more = self.will_hold(bytes.len()) - self.bytes.len();
        self.bytes.try_reserve_exact(more).map_err(|_| Fault::Malformed("there is no memory for it"))?;
        self.bytes.extend_from_slice(bytes);
        if self.head.is_none() {
            // Only the end of a line can complete a head.
            if bytes.contains(&b'\n') {
                self.read_head()?;
            }
            if self.head.is_none() {
                let is_long = self.bytes.len() > LONGEST_HEAD;
                let is_other = self.bytes.first().is_some_and(|first| !first.is_ascii_alphabetic() && *first != b'\r');
                return match () {
                    () if is_long => Err(Fault::Malformed("the head of the request is too long")),
                    () if is_other && self.bytes[0] != b'\n' => Err(Fault::Malformed("this is not HTTP")),
                    () => Ok(false),
                };
            }
        }
        self.is_complete()
    }

    fn read_head(&mut self) -> Result<(), Fault> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(&self.bytes) {
            Ok(httparse::Status::Complete(length)) => {
                let body = header(request.headers, "content-length").and_then(|value| value.trim().parse().ok());
                let word = |word: Option<&str>| word.unwrap_or_default().to_string();
                self.head = Some(Head { length, method: word(request.method), path: word(request.path), body });
                self.counted = length;
                Ok(())
            }
            Ok(httparse::Status::Partial) => Ok(()),
            Err(_) => Err(Fault::Malformed("this is not HTTP")),
        }
    }

    fn is_complete(&mut self) -> Result<bool, Fault> {
        let Some(head) = &self.head else { return Ok(false) };
        if head.method == "GET" || head.method == "OPTIONS" {
            return Ok(true);
        }
        if head.body.unwrap_or(0) > LONGEST_BODY || self.bytes.len() - head.length > LONGEST_BODY {
            return Err(Fault::Malformed("the message is too long"));
        }
        if let Some(body) = head.body {
            return Ok(self.bytes.len() - head.length >= body);
        }
        // Without a length the message ends with its brackets or with the connection.
        for byte in &self.bytes[self.counted..] {
            self.open += usize::from(*byte == b'(');
            self.closed += usize::from(*byte == b')');
        }
        self.counted = self.bytes.len();
        Ok(self.open > 0 && self.open == self.closed)
    }

    /// Whether it is of use although no more will come: its brackets say the rest.
    pub fn has_no_length(&self) -> bool {
        self.head.as_ref().is_some_and(|head| head.body.is_none())
    }

    /// The request, complete or as far as it came before the connection ended.
    pub fn into_request(mut self) -> Result<Request, Fault> {
        let Some(head) = self.head else { return Err(Fault::Malformed("the request breaks off")) };
        if head.method == "GET" || head.method == "OPTIONS" {
            return Ok(Request { method: head.method, message: decode(head.path.trim_start_matches('/')) });
        }
        self.bytes.truncate(head.length + head.body.unwrap_or(LONGEST_BODY));
        self.bytes.drain(..head.length);
        let message = String::from_utf8(self.bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Ok(Request { method: head.method, message })
    }
}

/// Reads a request from wherever its bytes come: `more` appends some, and says false at their end.
pub fn request_of(mut more: impl FnMut(&mut Vec<u8>) -> io::Result<bool>) -> Result<Request, Fault> {
    let mut arrival = Arrival::default();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match more(&mut bytes) {
            Ok(true) => {}
            Ok(false) => break,
            // Half a message is better than none: its brackets say whether it is of use.
            Err(error) if error.kind() == ErrorKind::TimedOut && arrival.has_no_length() => break,
            Err(error) => return Err(error.into()),
        }
        if arrival.add(&bytes)? {
            break;
        }
    }
    arrival.into_request()
}

fn header<'a>(headers: &'a [httparse::Header<'a>], name: &str) -> Option<&'a str> {
    let found = headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
    std::str::from_utf8(found.value).ok()
}

/// Reads what has come; false at the end of the stream.
fn read_more(stream: &mut TcpStream, bytes: &mut Vec<u8>, deadline: Instant) -> io::Result<bool> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(left))?;
    let mut buffer = [0; 8192];
    match stream.read(&mut buffer) {
        Ok(0) => Ok(false),
        Ok(count) => {
            bytes.extend_from_slice(&buffer[..count]);
            Ok(true)
        }
        Err(error) if error.kind() == ErrorKind::WouldBlock => Err(ErrorKind::TimedOut.into()),
        Err(error) if error.kind() == ErrorKind::Interrupted => Ok(true),
        Err(error) => Err(error),
    }
}

/// `%28PLAY+m1` as `(PLAY m1`.
fn decode(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        match (first, tail) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, after @ ..]) => match (hex(*high), hex(*low)) {
                (Some(high), Some(low)) => {
                    bytes.push(high << 4 | low);
                    rest = after;
                }
                _ => bytes.push(b'%'),
            },
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(digit: u8) -> Option<u8> {
    (digit as char).to_digit(16).map(|value| value as u8)
}

/// A reply as managers and browsers expect it.
pub fn written_reply(body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: {}\r\n\
         Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
         Access-Control-Allow-Headers: Content-Type\r\nAccess-Control-Allow-Age: 86400\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Sends a message to a player at `host:port` and waits for the reply until `deadline`.
pub fn ask(address: &str, message: &str, deadline: Instant) -> io::Result<String> {
    const CONNECTING: Duration = Duration::from_secs(5);
    let target = address.to_socket_addrs()?.next().ok_or(ErrorKind::AddrNotAvailable)?;
    let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
    let mut stream = TcpStream::connect_timeout(&target, left.min(CONNECTING))?;
    stream.set_write_timeout(Some(CONNECTING))?;
    let request = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {address}\r\nSender: GAMESERVER\r\nReceiver: player\r\n\
         Content-Type: text/acl\r\nContent-Length: {}\r\n\r\n{message}",
        message.len()
    );
    stream.write_all(request.as_bytes())?;
    reply_of(|bytes| read_more(&mut stream, bytes, deadline))
}

/// The message of a reply, from wherever its bytes come; see [`request_of`].
pub fn reply_of(mut more: impl FnMut(&mut Vec<u8>) -> io::Result<bool>) -> io::Result<String> {
    let mut bytes = Vec::new();
    loop {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut response = httparse::Response::new(&mut headers);
        if let Ok(httparse::Status::Complete(head)) = response.parse(&bytes) {
            let length: Option<usize> =
                header(response.headers, "content-length").and_then(|value| value.trim().parse().ok());
            if length.is_some_and(|length| bytes.len() - head >= length) {
                return Ok(String::from_utf8_lossy(&bytes[head..]).trim().to_string());
            }
        }
        if bytes.len() > LONGEST_REPLY {
            return Err(ErrorKind::InvalidData.into());
        }
        if !more(&mut bytes)? {
            let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
            let mut response = httparse::Response::new(&mut headers);
            return match response.parse(&bytes) {
                Ok(httparse::Status::Complete(head)) => Ok(String::from_utf8_lossy(&bytes[head..]).trim().to_string()),
                _ => Err(ErrorKind::InvalidData.into()),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;
    use std::net::TcpListener;

    fn received(bytes: &'static [u8], then_close: bool) -> Result<Request, Fault> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let sender = std::thread::spawn(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            for part in bytes.chunks(7) {
                stream.write_all(part).unwrap();
                stream.flush().unwrap();
            }
            if !then_close {
                std::thread::sleep(Duration::from_millis(400));
            }
        });
        let (mut stream, _) = listener.accept().unwrap();
        let deadline = Instant::now() + Duration::from_millis(300);
        let request = request_of(|bytes| read_more(&mut stream, bytes, deadline));
        sender.join().unwrap();
        request
    }

    #[test]
    fn requests_as_they_come() {
        let message = |bytes, close| received(bytes, close).unwrap().message;
        let ggp =
            b"POST / HTTP/1.0\r\nSender: GAMESERVER\r\nContent-Length: 32\r\n\r\n( PLAY m1 (( mark 2 1 ) noop ) )";
        assert_eq!(message(ggp, false), "( PLAY m1 (( mark 2 1 ) noop ) )");
        let shouting = b"POST / HTTP/1.0\r\nCONTENT-LENGTH: 8\r\n\r\n( INFO )";
        assert_eq!(message(shouting, false), "( INFO )");
        assert_eq!(message(b"POST / HTTP/1.0\r\n\r\n( INFO )", false), "( INFO )");
        assert_eq!(message(b"POST / HTTP/1.0\r\n\r\nping", true), "ping");
        assert_eq!(message(b"GET /%28%20INFO+%29 HTTP/1.0\r\n\r\n", false), "( INFO )");
        assert_eq!(received(b"OPTIONS / HTTP/1.1\r\n\r\n", false).unwrap().method, "OPTIONS");
    }

    #[test]
    fn what_is_no_request_is_refused_in_time() {
        assert!(matches!(received(b"\x16\x03\x01 garbage", true), Err(Fault::Malformed(_))));
        assert!(matches!(received(b"POST / HTTP/1.0\r\nContent-Le", true), Err(Fault::Malformed(_))));
        assert!(matches!(
            received(b"POST / HTTP/1.0\r\nContent-Length: 999999999\r\n\r\n", true),
            Err(Fault::Malformed(_))
        ));
        let slow = received(b"POST / HTTP/1.0\r\nContent-Length: 50\r\n\r\n( PLAY", false);
        assert!(matches!(slow, Err(Fault::Connection(_))), "{slow:?}");
    }

    #[test]
    fn percent_signs_that_stand_for_themselves() {
        assert_eq!(decode("50%+%zz%4"), "50% %zz%4");
    }
}
