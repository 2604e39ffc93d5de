//! Rule sheets by name: `gdl:FILE`, or `gdl:NAME` for those that come with the program. This is the one place of the
//! library that reads files.

use super::Gdl;
use crate::registry::Visitor;
use spinney_core::{InputError, Seed};
use spinney_gdl::{BuildLimits, Machine, Rules};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A machine that was built, and what its game is called.
#[derive(Clone, Debug)]
struct Sheet {
    name: &'static str,
    text: String,
    machine: Machine,
    number: u64,
}

/// How names of pasted sheets begin; a file of such a name is reached as `./pasted-…`.
const PASTED: &str = "pasted-";
/// Pasted sheets that are kept.
const MOST_PASTED: usize = 16;

/// Sheets that were opened: tables of many threads share a machine.
static OPENED: Mutex<BTreeMap<String, Sheet>> = Mutex::new(BTreeMap::new());

macro_rules! sheets {
    ($($name:literal),+ $(,)?) => {
        /// Sheets that come with the program, by name.
        pub const BUILT_IN: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../../data/gdl/games/", $name, ".kif")))),+];
    };
}

sheets![
    "battle",
    "breakthrough",
    "checkers",
    "chinese-checkers",
    "chinook",
    "connect-four",
    "connect5",
    "eight-puzzle",
    "knightthrough",
    "merrills",
    "nim",
    "quad",
    "sheep-and-wolf",
    "skirmish",
    "tic-tac-toe",
    "tic-tac-toe-3d",
    "ttcc4",
    "zhadu",
];

/// Opens the sheet in a file, or the built-in one of this name, and hands its game to `visitor`.
pub fn open<V: Visitor>(file: &str, visitor: V) -> Result<V::Output, InputError> {
    if is_pasted(file) {
        let sheets = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
        let sheet = sheets.get(file).cloned();
        drop(sheets);
        return match sheet {
            Some(sheet) => visit(sheet, visitor),
            None => Err(InputError::new(format!("rule sheet {file}"), "it is no longer known", "paste it again")),
        };
    }
    let text = match BUILT_IN.iter().find(|(name, _)| *name == file) {
        Some((_, text)) => (*text).to_string(),
        None => std::fs::read_to_string(Path::new(file)).map_err(|error| {
            let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
            let remedy = format!("name a file after `gdl:`, such as gdl:my.kif, or one of {}", names.join(", "));
            InputError::new(format!("rule sheet {file}"), error, remedy)
        })?,
    };
    visit(opened(file, text)?, visitor)
}

/// Makes a rule sheet known that is in no file, and returns its name after `gdl:`. Only the last few are kept.
pub fn paste(text: &str) -> Result<String, InputError> {
    let name = format!("{PASTED}{:016x}", Seed::new(0).named(text).value());
    opened(&name, text.to_string())?;
    let mut sheets = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    while sheets.keys().filter(|known| is_pasted(known)).count() > MOST_PASTED {
        let pasted = sheets.iter().filter(|(known, _)| is_pasted(known));
        let Some(oldest) = pasted.min_by_key(|(_, sheet)| sheet.number).map(|(known, _)| known.clone()) else { break };
        sheets.remove(&oldest);
    }
    Ok(name)
}

/// Whether a name after `gdl:` is one that `paste` gave.
pub fn is_pasted(name: &str) -> bool {
    name.starts_with(PASTED)
}

/// Whether a pasted sheet of this name is kept.
pub fn is_kept(name: &str) -> bool {
    OPENED.lock().unwrap_or_else(PoisonError::into_inner).contains_key(name)
}

fn visit<V: Visitor>(sheet: Sheet, visitor: V) -> Result<V::Output, InputError> {
    if sheet.machine.roles().len() == 1 {
        Ok(visitor.visit(sheet.name, Gdl::<true>::new(sheet.machine, sheet.number)?))
    } else {
        Ok(visitor.visit(sheet.name, Gdl::<false>::new(sheet.machine, sheet.number)?))
    }
}

fn opened(file: &str, text: String) -> Result<Sheet, InputError> {
    // Only one thread builds a machine; the others wait for it.
    let mut sheets = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(sheet) = sheets.get(file).filter(|sheet| sheet.text == text) {
        return Ok(sheet.clone());
    }
    let in_file = |error: InputError| error.within(format!("rule sheet {file}"));
    let rules = Rules::parse(&text).map_err(in_file)?;
    let machine = Machine::build(&rules, BuildLimits::default()).map_err(in_file)?;
    // A name lives as long as the program, like those of all other games; there is one for each sheet.
    let name = match sheets.get(file) {
        Some(sheet) => sheet.name,
        None => Box::leak(format!("gdl:{file}").into_boxed_str()),
    };
    let number = sheets.values().map(|sheet| sheet.number + 1).max().unwrap_or(0);
    let sheet = Sheet { name, text, machine, number };
    sheets.insert(file.to_string(), sheet.clone());
    Ok(sheet)
}
