//! Rule sheets of an experiment: found beside its file, told apart by their text, and kept in the folder of its run.
//!
//! A sheet of one's own is opened as `gdl:NAME:HASH`, where the hash is that of its text, so that the text is part of
//! every cell's key and a run does not care where the file is or what becomes of it. A sheet that comes with the
//! program goes by its name alone; its text is kept too, and a run goes on with the text that it began with.

use crate::error::LabError;
use crate::store::{PLAN, write_whole};
use spinney_core::InputError;
use spinney_core::expression::Expression;
use spinney_games::gdl;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The texts of the sheets of a plan, by their names after `gdl:` as the experiment writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheets(BTreeMap<String, String>);

/// A game by its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameName {
    /// As the experiment writes it.
    pub written: String,
    /// As it is opened.
    pub opened: String,
    /// What stands for it in hashes, where that is not what it is opened as.
    pub hashed: Option<String>,
}

impl GameName {
    /// A game that is opened as it is written.
    pub fn plain(game: &str) -> Self {
        Self { written: game.to_string(), opened: game.to_string(), hashed: None }
    }
}

/// Where the sheets of a run are kept, in its folder.
const FOLDER: &str = "sheets";

impl Sheets {
    /// The names of a game of an experiment whose file is in `folder`; the text of its rule sheet is taken in.
    pub(crate) fn find(&mut self, folder: &Path, game: &str) -> Result<GameName, InputError> {
        let expression = Expression::read("game", game)?;
        let Some(name) = expression.name.strip_prefix("gdl:").filter(|name| !gdl::is_pasted(name)) else {
            return Ok(GameName::plain(game));
        };
        let text = match self.0.get(name) {
            Some(text) => text.clone(),
            None => read(folder, name)?,
        };
        let opened = match built_in(name) {
            Some(ours) if ours == text => name.to_string(),
            _ => {
                let called = Path::new(name).file_name().map_or(name.into(), |file| file.to_string_lossy());
                gdl::name(&called, &text)?
            }
        };
        let hashed = built_in(name).map(|_| format!("gdl:{name}"));
        self.0.insert(name.to_string(), text);
        Ok(GameName { written: game.to_string(), opened: format!("gdl:{opened}"), hashed })
    }

    /// Writes them into the folder of a run.
    pub(crate) fn keep(&self, run: &Path) -> Result<(), LabError> {
        for (name, text) in &self.0 {
            let path = kept(run, name);
            let folder = path.parent().unwrap_or(run);
            fs::create_dir_all(folder).map_err(LabError::file(folder))?;
            write_whole(&path, text.as_bytes())?;
        }
        Ok(())
    }

    /// A sheet that both have with different texts.
    pub(crate) fn difference(&self, other: &Self) -> Option<&str> {
        let differs = |(name, text): &(&String, &String)| other.0.get(*name).is_some_and(|known| known != *text);
        self.0.iter().find(differs).map(|(name, _)| name.as_str())
    }

    /// The name of each sheet, and a hash of its text.
    pub(crate) fn hashes(&self) -> impl Iterator<Item = (String, String)> {
        self.0.iter().map(|(name, text)| (format!("gdl:{name}"), gdl::text_hash(text)))
    }
}

fn built_in(name: &str) -> Option<&'static str> {
    gdl::BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Where a run keeps a sheet. `+` stands in no name of a game.
fn kept(run: &Path, name: &str) -> PathBuf {
    let folder = run.join(FOLDER);
    match built_in(name) {
        Some(_) => folder.join("built-in").join(format!("{name}.kif")),
        None => folder.join(name.replace('/', "+")),
    }
}

/// The text of a sheet: the one that a run in this folder keeps, else the program's, else that of the file.
fn read(folder: &Path, name: &str) -> Result<String, InputError> {
    let own = kept(folder, name);
    let (path, is_kept) =
        if folder.join(PLAN).is_file() && own.is_file() { (own, true) } else { (folder.join(name), false) };
    if let Some(text) = built_in(name).filter(|_| !is_kept) {
        return Ok(text.to_string());
    }
    fs::read_to_string(&path).map_err(|error| {
        let names: Vec<&str> = gdl::BUILT_IN.iter().map(|(name, _)| *name).collect();
        let remedy = format!("write its path as seen from the experiment file, or one of {}", names.join(", "));
        InputError::new(format!("rule sheet {}", path.display()), error, remedy)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TINY: &str =
        "(role me) (init on) (legal me rest) (<= (next on) (true on)) (goal me 7) (<= terminal (true on))";

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("spinney-sheets-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_sheet_is_its_text_wherever_it_lies() {
        let folder = folder("text");
        fs::create_dir(folder.join("more")).unwrap();
        fs::write(folder.join("a.kif"), TINY).unwrap();
        fs::write(folder.join("more/a.kif"), TINY).unwrap();
        let find = |game: &str| Sheets::default().find(&folder, game);
        let names = find("gdl:a.kif").unwrap();
        assert_eq!(names.opened, find("gdl:more/a.kif").unwrap().opened);
        assert_eq!((names.written.as_str(), names.hashed), ("gdl:a.kif", None));
        fs::write(folder.join("a.kif"), TINY.replace('7', "8")).unwrap();
        assert_ne!(names.opened, find("gdl:a.kif").unwrap().opened);
        let error = find("gdl:b.kif").unwrap_err().to_string();
        assert!(error.contains("b.kif: No such file") && error.contains("from the experiment file"), "{error}");
        let nim = find("gdl:nim").unwrap();
        assert_eq!((nim.opened.as_str(), nim.hashed.as_deref()), ("gdl:nim", Some("gdl:nim")));
        assert_eq!(find("breakthrough(rows=6)").unwrap(), GameName::plain("breakthrough(rows=6)"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_a_run_keeps_comes_first() {
        let folder = folder("kept");
        fs::write(folder.join("a.kif"), TINY).unwrap();
        let mut sheets = Sheets::default();
        let opened = ["gdl:a.kif", "gdl:nim"].map(|game| sheets.find(&folder, game).unwrap().opened);
        let run = folder.join("run");
        sheets.keep(&run).unwrap();
        let find = |game: &str| Sheets::default().find(&run, game);
        assert!(find("gdl:a.kif").is_err(), "a folder without a plan is no run");
        fs::write(run.join(PLAN), "{}").unwrap();
        assert_eq!(["gdl:a.kif", "gdl:nim"].map(|game| find(game).unwrap().opened), opened);
        // The program's sheet has changed since: the run goes on with its own, under the same hash.
        fs::write(kept(&run, "nim"), TINY).unwrap();
        let mut changed = Sheets::default();
        let nim = changed.find(&run, "gdl:nim").unwrap();
        assert!(nim.opened.starts_with("gdl:nim:"), "{nim:?}");
        assert_eq!(nim.hashed.as_deref(), Some("gdl:nim"));
        assert_eq!(changed.difference(&sheets), Some("nim"));
        fs::remove_dir_all(folder).unwrap();
    }
}
