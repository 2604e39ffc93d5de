//! The little of HTTP that game managers and players speak: one request, one reply, then both close.
//!
//! Managers in use send HTTP/1.0 without a host, headers in any case, sometimes no length, and messages as the path of a
//! GET; all of that is understood (Genesereth, Love and Pell, *General Game Playing*, AI Magazine 2005).

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// Requests longer than this are refused; the longest rule sheets known have 70 kB.
pub const LONGEST_BODY: usize = 4 << 20;
const LONGEST_HEAD: usize = 64 << 10;
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

/// Reads a request until `deadline`.
pub fn read_request(stream: &mut TcpStream, deadline: Instant) -> Result<Request, Fault> {
    request_of(|bytes| read_more(stream, bytes, deadline))
}

/// Reads a request from wherever its bytes come: `more` appends some, and says false at their end.
pub fn request_of(mut more: impl FnMut(&mut Vec<u8>) -> io::Result<bool>) -> Result<Request, Fault> {
    let mut bytes = Vec::new();
    let (head, method, path, length) = loop {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(&bytes) {
            Ok(httparse::Status::Complete(head)) => {
                let length = header(request.headers, "content-length").and_then(|value| value.trim().parse().ok());
                let word = |word: Option<&str>| word.unwrap_or_default().to_string();
                break (head, word(request.method), word(request.path), length);
            }
            Ok(httparse::Status::Partial) if bytes.len() > LONGEST_HEAD => {
                return Err(Fault::Malformed("the head of the request is too long"));
            }
            Ok(httparse::Status::Partial) => {}
            Err(_) => return Err(Fault::Malformed("this is not HTTP")),
        }
        if !more(&mut bytes)? {
            return Err(Fault::Malformed("the request breaks off"));
        }
    };
    if method == "GET" || method == "OPTIONS" {
        return Ok(Request { method, message: decode(path.trim_start_matches('/')) });
    }
    if length.is_some_and(|length: usize| length > LONGEST_BODY) {
        return Err(Fault::Malformed("the message is too long"));
    }
    // Without a length the message ends with its brackets or with the connection.
    let complete = |body: &[u8]| match length {
        Some(length) => body.len() >= length,
        None => is_balanced(body),
    };
    while !complete(&bytes[head..]) {
        if bytes.len() - head > LONGEST_BODY {
            return Err(Fault::Malformed("the message is too long"));
        }
        match more(&mut bytes) {
            Ok(true) => {}
            Ok(false) => break,
            // Half a message is better than none: its brackets say whether it is of use.
            Err(error) if length.is_none() && error.kind() == ErrorKind::TimedOut => break,
            Err(error) => return Err(error.into()),
        }
    }
    let end = length.map_or(bytes.len(), |length| (head + length).min(bytes.len()));
    Ok(Request { method, message: String::from_utf8_lossy(&bytes[head..end]).into_owned() })
}

fn header<'a>(headers: &'a [httparse::Header<'a>], name: &str) -> Option<&'a str> {
    let found = headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
    std::str::from_utf8(found.value).ok()
}

fn is_balanced(body: &[u8]) -> bool {
    let depth = |byte: u8| body.iter().filter(|&&other| other == byte).count();
    depth(b'(') > 0 && depth(b'(') == depth(b')')
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

/// Replies and closes.
pub fn write_reply(stream: &mut TcpStream, body: &str) -> io::Result<()> {
    let reply = format!(
        "HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: {}\r\n\
         Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
         Access-Control-Allow-Headers: Content-Type\r\nAccess-Control-Allow-Age: 86400\r\n\r\n{body}",
        body.len()
    );
    stream.set_write_timeout(Some(Duration::from_secs(5)))?;
    stream.write_all(reply.as_bytes())?;
    stream.flush()?;
    stream.shutdown(std::net::Shutdown::Write)
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
        if bytes.len() > LONGEST_BODY {
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
        let request = read_request(&mut stream, Instant::now() + Duration::from_millis(300));
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
