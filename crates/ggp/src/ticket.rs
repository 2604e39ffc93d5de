//! An answer that is being worked out: whoever thinks improves it, whoever keeps the clock hands it out in time.

use mio::Waker;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The answer to one message.
#[derive(Debug)]
pub(crate) struct Ticket {
    /// The match.
    pub id: String,
    /// The reply where nobody offers one.
    pub otherwise: &'static str,
    /// When the clock of the message runs out.
    pub clock: Instant,
    answer: Mutex<Answer>,
    waker: Arc<Waker>,
}

/// The best answer so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    /// What to reply.
    pub text: Option<String>,
    /// What the log says of it.
    pub note: String,
    /// Whether no better one will come.
    pub is_final: bool,
}

impl Ticket {
    /// A ticket without an answer; the waker is called when it is final.
    pub(crate) fn new(id: &str, otherwise: &'static str, clock: Instant, waker: &Arc<Waker>) -> Arc<Self> {
        let (answer, waker) = (Mutex::new(Answer::default()), Arc::clone(waker));
        Arc::new(Self { id: id.to_string(), otherwise, clock, answer, waker })
    }

    fn lock(&self) -> MutexGuard<'_, Answer> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer as it stands.
    pub(crate) fn answer(&self) -> Answer {
        self.lock().clone()
    }

    /// Whether no better answer will come.
    pub(crate) fn is_final(&self) -> bool {
        self.lock().is_final
    }

    /// Offers a better answer.
    pub(crate) fn offer(&self, text: String, note: String) {
        let mut answer = self.lock();
        if !answer.is_final {
            answer.text = Some(text);
            answer.note = note;
        }
    }

    /// Offers an answer only if there is none.
    pub(crate) fn offer_first(&self, text: &str) {
        let mut answer = self.lock();
        if answer.text.is_none() {
            answer.text = Some(text.to_string());
        }
    }

    /// Says that no better answer will come.
    pub(crate) fn finish(&self) {
        let was_final = std::mem::replace(&mut self.lock().is_final, true);
        if !was_final {
            // A waker fails only if the server is gone, and then nobody waits.
            let _ = self.waker.wake();
        }
    }
}
