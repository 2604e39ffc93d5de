//! A game manager: referees a match between players over HTTP and lets no bad player spoil it.
//!
//! Whoever is late, unreachable or illegal gets a random legal move; nobody forfeits.

use crate::http;
use crate::printable::printable;
use crate::scramble::Scrambler;
use crate::spelling::Spelling;
use serde::Serialize;
use spinney_core::{InputError, Random, Seed};
use spinney_gdl::expression::Expression;
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
    /// How long players may look at the rules before the match, if they are shown beforehand.
    pub preview: Option<Duration>,
    /// Whether players get other names than the sheet has.
    pub scrambled: bool,
    /// The tournament that it belongs to.
    pub tournament: Option<String>,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            id: "match".to_string(),
            sheet: String::new(),
            players: Vec::new(),
            startclock: Duration::from_secs(30),
            playclock: Duration::from_secs(15),
            seed: Seed::new(1),
            most_steps: 10_000,
            preview: None,
            scrambled: false,
            tournament: None,
        }
    }
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
    /// The facts of every state, the first included, in brackets.
    #[serde(skip)]
    pub states: Vec<String>,
}

/// The role of this name is chance: the manager draws its moves and sends it nothing.
const CHANCE_ROLE: &str = "random";

/// Plays a match; `tell` hears of every step. A match that is stopped has no goals.
///
/// # Errors
/// A sheet that is no game, or players that are not as many as its roles. The role `random` is chance and needs none.
pub fn play(setting: &Setting, stop: &AtomicBool, mut tell: impl FnMut(&Step)) -> Result<Played, InputError> {
    play_watched(setting, stop, |played| played.steps.last().into_iter().for_each(&mut tell))
}

/// The same; `tell` hears of the match so far: at its beginning, and after every step.
///
/// # Errors
/// As [`play`].
pub fn play_watched(setting: &Setting, stop: &AtomicBool, mut tell: impl FnMut(&Played)) -> Result<Played, InputError> {
    let expressions = Expression::read_all(&setting.sheet)?;
    let machine = Machine::build(&Rules::from_expressions(&expressions)?, &Limits::default())?;
    let roles = machine.roles().to_vec();
    let chance = roles.iter().position(|role| role.eq_ignore_ascii_case(CHANCE_ROLE));
    let mut players = setting.players.clone();
    if let Some(chance) = chance.filter(|_| players.len() + 1 == roles.len()) {
        players.insert(chance, Opponent::Random);
    }
    if roles.len() != players.len() || chance.is_some_and(|chance| players[chance] != Opponent::Random) {
        let names: Vec<&str> = roles.iter().map(String::as_str).filter(|name| *name != CHANCE_ROLE).collect();
        let problem = format!("the game has {} roles: {}", names.len(), names.join(", "));
        return Err(InputError::new("players", problem, "name a player for each"));
    }
    let mut scrambler = setting.scrambled.then(|| Scrambler::new(setting.seed.named(&setting.id)));
    let wire = |scrambler: &mut Option<Scrambler>, text: &str| match scrambler {
        Some(scrambler) => scrambler.scramble(text),
        None => text.to_string(),
    };
    let spelling = Spelling::of(&expressions);
    let rules = expressions.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let names = roles.iter().map(|role| wire(&mut scrambler, role)).collect();
    let table = Table { setting, players: &players, names, rules: wire(&mut scrambler, &rules) };
    table.start();
    let mut cursor = machine.cursor();
    let mut random = Random::new(setting.seed);
    let state = |cursor: &spinney_gdl::Cursor| format!("( {} )", machine.state_text(cursor.state()).join(" "));
    let mut played = Played {
        id: setting.id.clone(),
        roles: roles.clone(),
        steps: Vec::new(),
        goals: Vec::new(),
        states: vec![state(&cursor)],
    };
    tell(&played);
    let mut last: Option<Vec<String>> = None;
    while !cursor.is_terminal() && played.steps.len() < setting.most_steps && !stop.load(Ordering::Relaxed) {
        // What replaces a missing move is drawn before anybody is asked.
        let mut joint = Vec::new();
        for (role, name) in roles.iter().enumerate() {
            let mv = cursor.draw(role, &mut random).ok_or_else(|| {
                let problem = format!("{name} has no legal move after {} steps", played.steps.len());
                InputError::new("rule sheet", problem, "mend it so that every role always has one")
            })?;
            joint.push(mv);
        }
        let replies = table.ask_for_moves(last.as_deref());
        let (mut errors, mut milliseconds) = (Vec::new(), Vec::new());
        for (role, reply) in replies.into_iter().enumerate() {
            milliseconds.push(reply.took.as_millis() as u64);
            errors.push(match reply.text {
                None => String::new(),
                Some(Ok(text)) => {
                    let meant = scrambler.as_mut().map_or_else(|| text.clone(), |names| names.unscramble(&text));
                    match machine.read_move(role, &meant) {
                        Ok(mv) if cursor.is_legal(role, mv) => {
                            joint[role] = mv;
                            String::new()
                        }
                        _ => format!("illegal {}", printable(spinney_core::error::shorten(&meant).as_str())),
                    }
                }
                Some(Err(error)) => error,
            });
        }
        let write = |(role, &mv): (usize, &u32)| spelling.write(&machine.move_text(role, mv));
        let moves: Vec<String> = joint.iter().enumerate().map(write).collect();
        cursor.step(&joint);
        played.states.push(state(&cursor));
        last = Some(moves.iter().map(|mv| wire(&mut scrambler, mv)).collect());
        played.steps.push(Step { step: played.steps.len() + 1, moves, errors, milliseconds });
        tell(&played);
    }
    let is_over = cursor.is_terminal();
    table.end(last.as_deref(), is_over);
    if is_over {
        played.goals = (0..roles.len()).map(|role| cursor.goal(role)).collect();
    }
    Ok(played)
}

/// What a player said; nobody is asked for random moves.
struct Reply {
    text: Option<Result<String, String>>,
    took: Duration,
}

struct Table<'a> {
    setting: &'a Setting,
    players: &'a [Opponent],
    /// Roles and rules as players get them.
    names: Vec<String>,
    rules: String,
}

impl Table<'_> {
    /// Sends a message to every remote player at once and waits for all.
    fn ask_all(&self, patience: Duration, message: impl Fn(usize) -> String + Sync) -> Vec<Reply> {
        thread::scope(|scope| {
            let asked: Vec<_> = (0..self.players.len())
                .map(|role| {
                    let message = &message;
                    let opponent = &self.players[role];
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
        let Setting { id, startclock, playclock, preview, .. } = self.setting;
        let rules = &self.rules;
        if let Some(clock) = preview {
            self.ask_all(*clock, |_| format!("( PREVIEW ( {rules} ) {} )", clock.as_secs()));
        }
        self.ask_all(*startclock, |role| {
            let (start, play) = (startclock.as_secs(), playclock.as_secs());
            format!("( START {id} {} ( {rules} ) {start} {play} )", self.names[role])
        });
    }

    fn ask_for_moves(&self, last: Option<&[String]>) -> Vec<Reply> {
        let moves = written(last);
        self.ask_all(self.setting.playclock, |_| format!("( PLAY {} {moves} )", self.setting.id))
    }

    fn end(&self, last: Option<&[String]>, is_over: bool) {
        let moves = written(last);
        let id = &self.setting.id;
        self.ask_all(Duration::from_secs(2), |_| {
            if is_over { format!("( STOP {id} {moves} )") } else { format!("( ABORT {id} )") }
        });
    }
}

fn written(last: Option<&[String]>) -> String {
    last.map_or("NIL".to_string(), |moves| format!("( {} )", moves.join(" ")))
}
