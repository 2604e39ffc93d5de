//! Single matches and scores, in memory or in a folder, and games that Python played itself.

use crate::error::{guarded, input, lab};
use crate::own::list::laboratory;
use crate::playing::Playing;
use crate::run::Run;
use crate::state::State;
use crate::think::read_agent;
use pyo3::prelude::*;
use spinney_core::Seed;
use spinney_lab::Record;
use spinney_lab::plan::{Plan, Shard};
use spinney_lab::record::VERSION;
use spinney_lab::referee::Referee;
use spinney_lab::runner::{Found, Task, missing};
use spinney_lab::stop::Stop;
use spinney_lab::store::{Contents, Store};
use spinney_lab::write::SingleMatch;
use spinney_search::Budget;
use std::path::PathBuf;

/// A match as `spinney match` plays it: in memory, or in the run of a folder.
#[pyfunction]
#[pyo3(signature = (game, agents, games, seed, opening, stop, folder, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "Python gives them names")]
pub fn match_run(
    py: Python<'_>,
    game: &str,
    agents: (String, String),
    games: u64,
    seed: u64,
    opening: u32,
    stop: Option<&str>,
    folder: Option<PathBuf>,
    threads: Option<usize>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Run> {
    let agents = [read_agent(&agents.0, &Budget::default())?, read_agent(&agents.1, &Budget::default())?];
    let stop = stop.map(Stop::read_text).transpose().map_err(|error| input(&error))?;
    let pairs = games.div_ceil(2);
    let (plan, store) = match &folder {
        Some(folder) => {
            let file = SingleMatch { game, agents: &agents, opening, pairs, seed, stop: stop.as_ref() };
            let text = file.to_string();
            let make = || guarded(|| Store::create_in(laboratory(), folder, "match.toml", &text));
            let store = py.detach(make)?.map_err(lab)?;
            (store.plan.clone(), Some(store))
        }
        None => {
            let seed = Seed::new(seed).named(game);
            let make = || guarded(|| Plan::single(laboratory(), game, agents, opening, pairs, seed));
            let mut plan = py.detach(make)?.map_err(|error| input(&error))?;
            plan.cells[0].stop = stop;
            (plan, None)
        }
    };
    let (mut contents, mut appender) = match &store {
        Some(store) => (store.read().map_err(lab)?, Some(store.append(Shard::WHOLE).map_err(lab)?)),
        None => (Contents::default(), None),
    };
    let mut tasks = missing(&plan, &contents, Shard::WHOLE);
    // The last pair of an odd number of games is a single one, unless pairs are kept or counted.
    if let Some(Task::Pair { games: last, .. }) = tasks.last_mut()
        && games % 2 == 1
        && store.is_none()
        && plan.cells[0].stop.is_none()
    {
        *last = [true, false];
    }
    let referee = Referee::new(&plan, &contents);
    let keep = |found: Found| {
        if let Some(appender) = &mut appender {
            found.write(appender)?;
        }
        found.keep(&mut contents);
        Ok(())
    };
    Playing { threads, progress }.play(py, &plan, &referee, tasks, keep)?;
    Ok(Run { plan, contents, store })
}

/// The mean score of an agent in a game of one player, as `spinney score` measures it.
#[pyfunction]
#[pyo3(signature = (game, agent, games, seed, threads, progress))]
pub fn score_run(
    py: Python<'_>,
    game: &str,
    agent: &str,
    games: u64,
    seed: u64,
    threads: Option<usize>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Run> {
    let agent = read_agent(agent, &Budget::default())?;
    let make = || guarded(|| Plan::single_measurement(laboratory(), game, agent, games, seed));
    let plan = py.detach(make)?.map_err(|error| input(&error))?;
    let mut contents = Contents::default();
    let tasks = missing(&plan, &contents, Shard::WHOLE);
    let keep = |found: Found| {
        found.keep(&mut contents);
        Ok(())
    };
    Playing { threads, progress }.play(py, &plan, &Referee::idle(), tasks, keep)?;
    Ok(Run { plan, contents, store: None })
}

type Played = (u64, u8, Vec<String>, u8, (u64, u64), (f64, f64));

/// The run of games that Python played: pair, game of the pair, moves, winner, simulations and milliseconds of the first
/// and the second player.
#[pyfunction]
pub fn run_of_games(
    state: &Bound<'_, State>,
    agents: (String, String),
    seed: u64,
    played: Vec<Played>,
) -> PyResult<Run> {
    let game = guarded(|| state.borrow_mut().table().game())?;
    let seats = [(); 2].map(|()| read_agent("random", &Budget::default()));
    let [first, second] = seats;
    let pairs = played.iter().map(|one| one.0 + 1).max().unwrap_or(0);
    let (agents_of_plan, seed) = ([first?, second?], Seed::new(seed).named(&game));
    let plan = guarded(|| Plan::single(laboratory(), &game, agents_of_plan, 0, pairs, seed))?;
    let mut plan = plan.map_err(|error| input(&error))?;
    let cell = &mut plan.cells[0];
    cell.described = agents.into();
    plan.agents = [0, 1].map(|seat| (cell.names[seat].clone(), cell.described[seat].clone())).into();
    let mut contents = Contents::default();
    for (pair, game, moves, winner, simulations, ms) in played {
        let [a, b] = cell.names.clone();
        let record = Record {
            v: VERSION,
            cell: cell.key.clone(),
            pair,
            game,
            seats: if game == 0 { [a, b] } else { [b, a] },
            seed: cell.pair_seed(pair).value(),
            winner,
            plies: moves.len() as u64,
            simulations: simulations.into(),
            moves: moves.join(" ").into(),
            lost_on_time: false,
        };
        Found::Game((0, pair, game), record, ms.into()).keep(&mut contents);
    }
    Ok(Run { plan, contents, store: None })
}

/// The seed of a pair of a match, for who plays its games in Python.
#[pyfunction]
pub fn pair_seed(game: &str, seed: u64, pair: u64) -> u64 {
    Seed::new(seed).named(game).child(pair).value()
}

/// The seed of a ply of a game, as games of the laboratory have it.
#[pyfunction]
pub fn ply_seed(seed: u64, player: u8, ply: u64) -> u64 {
    Seed::new(seed).child(u64::from(player.saturating_sub(1))).child(ply).value()
}
