//! `spinney ggp tournament`: a round robin of players over HTTP.

use super::ggp::read_sheet;
use super::ggp_record::{Recorder, read_keys};
use crate::arguments::GgpTournament;
use crate::{Negative, interrupt};
use serde_json::json;
use spinney_core::{InputError, Seed};
use spinney_ggp::tournament::{Results, count_players, schedule};
use spinney_ggp::{Opponent, Setting, manager};
use std::io::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub fn run(arguments: &GgpTournament, out: &mut impl Write) -> anyhow::Result<()> {
    let players = arguments.players.iter().map(|text| Opponent::read(text)).collect::<Result<Vec<_>, _>>()?;
    let sheets = arguments.files.iter().map(|file| read_sheet(file)).collect::<Result<Vec<_>, _>>()?;
    let mut roles = Vec::new();
    for (sheet, file) in sheets.iter().zip(&arguments.files) {
        let count = count_players(sheet).map_err(|error| error.within(file.display()))?;
        if count == 0 {
            let problem = "it has no role that chooses";
            return Err(InputError::new(file.display(), problem, "name a rule sheet of a game").into());
        }
        roles.push(count);
    }
    let name = arguments.name.clone().unwrap_or_else(|| format!("spinney.{}", milliseconds()));
    let mut record = match &arguments.record {
        Some(file) => Some(std::fs::OpenOptions::new().create(true).append(true).open(file)?),
        None => None,
    };
    let keys = arguments.sign.as_deref().map(read_keys).transpose()?;
    let matches = schedule(&roles, players.len(), arguments.rounds as usize);
    let mut results = Results::new(arguments.players.clone());
    for (number, pairing) in matches.iter().enumerate() {
        if interrupt::pressed() {
            break;
        }
        let seated = |seat: &Option<usize>| seat.map_or(Opponent::Random, |player| players[player].clone());
        let setting = Setting {
            id: format!("{name}.{}", number + 1),
            sheet: sheets[pairing.sheet].clone(),
            players: pairing.seats.iter().map(seated).collect(),
            startclock: Duration::from_secs(arguments.startclock),
            playclock: Duration::from_secs(arguments.playclock),
            seed: Seed::new(arguments.seed).child(number as u64),
            most_steps: arguments.steps,
            preview: arguments.preview.map(Duration::from_secs),
            scrambled: arguments.scramble,
            tournament: Some(name.clone()),
        };
        let file = arguments.files[pairing.sheet].display().to_string();
        let started = milliseconds();
        let live = arguments.matches.as_ref().map(|folder| folder.join(format!("{}.json", file_name(&setting.id))));
        let mut recorder = Recorder::new(&setting, file.clone(), started, live, keys.as_ref());
        let played = manager::play_watched(&setting, interrupt::flag(), |played| recorder.note(played))
            .map_err(|error| error.within(&file))?;
        results.add(pairing, &played);
        let line = recorder.finish(&played)?;
        if let Some(record) = &mut record {
            record.write_all((line + "\n").as_bytes())?;
        }
        let goals: Vec<String> =
            played.goals.iter().map(|goal| goal.map_or("none".to_string(), |goal| goal.to_string())).collect();
        let goals = if goals.is_empty() { "called off".to_string() } else { goals.join(":") };
        eprintln!("{:>4} of {}  {file}  {goals}", number + 1, matches.len());
    }
    report(arguments.json, &results, out)?;
    if interrupt::pressed() { Err(Negative.into()) } else { Ok(()) }
}

/// A name that can be that of a file.
fn file_name(id: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || "-_".contains(letter) { letter } else { '-' };
    id.chars().map(plain).collect()
}

fn milliseconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64
}

fn report(json: bool, results: &Results, out: &mut impl Write) -> anyhow::Result<()> {
    let (standings, encounters) = (results.standings(), results.encounters());
    if json {
        writeln!(out, "{}", json!({"standings": standings, "encounters": encounters}))?;
        return Ok(());
    }
    let percent = |score: Option<[f64; 3]>| match score {
        Some([score, low, high]) => {
            format!("{:.1} % [{:.1}, {:.1}]", 100.0 * score, 100.0 * low, 100.0 * high)
        }
        None => "–".to_string(),
    };
    for own in &standings {
        writeln!(
            out,
            "{}: mean goal {:.1} in {} matches; {} won, {} drawn, {} lost: {}; {} errors, slowest reply {} ms",
            own.player,
            own.mean_goal,
            own.matches,
            own.wins,
            own.draws,
            own.losses,
            percent(own.score),
            own.errors,
            own.slowest_ms,
        )?;
    }
    for pair in &encounters {
        writeln!(out, "{} against {}: {} in {} pairs", pair.one, pair.other, percent(pair.score), pair.pairs)?;
    }
    Ok(())
}
