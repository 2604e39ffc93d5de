//! `spinney ugi`: the Universal Game Interface, UCI's sibling for other games.
//!
//! A search runs on a thread of its own, which owns the table while it thinks, so that `stop` and `isready` are
//! answered at any time.

use super::lab::{on_all_cores, threads};
use crate::arguments::Ugi;
use crate::text::per_playout;
use spinney_core::{InputError, Outcome, Player, Seed, Turn};
use spinney_search::Budget;
use spinney_table::table::{Look, Observer, Question, Thought};
use spinney_table::{Laboratory, Table};
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How often `info` is printed while a search runs.
const INTERVAL: Duration = Duration::from_millis(500);
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
    search: Option<JoinHandle<Seated>>,
    /// Whether the running search ends only when told to.
    endless: bool,
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
            endless: false,
        };
        engine.reseat(None)?;
        Ok(engine)
    }

    fn reseat(&mut self, position: Option<&str>) -> Result<(), InputError> {
        let mut table = self.laboratory.open(&self.game, position)?;
        let agent = self.laboratory.agent(&self.agent)?;
        table.seat(&self.threads.map_or_else(|| on_all_cores(agent.clone()), |own| agent.clone().with_threads(own)))?;
        self.table = Some(table);
        Ok(())
    }

    /// Ends a running search and takes the table back.
    fn finish_search(&mut self) {
        if let Some(search) = self.search.take() {
            self.stop.store(true, Ordering::Relaxed);
            self.table = search.join().ok();
        }
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
            ["stop"] => self.finish_search(),
            ["quit"] => return Ok(false),
            [word, ..] => {
                let known = ["ugi", "isready", "uginewgame", "setoption", "position", "query", "go", "stop", "quit"];
                return Err(InputError::unknown("ugi", "command", word, known).into());
            }
        }
        Ok(true)
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), InputError> {
        self.table()?;
        let before = (self.game.clone(), self.agent.clone(), self.seed, self.threads);
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
            other => {
                return Err(InputError::unknown("setoption", "option", other, ["game", "agent", "seed", "Threads"]));
            }
        }
        let done = self.reseat(None);
        if done.is_err() {
            (self.game, self.agent, self.seed, self.threads) = before;
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
        let budget = budget(words, player)?;
        let Some(mut table) = self.table.take() else { return Ok(()) };
        self.stop = Arc::default();
        self.endless = budget.is_some_and(|budget| budget.is_endless());
        let (stop, seed) = (Arc::clone(&self.stop), Seed::new(self.seed));
        self.search = Some(thread::spawn(move || {
            // If nobody listens any more, the main thread finds out.
            let say = |line: String| drop(writeln!(std::io::stdout(), "{line}"));
            let mut tell = |thought: &Thought, _: Look<'_>| say(info(thought));
            let seed = seed.child(table.history().len() as u64);
            let observer = Some((INTERVAL, &mut tell as Observer<'_>));
            let thought = table.think(0, &mut Question { seed, budget, stop: &stop, observer });
            say(format!("{}\nbestmove {}", info(&thought), thought.chosen));
            table
        }));
        Ok(())
    }
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

/// The budget of a `go` line; the agent's own for a bare `go`.
fn budget(words: &[&str], player: Player) -> Result<Option<Budget>, InputError> {
    let mut budget = Budget::default();
    let mut clock = None;
    let mut increment = 0;
    let mut endless = false;
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        if word == "infinite" {
            endless = true;
            continue;
        }
        let known = ["movetime", "nodes", "depth", "p1time", "p2time", "p1inc", "p2inc", "infinite"];
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
            ("p1time", Player::First) | ("p2time", Player::Second) => clock = Some(value),
            ("p1inc", Player::First) | ("p2inc", Player::Second) => increment = value,
            // A depth means nothing to a search that is not cut at one; the other side's clock is its own affair.
            _ => {}
        }
    }
    if let Some(clock) = clock {
        // A thirtieth of what is left and most of the increment, but never more than is there.
        let share = (clock / 30 + increment * 3 / 4).min(clock.saturating_sub(MARGIN.as_millis() as u64 * 2));
        budget.time = Some(Duration::from_millis(share.max(1)));
    }
    if endless {
        return Ok(Some(Budget::default()));
    }
    Ok((!budget.is_endless()).then_some(budget))
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
