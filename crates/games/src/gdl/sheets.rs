//! Rule sheets by name: `gdl:FILE`, or `gdl:NAME` for those that come with the program. This is the one place of the
//! library that reads files.

use super::{Gdl, chance_role};
use crate::registry::Visitor;
use spinney_core::{InputError, InputErrorKind, Seed};
use spinney_gdl::{Cancel, Limits, Machine, Rules};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

/// A sheet that was opened, with its machine as soon as somebody has built it.
#[derive(Debug)]
struct Sheet {
    /// What its game is called.
    name: String,
    text: String,
    /// When it was last asked for: a number that grows.
    used: AtomicU64,
    machine: OnceLock<Result<Machine, InputError>>,
}

/// A number that grows with every call.
fn now() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Sheet {
    fn new(file: &str, text: String) -> Self {
        Self { name: format!("gdl:{file}"), text, used: AtomicU64::new(now()), machine: OnceLock::new() }
    }

    /// The machine. Only one thread builds it; others that want it wait, those that want another sheet do not.
    fn machine(&self, file: &str) -> Result<&Machine, InputError> {
        let build = || Ok(Machine::build(&Rules::parse(&self.text)?, &Limits::default())?);
        let in_file = |error: &InputError| error.clone().within(format!("rule sheet {file}")).or(InputErrorKind::Rules);
        self.machine.get_or_init(build).as_ref().map_err(in_file)
    }

    /// About how many bytes it takes, once it is a game.
    fn bytes(&self) -> usize {
        let machine = self.machine.get().and_then(|machine| machine.as_ref().ok());
        self.text.len() + machine.map_or(0, |machine| machine.size().bytes)
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
        let sheet = kept(file);
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

/// Makes a rule sheet known that is in no file, and returns its name after `gdl:`. It is built within `limits`. Only the
/// few that were asked for last are kept, and no more than take `most_bytes` together.
pub fn paste(text: &str, limits: &Limits, most_bytes: usize) -> Result<String, InputError> {
    let name = format!("{PASTED}{}", text_hash(text));
    if kept(&name).is_some() {
        return Ok(name);
    }
    // It is known to nobody before it is built: whoever calls the building off harms nobody else.
    let sheet = Sheet::new(&name, text.to_string());
    let built = Rules::parse(text).and_then(|rules| Ok(Machine::build(&rules, limits)?));
    sheet.machine.get_or_init(|| built);
    sheet.machine(&name)?;
    let mut sheets = sheets();
    sheets.insert(name.clone(), Arc::new(sheet));
    loop {
        let pasted: Vec<_> = sheets.iter().filter(|(known, _)| is_pasted(known)).collect();
        let bytes: usize = pasted.iter().map(|(_, sheet)| sheet.bytes()).sum();
        if pasted.len() <= MOST_PASTED && (bytes <= most_bytes || pasted.len() == 1) {
            return Ok(name);
        }
        let oldest = pasted.into_iter().min_by_key(|(_, sheet)| sheet.used.load(Ordering::Relaxed));
        let Some(oldest) = oldest.map(|(known, _)| known.clone()) else { return Ok(name) };
        sheets.remove(&oldest);
    }
}

/// The sheet of this name, if it is known and a game; it has been asked for.
fn kept(name: &str) -> Option<Arc<Sheet>> {
    let sheet = sheets().get(name).filter(|sheet| sheet.is_game()).cloned()?;
    sheet.used.store(now(), Ordering::Relaxed);
    Some(sheet)
}

thread_local! {
    /// What games are told that are opened on this thread.
    static WATCH: RefCell<Option<(Option<Instant>, Cancel)>> = const { RefCell::new(None) };
}

/// Does what opens games on this thread; those of rule sheets work no state out after `deadline`, or once `cancel` is set.
/// Then nothing is known of a state: it counts as an end, and whoever looks asks first whether time was over.
pub fn watched<T>(deadline: Option<Instant>, cancel: &Cancel, work: impl FnOnce() -> T) -> T {
    struct Before(Option<(Option<Instant>, Cancel)>);
    impl Drop for Before {
        fn drop(&mut self) {
            WATCH.set(self.0.take());
        }
    }
    let _before = Before(WATCH.replace(Some((deadline, cancel.clone()))));
    work()
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
    let machine = sheet.machine(file)?;
    let machine = WATCH.with_borrow(|watch| match watch {
        Some((deadline, cancel)) => machine.until(*deadline, cancel),
        None => machine.clone(),
    });
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

    /// Tests that paste must not push out one another's sheets.
    static PASTING: Mutex<()> = Mutex::new(());

    fn alone() -> MutexGuard<'static, ()> {
        PASTING.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn paste(text: &str) -> Result<String, InputError> {
        super::paste(text, &Limits::default(), usize::MAX)
    }

    #[test]
    fn pasted_sheets_are_freed_when_others_follow() {
        let _alone = alone();
        let (first, other) = (paste(&tiny(0)).expect("a sheet"), paste(&tiny(1)).expect("a sheet"));
        assert_eq!(open(&first, Name), Ok(format!("gdl:{first}")));
        assert_eq!(paste(&tiny(0)), Ok(first.clone()), "the same text has the same name");
        let freed = Arc::downgrade(sheets().get(&other).expect("it is kept"));
        for goal in 2..=MOST_PASTED as u32 {
            assert!(is_kept(&other));
            paste(&tiny(goal)).expect("a sheet");
        }
        assert!(is_kept(&first) && !is_kept(&other), "the one that was asked for later stays");
        assert_eq!(freed.strong_count(), 0, "name, text and machine are freed");
        let error = open(&other, Name).expect_err("it is gone").to_string();
        assert_eq!(error, format!("rule sheet {other}: it is no longer known; paste it again"));
    }

    #[test]
    fn pasted_sheets_share_a_number_of_bytes() {
        let _alone = alone();
        let long = |goal: u32| format!("{} ; {}", tiny(goal), " ".repeat(1_000_000));
        let names: Vec<String> =
            (0..5).map(|goal| super::paste(&long(goal), &Limits::default(), 2_500_000).expect("a sheet")).collect();
        assert_eq!(names.iter().map(|name| is_kept(name)).collect::<Vec<_>>(), [false, false, false, true, true]);
        super::paste(&tiny(60), &Limits::default(), 1).expect("one may be larger than all");
        assert!(names.iter().all(|name| !is_kept(name)));
    }

    #[test]
    fn a_sheet_that_is_called_off_is_not_kept() {
        let _alone = alone();
        let cancel = Cancel::default();
        cancel.cancel();
        let text = tiny(70);
        let error = super::paste(&text, &Limits::default().cancelled_by(&cancel), usize::MAX).expect_err("no sheet");
        assert!(error.to_string().contains("called off"), "{error}");
        assert!(paste(&text).is_ok(), "nobody else is harmed");
    }

    struct Step;

    impl Visitor for Step {
        type Output = bool;
        fn visit<G: Notation>(self, _: &str, game: G) -> bool {
            let mut state = game.initial();
            let mut moves = spinney_core::List::new();
            game.moves(&state, &mut moves);
            game.apply(&mut state, moves[0]);
            matches!(game.turn(&state), spinney_core::Turn::Over(_))
        }
    }

    /// A game of proofs, as its terms grow for ever.
    const GROWING: &str = "(role me) (init (at zero)) (legal me go) (<= (next (at (s ?x))) (true (at ?x)))
        (<= terminal (true off)) (goal me 50)";

    #[test]
    fn a_watched_game_stops_when_it_is_told() {
        let _alone = alone();
        let by_proofs = Limits::only(spinney_gdl::Method::Proof);
        let name = super::paste(GROWING, &by_proofs, usize::MAX).expect("a sheet");
        let cancel = Cancel::default();
        assert_eq!(watched(None, &cancel, || open(&name, Step)), Ok(false));
        assert_eq!(watched(Some(Instant::now()), &cancel, || open(&name, Step)), Ok(true), "time is over");
        cancel.cancel();
        assert_eq!(watched(None, &cancel, || open(&name, Step)), Ok(true), "it was called off");
        assert_eq!(open(&name, Step), Ok(false), "others are not watched");
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
        let _alone = alone();
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
