//! Where connections come in. One that is idle or slow costs its place only; where places run out, the one that has been
//! quiet for longest gives way, so that a request which comes at once is always read.

use axum::serve::Listener;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// Connections at the same time; processes are commonly allowed 1,024 files.
const MOST_CONNECTIONS: usize = 900;

/// A listener with a limited number of connections.
pub struct Door {
    listener: TcpListener,
    guests: Vec<Arc<Guest>>,
    most: usize,
    clock: Arc<AtomicU64>,
}

/// What the door knows of a connection.
#[derive(Debug, Default)]
struct Guest {
    /// When something was last heard or said, by a clock that counts such events.
    heard: AtomicU64,
    must_go: AtomicBool,
    has_gone: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Guest {
    fn show_out(&self) {
        self.must_go.store(true, Ordering::Relaxed);
        let waker = self.waker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Door {
    /// For the connections of this listener.
    pub fn new(listener: TcpListener) -> Self {
        Self { listener, guests: Vec::new(), most: MOST_CONNECTIONS, clock: Arc::default() }
    }

    /// Makes place for one more, and enters it.
    fn enter(&mut self) -> Arc<Guest> {
        self.guests.retain(|guest| !guest.has_gone.load(Ordering::Relaxed));
        let staying = |guest: &&Arc<Guest>| !guest.must_go.load(Ordering::Relaxed);
        if self.guests.iter().filter(staying).count() >= self.most {
            let quietest = self.guests.iter().filter(staying).min_by_key(|guest| guest.heard.load(Ordering::Relaxed));
            quietest.inspect(|guest| guest.show_out());
        }
        let guest = Arc::new(Guest::default());
        guest.heard.store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        self.guests.push(guest.clone());
        guest
    }
}

impl Listener for Door {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let guest = self.enter();
        (Connection { stream, guest, clock: self.clock.clone() }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that ends when the door says so.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    guest: Arc<Guest>,
    clock: Arc<AtomicU64>,
}

impl Connection {
    fn note(&self) {
        self.guest.heard.store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.guest.has_gone.store(true, Ordering::Relaxed);
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        {
            let mut waker = self.guest.waker.lock().unwrap_or_else(PoisonError::into_inner);
            if !waker.as_ref().is_some_and(|known| known.will_wake(context.waker())) {
                *waker = Some(context.waker().clone());
            }
        }
        // Asked after the waker stands there, so that nothing is missed.
        if self.guest.must_go.load(Ordering::Relaxed) {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if read.is_ready() {
            self.note();
        }
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if written.is_ready() {
            self.note();
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
