//! A game looked at again: what agents think of every position, which moves cost most, and what was better.
//!
//! [`review`] is the work, [`Review::json`] and [`Review::page`] what comes out; `serve` makes it live for the page, and the
//! command line calls the same.

mod page;
pub(crate) mod serve;

use serde_json::{Value, json};
use spinney_core::game::{Outcome, Player, Turn};
use spinney_core::{InputError, Seed};
use spinney_search::tree::Proof;
use spinney_search::{AgentSettings, Budget};
use spinney_table::table::{Question, Thought};
use spinney_table::{Laboratory, Table};
use std::sync::atomic::{AtomicBool, Ordering};

/// A game as it was played.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// The game with its options.
    pub game: String,
    /// Where the moves begin; the initial position when `None`.
    pub position: Option<String>,
    /// All moves and outcomes of chance.
    pub moves: Vec<String>,
    /// Who played, where that is known.
    pub names: Option<[String; 2]>,
}

impl Played {
    /// Reads records of games, one after the other: lines `game …`, `position …`, `moves …`, `first …` and `second …` (who
    /// played), as the page and `spinney play` write them. What else they say is passed over.
    ///
    /// ```
    /// use spinney_web::review::Played;
    /// let text = "game: tic-tac-toe\nmoves: b2 1. a1\nmoves: c3\n\ngame pig\nmoves roll 8 stop\n";
    /// let played = Played::read("record", text).unwrap();
    /// assert_eq!((played.len(), played[0].moves.join(" ")), (2, "b2 a1 c3".to_string()));
    /// assert_eq!(played[1].game, "pig");
    /// ```
    pub fn read(place: &str, text: &str) -> Result<Vec<Self>, InputError> {
        let mut all: Vec<Self> = Vec::new();
        for line in text.lines().map(str::trim) {
            let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let (key, rest) = (key.trim_end_matches(':'), rest.trim());
            if key == "game" {
                all.push(Self { game: rest.to_string(), ..Self::default() });
            }
            let Some(played) = all.last_mut() else { continue };
            let own = |seat: usize, names: Option<[String; 2]>| {
                let mut names = names.unwrap_or_default();
                names[seat] = rest.to_string();
                Some(names)
            };
            match key {
                "position" => played.position = Some(rest.to_string()).filter(|rest| !rest.is_empty()),
                "first" => played.names = own(0, played.names.take()),
                "second" => played.names = own(1, played.names.take()),
                "moves" => {
                    let is_number = |word: &&str| {
                        word.ends_with('.') && word.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit())
                    };
                    let words = rest.split_whitespace().filter(|word| !is_number(word));
                    played.moves.extend(words.map(str::to_string));
                }
                _ => {}
            }
        }
        if all.is_empty() || all.iter().any(|played| played.game.is_empty()) {
            let remedy = "write lines `game NAME`, `moves …` and, if need be, `position …`";
            return Err(InputError::new(place, "it names no game", remedy));
        }
        Ok(all)
    }
}

/// What an agent thinks of a position.
#[derive(Clone, Debug)]
pub struct Opinion {
    /// The chance of the first player to win, from 0 to 1 (a draw is half a win); the expected score in a game of one.
    pub value: f64,
    /// Half the width of the search's 95 % interval of it.
    pub margin: Option<f64>,
    /// The move that it would have made.
    pub best: String,
    /// What it expects after it, beginning with it.
    pub line: Vec<String>,
    /// What the move that was made costs its player, in the same unit; `None` where nothing was moved.
    pub loss: Option<f64>,
    /// How much less the search of the next position thinks of its player, where no chance came between.
    drop: Option<f64>,
    /// What is proven for the player to move.
    pub proof: Proof,
    /// Simulations.
    pub simulations: u64,
}

/// A position of the game and the move that was made there.
#[derive(Clone, Debug)]
pub struct Ply {
    /// Who was to move; `None` for chance and at the end.
    pub mover: Option<Player>,
    /// What was moved; `None` at the end.
    pub mv: Option<String>,
    /// Of each agent; none where nobody had to decide.
    pub opinions: Vec<Opinion>,
    /// What the end of the game is worth, as in [`Opinion::value`].
    pub end: Option<f64>,
}

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// Worse than another, a little.
    Inaccuracy,
    /// Clearly worse.
    Mistake,
    /// The game may be lost by it.
    Blunder,
}

impl Judgement {
    /// Of what a move costs, in parts of what can be won.
    ///
    /// ```
    /// use spinney_web::review::Judgement;
    /// assert_eq!(Judgement::of(0.04), None);
    /// assert_eq!(Judgement::of(0.31), Some(Judgement::Blunder));
    /// ```
    pub fn of(loss: f64) -> Option<Self> {
        match loss {
            loss if loss >= 0.3 => Some(Self::Blunder),
            loss if loss >= 0.15 => Some(Self::Mistake),
            loss if loss >= 0.07 => Some(Self::Inaccuracy),
            _ => None,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// A game with opinions on all its positions.
#[derive(Clone, Debug)]
pub struct Review {
    /// What was played.
    pub played: Played,
    /// What the players are called.
    pub players: [String; 2],
    /// The agents, as they are written.
    pub agents: Vec<String>,
    /// Whether values are scores of one player.
    pub scored: bool,
    /// Every position from the first to the last.
    pub plies: Vec<Ply>,
    /// How it ended, if it did.
    pub result: Option<String>,
    pub(crate) boards: Vec<(usize, String)>,
}

/// What is asked of a review.
#[derive(Clone, Debug)]
pub struct Wish {
    /// One or two agents.
    pub agents: Vec<AgentSettings>,
    /// For each position and agent.
    pub budget: Budget,
    /// All randomness comes from here.
    pub seed: u64,
}

/// Boards that are drawn for the page: those before the worst moves.
const MOST_BOARDS: usize = 6;

/// Lets the agents think about every position of a game; `tell` hears of each of them, with what is known so far. `None` if `stop`
/// was set meanwhile.
pub fn review(
    laboratory: &Laboratory,
    played: &Played,
    wish: &Wish,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&Review),
) -> Result<Option<Review>, InputError> {
    let mut table = laboratory.open(&played.game, played.position.as_deref())?;
    let seats: Vec<usize> = wish
        .agents
        .iter()
        .map(|agent| table.seat(&agent.clone().with_budget(&wish.budget)))
        .collect::<Result<_, _>>()?;
    let name = |player: Player| table.player_name(player).split(" (").next().unwrap_or_default().to_string();
    let mut review = Review {
        played: Played { game: table.game(), ..played.clone() },
        players: Player::BOTH.map(name),
        agents: seats.iter().map(|&seat| table.agent(seat)).collect(),
        scored: table.score().is_some(),
        plies: Vec::new(),
        result: None,
        boards: Vec::new(),
    };
    for number in 0..=played.moves.len() {
        let mv = played.moves.get(number);
        let ply = look(table.as_mut(), &seats, wish, mv, number, stop);
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        review.plies.push(ply);
        if let Some(mv) = mv {
            table.play(mv).map_err(|error| error.within(format!("move {}", number + 1)))?;
        }
        review.settle(number);
        tell(&review);
    }
    review.result = match table.turn() {
        Turn::Over(Outcome::Win(player)) => Some(format!("{} wins", review.players[player.index()])),
        Turn::Over(Outcome::Draw) => Some("a draw".to_string()),
        Turn::Over(Outcome::Scored) => Some(format!("score {}", table.score().unwrap_or(0.0))),
        Turn::Player(_) | Turn::Chance => None,
    };
    review.calibrate();
    review.draw_boards(table.as_mut());
    Ok(Some(review))
}

/// What the agents in these seats think of the position on the table.
fn look(
    table: &mut dyn Table,
    seats: &[usize],
    wish: &Wish,
    mv: Option<&String>,
    number: usize,
    stop: &AtomicBool,
) -> Ply {
    let scored = table.score().is_some();
    let mv = mv.cloned();
    match table.turn() {
        Turn::Player(mover) => {
            let seed = Seed::new(wish.seed).child(number as u64);
            let mut ask = |seat: &usize| {
                table.think(*seat, &mut Question { seed, budget: Some(wish.budget), stop, observer: None })
            };
            let opinions = seats.iter().map(|seat| Opinion::of(&ask(seat), mover, mv.as_deref(), scored)).collect();
            Ply { mover: Some(mover), mv, opinions, end: None }
        }
        Turn::Chance => Ply { mover: None, mv, opinions: Vec::new(), end: None },
        Turn::Over(outcome) => {
            let end = match outcome {
                Outcome::Win(Player::First) => 1.0,
                Outcome::Win(Player::Second) => 0.0,
                Outcome::Draw => 0.5,
                Outcome::Scored => table.score().unwrap_or(0.0),
            };
            Ply { mover: None, mv, opinions: Vec::new(), end: Some(end) }
        }
    }
}

/// A reward in the view of a player as the first player's chance to win; scores stay as they are.
fn chance(reward: f64, mover: Player, scored: bool) -> f64 {
    if scored {
        return reward;
    }
    let own = f64::midpoint(reward.clamp(-1.0, 1.0), 1.0);
    if mover == Player::First { own } else { 1.0 - own }
}

impl Opinion {
    fn of(thought: &Thought, mover: Player, mv: Option<&str>, scored: bool) -> Self {
        let best = thought.candidates.iter().find(|one| one.mv == thought.chosen).or(thought.candidates.first());
        let reward = |proof: Proof, mean: f32| match proof {
            Proof::Win => 1.0,
            Proof::Loss => -1.0,
            Proof::Draw => 0.0,
            Proof::Unknown => f64::from(mean),
        };
        let mean = best.map_or(0.0, |best| reward(best.proof, best.mean));
        let margin = best.filter(|best| best.margin.is_finite() && best.proof == Proof::Unknown);
        // Until the next position is known, the move's own candidate says what it costs.
        let made = thought.candidates.iter().find(|one| Some(one.mv.as_str()) == mv && one.visits > 0);
        let loss = match mv {
            Some(mv) if mv == thought.chosen => Some(0.0),
            Some(_) => made.map(|made| (mean - reward(made.proof, made.mean)) * if scored { 1.0 } else { 0.5 }),
            None => None,
        };
        Self {
            value: chance(mean, mover, scored),
            margin: margin.map(|best| f64::from(best.margin) * if scored { 1.0 } else { 0.5 }),
            best: thought.chosen.clone(),
            line: best.map(|best| best.variation.clone()).unwrap_or_default(),
            loss: loss.map(|loss| loss.max(0.0)),
            drop: None,
            proof: thought.proof,
            simulations: thought.totals.simulations,
        }
    }
}

impl Review {
    /// The value of a position to an agent, if it is known.
    pub fn value(&self, ply: usize, agent: usize) -> Option<f64> {
        let ply = self.plies.get(ply)?;
        ply.end.or_else(|| ply.opinions.get(agent).map(|one| one.value))
    }

    /// What the move before the position `ply` cost, now that the position after it is known: what the search there says is worth more than
    /// the few simulations that went through the move. Where chance came between, luck would be blamed on the player.
    fn settle(&mut self, ply: usize) {
        let Some(before) = ply.checked_sub(1) else { return };
        let Some(mover) = self.plies[before].mover else { return };
        for agent in 0..self.plies[before].opinions.len() {
            let Some(after) = self.value(ply, agent) else { continue };
            let Ply { mv, opinions, .. } = &mut self.plies[before];
            let opinion = &mut opinions[agent];
            let drop = if mover == Player::First { opinion.value - after } else { after - opinion.value };
            opinion.drop = Some(drop);
            if mv.as_ref() != Some(&opinion.best) {
                opinion.loss = Some(drop.max(0.0));
            }
        }
    }

    /// Short searches think too well of the player to move, so that even their own best moves seem to cost something: that much is
    /// taken off what all others cost.
    fn calibrate(&mut self) {
        for agent in 0..self.agents.len() {
            let own = |ply: &Ply| ply.opinions.get(agent).filter(|one| ply.mv.as_ref() == Some(&one.best))?.drop;
            let mut drops: Vec<f64> = self.plies.iter().filter_map(own).collect();
            drops.sort_by(f64::total_cmp);
            let usual = drops.get(drops.len() / 2).copied().unwrap_or(0.0).max(0.0);
            for Ply { mv, opinions, .. } in &mut self.plies {
                let Some(opinion) = opinions.get_mut(agent) else { continue };
                if let Some(drop) = opinion.drop.filter(|_| mv.as_ref() != Some(&opinion.best)) {
                    opinion.loss = Some((drop - usual).max(0.0));
                }
            }
        }
    }

    /// What can be won: 1, or in a game of one player the largest score that was expected.
    fn scale(&self) -> f64 {
        if !self.scored {
            return 1.0;
        }
        let values = (0..self.plies.len()).filter_map(|ply| self.value(ply, 0)).map(f64::abs);
        values.fold(f64::MIN_POSITIVE, f64::max)
    }

    /// How bad the move of a ply was to an agent, unless the search cannot tell.
    pub fn judgement(&self, ply: usize, agent: usize) -> Option<Judgement> {
        let margin = |ply: usize| self.plies.get(ply)?.opinions.get(agent)?.margin;
        let unsure = margin(ply).unwrap_or(0.0) + margin(ply + 1).unwrap_or(0.0);
        let loss = self.plies.get(ply)?.opinions.get(agent)?.loss.filter(|loss| *loss > unsure)?;
        Judgement::of(loss / self.scale())
    }

    /// The worst moves, worst first, as ply and agent; each ply once.
    pub fn mistakes(&self) -> Vec<(usize, usize)> {
        let loss = |&(ply, agent): &(usize, usize)| self.plies[ply].opinions[agent].loss.unwrap_or(0.0);
        let of_ply = |ply: usize| {
            let agents = (0..self.plies[ply].opinions.len()).map(|agent| (ply, agent));
            let judged = agents.filter(|&(ply, agent)| self.judgement(ply, agent).is_some());
            judged.max_by(|one, other| loss(one).total_cmp(&loss(other)))
        };
        let mut all: Vec<(usize, usize)> = (0..self.plies.len()).filter_map(of_ply).collect();
        all.sort_by(|one, other| loss(other).total_cmp(&loss(one)));
        all
    }

    /// All of it; `docs/web.md` describes the keys.
    pub fn json(&self) -> Value {
        let mistake = |&(ply, agent): &(usize, usize)| {
            let Ply { mover, mv, opinions, .. } = &self.plies[ply];
            let Opinion { best, line, loss, .. } = &opinions[agent];
            json!({
                "ply": ply, "agent": agent, "player": mover.map(Player::number), "move": mv, "best": best, "line": line,
                "loss": loss, "judgement": self.judgement(ply, agent).map(Judgement::word),
            })
        };
        json!({
            "game": self.played.game, "position": self.played.position, "names": self.played.names, "players": self.players,
            "agents": self.agents, "scored": self.scored, "result": self.result,
            "plies": (0..self.plies.len()).map(|ply| self.ply(ply)).collect::<Vec<_>>(),
            "mistakes": self.mistakes().iter().map(mistake).collect::<Vec<_>>(),
        })
    }

    /// One position.
    pub fn ply(&self, number: usize) -> Value {
        let Ply { mover, mv, opinions, end } = &self.plies[number];
        let opinion = |(agent, own): (usize, &Opinion)| {
            let proof = match own.proof {
                Proof::Unknown => None,
                Proof::Win => Some("win"),
                Proof::Loss => Some("loss"),
                Proof::Draw => Some("draw"),
            };
            json!({
                "value": own.value, "margin": own.margin, "best": own.best, "line": own.line, "loss": own.loss, "proof": proof,
                "judgement": self.judgement(number, agent).map(Judgement::word), "simulations": own.simulations,
            })
        };
        json!({
            "ply": number, "player": mover.map(Player::number), "move": mv, "end": end,
            "opinions": opinions.iter().enumerate().map(opinion).collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests;
