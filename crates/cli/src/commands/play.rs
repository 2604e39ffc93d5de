//! `spinney play`: a board in the terminal.

use crate::arguments::Play;
use crate::interrupt;
use crate::text::{candidates, summary};
use spinney_core::{InputError, Outcome, Player, Seed, Turn};
use spinney_table::table::{Question, Thought};
use spinney_table::{Laboratory, Table};
use std::io::{BufRead, Write};

/// Who sits at a side: a person, or the agent in a seat of the table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seat {
    Human,
    Agent(usize),
}

/// What a person can answer at the prompt.
const HELP: &str = "\
write a move as it is listed by `moves`, or
  moves      list the legal moves
  hint       ask an agent what it would play
  undo       take back your last move and the answer to it
  board      draw the board again
  position   print the position on one line
  quit       stop playing";

/// Candidates shown after an agent's move.
const SHOWN: usize = 5;

pub fn run(arguments: &Play, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let mut table = laboratory.open(&arguments.game, arguments.position.as_deref())?;
    let seats =
        [seat(laboratory, table.as_mut(), &arguments.first)?, seat(laboratory, table.as_mut(), &arguments.second)?];
    let adviser = match seats.iter().find(|seat| **seat != Seat::Human) {
        Some(Seat::Agent(adviser)) => *adviser,
        _ => table.seat(&laboratory.agent("mcts(time=1)")?)?,
    };
    let seed = Seed::new(arguments.seed);
    writeln!(out, "{} · seed {}", table.game(), arguments.seed)?;
    let players = if table.score().is_some() { 1 } else { 2 };
    for (player, seat) in Player::BOTH.into_iter().zip(seats).take(players) {
        let name = match seat {
            Seat::Human => "you".to_string(),
            Seat::Agent(seat) => table.agent(seat),
        };
        writeln!(out, "  {}: {name}", table.player_name(player))?;
    }
    writeln!(out, "\n{}", table.board())?;
    let mut input = std::io::stdin().lock().lines();
    loop {
        let player = match table.turn() {
            Turn::Over(outcome) => {
                writeln!(out, "{}", result(table.as_ref(), outcome))?;
                return Ok(());
            }
            Turn::Player(player) => player,
            Turn::Chance => {
                let seed = seed.named("chance").child(table.history().len() as u64);
                if let Some(outcome) = table.draw_outcome(seed) {
                    writeln!(out, "chance: {outcome}\n\n{}", table.board())?;
                }
                continue;
            }
        };
        match seats[player.index()] {
            Seat::Agent(seat) => {
                let thought = think(table.as_mut(), seat, seed);
                if interrupt::pressed() {
                    return Ok(());
                }
                writeln!(out, "{}{}", candidates(&thought, SHOWN), summary(&thought))?;
                writeln!(out, "{} plays {}\n", table.player_name(player), thought.chosen)?;
                table.play(&thought.chosen)?;
                writeln!(out, "{}", table.board())?;
            }
            Seat::Human => {
                write!(out, "{}: ", table.player_name(player))?;
                out.flush()?;
                let Some(line) = input.next().transpose()? else {
                    writeln!(out)?;
                    return Ok(());
                };
                if !answer(table.as_mut(), line.trim(), seats, adviser, seed, out)? {
                    return Ok(());
                }
            }
        }
    }
}

fn seat(laboratory: &Laboratory, table: &mut dyn Table, who: &str) -> Result<Seat, InputError> {
    if who == "human" {
        return Ok(Seat::Human);
    }
    Ok(Seat::Agent(table.seat(&laboratory.agent(who)?)?))
}

fn think(table: &mut dyn Table, seat: usize, seed: Seed) -> Thought {
    let seed = seed.child(table.history().len() as u64);
    table.think(seat, &mut Question { seed, budget: None, stop: interrupt::flag(), observer: None })
}

/// Does what a person asked for; false ends the game.
fn answer(
    table: &mut dyn Table,
    line: &str,
    seats: [Seat; 2],
    adviser: usize,
    seed: Seed,
    out: &mut impl Write,
) -> anyhow::Result<bool> {
    match line {
        "" => {}
        "quit" | "exit" | "q" => return Ok(false),
        "help" | "?" => writeln!(out, "{HELP}")?,
        "moves" => writeln!(out, "{}", table.moves().join(" "))?,
        "position" => writeln!(out, "{}", table.position())?,
        "board" => writeln!(out, "{}", table.board())?,
        "hint" => {
            let thought = think(table, adviser, seed);
            writeln!(out, "{}{}\nhint: {}", candidates(&thought, SHOWN), summary(&thought), thought.chosen)?;
        }
        "undo" => {
            if !undo(table, seats) {
                writeln!(out, "there is no move of yours to take back")?;
            }
            writeln!(out, "{}", table.board())?;
        }
        mv => match table.play(mv) {
            Ok(()) => writeln!(out, "{}", table.board())?,
            Err(error) => writeln!(out, "{error} (`help` lists what you can write)")?,
        },
    }
    Ok(true)
}

/// Takes moves back until a person is to move again; restores them if that never happens.
fn undo(table: &mut dyn Table, seats: [Seat; 2]) -> bool {
    let history = table.history();
    while table.undo() {
        if let Turn::Player(player) = table.turn()
            && seats[player.index()] == Seat::Human
        {
            return true;
        }
    }
    for mv in history {
        if table.play(&mv).is_err() {
            break;
        }
    }
    false
}

fn result(table: &dyn Table, outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(player) => format!("{} wins", table.player_name(player)),
        Outcome::Draw => "a draw".to_string(),
        Outcome::Scored => format!("the game is over with a score of {}", table.score().unwrap_or_default()),
    }
}
