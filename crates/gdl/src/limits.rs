//! What building a machine may cost, how it is called off, and why there is none.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use spinney_core::InputError;

use crate::machine::Method;

/// Calls off what is under way: clones are one flag, which is looked at many times in a tenth of a second.
///
/// ```
/// let cancel = spinney_gdl::Cancel::default();
/// let elsewhere = cancel.clone();
/// elsewhere.cancel();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Ends whatever looks at the flag.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is to end.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl From<Arc<AtomicBool>> for Cancel {
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }
}

/// What building a machine may cost. Where a circuit would cost more, the game is played by proofs on demand instead.
///
/// Without a limit of time the outcome depends on the sheet alone, so that experiments can be repeated.
#[derive(Clone, Debug)]
pub struct Limits {
    /// From the call on.
    pub time: Option<Duration>,
    /// Bytes held at once while building.
    pub bytes: usize,
    /// Bytes held by each cursor that proves, and by the facts and moves that all of them have met; a quarter of `bytes`
    /// when left out.
    pub cursor_bytes: Option<usize>,
    /// Instances of rules in a circuit.
    pub instances: usize,
    /// Candidates that joins may look at, and comparable steps of what follows.
    pub work: u64,
    /// Calls the building off.
    pub cancel: Cancel,
    /// How states are to be worked out; `None`: by a circuit if it is within the limits, by proofs otherwise.
    pub method: Option<Method>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: None,
            bytes: 800 << 20,
            cursor_bytes: None,
            instances: 8_000_000,
            work: 400_000_000,
            cancel: Cancel::default(),
            method: None,
        }
    }
}

impl Limits {
    /// The default limits, but states are worked out in this way or not at all.
    pub fn only(method: Method) -> Self {
        Self { method: Some(method), ..Self::default() }
    }

    /// No limits at all.
    pub(crate) fn endless() -> Self {
        Self { bytes: usize::MAX, instances: usize::MAX, work: u64::MAX, ..Self::default() }
    }

    /// Bytes of each cursor.
    pub(crate) fn cursor_bytes(&self) -> usize {
        // A machine that searches has several cursors.
        const PARTS: usize = 4;
        self.cursor_bytes.unwrap_or(self.bytes / PARTS).min(self.bytes)
    }

    /// The same with a limit of time.
    pub fn within(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }

    /// The same, called off by this flag.
    pub fn cancelled_by(self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self }
    }
}

/// Why there is no machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// [`Limits::cancel`] was set.
    Cancelled,
    /// It would take more time, memory or work than the limits allow.
    TooLarge(InputError),
    /// The sheet describes no game.
    Refused(InputError),
}

impl BuildError {
    /// What to tell the author of the sheet.
    pub fn input_error(&self) -> InputError {
        match self {
            Self::Cancelled => InputError::new("rule sheet", "building was called off", "start again"),
            Self::TooLarge(error) | Self::Refused(error) => error.clone(),
        }
    }
}

impl std::fmt::Display for BuildError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.input_error().fmt(formatter)
    }
}

impl std::error::Error for BuildError {}

impl From<InputError> for BuildError {
    fn from(error: InputError) -> Self {
        Self::Refused(error)
    }
}

impl From<BuildError> for InputError {
    fn from(error: BuildError) -> Self {
        error.input_error()
    }
}

/// Which limit was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Cancelled,
    Time,
    Bytes,
    Work,
}

impl From<Stop> for BuildError {
    fn from(stop: Stop) -> Self {
        let (problem, remedy) = match stop {
            Stop::Cancelled => return Self::Cancelled,
            Stop::Time => ("working the rules out takes too long", "simplify the rules, or allow more time"),
            Stop::Bytes => ("working the rules out takes too much memory", "simplify the rules, or allow more memory"),
            Stop::Work => ("working the rules out takes too many steps", "simplify the rules, or allow more work"),
        };
        Self::TooLarge(InputError::new("rule sheet", problem, remedy))
    }
}

/// So many steps pass between two looks at the flag and the clock: well below a millisecond.
const LOOK: u64 = 1 << 12;

/// What is left of the limits.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    work: u64,
    /// Steps until the next look, which are taken from `work` already.
    steps: u64,
    most_bytes: usize,
    bytes: usize,
    deadline: Option<Instant>,
    cancel: Cancel,
    stop: Option<Stop>,
}

impl Budget {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            work: limits.work,
            steps: 0,
            most_bytes: limits.bytes,
            bytes: 0,
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
            cancel: limits.cancel.clone(),
            stop: None,
        }
    }

    /// For work that has no limit but time and bytes.
    pub(crate) fn until(deadline: Option<Instant>, cancel: &Cancel, bytes: usize) -> Self {
        let limits = Limits { bytes, ..Limits::endless() };
        Self { deadline, ..Self::new(&limits.cancelled_by(cancel)) }
    }

    /// Takes steps; false if a limit is reached.
    #[inline(always)]
    pub(crate) fn spend(&mut self, steps: u64) -> bool {
        if steps < self.steps {
            self.steps -= steps;
            return true;
        }
        self.look(steps)
    }

    #[cold]
    fn look(&mut self, steps: u64) -> bool {
        if self.stop.is_some() {
            return false;
        }
        let short = steps - self.steps;
        if self.cancel.is_cancelled() {
            self.stop = Some(Stop::Cancelled);
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.stop = Some(Stop::Time);
        } else if self.work <= short {
            self.stop = Some(Stop::Work);
            self.work = 0;
        }
        self.steps = 0;
        if self.stop.is_none() {
            self.steps = LOOK.min(self.work - short);
            self.work -= short + self.steps;
        }
        self.stop.is_none()
    }

    /// Says how many bytes are held from now on; false if a limit is reached.
    pub(crate) fn keep(&mut self, bytes: usize) -> bool {
        self.bytes = bytes;
        self.hold(0)
    }

    /// Says how many bytes more are held; false if a limit is reached.
    #[inline]
    pub(crate) fn grow(&mut self, bytes: usize) -> bool {
        self.bytes = self.bytes.saturating_add(bytes);
        self.hold(0)
    }

    /// Says how many bytes are held for now beside those that were announced; false if a limit is reached.
    #[inline]
    pub(crate) fn hold(&mut self, bytes: usize) -> bool {
        if self.bytes.saturating_add(bytes) > self.most_bytes {
            self.stop = self.stop.or(Some(Stop::Bytes));
            self.steps = 0;
        }
        self.stop.is_none()
    }

    /// Ends it as if all work were done.
    pub(crate) fn exhaust(&mut self) {
        self.stop = self.stop.or(Some(Stop::Work));
        self.steps = 0;
    }

    pub(crate) fn work_left(&self) -> u64 {
        self.work + self.steps
    }

    /// A part of the work that is left, and of all bytes, for an attempt that may fail.
    pub(crate) fn share(&self, part: u64) -> Self {
        Self { work: self.work_left() / part, ..self.part(part.min(4) as usize) }
    }

    /// All the work that is left, but no more than so many bytes.
    pub(crate) fn within(&self, bytes: usize) -> Self {
        Self { most_bytes: self.most_bytes.min(bytes), ..self.part(1) }
    }

    /// All the work that is left, but a part of the bytes.
    fn part(&self, part: usize) -> Self {
        Self { work: self.work_left(), steps: 0, most_bytes: self.most_bytes / part, ..self.clone() }
    }

    /// Ends it if what a share met concerns the whole: time is over, or it was called off.
    pub(crate) fn follow(&mut self, share: &Self) {
        if matches!(share.stop, Some(Stop::Cancelled | Stop::Time)) {
            self.stop = share.stop;
            self.steps = 0;
        }
    }

    /// Which limit was reached.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.stop
    }

    /// The limit that was reached, as an error.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        self.stop.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_counted_to_the_step() {
        let mut budget = Budget::new(&Limits { work: 10_000, ..Limits::default() });
        let steps = (0..20_000).take_while(|_| budget.spend(1)).count();
        assert_eq!((steps, budget.stopped()), (9_999, Some(Stop::Work)));
        assert!(!budget.spend(1), "what is spent stays spent");
        let mut budget = Budget::new(&Limits { work: 10_000, ..Limits::default() });
        assert!(budget.spend(9_000) && budget.spend(500) && !budget.spend(500));
    }

    #[test]
    fn bytes_are_held_and_given_back() {
        let mut budget = Budget::new(&Limits { bytes: 100, ..Limits::default() });
        assert!(budget.grow(60) && budget.hold(40) && budget.spend(1));
        assert!(budget.keep(30));
        assert!(!budget.hold(71) && !budget.spend(1));
        assert_eq!(budget.check(), Err(Stop::Bytes));
    }

    #[test]
    fn time_and_flag_end_it() {
        let mut late = Budget::new(&Limits::default().within(Duration::ZERO));
        assert!(!late.spend(1));
        assert_eq!(late.stopped(), Some(Stop::Time));
        let cancel = Cancel::default();
        let mut budget = Budget::new(&Limits::default().cancelled_by(&cancel));
        assert!(budget.spend(1));
        cancel.cancel();
        let more = (0..100_000).take_while(|_| budget.spend(1)).count() as u64;
        assert!(more <= LOOK && budget.stopped() == Some(Stop::Cancelled));
    }
}
