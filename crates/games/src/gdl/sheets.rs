//! Rule sheets by name: `gdl:FILE`, or `gdl:NAME` for those that come with the program. This is the one place of the
//! library that reads files.

use super::{Gdl, chance_role};
use crate::registry::Visitor;
use spinney_core::{InputError, InputErrorKind, Seed};
use spinney_gdl::{Limits, Machine, Rules};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A sheet that was opened, with its machine as soon as somebody has built it.
#[derive(Debug)]
struct Sheet {
    /// What its game is called.
    name: String,
    text: String,
    /// Sheets are numbered in the order in which they were opened.
    number: u64,
    machine: OnceLock<Result<Machine, InputError>>,
}

impl Sheet {
    fn new(file: &str, text: String) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { name: format!("gdl:{file}"), text, number, machine: OnceLock::new() }
    }

    /// The machine. Only one thread builds it; others that want it wait, those that want another sheet do not.
    fn machine(&self, file: &str) -> Result<&Machine, InputError> {
        let build = || Ok(Machine::build(&Rules::parse(&self.text)?, &Limits::default())?);
        let in_file = |error: &InputError| error.clone().within(format!("rule sheet {file}")).or(InputErrorKind::Rules);
        self.machine.get_or_init(build).as_ref().map_err(in_file)
    }

    /// Whether it has become a game.
    fn is_game(&self) -> bool {
        self.machine.get().is_some_and(Result::is_ok)
    }
}

/// How names of pasted sheets begin; a file of such a name is reached as `./pasted-…`.
const PASTED: &str = "pasted-";
/// Pasted sheets that are kept.
const MOST_PASTED: usize = 16;

/// Sheets that were opened: tables of many threads share a machine.
static OPENED: Mutex<Sheets> = Mutex::new(BTreeMap::new());

type Sheets = BTreeMap<String, Arc<Sheet>>;

/// The sheets that were opened. Nothing that takes long may be done with them in hand.
fn sheets() -> MutexGuard<'static, Sheets> {
    OPENED.lock().unwrap_or_else(PoisonError::into_inner)
}

macro_rules! sheets {
    ($($name:literal),+ $(,)?) => {
        /// Sheets that come with the program, by name.
        pub const BUILT_IN: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../sheets/", $name, ".kif")))),+];
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
    if is_pasted(file) || is_named(file) {
        let sheet = sheets().get(file).filter(|sheet| sheet.is_game()).cloned();
        let remedy = if is_pasted(file) { "paste it again" } else { "name its file" };
        return match sheet {
            Some(sheet) => visit(file, &sheet, visitor),
            None => Err(InputError::new(format!("rule sheet {file}"), "it is no longer known", remedy)
                .of(InputErrorKind::Unknown)),
        };
    }
    let text = match BUILT_IN.iter().find(|(name, _)| *name == file) {
        Some((_, text)) => (*text).to_string(),
        None => std::fs::read_to_string(Path::new(file)).map_err(|error| {
            let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
            let remedy = format!("name a file after `gdl:`, such as gdl:my.kif, or one of {}", names.join(", "));
            InputError::new(format!("rule sheet {file}"), error, remedy).of(InputErrorKind::File)
        })?,
    };
    visit(file, &*opened(file, text)?, visitor)
}

/// Makes a rule sheet known that is in no file, and returns its name after `gdl:`. Only the last few are kept.
pub fn paste(text: &str) -> Result<String, InputError> {
    let name = format!("{PASTED}{}", text_hash(text));
    opened(&name, text.to_string())?;
    let mut sheets = sheets();
    // What is still being built does not count: it may turn out to be no game.
    let pasted = |(known, sheet): &(&String, &Arc<Sheet>)| is_pasted(known) && sheet.is_game();
    while sheets.iter().filter(pasted).count() > MOST_PASTED {
        let oldest = sheets.iter().filter(pasted).min_by_key(|(_, sheet)| sheet.number);
        let Some(oldest) = oldest.map(|(known, _)| known.clone()) else { break };
        sheets.remove(&oldest);
    }
    Ok(name)
}

/// Makes a rule sheet known as long as the program runs, and returns its name after `gdl:`, `called:HASH`, which means
/// this text and no other. Experiments name sheets so, whose files may move or change.
pub fn name(called: &str, text: &str) -> Result<String, InputError> {
    let name = format!("{called}:{}", text_hash(text));
    opened(&name, text.to_string())?;
    Ok(name)
}

/// Sixteen digits that tell a sheet's text from others.
pub fn text_hash(text: &str) -> String {
    format!("{:016x}", Seed::new(0).named(text).value())
}

/// Whether a name after `gdl:` is one that `name` gave.
fn is_named(name: &str) -> bool {
    let is_hash = |end: &str| end.len() == 16 && end.bytes().all(|byte| byte.is_ascii_hexdigit());
    name.rsplit_once(':').is_some_and(|(_, end)| is_hash(end))
}

/// Whether a name after `gdl:` is one that `paste` gave.
pub fn is_pasted(name: &str) -> bool {
    name.starts_with(PASTED) && !is_named(name)
}

/// Whether a pasted sheet of this name is kept.
pub fn is_kept(name: &str) -> bool {
    sheets().get(name).is_some_and(|sheet| sheet.is_game())
}

fn visit<V: Visitor>(file: &str, sheet: &Sheet, visitor: V) -> Result<V::Output, InputError> {
    let machine = sheet.machine(file)?.clone();
    let has_chance = chance_role(&machine).is_some();
    match (machine.roles().len() - usize::from(has_chance), has_chance) {
        (1, false) => Ok(visitor.visit(&sheet.name, Gdl::<true>::new(machine)?)),
        (_, false) => Ok(visitor.visit(&sheet.name, Gdl::<false>::new(machine)?)),
        (1, true) => Ok(visitor.visit(&sheet.name, Gdl::<true, true>::new(machine)?)),
        (_, true) => Ok(visitor.visit(&sheet.name, Gdl::<false, true>::new(machine)?)),
    }
}

/// The sheet of this name with its machine; a new one if the text is not that of the one known.
fn opened(file: &str, text: String) -> Result<Arc<Sheet>, InputError> {
    let sheet = {
        let mut sheets = sheets();
        match sheets.get(file).filter(|sheet| sheet.text == text) {
            Some(sheet) => sheet.clone(),
            None => {
                let sheet = Arc::new(Sheet::new(file, text));
                sheets.insert(file.to_string(), sheet.clone());
                sheet
            }
        }
    };
    match sheet.machine(file) {
        Ok(_) => Ok(sheet),
        Err(error) => {
            // What is no game is not kept, unless somebody has put another sheet in its place.
            let mut sheets = sheets();
            if sheets.get(file).is_some_and(|known| Arc::ptr_eq(known, &sheet)) {
                sheets.remove(file);
            }
            Err(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_core::Notation;
    use std::sync::mpsc;
    use std::time::Duration;

    struct Name;

    impl Visitor for Name {
        type Output = String;
        fn visit<G: Notation>(self, name: &str, _: G) -> String {
            name.to_string()
        }
    }

    fn tiny(goal: u32) -> String {
        format!("(role me) (init on) (legal me rest) (<= (next on) (true on)) (goal me {goal}) (<= terminal (true on))")
    }

    #[test]
    fn pasted_sheets_are_freed_when_others_follow() {
        let first = paste(&tiny(0)).expect("a sheet");
        assert_eq!(open(&first, Name), Ok(format!("gdl:{first}")));
        assert_eq!(paste(&tiny(0)), Ok(first.clone()), "the same text has the same name");
        let kept = Arc::downgrade(sheets().get(&first).expect("it is kept"));
        for goal in 1..=MOST_PASTED as u32 {
            assert!(is_kept(&first));
            paste(&tiny(goal)).expect("a sheet");
        }
        assert!(!is_kept(&first));
        assert_eq!(kept.strong_count(), 0, "name, text and machine are freed");
        let error = open(&first, Name).expect_err("it is gone").to_string();
        assert_eq!(error, format!("rule sheet {first}: it is no longer known; paste it again"));
    }

    #[test]
    fn a_name_with_a_hash_means_one_text() {
        let [first, other] = [100, 101].map(|goal| tiny(goal - 50));
        let name_of = |text: &str| name("my.kif", text).expect("a sheet");
        assert_ne!(name_of(&first), name_of(&other));
        assert_eq!(name_of(&first), name_of(&first));
        assert_eq!(open(&name_of(&first), Name), Ok(format!("gdl:{}", name_of(&first))));
        let error = open("my.kif:0123456789abcdef", Name).expect_err("nobody named it").to_string();
        assert!(error.ends_with("it is no longer known; name its file"), "{error}");
        assert!(!is_pasted("pasted-x.kif:0123456789abcdef") && is_pasted("pasted-0123456789abcdef"));
    }

    #[test]
    fn what_is_no_game_is_not_kept() {
        let error = paste("(role me").expect_err("no sheet").to_string();
        assert!(error.starts_with("rule sheet pasted-") && error.contains("`(` is never closed"), "{error}");
        assert!(paste("(role me)").is_err());
        assert!(sheets().values().all(|sheet| !matches!(sheet.text.as_str(), "(role me" | "(role me)")));
    }

    #[test]
    fn a_sheet_that_is_being_built_stops_no_other() {
        let slow = Arc::new(Sheet::new("slow", tiny(0)));
        sheets().insert("slow".to_string(), slow.clone());
        let (begun, has_begun) = mpsc::channel();
        let (end, may_end) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let build = || {
                    begun.send(()).expect("somebody listens");
                    // The other sheet must be opened before this ends.
                    may_end.recv_timeout(Duration::from_secs(60)).expect("the other sheet was opened meanwhile");
                    Err(InputError::new("sheet", "slow", "wait"))
                };
                assert!(slow.machine.get_or_init(build).is_err());
            });
            has_begun.recv().expect("the building begins");
            assert_eq!(open("nim", Name), Ok("gdl:nim".to_string()));
            end.send(()).expect("the building goes on");
        });
        sheets().remove("slow");
    }
}
