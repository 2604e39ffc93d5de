//! Files and messages: experiments, stored lines, HTTP, JSON of the pages.

use serde::Serialize;
use serde::de::DeserializeOwned;
use spinney_ggp::http::{reply_of, request_of};
use spinney_ggp::message::Message;
use spinney_lab::blocks::{self, Block};
use spinney_lab::plan::PortionId;
use spinney_lab::record::{Portion, Timing, read_line, write_line};
use spinney_lab::stop::Stop;
use spinney_lab::store::Contents;
use spinney_lab::summary::{samples, summarise};
use spinney_lab::{Experiment, Paper, Plan, Record};
use spinney_tune::Tuning;
use std::fmt::Debug;
use std::sync::LazyLock;

/// Experiments with more cells or larger agents are read, not planned: a plan opens all their games.
const MOST_CELLS: u64 = 12;

/// An experiment file, a paper, a tuning file, or a rule when to stop.
pub fn experiments(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let _ = Paper::read("paper", text);
    if let Ok(stop) = Stop::read_text(text) {
        assert_eq!(Stop::read_text(&stop.to_string()), Ok(stop));
    }
    // A tuning opens its game, and rule sheets may be files or take seconds.
    if !text.contains("gdl:")
        && let Ok(tuning) = Tuning::read("tuning", text)
    {
        let centre = tuning.space.at(&vec![0.5; tuning.space.parameters.len()]);
        assert!(tuning.agent_text(&centre).is_ok() && tuning.tuning_pairs() + tuning.check_pairs() >= 2);
    }
    let Ok(experiment) = Experiment::read("file", text) else { return };
    let written = experiment.to_string();
    let again = Experiment::read("file", &written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again, experiment);
    // Other names are those of files, which is not for a fuzzer to read, or of sheets that take seconds.
    let is_small = |game: &String| !game.contains("gdl:") || game.trim() == "gdl:nim";
    if experiment.cells() <= MOST_CELLS
        && experiment.named_games().all(is_small)
        && let Ok(plan) = Plan::new(&experiment)
    {
        assert_eq!(plan.games(), experiment.games());
        assert_eq!((plan.cells.len() + plan.measurements.len()) as u64, experiment.cells());
    }
}

/// A file of lines, or of blocks of compressed lines.
pub fn records(data: &[u8]) {
    blocks::count_lines(data);
    for block in blocks::blocks(data) {
        if let Block::Sound { text, .. } = block {
            lines(&text);
        }
    }
    if let Ok(text) = std::str::from_utf8(data) {
        lines(text);
        let packed = blocks::pack(
            text.split_inclusive('\n').filter(|line| line.ends_with('\n')),
            blocks::Effort::Usual,
            &|_| {},
        );
        let unpacked = blocks::blocks(&packed).into_iter().map(|block| match block {
            Block::Sound { text, head_is_sound: true } => text,
            damaged => panic!("{damaged:?}"),
        });
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        assert_eq!(unpacked.collect::<String>(), whole);
    }
}

fn lines(text: &str) {
    let mut contents = Contents::default();
    for line in text.lines() {
        let buffer = &mut String::new();
        if let Ok(record) = read_line::<Record>(line, buffer) {
            assert!(record.agrees(&record));
        }
        let _ = read_line::<Portion>(line, buffer);
        let _ = read_line::<Timing>(line, buffer);
        // No fuzzer guesses a checksum; what would follow a right one is tried without.
        if let Some(record) = stored::<Record>(line) {
            contents.games.insert((0, record.pair, record.game), record);
        }
        if let Some(portion) = stored::<Portion>(line) {
            contents.portions.insert(PortionId { measurement: 0, portion: portion.portion }, portion);
        }
        if let Some(timing) = stored::<Timing>(line) {
            contents.times.insert((0, timing.pair, timing.game), timing.ms);
        }
    }
    contents.count();
    for summary in summarise(&PLAN, &contents) {
        assert!((0.0..=1.0).contains(&summary.score));
    }
    samples(&PLAN, &contents);
}

/// A cell and a measurement for the lines to belong to.
static PLAN: LazyLock<Plan> = LazyLock::new(|| {
    const TEXT: &str = "title = \"Lines\"\npairs = 100\n[agents.r]\nkind = \"random\"\n[agents.m]\nsims = 10\n\
        [[match]]\ngames = [\"tic-tac-toe\"]\na = [\"m\"]\nb = [\"r\"]\n\
        [[measure]]\ngames = [\"pig\"]\nagents = [\"m\"]\nrepetitions = 500\n";
    let experiment = Experiment::read("lines", TEXT).expect("an experiment");
    Plan::new(&experiment).expect("a plan")
});

/// The value of a line without checksum, which is written with one and read back.
fn stored<T: Serialize + DeserializeOwned + PartialEq + Debug>(line: &str) -> Option<T> {
    let value: T = serde_json::from_str(line).ok()?;
    let written = write_line(&value);
    let read = read_line(written.trim_end_matches('\n'), &mut String::new());
    assert_eq!(read.as_ref(), Ok(&value), "{written}");
    Some(value)
}

/// What comes to a player over its connection, or back to a manager, in parts as long as the first byte says.
pub fn http(data: &[u8]) {
    let Some((&length, bytes)) = data.split_first() else { return };
    let length = if length == 0 { bytes.len().max(1) } else { usize::from(length) };
    let parts = || {
        let mut parts = bytes.chunks(length);
        move |received: &mut Vec<u8>| {
            let part = parts.next();
            received.extend_from_slice(part.unwrap_or_default());
            Ok(part.is_some())
        }
    };
    let request = request_of(parts());
    let _ = reply_of(parts());
    let text = match &request {
        Ok(request) => request.message.as_str(),
        Err(_) => return,
    };
    if let Ok(Message::Start { rules, .. }) = Message::read(text) {
        rules.check();
    }
}

/// What a page sends; the first byte says to which address.
pub fn wire(data: &[u8]) {
    let Some((&address, body)) = data.split_first() else { return };
    spinney_web::fuzzing::request(address, body);
}
