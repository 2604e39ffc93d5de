//! `spinney play`: a board in the terminal.

mod board;
mod prompt;
mod record;

use super::lab::on_all_cores;
use crate::arguments::Play;
use crate::interrupt;
use crate::text::{candidates, grouped, line_width, screen_width, summary, wrapped};
use board::Paint;
use console::{Term, truncate_str};
use prompt::{Lines, Wish, wish};
use record::Record;
use spinney_core::{InputError, Outcome, Player, Seed, Turn};
use spinney_search::Timekeeper;
use spinney_table::table::{Look, Question, Thought};
use spinney_table::{Laboratory, Table};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::time::{Duration, Instant};

/// Who sits at a side: a person, or the agent in a seat of the table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seat {
    Human,
    Agent(usize),
}

/// Candidates shown after an agent's move, without `--all`.
const SHOWN: usize = 5;
/// How often it is told how far an agent's thoughts are.
const INTERVAL: Duration = Duration::from_millis(200);
/// Seeds that were not chosen are short enough to be written down.
const SEEDS: u64 = 1_000_000;

pub fn run(arguments: &Play, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let mut table = laboratory.open(&arguments.game, arguments.position.as_deref())?;
    let seats = [
        seat(laboratory, table.as_mut(), arguments, &arguments.first)?,
        seat(laboratory, table.as_mut(), arguments, &arguments.second)?,
    ];
    let adviser = match seats.iter().find(|seat| **seat != Seat::Human) {
        Some(Seat::Agent(adviser)) => *adviser,
        _ => table.seat(&on_all_cores(laboratory.agent("mcts(time=1)")?))?,
    };
    let seed = arguments.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish() % SEEDS);
    let record = arguments.record.as_deref().map(Record::open).transpose()?;
    let mut game = Match {
        table,
        seats,
        adviser,
        seed: Seed::new(seed),
        most: if arguments.all { usize::MAX } else { SHOWN },
        is_quiet: arguments.quiet,
        paint: Paint::of_screen(),
        keepers: arguments.clock.map(|clock| [Timekeeper::new(clock); 2]),
    };
    interrupt::flag();
    // Threads do not meet twice in the same way.
    let is_alone = game.players().iter().all(|(_, name)| !name.contains("threads="));
    let repeat = if arguments.seed.is_none() && arguments.clock.is_none() && is_alone {
        format!(" (--seed {seed} repeats it)")
    } else {
        String::new()
    };
    writeln!(out, "{} · seed {seed}{repeat}", game.table.game())?;
    for (player, name) in game.players() {
        writeln!(out, "  {}: {name}", game.name(player))?;
    }
    writeln!(out)?;
    game.show_board(out)?;
    let result = game.play(out)?;
    let history = game.table.history();
    if !history.is_empty() {
        writeln!(out, "moves:")?;
        write!(out, "{}", wrapped(history.iter().map(String::as_str), " ", 2, screen_width()))?;
    }
    if let Some(record) = record {
        record.write(game.table.as_ref(), arguments.position.as_deref(), seed, &game.players(), &result)?;
        if let Some(path) = &arguments.record {
            writeln!(out, "record: {}", path.display())?;
        }
    }
    Ok(())
}

/// A game that is being played.
struct Match {
    table: Box<dyn Table>,
    seats: [Seat; 2],
    /// The seat of the agent that gives hints.
    adviser: usize,
    seed: Seed,
    /// Candidates shown.
    most: usize,
    is_quiet: bool,
    paint: Paint,
    /// The clocks of both players, if they have any.
    keepers: Option<[Timekeeper; 2]>,
}

impl Match {
    /// Who plays, by name.
    fn players(&self) -> Vec<(Player, String)> {
        let players = if self.table.score().is_some() { 1 } else { 2 };
        let name = |seat: Seat| match seat {
            Seat::Human => "you".to_string(),
            Seat::Agent(seat) => self.table.agent(seat),
        };
        Player::BOTH.into_iter().zip(self.seats).take(players).map(|(player, seat)| (player, name(seat))).collect()
    }

    /// What a player is called, in the colour of the pieces.
    fn name(&self, player: Player) -> String {
        self.paint.name(player, self.table.player_name(player))
    }

    fn show_board(&self, out: &mut impl Write) -> std::io::Result<()> {
        writeln!(out, "{}", self.paint.board(self.table.as_ref()))
    }

    /// Plays until the game is over or somebody leaves, and says how it ended.
    fn play(&mut self, out: &mut impl Write) -> anyhow::Result<String> {
        let left = || Ok("unfinished".to_string());
        let mut lines = Lines::default();
        // When a person began to think.
        let mut begun: Option<Instant> = None;
        loop {
            let player = match self.table.turn() {
                Turn::Over(outcome) => {
                    let result = result(self.table.as_ref(), outcome);
                    writeln!(out, "{result}")?;
                    return Ok(result);
                }
                Turn::Player(player) => player,
                Turn::Chance => {
                    let seed = self.seed.named("chance").child(self.table.history().len() as u64);
                    if let Some(outcome) = self.table.draw_outcome(seed) {
                        writeln!(out, "chance: {outcome}\n")?;
                        self.show_board(out)?;
                    }
                    continue;
                }
            };
            match self.seats[player.index()] {
                Seat::Agent(seat) => {
                    let before = self.left(player);
                    let started = Instant::now();
                    let thought = self.think(seat, player, true);
                    if interrupt::pressed() {
                        return left();
                    }
                    if before.is_some_and(|left| started.elapsed() > left) {
                        return self.lose_on_time(player, out);
                    }
                    self.show_thought(&thought, out)?;
                    writeln!(out, "{} plays {}\n", self.name(player), thought.chosen)?;
                    self.table.play(&thought.chosen)?;
                    self.show_board(out)?;
                }
                Seat::Human => {
                    let begun_at = *begun.get_or_insert_with(Instant::now);
                    let clock = self.left(player).map(|left| left.saturating_sub(begun_at.elapsed()));
                    let clock = clock.map_or(String::new(), |left| format!(" ({:.1} s)", left.as_secs_f64()));
                    write!(out, "{}{clock}: ", self.name(player))?;
                    out.flush()?;
                    let Some(line) = lines.next()? else {
                        writeln!(out)?;
                        return left();
                    };
                    let used = begun_at.elapsed();
                    if self.left(player).is_some_and(|left| used > left) {
                        return self.lose_on_time(player, out);
                    }
                    let plies = self.table.history().len();
                    if !self.answer(line.trim(), player, out)? {
                        return left();
                    }
                    if self.table.history().len() > plies {
                        begun = None;
                        if let Some(keepers) = &mut self.keepers {
                            keepers[player.index()].press(used);
                        }
                    }
                }
            }
        }
    }

    /// What is left on the clock of a player.
    fn left(&self, player: Player) -> Option<Duration> {
        self.keepers.as_ref().map(|keepers| keepers[player.index()].clock().left())
    }

    /// The flag of a player has fallen.
    fn lose_on_time(&self, player: Player, out: &mut impl Write) -> anyhow::Result<String> {
        let result = format!("{} wins on time", self.table.player_name(player.other()));
        writeln!(out, "{result}")?;
        Ok(result)
    }

    /// Lets an agent think, by the clock if there is one and the move is its own, with a line that tells how far it is where
    /// there is a screen.
    fn think(&mut self, seat: usize, player: Player, is_own: bool) -> Thought {
        let seed = self.seed.child(self.table.history().len() as u64);
        let (screen, name) = (Term::stdout(), self.table.player_name(player).to_string());
        let shown = |text: &str| {
            // A screen that cannot be written to shows nothing; the search goes on.
            let _ = screen.clear_line();
            let _ = screen.write_str(&truncate_str(text, usize::from(screen.size().1).saturating_sub(1), "…"));
        };
        let mut tell = |thought: &Thought, _: Look<'_>| {
            let best = thought.candidates.first().map_or(String::new(), |best| format!(", {}", best.mv));
            let (count, seconds) = (grouped(thought.totals.simulations), thought.elapsed.as_secs_f64());
            let line = format!("{name} thinks: {seconds:.1} s, {count} simulations{best}");
            shown(&line);
        };
        let mut question = Question { seed, budget: None, stop: interrupt::flag(), observer: None };
        if screen.is_term() {
            // Not every agent tells of its thoughts.
            shown(&format!("{name} thinks"));
            question.observer = Some((INTERVAL, &mut tell));
        }
        let thought = match &mut self.keepers {
            Some(keepers) if is_own => self.table.think_by_clock(seat, &mut question, &mut keepers[player.index()]),
            _ => self.table.think(seat, &mut question),
        };
        if screen.is_term() {
            let _ = screen.clear_line();
        }
        thought
    }

    fn show_thought(&self, thought: &Thought, out: &mut impl Write) -> std::io::Result<()> {
        if self.is_quiet {
            return Ok(());
        }
        write!(out, "{}{}", candidates(thought, self.most, line_width()), summary(thought, line_width()))
    }

    /// Does what a person asked for; false ends the game.
    fn answer(&mut self, line: &str, player: Player, out: &mut impl Write) -> anyhow::Result<bool> {
        match wish(line, &self.table.moves()) {
            Wish::Nothing => {}
            Wish::Quit => return Ok(false),
            Wish::Say(text) => writeln!(out, "{}", text.trim_end())?,
            Wish::Position => writeln!(out, "{}", self.table.position())?,
            Wish::Board => self.show_board(out)?,
            Wish::Hint => {
                let thought = self.think(self.adviser, player, false);
                // The wish was for a move; whoever wants peace gets that alone.
                self.show_thought(&thought, out)?;
                writeln!(out, "hint: {}", thought.chosen)?;
            }
            Wish::Undo => {
                if !self.undo() {
                    writeln!(out, "there is no move of yours to take back")?;
                }
                self.show_board(out)?;
            }
            Wish::Move(mv) => {
                self.table.play(&mv)?;
                self.show_board(out)?;
            }
        }
        Ok(true)
    }

    /// Takes moves back until a person is to move again; restores them if that never happens.
    fn undo(&mut self) -> bool {
        let history = self.table.history();
        while self.table.undo() {
            if let Turn::Player(player) = self.table.turn()
                && self.seats[player.index()] == Seat::Human
            {
                return true;
            }
        }
        for mv in history {
            if self.table.play(&mv).is_err() {
                break;
            }
        }
        false
    }
}

/// Who sits there. An agent thinks on all cores, unless a seed says that the game is to be repeated.
fn seat(laboratory: &Laboratory, table: &mut dyn Table, arguments: &Play, who: &str) -> Result<Seat, InputError> {
    if who == "human" {
        return Ok(Seat::Human);
    }
    let agent = laboratory.agent(who)?;
    let agent = if arguments.seed.is_some() { agent } else { on_all_cores(agent) };
    Ok(Seat::Agent(table.seat(&agent)?))
}

fn result(table: &dyn Table, outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(player) => format!("{} wins", table.player_name(player)),
        Outcome::Draw => "a draw".to_string(),
        Outcome::Scored => format!("the game is over with a score of {}", table.score().unwrap_or_default()),
    }
}
