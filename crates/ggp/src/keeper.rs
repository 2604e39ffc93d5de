//! The thread that keeps a match: it follows the history on a machine of its own and always has a legal move to offer.
//! It never searches, so nothing that takes long stands between a question and the first answer.

use crate::allocator::GivesBack;
use crate::course::{Course, Courses, Legal};
use crate::memory::Share;
use crate::message::Message;
use crate::player::{Config, Log};
use crate::reasoner;
use crate::searcher::Searcher;
use crate::spelling::Spelling;
use crate::ticket::Ticket;
use spinney_core::InputError;
use spinney_gdl::{BuildError, Cursor, Machine, Method, Rules};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a match waits for the threads of those before it.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often it is told that building goes on.
const PROGRESS: Duration = Duration::from_secs(5);

/// Places for matches. One is free only when every thread of the match before has ended and its memory is back.
pub(crate) struct Places {
    most: usize,
    taken: Mutex<usize>,
    freed: Condvar,
}

/// A place; threads of a match hold it together.
pub(crate) struct Place(Arc<Places>);

impl Places {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, taken: Mutex::new(0), freed: Condvar::new() })
    }

    fn take(self: &Arc<Self>, course: &Course) -> Option<Place> {
        let until = Instant::now() + PATIENCE;
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while *taken >= self.most && !course.is_stopped() && Instant::now() < until {
            let pause = Duration::from_millis(20);
            taken = self.freed.wait_timeout(taken, pause).unwrap_or_else(PoisonError::into_inner).0;
        }
        (*taken < self.most && !course.is_stopped()).then(|| {
            *taken += 1;
            Place(Arc::clone(self))
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *self.0.taken.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.freed.notify_all();
    }
}

/// Who keeps a match.
pub(crate) struct Keeper {
    pub course: Arc<Course>,
    pub config: Arc<Config>,
    pub log: Log,
    /// The answer to START.
    pub ticket: Arc<Ticket>,
    pub places: Arc<Places>,
    pub courses: Arc<Courses>,
}

/// The position as far as the keeper has followed.
struct Position {
    machine: Machine,
    cursor: Cursor,
    role: usize,
    /// Which of the machines it is.
    number: usize,
    /// Steps of the history that it has looked at.
    followed: usize,
}

impl Keeper {
    fn tell(&self, what: impl AsRef<str>) {
        self.log.tell(Some(&self.course.id), what);
    }

    /// Plays the match of a START message to its end.
    pub(crate) fn run(self, text: String, share: Share) {
        let _last = GivesBack;
        let read = self.read(text);
        self.courses.has_read();
        let outcome = read.and_then(|(role, rules, spelling)| self.play(&role, rules, spelling));
        if let Err(error) = outcome
            && !self.course.is_stopped()
        {
            self.tell(format!("match is refused: {error}"));
            self.ticket.offer("busy".to_string(), String::new());
        }
        self.course.end();
        self.ticket.finish();
        drop(share);
    }

    /// Role, rules and spelling of a START message; only what is a game may keep others waiting.
    fn read(&self, text: String) -> Result<(String, Box<Rules>, Spelling), InputError> {
        let Message::Start { id, role, rules, spelling, .. } = Message::read(&text)? else {
            return Err(InputError::new("START", "it is not understood", "send id, role, rules and clocks"));
        };
        if !id.eq_ignore_ascii_case(&self.course.id) {
            return Err(InputError::new("START", "the match has no name", "send it first"));
        }
        match rules.check().first_grave() {
            Some(issue) => Err(InputError::new("rules", &issue.problem, &issue.remedy)),
            None => Ok((role, rules, spelling)),
        }
    }

    fn play(&self, role: &str, rules: Box<Rules>, spelling: Spelling) -> Result<(), InputError> {
        let place = self.courses.admit(&self.course).then(|| self.places.take(&self.course)).flatten();
        let Some(place) = place.map(Arc::new) else {
            return Err(InputError::new("START", "other matches have not ended", "try again"));
        };
        let place = &place;
        self.tell(format!("match begins, playing {role}"));
        let rules: Arc<Rules> = Arc::from(rules);
        self.spawn("build", place, {
            let (rules, course, log) = (Arc::clone(&rules), Arc::clone(&self.course), self.log.clone());
            let bytes = self.config.match_bytes() / 2;
            move || build(&rules, bytes, &course, &log)
        })?;
        // The keeper and the search have working memory of their own.
        let quick = reasoner::quick(&rules, self.config.match_bytes() / 16, &self.course.stop);
        drop(rules);
        match quick {
            Ok(machine) => bring(&self.course, &self.log, machine),
            Err(BuildError::Refused(error)) => return Err(error),
            // The other one may still come; if it has failed, too, the match cannot be played.
            Err(error) => {
                self.tell(format!("no machine at once: {error}"));
                self.wait_for_machine(&error.input_error())?;
            }
        }
        self.follow(role, spelling, place)
    }

    fn spawn(&self, name: &str, place: &Arc<Place>, work: impl FnOnce() + Send + 'static) -> Result<(), InputError> {
        let place = Arc::clone(place);
        let work = move || {
            let _last = GivesBack;
            work();
            drop(place);
        };
        let spawned = thread::Builder::new().name(name.to_string()).spawn(work);
        spawned.map(drop).map_err(|error| InputError::new("match", format!("no thread: {error}"), "try again"))
    }

    /// Waits until there is a machine.
    fn wait_for_machine(&self, error: &InputError) -> Result<(), InputError> {
        loop {
            let seen = self.course.version();
            let (has_machine, is_built) = {
                let told = self.course.told();
                (told.machine.is_some(), told.is_built)
            };
            if has_machine {
                return Ok(());
            }
            if is_built || !self.course.wait(seen, None) {
                return Err(error.clone());
            }
        }
    }

    /// Follows the match until it ends, and sees to it that every question has an answer.
    fn follow(&self, role: &str, spelling: Spelling, place: &Arc<Place>) -> Result<(), InputError> {
        let spelling = Arc::new(spelling);
        let mut position = self.position(role)?;
        self.spawn("search", place, {
            let searcher = Searcher {
                course: Arc::clone(&self.course),
                config: Arc::clone(&self.config),
                log: self.log.clone(),
                role: position.role,
                spelling: Arc::clone(&spelling),
            };
            move || searcher.run()
        })?;
        self.ticket.offer_first("ready");
        let (mut seen, mut next_word) = (0, PROGRESS);
        loop {
            let is_building = !self.course.told().is_built;
            if !self.course.wait(seen, is_building.then(|| Instant::now() + PROGRESS)) {
                return Ok(());
            }
            if is_building && self.course.age() >= next_word {
                self.tell(format!("still building after {:.0} s", self.course.age().as_secs_f64()));
                next_word = self.course.age() + PROGRESS;
            }
            seen = self.course.version();
            if self.course.told().machines != position.number {
                position = self.position(role)?;
            }
            self.catch_up(&mut position);
            self.offer(&position, &spelling);
        }
    }

    /// The position of the newest machine, at the start.
    fn position(&self, role: &str) -> Result<Position, InputError> {
        let (machine, number) = {
            let told = self.course.told();
            (told.machine.clone(), told.machines)
        };
        let Some(machine) = machine else {
            return Err(InputError::new("match", "there is no machine", "send other rules"));
        };
        let names = machine.roles();
        let role = names
            .iter()
            .position(|name| name.eq_ignore_ascii_case(role))
            .ok_or_else(|| InputError::unknown("START", "role", role, names.iter().map(String::as_str)))?;
        let mut cursor = machine.cursor();
        cursor.until(None, &self.course.stop);
        cursor.follow_play();
        Ok(Position { machine, cursor, role, number, followed: 0 })
    }

    /// Makes the moves that were not made yet.
    fn catch_up(&self, position: &mut Position) {
        loop {
            let Some(moves) = self.course.told().history.get(position.followed).cloned() else { return };
            if let Err(error) = make(position, &moves) {
                self.tell(format!("cannot follow step {}: {error}", position.followed + 1));
            }
            position.followed += 1;
            if self.course.is_stopped() {
                return;
            }
        }
    }

    /// Tells the legal moves, and gives the first of them to a question without an answer.
    fn offer(&self, position: &Position, spelling: &Spelling) {
        let Position { machine, cursor, role, .. } = position;
        let mut own = Vec::new();
        cursor.legal(*role, &mut own);
        let moves: Vec<String> = own.iter().map(|&mv| spelling.write(&machine.move_text(*role, mv))).collect();
        let mut told = self.course.told();
        if told.history.len() != position.followed {
            // More has come meanwhile; the next turn looks at it.
            return;
        }
        if let (Some(asked), Some(first)) = (&told.asked, moves.first()) {
            asked.ticket.offer_first(first);
            if moves.len() == 1 {
                asked.ticket.finish();
                told.asked = None;
            }
        }
        told.legal = Some(Legal { step: position.followed, moves });
    }
}

/// Makes a joint move, as it is written.
fn make(position: &mut Position, moves: &[String]) -> Result<(), InputError> {
    let Position { machine, cursor, .. } = position;
    let roles = machine.roles().len();
    if moves.len() != roles {
        let problem = format!("there are {} moves for {roles} roles", moves.len());
        return Err(InputError::new("moves", problem, "send one for each role"));
    }
    if cursor.is_terminal() {
        return Err(InputError::new("moves", "the game is over", "send STOP"));
    }
    let mut joint = Vec::with_capacity(roles);
    for (role, text) in moves.iter().enumerate() {
        let mv = machine.read_move(role, text)?;
        if !cursor.is_legal(role, mv) {
            let text = spinney_core::error::shorten(text);
            let problem = format!("`{text}` is not legal for {}", machine.roles()[role]);
            return Err(InputError::new("moves", problem, "send legal moves"));
        }
        joint.push(mv);
    }
    let before = cursor.state().clone();
    cursor.step(&joint);
    if cursor.is_interrupted() {
        cursor.set(&before);
        return Err(InputError::new("moves", "the step takes too much memory", "allow more"));
    }
    Ok(())
}

/// Builds the fast machine.
fn build(rules: &Rules, bytes: usize, course: &Course, log: &Log) {
    let built = reasoner::fast(rules, bytes, &course.stop);
    if course.is_stopped() {
        return;
    }
    match built {
        Ok(machine) => bring(course, log, machine),
        Err(error) => log.tell(Some(&course.id), format!("no fast machine: {error}")),
    }
    course.change(|told| told.is_built = true);
}

/// Brings a machine to the match; it is taken if it is the first or a faster one.
fn bring(course: &Course, log: &Log, machine: Machine) {
    let is_fast = machine.method() == Method::Network;
    let (size, roles) = (machine.size(), machine.roles().join(", "));
    let is_taken = course.change(|told| {
        let is_better = is_fast || told.machine.is_none();
        if is_better {
            told.machine = Some(machine);
            told.machines += 1;
        }
        is_better
    });
    if is_taken {
        let age = course.age().as_secs_f64();
        let how = match is_fast {
            true => format!("network of {} facts and {} gates", size.facts, size.gates),
            false => "proofs on demand".to_string(),
        };
        log.tell(Some(&course.id), format!("rules are understood after {age:.2} s: roles {roles}; {how}"));
    }
}
