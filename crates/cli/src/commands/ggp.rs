//! `spinney ggp`: check rule sheets, serve as a player, manage matches.

use super::ggp_record::{self, Recorder};
use super::ggp_tournament;
use super::lab::on_all_cores;
use crate::arguments::{Ggp, GgpCheck, GgpManage, GgpServe};
use crate::{Negative, interrupt};
use spinney_core::error::nearest;
use spinney_core::{InputError, InputErrorKind, Seed};
use spinney_games::gdl::BUILT_IN;
use spinney_gdl::{Fault, Limits, Machine, Rules};
use spinney_ggp::memory::granted;
use spinney_ggp::player::Event;
use spinney_ggp::{Config, Opponent, Player, Setting, manager};
use spinney_search::AgentSettings;
use spinney_search::decoupled::DecoupledSettings;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

pub fn run(command: &Ggp, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        Ggp::Check(options) => check(options, out),
        Ggp::Serve(options) => serve(options),
        Ggp::Manage(options) => manage(options, out),
        Ggp::Keys(options) => ggp_record::keys(options, out),
        Ggp::Verify(options) => ggp_record::verify_all(options, out),
        Ggp::Tournament(options) => ggp_tournament::run(options, out),
    }
}

/// The text of a rule sheet: of a file, or of one that comes with the program, with or without `gdl:` before its name.
pub(super) fn read_sheet(file: &Path) -> Result<String, InputError> {
    let name = file.to_string_lossy();
    let name = name.strip_prefix("gdl:").unwrap_or(&name);
    match (std::fs::read(name), BUILT_IN.iter().find(|(known, _)| *known == name)) {
        (Ok(bytes), _) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        (Err(error), Some((_, text))) if error.kind() == ErrorKind::NotFound => Ok((*text).to_string()),
        (Err(error), _) => {
            let known: Vec<&str> = BUILT_IN.iter().map(|(known, _)| *known).collect();
            let remedy = match nearest(name, &known) {
                Some(near) => format!("name a file with rules; did you mean the sheet `{near}`?"),
                None => "name a file with rules, or a sheet that `spinney games` lists".to_string(),
            };
            Err(InputError::new(file.display(), error, remedy).of(InputErrorKind::File))
        }
    }
}

fn check(arguments: &GgpCheck, out: &mut impl Write) -> anyhow::Result<()> {
    let mut is_valid = true;
    for file in &arguments.files {
        is_valid &= check_one(file, arguments.build, out)?;
    }
    if is_valid { Ok(()) } else { Err(Negative.into()) }
}

fn check_one(file: &Path, build: bool, out: &mut impl Write) -> anyhow::Result<bool> {
    let name = file.display();
    let rules = match Rules::parse(&read_sheet(file)?) {
        Ok(rules) => rules,
        Err(error) => {
            writeln!(out, "{name}: error: {error}")?;
            return Ok(false);
        }
    };
    let report = rules.check();
    // What every part of the program tolerates is no error.
    let (grave, mild): (Vec<_>, Vec<_>) = report.errors.iter().partition(|issue| issue.fault != Fault::Spelling);
    for issue in &grave {
        writeln!(out, "{name}: error: {issue}")?;
    }
    for issue in mild.into_iter().chain(&report.warnings) {
        writeln!(out, "{name}: warning: {issue}")?;
    }
    if !grave.is_empty() {
        return Ok(false);
    }
    if !build {
        writeln!(out, "{name}: valid")?;
        return Ok(true);
    }
    let started = Instant::now();
    let machine = match Machine::build(&rules, &Limits::default()) {
        Ok(machine) => machine,
        Err(error) => {
            writeln!(out, "{name}: error: {error}")?;
            return Ok(false);
        }
    };
    let size = machine.size();
    writeln!(
        out,
        "{name}: valid; roles {}; {:?} built in {:.2} s: {} facts, {} gates, {} connections, {} recursive parts",
        machine.roles().join(", "),
        machine.method(),
        started.elapsed().as_secs_f64(),
        size.facts,
        size.gates,
        size.connections,
        size.recursive,
    )?;
    Ok(true)
}

fn serve(arguments: &GgpServe) -> anyhow::Result<()> {
    let agent: AgentSettings = on_all_cores(arguments.agent.parse()?);
    let Some(search) = agent.options_of::<DecoupledSettings>("decoupled") else {
        let problem = format!("`{}` does not play games of roles", arguments.agent);
        return Err(InputError::new("agent", problem, "use cadiaplayer or decoupled").into());
    };
    let config = Config {
        name: arguments.name.clone(),
        search,
        margin: arguments.margin,
        seed: Seed::new(arguments.seed),
        matches: arguments.matches as usize,
        memory: arguments.memory.map_or_else(|| granted(4_000_000_000), |megabytes| megabytes as usize * 1_000_000),
        ponders: !arguments.idle,
    };
    let quiet = arguments.quiet;
    let log = arguments.log.as_deref().map(open_log).transpose()?.map(Mutex::new);
    let started = Instant::now();
    let tell = Arc::new(move |event: &Event| {
        let line = format!("{}{}", event.id.as_ref().map_or(String::new(), |id| format!("{id}: ")), event.what);
        if let Some(log) = &log {
            let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
            // A full disk must not end a match.
            let _ = writeln!(log, "{:10.3} {line}", started.elapsed().as_secs_f64());
        }
        if !quiet {
            eprintln!("{line}");
        }
    });
    let player = Player::bind(&format!("{}:{}", arguments.host, arguments.port), config, tell)?;
    eprintln!("{} listens at http://{}; Ctrl-C ends it", arguments.name, player.address()?);
    player.serve()
}

fn open_log(file: &Path) -> Result<std::fs::File, InputError> {
    let opened = std::fs::OpenOptions::new().create(true).append(true).open(file);
    opened.map_err(|error| InputError::new(file.display(), error, "name a file that can be written"))
}

fn manage(arguments: &GgpManage, out: &mut impl Write) -> anyhow::Result<()> {
    let players = arguments.players.iter().map(|text| Opponent::read(text)).collect::<Result<Vec<_>, _>>()?;
    let sheet = read_sheet(&arguments.file)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let setting = Setting {
        id: arguments.id.clone().unwrap_or_else(|| format!("spinney.{now}")),
        sheet,
        players,
        startclock: Duration::from_secs(arguments.startclock),
        playclock: Duration::from_secs(arguments.playclock),
        seed: Seed::new(arguments.seed),
        most_steps: arguments.steps,
        preview: arguments.preview.map(Duration::from_secs),
        scrambled: arguments.scramble,
        tournament: None,
    };
    let keys = arguments.sign.as_deref().map(ggp_record::read_keys).transpose()?;
    let tell = |step: &manager::Step| {
        let wrong: Vec<&str> = step.errors.iter().map(String::as_str).filter(|error| !error.is_empty()).collect();
        let wrong = if wrong.is_empty() { String::new() } else { format!("   [{}]", wrong.join("; ")) };
        eprintln!("{:>4}  {}{wrong}", step.step, step.moves.join("  "));
    };
    // A manager looks up only between steps, which may take as long as a clock.
    let id = setting.id.clone();
    let (file, sheet) = (arguments.record.clone(), arguments.file.display().to_string());
    let managed = move || {
        let mut recorder = Recorder::new(&setting, sheet, now as u64, file, keys.as_ref());
        let played = manager::play_watched(&setting, interrupt::flag(), |played| {
            played.steps.last().into_iter().for_each(tell);
            recorder.note(played);
        })?;
        recorder.finish(&played).map(|_| played)
    };
    let Some(played) = interrupt::unless_pressed(managed) else {
        writeln!(out, "{id}: called off")?;
        return Err(Negative.into());
    };
    let played = played.map_err(|error: anyhow::Error| match error.downcast::<InputError>() {
        Ok(error) => error.within(arguments.file.display()).into(),
        Err(error) => error,
    })?;
    if let Some(file) = &arguments.log {
        let line = serde_json::to_string(&played)?;
        let mut log = std::fs::OpenOptions::new().create(true).append(true).open(file)?;
        log.write_all((line + "\n").as_bytes())?;
    }
    if played.goals.is_empty() {
        writeln!(out, "{}: called off after {} steps", played.id, played.steps.len())?;
        return Err(Negative.into());
    }
    writeln!(out, "{}: {} steps", played.id, played.steps.len())?;
    for (role, name) in played.roles.iter().enumerate() {
        let goal = played.goals[role].map_or("none".to_string(), |goal| goal.to_string());
        let errors = played.steps.iter().filter(|step| !step.errors[role].is_empty()).count();
        let slowest = played.steps.iter().map(|step| step.milliseconds[role]).max().unwrap_or(0);
        writeln!(out, "  {name}: goal {goal}, {errors} errors, slowest reply {slowest} ms")?;
    }
    Ok(())
}
