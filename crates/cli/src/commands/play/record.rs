//! The record of a game in a file, as a person reads it.

use spinney_core::{InputError, InputErrorKind, Player};
use spinney_table::Table;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

/// A file to whose end records are written, so that one file holds the games of an evening.
pub struct Record(File);

impl Record {
    /// Opens the file, before anything is played.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let error =
            |error| InputError::new(path.display(), error, "name a file that can be written").of(InputErrorKind::File);
        file.map(Self).map_err(error)
    }

    /// Writes the game on the table.
    pub fn write(
        mut self,
        table: &dyn Table,
        position: Option<&str>,
        seed: u64,
        players: &[(Player, String)],
        result: &str,
    ) -> std::io::Result<()> {
        let mut text = format!("game: {}\n", table.game());
        text += &position.map_or(String::new(), |position| format!("position: {position}\n"));
        text += &format!("seed: {seed}\n");
        for (player, name) in players {
            text += &format!("{}: {name}\n", ["first", "second"][player.index()]);
        }
        text += &format!("result: {result}\nmoves: {}\n\n", table.history().join(" "));
        self.0.write_all(text.as_bytes())
    }
}
