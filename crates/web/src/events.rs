//! Server-sent events, and knowing when nobody listens any more.

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

/// The end at which events are put in.
#[derive(Clone, Debug)]
pub struct Events {
    channel: mpsc::Sender<Event>,
    gone: Arc<AtomicBool>,
}

/// Sets a flag when it is dropped with the answer: the visitor has gone, and nobody waits any more.
pub struct Listener(pub Arc<AtomicBool>);

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A stream of events as an answer.
pub fn open() -> (Events, Response) {
    let (channel, receiver) = mpsc::channel(2);
    let gone = Arc::new(AtomicBool::new(false));
    let listener = Listener(gone.clone());
    let stream = ReceiverStream::new(receiver).map(move |event| {
        let _ = &listener;
        Ok::<Event, Infallible>(event)
    });
    let answer = Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)));
    (Events { channel, gone }, answer.into_response())
}

impl Events {
    /// Is set when the visitor goes away.
    pub fn gone(&self) -> &AtomicBool {
        &self.gone
    }

    /// The same for what rule sheets work out.
    pub fn cancel(&self) -> spinney_gdl::Cancel {
        self.gone.clone().into()
    }

    /// Sends an event unless the visitor is too slow for it: the next one says more.
    pub fn offer(&self, kind: &str, json: &str) {
        let _ = self.channel.try_send(event(kind, json));
    }

    /// Sends an event that must arrive, from a thread that may wait.
    pub fn finish(&self, kind: &str, json: &str) {
        let _ = self.channel.blocking_send(event(kind, json));
    }

    /// Sends an event; false if the visitor has gone.
    pub async fn send(&self, kind: &str, json: &str) -> bool {
        self.channel.send(event(kind, json)).await.is_ok()
    }

    /// Waits until the visitor goes.
    pub async fn closed(&self) {
        self.channel.closed().await;
    }
}

fn event(kind: &str, json: &str) -> Event {
    Event::default().event(kind).data(json)
}
