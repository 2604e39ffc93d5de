//! `spinney review`

use crate::arguments::Limits;
use crate::interrupt;
use anyhow::Context;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use spinney_core::{InputError, InputErrorKind};
use spinney_lab::store::{Contents, Store};
use spinney_lab::{Cell, Record, recompute};
use spinney_search::Budget;
use spinney_table::Laboratory;
use spinney_web::review::{self, Judgement, Played, Wish};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Debug, Args)]
#[command(
    after_help = "FROM is a file with lines `game …`, `moves …` and, if need be, `position …`, as the page copies them and `spinney play \
    --record` writes them; or the folder of a run. GAME is the number of the game in the file, from 1; in a run PAIR.GAME, as the page lists \
    them, of the first cell, or CELL:PAIR.GAME with the number of the cell or its key.\n\
    A move is judged by what it costs: the chance to win before it and after it, by searches of both positions. Means of agents \
    with bonuses are rewards, not chances.\n\
    JSON keys: game, position, names, players, agents, scored, result, plies (ply, player, move, end, opinions: value, margin, best, line, \
    loss, judgement, proof, simulations), mistakes (ply, agent, player, move, best, line, loss, judgement)."
)]
pub struct Review {
    /// A file with a record, or the folder of a run
    pub from: PathBuf,
    /// Which game of it
    pub game: Option<String>,
    /// Who reviews; twice for two opinions
    #[arg(long, value_name = "AGENT", default_value = "mcts")]
    pub agent: Vec<String>,
    #[command(flatten)]
    pub limits: Limits,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write a page that can be kept and sent
    #[arg(long, value_name = "FILE.html")]
    pub page: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
}

/// For each position where nothing else is said.
const SECONDS: Duration = Duration::from_millis(500);

pub fn run(arguments: &Review, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    if arguments.agent.len() > 2 {
        let problem = format!("there are {}", arguments.agent.len());
        return Err(InputError::new("--agent", problem, "one or two can be compared").into());
    }
    let agents = arguments.agent.iter().map(|agent| laboratory.agent(agent)).collect::<Result<Vec<_>, _>>()?;
    let Limits { sims, time } = arguments.limits;
    let time = time.or_else(|| sims.is_none().then_some(SECONDS));
    let wish = Wish { agents, budget: Budget { simulations: sims, time, ..Budget::default() }, seed: arguments.seed };
    let played = if arguments.from.is_dir() {
        from_run(laboratory, &arguments.from, arguments.game.as_deref())?
    } else {
        from_file(&arguments.from, arguments.game.as_deref())?
    };
    let bar = ProgressBar::new(played.moves.len() as u64 + 1);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} positions  {eta} left") {
        bar.set_style(style);
    }
    let mut tell = |so_far: &review::Review| bar.set_position(so_far.plies.len() as u64);
    let found = review::review(laboratory, &played, &wish, interrupt::flag(), &mut tell)?;
    bar.finish_and_clear();
    let Some(found) = found else { anyhow::bail!("stopped before the last position; --sims 500 is faster") };
    if let Some(path) = &arguments.page {
        std::fs::write(path, found.page()).with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("page: {}", path.display());
    }
    if arguments.json {
        writeln!(out, "{}", found.json())?;
    } else {
        show(&found, out)?;
    }
    Ok(out.flush()?)
}

fn show(found: &review::Review, out: &mut impl Write) -> anyhow::Result<()> {
    let result = found.result.as_deref().unwrap_or("not finished");
    writeln!(out, "{}: {} moves, {result}", found.played.game, found.played.moves.len())?;
    let written = |value: f64| if found.scored { format!("{value:.1}") } else { format!("{:.0} %", 100.0 * value) };
    for (number, agent) in found.agents.iter().enumerate() {
        writeln!(out, "{}: {agent}", ["values", "values of the second"][number.min(1)])?;
        let values = (0..found.plies.len()).filter_map(|ply| found.value(ply, number));
        writeln!(out, "  {}", sparkline(&values.collect::<Vec<_>>(), found.scored))?;
    }
    let of = if found.scored { "the score".to_string() } else { format!("{} to win", found.players[0]) };
    writeln!(out, "  expected for {of}, move by move\n")?;
    let mistakes = found.mistakes();
    if mistakes.is_empty() {
        writeln!(out, "no mistake that these searches can see")?;
    }
    for &(ply, agent) in mistakes.iter().take(10) {
        let (own, place) = (&found.plies[ply].opinions[agent], &found.plies[ply]);
        let player = place.mover.map_or("", |player| found.players[player.index()].as_str());
        let word = found.judgement(ply, agent).map_or("", Judgement::word);
        let line: Vec<&str> = own.line.iter().take(6).map(String::as_str).collect();
        writeln!(
            out,
            "{:>4}. {:<12} {player:<8} {word:<10} costs {:>5}; better {}",
            ply + 1,
            place.mv.as_deref().unwrap_or_default(),
            written(own.loss.unwrap_or(0.0)),
            line.join(" "),
        )?;
    }
    Ok(())
}

fn sparkline(values: &[f64], scored: bool) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = if scored { values.iter().copied().fold(f64::MIN_POSITIVE, f64::max) } else { 1.0 };
    values.iter().map(|value| BARS[(value / most * 7.99).clamp(0.0, 7.0) as usize]).collect()
}

fn wrong(problem: String, remedy: &str) -> InputError {
    InputError::new("game", problem, remedy).of(InputErrorKind::Misfit)
}

fn from_file(path: &Path, number: Option<&str>) -> Result<Played, InputError> {
    let unread =
        |error| InputError::new(path.display(), error, "name a record or the folder of a run").of(InputErrorKind::File);
    let all = Played::read(&path.display().to_string(), &std::fs::read_to_string(path).map_err(unread)?)?;
    let number = match number.map(str::parse::<usize>) {
        None => 1,
        Some(Ok(number)) if (1..=all.len()).contains(&number) => number,
        Some(_) => {
            let remedy = format!("write a number from 1 to {}", all.len());
            return Err(wrong("the file has no such game".to_string(), &remedy));
        }
    };
    Ok(all[number - 1].clone())
}

/// The game `PAIR.GAME` or `CELL:PAIR.GAME` of a run.
fn from_run(laboratory: &Laboratory, folder: &Path, named: Option<&str>) -> anyhow::Result<Played> {
    let store = Store::open_in(laboratory, folder)?;
    let contents = store.read()?;
    let (index, record) = find(&store, &contents, named.unwrap_or("1.1"))?;
    let cell: &Cell = &store.plan.cells[index];
    let Some(moves) = recompute::one(cell, record, interrupt::flag())? else { anyhow::bail!("stopped") };
    let moves = moves.split(' ').filter(|mv| !mv.is_empty()).map(str::to_string).collect();
    Ok(Played { game: cell.game.clone(), position: None, moves, names: Some(record.seats.clone()) })
}

fn find<'a>(store: &Store, contents: &'a Contents, named: &str) -> Result<(usize, &'a Record), InputError> {
    let example = "write PAIR.GAME such as 3.1, or CELL:PAIR.GAME";
    let (cell, game) = named.split_once(':').unwrap_or(("1", named));
    let cells = &store.plan.cells;
    let by_number = cell.parse::<usize>().ok().and_then(|number| number.checked_sub(1)).filter(|at| *at < cells.len());
    let index = by_number.or_else(|| cells.iter().position(|own| own.key == cell));
    let index = index.ok_or_else(|| wrong(format!("the run has no cell {cell}"), example))?;
    let numbers = game.split_once('.').and_then(|(pair, game)| {
        let pair = pair.parse::<u64>().ok()?.checked_sub(1)?;
        Some((pair, game.parse::<u8>().ok()?.checked_sub(1)?))
    });
    let (pair, game) = numbers.ok_or_else(|| wrong(format!("`{named}` is not the number of one"), example))?;
    let missing =
        || wrong(format!("pair {}, game {} has not been played", pair + 1, game + 1), "see `spinney lab status`");
    contents.games.get(&(index, pair, game)).map(|record| (index, record)).ok_or_else(missing)
}
