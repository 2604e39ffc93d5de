//! `spinney ugi`: the Universal Game Interface, UCI's sibling for other games.
//!
//! A search runs on a thread of its own, which owns the table while it thinks, so that `stop` and `isready` are
//! answered at any time.

use super::lab::{on_all_cores, threads};
use crate::arguments::Ugi;
use crate::text::per_playout;
use spinney_core::{InputError, Outcome, Player, Seed, Turn};
use spinney_search::{Budget, Clock, Timekeeper};
use spinney_table::table::{InsightText, Look, Observer, Question, Thought};
use spinney_table::{Laboratory, Table};
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How often `info` is printed while a search runs.
const INTERVAL: Duration = Duration::from_millis(500);
/// How often it is asked whether thinking in the other's time is over.
const PATIENCE: Duration = Duration::from_millis(5);
/// Kept back from the time of a move, for the way to the other program and back.
const MARGIN: Duration = Duration::from_millis(20);

pub fn run(arguments: &Ugi, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let mut engine = Engine::new(laboratory, &arguments.game, &arguments.agent)?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        match engine.obey(&line, out) {
            Ok(true) => {}
            Ok(false) => {
                engine.finish_search();
                break;
            }
            // A protocol goes on after a mistake of the other side.
            Err(Trouble::Input(error)) => writeln!(out, "info string error: {error}")?,
            Err(Trouble::Output(error)) => return Err(error.into()),
        }
        out.flush()?;
    }
    engine.leave();
    Ok(())
}

enum Trouble {
    Input(InputError),
    Output(std::io::Error),
}

impl From<InputError> for Trouble {
    fn from(error: InputError) -> Self {
        Trouble::Input(error)
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        Trouble::Output(error)
    }
}

/// A table with one agent in seat 0.
type Seated = Box<dyn Table>;

struct Engine {
    laboratory: Laboratory,
    game: String,
    agent: String,
    seed: u64,
    /// Threads of agents that do not say themselves how many they take; one for each core until it is set.
    threads: Option<u32>,
    stop: Arc<AtomicBool>,
    /// Here while nobody thinks.
    table: Option<Seated>,
    search: Option<JoinHandle<(Seated, Timekeeper)>>,
    /// The clock as it was told last, and how many moves are expected.
    keeper: Timekeeper,
    /// Whether the other side lets it think in its time.
    ponders: bool,
    /// Set when thinking in the other's time is over.
    pondering: Option<Arc<AtomicBool>>,
    /// Whether the running search ends only when told to.
    endless: bool,
    /// Whether it does so after `ponderhit` too.
    goes_on: bool,
}

impl Engine {
    fn new(laboratory: &Laboratory, game: &str, agent: &str) -> Result<Self, InputError> {
        let mut engine = Self {
            laboratory: laboratory.clone(),
            game: game.to_string(),
            agent: agent.to_string(),
            seed: 1,
            threads: None,
            stop: Arc::default(),
            table: None,
            search: None,
            keeper: Timekeeper::new(Clock::new(Duration::ZERO, Duration::ZERO)),
            ponders: false,
            pondering: None,
            endless: false,
            goes_on: false,
        };
        engine.reseat(None)?;
        Ok(engine)
    }

    fn reseat(&mut self, position: Option<&str>) -> Result<(), InputError> {
        let mut table = self.laboratory.open(&self.game, position)?;
        let agent = self.laboratory.agent(&self.agent)?;
        let agent = self.threads.map_or_else(|| on_all_cores(agent.clone()), |own| agent.clone().with_threads(own));
        // What was thought in the other's time is kept, wherever an agent can.
        if !self.ponders || table.seat(&agent.clone().with_reuse()).is_err() {
            table.seat(&agent)?;
        }
        self.table = Some(table);
        Ok(())
    }

    /// Ends a running search and takes the table back.
    fn finish_search(&mut self) {
        if let Some(search) = self.search.take() {
            self.stop.store(true, Ordering::Relaxed);
            self.end_pondering();
            if let Ok((table, keeper)) = search.join() {
                (self.table, self.keeper) = (Some(table), keeper);
            }
        }
    }

    /// Ends the thinking in the other's time, if there is any.
    fn end_pondering(&mut self) -> bool {
        let pondering = self.pondering.take();
        // Who hears of this must know whether to stop altogether.
        pondering.iter().for_each(|over| over.store(true, Ordering::Release));
        pondering.is_some()
    }

    /// The other side has gone: a search that ends by itself may still give its answer.
    fn leave(&mut self) {
        if self.endless {
            self.finish_search();
        } else if let Some(search) = self.search.take() {
            drop(search.join());
        }
    }

    fn table(&mut self) -> Result<&mut Seated, InputError> {
        if self.search.as_ref().is_some_and(JoinHandle::is_finished) {
            self.finish_search();
        }
        let busy = || InputError::new("ugi", "a search is running", "send `stop` first");
        self.table.as_mut().ok_or_else(busy)
    }

    /// Obeys one line; false means quit.
    fn obey(&mut self, line: &str, out: &mut impl Write) -> Result<bool, Trouble> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            ["ugi"] => {
                writeln!(out, "id name spinney {}", env!("CARGO_PKG_VERSION"))?;
                writeln!(out, "id author the spinney developers")?;
                writeln!(out, "option name game type string default {}", self.game)?;
                writeln!(out, "option name agent type string default {}", self.agent)?;
                writeln!(out, "option name seed type spin default {} min 0 max 9007199254740991", self.seed)?;
                let threads = self.threads.map_or(threads(None), |own| own as usize);
                writeln!(out, "option name Threads type spin default {threads} min 1 max 1024")?;
                writeln!(out, "option name Ponder type check default {}", self.ponders)?;
                writeln!(out, "ugiok")?;
            }
            ["isready"] => writeln!(out, "readyok")?,
            ["uginewgame"] => self.table()?.set_position(None)?,
            ["setoption", "name", name, "value", value @ ..] => self.set_option(name, &value.join(" "))?,
            ["position", rest @ ..] => self.set_position(rest)?,
            ["query", question] => {
                let answer = answer(self.table()?.as_ref(), question)?;
                writeln!(out, "response {answer}")?;
            }
            ["go", limits @ ..] => self.go(limits)?,
            ["ponderhit"] => {
                if !self.end_pondering() {
                    let problem = "nobody thinks in the other's time";
                    return Err(InputError::new("ponderhit", problem, "send `go ponder` before").into());
                }
                self.endless = self.goes_on;
            }
            ["stop"] => self.finish_search(),
            ["quit"] => return Ok(false),
            [word, ..] => {
                let known = [
                    "ugi",
                    "isready",
                    "uginewgame",
                    "setoption",
                    "position",
                    "query",
                    "go",
                    "ponderhit",
                    "stop",
                    "quit",
                ];
                return Err(InputError::unknown("ugi", "command", word, known).into());
            }
        }
        Ok(true)
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), InputError> {
        self.table()?;
        let before = (self.game.clone(), self.agent.clone(), self.seed, self.threads, self.ponders);
        match name {
            "game" => self.game = value.to_string(),
            "agent" => self.agent = value.to_string(),
            "seed" => {
                let wrong = |_| InputError::new("option seed", "it is not a whole number", "write one");
                self.seed = value.parse().map_err(wrong)?;
            }
            "Threads" | "threads" => {
                let wrong = || InputError::new("option Threads", "it is no number from 1 to 1024", "write one");
                self.threads = Some(value.parse().ok().filter(|own| (1..=1024).contains(own)).ok_or_else(wrong)?);
            }
            "Ponder" | "ponder" => {
                let wrong =
                    |_| InputError::new("option Ponder", "it is neither true nor false", "write one of the two");
                self.ponders = value.parse().map_err(wrong)?;
            }
            other => {
                let known = ["game", "agent", "seed", "Threads", "Ponder"];
                return Err(InputError::unknown("setoption", "option", other, known));
            }
        }
        let done = self.reseat(None);
        if done.is_err() {
            (self.game, self.agent, self.seed, self.threads, self.ponders) = before;
        }
        done
    }

    /// `startpos` or `fen POSITION`, then perhaps `moves …`.
    fn set_position(&mut self, words: &[&str]) -> Result<(), InputError> {
        self.table()?;
        let split = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let (place, moves) = words.split_at(split);
        let position = match place {
            ["startpos"] => None,
            ["fen", fen @ ..] if !fen.is_empty() => Some(fen.join(" ")),
            _ => {
                let problem = "a position is missing";
                return Err(InputError::new("position", problem, "write `startpos` or `fen` and a position"));
            }
        };
        // A position may be of another size than the last one, so the game is opened again where it does not fit.
        if self.table()?.set_position(position.as_deref()).is_err() {
            self.reseat(position.as_deref())?;
        }
        let table = self.table()?;
        for mv in moves.iter().skip(1) {
            table.play(mv)?;
        }
        Ok(())
    }

    fn go(&mut self, words: &[&str]) -> Result<(), InputError> {
        let table = self.table()?;
        let player = match table.turn() {
            Turn::Player(player) => player,
            Turn::Over(_) => return Err(InputError::new("go", "the game is over", "set another position")),
            Turn::Chance => {
                return Err(InputError::new("go", "it is the turn of chance", "give its outcome as a move"));
            }
        };
        let limits = Limits::read(words, player)?;
        if limits.ponder && !self.ponders {
            let remedy = "send `setoption name Ponder value true` before the game";
            return Err(InputError::new("go ponder", "nobody said that it may", remedy));
        }
        let Some(mut table) = self.table.take() else { return Ok(()) };
        self.stop = Arc::default();
        self.pondering = limits.ponder.then(Arc::default);
        self.goes_on = limits.budget.is_some_and(|budget| budget.is_endless());
        self.endless = limits.ponder || self.goes_on;
        let (stop, pondering, seed) = (Arc::clone(&self.stop), self.pondering.clone(), Seed::new(self.seed));
        let (mut keeper, tells_reply) = (self.keeper, self.ponders);
        self.search = Some(thread::spawn(move || {
            // If nobody listens any more, the main thread finds out.
            let say = |line: String| drop(writeln!(std::io::stdout(), "{line}"));
            let seed = seed.child(table.history().len() as u64);
            if let Some(over) = pondering {
                let known = ponder(table.as_mut(), seed, &over);
                if stop.load(Ordering::Relaxed) {
                    // Not searched any more: what is known of other replies would be lost.
                    let chosen = known.or_else(|| table.moves().first().cloned()).unwrap_or_default();
                    say(format!("bestmove {chosen}"));
                    return (table, keeper);
                }
            }
            let mut tell = |thought: &Thought, _: Look<'_>| say(info(thought));
            let observer = Some((INTERVAL, &mut tell as Observer<'_>));
            let mut question = Question { seed, budget: limits.budget, stop: &stop, observer };
            let thought = match limits.clock {
                Some(clock) => {
                    keeper.set_clock(clock);
                    limits.moves.into_iter().for_each(|moves| keeper.expect(moves as f64));
                    table.think_by_clock(0, &mut question, &mut keeper)
                }
                None => table.think(0, &mut question),
            };
            let reply = tells_reply.then(|| expected(&thought)).flatten();
            let reply = reply.map_or(String::new(), |reply| format!(" ponder {reply}"));
            say(format!("{}\nbestmove {}{reply}", info(&thought), thought.chosen));
            (table, keeper)
        }));
        Ok(())
    }
}

/// Thinks in the other's time until it is over: about the position before the reply that is expected, so that what is found
/// of any reply can be kept. Returns the answer to the expected one as far as it is known.
fn ponder(table: &mut dyn Table, seed: Seed, over: &AtomicBool) -> Option<String> {
    let reply = table.history().last().cloned().filter(|_| table.undo());
    if let Turn::Player(_) = table.turn() {
        table.think(0, &mut Question { seed, budget: Some(Budget::default()), stop: over, observer: None });
    }
    // What is proven needs no more thought, but nobody may answer before being asked.
    while !over.load(Ordering::Acquire) {
        thread::sleep(PATIENCE);
    }
    let Some(reply) = reply else { return table.look(0, &[]).ok().flatten().and_then(best) };
    let known = table.look(0, std::slice::from_ref(&reply)).ok().flatten().and_then(best);
    // It was on the table before.
    let _ = table.play(&reply);
    known
}

fn best(insight: InsightText) -> Option<String> {
    insight.candidates.into_iter().next().map(|best| best.mv)
}

/// The reply that is expected to the chosen move.
fn expected(thought: &Thought) -> Option<&String> {
    thought.candidates.first().filter(|best| best.mv == thought.chosen)?.variation.get(1)
}

fn answer(table: &dyn Table, question: &str) -> Result<&'static str, InputError> {
    let turn = table.turn();
    let truth = |value: bool| if value { "true" } else { "false" };
    Ok(match question {
        "gameover" => truth(matches!(turn, Turn::Over(_))),
        "p1turn" => truth(turn == Turn::Player(Player::First)),
        "result" => match turn {
            Turn::Player(_) | Turn::Chance => "none",
            Turn::Over(Outcome::Draw | Outcome::Scored) => "draw",
            Turn::Over(Outcome::Win(Player::First)) => "p1win",
            Turn::Over(Outcome::Win(Player::Second)) => "p2win",
        },
        other => return Err(InputError::unknown("query", "question", other, ["gameover", "p1turn", "result"])),
    })
}

/// What a `go` line says.
struct Limits {
    /// The agent's own for a bare `go`.
    budget: Option<Budget>,
    /// The clock of the player on turn.
    clock: Option<Clock>,
    /// Moves until more time comes.
    moves: Option<u64>,
    /// Whether to think in the other's time.
    ponder: bool,
}

impl Limits {
    fn read(words: &[&str], player: Player) -> Result<Self, InputError> {
        let (mut budget, mut endless, mut ponder) = (Budget::default(), false, false);
        let (mut left, mut increment, mut moves) = (None, 0, None);
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match word {
                "infinite" => endless = true,
                "ponder" => ponder = true,
                _ => {
                    let known = [
                        "movetime",
                        "nodes",
                        "depth",
                        "p1time",
                        "p2time",
                        "p1inc",
                        "p2inc",
                        "wtime",
                        "btime",
                        "winc",
                        "binc",
                        "movestogo",
                        "infinite",
                        "ponder",
                    ];
                    if !known.contains(&word) {
                        return Err(InputError::unknown("go", "limit", word, known));
                    }
                    let place = format!("go {word}");
                    let value = words.next().and_then(|value| value.parse::<u64>().ok());
                    let missing = || InputError::new(place, "a whole number is missing", "write one after it");
                    let value = value.ok_or_else(missing)?;
                    match (word, player) {
                        ("movetime", _) => budget.time = Some(Duration::from_millis(value).saturating_sub(MARGIN)),
                        ("nodes", _) => budget.simulations = Some(value.max(1)),
                        ("movestogo", _) => moves = Some(value),
                        ("p1time" | "wtime", Player::First) | ("p2time" | "btime", Player::Second) => {
                            left = Some(value)
                        }
                        ("p1inc" | "winc", Player::First) | ("p2inc" | "binc", Player::Second) => increment = value,
                        // A depth means nothing to a search that is not cut at one; the other's clock is its own affair.
                        _ => {}
                    }
                }
            }
        }
        let clock = left.map(|left| Clock::new(Duration::from_millis(left), Duration::from_millis(increment)));
        let is_open = budget.is_endless() && !endless;
        let budget = if endless { Some(Budget::default()) } else { (!is_open).then_some(budget) };
        Ok(Self { budget, clock: clock.filter(|_| !endless), moves, ponder })
    }
}

/// What the search thinks, in UCI's words; the score is a hundredth of the mean reward.
fn info(thought: &Thought) -> String {
    let best = thought.candidates.first();
    let score = best.map_or(0, |best| (best.mean * 100.0).round() as i64);
    let line = best.map_or_else(|| thought.chosen.clone(), |best| best.variation.join(" "));
    let milliseconds = thought.elapsed.as_millis();
    let speed = (thought.totals.simulations as f64 / thought.elapsed.as_secs_f64().max(1e-9)) as u64;
    format!(
        "info depth {:.0} seldepth {} score cp {score} time {milliseconds} nodes {} nps {speed} pv {line}",
        per_playout(thought, thought.totals.depth_plies),
        thought.totals.deepest_plies,
        thought.totals.simulations,
    )
}
