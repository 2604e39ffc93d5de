//! `spinney games`

use crate::arguments::Games;
use crate::commands::options::{short, whole};
use crate::interrupt;
use crate::text::{grouped, screen_width, wrapped};
use serde_json::json;
use spinney_core::expression::Expression;
use spinney_core::{InputError, Player, Seed};
use spinney_games::gdl::BUILT_IN;
use spinney_games::manual::{self, Manual};
use spinney_games::registry::Entry;
use spinney_gdl::{Limits, Machine, Rules};
use spinney_table::table::RandomPlay;
use spinney_table::{Laboratory, Table};
use spinney_web::options_json;
use std::io::Write;

/// Random games from which length and branching are measured; the numbers are the same each time.
const GAMES: u32 = 100;
/// How games of rule sheets begin.
const SHEET: &str = "gdl:";

pub fn run(arguments: &Games, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let entries = laboratory.games();
    let Some(text) = arguments.name.as_deref() else {
        for entry in &entries {
            let Some((_, play)) = try_out(laboratory.open(entry.name, None)?) else { return Ok(()) };
            show(entry, None, &play, arguments.json, out)?;
        }
        return if arguments.json { Ok(()) } else { list_sheets(out) };
    };
    if let Some(sheet) = text.strip_prefix(SHEET) {
        return show_sheet(sheet, laboratory, arguments.json, out);
    }
    let name = Expression::read("game", text)?.name;
    let Some(entry) = entries.iter().find(|entry| entry.name == name) else {
        let known: Vec<String> = entries.iter().map(|entry| entry.name.to_string()).chain(sheets()).collect();
        // Sheets are named where one is meant; those who want the list need not read it twice.
        let all = if BUILT_IN.iter().any(|(sheet, _)| *sheet == name) { known.len() } else { entries.len() };
        let names = known.iter().map(String::as_str).take(all);
        return Err(InputError::unknown("games", "game", &name, names).into());
    };
    let Some((table, play)) = try_out(laboratory.open(text, None)?) else { return Ok(()) };
    show(entry, Some(table.as_ref()), &play, arguments.json, out)
}

/// The sheets that come with the program, as they are written.
pub fn sheets() -> impl Iterator<Item = String> {
    BUILT_IN.iter().map(|(name, _)| format!("{SHEET}{name}"))
}

/// Random games of a game; `None` if Ctrl-C was pressed meanwhile.
fn try_out(table: Box<dyn Table>) -> Option<(Box<dyn Table>, RandomPlay)> {
    interrupt::unless_pressed(move || {
        let play = table.random_play(Seed::new(1), GAMES);
        (table, play)
    })
}

/// One game; `table` is it with its options where it was asked for alone.
fn show(
    entry: &Entry,
    table: Option<&dyn Table>,
    play: &RandomPlay,
    as_json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let written = table.map(|table| table.game());
    let written = written.as_deref();
    if as_json {
        let line = json!({
            "name": entry.name,
            "written": written.unwrap_or(entry.name),
            "summary": entry.summary,
            "board": entry.board,
            "players": entry.players,
            "chance": entry.chance,
            "source": entry.source,
            "mean_length": play.plies,
            "mean_branching": play.branching,
            "options": options_json(&entry.options),
            "rules": manual::of(entry.name).map(|manual| manual.text()),
        });
        writeln!(out, "{line}")?;
    } else {
        writeln!(out, "{}  {}", written.unwrap_or(entry.name), entry.summary)?;
        let players = if entry.players == 1 { "one player" } else { "two players" };
        let chance = if entry.chance { ", chance" } else { "" };
        writeln!(out, "    {players}{chance} · {} · rules: {}", entry.board, entry.source)?;
        writeln!(out, "    {}", random_words(play))?;
        if let Some(published) = table.map(|table| table.published()).filter(|published| !published.agent.is_empty()) {
            let simulations = grouped(published.simulations_per_second.into());
            writeln!(out, "    published: mcts({}); {simulations} simulations stand for a second", published.agent)?;
        }
        let options = if written.is_some() { whole(&entry.options) } else { short(&entry.options) };
        write!(out, "{options}")?;
        if let Some(manual) = written.and_then(|_| manual::of(entry.name)) {
            write!(out, "\n{}", rules(entry.name, &manual, screen_width().min(100)))?;
        }
    }
    Ok(out.flush()?)
}

/// The rules as a terminal shows them: paragraphs within so many columns, and boards for pictures.
fn rules(name: &str, manual: &Manual, width: usize) -> String {
    let mut text = String::new();
    for paragraph in manual.text().split("\n\n") {
        // A line that begins with a dash begins a paragraph of its own; the others go on.
        let mut items: Vec<String> = Vec::new();
        for line in paragraph.lines() {
            match items.last_mut().filter(|_| !line.starts_with("- ")) {
                Some(item) => *item += &format!(" {}", line.trim()),
                None => items.push(line.to_string()),
            }
        }
        for item in items {
            let plain = item.replace("**", "").replace(['*', '`'], "");
            text += &wrapped(plain.split(' '), " ", 0, width);
        }
        text.push('\n');
    }
    for picture in manual.pictures() {
        let board = spinney_table::open_table(name, picture.position).and_then(|mut table| {
            picture.moves.iter().try_for_each(|mv| table.play(mv))?;
            Ok(table.board())
        });
        text += &board.map_or(String::new(), |board| format!("{}\n\n{board}\n", picture.caption));
    }
    text.trim_end().to_string() + "\n"
}

fn random_words(play: &RandomPlay) -> String {
    format!("{:.0} plies, {:.1} moves to choose from ({GAMES} random games)", play.plies, play.branching)
}

/// The sheets that come with the program.
fn list_sheets(out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "\ngames from rule sheets of the Game Description Language; gdl:FILE plays one of your own")?;
    let names: Vec<String> = sheets().collect();
    Ok(write!(out, "{}", wrapped(names.iter().map(String::as_str), "  ", 4, screen_width()))?)
}

/// A game that is given by a rule sheet.
fn show_sheet(sheet: &str, laboratory: &Laboratory, as_json: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let game = format!("{SHEET}{sheet}");
    let Some((table, play)) = try_out(laboratory.open(&game, None)?) else { return Ok(()) };
    let (name, first) = (table.game(), table.player_name(Player::First).to_string());
    let built_in = BUILT_IN.iter().find(|(known, _)| *known == sheet);
    // A sheet has any number of roles; the table knows the first and the rest.
    let text = std::fs::read_to_string(sheet).ok().or_else(|| built_in.map(|(_, text)| (*text).to_string()));
    let machine = text.and_then(|text| Machine::build(&Rules::parse(&text).ok()?, &Limits::default()).ok());
    let roles = machine.map_or_else(|| vec![first], |machine| machine.roles().to_vec());
    let players = if table.score().is_some() { 1 } else { 2.max(roles.len()) };
    if as_json {
        let line = json!({
            "name": name,
            "written": name,
            "summary": "a game from its rules",
            "players": players,
            "roles": roles,
            "chance": false,
            "mean_length": play.plies,
            "mean_branching": play.branching,
            "options": [],
        });
        writeln!(out, "{line}")?;
    } else {
        let from = if built_in.is_some() { "that comes with the program" } else { "in a file" };
        writeln!(out, "{name}  a game from a rule sheet {from}")?;
        writeln!(out, "    roles: {}", roles.join(", "))?;
        writeln!(out, "    {}", random_words(&play))?;
    }
    Ok(())
}
