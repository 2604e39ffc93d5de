//! A game manager: referees a match between players over HTTP and lets no bad player spoil it.
//!
//! Whoever is late, unreachable or illegal gets a random legal move; nobody forfeits.

use crate::http;
use serde::Serialize;
use spinney_core::{InputError, Random, Seed};
use spinney_gdl::{Limits, Machine, Rules};
use std::io::ErrorKind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Who plays a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// A player at `host:port`.
    Remote(String),
    /// Random moves, made here.
    Random,
}

impl Opponent {
    /// `random`, `host:port` or `http://host:port`.
    pub fn read(text: &str) -> Result<Self, InputError> {
        if text == "random" {
            return Ok(Opponent::Random);
        }
        let address = text.strip_prefix("http://").unwrap_or(text).trim_end_matches('/');
        match address.rsplit_once(':') {
            Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok() => {
                Ok(Opponent::Remote(address.to_string()))
            }
            _ => {
                let problem = format!("`{text}` is not the address of a player");
                Err(InputError::new("players", problem, "write http://host:port or random"))
            }
        }
    }
}

/// A match to be played.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its name.
    pub id: String,
    /// The rule sheet, as players get it.
    pub sheet: String,
    /// Who plays the roles, in their order.
    pub players: Vec<Opponent>,
    /// Until the first move.
    pub startclock: Duration,
    /// For each move.
    pub playclock: Duration,
    /// Of random moves.
    pub seed: Seed,
    /// Steps after which a match is called off.
    pub most_steps: usize,
}

/// One step of a match.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// Number, from 1.
    pub step: usize,
    /// The moves that were made, in the order of the roles.
    pub moves: Vec<String>,
    /// What each player did wrong: nothing, `late`, `unreachable`, or `illegal` and its reply.
    pub errors: Vec<String>,
    /// How long each player took, in milliseconds.
    pub milliseconds: Vec<u64>,
}

/// A match that was played.
#[derive(Clone, Debug, Serialize)]
pub struct Played {
    /// Its name.
    pub id: String,
    /// Roles in their order.
    pub roles: Vec<String>,
    /// All steps.
    pub steps: Vec<Step>,
    /// Goals of the roles; empty if it was called off.
    pub goals: Vec<Option<u8>>,
}

/// Plays a match; `tell` hears of every step. A match that is stopped has no goals.
pub fn play(setting: &Setting, stop: &AtomicBool, mut tell: impl FnMut(&Step)) -> Result<Played, InputError> {
    let rules = Rules::parse(&setting.sheet)?;
    let machine = Machine::build(&rules, &Limits::default())?;
    let roles = machine.roles().to_vec();
    if roles.len() != setting.players.len() {
        let problem = format!("the game has {} roles: {}", roles.len(), roles.join(", "));
        return Err(InputError::new("players", problem, "name a player for each"));
    }
    let table = Table { setting, roles: &roles };
    table.start();
    let mut cursor = machine.cursor();
    let mut random = Random::new(setting.seed);
    let mut steps: Vec<Step> = Vec::new();
    while !cursor.is_terminal() && steps.len() < setting.most_steps && !stop.load(Ordering::Relaxed) {
        // What replaces a missing move is drawn before anybody is asked.
        let mut joint = Vec::new();
        for (role, name) in roles.iter().enumerate() {
            let mv = cursor.draw(role, &mut random).ok_or_else(|| {
                let problem = format!("{name} has no legal move after {} steps", steps.len());
                InputError::new("rule sheet", problem, "mend it so that every role always has one")
            })?;
            joint.push(mv);
        }
        let replies = table.ask_for_moves(steps.last());
        let (mut errors, mut milliseconds) = (Vec::new(), Vec::new());
        for (role, reply) in replies.into_iter().enumerate() {
            milliseconds.push(reply.took.as_millis() as u64);
            errors.push(match reply.text {
                None => String::new(),
                Some(Ok(text)) => match machine.read_move(role, &text) {
                    Ok(mv) if cursor.is_legal(role, mv) => {
                        joint[role] = mv;
                        String::new()
                    }
                    _ => format!("illegal {}", spinney_core::error::shorten(&text)),
                },
                Some(Err(error)) => error,
            });
        }
        let moves = joint.iter().enumerate().map(|(role, &mv)| machine.move_text(role, mv)).collect();
        cursor.step(&joint);
        steps.push(Step { step: steps.len() + 1, moves, errors, milliseconds });
        tell(&steps[steps.len() - 1]);
    }
    let is_over = cursor.is_terminal();
    table.end(steps.last(), is_over);
    let goals = if is_over { (0..roles.len()).map(|role| cursor.goal(role)).collect() } else { Vec::new() };
    Ok(Played { id: setting.id.clone(), roles, steps, goals })
}

/// What a player said; nobody is asked for random moves.
struct Reply {
    text: Option<Result<String, String>>,
    took: Duration,
}

struct Table<'a> {
    setting: &'a Setting,
    roles: &'a [String],
}

impl Table<'_> {
    /// Sends a message to every remote player at once and waits for all.
    fn ask_all(&self, patience: Duration, message: impl Fn(usize) -> String + Sync) -> Vec<Reply> {
        thread::scope(|scope| {
            let asked: Vec<_> = (0..self.roles.len())
                .map(|role| {
                    let message = &message;
                    let opponent = &self.setting.players[role];
                    scope.spawn(move || {
                        let started = Instant::now();
                        let text = match opponent {
                            Opponent::Random => None,
                            Opponent::Remote(address) => {
                                Some(http::ask(address, &message(role), started + patience).map_err(|error| {
                                    match error.kind() {
                                        ErrorKind::TimedOut | ErrorKind::WouldBlock => "late".to_string(),
                                        ErrorKind::InvalidData => "illegal reply".to_string(),
                                        _ => "unreachable".to_string(),
                                    }
                                }))
                            }
                        };
                        Reply { text, took: started.elapsed() }
                    })
                })
                .collect();
            let lost = || Reply { text: Some(Err("unreachable".to_string())), took: patience };
            asked.into_iter().map(|thread| thread.join().unwrap_or_else(|_| lost())).collect()
        })
    }

    fn start(&self) {
        let Setting { id, startclock, playclock, .. } = self.setting;
        // On the wire a sheet has no comments.
        let sheet: String =
            self.setting.sheet.lines().map(|line| line.split(';').next().unwrap_or("")).collect::<Vec<_>>().join(" ");
        self.ask_all(*startclock, |role| {
            let (start, play) = (startclock.as_secs(), playclock.as_secs());
            format!("( START {id} {} ( {sheet} ) {start} {play} )", self.roles[role])
        });
    }

    fn ask_for_moves(&self, last: Option<&Step>) -> Vec<Reply> {
        let moves = written(last);
        self.ask_all(self.setting.playclock, |_| format!("( PLAY {} {moves} )", self.setting.id))
    }

    fn end(&self, last: Option<&Step>, is_over: bool) {
        let moves = written(last);
        let id = &self.setting.id;
        self.ask_all(Duration::from_secs(2), |_| {
            if is_over { format!("( STOP {id} {moves} )") } else { format!("( ABORT {id} )") }
        });
    }
}

fn written(last: Option<&Step>) -> String {
    last.map_or("NIL".to_string(), |step| format!("( {} )", step.moves.join(" ")))
}
