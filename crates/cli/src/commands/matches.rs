//! `spinney match`: pairs of games with seats swapped, on all cores, the same result for any number of threads.

use crate::arguments::Match;
use crate::interrupt;
use crate::text::grouped;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use spinney_core::{InputError, Outcome, Player, Seed};
use spinney_search::table::GameText;
use spinney_search::{AgentSettings, Table, open_table};
use spinney_stats::{Interval, paired_interval};
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// The games of one pair: A first, then B first; the second is missing in the last pair of an odd number.
type Pair = Vec<GameText>;

pub fn run(arguments: &Match, out: &mut impl Write) -> anyhow::Result<()> {
    let settings: [AgentSettings; 2] = [arguments.a.parse()?, arguments.b.parse()?];
    let open = || -> anyhow::Result<Box<dyn Table>> {
        let mut table = open_table(&arguments.game, None)?;
        table.seat(&settings[0])?;
        table.seat(&settings[1])?;
        Ok(table)
    };
    let shown = open()?;
    if shown.score().is_some() {
        let problem = format!("{} has one player", shown.game());
        return Err(InputError::new("match", problem, "`spinney score` plays it and measures the score").into());
    }
    let (game, names) = (shown.game(), [shown.agent(0), shown.agent(1)]);
    if !arguments.json {
        writeln!(out, "{game}\n  A  {}\n  B  {}", names[0], names[1])?;
        out.flush()?;
    }
    let bar = progress(arguments.games);
    let pairs = play_pairs(arguments, &open, &bar)?;
    bar.finish_and_clear();
    let result = Result::of(&pairs);
    if interrupt::pressed() {
        eprintln!("stopped after {} of {} games; the same command plays them all", result.games, arguments.games);
        if result.games == 0 {
            return Ok(());
        }
    }
    if arguments.json {
        let mut line = result.json(arguments.timing);
        line["game"] = json!(game);
        line["a"] = json!(names[0]);
        line["b"] = json!(names[1]);
        line["seed"] = json!(arguments.seed);
        writeln!(out, "{line}")?;
    } else {
        write!(out, "{}", result.text())?;
        writeln!(out, "repeat with: {}", command(arguments))?;
    }
    Ok(())
}

fn progress(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} games  {per_sec}  left {eta}  {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    bar
}

/// Plays the pairs on several threads; pairs come back in their order, whoever played them.
fn play_pairs(
    arguments: &Match,
    open: &(impl Fn() -> anyhow::Result<Box<dyn Table>> + Sync),
    bar: &ProgressBar,
) -> anyhow::Result<Vec<Pair>> {
    let pairs = arguments.games.div_ceil(2);
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    let threads = arguments.threads.unwrap_or(cores).min(u32::try_from(pairs).unwrap_or(u32::MAX)).max(1);
    let next = AtomicU64::new(0);
    let done: Mutex<(Vec<(u64, Pair)>, Tally)> = Mutex::default();
    let seed = Seed::new(arguments.seed).named(&arguments.game);
    let work = || -> anyhow::Result<()> {
        let mut table = open()?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= pairs || interrupt::pressed() {
                return Ok(());
            }
            let mut pair = Pair::new();
            for (place, seats) in [[0, 1], [1, 0]].into_iter().enumerate() {
                if 2 * number + place as u64 >= arguments.games {
                    break;
                }
                // Both games of a pair share the opening; the agents' randomness depends on seat and ply alone.
                let game = table.play_game(seats, arguments.opening, seed.child(number), interrupt::flag());
                let Some(game) = game else { break };
                let mut done = done.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                done.1.add(score_of_a(&game, place));
                bar.set_message(format!("A {:.1} %", 100.0 * done.1.mean()));
                drop(done);
                bar.inc(1);
                pair.push(game);
            }
            // Interrupted, a pair may be a single game or none.
            if !pair.is_empty() {
                done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).0.push((number, pair));
            }
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(_) => Err(anyhow::anyhow!("a game could not be played to its end")),
        })
    })?;
    let (mut pairs, _) = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    pairs.sort_by_key(|(number, _)| *number);
    Ok(pairs.into_iter().map(|(_, pair)| pair).collect())
}

/// The running score for the progress display.
#[derive(Default)]
struct Tally {
    games: f64,
    points: f64,
}

impl Tally {
    fn add(&mut self, score: f64) {
        self.games += 1.0;
        self.points += score;
    }

    fn mean(&self) -> f64 {
        self.points / self.games
    }
}

/// 1, ½ or 0. A sits first in the first game of a pair.
fn score_of_a(game: &GameText, place: usize) -> f64 {
    f64::from(0.5 + 0.5 * game.outcome.reward(Player::BOTH[place]))
}

/// The match in numbers, in the view of A.
#[derive(Debug, Default)]
struct Result {
    games: u64,
    score: f64,
    interval: Option<Interval>,
    wins: u64,
    draws: u64,
    losses: u64,
    average_plies: f64,
    score_by_seat: [f64; 2],
    simulations: [u64; 2],
    seconds: [f64; 2],
    moves: [u64; 2],
}

impl Result {
    fn of(pairs: &[Pair]) -> Self {
        let mut result = Self::default();
        let mut pair_scores = Vec::new();
        let mut seats = [Tally::default(), Tally::default()];
        let mut plies = 0;
        for pair in pairs {
            let mut of_pair = Tally::default();
            for (place, game) in pair.iter().enumerate() {
                let score = score_of_a(game, place);
                of_pair.add(score);
                seats[place].add(score);
                match game.outcome {
                    Outcome::Draw | Outcome::Scored => result.draws += 1,
                    Outcome::Win(_) if score > 0.5 => result.wins += 1,
                    Outcome::Win(_) => result.losses += 1,
                }
                plies += game.moves.len() as u64;
                for agent in 0..2 {
                    let seat = agent ^ place;
                    result.simulations[agent] += game.simulations[seat];
                    result.seconds[agent] += game.time[seat].as_secs_f64();
                    result.moves[agent] += (game.moves.len() as u64 + 1 - seat as u64) / 2;
                }
            }
            pair_scores.push(of_pair.mean());
        }
        result.games = result.wins + result.draws + result.losses;
        let games = result.games.max(1) as f64;
        result.score = (result.wins as f64 + 0.5 * result.draws as f64) / games;
        result.interval = paired_interval(&pair_scores);
        result.average_plies = plies as f64 / games;
        result.score_by_seat = seats.map(|seat| if seat.games > 0.0 { seat.mean() } else { 0.0 });
        result
    }

    fn rate(&self, agent: usize) -> f64 {
        self.simulations[agent] as f64 / self.seconds[agent].max(1e-9)
    }

    fn json(&self, timing: bool) -> serde_json::Value {
        let mut line = json!({
            "games": self.games,
            "score": self.score,
            "ci95": self.interval.map(|interval| [interval.low, interval.high]),
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "average_plies": self.average_plies,
            "score_first": self.score_by_seat[0],
            "score_second": self.score_by_seat[1],
            "simulations_a": self.simulations[0],
            "simulations_b": self.simulations[1],
        });
        if timing {
            line["simulations_per_second_a"] = json!(self.rate(0));
            line["simulations_per_second_b"] = json!(self.rate(1));
        }
        line
    }

    fn text(&self) -> String {
        let percent = |value: f64| format!("{:.1} %", 100.0 * value);
        let interval = self
            .interval
            .map_or("-".to_string(), |interval| format!("[{:.1}, {:.1}]", 100.0 * interval.low, 100.0 * interval.high));
        let mut text = format!(
            "\n     {:>8}  {:>14}  {:>6} {:>6} {:>6}  {:>8} {:>8}  {:>12} {:>10}\n",
            "score", "95 % (paired)", "wins", "draws", "losses", "first", "second", "sims/s", "ms/move"
        );
        for agent in 0..2 {
            let (score, wins, losses, interval) = match agent {
                0 => (self.score, self.wins, self.losses, interval.clone()),
                _ => (1.0 - self.score, self.losses, self.wins, String::new()),
            };
            // B sits second where A sits first.
            let [first, second] = match agent {
                0 => self.score_by_seat,
                _ => [1.0 - self.score_by_seat[1], 1.0 - self.score_by_seat[0]],
            };
            let milliseconds = 1e3 * self.seconds[agent] / self.moves[agent].max(1) as f64;
            text += &format!(
                "  {}  {:>8}  {:>14}  {:>6} {:>6} {:>6}  {:>8} {:>8}  {:>12} {:>10.2}\n",
                ["A", "B"][agent],
                percent(score),
                interval,
                wins,
                self.draws,
                losses,
                percent(first),
                percent(second),
                grouped(self.rate(agent) as u64),
                milliseconds,
            );
        }
        text += &format!("\n{} games, {:.1} plies on average\n", self.games, self.average_plies);
        text
    }
}

/// The command that plays the same match.
fn command(arguments: &Match) -> String {
    let mut text = format!(
        "spinney match '{}' --a '{}' --b '{}' --games {} --seed {}",
        arguments.game, arguments.a, arguments.b, arguments.games, arguments.seed
    );
    if arguments.opening > 0 {
        text += &format!(" --opening {}", arguments.opening);
    }
    text
}
