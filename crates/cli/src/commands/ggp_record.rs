//! Records of matches, written while they are played, and their signatures.

use crate::Negative;
use crate::arguments::{GgpKeys, GgpVerify};
use spinney_core::{InputError, InputErrorKind};
use spinney_ggp::record::PublicMatch;
use spinney_ggp::signing::{Keys, verify};
use spinney_ggp::{Played, Setting};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes the record of a match after every step, and its rules beside it, for whoever watches.
pub struct Recorder<'a> {
    setting: &'a Setting,
    /// Where the rules come from.
    sheet: String,
    start_time: u64,
    file: Option<PathBuf>,
    keys: Option<&'a Keys>,
    /// What went wrong first: a match goes on without its record.
    fault: Option<InputError>,
}

impl<'a> Recorder<'a> {
    /// Of a match by the rules of `sheet`, to be written to `file`.
    pub fn new(
        setting: &'a Setting,
        sheet: String,
        start_time: u64,
        file: Option<PathBuf>,
        keys: Option<&'a Keys>,
    ) -> Self {
        Self { setting, sheet, start_time, file, keys, fault: None }
    }

    /// The record as JSON, signed if there are keys.
    pub fn json(&self, record: &PublicMatch) -> anyhow::Result<String> {
        let mut value = serde_json::to_value(record)?;
        if let Some(keys) = self.keys {
            keys.sign(&mut value);
        }
        Ok(value.to_string())
    }

    /// Notes the match so far.
    pub fn note(&mut self, played: &Played) {
        let record = PublicMatch::so_far(self.setting, played, &self.sheet, self.start_time);
        if played.steps.is_empty()
            && let Some(file) = &self.file
        {
            let rules = write_whole(&file.with_extension("kif"), &self.setting.sheet);
            self.fault = self.fault.take().or(rules.err());
        }
        self.write(&record);
    }

    fn write(&mut self, record: &PublicMatch) {
        let Some(file) = &self.file else { return };
        let wrong = |error: anyhow::Error| InputError::new(file.display(), error, "name a file that can be written");
        let written = self.json(record).map_err(wrong).and_then(|json| write_whole(file, &(json + "\n")));
        self.fault = self.fault.take().or(written.err());
    }

    /// Notes the whole match; returns its record.
    pub fn finish(mut self, played: &Played) -> anyhow::Result<String> {
        let record = PublicMatch::new(self.setting, played, &self.sheet, self.start_time);
        self.write(&record);
        match self.fault.take() {
            Some(fault) => Err(fault.into()),
            None => self.json(&record),
        }
    }
}

/// Writes a file so that nobody ever reads a part of it.
fn write_whole(file: &Path, text: &str) -> Result<(), InputError> {
    let new = file.with_extension("new");
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let made = folder.map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(&new, text)).and_then(|()| std::fs::rename(&new, file)).map_err(|error| {
        InputError::new(file.display(), error, "name a file that can be written").of(InputErrorKind::File)
    })
}

/// The keys of a file.
pub fn read_keys(file: &Path) -> Result<Keys, InputError> {
    let remedy = "make keys with `spinney ggp keys FILE`";
    let text = std::fs::read_to_string(file)
        .map_err(|error| InputError::new(file.display(), error, remedy).of(InputErrorKind::File))?;
    Keys::read(&text).map_err(|error| error.within(file.display()))
}

/// Makes keys and writes them to a new file.
pub fn keys(arguments: &GgpKeys, out: &mut impl Write) -> anyhow::Result<()> {
    let file = &arguments.file;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let wrong =
        |error| InputError::new(file.display(), error, "name a file that does not exist").of(InputErrorKind::File);
    let mut opened = options.open(file).map_err(wrong)?;
    let keys = Keys::generate()?;
    opened.write_all((keys.write()? + "\n").as_bytes()).map_err(wrong)?;
    writeln!(out, "{}", keys.public())?;
    Ok(())
}

/// Tells of each record whether its signature is right.
pub fn verify_all(arguments: &GgpVerify, out: &mut impl Write) -> anyhow::Result<()> {
    let mut is_right = true;
    for file in &arguments.files {
        let wrong = |error: String| InputError::new(file.display(), error, "name a record of a match");
        let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()).of(InputErrorKind::File))?;
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let record = serde_json::from_str(line).map_err(|error| wrong(format!("line {}: {error}", number + 1)))?;
            let name = PublicMatch::deserialized(&record).map_or(String::new(), |own| own.match_id);
            match verify(&record) {
                Ok(key) if arguments.key.as_ref().is_none_or(|wanted| *wanted == key) => {
                    writeln!(out, "{}: {name}: signed by {key}", file.display())?;
                }
                Ok(key) => {
                    is_right = false;
                    writeln!(out, "{}: {name}: error: it is signed by another key, {key}", file.display())?;
                }
                Err(error) => {
                    is_right = false;
                    writeln!(out, "{}: {name}: error: {error}", file.display())?;
                }
            }
        }
    }
    if is_right { Ok(()) } else { Err(Negative.into()) }
}
