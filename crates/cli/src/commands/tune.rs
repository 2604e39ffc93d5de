//! `spinney tune`: parameters chosen by games, by our model or by an optimiser of one's own.

use super::lab::threads;
use crate::interrupt;
use crate::numbers::whole;
use crate::text::grouped;
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use spinney_core::InputError;
use spinney_lab::store::write_whole;
use spinney_lab::{Event, LabError, library};
use spinney_report::{curve_picture, to_html, to_terminal};
use spinney_table::Laboratory;
use spinney_tune::report::{curves, report};
use spinney_tune::{Drive, Outcome, Play, Run, Step, Tuning};
use std::fs;
use std::io::{BufRead, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Games of a first look.
const QUICK: u64 = 400;

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "A file names a game, a baseline, and an agent in whose text $name stands for a parameter; docs/tuning.md \
    explains it:\n\n    title = \"C in Breakthrough\"\n    game = \"breakthrough\"\n    agent = \"mcts(c=$c)\"\n    \
    baseline = \"mcts\"\n    budget = { simulations = 1000 }\n    games = 2000\n    [parameters]\n    \
    c = { from = 0.1, to = 4, scale = \"logarithmic\" }\n\n\
    Stop it at any time and run it again to go on; more games continue a shorter tuning. The games are a run that \
    `spinney lab verify`, `pack` and `export` take.\n\
    JSON keys: title, best, agent, expected, games (of the tuner), score, ci95, check_games, wins, draws, losses (of \
    the check, which the tuner has not seen), run, check_run."
)]
pub struct Tune {
    #[command(subcommand)]
    pub command: Option<Driven>,
    #[command(flatten)]
    pub options: TuneRun,
}

#[derive(Debug, Args)]
pub struct TuneRun {
    /// The file of the tuning
    #[arg(required = true)]
    pub file: Option<PathBuf>,
    /// The folder of the run; runs/NAME-HASH when left out
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// All games, those of the check among them, instead of the file's
    #[arg(long, value_name = "N", value_parser = whole::<u64>(8..=100_000_000))]
    pub games: Option<u64>,
    /// A first look with 400 games, which a longer tuning goes on with
    #[arg(long, conflicts_with = "games")]
    pub quick: bool,
    /// Games played at the same time; all cores when left out. What is found does not depend on it
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1024))]
    pub threads: Option<u32>,
    /// Only show what is known, and play nothing
    #[arg(long)]
    pub show: bool,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
}

/// Somebody else drives: lines of JSON.
#[derive(Debug, Subcommand)]
pub enum Driven {
    /// Print settings that the model proposes, from all results of the folder
    #[command(after_help = "JSON keys, one object per line: setting, agent.")]
    Ask {
        #[command(flatten)]
        place: Place,
        /// How many
        #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u64>(1..=100_000))]
        count: u64,
    },
    /// Read results of games that were played elsewhere, and answer with what is best now
    #[command(after_help = "A line: {\"setting\": {\"c\": 0.5, \"k\": 2}, \"wins\": 3, \"losses\": 1}\n\
        JSON keys of a line: setting, wins, draws, losses; of an answer: known (games), best, agent, score, ci95 (by \
        the model); or error.")]
    Tell(Place),
    /// Read settings, play them against the baseline, and answer with wins, draws and losses
    #[command(after_help = "A line: {\"setting\": {\"c\": 0.5, \"k\": 2}, \"games\": 20}\n\
        The first line printed tells the parameters: title, game, agent, baseline, seed, games, parameters, known. JSON \
        keys of a line: setting, games; of an answer: setting, agent, games, wins, draws, losses, score, ci95; or error.")]
    Play {
        #[command(flatten)]
        place: Place,
        /// Games played at the same time; all cores when left out
        #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1024))]
        threads: Option<u32>,
    },
}

#[derive(Debug, Args)]
pub struct Place {
    /// The file of the tuning
    pub file: PathBuf,
    /// The folder of results; runs/NAME-HASH-driven when left out
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
}

pub fn run(arguments: &Tune, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    match &arguments.command {
        None => tune(&arguments.options, laboratory, out),
        Some(Driven::Ask { place, count }) => {
            for line in open(place, laboratory)?.ask(*count)? {
                writeln!(out, "{line}")?;
            }
            Ok(())
        }
        Some(Driven::Tell(place)) => {
            let mut drive = open(place, laboratory)?;
            answer(out, |line| drive.tell(line).map(Some))
        }
        Some(Driven::Play { place, threads: wanted }) => {
            let mut drive = open(place, laboratory)?;
            writeln!(out, "{}", drive.header())?;
            out.flush()?;
            answer(out, |line| drive.play(line, threads(*wanted), interrupt::flag()))
        }
    }
}

/// Name and text of a file: one on disk, else one that comes with the program.
fn read(file: &Path) -> Result<(String, String), LabError> {
    let name = file.display().to_string();
    match (fs::read_to_string(file), library::find_tuning(&name)) {
        (Ok(text), _) => Ok((name, text)),
        (Err(error), Some(known)) if error.kind() == ErrorKind::NotFound => Ok((name, known.text.to_string())),
        (Err(error), _) => {
            Err(InputError::new(&name, error, "name the file of a tuning; `spinney tune --help` shows one").into())
        }
    }
}

/// Where a tuning is kept when nothing else is said.
fn default_folder(name: &str, tuning: &Tuning, end: &str) -> PathBuf {
    let stem = Path::new(name).file_stem().map_or("tune".into(), |stem| stem.to_string_lossy());
    PathBuf::from("runs").join(format!("{stem}-{}{end}", &tuning.hash[..8]))
}

fn open(place: &Place, laboratory: &Laboratory) -> Result<Drive, LabError> {
    let (name, text) = read(&place.file)?;
    let tuning = Tuning::read_in(laboratory, &name, &text)?;
    let folder = place.out.clone().unwrap_or_else(|| default_folder(&name, &tuning, "-driven"));
    let drive = Drive::open(tuning, &folder)?;
    drive.faults.iter().take(10).for_each(|fault| eprintln!("warning: {fault}"));
    Ok(drive)
}

/// Answers every line of standard input with a line; a line that cannot be read is answered with its error.
fn answer(
    out: &mut impl Write,
    mut take: impl FnMut(&str) -> Result<Option<serde_json::Value>, LabError>,
) -> anyhow::Result<()> {
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let value = match take(&line) {
            Ok(Some(value)) => value,
            Ok(None) => anyhow::bail!("stopped; what was played is kept"),
            Err(LabError::Input(error)) => json!({"error": error.to_string()}),
            Err(error) => return Err(error.into()),
        };
        writeln!(out, "{value}")?;
        out.flush()?;
    }
    Ok(())
}

fn tune(arguments: &TuneRun, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let Some(file) = &arguments.file else { unreachable!("clap asks for it") };
    let (name, text) = read(file)?;
    let mut tuning = Tuning::read_in(laboratory, &name, &text)?;
    tuning.games = arguments.games.or(arguments.quick.then_some(QUICK)).unwrap_or(tuning.games);
    let folder = arguments.out.clone().unwrap_or_else(|| default_folder(&name, &tuning, ""));
    let again = command(arguments, &name);
    let mut run = Run::open(tuning, &folder, &text)?;
    run.faults.iter().take(10).for_each(|fault| eprintln!("warning: {fault}"));
    if arguments.show {
        if !run.look()? {
            eprintln!("unfinished: {} games of whole batches are known. Continue with: {again}", run.played());
            return Ok(());
        }
        let outcome = run.outcome()?.2;
        return show(arguments, &run, &outcome, again, out);
    }
    let total = 2 * (run.tuning.tuning_pairs() + run.tuning.check_pairs());
    eprintln!("{}: {} games, in {}", run.tuning.title, grouped(total), folder.display());
    let bar = progress(total);
    let tell = |step: Step<'_>| match step {
        Step::Batch { batch, best } => {
            bar.set_position(2 * batch.before);
            if let Some((best, score)) = best {
                bar.set_message(format!("{best}  about {:.1} %", 100.0 * score));
            }
        }
        Step::Check { best, games } => {
            bar.set_position(total.saturating_sub(games));
            bar.set_message(format!("check of {best}"));
        }
        Step::Game(Event::Played { .. }) => bar.inc(1),
        Step::Game(_) => {}
    };
    let play = Play { threads: threads(arguments.threads), stop: interrupt::flag(), tell: &tell };
    let outcome = match run.tune(&play) {
        Ok(true) => run.check(&play),
        Ok(false) => Ok(None),
        Err(error) => Err(error),
    };
    bar.finish_and_clear();
    if let strays @ 1.. = run.strays()
        && matches!(outcome, Ok(Some(_)))
    {
        eprintln!("note: {} games of the folder belong to a longer tuning or another version", grouped(strays));
    }
    let checked = 2 * run.tuning.check_pairs();
    match outcome {
        Ok(Some(outcome)) if outcome.check.games.games() >= checked => show(arguments, &run, &outcome, again, out),
        Ok(_) => {
            let known = grouped(run.played());
            eprintln!("stopped; nothing is lost, {known} games of whole batches are known. Continue with: {again}");
            Ok(())
        }
        Err(error) => {
            eprintln!("stopped; what was played is kept. Continue with: {again}");
            Err(error.into())
        }
    }
}

fn progress(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} games  {per_sec}  left {eta}  {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(std::time::Duration::from_millis(250));
    bar
}

/// The command that goes on.
fn command(arguments: &TuneRun, name: &str) -> String {
    let mut text = format!("spinney tune {name}");
    if let Some(folder) = &arguments.out {
        text += &format!(" --out {}", folder.display());
    }
    if let Some(games) = arguments.games {
        text += &format!(" --games {games}");
    }
    if arguments.quick {
        text += " --quick";
    }
    text
}

/// Prints the outcome, and writes the page and a picture for each parameter.
fn show(arguments: &TuneRun, run: &Run, outcome: &Outcome, again: String, out: &mut impl Write) -> anyhow::Result<()> {
    let (store, contents, _) = run.outcome()?;
    let data = report(run, outcome, (&store, &contents), again);
    let page = run.folder.join("report.html");
    write_whole(&page, to_html(&data).as_bytes())?;
    let parameters = &run.tuning.space.parameters;
    for (parameter, curve) in parameters.iter().zip(curves(&run.tuning.space, run.observations(), &outcome.best)) {
        write_whole(&run.folder.join(format!("{}.svg", parameter.name)), curve_picture(&curve).as_bytes())?;
    }
    let check = &outcome.check;
    let texts = run.tuning.space.texts(&outcome.best);
    if arguments.json {
        let best: serde_json::Map<String, serde_json::Value> =
            parameters.iter().zip(&texts).map(|(parameter, text)| (parameter.name.clone(), json!(text))).collect();
        let line = json!({
            "title": run.tuning.title,
            "best": best,
            "agent": outcome.agent,
            "expected": outcome.prediction.score,
            "games": run.played(),
            "score": check.score,
            "ci95": check.interval.map(|interval| [interval.low, interval.high]),
            "check_games": check.games.games(),
            "wins": check.games.wins,
            "draws": check.games.draws,
            "losses": check.games.losses,
            "run": run.folder.display().to_string(),
            "check_run": outcome.folder.display().to_string(),
        });
        writeln!(out, "{line}")?;
        return Ok(());
    }
    let columns = console::Term::stdout().size_checked().map_or(100, |(_, columns)| usize::from(columns));
    write!(out, "{}", to_terminal(&data, columns))?;
    let interval = check
        .interval
        .map_or(String::new(), |interval| format!(" [{:.1}, {:.1}]", 100.0 * interval.low, 100.0 * interval.high));
    writeln!(
        out,
        "\nbest   {}\ncheck  {:.1} %{interval} against the baseline in {} games that the tuner has not seen\nuse    {}",
        outcome.written,
        100.0 * check.score,
        grouped(check.games.games()),
        outcome.agent
    )?;
    eprintln!("page: {}", page.display());
    Ok(())
}
