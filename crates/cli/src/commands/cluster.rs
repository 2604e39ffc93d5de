//! `spinney lab submit`, `element`, `gather` and `cancel`: runs on many machines.

use super::lab::{default_folder, duration, open, read, show_report_of, threads, warn};
use super::progress::Display;
use crate::Negative;
use crate::arguments::{LabElement, LabSubmit};
use crate::interrupt;
use crate::text::grouped;
use spinney_core::InputError;
use spinney_lab::cluster::element::index_here;
use spinney_lab::cluster::progress::{Progress, State, Watched};
use spinney_lab::cluster::script::{Kept, Script};
use spinney_lab::cluster::submission::measured;
use spinney_lab::cluster::{Call, Element, Engine, Jobs, Settings, Sizes, Submission, gather, hyperqueue, slurm};
use spinney_lab::estimate::seconds_of_measurement;
use spinney_lab::plan::{Plan, Shard};
use spinney_lab::runner::{Task, missing};
use spinney_lab::store::{Contents, Store};
use spinney_lab::{Estimate, Experiment, LabError};
use spinney_table::Laboratory;
use std::collections::{BTreeSet, HashMap};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Runs another program; what it prints, or why not.
fn answer(Call(words): &Call, remedy: &str) -> Result<String, InputError> {
    let program = &words[0];
    match Command::new(program).args(&words[1..]).output() {
        Ok(output) if output.status.success() => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            let problem = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(", ");
            let problem = if problem.is_empty() { output.status.to_string() } else { problem };
            Err(InputError::new(program, problem, remedy))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let remedy = "call it on a machine that has it, or prepare elements for another engine with --on other";
            Err(InputError::new(program, "this program is not here", remedy))
        }
        Err(error) => Err(InputError::new(program, error, remedy)),
    }
}

/// The run to submit: on disk, or as it would be there.
struct Target {
    name: String,
    folder: PathBuf,
    plan: Plan,
    contents: Contents,
    store: Option<Store>,
}

fn target(laboratory: &Laboratory, arguments: &LabSubmit) -> anyhow::Result<Target> {
    let is_run = arguments.file.is_dir();
    let file = if is_run { arguments.file.join("experiment.toml") } else { arguments.file.clone() };
    let (name, text) = read(&file)?;
    let plan = Plan::new(&Experiment::read_in(laboratory, &name, &text)?)?;
    let own = || if is_run { arguments.file.clone() } else { default_folder(&name, &plan) };
    let folder = arguments.out.clone().unwrap_or_else(own);
    let mut store = match (arguments.dry_run, folder.join("plan.json").exists()) {
        (true, true) => Some(Store::open_in(laboratory, &folder)?),
        (true, false) => None,
        (false, _) => Some(Store::create_in(laboratory, &folder, &name, &text)?),
    };
    if let Some(store) = &mut store {
        // Elements are started in folders of their own.
        store.folder = store.folder.canonicalize().map_err(LabError::file(&folder))?;
    }
    let contents = store.as_ref().map_or_else(|| Ok(Contents::default()), Store::read_results)?;
    warn(&contents);
    let plan = store.as_ref().map_or(plan, |store| store.plan.clone());
    let folder = store.as_ref().map_or_else(|| std::path::absolute(&folder), |store| Ok(store.folder.clone()));
    let folder = folder.map_err(LabError::file(&arguments.file))?;
    Ok(Target { name, folder, plan, contents, store })
}

/// Seconds of every cell of which something is missing: by its games, else by an estimate. `None` if interrupted.
fn costs(plan: &Plan, contents: &Contents, tasks: &[Task]) -> anyhow::Result<Option<Vec<f64>>> {
    let place = |task: &Task| match task {
        Task::Pair { pair, .. } => pair.cell,
        Task::Portion(id) => plan.cells.len() + id.measurement,
    };
    let wanted: BTreeSet<usize> = tasks.iter().map(place).collect();
    let mut estimate = Estimate::default();
    let mut seconds = Vec::new();
    for (place, known) in measured(plan, contents).into_iter().enumerate() {
        seconds.push(match known {
            Some(known) => known,
            None if !wanted.contains(&place) => 0.0,
            None => match plan.cells.get(place) {
                Some(cell) => estimate.seconds(cell, interrupt::flag())?,
                None => seconds_of_measurement(&plan.measurements[place - plan.cells.len()], interrupt::flag())?,
            },
        });
        if interrupt::pressed() {
            return Ok(None);
        }
    }
    Ok(Some(seconds))
}

/// Whether somebody still plays an earlier submission.
fn refuse_while_played(store: &Store) -> Result<(), LabError> {
    for number in Submission::numbers(&store.folder) {
        let progress = look(store, number)?;
        let playing = progress.count(State::Running) + progress.count(State::Late);
        let is_queued =
            progress.count(State::Waiting) > 0 && queue_of(store, number).is_some_and(|queue| !queue.is_empty());
        if playing > 0 || is_queued {
            let waiting = progress.count(State::Waiting);
            let problem = format!("submission {number} is being played: {playing} elements run, {waiting} wait");
            let run = store.folder.display();
            let remedy =
                format!("see `spinney lab watch {run}`, end it with `spinney lab cancel {run}`, or write --anyway");
            return Err(InputError::new(run, problem, remedy).into());
        }
    }
    Ok(())
}

/// What the queue says of the elements of a submission; `None` where it cannot be asked.
pub fn queue_of(store: &Store, number: u64) -> Option<HashMap<u64, String>> {
    let jobs = Jobs::read(&store.folder, number);
    let Ok(submission) = Submission::read(&store.folder, number) else { return None };
    let job = jobs.elements.filter(|_| submission.engine == Engine::Slurm)?;
    let Call(words) = slurm::queue(&job);
    let output = Command::new(&words[0]).args(&words[1..]).output().ok()?;
    let problem = String::from_utf8_lossy(&output.stderr);
    match output.status.success() {
        true => Some(slurm::states(&String::from_utf8_lossy(&output.stdout))),
        // Slurm forgets jobs some minutes after their end.
        false if problem.contains("Invalid job id") => Some(HashMap::new()),
        false => None,
    }
}

/// How far a submission is.
pub fn look(store: &Store, number: u64) -> Result<Progress, LabError> {
    let queue = queue_of(store, number);
    Ok(Watched::new(store, number)?.look(&store.folder, queue.as_ref(), now()))
}

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

pub fn submit(laboratory: &Laboratory, arguments: &LabSubmit, out: &mut impl Write) -> anyhow::Result<()> {
    let engine = Engine::from(arguments.on);
    let flags = arguments.flags();
    flags.check("lab submit")?;
    let (own, file) = Settings::find(arguments.settings.as_deref())?;
    let settings = flags.over(own);
    let Target { name, folder, plan, contents, store } = target(laboratory, arguments)?;
    let run = folder.display().to_string();
    if let Some(store) = store.as_ref().filter(|_| !arguments.anyway) {
        refuse_while_played(store)?;
    }
    let tasks = missing(&plan, &contents, Shard::WHOLE);
    if tasks.is_empty() {
        writeln!(out, "{run}: nothing is missing; see `spinney lab report {run}`")?;
        return Ok(());
    }
    eprintln!("{}: {} games are missing; what they cost is measured", plan.title, grouped(games(&plan, &tasks)));
    let Some(seconds) = costs(&plan, &contents, &tasks)? else { return Ok(()) };
    let sizes = Sizes {
        minutes: settings.minutes(),
        threads: settings.cpus(),
        most: settings.most_elements(),
        elements: arguments.elements,
    };
    let number = Submission::numbers(&folder).last().map_or(1, |last| last + 1);
    let Some(submission) = Submission::new(&plan, &tasks, &seconds, sizes, engine, number) else { return Ok(()) };
    let expected = submission.seconds(&plan)?;
    let (least, most) = expected.iter().fold((f64::MAX, 0.0f64), |(a, b), load| (a.min(*load), b.max(*load)));
    let program = match &settings.program {
        Some(program) => program.clone(),
        None => std::env::current_exe()?.display().to_string(),
    };
    let stem = Path::new(&name).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let stem =
        if stem == "experiment" { folder.file_name().unwrap_or_default().to_string_lossy().into_owned() } else { stem };
    let job_name: String = format!("spinney-{stem}")
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
        .collect();
    let limit_minutes = settings.limit_minutes(most);
    let script = Script { name: &job_name, engine, settings: &settings, program: &program, limit_minutes };
    writeln!(
        out,
        "submission {number}: {} games in {} elements of {} to {}, {}",
        grouped(games(&plan, &tasks)),
        grouped(submission.elements),
        duration(least),
        duration(most),
        if submission.threads == 1 { "a core each".to_string() } else { format!("{} cores each", submission.threads) }
    )?;
    if arguments.elements.is_none() && submission.elements == sizes.most && most > 60.0 * sizes.minutes {
        writeln!(out, "there are at most {} elements, so they take longer; --most-elements allows more", sizes.most)?;
    }
    let path = Script::path(&folder, engine);
    let first = match engine {
        Engine::Slurm => slurm::elements(&submission, &folder, &path, settings.at_once),
        Engine::HyperQueue => hyperqueue::elements(&submission, &folder, &path, &settings, &job_name),
        Engine::Other => Call::new([program.as_str(), "lab", "element", &run, "--submission", &number.to_string()]),
    };
    let last = |job: &str| match engine {
        Engine::Slurm => slurm::last(&submission, &folder, &path, job),
        Engine::HyperQueue => hyperqueue::last(&submission, &folder, &path, job, &job_name),
        Engine::Other => Call::new([program.as_str(), "lab", "gather", &run, "--submission", &number.to_string()]),
    };
    if arguments.dry_run {
        let from = file.map_or("no file".to_string(), |file| file.display().to_string());
        writeln!(out, "settings: flags, and {from}\nscript: {}\n", path.display())?;
        let kept = std::fs::read_to_string(&path).ok().filter(|text| spinney_lab::cluster::script::is_changed(text));
        writeln!(out, "{}\ncalls:\n  {first}\n  {}", kept.unwrap_or_else(|| script.text()), last("JOB"))?;
        return Ok(());
    }
    let Some(store) = store else { return Ok(()) };
    // Once, before a thousand elements do.
    store.admit()?;
    submission.write(&folder)?;
    if engine == Engine::Other {
        writeln!(out, "start each with: {first} --index 0 … {}", submission.elements - 1)?;
        writeln!(out, "(Open MPI, Kubernetes and PBS tell their processes the index; see docs/clusters.md)")?;
        writeln!(out, "then: {}", last(""))?;
        return Ok(());
    }
    let (path, kept) = script.write(&folder)?;
    if kept == Kept::Changed {
        eprintln!("note: {} was changed, and stays as it is; flags and settings for it have no effect", path.display());
    }
    let jobs = start(&first, &last, engine).inspect_err(|_| forget(&folder, number))?;
    jobs.write(&folder, number)?;
    let shown = |job: &Option<String>| job.clone().unwrap_or_else(|| "unknown".to_string());
    writeln!(out, "job {} plays them, job {} gathers and reports", shown(&jobs.elements), shown(&jobs.last))?;
    writeln!(out, "see `spinney lab watch {run}`; the report will be {}", folder.join("report.html").display())?;
    Ok(())
}

fn games(plan: &Plan, tasks: &[Task]) -> u64 {
    tasks.iter().map(|task| task.count(plan)).sum()
}

/// A submission that nobody took is none.
fn forget(folder: &Path, number: u64) {
    let _ = std::fs::remove_file(spinney_lab::cluster::folder(folder).join(format!("{number}.json")));
    let _ = std::fs::remove_dir_all(spinney_lab::cluster::folder_of(folder, number));
}

/// Hands both jobs over.
fn start(first: &Call, last: &dyn Fn(&str) -> Call, engine: Engine) -> Result<Jobs, InputError> {
    let number = |call: &Call| {
        let text = answer(call, "mend the settings or the script and submit again")?;
        let job = if engine == Engine::Slurm { slurm::job(&text) } else { hyperqueue::job(&text) };
        job.ok_or_else(|| InputError::new(&call.0[0], format!("it answered `{}`", text.trim()), "expected a number"))
    };
    let elements = number(first)?;
    let last = match number(&last(&elements)) {
        Ok(last) => Some(last),
        Err(error) => {
            eprintln!("warning: the last job was not taken: {error}; gather with `spinney lab gather` at the end");
            None
        }
    };
    Ok(Jobs { elements: Some(elements), last, cancelled: false })
}

/// The number that was asked for, else the last.
fn number(store: &Store, wanted: Option<u64>) -> Result<u64, InputError> {
    wanted.or_else(|| Submission::numbers(&store.folder).last().copied()).ok_or_else(|| {
        InputError::new(store.folder.display(), "nothing was submitted", "begin with `spinney lab submit`")
    })
}

pub fn element(laboratory: &Laboratory, arguments: &LabElement) -> anyhow::Result<()> {
    // Before anything takes time: the engine may end this at any moment.
    let stop = interrupt::flag();
    let store = open(laboratory, &arguments.run)?;
    let submission = Submission::read(&store.folder, number(&store, arguments.submission)?)?;
    let index = arguments
        .index
        .or_else(|| index_here(|name| std::env::var(name).ok()))
        .ok_or_else(|| InputError::new("lab element", "no engine says which element this is", "write --index N"))?;
    let element = Element::begin(&store, &submission, index)?;
    let games = element.games();
    let words = format!("element {index} of submission {}", submission.number);
    eprintln!("{words}: {} games to play, {} known", grouped(games), grouped(element.known.count()));
    let known = element.known.clone();
    let display = Display::new(&store.plan, &known, games);
    // Slurm says what the script asks for, which somebody may have changed.
    let cpus = std::env::var("SLURM_CPUS_PER_TASK").ok().and_then(|cpus| cpus.parse().ok());
    let crew = threads(Some(arguments.threads.or(cpus).unwrap_or(submission.threads as u32).max(1)));
    let left = element.play(&store, crew, stop, &|event| display.tell(event));
    display.finish();
    match left? {
        0 => eprintln!("{words}: done"),
        left => {
            eprintln!("{words}: it was told to end; {left} games are left, which the next `spinney lab submit` sends");
            return Err(Negative.into());
        }
    }
    Ok(())
}

pub fn gather_run(store: &Store, wanted: Option<u64>, anyway: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let number = number(store, wanted)?;
    let submission = Submission::read(&store.folder, number)?;
    // The last job knows that the others have ended; files alone cannot tell a killed element from a slow one.
    let own =
        std::env::var("SLURM_JOB_ID").ok().filter(|own| Jobs::read(&store.folder, number).last.as_ref() == Some(own));
    let is_last = own.is_some() || std::env::var_os("SPINNEY_AFTER").is_some();
    if !is_last && !anyway {
        let progress = look(store, number)?;
        let queued =
            queue_of(store, number).map_or(0, |queue| queue.values().filter(|state| !slurm::has_ended(state)).count());
        let playing = queued.max(progress.count(State::Running) + progress.count(State::Late));
        if playing > 0 {
            let problem = format!("{playing} elements of submission {number} are being played or in the queue");
            let remedy = "wait for them, end them with `spinney lab cancel`, or write --anyway";
            return Err(InputError::new(store.folder.display(), problem, remedy).into());
        }
    }
    let gathered = gather(store, &submission)?;
    gathered.faults.iter().take(10).for_each(|fault| eprintln!("warning: {fault}"));
    let (lines, files) = (grouped(gathered.lines), gathered.files);
    writeln!(out, "submission {number}: {lines} records of {files} files gathered, {} twice", gathered.duplicates)?;
    let contents = store.read_results()?;
    show_report_of(store, &contents, None, false, None, out)?;
    let left = games(&store.plan, &missing(&store.plan, &contents, Shard::WHOLE));
    if left > 0 {
        let (run, engine) = (store.folder.display(), submission.engine.name());
        writeln!(out, "{} games are missing: spinney lab submit {run} --on {engine}", grouped(left))?;
    }
    Ok(())
}

pub fn cancel(store: &Store, wanted: Option<u64>, out: &mut impl Write) -> anyhow::Result<()> {
    let numbers = match wanted {
        Some(number) => vec![number],
        None => Submission::numbers(&store.folder),
    };
    let mut ended = 0;
    for number in numbers {
        let submission = Submission::read(&store.folder, number)?;
        let mut jobs = Jobs::read(&store.folder, number);
        let Some(job) = jobs.elements.clone() else {
            if wanted.is_some() {
                let problem = format!("submission {number} was not started by this program");
                return Err(InputError::new(store.folder.display(), problem, "end it where it was started").into());
            }
            continue;
        };
        let is_over = queue_of(store, number).is_some_and(|queue| queue.is_empty()) || look(store, number)?.is_over();
        if jobs.cancelled || is_over {
            continue;
        }
        let call = if submission.engine == Engine::Slurm { slurm::cancel(&job) } else { hyperqueue::cancel(&job) };
        answer(&call, "end it by hand")?;
        jobs.cancelled = true;
        jobs.write(&store.folder, number)?;
        writeln!(
            out,
            "submission {number}: job {job} was called off; what it has played is kept, and its last job gathers it"
        )?;
        ended += 1;
    }
    if ended == 0 {
        writeln!(out, "{}: nothing is being played by an engine", store.folder.display())?;
    }
    Ok(())
}
