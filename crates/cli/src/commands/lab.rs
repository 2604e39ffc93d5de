//! `spinney lab`: experiments from plan to report.

use super::progress::{Display, styled};
use super::stopping::{self, Rules};
use super::{cluster, numbers, watch};
use crate::Negative;
use crate::arguments::{Lab, LabRun};
use crate::cards::{CardFarm, CardPlan};
use crate::interrupt;
use crate::text::grouped;
use indicatif::ProgressBar;
use serde_json::json;
use spinney_core::InputError;
use spinney_core::error::nearest;
use spinney_lab::blocks::Effort;
use spinney_lab::cluster::Submission;
use spinney_lab::estimate::seconds_of_measurement;
use spinney_lab::farm::refusals;
use spinney_lab::pack::{self, Shares};
use spinney_lab::plan::{Plan, Shard};
use spinney_lab::store::{Contents, Store, folder_name, write_whole};
use spinney_lab::summary::{pairs_to_add, samples_of, summarise_outcomes};
use spinney_lab::verify::{Verification, repeat, replay, sample, sample_portions};
use spinney_lab::{Crew, Estimate, Experiment, Farm, LabError, library, report, runner};
use spinney_report::{Picture, Report, pictures, to_html, to_markdown, to_terminal};
use spinney_search::AgentSettings;
use spinney_stats::{Design, FAIR_PAIR_DEVIATION};
use spinney_table::Laboratory;
use std::collections::BTreeSet;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

pub fn run(command: &Lab, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        Lab::Plan { file: Some(file), json, gpu } => plan(laboratory, file, (*json, *gpu), out),
        Lab::Plan { file: None, .. } => list_files(out),
        Lab::Run(arguments) => run_file(laboratory, arguments, out),
        Lab::Submit(arguments) => cluster::submit(laboratory, arguments, out),
        Lab::Element(arguments) => cluster::element(laboratory, arguments),
        Lab::Gather { run, submission, anyway } => {
            cluster::gather_run(&open(laboratory, run)?, *submission, *anyway, out)
        }
        Lab::Cancel { run, submission } => cluster::cancel(&open(laboratory, run)?, *submission, out),
        Lab::Watch { run, every, once } => watch::watch(&open(laboratory, run)?, *every, *once, out),
        Lab::Status { run, json: false } => status(&open(laboratory, run)?, out),
        Lab::Status { run, json: true } => numbers::status(&open(laboratory, run)?, out),
        Lab::Report { run, html, json, csv, .. } if *json || csv.is_some() => {
            let store = open(laboratory, run)?;
            html.iter().try_for_each(|page| write_page(&store, page))?;
            numbers::report(&store, csv.as_deref(), out)
        }
        Lab::Report { run, html, markdown, .. } => {
            show_report(&open(laboratory, run)?, html.as_deref(), *markdown, None, out)
        }
        Lab::Merge { into, from, mix_versions } => merge(laboratory, into, from, *mix_versions, out),
        Lab::Verify { run, sample } => verify(&open(laboratory, run)?, *sample, out),
        &Lab::Pack { ref run, moves, timed_moves, times, small } => {
            let effort = if small { Effort::Most } else { Effort::Usual };
            pack_run(&open(laboratory, run)?, Shares { moves, timed_moves, times, effort }, out)
        }
        Lab::Export { run, csv, parquet, kept_moves, beyond } => {
            let store = open(laboratory, run)?;
            numbers::export(&store, csv.as_deref(), parquet.as_deref(), *kept_moves, *beyond, out)
        }
        Lab::More { run, pairs } => more(&mut open(laboratory, run)?, run, *pairs, out),
    }
}

/// Name and text of an experiment file: one on disk, else one that comes with the program.
pub fn read(file: &Path) -> Result<(String, String), LabError> {
    let name = file.display().to_string();
    match (fs::read_to_string(file), library::find_path(&name)) {
        (Ok(text), _) => Ok((name, text)),
        (Err(error), Some(known)) if error.kind() == ErrorKind::NotFound => Ok((name, known.text.to_string())),
        (Err(error), _) => {
            let known: Vec<&str> = library::files().map(|file| file.name).collect();
            let remedy = match nearest(&name, &known) {
                Some(near) => format!("name an experiment file; did you mean `{near}`, which comes with the program?"),
                None => {
                    "name an experiment file; `spinney lab plan` lists those that come with the program".to_string()
                }
            };
            Err(InputError::new(&name, error, remedy).into())
        }
    }
}

/// The experiment files that come with the program.
fn list_files(out: &mut impl Write) -> anyhow::Result<()> {
    let width = library::files().map(|file| file.name.len()).max().unwrap_or(0);
    for file in library::files() {
        let experiment = Experiment::read(file.name, file.text)?;
        let (cells, games) = (experiment.cells(), grouped(experiment.games()));
        writeln!(out, "{:<width$} {cells:>4} cells {games:>9} games  {}", file.name, experiment.title)?;
    }
    writeln!(out, "what one costs here: spinney lab plan NAME; a file of your own is named by its path")?;
    Ok(())
}

/// The folder of a run when none is named.
pub fn default_folder(name: &str, plan: &Plan) -> PathBuf {
    PathBuf::from("runs").join(folder_name(name, plan))
}

/// Opens a run by its folder, or by the experiment file that began it.
pub fn open(laboratory: &Laboratory, run: &Path) -> Result<Store, LabError> {
    if run.is_dir() {
        return Store::open_in(laboratory, run);
    }
    let (name, text) = read(run)?;
    let plan = Plan::new(&Experiment::read_in(laboratory, &name, &text)?)?;
    let folder = default_folder(&name, &plan);
    if !folder.is_dir() {
        let problem = format!("it has not been run: there is no {}", folder.display());
        return Err(InputError::new(name, problem, "begin with `spinney lab run`").into());
    }
    Store::open_in(laboratory, &folder)
}

fn plan(laboratory: &Laboratory, file: &Path, (json, gpu): (bool, bool), out: &mut impl Write) -> anyhow::Result<()> {
    let (name, text) = read(file)?;
    let plan = Plan::new(&Experiment::read_in(laboratory, &name, &text)?)?;
    let run = format!("spinney lab run {name}{}", if gpu { " --gpu" } else { "" });
    show_plan(&plan, json, u32::from(gpu), &run, out)
}

/// Every cell with what it will cost here, and on so many cards; `run` is the command that plays them.
pub fn show_plan(plan: &Plan, json: bool, cards: u32, run: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let threads = threads(None);
    if !json {
        writeln!(out, "{}  ({})", plan.title, plan.hash)?;
        let place = if cards > 0 { format!("{:>10} ", "where") } else { String::new() };
        writeln!(out, "{:>8} {:>8} {:>12} {place}{:>14}  cell", "pairs", "games", "time", "detectable")?;
    }
    let (mut total, mut on_card, mut last, mut longest_game) = (0.0, 0.0, 0.0f64, 0.0f64);
    let mut guessed = BTreeSet::new();
    let on_cards = if cards > 0 { Some(CardPlan::new(plan, cards)?) } else { None };
    let mut estimate = Estimate::default();
    let mut rules = Rules::default();
    for (index, cell) in plan.cells.iter().enumerate() {
        let cost = estimate.cost(cell, interrupt::flag())?;
        let seconds = cost.seconds;
        // What was interrupted has measured nothing.
        if interrupt::pressed() {
            return Ok(());
        }
        rules.add(cell);
        let card = on_cards.as_ref().map(|cards| cards.seconds(index, 2 * cell.pairs, &cost));
        match &card {
            Some(Ok((game, card))) => {
                (on_card, last, longest_game) =
                    (on_card + card.share, last.max(card.last), longest_game.max(card.game));
                guessed.extend((!card.is_measured).then_some(*game));
            }
            _ => total += seconds,
        }
        let detectable = Design::default().detectable_effect(cell.pairs, FAIR_PAIR_DEVIATION);
        if json {
            let mut line = json!({
                "key": cell.key, "game": cell.game, "a": cell.names[0], "b": cell.names[1], "budget": cell.budget,
                "pairs": cell.pairs, "seconds": seconds, "detectable": detectable,
            });
            stopping::add_expectation(&mut line, cell);
            match card {
                Some(Ok((_, card))) => {
                    (line["where"], line["card_seconds"]) = (json!("card"), json!(card.whole()));
                    line["card_measured"] = json!(card.is_measured);
                }
                Some(Err(why)) => (line["where"], line["why"]) = (json!("processor"), json!(why)),
                None => {}
            }
            writeln!(out, "{line}")?;
        } else {
            let effect = detectable.map_or("–".to_string(), |effect| format!("±{:.1} points", 100.0 * effect));
            let (seconds, place, why) = match card {
                Some(Ok((_, card))) => (card.whole(), format!("{:>10} ", "card"), String::new()),
                Some(Err(why)) => (seconds / threads as f64, format!("{:>10} ", "processor"), format!("  ({why})")),
                None => (seconds / threads as f64, String::new(), String::new()),
            };
            let (games, time) = (2 * cell.pairs, duration(seconds));
            writeln!(out, "{:>8} {games:>8} {time:>12} {place}{effect:>14}  {}{why}", cell.pairs, cell.label())?;
        }
        out.flush()?;
    }
    for one in &plan.measurements {
        let seconds = seconds_of_measurement(one, interrupt::flag())?;
        if interrupt::pressed() {
            return Ok(());
        }
        total += seconds;
        if json {
            let line = json!({
                "key": one.key, "game": one.game, "agent": one.name, "budget": one.budget,
                "repetitions": one.repetitions, "seconds": seconds,
            });
            writeln!(out, "{line}")?;
        } else {
            let time = duration(seconds / threads as f64);
            writeln!(out, "{:>8} {:>8} {time:>12} {:>14}  {}", "–", one.repetitions, "–", one.label())?;
        }
        out.flush()?;
    }
    if !json {
        let time = duration(total / threads as f64);
        let (games, units) = (grouped(plan.games()), plan.units());
        let cells = plan.cells.len() + plan.measurements.len();
        let most = if rules.is_empty() { "" } else { "at most " };
        writeln!(out, "{cells} cells, {most}{games} games in {units} units, {most}about {time} on {threads} cores")?;
        if cards > 0 {
            let (time, longest) = (duration(on_card.max(last)), duration(longest_game));
            let words = if cards == 1 { "a card" } else { &format!("{cards} cards") };
            writeln!(
                out,
                "beside them {most}about {time} on {words} with the speed of an H200; a game takes up to {longest} there, \
                 and cores without work help"
            )?;
            if !guessed.is_empty() {
                let games = guessed.into_iter().collect::<Vec<&str>>().join(", ");
                writeln!(out, "no whole run of {games} was measured on a card: these times are guesses")?;
            }
        }
        if !plan.cells.is_empty() {
            writeln!(out, "detectable: the smallest difference from 50 % seen with 80 % power at 5 %")?;
        }
        rules.lines().iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out, "run it with: {run}")?;
    }
    Ok(())
}

/// Seconds in the unit that suits them.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.0} s"),
        s if s < 3600.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// An agent that somebody waits for: it thinks on all cores, unless it says otherwise or is to be repeated.
pub fn on_all_cores(agent: AgentSettings) -> AgentSettings {
    agent.with_threads_by_default(threads(None) as u32)
}

/// The threads asked for, else one for each core.
pub fn threads(wanted: Option<u32>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    wanted.map_or(cores, |threads| threads as usize)
}

/// Threads, and cards if they were asked for.
pub fn crew<'a>(wanted: Option<u32>, farm: Option<&'a CardFarm>) -> Crew<'a> {
    Crew { threads: threads(wanted), farm: farm.map(|farm| farm as &dyn Farm), helps: true }
}

fn run_file(laboratory: &Laboratory, arguments: &LabRun, out: &mut impl Write) -> anyhow::Result<()> {
    if arguments.file.is_dir() {
        return run_folder(laboratory, arguments, out);
    }
    let (name, text) = read(&arguments.file)?;
    let again = |folder: &Path| {
        let mut command = format!("spinney lab run {name}");
        if arguments.out.is_some() {
            command += &format!(" --out {}", folder.display());
        }
        if arguments.shard != "0/1" {
            command += &format!(" --shard {}", arguments.shard);
        }
        if arguments.mix_versions {
            command += " --mix-versions";
        }
        command += &arguments.cards.written();
        command
    };
    let shard = Shard::read(&arguments.shard)?;
    let farm = arguments.cards.farm()?;
    let folder = (arguments.out.as_deref(), arguments.mix_versions);
    let store = run_text(laboratory, (&name, &text), folder, shard, crew(arguments.threads, farm.as_ref()), again)?;
    if shard == Shard::WHOLE {
        show_report(&store, None, false, Some(again(&store.folder)), out)?;
    }
    Ok(())
}

/// Goes on with a run, or repeats it in another folder with as many games as it has, also those of `lab more`.
fn run_folder(laboratory: &Laboratory, arguments: &LabRun, out: &mut impl Write) -> anyhow::Result<()> {
    let source = Store::open_in(laboratory, &arguments.file)?;
    let folder = arguments.out.as_ref().unwrap_or(&arguments.file);
    let path = source.folder.join("experiment.toml");
    let text = fs::read_to_string(&path).map_err(LabError::file(&path))?;
    let name = path.display().to_string();
    Store::create_in(laboratory, folder, &name, &text)?.grow(&source.plan)?;
    let again = |folder: &Path| {
        let shard = if arguments.shard == "0/1" { String::new() } else { format!(" --shard {}", arguments.shard) };
        format!("spinney lab run {}{shard}{}", folder.display(), arguments.cards.written())
    };
    let shard = Shard::read(&arguments.shard)?;
    let farm = arguments.cards.farm()?;
    let folder = (Some(folder.as_path()), arguments.mix_versions);
    let store = run_text(laboratory, (&name, &text), folder, shard, crew(arguments.threads, farm.as_ref()), again)?;
    if shard == Shard::WHOLE {
        show_report(&store, None, false, Some(again(&store.folder)), out)?;
    }
    Ok(())
}

/// Runs an experiment until it is done or interrupted; its results are in the store. `mixes` lets programs that play
/// differently add games to one run.
pub fn run_text(
    laboratory: &Laboratory,
    (name, text): (&str, &str),
    (folder, mixes): (Option<&Path>, bool),
    shard: Shard,
    crew: Crew<'_>,
    again: impl Fn(&Path) -> String,
) -> anyhow::Result<Store> {
    let plan = Plan::new(&Experiment::read_in(laboratory, name, text)?)?;
    let folder = folder.map_or_else(|| default_folder(name, &plan), Path::to_path_buf);
    let mut store = Store::create_in(laboratory, &folder, name, text)?;
    store.mixes = mixes;
    let contents = store.read()?;
    warn(&contents);
    note_fewer(&plan, &store.plan);
    note_unknown_program(&store, &contents)?;
    note_crowded(&store.plan, crew.threads);
    note_refused(&store.plan, crew.farm)?;
    let count = |contents: &Contents| -> u64 {
        runner::missing(&store.plan, contents, shard).iter().map(|task| task.count(&store.plan)).sum()
    };
    let missing = count(&contents);
    let at_most = if store.plan.cells.iter().any(|cell| cell.stop.is_some()) { "at most " } else { "" };
    eprintln!(
        "{}: {at_most}{} games to play, {} known, in {}",
        store.plan.title,
        grouped(missing),
        grouped(contents.count()),
        folder.display()
    );
    let display = Display::new(&store.plan, &contents, missing);
    let played = runner::run(&store, &contents, shard, crew, interrupt::flag(), &|event| display.tell(event));
    display.finish();
    match played {
        Ok(played) if played < missing => {
            // A rule that was decided leaves nothing to play.
            let left = count(&store.read()?);
            if left > 0 {
                eprintln!(
                    "stopped; nothing is lost, {at_most}{left} games are left. Continue with: {}",
                    again(&folder)
                );
            }
        }
        Ok(_) => {}
        Err(error) => {
            eprintln!("stopped; what was played is kept. Continue with: {}", again(&folder));
            return Err(error.into());
        }
    }
    Ok(store)
}

/// A file may ask for less than its run has come to hold: nothing is thrown away.
fn note_fewer(file: &Plan, run: &Plan) {
    let pairs = file.cells.iter().zip(&run.cells).map(|(asked, known)| (2 * asked.pairs, 2 * known.pairs));
    let repetitions = file.measurements.iter().zip(&run.measurements);
    let repetitions = repetitions.map(|(asked, known)| (asked.repetitions, known.repetitions));
    let fewer: Vec<(u64, u64)> = pairs.chain(repetitions).filter(|(asked, known)| asked < known).collect();
    if let Some((asked, known)) = fewer.first() {
        let (asked, known, cells) = (grouped(*asked), grouped(*known), fewer.len());
        eprintln!(
            "note: the file asks for fewer games than this run has ({asked} of {known}, {cells} cells): the run's number \
             counts; --out FOLDER begins another"
        );
    }
}

/// Games by the clock, or with so much time for a move, that have to wait for a core are others than were asked for.
fn note_crowded(plan: &Plan, threads: usize) {
    let cores = self::threads(None);
    let timed = plan.cells.iter().filter(|cell| cell.clock.is_some() || cell.move_time.is_some()).count();
    if threads > cores && timed > 0 {
        eprintln!(
            "note: {threads} games at once on {cores} cores take each other's time, which limits the games of {timed} cells; \
             leave --threads out, or write {cores} or less"
        );
    }
}

/// What stays on the processor although cards were asked for, in a line for each reason.
pub fn note_refused(plan: &Plan, farm: Option<&dyn Farm>) -> Result<(), LabError> {
    let Some(farm) = farm else { return Ok(()) };
    for (why, cells) in refusals(plan, farm)? {
        eprintln!("note: the processor plays {cells} of {} cells: {why}", plan.cells.len());
    }
    Ok(())
}

/// Runs that are older than this are gone on with.
fn note_unknown_program(store: &Store, contents: &Contents) -> Result<(), LabError> {
    if contents.count() > 0 && store.program()?.is_none() {
        let version = &store.version;
        eprintln!(
            "note: this run of spinney {version} does not say how its agents behaved; `lab verify` tells if they still do"
        );
    }
    Ok(())
}

pub fn warn(contents: &Contents) {
    name_faults(&contents.faults);
}

/// The first of what is wrong with a run.
pub fn name_faults(faults: &[String]) {
    const MOST: usize = 10;
    for fault in faults.iter().take(MOST) {
        eprintln!("warning: {fault}");
    }
    if faults.len() > MOST {
        eprintln!("warning: {} more faults", faults.len() - MOST);
    }
}

fn status(store: &Store, out: &mut impl Write) -> anyhow::Result<()> {
    let outcomes = store.outcomes()?;
    name_faults(&outcomes.faults);
    writeln!(out, "{}  ({})  {}", store.plan.title, store.plan.hash, store.folder.display())?;
    for (cell, summary) in store.plan.cells.iter().zip(summarise_outcomes(&store.plan, &outcomes)) {
        let (games, planned) = (summary.games.games(), 2 * cell.pairs);
        let score = match summary.interval {
            Some(interval) => {
                format!("{:.1} % [{:.1}, {:.1}]", 100.0 * summary.score, 100.0 * interval.low, 100.0 * interval.high)
            }
            None => "–".to_string(),
        };
        let course = report::course(cell, &summary).map_or(String::new(), |course| format!("  ({})", course.short));
        writeln!(out, "{games:>8} of {planned:>8}  {score:<24}  {}{course}", cell.label())?;
    }
    for (one, sample) in store.plan.measurements.iter().zip(samples_of(&store.plan, &outcomes.portions)) {
        let value = match sample.count {
            0 => "–".to_string(),
            _ => format!("{:.2} ± {:.2}", sample.mean(0), sample.margin(0)),
        };
        writeln!(out, "{:>8} of {:>8}  {value:<24}  {}", sample.count, one.repetitions, one.label())?;
    }
    for number in Submission::numbers(&store.folder) {
        writeln!(out, "{}", watch::elements_line(&cluster::look(store, number)?))?;
    }
    Ok(())
}

pub fn show_report(
    store: &Store,
    html: Option<&Path>,
    markdown: bool,
    command: Option<String>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let contents = store.read_results()?;
    warn(&contents);
    show_report_of(store, &contents, html, markdown, command, out)
}

/// The same of what is known already.
pub fn show_report_of(
    store: &Store,
    contents: &Contents,
    html: Option<&Path>,
    markdown: bool,
    command: Option<String>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let data = report::of_store(store, contents, command);
    let page = html.map_or_else(|| store.folder.join("report.html"), Path::to_path_buf);
    write_page_of(&data, &page)?;
    if markdown {
        write!(out, "{}", to_markdown(&data))?;
    } else {
        let columns = console::Term::stdout().size_checked().map_or(100, |(_, columns)| usize::from(columns));
        write!(out, "{}", to_terminal(&data, columns))?;
    }
    eprintln!("page: {}", page.display());
    Ok(())
}

/// The page of a run and its figures beside it.
fn write_page(store: &Store, page: &Path) -> anyhow::Result<()> {
    let data = report::of_store(store, &store.read_results()?, None);
    write_page_of(&data, page)?;
    eprintln!("page: {}", page.display());
    Ok(())
}

/// The page, and each of its figures as a file of its own: `report-1-curve.svg` beside `report.html`.
fn write_page_of(data: &Report, page: &Path) -> Result<(), LabError> {
    write_whole(page, to_html(data).as_bytes())?;
    let stem = page.file_stem().map_or("report".into(), |stem| stem.to_string_lossy());
    for Picture { name, svg } in pictures(data) {
        write_whole(&page.with_file_name(format!("{stem}-{name}.svg")), svg.as_bytes())?;
    }
    Ok(())
}

fn merge(
    laboratory: &Laboratory,
    into: &Path,
    from: &[PathBuf],
    mixes: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let others = from.iter().map(|run| open(laboratory, run)).collect::<Result<Vec<Store>, LabError>>()?;
    let Some(first) = others.first() else { return Ok(()) };
    let mut store = if into.is_dir() {
        open(laboratory, into)?
    } else {
        // Read where it lies, so that its rule sheets are found.
        let file = first.folder.join("experiment.toml");
        Store::create_in(laboratory, into, &file.display().to_string(), &fs::read_to_string(&file)?)?
    };
    store.mixes = mixes;
    let added = store.merge_all(&others)?;
    for (other, added) in others.iter().zip(added) {
        store.grow(&other.plan)?;
        writeln!(out, "{}: {} games added", other.folder.display(), grouped(added))?;
    }
    status(&store, out)
}

fn verify(store: &Store, share: f64, out: &mut impl Write) -> anyhow::Result<()> {
    let contents = store.read()?;
    warn(&contents);
    let mut found = Verification::default();
    let timed = contents.games.keys().filter(|id| store.plan.cells[id.0].is_timed).count();
    let timed_portions = contents.portions.keys().filter(|id| store.plan.measurements[id.measurement].is_timed);
    if let timed @ 1.. = timed + timed_portions.count() {
        writeln!(
            out,
            "left out {} games limited by time or on many threads: they cannot be played again",
            grouped(timed as u64)
        )?;
    }
    let (ids, portions) = (sample(&store.plan, &contents, share), sample_portions(&store.plan, &contents, share));
    let bar = ProgressBar::new((ids.len() + portions.len()) as u64);
    for id in ids {
        let Some(result) = replay(store, &contents.games[&id], id, interrupt::flag())? else { break };
        found.add(1, result);
        bar.inc(1);
    }
    for id in portions {
        let portion = &contents.portions[&id];
        let Some(result) = repeat(store, portion, id, interrupt::flag())? else { break };
        found.add(portion.count, result);
        bar.inc(1);
    }
    bar.finish_and_clear();
    for difference in &found.differences {
        writeln!(out, "{difference}")?;
    }
    let different = found.replayed - found.identical;
    let (replayed, identical, all) = (found.replayed, found.identical, contents.count());
    writeln!(out, "replayed {replayed} of {all} games: {identical} identical, {different} different")?;
    found.write(store)?;
    if different > 0 { Err(Negative.into()) } else { Ok(()) }
}

fn pack_run(store: &Store, shares: Shares, out: &mut impl Write) -> anyhow::Result<()> {
    warn(&store.read()?);
    let bar = styled(ProgressBar::new(0), "{wide_bar} {decimal_bytes}/{decimal_total_bytes}  {left}");
    let packed = pack::pack_and_tell(store, shares, &|pack::Progress { done, all }| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let packed = packed?;
    writeln!(
        out,
        "{}: {} games, {} with their moves",
        store.folder.display(),
        grouped(packed.games),
        grouped(packed.with_moves)
    )?;
    if packed.timed > 0 {
        let what = match packed.lost {
            0 => "kept all moves of".to_string(),
            lost => format!("the moves of {} are gone, of", grouped(lost)),
        };
        writeln!(out, "{what} {} games limited by time: they cannot be played again", grouped(packed.timed))?;
    }
    writeln!(out, "{} bytes of records before, {} now", grouped(packed.before), grouped(packed.after))?;
    Ok(())
}

/// Adds pairs to the cells that are undecided.
fn more(store: &mut Store, run: &Path, wanted: Option<u64>, out: &mut impl Write) -> anyhow::Result<()> {
    let more = pairs_to_add(&store.plan, &store.read()?, wanted);
    for (cell, added) in store.plan.cells.iter().zip(&more).filter(|(_, added)| **added > 0) {
        writeln!(out, "{:>8} pairs more: {}", added, cell.label())?;
    }
    if more.iter().all(|added| *added == 0) {
        writeln!(out, "every cell is decided")?;
        return Ok(());
    }
    store.add_pairs(&more)?;
    if store.plan.cells.iter().any(|cell| cell.looked.is_some()) {
        writeln!(out, "after looking, these cells have the 95 % anytime interval, which is wider")?;
    }
    let again = if run.is_dir() { report::run_again(run) } else { format!("spinney lab run {}", run.display()) };
    writeln!(out, "play them with: {again}")?;
    Ok(())
}
