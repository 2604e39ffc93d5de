//! `spinney moves`

use crate::arguments::Moves;
use serde_json::json;
use spinney_core::{Outcome, RoleText, Turn};
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
    let (position, moves, roles) = (table.position(), table.moves(), table.roles());
    let turn = table.turn();
    if json {
        let mut line = match turn {
            Turn::Player(_) | Turn::Chance => json!({"position": position, "over": false, "moves": moves}),
            Turn::Over(outcome) => {
                let winner = match outcome {
                    Outcome::Win(player) => player.number(),
                    Outcome::Draw | Outcome::Scored => 0,
                };
                json!({"position": position, "over": true, "winner": winner, "moves": moves})
            }
        };
        if !roles.is_empty() {
            let role = |role: &RoleText| json!({"name": role.name, "chance": role.is_chance, "moves": role.moves, "goal": role.goal});
            line["roles"] = roles.iter().map(role).collect();
        }
        writeln!(out, "{line}")?;
        return Ok(());
    }
    if !roles.is_empty() {
        writeln!(out, "state: {position}")?;
        for role in &roles {
            let goal = role.goal.map_or("no goal".to_string(), |goal| format!("goal {goal}"));
            let chance = if role.is_chance { ", chance" } else { "" };
            writeln!(out, "{} ({goal}{chance}): {}", role.name, role.moves.join(" "))?;
        }
    }
    match turn {
        Turn::Over(_) => writeln!(out, "the game is over")?,
        _ if roles.is_empty() => writeln!(out, "{}", moves.join(" "))?,
        _ => {}
    }
    Ok(())
}
