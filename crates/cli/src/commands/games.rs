//! `spinney games`

use crate::arguments::Games;
use crate::commands::options::{short, whole};
use serde_json::json;
use spinney_core::{InputError, Seed};
use spinney_table::Laboratory;
use spinney_web::options_json;
use std::io::Write;

/// Random games from which length and branching are measured; the numbers are the same each time.
const GAMES: u32 = 100;

pub fn run(arguments: &Games, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let entries = laboratory.games();
    let wanted = arguments.name.as_deref();
    if let Some(name) = wanted.filter(|name| entries.iter().all(|entry| entry.name != *name)) {
        let known = entries.iter().map(|entry| entry.name);
        return Err(InputError::unknown("games", "game", name, known).into());
    }
    for entry in entries.iter().filter(|entry| wanted.is_none_or(|name| entry.name == name)) {
        let play = laboratory.open(entry.name, None)?.random_play(Seed::new(1), GAMES);
        if arguments.json {
            let line = json!({
                "name": entry.name,
                "summary": entry.summary,
                "board": entry.board,
                "players": entry.players,
                "chance": entry.chance,
                "source": entry.source,
                "mean_length": play.plies,
                "mean_branching": play.branching,
                "options": options_json(&entry.options),
            });
            writeln!(out, "{line}")?;
        } else {
            let (length, branching) = (play.plies, play.branching);
            writeln!(out, "{}  {}", entry.name, entry.summary)?;
            let players = if entry.players == 1 { "one player" } else { "two players" };
            let chance = if entry.chance { ", chance" } else { "" };
            writeln!(out, "    {players}{chance} · {} · rules: {}", entry.board, entry.source)?;
            writeln!(out, "    {length:.0} plies, {branching:.1} moves to choose from ({GAMES} random games)")?;
            let options = if wanted.is_some() { whole(&entry.options) } else { short(&entry.options) };
            write!(out, "{options}")?;
        }
        out.flush()?;
    }
    Ok(())
}
