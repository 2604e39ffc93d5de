//! `spinney moves`

use crate::arguments::Moves;
use serde_json::json;
use spinney_core::{Outcome, Turn};
use spinney_table::{Laboratory, Table};
use std::io::{BufRead, Write};

pub fn run(arguments: &Moves, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    if arguments.position.as_deref() != Some("-") {
        let table = laboratory.open(&arguments.game, arguments.position.as_deref())?;
        return show(table.as_ref(), arguments.json, out);
    }
    // One table serves all positions that fit it; a position of another size opens another.
    let mut table = laboratory.open(&arguments.game, None)?;
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line?;
        if table.set_position(Some(&line)).is_err() {
            let place = format!("line {}", number + 1);
            table = laboratory.open(&arguments.game, Some(&line)).map_err(|error| error.within(place))?;
        }
        show(table.as_ref(), true, out)?;
    }
    Ok(())
}

fn show(table: &dyn Table, json: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let (position, moves) = (table.position(), table.moves());
    let line = match table.turn() {
        Turn::Player(_) | Turn::Chance if json => {
            json!({"position": position, "over": false, "moves": moves}).to_string()
        }
        Turn::Over(outcome) if json => {
            let winner = match outcome {
                Outcome::Win(player) => player.number(),
                Outcome::Draw | Outcome::Scored => 0,
            };
            json!({"position": position, "over": true, "winner": winner, "moves": moves}).to_string()
        }
        Turn::Player(_) | Turn::Chance => moves.join(" "),
        Turn::Over(_) => "the game is over".to_string(),
    };
    writeln!(out, "{line}")?;
    Ok(())
}
