//! `spinney solve`: exact values of games with chance.

use crate::arguments::Solve;
use spinney_core::expression::Expression;
use spinney_core::{InputError, Notation, Turn};
use spinney_games::pig::exact::Exact;
use spinney_games::{Pig, PigRace, pig, pig_race};
use spinney_table::Laboratory;
use std::io::Write;

/// Positions that a solution may remember.
const MOST_POSITIONS: usize = 3_000_000;

pub fn run(arguments: &Solve, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let expression = Expression::read("game", &arguments.game)?;
    match expression.name.as_str() {
        "pig" => solve_pig(&Pig::new(pig::Options::read(&expression)?), arguments, out),
        "pig-race" => solve_race(&PigRace::new(pig_race::Options::read(&expression)?), arguments, out),
        _ => enumerate(arguments, laboratory, out),
    }
}

fn over() -> InputError {
    InputError::new("position", "the game is over", "give one with moves left")
}

fn state_of<G: Notation>(game: &G, position: Option<&str>) -> Result<G::State, InputError> {
    let state = position.map_or_else(|| Ok(game.initial()), |text| game.read_position(text))?;
    match game.turn(&state) {
        Turn::Over(_) => Err(over()),
        Turn::Player(_) | Turn::Chance => Ok(state),
    }
}

fn solve_pig(game: &Pig, arguments: &Solve, out: &mut impl Write) -> anyhow::Result<()> {
    let state = state_of(game, arguments.position.as_deref())?;
    let exact = Exact::new(game);
    writeln!(out, "{}", game.draw(&state))?;
    writeln!(out, "value {:.12}", exact.value(&state))?;
    if !state.rolling {
        let values = exact.action_values(&state);
        writeln!(out, "roll  {:.12}\nstop  {:.12}", values.roll, values.stop)?;
    }
    let scores = [0, 10, 20, 30, 40, 50, 75, 100, 125, 150, 175, 200];
    write!(out, "\nroll with at most so many points in the turn\n{:>10}", "banked")?;
    for score in scores {
        write!(out, "{score:>5}")?;
    }
    writeln!(out)?;
    for turns in (1..=state.turns).rev() {
        write!(out, "{:>10}", format!("{turns} left"))?;
        for score in scores {
            let threshold = exact.threshold(turns, score).map_or("-".to_string(), |total| total.to_string());
            write!(out, "{threshold:>5}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn solve_race(game: &PigRace, arguments: &Solve, out: &mut impl Write) -> anyhow::Result<()> {
    let state = state_of(game, arguments.position.as_deref())?;
    let exact = pig_race::exact::Exact::new(game);
    writeln!(out, "{}", game.draw(&state))?;
    writeln!(out, "the player to move wins {:.6} %", 100.0 * exact.value(&state))?;
    if !state.rolling {
        let values = exact.action_values(&state);
        writeln!(out, "roll  {:.6} %\nhold  {:.6} %", 100.0 * values.roll, 100.0 * values.hold)?;
    }
    Ok(())
}

/// Solves any game that is small enough by looking at all its positions.
fn enumerate(arguments: &Solve, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let table = laboratory.open(&arguments.game, arguments.position.as_deref())?;
    if let Turn::Over(_) = table.turn() {
        return Err(over().into());
    }
    let Some(solved) = table.solve(MOST_POSITIONS) else {
        let problem = format!("this {} has more than {MOST_POSITIONS} positions", table.game());
        return Err(InputError::new("solve", problem, "give a smaller variant or a later position").into());
    };
    writeln!(out, "{}\nvalue {:.12}", table.board(), solved.value)?;
    for (mv, value) in solved.moves {
        writeln!(out, "{mv:<12} {value:.12}")?;
    }
    writeln!(out, "{} positions", solved.positions)?;
    Ok(())
}
