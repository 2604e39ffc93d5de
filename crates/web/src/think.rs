//! Searches, live: a connection asks for searches of positions and hears of their thoughts until it closes.
//!
//! Each side of a connection has a thread, which owns the table with its search and so can be asked about the tree while
//! the search runs (between two reports) and after it. The connection's own task only passes messages on.

use crate::error::Refusal;
use crate::icicle::icicle;
use crate::kept::Shelf;
use crate::limits::{Limits, MOST_MOVES, step_back};
use crate::position::{Place, check_game, check_moves};
use crate::wire;
use crate::{Shared, State};
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use spinney_core::game::Turn;
use spinney_core::{InputError, InputErrorKind, Seed};
use spinney_gdl::Cancel;
use spinney_ggp::allocator::GivesBack;
use spinney_search::{AgentSettings, Budget};
use spinney_table::table::{InsightText, Look, Question, Thought};
use spinney_table::{Laboratory, Table};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;
use tokio::sync::mpsc as channel;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::task::JoinHandle;

/// How often a search reports.
const INTERVAL: Duration = Duration::from_millis(100);
/// Messages that may wait for a slow connection; thoughts beyond are dropped, the last one of a search is not.
const MOST_WAITING: usize = 8;
/// The longest message of a visitor.
const MESSAGE_BYTES: usize = 200_000;
/// Of the thread of a side; searches use working memory, not the stack.
const STACK_BYTES: usize = 1 << 20;
/// How much longer than its time a search may take.
const GRACE: Duration = Duration::from_millis(500);

/// What a visitor may ask for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Request {
    Think(Think),
    Stop(Stop),
    Open(Open),
    Picture(Picture),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Think {
    side: usize,
    place: Place,
    agent: String,
    #[serde(default)]
    simulations: Option<u64>,
    #[serde(default)]
    seconds: Option<f64>,
    #[serde(default)]
    seed: u64,
    /// What was found in earlier searches of this game is used again.
    #[serde(default)]
    keep: bool,
    /// Thinks in the other's time, for a search to come that keeps what is found: only while nobody else needs the place.
    #[serde(default)]
    ponder: bool,
    /// Comes back with all that is said about it, so that a visitor can tell it from the one that it replaced.
    #[serde(default)]
    question: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stop {
    side: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {
    side: usize,
    path: Vec<String>,
}

/// The tree below a node as a picture.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Picture {
    side: usize,
    path: Vec<String>,
    /// The share of the visits that makes a box wide enough to be seen.
    least: f64,
}

/// Opens a connection that asks for searches.
pub async fn connect(state: State, upgrade: WebSocketUpgrade) -> Response {
    let Some(place) = state.searches.connection() else {
        let problem = "connections: all are taken; close another page or try again later";
        return Refusal::new(StatusCode::TOO_MANY_REQUESTS, problem).into_response();
    };
    let shared = state.0.clone();
    upgrade.max_message_size(MESSAGE_BYTES).on_upgrade(move |socket| async move {
        serve(socket, shared).await;
        drop(place);
    })
}

/// Passes messages on until the visitor goes away; then all searches stop.
async fn serve(mut socket: WebSocket, shared: Arc<Shared>) {
    let (say, mut heard) = channel::channel::<Value>(MOST_WAITING);
    let mut sides = [0, 1].map(|side| Side::new(shared.clone(), side, say.clone()));
    loop {
        tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    if let Err((side, question, error)) = handle(&text, &mut sides, &shared) {
                        let message = failure(side, question, &error);
                        if socket.send(Message::Text(message.to_string().into())).await.is_err() {
                            return;
                        }
                    }
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => {}
            },
            Some(message) = heard.recv() => {
                if socket.send(Message::Text(message.to_string().into())).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// A mistake as the page is told of it; `question` is `None` where it is not about a search.
fn failure(side: usize, question: Option<u64>, error: &InputError) -> Value {
    json!({"error": {"side": side, "question": question, "kind": error.kind.word(), "text": error.to_string()}})
}

fn read(text: &str) -> Result<Request, InputError> {
    let unread = |error| InputError::new("request", error, "see docs/web.md").of(InputErrorKind::Syntax);
    serde_json::from_str(text).map_err(unread)
}

/// Reads a message and makes the job of it, for the fuzz targets.
pub(crate) fn check(text: &str, laboratory: &Laboratory, limits: &Limits) {
    if let Ok(Request::Think(think)) = read(text) {
        let _ = Job::new(think, laboratory, limits);
    }
}

fn handle(text: &str, sides: &mut [Side; 2], shared: &Arc<Shared>) -> Result<(), (usize, Option<u64>, InputError)> {
    let request = read(text).map_err(|error| (0, None, error))?;
    let number = match &request {
        Request::Think(Think { side, .. })
        | Request::Stop(Stop { side })
        | Request::Open(Open { side, .. })
        | Request::Picture(Picture { side, .. }) => *side,
    };
    let no_side = || InputError::new("side", format!("{number} is none"), "use 0 or 1").of(InputErrorKind::Misfit);
    let side = sides.get_mut(number).ok_or_else(|| (0, None, no_side()))?;
    match request {
        Request::Think(think) => {
            let question = Some(think.question);
            let job = Job::new(think, &shared.laboratory, &shared.limits).map_err(|error| (number, question, error))?;
            side.think(job);
        }
        Request::Stop(_) => side.stop(),
        Request::Open(Open { path, .. }) | Request::Picture(Picture { path, .. }) if path.len() > MOST_MOVES => {
            let error = InputError::new("path", "it is too long", "open a node nearer to the root");
            return Err((number, None, error));
        }
        Request::Open(Open { path, .. }) => side.send(Order::Open(path)),
        Request::Picture(Picture { path, least, .. }) => side.send(Order::Picture(path, least.clamp(0.0005, 1.0))),
    }
    Ok(())
}

/// A search that has been asked for, within the server's limits.
struct Job {
    place: Place,
    agent: AgentSettings,
    budget: Budget,
    /// The server's limits, where the budget leaves them out.
    longest: Budget,
    seed: u64,
    question: u64,
    keeps: bool,
    ponders: bool,
    stop: Arc<AtomicBool>,
}

impl Job {
    fn new(think: Think, laboratory: &Laboratory, limits: &Limits) -> Result<Self, InputError> {
        check_game(&think.place.game)?;
        let mut agent = laboratory.agent(&think.agent)?;
        agent.limit_memory(limits.tree_megabytes());
        if think.simulations.is_none() {
            let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
            agent = agent.with_threads_by_default(cores as u32);
        }
        let seconds = think.seconds.unwrap_or(limits.seconds as f64).clamp(0.01, limits.seconds as f64);
        if !seconds.is_finite() {
            return Err(InputError::new("seconds", "this is no number", "write a number such as 1.5")
                .of(InputErrorKind::Misfit));
        }
        let simulations = think.simulations.unwrap_or(limits.simulations).clamp(1, limits.simulations);
        let longest = Budget {
            simulations: Some(simulations),
            time: Some(Duration::from_secs_f64(seconds)),
            ..Budget::default()
        };
        // Bonuses wait for a share of the simulations that a search expects. One that is merely watched expects none,
        // else it would seem to have no bonuses for minutes.
        let is_watched = think.simulations.is_none() && think.seconds.is_none();
        let budget = if is_watched && agent.name() == "mcts" { Budget::default() } else { longest };
        let (seed, question, ponders) = (think.seed, think.question, think.ponder);
        let keeps = think.keep || ponders;
        Ok(Self { place: think.place, agent, budget, longest, seed, question, keeps, ponders, stop: Arc::default() })
    }

    /// Whether the server's limits are reached; they are watched here where the search itself has none.
    fn has_had_enough(&self, thought: &Thought) -> bool {
        self.longest.time.is_some_and(|time| thought.elapsed >= time)
            || self.longest.simulations.is_some_and(|most| thought.totals.simulations >= most)
    }
}

/// What the thread of a side is told.
enum Order {
    Think(Box<Job>, OwnedSemaphorePermit),
    Open(Vec<String>),
    /// Below this node, boxes of at least this share.
    Picture(Vec<String>, f64),
}

/// The connection's end of a side.
struct Side {
    shared: Arc<Shared>,
    number: usize,
    say: channel::Sender<Value>,
    orders: Option<Sender<Order>>,
    /// Of the search that was asked for last.
    stop: Arc<AtomicBool>,
    /// Breaks off a state that is being worked out; the thread of the side clears it before it begins something.
    halt: Arc<AtomicBool>,
    /// The table of the last search, while no search runs.
    known: Arc<Shelf<Known>>,
    question: u64,
    /// Waits for a place among the server's searches.
    waiting: Option<Waiting>,
    /// Ends a search that does not look at its clock, as a simulation of its takes for ever.
    timer: Option<JoinHandle<()>>,
}

/// A search that waits for its place.
struct Waiting {
    task: JoinHandle<()>,
    answered: Answered,
}

/// Who answers a search: its thread or whoever stops it before it begins. The first to claim it does, so that a search
/// which its thread has, though the waiting task has not ended yet, is not said to have never begun.
#[derive(Debug, Clone, Default)]
struct Answered(Arc<AtomicBool>);

impl Answered {
    /// Whether nobody else has claimed it before.
    fn claim(&self) -> bool {
        !self.0.swap(true, Ordering::SeqCst)
    }
}

impl Side {
    fn new(shared: Arc<Shared>, number: usize, say: channel::Sender<Value>) -> Self {
        let (stop, halt, known) = Default::default();
        Self { shared, number, say, orders: None, stop, halt, known, question: 0, waiting: None, timer: None }
    }

    /// The way to the side's thread, which is started when it is first needed and ends when the way is closed; `None` if
    /// there is no room for a thread.
    fn orders(&mut self) -> Option<Sender<Order>> {
        if self.orders.is_none() {
            let (orders, taken) = mpsc::channel();
            let thinker = Thinker {
                shared: self.shared.clone(),
                number: self.number,
                say: self.say.clone(),
                halt: self.halt.clone(),
                known: self.known.clone(),
                next: None,
            };
            let builder = std::thread::Builder::new().name("think".to_string()).stack_size(STACK_BYTES);
            builder.spawn(move || thinker.run(&taken)).ok()?;
            self.orders = Some(orders);
        }
        self.orders.clone()
    }

    fn send(&mut self, order: Order) {
        // A thread that has panicked is replaced.
        let Some(orders) = self.orders() else { return };
        if let Err(mpsc::SendError(order)) = orders.send(order) {
            self.orders = None;
            let _ = self.orders().map(|orders| orders.send(order));
        }
    }

    /// Replaces the present search by another as soon as the server has a place for it.
    fn think(&mut self, job: Job) {
        self.stop();
        (self.stop, self.question) = (job.stop.clone(), job.question);
        let Some(orders) = self.orders() else {
            let error = InputError::new("search", "the server has no thread left for it", "try again");
            let _ = self.say.try_send(failure(self.number, Some(job.question), &error));
            return;
        };
        let (number, say, shared) = (self.number, self.say.clone(), self.shared.clone());
        let (begin, begun) = oneshot::channel();
        let (stop, halt) = (job.stop.clone(), self.halt.clone());
        let longest = job.longest.time.unwrap_or_default() + GRACE;
        self.timer = Some(tokio::spawn(async move {
            if begun.await.is_ok() {
                tokio::time::sleep(longest).await;
                if !stop.load(Ordering::SeqCst) {
                    halt.store(true, Ordering::SeqCst);
                }
            }
        }));
        let answered = Answered::default();
        let claim = answered.clone();
        let task = tokio::spawn(async move {
            let waiting = |before| {
                let message = json!({"waiting": {"side": number, "question": job.question, "before": before}});
                drop(say.try_send(message));
            };
            let place = if job.ponders { shared.searches.free_place() } else { shared.searches.place(waiting).await };
            if !claim.claim() {
                return;
            }
            if let Some(permit) = place {
                let _ = begin.send(());
                let _ = orders.send(Order::Think(Box::new(job), permit));
            } else {
                let _ = say.try_send(not_begun(number, job.question));
            }
        });
        self.waiting = Some(Waiting { task, answered });
    }

    fn stop(&mut self) {
        // In this order: whoever has cleared the second flag looks at the first.
        self.stop.store(true, Ordering::SeqCst);
        self.halt.store(true, Ordering::SeqCst);
        self.timer.take().inspect(JoinHandle::abort);
        if let Some(waiting) = self.waiting.take().filter(|waiting| waiting.answered.claim()) {
            waiting.task.abort();
            let _ = self.say.try_send(not_begun(self.number, self.question));
        }
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        self.stop();
    }
}

fn no_tree() -> InputError {
    InputError::new("tree", "there is none now", "let the agent think first")
}

fn broken() -> InputError {
    InputError::new("search", "it ended by a mistake of the program", "try another agent, and tell the makers of it")
}

/// A picture of the tree as the page is told of it.
fn picture(side: usize, path: &[String], found: Result<Option<Value>, InputError>) -> Value {
    match found {
        Ok(Some(found)) => {
            json!({"picture": {"side": side, "path": path, "visits": found["visits"], "boxes": found["boxes"]}})
        }
        Ok(None) => json!({"picture": {"side": side, "path": path, "visits": 0, "boxes": []}}),
        Err(error) => failure(side, None, &error),
    }
}

/// The answer to a search that was stopped before it began.
fn not_begun(side: usize, question: u64) -> Value {
    json!({"error": {"side": side, "question": question, "text": "search: it was stopped before it began; ask again"}})
}

/// The thread of a side.
struct Thinker {
    shared: Arc<Shared>,
    number: usize,
    say: channel::Sender<Value>,
    halt: Arc<AtomicBool>,
    /// The table of the last search, whose tree can be looked into; used again for the same game and agent.
    known: Arc<Shelf<Known>>,
    /// An order that came while a search was running.
    next: Option<Order>,
}

/// A table with an agent.
struct Known {
    game: String,
    agent: AgentSettings,
    /// Whether the agent uses what it has found again.
    keeps: bool,
    table: Box<dyn Table>,
    place: Place,
}

impl Thinker {
    /// Does what it is told until its visitor goes, and leaves no memory behind.
    fn run(self, orders: &Receiver<Order>) {
        let _last = GivesBack;
        step_back();
        self.work(orders);
    }

    fn work(mut self, orders: &Receiver<Order>) {
        while let Some(order) = self.next.take().or_else(|| orders.recv().ok()) {
            match order {
                Order::Think(job, permit) => {
                    let (side, question) = (self.number, job.question);
                    self.halt.store(false, Ordering::SeqCst);
                    if job.stop.load(Ordering::SeqCst) {
                        self.tell_last(not_begun(side, question));
                    } else {
                        // A mistake of the program ends this search, not the server, and its visitor hears of it.
                        let thought = panic::catch_unwind(AssertUnwindSafe(|| self.think(&job, orders)));
                        if let Err(error) = thought.unwrap_or_else(|_| Err(broken())) {
                            self.tell_last(failure(side, Some(question), &error));
                        }
                    }
                    drop(permit);
                }
                Order::Open(path) => {
                    self.halt.store(false, Ordering::SeqCst);
                    let found = match self.known.look().as_ref() {
                        Some(known) => known.table.look(0, &path).map(|found| (found, known.place.clone())),
                        None => Err(no_tree()),
                    };
                    let message = match found {
                        Ok((found, place)) => self.node(&path, found, &place),
                        Err(error) => failure(self.number, None, &error),
                    };
                    self.tell_last(message);
                }
                Order::Picture(path, least) => {
                    self.halt.store(false, Ordering::SeqCst);
                    let message = match self.known.look().as_ref() {
                        Some(known) => {
                            let look = |path: &[String]| known.table.look(0, path);
                            picture(self.number, &path, icicle(known.table.copy().as_mut(), &look, &path, least))
                        }
                        None => failure(self.number, None, &no_tree()),
                    };
                    self.tell_last(message);
                }
            }
        }
    }

    /// Says something that must not get lost.
    fn tell_last(&self, message: Value) {
        let _ = self.say.blocking_send(message);
    }

    /// The table for a job, with its position and its agent in seat 0.
    fn table(&mut self, job: &Job) -> Result<Known, InputError> {
        // A game may be fitted to the position where it began, so only tables without one serve again.
        let is_whole = |place: &Place| place.position.is_none();
        let same = |known: &Known| {
            let (known_as, wanted) =
                ((&known.game, &known.agent, known.keeps), (&job.place.game, &job.agent, job.keeps));
            known_as == wanted && is_whole(&known.place) && is_whole(&job.place)
        };
        let known = self.known.look().take();
        let mut table = match known.filter(same) {
            Some(known) => known.table,
            None => self.watched(|| {
                let mut table = self.shared.laboratory.open(&job.place.game, job.place.position.as_deref())?;
                // Not every agent can keep what it finds.
                if !job.keeps || table.seat(&job.agent.clone().with_reuse()).is_err() {
                    table.seat(&job.agent)?;
                }
                Ok::<_, InputError>(table)
            })?,
        };
        job.place.put_on(table.as_mut())?;
        check_moves(table.as_ref())?;
        let (game, agent, place) = (job.place.game.clone(), job.agent.clone(), job.place.clone());
        Ok(Known { game, agent, keeps: job.keeps, table, place })
    }

    /// Does what opens games, whose states are broken off when the side is stopped or its visitor goes.
    fn watched<T>(&self, work: impl FnOnce() -> T) -> T {
        spinney_games::gdl::watched(None, &Cancel::from(self.halt.clone()), work)
    }

    /// What is known of a node, and the position there.
    fn node(&self, path: &[String], found: Option<InsightText>, place: &Place) -> Value {
        self.watched(|| node(&self.shared.laboratory, self.number, path, found, place))
    }

    fn think(&mut self, job: &Job, orders: &Receiver<Order>) -> Result<(), InputError> {
        let mut known = self.table(job)?;
        let table = known.table.as_mut();
        match table.turn() {
            Turn::Player(_) => {}
            Turn::Chance => {
                let error = InputError::new("position", "it is the turn of chance", "let it draw first");
                return Err(error.of(InputErrorKind::Position));
            }
            Turn::Over(_) => {
                let error = InputError::new("position", "the game is over", "take a move back");
                return Err(error.of(InputErrorKind::Position));
            }
        }
        let (steps, agent, scored) = (wire::steps(table), table.agent(0), table.score().is_some());
        let (number, say) = (self.number, self.say.clone());
        let (mut next, this) = (None, &*self);
        // Follows the boxes of a picture while the table itself is searched.
        let mut walker = table.copy();
        let mut tell = |thought: &Thought, look: Look<'_>| {
            let message = json!({"thought": wire::thought(thought, (number, job.question), &agent, scored, &steps)});
            let is_in_the_way = job.ponders && this.shared.searches.has_waiting();
            if say.is_closed() || job.has_had_enough(thought) || is_in_the_way {
                job.stop.store(true, Ordering::Relaxed);
            }
            // A connection that cannot keep up hears of later thoughts.
            let _ = say.try_send(message);
            while let Ok(order) = orders.try_recv() {
                let message = match order {
                    Order::Open(path) => match look(&path) {
                        Ok(found) => this.node(&path, found, &job.place),
                        Err(error) => failure(number, None, &error),
                    },
                    Order::Picture(path, least) => picture(number, &path, icicle(walker.as_mut(), look, &path, least)),
                    Order::Think(..) => {
                        job.stop.store(true, Ordering::Relaxed);
                        next = Some(order);
                        break;
                    }
                };
                let _ = say.try_send(message);
            }
        };
        let seed = Seed::new(job.seed).child(table.history().len() as u64);
        let observer = Some((INTERVAL, &mut tell as spinney_table::table::Observer<'_>));
        let thought = table.think(0, &mut Question { seed, budget: Some(job.budget), stop: &job.stop, observer });
        self.tell_last(json!({"thought": wire::thought(&thought, (number, job.question), &agent, scored, &steps)}));
        self.next = next;
        self.shared.kept.keep(&self.known, known);
        Ok(())
    }
}

/// What is known of a node, and the position there.
fn node(laboratory: &Laboratory, side: usize, path: &[String], found: Option<InsightText>, place: &Place) -> Value {
    let place = Place { moves: place.moves.iter().chain(path).cloned().collect(), chance: false, ..place.clone() };
    let Ok(table) = place.table(laboratory) else {
        return json!({"node": {"side": side, "path": path, "missing": true}});
    };
    let view = wire::view(table.as_ref(), place.position.as_deref());
    match found {
        Some(found) => {
            let (candidates, more) = wire::candidates(&found.candidates, &wire::steps(table.as_ref()));
            json!({"node": {"side": side, "path": path, "view": view, "visits": found.visits, "candidates": candidates, "more": more}})
        }
        None => json!({"node": {"side": side, "path": path, "view": view, "missing": true}}),
    }
}
